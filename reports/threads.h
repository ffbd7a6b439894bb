/* Functions called again and again, and then by two threads at once: whoever keeps something
 * between two calls, or in one place for all of them, needs more and more memory, or gives other
 * results. */
#ifndef TRUELERP_REPORTS_THREADS_H
#define TRUELERP_REPORTS_THREADS_H

#include "tally.h"

#include "../oracle/implementation.h"

/* Of each function, drawn from its domains in turn. */
enum { THREADS_CASES = 400 };

struct threads_plan {
    const struct implementation *implementation;
    const struct function *const *functions;
    size_t function_count;
    uint64_t seed;
    unsigned jobs;
    double time_limit; /* seconds for one call of the implementation */
};

/* What came of one function. */
struct threads_result {
    enum finding finding; /* FINDING_COUNT: none */
    size_t number;        /* of the case; THREADS_CASES: none by itself; where it died, the first */
    char note[KEPT_NOTE];
};

/* Case `number` of a function. */
void threads_case(uint64_t seed, const struct function *function, size_t number,
                  struct values *inputs);

/* As ascents_run. */
bool threads_run(const struct threads_plan *plan, struct threads_result *results);

#endif
