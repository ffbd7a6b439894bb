#include "dispatch.h"
#include "scaled.h"
#include "trig.h"

#include <float.h>
#include <limits.h>

TL_VARIANTS(slerp3, void, (const double[3], const double[3], double, double[3]));
TL_VARIANTS(slerp3_unclamped, void, (const double[3], const double[3], double, double[3]));

/* Of lerp.c. */
double TL_KERNEL(lerp)(double a, double b, double t);

/* The way to b as seen from a: t of it is done and rest = 1 - t left. Or from b to a. */
typedef struct way {
    const double *from;
    const double *to;
    double t;
    double rest;
} way;

/* From the nearer end, for t in 0 .. 1: so t theta is at most pi/2, and t and 1 - t trade places
 * without an error, as 1 - t is exact from 1/2 on. */
static inline way way_from_nearer(const double *a, const double *b, double t)
{
    const double *const ends[3] = {a, b, a};
    int far = t > 0.5;
    double left = 1 - t;
    double near = t < left ? t : left;
    return (way){ends[far], ends[far + 1], near, 1 - near};
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

/* gain (cos p + sin m / |n|) */
static inline void combine(const double *p, const double *m, tl_dd cosine, tl_dd sine, tl_dd gain,
                           tl_dd scale, double *result)
{
    double a = gain.high * cosine.high;
    double a_low =
        fma(gain.high, cosine.low, fma(gain.low, cosine.high, fma(gain.high, cosine.high, -a)));
    double b = scale.high * sine.high;
    double b_low =
        fma(scale.high, sine.low, fma(scale.low, sine.high, fma(scale.high, sine.high, -b)));
    double r0 = fma(b, m[0], fma(a, p[0], fma(a_low, p[0], b_low * m[0])));
    double r1 = fma(b, m[1], fma(a, p[1], fma(a_low, p[1], b_low * m[1])));
    double r2 = fma(b, m[2], fma(a, p[2], fma(a_low, p[2], b_low * m[2])));
    result[0] = r0;
    result[1] = r1;
    result[2] = r2;
}

static inline __attribute__((always_inline)) bool turn(way taken, double result[3])
{
    const double *p = taken.from, *q = taken.to;
    double n[3] = {minor(p[1], q[2], p[2], q[1]), minor(p[2], q[0], p[0], q[2]),
                   minor(p[0], q[1], p[1], q[0])};
    double nn = dot(n, n);
    double pp = dot(p, p);
    double qq = dot(q, q);
    const uint64_t low = (uint64_t)(1023 - 300) << 52, range = (uint64_t)600 << 52,
                   nlow = (uint64_t)(1023 - 700) << 52;
    if (!((tl_to_bits(pp) - low < range) & (tl_to_bits(qq) - low < range) &
          (tl_to_bits(nn) > nlow))) {
        return false;
    }
    double length_n = sqrt(nn);
    tl_angle theta = tl_angle_of(length_n, nn, dot(p, q));
    tl_sine_cosine phi = tl_sine_cosine_of(tl_angle_times(theta, taken.t));
    double m[3] = {fma(n[1], p[2], -(n[2] * p[1])), fma(n[2], p[0], -(n[0] * p[2])),
                   fma(n[0], p[1], -(n[1] * p[0]))};
    double ratio = sqrt(qq / pp);
    double gain = fma(taken.t, ratio, taken.rest);
    double gain_low = fma(taken.t, ratio, -gain) + taken.rest;
    double y = 1 / length_n;
    double h = nn * y, hl = fma(nn, y, -h), e = fma(-hl, y, fma(-h, y, 1));
    double scale = gain * y;
    double scale_low = fma(gain_low, y, fma(0.5 * e, scale, fma(gain, y, -scale)));
    combine(p, m, phi.cosine, phi.sine, (tl_dd){gain, gain_low}, (tl_dd){scale, scale_low}, result);
    return true;
}

/* Everything below is for what the fast path leaves. */

/* a b - c d of any doubles, within 2 u of itself, and 0 only if it is 0: on fractions between 1 and
 * 2 in size, nothing underflows in minor(); where one product exceeds the other 2^110 times, the
 * other is less than the error. */
static tl_scaled scaled_minor(double a, double b, double c, double d)
{
    tl_scaled fa = tl_scale(a, 0), fb = tl_scale(b, 0), fc = tl_scale(c, 0), fd = tl_scale(d, 0);
    int first = fa.exponent + fb.exponent;
    int second = fc.exponent + fd.exponent;
    if (fc.fraction * fd.fraction == 0 || first - second > 110) {
        if (fa.fraction * fb.fraction != 0) {
            return tl_scale(fa.fraction * fb.fraction, first);
        }
        return tl_scale(-(fc.fraction * fd.fraction), second);
    }
    if (fa.fraction * fb.fraction == 0 || second - first > 110) {
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

static bool is_zero(const double *x)
{
    return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

/* Do parallel vectors that are not 0 point the same way? */
static bool same_way(const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != 0) {
            return (a[k] > 0) == (b[k] > 0);
        }
    }
    return true;
}

/* a normal n such that (n x a)/(|n| |a|) is the unit vector of the axis on which a's component is
 * smallest, made orthogonal to a: n = a x that axis. */
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

/* rest + t |q|/|p| = (high + low) 2^exponent, for a ratio of squares of |q| and |p| that comes
 * with twice its exponent. */
typedef struct gain {
    tl_dd value;
    int exponent;
} gain;

static gain gain_of(double t, double rest, double ratio, int exponent)
{
    tl_scaled share = tl_scaled_multiply(tl_scale(t, 0), tl_scale(ratio, exponent));
    tl_scaled left = tl_scale(rest, 0);
    tl_scaled size = tl_scale(t, exponent);
    gain g;
    g.exponent = left.fraction == 0 || (share.fraction != 0 && share.exponent > left.exponent)
                     ? share.exponent
                     : left.exponent;
    double base = tl_unscale((tl_scaled){left.fraction, left.exponent - g.exponent});
    double factor = tl_unscale((tl_scaled){size.fraction, size.exponent - g.exponent});
    g.value.high = fma(factor, ratio, base);
    g.value.low = fma(factor, ratio, base - g.value.high);
    return g;
}

static bool exceeds(tl_scaled x, tl_scaled limit)
{
    return x.exponent > limit.exponent ||
           (x.exponent == limit.exponent && fabs(x.fraction) > limit.fraction);
}

/* Half of the bound, 4 u (|1-t| |a| + |t| |b|) (1 + pi |t|), for t outside 0 .. 1. An infinity must
 * have F's sign. A component beyond the largest double and above this has it, as the error is less;
 * below this, the largest double is as near to F as needed, whatever its sign. 0 for other t: there
 * an error is far below the largest double. */
static tl_scaled doubt_of(double t, double rest, tl_scaled ratio, const scaled_vector *p)
{
    if (t >= 0 && rest >= 0) {
        return (tl_scaled){0, INT_MIN};
    }
    tl_scaled size = tl_scaled_fma(tl_scale(fabs(t), 0), ratio, tl_scale(fabs(rest), 0));
    tl_scaled turns =
        tl_scaled_fma(tl_scale(fabs(t), 0), tl_scale(TL_PI.high, 0), (tl_scaled){1, 0});
    tl_scaled unit = tl_scale(4 * 0x1p-53 * sqrt(dot(p->c, p->c)), p->exponent);
    return tl_scaled_multiply(tl_scaled_multiply(size, turns), unit);
}

/* The fast path's formula on vectors of length about 1 and a normal of its own. */
static void turn_scaled(const scaled_vector *p, const scaled_vector *q, const double *n,
                        tl_angle theta, double t, double rest, double *result)
{
    double m[3] = {minor(n[1], p->c[2], n[2], p->c[1]), minor(n[2], p->c[0], n[0], p->c[2]),
                   minor(n[0], p->c[1], n[1], p->c[0])};
    double nn = dot(n, n);
    double length_n = sqrt(nn);
    /* Beyond 2^50 the bound allows any direction. */
    bool lost = !(fabs(t) < 0x1p50);
    tl_sine_cosine phi = tl_sine_cosine_of(lost ? (tl_dd){0, 0} : tl_angle_times(theta, t));
    double ratio = sqrt(dot(q->c, q->c) / dot(p->c, p->c));
    gain g = gain_of(t, rest, ratio, q->exponent - p->exponent);
    double y = 1 / length_n;
    double h = nn * y, h_low = fma(nn, y, -h), e = fma(-h_low, y, fma(-h, y, 1));
    double scale = g.value.high * y;
    double scale_low = fma(g.value.low, y, fma(0.5 * e, scale, fma(g.value.high, y, -scale)));
    double turned[3];
    combine(p->c, m, phi.cosine, phi.sine, g.value, (tl_dd){scale, scale_low}, turned);
    tl_scaled doubt = doubt_of(t, rest, tl_scale(ratio, q->exponent - p->exponent), p);
    for (int k = 0; k < 3; k++) {
        tl_scaled component = tl_scale(turned[k], p->exponent + g.exponent);
        result[k] = tl_unscale(component);
        if (isinf(result[k]) && (lost || !exceeds(component, doubt))) {
            result[k] = copysign(DBL_MAX, turned[k]);
        }
    }
}

/* For finite arguments. */
static void slerp3_scaled(const double *a, const double *b, double t, double *result)
{
    scaled_vector p = normalise_plain(a), q = normalise_plain(b);
    tl_scaled minors[3] = {scaled_minor(a[1], b[2], a[2], b[1]),
                           scaled_minor(a[2], b[0], a[0], b[2]),
                           scaled_minor(a[0], b[1], a[1], b[0])};
    bool parallel = minors[0].fraction == 0 && minors[1].fraction == 0 && minors[2].fraction == 0;
    if (is_zero(a) || is_zero(b) || (parallel && same_way(a, b))) {
        double lerped[3];
        for (int k = 0; k < 3; k++) {
            lerped[k] = TL_KERNEL(lerp)(a[k], b[k], t);
        }
        memcpy(result, lerped, sizeof lerped);
        return;
    }
    if (parallel) {
        double n[3];
        set_normal_of_opposite(a, p.c, n);
        turn_scaled(&p, &q, n, (tl_angle){TL_PI, 0}, t, 1 - t, result);
        return;
    }
    scaled_vector n = normalise(minors);
    double length_n =
        tl_unscale((tl_scaled){1, n.exponent - p.exponent - q.exponent}) * sqrt(dot(n.c, n.c));
    tl_angle theta = tl_angle_of(length_n, length_n * length_n, dot(p.c, q.c));
    bool far = t > 0.5 && t < 1;
    if (far) {
        n.c[0] = -n.c[0];
        n.c[1] = -n.c[1];
        n.c[2] = -n.c[2];
    }
    turn_scaled(far ? &q : &p, far ? &p : &q, n.c, theta, far ? 1 - t : t, far ? t : 1 - t, result);
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

/* The order of the special cases; `unclamped` tells the two functions apart. */
static void __attribute__((noinline))
slerp3_rest(const double *a, const double *b, double t, bool unclamped, double *result)
{
    if (t != t || (unclamped && !tl_is_finite(t))) {
        set_all(result, NAN, NAN, NAN);
    } else if (unclamped ? t == 0 : t <= 0) {
        set_all(result, a[0], a[1], a[2]);
    } else if (unclamped ? t == 1 : t >= 1) {
        set_all(result, b[0], b[1], b[2]);
    } else if (!all_finite(a, b)) {
        set_all(result, NAN, NAN, NAN);
    } else {
        slerp3_scaled(a, b, t, result);
    }
}

void TL_KERNEL(slerp3)(const double a[3], const double b[3], double t, double result[3])
{
    bool inside = tl_to_bits(t) - 1 < tl_to_bits(1) - 1;
    if (!__builtin_expect(inside && turn(way_from_nearer(a, b, t), result), 1)) {
        slerp3_rest(a, b, t, false, result);
    }
}

void TL_KERNEL(slerp3_unclamped)(const double a[3], const double b[3], double t, double result[3])
{
    bool inside = tl_to_bits(t) - 1 < tl_to_bits(1) - 1;
    bool near = !inside && fabs(t) < 0x1p40 && t != 0 && t != 1;
    way taken = inside ? way_from_nearer(a, b, t) : (way){a, b, t, 1 - t};
    if (!__builtin_expect((inside || near) && turn(taken, result), 1)) {
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
