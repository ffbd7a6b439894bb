#include "accumulator.h"
#include "dispatch.h"

TL_VARIANTS(lerp, double, (double, double, double));
TL_VARIANTS(lerp_cr, double, (double, double, double));

/* Everything that the fast paths leave: the cases that the contract orders, then F = a + t b - t a
 * correctly rounded, for all finite arguments. */
static double __attribute__((noinline)) lerp_rest(double a, double b, double t)
{
    if (t == 0) {
        return a;
    }
    if (t == 1) {
        return b;
    }
    if (a == b) {
        return a;
    }
    if (!tl_is_finite(a) || !tl_is_finite(b) || !tl_is_finite(t)) {
        return NAN;
    }
    tl_accumulator sum = tl_accumulator_zero();
    tl_accumulate(&sum, a, 1);
    tl_accumulate(&sum, t, b);
    tl_accumulate(&sum, -t, a);
    return tl_accumulator_round(&sum);
}

/* What `witness` below does not decide. */
static double __attribute__((noinline)) lerp_again(double a, double b, double t, double result)
{
    return a != b && tl_is_finite_from(result, 0x1p-1074) ? result : lerp_rest(a, b, t);
}

/* Both roundings have a relative error of at most v = u / (1 + u), so with p = (1 - t) a,
 * P = |p| and S = P + |t b|
 *     |result - F| <= v P + v (|F| + v P) <= (2 v + v^2) S <= 2 u S,
 * and where one or both underflow, theirs is 2^-1075 instead.
 * Where a and b differ, the result is finite and not zero only if nothing overflowed, all arguments
 * are finite, and none of the cases t = 0 and t = 1 would show but in the sign of a zero.
 * The witness is zero, infinite or NaN if that may not be so, and then neither less nor greater
 * than its difference from itself: one comparison for all, as the guard's cost shows here. */
double TL_KERNEL(lerp)(double a, double b, double t)
{
    double result = fma(t, b, fma(-t, a, a));
    double witness = result * (b - a);
    if (__builtin_expect(islessgreater(witness, witness - witness), 1)) {
        return result;
    }
    return lerp_again(a, b, t, result);
}

/* F = s + low + (an error), where d + e = b - a, p + q = t d and s + r = a + p hold exactly, and
 * low = r + (q + t e) in two roundings:
 *     |q|, |t e| <= u |t d|,   |r| <= u |s|,
 *     fma(t, e, q) is off by at most 2 u^2 |t d|, the sum by u^2 |s| + 2 u^2 |t d| (and smaller
 *     terms), and each of low -+ error by as much again: in all 6 u^2 |t d| + 2 u^2 |s|.
 * `error` is 8 u^2 (|p| + |s|), which leaves room for the smaller terms, for its own rounding and,
 * as it is at least 2^-1000, for q's and t e's underflow, a few 2^-1074. So F lies between both
 * sums, and where they round to one double, F does. What overflows on the way leaves an infinity
 * or a NaN in them. */
double TL_KERNEL(lerp_cr)(double a, double b, double t)
{
    tl_dd difference = tl_two_difference(b, a);
    tl_dd product = tl_two_product(t, difference.high);
    tl_dd sum = tl_two_sum(a, product.high);
    double low = sum.low + fma(t, difference.low, product.low);
    double error = 0x1p-103 * (fabs(product.high) + fabs(sum.high));
    double result = sum.high + (low - error);
    bool certain = result == sum.high + (low + error) && tl_is_finite(result);
    if (__builtin_expect(certain && error >= 0x1p-1000, 1)) {
        return result;
    }
    return lerp_rest(a, b, t);
}

#if TL_PUBLIC
#if TL_HAS_FMA_VARIANT
/* The fma variant's usual path once more, in place, as a second jump would cost a fifth of it: its
 * fused operations as instructions, volatile so that no compiler moves one in front of the test for
 * the variant. */
static inline bool lerp_in_place(double a, double b, double t, double *result)
{
    *result = a;
    __asm__ volatile("vfnmadd231sd %2, %1, %0" : "+x"(*result) : "x"(t), "x"(a));
    __asm__ volatile("vfmadd231sd %2, %1, %0" : "+x"(*result) : "x"(t), "x"(b));
    double guard = *result * (b - a);
    return islessgreater(guard, guard - guard);
}
#endif

double tl_lerp(double a, double b, double t)
{
#if TL_HAS_FMA_VARIANT
    double result;
    if (__builtin_expect(tl_variant == TL_VARIANT_FMA && lerp_in_place(a, b, t, &result), 1)) {
        return result;
    }
#endif
    return TL_CALL(lerp, a, b, t);
}

double tl_lerp_cr(double a, double b, double t)
{
    return TL_CALL(lerp_cr, a, b, t);
}
#endif
