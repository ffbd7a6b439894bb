#include "keyed.h"

#include "rational.h"

#include <math.h>

enum { FIELDS_OF_CURVE = 9, ROOT_BITS = 220 };

static const double *list(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) > 0 ? values_field(inputs, field) : NULL;
}

struct keyed keyed_of(const struct values *inputs, size_t first)
{
    return (struct keyed){values_length(inputs, first),
                          list(inputs, first),
                          list(inputs, first + 1),
                          list(inputs, first + 2),
                          list(inputs, first + 3),
                          list(inputs, first + 4),
                          list(inputs, first + 5),
                          list(inputs, first + 6),
                          (int)*values_field(inputs, first + 7),
                          (int)*values_field(inputs, first + 8)};
}

int keyed_build(const struct keyed *curve, size_t at[2], size_t *count)
{
    *count = 0;
    if (curve->count == 0) {
        return 1;
    }
    for (size_t i = 0; i < curve->count; i++) {
        at[0] = i;
        at[1] = i;
        if (!isfinite(curve->time[i])) {
            *count = 1;
            return 2;
        }
        *count = 2;
        if (i >= 1 && curve->time[i] < curve->time[i - 1]) {
            at[0] = i - 1;
            return 4;
        }
        if (i >= 2 && curve->time[i] == curve->time[i - 1] &&
            curve->time[i] == curve->time[i - 2]) {
            at[0] = i - 2;
            return 6;
        }
    }
    *count = 0;
    return 0;
}

static void wrap(mpq_t time, const struct keyed *curve, double t, bool back_and_forth)
{
    mpq_t first, last, duration, period;
    mpq_inits(first, last, duration, period, NULL);
    mpq_set_d(first, curve->time[0]);
    mpq_set_d(last, curve->time[curve->count - 1]);
    mpq_sub(duration, last, first);
    mpq_set(period, duration);
    if (back_and_forth) {
        mpq_add(period, period, duration);
    }
    mpq_set_d(time, t);
    mpq_sub(time, time, first);
    rational_modulo(time, time, period);
    if (back_and_forth && mpq_cmp(time, duration) > 0) {
        mpq_sub(time, time, duration);
        mpq_sub(time, last, time);
    } else {
        mpq_add(time, time, first);
    }
    mpq_clears(first, last, duration, period, NULL);
}

/* Compares t' with a key's time. */
static int compare(const mpq_t time, double key)
{
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, key);
    int order = mpq_cmp(time, exact);
    mpq_clear(exact);
    return order;
}

static struct keyed_spot given(double value)
{
    return (struct keyed_spot){.place = KEYED_GIVEN, .value = value};
}

struct keyed_spot keyed_locate(const struct keyed *curve, double t, mpq_t time)
{
    size_t end = curve->count - 1;
    bool early = t<curve->time[0], late = t> curve->time[end];
    int mode = early ? curve->before : curve->after;
    if (isnan(t) || (isinf(t) && mode != 0)) {
        return given(NAN);
    }
    if ((early || late) && mode == 0) {
        return given(curve->value[early ? 0 : end]);
    }
    if ((early || late) && curve->time[0] == curve->time[end]) {
        return given(curve->value[end]);
    }
    if (early || late) {
        wrap(time, curve, t, mode == 2);
    } else {
        mpq_set_d(time, t);
    }
    for (size_t i = curve->count; i-- > 0;) {
        int order = compare(time, curve->time[i]);
        if (order == 0) {
            return given(curve->value[i]);
        }
        if (order > 0) {
            return (struct keyed_spot){KEYED_INSIDE, 0, i, early || late};
        }
    }
    return given(NAN); /* not reached: t' is not before the first key */
}

static bool has_bit(const struct keyed *curve, size_t key, int bit)
{
    return curve->mode && ((int)curve->mode[key] & bit) != 0;
}

bool keyed_is_weighted(const struct keyed *curve, size_t segment)
{
    return has_bit(curve, segment, 2) || has_bit(curve, segment + 1, 1);
}

struct weighted keyed_segment(const struct keyed *curve, size_t segment, const mpq_t time)
{
    size_t next = segment + 1;
    return (struct weighted){
        .keys = {curve->time[segment], curve->value[segment], curve->out_tangent[segment],
                 curve->time[next], curve->value[next], curve->in_tangent[next]},
        .has_w0 = has_bit(curve, segment, 2),
        .has_w1 = has_bit(curve, next, 1),
        .w0 = curve->out_weight ? curve->out_weight[segment] : NAN,
        .w1 = curve->in_weight ? curve->in_weight[next] : NAN,
        .t = NAN,
        .time = time,
    };
}

bool keyed_inside_rule(const struct keyed *curve, size_t segment, double *value)
{
    struct weighted s = keyed_segment(curve, segment, NULL);
    if (isinf(s.keys.m0) || isinf(s.keys.m1)) {
        *value = s.keys.v0;
        return true;
    }
    *value = NAN;
    return !(isfinite(s.keys.v0) && isfinite(s.keys.m0) && isfinite(s.keys.v1) &&
             isfinite(s.keys.m1) && (!s.has_w0 || isfinite(s.w0)) && (!s.has_w1 || isfinite(s.w1)));
}

void keyed_window(mpq_t from, mpq_t to, const struct keyed *curve, size_t segment, const mpq_t time)
{
    mpq_t radius, end;
    mpq_inits(radius, end, NULL);
    mpq_set_d(radius, fmax(fabs(curve->time[0]), fabs(curve->time[curve->count - 1])));
    mpq_div_2exp(radius, radius, 53);
    mpq_sub(from, time, radius);
    mpq_add(to, time, radius);
    mpq_set_d(end, curve->time[segment]);
    if (mpq_cmp(from, end) < 0) {
        mpq_set(from, end);
    }
    mpq_set_d(end, curve->time[segment + 1]);
    if (mpq_cmp(to, end) > 0) {
        mpq_set(to, end);
    }
    mpq_clears(radius, end, NULL);
}

/* (t - t0) / h, or the root. */
static void set_parameter(mpq_t s, const struct weighted *segment, bool weighted, const mpq_t time)
{
    mpq_t low, h;
    mpq_inits(low, h, NULL);
    if (weighted) {
        weighted_parameter(low, s, segment, ROOT_BITS);
        mpq_add(s, s, low);
        mpq_div_2exp(s, s, 1);
    } else {
        mpq_set_d(low, segment->keys.t0);
        mpq_set_d(h, segment->keys.t1);
        mpq_sub(h, h, low);
        mpq_sub(s, time, low);
        mpq_div(s, s, h);
    }
    mpq_clears(low, h, NULL);
}

void keyed_value(mpq_t value, mpq_t scale, const struct keyed *curve, size_t segment,
                 const mpq_t time)
{
    struct weighted data = keyed_segment(curve, segment, time);
    mpq_t s;
    mpq_init(s);
    if (compare(time, data.keys.t0) <= 0 || compare(time, data.keys.t1) >= 0) {
        double end = compare(time, data.keys.t0) <= 0 ? data.keys.v0 : data.keys.v1;
        mpq_set_d(value, end);
        mpq_abs(scale, value);
    } else {
        set_parameter(s, &data, keyed_is_weighted(curve, segment), time);
        weighted_value(value, scale, &data, s);
    }
    mpq_clear(s);
}
