/* Checksums, of a case's numbers and of bytes, and what scatters bits, for them and for random
 * numbers. */
#ifndef TRUELERP_CORPUS_CHECKSUM_H
#define TRUELERP_CORPUS_CHECKSUM_H

#include "../oracle/values.h"

#include <stddef.h>
#include <stdint.h>

/* Of the fields' lengths and the numbers' bits; all NaN are one, as to the contract. The index is
 * the case's, so that an exchange shows. Sums of it do not depend on the cases' order. */
uint64_t checksum_of(uint64_t index, const struct values *values);

/* Of bytes that follow those of `sum`, which begins as CHECKSUM_START. FNV-1a of 64 bits: against
 * damage and mistakes, not against forgery. */
#define CHECKSUM_START UINT64_C(0xCBF29CE484222325)
uint64_t checksum_of_bytes(uint64_t sum, const void *bytes, size_t size);

/* A bijection in which every output bit depends on every input bit, and the step from one state to
 * the next of the generator that it is the finalizer of: Steele, Lea and Flood, Fast Splittable
 * Pseudorandom Number Generators (2014), with Stafford's constants. */
#define MIX_STEP UINT64_C(0x9E3779B97F4A7C15)
static inline uint64_t mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

#endif
