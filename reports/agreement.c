#include <stdio.h> /* before mpfr.h, for mpfr_out_str */

#include "agreement.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char VALUE[] = "F";
static const char SCALE[] = "S";
static const char SLACK[] = "the slack";
static const char MAGNITUDE[] = "|F|";
static const char FIGURE[] = "the figure";
static const char FACTOR[] = "the bound's factor";
static const char KIND[] = "the kind of answer";
static const char LENGTH[] = "how many numbers there are";
static const char WHOLE[] = "a whole number";
static const char GIVEN[] = "a number that is given bit for bit";

static void each_interval(struct answer *answer, void (*act)(mpfi_ptr))
{
    for (size_t i = 0; i < NUMBERS_MAX; i++) {
        act(answer->value[i]);
        act(answer->scale[i]);
        act(answer->slack[i]);
    }
    act(answer->magnitude);
    act(answer->figure);
}

void first_open(struct answer *answer)
{
    each_interval(answer, mpfi_init);
}

void first_close(struct answer *answer)
{
    each_interval(answer, mpfi_clear);
}

void first_answer(const struct function *function, const struct values *inputs,
                  mpfr_prec_t precision, struct answer *answer)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        answer->length[i] = 1;
    }
    answer->factor = function->K;
    function->answer(inputs, precision, answer);
}

/* The sums of two doubles and a third are exact in so many bits. */
enum { ESTIMATE_BITS = 4608 };

/* Returns whether it says anything: one that overflowed leaves the case to the ladder. */
static bool set_approximation(mpfi_ptr interval, const struct approximation *x, int exponent)
{
    if (!isfinite(x->high) || !isfinite(x->low) || !isfinite(x->error)) {
        return false;
    }
    mpfi_set_prec(interval, ESTIMATE_BITS);
    mpfi_set_d(interval, x->high);
    mpfi_add_d(interval, interval, x->low);
    mpfr_sub_d(&interval->left, &interval->left, x->error, MPFR_RNDD);
    mpfr_add_d(&interval->right, &interval->right, x->error, MPFR_RNDU);
    mpfi_mul_2si(interval, interval, -exponent);
    return true;
}

bool first_estimate(const struct function *function, const struct values *inputs,
                    struct answer *answer)
{
    struct estimate estimate = {.factor = function->K};
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        estimate.length[i] = 1;
    }
    if (!function->estimate || !function->estimate(inputs, &estimate) || estimate.elsewhere) {
        return false;
    }
    answer->kind = ANSWER_REAL;
    answer->factor = estimate.factor;
    memcpy(answer->length, estimate.length, sizeof answer->length);
    bool all = true;
    for (size_t i = 0; i < NUMBERS_MAX; i++) {
        int exponent = estimate.exponent + estimate.shift[i];
        all = set_approximation(answer->value[i], &estimate.value[i], exponent) && all;
        all = set_approximation(answer->scale[i], &estimate.scale[i], estimate.exponent) && all;
        all = set_approximation(answer->slack[i], &estimate.slack[i], estimate.exponent) && all;
    }
    return set_approximation(answer->magnitude, &estimate.magnitude, estimate.exponent) &&
           set_approximation(answer->figure, &estimate.figure, 0) && all;
}

static struct disagreement differ(const char *what, size_t number)
{
    return (struct disagreement){.what = what, .number = number, .compared = true};
}

static bool overlap(mpfi_srcptr interval, const struct span *span)
{
    return !mpfi_nan_p(interval) && mpfr_cmp_q(&interval->left, span->high) <= 0 &&
           mpfr_cmp_q(&interval->right, span->low) >= 0;
}

static bool same_double(double x, double y)
{
    return isnan(x) ? isnan(y) : x == y && !signbit(x) == !signbit(y);
}

/* The number of a whole output, wherever the first oracle has it. */
static bool same_whole(const struct answer *first, size_t number, double wanted)
{
    if (first->kind == ANSWER_GIVEN) {
        return first->given[number] == wanted;
    }
    mpfi_srcptr value = first->value[number];
    return mpfr_cmp_d(&value->left, wanted) == 0 && mpfr_cmp_d(&value->right, wanted) == 0;
}

/* One number that is not whole. */
static struct disagreement compare_number(const struct answer *first, const struct second *second,
                                          size_t number)
{
    if (second->one_of_several && second->kind == SECOND_GIVEN) {
        bool same = isnan(second->given[number])
                        ? mpfi_nan_p(first->value[number])
                        : mpfr_cmp_d(&first->value[number]->left, second->given[number]) == 0;
        return first->kind == ANSWER_REAL && same ? differ(NULL, 0) : differ(KIND, number);
    }
    if ((first->kind == ANSWER_GIVEN) != (second->kind == SECOND_GIVEN)) {
        return differ(KIND, number);
    }
    if (second->kind == SECOND_GIVEN) {
        bool same = same_double(first->given[number], second->given[number]);
        return same ? differ(NULL, 0) : differ(GIVEN, number);
    }
    return overlap(first->value[number], &second->value[number]) ? differ(NULL, 0)
                                                                 : differ(VALUE, number);
}

static struct disagreement compare_numbers(const struct function *function,
                                           const struct answer *first, const struct second *second)
{
    struct disagreement found = differ(NULL, 0);
    size_t number = 0;
    for (size_t k = 0; k < function->output_count; k++) {
        if (first->length[k] != second->length[k]) {
            return differ(LENGTH, k);
        }
        for (size_t i = 0; i < first->length[k] && !found.what; i++, number++) {
            if (!function->whole[k]) {
                found = compare_number(first, second, number);
            } else if (!same_whole(first, number, second->given[number])) {
                found = differ(WHOLE, number);
            }
        }
    }
    return found;
}

/* Has the function an S of its own? Roots have one at every number. */
static bool has_scale(const struct function *function)
{
    return function->measure == MEASURE_SCALED || function->measure == MEASURE_VECTOR ||
           (function->measure == MEASURE_OWN && strcmp(function->name, "cubic_roots") != 0);
}

/* Numbers that are not whole: they come first. */
static size_t count_reals(const struct function *function, const struct answer *first)
{
    size_t count = 0;
    for (size_t k = 0; k < function->output_count && !function->whole[k]; k++) {
        count += first->length[k];
    }
    return count;
}

/* What goes into the bound of a real answer. */
static struct disagreement compare_bound(const struct function *function,
                                         const struct answer *first, const struct second *second)
{
    bool vector = function->measure == MEASURE_VECTOR;
    size_t scales = has_scale(function) ? (vector ? 1 : count_reals(function, first)) : 0;
    for (size_t i = 0; i < scales; i++) {
        if (!overlap(first->scale[i], &second->scale[i])) {
            return differ(SCALE, i);
        }
        if (function->slack && !overlap(first->slack[i], &second->slack[i])) {
            return differ(SLACK, i);
        }
    }
    if (vector && !overlap(first->magnitude, &second->magnitude)) {
        return differ(MAGNITUDE, 0);
    }
    if (function->figure && !overlap(first->figure, &second->figure)) {
        return differ(FIGURE, 0);
    }
    if (second->factor != 0 && first->length[0] > 0 && first->factor != second->factor) {
        return differ(FACTOR, 0);
    }
    return differ(NULL, 0);
}

struct disagreement agreement_of(const struct function *function, const struct answer *first,
                                 const struct second *second)
{
    if (first->kind == ANSWER_UNDEFINED || second->kind == SECOND_UNDEFINED) {
        bool both = first->kind == ANSWER_UNDEFINED && second->kind == SECOND_UNDEFINED;
        return both ? differ(NULL, 0) : differ(KIND, 0);
    }
    struct disagreement found = compare_numbers(function, first, second);
    bool real = second->kind == SECOND_REAL && first->kind == ANSWER_REAL && first->length[0] > 0;
    return found.what || !real ? found : compare_bound(function, first, second);
}

/* Telling */

enum { SHOWN_BITS = 160, SHOWN_DIGITS = 40 };

static void write_interval(FILE *stream, mpfi_srcptr interval)
{
    fputc('[', stream);
    mpfr_out_str(stream, 10, SHOWN_DIGITS, &interval->left, MPFR_RNDD);
    fputs(", ", stream);
    mpfr_out_str(stream, 10, SHOWN_DIGITS, &interval->right, MPFR_RNDU);
    fputc(']', stream);
}

static void write_span(FILE *stream, const struct span *span)
{
    mpfi_t interval;
    mpfi_init2(interval, SHOWN_BITS);
    mpfr_set_q(&interval->left, span->low, MPFR_RNDD);
    mpfr_set_q(&interval->right, span->high, MPFR_RNDU);
    write_interval(stream, interval);
    mpfi_clear(interval);
}

static const char *const kinds_first[] = {[ANSWER_REAL] = "a real number",
                                          [ANSWER_GIVEN] = "a double, bit for bit",
                                          [ANSWER_UNDEFINED] = "left open"};
static const char *const kinds_second[] = {[SECOND_REAL] = "a real number",
                                           [SECOND_GIVEN] = "a double, bit for bit",
                                           [SECOND_UNDEFINED] = "left open"};

/* The real numbers that it is about, or NULL. */
static mpfi_srcptr first_part(const struct disagreement *d, const struct answer *first)
{
    const struct {
        const char *what;
        mpfi_srcptr part;
    } parts[] = {{VALUE, first->value[d->number]},
                 {SCALE, first->scale[d->number]},
                 {SLACK, first->slack[d->number]},
                 {MAGNITUDE, first->magnitude},
                 {FIGURE, first->figure},
                 {WHOLE, first->kind == ANSWER_REAL ? first->value[d->number] : NULL}};
    size_t i = 0;
    while (i < sizeof parts / sizeof parts[0] && parts[i].what != d->what) {
        i++;
    }
    return i < sizeof parts / sizeof parts[0] ? parts[i].part : NULL;
}

static const struct span *second_part(const struct disagreement *d, const struct second *second)
{
    const struct {
        const char *what;
        const struct span *part;
    } parts[] = {{VALUE, &second->value[d->number]},
                 {SCALE, &second->scale[d->number]},
                 {SLACK, &second->slack[d->number]},
                 {MAGNITUDE, &second->magnitude},
                 {FIGURE, &second->figure}};
    size_t i = 0;
    while (i < sizeof parts / sizeof parts[0] && parts[i].what != d->what) {
        i++;
    }
    return i < sizeof parts / sizeof parts[0] ? parts[i].part : NULL;
}

/* What is no real number. */
static void write_other(FILE *stream, const struct disagreement *d, const char *kind, size_t length,
                        double factor, double given)
{
    if (d->what == LENGTH) {
        fprintf(stream, "%zu", length);
    } else if (d->what == FACTOR) {
        fprintf(stream, "%g", factor);
    } else if (d->what == KIND) {
        fputs(kind, stream);
    } else {
        fprintf(stream, "%a", given);
    }
}

void agreement_write(FILE *stream, const struct disagreement *disagreement,
                     const struct answer *first, const struct second *second)
{
    const struct disagreement *d = disagreement;
    size_t length = d->what == LENGTH ? d->number : 0;
    mpfi_srcptr interval = first_part(d, first);
    const struct span *span = second_part(d, second);
    fputs("  first:  ", stream);
    if (interval) {
        write_interval(stream, interval);
    } else {
        write_other(stream, d, kinds_first[first->kind], first->length[length], first->factor,
                    first->given[d->number]);
    }
    fputs("\n  second: ", stream);
    if (span) {
        write_span(stream, span);
    } else {
        write_other(stream, d, kinds_second[second->kind], second->length[length], second->factor,
                    second->given[d->number]);
    }
    fputc('\n', stream);
}
