#!/usr/bin/env bash
# truelerp list: every function of the catalogue, with all that a user must know to call it.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

run 0 list
silent err
sed -n 's/^\([a-z0-9_]*\): .*/\1/p' out >functions
catalog=$(dirname "$(realpath "$OLDPWD/${BASH_SOURCE[0]}" 2>/dev/null ||
    realpath "${BASH_SOURCE[0]}")")/../../oracle/catalog.def
sed -n 's/^FUNCTION(\([a-z0-9_]*\))$/\1/p' "$catalog" >expected
[ -s expected ] || fail "no function in $catalog"
cmp functions expected || fail "list and catalogue differ: $(cat functions)"
count=$(wc -l <expected)
for label in formula bound defined inputs outputs domains; do
    [ "$(grep -c "^  $label  *[^ ]" out)" -eq "$count" ] || fail "$label is missing: $(cat out)"
done
[ "$(grep -c '(typical)$' out)" -ge 1 ] || fail "no typical domain: $(cat out)"
LC_ALL=C awk 'length > 80 { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
! grep -q ' $' out || fail 'lines end in spaces'

run 0 list lerp
says out 'a + t (b - a)' '|result - F| <= 2 u S + 2^-1074' '|(1 - t) a| + |t b|' 'a: ' '[value]'
! grep -q hermite out || fail 'asked for lerp, got hermite'

run 0 list --json lerp slerp3
says out '"name": "lerp"' '"name": "slerp3"' '"K": 2.0' '"measure": "vector"' '"kind": "number"' \
    '"unit": "value"' '"typical": true' '"hardest": true' '"formula": "a + t (b - a)"'
[ "$(grep -c '"measure"' out)" -eq 2 ] || fail "asked for two functions: $(cat out)"
