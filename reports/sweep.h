/* Runs many cases of many functions through an implementation and the judge.
 *
 * The cases are cut into chunks, which worker processes take one by one; each worker fills tallies
 * of its own in shared memory. Processes, not threads: an implementation under test may have state,
 * crash or hang, and costs no more than the call in which it did. A worker that dies is replaced
 * and goes on behind the fatal case; a function of which SWEEP_HANGS calls did not return is called
 * no more, which is the one thing that depends on how the work is split. */
#ifndef TRUELERP_REPORTS_SWEEP_H
#define TRUELERP_REPORTS_SWEEP_H

#include "../corpus/draw.h"
#include "../oracle/implementation.h"
#include "tally.h"

#include <stdbool.h>
#include <stdint.h>

/* So many calls of a function may last too long. */
enum { SWEEP_HANGS = 3 };

/* One function's cases from one source. */
struct sweep_part {
    const struct function *function;
    size_t function_number;      /* in the sweep, from 0 */
    const struct domain *domain; /* NULL: the cases are rows[0 .. cases - 1] */
    const struct values *rows;
    bool stored; /* the rows are the built-in cases */
    uint64_t cases;
};

/* One of `count` shares of a sweep's cases, all about equally long; numbers count from 1. {0, 0} is
 * the whole. Every case lies in exactly one share, wherever the shares run. */
struct sweep_share {
    uint64_t number, count;
};

struct sweep {
    const struct implementation *implementation;
    uint64_t seed;
    const struct sweep_part *parts; /* ordered by function */
    size_t part_count;
    struct sweep_share share; /* what is run of it */
    unsigned jobs;
    double time_limit;  /* seconds for one call of the implementation */
    bool show_progress; /* on standard error */
    uint64_t *hangs;    /* calls that did not return, by function number: those of earlier sweeps,
                           to which this one adds; NULL: nobody asks */
};

enum sweep_status {
    SWEEP_DONE,
    SWEEP_INTERRUPTED, /* by a signal of process_signals, which is pending again */
    SWEEP_FAILED       /* the system refused memory or processes; said on standard error */
};

/* Fills tallies[0 .. part_count - 1], which must be zeroed. The caller has blocked the signals of
 * process_signals. */
enum sweep_status sweep_run(const struct sweep *sweep, struct tally *tallies);

/* Adds to cases[0 .. part_count - 1] how many of each part's cases lie in the shares `first` to
 * `last` of `count`. */
void sweep_share_cases(const struct sweep *sweep, uint64_t count, uint64_t first, uint64_t last,
                       uint64_t *cases);

/* Case `index` of a part: a pure function of the sweep. */
void sweep_case(const struct sweep *sweep, size_t part, uint64_t index, struct values *inputs);

#endif
