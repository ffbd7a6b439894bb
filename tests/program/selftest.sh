#!/usr/bin/env bash
# truelerp selftest: the oracle against the second one, on ten thousand samples of each function
# (or as many as the second argument says), and how it tells.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
samples=${2:-10000}

run 0 selftest --samples "$samples"
silent err
LC_ALL=C awk 'length > 80 { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
# every function is compared, on all of its samples
"$truelerp" list --json >list
python3 - list out "$samples" <<'END'
import json, sys
names = {f["name"] for f in json.load(open(sys.argv[1]))}
rows = {}
for line in open(sys.argv[2]):
    fields = line.split()
    if fields and fields[0] in names:
        rows[fields[0]] = [int(x) for x in fields[1:9]]
assert set(rows) == names, names ^ set(rows)
for name, (compared, disagree, rule, filtered, ladder, estimates, verdicts, undecided) in rows.items():
    assert compared == int(sys.argv[3]), (name, compared)
    assert disagree == 0 and undecided == 0, (name, disagree, undecided)
    assert rule + filtered + ladder == compared, name
    assert ladder > 0 and filtered <= estimates, name
    # of roots only the counts are judged again, of wrapped curves what is right at the time itself
    share = {"cubic_roots": 0.1, "curve": 0.5, "crossfade": 0.5}.get(name, 0.9)
    assert verdicts > share * compared, (name, verdicts)
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
