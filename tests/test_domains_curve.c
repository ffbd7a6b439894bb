/* What the domains of curve and crossfade draw is what their names say: measured in exact
 * rationals. */
#include "keyed.h"
#include "sample.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/function.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COUNT = 2000, CURVE_FIELDS = 9 };

/* One curve at one time. */
struct drawn {
    struct keyed curve;
    double t;
    double w; /* of a crossfade */
    int status;
    struct keyed_spot spot; /* if it can be built, with t' in `time` if that is inside */
    bool formula;           /* inside, and by no rule */
};

typedef bool property(const struct drawn *);

static mpq_t time_of, value, scale, from, to, x, y;

static void open_all(void)
{
    mpq_inits(time_of, value, scale, from, to, x, y, NULL);
}

static void close_all(void)
{
    mpq_clears(time_of, value, scale, from, to, x, y, NULL);
}

static const struct domain *domain_of(const char *function, const char *name)
{
    const struct domain *domain = domain_find(catalog_find(function), name);
    suite_check(domain != NULL, "%s has no domain %s", function, name);
    return domain;
}

static struct drawn look_at(const struct values *inputs, size_t first)
{
    bool blend = inputs->count > CURVE_FIELDS + 1;
    struct drawn d = {.curve = keyed_of(inputs, first),
                      .t = *values_field(inputs, blend ? 2 * (size_t)CURVE_FIELDS : CURVE_FIELDS),
                      .w = blend ? *values_field(inputs, 2 * (size_t)CURVE_FIELDS + 1) : NAN};
    size_t at[2], count;
    double rule;
    d.status = keyed_build(&d.curve, at, &count);
    d.spot.place = KEYED_GIVEN;
    if (d.status == 0) {
        d.spot = keyed_locate(&d.curve, d.t, time_of);
        d.formula =
            d.spot.place == KEYED_INSIDE && !keyed_inside_rule(&d.curve, d.spot.segment, &rule);
    }
    return d;
}

/* At least this share of the samples' curves (a crossfade's first or second one) has the property,
 * and at most that. */
static void check_between(const char *function, const char *name, int which, const char *what,
                          property *holds, double least, double most)
{
    const struct domain *domain = domain_of(function, name);
    struct values inputs = {0};
    size_t count = 0;
    for (uint64_t i = 0; domain && i < COUNT; i++) {
        draw_case(13, catalog_find(function), domain, i, &inputs);
        struct drawn d = look_at(&inputs, which == 0 ? 0 : CURVE_FIELDS);
        count += holds(&d);
    }
    suite_check((double)count >= least * COUNT && (double)count <= most * COUNT,
                "%s, %s: %s in %zu of %d", function, name, what, count, COUNT);
    values_free(&inputs);
}

static void check_share(const char *name, const char *what, property *holds, double least)
{
    check_between("curve", name, 0, what, holds, least, 1);
}

static void check_all(const char *name, const char *what, property *holds)
{
    check_share(name, what, holds, 1);
}

/* Curves */

static bool built(const struct drawn *d)
{
    return d->status == 0;
}

static bool wrapped(const struct drawn *d)
{
    return d->spot.wrapped;
}

static bool inside(const struct drawn *d)
{
    return d->formula && !d->spot.wrapped;
}

static bool weighted(const struct drawn *d)
{
    return d->formula && keyed_is_weighted(&d->curve, d->spot.segment);
}

static bool plain(const struct drawn *d)
{
    return d->formula && !keyed_is_weighted(&d->curve, d->spot.segment);
}

static bool everyday(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    bool good = c->count >= 8 && c->count <= 16 && c->time[0] >= 0 && c->time[0] < 60 &&
                c->time[c->count - 1] < 100;
    for (size_t i = 0; i < c->count; i++) {
        good = good && fabs(c->value[i]) <= 360;
    }
    return good && built(d);
}

static double first_of(const struct drawn *d)
{
    return d->curve.time[0];
}

static double last_of(const struct drawn *d)
{
    return d->curve.time[d->curve.count - 1];
}

static bool clamped(const struct drawn *d)
{
    return built(d) && ((d->t < first_of(d) && d->curve.before == 0) ||
                        (d->t > last_of(d) && d->curve.after == 0));
}

static bool is_beyond(const struct drawn *d)
{
    return built(d) && (d->t < first_of(d) || d->t > last_of(d));
}

static bool early(const struct drawn *d)
{
    return built(d) && d->t < first_of(d);
}

static bool late(const struct drawn *d)
{
    return built(d) && d->t > last_of(d);
}

static bool at_key(const struct drawn *d)
{
    for (size_t i = 0; i < d->curve.count; i++) {
        if (d->t == d->curve.time[i]) {
            return true;
        }
    }
    return false;
}

static bool next_to_key(const struct drawn *d)
{
    for (size_t i = 0; i < d->curve.count; i++) {
        if (d->t != d->curve.time[i] && (d->t == nextafter(d->curve.time[i], INFINITY) ||
                                         d->t == nextafter(d->curve.time[i], -INFINITY))) {
            return true;
        }
    }
    return false;
}

/* Wrapped to a key exactly. */
static bool wrapped_at_key(const struct drawn *d)
{
    return is_beyond(d) && !clamped(d) && isfinite(d->t) && first_of(d) < last_of(d) &&
           d->spot.place == KEYED_GIVEN;
}

/* Not at a key, but the double nearest to t' is one's time. */
static bool rounds_to_key(const struct drawn *d)
{
    if (d->spot.place != KEYED_INSIDE || !d->spot.wrapped) {
        return false;
    }
    double nearest = rational_round(time_of);
    return nearest == d->curve.time[d->spot.segment] ||
           nearest == d->curve.time[d->spot.segment + 1];
}

static bool no_double(const struct drawn *d)
{
    if (d->spot.place != KEYED_INSIDE || !d->spot.wrapped) {
        return false;
    }
    mpq_set_d(x, rational_round(time_of));
    return mpq_cmp(x, time_of) != 0;
}

/* At a key that is no end, on the way back of ping pong: floor((t - first) / P) is odd. */
static bool wrapped_back(const struct drawn *d)
{
    size_t end = d->curve.count - 1;
    if (!wrapped_at_key(d) || (d->t < first_of(d) ? d->curve.before : d->curve.after) != 2 ||
        same_double(d->spot.value, d->curve.value[0]) ||
        same_double(d->spot.value, d->curve.value[end])) {
        return false;
    }
    mpq_set_d(x, d->t);
    mpq_set_d(y, first_of(d));
    mpq_sub(x, x, y);
    mpq_set_d(from, last_of(d));
    mpq_sub(y, from, y);
    mpq_div(x, x, y);
    mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    return mpz_odd_p(mpq_numref(x)) != 0;
}

static bool has_jump(const struct drawn *d)
{
    for (size_t i = 1; i < d->curve.count; i++) {
        if (d->curve.time[i] == d->curve.time[i - 1]) {
            return true;
        }
    }
    return false;
}

static bool is_jump(const struct keyed *c, double time)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        count += c->time[i] == time;
    }
    return count > 1;
}

static bool at_jump(const struct drawn *d)
{
    return built(d) && is_jump(&d->curve, d->t);
}

/* On the way forth or back, at a jump; t' is not told where a key's value is given. */
static bool wrapped_at_jump(const struct drawn *d)
{
    if (!wrapped_at_key(d)) {
        return false;
    }
    for (size_t i = 0; i < d->curve.count; i++) {
        if (same_double(d->curve.value[i], d->spot.value) && is_jump(&d->curve, d->curve.time[i])) {
            return true;
        }
    }
    return false;
}

/* |t - first| / P as a power of 2 */
static double periods(const struct drawn *d)
{
    double p = last_of(d) - first_of(d);
    return log2(fabs(d->t - first_of(d))) - log2(p);
}

static bool far_off(const struct drawn *d)
{
    return built(d) && periods(d) > 40;
}

static bool near_by(const struct drawn *d)
{
    return built(d) && is_beyond(d) && periods(d) < 4;
}

/* Within 1/8 P of an end once it is wrapped, or at it. */
static bool near_seam(const struct drawn *d)
{
    if (wrapped_at_key(d)) {
        return same_double(d->spot.value, d->curve.value[0]) ||
               same_double(d->spot.value, d->curve.value[1]) ||
               same_double(d->spot.value, d->curve.value[d->curve.count - 1]);
    }
    if (d->spot.place != KEYED_INSIDE) {
        return at_key(d);
    }
    double p = last_of(d) - first_of(d), at = rational_round(time_of);
    return at - first_of(d) <= p / 8 * 1.0001 || last_of(d) - at <= p / 8 * 1.0001;
}

static bool beyond_1e300(const struct drawn *d)
{
    return built(d) && fabs(d->t) >= 1e300;
}

static bool lost_by_doubles(const struct drawn *d)
{
    return d->spot.wrapped && d->t + (last_of(d) - first_of(d)) == d->t;
}

static bool duration_overflows(const struct drawn *d)
{
    return built(d) && isinf(last_of(d) - first_of(d));
}

static bool huge_data(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    double most = fmax(fabs(c->time[0]), fabs(c->time[c->count - 1]));
    for (size_t i = 0; i < c->count; i++) {
        most = fmax(most, fmax(fabs(c->value[i]), fabs(c->out_tangent[i])));
        most = fmax(most, fabs(c->in_tangent[i]));
    }
    return most >= 0x1p1000;
}

static bool subnormal_data(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    for (size_t i = 0; i < c->count; i++) {
        const double data[] = {c->time[i], c->value[i], c->in_tangent[i], c->out_tangent[i]};
        for (size_t k = 0; k < 4; k++) {
            if (data[k] != 0 && fabs(data[k]) < DBL_MIN) {
                return true;
            }
        }
    }
    return c->time[1] - c->time[0] < 0x1p-400;
}

static bool subnormal_times(const struct drawn *d)
{
    return built(d) && fabs(first_of(d)) < DBL_MIN && fabs(last_of(d)) < DBL_MIN;
}

static bool one_key(const struct drawn *d)
{
    return d->curve.count == 1;
}

static bool two_keys(const struct drawn *d)
{
    return d->curve.count == 2;
}

static bool three_keys(const struct drawn *d)
{
    return d->curve.count == 3;
}

static bool no_duration(const struct drawn *d)
{
    return built(d) && first_of(d) == last_of(d) && is_beyond(d) && !clamped(d);
}

static bool many(const struct drawn *d)
{
    return d->curve.count >= 64 && built(d);
}

static bool ten_thousand(const struct drawn *d)
{
    return d->curve.count == 10000;
}

/* The window is a sixteenth of the segment or more. */
static bool wide_window(const struct drawn *d)
{
    if (!d->formula || !d->spot.wrapped) {
        return false;
    }
    keyed_window(from, to, &d->curve, d->spot.segment, time_of);
    mpq_sub(x, to, from);
    mpq_mul_2exp(x, x, 4);
    mpq_set_d(y, d->curve.time[d->spot.segment + 1]);
    mpq_set_d(from, d->curve.time[d->spot.segment]);
    mpq_sub(y, y, from);
    return mpq_cmp(x, y) >= 0;
}

static bool upright(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    size_t i = d->spot.segment;
    return weighted(d) && c->mode[i] == 3 && c->mode[i + 1] == 3 && c->out_weight[i] > 0.99 &&
           c->in_weight[i + 1] > 0.99;
}

static bool clamped_weight(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    size_t i = d->spot.segment;
    return weighted(d) && (c->out_weight[i] < 0 || c->out_weight[i] > 1 ||
                           c->in_weight[i + 1] < 0 || c->in_weight[i + 1] > 1);
}

static bool has_weights(const struct drawn *d)
{
    return d->curve.mode && d->curve.in_weight && d->curve.out_weight;
}

static bool no_weights(const struct drawn *d)
{
    return !d->curve.mode && !d->curve.in_weight && !d->curve.out_weight;
}

/* |F| < 2^-10 S */
static bool cancels(const struct drawn *d)
{
    if (!d->formula) {
        return false;
    }
    keyed_value(value, scale, &d->curve, d->spot.segment, time_of);
    mpq_abs(value, value);
    mpq_mul_2exp(value, value, 10);
    return mpq_cmp(value, scale) < 0;
}

/* ... and S is beyond the range. */
static bool cancels_beyond(const struct drawn *d)
{
    return cancels(d) && isinf(rational_round(scale));
}

static bool wrapped_cancels_beyond(const struct drawn *d)
{
    return wrapped(d) && cancels_beyond(d);
}

static bool weighted_cancels_beyond(const struct drawn *d)
{
    return weighted(d) && cancels_beyond(d);
}

/* |F| < 2^1024 <= S */
static bool cancels_into_the_range(const struct drawn *d)
{
    if (!d->formula) {
        return false;
    }
    keyed_value(value, scale, &d->curve, d->spot.segment, time_of);
    return isinf(rational_round(scale)) && isfinite(rational_round(value));
}

static bool steep(const struct drawn *d)
{
    if (!d->formula) {
        return false;
    }
    struct segment s = keyed_segment(&d->curve, d->spot.segment, NULL).keys;
    double terms = (fabs(s.m0) + fabs(s.m1)) * (s.t1 - s.t0), values = fabs(s.v0) + fabs(s.v1);
    return terms > 0x1p8 * values || values > 0x1p8 * terms;
}

static bool constant(const struct drawn *d)
{
    for (size_t i = 1; i < d->curve.count; i++) {
        if (d->curve.value[i] != d->curve.value[0]) {
            return false;
        }
    }
    return true;
}

/* Every segment's mean slope is the keys'. */
static bool line(const struct drawn *d)
{
    const struct keyed *c = &d->curve;
    for (size_t i = 0; i < c->count; i++) {
        mpq_set_d(x, c->time[i]);
        mpq_set_d(y, c->out_tangent[i]);
        mpq_mul(x, x, y);
        mpq_set_d(y, c->value[i]);
        mpq_sub(x, x, y); /* 0 for a line through 0 */
        if (mpq_sgn(x) != 0 || c->in_tangent[i] != c->out_tangent[0] ||
            c->out_tangent[i] != c->out_tangent[0]) {
            return false;
        }
    }
    return !constant(d);
}

static bool straight(const struct drawn *d)
{
    return constant(d) || line(d);
}

static bool empty(const struct drawn *d)
{
    return d->status == 1;
}

static bool time_not_finite(const struct drawn *d)
{
    return d->status == 2;
}

static bool times_fall(const struct drawn *d)
{
    return d->status == 4;
}

static bool three_at_one_time(const struct drawn *d)
{
    return d->status == 6;
}

static bool not_built(const struct drawn *d)
{
    return d->status != 0;
}

static bool no_time(const struct drawn *d)
{
    return isnan(d->t);
}

static bool infinite_time(const struct drawn *d)
{
    return isinf(d->t);
}

static bool zeros_of_both_signs(const struct drawn *d)
{
    for (size_t i = 1; i < d->curve.count; i++) {
        if (d->curve.time[i] == 0 && d->curve.time[i - 1] == 0 &&
            signbit(d->curve.time[i]) != signbit(d->curve.time[i - 1])) {
            return true;
        }
    }
    return false;
}

/* A rule inside of a segment. */
static bool by_rule(const struct drawn *d)
{
    return d->spot.place == KEYED_INSIDE && !d->formula;
}

static bool stepped(const struct drawn *d)
{
    if (!by_rule(d)) {
        return false;
    }
    struct segment s = keyed_segment(&d->curve, d->spot.segment, NULL).keys;
    return isinf(s.m0) || isinf(s.m1);
}

/* ... and the window reaches a key. */
static bool rule_near_key(const struct drawn *d)
{
    if (!by_rule(d) || !d->spot.wrapped) {
        return false;
    }
    keyed_window(from, to, &d->curve, d->spot.segment, time_of);
    mpq_set_d(x, d->curve.time[d->spot.segment]);
    mpq_set_d(y, d->curve.time[d->spot.segment + 1]);
    return mpq_equal(x, from) || mpq_equal(y, to);
}

static bool ping_pong(const struct drawn *d)
{
    return (early(d) && d->curve.before == 2) || (late(d) && d->curve.after == 2);
}

static bool loop(const struct drawn *d)
{
    return (early(d) && d->curve.before == 1) || (late(d) && d->curve.after == 1);
}

static void everyday_curves(void)
{
    open_all();
    check_all("typical", "everyday keys", everyday);
    check_share("typical", "t among the keys", inside, 0.7);
    check_share("typical", "t wrapped", wrapped, 0.1);
    check_share("typical", "t clamped", clamped, 0.03);
    check_share("typical", "no weights", plain, 0.4);
    check_share("typical", "weights", weighted, 0.2);
    close_all();
}

static void curves_of_any_numbers(void)
{
    open_all();
    check_share("any_finite", "keys in order", built, 0.9);
    check_share("any_finite", "t inside", inside, 0.4);
    check_share("any_finite", "falling times", times_fall, 0.02);
    check_share("any", "keys in order", built, 0.25);
    check_share("any", "times that are no numbers", time_not_finite, 0.2);
    check_share("any", "a rule inside", by_rule, 0.02);
    check_share("any", "no time", no_time, 0.01);
    close_all();
}

static void times_at_keys_and_jumps(void)
{
    open_all();
    check_share("near_keys", "t at a key", at_key, 0.2);
    check_share("near_keys", "t next to one", next_to_key, 0.15);
    check_all("near_keys", "keys in order", built);
    check_share("jumps", "keys in order", built, 1);
    check_share("jumps", "a jump", has_jump, 0.8);
    check_share("jumps", "t at a jump", at_jump, 0.1);
    check_share("jumps", "t next to a key", next_to_key, 0.05);
    check_share("jumps", "t wrapped to a jump", wrapped_at_jump, 0.02);
    close_all();
}

static void times_at_seams(void)
{
    open_all();
    check_all("seams", "keys in order", built);
    check_share("seams", "t beyond", is_beyond, 0.75);
    check_share("seams", "loop", loop, 0.3);
    check_share("seams", "ping pong", ping_pong, 0.3);
    check_share("seams", "before", early, 0.3);
    check_share("seams", "after", late, 0.3);
    check_share("seams", "t' at a seam or near it", near_seam, 0.7);
    check_share("seams", "t' at a key", wrapped_at_key, 0.1);
    check_share("seams", "t' that rounds to a key", rounds_to_key, 0.01);
    check_share("seams", "far off", far_off, 0.04);
    check_share("seams", "near by", near_by, 0.3);
    check_share("wrapped_keys", "t' at a key", wrapped_at_key, 0.1);
    check_share("wrapped_keys", "t' at a key on the way back", wrapped_back, 0.02);
    check_share("wrapped_keys", "t' that rounds to a key", rounds_to_key, 0.005);
    check_share("wrapped_keys", "t' that is no double", no_double, 0.05);
    check_share("far", "1e300 or more", beyond_1e300, 0.1);
    check_share("far", "t beyond what a double tells", lost_by_doubles, 0.8);
    check_share("far", "t' that is no double", no_double, 0.05);
    close_all();
}

static void curves_at_the_ends_of_the_range(void)
{
    open_all();
    check_share("mixed_exponents", "keys in order", built, 0.99);
    check_share("mixed_exponents", "a formula", inside, 0.3);
    check_share("huge", "keys in order", built, 0.95);
    check_share("huge", "data at the end of the range", huge_data, 0.9);
    check_share("huge", "P beyond the range", duration_overflows, 0.1);
    check_share("huge", "t wrapped", wrapped, 0.1);
    check_share("subnormal", "subnormal data", subnormal_data, 0.6);
    check_share("subnormal", "subnormal times", subnormal_times, 0.3);
    check_share("subnormal", "keys in order", built, 0.99);
    check_share("subnormal", "t wrapped", wrapped, 0.1);
    close_all();
}

static void few_and_many_keys(void)
{
    open_all();
    check_share("few_keys", "one key", one_key, 0.25);
    check_share("few_keys", "two keys", two_keys, 0.25);
    check_share("few_keys", "three keys", three_keys, 0.25);
    check_share("few_keys", "P = 0", no_duration, 0.1);
    check_all("few_keys", "keys in order", built);
    check_all("many_keys", "64 or more", many);
    check_between("curve", "many_keys", 0, "ten thousand", ten_thousand, 0.001, 0.03);
    close_all();
}

static void hard_places(void)
{
    open_all();
    check_share("large_offset", "a window that counts", wide_window, 0.2);
    check_share("large_offset", "t' that is no double", no_double, 0.1);
    check_all("large_offset", "keys in order", built);
    check_all("hard_weights", "weights", has_weights);
    check_share("hard_weights", "weights near 1", upright, 0.3);
    check_share("hard_weights", "weights to be clamped", clamped_weight, 0.05);
    check_all("cancelling", "no weights", no_weights);
    check_share("cancelling", "cancelling terms", cancels, 0.5);
    check_share("cancelling_beyond", "cancelling terms beyond the range", cancels_beyond, 0.3);
    check_share("cancelling_beyond", "wrapped", wrapped_cancels_beyond, 0.1);
    check_share("cancelling_beyond", "weighted", weighted_cancels_beyond, 0.1);
    check_share("cancelling_beyond", "S overflows, F does not", cancels_into_the_range, 0.15);
    check_share("steep", "steep, or hardly", steep, 0.5);
    check_all("straight", "constants and lines", straight);
    check_share("straight", "constants", constant, 0.3);
    check_share("straight", "lines", line, 0.3);
    close_all();
}

static void what_cannot_be_built_and_what_is_special(void)
{
    open_all();
    check_share("unbuildable", "a fault", not_built, 0.99);
    check_share("unbuildable", "no keys", empty, 0.08);
    check_share("unbuildable", "falling times", times_fall, 0.3);
    check_share("unbuildable", "three at one time", three_at_one_time, 0.2);
    check_share("boundary", "keys in order", built, 0.3);
    check_share("boundary", "no keys", empty, 0.1);
    check_share("boundary", "times that are no numbers", time_not_finite, 0.15);
    check_share("boundary", "falling times", times_fall, 0.05);
    check_share("boundary", "three at one time", three_at_one_time, 0.03);
    check_share("boundary", "zeros of both signs", zeros_of_both_signs, 0.05);
    check_share("boundary", "no time", no_time, 0.05);
    check_share("boundary", "an infinite time", infinite_time, 0.05);
    check_share("boundary", "t' at a key", wrapped_at_key, 0.02);
    check_share("special_data", "a rule inside", by_rule, 0.3);
    check_share("special_data", "a step", stepped, 0.1);
    check_share("special_data", "a rule near a key", rule_near_key, 0.02);
    check_all("special_data", "keys in order", built);
    close_all();
}

/* Every combination of boundary's keys, faults and wraps comes in every round. */
static void boundaries_are_complete(void)
{
    enum { KEYS = 7, WRAPS = 3, ROUND = KEYS * 8 * WRAPS * WRAPS };
    static unsigned seen[KEYS][WRAPS][WRAPS];
    const struct domain *domain = domain_of("curve", "boundary");
    struct values inputs = {0};
    memset(seen, 0, sizeof seen);
    for (uint64_t i = 1000; i < 1000 + ROUND; i++) {
        draw_case(3, catalog_find("curve"), domain, i, &inputs);
        struct keyed c = keyed_of(&inputs, 0);
        CU_ASSERT_FATAL(c.count < KEYS);
        seen[c.count][c.before][c.after]++;
    }
    const size_t pairs = (size_t)WRAPS * WRAPS;
    for (size_t i = 0; i < KEYS * pairs; i++) {
        unsigned count = seen[i / pairs][i / WRAPS % WRAPS][i % WRAPS];
        suite_check(count == 8, "combination %zu: %u", i, count);
    }
    values_free(&inputs);
}

/* Crossfades */

static bool share_inside(const struct drawn *d)
{
    return d->w > 0 && d->w < 1;
}

static bool share_outside(const struct drawn *d)
{
    return d->w < 0 || d->w > 1;
}

static bool share_at_end(const struct drawn *d)
{
    return d->w == 0 || d->w == 1;
}

static bool share_near_end(const struct drawn *d)
{
    return share_inside(d) && (d->w < 0x1p-10 || d->w > 1 - 0x1p-10);
}

static bool no_share(const struct drawn *d)
{
    return !isfinite(d->w);
}

/* |F| >= 2^1024 */
static bool leaves_the_range(const struct drawn *d)
{
    if (!d->formula) {
        return false;
    }
    keyed_value(value, scale, &d->curve, d->spot.segment, time_of);
    return isinf(rational_round(value));
}

static void check_pair(const char *name, const char *what, property *holds, double least)
{
    check_between("crossfade", name, 0, what, holds, least, 1);
    check_between("crossfade", name, 1, what, holds, least, 1);
}

static void pairs_of_curves(void)
{
    open_all();
    check_pair("typical", "w between", share_inside, 1);
    check_pair("typical", "a formula", inside, 0.25);
    check_pair("typical", "keys in order", built, 1);
    check_pair("near_ends", "w near 0 or 1", share_near_end, 0.4);
    check_pair("near_ends", "w at 0 or 1", share_at_end, 0.15);
    check_pair("outside", "w outside", share_outside, 0.7);
    check_pair("any", "w not finite", no_share, 0.04);
    check_pair("boundary", "w not finite", no_share, 0.1);
    check_pair("boundary", "w at 0 or 1", share_at_end, 0.1);
    check_pair("boundary", "keys in order", built, 0.3);
    check_pair("seams", "t wrapped", wrapped, 0.3);
    check_pair("far", "t wrapped", wrapped, 0.5);
    check_pair("overshoot", "a curve beyond the range", leaves_the_range, 0.2);
    check_pair("large_offset", "t wrapped", wrapped, 0.3);
    check_pair("hard_weights", "weights", weighted, 0.2);
    check_between("crossfade", "unbuildable", 0, "a fault", not_built, 0.9, 1);
    check_between("crossfade", "many_keys", 0, "64 or more", many, 1, 1);
    check_pair("special_data", "a rule inside", by_rule, 0.2);
    close_all();
}

/* Sets the two terms of a blend of segments' values; of all its other answers there are none. */
static bool set_terms(const struct values *inputs, mpq_t term[2], struct drawn side[2])
{
    for (int k = 0; k < 2; k++) {
        side[k] = look_at(inputs, k == 0 ? 0 : CURVE_FIELDS);
        if (!side[k].formula || !share_inside(&side[k])) {
            return false;
        }
        keyed_value(term[k], scale, &side[k].curve, side[k].spot.segment, time_of);
        mpq_set_d(y, side[k].w);
        mpq_set_ui(x, 1, 1);
        mpq_sub(x, x, y);
        mpq_mul(term[k], term[k], k == 0 ? x : y);
    }
    return true;
}

/* |a + b| < 2^-bits |a|, with x = a + b */
static bool terms_cancel(const mpq_t a, const mpq_t b, int bits)
{
    mpq_add(x, a, b);
    mpq_abs(y, x);
    mpq_mul_2exp(y, y, (mp_bitcnt_t)bits);
    mpq_abs(from, a);
    return mpq_cmp(y, from) <= 0;
}

static void cancelling_pairs_cancel(void)
{
    open_all();
    const struct function *function = catalog_find("crossfade");
    struct values inputs = {0};
    struct drawn side[2];
    size_t blends = 0, cancelling = 0;
    mpq_t term[2];
    mpq_inits(term[0], term[1], NULL);
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(17, function, domain_of("crossfade", "cancelling"), i, &inputs);
        if (set_terms(&inputs, term, side)) {
            blends++;
            cancelling += terms_cancel(term[0], term[1], 10);
        }
    }
    suite_check(blends > COUNT / 2 && cancelling > blends / 2, "%zu of %zu", cancelling, blends);
    mpq_clears(term[0], term[1], NULL);
    values_free(&inputs);
    close_all();
}

/* By how many sides are weighted; what is left is in the range, or beyond it on either side. */
static void pairs_beyond_the_range_cancel(void)
{
    open_all();
    const struct function *function = catalog_find("crossfade");
    struct values inputs = {0};
    struct drawn side[2];
    size_t terms[3] = {0}, finite = 0, positive = 0, negative = 0, by_bits = 0, wraps = 0;
    mpq_t term[2];
    mpq_inits(term[0], term[1], NULL);
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(17, function, domain_of("crossfade", "cancelling_beyond"), i, &inputs);
        if (set_terms(&inputs, term, side) && isinf(rational_round(term[0])) &&
            terms_cancel(term[0], term[1], 10)) {
            terms[weighted(&side[0]) + weighted(&side[1])]++;
            wraps += wrapped(&side[0]);
            double sum = rational_round(x);
            finite += isfinite(sum);
            positive += sum == INFINITY;
            negative += sum == -INFINITY;
            by_bits += terms_cancel(term[0], term[1], 50);
        }
    }
    for (int k = 0; k < 3; k++) {
        suite_check(terms[k] > COUNT / 25, "%d weighted sides: %zu", k, terms[k]);
    }
    suite_check(wraps > COUNT / 25 && finite > COUNT / 25 && positive > COUNT / 25 &&
                    negative > COUNT / 25 && by_bits > COUNT / 10,
                "%zu wrapped; %zu in the range, %zu above, %zu below; %zu within 2^-50", wraps,
                finite, positive, negative, by_bits);
    mpq_clears(term[0], term[1], NULL);
    values_free(&inputs);
    close_all();
}

/* Axes */

static void the_axes_measure_periods_and_shares(void)
{
    struct values inputs = {0};
    draw_case(1, catalog_find("curve"), domain_of("curve", "typical"), 0, &inputs);
    double *time = inputs.number;
    size_t count = values_length(&inputs, 0);
    double *t = inputs.number + inputs.start[CURVE_FIELDS];
    double (*parameter)(const struct values *) = domains_of(catalog_find("curve"))->axis.parameter;
    time[0] = 1;
    time[count - 1] = 5;
    *t = 2;
    CU_ASSERT_EQUAL(parameter(&inputs), 0.25);
    *t = 13;
    CU_ASSERT_EQUAL(parameter(&inputs), 3);
    *t = -1;
    CU_ASSERT_EQUAL(parameter(&inputs), -0.5);
    time[0] = -DBL_MAX;
    time[count - 1] = DBL_MAX;
    *t = 0;
    CU_ASSERT_EQUAL(parameter(&inputs), 0.5);
    time[0] = time[count - 1];
    *t = DBL_MAX;
    CU_ASSERT(isnan(parameter(&inputs)));
    draw_case(1, catalog_find("crossfade"), domain_of("crossfade", "typical"), 0, &inputs);
    inputs.number[inputs.start[2 * CURVE_FIELDS + 1]] = 0.75;
    CU_ASSERT_EQUAL(domains_of(catalog_find("crossfade"))->axis.parameter(&inputs), 0.75);
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"everyday curves", everyday_curves},
        {"curves of any numbers", curves_of_any_numbers},
        {"times at keys and jumps", times_at_keys_and_jumps},
        {"times at seams", times_at_seams},
        {"curves at the ends of the range", curves_at_the_ends_of_the_range},
        {"few and many keys", few_and_many_keys},
        {"hard places", hard_places},
        {"what cannot be built and what is special", what_cannot_be_built_and_what_is_special},
        {"boundaries are complete", boundaries_are_complete},
        {"pairs of curves", pairs_of_curves},
        {"cancelling pairs cancel", cancelling_pairs_cancel},
        {"pairs beyond the range cancel", pairs_beyond_the_range_cancel},
        {"the axes measure periods and shares", the_axes_measure_periods_and_shares},
    };
    return suite_run("domains_curve", tests, sizeof tests / sizeof *tests);
}
