/* tl_bezier and tl_bezier_parameter against their contract, rule by rule. Exact values come from
 * GMP, not from the oracle. */
#include "sample.h"
#include "suite.h"
#include "weighted.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* test_header.c holds the header to the catalogue. BITS is what the exact parameter is found to:
 * what that leaves open of F is less than 2^-60 of what is compared. */
enum { K = 64, BITS = 120 };

/* What a value returned bit for bit may be. */
static const double special[] = {0.0, -0.0, -1.5, DBL_TRUE_MIN, -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};

/* Two keys with this segment between them and NaN wherever nothing may look, the weights of sides
 * that are not weighted included; the outer sides say that they are weighted. */
static void set_keys(tl_key key[2], const struct weighted *curve)
{
    const struct segment *s = &curve->keys;
    key[0] = (tl_key){.time = s->t0,
                      .value = s->v0,
                      .in_tangent = NAN,
                      .out_tangent = s->m0,
                      .in_weight = NAN,
                      .out_weight = curve->has_w0 ? curve->w0 : (double)NAN,
                      .weighted_mode = curve->has_w0 ? TL_WEIGHTED_BOTH : TL_WEIGHTED_IN};
    key[1] = (tl_key){.time = s->t1,
                      .value = s->v1,
                      .in_tangent = s->m1,
                      .out_tangent = NAN,
                      .in_weight = curve->has_w1 ? curve->w1 : (double)NAN,
                      .out_weight = NAN,
                      .weighted_mode = curve->has_w1 ? TL_WEIGHTED_BOTH : TL_WEIGHTED_OUT};
}

static double bezier(const struct weighted *curve)
{
    tl_key key[2];
    set_keys(key, curve);
    return tl_bezier(&key[0], &key[1], curve->t);
}

/* Values and slopes are not read. */
static double parameter(const struct weighted *curve)
{
    tl_key key[2];
    set_keys(key, curve);
    key[0].value = key[0].out_tangent = key[1].value = key[1].in_tangent = NAN;
    return tl_bezier_parameter(&key[0], &key[1], curve->t);
}

static struct weighted both(struct segment keys, double w0, double w1, double t)
{
    return (struct weighted){keys, true, true, w0, w1, t};
}

static const char *describe(const struct weighted *curve)
{
    static char text[300];
    const struct segment *s = &curve->keys;
    snprintf(text, sizeof text, "{%a, %a, %a, %a; %a, %a, %a, %a}, %a", s->t0, s->v0, s->m0,
             curve->has_w0 ? curve->w0 : (double)NAN, s->t1, s->v1, s->m1,
             curve->has_w1 ? curve->w1 : (double)NAN, curve->t);
    return text;
}

static bool check_returns(const struct weighted *curve, double wanted)
{
    double got = bezier(curve);
    return suite_check(same_double(got, wanted), "bezier(%s): got %a, wanted %a", describe(curve),
                       got, wanted);
}

static bool check_parameter_returns(const struct weighted *curve, double wanted)
{
    double got = parameter(curve);
    return suite_check(same_double(got, wanted), "bezier_parameter(%s): got %a, wanted %a",
                       describe(curve), got, wanted);
}

/* Both functions, or one of them, within `most` u S. */
static bool check_within(const struct weighted *curve, double most_value, double most_parameter)
{
    mpq_t low, high, value, scale;
    mpq_inits(low, high, value, scale, NULL);
    weighted_parameter(low, high, curve, BITS);
    double got = parameter(curve);
    bool good = suite_check(rational_within(got, low, low, most_parameter),
                            "bezier_parameter(%s): got %a, nearest is %a", describe(curve), got,
                            rational_round(low));
    weighted_value(value, scale, curve, low);
    got = bezier(curve);
    good = suite_check(rational_within(got, value, scale, most_value),
                       "bezier(%s): got %a, nearest is %a", describe(curve), got,
                       rational_round(value)) &&
           good;
    mpq_clears(low, high, value, scale, NULL);
    return good;
}

static bool check_answer(const struct weighted *curve)
{
    return check_within(curve, K, K);
}

/* Near to a number that others published with so many digits. */
static void check_published(const struct weighted *curve, double wanted, double within)
{
    double got = bezier(curve);
    suite_check(fabs(got - wanted) <= within, "bezier(%s): got %.17g, published %.17g",
                describe(curve), got, wanted);
    check_answer(curve);
}

static void check_published_parameter(const struct weighted *curve, double wanted, double within)
{
    double got = parameter(curve);
    suite_check(fabs(got - wanted) <= within, "bezier_parameter(%s): got %.17g, published %.17g",
                describe(curve), got, wanted);
}

/* Rule 1, before all others. */
static void nan_times_and_falling_times_give_nan(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        double x = special[i];
        const struct {
            double t0, t1, t;
        } times[] = {
            {0, 4, NAN},           {NAN, 4, 5},        {NAN, 4, HUGE_VAL},
            {NAN, NAN, 2},         {0, NAN, -1},       {0, NAN, -HUGE_VAL},
            {0, -DBL_TRUE_MIN, 5}, {4, 0, -5},         {HUGE_VAL, 4, HUGE_VAL},
            {0, -HUGE_VAL, 0},     {HUGE_VAL, 0, NAN},
        };
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            struct segment keys = {times[k].t0, x, x, times[k].t1, x, x};
            struct weighted curve = both(keys, x, x, times[k].t);
            check_returns(&curve, NAN);
            check_parameter_returns(&curve, NAN);
            curve.has_w0 = false;
            check_returns(&curve, NAN);
            check_parameter_returns(&curve, NAN);
        }
    }
}

/* Rule 2: outside, and at the keys, the key's value as it is, whatever all other data are. */
static void at_and_beyond_the_keys_it_returns_their_values(void)
{
    static const double late[] = {2, 2.0000000000000004, DBL_MAX, HUGE_VAL};
    static const double early[] = {1, 0.9999999999999999, -DBL_MAX, -HUGE_VAL};
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            struct segment keys = {1, special[i], special[j], 2, special[j], special[i]};
            struct weighted curve = both(keys, special[i], special[j], 0);
            curve.has_w1 = i % 2;
            for (int k = 0; k < 4; k++) {
                curve.t = late[k];
                check_returns(&curve, keys.v1);
                check_parameter_returns(&curve, 1);
                curve.t = early[k];
                check_returns(&curve, keys.v0);
                check_parameter_returns(&curve, 0);
            }
        }
    }
}

static void infinite_key_times_clamp_too(void)
{
    struct segment keys = {-HUGE_VAL, 5, 0, HUGE_VAL, 6, 0};
    struct weighted curve = both(keys, 0.5, 0.5, HUGE_VAL);
    check_returns(&curve, 6);
    check_parameter_returns(&curve, 1);
    curve.t = -HUGE_VAL;
    check_returns(&curve, 5);
    check_parameter_returns(&curve, 0);
    curve.keys.t0 = HUGE_VAL; /* a jump at the end of time */
    check_returns(&curve, 5);
    curve.t = HUGE_VAL;
    check_returns(&curve, 6);
}

/* Two keys at one time: the first one's value before, the second one's from there on. */
static void a_segment_without_length_is_a_jump(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        struct segment keys = {1, special[i], special[i], 1, -7, HUGE_VAL};
        static const double times[] = {0.9999999999999999, 1, 1.0000000000000002};
        for (int k = 0; k < 3; k++) {
            struct weighted curve = both(keys, NAN, 1, times[k]);
            check_returns(&curve, k == 0 ? special[i] : -7);
            check_parameter_returns(&curve, k != 0);
        }
    }
    struct weighted at_zero = both((struct segment){0.0, 3, NAN, -0.0, 4, NAN}, 1, 1, 0.0);
    check_returns(&at_zero, 4);
    at_zero.t = -0.0;
    check_returns(&at_zero, 4);
    at_zero.t = -DBL_TRUE_MIN;
    check_returns(&at_zero, 3);

    struct weighted touching = both((struct segment){1, 2, 0, 1, 2, 0}, 0.5, 0.5, 1);
    feclearexcept(FE_ALL_EXCEPT);
    double got = bezier(&touching), share = parameter(&touching);
    CU_ASSERT_FALSE(fetestexcept(FE_INVALID | FE_DIVBYZERO)); /* no 0/0 on the way to them */
    CU_ASSERT(got == 2 && share == 1);
}

/* Rule 3: before anything else that is not finite, and for the two tangents that are read only. */
static void an_infinite_tangent_steps(void)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            for (int k = 0; k < SPECIALS; k++) {
                struct segment keys = {0, special[j], not_finite[i], 1, special[k], special[k]};
                struct weighted curve = both(keys, special[k], special[j], 0.5);
                check_returns(&curve, special[j]);
                curve.keys.m0 = special[k];
                curve.keys.m1 = not_finite[i];
                check_returns(&curve, special[j]);
                curve.has_w0 = false;
                check_returns(&curve, special[j]);
            }
        }
        struct segment timeless = {-HUGE_VAL, 9, not_finite[i], 1, 10, 0};
        struct weighted curve = both(timeless, 0.5, 0.5, 0.5);
        check_returns(&curve, 9);
        curve.keys = (struct segment){0, 9, 0, HUGE_VAL, 10, not_finite[i]};
        check_returns(&curve, 9);
    }
}

/* Rule 4. A slope is read even where its weight is 0; infinite ones are rule 3's. */
static void other_data_that_are_not_finite_give_nan(void)
{
    static const double weights[] = {0, 0.5, 1};
    for (int w = 0; w < 9; w++) {
        const struct weighted good =
            both((struct segment){0, 1, 2, 4, 3, -1}, weights[w % 3], weights[w / 3], 2);
        for (int i = 0; i < 3; i++) {
            for (int which = 0; which < 6; which++) {
                struct weighted curve = good;
                double *const datum[6] = {&curve.keys.v0, &curve.keys.v1, &curve.w0,
                                          &curve.w1,      &curve.keys.m0, &curve.keys.m1};
                bool slope = which >= 4, weight = which == 2 || which == 3;
                *datum[which] = not_finite[i];
                check_returns(&curve, slope && isinf(not_finite[i]) ? curve.keys.v0 : (double)NAN);
                if (weight) {
                    check_parameter_returns(&curve, NAN);
                }
                /* a side that is not weighted is not read, its slope is */
                *(which == 2 || which == 4 ? &curve.has_w0 : &curve.has_w1) = false;
                check_returns(&curve, slope && isinf(not_finite[i]) ? curve.keys.v0
                                      : weight                      ? bezier(&curve)
                                                                    : (double)NAN);
                suite_check(!weight || isfinite(bezier(&curve)), "%s", describe(&curve));
            }
        }
        struct weighted curve = good;
        curve.keys.t0 = -HUGE_VAL;
        check_returns(&curve, NAN);
        check_parameter_returns(&curve, NAN);
        curve.keys = good.keys;
        curve.keys.t1 = HUGE_VAL;
        check_returns(&curve, NAN);
        check_parameter_returns(&curve, NAN);
    }
}

/* set_keys puts NaN there for every other test; here other numbers change nothing. */
static void what_must_not_be_read_is_not(void)
{
    struct sample sample = {61};
    size_t compared = 0;
    for (int i = 0; i < 2000; i++, compared++) {
        struct segment keys = {0, sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9),
                               1, sample_uniform(&sample, -1, 1), sample_uniform(&sample, -9, 9)};
        struct weighted curve = {keys,
                                 i & 1,
                                 i & 2,
                                 sample_uniform(&sample, 0, 1),
                                 sample_uniform(&sample, 0, 1),
                                 sample_uniform(&sample, 0, 1)};
        double wanted = bezier(&curve), wanted_parameter = parameter(&curve);
        tl_key key[2];
        set_keys(key, &curve);
        key[0].in_tangent = sample_finite(&sample);
        key[1].out_tangent = i % 4 ? HUGE_VAL : sample_finite(&sample);
        key[0].in_weight = sample_finite(&sample);
        key[1].out_weight = sample_finite(&sample);
        if (!curve.has_w0) {
            key[0].out_weight = i % 3 ? sample_uniform(&sample, 0, 1) : HUGE_VAL;
            key[0].weighted_mode = i & 4 ? TL_WEIGHTED_NONE : TL_WEIGHTED_IN;
        } else {
            key[0].weighted_mode = i & 4 ? TL_WEIGHTED_OUT : TL_WEIGHTED_BOTH;
        }
        if (!curve.has_w1) {
            key[1].in_weight = i % 3 ? sample_uniform(&sample, 0, 1) : HUGE_VAL;
            key[1].weighted_mode = i & 8 ? TL_WEIGHTED_NONE : TL_WEIGHTED_OUT;
        } else {
            key[1].weighted_mode = i & 8 ? TL_WEIGHTED_IN : TL_WEIGHTED_BOTH;
        }
        double got = tl_bezier(&key[0], &key[1], curve.t);
        suite_check(same_double(got, wanted), "%s: got %a, wanted %a", describe(&curve), got,
                    wanted);
        got = tl_bezier_parameter(&key[0], &key[1], curve.t);
        suite_check(same_double(got, wanted_parameter), "%s: got %a, wanted %a", describe(&curve),
                    got, wanted_parameter);
    }
    CU_ASSERT_EQUAL(compared, 2000);
}

/* The article's second example. It prints its tuple with -0.5 and 0.5 in the second key's out
 * slots; its numbers are those of the in slots. */
static void the_articles_numbers(void)
{
    struct weighted curve = both((struct segment){0, 0, -1, 1, 1, -0.5}, 1, 0.5, 1.0 / 3);
    check_published(&curve, -0.2429122496, 1e-10);
    check_published_parameter(&curve, 0.1371916262, 1e-10);
    curve.t = 2.0 / 3;
    check_published(&curve, 0.1009137022, 1e-10);
    check_published_parameter(&curve, 0.4502223408, 1e-10);

    const tl_key first = {0, 0, 0, -1, 0, 1, TL_WEIGHTED_BOTH};
    const tl_key in_slots = {1, 1, -0.5, 0, 0.5, 0, TL_WEIGHTED_BOTH};
    const tl_key out_slots = {1, 1, 0, -0.5, 0, 0.5, TL_WEIGHTED_BOTH};
    CU_ASSERT_EQUAL(tl_bezier(&first, &in_slots, curve.t), bezier(&curve));
    curve.keys.m1 = curve.w1 = 0;
    CU_ASSERT_EQUAL(tl_bezier(&first, &out_slots, curve.t), bezier(&curve));
    CU_ASSERT(fabs(bezier(&curve) - 0.1009137022) > 0.01);

    /* and the first: flat from 0 to 1 without weights */
    struct weighted flat = {.keys = {0, 0, 0, 1, 1, 0}, .t = 1.0 / 3};
    check_published(&flat, 7.0 / 27, 1e-15);
    flat.t = 2.0 / 3;
    check_published(&flat, 20.0 / 27, 1e-15);
}

static void known_failures_of_other_libraries(void)
{
    const struct segment flat = {0, 0, 0, 1, 1, 0};
    struct weighted curve = both(flat, 0, 0.42, 0.8963999999999942);
    curve.w1 = 1 - 0.58;
    check_published(&curve, 0.98178829806064119, 1e-15); /* Newton's method left [0, 1] */
    curve = both(flat, 1, 1, 0.667);
    check_published(&curve, 0.93686740553618516, 1e-15); /* it ended at s = 438 */
    check_published_parameter(&curve, 0.84691160369079, 1e-14);
    curve.t = 0.499999;
    check_published(&curve, 0.49055109212578845, 1e-12);
    curve.t = 0.5000001;
    check_published(&curve, 0.5043859766073193, 1e-9);
    curve.t = 0.5 - 1e-9; /* .5, .49999996, .4999999985, .49961 were returned */
    check_published(&curve, 0.499055059704, 1e-12);
    for (int k = 1; k <= 8; k++) { /* the other key's value was returned */
        curve.t = 1 - k * 0x1p-53;
        check_answer(&curve);
        CU_ASSERT(bezier(&curve) > 0.9999999999);
        curve.t = k * DBL_TRUE_MIN;
        check_answer(&curve);
        CU_ASSERT(bezier(&curve) < 1e-300);
    }
    curve = both((struct segment){0, 0, 2.61756432200488, 1, 1, 0}, 1, 1 - 0.76461011577208, 0.9);
    check_published(&curve, 1.1531103513917426, 1e-15); /* overshoot is right */
    curve = both((struct segment){0, 0, 0.4, 1, 1, 0}, 0.25, 0.75, 0.5);
    check_published(&curve, 0.80240338758485700, 1e-15); /* s = x was taken */
    curve = both(flat, 0.5, 1.0 / 6 + 1e-12, 0.7);
    check_published(&curve, 0.616117563522261, 1e-14); /* 0, 0 and -9e33 were returned */
    curve = both(flat, 0, 1, 1e-9);
    check_published(&curve, 2.998e-6, 1e-15); /* 0, 3e-14 and 3e-18 were returned */
    curve = both((struct segment){0, 0, 0, 1e-11, 1, 0}, 0.25, 0.25, 3e-12);
    check_answer(&curve); /* absolute thresholds in units of time */
    curve = both((struct segment){0, 0, 0, DBL_MAX, 1, 0}, 0.42, 0, 1e308);
    check_answer(&curve); /* a tolerance of 1 / duration never ended */
    curve.keys.t1 = HUGE_VAL;
    check_returns(&curve, NAN);
    curve = both(flat, 0.42, 0, 1);
    check_returns(&curve, 1);
    curve.t = 0;
    check_returns(&curve, 0);
    /* weights beyond [0, 1] are clamped */
    curve = both(flat, 1.3, 0.3, 0.5);
    check_published(&curve, 0.1296372652, 1e-10);
}

/* What the size of a step accepts is wrong by 1e16 u S here. */
static void step_without_progress(void)
{
    struct segment keys = {0x1.dd236980c10d1p+29, -0x1.0e482da705b77p-2, 0x1.88388c2bf4d44p+1,
                           0x1.dd236980c10dbp+29, 0x1.0bc77303f76e1p-3,  -0x1.856a13f84216cp-3};
    struct weighted curve = both(keys, 0x1.4981039468cabp-1, 1, 0x1.dd236980c10d6p+29);
    check_within(&curve, 4, 4);
}

static bool draw(struct sample *sample, unsigned class, struct weighted *curve);

enum { DRAWN = 2500 };

static void without_weights_it_is_hermite_bit_for_bit(void)
{
    struct sample sample = {62};
    size_t compared = 0;
    for (int i = 0; i < SAMPLE_CLASSES * DRAWN; i++, compared++) {
        struct weighted curve;
        draw(&sample, (unsigned)i % SAMPLE_CLASSES, &curve);
        double *const data[] = {&curve.keys.v0, &curve.keys.m0, &curve.keys.v1, &curve.keys.m1,
                                &curve.keys.t0, &curve.keys.t1, &curve.t};
        if (i % 5 == 0) {
            *data[sample_below(&sample, 7)] = special[sample_below(&sample, SPECIALS)];
        }
        curve.has_w0 = curve.has_w1 = false;
        tl_key key[2];
        set_keys(key, &curve);
        double wanted = tl_hermite(&key[0], &key[1], curve.t);
        double got = tl_bezier(&key[0], &key[1], curve.t);
        suite_check(same_double(got, wanted), "%s: got %a, hermite gives %a", describe(&curve), got,
                    wanted);
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
}

/* Over adjacent doubles. Where a flat curve from 0 to 1 stands upright its value does not fall;
 * elsewhere it may by a rounding or two, and nowhere by more than 8 u. The parameter never fell. */
static void monotone_at_the_threefold_root(void)
{
    static const double weights[][2] = {
        {1, 1}, {1 - 0x1p-53, 1}, {1 - 0x1p-20, 1 - 0x1p-20}, {5, 1}, {0.99, 0.99}};
    static const double starts[] = {0.5 - 0x1p-40, 0.5 - 0x1p-20, 0.5 + 0x1p-20, 0.49, 0.51};
    enum { STEPS = 20000 };
    size_t steps = 0;
    for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
            struct weighted curve =
                both((struct segment){0, 0, 0, 1, 1, 0}, weights[w][0], weights[w][1], starts[k]);
            double before = bezier(&curve);
            for (int i = 0; i < STEPS; i++, steps++) {
                curve.t = nextafter(curve.t, 1);
                double now = bezier(&curve);
                suite_check(now >= before, "falls to %a from %a: %s", now, before,
                            describe(&curve));
                before = now;
            }
        }
    }
    CU_ASSERT_EQUAL(steps, (size_t)25 * STEPS);
}

static void nowhere_does_a_rising_curve_fall_far(void)
{
    struct sample sample = {63};
    enum { CURVES = 200, STEPS = 1000 };
    size_t steps = 0, fell = 0;
    for (int c = 0; c < CURVES; c++) {
        struct weighted curve =
            both((struct segment){0, 0, 0, 1, 1, 0}, sample_uniform(&sample, 0, 1),
                 sample_uniform(&sample, 0, 1), sample_uniform(&sample, 0, 0.999));
        curve.has_w0 = c % 5 != 0;
        curve.has_w1 = c % 7 != 0;
        if (c % 3 == 0) {
            curve.w0 = sample_below(&sample, 2);
        }
        if (c % 4 == 0) {
            curve.w1 = sample_below(&sample, 2);
        }
        double before = bezier(&curve), parameter_before = parameter(&curve);
        for (int i = 0; i < STEPS; i++, steps++) {
            curve.t = nextafter(curve.t, 1);
            double now = bezier(&curve), parameter_now = parameter(&curve);
            suite_check(parameter_now >= parameter_before && now >= before - 8 * 0x1p-53 * before &&
                            0 <= now && now <= 1 + 8 * 0x1p-53,
                        "%a to %a, %a to %a: %s", before, now, parameter_before, parameter_now,
                        describe(&curve));
            fell += now < before;
            before = now;
            parameter_before = parameter_now;
        }
    }
    CU_ASSERT_EQUAL(steps, (size_t)CURVES * STEPS);
    CU_ASSERT(fell > 0); /* or the comment above promises too little */
}

/* Through 3 w0 + 3 w1 = 2, where the cubic term vanishes: by doubles and by powers of two, no
 * result is off by more than it is anywhere else. */
static void no_threshold_shows_where_the_cubic_vanishes(void)
{
    static const double outer[] = {0, 0x1p-30, 0.1, 0.25, 1.0 / 3, 0.5, 0.66, 2.0 / 3};
    static const double shares[] = {1e-9, 0.01, 0.3, 0.5, 0.7, 0.999};
    size_t compared = 0;
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) {
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            struct weighted curve = both((struct segment){0, 0.25, 0.5, 1, 1, -0.5}, outer[i],
                                         2.0 / 3 - outer[i], shares[k]);
            const double zero = curve.w1;
            for (int step = -40; step <= 40; step++, compared++) {
                curve.w1 = zero + step * 0x1p-54;
                check_within(&curve, 8, 4);
            }
            for (int exponent = -60; exponent < -1; exponent++, compared += 2) {
                curve.w1 = zero + ldexp(1, exponent);
                check_within(&curve, 8, 4);
                curve.w1 = zero - ldexp(1, exponent);
                check_within(&curve, 8, 4);
            }
            curve.w1 = zero;
            curve.has_w0 = false;
            check_within(&curve, 8, 4);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)48 * (81 + 118));
}

/* From weights of 1 down, and at all distances from the middle. */
static void no_threshold_shows_at_a_vertical_tangent(void)
{
    size_t compared = 0;
    for (int weight = -53; weight <= 0; weight++) {
        for (int exponent = -1000; exponent < -1; exponent += exponent < -60 ? 47 : 1) {
            for (int sign = -1; sign <= 1; sign += 2, compared++) {
                double w = weight == 0 ? 1 : 1 - ldexp(1, weight);
                struct segment keys = {-1, -0.25, 0, 1, 1, 0.5};
                struct weighted curve = both(keys, w, w, sign * ldexp(1, exponent));
                check_within(&curve, 8, 4);
                curve.w1 = 1;
                check_within(&curve, 8, 4);
            }
        }
    }
    CU_ASSERT(compared > 8000);
}

/* From 2^-10 of the duration down to the least time, where s is x / 3w, or its square or cube root,
 * and between them: in front of the second key as well. */
static void no_threshold_shows_in_the_first_instants(void)
{
    static const double weights[] = {0, DBL_TRUE_MIN, 0x1p-700, 0x1p-340, 0x1p-30, 0.3, 1};
    enum { WEIGHTS = sizeof weights / sizeof *weights };
    size_t compared = 0;
    for (int exponent = -1074; exponent <= -10; exponent += 3) {
        for (int i = 0; i < WEIGHTS * WEIGHTS; i++, compared += 2) {
            double w0 = weights[i % WEIGHTS], w1 = 1 - weights[i / WEIGHTS];
            double share = ldexp(exponent < -1000 ? 1 : 1.37, exponent);
            struct weighted curve = both((struct segment){0, 0, 0.3, 1.25, 1, 0.7}, w0, w1, share);
            check_within(&curve, 8, 4);
            curve = both((struct segment){-1.25, 0x1p1000, 0, 0, 0, 0}, w1, w0, -share);
            check_within(&curve, 8, 4);
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)355 * 2 * WEIGHTS * WEIGHTS);
}

/* Exactly at the middle, whatever the weights are, s = 1/2. */
static void the_middle_is_met(void)
{
    for (int i = 0; i <= 16; i++) {
        for (int j = 0; j <= 16; j++) {
            double w0 = i / 16.0, w1 = j / 16.0;
            struct weighted curve =
                both((struct segment){0, -1, 0, 8, 1, 0}, w0, w1, 4 + 3 * (w0 - w1));
            check_parameter_returns(&curve, 0.5);
            check_returns(&curve, 0);
        }
    }
}

/* A side without a weight has the real 1/3. With a double in its place no error leaves the bound,
 * nor even the largest one seen; but from 1/4 on, the parameter is so good before its one rounding
 * that nearly all (here, all) are the nearest double, and errors have no sign that prevails. With
 * the double 1/3, one in ten is another one, and the mean error is a quarter of u. */
static void one_third_is_exact(void)
{
    struct sample sample = {64};
    mpq_t low, high, error;
    mpq_inits(low, high, error, NULL);
    for (int side = 0; side < 2; side++) {
        double sum = 0;
        size_t count = 0, rounded = 0;
        while (count < 4000) {
            struct weighted curve = {.keys = {0, 0, 0, 1, 1, 0},
                                     .has_w0 = side == 1,
                                     .has_w1 = side == 0,
                                     .w0 = sample_uniform(&sample, 0, 1),
                                     .w1 = sample_uniform(&sample, 0, 1),
                                     .t = sample_uniform(&sample, 0, 1)};
            double s = parameter(&curve);
            double distance = side == 0 ? s : 1 - s; /* from the side in question */
            if (!(distance >= 0.25 && distance <= 0.5)) {
                continue;
            }
            weighted_parameter(low, high, &curve, BITS);
            rounded += rational_round(low) == s;
            mpq_set_d(error, s);
            mpq_sub(error, error, low);
            mpq_mul_2exp(error, error, 53);
            sum += mpq_get_d(error) / distance;
            count++;
        }
        suite_check(fabs(sum / (double)count) <= 0.05 && rounded >= count * 99 / 100,
                    "side %d: off by %g u on average, %zu of %zu correctly rounded", side,
                    sum / (double)count, rounded, count);
    }
    mpq_clears(low, high, error, NULL);
}

static void the_range_is_used_to_its_ends(void)
{
    struct weighted curve = both((struct segment){-1.5e308, 1, 0, 1.5e308, 2, 0}, 0.7, 0.2, 3e307);
    check_answer(&curve); /* t1 - t0 overflows */
    curve.t = 0;
    check_answer(&curve);
    curve = both((struct segment){-DBL_MAX, 0, DBL_TRUE_MIN, DBL_MAX, 0, DBL_TRUE_MIN}, 1, 1,
                 DBL_MAX / 2);
    check_answer(&curve);
    curve = both((struct segment){0, DBL_TRUE_MIN, 0, 1, 3 * DBL_TRUE_MIN, 0}, 0.2, 0.9, 0.5);
    check_answer(&curve);
    curve = both((struct segment){0, DBL_MAX, 0, 1, DBL_MAX, 0}, 0.2, 0.9, 0.3);
    check_answer(&curve);
    curve = both((struct segment){0, DBL_MAX, 0, 1, -DBL_MAX, 0}, 0.6, 0.6, 0.25);
    check_answer(&curve);
    suite_check(isfinite(bezier(&curve)), "between the largest numbers");
    curve = both((struct segment){0, 0, DBL_MAX, DBL_TRUE_MIN * 8, 0, -DBL_MAX}, 0.6, 0.5,
                 DBL_TRUE_MIN * 3);
    check_answer(&curve);
    curve = both((struct segment){0, 1, DBL_MAX, DBL_MAX, 1, DBL_MAX}, DBL_TRUE_MIN, DBL_TRUE_MIN,
                 1); /* w m h is of no size */
    check_answer(&curve);
    curve = both((struct segment){-DBL_MAX, 0, 1e300, DBL_MAX, 0, -1e300}, 0.5, 0.5, 0);
    check_returns(&curve, HUGE_VAL);
    curve = both((struct segment){-DBL_MAX, 0, -1e300, DBL_MAX, 0, 1e300}, 0.5, 0.5, 0);
    check_returns(&curve, -HUGE_VAL);
    curve = both((struct segment){-DBL_MAX, 1, 1e300, DBL_MAX, 2, 1e300}, 0.5, 0.5, 0);
    check_answer(&curve); /* w0 m0 h and w1 m1 h cancel */
    curve = both((struct segment){0, 0, 0, 1, 0, 0}, 0.5, 0.5, 0.25);
    check_returns(&curve, 0);
    curve = both((struct segment){0, 0.1, 0, 3, 0.1, 0}, 0.9, 0.1, 2.9999999999999996);
    check_within(&curve, 2, 2);
}

/* One weight of a kind: anything in [0, 1] and its edges, beyond, any number at all. */
static double draw_weight(struct sample *sample)
{
    switch (sample_below(sample, 8)) {
    case 0:
        return sample_below(sample, 2);
    case 1:
        return fabs(sample_wide(sample, -1074, 1));
    case 2:
        return 1 - fabs(sample_wide(sample, -53, 0));
    case 3:
        return sample_wide(sample, -2, 1024);
    default:
        return sample_uniform(sample, 0, 1);
    }
}

/* Somewhere inside, often close to a key; false if there is no double inside. */
static bool draw(struct sample *sample, unsigned class, struct weighted *curve)
{
    double number[6];
    sample_numbers(sample, sample_below(sample, 2) ? class : 0, number, 2);
    sample_numbers(sample, class, number + 2, 4);
    struct segment keys = {fmin(number[0], number[1]), number[2], number[3],
                           fmax(number[0], number[1]), number[4], number[5]};
    double x = sample_uniform(sample, 0, 1);
    if (sample_below(sample, 2)) {
        x = fabs(sample_wide(sample, -60, 0));
    }
    bool late = sample_below(sample, 2);
    double near = late ? keys.t1 : keys.t0, far = late ? keys.t0 : keys.t1;
    double t = near * (1 - x) + far * x;
    *curve = (struct weighted){.keys = keys,
                               .has_w0 = sample_below(sample, 8) != 0,
                               .has_w1 = sample_below(sample, 8) != 0,
                               .w0 = draw_weight(sample),
                               .w1 = draw_weight(sample),
                               .t = t == near ? nextafter(near, far) : t};
    return keys.t0 < curve->t && curve->t < keys.t1;
}

static void both_are_within_64u_of_their_scale(void)
{
    struct sample sample = {65};
    size_t compared = 0;
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        size_t of_class = 0;
        while (of_class < DRAWN) {
            struct weighted curve;
            if (draw(&sample, class, &curve)) {
                check_answer(&curve);
                of_class++;
            }
        }
        compared += of_class;
    }
    CU_ASSERT_EQUAL(compared, (size_t)SAMPLE_CLASSES * DRAWN);
}

static void flags_and_errno_of_the_caller_stay(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
    errno = 12345;
    struct weighted wide = both((struct segment){-DBL_MAX, 1, 1e300, DBL_MAX, 2, 1e300}, 0.5, 1, 0);
    volatile double results[2] = {bezier(&wide), parameter(&wide)};
    (void)results[0];
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
        {"what must not be read is not", what_must_not_be_read_is_not},
        {"the article's numbers", the_articles_numbers},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"step without progress", step_without_progress},
        {"without weights it is hermite bit for bit", without_weights_it_is_hermite_bit_for_bit},
        {"monotone at the threefold root", monotone_at_the_threefold_root},
        {"nowhere does a rising curve fall far", nowhere_does_a_rising_curve_fall_far},
        {"no threshold shows where the cubic vanishes",
         no_threshold_shows_where_the_cubic_vanishes},
        {"no threshold shows at a vertical tangent", no_threshold_shows_at_a_vertical_tangent},
        {"no threshold shows in the first instants", no_threshold_shows_in_the_first_instants},
        {"the middle is met", the_middle_is_met},
        {"one third is exact", one_third_is_exact},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"both are within 64 u of their scale", both_are_within_64u_of_their_scale},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("bezier", tests, sizeof tests / sizeof *tests);
}
