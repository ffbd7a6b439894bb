/* The library's own trigonometry: the angle of a direction in a plane, and sine and cosine.
 *
 * Straight-line code of + - * / and fma, so that it gives the same bits everywhere, also in vector
 * lanes: no tables but of octants, no branches. Polynomials were fitted with Sollya's fpminimax,
 * relative error, the leading coefficients fixed; each one's comment states its error.
 */
#ifndef TL_TRIG_H
#define TL_TRIG_H

#include "exact.h"

#define TL_PI ((tl_dd){0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53})

/* (atan(q) - q) / q^3 as a polynomial in z = q^2, for |q| <= 0.41422, a little more than
 * tan(pi/8). atan(q) = q + q z (this) then holds within 2^-59.4 |atan(q)|. */
static inline __attribute__((always_inline)) double tl_arctangent_series(double z)
{
    double z2 = z * z;
    double z4 = z2 * z2;
    double c01 = fma(z, 0x1.999999999586dp-3, -0x1.555555555553dp-2);
    double c23 = fma(z, 0x1.c71c70e613401p-4, -0x1.24924922ad6edp-3);
    double c45 = fma(z, 0x1.3b11191f75b4cp-4, -0x1.745cf8dcacc2cp-4);
    double c67 = fma(z, 0x1.df0f4dc533861p-5, -0x1.10ebb86a779eap-4);
    double c89 = fma(z, 0x1.37d5d6ce4a661p-5, -0x1.9cd2cc3bca9b5p-5);
    double c8 = fma(z2, -0x1.256ae1c819cccp-6, c89);
    return fma(z4, fma(z4, c8, fma(z2, c67, c45)), fma(z2, c23, c01));
}

/* atan(q) for |q| <= 0.41422, within 1.2 u |atan(q)|: the term added to q is at most 0.06 |q| and
 * off by 3 u of itself, the sum rounds once. */
static inline __attribute__((always_inline)) double tl_arctangent(double q)
{
    double z = q * q;
    return fma(q * z, tl_arctangent_series(z), q);
}

/* A direction (x, y), and its angle atan2(y, x) to 2^-107. */
typedef struct tl_octant {
    double x;
    double y;
    tl_dd angle;
} tl_octant;

/* The multiples of pi/4 from 0 to pi. */
static const tl_octant tl_octants[5] = {
    {1, 0, {0, 0}},
    {1, 1, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}},
    {0, 1, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}},
    {-1, 1, {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54}},
    {-1, 0, {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}},
};

/* The octant's direction that is nearest to (cosine, sine), which need not have length 1, or at
 * most pi/8 + 4 u from it. sine >= 0, squares comes as its square: neither overflow nor underflow
 * of both squares. */
static inline __attribute__((always_inline)) const tl_octant *tl_nearest_octant(double sine_square,
                                                                                double cosine)
{
    const double tangent_square = 0x1.5f619980c4337p-3; /* of pi/8 */
    double cosine_square = cosine * cosine;
    int octant = (sine_square > tangent_square * cosine_square) +
                 (cosine_square < tangent_square * sine_square);
    return &tl_octants[cosine < 0 ? 4 - octant : octant];
}

/* octant->angle + rest */
typedef struct tl_angle {
    tl_dd base;
    double rest;
} tl_angle;

/* atan2(sine, cosine) in 0 .. pi, |rest| <= pi/8. As the tangent of the difference of two angles
 * is the quotient of the cross and the dot product of their directions, and multiples of 0 and 1
 * are exact, numerator, denominator and quotient round by u each and `rest` is off by
 * 4.2 u |tan(rest)|, at most 1.75 u; and by |error of (cosine, sine)| / |(cosine, sine)|. */
static inline __attribute__((always_inline)) tl_angle tl_angle_of(double sine, double sine_square,
                                                                  double cosine)
{
    const tl_octant *octant = tl_nearest_octant(sine_square, cosine);
    double cross = fma(octant->x, sine, -(octant->y * cosine));
    double dot = fma(octant->y, sine, octant->x * cosine);
    return (tl_angle){octant->angle, tl_arctangent(cross / dot)};
}

/* t times the angle; rounding adds at most 2^-104 of it. The sum of base and rest is exact: where
 * the base is not 0, it is at least twice the rest. */
static inline __attribute__((always_inline)) tl_dd tl_angle_times(tl_angle angle, double t)
{
    double base = t * angle.base.high;
    double base_low = fma(t, angle.base.low, fma(t, angle.base.high, -base));
    double sum = fma(t, angle.rest, base);
    return (tl_dd){sum, fma(t, angle.rest, base - sum) + base_low};
}

/* angle less a multiple of 2 pi, between -2 pi and 2 pi, for |angle.high| < 2^55; off by 2^-50 at
 * most, and by nothing if |angle| < 2 pi. */
static inline tl_dd tl_less_turns(tl_dd angle)
{
    const double two_pi = 0x1.921fb54442d18p+2;
    const double two_pi_low = 0x1.1a62633145c07p-52;
    double turns = (double)(int64_t)(angle.high / two_pi);
    double high = fma(-turns, two_pi, angle.high);
    return tl_two_sum(high, fma(-turns, two_pi_low, angle.low));
}

/* Unevaluated sums: the part called low is up to a tenth of the value. */
typedef struct tl_sine_cosine {
    tl_dd sine;
    tl_dd cosine;
} tl_sine_cosine;

/* Of x + e, |x| <= pi/4 + 2^-51, |e| <= ulp(x) / 2, both within 0.7 u of themselves. The
 * polynomials, fitted for |x| <= 0.7926, are off by 2^-57.7 |sin(x)| and 2^-63.9. Then
 *     sin(x + e) = x + (x^3 S + e (1 - x^2/2)),
 *     cos(x + e) = w + ((1 - w - x^2/2) + x^4 C - x e),      w = 1 - x^2/2 rounded,
 * whose second terms are at most 0.111 |sin(x)| and 0.016, and off by 4.3 u of themselves; what the
 * terms of e leave out is at most 0.08 |e|, and e^2 / 2. */
static inline __attribute__((always_inline)) tl_sine_cosine tl_sine_cosine_near_0(double x,
                                                                                  double e)
{
    double z = x * x;
    double z2 = z * z;
    double s01 = fma(z, 0x1.111111110f586p-7, -0x1.5555555555547p-3);
    double s23 = fma(z, 0x1.71de35230a0d5p-19, -0x1.a01a019bb1538p-13);
    double s45 = fma(z, 0x1.5d7f5a6b135a7p-33, -0x1.ae5e23245ee5ep-26);
    double s = fma(z2, fma(z2, s45, s23), s01);
    double c01 = fma(z, -0x1.6c16c16c14fcdp-10, 0x1.555555555554bp-5);
    double c23 = fma(z, -0x1.27e4f7e455631p-22, 0x1.a01a019c82166p-16);
    double c45 = fma(z, -0x1.8f9f9f20d9705p-37, 0x1.1ee9d08780207p-29);
    double c = fma(z2, fma(z2, c45, c23), c01);
    double w = fma(-0.5, z, 1);
    double sine_low = fma(x * z, s, e * w);
    double cosine_low = fma(z2, c, fma(-0.5, z, 1 - w) - x * e);
    return (tl_sine_cosine){{x, sine_low}, {w, cosine_low}};
}

/* Of angle.high + angle.low, |angle.low| <= ulp(angle.high) / 2. Up to |angle| = 3.9 both are
 * within 0.7 u of themselves; beyond, up to 1.5 2^51, they are off by 1.2 u + 0.4 u |angle| at most
 * (0.8 u after tl_less_turns).
 *
 * With k the integer nearest to angle / (pi/2), x + e = angle - k pi/2 in two doubles,
 * |x| <= pi/4 + 2^-51 (more only for large k): for |k| <= 2 x is exact (Sterbenz). */
static inline __attribute__((always_inline)) tl_sine_cosine tl_sine_cosine_of(tl_dd angle)
{
    const double half_pi = 0x1.921fb54442d18p+0;
    const double half_pi_low = 0x1.1a62633145c07p-54;
    const double two_over_pi = 0x1.45f306dc9c883p-1;
    /* Its last bits hold k, and subtracting 1.5 2^52 leaves k. */
    double shifted = fma(angle.high, two_over_pi, 0x1.8p52);
    double k = shifted - 0x1.8p52;
    double x = fma(-k, half_pi, angle.high);
    double e = fma(-k, half_pi_low, angle.low);
    tl_sine_cosine near = tl_sine_cosine_near_0(x, e);

    /* sin(x + k pi/2) for k = 0 .. 4; the cosine is the next one. */
    const double high[5] = {near.sine.high, near.cosine.high, -near.sine.high, -near.cosine.high,
                            near.sine.high};
    const double low[5] = {near.sine.low, near.cosine.low, -near.sine.low, -near.cosine.low,
                           near.sine.low};
    unsigned quadrant = tl_to_bits(shifted) & 3;
    return (tl_sine_cosine){{high[quadrant], low[quadrant]},
                            {high[quadrant + 1], low[quadrant + 1]}};
}

#endif
