/* The oracle's slerp4: its enclosures hold what the literal formula with an angle from chords,
 * exact turns and rationals say; which of q and -q is meant is as rationals decide. */
#include "enclosure.h"
#include "suite.h"
#include "turn.h"

#include "../corpus/draw.h"

#include <math.h>
#include <string.h>

static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

/* The inputs' order: p q t. */
enum { P = 0, Q = 4, T = 8, INPUTS, DIMENSIONS = 4 };

static struct answer answer, finer;
static size_t reals, rules, flips;

static const struct function *slerp4(void)
{
    return catalog_find("slerp4");
}

static bool all_finite(const double *inputs)
{
    for (int i = P; i < T; i++) {
        if (!isfinite(inputs[i])) {
            return false;
        }
    }
    return true;
}

/* q, or -q where the exact p . q < 0. */
static const double *second(const double *inputs)
{
    static double negative[DIMENSIONS];
    if (!all_finite(inputs) || turn_sign_of_dot(inputs + P, inputs + Q, DIMENSIONS) >= 0) {
        return inputs + Q;
    }
    for (int k = 0; k < DIMENSIONS; k++) {
        negative[k] = -inputs[Q + k];
    }
    return negative;
}

/* What a rule returns, or NULL where the formula holds. */
static const double *rule(const double *inputs)
{
    static const double nan4[DIMENSIONS] = {NAN, NAN, NAN, NAN};
    double t = inputs[T];
    if (isnan(t)) {
        return nan4;
    }
    if (t <= 0 || t >= 1) {
        return t <= 0 ? inputs + P : second(inputs);
    }
    return all_finite(inputs) ? NULL : nan4;
}

static void check_rule(const struct function *function, const double *inputs)
{
    const double *given = rule(inputs);
    answer_at(function, inputs, 128, &answer);
    suite_check(answer_is_given(function, &answer, given), "%s", describe_inputs(function, inputs));
    *(given ? &rules : &reals) += 1;
    flips += given != NULL && inputs[T] >= 1 && second(inputs) != inputs + Q;
}

/* Makes `length` |F|. */
static void set_length(mpfr_t length, const double *inputs)
{
    mpfr_t share;
    mpfr_init2(share, TURN_PRECISION);
    mpfr_set_d(share, inputs[T], MPFR_RNDN);
    turn_length(length, inputs + Q, DIMENSIONS);
    mpfr_mul(length, length, share, MPFR_RNDN);
    mpfr_t first;
    mpfr_init2(first, TURN_PRECISION);
    turn_length(first, inputs + P, DIMENSIONS);
    mpfr_ui_sub(share, 1, share, MPFR_RNDN);
    mpfr_fma(length, first, share, length, MPFR_RNDN);
    mpfr_clears(first, share, (mpfr_ptr)0);
}

/* Each component enclosed, and |F| and S as well, by no more than the precision makes them. */
static void check_against(const struct function *function, const double *inputs,
                          mpfr_prec_t precision, mpfr_t *value, mpfr_t length)
{
    answer_at(function, inputs, precision, &answer);
    for (int k = 0; k < DIMENSIONS; k++) {
        suite_check(interval_is_near(answer.value[k], value[k], length, TURN_BITS) &&
                        interval_is_narrow(answer.value[k], answer.magnitude, precision - 16),
                    "component %d at %ld bits: %s", k, (long)precision,
                    describe_inputs(function, inputs));
    }
    suite_check(interval_is_near(answer.magnitude, length, length, TURN_BITS) &&
                    interval_is_narrow(answer.magnitude, answer.magnitude, precision - 8),
                "|F| at %ld bits: %s", (long)precision, describe_inputs(function, inputs));
    suite_check(interval_is_near(answer.scale[0], length, length, TURN_BITS) &&
                    interval_is_narrow(answer.scale[0], answer.scale[0], precision - 8),
                "S at %ld bits: %s", (long)precision, describe_inputs(function, inputs));
}

static void check_by_formula(const struct function *function, const double *inputs)
{
    if (rule(inputs) || turn_kind_of(inputs + P, inputs + Q, DIMENSIONS) != TURN_SPANNED) {
        return;
    }
    mpfr_t value[DIMENSIONS], length;
    mpfr_init2(length, TURN_PRECISION);
    for (int k = 0; k < DIMENSIONS; k++) {
        mpfr_init2(value[k], TURN_PRECISION);
    }
    const double *other = second(inputs);
    turn_slerp(value, inputs + P, other, inputs[T], DIMENSIONS);
    set_length(length, inputs);
    for (int i = 0; i < PRECISIONS; i++) {
        check_against(function, inputs, precisions[i], value, length);
    }
    check_against(function, inputs, function->precision_limit, value, length);
    for (int k = 0; k < DIMENSIONS; k++) {
        mpfr_clear(value[k]);
    }
    mpfr_clear(length);
    flips += other != inputs + Q;
    reals++;
}

static void check_narrows(const struct function *function, const double *inputs)
{
    if (rule(inputs)) {
        return;
    }
    answer_at(function, inputs, precisions[0], &answer);
    for (int i = 1; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &finer);
        for (int k = 0; k < DIMENSIONS; k++) {
            suite_check(interval_narrows(answer.value[k], finer.value[k]),
                        "component %d at %ld bits: %s", k, (long)precisions[i],
                        describe_inputs(function, inputs));
        }
        answer_at(function, inputs, precisions[i], &answer);
    }
    reals++;
}

/* The enclosures' sum of squares meets that of |F|. */
static void check_length(const struct function *function, const double *inputs)
{
    if (rule(inputs)) {
        return;
    }
    mpfi_t sum, square;
    mpfi_init2(sum, 256);
    mpfi_init2(square, 256);
    answer_at(function, inputs, 256, &answer);
    mpfi_set_ui(sum, 0);
    for (int k = 0; k < DIMENSIONS; k++) {
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

/* Exactly F = (1 - t) p + t q, in rationals, where either is 0 or both have one direction. */
static void check_componentwise(const struct function *function, const double *inputs)
{
    if (rule(inputs) || turn_kind_of(inputs + P, inputs + Q, DIMENSIONS) == TURN_SPANNED) {
        return;
    }
    const double *other = second(inputs);
    mpq_t value, share, part;
    mpq_inits(value, share, part, NULL);
    for (int k = 0; k < DIMENSIONS; k++) {
        mpq_set_d(share, inputs[T]);
        mpq_set_d(value, other[k]);
        mpq_set_d(part, inputs[P + k]);
        mpq_sub(value, value, part);
        mpq_mul(value, value, share);
        mpq_add(value, value, part);
        for (int i = 0; i < PRECISIONS; i++) {
            answer_at(function, inputs, precisions[i], &answer);
            suite_check(interval_contains(answer.value[k], value) &&
                            interval_is_narrow(answer.value[k], answer.value[k], precisions[i] - 2),
                        "component %d at %ld bits: %s", k, (long)precisions[i],
                        describe_inputs(function, inputs));
        }
    }
    mpq_clears(value, share, part, NULL);
    flips += other != inputs + Q;
    reals++;
}

static size_t run(size_t per_domain, void (*check)(const struct function *, const double *))
{
    answer_open(&answer);
    answer_open(&finer);
    reals = rules = flips = 0;
    size_t calls = for_each_sample(slerp4(), per_domain, check);
    CU_ASSERT_EQUAL(calls, per_domain * domains_of(slerp4())->count);
    answer_close(&finer);
    answer_close(&answer);
    return calls;
}

static void the_rules_come_first_and_in_order(void)
{
    size_t calls = run(1500, check_rule);
    CU_ASSERT_EQUAL(reals + rules, calls);
    CU_ASSERT(reals > calls / 2);
    CU_ASSERT(rules > calls / 20);
    CU_ASSERT(flips > calls / 100);
}

static void enclosures_contain_the_literal_formula(void)
{
    size_t calls = run(30, check_by_formula);
    CU_ASSERT(reals > calls / 2);
    CU_ASSERT(flips > calls / 8);
}

static void a_higher_precision_narrows(void)
{
    size_t calls = run(100, check_narrows);
    CU_ASSERT(reals > calls / 2);
}

static void the_components_have_the_length_of_f(void)
{
    size_t calls = run(200, check_length);
    CU_ASSERT(reals > calls / 2);
}

static void zero_and_one_direction_are_exactly_lerp(void)
{
    size_t calls = run(400, check_componentwise);
    CU_ASSERT(reals > calls / 20);
    CU_ASSERT(flips > calls / 100);
}

/* (x + i y) (p + i q) */
static void multiply(long number[2], const long factor[2])
{
    long real = number[0] * factor[0] - number[1] * factor[1];
    number[1] = number[0] * factor[1] + number[1] * factor[0];
    number[0] = real;
}

/* With z = p + i q of integer length r, q = z^n is turned from p = 1 by n times the angle of z, and
 * F at k/n is L z^k / r^k exactly: rational. That in a plane askew in four dimensions, spanned by
 * (1, 2, 2, 4) and (-2, 1, -4, 2), which are orthogonal and have length 5; with q or -q. */
static void check_power(const long z[2], long r, int n, int k, double sign)
{
    static const long basis[DIMENSIONS][2] = {{1, -2}, {2, 1}, {2, -4}, {4, 2}};
    long end[2] = {1, 0}, part[2] = {1, 0};
    mpq_t length, exact;
    mpq_inits(length, exact, NULL);
    mpq_set_si(length, 1, 1);
    mpq_set_si(exact, r, 1);
    for (int i = 0; i < n; i++) {
        multiply(end, z);
        mpq_mul(length, length, exact);
    }
    double inputs[INPUTS];
    inputs[T] = (double)k / n;
    for (int i = 0; i < DIMENSIONS; i++) {
        inputs[P + i] = (double)basis[i][0];
        inputs[Q + i] = sign * (double)(basis[i][0] * end[0] + basis[i][1] * end[1]);
    }
    /* ((n - k) + k r^n)/n, over r^k */
    mpq_set_si(exact, k, 1);
    mpq_mul(length, length, exact);
    mpq_set_si(exact, n - k, 1);
    mpq_add(length, length, exact);
    mpq_set_si(exact, n, 1);
    mpq_div(length, length, exact);
    mpq_set_si(exact, r, 1);
    for (int i = 0; i < k; i++) {
        multiply(part, z);
        mpq_div(length, length, exact);
    }
    answer_at(slerp4(), inputs, 256, &answer);
    answer_at(slerp4(), inputs, 2048, &finer);
    for (int i = 0; i < DIMENSIONS; i++) {
        mpq_set_si(exact, basis[i][0] * part[0] + basis[i][1] * part[1], 1);
        mpq_mul(exact, exact, length);
        suite_check(interval_contains(answer.value[i], exact) &&
                        interval_contains(finer.value[i], exact),
                    "component %d: %s", i, describe_inputs(slerp4(), inputs));
    }
    mpq_clears(length, exact, NULL);
}

static void pythagorean_turns_are_exact(void)
{
    static const struct {
        long z[2];
        long r;
        int n; /* a power of 2; n times the angle of z is below pi/2 */
    } turn[] = {{{4, 3}, 5, 2},     {{15, 8}, 17, 2},   {{35, 12}, 37, 4},  {{63, 16}, 65, 4},
                {{63, -16}, 65, 4}, {{99, 20}, 101, 4}, {{399, 40}, 401, 4}};
    answer_open(&answer);
    answer_open(&finer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        for (int k = 1; k < turn[i].n; k++, compared++) {
            check_power(turn[i].z, turn[i].r, turn[i].n, k, 1);
            check_power(turn[i].z, turn[i].r, turn[i].n, k, -1);
        }
    }
    CU_ASSERT_EQUAL(compared, 2 * 1 + 5 * 3);
    answer_close(&finer);
    answer_close(&answer);
}

/* Where p . q = 0 and one double to either side of it, half way: F is (p +- q) times the square
 * root of 1/2 but for a trifle, so that its sign along q tells. */
static void a_last_bit_decides_the_sign(void)
{
    static const double pair[][8] = {
        {0, 0, 0, 1, 1, 0, 0, 0},
        {1, 1, 1, 1, 1, -1, 1, -1},
        {0x1p-500, 0, 0, 0x1p500, 0x1p500, 1, 0, -0x1p-500},
        {3, 0x1p-1074, 0, 0, 0, 0, 1, 0},
        {0x1p1000, 0x1p1000, 0, 0, 0x1p1000, -0x1p1000, 1, 0},
        {0.1, 0.2, 0.3, 0.4, -0.2, 0.1, -0.4, 0.3},
    };
    answer_open(&answer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        CU_ASSERT_EQUAL(turn_sign_of_dot(pair[i] + P, pair[i] + Q, DIMENSIONS), 0);
        for (int step = -1; step <= 1; step++, compared++) {
            double inputs[INPUTS];
            memcpy(inputs, pair[i], sizeof pair[i]);
            inputs[T] = 0.5;
            int k = inputs[P] != 0 ? 0 : 3; /* p's component is positive */
            inputs[Q + k] = step ? nextafter(inputs[Q + k], step * INFINITY) : inputs[Q + k];
            CU_ASSERT_EQUAL(turn_sign_of_dot(inputs + P, inputs + Q, DIMENSIONS), step);
            answer_at(slerp4(), inputs, 128, &answer);
            mpfi_t sum, product;
            mpfi_init2(sum, 256);
            mpfi_init2(product, 256);
            mpfi_set_ui(sum, 0);
            for (int j = 0; j < DIMENSIONS; j++) {
                mpfi_mul_d(product, answer.value[j], inputs[Q + j]);
                mpfi_add(sum, sum, product);
            }
            suite_check(step < 0 ? mpfi_is_strictly_neg(sum) > 0 : mpfi_is_strictly_pos(sum) > 0,
                        "%s", describe_inputs(slerp4(), inputs));
            mpfi_clear(product);
            mpfi_clear(sum);
        }
    }
    CU_ASSERT_EQUAL(compared, 18);
    answer_close(&answer);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the rules come first and in order", the_rules_come_first_and_in_order},
        {"enclosures contain the literal formula", enclosures_contain_the_literal_formula},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"the components have the length of F", the_components_have_the_length_of_f},
        {"zero and one direction are exactly lerp", zero_and_one_direction_are_exactly_lerp},
        {"Pythagorean turns are exact", pythagorean_turns_are_exact},
        {"a last bit decides the sign", a_last_bit_decides_the_sign},
    };
    return suite_run("oracle_slerp4", tests, sizeof tests / sizeof *tests);
}
