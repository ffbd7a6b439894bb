/* Cases in a list: those of a user's file, or those that are built in. */
#ifndef TRUELERP_REPORTS_ROWS_H
#define TRUELERP_REPORTS_ROWS_H

#include "../oracle/function.h"

#include <stddef.h>

struct rows {
    struct values *list;
    size_t count;
};

/* A copy of them. Ends the program if there is no memory. */
void rows_append(struct rows *rows, const struct values *inputs);

void rows_free(struct rows *rows);

/* A function's stored cases, which are read once and kept while the program lasts. NULL, and a
 * message, if something is wrong with them: they are part of the program, and so is that. */
const struct rows *rows_stored(const struct function *function);

#endif
