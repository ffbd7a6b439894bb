/* Looks for the worst cases with worker processes that climb: from samples of every domain, from
 * stored cases, and from the worst known so far.
 *
 * Every case belongs to the origin that its climb started from, and of each origin the worst case
 * is kept, in memory that outlives the workers: neither a crash of the implementation under test
 * nor an interrupt loses one. */
#ifndef TRUELERP_REPORTS_SEARCH_H
#define TRUELERP_REPORTS_SEARCH_H

#include "../corpus/draw.h"
#include "../oracle/implementation.h"
#include "tally.h"

#include <stdbool.h>
#include <stdint.h>

/* A case that somebody found before, and what they said of it. */
struct known {
    struct values inputs;
    char *seed;   /* "" if there was none */
    char *source; /* likewise */
};

/* Where climbs start: samples of a domain, or none, and cases that are known. */
struct origin {
    const struct function *function;
    const struct domain *domain; /* NULL: only the known cases */
    struct known *known;
    size_t known_count;
};

struct search_plan {
    const struct implementation *implementation;
    uint64_t seed;
    const struct origin *origins; /* ordered by function */
    size_t origin_count;
    unsigned jobs;
    double seconds;              /* how long to look */
    double time_limit;           /* seconds for one call of the implementation */
    bool show_progress;          /* on standard error */
    void (*save)(void *context); /* called now and then meanwhile */
    void *context;
};

/* Cases of more numbers are not taken. */
enum { RECORD_NUMBERS = 4096 };

struct record {
    double badness; /* climb_badness; -1 for findings that have no figures */
    struct judgement judgement;
    char note[KEPT_NOTE]; /* of a finding: what happened */
    size_t known;         /* which of the known cases it is; SIZE_MAX: none */
    size_t count, start[FIELDS_MAX + 1];
    double number[RECORD_NUMBERS];
};

/* Whether the case has few enough numbers, and if so, its copy. */
bool record_put(struct record *record, const struct values *inputs);
void record_get(const struct record *record, struct values *inputs);

enum search_status {
    SEARCH_DONE,
    SEARCH_INTERRUPTED, /* by a signal of process_signals, which is pending again */
    SEARCH_FAILED       /* the system refused memory or processes; said on standard error */
};

struct search;

/* NULL, after a message, if there is not memory enough. */
struct search *search_create(const struct search_plan *plan);
void search_free(struct search *search);

/* The caller has blocked the signals of process_signals. */
enum search_status search_run(struct search *search);

/* The following may be asked at any time. */

/* The worst measured case of an origin. Returns whether there is one. */
bool search_worst(const struct search *search, size_t origin, struct record *record);

/* The first finding of a kind; measured violations are none, the worst case tells of them. */
bool search_finding(const struct search *search, size_t origin, enum finding finding,
                    struct record *record);

/* Cases tried. */
uint64_t search_cases(const struct search *search, size_t origin);

/* Have all the known cases been tried? */
bool search_known_tried(const struct search *search, size_t origin);

#endif
