/* Attacks on what every formula of the oracle claims: that its intervals hold the exact answer at
 * whatever precision, that more bits make them narrower, and that the functions of intervals hold
 * the result of every point in their arguments. Against other means of finding the same numbers,
 * see the suites of each family and `truelerp selftest`. */
#include "enclosure.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/interval.h"
#include "../oracle/judge.h"

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
        {"exact doubles and ties are points", exact_doubles_and_ties_are_points},
    };
    struct judge *range = judge_create(); /* the widest exponents, as whenever a verdict is found */
    int code = suite_run("enclosures", tests, sizeof tests / sizeof *tests);
    judge_destroy(range);
    return code;
}
