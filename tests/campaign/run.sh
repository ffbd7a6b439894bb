#!/usr/bin/env bash
# The overnight campaign on targets with planted faults: each must be reported as what it is; and
# whatever ends a campaign in the middle, nothing is lost.
# Usage: run.sh BUILD TESTS_BUILD [PART...], where a part is a function below
set -euo pipefail
build=$(realpath "$1")
tests=$(realpath "$2")
overnight=$build/overnight
folder=$(mktemp -d)
# a name that a shell or a format would take for more
work="$folder/it's a 100% place"
mkdir "$work"
mounted=
cleanup()
{
    [ -z "$mounted" ] || umount "$mounted"
    rm -rf "$folder"
}
trap cleanup EXIT
cd "$work"
export PATH=$build:$PATH
began=$SECONDS

fail()
{
    echo "campaign: $*" >&2
    exit 1
}

# targets FOLDER NAME...: a folder with these planted targets
targets()
{
    local folder=$1 name
    shift
    mkdir "$folder"
    for name in "$@"; do
        cp "$tests/planted/fuzz_$name" "$folder/"
    done
}

# run CODE ARGUMENT...: the campaign must end with this exit code; leaves its output in `said`
run()
{
    local code=$1 got=0
    shift
    "$overnight" "$@" >said 2>&1 || got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, not $code: $(tail -n 30 said)"
}

# says FILE TEXT...: each text stands in the file
says()
{
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" || fail "no '$text' in $file: $(head -c 3000 "$file")"
    done
}

# field OUT TARGET NAME: what the JSON page says of a target
field()
{
    awk -v target="\"$2\"" -v name="\"$3\":" '
        /"findings":\[/ { exit }
        $1 ~ /^"name":/ { mine = index($0, target) }
        mine && index($1, name) == 1 { sub(/^[^:]*: */, ""); sub(/^ *"[^"]*":/, "")
            gsub(/[",]/, ""); print; exit }' "$1/overnight.json"
}

# kinds OUT TARGET [STATE]: the kinds of findings that the JSON page tells of the target
kinds()
{
    awk -v target="\"$2\"" -v state="\"${3:-}" '
        $1 ~ /^"target":/ { mine = index($0, target) }
        mine && $1 ~ /^"kind":/ { kind = $0; sub(/^ *"kind": *"/, "", kind); sub(/".*/, "", kind) }
        mine && $1 ~ /^"state":/ && index($0, state) { print kind }' "$1/overnight.json" |
        sort -u | paste -sd ,
}

is()
{
    [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

no_process_left()
{
    local tries=10
    while [ $tries -gt 0 ]; do
        pgrep -f "/$1/fuzz_" >/dev/null || return 0
        sleep 0.2
        tries=$((tries - 1))
    done
    fail "targets outlive the campaign"
}

# until_says FILE TEXT: waits for the text to stand there
until_says()
{
    local tries=600
    until grep -qsF -- "$2" "$1"; do
        [ $tries -gt 0 ] || fail "still no '$2' in $1: $(tail -n 5 "$1")"
        tries=$((tries - 1))
        sleep 0.1
    done
}

each_as_what_it_is()
{
    targets all good violation mismatch crash hang memory killed exit silent wordless unsteady seed
    # one stored case that fails must not keep the target from running
    mkdir -p all/seeds/seed
    printf '!planted' >all/seeds/seed/failing
    printf 'harmless' >all/seeds/seed/harmless
    run 1 --binaries all --out all_out --minutes 1 --timeout 4 --memory 300 --no-coverage
    is good "$(kinds all_out good)" ""
    is good "$(field all_out good verdict)" good
    is violation "$(kinds all_out violation fails)" violation
    is mismatch "$(kinds all_out mismatch fails)" "class mismatch"
    is crash "$(kinds all_out crash fails)" crash
    is hang "$(kinds all_out hang fails)" hang
    is memory "$(kinds all_out memory fails)" "out of memory"
    is killed "$(kinds all_out killed)" "out of memory"
    is exit "$(kinds all_out exit fails)" crash
    is silent "$(kinds all_out silent)" "nothing compared"
    is wordless "$(kinds all_out wordless)" "nothing compared"
    is unsteady "$(kinds all_out unsteady unsteady)" crash
    is seed "$(kinds all_out seed fails)" crash
    [ "$(field all_out seed judged)" -gt 1000 ] || fail "seed was kept from running"
    local name
    for name in violation mismatch crash hang memory killed exit silent wordless unsteady seed; do
        says all_out/overnight.xml "<testcase classname=\"fuzz\" name=\"$name\""
    done
    is failures "$(grep -c '<failure ' all_out/overnight.xml | awk '{ print ($1 >= 11) }')" 1
    says all_out/overnight.md "did not fail again by itself" \
        "'a,b,t' '1,2,3' | '${PWD//"'"/"'\\''"}/all/truelerp' eval lerp -" "a = 1, b = 2, t = 3"
    grep -qF "could not be merged" said && fail "a merge failed: $(grep merged said)"
    [ "$(find all_out/merged -type f | wc -l)" -eq 0 ] || fail "merges left something behind"
    says all_out/overnight.md "**hang: hang**" "**memory: out of memory**"
    # what the page tells one to run fails as the page says
    local input got=0
    input=$(find all_out/findings/crash -name 'crash-*' ! -name '*.*' | head -n 1)
    all/fuzz_crash "$input" >again 2>&1 || got=$?
    [ "$got" -ne 0 ] || fail "the input of the crash does not fail"
    says "$input.log" "AddressSanitizer: SEGV"
}

# With ten inputs of one finding, the target goes on past it, and finds a rare crash; the ten are
# all that is kept.
goes_on_beyond()
{
    run 1 --binaries "$build" --out beyond_out --minutes 1.5 --jobs 1 --no-coverage lerp \
        --impl "$tests/campaign_beyond.so"
    is "kinds beyond" "$(kinds beyond_out lerp fails)" "class mismatch,crash,violation"
    [ "$(grep -c '"kind": "violation"' beyond_out/overnight.json)" -ge 10 ] || fail "too few are kept"
    [ "$(field beyond_out lerp judged)" -gt 100000 ] || fail "it did not go on"
    says beyond_out/overnight.md "more that fail alike"
}

# One that crashes again and again is left alone after a quarter of its time, with ten inputs.
left_alone()
{
    targets alone often
    run 1 --binaries alone --out alone_out --minutes 1.5 --jobs 1 --no-coverage
    is findings "$(field alone_out often findings)" 1
    is "inputs" "$(field alone_out often failing_inputs)" 10
    is "inputs that are kept" "$(find alone_out/findings/often -name 'crash-*' ! -name '*.*' | wc -l)" 10
    [ "$(field alone_out often failing_alike)" -ge 20 ] || fail "it was given no other chance"
    says alone_out/overnight.html "1 finding, 10 inputs" "more that fail alike; left alone: in another" \
        "it only failed as is known"
    says alone_out/overnight.json '"outcome": "finished"'
}

# an implementation with a real fault, by the real target
a_real_fault()
{
    run 1 --binaries "$build" --out real_out --minutes 0.1 --no-coverage hermite \
        --impl "$tests/expanded_hermite.so"
    case $(kinds real_out hermite fails) in
    *violation* | *"class mismatch"*) ;;
    *) fail "expanded_hermite: $(kinds real_out hermite)" ;;
    esac
    says real_out/findings/hermite.csv expanded_hermite
    local command
    command=$(grep -h -m 1 'truelerp eval hermite' real_out/overnight.md)
    says said "truelerp eval hermite"
    bash -c "$command" >evaluated || true
    grep -qE 'violation|class mismatch' evaluated || fail "'$command' says $(cat evaluated)"
    # a target killed while it simplified its finding leaves the table alone
    rm -r real_out/findings/hermite
    run 1 --binaries "$build" --out real_out --minutes 0.02 --no-coverage hermite \
        --impl "$tests/expanded_hermite.so"
    says real_out/overnight.md "cases in the table of an earlier session" \
        "eval hermite '${PWD//"'"/"'\\''"}/real_out/findings/hermite.csv' --impl"
    # with another implementation, what was found is gone
    run 0 --binaries "$build" --out real_out --minutes 0.1 --no-coverage hermite
    says real_out/overnight.html "does not fail any more"
    # our own library passes, of what the other one lacks no finding is made, and names make it one
    run 0 --binaries "$build" --out own_out --minutes 0.1 --no-coverage hermite
    [ "$(field own_out hermite judged)" -gt 1000 ] || fail "hermite judged too little"
    run 2 --binaries "$build" --out lacks_out --minutes 0.05 --no-coverage slerp3 \
        --impl "$tests/expanded_hermite.so"
    says said "has no function tl_slerp3"
    run 2 --binaries "$build" --out some_out --minutes 0.2 --no-coverage hermite slerp3 \
        --impl "$tests/expanded_hermite.so"
    says some_out/overnight.md "0 of 1 targets passed, 1 cannot be fuzzed." \
        "not fuzzed: the implementation has no function tl\_slerp3"
}

# llvm-symbolizer waits for ever where a name has a double quote in it
quoted()
{
    local command
    mkdir 'the "quoted"'
    cd 'the "quoted"'
    targets all violation crash
    run 1 --binaries all --out out --minutes 0.05 --no-coverage --timeout 4
    is violation "$(kinds out violation fails)" violation
    is crash "$(kinds out crash fails)" crash
    command=$(grep -h 'all/fuzz_crash' out/overnight.md)
    timeout 60 bash -c "$command" >again 2>&1 && fail "'$command' does not fail"
    says again "AddressSanitizer: SEGV"
    cd ..
}

# rows OUT: of the table of lerp, but for its header
rows()
{
    tail -n +2 "$1/findings/lerp.csv" | wc -l
}

# where(OUT): at which places it failed, by the JSON page
where()
{
    sed -nE 's/^ *"where": "(.*)",/\1/p' "$1/overnight.json" | sort -u | paste -sd ,
}

# The library crashes, hangs or swells, most often within a climb, where the engine does not know
# the input: there must be one, a row of the table, and commands that show it again.
within_the_library()
{
    local kind name out code command limit
    for name in crash undefined hang memory; do
        out=within_$name
        kind=${name/memory/out of memory}
        kind=${kind/undefined/crash}
        limit=$(case $name in hang) echo 1 ;; *) echo 8 ;; esac) # swelling takes a while, too
        run 1 --binaries "$build" --out "$out" --minutes 0.2 --jobs 1 --timeout "$limit" \
            --memory 300 --no-coverage lerp --impl "$tests/campaign_$name.so"
        is "kinds of $name" "$(kinds "$out" lerp fails)" "$kind"
        is "verdict of $name" "$(field "$out" lerp findings)" \
            "$(case $name in crash) echo 2 ;; *) echo 1 ;; esac)"
        is "header of $name" "$(head -n 1 "$out/findings/lerp.csv")" "a,b,t,exact,source"
        # of each one as found, and of a crash a simpler one
        is "rows of $name" "$(grep -c 'as found; ' "$out/findings/lerp.csv")" \
            "$(field "$out" lerp findings)"
        case $name in
        crash | undefined)
            is "simple rows of $name" \
                "$(grep -cE '^-?0x[01]p\+0,-?0x[01]p\+0,.*, simplified; crash: ' "$out/findings/lerp.csv")" \
                "$(field "$out" lerp findings)"
            ;;
        esac
        says "$out/findings/lerp.csv" "as found; $kind: "
        grep -q "did not end" said && fail "$name: seen by the end of the slice alone"
        [ -z "$(find "$out/findings" -name '*-*' -size 0)" ] || fail "$name: an empty input"
        # the right library is within at these cases, so their exact answers are right, too
        truelerp eval lerp "$out/findings/lerp.csv" >evaluated || fail "$name: $(cat evaluated)"
        [ "$(grep -c within evaluated)" -eq "$(rows "$out")" ] || fail "$name: $(cat evaluated)"
        # both commands that the page tells one to run
        sed -n '/^```sh$/,/^```$/ { /^```/d; p }' "$out/overnight.md" >commands
        [ "$(wc -l <commands)" -eq $((2 * $(field "$out" lerp findings))) ] || fail "$name: $(cat commands)"
        while read -r command; do
            code=0
            timeout 20 bash -c "$command" >evaluated 2>&1 </dev/null || code=$?
            case $command:$name:$code in
            *" eval lerp "*:crash:1) says evaluated "AddressSanitizer" "the implementation ended" ;;
            *" eval lerp "*:undefined:1) says evaluated "shift exponent 40 is too large" ;;
            *" eval lerp "*:hang:1) says evaluated "did not return within" ;;
            *" eval lerp "*:memory:0) says evaluated within ;; # nothing bounds it there
            *fuzz_lerp*:crash:[1-9]*) says evaluated "AddressSanitizer" ;;
            *fuzz_lerp*:undefined:[1-9]*) says evaluated "shift exponent 40 is too large" ;;
            *fuzz_lerp*:hang:70) says evaluated "libFuzzer: timeout" ;;
            *fuzz_lerp*:memory:71) says evaluated "libFuzzer: out-of-memory" ;;
            *) fail "$name: '$command', code $code: $(tail -n 5 evaluated)" ;;
            esac
        done <commands
        says "$out/overnight.xml" "type=\"$kind\"" "eval lerp --impl"
        says "$out/overnight.html" "eval lerp --impl" "findings/lerp/"
    done
    is "places" "$(where within_crash)" "divide_by,read_nowhere"
    is "place" "$(where within_undefined)" "shift_too_far"
}

# What is judged in a slice counts, even if it is cut short.
cut_short()
{
    local campaign got judged
    "$overnight" --binaries "$build" --out cut_out --minutes 5 --jobs 1 --no-coverage lerp \
        >said 2>&1 &
    campaign=$!
    sleep 8
    kill -9 $campaign
    wait $campaign 2>/dev/null || true
    judged=$(od -A n -t u8 -j 16 -N 8 cut_out/progress/lerp.0 | tr -d ' ')
    [ "$judged" -gt 1000 ] || fail "the target left no count: $judged"
    env --default-signal=INT "$overnight" --binaries "$build" --out cut_out --minutes 5 --jobs 1 \
        --no-coverage lerp >said 2>&1 &
    campaign=$!
    sleep 4
    kill -INT $campaign
    wait $campaign || fail "exit code $? after SIGINT"
    says said "going on with the campaign"
    got=$(field cut_out lerp judged)
    [ "$got" -gt $((judged + 1000)) ] || fail "$got cases are said, $judged before SIGKILL"
    is verdict "$(field cut_out lerp verdict)" "cut short"
    [ -n "$(field cut_out lerp largest_error)" ] || fail "there is no largest error"
    says cut_out/overnight.html "slices that were cut short are counted"
    got=$(sed -nE 's/^  "seconds": ([0-9]+).*/\1/p' cut_out/overnight.json)
    [ "$got" -ge 8 ] || fail "$got s of 12 are known"
    judged=$(field cut_out lerp seconds)
    [ "${judged%.*}" -ge 6 ] || fail "lerp is said to have had $judged s of $got"
}

# one that hangs says nothing more, and would not notice that nobody listens
no_orphan()
{
    targets orphan hang
    "$overnight" --binaries orphan --out orphan_out --minutes 5 --timeout 300 --jobs 1 \
        --no-coverage >said 2>&1 &
    local campaign=$!
    until pgrep -f "/orphan/fuzz_" >/dev/null; do
        sleep 0.1
    done
    sleep 3
    kill -9 $campaign
    wait $campaign 2>/dev/null || true
    no_process_left orphan
}

kill_and_go_on()
{
    targets killing good crash
    "$overnight" --binaries killing --out kill_out --minutes 0.25 --no-coverage >said 2>&1 &
    local campaign=$!
    until_says said " judged"
    until_says kill_out/state.json '"judged"'
    sleep 0.5
    kill -9 $campaign
    wait $campaign 2>/dev/null || true
    no_process_left killing
    [ -s kill_out/overnight.html ] || fail "there is no page after SIGKILL"
    says kill_out/overnight.json '"outcome": "running"'
    local before files
    files=$(find kill_out/corpus/good kill_out/findings -type f ! -name '.*' | sort)
    before=$(awk -F'[:,]' '/"executions"/ { sum += $2 } END { print sum }' kill_out/state.json)
    [ "$before" -gt 0 ] || fail "nothing had been counted"
    # and killed while a merged corpus was put in place
    mkdir -p kill_out/before
    mv kill_out/corpus/good kill_out/before/good
    # a file that was about to be replaced
    echo half >kill_out/state.json.XYZ
    "$overnight" --binaries killing --out kill_out --minutes 0.25 --no-coverage >said 2>&1 &
    campaign=$!
    sleep 4
    kill -9 $campaign
    wait $campaign 2>/dev/null || true
    says said "going on with the campaign"
    local file
    for file in $files; do
        [ -e "$file" ] || fail "$file was lost"
    done
    run 1 --binaries killing --out kill_out --minutes 0.25 --no-coverage
    says said "going on with the campaign"
    is outcome "$(sed -nE 's/^ *"outcome": "(.*)",/\1/p' kill_out/overnight.json)" finished
    is crash "$(kinds kill_out crash fails)" crash
    [ "$(sed -nE 's/^  "executions": ([0-9]+),/\1/p' kill_out/overnight.json)" -ge "$before" ] ||
        fail "executions were forgotten"
    # mended: the finding is gone, the next campaign passes
    sleep 1
    touch killing/fuzz_*
    PLANTED_MENDED=1 run 0 --binaries killing --out kill_out --minutes 0.1 --no-coverage
    is crash "$(kinds kill_out crash gone)" crash
    says kill_out/overnight.html "does not fail any more"
}

interrupt()
{
    targets interrupting good
    local signal got pid
    declare -A campaigns
    for signal in INT TERM; do
        # a shell's background processes ignore SIGINT
        env --default-signal=INT "$overnight" --binaries interrupting --out "out_$signal" \
            --minutes 5 --jobs 1 --no-coverage >"said_$signal" 2>&1 &
        campaigns[$signal]=$!
    done
    for signal in INT TERM; do
        until_says "said_$signal" " judged"
        pid=${campaigns[$signal]}
        kill -$signal "$pid"
        got=0
        wait "$pid" || got=$?
        is "exit code after SIG$signal" "$got" 0
        says "out_$signal/overnight.json" '"outcome": "interrupted"'
        says "out_$signal/overnight.html" "Interrupted before its 5 min were over"
    done
    no_process_left interrupting
}

two_at_once()
{
    targets locking good
    "$overnight" --binaries locking --out lock_out --minutes 1 --no-coverage >first 2>&1 &
    local campaign=$!
    until_says lock_out/lock "$campaign"
    run 2 --binaries locking --out lock_out --minutes 1
    says said "another campaign (process $campaign) works in this folder"
    kill -TERM $campaign
    wait $campaign || true
}

full_disk()
{
    targets flooding flood good
    mkdir disk
    if mount -t tmpfs -o size=12m none disk 2>/dev/null; then
        mounted=$work/disk
        run 3 --binaries flooding --out disk/out --minutes 2 --no-coverage
        # whoever sees it first
        grep -qE "the disk is full|a target could not write: .*RECORDS" said || fail "$(cat said)"
        says disk/out/overnight.html "Ended early"
        says disk/out/overnight.xml "<error message="
        [ "$(find disk/out/corpus/good -type f | wc -l)" -gt 0 ] || fail "the corpus is lost"
        umount disk
        mounted=
    else
        echo "campaign: no file system can be mounted here, so none was filled"
    fi
    run 3 --binaries flooding --out large_out --minutes 2 --disk 8 --no-coverage
    says large_out/overnight.md "has reached 8 MB"
    targets no_room full good
    run 3 --binaries no_room --out no_room_out --minutes 1 --no-coverage
    says no_room_out/overnight.md "a target could not write: TRUELERP"
}

untrusted_and_usage()
{
    targets trust untrusted good
    run 3 --binaries trust --out trust_out --minutes 0.2 --no-coverage
    says trust_out/overnight.html "the planted machine rounds upwards"
    mkdir none
    run 2 --binaries none --out none_out
    run 2 --binaries trust --out none_out no_such_target
    run 2 --binaries trust --out none_out --minutes never
    run 2 --binaries trust --out none_out --jobs 0
    run 2 --binaries trust --out /proc/none
    run 2 --binaries trust --out none_out --impl none.so
}

parts=("${@:3}")
if [ ${#parts[@]} -eq 0 ]; then
    parts=(each_as_what_it_is left_alone quoted a_real_fault goes_on_beyond within_the_library
        cut_short no_orphan kill_and_go_on interrupt two_at_once full_disk untrusted_and_usage)
fi
for part in "${parts[@]}"; do
    "$part"
    echo "$part: $((SECONDS - began)) s"
done
echo "campaign: all as planted"
