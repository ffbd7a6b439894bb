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
 * Functions allocate nothing, hold no lock, leave errno and the modes of the floating-point
 * environment alone and may be called from any number of threads. Exception flags may be raised, on
 * the way to a finite result too, FE_INVALID and FE_DIVBYZERO among them; none is cleared.
 * Functions expect the default environment: round to nearest, subnormals on. Result arrays may be
 * the argument arrays. Angles are radians.
 */
#ifndef TRUELERP_H
#define TRUELERP_H

#include <stddef.h>

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

/* What a builder returns. It stops at the first thing that is wrong and writes to its `at`, if that
 * is not NULL, the offending indices: as many as the comment here names, the lower one first, and
 * TL_NO_INDEX in the rest (in both of them if nothing is wrong). What it builds is usable only
 * after TL_OK. */
typedef enum tl_status {
    TL_OK = 0,
    TL_EMPTY = 1,             /* there is nothing to interpolate: no indices */
    TL_TIME_NOT_FINITE = 2,   /* the time at at[0] */
    TL_VALUE_NOT_FINITE = 3,  /* a value at at[0] */
    TL_TIMES_FALL = 4,        /* from at[0] to at[1] = at[0] + 1 */
    TL_TIMES_EQUAL = 5,       /* those at at[0] and at[1] are the same, +0 and -0 being one */
    TL_THREE_AT_ONE_TIME = 6, /* at[0] to at[1] = at[0] + 2 */
    TL_OUT_OF_RANGE = 7,      /* the coefficient at[0] is beyond the range, or below 2^-1022 */
    TL_NO_SUCH_CHOICE = 8     /* an order or a wrap that does not exist: no indices */
} tl_status;

#define TL_NO_INDEX ((size_t)-1)

/* What is wrong in a few words, such as "two times are equal". */
TL_API const char *tl_status_text(tl_status status);

/* Linear interpolation: F = a + t (b - a), for any finite t, which is a pure number; a, b and F are
 * of one unit.
 *
 * In this order: t = 0 gives a, t = 1 gives b, a = b gives a, bit for bit and whatever the other
 * arguments are; any argument that is not finite gives NaN.
 *
 * K = 2, S = |(1 - t) a| + |t b|. No K below 2 holds: the largest known error is
 * 1.9999999999999984 u S,
 * tl_lerp(-0x1.0000000000003p+0, -0x1.3333333333336p-1, 0x1.3fffffffffffdp-51)
 *     gives  -0x1.0000000000001p+0
 *     wants  -0x1.00000000000020000000p+0 */
TL_API double tl_lerp(double a, double b, double t);

/* The same F, special cases included, correctly rounded: to nearest, ties to even, infinite from
 * 2^1024 - 2^970 on. So it is monotone in each argument and stays between a and b for t from 0 to
 * 1. An exact zero is +0, unless a or b is returned bit for bit; what only rounds to 0 keeps its
 * sign.
 *
 * Error: at most half an ulp, reached where F lies halfway between two doubles. */
TL_API double tl_lerp_cr(double a, double b, double t);

/* The cubic on the segment from k0 to k1 that takes both keys' values and slopes, k0's
 * out_tangent m0 and k1's in_tangent m1: with h = t1 - t0 and x = (t - t0) / h
 *
 *     F = v0 (2x^3 - 3x^2 + 1) + h m0 (x^3 - 2x^2 + x) + v1 (3x^2 - 2x^3) + h m1 (x^3 - x^2)
 *
 * in values. Weights and weighted_mode are not read. In this order:
 *   1. t, t0 or t1 NaN, or t0 > t1: NaN;
 *   2. t >= t1: v1, else t <= t0: v0, bit for bit and whatever the rest is. So a segment without
 *      length is a jump, and an infinite t gives an end;
 *   3. m0 or m1 infinite: v0, which makes the segment a step;
 *   4. t0, v0, m0, t1, v1 or m1 not finite: NaN.
 *
 * K = 12, S = the sum of the four terms' absolute values. The largest known error is 10.8599 u S,
 * for t0 = 0x1.720035b4cad44p-61, v0 = 0x1.3ffffffffffffp+29, m0 = -0x1.ea5a3p-44,
 * t1 = 0x1.08ab7add22b41p-15, v1 = -0x1.5722e444af291p+164, m1 = -0x1.358487afp+130,
 * t = 0x1.4386d50a14798p-58
 *     gives  -0x1.1a73d5e53d9dfp+80
 *     wants  -0x1.1a73d5e53d9d9024d8bbp+80 */
TL_API double tl_hermite(const tl_key *k0, const tl_key *k1, double t);

/* The coefficients of the same cubic as a polynomial in x, a x^3 + b x^2 + c x + d, in this order:
 *
 *     coefficients[0] = a = 2 v0 - 2 v1 + h m0 + h m1        coefficients[2] = c = h m0
 *     coefficients[1] = b = 3 v1 - 3 v0 - 2 h m0 - h m1      coefficients[3] = d = v0
 *
 * in values. Any of t0, v0, m0, t1, v1, m1 not finite: NaN in all four. t0 > t1 is no error, and
 * t0 = t1 means h = 0.
 *
 * K = 4 for each coefficient, S = the sum of its terms' absolute values; c and d are better than
 * that. The largest known error is 2.99999944 u S, of a for
 * t0 = -0x1.f903bc606fab3p+272, v0 = 0x1.f4fd2beee5589p+794, m0 = -0x1.0000000002d04p+545,
 * t1 = -0x1.fc81de85c9dp+273, v1 = -0x1.b02d40d1a2f1fp+790, m1 = -0x1.ffffffffd911ep+491
 *     gives  0x1.0000047594ca9p+818
 *     wants  0x1.0000047594caa8000020p+818 */
TL_API void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4]);

/* The same with a handle of its own length on a side that is weighted. k0's out side has the weight
 * w0 = out_weight if its weighted_mode says so, else the real number 1/3; k1's in side has
 * w1 = in_weight or 1/3. Weights are clamped to 0 .. 1. With h = t1 - t0, the curve has the points
 *
 *     P0 = (t0, v0)                     P1 = (t0 + w0 h, v0 + w0 m0 h)
 *     P3 = (t1, v1)                     P2 = (t1 - w1 h, v1 - w1 m1 h)
 *
 * and F is its value at the parameter s at which its time is t. Both weights 1/3 is tl_hermite,
 * to the bit. In this order:
 *   1. t, t0 or t1 NaN, or t0 > t1: NaN;
 *   2. t >= t1: v1, else t <= t0: v0, bit for bit and whatever the rest is;
 *   3. m0 or m1 infinite: v0, which makes the segment a step;
 *   4. t0, v0, m0, t1, v1, m1 or the weight of a weighted side not finite: NaN. The weight of a
 *      side that is not weighted is never read; a slope is read even where its weight is 0.
 *
 * K = 64 for all inputs, vertical tangents (w0 = w1 = 1, x near 1/2) included. With B0 .. B3 the
 * Bernstein polynomials at the exact s,
 *
 *     S = |v0| (B0 + B1) + |w0 m0 h| B1 + |v1| (B2 + B3) + |w1 m1 h| B2
 *
 * which for weights of 1/3 is tl_hermite's. Where terms beyond the range cancel and the sign of
 * what is left is not known, 0 is returned, off by less than 62 u S. Else the largest known error
 * is 11.7767 u S, for
 * t0 = -0x1.fa30eee9251c3p-368, v0 = 0x1.7f65a8p-584, m0 = 0x1.00eb678d9185ap-185,
 * w0 = 0x1.4e9ce642d054dp-1, t1 = 0x1.9792694a225p-372, v1 = 0x1.cc3600000caap-1024,
 * m1 = -0x1.8a9effd4ff7dcp-215, w1 = 0x1.f69f4d2655287p-1, t = 0x1.716f000197171p-428
 *     gives  0x1.26a31cf198212p-563
 *     wants  0x1.26a31cf19820b3911611p-563 */
TL_API double tl_bezier(const tl_key *k0, const tl_key *k1, double t);

/* That parameter, F = s. Values and slopes are not read. In this order:
 *   1. t, t0 or t1 NaN, or t0 > t1: NaN;
 *   2. t >= t1: 1, else t <= t0: 0;
 *   3. t0, t1 or the weight of a weighted side not finite: NaN.
 *
 * K = 64, S = s. The largest known error is 2.9999 u S, for
 * t0 = 0x1.dcd64fd875bf9p+29, w0 = 0x1.ef7a825931c13p-1, t1 = 0x1.74a6bd63691c8p+30,
 * w1 = 0x1.08e3e8ac33d11p-2, t = 0x1.dcd64fd87bd67p+29
 *     gives  0x1.000283b0a7a5ap-39
 *     wants  0x1.000283b0a7a5b8001b97p-39 */
TL_API double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t);

/* What tl_cubic_roots returns instead of a count. */
enum { TL_EVERY_NUMBER = -1, TL_NOT_FINITE = -2 };

/* The distinct real roots of p(x) = a x^3 + b x^2 + c x + d, which do not fall from one to the
 * next, and how often each counts. Returns their number, 0 to 3, or a code; what lies beyond that
 * number in the two arrays is left alone. The arrays must not be NULL. In this order:
 *   1. a coefficient not finite: TL_NOT_FINITE;
 *   2. all of them 0: TL_EVERY_NUMBER;
 *   3. a = 0: the roots of the quadratic, linear or constant polynomial that is left.
 *
 * The number and the multiplicities are exact: there is no threshold below which a discriminant
 * counts as 0. Roots closer to each other than doubles are may become one double, which then stands
 * there twice. A root 0 is +0. A factor 2^k in all coefficients changes nothing, x = 2^k y nothing
 * but the exponents, as long as all stays in the range.
 *
 * K = 8, S = |a r^3| + |b r^2| + |c r| + |d|: of each returned root r, |p(r)| <= K u S, and so it
 * is at all numbers between r and the exact root of the same place. Or r is within 2^-1074 of that
 * root, or it is the infinity to which that rounds. Rounding the exact root may by itself cost
 * 1.5 u S. The largest known error is 1.499992 u S, for
 * a = -0x1.e62226f8c0319p-607, b = 0x1.2f4b0b7a5947ep-252, c = -0x1.76e8bb6ec155ep-243,
 * d = 0x1.e62417c0e8937p+536
 *     gives  0x1.000057410928ap+381
 *     wants  0x1.000057410928a7ffffffp+381 */
TL_API int tl_cubic_roots(double a, double b, double c, double d, double roots[3],
                          int multiplicities[3]);

/* Between two vectors, with even angle and linear length: t is clamped to 0 .. 1, and with
 * theta = atan2(|a x b|, a . b), the angle between them in radians,
 *
 *     F = ((1 - t) |a| + t |b|) (sin((1 - t) theta) a / |a| + sin(t theta) b / |b|) / sin(theta)
 *
 * Where that does not say it, decided exactly and by no threshold:
 *   a = 0, b = 0 or both of one direction: F = a + t (b - a), component by component;
 *   exactly opposite: F = ((1 - t) |a| + t |b|) (cos(pi t) a / |a| + sin(pi t) p), where p is the
 *   unit vector of e_k made orthogonal to a, and k the index of a's smallest component by
 *   magnitude, the lowest one of equals. So (-1, 0, 0) to (1, 0, 0) passes through (0, 1, 0).
 *
 * In this order: t NaN gives NaN in all components; t <= 0 gives a, t >= 1 gives b, bit for bit;
 * any component not finite gives NaN in all.
 *
 * K = 8 and S = |F| for every pair of representable vectors: the error vector's length is within
 * K u S + sqrt(3) 2^-1074. The largest known error is 6.0848 u S, for
 * a = (0x1.7733a1fbb52ap+263, 0x1.013e921d54b4cp+267, 0x1.53ac4ac3bcc63p+263),
 * b = (0x1.0b4a849e699abp+228, -0x1.64892eb8d3de4p+231, -0x1.dcc8a22d4763fp+227),
 * t = 0x1.ffffe34d53dbbp-2
 *     gives  (0x1.032d852267e84p+266, 0x1.c9706c2a1b8d5p+256, -0x1.70335bb1df3fap+258)
 *     wants  (0x1.032d852267e87122dcfcp+266, 0x1.c9706c2a1b7e2ecc94a0p+256,
 *             -0x1.70335bb1df4013c62e76p+258) */
TL_API void tl_slerp3(const double a[3], const double b[3], double t, double result[3]);

/* The same F for any finite t: the turn goes on at the same rate beyond both ends, and so does the
 * length, which beyond its zero points the other way.
 *
 * In this order: t NaN or infinite gives NaN in all components; t = 0 gives a, t = 1 gives b, bit
 * for bit; any component not finite gives NaN in all.
 *
 * K = 8; S = |F| for t from 0 to 1, else S = (|1 - t| |a| + |t| |b|) (1 + pi |t|). The largest
 * known error is 5.4848 u S, for
 * a = (-0x1.9aa86d40312dp-606, -0x1.023b7bf247dep-562, 0x1.03fee41371354p-569),
 * b = (-0x1.03fee413713f9p-569, 0x1.bbb2a0bb71a78p-568, -0x1.5618079044115p-571),
 * t = 0x1.ef7a2b70cb753p-2
 *     gives  (-0x1.00fa217249c57p-563, -0x1.ab7d410cfbe6ap-566, -0x1.34d83193408c4p-565)
 *     wants  (-0x1.00fa217249c59e5c5478p-563, -0x1.ab7d410cfbe6b8600084p-566,
 *             -0x1.34d83193408c59787151p-565) */
TL_API void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3]);

/* The same for quaternions (x, y, z, w), which need not be unit: t is clamped to 0 .. 1, q is
 * replaced by -q where the exact p . q < 0 (the sign is decided exactly; 0 means no change), and
 * with theta the angle between p and q in R^4, now at most pi / 2,
 *
 *     F = ((1 - t) |p| + t |q|) (sin((1 - t) theta) p / |p| + sin(t theta) q / |q|) / sin(theta)
 *
 * p = 0, q = 0 or both of one direction, decided exactly: F = p + t (q - p).
 *
 * In this order: t NaN gives NaN in all components; t <= 0 gives p, bit for bit; t >= 1 gives q or,
 * where it was replaced, -q; bit for bit, and q itself if a component of either is not finite; any
 * component not finite gives NaN in all.
 *
 * K = 8 and S = |F|: the error vector's length is within K u S + 2 2^-1074. The largest known error
 * is 5.3844 u S, for
 * p = (-0x1.9a852b6efp+912, -0x1.11ae1cf4c18d5p+911, -0x1.933fd57a0000ap+937,
 *      -0x1.bffcea291b086p+910),
 * q = (0x1.cd15443191cfbp+880, 0x1.184db75a3d3d9p+879, -0x1.3ad990653ead6p+859,
 *      -0x1.bffc21408aff1p+910),
 * t = 0x1.ffffffffa1b93p-2
 *     gives  (-0x1.191c4660dd309p+911, -0x1.77e4331a2478ap+909, -0x1.1d23ee1a38edap+936,
 *             -0x1.1d23ee417f43ep+936)
 *     wants  (-0x1.191c4660dd30a29d47cfp+911, -0x1.77e4331a2478c34e1af3p+909,
 *             -0x1.1d23ee1a38edc1fd1debp+936, -0x1.1d23ee417f441ab9acd6p+936) */
TL_API void tl_slerp4(const double p[4], const double q[4], double t, double result[4]);

/* The angle between two vectors, F = atan2(|a x b|, a . b), in radians, 0 to pi.
 *
 * In this order: any component not finite gives NaN; a = 0 or b = 0 gives +0, exactly; so do
 * vectors of exactly one direction, whatever their lengths.
 *
 * Error: at most K = 2 ulps of F, over the whole range. The largest known one is 0.7500 ulps, which
 * the smallest numbers' two roundings cost,
 * a = (0x1.c2501716ae837p-6, 0x0.000000000001ep-1022, -0x0.0000000001833p-1022),
 * b = (0x1.c2544d94758b1p-21, -0x0.000008502d94ap-1022, -0x0.0000000000065p-1022)
 *     gives  0x0.9739f7e195046p-1022
 *     wants  0x0.9739f7e195045400000p-1022
 * and elsewhere 0.70 ulps. */
TL_API double tl_angle3(const double a[3], const double b[3]);

/* a turned by the angle phi, in radians, in the plane of a and b and towards b; a negative phi
 * turns away from b, and nothing stops at b. The length stays. Where the plane is not given, b = 0
 * or both of one direction or exactly opposite, decided exactly, it is that of a and p, the vector
 * that tl_slerp3 passes through between opposite ones: with w the unit vector across a in that
 * plane, on b's or p's side,
 *
 *     F = cos(phi) a + sin(phi) |a| w
 *
 * In this order: any argument not finite gives NaN in all components; a = 0 gives +0 in all,
 * exactly.
 *
 * K = 8, S = |a| (1 + |phi|): the error vector's length is within K u S + sqrt(3) 2^-1074. And the
 * result's length is within 4 u |a| + sqrt(3) 2^-1074 of |a|. From |phi| = 2^53 on that allows any
 * angle, and a itself is returned, off by 2 u S at most; else the largest known error is
 * 1.9710 u S, for
 * a = (0x1.00089a2d890b7p+5, -0x1.92fa62109253cp-19, -0x1.6fad198b5c7abp-34),
 * b = (-0x1.05ed417d15e5p+11, 0x1.944962be0f6ebp-13, 0x1.93986fc6d7d37p-28),
 * phi = 0x1.debe959822a3ap-7
 *     gives  (0x1.00019b5b19513p+5, -0x1.decb18d776abap-2, 0x1.9c84a3d533fd7p-15)
 *     wants  (0x1.00019b5b19511fffff6ap+5, -0x1.decb18d776ab9087c718p-2,
 *             0x1.9c84a3d533fd62018dd9p-15)
 * and that of the length 2.9670 u |a|, for
 * a = (0x1.ffff29a8038ffp-35, -0x1.05659326217dfp-21, -0x1.945f228f2606cp-43),
 * b = (-0x1.ed5fdbdc4fcc4p+467, -0x1.fd939504caa58p+445, 0x1.0293d840aba03p+434),
 * phi = 0x1.f4dea169171e6p+2
 *     gives  (-0x1.054b523626815p-21, -0x1.d493d4f6ae946p-27, -0x1.684b21e4d8221p-48) */
TL_API void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3]);

/* A polynomial in Newton's form, ready for evaluation. Made by tl_newton_build; `table` is the
 * caller's memory: `count` nodes in the order in which the form takes them, then for each of them
 * its coefficient in every channel. */
typedef struct tl_newton_table {
    const double *table;
    size_t count;
    size_t channels;
} tl_newton_table;

/* How many doubles of memory tl_newton_build needs; 0 if count or channels is 0 or their bytes are
 * more than a size_t can tell. */
TL_API size_t tl_newton_size(size_t count, size_t channels);

/* The polynomial p of degree count - 1 through (times[i], values[i channels + c]) in each channel
 * c, for distinct times in any order. Its coefficients are the generalised divided differences
 *
 *     f[t0 .. tk] = (f[t1 .. tk] - f[t0 .. tk-1]) / (tk - t0)
 *
 * with the nodes reordered (Leja): first the largest time, then always the one with the greatest
 * product of distances to those before it, the lowest index of equals, all of it decided exactly.
 * `memory` has tl_newton_size doubles, of which the first count (1 + channels) are the table and
 * must outlive it, while the rest is free again; times and values may go.
 *
 * TL_EMPTY: count or channels is 0. TL_TIME_NOT_FINITE or TL_VALUE_NOT_FINITE: at[0] is the lowest
 * index of either, a time before a value. TL_TIMES_EQUAL: at[1] is the lowest index whose time is
 * there before it. TL_OUT_OF_RANGE: the coefficient of degree at[0], the lowest such, is out of
 * range in some channel. A c_k that is 0, or 2^-1022 <= |c_k| < 2^1024 - 2^970, is never refused.
 * Any other one is, unless it is less than 64 count u^2 T_k (below) away from one of these: that
 * may be refused or taken. c_0, the value at the first node, is no exception: a subnormal one is
 * refused, as T_0 = |c_0| and no double is that close to 2^-1022. */
TL_API tl_status tl_newton_build(tl_newton_table *newton, const double *times, const double *values,
                                 size_t count, size_t channels, double *memory, size_t at[2]);

/* F = p(t) in each channel, for any finite t, also far from the nodes; else NaN. `result` has
 * `channels` numbers. With n = count, c_k the exact coefficients and t_j the nodes in the order of
 * tl_newton_build,
 *
 *     |result - F| <= K n u S + 64 n u^2 T + 2^-1074,    K = 4,
 *     S = sum over k of |c_k| P_k,    P_k = product over j < k of |t - t_j|,
 *     T = sum over k of T_k P_k,
 *     T_k = sum over i <= k of |v_i| / product over j <= k, j != i, of |t_i - t_j|
 *
 * T, which matters only where the differences all but vanish, is what they are made of. Where a
 * number within that bound of F rounds to an infinity, that infinity may be returned. At a node
 * the bound holds as it does elsewhere; one node alone gives its value, bit for bit.
 *
 * The largest known error is 1.8588 n u S, for the times -0x1.1ab7f9ba8abp-89,
 * -0x1.0015c2f56acf5p-89, -0x1.000b0c4c94a17p-89, -0x1.001acc4c94ap-89, -0x1.001b0c4c94a0bp-89,
 * -0x1.00190c4c949fap-89, -0x1.00130c4c62094p-89 and -0x1.001a3a29c753ap-89, the values
 * -0x1.26c8p-506, 0x1.76a48717dc4dap-564, 0x1.a1246ep-560, 0x1.000000b4b58ap-508,
 * -0x1.2d4f7e28ecc1fp-542, 0x1.2cfffdbd93ep-563, -0x1.540d3fffffffdp-567 and
 * 0x1.38041623b4e04p-562, t = 0x1.000000004c901p-36
 *     gives  -0x1.009de2163cc6ap-45
 *     wants  -0x1.009de2163cc628bfdf20p-45 */
TL_API void tl_newton(const tl_newton_table *newton, double t, double *result);

/* Piecewise polynomials of low order over many keys; made by tl_track_build. */
typedef struct tl_track_table {
    const double *table;
    size_t count;
    size_t order;
    size_t channels;
} tl_track_table;

/* How many doubles of memory tl_track_build needs; 0 for an order, count or channels that it would
 * reject, or if their bytes are more than a size_t can tell. */
TL_API size_t tl_track_size(size_t order, size_t count, size_t channels);

/* Between two keys, the polynomial through order + 1 successive ones, order 1, 2 or 3: where key i
 * starts the segment, those from i (order 1) or i - 1 (order 2 and 3) on, shifted inwards at the
 * ends. With too few keys for it the order is count - 1, and that is what the table says. Values as
 * in tl_newton_build; `memory` has tl_track_size doubles and must outlive the track; times and
 * values need not.
 *
 * TL_NO_SUCH_CHOICE: the order; TL_EMPTY: count or channels is 0; then the lowest index counts at
 * which something is wrong, and there in this order: TL_TIME_NOT_FINITE, TL_TIMES_FALL or
 * TL_TIMES_EQUAL (from the index before), TL_VALUE_NOT_FINITE. TL_OUT_OF_RANGE: as in
 * tl_newton_build, at[0] being the degree and at[1] the first key of the lowest such window. */
TL_API tl_status tl_track_build(tl_track_table *track, size_t order, const double *times,
                                const double *values, size_t count, size_t channels, double *memory,
                                size_t at[2]);

/* F = p(t) in each channel, p of the segment whose first key is the last one with a time <= t; the
 * end windows reach outwards without end. t not finite gives NaN. Continuous at the keys; there the
 * slope jumps, by the difference of the two windows' slopes.
 *
 * K = 4 and the bound of tl_newton, with n = order + 1 and the S and T of the window's keys. The
 * result is that of tl_newton for these keys, bit for bit. */
TL_API void tl_track(const tl_track_table *track, double t, double *result);

/* What a curve does beyond its first and last key. With P = last - first time and m the real number
 * that is (t - first) modulo the period, 0 <= m < period: */
typedef enum tl_wrap {
    TL_CLAMP = 0,    /* the end key's value */
    TL_LOOP = 1,     /* t' = first + m, period P */
    TL_PING_PONG = 2 /* period 2 P: t' = first + m if m <= P, else last - (m - P) */
} tl_wrap;

/* Segments one after the other; made by tl_curve_build. */
typedef struct tl_curve_table {
    const tl_key *keys;
    const double *table;
    size_t count;
    tl_wrap before;
    tl_wrap after;
} tl_curve_table;

/* How many doubles of memory tl_curve_build needs; 0 if count is 0 or those are more bytes than a
 * size_t can tell. */
TL_API size_t tl_curve_size(size_t count);

/* The curve through keys whose times do not fall. Two keys at one time are a jump. The keys and
 * `memory`, of tl_curve_size doubles, must outlive the curve and stay as they are.
 *
 * TL_NO_SUCH_CHOICE: a wrap; TL_EMPTY: count is 0; then the lowest index counts at which something
 * is wrong, and there in this order: TL_TIME_NOT_FINITE, TL_TIMES_FALL (from the index before),
 * TL_THREE_AT_ONE_TIME (at[1] is it). Values, slopes and weights may be anything. */
TL_API tl_status tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count,
                                tl_wrap before, tl_wrap after, double *memory, size_t at[2]);

/* The curve's value at t. In this order:
 *   1. t NaN: NaN; t infinite: the end key's value under TL_CLAMP, else NaN;
 *   2. t before the first or after the last key: the wrap of that side gives t'; else t' = t. All
 *      of that is exact. TL_CLAMP: the first key's, or last key's, value, bit for bit. Under the
 *      other two, P = 0 gives the last key's value;
 *   3. t' is a key's time: that key's value, bit for bit; of two keys at one time the right (later)
 *      one's, whichever way the time runs. So under TL_LOOP t = last, which does not wrap, gives
 * the last key's value, but last + P, last + 2 P and so on give what t = first does;
 *   4. else the segment that contains t': tl_hermite if neither of its sides is weighted, else
 *      tl_bezier, their special cases included.
 *
 * K = 64, but 12 in a segment of tl_hermite, S as there: the result is within
 * K u S of F(t''), for some t'' in that closed segment with |t'' - t'| <= u max(|first|, |last|);
 * where no wrap applied, t'' = t. The largest known errors are those of tl_hermite and tl_bezier,
 * for curves of the two keys that stand there. */
TL_API double tl_curve(const tl_curve_table *curve, double t);

/* The same for many times, in any order; fast where they rise. Equal to tl_curve bit for bit. */
TL_API void tl_curve_many(const tl_curve_table *curve, const double *times, size_t count,
                          double *results);

/* From curve a to curve b at one time t: with A and B their values, F = A + w (B - A).
 *
 * w NaN gives NaN; w <= 0 is tl_curve of a and w >= 1 that of b, and the other one is not looked
 * at. Else A or B not finite gives NaN, unless both are the same infinity, which is the result.
 *
 * K = 66, but 14 where both curves' segments are of tl_hermite; S = |1 - w| (S_A + |A|) +
 * |w| (S_B + |B|), where A and B, S_A and S_B are those at each curve's t''. Where values beyond
 * the range cancel and the sign of what is left is not known, 0 is returned, as by tl_bezier. Else
 * the largest known error is 4.8368 u S, for curves of two keys, not weighted, with
 * a: t0 = -0x1.47e97ed4a711p-1, v0 = -0x1.f9d5d0881fce6p-10, m0 = -0x1.0f53ac3f0b904p-22,
 *    t1 = 0x1.d122798c3ffcfp+4, v1 = 0x1.8f81f31c713adp-2, m1 = -0x1.fdf3808c6ca4p-21,
 * b: t0 = -0x1.4f3f93521a025p-18, v0 = -0x1.b20113fd68f52p-43, m0 = 0x1.44d8ba807119ep-43,
 *    t1 = 0x1.904cb7e103e8p+0, v1 = 0x1.f1318f4701fe6p-51, m1 = 0x1.8aac93a913f62p-33,
 * t = 0x1.67dcb22029bcdp+0, w = 0x1.dafa384efa795p-5
 *     gives  0x1.a2e27c2b7b8c6p-9
 *     wants  0x1.a2e27c2b7b8d25b09c0ap-9 */
TL_API double tl_crossfade(const tl_curve_table *a, const tl_curve_table *b, double t, double w);

/* The same for many times and as many weights. Equal to tl_crossfade bit for bit. */
TL_API void tl_crossfade_many(const tl_curve_table *a, const tl_curve_table *b, const double *times,
                              const double *weights, size_t count, double *results);

/* From one polynomial to another, which may have another number of nodes but has as many channels:
 * if not, all of a's are NaN. w NaN gives NaN; w <= 0 is tl_newton of a and w >= 1 that of b; else
 * F = A + w (B - A), in each channel.
 *
 * K = 4: |result - F| <= (K n + 2) u S + 64 u^2 (|1 - w| n_a T_a + |w| n_b T_b) + 2^-1074, n being
 * the larger number of nodes and S = |1 - w| (S_A + |A|) + |w| (S_B + |B|). Infinities as in
 * tl_newton. The largest known error is 2.1622 u S of the 10 u S that two nodes may have, for
 * a's times -0x1.0b40f94cf3e22p-1 and -0x1.35da66d4d4df3p-1, values 0x1.dec36e411989p-1 and
 * -0x1.e8cd28cd3e57dp-2, b's times 0x1.17c9d55b22fdap-1 and -0x1.c30b58059f448p-3,
 * values -0x1.f53d74b784707p-1 and -0x1.ac72c06a4642dp-1, t = 0x1.19042f01156cbp-1,
 * w = 0x1.de13d2548e5ap-4
 *     gives  0x1.0c4b559146dfbp+4
 *     wants  0x1.0c4b559146dfd4c0182dp+4 */
TL_API void tl_crossfade_newton(const tl_newton_table *a, const tl_newton_table *b, double t,
                                double w, double *result);

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
