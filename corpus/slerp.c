#include "draw.h"
#include "pair.h"

#include <float.h>
#include <math.h>

static const double min_subnormal = 0x1p-1074;

enum { VECTOR = 3, QUATERNION = 4 };

static void put(struct values *inputs, struct pair p, double t, size_t dimensions)
{
    double *number = values_numbers(inputs, 2 * dimensions + 1);
    for (size_t i = 0; i < dimensions; i++) {
        number[i] = p.a.c[i];
        number[dimensions + i] = p.b.c[i];
    }
    number[2 * dimensions] = t;
}

/* Evenly, or a frame of up to 120. */
static double typical_time(struct stream *stream)
{
    double t = draw_uniform(stream, 0, 1);
    if (draw_below(stream, 2)) {
        uint64_t frames = 2 + draw_below(stream, 119);
        t = (double)(1 + draw_below(stream, frames - 1)) / (double)frames;
    }
    return t;
}

static void typical(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_typical(stream, VECTOR);
    put(inputs, p, typical_time(stream), VECTOR);
}

static void put_any_finite(struct stream *stream, struct values *inputs, size_t dimensions)
{
    struct pair p = pair_any_finite(stream, dimensions);
    double t = draw_below(stream, 8) ? draw_inside(stream, 0, 1) : draw_finite(stream);
    put(inputs, p, t, dimensions);
}

static void any_finite(struct stream *stream, struct values *inputs)
{
    put_any_finite(stream, inputs, VECTOR);
}

/* Half of the cases spoil ordinary vectors by one number or two, the others draw all. */
static void put_any(struct stream *stream, struct values *inputs, size_t dimensions)
{
    size_t count = 2 * dimensions + 1;
    double *number = values_numbers(inputs, count);
    for (size_t i = 0; i < count; i++) {
        number[i] = draw_any(stream);
    }
    if (draw_below(stream, 2)) {
        struct pair p = pair_typical(stream, dimensions);
        put(inputs, p, draw_uniform(stream, 0, 1), dimensions);
        for (int i = 0; i < 2; i++) {
            size_t which = draw_below(stream, count);
            number[which] = draw_any(stream);
        }
    }
}

static void any(struct stream *stream, struct values *inputs)
{
    put_any(stream, inputs, VECTOR);
}

static void put_inside(struct stream *stream, struct values *inputs, struct pair p)
{
    put(inputs, p, draw_inside(stream, 0, 1), VECTOR);
}

static void near_parallel(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_parallel(stream, VECTOR));
}

static void near_opposite(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_opposite(pair_parallel(stream, VECTOR)));
}

static void same_direction(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_same_direction(stream, VECTOR));
}

static void exactly_opposite(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_opposite(pair_same_direction(stream, VECTOR)));
}

static void neighbours(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_neighbours(stream, VECTOR);
    put_inside(stream, inputs, pair_either_way(stream, p));
}

static void normalised(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_normalised(stream, VECTOR);
    put_inside(stream, inputs, pair_either_way(stream, p));
}

static void lengths(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_lengths(stream, VECTOR));
}

static void huge(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_huge(stream, VECTOR));
}

static void tiny(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_tiny(stream, VECTOR));
}

static void mixed_exponents(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, pair_mixed_exponents(stream, VECTOR));
}

/* Every combination of two of the vectors with every special t. */
static void put_boundary(struct stream *stream, struct values *inputs, const struct vector *vectors,
                         size_t count, size_t dimensions)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    const double times[] = {
        0.5, 0.0,  1.0,   -0.0, nextafter(1, 0), nextafter(1, 2), least, -least, nan, inf, -inf, -1,
        2,   most, -most, 0.25};
    enum { TIMES = sizeof times / sizeof *times };
    uint64_t combination = draw_combination(stream, (uint64_t)count * count * TIMES);
    struct pair p;
    p.a = vectors[draw_digit(&combination, count)];
    p.b = vectors[draw_digit(&combination, count)];
    put(inputs, p, times[draw_digit(&combination, TIMES)], dimensions);
}

/* Zero, special, infinite and NaN vectors. */
static void boundary(struct stream *stream, struct values *inputs)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    struct vector x = pair_typical(stream, VECTOR).a;
    const struct vector vectors[] = {
        x,
        {{0, 0, 0}},
        {{1, 0, 0}},
        {{-0.0, 0, -0.0}},
        {{-1, 0, 0}},
        {{0, 2, 0}},
        {{1, 1, 1}},
        {{-2, -2, -2}},
        {{0, 0, -3}},
        {{least, 0, 0}},
        {{0, -least, least}},
        {{most, most, -most}},
        {{1, 0x1p-1000, 0}},
        {{x.c[0], inf, x.c[2]}},
        {{-inf, inf, 0}},
        {{x.c[0], x.c[1], nan}},
    };
    put_boundary(stream, inputs, vectors, sizeof vectors / sizeof *vectors, VECTOR);
}

/* A pair of one of the kinds above, for what is about t. */
static struct pair any_pair(struct stream *stream, size_t dimensions)
{
    struct pair p;
    switch (draw_below(stream, 8)) {
    case 0:
        p = pair_parallel(stream, dimensions);
        break;
    case 1:
        p = pair_same_direction(stream, dimensions);
        break;
    case 2:
        p = pair_neighbours(stream, dimensions);
        break;
    case 3:
        p = pair_normalised(stream, dimensions);
        break;
    default:
        return pair_typical(stream, dimensions);
    }
    return pair_either_way(stream, p);
}

/* t few doubles or 2^-k off 0 or 1. */
static void put_near_ends(struct stream *stream, struct values *inputs, size_t dimensions)
{
    struct pair p = any_pair(stream, dimensions);
    double t;
    switch (draw_below(stream, 4)) {
    case 0:
        t = draw_step(stream, 1, 8);
        break;
    case 1:
        t = draw_log(stream, draw_below(stream, 2) ? -54 : -1074, -4);
        break;
    default:
        t = 1 - draw_log(stream, -53, -4);
    }
    put(inputs, p, t, dimensions);
}

static void near_ends(struct stream *stream, struct values *inputs)
{
    put_near_ends(stream, inputs, VECTOR);
}

/* A few turns, many, or as many as the range holds. */
static void extrapolation(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream, VECTOR);
    double t;
    switch (draw_below(stream, 4)) {
    case 0:
        t = draw_sign(stream, draw_log(stream, 0, 60));
        break;
    case 1:
        t = draw_sign(stream, draw_log(stream, 0, 1020));
        break;
    default:
        t = draw_uniform(stream, -16, 17);
    }
    put(inputs, p, t, VECTOR);
}

/* t theta close to a multiple of pi / 2, where a sine or a cosine vanishes. */
static void quarter_turns(struct stream *stream, struct values *inputs)
{
    const double half_pi = 0x1.921fb54442d18p+0;
    struct pair p = any_pair(stream, VECTOR);
    double quarters = (double)(1 + draw_below(stream, draw_below(stream, 2) ? 64 : 1u << 30));
    double theta = pair_angle(p.a, p.b);
    double t = draw_least(quarters * half_pi / draw_most(theta, DBL_MIN), 0x1p1000);
    if (draw_below(stream, 2)) {
        t = draw_below(stream, 2) ? -t : 1 + t;
    }
    put(inputs, p, draw_step(stream, t, 2), VECTOR);
}

/* As files hold them. */
static struct vector in_single_precision(struct vector v)
{
    for (size_t i = 0; i < QUATERNION; i++) {
        v.c[i] = (float)v.c[i];
    }
    return v;
}

/* Two keys of a rotation: by some degrees between them, or any; half of them in single precision,
 * one in eight not of unit length; every other one changes its sign from key to key. */
static struct pair rotations(struct stream *stream)
{
    struct pair p;
    p.a = vector_unit(stream, QUATERNION);
    if (draw_below(stream, 4)) {
        struct vector across = vector_normalised(vector_across(stream, p.a, QUATERNION));
        double tangent =
            draw_below(stream, 2) ? draw_uniform(stream, 0.01, 1) : draw_log(stream, -12, -2);
        p.b = vector_normalised(vector_sum(p.a, vector_scaled(across, tangent)));
    } else {
        p.b = vector_unit(stream, QUATERNION);
    }
    if (draw_below(stream, 2)) {
        p.a = in_single_precision(p.a);
        p.b = in_single_precision(p.b);
    }
    if (draw_below(stream, 8) == 0) {
        p.a = vector_scaled(p.a, draw_uniform(stream, 0.1, 10));
        p.b = vector_scaled(p.b, draw_uniform(stream, 0.1, 10));
    }
    return pair_either_way(stream, p);
}

static void typical4(struct stream *stream, struct values *inputs)
{
    struct pair p = rotations(stream);
    put(inputs, p, typical_time(stream), QUATERNION);
}

static void any_finite4(struct stream *stream, struct values *inputs)
{
    put_any_finite(stream, inputs, QUATERNION);
}

static void any4(struct stream *stream, struct values *inputs)
{
    put_any(stream, inputs, QUATERNION);
}

static void put_inside4(struct stream *stream, struct values *inputs, struct pair p)
{
    put(inputs, p, draw_inside(stream, 0, 1), QUATERNION);
}

static void near_parallel4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_parallel(stream, QUATERNION));
}

static void double_cover4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_opposite(pair_parallel(stream, QUATERNION)));
}

/* At t = 1 and beyond, too, which is where the sign alone shows. */
static void right_angle4(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_right_angle(stream, QUATERNION);
    p = pair_either_way(stream, p);
    double t =
        draw_below(stream, 4) ? draw_inside(stream, 0, 1) : 1 + (double)draw_below(stream, 3);
    put(inputs, p, t, QUATERNION);
}

static void same_direction4(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_same_direction(stream, QUATERNION);
    put_inside4(stream, inputs, pair_either_way(stream, p));
}

static void neighbours4(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_neighbours(stream, QUATERNION);
    put_inside4(stream, inputs, pair_either_way(stream, p));
}

static void normalised4(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_normalised(stream, QUATERNION);
    put_inside4(stream, inputs, pair_either_way(stream, p));
}

static void lengths4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_lengths(stream, QUATERNION));
}

static void huge4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_huge(stream, QUATERNION));
}

static void tiny4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_tiny(stream, QUATERNION));
}

static void mixed_exponents4(struct stream *stream, struct values *inputs)
{
    put_inside4(stream, inputs, pair_mixed_exponents(stream, QUATERNION));
}

static void near_ends4(struct stream *stream, struct values *inputs)
{
    put_near_ends(stream, inputs, QUATERNION);
}

static void boundary4(struct stream *stream, struct values *inputs)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    struct vector x = pair_typical(stream, QUATERNION).a;
    const struct vector vectors[] = {
        x,
        vector_scaled(x, -1),
        {{0, 0, 0, 0}},
        {{0, 0, 0, 1}},
        {{-0.0, 0, -0.0, 0}},
        {{-0.0, -0.0, -0.0, -1}},
        {{0, 2, 0, 0}},
        {{1, 1, 1, 1}},
        {{-2, -2, -2, -2}},
        {{1, -1, 1, -1}},
        {{least, 0, 0, 0}},
        {{0, -least, least, 0}},
        {{most, most, -most, most}},
        {{1, 0, 0x1p-1000, 0}},
        {{x.c[0], inf, x.c[2], x.c[3]}},
        {{-inf, inf, 0, 0}},
        {{x.c[0], x.c[1], x.c[2], nan}},
    };
    put_boundary(stream, inputs, vectors, sizeof vectors / sizeof *vectors, QUATERNION);
}

static const struct domain list[] = {
    {"typical", "directions all around, half of them unit vectors, t in [0, 1]", typical},
    {"any_finite", "any finite bit patterns, t mostly in [0, 1]", any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any},
    {"near_parallel", "angles from 1 down to 1e-300 and less", near_parallel},
    {"near_opposite", "angles from pi by 1 down to 1e-300 and less", near_opposite},
    {"same_direction", "exact multiples of one vector", same_direction},
    {"exactly_opposite", "exact negative multiples of one vector", exactly_opposite},
    {"neighbours", "the same or the opposite direction but for last bits", neighbours},
    {"normalised", "rounded unit vectors, equal, nearly so, or opposite", normalised},
    {"lengths", "lengths over the whole range", lengths},
    {"huge", "components from 2^500 to the end of the range", huge},
    {"tiny", "components from 2^-980 down to subnormal ones", tiny},
    {"mixed_exponents", "every component of a size of its own", mixed_exponents},
    {"near_ends", "t few doubles or 2^-k off 0 or 1", near_ends},
    {"boundary", "every combination of special vectors and times, infinities and NaN", boundary},
    {"extrapolation", "t outside [0, 1], up to the end of the range", extrapolation},
    {"quarter_turns", "t times the angle next to multiples of pi / 2", quarter_turns},
};

static double openness(const struct values *inputs)
{
    const double *number = inputs->number;
    return pair_openness(vector_at(number, VECTOR), vector_at(number + VECTOR, VECTOR));
}

/* Even steps where t is small, even steps of its logarithm where it is large. */
static double signed_log(const struct values *inputs)
{
    double t = inputs->number[6];
    return copysign(log2(1 + fabs(t)), t);
}

enum { COUNT = sizeof list / sizeof *list, LENGTHS = 9, EXTRAPOLATION = 15 };

/* A clamped t needs no domain about t outside [0, 1] but the boundary. */
const struct domains domains_slerp3 = {
    list, COUNT - 2, 0, LENGTHS, {"log2 of theta / (pi - theta)", -64, 64, openness}};

const struct domains domains_slerp3_unclamped = {
    list, COUNT, 0, EXTRAPOLATION, {"log2 (1 + |t|) with t's sign", -64, 64, signed_log}};

static const struct domain list4[] = {
    {"typical", "two keys of a rotation, of either sign, t in [0, 1]", typical4},
    {"any_finite", "any finite bit patterns, t mostly in [0, 1]", any_finite4},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any4},
    {"near_parallel", "angles from 1 down to 1e-300 and less", near_parallel4},
    {"double_cover", "the same, of opposite signs", double_cover4},
    {"right_angle", "a dot product of 0, or next to it", right_angle4},
    {"same_direction", "exact multiples of one quaternion, of either sign", same_direction4},
    {"neighbours", "the same or the opposite direction but for last bits", neighbours4},
    {"normalised", "rounded unit quaternions, equal, nearly so, or opposite", normalised4},
    {"lengths", "lengths over the whole range", lengths4},
    {"huge", "components from 2^500 to the end of the range", huge4},
    {"tiny", "components from 2^-980 down to subnormal ones", tiny4},
    {"mixed_exponents", "every component of a size of its own", mixed_exponents4},
    {"near_ends", "t few doubles or 2^-k off 0 or 1", near_ends4},
    {"boundary", "every combination of special quaternions and times, infinities and NaN",
     boundary4},
};

/* log2 of the angle on the short way, up to pi / 2; NaN where the angle is */
static double log_angle(const struct values *inputs)
{
    const double *number = inputs->number;
    struct vector p = vector_at(number, QUATERNION);
    struct vector q = vector_at(number + QUATERNION, QUATERNION);
    double angle = pair_angle(p, q);
    double other = pair_angle(vector_scaled(p, -1), q);
    return log2(other < angle ? other : angle);
}

enum { COUNT4 = sizeof list4 / sizeof *list4, LENGTHS4 = 9 };

const struct domains domains_slerp4 = {
    list4, COUNT4, 0, LENGTHS4, {"log2 of the angle on the short way", -64, 1, log_angle}};
