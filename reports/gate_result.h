/* What a gate found, and how it is told: on a terminal, as Markdown, JSON, JUnit XML, annotations.
 */
#ifndef TRUELERP_REPORTS_GATE_RESULT_H
#define TRUELERP_REPORTS_GATE_RESULT_H

#include "baseline.h"
#include "program.h"

#include <stdbool.h>
#include <stdio.h>

/* One thing to look at. */
struct gate_finding {
    const char *kind;         /* "regression", "improvement", "change", "new", "missing", or that of
                                 a result outside its bound: "violation", "crash", ... */
    enum exit_code exit_code; /* EXIT_WITHIN: told, and allowed */
    char *text;               /* one line, or NULL where the differences say all */
    struct difference *differences;
    size_t difference_count;
    char *command; /* shows the worst case; NULL: there is none */
    size_t line;   /* of the baseline; 0: not there */
};

/* What was checked: one line of the baseline, or what takes its place. */
struct gate_check {
    const char *stage;
    char function[FIGURES_NAME];
    char domain[FIGURES_NAME];
    char *skipped; /* why nothing could be said; NULL: it could */
    struct gate_finding *findings;
    size_t finding_count;
};

struct gate_stage {
    const char *name;
    size_t sources; /* lines of the baseline, or what takes their place */
    uint64_t cases, compared;
    double seconds;
    char *skipped;
};

enum { GATE_STAGES = 8 };

struct gate {
    const char *implementation;
    const char *baseline_name;           /* NULL: no baseline */
    bool built_in;                       /* it is no file */
    const char *baseline_implementation; /* what it was made of */
    bool update;
    bool written;
    struct gate_stage stages[GATE_STAGES];
    size_t stage_count;
    struct gate_check *checks;
    size_t check_count;
    const struct baseline *now;    /* this build's figures */
    const struct baseline *before; /* NULL: no baseline */
    enum figure_set set;           /* which one was drawn */
    enum exit_code exit_code;
    double seconds;
    const char *command;
    const char *update_command; /* the one that takes what is found as the baseline */
    const char *const *lacking; /* names of functions that the implementation has not */
    size_t lacking_count;
};

struct gate_check *gate_add_check(struct gate *gate, const char *stage, const char *function,
                                  const char *domain);

/* The text, if there is one, stays the caller's; the command becomes the finding's. */
struct gate_finding *gate_add_finding(struct gate_check *check, const char *kind,
                                      enum exit_code exit_code, const char *text, char *command);
void gate_set_differences(struct gate_finding *finding, const struct difference *differences,
                          size_t count);
void gate_free(struct gate *gate);

/* The gravest of its findings. */
enum exit_code gate_check_exit(const struct gate_check *check);

/* Findings of this exit code. */
size_t gate_count(const struct gate *gate, enum exit_code exit_code);

/* "max error 2.1 -> 2.4 (worse)" */
void gate_write_difference(FILE *stream, const struct difference *difference);

/* The same as a line for eyes. */
void gate_print_difference(FILE *stream, const struct difference *difference);

/* A finding in one line, without where it is. */
void gate_write_finding(FILE *stream, const struct gate_finding *finding);

void gate_write_terminal(FILE *stream, const struct gate *gate);
void gate_write_markdown(FILE *stream, const struct gate *gate);
void gate_write_json(FILE *stream, const struct gate *gate);

/* JUnit XML: a test suite for each stage, a test case for each check. Bytes that XML cannot have
 * become U+FFFD. */
void gate_write_junit(FILE *stream, const struct gate *gate);

/* Workflow commands of GitHub Actions: it shows ten errors and ten warnings of a step. */
void gate_write_github(FILE *stream, const struct gate *gate);

/* Text and attribute values as XML has them. */
void xml_write(FILE *stream, const char *text);

#endif
