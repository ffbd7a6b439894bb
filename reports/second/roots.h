/* Real roots of polynomials with rational coefficients. */
#ifndef TRUELERP_REPORTS_SECOND_ROOTS_H
#define TRUELERP_REPORTS_SECOND_ROOTS_H

#include "ball.h"

#include <flint/fmpz_poly.h>

enum { ROOTS_MOST = 3 };

/* The distinct real roots, which rise and of which no two touch, and how often each counts. */
struct roots {
    size_t count;
    arb_t root[ROOTS_MOST];
    unsigned multiplicity[ROOTS_MOST];
};

void roots_init(struct roots *roots);
void roots_clear(struct roots *roots);

/* Of a polynomial of degree 1 to 3, each to `precision` bits of itself. */
void roots_find(struct roots *roots, const fmpz_poly_t polynomial, slong precision);

#endif
