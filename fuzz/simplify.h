/* Makes the numbers of a case simpler as long as what is wrong with it stays. */
#ifndef TRUELERP_FUZZ_SIMPLIFY_H
#define TRUELERP_FUZZ_SIMPLIFY_H

#include "../oracle/function.h"

#include <stdbool.h>
#include <stdint.h>

/* Is the case still what it is kept for? */
typedef bool simplify_keeps(void *context, const struct values *inputs);

/* How much there is to a case: fewer items, fewer bits, zeros, ones and numbers that stand there
 * already make it less. */
unsigned simplify_cost(const struct function *function, const struct values *inputs);

/* Changes `inputs`, which must be kept themselves, until nothing simpler is found or so many cases
 * were asked about. Returns how many were. */
uint64_t simplify(const struct function *function, struct values *inputs, simplify_keeps *keeps,
                  void *context, uint64_t most);

#endif
