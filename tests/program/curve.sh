#!/usr/bin/env bash
# truelerp eval curve --keys: a whole curve, one key a row, at the times of a file.
# shellcheck source=common.bash
. "$(dirname "$0")/common.bash"

cat >keys.csv <<'END'
out_weight,time,value,in_tangent,out_tangent,weighted_mode,in_weight
1,0,0,0,-1,out,
,1,1,-0.5,2,in,0.5
,2,3,inf,,none,
,2,4, ,,,
7,4,0,-1,,,
END
cat >times.csv <<'END'
note,t,result
before,-0.5,
weighted,0.3333333333333333,x
held,1.75,
jump,2,
"the, last",3.75,
wrapped,5.5,
none,nan,
END
run 0 eval curve --keys keys.csv times.csv
silent err
cat >expected <<'END'
note,t,given_result,result,exact,error_ulp,error_scaled,bound,verdict
before,-0.5,,0.0,0.0,,,,within
weighted,0.3333333333333333,x,RESULT,-0.2429122496869903731312222550850374909468,FIGURES,64.0,within
held,1.75,,1.0,1.0,,,,within
jump,2,,4.0,4.0,,,,within
"the, last",3.75,,0.36328125,0.36328125,0.0,0.0,12.0,within
wrapped,5.5,,0.0,0.0,,,,within
none,nan,,nan,nan,,,,within
END
sed -E 's/x,-0\.2429122496869[0-9]*,/x,RESULT,/; s/,[0-9.]+,[0-9.]+,64\.0/,FIGURES,64.0/' out |
    diff expected - || fail 'the curve'

# The same, row by row, as the function's own lists.
{
    echo times,values,in_tangents,out_tangents,modes,in_weights,out_weights,before,after,t
    sed 1d times.csv | sed 's/"[^"]*"/quoted/' | while IFS=, read -r _ t _; do
        echo "0;1;2;2;4,0;1;3;4;0,0;-0.5;inf;0;-1,-1;2;0;0;0,out;in;none;none;none,nan;0.5;nan;nan;nan,1;nan;nan;nan;7,loop,ping_pong,$t"
    done
} >lists.csv
run 0 eval curve lists.csv
for figure in result exact error_ulp error_scaled bound verdict; do
    column out $figure >"lists_$figure"
done
sed 's/"[^"]*"/quoted/' times.csv >plain.csv
run 0 eval curve --keys keys.csv --before loop --after ping_pong plain.csv
for figure in result exact error_ulp error_scaled bound verdict; do
    column out $figure | diff - "lists_$figure" || fail "$figure differs from that of lists"
done
column out exact | head -n 1 | same 'before, round and round' 0.90625
column out exact | sed -n 6p | same 'after, to and fro' 3.46875

# Times by another name, from standard input; keys without anything but time and value; JSON.
printf 'time,value\n0,1\n2,5\n' >plain_keys.csv
printf 'time\n1\n' | run 0 eval curve --keys plain_keys.csv
column out exact | same 'flat at both ends' 3.0
printf 't\n1\n' | run 0 eval curve -k plain_keys.csv - --json
says out '"exact": "3.0"' '"verdict": "within"'
run 0 eval curve --keys - plain.csv <plain_keys.csv
column out exact | sed -n 4p | same 'keys from standard input' 5.0
printf 'time,t\n9,1\n' | run 0 eval curve --keys plain_keys.csv
column out exact | same 't goes before time' 3.0
printf 't\n0x1p0\n' | run 0 eval curve --keys plain_keys.csv --out written.csv --hex
silent out
column written.csv result | same 'result in hexadecimal' 0x1.8p+1

# What is wrong with keys is told with line and column, all of it, and nothing is judged.
cat >broken.csv <<'END'
time,value,weighted_mode,out_weight
0,1,,
0,2,none,
0,3,none,
inf,1,,
2,x,,
2,1,sideways,
2,1,both,0.5
2,1,out,
1

1,1,out,0.1
-3,1,out,0.1
END
run 2 eval curve --keys broken.csv plain.csv
silent out
says err 'broken.csv:4:1: a third key at the time of lines 2 and 3' \
    'broken.csv:5:1: the time is not finite' 'broken.csv:6:3: value: "x" is not a number' \
    'broken.csv:7:5: weighted_mode: "sideways" is not one of none, in, out, both' \
    'broken.csv:8:5: weighted_mode says that there is an in_weight' \
    'broken.csv:9:5: weighted_mode says that there is an out_weight' 'broken.csv:10:1: 1 field' \
    'broken.csv:13:1: the time is before that of line 12'
[ "$(wc -l <err)" -eq 8 ] || fail "eight faults, but: $(cat err)"
printf 'time,value,inTangent\n1,2,3\n' >name.csv
run 2 eval curve --keys name.csv plain.csv
says err 'name.csv:1:12: this column is none of' in_tangent
printf 'time,in_tangent\n1,2\n' >name.csv
run 2 eval curve --keys name.csv plain.csv
says err 'name.csv:1' '"value"'
echo time,value >none.csv
run 2 eval curve --keys none.csv plain.csv
says err none.csv 'no key'
: >none.csv
run 2 eval curve --keys none.csv plain.csv
says err none.csv:1:1
run 2 eval curve --keys missing.csv plain.csv
says err missing.csv
printf 't\n1\nx\n2,3\n' | run 2 eval curve --keys plain_keys.csv
says err 'standard input:3:1: t: "x"' 'standard input:4:1: 2 fields'
column out exact | same 'times that can be read' 3.0
printf 'when\n1\n' | run 2 eval curve --keys plain_keys.csv
says err 'standard input:1:1: no column "t"'

# Usage
run 2 eval hermite --keys plain_keys.csv plain.csv
says err curve hermite
run 2 eval curve --keys - - <plain_keys.csv
says err 'standard input'
run 2 eval curve --keys plain_keys.csv --before round plain.csv
says err --before "'round'" ping_pong
run 2 eval curve --keys plain_keys.csv --after 1 plain.csv
says err --after "'1'"
run 2 eval curve lists.csv --after loop
says err --keys

# A curve that is wrong beyond its keys is found.
shared clamped <<'END'
#include <stddef.h>
typedef struct tl_key {
    double time, value, in_tangent, out_tangent, in_weight, out_weight;
    int weighted_mode;
} tl_key;
typedef struct tl_curve_table {
    const tl_key *keys;
    const double *table;
    size_t count;
    int before, after;
} tl_curve_table;
size_t tl_curve_size(size_t count);
int tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count, int before, int after,
                   double *memory, size_t at[2]);
double tl_curve(const tl_curve_table *curve, double t);
size_t tl_curve_size(size_t count)
{
    return count;
}
int tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count, int before, int after,
                   double *memory, size_t at[2])
{
    *curve = (tl_curve_table){keys, memory, count, before, after};
    at[0] = at[1] = (size_t)-1;
    return 0;
}
double tl_curve(const tl_curve_table *curve, double t)
{
    return t < 1 ? curve->keys[0].value : curve->keys[curve->count - 1].value;
}
END
printf 't\n-1\n3\n2.5\n' >beyond.csv
run 0 eval curve --impl ./clamped.so --keys plain_keys.csv beyond.csv
run 1 eval curve --impl ./clamped.so --keys plain_keys.csv beyond.csv --after loop
column out verdict | same 'verdicts beyond the keys' $'within\nviolation\nviolation'

# Keys are not replaced by results; times are a column of theirs.
cp plain_keys.csv kept_keys.csv
run 2 eval curve --keys kept_keys.csv beyond.csv --out ./kept_keys.csv
says err '--out would replace the keys, kept_keys.csv'
cmp kept_keys.csv plain_keys.csv || fail 'the keys are gone'
run 0 eval curve --keys kept_keys.csv beyond.csv --out beyond.csv
head -n 1 beyond.csv | same 'times and results' t,result,exact,error_ulp,error_scaled,bound,verdict
