/* The cubic between two keys, for the files that evaluate many of them. */
#ifndef TL_HERMITE_H
#define TL_HERMITE_H

#include "dispatch.h"
#include "scaled.h"
#include "wide.h"

/* tl_hermite's formula, which hermite.c derives and bounds, for k0's time <= t < k1's. It is what
 * tl_hermite returns, to the bit, if it is finite and tl_hermite_least or more in magnitude. */
static const double tl_hermite_least = 0x1p-900;

static inline double tl_hermite_plain(const tl_key *k0, const tl_key *k1, double t)
{
    double from = t - k0->time, to = k1->time - t, h = k1->time - k0->time;
    double x = from / h, y = to / h;
    double p = fma(k0->out_tangent, from, k0->value * fma(-2, y, 3));
    double q = fma(-k1->in_tangent, to, k1->value * fma(-2, x, 3));
    return fma(y, y * p, x * (x * q));
}

/* tl_hermite and tl_bezier inside a segment, k0's time < t < k1's, of finite data, and in a range
 * without ends: within K u S of F. */
tl_scaled TL_KERNEL(hermite_scaled)(const tl_key *k0, const tl_key *k1, double t);
tl_scaled TL_KERNEL(bezier_scaled)(const tl_key *k0, const tl_key *k1, double t);

/* What is known of F there: it is within the radius of the middle. */
typedef struct tl_ball {
    tl_wide middle;
    tl_scaled radius;
} tl_ball;

tl_ball TL_KERNEL(hermite_ball)(const tl_key *k0, const tl_key *k1, double t);
tl_ball TL_KERNEL(bezier_ball)(const tl_key *k0, const tl_key *k1, double t);

/* For results at the range's end, where an infinity must have F's sign: if the ball holds 0, the
 * sign is not known, and 0 is at most two radii from F. */
static inline tl_scaled tl_ball_number(tl_ball ball)
{
    int exponent = (int)ball.middle.exponent;
    tl_scaled size = {fabs(ball.middle.high), exponent};
    tl_scaled excess = tl_scaled_subtract(ball.radius, size);
    return excess.fraction > 0 ? (tl_scaled){0, 0} : (tl_scaled){ball.middle.high, exponent};
}

#endif
