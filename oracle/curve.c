#include "function.h"
#include "interval.h"
#include "reach.h"
#include "segment.h"

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
enum { T = CURVE_FIELDS, CURVE_INPUTS };
enum { A = 0, B = CURVE_FIELDS, BLEND_T = 2 * CURVE_FIELDS, W, CROSSFADE_INPUTS };
enum { VALUE, STATUS, AT, CURVE_OUTPUTS };
enum { A_STATUS = 1, B_STATUS, CROSSFADE_OUTPUTS };

enum { CLAMP, LOOP, PING_PONG };
enum { MODE_IN = 1, MODE_OUT = 2, MODE_BOTH = 3 };
enum {
    STATUS_OK = 0,
    STATUS_EMPTY = 1,
    STATUS_TIME_NOT_FINITE = 2,
    STATUS_TIMES_FALL = 4,
    STATUS_THREE_AT_ONE_TIME = 6,
    STATUS_NO_SUCH_CHOICE = 8
};

enum { HERMITE_K = 12, BEZIER_K = 64, BLEND_K = 2, WHOLE_BITS = 64 };

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

struct curve {
    size_t count;
    const double *times, *values, *in_tangents, *out_tangents;
    const double *modes, *in_weights, *out_weights; /* NULL: none */
    double before, after;
};

static const double *list_or_null(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) > 0 ? values_field(inputs, field) : NULL;
}

static struct curve curve_of(const struct values *inputs, size_t first)
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
    return wrap == CLAMP || wrap == LOOP || wrap == PING_PONG;
}

/* What building it comes to. */
struct build {
    int status;
    size_t at[2];
    size_t count; /* of indices */
};

static struct build build(const struct curve *curve)
{
    if (!is_wrap(curve->before) || !is_wrap(curve->after)) {
        return (struct build){.status = STATUS_NO_SUCH_CHOICE};
    }
    if (curve->count == 0) {
        return (struct build){.status = STATUS_EMPTY};
    }
    for (size_t i = 0; i < curve->count; i++) {
        const double *time = &curve->times[i];
        if (!isfinite(*time)) {
            return (struct build){STATUS_TIME_NOT_FINITE, {i}, 1};
        }
        if (i > 0 && time[0] < time[-1]) {
            return (struct build){STATUS_TIMES_FALL, {i - 1, i}, 2};
        }
        if (i > 1 && time[0] == time[-2]) {
            return (struct build){STATUS_THREE_AT_ONE_TIME, {i - 2, i}, 2};
        }
    }
    return (struct build){.status = STATUS_OK};
}

/* What a curve is at a time. */
struct side {
    size_t alternatives; /* by rule: how many doubles it may be, the one at t' first; else 0 */
    double value[3];
    struct segment_data data; /* the segment inside of which t' is */
    bool weighted;
    bool inside;       /* there is one */
    bool wrapped;      /* t' is not t */
    mpfr_ptr time;     /* t', exactly */
    mpfr_ptr from, to; /* where t'' may be */
};
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

/* The weight of a side whose key's mode has `bit`, or NaN. */
static double weight_of(const struct curve *curve, size_t key, int bit, const double *weights)
{
    bool weighted = curve->modes && ((int)curve->modes[key] & bit) != 0;
    return weighted && weights ? weights[key] : NAN;
}

static bool is_weighted(const struct curve *curve, size_t key, int bit)
{
    return curve->modes && ((int)curve->modes[key] & bit) != 0;
}

static void set_segment(struct side *side, const struct curve *curve, size_t key)
{
    double w0 = weight_of(curve, key, MODE_OUT, curve->out_weights);
    double w1 = weight_of(curve, key + 1, MODE_IN, curve->in_weights);
    bool out = is_weighted(curve, key, MODE_OUT), in = is_weighted(curve, key + 1, MODE_IN);
    side->inside = true;
    side->weighted = out || in;
    side->data = (struct segment_data){
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
    size_t end = curve->count - 1;
    double first = curve->times[0], last = curve->times[end];
    double wrap = t < first ? curve->before : curve->after;
    bool beyond = t < first || t > last;
    if (isnan(t)) {
        give(side, t);
    } else if (beyond && wrap == CLAMP) {
        give(side, curve->values[t < first ? 0 : end]);
    } else if (isinf(t)) {
        give(side, NAN);
    } else if (beyond && first == last) {
        give(side, curve->values[end]);
    } else {
        side->wrapped = beyond;
        if (beyond) {
            wrap_time(side->time, t, first, last, wrap == PING_PONG);
            mpfr_prec_round(side->time, mpfr_min_prec(side->time) + 1, MPFR_RNDN);
        } else {
            mpfr_set_prec(side->time, 53);
            mpfr_set_d(side->time, t, MPFR_RNDN);
        }
        locate_inside(side, curve, scratch);
    }
}

/* F and S at a time of the closed segment. */
static void evaluate(const struct side *side, mpfr_srcptr time, mpfi_ptr value, mpfi_ptr scale)
{
    const struct segment_data *data = &side->data;
    bool early = mpfr_cmp_d(time, data->t0) <= 0;
    if (early || mpfr_cmp_d(time, data->t1) >= 0) {
        double end = early ? data->v0 : data->v1;
        mpfi_set_d(value, end);
        mpfi_set_d(scale, fabs(end));
    } else if (side->weighted) {
        bezier_at(data, time, value, scale);
    } else {
        hermite_at(data, time, value, scale);
    }
}

/* What blending is done with. */
struct blend {
    const struct side *side[2];
    size_t count; /* 1: no blending */
    double w;     /* 0 < w < 1 */
};

/* F = A + w (B - A) and S = (1 - w) (S_A + |A|) + w (S_B + |B|) */
static void set_blend(mpfi_ptr value, mpfi_ptr scale, mpfi_t values[2], mpfi_t scales[2], double w)
{
    mpfi_t *work = interval_take(3, mpfr_get_prec(&value->left));
    interval_lerp(value, values[0], values[1], w);
    for (int i = 0; i < 2; i++) {
        mpfi_abs(work[i], values[i]);
        mpfi_add(work[i], work[i], scales[i]);
    }
    interval_difference(work[2], 1, w);
    mpfi_mul(work[0], work[0], work[2]);
    mpfi_mul_d(work[1], work[1], w);
    mpfi_add(scale, work[0], work[1]);
    interval_return(3);
}

/* The finite values, or values inside segments, of what is to be blended. */
static void combine(const struct blend *blend, mpfi_t values[2], mpfi_t scales[2], mpfi_ptr value,
                    mpfi_ptr scale)
{
    if (blend->count == 2) {
        set_blend(value, scale, values, scales, blend->w);
    } else {
        mpfi_set(value, values[0]);
        mpfi_set(scale, scales[0]);
    }
}

/* One choice among what the rules leave: the alternative of each side. */
struct choice {
    size_t of[2];
};

static bool is_real(const struct blend *blend, struct choice choice)
{
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        if (side->alternatives > 0 && !isfinite(side->value[choice.of[i]])) {
            return false;
        }
    }
    return true;
}

/* Of values that rules give and that are not all finite. */
static double special_blend(const struct blend *blend, struct choice choice)
{
    double value[2] = {0, 0};
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        value[i] = side->alternatives > 0 ? side->value[choice.of[i]] : 0;
    }
    return blend->count == 1 || value[0] == value[1] ? value[0] : NAN;
}

/* Is it one double, whatever t'' is? */
static bool is_given(const struct blend *blend, double *value)
{
    struct choice first = {{0, 0}};
    bool given = blend->count == 1 ? blend->side[0]->alternatives > 0 : !is_real(blend, first);
    *value = given ? special_blend(blend, first) : 0;
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        for (size_t k = 1; k < side->alternatives; k++) {
            bool same = isnan(side->value[0])
                            ? isnan(side->value[k])
                            : side->value[0] == side->value[k] &&
                                  signbit(side->value[0]) == signbit(side->value[k]);
            given = given && same;
        }
    }
    return given;
}

/* The answer */

static void answer_build(const struct build *build, struct answer *answer)
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

/* The value at t'. Where t'' makes a difference to what a rule gives, the answer is a real, if only
 * in name: then `find` is asked. */
static void answer_blend(const struct blend *blend, mpfr_prec_t precision, struct answer *answer)
{
    if (is_given(blend, &answer->given[0])) {
        answer->kind = ANSWER_GIVEN;
        return;
    }
    answer->kind = ANSWER_REAL;
    interval_set_precision(answer->value[0], precision);
    interval_set_precision(answer->scale[0], precision);
    mpfi_t *value = interval_take(2, precision);
    mpfi_t *scale = interval_take(2, precision);
    struct choice first = {{0, 0}};
    if (!is_real(blend, first)) {
        mpfi_set_d(answer->value[0], special_blend(blend, first));
        mpfi_set_d(answer->scale[0], NAN);
    } else {
        for (size_t i = 0; i < blend->count; i++) {
            const struct side *side = blend->side[i];
            if (side->alternatives > 0) {
                mpfi_set_d(value[i], side->value[0]);
                mpfi_set_d(scale[i], fabs(side->value[0]));
            } else {
                evaluate(side, side->time, value[i], scale[i]);
            }
        }
        combine(blend, value, scale, answer->value[0], answer->scale[0]);
    }
    interval_return(2);
    interval_return(2);
}

static double factor_of(const struct blend *blend)
{
    double factor = HERMITE_K;
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        factor = side->inside && side->weighted ? BEZIER_K : factor;
    }
    return blend->count == 2 ? factor + BLEND_K : factor;
}

static void answer_curve(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    struct curve curve = curve_of(inputs, 0);
    struct build built = build(&curve);
    if (built.status != STATUS_OK) {
        answer_build(&built, answer);
        return;
    }
    answer_well(answer, 1);
    answer->length[AT] = 0;
    struct side side = side_open();
    locate(&side, &curve, *values_field(inputs, T), answer);
    struct blend blend = {{&side}, 1, 0};
    answer->factor = factor_of(&blend);
    answer_blend(&blend, precision, answer);
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
    struct build built[2] = {build(&curve[0]), build(&curve[1])};
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
    answer->factor = factor_of(&blend);
    answer_blend(&blend, precision, answer);
    side_close();
    side_close();
}

/* The verdict */

struct question {
    const struct blend *blend;
    const struct answer *answer;
    double result;
    mpfr_prec_t precision;
    bool equal; /* an error and a bound that cannot be told apart are equal */
};

/* Times that t'' may be, each side's in the order in which they are tried: the double nearest to
 * t', which is where a library that rounds the wrapped time is; t' itself; the ends of the window.
 */
enum { TRIED_NEAREST, TRIED_EXACT, TRIED_FROM, TRIED_TO, TRIED };

static void evaluate_tried(const struct side *side, size_t tried, mpfi_ptr value, mpfi_ptr scale)
{
    mpfi_t *work = interval_take(1, 53);
    mpfr_ptr nearest = &work[0]->left;
    switch (tried) {
    case TRIED_NEAREST: /* mpfr_get_d knows subnormals; between two doubles it leaves them not */
        mpfr_set_d(nearest, mpfr_get_d(side->time, MPFR_RNDN), MPFR_RNDN);
        evaluate(side, nearest, value, scale);
        break;
    case TRIED_EXACT:
        evaluate(side, side->time, value, scale);
        break;
    case TRIED_FROM:
        evaluate(side, side->from, value, scale);
        break;
    default:
        evaluate(side, side->to, value, scale);
    }
    interval_return(1);
}

/* What has been tried of one side. */
struct trials {
    size_t count; /* that there are */
    size_t ready; /* that are evaluated */
    mpfi_t *value, *scale;
};

static struct trials trials_open(const struct side *side, double value, mpfr_prec_t precision)
{
    struct trials trials = {.value = interval_take(TRIED, precision),
                            .scale = interval_take(TRIED, precision)};
    if (side->alternatives > 0) {
        trials.count = trials.ready = 1;
        mpfi_set_d(trials.value[0], value);
        mpfi_set_d(trials.scale[0], fabs(value));
    } else {
        trials.count = side->wrapped ? TRIED : 1;
    }
    return trials;
}

static void trials_close(size_t count)
{
    interval_return(2 * count * TRIED);
}

static void make_ready(struct trials *trials, const struct side *side, size_t tried)
{
    for (; trials->ready <= tried; trials->ready++) {
        evaluate_tried(side, trials->ready, trials->value[trials->ready],
                       trials->scale[trials->ready]);
    }
}

static struct assessment assess(const struct question *question, mpfi_srcptr value,
                                mpfi_srcptr scale)
{
    struct tolerance tolerance = {.scale = scale,
                                  .factor = question->answer->factor,
                                  .equal = question->equal,
                                  .precision = question->precision};
    return assessment_of_number(value, &tolerance, question->result);
}

/* The sum over the sides of (1 - w or w) max of `sign` F + kappa S, with S + |F| for S in a blend,
 * over all t''. */
struct reach {
    int sign;
    double kappa;
    int depth;
};

/* a F + b S, with the largest value on the stretch raising `maximum`. */
static void raise_maximum(mpfi_ptr maximum, mpfi_t value[4], mpfi_t scale[4], mpfi_srcptr a,
                          double b, int depth)
{
    mpfi_t *work = interval_take(5, mpfr_get_prec(&maximum->left));
    for (int i = 0; i < 4; i++) {
        mpfi_mul(work[i], value[i], a);
        mpfi_mul_d(work[4], scale[i], b);
        mpfi_add(work[i], work[i], work[4]);
    }
    reach_maximum(work[4], work, depth);
    mpfr_max(&maximum->left, &maximum->left, &work[4]->left, MPFR_RNDN);
    mpfr_max(&maximum->right, &maximum->right, &work[4]->right, MPFR_RNDN);
    interval_return(5);
}

/* With |F| in the scale it is the larger of sign F + kappa (S + F) and sign F + kappa (S - F). */
static void set_side_reach(mpfi_ptr maximum, mpfi_t value[4], mpfi_t scale[4],
                           const struct reach *reach, bool blended)
{
    mpfi_t *work = interval_take(1, mpfr_get_prec(&maximum->left));
    mpfr_set_inf(&maximum->left, -1);
    mpfr_set_inf(&maximum->right, -1);
    for (int of_size = -1; of_size <= 1; of_size++) {
        if ((of_size != 0) == blended) {
            mpfi_set_d(work[0], reach->kappa);
            mpfi_mul_si(work[0], work[0], of_size);
            mpfi_add_si(work[0], work[0], reach->sign);
            raise_maximum(maximum, value, scale, work[0], reach->kappa, reach->depth);
        }
    }
    interval_return(1);
}

/* The Bernstein coefficients of each side over its window; a point's are all the same. */
struct stretch {
    mpfi_t *value[2], *scale[2];
};
enum { COEFFICIENTS = 4 };

static struct stretch stretch_open(const struct question *question, struct choice choice)
{
    const struct blend *blend = question->blend;
    struct stretch stretch;
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        stretch.value[i] = interval_take(COEFFICIENTS, question->precision);
        stretch.scale[i] = interval_take(COEFFICIENTS, question->precision);
        for (size_t k = 0; k < COEFFICIENTS && side->alternatives > 0; k++) {
            mpfi_set_d(stretch.value[i][k], side->value[choice.of[i]]);
            mpfi_set_d(stretch.scale[i][k], fabs(side->value[choice.of[i]]));
        }
        if (side->alternatives == 0) {
            reach_coefficients(stretch.value[i], stretch.scale[i], &side->data, side->weighted,
                               side->from, side->to);
        }
    }
    return stretch;
}

static void stretch_close(const struct question *question)
{
    interval_return(2 * question->blend->count * COEFFICIENTS);
}

static void set_reach(mpfi_ptr sum, const struct question *question, const struct stretch *stretch,
                      const struct reach *reach)
{
    const struct blend *blend = question->blend;
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr part = work[0], weight = work[1];
    mpfi_set_ui(sum, 0);
    for (size_t i = 0; i < blend->count; i++) {
        set_side_reach(part, stretch->value[i], stretch->scale[i], reach, blend->count == 2);
        if (blend->count == 2) {
            mpfi_set_d(weight, blend->w);
            if (i == 0) {
                interval_difference(weight, 1, blend->w);
            }
            mpfi_mul(part, part, weight);
        }
        mpfi_add(sum, sum, part);
    }
    interval_return(2);
}

/* Is x <= the reach? */
static enum verdict compare_reach(const struct question *question, const struct stretch *stretch,
                                  const struct reach *reach, mpfi_srcptr x)
{
    mpfi_t *work = interval_take(1, question->precision);
    set_reach(work[0], question, stretch, reach);
    enum verdict verdict = assessment_compare(x, work[0], false);
    interval_return(1);
    return verdict;
}

/* Is the result at most `slack` beyond what F +- kappa S is between, or may be for some t''? Since
 * (F + kappa S + slack - r) + (r - F + kappa S + slack) >= 0 wherever t'' is, which is somewhere in
 * a connected set (an interval, or of two sides a rectangle), a t'' at which neither is negative is
 * missing only if one of them is negative for all t'': it is enough to look at the maximum of each,
 * and that of a sum with a t'' for each side is the sum of the maxima. */
static enum verdict judge_finite(const struct question *question, const struct stretch *stretch,
                                 double kappa, bool slack, int depth)
{
    enum verdict worst = VERDICT_WITHIN;
    mpfi_t *work = interval_take(2, question->precision);
    for (int sign = 1; sign >= -1 && worst != VERDICT_VIOLATION; sign -= 2) {
        struct reach reach = {sign, kappa, depth};
        mpfi_set_d(work[0], sign * question->result);
        if (slack) {
            mpfr_set_ui_2exp(&work[1]->left, 1, LEAST_EXPONENT, MPFR_RNDN);
            mpfi_sub_fr(work[0], work[0], &work[1]->left);
        }
        enum verdict verdict = compare_reach(question, stretch, &reach, work[0]);
        worst = verdict == VERDICT_WITHIN ? worst : verdict;
    }
    interval_return(2);
    return worst;
}

/* An infinity may stand for 2^1024 - 2^970 and what is beyond, at a t'' where F has its sign. */
static enum verdict judge_infinite(const struct question *question, const struct stretch *stretch,
                                   double kappa, int depth)
{
    int sign = question->result > 0 ? 1 : -1;
    struct reach bound = {sign, kappa, depth}, most = {sign, 0, depth}, least = {-sign, 0, depth};
    mpfi_t *work = interval_take(1, question->precision);
    mpfr_set_ui_2exp(&work[0]->left, (1UL << 54) - 1, 970, MPFR_RNDD);
    mpfr_set_ui_2exp(&work[0]->right, (1UL << 54) - 1, 970, MPFR_RNDU);
    enum verdict verdict = compare_reach(question, stretch, &bound, work[0]);
    mpfi_set_ui(work[0], 0);
    if (verdict == VERDICT_WITHIN) { /* least: is there an F of another sign, or 0? */
        bool some = compare_reach(question, stretch, &most, work[0]) != VERDICT_VIOLATION;
        bool all = compare_reach(question, stretch, &least, work[0]) == VERDICT_VIOLATION;
        verdict = all ? VERDICT_WITHIN : (some ? VERDICT_UNDECIDED : VERDICT_VIOLATION);
    }
    interval_return(1);
    return verdict == VERDICT_VIOLATION ? VERDICT_CLASS_MISMATCH : verdict;
}

/* Coarse first: what is far off shows at once. */
static enum verdict judge_reach(const struct question *question, const struct stretch *stretch,
                                double kappa, bool slack)
{
    enum verdict verdict = VERDICT_UNDECIDED;
    int deepest = (int)question->precision / 2 + 8;
    for (int depth = 0; verdict == VERDICT_UNDECIDED; depth = depth < 6 ? 6 : 4 * depth) {
        bool last = depth >= deepest;
        verdict = isinf(question->result)
                      ? judge_infinite(question, stretch, kappa, last ? deepest : depth)
                      : judge_finite(question, stretch, kappa, slack, last ? deepest : depth);
        if (last) {
            break;
        }
    }
    return verdict;
}

/* No t'' that was tried passes: looks at all of them. Where the result is between two values that F
 * takes it is one that F takes, and is not off at all; else the figures are those of the nearest
 * t'' that was tried, as far as the verdict lets them. */
static struct assessment assess_all(const struct question *question, struct choice choice,
                                    const struct assessment *nearest)
{
    struct assessment assessment = *nearest;
    struct stretch stretch = stretch_open(question, choice);
    double kappa = ldexp(question->answer->factor, U_EXPONENT);
    assessment.verdict = judge_reach(question, &stretch, kappa, true);
    if (assessment.verdict == VERDICT_WITHIN && !isinf(question->result) &&
        judge_reach(question, &stretch, 0, false) == VERDICT_WITHIN) {
        assessment.error_ulp = 0;
        assessment.error_scaled = 0;
        assessment.settled = true;
    }
    stretch_close(question);
    assessment.measured = assessment.measured && assessment.verdict != VERDICT_CLASS_MISMATCH;
    if (assessment.verdict == VERDICT_WITHIN && isinf(question->result)) {
        assessment.measured = assessment.settled = true;
        assessment.error_ulp = 0;
        assessment.error_scaled = 0;
        assessment.bound = question->answer->factor;
    }
    assessment_agree(&assessment);
    return assessment;
}

/* The first that passes of all t'' that are tried, else the one that is nearest to passing. */
static struct assessment assess_tried(const struct question *question, struct choice choice)
{
    const struct blend *blend = question->blend;
    mpfi_t *work = interval_take(6, question->precision);
    struct trials trials[2];
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        trials[i] = trials_open(side, side->value[choice.of[i]], question->precision);
    }
    size_t inner = blend->count == 2 ? trials[1].count : 1;
    struct assessment best = {0};
    for (size_t k = 0; k < trials[0].count * inner; k++) {
        const size_t tried[2] = {k / inner, k % inner};
        for (size_t i = 0; i < blend->count; i++) {
            make_ready(&trials[i], blend->side[i], tried[i]);
            mpfi_set(work[i], trials[i].value[tried[i]]);
            mpfi_set(work[2 + i], trials[i].scale[tried[i]]);
        }
        combine(blend, &work[0], &work[2], work[4], work[5]);
        struct assessment assessment = assess(question, work[4], work[5]);
        if (k == 0 || assessment_worse(&best, &assessment)) {
            best = assessment;
        }
        if (best.verdict == VERDICT_WITHIN) {
            break;
        }
    }
    trials_close(blend->count);
    interval_return(6);
    return best;
}

static bool is_wrapped(const struct blend *blend)
{
    for (size_t i = 0; i < blend->count; i++) {
        if (blend->side[i]->wrapped && blend->side[i]->alternatives == 0) {
            return true;
        }
    }
    return false;
}

/* The result against one of what the rules leave. */
static struct assessment assess_choice(const struct question *question, struct choice choice)
{
    const struct blend *blend = question->blend;
    bool by_rule = blend->count == 1 && blend->side[0]->alternatives > 0;
    if (by_rule || !is_real(blend, choice)) {
        return assessment_of_given(special_blend(blend, choice), question->result);
    }
    if (isnan(question->result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (!is_wrapped(blend) && choice.of[0] == 0 && choice.of[1] == 0) {
        return assess(question, question->answer->value[0], question->answer->scale[0]);
    }
    struct question asked = *question;
    asked.equal = false;
    struct assessment assessment = assess_tried(&asked, choice);
    if (assessment.verdict != VERDICT_WITHIN && is_wrapped(blend)) {
        assessment = assess_all(&asked, choice, &assessment);
    }
    return assessment;
}

static struct assessment assess_blend(const struct question *question)
{
    const struct blend *blend = question->blend;
    size_t outer = blend->side[0]->alternatives, inner = 1;
    outer = outer > 0 ? outer : 1;
    if (blend->count == 2 && blend->side[1]->alternatives > 0) {
        inner = blend->side[1]->alternatives;
    }
    struct assessment best = {0};
    for (size_t k = 0; k < outer * inner; k++) {
        struct choice choice = {{k / inner, k % inner}};
        struct assessment assessment = assess_choice(question, choice);
        if (k == 0 || assessment_worse(&best, &assessment)) {
            best = assessment;
        }
        if (best.verdict == VERDICT_WITHIN) {
            break;
        }
    }
    return best;
}

/* Lengths, and the numbers of the whole outputs, which come last. */
static bool agrees(const struct answer *answer, const struct values *results, size_t outputs)
{
    if (results->count != outputs) {
        return false;
    }
    size_t number = answer->length[VALUE];
    for (size_t k = 0; k < outputs; k++) {
        if (values_length(results, k) != answer->length[k]) {
            return false;
        }
        for (size_t i = 0; k != VALUE && i < answer->length[k]; i++, number++) {
            mpfr_srcptr wanted = &answer->value[number]->left;
            if (!(mpfr_get_d(wanted, MPFR_RNDN) == values_field(results, k)[i])) {
                return false;
            }
        }
    }
    return true;
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
    struct question question = {&blend, answer, values_field(results, VALUE)[0], precision,
                                precision == CURVE_PRECISION_LIMIT && !side.weighted};
    struct assessment assessment = assess_blend(&question);
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
    struct question question = {&blend, answer, values_field(results, VALUE)[0], precision,
                                precision == CROSSFADE_PRECISION_LIMIT && exact};
    struct assessment assessment = assess_blend(&question);
    side_close();
    side_close();
    return assessment;
}

static const char *const modes[] = {"none", "in", "out", "both", NULL};
static const char *const wraps[] = {"clamp", "loop", "ping_pong", NULL};
static const char *const statuses[] = {"ok",
                                       "empty",
                                       "time_not_finite",
                                       "value_not_finite",
                                       "times_fall",
                                       "times_equal",
                                       "three_at_one_time",
                                       "out_of_range",
                                       "no_such_choice",
                                       NULL};

static const struct field curve_inputs[CURVE_INPUTS] = {
    [TIMES] = {.name = "times",
               .kind = FIELD_LIST,
               .unit = "time",
               .meaning = "the keys' times, which do not fall; two of one time are a jump"},
    [VALUES] = {.name = "values",
                .kind = FIELD_LIST,
                .unit = "value",
                .meaning = "the keys' values",
                .length = LENGTH_EQUAL,
                .like = TIMES},
    [IN_TANGENTS] = {.name = "in_tangents",
                     .kind = FIELD_LIST,
                     .unit = "value/time",
                     .meaning = "the keys' slopes on the left",
                     .length = LENGTH_EQUAL,
                     .like = TIMES},
    [OUT_TANGENTS] = {.name = "out_tangents",
                      .kind = FIELD_LIST,
                      .unit = "value/time",
                      .meaning = "the keys' slopes on the right",
                      .length = LENGTH_EQUAL,
                      .like = TIMES},
    [MODES] = {.name = "modes",
               .kind = FIELD_LIST,
               .unit = "1",
               .meaning = "which sides of the keys are weighted; empty: none",
               .choices = modes,
               .length = LENGTH_EQUAL_OR_EMPTY,
               .like = TIMES},
    [IN_WEIGHTS] = {.name = "in_weights",
                    .kind = FIELD_LIST,
                    .unit = "1",
                    .meaning = "the keys' weights on the left; empty: all NaN",
                    .length = LENGTH_EQUAL_OR_EMPTY,
                    .like = TIMES},
    [OUT_WEIGHTS] = {.name = "out_weights",
                     .kind = FIELD_LIST,
                     .unit = "1",
                     .meaning = "the keys' weights on the right; empty: all NaN",
                     .length = LENGTH_EQUAL_OR_EMPTY,
                     .like = TIMES},
    [BEFORE] = {.name = "before",
                .kind = FIELD_NUMBER,
                .unit = "1",
                .meaning = "the wrap before the first key",
                .choices = wraps},
    [AFTER] = {.name = "after",
               .kind = FIELD_NUMBER,
               .unit = "1",
               .meaning = "the wrap after the last key",
               .choices = wraps},
    [T] = {.name = "t", .kind = FIELD_NUMBER, .unit = "time", .meaning = "the time asked for"},
};

static const struct field curve_outputs[CURVE_OUTPUTS] = {
    [VALUE] = {.name = "",
               .kind = FIELD_LIST,
               .unit = "value",
               .meaning = "the value at t; none if the curve cannot be built"},
    [STATUS] = {.name = "status",
                .kind = FIELD_NUMBER,
                .unit = "1",
                .meaning = "what building the curve returns",
                .choices = statuses},
    [AT] = {.name = "at",
            .kind = FIELD_LIST,
            .unit = "1",
            .meaning = "the keys that the status is about"},
};

static const struct field crossfade_inputs[CROSSFADE_INPUTS] = {
    [A + TIMES] = {.name = "a_times",
                   .kind = FIELD_LIST,
                   .unit = "time",
                   .meaning = "curve a's key times, which do not fall; two of one time are a jump"},
    [A + VALUES] = {.name = "a_values",
                    .kind = FIELD_LIST,
                    .unit = "value",
                    .meaning = "curve a's key values",
                    .length = LENGTH_EQUAL,
                    .like = A + TIMES},
    [A + IN_TANGENTS] = {.name = "a_in_tangents",
                         .kind = FIELD_LIST,
                         .unit = "value/time",
                         .meaning = "its slopes on the left of the keys",
                         .length = LENGTH_EQUAL,
                         .like = A + TIMES},
    [A + OUT_TANGENTS] = {.name = "a_out_tangents",
                          .kind = FIELD_LIST,
                          .unit = "value/time",
                          .meaning = "its slopes on the right of the keys",
                          .length = LENGTH_EQUAL,
                          .like = A + TIMES},
    [A + MODES] = {.name = "a_modes",
                   .kind = FIELD_LIST,
                   .unit = "1",
                   .meaning = "which sides of its keys are weighted; empty: none",
                   .choices = modes,
                   .length = LENGTH_EQUAL_OR_EMPTY,
                   .like = A + TIMES},
    [A + IN_WEIGHTS] = {.name = "a_in_weights",
                        .kind = FIELD_LIST,
                        .unit = "1",
                        .meaning = "its weights on the left of the keys; empty: all NaN",
                        .length = LENGTH_EQUAL_OR_EMPTY,
                        .like = A + TIMES},
    [A + OUT_WEIGHTS] = {.name = "a_out_weights",
                         .kind = FIELD_LIST,
                         .unit = "1",
                         .meaning = "its weights on the right of the keys; empty: all NaN",
                         .length = LENGTH_EQUAL_OR_EMPTY,
                         .like = A + TIMES},
    [A + BEFORE] = {.name = "a_before",
                    .kind = FIELD_NUMBER,
                    .unit = "1",
                    .meaning = "its wrap before the first key",
                    .choices = wraps},
    [A + AFTER] = {.name = "a_after",
                   .kind = FIELD_NUMBER,
                   .unit = "1",
                   .meaning = "its wrap after the last key",
                   .choices = wraps},
    [B + TIMES] = {.name = "b_times",
                   .kind = FIELD_LIST,
                   .unit = "time",
                   .meaning = "curve b's key times, which do not fall; two of one time are a jump"},
    [B + VALUES] = {.name = "b_values",
                    .kind = FIELD_LIST,
                    .unit = "value",
                    .meaning = "curve b's key values",
                    .length = LENGTH_EQUAL,
                    .like = B + TIMES},
    [B + IN_TANGENTS] = {.name = "b_in_tangents",
                         .kind = FIELD_LIST,
                         .unit = "value/time",
                         .meaning = "its slopes on the left of the keys",
                         .length = LENGTH_EQUAL,
                         .like = B + TIMES},
    [B + OUT_TANGENTS] = {.name = "b_out_tangents",
                          .kind = FIELD_LIST,
                          .unit = "value/time",
                          .meaning = "its slopes on the right of the keys",
                          .length = LENGTH_EQUAL,
                          .like = B + TIMES},
    [B + MODES] = {.name = "b_modes",
                   .kind = FIELD_LIST,
                   .unit = "1",
                   .meaning = "which sides of its keys are weighted; empty: none",
                   .choices = modes,
                   .length = LENGTH_EQUAL_OR_EMPTY,
                   .like = B + TIMES},
    [B + IN_WEIGHTS] = {.name = "b_in_weights",
                        .kind = FIELD_LIST,
                        .unit = "1",
                        .meaning = "its weights on the left of the keys; empty: all NaN",
                        .length = LENGTH_EQUAL_OR_EMPTY,
                        .like = B + TIMES},
    [B + OUT_WEIGHTS] = {.name = "b_out_weights",
                         .kind = FIELD_LIST,
                         .unit = "1",
                         .meaning = "its weights on the right of the keys; empty: all NaN",
                         .length = LENGTH_EQUAL_OR_EMPTY,
                         .like = B + TIMES},
    [B + BEFORE] = {.name = "b_before",
                    .kind = FIELD_NUMBER,
                    .unit = "1",
                    .meaning = "its wrap before the first key",
                    .choices = wraps},
    [B + AFTER] = {.name = "b_after",
                   .kind = FIELD_NUMBER,
                   .unit = "1",
                   .meaning = "its wrap after the last key",
                   .choices = wraps},
    [BLEND_T] = {.name = "t",
                 .kind = FIELD_NUMBER,
                 .unit = "time",
                 .meaning = "the time asked for"},
    [W] = {.name = "w", .kind = FIELD_NUMBER, .unit = "1", .meaning = "how much of b, 0 to 1"},
};

static const struct field crossfade_outputs[CROSSFADE_OUTPUTS] = {
    [VALUE] = {.name = "",
               .kind = FIELD_LIST,
               .unit = "value",
               .meaning = "the blend at t; none if a curve cannot be built"},
    [A_STATUS] = {.name = "a_status",
                  .kind = FIELD_NUMBER,
                  .unit = "1",
                  .meaning = "what building curve a returns",
                  .choices = statuses},
    [B_STATUS] = {.name = "b_status",
                  .kind = FIELD_NUMBER,
                  .unit = "1",
                  .meaning = "what building curve b returns",
                  .choices = statuses},
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
        "|r - F(t'')| <= K u S(t'') + 2^-1074, with K = 12 in a segment of hermite and K = 64 in "
        "one of bezier; t'' = t where no wrap applies, else any t'' in that closed segment with "
        "|t'' - t'| <= u max(|first|, |last|)",
    .precision_limit = CURVE_PRECISION_LIMIT,
    .answer = answer_curve,
    .find = find_curve,
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
        "|r - F| <= K u S + 2^-1074, with K = 14 where no segment is of bezier, else 66, and each "
        "curve at a t'' of its own; of one curve alone, as curve",
    .precision_limit = CROSSFADE_PRECISION_LIMIT,
    .answer = answer_crossfade,
    .find = find_crossfade,
};
