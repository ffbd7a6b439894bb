/* truelerp table: the divided differences of a file's nodes, and the polynomial that they make. */
#include "differences.h"
#include "output.h"
#include "picture.h"
#include "program.h"

#include "../corpus/case.h"
#include "../corpus/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    NODES_MAX = 64, /* a larger triangle is not read any more, and takes a while */
    DIGITS = 6,     /* shown unless told otherwise; as few as DIGITS_FIT if that makes it fit */
    DIGITS_FIT = 4
};

struct request {
    const char *file;
    const char *column;
    const char *svg;
    int digits; /* 0: as many as fit */
};

/* The file's nodes, in its order. */
struct nodes {
    size_t count;
    double times[NODES_MAX];
    double values[NODES_MAX];
    size_t lines[NODES_MAX];
};

struct reader {
    const struct request *request;
    struct csv *csv;
    char *value_name; /* of the column */
    struct field fields[2];
    struct function function;
    struct columns columns;
    struct values values;
    struct nodes nodes;
    bool good;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'c':
        request->column = argument;
        return 0;
    case 'd':
        request->digits = (int)option_number(state, "--digits", argument, 1, DIGITS_MAX);
        return 0;
    case 'o':
        request->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) {
            argp_error(state, "one file at a time: '%s' is too much", argument);
        }
        request->file = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Reading. */

static void refuse(struct reader *reader, const char *message)
{
    complain("%s", message);
    reader->good = false;
}

/* What the reader of cases has to know: the two columns. */
static const struct function *describe_columns(struct reader *reader, const struct row *header)
{
    const char *wanted = reader->request->column;
    for (size_t i = 0; !wanted && i < header->count; i++) {
        wanted = strcmp(header->text[i], "time") != 0 ? header->text[i] : NULL;
    }
    reader->value_name = strdup(wanted ? wanted : "value");
    reader->fields[0] = (struct field){.name = "time", .kind = FIELD_NUMBER};
    reader->fields[1] = (struct field){.name = reader->value_name, .kind = FIELD_NUMBER};
    reader->function = (struct function){.name = "a table of differences",
                                         .inputs = reader->fields,
                                         .input_count = 2};
    return &reader->function;
}

static void read_header(struct reader *reader)
{
    struct row header;
    if (csv_next(reader->csv, &header) != CSV_ROW) {
        refuse(reader, csv_message(reader->csv));
        return;
    }
    const char *message =
        columns_read(&reader->columns, describe_columns(reader, &header), reader->csv, &header);
    if (message) {
        refuse(reader, message);
    }
}

static const char *check_node(struct reader *reader, const struct row *row, const double node[2])
{
    const struct nodes *nodes = &reader->nodes;
    for (size_t i = 0; i < 2; i++) {
        if (!isfinite(node[i])) {
            return csv_complain(reader->csv, row, reader->columns.input[i], "%s is not finite",
                                reader->fields[i].name);
        }
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->times[i] == node[0]) {
            return csv_complain(reader->csv, row, reader->columns.input[0],
                                "a second node at the time of line %zu, but a polynomial has one "
                                "value at a time",
                                nodes->lines[i]);
        }
    }
    return NULL;
}

static void read_node(struct reader *reader, const struct row *row)
{
    struct nodes *nodes = &reader->nodes;
    const char *message = case_read(&reader->columns, reader->csv, row, &reader->values);
    if (!message) {
        message = check_node(reader, row, reader->values.number);
    }
    if (message) {
        refuse(reader, message);
        return;
    }
    nodes->times[nodes->count] = reader->values.number[0];
    nodes->values[nodes->count] = reader->values.number[1];
    nodes->lines[nodes->count++] = row->line[reader->columns.input[0]];
}

static void read_nodes(struct reader *reader)
{
    struct row row;
    enum csv_status status;
    bool any = false;
    while ((status = csv_next(reader->csv, &row)) != CSV_END) {
        any = true;
        if (status != CSV_ROW) {
            refuse(reader, csv_message(reader->csv));
        } else if (reader->nodes.count == NODES_MAX) {
            refuse(reader, csv_complain(reader->csv, &row, 0, "more than %d nodes", NODES_MAX));
            return;
        } else {
            read_node(reader, &row);
        }
        if (status == CSV_FAILED) {
            return;
        }
    }
    if (!any) {
        refuse(reader, csv_complain(reader->csv, &row, 0,
                                    "no node: there is no row below the "
                                    "header"));
    }
}

/* The table. */

/* A field of the table, to be aligned at its point. */
struct cell {
    char text[DECIMAL_TEXT];
    int before; /* characters before the point, the exponent or the end */
};

struct layout {
    const struct differences *differences;
    int digits;
    int terminal; /* columns of text that there are */
    struct cell *times;
    struct cell *cells;        /* as the entries of the differences */
    int before[NODES_MAX + 1]; /* of each column, the one of times first: the most */
    int width[NODES_MAX + 1];
};

enum { GAP = 3 }; /* between columns */

/* "0.3", "2", "1e+300": what reads back. */
static void time_text(double time, char text[DECIMAL_TEXT])
{
    number_write(time == 0 ? 0 : time, text);
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, ".0") == 0) {
        text[length - 2] = '\0';
    }
}

static void heading(size_t column, char text[DECIMAL_TEXT])
{
    static const char *const first[] = {"t", "f[t]", "f[.,.]", "f[.,.,.]", "f[.,.,.,.]"};
    if (column < sizeof first / sizeof first[0]) {
        snprintf(text, DECIMAL_TEXT, "%s", first[column]);
    } else {
        sprintf(text, "order %zu", column - 1);
    }
}

static struct cell *cell(const struct layout *layout, size_t column, size_t row)
{
    size_t order = column - 1;
    return column == 0
               ? &layout->times[row]
               : &layout->cells[order * layout->differences->count - order * (order - 1) / 2 + row];
}

static size_t rows(const struct layout *layout, size_t column)
{
    return layout->differences->count - (column == 0 ? 0 : column - 1);
}

static void measure_column(struct layout *layout, size_t column)
{
    char text[DECIMAL_TEXT];
    heading(column, text);
    int before = 0, after = 0;
    for (size_t i = 0; i < rows(layout, column); i++) {
        struct cell *one = cell(layout, column, i);
        one->before = (int)strcspn(one->text, ".e");
        int rest = (int)strlen(one->text) - one->before;
        before = one->before > before ? one->before : before;
        after = rest > after ? rest : after;
    }
    int least = (int)strlen(text);
    layout->before[column] = before + (least > before + after ? (least - before - after) / 2 : 0);
    layout->width[column] = least > before + after ? least : before + after;
}

/* Fills in the cells for `digits`; returns the width of the whole. */
static int lay_out(struct layout *layout, int digits)
{
    int width = -GAP;
    const struct differences *differences = layout->differences;
    layout->digits = digits;
    for (size_t column = 0; column <= differences->count; column++) {
        for (size_t i = 0; i < rows(layout, column); i++) {
            char *text = cell(layout, column, i)->text;
            if (column == 0) {
                time_text(differences->times[i], text);
            } else {
                decimal_text(differences_entry(differences, column - 1, i), digits, text);
            }
        }
        measure_column(layout, column);
        width += layout->width[column] + GAP;
    }
    return width;
}

/* As many digits as fit, unless that is too few: then the table goes on below. */
static void fit(struct layout *layout, int wanted)
{
    int digits = wanted ? wanted : DIGITS;
    while (lay_out(layout, digits) > layout->terminal && !wanted && digits > DIGITS_FIT) {
        digits--;
    }
    if (!wanted && digits == DIGITS_FIT && lay_out(layout, digits) > layout->terminal) {
        lay_out(layout, DIGITS);
    }
}

/* A line of the output, which has no spaces at its end. */
struct line {
    int at;      /* where the next character goes */
    int pending; /* spaces before it */
};

static void put(struct line *line, int column, const char *text)
{
    if (*text) {
        printf("%*s%s", column - line->at, "", text);
        line->at = column + (int)strlen(text);
    }
}

/* Line `line` of 2 count - 1: that of a node, or one between two nodes. Entries of an order stand
 * halfway between those that they come from. */
static void print_line(const struct layout *layout, size_t number, size_t from, size_t to)
{
    struct line line = {0};
    int place = 0;
    for (size_t column = 0; column <= to; column++) {
        if (column > 0 && column < from) {
            continue;
        }
        size_t order = column == 0 ? 0 : column - 1;
        bool between = (number + order) % 2 != 0;
        if (!between && number >= order && (number - order) / 2 < rows(layout, column)) {
            const struct cell *shown = cell(layout, column, (number - order) / 2);
            put(&line, place + layout->before[column] - shown->before, shown->text);
        }
        place += layout->width[column] + GAP;
    }
    putchar('\n');
}

static void print_heading(const struct layout *layout, size_t from, size_t to)
{
    struct line line = {0};
    int place = 0;
    for (size_t column = 0; column <= to; column++) {
        if (column > 0 && column < from) {
            continue;
        }
        char text[DECIMAL_TEXT];
        heading(column, text);
        put(&line, place + (layout->width[column] - (int)strlen(text)) / 2, text);
        place += layout->width[column] + GAP;
    }
    putchar('\n');
}

/* The last column that still fits behind the times, if `from` is the first one. */
static size_t last_that_fits(const struct layout *layout, size_t from)
{
    int width = layout->width[0] + GAP + layout->width[from];
    size_t to = from;
    while (to < layout->differences->count &&
           width + GAP + layout->width[to + 1] <= layout->terminal) {
        width += GAP + layout->width[++to];
    }
    return to;
}

static void print_table(const struct layout *layout)
{
    size_t count = layout->differences->count;
    for (size_t from = 1; from <= count;) {
        size_t to = last_that_fits(layout, from);
        print_heading(layout, from, to);
        for (size_t line = 0; line < 2 * count - 1; line++) {
            print_line(layout, line, from, to);
        }
        putchar('\n');
        from = to + 1;
    }
}

/* " (t - 0.3)", or " t" */
static void factor_text(double time, char text[DECIMAL_TEXT + 8])
{
    char number[DECIMAL_TEXT];
    time_text(fabs(time), number);
    if (time == 0) {
        snprintf(text, DECIMAL_TEXT, " t");
    } else {
        sprintf(text, " (t %c %s)", time < 0 ? '+' : '-', number);
    }
}

static void print_term(const struct layout *layout, size_t order)
{
    const char *coefficient = cell(layout, order + 1, 0)->text;
    bool negative = coefficient[0] == '-';
    int width;
    if (order == 0) {
        width = printf("p(t) = %s", coefficient);
    } else {
        width = printf("     %c %s", negative ? '-' : '+', coefficient + negative);
    }
    for (size_t i = 0; i < order; i++) {
        char text[DECIMAL_TEXT + 8];
        factor_text(layout->differences->times[i], text);
        if (width + (int)strlen(text) > layout->terminal) {
            width = printf("\n        ") - 1;
        }
        width += printf("%s", text);
    }
    putchar('\n');
}

static int terminal_width(void)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

static void print_all(const struct request *request, const struct differences *differences)
{
    size_t count = differences->count;
    struct layout layout = {.differences = differences,
                            .terminal = terminal_width(),
                            .times = calloc(count, sizeof(struct cell)),
                            .cells = calloc(count * (count + 1) / 2, sizeof(struct cell))};
    fit(&layout, request->digits);
    print_table(&layout);
    for (size_t order = 0; order < count; order++) {
        print_term(&layout, order);
    }
    free(layout.times);
    free(layout.cells);
}

static enum exit_code write_picture(const struct reader *reader,
                                    const struct differences *differences)
{
    struct output output;
    const char *path = reader->request->svg;
    if (!output_open(&output, path)) {
        return EXIT_USAGE;
    }
    const char *reason = picture_write(output.stream, differences, reader->value_name);
    if (reason) {
        complain("%s: not written: %s", path, reason);
        output_discard(&output);
        return EXIT_USAGE;
    }
    return output_finish(&output) && output_publish(&output) ? EXIT_WITHIN : EXIT_USAGE;
}

static enum exit_code show(const struct reader *reader)
{
    enum exit_code exit_code = EXIT_WITHIN;
    struct differences differences;
    differences_create(&differences, reader->nodes.times, reader->nodes.values,
                       reader->nodes.count);
    print_all(reader->request, &differences);
    if (reader->request->svg) {
        exit_code = write_picture(reader, &differences);
    }
    differences_free(&differences);
    return exit_code;
}

static enum exit_code run(const struct request *request)
{
    const struct program_file files[] = {{"the nodes", request->file, false},
                                         {"--svg", request->svg, true}};
    if (!program_files_apart(files, sizeof files / sizeof files[0])) {
        return EXIT_USAGE;
    }
    if (program_environment() != EXIT_WITHIN) {
        return EXIT_UNTRUSTED; /* nor could the nodes be read */
    }
    bool standard = strcmp(request->file, "-") == 0;
    FILE *stream = standard ? stdin : fopen(request->file, "r");
    if (!stream) {
        complain("%s: cannot be read: %s", path_shown(request->file), strerror(errno));
        return EXIT_USAGE;
    }
    struct reader reader = {.request = request,
                            .csv = csv_open(stream, request->file),
                            .good = true};
    read_header(&reader);
    if (reader.good) {
        read_nodes(&reader);
    }
    enum exit_code exit_code = reader.good ? show(&reader) : EXIT_USAGE;
    free(reader.value_name);
    values_free(&reader.values);
    csv_close(reader.csv);
    if (!standard) {
        fclose(stream);
    }
    return exit_code;
}

int verb_table(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"column", 'c', "NAME", 0, "The column of values; else the first one that is not `time`",
         0},
        {"digits", 'd', "N", 0,
         "Significant digits to show, 1 to 40; else 6, or some less if the "
         "table fits the terminal then",
         0},
        {"svg", 'o', "FILE.svg", 0, "Draw the curve as well", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FILE|-]",
        "Prints the divided differences of nodes, and the polynomial through them in Newton's form."
        "\vThe file is CSV; its first row names the columns, `time` among them, and every other "
        "row "
        "is a node. Nodes may be in any order and at any distances. They are taken in the file's "
        "order, so that the first entry of each column is that coefficient of the polynomial.\n\n"
        "    f[t0 .. tk] = (f[t1 .. tk] - f[t0 .. tk-1]) / (tk - t0)\n\n"
        "The differences are exact rational numbers, computed from the numbers as doubles, and "
        "rounded only to be shown. The picture holds the nodes, the polynomial and what it is with "
        "its first coefficient only, its first two, and so on.",
        NULL,
        NULL,
        NULL};
    struct request request = {.file = "-"};
    program_parse(&argp, "table", argc, argv, &request);
    return run(&request);
}
