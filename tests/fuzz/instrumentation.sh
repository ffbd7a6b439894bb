#!/usr/bin/env bash
# What is instrumented: the library, the targets and what decodes their input with sanitizers, and
# each target's own function with coverage; the oracle and the harness not at all. And the counters
# are there: compilers drop an array that nobody reads.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_libfuzzer

symbols()
{
    nm "$@" 2>/dev/null | grep -cE " U __(asan|ubsan|sanitizer)_" || true
}

objects=$(find "$build/oracle" -name '*.o' | wc -l)
check "the oracle has objects" [ "$objects" -gt 10 ]
plain=$(find "$build/oracle" "$build/corpus" -name '*.o'
    find "$build/fuzz" -path '*truelerp_fuzz*' -name '*.o' ! -name 'encode.c.o')
for object in $plain; do
    check "$object is not instrumented" [ "$(symbols "$object")" -eq 0 ]
done
decoder=$(find "$build/fuzz" -path '*truelerp_fuzz*' -name 'encode.c.o')
for runtime in __asan_ __ubsan_; do
    check "what decodes an input has $runtime" grep -q $runtime <(nm "$decoder")
done

families=$(find "$build/impl" -name '*.o')
check "the library has objects" [ "$(wc -l <<<"$families")" -gt 5 ]
for object in $families; do
    check "$object has AddressSanitizer" grep -q "__asan_" <(nm "$object")
done

# OBJECT: the functions in it that count branches
covered_functions()
{
    objdump -dr --no-show-raw-insn "$1" |
        awk '/^[0-9a-f]+ <.*>:$/ { name = $2 } /__sancov_cntrs/ { print name }' | tr -d '<>:' | sort -u
}

mapfile -t functions < <(sed -nE "s,^FUNCTION\(([a-z0-9_]+)\)\$,\1,p" \
    "$(dirname "${BASH_SOURCE[0]}")/../../oracle/catalog.def")
check "there are functions" [ ${#functions[@]} -gt 15 ]
for function in "${functions[@]}"; do
    target=$build/fuzz_$function
    check "fuzz_$function has coverage" grep -q "__sancov_cntrs" <(objdump -h "$target")
    check "fuzz_$function has extra counters" \
        grep -q __libfuzzer_extra_counters <(objdump -h "$target")
    check "fuzz_$function has a mutator" grep -q " T LLVMFuzzerCustomMutator" <(nm "$target")
    covered=$(find "$build/fuzz" -path "*covered_${function}_[a-z]*.dir/*" -name '*.o')
    kernels=
    for object in $covered; do
        check "$object has AddressSanitizer" grep -q "__asan_" <(nm "$object")
        check "$object has UndefinedBehaviorSanitizer" grep -q "__ubsan_" <(nm "$object")
        kernels+=" $(covered_functions "$object" | tr '\n' ' ')"
    done
    check "$function counts its branches, of: $kernels" grep -qE " tl_${function}_(fma|baseline) " <<<"$kernels "
done
# a family's others do not: the engine would look at counters that cannot change
slerp3=$(covered_functions "$(find "$build/fuzz" -path '*covered_slerp3_slerp.dir/*' -name '*.o')")
check "the target of slerp3 does not count slerp4's branches" \
    bash -c '! grep -qE "^(tl_)?slerp(4|3_unclamped)_" <<<"$1"' bash "$slerp3"
finish
