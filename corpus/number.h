/* Numbers as text: decimal, hexfloat, inf, -inf, nan. */
#ifndef TRUELERP_CORPUS_NUMBER_H
#define TRUELERP_CORPUS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_TEXT = 32 };

enum number_status {
    NUMBER_READ,
    NUMBER_MALFORMED,
    NUMBER_TOO_LARGE, /* finite, and rounds to an infinity */
    NUMBER_TOO_SMALL  /* not zero, and rounds to it */
};

/* The whole of text[0..length) must be one number; spaces around it are allowed. It is rounded to
 * nearest, but never to what is no such number any more: nobody who writes 1e999 means an infinity.
 * *number is set as the standard says, but for malformed text. Does not depend on the locale. */
enum number_status number_parse(const char *text, size_t length, double *number);

/* Whether number_parse reads it. */
bool number_read(const char *text, size_t length, double *number);

/* The shortest decimal that reads back to the same double ("0.1", "1e+300", "5e-324", "-0.0"),
 * always recognisable as a floating-point number. */
void number_write(double number, char text[NUMBER_TEXT]);

/* How many significant digits, at least so many, tell two doubles apart that are not the same: 17
 * always do. Enough for either if they are the same. */
int number_digits_apart(double one, double other, int least);

/* "0x1.999999999999ap-4" */
void number_write_hex(double number, char text[NUMBER_TEXT]);

#endif
