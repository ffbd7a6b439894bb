/* What the oracle's suites share: asking it at a given precision, on samples of every domain. */
#ifndef TRUELERP_TESTS_ENCLOSURE_H
#define TRUELERP_TESTS_ENCLOSURE_H

#include "../oracle/function.h"

#include <gmp.h>
#include <stdbool.h>

void answer_open(struct answer *answer);
void answer_close(struct answer *answer);

/* The function's answer at `precision`. */
void answer_values(const struct function *function, const struct values *inputs,
                   mpfr_prec_t precision, struct answer *answer);

/* The same on inputs of one number each. */
void answer_at(const struct function *function, const double *inputs, mpfr_prec_t precision,
               struct answer *answer);

/* Calls `check` with the inputs of `per_domain` samples of every domain of the function. Returns
 * the number of calls. */
size_t for_each_sample(const struct function *function, size_t per_domain,
                       void (*check)(const struct function *function, const double *inputs));

/* Do the answer's kind and the doubles given agree with `given` (NULL: real)? */
bool answer_is_given(const struct function *function, const struct answer *answer,
                     const double *given);

/* The inputs as text, until the next call. */
const char *describe_inputs(const struct function *function, const double *inputs);

/* The same of inputs of any length, as `truelerp eval` reads them. */
const char *describe_case(const struct function *function, const struct values *inputs);

/* Is the rational in the interval? One with an end that is NaN contains nothing. */
bool interval_contains(mpfi_srcptr interval, const mpq_t value);
bool interval_is_point(mpfi_srcptr interval);

/* Is it within 2^-bits times `scale` from the interval? Takes real numbers known approximately. */
bool interval_is_near(mpfi_srcptr interval, const mpfr_t value, const mpfr_t scale, long bits);

/* Is its width at most 2^-bits times the largest number in `scale`? */
bool interval_is_narrow(mpfi_srcptr interval, mpfi_srcptr scale, long bits);

/* Is `narrow` strictly less wide than `wide`, or are both points? */
bool interval_narrows(mpfi_srcptr wide, mpfi_srcptr narrow);

#endif
