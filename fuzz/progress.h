/* What a target has done so far, kept in a file that outlives it: a process that is killed, or
 * stopped by the engine's handlers, prints nothing more, and where it stops within a mutator,
 * engines do not know the input. TRUELERP_FUZZ_PROGRESS names the file. */
#ifndef TRUELERP_FUZZ_PROGRESS_H
#define TRUELERP_FUZZ_PROGRESS_H

#include "../oracle/function.h"

#include <stdint.h>

enum { PROGRESS_MAGIC = 0x70726731, PROGRESS_NUMBERS = 1 << 13 };

/* The whole file, in the machine's own form, since no other machine reads it. */
struct progress {
    uint64_t magic;
    uint64_t runs, judged; /* of cases whose judgement is done */
    double error, share;   /* the largest error, and of its bound; share 0: none yet */
    uint64_t fields;       /* of the case being tried; 0: none, or one that is too long */
    uint64_t start[FIELDS_MAX + 1];
    double number[PROGRESS_NUMBERS];
};

/* Opens the file if the environment names one. Exit code 2 with a message if it cannot be made. */
void progress_open(void);

/* Each costs nothing where there is no file. */
void progress_count(uint64_t runs, uint64_t judged);
void progress_worst(double error, double share);
void progress_try(const struct values *inputs);

/* For whoever reads such a file: the case that was being tried, as engines know it (encode.h).
 * Returns its size; 0 if there is none, or not one of this function. */
size_t progress_input(const struct progress *progress, const struct function *function,
                      uint8_t *data, size_t most);

#endif
