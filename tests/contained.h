/* Do the first stage's estimates contain the exact answers? */
#ifndef TRUELERP_TESTS_CONTAINED_H
#define TRUELERP_TESTS_CONTAINED_H

#include "../oracle/function.h"

#include <stdint.h>

/* What was compared, and the largest part of a stated error that was ever used up. */
struct containment {
    size_t samples;
    size_t estimates; /* of these */
    double value, scale, magnitude;
};

/* Estimates `count` samples, shared evenly between the function's domains, and compares all that
 * the estimate states with the exact answer at 320 bits and, where these do not tell, more: one
 * assertion for each. Every seed gives other samples. */
struct containment contained_in_domains(const struct function *function, uint64_t seed,
                                        size_t count);

/* The same for one case. */
void contained_at(const struct function *function, const struct values *inputs,
                  struct containment *containment);

/* The part of its stated error that an approximation of what is enclosed uses up, times
 * 2^exponent; NaN where the enclosure is too wide to tell. */
double contained_part(mpfi_srcptr exact, int exponent, const struct approximation *approximation);

#endif
