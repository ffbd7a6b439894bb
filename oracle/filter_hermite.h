/* A segment without weights in double-double, with a derived bound: the first stage's side of
 * hermite_at (segment.h). */
#ifndef TRUELERP_ORACLE_FILTER_HERMITE_H
#define TRUELERP_ORACLE_FILTER_HERMITE_H

#include "filter_segment.h"

/* Sums and products of which only the absolute terms count: the low part is not made small against
 * the high one, which may have cancelled. In units of u^2 and of the absolute terms, where low
 * parts are at most p u and q u of these, to first order:
 *
 *     raw_sum: the inner sum p u, the outer p u + u (p the larger); error 2 p + 1, low p + 1
 *     raw_product: left out p q; sums of p + 1 and p + q + 1
 *         error p q + 2 p + q + 2, low p + q + 1
 *     raw_product_double: error p + 1, low p + 1 */
FILTER_INLINE struct dd raw_sum(struct dd x, struct dd y)
{
    struct dd s = dd_of_sum(x.high, y.high);
    return (struct dd){s.high, s.low + (x.low + y.low)};
}

FILTER_INLINE struct dd raw_product(struct dd x, struct dd y)
{
    struct dd p = dd_of_product(x.high, y.high);
    return (struct dd){p.high, fma(y.low, x.high, fma(y.high, x.low, p.low))};
}

FILTER_INLINE struct dd raw_product_double(struct dd x, double b)
{
    struct dd p = dd_of_product(x.high, b);
    return (struct dd){p.high, fma(x.low, b, p.low)};
}

/* d / h within 20.1 u^2 of itself, where h is from 2^-500 to 2^502, `inverse` is 1 / h.high
 * rounded, and d at least 2^-900: the same number serves both ends, and no division waits for
 * another. In units of |d| and to first order, `part` being within 2u of d.high / h.high:
 *     d.high - part h.high: at most 2u, rounded within 2 u^2 (it is mostly exact)
 *     d.low - part h.low: at most 2u, rounded within 2 u^2
 *     the sum of both, d - part h: at most 4u, rounded within 4 u^2
 *     that times `inverse`, which is within 2u of 1 / h: 8 u^2, rounded within 4 u^2
 * which makes 20 u^2. What underflows, by 2^-1075 a time, is less than 2^-170 of d. */
FILTER_INLINE struct dd hermite_part(struct dd d, struct dd h, double inverse)
{
    double part = d.high * inverse;
    double rest = fma(-part, h.high, d.high) + fma(-part, h.low, d.low);
    return dd_of_fast_sum(part, rest * inverse);
}

/* One end of a segment of length h: v (1 + 2 near) + m h near, where `near` is the distance from
 * that end in parts of h, within 20.1 and normal (low 1). Errors and lows as above:
 *     1 + 2 near: 20.1, and an addition of up to 2u           22.1, 2
 *     that times v                                            25.1, 3
 *     m h, 2.5 (dd_product_double); times near, 20.1 and 6    28.6, 3
 *     the sum                                                 35.6, 4
 * *size is the sum of the absolute terms but for 7u. */
FILTER_INLINE struct dd hermite_end(double v, double m, struct dd h, struct dd near, double *size)
{
    struct dd place = dd_of_sum(1, 2 * near.high);
    place.low += 2 * near.low;
    struct dd value = raw_product_double(place, v);
    struct dd slope = raw_product(dd_product_double(h, m), near);
    *size = fabs(value.high) + fabs(slope.high);
    return raw_sum(value, slope);
}

/* F and S at data->t, of a segment as segment_rescale leaves it. h = d + e, d = t - t0 and e = t1 -
 * t are exact; x = d / h and y = e / h are within 20.1 u^2, and
 *
 *     F = y^2 (v0 (1 + 2x) + m0 h x) + x^2 (v1 (1 + 2y) - m1 h y)
 *
 * Errors and lows as above:
 *     x^2 and y^2, normal: twice 20.1 and 6.5                 46.7, 1
 *     the ends, low 4, times these: 4, and sums of 5 and 6    97.3, 6
 *     the sum                                                 110.3, 7
 * of which 111 has room for all higher orders; the last addition is exact.
 *
 * Underflow: with h as segment_rescale leaves it, from 2^-500 on, and x and y from 2^-400 on, d and
 * e are at least 2^-900; in x, y and their squares there is none that would be more than 2^-170 of
 * them; of the other products, four times 2^-1072 at most, times factors of at most 3.
 *
 * Returns false where that does not hold, or anything is not finite. */
FILTER_INLINE bool hermite_approximate(const struct segment_data *data, struct approximation *value,
                                       struct approximation *scale)
{
    struct dd d = dd_of_difference(data->t, data->t0);
    struct dd e = dd_of_difference(data->t1, data->t);
    struct dd h = dd_of_difference(data->t1, data->t0);
    double inverse = 1 / h.high;
    struct dd x = hermite_part(d, h, inverse);
    struct dd y = hermite_part(e, h, inverse);
    bool lasting = h.high >= 0x1p-500 && h.high <= 0x1p502; /* nor is it negative */
    if (!(lasting && x.high >= 0x1p-400 && y.high >= 0x1p-400)) {
        return false;
    }
    double first_size, last_size;
    struct dd first = hermite_end(data->v0, data->m0, h, x, &first_size);
    struct dd last = hermite_end(data->v1, -data->m1, h, y, &last_size);
    struct dd yy = dd_product(y, y);
    struct dd xx = dd_product(x, x);
    double size = yy.high * first_size + xx.high * last_size;
    struct dd sum = raw_sum(raw_product(first, yy), raw_product(last, xx));
    *value = approximation_of(dd_of_sum(sum.high, sum.low),
                              111 * 0x1p-106 * size * FILTER_SLOP + FILTER_UNDERFLOW);
    *scale = approximation_of((struct dd){size, 0}, 12 * 0x1p-53 * size + FILTER_UNDERFLOW);
    return isfinite(size); /* as is everything that it is made of */
}

#endif
