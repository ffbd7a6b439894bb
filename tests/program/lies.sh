#!/usr/bin/env bash
# The floating-point environment: whatever is wrong with it before the start ends the program with
# exit code 3; whatever an implementation under test does to it, or to errno, is a finding and undone
# at once.
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
ASAN_OPTIONS+=:detect_leaks=0

printf 'a,b,t\n1,2,0\n0x1p-1074,1,0\n3,4,0\n' >start.csv

# spoiling HOW: C text of a function spoil() that does it
spoiling()
{
    echo '#include <errno.h>'
    echo '#include <fenv.h>'
    echo '#include <stdlib.h>'
    echo 'static void spoil(void) {'
    case $1 in
    up) echo 'fesetround(FE_UPWARD);' ;;
    down) echo 'fesetround(FE_DOWNWARD);' ;;
    zero) echo 'fesetround(FE_TOWARDZERO);' ;;
    ftz) echo '__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8000);' ;;
    daz) echo '__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x40);' ;;
    unmasked) echo '__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x200u);' ;;
    x87_precision) echo 'unsigned short c = 0x27f; __asm__ volatile("fldcw %0" : : "m"(c));' ;;
    x87_rounding) echo 'unsigned short c = 0xb7f; __asm__ volatile("fldcw %0" : : "m"(c));' ;;
    flags) echo 'feclearexcept(FE_INEXACT);' ;;
    errno) echo 'errno = EDOM;' ;;
    leak) echo 'static void *volatile piece; piece = malloc(64);' ;;
    keep) # what is given back, and what is kept once and for all
        echo 'static void *volatile kept; void *volatile piece; static unsigned calls;'
        echo 'if (!kept) kept = malloc(1000); piece = malloc(calls++ % 3000); free(piece);'
        ;;
    esac
    echo '}'
}

# what the message must name
word()
{
    case $1 in
    up | down | zero) echo rounding ;;
    ftz) echo FTZ ;;
    daz) echo DAZ ;;
    unmasked) echo exception ;;
    x87_*) echo x87 ;;
    flags) echo 'cleared floating-point exception flags' ;;
    errno) echo 'set errno to 33 (' ;;
    esac
}

kinds='up down zero'
[ "$(uname -m)" != x86_64 ] || kinds="$kinds ftz daz unmasked x87_precision x87_rounding"
lerp='double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t) {'

# arguments_of VERB: lines of arguments with which it ends with exit code 0, or 3
arguments_of()
{
    case $1 in
    eval) echo lerp start.csv ;;
    report) echo lerp --samples 100 --out not_there ;;
    merge) echo shard --out not_there ;;
    gate)
        echo lerp --contract-only --samples 100 --no-instructions --json not_there
        echo lerp --quick --no-instructions
        ;;
    diff) echo report/accuracy.json report/accuracy.json ;;
    draw) echo lerp typical ;;
    hunt) echo lerp --seconds 1 --out not_there ;;
    selftest) echo lerp --samples 100 ;;
    table) echo nodes.csv ;;
    bench)
        echo oracle lerp --repetitions 1 --min-time 0.0001
        [ ! -x "$(dirname "$truelerp")/truelerp-bench" ] ||
            echo lerp --repetitions 1 --min-time 0.0001
        ;;
    esac
}

# All but `list`, and each of them runs where nothing is spoilt.
verbs=$("$truelerp" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\)  .*/\1/p' | grep -v '^list$')
printf 'time,value\n0,1\n1,0x1p-1074\n' >nodes.csv
run 0 list
cp out listed
run 0 report lerp --samples 100 --out report
run 0 report lerp --samples 100 --shard 1/1 --out shard
for verb in $verbs; do
    [ -n "$(arguments_of "$verb")" ] || fail "how is $verb called?"
    arguments_of "$verb" | while read -r arguments; do
        # shellcheck disable=SC2086
        run 0 $verb $arguments
    done
    rm -rf not_there
done

for kind in $kinds; do
    # before the start, in a library that is loaded with the program
    {
        spoiling "$kind"
        echo '__attribute__((constructor)) static void load(void) { spoil(); }'
    } | shared "before_$kind"
    if [ "$kind" != x87_rounding ]; then # long double rounds otherwise; no double does
        for verb in $verbs; do
            arguments_of "$verb" | while read -r arguments; do
                # shellcheck disable=SC2086
                LD_PRELOAD=$PWD/before_$kind.so run 3 $verb $arguments
                says err 'no answer given here could be trusted: '
                silent out
            done
        done
        [ ! -e not_there ] || fail "$kind: something was written that nobody can trust"
        # it computes nothing
        LD_PRELOAD=$PWD/before_$kind.so run 0 list
        cmp out listed || fail "$kind: another list"
    fi

    # in every call; the verdicts are right in spite of it, since it is undone before they fall
    {
        spoiling "$kind"
        echo "$lerp (void)b, (void)t; spoil(); return a; }"
    } | shared "call_$kind"
    run 1 eval lerp start.csv --impl "./call_$kind.so"
    says err start.csv:2: start.csv:3: start.csv:4: "$(word "$kind")"
    column out verdict | sort -u | same "$kind: verdicts" within
    run 1 report lerp --inputs start.csv --impl "./call_$kind.so" --out "call_$kind"
    says out 'environment in 3 cases'

    # where it is loaded
    {
        spoiling "$kind"
        echo '__attribute__((constructor)) static void load(void) { spoil(); }'
        echo "$lerp (void)b, (void)t; return a; }"
    } | shared "load_$kind"
    run 1 eval lerp start.csv --impl "./load_$kind.so"
    says err "load_$kind.so" "$(word "$kind")"
    column out verdict | sort -u | same "$kind: verdicts" within

    # in a thread of its own it is nobody else's
    {
        echo '#include <pthread.h>'
        spoiling "$kind"
        echo 'static void *run(void *x) { spoil(); return x; }'
        echo "$lerp (void)b, (void)t;"
        echo 'pthread_t thread; pthread_create(&thread, 0, run, 0); pthread_join(thread, 0);'
        echo 'return a; }'
    } | shared "thread_$kind"
    run 0 eval lerp start.csv --impl "./thread_$kind.so"
    silent err
done

# Whatever any call of any function leaves behind, a builder's as well, is found, and undone before
# the next call. The library is right, but for what SPOIL_KIND says, done where a call of the function
# named by SPOIL returns; all the others may first take that back.
here=$source/tests/planted
# shellcheck source=../planted/build.bash
. "$here/build.bash"
mkdir wrapped
build_library wrapped
for object in wrapped/objects/*.o; do
    nm --defined-only "$object" | sed -n 's/.* T tl_\(.*\)/tl_\1 true_\1/p'
done >names
for object in wrapped/objects/*.o; do
    objcopy --redefine-syms=names "$object"
done
for kind in $kinds flags errno leak keep; do
    spoiling "$kind" | sed "s/spoil(void)/spoil_$kind(void)/"
done >wrapped.c
{
    printf 'static const struct { const char *name; void (*spoil)(void); } kinds[] = {'
    for kind in $kinds flags errno leak keep; do
        printf '{"%s", spoil_%s}, ' "$kind" "$kind"
    done
    echo '};'
} >>wrapped.c
cat >>wrapped.c <<'END'
#include <truelerp.h>
#include <stdlib.h>
#include <string.h>
static const char *where;
static void (*spoil)(void);
static int takes_back;
__attribute__((constructor)) static void load(void)
{
    const char *kind = getenv("SPOIL_KIND");
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++) {
        spoil = strcmp(kinds[i].name, kind) == 0 ? kinds[i].spoil : spoil;
    }
    where = getenv("SPOIL");
    takes_back = getenv("SPOIL_TAKES_BACK") != 0;
}
static int chosen(const char *name)
{
    return strstr(where, name) && spoil;
}
static void before(const char *name)
{
    if (takes_back && !chosen(name)) {
        fexcept_t flags;
        int error = errno;
        fegetexceptflag(&flags, FE_ALL_EXCEPT);
        fesetenv(FE_DFL_ENV);
        fesetexceptflag(&flags, FE_ALL_EXCEPT);
        errno = error;
    }
}
static void after(const char *name)
{
    if (chosen(name)) {
        spoil();
    }
}
#define GIVES(type, name, parameters, arguments)                                                       type true_##name parameters;                                                                       __attribute__((visibility("default"))) type tl_##name parameters                                   {                                                                                                      before(" " #name " ");                                                                             type result = true_##name arguments;                                                               after(" " #name " ");                                                                              return result;                                                                                 }
#define WRITES(name, parameters, arguments)                                                            void true_##name parameters;                                                                       __attribute__((visibility("default"))) void tl_##name parameters                                   {                                                                                                      before(" " #name " ");                                                                             true_##name arguments;                                                                             after(" " #name " ");                                                                          }
typedef const double vector;
typedef const tl_key key;
GIVES(double, lerp, (double a, double b, double t), (a, b, t))
GIVES(double, lerp_cr, (double a, double b, double t), (a, b, t))
GIVES(double, hermite, (key * k, key *l, double t), (k, l, t))
WRITES(hermite_coefficients, (key * k, key *l, double *c), (k, l, c))
GIVES(double, bezier, (key * k, key *l, double t), (k, l, t))
GIVES(double, bezier_parameter, (key * k, key *l, double t), (k, l, t))
GIVES(int, cubic_roots, (double a, double b, double c, double d, double *r, int *m),
      (a, b, c, d, r, m))
WRITES(slerp3, (vector * a, vector *b, double t, double *r), (a, b, t, r))
WRITES(slerp3_unclamped, (vector * a, vector *b, double t, double *r), (a, b, t, r))
WRITES(slerp4, (vector * a, vector *b, double t, double *r), (a, b, t, r))
GIVES(double, angle3, (vector * a, vector *b), (a, b))
WRITES(rotate_toward3, (vector * a, vector *b, double t, double *r), (a, b, t, r))
GIVES(size_t, newton_size, (size_t n, size_t c), (n, c))
GIVES(tl_status, newton_build,
      (tl_newton_table * table, vector *t, vector *v, size_t n, size_t c, double *m, size_t *at),
      (table, t, v, n, c, m, at))
WRITES(newton, (const tl_newton_table *table, double t, double *r), (table, t, r))
WRITES(crossfade_newton,
       (const tl_newton_table *a, const tl_newton_table *b, double t, double w, double *r),
       (a, b, t, w, r))
GIVES(size_t, track_size, (size_t o, size_t n, size_t c), (o, n, c))
GIVES(tl_status, track_build,
      (tl_track_table * table, size_t o, vector *t, vector *v, size_t n, size_t c, double *m,
       size_t *at),
      (table, o, t, v, n, c, m, at))
WRITES(track, (const tl_track_table *table, double t, double *r), (table, t, r))
GIVES(size_t, curve_size, (size_t n), (n))
GIVES(tl_status, curve_build,
      (tl_curve_table * table, key *k, size_t n, tl_wrap b, tl_wrap a, double *m, size_t *at),
      (table, k, n, b, a, m, at))
GIVES(double, curve, (const tl_curve_table *table, double t), (table, t))
GIVES(double, crossfade, (const tl_curve_table *a, const tl_curve_table *b, double t, double w),
      (a, b, t, w))
WRITES(curve_many, (const tl_curve_table *table, vector *t, size_t n, double *r), (table, t, n, r))
WRITES(crossfade_many,
       (const tl_curve_table *a, const tl_curve_table *b, vector *t, vector *w, size_t n,
        double *r),
       (a, b, t, w, n, r))
END
"${compile[@]}" -I"$source/impl" -shared wrapped.c wrapped/objects/*.o -o wrapped.so -lm

# spoilt KIND FUNCTION NAME: what is left behind by calls of tl_NAME is found in a case of FUNCTION,
# of which the result is right
spoilt()
{
    SPOIL_KIND=$1 SPOIL=" $3 " run 1 eval "$2" "$2.csv" --impl ./wrapped.so
    says err "$2.csv:2: " "$2.csv:3: " "$(word "$1")"
    column out verdict | sort -u | same "$2, $1 by $3: verdicts" within
}

tried=0
for function in $(sed -n 's/^FUNCTION(\(.*\))$/\1/p' "$source/oracle/catalog.def"); do
    "$truelerp" draw "$function" typical --count 2 >"$function.csv"
    SPOIL='' run 0 eval "$function" "$function.csv" --impl ./wrapped.so
    silent err
    builders=
    case $function in
    newton | crossfade_newton) builders='newton_size newton_build' ;;
    track) builders='track_size track_build' ;;
    curve | crossfade) builders="curve_size curve_build ${function}_many" ;;
    esac
    for kind in $kinds flags errno; do
        for name in $function $builders; do
            spoilt "$kind" "$function" "$name"
            [ "$name" = "$function" ] || SPOIL_TAKES_BACK=1 spoilt "$kind" "$function" "$name"
            tried=$((tried + 1))
        done
    done
done
[ $tried -ge 200 ] || [ "$(uname -m)" != x86_64 ] || fail "only $tried calls spoil something"

# Memory that calls do not give back, any of them, is found by calling them again and again.
leaking()
{
    SPOIL_KIND=$2 SPOIL=" $4 " run "$1" gate "$3" --impl ./wrapped.so --contract-only \
        --samples 100 --no-instructions --json gate.json
}
for names in 'lerp lerp' 'newton newton_build' 'track track_size' 'curve curve_build' \
    'crossfade crossfade_many'; do
    # shellcheck disable=SC2086
    leaking 0 keep $names
    # shellcheck disable=SC2086
    leaking 1 leak $names
    says out 'two threads at once: environment:' 'leaks memory, about '
    [ "$(grep -c '"kind":' gate.json)" -eq 1 ] || fail "$names leaks memory, and what else?"
done
leaking 1 leak bezier bezier
grep -qE 'in case [0-9]+ of [a-z_]+: leaks memory, about (64|80) bytes each time$' out ||
    fail "64 bytes a call: $(cat out)"
shared early <<'END'
#include <math.h>
#include <stdlib.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    double *volatile piece = malloc(200);
    if (isnan(t)) {
        return a == b ? a : t;
    }
    free(piece);
    return t == 1 ? b : t == 0 || a == b ? a : isfinite(a - b) ? fma(t, b, fma(-t, a, a)) : NAN;
}
END
run 1 gate lerp --impl ./early.so --contract-only --samples 100 --no-instructions
grep -A1 'leaks memory, about 2[0-9][0-9] bytes each time$' out | grep -q ',nan\\n' ||
    fail "t NaN leaks: $(cat out)"

# What linking with -ffast-math does to the process that loads the object.
if [ "$(uname -m)" = x86_64 ] && echo "$lerp (void)b, (void)t; return a; }" >fast.c &&
    gcc -shared -fPIC -O1 -ffast-math -o fast.so fast.c 2>/dev/null; then
    got=0
    "$truelerp" eval lerp start.csv --impl ./fast.so >out 2>err || got=$?
    case $got in
    1) says err FTZ ;;
    0) ;; # from gcc 13 on, shared objects leave it alone
    *) fail "exit code $got with -ffast-math: $(cat err)" ;;
    esac
    column out verdict | sort -u | same 'verdicts with -ffast-math' within
fi

# The probes see what the machine does, not what the compiler folded: also if they are compiled to
# be contracted, and at any level under an environment that is spoilt at run time.
cat >probe.c <<'END'
const char *environment_fault(void);
int puts(const char *);
void spoil_here(void);
int main(void)
{
    spoil_here();
    const char *fault = environment_fault();
    puts(fault ? fault : "none");
    return 0;
}
END
probe()
{
    "${CC:-cc}" -w "$@" -o probe probe.c spoil.c "$source/oracle/environment.c" -lmpfr -lgmp -lm
    ./probe
}
echo 'void spoil_here(void) {}' >spoil.c
for level in -O0 -O2 '-O3 -flto'; do
    # shellcheck disable=SC2086
    probe $level -ffp-contract=off | same "the default at $level" none
done
if grep -qw fma /proc/cpuinfo 2>/dev/null && [ "$(uname -m)" = x86_64 ]; then
    probe -O2 -mfma -ffp-contract=off | same 'fma, not contracted' none
    probe -O2 -mfma -ffp-contract=fast | grep -q contracted || fail 'contraction goes unseen'
fi
for kind in $kinds; do
    [ "$kind" != x87_rounding ] || continue
    {
        spoiling "$kind"
        echo 'void spoil_here(void); void spoil_here(void) { spoil(); }'
    } >spoil.c
    for level in -O0 '-O3 -flto'; do
        # shellcheck disable=SC2086
        probe $level -ffp-contract=off | grep -qiE "$(word "$kind")|round|nearest" ||
            fail "$kind at $level goes unseen"
    done
done
