#!/usr/bin/env bash
# The weighted segment by the closed form of a cubic's roots, in plain double, judged beside ours:
# as engines ship it (implementations/closed_form.c), and with the roots from tl_cubic_roots, which
# are within their bound, so that only what stands around them is plain (by_cubic_roots.c).
#
# What the closed form costs: of everyday curves half come out within our bound and all but one in a
# thousand to eleven digits; but everyday curves already leave the bound, and so does every domain
# where the cubic degenerates; beside an upright curve two thirds of the digits are gone, as those
# of a threefold root are that is found from rounded coefficients. Ours must be within everywhere.
# Prints the largest errors of all three; 1e307 stands for that and more.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"
modules=$(dirname "$truelerp")/tests
bound=64
ours_at_most=16         # u S: our largest errors are below, a quarter of the bound
ours_beyond_at_most=32  # but half of it where terms beyond the range cancel and 0 is returned
eleven_digits=65536                    # u S, which is 2^-37 S
two_thirds_lost=$((1 << (53 * 2 / 3))) # u S

# errors FUNCTION FILE: "DOMAIN MEDIAN ALL_BUT_ONE_IN_A_THOUSAND LARGEST VERDICT" of each domain
errors()
{
    awk -F ' *[|] *' -v function_name="$1" '
        /^## / { here = ($0 == "## " function_name) }
        here && /^[|] domain / { if ($7 $8 $9 != "p50, u Sp99.9, u Smax, u S") exit 1 }
        here && /^[|] `/ {
            gsub(/[`*]/, ""); gsub(/ beyond /, " ")
            print $2, $7, $8, $9, $(NF - 1)
        }' "$2" || fail "other columns than expected in $2"
}

# at_most ERROR LIMIT, at_least ERROR LIMIT: of numbers; what is no number is neither
at_most()
{
    awk -v error="$1" -v limit="$2" \
        'BEGIN { exit !(error ~ /^[0-9.]+(e[+-]?[0-9]+)?$/ && error + 0 <= limit + 0) }'
}
at_least()
{
    awk -v error="$1" -v limit="$2" \
        'BEGIN { exit !(error ~ /^[0-9.]+(e[+-]?[0-9]+)?$/ && error + 0 >= limit + 0) }'
}

# of FILE DOMAIN NUMBER: a column of what errors() printed
of()
{
    awk -v domain="$2" -v column="$3" '$1 == domain { print $column }' "$1"
}

# costs NAME FUNCTION: the implementation is good on most everyday data and not within the bound on
# all of it, nor where the cubic degenerates or the numbers are of different sizes
costs()
{
    local file=$1.$2 domain
    at_most "$(of "$file" typical 2)" $bound || fail "$file: half of everyday: $(cat "$file")"
    at_most "$(of "$file" typical 3)" $eleven_digits || fail "$file, everyday: $(cat "$file")"
    at_least "$(of "$file" vertical_tangent 4)" "$two_thirds_lost" ||
        fail "$file loses less at a vertical tangent than rounding must: $(cat "$file")"
    for domain in typical vertical_tangent quadratic edge_weights one_sided outside_weights \
        near_ends mixed_exponents large_offset tiny_segment huge subnormal; do
        [ "$(of "$file" "$domain" 5)" = violation ] ||
            fail "$file passes in $domain: $(cat "$file")"
    done
}

run 0 report bezier bezier_parameter --samples 40000 --out ours
for name in closed_form by_cubic_roots; do
    run 1 report bezier bezier_parameter --samples 40000 --impl "$modules/$name.so" --out $name
done
for function in bezier bezier_parameter; do
    for name in ours closed_form by_cubic_roots; do
        errors $function $name/accuracy.md | sort >$name.$function
    done
    domains=$(wc -l <ours.$function)
    [ "$domains" -ge 15 ] || fail "$function: $domains domains"
    printf '\n%-22s %8s %14s %16s\n' "$function, u S" ours 'closed form' 'by cubic_roots'
    while read -r domain _ _ largest verdict; do
        printf '%-22s %8s %14s %16s\n' "$domain" "$largest" \
            "$(of closed_form.$function "$domain" 4)" "$(of by_cubic_roots.$function "$domain" 4)"
        [ "$verdict" = within ] || fail "$function, $domain: ours is $verdict"
        most=$ours_at_most
        [ "$domain" != cancelling_beyond ] || most=$ours_beyond_at_most
        at_most "$largest" "$most" || fail "$function, $domain: $largest u S"
        echo "$domain" >>seen.$function
    done <ours.$function
    for name in closed_form by_cubic_roots; do
        cmp -s seen.$function <(cut -d ' ' -f 1 $name.$function) || fail "$function: domains differ"
        costs $name $function
    done
done
