/* Prepared inputs, for measuring how fast a target is: what they cost the engine is the same for
 * every target, an empty one too. */
#ifndef TRUELERP_FUZZ_DECK_H
#define TRUELERP_FUZZ_DECK_H

#include "../oracle/function.h"

#include <stddef.h>
#include <stdint.h>

/* Writes the next of some thousand cases of the function's domain of everyday data that take at
 * most `most` bytes, round and round; they are drawn in the first call. Returns the size. */
size_t deck_deal(const struct function *function, uint8_t *data, size_t most);

#endif
