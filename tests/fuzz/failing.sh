#!/usr/bin/env bash
# Cases at which the library crashes, ends, hangs or swells become simpler, and fail as before.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_libfuzzer
replay=$build/fuzz_lerp_replay
export TRUELERP_FUZZ_IMPL=$build/tests/failing.so TRUELERP_FUZZ_FINDINGS=$work/findings
export ASAN_OPTIONS=symbolize=0:handle_abort=1
mkdir "$TRUELERP_FUZZ_FINDINGS"
table=$TRUELERP_FUZZ_FINDINGS/lerp.csv

# input A B T: as the target's bytes
input()
{
    perl -e 'print pack("d<3", @ARGV)' -- "$@" >"$work/input"
}

# PROCESS: neither there nor waiting to be told of as dead
gone()
{
    local tries=50
    while [ $tries -gt 0 ] && ! grep -qsE '^State:[[:space:]]*[ZX]' "/proc/$1/status" &&
        [ -d "/proc/$1" ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    [ $tries -gt 0 ]
}

# NAME A B T SIMPLEST: the rows of such a case, if SIMPLEST is not empty the second
simplified()
{
    rm -f "$table"
    input "$2" "$3" "$4"
    check_code "$1" 0 "$replay" --finding "crash: $1" --timeout 4 --memory 600 "$work/input"
    check "$1: header" [ "$(head -n 1 "$table")" = "a,b,t,exact,source" ]
    check "$1: as found first" grep -q "as found; crash: $1" <(sed -n 2p "$table")
    check "$1: $(($(wc -l <"$table") - 1)) rows" [ "$(wc -l <"$table")" -eq $((5 > $# ? 2 : 3)) ]
    [ $# -ge 5 ] || return 0
    check "$1: $(sed -n 3p "$table") is not $5" grep -qE "^$5,[^,]+,\"?fuzz_lerp .*, simplified; crash: $1" \
        <(sed -n 3p "$table")
    check "$1: is told" grep -qx "lerp, simplified: crash: $1" "$work/out"
    check "$1: two commands" [ "$(grep -c '| truelerp eval lerp --impl ' "$work/out")" -eq 2 ]
}

# a number below 0 is simpler as 0 or 1, but fails at another place there
simplified "read below" -5.3 7.7 123.4 "-0x1p\+0,[^,]*,0x1p\+1"
simplified "write above" 5.3 7.7 123.4 "0x0p\+0,[^,]*,0x1p\+1"
simplified "abort below" -5.3 7.7 1234.5 "-0x1p\+0,[^,]*,0x1p\+10"
simplified "abort above" 5.3 7.7 1234.5 "0x0p\+0,[^,]*,0x1p\+10"
simplified "exit" 5.3e-300 7.7 -1234.5 "0x0p\+0,[^,]*,-0x1p\+10"
# each of these costs a second: so much simpler at least
simplified "hang" 5.3 7.7 -12345.6 "0x1p\+1,0x[01]p\+0,-0x[0-9a-f.]+p\+[0-9]+"
simplified "swelling" 512.3 7.7 12345.6 "0x1.?[0-9a-f]{0,3}p\+[0-9]+,[^,]*,0x1.?[0-9a-f]{0,3}p\+[0-9]+"
# one that does not fail by itself
simplified "nothing" 5.3 7.7 0.25

# stopped in the middle, it tells of no case that it did not look at to the end
rm -f "$table"
input 5.3 7.7 -12345.6
"$replay" --finding "hang: stopped" --timeout 30 "$work/input" >"$work/out" 2>&1 &
driver=$!
for _ in $(seq 300); do
    [ ! -s "$table" ] || break
    sleep 0.1
done
sleep 1
children=$(pgrep -P $driver | paste -sd ' ' || true)
check "it was at it" [ -n "$children" ]
kill -TERM $driver
code=0
wait $driver || code=$?
check "exit code $code after SIGTERM" [ "$code" -eq 0 ]
check "the row as found is there, and no other" [ "$(wc -l <"$table")" -eq 2 ]
for child in $children; do
    check "no process is left behind" gone "$child"
done
# nor does a process survive its parent
"$replay" --finding "hang: killed" --timeout 30 "$work/input" >"$work/out" 2>&1 &
driver=$!
for _ in $(seq 100); do
    children=$(pgrep -P $driver | paste -sd ' ' || true)
    [ -z "$children" ] || break
    sleep 0.1
done
check "it is at it" [ -n "$children" ]
kill -9 $driver
wait $driver 2>/dev/null || true
for child in $children; do
    check "no process survives" gone "$child"
done
finish
