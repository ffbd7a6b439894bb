#!/usr/bin/env bash
# Breaks the sources in every way that tests/broken/faults lists, one at a time and in a copy of the
# tree, and sees that the tests which are said to notice it do. A test that cannot fail is worth
# nothing; this is where each shows that it can.
#
# Prints a table. Exit code 0: all caught. 1: one was not, or does not apply or compile any more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
list=${1:-$here/faults}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
build=$work/build
cores=$(nproc 2>/dev/null || echo 2)
bad=0

mkdir "$tree"
cp -R "$root"/{CMakeLists.txt,impl,oracle,corpus,reports,fuzz,tests} "$tree"

# Reads the next fault into title, file, old, new and caught; its paragraph ends with an empty line.
next_fault()
{
    title='' file='' old='' new='' caught=''
    local line
    while IFS= read -r line; do
        case $line in
        '#'*) ;;
        'fault: '*) title=${line#fault: } ;;
        'file: '*) file=${line#file: } ;;
        'old: '*) old=${line#old: } ;;
        'new: '* | new:) new=${line#new:} new=${new# } ;;
        'caught: '*) caught=${line#caught: } ;;
        '') [ -z "$title" ] || break ;;
        *)
            echo "cannot read in $list: $line" >&2
            exit 1
            ;;
        esac
    done
    old=${old//'\n'/$'\n'}
    new=${new//'\n'/$'\n'}
    [ -n "$title" ]
}

# Replaces the only place where `old` stands in the file, or says why not.
break_file()
{
    local text once all
    text=$(<"$tree/$file")
    once=${text/"$old"/}
    all=${text//"$old"/}
    if [ -z "$old" ] || [ "$text" = "$once" ]; then
        echo "DOES NOT APPLY: \"$old\" is not in $file"
        return 1
    elif [ "$once" != "$all" ]; then
        echo "DOES NOT APPLY: \"$old\" is more than once in $file"
        return 1
    fi
    printf '%s\n' "${text/"$old"/"$new"}" >"$tree/$file"
    if cmp -s "$tree/$file" "$root/$file"; then
        echo "DOES NOT APPLY: nothing changed in $file"
        return 1
    fi
}

build_tests()
{
    local targets=() test
    for test in "$@"; do
        [ "$test" = layering ] || targets+=("test_$test")
    done
    [ ${#targets[@]} -eq 0 ] ||
        cmake --build "$build" --parallel "$cores" --target "${targets[@]}" >"$work/log" 2>&1
}

# Leaves each test's exit code in $work/TEST.code. A hang counts as a failure.
run_tests()
{
    local test
    for test in "$@"; do
        rm -f "$work/$test.code"
        if [ "$test" = layering ]; then
            (code=0; bash "$tree/tests/layering.sh" "$tree" >"$work/$test.log" 2>&1 || code=$?
                echo $code >"$work/$test.code") &
        else
            (code=0; timeout 120 "$build/tests/test_$test" >"$work/$test.log" 2>&1 || code=$?
                echo $code >"$work/$test.code") &
        fi
    done
    wait
}

# The faults' own tests, once each.
all_tests=$(sed -n 's/^caught: //p' "$list" | tr ' ' '\n' | sort -u)
[ -n "$all_tests" ] || { echo "$list names no tests" >&2; exit 1; }

if ! cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DCMAKE_C_FLAGS=-w >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
fi
# shellcheck disable=SC2086 # a list of words
if ! build_tests $all_tests; then
    tail -n 40 "$work/log" >&2
    echo "the unbroken tree does not build" >&2
    exit 1
fi
# shellcheck disable=SC2086
run_tests $all_tests
for test in $all_tests; do
    if [ "$(cat "$work/$test.code")" -ne 0 ]; then
        tail -n 40 "$work/$test.log" >&2
        echo "the unbroken tree fails $test" >&2
        exit 1
    fi
done
printf '%-62s %s\n' "nothing broken" "passes:" $all_tests | paste -sd ' '

count=0
while next_fault; do
    count=$((count + 1))
    if [ -z "$file" ] || [ -z "$caught" ]; then
        verdict="DOES NOT APPLY: no file or no test is named"
        bad=1
    elif ! verdict=$(break_file); then
        bad=1
    elif ! build_tests $caught; then
        verdict="DOES NOT COMPILE: $(grep -m 1 'error' "$work/log" || true)"
        bad=1
    else
        run_tests $caught
        noticed='' missed=''
        for test in $caught; do
            if [ "$(cat "$work/$test.code")" -ne 0 ]; then
                noticed="$noticed $test"
            else
                missed="$missed $test"
            fi
        done
        verdict="caught by$noticed"
        if [ -n "$missed" ]; then
            verdict="${noticed:+caught by$noticed, }NOT CAUGHT by$missed"
            bad=1
        fi
    fi
    printf '%-62s %s\n' "$title" "$verdict"
    [ -z "$file" ] || cp "$root/$file" "$tree/$file"
done <"$list"

echo "$count faults, $([ $bad -eq 0 ] && echo all caught || echo NOT all caught)"
[ $bad -eq 0 ] && [ $count -gt 0 ]
