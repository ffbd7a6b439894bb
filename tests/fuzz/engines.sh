#!/usr/bin/env bash
# Other engines: .clusterfuzzlite/build.sh with the variables that OSS-Fuzz sets, once with libFuzzer
# and once, where it is installed, with AFL++.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
command -v clang++ >/dev/null || { echo "skipped: no clang++"; exit 77; }
command -v zip >/dev/null || { echo "skipped: no zip"; exit 77; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mapfile -t functions < <(sed -nE 's/^FUNCTION\(([a-z0-9_]+)\)$/\1/p' "$source/oracle/catalog.def")
export JOBS=2

flags="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address,undefined"
mkdir -p "$work/libfuzzer" "$work/build"
code=0
env -u CXXFLAGS CC=clang CXX=clang++ OUT="$work/libfuzzer" WORK="$work/build" SRC="$work" \
    CFLAGS="$flags -fsanitize=fuzzer-no-link" CXXFLAGS="$flags -fsanitize=fuzzer-no-link" \
    LDFLAGS="$flags" LIB_FUZZING_ENGINE="-fsanitize=fuzzer" \
    bash "$source/.clusterfuzzlite/build.sh" >"$work/log" 2>&1 || code=$?
check "build.sh: exit code $code" [ "$code" -eq 0 ] || tail -n 20 "$work/log"
for name in "${functions[@]}" csv number json command_line; do
    check "fuzz_$name is there" [ -x "$work/libfuzzer/fuzz_$name" ]
    check "its seeds are" [ -s "$work/libfuzzer/fuzz_${name}_seed_corpus.zip" ]
    check "its options are" grep -q '^max_len = ' "$work/libfuzzer/fuzz_$name.options"
done
check "the oracle is not instrumented" \
    [ "$(find "$work/build/truelerp/oracle" -name '*.o' -exec nm {} + | grep -cE ' U __(asan|ubsan|sanitizer)_')" -eq 0 ]
for name in lerp slerp3 number command_line; do
    check_code "fuzz_$name runs" 0 "$work/libfuzzer/fuzz_$name" -runs=500 -seed=1
    check "and judges" grep -qE "^$name: [1-9][0-9]* runs, [1-9][0-9]* cases judged" "$work/out"
done
check "it needs no library that is not everywhere" \
    [ -z "$(ldd "$work/libfuzzer/fuzz_lerp" | grep -E 'mpfr|mpfi|gmp' || true)" ]

if ! command -v afl-clang-fast >/dev/null || ! command -v afl-fuzz >/dev/null; then
    echo "AFL++ is not installed: left out"
    finish
    exit
fi
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_QUIET=1
mkdir -p "$work/afl" "$work/afl_build" "$work/afl_out"
code=0
env CC=afl-clang-fast CXX=afl-clang-fast++ OUT="$work/afl" WORK="$work/afl_build" SRC="$work" \
    CFLAGS= CXXFLAGS= LIB_FUZZING_ENGINE="-fsanitize=fuzzer" \
    bash "$source/.clusterfuzzlite/build.sh" >"$work/log" 2>&1 || code=$?
check "build.sh with AFL++: exit code $code" [ "$code" -eq 0 ] || tail -n 20 "$work/log"
code=0
timeout 120 afl-fuzz -i "$build/seeds/lerp" -o "$work/afl_out" -V 5 -m none -- "$work/afl/fuzz_lerp" \
    >"$work/log" 2>&1 || code=$?
runs=$(sed -nE 's/^execs_done *: *([0-9]+)/\1/p' "$work/afl_out/default/fuzzer_stats" 2>/dev/null)
check "AFL++ ran ${runs:-no} cases (exit code $code)" [ "${runs:-0}" -gt 100 ]
finish
