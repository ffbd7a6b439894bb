/* tl_hermite and tl_hermite_coefficients against their contract, rule by rule. Exact values come
 * from GMP, not from the oracle. */
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

/* test_header.c holds the header to the catalogue. */
enum { K_HERMITE = 12, K_COEFFICIENTS = 4 };

/* What a value returned bit for bit may be. */
static const double special[] = {0.0, -0.0, -1.5, DBL_TRUE_MIN, -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};

/* Two keys with this segment between them and NaN wherever nothing may look. */
static void set_keys(tl_key key[2], const struct segment *segment)
{
    key[0] = (tl_key){segment->t0, segment->v0, NAN, segment->m0, NAN, NAN, TL_WEIGHTED_NONE};
    key[1] = (tl_key){segment->t1, segment->v1, segment->m1, NAN, NAN, NAN, TL_WEIGHTED_NONE};
}

static double hermite(const struct segment *segment, double t)
{
    tl_key key[2];
    set_keys(key, segment);
    return tl_hermite(&key[0], &key[1], t);
}

static const char *describe(const struct segment *s, double t)
{
    static char text[200];
    snprintf(text, sizeof text, "{%a, %a, %a; %a, %a, %a}, %a", s->t0, s->v0, s->m0, s->t1, s->v1,
             s->m1, t);
    return text;
}

static bool check_returns(const struct segment *s, double t, double wanted)
{
    double got = hermite(s, t);
    return suite_check(same_double(got, wanted), "hermite(%s): got %a, wanted %a", describe(s, t),
                       got, wanted);
}

static bool check_answer(const struct segment *s, double t)
{
    mpq_t value, scale;
    mpq_inits(value, scale, NULL);
    rational_hermite(value, s, t);
    rational_hermite_scale(scale, s, t);
    double got = hermite(s, t);
    bool good = suite_check(rational_within(got, value, scale, K_HERMITE),
                            "hermite(%s): got %a, nearest is %a", describe(s, t), got,
                            rational_round(value));
    mpq_clears(value, scale, NULL);
    return good;
}

/* Rule 1, before all others: no time may be NaN, and the first key is not later than the second. */
static void nan_times_and_falling_times_give_nan(void)
{
    const struct segment good = {0, 1, 2, 4, 3, -1};
    for (int i = 0; i < SPECIALS; i++) {
        struct segment segment = good;
        segment.v0 = segment.v1 = segment.m0 = segment.m1 = special[i];
        check_returns(&segment, NAN, NAN);
        segment.t0 = NAN;
        check_returns(&segment, 5, NAN);
        check_returns(&segment, HUGE_VAL, NAN);
        segment.t0 = 0;
        segment.t1 = NAN;
        check_returns(&segment, -1, NAN);
        check_returns(&segment, -HUGE_VAL, NAN);
        segment.t1 = -DBL_TRUE_MIN; /* earlier than t0 = 0 */
        check_returns(&segment, 5, NAN);
        check_returns(&segment, -5, NAN);
        segment.t0 = HUGE_VAL;
        check_returns(&segment, HUGE_VAL, NAN);
        segment.t0 = 0;
        segment.t1 = -HUGE_VAL;
        check_returns(&segment, 0, NAN);
    }
}

/* Rule 2: outside, and at the keys, the key's value as it is, whatever all other data are. */
static void at_and_beyond_the_keys_it_returns_their_values(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            struct segment segment = {1, special[i], special[j], 2, special[j], special[i]};
            static const double late[] = {2, 2.0000000000000004, DBL_MAX, HUGE_VAL};
            static const double early[] = {1, 0.9999999999999999, -DBL_MAX, -HUGE_VAL};
            for (int k = 0; k < 4; k++) {
                check_returns(&segment, late[k], segment.v1);
                check_returns(&segment, early[k], segment.v0);
            }
        }
    }
}

static void infinite_key_times_clamp_too(void)
{
    struct segment segment = {-HUGE_VAL, 5, 0, HUGE_VAL, 6, 0};
    check_returns(&segment, HUGE_VAL, 6);
    check_returns(&segment, -HUGE_VAL, 5);
    segment.t0 = HUGE_VAL; /* a jump at the end of time */
    check_returns(&segment, HUGE_VAL, 6);
    check_returns(&segment, 0, 5);
    segment.t0 = segment.t1 = -HUGE_VAL;
    check_returns(&segment, -HUGE_VAL, 6);
}

/* Two keys at one time: the first one's value before, the second one's from there on. */
static void a_segment_without_length_is_a_jump(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        struct segment segment = {1, special[i], special[i], 1, -7, HUGE_VAL};
        check_returns(&segment, 0.9999999999999999, special[i]);
        check_returns(&segment, 1, -7);
        check_returns(&segment, 1.0000000000000002, -7);
    }
    struct segment at_zero = {0.0, 3, NAN, -0.0, 4, NAN};
    check_returns(&at_zero, 0.0, 4);
    check_returns(&at_zero, -0.0, 4);
    check_returns(&at_zero, -DBL_TRUE_MIN, 3);

    struct segment touching = {1, 2, 0, 1, 2, 0};
    feclearexcept(FE_ALL_EXCEPT);
    double got = hermite(&touching, 1);
    CU_ASSERT_FALSE(fetestexcept(FE_INVALID | FE_DIVBYZERO)); /* no 0/0 on the way to it */
    CU_ASSERT_EQUAL(got, 2);
}

/* Rule 3: before NaN in any other datum, and for the two tangents that are read only. */
static void an_infinite_tangent_steps(void)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            for (int k = 0; k < SPECIALS; k++) {
                struct segment segment = {0, special[j], not_finite[i], 1, special[k], special[k]};
                check_returns(&segment, 0.5, special[j]);
                segment.m0 = special[k];
                segment.m1 = not_finite[i];
                check_returns(&segment, 0.5, special[j]);
            }
        }
        struct segment timeless = {-HUGE_VAL, 9, not_finite[i], 1, 10, 0};
        check_returns(&timeless, 0.5, 9);
        timeless = (struct segment){0, 9, 0, HUGE_VAL, 10, not_finite[i]};
        check_returns(&timeless, 0.5, 9);
    }
}

/* Rule 4. Infinite tangents are rule 3's. */
static void other_data_that_are_not_finite_give_nan(void)
{
    const struct segment good = {0, 1, 2, 4, 3, -1};
    for (int i = 0; i < 3; i++) {
        struct segment segment = good;
        segment.v0 = not_finite[i];
        check_returns(&segment, 2, NAN);
        segment = good;
        segment.v1 = not_finite[i];
        check_returns(&segment, 2, NAN);
    }
    struct segment segment = good;
    segment.m0 = NAN;
    check_returns(&segment, 2, NAN);
    segment = good;
    segment.m1 = NAN;
    check_returns(&segment, 2, NAN);
    segment = good;
    segment.t0 = -HUGE_VAL;
    check_returns(&segment, 2, NAN);
    segment = good;
    segment.t1 = HUGE_VAL;
    check_returns(&segment, 2, NAN);
}

/* set_keys puts NaN there for every other test; here other numbers change nothing. */
static void the_keys_outer_sides_are_never_read(void)
{
    struct sample sample = {11};
    size_t compared = 0;
    for (int i = 0; i < 1000; i++, compared++) {
        tl_key key[2];
        struct segment segment = {
            0, sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9),
            1, sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9)};
        double t = sample_uniform(&sample, 0, 1);
        double wanted = hermite(&segment, t);
        set_keys(key, &segment);
        key[0].in_tangent = sample_finite(&sample);
        key[1].out_tangent = i % 2 ? HUGE_VAL : sample_finite(&sample);
        key[0].in_weight = key[0].out_weight = sample_finite(&sample);
        key[1].in_weight = key[1].out_weight = sample_finite(&sample);
        double got = tl_hermite(&key[0], &key[1], t);
        suite_check(same_double(got, wanted), "i = %d: got %a, wanted %a", i, got, wanted);
    }
    CU_ASSERT_EQUAL(compared, 1000);
}

static void known_failures_of_other_libraries(void)
{
    struct segment flat = {0, 0, 0, 1, 1, 0};
    check_answer(&flat, 0.3333333333333333);
    check_answer(&flat, 0.6666666666666666);
    check_returns(&flat, 0.25, 0.15625); /* wrong member of (in, out) taken */
    struct segment slow = {0, 0, 1, 8, 0, 0};
    check_returns(&slow, 4, 1); /* tangents not multiplied by the duration */
    struct segment touching = {1, 2, 0, 1, 2, 0};
    check_returns(&touching, 1, 2); /* 0/0 */
    struct segment wide = {-1.5e308, 1, 0, 1.5e308, 2, 0};
    check_answer(&wide, 3e307); /* t1 - t0 overflows */
    check_answer(&wide, 0);
    struct segment late = {1e9, 0.5, 3, 1000000000.0166667, -0.25, 7};
    check_answer(&late, 1000000000.013);
    struct segment cancels = {0, 1, -3, 1, 0.2, 0};
    check_answer(&cancels, 0.4142135623730951);
    struct segment line = {0, 0, 1, 1, 1, 1};
    check_answer(&line, 0.9999999999999999);
}

static void the_range_is_used_to_its_ends(void)
{
    struct segment subnormal = {0, DBL_TRUE_MIN, 0, 1, 3 * DBL_TRUE_MIN, 0};
    check_answer(&subnormal, 0.5);
    struct segment largest = {0, DBL_MAX, 0, 1, DBL_MAX, 0};
    check_answer(&largest, 0.3);
    struct segment opposite = {0, DBL_MAX, 0, 1, -DBL_MAX, 0};
    check_answer(&opposite, 0.25);
    suite_check(isfinite(hermite(&opposite, 0.25)), "between the largest numbers");
    struct segment steep = {0, 0, DBL_MAX, DBL_TRUE_MIN * 8, 0, -DBL_MAX};
    check_answer(&steep, DBL_TRUE_MIN * 3);
    struct segment gentle = {-DBL_MAX, 0, DBL_TRUE_MIN, DBL_MAX, 0, DBL_TRUE_MIN};
    check_answer(&gentle, DBL_MAX / 2);
    struct segment beyond = {-DBL_MAX, 0, 1e300, DBL_MAX, 0, -1e300};
    check_returns(&beyond, 0, HUGE_VAL);
    struct segment below = {-DBL_MAX, 0, -1e300, DBL_MAX, 0, 1e300};
    check_returns(&below, 0, -HUGE_VAL);
    struct segment meets = {-DBL_MAX, 1, 1e300, DBL_MAX, 2, 1e300}; /* h m0 and h m1 cancel */
    check_answer(&meets, 0);
}

/* Somewhere inside, often close to a key; false if there is no double inside. */
static bool draw(struct sample *sample, unsigned class, struct segment *segment, double *t)
{
    double number[6];
    sample_numbers(sample, sample_below(sample, 2) ? class : 0, number, 2);
    sample_numbers(sample, class, number + 2, 4);
    *segment = (struct segment){fmin(number[0], number[1]), number[2], number[3],
                                fmax(number[0], number[1]), number[4], number[5]};
    double x = sample_uniform(sample, 0, 1);
    if (sample_below(sample, 2)) {
        x = fabs(sample_wide(sample, -60, 0));
    }
    double near = segment->t0, far = segment->t1;
    if (sample_below(sample, 2)) {
        near = segment->t1;
        far = segment->t0;
    }
    *t = near * (1 - x) + far * x;
    if (*t == near) {
        *t = nextafter(near, far);
    }
    return segment->t0 < *t && *t < segment->t1;
}

enum { DRAWN = 4000 };

static void hermite_is_within_12u_of_its_scale(void)
{
    struct sample sample = {12};
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        size_t of_class = 0;
        while (of_class < DRAWN) {
            struct segment segment;
            double t;
            if (draw(&sample, class, &segment, &t)) {
                check_answer(&segment, t);
                of_class++;
            }
        }
        compared += of_class;
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
}

static void coefficients(const struct segment *segment, double result[4])
{
    tl_key key[2];
    set_keys(key, segment);
    tl_hermite_coefficients(&key[0], &key[1], result);
}

/* Exact values and scales of the four, for one segment at a time. */
static mpq_t coefficient_value[4], coefficient_scale[4];

static void init_all(mpq_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        mpq_init(numbers[i]);
    }
}

static void clear_all(mpq_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        mpq_clear(numbers[i]);
    }
}

static void check_coefficients(const struct segment *s)
{
    double got[4];
    coefficients(s, got);
    rational_coefficients(coefficient_value, coefficient_scale, s);
    for (int i = 0; i < 4; i++) {
        suite_check(rational_within(got[i], coefficient_value[i], coefficient_scale[i],
                                    K_COEFFICIENTS),
                    "coefficient %d of %s: got %a, nearest is %a", i, describe(s, 0), got[i],
                    rational_round(coefficient_value[i]));
    }
}

static void coefficients_are_within_4u_of_their_terms(void)
{
    struct sample sample = {13};
    init_all(coefficient_value, 4);
    init_all(coefficient_scale, 4);
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            struct segment segment;
            double t;
            draw(&sample, class, &segment, &t);
            check_coefficients(&segment);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
    check_coefficients(&(struct segment){-1.5e308, 1, 2e-308, 1.5e308, 2, -3e-308});
    check_coefficients(&(struct segment){-DBL_MAX, 1e308, 1e300, DBL_MAX, -1e308, 1e300});
    check_coefficients(&(struct segment){0, 0, DBL_TRUE_MIN, 0.5, DBL_TRUE_MIN, DBL_TRUE_MIN});
    check_coefficients(&(struct segment){3, 1, 2, 3, 4, 5});  /* h = 0 */
    check_coefficients(&(struct segment){5, 1, 2, -3, 4, 5}); /* h < 0 */
    check_coefficients(&(struct segment){DBL_MAX, 1, 2e-308, -DBL_MAX, 4, 5e-308});
    clear_all(coefficient_value, 4);
    clear_all(coefficient_scale, 4);
}

static void coefficients_of_what_is_not_finite_are_nan(void)
{
    const struct segment good = {0, 1, 2, 4, 3, -1};
    for (int which = 0; which < 6; which++) {
        for (int i = 0; i < 3; i++) {
            struct segment segment = good;
            double *const datum[6] = {&segment.t0, &segment.v0, &segment.m0,
                                      &segment.t1, &segment.v1, &segment.m1};
            *datum[which] = not_finite[i];
            double got[4] = {1, 1, 1, 1};
            coefficients(&segment, got);
            for (int k = 0; k < 4; k++) {
                suite_check(isnan(got[k]), "input %d = %a: coefficient %d = %a", which,
                            not_finite[i], k, got[k]);
            }
        }
    }
}

/* The combination of returned coefficients meets `wanted` as their own bounds allow:
 * |sum factor_i c_i - wanted| <= 4 u sum |factor_i| S_i, and 2^-1074 for each. */
static void check_condition(const double got[4], const long factor[4], const mpq_t wanted,
                            const char *condition)
{
    mpq_t sum, tolerance, part, unit;
    mpq_inits(sum, tolerance, part, unit, NULL);
    mpq_set_ui(unit, 1, 1);
    mpq_div_2exp(unit, unit, 1074);
    for (int i = 0; i < 4; i++) {
        mpq_t weight;
        mpq_init(weight);
        mpq_set_si(weight, factor[i], 1);
        mpq_set_d(part, got[i]);
        mpq_mul(part, part, weight);
        mpq_add(sum, sum, part);
        mpq_set_ui(part, K_COEFFICIENTS, 1);
        mpq_div_2exp(part, part, 53);
        mpq_mul(part, part, coefficient_scale[i]);
        mpq_add(part, part, unit);
        mpq_mul(part, part, weight);
        mpq_add(tolerance, tolerance, part);
        mpq_clear(weight);
    }
    mpq_sub(sum, sum, wanted);
    mpq_abs(sum, sum);
    suite_check(mpq_cmp(sum, tolerance) <= 0, "%s is off by %g, not by at most %g", condition,
                mpq_get_d(sum), mpq_get_d(tolerance));
    mpq_clears(sum, tolerance, part, unit, NULL);
}

/* p(0) = v0, p(1) = v1, p'(0) = h m0, p'(1) = h m1. */
static void coefficients_meet_the_four_end_conditions(void)
{
    static const long p0[4] = {0, 0, 0, 1}, p1[4] = {1, 1, 1, 1};
    static const long derivative0[4] = {0, 0, 1, 0}, derivative1[4] = {3, 2, 1, 0};
    struct sample sample = {14};
    mpq_t wanted[4];
    init_all(wanted, 4);
    init_all(coefficient_value, 4);
    init_all(coefficient_scale, 4);
    size_t compared = 0;
    for (int i = 0; i < DRAWN; i++, compared++) {
        struct segment s;
        double t, got[4];
        draw(&sample, (unsigned)i % 2, &s, &t);
        rational_coefficients(coefficient_value, coefficient_scale, &s);
        coefficients(&s, got);
        mpq_set_d(wanted[0], s.v0);
        mpq_set_d(wanted[1], s.v1);
        mpq_t h, start;
        mpq_inits(h, start, NULL);
        mpq_set_d(h, s.t1);
        mpq_set_d(start, s.t0);
        mpq_sub(h, h, start);
        mpq_set_d(wanted[2], s.m0);
        mpq_mul(wanted[2], wanted[2], h);
        mpq_set_d(wanted[3], s.m1);
        mpq_mul(wanted[3], wanted[3], h);
        mpq_clears(h, start, NULL);
        check_condition(got, p0, wanted[0], "p(0) = v0");
        check_condition(got, p1, wanted[1], "p(1) = v1");
        check_condition(got, derivative0, wanted[2], "p'(0) = h m0");
        check_condition(got, derivative1, wanted[3], "p'(1) = h m1");
    }
    CU_ASSERT_EQUAL(compared, DRAWN);
    clear_all(wanted, 4);
    clear_all(coefficient_value, 4);
    clear_all(coefficient_scale, 4);
}

/* The system for a t^3 + b t^2 + c t + d on the times themselves, solved exactly and then
 * substituted, is what the normalised coefficients must be. */
static void coefficients_agree_with_the_unnormalised_system(void)
{
    struct sample sample = {15};
    mpq_t solved[4], normalised[4];
    init_all(solved, 4);
    init_all(normalised, 4);
    init_all(coefficient_value, 4);
    init_all(coefficient_scale, 4);
    size_t compared = 0;
    while (compared < 1000) {
        struct segment s;
        double t, got[4];
        if (!draw(&sample, (unsigned)compared % 3, &s, &t)) {
            continue;
        }
        rational_solve_system(solved, &s);
        rational_normalise(normalised, (const mpq_t *)solved, &s);
        rational_coefficients(coefficient_value, coefficient_scale, &s);
        coefficients(&s, got);
        for (int i = 0; i < 4; i++) {
            CU_ASSERT_TRUE(mpq_equal(normalised[i], coefficient_value[i]));
            suite_check(rational_within(got[i], normalised[i], coefficient_scale[i],
                                        K_COEFFICIENTS),
                        "coefficient %d of %s", i, describe(&s, 0));
        }
        compared++;
    }
    CU_ASSERT_EQUAL(compared, 1000);
    clear_all(solved, 4);
    clear_all(normalised, 4);
    clear_all(coefficient_value, 4);
    clear_all(coefficient_scale, 4);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
    errno = 12345;
    struct segment wide = {-DBL_MAX, 1, 1e300, DBL_MAX, 2, 1e300};
    volatile double at = 1e308;
    double got[5];
    got[4] = hermite(&wide, at);
    coefficients(&wide, got);
    CU_ASSERT(!isnan(got[0]) && !isnan(got[4]));
    CU_ASSERT_EQUAL(errno, 12345);
    CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
    CU_ASSERT_EQUAL(fegetround(), FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    errno = 0;
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"NaN times and falling times give NaN", nan_times_and_falling_times_give_nan},
        {"at and beyond the keys it returns their values",
         at_and_beyond_the_keys_it_returns_their_values},
        {"infinite key times clamp too", infinite_key_times_clamp_too},
        {"a segment without length is a jump", a_segment_without_length_is_a_jump},
        {"an infinite tangent steps", an_infinite_tangent_steps},
        {"other data that are not finite give NaN", other_data_that_are_not_finite_give_nan},
        {"the keys' outer sides are never read", the_keys_outer_sides_are_never_read},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"hermite is within 12 u of its scale", hermite_is_within_12u_of_its_scale},
        {"coefficients are within 4 u of their terms", coefficients_are_within_4u_of_their_terms},
        {"coefficients of what is not finite are NaN", coefficients_of_what_is_not_finite_are_nan},
        {"coefficients meet the four end conditions", coefficients_meet_the_four_end_conditions},
        {"coefficients agree with the unnormalised system",
         coefficients_agree_with_the_unnormalised_system},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("hermite", tests, sizeof tests / sizeof *tests);
}
