/* Any segment between two keys: the rules that come before its formula, and the formulas at times
 * that need not be doubles. */
#ifndef TRUELERP_ORACLE_SEGMENT_H
#define TRUELERP_ORACLE_SEGMENT_H

#include "function.h"

/* The bounds' factors: of tl_hermite and tl_bezier, and so of a curve's segments. */
enum { HERMITE_K = 12, BEZIER_K = 64 };

/* What is asked of a segment, as far as the rules look at it. */
struct segment_data {
    double t0, v0, m0; /* the first key's time, value and out tangent */
    double t1, v1, m1; /* the second key's time, value and in tangent */
    double t;
    bool finite_weights; /* those that the formula reads are finite */
    double w0, w1;       /* the weights of its sides; NaN: the real 1/3 */
};

/* In this order:
 *   1. t, t0 or t1 NaN, or t0 > t1: NaN;
 *   2. t >= t1: v1, else t <= t0: v0, as they are;
 *   3. m0 or m1 infinite: v0;
 *   4. anything not finite: NaN.
 * Returns whether one of them holds, and then gives the answer. */
bool segment_is_given(const struct segment_data *data, struct answer *answer);

/* Rules 3 and 4 alone, for a time between t0 and t1. */
bool segment_inside_is_given(const struct segment_data *data, struct answer *answer);

/* F and S, at the precision of both, where none of the rules holds: t0 < t < t1. The time is `t`;
 * data->t is not read. hermite_at does not read the weights. */
void hermite_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr value, mpfi_ptr scale);
void bezier_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr value, mpfi_ptr scale);

/* The parameter s at that time. */
void bezier_parameter_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr parameter);

#endif
