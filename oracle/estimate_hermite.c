#include "filter.h"

enum { T0, V0, M0, T1, V1, M1, T };
enum { COEFFICIENTS = 4 };

/* Sums and products of which only the absolute terms count: the low part is not made small against
 * the high one, which may have cancelled. In units of u^2 and of the absolute terms, where low
 * parts are at most p u and q u of these, to first order:
 *
 *     raw_sum: the inner sum p u, the outer p u + u (p the larger); error 2 p + 1, low p + 1
 *     raw_product: left out p q; sums of p + 1 and p + q + 1; error p q + 2 p + q + 2, low p + q +
 * 1 raw_product_double: error p + 1, low p + 1 */
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

/* One end of a segment of length h: v (1 + 2 near) + m h near, where `near` is the distance from
 * that end in parts of h, within 13 and normal (low 1). Errors and lows as above:
 *     1 + 2 near: 13, and an addition of up to 2u             15, 2
 *     that times v                                            18, 3
 *     m h, 2.5 (dd_product_double); times near, 13 and 6      21.5, 3
 *     the sum                                                 28.5, 4
 * *size is the sum of the absolute terms but for 7u. */
FILTER_INLINE struct dd end_of(double v, double m, struct dd h, struct dd near, double *size)
{
    struct dd place = dd_of_sum(1, 2 * near.high);
    place.low += 2 * near.low;
    struct dd value = raw_product_double(place, v);
    struct dd slope = raw_product(dd_product_double(h, m), near);
    *size = fabs(value.high) + fabs(slope.high);
    return raw_sum(value, slope);
}

FILTER_INLINE double larger(double x, double y)
{
    return x > y ? x : y;
}

/* The size of the largest value, tangents being values over h. */
FILTER_INLINE double largest_value(const double *in, double h)
{
    return larger(larger(fabs(in[V0]), fabs(in[V1])), larger(fabs(in[M0] * h), fabs(in[M1] * h)));
}

/* h = d + e, d = t - t0 and e = t1 - t are exact; x = d / h and y = e / h are within 13 u^2, and
 *
 *     F = y^2 (v0 (1 + 2x) + m0 h x) + x^2 (v1 (1 + 2y) - m1 h y)
 *
 * Errors and lows as above:
 *     x^2 and y^2, normal: twice 13 and 6.5                   32.5, 1
 *     the ends, low 4, times these: 4, and sums of 5 and 6    76, 6
 *     the sum                                                 89, 7
 * of which 90 has room for all higher orders; the last addition is exact.
 *
 * Underflow: with d, e and h in units of about h, and x and y from 2^-400 on, none in x, y and
 * their squares that would be more than 2^-270 of them; of the other products, four times 2^-1072
 * at most, times factors of at most 3. */
FILTER_INLINE bool hermite_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *in = inputs->number;
    struct dd d = dd_of_difference(in[T], in[T0]);
    struct dd e = dd_of_difference(in[T1], in[T]);
    struct dd h = dd_of_difference(in[T1], in[T0]);
    double unit = filter_unit(h.high);
    struct dd x = dd_quotient(dd_scaled(d, unit), dd_scaled(h, unit));
    struct dd y = dd_quotient(dd_scaled(e, unit), dd_scaled(h, unit));
    if (!(x.high >= 0x1p-400 && y.high >= 0x1p-400)) {
        return false;
    }
    double power = filter_power(largest_value(in, h.high));
    double first_size, last_size;
    struct dd first =
        end_of(filter_scaled(in[V0], power), filter_scaled(in[M0], power), h, x, &first_size);
    struct dd last =
        end_of(filter_scaled(in[V1], power), -filter_scaled(in[M1], power), h, y, &last_size);
    struct dd yy = dd_product(y, y);
    struct dd xx = dd_product(x, x);
    double scale = yy.high * first_size + xx.high * last_size;
    estimate->exponent = filter_exponent(power);
    struct dd sum = raw_sum(raw_product(first, yy), raw_product(last, xx));
    estimate->value[0] = approximation_of(dd_of_sum(sum.high, sum.low),
                                          90 * 0x1p-106 * scale * FILTER_SLOP + FILTER_UNDERFLOW);
    estimate->scale[0] =
        approximation_of((struct dd){scale, 0}, 12 * 0x1p-53 * scale + FILTER_UNDERFLOW);
    return isfinite(scale); /* as is everything that it is made of */
}

FILTER_ESTIMATE(estimate_hermite, hermite_estimation)

/* A sum of up to four terms, each within 2.5 u^2 of itself: every addition is within 3 u^2 (1 + 4u)
 * of the absolute terms so far, so 2.5 + 3 * 3 and higher orders make 11.6 u^2 of all of them,
 * unless it is known to be exact. In double, that sum is within u for each term and u for each
 * addition. */
FILTER_INLINE void set_sum(struct estimate *estimate, size_t k, const struct dd *term, size_t count,
                           bool exact)
{
    struct dd value = term[0];
    double scale = fabs(term[0].high);
    for (size_t i = 1; i < count; i++) {
        value = dd_sum_loose(value, term[i]);
        scale += fabs(term[i].high);
    }
    double error = 11.6 * 0x1p-106 * scale * FILTER_SLOP + FILTER_UNDERFLOW;
    estimate->value[k] = approximation_of(value, exact ? 0 : error);
    estimate->scale[k] =
        approximation_of((struct dd){scale, 0}, 5 * 0x1p-53 * scale + FILTER_UNDERFLOW);
}

/* c and d, which are one term each */
FILTER_INLINE void set_term(struct estimate *estimate, size_t k, struct dd value, double error)
{
    estimate->value[k] = approximation_of(value, error);
    estimate->scale[k] = approximation_of(dd_magnitude(value), error);
}

/* Times small whole numbers m, which are exact in double-double: m v is a product of doubles. */
FILTER_INLINE bool coefficients_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *in = inputs->number;
    struct dd h = dd_of_difference(in[T1], in[T0]);
    double largest =
        fmax(fmax(fabs(in[V0]), fabs(in[V1])), fmax(fabs(in[M0] * h.high), fabs(in[M1] * h.high)));
    double power = filter_power(largest);
    double v0 = filter_scaled(in[V0], power);
    double v1 = filter_scaled(in[V1], power);
    struct dd m0 = dd_product_double(h, filter_scaled(in[M0], power));
    struct dd m1 = dd_product_double(h, filter_scaled(in[M1], power));
    bool zero = in[M0] == 0 || h.high == 0;
    bool constant = zero && (in[M1] == 0 || h.high == 0) && v0 == v1; /* terms cancel exactly */
    estimate->exponent = filter_exponent(power);
    set_sum(estimate, 0, (struct dd[]){{2 * v0, 0}, {-2 * v1, 0}, m0, m1}, COEFFICIENTS, constant);
    set_sum(estimate, 1,
            (struct dd[]){dd_of_product(-3, v0), dd_of_product(3, v1), dd_scaled(m0, -2),
                          dd_negative(m1)},
            COEFFICIENTS, constant);
    set_term(estimate, 2, m0,
             zero ? 0 : FILTER_PRODUCT_DOUBLE * fabs(m0.high) * FILTER_SLOP + FILTER_UNDERFLOW);
    set_term(estimate, 3, (struct dd){v0, 0}, 0);
    return isfinite(estimate->scale[1].high); /* as is everything that it is made of */
}

FILTER_ESTIMATE(estimate_hermite_coefficients, coefficients_estimation)
