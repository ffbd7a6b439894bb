#include "hermite.h"

TL_VARIANTS(bezier, double, (const tl_key *, const tl_key *, double));
TL_VARIANTS(bezier_parameter, double, (const tl_key *, const tl_key *, double));

/* Of hermite.c: what a segment is while neither side is weighted. */
double TL_KERNEL(hermite)(const tl_key *k0, const tl_key *k1, double t);

/* The way to F: the share x of h that has passed; the root s of X(s) = x, counted from the nearer
 * end; F from s. x and the two coefficients of X are kept to some 100 bits, so that what X's slope
 * does to their errors does not show; the root itself is an ordinary double. All of it is
 * straight-line arithmetic for the usual segment, with the conditions tested at the end.
 *
 * A segment counted from its second end, with a negative h, has the same formulas again. So
 * everything below speaks of a near end and a far one; the near one is the end whose half of the
 * parameters, s <= 1/2, holds the root. */

/* One end of a segment. */
typedef struct side {
    double time;
    double value;
    double slope;
    tl_dd width; /* 3 w */
} side;

/* c1 s b^2 + c2 s^2 b + c3 s^3 = x with b = 1 - unit s. This is X(s) = x for a unit of 1, where
 * c1 = 3 w, c2 = 3 - 3 w of the far end and c3 = 1. No term is negative, so none of their relative
 * errors grows in the sum.
 * The same in powers of s, to working precision: c1 s + a2 s^2 + a3 s^3 = x. */
typedef struct cubic {
    tl_dd x, c1, c2;
    double c3, unit;
    double middle; /* c3 times 3 - c1 + c2 of a unit of 1, which is 4 X'(1/2) */
    double a2, a3;
} cubic;

/* A root s of a cubic and b = 1 - unit s. */
typedef struct root {
    double s, b;
} root;

static inline tl_dd width(double weight, bool weighted)
{
    tl_dd product = tl_two_product(3, weight);
    return weighted ? product : (tl_dd){1, 0};
}

static inline side out_side(const tl_key *key)
{
    bool weighted = key->weighted_mode & TL_WEIGHTED_OUT;
    return (side){key->time, key->value, key->out_tangent, width(key->out_weight, weighted)};
}

static inline side in_side(const tl_key *key)
{
    bool weighted = key->weighted_mode & TL_WEIGHTED_IN;
    return (side){key->time, key->value, key->in_tangent, width(key->in_weight, weighted)};
}

static inline tl_dd quotient(tl_dd a, tl_dd b, double reciprocal)
{
    double high = a.high * reciprocal;
    double rest = fma(-high, b.high, a.high) + fma(-high, b.low, a.low);
    return (tl_dd){high, rest * reciprocal};
}

static inline cubic unit_cubic(tl_dd near_width, tl_dd far_width, tl_dd x)
{
    tl_dd c2 = tl_fast_two_sum(3, -far_width.high);
    c2 = tl_fast_two_sum(c2.high, c2.low - far_width.low);
    double c1 = near_width.high;
    double middle = ((3 - c1) - near_width.low) + c2.high;
    return (cubic){x, near_width, c2, 1, 1, middle, fma(-2, c1, c2.high), 4 - middle};
}

/* The root for a unit of 1, to 2^-13 of itself for weights in [0.1, 0.9] and less well elsewhere:
 * Householder's step of third order from a guess n / d, written without that division.
 *
 * The root as a function of x is 0 with a slope of 1 / c1 at 0, and 1/2 with a slope of 4 / middle
 * at X(1/2). The guess is the quotient of two quadratics that has these values and slopes (Gregory
 * and Delbourgo 1982), only that a slope is lowered away from its end: a great one does not last.
 */
static inline double approximate(const cubic *f, double x8)
{
    double c1 = f->c1.high, c2 = f->c2.high;
    double half8 = 1 + c1 + c2, rest8 = half8 - x8;
    double begin = fma(0.25 * c2, x8, 4 * c1), end = fma(0.0625 * c1, rest8, f->middle);
    double n = 0.5 * end * x8 * fma(begin, x8, half8 * rest8);
    double cross = half8 * (end + begin) * (x8 * rest8);
    double d = fma(begin * end, fma(x8, x8, rest8 * rest8), cross);

    double d2 = d * d, a1 = c1 * d2, a2 = f->a2 * d;
    double half_bend = fma(3 * f->a3, n, a2);
    double slope = fma(n, a2 + half_bend, a1);
    double excess = fma(n, fma(n, fma(f->a3, n, a2), a1), -f->x.high * (d2 * d));
    double square = slope * slope, product = excess * half_bend;
    double divisor = fma(slope, fma(-2, product, square), excess * excess * f->a3);
    return fma(n, divisor, -excess * (square - product)) / (d * divisor);
}

/* The same step from s. */
static inline double improve(const cubic *f, double s)
{
    double half_bend = fma(3 * f->a3, s, f->a2);
    double slope = fma(s, f->a2 + half_bend, f->c1.high);
    double excess = fma(s, fma(s, fma(f->a3, s, f->a2), f->c1.high), -f->x.high);
    double square = slope * slope, product = excess * half_bend;
    double divisor = fma(slope, fma(-2, product, square), excess * excess * f->a3);
    return s - excess * (square - product) / divisor;
}

/* The root to its last bits from an s that is right to 2^-12; false if it is not, or if X'(s) is
 * too small for the digits of x.
 *
 * s is cut to 17 bits. From s = 1/4 on that makes sss, ssb and sbb exact, and x - X(s) is known to
 * some 20 u^2 x; below, sbb and ssb have relative errors of up to 3 u (b, b^2 and the product),
 * and as s X'(s) = c1 s b (1 - 3s) + c2 s^2 (2 - 3s) + 3s^3, they move the root by 3.1 u at most.
 * X'(s) is a sum of positive terms as well, since s <= 1/2. With step = (x - X(s)) / X'(s),
 * bend = step X''(s) / 2X'(s) and twist = step^2 X'''(s) / 6X'(s),
 *
 *     root = s + step (1 - bend + (2 bend^2 - twist) - 5 bend (bend^2 - twist) + R)
 *
 * is the power series of the inverse function, and |R| <= 14.1 (bend^2 + |twist|)^2 <= 2^-44, so
 * 0.2 u of s with all that is rounded within the step, which is 2^-12 of s. In all, up to 3.3 u
 * below 1/4 and 0.2 u above, and one rounding each of s and b.
 *
 * What decides is the excess x - X(s), never the size of a step of some method: Householder's has
 * a numerator with zeros far from the root. (To see it: t0 = 0x1.dd236980c10d1p+29,
 * v0 = -0x1.0e482da705b77p-2, m0 = 0x1.88388c2bf4d44p+1, w0 = 0x1.4981039468cabp-1,
 * t1 = 0x1.dd236980c10dbp+29, v1 = 0x1.0bc77303f76e1p-3, m1 = -0x1.856a13f84216cp-3, w1 = 1,
 * t = 0x1.dd236980c10d6p+29, the test "step without progress".) X increases on [0, 1] and s is in
 * it, so that a small excess means the one root. */
static inline bool __attribute__((always_inline)) finish(const cubic *f, double s, root *found)
{
    const double tolerance = 0x1p-12;
    double c1 = f->c1.high, c2 = f->c2.high;
    s = tl_from_bits(tl_to_bits(s) & UINT64_MAX << 36);
    double b = 1 - f->unit * s, y = b - f->unit * s;
    double s2 = s * s, sbb = s * (b * b), ssb = s2 * b, sss = f->c3 * (s2 * s);

    tl_dd left = tl_fast_two_sum(f->x.high, -sss);
    tl_dd product = tl_two_product(c2, ssb);
    tl_dd least = tl_fast_two_sum(left.high, -product.high);
    double low = ((left.low + f->x.low) - product.low) - fma(f->c2.low, ssb, f->c1.low * sbb);
    double lack = (fma(-c1, sbb, least.high) + least.low) + low;

    double slope = fma(c1 * y, y, s * fma(f->middle, s, 2 * c2 * y));
    double reciprocal = 1 / slope;
    double step = lack * reciprocal;
    double bend = fma(3 * f->a3, s, f->a2) * reciprocal * step;
    double twist = f->a3 * reciprocal * (step * step);
    double bend2 = bend * bend;
    double series = fma(bend, fma(5, twist - bend2, -1), fma(2, bend2, -twist));
    double correction = fma(step, series, step);
    *found = (root){s + correction, b - f->unit * correction};
    return fabs(step) <= tolerance * (s * b) && bend2 + fabs(twist) <= tolerance * tolerance &&
           slope >= 0x1p-40;
}

/* A parameter on a segment. */
typedef struct place {
    side near, far;
    double h; /* negative if the near end is the second one */
    root at;
} place;

static inline bool is_weight(tl_dd width)
{
    return tl_to_bits(width.high) <= tl_to_bits(3);
}

/* The parameter at t0 < t < t1; false for what is unusual, whatever the result then holds. Below
 * 2^-900 and 2^-60 products in `quotient` and `finish` might underflow. */
static inline bool __attribute__((always_inline))
find_place(const tl_key *k0, const tl_key *k1, double t, int attempts, place *result)
{
    side first = out_side(k0), second = in_side(k1);
    tl_dd h = tl_two_difference(second.time, first.time);
    double reciprocal = 1 / h.high;
    bool mirrored = 8 * (t - first.time) > h.high * (4 + (first.width.high - second.width.high));
    result->near = mirrored ? second : first;
    result->far = mirrored ? first : second;
    result->h = mirrored ? -h.high : h.high;
    tl_dd passed = tl_two_difference(mirrored ? second.time : t, mirrored ? t : first.time);
    cubic f = unit_cubic(result->near.width, result->far.width, quotient(passed, h, reciprocal));
    bool usual = is_weight(first.width) && is_weight(second.width) && h.high >= 0x1p-900 &&
                 h.high <= 0x1p1000 && f.x.high >= 0x1p-60;
    double s = approximate(&f, passed.high * (8 * reciprocal));
    bool done = finish(&f, s, &result->at);
    for (int i = 1; i < attempts && !done; i++) {
        s = improve(&f, s);
        done = finish(&f, s, &result->at);
    }
    return done && usual;
}

/* F from the parameter. With from_near = v + s (2v + 3 w m h) and from_far alike, the four terms of
 * S meet these relative errors, in units of u. For s < 1/4, where s is off by 4.3 and b by 2.1:
 *     near value   2v + .. 0.4 + s 1.5 + fma 1 + b^2 5.2 + last fma 1                       =  9.1
 *     near slope   h, m h, 3 w, product 4 + 2v + .. 1 + s 4.3 + fma 1 + b^2 5.2 + last 1    = 16.5
 *     far value    2v - .. 0.7 + b 1.4 + fma 1 + s^2 9.6 + product 1 + last fma 1           = 14.7
 *     far slope    4 + 1 + b 2.1 + fma 1 + s^2 9.6 + product 1 + last fma 1                 = 19.7
 * and less from 1/4 on. The promised K = 64 is three times that.
 *
 * Underflow: each product is multiplied by at most 3 afterwards, so it is a trifle if the result is
 * 2^-600 or more. Overflow leaves an infinity or a NaN. */
static inline double blend(const place *p)
{
    double near_slope = p->near.slope * p->h * p->near.width.high;
    double far_slope = p->far.slope * p->h * p->far.width.high;
    double from_near = fma(p->at.s, fma(2, p->near.value, near_slope), p->near.value);
    double from_far = fma(p->at.b, fma(2, p->far.value, -far_slope), p->far.value);
    return fma(from_near, p->at.b * p->at.b, from_far * (p->at.s * p->at.s));
}

/* The same in a range without ends: s and b replace the place's. With `size`, the sum of the terms'
 * magnitudes, which is S. */
static tl_scaled blend_scaled(const place *p, tl_scaled s, tl_scaled b, bool size)
{
    tl_scaled two = tl_scale(2, 0);
    tl_scaled h = tl_scaled_subtract(tl_scale(p->far.time, 0), tl_scale(p->near.time, 0));
    tl_scaled near_value = tl_scale(p->near.value, 0), far_value = tl_scale(p->far.value, 0);
    tl_scaled near_slope = tl_scaled_multiply(tl_scale(p->near.slope, 0), h);
    tl_scaled far_slope = tl_scaled_multiply(tl_scale(-p->far.slope, 0), h);
    near_slope = tl_scaled_multiply(near_slope, tl_scale(p->near.width.high, 0));
    far_slope = tl_scaled_multiply(far_slope, tl_scale(p->far.width.high, 0));
    if (size) {
        near_value.fraction = fabs(near_value.fraction);
        far_value.fraction = fabs(far_value.fraction);
        near_slope.fraction = fabs(near_slope.fraction);
        far_slope.fraction = fabs(far_slope.fraction);
    }

    tl_scaled from_near = tl_scaled_fma(two, near_value, near_slope);
    tl_scaled from_far = tl_scaled_fma(two, far_value, far_slope);
    from_near = tl_scaled_fma(s, from_near, near_value);
    from_far = tl_scaled_fma(b, from_far, far_value);
    from_far = tl_scaled_multiply(from_far, tl_scaled_multiply(s, s));
    return tl_scaled_fma(from_near, tl_scaled_multiply(b, b), from_far);
}

/* x 2^exponent, also where 2^exponent is out of range */
static double shift(double x, int exponent)
{
    return tl_unscale(tl_scale(x, exponent));
}

static tl_dd shift_dd(tl_dd x, int exponent)
{
    return (tl_dd){shift(x.high, exponent), shift(x.low, exponent)};
}

static int exponent_of(double x)
{
    return tl_scale(x, 0).exponent;
}

/* ceil(a / b) for b > 0 */
static int divide_up(int a, int b)
{
    return a > 0 ? (a + b - 1) / b : -(-a / b);
}

/* The root of c1 s + a2 s^2 + a3 s^3 = x between 0 and `high`, where the left side increases:
 * within 2^-60 of s, but for the roundings of the left side. It lies above 2^-8 high; as every
 * fourth step halves the bracket, 64 steps suffice whatever the others do (11 are the most seen).
 */
static double solve(const cubic *f, double high)
{
    double low = 0, s = 0.5 * high;
    for (int i = 0; i < 64; i++) {
        double half_bend = fma(3 * f->a3, s, f->a2);
        double slope = fma(s, f->a2 + half_bend, f->c1.high);
        double excess = fma(s, fma(s, fma(f->a3, s, f->a2), f->c1.high), -f->x.high);
        double better = improve(f, s);
        if (fabs(excess) <= 0x1p-20 * s * slope &&
            fabs(excess * half_bend) <= 0x1p-20 * slope * slope) {
            return better;
        }
        if (excess < 0) {
            low = s;
        } else {
            high = s;
        }
        s = better > low && better < high && i % 4 != 3 ? better : 0.5 * (low + high);
    }
    return s;
}

/* s from y = 1 - 2s, for which middle y + lean y^2 + (4 - middle) y^3 = lead with
 * |lean| <= middle <= 1/8 and lead <= 2^-6. So y <= 0.16, which is at most 2 lead / middle and
 * (lead / 2)^(1/3); below 2^-66 it does not matter. The relative errors of middle, 3 u, of lead and
 * lean, u, and those of the sum move y by 12 u y at most, and s by u. */
static double find_from_middle(double middle, double lean, double lead)
{
    if (!(lead >= 0x1p-200)) {
        return 0.5;
    }
    cubic f = {.x = {lead, 0}, .c1 = {middle, 0}, .a2 = lean, .a3 = 4 - middle};
    double high = shift(1, divide_up(exponent_of(lead), 3));
    if (2 * lead < high * middle) {
        high = 2 * lead / middle;
    }
    return 0.5 - 0.5 * solve(&f, high);
}

/* s for x = share 2^exponent, where share is 1/2 to 2. With 2^unit for a unit, x counted in
 * 2^exponent and the terms accordingly, the root is between 2^-8 and 1, and no term that matters
 * underflows: for s <= 1/2, s is at most 4 x / c1, (2 x / c2)^(1/2) and x^(1/3). */
static tl_scaled find_from_end(const place *p, tl_dd share, int exponent)
{
    cubic f = unit_cubic(p->near.width, p->far.width, share);
    int unit = divide_up(exponent + 1, 3);
    if (f.c1.high > 0) {
        int bound = exponent + 3 - exponent_of(f.c1.high);
        unit = bound < unit ? bound : unit;
    }
    if (f.c2.high > 0) {
        int bound = divide_up(exponent + 2 - exponent_of(f.c2.high), 2);
        unit = bound < unit ? bound : unit;
    }
    unit = unit < 0 ? unit : 0;

    f.unit = shift(1, unit);
    f.c1 = shift_dd(f.c1, unit - exponent);
    f.c2 = shift_dd(f.c2, 2 * unit - exponent);
    f.c3 = shift(1, 3 * unit - exponent);
    f.middle = shift(f.middle, 3 * unit - exponent);
    f.a2 = fma(-2 * f.unit, f.c1.high, f.c2.high);
    f.a3 = fma(f.unit, fma(f.unit, f.c1.high, -f.c2.high), f.c3);
    root found;
    finish(&f, solve(&f, 1), &found);
    return tl_scale(found.s, unit);
}

/* 8 (X(1/2) - x) = 4 (left - passed) / whole + 3 (w0 - w1), of which lean is the second term, with
 * a relative error of u. The difference of four doubles has one too, for its greater parts cancel
 * without an error. */
static double lead_of_half(tl_dd left, tl_dd passed, tl_dd whole, tl_dd lean)
{
    tl_dd high = tl_two_difference(left.high, passed.high);
    tl_dd low = tl_two_difference(left.low, passed.low);
    tl_dd sum = tl_two_sum(high.high, low.high);
    sum = tl_fast_two_sum(sum.high, sum.low + (high.low + low.low));
    tl_dd share = quotient(sum, whole, 1 / whole.high);
    tl_dd result = tl_two_sum(4 * share.high, lean.high);
    return result.high + (result.low + (4 * share.low + lean.low));
}

/* The parameter for any finite t0 < t < t1 and weights from 0 to 1. Where X is flat, which is near
 * s = 1/2 with weights near 1, it is counted from the middle: a root that is nearly triple needs
 * X(1/2) - x itself to some digits, and no fixed number of digits of x would hold them. */
static tl_scaled find_anywhere(const side *first, const side *second, double t, place *result)
{
    double scale = tl_is_finite(second->time - first->time) ? 1 : 0.25;
    double t0 = scale * first->time, t1 = scale * second->time;
    tl_dd passed = tl_two_difference_by_size(scale * t, t0);
    tl_dd left = tl_two_difference_by_size(t1, scale * t);
    tl_dd whole = tl_two_difference_by_size(t1, t0);
    int exponent = exponent_of(whole.high);
    whole = shift_dd(whole, -exponent);

    tl_dd lean = tl_two_difference(first->width.high, second->width.high);
    lean.low += first->width.low - second->width.low;
    double lead = lead_of_half(shift_dd(left, -exponent), shift_dd(passed, -exponent), whole, lean);
    bool mirrored = lead < 0;
    *result = (place){mirrored ? *second : *first, mirrored ? *first : *second, 0, {0, 0}};

    double middle = unit_cubic(result->near.width, result->far.width, whole).middle;
    if (middle <= 0x1p-3 && fabs(lead) <= 0x1p-6) {
        double near_lean = mirrored ? -(lean.high + lean.low) : lean.high + lean.low;
        return tl_scale(find_from_middle(middle, near_lean, fabs(lead)), 0);
    }
    tl_dd share = mirrored ? left : passed;
    int share_exponent = exponent_of(share.high);
    share = quotient(shift_dd(share, -share_exponent), whole, 1 / whole.high);
    return find_from_end(result, share, share_exponent - exponent);
}

static tl_dd clamped(tl_dd width)
{
    return width.high < 0 ? (tl_dd){0, 0} : width.high > 3 ? (tl_dd){3, 0} : width;
}

/* Whether all is finite that X reads. */
static bool is_time_finite(const tl_key *k0, const tl_key *k1)
{
    bool weighted0 = k0->weighted_mode & TL_WEIGHTED_OUT;
    bool weighted1 = k1->weighted_mode & TL_WEIGHTED_IN;
    return tl_is_finite(k0->time) && (!weighted0 || tl_is_finite(k0->out_weight)) &&
           tl_is_finite(k1->time) && (!weighted1 || tl_is_finite(k1->in_weight));
}

static tl_scaled find_between(const tl_key *k0, const tl_key *k1, double t, place *result)
{
    side first = out_side(k0), second = in_side(k1);
    first.width = clamped(first.width);
    second.width = clamped(second.width);
    return find_anywhere(&first, &second, t, result);
}

static tl_scaled blend_anywhere(const tl_key *k0, const tl_key *k1, double t, bool size)
{
    place p;
    tl_scaled s = find_between(k0, k1, t, &p);
    return blend_scaled(&p, s, tl_scale(1 - tl_unscale(s), 0), size);
}

/* Errors are below 31 u S, 11.8 u S being the largest known. Two radii are within the bound. */
tl_ball TL_KERNEL(bezier_ball)(const tl_key *k0, const tl_key *k1, double t)
{
    tl_scaled middle = blend_anywhere(k0, k1, t, false), size = blend_anywhere(k0, k1, t, true);
    return (tl_ball){{middle.fraction, 0, middle.exponent},
                     tl_scaled_multiply(size, tl_scale(31 * 0x1p-53, 0))};
}

tl_scaled TL_KERNEL(bezier_scaled)(const tl_key *k0, const tl_key *k1, double t)
{
    tl_scaled result = blend_anywhere(k0, k1, t, false);
    return result.exponent < 1000 ? result : tl_ball_number(TL_KERNEL(bezier_ball)(k0, k1, t));
}

static bool is_zero(const tl_key *k0, const tl_key *k1)
{
    return k0->value == 0 && k0->out_tangent == 0 && k1->value == 0 && k1->in_tangent == 0;
}

/* Everything that the fast paths leave. */
static double __attribute__((noinline)) bezier_rest(const tl_key *k0, const tl_key *k1, double t)
{
    double t0 = k0->time, v0 = k0->value, m0 = k0->out_tangent;
    double t1 = k1->time, v1 = k1->value, m1 = k1->in_tangent;
    if (isnan(t) || !(t0 <= t1)) {
        return NAN;
    }
    if (t >= t1) {
        return v1;
    }
    if (t <= t0 || isinf(m0) || isinf(m1)) {
        return v0;
    }
    if (!is_time_finite(k0, k1) || !tl_is_finite(v0) || !tl_is_finite(v1) || isnan(m0) ||
        isnan(m1)) {
        return NAN;
    }
    if (is_zero(k0, k1)) {
        return 0;
    }
    return tl_unscale(TL_KERNEL(bezier_scaled)(k0, k1, t));
}

static double __attribute__((noinline)) parameter_rest(const tl_key *k0, const tl_key *k1, double t)
{
    if (isnan(t) || !(k0->time <= k1->time)) {
        return NAN;
    }
    if (t >= k1->time) {
        return 1;
    }
    if (t <= k0->time) {
        return 0;
    }
    if (!is_time_finite(k0, k1)) {
        return NAN;
    }
    place p;
    double s = tl_unscale(find_between(k0, k1, t, &p));
    return p.near.time < p.far.time ? s : 1 - s;
}

/* What weights near 0 or 1 may need, and all that has no usual place. */
static double __attribute__((noinline)) bezier_again(const tl_key *k0, const tl_key *k1, double t)
{
    place p;
    if (!is_zero(k0, k1) && find_place(k0, k1, t, 5, &p)) {
        double result = blend(&p);
        if (tl_is_finite_from(result, 0x1p-600)) {
            return result;
        }
    }
    return bezier_rest(k0, k1, t);
}

double TL_KERNEL(bezier)(const tl_key *k0, const tl_key *k1, double t)
{
    if (__builtin_expect(!(k0->time < t && t < k1->time), 0)) {
        return bezier_rest(k0, k1, t);
    }
    if (!(k0->weighted_mode & TL_WEIGHTED_OUT) && !(k1->weighted_mode & TL_WEIGHTED_IN)) {
        return TL_KERNEL(hermite)(k0, k1, t);
    }
    place p;
    if (__builtin_expect(find_place(k0, k1, t, 1, &p), 1)) {
        double result = blend(&p);
        if (__builtin_expect(tl_is_finite_from(result, 0x1p-600), 1)) {
            return result;
        }
    }
    return bezier_again(k0, k1, t);
}

double TL_KERNEL(bezier_parameter)(const tl_key *k0, const tl_key *k1, double t)
{
    place p;
    if (__builtin_expect(k0->time < t && t < k1->time && find_place(k0, k1, t, 5, &p), 1)) {
        return p.h > 0 ? p.at.s : p.at.b;
    }
    return parameter_rest(k0, k1, t);
}

#if TL_PUBLIC
double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    return TL_CALL(bezier, k0, k1, t);
}

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    return TL_CALL(bezier_parameter, k0, k1, t);
}
#endif
