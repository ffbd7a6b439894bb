#!/usr/bin/env bash
# truelerp eval: columns, numbers, verdicts, broken rows.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

# Columns in any order, others passed on, those of our own names renamed, quotes kept.
cat >cases.csv <<'END'
t,exact,b,source,a,verdict
4.0,-1.000000000000000010979063629440455417405e+308,5e+307,"far, out",1e+308,
0.376,1.000000000000000083488771451811772037072,1.0000000000000002,"say ""so""",1.0,good
0x1p-1,0.0,-0x1.p+1023,hex,0x1p1023,
0,,nan,given,-0,
END
run 0 eval lerp cases.csv
silent err
cp out result.csv
head -n 1 result.csv | same header \
    't,given_exact,b,source,a,given_verdict,result,exact,error_ulp,error_scaled,bound,verdict'
sed -n 2p result.csv | same 'row 1' '4.0,-1.000000000000000010979063629440455417405e+308,5e+307,'\
'"far, out",1e+308,,-1e+308,-1.000000000000000010979063629440455417405e+308,0.0,0.0,2.0,within'
sed -n 3p result.csv | grep -q '^0.376,1.000000000000000083488771451811772037072,1.0000000000000002,'\
'"say ""so""",1.0,good,1.0,1.000000000000000083488771451811772037072,0.37599999[0-9]*,0.7520000[0-9]*,2.0,within$' ||
    fail "row 2: $(sed -n 3p result.csv)"
sed -n 4p result.csv | same 'hexfloat in' '0x1p-1,0.0,-0x1.p+1023,hex,0x1p1023,,0.0,0.0,0.0,0.0,2.0,within'
# no figures for what is given bit for bit
sed -n 5p result.csv | same 'given' '0,,nan,given,-0,,-0.0,-0.0,,,,within'
[ "$(wc -l <result.csv)" -eq 5 ] || fail "$(wc -l <result.csv) lines for 4 rows and a header"

# What eval wrote, it reads again: its columns are given ones then, and no name stands twice.
run 0 eval lerp result.csv
head -n 1 out | tr , '\n' | sort | uniq -d | same 'names twice' ''
says out given_2_exact,

# The same by standard input, with and without a dash.
run 0 eval lerp - <cases.csv
cmp -s out result.csv || fail 'standard input by - differs'
run 0 eval lerp <cases.csv
cmp -s out result.csv || fail 'standard input differs'
run 0 eval lerp cases.csv --out written.csv
silent out err
cmp -s written.csv result.csv || fail '--out differs'
[ "$(echo *)" = "cases.csv err out result.csv written.csv" ] || fail "left behind: $(echo *)"

# Hexfloats out read back to the same doubles.
run 0 eval lerp cases.csv --hex
column out result | sed -n 2p | same '--hex' 0x1p+0
says out ,-0x1.1ccf385ebc8ap+1023,

# Vectors and named outputs.
printf 'ax,ay,az,bx,by,bz,t\n2,0,0,0,4,0,0\n' >vector.csv
run 0 eval slerp3 vector.csv
head -n 1 out | same vector 'ax,ay,az,bx,by,bz,t,result_x,result_y,result_z,exact_x,exact_y,exact_z,error_ulp,error_scaled,bound,verdict'
column out result_x | same result_x 2.0
printf 't0,v0,m0,t1,v1,m1\n0,0,1,8,3,0\n' >named.csv
run 0 eval hermite_coefficients named.csv
says out result_a,result_b,result_c,result_d,exact_a,exact_b,exact_c,exact_d,error_ulp
column out exact_c | same exact_c 8.0

# Lists, whole numbers without a point, and none at all.
printf 'a,b,c,d\n1,0,-3,2\n0,0,0,0\n' >lists.csv
run 0 eval cubic_roots lists.csv
head -n 1 out | same lists 'a,b,c,d,result_roots,result_multiplicities,result_code,exact_roots,exact_multiplicities,exact_code,error_ulp,error_scaled,bound,verdict'
sed -n 2p out | same 'two roots' '1,0,-3,2,-2.0;1.0,1;2,0,-2.0;1.0,1;2,0,0.0,0.0,8.0,within'
sed -n 3p out | same 'every number' '0,0,0,0,,,1,,,1,0.0,0.0,8.0,within'
run 0 eval cubic_roots lists.csv --hex
says out ',-0x1p+1;0x1p+0,1;2,0,-2.0;1.0'
run 0 eval cubic_roots lists.csv --json
says out '"result_roots": "-2.0;1.0"' '"exact_multiplicities": "1;2"' '"result_code": "1"'

# JSON: one object a row, figures as numbers or null, all else as text.
run 0 eval lerp cases.csv --json
says out '"b": "1.0000000000000002"' '"source": "say \"so\""' '"result": "-1e+308"' \
    '"error_scaled": null' '"bound": 2.0' '"given_verdict": ""'
[ "$(grep -c '"verdict": "within"' out)" -eq 4 ] || fail "JSON rows: $(cat out)"
printf 'a,b,t,note\n1,2,0.5,(\360\237\230\200\n' >bytes.csv
run 0 eval lerp bytes.csv --json
says out "$(printf '"note": "(\360\237\230\200"')"

# Broken rows are named with file, line and column; the others are judged.
cat >broken.csv <<'END'
a,b,t
1,2,0.5
1,two,0.5
1,2
3,4,0.5

1,2,0.5,9
5,6,
END
run 2 eval lerp broken.csv
says err broken.csv:3:3: broken.csv:4: broken.csv:7: broken.csv:8:
[ "$(wc -l <err)" -eq 4 ] || fail "four broken rows, but: $(cat err)"
column out a | tr '\n' ' ' | same 'rows that can be read' '1 3 '
column out result | tr '\n' ' ' | same 'their results' '1.5 3.5 '
run 2 eval lerp broken.csv --json
[ "$(grep -c within out)" -eq 2 ] || fail "JSON of the rows that can be read: $(cat out)"

# What would be another number than stands there is refused.
printf 'a,b,t\n1e999,2,0\n1,-1e-400,0\n1e308,4.9e-324,1\ninf,0,0\n' >range.csv
run 2 eval lerp range.csv
says err 'range.csv:2:1: a: "1e999" is out of range; write inf for infinity' \
    'range.csv:3:3: b: "-1e-400" is out of range' 'write 0 for zero'
[ "$(wc -l <err)" -eq 2 ] || fail "two numbers out of range, but: $(cat err)"
column out result | tr '\n' ' ' | same 'numbers in range' '5e-324 inf '
printf 'times,values,t\n0;1e400,1;2,0.5\n' >list.csv
run 2 eval newton list.csv
says err 'list.csv:2:1: times: item 2 of "0;1e400" is out of range'

# Nothing to judge is not good.
: >empty.csv
run 2 eval lerp empty.csv
says err empty.csv:1:1
echo a,b,t >header.csv
run 2 eval lerp header.csv
says err header.csv 'no case to judge'
run 2 eval lerp header.csv --json
printf 'a,b\n1,2\n' >missing.csv
run 2 eval lerp missing.csv
says err missing.csv:1: '"t"'
silent out
printf 'a,b,a,t\n1,2,3,0\n' >twice.csv
run 2 eval lerp twice.csv
says err twice.csv:1:5: '"a"'
run 2 eval lerp missing.csv --out not_there.csv
[ ! -e not_there.csv ] || fail 'an output without a header was put in place'

# names that clash, and names that clash with what becomes of them, all stay apart
printf 'a,b,t,n,n,n,result,given_result,result\n1,2,.5,p,q,r,s,u,v\n' >clash.csv
run 0 eval lerp clash.csv
head -1 out | tr , '\n' | sort | uniq -d | same 'names that stand twice' ''
run 0 eval lerp clash.csv --json
for text in '"p"' '"q"' '"r"' '"s"' '"u"' '"v"'; do
    says out "$text"
done

# and the first column of a name keeps it
printf 'a,b,t,n,n,given_n\n1,2,.5,p,q,r\n' >clash.csv
run 0 eval lerp clash.csv
head -n 1 out | cut -d, -f1-6 | same 'names that clash' a,b,t,n,given_2_n,given_n

# as many columns as one likes, of many names or of one, in the time that it takes to read them
for names in 'c%s,' 'c%.0s,'; do
    for row in 'a,b,t' '1,2,0.5'; do
        # shellcheck disable=SC2059
        printf "$names" {1..60000}
        echo "$row"
    done >wide.csv
    got=0
    timeout 60 "$truelerp" eval lerp wide.csv >out 2>err || got=$?
    [ $got -eq 0 ] || fail "a header of 60003 names: exit code $got: $(head -c 500 err)"
    head -n 1 out | tr , '\n' | sort | uniq -d | same 'names that stand twice' ''
    head -n 1 out | tr , '\n' | wc -l | same 'columns' 60009
done

# A case that takes long is told of, but only where somebody waits for it.
{
    echo times,values,t
    printf '%s' "$(seq -s ';' 1 1000),$(seq -s ';' 1 1000),0.5"
} >large.csv
run 0 eval newton large.csv
silent err
if command -v script >/dev/null; then
    script -qec "'$truelerp' eval newton large.csv --out /dev/null" /dev/null </dev/null >seen ||
        fail "before a terminal: $(cat seen)"
    says seen 'large.csv:2: judging a case of 2001 numbers; time grows'
    script -qec "'$truelerp' eval newton list.csv --out /dev/null" /dev/null </dev/null >seen || true
    ! grep -q 'time grows' seen || fail "a small case: $(cat seen)"
fi
