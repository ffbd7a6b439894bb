/* tl_lerp and tl_lerp_cr against their contract, rule by rule. Exact values come from GMP, not from
 * the oracle. */
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>

typedef double lerp_function(double, double, double);

static lerp_function *const both[] = {tl_lerp, tl_lerp_cr};
static const char *const names[] = {"lerp", "lerp_cr"};

/* What a value returned bit for bit may be: signed zeros, the extremes, infinities, NaN. */
static const double special[] = {0.0,      -0.0,     1.0,       -1.0, 0.1,  DBL_TRUE_MIN,
                                 -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN,  -NAN, DBL_MIN};
enum { SPECIALS = sizeof special / sizeof *special };

/* K of lerp; test_header.c holds the header to the catalogue. */
enum { K_LERP = 2 };

static bool check_returns(int which, double a, double b, double t, double wanted)
{
    double got = both[which](a, b, t);
    return suite_check(same_double(got, wanted), "%s(%a, %a, %a): got %a, wanted %a", names[which],
                       a, b, t, got, wanted);
}

/* lerp by its bound, lerp_cr by the nearest double (no sign is promised for a zero that is not
 * returned as given). */
static bool check_answer(int which, double a, double b, double t)
{
    mpq_t value, scale;
    mpq_inits(value, scale, NULL);
    rational_lerp(value, scale, a, b, t);
    double nearest = rational_round(value);
    double got = both[which](a, b, t);
    bool good = which == 0 ? rational_within(got, value, scale, K_LERP) : got == nearest;
    mpq_clears(value, scale, NULL);
    return suite_check(good, "%s(%a, %a, %a): got %a, nearest is %a", names[which], a, b, t, got,
                       nearest);
}

/* t = 0 comes before every other rule, so also with b NaN or infinite. */
static void at_0_it_returns_a(void)
{
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < SPECIALS; i++) {
            for (int j = 0; j < SPECIALS; j++) {
                check_returns(which, special[i], special[j], 0.0, special[i]);
                check_returns(which, special[i], special[j], -0.0, special[i]);
            }
        }
    }
}

static void at_1_it_returns_b(void)
{
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < SPECIALS; i++) {
            for (int j = 0; j < SPECIALS; j++) {
                check_returns(which, special[i], special[j], 1.0, special[j]);
            }
        }
    }
}

/* a == b comes before the rule for what is not finite; +0 == -0, and a is the one returned. */
static void between_equals_it_returns_a(void)
{
    static const double t[] = {0.2,          -7.5,     DBL_MAX,   -DBL_MAX,
                               DBL_TRUE_MIN, HUGE_VAL, -HUGE_VAL, NAN};
    for (int which = 0; which < 2; which++) {
        for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
            for (int i = 0; i < SPECIALS; i++) {
                if (!isnan(special[i])) {
                    check_returns(which, special[i], special[i], t[k], special[i]);
                }
            }
            check_returns(which, 0.0, -0.0, t[k], 0.0);
            check_returns(which, -0.0, 0.0, t[k], -0.0);
        }
    }
}

static void what_is_not_finite_gives_nan(void)
{
    static const double bad[] = {HUGE_VAL, -HUGE_VAL, NAN};
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < 3; i++) {
            check_returns(which, bad[i], 1.0, 0.5, NAN);
            check_returns(which, 1.0, bad[i], 0.5, NAN);
            check_returns(which, 1.0, 2.0, bad[i], NAN);
            check_returns(which, bad[i], 1.0, -3.0, NAN);
            check_returns(which, 0.0, bad[i], DBL_TRUE_MIN, NAN);
            for (int j = 0; j < 3; j++) {
                if (bad[i] != bad[j]) {
                    check_returns(which, bad[i], bad[j], 0.5, NAN);
                }
                check_returns(which, 1.0, bad[i], bad[j], NAN);
            }
        }
    }
}

/* One kind each of the ways in which such functions have been seen to fail. */
static void known_failures_of_other_libraries(void)
{
    for (int which = 0; which < 2; which++) {
        check_answer(which, 1e308, 5e307, 4.0);           /* a product overflows */
        check_returns(which, -1e308, 1e308, 0.0, -1e308); /* b - a overflows */
        check_returns(which, -1e308, 1e308, 1.0, 1e308);
        check_answer(which, -1e308, 1e308, 0.5);
        check_answer(which, 1e308, -1e308, 0.25);
        check_returns(which, 0.2, 0.9, 1.0, 0.9); /* a + t (b - a) misses b */
        check_returns(which, -1e16, 1.0, 1.0, 1.0);
        check_answer(which, -1e16, 1.0, 0.9999999999999999);
        check_returns(which, 0.1, 0.1, 0.2, 0.1); /* (1 - t) a + t b moves off a */
        check_answer(which, 1.0, 1.0000000000000002, 0.376);
    }
    check_returns(1, 1e308, 5e307, 4.0, -1e308);
}

static void draw(struct sample *sample, unsigned class, double *a, double *b, double *t)
{
    double number[3];
    sample_numbers(sample, class, number, 3);
    *a = number[0];
    *b = number[1];
    switch (sample_below(sample, 5)) {
    case 0:
        *t = number[2];
        break;
    case 1:
        *t = fabs(sample_wide(sample, -1074, 0));
        break;
    case 2:
        *t = 1 - fabs(sample_wide(sample, -53, 0));
        break;
    case 3: /* where F is all but 0 */
        *t = *a / (*a - *b);
        break;
    default:
        *t = sample_uniform(sample, 0, 1);
        break;
    }
    if (!isfinite(*t)) {
        *t = 0.375;
    }
}

enum { DRAWN = 4000 };

static void check_drawn_answers(int which, uint64_t seed)
{
    struct sample sample = {seed};
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            double a, b, t;
            draw(&sample, class, &a, &b, &t);
            check_answer(which, a, b, t);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
}

static void lerp_is_within_2u_of_its_scale(void)
{
    check_drawn_answers(0, 1);
}

static void lerp_cr_is_the_nearest_double(void)
{
    check_drawn_answers(1, 2);
}

/* F lies on a tie, or as little off one as three doubles allow: the sum's low end decides. */
static void lerp_cr_rounds_ties_to_even(void)
{
    struct sample sample = {3};
    size_t compared = 0;
    for (int i = 0; i < DRAWN; i++) {
        double a = 1 + ldexp((double)sample_below(&sample, 1 << 20), -52);
        double t = ldexp(1, -(int)sample_below(&sample, 60) - 1);
        double reach = ldexp(1, -53) / t; /* a + t (b - a) = a + half an ulp */
        double b = a + reach;
        for (int step = -1; step <= 1; step++, compared++) {
            double beside = step == 0 ? b : nextafter(b, step * HUGE_VAL);
            check_answer(1, a, beside, t);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)3 * DRAWN);
}

static void check_step(double a, double b, double t)
{
    double before = tl_lerp_cr(a, b, t);
    double after = tl_lerp_cr(a, b, nextafter(t, HUGE_VAL));
    suite_check(a <= b ? before <= after : before >= after,
                "lerp_cr(%a, %a, t) turns back at t = %a", a, b, t);
}

/* Between neighbouring t, in the unit interval and outside it. */
static void lerp_cr_is_monotone(void)
{
    struct sample sample = {4};
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            double a, b, t;
            draw(&sample, class, &a, &b, &t);
            check_step(a, b, t);
        }
    }
    double t = 0.376; /* where the two-product form steps down */
    for (int i = 0; i < DRAWN; i++, compared++) {
        check_step(1, 1 + DBL_EPSILON, t);
        t = nextafter(t, 1);
    }
    CU_ASSERT_EQUAL(compared, (size_t)(SAMPLE_CLASSES + 1) * DRAWN);
}

static void lerp_cr_is_bounded_by_its_ends(void)
{
    struct sample sample = {5};
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++) {
            double a, b, t;
            draw(&sample, class, &a, &b, &t);
            t = fabs(t) <= 1 ? fabs(t) : sample_uniform(&sample, 0, 1);
            double got = tl_lerp_cr(a, b, t);
            suite_check(fmin(a, b) <= got && got <= fmax(a, b), "lerp_cr(%a, %a, %a) = %a", a, b, t,
                        got);
            compared++;
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
}

/* Subnormals are numbers like others. */
static void subnormal_values_are_kept(void)
{
    for (int which = 0; which < 2; which++) {
        check_answer(which, DBL_TRUE_MIN, 3 * DBL_TRUE_MIN, 0.5);
        check_answer(which, 0, 1, DBL_TRUE_MIN);
        check_answer(which, DBL_MIN, -DBL_MIN, 0.25);
        check_answer(which, 1000 * DBL_TRUE_MIN, -1000 * DBL_TRUE_MIN, 0.25);
    }
    check_answer(1, 0, DBL_TRUE_MIN, 0.5); /* ties between two multiples of 2^-1074 */
    check_answer(1, 0, 3 * DBL_TRUE_MIN, 0.5);
}

/* However far below 2^-1074, F rounds to the zero of its sign; only where it is 0 is that +0. */
static void what_rounds_to_0_keeps_its_sign(void)
{
    for (int exponent = -1074; exponent <= -2; exponent++) {
        double t = ldexp(1, exponent);
        check_returns(1, 0, DBL_TRUE_MIN, t, 0.0);
        check_returns(1, 0, -DBL_TRUE_MIN, t, -0.0);
    }
    for (int which = 0; which < 2; which++) {
        check_returns(which, DBL_TRUE_MIN, -1, DBL_TRUE_MIN, -0.0);
        check_returns(which, -DBL_TRUE_MIN, 1, DBL_TRUE_MIN, 0.0);
    }
    check_returns(1, 1, -1, 0.5, 0.0);
    check_returns(1, -1, 1, 0.5, 0.0);
}

static void infinity_only_beyond_the_range(void)
{
    for (int which = 0; which < 2; which++) {
        check_returns(which, DBL_MAX, -DBL_MAX, 2, -HUGE_VAL);
        check_returns(which, DBL_MAX, -DBL_MAX, -1, HUGE_VAL);
        check_returns(which, 0, DBL_MAX, DBL_MAX, HUGE_VAL);
        check_answer(which, -DBL_MAX, DBL_MAX, 0.75);
        suite_check(isfinite(both[which](-DBL_MAX, DBL_MAX, 0.75)), "%s overflows", names[which]);
    }
    /* the last F that rounds to the largest double, and the tie that no longer does */
    check_returns(1, DBL_MAX, DBL_MAX - ldexp(1, 971), -0.49999999999999994, DBL_MAX);
    check_returns(1, DBL_MAX, DBL_MAX - ldexp(1, 971), -0.5, HUGE_VAL);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    for (int which = 0; which < 2; which++) {
        volatile double large = 1e308;
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
        errno = 12345;
        volatile double result = both[which](large, 5e307, 4);
        (void)result;
        CU_ASSERT_EQUAL(errno, 12345);
        CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
        CU_ASSERT_EQUAL(fegetround(), FE_TONEAREST);
        feclearexcept(FE_ALL_EXCEPT);
        errno = 0;
    }
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"at 0 it returns a", at_0_it_returns_a},
        {"at 1 it returns b", at_1_it_returns_b},
        {"between equals it returns a", between_equals_it_returns_a},
        {"what is not finite gives NaN", what_is_not_finite_gives_nan},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"lerp is within 2 u of its scale", lerp_is_within_2u_of_its_scale},
        {"lerp_cr is the nearest double", lerp_cr_is_the_nearest_double},
        {"lerp_cr rounds ties to even", lerp_cr_rounds_ties_to_even},
        {"lerp_cr is monotone", lerp_cr_is_monotone},
        {"lerp_cr is bounded by its ends", lerp_cr_is_bounded_by_its_ends},
        {"subnormal values are kept", subnormal_values_are_kept},
        {"what rounds to 0 keeps its sign", what_rounds_to_0_keeps_its_sign},
        {"infinity only beyond the range", infinity_only_beyond_the_range},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("lerp", tests, sizeof tests / sizeof *tests);
}
