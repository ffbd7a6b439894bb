#include "segment.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NONE, IN, OUT, BOTH, MODES };
enum { CLAMP, LOOP, PING_PONG, WRAPS };
enum { CURVE_FIELDS = 9 };

/* The keys of one curve, in place among the inputs. */
struct curve {
    size_t count;
    double *time, *value, *in_tangent, *out_tangent;
    double *mode, *in_weight, *out_weight; /* NULL: the lists are empty */
    double *before, *after;
};

/* What the lists of a curve hold. */
struct shape {
    size_t count;
    bool weighted; /* there are modes and weights */
};

static void append_curve(struct values *inputs, struct shape shape)
{
    for (int field = 0; field < CURVE_FIELDS; field++) {
        bool list = field < CURVE_FIELDS - 2, weights = field >= 4 && list;
        size_t count = list ? (weights && !shape.weighted ? 0 : shape.count) : 1;
        double *number = values_append(inputs, count);
        for (size_t i = 0; i < count; i++) {
            number[i] = 0;
        }
    }
}

/* Holds until the next field is added. */
static struct curve curve_at(struct values *inputs, size_t first)
{
    double *field[CURVE_FIELDS];
    for (size_t i = 0; i < CURVE_FIELDS; i++) {
        field[i] = inputs->number + inputs->start[first + i];
    }
    bool weighted = values_length(inputs, first + 4) > 0;
    return (struct curve){values_length(inputs, first),
                          field[0],
                          field[1],
                          field[2],
                          field[3],
                          weighted ? field[4] : NULL,
                          weighted ? field[5] : NULL,
                          weighted ? field[6] : NULL,
                          field[7],
                          field[8]};
}

/* Keys */

static void draw_wraps(struct stream *stream, struct curve *c)
{
    *c->before = (double)draw_below(stream, WRAPS);
    *c->after = draw_below(stream, 4) ? *c->before : (double)draw_below(stream, WRAPS);
}

/* Neither end is clamped. */
static void draw_cycles(struct stream *stream, struct curve *c)
{
    *c->before = draw_below(stream, 2) ? LOOP : PING_PONG;
    *c->after = draw_below(stream, 4) ? *c->before : LOOP + PING_PONG - *c->before;
}

/* The modes of all keys, and weights also of the sides that have none, for nobody may read them. */
static void draw_weights(struct stream *stream, struct curve *c,
                         double (*weight)(struct stream *stream))
{
    for (size_t i = 0; i < c->count && c->mode; i++) {
        c->mode[i] = (double)draw_below(stream, MODES);
        c->in_weight[i] = weight(stream);
        c->out_weight[i] = weight(stream);
    }
}

static double everyday_weight(struct stream *stream)
{
    return draw_uniform(stream, 0.1, 0.9);
}

static double any_weight(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
    case 1:
        return segment_edge_weight(stream);
    case 2:
        return segment_outside_weight(stream);
    case 3:
        return segment_third_weight(stream);
    default:
        return draw_uniform(stream, 0, 1);
    }
}

/* Smooth, kinked or flat keys, with slopes up to a few times the mean one. */
static void draw_slopes(struct stream *stream, struct curve *c, double most)
{
    for (size_t i = 0; i < c->count; i++) {
        size_t other = i > 0 ? i - 1 : (c->count > 1 ? 1 : 0);
        double h = fabs(c->time[i] - c->time[other]);
        double change = draw_below(stream, 2) ? c->value[i] - c->value[other] : most / 4;
        double mean = h > 0 ? change / h : 0;
        double in = draw_below(stream, 4) ? draw_uniform(stream, -3, 3) * mean : 0;
        double out = draw_below(stream, 4) ? in : draw_uniform(stream, -3, 3) * mean;
        c->in_tangent[i] = segment_saturate(in);
        c->out_tangent[i] = segment_saturate(out);
    }
}

static void draw_data(struct stream *stream, struct curve *c, double most)
{
    for (size_t i = 0; i < c->count; i++) {
        bool held = draw_below(stream, 8) == 0 && i > 0;
        double value = draw_uniform(stream, -most, most);
        c->value[i] = held ? c->value[i - 1] : value;
    }
    draw_slopes(stream, c, most);
}

/* On frames of up to some minutes, from any frame of the first one on. */
static void draw_frames(struct stream *stream, struct curve *c)
{
    static const double rates[] = {24, 25, 30, 48, 60, 1000};
    double rate = rates[draw_below(stream, 6)];
    double frame = (double)draw_below(stream, (uint64_t)(60 * rate));
    for (size_t i = 0; i < c->count; i++) {
        c->time[i] = frame / rate;
        frame += (double)(1 + draw_below(stream, (uint64_t)(2 * rate)));
    }
}

/* Multiples of a power of two, so that times a few periods off have the same bits. */
static void draw_grid(struct stream *stream, struct curve *c)
{
    double step = ldexp(1, -(int)draw_below(stream, 7));
    double place = draw_below(stream, 2) ? -64 : 0;
    place += (double)draw_below(stream, 64);
    for (size_t i = 0; i < c->count; i++) {
        c->time[i] = place * step;
        place += (double)(1 + draw_below(stream, 16));
    }
}

static void draw_everyday(struct stream *stream, struct curve *c)
{
    static const double ranges[] = {1, 1, 100, 360};
    draw_frames(stream, c);
    draw_data(stream, c, ranges[draw_below(stream, 4)]);
    draw_weights(stream, c, everyday_weight);
    draw_wraps(stream, c);
}

static struct shape everyday_shape(struct stream *stream)
{
    size_t count = 8 + draw_below(stream, 9);
    return (struct shape){count, draw_below(stream, 2)};
}

static struct shape small_shape(struct stream *stream)
{
    size_t count = 2 + draw_below(stream, 5);
    return (struct shape){count, draw_below(stream, 2)};
}

static struct segment get_segment(const struct curve *c, size_t i)
{
    return (struct segment){c->time[i],     c->value[i],     c->out_tangent[i],
                            c->time[i + 1], c->value[i + 1], c->in_tangent[i + 1]};
}

/* But for the times. */
static void put_segment(struct curve *c, size_t i, struct segment s)
{
    c->value[i] = s.v0;
    c->out_tangent[i] = s.m0;
    c->value[i + 1] = s.v1;
    c->in_tangent[i + 1] = s.m1;
}

/* The times of one segment, made to a curve: keys go on beyond it by about its duration. */
static void extend(struct stream *stream, struct curve *c, struct segment s)
{
    double h = draw_least(s.t1 - s.t0, DBL_MAX);
    c->time[0] = s.t0;
    for (size_t i = 1; i < c->count; i++) {
        double before = c->time[i - 1], step = h * (double)(1 + draw_below(stream, 3));
        double next = before + draw_least(step, DBL_MAX / 2 - before / 2); /* not all at the end */
        c->time[i] = i == 1 ? s.t1 : draw_most(next, nextafter(before, INFINITY));
    }
}

/* Every second segment has the data that are given, those between are ordinary for it. */
static void draw_like(struct stream *stream, struct curve *c,
                      struct segment (*draw)(struct stream *stream))
{
    struct segment s = draw(stream);
    extend(stream, c, s);
    for (size_t i = 0; i < c->count; i++) {
        c->value[i] = i % 2 ? s.v1 : s.v0;
        c->in_tangent[i] = i % 2 ? s.m1 : s.m0;
        c->out_tangent[i] = i % 2 ? s.m1 : s.m0;
        if (draw_below(stream, 4) == 0) {
            c->value[i] = draw_sign(stream, c->value[i]);
            c->out_tangent[i] = draw_sign(stream, c->out_tangent[i]);
        }
    }
    draw_weights(stream, c, draw_below(stream, 2) ? any_weight : everyday_weight);
    draw_wraps(stream, c);
}

/* Makes a jump of some keys that follow each other, never of three. */
static void draw_jumps(struct stream *stream, struct curve *c)
{
    for (size_t i = 1; i < c->count; i++) {
        bool free = i < 2 || c->time[i - 1] != c->time[i - 2];
        if (free && draw_below(stream, 2)) {
            c->time[i] = c->time[i - 1];
        }
    }
}

static void sort_times(struct curve *c)
{
    for (size_t i = 1; i < c->count; i++) {
        for (size_t k = i; k > 0 && c->time[k] < c->time[k - 1]; k--) {
            double time = c->time[k];
            c->time[k] = c->time[k - 1];
            c->time[k - 1] = time;
        }
    }
}

/* Times */

static double first_of(const struct curve *c)
{
    return c->time[0];
}

static double last_of(const struct curve *c)
{
    return c->time[c->count - 1];
}

static double draw_within(struct stream *stream, const struct curve *c)
{
    return draw_uniform(stream, first_of(c), last_of(c));
}

static size_t draw_key(struct stream *stream, const struct curve *c)
{
    return draw_below(stream, c->count);
}

/* Up to 2^60 periods away, most of the time few. */
static double draw_periods(struct stream *stream)
{
    switch (draw_below(stream, 4)) {
    case 0:
        return draw_sign(stream, floor(draw_log(stream, 0, 61)));
    case 1:
        return draw_sign(stream, (double)(1 + draw_below(stream, 1000)));
    default:
        return draw_sign(stream, (double)(1 + draw_below(stream, 4)));
    }
}

/* Where x is met again after so many times P, but for roundings: in ping pong, an odd number of
 * them is on the way back. */
static double wrapped_to(const struct curve *c, double x, double periods)
{
    double duration = last_of(c) - first_of(c);
    double wrap = periods < 0 ? *c->before : *c->after;
    bool back = wrap == PING_PONG && fmod(periods, 2) != 0;
    double place = back ? first_of(c) + (last_of(c) - x) : x;
    return segment_saturate(place + periods * duration);
}

/* Next to a place, or away from it by a power of two of P. */
static double near_place(struct stream *stream, const struct curve *c, double x)
{
    double duration = draw_least(last_of(c) - first_of(c), DBL_MAX);
    switch (draw_below(stream, 4)) {
    case 0:
        return x;
    case 1:
        return draw_step(stream, x, 1);
    case 2:
        return draw_step(stream, x, 8);
    default:
        return segment_saturate(x + duration * draw_sign(stream, draw_log(stream, -60, -3)));
    }
}

/* Anywhere, in the middle or a few periods off. */
static double anywhere(struct stream *stream, const struct curve *c)
{
    size_t segment = c->count > 1 ? draw_below(stream, c->count - 1) : 0;
    size_t next = c->count > 1 ? segment + 1 : segment;
    double x = draw_inside(stream, c->time[segment], c->time[next]);
    return draw_below(stream, 2) ? x : wrapped_to(c, x, draw_periods(stream));
}

/* The recipe of a domain: how long the lists are, what is in them, and when. */
struct recipe {
    struct shape (*shape)(struct stream *stream);
    void (*fill)(struct stream *stream, struct curve *c);
    double (*time)(struct stream *stream, const struct curve *c);
};

static double typical_time(struct stream *stream, const struct curve *c)
{
    double x = draw_within(stream, c);
    if (draw_below(stream, 4)) {
        return x;
    }
    double periods = draw_sign(stream, (double)(1 + draw_below(stream, 3)));
    return wrapped_to(c, x, periods);
}

static void fill_any_finite(struct stream *stream, struct curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        c->time[i] = draw_finite(stream);
        c->value[i] = draw_finite(stream);
        c->in_tangent[i] = draw_finite(stream);
        c->out_tangent[i] = draw_finite(stream);
    }
    if (draw_below(stream, 16)) {
        sort_times(c);
    }
    draw_weights(stream, c, draw_below(stream, 2) ? draw_finite : any_weight);
    draw_wraps(stream, c);
}

static double any_finite_time(struct stream *stream, const struct curve *c)
{
    size_t key = draw_key(stream, c);
    double low = draw_least(first_of(c), c->time[key]), high = draw_most(first_of(c), c->time[key]);
    return draw_below(stream, 4) ? draw_inside(stream, low, high) : draw_finite(stream);
}

/* Half of the cases spoil an ordinary curve by a number or three, the others draw all. */
static void fill_any(struct stream *stream, struct curve *c)
{
    double *const all[] = {c->time,        c->value,     c->in_tangent,
                           c->out_tangent, c->in_weight, c->out_weight};
    draw_everyday(stream, c);
    bool whole = draw_below(stream, 2);
    for (size_t i = 0; i < (whole ? 6 * c->count : 3); i++) {
        size_t list = whole ? i % 6 : draw_below(stream, 6);
        size_t key = whole ? i / 6 : draw_key(stream, c);
        double number = draw_any(stream);
        if (all[list]) {
            all[list][key] = number;
        }
    }
    if (draw_below(stream, 8)) {
        sort_times(c);
    }
}

static double any_time(struct stream *stream, const struct curve *c)
{
    double x = c->time[draw_key(stream, c)];
    switch (draw_below(stream, 4)) {
    case 0:
        return draw_any(stream);
    case 1:
        return draw_step(stream, x, 1);
    default:
        return draw_uniform(stream, 0, 90);
    }
}

static double near_key_time(struct stream *stream, const struct curve *c)
{
    return near_place(stream, c, c->time[draw_key(stream, c)]);
}

static void fill_jumps(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    if (draw_below(stream, 2)) {
        draw_grid(stream, c);
    }
    draw_jumps(stream, c);
}

static double jump_time(struct stream *stream, const struct curve *c)
{
    double x = near_key_time(stream, c);
    if (draw_below(stream, 2)) {
        return x;
    }
    double t = wrapped_to(c, x, draw_periods(stream));
    return draw_below(stream, 2) ? t : draw_step(stream, t, 2);
}

static void fill_cycle(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    if (draw_below(stream, 2)) {
        draw_grid(stream, c);
        draw_data(stream, c, 100);
    }
    if (draw_below(stream, 4) == 0) {
        draw_jumps(stream, c);
    }
    draw_cycles(stream, c);
}

static double seam_time(struct stream *stream, const struct curve *c)
{
    double end = draw_below(stream, 2) ? first_of(c) : last_of(c);
    return near_place(stream, c, wrapped_to(c, end, draw_periods(stream)));
}

static double wrapped_key_time(struct stream *stream, const struct curve *c)
{
    double key = c->time[draw_key(stream, c)];
    return near_place(stream, c, wrapped_to(c, key, draw_periods(stream)));
}

/* Wherever the rest is, from t there is nothing left to see by. */
static double far_time(struct stream *stream, const struct curve *c)
{
    (void)c;
    if (draw_below(stream, 8) == 0) {
        return draw_sign(stream, draw_below(stream, 2) ? 1e300 : DBL_MAX);
    }
    return draw_sign(stream, draw_log(stream, 20, 1024));
}

static void fill_far(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    switch (draw_below(stream, 4)) {
    case 0:
        draw_like(stream, c, segment_mixed_exponents);
        break;
    case 1:
        draw_like(stream, c, segment_tiny);
        break;
    }
    draw_cycles(stream, c);
}

static void fill_mixed_exponents(struct stream *stream, struct curve *c)
{
    draw_like(stream, c, segment_mixed_exponents);
}

/* P beyond the range, too. */
static void fill_huge(struct stream *stream, struct curve *c)
{
    draw_like(stream, c, segment_huge);
    if (draw_below(stream, 4) == 0) {
        c->time[0] = -DBL_MAX;
        c->time[c->count - 1] = DBL_MAX;
    }
}

static double huge_time(struct stream *stream, const struct curve *c)
{
    switch (draw_below(stream, 4)) {
    case 0:
        return draw_sign(stream, draw_log(stream, 1000, 1024));
    case 1:
        return near_key_time(stream, c);
    default:
        return anywhere(stream, c);
    }
}

static void fill_subnormal(struct stream *stream, struct curve *c)
{
    draw_like(stream, c, segment_subnormal);
    if (draw_below(stream, 2)) {
        for (size_t i = 0; i < c->count; i++) {
            c->time[i] = draw_between(stream, -0x1p-1060, 0x1p-1060);
        }
        sort_times(c);
        for (size_t i = 2; i < c->count; i++) { /* never three at one time */
            c->time[i] = draw_most(c->time[i], nextafter(c->time[i - 2], 1));
        }
    }
}

static struct shape few_shape(struct stream *stream)
{
    size_t count = 1 + draw_below(stream, 3);
    return (struct shape){count, draw_below(stream, 2)};
}

static void fill_few(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    if (c->count > 1 && draw_below(stream, 4) == 0) {
        c->time[1] = c->time[0]; /* of two keys, all of the curve is a jump */
    }
}

static struct shape many_shape(struct stream *stream)
{
    bool most = draw_below(stream, 128) == 0;
    size_t count = most ? 10000 : 64 + draw_below(stream, 937);
    return (struct shape){count, draw_below(stream, 2)};
}

static double many_time(struct stream *stream, const struct curve *c)
{
    return draw_below(stream, 2) ? near_key_time(stream, c) : anywhere(stream, c);
}

/* Frames of a clock that counts since long ago: a window of u |t| covers much of a segment. */
static void fill_large_offset(struct stream *stream, struct curve *c)
{
    struct segment s = segment_large_offset(stream);
    extend(stream, c, s);
    draw_data(stream, c, 100);
    draw_weights(stream, c, draw_below(stream, 2) ? any_weight : everyday_weight);
    draw_cycles(stream, c);
}

/* Times that are few doubles, or a fraction of one, off the keys once they are wrapped. */
static double large_offset_time(struct stream *stream, const struct curve *c)
{
    double x = draw_between(stream, first_of(c), last_of(c));
    switch (draw_below(stream, 4)) {
    case 0:
        return x;
    case 1:
        return draw_sign(stream, draw_log(stream, 0, 60));
    case 2:
        return draw_uniform(stream, -100, 100);
    default:
        return wrapped_to(c, x, draw_periods(stream));
    }
}

static struct shape weighted_shape(struct stream *stream)
{
    return (struct shape){2 + draw_below(stream, 7), true};
}

static void fill_hard_weights(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    draw_weights(stream, c, any_weight);
    if (draw_below(stream, 2)) {
        for (size_t i = 0; i < c->count; i++) { /* time stands still, or nearly, half way */
            double out = draw_below(stream, 2) ? 1 : 1 - draw_log(stream, -53, -1);
            double in = draw_below(stream, 2) ? 1 : 1 - draw_log(stream, -53, -1);
            c->mode[i] = BOTH;
            c->out_weight[i] = out;
            c->in_weight[i] = in;
        }
    }
}

/* Half way between keys, or anywhere; a few periods off, too. */
static double half_way_time(struct stream *stream, const struct curve *c)
{
    size_t segment = draw_below(stream, c->count - 1);
    double t0 = c->time[segment], t1 = c->time[segment + 1];
    double x = t0 + (t1 - t0) / 2;
    double distance = draw_sign(stream, draw_log(stream, -60, -4)) * (t1 - t0);
    x = draw_below(stream, 4) ? x + distance : x;
    if (draw_below(stream, 2)) {
        return draw_below(stream, 2) ? x : anywhere(stream, c);
    }
    return wrapped_to(c, x, draw_periods(stream));
}

/* No weights: at the place that is drawn last, the first segment's terms cancel. */
static struct shape plain_shape(struct stream *stream)
{
    return (struct shape){2 + draw_below(stream, 4), false};
}

static void fill_cancelling(struct stream *stream, struct curve *c)
{
    draw_grid(stream, c);
    draw_data(stream, c, 100);
    draw_cycles(stream, c);
    struct segment s = get_segment(c, 0);
    double share = (double)(1 + draw_below(stream, 63)) / 64;
    segment_cancel(stream, &s, share, 1, 1);
    put_segment(c, 0, s);
    /* for the time to find it: slopes outside the curve are never read */
    c->in_tangent[0] = share;
}

static double cancelling_time(struct stream *stream, const struct curve *c)
{
    double x = c->time[0] + (c->time[1] - c->time[0]) * c->in_tangent[0];
    double step = draw_below(stream, 2) ? draw_step(stream, x, 2) : x;
    return draw_below(stream, 2) ? step : wrapped_to(c, step, draw_periods(stream));
}

/* Terms beyond the range, whatever the weights. */
static void fill_beyond(struct stream *stream, struct curve *c)
{
    draw_like(stream, c, segment_beyond);
}

static double out_width(const struct curve *c, size_t i)
{
    bool weighted = c->mode && (c->mode[i] == OUT || c->mode[i] == BOTH);
    return segment_width(weighted, weighted ? c->out_weight[i] : 0);
}

static double in_width(const struct curve *c, size_t i)
{
    bool weighted = c->mode && (c->mode[i] == IN || c->mode[i] == BOTH);
    return segment_width(weighted, weighted ? c->in_weight[i] : 0);
}

static void fill_cancelling_beyond(struct stream *stream, struct curve *c)
{
    fill_beyond(stream, c);
    struct segment s = get_segment(c, 0);
    double share = draw_uniform(stream, 0, 1);
    segment_cancel_beyond(stream, &s, share, out_width(c, 0), in_width(c, 1));
    put_segment(c, 0, s);
    c->in_tangent[0] = share; /* as above */
}

static double cancelling_beyond_time(struct stream *stream, const struct curve *c)
{
    double share = segment_share(c->in_tangent[0], out_width(c, 0), in_width(c, 1));
    double x = segment_time(c->time[0], c->time[1], share);
    return draw_below(stream, 2) ? x : wrapped_to(c, x, draw_periods(stream));
}

static void fill_steep(struct stream *stream, struct curve *c)
{
    draw_like(stream, c, segment_steep);
}

/* Constants, and lines from the first key to the last. */
static void fill_straight(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    bool constant = draw_below(stream, 2);
    double value = draw_uniform(stream, -100, 100);
    double slope = constant ? 0 : (double)draw_below(stream, 64) - 32;
    if (!constant) {
        draw_grid(stream, c);
    }
    for (size_t i = 0; i < c->count; i++) {
        c->value[i] = constant ? value : slope * c->time[i];
        c->in_tangent[i] = c->out_tangent[i] = slope;
    }
}

/* Curves that cannot be built */

static struct shape unbuildable_shape(struct stream *stream)
{
    size_t count = draw_below(stream, 8) ? 2 + draw_below(stream, 10) : 0;
    return (struct shape){count, draw_below(stream, 2)};
}

/* A fall, and three keys at one time, the first of which counts. */
static void fill_unbuildable(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    for (int faults = 1 + (int)draw_below(stream, 2); faults > 0 && c->count > 1; faults--) {
        size_t key = 1 + draw_below(stream, c->count - 1);
        if (draw_below(stream, 2) || c->count < 3) {
            double before = c->time[key - 1];
            c->time[key] = draw_below(stream, 2) ? nextafter(before, -INFINITY) : before - 1;
        } else {
            key = key > 1 ? key : 2;
            c->time[key] = c->time[key - 1] = c->time[key - 2];
        }
    }
}

static double unbuildable_time(struct stream *stream, const struct curve *c)
{
    return c->count > 0 ? draw_uniform(stream, 0, 90) : draw_sign(stream, 1);
}

/* What is special */

/* Every number of keys up to 6 and pair of wraps, without a fault or with each kind of one. */
enum {
    BOUNDARY_KEYS = 7,
    BOUNDARY_FAULTS = 8,
    BOUNDARIES = BOUNDARY_KEYS * BOUNDARY_FAULTS * WRAPS * WRAPS
};

static struct shape boundary_shape(struct stream *stream)
{
    uint64_t combination = draw_combination(stream, BOUNDARIES);
    size_t count = draw_digit(&combination, BOUNDARY_KEYS);
    return (struct shape){count, draw_below(stream, 2)};
}

static void fill_boundary(struct stream *stream, struct curve *c)
{
    draw_everyday(stream, c);
    if (draw_below(stream, 2)) {
        draw_grid(stream, c);
    }
    uint64_t combination = draw_combination(stream, BOUNDARIES);
    draw_digit(&combination, BOUNDARY_KEYS);
    size_t fault = draw_digit(&combination, BOUNDARY_FAULTS);
    *c->before = (double)draw_digit(&combination, WRAPS);
    *c->after = (double)draw_digit(&combination, WRAPS);
    if (c->count == 0) {
        return;
    }
    size_t key = draw_key(stream, c), other = draw_key(stream, c);
    double infinity = draw_sign(stream, INFINITY);
    switch (fault) {
    case 0:
        c->time[key] = NAN;
        c->time[other] = infinity;
        break;
    case 1:
        c->time[key] = infinity;
        break;
    case 2:
        c->time[key] = c->time[other] - 1;
        break;
    case 3: /* three and more of one time */
        for (size_t i = 0; i < c->count; i++) {
            c->time[i] = i < key ? c->time[i] : c->time[key];
        }
        break;
    case 4:
        draw_jumps(stream, c);
        break;
    case 5: /* zeros of both signs are one time */
        for (size_t i = 0; i < c->count; i++) {
            c->time[i] -= c->time[key];
        }
        c->time[key] = -0.0;
        if (key > 0) {
            c->time[key - 1] = 0.0;
        }
        break;
    }
}

/* At and next to all that matters, and no number. */
static double boundary_time(struct stream *stream, const struct curve *c)
{
    enum { PLACES = 12 };
    double inside = draw_uniform(stream, 0, 90);
    if (c->count == 0) {
        return inside;
    }
    double key = c->time[draw_key(stream, c)];
    double first = first_of(c), last = last_of(c);
    double periods = draw_periods(stream);
    double seam = wrapped_to(c, draw_below(stream, 2) ? first : key, periods);
    double sign = draw_sign(stream, 1);
    const double places[PLACES] = {inside,
                                   key,
                                   nextafter(key, INFINITY),
                                   nextafter(key, -INFINITY),
                                   nextafter(first, -INFINITY),
                                   nextafter(last, INFINITY),
                                   sign * INFINITY,
                                   NAN,
                                   sign * DBL_MAX,
                                   seam,
                                   sign * 0,
                                   last + (last - first)};
    return places[draw_below(stream, PLACES)];
}

static struct shape special_shape(struct stream *stream)
{
    return (struct shape){3, draw_below(stream, 4) > 0};
}

/* Every combination of ordinary and special data of the first segment. */
enum { SPECIAL_KINDS = 5 };
static void fill_special(struct stream *stream, struct curve *c)
{
    draw_grid(stream, c);
    if (draw_below(stream, 2)) { /* so close that the window around a time reaches them */
        double start = draw_sign(stream, draw_log(stream, 20, 40));
        c->time[0] = start;
        c->time[1] = nextafter(start, INFINITY);
        c->time[2] = draw_below(stream, 2) ? nextafter(c->time[1], INFINITY) : start + 1;
    }
    if (draw_below(stream, 4)) {
        draw_cycles(stream, c);
    } else {
        draw_wraps(stream, c);
    }
    draw_weights(stream, c, everyday_weight);
    uint64_t combination = draw_combination(stream, (uint64_t)SPECIAL_KINDS * SPECIAL_KINDS *
                                                        SPECIAL_KINDS * SPECIAL_KINDS);
    double *const data[] = {&c->value[0],      &c->out_tangent[0], &c->value[1],
                            &c->in_tangent[1], &c->out_tangent[1], &c->value[2],
                            &c->in_tangent[2]};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        size_t other = draw_below(stream, 4) ? 0 : draw_below(stream, SPECIAL_KINDS);
        double sign = draw_sign(stream, 1);
        const double kinds[SPECIAL_KINDS] = {draw_log(stream, -4, 4), 0, INFINITY, NAN, DBL_MAX};
        *data[i] = sign * kinds[i < 4 ? draw_digit(&combination, SPECIAL_KINDS) : other];
    }
    for (size_t i = 0; i < c->count && c->mode; i++) {
        if (draw_below(stream, 4) == 0) {
            c->in_weight[i] = draw_below(stream, 2) ? (double)NAN : -INFINITY;
            c->out_weight[i] = draw_below(stream, 2) ? (double)NAN : INFINITY;
        }
    }
}

static double special_time(struct stream *stream, const struct curve *c)
{
    double x = draw_inside(stream, c->time[0], c->time[1]);
    switch (draw_below(stream, 8)) {
    case 0:
        return near_key_time(stream, c);
    case 1:
        return wrapped_key_time(stream, c);
    case 2:
    case 3: /* once wrapped, it may be where no double is */
        return draw_uniform(stream, -1000, 1000);
    case 4:
        return anywhere(stream, c);
    case 5:
        return wrapped_to(c, x, draw_periods(stream));
    default:
        return x;
    }
}

enum kind {
    TYPICAL,
    ANY_FINITE,
    ANY,
    NEAR_KEYS,
    JUMPS,
    SEAMS,
    WRAPPED_KEYS,
    FAR,
    MIXED_EXPONENTS,
    HUGE_RANGE,
    SUBNORMAL,
    FEW_KEYS,
    MANY_KEYS,
    LARGE_OFFSET,
    HARD_WEIGHTS,
    CANCELLING,
    CANCELLING_BEYOND,
    STEEP,
    STRAIGHT,
    UNBUILDABLE,
    BOUNDARY,
    SPECIAL_DATA,
    KINDS
};

static const struct recipe recipes[KINDS] = {
    [TYPICAL] = {everyday_shape, draw_everyday, typical_time},
    [ANY_FINITE] = {small_shape, fill_any_finite, any_finite_time},
    [ANY] = {small_shape, fill_any, any_time},
    [NEAR_KEYS] = {everyday_shape, draw_everyday, near_key_time},
    [JUMPS] = {small_shape, fill_jumps, jump_time},
    [SEAMS] = {small_shape, fill_cycle, seam_time},
    [WRAPPED_KEYS] = {small_shape, fill_cycle, wrapped_key_time},
    [FAR] = {small_shape, fill_far, far_time},
    [MIXED_EXPONENTS] = {small_shape, fill_mixed_exponents, anywhere},
    [HUGE_RANGE] = {small_shape, fill_huge, huge_time},
    [SUBNORMAL] = {small_shape, fill_subnormal, anywhere},
    [FEW_KEYS] = {few_shape, fill_few, jump_time},
    [MANY_KEYS] = {many_shape, draw_everyday, many_time},
    [LARGE_OFFSET] = {small_shape, fill_large_offset, large_offset_time},
    [HARD_WEIGHTS] = {weighted_shape, fill_hard_weights, half_way_time},
    [CANCELLING] = {plain_shape, fill_cancelling, cancelling_time},
    [CANCELLING_BEYOND] = {small_shape, fill_cancelling_beyond, cancelling_beyond_time},
    [STEEP] = {small_shape, fill_steep, anywhere},
    [STRAIGHT] = {small_shape, fill_straight, anywhere},
    [UNBUILDABLE] = {unbuildable_shape, fill_unbuildable, unbuildable_time},
    [BOUNDARY] = {boundary_shape, fill_boundary, boundary_time},
    [SPECIAL_DATA] = {special_shape, fill_special, special_time},
};

static void draw_curve(struct stream *stream, struct values *inputs, enum kind kind)
{
    const struct recipe *recipe = &recipes[kind];
    values_clear(inputs);
    append_curve(inputs, recipe->shape(stream));
    double *t = values_append(inputs, 1);
    struct curve c = curve_at(inputs, 0);
    recipe->fill(stream, &c);
    *t = recipe->time(stream, &c);
}

/* Two curves */

static void copy_list(double *to, const double *from, size_t count)
{
    if (to && from) {
        memcpy(to, from, count * sizeof *to);
    }
}

/* The inputs of a crossfade, where they are stored. */
struct pair {
    struct curve a, b;
    double *t, *w;
};

static struct pair put_pair(struct values *inputs, struct shape shape_a, struct shape shape_b)
{
    values_clear(inputs);
    append_curve(inputs, shape_a);
    append_curve(inputs, shape_b);
    values_append(inputs, 1);
    double *w = values_append(inputs, 1);
    return (struct pair){curve_at(inputs, 0), curve_at(inputs, CURVE_FIELDS), w - 1, w};
}

/* In half of the cases, both have their keys at the same times. */
static void draw_pair(struct stream *stream, struct values *inputs, const struct recipe *a,
                      const struct recipe *b, double (*weight)(struct stream *stream))
{
    struct shape shape_a = a->shape(stream);
    struct shape shape_b = b->shape(stream);
    bool aligned = draw_below(stream, 2) && shape_a.count > 0;
    shape_b.count = aligned ? shape_a.count : shape_b.count;
    struct pair pair = put_pair(inputs, shape_a, shape_b);
    a->fill(stream, &pair.a);
    b->fill(stream, &pair.b);
    if (aligned) {
        copy_list(pair.b.time, pair.a.time, pair.a.count);
    }
    *pair.t = draw_below(stream, 2) ? a->time(stream, &pair.a) : b->time(stream, &pair.b);
    *pair.w = weight(stream);
}

static double share(struct stream *stream)
{
    return draw_uniform(stream, 0, 1);
}

/* Neighbours of 0 and 1 and powers of two off them; and these themselves. */
static double end_share(struct stream *stream)
{
    double edge = segment_edge_weight(stream);
    return draw_below(stream, 8) ? edge : draw_sign(stream, edge);
}

static double outside_share(struct stream *stream)
{
    return segment_outside_weight(stream);
}

static double mostly_inside(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
        return end_share(stream);
    case 1:
        return outside_share(stream);
    default:
        return share(stream);
    }
}

static double any_share(struct stream *stream)
{
    return draw_below(stream, 2) ? draw_any(stream) : mostly_inside(stream);
}

/* NaN and infinities among the places that matter. */
static double boundary_share(struct stream *stream)
{
    static const double places[] = {0, -0.0, 1, INFINITY, -INFINITY, NAN, 0x1p-1074, 0.5};
    size_t place = draw_below(stream, 2 * sizeof places / sizeof *places);
    return place < sizeof places / sizeof *places ? places[place] : mostly_inside(stream);
}

/* The same keys, but for values and slopes that are so many times as large. */
static void put_multiple(struct curve *to, const struct curve *from, double factor)
{
    copy_list(to->time, from->time, from->count);
    copy_list(to->mode, from->mode, from->count);
    copy_list(to->in_weight, from->in_weight, from->count);
    copy_list(to->out_weight, from->out_weight, from->count);
    *to->before = *from->before;
    *to->after = *from->after;
    for (size_t i = 0; i < from->count; i++) {
        to->value[i] = segment_saturate(factor * from->value[i]);
        to->in_tangent[i] = segment_saturate(factor * from->in_tangent[i]);
        to->out_tangent[i] = segment_saturate(factor * from->out_tangent[i]);
    }
}

/* In half of the cases. */
static double perhaps_off(struct stream *stream, double factor)
{
    bool off = draw_below(stream, 2);
    return off ? factor + factor * draw_sign(stream, draw_log(stream, -52, -2)) : factor;
}

/* B is A times -(1 - w)/w, but for a rounding or a power of two. */
static void cancel(struct stream *stream, struct values *inputs)
{
    struct shape shape = small_shape(stream);
    struct pair pair = put_pair(inputs, shape, shape);
    fill_cycle(stream, &pair.a);
    double w = draw_below(stream, 4) ? draw_uniform(stream, 0, 1)
                                     : (double)(1 + draw_below(stream, 3)) / 4;
    put_multiple(&pair.b, &pair.a, perhaps_off(stream, -(1 - w) / w));
    *pair.w = w;
    *pair.t = anywhere(stream, &pair.a);
}

static const struct recipe beyond = {small_shape, fill_beyond, anywhere};

/* The weight of whichever curve is the greater one: 1/2 or less, down to 2^-53. */
static double greater_share(struct stream *stream)
{
    return draw_below(stream, 2) ? draw_uniform(stream, 0, 0.5) : draw_log(stream, -53, -1);
}

/* The lesser of two curves is the greater one times -(1 - w)/w or -w/(1 - w), but for a rounding or
 * a power of two, and for the difference between weights of 1/3 and none. */
static void cancel_beyond(struct stream *stream, struct values *inputs)
{
    const struct recipe *recipe = draw_below(stream, 2) ? &beyond : &recipes[CANCELLING_BEYOND];
    struct shape shape_a = recipe->shape(stream), shape_b = shape_a;
    bool thirds = draw_below(stream, 2);
    shape_b.weighted = thirds ? draw_below(stream, 2) : shape_a.weighted;
    struct pair pair = put_pair(inputs, shape_a, shape_b);
    bool is_a = draw_below(stream, 2);
    struct curve *greater = is_a ? &pair.a : &pair.b, *lesser = is_a ? &pair.b : &pair.a;
    recipe->fill(stream, greater);
    double share = greater_share(stream);
    double w = is_a ? 1 - share : share;
    put_multiple(lesser, greater, perhaps_off(stream, is_a ? (w - 1) / w : w / (w - 1)));
    if (thirds) {
        draw_weights(stream, &pair.a, segment_third_weight);
        draw_weights(stream, &pair.b, segment_third_weight);
    }
    *pair.w = w;
    *pair.t = recipe->time(stream, greater);
}

/* Between its keys a curve leaves the range, which a blend with another one may be in again. */
static void fill_overshoot(struct stream *stream, struct curve *c)
{
    draw_grid(stream, c);
    double sign = draw_sign(stream, 1);
    for (size_t i = 0; i < c->count; i++) {
        c->time[i] *= 64;
        c->value[i] = sign * draw_log(stream, 1022, 1024);
        c->in_tangent[i] = -sign * draw_log(stream, 1020, 1024);
        c->out_tangent[i] = sign * draw_log(stream, 1020, 1024);
    }
    draw_weights(stream, c, everyday_weight);
    draw_cycles(stream, c);
}

static const struct recipe overshoot = {small_shape, fill_overshoot, anywhere};

#define CURVE(name, kind)                                                                          \
    static void curve_##name(struct stream *stream, struct values *inputs)                         \
    {                                                                                              \
        draw_curve(stream, inputs, kind);                                                          \
    }
CURVE(typical, TYPICAL)
CURVE(any_finite, ANY_FINITE)
CURVE(any, ANY)
CURVE(near_keys, NEAR_KEYS)
CURVE(jumps, JUMPS)
CURVE(seams, SEAMS)
CURVE(wrapped_keys, WRAPPED_KEYS)
CURVE(far, FAR)
CURVE(mixed_exponents, MIXED_EXPONENTS)
CURVE(huge, HUGE_RANGE)
CURVE(subnormal, SUBNORMAL)
CURVE(few_keys, FEW_KEYS)
CURVE(many_keys, MANY_KEYS)
CURVE(large_offset, LARGE_OFFSET)
CURVE(hard_weights, HARD_WEIGHTS)
CURVE(cancelling, CANCELLING)
CURVE(cancelling_beyond, CANCELLING_BEYOND)
CURVE(steep, STEEP)
CURVE(straight, STRAIGHT)
CURVE(unbuildable, UNBUILDABLE)
CURVE(boundary, BOUNDARY)
CURVE(special_data, SPECIAL_DATA)
#undef CURVE

#define CROSSFADE(name, a, b, weight)                                                              \
    static void crossfade_##name(struct stream *stream, struct values *inputs)                     \
    {                                                                                              \
        draw_pair(stream, inputs, a, b, weight);                                                   \
    }
CROSSFADE(typical, &recipes[TYPICAL], &recipes[TYPICAL], share)
CROSSFADE(any_finite, &recipes[ANY_FINITE], &recipes[ANY_FINITE], mostly_inside)
CROSSFADE(any, &recipes[ANY], &recipes[ANY], any_share)
CROSSFADE(near_ends, &recipes[TYPICAL], &recipes[HARD_WEIGHTS], end_share)
CROSSFADE(outside, &recipes[JUMPS], &recipes[TYPICAL], outside_share)
CROSSFADE(jumps, &recipes[JUMPS], &recipes[JUMPS], mostly_inside)
CROSSFADE(seams, &recipes[SEAMS], &recipes[WRAPPED_KEYS], mostly_inside)
CROSSFADE(far, &recipes[FAR], &recipes[FAR], mostly_inside)
CROSSFADE(mixed_exponents, &recipes[MIXED_EXPONENTS], &recipes[MIXED_EXPONENTS], mostly_inside)
CROSSFADE(huge, &recipes[HUGE_RANGE], &recipes[HUGE_RANGE], mostly_inside)
CROSSFADE(overshoot, &overshoot, &overshoot, share)
CROSSFADE(subnormal, &recipes[SUBNORMAL], &recipes[SUBNORMAL], mostly_inside)
CROSSFADE(few_keys, &recipes[FEW_KEYS], &recipes[FEW_KEYS], mostly_inside)
CROSSFADE(many_keys, &recipes[MANY_KEYS], &recipes[TYPICAL], share)
CROSSFADE(large_offset, &recipes[LARGE_OFFSET], &recipes[LARGE_OFFSET], share)
CROSSFADE(hard_weights, &recipes[HARD_WEIGHTS], &recipes[HARD_WEIGHTS], mostly_inside)
CROSSFADE(steep, &recipes[STEEP], &recipes[STEEP], mostly_inside)
CROSSFADE(straight, &recipes[STRAIGHT], &recipes[STRAIGHT], mostly_inside)
CROSSFADE(unbuildable, &recipes[UNBUILDABLE], &recipes[FEW_KEYS], mostly_inside)
CROSSFADE(boundary, &recipes[BOUNDARY], &recipes[BOUNDARY], boundary_share)
CROSSFADE(special_data, &recipes[SPECIAL_DATA], &recipes[SPECIAL_DATA], boundary_share)
#undef CROSSFADE

static const struct domain curve_list[] = {
    {"typical", "8 to 16 keys on frames, half with weights, t mostly among them", curve_typical},
    {"any_finite", "any finite bit patterns, times in order", curve_any_finite},
    {"any", "any bit patterns, or ordinary keys with some spoilt", curve_any},
    {"near_keys", "t at a key, few doubles off it or a power of two", curve_near_keys},
    {"jumps", "two keys at one time, also where t is wrapped", curve_jumps},
    {"seams", "t where a loop starts again or ping pong turns, up to 2^60 periods off",
     curve_seams},
    {"wrapped_keys", "t at or next to a key once it is wrapped", curve_wrapped_keys},
    {"far", "times to 1e300 and beyond, wrapped", curve_far},
    {"mixed_exponents", "durations and data of all exponents", curve_mixed_exponents},
    {"huge", "times, P, values or terms at the end of the range or beyond", curve_huge},
    {"subnormal", "times, values, slopes or terms below 2^-1022", curve_subnormal},
    {"few_keys", "one to three keys, all of the curve a jump", curve_few_keys},
    {"many_keys", "64 to 1000 keys, or 10,000", curve_many_keys},
    {"large_offset", "keys few doubles apart, times wrapped to fractions of that",
     curve_large_offset},
    {"hard_weights", "weights near 0 and 1, t half way between keys", curve_hard_weights},
    {"cancelling", "the terms at t cancel", curve_cancelling},
    {"cancelling_beyond", "the terms at t are beyond the range and cancel",
     curve_cancelling_beyond},
    {"steep", "tangent terms up to 2^60 times the values, or the reverse", curve_steep},
    {"straight", "constants and straight lines over all keys", curve_straight},
    {"unbuildable", "no keys, falling times, three keys at one time", curve_unbuildable},
    {"boundary", "every wrap and number of keys with every fault, infinities and NaN",
     curve_boundary},
    {"special_data", "every combination of special values and slopes", curve_special_data},
};

static const struct domain crossfade_list[] = {
    {"typical", "two curves of everyday, w between 0 and 1", crossfade_typical},
    {"any_finite", "any finite bit patterns, times in order", crossfade_any_finite},
    {"any", "any bit patterns, or ordinary keys with some spoilt", crossfade_any},
    {"near_ends", "w at 0 and 1, next to them or powers of two off", crossfade_near_ends},
    {"outside", "w below 0 and above 1", crossfade_outside},
    {"jumps", "two keys at one time, also where t is wrapped", crossfade_jumps},
    {"seams", "t at a seam of one curve or a key of the other, wrapped", crossfade_seams},
    {"far", "times to 1e300 and beyond, wrapped", crossfade_far},
    {"mixed_exponents", "durations and data of all exponents", crossfade_mixed_exponents},
    {"huge", "times, P, values or terms at the end of the range or beyond", crossfade_huge},
    {"overshoot", "curves that leave the range between their keys", crossfade_overshoot},
    {"subnormal", "times, values, slopes or terms below 2^-1022", crossfade_subnormal},
    {"few_keys", "one to three keys each", crossfade_few_keys},
    {"many_keys", "64 to 1000 keys, or 10,000, against few", crossfade_many_keys},
    {"large_offset", "keys few doubles apart, times wrapped to fractions of that",
     crossfade_large_offset},
    {"hard_weights", "weights near 0 and 1, t half way between keys", crossfade_hard_weights},
    {"cancelling", "one curve is the other times -(1 - w)/w", cancel},
    {"cancelling_beyond", "values beyond the range that cancel in the blend, plain or weighted",
     cancel_beyond},
    {"steep", "tangent terms up to 2^60 times the values, or the reverse", crossfade_steep},
    {"straight", "constants and straight lines over all keys", crossfade_straight},
    {"unbuildable", "one curve or both cannot be built", crossfade_unbuildable},
    {"boundary", "every wrap and number of keys with every fault, infinities and NaN",
     crossfade_boundary},
    {"special_data", "every combination of special values and slopes", crossfade_special_data},
};

/* In periods from the first key; times that are so far off that P is none of their size. */
static double place(const struct values *inputs)
{
    size_t count = values_length(inputs, 0);
    if (count == 0) {
        return NAN;
    }
    const double *time = values_field(inputs, 0);
    return segment_position(time[0], time[count - 1], *values_field(inputs, CURVE_FIELDS));
}

static double share_of_b(const struct values *inputs)
{
    return *values_field(inputs, 2 * CURVE_FIELDS + 1);
}

enum {
    CURVE_COUNT = sizeof curve_list / sizeof *curve_list,
    CROSSFADE_COUNT = sizeof crossfade_list / sizeof *crossfade_list,
    CROSSFADE_HARDEST = 15
};

static_assert(CURVE_COUNT == (int)KINDS, "every kind is a domain");

const struct domains domains_curve = {
    curve_list, CURVE_COUNT, TYPICAL, HARD_WEIGHTS, {"(t - first) / P", -1, 2, place}};

const struct domains domains_crossfade = {
    crossfade_list, CROSSFADE_COUNT, 0, CROSSFADE_HARDEST, {"w", -0.25, 1.25, share_of_b}};
