# shellcheck shell=bash
# Sourced by the tests of the program truelerp, whose path is their first argument.
set -euo pipefail
truelerp=$(realpath "$1")
name=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PATH=$(dirname "$truelerp"):$PATH
# a preloaded library may come before the sanitizer's own
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0

fail()
{
    echo "$name: $*" >&2
    exit 1
}

# run CODE ARGUMENT...: truelerp with these arguments must end with this exit code; leaves its
# output in `out` and `err`
run()
{
    local code=$1 got=0
    shift
    "$truelerp" "$@" >out 2>err || got=$?
    [ "$got" -eq "$code" ] || fail "truelerp $*: exit code $got, not $code: $(head -c 2000 out err)"
}

# says FILE TEXT...: each text stands in the file
says()
{
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" || fail "no '$text' in $file: $(head -c 2000 "$file")"
    done
}

# silent FILE...: these are empty
silent()
{
    local file
    for file in "$@"; do
        [ ! -s "$file" ] || fail "$file should be empty: $(head -c 2000 "$file")"
    done
}

# same WHAT EXPECTED: standard input is exactly this
same()
{
    local got
    got=$(cat)
    [ "$got" = "$2" ] || fail "$1: '$got' instead of '$2'"
}

# column FILE NAME: the values of a CSV column, without regard to quotes
column()
{
    awk -F, -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1; next }
        { print $at }' "$1" || fail "no column $2 in $1: $(head -n 1 "$1")"
}

# shared NAME: a shared object from C on standard input, as NAME.so
shared()
{
    cat >"$1.c"
    "${CC:-cc}" -shared -fPIC -O1 -ffp-contract=off -o "$1.so" "$1.c" -lm
}
