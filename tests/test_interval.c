/* What oracle/interval.c adds to MPFI: that it encloses, that it is as narrow as it says, and that
 * what is exact comes out exact. Sums and products are checked against rationals, angles against
 * MPFR at more than twice the precision. */
#include "enclosure.h"
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../oracle/interval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { PRECISION = 128, FINE = 400, DRAWN = 3000 };

static mpfi_t result;
static mpq_t exact;

static void begin(mpfr_prec_t precision)
{
    mpfi_init2(result, precision);
    mpq_init(exact);
}

static void end(void)
{
    mpfi_clear(result);
    mpq_clear(exact);
    interval_free();
}

/* The ends are the same or neighbours. */
static bool is_tight(mpfi_srcptr interval)
{
    mpfr_t next;
    mpfr_init2(next, mpfr_get_prec(&interval->left));
    mpfr_set(next, &interval->left, MPFR_RNDN);
    mpfr_nextabove(next);
    bool tight = mpfr_lessequal_p(&interval->right, next) != 0;
    mpfr_clear(next);
    return tight;
}

/* `result` encloses `exact` with one rounding each way, and is a point if that rounds to itself. */
static bool check_rounded_once(const char *what, const double *x, size_t count)
{
    mpfr_t nearest;
    mpfr_init2(nearest, mpfr_get_prec(&result->left));
    bool representable = mpfr_set_q(nearest, exact, MPFR_RNDN) == 0;
    mpfr_clear(nearest);
    bool good = interval_contains(result, exact) && is_tight(result) &&
                interval_is_point(result) == representable;
    return suite_check(good, "%s of %a %a %a %a ... (%zu) is not rounded once each way", what, x[0],
                       x[1], count > 2 ? x[2] : 0, count > 3 ? x[3] : 0, count);
}

static void add_product(double x, double y)
{
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_d(p, x);
    mpq_set_d(q, y);
    mpq_mul(p, p, q);
    mpq_add(exact, exact, p);
    mpq_clears(p, q, NULL);
}

static void check_linear(const double x[8])
{
    mpq_set_ui(exact, 0, 1);
    add_product(x[0], 1);
    add_product(x[1], -1);
    interval_difference(result, x[0], x[1]);
    check_rounded_once("difference", x, 2);

    mpq_set_ui(exact, 0, 1);
    add_product(x[0], x[1]);
    add_product(-x[2], x[3]);
    interval_minor(result, x[0], x[1], x[2], x[3]);
    check_rounded_once("minor", x, 4);

    for (size_t count = 1; count <= 4; count++) {
        mpq_set_ui(exact, 0, 1);
        for (size_t i = 0; i < count; i++) {
            add_product(x[i], x[7 - i]);
        }
        double y[4] = {x[7], x[6], x[5], x[4]};
        interval_dot(result, x, y, count);
        check_rounded_once("dot", x, count);
    }
}

static void sums_of_products_are_rounded_once_each_way(void)
{
    static const mpfr_prec_t precisions[] = {64, PRECISION, 1024, 4288};
    struct sample sample = {21};
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
        begin(precisions[p]);
        for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
            for (int i = 0; i < DRAWN / 10; i++) {
                double x[8];
                sample_numbers(&sample, class, x, 8);
                if (i % 3 == 0) { /* cancel: all of it, or all but the last bits */
                    x[2] = x[0];
                    x[3] = i % 2 ? x[1] : nextafter(x[1], 0);
                    x[5] = -x[6];
                    x[4] = x[7];
                }
                check_linear(x);
            }
        }
        end();
    }
}

/* Whether two directions are the same is decided by this. */
static void a_minor_is_zero_exactly_if_its_products_are_equal(void)
{
    begin(64);
    interval_minor(result, DBL_MAX, DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_MAX);
    CU_ASSERT_TRUE(mpfi_is_zero(result) > 0);
    interval_minor(result, DBL_TRUE_MIN, DBL_TRUE_MIN, 0, 5);
    CU_ASSERT_TRUE(mpfr_cmp_ui_2exp(&result->left, 1, -2148) == 0 && interval_is_point(result));
    interval_minor(result, 1 + 0x1p-52, 1 - 0x1p-53, 1, 1 + 0x1p-53);
    CU_ASSERT_TRUE(mpfr_sgn(&result->left) > 0 || mpfr_sgn(&result->right) < 0);
    interval_minor(result, 0x1.8p1023, 3, 0x1.2p1022, 8);
    CU_ASSERT_TRUE(mpfi_is_zero(result) > 0);
    end();
}

static void set_interval(mpfi_ptr interval, double a, double b)
{
    mpfi_interv_d(interval, fmin(a, b), fmax(a, b));
}

/* a + t (b - a) at one end each of two intervals */
static void lerp_of(mpq_t value, double a, double b, double t)
{
    mpq_t scale;
    mpq_init(scale);
    rational_lerp(value, scale, a, b, t);
    mpq_clear(scale);
}

/* The image of a box under a function that is linear in each of a and b: its extremes are at
 * corners. */
static bool check_lerp_box(const double a[2], const double b[2], double t)
{
    mpfi_t low, high;
    mpq_t corner, least, largest;
    mpfi_init2(low, 53);
    mpfi_init2(high, 53);
    mpq_inits(corner, least, largest, NULL);
    set_interval(low, a[0], a[1]);
    set_interval(high, b[0], b[1]);
    interval_lerp(result, low, high, t);
    for (int i = 0; i < 4; i++) {
        lerp_of(corner, a[i & 1], b[i >> 1], t);
        if (i == 0 || mpq_cmp(corner, least) < 0) {
            mpq_set(least, corner);
        }
        if (i == 0 || mpq_cmp(corner, largest) > 0) {
            mpq_set(largest, corner);
        }
    }
    /* rounded once: the neighbour on the inner side is already inside */
    bool good = mpfr_cmp_q(&result->left, least) <= 0 && mpfr_cmp_q(&result->right, largest) >= 0;
    mpfr_nextabove(&result->left);
    mpfr_nextbelow(&result->right);
    good = good && mpfr_cmp_q(&result->left, least) > 0 && mpfr_cmp_q(&result->right, largest) < 0;
    mpq_clears(corner, least, largest, NULL);
    mpfi_clear(low);
    mpfi_clear(high);
    return suite_check(good, "a [%a, %a], b [%a, %a], t %a", a[0], a[1], b[0], b[1], t);
}

static void lerp_is_the_exact_image_rounded_outwards(void)
{
    struct sample sample = {22};
    begin(PRECISION);
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++) {
            double x[5];
            sample_numbers(&sample, class, x, 5);
            double t = i % 3 == 0 ? x[4] : sample_uniform(&sample, -1, 2);
            if (i % 5 == 0) { /* points */
                x[1] = x[0];
                x[3] = x[2];
            }
            check_lerp_box(x, x + 2, t);
        }
    }
    end();
}

/* Both ends the same and no room for 1 - t: what (1 - t) a + t b of intervals would not give. */
static void lerp_between_equal_points_is_that_point(void)
{
    static const double t[] = {0x1p-1074, 1e-50, 0.1, 1 - 0x1p-53, 1e300, -1e-300};
    mpfi_t point;
    begin(PRECISION);
    mpfi_init2(point, PRECISION);
    mpfi_set_ui(point, 1);
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        interval_lerp(result, point, point, t[i]);
        CU_ASSERT_TRUE(interval_is_point(result) && mpfi_cmp_ui(result, 1) == 0);
    }
    mpfi_clear(point);
    end();
}

/* right - left <= factor |right| 2^-bits */
static bool is_narrow(mpfi_srcptr interval, double factor, long bits)
{
    mpfr_t width, allowed;
    mpfr_inits2(64, width, allowed, NULL);
    mpfr_sub(width, &interval->right, &interval->left, MPFR_RNDU);
    mpfr_abs(allowed, &interval->right, MPFR_RNDD);
    mpfr_mul_d(allowed, allowed, factor, MPFR_RNDD);
    mpfr_mul_2si(allowed, allowed, -bits, MPFR_RNDD);
    bool narrow = mpfr_lessequal_p(width, allowed) != 0;
    mpfr_clears(width, allowed, NULL);
    return narrow;
}

static bool holds(mpfi_srcptr interval, mpfr_srcptr number)
{
    return mpfr_lessequal_p(&interval->left, number) && mpfr_lessequal_p(number, &interval->right);
}

/* Every angle of a box by its corners, at four times the precision: the angle is monotonic in each
 * coordinate. A point of the box in its middle too. */
static bool check_angle(mpfi_srcptr y, mpfi_srcptr x)
{
    mpfr_t angle, middle_y, middle_x;
    mpfr_inits2(FINE, angle, middle_y, middle_x, NULL);
    mpfr_srcptr ys[2] = {&y->left, &y->right};
    mpfr_srcptr xs[2] = {&x->left, &x->right};
    interval_angle(result, y, x);
    bool good = mpfr_sgn(&result->left) >= 0;
    for (int i = 0; i < 4; i++) {
        mpfr_abs(angle, ys[i & 1], MPFR_RNDN); /* MPFI's right zero is -0 */
        mpfr_atan2(angle, angle, xs[i >> 1], MPFR_RNDN);
        good = good && holds(result, angle);
    }
    mpfi_mid(middle_y, y);
    mpfr_abs(middle_y, middle_y, MPFR_RNDN);
    mpfi_mid(middle_x, x);
    mpfr_atan2(angle, middle_y, middle_x, MPFR_RNDN);
    good = good && holds(result, angle);
    mpfr_clears(angle, middle_y, middle_x, NULL);
    return good;
}

/* x +- x 2^-bits, or the point x from 200 bits on */
static void set_blurred(mpfi_ptr interval, double x, int bits)
{
    mpfi_set_d(interval, x);
    if (bits < 200) {
        mpfr_t radius;
        mpfr_init2(radius, 53);
        mpfr_set_d(radius, fabs(x), MPFR_RNDN);
        mpfr_mul_2si(radius, radius, -bits, MPFR_RNDN);
        mpfi_increase(interval, radius);
        mpfr_clear(radius);
    }
}

static void angles_are_enclosed_to_a_fraction_of_themselves(void)
{
    static const int blurs[] = {200, 126, 100, 20, 4};
    struct sample sample = {23};
    mpfi_t y, x;
    begin(PRECISION);
    mpfi_init2(y, 200);
    mpfi_init2(x, 200);
    for (int i = 0; i < DRAWN; i++) {
        int reach = i % 3 == 0 ? 1000 : i % 3 == 1 ? 60 : 1;
        double opposite = fabs(sample_wide(&sample, -reach, reach));
        double adjacent = sample_wide(&sample, -reach, reach);
        int blur_y = blurs[sample_below(&sample, 5)];
        int blur_x = blurs[sample_below(&sample, 5)];
        set_blurred(y, opposite, blur_y);
        set_blurred(x, adjacent, blur_x);
        bool good = check_angle(y, x);
        int blur = blur_y < blur_x ? blur_y : blur_x;
        int bits = blur < PRECISION ? blur : PRECISION;
        good = good && (blur < 10 || is_narrow(result, 24, bits));
        suite_check(good, "the angle of (%a, %a), blurred by 2^-%d and 2^-%d", adjacent, opposite,
                    blur_x, blur_y);
    }
    mpfi_clear(y);
    mpfi_clear(x);
    end();
}

static void angles_at_the_axes_and_of_wide_boxes(void)
{
    static const double corner[][4] = {
        /* y and x */
        {1, 1, 0, 0},       {1, 1, -1, 1},      {0, 1, 1, 2},      {0x1p-1074, 1, -3, -2},
        {0, 0, 1, 2},       {0, 0, -2, -1},     {1, 2, -1e-30, 1}, {1e-300, 1e300, 1, 1},
        {1, 1.2, -1.2, -1}, {1, 1.3, 5, 5.001}, {1, 1.125, 0, 0},  {0, 1e-30, -1, -1},
    };
    mpfi_t y, x;
    begin(PRECISION);
    mpfi_init2(y, 53);
    mpfi_init2(x, 53);
    for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
        set_interval(y, corner[i][0], corner[i][1]);
        set_interval(x, corner[i][2], corner[i][3]);
        suite_check(check_angle(y, x), "row %zu", i);
    }
    end();
    mpfi_clear(y);
    mpfi_clear(x);
}

/* sin and cos of both ends and the middle of x, and of the extremes between them. */
static bool check_sin_cos(mpfi_srcptr x)
{
    mpfi_t cosine;
    mpfr_t point, value;
    mpfi_init2(cosine, PRECISION);
    mpfr_inits2(1400, point, value, NULL);
    interval_sin_cos(result, cosine, x);
    bool good = mpfr_cmp_si(&result->left, -1) >= 0 && mpfr_cmp_si(&result->right, 1) <= 0 &&
                mpfr_cmp_si(&cosine->left, -1) >= 0 && mpfr_cmp_si(&cosine->right, 1) <= 0;
    for (int i = 0; i <= 8; i++) {
        mpfr_sub(point, &x->right, &x->left, MPFR_RNDD);
        mpfr_mul_ui(point, point, (unsigned)i, MPFR_RNDD);
        mpfr_div_2ui(point, point, 3, MPFR_RNDD);
        mpfr_add(point, point, &x->left, MPFR_RNDD);
        mpfr_sin(value, point, MPFR_RNDN);
        good = good && holds(result, value);
        mpfr_cos(value, point, MPFR_RNDN);
        good = good && holds(cosine, value);
    }
    mpfr_clears(point, value, NULL);
    mpfi_clear(cosine);
    return good;
}

static void sines_are_enclosed_as_far_as_the_angle_is_known(void)
{
    static const double special[] = {0,
                                     0x1p-1074,
                                     0x1.921fb54442d18p0,
                                     0x1.921fb54442d18p1,
                                     -0x1.921fb54442d18p1,
                                     0x1.2d97c7f3321d2p2,
                                     1e22,
                                     1e300};
    static const int blurs[] = {200, 126, 60, 8, 1, -2};
    struct sample sample = {24};
    mpfi_t x;
    begin(PRECISION);
    mpfi_init2(x, 1300);
    for (int i = 0; i < DRAWN; i++) {
        double angle = i < 8 ? special[i] : sample_wide(&sample, i % 2 ? -300 : -4, 6);
        int blur = blurs[i < 8 ? 0 : sample_below(&sample, 6)];
        set_blurred(x, angle, blur);
        bool good = check_sin_cos(x);
        if (blur == 200) { /* and a point's sine is known to a few units of its last bit */
            good = good && is_narrow(result, 8, PRECISION);
        }
        suite_check(good, "%a, blurred by 2^-%d", angle, blur);
    }
    mpfi_set_ui(x, 0);
    interval_sin_cos(result, x, x);
    CU_ASSERT_TRUE(mpfi_is_zero(result) > 0);
    CU_ASSERT_TRUE(interval_is_point(x) && mpfi_cmp_ui(x, 1) == 0);
    mpfi_clear(x);
    end();
}

static void sines_of_multiples_of_pi(void)
{
    struct sample sample = {25};
    mpfi_t cosine, angle, wide_sine, wide_cosine;
    begin(PRECISION);
    mpfi_init2(cosine, PRECISION);
    mpfi_init2(angle, 1300);
    mpfi_init2(wide_sine, FINE);
    mpfi_init2(wide_cosine, FINE);
    for (int i = 0; i < DRAWN; i++) {
        double t = i % 4 == 0 ? sample_wide(&sample, -1074, 1000) : sample_uniform(&sample, -2, 2);
        interval_sin_cos_pi(result, cosine, t);
        mpfi_const_pi(angle);
        mpfi_mul_d(angle, angle, t);
        mpfi_sin(wide_sine, angle);
        mpfi_cos(wide_cosine, angle);
        mpfi_intersect(wide_sine, wide_sine, result);
        mpfi_intersect(wide_cosine, wide_cosine, cosine);
        suite_check(!mpfi_is_empty(wide_sine) && !mpfi_is_empty(wide_cosine) && is_tight(result) &&
                        is_tight(cosine),
                    "pi times %a", t);
    }
    for (int quarter = -8; quarter <= 8; quarter++) { /* multiples of pi/2 are exact */
        static const int sines[4] = {0, 1, 0, -1};
        int turn = ((quarter % 4) + 4) % 4;
        interval_sin_cos_pi(result, cosine, quarter / 2.0);
        CU_ASSERT_TRUE(interval_is_point(result) && interval_is_point(cosine));
        CU_ASSERT_TRUE(mpfi_cmp_si(result, sines[turn]) == 0);
        CU_ASSERT_TRUE(mpfi_cmp_si(cosine, sines[(turn + 1) % 4]) == 0);
    }
    mpfi_clear(cosine);
    mpfi_clear(angle);
    mpfi_clear(wide_sine);
    mpfi_clear(wide_cosine);
    end();
}

/* Nested, at several precisions, freed and taken again: nobody gets what another one holds. */
static void work_space_is_a_stack(void)
{
    for (int round = 0; round < 3; round++) {
        mpfi_t *outer = interval_take(5, 100 + round);
        for (unsigned i = 0; i < 5; i++) {
            mpfi_set_ui(outer[i], i + 1);
        }
        mpfi_t *inner = interval_take(7, 5000);
        for (unsigned i = 0; i < 7; i++) {
            CU_ASSERT_EQUAL(mpfi_get_prec(inner[i]), 5000);
            mpfi_set_ui(inner[i], 100);
        }
        double ones[3] = {1, 1, 1};
        mpfi_t *sum = interval_take(1, 64);
        interval_dot(sum[0], ones, ones, 3);
        CU_ASSERT_TRUE(mpfi_cmp_ui(sum[0], 3) == 0);
        interval_return(1);
        interval_return(7);
        for (unsigned i = 0; i < 5; i++) {
            CU_ASSERT_EQUAL(mpfi_get_prec(outer[i]), 100 + round);
            CU_ASSERT_TRUE(mpfi_cmp_ui(outer[i], i + 1) == 0);
        }
        CU_ASSERT_PTR_EQUAL(interval_take(1, 64), inner);
        interval_return(1);
        interval_return(5);
        if (round == 1) {
            interval_free();
        }
    }
    interval_free();
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"sums of products are rounded once each way", sums_of_products_are_rounded_once_each_way},
        {"a minor is zero exactly if its products are equal",
         a_minor_is_zero_exactly_if_its_products_are_equal},
        {"lerp is the exact image, rounded outwards", lerp_is_the_exact_image_rounded_outwards},
        {"lerp between equal points is that point", lerp_between_equal_points_is_that_point},
        {"angles are enclosed to a fraction of themselves",
         angles_are_enclosed_to_a_fraction_of_themselves},
        {"angles at the axes and of wide boxes", angles_at_the_axes_and_of_wide_boxes},
        {"sines are enclosed as far as the angle is known",
         sines_are_enclosed_as_far_as_the_angle_is_known},
        {"sines of multiples of pi", sines_of_multiples_of_pi},
        {"work space is a stack", work_space_is_a_stack},
    };
    return suite_run("interval", tests, sizeof tests / sizeof *tests);
}
