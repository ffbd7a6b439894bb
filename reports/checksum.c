#include "checksum.h"

#include <math.h>
#include <string.h>

/* The finalizer of splitmix64: every bit of x has its part in every bit of the result. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return isnan(number) ? 0x7FF8000000000000 : bits;
}

uint64_t checksum_of(uint64_t index, const struct values *values)
{
    uint64_t sum = mixed(index);
    for (size_t i = 0; i < values->count; i++) {
        size_t length = values_length(values, i);
        sum = mixed(sum ^ length);
        for (size_t k = 0; k < length; k++) {
            sum = mixed(sum ^ bits_of(values_field(values, i)[k]));
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
