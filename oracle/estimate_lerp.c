#include "filter.h"

enum { A, B, T };

/* F = (1 - t) a + t b, and S with absolute values. 1 - t is exact as a double-double, (1 - t) a
 * within 2.5 u^2 of itself, t b exact, and the sum within 3 u^2 (1 + 4u) of that of the absolute
 * values:
 *
 *     |error| <= (2.5 + 3 (1 + 2.5 u^2) (1 + 4u)) u^2 S <= 5.51 u^2 S
 *
 * and 2^-1072 or so where something underflows. S in double: its terms are within u (1 + u) of
 * theirs, and the sum within u. */
FILTER_INLINE bool lerp_estimation(const struct values *inputs, struct estimate *estimate)
{
    double a = inputs->number[A];
    double b = inputs->number[B];
    double t = inputs->number[T];
    if (t == 0 || t == 1 || a == b || !isfinite(a) || !isfinite(b) || !isfinite(t)) {
        return false;
    }
    double power = filter_power(fmax(fabs(a), fabs(b)));
    struct dd near = dd_product_double(dd_of_difference(1, t), filter_scaled(a, power));
    struct dd far = dd_of_product(t, filter_scaled(b, power));
    double scale = fabs(near.high) + fabs(far.high);
    estimate->exponent = filter_exponent(power);
    estimate->value[0] = approximation_of(dd_sum_loose(near, far),
                                          5.6 * 0x1p-106 * scale * FILTER_SLOP + FILTER_UNDERFLOW);
    estimate->scale[0] =
        approximation_of((struct dd){scale, 0}, 2.1 * 0x1p-53 * scale + FILTER_UNDERFLOW);
    return true;
}

FILTER_ESTIMATE(estimate_lerp, lerp_estimation)
FILTER_ESTIMATE(estimate_lerp_cr, lerp_estimation)
