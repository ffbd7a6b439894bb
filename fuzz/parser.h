/* What the targets that parse text share: they count, and stop where a property does not hold. */
#ifndef TRUELERP_FUZZ_PARSER_H
#define TRUELERP_FUZZ_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "NAME: R runs, J cases judged" at exit: a case is a text whose outcome was checked. */
void parser_create(const char *name);
void parser_run(void);
void parser_judged(void);

/* Unless `holds`, says so and the text, and ends in `stop`, which is a function of its own for each
 * property: tools tell crashes apart by the names on their stack. */
void parser_check(bool holds, const char *property, const void *text, size_t size,
                  void (*stop)(void));

/* A copy with a NUL behind it, to be freed. */
char *parser_copy(const uint8_t *data, size_t size);

/* Does "NAME:LINE:COLUMN: what is wrong" begin so and go on, without control characters? */
bool parser_is_message(const char *message, const char *name);

#endif
