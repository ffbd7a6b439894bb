# Sourced by the scripts next to it: building the library by itself, and checksums of it.
set -eu
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

# Leaves with 77, "cannot be tested here", unless all named programs exist.
require() {
    local program
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            echo "skipped: there is no $program here"
            exit 77
        fi
    done
}

# A directory for everything that is built: the given one, or one that goes when the script does.
choose_work() {
    if [ $# -gt 0 ]; then
        mkdir -p "$1"
        work=$(cd "$1" && pwd)
    else
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
    fi
}

# Runs a command that should succeed; shows what it printed only if it does not.
quietly() {
    local log
    if ! log=$("$@" 2>&1); then
        printf '%s\n' "failed: $*" "$log"
        exit 1
    fi
}

# build_checksum DIRECTORY COMPILER FLAGS [CMAKE ARGUMENT...]: builds the library with these flags,
# through its own build files, and DIRECTORY/checksum, which is compiled the same way for all.
build_checksum() {
    local directory=$1 compiler=$2 flags=$3
    shift 3
    rm -rf "$directory"
    quietly cmake -S "$root/impl" -B "$directory" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" "$@"
    quietly cmake --build "$directory"
    quietly "$compiler" -std=c17 -O1 -ffp-contract=off -I"$root/impl" -static \
        "$here/checksum.c" "$directory/libtruelerp.a" -lm -o "$directory/checksum"
}

# Compares runs, one call each: compare LABEL COMMAND... . The first run says what is right.
chosen=
compared=0
differing=0
expected=
compare() {
    local label=$1 output sum
    shift
    if ! output=$("$@"); then
        echo "failed: $*"
        exit 1
    fi
    chosen=${output%%$'\n'*}
    sum=${output##*$'\n'}
    output=${output#*$'\n'}
    if ! [[ $sum =~ ^[0-9a-f]{16}\ all$ ]]; then
        echo "failed: $* printed no checksum"
        exit 1
    fi
    expected=${expected:-$output}
    if [ "$output" = "$expected" ]; then
        printf '%-44s %-9s %s\n' "$label" "$chosen" "${sum% all}"
    else
        printf '%-44s %-9s %s  DIFFERS\n' "$label" "$chosen" "${sum% all}"
        diff <(echo "$expected") <(echo "$output") || true
        differing=$((differing + 1))
    fi
    compared=$((compared + 1))
}

# Ends the script: finish COUNT, if COUNT runs were to be compared.
finish() {
    if [ "$compared" -ne "$1" ]; then
        echo "compared $compared runs instead of $1"
        exit 1
    fi
    echo "$compared runs, $differing differ"
    [ "$differing" -eq 0 ]
}
