#include "filter.h"

enum { A, B, T };

/* F = (1 - t) a + t b, and S with absolute values. 1 - t is exact as a double-double, each product
 * within 2.5 u^2 of itself (t b is exact), and the sum within 3 u^2 (1 + 4u) (|x| + |y|) of itself:
 *
 *     |error| <= (2.5 + 3 (1 + 5 u^2)(1 + 4u)) u^2 S <= 5.6 u^2 S + underflow.
 *
 * S in double: its terms are within (1 + u) of those of the double-doubles and its sum within u, so
 * S is (1 + 2.01 u) that at most. */
FILTER_INLINE bool lerp_estimation(const struct values *inputs, struct estimate *estimate)
{
    double a = inputs->number[A];
    double b = inputs->number[B];
    double t = inputs->number[T];
    if (t == 0 || t == 1 || a == b || !isfinite(a) || !isfinite(b) || !isfinite(t)) {
        return false;
    }
    struct dd near = dd_product_double(dd_of_difference(1, t), a);
    struct dd far = dd_of_product(t, b);
    struct dd value = dd_sum_loose(near, far);
    double scale = fabs(near.high) + fabs(far.high);
    estimate->value[0] =
        approximation_of(value, 5.6 * 0x1p-106 * scale * FILTER_SLOP + FILTER_UNDERFLOW);
    estimate->scale[0] =
        approximation_of((struct dd){scale, 0}, 2.1 * 0x1p-53 * scale + FILTER_UNDERFLOW);
    return true;
}

FILTER_ESTIMATE(estimate_lerp, lerp_estimation)
FILTER_ESTIMATE(estimate_lerp_cr, lerp_estimation)
