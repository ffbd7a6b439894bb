/* What the verbs of the program share: exit codes, messages, the implementation under test. */
#ifndef TRUELERP_REPORTS_PROGRAM_H
#define TRUELERP_REPORTS_PROGRAM_H

#include "../oracle/implementation.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

enum exit_code {
    EXIT_WITHIN = 0,
    EXIT_FINDING = 1,  /* a violation, or anything else that the reader must look at */
    EXIT_USAGE = 2,    /* wrong usage, unreadable input or unwritable output */
    EXIT_UNTRUSTED = 3 /* this machine cannot give a trustworthy answer */
};

/* The limits that verbs share: seconds that a call may take, and processes. */
enum { DEFAULT_TIME_LIMIT = 10, TIME_LIMIT_MAX = 86400, JOBS_MAX = 1024 };

/* Which of the two to end with: usage goes before untrusted before finding. */
enum exit_code exit_worse(enum exit_code a, enum exit_code b);

/* One line on standard error, after the program's name. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Text for options: what the messages of argp call the program, "truelerp VERB". */
void program_parse(const struct argp *argp, const char *verb, int argc, char **argv, void *input);

/* A whole number in decimal, such as 300000 or 3e5, or in hexadecimal after 0x; ends the program
 * with a message if it is none or lies outside. */
uint64_t option_number(struct argp_state *state, const char *option, const char *text,
                       uint64_t least, uint64_t most);

/* A number in decimal, such as 0.5, likewise. */
double option_decimal(struct argp_state *state, const char *option, const char *text, double least,
                      double most);

/* A path in a message, which says of an empty one that it is. */
const char *path_shown(const char *path);

/* A list of `count` items with room for one more; grown by this alone, from NULL on. Ends the
 * program if memory runs out. */
void *program_grown(void *list, size_t count, size_t size);

/* The function of that name, or NULL after a message with the nearest name and all others. */
const struct function *program_function(const char *name);

/* What a verb is asked about: functions by name, or with none named all of them. */
struct selection {
    char **names;
    int count;
};

/* The rest of the command line, at ARGP_KEY_ARGS. */
struct selection selection_rest(const struct argp_state *state);

bool selection_holds(const struct selection *selection, const char *name);

/* Whether all that is named exists; says what does not. */
bool selection_is_known(const struct selection *selection);

/* EXIT_WITHIN, or a message and EXIT_UNTRUSTED if the floating-point environment is not the one
 * that every answer relies on. To be asked first: opening an implementation restores it. */
enum exit_code program_environment(void);

/* The implementation under test. */
struct subject {
    const struct implementation *implementation;
    struct implementation *opened; /* NULL: the built-in one */
    const char *path;              /* NULL: the built-in one */
};

/* Opens the shared object at `path`, or takes the built-in library if that is NULL. Says what is
 * wrong: EXIT_USAGE if it cannot be opened, EXIT_FINDING if that changed the floating-point
 * environment (which is put back; the subject can be used). Loading that takes longer than so many
 * seconds ends the program as a finding. */
enum exit_code subject_open(struct subject *subject, const char *path, uint64_t time_limit);
void subject_close(struct subject *subject);

/* The names of what is asked about and the subject lacks, in catalogue order; at most catalog_count
 * of them. Returns how many. */
size_t subject_lacking(const struct subject *subject, const struct selection *selection,
                       const char *names[]);

/* Whether all that is named exists and the subject has it; says what does not. */
bool subject_has_selection(const struct subject *subject, const struct selection *selection);

/* Whether both lead to one regular file, or to the place of one. */
bool program_same_file(const char *one, const char *other);

/* A file that the command line names: "--baseline", its path. */
struct program_file {
    const char *called;
    const char *path; /* NULL: it is not there; of what is read, "-" is standard input */
    bool written;
};

/* Whether nothing that is written takes the place of another of these, whether or not there is a
 * file yet; says so if it would. To be asked before the work. */
bool program_files_apart(const struct program_file *files, size_t count);

/* The verbs. */
int verb_bench(int argc, char **argv);
int verb_bench_oracle(int argc, char **argv);
int verb_draw(int argc, char **argv);
int verb_diff(int argc, char **argv);
int verb_eval(int argc, char **argv);
int verb_gate(int argc, char **argv);
int verb_hunt(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_selftest(int argc, char **argv);
int verb_table(int argc, char **argv);

#endif
