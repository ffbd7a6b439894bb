/* What shard files are made of: lines of JSON, read as if they came from an enemy. */
#ifndef TRUELERP_REPORTS_SHARD_JSON_H
#define TRUELERP_REPORTS_SHARD_JSON_H

#include "json.h"
#include "sweep.h"

/* Where reading is at. */
struct shard_place {
    const char *path;
    size_t line;   /* from 1 */
    char *message; /* "PATH:LINE: what is wrong", the first fault's; to be freed */
};

/* Sets the message unless there is one, and returns false. */
bool shard_fault(struct shard_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A member of an object; NULL after a fault if it is missing or of another type. */
struct json_object *shard_member(struct shard_place *place, struct json_object *object,
                                 const char *key, json_type type);

/* The same for a member that may be null: false after a fault. */
bool shard_member_or_null(struct shard_place *place, struct json_object *object, const char *key,
                          json_type type, struct json_object **member);

/* A whole number from 0 to `most`. */
bool shard_count(struct shard_place *place, struct json_object *object, const char *key,
                 uint64_t most, uint64_t *count);

/* A line of text without control characters; NULL after a fault. */
const char *shard_text(struct shard_place *place, struct json_object *object, const char *key);

/* Whether a text can stand in a shard file: UTF-8 without control characters. */
bool shard_text_fits(const char *text);

/* A hexfloat; exact. */
struct json_object *shard_hex(double number);

/* The user's own case, where there are such, as its CSV row. */
struct shard_rows {
    uint64_t count;
    struct values *list; /* only those that some report shows have fields */
};

/* One part's tally. The caller adds what it belongs to. */
void shard_add_tally(struct json_object *object, const struct tally *tally,
                     const struct sweep_part *part);

/* Reads what shard_add_tally wrote of the part with that number, of which `cases` cases were run,
 * and keeps the rows of the cases in it. What does not agree with itself is a fault. */
bool shard_read_tally(struct shard_place *place, struct json_object *object,
                      const struct sweep_part *part, uint32_t number, uint64_t cases,
                      struct shard_rows *rows, struct tally *tally);

#endif
