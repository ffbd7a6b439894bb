# shellcheck shell=bash
# What the tests of the fuzz targets share. Their argument is the build directory.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0
checks=0

# DESCRIPTION COMMAND...: the command succeeds
check()
{
    local description=$1
    shift
    checks=$((checks + 1))
    if ! "$@"; then
        echo "NOT SO: $description"
        faults=$((faults + 1))
    fi
}

# DESCRIPTION CODE COMMAND...: exits with that code; its output goes to $work/out
check_code()
{
    local description=$1 wanted=$2 code=0
    shift 2
    "$@" >"$work/out" 2>&1 || code=$?
    check "$description: exit code $code, not $wanted" [ "$code" -eq "$wanted" ]
}

need_libfuzzer()
{
    [ -x "$build/fuzz_lerp" ] || { echo "skipped: no libFuzzer targets in this build"; exit 77; }
}

finish()
{
    echo "$checks checks, $faults faults"
    [ "$checks" -gt 0 ] && [ "$faults" -eq 0 ]
}
