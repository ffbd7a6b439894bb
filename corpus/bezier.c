#include "segment.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* A weight, or none: then it is the real 1/3. */
struct weight {
    bool present;
    double value;
};

struct curve {
    struct segment keys;
    struct weight w0, w1;
    double t;
};

static const struct weight absent = {false, NAN};

static struct weight given(double value)
{
    return (struct weight){true, value};
}

static void append(struct values *inputs, double number)
{
    *values_append(inputs, 1) = number;
}

static void append_weight(struct values *inputs, struct weight weight)
{
    double *number = values_append(inputs, weight.present);
    if (weight.present) {
        *number = weight.value;
    }
}

static void put_bezier(struct values *inputs, struct curve c)
{
    values_clear(inputs);
    append(inputs, c.keys.t0);
    append(inputs, c.keys.v0);
    append(inputs, c.keys.m0);
    append_weight(inputs, c.w0);
    append(inputs, c.keys.t1);
    append(inputs, c.keys.v1);
    append(inputs, c.keys.m1);
    append_weight(inputs, c.w1);
    append(inputs, c.t);
}

static void put_parameter(struct values *inputs, struct curve c)
{
    values_clear(inputs);
    append(inputs, c.keys.t0);
    append_weight(inputs, c.w0);
    append(inputs, c.keys.t1);
    append_weight(inputs, c.w1);
    append(inputs, c.t);
}

/* 3 w to working precision */
static double width_of(struct weight weight)
{
    return segment_width(weight.present, weight.value);
}

static double time_of(struct weight w0, struct weight w1, double s)
{
    return segment_share(s, width_of(w0), width_of(w1));
}

static double at_share(const struct segment *keys, double x)
{
    return segment_time(keys->t0, keys->t1, x);
}

static struct weight edge_weight(struct stream *stream)
{
    return given(segment_edge_weight(stream));
}

static struct weight outside_weight(struct stream *stream)
{
    return given(segment_outside_weight(stream));
}

static struct weight third_weight(struct stream *stream)
{
    return given(segment_third_weight(stream));
}

static struct weight any_weight(struct stream *stream)
{
    switch (draw_below(stream, 12)) {
    case 0:
    case 1:
        return edge_weight(stream);
    case 2:
        return outside_weight(stream);
    case 3:
        return third_weight(stream);
    case 4:
        return absent;
    case 5:
        return given(draw_log(stream, -60, -1));
    default:
        return given(draw_uniform(stream, 0, 1));
    }
}

static void add_any_weights(struct stream *stream, struct curve *c)
{
    c->w0 = any_weight(stream);
    c->w1 = any_weight(stream);
}

/* Both sides weighted, but for one in eight. */
static struct curve typical(struct stream *stream)
{
    struct curve c = {.keys = segment_typical(stream)};
    c.w0 = given(draw_uniform(stream, 0.1, 0.9));
    c.w1 = given(draw_uniform(stream, 0.1, 0.9));
    c.t = draw_uniform(stream, c.keys.t0, c.keys.t1);
    switch (draw_below(stream, 16)) {
    case 0:
        c.w0 = absent;
        break;
    case 1:
        c.w1 = absent;
        break;
    }
    return c;
}

/* By bit pattern, a weight is below 2^-10 or beyond 1 nearly always. */
static struct weight any_finite_weight(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
        return absent;
    case 1:
    case 2:
        return given(draw_finite(stream));
    default:
        return given(draw_between(stream, 0x1p-4, 1));
    }
}

static struct curve any_finite(struct stream *stream)
{
    struct curve c = {.keys = segment_any_finite(stream)};
    c.w0 = any_finite_weight(stream);
    c.w1 = any_finite_weight(stream);
    c.t = draw_below(stream, 8) ? draw_inside(stream, c.keys.t0, c.keys.t1) : draw_finite(stream);
    return c;
}

/* Half of the cases spoil an ordinary segment by one datum or two, the others draw all. */
static struct curve any(struct stream *stream)
{
    struct curve c;
    if (draw_below(stream, 2)) {
        c.keys = segment_any(stream);
        c.w0 = draw_below(stream, 8) ? given(draw_any(stream)) : absent;
        c.w1 = draw_below(stream, 8) ? given(draw_any(stream)) : absent;
        c.t = draw_any(stream);
        return c;
    }
    c = typical(stream);
    double *const data[] = {&c.keys.t0, &c.keys.v0, &c.keys.m0,  &c.keys.t1, &c.keys.v1,
                            &c.keys.m1, &c.t,       &c.w0.value, &c.w1.value};
    for (int i = 0; i < 2; i++) {
        size_t which = draw_below(stream, 9);
        *data[which] = draw_any(stream);
    }
    return c;
}

/* Few doubles, or a power of two of the whole down to 2^-1000, off either end. */
static struct curve near_ends(struct stream *stream)
{
    struct curve c = {.keys = segment_typical(stream)};
    bool early = draw_below(stream, 2);
    if (draw_below(stream, 2)) {
        double h = c.keys.t1 - c.keys.t0;
        c.keys.t0 = early ? 0 : -h;
        c.keys.t1 = early ? h : 0;
    }
    double end = early ? c.keys.t0 : c.keys.t1;
    double h = c.keys.t1 - c.keys.t0;
    double distance = h * draw_log(stream, end == 0 ? -1000 : -50, -4);
    c.t = early ? end + distance : end - distance;
    if (draw_below(stream, 4) == 0 || c.t == end) {
        c.t = draw_step(stream, end, 8);
    }
    c.t = draw_least(draw_most(c.t, c.keys.t0), c.keys.t1);
    add_any_weights(stream, &c);
    return c;
}

/* 1, less a power of two, or clamped to it */
static struct weight weight_near_one(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
    case 1:
    case 2:
        return given(1);
    case 3:
        return given(1 + draw_log(stream, -52, 4));
    case 4:
        return given(1 - ldexp(1, -1 - (int)draw_below(stream, 53)));
    default:
        return given(1 - draw_log(stream, -53, -1));
    }
}

/* Where the curve stands upright, or nearly: weights of 1, and the time of its middle,
 * x = 1/2 + 3/8 (w0 - w1), met exactly or missed by 2^-1 down to 2^-1000. */
static struct curve vertical_tangent(struct stream *stream)
{
    struct curve c = {.w0 = weight_near_one(stream)};
    c.w1 = draw_below(stream, 2) ? c.w0 : weight_near_one(stream);
    double middle = time_of(c.w0, c.w1, 0.5);
    double size = ldexp(1, (int)draw_below(stream, 24) - 12);
    bool centred = draw_below(stream, 2);
    if (centred) {
        c.keys.t0 = -middle * size; /* so that the middle is at 0, but for the rounding of t1 */
    } else if (draw_below(stream, 2)) {
        c.keys.t0 = draw_uniform(stream, -10, 10);
    }
    c.keys.t1 = c.keys.t0 + size;
    double distance = draw_log(stream, centred ? -1000 : -53, -1);
    if (draw_below(stream, 2)) {
        distance = ldexp(1, ilogb(distance));
    }
    double offset = draw_below(stream, 16) ? draw_sign(stream, distance) * size : 0;
    c.t = centred ? offset : at_share(&c.keys, middle) + offset;
    c.t = draw_least(draw_most(c.t, c.keys.t0), c.keys.t1);
    c.keys.v1 = 1;
    if (draw_below(stream, 2)) {
        segment_add_data(stream, &c.keys, 100);
    }
    return c;
}

/* 3 w0 + 3 w1 = 2 but for a rounding or a power of two: the cubic's leading coefficient. */
static struct curve quadratic(struct stream *stream)
{
    struct curve c = typical(stream);
    double rest = 2.0 / 3;
    double w0 = draw_below(stream, 4) ? draw_uniform(stream, 0, rest) : draw_log(stream, -60, -1);
    double w1 = rest - w0;
    if (draw_below(stream, 4)) {
        w1 += draw_sign(stream, draw_log(stream, -56, -2));
    }
    c.w0 = given(w0);
    c.w1 = given(w1);
    switch (draw_below(stream, 8)) {
    case 0: /* missed by what 1/3 as a double misses 1/3 */
        c.w0 = absent;
        c.w1 = third_weight(stream);
        break;
    case 1:
        c.w0 = third_weight(stream);
        c.w1 = absent;
        break;
    case 2:
        c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
        break;
    }
    return c;
}

static struct curve edge_weights(struct stream *stream)
{
    struct curve c = typical(stream);
    c.w0 = edge_weight(stream);
    c.w1 = draw_below(stream, 4) ? edge_weight(stream) : any_weight(stream);
    if (draw_below(stream, 2)) {
        struct weight w0 = c.w0;
        c.w0 = c.w1;
        c.w1 = w0;
    }
    if (draw_below(stream, 2)) {
        c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    }
    return c;
}

static struct curve outside_weights(struct stream *stream)
{
    struct curve c = typical(stream);
    bool first = draw_below(stream, 2), both = draw_below(stream, 2);
    if (first || both) {
        c.w0 = outside_weight(stream);
    }
    if (!first || both) {
        c.w1 = outside_weight(stream);
    }
    if (draw_below(stream, 4) == 0) {
        c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    }
    return c;
}

static struct curve one_sided(struct stream *stream)
{
    struct curve c = typical(stream);
    struct weight weight =
        draw_below(stream, 4) ? given(draw_uniform(stream, 0, 1)) : any_weight(stream);
    if (!weight.present) {
        weight = third_weight(stream);
    }
    bool first = draw_below(stream, 2);
    c.w0 = first ? weight : absent;
    c.w1 = first ? absent : weight;
    if (draw_below(stream, 4) == 0) {
        c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    }
    return c;
}

static struct curve unweighted(struct stream *stream)
{
    struct curve c = typical(stream);
    if (draw_below(stream, 4) == 0) {
        c.keys = segment_mixed_exponents(stream);
    }
    c.w0 = c.w1 = absent;
    c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    return c;
}

static struct curve mixed_exponents(struct stream *stream)
{
    struct curve c = {.keys = segment_mixed_exponents(stream)};
    add_any_weights(stream, &c);
    c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    return c;
}

/* The parameter comes first, so that F is known to cancel there. */
static struct curve cancelling(struct stream *stream)
{
    struct curve c = {.keys = draw_below(stream, 4) ? segment_typical(stream)
                                                    : segment_mixed_exponents(stream)};
    add_any_weights(stream, &c);
    double s = draw_uniform(stream, 0, 1);
    c.t = at_share(&c.keys, time_of(c.w0, c.w1, s));
    segment_cancel(stream, &c.keys, s, width_of(c.w0), width_of(c.w1));
    return c;
}

static struct curve cancelling_beyond(struct stream *stream)
{
    struct curve c = {.keys = segment_beyond(stream)};
    add_any_weights(stream, &c);
    double s = draw_uniform(stream, 0, 1);
    c.t = at_share(&c.keys, time_of(c.w0, c.w1, s));
    segment_cancel_beyond(stream, &c.keys, s, width_of(c.w0), width_of(c.w1));
    return c;
}

/* A control point at height 0, by a value and a slope that cancel, and near the far key, whose
 * value is 0 or small: there the cancelled terms are what is left. */
static struct curve cancelling_handle(struct stream *stream)
{
    struct curve c = typical(stream);
    bool first = draw_below(stream, 2);
    struct weight *weight = first ? &c.w0 : &c.w1;
    if (draw_below(stream, 4) == 0) {
        *weight = third_weight(stream);
    }
    double rise = width_of(*weight) / 3 * (c.keys.t1 - c.keys.t0);
    double value = draw_sign(stream, draw_log(stream, -4, 8));
    double slope = (first ? -value : value) / rise;
    slope = draw_below(stream, 2) ? draw_step(stream, slope, 2)
                                  : slope + slope * draw_sign(stream, draw_log(stream, -52, -2));
    *(first ? &c.keys.v0 : &c.keys.v1) = value;
    *(first ? &c.keys.m0 : &c.keys.m1) = slope;
    double far = draw_below(stream, 2) ? 0 : draw_sign(stream, draw_log(stream, -60, -8));
    *(first ? &c.keys.v1 : &c.keys.v0) = far;
    if (draw_below(stream, 2)) {
        *(first ? &c.keys.m1 : &c.keys.m0) = 0;
    }
    double distance = draw_log(stream, -50, -1);
    if (draw_below(stream, 2)) {
        c.t = at_share(&c.keys, first ? 1 - distance : distance);
    }
    return c;
}

/* One of the four terms is all but 2^-40 of F. */
static struct curve one_term(struct stream *stream)
{
    struct curve c = typical(stream);
    double *const data[] = {&c.keys.v0, &c.keys.m0, &c.keys.v1, &c.keys.m1};
    size_t chosen = draw_below(stream, 4);
    for (size_t i = 0; i < 4; i++) {
        int low = i == chosen ? -8 : -80;
        *data[i] = draw_sign(stream, draw_log(stream, low, low + 20));
    }
    add_any_weights(stream, &c);
    if (draw_below(stream, 2)) {
        c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    }
    return c;
}

static struct curve large_offset(struct stream *stream)
{
    struct curve c = {.keys = segment_large_offset(stream)};
    add_any_weights(stream, &c);
    c.t = draw_between(stream, c.keys.t0, c.keys.t1);
    return c;
}

static struct curve tiny_segment(struct stream *stream)
{
    struct curve c = {.keys = segment_tiny(stream)};
    add_any_weights(stream, &c);
    c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    return c;
}

static struct curve huge(struct stream *stream)
{
    struct curve c = {.keys = segment_huge(stream)};
    add_any_weights(stream, &c);
    c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    if (draw_below(stream, 4) == 0) { /* weights that bring the terms back into the range */
        {
            c.w0 = given(draw_log(stream, -1074, -1));
        }
        c.w1 = given(draw_log(stream, -1074, -1));
    }
    return c;
}

static struct curve subnormal(struct stream *stream)
{
    struct curve c = {.keys = segment_subnormal(stream)};
    add_any_weights(stream, &c);
    c.t = draw_inside(stream, c.keys.t0, c.keys.t1);
    return c;
}

/* Weights that are not finite, or absent where the other is not finite. */
enum { WEIGHT_SPOILS = 9 };
static void spoil_weights(struct stream *stream, struct curve *c, size_t way)
{
    const struct weight bad =
        given(draw_below(stream, 2) ? (double)NAN : draw_sign(stream, INFINITY));
    switch (way) {
    case 1:
        c->w0 = bad;
        break;
    case 2:
        c->w1 = bad;
        break;
    case 3:
        c->w0 = c->w1 = bad;
        break;
    case 4:
        c->w0 = absent;
        c->w1 = bad;
        break;
    case 5:
        c->w0 = bad;
        c->w1 = absent;
        break;
    case 6:
        c->w0 = c->w1 = absent;
        break;
    case 7:
        *(draw_below(stream, 2) ? &c->w0 : &c->w1) = absent;
        break;
    case 8:
        add_any_weights(stream, c);
        break;
    }
}

static struct curve boundary(struct stream *stream)
{
    struct curve c = typical(stream);
    uint64_t combination =
        draw_combination(stream, (uint64_t)SEGMENT_PLACES * SEGMENT_SPOILS * WEIGHT_SPOILS);
    double mid = at_share(&c.keys, draw_uniform(stream, 0.1, 0.9));
    c.t = segment_place(&c.keys, mid, draw_digit(&combination, SEGMENT_PLACES));
    segment_spoil(stream, &c.keys, draw_digit(&combination, SEGMENT_SPOILS));
    spoil_weights(stream, &c, draw_digit(&combination, WEIGHT_SPOILS));
    return c;
}

/* Every combination of ordinary and special values and slopes, at and between the keys. */
static struct curve special_data(struct stream *stream)
{
    enum { KINDS = 5, PLACES = 4 };
    struct curve c = typical(stream);
    add_any_weights(stream, &c);
    const double places[PLACES] = {draw_uniform(stream, c.keys.t0, c.keys.t1), c.keys.t0, c.keys.t1,
                                   nextafter(c.keys.t1, c.keys.t0)};
    uint64_t combination =
        draw_combination(stream, (uint64_t)KINDS * KINDS * KINDS * KINDS * PLACES);
    double *const data[] = {&c.keys.v0, &c.keys.m0, &c.keys.v1, &c.keys.m1};
    for (size_t i = 0; i < 4; i++) {
        double sign = draw_sign(stream, 1);
        double ordinary = draw_log(stream, -4, 4);
        const double kinds[KINDS] = {ordinary, 0, INFINITY, NAN, DBL_MAX};
        *data[i] = sign * kinds[draw_digit(&combination, KINDS)];
    }
    c.t = places[draw_digit(&combination, PLACES)];
    return c;
}

/* What is drawn, as the inputs of a function. */
#define DRAW(function, name)                                                                       \
    static void function##_##name(struct stream *stream, struct values *inputs)                    \
    {                                                                                              \
        put_##function(inputs, name(stream));                                                      \
    }
DRAW(bezier, typical)
DRAW(bezier, any_finite)
DRAW(bezier, any)
DRAW(bezier, near_ends)
DRAW(bezier, vertical_tangent)
DRAW(bezier, quadratic)
DRAW(bezier, edge_weights)
DRAW(bezier, outside_weights)
DRAW(bezier, one_sided)
DRAW(bezier, unweighted)
DRAW(bezier, mixed_exponents)
DRAW(bezier, cancelling)
DRAW(bezier, cancelling_beyond)
DRAW(bezier, cancelling_handle)
DRAW(bezier, one_term)
DRAW(bezier, large_offset)
DRAW(bezier, tiny_segment)
DRAW(bezier, huge)
DRAW(bezier, subnormal)
DRAW(bezier, boundary)
DRAW(bezier, special_data)
DRAW(parameter, typical)
DRAW(parameter, any_finite)
DRAW(parameter, any)
DRAW(parameter, near_ends)
DRAW(parameter, vertical_tangent)
DRAW(parameter, quadratic)
DRAW(parameter, edge_weights)
DRAW(parameter, outside_weights)
DRAW(parameter, one_sided)
DRAW(parameter, unweighted)
DRAW(parameter, mixed_exponents)
DRAW(parameter, large_offset)
DRAW(parameter, tiny_segment)
DRAW(parameter, huge)
DRAW(parameter, subnormal)
DRAW(parameter, boundary)
#undef DRAW

static const struct domain bezier_list[] = {
    {"typical", "keys on frames, values to 360, weights from 0.1 to 0.9", bezier_typical},
    {"any_finite", "any finite bit patterns, times in order", bezier_any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", bezier_any},
    {"near_ends", "t within 2^-4 to 2^-1000 of either end, any weights", bezier_near_ends},
    {"vertical_tangent", "weights near 1 and t at the middle or beside it",
     bezier_vertical_tangent},
    {"quadratic", "3 w0 + 3 w1 near 2, where X loses its cubic term", bezier_quadratic},
    {"edge_weights", "weights 0 and 1, their neighbours and powers of two off them",
     bezier_edge_weights},
    {"outside_weights", "weights below 0 and above 1", bezier_outside_weights},
    {"one_sided", "one side is weighted, the other has the real 1/3", bezier_one_sided},
    {"unweighted", "neither side is weighted: the Hermite segment", bezier_unweighted},
    {"mixed_exponents", "all exponents, yet data of about one size", bezier_mixed_exponents},
    {"cancelling", "the terms of F cancel", bezier_cancelling},
    {"cancelling_beyond", "the terms of F are beyond the range and cancel",
     bezier_cancelling_beyond},
    {"cancelling_handle", "a value and its handle cancel, near the other key",
     bezier_cancelling_handle},
    {"one_term", "one term prevails", bezier_one_term},
    {"large_offset", "times near 1e9 and beyond, few doubles to a frame apart",
     bezier_large_offset},
    {"tiny_segment", "durations from 1e-12 down to one double", bezier_tiny_segment},
    {"huge", "duration, values or terms at the end of the range or beyond", bezier_huge},
    {"subnormal", "values, slopes, durations or terms below 2^-1022", bezier_subnormal},
    {"boundary", "every order of the times, infinities, NaN and weights that are not read",
     bezier_boundary},
    {"special_data", "every combination of special values and slopes", bezier_special_data},
};

static const struct domain parameter_list[] = {
    {"typical", "keys on frames, weights from 0.1 to 0.9", parameter_typical},
    {"any_finite", "any finite bit patterns, times in order", parameter_any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", parameter_any},
    {"near_ends", "t within 2^-4 to 2^-1000 of either end, any weights", parameter_near_ends},
    {"vertical_tangent", "weights near 1 and t at the middle or beside it",
     parameter_vertical_tangent},
    {"quadratic", "3 w0 + 3 w1 near 2, where X loses its cubic term", parameter_quadratic},
    {"edge_weights", "weights 0 and 1, their neighbours and powers of two off them",
     parameter_edge_weights},
    {"outside_weights", "weights below 0 and above 1", parameter_outside_weights},
    {"one_sided", "one side is weighted, the other has the real 1/3", parameter_one_sided},
    {"unweighted", "neither side is weighted: the Hermite segment", parameter_unweighted},
    {"mixed_exponents", "durations and offsets of all exponents", parameter_mixed_exponents},
    {"large_offset", "times near 1e9 and beyond, few doubles to a frame apart",
     parameter_large_offset},
    {"tiny_segment", "durations from 1e-12 down to one double", parameter_tiny_segment},
    {"huge", "durations at the end of the range or beyond", parameter_huge},
    {"subnormal", "ordinary and subnormal durations", parameter_subnormal},
    {"boundary", "every order of the times, infinities, NaN and weights that are not read",
     parameter_boundary},
};

/* log2 of the distance of x from the nearest of 0, 1/2 and 1 */
static double closeness(double t0, double t1, double t)
{
    double scale = isinf(t1 - t0) ? 0.25 : 1;
    t0 *= scale;
    t1 *= scale;
    t *= scale;
    double end = draw_least(t - t0, t1 - t), middle = fabs(t - (t0 + t1) / 2);
    return end >= 0 ? log2(draw_least(end, middle)) - log2(t1 - t0) : NAN;
}

static double bezier_closeness(const struct values *inputs)
{
    enum { T0 = 0, T1 = 4, T = 8 };
    return closeness(*values_field(inputs, T0), *values_field(inputs, T1),
                     *values_field(inputs, T));
}

static double parameter_closeness(const struct values *inputs)
{
    enum { T0 = 0, T1 = 2, T = 4 };
    return closeness(*values_field(inputs, T0), *values_field(inputs, T1),
                     *values_field(inputs, T));
}

enum {
    BEZIER_COUNT = sizeof bezier_list / sizeof *bezier_list,
    PARAMETER_COUNT = sizeof parameter_list / sizeof *parameter_list,
    HARDEST = 4
};

const struct domains domains_bezier = {
    bezier_list,
    BEZIER_COUNT,
    0,
    HARDEST,
    {"log2 of the distance of x from the nearest of 0, 1/2 and 1", -60, -2, bezier_closeness}};

const struct domains domains_bezier_parameter = {
    parameter_list,
    PARAMETER_COUNT,
    0,
    HARDEST,
    {"log2 of the distance of x from the nearest of 0, 1/2 and 1", -60, -2, parameter_closeness}};
