/* Polynomials through nodes once more, in GMP's rationals.
 *
 * It shares nothing with the oracle but the public header's promise: the order comes from all
 * products of distances, the coefficients from the recursion that defines them, the value from
 * Neville's scheme. */
#ifndef TRUELERP_TESTS_DIVIDED_H
#define TRUELERP_TESTS_DIVIDED_H

#include "../oracle/values.h"

#include <gmp.h>
#include <stddef.h>

/* Nodes, with values node by node. In their order, they are order[0], order[1], ... */
struct nodes {
    const double *times, *values;
    size_t count, channels;
    size_t *order;
};

/* Those of two fields, the times' and the one behind it; without order. */
struct nodes nodes_of(const struct values *inputs, size_t times);

/* The size_t's are the caller's to free. Returns how often two products were the greatest. */
size_t nodes_set_order(struct nodes *p);

double node_time(const struct nodes *p, size_t k);
double node_value(const struct nodes *p, size_t k, size_t channel);

/* For the following, the nodes have their order and are distinct and finite. */

/* c[k], k < count: the divided difference of the first k + 1 nodes. */
void divided_differences(mpq_t *c, const struct nodes *p, size_t channel);

/* T_k: what c_k is made of, sum of |v_i| / product of |s_i - s_j|. */
void divided_part(mpq_t part, const struct nodes *p, size_t channel, size_t k);

/* F, S and T at t. */
void divided_value(mpq_t value, const struct nodes *p, size_t channel, double t);
void divided_sums(mpq_t scale, mpq_t total, const struct nodes *p, size_t channel, double t);

/* The sum of |v_i l_i(t)|, l_i being Lagrange's basis. */
void divided_size(mpq_t size, const struct nodes *p, size_t channel, double t);

/* How c_k with its T_k, one of n, lies to what is within: 0 and 2^-1022 <= |c| < 2^1024 - 2^970.
 * What is less than 64 n u^2 T_k from that may be taken for it. */
enum reach { REACH_WITHIN, REACH_EITHER, REACH_OUT };
enum reach divided_reach(const mpq_t c, const mpq_t part, size_t n);

/* x *= 64 n u^2 */
void divided_slack(mpq_t x, size_t n);

#endif
