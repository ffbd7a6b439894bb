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
for place in 4 18; do # the class, the machine
    cp naive.so distant.so
    printf '\7' | dd of=distant.so bs=1 seek=$place conv=notrunc status=none
    run 2 eval lerp cases.csv --impl ./distant.so
    says err 'distant.so: not a shared object that can be loaded: it is for another machine'
done
head -c 20 naive.so >short.so
run 2 eval lerp cases.csv --impl ./short.so
! grep -q 'another machine' err || fail "a file cut short: $(cat err)"

# A report of what is there, with commands that judge the same shared object.
run 1 report --impl ./naive.so --samples 3000 --out naive
says out 'lerp: violation in' 'lerp: class mismatch in' 'not judged, for ./naive.so lacks them:' ' tl_hermite tl_hermite_coefficients' \
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
# every case is accounted for: the drawn ones, and the stored ones that crashed
sed -n '/^  "total"/,/^  }/p' one/accuracy.json |
    awk -F'[:,]' '/"(cases|compared|undecided|undefined|crash|timeout|fault|skipped)"/ { n[$1] = $2 }
        END { for (k in n) { if (k ~ /cases/) all = n[k]; else sum += n[k] } print all - sum, (all >= 800) }' |
    same 'cases accounted for' '0 1'
# crashes that never end cost no process each
crash '' | sed 's/t > 0.25 && t < 0.5/1/; s/^ *;$/*nowhere = 1;/' | shared always
run 1 report lerp --impl ./always.so --samples 8000 --out always
grep -qE '"skipped": 7[0-9]{3}' always/accuracy.json || fail 'nothing was skipped'
says out 'crash'

# A call that never returns.
crash 'for (;;) { pause(); }' | shared hang
got=0
timeout 60 "$truelerp" eval lerp third.csv --impl ./hang.so --timeout 1 >out 2>err || got=$?
[ $got -eq 1 ] || fail "a call that hangs in eval: exit code $got: $(cat out err)"
says err 'third.csv:3: the implementation did not return within 1 s; this row and all below'
column out result | same 'rows before one that hangs' 1.75
run 1 report lerp --impl ./hang.so --timeout 1 --samples 16 --out hang
says out 'lerp: time-out in' 'did not return within 1 s'

# A function of which some calls never return is called no more; the others are judged. A process and
# a second for every case would take hours.
{
    sed 's/t > 0.25 .. t < 0.5/1/' hang.c
    echo 'double tl_lerp_cr(double a, double b, double t);'
    echo 'double tl_lerp_cr(double a, double b, double t) { return t == 1 ? b : a; }'
} | shared hangs
run 1 report lerp lerp_cr --impl ./hangs.so --timeout 1 --samples 8000 --jobs 1 --out hangs
says out 'lerp: time-out in 3 cases, first in domain typical, case 0: did not return' \
    'within 1 s; nor did 1, 2' 'lerp: not judged: 7997 cases, not called any more'
says hangs/accuracy.md '`any` | 0 | 0 | 0 |' '**not judged**' 'Not judged: 7997 cases'
sed -n '/"name": "lerp_cr"/,$p' hangs/accuracy.json >other
[ "$(grep -c '"skipped": 0' other)" -eq "$(grep -c '"skipped": ' other)" ] ||
    fail 'cases of a function that does not hang are left out'
says other '"cases": 8000'
says hangs/accuracy.json '"verdict": "not judged"' '"timeout": 3' '"skipped": 7997'
run 1 report lerp lerp_cr --impl ./hangs.so --timeout 1 --samples 8000 --jobs 3 --out hangs
grep -qE '"timeout": [345],?$' hangs/accuracy.json || fail "3 jobs: $(grep -m 1 timeout hangs/accuracy.json)"
says out 'lerp: not judged: 799'
run 1 gate lerp lerp_cr --impl ./hangs.so --contract-only --timeout 1 --samples 8000 --jobs 1 \
    --json hangs.json --no-instructions
says out 'lerp, stored: time-out' 'in 3 of' 'nor did 1, 2' 'lerp, stored: not judged' \
    'samples of lerp: calls of it do not return, so it is called no more' 'lerp_cr, '
[ "$(grep -c '"skipped": "calls of it do not return' hangs.json)" -eq 18 ] ||
    fail 'not 16 domains, the climb and two threads are left out'
! grep -q '"kind": "nothing compared"' hangs.json || fail 'what is left out is found once more'

# What calls do besides giving the right result: to curves, keys and tables, in their form for many
# times, while another thread calls as well. (tests/planted has one fault of each kind; here is what
# is said of it.)
shared keys <<'END'
#include <math.h>
#include <stddef.h>
struct key { double time, value, slopes[2], weights[2]; int mode; };
struct curve { struct key *keys; const double *table; size_t count; int before, after; };
size_t tl_curve_size(size_t count);
size_t tl_curve_size(size_t count) { return count; }
int tl_curve_build(struct curve *, struct key *, size_t, int, int, double *, size_t *);
int tl_curve_build(struct curve *curve, struct key *keys, size_t count, int before, int after,
                   double *memory, size_t *at)
{
    *curve = (struct curve){keys, memory, count, before, after};
    at[0] = at[1] = (size_t)-1;
    if (count == 3) {
        at[2] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        memory[i] = keys[i].time;
    }
    return 0;
}
double tl_curve(const struct curve *curve, double t);
double tl_curve(const struct curve *curve, double t)
{
    if (t == 7) {
        curve->keys[0].weights[1] = 0;
    }
    if (t == 8) {
        ((double *)curve->table)[0] = t;
    }
    if (t == 11 || t == 12) { /* the place behind the last, or before the first */
        ((double *)curve->table)[t == 11 ? (ptrdiff_t)curve->count : -1] = t;
    }
    static double calls, last = NAN, value;
    if (t != last || t != 10) { /* else it remembers, whatever the curve */
        value = curve->keys[0].value;
        last = t;
    }
    return t == 9 ? calls++ : isnan(t) ? t : value;
}
void tl_curve_many(const struct curve *, const double *, size_t, double *);
void tl_curve_many(const struct curve *curve, const double *times, size_t count, double *results)
{
    for (size_t i = 0; i < count; i++) {
        results[i] = tl_curve(curve, times[i]) + (times[i] == 6);
    }
}
END
echo times,values,in_tangents,out_tangents,modes,in_weights,out_weights,before,after,t >curves.csv
for t in 5 6 7 8 9 10 11 12; do
    echo "0;1,2;2,0;0,0;0,none;none,,,clamp,clamp,$t" >>curves.csv
done
echo "0;1;2,2;2;2,0;0;0,0;0;0,none;none;none,,,clamp,clamp,5" >>curves.csv
run 1 eval curve curves.csv --impl ./keys.so
cat >expected <<'END'
truelerp: curves.csv:3: gives another result in its form for many times
truelerp: curves.csv:4: wrote to its arguments
truelerp: curves.csv:5: wrote to its arguments
truelerp: curves.csv:6: gives another result for the same arguments
truelerp: curves.csv:7: gives another result for the same arguments
truelerp: curves.csv:8: wrote beside what it was given to write to
truelerp: curves.csv:9: wrote beside what it was given to write to
truelerp: curves.csv:10: wrote beside what it was given to write to
END
diff expected err || fail 'what a call does besides'
column out verdict | sed -n 1,4p | sort -u | same verdicts within

# Nor is anything written behind the last component, coefficient or channel.
shared behind <<'END'
#include <stddef.h>
void tl_slerp3(const double *, const double *, double, double *);
void tl_slerp3(const double *a, const double *b, double t, double *result)
{
    (void)b;
    for (int k = 0; k < 3 + (t == -1); k++) {
        result[k] = a[k];
    }
}
void tl_hermite_coefficients(const double *, const double *, double *);
void tl_hermite_coefficients(const double *k0, const double *k1, double *coefficients)
{
    (void)k0, (void)k1;
    for (int i = 0; i < 5; i++) {
        coefficients[i] = 0;
    }
}
size_t tl_newton_size(size_t, size_t);
size_t tl_newton_size(size_t count, size_t channels) { return count * channels; }
int tl_newton_build(void *, const double *, const double *, size_t, size_t, double *, size_t *);
int tl_newton_build(void *newton, const double *times, const double *values, size_t count,
                    size_t channels, double *memory, size_t *at)
{
    (void)newton, (void)times, (void)values, (void)count, (void)channels, (void)memory;
    at[0] = at[1] = (size_t)-1;
    return 0;
}
void tl_newton(const void *, double, double *);
void tl_newton(const void *newton, double t, double *result)
{
    (void)newton, (void)t;
    result[0] = result[1] = 7;
}
END
printf 'ax,ay,az,bx,by,bz,t\n1,2,3,4,5,6,-2\n1,2,3,4,5,6,-1\n' >vectors.csv
echo 'times,values,t' >nodes.csv
echo '0;1,7;7,0' >>nodes.csv
printf 't0,v0,m0,t1,v1,m1\n0,0,0,1,0,0\n' >keys.csv
run 1 eval slerp3 vectors.csv --impl ./behind.so
! grep -q vectors.csv:2 err || fail 'a vector of its length'
says err 'vectors.csv:3: wrote beside'
run 1 eval newton nodes.csv --impl ./behind.so
says err 'nodes.csv:2: wrote beside'
column out verdict | same 'verdict all the same' within
run 1 eval hermite_coefficients keys.csv --impl ./behind.so
says err 'keys.csv:2: wrote beside'

# Roots beyond the number of them are left alone.
shared roots <<'END'
int tl_cubic_roots(double, double, double, double, double *, int *);
int tl_cubic_roots(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    (void)a, (void)b, (void)c;
    roots[0] = 0;
    multiplicities[0] = 3;
    if (d != 0) {
        roots[d == 1 ? 1 : 3] = 0;
        multiplicities[0] = 1;
    }
    return 1;
}
END
printf 'a,b,c,d\n1,0,0,0\n1,0,0,1\n1,0,0,2\n' >cubics.csv
run 1 eval cubic_roots cubics.csv --impl ./roots.so
cat >expected <<'END'
truelerp: cubics.csv:3: wrote beside what it was given to write to
truelerp: cubics.csv:4: wrote beside what it was given to write to
END
diff expected err || fail 'roots that are not there'

shared threads <<'END'
#include <math.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    static volatile double kept[3]; /* one place for all callers */
    kept[0] = a;
    kept[1] = b;
    kept[2] = t;
    if (t == 0 || a == b) {
        return a;
    }
    if (t == 1 || !isfinite(a) || !isfinite(b) || !isfinite(t)) {
        return t == 1 ? b : NAN;
    }
    return fma(kept[2], kept[1], fma(-kept[2], kept[0], kept[0]));
}
END
run 1 gate lerp --impl ./threads.so --contract-only --samples 100 --no-instructions \
    --json threads.json
says threads.json '"domain": "two threads at once"' \
    ': gives another result while another thread calls it"'

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
# of every case drawn, and of every stored one
spoilt=$(grep -o 'environment in [0-9]* cases' out | tr -dc '0-9')
[ "${spoilt:-0}" -gt 150 ] || fail "environment in $spoilt cases: $(cat out)"
says rounding/accuracy.json "\"environment\": $spoilt"
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

# Nor must it keep the program waiting there, or leave it deaf to what it waits for.
at()
{
    printf '#include <signal.h>\n#include <unistd.h>\n#include <sys/time.h>\n'
    echo "__attribute__(($1)) static void act(void) { $2; }"
    cat right.c
}
crash '' | sed '/nowhere/d' >right.c
at constructor 'for (;;) { pause(); }' | shared loading
at constructor 'sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) { pause(); }' |
    shared deaf
at destructor 'for (;;) { pause(); }' | shared unloading
for object in loading deaf unloading; do
    for verb in 'eval lerp third.csv' 'report lerp --samples 100 --out loaded'; do
        got=0
        # shellcheck disable=SC2086
        timeout -k 1 60 "$truelerp" $verb --impl ./$object.so --timeout 1 >out 2>err || got=$?
        [ $got -eq 1 ] || fail "$verb, $object hangs: exit code $got"
        says err "./$object.so: ${object/deaf/loading} it did not end within 1 s"
    done
done
at constructor 'signal(SIGCHLD, SIG_IGN)' | shared ignoring
for verb in 'report lerp --samples 100 --out loaded' \
    'gate lerp --contract-only --samples 100 --no-instructions' \
    'hunt lerp --seconds 1 --out hunted'; do
    got=0
    # shellcheck disable=SC2086
    timeout -k 1 60 "$truelerp" $verb --impl ./ignoring.so >out 2>err || got=$?
    [ $got -le 1 ] || fail "$verb waits for processes that an object had it ignore: exit code $got"
done

# A timer of the implementation's is its own, wherever it goes off.
{
    echo '#include <sys/time.h>'
    sed 's/^{/{ struct itimerval soon = {{0, 50}, {0, 50}}; setitimer(ITIMER_REAL, \&soon, 0);/' right.c
} | shared timer
for i in {1..2000}; do
    echo "1,$i,0.75"
done | cat third.csv - >many.csv
run 1 eval lerp many.csv --impl ./timer.so
says err 'the implementation crashed (SIGALRM)'
# Also between two cases, for which the timer is set so that it goes off there in one run of three.
cat >between.c <<'END'
#include <sys/time.h>
static double start(void)
{
    static int calls;
    struct timeval now;
    gettimeofday(&now, 0);
    struct itimerval soon = {{0, 0}, {0, 1 + now.tv_usec % 150}};
    if (calls++ == 0) {
        setitimer(ITIMER_REAL, &soon, 0);
    }
    return 0;
}
double tl_lerp(double a, double b, double t) { return start(); }
double tl_lerp_cr(double a, double b, double t) { return start(); }
double tl_hermite(const void *k0, const void *k1, double t) { return start(); }
double tl_bezier(const void *k0, const void *k1, double t) { return start(); }
double tl_bezier_parameter(const void *k0, const void *k1, double t) { return start(); }
double tl_angle3(const double *a, const double *b) { return start(); }
END
"${CC:-cc}" -O1 -w -shared -fPIC between.c -o between.so
for i in {1..40}; do
    run 1 report --samples 20 --jobs 1 --impl ./between.so --out between
    says out 'killed by SIGALRM'
done

# What an implementation prints is no part of what is asked for: tables and CSV stay whole.
shared talking <<'END'
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void load(void) { puts("loaded"); }
__attribute__((destructor)) static void unload(void) { puts("unloaded"); fflush(stdout); }
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    printf("called with %g\n", t);
    if (t > 0.4) {
        fflush(stdout);
        if (write(1, "written\n", 8) != 8) return 0;
    }
    return t == 1 ? b : a + t * (b - a);
}
END
printf 'a,b,t\n1,2,0.5\n1,2,0.25\n1,2,1\n' >talked.csv
run 0 eval lerp talked.csv
cp out quiet.csv
run 0 eval lerp talked.csv --impl ./talking.so
cmp out quiet.csv || fail "an implementation's own words: $(cat out)"
says err loaded 'called with 0.5' 'called with 0.25' written
run 0 eval lerp talked.csv --impl ./talking.so --out /dev/stdout
cmp out quiet.csv || fail "an implementation's own words, by name: $(cat out)"
run 1 gate lerp --contract-only --no-instructions --samples 300 --impl ./talking.so
! grep -qE 'loaded|called|written' out || fail "$(grep -E 'loaded|called|written' out | head -n 3)"
says err loaded written
