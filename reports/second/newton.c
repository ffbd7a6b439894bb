/* Polynomials through nodes, in integers: no quotient is formed before the end.
 *
 * Times are integers times a power of two, values integers times another. With the nodes s_0, s_1,
 * ... in their order, D_ik the product of s_i - s_j over all j <= k but i, and V_k that of all
 * differences of the first k + 1 nodes, every D_ik divides V_k, and
 *
 *     V_k c_k = sum over i <= k of v_i V_k / D_ik
 *
 * is an integer; likewise V_k T_k, and what F, S and T sum up. */
#include "answers.h"

#include "../../impl/truelerp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS_MOST = 16, ORDER_MOST = 3 };

/* F, S, 64 n u^2 T of one channel; S over the sum of |v_i l_i(t)|. */
struct sums {
    mpq_t value, scale, slack, figure;
};

struct build {
    bool open;
    int status;
    size_t at_count;
    size_t at[2];
};

struct nodes {
    const double *times, *values; /* node by node */
    size_t count, channels;
};

static struct nodes nodes_of(const struct values *inputs, size_t field)
{
    struct nodes nodes = {.times = values_field(inputs, field),
                          .values = values_field(inputs, field + 1),
                          .count = values_length(inputs, field)};
    nodes.channels = nodes.count > 0 ? values_length(inputs, field + 1) / nodes.count : 0;
    return nodes;
}

/* Nodes that can be built, as integers in their order; behind the times stands t. */
struct integers {
    size_t count, channels;
    mpz_t *time;
    mpz_t *value; /* node by node */
    long time_exponent, value_exponent;
    mpz_t *divisor; /* D_ik of the current k */
    mpz_t all;      /* |V_k| */
};

static mpz_t *integers_new(size_t count)
{
    mpz_t *numbers = malloc((count + 1) * sizeof *numbers);
    if (!numbers) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        mpz_init(numbers[i]);
    }
    return numbers;
}

static void integers_free(mpz_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpz_clear(numbers[i]);
    }
    free(numbers);
}

/* The exponent of the last bit that any of them may have. */
static long last_exponent(const double *numbers, size_t count, long so_far)
{
    for (size_t i = 0; i < count; i++) {
        int exponent;
        if (frexp(numbers[i], &exponent) != 0 && exponent - 53 < so_far) {
            so_far = exponent - 53;
        }
    }
    return so_far;
}

/* number / 2^exponent, which is an integer */
static void set_integer(mpz_t integer, double number, long exponent)
{
    int own;
    double fraction = frexp(number, &own);
    mpz_set_d(integer, ldexp(fraction, 53));
    mpz_mul_2exp(integer, integer, fraction == 0 ? 0 : (mp_bitcnt_t)(own - 53 - exponent));
}

/* Leja's order: first the largest, then always the greatest product of distances to those before.
 */
static void set_order(size_t *order, mpz_t *time, size_t count)
{
    mpz_t *product = integers_new(count);
    bool *taken = calloc(count, sizeof *taken);
    mpz_t distance;
    mpz_init(distance);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        mpz_set_ui(product[i], 1);
        next = mpz_cmp(time[i], time[next]) > 0 ? i : next;
    }
    for (size_t k = 0; k < count; k++) {
        order[k] = next;
        taken[next] = true;
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            mpz_sub(distance, time[i], time[next]);
            mpz_abs(distance, distance);
            mpz_mul(product[i], product[i], distance);
            if (!taken[i] && (best == count || mpz_cmp(product[i], product[best]) > 0)) {
                best = i;
            }
        }
        next = best;
    }
    mpz_clear(distance);
    free(taken);
    integers_free(product, count);
}

static void integers_open(struct integers *p, const struct nodes *nodes, double t)
{
    size_t n = nodes->count;
    *p = (struct integers){.count = n, .channels = nodes->channels};
    p->time_exponent =
        last_exponent(nodes->times, n, isfinite(t) ? last_exponent(&t, 1, 971) : 971);
    p->value_exponent = last_exponent(nodes->values, n * nodes->channels, 971);
    p->time = integers_new(n + 1);
    p->value = integers_new(n * nodes->channels);
    p->divisor = integers_new(n);
    mpz_init_set_ui(p->all, 1);
    mpz_t *given = integers_new(n);
    size_t *order = malloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        set_integer(given[i], nodes->times[i], p->time_exponent);
    }
    set_order(order, given, n);
    for (size_t k = 0; k < n; k++) {
        mpz_set(p->time[k], given[order[k]]);
        mpz_set_ui(p->divisor[k], 1);
        for (size_t c = 0; c < p->channels; c++) {
            set_integer(p->value[k * p->channels + c], nodes->values[order[k] * p->channels + c],
                        p->value_exponent);
        }
    }
    if (isfinite(t)) {
        set_integer(p->time[n], t, p->time_exponent);
    }
    free(order);
    integers_free(given, n);
}

static void integers_close(struct integers *p)
{
    integers_free(p->time, p->count + 1);
    integers_free(p->value, p->count * p->channels);
    integers_free(p->divisor, p->count);
    mpz_clear(p->all);
}

/* From k - 1 to k: the divisors and the product of all, whose growth is left in `growth`. */
static void advance(struct integers *p, size_t k, mpz_t growth)
{
    mpz_t difference;
    mpz_init(difference);
    mpz_set_ui(growth, 1);
    for (size_t i = 0; i < k; i++) {
        mpz_sub(difference, p->time[i], p->time[k]);
        mpz_mul(p->divisor[i], p->divisor[i], difference);
        mpz_neg(difference, difference);
        mpz_mul(p->divisor[k], p->divisor[k], difference);
        mpz_abs(difference, difference);
        mpz_mul(growth, growth, difference);
    }
    mpz_mul(p->all, p->all, growth);
    mpz_clear(difference);
}

/* V_k c_k and V_k T_k */
static void set_coefficient(mpz_t coefficient, mpz_t part, const struct integers *p, size_t channel,
                            size_t k)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(coefficient, 0);
    mpz_set_ui(part, 0);
    for (size_t i = 0; i <= k; i++) {
        mpz_divexact(term, p->all, p->divisor[i]);
        mpz_mul(term, term, p->value[i * p->channels + channel]);
        mpz_add(coefficient, coefficient, term);
        mpz_abs(term, term);
        mpz_add(part, part, term);
    }
    mpz_clear(term);
}

enum range { RANGE_WITHIN, RANGE_EITHER, RANGE_OUT };

/* How |c_k| lies to 0 and 2^-1022 .. 2^1024 - 2^970, all of it times V_k. */
static enum range range_of(const struct integers *p, const mpz_t coefficient, const mpz_t part,
                           size_t k)
{
    long exponent = p->value_exponent - (long)k * p->time_exponent;
    enum range range = RANGE_WITHIN;
    mpq_t size, least, most, band, excess;
    mpq_inits(size, least, most, band, excess, NULL);
    mpq_set_z(size, coefficient);
    mpq_abs(size, size);
    rational_scale(size, exponent);
    mpq_set_z(band, part);
    rational_scale(band, exponent - 106);
    mpq_set_ui(excess, 64 * p->count, 1);
    mpq_mul(band, band, excess);
    mpq_set_z(least, p->all);
    mpq_set(most, least);
    rational_scale(least, -1022);
    mpq_set_ui(excess, (1UL << 54) - 1, 1);
    mpq_mul(most, most, excess);
    rational_scale(most, 970);
    if (mpq_sgn(size) != 0 && mpq_cmp(size, least) < 0) {
        mpq_sub(excess, least, size);
        bool near = mpq_cmp(size, band) < 0 || mpq_cmp(excess, band) < 0;
        range = near ? RANGE_EITHER : RANGE_OUT;
    } else if (mpq_cmp(size, most) >= 0) {
        mpq_sub(excess, size, most);
        range = mpq_cmp(excess, band) < 0 ? RANGE_EITHER : RANGE_OUT;
    }
    mpq_clears(size, least, most, band, excess, NULL);
    return range;
}

/* The sums of one channel, times V_k. */
struct partial {
    mpz_t value, scale, total;
};

/* sum = growth sum + x y */
static void add_product(mpz_t sum, const mpz_t growth, const mpz_t x, const mpz_t y)
{
    mpz_mul(sum, sum, growth);
    mpz_addmul(sum, x, y);
}

/* number 2^exponent / denominator */
static void set_fraction(mpq_t fraction, const mpz_t number, const mpz_t denominator, long exponent)
{
    mpz_set(mpq_numref(fraction), number);
    mpz_set(mpq_denref(fraction), denominator);
    mpq_canonicalize(fraction);
    rational_scale(fraction, exponent);
}

/* V times the sum of |v_i l_i(t)| */
static void set_lagrange(mpz_t sum, const struct integers *p, size_t channel)
{
    mpz_t term, difference;
    mpz_inits(term, difference, NULL);
    mpz_set_ui(sum, 0);
    for (size_t i = 0; i < p->count; i++) {
        mpz_divexact(term, p->all, p->divisor[i]);
        mpz_mul(term, term, p->value[i * p->channels + channel]);
        for (size_t j = 0; j < p->count; j++) {
            if (j != i) {
                mpz_sub(difference, p->time[p->count], p->time[j]);
                mpz_mul(term, term, difference);
            }
        }
        mpz_abs(term, term);
        mpz_add(sum, sum, term);
    }
    mpz_clears(term, difference, NULL);
}

static void finish(struct sums *sums, const struct integers *p, struct partial *partial)
{
    mpz_t lagrange;
    mpz_init(lagrange);
    for (size_t c = 0; c < p->channels; c++) {
        set_fraction(sums[c].value, partial[c].value, p->all, p->value_exponent);
        set_fraction(sums[c].scale, partial[c].scale, p->all, p->value_exponent);
        mpz_mul_ui(partial[c].total, partial[c].total, 64 * p->count);
        set_fraction(sums[c].slack, partial[c].total, p->all, p->value_exponent - 106);
        set_lagrange(lagrange, p, c);
        if (mpz_sgn(lagrange) != 0) {
            set_fraction(sums[c].figure, partial[c].scale, lagrange, 0);
        } else {
            mpq_set_ui(sums[c].figure, 0, 1);
        }
    }
    mpz_clear(lagrange);
}

/* All degrees, as far as the range lets them; *degree is the first that it does not. */
static enum range sum_up(struct integers *p, bool evaluate, struct sums *sums, size_t *degree)
{
    struct partial partial[CHANNELS_MOST];
    mpz_t node, growth, coefficient, part, size;
    mpz_inits(growth, coefficient, part, size, NULL);
    mpz_init_set_ui(node, 1);
    for (size_t c = 0; c < p->channels; c++) {
        mpz_inits(partial[c].value, partial[c].scale, partial[c].total, NULL);
    }
    enum range range = RANGE_WITHIN;
    for (size_t k = 0; k < p->count && range == RANGE_WITHIN; k++) {
        *degree = k;
        advance(p, k, growth);
        for (size_t c = 0; c < p->channels; c++) {
            set_coefficient(coefficient, part, p, c, k);
            enum range found = range_of(p, coefficient, part, k);
            range = found > range ? found : range;
            if (evaluate) {
                add_product(partial[c].value, growth, coefficient, node);
                mpz_abs(coefficient, coefficient);
                mpz_abs(size, node);
                add_product(partial[c].scale, growth, coefficient, size);
                add_product(partial[c].total, growth, part, size);
            }
        }
        mpz_sub(size, p->time[p->count], p->time[k]);
        mpz_mul(node, node, size);
    }
    if (evaluate && range == RANGE_WITHIN) {
        finish(sums, p, partial);
    }
    for (size_t c = 0; c < p->channels; c++) {
        mpz_clears(partial[c].value, partial[c].scale, partial[c].total, NULL);
    }
    mpz_clears(node, growth, coefficient, part, size, NULL);
    return range;
}

static struct build of_range(enum range range, size_t at_count, size_t degree, size_t window)
{
    struct build build = {.open = range == RANGE_EITHER, .status = TL_OK};
    if (range == RANGE_OUT) {
        build = (struct build){false, TL_OUT_OF_RANGE, at_count, {degree, window}};
    }
    return build;
}

static bool values_finite(const struct nodes *nodes, size_t i)
{
    return finite_numbers(nodes->values + i * nodes->channels, nodes->channels);
}

static bool is_empty(const struct nodes *nodes)
{
    return nodes->count == 0 || nodes->channels == 0;
}

static struct build check_nodes(const struct nodes *nodes)
{
    if (is_empty(nodes)) {
        return (struct build){.status = TL_EMPTY};
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (!isfinite(nodes->times[i]) || !values_finite(nodes, i)) {
            int status = isfinite(nodes->times[i]) ? TL_VALUE_NOT_FINITE : TL_TIME_NOT_FINITE;
            return (struct build){false, status, 1, {i}};
        }
    }
    for (size_t i = 0; i < nodes->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (nodes->times[i] == nodes->times[j]) {
                return (struct build){false, TL_TIMES_EQUAL, 2, {j, i}};
            }
        }
    }
    return (struct build){.status = TL_OK};
}

static struct build build_at(const struct nodes *nodes, double t, struct sums *sums)
{
    struct build build = check_nodes(nodes);
    if (build.status == TL_OK) {
        size_t degree = 0;
        struct integers p;
        integers_open(&p, nodes, t);
        enum range range = sum_up(&p, isfinite(t), sums, &degree);
        integers_close(&p);
        build = of_range(range, 1, degree, 0);
    }
    return build;
}

static void sums_init(struct sums *sums)
{
    for (size_t c = 0; c < CHANNELS_MOST; c++) {
        mpq_inits(sums[c].value, sums[c].scale, sums[c].slack, sums[c].figure, NULL);
    }
}

static void sums_clear(struct sums *sums)
{
    for (size_t c = 0; c < CHANNELS_MOST; c++) {
        mpq_clears(sums[c].value, sums[c].scale, sums[c].slack, sums[c].figure, NULL);
    }
}

static void tell_sums(struct second *second, struct sums *sums, size_t channels)
{
    for (size_t c = 0; c < channels; c++) {
        span_set_q(&second->value[c], sums[c].value);
        span_set_q(&second->scale[c], sums[c].scale);
        span_set_q(&second->slack[c], sums[c].slack);
    }
}

static void tell(struct second *second, const struct build *build, double t,
                 const struct nodes *nodes, struct sums *sums)
{
    size_t channels = build->status == TL_OK ? nodes->channels : 0;
    second->kind = build->open ? SECOND_UNDEFINED : SECOND_REAL;
    if (!build->open && !isfinite(t)) {
        give_nan(second, channels);
    } else if (!build->open && nodes->count == 1) {
        give_numbers(second, nodes->values, channels);
    }
    second->length[0] = channels;
    second->length[2] = build->at_count;
    second->factor = 4 * (double)nodes->count;
    second->given[channels] = build->status;
    for (size_t i = 0; i < build->at_count; i++) {
        second->given[channels + 1 + i] = (double)build->at[i];
    }
    if (second->kind == SECOND_REAL && channels > 0) {
        tell_sums(second, sums, channels);
        for (size_t c = 1; c < channels; c++) {
            if (mpq_cmp(sums[c].figure, sums[0].figure) > 0) {
                mpq_set(sums[0].figure, sums[c].figure);
            }
        }
        span_set_q(&second->figure, sums[0].figure);
    }
}

void second_newton(const struct values *inputs, struct second *second)
{
    struct sums sums[CHANNELS_MOST];
    struct nodes nodes = nodes_of(inputs, 0);
    double t = *values_field(inputs, 2);
    sums_init(sums);
    struct build build = build_at(&nodes, t, sums);
    tell(second, &build, t, &nodes, sums);
    sums_clear(sums);
}

static struct build check_track(const struct nodes *nodes, double order)
{
    if (order != 1 && order != 2 && order != 3) {
        return (struct build){.status = TL_NO_SUCH_CHOICE};
    }
    if (is_empty(nodes)) {
        return (struct build){.status = TL_EMPTY};
    }
    for (size_t i = 0; i < nodes->count; i++) {
        const double *time = nodes->times + i;
        if (!isfinite(*time)) {
            return (struct build){false, TL_TIME_NOT_FINITE, 1, {i}};
        }
        if (i > 0 && time[0] <= time[-1]) {
            int status = time[0] < time[-1] ? TL_TIMES_FALL : TL_TIMES_EQUAL;
            return (struct build){false, status, 2, {i - 1, i}};
        }
        if (!values_finite(nodes, i)) {
            return (struct build){false, TL_VALUE_NOT_FINITE, 1, {i}};
        }
    }
    return (struct build){.status = TL_OK};
}

/* The first key of the window for t. */
static size_t window_for(const struct nodes *track, double t, size_t size)
{
    size_t key = track->count - 1;
    while (key > 0 && track->times[key] > t) {
        key--;
    }
    size_t before = size >= 3 ? 1 : 0;
    size_t first = key < before ? 0 : key - before;
    size_t last = track->count - size;
    return first < last ? first : last;
}

void second_track(const struct values *inputs, struct second *second)
{
    struct sums sums[CHANNELS_MOST];
    double order = *values_field(inputs, 0);
    struct nodes track = nodes_of(inputs, 1);
    double t = *values_field(inputs, 3);
    struct nodes window = track;
    sums_init(sums);
    struct build build = check_track(&track, order);
    if (build.status == TL_OK) {
        window.count = track.count < (size_t)order + 1 ? track.count : (size_t)order + 1;
        size_t asked = isfinite(t) ? window_for(&track, t, window.count) : 0;
        for (size_t i = 0; i + window.count <= track.count; i++) {
            window.times = track.times + i;
            window.values = track.values + i * track.channels;
            struct integers p;
            size_t degree = 0;
            integers_open(&p, &window, i == asked ? t : (double)NAN);
            enum range range = sum_up(&p, i == asked && isfinite(t), sums, &degree);
            integers_close(&p);
            build = of_range(range, 2, degree, i);
            if (build.open || build.status != TL_OK) {
                break;
            }
        }
    }
    tell(second, &build, t, &window, sums);
    sums_clear(sums);
}

/* x = (1 - w) x + w y */
static void blend(mpq_t x, mpq_t y, const mpq_t w)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, w);
    mpq_mul(x, x, rest);
    mpq_mul(y, y, w);
    mpq_add(x, x, y);
    mpq_clear(rest);
}

/* |1 - w| (S_A + |A|) + |w| (S_B + |B|), where 0 < w < 1 */
static void blend_sums(struct sums *a, struct sums *b, size_t channels, double weight)
{
    mpq_t w, size;
    mpq_inits(w, size, NULL);
    mpq_set_d(w, weight);
    for (size_t c = 0; c < channels; c++) {
        mpq_abs(size, a[c].value);
        mpq_add(a[c].scale, a[c].scale, size);
        mpq_abs(size, b[c].value);
        mpq_add(b[c].scale, b[c].scale, size);
        blend(a[c].value, b[c].value, w);
        blend(a[c].scale, b[c].scale, w);
        blend(a[c].slack, b[c].slack, w);
    }
    mpq_clears(w, size, NULL);
}

void second_crossfade_newton(const struct values *inputs, struct second *second)
{
    struct sums a[CHANNELS_MOST], b[CHANNELS_MOST];
    struct nodes from = nodes_of(inputs, 0), to = nodes_of(inputs, 2);
    double t = *values_field(inputs, 4), w = *values_field(inputs, 5);
    sums_init(a);
    sums_init(b);
    struct build build[2] = {build_at(&from, t, a), build_at(&to, t, b)};
    bool built = build[0].status == TL_OK && build[1].status == TL_OK;
    size_t channels = built ? from.channels : 0;
    second->length[0] = channels;
    if (build[0].open || build[1].open) {
        second->kind = SECOND_UNDEFINED;
    } else if (built && (from.channels != to.channels || !isfinite(t) || isnan(w))) {
        give_nan(second, channels);
    } else if (built && w <= 0 && from.count == 1) {
        give_numbers(second, from.values, channels);
    } else if (built && w >= 1 && to.count == 1) {
        give_numbers(second, to.values, channels);
    } else if (built) {
        size_t larger = from.count > to.count ? from.count : to.count;
        second->factor = 4 * (double)(w <= 0 ? from.count : w >= 1 ? to.count : larger);
        if (w > 0 && w < 1) {
            second->factor += 2;
            blend_sums(a, b, channels, w);
        }
        tell_sums(second, w >= 1 ? b : a, channels);
    }
    second->given[channels] = build[0].status;
    second->given[channels + 1] = build[1].status;
    sums_clear(b);
    sums_clear(a);
}
