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

# an input at which a target failed: told and kept, and nobody is asked about it but the oracle
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir "$work/findings"
export TRUELERP_FUZZ_FINDINGS=$work/findings
for _ in 1 2; do
    check_code "a finding" 0 "$replay" --finding 'crash: in "x", once' "$work/in/b/c/one"
done
unset TRUELERP_FUZZ_FINDINGS
check "nothing was called" grep -qx "lerp: 0 runs, 0 cases judged" "$work/out"
check "it is told" grep -qx 'lerp, as found: crash: in "x", once' "$work/out"
check "with a command" grep -qxF \
    "printf '%s\n' 'a,b,t' '0x1p+0,0x1.020202020202p-509,0x1p-1' | truelerp eval lerp -" "$work/out"
check "and kept once" [ "$(wc -l <"$work/findings/lerp.csv")" -eq 2 ]
check "as the corpus has it" diff <(head -n 1 "$source/corpus/lerp.csv") \
    <(head -n 1 "$work/findings/lerp.csv")
check "with the exact answer" grep -qE \
    '^0x1p\+0,0x1\.020202020202p-509,0x1p-1,0\.5,"fuzz_lerp .*; crash: in ""x"", once"$' \
    "$work/findings/lerp.csv"

# the seeds are the stored cases
seeds=$(find "$build/seeds/lerp" -type f | wc -l)
check "$seeds seeds of lerp" [ "$seeds" -ge 20 ]
check_code "seeds" 0 "$replay" "$build/seeds/lerp"
check "all of them" grep -qx "$seeds inputs replayed" "$work/out"

# what was done is there to read, whatever ends the process: runs, and judgements that were finished
export TRUELERP_FUZZ_PROGRESS=$work/progress
check_code "seeds, noted" 0 "$replay" "$build/seeds/lerp"
check "as counted" [ "$(od -A n -t u8 -j 8 -N 16 "$work/progress" | xargs)" = "$seeds $((seeds - 1))" ]
TRUELERP_FUZZ_PROGRESS=$work/none/there check_code "where nothing can be written" 2 "$replay" "$work/in"
check "which is said" grep -q "^TRUELERP_FUZZ_PROGRESS: $work/none/there: " "$work/out"
finish
