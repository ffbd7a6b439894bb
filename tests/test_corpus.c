/* The stored cases of every function: the library is within, and the exact values that stand beside
 * them are the oracle's. */
#include "enclosure.h"
#include "suite.h"

#include "../corpus/case.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 40, TEXT_BITS = 2048 };

static struct judge *judge;
static struct answer answer;
static size_t rows, exact_values;

/* Opens corpus/NAME.csv and reads its header; a failed assertion if that cannot be done. */
struct table {
    FILE *stream;
    struct csv *csv;
    struct columns columns;
    size_t exact[OUTPUTS_MAX]; /* each output's column of exact values; SIZE_MAX: none */
    size_t source;
};

static size_t find_column(const struct row *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++) {
        if (strcmp(header->text[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool table_open(struct table *table, const struct function *function)
{
    char path[1000];
    snprintf(path, sizeof path, SOURCE_DIRECTORY "/corpus/%s.csv", function->name);
    table->stream = fopen(path, "rb");
    if (!suite_check(table->stream != NULL, "%s cannot be opened", path)) {
        return false;
    }
    table->csv = csv_open(table->stream, path);
    struct row header;
    if (!suite_check(csv_next(table->csv, &header) == CSV_ROW, "%s has no header", path)) {
        return false;
    }
    const char *message = columns_read(&table->columns, function, table->csv, &header);
    if (!suite_check(message == NULL, "%s", message)) {
        return false;
    }
    for (size_t i = 0; i < function->output_count; i++) {
        char name[100];
        const char *output = function->outputs[i].name;
        snprintf(name, sizeof name, "exact%s%s", *output ? "_" : "", output);
        table->exact[i] = find_column(&header, name);
    }
    table->source = find_column(&header, "source");
    return suite_check(table->source != SIZE_MAX, "%s has no column source", path);
}

static void table_close(struct table *table)
{
    if (table->csv) {
        csv_close(table->csv);
    }
    if (table->stream) {
        fclose(table->stream);
    }
}

/* Half a unit of the last of 40 significant digits of x; x != 0. */
static void half_unit(mpfr_t result, const mpfr_t x)
{
    mpfr_exp_t exponent;
    char *digits = mpfr_get_str(NULL, &exponent, 10, 2, x, MPFR_RNDZ);
    mpfr_free_str(digits);
    mpfr_set_ui(result, 10, MPFR_RNDN);
    mpfr_pow_si(result, result, exponent - DIGITS, MPFR_RNDU);
    mpfr_div_2ui(result, result, 1, MPFR_RNDU);
}

/* May the answer be 0, and is a number of the vector's size ruled out? */
static bool may_be_zero(const struct function *function, mpfi_srcptr value)
{
    mpfi_t magnitude;
    mpfi_init2(magnitude, 64);
    mpfi_abs(magnitude, function->measure == MEASURE_VECTOR ? answer.magnitude : value);
    bool zero = mpfi_has_zero(value) &&
                (mpfi_is_zero(magnitude) || interval_is_narrow(value, magnitude, 1000));
    mpfi_clear(magnitude);
    return zero;
}

/* A whole number or the word for a choice. */
static bool is_whole(const struct field *field, size_t number, const char *text)
{
    double wanted = answer.kind == ANSWER_GIVEN
                        ? answer.given[number]
                        : mpfr_get_d(&answer.value[number]->left, MPFR_RNDN);
    char whole[32];
    snprintf(whole, sizeof whole, "%.0f", wanted);
    return strcmp(field->choices ? field->choices[(size_t)wanted] : whole, text) == 0;
}

/* A printed value, read by MPFR, is within half a unit of its 40th digit of the enclosure, and that
 * is much narrower. */
static bool agrees(const struct function *function, size_t number, const char *text)
{
    mpfi_ptr value = answer.value[number];
    mpfr_t printed, tolerance;
    mpfr_inits2(TEXT_BITS, printed, tolerance, (mpfr_ptr)0);
    bool good = mpfr_set_str(printed, text, 10, MPFR_RNDN) == 0;
    double given = answer.given[number];
    if (answer.kind == ANSWER_GIVEN && (!isfinite(given) || given == 0)) {
        good = good && (isnan(given) ? mpfr_nan_p(printed) : mpfr_cmp_d(printed, given) == 0);
    } else if (mpfr_zero_p(printed)) {
        good = good && may_be_zero(function, value);
    } else {
        if (answer.kind == ANSWER_GIVEN) {
            mpfi_set_d(value, given);
        }
        half_unit(tolerance, printed);
        good = good && mpfr_number_p(printed) && interval_is_near(value, printed, tolerance, 0) &&
               interval_is_narrow(value, value, 200);
    }
    mpfr_clears(printed, tolerance, (mpfr_ptr)0);
    return good;
}

/* The same of an output's numbers, ';' between them: as many as the oracle has. */
static bool all_agree(const struct function *function, size_t output, const char *text)
{
    size_t first = 0;
    for (size_t k = 0; k < output; k++) {
        first += answer.length[k];
    }
    size_t count = 0;
    bool good = true;
    for (const char *next = *text ? text : NULL; next != NULL; count++) {
        size_t length = strcspn(next, ";");
        char *item = strndup(next, length);
        bool whole = function->whole[output];
        good = good && count < answer.length[output] &&
               (whole ? is_whole(&function->outputs[output], first + count, item)
                      : agrees(function, first + count, item));
        free(item);
        next = next[length] == ';' ? next + length + 1 : NULL;
    }
    return good && count == answer.length[output];
}

/* The same text that the program would write. */
static bool is_what_is_written(const struct function *function, const struct values *inputs,
                               size_t output, const char *text)
{
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    judge_write_exact(judge, function, inputs, output, stream);
    fclose(stream);
    bool same = strcmp(written, text) == 0;
    free(written);
    return same;
}

static void check_exact_values(struct table *table, const struct row *row,
                               const struct values *inputs)
{
    const struct function *function = table->columns.function;
    answer_values(function, inputs, function->precision_limit, &answer);
    for (size_t i = 0; i < function->output_count; i++) {
        if (table->exact[i] == SIZE_MAX || row->text[table->exact[i]][0] == '\0') {
            continue;
        }
        const char *text = row->text[table->exact[i]];
        suite_check(all_agree(function, i, text), "%s: the oracle does not say so",
                    csv_complain(table->csv, row, table->exact[i], "%s", text));
        suite_check(is_what_is_written(function, inputs, i, text), "%s: written otherwise",
                    csv_complain(table->csv, row, table->exact[i], "%s", text));
        exact_values++;
    }
}

static void check_result(struct table *table, const struct row *row, const struct values *inputs)
{
    static struct values results;
    const struct function *function = table->columns.function;
    struct judgement judgement;
    const char *finding = implementation_call(implementation_builtin(), function, inputs, &results);
    judge_case(judge, function, inputs, &results, &judgement);
    suite_check(!finding && judgement.verdict == VERDICT_WITHIN, "%s",
                csv_complain(table->csv, row, 0, "%s: %s %g of %g u S",
                             finding ? finding : "the library", verdict_name(judgement.verdict),
                             judgement.error_scaled, judgement.bound));
}

static void check_table(const struct function *function,
                        void (*check)(struct table *, const struct row *, const struct values *))
{
    struct table table = {0};
    struct values inputs = {0};
    struct row row;
    rows = 0;
    enum csv_status status = CSV_END;
    if (table_open(&table, function)) {
        while ((status = csv_next(table.csv, &row)) == CSV_ROW) {
            const char *message = case_read(&table.columns, table.csv, &row, &inputs);
            if (suite_check(message == NULL, "%s", message)) {
                check(&table, &row, &inputs);
                suite_check(row.text[table.source][0] != '\0', "%s",
                            csv_complain(table.csv, &row, table.source, "no source"));
                rows++;
            }
        }
        suite_check(status == CSV_END, "%s", csv_message(table.csv));
    }
    suite_check(rows > 0, "%s: %zu cases", function->name, rows);
    values_free(&inputs);
    table_close(&table);
}

static void run(void (*check)(struct table *, const struct row *, const struct values *))
{
    judge = judge_create();
    answer_open(&answer);
    CU_ASSERT(catalog_count > 0);
    for (size_t i = 0; i < catalog_count; i++) {
        exact_values = 0;
        check_table(catalog[i], check);
        if (check == check_exact_values) {
            suite_check(exact_values > 0, "%s: %zu exact values", catalog[i]->name, exact_values);
        }
    }
    answer_close(&answer);
    judge_destroy(judge);
}

static void the_library_is_within_on_every_case(void)
{
    run(check_result);
}

static void exact_values_are_the_oracles(void)
{
    run(check_exact_values);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the library is within on every case", the_library_is_within_on_every_case},
        {"exact values are the oracle's", exact_values_are_the_oracles},
    };
    return suite_run("corpus", tests, sizeof tests / sizeof *tests);
}
