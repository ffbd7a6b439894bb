/* What is told and kept of a finding. */
#ifndef TRUELERP_FUZZ_FINDING_H
#define TRUELERP_FUZZ_FINDING_H

#include "harness.h"

/* Prints the case as CSV and as a command that shows it again, and appends it to NAME.csv in the
 * directory of findings; then the same of the simplest case found that has the same fault. */
void finding_tell(struct harness *harness, const struct values *inputs, const struct trial *trial);

/* The same of a case at which the target crashed, hung or ran out of memory, in `words`. It is not
 * simplified, and nothing is asked but the oracle, and that in a process of its own. False if the
 * row could not be written. */
bool finding_keep(struct harness *harness, const struct values *inputs, const char *words);

/* Prints a case as the two lines of a CSV file. */
void finding_print_case(FILE *stream, const struct function *function, const struct values *inputs);

#endif
