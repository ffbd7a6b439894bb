#!/usr/bin/env bash
# The target of command lines gets through every verb and leaves no file, whatever is asked for.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
target=$(realpath "$build/fuzz_command_line_replay")
seeds=$(realpath "$build/seeds/command_line")
mkdir "$work/here"
cd "$work/here"
verb=0
for arguments in '--out=file\nlerp' 'lerp\n--out\nfile' '-o\nfile\nlerp\nfile' '--json'; do
    for verb in 0 1 2 3 4 5 6 7; do
        printf "\\$verb$arguments" >"$work/line$verb"
        check_code "verb $verb, $arguments" 0 "$target" "$work/line$verb"
    done
done
check_code "the seeds" 0 "$target" "$seeds"
check "many" grep -qE '^command_line: ([0-9]{2,}) runs, \1 cases judged$' "$work/out"
check "no file was written" [ -z "$(ls -A)" ]
finish
