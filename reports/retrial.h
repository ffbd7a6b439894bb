/* The verdict on a result, by the judge and again by the second oracle. */
#ifndef TRUELERP_REPORTS_RETRIAL_H
#define TRUELERP_REPORTS_RETRIAL_H

#include "second/verdict.h"

#include "../oracle/judge.h"

#include <stdint.h>

/* Spoils results in a way that depends on the number only: not at all, by a few doubles, more
 * coarsely, by NaN, an infinity, another sign, another number of the result, another length. */
void retrial_spoil(struct values *results, uint64_t number);

/* What came of it. */
struct retrial {
    bool told;        /* the second oracle could tell the verdict; else anything is right */
    const char *what; /* NULL, or what the judge has otherwise: "the verdict", "the figures" */
};

struct retrial retrial_compare(const struct function *function, const struct values *inputs,
                               const struct values *results, const struct judgement *judgement,
                               const struct second *second, struct second_judgement *again);

/* "within" and so on */
const char *retrial_name(enum second_verdict verdict);

#endif
