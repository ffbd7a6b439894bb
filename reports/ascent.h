/* A short climb for each function, from the worst of its stored cases: the same steps every time,
 * as long as the results are the same. */
#ifndef TRUELERP_REPORTS_ASCENT_H
#define TRUELERP_REPORTS_ASCENT_H

#include "search.h"
#include "tally.h"

#include "../oracle/implementation.h"

/* From each of the worst so many stored cases. */
enum { ASCENT_STARTS = 4 };

struct ascent_plan {
    const struct implementation *implementation;
    const struct function *const *functions;
    size_t function_count;
    const struct values *const *rows; /* each function's stored cases */
    const size_t *row_counts;
    uint64_t steps; /* from each start */
    unsigned jobs;
    double time_limit; /* seconds for one call of the implementation */
};

/* What became of one function's climbs, in which every case has a number. A crash ends them. */
struct ascent {
    struct tally tally;
    struct record worst[WORST_COUNT]; /* the inputs of the cases that the tally keeps */
    struct record first[FINDING_COUNT];
    struct record trial; /* the case at hand */
    volatile uint64_t done;
    volatile bool calling; /* inside the implementation */
};

struct ascents {
    struct ascent *list; /* one a function, shared with the workers */
    size_t count;
};

/* The signals of process_signals are blocked; one of them but SIGCHLD ends the work early. Returns
 * false, after a message, where the system refuses memory or processes. ascents_free may follow
 * anyway. */
bool ascents_run(const struct ascent_plan *plan, struct ascents *ascents);
void ascents_free(struct ascents *ascents);

/* The inputs of a case that the tally keeps. */
const struct record *ascent_record(const struct ascent *ascent, const struct kept *kept);

#endif
