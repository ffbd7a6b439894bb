#include "enclosure.h"

#include "sample.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"

#include <stdio.h>
#include <stdlib.h>

void answer_open(struct answer *answer)
{
    for (size_t i = 0; i < NUMBERS_MAX; i++) {
        mpfi_init(answer->value[i]);
        mpfi_init(answer->scale[i]);
        mpfi_init(answer->slack[i]);
    }
    mpfi_init(answer->magnitude);
    mpfi_init(answer->figure);
}

void answer_close(struct answer *answer)
{
    for (size_t i = 0; i < NUMBERS_MAX; i++) {
        mpfi_clear(answer->value[i]);
        mpfi_clear(answer->scale[i]);
        mpfi_clear(answer->slack[i]);
    }
    mpfi_clear(answer->magnitude);
    mpfi_clear(answer->figure);
}

void answer_values(const struct function *function, const struct values *inputs,
                   mpfr_prec_t precision, struct answer *answer)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        answer->length[i] = 1;
    }
    answer->factor = function->K;
    function->answer(inputs, precision, answer);
}

void answer_at(const struct function *function, const double *inputs, mpfr_prec_t precision,
               struct answer *answer)
{
    struct values values = {0};
    double *number = values_numbers(&values, function->input_count);
    for (size_t i = 0; i < function->input_count; i++) {
        number[i] = inputs[i];
    }
    answer_values(function, &values, precision, answer);
    values_free(&values);
}

size_t for_each_sample(const struct function *function, size_t per_domain,
                       void (*check)(const struct function *function, const double *inputs))
{
    const struct domains *domains = domains_of(function);
    struct values values = {0};
    size_t calls = 0;
    for (size_t d = 0; d < domains->count; d++) {
        for (size_t i = 0; i < per_domain; i++, calls++) {
            draw_case(31, function, &domains->list[d], i, &values);
            check(function, values.number);
        }
    }
    values_free(&values);
    return calls;
}

bool answer_is_given(const struct function *function, const struct answer *answer,
                     const double *given)
{
    if (!given) {
        return answer->kind == ANSWER_REAL;
    }
    bool same = answer->kind == ANSWER_GIVEN;
    for (size_t i = 0; i < function->output_count; i++) {
        same = same && same_double(answer->given[i], given[i]);
    }
    return same;
}

const char *describe_inputs(const struct function *function, const double *inputs)
{
    static char text[40 * FIELDS_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", function->name);
    for (size_t i = 0; i < function->input_count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %a", inputs[i]);
    }
    return text;
}

const char *describe_case(const struct function *function, const struct values *inputs)
{
    static char *text;
    static size_t length;
    free(text);
    FILE *stream = open_memstream(&text, &length);
    case_write(stream, function, inputs, true);
    fclose(stream);
    return text;
}

bool interval_contains(mpfi_srcptr interval, const mpq_t value)
{
    return !mpfi_nan_p(interval) && mpfr_cmp_q(&interval->left, value) <= 0 &&
           mpfr_cmp_q(&interval->right, value) >= 0;
}

bool interval_is_point(mpfi_srcptr interval)
{
    return mpfr_equal_p(&interval->left, &interval->right) != 0;
}

bool interval_is_near(mpfi_srcptr interval, const mpfr_t value, const mpfr_t scale, long bits)
{
    mpfr_t low, high, distance;
    mpfr_prec_t precision = mpfr_get_prec(value);
    mpfr_inits2(precision, low, high, distance, (mpfr_ptr)0);
    mpfr_abs(distance, scale, MPFR_RNDU);
    mpfr_div_2si(distance, distance, bits, MPFR_RNDU);
    mpfr_sub(low, value, distance, MPFR_RNDD);
    mpfr_add(high, value, distance, MPFR_RNDU);
    bool near = mpfr_lessequal_p(&interval->left, high) && mpfr_lessequal_p(low, &interval->right);
    mpfr_clears(low, high, distance, (mpfr_ptr)0);
    return near;
}

bool interval_is_narrow(mpfi_srcptr interval, mpfi_srcptr scale, long bits)
{
    mpfr_t width, allowed;
    mpfr_inits2(64, width, allowed, (mpfr_ptr)0);
    mpfr_sub(width, &interval->right, &interval->left, MPFR_RNDU);
    mpfi_mag(allowed, scale);
    mpfr_div_2si(allowed, allowed, bits, MPFR_RNDD);
    bool narrow = mpfr_lessequal_p(width, allowed);
    mpfr_clears(width, allowed, (mpfr_ptr)0);
    return narrow;
}

bool interval_narrows(mpfi_srcptr wide, mpfi_srcptr narrow)
{
    mpfr_t before, after;
    mpfr_inits2(64, before, after, (mpfr_ptr)0);
    mpfr_sub(before, &wide->right, &wide->left, MPFR_RNDD);
    mpfr_sub(after, &narrow->right, &narrow->left, MPFR_RNDU);
    bool narrows = mpfr_zero_p(after) || mpfr_less_p(after, before);
    mpfr_clears(before, after, (mpfr_ptr)0);
    return narrows;
}
