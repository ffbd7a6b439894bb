#include "contained.h"

#include "enclosure.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <math.h>

enum { BITS = 320, CENTER_BITS = 2300 };

/* |end 2^exponent - (high + low)|, rounded upwards */
static void distance_from(mpfr_ptr distance, mpfr_srcptr end, int exponent, mpfr_srcptr center)
{
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(end));
    mpfr_mul_2si(scaled, end, exponent, MPFR_RNDN);
    mpfr_sub(distance, scaled, center, MPFR_RNDA);
    mpfr_abs(distance, distance, MPFR_RNDU);
    mpfr_clear(scaled);
}

/* The enclosure is wide where its ends' distances differ by more than a part of the error. */
double contained_part(mpfi_srcptr exact, int exponent, const struct approximation *approximation)
{
    mpfr_t center, left, right, width;
    mpfr_init2(center, CENTER_BITS);
    mpfr_inits2(64, left, right, width, (mpfr_ptr)NULL);
    mpfr_set_d(center, approximation->high, MPFR_RNDN);
    mpfr_add_d(center, center, approximation->low, MPFR_RNDN);
    distance_from(left, &exact->left, exponent, center);
    distance_from(right, &exact->right, exponent, center);
    mpfr_sub(width, &exact->right, &exact->left, MPFR_RNDU);
    mpfr_mul_2si(width, width, exponent, MPFR_RNDU);
    mpfr_max(left, left, right, MPFR_RNDU);
    bool exactly = mpfr_zero_p(left);
    bool narrow = mpfr_cmp_d(width, approximation->error / 1024) <= 0;
    mpfr_div_d(left, left, approximation->error, MPFR_RNDU);
    double part = mpfr_get_d(left, MPFR_RNDU);
    mpfr_clears(center, left, right, width, (mpfr_ptr)NULL);
    return exactly ? 0 : narrow ? part : NAN;
}

/* Everything in the estimate against the answer. Returns whether the enclosures were narrow enough
 * to tell; with `last`, they have to be. */
static bool compare(const struct function *function, const struct values *inputs,
                    const struct estimate *estimate, const struct answer *answer, bool last,
                    struct containment *containment)
{
    bool vector = function->measure == MEASURE_VECTOR;
    bool scaled = vector || function->measure == MEASURE_SCALED;
    double value = 0, scale = 0, magnitude = 0;
    for (size_t k = 0; k < function->output_count; k++) {
        double part = contained_part(answer->value[k], estimate->exponent, &estimate->value[k]);
        value = part <= value ? value : part;
        if (scaled && (k == 0 || !vector)) {
            part = contained_part(answer->scale[k], estimate->exponent, &estimate->scale[k]);
            scale = part <= scale ? scale : part;
        }
    }
    if (vector) {
        magnitude = contained_part(answer->magnitude, estimate->exponent, &estimate->magnitude);
    }
    if (!last && (isnan(value) || isnan(scale) || isnan(magnitude))) {
        return false;
    }
    if (!(value <= 1 && scale <= 1 && magnitude <= 1)) {
        suite_check(false, "%s, %s: %.3g, %.3g and %.3g of the stated errors of F, S and |F|",
                    function->name, describe_case(function, inputs), value, scale, magnitude);
        return true;
    }
    CU_PASS("contained");
    containment->value = fmax(containment->value, value);
    containment->scale = fmax(containment->scale, scale);
    containment->magnitude = fmax(containment->magnitude, magnitude);
    return true;
}

/* An estimate that states no finite error states nothing. */
static bool states_something(const struct function *function, const struct estimate *estimate)
{
    for (size_t k = 0; k < function->output_count; k++) {
        if (!isfinite(estimate->value[k].error)) {
            return false;
        }
    }
    return true;
}

void contained_at(const struct function *function, const struct values *inputs,
                  struct containment *containment)
{
    static struct answer answer;
    static bool open;
    if (!open) {
        answer_open(&answer);
        open = true;
    }
    struct estimate estimate = {.exponent = 0};
    containment->samples++;
    if (!function->estimate(inputs, &estimate) || !states_something(function, &estimate)) {
        return;
    }
    containment->estimates++;
    for (mpfr_prec_t bits = BITS;;
         bits = bits * 4 < function->precision_limit ? bits * 4 : function->precision_limit) {
        answer_values(function, inputs, bits, &answer);
        if (answer.kind != ANSWER_REAL) {
            suite_check(false, "%s, %s: estimated, though it has no real answer", function->name,
                        describe_case(function, inputs));
            return;
        }
        if (compare(function, inputs, &estimate, &answer, bits == function->precision_limit,
                    containment)) {
            return;
        }
    }
}

struct containment contained_in_domains(const struct function *function, uint64_t seed,
                                        size_t count)
{
    const struct domains *domains = domains_of(function);
    struct containment containment = {0};
    struct values inputs = {0};
    for (size_t i = 0; i < count; i++) {
        size_t d = i % domains->count;
        draw_case(seed, function, &domains->list[d], i / domains->count, &inputs);
        contained_at(function, &inputs, &containment);
    }
    values_free(&inputs);
    return containment;
}
