#!/usr/bin/env bash
# fuzz/run: what it builds for what it is asked, with a cmake that only tells how it was called.
# shellcheck source=common.bash
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$(dirname "$0")/common.bash"

mkdir -p tree/fuzz tree/.ci tree/build/fuzz bin
cp "$source_folder/fuzz/run" tree/fuzz
echo 'need() { :; }' >tree/.ci/need
printf '#!/bin/sh\necho "$@" >>"%s/started"\n' "$work" >tree/build/fuzz/overnight
cat >bin/cmake <<'EOF'
#!/bin/sh
case "$*" in
*'--target help')
    echo '... fuzz_lerp' # as make says it
    echo '... fuzz_lerp_cr'
    echo '... fuzz_lerp_replay'
    echo '... fuzz_lerp_coverage'
    echo 'fuzz_hermite: phony' # as ninja does
    echo 'fuzz_hermite_replay: phony'
    echo 'fuzz/fuzz_csv: phony'
    ;;
*--target*) echo "$*" | sed 's/.*--target //; s/ --parallel.*//' >>built ;;
esac
[ ! -e broken ]
EOF
chmod +x bin/cmake tree/build/fuzz/overnight
PATH=$work/bin:$PATH

# builds TARGETS ARGUMENT...: what is built, and the campaign gets all the arguments
builds()
{
    local targets=$1
    shift
    rm -f tree/built started
    bash tree/fuzz/run "$@" >out 2>err || fail "fuzz/run $*: exit code $?: $(cat out err)"
    same "fuzz/run $* builds" "$targets" <tree/built
    same "fuzz/run $* starts" "--binaries $work/tree/build/fuzz --out $work/tree/fuzz/out${*:+ $*}" <started
}
always='overnight truelerp_program seeds'
lerp='fuzz_lerp fuzz_lerp_replay fuzz_lerp_coverage'
hermite='fuzz_hermite fuzz_hermite_replay'
builds campaign
builds campaign --minutes 1
builds campaign --hours=8 -j 2 --impl lerp
builds "$always $lerp $hermite" --minutes 1 lerp hermite
builds "$always $lerp" lerp -m 1 -F --out hermite --timeout=3
builds "$always $lerp" fuzz_lerp --impl ./libmine.so -C
builds "$always $hermite fuzz_csv" --functions hermite,csv
builds "$always $hermite $lerp" -f hermite lerp
builds "$always" nonsense # which the campaign refuses
builds campaign --min 1 lerp # an abbreviation may have a value
says err 'the first time this takes minutes'

touch tree/broken
got=0
bash tree/fuzz/run lerp >out 2>err || got=$?
[ $got -eq 2 ] || fail "a build that fails: exit code $got"
says err 'The build failed'
