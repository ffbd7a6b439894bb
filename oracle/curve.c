#include "curve.h"
#include "blend.h"
#include "filter.h"
#include "filter_stage.h"
#include "interval.h"

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
};
enum { T = CURVE_FIELDS, CURVE_INPUTS };
enum { A = 0, B = CURVE_FIELDS, BLEND_T = 2 * CURVE_FIELDS, W, CROSSFADE_INPUTS };
enum { VALUE, STATUS, AT, CURVE_OUTPUTS };
enum { A_STATUS = 1, B_STATUS, CROSSFADE_OUTPUTS };

enum {
    STATUS_OK = 0,
    STATUS_EMPTY = 1,
    STATUS_TIME_NOT_FINITE = 2,
    STATUS_TIMES_FALL = 4,
    STATUS_THREE_AT_ONE_TIME = 6,
    STATUS_NO_SUCH_CHOICE = 8
};

enum { WHOLE_BITS = 64 };

/* Times are multiples of 2^-1074 below 2^1024; their differences, twice those, and remainders by
 * them are multiples of 2^-1074 below 2^1026, and the ends of the window that the contract leaves
 * around a wrapped time are multiples of 2^-1127 below 2^1025: all exact in 2153 bits. */
enum { EXACT_BITS = 2176 };

/* At which every case gets a verdict, but for those where a bound is met exactly and t is wrapped
 * or a segment weighted (a coincidence of 10^-600 or so at such precisions: the contract's bound
 * there is a real number without a finite expansion).
 *
 * With g = 2^-1074, a value of an unweighted segment at a time t that is a multiple of g is a
 * multiple of g^5 over h^3, h < 2^1025 (see hermite.c), and so is its scale. A curve's error and
 * bound, (|r - F| - (12 u S + g)) h^3, then differ by 0 or by at least 2^-8496, which shows from
 * 10553 bits on. For a blend, with h and k the two segments' durations,
 *     (|r - F| - (14 u S + g)) h^3 k^3
 * is a multiple of 2^-52 g (g^5) (g^3) = 2^-9718, w being a multiple of g: the two are equal or at
 * least 2^-9718 / 2^6150 = 2^-15868 apart, both are below 2^2054 and enclosed to a width of less
 * than 2^(2058 - precision), which is smaller than that from 17927 bits on. */
enum { CURVE_PRECISION_LIMIT = 10624, CROSSFADE_PRECISION_LIMIT = 17984 };

/* Curves */

static const double *list_or_null(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) > 0 ? values_field(inputs, field) : NULL;
}

struct curve curve_of(const struct values *inputs, size_t first)
{
    return (struct curve){
        .count = values_length(inputs, first + TIMES),
        .times = values_field(inputs, first + TIMES),
        .values = values_field(inputs, first + VALUES),
        .in_tangents = values_field(inputs, first + IN_TANGENTS),
        .out_tangents = values_field(inputs, first + OUT_TANGENTS),
        .modes = list_or_null(inputs, first + MODES),
        .in_weights = list_or_null(inputs, first + IN_WEIGHTS),
        .out_weights = list_or_null(inputs, first + OUT_WEIGHTS),
        .before = *values_field(inputs, first + BEFORE),
        .after = *values_field(inputs, first + AFTER),
    };
}

static bool is_wrap(double wrap)
{
    return wrap == CURVE_CLAMP || wrap == CURVE_LOOP || wrap == CURVE_PING_PONG;
}

struct curve_build curve_build(const struct curve *curve)
{
    if (!is_wrap(curve->before) || !is_wrap(curve->after)) {
        return (struct curve_build){.status = STATUS_NO_SUCH_CHOICE};
    }
    if (curve->count == 0) {
        return (struct curve_build){.status = STATUS_EMPTY};
    }
    for (size_t i = 0; i < curve->count; i++) {
        const double *time = &curve->times[i];
        if (!isfinite(*time)) {
            return (struct curve_build){STATUS_TIME_NOT_FINITE, {i}, 1};
        }
        if (i > 0 && time[0] < time[-1]) {
            return (struct curve_build){STATUS_TIMES_FALL, {i - 1, i}, 2};
        }
        if (i > 1 && time[0] == time[-2]) {
            return (struct curve_build){STATUS_THREE_AT_ONE_TIME, {i - 2, i}, 2};
        }
    }
    return (struct curve_build){.status = STATUS_OK};
}

enum { SIDE_WORK = 2 }; /* intervals */

static struct side side_open(void)
{
    mpfi_t *work = interval_take(SIDE_WORK, EXACT_BITS);
    return (struct side){.time = &work[0]->left, .from = &work[1]->left, .to = &work[1]->right};
}

static void side_close(void)
{
    interval_return(SIDE_WORK);
}

static void give(struct side *side, double value)
{
    side->value[side->alternatives++] = value;
}

/* t' under loop or ping pong, with mpfr_fmod's exact remainder, which has the sign of t - first. */
static void wrap_time(mpfr_ptr wrapped, double t, double first, double last, bool back_and_forth)
{
    mpfi_t *work = interval_take(1, EXACT_BITS);
    mpfr_ptr duration = &work[0]->left, period = &work[0]->right;
    mpfr_set_d(duration, last, MPFR_RNDN);
    mpfr_sub_d(duration, duration, first, MPFR_RNDN);
    mpfr_mul_2ui(period, duration, back_and_forth, MPFR_RNDN);
    mpfr_set_d(wrapped, t, MPFR_RNDN);
    mpfr_sub_d(wrapped, wrapped, first, MPFR_RNDN);
    mpfr_fmod(wrapped, wrapped, period, MPFR_RNDN);
    if (mpfr_sgn(wrapped) < 0) {
        mpfr_add(wrapped, wrapped, period, MPFR_RNDN);
    }
    if (mpfr_greater_p(wrapped, duration)) {
        mpfr_sub(wrapped, period, wrapped, MPFR_RNDN);
    }
    mpfr_add_d(wrapped, wrapped, first, MPFR_RNDN);
    interval_return(1);
}

/* The last key whose time is not after t', which is not before the first. */
static size_t find_key(const struct curve *curve, mpfr_srcptr time)
{
    size_t low = 0, high = curve->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (mpfr_cmp_d(time, curve->times[middle]) >= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void set_segment(struct side *side, const struct curve *curve, size_t key)
{
    side->inside = true;
    side->weighted = curve_segment(curve, key, &side->data);
}

/* The closed segment, as far as it is within u max(|first|, |last|) of t'. */
static void set_window(struct side *side, const struct curve *curve)
{
    if (!side->wrapped) {
        mpfr_set(side->from, side->time, MPFR_RNDN);
        mpfr_set(side->to, side->time, MPFR_RNDN);
        return;
    }
    mpfi_t *work = interval_take(1, EXACT_BITS);
    mpfr_ptr radius = &work[0]->left;
    double most = fmax(fabs(curve->times[0]), fabs(curve->times[curve->count - 1]));
    mpfr_set_d(radius, most, MPFR_RNDN);
    mpfr_mul_2si(radius, radius, U_EXPONENT, MPFR_RNDN);
    mpfr_sub(side->from, side->time, radius, MPFR_RNDN);
    mpfr_add(side->to, side->time, radius, MPFR_RNDN);
    if (mpfr_cmp_d(side->from, side->data.t0) < 0) {
        mpfr_set_d(side->from, side->data.t0, MPFR_RNDN);
    }
    if (mpfr_cmp_d(side->to, side->data.t1) > 0) {
        mpfr_set_d(side->to, side->data.t1, MPFR_RNDN);
    }
    interval_return(1);
}

/* A rule gives one value inside a segment, but both keys' values at its ends. */
static void add_alternatives(struct side *side, double value)
{
    give(side, value);
    if (mpfr_cmp_d(side->from, side->data.t0) == 0) {
        give(side, side->data.v0);
    }
    if (mpfr_cmp_d(side->to, side->data.t1) == 0) {
        give(side, side->data.v1);
    }
}

static void locate_inside(struct side *side, const struct curve *curve, struct answer *scratch)
{
    size_t key = find_key(curve, side->time);
    if (mpfr_cmp_d(side->time, curve->times[key]) == 0) {
        give(side, curve->values[key]);
        return;
    }
    set_segment(side, curve, key);
    set_window(side, curve);
    if (segment_inside_is_given(&side->data, scratch)) {
        add_alternatives(side, scratch->given[0]);
    }
}

/* Rules 1 to 4. `scratch` is the answer that is being made. */
static void locate(struct side *side, const struct curve *curve, double t, struct answer *scratch)
{
    struct curve_place place = curve_place(curve, t);
    if (place.given) {
        give(side, place.value);
    } else {
        side->wrapped = place.beyond;
        if (place.beyond) {
            wrap_time(side->time, t, curve->times[0], curve->times[curve->count - 1],
                      place.ping_pong);
            mpfr_prec_round(side->time, mpfr_min_prec(side->time) + 1, MPFR_RNDN);
        } else {
            mpfr_set_prec(side->time, 53);
            mpfr_set_d(side->time, t, MPFR_RNDN);
        }
        locate_inside(side, curve, scratch);
    }
}

/* The answer */

static void answer_build(const struct curve_build *build, struct answer *answer)
{
    answer->kind = ANSWER_REAL;
    answer->length[VALUE] = 0;
    answer->length[AT] = build->count;
    interval_set_precision(answer->value[0], WHOLE_BITS);
    mpfi_set_si(answer->value[0], build->status);
    for (size_t i = 0; i < build->count; i++) {
        interval_set_precision(answer->value[1 + i], WHOLE_BITS);
        mpfi_set_ui(answer->value[1 + i], build->at[i]);
    }
}

/* Whole outputs that say that all is well, behind the value. */
static void answer_well(struct answer *answer, size_t count)
{
    answer->length[VALUE] = 1;
    for (size_t i = 1; i <= count; i++) {
        answer->given[i] = STATUS_OK;
        interval_set_precision(answer->value[i], WHOLE_BITS);
        mpfi_set_si(answer->value[i], STATUS_OK);
    }
}

static void answer_curve(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    struct curve curve = curve_of(inputs, 0);
    struct curve_build built = curve_build(&curve);
    if (built.status != STATUS_OK) {
        answer_build(&built, answer);
        return;
    }
    answer_well(answer, 1);
    answer->length[AT] = 0;
    struct side side = side_open();
    locate(&side, &curve, *values_field(inputs, T), answer);
    struct blend blend = {{&side}, 1, 0};
    blend_answer(&blend, precision, answer);
    side_close();
}

/* Which of the two sides count. Both are built in any case. */
static struct blend locate_blend(struct side side[2], const struct curve curve[2],
                                 const struct values *inputs, struct answer *scratch)
{
    double t = *values_field(inputs, BLEND_T), w = *values_field(inputs, W);
    struct blend blend = {{&side[0], &side[1]}, 2, w};
    if (isnan(w)) {
        give(&side[0], w);
        blend.count = 1;
        return blend;
    }
    if (w <= 0 || w >= 1) {
        size_t which = w >= 1;
        locate(&side[which], &curve[which], t, scratch);
        blend.side[0] = &side[which];
        blend.count = 1;
        return blend;
    }
    locate(&side[0], &curve[0], t, scratch);
    locate(&side[1], &curve[1], t, scratch);
    return blend;
}

static void answer_crossfade(const struct values *inputs, mpfr_prec_t precision,
                             struct answer *answer)
{
    struct curve curve[2] = {curve_of(inputs, A), curve_of(inputs, B)};
    struct curve_build built[2] = {curve_build(&curve[0]), curve_build(&curve[1])};
    if (built[0].status != STATUS_OK || built[1].status != STATUS_OK) {
        answer->kind = ANSWER_REAL;
        answer->length[VALUE] = 0;
        for (size_t i = 0; i < 2; i++) {
            interval_set_precision(answer->value[i], WHOLE_BITS);
            mpfi_set_si(answer->value[i], built[i].status);
        }
        return;
    }
    answer_well(answer, 2);
    struct side side[2];
    side[0] = side_open();
    side[1] = side_open();
    struct blend blend = locate_blend(side, curve, inputs, answer);
    blend_answer(&blend, precision, answer);
    side_close();
    side_close();
}

/* Are lengths as wanted, and the numbers of the whole outputs, which come last? */
static bool are_wanted(const size_t *length, const double *numbers, const struct values *results,
                       size_t outputs)
{
    if (results->count != outputs) {
        return false;
    }
    size_t number = length[VALUE];
    for (size_t k = 0; k < outputs; k++) {
        if (values_length(results, k) != length[k]) {
            return false;
        }
        for (size_t i = 0; k != VALUE && i < length[k]; i++, number++) {
            if (!(values_field(results, k)[i] == numbers[number])) {
                return false;
            }
        }
    }
    return true;
}

static size_t total(const size_t *length, size_t outputs)
{
    size_t count = 0;
    for (size_t k = 0; k < outputs; k++) {
        count += length[k];
    }
    return count;
}

static bool agrees(const struct answer *answer, const struct values *results, size_t outputs)
{
    double numbers[NUMBERS_MAX];
    for (size_t k = answer->length[VALUE]; k < total(answer->length, outputs); k++) {
        numbers[k] = mpfr_get_d(&answer->value[k]->left, MPFR_RNDN);
    }
    return are_wanted(answer->length, numbers, results, outputs);
}

static struct assessment find_curve(const struct values *inputs, const struct answer *answer,
                                    const struct values *results, mpfr_prec_t precision)
{
    if (!agrees(answer, results, CURVE_OUTPUTS)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (answer->length[VALUE] == 0) {
        return assessment_of(VERDICT_WITHIN);
    }
    struct curve curve = curve_of(inputs, 0);
    struct answer scratch;
    struct side side = side_open();
    locate(&side, &curve, *values_field(inputs, T), &scratch);
    struct blend blend = {{&side}, 1, 0};
    bool last = precision == CURVE_PRECISION_LIMIT;
    struct blend_question question = {&blend,    answer, values_field(results, VALUE)[0],
                                      precision, last,   last && !side.weighted};
    struct assessment assessment = blend_assess(&question);
    side_close();
    return assessment;
}

static struct assessment find_crossfade(const struct values *inputs, const struct answer *answer,
                                        const struct values *results, mpfr_prec_t precision)
{
    if (!agrees(answer, results, CROSSFADE_OUTPUTS)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (answer->length[VALUE] == 0) {
        return assessment_of(VERDICT_WITHIN);
    }
    struct curve curve[2] = {curve_of(inputs, A), curve_of(inputs, B)};
    struct answer scratch;
    struct side side[2];
    side[0] = side_open();
    side[1] = side_open();
    struct blend blend = locate_blend(side, curve, inputs, &scratch);
    bool exact = !side[0].weighted && !side[1].weighted;
    bool last = precision == CROSSFADE_PRECISION_LIMIT;
    struct blend_question question = {&blend,    answer, values_field(results, VALUE)[0],
                                      precision, last,   last && exact};
    struct assessment assessment = blend_assess(&question);
    side_close();
    side_close();
    return assessment;
}

/* The same with an estimate; both functions have as many outputs. */
static bool agrees_with(const struct estimate *estimate, const struct values *results)
{
    _Static_assert((int)CURVE_OUTPUTS == (int)CROSSFADE_OUTPUTS, "three each");
    double numbers[NUMBERS_MAX];
    for (size_t k = estimate->length[VALUE]; k < total(estimate->length, CURVE_OUTPUTS); k++) {
        numbers[k] = estimate->value[k].high;
    }
    return are_wanted(estimate->length, numbers, results, CURVE_OUTPUTS);
}

/* Of a wrapped time the estimate is that of the time which is tried first: what passes there is
 * told of it, but what does not may pass at another one. */
static bool find_by_estimate(const struct values *inputs, const struct estimate *estimate,
                             const struct values *results, struct assessment *assessment)
{
    (void)inputs;
    if (!agrees_with(estimate, results)) {
        return false;
    }
    if (estimate->length[VALUE] == 0) {
        *assessment = assessment_of(VERDICT_WITHIN);
        return true;
    }
    return filter_assess_number(estimate, 0, values_field(results, VALUE)[0], assessment) &&
           assessment->verdict == VERDICT_WITHIN;
}

static const char *const modes[] = {"none", "in", "out", "both", NULL};
static const char *const wraps[] = {"clamp", "loop", "ping_pong", NULL};

static const struct field curve_inputs[CURVE_INPUTS] = {
    [TIMES] = {"times", FIELD_LIST, "time",
               "the key times, which do not fall; two of one time are a jump", NULL, LENGTH_ANY, 0},
    [VALUES] = {"values", FIELD_LIST, "value", "the key values", NULL, LENGTH_EQUAL, TIMES},
    [IN_TANGENTS] = {"in_tangents", FIELD_LIST, "value/time", "the slopes on the left of the keys",
                     NULL, LENGTH_EQUAL, TIMES},
    [OUT_TANGENTS] = {"out_tangents", FIELD_LIST, "value/time",
                      "the slopes on the right of the keys", NULL, LENGTH_EQUAL, TIMES},
    [MODES] = {"modes", FIELD_LIST, "1", "which sides of the keys are weighted; empty: none", modes,
               LENGTH_EQUAL_OR_EMPTY, TIMES},
    [IN_WEIGHTS] = {"in_weights", FIELD_LIST, "1",
                    "the weights on the left of the keys; empty: all NaN", NULL,
                    LENGTH_EQUAL_OR_EMPTY, TIMES},
    [OUT_WEIGHTS] = {"out_weights", FIELD_LIST, "1",
                     "the weights on the right of the keys; empty: all NaN", NULL,
                     LENGTH_EQUAL_OR_EMPTY, TIMES},
    [BEFORE] = {"before", FIELD_NUMBER, "1", "the wrap before the first key", wraps, LENGTH_ANY, 0},
    [AFTER] = {"after", FIELD_NUMBER, "1", "the wrap after the last key", wraps, LENGTH_ANY, 0},
    [T] = {"t", FIELD_NUMBER, "time", "the time asked for", NULL, LENGTH_ANY, 0},
};

static const struct field curve_outputs[CURVE_OUTPUTS] = {
    [VALUE] = {"", FIELD_LIST, "value", "the value at t; none if the curve cannot be built", NULL,
               LENGTH_ANY, 0},
    [STATUS] = {"status", FIELD_NUMBER, "1", "what building the curve returns", status_choices,
                LENGTH_ANY, 0},
    [AT] = {"at", FIELD_LIST, "1", "the keys that the status is about", NULL, LENGTH_ANY, 0},
};

static const struct field crossfade_inputs[CROSSFADE_INPUTS] = {
    [A + TIMES] = {"a_times", FIELD_LIST, "time",
                   "a's key times, which do not fall; two of one time are a jump", NULL, LENGTH_ANY,
                   0},
    [A + VALUES] = {"a_values", FIELD_LIST, "value", "a's key values", NULL, LENGTH_EQUAL,
                    A + TIMES},
    [A + IN_TANGENTS] = {"a_in_tangents", FIELD_LIST, "value/time",
                         "a's slopes on the left of the keys", NULL, LENGTH_EQUAL, A + TIMES},
    [A + OUT_TANGENTS] = {"a_out_tangents", FIELD_LIST, "value/time",
                          "a's slopes on the right of the keys", NULL, LENGTH_EQUAL, A + TIMES},
    [A + MODES] = {"a_modes", FIELD_LIST, "1", "which sides of a's keys are weighted; empty: none",
                   modes, LENGTH_EQUAL_OR_EMPTY, A + TIMES},
    [A + IN_WEIGHTS] = {"a_in_weights", FIELD_LIST, "1",
                        "a's weights on the left of the keys; empty: all NaN", NULL,
                        LENGTH_EQUAL_OR_EMPTY, A + TIMES},
    [A + OUT_WEIGHTS] = {"a_out_weights", FIELD_LIST, "1",
                         "a's weights on the right of the keys; empty: all NaN", NULL,
                         LENGTH_EQUAL_OR_EMPTY, A + TIMES},
    [A + BEFORE] = {"a_before", FIELD_NUMBER, "1", "a's wrap before the first key", wraps,
                    LENGTH_ANY, 0},
    [A + AFTER] = {"a_after", FIELD_NUMBER, "1", "a's wrap after the last key", wraps, LENGTH_ANY,
                   0},
    [B + TIMES] = {"b_times", FIELD_LIST, "time",
                   "b's key times, which do not fall; two of one time are a jump", NULL, LENGTH_ANY,
                   0},
    [B + VALUES] = {"b_values", FIELD_LIST, "value", "b's key values", NULL, LENGTH_EQUAL,
                    B + TIMES},
    [B + IN_TANGENTS] = {"b_in_tangents", FIELD_LIST, "value/time",
                         "b's slopes on the left of the keys", NULL, LENGTH_EQUAL, B + TIMES},
    [B + OUT_TANGENTS] = {"b_out_tangents", FIELD_LIST, "value/time",
                          "b's slopes on the right of the keys", NULL, LENGTH_EQUAL, B + TIMES},
    [B + MODES] = {"b_modes", FIELD_LIST, "1", "which sides of b's keys are weighted; empty: none",
                   modes, LENGTH_EQUAL_OR_EMPTY, B + TIMES},
    [B + IN_WEIGHTS] = {"b_in_weights", FIELD_LIST, "1",
                        "b's weights on the left of the keys; empty: all NaN", NULL,
                        LENGTH_EQUAL_OR_EMPTY, B + TIMES},
    [B + OUT_WEIGHTS] = {"b_out_weights", FIELD_LIST, "1",
                         "b's weights on the right of the keys; empty: all NaN", NULL,
                         LENGTH_EQUAL_OR_EMPTY, B + TIMES},
    [B + BEFORE] = {"b_before", FIELD_NUMBER, "1", "b's wrap before the first key", wraps,
                    LENGTH_ANY, 0},
    [B + AFTER] = {"b_after", FIELD_NUMBER, "1", "b's wrap after the last key", wraps, LENGTH_ANY,
                   0},
    [BLEND_T] = {"t", FIELD_NUMBER, "time", "the time asked for", NULL, LENGTH_ANY, 0},
    [W] = {"w", FIELD_NUMBER, "1", "how much of b, 0 to 1", NULL, LENGTH_ANY, 0},
};

static const struct field crossfade_outputs[CROSSFADE_OUTPUTS] = {
    [VALUE] = {"", FIELD_LIST, "value", "the blend at t; none if a curve cannot be built", NULL,
               LENGTH_ANY, 0},
    [A_STATUS] = {"a_status", FIELD_NUMBER, "1", "what building a returns", status_choices,
                  LENGTH_ANY, 0},
    [B_STATUS] = {"b_status", FIELD_NUMBER, "1", "what building b returns", status_choices,
                  LENGTH_ANY, 0},
};

const struct function oracle_curve = {
    .name = "curve",
    .family = "curve",
    .summary = "segments one after the other, with what is before and after them",
    .formula =
        "hermite or bezier of the segment that contains t' = t, or t wrapped: with P = last - "
        "first and m = (t - first) modulo the period, loop has the period P and t' = first + m, "
        "ping_pong has 2 P and t' = first + m if m <= P, else last - (m - P)",
    .scale = "that of hermite or bezier",
    .domain =
        "t NaN gives NaN; t infinite gives the end key's value under clamp, else NaN; t before "
        "or after all keys gives the end key's value under clamp, and under loop and ping_pong "
        "the last key's value if P = 0; t' at a key gives its value, the later one's of two; "
        "all bit for bit; else as hermite and bezier",
    .inputs = curve_inputs,
    .input_count = CURVE_INPUTS,
    .outputs = curve_outputs,
    .output_count = CURVE_OUTPUTS,
    .whole = {[STATUS] = true, [AT] = true},
    .measure = MEASURE_OWN,
    .K = BEZIER_K,
    .bound =
        "|r - F(t'')| <= K u S(t'') + 2^-1074, with the K of hermite or of bezier, as the segment "
        "is; t'' = t where no wrap applies, else any t'' in that closed segment with "
        "|t'' - t'| <= u max(|first|, |last|)",
    .precision_limit = CURVE_PRECISION_LIMIT,
    .answer = answer_curve,
    .estimate = estimate_curve,
    .find = find_curve,
    .find_by_estimate = find_by_estimate,
};

const struct function oracle_crossfade = {
    .name = "crossfade",
    .family = "curve",
    .summary = "from one curve to another, at one time",
    .formula = "A + w (B - A), with A and B the curves' values at t",
    .scale = "|1 - w| (S_A + |A|) + |w| (S_B + |B|)",
    .domain =
        "w NaN gives NaN, w <= 0 the value of a, w >= 1 that of b; else A or B not finite gives "
        "NaN, unless both are the same infinity, which is the result",
    .inputs = crossfade_inputs,
    .input_count = CROSSFADE_INPUTS,
    .outputs = crossfade_outputs,
    .output_count = CROSSFADE_OUTPUTS,
    .whole = {[A_STATUS] = true, [B_STATUS] = true},
    .measure = MEASURE_OWN,
    .K = BEZIER_K + BLEND_K,
    .bound =
        "|r - F| <= K u S + 2^-1074, with K the larger of the segments' and that of lerp more, and "
        "each curve at a t'' of its own; of one curve alone, as curve",
    .precision_limit = CROSSFADE_PRECISION_LIMIT,
    .answer = answer_crossfade,
    .estimate = estimate_crossfade,
    .find = find_crossfade,
    .find_by_estimate = find_by_estimate,
};
