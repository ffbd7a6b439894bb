#include "checksum.h"

#include "../oracle/bits.h"

#include <math.h>

/* The generator's next number after the state x */
static uint64_t mixed(uint64_t x)
{
    return mix_bits(x + MIX_STEP);
}

static uint64_t bits_of_any(double number)
{
    return isnan(number) ? 0x7FF8000000000000 : bits_of(number);
}

uint64_t checksum_of(uint64_t index, const struct values *values)
{
    uint64_t sum = mixed(index);
    for (size_t i = 0; i < values->count; i++) {
        size_t length = values_length(values, i);
        sum = mixed(sum ^ length);
        for (size_t k = 0; k < length; k++) {
            sum = mixed(sum ^ bits_of_any(values_field(values, i)[k]));
        }
    }
    return sum;
}

uint64_t checksum_of_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ byte[i]) * 0x100000001B3;
    }
    return sum;
}
