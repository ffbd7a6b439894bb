/* Writes the stored cases as inputs of the fuzz targets: `fuzz_seeds FOLDER` makes
 * FOLDER/NAME/NUMBER for every row of every corpus/NAME.csv, and inputs for the targets that parse
 * text. */
#include "encode.h"

#include "../corpus/case.h"
#include "../corpus/stored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BYTES_MOST = 1 << 16, CSV_BYTES = 700 };

static _Noreturn void fail(const char *name, const char *what)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        fail(path, strerror(errno));
    }
}

static void write_seed(const char *folder, const char *target, size_t number, const void *data,
                       size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, target);
    make_folder(path);
    snprintf(path, sizeof path, "%s/%s/%04zu", folder, target, number);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(data, 1, size, file) == size;
    if (!file || fclose(file) != 0 || !written) {
        fail(path, strerror(errno));
    }
}

static void write_row(const char *folder, const struct function *function, size_t number,
                      const struct values *inputs)
{
    static uint8_t data[BYTES_MOST];
    size_t size = encode_case(function, inputs, data, sizeof data);
    if (size == 0) {
        fail(function->name, "a stored case is too long for the encoder");
    }
    write_seed(folder, function->name, number, data, size);
}

static void write_cases(const char *folder, const struct function *function)
{
    const struct stored_file *stored = stored_cases(function);
    if (!stored) {
        fail(function->name, "no stored cases");
    }
    FILE *stream = fmemopen((void *)stored->bytes, stored->size, "r");
    struct csv *csv = csv_open(stream, function->name);
    struct columns columns;
    struct values inputs = {0};
    struct row row;
    const char *message = columns_read_header(&columns, function, csv);
    size_t number = 0;
    enum csv_status status;
    while (!message && (status = csv_next(csv, &row)) != CSV_END) {
        message = status == CSV_ROW ? case_read(&columns, csv, &row, &inputs) : csv_message(csv);
        if (!message) {
            write_row(folder, function, ++number, &inputs);
        }
    }
    if (message || number == 0) {
        fail(function->name, message ? message : "no stored cases");
    }
    values_free(&inputs);
    csv_close(csv);
    fclose(stream);
}

/* A function's number, and the beginning of its file behind it, as fuzz_csv reads them. */
static void write_texts(const char *folder)
{
    static uint8_t data[BYTES_MOST];
    for (size_t i = 0; i < catalog_count; i++) {
        const struct stored_file *stored = stored_cases(catalog[i]);
        size_t size = stored->size < CSV_BYTES ? stored->size : CSV_BYTES;
        data[0] = (uint8_t)i;
        memcpy(data + 1, stored->bytes, size);
        write_seed(folder, "csv", i + 1, data, size + 1);
    }
    static const char *const numbers[] = {"0",      "-0.0",        "1e308",
                                          "5e-324", "0x1.8p-1074", "1.7976931348623157e+308",
                                          "nan",    "-inf",        "0x.8p1",
                                          "1e400",  " 0.1 ",       "2.2250738585072011e-308"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        write_seed(folder, "number", i + 1, numbers[i], strlen(numbers[i]));
    }
}

/* A verb's number, which is any, and its arguments, a line each. */
static void write_command_lines(const char *folder)
{
    static const char *const lines[] = {
        "lerp\n-",
        "curve\n--keys\nkeys.csv\n--before=loop\n--after\nping_pong\n-",
        "--json\n--hex\n--impl\nlibrary.so\n--out=out.json\nslerp3\ncases.csv",
        "--samples\n3e5\n--seed=0x10\n--jobs=2\nlerp\nhermite",
        "--domain\ngeneral\n--cases\nfile.csv\n--format=html",
        "--minutes=1\n--seconds\n30\n--timeout=60\n--corpus\nfolder\nbezier",
        "-x\n-j\n-i\nlibrary.so\n-o\nout\nnewton\n-",
        "--case\n17\n--count=100\nlerp\ngeneral",
        "--help"};
    static uint8_t data[256];
    for (size_t verb = 0; verb < 8; verb++) {
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            data[0] = (uint8_t)verb;
            memcpy(data + 1, lines[i], strlen(lines[i]));
            write_seed(folder, "command_line", 1 + verb * 16 + i, data, 1 + strlen(lines[i]));
        }
    }
}

static void write_json(const char *folder)
{
    static const char *const texts[] = {
        "{}", "[1, -2.5e-300, 0x1, true, false, null, \"a\\u00e9\\n\"]",
        "{\"a\": [{}, [], {\"b\": \"\"}], \"c\": 1E+5}",
        "{\"schema\": \"truelerp-baseline-1\", \"implementation\": \"truelerp 0.1.0\", \"seed\": "
        "1, "
        "\"samples\": {\"full\": 300000, \"quick\": 3000}, \"stored\": [], \"full\": [], "
        "\"quick\": [], \"climb\": [], \"costs\": []}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_seed(folder, "json", i + 1, texts[i], strlen(texts[i]));
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    make_folder(argv[1]);
    for (size_t i = 0; i < catalog_count; i++) {
        write_cases(argv[1], catalog[i]);
    }
    write_texts(argv[1]);
    write_command_lines(argv[1]);
    write_json(argv[1]);
    return 0;
}
