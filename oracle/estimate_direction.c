#include "filter_plane.h"

enum { DIMENSIONS = 3 };

/* Ordinary lengths are in the estimate as they are. */
enum { ORDINARY_EXPONENT = 500 };

FILTER_INLINE bool angle3_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *in = inputs->number;
    struct filter_vector a, b;
    struct filter_plane plane;
    return filter_vector_set(&a, in, DIMENSIONS) &&
           filter_vector_set(&b, in + DIMENSIONS, DIMENSIONS) &&
           filter_plane_set(&plane, &a, &b, DIMENSIONS) && !plane.parallel &&
           filter_plane_angle(&plane, filter_dot(a.c, b.c, DIMENSIONS), &estimate->value[0]);
}

/* cos(phi) a + sin(phi) |a| w, in the units of a divided by 2^exponent where its length is not
 * ordinary. S = |a| (1 + |phi|). */
FILTER_INLINE bool rotate_toward3_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *in = inputs->number;
    double phi = in[2 * DIMENSIONS];
    struct filter_vector a, b;
    struct filter_plane plane;
    struct approximation sine, cosine;
    if (phi == 0 || !filter_vector_set(&a, in, DIMENSIONS) ||
        !filter_vector_set(&b, in + DIMENSIONS, DIMENSIONS) ||
        !filter_plane_set(&plane, &a, &b, DIMENSIONS) ||
        !filter_sine_cosine_of_double(phi, &sine, &cosine)) {
        return false;
    }
    bool ordinary = a.exponent >= -ORDINARY_EXPONENT && a.exponent <= ORDINARY_EXPONENT;
    estimate->exponent = ordinary ? 0 : -a.exponent;
    double power = filter_power_of_two(ordinary ? a.exponent : 0);
    struct approximation turn = approximation_of(dd_of_sum(1, fabs(phi)), 0);
    estimate->magnitude = approximation_scaled(a.length, power);
    estimate->scale[0] = approximation_product(estimate->magnitude, turn);
    cosine = approximation_scaled(cosine, power);
    sine = approximation_scaled(sine, power);
    if (plane.parallel) {
        filter_turn_by_axis(estimate->value, a.c, cosine, sine);
    } else {
        filter_plane_turn(estimate->value, &plane, a.length, cosine,
                          filter_quotient_by(sine, plane.across, plane.inverse));
    }
    return true;
}

FILTER_ESTIMATE(estimate_angle3, angle3_estimation)
FILTER_ESTIMATE(estimate_rotate_toward3, rotate_toward3_estimation)
