/* What the domains of cubic_roots draw is what their names say: counted and measured in exact
 * rationals. */
#include "sturm.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <float.h>
#include <math.h>

enum { COUNT = 800 };

/* A polynomial with its roots. */
typedef bool property(const double *c, const struct sturm *sturm);

static const struct domain *domain_of(const char *name)
{
    return domain_find(catalog_find("cubic_roots"), name);
}

/* At least this share of the samples has the property. */
static void check_share(const char *name, const char *what, property *holds, double least)
{
    const struct domain *domain = domain_of(name);
    struct values inputs = {0};
    size_t count = 0;
    for (uint64_t i = 0; domain && i < COUNT; i++) {
        draw_case(11, catalog_find("cubic_roots"), domain, i, &inputs);
        const double *c = inputs.number;
        if (c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0) {
            continue;
        }
        struct sturm sturm;
        sturm_open(&sturm, c);
        count += holds(c, &sturm);
        sturm_close(&sturm);
    }
    suite_check(domain && (double)count >= least * COUNT, "%s: %s in %zu of %d only", name, what,
                count, COUNT);
    values_free(&inputs);
}

static bool has_no_root(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count == 0;
}

static bool has_one(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count == 1 && sturm->multiplicity[0] == 1;
}

static bool has_two(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count == 2 && sturm->multiplicity[0] == 1 && sturm->multiplicity[1] == 1;
}

static bool has_three(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count == 3;
}

static bool has_double(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count > 0 &&
           (sturm->multiplicity[0] == 2 || (sturm->count == 2 && sturm->multiplicity[1] == 2));
}

static bool has_triple(const double *c, const struct sturm *sturm)
{
    (void)c;
    return sturm->count == 1 && sturm->multiplicity[0] == 3;
}

static bool has_multiple(const double *c, const struct sturm *sturm)
{
    return has_double(c, sturm) || has_triple(c, sturm);
}

/* A root of any place, rounded to 60 bits and then towards zero. */
static bool any_root(const struct sturm *sturm, bool (*holds)(const mpq_t))
{
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    bool any = false;
    for (int i = 0; i < sturm->count && !any; i++) {
        sturm_locate(sturm, i, 60, low, high);
        mpq_abs(high, high);
        any = holds(high);
    }
    mpq_clears(low, high, NULL);
    return any;
}

static int compare_power(const mpq_t x, long exponent)
{
    mpq_t power;
    mpq_init(power);
    mpq_set_ui(power, 1, 1);
    if (exponent >= 0) {
        mpq_mul_2exp(power, power, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(power, power, (mp_bitcnt_t)-exponent);
    }
    int order = mpq_cmp(x, power);
    mpq_clear(power);
    return order;
}

static bool is_beyond(const mpq_t x)
{
    return compare_power(x, 1024) >= 0;
}

static bool is_huge(const mpq_t x)
{
    return compare_power(x, 970) >= 0 && !is_beyond(x);
}

static bool is_subnormal(const mpq_t x)
{
    return mpq_sgn(x) != 0 && compare_power(x, -1022) < 0 && compare_power(x, -1075) > 0;
}

static bool is_tiny(const mpq_t x)
{
    return mpq_sgn(x) != 0 && compare_power(x, -970) < 0;
}

static bool rounds_to_zero(const mpq_t x)
{
    return mpq_sgn(x) != 0 && compare_power(x, -1075) <= 0;
}

/* Within 16 units in the last place of 2^1024. */
static bool is_at_the_top(const mpq_t x)
{
    mpq_t distance, edge;
    mpq_inits(distance, edge, NULL);
    mpq_set_ui(edge, 1, 1);
    mpq_mul_2exp(edge, edge, 1024);
    mpq_sub(distance, x, edge);
    mpq_abs(distance, distance);
    bool at = compare_power(distance, 975) <= 0;
    mpq_clears(distance, edge, NULL);
    return at;
}

static bool has_one_beyond(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, is_beyond);
}

static bool has_a_huge_one(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, is_huge);
}

static bool has_a_subnormal_one(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, is_subnormal);
}

static bool has_a_tiny_one(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, is_tiny);
}

static bool has_one_that_vanishes(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, rounds_to_zero);
}

static bool has_one_at_the_top(const double *c, const struct sturm *sturm)
{
    (void)c;
    return any_root(sturm, is_at_the_top);
}

/* Are two neighbouring roots within 2^-bits of each other, as a share of the left one? */
static bool are_close(const struct sturm *sturm, long bits)
{
    mpq_t low, left, right;
    mpq_inits(low, left, right, NULL);
    bool close = false;
    for (int i = 0; i + 1 < sturm->count && !close; i++) {
        sturm_locate(sturm, i, 100, low, left);
        sturm_locate(sturm, i + 1, 100, low, right);
        mpq_sub(right, right, left);
        mpq_mul_2exp(right, right, (mp_bitcnt_t)bits);
        mpq_abs(left, left);
        close = mpq_cmp(right, left) < 0;
    }
    mpq_clears(low, left, right, NULL);
    return close;
}

static bool has_close_ones(const double *c, const struct sturm *sturm)
{
    (void)c;
    return are_close(sturm, 10);
}

static bool has_very_close_ones(const double *c, const struct sturm *sturm)
{
    (void)c;
    return are_close(sturm, 24);
}

/* Sizes of the first and the last root 2^40 apart? */
static bool are_spread(const double *c, const struct sturm *sturm)
{
    (void)c;
    mpq_t low, least, most, size;
    mpq_inits(low, least, most, size, NULL);
    for (int i = 0; i < sturm->count; i++) {
        sturm_locate(sturm, i, 4, low, size);
        mpq_abs(size, size);
        if (i == 0 || mpq_cmp(size, least) < 0) {
            mpq_set(least, size);
        }
        if (i == 0 || mpq_cmp(size, most) > 0) {
            mpq_set(most, size);
        }
    }
    mpq_mul_2exp(least, least, 40);
    bool spread = mpq_cmp(least, most) < 0;
    mpq_clears(low, least, most, size, NULL);
    return spread;
}

static bool has_tiny_end(const double *c, const struct sturm *sturm)
{
    (void)sturm;
    double middle = fmin(fabs(c[1]), fabs(c[2]));
    return fabs(c[0]) < 0x1p-12 * middle || fabs(c[3]) < 0x1p-12 * middle;
}

static bool covers_600_binades(const double *c, const struct sturm *sturm)
{
    (void)sturm;
    int least = 2000, most = -2000;
    for (int i = 0; i < 4; i++) {
        int exponent;
        frexp(c[i], &exponent);
        least = exponent < least ? exponent : least;
        most = exponent > most ? exponent : most;
    }
    return most - least > 600;
}

static bool has_a_lower_degree(const double *c, const struct sturm *sturm)
{
    (void)sturm;
    return c[0] == 0 || c[3] == 0;
}

static bool has_two_coefficients(const double *c, const struct sturm *sturm)
{
    (void)sturm;
    return (c[0] != 0) + (c[1] != 0) + (c[2] != 0) + (c[3] != 0) == 2;
}

static bool is_small_typical(const double *c, const struct sturm *sturm)
{
    (void)sturm;
    bool small = true;
    for (int i = 0; i < 4; i++) {
        small = small && c[i] != 0 && fabs(c[i]) <= 3000;
    }
    return small;
}

static void simple_roots_of_every_count(void)
{
    check_share("typical", "four coefficients up to 3000", is_small_typical, 1);
    check_share("typical", "one root", has_one, 0.3);
    check_share("typical", "three roots", has_three, 0.3);
    check_share("three_real", "three roots", has_three, 0.99);
    check_share("one_real", "one root", has_one, 0.95);
    check_share("any_finite", "one root", has_one, 0.3);
    check_share("any_finite", "three roots", has_three, 0.2);
    check_share("integers", "no root", has_no_root, 0.005);
    check_share("integers", "one root", has_one, 0.3);
    check_share("integers", "three roots", has_three, 0.1);
    check_share("integers", "a multiple root", has_multiple, 0.03);
}

static void multiple_roots_and_what_is_beside_them(void)
{
    check_share("exact_double", "a multiple root", has_multiple, 1);
    check_share("exact_double", "a double root", has_double, 0.99);
    check_share("exact_triple", "a triple root", has_triple, 1);
    check_share("near_double", "one root", has_one, 0.25);
    check_share("near_double", "three roots", has_three, 0.25);
    check_share("near_double", "roots 2^-10 apart", has_close_ones, 0.2);
    check_share("near_double", "roots 2^-24 apart", has_very_close_ones, 0.1);
    check_share("near_triple", "one root", has_one, 0.25);
    check_share("near_triple", "three roots", has_three, 0.15);
    check_share("near_triple", "roots 2^-10 apart", has_close_ones, 0.07);
    check_share("beside_multiple", "one root", has_one, 0.25);
    check_share("beside_multiple", "three roots", has_three, 0.15);
    check_share("beside_multiple", "roots 2^-10 apart", has_close_ones, 0.1);
}

static void sizes_far_apart(void)
{
    check_share("noise_lead", "an end below 2^-12", has_tiny_end, 0.95);
    check_share("noise_lead", "one root", has_one, 0.2);
    check_share("noise_lead", "three roots", has_three, 0.3);
    check_share("spread", "600 binades", covers_600_binades, 0.8);
    check_share("spread_roots", "roots 2^40 apart", are_spread, 0.4);
    check_share("spread_roots", "three roots", has_three, 0.5);
    check_share("spread_roots", "one root", has_one, 0.2);
    check_share("far_from_pair", "roots 2^40 apart", are_spread, 0.2);
    check_share("far_from_pair", "roots 2^-10 apart", has_close_ones, 0.2);
    check_share("far_from_pair", "one root", has_one, 0.2);
}

static void ends_of_the_range(void)
{
    check_share("huge_roots", "a root beyond the range", has_one_beyond, 0.2);
    check_share("huge_roots", "one above 2^970", has_a_huge_one, 0.3);
    check_share("tiny_roots", "a root below 2^-970", has_a_tiny_one, 0.5);
    check_share("tiny_roots", "a subnormal one", has_a_subnormal_one, 0.2);
    check_share("tiny_roots", "one that rounds to 0", has_one_that_vanishes, 0.02);
    check_share("range_edge", "a root at 2^1024", has_one_at_the_top, 0.4);
    check_share("range_edge", "a root beyond the range", has_one_beyond, 0.15);
    check_share("range_edge", "a subnormal one", has_a_subnormal_one, 0.35);
}

static void lower_degrees(void)
{
    check_share("quadratic", "no x^3 or no constant", has_a_lower_degree, 1);
    check_share("quadratic", "no root", has_no_root, 0.1);
    check_share("quadratic", "two roots", has_two, 0.2);
    check_share("quadratic", "a double root", has_double, 0.05);
    check_share("linear", "two coefficients", has_two_coefficients, 1);
    check_share("zeros", "two coefficients", has_two_coefficients, 0.3);
    check_share("zeros", "a lower degree", has_a_lower_degree, 0.65);
}

/* Every combination within one round of samples. */
static void the_boundary_is_whole(void)
{
    enum { KINDS = 6, ROUND = 2401 };
    static bool seen[KINDS * KINDS * KINDS * KINDS];
    const struct domain *domain = domain_of("boundary");
    struct values inputs = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(domain);
    for (uint64_t i = 0; i < ROUND; i++) {
        draw_case(1, catalog_find("cubic_roots"), domain, i, &inputs);
        size_t place = 0;
        for (int k = 0; k < 4; k++) {
            double x = fabs(inputs.number[k]);
            size_t kind = isnan(x)            ? 0
                          : isinf(x)          ? 1
                          : x == 0            ? 2
                          : x == DBL_TRUE_MIN ? 3
                          : x == DBL_MAX      ? 4
                                              : 5;
            place = place * KINDS + kind;
        }
        seen[place] = true;
    }
    size_t count = 0;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        count += seen[i];
    }
    CU_ASSERT_EQUAL(count, sizeof seen / sizeof *seen);
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"simple roots of every count", simple_roots_of_every_count},
        {"multiple roots and what is beside them", multiple_roots_and_what_is_beside_them},
        {"sizes far apart", sizes_far_apart},
        {"ends of the range", ends_of_the_range},
        {"lower degrees", lower_degrees},
        {"the boundary is whole", the_boundary_is_whole},
    };
    return suite_run("domains_cubic_roots", tests, sizeof tests / sizeof *tests);
}
