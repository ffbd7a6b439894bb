#include "segment.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static void put_coefficients(struct values *inputs, struct segment s)
{
    double *number = values_numbers(inputs, 6);
    number[0] = s.t0;
    number[1] = s.v0;
    number[2] = s.m0;
    number[3] = s.t1;
    number[4] = s.v1;
    number[5] = s.m1;
}

static void put(struct values *inputs, struct segment s, double t)
{
    double *number = values_numbers(inputs, 7);
    number[0] = s.t0;
    number[1] = s.v0;
    number[2] = s.m0;
    number[3] = s.t1;
    number[4] = s.v1;
    number[5] = s.m1;
    number[6] = t;
}

static void hermite_typical(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_typical(stream);
    put(inputs, s, draw_uniform(stream, s.t0, s.t1));
}

static void hermite_any_finite(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_any_finite(stream);
    double t = draw_below(stream, 8) ? draw_inside(stream, s.t0, s.t1) : draw_finite(stream);
    put(inputs, s, t);
}

/* Half of the cases spoil an ordinary segment by one datum or two, the others draw all. */
static void hermite_any(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_any(stream);
    double t = draw_any(stream);
    if (draw_below(stream, 2)) {
        s = segment_typical(stream);
        t = draw_uniform(stream, s.t0, s.t1);
        double *const data[] = {&s.t0, &s.v0, &s.m0, &s.t1, &s.v1, &s.m1, &t};
        for (int i = 0; i < 2; i++) {
            size_t which = draw_below(stream, 7);
            *data[which] = draw_any(stream);
        }
    }
    put(inputs, s, t);
}

/* Few doubles, or a power of two of the whole, off either end. */
static void hermite_near_ends(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 2) ? segment_typical(stream) : segment_mixed_exponents(stream);
    bool early = draw_below(stream, 2);
    double end = early ? s.t0 : s.t1;
    double h = draw_least(s.t1 - s.t0, DBL_MAX);
    double distance = h * draw_log(stream, end == 0 ? -1000 : -50, -4);
    double t = early ? end + distance : end - distance;
    if (draw_below(stream, 4) == 0 || t == end) {
        t = draw_step(stream, end, 8);
    }
    put(inputs, s, draw_least(draw_most(t, s.t0), s.t1));
}

static void hermite_mixed_exponents(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_mixed_exponents(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_cancelling(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 4) ? segment_typical(stream) : segment_mixed_exponents(stream);
    double t =
        draw_below(stream, 2) ? draw_uniform(stream, s.t0, s.t1) : draw_inside(stream, s.t0, s.t1);
    segment_cancel(stream, &s, segment_position(s.t0, s.t1, t), 1, 1);
    put(inputs, s, t);
}

static void hermite_cancelling_beyond(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_beyond(stream);
    double x = draw_below(stream, 4) ? draw_uniform(stream, 0, 1) : draw_inside(stream, 0, 1);
    double t = segment_time(s.t0, s.t1, x);
    segment_cancel_beyond(stream, &s, segment_position(s.t0, s.t1, t), 1, 1);
    put(inputs, s, t);
}

static void hermite_large_offset(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_large_offset(stream);
    put(inputs, s, draw_between(stream, s.t0, s.t1));
}

static void hermite_tiny(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_tiny(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_huge(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_huge(stream);
    double h = draw_least(s.t1 - s.t0, DBL_MAX);
    double t = draw_inside(stream, s.t0, s.t1);
    if (isinf(h * s.m0) && draw_below(stream, 2)) {
        s.m1 = 0;
        t = s.t0 + h * draw_log(stream, -50, -8);
    } else if (isinf(h * s.m1) && draw_below(stream, 2)) {
        s.m0 = 0;
        t = s.t1 - h * draw_log(stream, -50, -8);
    }
    put(inputs, s, t);
}

static void hermite_subnormal(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_subnormal(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_steep(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_steep(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_straight(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_straight(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_boundary(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_typical(stream);
    uint64_t combination = draw_combination(stream, (uint64_t)SEGMENT_PLACES * SEGMENT_SPOILS);
    double mid = s.t0 + (s.t1 - s.t0) * draw_uniform(stream, 0.1, 0.9);
    double t = segment_place(&s, mid, draw_digit(&combination, SEGMENT_PLACES));
    segment_spoil(stream, &s, draw_digit(&combination, SEGMENT_SPOILS));
    put(inputs, s, t);
}

/* Every combination of ordinary and special values and slopes, at and between the keys. */
static void hermite_special_data(struct stream *stream, struct values *inputs)
{
    enum { KINDS = 5, PLACES = 4 };
    struct segment s = segment_typical(stream);
    const double places[PLACES] = {draw_uniform(stream, s.t0, s.t1), s.t0, s.t1,
                                   nextafter(s.t1, s.t0)};
    uint64_t combination =
        draw_combination(stream, (uint64_t)KINDS * KINDS * KINDS * KINDS * PLACES);
    double *const data[] = {&s.v0, &s.m0, &s.v1, &s.m1};
    for (size_t i = 0; i < 4; i++) {
        double sign = draw_sign(stream, 1);
        double ordinary = draw_log(stream, -4, 4);
        const double kinds[KINDS] = {ordinary, 0, INFINITY, NAN, DBL_MAX};
        *data[i] = sign * kinds[draw_digit(&combination, KINDS)];
    }
    put(inputs, s, places[draw_digit(&combination, PLACES)]);
}

static void coefficients_typical(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_typical(stream));
}

static void coefficients_any_finite(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_any_finite(stream));
}

static void coefficients_any(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_any(stream);
    if (draw_below(stream, 2)) {
        s = segment_typical(stream);
        double *const data[] = {&s.t0, &s.v0, &s.m0, &s.t1, &s.v1, &s.m1};
        size_t which = draw_below(stream, 6);
        *data[which] = draw_any(stream);
    }
    put_coefficients(inputs, s);
}

static void coefficients_mixed_exponents(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_mixed_exponents(stream));
}

/* v1 such that a = 2 (v0 - v1) + h (m0 + m1) or b = 3 (v1 - v0) - h (2 m0 + m1) is small. */
static void coefficients_cancelling(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 4) ? segment_typical(stream) : segment_mixed_exponents(stream);
    double h = draw_least(s.t1 - s.t0, DBL_MAX);
    double solved = draw_below(stream, 2) ? s.v0 + (h * s.m0 + h * s.m1) / 2
                                          : s.v0 + (2 * (h * s.m0) + h * s.m1) / 3;
    s.v1 = draw_step(stream, segment_saturate(solved), 3);
    if (draw_below(stream, 2)) {
        s.v1 = segment_saturate(s.v1 + s.v1 * draw_sign(stream, draw_log(stream, -52, 0)));
    }
    put_coefficients(inputs, s);
}

/* One slope such that a or b is small. */
static void coefficients_cancelling_beyond(struct stream *stream, struct values *inputs)
{
    struct segment s = segment_beyond(stream);
    double mean = (s.v1 / 4 - s.v0 / 4) / (s.t1 / 4 - s.t0 / 4);
    if (draw_below(stream, 2)) {
        s.m1 = segment_nearly(stream, segment_saturate(mean + (mean - s.m0)));
    } else {
        s.m0 = segment_nearly(stream, segment_saturate(mean + (mean - s.m1) / 2));
    }
    put_coefficients(inputs, s);
}

static void coefficients_large_offset(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_large_offset(stream));
}

static void coefficients_tiny(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_tiny(stream));
}

static void coefficients_huge(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_huge(stream));
}

static void coefficients_subnormal(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_subnormal(stream));
}

static void coefficients_steep(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_steep(stream));
}

static void coefficients_straight(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, segment_straight(stream));
}

/* The formula asks for no order of the times. */
static void coefficients_backwards(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 2) ? segment_typical(stream) : segment_mixed_exponents(stream);
    double t0 = s.t0;
    s.t0 = s.t1;
    s.t1 = draw_below(stream, 4) ? t0 : s.t0;
    put_coefficients(inputs, s);
}

/* Every combination of ordinary, zero, largest and non-finite inputs. */
static void coefficients_boundary(struct stream *stream, struct values *inputs)
{
    enum { KINDS = 4 };
    static const double not_finite[] = {INFINITY, -INFINITY, NAN};
    struct segment s = segment_typical(stream);
    uint64_t total = (uint64_t)KINDS * KINDS * KINDS * KINDS * KINDS * KINDS;
    uint64_t combination = draw_combination(stream, total);
    double *const data[] = {&s.t0, &s.v0, &s.m0, &s.t1, &s.v1, &s.m1};
    for (size_t i = 0; i < 6; i++) {
        double sign = draw_sign(stream, 1);
        double bad = not_finite[draw_below(stream, 3)];
        const double kinds[KINDS] = {*data[i], sign * 0, sign * DBL_MAX, bad};
        *data[i] = kinds[draw_digit(&combination, KINDS)];
    }
    put_coefficients(inputs, s);
}

static const struct domain hermite_list[] = {
    {"typical", "keys on frames, values to 360, slopes to a few times the mean", hermite_typical},
    {"any_finite", "any finite bit patterns, t mostly in the segment", hermite_any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", hermite_any},
    {"near_ends", "t few doubles or 2^-k of the duration off either key", hermite_near_ends},
    {"mixed_exponents", "all exponents, yet four terms of about one size", hermite_mixed_exponents},
    {"cancelling", "one datum such that the terms at t cancel", hermite_cancelling},
    {"cancelling_beyond", "the terms at t are beyond the range and cancel",
     hermite_cancelling_beyond},
    {"large_offset", "times near 1e9 and beyond, few doubles to a frame apart",
     hermite_large_offset},
    {"tiny_segment", "durations from 1e-12 down to one double", hermite_tiny},
    {"huge", "duration, values or terms at the end of the range or beyond", hermite_huge},
    {"subnormal", "values, slopes, durations or terms below 2^-1022", hermite_subnormal},
    {"steep", "tangent terms up to 2^60 times the values, or the reverse", hermite_steep},
    {"straight", "constants and straight lines", hermite_straight},
    {"boundary", "every order of the times, infinities and NaN", hermite_boundary},
    {"special_data", "every combination of special values and slopes", hermite_special_data},
};

static const struct domain coefficients_list[] = {
    {"typical", "keys on frames, values to 360, slopes to a few times the mean",
     coefficients_typical},
    {"any_finite", "any finite bit patterns, times in order", coefficients_any_finite},
    {"any", "any bit patterns, or typical ones with one spoilt", coefficients_any},
    {"mixed_exponents", "all exponents, yet four terms of about one size",
     coefficients_mixed_exponents},
    {"cancelling", "the terms of a or of b cancel", coefficients_cancelling},
    {"cancelling_beyond", "the terms of a or of b are beyond the range and cancel",
     coefficients_cancelling_beyond},
    {"large_offset", "times near 1e9 and beyond, few doubles to a frame apart",
     coefficients_large_offset},
    {"tiny_segment", "durations from 1e-12 down to one double", coefficients_tiny},
    {"huge", "duration, values or terms at the end of the range or beyond", coefficients_huge},
    {"subnormal", "values, slopes, durations or terms below 2^-1022", coefficients_subnormal},
    {"steep", "tangent terms up to 2^60 times the values, or the reverse", coefficients_steep},
    {"straight", "constants and straight lines", coefficients_straight},
    {"backwards", "the second key before the first, or at its time", coefficients_backwards},
    {"boundary", "every combination of zero, largest and non-finite inputs", coefficients_boundary},
};

static double place(const struct values *inputs)
{
    const double *number = inputs->number;
    return segment_position(number[0], number[3], number[6]);
}

static double steepness(const struct values *inputs)
{
    const double *number = inputs->number;
    double h = draw_least(fabs(number[3] - number[0]), DBL_MAX);
    double slopes = log2(fabs(number[2] / 2) + fabs(number[5] / 2));
    return log2(h) + slopes - log2(fabs(number[1] / 2) + fabs(number[4] / 2));
}

enum {
    HERMITE_COUNT = sizeof hermite_list / sizeof *hermite_list,
    HERMITE_CANCELLING = 5,
    COEFFICIENTS_COUNT = sizeof coefficients_list / sizeof *coefficients_list,
    COEFFICIENTS_SUBNORMAL = 9
};

const struct domains domains_hermite = {
    hermite_list, HERMITE_COUNT, 0, HERMITE_CANCELLING, {"(t - t0) / (t1 - t0)", 0, 1, place}};

const struct domains domains_hermite_coefficients = {coefficients_list,
                                                     COEFFICIENTS_COUNT,
                                                     0,
                                                     COEFFICIENTS_SUBNORMAL,
                                                     {"log2 of h (|m0| + |m1|) / (|v0| + |v1|)",
                                                      -64, 64, steepness}};
