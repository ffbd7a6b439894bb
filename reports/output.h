/* A file that is there whole or not at all: written under another name, renamed when complete. A
 * symbolic link stays, and it is its target that is written; the mode of a file that was there
 * stays. A SIGINT, SIGTERM, SIGHUP or SIGQUIT that ends the program removes what is
 * incomplete. */
#ifndef TRUELERP_REPORTS_OUTPUT_H
#define TRUELERP_REPORTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *path;
    char *target;    /* the path without links */
    char *temporary; /* NULL: `path` is no regular file (a pipe, a device), or one that was open
                      * before (/dev/stdout), and written directly */
};

/* Where a path leads, symbolic links followed, whether or not there is a file; to be freed. NULL,
 * and errno, for links in a circle and for what can name no file. */
char *output_target(const char *path);

/* Whether output_open would do, and else a message: to be asked before the work. */
bool output_possible(const char *path);

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

/* Whether that would do, and else a message; makes nothing. */
bool output_directory_possible(const char *path);

#endif
