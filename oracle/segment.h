/* The rules that come before the formula of any segment between two keys. */
#ifndef TRUELERP_ORACLE_SEGMENT_H
#define TRUELERP_ORACLE_SEGMENT_H

#include "function.h"

/* What is asked of a segment, as far as the rules look at it. */
struct segment_data {
    double t0, v0, m0; /* the first key's time, value and out tangent */
    double t1, v1, m1; /* the second key's time, value and in tangent */
    double t;
    bool finite_weights; /* those that the formula reads are finite */
};

/* In this order:
 *   1. t, t0 or t1 NaN, or t0 > t1: NaN;
 *   2. t >= t1: v1, else t <= t0: v0, as they are;
 *   3. m0 or m1 infinite: v0;
 *   4. anything not finite: NaN.
 * Returns whether one of them holds, and then gives the answer. */
bool segment_is_given(const struct segment_data *data, struct answer *answer);

#endif
