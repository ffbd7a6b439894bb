/* What the exact formulas need beyond MPFI.
 *
 * Interval arithmetic itself is MPFI's: a maintained library of directed rounding over MPFR whose
 * operations and elementary functions are each as tight as the precision allows, so that a formula
 * written in them is an enclosure by construction. Two things it cannot give, because it sees one
 * operation at a time, are here: sums and differences of products that are exact before their only
 * rounding (no cancellation ever shows, and a zero is exactly zero), and sharp forms of composites
 * in which one quantity occurs more than once. Functions of angles are here as well since MPFI
 * evaluates them at both ends, which doubles the cost of the dearest operations there are.
 *
 * Every function leaves an enclosure of the exact value in `result`, at result's precision, which
 * must be at least 64 bits. */
#ifndef TRUELERP_ORACLE_INTERVAL_H
#define TRUELERP_ORACLE_INTERVAL_H

#include <stddef.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

enum { INTERVAL_TERMS_MAX = 8 };

/* Work space: `count` intervals of the given precision that are this thread's own until they are
 * returned, the last taken first. They are kept for the next time, so that judging a case
 * allocates nothing. */
mpfi_t *interval_take(size_t count, mpfr_prec_t precision);
void interval_return(size_t count);

/* Frees the thread's work space, of which nothing may be taken. It comes back when next needed. */
void interval_free(void);

/* mpfi_set_prec where it would change something; the value is lost either way. */
void interval_set_precision(mpfi_ptr interval, mpfr_prec_t precision);

/* 2^1024 - 2^970, from which on numbers round to infinity, as mantissa and exponent of 2; and as a
 * point. */
#define OVERFLOW_MANTISSA ((1L << 54) - 1)
#define OVERFLOW_EXPONENT 970
void interval_set_overflow(mpfi_ptr result);

/* x - y */
void interval_difference(mpfi_ptr result, double x, double y);

/* x - y and y - x of a real number x that is known exactly */
void interval_above(mpfi_ptr result, mpfr_srcptr x, double y);
void interval_below(mpfi_ptr result, mpfr_srcptr x, double y);

/* The sum of x[i] y[i], rounded once each way. At most INTERVAL_TERMS_MAX terms. */
void interval_dot(mpfi_ptr result, const double *x, const double *y, size_t count);

/* a b - c d, rounded once each way. */
void interval_minor(mpfi_ptr result, double a, double b, double c, double d);

/* a + t (b - a), where the interval a is one real number in both places: rounded once each way. */
void interval_lerp(mpfi_ptr result, mpfi_srcptr a, mpfi_srcptr b, double t);

/* The angle of the point (x, y), y >= 0 and not both 0: in [0, pi]. x and y should be known to a
 * small fraction of themselves; the angle then is as well. */
void interval_angle(mpfi_ptr result, mpfi_srcptr y, mpfi_srcptr x);

void interval_sin_cos(mpfi_ptr sine, mpfi_ptr cosine, mpfi_srcptr x);

/* Of pi t, exact where t is a multiple of 1/2. */
void interval_sin_cos_pi(mpfi_ptr sine, mpfi_ptr cosine, double t);

/* Of t times the angle n pi/12, n from 1 to 11: exact where they are 0, 1/2 or 1 in size. */
void interval_sin_cos_twelfths(mpfi_ptr sine, mpfi_ptr cosine, double t, unsigned n);

#endif
