/* Doubles as their bits. Made part of whatever calls them, the variants of filter.h included. */
#ifndef TRUELERP_ORACLE_BITS_H
#define TRUELERP_ORACLE_BITS_H

#include <stdint.h>
#include <string.h>

__attribute__((always_inline)) static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

__attribute__((always_inline)) static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^exponent in the normal range */
__attribute__((always_inline)) static inline double power_of_two(int exponent)
{
    return double_of((uint64_t)(exponent + 1023) << 52);
}

#endif
