#!/bin/bash -eu
# Builds all fuzz targets as OSS-Fuzz and ClusterFuzzLite ask for it: with $CC, $CXX, $CFLAGS and
# $LIB_FUZZING_ENGINE, into $OUT, each with its seeds, options and dictionary.
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -d "$source/fuzz" ] || source=$SRC/truelerp
build=${WORK:-$(mktemp -d)}/truelerp

# Targets run on machines without these libraries.
libraries=()
for name in gmp mpfr mpfi json-c; do
    archive=$($CC -print-file-name="lib$name.a")
    if [ -f "$archive" ]; then
        variable=$(tr 'a-z-' 'A-Z_' <<<"$name")
        libraries+=("-D${variable}_LIBRARY=$archive")
    fi
done
# The reports' page wants a script that no target ever shows; any text stands for it.
chart=/usr/share/javascript/chart.js/chart.min.js
[ -f "$chart" ] || chart=$source/.clusterfuzzlite/build.sh

cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTRUELERP_FUZZ=ON -DBUILD_TESTING=OFF \
    -DTRUELERP_CHART_JS="$chart" -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" "${libraries[@]}"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target fuzz_targets

for target in "$build"/fuzz_*; do
    name=${target##*/fuzz_}
    case $name in
    *_replay | *.* | empty | seeds | bare) continue ;;
    esac
    cp "$target" "$OUT/"
    (cd "$build/seeds/$name" && zip -q -r "$OUT/fuzz_${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/fuzz_$name.options"
    if [ -f "$source/fuzz/dictionaries/$name.dict" ]; then
        cp "$source/fuzz/dictionaries/$name.dict" "$OUT/fuzz_$name.dict"
        echo "dict = fuzz_$name.dict" >>"$OUT/fuzz_$name.options"
    fi
done
