/* Polynomials of degree 3 at most, in rationals. */
#ifndef TRUELERP_REPORTS_SECOND_CUBIC_H
#define TRUELERP_REPORTS_SECOND_CUBIC_H

#include <gmp.h>

enum { CUBIC_COEFFICIENTS = 4 };

/* c[i] x^i */
struct cubic {
    mpq_t c[CUBIC_COEFFICIENTS];
};

void cubic_init(struct cubic *p);
void cubic_clear(struct cubic *p);

void cubic_evaluate(mpq_t value, const struct cubic *p, const mpq_t x);

/* 1 if p > 0 on all of [low, high], -1 if p < 0 somewhere there; 0 where p touches 0, or is 0 at an
 * end. */
int cubic_least_sign(const struct cubic *p, const mpq_t low, const mpq_t high);

#endif
