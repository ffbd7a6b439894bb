/* What a gate remembers of one function's cases from one source, and how two such lines compare. */
#ifndef TRUELERP_REPORTS_FIGURES_H
#define TRUELERP_REPORTS_FIGURES_H

#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIGURES_NAME = 48 };

struct figures {
    char function[FIGURES_NAME];
    char domain[FIGURES_NAME];
    uint64_t cases;      /* tried */
    uint64_t compared;   /* with a certain verdict */
    uint64_t undecided;  /* the verdict stayed open */
    uint64_t outside;    /* violations, class mismatches, crashes and other findings */
    uint64_t measured;   /* the errors are of so many results */
    uint64_t misrounded; /* of the measured */
    double share;        /* the largest share of the bound; these four are NaN of nothing */
    double max;          /* error, in the unit of the bound */
    double high;         /* the error at the 99.9th percentile */
    double mean;
    bool has_checksums;
    uint64_t inputs;  /* which cases were tried; a climb's starts and its climber */
    uint64_t results; /* all results' bits */
    size_t line;      /* of the file that it was read from; 0: measured here */
};

struct figures figures_of(const struct tally *tally, const char *function, const char *domain);

enum change {
    CHANGE_NONE,
    CHANGE_BETTER,
    CHANGE_OTHER, /* neither better nor worse, but not what it was */
    CHANGE_WORSE
};

/* One figure that is not what it was. */
enum { DIFFERENCE_TEXT = 48 };

struct difference {
    enum change change;
    const char *figure; /* "max error" */
    char before[DIFFERENCE_TEXT];
    char now[DIFFERENCE_TEXT];
};

/* At most so many. */
enum { DIFFERENCES_MAX = 12 };

/* Compares by `now <= before`, so that NaN, nothing measured where there was a figure, is worse; so
 * are fewer results compared or measured. Returns how many figures differ. Where other inputs were
 * tried, only the counts are compared, and that itself is worse: nothing can be said of the errors.
 * A climb's cases follow from the results, so of its errors only the worst one is compared. */
size_t figures_compare(const struct figures *before, const struct figures *now,
                       struct difference differences[DIFFERENCES_MAX]);

/* The worst of them. */
enum change differences_worst(const struct difference *differences, size_t count);

/* How one number changes where less is better. */
enum change change_of(double before, double now);

const char *change_name(enum change change); /* "same", "better", "changed", "worse" */

#endif
