/* How many instructions functions take for everyday cases, counted by valgrind's callgrind: the one
 * measure of cost that a busy machine does not change. */
#ifndef TRUELERP_REPORTS_COST_H
#define TRUELERP_REPORTS_COST_H

#include "baseline.h"

#include "../oracle/implementation.h"

/* The first so many samples of a function's everyday domain. */
enum { COST_CASES = 500 };

/* Why nothing can be counted here, or NULL. */
const char *cost_obstacle(void);

/* What the built-in library's counts depend on: "gcc 12 Release fma". */
void cost_build_name(char name[BUILD_NAME]);

struct cost_plan {
    const char *implementation_path; /* NULL: the built-in one */
    const char *build;
    const struct function *const *functions;
    size_t function_count;
    unsigned jobs;
    double time_limit; /* seconds for one function */
};

/* What became of one function. */
struct cost_result {
    bool counted;
    bool blind; /* the program has no symbols */
    struct cost cost;
    char message[200]; /* why it was not */
};

/* Runs this program under callgrind for each function. The signals of process_signals are blocked;
 * one of them but SIGCHLD ends the work early. Returns false, after a message, where the system
 * refuses processes or files. */
bool cost_count(const struct cost_plan *plan, struct cost_result *results);

/* What runs there: calls the function for its cases and ends. */
int cost_calls(const char *function, const char *implementation_path);

/* Instructions below tl_ functions that were called, by whatever way, from implementation_call, as
 * a file of callgrind has them; 0 if there are none. */
uint64_t cost_of_profile(FILE *stream);

#endif
