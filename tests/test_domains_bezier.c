/* What the domains of bezier and bezier_parameter draw is what their names say: measured in exact
 * rationals. */
#include "rational.h"
#include "suite.h"
#include "weighted.h"

#include "../corpus/draw.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COUNT = 4000 };

typedef bool property(const struct weighted *);

static mpq_t x, y, z, value, scale;

static const struct domain *domain_of(const char *function, const char *name)
{
    return domain_find(catalog_find(function), name);
}

/* At least this share of the samples has the property, in both functions' domains of that name
 * (bezier_parameter does not have those of values and slopes). */
static void check_share(const char *name, const char *what, property *holds, double least)
{
    static const char *const functions[] = {"bezier", "bezier_parameter"};
    struct values inputs = {0};
    size_t asked = 0;
    for (size_t f = 0; f < 2; f++) {
        const struct domain *domain = domain_of(functions[f], name);
        size_t count = 0;
        for (uint64_t i = 0; domain && i < COUNT; i++, asked++) {
            draw_case(11, catalog_find(functions[f]), domain, i, &inputs);
            struct weighted curve = weighted_of(&inputs);
            count += holds(&curve);
        }
        suite_check(!domain || (double)count >= least * COUNT, "%s, %s: %s in %zu of %d only",
                    functions[f], name, what, count, COUNT);
    }
    suite_check(asked >= COUNT, "there is no domain %s", name);
    values_free(&inputs);
}

static void check_all(const char *name, const char *what, property *holds)
{
    check_share(name, what, holds, 1);
}

/* |p| < 2^exponent |q| */
static bool is_below(const mpq_t p, int exponent, const mpq_t q)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    mpq_abs(left, p);
    mpq_abs(right, q);
    if (exponent < 0) {
        mpq_mul_2exp(left, left, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(right, right, (mp_bitcnt_t)exponent);
    }
    bool below = mpq_cmp(left, right) < 0;
    mpq_clears(left, right, NULL);
    return below;
}

/* 3 w, clamped */
static void set_width(mpq_t width, bool has, double weight)
{
    mpq_set_ui(width, 1, 1);
    if (has) {
        mpq_set_d(width, fmin(fmax(weight, 0), 1));
        mpq_set_ui(z, 3, 1);
        mpq_mul(width, width, z);
    }
}

static bool strictly_inside(const struct weighted *c)
{
    return c->keys.t0 < c->t && c->t < c->keys.t1;
}

static bool inside(const struct weighted *c)
{
    return c->keys.t0 < c->keys.t1 && c->keys.t0 <= c->t && c->t <= c->keys.t1;
}

/* Weights */

static bool is_everyday(bool has, double weight)
{
    return !has || (weight >= 0.1 && weight <= 0.9);
}

static bool everyday(const struct weighted *c)
{
    return is_everyday(c->has_w0, c->w0) && is_everyday(c->has_w1, c->w1) && 0 <= c->keys.t0 &&
           c->keys.t1 < 70 && fabs(c->keys.v0) <= 360 && fabs(c->keys.v1) <= 360;
}

static bool both_weighted(const struct weighted *c)
{
    return c->has_w0 && c->has_w1;
}

static bool first_weighted_only(const struct weighted *c)
{
    return c->has_w0 && !c->has_w1;
}

static bool second_weighted_only(const struct weighted *c)
{
    return !c->has_w0 && c->has_w1;
}

static bool one_weighted(const struct weighted *c)
{
    return c->has_w0 != c->has_w1;
}

static bool none_weighted(const struct weighted *c)
{
    return !c->has_w0 && !c->has_w1;
}

static bool has_weight(const struct weighted *c, bool (*holds)(double))
{
    return (c->has_w0 && holds(c->w0)) || (c->has_w1 && holds(c->w1));
}

static bool is_negative(double weight)
{
    return weight < 0;
}

static bool is_above_one(double weight)
{
    return weight > 1;
}

static bool is_outside(double weight)
{
    return weight < 0 || weight > 1;
}

static bool is_zero(double weight)
{
    return weight == 0;
}

static bool is_one(double weight)
{
    return weight == 1;
}

static bool is_subnormal(double weight)
{
    return weight > 0 && weight < DBL_MIN;
}

static bool is_next_to_one(double weight)
{
    return weight != 1 && fabs(weight - 1) < 0x1p-50;
}

static bool is_at_edge(double weight)
{
    return fabs(weight) <= 0.25 || fabs(weight - 1) <= 0.25;
}

static bool is_next_to_a_third(double weight)
{
    return fabs(weight - 1.0 / 3) < 0x1p-52;
}

static bool negative_weight(const struct weighted *c)
{
    return has_weight(c, is_negative);
}

static bool weight_above_one(const struct weighted *c)
{
    return has_weight(c, is_above_one);
}

static bool weight_outside(const struct weighted *c)
{
    return has_weight(c, is_outside);
}

static bool both_outside(const struct weighted *c)
{
    return both_weighted(c) && is_outside(c->w0) && is_outside(c->w1);
}

static bool zero_weight(const struct weighted *c)
{
    return has_weight(c, is_zero);
}

static bool weight_of_one(const struct weighted *c)
{
    return has_weight(c, is_one);
}

static bool subnormal_weight(const struct weighted *c)
{
    return has_weight(c, is_subnormal);
}

static bool weight_next_to_one(const struct weighted *c)
{
    return has_weight(c, is_next_to_one);
}

static bool weight_at_edge(const struct weighted *c)
{
    return has_weight(c, is_at_edge);
}

static bool weight_next_to_a_third(const struct weighted *c)
{
    return has_weight(c, is_next_to_a_third);
}

static bool weight_inside(const struct weighted *c)
{
    return both_weighted(c) && c->w0 > 0.01 && c->w0 < 1 && c->w1 > 0.01 && c->w1 < 1;
}

static bool upright(const struct weighted *c)
{
    return both_weighted(c) && c->w0 >= 0.5 && c->w1 >= 0.5;
}

static bool both_one(const struct weighted *c)
{
    return both_weighted(c) && c->w0 >= 1 && c->w1 >= 1;
}

static bool clamped_to_one(const struct weighted *c)
{
    return both_one(c) && (c->w0 > 1 || c->w1 > 1);
}

/* Places */

/* x = t - t0 or t1 - t, whichever is less, and y = t1 - t0 */
static void set_distance(const struct weighted *c)
{
    rational_difference(x, c->t, c->keys.t0);
    rational_difference(y, c->keys.t1, c->t);
    if (mpq_cmp(y, x) < 0) {
        mpq_swap(x, y);
    }
    rational_difference(y, c->keys.t1, c->keys.t0);
}

static bool near_an_end(const struct weighted *c)
{
    set_distance(c);
    return is_below(x, -4, y);
}

static bool within_a_trifle_of_an_end(const struct weighted *c)
{
    set_distance(c);
    return strictly_inside(c) && is_below(x, -500, y);
}

static bool next_to_an_end(const struct weighted *c)
{
    double first = c->keys.t0, last = c->keys.t1;
    for (int i = 0; i < 8; i++) {
        first = nextafter(first, INFINITY);
        last = nextafter(last, -INFINITY);
        if (c->t == first || c->t == last) {
            return true;
        }
    }
    return false;
}

/* x = 8 (t - t0) - 8 X(1/2) h and y = h */
static void set_offset(const struct weighted *c)
{
    set_width(x, c->has_w0, c->w0);
    set_width(y, c->has_w1, c->w1);
    mpq_sub(x, x, y);
    mpq_set_ui(z, 4, 1);
    mpq_add(x, x, z);
    rational_difference(y, c->keys.t1, c->keys.t0);
    mpq_mul(x, x, y);
    rational_difference(z, c->t, c->keys.t0);
    mpq_mul_2exp(z, z, 3);
    mpq_sub(x, z, x);
}

static bool in_the_middle(const struct weighted *c)
{
    set_offset(c);
    return mpq_sgn(x) == 0;
}

static bool within_a_trifle_of_the_middle(const struct weighted *c)
{
    set_offset(c);
    return mpq_sgn(x) != 0 && is_below(x, -500, y);
}

static bool beside_the_middle(const struct weighted *c)
{
    set_offset(c);
    return is_below(x, -10, y) && !is_below(x, -100, y);
}

/* x = 3 w0 + 3 w1 - 2 and y = 1 */
static void set_leading(const struct weighted *c)
{
    set_width(x, c->has_w0, c->w0);
    set_width(y, c->has_w1, c->w1);
    mpq_add(x, x, y);
    mpq_set_ui(y, 2, 1);
    mpq_sub(x, x, y);
    mpq_set_ui(y, 1, 1);
}

static bool leading_term_small(const struct weighted *c)
{
    set_leading(c);
    return is_below(x, 1, y);
}

static bool leading_term_below_2_20(const struct weighted *c)
{
    set_leading(c);
    return is_below(x, -20, y);
}

static bool leading_term_of_a_rounding(const struct weighted *c)
{
    set_leading(c);
    return is_below(x, -50, y);
}

/* Values */

/* Leaves F, S and s. */
static bool set_answer(const struct weighted *c)
{
    if (!strictly_inside(c)) {
        return false;
    }
    weighted_parameter(x, y, c, 200);
    weighted_value(value, scale, c, x);
    return true;
}

static bool cancels_by_30_bits(const struct weighted *c)
{
    return set_answer(c) && is_below(value, -30, scale);
}

/* ... and S is beyond the range. */
static bool cancels_beyond(const struct weighted *c)
{
    return cancels_by_30_bits(c) && isinf(rational_round(scale));
}

static bool cancels_into_the_range(const struct weighted *c)
{
    return set_answer(c) && isinf(rational_round(scale)) && isfinite(rational_round(value));
}

static bool positive_beyond(const struct weighted *c)
{
    return set_answer(c) && rational_round(value) == INFINITY;
}

static bool negative_beyond(const struct weighted *c)
{
    return set_answer(c) && rational_round(value) == -INFINITY;
}

/* The height of a control point is below 2^exponent of its key's. */
static bool has_low_handle(const struct weighted *c, int exponent)
{
    for (int side = 0; side < 2; side++) {
        set_width(x, side ? c->has_w1 : c->has_w0, side ? c->w1 : c->w0);
        rational_difference(y, c->keys.t1, c->keys.t0);
        mpq_mul(x, x, y);
        mpq_set_d(y, side ? -c->keys.m1 : c->keys.m0);
        mpq_mul(x, x, y);
        mpq_set_ui(y, 3, 1);
        mpq_div(x, x, y);
        mpq_set_d(y, side ? c->keys.v1 : c->keys.v0);
        mpq_add(x, x, y);
        if (mpq_sgn(y) != 0 && is_below(x, exponent, y)) {
            return true;
        }
    }
    return false;
}

static bool low_handle(const struct weighted *c)
{
    return has_low_handle(c, -1);
}

static bool handle_of_a_rounding(const struct weighted *c)
{
    return has_low_handle(c, -48);
}

/* F is all but S. */
static bool one_term_is_all(const struct weighted *c)
{
    if (!set_answer(c)) {
        return false;
    }
    mpq_abs(value, value);
    mpq_sub(value, value, scale);
    return is_below(value, -20, scale);
}

static bool duration_overflows(const struct weighted *c)
{
    return isinf(c->keys.t1 - c->keys.t0);
}

static bool far_from_zero(const struct weighted *c)
{
    return fabs(c->keys.t0) >= 1e6 && c->keys.t1 - c->keys.t0 < 1;
}

static bool few_doubles(const struct weighted *c)
{
    double time = c->keys.t0;
    for (int i = 0; i < 8 && time < c->keys.t1; i++) {
        time = nextafter(time, INFINITY);
    }
    return time >= c->keys.t1;
}

static bool tiny(const struct weighted *c)
{
    return c->keys.t0 < c->keys.t1 && (c->keys.t1 - c->keys.t0 <= 2e-12 || few_doubles(c));
}

static bool exponents_apart_or_tiny(const struct weighted *c)
{
    double h = c->keys.t1 - c->keys.t0;
    return h < 0x1p-200 || h > 0x1p200;
}

static bool subnormal_duration_or_value(const struct weighted *c)
{
    return c->keys.t1 - c->keys.t0 < DBL_MIN ||
           (set_answer(c) && fabs(rational_round(value)) < DBL_MIN);
}

static bool subnormal_duration(const struct weighted *c)
{
    return c->keys.t1 - c->keys.t0 < DBL_MIN;
}

static void weights_are_where_they_should_be(void)
{
    check_all("typical", "everyday keys and weights", everyday);
    check_share("typical", "t strictly inside", strictly_inside, 0.99);
    check_share("typical", "both sides weighted", both_weighted, 0.8);
    check_share("typical", "one side weighted", one_weighted, 0.08);
    check_share("any_finite", "t strictly inside", strictly_inside, 0.6);
    check_share("any_finite", "weights within 0 to 1", weight_inside, 0.35);
    check_share("any_finite", "one side weighted", one_weighted, 0.15);
    check_share("any_finite", "a weight outside", weight_outside, 0.2);
    check_share("edge_weights", "at an edge", weight_at_edge, 0.95);
    check_share("edge_weights", "0", zero_weight, 0.1);
    check_share("edge_weights", "1", weight_of_one, 0.1);
    check_share("edge_weights", "next to 1", weight_next_to_one, 0.1);
    check_share("edge_weights", "subnormal", subnormal_weight, 0.1);
    check_share("outside_weights", "outside", weight_outside, 0.8);
    check_share("outside_weights", "both outside", both_outside, 0.3);
    check_share("outside_weights", "below 0", negative_weight, 0.4);
    check_share("outside_weights", "above 1", weight_above_one, 0.4);
    check_all("one_sided", "one side weighted", one_weighted);
    check_share("one_sided", "the first", first_weighted_only, 0.4);
    check_share("one_sided", "the second", second_weighted_only, 0.4);
    check_share("one_sided", "next to 1/3", weight_next_to_a_third, 0.02);
    check_all("unweighted", "no side weighted", none_weighted);
}

static void places_are_where_they_should_be(void)
{
    check_share("near_ends", "near an end", near_an_end, 0.99);
    check_share("near_ends", "next to an end", next_to_an_end, 0.15);
    check_share("near_ends", "within 2^-500", within_a_trifle_of_an_end, 0.15);
    check_share("near_ends", "a weight at an edge", weight_at_edge, 0.4);
    check_all("vertical_tangent", "weights near 1", upright);
    check_share("vertical_tangent", "weights of 1", both_one, 0.2);
    check_share("vertical_tangent", "clamped", clamped_to_one, 0.1);
    check_share("vertical_tangent", "in the middle", in_the_middle, 0.02);
    check_share("vertical_tangent", "within 2^-500", within_a_trifle_of_the_middle, 0.1);
    check_share("vertical_tangent", "2^-10 to 2^-100", beside_the_middle, 0.3);
    check_all("quadratic", "|3 w0 + 3 w1 - 2| < 2", leading_term_small);
    check_share("quadratic", "below 2^-20", leading_term_below_2_20, 0.6);
    check_share("quadratic", "below 2^-50", leading_term_of_a_rounding, 0.3);
}

static void values_are_what_they_should_be(void)
{
    check_share("cancelling", "F < 2^-30 S", cancels_by_30_bits, 0.3);
    check_share("cancelling_beyond", "F < 2^-30 S, S overflows", cancels_beyond, 0.3);
    check_share("cancelling_beyond", "S overflows, F does not", cancels_into_the_range, 0.2);
    check_share("cancelling_beyond", "F overflows", positive_beyond, 0.15);
    check_share("cancelling_beyond", "-F overflows", negative_beyond, 0.15);
    check_share("cancelling_handle", "a low handle", low_handle, 0.95);
    check_share("cancelling_handle", "by a rounding", handle_of_a_rounding, 0.35);
    check_share("one_term", "S = |F|, nearly", one_term_is_all, 0.6);
    check_share("mixed_exponents", "h far from 1", exponents_apart_or_tiny, 0.7);
    check_all("large_offset", "far from 0", far_from_zero);
    check_share("large_offset", "few doubles", few_doubles, 0.4);
    check_all("tiny_segment", "tiny", tiny);
    check_share("huge", "t1 - t0 overflows", duration_overflows, 0.15);
    check_share("subnormal", "h is subnormal", subnormal_duration, 0.15);
    static const char *const domains[] = {
        "near_ends",       "vertical_tangent",  "quadratic",  "edge_weights",
        "outside_weights", "one_sided",         "unweighted", "mixed_exponents",
        "cancelling",      "cancelling_beyond", "one_term",   "cancelling_handle",
        "large_offset",    "tiny_segment",      "huge",       "subnormal"};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        check_all(domains[i], "t inside", inside);
        check_share(domains[i], "t strictly inside", strictly_inside, 0.5);
    }
    /* of bezier's results */
    struct values inputs = {0};
    size_t count = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(11, catalog_find("bezier"), domain_of("bezier", "subnormal"), i, &inputs);
        struct weighted curve = weighted_of(&inputs);
        count += subnormal_duration_or_value(&curve);
    }
    values_free(&inputs);
    suite_check(count > COUNT / 2, "F or h subnormal in %zu of %d only", count, COUNT);
}

/* Which rule holds for the times, and what the weights are. */
static size_t rule_of(const struct weighted *c)
{
    double t0 = c->keys.t0, t1 = c->keys.t1, t = c->t;
    if (isnan(t) || isnan(t0) || isnan(t1)) {
        return isnan(t) ? 0 : isnan(t0) ? 1 : 2;
    }
    if (t0 > t1) {
        return 3;
    }
    if (t >= t1) {
        return t0 == t1 && t == t0 ? 4 : isinf(t) ? 5 : t == t1 ? 6 : 7;
    }
    if (t <= t0) {
        return isinf(t) ? 8 : t == t0 ? 9 : 10;
    }
    return isinf(t0) || isinf(t1) ? 11 : t == nextafter(t0, t1) || t == nextafter(t1, t0) ? 12 : 13;
}

enum { RULES = 14, WEIGHT_KINDS = 7, DATA_KINDS = 4 };

static size_t weight_kind(const struct weighted *c)
{
    bool bad0 = c->has_w0 && !isfinite(c->w0), bad1 = c->has_w1 && !isfinite(c->w1);
    if (!c->has_w0 || !c->has_w1) {
        return !c->has_w0 && !c->has_w1 ? 0 : bad1 ? 1 : bad0 ? 2 : 3;
    }
    return bad0 ? 4 : bad1 ? 5 : 6;
}

static size_t data_kind(const struct weighted *c)
{
    bool infinite_slope = isinf(c->keys.m0) || isinf(c->keys.m1);
    bool nan = isnan(c->keys.v0) || isnan(c->keys.v1) || isnan(c->keys.m0) || isnan(c->keys.m1);
    return infinite_slope ? 0 : nan ? 1 : isinf(c->keys.v0) || isinf(c->keys.v1) ? 2 : 3;
}

static void boundaries_are_whole(void)
{
    static size_t met[RULES][WEIGHT_KINDS][DATA_KINDS];
    struct values inputs = {0};
    const char *const functions[] = {"bezier", "bezier_parameter"};
    for (size_t f = 0; f < 2; f++) {
        memset(met, 0, sizeof met);
        for (uint64_t i = 0; i < (uint64_t)2 * COUNT; i++) {
            draw_case(1, catalog_find(functions[f]), domain_of(functions[f], "boundary"), i,
                      &inputs);
            struct weighted curve = weighted_of(&inputs);
            met[rule_of(&curve)][weight_kind(&curve)][data_kind(&curve)]++;
        }
        for (size_t rule = 0; rule < RULES; rule++) {
            for (size_t weights = 0; weights < WEIGHT_KINDS; weights++) {
                for (size_t data = f == 0 ? 0 : DATA_KINDS - 1; data < DATA_KINDS; data++) {
                    suite_check(met[rule][weights][data] > 0,
                                "%s: rule %zu, weights %zu, data %zu are not drawn", functions[f],
                                rule, weights, data);
                }
            }
        }
    }
    values_free(&inputs);
}

static void the_axis_measures_what_it_says(void)
{
    static const struct {
        double t0, t1, t, wanted;
    } cases[] = {
        {0, 4, 1, -2},
        {0, 4, 3.5, -3},
        {-1, 1, 0x1p-1000, -1001},
        {-1, 1, -0x1p-1000, -1001},
        {-1, 1, 0, -INFINITY},
        {0, 1, 0x1p-1000, -1000},
        {-1, 0, -0x1p-1074, -1074},
        {-DBL_MAX, DBL_MAX, DBL_MAX / 2, -2},
        {0, 0x1p-1072, 0x1p-1074, -2},
        {0, 1, 1, -INFINITY},
        {0, 1, -1, NAN},
        {0, 1, NAN, NAN},
    };
    struct values inputs = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t f = 0; f < 2; f++) {
            const struct function *function = catalog_find(f == 0 ? "bezier" : "bezier_parameter");
            values_clear(&inputs);
            for (size_t k = 0; k < function->input_count; k++) {
                const char *name = function->inputs[k].name;
                bool weight = function->inputs[k].kind == FIELD_OPTIONAL;
                double *number = values_append(&inputs, !weight);
                if (!weight) {
                    *number = strcmp(name, "t0") == 0   ? cases[i].t0
                              : strcmp(name, "t1") == 0 ? cases[i].t1
                              : strcmp(name, "t") == 0  ? cases[i].t
                                                        : 7;
                }
            }
            double got = domains_of(function)->axis.parameter(&inputs), wanted = cases[i].wanted;
            suite_check(isnan(wanted) ? isnan(got) : got == wanted, "%s, case %zu: %g, not %g",
                        function->name, i, got, wanted);
        }
    }
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"weights are where they should be", weights_are_where_they_should_be},
        {"places are where they should be", places_are_where_they_should_be},
        {"values are what they should be", values_are_what_they_should_be},
        {"boundaries are whole", boundaries_are_whole},
        {"the axis measures what it says", the_axis_measures_what_it_says},
    };
    mpq_inits(x, y, z, value, scale, NULL);
    int code = suite_run("domains_bezier", tests, sizeof tests / sizeof *tests);
    mpq_clears(x, y, z, value, scale, NULL);
    return code;
}
