# Builds the library with something changed in it, as shared objects. `here` is this directory.
# shellcheck shell=bash disable=SC2154

# Kernels for this machine's instruction set only: half the time, and the same bits.
compile=("${CC:-cc}" -std=gnu17 -O1 -fPIC -w -ffp-contract=off -fno-math-errno -fno-trapping-math)
if grep -qsw fma /proc/cpuinfo; then
    compile+=(-mfma)
fi
kernels=(-DTL_VARIANT=baseline -DTL_PUBLIC=1 -DTL_BUILD_SHARED -fvisibility=hidden)

# build_library WORK: sources in WORK/impl, WORK/objects, and WORK/right/truelerp.so of them.
build_library()
{
    local work=$1 file
    mkdir -p "$work/impl" "$work/objects" "$work/right"
    cp "$here"/../../impl/*.[ch] "$work/impl"
    sed -i 's/^#define TL_HAS_FMA_VARIANT 1$/#define TL_HAS_FMA_VARIANT 0/' "$work/impl/dispatch.h"
    for file in "$work"/impl/*.c; do
        "${compile[@]}" "${kernels[@]}" -c "$file" -o "$work/objects/$(basename "$file" .c).o" &
    done
    wait
    "${compile[@]}" -shared "$work"/objects/*.o -o "$work/right/truelerp.so" -lm
}

# build_patched WORK FILE DIRECTORY: DIRECTORY/truelerp.so with DIRECTORY/FILE in its place.
build_patched()
{
    local work=$1 name object objects=()
    name=$(basename "$2" .c)
    "${compile[@]}" "${kernels[@]}" -I"$work/impl" -c "$3/$2" -o "$3/$name.o"
    for object in "$work"/objects/*.o; do
        [ "$(basename "$object")" = "$name.o" ] || objects+=("$object")
    done
    "${compile[@]}" -shared "${objects[@]}" "$3/$name.o" -o "$3/truelerp.so" -lm
}

# build_wrapped WORK FUNCTION FILE FAULT DIRECTORY: DIRECTORY/truelerp.so with tl_FUNCTION of FILE,
# to which the library's own is true_FUNCTION.
build_wrapped()
{
    local work=$1 function=$2 object objects=() name others=()
    for name in $(nm --defined-only "$work"/objects/*.o | sed -n 's/.* T tl_//p'); do
        [ "$name" = "$function" ] || others+=("-Wl,--defsym,true_$name=tl_$name")
    done
    "${compile[@]}" -D_GNU_SOURCE -fvisibility=hidden "-DFAULT=$4" -c "$here/$3" \
        -o "$5/fault.o"
    for object in "$work"/objects/*.o; do
        if grep -q " T tl_$function\$" < <(nm --defined-only "$object"); then
            objcopy --redefine-sym "tl_$function=true_$function" "$object" "$5/true.o"
            object=$5/true.o
        fi
        objects+=("$object")
    done
    "${compile[@]}" -shared "${others[@]}" "${objects[@]}" "$5/fault.o" -o "$5/truelerp.so" -lm
}
