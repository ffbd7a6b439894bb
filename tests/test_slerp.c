/* tl_slerp3 and tl_slerp3_unclamped against their contract, rule by rule. Exact values come from
 * repeated bisection with square roots, not from the oracle. */
#include "bisection.h"
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void slerp3_function(const double *, const double *, double, double *);

enum { CLAMPED, UNCLAMPED };
static slerp3_function *const both[] = {tl_slerp3, tl_slerp3_unclamped};
static const char *const names[] = {"slerp3", "slerp3_unclamped"};

/* test_header.c holds the header to the catalogue. */
enum { K_SLERP = 8 };

/* Far more than a comparison with doubles needs. */
enum { ANSWER_BITS = 320 };

static const double special[] = {0.0, -0.0, -1.5, DBL_TRUE_MIN, -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};

static const char *describe(int which, const double a[3], const double b[3], double t,
                            const double got[3])
{
    static char text[500];
    snprintf(text, sizeof text, "%s(%a %a %a, %a %a %a, %a) = %a %a %a", names[which], a[0], a[1],
             a[2], b[0], b[1], b[2], t, got[0], got[1], got[2]);
    return text;
}

static void check_returns(int which, const double a[3], const double b[3], double t,
                          const double wanted[3])
{
    double got[3] = {7, 7, 7};
    both[which](a, b, t, got);
    for (int i = 0; i < 3; i++) {
        suite_check(same_double(got[i], wanted[i]), "%s, wanted %a %a %a",
                    describe(which, a, b, t, got), wanted[0], wanted[1], wanted[2]);
    }
}

static bool same_vector(const double got[3], const double wanted[3])
{
    return same_double(got[0], wanted[0]) && same_double(got[1], wanted[1]) &&
           same_double(got[2], wanted[2]);
}

static const double all_nan[3] = {NAN, NAN, NAN};

/* Rule 1: an infinite t is beyond an end if t is clamped, else there is no such place. */
static void nan_t_gives_nan(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        double a[3] = {1, special[i], 3}, b[3] = {special[i], 5, -2};
        check_returns(CLAMPED, a, b, NAN, all_nan);
        check_returns(UNCLAMPED, a, b, NAN, all_nan);
        check_returns(UNCLAMPED, a, b, HUGE_VAL, all_nan);
        check_returns(UNCLAMPED, a, b, -HUGE_VAL, all_nan);
    }
}

/* Rule 2, before any look at the components. */
static void the_ends_are_returned_as_they_are(void)
{
    static const double late[] = {1, 1.0000000000000002, 3, DBL_MAX, HUGE_VAL};
    static const double early[] = {0.0, -0.0, -DBL_TRUE_MIN, -2, -DBL_MAX, -HUGE_VAL};
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            double a[3] = {1, special[i], special[j]}, b[3] = {special[j], special[i], -0.0};
            for (size_t k = 0; k < sizeof late / sizeof *late; k++) {
                check_returns(CLAMPED, a, b, late[k], b);
            }
            for (size_t k = 0; k < sizeof early / sizeof *early; k++) {
                check_returns(CLAMPED, a, b, early[k], a);
            }
            check_returns(UNCLAMPED, a, b, 1, b);
            check_returns(UNCLAMPED, a, b, 0.0, a);
            check_returns(UNCLAMPED, a, b, -0.0, a);
        }
    }
}

/* Rule 3, also when the other vector is 0. */
static void a_component_that_is_not_finite_gives_nan_in_all(void)
{
    static const double t[] = {0.5, DBL_TRUE_MIN, -2, 3};
    for (int which = 0; which < 2; which++) {
        for (int k = 0; k < (which == CLAMPED ? 2 : 4); k++) {
            for (int component = 0; component < 3; component++) {
                for (int i = 0; i < 3; i++) {
                    double good[3] = {1, 2, 3}, zero[3] = {0, 0, 0}, bad[3] = {1, 0, 0};
                    bad[component] = not_finite[i];
                    check_returns(which, good, bad, t[k], all_nan);
                    check_returns(which, bad, good, t[k], all_nan);
                    check_returns(which, zero, bad, t[k], all_nan);
                    check_returns(which, bad, zero, t[k], all_nan);
                    check_returns(which, bad, bad, t[k], all_nan);
                }
            }
        }
    }
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void reference(vector value, const double a[3], const double b[3], double t)
{
    if (is_zero(a) || is_zero(b)) {
        mpfr_t share;
        mpfr_init2(share, BISECTION_PRECISION);
        mpfr_set_d(share, t, MPFR_RNDN);
        mpfr_ui_sub(share, 1, share, MPFR_RNDN);
        for (int i = 0; i < 3; i++) {
            mpfr_mul_d(value[i], share, a[i], MPFR_RNDN);
            mpfr_set_d(share, b[i], MPFR_RNDN);
            mpfr_mul_d(share, share, t, MPFR_RNDN);
            mpfr_add(value[i], value[i], share, MPFR_RNDN);
            mpfr_set_d(share, t, MPFR_RNDN);
            mpfr_ui_sub(share, 1, share, MPFR_RNDN);
        }
        mpfr_clear(share);
    } else if (fabs(t) > BISECTION_T_LIMIT) {
        literal_slerp3(value, a, b, t);
    } else {
        bisection_slerp3(value, a, b, t);
    }
}

/* S: |F| inside [0, 1], else (|1 - t||a| + |t||b|)(1 + pi |t|). */
static void set_scale(mpfr_t scale, const double a[3], const double b[3], double t)
{
    linear_length(scale, a, b, t, true);
    if (t < 0 || t > 1) {
        mpfr_t factor;
        mpfr_init2(factor, mpfr_get_prec(scale));
        mpfr_const_pi(factor, MPFR_RNDN);
        mpfr_mul_d(factor, factor, fabs(t), MPFR_RNDN);
        mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
        mpfr_mul(scale, scale, factor, MPFR_RNDN);
        mpfr_clear(factor);
    }
}

/* |got - value| <= K u S + sqrt(3) 2^-1074 over the finite components; each infinite one must be
 * allowed there. Destroys value. */
static bool is_within(const double got[3], vector value, const mpfr_t scale)
{
    mpfr_t tolerance, limit;
    mpfr_inits2(ANSWER_BITS, tolerance, limit, (mpfr_ptr)0);
    mpfr_mul_ui(tolerance, scale, K_SLERP, MPFR_RNDN);
    mpfr_div_2ui(tolerance, tolerance, 53, MPFR_RNDN);
    bool within = true;
    for (int i = 0; i < 3; i++) {
        if (isinf(got[i])) {
            mpfr_abs(limit, value[i], MPFR_RNDN);
            mpfr_add(limit, limit, tolerance, MPFR_RNDN);
            mpfr_add_d(limit, limit, ldexp(1, 970), MPFR_RNDN);
            within = within && mpfr_cmp_ui_2exp(limit, 1, 1024) >= 0 &&
                     (got[i] > 0) == (mpfr_sgn(value[i]) > 0);
            mpfr_set_zero(value[i], 1);
        } else {
            mpfr_sub_d(value[i], value[i], got[i], MPFR_RNDN);
        }
    }
    mpfr_sqrt_ui(limit, 3, MPFR_RNDN);
    mpfr_div_2ui(limit, limit, 1074, MPFR_RNDN);
    mpfr_add(tolerance, tolerance, limit, MPFR_RNDN);
    vector_length(limit, value); /* NaN if a component was NaN; then lessequal is false */
    within = within && mpfr_lessequal_p(limit, tolerance);
    mpfr_clears(tolerance, limit, (mpfr_ptr)0);
    return within;
}

static void check_answer(int which, const double a[3], const double b[3], double t)
{
    vector value;
    mpfr_t scale;
    vector_init(value, ANSWER_BITS);
    mpfr_init2(scale, ANSWER_BITS);
    double got[3] = {7, 7, 7};
    both[which](a, b, t, got);
    reference(value, a, b, t);
    set_scale(scale, a, b, t);
    double nearest[3];
    for (int i = 0; i < 3; i++) {
        nearest[i] = mpfr_get_d(value[i], MPFR_RNDN);
    }
    suite_check(is_within(got, value, scale), "%s, nearest is %a %a %a",
                describe(which, a, b, t, got), nearest[0], nearest[1], nearest[2]);
    mpfr_clear(scale);
    vector_clear(value);
}

static void check_both(const double a[3], const double b[3], double t)
{
    check_answer(CLAMPED, a, b, t);
    check_answer(UNCLAMPED, a, b, t);
}

static const double inner_t[] = {0.5, 0.01, 0.3, 0.999, 0x1p-60, DBL_TRUE_MIN};
static const double outer_t[] = {-0.5, 1.5, 2, -1, 7.25, -100.3, -0x1p-70};

static void check_inner(const double a[3], const double b[3])
{
    for (size_t i = 0; i < sizeof inner_t / sizeof *inner_t; i++) {
        check_both(a, b, inner_t[i]);
    }
}

static void check_inner_and_outer(const double a[3], const double b[3])
{
    check_inner(a, b);
    for (size_t i = 0; i < sizeof outer_t / sizeof *outer_t; i++) {
        check_answer(UNCLAMPED, a, b, outer_t[i]);
    }
}

static void a_zero_vector_means_lerp(void)
{
    const double zero[3] = {0, -0.0, 0}, other[3] = {4, -3, 0.1}, tiny[3] = {DBL_TRUE_MIN, 0, 0};
    check_inner_and_outer(zero, other);
    check_inner_and_outer(other, zero);
    check_inner_and_outer(zero, zero);
    check_inner_and_outer(tiny, zero);
    check_both(zero, (double[]){4, 0, 0}, 0.01);
}

static void one_direction_means_lerp(void)
{
    check_inner_and_outer((double[]){0, 0, 1}, (double[]){0, 0, 1});
    check_inner_and_outer((double[]){1, 1, 1}, (double[]){2, 2, 2});
    check_inner_and_outer((double[]){3, -6, 9}, (double[]){0x1p-700, -0x1p-699, 0x1.8p-699});
    check_inner_and_outer((double[]){0, DBL_TRUE_MIN, 0}, (double[]){0, DBL_MAX, 0});
    check_inner_and_outer((double[]){0x1p1000, 0x1p-1000, 0}, (double[]){0x1p930, 0x1p-1070, 0});
}

/* (-1, 0, 0) turns to (1, 0, 0) through (0, 1, 0): of the equal smallest components 1 and 2, the
 * lower index. */
static void exactly_opposite_turns_by_the_axis_rule(void)
{
    double half[3];
    tl_slerp3((double[]){-1, 0, 0}, (double[]){1, 0, 0}, 0.5, half);
    CU_ASSERT(half[1] > 0.999);
    static const double first[][3] = {{-1, 0, 0},
                                      {1, -0.0, 0.0},
                                      {0, 2, 0},
                                      {0, 0, -3},
                                      {-1, 1, 0},
                                      {-1, 1, 1},
                                      {1, -1, 1},
                                      {3, -6, 9},
                                      {DBL_TRUE_MIN, 0, 0},
                                      {9, 6, -3},
                                      {5, 1, -1},
                                      {-1, 5, 1},
                                      {0x1p900, 0x1p-900, -0x1p-900},
                                      {2, 1, 7}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        double once[3], scaled[3];
        for (int k = 0; k < 3; k++) {
            once[k] = -first[i][k];
            scaled[k] = -0x1p60 * first[i][k];
        }
        check_inner_and_outer(first[i], once);
        check_inner_and_outer(first[i], scaled);
        check_inner_and_outer(scaled, first[i]);
    }
    check_inner((double[]){DBL_TRUE_MIN, 0, 0}, (double[]){-DBL_MAX, 0, 0});
}

/* One unit in the last place off, there is a plane, and no axis rule. */
static void nearly_opposite_turns_in_the_plane_of_both(void)
{
    check_inner((double[]){1, 0, 0}, (double[]){-1, 1e-7, 0});
    check_inner((double[]){1, 0, 0}, (double[]){-1, 0, -1e-300});
    check_inner((double[]){1, 0, 0}, (double[]){-1, 0, -DBL_TRUE_MIN});
    check_inner((double[]){DBL_MAX, 0, 0}, (double[]){-DBL_MAX, -DBL_TRUE_MIN, 0});
    check_inner((double[]){1, 1, 1}, (double[]){-1, -1.0000000000000002, -1});
    check_inner((double[]){3, -6, 9}, (double[]){-1, 2.0000000000000004, -3});
    check_inner((double[]){0.1, 0.7, -0.3},
                (double[]){-0x1p-600 * 0.1, -0x1p-600 * 0.7, 0x1p-600 * 0.30000000000000004});
    check_inner((double[]){0x1p1000, 0x1p-1000, 0}, (double[]){-0x1p1000, -0x1p-1000, 0x1p-1000});
}

static void nearly_one_direction_loses_nothing(void)
{
    check_inner_and_outer((double[]){1, 0, 0}, (double[]){1, 1e-7, 0});
    check_inner_and_outer((double[]){1, 0, 0}, (double[]){3, DBL_TRUE_MIN, 0});
    check_inner_and_outer((double[]){1, 1, 1}, (double[]){1, 1.0000000000000002, 1});
    check_inner_and_outer((double[]){0x1p1000, 0x1p-1000, 0}, (double[]){0x1p900, 0x1p-1000, 0});
}

static void known_failures_of_other_libraries(void)
{
    check_both((double[]){0, 0, 1}, (double[]){0, 0, 1}, 0.5);     /* 0/0 */
    check_both((double[]){1, 1, 1}, (double[]){2, 2, 2}, 0.5);     /* called not normalised */
    check_both((double[]){2, 0, 0}, (double[]){0, 4, 0}, 0.5);     /* lengths in the angle */
    check_both((double[]){1, 0, 0}, (double[]){-1, 1e-7, 0}, 0.5); /* noise for an axis */
    check_both((double[]){-1, 1, 0}, (double[]){1, 1, 0}, 0.1);
    check_both((double[]){-1, 0, 0}, (double[]){0, 3, 4}, 0.3);
    check_both((double[]){-1, 1, 0}, (double[]){1, -1, 0}, 0.3);
    check_both((double[]){-1, 1, 1}, (double[]){1, -1, -1}, 0.3);
}

static void the_range_is_used_to_its_ends(void)
{
    check_inner((double[]){1e300, 0, 0}, (double[]){0, 1e300, 1e300});
    check_inner((double[]){1e-300, 0, 0}, (double[]){0, 1e-300, 2e-300});
    check_inner((double[]){DBL_TRUE_MIN, 0, 0}, (double[]){0, DBL_TRUE_MIN, 0});
    check_inner((double[]){5 * DBL_TRUE_MIN, DBL_TRUE_MIN, 0}, (double[]){1, -1e300, 2});
    check_inner((double[]){1e300, 1e-300, 0}, (double[]){1e-300, 1e300, 1});
    check_inner((double[]){DBL_MAX / 2, 0, 0}, (double[]){0, DBL_MAX / 2, 0});
    check_inner((double[]){DBL_MAX, DBL_MAX, 0}, (double[]){DBL_MAX, -DBL_MAX, DBL_MAX});
    check_inner((double[]){DBL_MAX, 0, 0}, (double[]){-DBL_MAX, 0, 0});
}

static void the_result_may_be_an_argument(void)
{
    struct sample sample = {21};
    size_t compared = 0;
    for (int i = 0; i < 300; i++) {
        for (int which = 0; which < 2; which++) {
            double a[3], b[3], apart[3], shared[3];
            sample_numbers(&sample, (unsigned)i % SAMPLE_CLASSES, a, 3);
            sample_numbers(&sample, (unsigned)i % SAMPLE_CLASSES, b, 3);
            double t = i % 3 ? sample_uniform(&sample, 0, 1) : i % 2;
            if (i % 10 == 0) {
                for (int k = 0; k < 3; k++) {
                    b[k] = -a[k];
                }
            }
            both[which](a, b, t, apart);
            memcpy(shared, a, sizeof shared);
            both[which](shared, b, t, shared);
            suite_check(same_vector(shared, apart), "into a: %s", describe(which, a, b, t, shared));
            memcpy(shared, b, sizeof shared);
            both[which](a, shared, t, shared);
            suite_check(same_vector(shared, apart), "into b: %s", describe(which, a, b, t, shared));
            compared++;
        }
    }
    CU_ASSERT_EQUAL(compared, 600);
}

enum { PAIR_CLASSES = SAMPLE_CLASSES + 4, DRAWN = 500 };

/* The samples' classes for components, then exact multiples of either sign, and such multiples with
 * one component stepped or a small vector added. */
static void draw_pair(struct sample *sample, unsigned class, double a[3], double b[3])
{
    sample_numbers(sample, class < SAMPLE_CLASSES ? class : 0, a, 3);
    sample_numbers(sample, class < SAMPLE_CLASSES ? class : 0, b, 3);
    if (class < SAMPLE_CLASSES) {
        return;
    }
    double factor = ldexp(sample_below(sample, 2) ? 1 : -1, (int)sample_below(sample, 9) - 4);
    double small = fabs(sample_wide(sample, -80, -10));
    for (int k = 0; k < 3; k++) {
        double added = class == SAMPLE_CLASSES + 2 ? small * b[k] : 0;
        b[k] = factor * (a[k] + added);
    }
    unsigned k = sample_below(sample, 3);
    if (class == SAMPLE_CLASSES + 1) {
        b[k] = nextafter(b[k], sample_below(sample, 2) ? 1 : -1);
    } else if (class == SAMPLE_CLASSES + 3) {
        a[k] = 0;
        b[k] = sample_wide(sample, -1074, -20);
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

static void slerp3_is_within_8u_of_its_scale(void)
{
    struct sample sample = {22};
    size_t compared = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            double a[3], b[3];
            draw_pair(&sample, class, a, b);
            check_answer(CLAMPED, a, b, draw_inner(&sample));
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)PAIR_CLASSES * DRAWN);
}

static void unclamped_is_within_8u_of_its_scale(void)
{
    struct sample sample = {23};
    size_t compared = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++, compared++) {
            double a[3], b[3];
            draw_pair(&sample, class, a, b);
            double t = i % 3 == 0   ? draw_inner(&sample)
                       : i % 3 == 1 ? sample_uniform(&sample, -4, 5)
                                    : sample_wide(&sample, -60, 9);
            check_answer(UNCLAMPED, a, b, t);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)PAIR_CLASSES * DRAWN);
}

/* However far, also where the result is beyond the range and only its sign may count. */
static void unclamped_holds_for_every_finite_t(void)
{
    static const unsigned classes[] = {0, 2, 4, SAMPLE_CLASSES + 1};
    struct sample sample = {24};
    size_t compared = 0;
    while (compared < 80) {
        double a[3], b[3];
        draw_pair(&sample, classes[compared % 4], a, b);
        if (!is_collinear(a, b)) {
            check_answer(UNCLAMPED, a, b, sample_wide(&sample, 0, compared % 2 ? 1024 : 60));
            compared++;
        }
    }
    check_answer(UNCLAMPED, (double[]){1, 2, 3}, (double[]){-3, 1, 0.5}, DBL_MAX);
    check_answer(UNCLAMPED, (double[]){0, 0, 0}, (double[]){0x1p-1000, 1, 0}, 1e300);
    CU_ASSERT_EQUAL(compared, 80);
}

/* |F| is linear in t, so |result| may be off by as much as the result. */
static bool has_linear_length(const double got[3], const double a[3], const double b[3], double t)
{
    vector v;
    mpfr_t length, wanted;
    vector_init(v, BISECTION_PRECISION);
    mpfr_inits2(BISECTION_PRECISION, length, wanted, (mpfr_ptr)0);
    vector_set_d(v, got);
    vector_length(length, v);
    linear_length(wanted, a, b, t, false);
    mpfr_sub(length, length, wanted, MPFR_RNDN);
    mpfr_mul_d(wanted, wanted, K_SLERP * 0x1p-53, MPFR_RNDN);
    bool linear = mpfr_cmpabs(length, wanted) <= 0 && !mpfr_nan_p(length);
    mpfr_clears(length, wanted, (mpfr_ptr)0);
    vector_clear(v);
    return linear;
}

static void set_angle(mpfr_t angle, const double a[3], const double b[3])
{
    vector first, second, cross;
    mpfr_t sine;
    vector_init(first, BISECTION_PRECISION);
    vector_init(second, BISECTION_PRECISION);
    vector_init(cross, BISECTION_PRECISION);
    mpfr_init2(sine, BISECTION_PRECISION);
    vector_set_d(first, a);
    vector_set_d(second, b);
    vector_cross(cross, first, second);
    vector_length(sine, cross);
    vector_dot(angle, first, second);
    mpfr_atan2(angle, sine, angle, MPFR_RNDN);
    mpfr_clear(sine);
    vector_clear(cross);
    vector_clear(second);
    vector_clear(first);
}

/* A vector off by at most e |F| points at most asin(e) aside. */
static bool has_even_angle(const double got[3], const double a[3], const double b[3], double t)
{
    mpfr_t angle, wanted;
    mpfr_inits2(BISECTION_PRECISION, angle, wanted, (mpfr_ptr)0);
    set_angle(wanted, a, b);
    mpfr_mul_d(wanted, wanted, t, MPFR_RNDN);
    set_angle(angle, a, got);
    mpfr_sub(angle, angle, wanted, MPFR_RNDN);
    mpfr_set_d(wanted, K_SLERP * 0x1p-53, MPFR_RNDN);
    mpfr_asin(wanted, wanted, MPFR_RNDU);
    bool even = mpfr_cmpabs(angle, wanted) <= 0 && !mpfr_nan_p(angle);
    mpfr_clears(angle, wanted, (mpfr_ptr)0);
    return even;
}

/* Both conjectures of the article, at tenths of the way. */
static void length_is_linear_and_the_angle_even(void)
{
    struct sample sample = {25};
    size_t compared = 0;
    for (int pair = 0; pair < 60; pair++) {
        double a[3], b[3];
        draw_pair(&sample, pair % 3 == 0 ? 1 : pair % 3 == 1 ? 0 : SAMPLE_CLASSES + 2, a, b);
        for (int tenth = 1; tenth <= 9; tenth++, compared++) {
            double got[3], t = tenth / 10.0;
            tl_slerp3(a, b, t, got);
            suite_check(has_linear_length(got, a, b, t), "length: %s",
                        describe(CLAMPED, a, b, t, got));
            suite_check(has_even_angle(got, a, b, t), "angle: %s", describe(CLAMPED, a, b, t, got));
        }
    }
    CU_ASSERT_EQUAL(compared, 540);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    static const double pair[][6] = {{1, 2, 3, -1, 5, 2},
                                     {1, 0, 0, -1, 0, 0},
                                     {1e300, -1e-300, 0, 1e-300, 2, DBL_TRUE_MIN}};
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
            feclearexcept(FE_ALL_EXCEPT);
            feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
            errno = 12345;
            double got[3];
            both[which](pair[i], pair[i] + 3, 0.3, got);
            CU_ASSERT_EQUAL(errno, 12345);
            CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
            CU_ASSERT_EQUAL(fegetround(), FE_TONEAREST);
        }
    }
    feclearexcept(FE_ALL_EXCEPT);
    errno = 0;
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"NaN t gives NaN", nan_t_gives_nan},
        {"the ends are returned as they are", the_ends_are_returned_as_they_are},
        {"a component that is not finite gives NaN in all",
         a_component_that_is_not_finite_gives_nan_in_all},
        {"a zero vector means lerp", a_zero_vector_means_lerp},
        {"one direction means lerp", one_direction_means_lerp},
        {"exactly opposite turns by the axis rule", exactly_opposite_turns_by_the_axis_rule},
        {"nearly opposite turns in the plane of both", nearly_opposite_turns_in_the_plane_of_both},
        {"nearly one direction loses nothing", nearly_one_direction_loses_nothing},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"the result may be an argument", the_result_may_be_an_argument},
        {"slerp3 is within 8 u of its scale", slerp3_is_within_8u_of_its_scale},
        {"unclamped is within 8 u of its scale", unclamped_is_within_8u_of_its_scale},
        {"unclamped holds for every finite t", unclamped_holds_for_every_finite_t},
        {"length is linear and the angle even", length_is_linear_and_the_angle_even},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("slerp", tests, sizeof tests / sizeof *tests);
}
