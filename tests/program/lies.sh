#!/usr/bin/env bash
# The floating-point environment: whatever is wrong with it before the start ends the program with
# exit code 3; whatever an implementation under test does to it is a finding and undone at once.
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
ASAN_OPTIONS+=:detect_leaks=0

printf 'a,b,t\n1,2,0\n0x1p-1074,1,0\n3,4,0\n' >start.csv

# spoiling HOW: C text of a function spoil() that does it
spoiling()
{
    echo '#include <fenv.h>'
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
    esac
}

kinds='up down zero'
[ "$(uname -m)" != x86_64 ] || kinds="$kinds ftz daz unmasked x87_precision x87_rounding"
lerp='double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t) {'

for kind in $kinds; do
    # before the start, in a library that is loaded with the program
    {
        spoiling "$kind"
        echo '__attribute__((constructor)) static void load(void) { spoil(); }'
    } | shared "before_$kind"
    if [ "$kind" != x87_rounding ]; then # long double rounds otherwise; no double does
        for verb in 'eval lerp start.csv' 'report lerp --samples 100 --out not_there' \
            'selftest lerp --samples 100'; do
            # shellcheck disable=SC2086
            LD_PRELOAD=$PWD/before_$kind.so run 3 $verb
            says err 'could be trusted'
            silent out
        done
        [ ! -e not_there/accuracy.json ] || fail "$kind: a report that nobody can trust"
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
