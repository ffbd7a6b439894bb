/* Cases as CSV: what the reader makes of every kind of text, where it says that something is wrong,
 * and that what is written reads back. */
#include "sample.h"
#include "suite.h"

#include "../corpus/case.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct sample sample;

/* What comes out of a text, as one string: [a|b] for a row, with < LINE:COLUMN before each field if
 * `places`, !MESSAGE; for a malformed row, #MESSAGE; for a failure, . at the end. */
static char *transcript(FILE *stream, bool places)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct csv *csv = csv_open(stream, "t");
    struct row row;
    enum csv_status status;
    do {
        status = csv_next(csv, &row);
        if (status == CSV_ROW) {
            for (size_t i = 0; i < row.count; i++) {
                fputs(i ? "|" : "[", out);
                if (places) {
                    fprintf(out, "%zu:%zu ", row.line[i], row.column[i]);
                }
                fputs(row.text[i], out);
                if (row.length[i] != strlen(row.text[i])) {
                    fputs("(wrong length)", out);
                }
            }
            fputc(']', out);
        } else if (status != CSV_END) {
            fprintf(out, "%c%s;", status == CSV_MALFORMED ? '!' : '#', csv_message(csv));
        }
    } while (status == CSV_ROW || status == CSV_MALFORMED);
    if (status == CSV_END) {
        fputc('.', out);
    }
    suite_check(csv_next(csv, &row) == status && row.count == 0, "the end does not last");
    csv_close(csv);
    fclose(out);
    return text;
}

static FILE *stream_of(const char *text, size_t length)
{
    FILE *stream = tmpfile();
    fwrite(text, 1, length, stream);
    rewind(stream);
    return stream;
}

static char *read_all(const char *text, size_t length, bool places)
{
    FILE *stream = stream_of(text, length);
    char *result = transcript(stream, places);
    fclose(stream);
    return result;
}

struct example {
    const char *text, *wanted;
};

static void check_examples(const struct example *examples, size_t count, bool places)
{
    for (size_t i = 0; i < count; i++) {
        char *got = read_all(examples[i].text, strlen(examples[i].text), places);
        suite_check(strcmp(got, examples[i].wanted) == 0, "%s\ngives\n%s\nnot\n%s",
                    examples[i].text, got, examples[i].wanted);
        free(got);
    }
}

static void fields_and_rows(void)
{
    static const struct example examples[] = {
        {"a,b\n1,2\n", "[a|b][1|2]."},
        {"a,b\n1,2", "[a|b][1|2]."},
        {"a", "[a]."},
        {"a,", "[a|]."},
        {",a\n", "[|a]."},
        {",", "[|]."},
        {",,\n,,\n", "[||][||]."},
        {"a,b\r\n1,2\r\n", "[a|b][1|2]."},
        {"a,b\r\n1,2\n3,4\r\n", "[a|b][1|2][3|4]."},
        {"a\n\n\n1\n\n", "[a][1]."},
        {"\n\r\n\na\r\n\r\n1\n", "[a][1]."},
        {" a , b \n", "[ a | b ]."},
        {" \n", "[ ]."},
        {"a\tb,\t\n", "[a\tb|\t]."},
        {"\xef\xbb\xbf"
         "a,b\n1,2\n",
         "[a|b][1|2]."},
        {"\xef\xbb\xbf\"a,b\"\n", "[a,b]."},
        {"\xef\xbb\xbf\n\na\n", "[a]."},
        {"a\xef\xbb\xbf\n", "[a\xef\xbb\xbf]."},
        {"\xef\xbb\xbf\xef\xbb\xbf"
         "a\n",
         "[\xef\xbb\xbf"
         "a]."},
        {"a;b,c d\n", "[a;b|c d]."},
        {"a,b\n1\n1,2,3\n", "[a|b][1][1|2|3]."},
        {"\xc3\xa9,\xe2\x82\xac,\xf0\x9d\x84\x9e\n", "[\xc3\xa9|\xe2\x82\xac|\xf0\x9d\x84\x9e]."},
    };
    check_examples(examples, sizeof examples / sizeof *examples, false);
}

static void quotes(void)
{
    static const struct example examples[] = {
        {"\"a\",\"b\"\n", "[a|b]."},
        {"\"a,b\",c\n", "[a,b|c]."},
        {"\"say \"\"so\"\"\"\n", "[say \"so\"]."},
        {"\"\"\n", "[]."},
        {"\"\",\"\"\n", "[|]."},
        {"\"\"\"\"\n", "[\"]."},
        {"\"\"\"\"\"\"\n", "[\"\"]."},
        {"\"two\nlines\",b\n1,2\n", "[two\nlines|b][1|2]."},
        {"\"two\r\nlines\"\n", "[two\r\nlines]."},
        {"\"lone\rreturn\"\n", "[lone\rreturn]."},
        {"\"\n\n\"\n", "[\n\n]."},
        {"\"a\"\r\n1\r\n", "[a][1]."},
        {"\"a\"", "[a]."},
        {"\"a\",", "[a|]."},
        {"\" a \"\n", "[ a ]."},
    };
    check_examples(examples, sizeof examples / sizeof *examples, false);
}

static void malformed_rows(void)
{
    static const struct example examples[] = {
        {"a\n\"b\n1\n2\n", "[a]!t:2:1: the quote opened here is never closed;."},
        {"a\n1,\"b\n", "[a]!t:2:3: the quote opened here is never closed;."},
        {"\"", "!t:1:1: the quote opened here is never closed;."},
        {"\"\"\"", "!t:1:1: the quote opened here is never closed;."},
        {"a\n\"b\"c,2\n3\n", "[a]!t:2:4: text after a closing quote;[3]."},
        {"a\n\"b\" ,2\n3\n", "[a]!t:2:4: text after a closing quote;[3]."},
        {"a\n\"b\"\"c\"d\n3\n", "[a]!t:2:7: text after a closing quote;[3]."},
        {"a\nb\"c\n3\n", "[a]!t:2:2: a quote inside a field without quotes;[3]."},
        {"a\n1, \"c\"\n3\n", "[a]!t:2:4: a quote inside a field without quotes;[3]."},
        {"a\rb\n3\n", "!t:1:2: a carriage return without a line feed;[3]."},
        {"a\r\r\n3\n", "!t:1:2: a carriage return without a line feed;[3]."},
        {"a\r", "!t:1:2: a carriage return without a line feed;."},
        {"\"a\"\r", "!t:1:4: text after a closing quote;."},
        {"a\n1\x01\n3\n", "[a]!t:2:2: byte 0x01 is not text;[3]."},
        {"a\n\x1b[0m\n3\n", "[a]!t:2:1: byte 0x1b is not text;[3]."},
        {"a\n\"x\ny\x7fz\"\n3\n", "[a]!t:3:2: byte 0x7f is not text;[3]."},
        {"a\n\xff\n3\n", "[a]!t:2:1: byte 0xff makes no UTF-8 character here;[3]."},
        {"a\nx\x80\n3\n", "[a]!t:2:2: byte 0x80 makes no UTF-8 character here;[3]."},
        {"a\n\xc3\n3\n", "[a]!t:2:2: a UTF-8 character is cut off;[3]."},
        {"a\n\xc3(\n3\n", "[a]!t:2:2: byte 0x28 makes no UTF-8 character here;[3]."},
        {"a\n\xc3,4\n3\n", "[a]!t:2:2: a UTF-8 character is cut off;[3]."},
        {"a\n\"\xe2\x82\"\n3\n", "[a]!t:2:5: a UTF-8 character is cut off;[3]."},
        {"a\n\"\xe2\x82\"\"\"\n3\n", "[a]!t:2:5: byte 0x22 makes no UTF-8 character here;[3]."},
        {"a\n\xc0\x80\n", "[a]!t:2:1: byte 0xc0 makes no UTF-8 character here;."},
        {"a\n\xc1\xbf\n", "[a]!t:2:1: byte 0xc1 makes no UTF-8 character here;."},
        {"a\n\xe0\x9f\xbf\n", "[a]!t:2:2: byte 0x9f makes no UTF-8 character here;."},
        {"a\n\xed\xa0\x80\n", "[a]!t:2:2: byte 0xa0 makes no UTF-8 character here;."},
        {"a\n\xf0\x8f\xbf\xbf\n", "[a]!t:2:2: byte 0x8f makes no UTF-8 character here;."},
        {"a\n\xf4\x90\x80\x80\n", "[a]!t:2:2: byte 0x90 makes no UTF-8 character here;."},
        {"a\n\xf5\x80\x80\x80\n", "[a]!t:2:1: byte 0xf5 makes no UTF-8 character here;."},
        {"\xef\xbb\n3\n", "!t:1:3: a UTF-8 character is cut off;[3]."},
        {"\xff\xfe"
         "a\n3\n",
         "!t:1:1: byte 0xff makes no UTF-8 character here;[3]."},
        {"a\"b\"c,\"\n3\n4\n", "!t:1:2: a quote inside a field without quotes;."},
        {"x\x01\"y\x02\n3\n", "!t:1:2: byte 0x01 is not text;[3]."},
    };
    check_examples(examples, sizeof examples / sizeof *examples, false);

    char *got = read_all("a\n1\0"
                         "2\n3\n",
                         8, false);
    CU_ASSERT_STRING_EQUAL(got, "[a]!t:2:2: byte 0x00 is not text;[3].");
    free(got);
    got = read_all("a\n\"\0,\",4\n3\n", 11, false);
    CU_ASSERT_STRING_EQUAL(got, "[a]!t:2:2: byte 0x00 is not text;[3].");
    free(got);
}

static void places_are_those_of_fields(void)
{
    static const struct example examples[] = {
        {"a,bc,\nd\n", "[1:1 a|1:3 bc|1:6 ][2:1 d]."},
        {"\"a\"\"\",b\r\n\r\n \"\n",
         "[1:1 a\"|1:7 b]!t:3:2: a quote inside a field without quotes;."},
        {"\"x\ny\",b,\"\n\",c\n1\n", "[1:1 x\ny|2:4 b|2:6 \n|3:3 c][4:1 1]."},
        {"\xc3\xa9,b\n", "[1:1 \xc3\xa9|1:4 b]."}, /* columns count bytes */
        {"\xef\xbb\xbf"
         "a,b\n",
         "[1:1 a|1:3 b]."}, /* but not the mark */
    };
    check_examples(examples, sizeof examples / sizeof *examples, true);
}

static void nothing_is_a_failure(void)
{
    static const struct example examples[] = {
        {"", "#t:1:1: empty where a header row is needed;"},
        {"\n\r\n", "#t:3:1: empty where a header row is needed;"},
        {"\xef\xbb\xbf", "#t:1:1: empty where a header row is needed;"},
    };
    check_examples(examples, sizeof examples / sizeof *examples, false);
}

static void what_cannot_be_read_is_a_failure(void)
{
    FILE *directory = fopen("/", "r");
    if (directory) {
        char *got = transcript(directory, false);
        CU_ASSERT_STRING_EQUAL(got, "#t:1:1: cannot read: Is a directory;");
        free(got);
        fclose(directory);
    }
    char path[] = "/tmp/case.XXXXXX";
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0 && write(file, "a\n1", 3) == 3 && close(file) == 0);
    FILE *write_only = fopen(path, "a");
    char *got = transcript(write_only, false);
    suite_check(strncmp(got, "#t:1:1: cannot read: ", 21) == 0, "reads where only writing goes: %s",
                got);
    free(got);
    fclose(write_only);
    unlink(path);
}

/* An error after good rows, in the middle of one: a terminal that hangs up, a disk that fails. */
static void a_failure_midway_is_no_end(void)
{
    int ends[2];
    CU_ASSERT_FATAL(pipe(ends) == 0);
    CU_ASSERT_FATAL(write(ends[1], "a,b\n1,2\n3,", 10) == 10);
    FILE *stream = fdopen(ends[0], "r");
    struct csv *csv = csv_open(stream, "-");
    struct row row;
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    int nothing = open("/", 0);
    CU_ASSERT_FATAL(nothing >= 0 && dup2(nothing, ends[0]) == ends[0]); /* reads fail from now on */
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_FAILED);
    CU_ASSERT_STRING_EQUAL(csv_message(csv), "standard input:3:3: cannot read: Is a directory");
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_FAILED);
    csv_close(csv);
    fclose(stream);
    close(nothing);
    close(ends[1]);
}

/* A row is there as soon as its line end is: whoever writes it may wait for the answer. */
static void rows_come_one_by_one(void)
{
    int ends[2];
    CU_ASSERT_FATAL(pipe(ends) == 0);
    FILE *stream = fdopen(ends[0], "r");
    struct csv *csv = csv_open(stream, "pipe");
    struct row row;
    static const char *const rows[] = {"a,b\r\n", "1,2\n", "\"3\",4\r\n"};
    alarm(20); /* a reader that waits for more would wait for ever */
    for (size_t i = 0; i < 3; i++) {
        ssize_t length = (ssize_t)strlen(rows[i]);
        CU_ASSERT_FATAL(write(ends[1], rows[i], (size_t)length) == length);
        CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
        CU_ASSERT_EQUAL(row.count, 2);
    }
    alarm(0);
    close(ends[1]);
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_END);
    csv_close(csv);
    fclose(stream);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The row is refused, not stored, and the next one is read. */
static void check_too_large(const char *begin, char repeated, size_t count, const char *end,
                            const char *wanted)
{
    FILE *stream = tmpfile();
    fputs(begin, stream);
    for (size_t i = 0; i < count; i++) {
        putc_unlocked(repeated, stream);
    }
    fputs(end, stream);
    rewind(stream);
    char *got = transcript(stream, false);
    suite_check(strcmp(got, wanted) == 0, "%zu times '%c': %s, not %s", count, repeated, got,
                wanted);
    free(got);
    fclose(stream);
}

static void rows_have_a_limit(void)
{
    long before = peak_kilobytes();
    check_too_large("a\n", 'x', (size_t)80 << 20, "\n3\n",
                    "[a]!t:2:1: the row takes more than 64 MiB (is a quote missing?);[3].");
    check_too_large("a\n", ',', (size_t)8 << 20, "\n3\n",
                    "[a]!t:2:1: the row takes more than 64 MiB (is a quote missing?);[3].");
    check_too_large("a\n1,\"", '\n', (size_t)80 << 20, "\"\n3\n",
                    "[a]!t:2:1: the row takes more than 64 MiB (is a quote missing?);[3].");
    long grown = peak_kilobytes() - before;
    suite_check(grown < 400 << 10, "peak memory has grown by %ld KiB", grown);
}

/* Many rows take no more memory than one. */
static void rows_do_not_add_up(void)
{
    FILE *stream = tmpfile();
    fputs("a,b,c\n", stream);
    for (int i = 0; i < 400000; i++) {
        fprintf(stream, "%d,\"some text that takes its room\",%d\n", i, i);
    }
    rewind(stream);
    struct csv *csv = csv_open(stream, "t");
    struct row row;
    long before = peak_kilobytes();
    size_t rows = 0;
    while (csv_next(csv, &row) == CSV_ROW) {
        rows += row.count == 3;
    }
    CU_ASSERT_EQUAL(rows, 400001);
    long grown = peak_kilobytes() - before;
    suite_check(grown < 4 << 10, "peak memory has grown by %ld KiB", grown);
    csv_close(csv);
    fclose(stream);
}

/* Random text of the characters that matter, with quotes and line ends where they please, comes
 * back unchanged. */
static void what_is_written_reads_back(void)
{
    static const char *const pieces[] = {"a", ",", "\"",       "\n", "\r\n",
                                         ";", " ", "\xc3\xa9", "\t", "'"};
    enum { PIECES = sizeof pieces / sizeof *pieces, ROWS = 8, FIELDS = 4, LENGTH = 64 };
    for (int i = 0; i < 2000; i++) {
        char field[ROWS][FIELDS][LENGTH];
        FILE *stream = tmpfile();
        for (int r = 0; r < ROWS; r++) {
            for (int f = 0; f < FIELDS; f++) {
                size_t length = 0;
                field[r][f][0] = '\0';
                for (unsigned n = sample_below(&sample, 8); n > 0; n--) {
                    const char *piece = pieces[sample_below(&sample, PIECES)];
                    length += (size_t)snprintf(field[r][f] + length, LENGTH - length, "%s", piece);
                }
                csv_write_field(stream, field[r][f]);
                fputs(f + 1 < FIELDS ? "," : sample_below(&sample, 2) ? "\n" : "\r\n", stream);
            }
        }
        rewind(stream);
        struct csv *csv = csv_open(stream, "t");
        struct row row;
        for (int r = 0; r < ROWS; r++) {
            bool good = csv_next(csv, &row) == CSV_ROW && row.count == FIELDS;
            for (int f = 0; good && f < FIELDS; f++) {
                good = strcmp(row.text[f], field[r][f]) == 0;
            }
            suite_check(good, "table %d, row %d: %s", i, r, csv_message(csv));
        }
        CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_END);
        csv_close(csv);
        fclose(stream);
    }
}

/* Whatever the bytes, the reader comes to an end, and every message has a place in the text. */
static void any_bytes_come_to_an_end(void)
{
    static const char bytes[] = ",,,\"\"\n\n\r\r a1\xc3\xa9\xe2\x82\xac\x01\xff";
    char text[64];
    for (int i = 0; i < 20000; i++) {
        size_t length = sample_below(&sample, sizeof text);
        unsigned lines = 1;
        for (size_t k = 0; k < length; k++) {
            text[k] = bytes[sample_below(&sample, sizeof bytes)]; /* the terminator too */
            lines += text[k] == '\n';
        }
        FILE *stream = stream_of(text, length);
        struct csv *csv = csv_open(stream, "t");
        struct row row;
        size_t calls = 0;
        enum csv_status status;
        while ((status = csv_next(csv, &row)) == CSV_ROW || status == CSV_MALFORMED) {
            unsigned line = 0, column = 0;
            if (status == CSV_MALFORMED) {
                suite_check(sscanf(csv_message(csv), "t:%u:%u: ", &line, &column) == 2 &&
                                line >= 1 && line <= lines && column >= 1 && column <= length + 1,
                            "%s", csv_message(csv));
            }
            if (++calls > length) {
                break;
            }
        }
        suite_check(calls <= length, "more rows than bytes");
        csv_close(csv);
        fclose(stream);
    }
}

static const struct field inputs[] = {
    {"t0", FIELD_NUMBER, "time", "a number"},
    {"w0", FIELD_OPTIONAL, "1", "a number or none"},
    {"v", FIELD_LIST, "value", "any count"},
};
static const struct function function = {.name = "example", .inputs = inputs, .input_count = 3};

/* Reads a header and the rows after it: "0.5,,1.0;2.0" a case, else the messages. */
static char *read_cases(const char *text)
{
    FILE *stream = stream_of(text, strlen(text));
    struct csv *csv = csv_open(stream, "t");
    struct row row;
    struct columns columns;
    struct values values = {0};
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    const char *message = columns_read(&columns, &function, csv, &row);
    if (message) {
        fprintf(out, "%s;", message);
    }
    while (!message && csv_next(csv, &row) == CSV_ROW) {
        const char *wrong = case_read(&columns, csv, &row, &values);
        suite_check(!wrong || wrong == csv_message(csv), "the message is another one");
        if (wrong) {
            fputs(wrong, out);
        } else {
            case_write(out, &function, &values, false);
        }
        fputc(';', out);
    }
    fclose(out);
    values_free(&values);
    csv_close(csv);
    fclose(stream);
    return result;
}

static void check_cases(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *got = read_cases(examples[i].text);
        suite_check(strcmp(got, examples[i].wanted) == 0, "%s\ngives\n%s\nnot\n%s",
                    examples[i].text, got, examples[i].wanted);
        free(got);
    }
}

static void headers(void)
{
    static const struct example examples[] = {
        {"t0,w0,v\n1,2,3\n", "1.0,2.0,3.0;"},
        {"v,t0,w0\n3,1,2\n", "1.0,2.0,3.0;"},
        {"\"w0\",source,\"v\",exact,t0\n2,text,3,,1\n", "1.0,2.0,3.0;"},
        {"source,t0,source,w0,v,,\nx,1,y,2,3,,\n", "1.0,2.0,3.0;"},
        {"t0,w0\n", "t:1:1: no column \"v\" for example;"},
        {"x,y\n", "t:1:1: no column \"t0\" for example;"},
        {"\n\nt0,w0,v,w0\n", "t:3:9: a second column \"w0\";"},
        {"t0,t0,w0,v\n", "t:1:4: a second column \"t0\";"},
        {"T0,w0,v\n", "t:1:1: no column \"t0\" for example, only \"T0\";"},
        {"t0, w0,v\n", "t:1:4: no column \"w0\" for example, only \" w0\";"},
        {"t0,w0,v \n", "t:1:7: no column \"v\" for example, only \"v \";"},
        {"t0,w0,vv\n", "t:1:1: no column \"v\" for example;"},
        {"t0,w0,v\n", ""},
    };
    check_cases(examples, sizeof examples / sizeof *examples);
}

static void numbers_of_a_case(void)
{
    static const struct example examples[] = {
        {"t0,w0,v\n0x1p-1,,1;2\n", "0.5,,1.0;2.0;"},
        {"t0,w0,v\n\" -inf \", ,\n", "-inf,,;"},
        {"t0,w0,v\nnan,-0,\" 1 ; 2e3;inf \"\n", "nan,-0.0,1.0;2000.0;inf;"},
        {"t0,w0,v\n,1,1\n1,1,1\n", "t:2:1: t0: empty where a number is needed;1.0,1.0,1.0;"},
        {"t0,w0,v\n \t,1,1\n", "t:2:1: t0: empty where a number is needed;"},
        {"t0,w0,v\n1,x,1\n", "t:2:3: w0: \"x\" is not a number;"},
        {"t0,w0,v\n1;2,1,1\n", "t:2:1: t0: \"1;2\" is not a number;"},
        {"t0,w0,v\n1,\"1,5\",1\n", "t:2:3: w0: \"1,5\" is not a number;"},
        {"t0,w0,v\n1,1,1;;2\n", "t:2:5: v: item 2 of \"1;;2\" is not a number;"},
        {"t0,w0,v\n1,1,1;\n", "t:2:5: v: item 2 of \"1;\" is not a number;"},
        {"t0,w0,v\n1,1,;\n", "t:2:5: v: item 1 of \";\" is not a number;"},
        {"t0,w0,v\n1,1,1 2\n", "t:2:5: v: item 1 of \"1 2\" is not a number;"},
        {"v,t0,w0\n1;q,1,1\n", "t:2:1: v: item 2 of \"1;q\" is not a number;"},
        {"t0,w0,v\n\n1,2\n", "t:3:1: 2 fields, but the header names 3 columns;"},
        {"t0,w0,v\n1\n", "t:2:1: 1 field, but the header names 3 columns;"},
        {"t0,w0,v\n1,2,3,\n4,5,6\n",
         "t:2:1: 4 fields, but the header names 3 columns;4.0,5.0,6.0;"},
        {"t0,w0,v\n\"a\nb\",2,3\n", "t:2:1: t0: \"a b\" is not a number;"},
        {"t0,w0,v\n0123456789012345678901234567890123456789abcdef,2,3\n",
         "t:2:1: t0: \"0123456789012345678901234567890123456789...\" is not a number;"},
        {"t0,w0,v\n012345678901234567890123456789012345678\xc3\xa9,2,3\n",
         "t:2:1: t0: \"012345678901234567890123456789012345678...\" is not a number;"},
    };
    check_cases(examples, sizeof examples / sizeof *examples);
}

static void check_round_trip(bool hex)
{
    FILE *stream = tmpfile();
    case_write_header(stream, &function);
    fputc('\n', stream);
    enum { CASES = 500 };
    struct values values[CASES] = {{0}};
    for (int i = 0; i < CASES; i++) {
        *values_append(&values[i], 1) = i % 9 ? sample_finite(&sample) : NAN;
        size_t optional = sample_below(&sample, 2);
        double *number = values_append(&values[i], optional);
        if (optional) {
            *number = sample_finite(&sample);
        }
        size_t count = sample_below(&sample, 40);
        number = values_append(&values[i], count);
        for (size_t k = 0; k < count; k++) {
            number[k] = k % 7 ? sample_finite(&sample) : -INFINITY;
        }
        case_write(stream, &function, &values[i], hex);
        fputc('\n', stream);
    }
    rewind(stream);
    struct csv *csv = csv_open(stream, "t");
    struct row row;
    struct columns columns;
    struct values back = {0};
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_PTR_NULL(columns_read(&columns, &function, csv, &row));
    for (int i = 0; i < CASES; i++) {
        CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
        const char *message = case_read(&columns, csv, &row, &back);
        suite_check(!message && back.count == 3, "case %d: %s", i, message);
        for (size_t f = 0; f < 3; f++) {
            size_t length = values_length(&values[i], f);
            bool same = values_length(&back, f) == length;
            for (size_t k = 0; same && k < length; k++) {
                same = same_double(values_field(&back, f)[k], values_field(&values[i], f)[k]);
            }
            suite_check(same, "case %d, field %zu is another one", i, f);
        }
        values_free(&values[i]);
    }
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_END);
    values_free(&back);
    csv_close(csv);
    fclose(stream);
}

static void cases_read_back(void)
{
    check_round_trip(false);
    check_round_trip(true);
}

static void complaints_have_a_place(void)
{
    FILE *stream = stream_of("a\n\n1,  2\n", 9);
    struct csv *csv = csv_open(stream, "dir/a b.csv");
    struct row row;
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_STRING_EQUAL(csv_complain(csv, &row, 1, "%d too many", 3),
                           "dir/a b.csv:3:3: 3 too many");
    CU_ASSERT_STRING_EQUAL(csv_complain(csv, &row, 0, "again: %s", csv_message(csv)),
                           "dir/a b.csv:3:1: again: dir/a b.csv:3:3: 3 too many");
    CU_ASSERT_STRING_EQUAL(csv_message(csv), "dir/a b.csv:3:1: again: dir/a b.csv:3:3: 3 too many");
    CU_ASSERT_STRING_EQUAL(csv_complain(csv, &row, 2, "no such field"),
                           "dir/a b.csv:4:1: no such field");
    csv_close(csv);
    fclose(stream);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"fields and rows", fields_and_rows},
        {"quotes", quotes},
        {"malformed rows", malformed_rows},
        {"places are those of fields", places_are_those_of_fields},
        {"nothing is a failure", nothing_is_a_failure},
        {"what cannot be read is a failure", what_cannot_be_read_is_a_failure},
        {"a failure midway is no end", a_failure_midway_is_no_end},
        {"rows come one by one", rows_come_one_by_one},
        {"rows do not add up", rows_do_not_add_up},
        {"rows have a limit", rows_have_a_limit},
        {"what is written reads back", what_is_written_reads_back},
        {"any bytes come to an end", any_bytes_come_to_an_end},
        {"headers", headers},
        {"numbers of a case", numbers_of_a_case},
        {"cases read back", cases_read_back},
        {"complaints have a place", complaints_have_a_place},
    };
    return suite_run("case", tests, sizeof tests / sizeof *tests);
}
