/* What the domains of slerp4, angle3 and rotate_toward3 draw is what their names say: decided in
 * rationals and measured by MPFR. */
#include "exact_vector.h"
#include "suite.h"
#include "turn.h"

#include "../corpus/draw.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

enum { COUNT = 4000, BITS = 200 };

/* One case: two vectors and what follows them, t or phi (angle3 has neither). */
struct drawn {
    const double *a, *b;
    double last;
    size_t dimensions;
};

typedef bool property(const struct drawn *);

static const char slerp4[] = "slerp4", angle3[] = "angle3", rotate[] = "rotate_toward3";

static const struct domain *domain_of(const char *function, const char *name)
{
    const struct domain *domain = domain_find(catalog_find(function), name);
    suite_check(domain != NULL, "%s has no domain %s", function, name);
    return domain;
}

static struct drawn drawn_of(const char *function, const struct values *inputs)
{
    size_t dimensions = function == slerp4 ? 4 : 3;
    const double *in = inputs->number;
    double last = function == angle3 ? 0 : in[2 * dimensions];
    return (struct drawn){in, in + dimensions, last, dimensions};
}

static size_t count_of(const char *function, const char *name, property *holds)
{
    const struct domain *domain = domain_of(function, name);
    struct values inputs = {0};
    size_t count = 0;
    for (uint64_t i = 0; domain && i < COUNT; i++) {
        draw_case(11, catalog_find(function), domain, i, &inputs);
        struct drawn drawn = drawn_of(function, &inputs);
        count += holds(&drawn);
    }
    values_free(&inputs);
    return count;
}

/* At least this share of the samples. */
static void check_share(const char *function, const char *name, const char *what, property *holds,
                        double least)
{
    size_t count = count_of(function, name, holds);
    suite_check((double)count >= least * COUNT, "%s, %s: %s in %zu of %d only", function, name,
                what, count, COUNT);
}

static void check_all(const char *function, const char *name, const char *what, property *holds)
{
    check_share(function, name, what, holds, 1);
}

/* Numbers of BITS bits, each off by a few last bits at most: products of doubles and their
 * differences are rounded once, and nothing else cancels. */
static mpfr_t across, dot, length_a, length_b, term;

static void add_square(mpfr_t sum, const mpfr_t x)
{
    mpfr_sqr(term, x, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
}

static void set_minor(mpfr_t minor, const double *a, const double *b, size_t i, size_t j)
{
    mpfr_t p, q, r, s;
    mpfr_inits2(53, p, q, r, s, (mpfr_ptr)0);
    mpfr_set_d(p, a[i], MPFR_RNDN);
    mpfr_set_d(q, b[j], MPFR_RNDN);
    mpfr_set_d(r, a[j], MPFR_RNDN);
    mpfr_set_d(s, b[i], MPFR_RNDN);
    mpfr_fmms(minor, p, q, r, s, MPFR_RNDN);
    mpfr_clears(p, q, r, s, (mpfr_ptr)0);
}

/* |a| |b| sin(angle), a . b, |a| and |b| */
static void measure(const struct drawn *c)
{
    mpfr_t minor;
    mpfr_init2(minor, BITS);
    mpfr_set_zero(across, 1);
    for (size_t i = 0; i < c->dimensions; i++) {
        for (size_t j = 0; j < i; j++) {
            set_minor(minor, c->a, c->b, i, j);
            add_square(across, minor);
        }
    }
    mpfr_clear(minor);
    mpfr_sqrt(across, across, MPFR_RNDN);
    exact_dot(dot, c->a, c->b, (int)c->dimensions);
    exact_dot(length_a, c->a, c->a, (int)c->dimensions);
    exact_dot(length_b, c->b, c->b, (int)c->dimensions);
    mpfr_sqrt(length_a, length_a, MPFR_RNDN);
    mpfr_sqrt(length_b, length_b, MPFR_RNDN);
}

/* log10 of the angle from the nearer of 0 and pi; -infinity if it is none */
static double decade_of(const struct drawn *c)
{
    measure(c);
    mpfr_abs(term, dot, MPFR_RNDN);
    mpfr_atan2(term, across, term, MPFR_RNDN);
    mpfr_log10(term, term, MPFR_RNDN);
    return mpfr_get_d(term, MPFR_RNDN);
}

/* Directions */

static bool acute(const struct drawn *c)
{
    return turn_sign_of_dot(c->a, c->b, c->dimensions) > 0;
}

static bool obtuse(const struct drawn *c)
{
    return turn_sign_of_dot(c->a, c->b, c->dimensions) < 0;
}

static bool orthogonal(const struct drawn *c)
{
    return turn_sign_of_dot(c->a, c->b, c->dimensions) == 0;
}

static bool orthogonal_by_cancellation(const struct drawn *c)
{
    return orthogonal(c) && (c->a[0] * c->b[0] != 0 || c->a[1] * c->b[1] != 0);
}

/* |a . b| below 2^-40 of its terms, but not 0. */
static bool nearly_orthogonal(const struct drawn *c)
{
    measure(c);
    mpfr_mul(term, length_a, length_b, MPFR_RNDN);
    mpfr_div_2ui(term, term, 40, MPFR_RNDN);
    return !mpfr_zero_p(dot) && mpfr_cmpabs(dot, term) < 0;
}

static bool alike(const struct drawn *c)
{
    return turn_kind_of(c->a, c->b, c->dimensions) == TURN_ALIKE;
}

static bool opposite(const struct drawn *c)
{
    return turn_kind_of(c->a, c->b, c->dimensions) == TURN_OPPOSITE;
}

static bool collinear(const struct drawn *c)
{
    return alike(c) || opposite(c);
}

static bool spanned(const struct drawn *c)
{
    return turn_kind_of(c->a, c->b, c->dimensions) == TURN_SPANNED;
}

static bool a_is_zero(const struct drawn *c)
{
    return c->a[0] == 0 && c->a[1] == 0 && c->a[2] == 0 && (c->dimensions == 3 || c->a[3] == 0);
}

static bool b_is_zero(const struct drawn *c)
{
    struct drawn swapped = {c->b, c->a, c->last, c->dimensions};
    return a_is_zero(&swapped);
}

static bool only_b_is_zero(const struct drawn *c)
{
    return b_is_zero(c) && !a_is_zero(c);
}

static bool only_a_is_zero(const struct drawn *c)
{
    return a_is_zero(c) && !b_is_zero(c);
}

static bool both_are_zero(const struct drawn *c)
{
    return a_is_zero(c) && b_is_zero(c);
}

static bool one_is_zero(const struct drawn *c)
{
    return a_is_zero(c) || b_is_zero(c);
}

static bool not_quite_collinear(const struct drawn *c)
{
    double decade = decade_of(c);
    return decade < -14 && decade > -INFINITY;
}

static bool below_one_in_1e300(const struct drawn *c)
{
    double decade = decade_of(c);
    return decade < -300 && decade > -INFINITY;
}

static bool of_middling_angle(const struct drawn *c)
{
    double decade = decade_of(c);
    return decade > -8 && decade < -1;
}

static bool within_half_a_degree_and_120(const struct drawn *c)
{
    double decade = decade_of(c);
    return decade > -2.4 && decade < 0.02;
}

/* tan(angle) is 2^-k exactly, k from 0 to 1021. */
static bool tangent_of_a_power_of_two(const struct drawn *c)
{
    measure(c);
    mpfr_div(term, across, dot, MPFR_RNDN);
    mpfr_t power;
    mpfr_init2(power, BITS);
    mpfr_set_ui_2exp(power, 1, mpfr_get_exp(term) - 1, MPFR_RNDN);
    bool equal = mpfr_equal_p(power, term) && mpfr_get_exp(term) <= 1;
    mpfr_clear(power);
    return equal;
}

static bool tangent_below_2_900(const struct drawn *c)
{
    return tangent_of_a_power_of_two(c) && mpfr_get_exp(term) < -900;
}

/* b is no power of two times a. */
static bool no_power_of_two(const struct drawn *c)
{
    int exponent;
    for (size_t i = 0; i < c->dimensions; i++) {
        if (c->a[i] != 0) {
            return fabs(frexp(c->b[i] / c->a[i], &exponent)) != 0.5;
        }
    }
    return false;
}

/* Which component of a is the smallest is a tie. */
static bool smallest_is_a_tie(const struct drawn *c)
{
    double least = fmin(fabs(c->a[0]), fmin(fabs(c->a[1]), fabs(c->a[2])));
    return (fabs(c->a[0]) == least) + (fabs(c->a[1]) == least) + (fabs(c->a[2]) == least) > 1;
}

/* Lengths */

static bool everyday_lengths(const struct drawn *c)
{
    measure(c);
    return mpfr_cmp_d(length_a, 0.09) > 0 && mpfr_cmp_d(length_b, 0.09) > 0 &&
           mpfr_cmp_d(length_a, 11) < 0 && mpfr_cmp_d(length_b, 11) < 0;
}

static bool are_unit(const struct drawn *c, double within)
{
    measure(c);
    return fabs(mpfr_get_d(length_a, MPFR_RNDN) - 1) <= within &&
           fabs(mpfr_get_d(length_b, MPFR_RNDN) - 1) <= within;
}

static bool unit(const struct drawn *c)
{
    return are_unit(c, 1e-15);
}

static bool unit_in_single_precision(const struct drawn *c)
{
    bool single = true;
    for (size_t i = 0; i < c->dimensions; i++) {
        single = single && c->a[i] == (float)c->a[i] && c->b[i] == (float)c->b[i];
    }
    return single && are_unit(c, 2e-7);
}

static bool dot_above_one(const struct drawn *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->dimensions; i++) {
        sum += c->a[i] * c->b[i];
    }
    return fabs(sum) > 1;
}

static double square_of(const struct drawn *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->dimensions; i++) {
        sum += c->a[i] * c->a[i];
    }
    return sum;
}

static bool square_overflows(const struct drawn *c)
{
    return isinf(square_of(c));
}

static bool square_underflows(const struct drawn *c)
{
    return square_of(c) < DBL_MIN;
}

static bool subnormal(const struct drawn *c)
{
    bool all = true;
    for (size_t i = 0; i < c->dimensions; i++) {
        all = all && fabs(c->a[i]) < DBL_MIN;
    }
    return all;
}

static bool lengths_apart(const struct drawn *c)
{
    measure(c);
    mpfr_div(term, length_a, length_b, MPFR_RNDN);
    return mpfr_get_exp(term) > 100 || mpfr_get_exp(term) < -100;
}

static bool components_apart(const struct drawn *c)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < c->dimensions; i++) {
        least = fmin(least, fabs(c->a[i]));
        most = fmax(most, fabs(c->a[i]));
    }
    return most * 0x1p-60 > least;
}

/* Times and angles */

static bool strictly_inside(const struct drawn *c)
{
    return 0 < c->last && c->last < 1;
}

static bool near_t_end(const struct drawn *c)
{
    return strictly_inside(c) && (c->last < 0.07 || c->last > 0.93);
}

static bool at_or_after_the_end(const struct drawn *c)
{
    return c->last >= 1;
}

static bool at_most_half_a_turn(const struct drawn *c)
{
    return fabs(c->last) <= 4 && c->last != 0;
}

static bool turns_back(const struct drawn *c)
{
    return c->last < 0;
}

static bool below_2_20(const struct drawn *c)
{
    return fabs(c->last) < 0x1p-20 && c->last != 0;
}

static bool below_2_500(const struct drawn *c)
{
    return fabs(c->last) < 0x1p-500 && c->last != 0;
}

static bool above_2(const struct drawn *c)
{
    return fabs(c->last) >= 2;
}

static bool above_2_100(const struct drawn *c)
{
    return fabs(c->last) > 0x1p100;
}

/* The sine or the cosine of phi is below 2^-bits. */
static bool has_small_part(const struct drawn *c, int bits)
{
    mpfr_set_d(term, c->last, MPFR_RNDN);
    mpfr_sin_cos(across, dot, term, MPFR_RNDN);
    return c->last != 0 && (mpfr_get_exp(across) <= -bits || mpfr_get_exp(dot) <= -bits);
}

static bool at_quarter_turn(const struct drawn *c)
{
    return has_small_part(c, 20);
}

static bool nearest_to_quarter_turn(const struct drawn *c)
{
    return has_small_part(c, 57) && fabs(c->last) > 8;
}

static bool half_turn(const struct drawn *c)
{
    return at_quarter_turn(c) && mpfr_cmpabs(across, dot) < 0;
}

/* phi over the angle between the vectors */
static double share_of(const struct drawn *c)
{
    measure(c);
    mpfr_atan2(term, across, dot, MPFR_RNDN);
    mpfr_d_div(term, c->last, term, MPFR_RNDN);
    return mpfr_get_d(term, MPFR_RNDN);
}

static bool gets_there(const struct drawn *c)
{
    return fabs(share_of(c) - 1) < 1e-7;
}

static bool stops_short_or_goes_on(const struct drawn *c)
{
    double share = share_of(c);
    return share >= 0 && share <= 4.1 && fabs(share - 1) > 1e-7;
}

/* Every decade of the angle down to 1e-300 has its cases. */
static void check_decades(const char *function, const char *name, property *side)
{
    enum { DECADES = 300 };
    size_t met[DECADES] = {0};
    const struct domain *domain = domain_of(function, name);
    struct values inputs = {0};
    for (uint64_t i = 0; domain && i < COUNT; i++) {
        draw_case(2, catalog_find(function), domain, i, &inputs);
        struct drawn drawn = drawn_of(function, &inputs);
        suite_check(side(&drawn), "%s, %s: on the other side", function, name);
        double decade = -decade_of(&drawn);
        if (decade >= 0 && decade < DECADES) {
            met[(size_t)decade]++;
        }
    }
    for (size_t i = 0; i < DECADES; i++) {
        suite_check(met[i] > 0, "%s, %s: no angle from 1e-%zu to 1e-%zu", function, name, i + 1, i);
    }
    check_share(function, name, "angle below 1e-300", below_one_in_1e300, 0.01);
    check_share(function, name, "1e-8 to 0.1", of_middling_angle, 0.15);
    values_free(&inputs);
}

/* What all three have. */
static void check_common(const char *f)
{
    check_all(f, "typical", "lengths from 0.1 to 10", everyday_lengths);
    check_all(f, "typical", "spanned", spanned);
    check_share(f, "typical", "acute", acute, 0.4);
    check_share(f, "typical", "obtuse", obtuse, 0.4);
    check_share(f, "right_angle", "exactly orthogonal", orthogonal, 0.4);
    check_share(f, "right_angle", "by cancellation", orthogonal_by_cancellation, 0.2);
    check_share(f, "right_angle", "nearly orthogonal", nearly_orthogonal, 0.3);
    check_share(f, "right_angle", "a little less", acute, 0.15);
    check_share(f, "right_angle", "a little more", obtuse, 0.15);
    check_all(f, "same_direction", "collinear", collinear);
    check_share(f, "same_direction", "no power of two", no_power_of_two, 0.3);
    check_share(f, "same_direction", "components apart", components_apart, 0.3);
    check_share(f, "neighbours", "nearly collinear", not_quite_collinear, 0.7);
    check_share(f, "neighbours", "acute", acute, 0.3);
    check_share(f, "neighbours", "obtuse", obtuse, 0.3);
    check_all(f, "normalised", "unit vectors", unit);
    check_share(f, "normalised", "|a.b| above 1", dot_above_one, 0.05);
    check_share(f, "normalised", "acute", acute, 0.4);
    check_share(f, "normalised", "obtuse", obtuse, 0.4);
    check_share(f, "lengths", "lengths apart", lengths_apart, 0.7);
    check_share(f, "huge", "|a|^2 overflows", square_overflows, 0.7);
    check_share(f, "tiny", "|a|^2 underflows", square_underflows, 0.7);
    check_share(f, "tiny", "subnormal", subnormal, 0.3);
    check_share(f, "mixed_exponents", "components apart", components_apart, 0.9);
}

static void domains_of_slerp4(void)
{
    check_common(slerp4);
    check_all(slerp4, "typical", "0 < t < 1", strictly_inside);
    check_share(slerp4, "typical", "unit quaternions", unit, 0.35);
    check_share(slerp4, "typical", "in single precision", unit_in_single_precision, 0.35);
    check_share(slerp4, "typical", "by some degrees", within_half_a_degree_and_120, 0.7);
    check_decades(slerp4, "near_parallel", acute);
    check_decades(slerp4, "double_cover", obtuse);
    check_share(slerp4, "right_angle", "t inside", strictly_inside, 0.5);
    check_share(slerp4, "right_angle", "t at the end", at_or_after_the_end, 0.2);
    check_share(slerp4, "same_direction", "same", alike, 0.4);
    check_share(slerp4, "same_direction", "opposite", opposite, 0.4);
    check_share(slerp4, "near_ends", "t near 0 or 1", near_t_end, 0.8);
}

/* What angle3 and rotate_toward3 have. */
static void check_directions(const char *f)
{
    check_common(f);
    check_share(f, "typical", "unit vectors", unit, 0.4);
    check_all(f, "same_direction", "same", alike);
    check_all(f, "exactly_opposite", "opposite", opposite);
    check_share(f, "exactly_opposite", "no power of two", no_power_of_two, 0.3);
    check_share(f, "exactly_opposite", "smallest is a tie", smallest_is_a_tie, 0.05);
    check_all(f, "zero", "a zero vector", one_is_zero);
    check_share(f, "zero", "the second one", only_b_is_zero, 0.5);
    check_share(f, "zero", "the first one", only_a_is_zero, 0.2);
    check_share(f, "zero", "both", both_are_zero, 0.05);
}

static void domains_of_angle3(void)
{
    check_directions(angle3);
    check_decades(angle3, "near_zero", acute);
    check_decades(angle3, "near_pi", obtuse);
    check_all(angle3, "power_of_two", "tangent of a power of two", tangent_of_a_power_of_two);
    check_share(angle3, "power_of_two", "tangent below 2^-900", tangent_below_2_900, 0.05);
}

static void domains_of_rotate_toward3(void)
{
    static const char *const ordinary[] = {"typical",          "near_parallel",  "near_opposite",
                                           "right_angle",      "same_direction", "zero",
                                           "neighbours",       "normalised",     "lengths",
                                           "exactly_opposite", "huge",           "tiny",
                                           "mixed_exponents"};
    check_directions(rotate);
    check_decades(rotate, "near_parallel", acute);
    check_decades(rotate, "near_opposite", obtuse);
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
        check_all(rotate, ordinary[i], "at most half a turn", at_most_half_a_turn);
        check_share(rotate, ordinary[i], "back", turns_back, 0.4);
    }
    check_share(rotate, "small_phi", "below 2^-20", below_2_20, 0.6);
    check_share(rotate, "small_phi", "below 2^-500", below_2_500, 0.2);
    check_all(rotate, "large_phi", "above 2", above_2);
    check_share(rotate, "large_phi", "above 2^100", above_2_100, 0.4);
    check_all(rotate, "quarter_turns", "at a quarter turn", at_quarter_turn);
    check_share(rotate, "quarter_turns", "half turns", half_turn, 0.3);
    check_share(rotate, "quarter_turns", "as near as doubles get", nearest_to_quarter_turn, 0.2);
    check_share(rotate, "onto", "as far as the second", gets_there, 0.4);
    check_share(rotate, "onto", "short of it or beyond", stops_short_or_goes_on, 0.2);
    check_share(rotate, "onto", "back", turns_back, 0.2);
    check_share(rotate, "onto", "spanned", spanned, 0.8);
}

enum { VECTORS = 8, LASTS = 9 };

static size_t vector_kind(const double *v, size_t dimensions)
{
    bool nan = false, infinite = false, negative = false, normal = false;
    double most = 0;
    for (size_t i = 0; i < dimensions; i++) {
        nan = nan || isnan(v[i]);
        infinite = infinite || isinf(v[i]);
        negative = negative || signbit(v[i]);
        normal = normal || isnormal(v[i]);
        most = fmax(most, fabs(v[i]));
    }
    size_t finite = most == 0      ? (negative ? 2 : 3)
                    : !normal      ? 4
                    : most > 1e300 ? 5
                    : most == 1    ? 6
                                   : 7;
    return nan ? 0 : infinite ? 1 : finite;
}

/* t has its ends at 0 and 1; phi has none, but 1 is as good a number as any. */
static size_t last_kind(double x)
{
    return isnan(x)            ? 0
           : isinf(x)          ? (x > 0 ? 1 : 2)
           : x == 0            ? (signbit(x) ? 3 : 4)
           : x == 1            ? 5
           : fabs(x) < DBL_MIN ? (x > 0 ? 6 : 7)
                               : 8;
}

static void boundaries_are_whole(void)
{
    static const char *const functions[] = {slerp4, angle3, rotate};
    struct values inputs = {0};
    for (size_t f = 0; f < 3; f++) {
        const char *name = functions[f];
        size_t met[VECTORS][VECTORS][LASTS] = {{{0}}};
        const struct domain *domain = domain_of(name, "boundary");
        for (uint64_t i = 0; domain && i < 6000; i++) {
            draw_case(1, catalog_find(name), domain, i, &inputs);
            struct drawn c = drawn_of(name, &inputs);
            met[vector_kind(c.a, c.dimensions)][vector_kind(c.b, c.dimensions)]
               [name == angle3 ? 0 : last_kind(c.last)]++;
        }
        size_t lasts = name == angle3 ? 1 : LASTS;
        for (size_t i = 0; i < (size_t)VECTORS * VECTORS * lasts; i++) {
            suite_check(met[i / lasts / VECTORS][i / lasts % VECTORS][i % lasts] > 0,
                        "%s: combination %zu is not drawn", name, i);
        }
    }
    values_free(&inputs);
}

/* Not only special vectors, but the ways in which two of them lie to each other. */
static void boundaries_have_all_positions(void)
{
    static const char *const functions[] = {slerp4, angle3, rotate};
    struct values inputs = {0};
    for (size_t f = 0; f < 3; f++) {
        size_t met[4] = {0};
        const struct domain *domain = domain_of(functions[f], "boundary");
        for (uint64_t i = 0; domain && i < COUNT; i++) {
            draw_case(1, catalog_find(functions[f]), domain, i, &inputs);
            struct drawn c = drawn_of(functions[f], &inputs);
            if (vector_kind(c.a, c.dimensions) > 1 && vector_kind(c.b, c.dimensions) > 1) {
                met[turn_kind_of(c.a, c.b, c.dimensions)]++;
            }
        }
        for (size_t kind = 0; kind < 4; kind++) {
            suite_check(met[kind] > COUNT / 100, "%s: %zu of kind %zu only", functions[f],
                        met[kind], kind);
        }
    }
    values_free(&inputs);
}

static void axes_measure_what_they_say(void)
{
    static const struct {
        const char *function;
        double numbers[9];
        double wanted;
    } cases[] = {
        {slerp4, {0, 0, 0, 1, 1, 0, 0, 1, 0.5}, -0.3485038705276812},   /* log2(pi/4) */
        {slerp4, {0, 0, 0, 1, -1, 0, 0, -1, 0.5}, -0.3485038705276812}, /* the short way */
        {slerp4, {0, 0, 0, 1, 0, 3, 0, 0, 0.5}, 0.6514961294723188},    /* log2(pi/2) */
        {slerp4, {0, 0x1p1000, 0, 0, 0, 0x1p1000, 0, 1, 0.5}, -1000},
        {slerp4, {0, 0x1p1000, 0, 0, 0, -0x1p1000, 0, 1, 0.5}, -1000},
        {slerp4, {1, 2, 3, 4, 2, 4, 6, 8, 0.5}, -INFINITY},
        {slerp4, {0, 0, 0, 0, 2, 4, 6, 8, 0.5}, NAN},
        {slerp4, {1, NAN, 0, 0, 2, 4, 6, 8, 0.5}, NAN},
        {angle3, {1, 0, 0, 0, 5, 0}, 0},
        {angle3, {1, 1, 0, 0, 0x1p-1070, 0}, -1.584962500721156},  /* pi/4 to 3 pi/4 */
        {angle3, {1, 0, 0, -1, 0x1p-1000, 0}, 1001.6514961294723}, /* pi to 2^-1000 */
        {angle3, {1, 2, 3, -2, -4, -6}, INFINITY},
        {angle3, {0, 0, 0, 1, 2, 3}, NAN},
        {angle3, {INFINITY, 0, 0, 1, 2, 3}, NAN},
        {rotate, {1, 2, 3, 4, 5, 6, 8}, 3},
        {rotate, {1, 2, 3, 4, 5, 6, -0x1p-1000}, -1000},
        {rotate, {NAN, 2, 3, 4, 5, 6, 0}, -INFINITY},
        {rotate, {1, 2, 3, 4, 5, 6, NAN}, NAN},
    };
    struct values inputs = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct function *function = catalog_find(cases[i].function);
        double *number = values_numbers(&inputs, function->input_count);
        memcpy(number, cases[i].numbers, function->input_count * sizeof *number);
        double x = domains_of(function)->axis.parameter(&inputs), wanted = cases[i].wanted;
        bool good = isnan(wanted) ? isnan(x) : x == wanted || fabs(x - wanted) <= 1e-12;
        suite_check(good, "%s, case %zu: %.17g, not %.17g", cases[i].function, i, x, wanted);
    }
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"domains of slerp4", domains_of_slerp4},
        {"domains of angle3", domains_of_angle3},
        {"domains of rotate_toward3", domains_of_rotate_toward3},
        {"boundaries are whole", boundaries_are_whole},
        {"boundaries have all positions", boundaries_have_all_positions},
        {"axes measure what they say", axes_measure_what_they_say},
    };
    mpfr_inits2(BITS, across, dot, length_a, length_b, term, (mpfr_ptr)0);
    int code = suite_run("domains_direction", tests, sizeof tests / sizeof *tests);
    mpfr_clears(across, dot, length_a, length_b, term, (mpfr_ptr)0);
    return code;
}
