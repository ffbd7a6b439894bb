#include "dispatch.h"
#include "quartic_sign.h"
#include "scaled.h"

TL_VARIANTS(cubic_roots, int, (double, double, double, double, double[3], int[3]));

/* a x^3 + b x^2 + c x + d */
typedef struct cubic {
    double a, b, c, d;
} cubic;

/* With w = 3 a x + b, the cubic is (w^3 - 3 q w + r) / (27 a^2). */
typedef struct shape {
    double q;      /* b^2 - 3 a c */
    double r;      /* 2 b q - 3 a t */
    double excess; /* t^2 - 4 q p, -3 times the discriminant: negative for three real roots */
    double error;  /* excess is off by less */
} shape;

/* t = b c - 9 a d and p = c^2 - 3 b d complete the cubic's Hessian, q x^2 + t x + p. Each of the
 * three is off by 2 u of the product that is subtracted and u of itself, their products by
 *     u (4 |t| |9 a d| + 2 t^2 + 8 |q| |3 b d| + 8 |p| |3 a c| + 12 |q p| + excess)
 * and, where all three are next to nothing, by products of two errors. `error` is at least twice
 * that. */
static inline shape __attribute__((always_inline)) shape_of(const cubic *f)
{
    double ac = 3 * f->a * f->c, bd = 3 * f->b * f->d, ad = 9 * f->a * f->d;
    double q = fma(f->b, f->b, -ac), p = fma(f->c, f->c, -bd), t = fma(f->b, f->c, -ad);
    double excess = fma(t, t, -4 * q * p);
    double q_size = fma(0x1p-50, fabs(ac), fabs(q)), p_size = fma(0x1p-50, fabs(bd), fabs(p));
    double t_size = fma(0x1p-50, fabs(ad), fabs(t));
    double error =
        fma(t_size, t_size + fabs(ad), fma(q_size, p_size + fabs(bd), p_size * fabs(ac)));
    return (shape){q, fma(2 * f->b, q, -3 * f->a * t), excess, 0x1p-48 * error};
}

/* cos(arccos(z) / 3) for z from 0 to 1, to 2^-32 of itself: Sollya's fpminimax. */
static inline double third_of_arc(double z)
{
    double z2 = z * z, z4 = z2 * z2;
    double p01 = fma(0x1.55554fd1ea96ap-3, z, 0x1.bb67ae8724186p-1);
    double p23 = fma(0x1.94347eb8f42cp-6, z, -0x1.8a202e9670b6bp-5);
    double p45 = fma(0x1.52d044a416dddp-7, z, -0x1.fa09f6cfc037fp-7);
    double p67 = fma(0x1.b518d793acb11p-9, z, -0x1.ac2c824c54dcp-8);
    double p89 = fma(0x1.7fc5f2e41e3acp-13, z, -0x1.28f1df34cca65p-10);
    double low = fma(p23, z2, p01), high = fma(p67, z2, p45);
    return fma(fma(p89, z4, high), z4, low);
}

/* The reciprocal cube root of a v > 0 that is normal, to 2^-37 of itself. A third of the bits is
 * nearly a third of the logarithm: so e = 1 - v y^3 is 0.103 at most at first. y (1 - e)^(-1/3) is
 * the root, and its series to e^4 leaves 2^-19 of it, to e once more 2^-37. A v 2^(3 k) has the
 * same bits but for the exponent. */
static inline double reciprocal_cube_root(double v)
{
    double y = tl_from_bits(UINT64_C(0x553ee8ff289dd796) - tl_to_bits(v) / 3);
    double e = fma(-v * y, y * y, 1);
    double series = fma(e, fma(e, fma(e, 35.0 / 243, 14.0 / 81), 2.0 / 9), 1.0 / 3);
    y = fma(y * e, series, y);
    e = fma(-v * y, y * y, 1);
    return fma(y * e, 1.0 / 3, y);
}

/* The closed form for the root that stands apart: the only real one, or of three w, which add up to
 * 0, the one of the largest size. It is farther from the other two than from w = 0. `size` tells
 * how large they all are. */
static inline double w_of_three(const shape *s, double *size)
{
    double root = sqrt(s->q);
    double z = fabs(s->r) / (2 * s->q * root);
    *size = root;
    return copysign(2 * root * third_of_arc(z < 1 ? z : 1), -s->r);
}

static inline double w_of_one(const shape *s, double a, double *size)
{
    double v = fma(1.5 * fabs(a), sqrt(s->excess > 0 ? s->excess : 0), 0.5 * fabs(s->r));
    double y = reciprocal_cube_root(v);
    *size = v * y * y;
    return copysign(fma(s->q, y, *size), -s->r);
}

/* (x - root - rest) (a x^2 + b x + c) */
typedef struct factors {
    double root, rest;
    tl_dd b, c;
} factors;

/* Horner's scheme at x with all its rounding errors (Graillat, Langlois and Louvet 2005) gives the
 * polynomial's value as if computed in twice the precision, and the quadratic factor on the way.
 * Halley's step from there leaves 8 |a step^3| of the value or less, because w^2 >= 3 q. */
static inline factors __attribute__((always_inline)) divide(const cubic *f, double x)
{
    tl_dd ax = tl_two_product(f->a, x), b = tl_two_sum(ax.high, f->b);
    b.low += ax.low;
    tl_dd bx = tl_two_product(b.high, x), c = tl_two_sum(bx.high, f->c);
    c.low = fma(b.low, x, c.low + bx.low);
    tl_dd cx = tl_two_product(c.high, x), value = tl_two_sum(cx.high, f->d);
    double left = value.high + fma(c.low, x, value.low + cx.low);

    double b2 = b.high + ax.high, half_bend = b2 + ax.high;
    double reciprocal = 1 / fma(b2, x, c.high);
    double step = -left * reciprocal;
    step = fma(-half_bend * reciprocal, step * step, step);
    c.low = fma(fma(f->a, step, b2), step, c.low);
    b.low = fma(f->a, step, b.low);
    return (factors){x, step, b, c};
}

static inline tl_dd quotient(tl_dd a, tl_dd b)
{
    double high = a.high / b.high;
    double rest = fma(-high, b.high, a.high) + fma(-high, b.low, a.low);
    return tl_fast_two_sum(high, rest / b.high);
}

/* The zeros of a x^2 + b x + c, where the sign of its discriminant is 1 or 0, whatever it comes to
 * here. Returns whether they are so close to each other that some of their bits are lost. */
static inline bool __attribute__((always_inline))
solve_pair(double a, tl_dd b, tl_dd c, int sign, tl_dd root[2])
{
    tl_dd bb = tl_two_product(b.high, b.high), ac = tl_two_product(4 * a, c.high);
    tl_dd square = tl_two_difference(bb.high, ac.high);
    double low = fma(b.low, 2 * b.high + b.low, -4 * a * c.low);
    square = tl_fast_two_sum(square.high, square.low + ((bb.low - ac.low) + low));
    bool apart = sign > 0 && square.high > 0;
    double distance = apart ? sqrt(square.high) : 0;
    double rest = apart ? (fma(-distance, distance, square.high) + square.low) / (2 * distance) : 0;
    double side = copysign(1, b.high);
    tl_dd m = tl_two_sum(b.high, side * distance);
    m = tl_fast_two_sum(-0.5 * m.high, -0.5 * (m.low + fma(side, rest, b.low)));
    root[0] = m.high == 0 ? m : quotient(m, (tl_dd){a, 0});
    root[1] = apart ? quotient(c, m) : root[0];
    return square.high < 0x1p-80 * bb.high;
}

static inline void sort(double *x, double *y)
{
    double low = *x < *y ? *x : *y;
    double high = *x > *y ? *x : *y;
    *x = low;
    *y = high;
}

/* Without a doubt about anything, the roots, all simple; otherwise 0.
 *
 * Where the last operation is the only one that counts, a root r is off by u |r|. As p(r) is
 * nearly 0, |r p'(r)| = |r p'(r) - 3/2 p(r)| <= 3/2 S, so that this costs 3/2 u S. The rest, where
 * S is at least 2 |d|:
 *   - the start is right to 2^-32 of w, and less well where w is small beside b, when it matters
 *     less. Halley's step leaves 8 |a step^3| <= 2^-57 |d| of p, which is u S / 32; at the
 * quadratic factor's zeros not much more;
 *   - the step's rounding errors, 4 u of its divisor's terms, leave 12 u |step / x| S <= u S / 21;
 *   - in the quadratic factor's c they make 4 u |2 a x + b| |step| <= u |c| / 4, because c = -d / x
 *     and |a x^2 step| is at most 2^-6 |d|; it is less where the other two roots are the larger
 *     ones. Horner's scheme adds a few u^2 |a x^3 / d| <= 2^-10 u of c;
 *   - all else has 2^-100 or so.
 * So a root costs less than 2 u S. But for the last rounding, the results are the roots of a cubic
 * that differs from p by as much. On the way from one to the other a root passes through all
 * numbers between, and wherever it is, |p| is a part of that difference.
 *
 * The tests compare quantities that scale alike. Neither a factor 2^k nor x = 2^k y changes their
 * outcome, or any bit of a result's fraction. */
static inline int __attribute__((always_inline)) solve_plainly(const cubic *f, double root[3])
{
    shape s = shape_of(f);
    if (__builtin_expect(!(fabs(s.excess) > s.error), 0)) {
        return 0;
    }
    double size, w = s.excess > 0 ? w_of_one(&s, f->a, &size) : w_of_three(&s, &size);
    double x = (w - f->b) / (3 * f->a);
    factors found = divide(f, x);
    double step = fabs(found.rest), d = fabs(f->d), a = fabs(f->a);
    bool good = (size >= 0x1p-12 * fabs(f->b)) & (step <= 0x1p-8 * fabs(x)) &
                (a * step * (step * step) <= 0x1p-60 * d) &
                (fma(0x1p-46, fabs(x), step) * a * (x * x) <= 0x1p-6 * d);
    if (__builtin_expect(!good, 0)) {
        return 0;
    }
    root[0] = x + found.rest;
    if (s.excess > 0) {
        return 1;
    }
    tl_dd pair[2];
    solve_pair(f->a, found.b, found.c, 1, pair);
    root[1] = pair[0].high;
    root[2] = pair[1].high;
    sort(&root[1], &root[2]);
    sort(&root[0], &root[2]);
    sort(&root[0], &root[1]);
    return 3;
}

/* What solve_plainly can work on: nothing leaves the range, and where something underflows, it was
 * too small to change a bit. */
static inline bool is_usual(const cubic *f)
{
    const double most = 0x1p100, least = 0x1p-100;
    double a = fabs(f->a), d = fabs(f->d);
    return (a <= most) & (fabs(f->b) <= most) & (fabs(f->c) <= most) & (d <= most) & (a >= least) &
           (d >= least);
}

/* What the rest is made of: roots in rising order. Until the end, a root that became 0 or infinite
 * keeps its sign. */
typedef struct list {
    int count;
    double root[3];
    int multiplicity[3];
} list;

static void insert(list *found, int position, double root, int multiplicity)
{
    for (int i = found->count++; i > position; i--) {
        found->root[i] = found->root[i - 1];
        found->multiplicity[i] = found->multiplicity[i - 1];
    }
    found->root[position] = root;
    found->multiplicity[position] = multiplicity;
}

/* One nearer to 0 than all others: behind the negative ones. */
static void insert_nearest(list *found, double root, int multiplicity)
{
    int position = 0;
    while (position < found->count && signbit(found->root[position])) {
        position++;
    }
    insert(found, position, root, multiplicity);
}

/* One farther from 0 than all others. */
static void insert_farthest(list *found, double root)
{
    insert(found, signbit(root) ? 0 : found->count, root, 1);
}

/* A root x that may be off by less than `doubt` times itself, as a double. Beside the end of the
 * range, the largest double may stand for a root that rounds to infinity, but not the other way. */
static double settle(tl_scaled x, double doubt)
{
    double value = copysign(tl_unscale(x), x.fraction);
    double least = tl_unscale(tl_scale(x.fraction * (1 - doubt), x.exponent));
    return tl_is_finite(value) || !tl_is_finite(least) ? value : copysign(DBL_MAX, value);
}

/* The doubts: of what is rounded once, or nearly; of a close pair; of a threefold root; of three
 * roots that are close together, whose value at a third of their distance is nothing beside S. */
static const double once = 0x1p-52, of_pair = 0x1p-44, of_triple = 0x1p-50, of_three = 0x1p-30;

/* Two roots times 2^exponent, or the first one as a double root if the sign is 0. */
static void insert_pair(list *found, const tl_dd root[2], int exponent, int sign, double doubt)
{
    double x = root[0].high, y = root[1].high;
    sort(&x, &y);
    insert(found, 0, settle(tl_scale(x, exponent), doubt), 2 - sign);
    if (sign > 0) {
        insert(found, 1, settle(tl_scale(y, exponent), doubt), 1);
    }
}

/* A 0 has an exponent far below all others. */
static tl_scaled scaled(double x)
{
    return x == 0 ? (tl_scaled){0, -20000} : tl_scale(x, 0);
}

/* The root of a x + b. */
static double solve_linear(tl_scaled a, tl_scaled b, double doubt)
{
    return settle(tl_scaled_divide((tl_scaled){-b.fraction, b.exponent}, a), doubt);
}

static int floor_divide(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The sign of b^2 - 4 a c, exactly: where products differ, their high parts do, because two points
 * halfway between doubles round to different ones or the same way. */
static int quadratic_sign(tl_scaled a, tl_scaled b, tl_scaled c)
{
    int shift = 2 * b.exponent - (a.exponent + c.exponent);
    if (shift < -4) {
        return a.fraction * c.fraction > 0 ? -1 : 1;
    }
    if (shift > 4) {
        return 1;
    }
    double scale = tl_from_bits((uint64_t)(shift + 1023) << 52);
    tl_dd bb = tl_two_product(scale * b.fraction, b.fraction);
    tl_dd ac = tl_two_product(4 * a.fraction, c.fraction);
    double difference = bb.high == ac.high ? bb.low - ac.low : bb.high - ac.high;
    return (difference > 0) - (difference < 0);
}

/* a x^2 + b x + c for a and c other than 0, with the sign of its discriminant given, into an empty
 * list. In units of 2^exponent, a and c are about 1; where b is above 2^100 then, b^2 is all of the
 * discriminant. */
static void solve_quadratic(tl_scaled a, tl_scaled b, tl_scaled c, int sign, list *found)
{
    int exponent = floor_divide(c.exponent - a.exponent, 2);
    int b_size = b.exponent + exponent - c.exponent;
    if (sign < 0) {
        return;
    }
    if (b_size > 100) {
        insert(found, 0, solve_linear(b, c, once), 1);
        insert_farthest(found, solve_linear(a, b, once));
        return;
    }
    a.exponent += 2 * exponent - c.exponent;
    b.exponent = b_size;
    tl_dd root[2];
    solve_pair(tl_unscale(a), (tl_dd){tl_unscale(b), 0}, (tl_dd){c.fraction, 0}, sign, root);
    insert_pair(found, root, exponent, sign, once);
}

/* Of a polynomial of degree 3. */
static int discriminant_sign(const cubic *f)
{
    tl_quartic_sum sum = tl_quartic_zero();
    tl_quartic_add(&sum, 1, f->b, f->b, f->c, f->c);
    tl_quartic_add(&sum, -4, f->a, f->c, f->c, f->c);
    tl_quartic_add(&sum, -4, f->b, f->b, f->b, f->d);
    tl_quartic_add(&sum, -27, f->a, f->a, f->d, f->d);
    tl_quartic_add(&sum, 18, f->a, f->b, f->c, f->d);
    return tl_quartic_sign(&sum);
}

/* Of q = b^2 - 3 a c. */
static int q_sign(const cubic *f)
{
    tl_quartic_sum sum = tl_quartic_zero();
    tl_quartic_add(&sum, 1, f->b, f->b, 1, 1);
    tl_quartic_add(&sum, -3, f->a, f->c, 1, 1);
    return tl_quartic_sign(&sum);
}

/* Of r = 2 b^3 - 9 a b c + 27 a^2 d. */
static int r_sign(const cubic *f)
{
    tl_quartic_sum sum = tl_quartic_zero();
    tl_quartic_add(&sum, 2, f->b, f->b, f->b, 1);
    tl_quartic_add(&sum, -9, f->a, f->b, f->c, 1);
    tl_quartic_add(&sum, 27, f->a, f->a, f->d, 1);
    return tl_quartic_sign(&sum);
}

/* x y + z */
static tl_dd multiply_add(tl_dd x, double y, tl_dd z)
{
    tl_dd product = tl_two_product(x.high, y), sum = tl_two_sum(product.high, z.high);
    return tl_fast_two_sum(sum.high, sum.low + (fma(x.low, y, product.low) + z.low));
}

/* f as a polynomial in x - h. */
static cubic shifted(const cubic *f, double h)
{
    tl_dd a = {f->a, 0}, b = {f->b, 0}, c = {f->c, 0}, d = {f->d, 0};
    b = multiply_add(a, h, b);
    c = multiply_add(b, h, c);
    d = multiply_add(c, h, d);
    b = multiply_add(a, h, b);
    c = multiply_add(b, h, c);
    b = multiply_add(a, h, b);
    return (cubic){a.high, b.high, c.high, d.high};
}

/* The root that stands apart, by the closed form, also where the discriminant's sign is not known.
 * `size` becomes 0 where all three are one. */
static double root_apart(const cubic *f, double *size)
{
    shape s = shape_of(f);
    double w = 0;
    *size = 0;
    if (s.excess <= 0 && s.q > 0) {
        w = w_of_three(&s, size);
    } else if (s.excess > 0 || s.r != 0) {
        w = w_of_one(&s, f->a, size);
    }
    *size = fabs(w) > *size ? fabs(w) : *size;
    return (w - f->b) / (3 * f->a);
}

/* From an x that is near the root that stands apart if seen from the other two, but may be far from
 * it if seen from 0. With each step, the error beside that distance goes to its third power; 2^-66
 * of the distance takes two. Returns whether the pair root[0], root[1] is close; the sign is the
 * discriminant's. */
static bool solve_from(const cubic *f, double x, int sign, tl_dd root[3])
{
    factors found;
    int steps = 0;
    do {
        found = divide(f, x);
        x = found.root + found.rest;
    } while (!(fabs(found.rest) <= 0x1p-26 * fabs(found.root)) && ++steps < 8);
    root[2] = tl_fast_two_sum(found.root, found.rest);
    return sign >= 0 && solve_pair(f->a, found.b, found.c, sign, root);
}

/* Three roots that are much closer to h, their mean, than to 0: counted from there, they are not
 * close together. h is a double near enough. What is lost of the new coefficients, 2^-104 of what
 * they are sums of, costs u^2 S. */
static void solve_close(const cubic *f, int sign, tl_dd root[3])
{
    double size, h = -f->b / (3 * f->a);
    cubic g = shifted(f, h);
    double y = root_apart(&g, &size);
    if (size > 0) {
        solve_from(&g, y, sign, root);
    } else {
        root[0] = root[1] = root[2] = (tl_dd){y, 0};
    }
    for (int i = 0; i < 3; i++) {
        root[i] = tl_two_sum(h, root[i].high);
    }
}

/* Three roots of different sizes. A large root that stands apart would spoil the quadratic factor,
 * a small one does not; so the reciprocals are found instead where needed. */
static bool solve_apart(const cubic *f, double x, int sign, tl_dd root[3])
{
    bool large = fabs(f->a * x) * (x * x) > fabs(f->d);
    if (!large) {
        return solve_from(f, x, sign, root);
    }
    cubic g = {f->d, f->c, f->b, f->a};
    bool close = solve_from(&g, 1 / x, sign, root);
    for (int i = 0; i < 3; i++) {
        root[i] = quotient((tl_dd){1, 0}, root[i]);
    }
    return close;
}

/* Where solve_plainly has its doubts. In units of 2^exponent, the polynomial `original` is f, with
 * a and d about 1 and neither b nor c above 2^66. The discriminant's sign is exact. */
static void solve_with_care(const cubic *f, int exponent, const cubic *original, int sign,
                            list *found)
{
    double size, x = root_apart(f, &size);
    tl_dd root[3];
    double doubt = once, pair_doubt;
    if (size <= 0x1p-11 * fabs(f->b)) {
        solve_close(f, sign, root);
        doubt = pair_doubt = of_three;
    } else {
        pair_doubt = solve_apart(f, x, sign, root) ? of_pair : once;
    }
    int below = 0; /* of the pair's distinct roots, how many are below the other one */
    if (sign == 0) {
        below = (r_sign(original) > 0) != (f->a > 0);
    } else if (sign > 0) {
        below = (root[0].high < root[2].high) + (root[1].high < root[2].high);
    }
    if (sign >= 0) {
        insert_pair(found, root, exponent, sign, pair_doubt);
    }
    insert(found, below, settle(tl_scale(root[2].high, exponent), doubt), 1);
}

/* In units of 2^exponent, where it has a and d about 1. */
static cubic normalised(const cubic *f, int *exponent, int *b_size, int *c_size)
{
    tl_scaled a = scaled(f->a), b = scaled(f->b), c = scaled(f->c), d = scaled(f->d);
    *exponent = floor_divide(d.exponent - a.exponent, 3);
    a.exponent += 3 * *exponent - d.exponent;
    b.exponent += 2 * *exponent - d.exponent;
    c.exponent += *exponent - d.exponent;
    *b_size = b.exponent;
    *c_size = c.exponent;
    return (cubic){tl_unscale(a), tl_unscale(b), tl_unscale(c), d.fraction};
}

/* Where b or c is far above the two coefficients next to it, the polynomial falls apart into a
 * linear and a quadratic one. At the roots of either, the terms that it lacks are at most 2^-60 S.
 * Returns whether it was so. */
static bool solve_parts(const cubic *f, int b_size, int c_size, list *found)
{
    tl_scaled a = scaled(f->a), b = scaled(f->b), c = scaled(f->c), d = scaled(f->d);
    if (c_size >= 44 && 2 * c_size >= b_size + 64) {
        solve_quadratic(a, b, c, discriminant_sign(f), found);
        insert_nearest(found, solve_linear(c, d, once), 1);
        return true;
    }
    if (b_size >= 44 && 2 * b_size >= c_size + 64) {
        solve_quadratic(b, c, d, discriminant_sign(f), found);
        insert_farthest(found, solve_linear(a, b, once));
        return true;
    }
    return false;
}

/* A cubic whose constant term is not 0. What falls apart has b or c above 2^44, what does not has
 * neither above 2^66. */
static void solve_cubic(const cubic *f, list *found)
{
    int exponent, b_size, c_size;
    cubic g = normalised(f, &exponent, &b_size, &c_size);
    if (!is_usual(f) && b_size <= 210 && c_size <= 210) {
        double root[3];
        int count = solve_plainly(&g, root);
        for (int i = 0; i < count; i++) {
            insert(found, i, settle(tl_scale(root[i], exponent), once), 1);
        }
    }
    if (found->count > 0 || solve_parts(f, b_size, c_size, found)) {
        return;
    }
    int sign = discriminant_sign(f);
    if (sign == 0 && q_sign(f) == 0) {
        insert(found, 0, settle(tl_scale(-g.b / (3 * g.a), exponent), of_triple), 3);
    } else {
        solve_with_care(&g, exponent, f, sign, found);
    }
}

/* A polynomial whose constant term is not 0. */
static void solve(const cubic *f, list *found)
{
    tl_scaled b = scaled(f->b), c = scaled(f->c), d = scaled(f->d);
    if (f->a != 0) {
        solve_cubic(f, found);
    } else if (f->b != 0) {
        solve_quadratic(b, c, d, quadratic_sign(b, c, d), found);
    } else if (f->c != 0) {
        insert(found, 0, solve_linear(c, d, 0), 1);
    }
}

/* Everything that the fast path leaves. */
static int __attribute__((noinline)) roots_rest(cubic f, double roots[3], int multiplicities[3])
{
    if (!tl_is_finite(f.a) || !tl_is_finite(f.b) || !tl_is_finite(f.c) || !tl_is_finite(f.d)) {
        return TL_NOT_FINITE;
    }
    if (f.a == 0 && f.b == 0 && f.c == 0 && f.d == 0) {
        return TL_EVERY_NUMBER;
    }
    int zeros = 0;
    while (f.d == 0) {
        f = (cubic){0, f.a, f.b, f.c};
        zeros++;
    }
    list found = {.count = 0};
    solve(&f, &found);
    if (zeros > 0) {
        insert_nearest(&found, 0, zeros);
    }
    for (int i = 0; i < found.count; i++) {
        roots[i] = found.root[i] + 0.0; /* -0 becomes 0 */
        multiplicities[i] = found.multiplicity[i];
    }
    return found.count;
}

int TL_KERNEL(cubic_roots)(double a, double b, double c, double d, double roots[3],
                           int multiplicities[3])
{
    cubic f = {a, b, c, d};
    double found[3];
    int count;
    if (__builtin_expect(!is_usual(&f) || (count = solve_plainly(&f, found)) == 0, 0)) {
        return roots_rest(f, roots, multiplicities);
    }
    roots[0] = found[0];
    multiplicities[0] = 1;
    if (count == 3) {
        roots[1] = found[1];
        roots[2] = found[2];
        multiplicities[1] = multiplicities[2] = 1;
    }
    return count;
}

#if TL_PUBLIC
int tl_cubic_roots(double a, double b, double c, double d, double roots[3], int multiplicities[3])
{
    return TL_CALL(cubic_roots, a, b, c, d, roots, multiplicities);
}
#endif
