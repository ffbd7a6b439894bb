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

/* high + low, unevaluated; |low| <= ulp(high) / 2 */
typedef struct tl_dd {
    double high;
    double low;
} tl_dd;

/* a + b exactly. Knuth, The Art of Computer Programming 2, 4.2.2 theorem B. */
static inline tl_dd tl_two_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    return (tl_dd){sum, (a - a_part) + (b - b_part)};
}

/* a + b exactly, if a is 0 or no smaller in exponent than b. Dekker 1971. */
static inline tl_dd tl_fast_two_sum(double a, double b)
{
    double sum = a + b;
    return (tl_dd){sum, b - (sum - a)};
}

/* a b exactly. */
static inline tl_dd tl_two_product(double a, double b)
{
    double product = a * b;
    return (tl_dd){product, fma(a, b, -product)};
}

#endif
