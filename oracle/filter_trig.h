/* Sines, cosines and angles in double-double, with proven bounds.
 *
 * What is proved rests on the arithmetic of filter.h, on the table below (every entry of which the
 * tests compare with MPFR) and on Taylor's theorem. The library's atan2 only makes a guess, whose
 * distance from the truth is then measured. u = 2^-53. */
#ifndef TRUELERP_ORACLE_FILTER_TRIG_H
#define TRUELERP_ORACLE_FILTER_TRIG_H

#include "filter.h"

#include <stdint.h>
#include <string.h>

enum { FILTER_QUARTER = 16 }; /* steps of pi/32 in a right angle */

/* sin(k pi/32), each part rounded to nearest: within u^2 of itself; 0 and 1 are exact. */
static const struct dd filter_sines[FILTER_QUARTER + 1] = {
    {0x0p+0, 0x0p+0},
    {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60},
    {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57},
    {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56},
    {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a61p-57},
    {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58},
    {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f66p-55},
    {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57},
    {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
    {0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55},
    {0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60},
    {0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56},
    {0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56},
    {0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55},
    {0x1.f6297cff75cbp-1, 0x1.562172a361fd3p-56},
    {0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55},
    {0x1p+0, 0x0p+0},
};

/* pi/32 = high + middle + low, of which the first two have 32 significant bits, and low is within
 * 2^-178 of the rest, which is less than 2^-72. */
static const double FILTER_STEP_HIGH = 0x1.921fb544p-4;
static const double FILTER_STEP_MIDDLE = 0x1.0b4611a6p-38;
static const struct dd FILTER_STEP_LOW = {0x1.3198a2e037073p-73, 0x1.129024e088a68p-127};
static const double FILTER_STEPS_PER_RADIAN = 0x1.45f306dc9c883p+3;

/* pi and 1/n! within u^2 of themselves */
static const struct dd FILTER_PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const struct dd FILTER_1_3 = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
static const struct dd FILTER_1_4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
static const struct dd FILTER_1_5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};
static const struct dd FILTER_1_6 = {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65};
static const struct dd FILTER_1_7 = {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73};
static const struct dd FILTER_1_8 = {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76};

/* The largest angle that is reduced, and what is left of it at most, rounded upwards: pi/64 */
#define FILTER_ANGLE_MAX 0x1p16
#define FILTER_REST_MAX 0.0491

/* sin r / r - 1 and cos r - 1 for |r| <= 0.0491, where z = r^2 <= 0.0024109; `square` is z within
 * 6.5 u^2 of itself. */

/* sin r = r + r z (-1/3! + z (1/5! + z (-1/7! + z/9! - ...))). In units of u^2, relative to r:
 *     left out, z^8/17! and less: 2^-117.8                                0.0003
 *     from z/9! on in double: the coefficient, z.high and the last addition and product are within
 *         u each and all smaller terms below u/100 of it, so 4.1 u of
 *         z^4/9! <= 0.84 u                                                3.5
 *     -1/7! + that: 2 z^3/7! (1 + z)                                      below 10^-8 * 2
 *     products and sums for 1/5!: 10.5 z^2/5!                             below 10^-5
 *     the same for -1/3!: (1 + 3 + 10 z) z/6                              below 0.002
 *     products of that with z and r, and z's own error: 19.5 z/6          0.008
 *     the last addition, where the sum is less than |r|: 3.0001           3.0001
 * together less than 6.6. */
#define FILTER_SINE_ERROR (6.6 * 0x1p-106)
FILTER_INLINE struct dd filter_sine_of_rest(struct dd r, struct dd square)
{
    double z = square.high;
    double tail =
        0x1.71de3a556c734p-19 +
        z * (-0x1.ae64567f544e4p-26 + z * (0x1.6124613a86d09p-33 + z * -0x1.ae7f3e733b81fp-41));
    struct dd sum = dd_sum_double(dd_negative(FILTER_1_7), z * tail);
    sum = dd_sum(FILTER_1_5, dd_product(square, sum));
    sum = dd_sum(dd_negative(FILTER_1_3), dd_product(square, sum));
    return dd_sum(r, dd_product(r, dd_product(square, sum)));
}

/* cos r = 1 + z (-1/2 + z (1/4! + z (-1/6! + z (1/8! - z/10! + ...)))). In units of u^2:
 *     left out, z^8/16! and less: 2^-113.8                                0.005
 *     from -z/10! on in double: 4.1 u of z^5/10! <= 0.0003 u              0.002
 *     sums and products up to there: 10.5 z^2/4! + 20 z^3/6! + ...        below 0.0001
 *     -1/2 + that: 2 z/2                                                  0.003
 *     the product with z, and z's own error: 13 z/2                       0.016
 *     the last addition: 2.0001                                           2.0001
 * together less than 2.1. */
#define FILTER_COSINE_ERROR (2.1 * 0x1p-106)
FILTER_INLINE struct dd filter_cosine_of_rest(struct dd square)
{
    double z = square.high;
    double tail = -0x1.27e4fb7789f5cp-22 + z * (0x1.1eed8eff8d898p-29 + z * -0x1.93974a8c07c9dp-37);
    struct dd sum = dd_sum_double(FILTER_1_8, z * tail);
    sum = dd_sum(dd_negative(FILTER_1_6), dd_product(square, sum));
    sum = dd_sum(FILTER_1_4, dd_product(square, sum));
    sum = dd_product(square, dd_sum_double(dd_product(square, sum), -0.5));
    return dd_sum_double(sum, 1);
}

/* x less the nearest multiple of pi/32, k pi/32, |k| < 2^20. k (in double) times the step's high
 * and middle parts is exact, of 52 bits. In units of u^2: the two differences: 2.0001 of each,
 * which are at most 0.0491 + 2^-17     0.2 low times k, below 2^-52, and low's own error: below
 * 10^-14 the last difference: 3.0001 of it                                         0.15 together
 * less than 0.4; and none where k = 0. With k, the product in double is within 2^20 * 2^-52 of the
 * true quotient, so that |x - k pi/32| <= pi/64 + 2^-34 < 0.0491. */
#define FILTER_REST_ERROR (0.4 * 0x1p-106)
FILTER_INLINE struct dd filter_rest(struct dd x, double k)
{
    struct dd rest = dd_sum_double(x, -k * FILTER_STEP_HIGH);
    rest = dd_sum_double(rest, -k * FILTER_STEP_MIDDLE);
    return dd_sum(rest, dd_product_double(FILTER_STEP_LOW, -k));
}

/* sin(k pi/32) */
FILTER_INLINE struct dd filter_table_sine(unsigned k)
{
    unsigned within = k % (2 * FILTER_QUARTER);
    unsigned folded = within <= FILTER_QUARTER ? within : 2 * FILTER_QUARTER - within;
    struct dd sine = filter_sines[folded];
    return k / (2 * FILTER_QUARTER) % 2 ? dd_negative(sine) : sine;
}

/* The sine and the cosine of k pi/32 + r, r being off by up to `reduction` and the angle itself by
 * `doubt` more. With S and C from the table, and s and c of r,
 *     sin x = S c + C s,    cos x = C c - S s.
 * In units of u^2:
 *     S c: the product 6.5, S 1.0001, c 2.1, as it is at least 0.998:           9.7 |S|
 *     C s: the product 6.5, C 1.0001, s 6.6 of |r|, which |s| does not exceed:  14.2 |C r|
 *     their sum: 3.0001                                                         3.0001 |sin x|
 * and the same for cos x. Neither function changes by more than its argument. Underflow in 40
 * products at most is below 40 * 2^-1072. */
FILTER_INLINE void filter_sine_cosine_of(unsigned k, struct dd r, double reduction, double doubt,
                                         struct approximation *sine, struct approximation *cosine)
{
    struct dd square = dd_product(r, r);
    struct dd s = filter_sine_of_rest(r, square);
    struct dd c = filter_cosine_of_rest(square);
    struct dd table_sine = filter_table_sine(k);
    struct dd table_cosine = filter_table_sine(k + FILTER_QUARTER);
    struct dd x_sine = dd_sum(dd_product(table_sine, c), dd_product(table_cosine, s));
    struct dd x_cosine =
        dd_sum(dd_product(table_cosine, c), dd_negative(dd_product(table_sine, s)));
    double sine_size = fabs(table_sine.high), cosine_size = fabs(table_cosine.high);
    double size = fabs(r.high), given = reduction + doubt;
    double sine_error = 0x1p-106 * (9.7 * sine_size + 14.2 * cosine_size * size) +
                        FILTER_SUM * fabs(x_sine.high) + given;
    double cosine_error = 0x1p-106 * (9.7 * cosine_size + 14.2 * sine_size * size) +
                          FILTER_SUM * fabs(x_cosine.high) + given;
    *sine = approximation_of(x_sine, sine_error * FILTER_SLOP + FILTER_UNDERFLOW);
    *cosine = approximation_of(x_cosine, cosine_error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* The sine and the cosine of x, |x| <= 2^16; returns false beyond. */
FILTER_INLINE bool filter_sine_cosine(struct approximation x, struct approximation *sine,
                                      struct approximation *cosine)
{
    if (!(fabs(x.high) <= FILTER_ANGLE_MAX)) {
        return false;
    }
    double k = x.high * FILTER_STEPS_PER_RADIAN + 0x1.8p52 - 0x1.8p52;
    struct dd rest = filter_rest(approximation_center(x), k);
    filter_sine_cosine_of((unsigned)(int32_t)k, rest, k == 0 ? 0 : FILTER_REST_ERROR, x.error, sine,
                          cosine);
    return true;
}

/* 64 bits before the point and 256 behind it of 1 / 2 pi, rounded down */
enum { FILTER_TURN_WORDS = 5 };
static const uint64_t filter_turn[FILTER_TURN_WORDS] = {0, UINT64_C(0x28be60db9391054a),
                                                        UINT64_C(0x7f09d5f47d4d3770),
                                                        UINT64_C(0x36d8a5664f10e410),
                                                        UINT64_C(0x7f9458eaf7aef158)};

/* 64 of these bits, from the given one on */
FILTER_INLINE uint64_t filter_turn_bits(unsigned first)
{
    unsigned word = first / 64, within = first % 64;
    return within == 0 ? filter_turn[word]
                       : filter_turn[word] << within | filter_turn[word + 1] >> (64 - within);
}

__extension__ typedef unsigned __int128 filter_wide;
__extension__ typedef __int128 filter_signed_wide;

/* The same for a double x from 1 to 2^62, however many turns that is (M. Payne, R. Hanek: Radian
 * reduction for trigonometric functions. SIGNUM Newsletter 18(1), 1983).
 *
 * With x = m 2^e, bits of 1 / 2 pi that 2^e makes whole numbers make whole turns; of the others,
 * 192 are multiplied by m. What is left out is below m 2^-192 < 2^-139, and of the product's
 * fraction, the bits below 2^-128. k is the nearest multiple of 1/64; the difference, of at most
 * 2^-7 turns, becomes a double-double within u^2 of itself, and its product with 2 pi is within 6.5
 * + 1 more: in all 8.6 u^2 of pi/64 and 2^-127 turns, less than 0.43 u^2. */
#define FILTER_TURN_ERROR (0.43 * 0x1p-106)
#define FILTER_TURNS_MAX 0x1p62
FILTER_INLINE void filter_sine_cosine_of_turns(double x, struct approximation *sine,
                                               struct approximation *cosine)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned first = (unsigned)(bits >> 52) - 1023 - 52 + 64;
    filter_wide m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    filter_wide low = m * filter_turn_bits(first + 128);
    filter_wide middle = m * filter_turn_bits(first + 64) + (low >> 64);
    filter_wide high = m * filter_turn_bits(first) + (middle >> 64);
    filter_wide fraction = high << 64 | (uint64_t)middle;
    unsigned k = (unsigned)((fraction + ((filter_wide)1 << 121)) >> 122);
    filter_signed_wide rest = (filter_signed_wide)(fraction - ((filter_wide)k << 122));
    double leading = (double)rest;
    double trailing = (double)(rest - (filter_signed_wide)leading);
    struct dd turns = dd_scaled(dd_of_fast_sum(leading, trailing), 0x1p-127);
    filter_sine_cosine_of(k, dd_product(turns, FILTER_PI), FILTER_TURN_ERROR, 0, sine, cosine);
}

/* Those of a double; returns false beyond 2^62. */
FILTER_INLINE bool filter_sine_cosine_of_double(double x, struct approximation *sine,
                                                struct approximation *cosine)
{
    if (!(fabs(x) <= FILTER_TURNS_MAX)) {
        return false;
    }
    if (fabs(x) <= FILTER_ANGLE_MAX) {
        return filter_sine_cosine(approximation_of_double(x), sine, cosine);
    }
    filter_sine_cosine_of_turns(fabs(x), sine, cosine);
    *sine = x < 0 ? approximation_negative(*sine) : *sine;
    return true;
}

/* The angle A of the point (x, y), where y > 0; returns false where it is not known well.
 *
 * With any guess G in [0, 3.2], and R the point's distance from 0,
 *     across = y cos G - x sin G = R sin(A - G)
 *     along  = x cos G + y sin G = R cos(A - G)
 * so that A = G + e, tan e = across / along. As A is in [0, pi] and cos e > 0, e is the arctangent
 * itself and no multiple of pi off. With w = across / along in double, |w| <= 2^-40:
 *     across.high for across: u |w|; `across` is off by its error: that over along
 *     along: each of the two products of high parts is within 3.1 u of itself, their sum is
 * rounded, and the errors of x, y, sine and cosine, 2^-60 of the parts of `size`, are less than
 *         another u: 5.1 u of `size`, which is at most 2 along: 10.3 u |w|
 *     the division: u |w|
 *     |e - tan e| <= |w|^3 / 3 <= 2^-81 |w|
 * together less than 13 u |w| and the error over along. G + w is exact as a double-double. */
FILTER_INLINE bool filter_angle(struct approximation y, struct approximation x,
                                struct approximation *angle)
{
    double guess = atan2(y.high, x.high);
    struct approximation sine, cosine;
    if (!(guess >= 0 && guess <= 3.2) ||
        !filter_sine_cosine(approximation_of_double(guess), &sine, &cosine)) {
        return false;
    }
    struct approximation across =
        approximation_difference(approximation_product(y, cosine), approximation_product(x, sine));
    double size = fabs(x.high * cosine.high) + fabs(y.high * sine.high);
    double along = x.high * cosine.high + y.high * sine.high;
    double doubt = x.error + y.error + (sine.error + cosine.error) * (fabs(x.high) + y.high);
    double tangent = across.high / along;
    if (!(y.error <= 0x1p-60 * y.high && along >= 0.5 * size && doubt <= 0x1p-60 * size &&
          fabs(tangent) <= 0x1p-40)) {
        return false;
    }
    double error = 13 * 0x1p-53 * fabs(tangent) + across.error / along * (1 + 0x1p-45);
    *angle = approximation_of(dd_of_sum(guess, tangent), error * FILTER_SLOP + FILTER_UNDERFLOW);
    return true;
}

#endif
