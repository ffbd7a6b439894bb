/* Error-free transformations and double-double arithmetic.
 *
 * The oracle has helpers of its own for the same purpose, on purpose: one that both used would make
 * both wrong together.
 *
 * All of it is exact, or has its stated bound, under round to nearest without contraction as long
 * as nothing overflows and no product's low part falls below 2^-1074.
 */
#ifndef TL_EXACT_H
#define TL_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* high + low, unevaluated; |low| <= ulp(high) / 2 */
typedef struct tl_dd {
    double high;
    double low;
} tl_dd;

/* a + b exactly. Knuth, The Art of Computer Programming 2, 4.2.2 theorem B. Where a or b is nearly
 * 2^1024, low may come out as NaN though the sum is a number. */
static inline tl_dd tl_two_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    return (tl_dd){sum, (a - a_part) + (b - b_part)};
}

/* a - b exactly. */
static inline tl_dd tl_two_difference(double a, double b)
{
    return tl_two_sum(a, -b);
}

/* a + b exactly, if a is 0 or no smaller in exponent than b. Dekker 1971. */
static inline tl_dd tl_fast_two_sum(double a, double b)
{
    double sum = a + b;
    return (tl_dd){sum, b - (sum - a)};
}

/* a - b exactly, and nothing overflows on the way to a sum that is a number. */
static inline tl_dd tl_two_difference_by_size(double a, double b)
{
    return fabs(a) < fabs(b) ? tl_fast_two_sum(-b, a) : tl_fast_two_sum(a, -b);
}

/* a b exactly. */
static inline tl_dd tl_two_product(double a, double b)
{
    double product = a * b;
    return (tl_dd){product, fma(a, b, -product)};
}

static inline uint64_t tl_to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double tl_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool tl_is_finite(double x)
{
    return fabs(x) < INFINITY;
}

/* low <= |x| < infinity, for a low that is not negative: the guard that ends a fast path, in one
 * integer comparison. */
static inline bool tl_is_finite_from(double x, double low)
{
    uint64_t lowest = tl_to_bits(low) << 1;
    return (tl_to_bits(x) << 1) - lowest < (tl_to_bits(INFINITY) << 1) - lowest;
}

#endif
