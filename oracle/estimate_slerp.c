#include "filter_plane.h"

enum { DIMENSIONS = 3, QUATERNION_DIMENSIONS = 4 };

/* Lengths up to here are in the estimate as they are. */
enum { ORDINARY_EXPONENT = 500 };

/* Beyond, t times a length might leave the range. */
static const double T_MAX = 0x1p200;

struct pair {
    struct filter_vector a, b;
    struct approximation length_a, length_b; /* times 2^exponent of the estimate */
    struct approximation length;             /* L, the same */
};

/* x 2^exponent for a length or component x; what is below 2^-1000 is at most 2^-990, as |x| <= 4.
 */
FILTER_INLINE struct approximation in_units(struct approximation x, int exponent)
{
    if (exponent < -1000) {
        return (struct approximation){0, 0, 0x1p-990};
    }
    return approximation_scaled(x, filter_power_of_two(exponent));
}

/* Leaves the lengths, L and the estimate's exponent and magnitude. 1 - t is exact. */
FILTER_INLINE void set_lengths(struct pair *pair, double t, struct estimate *estimate)
{
    int most = pair->a.exponent > pair->b.exponent ? pair->a.exponent : pair->b.exponent;
    bool ordinary = most >= -ORDINARY_EXPONENT && most <= ORDINARY_EXPONENT;
    estimate->exponent = ordinary ? 0 : -most;
    pair->length_a = in_units(pair->a.length, pair->a.exponent + estimate->exponent);
    pair->length_b = in_units(pair->b.length, pair->b.exponent + estimate->exponent);
    struct approximation rest = approximation_of(dd_of_difference(1, t), 0);
    pair->length = approximation_sum(approximation_product(pair->length_a, rest),
                                     approximation_product_double(pair->length_b, t));
    estimate->magnitude = approximation_magnitude(pair->length);
}

/* (1 - t) a + t b, of one direction */
FILTER_INLINE void set_lerp(const struct pair *pair, double t, size_t dimensions,
                            struct estimate *estimate)
{
    struct approximation rest = approximation_of(dd_of_difference(1, t), 0);
    for (size_t k = 0; k < dimensions; k++) {
        struct approximation a =
            in_units(approximation_of_double(pair->a.c[k]), pair->a.exponent + estimate->exponent);
        struct approximation b =
            in_units(approximation_of_double(pair->b.c[k]), pair->b.exponent + estimate->exponent);
        estimate->value[k] =
            approximation_sum(approximation_product(a, rest), approximation_product_double(b, t));
    }
}

/* F = L/|a| (cos(t theta) a + sin(t theta) |a| w): see slerp.c. In place of a and |a|, their like
 * divided by 2^exponent of a. */
FILTER_INLINE bool set_value(const struct pair *pair, double t, struct approximation dot,
                             size_t dimensions, struct estimate *estimate)
{
    struct filter_plane plane;
    struct approximation angle = filter_pi(), sine, cosine;
    if (!filter_plane_set(&plane, &pair->a, &pair->b, dimensions)) {
        return false;
    }
    if (plane.parallel && dot.high > 0) {
        set_lerp(pair, t, dimensions, estimate);
        return true;
    }
    if ((!plane.parallel && !filter_plane_angle(&plane, dot, &angle)) ||
        !filter_sine_cosine(approximation_product_double(angle, t), &sine, &cosine)) {
        return false;
    }
    struct approximation stretch = approximation_quotient(pair->length, pair->a.length);
    cosine = approximation_product(cosine, stretch);
    sine = approximation_product(sine, stretch);
    if (plane.parallel) { /* never of two quaternions, one of which then has its sign changed */
        filter_turn_by_axis(estimate->value, pair->a.c, cosine, sine);
    } else {
        filter_plane_turn(estimate->value, &plane, pair->a.length, cosine, sine);
    }
    return true;
}

/* (|1-t| |a| + |t| |b|) (1 + pi |t|) */
FILTER_INLINE struct approximation scale_outside(const struct pair *pair, double t)
{
    struct approximation rest = approximation_of(dd_magnitude(dd_of_difference(1, t)), 0);
    struct approximation lengths =
        approximation_sum(approximation_product(pair->length_a, rest),
                          approximation_product_double(pair->length_b, fabs(t)));
    struct approximation turns =
        approximation_sum(approximation_product_double(filter_pi(), fabs(t)),
                          approximation_of_double(1));
    return approximation_product(lengths, turns);
}

FILTER_INLINE bool slerp3_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *a = inputs->number, *b = a + DIMENSIONS;
    double t = b[DIMENSIONS];
    struct pair pair;
    if (!(t > 0 && t < 1) || !filter_vector_set(&pair.a, a, DIMENSIONS) ||
        !filter_vector_set(&pair.b, b, DIMENSIONS)) {
        return false;
    }
    set_lengths(&pair, t, estimate);
    estimate->scale[0] = estimate->magnitude;
    return set_value(&pair, t, filter_dot(pair.a.c, pair.b.c, DIMENSIONS), DIMENSIONS, estimate);
}

FILTER_INLINE bool slerp3_unclamped_estimation(const struct values *inputs,
                                               struct estimate *estimate)
{
    const double *a = inputs->number, *b = a + DIMENSIONS;
    double t = b[DIMENSIONS];
    struct pair pair;
    if (!(fabs(t) <= T_MAX) || t == 0 || t == 1 || !filter_vector_set(&pair.a, a, DIMENSIONS) ||
        !filter_vector_set(&pair.b, b, DIMENSIONS)) {
        return false;
    }
    set_lengths(&pair, t, estimate);
    estimate->scale[0] = t > 0 && t < 1 ? estimate->magnitude : scale_outside(&pair, t);
    return set_value(&pair, t, filter_dot(pair.a.c, pair.b.c, DIMENSIONS), DIMENSIONS, estimate);
}

/* Where the sign of p . q is not certain, the ladder decides. */
FILTER_INLINE bool slerp4_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *p = inputs->number, *q = p + QUATERNION_DIMENSIONS;
    double t = q[QUATERNION_DIMENSIONS];
    struct pair pair;
    if (!(t > 0 && t < 1) || !filter_vector_set(&pair.a, p, QUATERNION_DIMENSIONS) ||
        !filter_vector_set(&pair.b, q, QUATERNION_DIMENSIONS)) {
        return false;
    }
    struct approximation dot = filter_dot(pair.a.c, pair.b.c, QUATERNION_DIMENSIONS);
    if (!(dot.error <= 0.5 * fabs(dot.high))) {
        return false;
    }
    if (dot.high < 0) {
        dot = approximation_negative(dot);
        for (size_t k = 0; k < QUATERNION_DIMENSIONS; k++) {
            pair.b.c[k] = -pair.b.c[k];
        }
    }
    set_lengths(&pair, t, estimate);
    estimate->scale[0] = estimate->magnitude;
    return set_value(&pair, t, dot, QUATERNION_DIMENSIONS, estimate);
}

FILTER_ESTIMATE(estimate_slerp3, slerp3_estimation)
FILTER_ESTIMATE(estimate_slerp3_unclamped, slerp3_unclamped_estimation)
FILTER_ESTIMATE(estimate_slerp4, slerp4_estimation)
