/* Products of distances between doubles, exactly: what remains where products are too near to each
 * other for any rounded arithmetic to tell which is greater, or whether they are equal.
 */
#ifndef TL_DISTANCE_PRODUCT_H
#define TL_DISTANCE_PRODUCT_H

#include "accumulator.h"

#include <stddef.h>

/* A distance has at most 53 + 2045 bits and a carry. */
enum { TL_DISTANCE_WORDS = 33 };

/* An integer of `length` words, the lowest first, times 2^exponent. The words lie in a caller's
 * array of doubles, as bits: TL_DISTANCE_WORDS for each factor, and as many more. */
typedef struct tl_distance_product {
    double *words;
    size_t length;
    int64_t exponent;
} tl_distance_product;

static inline uint64_t tl_word(const double *words, size_t i)
{
    uint64_t word;
    memcpy(&word, words + i, sizeof word);
    return word;
}

static inline void tl_set_word(double *words, size_t i, uint64_t word)
{
    memcpy(words + i, &word, sizeof word);
}

/* 1 */
static inline tl_distance_product tl_distance_product_start(double *words)
{
    tl_set_word(words, 0, 1);
    return (tl_distance_product){words, 1, 0};
}

/* |a - b| for finite a and b that differ: so many words times 2^*exponent. */
static inline size_t tl_distance(double a, double b, uint64_t words[TL_DISTANCE_WORDS],
                                 int *exponent)
{
    double large = fabs(a) > fabs(b) ? a : b, small = fabs(a) > fabs(b) ? b : a;
    int exponent_large, exponent_small;
    uint64_t mantissa = tl_split(large, &exponent_large);
    uint64_t other = tl_split(small, &exponent_small);
    if (small == 0) {
        exponent_small = exponent_large;
    }
    int shift = exponent_large - exponent_small;
    *exponent = exponent_small;
    memset(words, 0, TL_DISTANCE_WORDS * sizeof *words);
    words[shift / 64] = mantissa << shift % 64;
    if (shift % 64 > 0) {
        words[shift / 64 + 1] = mantissa >> (64 - shift % 64);
    }
    if (signbit(a) == signbit(b)) {
        for (size_t i = 0; i < TL_DISTANCE_WORDS && other > 0; i++) {
            uint64_t before = words[i];
            words[i] -= other;
            other = words[i] > before;
        }
    } else {
        for (size_t i = 0; i < TL_DISTANCE_WORDS && other > 0; i++) {
            words[i] += other;
            other = words[i] < other;
        }
    }
    size_t length = TL_DISTANCE_WORDS;
    while (words[length - 1] == 0) {
        length--;
    }
    return length;
}

/* product times |a - b|. The words are multiplied from the top down: what the one at i adds to
 * lies at i and above, where all have been read. */
static inline void tl_distance_multiply(tl_distance_product *product, double a, double b)
{
    uint64_t factor[TL_DISTANCE_WORDS];
    int exponent;
    size_t length = tl_distance(a, b, factor, &exponent);
    for (size_t i = 0; i < length; i++) {
        tl_set_word(product->words, product->length + i, 0);
    }
    for (size_t i = product->length; i-- > 0;) {
        uint64_t word = tl_word(product->words, i);
        tl_set_word(product->words, i, 0);
        uint64_t carry = 0;
        for (size_t j = 0; j < length || carry > 0; j++) {
            tl_uint128 sum = (tl_uint128)tl_word(product->words, i + j) + carry;
            sum += j < length ? (tl_uint128)word * factor[j] : 0;
            tl_set_word(product->words, i + j, (uint64_t)sum);
            carry = (uint64_t)(sum >> 64);
        }
    }
    product->length += length;
    while (tl_word(product->words, product->length - 1) == 0) {
        product->length--;
    }
    product->exponent += exponent;
}

/* The 64 bits of the integer from `bit` on; outside it all bits are 0. */
static inline uint64_t tl_bits_from(const tl_distance_product *product, int64_t bit)
{
    int64_t shift = bit & 63, first = (bit - shift) / 64, length = (int64_t)product->length;
    uint64_t bits = 0;
    if (first >= 0 && first < length) {
        bits = tl_word(product->words, (size_t)first) >> shift;
    }
    if (shift > 0 && first >= -1 && first < length - 1) {
        bits |= tl_word(product->words, (size_t)(first + 1)) << (64 - shift);
    }
    return bits;
}

/* The place above the leading bit. */
static inline int64_t tl_distance_top(const tl_distance_product *product)
{
    uint64_t top = tl_word(product->words, product->length - 1);
    return product->exponent + 64 * (int64_t)product->length - __builtin_clzll(top);
}

/* -1, 0 or 1 as a is less than, equal to or greater than b. */
static inline int tl_distance_compare(const tl_distance_product *a, const tl_distance_product *b)
{
    int64_t top = tl_distance_top(a);
    if (top != tl_distance_top(b)) {
        return top > tl_distance_top(b) ? 1 : -1;
    }
    int64_t bottom = a->exponent < b->exponent ? a->exponent : b->exponent;
    for (int64_t bit = top - 64; bit > bottom - 64; bit -= 64) {
        uint64_t bits_a = tl_bits_from(a, bit - a->exponent);
        uint64_t bits_b = tl_bits_from(b, bit - b->exponent);
        if (bits_a != bits_b) {
            return bits_a > bits_b ? 1 : -1;
        }
    }
    return 0;
}

#endif
