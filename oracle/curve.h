/* A curve as it is given, and what building it comes to: what the exact answers and the first
 * stage both start from. */
#ifndef TRUELERP_ORACLE_CURVE_H
#define TRUELERP_ORACLE_CURVE_H

#include "segment.h"

#include <math.h>
#include <stdbool.h>

/* How many fields a curve has among the inputs: its lists and its wraps. */
enum { CURVE_FIELDS = 9 };

/* The modes of keys, as bits: which sides have weights. */
enum curve_mode { CURVE_MODE_IN = 1, CURVE_MODE_OUT = 2 };

enum curve_wrap { CURVE_CLAMP, CURVE_LOOP, CURVE_PING_PONG };

struct curve {
    size_t count;
    const double *times, *values, *in_tangents, *out_tangents;
    const double *modes, *in_weights, *out_weights; /* NULL: none */
    double before, after;
};

/* The curve whose fields begin with `first`. */
struct curve curve_of(const struct values *inputs, size_t first);

/* What building it comes to. */
struct curve_build {
    int status; /* tl_status's */
    size_t at[2];
    size_t count; /* of indices */
};

struct curve_build curve_build(const struct curve *curve);

/* What the rules about t come to that need no arithmetic. */
struct curve_place {
    bool given; /* `value` is what the curve is there */
    double value;
    bool beyond, ping_pong; /* else: is t outside of the keys' times, and how does it wrap? */
};

static inline struct curve_place curve_place(const struct curve *curve, double t)
{
    size_t end = curve->count - 1;
    double first = curve->times[0], last = curve->times[end];
    double wrap = t < first ? curve->before : curve->after;
    bool beyond = t < first || t > last;
    if (isnan(t)) {
        return (struct curve_place){.given = true, .value = t};
    }
    if (beyond && wrap == CURVE_CLAMP) {
        return (struct curve_place){.given = true, .value = curve->values[t < first ? 0 : end]};
    }
    if (isinf(t)) {
        return (struct curve_place){.given = true, .value = (double)NAN};
    }
    if (beyond && first == last) {
        return (struct curve_place){.given = true, .value = curve->values[end]};
    }
    return (struct curve_place){.beyond = beyond, .ping_pong = wrap == CURVE_PING_PONG};
}

static inline bool curve_is_weighted(const struct curve *curve, size_t key, enum curve_mode mode)
{
    return curve->modes && ((int)curve->modes[key] & (int)mode) != 0;
}

/* From this key to the next, of which there is one; t is left at 0. Returns whether a side has a
 * weight. */
static inline bool curve_segment(const struct curve *curve, size_t key, struct segment_data *data)
{
    bool out = curve_is_weighted(curve, key, CURVE_MODE_OUT);
    bool in = curve_is_weighted(curve, key + 1, CURVE_MODE_IN);
    double w0 = out && curve->out_weights ? curve->out_weights[key] : (double)NAN;
    double w1 = in && curve->in_weights ? curve->in_weights[key + 1] : (double)NAN;
    *data = (struct segment_data){
        .t0 = curve->times[key],
        .v0 = curve->values[key],
        .m0 = curve->out_tangents[key],
        .t1 = curve->times[key + 1],
        .v1 = curve->values[key + 1],
        .m1 = curve->in_tangents[key + 1],
        .finite_weights = (!out || isfinite(w0)) && (!in || isfinite(w1)),
        .w0 = w0,
        .w1 = w1,
    };
    return out || in;
}

#endif
