/* The oracle's roots and its verdicts on them: against Sturm chains and greatest common divisors in
 * GMP's rationals, and against polynomials that were made from their roots. */
#include "enclosure.h"
#include "sample.h"
#include "sturm.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS, MULTIPLICITIES, CODE };
enum { PER_DOMAIN = 150, PER_DOMAIN_SLOW = 30, PER_DOMAIN_AT_LIMIT = 6, BITS_AT_LIMIT = 1000 };
static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

static struct answer answer, finer;
static struct judge *judge;
static size_t reals, codes, distinct;

/* 0: roots, 1: every number, 2: a coefficient is not finite. */
static double code_of(const double *c)
{
    bool finite = true, zero = true;
    for (int i = 0; i < 4; i++) {
        finite = finite && isfinite(c[i]);
        zero = zero && c[i] == 0;
    }
    return !finite ? 2 : zero ? 1 : 0;
}

static bool is_point_of(mpfi_srcptr interval, double value)
{
    return interval_is_point(interval) && mpfr_cmp_d(&interval->left, value) == 0;
}

/* Count, multiplicities and code are points, for roots and codes alike. */
static bool has_shape(const double *c, const struct sturm *sturm)
{
    size_t count = sturm ? (size_t)sturm->count : 0;
    bool good = answer.kind == ANSWER_REAL && answer.length[ROOTS] == count &&
                answer.length[MULTIPLICITIES] == count && answer.length[CODE] == 1 &&
                is_point_of(answer.value[2 * count], code_of(c));
    for (size_t i = 0; i < count && good; i++) {
        good = is_point_of(answer.value[count + i], sturm->multiplicity[i]);
    }
    return good;
}

/* Is root i in the interval? */
static bool holds_root(const struct sturm *sturm, int i, mpfi_srcptr interval)
{
    if (mpfi_nan_p(interval) || mpfi_inf_p(interval)) {
        return false;
    }
    mpq_t end;
    mpq_init(end);
    mpfr_get_q(end, &interval->left);
    bool holds = sturm_count_below(sturm, end, false) <= i;
    mpfr_get_q(end, &interval->right);
    holds = holds && sturm_count_below(sturm, end, true) > i;
    mpq_clear(end);
    return holds;
}

static void check_roots(const struct function *function, const double *c)
{
    struct sturm sturm;
    bool roots = code_of(c) == 0;
    if (roots) {
        sturm_open(&sturm, c);
    }
    for (int p = 0; p < PRECISIONS; p++) {
        answer_at(function, c, precisions[p], &answer);
        bool good = has_shape(c, roots ? &sturm : NULL);
        for (int i = 0; roots && good && i < sturm.count; i++) {
            good = holds_root(&sturm, i, answer.value[i]);
        }
        suite_check(good, "%ld bits: %s", (long)precisions[p], describe_inputs(function, c));
    }
    if (roots) {
        distinct += (size_t)sturm.count;
        sturm_close(&sturm);
    }
    *(roots ? &reals : &codes) += 1;
}

/* With more precision the enclosures shrink, in the end to what 40 digits need and much less. */
static void check_narrows(const struct function *function, const double *c)
{
    answer_at(function, c, precisions[0], &answer);
    for (int p = 1; p < PRECISIONS; p++) {
        answer_at(function, c, precisions[p], &finer);
        for (size_t i = 0; i < finer.length[ROOTS]; i++) {
            bool good = interval_is_point(finer.value[i]) ||
                        interval_narrows(answer.value[i], finer.value[i]);
            suite_check(good, "%ld bits: %s", (long)precisions[p], describe_inputs(function, c));
        }
        answer_at(function, c, precisions[p], &answer);
    }
    *(code_of(c) == 0 ? &reals : &codes) += 1;
}

static void check_limit(const struct function *function, const double *c)
{
    answer_at(function, c, function->precision_limit, &answer);
    for (size_t i = 0; i < answer.length[ROOTS]; i++) {
        suite_check(interval_is_narrow(answer.value[i], answer.value[i], BITS_AT_LIMIT), "%s",
                    describe_inputs(function, c));
        distinct++;
    }
    *(code_of(c) == 0 ? &reals : &codes) += 1;
}

static const struct function *roots_function(void)
{
    return catalog_find("cubic_roots");
}

static void open_all(void)
{
    answer_open(&answer);
    answer_open(&finer);
    judge = judge_create();
    reals = codes = distinct = 0;
}

static void close_all(void)
{
    judge_destroy(judge);
    answer_close(&finer);
    answer_close(&answer);
}

static void run(size_t per_domain, void (*check)(const struct function *, const double *))
{
    open_all();
    size_t calls = for_each_sample(roots_function(), per_domain, check);
    CU_ASSERT_EQUAL(calls, per_domain * domains_of(roots_function())->count);
    CU_ASSERT_EQUAL(reals + codes, calls);
    CU_ASSERT(reals > calls * 3 / 4);
    close_all();
}

static void enclosures_hold_the_roots_and_no_others(void)
{
    run(PER_DOMAIN, check_roots);
    CU_ASSERT(distinct > reals && codes > PER_DOMAIN);
}

static void a_higher_precision_narrows(void)
{
    run(PER_DOMAIN_SLOW, check_narrows);
}

static void at_the_limit_enclosures_are_narrow(void)
{
    run(PER_DOMAIN_AT_LIMIT, check_limit);
    CU_ASSERT(distinct > reals);
}

/* Polynomials made from their roots: integers, in units of a power of 2. */
static void products_of_linear_factors_have_their_roots(void)
{
    struct sample sample = {71};
    const struct function *function = roots_function();
    size_t compared = 0;
    open_all();
    for (int i = 0; i < 2000; i++, compared++) {
        double r[3], lead = 1 + (double)sample_below(&sample, 9);
        for (int k = 0; k < 3; k++) {
            r[k] = (double)(int)sample_below(&sample, 13) - 6;
        }
        double c[4] = {lead, -lead * (r[0] + r[1] + r[2]),
                       lead * (r[0] * r[1] + r[1] * r[2] + r[2] * r[0]),
                       -lead * r[0] * r[1] * r[2]};
        int unit = (int)sample_below(&sample, 601) - 300;
        for (int k = 0; k < 4; k++) {
            c[k] = ldexp(c[k], k * unit);
        }
        answer_at(function, c, 128, &answer);
        size_t next = 0;
        bool good = true;
        for (int value = -6; value <= 6; value++) {
            int times = (r[0] == value) + (r[1] == value) + (r[2] == value);
            if (times > 0) {
                mpfi_srcptr root = answer.value[next];
                good = good && next < answer.length[ROOTS] &&
                       mpfr_cmp_d(&root->left, ldexp(value, unit)) <= 0 &&
                       mpfr_cmp_d(&root->right, ldexp(value, unit)) >= 0 &&
                       is_point_of(answer.value[answer.length[ROOTS] + next], times);
                next++;
            }
        }
        suite_check(good && next == answer.length[ROOTS], "%s", describe_inputs(function, c));
    }
    CU_ASSERT_EQUAL(compared, 2000);
    close_all();
}

/* Verdicts. */

/* The ladder's; the first stage has to agree. */
static void judge_twice(const struct values *inputs, const struct values *results,
                        struct judgement *judgement)
{
    struct judgement first;
    judge_set_filter(judge, true);
    judge_case(judge, roots_function(), inputs, results, &first);
    judge_set_filter(judge, false);
    judge_case(judge, roots_function(), inputs, results, judgement);
    bool same = first.verdict == judgement->verdict && first.measured == judgement->measured &&
                (!first.measured || (first.error_ulp == judgement->error_ulp &&
                                     first.error_scaled == judgement->error_scaled &&
                                     first.bound == judgement->bound));
    suite_check(same, "%s: %s, %g ulps, %g with the first stage, %s, %g, %g without it",
                describe_inputs(roots_function(), inputs->number), verdict_name(first.verdict),
                first.error_ulp, first.error_scaled, verdict_name(judgement->verdict),
                judgement->error_ulp, judgement->error_scaled);
}

static enum verdict verdict_on(const double *c, size_t count, const double *roots,
                               const double *multiplicities, double code)
{
    static struct values inputs, results;
    struct judgement judgement;
    memcpy(values_numbers(&inputs, 4), c, 4 * sizeof *c);
    values_clear(&results);
    memcpy(values_append(&results, count), roots, count * sizeof *roots);
    memcpy(values_append(&results, count), multiplicities, count * sizeof *multiplicities);
    *values_append(&results, 1) = code;
    judge_twice(&inputs, &results, &judgement);
    bool agrees = judgement.verdict != VERDICT_WITHIN || !judgement.measured ||
                  judgement.error_scaled <= judgement.bound;
    suite_check(agrees, "%s: within at %g", describe_inputs(roots_function(), c),
                judgement.error_scaled);
    return judgement.verdict;
}

struct claim {
    double c[4];
    size_t count;
    double root[3], multiplicity[3], code;
    enum verdict verdict;
};

static void check_claims(const struct claim *claims, size_t count)
{
    open_all();
    for (size_t i = 0; i < count; i++) {
        const struct claim *claim = &claims[i];
        enum verdict verdict =
            verdict_on(claim->c, claim->count, claim->root, claim->multiplicity, claim->code);
        suite_check(verdict == claim->verdict, "claim %zu on %s: %s, not %s", i,
                    describe_inputs(roots_function(), claim->c), verdict_name(verdict),
                    verdict_name(claim->verdict));
    }
    close_all();
}

static void counts_orders_and_codes_must_be_right(void)
{
    static const struct claim claims[] = {
        {{1, -6, 11, -6}, 3, {1, 2, 3}, {1, 1, 1}, 0, VERDICT_WITHIN},
        {{1, -6, 11, -6}, 2, {1, 2}, {1, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 3, 2}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 2, 3}, {1, 2, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 2, 3}, {1, NAN, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 2, 3}, {1, 1, 1}, 1, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 2, 3}, {1, 1, 1}, NAN, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, NAN, 3}, {1, 1, 1}, 0, VERDICT_CLASS_MISMATCH},
        {{1, -6, 11, -6}, 3, {1, 2, HUGE_VAL}, {1, 1, 1}, 0, VERDICT_CLASS_MISMATCH},
        {{1, -6, 11, -6}, 0, {0}, {0}, 0, VERDICT_VIOLATION},
        {{1, 0, -3, 2}, 2, {-2, 1}, {1, 2}, 0, VERDICT_WITHIN},
        {{1, 0, -3, 2}, 3, {-2, 1, 1}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        {{1, 0, -3, 2}, 2, {-2, 1}, {2, 1}, 0, VERDICT_VIOLATION},
        {{1, 0, -3, 2}, 2, {-2, 1}, {1, 1}, 0, VERDICT_VIOLATION},
        {{1, -3, 3, -1}, 1, {1}, {3}, 0, VERDICT_WITHIN},
        {{1, -3, 3, -1}, 1, {1}, {1}, 0, VERDICT_VIOLATION},
        {{0, 1, 0, 1}, 0, {0}, {0}, 0, VERDICT_WITHIN},
        {{0, 0, 0, 1}, 0, {0}, {0}, 0, VERDICT_WITHIN},
        {{0, 0, 0, 1}, 0, {0}, {0}, 1, VERDICT_VIOLATION},
        {{0, 0, -0.0, 0}, 0, {0}, {0}, 1, VERDICT_WITHIN},
        {{0, 0, 0, 0}, 1, {0}, {1}, 0, VERDICT_VIOLATION},
        {{0, 0, 0, 0}, 0, {0}, {0}, 0, VERDICT_VIOLATION},
        {{NAN, 0, 0, 0}, 0, {0}, {0}, 2, VERDICT_WITHIN},
        {{1, HUGE_VAL, 0, 0}, 0, {0}, {0}, 2, VERDICT_WITHIN},
        {{0, 0, 0, -HUGE_VAL}, 0, {0}, {0}, 1, VERDICT_VIOLATION},
        {{0, 0, 1, -HUGE_VAL}, 1, {HUGE_VAL}, {1}, 0, VERDICT_VIOLATION},
    };
    check_claims(claims, sizeof claims / sizeof *claims);
}

/* The polynomial must be small all the way to the exact root of the same number. */
static void roots_must_match_one_to_one(void)
{
    static const double close = 0x1p-20;
    static const struct claim claims[] = {
        {{1, -6, 11, -6}, 3, {1, 1, 3}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {1, 2, 2}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        {{1, -6, 11, -6}, 3, {2, 2, 2}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        {{1, 0, -1, 0}, 3, {-1, 0, 1}, {1, 1, 1}, 0, VERDICT_WITHIN},
        {{1, 0, -1, 0}, 3, {-1, 1, 1}, {1, 1, 1}, 0, VERDICT_VIOLATION},
        /* 0 and 2^-20, in a polynomial whose value between is 2^-42 */
        {{0, 1, -close, 0}, 2, {0, close}, {1, 1}, 0, VERDICT_WITHIN},
        {{0, 1, -close, 0}, 2, {0, 0}, {1, 1}, 0, VERDICT_VIOLATION},
        {{0, 1, -close, 0}, 2, {close, close}, {1, 1}, 0, VERDICT_VIOLATION},
        /* 1 and 1 + 2^-26, between which the value is 2^-54 of terms that add up to 4 */
        {{0, 0x1p26, -(0x1p27 + 1), 0x1p26 + 1}, 2, {1, 1}, {1, 1}, 0, VERDICT_WITHIN},
        {{0, 0x1p26, -(0x1p27 + 1), 0x1p26 + 1}, 2, {1 + 0x1p-26, 1}, {1, 1}, 0, VERDICT_VIOLATION},
        {{0, 0x1p26, -(0x1p27 + 1), 0x1p26 + 1},
         2,
         {1 + 0x1p-26, 1 + 0x1p-26},
         {1, 1},
         0,
         VERDICT_WITHIN},
        {{0, 0x1p26, -(0x1p27 + 1), 0x1p26 + 1},
         2,
         {1 - 0x1p-26, 1 + 0x1p-26},
         {1, 1},
         0,
         VERDICT_WITHIN},
        /* 1 and 1 + 2^-20: 2^-42 of 4, too much */
        {{0, 0x1p20, -(0x1p21 + 1), 0x1p20 + 1}, 2, {1, 1}, {1, 1}, 0, VERDICT_VIOLATION},
        {{0, 0x1p20, -(0x1p21 + 1), 0x1p20 + 1}, 2, {1, 1 + 0x1p-20}, {1, 1}, 0, VERDICT_WITHIN},
        /* on the far side of a double root, where the value is small all around */
        {{1, 0, -3, 2}, 2, {-2, 1 + 0x1p-27}, {1, 2}, 0, VERDICT_WITHIN},
        {{1, 0, -3, 2}, 2, {-2, 1 - 0x1p-24}, {1, 2}, 0, VERDICT_VIOLATION},
    };
    check_claims(claims, sizeof claims / sizeof *claims);
}

static void zeros_and_the_ends_of_the_range(void)
{
    static const struct claim claims[] = {
        {{1, 2, 0, 0}, 2, {-2, 0}, {1, 2}, 0, VERDICT_WITHIN},
        {{1, 2, 0, 0}, 2, {-2, -0.0}, {1, 2}, 0, VERDICT_CLASS_MISMATCH},
        {{1, 2, 0, 0}, 2, {-2, DBL_TRUE_MIN}, {1, 2}, 0, VERDICT_WITHIN},
        {{1, 2, 0, 0}, 2, {-2, 0x1p-30}, {1, 2}, 0, VERDICT_VIOLATION},
        /* 2^-1074 / 3, and 1e-600 */
        {{0, 0, 3, -DBL_TRUE_MIN}, 1, {0}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 3, -DBL_TRUE_MIN}, 1, {DBL_TRUE_MIN}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 3, -DBL_TRUE_MIN}, 1, {-DBL_TRUE_MIN}, {1}, 0, VERDICT_VIOLATION},
        {{0, 0, 1e300, -1e-300}, 1, {0}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 1e300, -1e-300}, 1, {-0.0}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 1e300, -1e-300}, 1, {2 * DBL_TRUE_MIN}, {1}, 0, VERDICT_VIOLATION},
        {{0, 0, 1, 1e-300}, 1, {0}, {1}, 0, VERDICT_VIOLATION},
        /* 1e600 */
        {{0, 0, 1e-300, -1e300}, 1, {HUGE_VAL}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 1e-300, -1e300}, 1, {-HUGE_VAL}, {1}, 0, VERDICT_CLASS_MISMATCH},
        {{0, 0, 1e-300, -1e300}, 1, {DBL_MAX}, {1}, 0, VERDICT_VIOLATION},
        {{0, 0, 1e-300, -1}, 1, {HUGE_VAL}, {1}, 0, VERDICT_CLASS_MISMATCH},
        /* 2^1024 and its neighbours below */
        {{0, 0, 0x1p-1000, -0x1p24}, 1, {HUGE_VAL}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 0x1p-1000, -0x1p24}, 1, {DBL_MAX}, {1}, 0, VERDICT_WITHIN},
        {{0, 0, 0x1p-1000, -0x1.fffffffffffffp23}, 1, {HUGE_VAL}, {1}, 0, VERDICT_CLASS_MISMATCH},
        {{0, 0, 0x1p-1000, -0x1.fffffffffffffp23}, 1, {DBL_MAX}, {1}, 0, VERDICT_WITHIN},
    };
    check_claims(claims, sizeof claims / sizeof *claims);
}

/* Where the value reaches 8 u times the terms' sizes, to the double: the verdict changes there. */
static void the_verdict_changes_with_the_rational(void)
{
    static const double polynomials[][4] = {{1, 0, 0, -2},
                                            {1, 3, 4, 5},
                                            {0, 0, 3, -1},
                                            {0, 1, -3, 1},
                                            {1e300, 2e150, 3, -7e-150},
                                            {-0x1p-1074, 0, 0, 0x1p900},
                                            {1, 1e5, 1, -1e-5}};
    const double once[3] = {1, 1, 1};
    open_all();
    size_t within = 0, beyond = 0;
    for (size_t i = 0; i < sizeof polynomials / sizeof *polynomials; i++) {
        const double *c = polynomials[i];
        struct sturm sturm;
        sturm_open(&sturm, c);
        mpq_t low, high, x;
        mpq_inits(low, high, x, NULL);
        double roots[3];
        for (int k = 0; k < sturm.count; k++) {
            sturm_locate(&sturm, k, 80, low, high);
            roots[k] = mpq_get_d(high);
        }
        for (int k = 0; k < sturm.count; k++) {
            double right = roots[k];
            for (int side = -1; side <= 1; side += 2) {
                double r = right;
                for (int step = 0; step < 12; step++) {
                    roots[k] = r;
                    mpq_set_d(x, r);
                    bool small = sturm_is_small(&sturm, x, roots_function()->K);
                    enum verdict verdict = verdict_on(c, (size_t)sturm.count, roots, once, 0);
                    suite_check(verdict == (small ? VERDICT_WITHIN : VERDICT_VIOLATION),
                                "root %d = %a of %s: %s", k, r,
                                describe_inputs(roots_function(), c), verdict_name(verdict));
                    *(small ? &within : &beyond) += 1;
                    r = nextafter(r, side * HUGE_VAL);
                }
            }
            roots[k] = right;
        }
        mpq_clears(low, high, x, NULL);
        sturm_close(&sturm);
    }
    CU_ASSERT(within > 100 && beyond > 50);
    close_all();
}

/* The numbers below 2^-1074 decide by themselves how far from a root is still near. */
static void roots_of_2_to_the_minus_1074(void)
{
    const double once[3] = {1, 1, 1};
    open_all();
    for (int twelfths = -30; twelfths <= 30; twelfths++) {
        double c[4] = {0, 0, 0x1.8p3, -twelfths * DBL_TRUE_MIN};
        for (int result = -4; result <= 4; result++) {
            double root = result * DBL_TRUE_MIN;
            bool near = abs(12 * result - twelfths) <= 12;
            enum verdict wanted = near ? VERDICT_WITHIN : VERDICT_VIOLATION;
            suite_check(verdict_on(c, 1, &root, once, 0) == wanted, "%d for %d/12", result,
                        twelfths);
        }
    }
    close_all();
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"enclosures hold the roots and no others", enclosures_hold_the_roots_and_no_others},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"at the limit enclosures are narrow", at_the_limit_enclosures_are_narrow},
        {"products of linear factors have their roots",
         products_of_linear_factors_have_their_roots},
        {"counts, orders and codes must be right", counts_orders_and_codes_must_be_right},
        {"roots must match one to one", roots_must_match_one_to_one},
        {"zeros and the ends of the range", zeros_and_the_ends_of_the_range},
        {"the verdict changes with the rational", the_verdict_changes_with_the_rational},
        {"roots of 2^-1074", roots_of_2_to_the_minus_1074},
    };
    return suite_run("oracle_cubic_roots", tests, sizeof tests / sizeof *tests);
}
