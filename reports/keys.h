/* A curve's keys from a CSV file, one key a row. */
#ifndef TRUELERP_REPORTS_KEYS_H
#define TRUELERP_REPORTS_KEYS_H

#include "../oracle/function.h"

#include <stdbool.h>

/* Reads them as the inputs of `curve` up to the wraps, in its order; those come after, as numbers
 * of its choices. Returns false after saying all that is wrong with the file, with lines and
 * columns, also what no curve can be built of. `path` may be "-". */
bool keys_read(struct values *inputs, const struct function *curve, const char *path, double before,
               double after);

#endif
