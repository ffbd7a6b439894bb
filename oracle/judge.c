#include "judge.h"
#include "decimal.h"
#include "interval.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>

struct judge {
    struct answer answer;
    mpfr_exp_t former_least_exponent;
    mpfr_exp_t former_largest_exponent;
};

/* What a assessment is made from. */
struct question {
    const struct function *function;
    const struct answer *answer;
    const struct values *inputs;
    const struct values *results;
    mpfr_prec_t precision;
    bool equal; /* an error and a bound that cannot be told apart are equal */
};

/* How far a result is off. */
struct distance {
    mpfi_srcptr length;
    mpfi_srcptr square; /* of a vector's; else NULL */
    size_t components;
};

static void set_precisions(struct answer *answer, void (*each)(mpfi_ptr))
{
    for (size_t k = 0; k < OUTPUTS_MAX; k++) {
        each(answer->value[k]);
        each(answer->scale[k]);
    }
    each(answer->magnitude);
}

static void start(mpfi_ptr interval)
{
    mpfi_init2(interval, PRECISION_FIRST);
}

struct judge *judge_create(void)
{
    struct judge *judge = calloc(1, sizeof *judge);
    if (!judge) {
        fputs("truelerp: out of memory\n", stderr);
        exit(3);
    }
    judge->former_least_exponent = mpfr_get_emin();
    judge->former_largest_exponent = mpfr_get_emax();
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    set_precisions(&judge->answer, start);
    return judge;
}

void judge_destroy(struct judge *judge)
{
    if (!judge) {
        return;
    }
    set_precisions(&judge->answer, mpfi_clear);
    mpfr_set_emin(judge->former_least_exponent);
    mpfr_set_emax(judge->former_largest_exponent);
    free(judge);
    interval_free();
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

/* The bound K u S + sqrt(n) 2^-1074 against the error, and both over max(u S, 2^-1074), where
 * 2^-1074 counts. `unit` is u S. */
static void compare_closely(const struct question *question, const struct distance *error,
                            mpfi_ptr unit, struct assessment *assessment)
{
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr bound = work[0], figure = work[1];
    mpfi_set_ui(figure, error->components);
    mpfi_sqrt(figure, figure);
    mpfi_mul_2si(figure, figure, LEAST_EXPONENT);
    mpfi_mul_d(bound, unit, question->function->K);
    mpfi_add(bound, bound, figure);
    if (error->square && mpfi_is_zero(unit) > 0) { /* two square roots, which may be equal */
        mpfi_set_ui(figure, error->components);
        mpfi_mul_2si(figure, figure, 2L * LEAST_EXPONENT);
        assessment->verdict = assessment_compare(error->square, figure, question->equal);
    } else {
        assessment->verdict = assessment_compare(error->length, bound, question->equal);
    }

    mpfr_set_ui_2exp(&figure->left, 1, LEAST_EXPONENT, MPFR_RNDN);
    mpfr_max(&unit->left, &unit->left, &figure->left, MPFR_RNDD);
    mpfr_max(&unit->right, &unit->right, &figure->left, MPFR_RNDU);
    mpfi_div(figure, error->length, unit);
    assessment->error_scaled = assessment_on_grid(figure, assessment);
    mpfi_div(figure, bound, unit);
    assessment->bound = assessment_on_grid(figure, assessment);
    interval_return(2);
}

/* From 2^-1000 on, 2^-1074 vanishes from the bound over u S when that is put on the grid, and an
 * error of at most K u S needs no closer look. */
enum { ORDINARY_EXPONENT = -1000 };

static struct assessment find_scaled(const struct question *question, const struct distance *error,
                                     mpfi_srcptr magnitude, mpfi_srcptr scale)
{
    struct assessment assessment = {.measured = true, .settled = true};
    double K = question->function->K;
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr unit = work[0], figure = work[1];
    mpfi_mul_2si(unit, scale, U_EXPONENT);
    bool ordinary = mpfr_sgn(&unit->left) > 0 && mpfr_get_exp(&unit->left) > ORDINARY_EXPONENT;
    if (ordinary) {
        mpfi_div(figure, error->length, unit);
    }
    if (ordinary && mpfr_cmp_d(&figure->right, K) <= 0) {
        assessment.verdict = VERDICT_WITHIN;
        assessment.error_scaled = assessment_on_grid(figure, &assessment);
        assessment.bound = K;
    } else {
        compare_closely(question, error, unit, &assessment);
    }
    assessment.error_ulp = assessment_in_ulps(error->length, magnitude, &assessment);
    interval_return(2);
    assessment_agree(&assessment);
    return assessment;
}

/* 2^1024 - 2^970, from which on numbers round to infinity. */
static void set_overflow(mpfr_ptr result)
{
    mpfr_set_ui_2exp(result, (1UL << 54) - 1, 970, MPFR_RNDN);
}

/* Is an infinite result one that |F| + K u S and the sign of F allow? */
static enum verdict judge_infinity(const struct question *question, mpfi_srcptr value,
                                   mpfi_srcptr scale, double result)
{
    mpfi_t *work = interval_take(3, question->precision);
    mpfi_ptr reach = work[0], term = work[1], limit = work[2];
    mpfi_abs(reach, value);
    mpfi_mul_d(term, scale, question->function->K);
    mpfi_mul_2si(term, term, U_EXPONENT);
    mpfi_add(reach, reach, term);
    set_overflow(&limit->left);
    set_overflow(&limit->right);
    enum verdict verdict = assessment_compare(limit, reach, question->equal);
    bool sign_differs = result > 0 ? mpfr_sgn(&value->right) <= 0 : mpfr_sgn(&value->left) >= 0;
    bool sign_agrees = result > 0 ? mpfr_sgn(&value->left) > 0 : mpfr_sgn(&value->right) < 0;
    interval_return(3);
    if (verdict == VERDICT_VIOLATION || sign_differs) {
        return VERDICT_CLASS_MISMATCH;
    }
    return sign_agrees ? verdict : VERDICT_UNDECIDED;
}

static struct assessment find_infinity(const struct question *question, mpfi_srcptr value,
                                       mpfi_srcptr scale, double result)
{
    struct assessment assessment = assessment_of(judge_infinity(question, value, scale, result));
    assessment.measured = assessment.verdict == VERDICT_WITHIN;
    assessment.bound = assessment.measured ? question->function->K : 0;
    return assessment;
}

static struct assessment find_number(const struct question *question, size_t k)
{
    double result = question->results->number[k];
    mpfi_srcptr value = question->answer->value[k];
    mpfi_srcptr scale = question->answer->scale[k];
    if (isnan(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (isinf(result)) {
        return find_infinity(question, value, scale, result);
    }
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr length = work[0], magnitude = work[1];
    mpfi_sub_d(length, value, result);
    mpfi_abs(length, length);
    mpfi_abs(magnitude, value);
    struct distance error = {length, NULL, 1};
    struct assessment assessment = find_scaled(question, &error, magnitude, scale);
    interval_return(2);
    return assessment;
}

/* Classes first: every component that is not finite must be an infinity that is allowed. */
static enum verdict judge_components(const struct question *question)
{
    enum verdict verdict = VERDICT_WITHIN;
    for (size_t k = 0; k < question->function->output_count; k++) {
        double result = question->results->number[k];
        if (isfinite(result)) {
            continue;
        }
        enum verdict component = isnan(result)
                                     ? VERDICT_CLASS_MISMATCH
                                     : judge_infinity(question, question->answer->value[k],
                                                      question->answer->scale[0], result);
        if (component == VERDICT_CLASS_MISMATCH) {
            return component;
        }
        verdict = component == VERDICT_UNDECIDED ? component : verdict;
    }
    return verdict;
}

/* An allowed infinity counts as no error. */
static struct assessment find_vector(const struct question *question)
{
    enum verdict verdict = judge_components(question);
    if (verdict != VERDICT_WITHIN) {
        return assessment_of(verdict);
    }
    size_t count = question->function->output_count;
    const struct answer *answer = question->answer;
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr square = work[0], part = work[1];
    mpfi_set_ui(square, 0);
    for (size_t k = 0; k < count; k++) {
        if (isfinite(question->results->number[k])) {
            mpfi_sub_d(part, answer->value[k], question->results->number[k]);
            mpfi_sqr(part, part);
            mpfi_add(square, square, part);
        }
    }
    mpfi_sqrt(part, square);
    struct distance error = {part, square, count};
    struct assessment assessment =
        find_scaled(question, &error, answer->magnitude, answer->scale[0]);
    interval_return(2);
    return assessment;
}

/* mpfr_get_d rounds once, subnormals and overflow included. */
static struct assessment find_rounded(const struct question *question, size_t k)
{
    double result = question->results->number[k];
    mpfi_srcptr value = question->answer->value[k];
    double nearest = mpfr_get_d(&value->left, MPFR_RNDN);
    struct assessment assessment = {.measured = true,
                                    .settled = true,
                                    .bound = question->function->K};
    if (isnan(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (nearest != mpfr_get_d(&value->right, MPFR_RNDN)) {
        assessment.verdict = VERDICT_UNDECIDED;
    } else if (nearest == result) {
        assessment.verdict = VERDICT_WITHIN;
    } else {
        assessment.verdict = isinf(result) ? VERDICT_CLASS_MISMATCH : VERDICT_VIOLATION;
    }
    if (isinf(result)) {
        assessment.measured = assessment.verdict == VERDICT_WITHIN;
        return assessment;
    }
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_sub_d(work[0], value, result);
    mpfi_abs(work[0], work[0]);
    mpfi_abs(work[1], value);
    assessment.error_ulp = assessment_in_ulps(work[0], work[1], &assessment);
    assessment.error_scaled = assessment.error_ulp;
    interval_return(2);
    assessment_agree(&assessment);
    return assessment;
}

/* One component against a double that is to be returned bit for bit. Without a scale, the error is
 * given in ulps twice. */
static struct assessment find_given(double wanted, double result)
{
    if (isnan(wanted) || isnan(result)) {
        bool same = isnan(wanted) && isnan(result);
        return assessment_of(same ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
    }
    if (wanted == result) {
        bool same = signbit(wanted) == signbit(result);
        return assessment_of(same ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
    }
    if (!isfinite(wanted) != !isfinite(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    struct assessment assessment = assessment_of(VERDICT_VIOLATION);
    if (isinf(wanted)) {
        return assessment;
    }
    mpfi_t *work = interval_take(2, PRECISION_FIRST);
    interval_difference(work[0], wanted, result);
    mpfi_abs(work[0], work[0]);
    mpfi_set_d(work[1], fabs(wanted));
    assessment.measured = true;
    assessment.error_ulp = assessment_in_ulps(work[0], work[1], &assessment);
    assessment.error_scaled = assessment.error_ulp;
    interval_return(2);
    assessment_agree(&assessment);
    return assessment;
}

static void summarise(const struct assessment *assessments, size_t count,
                      struct judgement *judgement)
{
    size_t shown = 0;
    for (size_t k = 1; k < count; k++) {
        if (assessment_worse(&assessments[k], &assessments[shown])) {
            shown = k;
        }
    }
    judgement->verdict = assessments[shown].verdict;
    judgement->measured = assessments[shown].measured;
    judgement->error_ulp = assessments[shown].error_ulp;
    judgement->error_scaled = assessments[shown].error_scaled;
    judgement->bound = assessments[shown].bound;
    judgement->output = shown;
}

static void judge_given(const struct question *question, struct judgement *judgement)
{
    struct assessment assessments[OUTPUTS_MAX] = {{0}};
    for (size_t k = 0; k < question->function->output_count; k++) {
        assessments[k] = find_given(question->answer->given[k], question->results->number[k]);
    }
    summarise(assessments, question->function->output_count, judgement);
    judgement->outcome = OUTCOME_EXACT;
}

/* The position of an output's first number among the answer's. */
static size_t first_number(const struct answer *answer, size_t output)
{
    size_t first = 0;
    for (size_t k = 0; k < output; k++) {
        first += answer->length[k];
    }
    return first;
}

static struct assessment find(const struct question *question, size_t k)
{
    const struct function *function = question->function;
    switch (function->measure) {
    case MEASURE_SCALED:
        return find_number(question, k);
    case MEASURE_VECTOR:
        return find_vector(question);
    case MEASURE_ROUNDED:
        return find_rounded(question, k);
    case MEASURE_OWN:
        return function->find(question->inputs, question->answer, question->results,
                              question->precision);
    }
    return assessment_of(VERDICT_UNDECIDED);
}

/* Judges what is known at this precision. Returns whether more precision is called for. */
static bool judge_real(const struct question *question, struct judgement *judgement)
{
    const struct function *function = question->function;
    bool whole = function->measure == MEASURE_VECTOR || function->measure == MEASURE_OWN;
    size_t count = whole ? 1 : function->output_count;
    struct assessment assessments[OUTPUTS_MAX] = {{0}};
    bool decided = true;
    bool settled = true;
    for (size_t k = 0; k < count; k++) {
        assessments[k] = find(question, k);
        decided = decided && assessments[k].verdict != VERDICT_UNDECIDED;
        settled = settled && assessments[k].settled;
    }
    summarise(assessments, count, judgement);
    judgement->precision = question->precision;
    judgement->outcome =
        judgement->verdict == VERDICT_UNDECIDED ? OUTCOME_UNDECIDED : OUTCOME_EXACT;
    size_t numbers = first_number(question->answer, function->output_count);
    for (size_t k = 0; k < numbers && judgement->outcome == OUTCOME_EXACT; k++) {
        mpfi_srcptr value = question->answer->value[k];
        if (!mpfr_equal_p(&value->left, &value->right)) {
            judgement->outcome = OUTCOME_ENCLOSED;
        }
    }
    return !decided || (!settled && question->precision < REPORT_PRECISION);
}

static mpfr_prec_t first_precision(const struct function *function)
{
    return PRECISION_FIRST < function->precision_limit ? PRECISION_FIRST
                                                       : function->precision_limit;
}

static mpfr_prec_t next_precision(const struct function *function, mpfr_prec_t precision)
{
    return 2 * precision < function->precision_limit ? 2 * precision : function->precision_limit;
}

static void ask(const struct function *function, const struct values *inputs, mpfr_prec_t precision,
                struct answer *answer)
{
    for (size_t k = 0; k < OUTPUTS_MAX; k++) {
        answer->length[k] = 1;
    }
    function->answer(inputs, precision, answer);
}

void judge_case(struct judge *judge, const struct function *function, const struct values *inputs,
                const struct values *results, struct judgement *judgement)
{
    struct question question = {.function = function,
                                .answer = &judge->answer,
                                .inputs = inputs,
                                .results = results,
                                .precision = first_precision(function)};
    *judgement = (struct judgement){.verdict = VERDICT_UNDEFINED, .outcome = OUTCOME_UNDEFINED};
    for (;;) {
        ask(function, inputs, question.precision, &judge->answer);
        bool last = question.precision == function->precision_limit;
        question.equal = last && function->equal_at_limit;
        if (judge->answer.kind == ANSWER_UNDEFINED) {
            return;
        }
        if (judge->answer.kind == ANSWER_GIVEN) {
            judge_given(&question, judgement);
            return;
        }
        if (!judge_real(&question, judgement) || last) {
            return;
        }
        question.precision = next_precision(function, question.precision);
    }
}

/* What is not settled at the limit is 0 if it may be, else a tie of the 40 digits, which is to go
 * away from 0. */
static void write_last_resort(mpfi_srcptr value, FILE *stream)
{
    if (mpfi_has_zero(value)) {
        fputs("0.0", stream);
    } else {
        decimal_write_number(mpfr_sgn(&value->left) > 0 ? &value->right : &value->left, stream);
    }
}

/* The numbers of one output, ';' between them. Returns false, and writes nothing, if a digit is not
 * certain and `last` is not set. */
static bool write_numbers(const struct function *function, const struct answer *answer,
                          size_t output, bool last, FILE *stream)
{
    size_t first = first_number(answer, output);
    for (size_t i = 0; i < answer->length[output] && !last; i++) {
        if (!decimal_settled(answer->value[first + i])) {
            return false;
        }
    }
    for (size_t i = 0; i < answer->length[output]; i++) {
        if (i > 0) {
            fputc(';', stream);
        }
        if (function->whole[output]) {
            decimal_write_whole(&answer->value[first + i]->left, stream);
        } else if (!decimal_write(answer->value[first + i], stream)) {
            write_last_resort(answer->value[first + i], stream);
        }
    }
    return true;
}

void judge_write_exact(struct judge *judge, const struct function *function,
                       const struct values *inputs, size_t output, FILE *stream)
{
    struct answer *answer = &judge->answer;
    for (mpfr_prec_t precision = first_precision(function);;
         precision = next_precision(function, precision)) {
        ask(function, inputs, precision, answer);
        if (answer->kind == ANSWER_UNDEFINED) {
            return;
        }
        if (answer->kind == ANSWER_GIVEN) {
            mpfi_t *work = interval_take(1, PRECISION_FIRST);
            mpfr_set_d(&work[0]->left, answer->given[output], MPFR_RNDN);
            decimal_write_number(&work[0]->left, stream);
            interval_return(1);
            return;
        }
        bool last = precision == function->precision_limit;
        if (write_numbers(function, answer, output, last, stream)) {
            return;
        }
    }
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {[VERDICT_WITHIN] = "within",
                                                     [VERDICT_VIOLATION] = "violation",
                                                     [VERDICT_CLASS_MISMATCH] = "class mismatch",
                                                     [VERDICT_UNDECIDED] = "undecided",
                                                     [VERDICT_UNDEFINED] = "undefined"};
    return names[verdict];
}

const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {[OUTCOME_EXACT] = "exact",
                                        [OUTCOME_ENCLOSED] = "enclosed",
                                        [OUTCOME_UNDEFINED] = "undefined",
                                        [OUTCOME_UNDECIDED] = "undecided"};
    return names[outcome];
}
