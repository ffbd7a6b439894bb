#!/usr/bin/env bash
# Where an output goes: through links, with the mode of what was there, and nothing left behind by a
# program that is ended.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
umask 022

printf 'a,b,t\n1,2,0.5\n' >cases.csv
run 0 eval lerp cases.csv
cp out expected.csv

# A link stays, and what it leads to is written in one step, where that is.
mkdir -p links target/deep
echo old >target/deep/old.csv
ln -s ../target/deep/old.csv links/relative.csv
ln -s "$PWD/links/relative.csv" links/twice.csv
ln -s ../target/deep/new.csv links/dangling.csv
for link in relative twice dangling; do
    run 0 eval lerp cases.csv --out links/$link.csv
    [ -L links/$link.csv ] || fail "$link.csv is no link any more"
    cmp links/$link.csv expected.csv || fail "$link.csv was not written"
done
[ ! -L target/deep/new.csv ] && cmp target/deep/new.csv expected.csv ||
    fail 'what a link led to was not made'
ln -s circle.csv links/circle.csv
run 2 eval lerp cases.csv --out links/circle.csv
says err links/circle.csv 'symbolic links'
ln -s nowhere/at/all.csv links/nowhere.csv
run 2 eval lerp cases.csv --out links/nowhere.csv
says err links/nowhere.csv 'No such file'
run 2 gate --contract-only --samples 100 lerp --no-instructions --json links/nowhere.csv
says err links/nowhere.csv 'cannot be written'
silent out # it is told before the work

# A path that can name no file, before the work.
for path in '' nowhere/ target/; do
    run 2 eval lerp cases.csv --out "$path"
    run 2 gate --contract-only --samples 100 lerp --no-instructions --json "$path"
    says err "$path: cannot be written"
    silent out
done

# A name as long as a name can be leaves no room for a longer one beside it.
mkdir long
letters=$(printf '%0255d' 0 | tr 0 n)
marks=$(printf '%0127d' 0 | sed 's/0/\xC3\xA9/g') # of two bytes, none of which stands alone
for name in "$letters" "${letters:6}" "${letters:7}" "$marks" "${marks}n" "n$marks"; do
    run 0 eval lerp cases.csv --out "long/$name"
    cmp "long/$name" expected.csv || fail "not written: $name"
    run 0 gate --contract-only --samples 100 lerp --no-instructions --json "long/$name"
    says "long/$name" '"verdict": "passed"'
done
[ "$(find long -type f | wc -l)" -eq 6 ] || fail "more than was asked for: $(ls long)"
for name in "${letters}n" "nn$marks"; do
    run 2 eval lerp cases.csv --out "long/$name"
    says err 'cannot be written: File name too long'
    run 2 gate --contract-only --samples 100 lerp --no-instructions --json "long/$name"
    says err 'cannot be written: File name too long'
    silent out
done
"$truelerp" eval lerp <(sleep 2) --out "long/n$marks" 2>err &
process=$!
tries=0
until [ "$(find long -type f | wc -l)" -eq 7 ] || [ $((tries += 1)) -gt 200 ]; do
    sleep 0.05
done
[ $tries -le 200 ] || fail 'a long name: nothing was begun'
find long -type f | iconv -f UTF-8 -t UTF-8 >/dev/null || fail 'half a character in a name'
wait $process || true

# Standard output by its name is what the shell has it be, with what stands there before and behind.
{
    echo before
    "$truelerp" eval lerp cases.csv --out /dev/stdout
    echo behind
} >file
cat <(echo before) expected.csv <(echo behind) | cmp - file || fail 'standard output in a file'
run 0 gate --contract-only --samples 100 lerp --no-instructions --json /dev/stdout
says out '"verdict": "passed"' 'passed, in '

# Nothing that is written takes the place of what is read, or of another output: it is told before
# the work, under whatever names and whether or not there is a file yet.
listed()
{
    find . -type f ! -name out ! -name err -printf '%p %i %s %T@\n' -o -type l -printf '%p %l\n' | sort
}
apart()
{
    local message=$1 before
    shift
    before=$(listed)
    run 2 "$@"
    says err "$message"
    silent out
    same "after $*" "$before" < <(listed)
}
mkdir -p two/accuracy
gate='gate --contract-only --samples 100 lerp --no-instructions'
run 0 gate --update --baseline two/base.json --samples 300 lerp --no-instructions
ln -s base.json two/link.json
ln two/base.json two/hard.json
ln -s ../two two/same
ln -s dangling two/points
for json in two/base.json two/link.json two/hard.json two/../two/base.json "$PWD/two/base.json"; do
    for kind in json markdown junit; do
        apart "--$kind would replace --baseline, two/base.json" \
            gate lerp --no-instructions --baseline two/base.json --$kind "$json"
    done
    apart "--baseline and --json lead to one file" \
        gate --update lerp --no-instructions --baseline two/base.json --json "$json"
done
for other in two/new two/same/new two/../two/new "$PWD/two/new"; do
    # shellcheck disable=SC2086
    apart '--json and --junit lead to one file' $gate --json two/new --junit "$other"
    # shellcheck disable=SC2086
    apart '--markdown and --junit lead to one file' $gate --markdown two/new --junit "$other"
    apart '--baseline and --markdown lead to one file' \
        gate --update lerp --no-instructions --samples 300 --baseline two/new --markdown "$other"
done
# shellcheck disable=SC2086
apart '--json and --junit lead to one file' $gate --json two/points --junit two/dangling
# shellcheck disable=SC2086
run 0 $gate --json two/new --junit two/other --markdown new # another directory's is another file
rm two/new two/other new
# shellcheck disable=SC2086
run 0 $gate --json /dev/null --junit /dev/null --markdown /dev/null
mkdir reports
cp two/base.json reports/baseline.json
apart '--json would replace the baseline, reports/baseline.json' \
    gate lerp --no-instructions --json reports/baseline.json
rm -r reports

cp cases.csv two/accuracy/accuracy.json
ln -s accuracy/accuracy.json two/cases
apart '--out would replace the cases, cases.csv' eval lerp cases.csv --json --out ./cases.csv
# shellcheck disable=SC2094
apart '--out would replace the cases' eval lerp - --json --out cases.csv <cases.csv
# as CSV it has all that it had, unless there are rows that cannot be read
cp cases.csv two/bad.csv
echo 1,2,x >>two/bad.csv
apart 'two/bad.csv: not replaced' eval lerp two/bad.csv --out two/bad.csv
apart 'two/same/bad.csv: not replaced' eval lerp two/bad.csv --out two/same/bad.csv
cp cases.csv two/good.csv
run 0 eval lerp two/good.csv --out two/good.csv
cmp two/good.csv expected.csv || fail 'results beside their cases'
run 2 eval lerp two/bad.csv --out two/judged.csv
cmp two/judged.csv expected.csv || fail 'rows that can be read'
apart 'the report would replace --inputs, two/cases' \
    report lerp --inputs two/cases --out two/accuracy
apart 'the shard would replace --inputs, cases.csv' \
    report lerp --inputs cases.csv --shard 1/2 --out ./cases.csv
printf 'time,value\n0,0\n1,2\n' >two/keys.csv
apart '--out would replace the keys, two/keys.csv' \
    eval curve --keys two/keys.csv cases.csv --out two/same/keys.csv
apart '--svg would replace the nodes, two/keys.csv' table two/keys.csv --svg two/same/keys.csv
# shellcheck disable=SC2094
apart '--svg would replace the nodes' table - --svg two/keys.csv <two/keys.csv
run 0 report lerp --samples 100 --shard 1/1 --out two/accuracy/accuracy.md
apart 'the report would replace a shard, two/accuracy/accuracy.md' \
    merge two/accuracy/accuracy.md --out two/accuracy
run 0 merge two/accuracy/accuracy.md --into two/accuracy/accuracy.md
run 0 merge two/accuracy/accuracy.md --out two/merged

# The mode of a file that is there stays; a new one has what the mask leaves.
echo old >own.csv
chmod 640 own.csv
run 0 eval lerp cases.csv --out own.csv
stat -c %a own.csv | same 'mode of an old file' 640
cmp own.csv expected.csv || fail 'an old file was not written'
run 0 eval lerp cases.csv --out new.csv
stat -c %a new.csv | same 'mode of a new file' 644
run 0 gate --contract-only --samples 100 lerp --no-instructions --json own.csv
stat -c %a own.csv | same 'mode of a file that gate writes' 640

# Ended while it reads: the file of before, and no other one, by the signal that was sent.
shared right <<'END'
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    return a + t * (b - a);
}
END
cp right.so kept.so
# shellcheck disable=SC2086
apart '--json would replace --impl, ./right.so' $gate --impl ./right.so --json right.so
apart '--out would replace --impl, ./right.so' eval lerp cases.csv --impl ./right.so --out right.so
apart 'the shard would replace --impl, ./right.so' \
    report lerp --impl ./right.so --shard 1/2 --out right.so
cmp right.so kept.so || fail 'the implementation was replaced'
rm kept.so
# Half an output is none, whichever process wrote it.
echo old >old.csv
for i in {1..400}; do
    echo "$i,2,0.5"
done | cat cases.csv - >many.csv
for impl in '' '--impl ./right.so'; do
    got=0
    # shellcheck disable=SC2086
    (ulimit -f 8 && exec "$truelerp" eval lerp many.csv $impl --out old.csv 2>err) || got=$?
    [ $got -eq 2 ] || fail "$impl, files of 8 KB: exit code $got"
    says err 'File too large'
    [ "$(cat old.csv)" = old ] || fail "$impl: half a file was put in place"
done
{
    sed '/^double.*;$/d; s/^{/{ for (int i = 0; i < 99; i++) close(i);/' right.c
} | cat <(echo 'int close(int);') - | shared closing
run 2 eval lerp cases.csv --impl ./closing.so --out old.csv
says err 'cannot be written'
[ "$(cat old.csv)" = old ] || fail 'an output that was closed was put in place'

# Killed: what loaded an implementation ends as well, and puts nothing in place.
mkfifo never
"$truelerp" eval lerp never --impl ./right.so --out old.csv &
process=$!
exec 3>never
children=
tries=0
until grandchildren=$(pgrep -P "${children:-$process}") && [ -n "$children" ] ||
    [ $((tries += 1)) -gt 200 ]; do
    children=$(pgrep -P $process) || true
    sleep 0.05
done
[ $tries -le 200 ] || fail 'no process of its own for an implementation'
{
    kill -KILL $process
    wait $process || true
} 2>/dev/null
tries=0
while ps -o stat= -p "$children,$grandchildren" | grep -qv ^Z; do # one that ended may stay as a zombie
    [ $((tries += 1)) -le 100 ] || fail 'what loaded an implementation goes on without its parent'
    sleep 0.05
done
exec 3>&-
[ "$(cat old.csv)" = old ] || fail 'killed, and yet it wrote'

# A terminal's signal goes to all processes at once; it is no doing of the implementation's.
mkdir ended
ulimit -c 0
for signal in INT QUIT; do
    for verb in 'gate --contract-only --no-instructions --json ended/out.json --samples' \
        'report --out ended/report --samples' 'hunt --out ended/hunt --minutes'; do
        most=1000000000
        [[ $verb != hunt* ]] || most=100
        rm -rf ended/*
        # shellcheck disable=SC2086
        setsid env --default-signal=INT,QUIT "$truelerp" $verb $most lerp --impl ./right.so \
            >out 2>err &
        process=$!
        tries=0 # until its workers are there
        until [ "$(pgrep -g $process | wc -l)" -ge 3 ] || [ $((tries += 1)) -gt 200 ]; do
            sleep 0.05
        done
        [ $tries -le 200 ] || fail "$verb: no workers"
        sleep 0.5
        kill -$signal -- -$process
        got=0
        wait $process 2>/dev/null || got=$?
        [ $got -gt 128 ] || fail "$signal $verb: exit code $got: $(cat out err)"
        kill -l $got | same "$signal $verb: ended by" $signal
        says err interrupted
        ! grep -qE 'ended the program|crash|SIG' out err || fail "$signal $verb: $(cat out err)"
        [ -z "$(find ended -name '*.??????' -o -name 'accuracy*' -o -name out.json)" ] ||
            fail "$signal $verb left $(find ended)"
    done
done
rm -rf ended/*
mkfifo cases
for signal in INT TERM HUP QUIT; do
    for impl in '' '--impl ./right.so'; do
        echo old >ended/out.csv
        # a job in the background ignores SIGINT, and so would the program
        # shellcheck disable=SC2086
        env --default-signal=INT,QUIT "$truelerp" eval lerp cases --out ended/out.csv $impl 2>err &
        process=$!
        exec 3>cases
        cat cases.csv >&3
        tries=0
        until [ "$(ls ended)" != out.csv ] || [ $((tries += 1)) -gt 200 ]; do
            sleep 0.05
        done
        [ $tries -le 200 ] || fail "$signal $impl: nothing was begun"
        kill -$signal $process
        got=0
        wait $process 2>/dev/null || got=$?
        exec 3>&-
        [ $got -gt 128 ] || fail "$signal $impl: exit code $got"
        kill -l $got | same "$signal $impl: ended by" $signal
        [ "$(ls ended)" = out.csv ] || fail "$signal $impl left $(ls ended)"
        [ "$(cat ended/out.csv)" = old ] || fail "$signal $impl: half a file was put in place"
    done
done
