/* The oracle's newton, track and crossfade_newton against GMP's rationals, by other means. */
#include "divided.h"
#include "enclosure.h"
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../impl/truelerp.h"
#include "../oracle/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const mpfr_prec_t precisions[] = {64, 128, 256, 1024};
enum { PRECISIONS = sizeof precisions / sizeof *precisions, PER_DOMAIN = 30, PER_DOMAIN_SLOW = 6 };

/* What the answer should be. */
struct wanted {
    bool open; /* the contract leaves it open */
    unsigned status[2];
    size_t at[2], at_count;
    bool nan;            /* NaN in all channels */
    const double *given; /* one node's values as they are; NULL: a polynomial's */
    size_t channels;
    double factor;
    mpq_t value[CHANNELS_MAX], scale[CHANNELS_MAX], slack[CHANNELS_MAX], size[CHANNELS_MAX];
};

static struct answer answer, finer;
static struct wanted wanted, partner;
static size_t reals, givens, failures, opens;

static void wanted_open(struct wanted *w)
{
    for (size_t i = 0; i < CHANNELS_MAX; i++) {
        mpq_inits(w->value[i], w->scale[i], w->slack[i], w->size[i], NULL);
    }
}

static void wanted_close(struct wanted *w)
{
    for (size_t i = 0; i < CHANNELS_MAX; i++) {
        mpq_clears(w->value[i], w->scale[i], w->slack[i], w->size[i], NULL);
    }
}

/* One channel's F, S, slack and sum of |v_i l_i(t)|, and how its coefficients lie to the range:
 * raises reach[k] to what that says. */
static void want_channel(struct wanted *w, const struct nodes *p, size_t channel, double t,
                         enum reach *reach)
{
    mpq_t part, *c = calloc(p->count, sizeof *c);
    mpq_init(part);
    for (size_t k = 0; k < p->count; k++) {
        mpq_init(c[k]);
    }
    divided_differences(c, p, channel);
    for (size_t k = 0; k < p->count; k++) {
        divided_part(part, p, channel, k);
        enum reach found = divided_reach(c[k], part, p->count);
        reach[k] = found > reach[k] ? found : reach[k];
        mpq_clear(c[k]);
    }
    free(c);
    mpq_clear(part);
    if (isfinite(t)) {
        divided_value(w->value[channel], p, channel, t);
        divided_sums(w->scale[channel], w->slack[channel], p, channel, t);
        divided_slack(w->slack[channel], p->count);
        divided_size(w->size[channel], p, channel, t);
    }
}

/* Fills in w from the coefficients on, of distinct finite nodes. `window`: what at[1] is. */
static void want_polynomial(struct wanted *w, struct nodes *p, double t, size_t at_count,
                            size_t window)
{
    enum reach *range = calloc(p->count, sizeof *range);
    nodes_set_order(p);
    for (size_t i = 0; i < p->channels; i++) {
        want_channel(w, p, i, t, range);
    }
    w->nan = !isfinite(t);
    w->given = p->count == 1 ? p->values : NULL;
    w->channels = p->channels;
    w->factor = 4 * (double)p->count;
    for (size_t k = 0; k < p->count && w->status[0] == TL_OK && !w->open; k++) {
        w->open = range[k] == REACH_EITHER;
        if (range[k] == REACH_OUT) {
            w->status[0] = TL_OUT_OF_RANGE;
            w->at_count = at_count;
            w->at[0] = k;
            w->at[1] = window;
        }
    }
    free(p->order);
    free(range);
}

static void want_failure(struct wanted *w, unsigned status, size_t at_count, size_t first,
                         size_t second)
{
    w->status[0] = status;
    w->at_count = at_count;
    w->at[0] = first;
    w->at[1] = second;
}

static void want_nothing_yet(struct wanted *w)
{
    w->open = w->nan = false;
    w->given = NULL;
    w->status[0] = w->status[1] = TL_OK;
    w->at_count = w->channels = 0;
}

/* A key's first number that is not finite: the time's or the values' status; TL_OK if none is. */
static unsigned not_finite(const struct nodes *p, size_t key)
{
    if (!isfinite(p->times[key])) {
        return TL_TIME_NOT_FINITE;
    }
    for (size_t i = 0; i < p->channels; i++) {
        if (!isfinite(p->values[key * p->channels + i])) {
            return TL_VALUE_NOT_FINITE;
        }
    }
    return TL_OK;
}

static void want_newton(struct wanted *w, struct nodes *p, double t)
{
    want_nothing_yet(w);
    if (p->count * p->channels == 0) {
        want_failure(w, TL_EMPTY, 0, 0, 0);
        return;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (not_finite(p, i) != TL_OK) {
            want_failure(w, not_finite(p, i), 1, i, 0);
            return;
        }
    }
    for (size_t second = 1; second < p->count; second++) {
        for (size_t first = 0; first < second; first++) {
            if (p->times[first] - p->times[second] == 0) {
                want_failure(w, TL_TIMES_EQUAL, 2, first, second);
                return;
            }
        }
    }
    want_polynomial(w, p, t, 1, 0);
}

/* Windows are looked at one after the other; the one for t comes last, so that it is left in w. */
static void want_windows(struct wanted *w, const struct nodes *p, size_t order, double t)
{
    size_t size = p->count < order + 1 ? p->count : order + 1;
    long start = 0;
    for (size_t i = 1; i < p->count; i++) {
        start = p->times[i] <= t ? (long)i : start;
    }
    start -= order == 1 || size < 3 ? 0 : 1;
    start = start < 0 ? 0 : start;
    start = start + (long)size > (long)p->count ? (long)(p->count - size) : start;
    for (size_t i = 0; i <= p->count - size && w->status[0] == TL_OK && !w->open; i++) {
        struct nodes window = {p->times + i, p->values + i * p->channels, size, p->channels, NULL};
        want_polynomial(w, &window, NAN, 2, i);
    }
    if (w->status[0] == TL_OK && !w->open) {
        struct nodes window = {p->times + start, p->values + (size_t)start * p->channels, size,
                               p->channels, NULL};
        want_polynomial(w, &window, t, 2, (size_t)start);
    }
}

static void want_track(struct wanted *w, const struct values *inputs)
{
    struct nodes p = nodes_of(inputs, 1);
    double order = inputs->number[0], t = values_field(inputs, 3)[0];
    want_nothing_yet(w);
    if (order != 1 && order != 2 && order != 3) {
        want_failure(w, TL_NO_SUCH_CHOICE, 0, 0, 0);
        return;
    }
    if (p.count * p.channels == 0) {
        want_failure(w, TL_EMPTY, 0, 0, 0);
        return;
    }
    for (size_t i = 0; i < p.count; i++) {
        unsigned status = not_finite(&p, i);
        bool rises = i == 0 || p.times[i] > p.times[i - 1];
        if (status == TL_TIME_NOT_FINITE) {
            want_failure(w, status, 1, i, 0);
            return;
        }
        if (!rises) {
            want_failure(w, p.times[i] < p.times[i - 1] ? TL_TIMES_FALL : TL_TIMES_EQUAL, 2, i - 1,
                         i);
            return;
        }
        if (status != TL_OK) {
            want_failure(w, status, 1, i, 0);
            return;
        }
    }
    want_windows(w, &p, (size_t)order, t);
}

/* x = |1 - w| x + |w| y */
static void mix(mpq_t x, const mpq_t y, double w)
{
    mpq_t rest, weight;
    mpq_inits(rest, weight, NULL);
    mpq_set_d(weight, w);
    rational_difference(rest, 1, w);
    mpq_mul(x, x, rest);
    mpq_mul(weight, weight, y);
    mpq_add(x, x, weight);
    mpq_clears(rest, weight, NULL);
}

static void add_size(mpq_t sum, const mpq_t x)
{
    mpq_t size;
    mpq_init(size);
    mpq_abs(size, x);
    mpq_add(sum, sum, size);
    mpq_clear(size);
}

static void mix_channels(struct wanted *a, struct wanted *b, double w)
{
    a->factor = fmax(a->factor, b->factor) + 2;
    for (size_t i = 0; i < a->channels; i++) {
        add_size(a->scale[i], a->value[i]);
        add_size(b->scale[i], b->value[i]);
        mix(a->scale[i], b->scale[i], w);
        mix(a->slack[i], b->slack[i], w);
        mix(a->value[i], b->value[i], w);
    }
}

static void want_crossfade(struct wanted *a, struct wanted *b, const struct values *inputs)
{
    struct nodes p = nodes_of(inputs, 0), q = nodes_of(inputs, 2);
    double t = values_field(inputs, 4)[0], w = values_field(inputs, 5)[0];
    want_newton(a, &p, t);
    want_newton(b, &q, t);
    a->open = a->open || b->open;
    a->status[1] = b->status[0];
    if (a->open || a->status[0] != TL_OK || b->status[0] != TL_OK) {
        return;
    }
    a->nan = a->nan || isnan(w) || a->channels != b->channels;
    if (a->nan || w <= 0) {
        return;
    }
    a->given = w < 1 ? NULL : b->given;
    if (w < 1) {
        mix_channels(a, b, w);
        return;
    }
    a->factor = b->factor;
    for (size_t i = 0; i < a->channels; i++) {
        mpq_set(a->value[i], b->value[i]);
        mpq_set(a->scale[i], b->scale[i]);
        mpq_set(a->slack[i], b->slack[i]);
    }
}

static bool is_crossfade(const struct function *function)
{
    return strcmp(function->name, "crossfade_newton") == 0;
}

static void want(const struct function *function, const struct values *inputs)
{
    if (is_crossfade(function)) {
        want_crossfade(&wanted, &partner, inputs);
    } else if (strcmp(function->name, "track") == 0) {
        want_track(&wanted, inputs);
    } else {
        struct nodes p = nodes_of(inputs, 0);
        want_newton(&wanted, &p, values_field(inputs, 2)[0]);
    }
}

/* The inputs as text, fields between bars; until the next call. */
static const char *describe(const struct function *function, const struct values *inputs)
{
    static char text[20000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", function->name);
    for (size_t field = 0; field < inputs->count; field++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " |");
        for (size_t i = 0; i < values_length(inputs, field) && used < sizeof text - 100; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %a",
                                     values_field(inputs, field)[i]);
        }
    }
    return text;
}

/* The whole numbers of an answer: status and indices, or both statuses. */
static bool whole_numbers_are(const struct function *function, size_t first,
                              double (*number)(size_t))
{
    if (number(first) != (double)wanted.status[0]) {
        return false;
    }
    if (is_crossfade(function)) {
        return number(first + 1) == (double)wanted.status[1];
    }
    for (size_t i = 0; i < wanted.at_count; i++) {
        if (number(first + 1 + i) != (double)wanted.at[i]) {
            return false;
        }
    }
    return answer.length[2] == wanted.at_count;
}

static double given_number(size_t i)
{
    return answer.given[i];
}

static double real_number(size_t i)
{
    return interval_is_point(answer.value[i]) ? mpfr_get_d(&answer.value[i]->left, MPFR_RNDN)
                                              : (double)NAN;
}

static bool failed(void)
{
    return wanted.status[0] != TL_OK || wanted.status[1] != TL_OK;
}

static bool values_are_given(void)
{
    bool same = answer.kind == ANSWER_GIVEN && answer.length[0] == wanted.channels;
    for (size_t i = 0; same && i < wanted.channels; i++) {
        same = same_double(answer.given[i], wanted.given[i]);
    }
    return same;
}

static bool answer_is_of_kind(const struct function *function)
{
    if (wanted.open) {
        opens++;
        return answer.kind == ANSWER_UNDEFINED;
    }
    if (!failed() && !wanted.nan && wanted.given) {
        givens++;
        return values_are_given() && whole_numbers_are(function, wanted.channels, given_number);
    }
    if (!failed() && !wanted.nan) {
        reals++;
        return answer.kind == ANSWER_REAL && answer.length[0] == wanted.channels &&
               answer.factor == wanted.factor &&
               whole_numbers_are(function, wanted.channels, real_number);
    }
    failures++;
    size_t channels = failed() ? 0 : wanted.channels;
    bool all_nan = true;
    for (size_t i = 0; i < channels; i++) {
        all_nan = all_nan && isnan(answer.given[i]);
    }
    return answer.kind == ANSWER_GIVEN && all_nan && answer.length[0] == channels &&
           whole_numbers_are(function, channels, given_number);
}

static void check_kind(const struct function *function, const struct values *inputs)
{
    want(function, inputs);
    for (int i = 0; i < PRECISIONS; i++) {
        answer_values(function, inputs, precisions[i], &answer);
        suite_check(answer_is_of_kind(function), "at %ld bits: %s", (long)precisions[i],
                    describe(function, inputs));
    }
}

static bool has_real(const struct function *function, const struct values *inputs)
{
    want(function, inputs);
    return !wanted.open && !failed() && !wanted.nan && !wanted.given;
}

/* The largest S / sum |v_i l_i(t)|, or 0 */
static void set_figure(mpq_t figure)
{
    mpq_t ratio;
    mpq_init(ratio);
    mpq_set_ui(figure, 0, 1);
    for (size_t i = 0; i < wanted.channels; i++) {
        if (mpq_sgn(wanted.size[i]) > 0) {
            mpq_div(ratio, wanted.scale[i], wanted.size[i]);
            mpq_set(figure, mpq_cmp(ratio, figure) > 0 ? ratio : figure);
        }
    }
    mpq_clear(ratio);
}

static void check_contained(const struct function *function, const struct values *inputs,
                            mpfr_prec_t precision)
{
    answer_values(function, inputs, precision, &answer);
    for (size_t i = 0; i < wanted.channels; i++) {
        suite_check(interval_contains(answer.value[i], wanted.value[i]), "F%zu at %ld bits: %s", i,
                    (long)precision, describe(function, inputs));
        suite_check(interval_contains(answer.scale[i], wanted.scale[i]), "S%zu at %ld bits: %s", i,
                    (long)precision, describe(function, inputs));
        suite_check(interval_contains(answer.slack[i], wanted.slack[i]), "T%zu at %ld bits: %s", i,
                    (long)precision, describe(function, inputs));
    }
    if (function->figure) {
        mpq_t figure;
        mpq_init(figure);
        set_figure(figure);
        suite_check(interval_contains(answer.figure, figure), "figure at %ld bits: %s",
                    (long)precision, describe(function, inputs));
        mpq_clear(figure);
    }
}

static void check_contains(const struct function *function, const struct values *inputs)
{
    if (has_real(function, inputs)) {
        for (int i = 0; i < PRECISIONS; i++) {
            check_contained(function, inputs, precisions[i]);
        }
        reals++;
    }
}

/* Widths of F and S are a few last bits of T, and the slack's of itself. That leaves 64 n u^2 T far
 * wider than what is not known. */
static void check_narrows(const struct function *function, const struct values *inputs)
{
    answer_values(function, inputs, precisions[0], &answer);
    if (answer.kind != ANSWER_REAL) {
        return;
    }
    for (int p = 1; p < PRECISIONS; p++) {
        answer_values(function, inputs, precisions[p], &finer);
        for (size_t i = 0; i < answer.length[0]; i++) {
            long bits = precisions[p] - 12;
            /* the first one may be as narrow already as this precision has to be: of rationals */
            bool known = interval_is_narrow(answer.value[i], finer.slack[i], bits - 99) &&
                         interval_is_narrow(answer.scale[i], finer.slack[i], bits - 99);
            suite_check((known || (interval_narrows(answer.value[i], finer.value[i]) &&
                                   interval_narrows(answer.scale[i], finer.scale[i]))) &&
                            interval_narrows(answer.slack[i], finer.slack[i]),
                        "%zu at %ld bits: %s", i, (long)precisions[p], describe(function, inputs));
            suite_check(interval_is_narrow(finer.slack[i], finer.slack[i], bits) &&
                            interval_is_narrow(finer.value[i], finer.slack[i], bits - 99) &&
                            interval_is_narrow(finer.scale[i], finer.slack[i], bits - 99),
                        "%zu at %ld bits: %s", i, (long)precisions[p], describe(function, inputs));
        }
        answer_values(function, inputs, precisions[p], &answer);
    }
    reals++;
}

/* May a channel's value be 0? */
static bool has_zero(void)
{
    for (size_t i = 0; answer.kind == ANSWER_REAL && i < answer.length[0]; i++) {
        if (mpfi_has_zero(answer.value[i]) > 0) {
            return true;
        }
    }
    return false;
}

/* From 1024 bits on, 0 is not enclosed but known. */
static void check_zero(const struct function *function, const struct values *inputs)
{
    answer_values(function, inputs, 128, &answer);
    if (!has_zero() || !has_real(function, inputs)) {
        return;
    }
    answer_values(function, inputs, 1024, &answer);
    for (size_t i = 0; i < wanted.channels; i++) {
        bool zero = mpq_sgn(wanted.value[i]) == 0;
        suite_check(zero == (mpfi_has_zero(answer.value[i]) > 0) &&
                        (!zero || interval_is_point(answer.value[i])),
                    "%zu: %s", i, describe(function, inputs));
        reals += zero;
    }
}

/* Of up to four nodes. */
static void check_limit(const struct function *function, const struct values *inputs)
{
    if (has_real(function, inputs) && wanted.factor <= 18) {
        check_contained(function, inputs, function->precision_limit);
        reals++;
    }
}

static const char *const functions[] = {"newton", "track", "crossfade_newton"};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void open_all(void)
{
    answer_open(&answer);
    answer_open(&finer);
    wanted_open(&wanted);
    wanted_open(&partner);
    reals = givens = failures = opens = 0;
}

static void close_all(void)
{
    wanted_close(&partner);
    wanted_close(&wanted);
    answer_close(&finer);
    answer_close(&answer);
}

/* At least `least` samples of each function must have made the check do its work. */
static void run(size_t per_domain, size_t least,
                void (*check)(const struct function *, const struct values *))
{
    struct values inputs = {0};
    open_all();
    for (size_t f = 0; f < FUNCTIONS; f++) {
        const struct function *function = catalog_find(functions[f]);
        const struct domains *domains = domains_of(function);
        reals = 0;
        for (size_t d = 0; d < domains->count; d++) {
            for (size_t i = 0; i < per_domain; i++) {
                draw_case(31, function, &domains->list[d], i, &inputs);
                check(function, &inputs);
            }
        }
        suite_check(reals >= least, "%s: only %zu", functions[f], reals);
    }
    if (check == check_kind) {
        CU_ASSERT(failures > 1000);
        CU_ASSERT(givens > 100);
        CU_ASSERT(opens > 5);
    }
    close_all();
    values_free(&inputs);
}

static void kinds_and_statuses_are_those_of_the_rules(void)
{
    run(PER_DOMAIN, 600, check_kind);
}

static void enclosures_contain_the_rational(void)
{
    run(PER_DOMAIN, 200, check_contains);
}

static void a_higher_precision_narrows(void)
{
    run(PER_DOMAIN, 200, check_narrows);
}

static void a_zero_is_known(void)
{
    run((size_t)4 * PER_DOMAIN, 20, check_zero);
}

static void the_limit_holds_the_rational(void)
{
    run(PER_DOMAIN_SLOW, 10, check_limit);
}

/* Checks an example of newton by hand: kind, status, first index. */
static void check_example(size_t count, const double *times, const double *values,
                          enum answer_kind kind, unsigned status, double at)
{
    struct values inputs = {0};
    const struct function *function = catalog_find("newton");
    memcpy(values_append(&inputs, count), times, count * sizeof *times);
    memcpy(values_append(&inputs, count), values, count * sizeof *values);
    *values_append(&inputs, 1) = 0.25;
    answer_values(function, &inputs, 128, &answer);
    bool good = answer.kind == kind;
    if (kind == ANSWER_GIVEN) {
        good = good && answer.length[0] == 0 && answer.length[2] == 1 &&
               answer.given[0] == (double)status && answer.given[1] == at;
    }
    suite_check(good, "%s", describe(function, &inputs));
    values_free(&inputs);
}

/* Nodes 2, 0, 1 in their order; 64 n u^2 is 2^-98.4. */
static void the_range_ends_where_it_should(void)
{
    static const double times[3] = {0, 1, 2};
    open_all();
    /* c_2 = e / 2 for the values e, 1, 2, all but 0 beside T_2 = 2 */
    check_example(3, times, (double[]){0, 1, 2}, ANSWER_REAL, TL_OK, 0);
    check_example(3, times, (double[]){0x1p-1074, 1, 2}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(3, times, (double[]){0x1.fffffffffffffp-1022, 1, 2}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(3, times, (double[]){0x1p-1021, 1, 2}, ANSWER_REAL, TL_OK, 0);
    /* the same beside T_2 = 2^-936, and beside 2^-920: e / 2 is far from 2^-1022, but next to 0 */
    check_example(3, times, (double[]){0x1p-1030, 0x1p-937, 0x1p-936}, ANSWER_GIVEN,
                  TL_OUT_OF_RANGE, 2);
    check_example(3, times, (double[]){0x1p-1030, 0x1p-921, 0x1p-920}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(3, times, (double[]){0x1p-1074, 0x1p-937, 0x1p-936}, ANSWER_UNDEFINED, TL_OK, 0);
    /* the same without anything to cancel */
    check_example(3, times, (double[]){0x1p-1021, 0, 0}, ANSWER_REAL, TL_OK, 0);
    check_example(3, times, (double[]){0x1.fffffffffffffp-1022, 0, 0}, ANSWER_GIVEN,
                  TL_OUT_OF_RANGE, 1);
    check_example(3, times, (double[]){0, 0x1p-1022, 0}, ANSWER_REAL, TL_OK, 0);
    check_example(3, times, (double[]){0, 0x1.ffffffffffffep-1023, 0}, ANSWER_GIVEN,
                  TL_OUT_OF_RANGE, 2);
    check_example(3, times, (double[]){0, 0, 0x1p-1021}, ANSWER_REAL, TL_OK, 0);
    check_example(2, times, (double[]){0x1p-1022, 0}, ANSWER_REAL, TL_OK, 0);
    check_example(2, times, (double[]){0x1.ffffffffffffep-1023, 0}, ANSWER_GIVEN, TL_OUT_OF_RANGE,
                  1);
    check_example(2, times, (double[]){0, -0x1.ffffffffffffep-1023}, ANSWER_GIVEN, TL_OUT_OF_RANGE,
                  0);
    /* c_1 = most - v: just below 2^1024 - 2^970; there; off by less than 2^926; by more */
    const double most = 0x1.fffffffffffffp1023;
    check_example(2, times, (double[]){-0x1.fffffffffffffp969, most}, ANSWER_REAL, TL_OK, 0);
    check_example(2, times, (double[]){-0x1p970, most}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(2, times, (double[]){0x1.0000000000001p970, -most}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(2, times, (double[]){0x1.000000000001p970, -most}, ANSWER_UNDEFINED, TL_OK, 0);
    check_example(2, times, (double[]){0x1.00000000002p970, -most}, ANSWER_GIVEN, TL_OUT_OF_RANGE,
                  1);
    close_all();
}

/* How far the last coefficient is within the range */
static enum reach last_reach(const struct values *inputs)
{
    struct nodes nodes = nodes_of(inputs, 0);
    mpq_t c[4], part;
    mpq_init(part);
    for (size_t k = 0; k < nodes.count; k++) {
        mpq_init(c[k]);
    }
    nodes_set_order(&nodes);
    divided_differences(c, &nodes, 0);
    divided_part(part, &nodes, 0, nodes.count - 1);
    enum reach reach = divided_reach(c[nodes.count - 1], part, nodes.count);
    for (size_t k = 0; k < nodes.count; k++) {
        mpq_clear(c[k]);
    }
    mpq_clear(part);
    free(nodes.order);
    return reach;
}

struct vanishing {
    double times[4], values[4];
};

/* At the largest node, the first one in order, from which on no product of distances is too large:
 * is there an estimate, with the last value times a factor? */
static bool is_estimated(const struct vanishing *example, double factor, struct values *inputs)
{
    const struct function *function = catalog_find("newton");
    values_clear(inputs);
    memcpy(values_append(inputs, 4), example->times, sizeof example->times);
    double *values = values_append(inputs, 4);
    memcpy(values, example->values, sizeof example->values);
    values[3] *= factor;
    const double *s = example->times;
    *values_append(inputs, 1) = fmax(fmax(s[0], s[1]), fmax(s[2], s[3]));
    struct estimate estimate = {.factor = function->K, .length = {1, 1, 1}};
    return function->estimate(inputs, &estimate);
}

/* A coefficient c_3 of less than 2^-1022 beside terms of some 2^-890, of which the first stage
 * knows it only to some u^2, so that it may find more than 2^-1000. Such values are short vectors
 * of a lattice that times of 53 bits make; here they are those of a reduction by A. K. Lenstra,
 * H. W. Lenstra, L. Lovasz. With another one of the values, c_3 is as large as its terms. */
static void no_estimate_of_what_may_be_out_of_range(void)
{
    static const struct vanishing examples[] = {
        {{0x1.a55179d7d500ap+232, 0x1.714841fb4d83ep+232, 0x1.5801a06c834a2p+233,
          0x1.95fceb740516cp+232},
         {0x1.0812a6b1ba800p-197, -0x1.51bee8101c000p-199, -0x1.64f875b212000p-197,
          0x1.62ab1208b5000p-198}},
        {{0x1.e5df98de9133fp+233, 0x1.e93be7491c371p+233, 0x1.1386ef279476ep+233,
          0x1.129c48c947bfbp+233},
         {0x1.6263f75201600p-195, -0x1.fa66722045800p-195, 0x1.8181dfd15dc00p-196,
          -0x1.45f3a8d345800p-198}},
        {{0x1.2864fcdf170a7p+233, 0x1.df55a3b04abf2p+232, 0x1.f9f20489d05acp+232,
          0x1.05b5bcc7e4e4fp+233},
         {0x1.c8194917cc300p-195, -0x1.f16fc50d4d800p-195, -0x1.4e15a46825800p-197,
          0x1.f36f943e2ac00p-197}},
        {{0x1.016b60f3a78e2p+232, 0x1.b4eacf7db0b3p+231, 0x1.0bf92da6d1361p+233,
          0x1.552eec204ba98p+231},
         {0x1.2208fca8f8500p-195, 0x1.19e58bc0ae000p-200, 0x1.16db68f957e00p-196,
          -0x1.b645dd83a8800p-195}},
    };
    struct values inputs = {0};
    open_all();
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        CU_ASSERT(is_estimated(&examples[i], 2, &inputs));
        CU_ASSERT(last_reach(&inputs) == REACH_WITHIN);
        bool estimated = is_estimated(&examples[i], 1, &inputs);
        suite_check(!estimated, "%s: estimated", describe(catalog_find("newton"), &inputs));
        CU_ASSERT(last_reach(&inputs) == REACH_EITHER);
        answer_values(catalog_find("newton"), &inputs, 128, &answer);
        CU_ASSERT(answer.kind == ANSWER_UNDEFINED);
    }
    close_all();
    values_free(&inputs);
}

enum { FIELDS_MOST = 6 };

/* One result of one channel of a case whose polynomials can be built. */
struct result_case {
    const char *function;
    double fields[FIELDS_MOST][2];
    size_t lengths[FIELDS_MOST];
    double result;
    enum verdict verdict;
};

static void check_verdict(struct judge *judge, const struct result_case *c)
{
    const struct function *function = catalog_find(c->function);
    struct values inputs = {0}, results = {0};
    struct judgement judgement;
    for (size_t i = 0; i < function->input_count; i++) {
        memcpy(values_append(&inputs, c->lengths[i]), c->fields[i], c->lengths[i] * sizeof(double));
    }
    *values_append(&results, 1) = c->result;
    *values_append(&results, 1) = TL_OK;
    size_t last = is_crossfade(function) ? 1 : 0;
    memset(values_append(&results, last), 0, last * sizeof(double));
    for (int filter = 0; filter < 2; filter++) {
        judge_set_filter(judge, filter);
        judge_case(judge, function, &inputs, &results, &judgement);
        suite_check(judgement.verdict == c->verdict, "%a is %s, not %s, of %s", c->result,
                    verdict_name(judgement.verdict), verdict_name(c->verdict),
                    describe(function, &inputs));
    }
    values_free(&results);
    values_free(&inputs);
}

/* One node's value bit for bit, also by the first stage; of two nodes and within a blend, nearly.
 */
static void one_node_alone_is_given(void)
{
    const double next = 0x1.0000000000001p0;
    const struct result_case cases[] = {
        {"newton", {{2}, {1}, {5}}, {1, 1, 1}, 1, VERDICT_WITHIN},
        {"newton", {{2}, {1}, {5}}, {1, 1, 1}, next, VERDICT_VIOLATION},
        {"newton", {{2}, {-0.0}, {5}}, {1, 1, 1}, -0.0, VERDICT_WITHIN},
        {"newton", {{2}, {-0.0}, {5}}, {1, 1, 1}, 0, VERDICT_CLASS_MISMATCH},
        {"newton", {{2}, {0}, {5}}, {1, 1, 1}, -0.0, VERDICT_CLASS_MISMATCH},
        {"newton", {{2, 3}, {1, 1}, {5}}, {2, 2, 1}, next, VERDICT_WITHIN},
        {"track", {{3}, {2}, {1}, {5}}, {1, 1, 1, 1}, 1, VERDICT_WITHIN},
        {"track", {{3}, {2}, {1}, {5}}, {1, 1, 1, 1}, next, VERDICT_VIOLATION},
        {"track", {{1}, {2}, {0}, {5}}, {1, 1, 1, 1}, -0.0, VERDICT_CLASS_MISMATCH},
        {"track", {{3}, {2, 3}, {1, 1}, {5}}, {1, 2, 2, 1}, next, VERDICT_WITHIN},
        {"crossfade_newton", {{2}, {1}, {0}, {7}, {5}, {0}}, {1, 1, 1, 1, 1, 1}, 1, VERDICT_WITHIN},
        {"crossfade_newton",
         {{2}, {1}, {0}, {7}, {5}, {-0.0}},
         {1, 1, 1, 1, 1, 1},
         next,
         VERDICT_VIOLATION},
        {"crossfade_newton",
         {{2}, {-0.0}, {0}, {7}, {5}, {-1}},
         {1, 1, 1, 1, 1, 1},
         0,
         VERDICT_CLASS_MISMATCH},
        {"crossfade_newton",
         {{2}, {7}, {0}, {1}, {5}, {1}},
         {1, 1, 1, 1, 1, 1},
         next,
         VERDICT_VIOLATION},
        {"crossfade_newton",
         {{2, 3}, {7, 7}, {0}, {1}, {5}, {2}},
         {2, 2, 1, 1, 1, 1},
         next,
         VERDICT_VIOLATION},
        {"crossfade_newton",
         {{2, 3}, {1, 1}, {0}, {7}, {5}, {0}},
         {2, 2, 1, 1, 1, 1},
         next,
         VERDICT_WITHIN},
        {"crossfade_newton",
         {{2}, {1}, {0}, {1}, {5}, {0.5}},
         {1, 1, 1, 1, 1, 1},
         next,
         VERDICT_WITHIN},
    };
    struct judge *judge = judge_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_verdict(judge, &cases[i]);
    }
    judge_destroy(judge);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"one node alone is given", one_node_alone_is_given},
        {"kinds and statuses are those of the rules", kinds_and_statuses_are_those_of_the_rules},
        {"enclosures contain the rational", enclosures_contain_the_rational},
        {"a higher precision narrows", a_higher_precision_narrows},
        {"a zero is known", a_zero_is_known},
        {"the limit holds the rational", the_limit_holds_the_rational},
        {"the range ends where it should", the_range_ends_where_it_should},
        {"no estimate of what may be out of range", no_estimate_of_what_may_be_out_of_range},
    };
    return suite_run("oracle_newton", tests, sizeof tests / sizeof *tests);
}
