#include "exact_sum.h"
#include "filter_plane.h"
#include "filter_turns.h"

#include <stdlib.h>

enum { DIMENSIONS = 3, QUATERNION_DIMENSIONS = 4 };

/* Lengths up to here are in the estimate as they are. */
enum { ORDINARY_EXPONENT = 500 };

/* From here on t is divided by a power of 2, lest it take lengths out of the range; and the
 * exponent that L then has in the estimate, so that S, which may be 2^2000 times as large, mostly
 * stays in it. */
static const double FAR = 0x1p200;
enum { FAR_UNIT = -130 };

/* S and F of such a t are at most so large. */
enum { SCALE_EXPONENT_MAX = 960, ESTIMATE_EXPONENT_MAX = 1200 };

/* Beyond so many radians, t times the angle is not known well by a double-double. */
static const double ANGLE_MAX = 0x1p12;

struct pair {
    struct filter_vector a, b;
    const double *given_a, *given_b;         /* as they were */
    int most;                                /* the larger one's exponent */
    struct approximation length_a, length_b; /* times 2^-most */
    int far;                                 /* t = 2^far near; 0 for all but the largest */
    struct approximation rest;               /* (1 - t) 2^-far, exactly */
    double near;
    struct approximation length; /* L times 2^(unit - most - far) */
    int unit;
};

/* x 2^exponent for a number x of at most 2^10, such as a length, |x| <= 4: what is divided by more
 * than 2^1000 is at most 2^-991, its error included. Beyond 2^1023 nothing is known: infinities and
 * NaN. */
FILTER_INLINE struct approximation in_units(struct approximation x, int exponent)
{
    if (exponent < -1000) {
        return (struct approximation){0, 0, 0x1p-990};
    }
    return approximation_scaled(x, filter_power_of_two(exponent));
}

/* 1 - t is exact as a double-double, and remains so when divided: beyond FAR its parts are -t and
 * 1, and 2^-1023 is a double, by which a product is exact. |near| is then from 1 to 2. */
FILTER_INLINE void set_times(struct pair *pair, double t)
{
    bool far = fabs(t) >= FAR;
    pair->far = far ? ilogb(t) : 0;
    double power = far ? ldexp(1, -pair->far) : 1;
    pair->near = t * power;
    pair->rest = approximation_of(dd_scaled(dd_of_difference(1, t), power), 0);
}

/* L = |a| + t (|b| - |a|), which does not cancel as (1 - t) |a| + t |b| does where the lengths are
 * alike and t is large: |b| - |a| = (|b|^2 - |a|^2) / (|a| + |b|), and the difference of squares is
 * an exact sum of products. In units of 2^(2 most) it is at most 16, and the sum of lengths is from
 * 1 to 8; a difference of 0 has no exponent. */
static struct approximation length_by_squares(const struct pair *pair, size_t dimensions)
{
    struct exact_sum sum;
    exact_sum_clear(&sum);
    for (size_t k = 0; k < dimensions; k++) {
        exact_sum_add(&sum, pair->given_b[k], pair->given_b[k]);
        exact_sum_add(&sum, -pair->given_a[k], pair->given_a[k]);
    }
    struct exact_value value = exact_sum_value(&sum);
    int exponent = value.high == 0 ? 0 : value.exponent - 2 * pair->most;
    struct approximation squares =
        in_units((struct approximation){value.high, value.low, value.error}, exponent);
    struct approximation difference =
        approximation_quotient(squares, approximation_sum(pair->length_a, pair->length_b));
    return approximation_sum(in_units(pair->length_a, -pair->far),
                             approximation_product_double(difference, pair->near));
}

/* Leaves the lengths, L and the estimate's exponent and magnitude, |L|: that is |F|, of two vectors
 * of one direction too. Returns false where that is out of range.
 *
 * L is first known times 2^-(most + far), where it is below 2^203, or below 2^5 where t is divided.
 * `unit` is from -500 to 500 then, or from -134 to 870, where it leaves L 2^-129 at most: nothing
 * overflows. The estimate's exponent is 0, or at most 1022 in size, or ESTIMATE_EXPONENT_MAX. */
FILTER_INLINE bool set_lengths(struct pair *pair, const double *a, const double *b, double t,
                               size_t dimensions, struct estimate *estimate)
{
    pair->given_a = a;
    pair->given_b = b;
    pair->most = pair->a.exponent > pair->b.exponent ? pair->a.exponent : pair->b.exponent;
    pair->length_a = in_units(pair->a.length, pair->a.exponent - pair->most);
    pair->length_b = in_units(pair->b.length, pair->b.exponent - pair->most);
    set_times(pair, t);
    pair->length = approximation_sum(approximation_product(pair->length_a, pair->rest),
                                     approximation_product_double(pair->length_b, pair->near));
    if (!(pair->length.error <= 0x1p-98 * fabs(pair->length.high))) {
        pair->length = length_by_squares(pair, dimensions);
    }
    bool ordinary = abs(pair->most) <= ORDINARY_EXPONENT;
    pair->unit = ordinary ? pair->most : 0;
    if (pair->far != 0) {
        if (!(fabs(pair->length.high) >= 0x1p-1000)) {
            return false;
        }
        pair->unit = FAR_UNIT - ilogb(pair->length.high);
    }
    estimate->exponent = pair->unit - pair->most - pair->far;
    pair->length = in_units(pair->length, pair->unit);
    estimate->magnitude = approximation_magnitude(pair->length);
    return pair->far == 0 || (abs(estimate->exponent) <= ESTIMATE_EXPONENT_MAX &&
                              pair->far + pair->unit <= SCALE_EXPONENT_MAX);
}

/* t theta, less whole turns where there are many. The double-double product may be above ANGLE_MAX
 * where that in double is not; filter_sine_cosine then refuses it. */
FILTER_INLINE bool set_angle(const struct pair *pair, const struct filter_plane *plane, double t,
                             struct approximation dot, size_t dimensions,
                             struct approximation *angle)
{
    if (plane->parallel) { /* pi t, without an even number of pi: exactly */
        *angle = approximation_product_double(filter_pi(), remainder(t, 2));
        return true;
    }
    if (!filter_plane_angle(plane, dot, angle)) {
        return false;
    }
    if (fabs(t) * angle->high > ANGLE_MAX) {
        return filter_turned_angle(pair->a.c, pair->b.c, dimensions, t, *angle, angle);
    }
    *angle = approximation_product_double(*angle, t);
    return true;
}

/* F = L/|a| (cos(t theta) a + sin(t theta) |a| w): see slerp.c. In place of a and |a|, their like
 * divided by 2^exponent of a. So is |a| from 1 to 4, and `across` from 1 to 5, each known far
 * better than within 2^-60, as filter_quotient_by has it. Where vectors are parallel, the dot is 1
 * or more in size, and so its sign certain. */
FILTER_INLINE bool set_value(const struct pair *pair, double t, struct approximation dot,
                             size_t dimensions, struct estimate *estimate)
{
    struct filter_plane plane;
    struct approximation angle, sine, cosine;
    if (!filter_plane_set(&plane, &pair->a, &pair->b, dimensions)) {
        return false;
    }
    struct approximation stretch =
        filter_quotient_by(pair->length, pair->a.length, pair->a.inverse);
    if (plane.parallel && dot.high > 0) { /* (1 - t) a + t b = L a/|a| */
        for (size_t k = 0; k < dimensions; k++) {
            estimate->value[k] = approximation_product_double(stretch, pair->a.c[k]);
        }
        return true;
    }
    if (!set_angle(pair, &plane, t, dot, dimensions, &angle) ||
        !filter_sine_cosine(angle, &sine, &cosine)) {
        return false;
    }
    cosine = approximation_product(cosine, stretch);
    if (plane.parallel) { /* never of two quaternions, one of which then has its sign changed */
        sine = approximation_product(sine, stretch);
        filter_turn_by_axis(estimate->value, pair->a.c, cosine, sine);
    } else { /* the quotient need not wait for the sine */
        struct approximation ratio = filter_quotient_by(stretch, plane.across, plane.inverse);
        filter_plane_turn(estimate->value, &plane, pair->a.length, cosine,
                          approximation_product(sine, ratio));
    }
    return true;
}

/* (|1-t| |a| + |t| |b|) (1 + pi |t|), with the second factor divided by 2^far as well: then both
 * are below 2^5, and unit + far is from 66 to SCALE_EXPONENT_MAX; else they are below 2^204 and
 * 2^202, and unit is at most 500. */
FILTER_INLINE struct approximation scale_outside(const struct pair *pair)
{
    double near = fabs(pair->near);
    struct approximation lengths = approximation_sum(
        approximation_product(pair->length_a, approximation_magnitude(pair->rest)),
        approximation_product_double(pair->length_b, near));
    struct approximation turns =
        approximation_sum(approximation_product_double(filter_pi(), near),
                          in_units(approximation_of_double(1), -pair->far));
    return in_units(approximation_product(lengths, turns), pair->unit + pair->far);
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
    if (!set_lengths(&pair, a, b, t, DIMENSIONS, estimate)) {
        return false;
    }
    estimate->scale[0] = estimate->magnitude;
    return set_value(&pair, t, filter_dot(pair.a.c, pair.b.c, DIMENSIONS), DIMENSIONS, estimate);
}

FILTER_INLINE bool slerp3_unclamped_estimation(const struct values *inputs,
                                               struct estimate *estimate)
{
    const double *a = inputs->number, *b = a + DIMENSIONS;
    double t = b[DIMENSIONS];
    struct pair pair;
    if (!isfinite(t) || t == 0 || t == 1 || !filter_vector_set(&pair.a, a, DIMENSIONS) ||
        !filter_vector_set(&pair.b, b, DIMENSIONS) ||
        !set_lengths(&pair, a, b, t, DIMENSIONS, estimate)) {
        return false;
    }
    estimate->scale[0] = t > 0 && t < 1 ? estimate->magnitude : scale_outside(&pair);
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
    if (!set_lengths(&pair, p, q, t, QUATERNION_DIMENSIONS, estimate)) {
        return false;
    }
    estimate->scale[0] = estimate->magnitude;
    return set_value(&pair, t, dot, QUATERNION_DIMENSIONS, estimate);
}

FILTER_ESTIMATE(estimate_slerp3, slerp3_estimation)
FILTER_ESTIMATE(estimate_slerp3_unclamped, slerp3_unclamped_estimation)
FILTER_ESTIMATE(estimate_slerp4, slerp4_estimation)
