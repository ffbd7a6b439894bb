#include "dispatch.h"
#include "distance_product.h"
#include "scaled.h"
#include "wide.h"

TL_VARIANTS(newton_build, tl_status,
            (tl_newton_table *, const double *, const double *, size_t, size_t, double *,
             size_t *));
TL_VARIANTS(newton, void, (const tl_newton_table *, double, double *));
TL_VARIANTS(track_build, tl_status,
            (tl_track_table *, size_t, const double *, const double *, size_t, size_t, double *,
             size_t *));
TL_VARIANTS(track, void, (const tl_track_table *, double, double *));
TL_VARIANTS(crossfade_newton, void,
            (const tl_newton_table *, const tl_newton_table *, double, double, double *));

/* A node while the coefficients of one channel are formed. All of it doubles, as it lies in the
 * caller's array of them. */
typedef struct forming {
    tl_wide value;
    tl_wide others;     /* product of the distances, with their signs, to the other nodes so far */
    tl_wide difference; /* of the values at the nodes that end here */
    double bound;       /* of its error: bound 2^bound_exponent */
    double bound_exponent;
} forming;

/* For each node: its index, and then either its product of distances and its share of two exact
 * ones, or what is formed of it. */
enum {
    WIDE_DOUBLES = sizeof(tl_wide) / sizeof(double),
    SCRATCH = 1 + WIDE_DOUBLES + 2 * TL_DISTANCE_WORDS,
    MAX_ORDER = 3
};
_Static_assert(sizeof(forming) <= (SCRATCH - 1) * sizeof(double), "both fit into the scratch");

/* Choosing the order of the nodes. */
typedef struct ordering {
    const double *times;
    size_t count;
    double *nodes; /* those taken */
    double *index; /* and where they are in times */
    size_t taken;
    tl_wide *products; /* of each time's distances to them; 0 if it is one of them */
    double *words;     /* for two exact products */
} ordering;

static void take(ordering *order, size_t chosen)
{
    order->index[order->taken] = (double)chosen;
    order->nodes[order->taken] = order->times[chosen];
    order->taken++;
    for (size_t i = 0; i < order->count; i++) {
        tl_wide distance = tl_wide_difference(order->times[i], order->times[chosen]);
        distance = tl_wide_magnitude(distance);
        order->products[i] = tl_wide_multiply(order->products[i], distance);
    }
}

/* Is the i-th product exactly greater than the j-th? */
static bool __attribute__((noinline)) is_farther_exactly(const ordering *order, size_t i, size_t j)
{
    tl_distance_product a = tl_distance_product_start(order->words);
    tl_distance_product b =
        tl_distance_product_start(order->words + order->count * TL_DISTANCE_WORDS);
    for (size_t k = 0; k < order->taken; k++) {
        tl_distance_multiply(&a, order->times[i], order->nodes[k]);
        tl_distance_multiply(&b, order->times[j], order->nodes[k]);
    }
    return tl_distance_compare(&a, &b) > 0;
}

/* Is the i-th product greater than the j-th, which is not 0? Each is within 6 u^2 a factor, and
 * less than 2^(exponent + 1): a difference of 2^-99 a factor is none of rounding. */
static bool is_farther(const ordering *order, size_t i, size_t j)
{
    tl_wide difference = tl_wide_subtract(order->products[i], order->products[j]);
    double exponent = difference.exponent - order->products[j].exponent;
    if (difference.high == 0 || exponent < -200) {
        return is_farther_exactly(order, i, j);
    }
    if (order->products[i].high == 0 || exponent > 0 ||
        fabs(difference.high) * tl_power_of_2((int)exponent) > 0x1p-99 * (double)order->taken) {
        return difference.high > 0;
    }
    return is_farther_exactly(order, i, j);
}

/* Leja's order, exactly: first the largest time, then always the one with the greatest product of
 * distances to those taken; of equals the lowest index. */
static void order_nodes(ordering *order)
{
    size_t chosen = 0;
    for (size_t i = 0; i < order->count; i++) {
        order->products[i] = (tl_wide){1, 0, 0};
        chosen = order->times[i] > order->times[chosen] ? i : chosen;
    }
    for (take(order, chosen); order->taken < order->count; take(order, chosen)) {
        chosen = 0;
        while (order->products[chosen].high == 0) {
            chosen++;
        }
        for (size_t i = chosen + 1; i < order->count; i++) {
            chosen = is_farther(order, i, chosen) ? i : chosen;
        }
    }
}

static tl_scaled scaled_magnitude(tl_wide x)
{
    return (tl_scaled){fabs(x.high), (int)x.exponent};
}

static bool is_less(tl_scaled a, tl_scaled b)
{
    return tl_scaled_subtract(a, b).fraction < 0;
}

static tl_scaled bound_of(const forming *node)
{
    return (tl_scaled){node->bound, (int)node->bound_exponent};
}

/* node's difference becomes (its own - before's) / distance, with the bound of its error. */
static void take_difference(forming *node, const forming *before, tl_wide distance)
{
    tl_wide rise = tl_wide_subtract(node->difference, before->difference);
    bool exact;
    tl_wide slope = tl_wide_divide(rise, distance, &exact);
    exact = exact && node->difference.low == 0 && before->difference.low == 0;
    tl_scaled bound = tl_scaled_add(bound_of(node), bound_of(before));
    bound = tl_scaled_divide(bound, scaled_magnitude(distance));
    if (!exact) {
        bound = tl_scaled_fma((tl_scaled){1.5, -102}, scaled_magnitude(slope), bound);
    }
    node->difference = slope;
    node->bound = bound.fraction;
    node->bound_exponent = bound.exponent;
}

/* From the differences of degree k - 1 to those of degree k. */
static void take_differences(forming *form, const double *nodes, size_t count, size_t k)
{
    for (size_t i = count - 1; i >= k; i--) {
        take_difference(&form[i], &form[i - 1], tl_wide_difference(nodes[i], nodes[i - k]));
    }
}

/* Node k joins the others. */
static void take_node(forming *form, const double *nodes, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++) {
        if (i != k) {
            tl_wide distance = tl_wide_difference(nodes[i], nodes[k]);
            form[i].others = tl_wide_multiply(form[i].others, distance);
        }
    }
}

/* T_k, within u (k + 1). */
static tl_scaled sum_of_magnitudes(const forming *form, size_t k)
{
    tl_scaled sum = {0, 0};
    for (size_t i = 0; i <= k; i++) {
        tl_scaled value = scaled_magnitude(form[i].value);
        sum = tl_scaled_add(sum, tl_scaled_divide(value, scaled_magnitude(form[i].others)));
    }
    return sum;
}

/* c_k as the sum of what T_k is the sum of the magnitudes of. */
static tl_wide sum_of_terms(const forming *form, size_t k)
{
    tl_wide sum = {0, 0, 0};
    for (size_t i = 0; i <= k; i++) {
        bool exact;
        sum = tl_wide_add(sum, tl_wide_divide(form[i].value, form[i].others, &exact));
    }
    return sum;
}

/* Rounds a coefficient that is known within `bound` to an ordinary double or 0; false if it is
 * certainly neither. Where it may be one and may be none, it is one: at most three times the bound
 * from c_k, 48 (k + 1) u^2 T_k. */
static bool round_coefficient(tl_wide sum, tl_scaled bound, double *coefficient)
{
    tl_scaled size = scaled_magnitude(sum);
    bool inside = size.exponent > -1022 && size.exponent < 1023;
    if (sum.high == 0 || inside) {
        *coefficient = tl_unscale((tl_scaled){sum.high, size.exponent});
        return true;
    }
    if (size.exponent == -1022 || size.exponent == 1023) {
        *coefficient = tl_unscale((tl_scaled){sum.high, size.exponent});
    } else if (!is_less(bound, size)) {
        *coefficient = 0;
        return true;
    } else {
        *coefficient = copysign(size.exponent > 0 ? DBL_MAX : DBL_MIN, sum.high);
    }
    /* the whole of sum: its high part may be the least or the largest double, and it beyond that */
    tl_wide least = {1, 0, -1022}, beyond = {1, -0x1p-54, 1024};
    tl_wide margin = {bound.fraction, 0, bound.exponent + 1};
    if (size.exponent > 0) {
        tl_wide lowest = tl_wide_subtract(tl_wide_magnitude(sum), margin);
        return tl_wide_subtract(lowest, beyond).high < 0;
    }
    tl_wide highest = tl_wide_add(tl_wide_magnitude(sum), margin);
    return tl_wide_subtract(highest, least).high >= 0;
}

/* Forms c_k within 16 (k + 1) u^2 T_k and rounds it; false if it is out of range.
 *
 * Errors of the recursion add up along all ways from a value to c_k. Where the nodes rise, all of
 * these have one sign, and their sum is T_k (Higham, Accuracy and Stability of Numerical
 * Algorithms, 5.3); in Leja's order they cancel, and the errors may exceed any multiple of T_k. But
 * usual data make differences that are small or exact, and then nothing is as good as the
 * recursion, which gives equal values equal results. So it has the word as long as its running
 * bound is within that limit, and the sum of the terms has it otherwise: a product of k distances 6
 * u^2 each, a quotient 16 u^2, a sum of k + 1 terms 3 u^2 each, 9 k + 19 in all. */
static bool form_coefficient(const forming *form, size_t k, double *coefficient)
{
    tl_wide sum = form[k].difference;
    tl_scaled bound = bound_of(&form[k]);
    if (bound.fraction != 0) {
        tl_scaled limit = tl_scale((double)(k + 1), 4 - 106);
        limit = tl_scaled_multiply(limit, sum_of_magnitudes(form, k));
        if (is_less(limit, bound)) {
            sum = sum_of_terms(form, k);
            bound = limit;
        }
    }
    return round_coefficient(sum, bound, coefficient);
}

/* The coefficients of one channel, from nodes in order. Returns how many are formed: stops at
 * `count`, or at one that is out of range. */
static size_t form_coefficients(const double *nodes, const double *index, const double *values,
                                size_t channels, size_t count, forming *form, double *coefficients)
{
    for (size_t i = 0; i < count; i++) {
        tl_wide value = tl_widen((tl_dd){values[(size_t)index[i] * channels], 0}, 0);
        form[i] = (forming){value, {1, 0, 0}, value, 0, 0};
    }
    for (size_t k = 0; k < count; k++) {
        if (k > 0) {
            take_differences(form, nodes, count, k);
        }
        take_node(form, nodes, count, k);
        if (!form_coefficient(form, k, &coefficients[k * channels])) {
            return k;
        }
    }
    return count;
}

/* Orders the nodes and forms all coefficients. Returns the lowest degree that is out of range, or
 * `count`. */
static size_t form_table(double *table, const double *times, const double *values, size_t count,
                         size_t channels, double *scratch)
{
    double *rest = scratch + count;
    ordering order = {
        times, count, table, scratch, 0, (tl_wide *)(void *)rest, rest + WIDE_DOUBLES * count};
    order_nodes(&order);
    size_t formed = count;
    for (size_t c = 0; c < channels; c++) {
        size_t here = form_coefficients(table, scratch, values + c, channels, count,
                                        (forming *)(void *)rest, table + count + c);
        formed = here < formed ? here : formed;
    }
    return formed;
}

static tl_status report(tl_status status, size_t first, size_t second, size_t *at)
{
    if (at != NULL) {
        at[0] = first;
        at[1] = second;
    }
    return status;
}

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!tl_is_finite(numbers[i])) {
            return false;
        }
    }
    return true;
}

/* What is wrong with the data of a table, if anything. */
static tl_status check_nodes(const double *times, const double *values, size_t count,
                             size_t channels, size_t *at)
{
    for (size_t i = 0; i < count; i++) {
        if (!tl_is_finite(times[i])) {
            return report(TL_TIME_NOT_FINITE, i, TL_NO_INDEX, at);
        }
        if (!all_finite(values + i * channels, channels)) {
            return report(TL_VALUE_NOT_FINITE, i, TL_NO_INDEX, at);
        }
    }
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (times[j] == times[i]) {
                return report(TL_TIMES_EQUAL, j, i, at);
            }
        }
    }
    return report(TL_OK, TL_NO_INDEX, TL_NO_INDEX, at);
}

tl_status TL_KERNEL(newton_build)(tl_newton_table *newton, const double *times,
                                  const double *values, size_t count, size_t channels,
                                  double *memory, size_t *at)
{
    *newton = (tl_newton_table){NULL, 0, 0};
    if (count == 0 || channels == 0) {
        return report(TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX, at);
    }
    tl_status status = check_nodes(times, values, count, channels, at);
    if (status != TL_OK) {
        return status;
    }
    double *scratch = memory + count * (1 + channels);
    size_t formed = form_table(memory, times, values, count, channels, scratch);
    if (formed < count) {
        return report(TL_OUT_OF_RANGE, formed, TL_NO_INDEX, at);
    }
    *newton = (tl_newton_table){memory, count, channels};
    return TL_OK;
}

/* What a key of a track has wrong. */
static tl_status check_key(const double *times, const double *values, size_t i, size_t channels,
                           size_t *at)
{
    if (!tl_is_finite(times[i])) {
        return report(TL_TIME_NOT_FINITE, i, TL_NO_INDEX, at);
    }
    if (i > 0 && times[i] <= times[i - 1]) {
        return report(times[i] < times[i - 1] ? TL_TIMES_FALL : TL_TIMES_EQUAL, i - 1, i, at);
    }
    if (!all_finite(values + i * channels, channels)) {
        return report(TL_VALUE_NOT_FINITE, i, TL_NO_INDEX, at);
    }
    return report(TL_OK, TL_NO_INDEX, TL_NO_INDEX, at);
}

/* Its table: the times, then for each window in turn a table as tl_newton_build makes it. */
tl_status TL_KERNEL(track_build)(tl_track_table *track, size_t order, const double *times,
                                 const double *values, size_t count, size_t channels,
                                 double *memory, size_t *at)
{
    *track = (tl_track_table){NULL, 0, 0, 0};
    if (order < 1 || order > MAX_ORDER) {
        return report(TL_NO_SUCH_CHOICE, TL_NO_INDEX, TL_NO_INDEX, at);
    }
    if (count == 0 || channels == 0) {
        return report(TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX, at);
    }
    for (size_t i = 0; i < count; i++) {
        tl_status status = check_key(times, values, i, channels, at);
        if (status != TL_OK) {
            return status;
        }
    }
    order = order < count ? order : count - 1;
    double scratch[(MAX_ORDER + 1) * SCRATCH];
    double *window = memory + count;
    memcpy(memory, times, count * sizeof *times);
    for (size_t i = 0; i + order < count; i++) {
        size_t formed =
            form_table(window, times + i, values + i * channels, order + 1, channels, scratch);
        if (formed <= order) {
            return report(TL_OUT_OF_RANGE, formed, i, at);
        }
        window += (order + 1) * (1 + channels);
    }
    *track = (tl_track_table){memory, count, order, channels};
    return TL_OK;
}

/* One channel of a table. */
typedef struct channel {
    const double *nodes;
    const double *coefficients;
    size_t count;
    size_t stride; /* from one coefficient to the next */
} channel;

static tl_scaled evaluate_scaled(channel of, double t)
{
    tl_scaled time = tl_scale(t, 0);
    tl_scaled sum = tl_scale(of.coefficients[(of.count - 1) * of.stride], 0);
    for (size_t k = of.count - 1; k-- > 0;) {
        tl_scaled distance = tl_scaled_subtract(time, tl_scale(of.nodes[k], 0));
        sum = tl_scaled_fma(distance, sum, tl_scale(of.coefficients[k * of.stride], 0));
    }
    return sum;
}

/* The nested multiplication.
 *
 * c_k is rounded once and added once, and a distance and an fma round k times each on the way out:
 * 2 k + 2 roundings at most, 2 n, and for the last one, which is not added, one less. So the error
 * is 2 n u S to first order; K = 4 leaves as much again. The coefficients' own errors, before that
 * rounding, are within 48 n u^2 T.
 *
 * Where c_k is not 0, and so at least 2^-1022, the fma that adds it loses no more than u |c_k| by
 * underflow. Where c_k = 0 it may lose everything: that is what is_in_range is for. */
static inline __attribute__((always_inline)) double
nest(const double *nodes, const double *coefficients, size_t count, size_t stride, double t)
{
    double sum = coefficients[(count - 1) * stride];
    for (size_t k = count - 1; k-- > 0;) {
        sum = fma(t - nodes[k], sum, coefficients[k * stride]);
    }
    return sum;
}

/* Is it untouched by overflow and underflow?
 *
 * What underflows on the way to it adds up to count 2^(power (count - 1) - 1075), where all
 * distances are below 2^power, power >= 0; and so they are if the first two are, because the first
 * two nodes are the greatest and the least. From 2^(power (count - 1) - 960) on, the result shows
 * none of it. Overflow, of a distance too, leaves an infinity or a NaN. */
static bool is_in_range(const double *nodes, size_t count, double t, double sum)
{
    double first = fabs(t - nodes[0]), second = fabs(t - nodes[count > 1]);
    uint64_t reach = tl_to_bits(first > second ? first : second) >> 52;
    uint64_t power = reach > 1022 ? reach - 1022 : 0;
    uint64_t exponent = tl_to_bits(sum) << 1 >> 53;
    return reach < 0x7ff && exponent < 0x7ff && exponent >= power * (count - 1) + (1023 - 960);
}

/* Of few nodes, the usual case of both in fewer operations: are the distances below 2^16, the first
 * two being these, and is the sum far from underflow? The first question alone would let a NaN
 * pass, but then the sum is NaN as well. */
enum { FEW_NODES = 32 };

static inline __attribute__((always_inline)) bool is_usual(double first, double second, double sum)
{
    double square = fma(first, first, second * second);
    return !(square >= 0x1p32) && tl_is_finite_from(sum, 0x1p-440);
}

static inline __attribute__((always_inline)) double
step(const double *nodes, const double *coefficients, size_t stride, double t, size_t k, double sum)
{
    return fma(t - nodes[k], sum, coefficients[k * stride]);
}

/* Returns whether it is the usual case. Few nodes are the most frequent, so what they take is
 * reached by fewest branches, and the last steps are no part of the loop. */
static inline __attribute__((always_inline)) bool evaluate_few(const double *nodes,
                                                               const double *coefficients,
                                                               size_t count, size_t stride,
                                                               double t, double *result)
{
    if (count - 2 >= FEW_NODES - 2) {
        return false;
    }
    double first = t - nodes[0], second = t - nodes[1];
    double sum = coefficients[(count - 1) * stride];
    if (count > 2) {
        if (count > 3) {
            if (count > 4) {
                if (count > 5) {
                    for (size_t k = count - 2; k > 4; k--) {
                        sum = step(nodes, coefficients, stride, t, k, sum);
                    }
                    sum = step(nodes, coefficients, stride, t, 4, sum);
                }
                sum = step(nodes, coefficients, stride, t, 3, sum);
            }
            sum = step(nodes, coefficients, stride, t, 2, sum);
        }
        sum = fma(second, sum, coefficients[stride]);
    }
    sum = fma(first, sum, coefficients[0]);
    *result = sum;
    return is_usual(first, second, sum);
}

/* The same of four nodes, with fewer numbers to read: where tables come from beyond the first
 * cache, these take the time. So the first two nodes are read as one, and what bounds the usual
 * case is compared as integers, which stand in the code. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline __attribute__((always_inline)) bool is_usual_of_four(pair distances, double sum)
{
    double square = fma(distances[0], distances[0], distances[1] * distances[1]);
    uint64_t reach = tl_to_bits(square) >> 52;
    uint64_t exponent = tl_to_bits(sum) << 1 >> 53;
    return reach < 1023 + 32 && exponent - (1023 - 440) < 0x7ff - (1023 - 440);
}

static inline __attribute__((always_inline)) bool
evaluate_four(const double *nodes, const double *coefficients, double t, double *result)
{
    pair first_nodes;
    memcpy(&first_nodes, nodes, sizeof first_nodes);
    pair distances = (pair){t, t} - first_nodes;
    double sum = step(nodes, coefficients, 1, t, 2, coefficients[3]);
    sum = fma(distances[1], sum, coefficients[1]);
    sum = fma(distances[0], sum, coefficients[0]);
    *result = sum;
    return is_usual_of_four(distances, sum);
}

/* Everything that the fast path leaves. Here and below arguments stand in an order in which those
 * of the public functions keep their registers, and a call is a jump. */
static void __attribute__((noinline))
evaluate_rest(const double *nodes, double *result, size_t count, const double *coefficients,
              size_t stride, double t)
{
    double sum = nest(nodes, coefficients, count, stride, t);
    if (is_in_range(nodes, count, t, sum)) {
        *result = sum;
        return;
    }
    /* all 0: 0, or the one node's value */
    *result = tl_is_finite(t) ? (count > 1 ? 0 : coefficients[0]) : NAN;
    for (size_t k = 0; k < count && *result == 0; k++) {
        if (coefficients[k * stride] != 0) {
            channel of = {nodes, coefficients, count, stride};
            *result = tl_unscale(evaluate_scaled(of, t));
            return;
        }
    }
}

static inline __attribute__((always_inline)) void evaluate_channel(const double *nodes,
                                                                   double *result, size_t count,
                                                                   const double *coefficients,
                                                                   size_t stride, double t)
{
    if (__builtin_expect(!evaluate_few(nodes, coefficients, count, stride, t, result), 0)) {
        evaluate_rest(nodes, result, count, coefficients, stride, t);
    }
}

static void __attribute__((noinline))
evaluate_channels(const double *table, double *result, size_t count, size_t channels, double t)
{
    for (size_t c = 0; c < channels; c++) {
        evaluate_channel(table, &result[c], count, table + count + c, channels, t);
    }
}

static void __attribute__((noinline))
evaluate_any(const double *table, double *result, size_t count, double t)
{
    evaluate_channel(table, result, count, table + count, 1, t);
}

/* Four nodes of one channel, as most tracks have them, are compiled by themselves. The general case
 * is a function of its own: beside the other one it would start with moves between registers. */
static inline __attribute__((always_inline)) void evaluate(const double *table, double *result,
                                                           size_t count, size_t channels, double t)
{
    if (__builtin_expect(channels != 1, 0)) {
        evaluate_channels(table, result, count, channels, t);
    } else if (__builtin_expect(count != 4, 0)) {
        evaluate_any(table, result, count, t);
    } else if (__builtin_expect(!evaluate_four(table, table + 4, t, result), 0)) {
        evaluate_rest(table, result, 4, table + 4, 1, t);
    }
}

void TL_KERNEL(newton)(const tl_newton_table *newton, double t, double *result)
{
    evaluate(newton->table, result, newton->count, newton->channels, t);
}

/* The index of the last time that is <= t, of those that start a segment; else 0. No branch depends
 * on the data. */
static inline size_t find_segment(const double *times, size_t count, double t)
{
    const double *first = times;
    for (size_t length = count - 1; length > 1;) {
        size_t half = length / 2;
        first += first[half] <= t ? half : 0;
        length -= half;
    }
    return (size_t)(first - times);
}

void TL_KERNEL(track)(const tl_track_table *track, double t, double *result)
{
    if (track->channels == 0) {
        return; /* what a builder leaves that failed */
    }
    size_t segment = find_segment(track->table, track->count, t);
    size_t first = segment - (track->order > 1 && segment > 0);
    size_t last = track->count - 1 - track->order;
    first = first < last ? first : last;
    size_t nodes = track->order + 1;
    const double *window = track->table + track->count + first * nodes * (1 + track->channels);
    evaluate(window, result, nodes, track->channels, t);
}

static double __attribute__((noinline)) crossfade_rest(channel a, channel b, double t, double w)
{
    if (!tl_is_finite(t)) {
        return NAN;
    }
    tl_scaled from = evaluate_scaled(a, t), to = evaluate_scaled(b, t);
    from = tl_scaled_fma(tl_scale(-w, 0), from, from);
    return tl_unscale(tl_scaled_fma(tl_scale(w, 0), to, from));
}

static double crossfade_channel(channel a, channel b, double t, double w)
{
    double from = nest(a.nodes, a.coefficients, a.count, a.stride, t);
    double to = nest(b.nodes, b.coefficients, b.count, b.stride, t);
    if (is_in_range(a.nodes, a.count, t, from) && is_in_range(b.nodes, b.count, t, to)) {
        return fma(w, to, fma(-w, from, from)); /* only the outer one may underflow */
    }
    return crossfade_rest(a, b, t, w);
}

/* To each side's own bound, (2 n + 1) u S, the two operations add 2 u |1 - w| |A| and u |w| |B|. */
void TL_KERNEL(crossfade_newton)(const tl_newton_table *a, const tl_newton_table *b, double t,
                                 double w, double *result)
{
    if (a->channels == b->channels && w <= 0) {
        TL_KERNEL(newton)(a, t, result);
    } else if (a->channels == b->channels && w >= 1) {
        TL_KERNEL(newton)(b, t, result);
    } else {
        bool defined = a->channels == b->channels && w > 0;
        for (size_t c = 0; c < a->channels; c++) {
            channel from = {a->table, a->table + a->count + c, a->count, a->channels};
            channel to = {b->table, b->table + b->count + c, b->count, b->channels};
            result[c] = defined ? crossfade_channel(from, to, t, w) : NAN;
        }
    }
}

#if TL_PUBLIC
/* count times so many doubles; 0 if the bytes are more than a size_t can tell. */
static size_t size_of(size_t count, size_t each)
{
    return each <= SIZE_MAX / sizeof(double) / count ? count * each : 0;
}

size_t tl_newton_size(size_t count, size_t channels)
{
    if (count == 0 || channels == 0 || channels > SIZE_MAX - 1 - SCRATCH) {
        return 0;
    }
    return size_of(count, 1 + channels + SCRATCH);
}

size_t tl_track_size(size_t order, size_t count, size_t channels)
{
    if (order < 1 || order > MAX_ORDER || count == 0 || channels == 0) {
        return 0;
    }
    size_t nodes = (order < count ? order : count - 1) + 1;
    if (channels > SIZE_MAX / nodes - 1) {
        return 0;
    }
    size_t windows = size_of(count - nodes + 1, nodes * (1 + channels));
    return windows > 0 && windows <= SIZE_MAX / sizeof(double) - count ? windows + count : 0;
}

tl_status tl_newton_build(tl_newton_table *newton, const double *times, const double *values,
                          size_t count, size_t channels, double *memory, size_t at[2])
{
    return TL_CALL(newton_build, newton, times, values, count, channels, memory, at);
}

void tl_newton(const tl_newton_table *newton, double t, double *result)
{
    TL_CALL(newton, newton, t, result);
}

tl_status tl_track_build(tl_track_table *track, size_t order, const double *times,
                         const double *values, size_t count, size_t channels, double *memory,
                         size_t at[2])
{
    return TL_CALL(track_build, track, order, times, values, count, channels, memory, at);
}

void tl_track(const tl_track_table *track, double t, double *result)
{
    TL_CALL(track, track, t, result);
}

void tl_crossfade_newton(const tl_newton_table *a, const tl_newton_table *b, double t, double w,
                         double *result)
{
    TL_CALL(crossfade_newton, a, b, t, w, result);
}
#endif
