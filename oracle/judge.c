#include "judge.h"
#include "decimal.h"
#include "filter_stage.h"
#include "interval.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    struct answer answer;
    struct estimate estimate;
    bool filter;
    const struct function *free; /* the last one seen whose inputs may be any numbers */
    mpfr_exp_t former_least_exponent;
    mpfr_exp_t former_largest_exponent;
};

/* What an assessment is made from. */
struct question {
    const struct function *function;
    const struct answer *answer;
    const struct values *inputs;
    const struct values *results;
    mpfr_prec_t precision;
    bool equal; /* an error and a bound that cannot be told apart are equal */
};

static void set_precisions(struct answer *answer, void (*each)(mpfi_ptr))
{
    for (size_t k = 0; k < NUMBERS_MAX; k++) {
        each(answer->value[k]);
        each(answer->scale[k]);
        each(answer->slack[k]);
    }
    each(answer->magnitude);
    each(answer->figure);
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
    judge->filter = true;
    return judge;
}

void judge_set_filter(struct judge *judge, bool on)
{
    judge->filter = on;
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

static struct tolerance tolerance_of(const struct question *question, size_t number)
{
    const struct answer *answer = question->answer;
    return (struct tolerance){.scale = answer->scale[number],
                              .factor = answer->factor,
                              .slack = question->function->slack ? answer->slack[number] : NULL,
                              .equal = question->equal,
                              .precision = question->precision};
}

/* Classes first: every component that is not finite must be an infinity that is allowed. */
static enum verdict judge_components(const struct question *question)
{
    enum verdict verdict = VERDICT_WITHIN;
    struct tolerance tolerance = tolerance_of(question, 0);
    for (size_t k = 0; k < question->function->output_count; k++) {
        double result = question->results->number[k];
        if (isfinite(result)) {
            continue;
        }
        enum verdict component =
            isnan(result) ? VERDICT_CLASS_MISMATCH
                          : assessment_of_infinity(question->answer->value[k], &tolerance, result);
        if (component == VERDICT_CLASS_MISMATCH) {
            return component;
        }
        verdict = component == VERDICT_UNDECIDED ? component : verdict;
    }
    return verdict;
}

/* ||r| - |F|| against length_K u |F| + sqrt(n) 2^-1074. */
static struct assessment find_length(const struct question *question)
{
    size_t count = question->function->output_count;
    mpfi_srcptr magnitude = question->answer->magnitude;
    mpfi_t *work = interval_take(3, question->precision);
    mpfi_ptr length = work[0], part = work[1], square = work[2];
    mpfi_set_ui(square, 0);
    for (size_t k = 0; k < count; k++) {
        mpfi_set_d(part, question->results->number[k]);
        mpfi_sqr(part, part);
        mpfi_add(square, square, part);
    }
    mpfi_sqrt(length, square);
    mpfi_sub(length, length, magnitude);
    mpfi_abs(length, length);
    /* the square counts where S = |F| is 0 only, and then it is that of the length */
    struct distance error = {length, square, count};
    struct tolerance tolerance = {.scale = magnitude,
                                  .factor = question->function->length_K,
                                  .equal = question->equal,
                                  .precision = question->precision};
    struct assessment assessment = assessment_of_distance(&error, magnitude, &tolerance);
    interval_return(3);
    return assessment;
}

/* The sum of the squares of the finite components' errors; an allowed infinity counts as no error.
 * Returns whether all are finite. */
static bool set_square(mpfi_ptr square, const struct question *question)
{
    bool finite = true;
    mpfi_t *work = interval_take(1, question->precision);
    mpfi_set_ui(square, 0);
    for (size_t k = 0; k < question->function->output_count; k++) {
        double result = question->results->number[k];
        if (isfinite(result)) {
            mpfi_sub_d(work[0], question->answer->value[k], result);
            mpfi_sqr(work[0], work[0]);
            mpfi_add(square, square, work[0]);
        } else {
            finite = false;
        }
    }
    interval_return(1);
    return finite;
}

static struct assessment find_vector(const struct question *question)
{
    enum verdict verdict = judge_components(question);
    if (verdict != VERDICT_WITHIN) {
        return assessment_of(verdict);
    }
    mpfi_t *work = interval_take(2, question->precision);
    mpfi_ptr square = work[0], length = work[1];
    bool finite = set_square(square, question);
    mpfi_sqrt(length, square);
    struct distance error = {length, square, question->function->output_count};
    struct tolerance tolerance = tolerance_of(question, 0);
    struct assessment assessment =
        assessment_of_distance(&error, question->answer->magnitude, &tolerance);
    interval_return(2);
    if (finite && question->function->length_K != 0) {
        struct assessment length_assessment = find_length(question);
        bool settled = assessment.settled && length_assessment.settled;
        if (assessment_worse(&length_assessment, &assessment)) {
            assessment = length_assessment;
        }
        assessment.settled = settled;
    }
    return assessment;
}

/* |r - F| against K ulp(F), where ulp(F) is known as soon as F's binade is. */
static struct assessment find_ulps(const struct question *question, size_t k)
{
    double result = question->results->number[k];
    mpfi_srcptr value = question->answer->value[k];
    struct assessment assessment = {.measured = true,
                                    .settled = true,
                                    .bound = question->function->K};
    if (!isfinite(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    mpfi_t *work = interval_take(3, question->precision);
    mpfi_ptr error = work[0], magnitude = work[1], bound = work[2];
    mpfi_sub_d(error, value, result);
    mpfi_abs(error, error);
    mpfi_abs(magnitude, value);
    mpfi_set_d(bound, question->function->K);
    mpfr_mul_2si(&bound->left, &bound->left, ulp_exponent(&magnitude->left), MPFR_RNDD);
    mpfr_mul_2si(&bound->right, &bound->right, ulp_exponent(&magnitude->right), MPFR_RNDU);
    assessment.verdict = assessment_compare(error, bound, question->equal);
    assessment.error_ulp = assessment_in_ulps(error, magnitude, &assessment);
    assessment.error_scaled = assessment.error_ulp;
    interval_return(3);
    assessment_agree(&assessment);
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

/* The position of an output's first number among the answer's. */
static size_t first_number(const struct answer *answer, size_t output)
{
    size_t first = 0;
    for (size_t k = 0; k < output; k++) {
        first += answer->length[k];
    }
    return first;
}

static size_t output_of_number(const size_t *length, size_t number)
{
    size_t output = 0;
    size_t end = length[0]; /* of the output's numbers */
    while (end <= number) {
        end += length[++output];
    }
    return output;
}

/* Of assessments of single numbers, the one to be shown; `length` is how many each output has. */
static void summarise(const size_t *length, const struct assessment *assessments, size_t count,
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
    judgement->output = count > 1 ? output_of_number(length, shown) : 0;
}

/* The first output that has another length than the answer's; output_count if there is none. */
static size_t other_length(const struct question *question)
{
    size_t k = 0;
    while (k < question->function->output_count &&
           values_length(question->results, k) == question->answer->length[k]) {
        k++;
    }
    return k;
}

static void judge_given(const struct question *question, struct judgement *judgement)
{
    struct assessment assessments[NUMBERS_MAX] = {{0}};
    const struct function *function = question->function;
    size_t number = 0;
    for (size_t k = 0; k < function->output_count; k++) {
        for (size_t i = 0; i < question->answer->length[k]; i++, number++) {
            double given = question->answer->given[number];
            double result = question->results->number[number];
            assessments[number] = function->whole[k] ? assessment_of_whole(given, result)
                                                     : assessment_of_given(given, result);
        }
    }
    summarise(question->answer->length, assessments, number, judgement);
}

static struct assessment find_number(const struct question *question, size_t output, size_t number)
{
    double result = question->results->number[number];
    if (question->function->whole[output]) {
        double wanted = mpfr_get_d(&question->answer->value[number]->left, MPFR_RNDN);
        return assessment_of_whole(wanted, result);
    }
    if (question->function->measure == MEASURE_ROUNDED) {
        return find_rounded(question, number);
    }
    if (question->function->measure == MEASURE_ULPS) {
        return find_ulps(question, number);
    }
    struct tolerance tolerance = tolerance_of(question, number);
    return assessment_of_number(question->answer->value[number], &tolerance, result);
}

/* Returns how many assessments there are: one a number, or one of the whole. */
static size_t find(const struct question *question, struct assessment *assessments)
{
    const struct function *function = question->function;
    if (function->measure == MEASURE_VECTOR) {
        assessments[0] = find_vector(question);
        return 1;
    }
    if (function->measure == MEASURE_OWN) {
        assessments[0] = function->find(question->inputs, question->answer, question->results,
                                        question->precision);
        return 1;
    }
    size_t number = 0;
    for (size_t k = 0; k < function->output_count; k++) {
        for (size_t i = 0; i < question->answer->length[k]; i++, number++) {
            assessments[number] = find_number(question, k, number);
        }
    }
    return number;
}

/* Is every number of the answer that is not whole known exactly? */
static bool is_exact(const struct question *question)
{
    size_t number = 0;
    for (size_t k = 0; k < question->function->output_count; k++) {
        for (size_t i = 0; i < question->answer->length[k]; i++, number++) {
            mpfi_srcptr value = question->answer->value[number];
            if (!question->function->whole[k] && !mpfr_equal_p(&value->left, &value->right)) {
                return false;
            }
        }
    }
    return true;
}

/* Judges what is known at this precision. Returns whether more precision is called for. */
static bool judge_real(const struct question *question, struct judgement *judgement)
{
    struct assessment assessments[NUMBERS_MAX] = {{0}};
    struct assessment figure = {.settled = true};
    size_t count = find(question, assessments);
    bool decided = true;
    bool settled = true;
    for (size_t k = 0; k < count; k++) {
        decided = decided && assessments[k].verdict != VERDICT_UNDECIDED;
        settled = settled && assessments[k].settled;
    }
    summarise(question->answer->length, assessments, count, judgement);
    if (question->function->figure) {
        judgement->figure = assessment_on_grid(question->answer->figure, &figure);
    }
    judgement->stage = STAGE_LADDER;
    judgement->precision = question->precision;
    judgement->outcome = judgement->verdict == VERDICT_UNDECIDED ? OUTCOME_UNDECIDED
                         : is_exact(question)                    ? OUTCOME_EXACT
                                                                 : OUTCOME_ENCLOSED;
    settled = settled && figure.settled;
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
    answer->factor = function->K;
    function->answer(inputs, precision, answer);
}

/* function_fault; knows a function again of which no inputs are faulty. */
static bool is_faulty(struct judge *judge, const struct function *function,
                      const struct values *inputs)
{
    size_t field;
    if (judge->free == function) {
        return false;
    }
    bool any = true;
    for (size_t i = 0; i < function->input_count; i++) {
        any = any && function->inputs[i].length == LENGTH_ANY && !function->inputs[i].choices;
    }
    judge->free = any ? function : NULL;
    return function_fault(function, inputs, &field);
}

/* Returns whether the first stage settles it. */
static bool judge_by_filter(struct judge *judge, const struct function *function,
                            const struct values *inputs, const struct values *results,
                            struct judgement *judgement)
{
    struct assessment assessments[NUMBERS_MAX];
    struct estimate *estimate = &judge->estimate;
    for (size_t k = 0; k < OUTPUTS_MAX; k++) {
        estimate->length[k] = 1;
    }
    estimate->factor = function->K;
    estimate->exponent = 0;
    estimate->rounded = false;
    estimate->elsewhere = false;
    if (function->measure == MEASURE_OWN) {
        memset(estimate->shift, 0, sizeof estimate->shift);
    }
    if (!function->estimate(inputs, estimate)) {
        return false;
    }
    double figure = NAN;
    size_t count = function->measure == MEASURE_OWN
                       ? function->find_by_estimate(inputs, estimate, results, assessments)
                       : filter_assess(function, estimate, results, assessments, &figure);
    if (count == 0) {
        return false;
    }
    summarise(estimate->length, assessments, count, judgement);
    judgement->figure = figure;
    judgement->stage = STAGE_FILTER;
    judgement->outcome = OUTCOME_ENCLOSED;
    return true;
}

/* The ladder of precisions. */
static void climb(struct judge *judge, const struct function *function, const struct values *inputs,
                  const struct values *results, struct judgement *judgement)
{
    struct question question = {.function = function,
                                .answer = &judge->answer,
                                .inputs = inputs,
                                .results = results,
                                .precision = first_precision(function)};
    for (;;) {
        ask(function, inputs, question.precision, &judge->answer);
        bool last = question.precision == function->precision_limit;
        question.equal = last && function->equal_at_limit;
        if (judge->answer.kind == ANSWER_UNDEFINED) {
            return;
        }
        size_t other = function->measure == MEASURE_OWN && judge->answer.kind == ANSWER_REAL
                           ? function->output_count
                           : other_length(&question);
        if (judge->answer.kind == ANSWER_GIVEN || other < function->output_count) {
            judgement->outcome = OUTCOME_EXACT;
            judgement->verdict = VERDICT_CLASS_MISMATCH;
            judgement->output = other;
            if (other == function->output_count) {
                judge_given(&question, judgement);
            }
            return;
        }
        if (!judge_real(&question, judgement) || last) {
            return;
        }
        question.precision = next_precision(function, question.precision);
    }
}

void judge_case(struct judge *judge, const struct function *function, const struct values *inputs,
                const struct values *results, struct judgement *judgement)
{
    *judgement = (struct judgement){.verdict = VERDICT_UNDEFINED,
                                    .outcome = OUTCOME_UNDEFINED,
                                    .figure = NAN};
    if (is_faulty(judge, function, inputs)) {
        return;
    }
    if (!(judge->filter && function->estimate &&
          judge_by_filter(judge, function, inputs, results, judgement))) {
        climb(judge, function, inputs, results, judgement);
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

/* A whole number, or the choice that it stands for. */
static void write_whole(const struct field *field, mpfr_srcptr number, FILE *stream)
{
    if (field->choices) {
        fputs(field->choices[mpfr_get_ui(number, MPFR_RNDN)], stream);
    } else {
        decimal_write_whole(number, stream);
    }
}

/* The numbers of one output, ';' between them. Returns false, and writes nothing, if a digit is not
 * certain and `last` is not set. */
static bool write_numbers(const struct function *function, const struct answer *answer,
                          size_t output, bool last, FILE *stream)
{
    size_t first = first_number(answer, output);
    for (size_t i = 0; i < answer->length[output] && !last; i++) {
        if (!function->whole[output] && !decimal_settled(answer->value[first + i])) {
            return false;
        }
    }
    for (size_t i = 0; i < answer->length[output]; i++) {
        fputs(i > 0 ? ";" : "", stream);
        if (function->whole[output]) {
            write_whole(&function->outputs[output], &answer->value[first + i]->left, stream);
        } else if (!decimal_write(answer->value[first + i], stream)) {
            write_last_resort(answer->value[first + i], stream);
        }
    }
    return true;
}

static void write_given(const struct function *function, const struct answer *answer, size_t output,
                        FILE *stream)
{
    size_t first = first_number(answer, output);
    mpfi_t *work = interval_take(1, PRECISION_FIRST);
    for (size_t i = 0; i < answer->length[output]; i++) {
        fputs(i > 0 ? ";" : "", stream);
        mpfr_set_d(&work[0]->left, answer->given[first + i], MPFR_RNDN);
        if (function->whole[output]) {
            write_whole(&function->outputs[output], &work[0]->left, stream);
        } else {
            decimal_write_number(&work[0]->left, stream);
        }
    }
    interval_return(1);
}

void judge_write_exact(struct judge *judge, const struct function *function,
                       const struct values *inputs, size_t output, FILE *stream)
{
    struct answer *answer = &judge->answer;
    size_t field;
    if (function_fault(function, inputs, &field)) {
        return;
    }
    for (mpfr_prec_t precision = first_precision(function);;
         precision = next_precision(function, precision)) {
        ask(function, inputs, precision, answer);
        if (answer->kind == ANSWER_UNDEFINED) {
            return;
        }
        if (answer->kind == ANSWER_GIVEN) {
            write_given(function, answer, output, stream);
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
