/* Keeps the worst inputs as files, written by the target itself: an engine that minimises its
 * corpus keeps the first input of each kind, which seldom is the worst. */
#ifndef TRUELERP_FUZZ_RECORD_H
#define TRUELERP_FUZZ_RECORD_H

#include "harness.h"

/* Four steps to an octave of the share of the bound, from 2^-16 to 2^64: so many files at most. */
enum { RECORD_STEPS = 4, RECORD_LOW = -16, RECORD_HIGH = 64 };
enum { RECORD_FILES = (RECORD_HIGH - RECORD_LOW) * RECORD_STEPS };

/* Which file such a case belongs in. */
unsigned record_step(double badness);

/* Writes the case to NAME-STEP in the directory of records, unless what is there is as bad. Other
 * processes may do the same at the same time; none sees half of a file. */
void record_keep(struct harness *harness, const struct values *inputs, double badness);

#endif
