/* Leads the engine to large errors: tells it how large they are, and changes numbers rather than
 * bytes. */
#ifndef TRUELERP_FUZZ_GUIDE_H
#define TRUELERP_FUZZ_GUIDE_H

#include "harness.h"

#include <stddef.h>

/* To libFuzzer it is as if branches had been taken, so that an input with an error of a size, or a
 * condition, not seen before is kept. Forgotten before each run; once a run. */
void guide_show(const struct trial *trial);

/* The same of any text: how a parser took it, a number below GUIDE_KINDS. Once a run. */
enum { GUIDE_KINDS = 256 };
void guide_show_kind(unsigned kind);

/* As LLVMFuzzerCustomMutator. */
size_t guide_mutate(struct harness *harness, uint8_t *data, size_t size, size_t most,
                    unsigned seed);

/* As LLVMFuzzerCustomCrossOver: fields of either case, lists that belong together from one. */
size_t guide_cross(struct harness *harness, const uint8_t *first, size_t first_size,
                   const uint8_t *second, size_t second_size, uint8_t *data, size_t most,
                   unsigned seed);

#endif
