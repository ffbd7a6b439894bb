/* The first stage's sines, cosines, angles and planes: every stated error against MPFR.
 * Usage: test_filter_slerp [SAMPLES [SEED]] */
#include "contained.h"
#include "sample.h"
#include "suite.h"

#include "../oracle/filter_plane.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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
    }
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

static void test_slerp4(void)
{
    check_function("slerp4", 0.4);
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
        {"the angle of a point", test_angle},
        {"slerp3 is where the estimate says", test_slerp3},
        {"slerp3_unclamped is where the estimate says", test_slerp3_unclamped},
        {"slerp4 is where the estimate says", test_slerp4},
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
