#include "cubic.h"

#include <stdbool.h>

/* Sturm's chain: p, p', and on from there each the negative rest of the two before. */
enum { CHAIN_MAX = 5 };

struct chain {
    int length;
    struct cubic p[CHAIN_MAX];
};

void cubic_init(struct cubic *p)
{
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_init(p->c[i]);
    }
}

void cubic_clear(struct cubic *p)
{
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_clear(p->c[i]);
    }
}

void cubic_evaluate(mpq_t value, const struct cubic *p, const mpq_t x)
{
    mpq_t sum;
    mpq_init(sum);
    for (int i = CUBIC_COEFFICIENTS; i-- > 0;) {
        mpq_mul(sum, sum, x);
        mpq_add(sum, sum, p->c[i]);
    }
    mpq_swap(value, sum);
    mpq_clear(sum);
}

/* -1 for the polynomial 0 */
static int degree_of(const struct cubic *p)
{
    int degree = CUBIC_COEFFICIENTS - 1;
    while (degree >= 0 && mpq_sgn(p->c[degree]) == 0) {
        degree--;
    }
    return degree;
}

/* rest = -(p modulo divisor), of a divisor that is not 0 */
static void set_negative_rest(struct cubic *rest, const struct cubic *p,
                              const struct cubic *divisor)
{
    int degree = degree_of(divisor);
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_set(rest->c[i], p->c[i]);
    }
    for (int from = degree_of(rest); from >= degree; from--) {
        mpq_div(factor, rest->c[from], divisor->c[degree]);
        for (int i = 0; i <= degree; i++) {
            mpq_mul(term, factor, divisor->c[i]);
            mpq_sub(rest->c[from - degree + i], rest->c[from - degree + i], term);
        }
    }
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_neg(rest->c[i], rest->c[i]);
    }
    mpq_clears(factor, term, NULL);
}

static void chain_open(struct chain *chain, const struct cubic *p)
{
    mpq_t factor;
    mpq_init(factor);
    for (int k = 0; k < CHAIN_MAX; k++) {
        cubic_init(&chain->p[k]);
    }
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_set(chain->p[0].c[i], p->c[i]);
        if (i > 0) {
            mpq_set_si(factor, i, 1);
            mpq_mul(chain->p[1].c[i - 1], p->c[i], factor);
        }
    }
    chain->length = 1;
    while (chain->length < CHAIN_MAX && degree_of(&chain->p[chain->length]) >= 0) {
        int k = ++chain->length;
        if (k < CHAIN_MAX) {
            set_negative_rest(&chain->p[k], &chain->p[k - 2], &chain->p[k - 1]);
        }
    }
    mpq_clear(factor);
}

static void chain_close(struct chain *chain)
{
    for (int k = 0; k < CHAIN_MAX; k++) {
        cubic_clear(&chain->p[k]);
    }
}

/* How often the signs of the chain change at x, zeros left out */
static int changes_at(const struct chain *chain, const mpq_t x)
{
    int changes = 0, before = 0;
    mpq_t value;
    mpq_init(value);
    for (int k = 0; k < chain->length; k++) {
        cubic_evaluate(value, &chain->p[k], x);
        int sign = mpq_sgn(value);
        changes += sign != 0 && before != 0 && sign != before;
        before = sign != 0 ? sign : before;
    }
    mpq_clear(value);
    return changes;
}

/* Where p > 0 at both ends, it is so everywhere unless there are roots; and where no root is
 * repeated, p changes its sign at each. */
int cubic_least_sign(const struct cubic *p, const mpq_t low, const mpq_t high)
{
    mpq_t value;
    mpq_init(value);
    cubic_evaluate(value, p, low);
    int sign = mpq_sgn(value);
    cubic_evaluate(value, p, high);
    sign = mpq_sgn(value) < sign ? mpq_sgn(value) : sign;
    mpq_clear(value);
    if (sign <= 0) {
        return sign;
    }
    struct chain chain;
    chain_open(&chain, p);
    bool roots = changes_at(&chain, low) > changes_at(&chain, high);
    bool simple = degree_of(&chain.p[chain.length - 1]) == 0;
    chain_close(&chain);
    return !roots ? 1 : simple ? -1 : 0;
}
