/* What is told and kept of a finding. */
#ifndef TRUELERP_FUZZ_FINDING_H
#define TRUELERP_FUZZ_FINDING_H

#include "harness.h"

/* Prints the case as CSV and as a command that shows it again, and appends it to NAME.csv in the
 * directory of findings; then the same of the simplest case found that has the same fault. */
void finding_tell(struct harness *harness, const struct values *inputs, const struct trial *trial);

/* Prints a case as the two lines of a CSV file. */
void finding_print_case(FILE *stream, const struct function *function, const struct values *inputs);

#endif
