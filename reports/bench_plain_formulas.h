/* What the plain checks share: see bench_plain.h. */
#ifndef TRUELERP_REPORTS_BENCH_PLAIN_FORMULAS_H
#define TRUELERP_REPORTS_BENCH_PLAIN_FORMULAS_H

#include "../oracle/values.h"

#include <stddef.h>

#include <mpfr.h>

enum { PLAIN_PRECISION = 256, PLAIN_VARIABLES = 64 };

/* Every formula's variables, which are made once. */
extern mpfr_t plain_variable[PLAIN_VARIABLES];

/* Those of divided differences. */
void plain_open_polynomials(void);
void plain_close_polynomials(void);

static inline void plain_set(mpfr_ptr x, double value)
{
    mpfr_set_d(x, value, MPFR_RNDN);
}

/* Adds a term, in whose place it works, to F and S. */
static inline void plain_add_term(mpfr_ptr value, mpfr_ptr scale, mpfr_ptr term)
{
    mpfr_add(value, value, term, MPFR_RNDN);
    mpfr_abs(term, term, MPFR_RNDN);
    mpfr_add(scale, scale, term, MPFR_RNDN);
}

/* A result is off by |r - F|: how much that is in ulps of F, and of its bound. */
struct plain_error {
    double ulps;
    double share;
};

/* The one with the larger share of its bound, or with none. */
static inline struct plain_error plain_worse(struct plain_error x, struct plain_error y)
{
    return y.share <= x.share ? x : y;
}

/* |r - F| against K u S + 2^-1074; works in F's place. An infinity is what F rounds to, or wrong.
 */
struct plain_error plain_compare(mpfr_ptr value, mpfr_srcptr scale, double result, double K);

/* The length of r - F against K u S + sqrt(n) 2^-1074, ulps of |F|; works in F's place. `scale`
 * NULL: S = |F|. `size` is |F|^2, and `work` anything. */
struct plain_error plain_compare_vector(mpfr_t *value, const double *results, size_t dimension,
                                        mpfr_srcptr scale, mpfr_srcptr size, double K,
                                        mpfr_ptr work);

void plain_dot(mpfr_ptr result, mpfr_t *a, mpfr_t *b, size_t dimension);

/* What K u S + 2^-1074 `least` comes to, in multiples of 2^*unit, where S = scale 2^exponent. */
double plain_bound(double scale, long exponent, double K, double least, long *unit);

/* The exponent of x's ulp, where |x| < 2^exponent. */
static inline long plain_ulp(long exponent)
{
    return (exponent > -1021 ? exponent : -1021) - 53;
}

/* The checks. Results are those of a function that had a number to return. */
typedef struct plain_error plain_check(const struct values *inputs, const struct values *results);

plain_check plain_lerp, plain_hermite, plain_hermite_coefficients, plain_bezier;
plain_check plain_bezier_parameter, plain_curve, plain_crossfade;
plain_check plain_cubic_roots, plain_newton, plain_track, plain_crossfade_newton;
plain_check plain_slerp3, plain_slerp3_unclamped, plain_slerp4, plain_angle3, plain_rotate_toward3;

#endif
