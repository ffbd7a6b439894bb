#!/usr/bin/env bash
# The rooms' order, and one name in each room for each function. Usage: layering.sh [SOURCE_TREE]
set -euo pipefail
command -v gcc >/dev/null || { echo "skipped: there is no gcc here"; exit 77; }
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

rooms="impl oracle corpus reports fuzz tests" # each may use those before it
faults=0
checked=0

fault()
{
    echo "FAULT: $*"
    faults=$((faults + 1))
}

position()
{
    local i=0 room
    for room in $rooms; do
        [ "$room" != "$1" ] || { echo $i; return; }
        i=$((i + 1))
    done
    echo 99 # no room of the tree
}

# a source file without comments and string literals, for looking up names
bare()
{
    gcc -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null |
        sed -E '/^ *# *include/d; s/"([^"\\]|\\.)*"//g'
}

# FILE's room and the room of every file that it includes with quotes
check_includes()
{
    local file=$1 room=${1%%/*} included target
    while read -r included; do
        target=$(realpath -m --relative-to=. "$(dirname "$file")/$included")
        checked=$((checked + 1))
        case $target in
        impl/truelerp.h) ;; # the public header is for everyone
        "$room"/*) ;;
        impl/*)
            # only what is measured or tested by itself may see the library's inside
            case $room in
            oracle | corpus) fault "$file includes $target: only impl/truelerp.h is shared" ;;
            esac
            ;;
        *)
            if [ "$(position "${target%%/*}")" -ge "$(position "$room")" ]; then
                fault "$file includes $target, which is not below $room/"
            fi
            ;;
        esac
        if [ "$room" = impl ] && [ "${target%%/*}" != impl ]; then
            fault "$file includes $target: impl/ stands alone"
        fi
    done < <(sed -nE 's/^ *# *include *"([^"]+)".*/\1/p' "$file")
}

for room in $rooms; do
    count=0
    while read -r file; do
        check_includes "$file"
        count=$((count + 1))
    done < <(find "$room" -name '*.[ch]' -o -name '*.def' -o -name '*.cc' | sort)
    [ "$count" -gt 0 ] || fault "$room/ has no sources"
done

# libc only, and no function of libm whose results differ between systems
for file in impl/*.[ch]; do
    while read -r header; do
        case $header in
        errno.h | float.h | limits.h | math.h | stdatomic.h | stdbool.h | stddef.h | stdint.h | \
            string.h) ;;
        *) fault "$file includes <$header>" ;;
        esac
        checked=$((checked + 1))
    done < <(sed -nE 's/^ *# *include *<([^>]+)>.*/\1/p' "$file")
    used=$(bare "$file" | grep -oE '\b(a?(sin|cos|tan)h?|atan2|sincos|exp(2|m1)?|log(2|10|1p)?|pow|[cq]?cbrt|hypot|l?gamma|erfc?)l?f? *\(' || true)
    [ -z "$used" ] || fault "$file calls $(echo "$used" | tr -d '( ' | sort -u | tr '\n' ' ')"
done

# the library is called through one door, except for what it says of itself
information='tl_(version|instruction_set|use_instruction_set|status_text)'
for file in oracle/*.[ch] corpus/*.[ch] reports/*.[ch] fuzz/*.[ch]; do
    case $file in
    oracle/implementation.c | reports/bench*) continue ;;
    esac
    used=$(bare "$file" | grep -oE '\btl_[a-z0-9_]+' | grep -vxE "$information" | sort -u |
        paste -sd ' ' || true)
    [ -z "$used" ] || fault "$file names $used: that is for oracle/implementation.c"
    checked=$((checked + 1))
done

# gcc 12 makes one instruction of -fma(a, b, c), which turns the sign of a zero round
if grep -nE '(^|[-(,=+*/]) ?-fma\(' impl/*.[ch]; then
    fault "-fma(a, b, c) in impl/: write fma(-a, b, -c)"
fi

# the second oracle knows of the first only in what form the inputs come
for file in reports/second/*.[ch]; do
    used=$(sed -nE 's/^ *# *include *"([^"]+)".*/\1/p' "$file" | grep / |
        grep -vxE '\.\./\.\./(oracle/values|impl/truelerp)\.h' | paste -sd ' ' || true)
    [ -z "$used" ] || fault "$file includes $used: the second oracle shares no code with the first"
    used=$(sed -nE 's/^ *# *include *<(mpfr|mpfi)[^>]*>.*/\1/p' "$file")
    [ -z "$used" ] || fault "$file uses $used, as the first oracle does"
    checked=$((checked + 1))
done

# one name, one file in each room
functions=$(sed -nE 's/^FUNCTION\(([a-z0-9_]+)\)$/\1/p' oracle/catalog.def)
[ -n "$functions" ] || fault "oracle/catalog.def lists no function"
for name in $functions; do
    family=$(grep -lE "^const struct function oracle_$name = " oracle/*.c | sed 's,.*/,,; s,\.c$,,')
    if [ -z "$family" ]; then
        fault "no oracle/FAMILY.c defines oracle_$name"
        continue
    fi
    for file in impl/"$family".c corpus/"$family".c corpus/"$name".csv tests/test_"$family".c \
        tests/test_oracle_"$family".c; do
        [ -f "$file" ] || fault "$name has no $file"
    done
    grep -qE "\.family = \"$family\"" oracle/"$family".c || fault "$name is not of family $family"
    grep -qE "TL_API [a-z]+ tl_$name\(" impl/truelerp.h || fault "truelerp.h lacks tl_$name"
    grep -qE "\b$name\b" impl/"$family".c || fault "impl/$family.c lacks $name"
    grep -qE "^const struct domains domains_$name = " corpus/"$family".c ||
        fault "corpus/$family.c lacks domains_$name"
    grep -qE "\bcall_$name\(" oracle/implementation.c || fault "implementation.c lacks call_$name"
    checked=$((checked + 1))
done
# what builds a function's table, and the forms for many times, belong to that function
shopt -s extglob
for file in corpus/*.csv; do
    name=$(basename "$file" .csv)
    grep -qx "$name" <<<"$functions" || fault "$file belongs to no function of the catalogue"
done
while read -r name; do
    [[ tl_$name =~ ^$information$ ]] || grep -qx "${name%_@(size|build|many)}" <<<"$functions" ||
        fault "tl_$name is not in the catalogue"
done < <(sed -nE 's/^TL_API .*\btl_([a-z0-9_]+)\(.*/\1/p' impl/truelerp.h)

echo "$checked includes, files and functions checked, $faults faults"
[ "$faults" -eq 0 ] && [ "$checked" -gt 100 ]
