/* Attacks on what every formula of the oracle claims: that its intervals hold the exact answer at
 * whatever precision, that more bits make them narrower, and that the functions of intervals hold
 * the result of every point in their arguments. Against other means of finding the same numbers,
 * see the suites of each family and `truelerp selftest`. */
#include "enclosure.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/cubic_roots.h"
#include "../oracle/interval.h"
#include "../oracle/judge.h"
#include "../oracle/plane.h"
#include "../oracle/reach.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6, LEAST_BITS = 64, MOST_BITS = 2048, REFERENCE_BITS = 3000 };

static uint64_t state = 1;

static uint64_t next_bits(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 11;
}

/* From 64 to 2048, half of them below 256. */
static mpfr_prec_t any_precision(void)
{
    mpfr_prec_t most = next_bits() % 2 ? 256 : MOST_BITS;
    return LEAST_BITS + (mpfr_prec_t)(next_bits() % (uint64_t)(most - LEAST_BITS + 1));
}

static size_t count_reals(const struct function *function, const struct answer *answer)
{
    size_t count = 0;
    for (size_t k = 0; k < function->output_count && !function->whole[k]; k++) {
        count += answer->length[k];
    }
    return count;
}

/* All that an answer of reals encloses. Roots have no scale. */
enum { PARTS_MAX = 3 * NUMBERS_MAX + 2 };

static size_t list_parts(const struct function *function, struct answer *answer,
                         mpfi_ptr parts[PARTS_MAX])
{
    size_t reals = count_reals(function, answer), count = 0;
    bool vector = function->measure == MEASURE_VECTOR;
    bool roots = strcmp(function->name, "cubic_roots") == 0;
    bool scaled = !function_in_ulps(function) && !roots;
    for (size_t i = 0; i < reals; i++) {
        parts[count++] = answer->value[i];
        if (scaled && (!vector || i == 0)) {
            parts[count++] = answer->scale[i];
        }
        if (function->slack) {
            parts[count++] = answer->slack[i];
        }
    }
    if (vector) {
        parts[count++] = answer->magnitude;
    }
    if (function->figure && reals > 0) {
        parts[count++] = answer->figure;
    }
    return count;
}

static bool in_order(mpfi_srcptr interval)
{
    return mpfr_lessequal_p(&interval->left, &interval->right) != 0;
}

static bool meet(mpfi_srcptr x, mpfi_srcptr y)
{
    return mpfr_lessequal_p(&x->left, &y->right) && mpfr_lessequal_p(&y->left, &x->right);
}

static struct answer coarse, fine, reference;

/* Is there a rule that gives doubles elsewhere in the window of a wrapped time? Then the real is
 * one in name only, and may be NaN. */
static bool in_name_only(const struct answer *answer)
{
    return mpfi_nan_p(answer->value[0]) || mpfi_nan_p(answer->scale[0]);
}

/* The answers at two precisions, the wider one's first, with the same in a third that is narrow:
 * all of them hold the exact number, so any two have one in common. */
static void check_pair(const struct function *function, const struct values *inputs)
{
    mpfi_ptr low[PARTS_MAX], high[PARTS_MAX], best[PARTS_MAX];
    mpfr_prec_t bits = any_precision();
    answer_values(function, inputs, bits, &coarse);
    answer_values(function, inputs, 2 * bits, &fine);
    answer_values(function, inputs, REFERENCE_BITS, &reference);
    if (reference.kind != ANSWER_REAL || count_reals(function, &reference) == 0 ||
        in_name_only(&reference)) {
        suite_check(coarse.kind == reference.kind && fine.kind == reference.kind,
                    "%s: another kind at %ld bits", function->name, (long)bits);
        return;
    }
    size_t count = list_parts(function, &coarse, low);
    suite_check(count == list_parts(function, &fine, high) &&
                    count == list_parts(function, &reference, best),
                "%s: another number of parts at %ld bits", function->name, (long)bits);
    for (size_t i = 0; i < count; i++) {
        suite_check(in_order(low[i]) && in_order(high[i]) && in_order(best[i]),
                    "%s: part %zu is no interval at %ld bits", function->name, i, (long)bits);
        suite_check(meet(low[i], high[i]) && meet(low[i], best[i]) && meet(high[i], best[i]),
                    "%s: part %zu at %ld bits and more have nothing in common", function->name, i,
                    (long)bits);
    }
}

static void for_all(void (*check)(const struct function *, const struct values *))
{
    struct values inputs = {0};
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        for (size_t d = 0; d < domains->count; d++) {
            for (uint64_t i = 0; i < SAMPLES; i++) {
                draw_case(97, catalog[f], &domains->list[d], i, &inputs);
                check(catalog[f], &inputs);
            }
        }
    }
    values_free(&inputs);
}

static void open_answers(void)
{
    answer_open(&coarse);
    answer_open(&fine);
    answer_open(&reference);
}

static void close_answers(void)
{
    answer_close(&coarse);
    answer_close(&fine);
    answer_close(&reference);
}

static void enclosures_at_all_precisions_have_a_number_in_common(void)
{
    open_answers();
    for_all(check_pair);
    close_answers();
}

/* Is the width less, or nothing? */
static bool narrower(mpfi_srcptr wide, mpfi_srcptr narrow)
{
    mpfr_t before, after;
    mpfr_inits2(64, before, after, (mpfr_ptr)0);
    mpfr_sub(before, &wide->right, &wide->left, MPFR_RNDU);
    mpfr_sub(after, &narrow->right, &narrow->left, MPFR_RNDU);
    bool result = mpfr_zero_p(after) || mpfr_less_p(after, before);
    mpfr_clears(before, after, (mpfr_ptr)0);
    return result;
}

/* From each precision to the fourfold one: a single step may be one in which nothing is gained. */
static void check_narrowing(const struct function *function, const struct values *inputs)
{
    mpfi_ptr low[PARTS_MAX], high[PARTS_MAX];
    mpfr_prec_t bits = 128 + (mpfr_prec_t)(next_bits() % 384);
    answer_values(function, inputs, bits, &coarse);
    answer_values(function, inputs, 4 * bits, &fine);
    if (coarse.kind != ANSWER_REAL || count_reals(function, &coarse) == 0 ||
        in_name_only(&coarse)) {
        return;
    }
    size_t count = list_parts(function, &coarse, low);
    list_parts(function, &fine, high);
    for (size_t i = 0; i < count; i++) {
        suite_check(narrower(low[i], high[i]), "%s: part %zu is as wide at %ld bits as at %ld",
                    function->name, i, (long)(4 * bits), (long)bits);
    }
}

static void more_bits_make_enclosures_narrower(void)
{
    open_answers();
    for_all(check_narrowing);
    close_answers();
}

/* Functions of intervals */

enum { BITS = 128, POINTS = 9, TRIALS = 4000 };

static double any_double(void)
{
    double mantissa = 1 + (double)(next_bits() % (UINT64_C(1) << 40)) * 0x1p-40;
    int exponent = (int)(next_bits() % 40) - 20;
    return ldexp(next_bits() % 2 ? mantissa : -mantissa, exponent);
}

/* [x, x (1 + 2^-k)], k = 0 to 60, or a point */
static void set_any_interval(mpfi_ptr interval, double x)
{
    mpfi_set_d(interval, x);
    int exponent = (int)(next_bits() % 61);
    if (next_bits() % 8 != 0) {
        mpfi_put_d(interval, x + ldexp(x, -exponent));
    }
}

/* A point of it: an end, or one in between */
static void set_point(mpfr_ptr point, mpfi_srcptr interval, int which)
{
    mpfr_sub(point, &interval->right, &interval->left, MPFR_RNDN);
    mpfr_mul_ui(point, point, (unsigned long)which, MPFR_RNDN);
    mpfr_div_ui(point, point, POINTS - 1, MPFR_RNDN);
    mpfr_add(point, point, &interval->left, MPFR_RNDN);
    mpfr_min(point, point, &interval->right, MPFR_RNDN);
}

/* The exact result is within a unit of the last of 1000 bits of this. */
static bool holds(mpfi_srcptr interval, mpfr_srcptr nearly)
{
    mpfr_t low, high;
    mpfr_inits2(1000, low, high, (mpfr_ptr)0);
    mpfr_set(low, nearly, MPFR_RNDN);
    mpfr_set(high, nearly, MPFR_RNDN);
    mpfr_nextbelow(low);
    mpfr_nextabove(high);
    bool inside =
        mpfr_lessequal_p(&interval->left, high) && mpfr_lessequal_p(low, &interval->right);
    mpfr_clears(low, high, (mpfr_ptr)0);
    return inside;
}

struct points {
    mpfi_t x, y, first, second;
    mpfr_t p, q, r, s;
};

static void points_open(struct points *at)
{
    mpfi_init2(at->x, BITS);
    mpfi_init2(at->y, BITS);
    mpfi_init2(at->first, BITS);
    mpfi_init2(at->second, BITS);
    mpfr_inits2(1000, at->p, at->q, at->r, at->s, (mpfr_ptr)0);
}

static void points_close(struct points *at)
{
    mpfi_clear(at->x);
    mpfi_clear(at->y);
    mpfi_clear(at->first);
    mpfi_clear(at->second);
    mpfr_clears(at->p, at->q, at->r, at->s, (mpfr_ptr)0);
}

static void an_angle_holds_those_of_all_its_points(void)
{
    struct points at;
    points_open(&at);
    for (int trial = 0; trial < TRIALS; trial++) {
        set_any_interval(at.x, any_double());
        set_any_interval(at.y, fabs(any_double()));
        interval_angle(at.first, at.y, at.x);
        for (int i = 0; i < POINTS * POINTS; i++) {
            set_point(at.p, at.x, i % POINTS);
            set_point(at.q, at.y, i / POINTS);
            mpfr_atan2(at.r, at.q, at.p, MPFR_RNDN);
            if (!holds(at.first, at.r)) {
                suite_check(false, "atan2(%g, %g)", mpfr_get_d(at.q, MPFR_RNDN),
                            mpfr_get_d(at.p, MPFR_RNDN));
            }
        }
    }
    CU_PASS("all angles");
    points_close(&at);
}

static void a_sine_holds_those_of_all_its_points(void)
{
    struct points at;
    points_open(&at);
    for (int trial = 0; trial < TRIALS; trial++) {
        set_any_interval(at.x, any_double());
        interval_sin_cos(at.first, at.second, at.x);
        for (int i = 0; i < POINTS; i++) {
            set_point(at.p, at.x, i);
            mpfr_sin_cos(at.r, at.s, at.p, MPFR_RNDN);
            if (!holds(at.first, at.r) || !holds(at.second, at.s)) {
                suite_check(false, "sine or cosine of %g", mpfr_get_d(at.p, MPFR_RNDN));
            }
        }
    }
    CU_PASS("all sines");
    points_close(&at);
}

static void a_lerp_holds_those_of_all_its_points(void)
{
    struct points at;
    points_open(&at);
    for (int trial = 0; trial < TRIALS; trial++) {
        double t = next_bits() % 2 ? any_double() : (double)(next_bits() % 1025) / 1024;
        set_any_interval(at.x, any_double());
        set_any_interval(at.y, any_double());
        interval_lerp(at.first, at.x, at.y, t);
        for (int i = 0; i < POINTS * POINTS; i++) {
            set_point(at.p, at.x, i % POINTS);
            set_point(at.q, at.y, i / POINTS);
            mpfr_sub(at.r, at.q, at.p, MPFR_RNDN);
            mpfr_mul_d(at.r, at.r, t, MPFR_RNDN);
            mpfr_add(at.r, at.r, at.p, MPFR_RNDN);
            if (!holds(at.first, at.r)) {
                suite_check(false, "lerp of %g and %g at %g", mpfr_get_d(at.p, MPFR_RNDN),
                            mpfr_get_d(at.q, MPFR_RNDN), t);
            }
        }
    }
    CU_PASS("all blends");
    points_close(&at);
}

/* Functions of several intervals: in so many bits that nothing cancels which matters */
enum { WORK_BITS = 1600, CUBIC = 4, FEWER_TRIALS = 1000 };

static void set_any_point(mpfr_ptr point, mpfi_srcptr interval)
{
    set_point(point, interval, (int)(next_bits() % POINTS));
}

static void init_all(mpfi_t *interval, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpfi_init2(interval[i], BITS);
    }
}

static void clear_all(mpfi_t *interval, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpfi_clear(interval[i]);
    }
}

static void set_dot(mpfr_ptr dot, const double *a, const double *b, size_t count)
{
    mpfr_t x;
    mpfr_init2(x, WORK_BITS);
    mpfr_set_zero(dot, 1);
    for (size_t k = 0; k < count; k++) {
        mpfr_set_d(x, a[k], MPFR_RNDN);
        mpfr_mul_d(x, x, b[k], MPFR_RNDN);
        mpfr_add(dot, dot, x, MPFR_RNDN);
    }
    mpfr_clear(x);
}

/* |a| times component k of the unit vector across a on b's side: (|a|^2 b_k - (a . b) a_k) over the
 * root of |a|^2 |b|^2 - (a . b)^2. With another axis, b is that. */
static void set_across(mpfr_ptr across, const double *a, const double *b, size_t count, size_t k)
{
    mpfr_t square, other, dot;
    mpfr_inits2(WORK_BITS, square, other, dot, (mpfr_ptr)0);
    set_dot(square, a, a, count);
    set_dot(other, b, b, count);
    set_dot(dot, a, b, count);
    mpfr_mul(other, other, square, MPFR_RNDN);
    mpfr_mul_d(square, square, b[k], MPFR_RNDN);
    mpfr_mul_d(across, dot, a[k], MPFR_RNDN);
    mpfr_sub(across, square, across, MPFR_RNDN);
    mpfr_sqr(dot, dot, MPFR_RNDN);
    mpfr_sub(other, other, dot, MPFR_RNDN);
    mpfr_sqrt(other, other, MPFR_RNDN);
    mpfr_div(across, across, other, MPFR_RNDN);
    mpfr_clears(square, other, dot, (mpfr_ptr)0);
}

/* cosine a + sine |a| w, or with the axis of a's smallest component in place of b, at points of the
 * cosine and the sine. */
static void check_turns(const struct plane *plane, const double *b, mpfi_srcptr cosine,
                        mpfi_srcptr sine, mpfi_t *value)
{
    mpfr_t across, c, s;
    mpfr_inits2(WORK_BITS, across, c, s, (mpfr_ptr)0);
    for (size_t k = 0; k < plane->dimensions; k++) {
        set_across(across, plane->a, b, plane->dimensions, k);
        for (int i = 0; i < POINTS * POINTS; i++) {
            set_point(c, cosine, i % POINTS);
            set_point(s, sine, i / POINTS);
            mpfr_mul_d(c, c, plane->a[k], MPFR_RNDN);
            mpfr_fma(c, s, across, c, MPFR_RNDN);
            if (!holds(value[k], c)) {
                suite_check(false, "component %zu of a turn, %g", k, mpfr_get_d(c, MPFR_RNDN));
            }
        }
    }
    mpfr_clears(across, c, s, (mpfr_ptr)0);
}

static void a_turn_holds_those_of_all_its_points(void)
{
    struct points at;
    mpfi_t turned[PLANE_DIMENSIONS_MAX], by_axis[PLANE_DIMENSIONS_MAX];
    points_open(&at);
    init_all(turned, PLANE_DIMENSIONS_MAX);
    init_all(by_axis, PLANE_DIMENSIONS_MAX);
    for (int trial = 0; trial < FEWER_TRIALS; trial++) {
        double a[PLANE_DIMENSIONS_MAX], b[PLANE_DIMENSIONS_MAX];
        double axis[PLANE_DIMENSIONS_MAX] = {0};
        size_t dimensions = 3 + next_bits() % 2, smallest = 0;
        for (size_t k = 0; k < dimensions; k++) {
            a[k] = any_double();
            b[k] = any_double();
            smallest = fabs(a[k]) < fabs(a[smallest]) ? k : smallest;
        }
        axis[smallest] = 1;
        set_any_interval(at.x, any_double());
        set_any_interval(at.y, any_double());
        struct plane plane;
        plane_open(&plane, a, b, dimensions, BITS);
        CU_ASSERT_EQUAL_FATAL(plane.kind, PLANE_SPANNED);
        plane_turn(turned, &plane, at.x, at.y);
        plane_turn_by_axis(by_axis, &plane, at.x, at.y);
        plane_close(&plane);
        check_turns(&plane, b, at.x, at.y, turned);
        check_turns(&plane, axis, at.x, at.y, by_axis);
    }
    CU_PASS("all turns");
    clear_all(turned, PLANE_DIMENSIONS_MAX);
    clear_all(by_axis, PLANE_DIMENSIONS_MAX);
    points_close(&at);
}

/* c[0] x^3 + c[1] x^2 + c[2] x + c[3] */
static void set_polynomial(mpfr_ptr value, const double *c, mpfr_srcptr x)
{
    mpfr_set_zero(value, 1);
    for (int i = 0; i < CUBIC; i++) {
        mpfr_mul(value, value, x, MPFR_RNDN);
        mpfr_add_d(value, value, c[i], MPFR_RNDN);
    }
}

/* Every other one is nearly 0 at x; some intervals hold 0. */
static void a_residual_holds_those_of_all_its_points(void)
{
    struct points at;
    mpfr_t x, value;
    mpfr_inits2(WORK_BITS, x, value, (mpfr_ptr)0);
    points_open(&at);
    for (int trial = 0; trial < TRIALS; trial++) {
        double c[CUBIC], size[CUBIC], near = any_double();
        for (int i = 0; i < CUBIC; i++) {
            c[i] = any_double();
        }
        if (next_bits() % 2) {
            c[3] = -((c[0] * near + c[1]) * near + c[2]) * near;
        }
        for (int i = 0; i < CUBIC; i++) {
            size[i] = fabs(c[i]);
        }
        set_any_interval(at.x, near);
        if (next_bits() % 8 == 0) {
            mpfi_put_d(at.x, any_double());
        }
        cubic_residual(c, at.x, at.first, at.second, BITS);
        for (int i = 0; i < POINTS; i++) {
            set_point(x, at.x, i);
            set_polynomial(value, c, x);
            mpfr_abs(value, value, MPFR_RNDN);
            bool good = holds(at.first, value);
            mpfr_abs(x, x, MPFR_RNDN);
            set_polynomial(value, size, x);
            if (!good || !holds(at.second, value)) {
                suite_check(false, "%g %g %g %g at %g", c[0], c[1], c[2], c[3],
                            mpfr_get_d(x, MPFR_RNDN));
            }
        }
    }
    CU_PASS("all residuals");
    points_close(&at);
    mpfr_clears(x, value, (mpfr_ptr)0);
}

/* The value, or a third of the derivative, at x of the cubic with these Bernstein coefficients, by
 * the basis polynomials. */
static void set_bernstein(mpfr_ptr value, mpfr_t *c, mpfr_srcptr x, int degree)
{
    mpfr_t term, rest;
    mpfr_inits2(WORK_BITS, term, rest, (mpfr_ptr)0);
    mpfr_ui_sub(rest, 1, x, MPFR_RNDN);
    mpfr_set_zero(value, 1);
    for (int i = 0; i <= degree; i++) {
        if (degree == 3) {
            mpfr_set(term, c[i], MPFR_RNDN);
        } else {
            mpfr_sub(term, c[i + 1], c[i], MPFR_RNDN);
        }
        mpfr_mul_ui(term, term, i == 0 || i == degree ? 1 : (unsigned long)degree, MPFR_RNDN);
        for (int k = 0; k < degree; k++) {
            mpfr_mul(term, term, k < i ? x : rest, MPFR_RNDN);
        }
        mpfr_add(value, value, term, MPFR_RNDN);
    }
    mpfr_clears(term, rest, (mpfr_ptr)0);
}

/* Coefficient i on the part from `from` to `to`: a value at an end, or a third of the way along the
 * tangent there. */
static void set_part(mpfr_ptr part, mpfr_t *c, int i, double from, double to)
{
    mpfr_t x, slope;
    mpfr_inits2(WORK_BITS, x, slope, (mpfr_ptr)0);
    mpfr_set_d(x, i < 2 ? from : to, MPFR_RNDN);
    set_bernstein(part, c, x, 3);
    if (i == 1 || i == 2) {
        set_bernstein(slope, c, x, 2);
        mpfr_set_d(x, i < 2 ? to : from, MPFR_RNDN);
        mpfr_sub_d(x, x, i < 2 ? from : to, MPFR_RNDN);
        mpfr_fma(part, x, slope, part, MPFR_RNDN);
    }
    mpfr_clears(x, slope, (mpfr_ptr)0);
}

/* The maximum is at an end or where the derivative's quadratic is 0. */
static void set_maximum(mpfr_ptr maximum, mpfr_t *c)
{
    mpfr_t a, b, root, x, value;
    mpfr_inits2(WORK_BITS, a, b, root, x, value, (mpfr_ptr)0);
    mpfr_max(maximum, c[0], c[3], MPFR_RNDN);
    mpfr_sub(b, c[2], c[1], MPFR_RNDN);
    mpfr_mul_ui(b, b, 3, MPFR_RNDN); /* a = c3 - c0 - 3 (c2 - c1), b = c1 - c0 - (c2 - c1) */
    mpfr_sub(a, c[3], c[0], MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_sub(b, c[1], c[0], MPFR_RNDN);
    mpfr_sub(root, c[2], c[1], MPFR_RNDN);
    mpfr_sub(b, b, root, MPFR_RNDN); /* a x^2 - 2 b x + c1 - c0 */
    mpfr_sub(x, c[1], c[0], MPFR_RNDN);
    mpfr_sqr(root, b, MPFR_RNDN);
    mpfr_mul(value, a, x, MPFR_RNDN);
    mpfr_sub(root, root, value, MPFR_RNDN);
    for (int side = -1; side <= 1 && mpfr_sgn(root) >= 0 && mpfr_sgn(a) != 0; side += 2) {
        mpfr_sqrt(x, root, MPFR_RNDN);
        mpfr_mul_si(x, x, side, MPFR_RNDN);
        mpfr_add(x, x, b, MPFR_RNDN);
        mpfr_div(x, x, a, MPFR_RNDN);
        if (mpfr_sgn(x) > 0 && mpfr_cmp_ui(x, 1) < 0) {
            set_bernstein(value, c, x, 3);
            mpfr_max(maximum, maximum, value, MPFR_RNDN);
        }
    }
    mpfr_clears(a, b, root, x, value, (mpfr_ptr)0);
}

static double any_share(void)
{
    return next_bits() % 8 == 0 ? (double)(next_bits() % 2) : (double)next_bits() * 0x1p-53;
}

static void parts_and_maxima_hold_those_of_all_their_points(void)
{
    mpfi_t coefficient[CUBIC], part[CUBIC], maximum[1];
    mpfr_t c[CUBIC], exact;
    mpfr_init2(exact, WORK_BITS);
    init_all(coefficient, CUBIC);
    init_all(part, CUBIC);
    init_all(maximum, 1);
    for (int i = 0; i < CUBIC; i++) {
        mpfr_init2(c[i], WORK_BITS);
    }
    size_t inside = 0;
    for (int trial = 0; trial < FEWER_TRIALS; trial++) {
        double one = any_share(), other = any_share();
        for (int i = 0; i < CUBIC; i++) {
            set_any_interval(coefficient[i], any_double());
        }
        reach_part(part, coefficient, fmin(one, other), fmax(one, other));
        reach_maximum(maximum[0], coefficient, (int)(next_bits() % 30));
        for (int k = 0; k < POINTS; k++) {
            for (int i = 0; i < CUBIC; i++) {
                set_any_point(c[i], coefficient[i]);
            }
            for (int i = 0; i < CUBIC; i++) {
                set_part(exact, c, i, fmin(one, other), fmax(one, other));
                suite_check(holds(part[i], exact), "coefficient %d from %g to %g: %g", i, one,
                            other, mpfr_get_d(exact, MPFR_RNDN));
            }
            set_maximum(exact, c);
            inside += mpfr_greater_p(exact, c[0]) && mpfr_greater_p(exact, c[3]);
            suite_check(holds(maximum[0], exact), "maximum %g", mpfr_get_d(exact, MPFR_RNDN));
        }
    }
    CU_ASSERT(inside > FEWER_TRIALS);
    for (int i = 0; i < CUBIC; i++) {
        mpfr_clear(c[i]);
    }
    clear_all(coefficient, CUBIC);
    clear_all(part, CUBIC);
    clear_all(maximum, 1);
    mpfr_clear(exact);
}

/* Exact answers that are doubles, or half way between two, subnormal ones and those at the end of
 * the range included: the enclosure is that number as soon as the precision holds it. */
static void exact_doubles_and_ties_are_points(void)
{
    static const struct {
        double a, b, t;
        const char *exact;
    } cases[] = {
        {0x1p0, 0x1.8p0, 0.5, "0x1.4p0"},
        {0x1p0, 0x1.0000000000001p0, 0.5, "0x1.00000000000008p0"},
        {0x1p-1074, 0x1p-1073, 0.5, "0x1.8p-1074"},
        {0, 0x1p-1074, 0.5, "0x1p-1075"},
        {0x1p-1022, -0x1p-1074, 0.25, "0x1.7ffffffffffff8p-1023"},
        {0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, -0.5, "0x1.fffffffffffffp1024"},
        {0x1.fffffffffffffp1023, 0x1.ffffffffffffep1023, -0.5, "0x1.fffffffffffff8p1023"},
        {3, -3, 0.5, "0"},
    };
    struct answer answer;
    mpfr_t exact;
    mpfr_init2(exact, 256);
    answer_open(&answer);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double inputs[] = {cases[i].a, cases[i].b, cases[i].t};
        mpfr_strtofr(exact, cases[i].exact, NULL, 0, MPFR_RNDN);
        for (mpfr_prec_t bits = 128; bits <= 512; bits *= 2) {
            answer_at(catalog_find("lerp_cr"), inputs, bits, &answer);
            suite_check(answer.kind == ANSWER_REAL && interval_is_point(answer.value[0]) &&
                            mpfr_equal_p(&answer.value[0]->left, exact),
                        "case %zu at %ld bits is not %s", i, (long)bits, cases[i].exact);
        }
    }
    answer_close(&answer);
    mpfr_clear(exact);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"enclosures at all precisions have a number in common",
         enclosures_at_all_precisions_have_a_number_in_common},
        {"more bits make enclosures narrower", more_bits_make_enclosures_narrower},
        {"an angle holds those of all its points", an_angle_holds_those_of_all_its_points},
        {"a sine holds those of all its points", a_sine_holds_those_of_all_its_points},
        {"a lerp holds those of all its points", a_lerp_holds_those_of_all_its_points},
        {"a turn holds those of all its points", a_turn_holds_those_of_all_its_points},
        {"a residual holds those of all its points", a_residual_holds_those_of_all_its_points},
        {"parts and maxima hold those of all their points",
         parts_and_maxima_hold_those_of_all_their_points},
        {"exact doubles and ties are points", exact_doubles_and_ties_are_points},
    };
    struct judge *range = judge_create(); /* the widest exponents, as whenever a verdict is found */
    int code = suite_run("enclosures", tests, sizeof tests / sizeof *tests);
    judge_destroy(range);
    return code;
}
