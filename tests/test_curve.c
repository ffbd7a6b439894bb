/* Curves and crossfades against their contract, rule by rule. Where a time goes round, the place on
 * the curve comes from GMP's rationals, not from the oracle. */
#include "rational.h"
#include "sample.h"
#include "suite.h"
#include "weighted.h"

#include "../impl/truelerp.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* test_header.c holds the header to the catalogue. */
enum { K_PLAIN = 12, K_WEIGHTED = 64, K_BLEND = 2, BITS = 120 };

static const double special[] = {0.0, -0.0, -1.5, DBL_TRUE_MIN, -DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN};
enum { SPECIALS = sizeof special / sizeof *special };

static const tl_wrap wraps[] = {TL_CLAMP, TL_LOOP, TL_PING_PONG};

/* A built curve and what it stands on. Beyond the memory that it asked for lies a mark. */
struct built {
    tl_curve_table table;
    tl_key *keys;
    double *memory;
};

static const double mark = 0x1.badbadp+77;

static struct built build_wrapped(const tl_key *keys, size_t count, tl_wrap before, tl_wrap after)
{
    struct built built = {.keys = malloc((count + 1) * sizeof *keys)};
    memcpy(built.keys, keys, count * sizeof *keys);
    size_t size = tl_curve_size(count), at[2] = {7, 7};
    built.memory = malloc((size + 1) * sizeof *built.memory);
    for (size_t i = 0; i < size; i++) {
        built.memory[i] = NAN;
    }
    built.memory[size] = mark;
    tl_status status =
        tl_curve_build(&built.table, built.keys, count, before, after, built.memory, at);
    suite_check(size > 0 && status == TL_OK, "build: %s", tl_status_text(status));
    CU_ASSERT(at[0] == TL_NO_INDEX && at[1] == TL_NO_INDEX);
    return built;
}

static struct built build(const tl_key *keys, size_t count, tl_wrap wrap)
{
    return build_wrapped(keys, count, wrap, wrap);
}

static void discard(struct built *built)
{
    CU_ASSERT(built->memory[tl_curve_size(built->table.count)] == mark);
    free(built->memory);
    free(built->keys);
}

/* Keys with these times and values, NaN wherever nothing may look, slopes of 0. */
static void set_flat_keys(tl_key *keys, const double *times, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keys[i] = (tl_key){times[i], values[i], 0, 0, NAN, NAN, TL_WEIGHTED_NONE};
    }
}

static const char *describe(const tl_curve_table *curve, double t)
{
    static const char *const names[] = {"clamp", "loop", "ping_pong"};
    static char text[300];
    snprintf(text, sizeof text, "curve(%zu keys from %a to %a, %s, %s; %a)", curve->count,
             curve->keys[0].time, curve->keys[curve->count - 1].time, names[curve->before],
             names[curve->after], t);
    return text;
}

static bool check_value(const struct built *built, double t, double wanted)
{
    double got = tl_curve(&built->table, t);
    return suite_check(same_double(got, wanted), "%s: got %a, wanted %a",
                       describe(&built->table, t), got, wanted);
}

/* The place on a curve by other means: t' as a rational, the last key with a time <= t', whether
 * t' is its time, and the double nearest to t'. No key: the answer is NaN. */
struct spot {
    const tl_key *key;
    bool inside;
    double nearest;
};

static void set_wrapped(mpq_t time, double t, double first, double last, tl_wrap wrap)
{
    mpq_t start, length, period;
    mpq_inits(start, length, period, NULL);
    mpq_set_d(start, first);
    mpq_set_d(length, last);
    mpq_sub(length, length, start);
    mpq_set(period, length);
    if (wrap == TL_PING_PONG) {
        mpq_add(period, period, length);
    }
    mpq_set_d(time, t);
    mpq_sub(time, time, start);
    rational_modulo(time, time, period);
    if (mpq_cmp(time, length) > 0) {
        mpq_sub(time, period, time);
    }
    mpq_add(time, time, start);
    mpq_clears(start, length, period, NULL);
}

static int compare_time(double key_time, const mpq_t time)
{
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, key_time);
    int order = mpq_cmp(exact, time);
    mpq_clear(exact);
    return order;
}

static struct spot find_spot(const tl_curve_table *curve, double t)
{
    const tl_key *keys = curve->keys, *end = keys + curve->count - 1;
    double first = keys->time, last = end->time;
    tl_wrap wrap = t < first ? curve->before : t > last ? curve->after : TL_CLAMP;
    if (isnan(t) || (isinf(t) && wrap != TL_CLAMP)) {
        return (struct spot){NULL, false, t};
    }
    if (wrap == TL_CLAMP && !(t >= first && t <= last)) {
        return (struct spot){t < first ? keys : end, false, t};
    }
    if (wrap != TL_CLAMP && first == last) {
        return (struct spot){end, false, t};
    }
    mpq_t time;
    mpq_init(time);
    mpq_set_d(time, t);
    if (wrap != TL_CLAMP) {
        set_wrapped(time, t, first, last, wrap);
    }
    const tl_key *key = end;
    while (compare_time(key->time, time) > 0) {
        key--;
    }
    struct spot spot = {key, compare_time(key->time, time) != 0, rational_round(time)};
    mpq_clear(time);
    return spot;
}

static bool is_weighted(const tl_key *key)
{
    return key[0].weighted_mode & TL_WEIGHTED_OUT || key[1].weighted_mode & TL_WEIGHTED_IN;
}

static struct weighted segment_at(const tl_key *key, double t)
{
    return (struct weighted){
        .keys = {key[0].time, key[0].value, key[0].out_tangent, key[1].time, key[1].value,
                 key[1].in_tangent},
        .has_w0 = key[0].weighted_mode & TL_WEIGHTED_OUT,
        .has_w1 = key[1].weighted_mode & TL_WEIGHTED_IN,
        .w0 = key[0].out_weight,
        .w1 = key[1].in_weight,
        .t = t,
    };
}

/* What rules 3 and 4 of a segment return strictly inside it; false where the formula holds. */
static bool inner_rule(const tl_key *key, double *result)
{
    struct weighted inner = segment_at(key, 0.5);
    inner.keys.t0 = 0;
    inner.keys.t1 = 1;
    return weighted_rule(&inner, result);
}

/* The one answer of this implementation: a key's value, or the segment's function at t'', the
 * double nearest to t'. Where that is a key's time though t' is not, F(t'') is the key's value. */
static double expected_value(const tl_curve_table *curve, double t)
{
    struct spot spot = find_spot(curve, t);
    const tl_key *key = spot.key;
    double result;
    if (!key) {
        return NAN;
    }
    if (!spot.inside) {
        return key->value;
    }
    if (inner_rule(key, &result)) {
        return result;
    }
    return is_weighted(key) ? tl_bezier(key, key + 1, spot.nearest)
                            : tl_hermite(key, key + 1, spot.nearest);
}

static bool check_curve(const struct built *built, double t)
{
    return check_value(built, t, expected_value(&built->table, t));
}

/* F and S at t'', by GMP; of a key's value and what is not finite, `got` itself decides. */
static bool exact_value(mpq_t value, mpq_t scale, const tl_curve_table *curve, double t)
{
    struct spot spot = find_spot(curve, t);
    const tl_key *key = spot.key;
    double rule = NAN;
    if (key && spot.inside && !inner_rule(key, &rule)) {
        struct weighted segment = segment_at(key, spot.nearest);
        mpq_t low, high;
        mpq_inits(low, high, NULL);
        if (spot.nearest <= key[0].time || spot.nearest >= key[1].time) {
            mpq_set_d(value, key[spot.nearest > key->time].value);
            mpq_abs(scale, value);
        } else if (!is_weighted(key)) {
            rational_hermite(value, &segment.keys, spot.nearest);
            rational_hermite_scale(scale, &segment.keys, spot.nearest);
        } else {
            weighted_parameter(low, high, &segment, BITS);
            weighted_value(value, scale, &segment, low);
        }
        mpq_clears(low, high, NULL);
        return true;
    }
    rule = key && !spot.inside ? key->value : rule;
    if (!isfinite(rule)) {
        return false;
    }
    mpq_set_d(value, rule);
    mpq_abs(scale, value);
    return true;
}

static void check_within(const struct built *built, double t)
{
    mpq_t value, scale;
    mpq_inits(value, scale, NULL);
    if (exact_value(value, scale, &built->table, t)) {
        struct spot spot = find_spot(&built->table, t);
        int K = spot.inside && is_weighted(spot.key) ? K_WEIGHTED : K_PLAIN;
        double got = tl_curve(&built->table, t);
        suite_check(rational_within(got, value, scale, K), "%s: got %a, nearest is %a",
                    describe(&built->table, t), got, rational_round(value));
    }
    mpq_clears(value, scale, NULL);
}

/* What kinds of keys there are. */
enum { EVEN, UNEVEN, CLUSTERED, ALL_BINADES, SUBNORMAL, OVERFLOWING, FAR_AWAY, KEY_CLASSES };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double draw_time(struct sample *sample, int kind)
{
    switch (kind) {
    case EVEN:
        return sample_below(sample, 100);
    case UNEVEN:
        return sample_uniform(sample, -3, 17);
    case CLUSTERED: /* nearly all in one cell */
        return sample_below(sample, 9) == 0 ? sample_wide(sample, 0, 30)
                                            : 1 + sample_below(sample, 40) * 0x1p-52;
    case ALL_BINADES:
        return sample_finite(sample);
    case SUBNORMAL:
        return ((int)sample_below(sample, 200) - 100) * DBL_TRUE_MIN;
    case OVERFLOWING:
        return sample_uniform(sample, -1, 1) * DBL_MAX;
    default:
        return 1e9 + sample_uniform(sample, 0, 1e-3);
    }
}

/* Leaves two of more equal times; returns how many remain. */
static size_t drop_threes(double *times, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept < 2 || times[i] != times[kept - 2]) {
            times[kept++] = times[i];
        }
    }
    return kept;
}

/* Up to `most` times that do not fall, some of them twice, and not all one. */
static size_t draw_times(struct sample *sample, int kind, double *times, size_t most)
{
    size_t count = 2 + sample_below(sample, (unsigned)most - 1), kept;
    do {
        for (size_t i = 0; i < count; i++) {
            bool jump = i > 0 && sample_below(sample, 8) == 0;
            times[i] = jump ? times[i - 1] : draw_time(sample, kind);
        }
        qsort(times, count, sizeof *times, by_value);
        kept = drop_threes(times, count);
    } while (times[0] == times[kept - 1]);
    return kept;
}

static double draw_datum(struct sample *sample, int oddity)
{
    if (oddity && sample_below(sample, 6) == 0) {
        return special[sample_below(sample, SPECIALS)];
    }
    return sample_uniform(sample, -1, 1);
}

/* A curve of up to `most` keys. With `oddity`, some data are not finite and some sides weighted. */
static struct built draw_curve(struct sample *sample, int kind, bool oddity, size_t most,
                               tl_wrap before, tl_wrap after)
{
    double *times = malloc(most * sizeof *times);
    tl_key *keys = malloc(most * sizeof *keys);
    size_t count = draw_times(sample, kind, times, most);
    for (size_t i = 0; i < count; i++) {
        tl_weighted_mode mode = oddity ? (tl_weighted_mode)sample_below(sample, 4) : 0;
        keys[i] =
            (tl_key){.time = times[i],
                     .value = draw_datum(sample, oddity),
                     .in_tangent = draw_datum(sample, oddity),
                     .out_tangent = draw_datum(sample, oddity),
                     .in_weight = mode & TL_WEIGHTED_IN ? sample_uniform(sample, 0, 1) : NAN,
                     .out_weight = mode & TL_WEIGHTED_OUT ? sample_uniform(sample, 0, 1) : NAN,
                     .weighted_mode = mode};
    }
    struct built built = build_wrapped(keys, count, before, after);
    free(keys);
    free(times);
    return built;
}

static double step_by(double x, int bits)
{
    for (; bits != 0; bits += bits < 0 ? 1 : -1) {
        x = nextafter(x, bits < 0 ? -HUGE_VAL : HUGE_VAL);
    }
    return x;
}

/* The builder */

static void check_build(const tl_key *keys, size_t count, int before, int after, tl_status status,
                        size_t first, size_t second)
{
    double memory[100];
    size_t at[2] = {7, 7};
    tl_curve_table table;
    CU_ASSERT_FATAL(tl_curve_size(count) <= 100);
    tl_status got =
        tl_curve_build(&table, keys, count, (tl_wrap)before, (tl_wrap)after, memory, at);
    suite_check(got == status && at[0] == first && at[1] == second,
                "got %s at %zu %zu, wanted %s at %zu %zu", tl_status_text(got), at[0], at[1],
                tl_status_text(status), first, second);
    CU_ASSERT_EQUAL(
        tl_curve_build(&table, keys, count, (tl_wrap)before, (tl_wrap)after, memory, NULL), status);
}

static void check_times(const double *times, size_t count, tl_status status, size_t first,
                        size_t second)
{
    tl_key keys[10];
    double values[10] = {NAN, HUGE_VAL, -HUGE_VAL, NAN};
    set_flat_keys(keys, times, values, count);
    check_build(keys, count, TL_CLAMP, TL_PING_PONG, status, first, second);
}

static void the_builder_names_what_is_wrong(void)
{
    const size_t none = TL_NO_INDEX;
    const tl_key bad = {.time = NAN};
    static const int choices[] = {-1, 3, 1000};
    for (int i = 0; i < 3; i++) {
        check_build(&bad, 1, choices[i], TL_LOOP, TL_NO_SUCH_CHOICE, none, none);
        check_build(&bad, 1, TL_LOOP, choices[i], TL_NO_SUCH_CHOICE, none, none);
        check_build(NULL, 0, choices[i], TL_CLAMP, TL_NO_SUCH_CHOICE, none, none);
    }
    check_build(NULL, 0, TL_CLAMP, TL_LOOP, TL_EMPTY, none, none);
    check_times((double[]){NAN, 1, 0}, 3, TL_TIME_NOT_FINITE, 0, none);
    check_times((double[]){0, HUGE_VAL, -1}, 3, TL_TIME_NOT_FINITE, 1, none);
    check_times((double[]){0, 1, 2, -HUGE_VAL}, 4, TL_TIME_NOT_FINITE, 3, none);
    check_times((double[]){0, 1, 1, 1, NAN}, 5, TL_THREE_AT_ONE_TIME, 1, 3);
    check_times((double[]){0, 1, 0.5, NAN}, 4, TL_TIMES_FALL, 1, 2);
    check_times((double[]){0, 1, 1, 0x1.fffffffffffffp-1, 1}, 5, TL_TIMES_FALL, 2, 3);
    check_times((double[]){0.0, -0.0, 0.0, -1}, 4, TL_THREE_AT_ONE_TIME, 0, 2);
    check_times((double[]){3, 3, 3}, 3, TL_THREE_AT_ONE_TIME, 0, 2);
    check_times((double[]){3}, 1, TL_OK, none, none);
    check_times((double[]){3, 3}, 2, TL_OK, none, none);
    check_times((double[]){-DBL_MAX, -DBL_MAX, 0.0, -0.0, DBL_TRUE_MIN, DBL_MAX, DBL_MAX}, 7, TL_OK,
                none, none);
}

static void the_size_is_told_or_zero(void)
{
    CU_ASSERT_EQUAL(tl_curve_size(0), 0);
    size_t last = 0;
    for (size_t count = 1; count < 1000; count++) {
        CU_ASSERT(tl_curve_size(count) >= count && tl_curve_size(count) > last);
        last = tl_curve_size(count);
    }
    CU_ASSERT_EQUAL(tl_curve_size(SIZE_MAX), 0);
    CU_ASSERT_EQUAL(tl_curve_size(SIZE_MAX - 1), 0);
    CU_ASSERT_EQUAL(tl_curve_size(SIZE_MAX / 2 + 1), 0);
    for (int shift = 0; shift < 64; shift++) {
        size_t size = tl_curve_size(SIZE_MAX >> shift);
        CU_ASSERT(size == 0 || size >= SIZE_MAX >> shift);
        CU_ASSERT(size <= SIZE_MAX / sizeof(double));
    }
}

/* Rules 1 and 2 */

static void a_nan_time_gives_nan(void)
{
    struct sample sample = {31};
    for (int kind = 0; kind < KEY_CLASSES; kind++) {
        for (int wrap = 0; wrap < 3; wrap++) {
            struct built built = draw_curve(&sample, kind, true, 40, wraps[wrap], wraps[2 - wrap]);
            check_value(&built, NAN, NAN);
            check_value(&built, -NAN, NAN);
            discard(&built);
        }
    }
    tl_key one = {.time = 3, .value = 4};
    struct built built = build(&one, 1, TL_CLAMP);
    check_value(&built, NAN, NAN);
    discard(&built);
}

static void an_infinite_time_is_the_end_or_nothing(void)
{
    tl_key keys[4];
    set_flat_keys(keys, (double[]){1, 1, 2, 2}, (double[]){5, 6, 7, 8}, 4);
    for (size_t count = 1; count <= 4; count++) {
        for (int before = 0; before < 3; before++) {
            for (int after = 0; after < 3; after++) {
                struct built built = build_wrapped(keys, count, wraps[before], wraps[after]);
                check_value(&built, -HUGE_VAL, before == 0 ? 5 : (double)NAN);
                check_value(&built, HUGE_VAL, after == 0 ? keys[count - 1].value : (double)NAN);
                discard(&built);
            }
        }
    }
}

static void clamp_gives_the_end_keys_values(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            double a = special[i], b = special[j];
            tl_key keys[4];
            set_flat_keys(keys, (double[]){-2, -2, 3, 3}, (double[]){a, 1, 2, b}, 4);
            keys[0].out_tangent = keys[3].in_tangent = NAN;
            struct built built = build(keys, 4, TL_CLAMP);
            check_value(&built, -DBL_MAX, a);
            check_value(&built, -2.0000000000000004, a);
            check_value(&built, -2, 1);
            check_value(&built, 3, b);
            check_value(&built, 3.0000000000000004, b);
            check_value(&built, DBL_MAX, b);
            discard(&built);
            built = build(keys + 3, 1, TL_CLAMP);
            check_value(&built, -DBL_MAX, b);
            check_value(&built, 3, b);
            check_value(&built, 4, b);
            discard(&built);
        }
    }
}

/* No length, no period. */
static void without_length_it_is_the_last_key(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        tl_key keys[2];
        set_flat_keys(keys, (double[]){0.0, -0.0}, (double[]){17, special[i]}, 2);
        for (int wrap = 1; wrap < 3; wrap++) {
            for (size_t first = 0; first < 2; first++) {
                struct built built = build(keys + first, 2 - first, wraps[wrap]);
                static const double times[] = {0.0, -0.0, -DBL_TRUE_MIN, DBL_TRUE_MIN, 1e300, -2};
                for (int k = 0; k < 6; k++) {
                    check_value(&built, times[k], special[i]);
                }
                discard(&built);
            }
        }
    }
}

/* Each side has its own wrap. */
static void the_two_wraps_are_apart(void)
{
    tl_key keys[2];
    set_flat_keys(keys, (double[]){1, 3}, (double[]){10, 20}, 2);
    keys[0].out_tangent = keys[1].in_tangent = 5; /* a line */
    struct built built = build_wrapped(keys, 2, TL_LOOP, TL_PING_PONG);
    check_value(&built, 0.5, 17.5);
    check_value(&built, -1, 10);
    check_value(&built, 3.5, 17.5);
    check_value(&built, 5, 10);
    check_value(&built, 3, 20);
    discard(&built);
    built = build_wrapped(keys, 2, TL_PING_PONG, TL_LOOP);
    check_value(&built, 0.5, 12.5);
    check_value(&built, -1, 20);
    check_value(&built, 3.5, 12.5);
    check_value(&built, 5, 10);
    check_value(&built, 3, 20);
    discard(&built);
    built = build_wrapped(keys, 2, TL_CLAMP, TL_LOOP);
    check_value(&built, 0.5, 10);
    check_value(&built, 3.5, 12.5);
    discard(&built);
}

/* Rule 3 */

/* At, one bit before and one bit after each key; forth under all wraps, and in later periods. */
static void keys_are_met_to_the_bit(void)
{
    struct sample sample = {32};
    for (int round = 0; round < 20 * KEY_CLASSES; round++) {
        struct built built = draw_curve(&sample, round % KEY_CLASSES, round % 2, 20,
                                        wraps[round % 3], wraps[round / 3 % 3]);
        const tl_curve_table *curve = &built.table;
        for (size_t i = 0; i < curve->count; i++) {
            double time = curve->keys[i].time;
            size_t last = i;
            while (last + 1 < curve->count && curve->keys[last + 1].time == time) {
                last++;
            }
            check_value(&built, time, curve->keys[last].value);
            for (int bits = -2; bits <= 2; bits++) {
                check_curve(&built, step_by(time, bits));
            }
        }
        discard(&built);
    }
}

static void a_jump_has_its_right_value_both_ways(void)
{
    tl_key keys[6];
    set_flat_keys(keys, (double[]){0, 0, 10, 10, 20, 20}, (double[]){4, 5, 5, 7, 7, 9}, 6);
    keys[1].out_tangent = keys[3].out_tangent = HUGE_VAL;
    struct built built = build(keys, 6, TL_LOOP);
    static const double looped[][2] = {{0, 5},   {10, 7},  {20, 9},   {9.999999999999998, 5},
                                       {40, 5},  {-20, 5}, {-10, 7},  {30, 7},
                                       {50, 7},  {1e6, 5}, {-1e6, 5}, {29.999999999999996, 5},
                                       {19.5, 7}};
    for (size_t i = 0; i < sizeof looped / sizeof *looped; i++) {
        check_value(&built, looped[i][0], looped[i][1]);
    }
    discard(&built);
    built = build(keys, 6, TL_PING_PONG);
    static const double mirrored[][2] = {{0, 5},
                                         {10, 7},
                                         {20, 9},
                                         {-10, 7},
                                         {30, 7},
                                         {60, 9},
                                         {-20, 9},
                                         {40, 5},
                                         {30.000000000000004, 5},
                                         {29.999999999999996, 7},
                                         {-9.999999999999998, 5},
                                         {-10.000000000000002, 7},
                                         {1e6, 5},
                                         {-1e6, 5},
                                         {1e6 + 20, 9}};
    for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++) {
        check_value(&built, mirrored[i][0], mirrored[i][1]);
    }
    discard(&built);
}

/* Rule 4 */

static void segments_are_within_their_bounds(void)
{
    struct sample sample = {33};
    for (int round = 0; round < 30 * KEY_CLASSES; round++) {
        bool weighted = round % 2;
        struct built built = draw_curve(&sample, round % KEY_CLASSES, weighted, 12,
                                        wraps[round % 3], wraps[round % 3]);
        double first = built.keys[0].time, last = built.keys[built.table.count - 1].time;
        for (int i = 0; i < 20; i++) {
            double share = sample_uniform(&sample, i < 14 ? 0 : -7, i < 14 ? 1 : 9);
            double t = (1 - share) * first + share * last;
            if (isfinite(t)) {
                check_curve(&built, t);
                check_within(&built, t);
            }
        }
        discard(&built);
    }
}

/* The segment's rules 3 and 4 where t' is inside, but the double nearest to it is a key's time. */
static void special_segments_stay_so_to_their_ends(void)
{
    struct sample sample = {44};
    size_t at_start = 0, at_end = 0;
    for (int round = 0; round < 20000; round++) {
        tl_key keys[3];
        for (int i = 0; i < 3; i++) {
            double values[3];
            for (int k = 0; k < 3; k++) {
                values[k] = sample_below(&sample, 4) ? sample_uniform(&sample, -1, 1)
                                                     : special[sample_below(&sample, SPECIALS)];
            }
            keys[i] = (tl_key){.time = sample_uniform(&sample, i, i + 0.5),
                               .value = values[0],
                               .in_tangent = values[1],
                               .out_tangent = values[2]};
        }
        double period = keys[2].time - keys[0].time;
        double t = keys[1 + round % 2].time + (1 + (int)sample_below(&sample, 3)) * period;
        struct built built = build(keys, 3, TL_LOOP);
        struct spot spot = find_spot(&built.table, t);
        at_start += spot.inside && spot.nearest == spot.key[0].time;
        at_end += spot.inside && spot.nearest == spot.key[1].time;
        check_curve(&built, t);
        discard(&built);
    }
    suite_check(at_start > 500 && at_end > 500, "only %zu and %zu such times", at_start, at_end);
}

/* Wraps */

enum { NEAR_SEAMS = 100000 };

/* A time near a multiple of the period or near a key of a later one; and how often doubles, in the
 * usual way, choose the wrong segment there. */
static double draw_near_seam(struct sample *sample, const tl_curve_table *curve)
{
    double first = curve->keys[0].time, last = curve->keys[curve->count - 1].time;
    double key_time = curve->keys[sample_below(sample, (unsigned)curve->count)].time;
    int periods = (int)sample_below(sample, 2001) - 1000;
    double t = (sample_below(sample, 2) ? first : key_time) + periods * (last - first);
    return step_by(t, (int)sample_below(sample, 5) - 2);
}

static bool naive_is_wrong(const tl_curve_table *curve, double t)
{
    double first = curve->keys[0].time, length = curve->keys[curve->count - 1].time - first;
    double naive = first + ((t - first) - length * floor((t - first) / length));
    struct spot spot = find_spot(curve, t);
    return spot.key && (naive < spot.key->time ||
                        (spot.key + 1 < curve->keys + curve->count && naive >= spot.key[1].time));
}

/* Values that tell the segments apart: stepped ones. */
static void seams_are_decided_exactly(void)
{
    struct sample sample = {34};
    size_t compared = 0, naive_wrong = 0;
    while (compared < NEAR_SEAMS) {
        int kind = (int)sample_below(&sample, 3) == 0 ? FAR_AWAY : UNEVEN;
        tl_wrap wrap = compared / 100 % 2 ? TL_LOOP : TL_PING_PONG;
        struct built built = draw_curve(&sample, kind, false, 9, wrap, wrap);
        for (size_t i = 0; i < built.table.count; i++) {
            built.keys[i].value = (double)i;
            built.keys[i].out_tangent = HUGE_VAL;
        }
        for (int i = 0; i < 100; i++, compared++) {
            double t = draw_near_seam(&sample, &built.table);
            check_curve(&built, t);
            naive_wrong += wrap == TL_LOOP && naive_is_wrong(&built.table, t);
        }
        discard(&built);
    }
    suite_check(naive_wrong > NEAR_SEAMS / 40, "only %zu times that doubles get wrong",
                naive_wrong);
}

static void far_times_are_as_good_as_near_ones(void)
{
    static const double far[] = {1e15,    1e16,    1e17,  0x1p53, 0x1p64,
                                 0x1p100, 0x1p127, 1e300, DBL_MAX};
    struct sample sample = {35};
    for (int round = 0; round < 20 * KEY_CLASSES; round++) {
        struct built built = draw_curve(&sample, round % KEY_CLASSES, round % 2, 9,
                                        wraps[1 + round % 2], wraps[1 + round / 2 % 2]);
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            for (int bits = -1; bits <= 1; bits++) {
                check_curve(&built, step_by(far[i], bits));
                check_curve(&built, step_by(-far[i], bits));
            }
        }
        for (int i = 0; i < 60; i++) {
            check_curve(&built, sample_finite(&sample));
            check_curve(&built, sample_wide(&sample, -60, 130));
        }
        check_within(&built, 1e300);
        check_within(&built, -1e300);
        discard(&built);
    }
}

/* The quotient's digits that a long division guesses too high, and numbers of every length. */
static void long_divisions_are_right(void)
{
    struct sample sample = {36};
    for (int round = 0; round < 3000; round++) {
        int low = (int)sample_below(&sample, 2040) - 1074;
        double first = ldexp(sample_uniform(&sample, -1, 1), low + (int)sample_below(&sample, 200));
        double last = first + ldexp(sample_uniform(&sample, 0.5, 1), low);
        if (sample_below(&sample, 3) == 0) { /* digits of ones */
            first = 0;
            last = ldexp(0x1.00000000fffffp0, low > 1000 ? 1000 : low);
        }
        if (!isfinite(last) || !(first < last)) {
            continue;
        }
        tl_key keys[2];
        set_flat_keys(keys, (double[]){first, last}, (double[]){0, 1}, 2);
        struct built built = build(keys, 2, wraps[1 + round % 2]);
        for (int i = 0; i < 20; i++) {
            double t = sample_wide(&sample, low < 900 ? low : 900, 1024);
            check_curve(&built, sample_below(&sample, 2)
                                    ? t
                                    : ldexp(rint(ldexp(last, 40 - low)), low + 300));
        }
        discard(&built);
    }
}

/* Of 2^k + n in 2^(k+2) + n, the leading digits suggest 4, but the quotient is 3. */
static void a_quotient_digit_guessed_too_high_is_corrected(void)
{
    for (int k = 60; k < 1020; k += 7) {
        for (int n = 1; n <= 3; n++) {
            tl_key keys[3];
            double last = ldexp(1, k);
            set_flat_keys(keys, (double[]){-n, 0.75 * last, last}, (double[]){0, 1, 2}, 3);
            for (int wrap = 1; wrap < 3; wrap++) {
                struct built built = build(keys, 3, wraps[wrap]);
                for (int i = 0; i < 4; i++) {
                    check_curve(&built, ldexp(last, i));
                    check_curve(&built, -ldexp(last, i));
                }
                discard(&built);
            }
        }
    }
}

static void a_loop_is_half_open(void)
{
    tl_key keys[2];
    set_flat_keys(keys, (double[]){0, 4}, (double[]){1, 2}, 2);
    struct built built = build(keys, 2, TL_LOOP);
    check_value(&built, 0, 1);
    check_value(&built, 4, 2); /* not beyond the last key */
    check_value(&built, 8, 1);
    check_value(&built, -4, 1);
    check_value(&built, 4e300, 1);
    discard(&built);
    built = build(keys, 2, TL_PING_PONG);
    check_value(&built, 4, 2);
    check_value(&built, 8, 1);
    check_value(&built, 12, 2);
    check_value(&built, -4, 2);
    check_value(&built, -8, 1);
    /* reported of others: below the range just under 0 and just under a period */
    for (int i = 0; i < 4; i++) {
        double t = (double[]){-1e-9, 8 - 1e-9, -4, 4e9}[i];
        double got = tl_curve(&built.table, t);
        suite_check(got >= 1 && got <= 2, "%s = %a", describe(&built.table, t), got);
        check_within(&built, t);
    }
    discard(&built);
}

/* Many keys */

static void searches_find_every_segment(void)
{
    static const size_t counts[] = {1, 2, 3, 5, 64, 1000, 10000};
    struct sample sample = {37};
    for (int kind = 0; kind < KEY_CLASSES; kind++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            size_t count = counts[c];
            double *times = malloc(count * sizeof *times);
            for (size_t i = 0; i < count; i++) {
                times[i] = draw_time(&sample, kind);
            }
            qsort(times, count, sizeof *times, by_value);
            count = drop_threes(times, count);
            tl_key *keys = calloc(count, sizeof *keys);
            for (size_t i = 0; i < count; i++) { /* stepped, each with its own value */
                keys[i] = (tl_key){.time = times[i], .value = (double)i, .out_tangent = HUGE_VAL};
            }
            struct built built = build(keys, count, TL_CLAMP);
            for (size_t i = 0; i < count; i++) {
                for (int bits = -1; bits <= 1; bits++) {
                    double t = step_by(times[i], bits);
                    size_t wanted = i;
                    while (wanted + 1 < count && times[wanted + 1] <= t) {
                        wanted++;
                    }
                    while (wanted > 0 && times[wanted] > t) {
                        wanted--;
                    }
                    check_value(&built, t, (double)wanted);
                }
            }
            discard(&built);
            free(keys);
            free(times);
        }
    }
}

static void check_many(const struct built *built, const double *times, size_t count)
{
    double *results = malloc((count + 1) * sizeof *results);
    results[count] = mark;
    tl_curve_many(&built->table, times, count, results);
    for (size_t i = 0; i < count; i++) {
        double wanted = tl_curve(&built->table, times[i]);
        suite_check(same_double(results[i], wanted), "many, %zu of %zu: %s: got %a, scalar %a", i,
                    count, describe(&built->table, times[i]), results[i], wanted);
    }
    CU_ASSERT(results[count] == mark);
    memcpy(results, times, count * sizeof *results);
    tl_curve_many(&built->table, results, count, results);
    for (size_t i = 0; i < count; i++) {
        suite_check(same_double(results[i], tl_curve(&built->table, times[i])), "many in place");
    }
    free(results);
}

static double draw_any_time(struct sample *sample, const tl_curve_table *curve)
{
    double first = curve->keys[0].time, last = curve->keys[curve->count - 1].time;
    double share = sample_uniform(sample, -0.5, 1.5);
    switch (sample_below(sample, 12)) {
    case 0:
        return special[sample_below(sample, SPECIALS)];
    case 1:
    case 2:
        return step_by(curve->keys[sample_below(sample, (unsigned)curve->count)].time,
                       (int)sample_below(sample, 3) - 1);
    case 3:
        return sample_finite(sample);
    default:
        return (1 - share) * first + share * last;
    }
}

static void many_equals_one_by_one(void)
{
    enum { MOST = 200 };
    struct sample sample = {38};
    for (int round = 0; round < 20 * KEY_CLASSES; round++) {
        struct built built = draw_curve(&sample, round % KEY_CLASSES, round % 2, 30,
                                        wraps[round % 3], wraps[round / 3 % 3]);
        double times[MOST];
        size_t count = round < 20 ? (size_t)round : MOST - (size_t)sample_below(&sample, 9);
        for (size_t i = 0; i < count; i++) {
            times[i] = draw_any_time(&sample, &built.table);
        }
        check_many(&built, times, count);
        for (size_t i = 0; i < count; i++) { /* NaN cannot be sorted */
            times[i] = isnan(times[i]) ? 1 : times[i];
        }
        qsort(times, count, sizeof *times, by_value);
        check_many(&built, times, count);
        for (size_t i = 0; i < count / 2; i++) {
            double other = times[i];
            times[i] = times[count - 1 - i];
            times[count - 1 - i] = other;
        }
        check_many(&built, times, count);
        double first = built.keys[0].time, last = built.keys[built.table.count - 1].time;
        for (size_t i = 0; i < count; i++) { /* dense, so that many lie on one segment */
            times[i] = first + (0.25 * last - 0.25 * first) * ((double)i / MOST);
        }
        check_many(&built, times, count);
        discard(&built);
    }
}

/* Crossfades */

static bool check_blend(const struct built *a, const struct built *b, double t, double w,
                        double wanted)
{
    double got = tl_crossfade(&a->table, &b->table, t, w);
    return suite_check(same_double(got, wanted), "crossfade(%a to %a at %a, %a): got %a, wanted %a",
                       tl_curve(&a->table, t), tl_curve(&b->table, t), t, w, got, wanted);
}

static struct built constant(double value)
{
    tl_key key = {.time = 0, .value = value};
    return build(&key, 1, TL_CLAMP);
}

/* The other curve is not even a pointer. */
static void weights_beyond_the_ends_give_one_curve(void)
{
    static const double early[] = {0.0, -0.0, -DBL_TRUE_MIN, -3, -DBL_MAX, -HUGE_VAL};
    static const double late[] = {1, 1.0000000000000002, 7, DBL_MAX, HUGE_VAL};
    struct sample sample = {39};
    for (int round = 0; round < 40; round++) {
        struct built built =
            draw_curve(&sample, round % KEY_CLASSES, true, 9, wraps[round % 3], wraps[round % 3]);
        double t = draw_any_time(&sample, &built.table), value = tl_curve(&built.table, t);
        for (int i = 0; i < 6; i++) {
            double got = tl_crossfade(&built.table, NULL, t, early[i]);
            suite_check(same_double(got, value), "crossfade at w = %a: %a", early[i], got);
        }
        for (int i = 0; i < 5; i++) {
            double got = tl_crossfade(NULL, &built.table, t, late[i]);
            suite_check(same_double(got, value), "crossfade at w = %a: %a", late[i], got);
        }
        CU_ASSERT(isnan(tl_crossfade(&built.table, &built.table, t, NAN)));
        discard(&built);
    }
}

static void blends_of_what_is_not_finite(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            struct built a = constant(special[i]), b = constant(special[j]);
            bool finite = isfinite(special[i]) && isfinite(special[j]);
            if (!finite) {
                bool same = isinf(special[i]) && special[i] == special[j];
                check_blend(&a, &b, 0.5, 0.25, same ? special[i] : (double)NAN);
                check_blend(&a, &b, 0.5, DBL_TRUE_MIN, same ? special[i] : (double)NAN);
            }
            CU_ASSERT(isnan(tl_crossfade(&a.table, &b.table, 0, NAN)));
            check_blend(&a, &b, NAN, 0.5, NAN);
            discard(&a);
            discard(&b);
        }
    }
}

/* |result - F| <= 14 or 66 u S. */
static void check_blend_within(const struct built *a, const struct built *b, double t, double w)
{
    mpq_t from, to, from_scale, to_scale, weight;
    mpq_inits(from, to, from_scale, to_scale, weight, NULL);
    if (exact_value(from, from_scale, &a->table, t) && exact_value(to, to_scale, &b->table, t)) {
        struct spot spot_a = find_spot(&a->table, t), spot_b = find_spot(&b->table, t);
        int K =
            (spot_a.inside && is_weighted(spot_a.key)) || (spot_b.inside && is_weighted(spot_b.key))
                ? K_WEIGHTED
                : K_PLAIN;
        mpq_t part;
        mpq_init(part);
        mpq_abs(part, from);
        mpq_add(from_scale, from_scale, part);
        mpq_abs(part, to);
        mpq_add(to_scale, to_scale, part);
        mpq_set_d(weight, w);
        mpq_sub(to, to, from);
        mpq_mul(to, to, weight);
        mpq_add(from, from, to); /* F */
        mpq_mul(to_scale, to_scale, weight);
        mpq_set_ui(part, 1, 1);
        mpq_sub(part, part, weight);
        mpq_mul(from_scale, from_scale, part);
        mpq_add(from_scale, from_scale, to_scale);
        double got = tl_crossfade(&a->table, &b->table, t, w);
        suite_check(rational_within(got, from, from_scale, K + K_BLEND),
                    "crossfade of %s at %a: got %a, nearest is %a", describe(&a->table, t), w, got,
                    rational_round(from));
        mpq_clear(part);
    }
    mpq_clears(from, to, from_scale, to_scale, weight, NULL);
}

static void scale_values(struct built *built, double factor)
{
    for (size_t i = 0; i < built->table.count; i++) {
        built->keys[i].value *= factor;
        built->keys[i].in_tangent *= factor;
        built->keys[i].out_tangent *= factor;
    }
}

static void crossfades_are_within_their_bounds(void)
{
    static const double factors[] = {1, 1, 1e-300, 0x1p-1070, 0x1p-1074, 1e308};
    struct sample sample = {40};
    size_t compared = 0;
    for (int round = 0; round < 120; round++) {
        int kind = round % 2 ? UNEVEN : SUBNORMAL;
        struct built a = draw_curve(&sample, kind, round % 3 == 0, 7, TL_LOOP, TL_PING_PONG);
        struct built b = draw_curve(&sample, kind, round % 3 == 1, 7, TL_PING_PONG, TL_CLAMP);
        scale_values(&a, factors[round / 2 % 6]);
        scale_values(&b, factors[round / 4 % 6]);
        for (int i = 0; i < 20; i++, compared++) {
            double t = kind == UNEVEN ? sample_uniform(&sample, -6, 20)
                                      : ((int)sample_below(&sample, 300) - 150) * DBL_TRUE_MIN;
            if (i % 7 == 0) {
                t = (i % 2 ? a : b).keys[i / 7 % 2].time;
            }
            double w = i % 5 == 0 ? ldexp(1, -(int)sample_below(&sample, 1075))
                                  : sample_uniform(&sample, 0, 1);
            check_blend_within(&a, &b, t, w);
        }
        discard(&a);
        discard(&b);
    }
    CU_ASSERT_EQUAL(compared, 2400);
}

/* The header's largest known error of a crossfade. */
static void the_largest_known_error_is_as_told(void)
{
    static const tl_key from[2] = {{.time = -0x1.47e97ed4a711p-1,
                                    .value = -0x1.f9d5d0881fce6p-10,
                                    .out_tangent = -0x1.0f53ac3f0b904p-22},
                                   {.time = 0x1.d122798c3ffcfp+4,
                                    .value = 0x1.8f81f31c713adp-2,
                                    .in_tangent = -0x1.fdf3808c6ca4p-21}};
    static const tl_key to[2] = {{.time = -0x1.4f3f93521a025p-18,
                                  .value = -0x1.b20113fd68f52p-43,
                                  .out_tangent = 0x1.44d8ba807119ep-43},
                                 {.time = 0x1.904cb7e103e8p+0,
                                  .value = 0x1.f1318f4701fe6p-51,
                                  .in_tangent = 0x1.8aac93a913f62p-33}};
    struct built a = build(from, 2, TL_CLAMP), b = build(to, 2, TL_CLAMP);
    double t = 0x1.67dcb22029bcdp+0, w = 0x1.dafa384efa795p-5;
    check_blend(&a, &b, t, w, 0x1.a2e27c2b7b8c6p-9);
    check_blend_within(&a, &b, t, w);
    discard(&a);
    discard(&b);
}

/* A swings beyond the range, its share of the blend does not. */
static void nothing_overflows_on_the_way_to_a_blend(void)
{
    tl_key keys[2] = {{.time = 0, .value = 1.7e308, .out_tangent = 1.7e308},
                      {.time = 1, .value = 1.7e308, .in_tangent = -1.7e308}};
    for (int weighted = 0; weighted < 2; weighted++) {
        keys[0].weighted_mode = weighted ? TL_WEIGHTED_OUT : TL_WEIGHTED_NONE;
        keys[0].out_weight = 0.4;
        struct built a = build(keys, 2, TL_LOOP), b = constant(-1.7e308), c = constant(1e308);
        CU_ASSERT(isinf(tl_curve(&a.table, 0.5)));
        for (int i = 1; i < 16; i++) {
            double w = i / 16.0;
            check_blend_within(&a, &b, 0.5, w);
            check_blend_within(&b, &a, 0.5, w);
            check_blend_within(&a, &c, 0.5, w);
            check_blend_within(&c, &a, 0.5, w);
            check_blend_within(&a, &a, 0.5, w);
        }
        CU_ASSERT(isfinite(tl_crossfade(&a.table, &b.table, 0.5, 0.5)));
        struct built infinite = constant(HUGE_VAL);
        check_blend(&a, &infinite, 0.5, 0.5, NAN); /* only one of them is infinite */
        check_blend(&infinite, &a, 0.5, 0.5, NAN);
        discard(&infinite);
        discard(&a);
        discard(&b);
        discard(&c);
    }
}

/* Two keys whose segment is mostly beyond the range. */
static void set_towering_keys(tl_key keys[2], struct sample *sample)
{
    double end = ldexp(sample_uniform(sample, 1, 2), 20 * (int)sample_below(sample, 51));
    for (int i = 0; i < 2; i++) {
        keys[i] = (tl_key){.time = i == 0 ? -end : end,
                           .value = sample_uniform(sample, -1, 1) * DBL_MAX,
                           .in_tangent = sample_uniform(sample, -1, 1) * DBL_MAX,
                           .out_tangent = sample_uniform(sample, -1, 1) * DBL_MAX,
                           .in_weight = 1.0 / 3,
                           .out_weight = 1.0 / 3};
    }
}

/* Factor times as much, but for some 2^-bits. */
static void set_nearly_proportional_keys(tl_key proportional[2], const tl_key keys[2],
                                         struct sample *sample, double factor, int bits)
{
    for (int i = 0; i < 2; i++) {
        double nearly = factor * (1 - ldexp(sample_uniform(sample, 0, 1), -bits));
        proportional[i] = keys[i];
        proportional[i].value *= nearly;
        proportional[i].in_tangent *= nearly;
        proportional[i].out_tangent *= nearly;
    }
}

/* An infinity of the wrong sign is no answer, whatever the bound is. Both signs occur, and where a
 * segment is weighted also results whose sign is not known. */
static void what_cancels_beyond_the_range_has_its_sign(void)
{
    struct sample sample = {44};
    for (int weighted = 0; weighted < 4; weighted++) {
        int infinite = 0, zero = 0;
        for (int round = 0; round < 400; round++) {
            tl_key keys[2][2];
            double w = round % 2 ? sample_uniform(&sample, 0, 1)
                                 : ldexp(sample_uniform(&sample, 0.5, 1), -round / 10);
            int more = w < 0.5, bits = 36 + (int)sample_below(&sample, 19);
            double factor = more ? w / (w - 1) : (w - 1) / w;
            set_towering_keys(keys[more], &sample);
            set_nearly_proportional_keys(keys[!more], keys[more], &sample, factor, bits);
            for (int i = 0; i < 4; i++) {
                bool is_weighted = weighted >> i / 2 & 1;
                keys[i / 2][i % 2].weighted_mode = is_weighted ? TL_WEIGHTED_BOTH : 0;
            }
            struct built a = build(keys[0], 2, TL_LOOP), b = build(keys[1], 2, TL_LOOP);
            double t = keys[0][0].time * sample_uniform(&sample, -1, round % 4 ? 1 : 9);
            double got = tl_crossfade(&a.table, &b.table, t, w);
            infinite += isinf(got) != 0;
            zero += got == 0;
            check_blend_within(&a, &b, t, w);
            discard(&a);
            discard(&b);
        }
        CU_ASSERT(infinite >= 100 && (weighted == 0 || zero >= 100));
    }
}

static double draw_weight(struct sample *sample, int kind)
{
    if (kind < 2 && sample_below(sample, 40) == 0) {
        return special[sample_below(sample, SPECIALS)];
    }
    return kind == 0   ? sample_uniform(sample, -0.2, 1.2)
           : kind == 1 ? sample_below(sample, 9) / 8.0 /* the ends, too */
                       : sample_uniform(sample, 0, 1);
}

static void many_crossfades_equal_one_by_one(void)
{
    enum { COUNT = 100 };
    struct sample sample = {41};
    for (int round = 0; round < 100; round++) {
        struct built a = draw_curve(&sample, round % KEY_CLASSES, round % 2, 9, wraps[round % 3],
                                    wraps[round % 3]);
        struct built b = draw_curve(&sample, round / 2 % KEY_CLASSES, round % 2, 9,
                                    wraps[round / 3 % 3], wraps[round % 3]);
        double times[COUNT], weights[COUNT], results[COUNT + 1];
        for (int i = 0; i < COUNT; i++) {
            times[i] = draw_any_time(&sample, i % 2 ? &a.table : &b.table);
            weights[i] = draw_weight(&sample, round % 4);
        }
        if (round % 2) {
            for (int i = 0; i < COUNT; i++) {
                times[i] = isnan(times[i]) ? 0 : times[i];
            }
            qsort(times, COUNT, sizeof *times, by_value);
        }
        results[COUNT] = mark;
        tl_crossfade_many(&a.table, &b.table, times, weights, COUNT, results);
        CU_ASSERT(results[COUNT] == mark);
        for (int i = 0; i < COUNT; i++) {
            double wanted = tl_crossfade(&a.table, &b.table, times[i], weights[i]);
            suite_check(same_double(results[i], wanted), "crossfade_many %d: %a, scalar %a", i,
                        results[i], wanted);
        }
        tl_crossfade_many(&a.table, &b.table, times, weights, COUNT, weights);
        for (int i = 0; i < COUNT; i++) {
            suite_check(same_double(weights[i], results[i]), "crossfade_many in place, %d", i);
        }
        discard(&a);
        discard(&b);
    }
}

static void instruction_sets_agree(void)
{
    const char *chosen = tl_instruction_set();
    struct sample sample = {42};
    for (int round = 0; round < 20 * KEY_CLASSES; round++) {
        struct built built = draw_curve(&sample, round % KEY_CLASSES, round % 2, 30,
                                        wraps[round % 3], wraps[round / 3 % 3]);
        for (int i = 0; i < 50; i++) {
            double t = draw_any_time(&sample, &built.table);
            double wanted = tl_curve(&built.table, t);
            CU_ASSERT_EQUAL(tl_use_instruction_set("baseline"), 0);
            check_value(&built, t, wanted);
            check_many(&built, &t, 1);
            CU_ASSERT_EQUAL(tl_use_instruction_set(chosen), 0);
        }
        discard(&built);
    }
}

static void flags_and_errno_of_the_caller_stay(void)
{
    struct sample sample = {43};
    struct built built = draw_curve(&sample, ALL_BINADES, true, 9, TL_LOOP, TL_PING_PONG);
    static const double times[] = {NAN, HUGE_VAL, 0.5, 1e300, -DBL_MAX, DBL_TRUE_MIN};
    for (int i = 0; i < 6; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
        errno = 12345;
        double got[2] = {tl_curve(&built.table, times[i]),
                         tl_crossfade(&built.table, &built.table, times[i], 0.5)};
        CU_ASSERT(same_double(got[0], expected_value(&built.table, times[i])));
        (void)got[1];
        CU_ASSERT_EQUAL(errno, 12345);
        CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
        CU_ASSERT_EQUAL(fegetround(), FE_TONEAREST);
    }
    feclearexcept(FE_ALL_EXCEPT);
    errno = 0;
    discard(&built);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the builder names what is wrong", the_builder_names_what_is_wrong},
        {"the size is told or zero", the_size_is_told_or_zero},
        {"a NaN time gives NaN", a_nan_time_gives_nan},
        {"an infinite time is the end or nothing", an_infinite_time_is_the_end_or_nothing},
        {"clamp gives the end keys' values", clamp_gives_the_end_keys_values},
        {"without length it is the last key", without_length_it_is_the_last_key},
        {"the two wraps are apart", the_two_wraps_are_apart},
        {"keys are met to the bit", keys_are_met_to_the_bit},
        {"a jump has its right value both ways", a_jump_has_its_right_value_both_ways},
        {"segments are within their bounds", segments_are_within_their_bounds},
        {"special segments stay so to their ends", special_segments_stay_so_to_their_ends},
        {"seams are decided exactly", seams_are_decided_exactly},
        {"far times are as good as near ones", far_times_are_as_good_as_near_ones},
        {"long divisions are right", long_divisions_are_right},
        {"a quotient digit guessed too high is corrected",
         a_quotient_digit_guessed_too_high_is_corrected},
        {"a loop is half-open", a_loop_is_half_open},
        {"searches find every segment", searches_find_every_segment},
        {"many equals one by one", many_equals_one_by_one},
        {"weights beyond the ends give one curve", weights_beyond_the_ends_give_one_curve},
        {"blends of what is not finite", blends_of_what_is_not_finite},
        {"crossfades are within their bounds", crossfades_are_within_their_bounds},
        {"the largest known error is as told", the_largest_known_error_is_as_told},
        {"nothing overflows on the way to a blend", nothing_overflows_on_the_way_to_a_blend},
        {"what cancels beyond the range has its sign", what_cancels_beyond_the_range_has_its_sign},
        {"many crossfades equal one by one", many_crossfades_equal_one_by_one},
        {"instruction sets agree", instruction_sets_agree},
        {"flags and errno of the caller stay", flags_and_errno_of_the_caller_stay},
    };
    return suite_run("curve", tests, sizeof tests / sizeof *tests);
}
