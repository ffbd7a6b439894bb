#!/usr/bin/env bash
# Does the gate see? Builds every faulty implementation that tests/planted/faults lists, each the
# library with one fault, has `truelerp gate` judge the faulty function, and prints which stage
# caught it, after how long, and why those before it could not.
#
# Exit code 0: every fault was caught, where the list says or by a stored case. 1: one was not.
# Usage: run.sh TRUELERP [LIST [PATTERN]], PATTERN being a glob of titles.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=build.bash
. "$here/build.bash"
truelerp=$(realpath "${1:?usage: run.sh TRUELERP [LIST [PATTERN]]}")
list=${2:-$here/faults}
pattern=${3:-*}
samples=20000 # of a function, unless the fault's `samples` says otherwise
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

titles=() functions=() wraps=() hows=() sources=() files=() olds=() news=()
all_samples=() stages=() whys=()

# One paragraph a fault; see the list itself.
read_list()
{
    local line field value i=-1
    while IFS= read -r line; do
        field=${line%%: *}
        value=${line#*: }
        case $field in
        '#'* | '') ;;
        fault)
            # shellcheck disable=SC2053 # a pattern
            [[ $value == $pattern ]] || value=
            i=$((i + 1))
            titles[i]=$value functions[i]='' wraps[i]='' hows[i]='' sources[i]=''
            files[i]='' olds[i]='' news[i]='' all_samples[i]=$samples stages[i]='' whys[i]=''
            ;;
        function) functions[i]=$value ;;
        how) hows[i]=$value ;;
        wraps) wraps[i]=$value ;;
        in) sources[i]=$value ;;
        file) files[i]=$value ;;
        old) olds[i]=${value//'\n'/$'\n'} ;;
        new) news[i]=${value//'\n'/$'\n'} ;;
        samples) all_samples[i]=$value ;;
        caught) stages[i]=$value ;;
        why) whys[i]=$value ;;
        *)
            echo "cannot read in $list: $line" >&2
            exit 1
            ;;
        esac
    done <"$list"
}

# patch_source DIRECTORY INDEX: a copy of the library's file with the only place where the old text
# stands replaced; prints why not.
patch_source()
{
    local file=${files[$2]} old=${olds[$2]} text once
    text=$(<"$work/impl/$file")
    once=${text/"$old"/}
    if [ -z "$old" ] || [ "$text" = "$once" ] || [ "$once" != "${text//"$old"/}" ]; then
        echo "\"$old\" is not once in impl/$file"
        return 1
    fi
    printf '%s\n' "${text/"$old"/"${news[$2]}"}" >"$1/${file}"
}

# build_fault DIRECTORY INDEX: makes truelerp.so there.
build_fault()
{
    local directory=$1 i=$2 wrapped source
    wrapped=${wraps[$i]:-${functions[$i]}}
    source=${sources[$i]:-$wrapped.c}
    if [ -n "${hows[$i]}" ]; then
        build_wrapped "$work" "$wrapped" "$source" "${hows[$i]}" "$directory"
    else
        patch_source "$directory" "$i" && build_patched "$work" "${files[$i]}" "$directory"
    fi >"$directory/log" 2>&1 && return 0
    echo "DOES NOT APPLY OR COMPILE: $(grep -m 1 -e error -e 'not once' "$directory/log")"
    return 1
}

# first_finding JSON: the time until the stage of the first finding that fails was over, that stage,
# and the finding's kind and domain.
first_finding()
{
    awk '
        { gsub(/^[ \t]*"|",?$/, "") }
        /^name": "/ { sub(/^name": "/, ""); name[++count] = $0 }
        /^seconds": / { sub(/^seconds": /, ""); seconds[name[count]] = $0 + 0 }
        /^stage": "/ { sub(/^stage": "/, ""); stage = $0 }
        /^domain": "/ { sub(/^domain": "/, ""); domain = $0 }
        /^kind": "/ { sub(/^kind": "/, ""); kind = $0 }
        /^exit_code": [13]/ && kind != "" && !found {
            found = 1; caught = stage; what = kind; where = domain
        }
        END {
            if (!found) exit 1
            for (i = 1; i <= count; i++) {
                total += seconds[name[i]]
                if (name[i] == caught) break
            }
            printf "%.1f\t%s\t%s\t%s\n", total, caught, what, where
        }' "$1"
}

# The name that the list has for a stage and a kind of finding.
stage_name()
{
    case $2 in
    environment) [ "$1" = threads ] && echo threads || echo environment ;;
    regression | improvement | change) echo baseline ;;
    *)
        case $1 in
        'stored cases') echo corpus ;;
        *) echo "$1" ;;
        esac
        ;;
    esac
}

# make_baseline FILE FUNCTION SAMPLES: that of the right library; whichever lane comes first.
make_baseline()
{
    (
        flock 9
        [ -s "$1" ] || "$truelerp" gate "$2" --impl "$work/right/truelerp.so" --update \
            --baseline "$1" --samples "$3" --no-instructions --jobs 1 >"$1.log" 2>&1
    ) 9>"$1.lock"
}

# gate_fault DIRECTORY INDEX: 0 if it was caught where it should be; prints the verdict.
gate_fault()
{
    local directory=$1 i=$2 code=0 seconds stage kind domain how=(--contract-only)
    if [ "${stages[$i]}" = baseline ]; then
        how=(--baseline "$work/${functions[$i]}.json")
        make_baseline "${how[1]}" "${functions[$i]}" "${all_samples[$i]}" ||
            { echo "no baseline: $(tail -n 1 "${how[1]}.log")"; return 1; }
    fi
    timeout 120 "$truelerp" gate "${functions[$i]}" --impl "$directory/truelerp.so" "${how[@]}" \
        --samples "${all_samples[$i]}" --no-instructions --jobs 1 --timeout 1 \
        --json "$directory/gate.json" >"$directory/log" 2>&1 || code=$?
    if [ "$code" -ne 1 ] || ! first_finding "$directory/gate.json" >"$directory/found"; then
        echo "NOT CAUGHT (exit code $code, $(tail -n 1 "$directory/log"))"
        return 1
    fi
    IFS=$'\t' read -r seconds stage kind domain <"$directory/found"
    stage=$(stage_name "$stage" "$kind")
    printf '%-12s%6s s  %s in %s\n' "$stage" "$seconds" "$kind" "$domain"
    if [ "$stage" = corpus ] && [ "${stages[$i]}" != corpus ]; then
        echo "    (the list has: ${stages[$i]}; a stored case shows it by now)" # corpus/ grows
    elif [ "$stage" != "${stages[$i]}" ]; then
        echo "    NOT WHERE IT SHOULD BE: ${stages[$i]}"
        return 1
    fi
}

# run_lane NUMBER: every second fault (or third ...) of the list.
run_lane()
{
    local i directory
    for ((i = $1; i < ${#titles[@]}; i += lanes)); do
        [ -n "${titles[$i]}" ] || continue
        directory=$work/fault$i
        mkdir "$directory"
        { build_fault "$directory" "$i" && gate_fault "$directory" "$i" &&
            touch "$work/caught.$i"; } >"$work/verdict.$i" || true
    done
}

read_list
lanes=$(nproc 2>/dev/null || echo 2)
[ "$lanes" -le 8 ] || lanes=8
build_library "$work"
for ((number = 0; number < lanes; number++)); do
    run_lane $number &
done
wait

tried=0 caught=0
for i in "${!titles[@]}"; do
    [ -n "${titles[$i]}" ] || continue
    tried=$((tried + 1))
    printf '%-22s%s\n' "${functions[$i]}" "${titles[$i]}"
    sed 's/^/    /' "$work/verdict.$i"
    [ -z "${whys[$i]}" ] || printf '    not before: %s\n' "${whys[$i]}"
    [ ! -f "$work/caught.$i" ] || caught=$((caught + 1))
done
echo "$caught of $tried faults caught, in $SECONDS s"
[ "$tried" -gt 0 ] && [ "$caught" -eq "$tried" ]
