#!/usr/bin/env bash
# Breaks the sources in every way that tests/broken/faults lists, one at a time and in a copy of the
# tree, and sees that the tests which are said to notice it do. A test that cannot fail is worth
# nothing; this is where each shows that it can.
#
# A test is a suite, tests/test_NAME.c; program_NAME, tests/program/NAME.sh; layering; or selftest,
# the second oracle's word on two thousand samples of each function.
#
# Prints a table, with the time until a test fails. Exit code 0: all caught. 1: one was not, or does
# not apply or compile any more, or the unbroken tree fails. With --check, only looks whether all
# faults of all lists, or of LIST, apply. Usage: run.sh [--check] [LIST]
set -euo pipefail
check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
list=${1:-$here/faults}
samples=2000
limit=600 # seconds for a test
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

titles=() files=() olds=() news=() catchers=()

# One paragraph a fault; see the list itself.
read_list()
{
    local line field value count=0
    while IFS= read -r line; do
        field=${line%%: *}
        value=${line#*: }
        case $field in
        '#'* | '') ;;
        fault)
            count=${#titles[@]}
            titles+=("$value") files+=('') olds+=('') news+=('') catchers+=('')
            ;;
        file) files[count]=$value ;;
        old) olds[count]=${value//'\n'/$'\n'} ;;
        new) news[count]=${value//'\n'/$'\n'} ;;
        caught) catchers[count]=$value ;;
        *)
            echo "cannot read in $list: $line" >&2
            exit 1
            ;;
        esac
    done <"$list"
}

# break_file TREE INDEX: replaces the only place where the old text stands, or says why not.
break_file()
{
    local file=${files[$2]} old=${olds[$2]} new=${news[$2]} text once all
    if [ -z "$file" ] || [ -z "$old" ] || [ -z "${catchers[$2]}" ] || [ ! -f "$1/$file" ]; then
        echo "DOES NOT APPLY: file, old text or tests are missing"
        return 1
    fi
    text=$(<"$1/$file")
    once=${text/"$old"/}
    all=${text//"$old"/}
    if [ "$text" = "$once" ]; then
        echo "DOES NOT APPLY: \"$old\" is not in $file"
        return 1
    elif [ "$once" != "$all" ]; then
        echo "DOES NOT APPLY: \"$old\" is more than once in $file"
        return 1
    fi
    printf '%s\n' "${text/"$old"/"$new"}" >"$1/$file"
    if cmp -s "$1/$file" "$root/$file"; then
        echo "DOES NOT APPLY: nothing changed in $file"
        return 1
    fi
}

# build_tests LANE TEST...
build_tests()
{
    local lane=$1 targets=() test
    shift
    for test in "$@"; do
        case $test in
        layering) ;;
        program_bench | program_lies)
            targets+=(truelerp_program)
            ! cmake --build "$lane/build" --target help | grep truelerp_bench >/dev/null ||
                targets+=(truelerp_bench)
            ;;
        selftest | program_*) targets+=(truelerp_program) ;;
        *) targets+=("test_$test") ;;
        esac
    done
    [ ${#targets[@]} -eq 0 ] ||
        cmake --build "$lane/build" --target "${targets[@]}" >"$lane/log" 2>&1
}

# run_test LANE TEST: a hang is a failure like another.
run_test()
{
    case $2 in
    layering) timeout $limit bash "$1/tree/tests/layering.sh" "$1/tree" >"$1/$2.log" 2>&1 ;;
    selftest) # a few first: most faults show there
        local few
        for few in 150 $samples; do
            timeout $limit "$1/build/truelerp" selftest --samples $few --jobs 1 >"$1/$2.log" 2>&1 ||
                return 1
        done
        ;;
    program_*)
        timeout $limit bash "$1/tree/tests/program/${2#program_}.sh" "$1/build/truelerp" \
            >"$1/$2.log" 2>&1
        ;;
    *) (cd "$1/build/tests" && timeout $limit "./test_$2" >"$1/$2.log" 2>&1) ;;
    esac
}

# try_fault LANE INDEX: prints the verdict; fails unless every test that should notice does.
try_fault()
{
    local lane=$1 i=$2 test noticed='' missed='' tests started
    break_file "$lane/tree" "$i" || return 1
    read -ra tests <<<"${catchers[$i]}"
    if ! build_tests "$lane" "${tests[@]}"; then
        echo "DOES NOT COMPILE: $(grep -m 1 'error' "$lane/log" || tail -n 1 "$lane/log")"
        return 1
    fi
    for test in "${tests[@]}"; do
        started=${EPOCHREALTIME/[.,]/}
        if run_test "$lane" "$test"; then
            missed="$missed $test"
        else
            noticed="$noticed $test ($(((${EPOCHREALTIME/[.,]/} - started + 50000) / 100000))"
            noticed="${noticed%?}.${noticed: -1} s)"
        fi
    done
    if [ -n "$missed" ]; then
        echo "${noticed:+caught by$noticed, }NOT CAUGHT by$missed"
        return 1
    fi
    echo "caught by$noticed"
}

# run_lane NUMBER: its own copy of the tree, and every second fault (or third ...) of the list.
run_lane()
{
    local number=$1 lane=$work/lane$1 i verdict test all
    mkdir -p "$lane/tree"
    cp -R "$root"/{CMakeLists.txt,impl,oracle,corpus,reports,fuzz,tests} "$lane/tree"
    read -ra all <<<"$(printf '%s\n' "${catchers[@]}" | tr ' ' '\n' | sort -u | tr '\n' ' ')"
    if ! cmake "${generator[@]}" -S "$lane/tree" -B "$lane/build" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_C_FLAGS=-w >"$lane/log" 2>&1 ||
        ! build_tests "$lane" "${all[@]}"; then
        tail -n 40 "$lane/log" >&2
        echo "the unbroken tree does not build" >&2
        return 1
    fi
    for test in "${all[@]}"; do
        if [ "$number" -eq 0 ] && ! run_test "$lane" "$test"; then
            tail -n 40 "$lane/$test.log" >&2
            echo "the unbroken tree fails $test" >&2
            touch "$work/stop"
            return 1
        fi
    done
    for ((i = number; i < ${#titles[@]}; i += lanes)); do
        [ ! -f "$work/stop" ] || return 1
        if verdict=$(try_fault "$lane" "$i"); then
            touch "$work/caught.$i"
        fi
        printf '%s\n' "$verdict" >"$work/verdict.$i"
        cp "$root/${files[$i]}" "$lane/tree/${files[$i]}"
    done
    touch "$work/finished.$number"
}

# check_list: every old text stands exactly once in its file, and every test is there.
check_list()
{
    local i test why tests good=0
    mkdir -p "$work/tree"
    cp -R "$root"/{impl,oracle,corpus,reports,fuzz,tests} "$work/tree"
    for i in "${!titles[@]}"; do
        if ! why=$(break_file "$work/tree" "$i"); then
            echo "$list: ${titles[$i]}: $why"
            continue
        fi
        cp "$root/${files[$i]}" "$work/tree/${files[$i]}"
        read -ra tests <<<"${catchers[$i]}"
        for test in "${tests[@]}"; do
            case $test in
            layering | selftest) continue ;;
            program_*) [ -f "$root/tests/program/${test#program_}.sh" ] && continue ;;
            *) [ -f "$root/tests/test_$test.c" ] && continue ;;
            esac
            echo "$list: ${titles[$i]}: there is no test $test"
            continue 2
        done
        good=$((good + 1))
    done
    echo "$good of ${#titles[@]} faults apply: $list"
    [ $good -eq ${#titles[@]} ] && [ $good -gt 0 ]
}

if [ -n "$check" ]; then
    failed=0
    [ $# -gt 0 ] && lists=("$list") || lists=("$here"/*faults)
    for list in "${lists[@]}"; do
        titles=() files=() olds=() news=() catchers=()
        read_list
        check_list || failed=1
    done
    exit $failed
fi
read_list
generator=()
if command -v ninja >/dev/null; then
    generator=(-G Ninja) # sees sooner that only one file has changed
fi
lanes=$(nproc 2>/dev/null || echo 2)
[ "$lanes" -le 4 ] || lanes=4
for ((number = 0; number < lanes; number++)); do
    run_lane $number &
done
wait

if [ -f "$work/finished.0" ]; then
    printf '%-62s %s\n' "nothing broken" "all tests pass"
fi
caught=0
for i in "${!titles[@]}"; do
    verdict="not tried"
    [ ! -f "$work/verdict.$i" ] || verdict=$(<"$work/verdict.$i")
    printf '%-62s %s\n' "${titles[$i]}" "$verdict"
    [ ! -f "$work/caught.$i" ] || caught=$((caught + 1))
done
finished=$(find "$work" -maxdepth 1 -name 'finished.*' | wc -l)
echo "$caught of ${#titles[@]} faults caught"
[ "$finished" -eq "$lanes" ] && [ "$caught" -eq ${#titles[@]} ] && [ "$caught" -gt 0 ]
