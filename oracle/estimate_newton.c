#include "filter.h"
#include "newton.h"

#include "../impl/truelerp.h"

/* The nodes of one polynomial, or one window of a track, and all that is computed of them. With the
 * nodes s_0, s_1, ... in their order and D_ik as in newton.c, weight[i] is 1 / D_ik after step k.
 *
 * Bounds are in units of u^2, to first order; C is the spare that each gets in the end, 1.001,
 * which is far more than terms of higher order need for up to 32 nodes.
 *
 *     1 / (s_i - s_k), the difference being exact: dd_reciprocal's 9.5
 *     weight[i] times that, as below: 9.5; after k of these     19 k
 *
 * Numbers of which these are made are watched: all of them lie from 2^-700 to 2^700, differences
 * from 2^-900 to 2^700, where nothing underflows that would matter. */
enum { NODES_MAX = 32, WEIGHT = 19 };
static const double C = 1.001, LEAST = 0x1p-700, MOST = 0x1p700;

/* Values may be 0 or of these sizes: a value times a weight does not underflow then. */
static const double LEAST_VALUE = 0x1p-200, MOST_VALUE = 0x1p200;

/* Times may be 0 or of this size: their differences are 0 or from 2^-852 on. */
static const double LEAST_TIME = 0x1p-800;

struct nodes {
    const double *times; /* in the order given */
    const double *values;
    size_t count;
    size_t channels;
    size_t order[NODES_MAX];
    double s[NODES_MAX]; /* the times in their order */
};

/* What lies between the smallest and the largest number that occurred */
struct sizes {
    double least, most;
};

FILTER_INLINE void watch(struct sizes *sizes, double x)
{
    double size = fabs(x);
    sizes->least = size < sizes->least ? size : sizes->least;
    sizes->most = size > sizes->most ? size : sizes->most;
}

FILTER_INLINE bool is_moderate(const struct sizes *sizes)
{
    return sizes->least >= LEAST && sizes->most <= MOST;
}

/* Leja's order: the largest time, then always the node with the greatest product of distances to
 * those before, of equals the first in the list. */

/* The product of the distances of key i to the first `count` nodes, in double-double. Returns
 * whether it is exact; else it is within 6.5 u^2 for each of them. */
FILTER_INLINE bool far_product(const struct nodes *nodes, size_t i, size_t count,
                               struct dd *product)
{
    bool exact = true;
    *product = (struct dd){1, 0};
    for (size_t j = 0; j < count; j++) {
        struct dd distance = dd_of_difference(nodes->times[i], nodes->s[j]);
        exact = exact && distance.low == 0 && product->low == 0;
        *product = dd_product(*product, distance);
    }
    *product = dd_magnitude(*product);
    return exact;
}

/* Is key a's product of distances greater than b's (1), equal (0), less (-1), or open (2)? */
FILTER_INLINE int compare_far(const struct nodes *nodes, size_t a, size_t b, size_t count)
{
    struct dd x, y;
    bool exact_x = far_product(nodes, a, count, &x);
    bool exact_y = far_product(nodes, b, count, &y);
    struct dd difference = dd_sum(x, dd_negative(y));
    double error = exact_x && exact_y ? 0 : FILTER_PRODUCT * C * (double)count * (x.high + y.high);
    if (fabs(difference.high) <= error) {
        return error == 0 ? 0 : 2;
    }
    return difference.high > 0 ? 1 : -1;
}

/* The keys that are not chosen yet, in no order */
struct rest {
    size_t count;
    size_t key[NODES_MAX];
    double time[NODES_MAX];
    double size[NODES_MAX]; /* the product of distances to those chosen */
};

/* Of those whose sizes are at least `close`, the one for the next place; rest->count if that is
 * open. */
FILTER_INLINE size_t farthest_of(const struct nodes *nodes, const struct rest *rest, double close,
                                 size_t chosen)
{
    size_t farthest = rest->count;
    for (size_t i = 0; i < rest->count; i++) {
        if (!(rest->size[i] >= close)) {
            continue;
        }
        if (farthest == rest->count) {
            farthest = i;
            continue;
        }
        size_t a = rest->key[i], b = rest->key[farthest];
        int order = compare_far(nodes, a, b, chosen);
        if (order > 1) {
            return rest->count;
        }
        farthest = order > 0 || (order == 0 && a < b) ? i : farthest;
    }
    return farthest;
}

/* The sizes' distances to one more node, `chosen` in all, and the place of the next one;
 * rest->count if that is open. A size is a product of differences, each of them and each product
 * within u; only the largest and what may be as large is looked at closely. */
FILTER_INLINE size_t next_node(const struct nodes *nodes, struct rest *rest, size_t chosen,
                               struct sizes *sizes)
{
    double node = nodes->s[chosen - 1];
    double largest = 0, second = 0;
    size_t next = 0;
    for (size_t i = 0; i < rest->count; i++) {
        double size = rest->size[i] * fabs(rest->time[i] - node);
        rest->size[i] = size;
        sizes->least = size < sizes->least ? size : sizes->least;
        double smaller = size < largest ? size : largest;
        second = smaller > second ? smaller : second;
        next = size > largest ? i : next;
        largest = size > largest ? size : largest;
    }
    sizes->most = largest > sizes->most ? largest : sizes->most;
    double close = largest * (1 - (double)(4 * chosen + 4) * 0x1p-53);
    return second < close ? next : farthest_of(nodes, rest, close, chosen);
}

FILTER_INLINE void choose(struct nodes *nodes, struct rest *rest, size_t place, size_t k)
{
    nodes->order[k] = rest->key[place];
    nodes->s[k] = rest->time[place];
    size_t last = --rest->count;
    rest->key[place] = rest->key[last];
    rest->time[place] = rest->time[last];
    rest->size[place] = rest->size[last];
}

FILTER_INLINE bool set_order(struct nodes *nodes)
{
    struct rest rest; /* not cleared, which would cost more than choosing among few */
    struct sizes sizes = {1, 1};
    size_t next = 0, i = 0;
    rest.count = nodes->count;
    do { /* there is one at least */
        rest.key[i] = i;
        rest.time[i] = nodes->times[i];
        rest.size[i] = 1;
        next = nodes->times[i] > nodes->times[next] ? i : next;
    } while (++i < nodes->count);
    choose(nodes, &rest, next, 0);
    for (size_t k = 1; rest.count > 0; k++) {
        next = next_node(nodes, &rest, k, &sizes);
        if (next == rest.count) {
            return false;
        }
        choose(nodes, &rest, next, k);
    }
    return is_moderate(&sizes);
}

/* The weights and the product N_k of t - s_j over j < k, and what is summed up of them by channel.
 */
struct sums {
    struct dd weight[NODES_MAX];
    struct dd node; /* N_k, within 6.5 k */
    double scale[CHANNELS_MAX], scale_error[CHANNELS_MAX];
    double total[CHANNELS_MAX]; /* T */
    struct sizes sizes;
};

FILTER_INLINE double value_of(const struct nodes *nodes, size_t k, size_t channel)
{
    return nodes->values[nodes->order[k] * nodes->channels + channel];
}

/* 1 / y as dd_reciprocal has it, but for the last, exact addition: low is at most 2u of high. */
FILTER_INLINE struct dd raw_reciprocal(struct dd y)
{
    double q = 1 / y.high;
    struct dd p = dd_of_product(q, y.high);
    return (struct dd){q, q * fma(-q, y.low, (1 - p.high) - p.low)};
}

/* From the weights of step k - 1 to those of step k. With a raw factor dd_product is within 2 u^2
 * (left out), 3 u^2 and 4 u^2 (the two fma). That of s_k itself is made of two products, of which
 * each begins with 1 times the first factor, which is exact, and of their product: within 19 k as
 * well. */
FILTER_INLINE void add_weight(const struct nodes *nodes, struct sums *sums, size_t k)
{
    struct dd own = {1, 0}, other = {1, 0}; /* two products, which do not wait for each other */
    double node = nodes->s[k];
    for (size_t i = 0; i < k; i++) {
        struct dd part = raw_reciprocal(dd_of_difference(node, nodes->s[i]));
        sums->weight[i] = dd_product(sums->weight[i], dd_negative(part));
        watch(&sums->sizes, sums->weight[i].high);
        struct dd product = dd_product(own, part);
        watch(&sums->sizes, product.high);
        own = other;
        other = product;
    }
    sums->weight[k] = dd_product(own, other);
    watch(&sums->sizes, sums->weight[k].high);
}

/* A sum of weights times values: the highs as one sum whose rounding errors, with the lows, are
 * another one.
 *     a term: weight.low v + p.low is at most 2u of it, rounded within 2 u^2
 *     a rounding error: at most u T, T being the sum of the absolute terms; with the term's low
 *     rounded within u^2 T, and 2 u^2 of the term
 *     the sum of such: at most (k + 2) u T after k additions, each rounded within (k + 2) u^2 T
 * which makes, with the terms' own errors, k^2 + 3 k + 5 of T. */
struct dot {
    struct dd sum;
    double absolute; /* T */
};

FILTER_INLINE void dot_add(struct dot *dot, struct dd weight, double value)
{
    struct dd p = dd_of_product(weight.high, value);
    struct dd s = dd_of_sum(dot->sum.high, p.high);
    dot->sum = (struct dd){s.high, dot->sum.low + (s.low + fma(weight.low, value, p.low))};
    dot->absolute += fabs(p.high);
}

/* Are a channel's values the same at the first k + 1 nodes? Then c_k is exactly 0, from k = 1 on.
 */
FILTER_INLINE bool is_constant(const struct nodes *nodes, size_t k, size_t channel)
{
    size_t i = 1;
    while (i <= k && value_of(nodes, i, channel) == value_of(nodes, 0, channel)) {
        i++;
    }
    return i > k;
}

/* c_k = sum of v_i weight[i], and adds |c_k N_k| to S and T_k |N_k| to T. Returns false where it is
 * not certain that c_k is a coefficient that is allowed: 0, or from 2^-1022 to below 2^1024. */
FILTER_INLINE bool add_coefficient(const struct nodes *nodes, struct sums *sums, size_t k,
                                   size_t channel)
{
    struct dot c = {{0, 0}, 0};
    for (size_t i = 0; i <= k; i++) {
        dot_add(&c, sums->weight[i], value_of(nodes, i, channel));
    }
    double degree = (double)k;
    double part = c.absolute;
    double error = (degree * (degree + WEIGHT + 3) + 5) * 0x1p-106 * C * part;
    double size = fabs(c.sum.high + c.sum.low);
    double node = fabs(sums->node.high);
    sums->total[channel] += part * node;
    if (k > 0 && is_constant(nodes, k, channel)) {
        return true;
    }
    sums->scale[channel] += size * node;
    sums->scale_error[channel] += error * node;
    return part == 0 || (size - error >= 0x1p-1000 && size <= 0x1p1000);
}

FILTER_INLINE bool add_degree(const struct nodes *nodes, struct sums *sums, size_t k)
{
    add_weight(nodes, sums, k);
    bool certain = true;
    for (size_t channel = 0; channel < nodes->channels; channel++) {
        certain = add_coefficient(nodes, sums, k, channel) && certain;
    }
    return certain;
}

/* The sums' errors in double: highs are within u of their double-doubles, and at most 2 n + 3 other
 * roundings have gone into each. */
FILTER_INLINE double sum_error(const struct nodes *nodes)
{
    return (double)(2 * nodes->count + 6) * 0x1p-53;
}

/* F, and the sum of |v_i l_i(t)| in *size. At a node F is its value. Else by Lagrange's form
 * N_n sum of v_i weight[i] / (t - s_i), each within
 *     19 (n - 1), and 19 for that quotient                  19 n
 *     the sum, struct dot with k = n - 1                      n^2 + 20 n + 3
 *     N_n's 6.5 n, and 6.5                                    n^2 + 26.5 n + 9.5
 * of the absolute terms. `part` is weight[i] / (t - s_i), NULL at the node `at`. */
FILTER_INLINE struct approximation value_at(const struct nodes *nodes, const struct sums *sums,
                                            const struct dd *part, size_t at, size_t channel,
                                            double *size)
{
    if (at < nodes->count) {
        double value = value_of(nodes, at, channel);
        *size = fabs(value);
        return approximation_of_double(value);
    }
    struct dot sum = {{0, 0}, 0};
    for (size_t i = 0; i < nodes->count; i++) {
        dot_add(&sum, part[i], value_of(nodes, i, channel));
    }
    double n = (double)nodes->count;
    *size = sum.absolute * fabs(sums->node.high);
    struct dd value = dd_product(sums->node, dd_of_sum(sum.sum.high, sum.sum.low));
    double error = (n * (n + 26.5) + 9.5) * 0x1p-106 * C * *size;
    return approximation_of(value, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* weight[i] / (t - s_i). Returns the index of the node that t is, else the nodes' number. */
FILTER_INLINE size_t set_parts(const struct nodes *nodes, struct sums *sums, double t,
                               struct dd *part)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (t == nodes->s[i]) {
            return i;
        }
        part[i] = dd_product(sums->weight[i], raw_reciprocal(dd_of_difference(t, nodes->s[i])));
        watch(&sums->sizes, part[i].high);
    }
    return nodes->count;
}

FILTER_INLINE struct approximation approximation_of_sum(double sum, double error)
{
    return approximation_of((struct dd){sum, 0}, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* The largest S / sum of |v_i l_i(t)| so far. Largest numbers differ by no more than the numbers
 * do. Where either has overflowed nothing is known, and fmax would pass over a NaN. */
FILTER_INLINE void raise_figure(const struct nodes *nodes, struct approximation *figure,
                                struct approximation scale, double size)
{
    if (size != 0) { /* but perhaps NaN */
        double found = scale.high / size;
        double error = scale.error / size + found * (sum_error(nodes) + 0x1p-51);
        figure->high = fmax(figure->high, found);
        bool known = isfinite(scale.high) && isfinite(size);
        figure->error = fmax(figure->error, known ? error * FILTER_SLOP : INFINITY);
    }
}

FILTER_INLINE void finish(const struct nodes *nodes, struct sums *sums, double t,
                          struct estimate *estimate)
{
    struct dd part[NODES_MAX];
    size_t at = set_parts(nodes, sums, t, part);
    double slack = FACTOR_SLACK * (double)nodes->count * 0x1p-106;
    estimate->figure = approximation_of_double(0);
    for (size_t channel = 0; channel < nodes->channels; channel++) {
        double size;
        double scale = sums->scale[channel], total = sums->total[channel];
        estimate->value[channel] = value_at(nodes, sums, part, at, channel, &size);
        estimate->scale[channel] =
            approximation_of_sum(scale, sums->scale_error[channel] + scale * sum_error(nodes));
        estimate->slack[channel] =
            approximation_of_sum(slack * total, slack * total * sum_error(nodes));
        raise_figure(nodes, &estimate->figure, estimate->scale[channel], size);
    }
}

/* What overflowed has become NaN in the end, which watch does not see. */
FILTER_INLINE bool is_known(const struct nodes *nodes, const struct sums *sums)
{
    double all = sums->node.high;
    for (size_t i = 0; i < nodes->count; i++) {
        all += sums->weight[i].high;
    }
    return isfinite(all) && is_moderate(&sums->sizes);
}

/* Looks at all coefficients; leaves the sums in the estimate unless that is NULL. Returns whether
 * everything is certain. */
FILTER_INLINE bool sum_up(struct nodes *nodes, double t, struct estimate *estimate)
{
    struct sums sums;
    sums.sizes = (struct sizes){1, 1};
    sums.node = (struct dd){1, 0};
    for (size_t channel = 0; channel < nodes->channels; channel++) {
        sums.scale[channel] = sums.scale_error[channel] = sums.total[channel] = 0;
    }
    if (!set_order(nodes)) {
        return false;
    }
    bool at_node = false; /* then the products from there on are exactly 0 */
    for (size_t k = 0; k < nodes->count; k++) {
        if (!add_degree(nodes, &sums, k)) {
            return false;
        }
        struct dd step = dd_of_difference(t, nodes->s[k]);
        sums.node = dd_product(sums.node, step);
        at_node = at_node || step.high == 0;
        if (!at_node) {
            watch(&sums.sizes, step.high);
            watch(&sums.sizes, sums.node.high);
        }
    }
    if (estimate) {
        finish(nodes, &sums, t, estimate);
    }
    return is_known(nodes, &sums);
}

static bool are_ordinary(const struct nodes *nodes)
{
    bool ordinary = nodes->count > 0 && nodes->count <= NODES_MAX && nodes->channels > 0;
    for (size_t i = 0; ordinary && i < nodes->count * nodes->channels; i++) {
        double size = fabs(nodes->values[i]);
        ordinary = size == 0 || (size >= LEAST_VALUE && size <= MOST_VALUE);
    }
    for (size_t i = 0; ordinary && i < nodes->count; i++) {
        double size = fabs(nodes->times[i]);
        ordinary = size == 0 || (size >= LEAST_TIME && size <= MOST);
    }
    return ordinary;
}

static void set_outputs(const struct nodes *nodes, struct estimate *estimate)
{
    estimate->factor = FACTOR * (double)nodes->count;
    estimate->length[0] = nodes->channels;
    estimate->length[2] = 0;
    estimate->value[nodes->channels] = approximation_of_double(TL_OK);
}

/* All but the order, member by member: an initializer would clear that, too, at some cost. */
static void set_nodes(struct nodes *nodes, const struct values *inputs, size_t times, size_t values)
{
    size_t count = values_length(inputs, times);
    nodes->times = values_field(inputs, times);
    nodes->values = values_field(inputs, values);
    nodes->count = count;
    nodes->channels = count == 0 ? 0 : values_length(inputs, values) / count;
}

enum { TIMES, VALUES, T };

FILTER_INLINE bool newton_estimation(const struct values *inputs, struct estimate *estimate)
{
    double t = values_field(inputs, T)[0];
    struct nodes nodes;
    set_nodes(&nodes, inputs, TIMES, VALUES);
    if (!are_ordinary(&nodes) || nodes.count == 1 || !isfinite(t)) { /* one is given as it is */
        return false;
    }
    set_outputs(&nodes, estimate);
    return sum_up(&nodes, t, estimate);
}

FILTER_ESTIMATE(estimate_newton, newton_estimation)

enum { TRACK_ORDER, TRACK_TIMES, TRACK_VALUES, TRACK_T };

/* The first key of t's window: that of the last key at or before t, one earlier for two segments or
 * more, and all within the track. */
static size_t window_at(const struct nodes *track, double t, size_t size)
{
    size_t segment = 0;
    while (segment + 1 < track->count && track->times[segment + 1] <= t) {
        segment++;
    }
    size_t first = segment > 0 && size > 2 ? segment - 1 : segment;
    return first + size > track->count ? track->count - size : first;
}

static bool times_rise(const struct nodes *nodes)
{
    bool rise = true;
    for (size_t i = 1; i < nodes->count; i++) {
        rise = rise && nodes->times[i - 1] < nodes->times[i];
    }
    return rise;
}

/* The coefficients of every window count, the sums of the one for t. */
FILTER_INLINE bool track_estimation(const struct values *inputs, struct estimate *estimate)
{
    double order = values_field(inputs, TRACK_ORDER)[0];
    double t = values_field(inputs, TRACK_T)[0];
    struct nodes track;
    set_nodes(&track, inputs, TRACK_TIMES, TRACK_VALUES);
    if (!(order == 1 || order == 2 || order == 3) || !are_ordinary(&track) || track.count == 1 ||
        !times_rise(&track) || !isfinite(t)) {
        return false;
    }
    size_t size = track.count <= (size_t)order ? track.count : (size_t)order + 1;
    size_t asked = window_at(&track, t, size);
    struct nodes window;
    set_nodes(&window, inputs, TRACK_TIMES, TRACK_VALUES);
    window.count = size;
    set_outputs(&window, estimate);
    for (size_t i = 0; i + size <= track.count; i++) {
        window.times = track.times + i;
        window.values = track.values + i * track.channels;
        if (!sum_up(&window, t, i == asked ? estimate : NULL)) {
            return false;
        }
    }
    return true;
}

FILTER_ESTIMATE(estimate_track, track_estimation)

enum { A_TIMES, A_VALUES, B_TIMES, B_VALUES, CROSSFADE_T, CROSSFADE_W };

FILTER_INLINE void set_crossfade(const struct estimate *a, const struct estimate *b, double w,
                                 size_t channels, struct estimate *estimate)
{
    for (size_t i = 0; i < channels; i++) {
        estimate->value[i] = approximation_blend(a->value[i], b->value[i], w);
        estimate->scale[i] =
            approximation_blend(approximation_with_size(a->scale[i], a->value[i]),
                                approximation_with_size(b->scale[i], b->value[i]), w);
        estimate->slack[i] = approximation_blend(a->slack[i], b->slack[i], w);
    }
}

/* Both polynomials must be such as can be built, even where only one of them counts. */
FILTER_INLINE bool crossfade_newton_estimation(const struct values *inputs,
                                               struct estimate *estimate)
{
    double t = values_field(inputs, CROSSFADE_T)[0];
    double w = values_field(inputs, CROSSFADE_W)[0];
    struct nodes side[2];
    set_nodes(&side[0], inputs, A_TIMES, A_VALUES);
    set_nodes(&side[1], inputs, B_TIMES, B_VALUES);
    struct estimate part[2];
    if (side[0].channels != side[1].channels || !isfinite(t) || isnan(w) ||
        (w <= 0 && side[0].count == 1) || (w >= 1 && side[1].count == 1)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        if (!are_ordinary(&side[i]) || !sum_up(&side[i], t, &part[i])) {
            return false;
        }
    }
    size_t channels = side[0].channels;
    bool more_in_a = side[0].count > side[1].count;
    const struct nodes *larger = &side[w <= 0 || (w < 1 && more_in_a) ? 0 : 1];
    set_outputs(larger, estimate);
    estimate->length[2] = 1;
    estimate->value[channels + 1] = approximation_of_double(TL_OK);
    if (w > 0 && w < 1) {
        estimate->factor += FACTOR_CROSSFADE;
        set_crossfade(&part[0], &part[1], w, channels, estimate);
        return true;
    }
    const struct estimate *one = &part[w >= 1 ? 1 : 0];
    for (size_t i = 0; i < channels; i++) {
        estimate->value[i] = one->value[i];
        estimate->scale[i] = one->scale[i];
        estimate->slack[i] = one->slack[i];
    }
    return true;
}

FILTER_ESTIMATE(estimate_crossfade_newton, crossfade_newton_estimation)
