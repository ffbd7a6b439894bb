#include "rows.h"

#include "program.h"

#include "../corpus/case.h"
#include "../corpus/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rows_append(struct rows *rows, const struct values *inputs)
{
    rows->list = program_grown(rows->list, rows->count, sizeof *rows->list);
    rows->list[rows->count] = (struct values){0};
    values_copy(&rows->list[rows->count++], inputs);
}

void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        values_free(&rows->list[i]);
    }
    free(rows->list);
    *rows = (struct rows){0};
}

static const char *read_rows(struct csv *csv, const struct function *function, struct rows *rows)
{
    struct columns columns;
    struct row row;
    struct values inputs = {0};
    enum csv_status status;
    const char *message = columns_read_header(&columns, function, csv);
    while (!message && (status = csv_next(csv, &row)) != CSV_END) {
        message = status == CSV_ROW ? case_read(&columns, csv, &row, &inputs) : csv_message(csv);
        if (!message) {
            rows_append(rows, &inputs);
        }
    }
    values_free(&inputs);
    return message;
}

static bool read_stored(const struct function *function, struct rows *rows)
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

const struct rows *rows_stored(const struct function *function)
{
    static struct rows *all; /* one for each function of the catalogue */
    if (!all) {
        all = program_grown(NULL, 0, catalog_count * sizeof *all);
        memset(all, 0, catalog_count * sizeof *all);
    }
    size_t i = 0;
    while (catalog[i] != function) {
        i++;
    }
    return all[i].count > 0 || read_stored(function, &all[i]) ? &all[i] : NULL;
}
