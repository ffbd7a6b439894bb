/* What is told and kept of a finding. */
#ifndef TRUELERP_FUZZ_FINDING_H
#define TRUELERP_FUZZ_FINDING_H

#include "harness.h"

/* Prints the case as CSV and as a command that shows it again, and appends it to NAME.csv in the
 * directory of findings; then the same of the simplest case found that has the same fault. */
void finding_tell(struct harness *harness, const struct values *inputs, const struct trial *trial);

/* Of a case at which the target crashed, hung or ran out of memory. */
struct failed {
    const char *words;
    /* What the target was allowed for one input. */
    unsigned seconds;
    unsigned megabytes;
};

/* The same of such a case. The row as found is kept without asking anybody but the oracle, and that
 * in a process of its own; then, in other such processes, simpler cases are tried for a while, and
 * the simplest that fails in the same way is told of and kept as well. SIGINT and SIGTERM end that
 * early. False if a row could not be written. */
bool finding_keep(struct harness *harness, const struct values *inputs,
                  const struct failed *failed);

/* Prints a case as the two lines of a CSV file. */
void finding_print_case(FILE *stream, const struct function *function, const struct values *inputs);

#endif
