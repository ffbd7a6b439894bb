#include "divided.h"

#include "rational.h"

#include <stdbool.h>
#include <stdlib.h>

struct nodes nodes_of(const struct values *inputs, size_t times)
{
    size_t count = values_length(inputs, times);
    return (struct nodes){values_field(inputs, times), values_field(inputs, times + 1), count,
                          count == 0 ? 0 : values_length(inputs, times + 1) / count, NULL};
}

double node_time(const struct nodes *p, size_t k)
{
    return p->times[p->order[k]];
}

double node_value(const struct nodes *p, size_t k, size_t channel)
{
    return p->values[p->order[k] * p->channels + channel];
}

static bool is_chosen(const struct nodes *p, size_t key, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (p->order[k] == key) {
            return true;
        }
    }
    return false;
}

/* The order by its definition, all products without rounding. */
size_t nodes_set_order(struct nodes *p)
{
    mpq_t product, distance, greatest;
    mpq_inits(product, distance, greatest, NULL);
    p->order = calloc(p->count + 1, sizeof *p->order);
    size_t ties = 0;
    for (size_t k = 0; k < p->count; k++) {
        bool found = false, tie = false;
        for (size_t i = 0; i < p->count; i++) {
            if (is_chosen(p, i, k)) {
                continue;
            }
            mpq_set_ui(product, 1, 1);
            if (k == 0) {
                mpq_set_d(product, p->times[i]);
            }
            for (size_t j = 0; j < k; j++) {
                rational_difference(distance, p->times[i], node_time(p, j));
                mpq_abs(distance, distance);
                mpq_mul(product, product, distance);
            }
            int above = found ? mpq_cmp(product, greatest) : 1;
            tie = above == 0 || (tie && above < 0);
            if (above > 0) {
                mpq_set(greatest, product);
                p->order[k] = i;
                found = true;
            }
        }
        ties += tie;
    }
    mpq_clears(product, distance, greatest, NULL);
    return ties;
}

/* c[k] = the divided difference of the first k + 1 nodes. */
void divided_differences(mpq_t *c, const struct nodes *p, size_t channel)
{
    mpq_t h, *column = calloc(p->count, sizeof *column);
    mpq_init(h);
    for (size_t i = 0; i < p->count; i++) {
        mpq_init(column[i]);
        mpq_set_d(column[i], node_value(p, i, channel));
    }
    for (size_t k = 0; k < p->count; k++) {
        for (size_t i = 0; k > 0 && i + k < p->count; i++) {
            rational_difference(h, node_time(p, i + k), node_time(p, i));
            mpq_sub(column[i], column[i + 1], column[i]);
            mpq_div(column[i], column[i], h);
        }
        mpq_set(c[k], column[0]);
    }
    for (size_t i = 0; i < p->count; i++) {
        mpq_clear(column[i]);
    }
    free(column);
    mpq_clear(h);
}

/* T_k */
void divided_part(mpq_t part, const struct nodes *p, size_t channel, size_t k)
{
    mpq_t term, h;
    mpq_inits(term, h, NULL);
    mpq_set_ui(part, 0, 1);
    for (size_t i = 0; i <= k; i++) {
        mpq_set_d(term, node_value(p, i, channel));
        for (size_t j = 0; j <= k; j++) {
            if (j != i) {
                rational_difference(h, node_time(p, i), node_time(p, j));
                mpq_div(term, term, h);
            }
        }
        mpq_abs(term, term);
        mpq_add(part, part, term);
    }
    mpq_clears(term, h, NULL);
}

/* Neville's scheme. */
void divided_value(mpq_t value, const struct nodes *p, size_t channel, double t)
{
    mpq_t left, right, h, *column = calloc(p->count, sizeof *column);
    mpq_inits(left, right, h, NULL);
    for (size_t i = 0; i < p->count; i++) {
        mpq_init(column[i]);
        mpq_set_d(column[i], node_value(p, i, channel));
    }
    for (size_t k = 1; k < p->count; k++) {
        for (size_t i = 0; i + k < p->count; i++) {
            rational_difference(left, t, node_time(p, i));
            rational_difference(right, node_time(p, i + k), t);
            mpq_add(h, left, right);
            mpq_mul(column[i], column[i], right);
            mpq_mul(left, column[i + 1], left);
            mpq_add(column[i], column[i], left);
            mpq_div(column[i], column[i], h);
        }
    }
    mpq_set(value, column[0]);
    for (size_t i = 0; i < p->count; i++) {
        mpq_clear(column[i]);
    }
    free(column);
    mpq_clears(left, right, h, NULL);
}

/* The sum of |v_i l_i(t)| */
void divided_size(mpq_t size, const struct nodes *p, size_t channel, double t)
{
    mpq_t term, h;
    mpq_inits(term, h, NULL);
    mpq_set_ui(size, 0, 1);
    for (size_t i = 0; i < p->count; i++) {
        mpq_set_d(term, node_value(p, i, channel));
        for (size_t j = 0; j < p->count; j++) {
            if (j != i) {
                rational_difference(h, t, node_time(p, j));
                mpq_mul(term, term, h);
                rational_difference(h, node_time(p, i), node_time(p, j));
                mpq_div(term, term, h);
            }
        }
        mpq_abs(term, term);
        mpq_add(size, size, term);
    }
    mpq_clears(term, h, NULL);
}

void divided_sums(mpq_t scale, mpq_t total, const struct nodes *p, size_t channel, double t)
{
    mpq_t term, product, h, *c = calloc(p->count, sizeof *c);
    mpq_inits(term, product, h, NULL);
    for (size_t k = 0; k < p->count; k++) {
        mpq_init(c[k]);
    }
    divided_differences(c, p, channel);
    mpq_set_ui(product, 1, 1);
    mpq_set_ui(scale, 0, 1);
    mpq_set_ui(total, 0, 1);
    for (size_t k = 0; k < p->count; k++) {
        mpq_abs(term, c[k]);
        mpq_mul(term, term, product);
        mpq_add(scale, scale, term);
        divided_part(term, p, channel, k);
        mpq_mul(term, term, product);
        mpq_add(total, total, term);
        rational_difference(h, t, node_time(p, k));
        mpq_abs(h, h);
        mpq_mul(product, product, h);
        mpq_clear(c[k]);
    }
    free(c);
    mpq_clears(term, product, h, NULL);
}

void divided_slack(mpq_t x, size_t n)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(factor, 64 * n, 1);
    mpq_mul(x, x, factor);
    mpq_div_2exp(x, x, 106);
    mpq_clear(factor);
}

enum reach divided_reach(const mpq_t c, const mpq_t part, size_t n)
{
    mpq_t beyond, limit, band;
    mpq_inits(beyond, limit, band, NULL);
    mpq_abs(beyond, c);
    mpq_set_d(limit, 0x1p-1022);
    bool below = mpq_sgn(c) != 0 && mpq_cmp(beyond, limit) < 0;
    if (below) {
        mpq_sub(limit, limit, beyond);
        mpq_set(beyond, mpq_cmp(limit, beyond) < 0 ? limit : beyond);
    } else {
        mpq_set_ui(limit, (1UL << 54) - 1, 1);
        mpq_mul_2exp(limit, limit, 970);
        mpq_sub(beyond, beyond, limit);
    }
    mpq_set(band, part);
    divided_slack(band, n);
    enum reach reach = mpq_cmp(beyond, band) < 0 ? REACH_EITHER : REACH_OUT;
    reach = !below && mpq_sgn(beyond) < 0 ? REACH_WITHIN : reach;
    mpq_clears(beyond, limit, band, NULL);
    return reach;
}
