#include "blend.h"
#include "interval.h"
#include "joint.h"
#include "reach.h"

#include <math.h>

enum { COEFFICIENTS = 4 };

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

static double factor_of(const struct blend *blend)
{
    double factor = HERMITE_K;
    for (size_t i = 0; i < blend->count; i++) {
        const struct side *side = blend->side[i];
        factor = side->inside && side->weighted ? BEZIER_K : factor;
    }
    return blend->count == 2 ? factor + BLEND_K : factor;
}

void blend_answer(const struct blend *blend, mpfr_prec_t precision, struct answer *answer)
{
    answer->factor = factor_of(blend);
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

/* The verdict */

/* Times that t'' may be, each side's in the order in which they are tried: the double nearest to
 * t', which is where a library that rounds the wrapped time is; t' itself; the ends of the window.
 */
enum { TRIED_NEAREST, TRIED_EXACT, TRIED_FROM, TRIED_TO, TRIED };

static void evaluate_tried(const struct side *side, size_t tried, mpfi_ptr value, mpfi_ptr scale)
{
    mpfi_t *work = interval_take(1, 53);
    mpfr_ptr nearest = &work[0]->left;
    switch (tried) {
    case TRIED_NEAREST: /* from between two keys' times, rounding does not lead beyond them */
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

static struct assessment assess(const struct blend_question *question, mpfi_srcptr value,
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

static struct stretch stretch_open(const struct blend_question *question, struct choice choice)
{
    const struct blend *blend = question->blend;
    struct stretch stretch = {{NULL, NULL}, {NULL, NULL}};
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

static void stretch_close(const struct blend_question *question)
{
    interval_return(2 * question->blend->count * COEFFICIENTS);
}

static void set_reach(mpfi_ptr sum, const struct blend_question *question,
                      const struct stretch *stretch, const struct reach *reach)
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
static enum verdict compare_reach(const struct blend_question *question,
                                  const struct stretch *stretch, const struct reach *reach,
                                  mpfi_srcptr x)
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
static enum verdict judge_finite(const struct blend_question *question,
                                 const struct stretch *stretch, double kappa, bool slack, int depth)
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

/* Both at one t'', the sign and the bound. */
static enum verdict judge_jointly(const struct blend_question *question,
                                  const struct stretch *stretch, const struct reach *bound,
                                  mpfi_srcptr limit)
{
    const struct blend *blend = question->blend;
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_set_ui(work[0], 1);
    mpfi_set_d(work[1], blend->w);
    if (blend->count == 2) {
        interval_difference(work[0], 1, blend->w);
    }
    struct joint joint = {.count = blend->count,
                          .value = {stretch->value[0], stretch->value[1]},
                          .scale = {stretch->scale[0], stretch->scale[1]},
                          .weight = {work[0], work[1]},
                          .sign = bound->sign,
                          .kappa = bound->kappa,
                          .limit = limit,
                          .precision = question->precision};
    enum verdict verdict = joint_holds(&joint, bound->depth);
    interval_return(2);
    return verdict;
}

/* An infinity may stand for 2^1024 - 2^970 and what is beyond, at a t'' where F has its sign. */
static enum verdict judge_infinite(const struct blend_question *question,
                                   const struct stretch *stretch, double kappa, int depth)
{
    int sign = question->result > 0 ? 1 : -1;
    struct reach bound = {sign, kappa, depth}, most = {sign, 0, depth}, least = {-sign, 0, depth};
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr limit = work[1];
    interval_set_overflow(limit);
    enum verdict verdict = compare_reach(question, stretch, &bound, limit);
    mpfi_set_ui(work[0], 0);
    if (verdict == VERDICT_WITHIN) { /* least: is there an F of another sign, or 0? */
        bool some = compare_reach(question, stretch, &most, work[0]) != VERDICT_VIOLATION;
        bool all = compare_reach(question, stretch, &least, work[0]) == VERDICT_VIOLATION;
        verdict = all    ? VERDICT_WITHIN
                  : some ? judge_jointly(question, stretch, &bound, limit)
                         : VERDICT_VIOLATION;
    }
    interval_return(2);
    return verdict == VERDICT_VIOLATION ? VERDICT_CLASS_MISMATCH : verdict;
}

/* Coarse first: what is far off shows at once. */
static enum verdict judge_reach(const struct blend_question *question,
                                const struct stretch *stretch, double kappa, bool slack)
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
static struct assessment assess_all(const struct blend_question *question, struct choice choice,
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

/* May it pass at a higher precision? */
static bool is_open(const struct blend_question *question, const struct assessment *assessment)
{
    return assessment->verdict == VERDICT_UNDECIDED && !question->last;
}

/* The first that passes, or may, of all t'' that are tried, else the one nearest to passing. */
static struct assessment assess_tried(const struct blend_question *question, struct choice choice)
{
    const struct blend *blend = question->blend;
    mpfi_t *work = interval_take(6, question->precision);
    struct trials trials[2] = {{0}};
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
        if (best.verdict == VERDICT_WITHIN || is_open(question, &best)) {
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
static struct assessment assess_choice(const struct blend_question *question, struct choice choice)
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
    struct blend_question asked = *question;
    asked.equal = false;
    struct assessment assessment = assess_tried(&asked, choice);
    bool passes = assessment.verdict == VERDICT_WITHIN;
    if (!passes && !is_open(question, &assessment) && is_wrapped(blend)) {
        assessment = assess_all(&asked, choice, &assessment);
    }
    return assessment;
}

struct assessment blend_assess(const struct blend_question *question)
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
        if (best.verdict == VERDICT_WITHIN || is_open(question, &best)) {
            break;
        }
    }
    return best;
}
