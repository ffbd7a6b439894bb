#!/usr/bin/env bash
# `truelerp bench oracle` on a short run: is its JSON what its schema says, is every function there on
# typical, hardest and costliest inputs, and measured in every way on each, does every plain check
# agree with the oracle, are the domains those that are said, does it refuse wrong usage? Never what
# it measured.
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
expect 0 'x  plain' "${quick[@]}" lerp
# rows LABEL...: what the rows of the table begin with
rows()
{
    local got
    got=$(sed -n 's/^  \(typical\|hardest\|costliest\) .*/\1/p' "$work/out" | tr '\n' ' ')
    [ "$got" = "$* " ] || fail "rows $got, not $*: $(cat "$work/out")"
}
rows typical hardest costliest
[ "$(grep -c '^lerp$' "$work/out")" -eq 1 ] || fail "not one lerp: $(cat "$work/out")"
! grep -q '^hermite' "$work/out" || fail "asked for lerp, got hermite: $(cat "$work/out")"
awk 'length > 80 { exit 1 }' "$work/out" || fail "wider than 80 columns: $(cat "$work/out")"

"$truelerp" bench oracle "${quick[@]}" --json >"$work/json" 2>"$work/errors" ||
    fail "--json: exit code $?: $(cat "$work/errors")"
[ ! -s "$work/errors" ] || fail "--json: said $(cat "$work/errors")"

# Writes, of every row, "FUNCTION,INPUTS,NODES,DOMAIN,AGREEMENT,GOAL", and checks that it has the
# schema's keys, no others, and numbers in them.
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
    foreach(key function inputs nodes domain cases settled plain_agreement goal)
        string(JSON ${key} GET "${json}" rows ${i} ${key})
    endforeach()
    number("${settled}" "settled")
    number("${plain_agreement}" "${function} plain_agreement")
    if(NOT cases GREATER 0)
        message(FATAL_ERROR "${function}, ${inputs}: no cases")
    endif()
    foreach(key filter ladder ladder_over_filter plain plain_over_filter)
        foreach(part median spread)
            string(JSON text GET "${json}" rows ${i} ${key} ${part})
            number("${text}" "${function} ${key} ${part}")
        endforeach()
    endforeach()
    string(APPEND rows
        "${function},${inputs},${nodes},${domain},${plain_agreement},${goal}\n")
endforeach()
file(WRITE "${WORK}/rows" "${rows}")
END
cmake -DWORK="$work" -DSCHEMA="$schema" -P "$work/read.cmake" || fail "--json: see above"

"$truelerp" list --json >"$work/list"

# domain FUNCTION KIND: the one that is marked so
domain()
{
    cmake -DLIST="$work/list" -DFUNCTION="$1" -DKIND="$2" -P "$work/domain.cmake" 2>&1
}
cat >"$work/domain.cmake" <<'END'
file(READ "${LIST}" list)
string(JSON count LENGTH "${list}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
    string(JSON name GET "${list}" ${i} name)
    if(name STREQUAL FUNCTION)
        string(JSON domains LENGTH "${list}" ${i} domains)
        math(EXPR last_domain "${domains} - 1")
        foreach(d RANGE ${last_domain})
            string(JSON is GET "${list}" ${i} domains ${d} ${KIND})
            if(is)
                string(JSON domain GET "${list}" ${i} domains ${d} name)
                message("${domain}")
            endif()
        endforeach()
    endif()
endforeach()
END

functions=0
while read -r function; do
    functions=$((functions + 1))
    hardest=$(domain "$function" hardest)
    [ -n "$hardest" ] || fail "list: $function has no hardest domain"
    for row in typical,,typical, "hardest,,$hardest," costliest,,; do
        grep -q "^$function,$row" "$work/rows" || fail "no row $function,$row: $(cat "$work/rows")"
    done
    # at least the domain that is hard by itself is measured against the ladder, none without aim
    grep -q "^$function,hardest,,$hardest,[^,]*,3.0$" "$work/rows" ||
        fail "$function: no goal on $hardest: $(cat "$work/rows")"
    grep -q "^$function,costliest,,[^,]*,[^,]*,$" "$work/rows" ||
        fail "$function: a goal on the costliest domain: $(cat "$work/rows")"
done < <("$truelerp" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p')
[ "$functions" -ge 15 ] || fail "truelerp list names $functions functions"

# Everyday inputs need no more than 256 bits: the plain check tells what the oracle does.
awk -F, '$2 == "typical" && !($5 >= 0.9) { print; bad = 1 } END { exit bad }' "$work/rows" ||
    fail "plain checks of another function, see above"
for goal in lerp,,10 hermite,,20 bezier,,12 newton,4,17 newton,16,25 slerp3,,40 slerp4,,40; do
    IFS=, read -r function nodes aim <<<"$goal"
    grep -q "^$function,typical,$nodes,[^,]*,[^,]*,$aim.0$" "$work/rows" ||
        fail "no goal $goal: $(cat "$work/rows")"
done
grep -q '^newton,typical,16,many,' "$work/rows" || fail "16 nodes are not of many: $(cat "$work/rows")"

# Of slerp3, the first stage settles everyday inputs and the hardest ones, and leaves whole ranges of
# exponents: those cost twenty times as much, so that no disturbance hides which they are.
! grep -qE '^slerp3,costliest,,(typical|lengths),' "$work/rows" ||
    fail "slerp3 costs most on what the first stage settles: $(cat "$work/rows")"
