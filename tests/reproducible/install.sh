#!/usr/bin/env bash
# The library by itself: it builds and installs without the rest of the tree, static and shared,
# exports the header's functions and nothing else, and programs find it through CMake and through
# pkg-config, also after the installed tree was moved.
#
#     install.sh [BUILD_DIRECTORY]
#
# Exits with 0 if so, 1 if not, 77 if a tool is missing.
source "$(dirname "$0")/common.sh"

require cmake gcc g++ nm pkg-config
choose_work "$@"

fail() {
    echo "failed: $*"
    exit 1
}

version=$(sed -n 's/^#define TL_VERSION_[A-Z]* //p' "$root/impl/truelerp.h" | paste -sd.)

# A program in each language. The cubic from 0 to 1, flat at both ends, is 7/27 at a third.
mkdir -p "$work/consumer"
cat >"$work/consumer/consumer.c" <<'PROGRAM'
#include <truelerp.h>

#include <stdio.h>

int main(void)
{
    tl_key from = {0, 0, 0, 0, 0, 0, TL_WEIGHTED_NONE};
    tl_key to = {1, 1, 0, 0, 0, 0, TL_WEIGHTED_NONE};
    double value = tl_hermite(&from, &to, 1 / 3.0);
    printf("%s %s %.6f\n", tl_version(), tl_instruction_set(), value);
    return !(value > 0.259259 && value < 0.25926);
}
PROGRAM
cp "$work/consumer/consumer.c" "$work/consumer/consumer_cxx.cpp"
cat >"$work/consumer/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES C CXX)
find_package(truelerp ${WANTED} REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE truelerp::truelerp)
add_executable(consumer_cxx consumer_cxx.cpp)
target_link_libraries(consumer_cxx PRIVATE truelerp::truelerp)
PROJECT

# The functions that the header declares, and those that a library file has.
declared() {
    grep -v '^ \*' "$root/impl/truelerp.h" | grep -o '\btl_[a-z0-9_]* *(' | tr -d ' (' | sort -u
}
exported() {
    nm -D --defined-only "$1" | awk '{ print $3 }' | sort
}

run() {
    local output
    output=$("$1") || fail "$(basename "$1") printed '$output'"
    [[ $output == "$version "* ]] || fail "$(basename "$1") has another version: $output"
    echo "    $(basename "$1"): $output"
}

# check_consumers PREFIX: builds and runs them against what is installed there.
check_consumers() {
    local prefix=$1 library build="$work/build-consumer"
    library=$(dirname "$(find "$prefix" -name 'libtruelerp.*' | head -n 1)")
    rm -rf "$build"
    quietly cmake -S "$work/consumer" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" \
        -DWANTED="${version%.*}"
    grep -q "^truelerp_DIR:PATH=$prefix/" "$build/CMakeCache.txt" ||
        fail "find_package found another truelerp"
    quietly cmake --build "$build"
    run "$build/consumer"
    run "$build/consumer_cxx"

    local flags
    export PKG_CONFIG_PATH=$library/pkgconfig
    [ "$(pkg-config --modversion truelerp)" = "$version" ] || fail "pkg-config tells another version"
    flags=$(pkg-config --cflags --libs truelerp)
    [[ $flags == *$prefix* ]] || fail "pkg-config points elsewhere: $flags"
    # shellcheck disable=SC2086
    quietly gcc "$work/consumer/consumer.c" $flags -o "$build/by_pkg_config"
    LD_LIBRARY_PATH=$library run "$build/by_pkg_config"
    # shellcheck disable=SC2086
    quietly gcc "$root/impl/example/pose.c" $flags -o "$build/pose"
    LD_LIBRARY_PATH=$library "$build/pose" | diff "$root/impl/example/pose.txt" - ||
        fail "the example prints something else"
}

for source in impl .; do
    for shared in OFF ON; do
        echo "from ${source/#./the top}, shared $shared"
        build=$work/build prefix=$work/prefix moved=$work/moved
        rm -rf "$build" "$prefix" "$moved"
        quietly cmake -S "$root/$source" -B "$build" -DTRUELERP_HARNESS=OFF \
            -DBUILD_SHARED_LIBS=$shared -DCMAKE_INSTALL_PREFIX="$prefix"
        quietly cmake --build "$build"
        [ ! -e "$build/oracle" ] || fail "this built more than the library"
        quietly cmake --install "$build"
        if [ $shared = ON ]; then
            object=$(find "$prefix" -name libtruelerp.so)
            diff <(declared) <(exported "$object") || fail "exports and header differ"
        fi
        check_consumers "$prefix"
        mv "$prefix" "$moved"
        check_consumers "$moved"
    done
done
echo "installs, and is found"
