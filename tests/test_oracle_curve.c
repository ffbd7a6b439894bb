/* The oracle's curve and crossfade: what building comes to, where a wrapped time is, what is there,
 * and the verdict on results at times that are not quite that, against GMP's rationals. */
#include "enclosure.h"
#include "keyed.h"
#include "sample.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const mpfr_prec_t precisions[] = {64, 128, 512};
enum {
    PRECISIONS = sizeof precisions / sizeof *precisions,
    PER_DOMAIN = 120,
    PER_DOMAIN_RULES = 2000,
    REFERENCE_BITS = 180, /* keyed_value's, with some to spare */
    TRIES = 24
};

/* The inputs' order */
enum { CURVE_FIELDS = 9, T = CURVE_FIELDS, BLEND_T = 2 * CURVE_FIELDS, W };
enum { CLAMP, LOOP, PING_PONG };

static struct answer answer;
static struct judge *judge;
static struct values inputs, results;
static mpq_t time_of[2], value_of[2], scale_of[2], value, scale, from, to, bound, work;

static void open_all(void)
{
    answer_open(&answer);
    judge = judge_create();
    for (int i = 0; i < 2; i++) {
        mpq_inits(time_of[i], value_of[i], scale_of[i], NULL);
    }
    mpq_inits(value, scale, from, to, bound, work, NULL);
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++) {
        mpq_clears(time_of[i], value_of[i], scale_of[i], NULL);
    }
    mpq_clears(value, scale, from, to, bound, work, NULL);
    values_free(&inputs);
    values_free(&results);
    judge_destroy(judge);
    answer_close(&answer);
}

/* The inputs of the case, in short. */
static const char *describe(void)
{
    static char text[2000];
    size_t used = 0;
    for (size_t field = 0; field < inputs.count && used < sizeof text; field++) {
        for (size_t i = 0; i < values_length(&inputs, field) && used < sizeof text; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%a", i ? ";" : ", ",
                                     values_field(&inputs, field)[i]);
        }
    }
    return text;
}

static size_t for_each_draw(const char *name, size_t per_domain, void (*check)(void))
{
    const struct function *function = catalog_find(name);
    const struct domains *domains = domains_of(function);
    size_t drawn = 0;
    for (size_t d = 0; d < domains->count; d++) {
        for (size_t i = 0; i < per_domain; i++, drawn++) {
            draw_case(37, function, &domains->list[d], i, &inputs);
            check();
        }
    }
    return drawn;
}

static void ask(const char *name, mpfr_prec_t precision)
{
    const struct function *function = catalog_find(name);
    answer.factor = function->K;
    answer_values(function, &inputs, precision, &answer);
}

static bool is_whole(size_t number, size_t wanted)
{
    return interval_is_point(answer.value[number]) &&
           mpfr_cmp_ui(&answer.value[number]->left, wanted) == 0;
}

/* Builds */

static size_t failures;

static void check_build(void)
{
    struct keyed curve = keyed_of(&inputs, 0);
    size_t at[2], count;
    int status = keyed_build(&curve, at, &count);
    ask("curve", 128);
    suite_check(answer.length[0] == (status == 0) && answer.length[1] == 1 &&
                    answer.length[2] == count,
                "lengths %zu %zu %zu for status %d:%s", answer.length[0], answer.length[1],
                answer.length[2], status, describe());
    if (status != 0) {
        failures++;
        suite_check(answer.kind == ANSWER_REAL && is_whole(0, (size_t)status), "not status %d:%s",
                    status, describe());
        for (size_t i = 0; i < count; i++) {
            suite_check(is_whole(1 + i, at[i]), "not at %zu:%s", at[i], describe());
        }
    } else {
        suite_check(answer.kind == ANSWER_GIVEN ? answer.given[1] == 0 : is_whole(1, 0), "%s",
                    describe());
    }
}

static void check_builds(void)
{
    struct keyed a = keyed_of(&inputs, 0), b = keyed_of(&inputs, CURVE_FIELDS);
    size_t at[2], count;
    int of_a = keyed_build(&a, at, &count), of_b = keyed_build(&b, at, &count);
    bool fails = of_a != 0 || of_b != 0;
    ask("crossfade", 128);
    suite_check(answer.length[0] == !fails && answer.length[1] == 1 && answer.length[2] == 1, "%s",
                describe());
    if (fails) {
        failures++;
        suite_check(answer.kind == ANSWER_REAL && is_whole(0, (size_t)of_a) &&
                        is_whole(1, (size_t)of_b),
                    "not %d and %d:%s", of_a, of_b, describe());
    }
}

static void builds_fail_as_they_should(void)
{
    open_all();
    failures = 0;
    size_t drawn = for_each_draw("curve", PER_DOMAIN_RULES, check_build);
    CU_ASSERT(failures > drawn / 20 && failures < drawn / 2);
    failures = 0;
    drawn = for_each_draw("crossfade", PER_DOMAIN, check_builds);
    CU_ASSERT(failures > drawn / 20 && failures < drawn / 2);
    close_all();
}

static void a_wrap_that_does_not_exist_is_no_choice(void)
{
    open_all();
    static const double bad[] = {3, -1, 0.5, NAN, INFINITY};
    draw_case(1, catalog_find("curve"), &domains_of(catalog_find("curve"))->list[0], 0, &inputs);
    for (size_t field = 7; field <= 8; field++) {
        double *wrap = inputs.number + inputs.start[field], before = *wrap;
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            *wrap = bad[i];
            ask("curve", 128);
            suite_check(answer.length[0] == 0 && answer.length[2] == 0 && is_whole(0, 8), "wrap %g",
                        bad[i]);
        }
        *wrap = before;
    }
    close_all();
}

/* Rules and enclosures */

static size_t given, reals, special;

/* Do all of a special segment's t'' give the same? */
static bool has_alternatives(const struct keyed *curve, size_t segment, const mpq_t time,
                             double inside)
{
    keyed_window(from, to, curve, segment, time);
    mpq_set_d(work, curve->time[segment]);
    bool first = mpq_equal(from, work);
    mpq_set_d(work, curve->time[segment + 1]);
    bool last = mpq_equal(to, work);
    return (first && !same_double(curve->value[segment], inside)) ||
           (last && !same_double(curve->value[segment + 1], inside));
}

static void check_given(double wanted)
{
    given++;
    suite_check(answer.kind == ANSWER_GIVEN && same_double(answer.given[0], wanted),
                "given %a, not %a:%s", answer.given[0], wanted, describe());
}

/* A double in the place of a real. */
static void check_special(double wanted)
{
    special++;
    mpfr_srcptr left = &answer.value[0]->left;
    bool same = isnan(wanted) ? mpfr_nan_p(left) != 0 : mpfr_cmp_d(left, wanted) == 0;
    suite_check(answer.kind == ANSWER_REAL && same, "%a:%s", wanted, describe());
}

/* But for so many bits the value is that. */
static void check_near(mpfi_srcptr interval, const mpq_t wanted, const mpq_t size, bool exact)
{
    if (exact) {
        suite_check(interval_contains(interval, wanted), "at %ld bits:%s",
                    (long)mpfr_get_prec(&interval->left), describe());
        return;
    }
    mpfr_t near, tolerance;
    mpfr_inits2(400, near, tolerance, (mpfr_ptr)0);
    mpfr_set_q(near, wanted, MPFR_RNDN);
    mpfr_set_q(tolerance, size, MPFR_RNDU);
    suite_check(interval_is_near(interval, near, tolerance, REFERENCE_BITS), "at %ld bits:%s",
                (long)mpfr_get_prec(&interval->left), describe());
    mpfr_clears(near, tolerance, (mpfr_ptr)0);
}

/* Narrow by the rational's own size, for the enclosure's may be wide. */
static bool is_narrow(mpfi_srcptr interval, const mpq_t size, long bits)
{
    mpfi_t exact;
    mpfi_init2(exact, 128);
    mpfi_set_q(exact, size);
    bool narrow = interval_is_narrow(interval, exact, bits);
    mpfi_clear(exact);
    return narrow;
}

static void check_enclosure(const char *name, bool exact, double factor)
{
    reals++;
    for (int i = 0; i < PRECISIONS; i++) {
        ask(name, precisions[i]);
        suite_check(answer.kind == ANSWER_REAL && answer.factor == factor, "factor %g, not %g:%s",
                    answer.factor, factor, describe());
        check_near(answer.value[0], value, scale, exact);
        check_near(answer.scale[0], scale, scale, exact);
        /* a threefold root is known to a third of the bits */
        long bits = exact ? (long)precisions[i] - 12 : (long)precisions[i] / 3 - 16;
        suite_check(is_narrow(answer.value[0], scale, bits), "F at %ld bits:%s",
                    (long)precisions[i], describe());
        suite_check(is_narrow(answer.scale[0], scale, bits), "S at %ld bits:%s",
                    (long)precisions[i], describe());
    }
}

static void check_value(void)
{
    struct keyed curve = keyed_of(&inputs, 0);
    size_t at[2], count;
    if (keyed_build(&curve, at, &count) != 0) {
        return;
    }
    struct keyed_spot spot = keyed_locate(&curve, *values_field(&inputs, T), time_of[0]);
    double inside;
    ask("curve", 128);
    if (spot.place == KEYED_GIVEN) {
        check_given(spot.value);
    } else if (keyed_inside_rule(&curve, spot.segment, &inside)) {
        if (spot.wrapped && has_alternatives(&curve, spot.segment, time_of[0], inside)) {
            check_special(inside);
        } else {
            check_given(inside);
        }
    } else {
        bool weighted = keyed_is_weighted(&curve, spot.segment);
        keyed_value(value, scale, &curve, spot.segment, time_of[0]);
        check_enclosure("curve", !weighted, weighted ? 64 : 12);
    }
}

static void curves_are_enclosed(void)
{
    open_all();
    given = reals = special = 0;
    size_t drawn = for_each_draw("curve", PER_DOMAIN, check_value);
    CU_ASSERT(given > drawn / 10 && reals > drawn / 3 && special > 0);
    close_all();
}

/* What one curve contributes to a blend. */
struct part {
    bool finite;
    double special; /* if not */
    bool weighted;
};

/* Sets value_of[i] and scale_of[i], if finite. */
static struct part set_part(const struct keyed *curve, double t, int i)
{
    struct part part = {true, 0, false};
    struct keyed_spot spot = keyed_locate(curve, t, time_of[i]);
    double rule = spot.value;
    bool by_rule = spot.place == KEYED_GIVEN;
    if (spot.place == KEYED_INSIDE) {
        part.weighted = keyed_is_weighted(curve, spot.segment);
        by_rule = keyed_inside_rule(curve, spot.segment, &rule);
    }
    if (!by_rule) {
        keyed_value(value_of[i], scale_of[i], curve, spot.segment, time_of[i]);
    } else if (isfinite(rule)) {
        mpq_set_d(value_of[i], rule);
        mpq_abs(scale_of[i], value_of[i]);
    } else {
        part.finite = false;
        part.special = rule;
    }
    return part;
}

/* F and S of the blend, from the parts. */
static void set_blend(double w)
{
    mpq_t share[2];
    mpq_inits(share[0], share[1], NULL);
    mpq_set_d(share[1], w);
    mpq_set_ui(share[0], 1, 1);
    mpq_sub(share[0], share[0], share[1]);
    mpq_set_ui(value, 0, 1);
    mpq_set_ui(scale, 0, 1);
    for (int i = 0; i < 2; i++) {
        mpq_mul(work, share[i], value_of[i]);
        mpq_add(value, value, work);
        mpq_abs(work, work);
        mpq_add(scale, scale, work);
        mpq_mul(work, share[i], scale_of[i]);
        mpq_add(scale, scale, work);
    }
    mpq_clears(share[0], share[1], NULL);
}

static void check_blend(void)
{
    struct keyed a = keyed_of(&inputs, 0), b = keyed_of(&inputs, CURVE_FIELDS);
    double t = *values_field(&inputs, BLEND_T), w = *values_field(&inputs, W);
    size_t at[2], count;
    if (keyed_build(&a, at, &count) != 0 || keyed_build(&b, at, &count) != 0 || !(w > 0 && w < 1)) {
        return;
    }
    struct part of_a = set_part(&a, t, 0), of_b = set_part(&b, t, 1);
    ask("crossfade", 128);
    if (!of_a.finite || !of_b.finite) {
        bool same = !of_a.finite && !of_b.finite && of_a.special == of_b.special;
        double wanted = same ? of_a.special : NAN;
        if (answer.kind == ANSWER_GIVEN) {
            check_given(wanted);
        } else {
            check_special(wanted);
        }
        return;
    }
    set_blend(w);
    bool weighted = of_a.weighted || of_b.weighted;
    check_enclosure("crossfade", !weighted, weighted ? 66 : 14);
}

static void crossfades_are_enclosed(void)
{
    open_all();
    given = reals = special = 0;
    size_t drawn = for_each_draw("crossfade", PER_DOMAIN, check_blend);
    CU_ASSERT(given > 20 && reals > drawn / 2 && special > 0);
    close_all();
}

/* The same as the one curve, with its figures. */
static void check_end(void)
{
    static struct answer blended;
    struct keyed a = keyed_of(&inputs, 0), b = keyed_of(&inputs, CURVE_FIELDS);
    double t = *values_field(&inputs, BLEND_T), w = *values_field(&inputs, W);
    size_t at[2], count;
    if (keyed_build(&a, at, &count) != 0 || keyed_build(&b, at, &count) != 0 || (w > 0 && w < 1)) {
        return;
    }
    answer_open(&blended);
    answer_values(catalog_find("crossfade"), &inputs, 128, &blended);
    if (isnan(w)) {
        given++;
        suite_check(blended.kind == ANSWER_GIVEN && isnan(blended.given[0]), "%s", describe());
    } else {
        static struct values alone;
        values_clear(&alone);
        for (size_t field = 0; field < CURVE_FIELDS; field++) {
            size_t of = field + (w >= 1 ? CURVE_FIELDS : 0), length = values_length(&inputs, of);
            double *number = values_append(&alone, length);
            if (length > 0) {
                memcpy(number, values_field(&inputs, of), length * sizeof *number);
            }
        }
        *values_append(&alone, 1) = t;
        answer.factor = 64;
        answer_values(catalog_find("curve"), &alone, 128, &answer);
        bool same = answer.kind == blended.kind;
        same = same && (answer.kind == ANSWER_GIVEN ? same_double(blended.given[0], answer.given[0])
                                                    : blended.factor == answer.factor);
        if (answer.kind == ANSWER_REAL && !mpfi_nan_p(answer.value[0])) {
            same = same && mpfr_equal_p(&blended.value[0]->left, &answer.value[0]->left) &&
                   mpfr_equal_p(&blended.value[0]->right, &answer.value[0]->right) &&
                   mpfr_equal_p(&blended.scale[0]->right, &answer.scale[0]->right);
        }
        *(answer.kind == ANSWER_GIVEN ? &given : &reals) += 1;
        suite_check(same, "%s", describe());
        values_free(&alone);
    }
    answer_close(&blended);
}

static void at_the_ends_a_crossfade_is_one_curve(void)
{
    open_all();
    given = reals = special = 0;
    for_each_draw("crossfade", (size_t)4 * PER_DOMAIN, check_end);
    CU_ASSERT(given > 500 && reals > 500);
    close_all();
}

/* Verdicts */

static enum verdict verdict_on(const char *name, double result)
{
    struct judgement judgement;
    values_clear(&results);
    *values_append(&results, 1) = result;
    *values_append(&results, 1) = 0;
    values_append(&results, strcmp(name, "curve") == 0 ? 0 : 1);
    if (results.start[3] == 3) {
        results.number[2] = 0;
    }
    judge_case(judge, catalog_find(name), &inputs, &results, &judgement);
    bool shown = judgement.verdict != VERDICT_WITHIN || !judgement.measured ||
                 judgement.error_scaled <= judgement.bound;
    suite_check(shown, "within, with %g of %g:%s", judgement.error_scaled, judgement.bound,
                describe());
    return judgement.verdict;
}

/* The greatest double that is not above it, or the least that is not below. */
static double inner_double(const mpq_t limit, bool upper)
{
    double x = rational_round(limit);
    x = fmin(fmax(x, -DBL_MAX), DBL_MAX);
    mpq_set_d(work, x);
    if (upper ? mpq_cmp(work, limit) > 0 : mpq_cmp(work, limit) < 0) {
        x = nextafter(x, upper ? -INFINITY : INFINITY);
    }
    return x;
}

/* bound = F +- (K u S + 2^-1074) */
static void set_bound(const mpq_t f, const mpq_t s, unsigned long K, bool upper)
{
    mpq_t least;
    mpq_init(least);
    mpq_set_ui(least, 1, 1);
    mpq_div_2exp(least, least, 1074);
    mpq_set_ui(bound, K, 1);
    mpq_mul(bound, bound, s);
    mpq_div_2exp(bound, bound, 53);
    mpq_add(bound, bound, least);
    if (upper) {
        mpq_add(bound, f, bound);
    } else {
        mpq_sub(bound, f, bound);
    }
    mpq_clear(least);
}

static size_t inner, outer;

/* Around `bound`, which no t'' gets beyond, the last double that is accepted and the next one. */
static void check_limit(const char *name, bool upper)
{
    double last = inner_double(bound, upper);
    double next = nextafter(last, upper ? INFINITY : -INFINITY);
    if (fabs(last) == DBL_MAX || isinf(next)) {
        return;
    }
    inner++;
    suite_check(verdict_on(name, last) == VERDICT_WITHIN, "%a is not accepted:%s", last,
                describe());
    outer++;
    suite_check(verdict_on(name, next) == VERDICT_VIOLATION, "%a is accepted:%s", next, describe());
}

/* Where no wrap applies nothing is accepted but the bound at t. */
static void check_unwrapped(void)
{
    struct keyed curve = keyed_of(&inputs, 0);
    size_t at[2], count;
    double inside;
    if (keyed_build(&curve, at, &count) != 0) {
        return;
    }
    struct keyed_spot spot = keyed_locate(&curve, *values_field(&inputs, T), time_of[0]);
    if (spot.place == KEYED_GIVEN || spot.wrapped ||
        keyed_inside_rule(&curve, spot.segment, &inside)) {
        return;
    }
    keyed_value(value, scale, &curve, spot.segment, time_of[0]);
    for (int upper = 0; upper < 2; upper++) {
        set_bound(value, scale, keyed_is_weighted(&curve, spot.segment) ? 64 : 12, upper);
        check_limit("curve", upper);
    }
}

static void without_a_wrap_the_time_is_exact(void)
{
    open_all();
    inner = outer = 0;
    for_each_draw("curve", PER_DOMAIN, check_unwrapped);
    CU_ASSERT(inner > 500 && outer > 500);
    close_all();
}

/* F, S and the bound at t'' = from + i/n (to - from), in value, scale and bound. */
static void set_tried(const struct keyed *curve, size_t segment, unsigned long i, unsigned long n,
                      bool upper)
{
    mpq_t time, share;
    mpq_inits(time, share, NULL);
    mpq_sub(time, to, from);
    mpq_set_ui(share, i, n);
    mpq_canonicalize(share);
    mpq_mul(time, time, share);
    mpq_add(time, time, from);
    keyed_value(value, scale, curve, segment, time);
    set_bound(value, scale, keyed_is_weighted(curve, segment) ? 64 : 12, upper);
    mpq_clears(time, share, NULL);
}

/* Is F +- (K u S) monotone over the window, as far as eight steps show, and by so much more at the
 * best end that its bend cannot matter? Then `bound` is what no t'' gets beyond. */
static bool set_monotone_limit(const struct keyed *curve, size_t segment, bool upper)
{
    enum { STEPS = 8 };
    mpq_t at[STEPS + 1];
    int rises = 0, falls = 0;
    for (unsigned long i = 0; i <= STEPS; i++) {
        mpq_init(at[i]);
        set_tried(curve, segment, i, STEPS, upper);
        mpq_set(at[i], bound);
        if (i > 0) {
            rises += mpq_cmp(at[i], at[i - 1]) > 0;
            falls += mpq_cmp(at[i], at[i - 1]) < 0;
        }
    }
    bool end = (rises == STEPS) == upper;
    mpq_set(bound, at[end ? STEPS : 0]);
    /* the last step is no less than half of the first one, either way */
    mpq_t first, last;
    mpq_inits(first, last, NULL);
    mpq_sub(first, at[1], at[0]);
    mpq_sub(last, at[STEPS], at[STEPS - 1]);
    mpq_abs(first, first);
    mpq_abs(last, last);
    mpq_mul_2exp(work, last, 1);
    bool straight = mpq_cmp(work, first) > 0;
    mpq_mul_2exp(work, first, 1);
    straight = straight && mpq_cmp(work, last) > 0;
    mpq_clears(first, last, NULL);
    for (int i = 0; i <= STEPS; i++) {
        mpq_clear(at[i]);
    }
    return straight && (rises == STEPS || falls == STEPS);
}

/* The same case wherever t is wrapped into a segment without special data. */
static bool is_wrapped_inside(struct keyed *curve, struct keyed_spot *spot)
{
    *curve = keyed_of(&inputs, 0);
    size_t at[2], count;
    double inside;
    if (keyed_build(curve, at, &count) != 0) {
        return false;
    }
    *spot = keyed_locate(curve, *values_field(&inputs, T), time_of[0]);
    if (spot->place == KEYED_GIVEN || !spot->wrapped ||
        keyed_inside_rule(curve, spot->segment, &inside)) {
        return false;
    }
    keyed_window(from, to, curve, spot->segment, time_of[0]);
    return true;
}

static size_t by_window; /* results that would be violations at t' */

static void check_window(void)
{
    struct keyed curve;
    struct keyed_spot spot;
    if (!is_wrapped_inside(&curve, &spot)) {
        return;
    }
    for (int upper = 0; upper < 2; upper++) {
        if (set_monotone_limit(&curve, spot.segment, upper)) {
            double limit = inner_double(bound, upper);
            check_limit("curve", upper);
            keyed_value(value, scale, &curve, spot.segment, time_of[0]);
            by_window += !rational_within(limit, value, scale,
                                          keyed_is_weighted(&curve, spot.segment) ? 64 : 12);
        }
    }
}

static void a_wrapped_time_may_be_off_by_its_window_and_no_more(void)
{
    open_all();
    inner = outer = by_window = 0;
    for_each_draw("curve", (size_t)3 * PER_DOMAIN, check_window);
    CU_ASSERT(inner > 500 && outer > 500 && by_window > 200);
    close_all();
}

/* Any result that is right somewhere in the window is within. */
static void check_anywhere(void)
{
    struct keyed curve;
    struct keyed_spot spot;
    if (!is_wrapped_inside(&curve, &spot)) {
        return;
    }
    double K = keyed_is_weighted(&curve, spot.segment) ? 64 : 12;
    for (unsigned long i = 0; i <= TRIES; i += 3) {
        set_tried(&curve, spot.segment, i, TRIES, i % 2);
        double result = i % 4 < 2 ? rational_round(value) : inner_double(bound, i % 2);
        if (isfinite(result) && rational_within(result, value, scale, K)) {
            inner++;
            suite_check(verdict_on("curve", result) == VERDICT_WITHIN, "%a:%s", result, describe());
        }
    }
}

static void what_is_right_somewhere_in_the_window_is_within(void)
{
    open_all();
    inner = 0;
    for_each_draw("curve", PER_DOMAIN, check_anywhere);
    CU_ASSERT(inner > 2000);
    close_all();
}

/* One segment from (t0, v0) with slope m0 to (t1, v1) with slope m1, looped before it. */
static void put_segment(const double times[2], double v0, double m0, double v1, double m1, double t)
{
    const double columns[4][2] = {
        {times[0], times[1]}, {v0, v1}, {0, m1}, {m0, 0}}; /* time, value, in, out */
    values_clear(&inputs);
    for (int i = 0; i < 4; i++) {
        memcpy(values_append(&inputs, 2), columns[i], sizeof columns[i]);
    }
    for (int i = 4; i < 7; i++) {
        values_append(&inputs, 0);
    }
    *values_append(&inputs, 1) = LOOP;
    *values_append(&inputs, 1) = CLAMP;
    *values_append(&inputs, 1) = t;
}

/* Between a double and the next but two, with t' so much beyond the first of them: not where a
 * double is. The window reaches a little more than half as far as the next one. */
static void put_looped(double v0, double m0, double v1, double m1, double distance)
{
    static const double times[2] = {0x1p52, 0x1p52 + 3};
    put_segment(times, v0, m0, v1, m1, distance + 1); /* 2^52 - 1 is a multiple of 3 */
}

/* v0 = v1 = 0 and slopes m and -m: F = S = 3 m x (1 - x), which is largest in the middle, where no
 * t'' that is tried is: 12 u more is what is allowed. */
static void the_largest_value_may_be_inside_of_the_window(void)
{
    open_all();
    inner = outer = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        put_looped(0, sign * 4, 0, -sign * 4, 1.25);
        struct keyed curve;
        struct keyed_spot spot;
        CU_ASSERT_FATAL(is_wrapped_inside(&curve, &spot));
        mpq_set_d(time_of[1], 1.5);
        mpq_set_d(work, 0x1p52);
        mpq_add(work, work, time_of[1]);
        CU_ASSERT_FATAL(mpq_cmp(from, work) < 0 && mpq_cmp(work, to) < 0);
        mpq_set_si(value, sign < 0 ? -3 : 3, 1);
        mpq_abs(scale, value);
        set_bound(value, scale, 12, sign > 0);
        check_limit("curve", sign > 0);
    }
    CU_ASSERT(inner == 2 && outer == 2);
    close_all();
}

/* The same curve, blended in halves with one that is 0 and has no window: F = A/2, S = A, and 14 u
 * S more is what is allowed. */
static void so_may_that_of_a_blend(void)
{
    open_all();
    inner = outer = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct values alone = {0};
        put_looped(0, sign * 4, 0, -sign * 4, 1.25);
        values_copy(&alone, &inputs);
        values_clear(&inputs);
        for (size_t field = 0; field < 2 * (size_t)CURVE_FIELDS; field++) {
            size_t of = field % CURVE_FIELDS, length = values_length(&alone, of);
            double *number = values_append(&inputs, length);
            for (size_t i = 0; i < length; i++) { /* b has the keys' times and wraps alone */
                bool kept = field < CURVE_FIELDS || of == 0 || of > 6;
                number[i] = kept ? values_field(&alone, of)[i] : 0;
            }
        }
        *values_append(&inputs, 1) = *values_field(&alone, T);
        *values_append(&inputs, 1) = 0.5;
        values_free(&alone);
        mpq_set_si(value, sign < 0 ? -3 : 3, 2);
        mpq_set_ui(scale, 3, 1);
        set_bound(value, scale, 14, sign > 0);
        check_limit("crossfade", sign > 0);
    }
    CU_ASSERT(inner == 2 && outer == 2);
    close_all();
}

/* Between two values that F takes near t', any double is right; its error is shown as none. */
static void what_is_between_is_not_off(void)
{
    open_all();
    put_looped(0, 1, 3, 1, 1.25);
    struct keyed curve;
    struct keyed_spot spot;
    CU_ASSERT_FATAL(is_wrapped_inside(&curve, &spot));
    struct judgement judgement;
    static const double between[] = {0.85, 0.9, 1.1, 1.2, 1.4};
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        suite_check(verdict_on("curve", between[i]) == VERDICT_WITHIN, "%g", between[i]);
        judge_case(judge, catalog_find("curve"), &inputs, &results, &judgement);
        suite_check(judgement.measured && judgement.error_scaled == 0 && judgement.error_ulp == 0 &&
                        judgement.bound == 12,
                    "%g: %g u S", between[i], judgement.error_scaled);
    }
    close_all();
}

/* Infinities and what is not a number, for `name` of the inputs that are set. */
static void check_class(double result, enum verdict wanted)
{
    enum verdict verdict = verdict_on("curve", result);
    suite_check(verdict == wanted, "%g: %s, not %s:%s", result, verdict_name(verdict),
                verdict_name(wanted), describe());
}

static void no_number_where_one_is_wanted_is_a_mismatch(void)
{
    open_all();
    put_looped(0, 1, 3, 1, 1.25);
    check_class(NAN, VERDICT_CLASS_MISMATCH);
    check_class(INFINITY, VERDICT_CLASS_MISMATCH);
    check_class(-INFINITY, VERDICT_CLASS_MISMATCH);
    /* 3 m x (1 - x) h = 0x1p1024 (1 - 1/144) or more beside the middle, at some t'' */
    put_looped(DBL_MAX, 0x1p1023, DBL_MAX, -0x1p1023, 1.25);
    check_class(INFINITY, VERDICT_WITHIN);
    check_class(-INFINITY, VERDICT_CLASS_MISMATCH);
    check_class(NAN, VERDICT_CLASS_MISMATCH);
    check_class(DBL_MAX, VERDICT_VIOLATION);
    /* from 2^1023 up to DBL_MAX, the window's end is at the key whose value that is */
    put_looped(DBL_MAX / 2, 0, DBL_MAX, 0, 2.75);
    check_class(INFINITY, VERDICT_WITHIN);
    check_class(DBL_MAX, VERDICT_WITHIN);
    check_class(DBL_MAX / 2, VERDICT_VIOLATION);
    put_looped(DBL_MAX / 2, 0, DBL_MAX, 0, 1.25);
    check_class(INFINITY, VERDICT_CLASS_MISMATCH);
    close_all();
}

/* F = h m x (1 - x) (1 - 2 x) is from -6 u S to -2 u S in the window around x = 1/2 + 2 u: less
 * than what is allowed, and that is beyond the range. */
static void an_infinity_has_a_sign_that_the_value_takes(void)
{
    open_all();
    static const double times[2] = {0, 0x1p60};
    put_segment(times, 0, 0x1p1023, 0, 0x1p1023, 0x1p8 - 0x1p59);
    check_class(-INFINITY, VERDICT_WITHIN);
    check_class(INFINITY, VERDICT_CLASS_MISMATCH);
    check_class(0, VERDICT_WITHIN);
    check_class(DBL_MAX, VERDICT_WITHIN);
    put_segment(times, 0, -0x1p1023, 0, -0x1p1023, 0x1p8 - 0x1p59);
    check_class(INFINITY, VERDICT_WITHIN);
    check_class(-INFINITY, VERDICT_CLASS_MISMATCH);
    close_all();
}

/* A step, or what is not a number, has both keys' values at the ends of its closed segment: where
 * these are in the window, each is right, bit for bit. */
static void a_steps_window_may_reach_its_ends(void)
{
    open_all();
    put_looped(5, INFINITY, 7, 1, 1.25); /* in the middle */
    check_class(5, VERDICT_WITHIN);
    check_class(7, VERDICT_VIOLATION);
    put_looped(5, INFINITY, 7, 1, 2.75); /* half a double before the end */
    check_class(5, VERDICT_WITHIN);
    check_class(7, VERDICT_WITHIN);
    check_class(nextafter(5, 6), VERDICT_VIOLATION);
    check_class(nextafter(7, 8), VERDICT_VIOLATION);
    check_class(NAN, VERDICT_CLASS_MISMATCH);
    put_looped(5, NAN, 7, 1, 2.75);
    check_class(NAN, VERDICT_WITHIN);
    check_class(7, VERDICT_WITHIN);
    check_class(5, VERDICT_VIOLATION);
    put_looped(5, NAN, 7, 1, 0.25);
    check_class(NAN, VERDICT_WITHIN);
    check_class(5, VERDICT_WITHIN);
    check_class(7, VERDICT_VIOLATION);
    put_looped(5, NAN, 7, 1, 1.25);
    check_class(NAN, VERDICT_WITHIN);
    check_class(5, VERDICT_CLASS_MISMATCH);
    put_looped(NAN, INFINITY, NAN, 1, 2.75);
    check_class(NAN, VERDICT_WITHIN);
    check_class(0, VERDICT_CLASS_MISMATCH);
    put_looped(-0.0, INFINITY, INFINITY, 1, 2.75);
    check_class(-0.0, VERDICT_WITHIN);
    check_class(0.0, VERDICT_CLASS_MISMATCH);
    check_class(INFINITY, VERDICT_WITHIN);
    close_all();
}

/* At a key itself the window does not matter. */
static void at_a_key_its_value_is_asked_for(void)
{
    open_all();
    put_looped(5, 1, 7, 1, 0.0);
    check_class(5, VERDICT_WITHIN);
    check_class(nextafter(5, 6), VERDICT_VIOLATION);
    check_class(nextafter(5, 4), VERDICT_VIOLATION);
    close_all();
}

/* Blends: each side has a window of its own. */

/* F and S of each side at TRIES times of its window, both ends among them. */
static mpq_t values_at[2][TRIES], scales_at[2][TRIES];

static void set_side(int i, const struct keyed *curve, const struct keyed_spot *spot)
{
    mpq_t time;
    mpq_init(time);
    if (spot->wrapped) {
        keyed_window(from, to, curve, spot->segment, time_of[i]);
    } else {
        mpq_set(from, time_of[i]);
        mpq_set(to, time_of[i]);
    }
    for (unsigned long k = 0; k < TRIES; k++) {
        mpq_set_ui(work, k, TRIES - 1);
        mpq_canonicalize(work);
        mpq_sub(time, to, from);
        mpq_mul(time, time, work);
        mpq_add(time, time, from);
        keyed_value(values_at[i][k], scales_at[i][k], curve, spot->segment, time);
    }
    mpq_clear(time);
}

/* At all pairs of these times: between what F is, and how far the bound reaches. */
struct blended {
    mpq_t least, most, low, high;
};

static void set_blended(struct blended *blended, double w)
{
    for (int i = 0; i < TRIES * TRIES; i++) {
        for (int k = 0; k < 2; k++) {
            int tried = k == 0 ? i % TRIES : i / TRIES;
            mpq_set(value_of[k], values_at[k][tried]);
            mpq_set(scale_of[k], scales_at[k][tried]);
        }
        set_blend(w);
        if (i == 0 || mpq_cmp(value, blended->most) > 0) {
            mpq_set(blended->most, value);
        }
        if (i == 0 || mpq_cmp(value, blended->least) < 0) {
            mpq_set(blended->least, value);
        }
        set_bound(value, scale, 14, true);
        if (i == 0 || mpq_cmp(bound, blended->high) > 0) {
            mpq_set(blended->high, bound);
        }
        set_bound(value, scale, 14, false);
        if (i == 0 || mpq_cmp(bound, blended->low) < 0) {
            mpq_set(blended->low, bound);
        }
    }
}

/* Of what F may be while t'' changes by one step between those that are looked at, a sixteenth is
 * left for how much it bends there. */
static void check_blended(const struct blended *blended)
{
    mpq_t margin;
    mpq_init(margin);
    mpq_sub(margin, blended->high, blended->low);
    mpq_div_2exp(margin, margin, 4);
    mpq_sub(work, blended->low, margin);
    mpq_set(from, work);
    mpq_add(to, blended->high, margin);
    mpq_clear(margin);
    const mpq_t *const edges[] = {&blended->low, &blended->least, &blended->most, &blended->high};
    for (int i = 0; i < 6; i++) {
        bool outside = i >= 4;
        mpq_set(bound, outside ? (i == 4 ? from : to) : *edges[i]);
        double result = inner_double(bound, outside ? i == 4 : i >= 2);
        if (fabs(result) >= DBL_MAX / 2) {
            continue;
        }
        enum verdict verdict = verdict_on("crossfade", result);
        mpq_set_d(work, result);
        bool beyond = mpq_cmp(work, from) <= 0 || mpq_cmp(work, to) >= 0;
        *(beyond ? &outer : &inner) += 1;
        suite_check(verdict == (beyond ? VERDICT_VIOLATION : VERDICT_WITHIN), "%d: %a is %s:%s", i,
                    result, verdict_name(verdict), describe());
    }
}

static bool are_both_inside(struct keyed curve[2], struct keyed_spot spot[2], double t)
{
    size_t at[2], count;
    for (int i = 0; i < 2; i++) {
        double inside;
        curve[i] = keyed_of(&inputs, i * (size_t)CURVE_FIELDS);
        if (keyed_build(&curve[i], at, &count) != 0) {
            return false;
        }
        spot[i] = keyed_locate(&curve[i], t, time_of[i]);
        if (spot[i].place == KEYED_GIVEN ||
            keyed_inside_rule(&curve[i], spot[i].segment, &inside) ||
            keyed_is_weighted(&curve[i], spot[i].segment)) {
            return false;
        }
    }
    return spot[0].wrapped || spot[1].wrapped;
}

static void check_blended_window(void)
{
    double t = *values_field(&inputs, BLEND_T), w = *values_field(&inputs, W);
    struct keyed curve[2];
    struct keyed_spot spot[2];
    if (!(w > 0 && w < 1) || !are_both_inside(curve, spot, t)) {
        return;
    }
    struct blended blended;
    mpq_inits(blended.least, blended.most, blended.low, blended.high, NULL);
    set_side(0, &curve[0], &spot[0]);
    set_side(1, &curve[1], &spot[1]);
    set_blended(&blended, w);
    check_blended(&blended);
    mpq_clears(blended.least, blended.most, blended.low, blended.high, NULL);
}

static void each_side_of_a_blend_has_its_window(void)
{
    open_all();
    inner = outer = 0;
    for (int i = 0; i < 2 * TRIES; i++) {
        mpq_inits(values_at[i % 2][i / 2], scales_at[i % 2][i / 2], NULL);
    }
    static const char *const names[] = {"seams", "far", "jumps", "cancelling", "straight"};
    const struct function *function = catalog_find("crossfade");
    const struct domains *domains = domains_of(function);
    for (size_t d = 0; d < domains->count; d++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            for (size_t i = 0; strcmp(domains->list[d].name, names[n]) == 0 && i < 120; i++) {
                draw_case(41, function, &domains->list[d], i, &inputs);
                check_blended_window();
            }
        }
    }
    CU_ASSERT(inner > 100 && outer > 50);
    for (int i = 0; i < 2 * TRIES; i++) {
        mpq_clears(values_at[i % 2][i / 2], scales_at[i % 2][i / 2], NULL);
    }
    close_all();
}

/* Shapes of results */

static void lengths_and_statuses_must_agree(void)
{
    open_all();
    put_looped(0, 1, 3, 1, 1.25);
    struct judgement judgement;
    const struct function *function = catalog_find("curve");
    static const struct {
        size_t values, at;
        double status;
        enum verdict verdict;
    } cases[] = {{1, 0, 0, VERDICT_WITHIN},         {0, 0, 0, VERDICT_CLASS_MISMATCH},
                 {2, 0, 0, VERDICT_CLASS_MISMATCH}, {1, 1, 0, VERDICT_CLASS_MISMATCH},
                 {1, 0, 1, VERDICT_CLASS_MISMATCH}, {1, 0, NAN, VERDICT_CLASS_MISMATCH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        values_clear(&results);
        double *number = values_append(&results, cases[i].values);
        for (size_t k = 0; k < cases[i].values; k++) {
            number[k] = 1;
        }
        *values_append(&results, 1) = cases[i].status;
        number = values_append(&results, cases[i].at);
        for (size_t k = 0; k < cases[i].at; k++) {
            number[k] = 0;
        }
        judge_case(judge, function, &inputs, &results, &judgement);
        suite_check(judgement.verdict == cases[i].verdict, "case %zu: %s", i,
                    verdict_name(judgement.verdict));
    }
    close_all();
}

/* Of a curve with falling times: its status and both indices. */
static void an_error_must_name_its_keys(void)
{
    open_all();
    put_looped(0, 1, 3, 1, 0);
    inputs.number[1] = 0;
    struct judgement judgement;
    static const double wholes[][4] = {{4, 2, 0, 1}, {4, 2, 1, 0}, {4, 2, 0, 2},
                                       {4, 1, 0, 0}, {6, 2, 0, 1}, {4, 2, 0, NAN}};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        values_clear(&results);
        values_append(&results, 0);
        *values_append(&results, 1) = wholes[i][0];
        double *at = values_append(&results, (size_t)wholes[i][1]);
        for (size_t k = 0; k < (size_t)wholes[i][1]; k++) {
            at[k] = wholes[i][2 + k];
        }
        judge_case(judge, catalog_find("curve"), &inputs, &results, &judgement);
        suite_check(judgement.verdict == (i == 0 ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH),
                    "case %zu: %s", i, verdict_name(judgement.verdict));
    }
    close_all();
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"builds fail as they should", builds_fail_as_they_should},
        {"a wrap that does not exist is no choice", a_wrap_that_does_not_exist_is_no_choice},
        {"curves are enclosed", curves_are_enclosed},
        {"crossfades are enclosed", crossfades_are_enclosed},
        {"at the ends a crossfade is one curve", at_the_ends_a_crossfade_is_one_curve},
        {"without a wrap the time is exact", without_a_wrap_the_time_is_exact},
        {"a wrapped time may be off by its window and no more",
         a_wrapped_time_may_be_off_by_its_window_and_no_more},
        {"what is right somewhere in the window is within",
         what_is_right_somewhere_in_the_window_is_within},
        {"the largest value may be inside of the window",
         the_largest_value_may_be_inside_of_the_window},
        {"so may that of a blend", so_may_that_of_a_blend},
        {"what is between is not off", what_is_between_is_not_off},
        {"no number where one is wanted is a mismatch",
         no_number_where_one_is_wanted_is_a_mismatch},
        {"an infinity has a sign that the value takes",
         an_infinity_has_a_sign_that_the_value_takes},
        {"a step's window may reach its ends", a_steps_window_may_reach_its_ends},
        {"at a key its value is asked for", at_a_key_its_value_is_asked_for},
        {"each side of a blend has its window", each_side_of_a_blend_has_its_window},
        {"lengths and statuses must agree", lengths_and_statuses_must_agree},
        {"an error must name its keys", an_error_must_name_its_keys},
    };
    return suite_run("oracle_curve", tests, sizeof tests / sizeof *tests);
}
