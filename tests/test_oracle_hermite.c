/* The oracle's hermite and hermite_coefficients: its enclosures hold what GMP's rationals say, from
 * divided differences and from the article's four conditions. */
#include "enclosure.h"
#include "rational.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <math.h>

static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum {
    PRECISIONS = sizeof precisions / sizeof *precisions,
    PER_DOMAIN = 150,
    PER_DOMAIN_SLOW = 40
};

/* The inputs' order: t0 v0 m0 t1 v1 m1, then t. */
enum { T0, V0, M0, T1, V1, M1, T };

static struct answer answer, finer;
static mpq_t value[4], scale[4], solved[4];
static size_t reals, rules;

static struct segment segment_of(const double *inputs)
{
    return (struct segment){inputs[T0], inputs[V0], inputs[M0], inputs[T1], inputs[V1], inputs[M1]};
}

/* What a rule returns, or NULL where the formula holds. */
static const double *rule(const double *x)
{
    static double result;
    result = NAN;
    if (isnan(x[T]) || isnan(x[T0]) || isnan(x[T1]) || x[T0] > x[T1]) {
        return &result;
    }
    if (x[T] >= x[T1]) {
        result = x[V1];
        return &result;
    }
    if (x[T] <= x[T0] || isinf(x[M0]) || isinf(x[M1])) {
        result = x[V0];
        return &result;
    }
    for (int i = T0; i <= T; i++) {
        if (!isfinite(x[i])) {
            return &result;
        }
    }
    return NULL;
}

static bool has_formula(const struct function *function, const double *inputs)
{
    if (function->output_count == 1) {
        return rule(inputs) == NULL;
    }
    for (int i = T0; i <= M1; i++) {
        if (!isfinite(inputs[i])) {
            return false;
        }
    }
    return true;
}

static void set_exact(const struct function *function, const double *inputs)
{
    struct segment segment = segment_of(inputs);
    if (function->output_count == 1) {
        rational_hermite(value[0], &segment, inputs[T]);
        rational_hermite_scale(scale[0], &segment, inputs[T]);
    } else {
        rational_coefficients(value, scale, &segment);
    }
}

static void check_rule(const struct function *function, const double *inputs)
{
    static const double nan4[4] = {NAN, NAN, NAN, NAN};
    const double *given = function->output_count == 1     ? rule(inputs)
                          : has_formula(function, inputs) ? NULL
                                                          : nan4;
    answer_at(function, inputs, 128, &answer);
    suite_check(answer_is_given(function, &answer, given), "%s", describe_inputs(function, inputs));
    *(given ? &rules : &reals) += 1;
}

static void check_contained(const struct function *function, const double *inputs,
                            mpfr_prec_t precision)
{
    answer_at(function, inputs, precision, &answer);
    for (size_t k = 0; k < function->output_count; k++) {
        suite_check(interval_contains(answer.value[k], value[k]), "F%zu at %ld bits: %s", k,
                    (long)precision, describe_inputs(function, inputs));
        suite_check(interval_contains(answer.scale[k], scale[k]), "S%zu at %ld bits: %s", k,
                    (long)precision, describe_inputs(function, inputs));
    }
}

static void check_contains(const struct function *function, const double *inputs)
{
    if (!has_formula(function, inputs)) {
        return;
    }
    set_exact(function, inputs);
    for (int i = 0; i < PRECISIONS; i++) {
        check_contained(function, inputs, precisions[i]);
    }
    reals++;
}

static void check_narrows(const struct function *function, const double *inputs)
{
    if (!has_formula(function, inputs)) {
        return;
    }
    answer_at(function, inputs, precisions[0], &answer);
    for (int i = 1; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &finer);
        for (size_t k = 0; k < function->output_count; k++) {
            suite_check(interval_narrows(answer.value[k], finer.value[k]) &&
                            interval_is_narrow(finer.value[k], finer.scale[k], precisions[i] - 8),
                        "F%zu at %ld bits: %s", k, (long)precisions[i],
                        describe_inputs(function, inputs));
            suite_check(interval_is_narrow(finer.scale[k], finer.scale[k], precisions[i] - 8),
                        "S%zu at %ld bits: %s", k, (long)precisions[i],
                        describe_inputs(function, inputs));
        }
        answer_at(function, inputs, precisions[i], &answer);
    }
    reals++;
}

/* Has the denominator no factor but 2? */
static bool is_dyadic(const mpq_t number)
{
    return mpz_popcount(mpq_denref(number)) == 1;
}

/* At the limit a dyadic answer (all coefficients are) is a point; another one has a width of the
 * last bit only. */
static void check_limit(const struct function *function, const double *inputs)
{
    if (!has_formula(function, inputs)) {
        return;
    }
    set_exact(function, inputs);
    check_contained(function, inputs, function->precision_limit);
    for (size_t k = 0; k < function->output_count; k++) {
        suite_check(is_dyadic(value[k]) ? interval_is_point(answer.value[k])
                                        : interval_is_narrow(answer.value[k], answer.value[k],
                                                             function->precision_limit - 2),
                    "F%zu: %s", k, describe_inputs(function, inputs));
        suite_check(is_dyadic(scale[k]) ? interval_is_point(answer.scale[k])
                                        : interval_is_narrow(answer.scale[k], answer.scale[k],
                                                             function->precision_limit - 2),
                    "S%zu: %s", k, describe_inputs(function, inputs));
    }
    reals++;
}

/* p(t) of the cubic in the unnormalised variable, by Horner's scheme. */
static void set_polynomial(mpq_t result, double t)
{
    mpq_t exact_t;
    mpq_init(exact_t);
    mpq_set_d(exact_t, t);
    mpq_set(result, solved[0]);
    for (int i = 1; i < 4; i++) {
        mpq_mul(result, result, exact_t);
        mpq_add(result, result, solved[i]);
    }
    mpq_clear(exact_t);
}

/* The article's system of four conditions on a t^3 + b t^2 + c t + d, solved without rounding, is
 * another way to the same cubic. */
static void check_system(const struct function *function, const double *inputs)
{
    struct segment segment = segment_of(inputs);
    if (!has_formula(function, inputs) || segment.t0 == segment.t1) {
        return;
    }
    set_exact(function, inputs);
    rational_solve_system(solved, &segment);
    if (function->output_count == 1) {
        mpq_t at_t;
        mpq_init(at_t);
        set_polynomial(at_t, inputs[T]);
        CU_ASSERT_TRUE(mpq_equal(at_t, value[0]));
        mpq_set(value[0], at_t);
        mpq_clear(at_t);
    } else {
        rational_normalise(value, (const mpq_t *)solved, &segment);
    }
    check_contained(function, inputs, 256);
    check_contained(function, inputs, function->precision_limit);
    reals++;
}

/* value[0] = sum factor[k] value[k] of the enclosures, each of them a point at the limit. */
static bool combination_is(const long factor[4], const mpq_t wanted)
{
    bool is = true;
    mpfi_t sum, term;
    mpfi_init2(sum, 16384);
    mpfi_init2(term, 16384);
    mpfi_set_ui(sum, 0);
    for (int k = 0; k < 4; k++) {
        mpfi_mul_si(term, answer.value[k], factor[k]);
        mpfi_add(sum, sum, term);
    }
    is = interval_is_point(sum) && interval_contains(sum, wanted);
    mpfi_clear(term);
    mpfi_clear(sum);
    return is;
}

/* p(0) = v0, p(1) = v1, p'(0) = h m0 and p'(1) = h m1 hold exactly for the oracle's coefficients.
 */
static void check_conditions(const struct function *function, const double *inputs)
{
    static const long p0[4] = {0, 0, 0, 1}, p1[4] = {1, 1, 1, 1};
    static const long derivative0[4] = {0, 0, 1, 0}, derivative1[4] = {3, 2, 1, 0};
    if (function->output_count == 1 || !has_formula(function, inputs)) {
        return;
    }
    answer_at(function, inputs, function->precision_limit, &answer);
    mpq_t h, wanted, start;
    mpq_inits(h, wanted, start, NULL);
    mpq_set_d(h, inputs[T1]);
    mpq_set_d(start, inputs[T0]);
    mpq_sub(h, h, start);
    mpq_set_d(wanted, inputs[V0]);
    bool holds = combination_is(p0, wanted);
    mpq_set_d(wanted, inputs[V1]);
    holds = combination_is(p1, wanted) && holds;
    mpq_set_d(wanted, inputs[M0]);
    mpq_mul(wanted, wanted, h);
    holds = combination_is(derivative0, wanted) && holds;
    mpq_set_d(wanted, inputs[M1]);
    mpq_mul(wanted, wanted, h);
    holds = combination_is(derivative1, wanted) && holds;
    suite_check(holds, "%s", describe_inputs(function, inputs));
    mpq_clears(h, wanted, start, NULL);
    reals++;
}

static void run(const char *name, size_t per_domain,
                void (*check)(const struct function *, const double *))
{
    answer_open(&answer);
    answer_open(&finer);
    for (int i = 0; i < 4; i++) {
        mpq_inits(value[i], scale[i], solved[i], NULL);
    }
    const struct function *function = catalog_find(name);
    reals = rules = 0;
    size_t calls = for_each_sample(function, per_domain, check);
    CU_ASSERT_EQUAL(calls, per_domain * domains_of(function)->count);
    CU_ASSERT(reals > calls / 2);
    if (check == check_rule) {
        CU_ASSERT(rules > calls / 20);
        CU_ASSERT_EQUAL(reals + rules, calls);
    }
    for (int i = 0; i < 4; i++) {
        mpq_clears(value[i], scale[i], solved[i], NULL);
    }
    answer_close(&finer);
    answer_close(&answer);
}

static void the_rules_come_first_and_in_order(void)
{
    run("hermite", (size_t)10 * PER_DOMAIN, check_rule);
    run("hermite_coefficients", (size_t)10 * PER_DOMAIN, check_rule);
}

static void enclosures_contain_the_rational(void)
{
    run("hermite", PER_DOMAIN, check_contains);
    run("hermite_coefficients", PER_DOMAIN, check_contains);
}

static void a_higher_precision_narrows(void)
{
    run("hermite", PER_DOMAIN, check_narrows);
    run("hermite_coefficients", PER_DOMAIN, check_narrows);
}

static void at_the_limit_what_is_dyadic_is_a_point(void)
{
    run("hermite", PER_DOMAIN_SLOW, check_limit);
    run("hermite_coefficients", PER_DOMAIN_SLOW, check_limit);
}

static void the_articles_system_gives_the_same_cubic(void)
{
    run("hermite", PER_DOMAIN_SLOW, check_system);
    run("hermite_coefficients", PER_DOMAIN_SLOW, check_system);
}

static void the_four_end_conditions_hold_exactly(void)
{
    run("hermite_coefficients", PER_DOMAIN, check_conditions);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the rules come first and in order", the_rules_come_first_and_in_order},
        {"enclosures contain the rational", enclosures_contain_the_rational},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"at the limit what is dyadic is a point", at_the_limit_what_is_dyadic_is_a_point},
        {"the article's system gives the same cubic", the_articles_system_gives_the_same_cubic},
        {"the four end conditions hold exactly", the_four_end_conditions_hold_exactly},
    };
    return suite_run("oracle_hermite", tests, sizeof tests / sizeof *tests);
}
