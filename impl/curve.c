#include "hermite.h"
#include "remainder.h"

TL_VARIANTS(curve, double, (const tl_curve_table *, double));
TL_VARIANTS(curve_many, void, (const tl_curve_table *, const double *, size_t, double *));
TL_VARIANTS(crossfade, double, (const tl_curve_table *, const tl_curve_table *, double, double));
TL_VARIANTS(crossfade_many, void,
            (const tl_curve_table *, const tl_curve_table *, const double *, const double *, size_t,
             double *));

/* Of bezier.c: any segment. */
double TL_KERNEL(bezier)(const tl_key *k0, const tl_key *k1, double t);

/* The table: an origin and a rate; the keys' times in one piece; then, for each of twice as many
 * equal steps of time, the cells, the last key before it (or 0), an integer in a double's bits. The
 * cell of a time t is the integer part of (t - origin) rate, computed in doubles: both operations
 * are monotone, so whatever they round, keys in cells before t's are not later than t, and keys in
 * cells after it are. Where no more than two keys are in a cell, which is usual, two comparisons
 * complete the search, without a branch that depends on t. */
enum { ORIGIN, RATE, TIMES, CELLS_A_KEY = 2 };

static inline const double *times_of(const tl_curve_table *curve)
{
    return curve->table + TIMES;
}

static inline const double *cells_of(const tl_curve_table *curve)
{
    return curve->table + TIMES + curve->count;
}

static inline size_t cell_of(const double *table, double t)
{
    return (size_t)(int64_t)((t - table[ORIGIN]) * table[RATE]);
}

static inline size_t last_before_cell(const tl_curve_table *curve, size_t cell)
{
    return (size_t)tl_to_bits(cells_of(curve)[cell]);
}

/* The last of the `count` ascending times that is <= t, which is not before the first one. */
static size_t search(const double *times, size_t count, double t)
{
    size_t base = 0;
    while (count > 1) {
        size_t half = count / 2;
        base = times[base + half] <= t ? base + half : base;
        count -= half;
    }
    return base;
}

/* What two comparisons do not find. */
static size_t __attribute__((noinline)) segment_search(const tl_curve_table *curve, double t)
{
    size_t cell = cell_of(curve->table, t);
    size_t from = last_before_cell(curve, cell), to = last_before_cell(curve, cell + 1);
    return from + search(times_of(curve) + from, to + 1 - from, t);
}

/* The last key whose time is <= t, for first <= t < last. */
static inline size_t segment_of(const tl_curve_table *curve, double t)
{
    const double *times = times_of(curve);
    size_t i = last_before_cell(curve, cell_of(curve->table, t));
    i += times[i + 1] <= t;
    i += times[i + 1] <= t;
    return __builtin_expect(t < times[i + 1], 1) ? i : segment_search(curve, t);
}

static inline bool is_plain(const tl_key *key)
{
    return !(key[0].weighted_mode & TL_WEIGHTED_OUT) && !(key[1].weighted_mode & TL_WEIGHTED_IN);
}

/* Where a curve is at a time: on the segment after the key, at t, or at the key itself; nowhere if
 * there is no key. */
typedef struct place {
    const tl_key *key;
    bool inside; /* the exact time is no key's, though t may be the next one's */
    double t;
} place;

static place place_within(const tl_curve_table *curve, tl_neighbours time)
{
    const double *times = times_of(curve);
    size_t end = curve->count - 1;
    size_t i = time.down < times[end] ? segment_of(curve, time.down) : end;
    return (place){curve->keys + i, !time.exact || time.down != times[i], time.nearest};
}

/* Rules 1 and 2, and the segment. Key times are doubles, so those that are <= t' are those that are
 * <= the double below it. */
static place place_of(const tl_curve_table *curve, double t)
{
    const double *times = times_of(curve);
    double first = times[0], last = times[curve->count - 1];
    if (isnan(t)) {
        return (place){NULL, false, t};
    }
    if (t >= first && t <= last) {
        return place_within(curve, (tl_neighbours){t, t, true});
    }
    tl_wrap wrap = t < first ? curve->before : curve->after;
    if (wrap == TL_CLAMP) {
        return (place){curve->keys + (t < first ? 0 : curve->count - 1), false, t};
    }
    if (isinf(t)) {
        return (place){NULL, false, t};
    }
    if (first == last) {
        return (place){curve->keys + curve->count - 1, false, t};
    }
    const double span[3] = {t, first, last};
    return place_within(curve, tl_wrap_time(span, wrap == TL_PING_PONG));
}

/* Whether all that the segment's formula reads is finite. */
static bool is_segment_finite(const tl_key *key)
{
    return tl_is_finite(key[0].value) && tl_is_finite(key[0].out_tangent) &&
           tl_is_finite(key[1].value) && tl_is_finite(key[1].in_tangent) &&
           (!(key[0].weighted_mode & TL_WEIGHTED_OUT) || tl_is_finite(key[0].out_weight)) &&
           (!(key[1].weighted_mode & TL_WEIGHTED_IN) || tl_is_finite(key[1].in_weight));
}

/* The value at a place. The wrapped time may round to a key's though it is not that: then a
 * segment that is stepped or not a number is so there as well. */
static double value_at(place at)
{
    const tl_key *key = at.key;
    if (!key) {
        return NAN;
    }
    if (!at.inside) {
        return key->value;
    }
    if (key[0].time < at.t && at.t < key[1].time) {
        return TL_KERNEL(bezier)(key, key + 1, at.t);
    }
    if (isinf(key[0].out_tangent) || isinf(key[1].in_tangent)) {
        return key->value;
    }
    return !is_segment_finite(key) ? NAN : at.t > key->time ? key[1].value : key->value;
}

static double __attribute__((noinline)) curve_beyond(const tl_curve_table *curve, double t)
{
    return value_at(place_of(curve, t));
}

/* On the segment, for its first key's time <= t < its second's. At a key the plain formula gives
 * x = 0 and y = 1, and so the key's value or, where something is not finite or 0, what leads to
 * tl_bezier, which knows. */
static inline double value_on(const tl_key *key, double t)
{
    if (__builtin_expect(is_plain(key), 1)) {
        double result = tl_hermite_plain(key, key + 1, t);
        if (__builtin_expect(tl_is_finite_from(result, tl_hermite_least), 1)) {
            return result;
        }
    }
    return TL_KERNEL(bezier)(key, key + 1, t);
}

double TL_KERNEL(curve)(const tl_curve_table *curve, double t)
{
    const double *times = times_of(curve);
    if (__builtin_expect(times[0] <= t && t < times[curve->count - 1], 1)) {
        return value_on(curve->keys + segment_of(curve, t), t);
    }
    return curve_beyond(curve, t);
}

/* Two doubles for one instruction, where there is one; else an ordinary pair. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static inline pair twice(double x)
{
    return (pair){x, x};
}

/* a b + c. gcc 12 finds that instruction for some pairs only. */
static inline pair pair_fma(pair a, pair b, pair c)
{
#ifdef __FMA__
    __asm__("vfmadd231pd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
#else
    return (pair){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
#endif
}

static inline pair pair_load(const double *numbers)
{
    pair both;
    memcpy(&both, numbers, sizeof both);
    return both;
}

/* What tl_hermite_plain reads of two segments. */
typedef struct two_segments {
    pair t0, t1, v0, v1, m0, m1;
} two_segments;

static inline two_segments segments_after(const tl_key *a, const tl_key *b)
{
    return (two_segments){
        .t0 = {a[0].time, b[0].time},
        .t1 = {a[1].time, b[1].time},
        .v0 = {a[0].value, b[0].value},
        .v1 = {a[1].value, b[1].value},
        .m0 = {a[0].out_tangent, b[0].out_tangent},
        .m1 = {a[1].in_tangent, b[1].in_tangent},
    };
}

/* What value_on returns for two times on two plain segments, by the operations of
 * tl_hermite_plain; whether that vouches for it is added to `good`. */
static inline pair pair_on(const two_segments *s, pair t, pair_mask *good)
{
    pair from = t - s->t0, to = s->t1 - t, h = s->t1 - s->t0;
    pair x = from / h, y = to / h;
    pair p = pair_fma(s->m0, from, s->v0 * pair_fma(twice(-2), y, twice(3)));
    pair q = pair_fma(-s->m1, to, s->v1 * pair_fma(twice(-2), x, twice(3)));
    pair value = pair_fma(y, y * p, x * (x * q));
    pair size = (pair)((pair_mask)value & (pair_mask){INT64_MAX, INT64_MAX});
    *good &= (size >= twice(tl_hermite_least)) & (size < twice(INFINITY));
    return value;
}

/* So many times are looked at together: first it is found out where all of them are, then what the
 * values are there. Two short chains of operations overlap with their neighbours' better than one
 * long one, and nothing is guessed that depends on the order of times. */
enum { BLOCK = 8 };

/* `a` where the mask says so, else `b`. */
static inline pair choose(pair_mask mask, pair a, pair b)
{
    return (pair)((((pair_mask)a ^ (pair_mask)b) & mask) ^ (pair_mask)b);
}

static inline bool is_block_within(const double *times, double from, double to)
{
    pair_mask inside = {-1, -1};
    for (int i = 0; i < BLOCK; i += 2) {
        pair t = pair_load(times + i);
        inside &= (twice(from) <= t) & (t < twice(to));
    }
    return inside[0] & inside[1];
}

/* Values of a block that lies on the plain segment after the key; false if not so. */
static inline bool block_on(const tl_key *key, const double *times, double values[BLOCK])
{
    if (!is_block_within(times, key[0].time, key[1].time) || !is_plain(key)) {
        return false;
    }
    two_segments same = segments_after(key, key);
    pair_mask good = {-1, -1};
    for (int i = 0; i < BLOCK; i += 2) {
        pair value = pair_on(&same, pair_load(times + i), &good);
        memcpy(values + i, &value, sizeof value);
    }
    return good[0] & good[1];
}

/* Values of a block on the two plain segments after the key; false if not so. */
static inline bool block_across(const tl_key *key, const double *times, double values[BLOCK],
                                const tl_key **last_key)
{
    if (!is_block_within(times, key[0].time, key[2].time) || !is_plain(key) || !is_plain(key + 1)) {
        return false;
    }
    two_segments here = segments_after(key, key), next = segments_after(key + 1, key + 1);
    pair_mask good = {-1, -1};
    for (int i = 0; i < BLOCK; i += 2) {
        pair t = pair_load(times + i);
        pair_mask early = t < here.t1;
        two_segments both = {
            choose(early, here.t0, next.t0), choose(early, here.t1, next.t1),
            choose(early, here.v0, next.v0), choose(early, here.v1, next.v1),
            choose(early, here.m0, next.m0), choose(early, here.m1, next.m1),
        };
        pair value = pair_on(&both, t, &good);
        memcpy(values + i, &value, sizeof value);
    }
    *last_key = times[BLOCK - 1] < key[1].time ? key : key + 1;
    return good[0] & good[1];
}

/* Values of a block on any plain segments, and the last one; false if that is not so. */
static inline bool block_anywhere(const tl_curve_table *curve, const double *times,
                                  double values[BLOCK], const tl_key **last_key)
{
    double first = times_of(curve)[0], last = times_of(curve)[curve->count - 1];
    const tl_key *keys[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        if (!(first <= times[i] && times[i] < last)) {
            return false;
        }
        keys[i] = curve->keys + segment_of(curve, times[i]);
    }
    *last_key = keys[BLOCK - 1];
    pair_mask good = {-1, -1};
    for (int i = 0; i < BLOCK; i += 2) {
        if (!is_plain(keys[i]) || !is_plain(keys[i + 1])) {
            return false;
        }
        two_segments both = segments_after(keys[i], keys[i + 1]);
        pair value = pair_on(&both, pair_load(times + i), &good);
        memcpy(values + i, &value, sizeof value);
    }
    return good[0] & good[1];
}

void TL_KERNEL(curve_many)(const tl_curve_table *curve, const double *times, size_t count,
                           double *results)
{
    const tl_key *key = curve->keys, *end = key + curve->count - 1;
    double values[BLOCK];
    size_t done = 0;
    for (; count - done >= BLOCK; done += BLOCK) {
        const double *block = times + done;
        if ((key < end && block_on(key, block, values)) ||
            (end - key >= 2 && block_across(key, block, values, &key)) ||
            block_anywhere(curve, block, values, &key)) {
            memcpy(results + done, values, sizeof values);
            continue;
        }
        for (size_t i = done; i < done + BLOCK; i++) {
            results[i] = TL_KERNEL(curve)(curve, times[i]);
        }
    }
    for (; done < count; done++) {
        results[done] = TL_KERNEL(curve)(curve, times[done]);
    }
}

/* Whether the value there is that of the segment's formula, and no key's and none of the rules'. */
static bool is_by_formula(place at)
{
    const tl_key *key = at.key;
    bool between = key && at.inside && key[0].time < at.t && at.t < key[1].time;
    return between && is_segment_finite(key);
}

/* A value in a range without ends: a finite one, or else `special` is it. */
typedef struct unbounded {
    tl_scaled number;
    double special;
    bool is_finite;
} unbounded;

static unbounded unbounded_at(place at)
{
    const tl_key *key = at.key;
    if (is_by_formula(at)) {
        tl_scaled number = is_plain(key) ? TL_KERNEL(hermite_scaled)(key, key + 1, at.t)
                                         : TL_KERNEL(bezier_scaled)(key, key + 1, at.t);
        return (unbounded){number, 0, true};
    }
    double value = value_at(at);
    bool is_finite = tl_is_finite(value);
    return (unbounded){tl_scale(is_finite ? value : 0, 0), value, is_finite};
}

/* The same of a finite one, with what is known of it. */
static tl_ball ball_at(place at)
{
    const tl_key *key = at.key;
    if (is_by_formula(at)) {
        return is_plain(key) ? TL_KERNEL(hermite_ball)(key, key + 1, at.t)
                             : TL_KERNEL(bezier_ball)(key, key + 1, at.t);
    }
    return (tl_ball){tl_widen((tl_dd){value_at(at), 0}, 0), {0, 0}};
}

/* The blend of finite values, where it leaves the range: an infinity must have F's sign, and two
 * values beyond it may cancel. Of the sum of (1 - w) |A| and w |B|, the products and the sum lose
 * 10 u^2 at most, and 2^-91 of it is added to the radius. The latter is 31 u S in all where a
 * segment is weighted and 2^-89 S where none is, of which two are within the bound. */
static double __attribute__((noinline)) crossfade_beyond(place a, place b, double w)
{
    tl_ball from = ball_at(a), to = ball_at(b);
    tl_wide rest = tl_wide_difference(1, w), weight = tl_wide_difference(w, 0);
    from.middle = tl_wide_multiply(rest, from.middle);
    to.middle = tl_wide_multiply(weight, to.middle);
    tl_wide size = tl_wide_add(tl_wide_magnitude(from.middle), tl_wide_magnitude(to.middle));
    tl_scaled radius = {size.high, (int)size.exponent - 91};
    radius = tl_scaled_fma(tl_scale(1 - w, 0), from.radius, radius);
    radius = tl_scaled_fma(tl_scale(w, 0), to.radius, radius);
    return tl_unscale(tl_ball_number((tl_ball){tl_wide_add(from.middle, to.middle), radius}));
}

/* What the blend of two doubles leaves, for 0 < w < 1: values that are not numbers, beyond the
 * range, or too small. */
static double __attribute__((noinline))
crossfade_rest(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    place at_a = place_of(a, t), at_b = place_of(b, t);
    unbounded from = unbounded_at(at_a), to = unbounded_at(at_b);
    if (!from.is_finite || !to.is_finite) {
        bool same = !from.is_finite && !to.is_finite && from.special == to.special;
        return same ? from.special : NAN;
    }
    tl_scaled weight = tl_scale(w, 0), back = tl_scale(-w, 0);
    tl_scaled rest = tl_scaled_fma(back, from.number, from.number);
    double result = tl_unscale(tl_scaled_fma(weight, to.number, rest));
    return tl_is_finite(result) ? result : crossfade_beyond(at_a, at_b, w);
}

/* tl_lerp's two roundings of values A' and B' that are off by K u S_A and K u S_B:
 *     |result - F| <= (1 - w) K u S_A + w K u S_B + 2 u ((1 - w) |A'| + w |B'|)
 * and |A'| <= |A| + K u S_A, so K + 2 holds for the S that is promised with K u ((1 - w) |A| +
 * w |B|) to spare, which covers the terms in u^2. Whether it is large enough for the 2^-1074 of
 * values and roundings that underflow not to matter. */
static inline bool blend(double from, double to, double w, double *result)
{
    *result = fma(w, to, fma(-w, from, from));
    return tl_is_finite_from(*result, tl_hermite_least);
}

/* For 0 < w < 1, of the curves' values at t. */
static inline double blend_or_rest(const tl_curve_table *a, const tl_curve_table *b, double t,
                                   double w, double from, double to)
{
    double result;
    if (__builtin_expect(blend(from, to, w, &result), 1)) {
        return result;
    }
    return from == to && tl_is_finite(from) ? from : crossfade_rest(a, b, t, w);
}

double TL_KERNEL(crossfade)(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    if (!(w > 0)) {
        return isnan(w) ? NAN : TL_KERNEL(curve)(a, t);
    }
    if (w >= 1) {
        return TL_KERNEL(curve)(b, t);
    }
    return blend_or_rest(a, b, t, w, TL_KERNEL(curve)(a, t), TL_KERNEL(curve)(b, t));
}

void TL_KERNEL(crossfade_many)(const tl_curve_table *a, const tl_curve_table *b,
                               const double *times, const double *weights, size_t count,
                               double *results)
{
    enum { CHUNK = 8 * BLOCK };
    double from[CHUNK], to[CHUNK];
    for (size_t done = 0; done < count; done += CHUNK) {
        const double *t = times + done, *w = weights + done;
        size_t size = count - done < CHUNK ? count - done : CHUNK;
        bool between = true;
        for (size_t i = 0; i < size; i++) {
            between &= w[i] > 0 && w[i] < 1;
        }
        if (between) {
            TL_KERNEL(curve_many)(a, t, size, from);
            TL_KERNEL(curve_many)(b, t, size, to);
        }
        for (size_t i = 0; i < size; i++) {
            results[done + i] = between ? blend_or_rest(a, b, t[i], w[i], from[i], to[i])
                                        : TL_KERNEL(crossfade)(a, b, t[i], w[i]);
        }
    }
}

#if TL_PUBLIC
double tl_curve(const tl_curve_table *curve, double t)
{
    return TL_CALL(curve, curve, t);
}

void tl_curve_many(const tl_curve_table *curve, const double *times, size_t count, double *results)
{
    TL_CALL(curve_many, curve, times, count, results);
}

double tl_crossfade(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    return TL_CALL(crossfade, a, b, t, w);
}

void tl_crossfade_many(const tl_curve_table *a, const tl_curve_table *b, const double *times,
                       const double *weights, size_t count, double *results)
{
    TL_CALL(crossfade_many, a, b, times, weights, count, results);
}

size_t tl_curve_size(size_t count)
{
    size_t most = SIZE_MAX / sizeof(double);
    if (count == 0 || count > (most - TIMES - 1) / (1 + CELLS_A_KEY)) {
        return 0;
    }
    return TIMES + count + CELLS_A_KEY * count + 1;
}

static tl_status report(tl_status status, size_t first, size_t second, size_t at[2])
{
    if (at) {
        at[0] = first;
        at[1] = second;
    }
    return status;
}

static tl_status check_time(const tl_key *keys, size_t i, size_t at[2])
{
    double t = keys[i].time;
    if (!tl_is_finite(t)) {
        return report(TL_TIME_NOT_FINITE, i, TL_NO_INDEX, at);
    }
    if (i >= 1 && t < keys[i - 1].time) {
        return report(TL_TIMES_FALL, i - 1, i, at);
    }
    if (i >= 2 && t == keys[i - 2].time) {
        return report(TL_THREE_AT_ONE_TIME, i - 2, i, at);
    }
    return TL_OK;
}

/* The rate is a little low so that no time before the last key's gets beyond the last cell. Where
 * there is none, or differences are beyond the range, all times are in cell 0. */
static void fill_cells(const tl_curve_table *curve, double *memory)
{
    const double *times = times_of(curve);
    size_t count = curve->count, key = 0;
    double *cells = memory + TIMES + count;
    double rate = (double)(CELLS_A_KEY * count) / (times[count - 1] - times[0]) * (1 - 0x1p-40);
    bool usual = rate >= 0x1p-1022 && rate < INFINITY;
    memory[RATE] = usual ? rate : 0;
    memory[ORIGIN] = usual ? times[0] : 0;
    for (size_t cell = 0; cell <= CELLS_A_KEY * count; cell++) {
        while (key + 1 < count && cell_of(memory, times[key + 1]) < cell) {
            key++;
        }
        cells[cell] = tl_from_bits(key);
    }
}

tl_status tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count, tl_wrap before,
                         tl_wrap after, double *memory, size_t at[2])
{
    if ((unsigned)before > TL_PING_PONG || (unsigned)after > TL_PING_PONG) {
        return report(TL_NO_SUCH_CHOICE, TL_NO_INDEX, TL_NO_INDEX, at);
    }
    if (count == 0) {
        return report(TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX, at);
    }
    for (size_t i = 0; i < count; i++) {
        tl_status status = check_time(keys, i, at);
        if (status != TL_OK) {
            return status;
        }
        memory[TIMES + i] = keys[i].time;
    }
    *curve = (tl_curve_table){keys, memory, count, before, after};
    fill_cells(curve, memory);
    return report(TL_OK, TL_NO_INDEX, TL_NO_INDEX, at);
}
#endif
