/* Double-doubles with an exponent of their own: what tables are built in. Nothing overflows or
 * underflows. The exponent is a whole number kept as a double, so that arrays of tl_wide may lie in
 * a caller's array of doubles.
 *
 * Relative errors, v = 2^-53: Joldes, Muller, Popescu, Tight and rigorous error bounds for basic
 * building blocks of double-word arithmetic, ACM Transactions on Mathematical Software 44 (2017).
 */
#ifndef TL_WIDE_H
#define TL_WIDE_H

#include "exact.h"

/* (high + low) 2^exponent; 1 <= |high| < 2, or all of it 0. high is the double nearest to both. */
typedef struct tl_wide {
    double high;
    double low;
    double exponent;
} tl_wide;

/* 2^exponent, from -1022 to 1023. */
static inline double tl_power_of_2(int exponent)
{
    return tl_from_bits((uint64_t)(exponent + 1023) << 52);
}

/* x 2^exponent, of a finite x. Exact but for what of x.low is below 2^-900 x.high. */
static inline tl_wide tl_widen(tl_dd x, double exponent)
{
    if (x.high == 0) {
        return (tl_wide){x.high, 0, 0};
    }
    if (fabs(x.high) < 0x1p-900) {
        x.high *= 0x1p600;
        x.low *= 0x1p600;
        exponent -= 600;
    }
    int own = (int)(tl_to_bits(x.high) >> 52 & 0x7ff) - 1023;
    double twice = tl_power_of_2(1 - own); /* own may be 1023, which has no reciprocal power */
    return (tl_wide){x.high * twice * 0.5, x.low * twice * 0.5, exponent + own};
}

/* a - b, of finite a and b. Exact but for what is below 2^-900 of it, and a low part of 0 says that
 * all of it is: what vanishes leaves a trifle there. Only two large numbers can overflow, and these
 * lose nothing when they are scaled. */
static inline tl_wide tl_wide_difference(double a, double b)
{
    if (fabs(a) > 0x1p900 && fabs(b) > 0x1p900) {
        return tl_widen(tl_two_difference(0x1p-4 * a, 0x1p-4 * b), 4);
    }
    tl_dd exact = tl_two_difference(a, b);
    tl_wide difference = tl_widen(exact, 0);
    if (__builtin_expect(tl_to_bits(difference.low) << 1 == 0 && exact.low != 0, 0)) {
        difference.low = copysign(0x1p-1000, exact.low);
    }
    return difference;
}

static inline tl_wide tl_wide_negate(tl_wide x)
{
    return (tl_wide){-x.high, -x.low, x.exponent};
}

static inline tl_wide tl_wide_magnitude(tl_wide x)
{
    return x.high < 0 ? tl_wide_negate(x) : x;
}

/* The larger one of two whose exponents differ by more than 200; its low part tells that the other
 * one is missing. */
static __attribute__((noinline, unused)) tl_wide tl_wide_add_trifle(tl_wide a, tl_wide b)
{
    tl_wide sum = a.exponent > b.exponent ? a : b;
    if (sum.low == 0) {
        sum.low = copysign(0x1p-1000, a.exponent > b.exponent ? b.high : a.high);
    }
    return sum;
}

/* a + b within 3 v^2 of itself; exactly if both have no low part and their exponents differ by at
 * most 200. */
static inline tl_wide tl_wide_add(tl_wide a, tl_wide b)
{
    if (b.high == 0) {
        return a;
    }
    if (a.high == 0) {
        return b;
    }
    if (__builtin_expect(fabs(a.exponent - b.exponent) > 200, 0)) {
        return tl_wide_add_trifle(a, b);
    }
    double exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    double scale_a = tl_power_of_2((int)(a.exponent - exponent));
    double scale_b = tl_power_of_2((int)(b.exponent - exponent));
    tl_dd high = tl_two_sum(a.high * scale_a, b.high * scale_b);
    tl_dd low = tl_two_sum(a.low * scale_a, b.low * scale_b);
    tl_dd sum = tl_fast_two_sum(high.high, high.low + low.high);
    return tl_widen(tl_fast_two_sum(sum.high, low.low + sum.low), exponent);
}

static inline tl_wide tl_wide_subtract(tl_wide a, tl_wide b)
{
    return tl_wide_add(a, tl_wide_negate(b));
}

/* a b within 6 v^2 of itself. */
static inline tl_wide tl_wide_multiply(tl_wide a, tl_wide b)
{
    tl_dd product = tl_two_product(a.high, b.high);
    double low = product.low + fma(a.low, b.high, a.high * b.low);
    return tl_widen(tl_fast_two_sum(product.high, low), a.exponent + b.exponent);
}

/* a / b within 16 v^2 of itself, for a b that is not 0; *exact tells if it is known to be exact. */
static inline tl_wide tl_wide_divide(tl_wide a, tl_wide b, bool *exact)
{
    double quotient = a.high / b.high;
    tl_dd product = tl_two_product(quotient, b.high);
    product = tl_fast_two_sum(product.high, fma(quotient, b.low, product.low));
    double rest = (a.high - product.high) + (a.low - product.low);
    *exact = rest == 0 && a.low == 0 && b.low == 0;
    return tl_widen(tl_fast_two_sum(quotient, rest / b.high), a.exponent - b.exponent);
}

#endif
