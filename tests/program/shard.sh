#!/usr/bin/env bash
# truelerp report --shard and truelerp merge: any shards in any order make the report of one run;
# what is missing, there twice, of other work or damaged is refused.
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
ASAN_OPTIONS+=:handle_segv=0:handle_abort=0:detect_leaks=0

# strip DIR: the report without what may differ between two runs
strip()
{
    awk '/^  "run": \{/ { skip = 1 } !skip { print } /^  \},/ { skip = 0 }' "$1/accuracy.json"
    sed '$d' "$1/accuracy.md"
    sed 's/"run":{[^}]*}//' "$1/accuracy.html"
}

# equal DIR DIR: the same report but for its run
equal()
{
    cmp <(strip "$1") <(strip "$2") || fail "$1 and $2 differ"
}

# identical DIR DIR: the same files
identical()
{
    diff -rq "$1" "$2" || fail "$1 and $2 are not the same bytes"
}

# shards CODE DIR COUNT ARGUMENT...: all of them
shards()
{
    local code=$1 directory=$2 count=$3 i
    shift 3
    for ((i = 1; i <= count; i++)); do
        run "$code" report "$@" --shard $i/"$count" --out "$directory/$i"
    done
}

# Seven shards of everything, in two orders, are the report of one run.
run 0 report --samples 700 --out whole
[ "$(strip whole | wc -c)" -gt 500000 ] || fail 'compared almost nothing'
! strip whole | grep -q '"jobs"' || fail 'the object run was compared'
shards 0 seven 7 --samples 700
[ "$(echo seven/*)" = "$(echo seven/{1..7})" ] || fail "made: $(echo seven/*)"
run 0 merge seven/{3,1,7,5,2,4,6} --out merged
says out 'all within their bounds' merged/accuracy.html
silent err
equal whole merged
run 0 merge seven/{1..7} --out again
identical merged again
says merged/accuracy.md '`truelerp report --samples 700 --seed 1 --timeout 10`'

# The one shard of one is the whole, in any directory and by the name that it has by itself.
run 0 report --samples 700 --shard 1/1 --jobs 1
says out 'Shard 1 of 1' 'shard-1-of-1.jsonl'
run 0 merge shard-1-of-1.jsonl --out one
equal whole one

# In several steps.
run 0 merge seven/{7,2} --into some
says out 'without the shards 1, 3-6'
run 0 merge seven/{3,6,4} --into others
run 0 merge some seven/5 others --into most
run 2 merge most --out not_there
says err 'of 7 shards' 'missing: 1'
run 0 merge seven/1 most --out stepwise
identical merged stepwise
run 0 merge seven/{1..7} --into all
says out complete
run 0 merge all --out stepwise
identical merged stepwise

# About equally long: no two differ by more than a chunk and what a function's last chunk lacks.
shards 0 even 5 hermite slerp3 --samples 20000 --jobs 1
for i in 1 2 3 4 5; do
    grep -v '"domain":"stored"' even/$i | grep -o '"cases":[0-9]*' | awk -F: '{ sum += $2 } END { print sum }'
done | awk '{ sum += $1 } $1 < 6500 || $1 > 9500 { exit 1 } END { exit sum != 40000 }' ||
    fail "shards are not even: $(grep -o '"cases":[0-9]*' even/1)"
run 0 report hermite slerp3 --samples 20000 --out whole_two
run 0 merge even/* --out two
equal whole_two two
says two/accuracy.md '`truelerp report hermite slerp3 --samples 20000 --seed 1 --timeout 10`'

# More shards than there is work: some are empty, and that is no finding.
run 0 report lerp --samples 100 --seed 18446744073709551615 --out whole_lerp
shards 0 many 25 lerp --samples 100 --seed 18446744073709551615
run 0 merge many/* --out lerp
equal whole_lerp lerp

# A faulty implementation: findings, crashes, cases that are skipped, functions that are missing.
shared faulty <<'END'
#include <stdlib.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    if (b < -1e15 || t > 1e10) {
        abort();
    }
    return a + t * (b - a);
}
END
run 1 report --impl ./faulty.so --samples 3000 --out whole_faulty
shards 1 faulty 3 --impl ./faulty.so --samples 3000
says out 'lerp: crash in' 'Shard 3 of 3'
rm faulty.so
run 1 merge faulty/{2,3,1} --out merged_faulty
says out 'lerp: crash in' 'lerp: violation in' "--impl ./faulty.so" 'see above'
equal whole_faulty merged_faulty
says merged_faulty/accuracy.json '"crash": ' '"verdict": "crash"'
! grep -q '"skipped": 0,' <(sed '/"functions": \[/q' merged_faulty/accuracy.json) ||
    fail 'nothing was skipped'
says merged_faulty/accuracy.md 'the implementation lacks them: `lerp_cr`'
says merged_faulty/accuracy.html '"lerp_cr","hermite"'

# The user's own cases: those that the report shows travel in the shards.
awk 'BEGIN { print "a,b,t"; for (i = 0; i < 700; i++) print i / 7 "," i * i ",0." i }' >keys.csv
run 0 report lerp --inputs keys.csv --out whole_keys
shards 0 keys 3 lerp --inputs keys.csv
mv keys.csv gone
run 0 merge keys/{3,2,1} --out merged_keys
equal whole_keys merged_keys
sed 's/^1,/2,/' gone >keys.csv
cp gone keys.csv
echo '1,2' >>keys.csv
run 2 report lerp --inputs keys.csv --out whole_keys
shards 2 keys 3 lerp --inputs keys.csv
run 2 merge keys/{1..3} --out merged_keys
says err 'exit code 2'
equal whole_keys merged_keys

# Missing, there twice.
run 2 merge seven/{1,2,4,7} --out not_there
says err 'of 7 shards' 'missing: 3, 5-6'
run 2 merge seven/{1..7} seven/3 --out not_there
says err 'seven/3:1: this file is given twice'
! grep -q 'the other one' err || fail "one file given twice is called two: $(cat err)"
cp seven/2 copy
run 2 merge seven/{1..7} copy --out not_there
says err 'copy:1: shard 2 is there twice' 'seven/2'
run 2 merge most seven/5 --out not_there
says err 'seven/5:1: shard 5 is there twice' 'most'

# Of other work: every difference is named.
run 0 report lerp --samples 1000 --shard 1/2 --out first
foreign()
{
    local what=$1
    shift
    run 0 report "$@" --out second
    run 2 merge first second --out not_there
    says err 'second:1: not of the same work as first: ' "$what"
}
foreign 'seed is 2, not 1' lerp --samples 1000 --seed 2 --shard 2/2
foreign 'samples is 999, not 1000; timeout is 5, not 10' lerp --samples 999 --timeout 5 --shard 2/2
foreign 'functions is ["lerp","lerp_cr"], not ["lerp"]' lerp lerp_cr --samples 1000 --shard 2/2
foreign 'shards is 3, not 2' lerp --samples 1000 --shard 2/3
foreign 'inputs is "gone", not null' lerp --inputs gone --shard 2/2
# right
shared right <<'END'
#include <math.h>
double tl_lerp_cr(double a, double b, double t);
double tl_lerp_cr(double a, double b, double t)
{
    return a == 0 && b == 0 && t == 0 ? 0 : NAN;
}
END
run 1 report lerp_cr --samples 1000 --impl ./right.so --shard 1/2 --out first
says first '"implementation":"./right.so"' '"file":"./right.so"'
echo 'int other = 1;' >>right.c
"${CC:-cc}" -shared -fPIC -O1 -ffp-contract=off -o right.so right.c -lm
run 1 report lerp_cr --samples 1000 --impl ./right.so --shard 2/2 --out second
run 2 merge first second --out not_there
says err 'second:1: not of the same work as first: file_digest is "'
run 0 report lerp_cr --samples 1000 --shard 2/2 --out second
run 2 merge first second --out not_there
says err 'implementation is "truelerp' 'not "./right.so"'

# Of another program.
sed '1s/"format":"truelerp-shard-2"/"format":"truelerp-shard-1"/' seven/1 >other
run 2 merge other --out not_there
says err 'other:1: ' truelerp-shard-1 truelerp-shard-2
sed '1s/"version":"[^"]*"/"version":"0.0.1"/' seven/1 >other
run 2 merge seven/2 other --out not_there
says err 'other:1: was made by truelerp 0.0.1'
sed '1s/"source":"[^"]*"/"source":"0123"/' seven/1 >other
run 2 merge other seven/2 --out not_there
says err 'other:1: was made by' 'sources 0123'

# No shard at all.
run 2 merge whole/accuracy.json --out not_there
says err 'whole/accuracy.json:1: ' 'no shard file'
: >empty
run 2 merge empty --out not_there
says err 'empty:1: ' 'not whole'
run 2 merge . --out not_there
says err '.:1: cannot be read'
run 2 merge missing --out not_there
says err 'missing: cannot be read'
head -c 100000 /dev/zero >zero
run 2 merge zero --out not_there
says err 'zero:1: '
head -c 100000 /dev/zero | tr '\0' '[' >deep
run 2 merge deep --out not_there
says err 'deep:1: '

# Cut off anywhere, and changed anywhere: the message names the file and a line.
run 0 report lerp --samples 3000 --shard 1/3 --out part
size=$(wc -c <part)
lines=$(wc -l <part)
run 2 merge part --out not_there
says err 'missing: 2-3'
for ((i = 0; i < 40; i++)); do
    at=$((size * i / 40 + i % 7))
    head -c $at part >"cut"
    run 2 merge cut --out not_there
    grep -qE '^truelerp: cut:[0-9]+: ' err || fail "cut at $at: $(cat err)"
    { head -c $at part && printf '%b' "\\x3$((i % 10))" && tail -c +$((at + 2)) part; } >changed
    ! cmp -s part changed || continue
    run 2 merge changed --out not_there
    grep -qE '^truelerp: changed:[0-9]+: ' err || fail "changed at $at: $(cat err)"
done
head -n $((lines - 1)) part >"cut"
run 2 merge cut --out not_there
says err "cut:$lines: the file is not whole"
{ cat part && echo '{}'; } >"cut"
run 2 merge cut --out not_there
says err "cut:$((lines + 1)): " 'behind the last line'
sed "s/\"zero\":/\"zero\" :/" part >changed
run 2 merge changed --out not_there
says err "changed:$lines: the file is damaged"
[ ! -e not_there ] || fail 'a report was made of it'

# Wrong usage; places that cannot be written to, before the work is done.
for shard in 0/7 8/7 7 /7 7/ 1/1000001 1/0 a/b 1.5/2 -1/2 1/2/3 99999999999999999999999999/7; do
    run 2 report lerp --samples 100 --shard $shard
    says err --shard
done
run 2 merge
run 2 merge part --into a --out b
says err --into
start=$SECONDS
run 2 report --samples 1000000000 --shard 1/2 --out part/shard
says err part
run 2 report --samples 1000000000 --shard 1/2 --out seven
says err 'seven: is a directory'
[ $((SECONDS - start)) -lt 10 ] || fail 'worked before it looked where to write'
run 2 merge seven/{1..7} --out part
says err part
run 2 merge seven/1 --into part/some
says err part/some

# An interrupt leaves nothing, and what was there as it was.
cp part before
got=0
timeout --preserve-status --signal=INT --kill-after=30 1 \
    "$truelerp" report --samples 1000000000 --shard 1/2 --out part 2>err || got=$?
[ $got -eq 130 ] || fail "interrupted: exit code $got"
cmp part before || fail 'interrupted: the file of before was touched'
[ "$(echo part*)" = part ] || fail "interrupted: left $(echo part*)"

# By GNU parallel.
if command -v parallel >/dev/null; then
    parallel --will-cite -j 2 "$truelerp" report --samples 700 --jobs 1 --shard {}/4 \
        --out parallel/{}.jsonl ::: 1 2 3 4 >out 2>err || fail "parallel: $(cat out err)"
    run 0 merge parallel/*.jsonl --out by_parallel
    equal whole by_parallel
else
    echo 'not tried: GNU parallel is not installed'
fi

# As an indexed job: what the manifest's pods would do.
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - "$source_tree/reports/kubernetes.yaml" >pod.sh <<'END' || fail 'kubernetes.yaml is not what it should be'
import sys
import yaml

with open(sys.argv[1]) as file:
    documents = list(yaml.safe_load_all(file))
assert len(documents) == 1
job = documents[0]
assert job["apiVersion"] == "batch/v1" and job["kind"] == "Job"
spec = job["spec"]
assert spec["completionMode"] == "Indexed"
pod = spec["template"]["spec"]
assert pod["restartPolicy"] == "Never"
(container,) = pod["containers"]
(shards,) = [entry["value"] for entry in container["env"] if entry["name"] == "SHARDS"]
assert shards == str(spec["completions"]) == str(spec["parallelism"])
(mount,) = container["volumeMounts"]
assert mount["mountPath"] == container["workingDir"]
assert mount["name"] in [volume["name"] for volume in pod["volumes"]]
assert container["command"] == ["sh", "-c"]
(script,) = container["args"]
assert "--samples 100000000" in script
print(script.replace("--samples 100000000", "--samples 700"))
END
    mkdir pods
    for index in 0 1 2; do
        (cd pods && JOB_COMPLETION_INDEX=$index SHARDS=3 sh ../pod.sh) >out 2>err ||
            fail "pod $index: $(cat out err)"
    done
    run 0 merge pods/*.jsonl --out by_pods
    equal whole by_pods
else
    echo 'not tried: the manifest, for python3-yaml is not installed'
fi
