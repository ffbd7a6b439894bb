/* The verdict: is a result within the contract, and how far is it from the exact answer? */
#ifndef TRUELERP_ORACLE_JUDGE_H
#define TRUELERP_ORACLE_JUDGE_H

#include "function.h"

#include <stdbool.h>
#include <stdio.h>

/* How well the exact answer is known: as the numbers that it is, or by enclosures. The first stage
 * has enclosures only. */
enum outcome { OUTCOME_EXACT, OUTCOME_ENCLOSED, OUTCOME_UNDEFINED, OUTCOME_UNDECIDED };

/* What settled a case: a rule without any arithmetic, the first stage (struct function's estimate),
 * or the ladder of precisions. But for outcome and precision, the judgement does not depend on
 * whether there is a first stage. */
enum stage { STAGE_RULE, STAGE_FILTER, STAGE_LADDER };

/* Reported errors lie on a fixed grid, so that they do not depend on the precision at which the
 * verdict fell: multiples of 2^-32 below 1, 33 significant bits from there on (above 2^1000 or so
 * they saturate at 2^1023). Precision climbs until both ends of the error's enclosure round to the
 * same grid point (or REPORT_PRECISION is reached; then the upper end counts). error_scaled <=
 * bound holds exactly if the verdict is "within": a violation too slight to show on the grid is put
 * on the next point above the bound. */
enum { PRECISION_FIRST = 128, REPORT_PRECISION = 2048 };

struct judgement {
    enum verdict verdict;
    enum outcome outcome;
    /* The three figures below exist: a finite result against a real answer, an infinity that is
     * allowed (error 0), or a wrong number in place of a given one (ulps in both errors, bound 0).
     */
    bool measured;
    double error_ulp;    /* |r - F| / ulp(F), of the output nearest to its bound or farthest
                            beyond it; vectors by length */
    double error_scaled; /* |r - F| / max(u S, 2^-1074); in ulps for MEASURE_ULPS and
                            MEASURE_ROUNDED */
    double bound;        /* the whole tolerance in error_scaled's unit */
    double figure;       /* the answer's, on the same grid; NaN where it has none */
    size_t output;       /* the one that decided: it has the figures, or is of the wrong class;
                            0 for a vector */
    enum stage stage;
    mpfr_prec_t precision; /* of the ladder, at which the verdict and the figures became certain; 0:
                              not by the ladder */
};

struct judge;

/* One for each thread. Sets the thread's MPFR exponent range to the widest; judge_destroy puts the
 * former range back. */
struct judge *judge_create(void);
void judge_destroy(struct judge *judge);

/* Is the first stage to be used? It is, unless this says otherwise. */
void judge_set_filter(struct judge *judge, bool on);

void judge_case(struct judge *judge, const struct function *function, const struct values *inputs,
                const struct values *results, struct judgement *judgement);

/* Writes the exact answer for one output: 40 significant decimal digits, correctly rounded, without
 * trailing zeros; in the scientific form below 1e-12 and from 1e40 on; "0.0" where the enclosure
 * still holds 0 at the precision limit; "nan", "inf", "-inf" where given; "" where undefined. A
 * list's numbers have ';' between them, whole outputs no point, choices are written by name. */
void judge_write_exact(struct judge *judge, const struct function *function,
                       const struct values *inputs, size_t output, FILE *stream);

/* "within", "violation", "class mismatch", "undecided", "undefined" */
const char *verdict_name(enum verdict verdict);
const char *outcome_name(enum outcome outcome);

#endif
