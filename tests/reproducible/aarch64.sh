#!/usr/bin/env bash
# The same bits on aarch64 as on this machine.
#
#     aarch64.sh [BUILD_DIRECTORY]
#
# Exits with 0 if they agree, 1 if not, 77 if a cross compiler or emulator is missing.
source "$(dirname "$0")/common.sh"

require cmake gcc aarch64-linux-gnu-gcc qemu-aarch64-static
choose_work "$@"
count=200000

build_checksum "$work/native" gcc -O2
compare "native gcc -O2" "$work/native/checksum" "$count"
for flags in -O0 -O2 "-O2 -std=gnu17 -ffp-contract=fast"; do
    build_checksum "$work/aarch64" aarch64-linux-gnu-gcc "$flags" \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
    compare "aarch64 gcc $flags" qemu-aarch64-static "$work/aarch64/checksum" "$count"
done
finish 4
