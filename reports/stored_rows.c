#include "stored_rows.h"

#include "program.h"

#include "../corpus/case.h"
#include "../corpus/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *read_rows(struct csv *csv, const struct function *function,
                             struct stored_rows *rows)
{
    struct columns columns;
    struct row row;
    struct values inputs = {0};
    enum csv_status status = csv_next(csv, &row);
    const char *message =
        status == CSV_ROW ? columns_read(&columns, function, csv, &row) : csv_message(csv);
    while (!message && (status = csv_next(csv, &row)) != CSV_END) {
        message = status == CSV_ROW ? case_read(&columns, csv, &row, &inputs) : csv_message(csv);
        if (!message) {
            rows->list = program_grown(rows->list, rows->count, sizeof *rows->list);
            rows->list[rows->count] = (struct values){0};
            values_copy(&rows->list[rows->count++], &inputs);
        }
    }
    values_free(&inputs);
    return message;
}

/* They are part of the program, so a fault in them is the program's. */
bool stored_rows_read(const struct function *function, struct stored_rows *rows)
{
    const struct stored_file *file = stored_cases(function);
    FILE *stream = file ? fmemopen((void *)file->bytes, file->size, "r") : NULL;
    if (!stream) {
        complain("there are no stored cases of %s", function->name);
        return false;
    }
    char name[100];
    snprintf(name, sizeof name, "built-in corpus/%s.csv", file->name);
    struct csv *csv = csv_open(stream, name);
    const char *message = read_rows(csv, function, rows);
    if (message) {
        complain("%s", message);
    }
    csv_close(csv);
    fclose(stream);
    return !message;
}

const struct stored_rows *stored_rows(const struct function *function)
{
    static struct stored_rows *all;
    if (!all) {
        all = program_grown(NULL, 0, catalog_count * sizeof *all);
        memset(all, 0, catalog_count * sizeof *all);
    }
    size_t i = 0;
    while (catalog[i] != function) {
        i++;
    }
    if (!all[i].list && !stored_rows_read(function, &all[i])) {
        exit(EXIT_USAGE);
    }
    return &all[i];
}
