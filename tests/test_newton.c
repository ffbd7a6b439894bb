/* tl_newton, tl_track and tl_crossfade_newton against their contract, rule by rule. Exact values
 * are sums of Lagrange's terms in rationals: no recursion, no table, and not the oracle's. */
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* test_header.c holds the header to the catalogue. */
enum { K_NEWTON = 4 };

enum { MAX_NODES = 64, MAX_CHANNELS = 8 };

/* The polynomial of one channel: nodes in the contract's order, c_k and T_k. */
struct exact {
    size_t count;
    size_t index[MAX_NODES];
    double node[MAX_NODES];
    mpq_t coefficient[MAX_NODES];
    mpq_t terms[MAX_NODES];
};

/* What the bound is made of, at one t. */
struct answer {
    mpq_t value;
    mpq_t scale; /* K n u S without K u: n S */
    mpq_t terms; /* n T */
};

static void answer_init(struct answer *answer)
{
    mpq_inits(answer->value, answer->scale, answer->terms, NULL);
}

static void answer_clear(struct answer *answer)
{
    mpq_clears(answer->value, answer->scale, answer->terms, NULL);
}

static void set_distance(mpq_t distance, double a, double b)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(distance, a);
    mpq_set_d(other, b);
    mpq_sub(distance, distance, other);
    mpq_clear(other);
}

/* Leja's order, by products in full. */
static void exact_order(struct exact *exact, const double *times)
{
    mpq_t product[MAX_NODES], distance;
    bool taken[MAX_NODES] = {false};
    mpq_init(distance);
    size_t next = 0;
    for (size_t i = 0; i < exact->count; i++) {
        mpq_init(product[i]);
        mpq_set_ui(product[i], 1, 1);
        next = times[i] > times[next] ? i : next;
    }
    for (size_t k = 0; k < exact->count; k++) {
        exact->index[k] = next;
        exact->node[k] = times[next];
        taken[next] = true;
        size_t best = exact->count;
        for (size_t i = 0; i < exact->count; i++) {
            set_distance(distance, times[i], times[next]);
            mpq_abs(distance, distance);
            mpq_mul(product[i], product[i], distance);
        }
        for (size_t i = 0; i < exact->count; i++) {
            if (!taken[i] && (best == exact->count || mpq_cmp(product[i], product[best]) > 0)) {
                best = i;
            }
        }
        next = best;
    }
    for (size_t i = 0; i < exact->count; i++) {
        mpq_clear(product[i]);
    }
    mpq_clear(distance);
}

/* values[i stride] belongs to times[i]. */
static void exact_init(struct exact *exact, const double *times, const double *values, size_t count,
                       size_t stride)
{
    exact->count = count;
    exact_order(exact, times);
    mpq_t term, distance;
    mpq_inits(term, distance, NULL);
    for (size_t k = 0; k < count; k++) {
        mpq_inits(exact->coefficient[k], exact->terms[k], NULL);
        for (size_t i = 0; i <= k; i++) {
            mpq_set_d(term, values[exact->index[i] * stride]);
            for (size_t j = 0; j <= k; j++) {
                if (j != i) {
                    set_distance(distance, exact->node[i], exact->node[j]);
                    mpq_div(term, term, distance);
                }
            }
            mpq_add(exact->coefficient[k], exact->coefficient[k], term);
            mpq_abs(term, term);
            mpq_add(exact->terms[k], exact->terms[k], term);
        }
    }
    mpq_clears(term, distance, NULL);
}

static void exact_clear(struct exact *exact)
{
    for (size_t k = 0; k < exact->count; k++) {
        mpq_clears(exact->coefficient[k], exact->terms[k], NULL);
    }
}

static void exact_answer(const struct exact *exact, double t, struct answer *answer)
{
    mpq_t product, term;
    mpq_inits(product, term, NULL);
    mpq_set_ui(product, 1, 1);
    mpq_set_ui(answer->value, 0, 1);
    mpq_set_ui(answer->scale, 0, 1);
    mpq_set_ui(answer->terms, 0, 1);
    for (size_t k = 0; k < exact->count; k++) {
        mpq_mul(term, exact->coefficient[k], product);
        mpq_add(answer->value, answer->value, term);
        mpq_abs(term, term);
        mpq_add(answer->scale, answer->scale, term);
        mpq_mul(term, exact->terms[k], product);
        mpq_abs(term, term);
        mpq_add(answer->terms, answer->terms, term);
        set_distance(term, t, exact->node[k]);
        mpq_mul(product, product, term);
    }
    mpq_set_ui(term, exact->count, 1);
    mpq_mul(answer->scale, answer->scale, term);
    mpq_mul(answer->terms, answer->terms, term);
    mpq_clears(product, term, NULL);
}

/* K n u S + 64 n u^2 T */
static void set_tolerance(mpq_t tolerance, const struct answer *answer)
{
    mpq_mul_2exp(tolerance, answer->terms, 4);
    mpq_div_2exp(tolerance, tolerance, 53); /* 64 / 4 u T: what rational_within takes times 4 u */
    mpq_add(tolerance, tolerance, answer->scale);
}

/* An infinity stands for all that rounds to it, and is within if one of these is. */
static bool infinity_is_within(double result, const struct answer *answer, const mpq_t tolerance)
{
    mpq_t reach, limit;
    mpq_inits(reach, limit, NULL);
    mpq_div_2exp(reach, tolerance, 51);
    if (result > 0) {
        mpq_add(reach, answer->value, reach);
    } else {
        mpq_sub(reach, reach, answer->value);
    }
    mpq_set_d(limit, 0x1p1023);
    mpq_add(limit, limit, limit);
    mpq_sub(reach, reach, limit);
    mpq_set_d(limit, -0x1p970);
    bool within = mpq_cmp(reach, limit) >= 0;
    mpq_clears(reach, limit, NULL);
    return within;
}

static bool is_within(double result, const struct answer *answer)
{
    mpq_t tolerance;
    mpq_init(tolerance);
    set_tolerance(tolerance, answer);
    bool within = isinf(result) ? infinity_is_within(result, answer, tolerance)
                                : rational_within(result, answer->value, tolerance, K_NEWTON);
    mpq_clear(tolerance);
    return within;
}

/* A table in memory of its own: exactly what it asked for, so that sanitizers see one double more,
 * and NaN, so that a read of what was never written shows. */
static double *memory_of(size_t size)
{
    double *memory = malloc(size * sizeof *memory + (size == 0));
    if (!memory) {
        abort();
    }
    for (size_t i = 0; i < size; i++) {
        memory[i] = NAN;
    }
    return memory;
}

struct built {
    double *memory;
    tl_newton_table table;
    tl_status status;
    size_t at[2];
};

static struct built build(const double *times, const double *values, size_t count, size_t channels)
{
    struct built built = {.memory = memory_of(tl_newton_size(count, channels)), .at = {7, 7}};
    built.status =
        tl_newton_build(&built.table, times, values, count, channels, built.memory, built.at);
    return built;
}

static struct built build_well(const double *times, const double *values, size_t count,
                               size_t channels)
{
    struct built built = build(times, values, count, channels);
    suite_check(built.status == TL_OK && built.at[0] == TL_NO_INDEX && built.at[1] == TL_NO_INDEX,
                "%zu nodes, the last %a = %a: %s", count, times[count - 1], values[count - 1],
                tl_status_text(built.status));
    return built;
}

static double value_at(const struct built *built, double t)
{
    double result = 7;
    tl_newton(&built->table, t, &result);
    return result;
}

/* Is |got - exact| <= u |exact| + 64 n u^2 T_k? */
static bool coefficient_is_good(double got, const struct exact *exact, size_t k)
{
    struct answer answer;
    answer_init(&answer);
    mpq_set(answer.value, exact->coefficient[k]);
    mpq_abs(answer.scale, exact->coefficient[k]);
    mpq_div_2exp(answer.scale, answer.scale, 2); /* K = 4 makes it u |c_k| */
    mpq_set_ui(answer.terms, exact->count, 1);
    mpq_mul(answer.terms, answer.terms, exact->terms[k]);
    bool good = is_within(got, &answer);
    answer_clear(&answer);
    return good;
}

/* Nodes in exactly the contract's order, coefficients within their own bound. */
static void check_table(const struct built *built, const struct exact *exact, size_t channel)
{
    const double *coefficients = built->table.table + exact->count + channel;
    for (size_t k = 0; k < exact->count; k++) {
        double got = coefficients[k * built->table.channels];
        suite_check(built->table.table[k] == exact->node[k], "node %zu of %zu is %a, wanted %a", k,
                    exact->count, built->table.table[k], exact->node[k]);
        suite_check(coefficient_is_good(got, exact, k), "coefficient %zu of %zu is %a, wanted %a",
                    k, exact->count, got, mpq_get_d(exact->coefficient[k]));
    }
}

static void check_value(double got, const struct exact *exact, double t)
{
    struct answer answer;
    answer_init(&answer);
    exact_answer(exact, t, &answer);
    suite_check(is_within(got, &answer), "%zu nodes, the first %a, at %a: %a, wanted %a",
                exact->count, exact->node[0], t, got, mpq_get_d(answer.value));
    answer_clear(&answer);
}

/* At the nodes, next to them, between, outside and far away. */
static void check_everywhere(const struct built *built, const struct exact *exact)
{
    size_t n = exact->count;
    for (size_t i = 0; i < n; i++) {
        double t = exact->node[i], next = exact->node[(i + 1) % n];
        check_value(value_at(built, t), exact, t);
        check_value(value_at(built, nextafter(t, DBL_MAX)), exact, nextafter(t, DBL_MAX));
        check_value(value_at(built, t / 2 + next / 2), exact, t / 2 + next / 2);
    }
    double high = exact->node[0], low = exact->node[n > 1];
    const double outside[] = {high + (high / 2 - low / 2), 1e5 * high, -3e8, 1e40, -1e200, 1e308};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        if (isfinite(outside[i])) {
            check_value(value_at(built, outside[i]), exact, outside[i]);
        }
    }
}

static void check_polynomial(const double *times, const double *values, size_t count)
{
    struct built built = build_well(times, values, count, 1);
    if (built.status == TL_OK) {
        struct exact exact;
        exact_init(&exact, times, values, count, 1);
        check_table(&built, &exact, 0);
        check_everywhere(&built, &exact);
        exact_clear(&exact);
    }
    free(built.memory);
}

static void check_status(struct built built, tl_status status, size_t first, size_t second)
{
    suite_check(built.status == status && built.at[0] == first && built.at[1] == second,
                "%s at %zu and %zu; wanted %s at %zu and %zu", tl_status_text(built.status),
                built.at[0], built.at[1], tl_status_text(status), first, second);
    free(built.memory);
}

static void what_is_wrong_is_named(void)
{
    const double good[] = {0, 1, 2, 3, 4, 5};
    check_status(build(good, good, 0, 1), TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX);
    check_status(build(good, good, 3, 0), TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX);
    check_status(build(NULL, NULL, 0, 0), TL_EMPTY, TL_NO_INDEX, TL_NO_INDEX);
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < 9; i++) {
        double times[] = {0, 1, 0}, values[] = {0, 1, 2};
        times[i / 3] = bad[i % 3];
        check_status(build(times, values, 3, 1), TL_TIME_NOT_FINITE, i / 3, TL_NO_INDEX);
        values[i / 3] = NAN; /* a time before a value */
        check_status(build(times, values, 3, 1), TL_TIME_NOT_FINITE, i / 3, TL_NO_INDEX);
    }
    for (size_t i = 0; i < 18; i++) {
        double values[6] = {0, 1, 2, 3, 4, 5};
        values[i / 3] = bad[i % 3];
        check_status(build((double[]){2, 1, 1}, values, 3, 2), TL_VALUE_NOT_FINITE, i / 3 / 2,
                     TL_NO_INDEX);
    }
    check_status(build((double[]){0, NAN, NAN}, (double[]){0, 1, NAN}, 3, 1), TL_TIME_NOT_FINITE, 1,
                 TL_NO_INDEX);
    check_status(build((double[]){0, 1, NAN}, (double[]){0, NAN, 1}, 3, 1), TL_VALUE_NOT_FINITE, 1,
                 TL_NO_INDEX);
}

static void equal_times_are_named(void)
{
    const double values[] = {1, 1, 2, 3, 4, 5};
    check_status(build((double[]){1, 1, 2}, values, 3, 1), TL_TIMES_EQUAL, 0, 1);
    check_status(build((double[]){1, 1 + 0x1p-53, 2}, values, 3, 1), TL_TIMES_EQUAL, 0, 1);
    check_status(build((double[]){3, 1, 2, 1, 2}, values, 5, 1), TL_TIMES_EQUAL, 1, 3);
    check_status(build((double[]){1, 2, 3, 3, 2}, values, 5, 1), TL_TIMES_EQUAL, 2, 3);
    check_status(build((double[]){5, 5, 5, 5}, values, 4, 1), TL_TIMES_EQUAL, 0, 1);
    check_status(build((double[]){-0.0, 7, 0.0}, values, 3, 2), TL_TIMES_EQUAL, 0, 2);
    check_polynomial((double[]){1, 1 + 0x1p-52, 2}, values, 3);
    check_polynomial((double[]){0, DBL_TRUE_MIN, 2}, (double[]){3, 3, 4}, 3);
    tl_newton_table table;
    double memory[1000];
    CU_ASSERT_EQUAL(tl_newton_build(&table, values, values, 3, 1, memory, NULL), TL_TIMES_EQUAL);
    CU_ASSERT_EQUAL(tl_newton_build(&table, values, values, 0, 1, memory, NULL), TL_EMPTY);
    CU_ASSERT_EQUAL(tl_newton_build(&table, values + 1, values, 3, 1, memory, NULL), TL_OK);
}

static void sizes_do_not_wrap_around(void)
{
    static const size_t large[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, (size_t)1 << 62};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        for (size_t j = 0; j < sizeof large / sizeof *large; j++) {
            CU_ASSERT_EQUAL(tl_newton_size(large[i], large[j]), 0);
            CU_ASSERT_EQUAL(tl_track_size(3, large[i], large[j]), 0);
        }
        CU_ASSERT_EQUAL(tl_newton_size(large[i], 1), 0);
        CU_ASSERT_EQUAL(tl_newton_size(1, large[i]), 0);
        CU_ASSERT_EQUAL(tl_newton_size(0, large[i]), 0);
        CU_ASSERT_EQUAL(tl_newton_size(large[i], 0), 0);
        CU_ASSERT_EQUAL(tl_track_size(1, large[i], 1), 0);
        CU_ASSERT_EQUAL(tl_track_size(2, 1, large[i]), 0);
        CU_ASSERT_EQUAL(tl_track_size(large[i], 4, 1), 0);
    }
    CU_ASSERT_EQUAL(tl_track_size(0, 4, 1), 0);
    CU_ASSERT_EQUAL(tl_track_size(4, 4, 1), 0);
    CU_ASSERT_EQUAL(tl_track_size(3, 0, 1), 0);
    CU_ASSERT_EQUAL(tl_track_size(3, 4, 0), 0);
    for (size_t count = 1; count < 20; count++) {
        CU_ASSERT(tl_newton_size(count, 3) >= count * 4);
        CU_ASSERT(tl_track_size(3, count, 3) >= count);
    }
}

/* What rounded products cannot tell apart: the middle of 0 and 2 is farther from both, by 2^-104,
 * than its neighbour; and of equals the lowest index. */
static void the_order_is_exact(void)
{
    const double values[] = {0.5, -1, 3, 0.25, 2, -7, 1, 4, 8};
    check_polynomial((double[]){0, 2, 1, 1 + 0x1p-52}, values, 4);
    check_polynomial((double[]){0, 2, 1 + 0x1p-52, 1}, values, 4);
    check_polynomial((double[]){1 - 0x1p-53, 0, 1, 2}, values, 4);
    check_polynomial((double[]){-1, 1e-30, 0, 1}, values, 4);
    check_polynomial((double[]){0x1p60, 1, -1, 0, -0x1p60}, values, 5);
    check_polynomial((double[]){-1, 1, 2, -2, 0, 3, -3, 4, -4}, values, 9);
    check_polynomial((double[]){1, -1, -2, 2, 0, -3, 3, -4, 4}, values, 9);
    check_polynomial((double[]){8, 0, 4, 2, 6, 1, 7, 3, 5}, values, 9);
    check_polynomial((double[]){1e9, -1e9, 0.1, -0.1, 0.3, -0.3}, values, 6);
    /* of products that differ by 2^-2000 of themselves */
    const double tiny[] = {0x1p-40, 0, 0x1p-41};
    check_polynomial((double[]){-1, 1, 0x1p-1000, 0}, (double[]){1, 1, tiny[0], tiny[0]}, 4);
    check_polynomial((double[]){-1, 1, 0, 0x1p-1000}, (double[]){1, 1, tiny[0], tiny[0]}, 4);
}

static void random_ties_are_broken_by_the_index(void)
{
    struct sample sample = {1};
    for (int round = 0; round < 300; round++) {
        double times[12], values[12];
        size_t count = 2 + sample_below(&sample, 11);
        for (size_t i = 0; i < count; i++) {
            times[i] = (double)i - (double)(count / 2);
            values[i] = sample_uniform(&sample, -1, 1);
        }
        for (size_t i = count - 1; i > 0; i--) {
            size_t other = sample_below(&sample, (unsigned)i + 1);
            double time = times[i];
            times[i] = times[other];
            times[other] = time;
        }
        double scale = sample_wide(&sample, -10, 10);
        for (size_t i = 0; i < count; i++) {
            times[i] *=
                round % 2 ? 1 : scale; /* rounds, so that few ties are left, but near ones */
        }
        struct built built = build_well(times, values, count, 1);
        struct exact exact;
        exact_init(&exact, times, values, count, 1);
        check_table(&built, &exact, 0);
        exact_clear(&exact);
        free(built.memory);
    }
}

static const double article_times[] = {0, 0.3, 0.5, 1.2};
static const double article_values[] = {0, 0.2, 1, 0};

static void the_article_s_keys(void)
{
    struct built built = build_well(article_times, article_values, 4, 1);
    CU_ASSERT_DOUBLE_EQUAL(value_at(&built, 0.4), 0.5756613756613757837379591564697547846587,
                           0x1p-51);
    free(built.memory);
    check_polynomial(article_times, article_values, 4);
}

static void any_order_of_nodes_gives_one_table(void)
{
    struct built first = build_well(article_times, article_values, 4, 1);
    for (size_t permutation = 0; permutation < 24; permutation++) {
        double times[4], values[4];
        size_t left[4] = {0, 1, 2, 3}, code = permutation;
        for (size_t i = 0; i < 4; i++) {
            size_t chosen = code % (4 - i);
            code /= 4 - i;
            times[i] = article_times[left[chosen]];
            values[i] = article_values[left[chosen]];
            memmove(left + chosen, left + chosen + 1, (3 - chosen) * sizeof *left);
        }
        struct built built = build_well(times, values, 4, 1);
        suite_check(memcmp(built.memory, first.memory, 8 * sizeof(double)) == 0, "order %zu",
                    permutation);
        free(built.memory);
    }
    free(first.memory);
}

/* Kinds of nodes that other libraries stumble over. Returns how many there are. */
enum { KINDS = 14 };

static void set_nodes(struct sample *sample, unsigned kind, double *times, double *values,
                      size_t count)
{
    for (size_t j = 0; j < count; j++) {
        double i = (double)j, n = (double)count, any = sample_uniform(sample, -1, 1);
        double jitter = sample_uniform(sample, -0.3, 0.3);
        switch (kind) {
        case 0: /* everyday */
            times[j] = i + jitter, values[j] = any;
            break;
        case 1: /* far from 0 */
            times[j] = 1e9 + i + jitter, values[j] = any;
            break;
        case 2: /* integers */
            times[j] = i, values[j] = floor(100 * any);
            break;
        case 3: /* gaps of one bit */
            times[j] = 1 + 0x1p-52 * i, values[j] = any;
            break;
        case 4: /* geometric */
            times[j] = ldexp(1 + jitter, -(int)(60 / n * i)), values[j] = any;
            break;
        case 5: /* a cluster among others */
            times[j] = 2 * i < n ? 1 + 0x1p-50 * i : i + 1, values[j] = any;
            break;
        case 6: /* a line up to rounding, in a cluster */
            times[j] = 1 + 0x1p-50 * i, values[j] = 0.1 + 0.3 * times[j];
            break;
        case 7: /* a line up to rounding */
            times[j] = 0.1 * i, values[j] = 0.3 + 0.7 * times[j];
            break;
        case 8: /* a parabola up to rounding, in a cluster */
            times[j] = 1 + 0x3p-50 * i, values[j] = 5.1 * (times[j] - 1) * (times[j] - 1) + 0.1;
            break;
        case 9: /* magnitudes of all sorts */
            times[j] = sample_wide(sample, -(int)(200 / n), (int)(200 / n)) + 0x1p-300 * i;
            values[j] = sample_wide(sample, -30, 30);
            break;
        case 10: /* great ones */
            times[j] = ldexp(i + jitter, 800 / (int)n), values[j] = ldexp(any, 900);
            break;
        case 11: /* a smooth function at Chebyshev's nodes */
            times[j] = -2 * cos(3.14159265358979 * (i + 0.5) / n), values[j] = exp(times[j]);
            break;
        case 12: /* one value */
            times[j] = i * i + jitter, values[j] = 0.7;
            break;
        default: /* a cluster with integers */
            times[j] = 1 + 0x3p-50 * i, values[j] = fmod(7 * i, 5);
        }
    }
    for (size_t i = count - 1; i > 0; i--) {
        size_t other = sample_below(sample, (unsigned)i + 1);
        double time = times[i], value = values[i];
        times[i] = times[other], times[other] = time;
        values[i] = values[other], values[other] = value;
    }
}

/* Is c_k, of this much uncertainty, certainly or possibly outside the range? */
static void exact_range(const struct exact *exact, size_t *certain, size_t *possible)
{
    mpq_t band, low, high, least, limit;
    mpq_inits(band, low, high, least, limit, NULL);
    mpq_set_d(least, DBL_MIN);
    mpq_set_d(limit, DBL_MAX);
    mpq_set_d(band, 0x1p970);
    mpq_add(limit, limit, band); /* 2^1024 - 2^970 */
    *certain = *possible = exact->count;
    for (size_t k = exact->count; k-- > 0;) {
        mpq_abs(high, exact->coefficient[k]);
        bool outside =
            mpq_sgn(high) != 0 && (mpq_cmp(high, least) < 0 || mpq_cmp(high, limit) >= 0);
        mpq_set_ui(band, 64 * exact->count, 1);
        mpq_mul(band, band, exact->terms[k]);
        mpq_div_2exp(band, band, 106);
        mpq_sub(low, high, band);
        mpq_add(band, high, band);
        bool by_far = mpq_sgn(low) > 0 && (mpq_cmp(band, least) < 0 || mpq_cmp(low, limit) >= 0);
        *possible = outside ? k : *possible;
        *certain = outside && by_far ? k : *certain;
    }
    mpq_clears(band, low, high, least, limit, NULL);
}

/* Builds, and checks whatever comes of it. Returns whether a table came of it. */
static bool check_any(const double *times, const double *values, size_t count)
{
    struct built built = build(times, values, count, 1);
    struct exact exact;
    size_t certain, possible;
    exact_init(&exact, times, values, count, 1);
    exact_range(&exact, &certain, &possible);
    bool well = built.status == TL_OK;
    if (well) {
        suite_check(certain == count, "%zu nodes, coefficient %zu is out of range", count, certain);
        check_table(&built, &exact, 0);
        check_everywhere(&built, &exact);
    } else {
        suite_check(built.status == TL_OUT_OF_RANGE && built.at[1] == TL_NO_INDEX &&
                        built.at[0] <= certain && built.at[0] >= possible && possible < count,
                    "%zu nodes, %s, %zu: certainly %zu, possibly %zu", count,
                    tl_status_text(built.status), built.at[0], certain, possible);
    }
    exact_clear(&exact);
    free(built.memory);
    return well;
}

static void hard_nodes_are_within_the_bound(void)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 23, 30};
    struct sample sample = {2};
    size_t well = 0, tried = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (size_t round = 0; round < (counts[i] < 9 ? 10 : 1); round++) {
                double times[MAX_NODES], values[MAX_NODES];
                set_nodes(&sample, kind, times, values, counts[i]);
                well += check_any(times, values, counts[i]);
                tried++;
            }
        }
    }
    suite_check(4 * well > 3 * tried, "only %zu of %zu could be built", well, tried);
}

static void coefficients_out_of_range_are_named(void)
{
    struct sample sample = {3};
    size_t outside = 0;
    for (int round = 0; round < 500; round++) {
        double times[6], values[6];
        size_t count = 1 + sample_below(&sample, 6);
        int spread = 1 + (int)sample_below(&sample, 1000);
        for (size_t i = 0; i < count; i++) {
            times[i] = sample_wide(&sample, -spread, spread);
            values[i] = round % 3 ? sample_wide(&sample, -1070, 1023) : sample_wide(&sample, 0, 2);
        }
        outside += !check_any(times, values, count);
    }
    suite_check(outside > 50 && outside < 450, "%zu of 500 are out of range", outside);

    check_status(build((double[]){0, 0x1p-600, 1}, (double[]){0, 0x1p500, 1}, 3, 1),
                 TL_OUT_OF_RANGE, 2, TL_NO_INDEX);
    check_status(build((double[]){3}, (double[]){0x1p-1030}, 1, 1), TL_OUT_OF_RANGE, 0,
                 TL_NO_INDEX);
    check_status(build((double[]){0, 0x1p900}, (double[]){0, 0x1p-122}, 2, 1), TL_OK, TL_NO_INDEX,
                 TL_NO_INDEX);
    check_status(build((double[]){0, 0x1p900}, (double[]){0, 0x1p-123}, 2, 1), TL_OUT_OF_RANGE, 1,
                 TL_NO_INDEX);
    /* the lowest degree of all channels */
    const double values[] = {1, 1, 1, 1, 1, 1, 0x1p1000, 1, 1, 1, 1, 0x1p1000};
    check_status(build((double[]){4, 3, 0x1p-100, 0}, values, 4, 3), TL_OUT_OF_RANGE, 3,
                 TL_NO_INDEX);
    const double more[] = {1, 1, 0x1p1000, 1, 1, 1, 1, 1, 1, 0x1p-1050, 1, 1};
    check_status(build((double[]){4, 0x1p-100, 0, 5}, more, 4, 3), TL_OUT_OF_RANGE, 0, TL_NO_INDEX);
}

/* A number of one of three sizes: what is added to another size's is lost without a trace unless
 * somebody minds it, and does matter once the larger ones have cancelled. */
static double one_of_three_sizes(struct sample *sample, const int sizes[3])
{
    double number = ldexp(sample_below(sample, 2) ? 1 : 1.25, sizes[sample_below(sample, 3)]);
    return sample_below(sample, 2) ? number : -number;
}

/* Returns how many it found, of `count`; 0 is one of them now and then. */
static size_t set_far_times(struct sample *sample, double *times, size_t count)
{
    int sizes[3];
    for (size_t i = 0; i < 3; i++) {
        sizes[i] = (int)sample_below(sample, 2098) - 1074;
    }
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        double time = sample_below(sample, 4) ? one_of_three_sizes(sample, sizes) : 0;
        bool fresh = isfinite(time);
        for (size_t j = 0; j < found; j++) {
            fresh = fresh && times[j] != time;
        }
        if (fresh) {
            times[found++] = time;
        }
    }
    return found;
}

static void what_is_small_beside_others_is_not_lost(void)
{
    /* f[t0, t1] and f[t1, t2] are equal to 2^-777 of themselves, and c_2 is made of the rest */
    check_any((double[]){0, -0x1p-420, -0x1p1000}, (double[]){0x1p-600, 1, -0x1p777}, 3);
    /* the same, and what is left is far below 2^-1022 */
    check_any((double[]){-0x1p963, 0x1p-796, 0}, (double[]){-0x1p820, -0x1p-884, -0x1p-884}, 3);
    /* c_3 is such a difference, and with what is lost it would be far below 2^-1022 */
    const double one[] = {0, 0x1p325, 0x1p-793, 0x1p923};
    suite_check(check_any(one, (double[]){-0x1p-893, 0x1p597, -0x1p-893, -0x1p-893}, 4),
                "c_3 near 2^-326 is out of range");
    /* only distances lose something: one of 2^448, the least time */
    const double two[] = {0, 0x1p448, -0x1p-1074, 0x1p1015};
    suite_check(check_any(two, (double[]){0, -0x1p893, 0, 0}, 4),
                "c_3 near 2^-1018 is out of range");
    /* only a sum loses something */
    suite_check(check_any((double[]){0, -1, 0x1.3946dp886, -0x1p-289, 1},
                          (double[]){1, -0x1.8p545, 0x1.2p199, 0x1.8p545, 0x1.8p545}, 5),
                "c_3 is out of range");
    struct sample sample = {31};
    size_t tried = 0;
    for (int round = 0; round < 6000; round++) {
        double times[5], values[5];
        size_t count = set_far_times(&sample, times, 3 + sample_below(&sample, 3));
        int sizes[3];
        for (size_t i = 0; i < 3; i++) {
            sizes[i] = (int)sample_below(&sample, 1800) - 900;
        }
        for (size_t i = 0; i < count; i++) {
            values[i] = one_of_three_sizes(&sample, sizes);
        }
        if (count > 2) {
            check_any(times, values, count);
            tried++;
        }
    }
    suite_check(tried > 3000, "only %zu tried", tried);
}

/* The largest and least coefficients that pass, and the next ones, which must not. */
static void the_range_has_exact_ends(void)
{
    const double two[] = {0, 1}, half[] = {0, 0.5};
    check_status(build(two, (double[]){0, DBL_MAX}, 2, 1), TL_OK, TL_NO_INDEX, TL_NO_INDEX);
    check_status(build(two, (double[]){-0x1p969, DBL_MAX}, 2, 1), TL_OK, TL_NO_INDEX, TL_NO_INDEX);
    check_status(build(half, (double[]){0, 0x1p1023}, 2, 1), TL_OUT_OF_RANGE, 1, TL_NO_INDEX);
    check_status(build(two, (double[]){0, DBL_MIN}, 2, 1), TL_OK, TL_NO_INDEX, TL_NO_INDEX);
    check_status(build(two, (double[]){DBL_TRUE_MIN, DBL_MIN}, 2, 1), TL_OUT_OF_RANGE, 1,
                 TL_NO_INDEX);
    check_status(build(two, (double[]){0, DBL_MIN - DBL_TRUE_MIN}, 2, 1), TL_OUT_OF_RANGE, 0,
                 TL_NO_INDEX);
}

/* Differences of tiny and of huge numbers, and ones that vanish but for their rounding, below the
 * range and above it: they are 0. */
static void rounding_below_or_above_the_range_is_no_error(void)
{
    double times[8], values[8];
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < 8; i++) {
            times[i] = round == 0 ? ldexp(1 + 0.1 * (double)i, 200) : 1 + 0x1p-52 * (double)(3 * i);
            values[i] = 0.7 * times[i];
        }
        for (size_t count = 2; count <= (round == 0 ? 8 : 6); count++) {
            check_any(times, values, count);
        }
    }
    check_polynomial((double[]){0x1p300, 0x3p300, 0x5p300, 0x9p300},
                     (double[]){0x1p-300, 0x3p-300, 0x5p-300, 0x9p-300}, 4);
    check_polynomial((double[]){0x1p-300, 0x3p-300, 0x5p-300, 0x9p-300},
                     (double[]){0x1p300, 0x3p300, 0x5p300, 0x9p300}, 4);
    check_polynomial((double[]){1e-300, 2e-300, -1e-300}, (double[]){1e-300, 3e-300, -5e-300}, 3);
    check_polynomial((double[]){1e300, 1e-300, -1e300}, (double[]){5e300, 3e290, -1e300}, 3);
    check_polynomial((double[]){0x1p1010, -0x1p1010, 0}, (double[]){DBL_MAX, -0x1p1020, 7}, 3);
    check_polynomial((double[]){DBL_MAX, -DBL_MAX}, (double[]){DBL_MAX, -DBL_MAX}, 2);
}

/* Keys on a parabola of slopes that are no doubles, so that differences of the third degree, truly
 * 0, come out as rounding far below or far above the range: no error. */
static void vanishing_differences_are_never_out_of_range(void)
{
    struct sample sample = {10};
    for (int round = 0; round < 60; round++) {
        double times[6], values[6];
        size_t count = 4 + sample_below(&sample, 2);
        for (size_t i = 0; i < count; i++) {
            double root = (double)(1 + 100 * i + sample_below(&sample, 90));
            values[i] = root * root;
            times[i] = ldexp(3 * root, round % 2 ? 400 : -400);
        }
        check_polynomial(times, values, count);
    }
}

/* Coefficients within the range by 2^-107 of themselves pass, whatever a division rounds to. */
static void coefficients_next_to_the_ends_pass(void)
{
    struct sample sample = {11};
    for (int round = 0; round < 2000; round++) {
        double h = sample_uniform(&sample, 0.5, 1);
        const double high[] = {ldexp(nextafter(ldexp(h, -54), 1), 1000) * 0x1p24,
                               ldexp(h, 1000) * 0x1p24};
        check_status(build((double[]){0, h}, high, 2, 1), TL_OK, TL_NO_INDEX, TL_NO_INDEX);
        const double low[] = {-ldexp(h, -422 - 107), ldexp(h, -422)};
        check_status(build((double[]){0, ldexp(h, 600)}, low, 2, 1), TL_OK, TL_NO_INDEX,
                     TL_NO_INDEX);
    }
}

/* What goes beyond the range on the way comes back into it, at both of its ends. */
static void the_range_is_used_to_its_ends(void)
{
    /* through 0 below and after it: x^3 of tiny and of huge x */
    const double tiny[] = {-0x1p-340, -0x1p-341, 0x1p-341, 0x1p-340};
    double cubes[4];
    for (size_t i = 0; i < 4; i++) {
        cubes[i] = tiny[i] * tiny[i] * tiny[i] * 0x1p10;
    }
    check_polynomial(tiny, cubes, 4);
    struct built built = build_well(tiny, cubes, 4, 1);
    struct exact exact;
    exact_init(&exact, tiny, cubes, 4, 1);
    for (int e = -400; e < 360; e += 3) {
        double t = ldexp(1.3, e);
        check_value(value_at(&built, t), &exact, t);
        check_value(value_at(&built, -t), &exact, -t);
    }
    exact_clear(&exact);
    free(built.memory);

    /* inner coefficients 0, so that nothing hides an underflow that is multiplied up again */
    const double times[] = {0x1p900, -0x1p900, 0, 0x1p-100}, values[] = {0, 0, 0, 0x1p-100};
    check_any(times, values, 4);
    check_polynomial((double[]){0x1p500, 0, 0x1p-500, 0x1p-501},
                     (double[]){0, 0, 0x1p-1000, 0x3p-1002}, 4);
    const double near[] = {0x1p15, -0x1p15, 0, 0x1p-30}, only_last[] = {0, 0, 0, 0x1p-1020};
    built = build_well(near, only_last, 4, 1);
    exact_init(&exact, near, only_last, 4, 1);
    for (int e = -60; e < 20; e++) {
        check_value(value_at(&built, ldexp(1.3, e)), &exact, ldexp(1.3, e));
    }
    exact_clear(&exact);
    free(built.memory);
    struct sample sample = {4};
    size_t well = 0;
    for (int round = 0; round < 500; round++) {
        double node[5], value[5] = {0};
        size_t count = 3 + sample_below(&sample, 3);
        for (size_t i = 0; i < count; i++) {
            node[i] = sample_wide(&sample, i == 0 ? 0 : -500, i == 0 ? 900 : 0);
        }
        size_t chosen = 1 + sample_below(&sample, (unsigned)count - 1);
        value[chosen] = sample_wide(&sample, -1000, 1000);
        well += check_any(node, value, count);
    }
    suite_check(well > 100, "only %zu of 500 could be built", well);
}

static void a_time_that_is_not_finite_gives_nan(void)
{
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    const double values[] = {1, 0, 2, 5, 3, 0, 4, 5, 1, 0, 1, 5, 0, 0, 0, 5};
    for (size_t count = 1; count <= 4; count++) {
        struct built built = build_well(article_times, values, count, 4);
        for (size_t i = 0; i < 3; i++) {
            double got[4] = {7, 7, 7, 7};
            tl_newton(&built.table, bad[i], got);
            for (size_t c = 0; c < 4; c++) {
                CU_ASSERT(isnan(got[c]));
            }
        }
        free(built.memory);
    }
}

static void one_node_is_a_constant(void)
{
    enum { CHANNELS = 6 };
    static const double values[CHANNELS] = {0.1, -DBL_MAX, 0, DBL_MIN, -0.0, -0x1.3p-1000};
    static const double at[] = {0, 3, -1e300, 1e-300, DBL_MAX, -1e308};
    for (size_t channels = 1; channels <= CHANNELS; channels += CHANNELS - 1) {
        for (size_t c = 0; c + channels <= CHANNELS; c++) {
            struct built built = build_well((double[]){-1e308}, values + c, 1, channels);
            double memory[1 + 1 + CHANNELS];
            tl_track_table track;
            CU_ASSERT_EQUAL(tl_track_build(&track, 3, (double[]){-1e308}, values + c, 1, channels,
                                           memory, NULL),
                            TL_OK);
            for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
                double got[4][CHANNELS] = {{7}, {7}, {7}, {7}};
                tl_newton(&built.table, at[i], got[0]);
                tl_track(&track, at[i], got[1]);
                tl_crossfade_newton(&built.table, &built.table, at[i], -1, got[2]);
                tl_crossfade_newton(&built.table, &built.table, at[i], 1, got[3]);
                for (size_t k = 0; k < 4; k++) {
                    suite_check(memcmp(got[k], values + c, channels * sizeof *values) == 0,
                                "%a at %a: %a in %zu", values[c], at[i], got[k][0], k);
                }
            }
            free(built.memory);
        }
    }
}

static void equal_values_stay_the_same_everywhere(void)
{
    struct sample sample = {5};
    for (int round = 0; round < 100; round++) {
        double times[20], values[20], value = sample_wide(&sample, -1022, 1024);
        set_nodes(&sample, (unsigned)round % 2 * 11, times, values, 20);
        for (size_t i = 0; i < 20; i++) {
            values[i] = value;
        }
        struct built built = build_well(times, values, 20, 1);
        double t = sample_wide(&sample, -100, 100);
        suite_check(value_at(&built, t) == value, "%a at %a", value, t);
        free(built.memory);
    }
}

static void channels_are_like_single_ones(void)
{
    struct sample sample = {6};
    for (int round = 0; round < 200; round++) {
        double times[9], values[9 * MAX_CHANNELS], single[9], got[MAX_CHANNELS];
        size_t count = 1 + sample_below(&sample, 9), channels = 1 + sample_below(&sample, 8);
        for (size_t c = 0; c < channels; c++) {
            set_nodes(&sample, round % 2 ? 0 : 9, times, single, count);
            for (size_t i = 0; i < count; i++) {
                values[i * channels + c] = sample_below(&sample, 4) ? single[i] : 0;
            }
        }
        struct built built = build_well(times, values, count, channels);
        double t = round % 3 ? sample_uniform(&sample, -2, 12) : sample_wide(&sample, -1000, 1000);
        tl_newton(&built.table, t, got);
        for (size_t c = 0; c < channels; c++) {
            for (size_t i = 0; i < count; i++) {
                single[i] = values[i * channels + c];
            }
            struct built alone = build_well(times, single, count, 1);
            double wanted = value_at(&alone, t);
            suite_check(same_double(got[c], wanted), "channel %zu of %zu at %a: %a, alone %a", c,
                        channels, t, got[c], wanted);
            free(alone.memory);
        }
        free(built.memory);
    }
}

/* 41 nodes as badly placed as a known report's, where a Newton form in the given order misses its
 * own nodes by hundreds; and 20 nodes that come sorted, as if appended one after the other. */
static void known_failures_of_other_libraries(void)
{
    double times[41], values[41];
    for (size_t i = 0; i < 41; i++) {
        times[i] = i == 0 ? 0 : 349 + floor(34572 * (double)(i - 1) / 39);
        values[i] = floor(3000 * (1 + sin(0.3 * (double)i)));
    }
    CU_ASSERT_EQUAL(times[40], 34921);
    check_polynomial(times, values, 41);
    for (size_t i = 0; i < 20; i++) {
        times[i] = (double)i / 19;
        values[i] = 1 / (1 + times[i]);
    }
    check_polynomial(times, values, 20);
    struct built built = build_well(times, values, 20, 1);
    for (size_t i = 0; i < 20; i++) {
        CU_ASSERT_DOUBLE_EQUAL(value_at(&built, times[i]), values[i], 0x1p-48);
    }
    free(built.memory);
}

struct track {
    double *memory;
    tl_track_table table;
    tl_status status;
    size_t at[2];
};

static struct track build_track(size_t order, const double *times, const double *values,
                                size_t count, size_t channels)
{
    struct track track = {.memory = memory_of(tl_track_size(order, count, channels)), .at = {7, 7}};
    track.status =
        tl_track_build(&track.table, order, times, values, count, channels, track.memory, track.at);
    return track;
}

static void check_track_status(struct track track, tl_status status, size_t first, size_t second)
{
    suite_check(track.status == status && track.at[0] == first && track.at[1] == second,
                "%s at %zu and %zu; wanted %s at %zu and %zu", tl_status_text(track.status),
                track.at[0], track.at[1], tl_status_text(status), first, second);
    free(track.memory);
}

static void what_is_wrong_with_a_track_is_named(void)
{
    const size_t none = TL_NO_INDEX;
    const double good[] = {0, 1, 2, 3, 4, 5};
    check_track_status(build_track(0, good, good, 4, 1), TL_NO_SUCH_CHOICE, none, none);
    check_track_status(build_track(4, good, good, 4, 1), TL_NO_SUCH_CHOICE, none, none);
    check_track_status(build_track(SIZE_MAX, good, good, 0, 1), TL_NO_SUCH_CHOICE, none, none);
    check_track_status(build_track(3, good, good, 0, 1), TL_EMPTY, none, none);
    check_track_status(build_track(1, good, good, 3, 0), TL_EMPTY, none, none);
    for (size_t order = 1; order <= 3; order++) {
        check_track_status(build_track(order, good, good, 6, 1), TL_OK, none, none);
        check_track_status(build_track(order, (double[]){0, 2, 1}, good, 3, 1), TL_TIMES_FALL, 1,
                           2);
        check_track_status(build_track(order, (double[]){0, 2, 2, 1}, good, 4, 1), TL_TIMES_EQUAL,
                           1, 2);
        check_track_status(build_track(order, (double[]){-0.0, 0.0}, good, 2, 1), TL_TIMES_EQUAL, 0,
                           1);
        check_track_status(build_track(order, (double[]){0, NAN, -1}, good, 3, 1),
                           TL_TIME_NOT_FINITE, 1, none);
        check_track_status(build_track(order, (double[]){0, 1, HUGE_VAL}, good, 3, 1),
                           TL_TIME_NOT_FINITE, 2, none);
        const double bad[] = {0, 1, 2, 3, NAN, 5};
        check_track_status(build_track(order, good, bad, 3, 2), TL_VALUE_NOT_FINITE, 2, none);
        check_track_status(build_track(order, good, bad, 6, 1), TL_VALUE_NOT_FINITE, 4, none);
        check_track_status(build_track(order, (double[]){0, 1, 2, 3, 2, 5}, bad, 6, 1),
                           TL_TIMES_FALL, 3, 4); /* a time before a value of the same key */
        check_track_status(build_track(order, (double[]){0, 1, 2, 3, 4, 4}, bad, 6, 1),
                           TL_VALUE_NOT_FINITE, 4, none); /* the lower index first */
    }
    const double steep[] = {1, 1, 1, 1, 0x1p1000, 1, 1};
    const double close[] = {0, 1, 2, 3, 4, 4 + 0x1p-50, 5};
    check_track_status(build_track(1, close, steep, 7, 1), TL_OUT_OF_RANGE, 1, 4);
    check_track_status(build_track(2, close, steep, 7, 1), TL_OUT_OF_RANGE, 2, 3);
    check_track_status(build_track(3, (double[]){0, 1, 2, 0x3p-1, 4, 5, 6}, steep, 3, 1), TL_OK,
                       none, none);
    tl_track_table table;
    double memory[500];
    CU_ASSERT_EQUAL(tl_track_build(&table, 7, good, good, 4, 1, memory, NULL), TL_NO_SUCH_CHOICE);
    CU_ASSERT_EQUAL(tl_track_build(&table, 3, good, good, 4, 1, memory, NULL), TL_OK);
}

/* The first key of the window that the contract puts at t. */
static size_t window_at(size_t order, const double *times, size_t count, double t)
{
    size_t segment = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        segment = times[i] <= t ? i : segment;
    }
    size_t first = order > 1 && segment > 0 ? segment - 1 : segment;
    while (first + order + 1 > count) {
        first--;
    }
    return first;
}

/* The track at t is, bit for bit, the polynomial of its window, and that within the bound. */
static void check_track_at(const struct track *track, size_t order, const double *times,
                           const double *values, size_t count, size_t channels, double t)
{
    size_t degree = order < count ? order : count - 1;
    size_t first = window_at(degree, times, count, t);
    double got[MAX_CHANNELS], wanted[MAX_CHANNELS];
    tl_track(&track->table, t, got);
    struct built built = build_well(times + first, values + first * channels, degree + 1, channels);
    tl_newton(&built.table, t, wanted);
    for (size_t c = 0; c < channels; c++) {
        suite_check(same_double(got[c], wanted[c]),
                    "order %zu of %zu keys at %a: %a, its window %a", order, count, t, got[c],
                    wanted[c]);
        struct exact exact;
        exact_init(&exact, times + first, values + first * channels + c, degree + 1, channels);
        check_value(got[c], &exact, t);
        exact_clear(&exact);
    }
    free(built.memory);
}

static void a_track_is_its_window_s_polynomial(void)
{
    struct sample sample = {7};
    for (int round = 0; round < 120; round++) {
        double times[20], values[20 * 3];
        size_t count = 1 + sample_below(&sample, 12), channels = 1 + sample_below(&sample, 3);
        for (size_t i = 0; i < count; i++) {
            times[i] = (i > 0 ? times[i - 1] : -3) + sample_uniform(&sample, 0.01, 2);
            for (size_t c = 0; c < channels; c++) {
                values[i * channels + c] = sample_uniform(&sample, -1, 1);
            }
        }
        for (size_t order = 1; order <= 3; order++) {
            struct track track = build_track(order, times, values, count, channels);
            CU_ASSERT_EQUAL(track.status, TL_OK);
            for (size_t i = 0; i < count; i++) {
                const double near[] = {nextafter(times[i], -9), times[i], nextafter(times[i], 99),
                                       times[i] + 0.005};
                for (size_t j = 0; j < 4; j++) {
                    check_track_at(&track, order, times, values, count, channels, near[j]);
                }
            }
            check_track_at(&track, order, times, values, count, channels, times[0] - 5);
            check_track_at(&track, order, times, values, count, channels, times[count - 1] + 5);
            check_track_at(&track, order, times, values, count, channels, -1e300);
            check_track_at(&track, order, times, values, count, channels, 1e300);
            static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
            for (size_t i = 0; i < 3; i++) {
                double got[3] = {7, 7, 7};
                tl_track(&track.table, bad[i], got);
                for (size_t c = 0; c < channels; c++) {
                    CU_ASSERT(isnan(got[c]));
                }
            }
            free(track.memory);
        }
    }
}

/* The exact slope of a window's cubic, f[0 1] + f[0 1 2] (2 t - t0 - t1) + ..., by the product rule
 * on Newton's form. */
static void exact_slope(mpq_t slope, const struct exact *exact, double t)
{
    mpq_t product, derivative, distance, term;
    mpq_inits(product, derivative, distance, term, NULL);
    mpq_set_ui(product, 1, 1);
    mpq_set_ui(slope, 0, 1);
    for (size_t k = 0; k < exact->count; k++) {
        mpq_mul(term, exact->coefficient[k], derivative);
        mpq_add(slope, slope, term);
        set_distance(distance, t, exact->node[k]);
        mpq_mul(derivative, derivative, distance);
        mpq_add(derivative, derivative, product);
        mpq_mul(product, product, distance);
    }
    mpq_clears(product, derivative, distance, term, NULL);
}

static void a_track_is_continuous_and_its_slope_jumps_by_the_windows_difference(void)
{
    const double times[] = {0, 0.3, 0.5, 1.2, 2, 2.25}, values[] = {0, 0.2, 1, 0, -1, 0.5};
    const double step = 0x1p-26;
    for (size_t order = 1; order <= 3; order++) {
        struct track track = build_track(order, times, values, 6, 1);
        for (size_t i = 1; i < 5; i++) {
            double here, before, after, much_before, much_after;
            tl_track(&track.table, times[i], &here);
            tl_track(&track.table, nextafter(times[i], -1), &before);
            tl_track(&track.table, nextafter(times[i], 9), &after);
            CU_ASSERT_DOUBLE_EQUAL(here, values[i], 0x1p-47);
            CU_ASSERT_DOUBLE_EQUAL(before, values[i], 0x1p-47);
            CU_ASSERT_DOUBLE_EQUAL(after, values[i], 0x1p-47);
            tl_track(&track.table, times[i] - step, &much_before);
            tl_track(&track.table, times[i] + step, &much_after);
            double jump = (much_after - values[i]) / step - (values[i] - much_before) / step;
            mpq_t left, right;
            mpq_inits(left, right, NULL);
            struct exact exact;
            size_t window = window_at(order, times, 6, nextafter(times[i], -1));
            exact_init(&exact, times + window, values + window, order + 1, 1);
            exact_slope(left, &exact, times[i]);
            exact_clear(&exact);
            window = window_at(order, times, 6, times[i]);
            exact_init(&exact, times + window, values + window, order + 1, 1);
            exact_slope(right, &exact, times[i]);
            exact_clear(&exact);
            mpq_sub(right, right, left);
            suite_check(fabs(jump - mpq_get_d(right)) < 1e-5,
                        "order %zu, key %zu: the slope jumps by %g, its windows by %g", order, i,
                        jump, mpq_get_d(right));
            mpq_clears(left, right, NULL);
        }
        free(track.memory);
    }
}

/* |result - F| <= (4 n + 2) u S + 64 u^2 (|1 - w| n_a T_a + |w| n_b T_b), where F = A + w (B - A)
 */
static void check_crossfade(const struct exact *a, const struct exact *b, double t, double w,
                            double got)
{
    struct answer from, to;
    answer_init(&from);
    answer_init(&to);
    exact_answer(a, t, &from);
    exact_answer(b, t, &to);
    mpq_t weight, factor, part;
    mpq_inits(weight, factor, part, NULL);
    size_t n = a->count > b->count ? a->count : b->count;
    struct answer *const side[] = {&from, &to};
    for (int i = 0; i < 2; i++) {
        set_distance(weight, i == 0 ? 1 : w, i == 0 ? w : 0);
        mpq_set_ui(factor, i == 0 ? a->count : b->count, 1); /* S comes as n S */
        mpq_div(side[i]->scale, side[i]->scale, factor);
        mpq_abs(part, side[i]->value);
        mpq_add(side[i]->scale, side[i]->scale, part);
        mpq_set_ui(factor, 4 * n + 2, 4);
        mpq_canonicalize(factor);
        mpq_mul(side[i]->scale, side[i]->scale, factor);
        mpq_mul(side[i]->scale, side[i]->scale, weight);
        mpq_mul(side[i]->terms, side[i]->terms, weight);
        mpq_mul(side[i]->value, side[i]->value, weight);
    }
    mpq_add(from.value, from.value, to.value);
    mpq_add(from.scale, from.scale, to.scale);
    mpq_add(from.terms, from.terms, to.terms);
    suite_check(is_within(got, &from), "%zu and %zu nodes at %a, w = %a: %a, wanted %a", a->count,
                b->count, t, w, got, mpq_get_d(from.value));
    mpq_clears(weight, factor, part, NULL);
    answer_clear(&from);
    answer_clear(&to);
}

static void a_crossfade_is_within_the_bound(void)
{
    static const double weights[] = {0.5, 0.1, 0.999, 0x1p-53, 1 - 0x1p-53, DBL_TRUE_MIN, 1e-300};
    struct sample sample = {8};
    for (int round = 0; round < 150; round++) {
        double times[2][8], values[2][8];
        size_t count[2];
        struct built side[2];
        struct exact exact[2];
        for (int i = 0; i < 2; i++) {
            count[i] = 1 + sample_below(&sample, 8);
            set_nodes(&sample, sample_below(&sample, KINDS), times[i], values[i], count[i]);
            side[i] = build_well(times[i], values[i], count[i], 1);
            exact_init(&exact[i], times[i], values[i], count[i], 1);
        }
        for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
            const double at[] = {times[0][0], times[1][0], 0.4, 1e200, -1e160};
            for (size_t j = 0; j < sizeof at / sizeof *at; j++) {
                double got = 7;
                tl_crossfade_newton(&side[0].table, &side[1].table, at[j], weights[i], &got);
                check_crossfade(&exact[0], &exact[1], at[j], weights[i], got);
            }
        }
        for (int i = 0; i < 2; i++) {
            exact_clear(&exact[i]);
            free(side[i].memory);
        }
    }
}

/* A alone overflows, or B does, or both of them to opposite sides, and F does not. */
static void a_crossfade_overflows_only_with_its_value(void)
{
    static const double at[] = {1e10, 1e100, 3e150, -1e110};
    static const double weights[] = {0.5, 0x1p-60, 1 - 0x1p-53, 0.25};
    const double times[] = {0, 1, 2}, up[] = {0, 1e290, 4e290}, down[] = {0, -1e290, -4e290};
    struct built a = build_well(times, up, 3, 1), b = build_well(times, down, 3, 1);
    struct built c = build_well(times, (double[]){1, 2, 0}, 3, 1);
    struct exact exact_a, exact_b, exact_c;
    exact_init(&exact_a, times, up, 3, 1);
    exact_init(&exact_b, times, down, 3, 1);
    exact_init(&exact_c, times, (double[]){1, 2, 0}, 3, 1);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            double got = 7;
            tl_crossfade_newton(&a.table, &b.table, at[i], weights[j], &got);
            check_crossfade(&exact_a, &exact_b, at[i], weights[j], got);
            tl_crossfade_newton(&a.table, &c.table, at[i], weights[j], &got);
            check_crossfade(&exact_a, &exact_c, at[i], weights[j], got);
            tl_crossfade_newton(&c.table, &b.table, at[i], weights[j], &got);
            check_crossfade(&exact_c, &exact_b, at[i], weights[j], got);
        }
    }
    /* and below: sides, weights and values that are subnormal, or nearly */
    const double low[] = {0x1p-1000, 0x3p-1010, -0x1p-1020};
    struct built d = build_well(times, low, 3, 1);
    struct exact exact_d;
    exact_init(&exact_d, times, low, 3, 1);
    for (int e = -80; e < 8; e++) {
        double got = 7, w = ldexp(0.7, e < -3 ? e : -1), t = ldexp(1.1, e);
        tl_crossfade_newton(&d.table, &d.table, t, w, &got);
        check_crossfade(&exact_d, &exact_d, t, w, got);
        tl_crossfade_newton(&c.table, &d.table, t, 1 - w, &got);
        check_crossfade(&exact_c, &exact_d, t, 1 - w, got);
    }
    exact_clear(&exact_d);
    free(d.memory);
    double got = 7;
    tl_crossfade_newton(&a.table, &b.table, 1e10, 0.5, &got);
    CU_ASSERT(isfinite(got) && isinf(value_at(&a, 1e10)) && isinf(value_at(&b, 1e10)));
    exact_clear(&exact_a);
    exact_clear(&exact_b);
    exact_clear(&exact_c);
    free(a.memory);
    free(b.memory);
    free(c.memory);
}

static void a_crossfade_s_special_cases(void)
{
    const double values[] = {0, 3, 1, -1, 2, 2, 5, 0}, other[] = {7, 3, 0.1, 2};
    struct built a = build_well(article_times, values, 4, 2),
                 b = build_well(values + 3, other, 2, 2);
    struct built c = build_well(article_times, article_values, 4, 1);
    static const double early[] = {0.0, -0.0, -1, -HUGE_VAL, -DBL_TRUE_MIN};
    static const double late[] = {1, 1.5, HUGE_VAL, DBL_MAX};
    static const double at[] = {0.4, 0, -1e300, NAN, HUGE_VAL};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double got[2], wanted[2];
        tl_newton(&a.table, at[i], wanted);
        for (size_t j = 0; j < sizeof early / sizeof *early; j++) {
            tl_crossfade_newton(&a.table, &b.table, at[i], early[j], got);
            CU_ASSERT(same_double(got[0], wanted[0]) && same_double(got[1], wanted[1]));
        }
        tl_newton(&b.table, at[i], wanted);
        for (size_t j = 0; j < sizeof late / sizeof *late; j++) {
            tl_crossfade_newton(&a.table, &b.table, at[i], late[j], got);
            CU_ASSERT(same_double(got[0], wanted[0]) && same_double(got[1], wanted[1]));
        }
        got[0] = got[1] = 7;
        tl_crossfade_newton(&a.table, &b.table, at[i], NAN, got);
        CU_ASSERT(isnan(got[0]) && isnan(got[1]));
        tl_crossfade_newton(&a.table, &b.table, at[i], 0.5, got);
        CU_ASSERT(isfinite(at[i]) || (isnan(got[0]) && isnan(got[1])));
        for (size_t j = 0; j < 4; j++) {
            double mixed[3] = {7, 7, 7};
            tl_crossfade_newton(&a.table, &c.table, at[i], 0.5 * (double)j, mixed);
            CU_ASSERT(isnan(mixed[0]) && isnan(mixed[1]) && mixed[2] == 7);
            mixed[1] = 7;
            tl_crossfade_newton(&c.table, &a.table, at[i], 0.5 * (double)j, mixed);
            CU_ASSERT(isnan(mixed[0]) && mixed[1] == 7);
        }
    }
    free(a.memory);
    free(b.memory);
    free(c.memory);
}

/* One round of everything, written to `bits`; returns how many. */
static size_t sample_results(double *bits, size_t capacity)
{
    struct sample sample = {9};
    size_t used = 0;
    for (unsigned round = 0; used + 60 < capacity; round++) {
        double times[12], values[12], got;
        size_t count = 1 + sample_below(&sample, 12);
        set_nodes(&sample, round % KINDS, times, values, count);
        struct built built = build(times, values, count, 1);
        bits[used++] = (double)built.status;
        if (built.status == TL_OK) {
            memcpy(bits + used, built.memory, 2 * count * sizeof *bits);
            used += 2 * count;
            for (size_t i = 0; i < count; i++) {
                double t = i % 2 ? times[i] + 0.1 : sample_wide(&sample, -1000, 1000);
                tl_newton(&built.table, t, &bits[used++]);
                tl_crossfade_newton(&built.table, &built.table, t, 0.3, &got);
                bits[used++] = got;
            }
        }
        free(built.memory);
    }
    return used;
}

static void instruction_sets_give_the_same_bits(void)
{
    static double usual[20000], baseline[20000];
    const char *chosen = tl_instruction_set();
    size_t count = sample_results(usual, 20000);
    CU_ASSERT_EQUAL(tl_use_instruction_set("baseline"), 0);
    CU_ASSERT_EQUAL(sample_results(baseline, 20000), count);
    CU_ASSERT_EQUAL(tl_use_instruction_set(chosen), 0);
    CU_ASSERT(count > 15000);
    for (size_t i = 0; i < count; i++) {
        suite_check(same_double(usual[i], baseline[i]), "%zu: %a and %a", i, usual[i], baseline[i]);
    }
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"what is wrong is named", what_is_wrong_is_named},
        {"equal times are named", equal_times_are_named},
        {"sizes do not wrap around", sizes_do_not_wrap_around},
        {"the order is exact", the_order_is_exact},
        {"random ties are broken by the index", random_ties_are_broken_by_the_index},
        {"the article's keys", the_article_s_keys},
        {"any order of nodes gives one table", any_order_of_nodes_gives_one_table},
        {"hard nodes are within the bound", hard_nodes_are_within_the_bound},
        {"coefficients out of range are named", coefficients_out_of_range_are_named},
        {"what is small beside others is not lost", what_is_small_beside_others_is_not_lost},
        {"the range has exact ends", the_range_has_exact_ends},
        {"rounding below or above the range is no error",
         rounding_below_or_above_the_range_is_no_error},
        {"vanishing differences are never out of range",
         vanishing_differences_are_never_out_of_range},
        {"coefficients next to the ends pass", coefficients_next_to_the_ends_pass},
        {"the range is used to its ends", the_range_is_used_to_its_ends},
        {"a time that is not finite gives NaN", a_time_that_is_not_finite_gives_nan},
        {"one node is a constant", one_node_is_a_constant},
        {"equal values stay the same everywhere", equal_values_stay_the_same_everywhere},
        {"channels are like single ones", channels_are_like_single_ones},
        {"known failures of other libraries", known_failures_of_other_libraries},
        {"what is wrong with a track is named", what_is_wrong_with_a_track_is_named},
        {"a track is its window's polynomial", a_track_is_its_window_s_polynomial},
        {"a track is continuous, and its slope jumps by the windows' difference",
         a_track_is_continuous_and_its_slope_jumps_by_the_windows_difference},
        {"a crossfade is within the bound", a_crossfade_is_within_the_bound},
        {"a crossfade overflows only with its value", a_crossfade_overflows_only_with_its_value},
        {"a crossfade's special cases", a_crossfade_s_special_cases},
        {"instruction sets give the same bits", instruction_sets_give_the_same_bits},
    };
    return suite_run("newton", tests, sizeof tests / sizeof *tests);
}
