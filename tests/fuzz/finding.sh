#!/usr/bin/env bash
# A violation: where it stops, what it prints, what it keeps; and the program agrees.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_libfuzzer
export TRUELERP_FUZZ_FINDINGS=$work/findings TRUELERP_FUZZ_RECORDS=$work/records
mkdir "$work/findings" "$work/records"

# FUNCTION IMPLEMENTATION KIND
finds()
{
    local function=$1 kind=$3 code=0 rows
    export TRUELERP_FUZZ_IMPL=$build/tests/$2.so
    "$build/fuzz_$function" -seed=1 -runs=20000 -artifact_prefix="$work/" >"$work/out" 2>&1 || code=$?
    check "$function: exit code $code, not 77" [ "$code" -eq 77 ]
    check "$function stops at ${function}_$kind" grep -q "^stopped at ${function}_$kind\$" "$work/out"
    if command -v llvm-symbolizer >/dev/null; then
        check "$function: the stack names it" grep -qE "#[0-9]+ 0x[0-9a-f]+ in ${function}_$kind " "$work/out"
    fi
    check "$function counts" grep -qE "^$function: [1-9][0-9]* runs, [1-9][0-9]* cases judged\$" "$work/out"

    # both rows, as `truelerp eval` sees them
    rows=$(($(wc -l <"$work/findings/$function.csv") - 1))
    check "$function: $rows rows" [ "$rows" -eq 2 ]
    check "$function: header" diff <(head -n 1 "$source/corpus/$function.csv") \
        <(head -n 1 "$work/findings/$function.csv")
    check "$function: the first as found" grep -q 'as found' <(sed -n 2p "$work/findings/$function.csv")
    check "$function: the second simplified" grep -q simplified <(sed -n 3p "$work/findings/$function.csv")
    check_code "$function: rows violate" 1 "$build/truelerp" eval "$function" \
        --impl "$TRUELERP_FUZZ_IMPL" "$work/findings/$function.csv"
    check "$function: as many verdicts" [ "$(grep -cE "(${kind/_/ })\$" "$work/out")" -eq 2 ]
    check_code "$function: the library is within" 0 "$build/truelerp" eval "$function" \
        "$work/findings/$function.csv"
    shorter=$(awk -F, -v n="$4" 'NR > 1 { l = 0; for (i = 1; i <= n; i++) l += length($i); print l }' \
        "$work/findings/$function.csv")
    check "$function: simplified is simpler: $shorter" \
        [ "$(sed -n 2p <<<"$shorter")" -lt "$(sed -n 1p <<<"$shorter")" ]
}

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
finds hermite expanded_hermite violation 7
finds slerp3 acos_slerp violation 7

# kinds that are passed over do not stop it, others do
export TRUELERP_FUZZ_IMPL=$build/tests/expanded_hermite.so
TRUELERP_FUZZ_GO_ON=violation,undecided "$build/fuzz_hermite" -seed=1 -runs=3000 \
    -artifact_prefix="$work/" >"$work/out" 2>&1 || true
check "violations do not stop it" [ "$(grep -c '^stopped at hermite_violation$' "$work/out")" -eq 0 ]
check "they are counted" grep -qE '^hermite: [1-9][0-9]* cases with findings$' "$work/out"
TRUELERP_FUZZ_GO_ON="class mismatch" "$build/fuzz_hermite" -seed=1 -runs=20000 \
    -artifact_prefix="$work/" >"$work/out" 2>&1 || true
check "another kind does not matter" grep -q '^stopped at hermite_violation$' "$work/out"
for kinds in 2 violations violation,,undecided; do
    TRUELERP_FUZZ_GO_ON=$kinds check_code "'$kinds' is no list of kinds" 2 "$build/fuzz_hermite" -runs=1
    check "which is said" grep -q "^TRUELERP_FUZZ_GO_ON: wants 1, or kinds" "$work/out"
done
export TRUELERP_FUZZ_IMPL=$build/tests/acos_slerp.so

# what is printed is a command that shows it again
"$build/fuzz_slerp3" -seed=3 -runs=20000 -artifact_prefix="$work/" >"$work/out" 2>&1 || true
grep '^printf ' "$work/out" >"$work/commands"
check "two commands" [ "$(wc -l <"$work/commands")" -eq 2 ]
while read -r command; do
    code=0
    (PATH=$build:$PATH; eval "$command") >"$work/verdict" 2>&1 || code=$?
    check "a command's exit code $code, not 1" [ "$code" -eq 1 ]
    check "a command shows the violation" grep -q violation "$work/verdict"
done <"$work/commands"

# the artifact and the records are inputs that replay
artifact=$(find "$work" -maxdepth 1 -name 'crash-*' | head -n 1)
check "an artifact" [ -n "$artifact" ]
code=0
TRUELERP_FUZZ_GO_ON=1 "$build/fuzz_slerp3_replay" "$artifact" >"$work/out" 2>&1 || code=$?
check "the artifact replays" [ "$code" -eq 0 ]
check "there are records" [ "$(find "$work/records" -name 'slerp3-*' | wc -l)" -gt 0 ]
check "and no remains of them" [ -z "$(find "$work/records" -name '.*' -type f)" ]
TRUELERP_FUZZ_GO_ON=1 TRUELERP_FUZZ_RECORDS='' "$build/fuzz_slerp3_replay" "$work/records" >"$work/out" 2>&1
check "records are large errors" grep -qE 'largest error .*e\+[0-9]+ of its bound' "$work/out"

# a kill in the middle of simplifying leaves the row as found
rm -rf "$work/findings" && mkdir "$work/findings"
for seed in 1 2 3 4 5; do
    "$build/fuzz_hermite" -seed=$seed -artifact_prefix="$work/" >/dev/null 2>&1 &
    target=$!
    TRUELERP_FUZZ_IMPL=$build/tests/expanded_hermite.so "$build/fuzz_hermite" -seed=$seed \
        -artifact_prefix="$work/" >/dev/null 2>&1 &
    target="$target $!"
    for _ in $(seq 200); do
        [ ! -s "$work/findings/hermite.csv" ] || break
        sleep 0.05
    done
    # shellcheck disable=SC2086
    kill -9 $target 2>/dev/null || true
    wait 2>/dev/null || true
done
check "whole rows" [ "$(tail -c 1 "$work/findings/hermite.csv" | od -An -tx1 | tr -d ' ')" = 0a ]
check_code "they are readable and violate" 1 "$build/truelerp" eval hermite \
    --impl "$build/tests/expanded_hermite.so" "$work/findings/hermite.csv"
finish
