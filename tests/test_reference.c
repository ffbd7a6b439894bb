/* The tests' own references, against something else again: MPFR's rounding, the formula with sines,
 * known values. A check that leans on them is worth as much as this. */
#include "bisection.h"
#include "enclosure.h"
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include <float.h>
#include <math.h>

/* Ties, powers of two and both ends of the range among them. */
static void rational_round_rounds_as_mpfr_does(void)
{
    struct sample sample = {41};
    mpq_t value, part;
    mpfr_t wide;
    mpq_inits(value, part, NULL);
    mpfr_init2(wide, 8192);
    size_t compared = 0, ties = 0;
    for (int i = 0; i < 20000; i++, compared++) {
        double x = sample_finite(&sample);
        if (i % 4 == 0) {
            x = ldexp(sample_below(&sample, 2) ? 1 : -1, (int)sample_below(&sample, 2098) - 1074);
        }
        mpq_set_d(value, x);
        mpq_set_d(part, nextafter(x, i % 3 ? HUGE_VAL : 0));
        if (isfinite(nextafter(x, HUGE_VAL))) {
            mpq_add(value, value, part);
            mpq_div_2exp(value, value, 1); /* half way between two doubles */
            ties++;
        }
        if (i % 5 == 0) {
            mpq_set_d(part, 0x1p-1074);
            mpq_div_2exp(part, part, sample_below(&sample, 200));
            mpq_add(value, value, part);
        }
        mpfr_set_q(wide, value, MPFR_RNDN);
        double wanted = mpfr_get_d(wide, MPFR_RNDN);
        double got = rational_round(value);
        suite_check(got == wanted, "got %a, wanted %a", got, wanted);
    }
    CU_ASSERT_EQUAL(compared, 20000);
    CU_ASSERT(ties > 19000);
    mpq_set_ui(value, 3, 2); /* 1.5 2^-1074 less a trifle is no tie any more */
    mpq_div_2exp(value, value, 1074);
    mpq_set_ui(part, 1, 1);
    mpq_div_2exp(part, part, 1200);
    mpq_sub(value, value, part);
    CU_ASSERT(rational_round(value) == 0x1p-1074);
    mpfr_clear(wide);
    mpq_clears(value, part, NULL);
}

/* The bound is 2 u + 2^-1074 about 1, ends included. */
static void rational_within_draws_the_line_exactly(void)
{
    mpq_t value, scale, trifle;
    mpq_inits(value, scale, trifle, NULL);
    mpq_set_ui(trifle, 1, 1);
    mpq_div_2exp(trifle, trifle, 1074);
    mpq_set_ui(scale, 1, 1);
    for (int sign = -1; sign <= 1; sign += 2) {
        double result = 1 + sign * DBL_EPSILON; /* 2 u off */
        mpq_set_ui(value, 1, 1);
        CU_ASSERT(rational_within(result, value, scale, 2));
        (sign > 0 ? mpq_sub : mpq_add)(value, value, trifle);
        CU_ASSERT(rational_within(result, value, scale, 2));
        mpq_div_2exp(trifle, trifle, 1000);
        (sign > 0 ? mpq_sub : mpq_add)(value, value, trifle);
        CU_ASSERT(!rational_within(result, value, scale, 2));
        mpq_mul_2exp(trifle, trifle, 1000);
        CU_ASSERT(!rational_within(1 + sign * 2 * DBL_EPSILON, value, scale, 2));
    }
    mpq_clears(value, scale, trifle, NULL);
}

static void rational_within_knows_nan_and_infinity(void)
{
    mpq_t value, scale;
    mpq_inits(value, scale, NULL);
    mpq_set_ui(value, 1, 1);
    mpq_set_ui(scale, 1, 1);
    CU_ASSERT(!rational_within(NAN, value, scale, 1e9));
    CU_ASSERT(!rational_within(HUGE_VAL, value, scale, 2));
    mpq_set_d(value, DBL_MAX);
    CU_ASSERT(!rational_within(HUGE_VAL, value, scale, 2));
    mpq_set_d(scale, 0x1p1022); /* now 2 u S = 2^970 reaches the threshold */
    CU_ASSERT(rational_within(HUGE_VAL, value, scale, 2));
    CU_ASSERT(!rational_within(-HUGE_VAL, value, scale, 2));
    mpq_neg(value, value);
    CU_ASSERT(rational_within(-HUGE_VAL, value, scale, 2));
    CU_ASSERT(!rational_within(HUGE_VAL, value, scale, 2));
    mpq_clears(value, scale, NULL);
}

/* The interpolant's conditions at its ends, and the middle of an easing curve. */
static void rational_hermite_is_the_cubic(void)
{
    const struct segment flat = {0, 0, 0, 1, 1, 0};
    const struct segment any = {-2, 3, 0.5, 6, -1, -7};
    mpq_t value, wanted;
    mpq_inits(value, wanted, NULL);
    rational_hermite(value, &flat, 0.25);
    mpq_set_d(wanted, 0.15625);
    CU_ASSERT_TRUE(mpq_equal(value, wanted));
    rational_hermite(value, &any, -2);
    mpq_set_d(wanted, 3);
    CU_ASSERT_TRUE(mpq_equal(value, wanted));
    rational_hermite(value, &any, 6);
    mpq_set_d(wanted, -1);
    CU_ASSERT_TRUE(mpq_equal(value, wanted));
    rational_hermite(value, &any, 2); /* (v0 + v1)/2 + h (m0 - m1)/8 */
    mpq_set_d(wanted, 1 + 7.5);
    CU_ASSERT_TRUE(mpq_equal(value, wanted));
    rational_hermite_scale(value, &any, 2);
    mpq_set_d(wanted, 1.5 + 0.5 + 0.5 + 7);
    CU_ASSERT_TRUE(mpq_equal(value, wanted));
    mpq_clears(value, wanted, NULL);
}

static bool vectors_agree(vector x, vector y, const mpfr_t length, long bits)
{
    mpfr_t difference, allowed;
    mpfr_inits2(BISECTION_PRECISION, difference, allowed, (mpfr_ptr)0);
    mpfr_abs(allowed, length, MPFR_RNDN);
    mpfr_div_2si(allowed, allowed, bits, MPFR_RNDN);
    bool agree = true;
    for (int i = 0; i < 3; i++) {
        mpfr_sub(difference, x[i], y[i], MPFR_RNDN);
        agree = agree && mpfr_number_p(difference) && mpfr_cmpabs(difference, allowed) <= 0;
    }
    mpfr_clears(difference, allowed, (mpfr_ptr)0);
    return agree;
}

/* Square roots and sines: two ways to one direction. */
static void bisection_agrees_with_the_formula(void)
{
    struct sample sample = {42};
    vector bisected, literal;
    mpfr_t length;
    vector_init(bisected, BISECTION_PRECISION);
    vector_init(literal, BISECTION_PRECISION);
    mpfr_init2(length, BISECTION_PRECISION);
    size_t compared = 0;
    while (compared < 300) {
        double a[3], b[3];
        unsigned class = (unsigned)compared % SAMPLE_CLASSES;
        sample_numbers(&sample, class, a, 3);
        sample_numbers(&sample, class, b, 3);
        double t = compared % 2 ? sample_uniform(&sample, 0, 1) : sample_uniform(&sample, -40, 40);
        if (is_collinear(a, b)) {
            continue;
        }
        long bits = bisection_slerp3(bisected, a, b, t);
        long other_bits = literal_slerp3(literal, a, b, t);
        bits = (bits < other_bits ? bits : other_bits) - 2;
        linear_length(length, a, b, t, true);
        suite_check(bits > 700 && vectors_agree(bisected, literal, length, bits),
                    "%a %a %a, %a %a %a, %a", a[0], a[1], a[2], b[0], b[1], b[2], t);
        compared++;
    }
    CU_ASSERT_EQUAL(compared, 300);
    mpfr_clear(length);
    vector_clear(literal);
    vector_clear(bisected);
}

static void collinearity_is_exact(void)
{
    CU_ASSERT(is_collinear((double[]){1, 2, 3}, (double[]){-2, -4, -6}));
    CU_ASSERT(!is_collinear((double[]){1, 2, 3}, (double[]){-2, -4, -6.000000000000001}));
    CU_ASSERT(!is_collinear((double[]){1, 0, 0}, (double[]){1, 0x1p-1074, 0}));
    CU_ASSERT(!is_collinear((double[]){0x1p-1074, 0, 0}, (double[]){0, 0, 0x1p-1074}));
    CU_ASSERT(is_collinear((double[]){0, 0, 0}, (double[]){1, 2, 3}));
    CU_ASSERT_EQUAL(sign_of_dot((double[]){1, 1, 0}, (double[]){1, -1, 0}), 0);
    CU_ASSERT_EQUAL(sign_of_dot((double[]){1e300, 1e-300, 0}, (double[]){0, -1e-300, 0}), -1);
}

static void intervals_with_nan_contain_nothing(void)
{
    mpfi_t interval;
    mpq_t value;
    mpfi_init2(interval, 64);
    mpq_init(value);
    mpfr_set_nan(&interval->left);
    mpfr_set_ui(&interval->right, 5, MPFR_RNDN);
    CU_ASSERT(!interval_contains(interval, value));
    mpfi_interv_si(interval, -1, 1);
    CU_ASSERT(interval_contains(interval, value));
    CU_ASSERT(!interval_is_point(interval));
    mpq_set_si(value, 1, 1);
    CU_ASSERT(interval_contains(interval, value));
    mpq_set_si(value, 1000001, 1000000);
    CU_ASSERT(!interval_contains(interval, value));
    mpq_clear(value);
    mpfi_clear(interval);
}

static void same_double_compares_bits(void)
{
    CU_ASSERT(same_double(NAN, -NAN));
    CU_ASSERT(!same_double(0.0, -0.0));
    CU_ASSERT(!same_double(1, NAN));
    CU_ASSERT(!same_double(NAN, 1));
    CU_ASSERT(!same_double(HUGE_VAL, -HUGE_VAL));
    CU_ASSERT(same_double(0.1, 0.1));
    CU_ASSERT(!same_double(0.1, nextafter(0.1, 1)));
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"rational_round rounds as MPFR does", rational_round_rounds_as_mpfr_does},
        {"rational_within draws the line exactly", rational_within_draws_the_line_exactly},
        {"rational_within knows NaN and infinity", rational_within_knows_nan_and_infinity},
        {"rational_hermite is the cubic", rational_hermite_is_the_cubic},
        {"bisection agrees with the formula", bisection_agrees_with_the_formula},
        {"collinearity is exact", collinearity_is_exact},
        {"intervals with NaN contain nothing", intervals_with_nan_contain_nothing},
        {"same_double compares bits", same_double_compares_bits},
    };
    return suite_run("reference", tests, sizeof tests / sizeof *tests);
}
