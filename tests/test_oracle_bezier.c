/* The oracle's bezier and bezier_parameter: the ends of its enclosures have the signs that they
 * should, and what they hold is what bisection in GMP's integers and de Casteljau's construction in
 * its rationals say. */
#include "enclosure.h"
#include "sample.h"
#include "suite.h"
#include "weighted.h"

#include "../corpus/draw.h"

#include <math.h>

static const mpfr_prec_t precisions[] = {64, 128, 256, 512, 1024};
enum {
    PRECISIONS = sizeof precisions / sizeof *precisions,
    PER_DOMAIN = 150,
    PER_DOMAIN_SLOW = 40,
    BITS = 1300 /* to which the references' roots are found; more than the precisions need */
};

static const struct function *bezier, *parameter;
static struct values inputs;
static struct answer answer, finer;
static mpq_t low, high, middle, value, scale, tolerance, part;

/* Work on the running test's samples. */
static size_t reals, rules;

/* Inputs */

static void append(double number)
{
    *values_append(&inputs, 1) = number;
}

static void append_weight(bool has, double weight)
{
    double *number = values_append(&inputs, has);
    if (has) {
        *number = weight;
    }
}

static void set_inputs(const struct function *function, const struct weighted *curve)
{
    bool whole = function == bezier;
    values_clear(&inputs);
    append(curve->keys.t0);
    if (whole) {
        append(curve->keys.v0);
        append(curve->keys.m0);
    }
    append_weight(curve->has_w0, curve->w0);
    append(curve->keys.t1);
    if (whole) {
        append(curve->keys.v1);
        append(curve->keys.m1);
    }
    append_weight(curve->has_w1, curve->w1);
    append(curve->t);
}

static void ask(const struct function *function, const struct weighted *curve,
                mpfr_prec_t precision, struct answer *result)
{
    set_inputs(function, curve);
    answer_values(function, &inputs, precision, result);
}

static const char *describe(const struct weighted *curve)
{
    static char text[300];
    snprintf(text, sizeof text, "{%a, %a, %a, %a; %a, %a, %a, %a}, %a", curve->keys.t0,
             curve->keys.v0, curve->keys.m0, curve->has_w0 ? curve->w0 : (double)NAN,
             curve->keys.t1, curve->keys.v1, curve->keys.m1,
             curve->has_w1 ? curve->w1 : (double)NAN, curve->t);
    return text;
}

static bool has_formula(const struct function *function, const struct weighted *curve)
{
    double result;
    return !(function == bezier ? weighted_rule : weighted_parameter_rule)(curve, &result);
}

/* Intervals */

static void get_end(mpq_t number, mpfr_srcptr end)
{
    mpfr_get_q(number, end);
}

/* Is the distance between the interval and the number at most `within`? Both ends of the interval
 * must be numbers. */
static bool is_close(mpfi_srcptr interval, const mpq_t number, const mpq_t within)
{
    if (!mpfr_number_p(&interval->left) || !mpfr_number_p(&interval->right)) {
        return false;
    }
    get_end(part, &interval->left);
    mpq_sub(part, part, number);
    bool close = mpq_cmp(part, within) <= 0;
    get_end(part, &interval->right);
    mpq_sub(part, number, part);
    return close && mpq_cmp(part, within) <= 0;
}

/* Does it hold the number with `within` around it? */
static bool holds(mpfi_srcptr interval, const mpq_t number, const mpq_t within)
{
    mpq_sub(part, number, within);
    bool held = mpfr_cmp_q(&interval->left, part) <= 0;
    mpq_add(part, number, within);
    return held && mpfr_cmp_q(&interval->right, part) >= 0;
}

static bool is_inside(mpfi_srcptr outer, mpfi_srcptr inner)
{
    return mpfr_lessequal_p(&outer->left, &inner->left) &&
           mpfr_lessequal_p(&inner->right, &outer->right);
}

static bool overlap(mpfi_srcptr x, mpfi_srcptr y)
{
    return mpfr_lessequal_p(&x->left, &y->right) && mpfr_lessequal_p(&y->left, &x->right);
}

/* Leaves value and scale at the bisected root's lower end, and in `tolerance` how far the exact
 * value may be off: of each term of S, s and 1 - s are known to 2^-bits, so that no term is off by
 * more than 4 times that. */
static void set_value(const struct weighted *curve, unsigned bits)
{
    weighted_parameter(low, high, curve, bits);
    weighted_value(value, scale, curve, low);
    mpq_div_2exp(tolerance, scale, bits - 3);
    if (mpq_equal(low, high)) {
        mpq_set_ui(tolerance, 0, 1);
    }
}

/* Samples */

static void run(const struct function *function, size_t per_domain,
                void (*check)(const struct function *, const struct weighted *))
{
    const struct domains *domains = domains_of(function);
    struct values drawn = {0};
    size_t calls = 0;
    reals = rules = 0;
    for (size_t d = 0; d < domains->count; d++) {
        for (size_t i = 0; i < per_domain; i++, calls++) {
            draw_case(31, function, &domains->list[d], i, &drawn);
            struct weighted curve = weighted_of(&drawn);
            check(function, &curve);
        }
    }
    values_free(&drawn);
    CU_ASSERT_EQUAL(calls, per_domain * domains->count);
    CU_ASSERT(reals > calls / 2);
}

static void check_rule(const struct function *function, const struct weighted *curve)
{
    double result;
    bool ruled = (function == bezier ? weighted_rule : weighted_parameter_rule)(curve, &result);
    ask(function, curve, 128, &answer);
    suite_check(answer_is_given(function, &answer, ruled ? &result : NULL), "%s: %s",
                function->name, describe(curve));
    *(ruled ? &rules : &reals) += 1;
}

static void the_rules_come_first_and_in_order(void)
{
    run(bezier, (size_t)10 * PER_DOMAIN, check_rule);
    CU_ASSERT(rules > (size_t)10 * PER_DOMAIN);
    run(parameter, (size_t)10 * PER_DOMAIN, check_rule);
    CU_ASSERT(rules > (size_t)10 * PER_DOMAIN);
}

/* X(s) rises, so the signs of X - t at both ends prove that the root lies between them. */
static void check_signs(const struct function *function, const struct weighted *curve)
{
    if (!has_formula(function, curve)) {
        return;
    }
    for (int i = 0; i < PRECISIONS; i++) {
        ask(function, curve, precisions[i], &answer);
        get_end(low, &answer.value[0]->left);
        get_end(high, &answer.value[0]->right);
        suite_check(mpq_sgn(low) >= 0 && mpq_cmp_ui(high, 1, 1) <= 0 &&
                        weighted_side(curve, low) <= 0 && weighted_side(curve, high) >= 0,
                    "at %ld bits: %s", (long)precisions[i], describe(curve));
        suite_check(mpfi_cmp(answer.value[0], answer.scale[0]) == 0 &&
                        is_inside(answer.value[0], answer.scale[0]) &&
                        is_inside(answer.scale[0], answer.value[0]),
                    "S at %ld bits: %s", (long)precisions[i], describe(curve));
    }
    reals++;
}

static void the_root_is_proved_by_signs(void)
{
    run(parameter, PER_DOMAIN, check_signs);
}

/* The parameter as bisected, at a precision beyond the oracle's: the enclosure holds it. */
static void check_root(const struct function *function, const struct weighted *curve)
{
    if (!has_formula(function, curve)) {
        return;
    }
    weighted_parameter(low, high, curve, BITS);
    for (int i = 0; i < PRECISIONS; i++) {
        ask(function, curve, precisions[i], &answer);
        suite_check(mpfr_cmp_q(&answer.value[0]->left, high) <= 0 &&
                        mpfr_cmp_q(&answer.value[0]->right, low) >= 0,
                    "at %ld bits: %s", (long)precisions[i], describe(curve));
    }
    reals++;
}

static void the_root_is_the_bisected_one(void)
{
    run(parameter, PER_DOMAIN_SLOW, check_root);
}

static size_t held, asked;

static void check_value(const struct function *function, const struct weighted *curve)
{
    if (!has_formula(function, curve)) {
        return;
    }
    set_value(curve, BITS);
    for (int i = 0; i < PRECISIONS; i++) {
        ask(function, curve, precisions[i], &answer);
        suite_check(is_close(answer.value[0], value, tolerance), "F at %ld bits: %s",
                    (long)precisions[i], describe(curve));
        suite_check(is_close(answer.scale[0], scale, tolerance), "S at %ld bits: %s",
                    (long)precisions[i], describe(curve));
        held += holds(answer.value[0], value, tolerance);
        held += holds(answer.scale[0], scale, tolerance);
        asked += 2;
    }
    reals++;
}

/* All but those that are exact are held with all that bisection leaves open around them. */
static void values_are_de_casteljaus(void)
{
    held = asked = 0;
    run(bezier, PER_DOMAIN_SLOW, check_value);
    suite_check(asked > 1000 && held > asked * 19 / 20, "%zu of %zu", held, asked);
}

/* With P bits, F and S are known to 2^(12 - P) S; where time nearly stands still, to 2^(12 - P/3).
 * The finer enclosure lies within the coarser one. */
static void check_narrows(const struct function *function, const struct weighted *curve)
{
    if (!has_formula(function, curve)) {
        return;
    }
    ask(function, curve, precisions[0], &answer);
    for (int i = 1; i < PRECISIONS; i++) {
        long bits = (long)precisions[i];
        ask(function, curve, bits, &finer);
        bool sharp = interval_is_narrow(finer.value[0], finer.scale[0], bits - 12) &&
                     interval_is_narrow(finer.scale[0], finer.scale[0], bits - 12);
        held += sharp;
        asked++;
        suite_check(sharp || (interval_is_narrow(finer.value[0], finer.scale[0], bits / 3 - 12) &&
                              interval_is_narrow(finer.scale[0], finer.scale[0], bits / 3 - 12)),
                    "%s at %ld bits: %s", function->name, bits, describe(curve));
        suite_check(is_inside(answer.value[0], finer.value[0]) &&
                        is_inside(answer.scale[0], finer.scale[0]),
                    "%s at %ld bits: %s", function->name, bits, describe(curve));
        ask(function, curve, bits, &answer);
    }
    reals++;
}

static void a_higher_precision_narrows(void)
{
    held = asked = 0;
    run(bezier, PER_DOMAIN, check_narrows);
    run(parameter, PER_DOMAIN, check_narrows);
    suite_check(asked > 1000 && held > asked * 9 / 10, "%zu of %zu are sharp", held, asked);
}

static void check_hermite(const struct function *function, const struct weighted *drawn)
{
    struct weighted curve = *drawn;
    curve.has_w0 = curve.has_w1 = false;
    if (!has_formula(function, &curve)) {
        return;
    }
    const double of_hermite[7] = {curve.keys.t0, curve.keys.v0, curve.keys.m0, curve.keys.t1,
                                  curve.keys.v1, curve.keys.m1, curve.t};
    rational_hermite(value, &curve.keys, curve.t);
    rational_hermite_scale(scale, &curve.keys, curve.t);
    for (int i = 0; i < PRECISIONS; i++) {
        ask(function, &curve, precisions[i], &answer);
        answer_at(catalog_find("hermite"), of_hermite, precisions[i], &finer);
        suite_check(interval_contains(answer.value[0], value) &&
                        interval_contains(answer.scale[0], scale) &&
                        overlap(answer.value[0], finer.value[0]) &&
                        overlap(answer.scale[0], finer.scale[0]),
                    "at %ld bits: %s", (long)precisions[i], describe(&curve));
    }
    reals++;
}

static void without_weights_it_is_hermite(void)
{
    run(bezier, PER_DOMAIN, check_hermite);
}

/* And the parameter is x. */
static void without_weights_the_parameter_is_the_share_of_time(void)
{
    struct sample sample = {51};
    size_t compared = 0;
    for (; compared < 300; compared++) {
        struct weighted curve = {.keys = {sample_uniform(&sample, -9, 0), 0, 0,
                                          sample_uniform(&sample, 1, 9), 0, 0},
                                 .t = sample_uniform(&sample, 0, 1)};
        mpq_set_d(value, curve.t);
        mpq_set_d(part, curve.keys.t0);
        mpq_sub(value, value, part);
        mpq_set_d(scale, curve.keys.t1);
        mpq_sub(scale, scale, part);
        mpq_div(value, value, scale);
        ask(parameter, &curve, 256, &answer);
        suite_check(interval_contains(answer.value[0], value), "%s", describe(&curve));
    }
    CU_ASSERT_EQUAL(compared, 300);
}

static struct weighted mirrored(const struct weighted *curve)
{
    return (struct weighted){.keys = {-curve->keys.t1, curve->keys.v1, -curve->keys.m1,
                                      -curve->keys.t0, curve->keys.v0, -curve->keys.m0},
                             .has_w0 = curve->has_w1,
                             .has_w1 = curve->has_w0,
                             .w0 = curve->w1,
                             .w1 = curve->w0,
                             .t = -curve->t};
}

static void check_mirrored(const struct function *function, const struct weighted *curve)
{
    if (!has_formula(function, curve)) {
        return;
    }
    struct weighted other = mirrored(curve);
    ask(function, curve, 256, &answer);
    ask(function, &other, 256, &finer);
    if (function == parameter) {
        mpfi_ui_sub(finer.value[0], 1, finer.value[0]);
        mpfi_set(finer.scale[0], finer.value[0]);
    }
    suite_check(overlap(answer.value[0], finer.value[0]) &&
                    overlap(answer.scale[0], finer.scale[0]),
                "%s: %s", function->name, describe(curve));
    reals++;
}

static void mirrored_segments_have_mirrored_answers(void)
{
    run(bezier, PER_DOMAIN, check_mirrored);
    run(parameter, PER_DOMAIN, check_mirrored);
}

/* Times and weights of few bits, whose root is a simple fraction: both functions' answers are known
 * exactly. */
static void simple_fractions_are_held(void)
{
    struct sample sample = {52};
    size_t compared = 0, absent = 0;
    while (compared < 2000) {
        struct weighted curve = {
            .keys = {0, sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9), 64,
                     sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9)},
            .has_w0 = sample_below(&sample, 4) != 0,
            .has_w1 = sample_below(&sample, 4) != 0,
            .w0 = sample_below(&sample, 65) / 64.0,
            .w1 = sample_below(&sample, 65) / 64.0};
        double s = sample_below(&sample, 256) / 256.0, r = 1 - s;
        double width0 = curve.has_w0 ? 3 * curve.w0 : 1, width1 = curve.has_w1 ? 3 * curve.w1 : 1;
        curve.t = 64 * s * ((width0 * r + (3 - width1) * s) * r + s * s); /* without rounding */
        if (!has_formula(bezier, &curve)) {
            continue;
        }
        mpq_set_d(middle, s);
        weighted_value(value, scale, &curve, middle);
        CU_ASSERT_EQUAL(weighted_side(&curve, middle), 0);
        for (int i = 0; i < PRECISIONS; i++) {
            ask(parameter, &curve, precisions[i], &answer);
            suite_check(interval_contains(answer.value[0], middle), "s at %ld bits: %s",
                        (long)precisions[i], describe(&curve));
            ask(bezier, &curve, precisions[i], &answer);
            suite_check(interval_contains(answer.value[0], value) &&
                            interval_contains(answer.scale[0], scale),
                        "F at %ld bits: %s", (long)precisions[i], describe(&curve));
        }
        absent += !curve.has_w0 + !curve.has_w1;
        compared++;
    }
    CU_ASSERT(absent > 500);
}

/* A side that is not weighted has the real 1/3. With the double next to it, every answer is another
 * one. */
static void one_third_is_no_double(void)
{
    struct sample sample = {53};
    size_t compared = 0;
    for (; compared < 1000; compared++) {
        struct weighted curve = {.keys = {sample_uniform(&sample, -9, 0), 0, 0,
                                          sample_uniform(&sample, 1, 9), 1, 0},
                                 .has_w0 = compared % 2 == 1,
                                 .has_w1 = compared % 2 == 0,
                                 .w0 = sample_uniform(&sample, 0, 1),
                                 .w1 = sample_uniform(&sample, 0, 1),
                                 .t = sample_uniform(&sample, 0, 1)};
        struct weighted rounded = curve;
        *(curve.has_w0 ? &rounded.w1 : &rounded.w0) = 1.0 / 3;
        rounded.has_w0 = rounded.has_w1 = true;
        ask(parameter, &curve, 256, &answer);
        ask(parameter, &rounded, 256, &finer);
        suite_check(!overlap(answer.value[0], finer.value[0]), "s: %s", describe(&curve));
        ask(bezier, &curve, 256, &answer);
        ask(bezier, &rounded, 256, &finer);
        suite_check(!overlap(answer.value[0], finer.value[0]), "F: %s", describe(&curve));
        weighted_parameter(low, high, &curve, 200);
        ask(parameter, &curve, 256, &answer);
        mpq_sub(tolerance, high, low);
        suite_check(is_close(answer.value[0], low, tolerance), "%s", describe(&curve));
    }
    CU_ASSERT_EQUAL(compared, 1000);
}

/* The threefold root, and any other time of the middle parameter. */
static void the_exact_middle_is_a_point(void)
{
    static const struct weighted middles[] = {
        {{0, 0, 0, 1, 1, 0}, true, true, 1, 1, 0.5},
        {{0, 0, 0, 1, 1, 0}, true, true, 7, 2, 0.5}, /* clamped */
        {{-3, 5, 2, 3, -4, 7}, true, true, 1, 1, 0},
        {{0, 0, 0, 16, 1, 0}, true, true, 0.5, 0.25, 9.5},
        {{0, 0, 0, 16, 1, 0}, false, true, 0, 0, 10},
        {{0, 0, 0, 0x1p-1073, 1, 0}, true, true, 1, 1, 0x1p-1074},
        {{-0x1p1023, 0, 0x1p-1074, 0x1p1023, 1, 0}, true, true, 1, 1, 0},
        {{0, 1e300, 1e-300, 1, -1e300, 1e300}, true, true, 0x1p-1074, 0x1p-1074, 0.5},
    };
    mpq_set_ui(middle, 1, 2);
    for (size_t i = 0; i < sizeof middles / sizeof *middles; i++) {
        const struct weighted *curve = &middles[i];
        CU_ASSERT_EQUAL(weighted_side(curve, middle), 0);
        ask(parameter, curve, parameter->precision_limit, &answer);
        suite_check(interval_is_point(answer.value[0]) &&
                        interval_contains(answer.value[0], middle),
                    "s: %s", describe(curve));
        weighted_value(value, scale, curve, middle);
        ask(bezier, curve, bezier->precision_limit, &answer);
        suite_check(interval_is_point(answer.value[0]) && interval_contains(answer.value[0], value),
                    "F: %s", describe(curve));
        suite_check(interval_is_point(answer.scale[0]) && interval_contains(answer.scale[0], scale),
                    "S: %s", describe(curve));
        /* one bit beside it there is no point, but a root on the right side */
        for (int side = -1; side <= 1; side += 2) {
            struct weighted beside = *curve;
            beside.t = nextafter(curve->t, side * HUGE_VAL);
            if (!has_formula(bezier, &beside)) {
                continue;
            }
            ask(parameter, &beside, 4224, &answer);
            suite_check(mpfr_cmp_q(side < 0 ? &answer.value[0]->right : &answer.value[0]->left,
                                   middle) *
                                side >
                            0,
                        "s: %s", describe(&beside));
        }
    }
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the rules come first and in order", the_rules_come_first_and_in_order},
        {"the root is proved by signs", the_root_is_proved_by_signs},
        {"the root is the bisected one", the_root_is_the_bisected_one},
        {"values are de Casteljau's", values_are_de_casteljaus},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"without weights it is hermite", without_weights_it_is_hermite},
        {"without weights the parameter is the share of time",
         without_weights_the_parameter_is_the_share_of_time},
        {"mirrored segments have mirrored answers", mirrored_segments_have_mirrored_answers},
        {"simple fractions are held", simple_fractions_are_held},
        {"one third is no double", one_third_is_no_double},
        {"the exact middle is a point", the_exact_middle_is_a_point},
    };
    bezier = catalog_find("bezier");
    parameter = catalog_find("bezier_parameter");
    answer_open(&answer);
    answer_open(&finer);
    mpq_inits(low, high, middle, value, scale, tolerance, part, NULL);
    int code = suite_run("oracle_bezier", tests, sizeof tests / sizeof *tests);
    mpq_clears(low, high, middle, value, scale, tolerance, part, NULL);
    answer_close(&finer);
    answer_close(&answer);
    values_free(&inputs);
    return code;
}
