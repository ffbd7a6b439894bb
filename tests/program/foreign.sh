#!/usr/bin/env bash
# --impl: shared objects that are wrong, incomplete, that crash, hang, end the process or change the
# floating-point environment.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
# crashes on purpose by the hundred: no sanitizer need describe them
ASAN_OPTIONS+=:handle_segv=0:handle_abort=0:detect_leaks=0

printf 'a,b,t\n1,2,0.5\n-1e16,1,0.9999999999999999\n1e308,-1e308,0.5\n' >cases.csv

# Wrong: loses digits, overflows.
shared naive <<'END'
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    return a + t * (b - a);
}
END
run 1 eval lerp cases.csv --impl ./naive.so
silent err
column out verdict | paste -sd, | same verdicts 'within,violation,class mismatch'
run 2 eval hermite cases.csv --impl ./naive.so
says err naive.so tl_hermite
run 2 eval lerp cases.csv --impl ./missing.so
says err missing.so
run 2 eval lerp cases.csv --impl ./cases.csv
says err cases.csv

# A report of what is there, with commands that judge the same shared object.
run 1 report --impl ./naive.so --samples 3000 --out naive
says out 'lerp: violation in' 'lerp: class mismatch in' 'not judged: ./naive.so has no function tl_hermite' \
    'results of 1 function compared'
says naive/accuracy.json '"verdict": "violation"' naive.so
# shellcheck disable=SC2016
says naive/accuracy.md '**violation** in `cancelling`' '**class mismatch** in `huge`' \
    'Not judged, for the implementation lacks them: `lerp_cr`, `hermite`,' 'must be exact here'
grep -A1 'id="missing"' naive/accuracy.html | grep -qF '["lerp_cr","hermite",' ||
    fail 'the page does not know what is missing'
tried=0
while read -r command; do
    got=0
    bash -c "$command" >row 2>err || got=$?
    [ $got -eq 1 ] || fail "exit code $got: $command"
    tail -n 1 row | grep -qE ',(violation|class mismatch)$' || fail "$(cat row): $command"
    tried=$((tried + 1))
done < <(grep -- '--impl' out)
[ $tried -eq 2 ] || fail "tried $tried commands of: $(cat out)"
run 2 report hermite --impl ./naive.so --out not_there
says err naive.so tl_hermite
shared other <<'END'
int other = 1;
END
run 2 report --impl ./other.so --out not_there
says err other.so
[ ! -e not_there ] || fail 'made a directory for nothing'

# Right, but for a crash on some inputs: the other cases are judged, by any number of jobs alike.
crash()
{
    cat <<END
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    volatile double *nowhere = 0;
    if (t > 0.25 && t < 0.5) {
        $1;
    }
    (void)nowhere;
    return fabs(a) < 1e300 && fabs(b) < 1e300 ? fma(t, b, fma(-t, a, a)) : a;
}
END
}
crash '*nowhere = 1' | shared segv
crash 'abort()' | shared abort
crash 'exit(0)' | shared exit
crash '_exit(0)' | shared leave
crash 'raise(SIGKILL)' | shared kill
printf 'a,b,t\n1,2,0.75\n1,2,0.3\n1,2,0.5\n' >third.csv
for kind in segv abort exit leave kill; do
    run 1 eval lerp third.csv --impl ./$kind.so
    says err third.csv:3: implementation
    column out result | same "$kind: rows before" 1.75
    run 1 eval lerp third.csv --impl ./$kind.so --out not_there.csv
    [ "$(echo not_there*)" = 'not_there*' ] || fail "$kind: half a file was put in place"
    run 1 report lerp --impl ./$kind.so --samples 800 --jobs 1 --out one
    says out 'lerp: crash in' 'domain typical, case' "truelerp eval lerp - --impl ./$kind.so"
    says one/accuracy.json '"kind": "crash"' '"verdict": "crash"'
    grep -qE '"crash": [1-9]' one/accuracy.json || fail "$kind: no crash counted"
    command=$(grep -m 1 -- '--impl' out)
    got=0
    bash -c "$command" >row 2>err || got=$?
    [ $got -eq 1 ] || fail "$kind: exit code $got: $command"
done
run 1 report lerp --impl ./segv.so --samples 800 --jobs 1 --out one
run 1 report lerp --impl ./segv.so --samples 800 --jobs 3 --out many
cmp <(grep -vE '"(date|seconds|compared_per_second|jobs|command)":' one/accuracy.json) \
    <(grep -vE '"(date|seconds|compared_per_second|jobs|command)":' many/accuracy.json) ||
    fail 'crashes: three jobs give another report'
# every case is accounted for
sed -n '/^  "total"/,/^  }/p' one/accuracy.json |
    awk -F'[:,]' '/"(cases|compared|undecided|undefined|crash|timeout|fault|skipped)"/ { n[$1] = $2 }
        END { for (k in n) { if (k ~ /cases/) all = n[k]; else sum += n[k] } print all - sum, all + 0 }' |
    same 'cases accounted for' '0 800'
# crashes that never end cost no process each
crash '' | sed 's/t > 0.25 && t < 0.5/1/; s/^ *;$/*nowhere = 1;/' | shared always
run 1 report lerp --impl ./always.so --samples 8000 --out always
grep -qE '"skipped": 7[0-9]{3}' always/accuracy.json || fail 'nothing was skipped'
says out 'crash'

# A call that never returns.
crash 'for (;;) { pause(); }' | shared hang
run 1 report lerp --impl ./hang.so --timeout 1 --samples 16 --out hang
says out 'lerp: time-out in' 'did not return within 1 s'

# A changed environment is a finding, undone at once.
shared rounding <<'END'
#include <fenv.h>
double tl_lerp_cr(double a, double b, double t);
double tl_lerp_cr(double a, double b, double t)
{
    (void)b, (void)t;
    fesetround(FE_UPWARD);
    return a;
}
END
printf 'a,b,t\n1,2,0\n3,4,0\n' >start.csv
run 1 eval lerp_cr start.csv --impl ./rounding.so
says err start.csv:2: start.csv:3:
column out verdict | sort -u | same verdicts within
run 1 report lerp_cr --impl ./rounding.so --samples 100 --out rounding
says out 'lerp_cr: environment in 100 cases'
says rounding/accuracy.json '"environment": 100'
{
    sed '/fesetround/d' rounding.c
    echo '__attribute__((constructor)) static void load(void) { fesetround(FE_UPWARD); }'
} | shared loading
run 1 eval lerp_cr start.csv --impl ./loading.so
says err loading.so 'rounding mode'
run 1 report lerp_cr --inputs start.csv --impl ./loading.so --out loading
says err loading.so 'rounding mode'
says out '2 results of 1 function'

# An object that ends the program where it is loaded, unloaded or at exit must not decide the exit
# code; least of all with 0.
ending()
{
    printf '#include <math.h>\n#include <stdlib.h>\n#include <unistd.h>\n%s\n' "$2" | {
        cat
        echo 'double tl_lerp(double a, double b, double t);'
        echo 'double tl_lerp(double a, double b, double t) { return a + b + t + NAN; }'
    } | shared "$1"
}
ending constructor '__attribute__((constructor)) static void load(void) { _exit(0); }'
ending destructor '__attribute__((destructor)) static void unload(void) { _exit(0); }'
ending leftover '__attribute__((constructor)) static void load(void);
static void leave(void) { _exit(0); }
static void load(void) { atexit(leave); }'
ending aborting '__attribute__((constructor)) static void load(void) { abort(); }'
for object in constructor destructor leftover aborting; do
    run 1 eval lerp start.csv --impl ./$object.so
    run 1 report lerp --samples 100 --impl ./$object.so --out $object
done
run 1 eval lerp start.csv --impl ./aborting.so
says err './aborting.so: ended the program'
