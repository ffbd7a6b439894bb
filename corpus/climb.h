/* Makes a case worse: from a start, by small and large changes, keeping what is no better.
 *
 * What "worse" means comes through a callback, so that reports, gates and fuzzers can each ask for
 * what they are after. All randomness is a stream's: the same seed and start climb the same way on
 * every machine, given the same measure. */
#ifndef TRUELERP_CORPUS_CLIMB_H
#define TRUELERP_CORPUS_CLIMB_H

#include "../oracle/judge.h"
#include "draw.h"

#include <stdbool.h>

/* Changes cases of one function. */
struct mutator {
    const struct function *function;
    const struct domains *domains;
    struct values sample; /* what a change may borrow from */
};

void mutator_create(struct mutator *mutator, const struct function *function);
void mutator_free(struct mutator *mutator);

/* Changes a case in one to a few places; sometimes it stays as it is. What is fit by function_fault
 * before is so afterwards. Allocates nothing once the memory is large enough for the cases. */
void climb_mutate(struct mutator *mutator, struct stream *stream, struct values *inputs);

/* How bad a case is; negative or NaN: it does not count. */
typedef double climb_measure(void *context, const struct values *inputs);

/* How near a judged case is to its bound, for measures: the share of it that the error takes, less
 * what the results' own rounding explains among subnormal numbers, where a correctly rounded result
 * may take half of 2^-1074 and hence of a small bound. Above 1 for every violation with figures,
 * and for nothing else; negative for what has none. */
double climb_badness(const struct function *function, const struct values *results,
                     const struct judgement *judgement);

struct climb {
    climb_measure *measure;
    void *context;
    struct mutator mutator;
    struct stream stream;
    struct values best; /* the worst case so far */
    double badness;     /* of it; negative: none was measured yet */
    uint64_t steps;
    uint64_t idle;       /* steps since the last one that found a worse case */
    struct values place; /* where it stands: as bad as `best`, or while it strays a little less */
    double place_badness;
    struct values trial;
};

void climb_create(struct climb *climb, const struct function *function, climb_measure *measure,
                  void *context);
void climb_free(struct climb *climb);

/* Sets out from a case, which is measured. */
void climb_start(struct climb *climb, uint64_t seed, const struct values *start);

/* Sets out from the worst of `samples` cases that a domain draws, from number `first` on; the seed
 * is theirs and the climb's. */
void climb_start_in(struct climb *climb, uint64_t seed, const struct domain *domain, uint64_t first,
                    uint64_t samples);

/* One change and one measurement. Returns whether that found a case worse than `best`, which then
 * is that case; `best` never becomes less bad. */
bool climb_step(struct climb *climb);

/* Steps until `patience` of them in a row were in vain. */
void climb_run(struct climb *climb, uint64_t patience);

#endif
