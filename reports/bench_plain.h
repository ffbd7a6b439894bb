/* The check as one would write it in MPFR: the formulas of F and S held at 256 bits, rounded to
 * nearest, and |r - F| over the bound, without a certificate that this is right. What
 * `truelerp bench oracle` measures the oracle against. */
#ifndef TRUELERP_REPORTS_BENCH_PLAIN_H
#define TRUELERP_REPORTS_BENCH_PLAIN_H

#include "../oracle/values.h"

struct plain {
    const char *function;
    /* For inputs with a real answer: |r - F| / ulp(F), of a vector by length; leaves in *share how
     * much of the bound that is. Of several channels those of the first; the others' are computed
     * alike. */
    double (*check)(const struct values *inputs, const struct values *results, double *share);
};

/* NULL if there is none. */
const struct plain *plain_find(const char *function);

/* The variables, which all formulas share and keep: before the first and after the last use. */
void plain_open(void);
void plain_close(void);

#endif
