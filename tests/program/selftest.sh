#!/usr/bin/env bash
# truelerp selftest: the oracle against the second one, on ten thousand samples of each function
# (or as many as the second argument says), and how it tells.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
samples=${2:-10000}

run 0 selftest --samples "$samples"
silent err
LC_ALL=C awk 'length > 80 { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
# every function is compared, on all of its samples and at many precisions, and so is every estimate
"$truelerp" list --json >list
python3 - list out "$samples" <<'END'
import json, sys
names = {f["name"] for f in json.load(open(sys.argv[1]))}
samples = int(sys.argv[3])
tables = {}, {}
for line in open(sys.argv[2]):
    fields = line.split()
    if fields and fields[0] in names:
        table = tables[fields[0] in tables[0]]
        assert fields[0] not in table, line
        table[fields[0]] = [int(x) for x in fields[1:9] if x.isdigit()]
for table in tables:
    assert set(table) == names, names ^ set(table)
for name in names:
    compared, disagree, rule, filtered, ladder, estimates, judged, undecided = tables[0][name]
    answers, precisions, offered, within, violations, mismatches, undefined = tables[1][name]
    assert compared == answers == samples, (name, compared, answers)
    assert disagree == 0 and undecided == 0, (name, disagree, undecided)
    assert rule + filtered + ladder == compared, name
    assert within + violations + mismatches + undefined == compared, name
    assert min(within, violations, mismatches) > samples / 1000, (name, tables[1][name])
    # half of the samples are scattered over the precisions from 64 to 2048 bits
    assert min(samples / 10, 1000) < precisions <= 1985, (name, precisions)
    assert ladder > 0 and filtered <= estimates == offered, (name, estimates, offered)
    # of wrapped curves what is right at the time itself is judged again
    share = {"curve": 0.7, "crossfade": 0.7}.get(name, 0.95)
    assert judged > share * compared, (name, judged)
END

# the same samples whatever the jobs, others with another seed
run 0 selftest lerp slerp3 --samples 500 --jobs 1
cp out one
run 0 selftest lerp slerp3 --samples 500 --jobs 3
cmp one out || fail 'three jobs tell another story'
[ "$(sed '/^$/,$d' out | wc -l)" -eq 3 ] || fail "two functions: $(cat out)"
run 0 selftest lerp slerp3 --samples 500 --seed 2
cmp -s one out && fail 'the seed does not matter'

run 2 selftest no_such_function
says err 'no_such_function'
run 2 selftest --samples 0
run 2 selftest --jobs none

# an interrupt ends it, and what was compared is told
got=0
timeout --signal=INT 2 "$truelerp" selftest --samples 1e9 >out 2>err || got=$?
[ $got -ne 0 ] || fail 'an interrupt looks like success'
says err interrupted
says out slerp3
