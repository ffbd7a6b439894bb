#!/usr/bin/env bash
# truelerp table: the text, the picture, wrong input.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

# One node a row, other columns between, the nodes in the file's order.
cat >keys.csv <<'END'
time,value
0,0
0.3,0.2
0.5,1
1.2,0
END
cat >expected <<'END'
 t    f[t]    f[.,.]     f[.,.,.]   f[.,.,.,.]
0     0
              0.666667
0.3   0.2                 6.66667
              4                      -10.582
0.5   1                  -6.03175
             -1.42857
1.2   0

p(t) = 0
     + 0.666667 t
     + 6.66667 t (t - 0.3)
     - 10.582 t (t - 0.3) (t - 0.5)
END
run 0 table keys.csv
silent err
diff out expected || fail 'the table of four keys'
run 0 table <keys.csv
diff out expected || fail 'the same by standard input'
printf '"say ""x""",time,value\n5,0,0\n7, 0.3 ,0.2\n9,0x1p-1,1\n3,1.2,-0\n' >columns.csv
run 0 table columns.csv --column value
diff out expected || fail 'the second column of values'
run 0 table columns.csv
says out 'p(t) = 5' '+ 6.66667 t'
{ head -n 1 keys.csv && tail -n 4 keys.csv | tac; } >turned.csv
run 0 table turned.csv
says out 'p(t) = 0' '     - 1.42857 (t - 1.2)' '     - 6.03175 (t - 1.2) (t - 0.5)' \
    '     - 10.582 (t - 1.2) (t - 0.5) (t - 0.3)'

# What stands there are the differences of the doubles, not of the decimals (2/3, 20/3, -2000/189),
# and not rounded to doubles.
run 0 table keys.csv --digits 25
says out '+ 0.6666666666666667283457236 t' '+ 6.666666666666665988197041 t' \
    '- 10.58201058201058184974093 t'
run 0 table keys.csv --digits 1
says out '- 1e+01 t (t - 0.3) (t - 0.5)'
printf 'time,v\n1e-300,1e308\n2e-300,-1e308\n-0,0\n-5,2\n' >wide.csv
run 0 table wide.csv
says out '- 2e+608 (t - 1e-300)' '- 1.5e+908 (t - 1e-300) (t - 2e-300)' \
    '- 3e+907 (t - 1e-300) (t - 2e-300) t'
run 0 table - <<<$'v,time\n3,-1\n3,0\n3,4'
says out 'p(t) = 3' '     + 0 (t + 1)' '     + 0 (t + 1) t'
run 0 table - <<<$'time,v\n2,7'
same 'one node' $'t   f[t]\n2    7\n\np(t) = 7' <out

# A table wider than the terminal loses digits, then it goes on below; no line is too long.
for nodes in 7 9 20; do
    awk -v n=$nodes 'BEGIN { print "time,v"; for (i = 0; i < n; i++) print i * i / 7 "," sin(i) }' \
        >long.csv
    run 0 table long.csv
    [ "$(wc -L <out)" -le 80 ] || fail "$nodes nodes: a line of $(wc -L <out) characters"
    for order in 'f[t]' 'f[.,.,.,.]' "order $((nodes - 1))"; do
        [ "$(grep -cF "$order" out)" -eq 1 ] ||
            fail "$nodes nodes: the column $order stands there otherwise than once"
    done
    # every part has all times
    parts=$(grep -cE '^ *t  ' out)
    sed '/^p(t)/,$d' out | grep -v t | grep -cE '^ ?[0-9.]+( |$)' | same "$nodes nodes: times" $((nodes * parts))
done
[ "$parts" -gt 1 ] || fail 'twenty nodes in one part'

# The picture: the same text besides, well-formed, everything in it.
run 0 table keys.csv --svg keys.svg
diff out expected || fail 'the table beside a picture'
well_formed()
{
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1"
    elif command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom as xml; xml.parse(sys.argv[1])' "$1"
    fi || fail "$1 is not well-formed"
}
count()
{
    grep -oF -- "$2" "$1" | wc -l
}
well_formed keys.svg
says keys.svg 'role="img"' '<title id="title">The polynomial through 4 nodes: value</title>' \
    '<desc id="description">' prefers-color-scheme '>degree 3<' '-10.582' '>4 nodes<'
[ "$(count keys.svg '<path class="part')" -eq 6 ] || fail 'three thin curves, in plot and legend'
[ "$(count keys.svg '<path class="curve')" -eq 2 ] || fail 'the curve, in plot and legend'
[ "$(count keys.svg '<circle class="node"')" -eq 5 ] || fail 'four nodes and one in the legend'
grep -oE '<circle class="node" cx="[0-9.]+" cy="[0-9.]+" r="4.5"><title>' keys.svg |
    sed -E 's/[^"]*"node" cx="([0-9.]+)" cy="([0-9.]+)".*/\1 \2/' >nodes
[ "$(wc -l <nodes)" -eq 4 ] || fail "nodes: $(cat nodes)"
# The node (0.5, 1) stands where the axes say so, and above the others.
at_label()
{
    sed -nE "s/.*<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" text-anchor=\"$1\">$2<.*/\1 \2/p" keys.svg
}
echo "$(at_label middle 0.4) $(at_label middle 0.6) $(at_label end 1.0) $(sed -n 3p nodes)" |
    awk '{ x = ($1 + $3) / 2 - $7; y = $6 - 4.5 - $8; print (x * x < 0.1 && y * y < 0.1) }' |
    same 'the third node is at (0.5, 1)' 1
sort -k 2n nodes | head -n 1 | same 'the highest node' "$(sed -n 3p nodes)"
# The curve goes through all nodes, the part of degree k through the first k + 1 only.
grep -oE ' d="M[-0-9. ]+L[-0-9. L]+"' keys.svg | tr -d ' dM="' >/dev/null
grep -oE ' d="M[-0-9. ]+L[-0-9. L]+"' keys.svg | sed 's/ d="M//; s/"//' | while read -r curve; do
    echo "$curve" | tr L '\n' >points
    awk 'NR == FNR { x[NR] = $1; y[NR] = $2; n = NR; next }
        {
            hit = 0
            for (i = 1; i < n; i++) {
                if (x[i] <= $1 && $1 <= x[i + 1] && x[i] < x[i + 1]) {
                    there = y[i] + (y[i + 1] - y[i]) * ($1 - x[i]) / (x[i + 1] - x[i])
                    hit = hit || (there - $2 < 0.6 && $2 - there < 0.6)
                }
            }
            printf "%d", hit
        }
        END { print "" }' points nodes
done | paste -sd' ' | same 'nodes that the curves go through' '1001 1100 1110 1111'
run 0 table keys.csv -o keys_again.svg
cmp -s keys.svg keys_again.svg || fail 'two pictures of the same differ'
printf 'time,"a & <b> ""c"""\n1e9,1\n1000000000.5,1e300\n' >names.csv
run 0 table names.csv -o names.svg
well_formed names.svg
says names.svg 'a &amp; &lt;b&gt; "c"'
run 0 table - -o one.svg <<<$'time,v\n0,0'
well_formed one.svg
run 0 table long.csv -o long.svg
well_formed long.svg
says long.svg '>degree 19<' '>20 nodes<'

# Wrong input is named with file, line and column, all of it; no table then.
cat >broken.csv <<'END'
time,value
1,2
x,2
2,
3

-0,4
1.0,5
0,6
inf,7
7,nan
END
run 2 table broken.csv -o broken.svg
silent out
[ ! -e broken.svg ] || fail 'a picture of a broken file'
says err 'broken.csv:3:1: time: "x"' 'broken.csv:4:3: value' 'broken.csv:5:1: 1 field' \
    'broken.csv:8:1: a second node at the time of line 2' \
    'broken.csv:9:1: a second node at the time of line 7' \
    'broken.csv:10:1: time is not finite' 'broken.csv:11:3: value is not finite'
[ "$(wc -l <err)" -eq 7 ] || fail "seven faults, but: $(cat err)"
run 2 table - <<<$'t,value\n1,2'
says err 'standard input:1:1: no column "time"'
run 2 table - <<<$'time\n1'
says err 'no column "value"'
run 2 table - <<<$'time,time,value\n1,2,3'
says err 'standard input:1:6: a second column "time"'
run 2 table keys.csv --column other
says err 'keys.csv:1:1: no column "other"'
run 2 table - <<<time,value
says err 'no node'
run 2 table - </dev/null
says err 'standard input:1:1'
{ echo time,value && seq 65 | sed 's/$/,1/'; } >too_many.csv
run 2 table too_many.csv
says err 'too_many.csv:66:1: more than 64 nodes'
sed -i '$d' too_many.csv
run 0 table too_many.csv
run 2 table missing.csv
says err missing.csv
run 2 table keys.csv more.csv
says err more.csv
for digits in 0 41 x; do
    run 2 table keys.csv --digits $digits
    says err --digits
done
run 2 table keys.csv -o not/there.svg
says err not/there.svg
run 2 table keys.csv -o /dev/full
says err /dev/full
got=0
"$truelerp" table keys.csv >/dev/full 2>err || got=$?
[ $got -eq 2 ] || fail "a full disk: exit code $got"
run 0 table --help
says out 'Usage: truelerp table' 'divided differences'

# Nodes are not replaced by their picture, whatever name they have there.
cp keys.csv kept.csv
ln -s kept.csv link.csv
for svg in kept.csv ./kept.csv link.csv; do
    run 2 table kept.csv --svg $svg
    says err '--svg would replace the nodes, kept.csv'
    cmp kept.csv keys.csv || fail "$svg: the nodes are gone"
done
