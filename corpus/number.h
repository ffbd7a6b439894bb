/* Numbers as text: decimal, hexfloat, inf, -inf, nan. */
#ifndef TRUELERP_CORPUS_NUMBER_H
#define TRUELERP_CORPUS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_TEXT = 32 };

/* The whole of text[0..length) must be one number; spaces around it are allowed. Out of range is
 * no error: it rounds, as the standard says, to an infinity or to zero. Does not depend on the
 * locale. */
bool number_read(const char *text, size_t length, double *number);

/* The shortest decimal that reads back to the same double ("0.1", "1e+300", "5e-324", "-0.0"),
 * always recognisable as a floating-point number. */
void number_write(double number, char text[NUMBER_TEXT]);

/* "0x1.999999999999ap-4" */
void number_write_hex(double number, char text[NUMBER_TEXT]);

#endif
