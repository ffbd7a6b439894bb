#!/usr/bin/env bash
# The replay driver, which builds with any compiler: folders in order, no input is an error.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
replay=$build/fuzz_lerp_replay

check_code "no argument" 2 "$replay"
mkdir -p "$work/in/b/c" "$work/in/a" "$work/empty/none"
check_code "only empty folders" 2 "$replay" "$work/empty"
check_code "no such file" 2 "$replay" "$work/nothing"
check "which is named" grep -q "$work/nothing" "$work/out"

printf '' >"$work/in/a/nothing"
head -c 24 /dev/zero >"$work/in/b/zeros"
printf '\0\0\0\0\0\0\360\077%8s\0\0\0\0\0\0\340\077' '' >"$work/in/b/c/one"
check_code "three inputs" 0 "$replay" "$work/in" "$work/in/b/zeros"
check "four replays" grep -qx "4 inputs replayed" "$work/out"
check "counts" grep -qx "lerp: 4 runs, 4 cases judged" "$work/out"
check "largest error" grep -qE '^lerp: largest error [0-9.e-]+ u S, [0-9.e-]+ of its bound$' "$work/out"

"$replay" --csv "$work/in" >"$work/csv" 2>/dev/null
printf 'a,b,t\n%s\n' 0x0p+0,0x0p+0,0x0p+0 >"$work/zero"
printf 'a,b,t\n%s\n' 0x1p+0,0x1.020202020202p-509,0x1p-1 >"$work/one"
check "in the order of names" diff <(cat "$work/zero" "$work/one" "$work/zero") "$work/csv"

# the seeds are the stored cases
seeds=$(find "$build/seeds/lerp" -type f | wc -l)
check "$seeds seeds of lerp" [ "$seeds" -ge 20 ]
check_code "seeds" 0 "$replay" "$build/seeds/lerp"
check "all of them" grep -qx "$seeds inputs replayed" "$work/out"
finish
