/* A file that is there whole or not at all: written under another name, renamed when complete. */
#ifndef TRUELERP_REPORTS_OUTPUT_H
#define TRUELERP_REPORTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *path;
    char *temporary; /* NULL: `path` is no regular file (a pipe, a device) and written directly */
};

/* All but output_discard say what is wrong and return false on failure; the output is discarded
 * then. */
bool output_open(struct output *output, const char *path);

/* Brings everything to the disk, still under the other name. */
bool output_finish(struct output *output);

/* After output_finish. */
bool output_publish(struct output *output);

/* May follow anything. */
void output_discard(struct output *output);

/* Makes a directory and those above it, as far as they do not exist, and checks that files can be
 * made in it. */
bool output_directory(const char *path);

#endif
