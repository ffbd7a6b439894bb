/* The oracle's first stage: its arithmetic's bounds against MPFR, its estimates against the
 * ladder's answers, and its judgements against the ladder's judgements. */
#include "suite.h"
#include "enclosure.h"
#include "sample.h"

#include "../corpus/draw.h"
#include "../oracle/exact_sum.h"
#include "../oracle/filter.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 20261130;

/* Samples of each operation, and of each function's estimates; a fifth of these for judgements. */
static size_t sample_count = 100000;

/* Operations: the largest error of many, in units of u^2, against the bound. */

enum { PRECISION = 512 };

static mpfr_t exact, left, right;

/* A low part for that high part: of any size up to half an ulp, often the largest, often 0. */
static double low_part(struct sample *sample, double high)
{
    double half = ldexp(1, ilogb(high) - 53);
    switch (sample_below(sample, 6)) {
    case 0:
        return 0;
    case 1:
        return ldexp(sample_uniform(sample, -1, 1), -(int)sample_below(sample, 200)) * half;
    case 2: /* nearly the largest */
        return (sample_below(sample, 2) ? 1 : -1) * half *
               (1 - ldexp(1, -1 - (int)sample_below(sample, 50)));
    default:
        return sample_uniform(sample, -1, 1) * half;
    }
}

/* A mantissa in [1, 2): any, or at an end, or of few bits */
static double mantissa(struct sample *sample)
{
    switch (sample_below(sample, 5)) {
    case 0:
        return 1 + ldexp((double)sample_below(sample, 64), -52);
    case 1:
        return 2 - ldexp(1 + (double)sample_below(sample, 64), -52);
    case 2:
        return 1 + ldexp((double)sample_below(sample, 64), -6);
    default:
        return sample_uniform(sample, 1, 2);
    }
}

static double signed_number(struct sample *sample, int low, int high)
{
    int exponent = low + (int)sample_below(sample, (unsigned)(high - low));
    return ldexp(sample_below(sample, 2) ? mantissa(sample) : -mantissa(sample), exponent);
}

static struct dd double_double(struct sample *sample, int low, int high)
{
    double number = signed_number(sample, low, high);
    double part = low_part(sample, number);
    return dd_of_sum(number, part);
}

static void set_dd(mpfr_ptr x, struct dd value)
{
    mpfr_set_d(x, value.high, MPFR_RNDN);
    mpfr_add_d(x, x, value.low, MPFR_RNDN);
}

/* |got - exact| over u^2 |scale|; 0 where both are 0. */
static double error_of(struct dd got, mpfr_srcptr scale)
{
    set_dd(left, got);
    mpfr_sub(left, left, exact, MPFR_RNDN);
    if (mpfr_zero_p(left)) {
        return 0;
    }
    mpfr_div(left, left, scale, MPFR_RNDN);
    return ldexp(fabs(mpfr_get_d(left, MPFR_RNDN)), 106);
}

enum operation { SUM, SUM_LOOSE, SUM_DOUBLE, PRODUCT, PRODUCT_DOUBLE, QUOTIENT, RECIPROCAL, ROOT };

/* Operands of one operation: apart in size by up to 2^120; sums often cancel. */
static void draw_operands(struct sample *sample, enum operation operation, struct dd *x,
                          struct dd *y)
{
    int range = operation <= SUM_DOUBLE ? 60 : 200;
    *x = double_double(sample, -range, range);
    *y = double_double(sample, -range, range);
    if (operation <= SUM_DOUBLE && sample_below(sample, 2)) {
        double near =
            -x->high * (1 + ldexp(signed_number(sample, -1, 1), -(int)sample_below(sample, 54)));
        *y = near == 0 ? *y : dd_of_sum(near, low_part(sample, near));
    }
    if (operation == SUM_DOUBLE || operation == PRODUCT_DOUBLE) {
        y->low = 0;
    }
    if (operation == ROOT) {
        *x = dd_magnitude(*x);
    }
}

/* The result; leaves the exact one in `exact`, and in `right` what the error is measured by. */
static struct dd operate(enum operation operation, struct dd x, struct dd y)
{
    set_dd(left, x);
    set_dd(right, y);
    switch (operation) {
    case SUM_LOOSE:
        mpfr_add(exact, left, right, MPFR_RNDN);
        mpfr_abs(left, left, MPFR_RNDN);
        mpfr_abs(right, right, MPFR_RNDN);
        mpfr_add(right, left, right, MPFR_RNDN);
        return dd_sum_loose(x, y);
    case SUM:
    case SUM_DOUBLE:
        mpfr_add(exact, left, right, MPFR_RNDN);
        mpfr_set(right, exact, MPFR_RNDN);
        return operation == SUM ? dd_sum(x, y) : dd_sum_double(x, y.high);
    case PRODUCT:
    case PRODUCT_DOUBLE:
        mpfr_mul(exact, left, right, MPFR_RNDN);
        mpfr_set(right, exact, MPFR_RNDN);
        return operation == PRODUCT ? dd_product(x, y) : dd_product_double(x, y.high);
    case QUOTIENT:
        mpfr_div(exact, left, right, MPFR_RNDN);
        mpfr_set(right, exact, MPFR_RNDN);
        return dd_quotient(x, y);
    case RECIPROCAL:
        mpfr_ui_div(exact, 1, right, MPFR_RNDN);
        mpfr_set(right, exact, MPFR_RNDN);
        return dd_reciprocal(y);
    case ROOT:
        mpfr_sqrt(exact, left, MPFR_RNDN);
        mpfr_set(right, exact, MPFR_RNDN);
        return dd_root(x);
    }
    return (struct dd){NAN, NAN};
}

static void test_operations(void)
{
    static const char *const names[] = {"sum",
                                        "loose sum",
                                        "sum with a double",
                                        "product",
                                        "product by a double",
                                        "quotient",
                                        "reciprocal",
                                        "root"};
    const double bounds[] = {FILTER_SUM,
                             FILTER_SUM_LOOSE,
                             FILTER_SUM_DOUBLE,
                             FILTER_PRODUCT,
                             FILTER_PRODUCT_DOUBLE,
                             FILTER_QUOTIENT,
                             FILTER_RECIPROCAL,
                             FILTER_ROOT};
    struct sample sample = {seed};
    for (enum operation operation = SUM; operation <= ROOT; operation++) {
        double most = 0;
        double bound = ldexp(bounds[operation], 106);
        for (size_t i = 0; i < sample_count; i++) {
            struct dd x, y;
            draw_operands(&sample, operation, &x, &y);
            struct dd result = operate(operation, x, y);
            double error = error_of(result, right);
            most = !(error <= most) ? error : most;
            bool normal = result.high + result.low == result.high;
            if (!(error <= bound) || !normal) {
                suite_check(false, "%s of %a + %a and %a + %a: %a + %a is off by %g u^2 of %g",
                            names[operation], x.high, x.low, y.high, y.low, result.high, result.low,
                            error, bound);
            }
        }
        /* else the attack, or the bound, is a weak one */
        suite_check(most > bound / 4, "%s: no error above %g u^2, the bound being %g",
                    names[operation], most, bound);
    }
}

/* Exact operations are, and fma makes them so on every machine. */
static void test_exact_operations(void)
{
    struct sample sample = {seed + 1};
    for (size_t i = 0; i < sample_count; i++) {
        double a = signed_number(&sample, -480, 480);
        double b = signed_number(&sample, -480, 480);
        struct dd sum = dd_of_sum(a, b), difference = dd_of_difference(a, b);
        struct dd product = dd_of_product(a, b);
        mpfr_set_d(left, a, MPFR_RNDN);
        mpfr_set_d(right, b, MPFR_RNDN);
        mpfr_mul(exact, left, right, MPFR_RNDN);
        bool holds = error_of(product, exact) == 0;
        if (abs(ilogb(a) - ilogb(b)) < 400) {
            mpfr_set_d(left, a, MPFR_RNDN);
            mpfr_add(exact, left, right, MPFR_RNDN);
            holds = holds && error_of(sum, right) == 0;
            mpfr_set_d(left, a, MPFR_RNDN);
            mpfr_sub(exact, left, right, MPFR_RNDN);
            holds = holds && error_of(difference, right) == 0;
        }
        if (!holds) {
            suite_check(false, "not exact: %a and %a", a, b);
        }
    }
    suite_check(sample_count > 0, "no samples");
}

/* Approximations: the result of a real operation on real numbers that lie anywhere within their
 * errors lies within the result's error. */

static struct approximation draw_approximation(struct sample *sample, mpfr_ptr real)
{
    struct dd center = double_double(sample, -30, 30);
    double error = fabs(center.high) *
                   ldexp(sample_uniform(sample, 0, 1), -3 - (int)sample_below(sample, 130));
    double off = sample_below(sample, 3) ? error * (sample_below(sample, 2) ? 1 : -1)
                                         : error * sample_uniform(sample, -1, 1);
    set_dd(real, center);
    mpfr_add_d(real, real, off, MPFR_RNDN);
    return approximation_of(center, error);
}

static bool holds_exact(struct approximation x)
{
    set_dd(left, (struct dd){x.high, x.low});
    mpfr_sub(left, left, exact, MPFR_RNDN);
    return fabs(mpfr_get_d(left, MPFR_RNDA)) <= x.error;
}

static void test_approximations(void)
{
    static const char *const names[] = {"sum",      "difference", "product", "product by a double",
                                        "quotient", "root"};
    enum { KINDS = sizeof names / sizeof *names };
    struct sample sample = {seed + 2};
    size_t finite = 0;
    mpfr_t a, b;
    mpfr_inits2(PRECISION, a, b, (mpfr_ptr)NULL);
    for (size_t i = 0; i < sample_count * KINDS; i++) {
        struct approximation x = draw_approximation(&sample, a);
        struct approximation y = draw_approximation(&sample, b);
        struct approximation got = {0};
        double number = signed_number(&sample, -30, 30);
        switch (i % KINDS) {
        case 0:
            mpfr_add(exact, a, b, MPFR_RNDN);
            got = approximation_sum(x, y);
            break;
        case 1:
            mpfr_sub(exact, a, b, MPFR_RNDN);
            got = approximation_difference(x, y);
            break;
        case 2:
            mpfr_mul(exact, a, b, MPFR_RNDN);
            got = approximation_product(x, y);
            break;
        case 3:
            mpfr_mul_d(exact, a, number, MPFR_RNDN);
            got = approximation_product_double(x, number);
            break;
        case 4:
            mpfr_div(exact, a, b, MPFR_RNDN);
            got = approximation_quotient(x, y);
            break;
        default:
            mpfr_abs(a, a, MPFR_RNDN);
            mpfr_sqrt(exact, a, MPFR_RNDN);
            got = approximation_root(approximation_magnitude(x));
        }
        finite += isfinite(got.error);
        if (!holds_exact(got)) {
            mpfr_sub_d(exact, exact, got.high, MPFR_RNDN);
            suite_check(false,
                        "%s of %a + %a +- %a and %a + %a +- %a (%a): off %a + %a by more than %a",
                        names[i % KINDS], x.high, x.low, x.error, y.high, y.low, y.error, number,
                        got.high, got.low, got.error);
        }
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
    CU_ASSERT_EQUAL(finite, sample_count * KINDS);
}

/* Exact sums of products: any, and such that all but a rest cancels, or all. */

enum { EXACT_BITS = 4400 };

static double any_double(struct sample *sample)
{
    switch (sample_below(sample, 4)) {
    case 0:
        return signed_number(sample, -4, 4);
    case 1:
        return signed_number(sample, -1022, 1024);
    case 2:
        return ldexp((double)sample_below(sample, 64) - 32, -1074);
    default:
        return signed_number(sample, -540, -500);
    }
}

static size_t draw_terms(struct sample *sample, double x[], double y[])
{
    size_t half = 1 + sample_below(sample, EXACT_SUM_TERMS_MAX / 2), count = half;
    bool cancel = sample_below(sample, 2);
    for (size_t i = 0; i < half; i++) {
        x[i] = any_double(sample);
        y[i] = any_double(sample);
        if (cancel) {
            x[count] = sample_below(sample, 12) ? -x[i] : any_double(sample);
            y[count++] = y[i];
        }
    }
    return count;
}

/* What is wrong with the value of the sum in `exact`; NULL if nothing is. */
static const char *fault_of_value(const struct exact_value *value)
{
    if (!same_double(value->nearest, mpfr_get_d(exact, MPFR_RNDN))) {
        return "nearest";
    }
    if (mpfr_zero_p(exact)) {
        return value->high == 0 && value->low == 0 && value->error == 0 ? NULL : "zero";
    }
    mpfr_div_2si(exact, exact, value->exponent, MPFR_RNDN);
    bool normal = fabs(value->high) >= 1 && fabs(value->high) <= 2 && value->error <= 0x1p-106;
    mpfr_sub_d(exact, exact, value->high, MPFR_RNDN);
    mpfr_sub_d(exact, exact, value->low, MPFR_RNDN);
    mpfr_abs(exact, exact, MPFR_RNDN);
    return !normal                               ? "size"
           : mpfr_cmp_d(exact, value->error) > 0 ? "error"
           : fabs(value->low) > 0x1p-53          ? "low"
                                                 : NULL;
}

static void test_exact_sums(void)
{
    struct sample sample = {seed + 4};
    size_t zeros = 0, infinities = 0, subnormals = 0, inexact = 0;
    mpfr_set_prec(exact, EXACT_BITS);
    mpfr_set_prec(left, 2 * 53);
    for (size_t i = 0; i < sample_count; i++) {
        double x[EXACT_SUM_TERMS_MAX], y[EXACT_SUM_TERMS_MAX];
        size_t count = draw_terms(&sample, x, y);
        struct exact_sum sum;
        exact_sum_clear(&sum);
        mpfr_set_zero(exact, 1);
        for (size_t k = 0; k < count; k++) {
            exact_sum_add(&sum, x[k], y[k]);
            mpfr_set_d(left, x[k], MPFR_RNDN);
            mpfr_mul_d(left, left, y[k], MPFR_RNDN);
            mpfr_add(exact, exact, left, MPFR_RNDN);
        }
        struct exact_value value = exact_sum_value(&sum);
        zeros += mpfr_zero_p(exact);
        infinities += isinf(value.nearest);
        subnormals += value.nearest != 0 && !isnormal(value.nearest) && isfinite(value.nearest);
        inexact += value.error > 0;
        const char *fault = fault_of_value(&value);
        if (fault) {
            suite_check(false, "%s: %zu products, the first %a times %a", fault, count, x[0], y[0]);
        }
    }
    mpfr_set_prec(exact, PRECISION);
    mpfr_set_prec(left, PRECISION);
    suite_check(zeros && infinities && subnormals && inexact, "%zu zeros, %zu, %zu and %zu", zeros,
                infinities, subnormals, inexact);
}

/* Outside of what is covered there is no error that a verdict could rest on. */
static void test_guards(void)
{
    struct approximation one = approximation_of_double(1);
    struct approximation vague = {1, 0, 0.75};
    struct approximation zero = approximation_of_double(0);
    CU_ASSERT(isinf(approximation_quotient(one, vague).error));
    CU_ASSERT(!(approximation_quotient(one, zero).error < INFINITY));
    CU_ASSERT(isinf(approximation_root(zero).error));
    CU_ASSERT(isinf(approximation_root((struct approximation){1, 0, 1.5}).error));
    CU_ASSERT(isinf(approximation_root(approximation_of_double(-1)).error));
    struct approximation huge = approximation_of_double(0x1p1000);
    struct approximation overflow = approximation_product(huge, huge);
    CU_ASSERT(!(isfinite(overflow.high) && isfinite(overflow.low) && overflow.error < INFINITY));
    struct approximation tiny = approximation_of_double(0x1.fffffffffffffp-600);
    struct approximation underflow = approximation_product(tiny, tiny);
    CU_ASSERT(underflow.high == 0 && underflow.error >= 0x1p-1060);
    CU_ASSERT_EQUAL(filter_power(0x1p-600), 0x1p600);
    CU_ASSERT_EQUAL(filter_power(1), 1);
    CU_ASSERT_EQUAL(filter_power(0x1p1000), 0x1p-600);
    CU_ASSERT(filter_scaled(0x1p-474, 0x1p-600) == 0x1p-1074);
    CU_ASSERT(isnan(filter_scaled(0x1.8p-474, 0x1p-600)));
    CU_ASSERT_EQUAL(filter_unit(1.5), 1);
    CU_ASSERT_EQUAL(filter_unit(0x1.fp-900), 0x1p900);
    CU_ASSERT(isnan(filter_unit(0x1p-1074)));
}

/* Estimates hold the answers of the ladder. */

enum { ANSWER_PRECISION = 320 };

static struct answer answer;
static struct estimate estimate;

/* What is not finite says nothing. */
static bool holds(const struct approximation *x, int exponent, mpfi_srcptr wanted)
{
    if (!isfinite(x->high) || !isfinite(x->low) || !isfinite(x->error)) {
        return true;
    }
    mpfr_set_d(left, x->high, MPFR_RNDN);
    mpfr_add_d(left, left, x->low, MPFR_RNDN);
    mpfr_add_d(right, left, x->error, MPFR_RNDU);
    mpfr_sub_d(left, left, x->error, MPFR_RNDD);
    mpfr_mul_2si(left, left, -exponent, MPFR_RNDN);
    mpfr_mul_2si(right, right, -exponent, MPFR_RNDN);
    return mpfr_lessequal_p(left, &wanted->right) && mpfr_greaterequal_p(right, &wanted->left);
}

/* What of the estimate does not hold the answer; NULL if all of it does. */
static const char *fault_of(const struct function *function)
{
    if (answer.kind != ANSWER_REAL) {
        return "no real answer";
    }
    if (estimate.factor != answer.factor) {
        return "another factor";
    }
    size_t number = 0;
    bool vector = function->measure == MEASURE_VECTOR;
    for (size_t k = 0; k < function->output_count; k++) {
        if (estimate.length[k] != answer.length[k]) {
            return "other lengths";
        }
        for (size_t i = 0; i < answer.length[k]; i++, number++) {
            bool scaled = !function->whole[k] && !function_in_ulps(function) &&
                          strcmp(function->name, "cubic_roots") != 0; /* roots have no S */
            int exponent = function->whole[k] ? 0 : estimate.exponent + estimate.shift[number];
            if (!holds(&estimate.value[number], exponent, answer.value[number])) {
                return "value";
            }
            if (scaled && !(vector && number > 0) &&
                !holds(&estimate.scale[number], exponent, answer.scale[number])) {
                return "scale";
            }
            if (scaled && function->slack &&
                !holds(&estimate.slack[number], exponent, answer.slack[number])) {
                return "slack";
            }
        }
    }
    if (vector && !holds(&estimate.magnitude, estimate.exponent, answer.magnitude)) {
        return "magnitude";
    }
    return function->figure && !holds(&estimate.figure, 0, answer.figure) ? "figure" : NULL;
}

/* Returns whether there is an estimate. */
static bool check_estimate(const struct function *function, const struct domain *domain,
                           const struct values *inputs)
{
    size_t field;
    estimate.exponent = 0;
    estimate.factor = function->K;
    estimate.elsewhere = false;
    memset(estimate.shift, 0, sizeof estimate.shift);
    for (size_t k = 0; k < OUTPUTS_MAX; k++) {
        estimate.length[k] = 1;
    }
    if (function_fault(function, inputs, &field) || !function->estimate(inputs, &estimate)) {
        return false;
    }
    answer_values(function, inputs, ANSWER_PRECISION, &answer);
    const char *fault = estimate.elsewhere ? NULL : fault_of(function);
    if (fault) {
        suite_check(false, "%s, %s, %s: %s", function->name, domain->name,
                    describe_case(function, inputs), fault);
    }
    return isfinite(estimate.value[0].error);
}

static void test_estimates(void)
{
    struct values inputs = {0};
    answer_open(&answer);
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        size_t count = catalog[f]->estimate ? sample_count / domains->count + 1 : 0;
        size_t estimates = 0;
        for (size_t i = 0; i < count * domains->count; i++) {
            const struct domain *domain = &domains->list[i / count];
            draw_case(seed + 3, catalog[f], domain, i % count, &inputs);
            estimates += check_estimate(catalog[f], domain, &inputs);
        }
        suite_check(4 * estimates >= count * domains->count, "%s: only %zu estimates of %zu",
                    catalog[f]->name, estimates, count * domains->count);
    }
    answer_close(&answer);
    values_free(&inputs);
}

/* Two nodes so close that S and the sum of |v_i l_i(t)| overflow at a t far away, or a weight over
 * t's distance does, which comes to NaN. */
static void check_overflowed_figure(const double *track)
{
    static const size_t lengths[] = {1, 2, 2, 1};
    const struct function *function = catalog_find("track");
    struct values inputs = {0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; track += lengths[i++]) {
        memcpy(values_append(&inputs, lengths[i]), track, lengths[i] * sizeof *track);
    }
    estimate = (struct estimate){.factor = function->K, .length = {1, 1, 1}};
    bool estimated = function->estimate(&inputs, &estimate);
    CU_ASSERT(!estimated || !isfinite(estimate.figure.error));
    values_free(&inputs);
}

static void test_overflowed_figures(void)
{
    static const double far_apart[] = {2,           -0x1.7bp-523, 0x1.83p-523,
                                       -0x1.23p-65, 0x1.7dp+197,  -0x1.c1p+348};
    static const double close[] = {1, 0x1.33p-697, 0x1.06p-695, 100, -200, -0x1.6ep-349};
    check_overflowed_figure(far_apart);
    check_overflowed_figure(close);
}

/* Judgements */

enum { SPOILINGS = 8 };

/* Makes one of the results wrong, in one of several ways, or none of them. */
static void spoil(struct values *results, uint64_t index)
{
    size_t count = results->start[results->count];
    if (count == 0) {
        return;
    }
    double *number = &results->number[index / SPOILINGS % count];
    double step = ldexp(fabs(*number), -53);
    switch (index % SPOILINGS) {
    case 1:
        *number = nextafter(*number, INFINITY);
        break;
    case 2:
        *number += 3 * step;
        break;
    case 3:
        *number -= 25 * step;
        break;
    case 4: /* across any bound that there is */
        *number += step * ldexp(1 + (double)(index / 64 % 7) / 8, (int)(index / 512 % 9));
        break;
    case 5:
        *number *= 1 + 0x1p-20;
        break;
    case 6:
        *number = index / 64 % 3 == 0 ? NAN : index / 64 % 3 == 1 ? INFINITY : -*number;
        break;
    default: /* as it is */
        break;
    }
}

static bool same_judgement(const struct judgement *x, const struct judgement *y)
{
    return x->verdict == y->verdict && x->measured == y->measured && x->output == y->output &&
           (!x->measured ||
            (same_double(x->error_ulp, y->error_ulp) &&
             same_double(x->error_scaled, y->error_scaled) && same_double(x->bound, y->bound))) &&
           same_double(x->figure, y->figure);
}

static void check_judgements(const struct function *function, const struct domain *domain,
                             const struct judgement *with, const struct judgement *without,
                             const struct values *inputs)
{
    bool outcome = with->stage == STAGE_FILTER ? with->outcome == OUTCOME_ENCLOSED
                                               : with->outcome == without->outcome;
    if (same_judgement(with, without) && outcome && without->stage != STAGE_FILTER) {
        return;
    }
    suite_check(false,
                "%s, %s, %s: %s %.17g %.17g of %.17g (%.17g), not %s %.17g %.17g of %.17g (%.17g)",
                function->name, domain->name, describe_case(function, inputs),
                verdict_name(with->verdict), with->error_ulp, with->error_scaled, with->bound,
                with->figure, verdict_name(without->verdict), without->error_ulp,
                without->error_scaled, without->bound, without->figure);
}

/* All samples of one domain, judged twice. Returns how many the first stage settled. */
static size_t judge_twice(struct judge *judge, const struct function *function,
                          const struct domain *domain, size_t count)
{
    static struct values inputs, results;
    size_t settled = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct judgement with, without;
        draw_case(seed, function, domain, i, &inputs);
        implementation_call(implementation_builtin(), function, &inputs, &results);
        spoil(&results, i);
        judge_set_filter(judge, true);
        judge_case(judge, function, &inputs, &results, &with);
        settled += with.stage == STAGE_FILTER;
        if (with.stage == STAGE_FILTER) {
            judge_set_filter(judge, false);
            judge_case(judge, function, &inputs, &results, &without);
            check_judgements(function, domain, &with, &without, &inputs);
        }
    }
    return settled;
}

static void test_same_judgements(void)
{
    struct judge *judge = judge_create();
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        if (!catalog[f]->estimate) {
            continue;
        }
        size_t count = sample_count / 5 / domains->count + 1;
        size_t all = 0, typical = 0;
        for (size_t d = 0; d < domains->count; d++) {
            size_t settled = judge_twice(judge, catalog[f], &domains->list[d], count);
            if (getenv("FILTER_SHARES"))
                printf("%s %s %g\n", catalog[f]->name, domains->list[d].name,
                       (double)settled / (double)count);
            all += settled;
            typical += d == domains->typical ? settled : 0;
        }
        suite_check(2 * typical > count, "%s: only %zu of %zu typical cases are settled",
                    catalog[f]->name, typical, count);
        suite_check(all < count * domains->count, "%s: nothing is left open", catalog[f]->name);
    }
    judge_destroy(judge);
}

/* What the ladder would spend most on is settled all the same: F beside halfway points, and very
 * many turns. */
static void check_settled(const char *name, const char *domain_name, double least)
{
    static struct values inputs, results;
    const struct function *function = catalog_find(name);
    const struct domains *domains = domains_of(function);
    const struct domain *domain = NULL;
    for (size_t d = 0; d < domains->count; d++) {
        domain = strcmp(domains->list[d].name, domain_name) == 0 ? &domains->list[d] : domain;
    }
    CU_ASSERT_FATAL(domain != NULL);
    struct judge *judge = judge_create();
    size_t settled = 0, count = 2000;
    for (size_t i = 0; i < count; i++) {
        struct judgement judgement;
        draw_case(seed, function, domain, i, &inputs);
        implementation_call(implementation_builtin(), function, &inputs, &results);
        judge_case(judge, function, &inputs, &results, &judgement);
        settled += judgement.stage == STAGE_FILTER;
    }
    judge_destroy(judge);
    suite_check((double)settled >= least * (double)count, "%s, %s: %zu of %zu", name, domain_name,
                settled, count);
}

static void test_hard_domains(void)
{
    check_settled("lerp_cr", "beside_ties", 0.98);
    check_settled("lerp_cr", "ties", 0.98);
    check_settled("lerp", "cancelling", 0.9);
    check_settled("slerp3_unclamped", "extrapolation", 0.85);
}

/* The stage's decisions, on estimates made up for them */

static struct estimate made_up;

static bool give_made_up(const struct values *inputs, struct estimate *result)
{
    (void)inputs;
    *result = made_up;
    return true;
}

/* lerp(1, 2, 0.3) with the made up estimate, for the given result. */
static enum stage stage_of(struct judge *judge, double result, struct judgement *judgement)
{
    static struct values inputs, results;
    struct function function = *catalog_find("lerp");
    double *number = values_numbers(&inputs, 3);
    number[0] = 1;
    number[1] = 2;
    number[2] = 0.3;
    values_numbers(&results, 1)[0] = result;
    function.estimate = give_made_up;
    judge_case(judge, &function, &inputs, &results, judgement);
    return judgement->stage;
}

static void make_up(double low, double error)
{
    made_up = (struct estimate){.length = {1}, .factor = 2};
    made_up.value[0] = (struct approximation){1.3, low, error};
    made_up.scale[0] = (struct approximation){1.3, 0, 0x1p-100};
}

static void test_not_finite(void)
{
    struct judge *judge = judge_create();
    struct judgement judgement;
    make_up(0, 0x1p-100);
    CU_ASSERT_EQUAL(stage_of(judge, 1.3, &judgement), STAGE_FILTER);
    for (int i = 0; i < 12; i++) {
        make_up(0, 0x1p-100);
        struct approximation *x = i < 6 ? &made_up.value[0] : &made_up.scale[0];
        double *part = i / 2 % 3 == 0 ? &x->high : i / 2 % 3 == 1 ? &x->low : &x->error;
        *part = i % 2 ? (double)INFINITY : (double)NAN;
        suite_check(stage_of(judge, 1.3, &judgement) != STAGE_FILTER, "settled with %g at %d",
                    *part, i);
    }
    CU_ASSERT(stage_of(judge, NAN, &judgement) != STAGE_FILTER);
    CU_ASSERT(stage_of(judge, INFINITY, &judgement) != STAGE_FILTER);
    judge_set_filter(judge, false);
    make_up(0, 0x1p-100);
    CU_ASSERT_EQUAL(stage_of(judge, 1.3, &judgement), STAGE_LADDER);
    judge_destroy(judge);
}

/* A verdict is given only if the whole of the error lies on one side of the bound, and a figure
 * only if it comes to one grid point. u S is 1.3 * 2^-53, and an ulp 2^-52. */
static void test_certain_only(void)
{
    struct judge *judge = judge_create();
    struct judgement judgement;
    double unit = 1.3 * 0x1p-53;
    /* the result is 1 ulp off 1.3; its distance from F is that less low */
    double result = 1.3 + 0x1p-52;
    make_up(0x1p-52 - 1.99 * unit, 0x1p-100);
    CU_ASSERT_EQUAL(stage_of(judge, result, &judgement), STAGE_FILTER);
    CU_ASSERT_EQUAL(judgement.verdict, VERDICT_WITHIN);
    result = 1.3 + 0x1p-51; /* 2 ulps */
    make_up(0x1p-51 - 2.01 * unit, 0x1p-100);
    CU_ASSERT_EQUAL(stage_of(judge, result, &judgement), STAGE_FILTER);
    CU_ASSERT_EQUAL(judgement.verdict, VERDICT_VIOLATION);
    CU_ASSERT_EQUAL(judgement.bound, 2);
    make_up(0x1p-51 - 2 * unit, 0x1p-100); /* on the bound */
    CU_ASSERT(stage_of(judge, result, &judgement) != STAGE_FILTER);
    make_up(0x1p-51 - 2.01 * unit, 0.02 * unit); /* across it */
    CU_ASSERT(stage_of(judge, result, &judgement) != STAGE_FILTER);
    make_up(0x1p-51 - 3 * unit, 0x1p-30 * unit); /* a violation, but of uncertain size */
    CU_ASSERT(stage_of(judge, result, &judgement) != STAGE_FILTER);
    make_up(-0x1p-53, 0x1p-110); /* F is a tie of the grid for error_ulp: 1/2 + 2^-33 ulps */
    made_up.value[0].low = -0x1p-53 - 0x1p-85;
    CU_ASSERT(stage_of(judge, 1.3, &judgement) != STAGE_FILTER);
    judge_destroy(judge);
}

/* Where F lies on a power of 2, or may, its ulp is open. */
static void test_binades(void)
{
    struct judge *judge = judge_create();
    struct judgement judgement;
    static const struct {
        double high, low, error, ulp; /* 0: open */
    } cases[] = {
        {1, 0, 0, 0x1p-52},
        {1, 0, 0x1p-110, 0},
        {1, 0x1p-100, 0x1p-110, 0x1p-52},
        {1, -0x1p-100, 0x1p-110, 0x1p-53},
        {1, 0x1p-110, 0x1p-100, 0},
        {1, -0x1p-110, 0x1p-100, 0},
        {-1, 0x1p-100, 0x1p-110, 0x1p-53},
        {-1, -0x1p-100, 0x1p-110, 0x1p-52},
        {2 - 0x1p-52, 0x1p-53, 0, 0x1p-52},
        {2, -0x1p-53, 0x1p-110, 0x1p-52},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_up(cases[i].low, cases[i].error);
        made_up.value[0].high = cases[i].high;
        double result = cases[i].high * (1 + 0x1p-50);
        enum stage stage = stage_of(judge, result, &judgement);
        double ulps = fabs((result - cases[i].high) - cases[i].low) / cases[i].ulp;
        suite_check(cases[i].ulp == 0
                        ? stage != STAGE_FILTER
                        : stage == STAGE_FILTER && fabs(judgement.error_ulp - ulps) < 1e-6,
                    "%a + %a +- %a: stage %d, %g ulps", cases[i].high, cases[i].low, cases[i].error,
                    (int)stage, judgement.error_ulp);
    }
    judge_destroy(judge);
}

/* Factors of u S are given out as they are. */
static void test_factors_on_grid(void)
{
    for (size_t f = 0; f < catalog_count; f++) {
        double K = catalog[f]->K;
        CU_ASSERT(K > 0 && ldexp(K, 20) == floor(ldexp(K, 20)) && K < 4096);
        double length_K = catalog[f]->length_K;
        CU_ASSERT(length_K >= 0 && ldexp(length_K, 20) == floor(ldexp(length_K, 20)));
    }
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"sums and products of doubles are exact", test_exact_operations},
        {"operations keep their bounds", test_operations},
        {"errors are passed on", test_approximations},
        {"sums of products are exact", test_exact_sums},
        {"what is not covered is not certain", test_guards},
        {"estimates hold the ladder's answers", test_estimates},
        {"a figure that overflows is not known", test_overflowed_figures},
        {"nothing rests on what is not finite", test_not_finite},
        {"verdicts and figures are given when certain", test_certain_only},
        {"an ulp is known when the binade is", test_binades},
        {"factors lie on the grid of figures", test_factors_on_grid},
        {"hard domains are settled", test_hard_domains},
        {"judgements are those of the ladder alone", test_same_judgements},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    mpfr_inits2(PRECISION, exact, left, right, (mpfr_ptr)NULL);
    int code = suite_run("filter", tests, sizeof tests / sizeof *tests);
    mpfr_clears(exact, left, right, (mpfr_ptr)NULL);
    return code;
}
