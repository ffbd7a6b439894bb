#include "dispatch.h"
#include "turn.h"

/* angle3: cross and dot product, root and quotient all carry their low parts along, so that what is
 * left is, in ulps of the angle,
 *   0.5   of the last sum
 *   0.2   of the arctangent beyond its first term: at most 0.058 of the quotient, off by 3.5 u of
 *         itself (0.16 where it is added to a multiple of pi/4)
 *   0.05  of the low part's factor 1 - z, for 1 / (1 + z)
 *   0.02  of the arctangent's polynomial
 * and the products' own low parts: those of n are off by 2^-102 |a| |b| or less, while |n| is at
 * least 2^-41 |a| |b| where the fast path answers. Together less than 0.8 ulps.
 *
 * rotate_toward3: with n = a x b, F = cos(phi) a + sin(phi) (n x a) / |n|. In units of u |a|,
 *   n     2 of each component. The part along n cancels; the part across turns the plane: 2
 * sin(phi) m     m = n x a: a product and an fma, in any direction: 2 sin(phi) sum   1 of the
 * middle fma times cos(phi), 1 of the last one; sine and cosine 0.7, or 0.8 and an angle off by 8 u
 * where whole turns are taken off while |n| and its root carry their low parts along. The greatest
 * sum of roundings times derivatives, found numerically, is 3.0 in the direction of the result, at
 * phi = pi/2: so its length is within 4 u |a|, however large phi is. In any direction it is 2.3 (1
 * + |phi|). */

TL_VARIANTS(angle3, double, (const double[3], const double[3]));
TL_VARIANTS(rotate_toward3, void, (const double[3], const double[3], double, double[3]));

/* high + low again, but low may be anything small beside what matters, and overlap high. */

/* a b - c d, off by 2 u^2 (|a b| + |c d|) and a little. */
static inline tl_dd loose_minor(double a, double b, double c, double d)
{
    tl_dd first = tl_two_product(a, b);
    tl_dd second = tl_two_product(c, d);
    tl_dd difference = tl_two_difference(first.high, second.high);
    return (tl_dd){difference.high, difference.low + (first.low - second.low)};
}

/* x + y + z, off by a few u times the low parts. */
static inline tl_dd loose_sum(tl_dd x, tl_dd y, tl_dd z)
{
    tl_dd sum = tl_two_sum(x.high, y.high);
    tl_dd all = tl_two_sum(sum.high, z.high);
    return (tl_dd){all.high, ((x.low + y.low) + z.low) + (sum.low + all.low)};
}

static inline tl_dd loose_dot(const double *p, const double *q)
{
    return loose_sum(tl_two_product(p[0], q[0]), tl_two_product(p[1], q[1]),
                     tl_two_product(p[2], q[2]));
}

/* x^2, all terms but its roundings. */
static inline tl_dd loose_square(tl_dd x)
{
    tl_dd square = tl_two_product(x.high, x.high);
    return (tl_dd){square.high, fma(x.low, fma(2, x.high, x.low), square.low)};
}

static inline tl_dd squared_length(const tl_dd *n)
{
    tl_dd sum = loose_sum(loose_square(n[0]), loose_square(n[1]), loose_square(n[2]));
    return tl_fast_two_sum(sum.high, sum.low);
}

static inline tl_dd root_of(tl_dd square)
{
    double root = sqrt(square.high);
    return (tl_dd){root, (fma(-root, root, square.high) + square.low) * (0.5 / root)};
}

/* x / y, rounded once and a little more. */
static double quotient(tl_dd x, tl_dd y)
{
    double q = x.high / y.high;
    return q + (fma(-q, y.high, x.high) + fma(-q, y.low, x.low)) / y.high;
}

/* atan2(sine, cosine) for sine >= 0, both of which may be loose by as much as their roundings. */
static inline __attribute__((always_inline)) double angle_between(tl_dd sine, tl_dd cosine)
{
    const tl_octant *octant = tl_nearest_octant(sine.high * sine.high, cosine.high);
    double x = octant->x;
    double y = octant->y;
    tl_dd cross = tl_two_difference(x * sine.high, y * cosine.high);
    tl_dd dot = tl_two_sum(y * sine.high, x * cosine.high);
    double cross_low = cross.low + fma(x, sine.low, -(y * cosine.low));
    double dot_low = dot.low + fma(y, sine.low, x * cosine.low);
    double inverse = 1 / dot.high;
    double q = cross.high * inverse;
    double rest = fma(-q, dot.high, cross.high);
    double q_low = fma(-q, dot_low, rest + cross_low) * inverse;
    double z = q * q;
    double beyond = fma(q * z, tl_arctangent_series(z), fma(-z, q_low, q_low));
    tl_dd angle = tl_fast_two_sum(octant->angle.high, q);
    return angle.high + (angle.low + (octant->angle.low + beyond));
}

/* a b - c d of numbers between 2^-120 and 2^2 in size, within 4 u^2 of itself. Where the difference
 * of the products' high parts is inexact, it is no less than a third of either. Else three parts
 * remain: that difference, and the sum of the low parts, s + s.low, both of which are multiples of
 * the last bit of s; so what cancels between these two leaves 0 or at least twice s.low. */
static tl_dd exact_minor(double a, double b, double c, double d)
{
    tl_dd first = tl_two_product(a, b);
    tl_dd second = tl_two_product(c, d);
    tl_dd difference = tl_two_difference(first.high, second.high);
    tl_dd low = tl_two_difference(first.low, second.low);
    tl_dd sum = tl_two_sum(difference.high, low.high);
    return tl_two_sum(sum.high, (sum.low + difference.low) + low.low);
}

/* (high + low) 2^exponent; high is 0 or between 1 and 2 in size */
typedef struct scaled_dd {
    tl_dd part;
    int exponent;
} scaled_dd;

static scaled_dd scale_dd(tl_dd x, int exponent)
{
    tl_scaled high = tl_scale(x.high, 0);
    tl_dd part = {high.fraction, 0};
    if (high.fraction != 0) {
        part.low = x.low * tl_unscale((tl_scaled){1, -high.exponent});
    }
    return (scaled_dd){part, high.exponent + exponent};
}

/* a b - c d of any doubles, within 4 u^2 of itself, and 0 only if it is 0. */
static scaled_dd scaled_exact_minor(double a, double b, double c, double d)
{
    tl_scaled fa = tl_scale(a, 0), fb = tl_scale(b, 0), fc = tl_scale(c, 0), fd = tl_scale(d, 0);
    int first = fa.exponent + fb.exponent;
    int second = fc.exponent + fd.exponent;
    bool no_first = fa.fraction * fb.fraction == 0;
    bool no_second = fc.fraction * fd.fraction == 0;
    if (no_second || (!no_first && first - second > 110)) {
        return scale_dd(tl_two_product(fa.fraction, fb.fraction), first);
    }
    if (no_first || second - first > 110) {
        return scale_dd(tl_two_product(-fc.fraction, fd.fraction), second);
    }
    double aligned = fa.fraction * tl_unscale((tl_scaled){1, first - second});
    return scale_dd(exact_minor(aligned, fb.fraction, fc.fraction, fd.fraction), second);
}

/* n 2^(the returned exponent) = a x b, the largest component between 1 and 2 in size; INT_MIN if it
 * is 0. */
static int scaled_exact_cross(const double *a, const double *b, tl_dd *n)
{
    scaled_dd parts[3];
    int exponent = INT_MIN;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        parts[k] = scaled_exact_minor(a[i], b[j], a[j], b[i]);
        if (parts[k].part.high != 0 && parts[k].exponent > exponent) {
            exponent = parts[k].exponent;
        }
    }
    for (int k = 0; k < 3; k++) {
        n[k] = (tl_dd){0, 0};
        if (parts[k].part.high != 0) {
            double scale = tl_unscale((tl_scaled){1, parts[k].exponent - exponent});
            n[k] = (tl_dd){parts[k].part.high * scale, parts[k].part.low * scale};
        }
    }
    return exponent;
}

/* The order of the special cases, then any length and any angle. An angle below 2^-60 is its
 * tangent. */
static double __attribute__((noinline)) angle3_rest(const double *a, const double *b)
{
    if (!tl_all_finite(a, 3) || !tl_all_finite(b, 3)) {
        return NAN;
    }
    if (tl_all_zero(a, 3) || tl_all_zero(b, 3)) {
        return 0;
    }
    double unit_a[3], unit_b[3];
    tl_dd n[3];
    int exponent = -tl_normalise_plain(a, 3, unit_a) - tl_normalise_plain(b, 3, unit_b);
    int cross_exponent = scaled_exact_cross(a, b, n);
    tl_dd cosine = loose_dot(unit_a, unit_b);
    if (cross_exponent == INT_MIN) {
        return cosine.high < 0 ? TL_PI.high : 0;
    }
    exponent += cross_exponent;
    tl_dd sine = root_of(squared_length(n));
    if (exponent < -60 && cosine.high > 0) {
        return tl_unscale(tl_scale(quotient(sine, cosine), exponent));
    }
    double scale = tl_unscale((tl_scaled){1, exponent});
    return angle_between((tl_dd){sine.high * scale, sine.low * scale}, cosine);
}

double TL_KERNEL(angle3)(const double a[3], const double b[3])
{
    tl_dd n[3] = {loose_minor(a[1], b[2], a[2], b[1]), loose_minor(a[2], b[0], a[0], b[2]),
                  loose_minor(a[0], b[1], a[1], b[0])};
    tl_dd cosine = loose_dot(a, b);
    tl_dd square = squared_length(n);
    bool ordinary = tl_is_within(square.high, 0x1p-700, 0x1p700) &&
                    square.high > 0x1p-80 * (cosine.high * cosine.high);
    if (!__builtin_expect(ordinary, 1)) {
        return angle3_rest(a, b);
    }
    return angle_between(root_of(square), cosine);
}

/* From here on the bound of rotate_toward3 is 8 |a| or more, and doubles are as far apart as turns
 * are long: any angle is within it, and 0 is taken. */
static const double any_angle = 0x1p53;

/* 1 / sqrt(nn) */
static inline tl_dd over_root_of(tl_dd nn)
{
    tl_dd y = tl_over_root((tl_dd){1, 0}, nn.high, sqrt(nn.high));
    return (tl_dd){y.high, fma(-0.5 * nn.low * (y.high * y.high), y.high, y.low)};
}

/* a turned by phi in the plane to which n is normal, nn being |n|^2. */
static inline __attribute__((always_inline)) void turn(const double *a, const double *n, tl_dd nn,
                                                       tl_dd phi, double *result)
{
    tl_sine_cosine parts = tl_sine_cosine_of(phi);
    tl_combine3(parts.cosine, a, tl_times(over_root_of(nn), parts.sine), n, result);
}

/* The order of the special cases, then any lengths and any angle. */
static void __attribute__((noinline))
rotate_toward3_rest(const double *a, const double *b, double phi, double *result)
{
    if (!tl_all_finite(a, 3) || !tl_all_finite(b, 3) || !tl_is_finite(phi)) {
        result[0] = result[1] = result[2] = NAN;
        return;
    }
    if (tl_all_zero(a, 3)) {
        result[0] = result[1] = result[2] = 0;
        return;
    }
    if (phi == 0 || fabs(phi) >= any_angle) {
        memmove(result, a, 3 * sizeof *a);
        return;
    }
    double unit[3], n[3], turned[3];
    tl_scaled minors[3];
    int exponent = tl_normalise_plain(a, 3, unit);
    if (tl_scaled_cross(a, b, minors)) {
        tl_normalise(minors, 3, n);
    } else {
        tl_set_normal_of_opposite(a, unit, n);
    }
    turn(unit, n, loose_dot(n, n), tl_less_turns((tl_dd){phi, 0}), turned);
    for (int k = 0; k < 3; k++) {
        result[k] = tl_unscale(tl_scale(turned[k], exponent));
    }
}

void TL_KERNEL(rotate_toward3)(const double a[3], const double b[3], double phi, double result[3])
{
    double n[3];
    tl_cross(a, b, n);
    tl_dd nn = loose_dot(n, n);
    bool ordinary = tl_is_within(tl_dot3(a, a), 0x1p-300, 0x1p300) &&
                    tl_is_within(nn.high, 0x1p-700, 0x1p700) && fabs(phi) < any_angle;
    if (__builtin_expect(ordinary, 1)) {
        turn(a, n, nn, fabs(phi) < 4 ? (tl_dd){phi, 0} : tl_less_turns((tl_dd){phi, 0}), result);
    } else {
        rotate_toward3_rest(a, b, phi, result);
    }
}

#if TL_PUBLIC
double tl_angle3(const double a[3], const double b[3])
{
    return TL_CALL(angle3, a, b);
}

void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    TL_CALL(rotate_toward3, a, b, phi, result);
}
#endif
