/* tl_slerp4 against its contract, rule by rule. Exact values come from the formula with sines as
 * the header states it, which for angles up to pi/2 cancels nowhere. */
#include "exact_vector.h"
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* test_header.c holds the header to the catalogue. */
static const double K_SLERP4 = 8;

static const double special[] = {0.0, -0.0, -1.5, DBL_TRUE_MIN, -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};
static const double all_nan[4] = {NAN, NAN, NAN, NAN};

static const char *describe(const double p[4], const double q[4], double t, const double got[4])
{
    static char text[500];
    snprintf(text, sizeof text, "slerp4(%a %a %a %a, %a %a %a %a, %a) = %a %a %a %a", p[0], p[1],
             p[2], p[3], q[0], q[1], q[2], q[3], t, got[0], got[1], got[2], got[3]);
    return text;
}

static void check_returns(const double p[4], const double q[4], double t, const double wanted[4])
{
    double got[4] = {7, 7, 7, 7};
    tl_slerp4(p, q, t, got);
    for (int i = 0; i < 4; i++) {
        suite_check(same_double(got[i], wanted[i]), "%s, wanted %a %a %a %a",
                    describe(p, q, t, got), wanted[0], wanted[1], wanted[2], wanted[3]);
    }
}

static bool same_vector(const double got[4], const double wanted[4])
{
    bool same = true;
    for (int i = 0; i < 4; i++) {
        same = same && same_double(got[i], wanted[i]);
    }
    return same;
}

/* Rule 1 */
static void nan_t_gives_nan(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        double p[4] = {1, special[i], 3, 0}, q[4] = {special[i], 5, -2, 1};
        check_returns(p, q, NAN, all_nan);
        check_returns(q, p, NAN, all_nan);
    }
}

static const double late[] = {1, 1.0000000000000002, 3, DBL_MAX, HUGE_VAL};
static const double early[] = {0.0, -0.0, -DBL_TRUE_MIN, -2, -DBL_MAX, -HUGE_VAL};
enum { LATE = sizeof late / sizeof *late, EARLY = sizeof early / sizeof *early };

/* Rule 2, before any look at the components. */
static void the_first_end_is_returned_as_it_is(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            double p[4] = {1, special[i], special[j], -0.0}, q[4] = {-1, special[j], 2, special[i]};
            for (int k = 0; k < EARLY; k++) {
                check_returns(p, q, early[k], p);
                check_returns(q, p, early[k], q);
            }
        }
    }
}

static void set_negative(double negative[4], const double q[4])
{
    for (int i = 0; i < 4; i++) {
        negative[i] = -q[i];
    }
}

static bool all_finite(const double v[4])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && isfinite(v[3]);
}

/* Is p . q < 0, exactly? */
static bool is_replaced(const double p[4], const double q[4])
{
    mpfr_t dot;
    mpfr_init2(dot, 64);
    exact_dot(dot, p, q, 4);
    bool negative = mpfr_sgn(dot) < 0;
    mpfr_clear(dot);
    return negative;
}

/* Rules 3 and 4 */
static void the_second_end_is_returned_as_it_was_replaced(void)
{
    size_t replaced = 0, kept = 0;
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            double p[4] = {1, special[i], -3, -0.0}, q[4] = {-1, special[j], special[i], 0.0};
            double wanted[4];
            set_negative(wanted, q);
            bool negative = all_finite(p) && all_finite(q) && is_replaced(p, q);
            for (int k = 0; k < LATE; k++) {
                check_returns(p, q, late[k], negative ? wanted : q);
            }
            replaced += negative;
            kept += !negative;
        }
    }
    CU_ASSERT(replaced > 10 && kept > 10);
}

/* Rule 5, also when the other quaternion is 0. */
static void a_component_that_is_not_finite_gives_nan_in_all(void)
{
    static const double t[] = {0.5, DBL_TRUE_MIN, 0.9999999999999999};
    for (int k = 0; k < 3; k++) {
        for (int component = 0; component < 4; component++) {
            for (int i = 0; i < 3; i++) {
                double good[4] = {1, 2, 3, 4}, zero[4] = {0, 0, 0, 0}, bad[4] = {1, 0, 0, 2};
                bad[component] = not_finite[i];
                check_returns(good, bad, t[k], all_nan);
                check_returns(bad, good, t[k], all_nan);
                check_returns(zero, bad, t[k], all_nan);
                check_returns(bad, zero, t[k], all_nan);
                check_returns(bad, bad, t[k], all_nan);
            }
        }
    }
}

/* value = weight_p p + weight_q q */
static void combine(exact_vector value, const double p[4], const mpfr_t weight_p, const double q[4],
                    const mpfr_t weight_q)
{
    mpfr_t part;
    mpfr_init2(part, EXACT_VECTOR_PRECISION);
    for (int i = 0; i < 4; i++) {
        mpfr_mul_d(value[i], weight_p, p[i], MPFR_RNDN);
        mpfr_mul_d(part, weight_q, q[i], MPFR_RNDN);
        mpfr_add(value[i], value[i], part, MPFR_RNDN);
    }
    mpfr_clear(part);
}

/* weight = gain sin(share theta) / (sin(theta) |v|) */
static void set_weight(mpfr_t weight, const mpfr_t gain, const mpfr_t share, const mpfr_t theta,
                       const double v[4])
{
    mpfr_t divisor, length;
    mpfr_inits2(EXACT_VECTOR_PRECISION, divisor, length, (mpfr_ptr)0);
    mpfr_mul(weight, share, theta, MPFR_RNDN);
    mpfr_sin(weight, weight, MPFR_RNDN);
    mpfr_mul(weight, weight, gain, MPFR_RNDN);
    mpfr_sin(divisor, theta, MPFR_RNDN);
    exact_length(length, v, 4);
    mpfr_mul(divisor, divisor, length, MPFR_RNDN);
    mpfr_div(weight, weight, divisor, MPFR_RNDN);
    mpfr_clears(divisor, length, (mpfr_ptr)0);
}

static bool is_lerp(const double p[4], const double q[4])
{
    mpfr_t square;
    mpfr_init2(square, 64);
    exact_bivector_square(square, p, q, 4);
    bool zero = mpfr_zero_p(square);
    mpfr_clear(square);
    return zero;
}

/* F for 0 < t < 1 */
static void reference(exact_vector value, const double p[4], const double given[4], double t)
{
    double q[4], negative[4];
    set_negative(negative, given);
    memcpy(q, is_replaced(p, given) ? negative : given, sizeof q);
    mpfr_t theta, share, rest, gain, weight_p, weight_q;
    mpfr_inits2(EXACT_VECTOR_PRECISION, theta, gain, weight_p, weight_q, (mpfr_ptr)0);
    mpfr_inits2(2000, share, rest, (mpfr_ptr)0);
    mpfr_set_d(share, t, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, share, MPFR_RNDN);
    if (is_lerp(p, q)) {
        combine(value, p, rest, q, share);
    } else {
        exact_length(weight_p, p, 4);
        exact_length(weight_q, q, 4);
        mpfr_fmma(gain, rest, weight_p, share, weight_q, MPFR_RNDN);
        exact_angle(theta, p, q, 4);
        set_weight(weight_p, gain, rest, theta, p);
        set_weight(weight_q, gain, share, theta, q);
        combine(value, p, weight_p, q, weight_q);
    }
    mpfr_clears(theta, share, rest, gain, weight_p, weight_q, (mpfr_ptr)0);
}

/* |got - F| <= 8 u |F| + 2 2^-1074 */
static void check_answer(const double p[4], const double q[4], double t)
{
    exact_vector value;
    mpfr_t scale;
    exact_vector_init(value);
    mpfr_init2(scale, EXACT_VECTOR_PRECISION);
    double got[4] = {7, 7, 7, 7};
    tl_slerp4(p, q, t, got);
    reference(value, p, q, t);
    exact_vector_length(scale, value, 4);
    suite_check(exact_vector_is_within(got, value, 4, K_SLERP4, scale),
                "%s, nearest is %a %a %a %a", describe(p, q, t, got),
                mpfr_get_d(value[0], MPFR_RNDN), mpfr_get_d(value[1], MPFR_RNDN),
                mpfr_get_d(value[2], MPFR_RNDN), mpfr_get_d(value[3], MPFR_RNDN));
    mpfr_clear(scale);
    exact_vector_clear(value);
}

static const double inner_t[] = {0.5,     0.01,        0.3, 0.999, 0x1.0000000000001p-1,
                                 0x1p-60, DBL_TRUE_MIN};

static void check_inner(const double p[4], const double q[4])
{
    double negative[4];
    set_negative(negative, q);
    for (size_t i = 0; i < sizeof inner_t / sizeof *inner_t; i++) {
        check_answer(p, q, inner_t[i]);
        check_answer(q, p, inner_t[i]);
        check_answer(p, negative, inner_t[i]);
    }
}

static void a_zero_quaternion_means_lerp(void)
{
    const double zero[4] = {0, -0.0, 0, 0}, other[4] = {4, -3, 0.1, 2};
    check_inner(zero, other);
    check_inner(zero, zero);
    check_inner((double[]){0, 0, DBL_TRUE_MIN, 0}, zero);
    check_inner((double[]){1e300, 0, DBL_MAX, 0}, zero);
}

/* ... and so do opposite directions, as the second one is replaced. */
static void one_direction_means_lerp(void)
{
    check_inner((double[]){0, 0, 0, 1}, (double[]){0, 0, 0, 1});
    check_inner((double[]){1, 1, 1, 1}, (double[]){2, 2, 2, 2});
    check_inner((double[]){3, -6, 9, 12}, (double[]){0x1p-700, -0x1p-699, 0x1.8p-699, 0x1p-698});
    check_inner((double[]){0, DBL_TRUE_MIN, 0, 0}, (double[]){0, DBL_MAX, 0, 0});
    check_inner((double[]){0x1p1000, 0x1p-1000, 0, 0}, (double[]){0x1p930, 0x1p-1070, 0, 0});
    double got[4];
    tl_slerp4((double[]){0, 0, 0, 1}, (double[]){0, 0, 0, -3}, 0.5, got);
    CU_ASSERT(got[0] == 0 && got[1] == 0 && got[2] == 0 && got[3] == 2);
}

/* Which end t = 1 gives tells whether q was replaced. */
static void check_replaced(const double p[4], const double q[4], bool replaced)
{
    double negative[4];
    set_negative(negative, q);
    CU_ASSERT_EQUAL(is_replaced(p, q), replaced); /* or the test is wrong */
    check_returns(p, q, 1, replaced ? negative : q);
    check_returns(q, p, 0, q);
    for (size_t i = 0; i < sizeof inner_t / sizeof *inner_t; i++) {
        check_answer(p, q, inner_t[i]);
        check_answer(q, p, inner_t[i]);
    }
}

static void a_dot_product_of_exactly_0_replaces_nothing(void)
{
    check_replaced((double[]){0, 0, 0, 1}, (double[]){1, 0, 0, 0}, false);
    check_replaced((double[]){0, 0, 0, 1}, (double[]){-1, 0, 0, -0.0}, false);
    check_replaced((double[]){1, 1, 1, 1}, (double[]){1, -1, 1, -1}, false);
    check_replaced((double[]){0.1, 0.7, 0, 0}, (double[]){0.7, -0.1, 0, 0}, false);
    check_replaced((double[]){0.1, 0.7, 1e300, 0}, (double[]){-0.7, 0.1, 0, 1e-300}, false);
    check_replaced((double[]){1e300, 1e-300, 3, 0}, (double[]){1e-300, -1e300, 0, 5}, false);
    check_replaced((double[]){1e300, 1e300, 3, 0}, (double[]){1e300, -1e300, 0, DBL_TRUE_MIN},
                   false);
}

/* One unit in the last place of a component, or one product of the smallest numbers. */
static void one_bit_beside_0_the_sign_is_right(void)
{
    double above = nextafter(0.7, 1), below = nextafter(0.7, 0);
    check_replaced((double[]){0.1, 0.7, 0, 0}, (double[]){above, -0.1, 0, 0}, false);
    check_replaced((double[]){0.1, 0.7, 0, 0}, (double[]){below, -0.1, 0, 0}, true);
    check_replaced((double[]){0.1, above, 0, 0}, (double[]){0.7, -0.1, 0, 0}, true);
    check_replaced((double[]){0.1, below, 0, 0}, (double[]){0.7, -0.1, 0, 0}, false);
    check_replaced((double[]){1, 1, DBL_TRUE_MIN, 0}, (double[]){1, -1, -DBL_TRUE_MIN, 0}, true);
    check_replaced((double[]){1, 1, DBL_TRUE_MIN, 0}, (double[]){1, -1, DBL_TRUE_MIN, 0}, false);
    check_replaced((double[]){DBL_TRUE_MIN, 1, 0, 0}, (double[]){-DBL_TRUE_MIN, 0, 0, 1}, true);
    check_replaced((double[]){1e300, 1e300, 1, 0}, (double[]){1e300, -1e300, -1e-300, 0}, true);
    check_replaced((double[]){1e300, 1e300, 1, 0}, (double[]){1e300, -1e300, 1e-300, 0}, false);
    check_replaced((double[]){1e-200, 1, 0, 1}, (double[]){-1e-200, 1, 0, -1}, true);
}

/* Angles from 2^-1 to 1e-300 and below, from 0 and from pi/2. */
static void small_angles_lose_nothing(void)
{
    for (int k = -1; k >= -1074; k -= k > -64 ? 1 : 37) {
        double small = ldexp(1.3, k);
        check_inner((double[]){1, 0, 0, 0}, (double[]){1, small, 0, 0});
        check_inner((double[]){0.5, 0.5, -0.5, 0.5}, (double[]){0.5, 0.5 + small, -0.5, 0.5});
        check_inner((double[]){3, 0, small, 0}, (double[]){0x1p-200, 0, 0, 0});
        check_inner((double[]){1, 0, 0, 0}, (double[]){small, 0, 0.6, 0.8});
        check_inner((double[]){1, 2, 3, -0.1}, (double[]){2, -1, small, 0});
    }
    check_inner((double[]){1, 0, 0, 0}, (double[]){1, 0, 1e-300, 0});
    check_inner((double[]){1, 1, 1, 1}, (double[]){1, 1.0000000000000002, 1, 1});
    check_inner((double[]){0x1p1000, 0x1p-1000, 0, 0}, (double[]){0x1p900, 0x1p-1000, 0, 0});
}

static void quaternions_need_not_be_unit(void)
{
    check_inner((double[]){2, 0, 0, 0}, (double[]){0, 4, 0, 0});
    check_inner((double[]){1, 2, 3, 4}, (double[]){400, 300, 200, 101});
    check_inner((double[]){1e-3, 2e-3, 3e-3, 4e-3}, (double[]){4e4, 3e4, -2e4, 1e4});
}

static void the_range_is_used_to_its_ends(void)
{
    check_inner((double[]){1e300, 0, 0, 1e300}, (double[]){0, 1e300, 1e300, 0});
    check_inner((double[]){1e-300, 0, 0, 2e-300}, (double[]){0, 1e-300, 2e-300, 1e-300});
    check_inner((double[]){1e300, 2e300, 0, 0}, (double[]){0, 1e-300, 2e-300, 1e-300});
    check_inner((double[]){1e300, 1e-300, 1, 0}, (double[]){1e-300, 1e300, 0, 1});
    check_inner((double[]){DBL_TRUE_MIN, 0, 0, 0}, (double[]){0, DBL_TRUE_MIN, 0, 0});
    check_inner((double[]){5 * DBL_TRUE_MIN, DBL_TRUE_MIN, 0, 0}, (double[]){1, -1e300, 2, 3});
    check_inner((double[]){DBL_MAX / 2, 0, 0, 0}, (double[]){0, DBL_MAX / 2, 0, 0});
    check_inner((double[]){DBL_MAX, DBL_MAX, 0, 0}, (double[]){DBL_MAX, -DBL_MAX, DBL_MAX, 1});
    check_inner((double[]){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
                (double[]){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX / 2});
}

struct known {
    const char *name;
    double p[4], q[4], t;
    const char *exact[4];
};

/* What made other libraries fail, with values to 40 digits. */
static const struct known known[] = {
    {"a dot product beyond 1",
     {-0.011218898, -0.0367633253, -0.00361495349, -0.999254525},
     {-0.0114078531, -0.0367971063, -0.00342923636, -0.999251783},
     0.691265166,
     {"-0.01134951616534778015777566331535422826083",
      "-0.03678667720869633456474913585499607274417",
      "-0.003486573733475163757185346593996537463054",
      "-0.999252637158205844081569692254898543803"}},
    {"both signs of one rotation",
     {0, 0, 0.707106829, 0.707106829},
     {0, 0, -0.707106829, -0.707106829},
     0.01,
     {"0", "0", "0.7071068289999999922912365946103818714619",
      "0.7071068289999999922912365946103818714619"}},
    {"a dot product of exactly 0",
     {0, 0, 0, 1},
     {1, 0, 0, 0},
     0.5,
     {"0.7071067811865475244008443621048490392848", "0", "0",
      "0.7071067811865475244008443621048490392848"}},
    {"the way decided by a last bit",
     {0, 0, 0, 1},
     {-0.5, 0.4999999999999999, 0.5000000000000001, -0.5},
     0.3,
     {"0.1784110448865449595871074037734410966597", "-0.1784110448865449199718974276785383887809",
      "-0.1784110448865449992023173798683438045384", "0.951056516295153575709141466811684018091"}},
};

static void known_failures_of_other_libraries(void)
{
    exact_vector value;
    mpfr_t scale;
    exact_vector_init(value);
    mpfr_init2(scale, EXACT_VECTOR_PRECISION);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *k = &known[i];
        for (int c = 0; c < 4; c++) {
            CU_ASSERT_EQUAL(mpfr_set_str(value[c], k->exact[c], 10, MPFR_RNDN), 0);
        }
        exact_vector_length(scale, value, 4);
        double got[4] = {7, 7, 7, 7};
        tl_slerp4(k->p, k->q, k->t, got);
        suite_check(exact_vector_is_within(got, value, 4, K_SLERP4, scale), "%s: %s", k->name,
                    describe(k->p, k->q, k->t, got));
        check_inner(k->p, k->q);
    }
    mpfr_clear(scale);
    exact_vector_clear(value);
}

enum { PAIR_CLASSES = SAMPLE_CLASSES + 4, DRAWN = 500 };

/* The samples' classes for components, then exact multiples of either sign, such multiples with one
 * component stepped or a small quaternion added, and all but orthogonal ones. */
static void draw_pair(struct sample *sample, unsigned class, double p[4], double q[4])
{
    sample_numbers(sample, class < SAMPLE_CLASSES ? class : 0, p, 4);
    sample_numbers(sample, class < SAMPLE_CLASSES ? class : 0, q, 4);
    if (class < SAMPLE_CLASSES) {
        return;
    }
    double factor = ldexp(sample_below(sample, 2) ? 1 : -1, (int)sample_below(sample, 9) - 4);
    double small = fabs(sample_wide(sample, -80, -10));
    if (class == SAMPLE_CLASSES + 3) { /* q = i p, to which p . q = 0 */
        double turned[4] = {p[3], -p[2], p[1], -p[0]};
        for (int k = 0; k < 4; k++) {
            q[k] = factor * (turned[k] + (sample_below(sample, 2) ? small : 0) * q[k]);
        }
        return;
    }
    for (int k = 0; k < 4; k++) {
        double added = class == SAMPLE_CLASSES + 2 ? small * q[k] : 0;
        q[k] = factor * (p[k] + added);
    }
    if (class == SAMPLE_CLASSES + 1) {
        unsigned k = sample_below(sample, 4);
        q[k] = nextafter(q[k], sample_below(sample, 2) ? 1 : -1);
    }
}

static double draw_inner(struct sample *sample)
{
    switch (sample_below(sample, 3)) {
    case 0:
        return fabs(sample_wide(sample, -70, 0));
    case 1:
        return 1 - fabs(sample_wide(sample, -53, 0));
    default:
        return sample_uniform(sample, 0, 1);
    }
}

static void slerp4_is_within_8u_of_its_scale(void)
{
    struct sample sample = {41};
    size_t compared = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            double p[4], q[4];
            draw_pair(&sample, class, p, q);
            check_answer(p, q, draw_inner(&sample));
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)PAIR_CLASSES * DRAWN);
}

/* -q is the same rotation: where p . q is not 0, the same result; and the negative of p gives the
 * negative. All to the bit. */
static void signs_do_not_matter(void)
{
    struct sample sample = {42};
    size_t compared = 0;
    for (int i = 0; i < 2000; i++) {
        double p[4], q[4], other[4], got[4], again[4];
        draw_pair(&sample, (unsigned)i % PAIR_CLASSES, p, q);
        double t = draw_inner(&sample);
        set_negative(other, q);
        if (is_replaced(p, q) == is_replaced(p, other)) {
            continue;
        }
        compared++;
        tl_slerp4(p, q, t, got);
        tl_slerp4(p, other, t, again);
        suite_check(same_vector(got, again), "%s", describe(p, q, t, got));
        set_negative(other, p);
        tl_slerp4(other, q, t, again);
        for (int k = 0; k < 4; k++) {
            suite_check(again[k] == -got[k], "-%s", describe(p, q, t, got));
        }
    }
    CU_ASSERT(compared > 1000);
}

static void the_result_may_be_an_argument(void)
{
    struct sample sample = {43};
    size_t compared = 0;
    for (int i = 0; i < 600; i++, compared++) {
        double p[4], q[4], apart[4], shared[4];
        draw_pair(&sample, (unsigned)i % PAIR_CLASSES, p, q);
        double t = i % 3 ? draw_inner(&sample) : i % 2;
        tl_slerp4(p, q, t, apart);
        memcpy(shared, p, sizeof shared);
        tl_slerp4(shared, q, t, shared);
        suite_check(same_vector(shared, apart), "into p: %s", describe(p, q, t, shared));
        memcpy(shared, q, sizeof shared);
        tl_slerp4(p, shared, t, shared);
        suite_check(same_vector(shared, apart), "into q: %s", describe(p, q, t, shared));
    }
    CU_ASSERT_EQUAL(compared, 600);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    static const double pair[][8] = {{1, 2, 3, 4, -1, 5, 2, 1},
                                     {1, 0, 0, 0, 0, 1, 0, 0},
                                     {1, 0, 0, 0, -1, 0, 0, 0},
                                     {1e300, -1e-300, 0, 1, 1e-300, 2, DBL_TRUE_MIN, 0}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
        errno = 12345;
        double got[4];
        tl_slerp4(pair[i], pair[i] + 4, 0.3, got);
        CU_ASSERT_EQUAL(errno, 12345);
        CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
        CU_ASSERT_EQUAL(fegetround(), FE_TONEAREST);
    }
    feclearexcept(FE_ALL_EXCEPT);
    errno = 0;
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"NaN t gives NaN", nan_t_gives_nan},
        {"the first end is returned as it is", the_first_end_is_returned_as_it_is},
        {"the second end is returned as it was replaced",
         the_second_end_is_returned_as_it_was_replaced},
        {"a component that is not finite gives NaN in all",
         a_component_that_is_not_finite_gives_nan_in_all},
        {"a zero quaternion means lerp", a_zero_quaternion_means_lerp},
        {"one direction means lerp", one_direction_means_lerp},
        {"a dot product of exactly 0 replaces nothing",
         a_dot_product_of_exactly_0_replaces_nothing},
        {"one bit beside 0 the sign is right", one_bit_beside_0_the_sign_is_right},
        {"small angles lose nothing", small_angles_lose_nothing},
        {"quaternions need not be unit", quaternions_need_not_be_unit},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"slerp4 is within 8 u of its scale", slerp4_is_within_8u_of_its_scale},
        {"signs do not matter", signs_do_not_matter},
        {"the result may be an argument", the_result_may_be_an_argument},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("slerp4", tests, sizeof tests / sizeof *tests);
}
