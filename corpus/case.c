#include "case.h"

#include "number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW_LIMIT = 64 << 20, /* bytes of memory for one row, so that no file can take all of it */
    BOM_LENGTH = 3
};

/* What the next byte of a UTF-8 character must be. RFC 3629. */
struct utf8 {
    int needed; /* bytes until the character is complete */
    unsigned char low, high;
};

struct csv {
    FILE *stream;
    char *name;
    int pending[BOM_LENGTH]; /* bytes read ahead, the next one last */
    int pending_count;
    size_t line, column; /* of the next byte */
    bool started;
    bool ended;
    bool any_row;

    /* the row at hand */
    char *bytes;
    size_t used, capacity;
    struct row row;
    size_t *offset; /* of each field in `bytes` */
    size_t field_capacity;
    struct utf8 utf8;
    bool malformed;

    bool failed;
    char *message;
};

static void *grow(void *memory, size_t size)
{
    void *grown = realloc(memory, size);
    if (!grown) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return grown;
}

static const char *set_message(struct csv *csv, size_t line, size_t column, const char *format,
                               va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int place = snprintf(NULL, 0, "%s:%zu:%zu: ", csv->name, line, column);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *message = grow(NULL, (size_t)place + (size_t)length + 1);
    sprintf(message, "%s:%zu:%zu: ", csv->name, line, column);
    vsprintf(message + place, format, again);
    va_end(again);
    free(csv->message); /* only now: the arguments may point into it */
    csv->message = message;
    return message;
}

/* The first thing that is wrong with a row counts. */
__attribute__((format(printf, 4, 5))) static void malformed(struct csv *csv, size_t line,
                                                            size_t column, const char *format, ...)
{
    if (csv->malformed || csv->failed) {
        return;
    }
    csv->malformed = true;
    va_list arguments;
    va_start(arguments, format);
    set_message(csv, line, column, format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void failed(struct csv *csv, const char *format, ...)
{
    csv->failed = true;
    va_list arguments;
    va_start(arguments, format);
    set_message(csv, csv->line, csv->column, format, arguments);
    va_end(arguments);
}

struct csv *csv_open(FILE *stream, const char *name)
{
    struct csv *csv = grow(NULL, sizeof *csv);
    *csv = (struct csv){.stream = stream, .line = 1, .column = 1};
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : name;
    size_t size = strlen(shown) + 1;
    csv->name = memcpy(grow(NULL, size), shown, size);
    return csv;
}

void csv_close(struct csv *csv)
{
    if (!csv) {
        return;
    }
    free(csv->name);
    free(csv->bytes);
    free(csv->row.text);
    free(csv->row.length);
    free(csv->row.line);
    free(csv->row.column);
    free(csv->offset);
    free(csv->message);
    free(csv);
}

const char *csv_message(const struct csv *csv)
{
    return csv->message ? csv->message : "";
}

/* The next byte, or EOF; nothing is read after that. */
static int read_byte(struct csv *csv)
{
    if (csv->pending_count > 0) {
        return csv->pending[--csv->pending_count];
    }
    if (csv->ended) {
        return EOF;
    }
    errno = 0;
    int byte = getc_unlocked(csv->stream);
    if (byte == EOF) {
        int reason = errno;
        csv->ended = true;
        if (ferror(csv->stream)) {
            failed(csv, "cannot read: %s", reason ? strerror(reason) : "input error");
        }
    }
    return byte;
}

static void put_back(struct csv *csv, int byte)
{
    csv->pending[csv->pending_count++] = byte;
}

static int peek(struct csv *csv)
{
    int byte = read_byte(csv);
    if (byte != EOF) {
        put_back(csv, byte);
    }
    return byte;
}

static int take(struct csv *csv)
{
    int byte = read_byte(csv);
    if (byte == '\n') {
        csv->line++;
        csv->column = 1;
    } else if (byte != EOF) {
        csv->column++;
    }
    return byte;
}

static void skip_byte_order_mark(struct csv *csv)
{
    static const int mark[BOM_LENGTH] = {0xef, 0xbb, 0xbf};
    int matched = 0;
    while (matched < BOM_LENGTH && peek(csv) == mark[matched]) {
        read_byte(csv);
        matched++;
    }
    if (matched == BOM_LENGTH) {
        return;
    }
    while (matched > 0) {
        put_back(csv, mark[--matched]);
    }
}

/* Returns whether the byte may stand here. */
static bool utf8_accept(struct utf8 *utf8, unsigned char byte)
{
    if (utf8->needed > 0) {
        if (byte < utf8->low || byte > utf8->high) {
            return false;
        }
        utf8->needed--;
        utf8->low = 0x80;
        utf8->high = 0xbf;
        return true;
    }
    if (byte < 0x80) {
        return true;
    }
    if (byte < 0xc2 || byte > 0xf4) {
        return false;
    }
    utf8->needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    utf8->low = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    utf8->high = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    return true;
}

/* Control characters have no place in a table and would break the reports that quote it. */
static bool is_text(unsigned char byte)
{
    return byte == '\t' || byte == '\n' || byte == '\r' || (byte >= ' ' && byte != 0x7f);
}

static bool room_for(struct csv *csv, size_t bytes)
{
    size_t field_size = sizeof(char *) + 4 * sizeof(size_t);
    if (csv->used + bytes + csv->row.count * field_size <= ROW_LIMIT) {
        return true;
    }
    malformed(csv, csv->row.count ? csv->row.line[0] : csv->line,
              csv->row.count ? csv->row.column[0] : csv->column,
              "the row takes more than %d MiB (is a quote missing?)", ROW_LIMIT >> 20);
    return false;
}

static void store(struct csv *csv, char byte)
{
    if (csv->malformed || !room_for(csv, 1)) {
        return;
    }
    if (csv->used == csv->capacity) {
        csv->capacity = csv->capacity ? 2 * csv->capacity : 256;
        csv->bytes = grow(csv->bytes, csv->capacity);
    }
    csv->bytes[csv->used++] = byte;
}

/* Takes a byte of a field's content. */
static void take_content(struct csv *csv)
{
    size_t line = csv->line;
    size_t column = csv->column;
    unsigned char byte = (unsigned char)take(csv);
    if (!is_text(byte)) {
        malformed(csv, line, column, "byte 0x%02x is not text", byte);
    }
    if (!utf8_accept(&csv->utf8, byte)) {
        malformed(csv, line, column, "byte 0x%02x makes no UTF-8 character here", byte);
    }
    store(csv, (char)byte);
}

static void begin_field(struct csv *csv)
{
    csv->utf8.needed = 0;
    if (csv->malformed || !room_for(csv, sizeof(char *) + 4 * sizeof(size_t))) {
        return;
    }
    size_t field = csv->row.count++;
    if (csv->row.count > csv->field_capacity) {
        csv->field_capacity = csv->field_capacity ? 2 * csv->field_capacity : 16;
        size_t size = csv->field_capacity * sizeof(size_t);
        csv->row.text = grow(csv->row.text, csv->field_capacity * sizeof(char *));
        csv->row.length = grow(csv->row.length, size);
        csv->row.line = grow(csv->row.line, size);
        csv->row.column = grow(csv->row.column, size);
        csv->offset = grow(csv->offset, size);
    }
    csv->offset[field] = csv->used;
    csv->row.line[field] = csv->line;
    csv->row.column[field] = csv->column;
}

static void end_field(struct csv *csv)
{
    if (csv->utf8.needed > 0) {
        malformed(csv, csv->line, csv->column, "a UTF-8 character is cut off");
    }
    if (csv->malformed) {
        return;
    }
    size_t field = csv->row.count - 1;
    csv->row.length[field] = csv->used - csv->offset[field];
    store(csv, '\0');
}

static bool at_line_end(struct csv *csv)
{
    int byte = peek(csv);
    if (byte != '\r') {
        return byte == '\n' || byte == EOF;
    }
    read_byte(csv);
    int next = peek(csv);
    put_back(csv, byte);
    return next == '\n';
}

/* The content up to the closing quote, which it takes. */
static void read_quoted(struct csv *csv)
{
    size_t line = csv->line;
    size_t column = csv->column;
    take(csv);
    for (;;) {
        int byte = peek(csv);
        if (byte == EOF) {
            malformed(csv, line, column, "the quote opened here is never closed");
            return;
        }
        if (byte == '"') {
            take(csv);
            if (peek(csv) != '"') {
                return;
            }
        }
        take_content(csv);
    }
}

/* Up to the separator or the end of the line, which it leaves. */
static void read_field(struct csv *csv)
{
    begin_field(csv);
    bool quoted = peek(csv) == '"';
    if (quoted) {
        read_quoted(csv);
    }
    while (peek(csv) != ',' && !at_line_end(csv)) {
        int byte = peek(csv);
        if (quoted) {
            malformed(csv, csv->line, csv->column, "text after a closing quote");
        } else if (byte == '"') {
            malformed(csv, csv->line, csv->column, "a quote inside a field without quotes");
        } else if (byte == '\r') {
            malformed(csv, csv->line, csv->column, "a carriage return without a line feed");
        }
        take_content(csv);
    }
    end_field(csv);
}

static void take_line_end(struct csv *csv)
{
    if (take(csv) == '\r') {
        take(csv);
    }
}

static void read_row(struct csv *csv)
{
    csv->used = 0;
    csv->row.count = 0;
    csv->malformed = false;
    read_field(csv);
    while (peek(csv) == ',') {
        take(csv);
        read_field(csv);
    }
    take_line_end(csv);
    for (size_t i = 0; i < csv->row.count && !csv->malformed; i++) {
        csv->row.text[i] = csv->bytes + csv->offset[i];
    }
}

enum csv_status csv_next(struct csv *csv, struct row *row)
{
    *row = (struct row){.count = 0};
    if (!csv->started) {
        skip_byte_order_mark(csv);
        csv->started = true;
    }
    while (!csv->failed && peek(csv) != EOF && at_line_end(csv)) {
        take_line_end(csv);
    }
    bool end = !csv->failed && peek(csv) == EOF;
    if (end && !csv->failed && !csv->any_row) {
        failed(csv, "empty where a header row is needed");
    }
    if (csv->failed) {
        return CSV_FAILED;
    }
    if (end) {
        return CSV_END;
    }
    csv->any_row = true;
    read_row(csv);
    if (csv->failed) {
        return CSV_FAILED;
    }
    if (csv->malformed) {
        return CSV_MALFORMED;
    }
    *row = csv->row;
    return CSV_ROW;
}

const char *csv_complain(struct csv *csv, const struct row *row, size_t field, const char *format,
                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool known = field < row->count;
    set_message(csv, known ? row->line[field] : csv->line, known ? row->column[field] : csv->column,
                format, arguments);
    va_end(arguments);
    return csv->message;
}

void csv_write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool spaced = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (!spaced && !strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', stream);
        }
        putc(*text, stream);
    }
    putc('"', stream);
}

/* Text as messages show it: in quotes, on one line, not too long. */
struct excerpt {
    char text[64];
};

static struct excerpt excerpt(const char *text)
{
    enum { SHOWN = 40 };
    struct excerpt shown;
    size_t length = strlen(text);
    size_t cut = length;
    if (length > SHOWN) {
        cut = SHOWN;
        while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80) { /* inside a character */
            cut--;
        }
    }
    snprintf(shown.text, sizeof shown.text, "\"%.*s%s\"", (int)cut, text,
             cut < length ? "..." : "");
    for (char *c = shown.text; *c; c++) {
        if ((unsigned char)*c < ' ') {
            *c = ' ';
        }
    }
    return shown;
}

/* Equal but for spaces around it and the case of letters: what a user may have meant. */
static bool alike(const char *text, const char *name)
{
    text += strspn(text, " \t");
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        if ((text[i] | 0x20) != (name[i] | 0x20)) {
            return false;
        }
    }
    return text[length + strspn(text + length, " \t")] == '\0';
}

/* The column of that name, or SIZE_MAX with a message. */
static size_t find_column(struct csv *csv, const struct row *header, const char *name,
                          const struct function *function)
{
    size_t found = SIZE_MAX;
    size_t hint = SIZE_MAX;
    for (size_t i = 0; i < header->count; i++) {
        if (strcmp(header->text[i], name) != 0) {
            hint = alike(header->text[i], name) ? i : hint;
        } else if (found == SIZE_MAX) {
            found = i;
        } else {
            csv_complain(csv, header, i, "a second column \"%s\"", name);
            return SIZE_MAX;
        }
    }
    if (found == SIZE_MAX && hint != SIZE_MAX) {
        csv_complain(csv, header, hint, "no column \"%s\" for %s, only %s", name, function->name,
                     excerpt(header->text[hint]).text);
    } else if (found == SIZE_MAX) {
        csv_complain(csv, header, 0, "no column \"%s\" for %s", name, function->name);
    }
    return found;
}

const char *columns_read(struct columns *columns, const struct function *function, struct csv *csv,
                         const struct row *header)
{
    columns->function = function;
    columns->width = header->count;
    for (size_t i = 0; i < function->input_count; i++) {
        columns->input[i] = find_column(csv, header, function->inputs[i].name, function);
        if (columns->input[i] == SIZE_MAX) {
            return csv_message(csv);
        }
    }
    return NULL;
}

const char *columns_read_header(struct columns *columns, const struct function *function,
                                struct csv *csv)
{
    struct row header;
    return csv_next(csv, &header) == CSV_ROW ? columns_read(columns, function, csv, &header)
                                             : csv_message(csv);
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/* Which of the names it is, spaces around it aside; or none. */
static bool read_choice(const struct field *field, const char *text, size_t length, double *number)
{
    while (length > 0 && (text[0] == ' ' || text[0] == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    *number = field_choice(field, text, length);
    return *number >= 0;
}

static enum number_status read_number(const struct field *field, const char *text, size_t length,
                                      double *number)
{
    if (field->choices) {
        return read_choice(field, text, length, number) ? NUMBER_READ : NUMBER_MALFORMED;
    }
    return number_parse(text, length, number);
}

/* "a number", or what the choices are */
static const char *wanted(const struct field *field, char *text, size_t size)
{
    if (!field->choices) {
        return "a number";
    }
    size_t used = 0;
    for (size_t i = 0; field->choices[i] && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "one of ",
                                 field->choices[i]);
    }
    return text;
}

/* "is not a number", or what else is wrong with it */
static const char *refusal(enum number_status status, const struct field *field, char *text,
                           size_t size)
{
    char choices[200];
    switch (status) {
    case NUMBER_TOO_LARGE:
        return "is out of range; write inf for infinity";
    case NUMBER_TOO_SMALL:
        return "is out of range, nearer to 0 than to any other number; write 0 for zero";
    default:
        snprintf(text, size, "is not %s", wanted(field, choices, sizeof choices));
        return text;
    }
}

static const char *read_list(struct csv *csv, const struct row *row, size_t column,
                             const struct field *field, struct values *inputs)
{
    char reason[220];
    const char *text = row->text[column];
    size_t count = is_blank(text) ? 0 : 1;
    for (const char *c = text; *c; c++) {
        count += *c == ';';
    }
    double *number = values_append(inputs, count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ";");
        enum number_status status = read_number(field, text, length, &number[i]);
        if (status != NUMBER_READ) {
            return csv_complain(csv, row, column, "%s: item %zu of %s %s", field->name, i + 1,
                                excerpt(row->text[column]).text,
                                refusal(status, field, reason, sizeof reason));
        }
        text += length + 1;
    }
    return NULL;
}

static const char *read_input(struct csv *csv, const struct row *row, size_t column,
                              const struct field *field, struct values *inputs)
{
    char choices[200], reason[220];
    const char *text = row->text[column];
    if (field->kind == FIELD_LIST) {
        return read_list(csv, row, column, field, inputs);
    }
    if (is_blank(text) && field->kind == FIELD_OPTIONAL) {
        values_append(inputs, 0);
        return NULL;
    }
    if (is_blank(text)) {
        return csv_complain(csv, row, column, "%s: empty where %s is needed", field->name,
                            wanted(field, choices, sizeof choices));
    }
    enum number_status status =
        read_number(field, text, row->length[column], values_append(inputs, 1));
    if (status != NUMBER_READ) {
        return csv_complain(csv, row, column, "%s: %s %s", field->name, excerpt(text).text,
                            refusal(status, field, reason, sizeof reason));
    }
    return NULL;
}

const char *case_read(const struct columns *columns, struct csv *csv, const struct row *row,
                      struct values *inputs)
{
    if (row->count != columns->width) {
        return csv_complain(csv, row, 0, "%zu field%s, but the header names %zu column%s",
                            row->count, row->count == 1 ? "" : "s", columns->width,
                            columns->width == 1 ? "" : "s");
    }
    values_clear(inputs);
    for (size_t i = 0; i < columns->function->input_count; i++) {
        const char *message =
            read_input(csv, row, columns->input[i], &columns->function->inputs[i], inputs);
        if (message) {
            return message;
        }
    }
    size_t field;
    const char *fault = function_fault(columns->function, inputs, &field);
    return fault ? csv_complain(csv, row, columns->input[field], "%s: %s",
                                columns->function->inputs[field].name, fault)
                 : NULL;
}

void case_write_numbers(FILE *stream, const double *numbers, size_t count, bool hex)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < count; i++) {
        (hex ? number_write_hex : number_write)(numbers[i], text);
        if (i > 0) {
            putc(';', stream);
        }
        fputs(text, stream);
    }
}

static void write_whole(FILE *stream, const double *numbers, size_t count)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < count; i++) {
        number_write(numbers[i], text);
        char *point = strstr(text, ".0");
        if (point && point[2] == '\0') {
            *point = '\0';
        }
        fprintf(stream, i > 0 ? ";%s" : "%s", text);
    }
}

/* The names that the numbers stand for; a number that stands for none as it is. */
static void write_choices(FILE *stream, const struct field *field, const double *numbers,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = field_choice_name(field, numbers[i]);
        fputs(i > 0 ? ";" : "", stream);
        if (name) {
            fputs(name, stream);
        } else {
            write_whole(stream, &numbers[i], 1);
        }
    }
}

void case_write_field(FILE *stream, const struct field *field, const struct values *values,
                      size_t i, bool whole, bool hex)
{
    const double *numbers = values_field(values, i);
    size_t count = values_length(values, i);
    if (field->choices) {
        write_choices(stream, field, numbers, count);
    } else if (whole) {
        write_whole(stream, numbers, count);
    } else {
        case_write_numbers(stream, numbers, count, hex);
    }
}

void case_write_output(FILE *stream, const struct function *function, const struct values *outputs,
                       size_t output, bool hex)
{
    case_write_field(stream, &function->outputs[output], outputs, output, function->whole[output],
                     hex);
}

void case_write(FILE *stream, const struct function *function, const struct values *inputs,
                bool hex)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (i > 0) {
            putc(',', stream);
        }
        case_write_field(stream, &function->inputs[i], inputs, i, false, hex);
    }
}

void case_write_header(FILE *stream, const struct function *function)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (i > 0) {
            putc(',', stream);
        }
        csv_write_field(stream, function->inputs[i].name);
    }
}
