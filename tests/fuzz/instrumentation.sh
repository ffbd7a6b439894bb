#!/usr/bin/env bash
# What is instrumented: the library and the targets with sanitizers and coverage, the oracle not at
# all. And the counters are there: compilers drop an array that nobody reads.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
need_libfuzzer

symbols()
{
    nm "$@" 2>/dev/null | grep -cE " U __(asan|ubsan|sanitizer)_" || true
}

objects=$(find "$build/oracle" -name '*.o' | wc -l)
check "the oracle has objects" [ "$objects" -gt 10 ]
while read -r object; do
    check "$object is not instrumented" [ "$(symbols "$object")" -eq 0 ]
done < <(find "$build/oracle" "$build/corpus" -name '*.o')

families=$(find "$build/impl" -name '*.o')
check "the library has objects" [ "$(wc -l <<<"$families")" -gt 5 ]
for object in $families; do
    check "$object has AddressSanitizer" grep -q "__asan_" <(nm "$object")
done
covered=$(find "$build/fuzz" -path '*covered_*' -name '*.o')
check "every family has objects with coverage" [ "$(wc -l <<<"$covered")" -ge 8 ]
for object in $covered; do
    check "$object has AddressSanitizer" grep -q "__asan_" <(nm "$object")
    check "$object has UndefinedBehaviorSanitizer" grep -q "__ubsan_" <(nm "$object")
    check "$object has coverage" grep -q "__sancov_cntrs" <(objdump -h "$object")
done

while read -r target; do
    name=$(basename "$target")
    check "$name has coverage" grep -q "__sancov_cntrs" <(objdump -h "$target")
    check "$name has extra counters" grep -q __libfuzzer_extra_counters <(objdump -h "$target")
    check "$name has a mutator" grep -q " T LLVMFuzzerCustomMutator" <(nm "$target")
done < <(sed -nE "s,^FUNCTION\(([a-z0-9_]+)\)\$,$build/fuzz_\1,p" \
    "$(dirname "${BASH_SOURCE[0]}")/../../oracle/catalog.def")
check "there are functions" [ "$checks" -gt 60 ]
finish
