/* The fuzz target of numbers as text: corpus/number.h. Any bytes are a text, and its first eight
 * bytes are a double as well. */
#include "guide.h"
#include "parser.h"

#include "../corpus/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__attribute__((noinline)) static void number_other_value(void)
{
    abort();
}

__attribute__((noinline)) static void number_refused(void)
{
    abort();
}

__attribute__((noinline)) static void number_does_not_read_back(void)
{
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    parser_create("number");
    return 0;
}

static bool same(double x, double y)
{
    return (isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0;
}

static const char *skip_digits(const char *text, bool hex, size_t *count)
{
    for (; hex ? isxdigit((unsigned char)*text) : isdigit((unsigned char)*text); text++) {
        ++*count;
    }
    return text;
}

/* A number as the C standard writes it, by rules of this file's own: sign, digits with at most one
 * point among or around them, exponent. */
static bool is_number(const char *text)
{
    text += *text == '+' || *text == '-';
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    size_t digits = 0, exponent = 0;
    text = skip_digits(text + (hex ? 2 : 0), hex, &digits);
    if (*text == '.') {
        text = skip_digits(text + 1, hex, &digits);
    }
    if (digits > 0 && (*text | 32) == (hex ? 'p' : 'e')) {
        text += text[1] == '+' || text[1] == '-' ? 2 : 1;
        text = skip_digits(text, false, &exponent);
        return exponent > 0 && *text == '\0';
    }
    return digits > 0 && *text == '\0';
}

/* What is read is what strtod reads, and what looks like a number is read, or out of range as
 * strtod sees it. */
static void check_reading(const uint8_t *data, size_t size)
{
    double number = 0;
    char *text = parser_copy(data, size), *end;
    char *exact = malloc(size > 0 ? size : 1); /* without the NUL: it must not be looked for */
    if (!exact) {
        abort();
    }
    if (size > 0) {
        memcpy(exact, data, size);
    }
    enum number_status status = number_parse(exact, size, &number);
    bool read = status != NUMBER_MALFORMED;
    free(exact);
    if (read) {
        double wanted = strtod(text, &end);
        while (*end == ' ' || *end == '\t') {
            end++;
        }
        parser_check(same(number, wanted) && end == text + size,
                     "a text is read as strtod reads it", data, size, number_other_value);
        bool beyond = status == NUMBER_TOO_LARGE ? isinf(wanted) : wanted == 0;
        parser_check(status == NUMBER_READ || beyond, "what is refused is out of range", data, size,
                     number_refused);
    }
    parser_check(read || strlen(text) != size || !is_number(text), "a number is read", data, size,
                 number_refused);
    guide_show_kind(read ? (unsigned)ilogb(number) % 64 : 64);
    free(text);
}

static void check_writing(double number)
{
    char text[NUMBER_TEXT];
    double again = 0;
    for (int hex = 0; hex < 2; hex++) {
        memset(text, 'x', sizeof text);
        (hex ? number_write_hex : number_write)(number, text);
        size_t length = strnlen(text, sizeof text);
        bool right = length < sizeof text && number_read(text, length, &again);
        parser_check(right && same(number, again), "a number reads back as it is written", text,
                     length, number_does_not_read_back);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double number = 0;
    parser_run();
    check_reading(data, size);
    memcpy(&number, data, size < sizeof number ? size : sizeof number);
    check_writing(number);
    parser_judged();
    return 0;
}
