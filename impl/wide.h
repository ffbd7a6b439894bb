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

/* (high + low) 2^exponent; 1 <= |high| < 2, or all of it 0. high is the double nearest to both.
 * A low part of 0 says that nothing was lost: what is too small to be kept leaves a trifle there.
 */
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

/* The low part that stands for one of that sign, at most 2^-200 of high, which is not kept. */
static inline double tl_wide_trifle(double lost)
{
    return copysign(0x1p-1000, lost);
}

/* x 2^exponent, of a finite x. Exact but for what of x.low is below 2^-900 x.high. */
static inline tl_wide tl_widen(tl_dd x, double exponent)
{
    if (x.high == 0) {
        return (tl_wide){0, 0, 0};
    }
    if (fabs(x.high) < 0x1p-900) {
        x.high *= 0x1p600;
        x.low *= 0x1p600;
        exponent -= 600;
    }
    int own = (int)(tl_to_bits(x.high) >> 52 & 0x7ff) - 1023;
    double twice = tl_power_of_2(1 - own); /* own may be 1023, which has no reciprocal power */
    double low = x.low * twice * 0.5;
    if (low == 0 && x.low != 0) {
        low = tl_wide_trifle(x.low);
    }
    return (tl_wide){x.high * twice * 0.5, low, exponent + own};
}

/* a - b, of finite a and b; but for a trifle of 2^-900 exactly. Only two large ones can overflow,
 * and these lose nothing when they are scaled. */
static inline tl_wide tl_wide_difference(double a, double b)
{
    if (fabs(a) > 0x1p900 && fabs(b) > 0x1p900) {
        return tl_widen(tl_two_difference(0x1p-4 * a, 0x1p-4 * b), 4);
    }
    return tl_widen(tl_two_difference(a, b), 0);
}

static inline tl_wide tl_wide_negate(tl_wide x)
{
    return (tl_wide){-x.high, -x.low, x.exponent};
}

static inline tl_wide tl_wide_magnitude(tl_wide x)
{
    return x.high < 0 ? tl_wide_negate(x) : x;
}

/* a, if it is not 0, plus something below 2^-199 of it. */
static inline tl_wide tl_wide_add_trifle(tl_wide a, tl_wide rest)
{
    a.low = a.low == 0 && rest.high != 0 ? tl_wide_trifle(rest.high) : a.low;
    return a;
}

/* a + b within 3 v^2 of itself; exactly if both have no low part and their exponents differ by at
 * most 200. */
static inline tl_wide tl_wide_add(tl_wide a, tl_wide b)
{
    if (b.high == 0 || (a.high != 0 && a.exponent - b.exponent > 200)) {
        return tl_wide_add_trifle(a, b);
    }
    if (a.high == 0 || b.exponent - a.exponent > 200) {
        return tl_wide_add_trifle(b, a);
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
