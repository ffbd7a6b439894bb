/* The cubic between two keys, for the files that evaluate many of them. */
#ifndef TL_HERMITE_H
#define TL_HERMITE_H

#include "dispatch.h"
#include "scaled.h"

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

#endif
