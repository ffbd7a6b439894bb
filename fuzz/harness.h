/* What a fuzz target does with a case: it calls the implementation under test, has the oracle judge
 * the result, counts, and keeps the worst. One to a process.
 *
 * The environment says how (README.md): TRUELERP_FUZZ_IMPL, _MODE, _RECORDS, _FINDINGS, _PROGRESS,
 * _GO_ON, _SECONDS and _RANGE. */
#ifndef TRUELERP_FUZZ_HARNESS_H
#define TRUELERP_FUZZ_HARNESS_H

#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <stdbool.h>
#include <stdint.h>

enum mode {
    MODE_EVERYDAY, /* prepared everyday cases, for measuring; libFuzzer decides about nothing */
    MODE_PLAIN,    /* libFuzzer as it comes */
    MODE_COUNTERS, /* it is told of errors and conditions, as if they were branches */
    MODE_MUTATOR,  /* and changes numbers, not bytes */
    MODE_CLIMB     /* and every change climbs for some steps; what is shipped */
};

enum found {
    FOUND_NOTHING,
    FOUND_VIOLATION,
    FOUND_CLASS_MISMATCH,
    FOUND_UNDECIDED,
    FOUND_ENVIRONMENT
};

/* Improvements by less than an octave are not kept, and between 2^-1075 and 2^1024 there are no
 * more than this many others. */
enum { IMPROVEMENTS_MAX = 2200 };

struct improvement {
    double badness;
    double seconds; /* of processor time */
};

struct harness {
    const struct function *function;
    const struct implementation *implementation;
    const char *implementation_path; /* NULL: the built-in one */
    enum mode mode;
    unsigned passed;      /* kinds of findings, 1 << enum found each, that are only counted */
    const char *findings; /* directories; NULL: none */
    const char *records;
    double seconds; /* of processor time, after which a run ends; 0: no limit */
    int range;      /* cases with numbers outside of 2^-range to 2^range are left out; 0: none */
    struct judge *judge;
    struct values results;
    uint64_t runs, judged, found;
    struct values worst; /* the case nearest to its bound, or farthest beyond */
    double badness;      /* of it; -1: none was measured */
    struct judgement worst_judgement;
    struct improvement improvements[IMPROVEMENTS_MAX]; /* each of an octave at least */
    size_t improvement_count;
};

/* What came of one case. */
struct trial {
    enum found found;
    const char *note; /* the environment's change; holds until the next call */
    struct judgement judgement;
    double badness; /* climb_badness */
};

/* Whether this is a finding that is to be told of. */
static inline bool harness_stops_at(const struct harness *harness, enum found found)
{
    return found != FOUND_NOTHING && !(harness->passed >> found & 1);
}

/* Ends the program with a message if something is wrong: exit code 2 for what the environment
 * variables ask, 3 for a machine on which no answer can be trusted. */
void harness_create(struct harness *harness, const char *function);

void harness_try(struct harness *harness, const struct values *inputs, struct trial *trial);

/* "NAME: R runs, J cases judged", what the largest error was, and when the search had come within
 * an octave of it, on standard error. */
void harness_print(const struct harness *harness);

/* "violation", "class mismatch", "undecided", "environment" */
const char *found_name(enum found found);

/* Of this process, in seconds. */
double harness_processor_time(void);

#endif
