/* The exact answers once more.
 *
 * Everything that truelerp says rests on the oracle. This is a second one, written from
 * impl/truelerp.h and sharing no code with the first: rationals of GMP for what is rational, balls
 * of FLINT's Arb for roots, angles and sines, and other ways to the result where there is a choice.
 * Where the two do not agree, one of them is wrong. `truelerp selftest` compares them. */
#ifndef TRUELERP_REPORTS_SECOND_SECOND_H
#define TRUELERP_REPORTS_SECOND_SECOND_H

#include "span.h"

#include "../../oracle/values.h"

#include <stdbool.h>
#include <stddef.h>

enum { SECOND_NUMBERS = 24, SECOND_OUTPUTS = 8 };

enum second_kind {
    SECOND_REAL,
    SECOND_GIVEN,    /* the doubles in `given`; NaN stands for any NaN */
    SECOND_UNDEFINED /* the contract says nothing */
};

/* Numbers are counted over all outputs. Those of whole outputs (counts, statuses, indices) stand in
 * `given`, whatever the kind is. */
struct second {
    enum second_kind kind;
    size_t length[SECOND_OUTPUTS];
    double given[SECOND_NUMBERS];
    double factor; /* of u S in the bound, where it is not always the same; else 0 */
    struct span value[SECOND_NUMBERS]; /* F */
    struct span scale[SECOND_NUMBERS]; /* S; a vector's in the first */
    struct span slack[SECOND_NUMBERS];
    struct span magnitude; /* |F| of a vector */
    struct span figure;
    /* Of a curve whose time was wrapped: the contract allows any time near it. */
    bool wrapped;
    /* And a rule gives other doubles there than at the time itself: the one in `given` is only one
     * of them. */
    bool one_of_several;
    bool unknown; /* it takes Arb, which this build lacks */
};

void second_open(struct second *second);
void second_close(struct second *second);

/* Inputs must be such as the function takes. Returns whether there is an answer: not to a function
 * that is unknown here, nor where it takes Arb and this build lacks it. */
bool second_answer(const char *function, const struct values *inputs, struct second *second);

/* Does this build have Arb? */
bool second_has_balls(void);

/* "r" for rationals, "b" for balls, "rb" for both, "-" for a function without one. */
const char *second_arithmetic(const char *function);

#endif
