#include "exact_sum.h"
#include "filter.h"

#include <stdlib.h>

enum { A, B, T };

/* Numbers in an estimate are of moderate sizes, times a power of 2 that has its limits as well. */
enum { MODERATE_EXPONENT = 900, EXPONENT_MAX = 1300 };

/* F = a - t a + t b exactly, where double-double is not enough. Returns false where it is too far
 * from 1 in the estimate's units; they may be changed if nothing else is counted in them. */
static bool set_exactly(double a, double b, double t, bool alone, struct estimate *estimate)
{
    struct exact_sum sum;
    exact_sum_clear(&sum);
    exact_sum_add(&sum, 1, a);
    exact_sum_add(&sum, -t, a);
    exact_sum_add(&sum, t, b);
    struct exact_value value = exact_sum_value(&sum);
    if (alone && abs(value.exponent) > MODERATE_EXPONENT) {
        int most = value.exponent < 0 ? EXPONENT_MAX : -EXPONENT_MAX;
        estimate->exponent = abs(value.exponent) < EXPONENT_MAX ? -value.exponent : most;
    }
    int exponent = value.exponent + estimate->exponent;
    if (abs(exponent) > MODERATE_EXPONENT) {
        return false;
    }
    double power = ldexp(1, exponent);
    estimate->value[0] =
        (struct approximation){value.high * power, value.low * power, value.error * power};
    estimate->rounded = true;
    estimate->nearest = value.nearest;
    return true;
}

FILTER_INLINE bool lerp_has_rule(double a, double b, double t)
{
    return t == 0 || t == 1 || a == b || !isfinite(a) || !isfinite(b) || !isfinite(t);
}

/* F = (1 - t) a + t b; returns S but for rounding. 1 - t is exact as a double-double, (1 - t) a
 * within 2.5 u^2 of itself, t b exact, and the sum within 3 u^2 (1 + 4u) of that of the absolute
 * values:
 *
 *     |error| <= (2.5 + 3 (1 + 2.5 u^2) (1 + 4u)) u^2 S <= 5.51 u^2 S
 *
 * and 2^-1072 or so where something underflows. */
FILTER_INLINE double lerp_set_value(double a, double b, double t, struct estimate *estimate)
{
    double power = filter_power(fmax(fabs(a), fabs(b)));
    struct dd near = dd_product_double(dd_of_difference(1, t), filter_scaled(a, power));
    struct dd far = dd_of_product(t, filter_scaled(b, power));
    double scale = fabs(near.high) + fabs(far.high);
    estimate->exponent = filter_exponent(power);
    estimate->value[0] = approximation_of(dd_sum_loose(near, far),
                                          5.6 * 0x1p-106 * scale * FILTER_SLOP + FILTER_UNDERFLOW);
    return scale;
}

/* Is F known within 2^-95 of itself, so that figures nearly always are certain? */
FILTER_INLINE bool lerp_is_known(const struct estimate *estimate)
{
    return estimate->value[0].error <= 0x1p-95 * fabs(estimate->value[0].high);
}

/* S in double: its terms are within u (1 + u) of theirs, and the sum within u. */
FILTER_INLINE bool lerp_estimation(const struct values *inputs, struct estimate *estimate)
{
    double a = inputs->number[A];
    double b = inputs->number[B];
    double t = inputs->number[T];
    if (lerp_has_rule(a, b, t)) {
        return false;
    }
    double scale = lerp_set_value(a, b, t, estimate);
    estimate->scale[0] =
        approximation_of((struct dd){scale, 0}, 2.1 * 0x1p-53 * scale + FILTER_UNDERFLOW);
    if (!lerp_is_known(estimate)) {
        set_exactly(a, b, t, false, estimate); /* else the estimate remains what it is */
    }
    return true;
}

/* Is it certain which double is nearest to F, without any closer look? It is high, that nearest to
 * high + low, unless F may lie beyond a halfway point, half an ulp from high, or a quarter where
 * high is a power of 2. Subnormal numbers and those about to overflow have halfway points
 * elsewhere. */
FILTER_INLINE bool lerp_is_clear(const struct estimate *estimate)
{
    const struct approximation *x = &estimate->value[0];
    double size = fabs(x->high), unit = filter_unit(size);
    bool ordinary = estimate->exponent == 0 && size >= 0x1p-900 && size <= 0x1p900;
    return ordinary && size * unit > 1 &&
           fabs(0.5 - fabs(x->low) * 0x1p52 * unit) > x->error * 0x1p53 * unit;
}

FILTER_INLINE bool lerp_cr_estimation(const struct values *inputs, struct estimate *estimate)
{
    double a = inputs->number[A];
    double b = inputs->number[B];
    double t = inputs->number[T];
    if (lerp_has_rule(a, b, t)) {
        return false;
    }
    lerp_set_value(a, b, t, estimate);
    return (lerp_is_known(estimate) && lerp_is_clear(estimate)) ||
           set_exactly(a, b, t, true, estimate);
}

FILTER_ESTIMATE(estimate_lerp, lerp_estimation)
FILTER_ESTIMATE(estimate_lerp_cr, lerp_cr_estimation)
