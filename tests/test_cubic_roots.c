/* tl_cubic_roots against its contract, rule by rule. Roots, their count and their multiplicities
 * come from Sturm chains in GMP's rationals, not from the oracle. */
#include "sample.h"
#include "sturm.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* test_header.c holds the header to the catalogue. */
enum { K = 8, POINTS = 8 };

static const double not_finite[] = {HUGE_VAL, -HUGE_VAL, NAN};

struct roots {
    int count;
    double root[3];
    int multiplicity[3];
};

static struct roots roots_of(const double c[4])
{
    struct roots roots = {.root = {NAN, NAN, NAN}, .multiplicity = {-7, -7, -7}};
    roots.count = tl_cubic_roots(c[0], c[1], c[2], c[3], roots.root, roots.multiplicity);
    return roots;
}

static const char *describe(const double c[4])
{
    static char text[200];
    struct roots roots = roots_of(c);
    snprintf(text, sizeof text, "%a, %a, %a, %a gives %d: %a (%d), %a (%d), %a (%d)", c[0], c[1],
             c[2], c[3], roots.count, roots.root[0], roots.multiplicity[0], roots.root[1],
             roots.multiplicity[1], roots.root[2], roots.multiplicity[2]);
    return text;
}

static bool same_roots(const struct roots *x, const struct roots *y)
{
    bool same = x->count == y->count;
    for (int i = 0; i < 3; i++) {
        same =
            same && same_double(x->root[i], y->root[i]) && x->multiplicity[i] == y->multiplicity[i];
    }
    return same;
}

/* x = r +- 2^exponent */
static void set_beside(mpq_t x, double r, int sign, long exponent)
{
    mpq_t distance;
    mpq_init(distance);
    mpq_set_si(distance, sign, 1);
    if (exponent < 0) {
        mpq_div_2exp(distance, distance, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(distance, distance, (mp_bitcnt_t)exponent);
    }
    mpq_set_d(x, r);
    mpq_add(x, x, distance);
    mpq_clear(distance);
}

/* Is root i within 2^-1074 of r? */
static bool is_next_to(const struct sturm *sturm, int i, double r)
{
    mpq_t x;
    mpq_init(x);
    set_beside(x, r, -1, -1074);
    bool next = sturm_count_below(sturm, x, false) <= i;
    set_beside(x, r, 1, -1074);
    next = next && sturm_count_below(sturm, x, true) > i;
    mpq_clear(x);
    return next;
}

/* Does root i round to that infinity? */
static bool is_beyond(const struct sturm *sturm, int i, double infinity)
{
    mpq_t x;
    mpq_init(x);
    int sign = infinity > 0 ? 1 : -1;
    set_beside(x, sign * DBL_MAX, sign, 970);
    bool beyond =
        sign > 0 ? sturm_count_below(sturm, x, false) <= i : sturm_count_below(sturm, x, true) > i;
    mpq_clear(x);
    return beyond;
}

/* Is |p| <= K u S at r and at points on the way to root i? */
static bool is_small_between(const struct sturm *sturm, int i, double r)
{
    mpq_t from, low, high, x, share;
    mpq_inits(from, low, high, x, share, NULL);
    mpq_set_d(from, r);
    sturm_locate(sturm, i, 60, low, high);
    mpq_sub(high, high, from);
    bool small = true;
    for (int k = 0; k <= POINTS && small; k++) {
        mpq_set_ui(share, (unsigned long)k, POINTS);
        mpq_canonicalize(share);
        mpq_mul(x, high, share);
        mpq_add(x, x, from);
        small = sturm_is_small(sturm, x, K);
    }
    mpq_clears(from, low, high, x, share, NULL);
    return small;
}

static bool is_root(const struct sturm *sturm, int i, double r)
{
    if (isinf(r)) {
        return is_beyond(sturm, i, r);
    }
    return !isnan(r) && (r != 0 || !signbit(r)) &&
           (is_next_to(sturm, i, r) || is_small_between(sturm, i, r));
}

static bool check_roots(const double c[4])
{
    struct sturm sturm;
    sturm_open(&sturm, c);
    struct roots got = roots_of(c);
    bool good = suite_check(got.count == sturm.count, "%s; there are %d", describe(c), sturm.count);
    for (int i = 0; i < sturm.count && good; i++) {
        good = suite_check(got.multiplicity[i] == sturm.multiplicity[i],
                           "%s; the multiplicity of root %d is %d", describe(c), i,
                           sturm.multiplicity[i]) &&
               suite_check(i == 0 || got.root[i - 1] <= got.root[i], "%s: not in order",
                           describe(c)) &&
               suite_check(is_root(&sturm, i, got.root[i]), "%s: root %d", describe(c), i);
    }
    sturm_close(&sturm);
    return good;
}

static void check_returns(const double c[4], int count, const double *root, const int *multiplicity)
{
    struct roots got = roots_of(c);
    bool good = got.count == count;
    for (int i = 0; i < count; i++) {
        good = good && same_double(got.root[i], root[i]) && got.multiplicity[i] == multiplicity[i];
    }
    suite_check(good, "%s", describe(c));
    if (count >= 0) {
        check_roots(c);
    }
}

/* Rules 1 and 2, in this order. */
static void codes_come_before_roots(void)
{
    for (int which = 0; which < 4; which++) {
        for (int i = 0; i < 3; i++) {
            double zero[4] = {0};
            zero[which] = not_finite[i];
            check_returns(zero, TL_NOT_FINITE, NULL, NULL);
            double other[4] = {1, -6, 11, -6};
            other[which] = not_finite[i];
            check_returns(other, TL_NOT_FINITE, NULL, NULL);
        }
    }
    for (int signs = 0; signs < 16; signs++) {
        double c[4];
        for (int i = 0; i < 4; i++) {
            c[i] = signs >> i & 1 ? -0.0 : 0.0;
        }
        check_returns(c, TL_EVERY_NUMBER, NULL, NULL);
    }
    CU_ASSERT_EQUAL(TL_EVERY_NUMBER, -1);
    CU_ASSERT_EQUAL(TL_NOT_FINITE, -2);
}

static void zero_coefficients_lower_the_degree(void)
{
    static const int once[3] = {1, 1, 1}, twice[3] = {2, 1, 1}, thrice[3] = {3};
    check_returns((double[]){0, 0, 0, 5}, 0, NULL, NULL);
    check_returns((double[]){-0.0, 0, 0, -0x1p-1074}, 0, NULL, NULL);
    check_returns((double[]){0, 0, 4, -1}, 1, (double[]){0.25}, once);
    check_returns((double[]){0, 2, 0, -8}, 2, (double[]){-2, 2}, once);
    check_returns((double[]){0, 1, 0, 1}, 0, NULL, NULL);
    check_returns((double[]){0, 1, 2, 1}, 1, (double[]){-1}, twice);
    check_returns((double[]){0, 3, 0, 0}, 1, (double[]){0}, twice);
    check_returns((double[]){0, 3, 6, 0}, 2, (double[]){-2, 0}, once);
    check_returns((double[]){0, -3, 6, 0}, 2, (double[]){0, 2}, once);
    check_returns((double[]){0, 0, -3, 0}, 1, (double[]){0}, once);
    check_returns((double[]){2, 0, 0, 0}, 1, (double[]){0}, thrice);
    check_returns((double[]){1, 2, 0, 0}, 2, (double[]){-2, 0}, (int[]){1, 2});
    check_returns((double[]){1, -2, 0, 0}, 2, (double[]){0, 2}, twice);
    check_returns((double[]){1, 2, 1, 0}, 2, (double[]){-1, 0}, twice);
    check_returns((double[]){1, -2, 1, 0}, 2, (double[]){0, 1}, (int[]){1, 2});
    check_returns((double[]){1, 0, 1, 0}, 1, (double[]){0}, once);
    check_returns((double[]){1, 0, -4, 0}, 3, (double[]){-2, 0, 2}, once);
}

/* A zero root is +0, whatever the signs of the coefficients; so is one that rounds to zero. */
static void zero_roots_are_positive(void)
{
    size_t compared = 0;
    for (int signs = 0; signs < 16; signs++) {
        double c[4] = {1, 2, 1, 0};
        for (int zeros = 0; zeros < 4; zeros++) {
            double signed_c[4];
            for (int i = 0; i < 4; i++) {
                signed_c[i] = signs >> i & 1 ? -c[i] : c[i];
            }
            struct roots got = roots_of(signed_c);
            for (int i = 0; i < got.count; i++) {
                if (got.root[i] == 0) {
                    suite_check(!signbit(got.root[i]), "%s", describe(signed_c));
                    compared++;
                }
            }
            c[2 - (zeros < 2 ? zeros : 2)] = 0;
        }
    }
    CU_ASSERT(compared >= 48);
    check_returns((double[]){0, 0, 1e300, 1e-300}, 1, (double[]){0}, (int[]){1});
    check_returns((double[]){1e300, 1e-300, 0, 0}, 2, (double[]){0, 0}, (int[]){1, 2});
    check_returns((double[]){1e300, -1e-300, 0, 0}, 2, (double[]){0, 0}, (int[]){2, 1});
}

static void known_failures_of_other_libraries(void)
{
    static const int once[3] = {1, 1, 1};
    check_roots((double[]){1e-20, 1, -3, 2}); /* cancellation: +-2.48e11 for 1 and 2 */
    check_returns((double[]){1, -1e20, 3e20, -2e20}, 3, (double[]){1, 2, 1e20}, once);
    check_returns((double[]){1, 3, 4, 2}, 1, (double[]){-1}, once); /* a complex pair as roots */
    check_roots((double[]){1, 1e4, 200, 1});                        /* two close roots lost */
    check_roots((double[]){2e-13, 1, -2, 1});                       /* +-14339 for no root */
    check_roots((double[]){-4.0410628481035e-17, 0.0126298310280606, -0.100896606408756,
                           0.0689539597036461}); /* two of three lost */
    check_roots((double[]){1, 0, 1, 1});         /* real parts of the pair */
    check_roots((double[]){1e-5, -6e-5, 11e-5, -6e-5});
    check_returns((double[]){1, -6, 11, -6}, 3, (double[]){1, 2, 3}, once);
    check_returns((double[]){1, -3, 3, -1}, 1, (double[]){1}, (int[]){3});
}

/* One double makes the difference between one, two and three roots. */
static void the_count_changes_at_the_last_bit(void)
{
    double above = nextafter(2, 3), below = nextafter(2, 1);
    check_returns((double[]){1, 0, -3, 2}, 2, (double[]){-2, 1}, (int[]){1, 2});
    CU_ASSERT_EQUAL(roots_of((double[]){1, 0, -3, above}).count, 1);
    CU_ASSERT_EQUAL(roots_of((double[]){1, 0, -3, below}).count, 3);
    CU_ASSERT_EQUAL(roots_of((double[]){-1, 0, 3, -2}).multiplicity[1], 2);
    for (int k = -300; k <= 300; k += 50) {
        double a = ldexp(1, -k), c = ldexp(-3, k);
        CU_ASSERT_EQUAL(roots_of((double[]){a, 0, c, ldexp(2, 2 * k)}).count, 2);
        CU_ASSERT_EQUAL(roots_of((double[]){a, 0, c, ldexp(above, 2 * k)}).count, 1);
        CU_ASSERT_EQUAL(roots_of((double[]){a, 0, c, ldexp(below, 2 * k)}).count, 3);
    }
    CU_ASSERT_EQUAL(roots_of((double[]){0, 1, -2, nextafter(1, 2)}).count, 0);
    CU_ASSERT_EQUAL(roots_of((double[]){0, 1, -2, nextafter(1, 0)}).count, 2);
    /* far beyond the first 106 bits: x^3 - 3 x + 2 and 2^-k x^2 */
    for (int k = 1; k < 1074; k += 37) {
        CU_ASSERT_EQUAL(roots_of((double[]){1, ldexp(1, -k), -3, 2}).count, 1);
        CU_ASSERT_EQUAL(roots_of((double[]){1, ldexp(-1, -k), -3, 2}).count, 3);
        check_roots((double[]){1, ldexp(-1, -k), -3, 2});
    }
}

static void roots_that_are_no_doubles_may_still_be_multiple(void)
{
    double third = 1.0 / 3;
    check_returns((double[]){27, -27, 9, -1}, 1, &third, (int[]){3});
    check_returns((double[]){9, -15, 7, -1}, 2, (double[]){third, 1}, (int[]){2, 1});
    check_returns((double[]){9, 15, 7, 1}, 2, (double[]){-1, -third}, (int[]){1, 2});
    check_roots((double[]){49, -7 * 2 * 3, 9, 0});
}

/* Two roots closer together than doubles are: both are returned. */
static void different_roots_may_round_to_one(void)
{
    struct roots got = roots_of((double[]){0x1p53, -0x1p54, 0x1.fffffffffffffp52, 0});
    CU_ASSERT_EQUAL(got.count, 3);
    double c[4] = {1, -0x1p-60, -3, 2};
    got = roots_of(c);
    CU_ASSERT_EQUAL(got.count, 3);
    c[1] = -0x1p-200;
    got = roots_of(c);
    suite_check(got.count == 3 && got.root[1] == 1 && got.root[2] == 1, "%s", describe(c));
    check_roots(c);
}

static void the_range_is_used_to_its_ends(void)
{
    static const int once[3] = {1, 1, 1};
    check_returns((double[]){0, 1e-300, 1e300, 1e-300}, 2, (double[]){-HUGE_VAL, 0}, once);
    check_returns((double[]){0, 0, 0x1p-1000, -0x1p24}, 1, (double[]){HUGE_VAL}, once);
    check_returns((double[]){0, 0, 0x1p-1000, 0x1p24}, 1, (double[]){-HUGE_VAL}, once);
    check_returns((double[]){0, 0, 0x1p-1000, -0x1.fffffffffffffp23}, 1, (double[]){DBL_MAX}, once);
    check_returns((double[]){0, 0, 0x1p1000, -0x1p-74}, 1, (double[]){0x1p-1074}, once);
    check_returns((double[]){0, 0, -0x1p1000, -0x1p-74}, 1, (double[]){-0x1p-1074}, once);
    check_returns((double[]){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX}, 1, (double[]){-1}, once);
    check_returns((double[]){DBL_TRUE_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN, -DBL_TRUE_MIN}, 2,
                  (double[]){-1, 1}, (int[]){2, 1});
    check_roots((double[]){DBL_TRUE_MIN, DBL_MAX, -DBL_MAX, DBL_TRUE_MIN});
    check_roots((double[]){DBL_MAX, DBL_TRUE_MIN, DBL_TRUE_MIN, -DBL_MAX});
    check_roots((double[]){DBL_TRUE_MIN, 0, -DBL_MAX, 0});
    check_roots((double[]){DBL_MAX, 0, -DBL_TRUE_MIN, 0});
    /* a double root, and a third one, that all underflow or overflow */
    check_returns((double[]){0x1p1000, 0x1p-50, 0, 0}, 2, (double[]){-0x1p-1050, 0}, (int[]){1, 2});
    check_roots((double[]){1e-300, 2, 1e300, 0});
    check_roots((double[]){1e-300, -3e8, 0, 1e300});
}

/* The last doubles before infinity, from polynomials of each degree. */
static void roots_round_to_infinity_where_they_should(void)
{
    enum { DOUBLES_BESIDE = 8, POLYNOMIALS = 5, TRIED = (2 * DOUBLES_BESIDE + 1) * POLYNOMIALS };
    size_t infinite = 0, finite = 0;
    for (int step = -DOUBLES_BESIDE; step <= DOUBLES_BESIDE; step++) {
        double l = 0x1p24;
        for (int i = 0; i < (step < 0 ? -step : step); i++) {
            l = nextafter(l, step < 0 ? 0 : HUGE_VAL);
        }
        const double cases[POLYNOMIALS][4] = {
            {0, 0, 0x1p-1000, l},
            {0, 0x1p-1000, l, 3},
            {0x1p-1000, l, 3, -7},
            {0x1p-1000, l, 3, 7e5},
            {0x1.8p-1000, -1.5 * l, 0x1p-1074, 0x1p-1074},
        };
        for (size_t i = 0; i < POLYNOMIALS; i++) {
            check_roots(cases[i]);
            struct roots got = roots_of(cases[i]);
            double far = i == POLYNOMIALS - 1 ? got.root[got.count - 1] : got.root[0];
            infinite += isinf(far) != 0;
            finite += fabs(far) > 0x1p1020 && isfinite(far);
        }
    }
    CU_ASSERT_EQUAL(infinite + finite, TRIED);
    CU_ASSERT(infinite >= 30 && finite >= 30);
}

static void what_lies_beyond_the_count_is_left_alone(void)
{
    static const double cases[][4] = {
        {1, 3, 4, 2}, {1, 0, -3, 2},  {0, 1, 0, -1},  {0, 0, 1, 1},          {0, 0, 0, 1},
        {0, 0, 0, 0}, {1, -3, 3, -1}, {NAN, 1, 1, 1}, {1e300, 1e-300, 1, 1},
    };
    size_t compared = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct roots got = roots_of(cases[k]);
        for (int i = got.count < 0 ? 0 : got.count; i < 3; i++, compared++) {
            suite_check(isnan(got.root[i]) && got.multiplicity[i] == -7, "%s", describe(cases[k]));
        }
    }
    CU_ASSERT(compared >= 16);
}

/* The polynomial with these roots, as far as doubles go. */
static void expand(double c[4], double lead, double x, double y, double z)
{
    c[0] = lead;
    c[1] = -lead * (x + y + z);
    c[2] = lead * (x * y + y * z + z * x);
    c[3] = -lead * x * y * z;
}

enum { PLANTED = 8, KINDS = SAMPLE_CLASSES + PLANTED };

static double small(struct sample *sample, int most)
{
    return (double)((int)sample_below(sample, 2 * (unsigned)most + 1) - most);
}

static void draw_planted(struct sample *sample, unsigned kind, double c[4])
{
    double lead = sample_wide(sample, -8, 8), x = sample_wide(sample, -8, 8);
    double y = sample_wide(sample, -40, 40), z = sample_wide(sample, -40, 40);
    double nearly = x * (1 + sample_wide(sample, -60, -2));
    unsigned which = sample_below(sample, 4);
    switch (kind) {
    case 0:
        expand(c, 1 + (double)sample_below(sample, 50), small(sample, 0) + 5, 5, small(sample, 99));
        break;
    case 1:
        x = small(sample, 999);
        expand(c, 1 + (double)sample_below(sample, 50), x, x, x);
        break;
    case 2: /* but for a bit */
        x = small(sample, 999);
        expand(c, 1, x, x, sample_below(sample, 2) ? x : small(sample, 999));
        c[which] = nextafter(c[which], sample_below(sample, 2) ? HUGE_VAL : -HUGE_VAL);
        break;
    case 3:
        expand(c, lead, x, y, z);
        break;
    case 4:
        expand(c, lead, x, nearly, y);
        break;
    case 5:
        expand(c, lead, x, nearly, x * (1 + sample_wide(sample, -30, -2)));
        break;
    case 6: /* falls apart, into a pair that is nearly double */
        expand(c, lead, x, nearly, 0);
        c[3] = c[2] * sample_wide(sample, -120, 0);
        break;
    default:
        c[0] = sample_wide(sample, -90, -30);
        c[1] = lead;
        c[2] = -2 * lead * x * (1 + sample_wide(sample, -56, 0));
        c[3] = lead * x * x;
    }
}

static void draw(struct sample *sample, unsigned kind, double c[4])
{
    if (kind < SAMPLE_CLASSES) {
        sample_numbers(sample, kind, c, 4);
    } else {
        draw_planted(sample, kind - SAMPLE_CLASSES, c);
    }
    if (sample_below(sample, 8) == 0) {
        c[sample_below(sample, 4)] = 0;
    }
    if (sample_below(sample, 4) == 0) { /* the same downwards: reciprocal roots */
        double reversed[4] = {c[3], c[2], c[1], c[0]};
        memcpy(c, reversed, sizeof reversed);
    }
}

static bool is_zero(const double c[4])
{
    return c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0;
}

enum { DRAWN = 250 };

static void samples_have_their_roots(void)
{
    struct sample sample = {61};
    size_t counts[4] = {0}, multiple = 0, compared = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < DRAWN; i++) {
            double c[4];
            draw(&sample, kind, c);
            if (!is_zero(c)) {
                check_roots(c);
                struct roots got = roots_of(c);
                counts[got.count >= 0 && got.count <= 3 ? got.count : 0]++;
                multiple += got.count > 0 &&
                            (got.multiplicity[0] > 1 || (got.count > 1 && got.multiplicity[1] > 1));
                compared++;
            }
        }
    }
    CU_ASSERT(compared > (size_t)KINDS * DRAWN * 9 / 10);
    CU_ASSERT(counts[0] > 10 && counts[1] > 500 && counts[2] > 200 && counts[3] > 500);
    CU_ASSERT(multiple > 200);
}

/* A power of 2 in all coefficients, or in the variable, changes no bit of a fraction. */
static void scaling_changes_nothing(void)
{
    struct sample sample = {62};
    size_t compared = 0;
    for (int i = 0; i < 20000; i++) {
        double c[4], scaled[4];
        unsigned kind = sample_below(&sample, KINDS);
        draw(&sample, kind == 2 || kind == 3 || kind == 4 ? 1 : kind, c);
        int variable = (int)sample_below(&sample, 401) - 200;
        int all = (int)sample_below(&sample, 401) - 200;
        bool exact = true;
        for (int k = 0; k < 4; k++) {
            scaled[k] = ldexp(c[k], all + variable * k);
            exact = exact && ldexp(scaled[k], -all - variable * k) == c[k];
        }
        if (!exact) {
            continue;
        }
        struct roots wanted = roots_of(c), got = roots_of(scaled);
        for (int k = 0; k < wanted.count; k++) {
            wanted.root[k] = ldexp(wanted.root[k], variable);
        }
        suite_check(same_roots(&got, &wanted), "2^%d and 2^%d: %s", all, variable, describe(c));
        compared += wanted.count > 0;
    }
    CU_ASSERT(compared > 15000);
}

/* -p has the same roots, and p(-x) their negatives. */
static void signs_are_free(void)
{
    struct sample sample = {63};
    size_t compared = 0;
    for (int i = 0; i < 20000; i++) {
        double c[4];
        draw(&sample, sample_below(&sample, KINDS), c);
        struct roots wanted = roots_of(c);
        double negative[4] = {-c[0], -c[1], -c[2], -c[3]};
        double mirrored[4] = {-c[0], c[1], -c[2], c[3]};
        struct roots got = roots_of(negative);
        suite_check(same_roots(&got, &wanted), "negative: %s", describe(c));
        got = roots_of(mirrored);
        bool good = got.count == wanted.count;
        for (int k = 0; k < wanted.count; k++) {
            int other = wanted.count - 1 - k;
            good = good && got.root[other] == -wanted.root[k] &&
                   got.multiplicity[other] == wanted.multiplicity[k];
        }
        suite_check(good, "mirrored: %s", describe(c));
        compared += wanted.count > 0;
    }
    CU_ASSERT(compared > 15000);
}

static void every_instruction_set_gives_the_same_bits(void)
{
    const char *chosen = tl_instruction_set();
    struct sample sample = {64};
    size_t compared = 0;
    for (int i = 0; i < 20000; i++, compared++) {
        double c[4];
        draw(&sample, sample_below(&sample, KINDS), c);
        struct roots wanted = roots_of(c);
        CU_ASSERT_EQUAL(tl_use_instruction_set("baseline"), 0);
        struct roots got = roots_of(c);
        CU_ASSERT_EQUAL(tl_use_instruction_set(chosen), 0);
        suite_check(same_roots(&got, &wanted), "%s", describe(c));
    }
    CU_ASSERT_EQUAL(compared, 20000);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"codes come before roots", codes_come_before_roots},
        {"zero coefficients lower the degree", zero_coefficients_lower_the_degree},
        {"zero roots are positive", zero_roots_are_positive},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"the count changes at the last bit", the_count_changes_at_the_last_bit},
        {"roots that are no doubles may still be multiple",
         roots_that_are_no_doubles_may_still_be_multiple},
        {"different roots may round to one", different_roots_may_round_to_one},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"roots round to infinity where they should", roots_round_to_infinity_where_they_should},
        {"what lies beyond the count is left alone", what_lies_beyond_the_count_is_left_alone},
        {"samples have their roots", samples_have_their_roots},
        {"scaling changes nothing", scaling_changes_nothing},
        {"signs are free", signs_are_free},
        {"every instruction set gives the same bits", every_instruction_set_gives_the_same_bits},
    };
    return suite_run("cubic_roots", tests, sizeof tests / sizeof *tests);
}
