/* A checksum over the bits of many cases' numbers. Sums of it do not depend on the cases' order. */
#ifndef TRUELERP_REPORTS_CHECKSUM_H
#define TRUELERP_REPORTS_CHECKSUM_H

#include "../oracle/values.h"

#include <stddef.h>
#include <stdint.h>

/* Of the fields' lengths and the numbers' bits; all NaN are one, as to the contract. The index is
 * the case's, so that an exchange shows. */
uint64_t checksum_of(uint64_t index, const struct values *values);

/* Of bytes that follow those of `sum`, which begins as CHECKSUM_START. FNV-1a of 64 bits: against
 * damage and mistakes, not against forgery. */
#define CHECKSUM_START UINT64_C(0xCBF29CE484222325)
uint64_t checksum_of_bytes(uint64_t sum, const void *bytes, size_t size);

#endif
