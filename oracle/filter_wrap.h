/* A curve's wrapped time, exactly, by arithmetic of integers: the first stage's side of wrap_time
 * in curve.c.
 *
 * Every double is a whole number of 2^g for some g >= -1074. In the largest such unit of t and of
 * the first and last key's times, these are integers, and so is
 *     t' = first + m    or    last - (m - P),    m = (t - first) mod the period.
 * Where P and both times are below 2^125 units, the period is below 2^126 and all sums here are
 * below 2^127, the range of the integers that are used. t may be larger: it counts modulo the
 * period. */
#ifndef TRUELERP_ORACLE_FILTER_WRAP_H
#define TRUELERP_ORACLE_FILTER_WRAP_H

#include "filter.h"

__extension__ typedef unsigned __int128 wrap_wide;
__extension__ typedef __int128 wrap_signed;

/* t' as the double nearest to it and the sign of what is left, t' - nearest. Since no double lies
 * between the two, they tell on which side of a double t' is. */
struct wrap_time {
    double nearest;
    int rest;
};

/* x = mantissa 2^exponent, the mantissa odd; or 0, with an exponent above all others */
struct wrap_whole {
    int64_t mantissa;
    int exponent;
};

enum { WRAP_ZERO_EXPONENT = 4096 };

FILTER_INLINE struct wrap_whole wrap_whole_of(double x)
{
    uint64_t bits = bits_of(x);
    uint64_t fraction = bits & (UINT64_MAX >> 12);
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = biased > 0 ? fraction | UINT64_C(1) << 52 : fraction;
    if (mantissa == 0) {
        return (struct wrap_whole){0, WRAP_ZERO_EXPONENT};
    }
    int zeros = __builtin_ctzll(mantissa);
    int64_t odd = (int64_t)(mantissa >> zeros);
    return (struct wrap_whole){x < 0 ? -odd : odd, (biased > 0 ? biased : 1) - 1075 + zeros};
}

/* By so many bits a mantissa, which has 53, may be shifted: to less than 2^124. */
enum { WRAP_SHIFT_MAX = 71 };

/* In units of 2^unit, at most the exponent; for exponents up to WRAP_SHIFT_MAX more than that. */
FILTER_INLINE wrap_signed wrap_units(struct wrap_whole x, int unit)
{
    return x.mantissa == 0 ? 0 : (wrap_signed)x.mantissa * ((wrap_signed)1 << (x.exponent - unit));
}

FILTER_INLINE bool wrap_fits(struct wrap_whole x, int unit)
{
    return x.mantissa == 0 || x.exponent - unit <= WRAP_SHIFT_MAX;
}

/* How many remainders a time far away may take; each is of as many bits as the period leaves free.
 */
enum { WRAP_REMAINDERS_MAX = 64 };

/* |x| modulo the period, which is not 0 and below 2^126; x in units of 2^unit. Returns false where
 * that would take long. */
FILTER_INLINE bool wrap_remainder(struct wrap_whole x, int unit, wrap_wide period,
                                  wrap_wide *remainder)
{
    uint64_t upper = (uint64_t)(period >> 64), lower = (uint64_t)period;
    int spare = upper > 0 ? __builtin_clzll(upper) : 64 + __builtin_clzll(lower);
    int shift = x.exponent - unit;
    wrap_wide rest = (wrap_wide)(x.mantissa < 0 ? -x.mantissa : x.mantissa) % period;
    if (shift > WRAP_REMAINDERS_MAX * spare) {
        return false;
    }
    while (shift > 0) { /* rest < period, and so rest 2^spare < 2^128 */
        int step = shift < spare ? shift : spare;
        rest = (rest << step) % period;
        shift -= step;
    }
    *remainder = rest;
    return true;
}

FILTER_INLINE int wrap_least(int x, int y)
{
    return x < y ? x : y;
}

/* Finite times, first < last. Returns false where the numbers do not fit. */
FILTER_INLINE bool wrap_exactly(double t, double first, double last, bool back_and_forth,
                                struct wrap_time *time)
{
    struct wrap_whole at = wrap_whole_of(t), from = wrap_whole_of(first), to = wrap_whole_of(last);
    int unit = wrap_least(at.exponent, wrap_least(from.exponent, to.exponent));
    if (!wrap_fits(from, unit) || !wrap_fits(to, unit)) {
        return false;
    }
    wrap_signed start = wrap_units(from, unit), duration = wrap_units(to, unit) - start;
    wrap_signed period = back_and_forth ? 2 * duration : duration;
    wrap_signed offset;
    if (wrap_fits(at, unit)) {
        offset = wrap_units(at, unit) - start;
    } else {
        wrap_wide rest;
        if (!wrap_remainder(at, unit, (wrap_wide)period, &rest)) {
            return false;
        }
        offset = (at.mantissa < 0 ? -(wrap_signed)rest : (wrap_signed)rest) - start;
    }
    offset %= period;
    offset = offset < 0 ? offset + period : offset;
    offset = offset > duration ? period - offset : offset;
    wrap_signed wrapped = start + offset;
    double nearest = (double)wrapped; /* an integer, of 53 bits */
    wrap_signed rest = wrapped - (wrap_signed)nearest;
    time->nearest = nearest * power_of_two(unit / 2) * power_of_two(unit - unit / 2);
    time->rest = (rest > 0) - (rest < 0);
    return true;
}

#endif
