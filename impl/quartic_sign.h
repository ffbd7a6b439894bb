/* The exact sign of a sum of products of four doubles, such as a cubic's discriminant: what remains
 * when every faster way has given up. It holds any finite doubles, with small factors.
 *
 * The value is sum_i digit[i] 2^(32 i - 4320). A digit collects signed 32-bit pieces in 64 bits, as
 * in accumulator.h; a product of four mantissas has eight of them.
 */
#ifndef TL_QUARTIC_SIGN_H
#define TL_QUARTIC_SIGN_H

#include "accumulator.h"

enum {
    TL_QUARTIC_BIAS = 4320,  /* products are multiples of 2^-4296; a multiple of 32 */
    TL_QUARTIC_DIGITS = 268, /* products are below 2^4096; (4096 + 4320) / 32 and some room */
};

typedef struct tl_quartic_sum {
    int first, last; /* of the digits in use */
    int64_t digit[TL_QUARTIC_DIGITS];
} tl_quartic_sum;

static inline tl_quartic_sum tl_quartic_zero(void)
{
    return (tl_quartic_sum){.first = TL_QUARTIC_DIGITS};
}

/* Adds factor x y z w. Up to 2^20 in the sum of all factors' sizes. */
static inline void tl_quartic_add(tl_quartic_sum *sum, int factor, double x, double y, double z,
                                  double w)
{
    int exponent[4];
    tl_uint128 left = tl_split(x, &exponent[0]), right = tl_split(z, &exponent[2]);
    left *= tl_split(y, &exponent[1]);
    right *= tl_split(w, &exponent[3]);
    int position = exponent[0] + exponent[1] + exponent[2] + exponent[3] + TL_QUARTIC_BIAS;
    left <<= position % 32 / 2; /* both have 106 bits at most */
    right <<= position % 32 - position % 32 / 2;
    bool negative = signbit(x) ^ signbit(y) ^ signbit(z) ^ signbit(w);
    int64_t scale = negative ? -factor : factor;
    int64_t *digit = sum->digit + position / 32;
    sum->first = position / 32 < sum->first ? position / 32 : sum->first;
    sum->last = position / 32 + 7 > sum->last ? position / 32 + 7 : sum->last;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            uint64_t piece = (uint64_t)(uint32_t)(left >> 32 * i) * (uint32_t)(right >> 32 * j);
            digit[i + j] += scale * (int64_t)(uint32_t)piece;
            digit[i + j + 1] += scale * (int64_t)(piece >> 32);
        }
    }
}

/* -1, 0 or 1 */
static inline int tl_quartic_sign(const tl_quartic_sum *sum)
{
    int64_t carry = 0, any = 0;
    for (int i = sum->first; i <= sum->last; i++) {
        int64_t digit = sum->digit[i] + carry;
        int64_t low = (int64_t)(uint32_t)digit;
        carry = (digit - low) / 4294967296;
        any |= low;
    }
    return carry < 0 ? -1 : (carry | any) != 0;
}

#endif
