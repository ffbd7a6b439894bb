#include "number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtod and printf are relied on for correct rounding only. What depends on the locale, the
 * decimal point, never reaches them and is never taken from them. */

/* Digits that decide how a number rounds: 767 decimal ones suffice for any double and any point
 * halfway between two. What follows counts as one more digit, 1, if it is not zero. */
enum { DIGITS_KEPT = 800 };

struct numeral {
    int base;
    char digits[DIGITS_KEPT + 1];
    size_t count;     /* significant ones, the first of them not 0 */
    int64_t exponent; /* of the base, to be multiplied with the digits as one integer */
    bool sticky;      /* something was cut off */
};

/* The rest of the text. */
struct reader {
    const char *next;
    const char *end;
};

static bool accept(struct reader *reader, char wanted)
{
    if (reader->next == reader->end || *reader->next != wanted) {
        return false;
    }
    reader->next++;
    return true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* All of the rest is this word, in letters of either case. */
static bool is_word(const struct reader *reader, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->next) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (lower(reader->next[i]) != word[i]) {
            return false;
        }
    }
    return true;
}

static bool is_digit(const struct reader *reader, int base)
{
    if (reader->next == reader->end) {
        return false;
    }
    char c = lower(*reader->next);
    return (c >= '0' && c <= '9') || (base == 16 && c >= 'a' && c <= 'f');
}

static void append_digit(struct numeral *numeral, char digit, bool after_point)
{
    if (after_point) {
        numeral->exponent--;
    }
    if (numeral->count == 0 && digit == '0') {
        return;
    }
    if (numeral->count < DIGITS_KEPT) {
        numeral->digits[numeral->count++] = digit;
    } else {
        numeral->exponent++;
        numeral->sticky |= digit != '0';
    }
}

/* Digits with at most one point; returns false if there is no digit. */
static bool read_digits(struct reader *reader, struct numeral *numeral)
{
    bool any = false;
    bool after_point = false;
    for (;;) {
        if (is_digit(reader, numeral->base)) {
            append_digit(numeral, *reader->next++, after_point);
            any = true;
        } else if (after_point || !accept(reader, '.')) {
            return any;
        } else {
            after_point = true;
        }
    }
}

/* Saturates far outside what any count of digits in memory could make up for. */
static bool read_exponent(struct reader *reader, int64_t *exponent)
{
    const int64_t most = INT64_C(1) << 60;
    bool negative = accept(reader, '-');
    if (!negative) {
        accept(reader, '+');
    }
    if (!is_digit(reader, 10)) {
        return false;
    }
    int64_t magnitude = 0;
    while (is_digit(reader, 10)) {
        magnitude = magnitude * 10 + (*reader->next++ - '0');
        if (magnitude > most / 10) {
            magnitude = most / 10;
        }
    }
    *exponent = negative ? -magnitude : magnitude;
    return true;
}

/* The numeral's digits as one integer, times a power of ten or two, as strtod reads it. */
static double numeral_value(const struct numeral *numeral, int64_t exponent)
{
    /* The place of the leading digit decides about numbers that are far out of range. */
    int64_t digit_weight = numeral->base == 16 ? 4 : 1;
    int64_t leading = exponent + digit_weight * (int64_t)numeral->count;
    if (numeral->count == 0 || leading < -2000) {
        return 0;
    }
    if (leading > 2000) {
        return INFINITY;
    }
    char text[DIGITS_KEPT + 32];
    if (numeral->sticky) {
        exponent -= digit_weight;
    }
    snprintf(text, sizeof text, "%s%.*s%s%c%lld", numeral->base == 16 ? "0x" : "",
             (int)numeral->count, numeral->digits, numeral->sticky ? "1" : "",
             numeral->base == 16 ? 'p' : 'e', (long long)exponent);
    return strtod(text, NULL);
}

static enum number_status read_magnitude(struct reader *reader, double *number)
{
    if (is_word(reader, "inf") || is_word(reader, "infinity")) {
        *number = INFINITY;
        return NUMBER_READ;
    }
    if (is_word(reader, "nan")) {
        *number = NAN;
        return NUMBER_READ;
    }
    struct numeral numeral = {.base = 10};
    if (reader->end - reader->next >= 2 && reader->next[0] == '0' &&
        lower(reader->next[1]) == 'x') {
        numeral.base = 16;
        reader->next += 2;
    }
    int64_t exponent = 0;
    if (!read_digits(reader, &numeral)) {
        return NUMBER_MALFORMED;
    }
    char mark = numeral.base == 16 ? 'p' : 'e';
    if ((accept(reader, mark) || accept(reader, (char)(mark - 'a' + 'A'))) &&
        !read_exponent(reader, &exponent)) {
        return NUMBER_MALFORMED;
    }
    if (reader->next != reader->end) {
        return NUMBER_MALFORMED;
    }
    int64_t digit_weight = numeral.base == 16 ? 4 : 1;
    *number = numeral_value(&numeral, exponent + digit_weight * numeral.exponent);
    if (isinf(*number)) {
        return NUMBER_TOO_LARGE;
    }
    return *number == 0 && numeral.count > 0 ? NUMBER_TOO_SMALL : NUMBER_READ;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

enum number_status number_parse(const char *text, size_t length, double *number)
{
    struct reader reader = {text, text + length};
    while (reader.next < reader.end && is_space(*reader.next)) {
        reader.next++;
    }
    while (reader.next < reader.end && is_space(reader.end[-1])) {
        reader.end--;
    }
    bool negative = accept(&reader, '-');
    if (!negative) {
        accept(&reader, '+');
    }
    double magnitude;
    enum number_status status = read_magnitude(&reader, &magnitude);
    if (status != NUMBER_MALFORMED) {
        *number = negative ? -magnitude : magnitude;
    }
    return status;
}

bool number_read(const char *text, size_t length, double *number)
{
    return number_parse(text, length, number) == NUMBER_READ;
}

/* A positive finite number as 0.DIGITS 10^point. */
struct decimal {
    char digits[DBL_DECIMAL_DIG + 1];
    int count;
    int point;
};

static struct decimal round_to_digits(double number, int count)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.*e", count - 1, number);
    struct decimal decimal = {.count = 0};
    const char *c = text;
    for (; *c != 'e'; c++) {
        if (*c >= '0' && *c <= '9') {
            decimal.digits[decimal.count++] = *c;
        }
    }
    decimal.point = atoi(c + 1) + 1;
    return decimal;
}

static bool reads_back(const struct decimal *decimal, double number)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.*se%d", decimal->count, decimal->digits,
             decimal->point - decimal->count);
    return strtod(text, NULL) == number;
}

/* The next decimal of as many digits. */
static void step_up(struct decimal *decimal)
{
    int i = decimal->count - 1;
    while (i >= 0 && decimal->digits[i] == '9') {
        decimal->digits[i--] = '0';
    }
    if (i >= 0) {
        decimal->digits[i]++;
    } else {
        decimal->digits[0] = '1';
        decimal->point++;
    }
}

/* Whether some decimal of `count` digits reads back, and the nearest such. Decimals that read back
 * lie within half a gap of the number. If the gaps to both sides are equal, no other does if the
 * nearest does not. Below a power of two the gap is half as wide, and the next decimal above may
 * read back although the nearest, below, does not. */
static bool shortened(double number, int count, struct decimal *decimal)
{
    *decimal = round_to_digits(number, count);
    if (reads_back(decimal, number)) {
        return true;
    }
    int exponent;
    if (frexp(number, &exponent) != 0.5 || number <= DBL_MIN) {
        return false;
    }
    step_up(decimal);
    return reads_back(decimal, number);
}

/* A normal number has every decimal of up to 15 digits to itself: if one of them reads back, the
 * one of 15 digits is the same with zeros added. */
static struct decimal shortest(double number)
{
    struct decimal decimal;
    int count = number < DBL_MIN ? 1 : DBL_DIG;
    while (count < DBL_DECIMAL_DIG && !shortened(number, count, &decimal)) {
        count++;
    }
    if (count == DBL_DECIMAL_DIG) {
        decimal = round_to_digits(number, count);
    }
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0') {
        decimal.count--;
    }
    return decimal;
}

static void write_positional(const struct decimal *decimal, char *text)
{
    int point = decimal->point;
    for (int i = point < 1 ? point - 1 : 0; i < decimal->count || i <= point; i++) {
        if (i == point) {
            *text++ = '.';
        }
        *text++ = i < 0 || i >= decimal->count ? '0' : decimal->digits[i];
    }
    *text = '\0';
}

static void write_scientific(const struct decimal *decimal, char *text)
{
    snprintf(text, NUMBER_TEXT - 1, "%c%s%.*se%+03d", decimal->digits[0],
             decimal->count > 1 ? "." : "", decimal->count - 1, decimal->digits + 1,
             decimal->point - 1);
}

/* NaN, infinities and zeros; NULL for other numbers. */
static const char *special_name(double number, bool hex)
{
    if (isnan(number)) {
        return "nan";
    }
    if (isinf(number)) {
        return number < 0 ? "-inf" : "inf";
    }
    if (number == 0) {
        return signbit(number) ? (hex ? "-0x0p+0" : "-0.0") : (hex ? "0x0p+0" : "0.0");
    }
    return NULL;
}

void number_write(double number, char text[NUMBER_TEXT])
{
    const char *name = special_name(number, false);
    if (name) {
        snprintf(text, NUMBER_TEXT, "%s", name);
        return;
    }
    if (number < 0) {
        *text++ = '-';
    }
    struct decimal decimal = shortest(fabs(number));
    if (decimal.point > -4 && decimal.point <= 16) {
        write_positional(&decimal, text);
    } else {
        write_scientific(&decimal, text);
    }
}

int number_digits_apart(double one, double other, int least)
{
    char texts[2][NUMBER_TEXT];
    for (int digits = least; one != other && digits < DBL_DECIMAL_DIG; digits++) {
        snprintf(texts[0], NUMBER_TEXT, "%.*g", digits, one);
        snprintf(texts[1], NUMBER_TEXT, "%.*g", digits, other);
        if (strcmp(texts[0], texts[1]) != 0) {
            return digits;
        }
    }
    return one == other ? least : DBL_DECIMAL_DIG;
}

void number_write_hex(double number, char text[NUMBER_TEXT])
{
    const char *name = special_name(number, true);
    if (name) {
        snprintf(text, NUMBER_TEXT, "%s", name);
        return;
    }
    int exponent;
    double fraction = frexp(fabs(number), &exponent); /* in [1/2, 1) */
    uint64_t mantissa = (uint64_t)ldexp(fraction, DBL_MANT_DIG) - (UINT64_C(1) << 52);
    int digits = 13;
    for (; digits > 0 && mantissa % 16 == 0; digits--) {
        mantissa /= 16;
    }
    const char *sign = number < 0 ? "-" : "";
    if (digits == 0) {
        snprintf(text, NUMBER_TEXT, "%s0x1p%+d", sign, exponent - 1);
    } else {
        snprintf(text, NUMBER_TEXT, "%s0x1.%0*llxp%+d", sign, digits, (unsigned long long)mantissa,
                 exponent - 1);
    }
}
