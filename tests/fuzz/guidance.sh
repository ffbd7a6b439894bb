#!/usr/bin/env bash
# The engine sees errors: it gets more features from the counters than without them, and finds larger
# errors with every step from its own mutations to climbing.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_libfuzzer

# MODE TARGET: runs it for the same number of judged cases or so; $work/out
run()
{
    local runs=4000
    [ "$1" = climb ] && runs=400
    TRUELERP_FUZZ_MODE=$1 TRUELERP_FUZZ_GO_ON=1 "$build/fuzz_$2" -runs=$runs -seed=1 \
        >"$work/$1" 2>&1 || { tail -n 3 "$work/$1"; return 1; }
}

features()
{
    sed -nE 's/^#[0-9]+\s+DONE .* ft: ([0-9]+) .*/\1/p' "$work/$1"
}

share() # of the bound
{
    sed -nE 's/.*: largest error .*, ([0-9.e+-]+) of its bound/\1/p' "$work/$1"
}

less() # numbers
{
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

export TRUELERP_FUZZ_IMPL=$build/tests/acos_slerp.so
for mode in plain counters mutator climb; do
    check "mode $mode runs" run $mode slerp3
    # of an implementation from elsewhere, without counters, that it was run is all that is seen
    check "mode $mode has features" [ "$(features $mode)" -gt 0 ]
done
check "counters are features: $(features plain), $(features counters)" \
    [ "$(features counters)" -gt "$(($(features plain) + 5))" ]
check "the mutator finds more: $(features counters), $(features mutator)" \
    [ "$(features mutator)" -gt "$(features counters)" ]
check "plain $(share plain) < climb $(share climb)" less "$(share plain)" "$(share climb)"
check "climb finds half of all digits lost: $(share climb)" less 1e6 "$(share climb)"
check "every run judges a case" grep -qE '^slerp3: ([0-9]+) runs, \1 cases judged$' "$work/mutator"
judged=$(sed -nE 's/^slerp3: [0-9]+ runs, ([0-9]+) cases judged$/\1/p' "$work/climb")
check "climbing judges $judged cases in 400 runs" [ "${judged:-0}" -gt 4000 ]
unset TRUELERP_FUZZ_IMPL

for mode in nonsense climb; do
    code=0
    [ $mode = climb ] || code=2
    check_code "TRUELERP_FUZZ_MODE=$mode" $code env TRUELERP_FUZZ_MODE=$mode "$build/fuzz_lerp" -runs=10
done
check_code "an implementation that is not there" 2 \
    env TRUELERP_FUZZ_IMPL="$work/none.so" "$build/fuzz_lerp" -runs=10
check_code "an implementation without the function" 2 \
    env TRUELERP_FUZZ_IMPL="$build/tests/acos_slerp.so" "$build/fuzz_lerp" -runs=10
check "records that cannot be kept are an error" bash -c '! "$@" 2>/dev/null' bash \
    env TRUELERP_FUZZ_RECORDS="$work/none" "$build/fuzz_lerp" -runs=1000 -artifact_prefix="$work/"
check_code "a time limit" 0 timeout 60 env TRUELERP_FUZZ_SECONDS=1 "$build/fuzz_lerp"
finish
