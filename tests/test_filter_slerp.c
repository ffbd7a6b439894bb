/* The first stage's sines, cosines, angles and planes: every stated error against MPFR.
 * Usage: test_filter_slerp [SAMPLES [SEED]] */
#include "contained.h"
#include "enclosure.h"
#include "exact_vector.h"
#include "sample.h"
#include "suite.h"

#include "../oracle/filter_plane.h"
#include "../oracle/filter_turns.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 400 };

static size_t sample_count = 100000; /* of each function */
static uint64_t seed = 41;

static struct sample numbers = {.state = 7};

/* |x - (high + low)| as a part of `error` */
static double part_of(mpfr_srcptr x, struct dd approximation, double error)
{
    mpfr_t rest;
    mpfr_init2(rest, BITS);
    mpfr_sub_d(rest, x, approximation.high, MPFR_RNDN);
    mpfr_sub_d(rest, rest, approximation.low, MPFR_RNDN);
    mpfr_div_d(rest, rest, error, MPFR_RNDN);
    double part = fabs(mpfr_get_d(rest, MPFR_RNDN));
    mpfr_clear(rest);
    return part;
}

static double part(mpfr_srcptr x, struct approximation approximation)
{
    return part_of(x, approximation_center(approximation), approximation.error);
}

static void set_dd(mpfr_ptr x, struct dd value)
{
    mpfr_set_d(x, value.high, MPFR_RNDN);
    mpfr_add_d(x, x, value.low, MPFR_RNDN);
}

/* Constants */

/* Is it the nearest double and the double nearest to the rest? */
static void check_constant(mpfr_srcptr exact, struct dd constant, const char *name, int index)
{
    mpfr_t rest;
    mpfr_init2(rest, BITS);
    mpfr_sub_d(rest, exact, constant.high, MPFR_RNDN);
    suite_check(constant.high == mpfr_get_d(exact, MPFR_RNDN) &&
                    constant.low == mpfr_get_d(rest, MPFR_RNDN),
                "%s %d: %a + %a", name, index, constant.high, constant.low);
    mpfr_clear(rest);
}

static void test_constants(void)
{
    mpfr_t pi, x;
    mpfr_inits2(BITS, pi, x, (mpfr_ptr)NULL);
    mpfr_const_pi(pi, MPFR_RNDN);
    check_constant(pi, FILTER_PI, "pi", 0);
    for (int k = 1; k < FILTER_QUARTER; k++) {
        mpfr_mul_ui(x, pi, (unsigned long)k, MPFR_RNDN);
        mpfr_div_ui(x, x, 2 * FILTER_QUARTER, MPFR_RNDN);
        mpfr_sin(x, x, MPFR_RNDN);
        check_constant(x, filter_sines[k], "sine", k);
    }
    CU_ASSERT(filter_sines[0].high == 0 && filter_sines[0].low == 0);
    CU_ASSERT(filter_sines[FILTER_QUARTER].high == 1 && filter_sines[FILTER_QUARTER].low == 0);
    for (unsigned k = 1; k <= FILTER_SLOPES; k++) {
        mpfr_set_ui(x, k, MPFR_RNDN);
        mpfr_div_ui(x, x, FILTER_SLOPES, MPFR_RNDN);
        mpfr_atan(x, x, MPFR_RNDN);
        check_constant(x, filter_arctangents[k], "arctangent", (int)k);
    }
    CU_ASSERT(filter_arctangents[0].high == 0 && filter_arctangents[0].low == 0);
    const struct dd parts[] = {FILTER_THIRD, FILTER_FIFTH};
    for (unsigned n = 3; n <= 5; n += 2) {
        mpfr_set_ui(x, 1, MPFR_RNDN);
        mpfr_div_ui(x, x, n, MPFR_RNDN);
        check_constant(x, parts[(n - 3) / 2], "1 /", (int)n);
    }
    const struct dd factorials[] = {FILTER_1_3, FILTER_1_4, FILTER_1_5};
    for (unsigned n = 3; n <= 5; n++) {
        mpfr_fac_ui(x, n, MPFR_RNDN);
        mpfr_ui_div(x, 1, x, MPFR_RNDN);
        check_constant(x, factorials[n - 3], "1 / factorial of", (int)n);
    }
    mpfr_div_ui(x, pi, 2 * FILTER_QUARTER, MPFR_RNDN);
    mpfr_sub_d(x, x, FILTER_STEP_HIGH, MPFR_RNDN);
    mpfr_sub_d(x, x, FILTER_STEP_MIDDLE, MPFR_RNDN);
    CU_ASSERT(part_of(x, FILTER_STEP_LOW, 0x1p-181) <= 1);
    CU_ASSERT(ldexp(FILTER_STEP_HIGH, 38) == floor(ldexp(FILTER_STEP_HIGH, 38)));
    CU_ASSERT(ldexp(FILTER_STEP_MIDDLE, 72) == floor(ldexp(FILTER_STEP_MIDDLE, 72)));
    mpfr_mul_2ui(x, pi, 1, MPFR_RNDN);
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    for (int k = 0; k < FILTER_TURN_WORDS; k++) {
        uint64_t word = mpfr_get_ui(x, MPFR_RNDZ);
        suite_check(filter_turn[k] == word, "1 / 2 pi, word %d: %" PRIx64, k, filter_turn[k]);
        mpfr_sub_ui(x, x, word, MPFR_RNDN);
        mpfr_mul_2ui(x, x, 64, MPFR_RNDN);
    }
    mpfr_clears(pi, x, (mpfr_ptr)NULL);
}

/* Sines and cosines */

static struct dd with_low_part(double high)
{
    double low = high * sample_uniform(&numbers, -0x1p-53, 0x1p-53);
    return dd_of_fast_sum(high, low);
}

/* Within 0.00614, the ends more often than evenly. */
static double any_rest(void)
{
    switch (sample_below(&numbers, 3)) {
    case 0:
        return sample_uniform(&numbers, -FILTER_REST_MAX, FILTER_REST_MAX);
    case 1:
        return sample_wide(&numbers, -300, -8);
    default:
        return FILTER_REST_MAX * (1 - sample_uniform(&numbers, 0, 0x1p-6));
    }
}

static void test_rest(void)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    double sine_part = 0, cosine_part = 0;
    for (size_t i = 0; i < sample_count; i++) {
        struct dd rest = with_low_part(any_rest());
        struct dd square = filter_square(rest);
        set_dd(x, rest);
        mpfr_sin(y, x, MPFR_RNDN);
        double sine = part_of(y, filter_sine_of_rest(rest, square),
                              FILTER_SINE_ERROR * fabs(rest.high) + FILTER_UNDERFLOW);
        mpfr_cos(y, x, MPFR_RNDN);
        mpfr_sub_ui(y, y, 1, MPFR_RNDN);
        double cosine = part_of(y, filter_cosine_of_rest_less_1(square), FILTER_COSINE_ERROR);
        if (!(sine <= 1 && cosine <= 1)) {
            suite_check(false, "%a + %a: %g and %g of the errors", rest.high, rest.low, sine,
                        cosine);
        }
        sine_part = fmax(sine_part, sine);
        cosine_part = fmax(cosine_part, cosine);
    }
    suite_check(sine_part > 0.2 && cosine_part > 0.2, "never near the bounds: %g and %g of them",
                sine_part, cosine_part);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static void test_arctangent(void)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    double most = 0;
    for (size_t i = 0; i < sample_count; i++) {
        struct dd slope = with_low_part(any_rest() * (FILTER_SLOPE_MAX / FILTER_REST_MAX));
        set_dd(x, slope);
        mpfr_atan(y, x, MPFR_RNDN);
        double this = part_of(y, filter_arctangent_of_rest(slope),
                              FILTER_ARCTANGENT_ERROR * fabs(slope.high) + FILTER_UNDERFLOW);
        if (!(this <= 1)) {
            suite_check(false, "%a + %a: %g of the error", slope.high, slope.low, this);
        }
        most = fmax(most, this);
    }
    suite_check(most > 0.2, "never near the bound: %g of it", most);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* Anything, near multiples of pi/256 and between them, and small angles. */
static double any_angle(void)
{
    double step = 0x1.921fb54442d18p-7;
    double multiple = (double)sample_below(&numbers, sample_below(&numbers, 2) ? 512 : 330000);
    double sign = sample_below(&numbers, 2) ? 1 : -1;
    switch (sample_below(&numbers, 4)) {
    case 0:
        return sample_uniform(&numbers, -7, 7);
    case 1:
        return sign * (multiple * step + sample_wide(&numbers, -60, -7));
    case 2:
        return sign * fmin((multiple + 0.5) * step * (1 + sample_wide(&numbers, -60, -50)), 4096);
    default:
        return sample_wide(&numbers, -1000, 12);
    }
}

static void test_sine_cosine(void)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    double sine_part = 0, cosine_part = 0;
    for (size_t i = 0; i < sample_count; i++) {
        struct dd angle = with_low_part(any_angle());
        struct approximation sine, cosine;
        if (!filter_sine_cosine(approximation_of(angle, 0), &sine, &cosine)) {
            suite_check(fabs(angle.high) > FILTER_ANGLE_MAX, "%a is not done", angle.high);
            continue;
        }
        set_dd(x, angle);
        mpfr_sin(y, x, MPFR_RNDN);
        double this_sine = part(y, sine);
        mpfr_cos(y, x, MPFR_RNDN);
        double this_cosine = part(y, cosine);
        if (!(this_sine <= 1 && this_cosine <= 1)) {
            suite_check(false, "%a + %a: %g and %g of the errors", angle.high, angle.low, this_sine,
                        this_cosine);
        }
        sine_part = fmax(sine_part, this_sine);
        cosine_part = fmax(cosine_part, this_cosine);
    }
    suite_check(sine_part > 0.1 && cosine_part > 0.1, "never near the bounds: %g and %g of them",
                sine_part, cosine_part);
    struct approximation sine, cosine;
    CU_ASSERT(!filter_sine_cosine(approximation_of_double(0x1.0001p12), &sine, &cosine));
    CU_ASSERT(!filter_sine_cosine(approximation_of_double(NAN), &sine, &cosine));
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* Doubles of many turns, and those nearest to quarter turns */
static double many_turns(void)
{
    double size = sample_below(&numbers, 2)
                      ? fabs(sample_wide(&numbers, 0, 62))
                      : nearbyint(fabs(sample_wide(&numbers, 0, 60))) * 0x1.921fb54442d18p+0;
    return sample_below(&numbers, 2) ? size : -size;
}

static void test_many_turns(void)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    double most = 0;
    for (size_t i = 0; i < sample_count; i++) {
        double angle = many_turns();
        struct approximation sine = {0}, cosine = {0};
        bool done = filter_sine_cosine_of_double(angle, &sine, &cosine);
        mpfr_set_d(x, angle, MPFR_RNDN);
        mpfr_sin(y, x, MPFR_RNDN);
        double this = done ? part(y, sine) : NAN;
        mpfr_cos(y, x, MPFR_RNDN);
        double that = done ? part(y, cosine) : NAN;
        if (!(this <= 1 && that <= 1 && sine.error <= 0x1p-102 && cosine.error <= 0x1p-102)) {
            suite_check(false, "%a: %g of %a and %g of %a", angle, this, sine.error, that,
                        cosine.error);
        }
        most = fmax(most, fmax(this, that));
    }
    suite_check(most > 0.1, "never near the bound: %g of it", most);
    struct approximation sine, cosine;
    CU_ASSERT(filter_sine_cosine_of_double(-0x1p62, &sine, &cosine));
    CU_ASSERT(!filter_sine_cosine_of_double(0x1.1p62, &sine, &cosine));
    CU_ASSERT(!filter_sine_cosine_of_double(INFINITY, &sine, &cosine));
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* An argument's error is passed on. */
static void test_error_is_passed_on(void)
{
    for (int i = 0; i < 1000; i++) {
        struct approximation x = approximation_of_double(sample_uniform(&numbers, -9, 9));
        struct approximation sine, cosine;
        x.error = 0x1p-60;
        bool done = filter_sine_cosine(x, &sine, &cosine);
        CU_ASSERT_FATAL(done);
        CU_ASSERT(sine.error >= x.error && cosine.error >= x.error);
        struct approximation y = approximation_of(with_low_part(sample_wide(&numbers, 0, 9)), 0);
        y.error = 0x1p-80 * fabs(y.high);
        struct approximation quotient = filter_quotient_by(x, y, 1 / y.high);
        double size = fabs(quotient.high), given = x.error / fabs(y.high) + 0x1p-80 * size;
        CU_ASSERT(quotient.error >= given && quotient.error <= given + 0x1p-90 * (1 + size));
    }
}

/* Roots and quotients by them */

/* A sum of squares: of numbers, exactly, or of double-doubles; and its root. */
static struct approximation any_root(size_t count, double *inverse, mpfr_ptr root)
{
    struct dd square[FILTER_MINORS_MAX];
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_set_ui(root, 0, MPFR_RNDN);
    for (size_t k = 0; k < count; k++) {
        double size = k == 0 ? sample_uniform(&numbers, 1, 2) : sample_wide(&numbers, -60, 0);
        struct dd number = count == 6 ? with_low_part(size) : (struct dd){size, 0};
        square[k] = filter_square(number);
        set_dd(x, number);
        mpfr_fma(root, x, x, root, MPFR_RNDN);
    }
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_clear(x);
    return filter_root_of_sum(square, count, count == 6 ? 4 : 0, count == 6 ? 3 : 1, inverse);
}

/* A quotient's own error, as a part of its bound, by the root as it is. */
static double part_of_quotient(struct approximation root, double inverse)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    struct dd number = with_low_part(sample_wide(&numbers, -300, 300));
    set_dd(x, number);
    set_dd(y, approximation_center(root));
    mpfr_div(x, x, y, MPFR_RNDN);
    root.error = 0;
    double this = part(x, filter_quotient_by(approximation_of(number, 0), root, inverse));
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return this;
}

static void test_root(void)
{
    static const size_t counts[] = {3, 4, 6};
    mpfr_t root, x;
    mpfr_inits2(BITS, root, x, (mpfr_ptr)NULL);
    double root_part = 0, inverse_part = 0, quotient_part = 0;
    for (size_t i = 0; i < sample_count; i++) {
        double inverse;
        struct approximation found = any_root(counts[i % 3], &inverse, root);
        double this = part(root, found);
        mpfr_mul_d(x, root, inverse, MPFR_RNDN);
        double that = part_of(x, (struct dd){1, 0}, 2.6 * 0x1p-53);
        double quotient = part_of_quotient(found, inverse);
        if (!(this <= 1 && that <= 1 && quotient <= 1)) {
            suite_check(false, "root %a + %a: %g, %g and %g of the errors", found.high, found.low,
                        this, that, quotient);
        }
        root_part = fmax(root_part, this);
        inverse_part = fmax(inverse_part, that);
        quotient_part = fmax(quotient_part, quotient);
    }
    if (getenv("FILTER_SHARES")) {
        printf("roots %.3f, inverses %.3f, quotients %.3f\n", root_part, inverse_part,
               quotient_part);
    }
    suite_check(root_part > 0.2 && inverse_part > 0.5 && quotient_part > 0.2,
                "never near the bounds: %g, %g and %g of them", root_part, inverse_part,
                quotient_part);
    mpfr_clears(root, x, (mpfr_ptr)NULL);
}

/* Angles */

static void test_angle(void)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    double most = 0;
    for (size_t i = 0; i < sample_count; i++) {
        double direction = sample_below(&numbers, 2) ? sample_uniform(&numbers, 0, 3.1416)
                                                     : fabs(sample_wide(&numbers, -900, 1));
        struct dd down = with_low_part(fabs(sin(direction)));
        struct dd along = with_low_part(sample_below(&numbers, 8) ? cos(direction)
                                                                  : sample_wide(&numbers, -300, 0));
        struct approximation angle;
        struct filter_direction near;
        if (!filter_find_direction(along.high, down.high, &near) ||
            !filter_angle(approximation_of(down, 0), approximation_of(along, 0), &near, &angle)) {
            suite_check(false, "(%a, %a): no angle", along.high, down.high);
            continue;
        }
        set_dd(y, down);
        set_dd(x, along);
        mpfr_atan2(x, y, x, MPFR_RNDN);
        double this = part(x, angle);
        if (!(this <= 1)) {
            suite_check(false, "(%a + %a, %a + %a): %g of the error", along.high, along.low,
                        down.high, down.low, this);
        }
        suite_check(angle.error <= 0x1p-99 * angle.high, "%a: error %a", angle.high, angle.error);
        most = fmax(most, this);
    }
    suite_check(most > 0.1, "never near the bound: %g of it", most);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* Angles of very many turns */

/* The size of a x b, each minor rounded once; 0 where they span no plane. */
static void set_across(mpfr_ptr across, const double *a, const double *b, size_t dimensions)
{
    mpfr_t minor, x[4];
    mpfr_init2(minor, mpfr_get_prec(across));
    for (size_t k = 0; k < 4; k++) {
        mpfr_init2(x[k], DBL_MANT_DIG);
    }
    mpfr_set_ui(across, 0, MPFR_RNDN);
    for (size_t i = 0; i < dimensions; i++) {
        for (size_t j = i + 1; j < dimensions; j++) {
            const double factor[4] = {a[i], b[j], a[j], b[i]};
            for (size_t k = 0; k < 4; k++) {
                mpfr_set_d(x[k], factor[k], MPFR_RNDN);
            }
            mpfr_fmms(minor, x[0], x[1], x[2], x[3], MPFR_RNDN);
            mpfr_fma(across, minor, minor, across, MPFR_RNDN);
        }
    }
    mpfr_sqrt(across, across, MPFR_RNDN);
    for (size_t k = 0; k < 4; k++) {
        mpfr_clear(x[k]);
    }
    mpfr_clear(minor);
}

/* At theta's precision */
static void set_theta(mpfr_ptr theta, const double *a, const double *b, size_t dimensions)
{
    mpfr_t dot;
    mpfr_init2(dot, mpfr_get_prec(theta));
    exact_dot(dot, a, b, (int)dimensions);
    set_across(theta, a, b, dimensions);
    mpfr_atan2(theta, theta, dot, MPFR_RNDN);
    mpfr_clear(dot);
}

/* Of all sizes, or nearly the same, the opposite or at a right angle. */
static void any_vectors(double *a, double *b, size_t dimensions)
{
    double both[2 * FILTER_DIMENSIONS_MAX];
    sample_numbers(&numbers, sample_below(&numbers, SAMPLE_CLASSES), both,
                   2 * (unsigned)dimensions);
    memcpy(a, both, dimensions * sizeof *a);
    memcpy(b, both + dimensions, dimensions * sizeof *b);
    unsigned kind = sample_below(&numbers, 5);
    double factor = kind == 0 ? 1 : -1;
    for (size_t k = 0; k < dimensions && kind < 3; k++) {
        a[k] = sample_uniform(&numbers, -2, 2);
        b[k] = kind < 2 ? factor * a[k] * (1 + sample_wide(&numbers, -60, -1)) : 0;
    }
    if (kind == 2) {
        b[0] = -a[1];
        b[1] = a[0];
        b[2] = sample_below(&numbers, 2) ? 0 : sample_wide(&numbers, -200, 0);
    }
}

/* So many turns that the bits wanted just fill words, or just do not. */
static double fills_words(double theta)
{
    enum { BITS_BEHIND_POINT = 128, WORD = 64 };
    int words = 2 + (int)sample_below(&numbers, 16), over = (int)sample_below(&numbers, 3) - 1;
    int exponent = words * WORD + over - BITS_BEHIND_POINT - 1 - ilogb(theta);
    const double mantissas[] = {1, nextafter(2, 1), sample_uniform(&numbers, 1, 2)};
    return ldexp(mantissas[sample_below(&numbers, 3)], exponent);
}

/* Of any size, near whole and half turns, and where the first stage begins to ask. */
static double any_factor(double theta)
{
    double sign = sample_below(&numbers, 2) ? 1 : -1;
    double near = 1 + sample_uniform(&numbers, -0x1p-50, 0x1p-50);
    switch (sample_below(&numbers, 6)) {
    case 0:
        return sign * fills_words(theta);
    case 1: /* halves of turns */
        return sign * rint(fabs(sample_wide(&numbers, 0, 52))) * 0x1.921fb54442d18p+1 / theta;
    case 2:
        return sign * 0x1p12 / theta * near;
    case 3:
        return sign * DBL_MAX *
               (sample_below(&numbers, 2) ? 1 : fabs(sample_wide(&numbers, -9, 0)));
    case 4:
        return sample_wide(&numbers, -60, 20);
    default:
        return sample_wide(&numbers, 0, 1023);
    }
}

/* How far a guess is off: as the first stage's is, or about as far as it may be. */
static double any_doubt(double theta)
{
    double sign = sample_below(&numbers, 2) ? 1 : -1;
    switch (sample_below(&numbers, 6)) {
    case 0:
        return sign * 0x1p-60 * (1 + sample_wide(&numbers, -30, -1));
    case 1:
        return sample_wide(&numbers, -110, -50);
    case 2: /* the opposite direction, whose tangent is the same, and a whole turn */
        return (theta > 1.5 ? -0x1.921fb54442d18p+1 : 0x1.921fb54442d18p+1) *
               (1 + sample_below(&numbers, 2));
    default:
        return theta * sample_wide(&numbers, -110, -97);
    }
}

/* What t theta less whole turns is off by, as a part of the stated error */
static double part_of_turned(mpfr_srcptr theta, double t, struct approximation angle)
{
    mpfr_t rest, turn, count;
    mpfr_inits2(mpfr_get_prec(theta), rest, turn, count, (mpfr_ptr)NULL);
    mpfr_mul_d(rest, theta, t, MPFR_RNDN);
    mpfr_const_pi(turn, MPFR_RNDN);
    mpfr_mul_2ui(turn, turn, 1, MPFR_RNDN);
    mpfr_sub_d(rest, rest, angle.high, MPFR_RNDN);
    mpfr_sub_d(rest, rest, angle.low, MPFR_RNDN);
    mpfr_div(count, rest, turn, MPFR_RNDN);
    mpfr_rint(count, count, MPFR_RNDN);
    mpfr_fms(rest, count, turn, rest, MPFR_RNDN);
    mpfr_div_d(rest, rest, angle.error, MPFR_RNDN);
    double part = fabs(mpfr_get_d(rest, MPFR_RNDN));
    mpfr_clears(rest, turn, count, (mpfr_ptr)NULL);
    return part;
}

struct turned_test {
    double a[FILTER_DIMENSIONS_MAX], b[FILTER_DIMENSIONS_MAX];
    size_t dimensions;
    double t, doubt;
    struct approximation guess;
    size_t known, refused;
    double most;
};

/* Of a guess that is off by clearly less than 2^-60 the angle is known, and beyond it is not; of
 * one that is as near as the first stage's it is known as well as a double-double can say. */
static void check_turned(struct turned_test *test, mpfr_ptr theta)
{
    struct approximation angle = {NAN, NAN, NAN};
    bool known =
        filter_turned_angle(test->a, test->b, test->dimensions, test->t, test->guess, &angle);
    double doubt = fabs(test->doubt);
    bool well = doubt <= 0x1p-96 * mpfr_get_d(theta, MPFR_RNDN);
    if (doubt < 0x1p-60 * (1 - 0x1p-40) || doubt > 0x1p-60 * (1 + 0x1p-40)) {
        suite_check(known == (doubt < 0x1p-60), "t %a, a guess off by %a is%s taken", test->t,
                    doubt, known ? "" : " not");
    }
    test->refused += !known;
    if (!known) {
        return;
    }
    test->known++;
    mpfr_exp_t turns = mpfr_get_exp(theta) + ilogb(test->t) + 1;
    if (turns > 0) {
        mpfr_set_prec(theta, BITS + turns);
        set_theta(theta, test->a, test->b, test->dimensions);
    }
    double this = part_of_turned(theta, test->t, angle);
    if (!(this <= 1) || !(fabs(angle.high) <= 3.1416 && (!well || angle.error <= 0x1p-105))) {
        suite_check(false, "(%a, %a, %a) (%a, %a, %a), t %a, guess %a: %a, %g of %a", test->a[0],
                    test->a[1], test->a[2], test->b[0], test->b[1], test->b[2], test->t,
                    test->guess.high, angle.high, this, angle.error);
    }
    test->most = fmax(test->most, this);
}

/* Of far fewer samples, since each takes MPFR's arctangent of up to 2,000 bits. */
static void test_turned_angle(void)
{
    enum { OF_SAMPLES = 5 };
    static struct turned_test test;
    test = (struct turned_test){.dimensions = 3};
    mpfr_t theta, guess;
    mpfr_init2(guess, BITS);
    mpfr_init2(theta, BITS);
    for (size_t i = 0; i < sample_count / OF_SAMPLES; i++) {
        test.dimensions = 3 + sample_below(&numbers, 2);
        any_vectors(test.a, test.b, test.dimensions);
        mpfr_set_prec(theta, BITS);
        set_across(theta, test.a, test.b, test.dimensions);
        if (mpfr_zero_p(theta)) {
            continue;
        }
        set_theta(theta, test.a, test.b, test.dimensions);
        double near = mpfr_get_d(theta, MPFR_RNDN);
        test.t = any_factor(near);
        test.doubt = any_doubt(near);
        mpfr_set_d(guess, test.doubt, MPFR_RNDN);
        if (fabs(test.doubt) > 1) { /* pi or 2 pi */
            mpfr_const_pi(guess, MPFR_RNDN);
            mpfr_mul_si(guess, guess, (long)rint(test.doubt / 3), MPFR_RNDN);
        }
        mpfr_add(guess, theta, guess, MPFR_RNDN);
        test.guess.high = mpfr_get_d(guess, MPFR_RNDN);
        mpfr_sub_d(guess, guess, test.guess.high, MPFR_RNDN);
        test.guess.low = mpfr_get_d(guess, MPFR_RNDN);
        if (fabs(near) >= 0x1p-900 && fabs(test.guess.high) >= 0x1p-960 && isfinite(test.t) &&
            test.t != 0) {
            check_turned(&test, theta);
        }
    }
    printf("%zu known, %zu refused, at most %.6f of the stated error\n", test.known, test.refused,
           test.most);
    suite_check(test.known > sample_count / OF_SAMPLES / 3 && test.refused > 0,
                "%zu known and %zu refused", test.known, test.refused);
    suite_check(test.most > 0.75, "never near the bound: %g of it", test.most);
    mpfr_clears(theta, guess, (mpfr_ptr)NULL);
}

/* Functions */

static void check_function(const char *name, double least_share)
{
    const struct function *function = catalog_find(name);
    CU_ASSERT_FATAL(function && function->estimate);
    struct containment found = contained_in_domains(function, seed, sample_count);
    suite_check((double)found.estimates >= least_share * (double)found.samples,
                "%s: %zu of %zu estimated", name, found.estimates, found.samples);
    suite_check(found.value > 0.02, "%s: never near the bound: %g of it", name, found.value);
    if (getenv("FILTER_SHARES")) {
        printf("%s: %zu of %zu, %.3f %.3f %.3f\n", name, found.estimates, found.samples,
               found.value, found.scale, found.magnitude);
    }
}

static void test_slerp3(void)
{
    check_function("slerp3", 0.4);
}

static void test_slerp3_unclamped(void)
{
    check_function("slerp3_unclamped", 0.4);
}

/* |b| - |a| is 0, which has no exponent, and t large: L is |a|, however small that is. */
static void test_equal_lengths(void)
{
    const struct function *function = catalog_find("slerp3_unclamped");
    CU_ASSERT_FATAL(function != NULL);
    static const int exponents[] = {-1000, -600, -500, 0, 500, 501, 1000};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        double size = ldexp(1, exponents[i]);
        double in[] = {3 * size, -size, 2 * size, size, 2 * size, -3 * size, 0x1.5p20};
        struct values inputs = {.number = in};
        struct containment found = {0};
        contained_at(function, &inputs, &found);
        suite_check(found.estimates == 1, "equal lengths of exponent %d are not estimated",
                    exponents[i]);
    }
}

static void test_slerp4(void)
{
    check_function("slerp4", 0.4);
}

/* The double nearest to what, times `factor`, takes a . b away. */
static double taking_away(const double *a, const double *b, int count, double factor)
{
    mpfr_t x;
    mpfr_init2(x, BITS);
    exact_dot(x, a, b, count);
    mpfr_div_d(x, x, -factor, MPFR_RNDN);
    double nearest = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return nearest;
}

static void swap(double *x, size_t i, size_t j)
{
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

/* The third pair of components takes the first two's products away, and the fourth what is left:
 * the rest is about 2^-106 of them, where a sum in double-double may have either sign; or more, in
 * every other pair. */
static void draw_right_angle(double *p, double *q)
{
    for (size_t k = 0; k < 3; k++) {
        p[k] = sample_wide(&numbers, 0, 1);
        q[k] = sample_wide(&numbers, 0, 1);
    }
    p[3] = sample_wide(&numbers, -30, 1);
    q[2] = taking_away(p, q, 2, p[2]);
    q[3] = taking_away(p, q, 3, p[3]);
    if (sample_below(&numbers, 2)) {
        q[3] *= 1 + sample_wide(&numbers, -53, -30);
    }
    for (size_t k = 4; k > 1; k--) {
        size_t other = sample_below(&numbers, (unsigned)k);
        swap(p, k - 1, other);
        swap(q, k - 1, other);
    }
}

/* Which of q and -q the estimate has gone towards: near its end F is, but for less than a right
 * angle, in that direction. */
static int side_of_estimate(const struct estimate *estimate, const double *q)
{
    double along = 0;
    for (size_t k = 0; k < 4; k++) {
        along += estimate->value[k].high * q[k];
    }
    return (along > 0) - (along < 0);
}

/* Beside p . q = 0 an estimate goes to the right side, or there is none: the sum in double-double,
 * whose sign decides, is wrong several times in a thousand. */
static void test_sign_of_dot(void)
{
    enum { OF_SAMPLES = 5 };
    const struct function *function = catalog_find("slerp4");
    CU_ASSERT_FATAL(function != NULL);
    mpfr_t dot;
    mpfr_init2(dot, BITS);
    size_t misleading = 0, estimates = 0, count = sample_count / OF_SAMPLES;
    for (size_t i = 0; i < count; i++) {
        double in[9];
        draw_right_angle(in, in + 4);
        in[8] = 0.75;
        exact_dot(dot, in, in + 4, 4);
        int sign = mpfr_sgn(dot);
        struct approximation about = filter_dot(in, in + 4, 4);
        misleading += about.high * sign < 0 || (about.high != 0 && sign == 0);
        struct values inputs = {.number = in};
        struct estimate estimate = {.exponent = 0};
        bool right = part(dot, about) <= 1;
        if (function->estimate(&inputs, &estimate)) {
            estimates++;
            right = right && side_of_estimate(&estimate, in + 4) == (sign < 0 ? -1 : 1);
        }
        if (!right) {
            suite_check(false, "%s: dot %g, about %g, within %g", describe_case(function, &inputs),
                        mpfr_get_d(dot, MPFR_RNDN), about.high, about.error);
        }
    }
    if (getenv("FILTER_SHARES")) {
        printf("%zu of %zu estimated, %zu with a misleading sum\n", estimates, count, misleading);
    }
    suite_check(misleading >= count / 500 && estimates > 0 && estimates < count,
                "%zu of %zu with a misleading sum, %zu estimated", misleading, count, estimates);
    mpfr_clear(dot);
}

static void test_angle3(void)
{
    check_function("angle3", 0.4);
}

static void test_rotate_toward3(void)
{
    check_function("rotate_toward3", 0.4);
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"constants are those of MPFR", test_constants},
        {"sine and cosine within pi/512", test_rest},
        {"arctangent within 0.00197", test_arctangent},
        {"sine and cosine of any angle", test_sine_cosine},
        {"sine and cosine of many turns", test_many_turns},
        {"an argument's error is passed on", test_error_is_passed_on},
        {"the root of a sum of squares and quotients by it", test_root},
        {"the angle of a point", test_angle},
        {"an angle times a large number, less whole turns", test_turned_angle},
        {"slerp3 is where the estimate says", test_slerp3},
        {"slerp3_unclamped is where the estimate says", test_slerp3_unclamped},
        {"slerp3_unclamped of equal lengths", test_equal_lengths},
        {"slerp4 is where the estimate says", test_slerp4},
        {"slerp4's flip beside a dot product of 0", test_sign_of_dot},
        {"angle3 is where the estimate says", test_angle3},
        {"rotate_toward3 is where the estimate says", test_rotate_toward3},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    return suite_run("filter_slerp", tests, sizeof tests / sizeof *tests);
}
