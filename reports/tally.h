/* What is kept of many judgements: counts, exact sums, histograms, the worst cases.
 *
 * A tally is a flat piece of memory without pointers, so that it can lie in memory shared between
 * processes; zeroed memory is an empty one. Merging is associative and commutative to the last bit
 * (the errors lie on a fixed grid, their sums are exact, ties go to the lowest part and index), so
 * any split of the work over any number of jobs gives the same tally. */
#ifndef TRUELERP_REPORTS_TALLY_H
#define TRUELERP_REPORTS_TALLY_H

#include "../oracle/judge.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* Bins between 2^LOW and 2^HIGH: STEPS of equal width in each octave. The upper edge belongs to a
 * bin and the lower one to its neighbour, so that an error equal to a bound is not above it. */
enum { HISTOGRAM_LOW = -32, HISTOGRAM_HIGH = 64, HISTOGRAM_STEPS = 32 };
enum { HISTOGRAM_BINS = (HISTOGRAM_HIGH - HISTOGRAM_LOW) * HISTOGRAM_STEPS };

struct histogram {
    uint64_t zero; /* exactly 0 */
    uint64_t bin[HISTOGRAM_BINS];
    uint64_t beyond; /* above 2^HIGH */
};

/* A sum of up to 2^64 multiples of 2^-32 below 2^1024, in units of 2^-32. */
enum { SUM_LIMBS = (32 + 1024 + 64) / GMP_NUMB_BITS + 1 };

struct exact_sum {
    mp_limb_t limb[SUM_LIMBS];
};

/* One kind of figure over all measured cases. */
struct errors {
    uint64_t count;
    double max;
    struct exact_sum sum;
    struct histogram histogram;
};

/* A case that the report shows: where it was drawn, what came out. */
enum { KEPT_NUMBERS = 32, KEPT_NOTE = 120 };

struct kept {
    bool present;
    uint32_t part; /* the domain's number, for ties and to draw the case again */
    uint64_t index;
    double key; /* greater is worse */
    enum verdict verdict;
    bool measured;
    double error_ulp, error_scaled, bound;
    bool has_result; /* there was one, and its numbers fit */
    size_t result_start[FIELDS_MAX + 1];
    size_t result_count;
    double result[KEPT_NUMBERS];
    char note[KEPT_NOTE]; /* of a finding: what happened */
};

enum worst { WORST_SHARE, WORST_SCALED, WORST_ULP, WORST_COUNT };

/* What should not happen. Of each kind the first case is kept. */
enum finding {
    FINDING_CRASH,       /* the implementation did not survive the call */
    FINDING_TIMEOUT,     /* it did not return in time */
    FINDING_VIOLATION,   /* the verdicts of that name */
    FINDING_MISMATCH,    /**/
    FINDING_ENVIRONMENT, /* it changed the floating-point environment */
    FINDING_FAULT,       /* this program failed outside the call */
    FINDING_UNDECIDED,   /* the verdict of that name */
    FINDING_COUNT
};

/* The error over the parameter of the domains' axis. */
enum { AXIS_BINS = 128 };

struct axis_bin {
    uint64_t count;
    double max; /* error_scaled */
};

struct tally {
    uint64_t verdicts[VERDICT_COUNT];
    uint64_t findings[FINDING_COUNT];
    uint64_t skipped;    /* not called any more, after too many crashes or hanging calls */
    uint64_t misrounded; /* of the measured: error_ulp > 0.5 */
    double share;        /* the largest share_of_bound */
    uint64_t inputs;     /* sum of the cases' checksum_of */
    uint64_t results;    /* of their results' */
    struct errors ulp;
    struct errors scaled;
    struct errors figure; /* the answers', of functions that have one */
    struct kept worst[WORST_COUNT];
    struct kept first[FINDING_COUNT];
    struct axis_bin axis[AXIS_BINS];
};

/* Where a case comes from and where it lies on the plot's axis. */
struct tally_case {
    uint32_t part;
    uint64_t index;
    int axis_bin; /* -1: not plotted */
};

/* 0 .. AXIS_BINS - 1, what lies outside at the edge; -1 for NaN. */
int tally_axis_bin(double parameter, double low, double high);

void tally_judgement(struct tally *tally, const struct tally_case *place,
                     const struct values *results, const struct judgement *judgement);

/* For the findings that are no verdicts. `results` may be NULL. */
void tally_finding(struct tally *tally, const struct tally_case *place, enum finding finding,
                   const struct values *results, const char *note);

void tally_merge(struct tally *into, const struct tally *from);

/* Only what was found: no figures, no verdicts, nothing of what was skipped. */
void tally_merge_findings(struct tally *into, const struct tally *from);

/* Cases with a certain verdict against the exact answer: what a green report is worth. */
uint64_t tally_compared(const struct tally *tally);

/* Every case there was, compared or not. */
uint64_t tally_cases(const struct tally *tally);

/* error_scaled / bound, at most DBL_MAX. */
double share_of_bound(double error_scaled, double bound);

/* The mean, correctly rounded; NaN of nothing. */
double errors_mean(const struct errors *errors);

/* The smallest bin edge that at least `share` permille of the errors do not exceed, but not more
 * than the largest error; NaN of nothing. */
double errors_quantile(const struct errors *errors, unsigned permille);

/* The lower edge of bin i; of i = HISTOGRAM_BINS the upper edge of the last. */
double histogram_edge(size_t i);

/* "crash", "time-out", "violation", "class mismatch", "environment", "fault", "undecided" */
const char *finding_name(enum finding finding);

/* "within", "nothing compared", "not judged" where cases were skipped, or the gravest finding's
 * name. */
const char *tally_verdict(const struct tally *tally);

#endif
