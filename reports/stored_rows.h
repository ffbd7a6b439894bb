/* A function's stored cases, of those that are built in. */
#ifndef TRUELERP_REPORTS_STORED_ROWS_H
#define TRUELERP_REPORTS_STORED_ROWS_H

#include "../oracle/function.h"

#include <stdbool.h>
#include <stddef.h>

struct stored_rows {
    struct values *list;
    size_t count;
};

/* Says what is wrong with them. */
bool stored_rows_read(const struct function *function, struct stored_rows *rows);

/* The same, read once and kept while the program lasts. */
const struct stored_rows *stored_rows(const struct function *function);

#endif
