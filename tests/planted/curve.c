#include "planted.h"

static double first_of(const tl_curve_table *curve)
{
    return curve->keys[0].time;
}

static double last_of(const tl_curve_table *curve)
{
    return curve->keys[curve->count - 1].time;
}

/* Beyond the keys, under that wrap? */
static bool wraps(const tl_curve_table *curve, double t, tl_wrap wrap)
{
    return isfinite(t) && first_of(curve) < last_of(curve) &&
           ((t < first_of(curve) && curve->before == wrap) ||
            (t > last_of(curve) && curve->after == wrap));
}

static double off_by_one_key(const tl_curve_table *curve, double t)
{
    if (!wraps(curve, t, TL_LOOP) || curve->count < 3) {
        return true_curve(curve, t);
    }
    double period = curve->keys[curve->count - 2].time - first_of(curve);
    return period > 0 ? true_curve(curve, first_of(curve) + fmod(fabs(t - first_of(curve)), period))
                      : true_curve(curve, t);
}

static double seam(const tl_curve_table *curve, double t)
{
    double first = first_of(curve), last = last_of(curve), period = last - first;
    if (wraps(curve, t, TL_LOOP) && fmod(t - first, period) == 0 && isfinite(period)) {
        return curve->keys[curve->count - 1].value;
    }
    return true_curve(curve, t);
}

static double first_key(const tl_curve_table *curve, double t)
{
    bool wrapped = curve->before == TL_LOOP && first_of(curve) < last_of(curve);
    return t == first_of(curve) && wrapped ? curve->keys[curve->count - 1].value
                                           : true_curve(curve, t);
}

static double last_key(const tl_curve_table *curve, double t)
{
    bool wrapped = curve->after == TL_LOOP && first_of(curve) < last_of(curve);
    return t == last_of(curve) && wrapped ? true_curve(curve, first_of(curve))
                                          : true_curve(curve, t);
}

/* Between all keys' values, as if no tangent could lead beyond them. */
static double holds_overshoot(const tl_curve_table *curve, double t)
{
    double value = true_curve(curve, t), low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < curve->count; i++) {
        low = fmin(low, curve->keys[i].value);
        high = fmax(high, curve->keys[i].value);
    }
    bool beyond = t < first_of(curve) || t > last_of(curve); /* slopes lead on there */
    return beyond || curve->count == 1 ? value : fmin(fmax(value, low), high);
}

static double left_of_jump(const tl_curve_table *curve, double t)
{
    for (size_t i = 0; i + 1 < curve->count; i++) {
        if (curve->keys[i].time == t && curve->keys[i + 1].time == t) {
            return curve->keys[i].value;
        }
    }
    return true_curve(curve, t);
}

static double negative_remainder(const tl_curve_table *curve, double t)
{
    double first = first_of(curve);
    if (t < first && wraps(curve, t, TL_LOOP)) {
        double m = fmod(t - first, last_of(curve) - first);
        return m < 0 ? curve->keys[0].value : true_curve(curve, t);
    }
    return true_curve(curve, t);
}

static double rounded_wrap(const tl_curve_table *curve, double t)
{
    double first = first_of(curve), period = last_of(curve) - first;
    if (!wraps(curve, t, TL_LOOP) || !isfinite(t - first) || !isfinite(period)) {
        return true_curve(curve, t);
    }
    double m = fmod(t - first, period);
    return true_curve(curve, first + (m < 0 ? m + period : m));
}

static double cached_segment(const tl_curve_table *curve, double t)
{
    static double first = NAN, last = NAN, value = NAN, time = NAN;
    if (!(curve->count > 2 && t == time && first_of(curve) == first && last_of(curve) == last)) {
        value = true_curve(curve, t);
    }
    first = first_of(curve);
    last = last_of(curve);
    time = t;
    return value;
}

static double runs_off(const tl_curve_table *curve, double t)
{
    size_t i = 0;
    if (isnan(t) && curve->count > 1) {
        while (!(curve->keys[i].time > t)) {
            i += 1 << 20;
        }
        return curve->keys[i].value;
    }
    return true_curve(curve, t);
}

static double slow_ping_pong(const tl_curve_table *curve, double t)
{
    volatile double back = t;
    double period = last_of(curve) - first_of(curve);
    if (wraps(curve, t, TL_PING_PONG) && t > 0 && t < 1e300 && isfinite(period)) {
        while (back > last_of(curve)) {
            back -= 2 * period; /* not a bit less, where t is large */
        }
    }
    return true_curve(curve, t);
}

/* A weight above 1 is one that it makes 1, for good. */
static double writes_keys(const tl_curve_table *curve, double t)
{
    for (size_t i = 0; i < curve->count; i++) {
        tl_key *key = (tl_key *)&curve->keys[i];
        key->out_weight = key->out_weight > 1 ? 1 : key->out_weight;
    }
    return true_curve(curve, t);
}

/* With one key there is nothing to wrap: it is taken for clamped from now on. */
static double writes_curve(const tl_curve_table *curve, double t)
{
    double result = true_curve(curve, t);
    if (curve->count == 1 && isfinite(t)) {
        ((tl_curve_table *)curve)->before = TL_CLAMP;
    }
    return result;
}

EXPORT double tl_curve(const tl_curve_table *curve, double t)
{
    return FAULT(curve, t);
}
