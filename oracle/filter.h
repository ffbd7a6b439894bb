/* The first stage: double-double arithmetic with proven bounds, fast enough to judge most cases
 * without MPFR. Not the library's own: see function.h.
 *
 * A double-double is an unevaluated sum of two doubles, the higher of which is that sum rounded to
 * nearest; so |low| <= u |high|, u = 2^-53. Sources of the algorithms and bounds:
 *
 *   [JMP] M. Joldes, J.-M. Muller, V. Popescu: Tight and rigorous error bounds for basic building
 *         blocks of double-word arithmetic. ACM Transactions on Mathematical Software 44(2), 2017.
 *   [MR]  J.-M. Muller, L. Rideau: Formalization of double-word arithmetic, and comments on "Tight
 *         and rigorous error bounds ...". The same 48(1), 2022.
 *   [K]   D. E. Knuth: The Art of Computer Programming, volume 2, Seminumerical Algorithms, 4.2.2,
 *         theorem B.
 *   [D]   T. J. Dekker: A floating-point technique for extending the available precision.
 *         Numerische Mathematik 18, 1971.
 *
 * Published bounds exclude underflow. Sums are exact or rounded as ever when they are subnormal, so
 * for them nothing has to be excluded. For products, quotients and roots the bounds here are plain
 * counts of the rounding errors, a little larger than the published ones, which remain true with
 * the stated absolute part added when a part of the result underflows. Overflow leaves infinities
 * and NaN, with which no comparison comes out in favour of a verdict.
 *
 * All of it is written with fma, which rounds once wherever it is computed, so that the bits do not
 * depend on the machine; FILTER_ESTIMATE makes it one instruction where there is one. */
#ifndef TRUELERP_ORACLE_FILTER_H
#define TRUELERP_ORACLE_FILTER_H

#include "bits.h"
#include "function.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* What becomes part of the variants that FILTER_ESTIMATE makes. */
#define FILTER_INLINE static inline __attribute__((always_inline))

struct dd {
    double high, low;
};

/* Exact, in any order of size: [K]. */
FILTER_INLINE struct dd dd_of_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    return (struct dd){sum, (a - a_part) + (b - b_part)};
}

FILTER_INLINE struct dd dd_of_difference(double a, double b)
{
    return dd_of_sum(a, -b);
}

/* Exact where a = 0 or |a| >= |b|, [D], or b is a rounding error that is not much larger. */
FILTER_INLINE struct dd dd_of_fast_sum(double a, double b)
{
    double sum = a + b;
    return (struct dd){sum, b - (sum - a)};
}

/* Exact where |a b| >= 2^-968; else off by at most 2^-1075. */
FILTER_INLINE struct dd dd_of_product(double a, double b)
{
    double product = a * b;
    return (struct dd){product, fma(a, b, -product)};
}

FILTER_INLINE struct dd dd_negative(struct dd x)
{
    return (struct dd){-x.high, -x.low};
}

FILTER_INLINE struct dd dd_magnitude(struct dd x)
{
    return x.high < 0 ? dd_negative(x) : x;
}

/* Times a power of 2: exact, but for underflow. */
FILTER_INLINE struct dd dd_scaled(struct dd x, double power)
{
    return (struct dd){x.high * power, x.low * power};
}

/* x + y within 3 u^2 / (1 - 4 u) of itself: AccurateDWPlusDW, [JMP] algorithm 6 and theorem 3.1,
 * proved formally in [MR]. */
FILTER_INLINE struct dd dd_sum(struct dd x, struct dd y)
{
    struct dd s = dd_of_sum(x.high, y.high);
    struct dd t = dd_of_sum(x.low, y.low);
    struct dd v = dd_of_fast_sum(s.high, s.low + t.high);
    return dd_of_fast_sum(v.high, t.low + v.low);
}

/* x + y within 3 u^2 (1 + 4u) (|x| + |y|), for sums that are judged by their terms.
 *     x.low + y.low: at most u (|x| + |y|) (1 + u), rounded within u^2 (|x| + |y|) (1 + u)
 *     s.low + that: at most 2u (|x| + |y|) (1 + 2u), rounded within 2 u^2 (|x| + |y|) (1 + 2u)
 * and the rest is exact. */
FILTER_INLINE struct dd dd_sum_loose(struct dd x, struct dd y)
{
    struct dd s = dd_of_sum(x.high, y.high);
    return dd_of_sum(s.high, s.low + (x.low + y.low));
}

/* x + b within 2 u^2 of itself: DWPlusFP, [JMP] algorithm 4 and theorem 2.2, [MR]. */
FILTER_INLINE struct dd dd_sum_double(struct dd x, double b)
{
    struct dd s = dd_of_sum(x.high, b);
    return dd_of_fast_sum(s.high, x.low + s.low);
}

/* x y within 6.5 u^2 |x y| + 2^-1072 (without the last term 4 u^2: [MR], algorithm 12, a close
 * relative). In units of |x.high y.high|:
 *     left out, |x.low y.low|: u^2
 *     x.high y.low + p.low: at most 2u, rounded within 2 u^2
 *     x.low y.high + that: at most 3u (1 + u), rounded within 3 u^2 (1 + u)
 * which makes 6 u^2 (1 + u) or, since |x y| >= (1 - u)^2 |x.high y.high|, 6 u^2 (1 + 4u) |x y|.
 * Where they underflow, p.low and the two roundings are off by up to 2^-1075 each. */
FILTER_INLINE struct dd dd_product(struct dd x, struct dd y)
{
    struct dd p = dd_of_product(x.high, y.high);
    return dd_of_fast_sum(p.high, fma(x.low, y.high, fma(x.high, y.low, p.low)));
}

/* x b within 2.5 u^2 |x b| + 2^-1073 (without the last term 2 u^2: DWTimesFP3, [JMP] algorithm 9):
 * x.low b + p.low is at most 2u |x.high b|, rounded within 2 u^2 |x.high b|. */
FILTER_INLINE struct dd dd_product_double(struct dd x, double b)
{
    struct dd p = dd_of_product(x.high, b);
    return dd_of_fast_sum(p.high, fma(x.low, b, p.low));
}

/* x / y within 13 u^2 |x / y| + 2^-1073 / |y| + 2^-1074 (a close relative, DWDivDW2, [JMP]
 * algorithm 17: 15 u^2 + 56 u^3 without underflow). With q = x.high / y.high rounded, in units of
 * |x| and to first order:
 *     x.high - p.high: exact (Sterbenz)
 *     that - p.low = x.high - q y.high: at most u, rounded within u^2
 *     x.low - q y.low: at most 2u, rounded within 2 u^2
 *     the sum of both, x - q y: at most 3u, rounded within 3 u^2
 * Together 6 u^2, which in units of |x / y| remain 6 u^2; dividing by y.high in place of y changes
 * the 3u by 3 u^2; and the quotient is rounded within 3 u^2. That makes 12 u^2. Where they
 * underflow, p.low and the fma are off by up to 2^-1075 each before the division, and the quotients
 * after it. */
FILTER_INLINE struct dd dd_quotient(struct dd x, struct dd y)
{
    double q = x.high / y.high;
    struct dd p = dd_of_product(q, y.high);
    double rest = ((x.high - p.high) - p.low) + fma(-q, y.low, x.low);
    return dd_of_fast_sum(q, rest / y.high);
}

/* 1 / y within 9.5 u^2 of itself, where 2^-900 <= |y| <= 2^900. With q = 1 / y.high rounded, in
 * units of 1 and to first order:
 *     1 - p.high: exact (Sterbenz)
 *     that - p.low = 1 - q y.high: at most u, rounded within u^2
 *     that - q y.low = 1 - q y: at most 2u, rounded within 2 u^2
 * and 1/y - q is (1 - q y) / y = (1 - q y) q + (1 - q y)^2 / y, of which the first is rounded
 * within 2 u^2 and the second, up to 4 u^2, is left out: 9 u^2 in units of 1 / |y|. */
FILTER_INLINE struct dd dd_reciprocal(struct dd y)
{
    double q = 1 / y.high;
    struct dd p = dd_of_product(q, y.high);
    double rest = fma(-q, y.low, (1 - p.high) - p.low);
    return dd_of_fast_sum(q, rest * q);
}

/* The square root of x >= 2^-900 within 6 u^2 of itself (25/8 u^2 in V. Lefevre, N. Louvet,
 * J.-M. Muller, J. Picot, L. Rideau: Accurate calculation of Euclidean norms using double-word
 * arithmetic, the same 49(1), 2023). With s = sqrt(x.high) rounded, sqrt(x) = s (1 + at most
 * 3/2 u (1 + u)), in units of x, to first order:
 *     x.high - p.high: exact (Sterbenz)
 *     that - p.low = x.high - s^2: at most 2u, rounded within 2 u^2
 *     x.low + that: at most 3u, rounded within 3 u^2
 * In units of sqrt(x) half of these, 5/2 u^2; dividing by 2 s in place of s + sqrt(x), which is
 * within 3/4 u of it, 9/8 u^2; the quotient's rounding 3/2 u^2: together less than 5.2 u^2. */
FILTER_INLINE struct dd dd_root(struct dd x)
{
    double s = sqrt(x.high);
    struct dd p = dd_of_product(s, s);
    double rest = ((x.high - p.high) - p.low) + x.low;
    return dd_of_fast_sum(s, rest / (2 * s));
}

/* Numbers with their errors.
 *
 * The errors are computed in double, rounded to nearest: of up to 2^11 additions, multiplications
 * and divisions of non-negative numbers each loses a factor of at most 1 - u, and so does u^2 in
 * |high| taken for the whole number; FILTER_SLOP makes up for that. FILTER_UNDERFLOW makes up for
 * whatever underflows, in the number or in its error. */
static const double FILTER_SLOP = 1 + 0x1p-40;
static const double FILTER_UNDERFLOW = 0x1p-1060;

/* The bounds above, with something to spare for the terms of higher order */
static const double FILTER_SUM = 3.0001 * 0x1p-106;
static const double FILTER_SUM_LOOSE = 3.0001 * 0x1p-106;
static const double FILTER_SUM_DOUBLE = 2.0001 * 0x1p-106;
static const double FILTER_PRODUCT = 6.5 * 0x1p-106;
static const double FILTER_PRODUCT_DOUBLE = 2.5 * 0x1p-106;
static const double FILTER_QUOTIENT = 13 * 0x1p-106;
static const double FILTER_RECIPROCAL = 9.5 * 0x1p-106;
static const double FILTER_ROOT = 6 * 0x1p-106;
enum { FILTER_ROOT_LEAST = -900 };

FILTER_INLINE struct approximation approximation_of(struct dd x, double error)
{
    return (struct approximation){x.high, x.low, error};
}

FILTER_INLINE struct approximation approximation_of_double(double x)
{
    return (struct approximation){x, 0, 0};
}

FILTER_INLINE struct dd approximation_center(struct approximation x)
{
    return (struct dd){x.high, x.low};
}

FILTER_INLINE struct approximation approximation_negative(struct approximation x)
{
    return (struct approximation){-x.high, -x.low, x.error};
}

FILTER_INLINE struct approximation approximation_magnitude(struct approximation x)
{
    return x.high < 0 ? approximation_negative(x) : x;
}

/* Times a power of 2 */
FILTER_INLINE struct approximation approximation_scaled(struct approximation x, double power)
{
    return (struct approximation){x.high * power, x.low * power,
                                  x.error * fabs(power) + FILTER_UNDERFLOW};
}

FILTER_INLINE struct approximation approximation_sum(struct approximation x, struct approximation y)
{
    struct dd sum = dd_sum(approximation_center(x), approximation_center(y));
    double error = FILTER_SUM * fabs(sum.high) + (x.error + y.error);
    return approximation_of(sum, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

FILTER_INLINE struct approximation approximation_difference(struct approximation x,
                                                            struct approximation y)
{
    return approximation_sum(x, approximation_negative(y));
}

/* |x y - X Y| <= |X| e_y + |Y| e_x + e_x e_y */
FILTER_INLINE struct approximation approximation_product(struct approximation x,
                                                         struct approximation y)
{
    struct dd product = dd_product(approximation_center(x), approximation_center(y));
    double error = FILTER_PRODUCT * fabs(product.high) + fabs(x.high) * y.error +
                   (fabs(y.high) + y.error) * x.error;
    return approximation_of(product, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

FILTER_INLINE struct approximation approximation_product_double(struct approximation x, double b)
{
    struct dd product = dd_product_double(approximation_center(x), b);
    double error = FILTER_PRODUCT_DOUBLE * fabs(product.high) + fabs(b) * x.error;
    return approximation_of(product, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* |x/y - X/Y| = |(x - X) - (X/Y) (y - Y)| / |y| <= (e_x + |X/Y| e_y) / (|Y| - e_y). The denominator
 * is exact within u |Y|, which is less than the slop of it where e_y <= |Y| / 2; beyond that the
 * error is infinite. */
FILTER_INLINE struct approximation approximation_quotient(struct approximation x,
                                                          struct approximation y)
{
    struct dd quotient = dd_quotient(approximation_center(x), approximation_center(y));
    double least = fabs(y.high) - y.error;
    double share = (x.error + fabs(quotient.high) * y.error + FILTER_UNDERFLOW) / least;
    double error = FILTER_QUOTIENT * fabs(quotient.high) + share;
    bool known = y.error <= 0.5 * fabs(y.high);
    return approximation_of(quotient, known ? error * FILTER_SLOP + FILTER_UNDERFLOW : INFINITY);
}

/* |sqrt(x) - sqrt(X)| <= e_x / sqrt(X). The error is infinite below 2^FILTER_ROOT_LEAST. */
FILTER_INLINE struct approximation approximation_root(struct approximation x)
{
    struct dd root = dd_root(approximation_center(x));
    double error = FILTER_ROOT * root.high + x.error / root.high;
    bool known = x.high >= 0x1p-900 && x.error <= x.high;
    return approximation_of(root, known ? error * FILTER_SLOP : INFINITY);
}

/* (1 - w) x + w y, where 0 < w < 1 and 1 - w is exact. */
FILTER_INLINE struct approximation approximation_blend(struct approximation x,
                                                       struct approximation y, double w)
{
    struct approximation rest = approximation_of(dd_of_difference(1, w), 0);
    return approximation_sum(approximation_product(x, rest), approximation_product_double(y, w));
}

/* S + |F|, what counts of either side in S of a blend */
FILTER_INLINE struct approximation approximation_with_size(struct approximation scale,
                                                           struct approximation value)
{
    return approximation_sum(scale, approximation_magnitude(value));
}

/* A power of 2 that numbers of which this is the largest can be multiplied by, to keep what is made
 * of them from underflow and overflow: 1 for ordinary ones. */
FILTER_INLINE double filter_power(double largest)
{
    return largest < 0x1p-500 ? 0x1p600 : largest > 0x1p800 ? 0x1p-600 : 1;
}

/* The same, as struct estimate's exponent */
FILTER_INLINE int filter_exponent(double power)
{
    return power > 1 ? 600 : power < 1 ? -600 : 0;
}

/* x times such a power; NaN where that is not exact. */
FILTER_INLINE double filter_scaled(double x, double power)
{
    double scaled = x * power;
    return power < 1 && scaled / power != x ? NAN : scaled;
}

/* 2^-e where 2^e <= x < 2^(e + 1), for x from 2^-1000 to 2^1000; else NaN. */
FILTER_INLINE double filter_unit(double x)
{
    uint64_t inverse = ((uint64_t)2046 << 52) - (bits_of(x) & (uint64_t)0x7ff << 52);
    return x >= 0x1p-1000 && x <= 0x1p1000 ? double_of(inverse) : NAN;
}

/* `function_estimate(inputs, estimate)`, which calls the FILTER_INLINE function
 * `estimation(inputs, estimate)` in a variant for the machine. */
#if defined __x86_64__ && !defined __FMA__
#define FILTER_ESTIMATE(function_estimate, estimation)                                             \
    __attribute__((target("fma"))) static bool function_estimate##_fma(                            \
        const struct values *inputs, struct estimate *estimate)                                    \
    {                                                                                              \
        return estimation(inputs, estimate);                                                       \
    }                                                                                              \
    static bool function_estimate##_plain(const struct values *inputs, struct estimate *estimate)  \
    {                                                                                              \
        return estimation(inputs, estimate);                                                       \
    }                                                                                              \
    bool function_estimate(const struct values *inputs, struct estimate *estimate)                 \
    {                                                                                              \
        return __builtin_cpu_supports("fma") ? function_estimate##_fma(inputs, estimate)           \
                                             : function_estimate##_plain(inputs, estimate);        \
    }
#else
#define FILTER_ESTIMATE(function_estimate, estimation)                                             \
    bool function_estimate(const struct values *inputs, struct estimate *estimate)                 \
    {                                                                                              \
        return estimation(inputs, estimate);                                                       \
    }
#endif

/* estimate_NAME of every function that has one, in oracle/estimate_FAMILY.c */
#define FUNCTION(name) bool estimate_##name(const struct values *inputs, struct estimate *estimate);
#include "catalog.def"
#undef FUNCTION

bool find_by_estimate_cubic_roots(const struct values *inputs, const struct estimate *estimate,
                                  const struct values *results, struct assessment *assessment);

#endif
