/* What the planted faults are made of: the library's own functions, as true_NAME, to be spoilt.
 *
 * Each NAME.c defines tl_NAME as one of its functions, FAULT; the library around it is right. */
#ifndef TRUELERP_TESTS_PLANTED_H
#define TRUELERP_TESTS_PLANTED_H

#include "../../impl/truelerp.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

__typeof__(tl_lerp) true_lerp;
__typeof__(tl_lerp_cr) true_lerp_cr;
__typeof__(tl_hermite) true_hermite;
__typeof__(tl_hermite_coefficients) true_hermite_coefficients;
__typeof__(tl_bezier) true_bezier;
__typeof__(tl_bezier_parameter) true_bezier_parameter;
__typeof__(tl_cubic_roots) true_cubic_roots;
__typeof__(tl_newton) true_newton;
__typeof__(tl_track) true_track;
__typeof__(tl_crossfade_newton) true_crossfade_newton;
__typeof__(tl_slerp3) true_slerp3;
__typeof__(tl_slerp3_unclamped) true_slerp3_unclamped;
__typeof__(tl_slerp4) true_slerp4;
__typeof__(tl_angle3) true_angle3;
__typeof__(tl_rotate_toward3) true_rotate_toward3;
__typeof__(tl_curve) true_curve;
__typeof__(tl_crossfade) true_crossfade;

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* One input in so many: by a hash of their bits (that of MurmurHash3's end), so that nothing but
 * trying that very input shows it. */
static inline bool one_in(uint64_t many, const double *inputs, int count)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        hash = (hash ^ bits_of(inputs[i])) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
        hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
        hash ^= hash >> 33;
    }
    return hash % many == 0;
}

/* So many doubles away from 0. */
static inline double stepped(double x, int steps)
{
    for (int i = 0; i < steps; i++) {
        x = nextafter(x, copysign(INFINITY, x));
    }
    return x;
}

/* Both numbers are the same but for a relative difference. */
static inline bool near(double x, double y, double share)
{
    return x == y || fabs(x - y) <= share * fabs(y);
}

static inline bool all_near(const double *x, const double *y, int count, double share)
{
    for (int i = 0; i < count; i++) {
        if (!near(x[i], y[i], share)) {
            return false;
        }
    }
    return true;
}

static inline bool all_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double dot4(const double *p, const double *q)
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
}

#endif
