#!/usr/bin/env bash
# truelerp report: the files, their reproducibility, the commands in them, the user's own cases.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

# without_run FILE: accuracy.json but for the one object that may differ
without_run()
{
    awk '/^  "run": \{/ { skip = 1 } !skip { print } /^  \},/ { skip = 0 }' "$1"
}

run 0 report --samples 2000 --jobs 1 --out one
says one/accuracy.md ' s with 1 job: '
says out 'all within their bounds' one/accuracy.html
for function in $("$truelerp" list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p'); do
    grep -q "^$function  *[1-9][0-9]* .* within$" out || fail "$function in: $(cat out)"
    says one/accuracy.json "\"name\": \"$function\""
    says one/accuracy.md "## $function"
done
LC_ALL=C awk 'length > 80 && !/printf/ { exit 1 }' out || fail "wider than 80 columns: $(cat out)"
silent err # no progress where there is no terminal
[ "$(echo one/*)" = 'one/accuracy.html one/accuracy.json one/accuracy.md' ] || fail "made: $(echo one/*)"

# The same bytes with any number of jobs, others with another seed.
for jobs in 2 5; do
    run 0 report --samples 2000 --jobs $jobs --out many
    cmp <(without_run one/accuracy.json) <(without_run many/accuracy.json) ||
        fail "$jobs jobs give another report"
    cmp <(sed '$d' one/accuracy.md) <(sed '$d' many/accuracy.md) ||
        fail "$jobs jobs give another accuracy.md"
done
[ "$(without_run one/accuracy.json | wc -l)" -gt 1000 ] || fail 'compared almost nothing'
! without_run one/accuracy.json | grep -q '"jobs"' || fail 'the object run was compared'
run 0 report --samples 2000 --seed 2 --out many
! cmp -s <(sed '1,/"functions": \[/d' one/accuracy.json) \
    <(sed '1,/"functions": \[/d' many/accuracy.json) || fail 'another seed gives the same cases'

# Every case that the report shows comes out the same when its command is pasted.
awk '
    /"error_ulp": [0-9]/ { ulp = $2 } /"error_scaled": [0-9]/ { scaled = $2 }
    /"bound": [0-9]/ { bound = $2 }
    /"eval": "/ { sub(/^ *"eval": "/, ""); sub(/",?$/, ""); gsub(/\\\\/, "\\")
                  print ulp scaled bound "within"; print }' one/accuracy.json | sed 's/,$//' >shown
commands=0
while read -r figures && read -r command; do
    bash -c "$command" >out 2>err || fail "exit code $?: $command"
    paste -d, <(column out error_ulp) <(column out error_scaled) <(column out bound) \
        <(column out verdict) | same "$command" "$figures"
    commands=$((commands + 1))
done < <(awk 'NR % 2 == 1 { figures = $0; next } !seen[$0]++ { print figures; print }' shown | head -n 120)
[ "$commands" -eq 60 ] || fail "tried $commands commands"
grep -qF "$(sed -n 2p shown)" one/accuracy.md || fail "accuracy.md lacks: $(sed -n 2p shown)"

# The largest known error: of the stored cases where they are worse, which count in no total. It must
# be no copy of what is stored, so it is judged of another implementation too.
says one/accuracy.md '## Largest known errors' '| function | largest known error |' '# stored, case '
grep -A1 '"largest_known": {' one/accuracy.json | grep -c '"domain": "stored"' | same hunted \
    "$(grep -c '^| `[a-z0-9_]*` | .* | `stored` | [^|]* |$' one/accuracy.md)"
grep -A1 '"largest_known": {' one/accuracy.json | grep -q '"domain": "stored"' ||
    fail 'no stored case is worse than 2000 drawn ones'
! grep -q '"name": "stored"' one/accuracy.json || fail 'stored cases pass for a domain'
says one/accuracy.html '"largest_known":{"domain":"stored"'
run 0 report lerp --samples 300 --out some
[ "$(grep -c '"cases": 300,' some/accuracy.json)" -eq 2 ] || fail 'stored cases count as drawn'
# strange
shared strange <<'END'
#include <stdlib.h>
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    if (a == 1e308 && b == -1e308 && t == 0.5) {
        abort();
    }
    if (t == 0 || a == b) {
        return a;
    }
    return t == 1 ? b : (double)(a * (1 - (long double)t) + (long double)b * t);
}
END
run 1 report lerp --samples 1 --impl ./strange.so --out some
says out 'lerp: crash in 1 case, first in domain stored, case 0' '--impl ./strange.so'
says some/accuracy.md '**crash** in `stored`' '## Largest known errors'
! grep -o 'first in domain [a-z_]*' out | grep -qv stored || fail "not only stored: $(cat out)"

# One page by itself, with the data in it and nothing fetched.
says one/accuracy.html "default-src 'none'" 'Chart.js v3' '"schema":"truelerp-accuracy-1"' \
    'Permission is hereby granted'
! grep -nE '(src|href)="?(https?:)?//|@import|url\(' one/accuracy.html ||
    fail 'the page wants something from outside'
! grep -q '{{' one/accuracy.html || fail 'a place in the page is not filled'

# What a user names cannot end a script element before its time.
mkdir '<'
printf 'a,b,t\n1,2,0.5\n' >'</script>.csv'
run 0 report lerp --inputs '</script>.csv' --out named
says named/accuracy.html '"inputs":"\u003c/script>.csv"'
[ "$(grep -o '</script' named/accuracy.html | wc -l)" -eq \
    "$(grep -o '<script' named/accuracy.html | wc -l)" ] || fail 'script elements do not match'

# Chosen functions, in the catalogue's order, each once.
run 0 report hermite lerp lerp --samples 300 --out some
sed -n 's/^  *"name": "\(lerp\|lerp_cr\|hermite\|hermite_coefficients\|slerp3\)",$/\1/p' \
    some/accuracy.json | tr '\n' ' ' | same functions 'lerp hermite '
says out '600 results of 2 functions'

# A power of ten, as a user may write it.
run 0 report lerp --samples 3e2 --out some
says out '300 results of 1 function'

# Fewer samples than domains: some domains are empty, and that is said.
run 0 report lerp --samples 1 --out some
says some/accuracy.md 'nothing compared' 'What the words mean' 'Share of bound: '
! grep -q 'Not judged' some/accuracy.md || fail 'accuracy.md misses a function of the library'

# The user's own keyframes.
cat >keys.csv <<'END'
shot,t,a,b
intro,0.25,1,2
outro,0.75,-1e16,1
END
run 0 report lerp --inputs keys.csv --out keys
says keys/accuracy.json '"inputs": "keys.csv"' '"name": "inputs"' '"cases": 2'
says out '2 results of 1 function'
run 0 report lerp --inputs - --out keys <keys.csv
echo '3,4' >>keys.csv
run 2 report lerp --inputs keys.csv --out keys
says err keys.csv:4:
says keys/accuracy.json '"cases": 2'
run 2 report --inputs keys.csv --out not_there
run 2 report lerp hermite --inputs keys.csv --out not_there
run 2 report lerp --inputs missing.csv --out not_there
says err missing.csv
head -n 1 keys.csv >header.csv
run 2 report lerp --inputs header.csv --out not_there
says err header.csv 'no case to judge'
[ ! -e not_there ] || fail 'made a directory for nothing'
