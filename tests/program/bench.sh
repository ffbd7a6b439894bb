#!/usr/bin/env bash
# `truelerp bench` on a short run: is its JSON well formed, are all rows there, does it refuse wrong
# usage? Never what it measured.
set -euo pipefail
truelerp=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "bench: $*" >&2
    exit 1
}

# expect CODE TEXT ARGUMENT...: the exit code, and a text on either output
expect()
{
    local code=$1 text=$2 got=0
    shift 2
    "$truelerp" bench "$@" >"$work/out" 2>&1 || got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, not $code: $(cat "$work/out")"
    grep -qF -- "$text" "$work/out" || fail "$*: no '$text' in: $(cat "$work/out")"
}

if [ ! -e "$(dirname "$truelerp")/truelerp-bench" ]; then
    expect 2 truelerp-bench
    echo "bench: truelerp-bench is not built here"
    exit 0
fi

quick=(--repetitions 3 --min-time 0.0001)
expect 0 'Usage: truelerp bench' --help
expect 2 "'lurp'" "${quick[@]}" lerp lurp
expect 2 "'--fast'" --fast
expect 2 "'0'" --repetitions 0
expect 2 "'2.5'" --repetitions 2.5
expect 2 "'nan'" --min-time nan
expect 2 '--min-time' --min-time
for arguments in --help "${quick[*]} lerp" "${quick[*]} lerp --json"; do
    got=0
    # shellcheck disable=SC2086
    "$truelerp" bench $arguments >/dev/full 2>"$work/out" || got=$?
    [ "$got" -eq 2 ] || fail "$arguments on a full disk: exit code $got"
    grep -q 'standard output cannot be written: No space left' "$work/out" ||
        fail "$arguments on a full disk: $(cat "$work/out")"
done
expect 0 'Throughput' "${quick[@]}" lerp
[ "$(grep -c '^lerp ' "$work/out")" -ge 2 ] || fail "no rows for lerp: $(cat "$work/out")"
! grep -q '^hermite' "$work/out" || fail "asked for lerp, got hermite: $(cat "$work/out")"
# the sign between a figure and its spread takes two bytes
sed 's/±/+/g' "$work/out" | LC_ALL=C awk 'length > 80 { exit 1 }' ||
    fail "wider than 80 columns: $(cat "$work/out")"

"$truelerp" bench "${quick[@]}" --json >"$work/json" 2>"$work/errors" ||
    fail "--json: exit code $?: $(cat "$work/errors")"
[ ! -s "$work/errors" ] || fail "--json: said $(cat "$work/errors")"
! grep -qE '/(home|root|tmp|usr|work)/' "$work/json" || fail "--json: names a path of this machine"
"$truelerp" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p' >"$work/functions"

# Prints, of every row, "FUNCTION MEASURE INPUTS" and whether its figures are numbers.
cat >"$work/read.cmake" <<'END'
file(READ "${WORK}/json" json)
function(number text what)
    if(NOT text MATCHES "^[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?$")
        message(FATAL_ERROR "${what} is no number: '${text}'")
    endif()
endfunction()
function(figure)
    foreach(part median spread)
        string(JSON text GET "${json}" ${ARGV} ${part})
        number("${text}" "${ARGV} ${part}")
    endforeach()
endfunction()
foreach(key version instruction_set compiler build_type processor pinned)
    string(JSON text GET "${json}" context ${key})
    if(text STREQUAL "")
        message(FATAL_ERROR "context: ${key} is empty")
    endif()
endforeach()
string(JSON rounds GET "${json}" context rounds)
if(NOT rounds EQUAL 3)
    message(FATAL_ERROR "asked for 3 rounds, got ${rounds}")
endif()
string(JSON count LENGTH "${json}" rows)
math(EXPR last "${count} - 1")
set(rows "")
foreach(i RANGE ${last})
    foreach(key function measure inputs)
        string(JSON ${key} GET "${json}" rows ${i} ${key})
    endforeach()
    figure(rows ${i} nanoseconds)
    set(peer "")
    string(JSON peer ERROR_VARIABLE no_peer GET "${json}" rows ${i} peer)
    if(no_peer STREQUAL "NOTFOUND")
        string(JSON status GET "${json}" rows ${i} peer_status)
        if(status STREQUAL "measured")
            figure(rows ${i} peer_nanoseconds)
            figure(rows ${i} ratio)
        elseif(NOT status MATCHES "^(not installed|needs AVX2 and FMA)$")
            message(FATAL_ERROR "${function}, peer ${peer}: ${status}")
        endif()
    else()
        set(peer none)
    endif()
    string(JSON goal ERROR_VARIABLE no_goal GET "${json}" rows ${i} goal)
    if(NOT no_goal STREQUAL "NOTFOUND")
        set(goal none)
    endif()
    string(APPEND rows "${function},${measure},${inputs},${peer},${goal}\n")
endforeach()
string(JSON count LENGTH "${json}" without_benchmark)
if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
        string(JSON function GET "${json}" without_benchmark ${i})
        string(APPEND rows "${function},without\n")
    endforeach()
endif()
file(WRITE "${WORK}/rows" "${rows}")
END
cmake -DWORK="$work" -P "$work/read.cmake" || fail "--json: see above"

# Every function of the catalogue has its rows, or is said to have none.
functions=0
while read -r function; do
    functions=$((functions + 1))
    grep -qxF "$function,without" "$work/rows" ||
        grep -q "^$function,throughput,everyday," "$work/rows" ||
        fail "no row for $function: $(cat "$work/rows")"
done <"$work/functions"
[ "$functions" -ge 6 ] || fail "truelerp list names $functions functions"
# (cmake reads 0.95 as 0.94999999999999996)
for row in lerp,throughput,everyday,naive,1.5 lerp_cr,throughput,everyday,naive,6 \
    hermite,throughput,everyday,expanded,0.9 slerp3,throughput,everyday,GLM,0.9[45] \
    hermite_coefficients,throughput,everyday,expanded,none \
    'bezier,throughput,everyday,closed form,0.\(7\|69999\)' \
    'bezier_parameter,throughput,everyday,closed form,none' \
    'cubic_roots,throughput,everyday,closed form,2.5' \
    slerp3_unclamped,throughput,everyday,GLM,none newton,throughput,everyday,GSL,1 \
    slerp4,throughput,everyday,Eigen,1 angle3,throughput,everyday,acos,2.5 \
    'curve,throughput,everyday,GSL spline,0.5' 'curve,throughput,everyday,GSL sorted,0.4'; do
    grep -q "^$row" "$work/rows" || fail "no row $row: $(cat "$work/rows")"
done
for function in lerp lerp_cr hermite bezier bezier_parameter cubic_roots slerp3 \
    slerp3_unclamped; do
    grep "^$function,latency,everyday," "$work/rows" | grep -qv ',none,none$' ||
        fail "no latency of $function beside a peer's"
done
for function in lerp lerp_cr hermite hermite_coefficients bezier bezier_parameter cubic_roots \
    slerp3 slerp3_unclamped; do
    grep -q "^$function,throughput,whole range,everyday," "$work/rows" ||
        fail "no row over the whole range of $function"
done
