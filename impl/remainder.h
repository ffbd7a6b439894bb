/* Times that go round: first + (t - first) mod period, with no rounding anywhere.
 *
 * The three times are integers in units of their lowest bit, at most 2098 bits long. What usually
 * occurs fits into 128 bits; for the rest there is a long division. Its dividend may be 2^2098 of
 * these units and its divisor a single one, so no expansion of doubles would hold the quotient.
 */
#ifndef TL_REMAINDER_H
#define TL_REMAINDER_H

#include "scaled.h"

__extension__ typedef __int128 tl_int128;

/* Where a real number lies among the doubles. */
typedef struct tl_neighbours {
    double down;    /* the largest double that is not above it */
    double nearest; /* ties to even */
    bool exact;     /* it is `down` itself */
} tl_neighbours;

/* sign mantissa 2^exponent, which is a double. */
static inline double tl_assemble(double sign, uint64_t mantissa, int exponent)
{
    double x = sign * (double)mantissa;
    if (exponent >= -1022 && exponent <= 971) {
        return x * tl_from_bits((uint64_t)(exponent + 1023) << 52);
    }
    return tl_unscale(tl_scale(x, exponent));
}

/* Those of +-window 2^exponent, of a window that is not 0. If it has more than 55 bits, its last
 * one may stand for anything below as well. The number is a multiple of 2^-1074 and within the
 * range, so it has all bits of a subnormal: 53 bits are the only reason for rounding. */
static inline tl_neighbours tl_neighbours_of(bool negative, tl_uint128 window, int exponent)
{
    uint64_t high = (uint64_t)(window >> 64);
    int shift = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)window);
    window <<= shift;
    exponent += 128 - 53 - shift;
    uint64_t mantissa = (uint64_t)(window >> 75);
    tl_uint128 rest = window << 53, half = (tl_uint128)1 << 127;
    bool up = rest > half || (rest == half && mantissa % 2 == 1);

    double sign = negative ? -1 : 1;
    double inner = tl_assemble(sign, mantissa, exponent);
    if (rest == 0) {
        return (tl_neighbours){inner, inner, true};
    }
    double outer = tl_assemble(sign, mantissa + 1, exponent);
    return (tl_neighbours){negative ? outer : inner, up ? outer : inner, false};
}

/* Integers in two's complement, of as many digits as the caller says, the lowest one first. */
enum { TL_LONG_DIGITS = 72 };

typedef struct tl_long {
    uint32_t digit[TL_LONG_DIGITS];
} tl_long;

/* a -= b */
static inline void tl_long_subtract(tl_long *a, const tl_long *b, int digits)
{
    uint32_t borrow = 0;
    for (int i = 0; i < digits; i++) {
        uint64_t difference = (uint64_t)a->digit[i] - b->digit[i] - borrow;
        a->digit[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
    }
}

/* a += b */
static inline void tl_long_add(tl_long *a, const tl_long *b, int digits)
{
    uint32_t carry = 0;
    for (int i = 0; i < digits; i++) {
        uint64_t sum = (uint64_t)a->digit[i] + b->digit[i] + carry;
        a->digit[i] = (uint32_t)sum;
        carry = (uint32_t)(sum >> 32);
    }
}

/* a = from - a */
static inline void tl_long_reverse(tl_long *a, const tl_long *from, int digits)
{
    tl_long difference = *from;
    tl_long_subtract(&difference, a, digits);
    *a = difference;
}

static inline void tl_long_negate(tl_long *a, int digits)
{
    tl_long zero = {{0}};
    tl_long_reverse(a, &zero, digits);
}

static inline bool tl_long_is_negative(const tl_long *a, int digits)
{
    return a->digit[digits - 1] >> 31;
}

static inline bool tl_long_is_less(const tl_long *a, const tl_long *b, int digits)
{
    tl_long difference = *a;
    tl_long_subtract(&difference, b, digits);
    return tl_long_is_negative(&difference, digits);
}

/* x in units of 2^unit, of which it is a whole number. */
static inline tl_long tl_long_of(double x, int unit, int digits)
{
    tl_long result = {{0}};
    if (x != 0) {
        int exponent;
        tl_uint128 mantissa = tl_split(x, &exponent);
        int position = exponent - unit;
        mantissa <<= position % 32;
        for (int i = 0; i < 3; i++) {
            result.digit[position / 32 + i] = (uint32_t)(mantissa >> 32 * i);
        }
    }
    if (x < 0) {
        tl_long_negate(&result, digits);
    }
    return result;
}

/* How many digits lead up to the highest one that is not 0. */
static inline int tl_long_length(const tl_long *a, int digits)
{
    while (digits > 0 && a->digit[digits - 1] == 0) {
        digits--;
    }
    return digits;
}

/* a -= factor divisor 2^(32 position), where `length` is the divisor's; returns what had to be
 * borrowed from beyond a's digit at position + length. */
static inline bool tl_long_subtract_multiple(tl_long *a, uint64_t factor, const tl_long *divisor,
                                             int length, int position)
{
    uint64_t carry = 0;
    for (int i = 0; i < length; i++) {
        uint64_t product = factor * divisor->digit[i] + carry;
        uint32_t low = (uint32_t)product;
        carry = (product >> 32) + (a->digit[position + i] < low);
        a->digit[position + i] -= low;
    }
    bool borrow = a->digit[position + length] < carry;
    a->digit[position + length] -= (uint32_t)carry;
    return borrow;
}

/* a mod divisor for a >= 0 and a divisor of two digits or more whose highest bit is set. Knuth, The
 * Art of Computer Programming 2, 4.3.1 algorithm D: each quotient digit is guessed from the leading
 * digits, the guess is at most 1 too great, and then the divisor is added back. */
static inline void tl_long_reduce(tl_long *a, const tl_long *divisor, int digits)
{
    int n = tl_long_length(divisor, digits);
    uint32_t top = divisor->digit[n - 1], next = divisor->digit[n - 2];
    for (int j = tl_long_length(a, digits) - n; j >= 0; j--) {
        uint64_t head = (uint64_t)a->digit[j + n] << 32 | a->digit[j + n - 1];
        uint64_t guess = head / top, rest = head % top;
        while (guess >> 32 || guess * next > (rest << 32 | a->digit[j + n - 2])) {
            guess--;
            rest += top;
            if (rest >> 32) {
                break;
            }
        }
        if (tl_long_subtract_multiple(a, guess, divisor, n, j)) {
            uint32_t carry = 0;
            for (int i = 0; i < n; i++) {
                uint64_t sum = (uint64_t)a->digit[j + i] + divisor->digit[i] + carry;
                a->digit[j + i] = (uint32_t)sum;
                carry = (uint32_t)(sum >> 32);
            }
            a->digit[j + n] += carry;
        }
    }
}

/* The neighbours of a 2^unit. */
static inline tl_neighbours tl_long_neighbours(tl_long *a, int unit, int digits)
{
    bool negative = tl_long_is_negative(a, digits);
    if (negative) {
        tl_long_negate(a, digits);
    }
    int length = tl_long_length(a, digits);
    if (length == 0) {
        return (tl_neighbours){0, 0, true};
    }
    tl_uint128 window = 0;
    for (int i = 1; i <= 4; i++) {
        window = window << 32 | (length >= i ? a->digit[length - i] : 0);
    }
    bool more = tl_long_length(a, length > 4 ? length - 4 : 0) > 0;
    return tl_neighbours_of(negative, window | more, unit + 32 * (length - 4));
}

/* The least exponent of the lowest bits of the three numbers and how many bits the largest has from
 * there on; zeros do not count. */
static inline void tl_common_unit(const double x[3], int *unit, int *bits)
{
    int least = INT32_MAX, most = INT32_MIN;
    for (int i = 0; i < 3; i++) {
        int exponent;
        if (tl_split(x[i], &exponent) != 0) {
            least = exponent < least ? exponent : least;
            most = exponent > most ? exponent : most;
        }
    }
    *unit = least;
    *bits = most + 53 - least;
}

/* tl_wrap_time for any times. Distances have one bit more than times, a doubled period two, and the
 * sign one; a finer unit gives the period a second digit and sets its highest bit. */
static tl_neighbours __attribute__((noinline))
tl_wrap_wide(const double times[3], bool mirrored, int unit, int bits)
{
    int digits = (bits + 4 + 63) / 32 + 2;
    tl_long first, length, period;
    for (int pass = 0; pass < 2; pass++) {
        first = tl_long_of(times[1], unit, digits);
        length = tl_long_of(times[2], unit, digits);
        tl_long_subtract(&length, &first, digits);
        period = length;
        if (mirrored) {
            tl_long_add(&period, &length, digits);
        }
        int top = tl_long_length(&period, digits);
        unit -= pass == 0 ? __builtin_clz(period.digit[top - 1]) + (top < 2 ? 32 : 0) : 0;
    }
    tl_long rest = tl_long_of(times[0], unit, digits);
    tl_long_subtract(&rest, &first, digits);
    bool before = tl_long_is_negative(&rest, digits);
    if (before) {
        tl_long_negate(&rest, digits);
    }
    tl_long_reduce(&rest, &period, digits);
    if (before && tl_long_length(&rest, digits) > 0) {
        tl_long_reverse(&rest, &period, digits);
    }
    if (mirrored && tl_long_is_less(&length, &rest, digits)) {
        tl_long_reverse(&rest, &period, digits);
    }
    tl_long_add(&rest, &first, digits);
    return tl_long_neighbours(&rest, unit, digits);
}

/* x in units of 2^unit, of which it is a whole number, and less than 2^124 of them. */
static inline tl_int128 tl_narrow_of(double x, int unit)
{
    int exponent;
    tl_int128 magnitude = tl_split(x, &exponent);
    magnitude = magnitude ? magnitude << (exponent - unit) : 0;
    return x < 0 ? -magnitude : magnitude;
}

/* Where the curve from times[1] to times[2], which is later, is at times[0]: for a loop the real
 * number first + m with m = (t - first) mod P, 0 <= m < P = last - first; mirrored, with
 * m = (t - first) mod 2 P instead, first + m if m <= P, else first + (2 P - m). */
static inline tl_neighbours tl_wrap_time(const double times[3], bool mirrored)
{
    int unit, bits;
    tl_common_unit(times, &unit, &bits);
    if (bits > 124) {
        return tl_wrap_wide(times, mirrored, unit, bits);
    }
    tl_int128 first = tl_narrow_of(times[1], unit);
    tl_int128 length = tl_narrow_of(times[2], unit) - first;
    tl_int128 period = mirrored ? 2 * length : length;
    tl_int128 rest = (tl_narrow_of(times[0], unit) - first) % period;
    rest = rest < 0 ? rest + period : rest;
    rest = mirrored && rest > length ? period - rest : rest;
    tl_int128 time = first + rest;
    if (time == 0) {
        return (tl_neighbours){0, 0, true};
    }
    return tl_neighbours_of(time < 0, (tl_uint128)(time < 0 ? -time : time), unit);
}

#endif
