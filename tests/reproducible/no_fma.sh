#!/usr/bin/env bash
# The same bits on an x86-64 processor without FMA, where libm's fma works in software; and there
# the library chooses its baseline kernels by itself and refuses the others.
#
#     no_fma.sh [BUILD_DIRECTORY]
#
# Exits with 0 if so, 1 if not, 77 if the emulator is missing.
source "$(dirname "$0")/common.sh"

require cmake gcc qemu-x86_64-static
if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the library has no other kernels here"
    exit 77
fi
choose_work "$@"
count=100000

build_checksum "$work/build" gcc -O2
compare "native" "$work/build/checksum" "$count"
compare "Nehalem, emulated" qemu-x86_64-static -cpu Nehalem "$work/build/checksum" "$count"
if [ "$chosen" != baseline ]; then
    echo "failed: the library chose $chosen kernels there"
    exit 1
fi
if qemu-x86_64-static -cpu Nehalem "$work/build/checksum" 1 fma 2>/dev/null; then
    echo "failed: the library agreed to run fma kernels there"
    exit 1
fi
finish 2
