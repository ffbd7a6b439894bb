/* Doubles with an exponent of their own, for slow paths: a kernel's formula runs on them as it
 * stands and with the same roundings, but nothing overflows or underflows before the end.
 */
#ifndef TL_SCALED_H
#define TL_SCALED_H

#include "accumulator.h"

/* fraction 2^exponent; 1 <= |fraction| < 2, or 0 */
typedef struct tl_scaled {
    double fraction;
    int exponent;
} tl_scaled;

/* x 2^exponent exactly, of a finite x. */
static inline tl_scaled tl_scale(double x, int exponent)
{
    if (x == 0) {
        return (tl_scaled){0, 0};
    }
    if (fabs(x) < 0x1p-1022) {
        x *= 0x1p64;
        exponent -= 64;
    }
    uint64_t bits = tl_to_bits(x);
    uint64_t field = (uint64_t)0x7ff << 52;
    double fraction = tl_from_bits((bits & ~field) | (uint64_t)1023 << 52);
    return (tl_scaled){fraction, exponent + (int)((bits & field) >> 52) - 1023};
}

/* The double nearest to x. */
static inline double tl_unscale(tl_scaled x)
{
    if (x.exponent > 1023) {
        return x.fraction * INFINITY;
    }
    if (x.exponent >= -1022) {
        return x.fraction * tl_from_bits((uint64_t)(x.exponent + 1023) << 52);
    }
    if (x.exponent < -1076) {
        return 0;
    }
    return x.fraction * 0x1p-54 * tl_from_bits((uint64_t)(x.exponent + 54 + 1023) << 52);
}

/* a b + c, rounded once, except that where one of both exceeds the other 2^120 times, the other one
 * is left out: a relative error of 2^-119 more. */
static inline tl_scaled tl_scaled_fma(tl_scaled a, tl_scaled b, tl_scaled c)
{
    int exponent = a.exponent + b.exponent;
    int shift = c.exponent - exponent;
    if (c.fraction == 0 || (shift < -120 && a.fraction * b.fraction != 0)) {
        return tl_scale(a.fraction * b.fraction, exponent);
    }
    if (a.fraction * b.fraction == 0 || shift > 120) {
        return c;
    }
    double aligned = c.fraction * tl_from_bits((uint64_t)(shift + 1023) << 52);
    return tl_scale(fma(a.fraction, b.fraction, aligned), exponent);
}

static inline tl_scaled tl_scaled_add(tl_scaled a, tl_scaled b)
{
    return tl_scaled_fma(a, (tl_scaled){1, 0}, b);
}

static inline tl_scaled tl_scaled_subtract(tl_scaled a, tl_scaled b)
{
    return tl_scaled_fma(b, (tl_scaled){-1, 0}, a);
}

static inline tl_scaled tl_scaled_multiply(tl_scaled a, tl_scaled b)
{
    return tl_scaled_fma(a, b, (tl_scaled){0, 0});
}

/* a / b, rounded once, of a b that is not 0. */
static inline tl_scaled tl_scaled_divide(tl_scaled a, tl_scaled b)
{
    return tl_scale(a.fraction / b.fraction, a.exponent - b.exponent);
}

#endif
