/* The verdict of the first stage, from an estimate. */
#ifndef TRUELERP_ORACLE_FILTER_STAGE_H
#define TRUELERP_ORACLE_FILTER_STAGE_H

#include "function.h"

/* Assesses results of any values and lengths, one assessment a number, or one of a whole vector,
 * and the answer's figure if it has one. Returns how many assessments there are; 0 where a verdict
 * is not certain or the two ends of a figure round to different grid points (see judge.h), so that
 * what is returned is what any number of bits would give. Does not do MEASURE_OWN. */
size_t filter_assess(const struct function *function, const struct estimate *estimate,
                     const struct values *results, struct assessment *assessments, double *figure);

#endif
