#!/usr/bin/env bash
# `truelerp bench oracle` on a short run: is its JSON what its schema says, are all functions there,
# does every plain check agree with the oracle, does it refuse wrong usage? Never what it measured.
set -euo pipefail
truelerp=$1
schema=$(dirname "${BASH_SOURCE[0]}")/../../reports/oracle_speed.schema.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "bench_oracle: $*" >&2
    exit 1
}

# expect CODE TEXT ARGUMENT...: the exit code, and a text on either output
expect()
{
    local code=$1 text=$2 got=0
    shift 2
    "$truelerp" bench oracle "$@" >"$work/out" 2>&1 || got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, not $code: $(cat "$work/out")"
    grep -qF -- "$text" "$work/out" || fail "$*: no '$text' in: $(cat "$work/out")"
}

quick=(--repetitions 3 --min-time 0.00001)
expect 0 'bench oracle [OPTION...] [FUNCTION...]' --help
expect 2 "'lurp'" "${quick[@]}" lerp lurp
expect 2 "'--fast'" --fast
expect 2 '--repetitions' --repetitions 0
expect 2 "'nan'" --min-time nan
expect 2 '--min-time' --min-time
expect 0 'x   plain' "${quick[@]}" lerp
[ "$(grep -c '^lerp ' "$work/out")" -eq 2 ] || fail "not two rows for lerp: $(cat "$work/out")"
! grep -q '^hermite' "$work/out" || fail "asked for lerp, got hermite: $(cat "$work/out")"
awk 'length > 80 { exit 1 }' "$work/out" || fail "wider than 80 columns: $(cat "$work/out")"

"$truelerp" bench oracle "${quick[@]}" --json >"$work/json" 2>"$work/errors" ||
    fail "--json: exit code $?: $(cat "$work/errors")"
[ ! -s "$work/errors" ] || fail "--json: said $(cat "$work/errors")"

# Prints, of every row, "FUNCTION,INPUTS,NODES,PLAIN", and checks that it has the schema's keys, no
# others, and numbers in them.
cat >"$work/read.cmake" <<'END'
file(READ "${WORK}/json" json)
file(READ "${SCHEMA}" schema)
function(keys_of result text)
    string(JSON count LENGTH "${text}" ${ARGN})
    math(EXPR last "${count} - 1")
    set(keys "")
    foreach(i RANGE ${last})
        string(JSON key MEMBER "${text}" ${ARGN} ${i})
        list(APPEND keys "${key}")
    endforeach()
    list(SORT keys)
    set(${result} "${keys}" PARENT_SCOPE)
endfunction()
function(number text what)
    if(NOT text MATCHES "^[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?$")
        message(FATAL_ERROR "${what} is no number: '${text}'")
    endif()
endfunction()
foreach(where "context" "")
    if(where STREQUAL "context")
        keys_of(wanted "${schema}" properties context properties)
        keys_of(got "${json}" context)
    else()
        keys_of(wanted "${schema}" properties)
        keys_of(got "${json}")
    endif()
    if(NOT wanted STREQUAL got)
        message(FATAL_ERROR "${where}: ${got}, not ${wanted}")
    endif()
endforeach()
string(JSON rounds GET "${json}" context rounds)
if(NOT rounds EQUAL 3)
    message(FATAL_ERROR "asked for 3 rounds, got ${rounds}")
endif()
keys_of(wanted "${schema}" properties rows items properties)
string(JSON count LENGTH "${json}" rows)
math(EXPR last "${count} - 1")
set(rows "")
foreach(i RANGE ${last})
    keys_of(got "${json}" rows ${i})
    if(NOT wanted STREQUAL got)
        message(FATAL_ERROR "row ${i}: ${got}, not ${wanted}")
    endif()
    foreach(key function inputs nodes cases settled)
        string(JSON ${key} GET "${json}" rows ${i} ${key})
    endforeach()
    number("${settled}" "settled")
    if(NOT cases GREATER 0)
        message(FATAL_ERROR "${function}, ${inputs}: no cases")
    endif()
    foreach(key filter ladder ladder_over_filter)
        foreach(part median spread)
            string(JSON text GET "${json}" rows ${i} ${key} ${part})
            number("${text}" "${function} ${key} ${part}")
        endforeach()
    endforeach()
    string(JSON type TYPE "${json}" rows ${i} plain)
    string(JSON ratio_type TYPE "${json}" rows ${i} plain_over_filter)
    if(NOT type STREQUAL ratio_type)
        message(FATAL_ERROR "${function}: plain is ${type}, its ratio ${ratio_type}")
    endif()
    string(APPEND rows "${function},${inputs},${nodes},${type}\n")
endforeach()
file(WRITE "${WORK}/rows" "${rows}")
END
cmake -DWORK="$work" -DSCHEMA="$schema" -P "$work/read.cmake" || fail "--json: see above"

functions=0
while read -r function; do
    functions=$((functions + 1))
    for inputs in typical hardest; do
        grep -q "^$function,$inputs,," "$work/rows" ||
            fail "no $inputs row of $function: $(cat "$work/rows")"
    done
done < <("$truelerp" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p')
[ "$functions" -ge 15 ] || fail "truelerp list names $functions functions"
for row in lerp,typical,,OBJECT lerp_cr,typical,,OBJECT hermite,typical,,OBJECT \
    bezier,typical,,OBJECT newton,typical,4,OBJECT newton,typical,16,OBJECT \
    slerp3,typical,,OBJECT slerp4,typical,,OBJECT; do
    grep -qx "$row" "$work/rows" || fail "no row $row: $(cat "$work/rows")"
done
