/* Cases as bytes, which is what fuzzing engines store, change and exchange.
 *
 * The code is total: every byte string is one valid case, and every case that the encoder takes
 * decodes to itself, bit for bit. Field after field there is, as far as the field leaves a choice,
 * a length; then its numbers, each a double in the machine's order of bytes or one byte for a
 * choice. Where the bytes end, zeros stand for the rest, and bytes that are left over say nothing.
 */
#ifndef TRUELERP_FUZZ_ENCODE_H
#define TRUELERP_FUZZ_ENCODE_H

#include "../oracle/function.h"

#include <stddef.h>
#include <stdint.h>

void decode_case(const struct function *function, const uint8_t *data, size_t size,
                 struct values *inputs);

/* Returns how many bytes the case takes; 0, with nothing of use in `data`, if these are more than
 * `most` or a list is longer than LIST_MOST. */
enum { LIST_MOST = 65535 };
size_t encode_case(const struct function *function, const struct values *inputs, uint8_t *data,
                   size_t most);

#endif
