#!/usr/bin/env bash
# The same bits from every compiler, optimisation level and instruction set.
#
#     run.sh [--quick] [BUILD_DIRECTORY]
#
# Exits with 0 if all runs agree, 1 if not, 77 if a compiler is missing.
source "$(dirname "$0")/common.sh"

levels="-O0 -O1 -O2 -O3"
count=200000
if [ "${1-}" = --quick ]; then
    levels="-O0 -O2"
    count=20000
    shift
fi
require cmake gcc clang
if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the table is one of x86-64 builds"
    exit 77
fi
choose_work "$@"

sets=baseline
if grep -q '\bavx2\b' /proc/cpuinfo && grep -q '\bfma\b' /proc/cpuinfo; then
    sets="baseline fma"
fi

# The last two ask for what the build files must not let through.
runs=0
for compiler in gcc clang; do
    for flags in $levels "-O2 -ffast-math" "-O2 -std=gnu17 -ffp-contract=fast"; do
        for machine in "" " -march=x86-64-v3"; do
            if [ -n "$machine" ] && [ "$sets" = baseline ]; then
                continue
            fi
            build_checksum "$work/build" "$compiler" "$flags$machine"
            for set in $sets; do
                compare "$compiler $flags$machine" "$work/build/checksum" "$count" "$set"
                runs=$((runs + 1))
            done
        done
    done
done
finish "$runs"
