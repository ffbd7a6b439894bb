/* tl_angle3 and tl_rotate_toward3 against their contract, rule by rule. Exact values come from
 * exact sums of products and MPFR's functions. */
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
static const double K_ANGLE3 = 2;
static const double K_ROTATE = 8;
static const double K_LENGTH = 4;

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};
static const double all_nan[3] = {NAN, NAN, NAN};

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void set_negative(double negative[3], const double v[3])
{
    for (int i = 0; i < 3; i++) {
        negative[i] = -v[i];
    }
}

static bool same_vector(const double got[3], const double wanted[3])
{
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same = same && same_double(got[i], wanted[i]);
    }
    return same;
}

/* angle3 */

/* |got - value| in ulps of value, the unit being that of 2^-1022 below. NaN passes no test. */
static double error_in_ulps(double got, const mpfr_t value)
{
    mpfr_t error;
    mpfr_init2(error, EXACT_VECTOR_PRECISION);
    mpfr_sub_d(error, value, got, MPFR_RNDN);
    long exponent = mpfr_zero_p(value) ? -1022 : mpfr_get_exp(value) - 1;
    mpfr_mul_2si(error, error, 52 - (exponent < -1022 ? -1022 : exponent), MPFR_RNDN);
    double ulps = fabs(mpfr_get_d(error, MPFR_RNDA));
    mpfr_clear(error);
    return ulps;
}

static void check_angle_is(const double a[3], const double b[3], const mpfr_t value)
{
    double got = tl_angle3(a, b);
    double ulps = error_in_ulps(got, value);
    suite_check(ulps <= K_ANGLE3, "angle3(%a %a %a, %a %a %a) = %a, off by %g ulps", a[0], a[1],
                a[2], b[0], b[1], b[2], got, ulps);
}

static void check_angle(const double a[3], const double b[3])
{
    mpfr_t value;
    mpfr_init2(value, EXACT_VECTOR_PRECISION);
    exact_angle(value, a, b, 3);
    check_angle_is(a, b, value);
    mpfr_clear(value);
}

/* Either way, and between either direction of both. */
static void check_angles(const double a[3], const double b[3])
{
    double minus_a[3], minus_b[3];
    set_negative(minus_a, a);
    set_negative(minus_b, b);
    check_angle(a, b);
    check_angle(b, a);
    check_angle(a, minus_b);
    check_angle(minus_b, a);
    check_angle(minus_a, minus_b);
}

/* Rule 1, before a zero vector counts. */
static void angle3_is_nan_if_a_component_is_not_finite(void)
{
    for (int component = 0; component < 3; component++) {
        for (int i = 0; i < 3; i++) {
            double good[3] = {1, 2, 3}, zero[3] = {0, 0, 0}, bad[3] = {1, 0, 0};
            bad[component] = not_finite[i];
            CU_ASSERT(isnan(tl_angle3(good, bad)));
            CU_ASSERT(isnan(tl_angle3(bad, good)));
            CU_ASSERT(isnan(tl_angle3(zero, bad)));
            CU_ASSERT(isnan(tl_angle3(bad, zero)));
            CU_ASSERT(isnan(tl_angle3(bad, bad)));
        }
    }
}

/* Rule 2 */
static void angle3_of_a_zero_vector_is_0(void)
{
    static const double other[][3] = {{1, 2, 3},       {-1, 0, 0},      {0, 0, 0},
                                      {-0.0, 0, -0.0}, {DBL_MAX, 0, 1}, {0, -DBL_TRUE_MIN, 0}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const double zero[3] = {0, -0.0, 0};
        CU_ASSERT(same_double(tl_angle3(zero, other[i]), 0.0));
        CU_ASSERT(same_double(tl_angle3(other[i], zero), 0.0));
    }
}

static const double directions[][3] = {{1, 0, 0},
                                       {0, -1, 0},
                                       {1, 1, 1},
                                       {3, -6, 9},
                                       {0.1, 0.7, -0.3},
                                       {0, 1e-300, 0},
                                       {DBL_TRUE_MIN, 0, 5 * DBL_TRUE_MIN},
                                       {0x1p900, 0x1p-900, -0x1p-900},
                                       {DBL_MAX, 1, 0}};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

static void angle3_of_one_direction_is_0_and_of_opposite_ones_pi(void)
{
    for (int i = 0; i < DIRECTIONS; i++) {
        for (int k = -40; k <= 0; k += 20) {
            double multiple[3], opposite[3];
            bool exact = true;
            for (int c = 0; c < 3; c++) {
                multiple[c] = ldexp(directions[i][c], k);
                opposite[c] = -multiple[c];
                exact = exact && ldexp(multiple[c], -k) == directions[i][c];
            }
            if (exact) {
                CU_ASSERT(same_double(tl_angle3(directions[i], multiple), 0.0));
                CU_ASSERT(same_double(tl_angle3(multiple, directions[i]), 0.0));
                CU_ASSERT_EQUAL(tl_angle3(directions[i], opposite), 0x1.921fb54442d18p+1);
                CU_ASSERT_EQUAL(tl_angle3(opposite, directions[i]), 0x1.921fb54442d18p+1);
            }
        }
    }
    CU_ASSERT_EQUAL(tl_angle3((double[]){1, 0, 0}, (double[]){0, 3, -4}), 0x1.921fb54442d18p+0);
    CU_ASSERT_EQUAL(tl_angle3((double[]){1, 0, 0}, (double[]){2, 0, 2}), 0x1.921fb54442d18p-1);
}

static void known_failures_of_angle3_elsewhere(void)
{
    static const struct {
        double a[3], b[3];
        const char *exact;
    } known[] = {
        /* by an arc cosine: seven digits, and NaN for a cosine beyond 1 */
        {{0, 0, 1}, {2e-05, 2e-05, 0.9999999996}, "0.00002828427125123314039129713469876439040534"},
        {{-3.015463917525773, 3.340206185567011, 0},
         {-3.015463917525773, 3.3402061855670104, 0},
         "6.613012288717999245317399147425145409546e-17"},
        {{1, 2, 3}, {1, 2, 3.000001}, "0.0000001597191070467858936301192609746805332909"},
        {{0.9689124217106448, 0.24740395925452294, 0},
         {0.9689124217106448, 0.247403959254523, 0},
         "5.378544397142385826161043613357789978806e-17"},
    };
    mpfr_t value;
    mpfr_init2(value, EXACT_VECTOR_PRECISION);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CU_ASSERT_EQUAL(mpfr_set_str(value, known[i].exact, 10, MPFR_RNDN), 0);
        check_angle_is(known[i].a, known[i].b, value);
        check_angles(known[i].a, known[i].b);
    }
    mpfr_clear(value);
}

/* Down to 1e-300 and below from 0, pi/2 and pi, where angles become subnormal and then 0. */
static void angle3_of_small_angles_loses_nothing(void)
{
    for (int k = -1; k >= -1074; k -= k > -90 ? 1 : 29) {
        double small = ldexp(1.3, k);
        check_angles((double[]){1, 0, 0}, (double[]){1, small, 0});
        check_angles((double[]){1, 0, 0}, (double[]){3, small, 0.7 * small});
        check_angles((double[]){small, 1, 0}, (double[]){3, small, -2});
        check_angles((double[]){0, 0, 3e200}, (double[]){0, small, 1e100});
        check_angles((double[]){0x1p-500, 0, 0}, (double[]){0x1p-520, 0, ldexp(small, -500)});
        check_angles((double[]){1, 2, 3}, (double[]){1 + small, 2, 3});
        check_angles((double[]){1, 2, 3}, (double[]){7 + small, 14 + small, 21 - small});
    }
    check_angles((double[]){1, 0, 0}, (double[]){1, 1e-300, 0});
    check_angles((double[]){DBL_MAX, DBL_TRUE_MIN, 0}, (double[]){DBL_MAX, 0, DBL_TRUE_MIN});
    check_angles((double[]){DBL_MAX, 0, 0}, (double[]){0x1p-10, DBL_TRUE_MIN, 0});
    CU_ASSERT(tl_angle3((double[]){1, 0, 0}, (double[]){1, 1e-300, 0}) == 1e-300);
    CU_ASSERT(
        same_double(tl_angle3((double[]){1, DBL_TRUE_MIN, 0}, (double[]){1, 0, 0}), DBL_TRUE_MIN));
}

/* A power of two for all of a vector would lose its small components. */
static void angle3_keeps_components_of_any_size(void)
{
    check_angles((double[]){1e300, 1e-300, 0}, (double[]){1e300, 2e-300, 0});
    check_angles((double[]){1e300, 1e-300, 0}, (double[]){1, 0, 0});
    check_angles((double[]){1e300, 1e-300, 0}, (double[]){1e-300, 1e300, 1});
    check_angles((double[]){0x1p1000, 0x1p-1000, 0}, (double[]){0x1p900, 0x1p-1000, 0});
    check_angles((double[]){1e300, 2e300, -1e300}, (double[]){1e-300, 3e-300, 1e-300});
    check_angles((double[]){DBL_TRUE_MIN, 0, 0}, (double[]){0, DBL_TRUE_MIN, DBL_TRUE_MIN});
    check_angles((double[]){DBL_MAX, DBL_MAX, 0}, (double[]){DBL_MAX, -DBL_MAX, DBL_MAX});
    check_angles((double[]){DBL_MAX, DBL_MAX, 0}, (double[]){DBL_TRUE_MIN, -DBL_TRUE_MIN, 0});
    check_angles((double[]){5 * DBL_TRUE_MIN, DBL_TRUE_MIN, 0}, (double[]){1, -1e300, 2});
}

enum { PAIR_CLASSES = SAMPLE_CLASSES + 4, DRAWN = 500 };

/* The samples' classes for components, then exact multiples of either sign, and such multiples with
 * one component stepped or a small vector added, and vectors along an axis but for one component.
 */
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

static void angle3_is_within_2_ulps(void)
{
    struct sample sample = {51};
    size_t compared = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++) {
            double a[3], b[3];
            draw_pair(&sample, class, a, b);
            if (!is_zero(a) && !is_zero(b)) {
                check_angle(a, b);
                compared++;
            }
        }
    }
    CU_ASSERT(compared > (size_t)PAIR_CLASSES * DRAWN - 100);
}

static void angle3_is_symmetric(void)
{
    struct sample sample = {52};
    size_t compared = 0;
    for (int i = 0; i < 2000; i++, compared++) {
        double a[3], b[3];
        draw_pair(&sample, (unsigned)i % PAIR_CLASSES, a, b);
        suite_check(same_double(tl_angle3(a, b), tl_angle3(b, a)),
                    "angle3(%a %a %a, %a %a %a) depends on the order", a[0], a[1], a[2], b[0], b[1],
                    b[2]);
    }
    CU_ASSERT_EQUAL(compared, 2000);
}

/* rotate_toward3 */

static const char *describe(const double a[3], const double b[3], double phi, const double got[3])
{
    static char text[500];
    snprintf(text, sizeof text, "rotate_toward3(%a %a %a, %a %a %a, %a) = %a %a %a", a[0], a[1],
             a[2], b[0], b[1], b[2], phi, got[0], got[1], got[2]);
    return text;
}

static void check_returns(const double a[3], const double b[3], double phi, const double wanted[3])
{
    double got[3] = {7, 7, 7};
    tl_rotate_toward3(a, b, phi, got);
    for (int i = 0; i < 3; i++) {
        suite_check(isnan(wanted[i]) ? isnan(got[i]) : same_double(got[i], wanted[i]),
                    "%s, wanted %a %a %a", describe(a, b, phi, got), wanted[0], wanted[1],
                    wanted[2]);
    }
}

/* Rule 1, before a = 0 counts. */
static void rotate_gives_nan_if_an_argument_is_not_finite(void)
{
    for (int i = 0; i < 3; i++) {
        double good[3] = {1, 2, 3}, zero[3] = {0, 0, 0};
        for (int component = 0; component < 3; component++) {
            double bad[3] = {1, 0, 0};
            bad[component] = not_finite[i];
            check_returns(good, bad, 0.5, all_nan);
            check_returns(bad, good, 0.5, all_nan);
            check_returns(zero, bad, 0.5, all_nan);
            check_returns(bad, zero, 0.5, all_nan);
            check_returns(bad, bad, 0, all_nan);
        }
        check_returns(good, (double[]){0, 1, 0}, not_finite[i], all_nan);
        check_returns(zero, good, not_finite[i], all_nan);
        check_returns(good, zero, not_finite[i], all_nan);
        check_returns(good, good, not_finite[i], all_nan);
    }
}

static const double angles[] = {0,    1, -1,    0.5,  3.14,         1.5707963267948966, 1e-300,
                                -4,   5, 100.3, -1e5, DBL_TRUE_MIN, 3.9999999999999996, 0x1p40,
                                -1e15};
enum { ANGLES = sizeof angles / sizeof *angles };

/* Rule 2 */
static void rotate_leaves_0_where_it_is(void)
{
    const double zero[3] = {0, -0.0, 0}, positive[3] = {0, 0, 0};
    for (int i = 0; i < ANGLES; i++) {
        check_returns(zero, (double[]){1, 2, 3}, angles[i], positive);
        check_returns(zero, zero, angles[i], positive);
        check_returns(zero, (double[]){0, DBL_MAX, DBL_TRUE_MIN}, angles[i], positive);
    }
}

static void rotate_by_0_gives_a(void)
{
    for (int i = 0; i < DIRECTIONS; i++) {
        for (int j = 0; j < DIRECTIONS; j++) {
            check_returns(directions[i], directions[j], 0.0, directions[i]);
            check_returns(directions[i], directions[j], -0.0, directions[i]);
        }
    }
}

/* w = b |a|^2 - a (a . b), the part of b across a times |a|^2: all terms are exact but the last
 * subtraction. False if it is 0. */
static bool set_across(exact_vector across, const double a[3], const double b[3])
{
    enum { EXACT = 4500 };
    mpfr_t square, dot, a_k, b_k;
    mpfr_inits2(EXACT, square, dot, a_k, b_k, (mpfr_ptr)0);
    exact_dot(square, a, a, 3);
    exact_dot(dot, a, b, 3);
    bool any = false;
    for (int k = 0; k < 3; k++) {
        mpfr_set_d(a_k, a[k], MPFR_RNDN);
        mpfr_set_d(b_k, b[k], MPFR_RNDN);
        mpfr_fmms(across[k], b_k, square, a_k, dot, MPFR_RNDN);
        any = any || !mpfr_zero_p(across[k]);
    }
    mpfr_clears(square, dot, a_k, b_k, (mpfr_ptr)0);
    return any;
}

/* The same for the axis where a is smallest, if b gives no plane. */
static void set_any_across(exact_vector across, const double a[3], const double b[3])
{
    if (!set_across(across, a, b)) {
        int k = 0;
        k = fabs(a[1]) < fabs(a[k]) ? 1 : k;
        k = fabs(a[2]) < fabs(a[k]) ? 2 : k;
        set_across(across, a, (double[]){k == 0, k == 1, k == 2});
    }
}

/* F = cos(phi) a + sin(phi) |a| w / |w| */
static void reference(exact_vector value, const double a[3], const double b[3], double phi)
{
    exact_vector across;
    mpfr_t sine, cosine, length;
    exact_vector_init(across);
    mpfr_inits2(EXACT_VECTOR_PRECISION, sine, cosine, length, (mpfr_ptr)0);
    set_any_across(across, a, b);
    exact_vector_length(length, across, 3);
    mpfr_set_d(cosine, phi, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, cosine, MPFR_RNDN);
    mpfr_div(sine, sine, length, MPFR_RNDN);
    exact_length(length, a, 3);
    mpfr_mul(sine, sine, length, MPFR_RNDN);
    for (int k = 0; k < 3; k++) {
        mpfr_mul(across[k], across[k], sine, MPFR_RNDN);
        mpfr_mul_d(value[k], cosine, a[k], MPFR_RNDN);
        mpfr_add(value[k], value[k], across[k], MPFR_RNDN);
    }
    mpfr_clears(sine, cosine, length, (mpfr_ptr)0);
    exact_vector_clear(across);
}

/* | |got| - |a| | <= 4 u |a| + sqrt(3) 2^-1074, as a bound on one number twice; where a component
 * is infinite, there is no length to speak of. */
static bool keeps_length(const double got[3], const mpfr_t length)
{
    if (isinf(got[0]) || isinf(got[1]) || isinf(got[2])) {
        return true;
    }
    mpfr_t error, tolerance;
    mpfr_inits2(EXACT_VECTOR_PRECISION, error, tolerance, (mpfr_ptr)0);
    exact_length(error, got, 3);
    mpfr_sub(error, error, length, MPFR_RNDN);
    mpfr_set_d(tolerance, DBL_TRUE_MIN, MPFR_RNDN);
    mpfr_sqr(tolerance, tolerance, MPFR_RNDN);
    mpfr_mul_ui(tolerance, tolerance, 3, MPFR_RNDN);
    mpfr_sqrt(tolerance, tolerance, MPFR_RNDN);
    mpfr_t part;
    mpfr_init2(part, EXACT_VECTOR_PRECISION);
    mpfr_mul_d(part, length, K_LENGTH * 0x1p-53, MPFR_RNDN);
    mpfr_add(tolerance, tolerance, part, MPFR_RNDN);
    bool kept = mpfr_cmpabs(error, tolerance) <= 0 && !mpfr_nan_p(error);
    mpfr_clears(error, tolerance, part, (mpfr_ptr)0);
    return kept;
}

static void check_turn(const double a[3], const double b[3], double phi)
{
    exact_vector value;
    mpfr_t length, scale;
    exact_vector_init(value);
    mpfr_inits2(EXACT_VECTOR_PRECISION, length, scale, (mpfr_ptr)0);
    double got[3] = {7, 7, 7};
    tl_rotate_toward3(a, b, phi, got);
    reference(value, a, b, phi);
    exact_length(length, a, 3);
    mpfr_set_d(scale, fabs(phi), MPFR_RNDN);
    mpfr_add_ui(scale, scale, 1, MPFR_RNDN);
    mpfr_mul(scale, scale, length, MPFR_RNDN);
    suite_check(exact_vector_is_within(got, value, 3, K_ROTATE, scale), "%s, nearest is %a %a %a",
                describe(a, b, phi, got), mpfr_get_d(value[0], MPFR_RNDN),
                mpfr_get_d(value[1], MPFR_RNDN), mpfr_get_d(value[2], MPFR_RNDN));
    suite_check(keeps_length(got, length), "%s has another length", describe(a, b, phi, got));
    mpfr_clears(length, scale, (mpfr_ptr)0);
    exact_vector_clear(value);
}

static void check_turns(const double a[3], const double b[3])
{
    for (int i = 0; i < ANGLES; i++) {
        check_turn(a, b, angles[i]);
        if (!is_zero(b)) {
            check_turn(b, a, -angles[i]);
        }
    }
}

/* Towards b, on and beyond it, and away from it. */
static void rotate_turns_towards_b(void)
{
    double got[3];
    tl_rotate_toward3((double[]){2, 0, 0}, (double[]){1, 1, 0}, 1.5707963267948966, got);
    CU_ASSERT(fabs(got[0]) < 1e-15 && got[1] == 2 && got[2] == 0);
    tl_rotate_toward3((double[]){2, 0, 0}, (double[]){1, 1, 0}, -1.5707963267948966, got);
    CU_ASSERT(fabs(got[0]) < 1e-15 && got[1] == -2 && got[2] == 0);
    check_turns((double[]){1, 2, 3}, (double[]){-3, 1, 0.5});
    check_turns((double[]){1, 0, 0}, (double[]){0, 0, -7});
    check_turns((double[]){0.1, 0.7, -0.3}, (double[]){1e5, 1e-5, 3});
    check_turns((double[]){1, 1, 1}, (double[]){1, 1.0000000000000002, 1});
    check_turns((double[]){1, 1, 1}, (double[]){-1, -1.0000000000000002, -1});
}

/* b = 0, and exact multiples of a: through the vector that slerp3 passes through. */
static void rotate_without_a_plane_takes_the_axis_rule(void)
{
    static const double first[][3] = {
        {-1, 0, 0}, {1, -0.0, 0.0},       {0, 2, 0},
        {0, 0, -3}, {-1, 1, 0},           {-1, 1, 1},
        {1, -1, 1}, {3, -6, 9},           {9, 6, -3},
        {5, 1, -1}, {DBL_TRUE_MIN, 0, 0}, {0x1p900, 0x1p-900, -0x1p-900},
        {2, 1, 7}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        double opposite[3], multiple[3], through[3], turned[3];
        set_negative(opposite, first[i]);
        for (int k = 0; k < 3; k++) {
            multiple[k] = 0x1p60 * first[i][k];
        }
        check_turns(first[i], (double[]){0, -0.0, 0});
        check_turns(first[i], first[i]);
        check_turns(first[i], opposite);
        check_turns(first[i], multiple);
        tl_slerp3(first[i], opposite, 0.5, through);
        tl_rotate_toward3(first[i], multiple, 1.5707963267948966, turned);
        double length = hypot(hypot(first[i][0], first[i][1]), first[i][2]);
        for (int k = 0; k < 3; k++) {
            CU_ASSERT(fabs(through[k] - turned[k]) <= 1e-15 * length);
        }
    }
    double got[3];
    tl_rotate_toward3((double[]){-1, 0, 0}, (double[]){1, 0, 0}, 1.5707963267948966, got);
    CU_ASSERT(got[1] == 1);
}

static void rotate_uses_the_range_to_its_ends(void)
{
    check_turns((double[]){1e300, 0, 0}, (double[]){0, 1e300, 1e300});
    check_turns((double[]){1e-300, 0, 0}, (double[]){0, 1e-300, 2e-300});
    check_turns((double[]){DBL_TRUE_MIN, 0, 0}, (double[]){0, DBL_TRUE_MIN, 0});
    check_turns((double[]){7 * DBL_TRUE_MIN, DBL_TRUE_MIN, 0}, (double[]){1, -1e300, 2});
    check_turns((double[]){1e300, 1e-300, 0}, (double[]){1e-300, 1e300, 1});
    check_turns((double[]){1e300, 1e-300, 0}, (double[]){1e300, 2e-300, 0});
    check_turns((double[]){1, 0, 0}, (double[]){-1, 0, -DBL_TRUE_MIN});
    check_turns((double[]){1, 0, 0}, (double[]){DBL_MAX, 1e-300, 0});
    check_turns((double[]){DBL_MAX, DBL_MAX, 0}, (double[]){DBL_MAX, -DBL_MAX, DBL_MAX});
    check_turns((double[]){DBL_MAX, DBL_MAX, DBL_MAX}, (double[]){DBL_TRUE_MIN, 0, 0});
}

/* The bound on the place grows with phi, the one on the length does not. */
static void rotate_keeps_the_length_however_far(void)
{
    struct sample sample = {53};
    size_t compared = 0;
    for (; compared < 2000; compared++) {
        double a[3], b[3];
        draw_pair(&sample, (unsigned)compared % 2, a, b);
        check_turn(a, b, sample_wide(&sample, 0, 1024));
    }
    check_turn((double[]){1, 2, 3}, (double[]){-3, 1, 0.5}, 1e300);
    check_turn((double[]){1, 2, 3}, (double[]){-3, 1, 0.5}, -DBL_MAX);
    check_turn((double[]){1, 2, 3}, (double[]){0, 0, 0}, 0x1p53);
    check_turn((double[]){1, 2, 3}, (double[]){0, 1, 0}, 0x1.fffffffffffffp52);
    check_turn((double[]){1e300, 2, 3}, (double[]){-3, 1, 0.5}, 0x1.921fb54442d18p51);
    CU_ASSERT_EQUAL(compared, 2000);
}

static double draw_phi(struct sample *sample)
{
    switch (sample_below(sample, 4)) {
    case 0:
        return sample_wide(sample, -1074, 10);
    case 1: /* near a quarter turn */
        return (int)(sample_below(sample, 17) - 8) * 1.5707963267948966 *
               (1 + sample_wide(sample, -60, -1));
    case 2:
        return sample_wide(sample, 0, 60);
    default:
        return sample_uniform(sample, -4, 4);
    }
}

static void rotate_is_within_8u_of_its_scale(void)
{
    struct sample sample = {54};
    size_t compared = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++) {
            double a[3], b[3];
            draw_pair(&sample, class, a, b);
            if (!is_zero(a)) {
                check_turn(a, b, draw_phi(&sample));
                compared++;
            }
        }
    }
    CU_ASSERT(compared > (size_t)PAIR_CLASSES * DRAWN - 100);
}

/* angle(rotate_toward3(a, b, angle3(a, b)), b): 8 u (1 + theta) |a| across a turn a vector of
 * length |a| by 8 u (1 + theta) at most and a little more, and the angle itself is off by 2 ulps,
 * which are at most 4 u theta. Subnormal numbers are left out, as they have no such directions. */
static void rotate_by_the_angle_points_at_b(void)
{
    static const unsigned classes[] = {0, 1, 4, 5, 6, 7, 8, 9, 10};
    struct sample sample = {55};
    size_t compared = 0;
    mpfr_t off;
    mpfr_init2(off, EXACT_VECTOR_PRECISION);
    for (int i = 0; i < 2000; i++) {
        double a[3], b[3], got[3];
        draw_pair(&sample, classes[i % 9], a, b);
        for (int k = 0; k < 3; k++) {
            a[k] *= 0.25; /* or the result may overflow */
        }
        double theta = tl_angle3(a, b);
        tl_rotate_toward3(a, b, theta, got);
        if (is_zero(a) || is_zero(b)) {
            continue;
        }
        exact_angle(off, got, b, 3);
        suite_check(mpfr_cmp_d(off, 8 * 0x1p-53 * (1 + theta) * 1.001 + 4 * 0x1p-53 * theta) <= 0 &&
                        !mpfr_nan_p(off),
                    "%s, off b by %g", describe(a, b, theta, got), mpfr_get_d(off, MPFR_RNDN));
        compared++;
    }
    mpfr_clear(off);
    CU_ASSERT(compared > 1900);
}

static void the_result_may_be_an_argument(void)
{
    struct sample sample = {56};
    size_t compared = 0;
    for (int i = 0; i < 600; i++, compared++) {
        double a[3], b[3], apart[3], shared[3];
        draw_pair(&sample, (unsigned)i % PAIR_CLASSES, a, b);
        double phi = i % 3 ? draw_phi(&sample) : 0;
        tl_rotate_toward3(a, b, phi, apart);
        memcpy(shared, a, sizeof shared);
        tl_rotate_toward3(shared, b, phi, shared);
        suite_check(same_vector(shared, apart), "into a: %s", describe(a, b, phi, shared));
        memcpy(shared, b, sizeof shared);
        tl_rotate_toward3(a, shared, phi, shared);
        suite_check(same_vector(shared, apart), "into b: %s", describe(a, b, phi, shared));
    }
    CU_ASSERT_EQUAL(compared, 600);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    static const double pair[][6] = {{1, 2, 3, -1, 5, 2},
                                     {1, 0, 0, -1, 0, 0},
                                     {0, 0, 0, 1, 0, 0},
                                     {1e300, -1e-300, 0, 1e-300, 2, DBL_TRUE_MIN}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
        errno = 12345;
        double got[3];
        tl_rotate_toward3(pair[i], pair[i] + 3, tl_angle3(pair[i], pair[i] + 3), got);
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
        {"angle3 is NaN if a component is not finite", angle3_is_nan_if_a_component_is_not_finite},
        {"angle3 of a zero vector is 0", angle3_of_a_zero_vector_is_0},
        {"angle3 of one direction is 0 and of opposite ones pi",
         angle3_of_one_direction_is_0_and_of_opposite_ones_pi},
        {"known failures of angle3 elsewhere", known_failures_of_angle3_elsewhere},
        {"angle3 of small angles loses nothing", angle3_of_small_angles_loses_nothing},
        {"angle3 keeps components of any size", angle3_keeps_components_of_any_size},
        {"angle3 is within 2 ulps", angle3_is_within_2_ulps},
        {"angle3 is symmetric", angle3_is_symmetric},
        {"rotate gives NaN if an argument is not finite",
         rotate_gives_nan_if_an_argument_is_not_finite},
        {"rotate leaves 0 where it is", rotate_leaves_0_where_it_is},
        {"rotate by 0 gives a", rotate_by_0_gives_a},
        {"rotate turns towards b", rotate_turns_towards_b},
        {"rotate without a plane takes the axis rule", rotate_without_a_plane_takes_the_axis_rule},
        {"rotate uses the range to its ends", rotate_uses_the_range_to_its_ends},
        {"rotate keeps the length however far", rotate_keeps_the_length_however_far},
        {"rotate is within 8 u of its scale", rotate_is_within_8u_of_its_scale},
        {"rotate by the angle points at b", rotate_by_the_angle_points_at_b},
        {"the result may be an argument", the_result_may_be_an_argument},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("direction", tests, sizeof tests / sizeof *tests);
}
