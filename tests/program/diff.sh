#!/usr/bin/env bash
# truelerp diff: two accuracy reports, two baselines, and files that are neither.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

run 0 report lerp hermite --samples 400 --out one
run 0 report lerp hermite --samples 400 --jobs 3 --out two
run 0 diff one/accuracy.json two/accuracy.json
says out '0 worse, 0 better, 0 otherwise changed, 0 appeared, 0 vanished'
silent err
domains=$(sed -n 's/.* vanished; \([0-9]*\) domains compared/\1/p' out)
[ "$domains" -gt 20 ] || fail "only $domains domains compared"

# change FILE: one/accuracy.json with an edit of its text, from standard input a Python expression
# would be too much: sed on the lines of the first domain.
change()
{
    sed "$2" one/accuracy.json >"$1"
    ! cmp -s "$1" one/accuracy.json || fail "no change in $1"
}

# Each figure, worse in one direction and better in the other.
first()
{
    awk -v name="$1" '/"domains": \[/ { in_domains = 1 }
        in_domains && index($0, "\"" name "\":") { print NR; exit }' one/accuracy.json
}
for figure in max mean p99.9 share_of_bound share_misrounded; do
    line=$(first $figure)
    change changed.json "${line}s/: [0-9.e+-]*/: 0.9999999/"
    run 1 diff one/accuracy.json changed.json
    says out 'lerp, typical: ' '(worse)' '1 worse, 0 better'
    run 0 diff changed.json one/accuracy.json
    says out '(better)' '0 worse, 1 better'
    change changed.json "${line}s/: [0-9.e+-]*/: null/"
    run 1 diff one/accuracy.json changed.json
    says out '-> none (worse)'
    change changed.json "${line}s/: [0-9.e+-]*/: NaN/"
    run 2 diff one/accuracy.json changed.json
    says err "changed.json:$line:" 'a value should stand here'
    change changed.json "${line}s/: [0-9.e+-]*/: -1/"
    run 2 diff one/accuracy.json changed.json
    says err "changed.json:$line:" 'at least 0'
done
change changed.json "$(first share_of_bound)s/: [0-9.e+-]*/: 1.7976931348623157e+308/"
run 1 diff one/accuracy.json changed.json
says out '  share of bound ' ' % -> must be exact here (worse)'
line=$(first compared)
change changed.json "${line}s/: [0-9]*/: 1/"
run 1 diff one/accuracy.json changed.json
says out 'compared       25 -> 1 (worse)'
for finding in violation class_mismatch crash timeout environment fault undecided; do
    line=$(first $finding)
    change changed.json "${line}s/: 0/: 3/"
    run 1 diff one/accuracy.json changed.json
    says out '0 -> 3 (worse)'
    run 0 diff changed.json one/accuracy.json
done
line=$(grep -n '"K": 2' one/accuracy.json | head -n 1 | cut -d: -f1)
change changed.json "${line}s/: 2.0/: 4.0/"
run 1 diff one/accuracy.json changed.json
says out 'lerp: bound 2 -> 4 (worse)'

# What appears and what vanishes.
run 0 report lerp --samples 400 --out fewer
run 1 diff one/accuracy.json fewer/accuracy.json
says out 'hermite, typical: vanished' '15 vanished'
run 0 diff fewer/accuracy.json one/accuracy.json
says out 'hermite, typical: appeared' '15 appeared'
run 0 diff --markdown fewer/accuracy.json one/accuracy.json
says out '## What changed in accuracy' '- **hermite, typical**: appeared'
run 0 report lerp hermite --samples 400 --seed 2 --out other
run 1 diff one/accuracy.json other/accuracy.json
says out 'Not the same cases: 400 samples, seed 1 before, 400 samples, seed 2 now'

# Baselines.
run 0 gate --no-instructions --update --baseline a.json --samples 300 lerp hermite
run 0 diff a.json a.json
says out '0 worse' ' 66 domains compared'
sed -E '0,/"results": "[0-9a-f]{4}/s//"results": "0123/' a.json >b.json
run 0 diff a.json b.json
says out 'lerp, stored, stored: changed' '  result bits    ' '1 otherwise changed'
sed '0,/"max": "[^"]*", "p99.9": "[^"]*"/s//"max": "0x1p+4", "p99.9": "0x1p+4"/' a.json >b.json
run 1 diff a.json b.json
says out 'lerp, stored, stored: worse' '  max error      ' ' -> 16 (worse)'
run 1 diff --markdown a.json b.json
says out '- **lerp, stored**, stored: max error ' ' -> 16 (worse), p99.9 error'
sed 's/"costs": \[\]/"costs": [{"build": "x", "function": "lerp", "cases": 10, "instructions": 100}]/' \
    a.json >c.json
sed 's/"instructions": 100/"instructions": 101/' c.json >d.json
run 0 diff a.json c.json
says out 'lerp, instructions of x: appeared'
run 1 diff c.json a.json
says out 'lerp, instructions of x: vanished'
run 1 diff c.json d.json
says out 'lerp, instructions of x: 10.0 -> 10.1 a call (worse)'
run 0 diff d.json c.json
says out '(better)'
run 0 diff - a.json <a.json

# Files that cannot be compared.
run 2 diff one/accuracy.json a.json
says err 'a.json is a baseline and one/accuracy.json a report'
run 2 diff a.json one/accuracy.json
run 2 diff a.json missing.json
says err 'missing.json: cannot be read: No such file'
run 2 diff a.json
run 2 diff a.json a.json a.json
echo '{"schema": "truelerp-accuracy-2"}' >future.json
run 2 diff one/accuracy.json future.json
says err 'future.json:1:' 'that this program knows'
echo '[1, 2' >short.json
run 2 diff short.json a.json
says err 'short.json:2:' 'the end of the file'
head -c 20000 one/accuracy.json >short.json
run 2 diff one/accuracy.json short.json
says err 'short.json:'
sed 's/"name": "lerp",/"name": "lerp", "name": "lerp",/' one/accuracy.json >twice.json
run 2 diff one/accuracy.json twice.json
says err 'twice.json:' 'stands twice'
sed 's/"name": "near_ends",/"name": "typical",/' one/accuracy.json >twice.json
run 2 diff one/accuracy.json twice.json
says err 'lerp, typical stands in line'
sed '1,/"functions": \[/!d' one/accuracy.json >none.json
echo ']}' >>none.json
run 2 diff none.json none.json
says err 'nothing in it to compare'
for figure in 1e-400 1e400; do
    line=$(first max)
    change range.json "${line}s/: [0-9.e+-]*/: $figure/"
    run 2 diff one/accuracy.json range.json
    says err "range.json:$line:" "\"max\" is beyond the range of a double: $figure"
done
sed '0,/"max": "[^"]*"/s//"max": "0x1p-2000"/' a.json >range.json
run 2 diff a.json range.json
says err 'range.json:7:98:' '"max" is beyond the range of a double: 0x1p-2000'
printf '%0100000d' 0 | tr 0 '[' >deep.json
run 2 diff deep.json a.json
says err 'deep.json:1:' 'deep'
got=0
"$truelerp" diff a.json b.json >/dev/full 2>err || got=$?
[ $got -eq 2 ] || fail "exit code $got with a full standard output"
