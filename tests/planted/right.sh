#!/usr/bin/env bash
# No false alarm: `truelerp gate` lets pass the library and implementations that are right in other
# ways, of which right/ has one in each file. The plan says how many samples of which function.
#
# Exit code 0: all passed. 1: something was not within its bounds, or less was judged than planned.
# Usage: right.sh TRUELERP [STATE]. With STATE, a directory, it is the long form: a thousand million
# results of the library and a hundred million of each other one; what is done is noted there, and
# the next run goes on. Exit code 77: time is up, and more is left.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=build.bash
. "$here/build.bash"
truelerp=$(realpath "${1:?usage: right.sh TRUELERP [STATE]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
state=$work/state form=short limit=100000
if [ -n "${2:-}" ]; then
    state=$2 form=long limit=3300
fi
mkdir -p "$state"

# implementation, function, samples of the short form, samples of the long form. Samples that cost
# the oracle little, or the implementation, are many.
plan()
{
    cat <<'PLAN'
library lerp 2500000 200000000
library lerp_cr 2500000 200000000
library hermite 2000000 200000000
library hermite_coefficients 2500000 200000000
library bezier 100000 60000000
library bezier_parameter 100000 40000000
library slerp3 100000 16000000
library slerp3_unclamped 50000 16000000
library slerp4 50000 16000000
library angle3 100000 16000000
library rotate_toward3 100000 12000000
library newton 20000 6000000
library track 20000 5000000
library crossfade_newton 20000 4000000
library curve 20000 4000000
library crossfade 20000 3000000
library cubic_roots 5000 2000000
wide lerp 4000000 40000000
wide hermite 3000000 30000000
wide hermite_coefficients 3100000 30000000
long_double slerp3 3400000 35000000
long_double angle3 3400000 35000000
long_double rotate_toward3 3400000 30000000
exact lerp 5000000 45000000
exact lerp_cr 5000000 45000000
exact hermite_coefficients 50000 7000000
exact hermite 5000 3000000
exact slerp3 1000 100000
exact slerp3_unclamped 1000 100000
exact slerp4 1000 100000
exact angle3 1000 100000
exact rotate_toward3 1000 100000
PLAN
}

# piece IMPLEMENTATION FUNCTION SAMPLES: notes how many results were judged, of these very builds.
piece()
{
    local note json=$work/$1.$2.json log=$work/$1.$2.log judged
    note=$state/$1.$2.$3.$(cat "$truelerp" "$work/$1/truelerp.so" | cksum | tr ' ' -)
    finished+=("$note")
    [ ! -s "$note" ] || return 0
    if ! "$truelerp" gate "$2" --impl "$work/$1/truelerp.so" --contract-only --samples "$3" \
        --no-instructions --json "$json" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    judged=$(awk -F '[:, ]+' '/"compared"/ { sum += $3 } END { print sum + 0 }' "$json")
    if [ "$judged" -lt $(($3 * 9 / 10)) ]; then
        echo "$1, $2: of $3 samples, only $judged results were judged" >&2
        return 1
    fi
    echo "$judged" >"$note"
}

build_library "$work"
mv "$work/right" "$work/library"
for source in "$here"/right/*.c; do
    name=$(basename "$source" .c)
    mkdir "$work/$name"
    "${compile[@]}" -O2 -D_GNU_SOURCE -fvisibility=hidden -shared "$source" \
        -o "$work/$name/truelerp.so" -lmpfr -lgmp -lm
done

failed=0 left=0 finished=()
while read -r implementation function short long; do
    if [ $SECONDS -gt "$limit" ]; then
        left=$((left + 1))
        continue
    fi
    [ $form = short ] && samples=$short || samples=$long
    piece "$implementation" "$function" "$samples" </dev/null || failed=$((failed + 1))
done < <(plan)

for implementation in library wide long_double exact; do
    judged=0
    for note in "${finished[@]}"; do
        [[ $note != "$state/$implementation".* ]] || judged=$((judged + $(cat "$note" || echo 0)))
    done
    printf '%-12s %12d results judged\n' $implementation $judged
done
echo "$failed pieces failed, $left are left, in $SECONDS s"
[ $failed -eq 0 ] || exit 1
[ $left -eq 0 ] || exit 77
