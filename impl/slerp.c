#include "dispatch.h"
#include "scaled.h"
#include "trig.h"

#include <float.h>
#include <limits.h>

TL_VARIANTS(slerp3, void, (const double[3], const double[3], double, double[3]));
TL_VARIANTS(slerp3_unclamped, void, (const double[3], const double[3], double, double[3]));

/* Of lerp.c. */
double TL_KERNEL(lerp)(double a, double b, double t);

/* In the plane of p and q, p and m = n x p with n = p x q are orthogonal, |m| = |n| |p|, and m
 * points towards q. So with theta = atan2(|n|, p . q),
 *
 *     F = gain (cos(t theta) p + sin(t theta) m / |n|),    gain = (1 - t) + t |q| / |p|,
 *
 * which divides by no sine, and all angles are alike to it: n comes with all its digits, however
 * near to parallel p and q are. For t in 0 .. 1, p is the end that is nearer to t.
 *
 * Error, in units of u |F|, counted from the roundings that are not made up for:
 *   n      2 of each component. The part along n scales it and cancels; the part across turns m
 *          out of the plane: 2 sin(t theta)
 *   m      the product 1, the fma 1, in any direction: 2 sin(t theta)
 *   gain   (1 - t) 0.5; |p|^2 and |q|^2 3 each, their quotient 1, halved by the root: 3.5 times
 *          t |q|'s share of F, in F's direction
 *   |n|    3 of its square, halved by the root: 1.5 sin^2(t theta) in F's direction, and
 *          1.5 sin cos along the arc
 *   theta  (3 |p| |q| of p . q) sin(theta) and (4.5 of |n|) sin(2 theta) / 2, and 1.75: t times
 *          that along the arc
 *   sum    1 of the middle fma times cos(t theta), 1 of the last one, in any direction; sine and
 *          cosine 0.7, products with their low parts 0.3
 * The roots, reciprocals and products with sine and cosine carry their low parts along. The worst
 * of these do not meet in one input. To first order an error is the sum of the roundings times
 * its derivatives with respect to them, and the greatest such sum for roundings of u each, found
 * numerically by climbing over all p, q and t from 0 to 1/2, is 7.67; what sine, cosine and
 * arctangent leave out adds at most 0.2. So K = 8 holds.
 *
 * Outside 0 .. 1 nothing is mirrored, the error of theta counts t times, that of the length with
 * |1 - t| |a| + |t| |b|, and the bound has the same factors: the greatest sum is 5.5 u of it.
 *
 * The largest known error of both functions is 5.7711 u |F|, for
 * a = (0x1.7733a1fbb5292p-4, 0x1.013e921d54b49p+0, 0x1.53ac4ac3bcc5ap-4),
 * b = (0x1.0b4a849e699b6p-39, -0x1.64892eb8d3de8p-36, -0x1.dcc8a22d4763dp-40),
 * t = 0x1.ffffe2a17bd43p-2
 *     gives (0x1.032d85793b804p-1, 0x1.c9726d9bd4addp-11, -0x1.703351877c145p-9)
 *     wants (0x1.032d85793b806eb68e57p-1, 0x1.c9726d9bd4a7506932a2p-11,
 *            -0x1.703351877c14ab4735ffp-9) */

/* The way from one end to the other: t of it is done, rest = 1 - t left. */
typedef struct way {
    const double *from;
    const double *to;
    double t;
    double rest;
} way;

/* From the nearer end, for t in 0 .. 1: so t theta is at most pi/2, and t and 1 - t trade places
 * without an error, as 1 - t is exact from 1/2 on. Indices, because a branch would be mispredicted
 * half of the time. */
static inline way way_from_nearer(const double *a, const double *b, double t)
{
    const double *const ends[3] = {a, b, a};
    const double parts[3] = {t, 1 - t, t};
    int far = t > 0.5;
    return (way){ends[far], ends[far + 1], parts[far], parts[far + 1]};
}

static inline double dot(const double *p, const double *q)
{
    return fma(p[0], q[0], fma(p[1], q[1], p[2] * q[2]));
}

/* a b - c d within 2u of itself, as long as the error of c d does not underflow: Kahan's way.
 * Jeannerod, Louvet, Muller, Further analysis of Kahan's algorithm for the accurate computation of
 * 2x2 determinants, Mathematics of Computation 82 (2013). */
static inline double minor(double a, double b, double c, double d)
{
    double product = c * d;
    return fma(a, b, -product) + fma(-c, d, product);
}

/* sqrt(qq / pp); low makes up for the root's rounding, not for the quotient's. */
static inline tl_dd length_ratio(double pp, double qq)
{
    double ratio = sqrt(qq / pp);
    return (tl_dd){ratio, fma(-ratio, ratio, qq / pp) * (0.5 / ratio)};
}

/* rest + t ratio */
static inline tl_dd gain_of(double t, double rest, tl_dd ratio)
{
    double gain = fma(t, ratio.high, rest);
    return (tl_dd){gain, fma(t, ratio.low, fma(t, ratio.high, -gain) + rest)};
}

/* gain / sqrt(nn), where length = sqrt(nn) rounded. A Newton step, 1/sqrt(nn) = y (1 + e/2) with
 * e = 1 - nn y^2, makes up for the roundings of root and reciprocal. */
static inline tl_dd over_root(tl_dd gain, double nn, double length)
{
    double y = 1 / length;
    double nny = nn * y;
    double e = fma(-fma(nn, y, -nny), y, fma(-nny, y, 1));
    double quotient = gain.high * y;
    double low = fma(gain.high, y, -quotient);
    return (tl_dd){quotient, fma(gain.low, y, fma(0.5 * e, quotient, low))};
}

/* cosine gain p + sine scale (n x p). What comes last, the low parts of sine and cosine, is a tenth
 * of the whole or less, and is added with a tenth of the error. */
static inline __attribute__((always_inline)) void combine(const double *p, const double *n,
                                                          tl_sine_cosine phi, tl_dd gain,
                                                          tl_dd scale, double *result)
{
    double m[3] = {fma(n[1], p[2], -(n[2] * p[1])), fma(n[2], p[0], -(n[0] * p[2])),
                   fma(n[0], p[1], -(n[1] * p[0]))};
    double a = gain.high * phi.cosine.high;
    double a_low = fma(gain.low, phi.cosine.high, fma(gain.high, phi.cosine.high, -a));
    a_low = fma(gain.high, phi.cosine.low, a_low);
    double b = scale.high * phi.sine.high;
    double b_low = fma(scale.low, phi.sine.high, fma(scale.high, phi.sine.high, -b));
    b_low = fma(scale.high, phi.sine.low, b_low);
    double r0 = fma(b, m[0], fma(a, p[0], fma(a_low, p[0], b_low * m[0])));
    double r1 = fma(b, m[1], fma(a, p[1], fma(a_low, p[1], b_low * m[1])));
    double r2 = fma(b, m[2], fma(a, p[2], fma(a_low, p[2], b_low * m[2])));
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
}

/* low <= x < high, of positive low and high */
static inline bool is_within(double x, double low, double high)
{
    return tl_to_bits(x) - tl_to_bits(low) < tl_to_bits(high) - tl_to_bits(low);
}

/* F for ordinary lengths; false if it is not for this function. In the ranges tested, no product
 * overflows, and those that underflow do not show: n has an absolute error of 2^-1074 beside a
 * length of 2^-350, m one beside 2^-500, the result beside 2^-150.
 * Divisions and roots come early, because they take longest. */
static inline __attribute__((always_inline)) bool turn(way taken, double result[3])
{
    const double *p = taken.from;
    const double *q = taken.to;
    double n[3] = {minor(p[1], q[2], p[2], q[1]), minor(p[2], q[0], p[0], q[2]),
                   minor(p[0], q[1], p[1], q[0])};
    double nn = dot(n, n);
    double pp = dot(p, p);
    double qq = dot(q, q);
    bool ordinary = is_within(pp, 0x1p-300, 0x1p300) && is_within(qq, 0x1p-300, 0x1p300) &&
                    is_within(nn, 0x1p-700, 0x1p700);
    if (!ordinary) {
        return false;
    }
    double length = sqrt(nn);
    tl_dd ratio = length_ratio(pp, qq);
    tl_angle theta = tl_angle_of(length, nn, dot(p, q));
    tl_dd gain = gain_of(taken.t, taken.rest, ratio);
    tl_dd scale = over_root(gain, nn, length);
    combine(p, n, tl_sine_cosine_of(tl_angle_times(theta, taken.t)), gain, scale, result);
    return true;
}

/* Everything below is for what the fast path leaves: the same formula on vectors and minors that
 * have exponents of their own, and the cases that the contract decides exactly. */

/* a b - c d of any doubles, within 2 u of itself, and 0 only if it is 0: on fractions between 1 and
 * 2 in size nothing underflows in minor(), and a product that the other one exceeds 2^110 times
 * does not show. */
static tl_scaled scaled_minor(double a, double b, double c, double d)
{
    tl_scaled fa = tl_scale(a, 0), fb = tl_scale(b, 0), fc = tl_scale(c, 0), fd = tl_scale(d, 0);
    int first = fa.exponent + fb.exponent;
    int second = fc.exponent + fd.exponent;
    bool no_first = fa.fraction * fb.fraction == 0;
    bool no_second = fc.fraction * fd.fraction == 0;
    if (no_second || (!no_first && first - second > 110)) {
        return tl_scale(fa.fraction * fb.fraction, first);
    }
    if (no_first || second - first > 110) {
        return tl_scale(-(fc.fraction * fd.fraction), second);
    }
    double aligned = fa.fraction * tl_from_bits((uint64_t)(first - second + 1023) << 52);
    return tl_scale(minor(aligned, fb.fraction, fc.fraction, fd.fraction), second);
}

/* A vector times 2^exponent, its largest component between 1 and 2 in size. What becomes of a
 * component below 2^-1022 of that does not show. */
typedef struct scaled_vector {
    double c[3];
    int exponent;
} scaled_vector;

static scaled_vector normalise(const tl_scaled *x)
{
    scaled_vector v = {{0, 0, 0}, INT_MIN};
    for (int k = 0; k < 3; k++) {
        if (x[k].fraction != 0 && x[k].exponent > v.exponent) {
            v.exponent = x[k].exponent;
        }
    }
    for (int k = 0; k < 3; k++) {
        if (x[k].fraction != 0) {
            v.c[k] = tl_unscale((tl_scaled){x[k].fraction, x[k].exponent - v.exponent});
        }
    }
    return v;
}

static scaled_vector normalise_plain(const double *x)
{
    tl_scaled scaled[3] = {tl_scale(x[0], 0), tl_scale(x[1], 0), tl_scale(x[2], 0)};
    return normalise(scaled);
}

/* The way from one end to the other again, with an n such that n x from points along the turn. */
typedef struct scaled_way {
    scaled_vector from;
    scaled_vector to;
    double t;
    double rest;
    double n[3];
    tl_angle theta;
} scaled_way;

/* gain 2^exponent = rest + t |to| / |from| */
typedef struct scaled_gain {
    tl_dd gain;
    int exponent;
} scaled_gain;

static scaled_gain scaled_gain_of(const scaled_way *taken, tl_dd ratio)
{
    tl_scaled left = tl_scale(taken->rest, 0);
    tl_scaled share = tl_scale(taken->t, taken->to.exponent - taken->from.exponent);
    int exponent = share.exponent;
    if (left.fraction != 0 && left.exponent > exponent) {
        exponent = left.exponent;
    }
    double rest = tl_unscale((tl_scaled){left.fraction, left.exponent - exponent});
    double t = tl_unscale((tl_scaled){share.fraction, share.exponent - exponent});
    return (scaled_gain){gain_of(t, rest, ratio), exponent};
}

/* D = 2 u (|1-t| |a| + |t| |b|) (1 + pi |t|) in units of |from|: a quarter of the bound for t
 * outside 0 .. 1. An infinity must have F's sign. A component that overflows and does not exceed D
 * needs |t| > 2^24, where errors are those of theta and at most 0.9 D. So components above D have
 * F's sign, and those below, none of which is farther from F than D + 0.9 D, may be any doubles up
 * to their size: sqrt(3) D + 0.9 D is less than 4 D. */
static tl_scaled doubt_of(const scaled_way *taken, double ratio)
{
    tl_scaled t = tl_scale(fabs(taken->t), 0);
    tl_scaled far = tl_scale(ratio, taken->to.exponent - taken->from.exponent);
    tl_scaled lengths = tl_scaled_fma(t, far, tl_scale(fabs(taken->rest), 0));
    tl_scaled turns = tl_scaled_fma(t, tl_scale(TL_PI.high, 0), (tl_scaled){1, 0});
    return tl_scaled_multiply(tl_scaled_multiply(lengths, turns), (tl_scaled){1, -52});
}

static bool exceeds(tl_scaled x, tl_scaled limit)
{
    return x.exponent > limit.exponent ||
           (x.exponent == limit.exponent && fabs(x.fraction) > limit.fraction);
}

/* From here on the bound is 25 times |1-t| |a| + |t| |b|: any angle is within it. */
static const double any_angle = 0x1p53;

static void turn_scaled(const scaled_way *taken, double *result)
{
    const double *p = taken->from.c;
    double t = taken->t;
    double pp = dot(p, p);
    double nn = dot(taken->n, taken->n);
    bool lost = fabs(t) >= any_angle;
    tl_dd ratio = length_ratio(pp, dot(taken->to.c, taken->to.c));
    scaled_gain g = scaled_gain_of(taken, ratio);
    tl_dd scale = over_root(g.gain, nn, sqrt(nn));
    tl_dd phi = tl_less_turns(tl_angle_times(taken->theta, lost ? 0 : t));
    double turned[3];
    combine(p, taken->n, tl_sine_cosine_of(phi), g.gain, scale, turned);
    tl_scaled doubt = tl_scaled_multiply(doubt_of(taken, ratio.high), tl_scale(sqrt(pp), 0));
    for (int k = 0; k < 3; k++) {
        tl_scaled component = tl_scale(turned[k], g.exponent);
        result[k] = tl_unscale(tl_scale(turned[k], g.exponent + taken->from.exponent));
        if (isinf(result[k]) && (lost || !exceeds(component, doubt))) {
            result[k] = copysign(DBL_MAX, turned[k]);
        }
    }
}

/* The turn from a to -a passes through the axis along which a's component is smallest, made
 * orthogonal to a. That is n x a for n = a x axis. */
static void set_normal_of_opposite(const double *a, const double *unit_a, double *n)
{
    int smallest = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(a[k]) < fabs(a[smallest])) {
            smallest = k;
        }
    }
    int next = (smallest + 1) % 3;
    int last = (smallest + 2) % 3;
    n[smallest] = 0;
    n[next] = unit_a[last];
    n[last] = -unit_a[next];
}

static bool is_zero(const double *x)
{
    return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

static bool are_equal(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* of parallel vectors that are not 0 */
static bool point_the_same_way(const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != 0) {
            return (a[k] > 0) == (b[k] > 0);
        }
    }
    return true;
}

static void lerp_components(const double *a, const double *b, double t, double *result)
{
    double r0 = TL_KERNEL(lerp)(a[0], b[0], t);
    double r1 = TL_KERNEL(lerp)(a[1], b[1], t);
    double r2 = TL_KERNEL(lerp)(a[2], b[2], t);
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
}

/* Of finite arguments. */
static void slerp3_scaled(const double *a, const double *b, double t, way taken, double *result)
{
    if (is_zero(a) || is_zero(b) || are_equal(a, b)) {
        lerp_components(a, b, t, result);
        return;
    }
    const double *p = taken.from;
    const double *q = taken.to;
    tl_scaled minors[3] = {scaled_minor(p[1], q[2], p[2], q[1]),
                           scaled_minor(p[2], q[0], p[0], q[2]),
                           scaled_minor(p[0], q[1], p[1], q[0])};
    bool parallel = minors[0].fraction == 0 && minors[1].fraction == 0 && minors[2].fraction == 0;
    if (parallel && point_the_same_way(a, b)) {
        lerp_components(a, b, t, result);
        return;
    }
    scaled_way turn = {normalise_plain(p), normalise_plain(q), taken.t, taken.rest, {0},
                       {TL_PI, 0}};
    if (parallel) {
        set_normal_of_opposite(p, turn.from.c, turn.n);
    } else {
        scaled_vector n = normalise(minors);
        tl_scaled unit = {1, n.exponent - turn.from.exponent - turn.to.exponent};
        double length = sqrt(dot(n.c, n.c)) * tl_unscale(unit);
        turn.theta = tl_angle_of(length, length * length, dot(turn.from.c, turn.to.c));
        memcpy(turn.n, n.c, sizeof turn.n);
    }
    turn_scaled(&turn, result);
}

static bool all_finite(const double *a, const double *b)
{
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        finite = finite && tl_is_finite(a[k]) && tl_is_finite(b[k]);
    }
    return finite;
}

static void set_all(double *result, double x, double y, double z)
{
    result[0] = x;
    result[1] = y;
    result[2] = z;
}

/* The way to t, whether it lies between the ends or not. */
static inline way way_to(const double *a, const double *b, double t)
{
    return t >= 0 && t <= 1 ? way_from_nearer(a, b, t) : (way){a, b, t, 1 - t};
}

/* The order of the special cases; `unclamped` tells the functions apart. NaN compares false. */
static void __attribute__((noinline))
slerp3_rest(const double *a, const double *b, double t, bool unclamped, double *result)
{
    if (unclamped ? t == 0 : t <= 0) {
        set_all(result, a[0], a[1], a[2]);
    } else if (unclamped ? t == 1 : t >= 1) {
        set_all(result, b[0], b[1], b[2]);
    } else if (!tl_is_finite(t) || !all_finite(a, b)) {
        set_all(result, NAN, NAN, NAN);
    } else {
        slerp3_scaled(a, b, t, way_to(a, b, t), result);
    }
}

void TL_KERNEL(slerp3)(const double a[3], const double b[3], double t, double result[3])
{
    bool between = is_within(t, 0x1p-1074, 1);
    if (!__builtin_expect(between && turn(way_from_nearer(a, b, t), result), 1)) {
        slerp3_rest(a, b, t, false, result);
    }
}

/* Up to |t| = 2^40 the fast path's ranges keep their margin. */
void TL_KERNEL(slerp3_unclamped)(const double a[3], const double b[3], double t, double result[3])
{
    bool ordinary = fabs(t) < 0x1p40 && t != 0 && t != 1;
    if (!__builtin_expect(ordinary && turn(way_to(a, b, t), result), 1)) {
        slerp3_rest(a, b, t, true, result);
    }
}

#if TL_PUBLIC
void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    TL_CALL(slerp3, a, b, t, result);
}

void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    TL_CALL(slerp3_unclamped, a, b, t, result);
}
#endif
