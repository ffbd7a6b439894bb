#!/usr/bin/env bash
# truelerp draw: the cases that a report draws, as CSV.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

run 0 draw lerp typical --count 3
silent err
[ "$(wc -l <out)" -eq 4 ] || fail "three cases and a header: $(cat out)"
[ "$(head -n 1 out)" = a,b,t ] || fail "the header is $(head -n 1 out)"
cp out three
run 0 eval lerp three
[ "$(grep -c ',within$' out)" -eq 3 ] || fail "three cases to judge: $(cat out)"

run 0 draw lerp typical --case 2
[ "$(sed -n 2p out)" = "$(sed -n 4p three)" ] || fail "case 2 is $(sed -n 2p out)"
run 0 draw lerp typical --case 2 --seed 2
[ "$(sed -n 2p out)" != "$(sed -n 4p three)" ] || fail 'the seed does not matter'
run 0 draw lerp typical --case 2 --decimal
cp out decimal
run 0 eval lerp decimal
grep -q ',within$' out || fail "decimals read back: $(cat out)"

# a case that is too long to be written out is drawn again by the command that a report gives
run 0 report curve --samples 2000 --out many
command=$(python3 - many/accuracy.json <<'END'
import json, sys
for function in json.load(open(sys.argv[1]))["functions"]:
    for domain in function["domains"]:
        worst = domain["worst"]["share_of_bound"]
        if worst and worst["inputs"] is None:
            print(worst["eval"], "# %r" % worst["error_ulp"])
            sys.exit()
END
)
case $command in
'truelerp draw curve '*' | truelerp eval curve - # '*) ;;
*) fail "no case that is drawn again: $command" ;;
esac
# shellcheck disable=SC2086
set -- ${command%% |*}
shift
run 0 "$@"
cp out long
run 0 eval curve long
python3 - out "${command##*# }" <<'END' || fail "not the case of the report: $command"
import csv, sys
csv.field_size_limit(1 << 24)
rows = list(csv.DictReader(open(sys.argv[1])))
sys.exit(len(rows) != 1 or float(rows[0]["error_ulp"]) != float(sys.argv[2]))
END

run 2 draw
says err 'function and domain'
run 2 draw lerp
run 2 draw lerp nowhere
says err "no domain 'nowhere'" typical
run 2 draw lerps typical
says err "did you mean 'lerp'"
run 2 draw lerp typical --count 0
says err --count
run 2 draw lerp typical --case -1
says err --case
