#!/usr/bin/env bash
# Wrong usage, unwritable outputs, full disks, interrupts, machines that cannot be trusted.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

printf 'a,b,t\n1,2,0.5\n' >cases.csv

# Usage
run 0 --help
says out list eval report hunt table bench 'Exit codes'
for verb in list eval report hunt table; do
    run 0 $verb --help
    says out "Usage: truelerp $verb"
    silent err
done
run 0 --version
says out 'truelerp 0.' 'instruction set' compiler MPFR MPFI json-c
run 2
run 2 frobnicate
says err frobnicate
run 2 --frobnicate
run 2 eval
run 2 eval --frobnicate lerp cases.csv
says err frobnicate
run 2 eval lerp cases.csv more.csv
says err more.csv
run 2 eval lurp cases.csv
says err "'lurp'" "did you mean 'lerp'?" hermite_coefficients slerp3
run 2 eval tl_hermit cases.csv
says err "did you mean 'hermite'?"
run 2 eval zzzzzzzzz cases.csv
says err "'zzzzzzzzz'" hermite
! grep -q 'did you mean' err || fail "a far-fetched suggestion: $(cat err)"
run 2 list lurp
run 2 report lurp --out not_there
for wrong in '--samples 0' '--samples -1' '--samples 1e' '--samples 1e-3' '--samples 1.5e3' \
    '--samples 1e16' '--samples 1e99' '--samples 1e1x' '--samples' '--jobs 0' '--jobs x' \
    '--seed -2' '--seed 18446744073709551616' '--timeout 0'; do
    # shellcheck disable=SC2086
    run 2 report lerp $wrong --out not_there
    says err "${wrong%% *}"
done
run 2 eval lerp missing.csv
says err missing.csv
run 2 eval lerp .
[ ! -e not_there ] || fail 'made a directory for nothing'

# Outputs that cannot be written
: >file
run 2 report lerp --samples 100 --out file
says err file
run 2 report lerp --samples 100 --out file/below
says err file/below
run 2 eval lerp cases.csv --out file/below.csv
says err file/below.csv
run 2 eval lerp cases.csv --out .
run 0 report lerp --samples 100 --out new/deep/down
[ -s new/deep/down/accuracy.html ] || fail 'no report in new/deep/down'
for arguments in 'eval lerp cases.csv' list '--help' --version 'list --json' \
    'report lerp --samples 100 --out new'; do
    got=0
    # shellcheck disable=SC2086
    "$truelerp" $arguments >/dev/full 2>err || got=$?
    [ $got -eq 2 ] || fail "$arguments on a full disk: exit code $got"
    says err 'standard output' 'No space left'
done
run 2 eval lerp cases.csv --out /dev/full
says err /dev/full 'No space left'
run 2 report lerp --samples 100 --out /dev/full

# A file that must not grow: nothing half-written, and the report of before stays.
run 0 report lerp --samples 100 --out kept
cp -r kept before
for kilobytes in 8 $(($(wc -c <kept/accuracy.json) / 1000)); do # the first file, and a later one
    got=0
    (ulimit -f "$kilobytes" && exec "$truelerp" report lerp --samples 100 --seed 9 --out kept \
        >out 2>err) || got=$?
    [ $got -eq 2 ] || fail "files of $kilobytes KB: exit code $got"
    says err kept/accuracy. 'too large'
    diff -r kept before || fail "files of $kilobytes KB: the report of before was touched"
done
says err kept/accuracy.html

# An interrupt: prompt, nothing written, the shell's usual exit code.
start=$SECONDS
got=0
timeout --preserve-status --signal=INT --kill-after=30 1 \
    "$truelerp" report --samples 1000000000 --out kept >out 2>err || got=$?
[ $got -eq 130 ] || fail "interrupted: exit code $got"
[ $((SECONDS - start)) -lt 10 ] || fail "interrupted: took $((SECONDS - start)) s"
says err interrupted
diff -r kept before || fail 'interrupted: the report of before was touched'
! pgrep -f -- '--samples 1000000000' || fail 'interrupted: processes are left'

# Exit codes: usage goes before a machine that cannot be trusted, that before a finding.
shared upward <<'END'
#include <fenv.h>
__attribute__((constructor)) static void load(void)
{
    fesetround(FE_UPWARD);
}
END
export LD_PRELOAD=$PWD/upward.so
run 3 eval lerp cases.csv
says err trusted
silent out
run 3 report lerp --samples 100 --out not_there
run 3 report lerp --samples 100 --out not/there/either
run 3 report lerp --samples 100 --shard 1/2 --out not_there/shard.jsonl
run 2 report lerp --samples 100 --out file/below
says err file/below
run 2 eval lerp missing.csv
run 2 eval lurp cases.csv
run 2 eval lerp cases.csv --out file/below.csv
run 3 eval lerp cases.csv --out not_there.csv
unset LD_PRELOAD
[ ! -e not_there.csv ] && [ ! -e not_there ] && [ ! -e not ] || fail 'a machine that cannot be trusted wrote an output'
shared wrong <<'END'
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    (void)a, (void)t;
    return b;
}
END
run 1 eval lerp cases.csv --impl ./wrong.so
LD_PRELOAD=$PWD/upward.so run 3 eval lerp cases.csv --impl ./wrong.so
echo 1,2 >>cases.csv
run 2 eval lerp cases.csv --impl ./wrong.so
column out verdict | same 'judged before' violation

# An empty name is said to be one.
printf 'time,value\n0,0\n1,2\n' >nodes.csv
printf 'a,b,t\n1,2,0.5\n' >cases.csv
for command in 'eval lerp ""' 'table ""' 'eval curve --keys "" nodes.csv' 'report lerp --inputs ""' \
    'hunt lerp --corpus ""' 'diff "" ""' 'merge ""' 'report lerp --out ""' 'eval lerp cases.csv --out ""' \
    'gate lerp --baseline ""' 'gate lerp --contract-only --json ""' 'table nodes.csv --svg ""'; do
    eval "run 2 $command"
    says err "truelerp: '' (the name is empty): cannot"
done
