/* An exact sum of products of two doubles, rounded once: what remains when every faster way has
 * given up. It holds up to 2^16 products of any finite doubles.
 *
 * The value is sum_i digit[i] 2^(32 i - 2176). A digit collects signed 32-bit pieces in 64 bits, so
 * that adding a product touches five digits and carries wait until the end. (Kulisch and Miranker
 * 1986; small digits after Neal, arXiv 1505.05571.)
 */
#ifndef TL_ACCUMULATOR_H
#define TL_ACCUMULATOR_H

#include "exact.h"

enum {
    TL_ACCUMULATOR_BIAS = 2176,  /* products are multiples of 2^-2148; a multiple of 32 */
    TL_ACCUMULATOR_DIGITS = 135, /* the sum is below 2^(2048 + 16), and its carry has one more */
};

__extension__ typedef unsigned __int128 tl_uint128;

typedef struct tl_accumulator {
    int first, last; /* of the digits in use; the one after them is in use once carries are done */
    int64_t digit[TL_ACCUMULATOR_DIGITS];
} tl_accumulator;

static inline tl_accumulator tl_accumulator_zero(void)
{
    return (tl_accumulator){.first = TL_ACCUMULATOR_DIGITS};
}

/* |x| = mantissa 2^exponent for a finite x. */
static inline uint64_t tl_split(double x, int *exponent)
{
    uint64_t bits = tl_to_bits(x) & UINT64_MAX >> 1;
    int biased = (int)(bits >> 52);
    *exponent = (biased > 0 ? biased : 1) - 1075;
    return biased > 0 ? bits - ((uint64_t)(biased - 1) << 52) : bits;
}

/* Adds a b, of finite a and b. */
static inline void tl_accumulate(tl_accumulator *sum, double a, double b)
{
    int exponent_a, exponent_b;
    tl_uint128 product = tl_split(a, &exponent_a);
    product *= tl_split(b, &exponent_b);
    int position = exponent_a + exponent_b + TL_ACCUMULATOR_BIAS;
    int64_t sign = signbit(a) != signbit(b) ? -1 : 1;
    int64_t *digit = sum->digit + position / 32;
    sum->first = position / 32 < sum->first ? position / 32 : sum->first;
    sum->last = position / 32 + 4 > sum->last ? position / 32 + 4 : sum->last;
    for (int i = 0; i < 4; i++) {
        uint64_t piece = (uint64_t)(uint32_t)(product >> 32 * i) << position % 32;
        digit[i] += sign * (int64_t)(uint32_t)piece;
        digit[i + 1] += sign * (int64_t)(piece >> 32);
    }
}

/* Brings the digits in use into 0 .. 2^32 - 1; the one after them then has the sum's sign. */
static inline void tl_accumulator_carry(tl_accumulator *sum)
{
    for (int i = sum->first; i <= sum->last; i++) {
        int64_t low = (int64_t)(uint32_t)sum->digit[i];
        sum->digit[i + 1] += (sum->digit[i] - low) / 4294967296;
        sum->digit[i] = low;
    }
}

/* -1, 0 or 1. Leaves the digits changed. */
static inline int tl_accumulator_sign(tl_accumulator *sum)
{
    tl_accumulator_carry(sum);
    int top = sum->last + 1;
    while (top > sum->first && sum->digit[top] == 0) {
        top--;
    }
    return sum->first > top ? 0 : (sum->digit[top] > 0) - (sum->digit[top] < 0);
}

/* The double nearest to window 2^exponent, ties to even, where the window's leading bit is one of
 * its upper 32, its last bit stands for all bits below as well, and exponent >= -2176 + 32. */
static inline double tl_round_window(tl_uint128 window, int exponent)
{
    int length = 128 - __builtin_clzll((uint64_t)(window >> 64));
    int last = exponent + length - 53 < -1074 ? -1074 : exponent + length - 53;
    int dropped = last - exponent;
    if (dropped > 128) {
        return 0;
    }
    if (last > 971) {
        return INFINITY;
    }
    uint64_t mantissa = dropped < 128 ? (uint64_t)(window >> dropped) : 0;
    tl_uint128 rest = window << (128 - dropped);
    tl_uint128 half = (tl_uint128)1 << 127;
    mantissa += rest > half || (rest == half && mantissa % 2 == 1);
    /* The mantissa's own leading bit, 2^52 if there is one, adds 1 to the exponent field, and a
     * carry to 2^53 adds 2: as it should. */
    return tl_from_bits(((uint64_t)(last + 1074) << 52) + mantissa);
}

/* The sum rounded to nearest, ties to even; +0 if it is zero, and a zero of its sign if it is only
 * too small. Leaves the digits changed. */
static inline double tl_accumulator_round(tl_accumulator *sum)
{
    tl_accumulator_carry(sum);
    int top = sum->last + 1;
    bool negative = sum->digit[top] < 0;
    if (negative) {
        for (int i = sum->first; i <= top; i++) {
            sum->digit[i] = -sum->digit[i];
        }
        tl_accumulator_carry(sum);
    }
    while (top >= 4 && sum->digit[top] == 0) {
        top--;
    }
    if (top < 4) {
        return negative ? -0.0 : 0; /* zero, or below 2^-2048 */
    }
    tl_uint128 window = 0;
    for (int i = top; i > top - 4; i--) {
        window = window << 32 | (uint64_t)sum->digit[i];
    }
    int64_t below = 0;
    for (int i = sum->first; i <= top - 4; i++) {
        below |= sum->digit[i];
    }
    double rounded = tl_round_window(window | (below != 0), 32 * (top - 3) - TL_ACCUMULATOR_BIAS);
    return negative ? -rounded : rounded;
}

#endif
