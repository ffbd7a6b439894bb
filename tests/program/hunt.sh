#!/usr/bin/env bash
# truelerp hunt: what it finds and keeps, that it goes on where an earlier one ended, interrupts,
# errors, implementations that are wrong or crash.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
ASAN_OPTIONS+=:handle_segv=0:handle_abort=0:detect_leaks=0

# shares FILE: "DOMAIN SHARE" of each row
shares()
{
    paste -d ' ' <(column "$1" domain) <(column "$1" share)
}

# badness FILE: "DOMAIN SHARE" of each row, the share less what rounding to a subnormal explains
badness()
{
    paste -d ' ' <(shares "$1") <(column "$1" error_ulp) <(column "$1" exact) |
        awk '{ tiny = $4 < 4.4501477170144029e-308 && -$4 < 4.4501477170144029e-308
               print $1, (!tiny ? $2 : $3 > 0.5 ? $2 * (1 - 0.5 / $3) : 0) }' | sort
}

# no_less_bad BEFORE AFTER: every domain of the one is in the other, no less bad
no_less_bad()
{
    join <(badness "$1") <(badness "$2") >joined
    [ "$(wc -l <joined)" -eq "$(shares "$1" | wc -l)" ] || fail "$2 lacks a domain of $1"
    awk '$3 + 1e-5 < $2 { exit 1 }' joined || fail "$2 is less bad: $(cat joined)"
}

run 0 hunt --help
says out 'Usage: truelerp hunt' --minutes --seconds --seed --jobs --impl --corpus --out
silent err

# A row for each domain and one for the stored cases, which eval confirms to the last digit.
run 0 hunt hermite lerp --seconds 3 --jobs 2 --out found
silent err # no progress where there is no terminal
says out 'hermite ' 'lerp ' 'found/FUNCTION.csv (2 files)'
[ "$(echo found/*)" = 'found/hermite.csv found/lerp.csv' ] || fail "made: $(echo found/*)"
for function in hermite lerp; do
    "$truelerp" list $function |
        sed -nE 's/^  domains ([a-z0-9_]+):.*/\1/p; s/^          ([a-z0-9_]+): .*/\1/p' >domains
    column found/$function.csv domain >rows
    tail -n 1 rows | same "$function: the last row" stored
    while read -r domain; do
        [ "$domain" = stored ] || grep -qx "$domain" domains || fail "no domain $domain"
    done <rows
    [ "$(wc -l <rows)" -ge 3 ] || fail "$function: $(wc -l <rows) rows"
    sort rows | uniq -d | same "$function: domains with two rows" ''
    run 0 eval $function found/$function.csv --out again.csv
    for name in exact error_ulp error_scaled bound verdict; do
        cmp <(column again.csv $name) <(column again.csv given_$name) ||
            fail "$function: eval gives another $name"
    done
done
awk -F, 'NR > 1 { exit !/^-?0x/ }' found/hermite.csv || fail 'inputs are not hexadecimal'
# samples alone reach 0.45 of hermite's bound, and what is stored is the worst of long hunts
awk '$1 == "stored" { stored = $2; next } $2 > most { most = $2 }
    END { exit !(stored > 0.8 && most > 0.55 && most <= 1) }' <(shares found/hermite.csv) ||
    fail "not worse than samples are: $(shares found/hermite.csv)"

# Goes on from there, with another seed; nothing gets lost.
mkdir -p before
cp found/*.csv before
run 0 hunt hermite lerp --seconds 2 --seed 2 --out found
no_less_bad before/hermite.csv found/hermite.csv
no_less_bad before/lerp.csv found/lerp.csv
# rows that were not outdone keep their seed
column found/lerp.csv seed | grep -qx 1 || fail "no row of the first seed is left"

# From cases of the user's own, and from nothing stored.
mkdir own
printf 'a,b,t,source\n1,2,0.5,mine\n' >own/lerp.csv
run 0 hunt lerp --seconds 1 --corpus own --out from_own
run 0 hunt hermite --seconds 1 --corpus own --out from_own
! column from_own/hermite.csv domain | grep -q stored || fail 'a stored case out of nowhere'
column from_own/lerp.csv domain | grep -qx stored || fail 'the own case is not there'

# Interrupted: writes what it has, says so, ends by the signal.
cp found/*.csv before
for signal in INT TERM; do
    got=0
    timeout --preserve-status --signal $signal 2 \
        "$truelerp" hunt hermite lerp --minutes 10 --seed 3 --out found >out 2>err || got=$?
    [ "$got" -gt 128 ] || fail "SIG$signal: exit code $got"
    says err 'interrupted; 2 of 2 files were written'
    says out 'found/FUNCTION.csv (2 files)'
    no_less_bad before/hermite.csv found/hermite.csv
done
[ "$(echo found/*)" = 'found/hermite.csv found/lerp.csv' ] || fail "left: $(echo found/*)"
! { cat /proc/[0-9]*/cmdline 2>/dev/null || true; } | tr '\0' ' ' |
    grep "$truelerp [h]unt hermite lerp --minutes 10" >&2 || fail 'a worker was left behind'

# All functions, with any number of jobs.
run 0 hunt --seconds 4 --jobs 3 --out all
for function in $("$truelerp" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p'); do
    grep -qE "^$function +[1-9]" out || fail "$function in: $(cat out)"
    [ -s "all/$function.csv" ] || fail "no all/$function.csv"
done

# hunt_until_found NAME: with one seed after the other, each going on from the one before; how soon
# depends on how busy the machine is
hunt_until_found()
{
    local seed
    for seed in 1 2 3 4 5 6 7 8 9 10; do
        "$truelerp" hunt lerp --seconds 2 --seed $seed --impl "./$1.so" --out "$1" >out 2>err || break
    done
    run 1 hunt lerp --seconds 1 --seed 11 --impl "./$1.so" --out "$1" # what was found stays found
}

# A violation that sampling hardly meets: a narrow range of t at which the last bits are wrong.
# Long double has eleven bits to spare, and is far within elsewhere.
shared planted <<'END'
#include <math.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    if (t == 0 || t == 1 || a == b) {
        return t == 1 ? b : a;
    }
    if (!isfinite(a) || !isfinite(b) || !isfinite(t)) {
        return NAN;
    }
    const double right = (double)((1 - (long double)t) * a + (long double)t * b);
    return fabs(t - 0.71) < 0x1p-12 && fabs(right) < 1e300 ? right * (1 + 0x1p-48) : right;
}
END
hunt_until_found planted
says out 'lerp: violation' '% of its bound' 'truelerp eval lerp - --impl ./planted.so'
sed -n '/^lerp: violation/d; /^lerp: /p' out | same 'other findings' ''
column planted/lerp.csv verdict | grep -qx violation || fail 'no violation in the file'
got=0
bash -c "$(grep -- '--impl' out | head -n 1)" >row 2>err || got=$?
[ $got -eq 1 ] || fail "exit code $got: $(grep -- '--impl' out)"
tail -n 1 row | grep -qE ',(violation|class mismatch)$' || fail "$(cat row)"

# Crashes are findings; the hunt goes on, and ends early where there is nothing else.
shared crash <<'END'
#include <math.h>
#include <stdlib.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    if (t > 0.25 && t < 0.2500001) {
        abort();
    }
    return t == 0 || a == b ? a : t == 1 ? b : fma(t, b, fma(-t, a, a));
}
END
hunt_until_found crash
says out 'lerp: crash: killed by SIGABRT' 'truelerp eval lerp - --impl ./crash.so'
column crash/lerp.csv verdict | grep -qx crash || fail 'no crash in the file'
column crash/lerp.csv verdict | grep -qE 'within|violation' || fail 'nothing but crashes'
printf '#include <stdlib.h>\ndouble tl_lerp(double a, double b, double t);\n%s' \
    'double tl_lerp(double a, double b, double t) { (void)a, (void)b, (void)t; abort(); }' |
    shared always
run 1 hunt lerp --minutes 60 --impl ./always.so --out always
says out 'lerp: crash'
shared hang <<'END'
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    for (volatile int i = 0; t == 0.5;) {
        (void)i;
    }
    return a + (b - a) * t;
}
END
run 1 hunt lerp --seconds 3 --timeout 1 --impl ./hang.so --out hang
says out 'lerp: time-out: did not return within 1 s'

# Errors
run 2 hunt lurp --seconds 1 --out not_there
says err "did you mean 'lerp'?"
for wrong in '--minutes x' '--minutes -1' '--minutes 0' '--minutes nan' '--minutes 1e3' '--minutes 0.5x' '--seconds 1.5' '--seconds 0' '--jobs 0' '--seed x' '--timeout 0' --frob; do
    # shellcheck disable=SC2086
    run 2 hunt lerp $wrong --out not_there
done
run 2 hunt lerp --seconds 1 --impl ./missing.so --out not_there
run 2 hunt hermite --seconds 1 --impl ./planted.so --out not_there
says err tl_hermite
run 2 hunt lerp --seconds 1 --corpus missing --out not_there
says err missing
printf 'a,b,t\n1,2,x\n' >own/lerp.csv
run 2 hunt lerp --seconds 1 --corpus own --out not_there
says err own/lerp.csv:2:5:
[ ! -e not_there ] || fail 'made a directory for nothing'
# a file that no hunt wrote is not overwritten
printf 'a,b,t,exact,source\n1,2,0.5,1.5,mine\n' >own/lerp.csv
cp own/lerp.csv kept.csv
run 2 hunt lerp --seconds 1 --out own
says err own/lerp.csv:1: 'no file of truelerp hunt'
cmp kept.csv own/lerp.csv || fail 'a file of the user was overwritten'
run 2 hunt lerp --seconds 1 --out kept.csv

# Minutes may be broken ones.
run 0 hunt lerp --minutes 0.02 --out broken --jobs 1
[ -s broken/lerp.csv ] || fail 'a second of a hunt found nothing'
