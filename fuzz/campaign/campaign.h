/* The overnight campaign: what its parts share.
 *
 * Everything that must outlive the program, however it ends, is a file in the output folder:
 *
 *   corpus/NAME/      inputs that reach something new; libFuzzer writes each as it is found
 *   records/NAME/     inputs with the largest errors, written by the target itself
 *   findings/NAME/    failing inputs (crash-*, timeout-*, oom-*), each with FILE.log, what the
 *                     target said, and FILE.what, in short; findings/NAME.csv, the failing cases,
 *                     one for each thing that is wrong
 *   progress/         what the running targets have done so far (progress.h)
 *   gone/NAME/        findings that do not fail any more; the corpus has these inputs, too
 *   state.json        what was counted so far, replaced as a whole
 *   overnight.*       the page, replaced as a whole
 */
#ifndef TRUELERP_FUZZ_CAMPAIGN_H
#define TRUELERP_FUZZ_CAMPAIGN_H

#include "../progress.h"

#include "../../reports/json.h"
#include "../../reports/program.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    NAME_SIZE = 64,
    TEXT_SIZE = 256,
    LINE_SIZE = 1 << 15,  /* a case with the longest lists */
    TAIL_SIZE = 1 << 15,  /* of a target's output, what is kept */
    FINDINGS_ENOUGH = 20, /* things that are wrong with one target: its time is better spent on
                             others */
    ALIKE_ENOUGH = 10,    /* inputs of one of them; no more are kept */
    FINDINGS_MOST = 1000  /* of all */
};

enum target_status {
    TARGET_READY,
    TARGET_UNCLEAN, /* an input of its corpus fails by itself: to be merged without it */
    TARGET_PARKED   /* not fuzzed any more in this campaign: `note` says why */
};

/* What one source file of the library has, and what was reached. */
struct coverage {
    bool measured;
    uint64_t lines, lines_reached, branches, branches_reached;
    char file[NAME_SIZE];
};

/* The largest error that a target told of. */
struct largest {
    bool told;
    double error;
    double share; /* of the case's bound */
    char unit[16];
};

struct target {
    char name[NAME_SIZE]; /* "hermite" */
    char binary[PATH_MAX];
    const struct function *function; /* NULL: one that judges nothing, such as a parser's */
    enum target_status status;
    char note[TEXT_SIZE];

    /* this campaign, over all its sessions */
    uint64_t executions; /* as libFuzzer counts them */
    uint64_t runs;       /* as the target counts them, */
    uint64_t judged;     /* up to where a slice was cut short, by whatever it was */
    double seconds;
    unsigned slices;  /* that ended by themselves */
    unsigned started; /* all of them */
    uint64_t features;
    uint64_t edges;
    struct largest error;

    /* of the schedule */
    double pass; /* seconds so far, divided by the weight they had */
    double weight;
    uint64_t corpus_files; /* when last counted */
    uint64_t merged_files; /* after the last merge */
    unsigned running;
    bool merging;
    bool refused;          /* it was told to do what it cannot */
    bool unmerged;         /* the last merge failed */
    unsigned repeats;      /* slices that ended with what was known already, */
    double repeat_seconds; /* and their time */
    uint64_t alike;        /* failing inputs that were not kept, and cases that were passed over */
    bool clean;            /* the corpus has just been rid of failing inputs; seeds are left out */
    struct coverage coverage;
    bool coverage_tried;
};

enum failure_kind {
    KIND_VIOLATION,
    KIND_CLASS,
    KIND_UNDECIDED,
    KIND_ENVIRONMENT,
    KIND_CRASH,
    KIND_HANG,
    KIND_MEMORY,
    KIND_SILENT, /* ran and compared nothing */
    KIND_COUNT
};

enum failure_state {
    FAILURE_NEW,      /* not yet run again */
    FAILURE_FAILS,    /* fails again by itself */
    FAILURE_UNSTEADY, /* found in this campaign, but does not fail again by itself */
    FAILURE_GONE      /* of an earlier campaign, and does not fail any more */
};

struct failure {
    size_t target;
    enum failure_kind kind;
    enum failure_state state;
    bool earlier;        /* found by an earlier session */
    bool table;          /* `path` is no input but a table of cases */
    bool running;        /* being run again, or told of */
    bool told;           /* its case has been asked for */
    char path[PATH_MAX]; /* the input; empty: there is none */
    char what[TEXT_SIZE];
    char where[NAME_SIZE]; /* the innermost function on the stack of a crash; empty: not known */
    char *command;         /* that judges the case, as the target told it; NULL: no such case */
};

enum job_kind { JOB_NONE, JOB_FUZZ, JOB_MERGE, JOB_AGAIN, JOB_TELL, JOB_COVERAGE };

/* A child process, and what it has said so far. */
struct job {
    enum job_kind kind;
    size_t target;
    size_t finding; /* JOB_AGAIN, JOB_TELL */
    bool inside;    /* it works in the output folder, with names relative to it */
    pid_t pid;
    int output;
    double start;
    double deadline; /* killed then */
    bool overdue;
    bool stalled; /* overdue because it got no farther */
    int status;
    bool stopped; /* by us, early */
    double slice;
    double weight;    /* the target's, at the start */
    uint64_t beat;    /* cases and runs when last looked at, */
    double beat_seen; /* and when there were more than before */

    char line[LINE_SIZE];
    size_t used;
    char tail[TAIL_SIZE]; /* a ring */
    uint64_t written;

    uint64_t executions;
    uint64_t features;
    uint64_t edges;
    bool searching; /* it has read its corpus */
    bool counted;   /* it said what it compared */
    uint64_t runs;
    uint64_t judged;
    uint64_t passed; /* cases with findings of kinds that are known, which do not stop it */
    bool unusable;   /* it could not write, or was told to do what it cannot */
    struct largest error;
    char what[TEXT_SIZE];    /* the target's own words on what failed */
    char summary[TEXT_SIZE]; /* the sanitizer's or libFuzzer's */
    char where[NAME_SIZE];   /* the innermost function on its stack that is not the runtime's */
    char artifact[PATH_MAX];
    char last[TEXT_SIZE]; /* line */
    char *command;        /* that judges the failing case */
};

struct options {
    const char *out;
    const char *binaries;
    const char *implementation;
    double seconds;
    unsigned jobs;
    unsigned timeout; /* seconds for one input */
    unsigned memory;  /* megabytes for one process; 0: by the machine */
    uint64_t disk;    /* megabytes for the output folder */
    bool fresh;
    bool coverage;
    char **names;
    size_t name_count;
};

enum campaign_end {
    END_RUNNING,
    END_FINISHED,
    END_INTERRUPTED,
    END_ENDED /* early: `reason` says why */
};

struct campaign {
    struct options options;
    bool status_line; /* on a terminal, in place of a line for each slice */
    char *command;
    struct target *targets;
    size_t target_count;
    struct job *jobs;
    struct failure findings[FINDINGS_MOST];
    size_t finding_count;
    uint64_t findings_left_out;

    char date[32];
    double elapsed; /* of the fuzzing, in earlier sessions */
    double begun;   /* process time when this session's fuzzing began; 0: not yet */
    double ended;   /* the same for its end; 0: it goes on */
    unsigned sessions;
    bool other_implementation; /* than in the campaign before */
    enum campaign_end end;
    enum exit_code code;
    char reason[TEXT_SIZE];
    uint64_t out_bytes, out_most; /* of the output folder, now and at most */
    uint64_t memory_most;         /* kilobytes, of one process */
    unsigned limit_mb;
    char coverage_note[TEXT_SIZE];
    struct coverage *files; /* of the library, by all targets together */
    size_t file_count;
    int reserve; /* a file whose room the page may take when the disk is full */
};

/* options.c */
void options_parse(struct campaign *campaign, int argc, char **argv);
enum exit_code options_find_targets(struct campaign *campaign);

/* schedule.c: each starts the next job of its kind in the free slot, or returns false: there is
 * nothing to do. */
bool pick_again(struct campaign *campaign, struct job *job); /* or tell of a finding */
bool pick_fuzz(struct campaign *campaign, struct job *job);
bool pick_merge(struct campaign *campaign, struct job *job);
bool pick_coverage(struct campaign *campaign, struct job *job);

/* job.c */
bool job_start(struct campaign *campaign, struct job *job, char *const arguments[]);
void job_read(struct job *job, struct campaign *campaign);
void job_stop(struct job *job, int signal);
void job_clear(struct job *job);
/* Whether stacks can have names: llvm-symbolizer is told of files in quotes, and waits for ever for
 * the end of a name that has one. */
bool job_has_names(const struct campaign *campaign, const struct target *target);
/* The last of its output, in order; to be freed. */
char *job_tail(const struct job *job);

/* progress.c: what targets leave behind of a slice that was cut short. */
char *progress_path(const struct campaign *campaign, const struct job *job);
void progress_forget(const struct campaign *campaign, const struct job *job);
/* The counts and the largest error, where the target could not say them any more. */
void progress_take(const struct campaign *campaign, struct job *job);
/* The input at which it stopped becomes a file and the job's artifact, where the engine knows none.
 */
void progress_rescue(const struct campaign *campaign, struct job *job);
/* Whether the target has not got any farther for so long that it hangs. */
bool progress_stalled(const struct campaign *campaign, struct job *job);
/* Adds what the running targets have done so far. */
void progress_add_running(struct campaign *campaign);
/* Adds what targets had done when the campaign itself was killed, and forgets it. */
void progress_recover(struct campaign *campaign, bool count);

/* work.c: what jobs do, and what follows from how they end. */
bool work_fuzz(struct campaign *campaign, struct job *job, struct target *target, double slice);
bool work_merge(struct campaign *campaign, struct job *job, struct target *target);
bool work_again(struct campaign *campaign, struct job *job, struct failure *finding);
bool work_tell(struct campaign *campaign, struct job *job, struct failure *finding);
bool work_coverage(struct campaign *campaign, struct job *job, struct target *target);
void work_ended(struct campaign *campaign, struct job *job);

/* store.c */
char *store_path(const struct campaign *campaign, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum exit_code store_open(struct campaign *campaign);
void store_save(struct campaign *campaign);
/* Finds the failing inputs that lie there and are not known yet. */
void store_findings(struct campaign *campaign, bool earlier);
uint64_t store_count(const char *folder, uint64_t *bytes);
void store_measure(struct campaign *campaign);
void store_check_disk(struct campaign *campaign);
void store_remove(const char *path);
void store_move_gone(const struct campaign *campaign, struct failure *finding);
bool store_swap_merged(const struct campaign *campaign, const struct target *target);

/* coverage.c */
void coverage_prepare(struct campaign *campaign);
bool coverage_wanted(const struct campaign *campaign, const struct target *target);
void coverage_take(struct campaign *campaign, struct target *target, bool good);
void coverage_total(struct campaign *campaign);

/* finding.c */
struct failure *failure_add(struct campaign *campaign, const struct target *target,
                            enum failure_kind kind, const char *path, const char *what);
/* Whether there is one with the same input. */
bool failure_known(const struct campaign *campaign, const struct failure *failure);
enum failure_kind failure_kind_of(const char *path, const char *what);
bool failure_counts(const struct failure *finding);
/* Failing inputs; of all targets where `target` is NULL. */
size_t failure_total(const struct campaign *campaign, const struct target *target);
/* Things that are wrong: inputs of one target that fail in the same way, at the same place, are
 * one.
 */
size_t failure_distinct(const struct campaign *campaign, const struct target *target);
bool failure_alike(const struct failure *one, const struct failure *other);
/* How many there are like it. */
size_t failure_alike_count(const struct campaign *campaign, const struct failure *finding);
/* The kinds of which there are inputs enough, so that the target need not stop at them any more, as
 * TRUELERP_FUZZ_GO_ON has them; to be freed. Empty where there are none. */
char *failure_known_kinds(const struct campaign *campaign, size_t target);
/* What failed, without the kind's name in front. */
const char *failure_words(const struct failure *finding);
const char *kind_name(enum failure_kind kind);

/* page.c */
bool page_write(struct campaign *campaign);
void page_print(FILE *stream, const struct campaign *campaign);

/* overnight.c */
/* Of fuzzing, over all sessions of this campaign. */
double campaign_seconds(const struct campaign *campaign);
void campaign_say(struct campaign *campaign, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
