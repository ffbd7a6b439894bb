#!/usr/bin/env bash
# The weighted segment by the closed form, in plain double, judged beside ours: it must be found out
# where its cubic degenerates, and ours must be within everywhere. Prints the largest errors of both.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
closed_form=$(dirname "$truelerp")/tests/closed_form.so

# errors FUNCTION FILE: "DOMAIN LARGEST_ERROR VERDICT" for every domain of the function
errors()
{
    awk -F ' *[|] *' -v function_name="$1" '
        /^## / { here = ($0 == "## " function_name) }
        here && /^[|] `/ { gsub(/[`*]/, ""); gsub(/ /, "-", $9); print $2, $9, $(NF - 1) }' "$2"
}

run 1 report bezier bezier_parameter --samples 40000 --impl "$closed_form" --out theirs
run 0 report bezier bezier_parameter --samples 40000 --out ours
for function in bezier bezier_parameter; do
    errors $function theirs/accuracy.md | sort >theirs.txt
    errors $function ours/accuracy.md | sort >ours.txt
    domains=$(wc -l <ours.txt)
    [ "$domains" -ge 15 ] || fail "$function: $domains domains"
    printf '\n%-18s %14s %14s   closed form is\n' "$function, u S" ours 'closed form'
    join ours.txt theirs.txt | while read -r domain ours verdict theirs judged; do
        printf '%-18s %14s %14s   %s\n' "$domain" "$ours" "$theirs" "$judged"
        [ "$verdict" = within ] || fail "$function, $domain: ours is $verdict"
        awk -v error="$ours" 'BEGIN { exit !(error <= 16) }' || fail "$function, $domain: $ours u S"
        echo "$domain" >>joined.$function
    done
    [ "$(wc -l <joined.$function)" -eq "$domains" ] || fail "$function: domains differ"
    for domain in near_ends vertical_tangent quadratic edge_weights mixed_exponents large_offset \
        tiny_segment; do
        grep -q "^$domain [^ ]* violation" theirs.txt ||
            fail "$function: the closed form passes in $domain: $(cat theirs.txt)"
    done
done
