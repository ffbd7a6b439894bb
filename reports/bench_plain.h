/* The check as one would write it in MPFR: the formulas of F and S held at 256 bits, rounded to
 * nearest, and |r - F| over the bound, without a certificate that this is right. What
 * `truelerp bench oracle` measures the oracle against.
 *
 * It is meant as a good program of its kind: the formulas are those of truelerp.h, sines and angles
 * are MPFR's, all variables are made once, a root is found in doubles before Newton's method makes
 * 256 bits of it, what several channels share is computed once, and of the error and its bound,
 * when the cancellation is over, doubles are compared. It looks at numbers only: whether a
 * builder's status is right, it does not ask. */
#ifndef TRUELERP_REPORTS_BENCH_PLAIN_H
#define TRUELERP_REPORTS_BENCH_PLAIN_H

#include "bench_plain_formulas.h"

struct plain {
    const char *function;
    /* For inputs with a real answer and a number returned: of several numbers, those of the one
     * with the largest share of its bound. What 256 bits do not do for may come out as anything. */
    plain_check *check;
};

/* NULL if there is none. */
const struct plain *plain_find(const char *function);

/* The variables, which all formulas share and keep: before the first and after the last use. */
void plain_open(void);
void plain_close(void);

#endif
