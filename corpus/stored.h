/* The stored cases, built in: a program finds them wherever it is installed. */
#ifndef TRUELERP_CORPUS_STORED_H
#define TRUELERP_CORPUS_STORED_H

#include "../oracle/function.h"

#include <stddef.h>

/* The bytes of corpus/NAME.csv, as they were when this was built. */
struct stored_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/* NULL if the function has none. */
const struct stored_file *stored_cases(const struct function *function);

/* Of the generated file. */
extern const struct stored_file stored_files[];
extern const size_t stored_file_count;

#endif
