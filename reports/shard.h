/* A shard: one of N parts of the work of a report, done by itself, perhaps on another machine.
 *
 * Its file is text: a line of JSON that tells what the work is and which shards of it are in the
 * file, one line for each function's domain with its tally, and a last line with a checksum. All
 * numbers are whole, hexfloats or hexadecimal sums, so nothing is lost, and as tallies merge
 * exactly, N shards make the very report that one run makes. shards.md has the format. */
#ifndef TRUELERP_REPORTS_SHARD_H
#define TRUELERP_REPORTS_SHARD_H

#include "report.h"
#include "shard_json.h"

enum { SHARDS_MAX = 1000000 };

/* Names the sources that this program was made of: other ones may draw or judge otherwise. */
extern const char shard_source[];

/* How the work went: what the report's object `run` tells, and no more. */
struct shard_run {
    char date[DATE_TEXT];     /* when it began; of several shards, the first's */
    uint64_t microseconds;    /* of several, their sum */
    uint64_t jobs;            /* of several, the largest number */
    enum exit_code exit_code; /* but for the verdicts: unusable rows, a spoilt environment */
};

/* One or more shards of the same work. */
struct shard {
    struct json_object *work; /* what all shards of a report must agree in */
    uint64_t count;           /* of all shards of the work */
    bool *holds;              /* holds[i]: shard i + 1 is in it */
    const struct sweep_part *parts;
    size_t part_count;
    const struct tally *tallies;
    struct shard_run run;
};

/* Describes a report's work, cut into the sweep's shares. Returns NULL and sets *message (to be
 * freed) if that cannot be done: the implementation's file is unreadable, a name is no UTF-8. */
struct json_object *shard_work(const struct report *report, char **message);

/* Writes the file, whole or not at all. Says what is wrong. */
bool shard_write(const struct shard *shard, const char *path);

/* What was read of some files, merged. Zeroed memory is nothing read. */
struct shard_merge {
    struct shard shard;   /* `work` is NULL before the first file */
    struct sweep sweep;   /* cannot be run, but has all that a report needs */
    struct report report; /* all but `totals`, `command` and what comes from shard.run */
    struct tally *tallies;
    struct tally *read; /* a line's */
    struct sweep_part *parts;
    struct shard_rows rows;
    const char **lacking;
    const char **origin; /* of each shard, the path of its file */
    const char *first;   /* path */
};

/* Reads a file and adds it. Returns false and sets *message (to be freed) if it is no whole shard
 * file, of other work than the files before, or has a shard that another one had; then there must
 * be no merge, for part of it may have been added. `path` must stay. */
bool shard_merge_add(struct shard_merge *merge, const char *path, char **message);

/* The shards that no file had, "2, 5-6"; NULL if all are there. To be freed. */
char *shard_merge_missing(const struct shard_merge *merge);

void shard_merge_free(struct shard_merge *merge);

#endif
