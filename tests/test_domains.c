/* What the domains draw is what their names say: measured in exact rationals and by MPFR, so that a
 * domain that misses its mark is seen. */
#include "rational.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

enum { COUNT = 4000 };

static const struct domain *domain_of(const char *function, const char *name)
{
    const struct domain *domain = domain_find(catalog_find(function), name);
    suite_check(domain != NULL, "%s has no domain %s", function, name);
    return domain;
}

/* Of COUNT samples, for how many does `holds` hold? */
static size_t count_of(const char *function, const char *name, bool (*holds)(const double *))
{
    const struct domain *domain = domain_of(function, name);
    struct values inputs = {0};
    size_t count = 0;
    for (uint64_t i = 0; domain && i < COUNT; i++) {
        draw_case(11, catalog_find(function), domain, i, &inputs);
        count += holds(inputs.number);
    }
    values_free(&inputs);
    return count;
}

/* At least this share of the samples. */
static void check_share(const char *function, const char *name, const char *what,
                        bool (*holds)(const double *), double least)
{
    size_t count = count_of(function, name, holds);
    suite_check((double)count >= least * COUNT, "%s, %s: %s in %zu of %d only", function, name,
                what, count, COUNT);
}

static void check_all(const char *function, const char *name, const char *what,
                      bool (*holds)(const double *))
{
    check_share(function, name, what, holds, 1);
}

/* Domains */

static void each_is_described(void)
{
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        CU_ASSERT_PTR_NOT_NULL(domains);
        if (!domains) {
            continue;
        }
        suite_check(domains->count >= 5 && domains->typical < domains->count &&
                        domains->hardest < domains->count && domains->typical != domains->hardest,
                    "%s: %zu domains", catalog[f]->name, domains->count);
        suite_check(strcmp(domains->list[domains->typical].name, "typical") == 0, "%s",
                    catalog[f]->name);
        suite_check(domains->axis.low < domains->axis.high && domains->axis.label[0] != '\0', "%s",
                    catalog[f]->name);
        for (size_t d = 0; d < domains->count; d++) {
            const struct domain *domain = &domains->list[d];
            bool plain =
                strspn(domain->name, "abcdefghijklmnopqrstuvwxyz_") == strlen(domain->name);
            suite_check(plain && domain->name[0] != '\0', "%s: \"%s\"", catalog[f]->name,
                        domain->name);
            suite_check(strlen(domain->summary) > 10 && !strchr(domain->summary, '\n'), "%s",
                        domain->name);
            for (size_t e = 0; e < d; e++) {
                suite_check(strcmp(domain->name, domains->list[e].name) != 0, "two domains %s",
                            domain->name);
            }
        }
    }
}

/* Those that hold what is not a number. */
static bool is_special(const char *domain)
{
    return strcmp(domain, "any") == 0 || strcmp(domain, "boundary") == 0 ||
           strcmp(domain, "special_data") == 0 || strcmp(domain, "unusable") == 0;
}

static void only_special_ones_draw_what_is_not_a_number(void)
{
    struct values inputs = {0};
    for (size_t f = 0; f < catalog_count; f++) {
        const struct function *function = catalog[f];
        const struct domains *domains = domains_of(function);
        for (size_t d = 0; d < domains->count; d++) {
            size_t not_finite = 0;
            for (uint64_t i = 0; i < COUNT; i++) {
                draw_case(5, function, &domains->list[d], i, &inputs);
                suite_check(inputs.count == function->input_count, "%s has %zu inputs",
                            function->name, inputs.count);
                for (size_t k = 0; k < inputs.start[inputs.count]; k++) {
                    not_finite += !isfinite(inputs.number[k]);
                }
            }
            bool special = is_special(domains->list[d].name);
            suite_check(special ? not_finite > COUNT / 4 : not_finite == 0,
                        "%s, %s: %zu are not finite", function->name, domains->list[d].name,
                        not_finite);
        }
    }
    values_free(&inputs);
}

/* A domain is worth little if its cases are hardly seen in the plot, or all in one place. */
static void the_axis_shows_typical_cases(void)
{
    struct values inputs = {0};
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        const struct axis *axis = &domains->axis;
        double low = INFINITY, high = -INFINITY;
        for (uint64_t i = 0; i < COUNT; i++) {
            draw_case(6, catalog[f], &domains->list[domains->typical], i, &inputs);
            double x = axis->parameter(&inputs);
            suite_check(!isnan(x), "%s: a typical case is not plotted", catalog[f]->name);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        suite_check(high > axis->low && low < axis->high && high > low, "%s: [%g, %g]",
                    catalog[f]->name, low, high);
    }
    values_free(&inputs);
}

static double parameter(const char *function, const double *numbers)
{
    const struct function *f = catalog_find(function);
    struct values inputs = {0};
    memcpy(values_numbers(&inputs, f->input_count), numbers, f->input_count * sizeof *numbers);
    double x = domains_of(f)->axis.parameter(&inputs);
    values_free(&inputs);
    return x;
}

static void axes_measure_what_they_say(void)
{
    static const struct {
        const char *function;
        double numbers[7];
        double wanted;
    } cases[] = {
        {"lerp", {1, 2, 0.3}, 0.3},
        {"lerp_cr", {1, 2, -5}, -5},
        {"hermite", {1, 0, 0, 3, 0, 0, 1.5}, 0.25},
        {"hermite", {1, 0, 0, 3, 0, 0, 3}, 1},
        {"hermite", {-DBL_MAX, 0, 0, DBL_MAX, 0, 0, 0}, 0.5},
        {"hermite", {0, 0, 0, 4 * 0x1p-1074, 0, 0, 0x1p-1074}, 0.25},
        {"hermite", {1, 0, 0, 1, 0, 0, 1}, NAN},
        {"hermite_coefficients", {1, 3, 2, 3, -5, 6}, 1}, /* 2 (2 + 6) / (3 + 5) */
        {"hermite_coefficients", {0, 1, 0, 1, 0, 0}, -INFINITY},
        {"hermite_coefficients", {-DBL_MAX, 1, 1, DBL_MAX, 0, 0}, 1024},
        {"cubic_roots", {1, 0, 0, 1}, 0},
        {"cubic_roots", {1, -6, 11, -6}, -12.48708634027127}, /* 4 of 22964 */
        {"cubic_roots", {0x1p600, -6 * 0x1p300, 11, -6 * 0x1p-300}, -12.48708634027127},
        {"cubic_roots", {1, 0, -3, 2}, -INFINITY},
        {"cubic_roots", {0, 1, 2, 3}, NAN},
        {"cubic_roots", {1, 2, 3, 0}, NAN},
        {"slerp3", {1, 0, 0, 0, 5, 0, 0.5}, 0},
        {"slerp3", {1, 1, 0, 0, 0x1p-1070, 0, 0.5}, -1.584962500721156}, /* pi/4 to 3 pi/4 */
        {"slerp3", {0x1p900, 0x1p900, 0, 0, -1, 0, 0.5}, 1.584962500721156},
        {"slerp3", {1, 0, 0, 1, 0x1p-1000, 0, 0.5}, -1001.6514961294723}, /* 2^-1000 to pi */
        {"slerp3", {1, 0, 0, -1, 0x1p-1000, 0, 0.5}, 1001.6514961294723},
        {"slerp3", {1, 2, 3, 2, 4, 6, 0.5}, -INFINITY},
        {"slerp3", {1, 2, 3, -2, -4, -6, 0.5}, INFINITY},
        {"slerp3", {0, 0, 0, 2, 4, 6, 0.5}, NAN},
        {"slerp3", {INFINITY, 0, 0, 2, 4, 6, 0.5}, NAN},
        {"slerp3", {1, NAN, 0, 2, 4, 6, 0.5}, NAN},
        {"slerp3_unclamped", {1, 0, 0, 0, 5, 0, 0.5}, 0.5849625007211562},
        {"slerp3_unclamped", {1, 0, 0, 0, 5, 0, -7}, -3},
        {"slerp3_unclamped", {1, 0, 0, 0, 5, 0, NAN}, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x = parameter(cases[i].function, cases[i].numbers);
        double wanted = cases[i].wanted;
        bool good = isnan(wanted) ? isnan(x) : x == wanted || fabs(x - wanted) <= 1e-12;
        suite_check(good, "%s, case %zu: %.17g, not %.17g", cases[i].function, i, x, wanted);
    }
}

/* lerp */

static mpq_t value, scale, other;

static void set_lerp(const double *in)
{
    rational_lerp(value, scale, in[0], in[1], in[2]);
}

/* |value| < 2^-bits scale */
static bool is_cancelled(int bits)
{
    mpq_abs(value, value);
    mpq_mul_2exp(value, value, (mp_bitcnt_t)bits);
    return mpq_cmp(value, scale) < 0;
}

static bool lerp_strictly_inside(const double *in)
{
    return 0 < in[2] && in[2] < 1 && fabs(in[0]) <= 100 && fabs(in[1]) <= 100;
}

static bool lerp_differs(const double *in)
{
    return in[0] != in[1];
}

static bool lerp_extrapolates(const double *in)
{
    return in[2] < 0 || in[2] > 1;
}

static bool lerp_cancels_by_40_bits(const double *in)
{
    set_lerp(in);
    return is_cancelled(40);
}

static bool lerp_cancels_by_some_bits(const double *in)
{
    set_lerp(in);
    return is_cancelled(3) && !is_cancelled(40);
}

/* |(1-t) a| / |t b| within a factor of 2^9 */
static bool lerp_terms_alike(const double *in)
{
    set_lerp(in);
    mpq_set_d(value, in[1]);
    mpq_set_d(other, in[2]);
    mpq_mul(value, value, other);
    mpq_abs(value, value);
    mpq_sub(other, scale, value);
    if (mpq_cmp(value, other) > 0) {
        mpq_swap(value, other);
    }
    mpq_mul_2exp(value, value, 9);
    return mpq_cmp(value, other) >= 0;
}

static bool lerp_misses_b(const double *in)
{
    double wrong = in[0] + in[2] * (in[1] - in[0]);
    set_lerp(in);
    return !rational_within(wrong, value, scale, 2);
}

static bool lerp_difference_overflows(const double *in)
{
    return isinf(in[1] - in[0]);
}

static bool lerp_result_overflows(const double *in)
{
    set_lerp(in);
    return isinf(rational_round(value));
}

static bool lerp_result_is_subnormal(const double *in)
{
    set_lerp(in);
    double result = rational_round(value);
    return fabs(result) < DBL_MIN;
}

static bool lerp_same_ends(const double *in)
{
    return in[0] == in[1];
}

static bool lerp_next_ends(const double *in)
{
    return nextafter(in[0], in[1]) == in[1] && in[0] != in[1];
}

/* Leaves twice the distance of F from the nearest point halfway between doubles, in units of their
 * difference, in `value`. Returns false beyond the range. */
static bool set_distance_from_tie(const double *in)
{
    set_lerp(in);
    mpq_abs(value, value);
    mpz_set_ui(mpq_denref(other), 1);
    mpz_ui_pow_ui(mpq_numref(other), 2, 1024);
    if (mpq_cmp(value, other) >= 0) {
        return false;
    }
    double below = mpq_get_d(value); /* towards 0 */
    int exponent = below < DBL_MIN ? -1074 : ilogb(below) - 52;
    mpq_set_d(other, below);
    mpq_sub(value, value, other);
    mpq_set_d(other, ldexp(1, exponent));
    mpq_div(value, value, other);
    mpq_mul_2exp(value, value, 1);
    mpq_set_ui(other, 1, 1);
    mpq_sub(value, value, other);
    mpq_abs(value, value);
    return true;
}

static bool lerp_is_tie(const double *in)
{
    return set_distance_from_tie(in) && mpq_sgn(value) == 0;
}

/* Beside a tie, but by less than 2^-bits of the last bit. */
static bool is_beside_tie(const double *in, int bits)
{
    if (!set_distance_from_tie(in) || mpq_sgn(value) == 0) {
        return false;
    }
    mpq_mul_2exp(value, value, (mp_bitcnt_t)bits);
    mpq_set_ui(other, 1, 1);
    return mpq_cmp(value, other) < 0;
}

static bool lerp_beside_tie_by_4_bits(const double *in)
{
    return is_beside_tie(in, 4);
}

static bool lerp_beside_tie_by_40_bits(const double *in)
{
    return is_beside_tie(in, 40);
}

static bool lerp_beside_tie_by_1000_bits(const double *in)
{
    return is_beside_tie(in, 1000);
}

static bool lerp_tie_or_beside(const double *in)
{
    return is_beside_tie(in, 1) || lerp_is_tie(in);
}

/* -1, 0 or 1: |F| below, at or above 2^1024 - 2^970 */
static int against_threshold(const double *in)
{
    set_lerp(in);
    mpq_abs(value, value);
    mpq_set_d(other, DBL_MAX);
    mpq_set_d(scale, 0x1p970);
    mpq_add(other, other, scale);
    return mpq_cmp(value, other);
}

static bool lerp_below_threshold(const double *in)
{
    return against_threshold(in) < 0;
}

static bool lerp_at_threshold(const double *in)
{
    return against_threshold(in) == 0;
}

static bool lerp_above_threshold(const double *in)
{
    return against_threshold(in) > 0;
}

static void domains_of_lerp(void)
{
    static const char *const functions[] = {"lerp", "lerp_cr"};
    for (size_t i = 0; i < 2; i++) {
        const char *f = functions[i];
        check_all(f, "typical", "0 < t < 1 and values to 100", lerp_strictly_inside);
        check_share(f, "any_finite", "0 < t < 1", lerp_differs, 0.9);
        check_share(f, "near_ends", "a + t (b - a) is wrong", lerp_misses_b, 0.15);
        check_share(f, "balanced", "the terms are alike", lerp_terms_alike, 0.75);
        check_share(f, "cancelling", "F < 2^-40 S", lerp_cancels_by_40_bits, 0.4);
        check_share(f, "cancelling", "F < 2^-3 S", lerp_cancels_by_some_bits, 0.2);
        check_share(f, "neighbours", "a = b", lerp_same_ends, 0.08);
        check_share(f, "neighbours", "a next to b", lerp_next_ends, 0.15);
        check_share(f, "huge", "b - a overflows", lerp_difference_overflows, 0.15);
        check_share(f, "huge", "F overflows", lerp_result_overflows, 0.03);
        check_share(f, "subnormal", "F is subnormal", lerp_result_is_subnormal, 0.6);
        check_share(f, "extrapolation", "t outside [0, 1]", lerp_extrapolates, 0.95);
        check_all(f, "ties", "F is halfway", lerp_is_tie);
        check_share(f, "ties", "t outside [0, 1]", lerp_extrapolates, 0.05);
        check_all(f, "near_ties", "F is nearly halfway or by a quarter", lerp_tie_or_beside);
        check_share(f, "near_ties", "F beside halfway by 2^-40", lerp_beside_tie_by_40_bits, 0.1);
        check_share(f, "subnormal_ties", "F is halfway", lerp_is_tie, 0.4);
        check_share(f, "subnormal_ties", "F beside halfway", lerp_beside_tie_by_4_bits, 0.25);
        check_share(f, "subnormal_ties", "F beside by 2^-40", lerp_beside_tie_by_40_bits, 0.02);
        check_share(f, "beside_ties", "F beside halfway", lerp_beside_tie_by_4_bits, 0.95);
        check_share(f, "beside_ties", "by 2^-40", lerp_beside_tie_by_40_bits, 0.4);
        check_share(f, "beside_ties", "by 2^-1000", lerp_beside_tie_by_1000_bits, 0.1);
        check_share(f, "overflow_threshold", "F below", lerp_below_threshold, 0.2);
        check_share(f, "overflow_threshold", "F at", lerp_at_threshold, 0.2);
        check_share(f, "overflow_threshold", "F above", lerp_above_threshold, 0.2);
        check_share(f, "overflow_threshold", "beside by 2^-40", lerp_beside_tie_by_40_bits, 0.1);
    }
}

static bool same(double x, double y)
{
    return isnan(y) ? isnan(x) : x == y && signbit(x) == signbit(y);
}

/* Every combination of these within one round of samples. */
static void the_boundary_of_lerp_is_whole(void)
{
    static const double values[] = {0.0,       -0.0,       1.0,     -1.0,
                                    0x1p-1074, -0x1p-1074, DBL_MIN, DBL_MIN - 0x1p-1074,
                                    DBL_MAX,   -DBL_MAX,   NAN,     INFINITY,
                                    -INFINITY};
    static const double times[] = {0.0,       -0.0,       1.0,       1 - 0x1p-53, 1 + 0x1p-52,
                                   0x1p-1074, -0x1p-1074, 0.5,       -1.0,        2.0,
                                   NAN,       INFINITY,   -INFINITY, DBL_MAX,     -DBL_MAX};
    enum { VALUES = sizeof values / sizeof *values, LERP_TIMES = sizeof times / sizeof *times };
    static double drawn[COUNT][3];
    const struct domain *domain = domain_of("lerp", "boundary");
    struct values inputs = {0};
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(1, catalog_find("lerp"), domain, i, &inputs);
        memcpy(drawn[i], inputs.number, sizeof drawn[i]);
    }
    values_free(&inputs);
    for (size_t k = 0; k < (size_t)VALUES * VALUES * LERP_TIMES; k++) {
        double a = values[k % VALUES], b = values[k / VALUES % VALUES];
        double t = times[k / VALUES / VALUES];
        bool found = false;
        for (size_t i = 0; !found && i < COUNT; i++) {
            found = same(drawn[i][0], a) && same(drawn[i][1], b) && same(drawn[i][2], t);
        }
        suite_check(found, "%a, %a, %a is not drawn", a, b, t);
    }
}

/* hermite */

static struct segment segment_of(const double *in)
{
    return (struct segment){in[0], in[1], in[2], in[3], in[4], in[5]};
}

static bool hermite_strictly_inside(const double *in)
{
    return in[0] < in[6] && in[6] < in[3];
}

static bool hermite_inside(const double *in)
{
    return in[0] < in[3] && in[0] <= in[6] && in[6] <= in[3];
}

static bool hermite_typical(const double *in)
{
    return 0 <= in[0] && in[0] < in[3] && in[3] < 70 && fabs(in[1]) <= 360 && fabs(in[4]) <= 360;
}

static void set_hermite(const double *in)
{
    struct segment segment = segment_of(in);
    rational_hermite(value, &segment, in[6]);
    rational_hermite_scale(scale, &segment, in[6]);
}

static bool hermite_cancels_by_40_bits(const double *in)
{
    set_hermite(in);
    return hermite_strictly_inside(in) && is_cancelled(40);
}

/* ... and S is beyond the range. */
static bool hermite_cancels_beyond(const double *in)
{
    return hermite_cancels_by_40_bits(in) && isinf(rational_round(scale));
}

static bool hermite_positive_beyond(const double *in)
{
    set_hermite(in);
    return hermite_strictly_inside(in) && rational_round(value) == INFINITY;
}

static bool hermite_negative_beyond(const double *in)
{
    set_hermite(in);
    return hermite_strictly_inside(in) && rational_round(value) == -INFINITY;
}

static bool hermite_cancels_into_the_range(const double *in)
{
    set_hermite(in);
    return hermite_strictly_inside(in) && isfinite(rational_round(value)) &&
           isinf(rational_round(scale));
}

/* At x = 1/2 the values count half and the slopes times the duration an eighth. */
static bool hermite_terms_alike(const double *in)
{
    int exponents[4];
    frexp(in[1], &exponents[0]);
    frexp(in[4], &exponents[1]);
    int duration, slope;
    frexp(in[3] / 2 - in[0] / 2, &duration);
    frexp(in[2], &slope);
    exponents[2] = duration + 1 + slope;
    frexp(in[5], &slope);
    exponents[3] = duration + 1 + slope;
    int least = 5000, most = -5000;
    for (int i = 0; i < 4; i++) {
        least = exponents[i] < least ? exponents[i] : least;
        most = exponents[i] > most ? exponents[i] : most;
    }
    return most - least <= 84;
}

static bool hermite_near_an_end(const double *in)
{
    double h = in[3] - in[0];
    return hermite_strictly_inside(in) &&
           (in[6] - in[0] < h * 0x1p-4 || in[3] - in[6] < h * 0x1p-4);
}

static bool hermite_next_to_an_end(const double *in)
{
    double first = in[0], last = in[3];
    for (int i = 0; i < 8; i++) {
        first = nextafter(first, INFINITY);
        last = nextafter(last, -INFINITY);
        if (in[6] == first || in[6] == last) {
            return true;
        }
    }
    return false;
}

static bool hermite_far_from_zero(const double *in)
{
    return fabs(in[0]) >= 1e6 && in[3] - in[0] < 1;
}

static bool hermite_few_doubles(const double *in)
{
    double time = in[0];
    for (int i = 0; i < 8 && time < in[3]; i++) {
        time = nextafter(time, INFINITY);
    }
    return time >= in[3];
}

static bool hermite_tiny(const double *in)
{
    return in[0] < in[3] && (in[3] - in[0] <= 2e-12 || hermite_few_doubles(in));
}

static bool hermite_duration_overflows(const double *in)
{
    return isinf(in[3] - in[0]);
}

static bool hermite_term_overflows(const double *in)
{
    return isinf((in[3] - in[0]) * in[2]) || isinf((in[3] - in[0]) * in[5]);
}

static bool hermite_term_overflows_result_does_not(const double *in)
{
    if (!hermite_term_overflows(in) || !hermite_strictly_inside(in)) {
        return false;
    }
    set_hermite(in);
    return isfinite(rational_round(value));
}

static bool hermite_subnormal(const double *in)
{
    if (!hermite_strictly_inside(in)) {
        return false;
    }
    set_hermite(in);
    return fabs(rational_round(value)) < DBL_MIN || in[3] - in[0] < DBL_MIN;
}

static bool hermite_steep(const double *in)
{
    double h = in[3] - in[0];
    return fabs(h * in[2]) > 0x1p20 * (fabs(in[1]) + fabs(in[4]));
}

static bool hermite_shallow(const double *in)
{
    double h = in[3] - in[0];
    return fabs(h * in[2]) + fabs(h * in[5]) < 0x1p-20 * (fabs(in[1]) + fabs(in[4]));
}

static bool hermite_constant(const double *in)
{
    return in[1] == in[4] && in[2] == 0 && in[5] == 0;
}

static bool hermite_line(const double *in)
{
    return in[2] == in[5] && fabs(in[2] * (in[3] - in[0]) - (in[4] - in[1])) < 1e-9;
}

static bool lasts_not_one_second(const double *in)
{
    double h = in[3] - in[0];
    return h < 0.9 || h > 1.1;
}

static void domains_of_hermite(void)
{
    const char *f = "hermite";
    check_all(f, "typical", "a minute's time and values to 360", hermite_typical);
    check_share(f, "typical", "t strictly inside", hermite_strictly_inside, 0.99);
    check_share(f, "typical", "the duration is not 1", lasts_not_one_second, 0.7);
    check_share(f, "any_finite", "t strictly inside", hermite_strictly_inside, 0.6);
    check_share(f, "near_ends", "t near an end", hermite_near_an_end, 0.7);
    check_share(f, "near_ends", "t next to an end", hermite_next_to_an_end, 0.15);
    check_all(f, "mixed_exponents", "terms alike", hermite_terms_alike);
    check_share(f, "mixed_exponents", "t strictly inside", hermite_strictly_inside, 0.7);
    check_share(f, "cancelling", "F < 2^-40 S", hermite_cancels_by_40_bits, 0.3);
    check_share(f, "cancelling_beyond", "F < 2^-40 S, S overflows", hermite_cancels_beyond, 0.3);
    check_share(f, "cancelling_beyond", "F overflows", hermite_positive_beyond, 0.15);
    check_share(f, "cancelling_beyond", "-F overflows", hermite_negative_beyond, 0.15);
    check_share(f, "cancelling_beyond", "S overflows, F does not", hermite_cancels_into_the_range,
                0.2);
    check_share(f, "cancelling_beyond", "t1 - t0 overflows", hermite_duration_overflows, 0.05);
    check_all(f, "large_offset", "far from 0", hermite_far_from_zero);
    check_share(f, "large_offset", "few doubles", hermite_few_doubles, 0.4);
    check_share(f, "large_offset", "t strictly inside", hermite_strictly_inside, 0.6);
    check_all(f, "tiny_segment", "tiny", hermite_tiny);
    check_share(f, "tiny_segment", "few doubles", hermite_few_doubles, 0.2);
    check_share(f, "tiny_segment", "t strictly inside", hermite_strictly_inside, 0.5);
    check_share(f, "huge", "t1 - t0 overflows", hermite_duration_overflows, 0.15);
    check_share(f, "huge", "a term overflows", hermite_term_overflows, 0.2);
    check_share(f, "huge", "a term overflows, F does not", hermite_term_overflows_result_does_not,
                0.1);
    check_share(f, "subnormal", "F or h is subnormal", hermite_subnormal, 0.4);
    check_share(f, "steep", "slopes prevail", hermite_steep, 0.1);
    check_share(f, "steep", "values prevail", hermite_shallow, 0.1);
    check_share(f, "straight", "constant", hermite_constant, 0.4);
    check_share(f, "straight", "a line", hermite_line, 0.9);
    static const char *const inside[] = {"near_ends",    "mixed_exponents",
                                         "cancelling",   "cancelling_beyond",
                                         "large_offset", "tiny_segment",
                                         "huge",         "subnormal",
                                         "steep",        "straight"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        check_all(f, inside[i], "t inside", hermite_inside);
    }
}

/* Of a or b, |value| < 2^-40 S, and where `beyond` holds, S is beyond the range. */
static bool has_cancelled_coefficient(const double *in, bool beyond)
{
    mpq_t values[4], scales[4];
    struct segment segment = segment_of(in);
    for (int i = 0; i < 4; i++) {
        mpq_init(values[i]);
        mpq_init(scales[i]);
    }
    rational_coefficients(values, scales, &segment);
    bool cancelled = false;
    for (int i = 0; i < 2; i++) {
        mpq_set(value, values[i]);
        mpq_set(scale, scales[i]);
        cancelled |= is_cancelled(40) && (!beyond || isinf(rational_round(scale)));
    }
    for (int i = 0; i < 4; i++) {
        mpq_clear(values[i]);
        mpq_clear(scales[i]);
    }
    return cancelled;
}

static bool coefficients_cancel(const double *in)
{
    return has_cancelled_coefficient(in, false);
}

static bool coefficients_cancel_beyond(const double *in)
{
    return has_cancelled_coefficient(in, true);
}

static bool keys_backwards(const double *in)
{
    return in[0] > in[3];
}

static bool keys_at_one_time(const double *in)
{
    return in[0] == in[3];
}

static void domains_of_hermite_coefficients(void)
{
    const char *f = "hermite_coefficients";
    check_all(f, "typical", "a minute's time and values to 360", hermite_typical);
    check_all(f, "mixed_exponents", "terms alike", hermite_terms_alike);
    check_share(f, "cancelling", "a or b < 2^-40 S", coefficients_cancel, 0.4);
    check_share(f, "cancelling_beyond", "a or b < 2^-40 S, which overflows",
                coefficients_cancel_beyond, 0.4);
    check_all(f, "large_offset", "far from 0", hermite_far_from_zero);
    check_all(f, "tiny_segment", "tiny", hermite_tiny);
    check_share(f, "huge", "t1 - t0 overflows", hermite_duration_overflows, 0.15);
    check_share(f, "huge", "a term overflows", hermite_term_overflows, 0.2);
    check_share(f, "straight", "constant", hermite_constant, 0.4);
    check_share(f, "backwards", "first key last", keys_backwards, 0.6);
    check_share(f, "backwards", "keys at one time", keys_at_one_time, 0.15);
}

/* Rules of hermite by what they look at, in the contract's order. */
static size_t rule_of(const double *in)
{
    double t0 = in[0], t1 = in[3], t = in[6];
    enum { T_NAN, T0_NAN, T1_NAN, BACKWARDS, JUMP, AT_T1, AFTER, INFINITE_AFTER, AT_T0, BEFORE };
    enum { INFINITE_BEFORE = BEFORE + 1, INFINITE_TIMES, NEXT_AFTER_T0, NEXT_BEFORE_T1, INSIDE };
    if (isnan(t) || isnan(t0) || isnan(t1)) {
        return isnan(t) ? T_NAN : isnan(t0) ? T0_NAN : T1_NAN;
    }
    if (t0 > t1) {
        return BACKWARDS;
    }
    if (t0 == t1 && t == t0) {
        return JUMP;
    }
    if (t >= t1) {
        return isinf(t) ? INFINITE_AFTER : t == t1 ? AT_T1 : AFTER;
    }
    if (t <= t0) {
        return isinf(t) ? INFINITE_BEFORE : t == t0 ? AT_T0 : BEFORE;
    }
    if (isinf(t0) || isinf(t1)) {
        return INFINITE_TIMES;
    }
    return t == nextafter(t0, t1)   ? NEXT_AFTER_T0
           : t == nextafter(t1, t0) ? NEXT_BEFORE_T1
                                    : INSIDE;
}

enum { RULES = 15, KINDS = 6 };

static size_t kind_of(const double *in)
{
    const double data[] = {in[1], in[2], in[4], in[5]};
    size_t nans = 0, zeros = 0;
    for (int i = 0; i < 4; i++) {
        nans += isnan(data[i]);
        zeros += data[i] == 0;
    }
    if (nans > 0) {
        return nans == 4 ? 0 : 1;
    }
    if (isinf(in[2]) || isinf(in[5])) {
        return 2;
    }
    if (isinf(in[1]) || isinf(in[4])) {
        return 3;
    }
    return zeros == 4 ? 4 : 5;
}

/* Each rule with each kind of data. */
static void the_boundary_of_hermite_is_whole(void)
{
    size_t met[RULES][KINDS] = {{0}};
    const struct domain *domain = domain_of("hermite", "boundary");
    struct values inputs = {0};
    for (uint64_t i = 0; i < COUNT / 4; i++) {
        draw_case(1, catalog_find("hermite"), domain, i, &inputs);
        met[rule_of(inputs.number)][kind_of(inputs.number)]++;
    }
    for (size_t rule = 0; rule < RULES; rule++) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            suite_check(met[rule][kind] > 0, "rule %zu with data %zu is not drawn", rule, kind);
        }
    }
    values_free(&inputs);
}

static size_t special_kind(double x)
{
    return isnan(x) ? 0 : isinf(x) ? 1 : x == 0 ? 2 : fabs(x) == DBL_MAX ? 3 : 4;
}

static void special_data_of_hermite_are_whole(void)
{
    enum { COMBINATIONS = 5 * 5 * 5 * 5 * 3 };
    static size_t met[COMBINATIONS];
    const struct domain *domain = domain_of("hermite", "special_data");
    struct values inputs = {0};
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(1, catalog_find("hermite"), domain, i, &inputs);
        const double *in = inputs.number;
        size_t combination = in[6] == in[0] ? 0 : in[6] == in[3] ? 1 : 2;
        combination = combination * 5 + special_kind(in[1]);
        combination = combination * 5 + special_kind(in[2]);
        combination = combination * 5 + special_kind(in[4]);
        combination = combination * 5 + special_kind(in[5]);
        met[combination]++;
    }
    size_t missing = 0;
    for (size_t i = 0; i < COMBINATIONS; i++) {
        missing += met[i] == 0;
    }
    suite_check(missing == 0, "%zu combinations are not drawn", missing);
    values_free(&inputs);
}

/* slerp */

enum { EXACT = 4400, BITS = 128 }; /* products of doubles and their sums are exact */

static mpfr_t minor, dot; /* exact */
static mpfr_t cross_length, length_a, length_b, term;

static void add_square(mpfr_t sum, const mpfr_t x)
{
    mpfr_sqr(term, x, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
}

static void multiply(mpfr_t product, double x, double y)
{
    mpfr_set_d(product, x, MPFR_RNDN);
    mpfr_mul_d(product, product, y, MPFR_RNDN);
}

/* |a x b|, a . b, |a| and |b|. */
static void set_slerp(const double *in)
{
    mpfr_t product;
    mpfr_init2(product, BITS);
    mpfr_set_zero(cross_length, 1);
    mpfr_set_zero(dot, 1);
    mpfr_set_zero(length_a, 1);
    mpfr_set_zero(length_b, 1);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        multiply(minor, in[i], in[3 + j]);
        multiply(product, in[j], in[3 + i]);
        mpfr_sub(minor, minor, product, MPFR_RNDN);
        add_square(cross_length, minor);
        multiply(product, in[i], in[3 + i]);
        mpfr_add(dot, dot, product, MPFR_RNDN);
        mpfr_set_d(product, in[i], MPFR_RNDN);
        add_square(length_a, product);
        mpfr_set_d(product, in[3 + i], MPFR_RNDN);
        add_square(length_b, product);
    }
    mpfr_sqrt(cross_length, cross_length, MPFR_RNDN);
    mpfr_sqrt(length_a, length_a, MPFR_RNDN);
    mpfr_sqrt(length_b, length_b, MPFR_RNDN);
    mpfr_clear(product);
}

/* log10 of the angle from the nearer of 0 and pi; -infinity if it is none. */
static double angle_decade(const double *in)
{
    set_slerp(in);
    mpfr_abs(term, dot, MPFR_RNDN);
    mpfr_atan2(term, cross_length, term, MPFR_RNDN);
    mpfr_log10(term, term, MPFR_RNDN);
    return mpfr_get_d(term, MPFR_RNDN);
}

static bool slerp_strictly_inside(const double *in)
{
    return 0 < in[6] && in[6] < 1;
}

static bool slerp_everyday_lengths(const double *in)
{
    set_slerp(in);
    return mpfr_cmp_d(length_a, 0.09) > 0 && mpfr_cmp_d(length_b, 0.09) > 0 &&
           mpfr_cmp_d(length_a, 11) < 0 && mpfr_cmp_d(length_b, 11) < 0;
}

static bool slerp_unit(const double *in)
{
    set_slerp(in);
    mpfr_sub_d(length_a, length_a, 1, MPFR_RNDN);
    mpfr_sub_d(length_b, length_b, 1, MPFR_RNDN);
    return mpfr_cmpabs(length_a, length_b) <= 0 ? mpfr_cmp_d(length_b, 1e-15) < 0
                                                : mpfr_cmp_d(length_a, 1e-15) < 0;
}

static bool slerp_acute(const double *in)
{
    set_slerp(in);
    return mpfr_sgn(dot) > 0;
}

static bool slerp_obtuse(const double *in)
{
    set_slerp(in);
    return mpfr_sgn(dot) < 0;
}

static bool slerp_collinear(const double *in)
{
    set_slerp(in);
    return mpfr_zero_p(cross_length) && !mpfr_zero_p(dot);
}

static bool slerp_not_quite_collinear(const double *in)
{
    double decade = angle_decade(in);
    return decade < -14 && decade > -INFINITY;
}

static bool slerp_below_one_in_1e300(const double *in)
{
    double decade = angle_decade(in);
    return decade < -300 && decade > -INFINITY;
}

static bool slerp_of_middling_angle(const double *in)
{
    double decade = angle_decade(in);
    return decade > -8 && decade < -1;
}

/* b is no power of two times a. */
static bool slerp_no_power_of_two(const double *in)
{
    int exponent;
    for (int i = 0; i < 3; i++) {
        if (in[i] != 0) {
            return fabs(frexp(in[3 + i] / in[i], &exponent)) != 0.5;
        }
    }
    return false;
}

/* Which component of the first vector is the smallest is a tie. */
static bool slerp_smallest_is_a_tie(const double *in)
{
    double x = fabs(in[0]), y = fabs(in[1]), z = fabs(in[2]);
    double least = fmin(x, fmin(y, z));
    return (x == least) + (y == least) + (z == least) > 1;
}

static bool slerp_dot_above_one(const double *in)
{
    return fabs(in[0] * in[3] + in[1] * in[4] + in[2] * in[5]) > 1;
}

static bool slerp_square_overflows(const double *in)
{
    return isinf(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]);
}

static bool slerp_square_underflows(const double *in)
{
    return in[0] * in[0] + in[1] * in[1] + in[2] * in[2] < DBL_MIN;
}

static bool slerp_is_subnormal(const double *in)
{
    return fabs(in[0]) < DBL_MIN && fabs(in[1]) < DBL_MIN && fabs(in[2]) < DBL_MIN;
}

static bool slerp_lengths_apart(const double *in)
{
    set_slerp(in);
    mpfr_div(term, length_a, length_b, MPFR_RNDN);
    return mpfr_get_exp(term) > 100 || mpfr_get_exp(term) < -100;
}

static bool slerp_components_apart(const double *in)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < 3; i++) {
        least = fmin(least, fabs(in[i]));
        most = fmax(most, fabs(in[i]));
    }
    return most * 0x1p-60 > least;
}

static bool slerp_near_t_end(const double *in)
{
    return slerp_strictly_inside(in) && (in[6] < 0.07 || in[6] > 0.93);
}

static bool slerp_extrapolates(const double *in)
{
    return in[6] < 0 || in[6] > 1;
}

/* The sine or the cosine of t theta is below 2^-20. */
static bool slerp_at_quarter_turn(const double *in)
{
    set_slerp(in);
    mpfr_atan2(term, cross_length, dot, MPFR_RNDN);
    mpfr_mul_d(term, term, in[6], MPFR_RNDN);
    mpfr_t sine, cosine;
    mpfr_inits2(100, sine, cosine, (mpfr_ptr)0);
    mpfr_sin_cos(sine, cosine, term, MPFR_RNDN);
    bool near = fabs(mpfr_get_d(sine, MPFR_RNDN)) < 0x1p-20 ||
                fabs(mpfr_get_d(cosine, MPFR_RNDN)) < 0x1p-20;
    mpfr_clears(sine, cosine, (mpfr_ptr)0);
    return near;
}

/* Every decade of the angle down to 1e-300 has its cases. */
static void check_decades(const char *function, const char *name, bool (*side)(const double *))
{
    enum { DECADES = 300 };
    size_t met[DECADES] = {0};
    const struct domain *domain = domain_of(function, name);
    struct values inputs = {0};
    for (uint64_t i = 0; i < COUNT; i++) {
        draw_case(2, catalog_find(function), domain, i, &inputs);
        suite_check(side(inputs.number), "%s, %s: on the other side", function, name);
        double decade = -angle_decade(inputs.number);
        if (decade >= 0 && decade < DECADES) {
            met[(size_t)decade]++;
        }
    }
    for (size_t i = 0; i < DECADES; i++) {
        suite_check(met[i] > 0, "%s, %s: no angle from 1e-%zu to 1e-%zu", function, name, i + 1, i);
    }
    values_free(&inputs);
}

static void domains_of_slerp(void)
{
    static const char *const functions[] = {"slerp3", "slerp3_unclamped"};
    for (size_t i = 0; i < 2; i++) {
        const char *f = functions[i];
        check_all(f, "typical", "0 < t < 1", slerp_strictly_inside);
        check_all(f, "typical", "lengths from 0.1 to 10", slerp_everyday_lengths);
        check_share(f, "typical", "unit vectors", slerp_unit, 0.4);
        check_share(f, "typical", "acute", slerp_acute, 0.4);
        check_share(f, "typical", "obtuse", slerp_obtuse, 0.4);
        check_decades(f, "near_parallel", slerp_acute);
        check_decades(f, "near_opposite", slerp_obtuse);
        check_share(f, "near_parallel", "angle below 1e-300", slerp_below_one_in_1e300, 0.01);
        check_share(f, "near_opposite", "angle below 1e-300", slerp_below_one_in_1e300, 0.01);
        check_share(f, "near_parallel", "1e-8 to 0.1", slerp_of_middling_angle, 0.15);
        check_share(f, "near_opposite", "1e-8 to 0.1", slerp_of_middling_angle, 0.15);
        check_all(f, "same_direction", "collinear", slerp_collinear);
        check_all(f, "same_direction", "acute", slerp_acute);
        check_share(f, "same_direction", "no power of two", slerp_no_power_of_two, 0.3);
        check_all(f, "exactly_opposite", "collinear", slerp_collinear);
        check_all(f, "exactly_opposite", "obtuse", slerp_obtuse);
        check_share(f, "exactly_opposite", "no power of two", slerp_no_power_of_two, 0.3);
        check_share(f, "exactly_opposite", "smallest is a tie", slerp_smallest_is_a_tie, 0.05);
        check_share(f, "exactly_opposite", "components apart", slerp_components_apart, 0.3);
        check_share(f, "neighbours", "nearly collinear", slerp_not_quite_collinear, 0.7);
        check_share(f, "neighbours", "acute", slerp_acute, 0.3);
        check_share(f, "neighbours", "obtuse", slerp_obtuse, 0.3);
        check_all(f, "normalised", "unit vectors", slerp_unit);
        check_share(f, "normalised", "|a.b| above 1", slerp_dot_above_one, 0.05);
        check_share(f, "normalised", "collinear", slerp_collinear, 0.05);
        check_share(f, "lengths", "lengths apart", slerp_lengths_apart, 0.7);
        check_share(f, "huge", "|a|^2 overflows", slerp_square_overflows, 0.7);
        check_share(f, "tiny", "|a|^2 underflows", slerp_square_underflows, 0.7);
        check_share(f, "tiny", "subnormal", slerp_is_subnormal, 0.3);
        check_share(f, "mixed_exponents", "components apart", slerp_components_apart, 0.9);
        check_share(f, "near_ends", "t near 0 or 1", slerp_near_t_end, 0.8);
    }
    const char *f = "slerp3_unclamped";
    check_share(f, "extrapolation", "t outside [0, 1]", slerp_extrapolates, 0.9);
    check_share(f, "quarter_turns", "at a quarter turn", slerp_at_quarter_turn, 0.5);
    check_share(f, "quarter_turns", "t outside [0, 1]", slerp_extrapolates, 0.5);
}

enum { VECTORS = 8, TIMES = 10 };

static size_t vector_kind(const double *v)
{
    bool nan = isnan(v[0]) || isnan(v[1]) || isnan(v[2]);
    bool infinite = isinf(v[0]) || isinf(v[1]) || isinf(v[2]);
    bool zero = v[0] == 0 && v[1] == 0 && v[2] == 0;
    bool negative_zero = zero && (signbit(v[0]) || signbit(v[1]) || signbit(v[2]));
    double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    int axes = (v[0] != 0) + (v[1] != 0) + (v[2] != 0);
    return nan             ? 0
           : infinite      ? 1
           : negative_zero ? 2
           : zero          ? 3
           : most < 1e-300 ? 4
           : most > 1e300  ? 5
           : axes == 1     ? 6
                           : 7;
}

static size_t time_kind(double t)
{
    return isnan(t)         ? 0
           : t == INFINITY  ? 1
           : t == -INFINITY ? 2
           : t == 0         ? (signbit(t) ? 3 : 4)
           : t == 1         ? 5
           : t < 0          ? 6
           : t > 1          ? 7
           : t < DBL_MIN    ? 8
                            : 9;
}

static void the_boundary_of_slerp_is_whole(void)
{
    static const char *const functions[] = {"slerp3", "slerp3_unclamped"};
    struct values inputs = {0};
    for (size_t f = 0; f < 2; f++) {
        size_t met[VECTORS][VECTORS][TIMES] = {{{0}}};
        const struct domain *domain = domain_of(functions[f], "boundary");
        for (uint64_t i = 0; i < 4096; i++) {
            draw_case(1, catalog_find(functions[f]), domain, i, &inputs);
            const double *in = inputs.number;
            met[vector_kind(in)][vector_kind(in + 3)][time_kind(in[6])]++;
        }
        for (size_t i = 0; i < (size_t)VECTORS * VECTORS * TIMES; i++) {
            suite_check(met[i / TIMES / VECTORS][i / TIMES % VECTORS][i % TIMES] > 0,
                        "%s: combination %zu is not drawn", functions[f], i);
        }
    }
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"each is described", each_is_described},
        {"only special ones draw what is not a number",
         only_special_ones_draw_what_is_not_a_number},
        {"the axis shows typical cases", the_axis_shows_typical_cases},
        {"axes measure what they say", axes_measure_what_they_say},
        {"domains of lerp", domains_of_lerp},
        {"the boundary of lerp is whole", the_boundary_of_lerp_is_whole},
        {"domains of hermite", domains_of_hermite},
        {"domains of hermite_coefficients", domains_of_hermite_coefficients},
        {"the boundary of hermite is whole", the_boundary_of_hermite_is_whole},
        {"special data of hermite are whole", special_data_of_hermite_are_whole},
        {"domains of slerp", domains_of_slerp},
        {"the boundary of slerp is whole", the_boundary_of_slerp_is_whole},
    };
    mpq_inits(value, scale, other, (mpq_ptr)0);
    mpfr_inits2(EXACT, minor, dot, (mpfr_ptr)0);
    mpfr_inits2(BITS, cross_length, length_a, length_b, term, (mpfr_ptr)0);
    int code = suite_run("domains", tests, sizeof tests / sizeof *tests);
    mpq_clears(value, scale, other, (mpq_ptr)0);
    mpfr_clears(minor, dot, cross_length, length_a, length_b, term, (mpfr_ptr)0);
    mpfr_free_cache();
    return code;
}
