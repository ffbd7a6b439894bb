/* truelerp: interpolation between keyframes in double precision, with a stated error bound.
 *
 * SPDX-License-Identifier: MIT
 *
 * Every input is a binary64 number and stands for exactly the real number that it encodes. F is
 * the exact real result of a function's formula on those reals, u = 2^-53. A function of the fast
 * tier promises
 *
 *     |result - F| <= K u S + 2^-1074          (the last term per component)
 *
 * where the condition scale S is a real number that depends on the exact inputs only: it says how
 * much the data themselves cancel. A function whose name ends in _cr returns F rounded to nearest,
 * ties to even. Nothing overflows, underflows or becomes NaN on the way to a result that is a
 * number; where |F| + K u S >= 2^1024 - 2^970, an infinity of F's sign may be returned.
 *
 * The same inputs give the same bits on every compiler, optimisation level and instruction set.
 * Functions allocate nothing, hold no lock, leave errno and the floating-point environment alone
 * and may be called from any number of threads. They expect the default environment: round to
 * nearest, subnormals on. Result arrays may be the argument arrays. Angles are radians.
 */
#ifndef TRUELERP_H
#define TRUELERP_H

#ifdef __cplusplus
extern "C" {
#endif

#define TL_VERSION_MAJOR 0
#define TL_VERSION_MINOR 1
#define TL_VERSION_PATCH 0

#if defined(TL_BUILD_SHARED) && defined(__GNUC__)
#define TL_API __attribute__((visibility("default")))
#else
#define TL_API
#endif

/* Which sides of a key carry a weight of their own; the other sides have the real weight 1/3. */
typedef enum tl_weighted_mode {
    TL_WEIGHTED_NONE = 0,
    TL_WEIGHTED_IN = 1,
    TL_WEIGHTED_OUT = 2,
    TL_WEIGHTED_BOTH = 3
} tl_weighted_mode;

/* A keyframe. Tangents are slopes, in value per time; a weight is the handle's share of the
 * segment's duration, 0 to 1. A segment runs from a first key to a second and reads the first
 * one's out side and the second one's in side only. */
typedef struct tl_key {
    double time;
    double value;
    double in_tangent;
    double out_tangent;
    double in_weight;
    double out_weight;
    tl_weighted_mode weighted_mode;
} tl_key;

TL_API double tl_lerp(double a, double b, double t);
TL_API double tl_lerp_cr(double a, double b, double t);
TL_API double tl_hermite(const tl_key *k0, const tl_key *k1, double t);
TL_API void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4]);
TL_API void tl_slerp3(const double a[3], const double b[3], double t, double result[3]);
TL_API void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3]);

/* "0.1.0" */
TL_API const char *tl_version(void);

/* The instruction set whose kernels answer: "baseline" or, on x86-64, "fma". */
TL_API const char *tl_instruction_set(void);

/* Makes the kernels of the named instruction set answer from now on, in every thread; results do
 * not change by a bit. Returns 0, or -1 (and changes nothing) if the name is unknown here or the
 * processor lacks it. */
TL_API int tl_use_instruction_set(const char *name);

#ifdef __cplusplus
}
#endif

#endif
