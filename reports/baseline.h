/* What a build's accuracy, results and cost were: reports/baseline.json, reviewed like code.
 *
 * Sets of figures, a line for each function and source of cases, and instruction counts, a line for
 * each build and function. The file's order is the catalogue's, so that its differences read well;
 * figures are hexadecimal and thus exact. */
#ifndef TRUELERP_REPORTS_BASELINE_H
#define TRUELERP_REPORTS_BASELINE_H

#include "figures.h"
#include "json_tree.h"

#include <stdio.h>

enum { BUILD_NAME = 64 };

/* How many instructions a build of a function took for so many everyday cases. */
struct cost {
    char build[BUILD_NAME]; /* "gcc 12 Release fma" */
    char function[FIGURES_NAME];
    uint64_t cases;
    uint64_t instructions;
    size_t line;
};

enum figure_set {
    SET_STORED, /* the corpus; the only source is called "stored" */
    SET_FULL,   /* samples of every domain */
    SET_QUICK,  /* the first of them, for a quick gate */
    SET_CLIMB,  /* what a climb from the worst stored cases passes through, called "climb" */
    SET_COUNT
};

struct baseline {
    char implementation[BUILD_NAME]; /* "truelerp 0.1.0" */
    uint64_t seed;
    uint64_t samples[SET_COUNT]; /* of each function; full and quick only */
    struct figures *figures[SET_COUNT];
    size_t figure_count[SET_COUNT];
    struct cost *costs;
    size_t cost_count;
};

/* Reads a file, or bytes that messages call `name`. Returns NULL, or a message ("FILE:LINE:COLUMN:
 * what is wrong"), to be freed. baseline_free may follow anyway. */
char *baseline_read(struct baseline *baseline, const char *path);
char *baseline_parse(struct baseline *baseline, const char *name, const void *bytes, size_t size);
void baseline_free(struct baseline *baseline);

/* The same of a file that was read already: returns whether it could be understood; if not, the
 * tree's message tells why. */
bool baseline_of(struct baseline *baseline, struct tree *tree);

/* The "schema" of a baseline that this program reads. */
extern const char baseline_schema[];

/* Puts everything into the file's order first. The same baseline gives the same bytes. */
void baseline_write(FILE *stream, struct baseline *baseline);

const char *figure_set_name(enum figure_set set); /* "stored", "full", "quick", "climb" */

const struct figures *baseline_figures(const struct baseline *baseline, enum figure_set set,
                                       const char *function, const char *domain);
const struct cost *baseline_cost(const struct baseline *baseline, const char *build,
                                 const char *function);

/* Adds a line. */
void baseline_add_figures(struct baseline *baseline, enum figure_set set,
                          const struct figures *figures);
void baseline_add_cost(struct baseline *baseline, const struct cost *cost);

/* Forgets the figures of a function, or its costs for one build. */
void baseline_forget_figures(struct baseline *baseline, const char *function);
void baseline_forget_cost(struct baseline *baseline, const char *build, const char *function);

#endif
