#include "exact_sum.h"

#include "bits.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

enum { WORD_BITS = 64, FRACTION_BITS = 52 };
enum { EXPONENT_LEAST = -1022, EXPONENT_MOST = 1023, EXPONENT_BIAS = 1023 };

void exact_sum_clear(struct exact_sum *sum)
{
    memset(sum, 0, sizeof *sum);
}

/* |x| = mantissa 2^exponent */
static uint64_t mantissa_of(double x, int *exponent)
{
    uint64_t bits = bits_of(x);
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS & 0x7ff);
    bool normal = biased != 0;
    *exponent = (normal ? biased : 1) - EXPONENT_BIAS - FRACTION_BITS;
    return normal ? fraction | UINT64_C(1) << FRACTION_BITS : fraction;
}

static void add_words(uint64_t *word, const uint64_t *end, const uint64_t part[3])
{
    uint64_t carry = 0;
    for (int i = 0; i < 3; i++) {
        wide total = (wide)word[i] + part[i] + carry;
        word[i] = (uint64_t)total;
        carry = (uint64_t)(total >> WORD_BITS);
    }
    for (word += 3; carry && word < end; word++) {
        carry = ++*word == 0;
    }
}

static void subtract_words(uint64_t *word, const uint64_t *end, const uint64_t part[3])
{
    uint64_t borrow = 0;
    for (int i = 0; i < 3; i++) {
        wide total = (wide)word[i] - part[i] - borrow;
        word[i] = (uint64_t)total;
        borrow = (uint64_t)(total >> WORD_BITS) & 1;
    }
    for (word += 3; borrow && word < end; word++) {
        borrow = (*word)-- == 0;
    }
}

/* The product has at most 106 bits, so that shifted by less than a word it fills three; of the
 * highest product, the third one is the last that there is. */
void exact_sum_add(struct exact_sum *sum, double x, double y)
{
    int x_exponent, y_exponent;
    uint64_t x_mantissa = mantissa_of(x, &x_exponent);
    uint64_t y_mantissa = mantissa_of(y, &y_exponent);
    wide product = (wide)x_mantissa * y_mantissa;
    unsigned shift = (unsigned)(x_exponent + y_exponent - EXACT_SUM_UNIT);
    unsigned within = shift % WORD_BITS;
    wide low = product << within;
    const uint64_t part[3] = {(uint64_t)low, (uint64_t)(low >> WORD_BITS),
                              within == 0 ? 0 : (uint64_t)(product >> (2 * WORD_BITS - within))};
    uint64_t *word = &sum->word[shift / WORD_BITS];
    const uint64_t *end = sum->word + EXACT_SUM_WORDS;
    if (signbit(x) == signbit(y)) {
        add_words(word, end, part);
    } else {
        subtract_words(word, end, part);
    }
}

/* Leaves the size; returns whether the sum is negative. */
static bool make_positive(struct exact_sum *sum)
{
    bool negative = sum->word[EXACT_SUM_WORDS - 1] >> (WORD_BITS - 1);
    uint64_t carry = 1;
    for (size_t i = 0; negative && i < EXACT_SUM_WORDS; i++) {
        sum->word[i] = ~sum->word[i] + carry;
        carry = carry && sum->word[i] == 0;
    }
    return negative;
}

/* The position of the highest bit that is set; -1 if none is. */
static int highest_bit(const struct exact_sum *sum)
{
    int i = EXACT_SUM_WORDS - 1;
    while (i > 0 && sum->word[i] == 0) {
        i--;
    }
    uint64_t word = sum->word[i];
    return word == 0 ? -1 : WORD_BITS * i + WORD_BITS - 1 - __builtin_clzll(word);
}

/* 64 bits from the given one on; those below the lowest are 0. */
static uint64_t bits_from(const struct exact_sum *sum, int first)
{
    if (first < 0) {
        return first > -WORD_BITS ? sum->word[0] << -first : 0;
    }
    int i = first / WORD_BITS, within = first % WORD_BITS;
    uint64_t bits = sum->word[i] >> within;
    return within == 0 || i + 1 == EXACT_SUM_WORDS
               ? bits
               : bits | sum->word[i + 1] << (WORD_BITS - within);
}

/* Is a bit below that one set? */
static bool any_below(const struct exact_sum *sum, int bit)
{
    int words = bit > 0 ? bit / WORD_BITS : 0, within = bit > 0 ? bit % WORD_BITS : 0;
    for (int i = 0; i < words; i++) {
        if (sum->word[i] != 0) {
            return true;
        }
    }
    return within > 0 && sum->word[words] << (WORD_BITS - within) != 0;
}

/* Of a sum that is not negative and has its highest bit at `top`. */
static double nearest_double(const struct exact_sum *sum, int top)
{
    int exponent = top + EXACT_SUM_UNIT;
    if (exponent > EXPONENT_MOST) {
        return INFINITY;
    }
    int ulp = (exponent > EXPONENT_LEAST ? exponent : EXPONENT_LEAST) - FRACTION_BITS;
    int last = ulp - EXACT_SUM_UNIT; /* at least 1074 */
    uint64_t mantissa = bits_from(sum, last) & ((UINT64_C(1) << (FRACTION_BITS + 1)) - 1);
    bool half = bits_from(sum, last - 1) & 1;
    if (half && (mantissa & 1 || any_below(sum, last - 1))) {
        mantissa++;
    }
    return ldexp((double)mantissa, ulp); /* exact, or overflow */
}

/* With the 127 highest bits as a whole number N, 2^126 <= N < 2^127, and N = leading + trailing,
 * |trailing| <= 2^73: trailing is rounded within 2^19, and what is below N is less than 1; together
 * less than 2^20 or 2^-106 of N. */
struct exact_value exact_sum_value(struct exact_sum *sum)
{
    bool negative = make_positive(sum);
    int top = highest_bit(sum);
    if (top < 0) {
        return (struct exact_value){0};
    }
    wide highest = (wide)bits_from(sum, top - 63) << WORD_BITS | bits_from(sum, top - 127);
    wide number = highest >> 1;
    double leading = (double)number;
    signed_wide rest = (signed_wide)(number - (wide)leading);
    double trailing = (double)rest;
    bool exact = (signed_wide)trailing == rest && !any_below(sum, top - 126);
    double unit = negative ? -0x1p-126 : 0x1p-126;
    double nearest = nearest_double(sum, top);
    return (struct exact_value){.high = leading * unit,
                                .low = trailing * unit,
                                .error = exact ? 0 : 0x1p-106,
                                .exponent = top + EXACT_SUM_UNIT,
                                .nearest = negative ? -nearest : nearest};
}
