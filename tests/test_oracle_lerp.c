/* The oracle's lerp and lerp_cr: its enclosures hold what GMP's rationals say. */
#include "enclosure.h"
#include "rational.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <math.h>

static const char *const names[] = {"lerp", "lerp_cr"};
static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum { PRECISIONS = sizeof precisions / sizeof *precisions, PER_DOMAIN = 500 };

static struct answer answer, finer;
static mpq_t value, scale;
static size_t reals, rules;

/* What a rule returns, or NULL where the formula holds. */
static const double *rule(const double *inputs)
{
    static double result;
    double a = inputs[0], b = inputs[1], t = inputs[2];
    if (t == 0 || t == 1) {
        result = t == 0 ? a : b;
    } else if (a == b) {
        result = a;
    } else if (isfinite(a) && isfinite(b) && isfinite(t)) {
        return NULL;
    } else {
        result = NAN;
    }
    return &result;
}

static void check_rule(const struct function *function, const double *inputs)
{
    const double *given = rule(inputs);
    answer_at(function, inputs, 128, &answer);
    suite_check(answer_is_given(function, &answer, given), "%s", describe_inputs(function, inputs));
    *(given ? &rules : &reals) += 1;
}

static void check_contains(const struct function *function, const double *inputs)
{
    if (rule(inputs)) {
        return;
    }
    rational_lerp(value, scale, inputs[0], inputs[1], inputs[2]);
    bool scaled = function->measure == MEASURE_SCALED;
    for (int i = 0; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &answer);
        suite_check(interval_contains(answer.value[0], value), "F at %ld bits: %s",
                    (long)precisions[i], describe_inputs(function, inputs));
        suite_check(!scaled || interval_contains(answer.scale[0], scale), "S at %ld bits: %s",
                    (long)precisions[i], describe_inputs(function, inputs));
    }
    reals++;
}

/* A few roundings wide at most, and a point where everything fits. */
static void check_narrows(const struct function *function, const double *inputs)
{
    if (rule(inputs)) {
        return;
    }
    bool scaled = function->measure == MEASURE_SCALED;
    answer_at(function, inputs, precisions[0], &answer);
    for (int i = 1; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &finer);
        suite_check(interval_narrows(answer.value[0], finer.value[0]), "F at %ld bits: %s",
                    (long)precisions[i], describe_inputs(function, inputs));
        suite_check(interval_is_narrow(finer.value[0], finer.value[0], precisions[i] - 8),
                    "F at %ld bits: %s", (long)precisions[i], describe_inputs(function, inputs));
        suite_check(!scaled ||
                        interval_is_narrow(finer.scale[0], finer.scale[0], precisions[i] - 8),
                    "S at %ld bits: %s", (long)precisions[i], describe_inputs(function, inputs));
        answer_at(function, inputs, precisions[i], &answer);
    }
    reals++;
}

static void check_point(const struct function *function, const double *inputs)
{
    if (rule(inputs)) {
        return;
    }
    rational_lerp(value, scale, inputs[0], inputs[1], inputs[2]);
    answer_at(function, inputs, function->precision_limit, &answer);
    suite_check(interval_is_point(answer.value[0]) && interval_contains(answer.value[0], value),
                "F: %s", describe_inputs(function, inputs));
    if (function->measure == MEASURE_SCALED) {
        suite_check(interval_is_point(answer.scale[0]) && interval_contains(answer.scale[0], scale),
                    "S: %s", describe_inputs(function, inputs));
    }
    reals++;
}

static void run(void (*check)(const struct function *, const double *), bool counts_rules)
{
    answer_open(&answer);
    answer_open(&finer);
    mpq_inits(value, scale, NULL);
    for (int which = 0; which < 2; which++) {
        const struct function *function = catalog_find(names[which]);
        reals = rules = 0;
        size_t calls = for_each_sample(function, PER_DOMAIN, check);
        CU_ASSERT_EQUAL(calls, PER_DOMAIN * domains_of(function)->count);
        CU_ASSERT(reals > calls / 2);
        if (counts_rules) {
            CU_ASSERT(rules > 100);
            CU_ASSERT_EQUAL(reals + rules, calls);
        }
    }
    mpq_clears(value, scale, NULL);
    answer_close(&finer);
    answer_close(&answer);
}

static void the_rules_come_first_and_in_order(void)
{
    run(check_rule, true);
}

static void enclosures_contain_the_rational(void)
{
    run(check_contains, false);
}

static void a_higher_precision_narrows(void)
{
    run(check_narrows, false);
}

static void at_the_limit_they_are_the_rational(void)
{
    run(check_point, false);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the rules come first and in order", the_rules_come_first_and_in_order},
        {"enclosures contain the rational", enclosures_contain_the_rational},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"at the limit they are the rational", at_the_limit_they_are_the_rational},
    };
    return suite_run("oracle_lerp", tests, sizeof tests / sizeof *tests);
}
