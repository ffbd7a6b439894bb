/* A finished sweep as text, JSON, Markdown and HTML. All but what stands in `run` depends on the
 * sweep alone, not on the number of jobs. */
#ifndef TRUELERP_REPORTS_RENDER_H
#define TRUELERP_REPORTS_RENDER_H

#include "json.h"
#include "sweep.h"

#include <stdio.h>

struct report {
    const struct sweep *sweep;
    const char *implementation_path; /* NULL: the built-in one */
    /* Of a report on shards, whose sweep has no implementation at hand: its name, and the names, up
     * to a NULL, of the functions that it lacks. */
    const char *implementation_name;
    const char *const *lacking;
    const char *inputs_name;     /* of the user's own file of cases, else NULL */
    uint64_t samples;            /* asked for of each function */
    const struct tally *tallies; /* one a part */
    struct tally *totals;        /* one a function */
    size_t function_count;
    /* what may differ between two runs */
    const char *date;
    const char *command;
    double seconds;
};

/* Merges the parts' tallies into `totals`, which must be zeroed; of the stored cases only what was
 * found, as they are no sample. */
void report_total(const struct report *report);

/* What was judged, and whether it lacks a function of the catalogue. */
const char *report_implementation(const struct report *report);
bool report_lacks(const struct report *report, const struct function *function);

/* Parts first .. end - 1 belong to function `number`. */
struct part_range {
    size_t first, end;
};
struct part_range report_parts(const struct report *report, size_t number);

/* Those of them that count: all but the stored cases, which are the last one. */
struct part_range report_samples(const struct report *report, size_t number);

/* "near_opposite"; "inputs" where the cases are the user's own; "stored" */
const char *part_name(const struct sweep_part *part);

/* The drawn or stored case with the largest error, or, where each case has a bound of its own, with
 * the largest share of it. */
const struct kept *report_largest_known(const struct report *report, size_t number);

uint64_t report_compared(const struct report *report);

/* Why cases were skipped. */
extern const char skipped_note[];

/* A figure for people: three significant digits or fewer, "3.2e+12" if large, "beyond 1e307" where
 * the judge's figures saturate; "-" for NaN. */
enum { FIGURE_TEXT = 16 };
const char *figure(double number, char text[FIGURE_TEXT]);

/* Two figures, with as many digits as tell them apart if they are not the same. */
enum { APART_TEXT = 32 };
struct apart {
    char one[APART_TEXT], other[APART_TEXT];
};
struct apart figures_apart(double one, double other);

/* What error_scaled is counted in: "u S" or "ulp". */
const char *error_unit(const struct function *function);

/* Of the bound, "36 %"; "-" for nothing measured. */
const char *percentage(double share, char text[FIGURE_TEXT]);

/* The share of the bound at a case; "must be exact here" where the bound is 0 and was missed. */
const char *share_text(const struct kept *kept, char text[FIGURE_TEXT]);

/* The figure at the 99.9th percentile; "-" below 1000 errors, of which it would be the largest. */
const char *high_figure(const struct errors *errors, char text[FIGURE_TEXT]);

/* How many numbers a case has; one with more than SHOWN_NUMBERS is not written out. */
enum { SHOWN_NUMBERS = 40 };
size_t case_numbers(const struct values *inputs);

/* K, or that the bound varies from case to case. */
const char *bound_text(const struct function *function, char text[FIGURE_TEXT]);

/* Whether a case's bound is neither 0 nor K though it should be: 2^-1074 counts in it. */
bool own_bound(const struct function *function, const struct kept *kept);

/* How often something happens: "0.0012 %", "16 %"; "-" for NaN. */
const char *frequency(double share, char text[FIGURE_TEXT]);

/* The share of the measured results with another double nearer to the exact answer. */
double tally_misrounded(const struct tally *tally);

/* The largest error in the unit of the bound, or in ulps; NaN of nothing. */
double errors_max(const struct errors *errors);

/* The largest share of the bound; NaN of nothing. For people: share_text of the worst case. */
double tally_share(const struct tally *tally);

/* Writes the command that judges one case: printf 'a,b,t\n0x1p+0,...\n' | truelerp eval lerp -
 * The path may be NULL. */
void write_case_command(FILE *stream, const struct function *function, const struct values *inputs,
                        const char *implementation_path);

/* The same of a case that a report shows. */
void write_eval_command(FILE *stream, const struct report *report, const struct kept *kept);

/* A word in quotes for a POSIX shell, if it needs them. */
void write_shell_word(FILE *stream, const char *word);

/* The command line of a verb, as a shell reads it; to be freed. */
char *command_text(int argc, char **argv);

/* What is left out, in lines of a terminal's width, and an empty one; nothing for no names. */
void write_lacking(FILE *stream, const char *implementation, const char *const *names,
                   size_t count);

/* One of them in Markdown, after what comes before it. */
void write_lacking_name(FILE *stream, const char *name, bool first);

void render_terminal(FILE *stream, const struct report *report);
struct json_object *render_json(const struct report *report);
void render_markdown(FILE *stream, const struct report *report);

/* `json` is what render_json made of the report. */
void render_html(FILE *stream, const struct report *report, struct json_object *json);

#endif
