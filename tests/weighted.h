/* The weighted segment once more: its root by bisection with exact signs, its value by de
 * Casteljau's construction, all in GMP's integers and rationals.
 *
 * It shares nothing with the oracle but the public header's promise: no Newton's step, no interval,
 * no rounding at all. */
#ifndef TRUELERP_TESTS_WEIGHTED_H
#define TRUELERP_TESTS_WEIGHTED_H

#include "rational.h"

#include "../oracle/values.h"

struct weighted {
    struct segment keys;
    bool has_w0, has_w1; /* else that weight is 1/3 */
    double w0, w1;
    double t;
    mpq_srcptr time; /* if not NULL, a dyadic time in place of t */
};

/* A case of bezier, or one of bezier_parameter: then values and slopes are 0. */
struct weighted weighted_of(const struct values *inputs);

/* What rules 1 to 4 return, or false where the formula holds. */
bool weighted_rule(const struct weighted *curve, double *result);

/* Those of the parameter. */
bool weighted_parameter_rule(const struct weighted *curve, double *result);

/* For the following, t0 < t < t1 and all are finite. */

/* Encloses the parameter at t: high - low is at most 2^-bits times its distance from the nearer
 * end, and 0 where the root is met exactly. */
void weighted_parameter(mpq_t low, mpq_t high, const struct weighted *curve, unsigned bits);

/* Sign of X(s) - t. The denominator of s is a power of 2. */
int weighted_side(const struct weighted *curve, const mpq_t s);

/* Y(s) and S(s), at any s. */
void weighted_value(mpq_t value, mpq_t scale, const struct weighted *curve, const mpq_t s);

#endif
