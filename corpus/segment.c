#include "segment.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double min_subnormal = 0x1p-1074;

double segment_saturate(double x)
{
    return draw_most(draw_least(x, DBL_MAX), -DBL_MAX);
}

/* The double `steps` above x. */
static double above(double x, uint64_t steps)
{
    while (steps-- > 0) {
        x = nextafter(x, INFINITY);
    }
    return x;
}

double segment_about(struct stream *stream, int exponent, int most)
{
    int low = exponent - most < -1074 ? -1074 : exponent - most;
    int high = exponent + most > 1024 ? 1024 : exponent + most;
    low = low < high ? low : high - 1;
    return draw_sign(stream, draw_log(stream, low, high > -1074 ? high : -1073));
}

double segment_nearly(struct stream *stream, double x)
{
    if (draw_below(stream, 2)) {
        return draw_step(stream, x, 3);
    }
    return segment_saturate(x + x * draw_sign(stream, draw_log(stream, -52, 0)));
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
    return draw_below(stream, 4) ? segment_saturate(factor * (change / (s->t1 - s->t0))) : 0;
}

static void add_slopes(struct stream *stream, struct segment *s, double most)
{
    s->m0 = ordinary_slope(stream, s, most);
    s->m1 = ordinary_slope(stream, s, most);
}

void segment_add_data(struct stream *stream, struct segment *segment, double most)
{
    add_values(stream, segment, most);
    add_slopes(stream, segment, most);
}

struct segment segment_typical(struct stream *stream)
{
    static const double rates[] = {24, 25, 30, 48, 60, 1000};
    static const double ranges[] = {1, 1, 100, 360};
    struct segment s;
    double rate = rates[draw_below(stream, 6)];
    double first = (double)draw_below(stream, (uint64_t)(60 * rate));
    double frames = (double)(1 + draw_below(stream, (uint64_t)(2 * rate)));
    s.t0 = first / rate;
    s.t1 = (first + frames) / rate;
    segment_add_data(stream, &s, ranges[draw_below(stream, 4)]);
    return s;
}

struct segment segment_any_finite(struct stream *stream)
{
    struct segment s;
    double x = draw_finite(stream);
    double y = draw_finite(stream);
    s.t0 = draw_least(x, y);
    s.t1 = draw_most(x, y);
    s.v0 = draw_finite(stream);
    s.v1 = draw_finite(stream);
    s.m0 = draw_finite(stream);
    s.m1 = draw_finite(stream);
    return s;
}

struct segment segment_any(struct stream *stream)
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
    double h = draw_least(s->t1 - s->t0, DBL_MAX);
    s->v0 = segment_about(stream, size, spread);
    s->v1 = segment_about(stream, size, spread);
    s->m0 = segment_saturate(segment_about(stream, size, spread) / h);
    s->m1 = segment_saturate(segment_about(stream, size, spread) / h);
}

struct segment segment_mixed_exponents(struct stream *stream)
{
    struct segment s;
    int duration = -1000 + (int)draw_below(stream, 1950);
    int offset = duration - 60 + (int)draw_below(stream, 110);
    s.t0 = draw_below(stream, 4) ? segment_about(stream, offset, 1) : 0;
    s.t1 = segment_saturate(s.t0 + draw_log(stream, duration, duration + 1));
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

struct segment segment_large_offset(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_below(stream, 2) ? 1e9 + draw_uniform(stream, 0, 1)
                                 : draw_sign(stream, draw_log(stream, 20, 48));
    s.t1 = s.t0 + draw_uniform(stream, 0, 1.0 / 24);
    if (draw_below(stream, 2) || s.t1 == s.t0) {
        s.t1 = above(s.t0, 1 + draw_below(stream, 8));
    }
    segment_add_data(stream, &s, 100);
    return s;
}

struct segment segment_tiny(struct stream *stream)
{
    struct segment s;
    s.t0 = draw_below(stream, 4) ? draw_uniform(stream, -10, 10) : 0;
    s.t1 = s.t0 + draw_log(stream, s.t0 == 0 ? -1074 : -48, -39);
    if (draw_below(stream, 4) == 0 || s.t1 == s.t0) {
        s.t1 = above(s.t0, 1 + draw_below(stream, 8));
    }
    segment_add_data(stream, &s, 100);
    if (draw_below(stream, 4) == 0) {
        s.m0 = draw_sign(stream, draw_log(stream, -8, 64));
    }
    if (draw_below(stream, 4) == 0) {
        s.m1 = draw_sign(stream, draw_log(stream, -8, 64));
    }
    return s;
}

struct segment segment_huge(struct stream *stream)
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
        {
            s.m0 = draw_sign(stream, draw_log(stream, 1016, 1024));
        }
        s.m1 = draw_sign(stream, draw_log(stream, 1016, 1024));
    }
    return s;
}

struct segment segment_beyond(struct stream *stream)
{
    struct segment s;
    int most = draw_below(stream, 2) ? 64 : 1024;
    int duration = draw_below(stream, 8) ? (int)draw_below(stream, (uint64_t)most) : 1023;
    s.t0 = -draw_log(stream, duration, duration + 1);
    s.t1 = draw_log(stream, duration, duration + 1);
    if (draw_below(stream, 4) == 0) { /* on one side of 0, or starting there */
        s.t0 = draw_below(stream, 2) ? 0 : s.t1 / 2;
    }
    s.v0 = segment_about(stream, 1024, 8);
    s.v1 = segment_about(stream, 1024, 8);
    s.m0 = segment_about(stream, 1024, 8);
    s.m1 = segment_about(stream, 1024, 8);
    return s;
}

struct segment segment_subnormal(struct stream *stream)
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
        s.m0 = segment_about(stream, 1020, 8);
        s.m1 = segment_about(stream, 1020, 8);
        break;
    case 2:
        add_terms(stream, &s, -1022, 30);
        break;
    default: /* a duration times a slope that underflows */
        s.t0 = 0;
        s.t1 = draw_log(stream, -1074, -400);
        s.v0 = segment_about(stream, -1060, 14);
        s.v1 = segment_about(stream, -1060, 14);
        s.m0 = segment_about(stream, -660, 200);
        s.m1 = segment_about(stream, -660, 200);
    }
    return s;
}

struct segment segment_steep(struct stream *stream)
{
    struct segment s = segment_typical(stream);
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

struct segment segment_straight(struct stream *stream)
{
    struct segment s = segment_typical(stream);
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

double segment_edge_weight(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
        return draw_sign(stream, 0);
    case 1:
        return 1;
    case 2:
        return draw_step(stream, 1, 3);
    case 3:
        return (double)(1 + draw_below(stream, 3)) * min_subnormal;
    case 4:
        return ldexp(1, -1 - (int)draw_below(stream, 1074));
    case 5:
        return draw_log(stream, -1074, -1);
    case 6:
        return 1 - ldexp(1, -1 - (int)draw_below(stream, 53));
    default:
        return 1 - draw_log(stream, -53, -1);
    }
}

double segment_outside_weight(struct stream *stream)
{
    switch (draw_below(stream, 4)) {
    case 0:
        return 1 + draw_log(stream, -52, 3);
    case 1:
        return -draw_log(stream, -1074, 3);
    case 2:
        return draw_sign(stream, draw_log(stream, 1, 1024));
    default:
        return draw_uniform(stream, -1, 2);
    }
}

double segment_third_weight(struct stream *stream)
{
    return draw_step(stream, 1.0 / 3, 2);
}

double segment_position(double t0, double t1, double t)
{
    double h = t1 - t0;
    return isinf(h) ? (t / 2 - t0 / 2) / (t1 / 2 - t0 / 2) : (t - t0) / h;
}

double segment_time(double t0, double t1, double x)
{
    double h = t1 - t0;
    double t = isinf(h) ? t0 * (1 - x) + t1 * x : t0 + h * x;
    return draw_least(draw_most(t, t0), t1);
}

double segment_width(bool weighted, double weight)
{
    return weighted ? 3 * draw_least(draw_most(weight, 0), 1) : 1;
}

double segment_share(double s, double width0, double width1)
{
    double r = 1 - s;
    return ((width0 * r + (3 - width1) * s) * r + s * s) * s;
}

/* The four functions of the parameter that the data are multiplied by. */
struct basis {
    double v0, m0, v1, m1;
};

static struct basis basis_at(double x)
{
    double y = 1 - x;
    return (struct basis){(1 + 2 * x) * y * y, x * y * y, (3 - 2 * x) * x * x, -x * x * y};
}

/* Of the nearer end, so that its function of s is not small. */
void segment_cancel(struct stream *stream, struct segment *segment, double s, double width0,
                    double width1)
{
    struct basis b = basis_at(s);
    double h0 = (segment->t1 - segment->t0) * width0, h1 = (segment->t1 - segment->t0) * width1;
    bool slope = s > 0x1p-20 && s < 1 - 0x1p-20 && draw_below(stream, 2);
    slope = slope && (s < 0.5 ? width0 : width1) > 0;
    double *datum =
        s < 0.5 ? (slope ? &segment->m0 : &segment->v0) : (slope ? &segment->m1 : &segment->v1);
    double factor = s < 0.5 ? (slope ? h0 * b.m0 : b.v0) : (slope ? h1 * b.m1 : b.v1);
    *datum = 0;
    double rest =
        segment->v0 * b.v0 + h0 * segment->m0 * b.m0 + segment->v1 * b.v1 + h1 * segment->m1 * b.m1;
    *datum = segment_nearly(stream, segment_saturate(-rest / factor));
}

/* In units of 2^scale for times and of 2^(scale + 4) for terms. */
void segment_cancel_beyond(struct stream *stream, struct segment *segment, double s, double width0,
                           double width1)
{
    int scale = ilogb(segment->t1 / 2 - segment->t0 / 2) + 1, unit = -4 - scale;
    struct basis b = basis_at(s);
    double h = ldexp(segment->t1, -scale) - ldexp(segment->t0, -scale);
    double term0 = h * width0 * b.m0 / 16, term1 = h * width1 * b.m1 / 16;
    double values = ldexp(segment->v0, unit) * b.v0 + ldexp(segment->v1, unit) * b.v1;
    if (fabs(term0) >= fabs(term1)) {
        double solved = -(values + segment->m1 * term1) / term0;
        segment->m0 = segment_nearly(stream, segment_saturate(solved));
    } else {
        double solved = -(values + segment->m0 * term0) / term1;
        segment->m1 = segment_nearly(stream, segment_saturate(solved));
    }
}

void segment_spoil(struct stream *stream, struct segment *s, size_t way)
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

double segment_place(struct segment *segment, double mid, size_t place)
{
    const double e = segment->t0, f = segment->t1;
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
    static_assert(sizeof times / sizeof *times == SEGMENT_PLACES, "all are drawn");
    segment->t0 = times[place].t0;
    segment->t1 = times[place].t1;
    return times[place].t;
}
