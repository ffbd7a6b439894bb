/* The oracle's slerp3 and slerp3_unclamped: its enclosures hold what repeated bisection with square
 * roots, the literal formula with sines at 6000 bits, and rationals say. */
#include "bisection.h"
#include "enclosure.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"slerp3", "slerp3_unclamped"};
static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

/* The inputs' order: ax ay az bx by bz t. */
enum { A = 0, B = 3, T = 6 };

static struct answer answer, finer;
static size_t reals, rules, refined;

static bool all_finite(const double *inputs, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(inputs[i])) {
            return false;
        }
    }
    return true;
}

/* What a rule returns, or NULL where the formula holds. */
static const double *rule(const struct function *function, const double *inputs)
{
    static const double nan3[3] = {NAN, NAN, NAN};
    double t = inputs[T];
    bool clamped = function == catalog_find("slerp3");
    if (isnan(t) || (isinf(t) && !clamped)) {
        return nan3;
    }
    if (t == 0 || (t < 0 && clamped)) {
        return inputs + A;
    }
    if (t == 1 || (t > 1 && clamped)) {
        return inputs + B;
    }
    return all_finite(inputs, 6) ? NULL : nan3;
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void check_rule(const struct function *function, const double *inputs)
{
    const double *given = rule(function, inputs);
    answer_at(function, inputs, 128, &answer);
    suite_check(answer_is_given(function, &answer, given), "%s", describe_inputs(function, inputs));
    *(given ? &rules : &reals) += 1;
}

/* Each component enclosed (within what the reference itself is off), |F| and S too. */
static void check_against(const struct function *function, const double *inputs,
                          mpfr_prec_t precision, vector value, long bits)
{
    mpfr_t scale, spread;
    mpfr_inits2(LITERAL_PRECISION, scale, spread, (mpfr_ptr)0);
    const double *a = inputs + A, *b = inputs + B;
    double t = inputs[T];
    answer_at(function, inputs, precision, &answer);
    linear_length(spread, a, b, t, true);
    for (int k = 0; k < 3; k++) {
        suite_check(interval_is_near(answer.value[k], value[k], spread, bits),
                    "component %d at %ld bits: %s", k, (long)precision,
                    describe_inputs(function, inputs));
    }
    linear_length(scale, a, b, t, false);
    mpfr_abs(scale, scale, MPFR_RNDN);
    suite_check(interval_is_near(answer.magnitude, scale, spread, LITERAL_PRECISION - 16),
                "|F| at %ld bits: %s", (long)precision, describe_inputs(function, inputs));
    if (t < 0 || t > 1) {
        mpfr_const_pi(scale, MPFR_RNDN);
        mpfr_mul_d(scale, scale, fabs(t), MPFR_RNDN);
        mpfr_add_ui(scale, scale, 1, MPFR_RNDN);
        mpfr_mul(scale, scale, spread, MPFR_RNDN);
    }
    suite_check(interval_is_near(answer.scale[0], scale, scale, LITERAL_PRECISION - 16),
                "S at %ld bits: %s", (long)precision, describe_inputs(function, inputs));
    mpfr_clears(scale, spread, (mpfr_ptr)0);
}

static void check_by_bisection(const struct function *function, const double *inputs)
{
    double t = inputs[T];
    if (rule(function, inputs) || is_zero(inputs + A) || is_zero(inputs + B) ||
        fabs(t) > BISECTION_T_LIMIT) {
        return;
    }
    vector value;
    vector_init(value, BISECTION_PRECISION);
    long bits = bisection_slerp3(value, inputs + A, inputs + B, t);
    for (int i = 0; i < PRECISIONS; i++) {
        check_against(function, inputs, precisions[i], value, bits);
    }
    vector_clear(value);
    reals++;
}

static void check_by_formula(const struct function *function, const double *inputs)
{
    if (rule(function, inputs) || is_collinear(inputs + A, inputs + B)) {
        return;
    }
    vector value;
    vector_init(value, LITERAL_PRECISION);
    long bits = literal_slerp3(value, inputs + A, inputs + B, inputs[T]);
    check_against(function, inputs, 128, value, bits);
    check_against(function, inputs, 1024, value, bits);
    vector_clear(value);
    reals++;
}

static void check_narrower(const struct function *function, const double *inputs, mpfr_prec_t bits)
{
    /* before t theta is known to less than a turn, the components may be anything up to |F| */
    bool strictly = fabs(inputs[T]) < 0x1p100 || bits == function->precision_limit;
    for (int k = 0; k < 3; k++) {
        suite_check((!strictly || interval_narrows(answer.value[k], finer.value[k])) &&
                        interval_is_narrow(finer.value[k], finer.scale[0], bits - 16),
                    "component %d at %ld bits: %s", k, (long)bits,
                    describe_inputs(function, inputs));
    }
    suite_check(interval_is_narrow(finer.scale[0], finer.scale[0], bits - 16), "S at %ld bits: %s",
                (long)bits, describe_inputs(function, inputs));
}

static void check_narrows(const struct function *function, const double *inputs)
{
    if (rule(function, inputs)) {
        return;
    }
    answer_at(function, inputs, precisions[1], &answer);
    for (int i = 2; i <= PRECISIONS; i++) {
        mpfr_prec_t bits = i < PRECISIONS ? precisions[i] : function->precision_limit;
        answer_at(function, inputs, bits, &finer);
        check_narrower(function, inputs, bits);
        answer_at(function, inputs, bits, &answer);
    }
    reals++;
}

/* The enclosures' sum of squares meets that of |F|. */
static void check_length(const struct function *function, const double *inputs)
{
    if (rule(function, inputs)) {
        return;
    }
    mpfi_t sum, square;
    mpfi_init2(sum, 256);
    mpfi_init2(square, 256);
    answer_at(function, inputs, 256, &answer);
    mpfi_set_ui(sum, 0);
    for (int k = 0; k < 3; k++) {
        mpfi_sqr(square, answer.value[k]);
        mpfi_add(sum, sum, square);
    }
    mpfi_sqr(square, answer.magnitude);
    mpfi_intersect(sum, sum, square);
    suite_check(!mpfi_is_empty(sum), "%s", describe_inputs(function, inputs));
    mpfi_clear(square);
    mpfi_clear(sum);
    reals++;
}

static void run(size_t per_domain, void (*check)(const struct function *, const double *))
{
    answer_open(&answer);
    answer_open(&finer);
    for (int which = 0; which < 2; which++) {
        const struct function *function = catalog_find(names[which]);
        reals = rules = 0;
        size_t calls = for_each_sample(function, per_domain, check);
        CU_ASSERT_EQUAL(calls, per_domain * domains_of(function)->count);
        CU_ASSERT(reals > calls / 4);
        if (check == check_rule) {
            CU_ASSERT(rules > calls / 20);
            CU_ASSERT_EQUAL(reals + rules, calls);
        }
    }
    answer_close(&finer);
    answer_close(&answer);
}

static void the_rules_come_first_and_in_order(void)
{
    run(1000, check_rule);
}

static void enclosures_contain_the_bisected_direction(void)
{
    run(40, check_by_bisection);
}

static void enclosures_contain_the_literal_formula(void)
{
    run(12, check_by_formula);
}

static void a_higher_precision_narrows(void)
{
    run(60, check_narrows);
}

static void the_components_have_the_length_of_f(void)
{
    run(200, check_length);
}

/* Exactly F = (1 - t) a + t b, in rationals. */
static void check_componentwise(const struct function *function, const double *inputs)
{
    mpq_t value, share, part;
    mpq_inits(value, share, part, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(share, inputs[T]);
        mpq_set_d(value, inputs[B + k]);
        mpq_set_d(part, inputs[A + k]);
        mpq_sub(value, value, part);
        mpq_mul(value, value, share);
        mpq_add(value, value, part);
        for (int i = 0; i < PRECISIONS; i++) {
            answer_at(function, inputs, precisions[i], &answer);
            suite_check(interval_contains(answer.value[k], value), "component %d at %ld bits: %s",
                        k, (long)precisions[i], describe_inputs(function, inputs));
        }
        answer_at(function, inputs, function->precision_limit, &answer);
        suite_check(interval_contains(answer.value[k], value) &&
                        interval_is_narrow(answer.value[k], answer.value[k],
                                           function->precision_limit - 2),
                    "component %d: %s", k, describe_inputs(function, inputs));
    }
    mpq_clears(value, share, part, NULL);
}

static void zero_and_one_direction_are_exactly_lerp(void)
{
    static const double pair[][6] = {
        {0, 0, 0, 4, -3, 0.1},
        {4, -3, 0.1, -0.0, 0, 0},
        {0, 0, 0, 0, 0, 0},
        {1, 1, 1, 2, 2, 2},
        {0, 0, 1, 0, 0, 1},
        {3, -6, 9, 0x1p-700, -0x1p-699, 0x1.8p-699},
        {0, 0x1p-1074, 0, 0, 0x1.fffffffffffffp+1023, 0},
        {0x1p1000, 0x1p-1000, 0, 0x1p930, 0x1p-1070, 0},
    };
    static const double t[] = {0.5, 0.1, 0.999, 0x1p-1074, -3.3, 1.7, 1e300};
    answer_open(&answer);
    size_t compared = 0;
    for (size_t p = 0; p < sizeof pair / sizeof *pair; p++) {
        for (size_t j = 0; j < 7; j++) {
            double inputs[7];
            for (int k = 0; k < 6; k++) {
                inputs[k] = pair[p][k];
            }
            inputs[T] = t[j];
            for (int which = j < 4 ? 0 : 1; which < 2; which++, compared++) {
                check_componentwise(catalog_find(names[which]), inputs);
            }
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)8 * (4 * 2 + 3));
    answer_close(&answer);
}

/* All four components of t, in a turn by the axis rule, are rational where t is a multiple of 1/2
 * and so is the length. */
static void check_point(const struct function *function, const double inputs[7],
                        const double wanted[3])
{
    mpq_t exact;
    mpq_init(exact);
    for (int i = 0; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &answer);
        for (int k = 0; k < 3; k++) {
            mpq_set_d(exact, wanted[k]);
            suite_check(interval_contains(answer.value[k], exact) &&
                            interval_is_narrow(answer.value[k], answer.scale[0], precisions[i] - 8),
                        "component %d at %ld bits: %s", k, (long)precisions[i],
                        describe_inputs(function, inputs));
        }
    }
    mpq_clear(exact);
}

static void exactly_opposite_turns_by_the_axis_rule(void)
{
    static const struct {
        double inputs[7];
        double wanted[3];
        bool unclamped_only;
    } turn[] = {
        {{-1, 0, 0, 1, 0, 0, 0.5}, {0, 1, 0}, false},
        {{1, 0, 0, -3, 0, 0, 0.5}, {0, 2, 0}, false},
        {{0, -1, 0, 0, 1, 0, 0.5}, {1, 0, 0}, false},
        {{0, 0, 7, 0, 0, -0x1p-3, 0.5}, {3.5625, 0, 0}, false},
        {{3, 4, 0, -3, -4, 0, 0.5}, {0, 0, 5}, false},    /* index 2 is smallest */
        {{3, 0, -4, -6, 0, 8, 0.5}, {0, 7.5, 0}, false},  /* index 1 */
        {{-0.0, 3, 4, 0, -3, -4, 0.5}, {5, 0, 0}, false}, /* index 0 */
        {{-1, 0, 0, 1, 0, 0, 2}, {-1, 0, 0}, true},       /* a whole turn */
        {{-1, 0, 0, 1, 0, 0, 1.5}, {0, -1, 0}, true},     /* back on the other side */
        {{-1, 0, 0, 1, 0, 0, -0.5}, {0, -1, 0}, true},
        {{-1, 0, 0, 3, 0, 0, 2}, {-5, 0, 0}, true},
        {{-1, 0, 0, 3, 0, 0, -0.5}, {0, 0, 0}, true}, /* L = 0 */
    };
    answer_open(&answer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        for (int which = turn[i].unclamped_only ? 1 : 0; which < 2; which++, compared++) {
            check_point(catalog_find(names[which]), turn[i].inputs, turn[i].wanted);
        }
    }
    CU_ASSERT_EQUAL(compared, 7 * 2 + 5);
    answer_close(&answer);
}

/* Angles that are a rational part of pi, turned very often, and lengths that cancel: which
 * components are exactly 0, and the signs of the others. The bound reaches beyond the range in all,
 * so that an infinity is right where it has F's sign, and only there. */
static const struct {
    double inputs[7];
    int sign[3];
} rational_turns[] = {
    /* a right angle */
    {{-1, 0, 0, 0, -0x1p-1074, 0x1p-1074, -0x1.fffffffffffffp+1023}, {-1, 0, 0}},
    {{1, 0x1p-1000, 0, 0, 0, -3, 0x1.fffffffffffffp+1023}, {1, 1, 0}},
    {{0, 2, 0, 0x1p-1074, 0, 0, -0x1.fffffffffffffp+1023}, {0, 1, 0}},
    /* 60 degrees: by 120, 240, and that with L < 0 */
    {{1, 1, 0, 0, 1, 1, 0x1p1001}, {-1, 0, 1}},
    {{1, 1, 0, 0, 1, 1, 0x1p1000}, {0, -1, -1}},
    {{1, 1, 0, 0x1p-1000, 0, -0x1p-1000, 0x1p1000}, {1, 0, -1}},
    /* 120 */
    {{1, 1, 0, -1, 0, 1, 0x1p1000}, {-1, 0, 1}},
    /* 45: whole turns, and by 90; 135: by 270 */
    {{1, 0, 0, 1, 1, 0, 0x1p1000}, {1, 0, 0}},
    {{0x1p1000, 0, 0, 0x1p1000, 0x1p1000, 0, 0x1p53 + 2}, {0, 1, 0}},
    {{0x1p1000, 0, 0, -0x1p1000, 0x1p1000, 0, 0x1p53 + 2}, {0, -1, 0}},
    /* 30: by 300; 150: by 60 */
    {{0x1p999, 0x1p999, 0, 0x1p1000, 0x1p999, 0x1p999, 0x1p53 + 2}, {0, 1, -1}},
    {{0x1p999, 0x1p999, 0, -0x1p1000, -0x1p999, -0x1p999, 0x1p53 + 2}, {0, 1, -1}},
    /* L = 0 of lengths that are not rational */
    {{0x1p1023, 0x1p1023, 0, 0, 0x1p1023 - 0x1p997, 0x1p1023 - 0x1p997, 0x1p26}, {0, 0, 0}},
};
enum { RATIONAL_TURNS = sizeof rational_turns / sizeof *rational_turns };

static void check_infinities(struct judge *judge, const double inputs[7], const int sign[3])
{
    static struct values values, results;
    const struct function *function = catalog_find("slerp3_unclamped");
    memcpy(values_numbers(&values, 7), inputs, 7 * sizeof *inputs);
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            double *result = values_numbers(&results, 3);
            for (int i = 0; i < 3; i++) {
                result[i] = i == k ? side * (double)INFINITY : 0;
            }
            struct judgement judgement;
            judge_case(judge, function, &values, &results, &judgement);
            enum verdict wanted = side == sign[k] ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH;
            suite_check(judgement.verdict == wanted, "%g for component %d, which is %d: %s, %s",
                        result[k], k, sign[k], verdict_name(judgement.verdict),
                        describe_inputs(function, inputs));
        }
    }
}

static void turns_by_rational_parts_of_pi_are_exact(void)
{
    const struct function *function = catalog_find("slerp3_unclamped");
    struct judge *judge = judge_create();
    answer_open(&answer);
    for (size_t i = 0; i < RATIONAL_TURNS; i++) {
        const double *inputs = rational_turns[i].inputs;
        answer_at(function, inputs, 3000, &answer);
        for (int k = 0; k < 3; k++) {
            int left = mpfr_sgn(&answer.value[k]->left), right = mpfr_sgn(&answer.value[k]->right);
            suite_check(left == right && (left > 0) - (left < 0) == rational_turns[i].sign[k],
                        "component %d has signs %d and %d, not %d: %s", k, left, right,
                        rational_turns[i].sign[k], describe_inputs(function, inputs));
        }
        check_infinities(judge, inputs, rational_turns[i].sign);
    }
    answer_close(&answer);
    judge_destroy(judge);
}

/* Nothing is taken for such an angle, or for 0, that only comes near it. */
static void near_rational_parts_of_pi_nothing_is_exact(void)
{
    static const double near[][7] = {
        {1, 1, 0, 0, 1, 1 + 0x1p-52, 0x1p1001},
        {1, 0, 0, 1, 1 - 0x1p-53, 0, 0x1p1000},
        {1, 0x1p-1000, 0, 0x1p-1000, 2, 0, 2},
        {1, 2, 3, 3, -1, -0.5, 1.5},
        {1, 1, 0, 0, 1, 1, 0.5},
        {1, 0, 0, 0, 1, 0, 0.25},
    };
    const struct function *function = catalog_find("slerp3_unclamped");
    answer_open(&answer);
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        answer_at(function, near[i], 3000, &answer);
        for (int k = 0; k < 2; k++) {
            suite_check(mpfr_sgn(&answer.value[k]->left) * mpfr_sgn(&answer.value[k]->right) > 0,
                        "component %d: %s", k, describe_inputs(function, near[i]));
        }
    }
    /* t is 3/2 and a little more, and L 2^-72 of its terms, so that at 64 bits it may be 0; turned
     * by 135 degrees, x were 0. */
    const double a_side = 0x1.e6db57e7594dep+0, b_side = 0x1.44923a9b8f9f4p-1;
    const double beside[7] = {a_side, a_side, 0, b_side, -b_side, 0, 0x1.80000000c92d8p+0};
    answer_at(function, beside, 64, &answer);
    CU_ASSERT(mpfi_has_zero(answer.value[0]) && mpfi_is_zero(answer.value[0]) == 0);
    answer_close(&answer);
}

/* (x + i y) (p + i q) */
static void multiply(long number[2], const long factor[2])
{
    long real = number[0] * factor[0] - number[1] * factor[1];
    number[1] = number[0] * factor[1] + number[1] * factor[0];
    number[0] = real;
}

/* With z = p + i q of integer length r, b = z^n is turned from a = 1 by n times the angle of z, and
 * F at k/n is L z^k / r^k exactly: rational. Then all of that in a plane askew in space, turned by
 * the integer matrix 9 R, R = [1 -8 4; 4 4 7; -8 1 4]/9. */
static void check_power(const struct function *function, const long z[2], long r, int n, int k)
{
    static const long matrix[3][2] = {{1, -8}, {4, 4}, {-8, 1}};
    long end[2] = {1, 0}, part[2] = {1, 0};
    mpq_t length, exact;
    mpq_inits(length, exact, NULL);
    mpq_set_ui(length, 1, 1);
    mpq_set_ui(exact, (unsigned long)r, 1);
    for (int i = 0; i < n; i++) {
        multiply(end, z);
        mpq_mul(length, length, exact);
    }
    double inputs[7];
    inputs[T] = (double)k / n;
    for (int i = 0; i < 3; i++) {
        inputs[A + i] = (double)matrix[i][0];
        inputs[B + i] = (double)(matrix[i][0] * end[0] + matrix[i][1] * end[1]);
    }
    /* L / |9 R| = ((n - k) + k r^n)/n, over r^k */
    mpq_set_si(exact, k, 1);
    mpq_mul(length, length, exact);
    mpq_set_si(exact, n - k, 1);
    mpq_add(length, length, exact);
    mpq_set_si(exact, n, 1);
    mpq_div(length, length, exact);
    mpq_set_ui(exact, (unsigned long)r, 1);
    for (int i = 0; i < k; i++) {
        multiply(part, z);
        mpq_div(length, length, exact);
    }
    answer_at(function, inputs, 256, &answer);
    answer_at(function, inputs, 2048, &finer);
    for (int i = 0; i < 3; i++) {
        mpq_set_si(exact, matrix[i][0] * part[0] + matrix[i][1] * part[1], 1);
        mpq_mul(exact, exact, length);
        suite_check(interval_contains(answer.value[i], exact) &&
                        interval_contains(finer.value[i], exact),
                    "component %d: %s", i, describe_inputs(function, inputs));
    }
    mpq_clears(length, exact, NULL);
}

static void pythagorean_turns_are_exact(void)
{
    static const struct {
        long z[2];
        long r;
        int n;
    } turn[] = {
        {{4, 3}, 5, 2}, {{4, 3}, 5, 4},   {{15, 8}, 17, 4}, {{35, 12}, 37, 8},  {{63, 16}, 65, 8},
        {{3, 4}, 5, 2}, {{40, 9}, 41, 8}, {{5, 12}, 13, 2}, {{63, -16}, 65, 8}, {{99, 20}, 101, 4},
    };
    answer_open(&answer);
    answer_open(&finer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        for (int k = 1; k < turn[i].n; k++) {
            for (int which = 0; which < 2; which++, compared++) {
                check_power(catalog_find(names[which]), turn[i].z, turn[i].r, turn[i].n, k);
            }
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)2 * (3 * 1 + 3 * 3 + 4 * 7));
    answer_close(&finer);
    answer_close(&answer);
}

/* The enclosure of the angle between a and F, by MPFI, at 512 bits. */
static void set_angle(mpfi_t angle, const double *a)
{
    mpfi_t product, minor, dot;
    mpfi_init2(product, 512);
    mpfi_init2(minor, 512);
    mpfi_init2(dot, 512);
    mpfi_set_ui(angle, 0);
    mpfi_set_ui(dot, 0);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        mpfi_mul_d(product, answer.value[k], a[k]);
        mpfi_add(dot, dot, product);
        mpfi_mul_d(minor, answer.value[last], a[next]);
        mpfi_mul_d(product, answer.value[next], a[last]);
        mpfi_sub(minor, minor, product);
        mpfi_sqr(minor, minor);
        mpfi_add(angle, angle, minor);
    }
    mpfi_sqrt(angle, angle);
    mpfi_atan2(angle, angle, dot);
    mpfi_clear(dot);
    mpfi_clear(minor);
    mpfi_clear(product);
}

/* t theta by plain MPFR. */
static void set_share(mpfr_t share, const double *inputs)
{
    vector a, b, cross;
    vector_init(a, BISECTION_PRECISION);
    vector_init(b, BISECTION_PRECISION);
    vector_init(cross, BISECTION_PRECISION);
    vector_set_d(a, inputs + A);
    vector_set_d(b, inputs + B);
    vector_cross(cross, a, b);
    mpfr_t sine;
    mpfr_init2(sine, BISECTION_PRECISION);
    vector_length(sine, cross);
    vector_dot(share, a, b);
    mpfr_atan2(share, sine, share, MPFR_RNDN);
    mpfr_mul_d(share, share, inputs[T], MPFR_RNDN);
    mpfr_clear(sine);
    vector_clear(cross);
    vector_clear(b);
    vector_clear(a);
}

/* Both conjectures of the article, at tenths of the way. */
static void check_conjectures(const struct function *function, const double *inputs)
{
    if (!all_finite(inputs, 6) || is_collinear(inputs + A, inputs + B)) {
        return;
    }
    mpfi_t sum, square;
    mpfr_t wanted;
    mpfi_init2(sum, 512);
    mpfi_init2(square, 512);
    mpfr_init2(wanted, BISECTION_PRECISION);
    for (int tenth = 1; tenth <= 9; tenth++) {
        double x[7];
        for (int i = 0; i < 6; i++) {
            x[i] = inputs[i];
        }
        x[T] = tenth / 10.0;
        answer_at(function, x, 512, &answer);
        set_angle(sum, x + A);
        set_share(wanted, x);
        suite_check(interval_is_near(sum, wanted, wanted, BISECTION_PRECISION - 64), "angle: %s",
                    describe_inputs(function, x));
        /* near pi the angle's enclosure is as narrow as anywhere */
        refined += interval_is_narrow(sum, sum, 256);
        mpfi_set_ui(sum, 0);
        for (int k = 0; k < 3; k++) {
            mpfi_sqr(square, answer.value[k]);
            mpfi_add(sum, sum, square);
        }
        mpfi_sqrt(sum, sum);
        linear_length(wanted, x + A, x + B, x[T], false);
        suite_check(interval_is_near(sum, wanted, wanted, BISECTION_PRECISION - 64) &&
                        interval_is_narrow(sum, sum, 480),
                    "length: %s", describe_inputs(function, x));
        reals++;
    }
    mpfr_clear(wanted);
    mpfi_clear(square);
    mpfi_clear(sum);
}

static void length_is_linear_and_the_angle_even(void)
{
    answer_open(&answer);
    for (int which = 0; which < 2; which++) {
        const struct function *function = catalog_find(names[which]);
        reals = refined = 0;
        size_t calls = for_each_sample(function, 12, check_conjectures);
        CU_ASSERT(reals >= 9 * calls / 3);
        CU_ASSERT(refined > reals / 2);
    }
    answer_close(&answer);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the rules come first and in order", the_rules_come_first_and_in_order},
        {"enclosures contain the bisected direction", enclosures_contain_the_bisected_direction},
        {"enclosures contain the literal formula", enclosures_contain_the_literal_formula},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"the components have the length of F", the_components_have_the_length_of_f},
        {"zero and one direction are exactly lerp", zero_and_one_direction_are_exactly_lerp},
        {"exactly opposite turns by the axis rule", exactly_opposite_turns_by_the_axis_rule},
        {"turns by rational parts of pi are exact", turns_by_rational_parts_of_pi_are_exact},
        {"near rational parts of pi nothing is exact", near_rational_parts_of_pi_nothing_is_exact},
        {"Pythagorean turns are exact", pythagorean_turns_are_exact},
        {"length is linear and the angle even", length_is_linear_and_the_angle_even},
    };
    return suite_run("oracle_slerp", tests, sizeof tests / sizeof *tests);
}
