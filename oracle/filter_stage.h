/* The verdict of the first stage, from an estimate. */
#ifndef TRUELERP_ORACLE_FILTER_STAGE_H
#define TRUELERP_ORACLE_FILTER_STAGE_H

#include "function.h"

/* Assesses results of any values and lengths, one assessment a number, or one of a whole vector,
 * and the answer's figure if it has one. Returns how many assessments there are; 0 where a verdict
 * is not certain or the two ends of a figure round to different grid points (see judge.h), so that
 * what is returned is what any number of bits would give. MEASURE_OWN is find_by_estimate's. */
size_t filter_assess(const struct function *function, const struct estimate *estimate,
                     const struct values *results, struct assessment *assessments, double *figure);

/* For functions of MEASURE_OWN: assesses one number as MEASURE_SCALED is, with the estimate's
 * factor. Returns false where a verdict or a figure is not certain. */
bool filter_assess_number(const struct estimate *estimate, size_t number, double result,
                          struct assessment *assessment);

/* The same: |r - F|, times the power of 2 that the number is multiplied by, lies from *low to
 * *high. Returns false where nothing is certain of it. */
bool filter_find_distance(const struct estimate *estimate, size_t number, double result,
                          double *low, double *high);

/* The exponent e of |x|, 2^e <= |x| < 2^(e + 1). The same. */
bool filter_find_exponent(const struct approximation *x, int *exponent);

/* What lies from low to high, which are not negative, as a figure. The same. */
bool filter_settle(double low, double high, double *figure);

#endif
