#include "answers.h"

#include "../../impl/truelerp.h"

#include <math.h>

enum {
    TIMES,
    VALUES,
    IN_TANGENTS,
    OUT_TANGENTS,
    MODES,
    IN_WEIGHTS,
    OUT_WEIGHTS,
    BEFORE,
    AFTER,
    CURVE_FIELDS
};

struct curve {
    const struct values *inputs;
    size_t first, count;
    const double *times, *values;
};

static struct curve curve_of(const struct values *inputs, size_t first)
{
    return (struct curve){inputs, first, values_length(inputs, first + TIMES),
                          values_field(inputs, first + TIMES),
                          values_field(inputs, first + VALUES)};
}

static double number(const struct curve *curve, size_t field, size_t key)
{
    return values_field(curve->inputs, curve->first + field)[key];
}

/* An empty list of modes or of weights has none, or NaN, for every key. */
static double number_or(const struct curve *curve, size_t field, size_t key, double otherwise)
{
    bool any = values_length(curve->inputs, curve->first + field) > 0;
    return any ? number(curve, field, key) : otherwise;
}

struct build {
    int status;
    size_t at_count;
    size_t at[2];
};

static struct build build(const struct curve *curve)
{
    if (number(curve, BEFORE, 0) > TL_PING_PONG || number(curve, AFTER, 0) > TL_PING_PONG) {
        return (struct build){.status = TL_NO_SUCH_CHOICE};
    }
    for (size_t i = 0; i < curve->count; i++) {
        double time = curve->times[i];
        if (!isfinite(time)) {
            return (struct build){TL_TIME_NOT_FINITE, 1, {i}};
        }
        if (i >= 1 && curve->times[i - 1] > time) {
            return (struct build){TL_TIMES_FALL, 2, {i - 1, i}};
        }
        if (i >= 2 && curve->times[i - 2] == time) {
            return (struct build){TL_THREE_AT_ONE_TIME, 2, {i - 2, i}};
        }
    }
    return (struct build){.status = curve->count == 0 ? TL_EMPTY : TL_OK};
}

/* A curve's value at a time. */
struct side {
    bool given;
    double number; /* if given */
    bool wrapped;
    bool one_of_several;
    bool weighted; /* the formula is that of a weighted segment */
    bool inside;   /* of a segment, whether a rule or the formula answers there */
    bool unknown;
    struct span value, scale;
};

static void side_init(struct side *side)
{
    *side = (struct side){.given = false};
    span_init(&side->value);
    span_init(&side->scale);
}

static void side_clear(struct side *side)
{
    span_clear(&side->value);
    span_clear(&side->scale);
}

static void give(struct side *side, double given)
{
    side->given = true;
    side->number = given;
}

/* x -= period floor(x / period) */
static void reduce(mpq_t x, const mpq_t period)
{
    mpz_t turns;
    mpq_t whole;
    mpz_init(turns);
    mpq_init(whole);
    mpq_div(whole, x, period);
    mpz_fdiv_q(turns, mpq_numref(whole), mpq_denref(whole));
    mpq_set_z(whole, turns);
    mpq_mul(whole, whole, period);
    mpq_sub(x, x, whole);
    mpq_clear(whole);
    mpz_clear(turns);
}

/* t' of a time beyond the keys */
static void wrap(mpq_t time, double first, double last, bool ping_pong)
{
    mpq_t start, duration, period;
    mpq_inits(start, duration, period, NULL);
    mpq_set_d(start, first);
    mpq_set_d(duration, last);
    mpq_sub(duration, duration, start);
    mpq_set(period, duration);
    rational_scale(period, ping_pong);
    mpq_sub(time, time, start);
    reduce(time, period);
    if (mpq_cmp(time, duration) > 0) {
        mpq_sub(time, period, time);
    }
    mpq_add(time, time, start);
    mpq_clears(start, duration, period, NULL);
}

static int compare(const mpq_t time, double other)
{
    mpq_t number_of_other;
    mpq_init(number_of_other);
    mpq_set_d(number_of_other, other);
    int order = mpq_cmp(time, number_of_other);
    mpq_clear(number_of_other);
    return order;
}

/* Does the window of u max(|first|, |last|) around t' reach an end of the segment at which another
 * double than `given` stands? */
static bool reaches_other(const struct curve *curve, size_t key, const mpq_t time, double given)
{
    double most = fmax(fabs(curve->times[0]), fabs(curve->times[curve->count - 1]));
    mpq_t radius, distance;
    mpq_inits(radius, distance, NULL);
    mpq_set_d(radius, most);
    rational_scale(radius, -53);
    bool other = false;
    for (size_t i = key; i <= key + 1; i++) {
        double value = curve->values[i];
        bool same =
            isnan(given) ? isnan(value) : given == value && !signbit(given) == !signbit(value);
        mpq_set_d(distance, curve->times[i]);
        mpq_sub(distance, distance, time);
        mpq_abs(distance, distance);
        other = other || (!same && mpq_cmp(distance, radius) <= 0);
    }
    mpq_clears(radius, distance, NULL);
    return other;
}

static void evaluate_segment(struct side *side, const struct curve *curve, size_t key,
                             const mpq_t time)
{
    bool out = (int)number_or(curve, MODES, key, 0) & TL_WEIGHTED_OUT;
    bool in = (int)number_or(curve, MODES, key + 1, 0) & TL_WEIGHTED_IN;
    struct segment segment = {.t0 = curve->times[key],
                              .v0 = curve->values[key],
                              .m0 = number(curve, OUT_TANGENTS, key),
                              .w0 = out ? number_or(curve, OUT_WEIGHTS, key, NAN) : (double)NAN,
                              .t1 = curve->times[key + 1],
                              .v1 = curve->values[key + 1],
                              .m1 = number(curve, IN_TANGENTS, key + 1),
                              .w1 = in ? number_or(curve, IN_WEIGHTS, key + 1, NAN) : (double)NAN};
    bool finite = (!out || isfinite(segment.w0)) && (!in || isfinite(segment.w1));
    double given;
    side->inside = true;
    side->weighted = out || in;
    if (segment_inside(&segment, finite, &given)) {
        give(side, given);
        side->one_of_several = side->wrapped && reaches_other(curve, key, time, given);
        return;
    }
    if (!side->weighted) {
        segment_hermite(&side->value, &side->scale, &segment, time);
        return;
    }
#ifdef TRUELERP_FLINT
    segment_bezier(&side->value, &side->scale, &segment, time);
#else
    side->unknown = true;
#endif
}

static void evaluate_at(struct side *side, const struct curve *curve, const mpq_t time)
{
    size_t key = curve->count - 1;
    while (compare(time, curve->times[key]) < 0) {
        key--;
    }
    if (compare(time, curve->times[key]) == 0) {
        give(side, curve->values[key]);
    } else {
        evaluate_segment(side, curve, key, time);
    }
}

static void evaluate(struct side *side, const struct curve *curve, double t)
{
    size_t end = curve->count - 1;
    double first = curve->times[0], last = curve->times[end];
    bool before = t<first, after = t> last;
    double beyond = number(curve, before ? BEFORE : AFTER, 0);
    if (isnan(t)) {
        give(side, t);
    } else if ((before || after) && beyond == TL_CLAMP) {
        give(side, curve->values[before ? 0 : end]);
    } else if (isinf(t)) {
        give(side, NAN);
    } else if ((before || after) && first == last) {
        give(side, curve->values[end]);
    } else {
        mpq_t time;
        mpq_init(time);
        mpq_set_d(time, t);
        side->wrapped = before || after;
        if (side->wrapped) {
            wrap(time, first, last, beyond == TL_PING_PONG);
        }
        evaluate_at(side, curve, time);
        mpq_clear(time);
    }
}

static void tell(struct second *second, const struct side *side)
{
    second->unknown = side->unknown;
    second->wrapped = side->wrapped;
    second->one_of_several = side->one_of_several;
    if (side->given) {
        second->kind = SECOND_GIVEN;
        second->given[0] = side->number;
    } else {
        span_copy(&second->value[0], &side->value);
        span_copy(&second->scale[0], &side->scale);
    }
}

static double factor_of(const struct side *side)
{
    return side->inside && side->weighted ? 64 : 12;
}

void second_curve(const struct values *inputs, struct second *second)
{
    struct curve curve = curve_of(inputs, 0);
    struct build built = build(&curve);
    second->length[0] = built.status == TL_OK;
    second->length[2] = built.at_count;
    second->given[second->length[0]] = built.status;
    for (size_t i = 0; i < built.at_count; i++) {
        second->given[1 + i] = (double)built.at[i];
    }
    if (built.status == TL_OK) {
        struct side side;
        side_init(&side);
        evaluate(&side, &curve, *values_field(inputs, CURVE_FIELDS));
        tell(second, &side);
        second->factor = factor_of(&side);
        side_clear(&side);
    }
}

/* Of positive or any spans: (1 - w) x + w y, 0 < w < 1 */
static void blend(struct span *result, const struct span *x, const struct span *y, double weight)
{
    mpq_t w, rest, term;
    mpq_inits(w, rest, term, NULL);
    mpq_set_d(w, weight);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, w);
    mpq_mul(result->low, x->low, rest);
    mpq_mul(term, y->low, w);
    mpq_add(result->low, result->low, term);
    mpq_mul(result->high, x->high, rest);
    mpq_mul(term, y->high, w);
    mpq_add(result->high, result->high, term);
    mpq_clears(w, rest, term, NULL);
}

/* A double is a value of its own size, and of that scale. */
static void make_real(struct side *side)
{
    if (side->given) {
        mpq_set_d(side->value.low, side->number);
        mpq_set(side->value.high, side->value.low);
        mpq_abs(side->scale.low, side->value.low);
        mpq_set(side->scale.high, side->scale.low);
    }
}

/* scale += |value| */
static void add_size(struct side *side)
{
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    bool negative = mpq_sgn(side->value.high) <= 0;
    mpq_set(low, negative ? side->value.high : side->value.low);
    mpq_set(high, negative ? side->value.low : side->value.high);
    mpq_abs(high, high);
    if (!negative && mpq_sgn(low) < 0) {
        mpq_abs(low, low);
        mpq_set(high, mpq_cmp(low, high) > 0 ? low : high);
        mpq_set_ui(low, 0, 1);
    }
    mpq_abs(low, low);
    mpq_add(side->scale.low, side->scale.low, low);
    mpq_add(side->scale.high, side->scale.high, high);
    mpq_clears(low, high, NULL);
}

static void tell_blend(struct second *second, struct side side[2], double w)
{
    bool special = false;
    for (int i = 0; i < 2; i++) {
        special = special || (side[i].given && !isfinite(side[i].number));
        second->wrapped = second->wrapped || side[i].wrapped;
        second->one_of_several = second->one_of_several || side[i].one_of_several;
        second->unknown = second->unknown || side[i].unknown;
    }
    if (special) {
        bool same = side[0].given && side[1].given && side[0].number == side[1].number;
        second->kind = SECOND_GIVEN;
        second->given[0] = same ? side[0].number : (double)NAN;
        return;
    }
    for (int i = 0; i < 2; i++) {
        make_real(&side[i]);
        add_size(&side[i]);
    }
    blend(&second->value[0], &side[0].value, &side[1].value, w);
    blend(&second->scale[0], &side[0].scale, &side[1].scale, w);
}

void second_crossfade(const struct values *inputs, struct second *second)
{
    struct curve curve[2] = {curve_of(inputs, 0), curve_of(inputs, CURVE_FIELDS)};
    double t = *values_field(inputs, 2 * CURVE_FIELDS);
    double w = *values_field(inputs, 2 * CURVE_FIELDS + 1);
    struct build built[2] = {build(&curve[0]), build(&curve[1])};
    bool well = built[0].status == TL_OK && built[1].status == TL_OK;
    second->length[0] = well;
    second->given[second->length[0]] = built[0].status;
    second->given[second->length[0] + 1] = built[1].status;
    if (!well) {
        return;
    }
    struct side side[2];
    side_init(&side[0]);
    side_init(&side[1]);
    if (isnan(w)) {
        give_nan(second, 1);
    } else if (w <= 0 || w >= 1) {
        evaluate(&side[w >= 1], &curve[w >= 1], t);
        tell(second, &side[w >= 1]);
        second->factor = factor_of(&side[w >= 1]);
    } else {
        evaluate(&side[0], &curve[0], t);
        evaluate(&side[1], &curve[1], t);
        tell_blend(second, side, w);
        second->factor = 2 + fmax(factor_of(&side[0]), factor_of(&side[1]));
    }
    side_clear(&side[0]);
    side_clear(&side[1]);
}
