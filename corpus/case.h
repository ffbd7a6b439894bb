/* Cases stored as CSV: a header that names the columns in any order, one case a row.
 *
 * Fields may be quoted ("a,b", "say ""so"""), lines may end in CR LF, empty lines are skipped and
 * a byte order mark is ignored. */
#ifndef TRUELERP_CORPUS_CASE_H
#define TRUELERP_CORPUS_CASE_H

#include "../oracle/function.h"

#include <stdbool.h>
#include <stdio.h>

/* One row's fields, unquoted. Lines and columns count from 1; a column is where the field starts
 * in its line, in bytes. */
struct row {
    size_t count;
    char **text; /* each NUL-terminated; a NUL byte in the file is an error, not a terminator */
    size_t *length;
    size_t *line;
    size_t *column;
};

struct csv;

/* Reads from `stream`, which stays the caller's; `name` is what messages call it ("-" is named
 * "standard input"). */
struct csv *csv_open(FILE *stream, const char *name);
void csv_close(struct csv *csv);

enum csv_status {
    CSV_ROW,
    CSV_END,
    CSV_MALFORMED, /* this row is unusable, csv_message tells why; the next call goes on after it */
    CSV_FAILED     /* the stream cannot be read any further */
};

/* The row holds until the next call. */
enum csv_status csv_next(struct csv *csv, struct row *row);

/* "FILE:LINE:COLUMN: what is wrong", of the last malformed row, failure or csv_complain. */
const char *csv_message(const struct csv *csv);

/* Sets the message, placed at field `field` of the given row, and returns it. */
const char *csv_complain(struct csv *csv, const struct row *row, size_t field, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* Writes one field, quoted where needed. */
void csv_write_field(FILE *stream, const char *text);

/* Which column holds which input of a function. */
struct columns {
    const struct function *function;
    size_t width;             /* fields that every row must have */
    size_t input[FIELDS_MAX]; /* column of each input */
};

/* Understands a header row. Returns NULL, or a message: an input that no column names, or a name
 * that stands twice. Columns that are no inputs are left alone. */
const char *columns_read(struct columns *columns, const struct function *function, struct csv *csv,
                         const struct row *header);

/* The same of the file's first row, which is read for it. */
const char *columns_read_header(struct columns *columns, const struct function *function,
                                struct csv *csv);

/* Reads a row's inputs. Returns NULL, or a message naming file, line and column. */
const char *case_read(const struct columns *columns, struct csv *csv, const struct row *row,
                      struct values *inputs);

/* Writes the inputs as the fields of a CSV row, in the function's order, without line end. */
void case_write(FILE *stream, const struct function *function, const struct values *inputs,
                bool hex);

/* Writes the names that go with case_write, without line end. */
void case_write_header(FILE *stream, const struct function *function);

/* One field's numbers as text: ';' between them, "" for none. */
void case_write_numbers(FILE *stream, const double *numbers, size_t count, bool hex);

/* Field i of `values`; choices by name, whole numbers as "3" in any case. */
void case_write_field(FILE *stream, const struct field *field, const struct values *values,
                      size_t i, bool whole, bool hex);

/* The same of one of a function's outputs. */
void case_write_output(FILE *stream, const struct function *function, const struct values *outputs,
                       size_t output, bool hex);

#endif
