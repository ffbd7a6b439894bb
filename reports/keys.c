#include "keys.h"
#include "program.h"

#include "../corpus/case.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a key has: its column in the file, and the curve's list that it goes to. */
enum { TIME, VALUE, IN_TANGENT, OUT_TANGENT, MODE, IN_WEIGHT, OUT_WEIGHT, PARTS };
static const struct {
    const char *column;
    const char *list;
} parts[PARTS] = {
    [TIME] = {"time", "times"},
    [VALUE] = {"value", "values"},
    [IN_TANGENT] = {"in_tangent", "in_tangents"},
    [OUT_TANGENT] = {"out_tangent", "out_tangents"},
    [MODE] = {"weighted_mode", "modes"},
    [IN_WEIGHT] = {"in_weight", "in_weights"},
    [OUT_WEIGHT] = {"out_weight", "out_weights"},
};

enum { NONE, IN, OUT, BOTH }; /* modes */

struct key {
    double part[PARTS];
    size_t line;
};

struct reader {
    const struct function *curve;
    struct csv *csv;
    struct field fields[PARTS]; /* those that the file has, in the order of the parts */
    size_t part[PARTS];         /* which part each of them is */
    struct function function;
    struct columns columns;
    struct values values; /* of a row */
    struct key *keys;
    size_t count, capacity;
    bool has[PARTS];
    bool good;
};

static void refuse(struct reader *reader, const char *message)
{
    complain("%s", message);
    reader->good = false;
}

static const struct field *list_of(const struct function *curve, size_t part)
{
    for (size_t i = 0; i < curve->input_count; i++) {
        if (strcmp(curve->inputs[i].name, parts[part].list) == 0) {
            return &curve->inputs[i];
        }
    }
    abort();
}

static size_t part_named(const char *name)
{
    size_t part = 0;
    while (part < PARTS && strcmp(parts[part].column, name) != 0) {
        part++;
    }
    return part;
}

/* A column whose name is nearly right would be left out unnoticed: so there may be no others. */
static void read_header(struct reader *reader)
{
    struct row header;
    if (csv_next(reader->csv, &header) != CSV_ROW) {
        refuse(reader, csv_message(reader->csv));
        return;
    }
    reader->has[TIME] = reader->has[VALUE] = true;
    for (size_t i = 0; i < header.count; i++) {
        size_t part = part_named(header.text[i]);
        if (part < PARTS) {
            reader->has[part] = true;
            continue;
        }
        refuse(reader, csv_complain(reader->csv, &header, i,
                                    "this column is none of time, value, in_tangent, out_tangent, "
                                    "weighted_mode, in_weight and out_weight"));
    }
    size_t count = 0;
    for (size_t part = 0; part < PARTS; part++) {
        if (reader->has[part]) {
            reader->part[count] = part;
            reader->fields[count++] =
                (struct field){.name = parts[part].column,
                               .kind = part <= VALUE ? FIELD_NUMBER : FIELD_OPTIONAL,
                               .choices = list_of(reader->curve, part)->choices};
        }
    }
    reader->function =
        (struct function){.name = "keys", .inputs = reader->fields, .input_count = count};
    const char *message = columns_read(&reader->columns, &reader->function, reader->csv, &header);
    if (message) {
        refuse(reader, message);
    }
}

/* Which of the fields a part is, that the file has. */
static size_t field_of(const struct reader *reader, size_t part)
{
    size_t i = 0;
    while (reader->part[i] != part) {
        i++;
    }
    return i;
}

static size_t column_of(const struct reader *reader, size_t part)
{
    return reader->columns.input[field_of(reader, part)];
}

/* Tangents that are not there are 0, weights NaN, and no side is weighted. */
static struct key key_of(const struct reader *reader, const struct row *row)
{
    struct key key = {.part = {[IN_WEIGHT] = NAN, [OUT_WEIGHT] = NAN}, .line = row->line[0]};
    for (size_t i = 0; i < reader->function.input_count; i++) {
        if (values_length(&reader->values, i) > 0) {
            key.part[reader->part[i]] = *values_field(&reader->values, i);
        }
    }
    return key;
}

static bool is_given(const struct reader *reader, size_t part)
{
    return reader->has[part] && values_length(&reader->values, field_of(reader, part)) > 0;
}

/* NULL, or why no curve has this key next. */
static const char *fault_of(struct reader *reader, const struct row *row, const struct key *key)
{
    const struct key *last = reader->count > 0 ? &reader->keys[reader->count - 1] : NULL;
    const struct key *before = reader->count > 1 ? last - 1 : NULL;
    double time = key->part[TIME];
    size_t column = column_of(reader, TIME);
    if (!isfinite(time)) {
        return csv_complain(reader->csv, row, column, "the time is not finite");
    }
    if (last && time < last->part[TIME]) {
        return csv_complain(reader->csv, row, column, "the time is before that of line %zu",
                            last->line);
    }
    if (before && time == before->part[TIME]) {
        return csv_complain(reader->csv, row, column,
                            "a third key at the time of lines %zu and %zu: two are a jump",
                            before->line, last->line);
    }
    for (size_t weight = IN_WEIGHT; weight <= OUT_WEIGHT; weight++) {
        double side = weight == IN_WEIGHT ? IN : OUT;
        if ((key->part[MODE] == BOTH || key->part[MODE] == side) && !is_given(reader, weight)) {
            return csv_complain(reader->csv, row, column_of(reader, MODE),
                                "weighted_mode says that there is an %s, but there is none",
                                parts[weight].column);
        }
    }
    return NULL;
}

static void keep(struct reader *reader, const struct key *key)
{
    if (reader->count == reader->capacity) {
        reader->capacity = reader->capacity ? 2 * reader->capacity : 64;
        reader->keys = realloc(reader->keys, reader->capacity * sizeof *reader->keys);
        if (!reader->keys) {
            abort();
        }
    }
    reader->keys[reader->count++] = *key;
}

static void read_key(struct reader *reader, const struct row *row)
{
    const char *message = case_read(&reader->columns, reader->csv, row, &reader->values);
    if (message) {
        refuse(reader, message);
        return;
    }
    struct key key = key_of(reader, row);
    message = fault_of(reader, row, &key);
    if (message) {
        refuse(reader, message);
    } else {
        keep(reader, &key);
    }
}

static void read_rows(struct reader *reader)
{
    struct row row;
    enum csv_status status;
    while ((status = csv_next(reader->csv, &row)) != CSV_END) {
        if (status == CSV_ROW) {
            read_key(reader, &row);
        } else {
            refuse(reader, csv_message(reader->csv));
        }
        if (status == CSV_FAILED) {
            return;
        }
    }
    if (reader->count == 0 && reader->good) {
        refuse(reader,
               csv_complain(reader->csv, &row, 0, "no key: there is no row below the header"));
    }
}

/* Lists of what the file has; modes and weights may be empty ones. */
static void append_lists(const struct reader *reader, struct values *inputs)
{
    for (size_t part = 0; part < PARTS; part++) {
        bool needed = part < MODE || reader->has[part];
        double *list = values_append(inputs, needed ? reader->count : 0);
        for (size_t i = 0; needed && i < reader->count; i++) {
            list[i] = reader->keys[i].part[part];
        }
    }
}

bool keys_read(struct values *inputs, const struct function *curve, const char *path, double before,
               double after)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "r");
    if (!stream) {
        complain("%s: cannot be read: %s", path_shown(path), strerror(errno));
        return false;
    }
    struct reader reader = {.curve = curve, .csv = csv_open(stream, path), .good = true};
    read_header(&reader);
    if (reader.good) {
        read_rows(&reader);
    }
    if (reader.good) {
        values_clear(inputs);
        append_lists(&reader, inputs);
        *values_append(inputs, 1) = before;
        *values_append(inputs, 1) = after;
    }
    csv_close(reader.csv);
    values_free(&reader.values);
    free(reader.keys);
    if (!standard) {
        fclose(stream);
    }
    return reader.good;
}
