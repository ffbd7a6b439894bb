/* Do the two oracles agree on a case? */
#ifndef TRUELERP_REPORTS_AGREEMENT_H
#define TRUELERP_REPORTS_AGREEMENT_H

#include "second/second.h"

#include "../oracle/function.h"

#include <stdbool.h>
#include <stdio.h>

/* What they do not agree on. */
struct disagreement {
    const char *what; /* NULL: nothing; else "F", "S", "the kind of answer", ... */
    size_t number;    /* of the value, the scale or the slack that it is about */
    bool compared;    /* by agreement_of */
};

/* An answer of the first oracle that is nobody's but the caller's. */
void first_open(struct answer *answer);
void first_close(struct answer *answer);

/* Asks the first oracle alone, without the judge. */
void first_answer(const struct function *function, const struct values *inputs,
                  mpfr_prec_t precision, struct answer *answer);

/* The same from the first stage alone, where it makes an estimate. Returns whether it does. */
bool first_estimate(const struct function *function, const struct values *inputs,
                    struct answer *answer);

/* Enclosures agree if they have a number in common; all else must be the same. */
struct disagreement agreement_of(const struct function *function, const struct answer *first,
                                 const struct second *second);

/* Two lines: what each of them says there. */
void agreement_write(FILE *stream, const struct disagreement *disagreement,
                     const struct answer *first, const struct second *second);

#endif
