#include "dispatch.h"
#include "turn.h"

#include <float.h>

TL_VARIANTS(slerp3, void, (const double[3], const double[3], double, double[3]));
TL_VARIANTS(slerp3_unclamped, void, (const double[3], const double[3], double, double[3]));
TL_VARIANTS(slerp4, void, (const double[4], const double[4], double, double[4]));

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
 * The largest known error of both functions is 6.0848 u |F|, for the input in truelerp.h. */

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

/* F for ordinary lengths; false if it is not for this function. In the ranges tested, no product
 * overflows, and those that underflow do not show: n has an absolute error of 2^-1074 beside a
 * length of 2^-350, m one beside 2^-500, the result beside 2^-150.
 * Divisions and roots come early, because they take longest. */
static inline __attribute__((always_inline)) bool turn(way taken, double result[3])
{
    const double *p = taken.from;
    const double *q = taken.to;
    double n[3];
    tl_cross(p, q, n);
    double nn = tl_dot3(n, n);
    double pp = tl_dot3(p, p);
    double qq = tl_dot3(q, q);
    bool ordinary = tl_is_within(pp, 0x1p-300, 0x1p300) && tl_is_within(qq, 0x1p-300, 0x1p300) &&
                    tl_is_within(nn, 0x1p-700, 0x1p700);
    if (!ordinary) {
        return false;
    }
    double length = sqrt(nn);
    tl_dd ratio = length_ratio(pp, qq);
    tl_angle theta = tl_angle_of(length, nn, tl_dot3(p, q));
    tl_dd gain = gain_of(taken.t, taken.rest, ratio);
    tl_dd scale = tl_over_root(gain, nn, length);
    tl_sine_cosine phi = tl_sine_cosine_of(tl_angle_times(theta, taken.t));
    tl_combine3(tl_times(gain, phi.cosine), p, tl_times(scale, phi.sine), n, result);
    return true;
}

/* Everything below is for what the fast path leaves: the same formula on vectors and minors that
 * have exponents of their own, and the cases that the contract decides exactly. */

/* The way from one end to the other again, with an n such that n x from points along the turn. */
typedef struct scaled_way {
    double from[3];
    double to[3];
    int from_exponent;
    int to_exponent;
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

/* far_exponent is that of |to| / |from| beside the ratio. */
static scaled_gain scaled_gain_of(double t, double rest, tl_dd ratio, int far_exponent)
{
    tl_scaled left = tl_scale(rest, 0);
    tl_scaled share = tl_scale(t, far_exponent);
    int exponent = share.exponent;
    if (left.fraction != 0 && left.exponent > exponent) {
        exponent = left.exponent;
    }
    left.exponent -= exponent;
    share.exponent -= exponent;
    return (scaled_gain){gain_of(tl_unscale(share), tl_unscale(left), ratio), exponent};
}

/* D = 2 u (|1-t| |a| + |t| |b|) (1 + pi |t|) in units of |from|: a quarter of the bound for t
 * outside 0 .. 1. An infinity must have F's sign. A component that overflows and does not exceed D
 * needs |t| > 2^24, where errors are those of theta and at most 0.9 D. So components above D have
 * F's sign, and those below, none of which is farther from F than D + 0.9 D, may be any doubles up
 * to their size: sqrt(3) D + 0.9 D is less than 4 D. */
static tl_scaled doubt_of(const scaled_way *taken, double ratio)
{
    tl_scaled t = tl_scale(fabs(taken->t), 0);
    tl_scaled far = tl_scale(ratio, taken->to_exponent - taken->from_exponent);
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
    const double *p = taken->from;
    double t = taken->t;
    double pp = tl_dot3(p, p);
    double nn = tl_dot3(taken->n, taken->n);
    bool lost = fabs(t) >= any_angle;
    int far_exponent = taken->to_exponent - taken->from_exponent;
    tl_dd ratio = length_ratio(pp, tl_dot3(taken->to, taken->to));
    scaled_gain g = scaled_gain_of(t, taken->rest, ratio, far_exponent);
    tl_dd scale = tl_over_root(g.gain, nn, sqrt(nn));
    tl_dd angle = tl_less_turns(tl_angle_times(taken->theta, lost ? 0 : t));
    tl_sine_cosine phi = tl_sine_cosine_of(angle);
    double turned[3];
    tl_combine3(tl_times(g.gain, phi.cosine), p, tl_times(scale, phi.sine), taken->n, turned);
    tl_scaled doubt = tl_scaled_multiply(doubt_of(taken, ratio.high), tl_scale(sqrt(pp), 0));
    for (int k = 0; k < 3; k++) {
        tl_scaled component = tl_scale(turned[k], g.exponent);
        result[k] = tl_unscale(tl_scale(turned[k], g.exponent + taken->from_exponent));
        if (isinf(result[k]) && (lost || !exceeds(component, doubt))) {
            result[k] = copysign(DBL_MAX, turned[k]);
        }
    }
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
    if (tl_all_zero(a, 3) || tl_all_zero(b, 3) || are_equal(a, b)) {
        lerp_components(a, b, t, result);
        return;
    }
    const double *p = taken.from;
    const double *q = taken.to;
    tl_scaled n[3];
    bool parallel = !tl_scaled_cross(p, q, n);
    if (parallel && point_the_same_way(a, b)) {
        lerp_components(a, b, t, result);
        return;
    }
    scaled_way turn = {.t = taken.t, .rest = taken.rest, .theta = {TL_PI, 0}};
    turn.from_exponent = tl_normalise_plain(p, 3, turn.from);
    turn.to_exponent = tl_normalise_plain(q, 3, turn.to);
    if (parallel) {
        tl_set_normal_of_opposite(p, turn.from, turn.n);
    } else {
        int exponent = tl_normalise(n, 3, turn.n);
        tl_scaled unit = {1, exponent - turn.from_exponent - turn.to_exponent};
        double length = sqrt(tl_dot3(turn.n, turn.n)) * tl_unscale(unit);
        turn.theta = tl_angle_of(length, length * length, tl_dot3(turn.from, turn.to));
    }
    turn_scaled(&turn, result);
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
    } else if (!tl_is_finite(t) || !tl_all_finite(a, 3) || !tl_all_finite(b, 3)) {
        set_all(result, NAN, NAN, NAN);
    } else {
        slerp3_scaled(a, b, t, way_to(a, b, t), result);
    }
}

void TL_KERNEL(slerp3)(const double a[3], const double b[3], double t, double result[3])
{
    bool between = tl_is_within(t, 0x1p-1074, 1);
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

/* In the plane of p and q in R^4, with n the six minors n_ij = p_i q_j - p_j q_i,
 *
 *     m = |p|^2 q - (p . q) p,    m_i = sum over j of p_j n_ji,    |m| = |n| |p|
 *
 * is orthogonal to p and points towards q, so F is what it is above, with theta from 0 to pi/2 and
 * t theta at most pi/4. Where q is to be -q, both n and p . q change their signs: if p is the
 * nearer end, m does too, else the end itself.
 *
 * Error, in units of u |F|, from the roundings that are not made up for:
 *   n      2 of each component, as above: 2 sin(t theta)
 *   m      a product and two fmas, 1 each, in any direction: 3 sin(t theta)
 *   gain   0.5 and 3.5 as above
 *   |n|    4 of its square, halved by the root: 2 sin^2(t theta) in F's direction, and 2 sin cos
 *          along the arc
 *   theta  (3 |p| |q| of p . q) sin(theta) and (4.5 of |n|) sin(2 theta) / 2, and 1.75: t times
 *          that along the arc
 *   sum    2 and less than 0.2 as above
 * The greatest sum of roundings times derivatives, found as above, is 7.75: at t = 1/2 between all
 * but orthogonal quaternions, the nearer one much the shorter. So K = 8 holds. */

static inline __attribute__((always_inline)) double dot4(const double *p, const double *q)
{
    return fma(p[0], q[0], p[1] * q[1]) + fma(p[2], q[2], p[3] * q[3]);
}

static inline double squared_length6(const double *n)
{
    return fma(n[0], n[0], n[1] * n[1]) + fma(n[2], n[2], n[3] * n[3]) +
           fma(n[4], n[4], n[5] * n[5]);
}

/* a p + b m */
static inline __attribute__((always_inline)) void combine4(tl_dd a, const double *p, tl_dd b,
                                                           const double *n, double *result)
{
    double m[4] = {fma(-p[1], n[0], fma(-p[2], n[1], -(p[3] * n[2]))),
                   fma(p[0], n[0], fma(-p[2], n[3], -(p[3] * n[4]))),
                   fma(p[0], n[1], fma(p[1], n[3], -(p[3] * n[5]))),
                   fma(p[0], n[2], fma(p[1], n[4], p[2] * n[5]))};
    double r0 = fma(b.high, m[0], fma(a.high, p[0], fma(a.low, p[0], b.low * m[0])));
    double r1 = fma(b.high, m[1], fma(a.high, p[1], fma(a.low, p[1], b.low * m[1])));
    double r2 = fma(b.high, m[2], fma(a.high, p[2], fma(a.low, p[2], b.low * m[2])));
    double r3 = fma(b.high, m[3], fma(a.high, p[3], fma(a.low, p[3], b.low * m[3])));
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
    result[3] = r3;
}

/* p . q < 0, decided exactly. */
static bool __attribute__((noinline)) are_more_opposite(const double *p, const double *q)
{
    tl_accumulator sum = tl_accumulator_zero();
    for (int k = 0; k < 4; k++) {
        tl_accumulate(&sum, p[k], q[k]);
    }
    return tl_accumulator_sign(&sum) < 0;
}

static inline tl_dd change_sign_if(bool change, tl_dd x)
{
    double sign = change ? -1 : 1;
    return (tl_dd){sign * x.high, sign * x.low};
}

/* F for ordinary lengths; false if it is not for this function. The ranges are those of turn(). The
 * dot product is off by 3 u |p| |q| at most; where it exceeds 8 u |p| |q|, its sign is certain. */
static inline __attribute__((always_inline)) bool turn4(const double *first, const double *second,
                                                        double t, double result[4])
{
    way taken = way_from_nearer(first, second, t);
    const double *p = taken.from;
    const double *q = taken.to;
    double n[6] = {tl_minor(p[0], q[1], p[1], q[0]), tl_minor(p[0], q[2], p[2], q[0]),
                   tl_minor(p[0], q[3], p[3], q[0]), tl_minor(p[1], q[2], p[2], q[1]),
                   tl_minor(p[1], q[3], p[3], q[1]), tl_minor(p[2], q[3], p[3], q[2])};
    double nn = squared_length6(n);
    double pp = dot4(p, p);
    double qq = dot4(q, q);
    bool ordinary = tl_is_within(pp, 0x1p-300, 0x1p300) && tl_is_within(qq, 0x1p-300, 0x1p300) &&
                    tl_is_within(nn, 0x1p-700, 0x1p700);
    if (!ordinary) {
        return false;
    }
    double length = sqrt(nn);
    tl_dd ratio = length_ratio(pp, qq);
    double cosine = dot4(p, q);
    bool opposite = cosine < 0;
    if (__builtin_expect(cosine * cosine < 0x1p-100 * pp * qq, 0)) {
        opposite = are_more_opposite(p, q);
    }
    tl_angle theta = tl_angle_of(length, nn, fabs(cosine));
    tl_dd gain = gain_of(taken.t, taken.rest, ratio);
    tl_dd scale = tl_over_root(gain, nn, length);
    tl_dd angle = tl_angle_times(theta, taken.t);
    tl_sine_cosine phi = tl_sine_cosine_near_0(angle.high, angle.low);
    bool from_second = p == second;
    combine4(change_sign_if(opposite && from_second, tl_times(gain, phi.cosine)), p,
             change_sign_if(opposite && !from_second, tl_times(scale, phi.sine)), n, result);
    return true;
}

static void lerp_components4(const double *p, const double *q, double t, double *result)
{
    for (int k = 0; k < 4; k++) {
        result[k] = TL_KERNEL(lerp)(p[k], q[k], t);
    }
}

/* Of finite arguments with p . q >= 0. */
static void slerp4_scaled(const double *p, const double *q, double t, double *result)
{
    way taken = way_from_nearer(p, q, t);
    double from[4], to[4], n[6], turned[4];
    tl_scaled minors[6];
    for (int i = 0, k = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++, k++) {
            minors[k] = tl_scaled_minor(taken.from[i], taken.to[j], taken.from[j], taken.to[i]);
        }
    }
    int exponent = tl_normalise(minors, 6, n);
    if (exponent == INT_MIN) { /* a vector is 0, or both are of one direction */
        lerp_components4(p, q, t, result);
        return;
    }
    int from_exponent = tl_normalise_plain(taken.from, 4, from);
    int to_exponent = tl_normalise_plain(taken.to, 4, to);
    double nn = squared_length6(n);
    double sine = sqrt(nn) * tl_unscale((tl_scaled){1, exponent - from_exponent - to_exponent});
    tl_angle theta = tl_angle_of(sine, sine * sine, dot4(from, to));
    tl_dd ratio = length_ratio(dot4(from, from), dot4(to, to));
    scaled_gain g = scaled_gain_of(taken.t, taken.rest, ratio, to_exponent - from_exponent);
    tl_dd scale = tl_over_root(g.gain, nn, sqrt(nn));
    tl_sine_cosine phi = tl_sine_cosine_of(tl_angle_times(theta, taken.t));
    combine4(tl_times(g.gain, phi.cosine), from, tl_times(scale, phi.sine), n, turned);
    for (int k = 0; k < 4; k++) {
        result[k] = tl_unscale(tl_scale(turned[k], g.exponent + from_exponent));
    }
}

static void set_all4(double *result, const double *from, double factor)
{
    double r0 = factor * from[0], r1 = factor * from[1], r2 = factor * from[2];
    double r3 = factor * from[3];
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
    result[3] = r3;
}

/* The order of the special cases. */
static void __attribute__((noinline))
slerp4_rest(const double *p, const double *q, double t, double *result)
{
    static const double not_a_number[4] = {NAN, NAN, NAN, NAN};
    bool finite = tl_all_finite(p, 4) && tl_all_finite(q, 4);
    bool opposite = finite && are_more_opposite(p, q);
    if (t <= 0) {
        set_all4(result, p, 1);
    } else if (t >= 1) {
        set_all4(result, q, opposite ? -1 : 1);
    } else if (t != t || !finite) {
        set_all4(result, not_a_number, 1);
    } else {
        double nearer[4];
        set_all4(nearer, q, opposite ? -1 : 1);
        slerp4_scaled(p, nearer, t, result);
    }
}

void TL_KERNEL(slerp4)(const double p[4], const double q[4], double t, double result[4])
{
    bool between = tl_is_within(t, 0x1p-1074, 1);
    if (!__builtin_expect(between && turn4(p, q, t, result), 1)) {
        slerp4_rest(p, q, t, result);
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

void tl_slerp4(const double p[4], const double q[4], double t, double result[4])
{
    TL_CALL(slerp4, p, q, t, result);
}
#endif
