/* The first stage of curve and crossfade: wrapped times against rationals, values and scales
 * against the exact ones of the segments that rationals find, judgements against the ladder's.
 * Usage: test_filter_curve [SAMPLES [SEED]] */
#include "contained.h"
#include "enclosure.h"
#include "keyed.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/filter_wrap.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t sample_count = 100000; /* of each function */
static uint64_t seed = 47;

/* The inputs' order */
enum { FIELDS = 9, T = FIELDS, BLEND_T = 2 * FIELDS, W };

enum { BITS = 320, EXACT_BITS = 2300 };

static struct values inputs, results;
static mpq_t time_found;
static mpfr_t exact_time;
static struct answer answer;

static void open_all(void)
{
    mpq_init(time_found);
    mpfr_init2(exact_time, EXACT_BITS);
    answer_open(&answer);
}

static void close_all(void)
{
    mpq_clear(time_found);
    mpfr_clear(exact_time);
    answer_close(&answer);
    values_free(&inputs);
    values_free(&results);
}

/* The case; nothing where all is well, for it takes its time. */
static const char *described(const struct function *function, bool well)
{
    return well ? "" : describe_case(function, &inputs);
}

/* Wrapped times */

/* t' of two keys at `first` and `last`, by rationals: the nearest double, and the rest's sign. */
static struct wrap_time wrap_by_rationals(double t, double first, double last, bool back_and_forth)
{
    const double key_times[] = {first, last}, zeros[] = {0, 0};
    int wrap = back_and_forth ? 2 : 1;
    struct keyed curve = {2, key_times, zeros, zeros, zeros, NULL, NULL, NULL, wrap, wrap};
    keyed_locate(&curve, t, time_found);
    mpfr_set_q(exact_time, time_found, MPFR_RNDN);
    double nearest = mpfr_get_d(exact_time, MPFR_RNDN);
    int rest = mpfr_cmp_d(exact_time, nearest);
    return (struct wrap_time){nearest, (rest > 0) - (rest < 0)};
}

/* A double of up to `bits` significant bits, for times that meet again. */
static double short_number(struct stream *stream, int bits, int least, int most)
{
    double x = draw_log(stream, least, most);
    double unit = ldexp(1, ilogb(x) - bits + 1);
    bool whole = bits >= 53 || unit == 0;
    return draw_sign(stream, whole ? x : rint(x / unit) * unit);
}

struct times {
    double first, last, t;
};

static struct times draw_times(struct stream *stream)
{
    static const int all_bits[] = {1, 4, 12, 30, 53, 53};
    static const int middles[] = {0, 0, 8, 900, -900, -1060};
    int middle = middles[draw_below(stream, 6)], bits = all_bits[draw_below(stream, 6)];
    int spread = 1 + (int)draw_below(stream, draw_below(stream, 2) ? 14 : 70);
    int least = middle - spread < -1074 ? -1074 : middle - spread;
    double x = draw_below(stream, 8) ? short_number(stream, bits, least, middle + 4) : 0;
    double y = short_number(stream, bits, middle - 4, middle + 4);
    struct times times = {.first = draw_least(x, y), .last = draw_most(x, y)};
    double duration = times.last - times.first;
    switch (draw_below(stream, 4)) {
    case 0: /* at a key, or nearly */
        times.t = times.last + duration * (double)draw_below(stream, 9);
        break;
    case 1:
        times.t = short_number(stream, bits, middle + 4, 1023);
        break;
    default:
        times.t = draw_uniform(stream, -64, 64) * duration;
    }
    return times;
}

static bool is_wrapped(const struct times *times)
{
    return isfinite(times->t) && times->first < times->last &&
           (times->t < times->first || times->t > times->last);
}

static void test_wraps(void)
{
    size_t wraps = 0, exact = 0, between = 0;
    open_all();
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {.key = (seed * 0x10001 + i) * 0x9e3779b97f4a7c15};
        struct times times = draw_times(&stream);
        bool back_and_forth = draw_below(&stream, 2);
        struct wrap_time found;
        if (!is_wrapped(&times)) {
            continue;
        }
        wraps++;
        if (!wrap_exactly(times.t, times.first, times.last, back_and_forth, &found)) {
            continue;
        }
        struct wrap_time wanted =
            wrap_by_rationals(times.t, times.first, times.last, back_and_forth);
        exact++;
        between += wanted.rest != 0;
        suite_check(found.nearest == wanted.nearest && found.rest == wanted.rest,
                    "%a in %a to %a, %s: %a and %d, not %a and %d", times.t, times.first,
                    times.last, back_and_forth ? "ping pong" : "loop", found.nearest, found.rest,
                    wanted.nearest, wanted.rest);
    }
    suite_check(2 * wraps > sample_count && 10 * exact > 8 * wraps && 8 * between > exact,
                "%zu wraps, %zu exact, %zu between doubles", wraps, exact, between);
    close_all();
}

/* Estimates */

/* What a curve is at a time, by rationals. */
struct found {
    bool given; /* by a rule */
    double value;
    bool inside; /* of a segment, by a rule or not */
    size_t segment;
    double time; /* t'' in it */
    bool elsewhere;
    bool weighted;
};

static struct found find(const struct keyed *curve, double t)
{
    struct keyed_spot spot = keyed_locate(curve, t, time_found);
    struct found found = {.given = true, .value = spot.value};
    if (spot.place == KEYED_INSIDE) {
        found.inside = true;
        found.segment = spot.segment;
        found.weighted = keyed_is_weighted(curve, spot.segment);
        found.given = keyed_inside_rule(curve, spot.segment, &found.value);
        mpfr_set_q(exact_time, time_found, MPFR_RNDN);
        found.time = mpfr_get_d(exact_time, MPFR_RNDN);
        found.elsewhere = !found.given && mpfr_cmp_d(exact_time, found.time) != 0;
    }
    return found;
}

static void append(struct values *values, double number)
{
    *values_append(values, 1) = number;
}

static void append_weight(struct values *values, bool weighted, const double *weights, size_t key)
{
    double *number = values_append(values, weighted ? 1 : 0);
    if (weighted) {
        *number = weights[key];
    }
}

/* F and S of the segment at t'', from the function of a segment. */
static void set_segment(mpfi_ptr value, mpfi_ptr scale, const struct keyed *curve,
                        const struct found *found, mpfr_prec_t bits)
{
    static struct values segment;
    size_t key = found->segment;
    int out = curve->mode ? (int)curve->mode[key] & 2 : 0;
    int in = curve->mode ? (int)curve->mode[key + 1] & 1 : 0;
    values_clear(&segment);
    append(&segment, curve->time[key]);
    append(&segment, curve->value[key]);
    append(&segment, curve->out_tangent[key]);
    if (found->weighted) {
        append_weight(&segment, out, curve->out_weight, key);
    }
    append(&segment, curve->time[key + 1]);
    append(&segment, curve->value[key + 1]);
    append(&segment, curve->in_tangent[key + 1]);
    if (found->weighted) {
        append_weight(&segment, in, curve->in_weight, key + 1);
    }
    append(&segment, found->time);
    answer_values(catalog_find(found->weighted ? "bezier" : "hermite"), &segment, bits, &answer);
    mpfi_set(value, answer.value[0]);
    mpfi_set(scale, answer.scale[0]);
}

static void set_side(mpfi_ptr value, mpfi_ptr scale, const struct keyed *curve,
                     const struct found *found, mpfr_prec_t bits)
{
    bool first = found->inside && found->time == curve->time[found->segment];
    bool last = found->inside && found->time == curve->time[found->segment + 1];
    if (!found->given && !first && !last) {
        set_segment(value, scale, curve, found, bits);
        return;
    }
    double number = found->given ? found->value : curve->value[found->segment + (first ? 0 : 1)];
    mpfi_set_d(value, number);
    mpfi_set_d(scale, fabs(number));
}

/* A case by rationals. */
struct wanted {
    struct keyed curve[2];
    struct found found[2];
    size_t sides; /* that count; 0: it cannot be built */
    double w;
};

/* Leaves F and S of the case in the first of both. */
static void set_wanted(mpfi_t value[3], mpfi_t scale[3], const struct wanted *wanted,
                       mpfr_prec_t bits)
{
    for (size_t i = 0; i < 3; i++) {
        mpfi_set_prec(value[i], bits);
        mpfi_set_prec(scale[i], bits);
    }
    for (size_t i = 0; i < wanted->sides; i++) {
        set_side(value[i], scale[i], &wanted->curve[i], &wanted->found[i], bits);
    }
    if (wanted->sides < 2) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        mpfi_set_d(value[2], wanted->w);
        if (i == 0) {
            mpfi_ui_sub(value[2], 1, value[2]);
        }
        mpfi_abs(scale[2], value[i]);
        mpfi_add(scale[i], scale[i], scale[2]);
        mpfi_mul(scale[i], scale[i], value[2]);
        mpfi_mul(value[i], value[i], value[2]);
    }
    mpfi_add(value[0], value[0], value[1]);
    mpfi_add(scale[0], scale[0], scale[1]);
}

static struct containment containment;

static void check_values(const struct function *function, const struct wanted *wanted,
                         const struct estimate *estimate)
{
    mpfi_t value[3], scale[3];
    double of_value = NAN, of_scale = NAN;
    for (size_t i = 0; i < 3; i++) {
        mpfi_init(value[i]);
        mpfi_init(scale[i]);
    }
    for (mpfr_prec_t bits = BITS; isnan(of_value + of_scale) && bits <= 64 * BITS; bits *= 4) {
        set_wanted(value, scale, wanted, bits);
        of_value = contained_part(value[0], estimate->exponent, &estimate->value[0]);
        of_scale = contained_part(scale[0], estimate->exponent, &estimate->scale[0]);
    }
    bool contained = of_value <= 1 && of_scale <= 1;
    suite_check(contained, "%s, %s: %.3g and %.3g of the errors of F and S", function->name,
                described(function, contained), of_value, of_scale);
    containment.value = fmax(containment.value, of_value);
    containment.scale = fmax(containment.scale, of_scale);
    for (size_t i = 0; i < 3; i++) {
        mpfi_clear(value[i]);
        mpfi_clear(scale[i]);
    }
}

/* What building the curves comes to, as whole numbers. Returns whether it is all well. */
static bool check_builds(const struct function *function, const struct estimate *estimate)
{
    size_t curves = inputs.count > FIELDS + 1 ? 2 : 1, at[2], at_count = 0;
    int status[2] = {0, 0};
    for (size_t i = 0; i < curves; i++) {
        struct keyed curve = keyed_of(&inputs, i * FIELDS);
        status[i] = keyed_build(&curve, at, &at_count);
    }
    bool well = status[0] == 0 && status[1] == 0;
    bool same = estimate->length[0] == well && estimate->length[1] == 1;
    for (size_t i = 0; i < curves; i++) {
        same = same && estimate->value[estimate->length[0] + i].high == status[i];
    }
    same = same && estimate->length[2] == (curves == 2 ? 1 : at_count);
    for (size_t i = 0; curves == 1 && i < at_count; i++) {
        same = same && estimate->value[estimate->length[0] + 1 + i].high == (double)at[i];
    }
    suite_check(same, "%s, %s: status %g, not %d and %d", function->name, described(function, same),
                estimate->value[estimate->length[0]].high, status[0], status[1]);
    return well;
}

static struct wanted find_wanted(void)
{
    bool blends = inputs.count > FIELDS + 1;
    double t = *values_field(&inputs, blends ? BLEND_T : T);
    struct wanted wanted = {.sides = 1, .w = blends ? *values_field(&inputs, W) : 0};
    size_t first = wanted.w >= 1;
    wanted.sides = wanted.w > 0 && wanted.w < 1 ? 2 : 1;
    for (size_t i = 0; i < wanted.sides; i++) {
        wanted.curve[i] = keyed_of(&inputs, (first + i) * FIELDS);
        wanted.found[i] = find(&wanted.curve[i], t);
    }
    return wanted;
}

/* Is there an estimate, and is it right? */
static void check_estimate(const struct function *function)
{
    struct estimate estimate = {.factor = function->K, .length = {1, 1, 1}};
    containment.samples++;
    if (!function->estimate(&inputs, &estimate)) {
        return;
    }
    containment.estimates++;
    if (!check_builds(function, &estimate)) {
        return;
    }
    struct wanted wanted = find_wanted();
    const struct found *a = &wanted.found[0], *b = &wanted.found[wanted.sides - 1];
    bool by_rule = wanted.sides == 1
                       ? a->given
                       : (a->given && !isfinite(a->value)) || (b->given && !isfinite(b->value));
    suite_check(!by_rule, "%s, %s: estimated in spite of a rule", function->name,
                described(function, !by_rule));
    double factor = (a->weighted || b->weighted ? 64 : 12) + (wanted.sides == 2 ? 2 : 0);
    bool same = estimate.factor == factor && estimate.elsewhere == (a->elsewhere || b->elsewhere);
    suite_check(same, "%s, %s: factor %g, elsewhere %d", function->name, described(function, same),
                estimate.factor, estimate.elsewhere);
    if (!by_rule) {
        check_values(function, &wanted, &estimate);
    }
}

static void check_estimates(const char *name, double least_share)
{
    const struct function *function = catalog_find(name);
    const struct domains *domains = domains_of(function);
    containment = (struct containment){0};
    open_all();
    for (size_t i = 0; i < sample_count; i++) {
        draw_case(seed, function, &domains->list[i % domains->count], i / domains->count, &inputs);
        check_estimate(function);
    }
    close_all();
    suite_check((double)containment.estimates >= least_share * (double)containment.samples,
                "%s: %zu of %zu estimated", name, containment.estimates, containment.samples);
    suite_check(containment.value > 0.02, "%s: never near the bound: %g of it", name,
                containment.value);
    if (getenv("FILTER_SHARES")) {
        printf("%s: %zu of %zu, %.3f %.3f\n", name, containment.estimates, containment.samples,
               containment.value, containment.scale);
    }
}

static void test_curve(void)
{
    check_estimates("curve", 0.4);
}

static void test_crossfade(void)
{
    check_estimates("crossfade", 0.5);
}

/* Judgements */

static struct judge *judge;

/* Puts the result where the verdict turns, or next to it: F +- bound as the estimate has them. */
static void put_at_bound(const struct estimate *estimate, uint64_t number)
{
    double unit = estimate->scale[0].high * 0x1p-53;
    double off = ldexp((double)(number / 4 % 8) - 3.5, -(int)(number / 32 % 12));
    double error = (estimate->factor + off) * (number % 2 ? unit : -unit);
    double value = ldexp(estimate->value[0].high + error, -estimate->exponent);
    results.number[0] = value;
}

static bool same_judgement(const struct judgement *x, const struct judgement *y)
{
    bool same = x->verdict == y->verdict && x->measured == y->measured && x->output == y->output;
    return same && (!x->measured || (x->error_ulp == y->error_ulp && x->bound == y->bound &&
                                     x->error_scaled == y->error_scaled));
}

/* Returns whether the first stage settles it. */
static bool check_judgement(const struct function *function, uint64_t number)
{
    struct estimate estimate = {.factor = function->K, .length = {1, 1, 1}};
    struct judgement with, without;
    implementation_call(implementation_builtin(), function, &inputs, &results);
    bool estimated = function->estimate(&inputs, &estimate) && estimate.length[0] > 0;
    if (estimated && number % 4 < 2) {
        put_at_bound(&estimate, number);
    } else if (results.start[results.count] > 0 && number % 8 == 3) {
        results.number[number / 8 % results.start[results.count]] += 1;
    } else if (results.start[results.count] > 0 && number % 16 == 7) {
        results.number[0] = number % 32 == 7 ? -results.number[0] : (double)INFINITY;
    }
    judge_set_filter(judge, true);
    judge_case(judge, function, &inputs, &results, &with);
    if (with.stage != STAGE_FILTER) {
        return false;
    }
    judge_set_filter(judge, false);
    judge_case(judge, function, &inputs, &results, &without);
    bool same = same_judgement(&with, &without);
    suite_check(same, "%s, %s: %s, %.17g %.17g, not %s, %.17g %.17g", function->name,
                described(function, same), verdict_name(with.verdict), with.error_ulp,
                with.error_scaled, verdict_name(without.verdict), without.error_ulp,
                without.error_scaled);
    return true;
}

static void test_judgements(void)
{
    static const char *const names[] = {"curve", "crossfade"};
    open_all();
    judge = judge_create();
    for (size_t f = 0; f < 2; f++) {
        const struct function *function = catalog_find(names[f]);
        const struct domains *domains = domains_of(function);
        size_t settled = 0, count = sample_count / 4;
        for (size_t i = 0; i < count; i++) {
            const struct domain *domain = &domains->list[i % domains->count];
            draw_case(seed + 1, function, domain, i / domains->count, &inputs);
            settled += check_judgement(function, i / domains->count);
        }
        suite_check(4 * settled > count && settled < count, "%s: %zu of %zu settled", names[f],
                    settled, count);
    }
    judge_destroy(judge);
    close_all();
}

/* A loop of one segment whose time stands still, or nearly, half way between its keys. First and
 * last differ by so much that t'', a double, may be much closer to the middle, or farther from it,
 * than t' is; the ladder's first precision does not tell the values there. */
static void draw_flat(struct stream *stream)
{
    double small = ldexp(1 + 2 * (double)draw_below(stream, 4), -(int)draw_below(stream, 72));
    double weight = draw_below(stream, 2) ? 1 : 1 - draw_log(stream, -53, -30);
    bool mirrored = draw_below(stream, 2);
    values_clear(&inputs);
    for (size_t field = 0; field < FIELDS; field++) {
        double *number = values_append(&inputs, field < FIELDS - 2 ? 2 : 1);
        for (size_t i = 0; i < (field < FIELDS - 2 ? 2u : 1u); i++) {
            const double of_field[] = {mirrored == i ? small : 1,
                                       draw_uniform(stream, -1, 1),
                                       draw_uniform(stream, -4, 4),
                                       draw_uniform(stream, -4, 4),
                                       3,
                                       weight,
                                       weight,
                                       1,
                                       1};
            number[i] = of_field[field];
        }
    }
    if (mirrored) {
        inputs.number[0] = -1;
        inputs.number[1] = -small;
    } else {
        inputs.number[0] = small;
        inputs.number[1] = 1;
    }
    double step = draw_below(stream, 2)
                      ? 0
                      : ldexp((double)draw_below(stream, 9) - 4, -(int)draw_below(stream, 54));
    append(&inputs, (mirrored ? 0.5 : -0.5) + step);
}

static void test_flat_middles(void)
{
    const struct function *function = catalog_find("curve");
    open_all();
    judge = judge_create();
    size_t settled = 0, count = sample_count / 10;
    for (size_t i = 0; i < count; i++) {
        struct stream stream = {.key = (seed * 0x10003 + i) * 0x9e3779b97f4a7c15};
        draw_flat(&stream);
        settled += check_judgement(function, i);
    }
    suite_check(settled > count / 100 && settled < count, "%zu of %zu settled", settled, count);
    judge_destroy(judge);
    close_all();
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"a wrapped time is that of rationals", test_wraps},
        {"curve is where the estimate says", test_curve},
        {"crossfade is where the estimate says", test_crossfade},
        {"judgements are the ladder's", test_judgements},
        {"and where the time stands still", test_flat_middles},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    return suite_run("filter_curve", tests, sizeof tests / sizeof *tests);
}
