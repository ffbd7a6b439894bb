#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double min_subnormal = 0x1p-1074;

/* From (t0, v0) with slope m0 to (t1, v1) with slope m1. */
struct segment {
    double t0, v0, m0;
    double t1, v1, m1;
};

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

static double saturate(double x)
{
    return fmax(fmin(x, DBL_MAX), -DBL_MAX);
}

/* The double `steps` above x. */
static double above(double x, uint64_t steps)
{
    while (steps-- > 0) {
        x = nextafter(x, INFINITY);
    }
    return x;
}

/* Of either sign, 2^exponent but for a few binades, and finite. */
static double about(struct stream *stream, int exponent, int most)
{
    int low = exponent - most < -1074 ? -1074 : exponent - most;
    int high = exponent + most > 1024 ? 1024 : exponent + most;
    low = low < high ? low : high - 1;
    return draw_sign(stream, draw_log(stream, low, high > -1074 ? high : -1073));
}

static void add_values(struct stream *stream, struct segment *s, double most)
{
    s->v0 = draw_uniform(stream, -most, most);
    s->v1 = draw_below(stream, 8) ? draw_uniform(stream, -most, most) : s->v0;
}

/* Slopes up to a few times the mean one; one in four is flat. */
static double ordinary_slope(struct stream *stream, const struct segment *s, double most)
{
    double factor = draw_uniform(stream, -3, 3);
    double change = draw_below(stream, 2) ? s->v1 - s->v0 : most / 4;
    return draw_below(stream, 4) ? saturate(factor * (change / (s->t1 - s->t0))) : 0;
}

static void add_slopes(struct stream *stream, struct segment *s, double most)
{
    s->m0 = ordinary_slope(stream, s, most);
    s->m1 = ordinary_slope(stream, s, most);
}

/* Keys on frames of one minute of animation; values are positions, angles or colours. */
static struct segment typical_segment(struct stream *stream)
{
    static const double rates[] = {24, 25, 30, 48, 60, 1000};
    static const double ranges[] = {1, 1, 100, 360};
    struct segment s;
    double rate = rates[draw_below(stream, 6)];
    double first = (double)draw_below(stream, (uint64_t)(60 * rate));
    double frames = (double)(1 + draw_below(stream, (uint64_t)(2 * rate)));
    s.t0 = first / rate;
    s.t1 = (first + frames) / rate;
    double range = ranges[draw_below(stream, 4)];
    add_values(stream, &s, range);
    add_slopes(stream, &s, range);
    return s;
}

static struct segment any_finite_segment(struct stream *stream)
{
    struct segment s;
    double x = draw_finite(stream);
    double y = draw_finite(stream);
    s.t0 = fmin(x, y);
    s.t1 = fmax(x, y);
    s.v0 = draw_finite(stream);
    s.v1 = draw_finite(stream);
    s.m0 = draw_finite(stream);
    s.m1 = draw_finite(stream);
    return s;
}

static struct segment any_segment(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_any(stream);
    s.t1 = draw_any(stream);
    s.v0 = draw_any(stream);
    s.v1 = draw_any(stream);
    s.m0 = draw_any(stream);
    s.m1 = draw_any(stream);
    return s;
}

/* Adds values of the size 2^size and slopes that give terms of that size, all within a factor of
 * 2^spread. */
static void add_terms(struct stream *stream, struct segment *s, int size, int spread)
{
    double h = fmin(s->t1 - s->t0, DBL_MAX);
    s->v0 = about(stream, size, spread);
    s->v1 = about(stream, size, spread);
    s->m0 = saturate(about(stream, size, spread) / h);
    s->m1 = saturate(about(stream, size, spread) / h);
}

/* Durations, values and slopes over all exponents, yet four terms of about one size. */
static struct segment mixed_exponents_segment(struct stream *stream)
{
    struct segment s;
    int duration = -1000 + (int)draw_below(stream, 1950);
    int offset = duration - 60 + (int)draw_below(stream, 110);
    s.t0 = draw_below(stream, 4) ? about(stream, offset, 1) : 0;
    s.t1 = saturate(s.t0 + draw_log(stream, duration, duration + 1));
    if (s.t1 == s.t0) {
        s.t1 = above(s.t0, 1);
    }
    /* where neither values nor slopes leave the range */
    int low = duration - 1000 < -980 ? -980 : duration - 1000;
    int high = duration + 960 > 980 ? 980 : duration + 960;
    int size = low + (int)draw_below(stream, (uint64_t)(high - low));
    add_terms(stream, &s, size, 1 + (int)draw_below(stream, 40));
    return s;
}

/* A clock that counts seconds since long ago: few bits are left for what lies between two keys. */
static struct segment large_offset_segment(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_below(stream, 2) ? 1e9 + draw_uniform(stream, 0, 1)
                                 : draw_sign(stream, draw_log(stream, 20, 48));
    s.t1 = s.t0 + draw_uniform(stream, 0, 1.0 / 24);
    if (draw_below(stream, 2) || s.t1 == s.t0) {
        s.t1 = above(s.t0, 1 + draw_below(stream, 8));
    }
    add_values(stream, &s, 100);
    add_slopes(stream, &s, 100);
    return s;
}

/* From 1e-12 down to two neighbouring doubles, also at time 0. */
static struct segment tiny_segment(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_below(stream, 4) ? draw_uniform(stream, -10, 10) : 0;
    s.t1 = s.t0 + draw_log(stream, s.t0 == 0 ? -1074 : -48, -39);
    if (draw_below(stream, 4) == 0 || s.t1 == s.t0) {
        s.t1 = above(s.t0, 1 + draw_below(stream, 8));
    }
    add_values(stream, &s, 100);
    add_slopes(stream, &s, 100);
    if (draw_below(stream, 4) == 0) {
        s.m0 = draw_sign(stream, draw_log(stream, -8, 64));
    }
    if (draw_below(stream, 4) == 0) {
        s.m1 = draw_sign(stream, draw_log(stream, -8, 64));
    }
    return s;
}

/* t1 - t0, values or tangent terms at the end of the range or beyond. */
static struct segment huge_segment(struct stream *stream)
{
    struct segment s;
    if (draw_below(stream, 2)) {
        s.t0 = -draw_log(stream, draw_below(stream, 2) ? 1016 : 1023, 1024);
        s.t1 = draw_log(stream, draw_below(stream, 2) ? 1016 : 1023, 1024);
        add_terms(stream, &s, draw_below(stream, 2) ? 1000 : (int)draw_below(stream, 1000), 8);
    } else {
        s.t0 = draw_uniform(stream, -10, 10);
        s.t1 = s.t0 + draw_log(stream, 0, 16);
        add_terms(stream, &s, 1018, 8);
    }
    if (draw_below(stream, 2)) { /* beyond the range until its small basis is multiplied in */
        s.m0 = draw_sign(stream, draw_log(stream, 1016, 1024));
        s.m1 = draw_sign(stream, draw_log(stream, 1016, 1024));
    }
    return s;
}

/* Values, slopes, durations or terms below 2^-1022. */
static struct segment subnormal_segment(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_uniform(stream, -10, 10);
    s.t1 = s.t0 + draw_log(stream, -10, 10);
    switch (draw_below(stream, 4)) {
    case 0:
        s.v0 = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        s.v1 = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        s.m0 = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        s.m1 = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        break;
    case 1: /* a subnormal duration at any subnormal time */
        s.t0 = draw_between(stream, -DBL_MIN, 0);
        s.t1 = draw_between(stream, s.t0 + min_subnormal, DBL_MIN);
        add_values(stream, &s, 100);
        s.m0 = about(stream, 1020, 8);
        s.m1 = about(stream, 1020, 8);
        break;
    case 2:
        add_terms(stream, &s, -1022, 30);
        break;
    default: /* a duration times a slope that underflows */
        s.t0 = 0;
        s.t1 = draw_log(stream, -1074, -400);
        s.v0 = about(stream, -1060, 14);
        s.v1 = about(stream, -1060, 14);
        s.m0 = about(stream, -660, 200);
        s.m1 = about(stream, -660, 200);
    }
    return s;
}

/* Tangent terms 2^0 to 2^60 times the values, or the other way round. */
static struct segment steep_segment(struct stream *stream)
{
    struct segment s = typical_segment(stream);
    double factor = draw_log(stream, 0, 60);
    if (draw_below(stream, 2)) {
        s.m0 = draw_sign(stream, factor);
        s.m1 = draw_sign(stream, factor * draw_log(stream, -2, 2));
    } else {
        s.v0 = draw_sign(stream, factor);
        s.v1 = draw_sign(stream, factor * draw_log(stream, -2, 2));
    }
    return s;
}

/* A constant, or a straight line with slopes to match: nothing of the cubic may show. */
static struct segment straight_segment(struct stream *stream)
{
    struct segment s = typical_segment(stream);
    if (draw_below(stream, 2)) {
        s.v1 = s.v0;
        s.m0 = draw_sign(stream, 0);
        s.m1 = draw_sign(stream, 0);
    } else {
        s.m0 = (s.v1 - s.v0) / (s.t1 - s.t0);
        s.m1 = s.m0;
    }
    return s;
}

/* The four functions of x that v0, h m0, v1 and h m1 are multiplied by. */
struct basis {
    double v0, m0, v1, m1;
};

static double position(double t0, double t1, double t)
{
    double h = t1 - t0;
    return isinf(h) ? (t / 2 - t0 / 2) / (t1 / 2 - t0 / 2) : (t - t0) / h;
}

static struct basis basis_at(double x)
{
    double y = 1 - x;
    return (struct basis){(1 + 2 * x) * y * y, x * y * y, (3 - 2 * x) * x * x, -x * x * y};
}

/* Changes one of the four data such that the terms at t cancel but for a few bits or for a
 * relative 2^-k. Of the nearer end, so that its function of x is not small. */
static void cancel_at(struct stream *stream, struct segment *s, double t)
{
    double h = s->t1 - s->t0;
    double x = position(s->t0, s->t1, t);
    struct basis b = basis_at(x);
    bool slope = x > 0x1p-20 && x < 1 - 0x1p-20 && draw_below(stream, 2);
    double *datum = x < 0.5 ? (slope ? &s->m0 : &s->v0) : (slope ? &s->m1 : &s->v1);
    double factor = x < 0.5 ? (slope ? h * b.m0 : b.v0) : (slope ? h * b.m1 : b.v1);
    *datum = 0;
    double rest = s->v0 * b.v0 + h * s->m0 * b.m0 + s->v1 * b.v1 + h * s->m1 * b.m1;
    double solved = saturate(-rest / factor);
    if (draw_below(stream, 2)) {
        *datum = draw_step(stream, solved, 3);
    } else {
        *datum = saturate(solved + solved * draw_sign(stream, draw_log(stream, -52, 0)));
    }
}

static void hermite_typical(struct stream *stream, struct values *inputs)
{
    struct segment s = typical_segment(stream);
    put(inputs, s, draw_uniform(stream, s.t0, s.t1));
}

static void hermite_any_finite(struct stream *stream, struct values *inputs)
{
    struct segment s = any_finite_segment(stream);
    double t = draw_below(stream, 8) ? draw_inside(stream, s.t0, s.t1) : draw_finite(stream);
    put(inputs, s, t);
}

/* Half of the cases spoil an ordinary segment by one datum or two, the others draw all. */
static void hermite_any(struct stream *stream, struct values *inputs)
{
    struct segment s = any_segment(stream);
    double t = draw_any(stream);
    if (draw_below(stream, 2)) {
        s = typical_segment(stream);
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
        draw_below(stream, 2) ? typical_segment(stream) : mixed_exponents_segment(stream);
    bool early = draw_below(stream, 2);
    double end = early ? s.t0 : s.t1;
    double h = fmin(s.t1 - s.t0, DBL_MAX);
    double distance = h * draw_log(stream, end == 0 ? -1000 : -50, -4);
    double t = early ? end + distance : end - distance;
    if (draw_below(stream, 4) == 0 || t == end) {
        t = draw_step(stream, end, 8);
    }
    put(inputs, s, fmin(fmax(t, s.t0), s.t1));
}

static void hermite_mixed_exponents(struct stream *stream, struct values *inputs)
{
    struct segment s = mixed_exponents_segment(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_cancelling(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 4) ? typical_segment(stream) : mixed_exponents_segment(stream);
    double t =
        draw_below(stream, 2) ? draw_uniform(stream, s.t0, s.t1) : draw_inside(stream, s.t0, s.t1);
    cancel_at(stream, &s, t);
    put(inputs, s, t);
}

static void hermite_large_offset(struct stream *stream, struct values *inputs)
{
    struct segment s = large_offset_segment(stream);
    put(inputs, s, draw_between(stream, s.t0, s.t1));
}

static void hermite_tiny(struct stream *stream, struct values *inputs)
{
    struct segment s = tiny_segment(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_huge(struct stream *stream, struct values *inputs)
{
    struct segment s = huge_segment(stream);
    double h = fmin(s.t1 - s.t0, DBL_MAX);
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
    struct segment s = subnormal_segment(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_steep(struct stream *stream, struct values *inputs)
{
    struct segment s = steep_segment(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

static void hermite_straight(struct stream *stream, struct values *inputs)
{
    struct segment s = straight_segment(stream);
    put(inputs, s, draw_inside(stream, s.t0, s.t1));
}

/* Spoils data in one of six ways. */
static void spoil(struct stream *stream, struct segment *s, size_t way)
{
    double *const data[] = {&s->v0, &s->v1, &s->m0, &s->m1};
    size_t which = draw_below(stream, 2);
    double infinity = draw_sign(stream, INFINITY);
    for (size_t i = 0; i < 4 && way == 1; i++) {
        *data[i] = draw_sign(stream, 0);
    }
    for (size_t i = 0; i < 4 && way == 2; i++) {
        *data[i] = NAN;
    }
    if (way == 3) {
        *data[which] = infinity;
    }
    if (way == 4) {
        *data[2 + which] = infinity;
    }
    if (way == 5) {
        *data[2 * draw_below(stream, 2) + which] = NAN;
    }
}

/* Every order of t, t0 and t1, with neighbours, infinities and NaN. */
static void hermite_boundary(struct stream *stream, struct values *inputs)
{
    enum { SPOILED = 6 };
    struct segment s = typical_segment(stream);
    const double e = s.t0, f = s.t1, mid = e + (f - e) * draw_uniform(stream, 0.1, 0.9);
    const double up = nextafter(e, INFINITY), down = nextafter(e, -INFINITY);
    const double inf = INFINITY, nan = NAN, tiny = min_subnormal;
    const struct {
        double t0, t1, t;
    } times[] = {
        {e, f, mid},
        {e, f, e},
        {e, f, down},
        {e, f, up},
        {e, f, f},
        {e, f, -inf},
        {e, f, inf},
        {e, f, nan},
        {e, f, -DBL_MAX},
        {e, f, DBL_MAX},
        {e, e, e},
        {e, e, down},
        {e, e, up},
        {e, up, e},
        {e, up, up},
        {f, e, mid},
        {f, e, e},
        {f, e, f},
        {f, e, down},
        {f, e, 2 * f + 1},
        {nan, f, mid},
        {e, nan, mid},
        {nan, f, f},
        {e, nan, e},
        {nan, nan, nan},
        {nan, f, inf},
        {e, nan, -inf},
        {-inf, f, mid},
        {-inf, f, f},
        {-inf, f, -inf},
        {e, inf, mid},
        {e, inf, e},
        {e, inf, inf},
        {-inf, inf, mid},
        {inf, inf, inf},
        {-inf, -inf, -inf},
        {-inf, -inf, mid},
        {inf, inf, mid},
        {inf, -inf, mid},
        {-0.0, 0.0, 0.0},
        {0.0, -0.0, -0.0},
        {0.0, tiny, 0.0},
        {0.0, tiny, tiny},
        {0.0, tiny, -0.0},
        {-tiny, 0.0, -0.0},
        {-0.0, 1, 0.0},
        {-1, 0.0, -0.0},
        {0.0, f, tiny},
        {-DBL_MAX, DBL_MAX, 0},
        {e, f, nextafter(f, e)},
        {e, f, nextafter(f, inf)},
    };
    enum { TIMES = sizeof times / sizeof *times };
    uint64_t combination = draw_combination(stream, (uint64_t)TIMES * SPOILED);
    size_t i = draw_digit(&combination, TIMES);
    s.t0 = times[i].t0;
    s.t1 = times[i].t1;
    spoil(stream, &s, draw_digit(&combination, SPOILED));
    put(inputs, s, times[i].t);
}

/* Every combination of ordinary and special values and slopes, at and between the keys. */
static void hermite_special_data(struct stream *stream, struct values *inputs)
{
    enum { KINDS = 5, PLACES = 4 };
    struct segment s = typical_segment(stream);
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
    put_coefficients(inputs, typical_segment(stream));
}

static void coefficients_any_finite(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, any_finite_segment(stream));
}

static void coefficients_any(struct stream *stream, struct values *inputs)
{
    struct segment s = any_segment(stream);
    if (draw_below(stream, 2)) {
        s = typical_segment(stream);
        double *const data[] = {&s.t0, &s.v0, &s.m0, &s.t1, &s.v1, &s.m1};
        size_t which = draw_below(stream, 6);
        *data[which] = draw_any(stream);
    }
    put_coefficients(inputs, s);
}

static void coefficients_mixed_exponents(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, mixed_exponents_segment(stream));
}

/* v1 such that a = 2 (v0 - v1) + h (m0 + m1) or b = 3 (v1 - v0) - h (2 m0 + m1) is small. */
static void coefficients_cancelling(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 4) ? typical_segment(stream) : mixed_exponents_segment(stream);
    double h = fmin(s.t1 - s.t0, DBL_MAX);
    double solved = draw_below(stream, 2) ? s.v0 + (h * s.m0 + h * s.m1) / 2
                                          : s.v0 + (2 * (h * s.m0) + h * s.m1) / 3;
    s.v1 = draw_step(stream, saturate(solved), 3);
    if (draw_below(stream, 2)) {
        s.v1 = saturate(s.v1 + s.v1 * draw_sign(stream, draw_log(stream, -52, 0)));
    }
    put_coefficients(inputs, s);
}

static void coefficients_large_offset(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, large_offset_segment(stream));
}

static void coefficients_tiny(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, tiny_segment(stream));
}

static void coefficients_huge(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, huge_segment(stream));
}

static void coefficients_subnormal(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, subnormal_segment(stream));
}

static void coefficients_steep(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, steep_segment(stream));
}

static void coefficients_straight(struct stream *stream, struct values *inputs)
{
    put_coefficients(inputs, straight_segment(stream));
}

/* The formula asks for no order of the times. */
static void coefficients_backwards(struct stream *stream, struct values *inputs)
{
    struct segment s =
        draw_below(stream, 2) ? typical_segment(stream) : mixed_exponents_segment(stream);
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
    struct segment s = typical_segment(stream);
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
    return position(number[0], number[3], number[6]);
}

static double steepness(const struct values *inputs)
{
    const double *number = inputs->number;
    double h = fmin(fabs(number[3] - number[0]), DBL_MAX);
    double slopes = log2(fabs(number[2] / 2) + fabs(number[5] / 2));
    return log2(h) + slopes - log2(fabs(number[1] / 2) + fabs(number[4] / 2));
}

enum {
    HERMITE_COUNT = sizeof hermite_list / sizeof *hermite_list,
    HERMITE_CANCELLING = 5,
    COEFFICIENTS_COUNT = sizeof coefficients_list / sizeof *coefficients_list,
    COEFFICIENTS_SUBNORMAL = 8
};

const struct domains domains_hermite = {
    hermite_list, HERMITE_COUNT, 0, HERMITE_CANCELLING, {"(t - t0) / (t1 - t0)", 0, 1, place}};

const struct domains domains_hermite_coefficients = {coefficients_list,
                                                     COEFFICIENTS_COUNT,
                                                     0,
                                                     COEFFICIENTS_SUBNORMAL,
                                                     {"log2 of h (|m0| + |m1|) / (|v0| + |v1|)",
                                                      -64, 64, steepness}};
