/* The fuzz target of stored cases: corpus/case.h. The first byte chooses a function, the others are
 * a CSV file. What is read is written and read again, which must give the same; what is refused
 * must be refused in one line that says where. */
#include "guide.h"
#include "parser.h"

#include "../corpus/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char name[] = "fuzz.csv";

__attribute__((noinline)) static void csv_bad_message(void)
{
    abort();
}

__attribute__((noinline)) static void csv_no_text(void)
{
    abort();
}

__attribute__((noinline)) static void csv_unfit_case(void)
{
    abort();
}

__attribute__((noinline)) static void csv_does_not_read_back(void)
{
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    parser_create("csv");
    return 0;
}

static void check_message(const char *message, const uint8_t *data, size_t size)
{
    parser_check(parser_is_message(message, name), message, data, size, csv_bad_message);
}

/* Fields are text without NUL bytes and lie where they are said to: in the file, in order. */
static void check_row(const struct row *row, const uint8_t *data, size_t size)
{
    bool right = row->count > 0;
    for (size_t i = 0; i < row->count; i++) {
        right = right && strlen(row->text[i]) == row->length[i] && row->line[i] > 0 &&
                row->column[i] > 0 && row->length[i] <= size;
        right =
            right && (i == 0 || row->line[i] > row->line[i - 1] ||
                      (row->line[i] == row->line[i - 1] && row->column[i] > row->column[i - 1]));
    }
    parser_check(right, "a row's fields lie one behind the other", data, size, csv_no_text);
}

static bool same_values(const struct values *a, const struct values *b)
{
    if (a->count != b->count ||
        memcmp(a->start, b->start, (a->count + 1) * sizeof a->start[0]) != 0) {
        return false;
    }
    for (size_t i = 0; i < a->start[a->count]; i++) {
        bool nan = isnan(a->number[i]) && isnan(b->number[i]);
        if (!nan && memcmp(&a->number[i], &b->number[i], sizeof a->number[i]) != 0) {
            return false;
        }
    }
    return true;
}

static FILE *reader_of(const void *bytes, size_t size)
{
    FILE *stream = fmemopen((void *)bytes, size, "r");
    if (!stream) {
        fputs("csv: out of memory\n", stderr);
        exit(3);
    }
    return stream;
}

/* A file of this one case. */
static void check_case_reads_back(const struct function *function, const struct values *inputs,
                                  bool hex)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    case_write_header(stream, function);
    fputc('\n', stream);
    case_write(stream, function, inputs, hex);
    fputc('\n', stream);
    fclose(stream);

    struct row row;
    struct columns columns;
    struct values again = {0};
    stream = reader_of(text, size);
    struct csv *csv = csv_open(stream, name);
    bool right = csv_next(csv, &row) == CSV_ROW && !columns_read(&columns, function, csv, &row) &&
                 csv_next(csv, &row) == CSV_ROW && !case_read(&columns, csv, &row, &again) &&
                 same_values(inputs, &again) && csv_next(csv, &row) == CSV_END;
    parser_check(right, "a case reads back as it is written", text, size, csv_does_not_read_back);
    values_free(&again);
    csv_close(csv);
    fclose(stream);
    free(text);
}

/* The row's fields alone. An empty first line would be skipped, and so it is for one empty field.
 */
static void check_row_reads_back(const struct row *row)
{
    if (row->count == 1 && row->length[0] == 0) {
        return;
    }
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < row->count; i++) {
        fputs(i > 0 ? "," : "", stream);
        csv_write_field(stream, row->text[i]);
    }
    fputc('\n', stream);
    fclose(stream);

    struct row again;
    stream = reader_of(text, size);
    struct csv *csv = csv_open(stream, name);
    bool right = csv_next(csv, &again) == CSV_ROW && again.count == row->count;
    for (size_t i = 0; right && i < row->count; i++) {
        right = strcmp(row->text[i], again.text[i]) == 0;
    }
    parser_check(right, "a row reads back as it is written", text, size, csv_does_not_read_back);
    csv_close(csv);
    fclose(stream);
    free(text);
}

/* Rows of a file that are written and read again, for the time that it takes. */
enum { WRITTEN_MOST = 6 };

struct reading {
    const struct function *function;
    struct csv *csv;
    struct columns columns;
    bool has_columns;
    struct values inputs;
    unsigned refused, cases, written;
};

static void take_row(struct reading *reading, const struct row *row, const uint8_t *data,
                     size_t size)
{
    const char *message;
    size_t field;
    check_row(row, data, size);
    if (reading->written++ < WRITTEN_MOST) {
        check_row_reads_back(row);
    }
    if (!reading->has_columns) {
        message = columns_read(&reading->columns, reading->function, reading->csv, row);
        reading->has_columns = !message;
    } else {
        message = case_read(&reading->columns, reading->csv, row, &reading->inputs);
    }
    if (message) {
        check_message(message, data, size);
        reading->refused++;
    } else if (reading->inputs.count > 0) {
        parser_check(!function_fault(reading->function, &reading->inputs, &field),
                     "a case that is read is fit to be asked", data, size, csv_unfit_case);
        if (reading->cases++ < WRITTEN_MOST) {
            check_case_reads_back(reading->function, &reading->inputs, reading->cases % 2);
        }
    }
}

static void read_file(struct reading *reading, const uint8_t *data, size_t size)
{
    struct row row;
    enum csv_status status;
    do {
        status = csv_next(reading->csv, &row);
        if (status == CSV_ROW) {
            take_row(reading, &row, data, size);
        } else if (status != CSV_END) {
            check_message(csv_message(reading->csv), data, size);
            reading->refused++;
        }
    } while (status == CSV_ROW || status == CSV_MALFORMED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t choice = size > 0 ? data[0] : 0;
    size_t rest = size > 0 ? size - 1 : 0;
    const uint8_t *bytes = size > 0 ? data + 1 : data;
    struct reading reading = {.function = catalog[choice % catalog_count]};
    FILE *stream = reader_of(bytes, rest);
    parser_run();
    reading.csv = csv_open(stream, name);
    read_file(&reading, bytes, rest);
    csv_close(reading.csv);
    fclose(stream);
    values_free(&reading.inputs);
    guide_show_kind((reading.cases < 8 ? reading.cases : 8) * 16 +
                    (reading.refused < 15 ? reading.refused : 15));
    parser_judged();
    return 0;
}
