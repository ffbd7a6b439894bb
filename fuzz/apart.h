/* Work that may crash, hang or swell, in a process of its own. */
#ifndef TRUELERP_FUZZ_APART_H
#define TRUELERP_FUZZ_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum apart_end {
    APART_RETURNED, /* the work was done */
    APART_ENDED,    /* the process ended in the middle of it: `status` is what waitpid gave */
    APART_LATE,     /* and was killed, */
    APART_SWOLLEN,  /* the same */
    APART_STOPPED,  /* the same, since apart_interrupted */
    APART_FAILED    /* the system refused the process */
};

struct apart {
    enum apart_end end;
    int status;
    char *said; /* all that it wrote, to be freed */
};

struct apart_limits {
    double seconds;
    size_t megabytes; /* more than this process has; 0: no limit */
};

/* The work writes to `output`; what it or anybody writes to standard output or standard error goes
 * there as well. */
void apart_run(void (*work)(void *context, FILE *output), void *context,
               const struct apart_limits *limits, struct apart *apart);

/* From now on, SIGINT and SIGTERM end such work early, and the second of them this process. */
void apart_catch_signals(void);
bool apart_interrupted(void);

/* Seconds, from some time on. */
double apart_time(void);

/* Whether both ended in the same way at the same place: by the same signal or code, with the same
 * kind of sanitizer's report, and with the same two calls innermost on the stack that it shows but
 * for those of the C library. Both were forked from one process, so addresses can be compared. */
bool apart_alike(const struct apart *one, const struct apart *other);

#endif
