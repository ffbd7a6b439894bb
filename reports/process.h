/* What verbs that work with several processes share. */
#ifndef TRUELERP_REPORTS_PROCESS_H
#define TRUELERP_REPORTS_PROCESS_H

#include "tally.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Seconds, from some time on. */
double process_time(void);

/* How many processors this program may use. */
unsigned process_processors(void);

/* The signals that end the work early: SIGINT, SIGTERM, SIGHUP and SIGQUIT, as far as they are not
 * ignored, and SIGCHLD. Whoever waits for them blocks them first. */
void process_signals(sigset_t *signals);

/* Whether one of them but SIGCHLD is pending. */
bool process_interrupted(void);

/* Memory that is shared with the processes forked from here on. Zeroed, and not taken from the
 * machine before it is used. NULL if there is none. */
void *process_shared_memory(size_t size);

/* As fork, but for a child that ends with its parent, and says so where there is no process to be
 * had (-1). */
pid_t process_fork(void);

/* From here on what this process prints, which is the implementation, goes to standard error: the
 * program's own output is to be read by other programs. Returns a descriptor of standard output as
 * it was, or -1. */
int process_divert_output(void);

/* Puts such a descriptor back in its place. */
void process_restore_output(int output);

/* A worker's calls of the implementation, as its parent sees them. Zeroed to begin with. */
struct process_watch {
    bool in_call;
    uint64_t call; /* which one */
    double since;  /* when it was first seen in it */
};

/* Looks again: `calling`, and how many calls came before. Returns whether this one has lasted for
 * longer than the limit. */
bool process_call_hangs(struct process_watch *watch, bool calling, uint64_t calls,
                        double time_limit);

/* Waits for the process, of which these are its calls, and kills it where one lasts too long. The
 * caller has blocked SIGCHLD since before it was forked. Returns false, with errno, where it cannot
 * be waited for; else leaves the status that waitpid gave. */
bool process_wait(pid_t process, const _Atomic bool *calling, const _Atomic uint64_t *calls,
                  double time_limit, int *status, bool *timed_out);

/* Work in processes, one a task. */
struct process_tasks {
    size_t count;
    unsigned jobs;     /* so many at once */
    double time_limit; /* seconds for one call */
    /* In the task's own process, which ends with 0 after it. */
    void (*work)(void *context, size_t task);
    /* Whether it is in a call of the implementation, and how many came before. */
    bool (*calling)(void *context, size_t task, uint64_t *calls);
    /* It ended by itself, or in a call that lasted too long; `status` is that of waitpid. */
    void (*ended)(void *context, size_t task, int status, bool timed_out);
    void *context;
};

/* The signals of process_signals are blocked; one of them but SIGCHLD ends the work early and is
 * pending again, and tasks that did not end by then are not told of. Returns false, after a
 * message, where the system refuses memory or processes. */
bool process_run_tasks(const struct process_tasks *tasks);

/* Has signals of timers wait, or lets them come again. The implementation may have set one, and
 * what ends a worker while it is at no case is nobody's. Either may be asked for twice. */
void process_hold_timers(void);
void process_release_timers(void);

/* Whether it was the implementation that ended a worker: in a call of it, or by a timer that it
 * set, for nobody else sets one. */
bool process_ended_by_call(int status, bool calling);

/* Why a worker ended, by the status that waitpid gave, and whether the implementation ended it. A
 * time limit that is not 0 is the one for which it was killed. */
void process_describe_end(int status, bool by_call, double time_limit, char note[KEPT_NOTE]);

/* Both: what it means that a worker ended before its work did. */
enum finding process_finding(int status, bool calling, bool timed_out, double time_limit,
                             char note[KEPT_NOTE]);

#endif
