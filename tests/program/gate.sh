#!/usr/bin/env bash
# truelerp gate: what it compares, finds, writes and refuses.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
impl=$(realpath "$(dirname "$0")/../../impl" 2>/dev/null || true)
[ -e "$impl/lerp.c" ] || impl=$(realpath "$OLDPWD/$(dirname "$0")/../../impl")

# variant NAME HOW...: a library with tl_lerp, and tl_lerp_cr if HOW has -DBOTH, in NAME/lib.so
variant()
{
    mkdir -p "$1"
    "${CC:-cc}" -std=c17 -O1 -ffp-contract=off -shared -fPIC -I "$impl" "${@:2}" \
        -o "$1/lib.so" variant.c -lm
}
cat >variant.c <<'EOF'
#define TL_VARIANT baseline
#define TL_PUBLIC 0
#include "lerp.c"
#include <fenv.h>
#include <stdlib.h>
#ifdef SPOIL
__attribute__((constructor)) static void spoil(void) { fesetround(FE_UPWARD); }
#endif
double tl_lerp(double a, double b, double t)
{
    double exact = tl_lerp_cr_baseline(a, b, t);
#ifdef PLAIN
    exact = tl_lerp_baseline(a, b, t);
#endif
#ifdef SIGN /* the sign of a zero that is not given bit for bit */
    exact = exact == 0 && t != 0 && t != 1 && a != b ? -exact : exact;
#endif
#ifdef ONE_NAN
    exact = t == 0.5 ? NAN : exact;
#endif
#ifdef CRASH
    if (t == 0.5) abort();
#endif
#ifdef SLOW
    for (volatile int i = 0; i < 50; i++) {}
#endif
    return exact;
}
#ifdef BOTH
double tl_lerp_cr(double a, double b, double t) { return tl_lerp_cr_baseline(a, b, t); }
#endif
EOF
variant good
variant both -DBOTH
variant plain -DPLAIN
variant sign -DSIGN
variant nan -DONE_NAN
variant crash -DCRASH
variant slow -DSLOW
variant spoil -DSPOIL

# gate CODE ARGUMENT...: without counting, which takes valgrind a second for each function
gate()
{
    run "$1" gate --no-instructions "${@:2}"
}

# A baseline, the same with any number of jobs and in a second run; the gate passes then.
gate 0 --update --baseline one.json --samples 300 --jobs 1 lerp hermite cubic_roots newton
says out 'Baseline: one.json' 'all within their bounds'
gate 0 --update --baseline two.json --samples 300 --jobs 3 lerp hermite cubic_roots newton
cmp one.json two.json || fail 'other jobs make another baseline'
gate 0 --update --baseline two.json
[ "$(wc -l <two.json)" -gt 600 ] || fail 'all functions, and the baseline has too few lines'
cp two.json all.json
gate 0 --update --baseline two.json --jobs 4
cmp two.json all.json || fail 'a second run makes another baseline'
gate 0 --baseline two.json lerp slerp3
says out 'as before' 'passed'
! grep -q finding out || fail "$(cat out)"
gate 0 --baseline two.json --quick hermite
LC_ALL=C awk 'length > 80 { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
silent err

# More samples than the baseline has are judged by the bounds; fewer are refused.
gate 0 --baseline two.json --samples 5000 lerp
says out 'more samples         16       5000' 'samples              16        300'
gate 2 --baseline two.json --samples 100 lerp
says err 'compares less than the baseline has'
gate 0 --baseline two.json --samples 30 lerp
says out 'samples              16         30'
! grep -q 'more samples' out || fail "fewer than the baseline has, and more of them: $(cat out)"
# A function alone: five times as many.
gate 0 --baseline two.json lerp
says out 'more samples         16       1500' 'samples              16        300'
gate 0 --baseline two.json lerp hermite
! grep -q 'more samples' out || fail "more samples, of two functions: $(cat out)"
gate 0 --baseline two.json --quick lerp
! grep -q 'more samples' out || fail "more samples, with --quick: $(cat out)"
gate 0 --contract-only --samples 100 lerp
says out 'against its bounds alone' 'within'

# The built-in baseline can be read wherever the program is run. (Whether this build is as it says is
# the gate's own business.)
"$truelerp" gate --no-instructions --quick lerp >out 2>err || [ $? -eq 1 ] || fail "$(cat out err)"
says out 'built-in baseline.json' 'samples              16'
run 2 gate nonsense
says err "no function 'nonsense'"

# An implementation of one's own.
gate 2 --impl good/lib.so
says err '--baseline FILE' '--contract-only'
gate 0 --impl good/lib.so --contract-only --samples 300
gate 0 --impl good/lib.so --update --baseline own.json --samples 3000
cp own.json kept.json
gate 0 --impl good/lib.so --baseline own.json
says own.json '"implementation": "lib.so"'
! grep -q good own.json || fail 'a path in the baseline'

# Worse: function, domain, figure, old and new value, the command, the baseline's line.
gate 1 --impl plain/lib.so --baseline own.json --markdown plain.md --json plain.json \
    --junit plain.xml --annotate github
says out 'lerp, typical: regression, own.json:' 'max error' 'mean error' 'misrounded' \
    'result bits' '(worse)' 'failed' '--impl plain/lib.so' '::error file=own.json,line='
line=$(sed -n 's/^lerp, typical: regression, own.json:\([0-9]*\).*/\1/p' out)
sed -n "${line}p" own.json | grep -q '"domain": "typical", "cases": 188' || fail "line $line of own.json"
command=$(sed -n '/^lerp, typical: regression/,/printf/s/^  \(printf .*\)$/\1/p' out | head -n 1)
max=$(sed -n '/^lerp, typical: regression/,/printf/s/^  max error .*-> \([0-9.]*\) (worse)/\1/p' out | head -n 1)
bash -c "$command" >shown || fail "exit code $?: $command"
LC_ALL=C awk -v max="$max" -v error="$(column shown error_scaled)" \
    'BEGIN { d = max - error; if (!(d < 1e-5 && d > -1e-5)) exit 1 }' ||
    fail "the worst input has not the error $max: $(cat shown)"
gate 1 --impl plain/lib.so --baseline own.json --allow-improvement

# Better: only with leave, and never silently.
gate 0 --impl plain/lib.so --update --baseline plain_own.json --samples 3000
gate 1 --impl good/lib.so --baseline plain_own.json
says out 'improvement' '(better)' 'failed' 'truelerp gate --update'
# the advice, as it is printed, makes this gate pass
mkdir "it's new"
cp plain_own.json "it's new/base line.json"
cp good/lib.so "it's new"
gate 1 --impl "it's new/lib.so" --baseline "it's new/base line.json" lerp
advice=$(sed -n 's/^If this is meant to be: \(.*\), and review it.s new.base line.json$/\1/p' out)
[[ $advice == *' lerp' ]] || fail "the names as they were given: '$advice' in $(cat out)"
bash -c "${advice/gate/gate --no-instructions}" >advised || fail "$advice: $(cat advised)"
[ ! -e reports ] || fail "$advice: another baseline was written"
gate 0 --impl "it's new/lib.so" --baseline "it's new/base line.json" lerp
! grep -q '^lerp, typical: regression' out || fail "better is worse: $(cat out)"
gate 0 --impl good/lib.so --baseline plain_own.json --allow-improvement
says out 'improvement (allowed)' 'passed; allowed: '

# Neither, but other bits.
gate 1 --impl sign/lib.so --baseline own.json
says out 'lerp, boundary: change, own.json:' 'lerp, climb: change' 'result bits' '(changed)'
! grep -qE 'regression|improvement|mismatch' out || fail "a zero's sign counts for more: $(cat out)"
gate 0 --impl sign/lib.so --baseline own.json --allow-improvement

# Outside: a NaN, a crash. Neither is ever recorded, nor allowed.
gate 1 --impl nan/lib.so --baseline own.json --allow-improvement
says out 'class mismatch' 'lerp, typical: regression' 'measured'
! grep -q 'truelerp gate --update' out || fail 'a new baseline for a NaN'
command=$(sed -n '/^lerp, climb: class mismatch/,/printf/s/^  \(printf .*\)$/\1/p' out | head -n 1)
bash -c "$command" >shown && fail "not the climb's finding: $command" || true
says shown 'class mismatch'
for broken in nan crash; do
    gate 1 --impl $broken/lib.so --update --baseline own.json
    says err 'not written' 'nothing that is outside is ever recorded'
    cmp own.json kept.json || fail "$broken was recorded"
done
gate 1 --impl crash/lib.so --contract-only --samples 300
says out 'crash' 'killed by SIGABRT'

gate 1 --impl spoil/lib.so --baseline own.json --allow-improvement --junit spoil.xml
says out 'environment' 'loading it changed'
says spoil.xml 'failures="1"'
gate 1 --impl spoil/lib.so --update --baseline own.json
cmp own.json kept.json || fail 'what spoils the environment was recorded'

# A function, a domain, a case that is not there any more; one that is new.
gate 0 --impl both/lib.so --update --baseline both.json --samples 300
gate 1 --impl good/lib.so --baseline both.json --allow-improvement
says out 'lerp_cr, typical: missing, both.json:' 'cases of the baseline were not tried any more'
gate 1 --impl both/lib.so --baseline own.json
says out 'lerp_cr, typical: new' 'not in the baseline'
gate 0 --impl both/lib.so --baseline own.json --allow-improvement
sed 's/"domain": "typical"/"domain": "former"/' own.json >former.json
gate 1 --impl good/lib.so --baseline former.json
says out 'lerp, former: missing' 'lerp, typical: new'
sed -E 's/("domain": "typical", "cases": )188, "compared": 188/\1189, "compared": 189/' own.json >more.json
gate 1 --impl good/lib.so --baseline more.json --allow-improvement
says out 'compared       189 -> 188 (worse)'
sed -E '0,/"inputs": "[0-9a-f]{4}/s//"inputs": "0123/' own.json >cases.json
gate 1 --impl good/lib.so --baseline cases.json --allow-improvement
says out 'inputs  ' '(worse)'
gate 0 --impl good/lib.so --update --baseline more.json
cmp more.json own.json || fail 'an update of a changed baseline'

# What the object lacks is said wherever it is not asked for by name.
gate 0 --impl good/lib.so --contract-only --samples 300 --json lacking.json --markdown lacking.md
says out 'not judged, for good/lib.so lacks them:' ' tl_lerp_cr tl_hermite ' 'tl_crossfade_newton'
! grep -qE ' tl_lerp( |$)' out || fail "what is there is lacking: $(cat out)"
LC_ALL=C awk 'length > 80 { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
grep -A2 '"lacking"' lacking.json | tr -d ' \n' | grep -qF '"lacking":["lerp_cr","hermite"' ||
    fail "$(cat lacking.json)"
says lacking.md 'Not judged, for the implementation lacks them: `lerp_cr`, `hermite`,'
says out 'instructions: left out, as --no-instructions asks for'
run 0 gate --impl good/lib.so --contract-only --samples 300 lerp
why='not counted, for --contract-only has nothing to compare counts with'
grep -qE "$why|: (a build with sanitizers|valgrind is not)" out ||
    fail "why nothing is counted: $(cat out)"
! grep -q 'baseline has no' out || fail "there is no baseline: $(cat out)"
! grep -q 'lacks them' out || fail "what was not asked for is lacking: $(cat out)"
gate 0 --contract-only --samples 300 lerp --json all_there.json
! grep -q 'lacks them' out || fail "the library lacks something: $(cat out)"
grep -A1 '"lacking"' all_there.json | tr -d ' \n' | grep -qF '"lacking":[]' ||
    fail "$(cat all_there.json)"

# An error just above its bound does not look as if it were the bound.
cat >variant.c <<'EOF'
#define TL_VARIANT baseline
#define TL_PUBLIC 0
#include "lerp.c"
double tl_lerp_cr(double a, double b, double t)
{
    double near = fma(t, b, fma(-t, a, a));
    return a == 0x1.0000000000001p+0 && t == 0.25 ? near : tl_lerp_cr_baseline(a, b, t);
}
EOF
variant above
gate 1 --impl above/lib.so --contract-only --samples 300
says out 'lerp_cr, stored: violation:' ', error 0.50000000' ' ulp where 0.5'
! grep -qE 'error (0\.50*) ulp where \1 is' out || fail "an error that is its bound: $(cat out)"

# A machine that refuses threads or memory is no fault of the function's, and what it lacks is said.
shared no_threads <<'EOF'
#include <errno.h>
int pthread_create(void *thread, void *attributes, void *act, void *context);
int pthread_create(void *thread, void *attributes, void *act, void *context)
{
    return EAGAIN;
}
EOF
shared no_memory <<'EOF'
#include <unistd.h>
static int first;
__attribute__((constructor)) static void start(void) { first = getpid(); }
int mpfi_add(void *sum, const void *a, const void *b);
int mpfi_add(void *sum, const void *a, const void *b) { _exit(getpid() == first ? 0 : 3); }
EOF
LD_PRELOAD=./no_threads.so gate 3 --contract-only --samples 300 lerp
says out 'lerp, two threads at once: fault:' \
    'this machine has not the threads to judge it: Resource temporarily unavailable'
LD_PRELOAD=./no_memory.so gate 3 --contract-only --samples 300 lerp
says out 'lerp, stored: fault:' 'this machine has not the memory to judge it'
! grep -q 'exit code 3' out || fail "$(cat out)"

# On a machine with much else to do, two threads get on all the same, and who interrupts them so
# often that they do not is not to be taken for a call that hangs.
hogs=()
for ((i = 0; i < 5 * $(nproc); i++)); do
    timeout 60 sh -c 'while :; do :; done' &
    hogs+=($!)
done
gate 0 --contract-only --samples 300 --timeout 3 lerp_cr
says out 'threads               1        400        400'
kill "${hogs[@]}"
wait "${hogs[@]}" || true

# Instruction counts.
if command -v valgrind >/dev/null && "$truelerp" --version | grep -q compiler &&
    valgrind --quiet --tool=callgrind --callgrind-out-file=/dev/null \
        "$truelerp" gate --count-instructions lerp >/dev/null 2>&1; then
    run 0 gate --impl good/lib.so --update --baseline own.json
    says own.json '"build": "lib.so", "function": "lerp", "cases": 500, "instructions": '
    cp own.json counted.json
    run 0 gate --impl good/lib.so --update --baseline own.json
    cmp own.json counted.json || fail 'another count in a second run'
    run 0 gate --impl good/lib.so --baseline own.json
    says out 'instructions          1        500        500'
    run 1 gate --impl slow/lib.so --baseline own.json --allow-improvement
    says out 'lerp, everyday data: regression' 'instructions' 'a call (worse)'
    run 0 gate --impl slow/lib.so --baseline own.json --cost-tolerance 1000
    # two in a hundred either way are no finding unless one asks for that; more are
    for share in 985:0:1 1015:0:1 975:1:1 1025:1:1; do
        IFS=: read -r parts usual strict <<<"$share"
        awk -v parts="$parts" '/"instructions": / {
            count = $0; sub(/.*"instructions": /, "", count); sub(/[^0-9].*/, "", count)
            sub(/"instructions": [0-9]+/, sprintf("\"instructions\": %.0f", count * parts / 1000)) }
            { print }' counted.json >near.json
        run "$usual" gate --impl good/lib.so --baseline near.json
        run "$strict" gate --impl good/lib.so --baseline near.json --cost-tolerance 0
    done
    gate 0 --impl good/lib.so --update --baseline own.json
    cmp own.json counted.json || fail 'an update that counts nothing forgets what was counted'
    run 0 gate --impl both/lib.so --baseline counted.json --samples 3000 lerp
    cp kept.json own.json
fi
mkdir -p nothing
PATH=/nonexistent run 0 gate --impl good/lib.so --baseline own.json --junit skipped.xml
grep -qE 'valgrind is not installed|does not run under valgrind' out || fail "$(cat out)"

# JUnit as its readers see it: the counts, whatever bytes a name has.
odd=$'x\x01\x1b[31m\xff\xfe<&>"]]>\xed\xa0\x80.so'
cp nan/lib.so "$odd"
gate 1 --impl "./$odd" --contract-only --samples 300 --junit hostile.xml --markdown hostile.md \
    --json hostile.json --annotate github
if command -v python3 >/dev/null; then
    python3 - <<'EOF' || fail 'JUnit'
import json, sys
import xml.etree.ElementTree as tree
def check(path, failures, skipped):
    root = tree.parse(path).getroot()
    assert root.tag == 'testsuites', root.tag
    total = [0, 0, 0, 0]
    for suite in root:
        cases = suite.findall('testcase')
        counts = [len(cases)] + [len(suite.findall('testcase/' + kind))
                                 for kind in ('failure', 'error', 'skipped')]
        said = [int(suite.get(name)) for name in ('tests', 'failures', 'errors', 'skipped')]
        assert counts == said, (path, suite.get('name'), counts, said)
        total = [a + b for a, b in zip(total, counts)]
    said = [int(root.get(name)) for name in ('tests', 'failures', 'errors', 'skipped')]
    assert total == said, (path, total, said)
    assert total[0] > 0 and (total[1] > 0) == failures and (total[3] > 0) == skipped, (path, total)
    return root
check('plain.xml', True, True)
check('skipped.xml', False, True)
root = check('hostile.xml', True, True)
assert '\ufffd[31m' in tree.tostring(root, encoding='unicode')
messages = [f.get('message') for f in root.iter('failure')]
assert any('mismatch' in f.get('type') for f in root.iter('failure')) and all(messages)
for path in ('plain.json', 'hostile.json'):
    gate = json.load(open(path, encoding='utf-8'))
    assert gate['schema'] == 'truelerp-gate-1' and gate['exit_code'] == 1, path
    findings = [f for check in gate['checks'] for f in check['findings']]
    assert findings and all(f['text'] or f['differences'] for f in findings), path
regressions = [f for f in findings if f['kind'] == 'regression']
gate = json.load(open('plain.json'))
assert any(d['figure'] == 'max error' and d['change'] == 'worse' and d['before'] != d['now']
           for check in gate['checks'] for f in check['findings'] for d in f['differences'])
EOF
fi
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$impl/../reports" <<'EOF' || fail 'a file is not as its schema says'
import json, sys
from jsonschema import Draft202012Validator as validator
for path, kind in (('plain.json', 'gate'), ('hostile.json', 'gate'), ('all.json', 'baseline'),
                   ('own.json', 'baseline'), (sys.argv[1] + '/baseline.json', 'baseline')):
    schema = json.load(open(f'{sys.argv[1]}/{kind}.schema.json'))
    validator.check_schema(schema)
    validator(schema).validate(json.load(open(path)))
EOF
fi
says plain.md '## truelerp gate: failed' '| `lerp` | 3000 |' '**lerp, typical**: regression' \
    '      printf '
says hostile.md 'class mismatch'

# Some editors begin a file with a byte order mark; it is no part of it, nor of what is in column 1.
printf '\xEF\xBB\xBF' | cat - own.json >marked.json
gate 0 --impl good/lib.so --baseline marked.json
run 0 diff own.json marked.json
printf '\xEF\xBB\xBF?' >marked.json
gate 2 --impl good/lib.so --baseline marked.json
says err 'marked.json:1:1: '
printf '\xEF\xBB\xBF\xEF\xBB\xBF{}' >marked.json
gate 2 --impl good/lib.so --baseline marked.json
says err 'marked.json:1:1: ' 'byte 0xef'

# Files that are no baseline: exit code 2, and where it is wrong.
refused()
{
    local path=$1
    shift
    cp "$path" before
    gate 2 --impl good/lib.so --baseline "$path"
    says err "$path" "$@"
    silent out
    gate 2 --impl good/lib.so --update --baseline "$path"
    cmp "$path" before || fail "$path was overwritten"
}
head -c 3000 own.json >short.json
refused short.json 'short.json:'
sed 's/truelerp-baseline-1/truelerp-baseline-2/' own.json >future.json
refused future.json 'future.json:2:' 'another version'
echo '{"schema": "truelerp-accuracy-1"}' >foreign.json
refused foreign.json 'foreign.json:1:' 'no baseline'
sed '0,/"max": "[^"]*"/s//"max": NaN/' own.json >nan.json
refused nan.json 'nan.json:' 'a value should stand here'
sed '0,/"max": "[^"]*"/s//"max": "nan"/' own.json >nan_text.json
refused nan_text.json 'nan_text.json:' 'hexadecimal figure'
sed '0,/"max": "[^"]*"/s//"max": "0x1p-2000"/' own.json >tiny.json
refused tiny.json 'tiny.json:7:98:' '"max" is beyond the range of a double'
sed '0,/"cases": [0-9]*/s//"cases": 1e999/' own.json >huge.json
refused huge.json 'huge.json:' 'whole number'
sed 's/"seed": 1,/"seed": 1, "seed": 2,/' own.json >twice.json
refused twice.json 'twice.json:4:' 'stands twice'
printf '%0100000d' 0 | tr 0 '[' >deep.json
refused deep.json 'deep.json:1:' 'deep'
: >empty.json
refused empty.json 'empty.json:1:1:' 'the end of the file'
head -c 100000 /dev/urandom >random.json
refused random.json 'random.json:'
gate 2 --baseline missing.json
says err 'missing.json: cannot be read: No such file'
gate 2 --baseline .
says err '.: '
gate 2 --baseline one.json --update --quick
gate 2 --baseline one.json --contract-only
gate 2 --quick --samples 100
gate 2 --annotate gitlab
says err "'github', not 'gitlab'"
gate 2 --update lerp
says err 'no reports/baseline.json here'
gate 2 --update --baseline one.json --samples 500 lerp
says err 'another number is for all of them'

# Places that cannot be written are told before the work, or when they vanish.
for output in --markdown --json --junit; do
    gate 2 --baseline two.json lerp $output nowhere/file
    says err 'nowhere/file: cannot be written'
    silent out
    gate 2 --baseline two.json lerp $output nothing
    says err 'nothing: cannot be written: Is a directory'
    gate 2 --baseline two.json lerp $output /dev/full
    says err '/dev/full: cannot be written: No space left on device'
    gate 0 --baseline two.json lerp $output /dev/null
done
gate 2 --impl good/lib.so --update --baseline nowhere/b.json
says err 'nowhere/b.json: cannot be written'
got=0
"$truelerp" gate --no-instructions --baseline two.json lerp >/dev/full 2>err || got=$?
[ $got -eq 2 ] || fail "exit code $got with a full standard output"
if unshare -rm true 2>/dev/null; then
    mkdir -p small
    # shellcheck disable=SC2016
    unshare -rm bash -c '
        mount -t tmpfs -o size=32k tmpfs small || exit 77
        "$1" gate --no-instructions --update --baseline small/b.json --samples 300 >out 2>err
        code=$?
        [ -z "$(ls -A small)" ] || exit 78
        exit $code' - "$truelerp" && got=0 || got=$?
    [ $got -eq 2 ] || [ $got -eq 77 ] || fail "exit code $got on a full disk: $(cat err)"
    [ $got -ne 2 ] || says err 'small/b.json: cannot be written: No space left'
fi

# The worse exit code wins: 2 before 1.
gate 2 --impl plain/lib.so --baseline own.json --json /dev/full
says out 'regression'

# Killed at any time, the baseline is the old or the new one, whole; an interrupt writes nothing.
cp two.json killed.json
for delay in 0.05 0.2 0.4 0.6 0.8 1; do
    "$truelerp" gate --no-instructions --update --baseline killed.json lerp hermite >/dev/null 2>&1 &
    process=$!
    sleep $delay
    kill -9 $process 2>/dev/null || true
    wait $process 2>/dev/null || true
    gate 0 --baseline killed.json lerp
done
cmp killed.json two.json || fail 'half-written'
"$truelerp" gate --no-instructions --baseline two.json --samples 1e9 lerp --json stopped.json \
    >out 2>err &
process=$!
sleep 1
kill -INT $process 2>/dev/null || true
kill -TERM $process
got=0
wait $process || got=$?
[ $got -ne 0 ] && [ ! -e stopped.json ] || fail "exit code $got after an interrupt"

# Two at once lose nothing of each other.
sed -E 's/"results": "[0-9a-f]{4}/"results": "0000/' all.json >shared.json
pids=()
for function in lerp hermite slerp3; do
    "$truelerp" gate --no-instructions --update --baseline shared.json $function >/dev/null 2>&1 &
    pids+=($!)
done
for process in "${pids[@]}"; do
    wait "$process" || fail 'an update beside another one'
done
for function in lerp hermite slerp3; do
    cmp <(grep "\"function\": \"$function\"" shared.json) \
        <(grep "\"function\": \"$function\"" all.json) || fail "an update of $function is lost"
done
cmp <(grep -v '"results"' shared.json) <(grep -v '"results"' all.json) || fail 'other lines changed'
[ -z "$(find . -name '*.json.??????')" ] || rm -f ./*.json.??????
