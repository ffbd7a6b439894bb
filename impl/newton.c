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
    tl_wide difference; /* of the values at the nodes that end here */
    double bound;       /* of its error is bound 2^bound_exponent */
    double bound_exponent;
    double others;          /* the product of the distances to the nodes before, itself left out, */
    double others_exponent; /* is others 2^others_exponent, within 5 u a factor */
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

/* node's difference becomes (its own - before's) / distance, with the bound of its error. */
static void take_difference(forming *node, const forming *before, tl_wide distance)
{
    tl_wide rise = tl_wide_subtract(node->difference, before->difference);
    bool exact;
    tl_wide slope = tl_wide_divide(rise, distance, &exact);
    exact = exact && node->difference.low == 0 && before->difference.low == 0;
    tl_scaled bound = tl_scaled_add((tl_scaled){node->bound, (int)node->bound_exponent},
                                    (tl_scaled){before->bound, (int)before->bound_exponent});
    bound = tl_scaled_divide(bound, scaled_magnitude(distance));
    if (!exact) {
        bound = tl_scaled_fma((tl_scaled){1.5, -102}, scaled_magnitude(slope), bound);
    }
    node->difference = slope;
    node->bound = bound.fraction;
    node->bound_exponent = bound.exponent;
}

/* The sum over i <= degree of v_i / product over j <= degree, j != i, of t_i - t_j. */
static tl_wide sum_of_terms(const double *nodes, const double *index, const double *values,
                            size_t channels, size_t degree)
{
    tl_wide sum = {0, 0, 0};
    for (size_t i = 0; i <= degree; i++) {
        tl_wide product = {1, 0, 0};
        for (size_t j = 0; j <= degree; j++) {
            if (j != i) {
                product = tl_wide_multiply(product, tl_wide_difference(nodes[i], nodes[j]));
            }
        }
        bool exact;
        tl_wide value = tl_widen((tl_dd){values[(size_t)index[i] * channels], 0}, 0);
        sum = tl_wide_add(sum, tl_wide_divide(value, product, &exact));
    }
    return sum;
}

/* Rounds a coefficient that is known within `bound` to an ordinary double or 0; false if it is
 * certainly neither. Where it may be one and may be none, it is one. */
static bool round_coefficient(tl_wide sum, tl_scaled bound, double *coefficient)
{
    tl_scaled size = scaled_magnitude(sum);
    if (sum.high == 0 || (size.exponent >= -1022 && size.exponent <= 1023)) {
        *coefficient = tl_unscale((tl_scaled){sum.high, size.exponent});
        return true;
    }
    if (!is_less(bound, size)) {
        *coefficient = 0;
        return true;
    }
    tl_wide least = {1, 0, -1022}, beyond = {1, -0x1p-54, 1024};
    tl_wide margin = {bound.fraction, 0, bound.exponent + 1};
    if (size.exponent > 0) {
        *coefficient = copysign(DBL_MAX, sum.high);
        tl_wide lowest = tl_wide_subtract(tl_wide_magnitude(sum), margin);
        return tl_wide_subtract(lowest, beyond).high < 0;
    }
    *coefficient = copysign(DBL_MIN, sum.high);
    tl_wide highest = tl_wide_add(tl_wide_magnitude(sum), margin);
    return tl_wide_subtract(highest, least).high >= 0;
}

/* The coefficients of one channel, from nodes in order. Returns how many are formed: stops at
 * `count`, or at one that is out of range. */
static size_t form_coefficients(const double *nodes, const double *index, const double *values,
                                size_t channels, size_t count, forming *form, double *coefficients)
{
    for (size_t i = 0; i < count; i++) {
        tl_wide value = tl_widen((tl_dd){values[(size_t)index[i] * channels], 0}, 0);
        form[i] = (forming){value, 0, 0, 1, 0};
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t i = count - 1; i >= k && k > 0; i--) {
            take_difference(&form[i], &form[i - 1], tl_wide_difference(nodes[i], nodes[i - k]));
        }
        tl_scaled terms = {0, 0};
        for (size_t i = 0; i < count; i++) {
            tl_scaled others = {form[i].others, (int)form[i].others_exponent};
            if (i != k) {
                tl_wide distance = tl_wide_difference(nodes[i], nodes[k]);
                others = tl_scaled_multiply(others, scaled_magnitude(distance));
                form[i].others = others.fraction;
                form[i].others_exponent = others.exponent;
            }
            if (i <= k) {
                tl_scaled value = tl_scale(fabs(values[(size_t)index[i] * channels]), 0);
                terms = tl_scaled_add(terms, tl_scaled_divide(value, others));
            }
        }
        tl_wide sum = form[k].difference;
        tl_scaled bound = {form[k].bound, (int)form[k].bound_exponent};
        tl_scaled share = tl_scaled_multiply(tl_scale((double)(k + 1), -106), terms);
        if (is_less(tl_scaled_multiply(share, (tl_scaled){1, 5}), bound)) {
            sum = sum_of_terms(nodes, index, values, channels, k);
            bound = tl_scaled_multiply(share, (tl_scaled){1, 4});
        }
        if (!round_coefficient(sum, bound, &coefficients[k * channels])) {
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

/* A polynomial in one channel, and the time. */
typedef struct place {
    const double *nodes;
    const double *coefficients;
    size_t count;
    size_t channels; /* between coefficients */
    double t;
} place;

static tl_scaled evaluate_scaled(const place *at)
{
    tl_scaled t = tl_scale(at->t, 0);
    tl_scaled sum = tl_scale(at->coefficients[(at->count - 1) * at->channels], 0);
    for (size_t k = at->count - 1; k-- > 0;) {
        tl_scaled distance = tl_scaled_subtract(t, tl_scale(at->nodes[k], 0));
        sum = tl_scaled_fma(distance, sum, tl_scale(at->coefficients[k * at->channels], 0));
    }
    return sum;
}

/* Everything that the fast path leaves. */
static double __attribute__((noinline)) evaluate_rest(const place *at)
{
    if (!tl_is_finite(at->t)) {
        return NAN;
    }
    for (size_t k = 0; k < at->count; k++) {
        if (at->coefficients[k * at->channels] != 0) {
            return tl_unscale(evaluate_scaled(at));
        }
    }
    return 0;
}

/* The exponent field from which on a result shows nothing of what underflowed on the way to it.
 * The first two nodes are the greatest and the least: all distances are below 2^power, one of the
 * two powers, and so what underflows in n steps adds up to n 2^(power (n - 1) - 1075). From
 * 2^(power (n - 1) - 960) on, that is below 2^-100 of the result for any n that fits into memory.
 */
static inline size_t lowest_exponent(const double *nodes, size_t count, double t)
{
    double first = fabs(t - nodes[0]), second = fabs(t - nodes[count > 1]);
    size_t reach = (size_t)(tl_to_bits(first > second ? first : second) >> 52);
    size_t power = reach > 1022 ? reach - 1022 : 0;
    return reach < 0x7ff ? power * (count - 1) + (1023 - 960) : SIZE_MAX;
}

static inline bool evaluate_fast(const place *at, size_t lowest, double *result)
{
    double sum = at->coefficients[(at->count - 1) * at->channels];
    for (size_t k = at->count - 1; k-- > 0;) {
        sum = fma(at->t - at->nodes[k], sum, at->coefficients[k * at->channels]);
    }
    *result = sum;
    size_t exponent = (size_t)(tl_to_bits(sum) >> 52 & 0x7ff);
    return exponent >= lowest && exponent < 0x7ff;
}

static inline void evaluate(const double *table, size_t count, size_t channels, double t,
                            double *result)
{
    if (channels == 0) {
        return; /* what a builder that failed leaves */
    }
    size_t lowest = lowest_exponent(table, count, t);
    for (size_t c = 0; c < channels; c++) {
        place at = {table, table + count + c, count, channels, t};
        if (__builtin_expect(!evaluate_fast(&at, lowest, &result[c]), 0)) {
            result[c] = evaluate_rest(&at);
        }
    }
}

void TL_KERNEL(newton)(const tl_newton_table *newton, double t, double *result)
{
    evaluate(newton->table, newton->count, newton->channels, t, result);
}

/* The index of the last of the times up to the last but one that is <= t, else 0. */
static inline size_t find_segment(const double *times, size_t count, double t)
{
    size_t first = 0;
    for (size_t length = count - 1; length > 1;) {
        size_t half = length / 2;
        first += times[first + half] <= t ? half : 0;
        length -= half;
    }
    return first;
}

void TL_KERNEL(track)(const tl_track_table *track, double t, double *result)
{
    if (track->channels == 0) {
        return; /* what a builder that failed leaves */
    }
    size_t segment = find_segment(track->table, track->count, t);
    size_t first = segment - (track->order > 1 && segment > 0);
    size_t last = track->count - 1 - track->order;
    first = first < last ? first : last;
    size_t nodes = track->order + 1;
    const double *window = track->table + track->count + first * nodes * (1 + track->channels);
    evaluate(window, nodes, track->channels, t, result);
}

static double __attribute__((noinline)) crossfade_rest(const place *a, const place *b, double w)
{
    if (!tl_is_finite(a->t)) {
        return NAN;
    }
    tl_scaled from = evaluate_scaled(a), to = evaluate_scaled(b);
    from = tl_scaled_fma(tl_scale(-w, 0), from, from);
    return tl_unscale(tl_scaled_fma(tl_scale(w, 0), to, from));
}

static void crossfade_channels(const tl_newton_table *a, const tl_newton_table *b, double t,
                               double w, double *result)
{
    size_t lowest_a = lowest_exponent(a->table, a->count, t);
    size_t lowest_b = lowest_exponent(b->table, b->count, t);
    for (size_t c = 0; c < a->channels; c++) {
        place from = {a->table, a->table + a->count + c, a->count, a->channels, t};
        place to = {b->table, b->table + b->count + c, b->count, b->channels, t};
        double start, end;
        bool fast = evaluate_fast(&from, lowest_a, &start);
        fast = evaluate_fast(&to, lowest_b, &end) && fast;
        result[c] = fma(w, end, fma(-w, start, start));
        if (!fast || !tl_is_finite_from(result[c], 0x1p-900)) {
            result[c] = crossfade_rest(&from, &to, w);
        }
    }
}

void TL_KERNEL(crossfade_newton)(const tl_newton_table *a, const tl_newton_table *b, double t,
                                 double w, double *result)
{
    if (a->channels != b->channels || isnan(w)) {
        for (size_t c = 0; c < a->channels; c++) {
            result[c] = NAN;
        }
    } else if (w <= 0) {
        evaluate(a->table, a->count, a->channels, t, result);
    } else if (w >= 1) {
        evaluate(b->table, b->count, b->channels, t, result);
    } else if (a->channels > 0) {
        crossfade_channels(a, b, t, w, result);
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
