#include "filter_hermite.h"

enum { T0, V0, M0, T1, V1, M1, T };
enum { COEFFICIENTS = 4 };

FILTER_INLINE bool hermite_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *in = inputs->number;
    struct segment_data data;
    data.t0 = in[T0];
    data.v0 = in[V0];
    data.m0 = in[M0];
    data.t1 = in[T1];
    data.v1 = in[V1];
    data.m1 = in[M1];
    data.t = in[T];
    if (segment_is_ordinary(&data)) { /* nearly all are: these by themselves are faster */
        return hermite_approximate(&data, &estimate->value[0], &estimate->scale[0]);
    }
    double power = filter_power(segment_largest(&data));
    segment_rescale(&data, power);
    estimate->exponent = filter_exponent(power);
    return hermite_approximate(&data, &estimate->value[0], &estimate->scale[0]);
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
