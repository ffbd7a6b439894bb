/* What turns in the plane of two vectors are made of: the plane's bivector with all its digits,
 * also where lengths and components lie anywhere in the range, and the sum of the two sides of a
 * turn.
 */
#ifndef TL_TURN_H
#define TL_TURN_H

#include "scaled.h"
#include "trig.h"

#include <limits.h>

static inline double tl_dot3(const double *p, const double *q)
{
    return fma(p[0], q[0], fma(p[1], q[1], p[2] * q[2]));
}

/* low <= x < high, of positive low and high */
static inline bool tl_is_within(double x, double low, double high)
{
    return tl_to_bits(x) - tl_to_bits(low) < tl_to_bits(high) - tl_to_bits(low);
}

static inline bool tl_all_finite(const double *x, int count)
{
    bool finite = true;
    for (int k = 0; k < count; k++) {
        finite = finite && tl_is_finite(x[k]);
    }
    return finite;
}

static inline bool tl_all_zero(const double *x, int count)
{
    bool zero = true;
    for (int k = 0; k < count; k++) {
        zero = zero && x[k] == 0;
    }
    return zero;
}

/* a b - c d within 2u of itself, as long as the error of c d does not underflow: Kahan's way.
 * Jeannerod, Louvet, Muller, Further analysis of Kahan's algorithm for the accurate computation of
 * 2x2 determinants, Mathematics of Computation 82 (2013). */
static inline double tl_minor(double a, double b, double c, double d)
{
    double product = c * d;
    return fma(a, b, -product) + fma(-c, d, product);
}

/* p x q */
static inline __attribute__((always_inline)) void tl_cross(const double *p, const double *q,
                                                           double *n)
{
    n[0] = tl_minor(p[1], q[2], p[2], q[1]);
    n[1] = tl_minor(p[2], q[0], p[0], q[2]);
    n[2] = tl_minor(p[0], q[1], p[1], q[0]);
}

/* gain / sqrt(nn), where length = sqrt(nn) rounded. A Newton step, 1/sqrt(nn) = y (1 + e/2) with
 * e = 1 - nn y^2, makes up for the roundings of root and reciprocal. */
static inline tl_dd tl_over_root(tl_dd gain, double nn, double length)
{
    double y = 1 / length;
    double nny = nn * y;
    double e = fma(fma(-nn, y, nny), y, fma(-nny, y, 1));
    double quotient = gain.high * y;
    double low = fma(gain.high, y, -quotient);
    return (tl_dd){quotient, fma(gain.low, y, fma(0.5 * e, quotient, low))};
}

/* x y, off by 2 u of its low part */
static inline tl_dd tl_times(tl_dd x, tl_dd y)
{
    double product = x.high * y.high;
    double low = fma(x.low, y.high, fma(x.high, y.high, -product));
    return (tl_dd){product, fma(x.high, y.low, low)};
}

/* a p + b (n x p). What comes last, the low parts, is a tenth of the whole or less where a and b
 * are made of tl_sine_cosine, and is added with a tenth of the error. */
static inline __attribute__((always_inline)) void tl_combine3(tl_dd a, const double *p, tl_dd b,
                                                              const double *n, double *result)
{
    double m[3] = {fma(n[1], p[2], -(n[2] * p[1])), fma(n[2], p[0], -(n[0] * p[2])),
                   fma(n[0], p[1], -(n[1] * p[0]))};
    double r0 = fma(b.high, m[0], fma(a.high, p[0], fma(a.low, p[0], b.low * m[0])));
    double r1 = fma(b.high, m[1], fma(a.high, p[1], fma(a.low, p[1], b.low * m[1])));
    double r2 = fma(b.high, m[2], fma(a.high, p[2], fma(a.low, p[2], b.low * m[2])));
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
}

/* a b - c d of any doubles, within 2 u of itself, and 0 only if it is 0: on fractions between 1 and
 * 2 in size nothing underflows in tl_minor(), and a product that the other one exceeds 2^110 times
 * does not show. */
static inline tl_scaled tl_scaled_minor(double a, double b, double c, double d)
{
    tl_scaled fa = tl_scale(a, 0), fb = tl_scale(b, 0), fc = tl_scale(c, 0), fd = tl_scale(d, 0);
    int first = fa.exponent + fb.exponent;
    int second = fc.exponent + fd.exponent;
    bool no_first = fa.fraction * fb.fraction == 0;
    bool no_second = fc.fraction * fd.fraction == 0;
    if (no_second || (!no_first && first - second > 110)) {
        return tl_scale(fa.fraction * fb.fraction, first);
    }
    if (no_first || second - first > 110) {
        return tl_scale(-(fc.fraction * fd.fraction), second);
    }
    double aligned = fa.fraction * tl_from_bits((uint64_t)(first - second + 1023) << 52);
    return tl_scale(tl_minor(aligned, fb.fraction, fc.fraction, fd.fraction), second);
}

/* Components c times 2^(the returned exponent) are x, the largest one being between 1 and 2 in
 * size; INT_MIN if all are 0. What becomes of a component below 2^-1022 of that does not show. */
static inline int tl_normalise(const tl_scaled *x, int count, double *c)
{
    int exponent = INT_MIN;
    for (int k = 0; k < count; k++) {
        if (x[k].fraction != 0 && x[k].exponent > exponent) {
            exponent = x[k].exponent;
        }
    }
    for (int k = 0; k < count; k++) {
        c[k] = x[k].fraction == 0
                   ? 0
                   : tl_unscale((tl_scaled){x[k].fraction, x[k].exponent - exponent});
    }
    return exponent;
}

/* The same of up to four doubles. */
static inline int tl_normalise_plain(const double *x, int count, double *c)
{
    tl_scaled scaled[4];
    for (int k = 0; k < count; k++) {
        scaled[k] = tl_scale(x[k], 0);
    }
    return tl_normalise(scaled, count, c);
}

/* The components of p x q, each with an exponent of its own; whether there is one that is not 0. */
static inline bool tl_scaled_cross(const double *p, const double *q, tl_scaled *n)
{
    n[0] = tl_scaled_minor(p[1], q[2], p[2], q[1]);
    n[1] = tl_scaled_minor(p[2], q[0], p[0], q[2]);
    n[2] = tl_scaled_minor(p[0], q[1], p[1], q[0]);
    return n[0].fraction != 0 || n[1].fraction != 0 || n[2].fraction != 0;
}

/* The turn from a to -a passes through the axis along which a's component is smallest, made
 * orthogonal to a. That is n x a for n = a x axis. unit_a is a multiple of a. */
static inline void tl_set_normal_of_opposite(const double *a, const double *unit_a, double *n)
{
    int smallest = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(a[k]) < fabs(a[smallest])) {
            smallest = k;
        }
    }
    int next = (smallest + 1) % 3;
    int last = (smallest + 2) % 3;
    n[smallest] = 0;
    n[next] = unit_a[last];
    n[last] = -unit_a[next];
}

#endif
