/* The roots of a cubic in double-double. How many there are is decided by the discriminant's sign,
 * which is found with a bound on its error or, where that does not tell, exactly in integers. A
 * simple root is searched by any means, and then certified: the last of Newton's steps leads into
 * an interval at whose ends the polynomial has opposite signs, and in which its slope has the sign
 * that it has at that root. Repeated roots are rational, and come from their formulas. */
#include "filter_cubic.h"

enum { ROOTS, MULTIPLICITIES, CODE };
enum { CODE_ROOTS = 0, CODE_EVERY_NUMBER = 1, CODE_NOT_FINITE = 2 };

/* The discriminant's sign; 0 where it is not certain. With
 *     P = b^2 - 3 a c,    Q = b c - 9 a d,    R = c^2 - 3 b d
 * the discriminant of a cubic is (4 P R - Q^2) / 3; that of b x^2 + c x + d is c^2 - 4 b d. The
 * products of coefficients are exact, and every other step carries its error. */
FILTER_INLINE int discriminant_sign(const struct polynomial *p)
{
    struct wide cc = wide_of_coefficients(p, 2, 2), bd = wide_of_coefficients(p, 1, 3);
    if (p->degree == 2) {
        return approximation_sign(wide_difference(cc, wide_times(bd, 4)).x);
    }
    struct wide bb = wide_of_coefficients(p, 1, 1), ac = wide_of_coefficients(p, 0, 2);
    struct wide bc = wide_of_coefficients(p, 1, 2), ad = wide_of_coefficients(p, 0, 3);
    struct wide P = wide_difference(bb, wide_times(ac, 3));
    struct wide Q = wide_difference(bc, wide_times(ad, 9));
    struct wide R = wide_difference(cc, wide_times(bd, 3));
    struct wide sum = wide_difference(wide_times(wide_product(P, R), 4), wide_product(Q, Q));
    return approximation_sign(sum.x);
}

/* Simple roots */

/* A guess at the e next to 0 where q(z + e) = 0 with a slope of the given sign, by the quadratic
 * part; the turn where that has no root. So it tells the two roots of a close pair apart. */
FILTER_INLINE double guess_offset(const struct shifted *at, double slope_sign)
{
    double c0 = at->c0.high, c1 = at->c1.high, c2 = at->c2.high;
    double square = fma(c1, c1, -4 * c2 * c0);
    if (!(square > 0)) {
        return -c1 / (2 * c2);
    }
    double slope = copysign(sqrt(square), slope_sign);
    return c1 * slope_sign > 0 ? -2 * c0 / (c1 + slope) : (slope - c1) / (2 * c2);
}

/* The root z + e + step with a proven bound on its error; returns false where there is none, or the
 * slope there is not of the given sign. z and e are near enough to it for |z + e| < 4 all along.
 *
 * The value at e is found in double-double, the slope q'(z + e) in double: each of its terms goes
 * through 6 roundings at most, those of the coefficients to double included, so that it is within
 * 8 u of `terms`, the sum of their sizes, but for the errors of c1 and c2: all of that is `doubt`.
 *
 * One step of Newton, step = -value.high / slope, leads to r = e + step. By Taylor's theorem, where
 * `bend` is not less than |q''/2| between e and r,
 *
 *     q(z + r) = value + q'(z + e) step + (bend or less) step^2
 *
 * of which the first two cancel but for
 *     the quotient's rounding and value.low: u |value.high| each
 *     the value's error
 *     the slope's error times |step|
 * Let R be the sum of all these, and I the interval of all points within R / (0.9 |slope|) of r.
 * There q' differs from the slope by at most doubt + 2 bend (|step| + radius). If that is less than
 * 0.09 |slope|, then q' has the slope's sign and more than 0.9 of its size in all of I, so that q
 * has opposite signs at I's ends, or is 0 there: exactly one root is in I. */
FILTER_INLINE bool certify(const struct shifted *at, double z, double e, double slope_sign,
                           struct approximation *root)
{
    struct approximation value =
        approximation_sum(approximation_of(dd_of_product(at->c3, e), FILTER_UNDERFLOW), at->c2);
    value = approximation_sum(approximation_product_double(value, e), at->c1);
    value = approximation_sum(approximation_product_double(value, e), at->c0);

    double c1 = at->c1.high, c2 = at->c2.high, c3 = at->c3;
    double slope = (3 * c3 * e + 2 * c2) * e + c1;
    double terms = (3 * fabs(c3 * e) + 2 * fabs(c2)) * fabs(e) + fabs(c1);
    double doubt = 8 * 0x1p-53 * terms + at->c1.error + 2 * fabs(e) * at->c2.error;
    double step = -value.high / slope;
    double size = fabs(step), steepness = fabs(slope);
    double bend = fabs(c2) * (1 + 0x1p-50) + at->c2.error + 3 * fabs(c3) * (fabs(e) + size);
    double rest = 2.1 * 0x1p-53 * fabs(value.high) + value.error + doubt * size +
                  bend * size * size + FILTER_UNDERFLOW;
    double radius = rest * FILTER_SLOP / (0.9 * steepness) + FILTER_UNDERFLOW;
    double change = doubt + 2 * (bend + 3 * fabs(c3) * radius) * (size + radius);
    struct dd sum = dd_sum_double(dd_of_sum(e, step), z);
    *root = approximation_of(sum, FILTER_SUM_DOUBLE * fabs(sum.high) + radius * FILTER_SLOP);
    return slope * slope_sign > 0x1p-300 && size + radius <= 0x1p-20 &&
           change <= 0.0899 * steepness;
}

/* More offsets than this do not help. */
enum { OFFSETS_MAX = 8 };

/* From a guess to a root: moves z until the root is next to it. */
FILTER_INLINE bool refine(const struct polynomial *p, struct guess guess, double slope_sign,
                          struct wide *root)
{
    for (int i = 0; i < OFFSETS_MAX; i++) {
        double q[COEFFICIENTS];
        set_unit(p, guess.exponent, q);
        struct shifted at = shift_to(q, guess.z);
        double offset = guess_offset(&at, slope_sign);
        if (fabs(offset) <= 0x1p-40) {
            root->exponent = guess.exponent;
            return certify(&at, guess.z, offset, slope_sign, &root->x);
        }
        int shift = 0;
        guess.z = frexp(guess.z + offset, &shift);
        guess.exponent += shift;
        if (!(fabs(guess.z) >= 0.5) || shift < -60 || shift > 60) {
            break;
        }
    }
    return false;
}

/* All real roots, which are simple: as many as the degree says or, if not `all`, two less. They are
 * these, and different, if their enclosures are in order. */
FILTER_INLINE bool find_simple(const struct polynomial *p, bool all, struct roots *roots)
{
    struct guesses guesses;
    int count = all ? p->degree : p->degree - 2;
    filter_cubic_guess(p, all, &guesses);
    if (guesses.count != count) {
        return false;
    }
    double sign = polynomial_first_slope(p);
    for (int i = 0; i < count; i++, sign = -sign) {
        struct wide root;
        if (!refine(p, guesses.guess[i], sign, &root)) {
            return false;
        }
        roots_append(roots, root, 1);
    }
    return true;
}

/* All roots but 0, if they are certain. */
FILTER_INLINE bool find_roots(const struct polynomial *p, struct roots *roots)
{
    roots->count = 0;
    if (p->degree == 0) {
        return true;
    }
    if (p->degree == 1) {
        struct wide d = wide_of_coefficient(p, 3), c = wide_of_coefficient(p, 2);
        roots_append(roots, wide_times(wide_quotient(d, c), -1), 1);
        return true;
    }
    int sign = discriminant_sign(p);
    if (sign == 0) {
        sign = filter_cubic_exact_sign(p, roots);
    }
    return sign == 0 || (sign != 2 && find_simple(p, sign > 0, roots));
}

/* A root must be known so well, relatively, for figures to be settled. */
static const double ENOUGH = 0x1p-80;

/* Do the enclosures lie apart and rise? */
FILTER_INLINE bool in_order(const struct roots *roots)
{
    for (int i = 0; i < roots->count; i++) {
        const struct wide *root = &roots->root[i];
        if (!(root->x.error <= ENOUGH * fabs(root->x.high)) ||
            (i > 0 && approximation_sign(wide_difference(*root, roots->root[i - 1]).x) <= 0)) {
            return false;
        }
    }
    return true;
}

/* What a number may be multiplied by: roots are below 2^2100 in size and above 2^-2100. */
enum { SHIFT_MAX = 2000 };

FILTER_INLINE void put_root(const struct wide *root, size_t at, struct estimate *estimate)
{
    int shift = -root->exponent;
    shift = shift > SHIFT_MAX ? SHIFT_MAX : shift < -SHIFT_MAX ? -SHIFT_MAX : shift;
    estimate->shift[at] = shift;
    estimate->value[at] = approximation_scaled(root->x, power_of_two(root->exponent + shift));
}

/* The roots with 0 among them, and what goes with them. */
FILTER_INLINE void put_roots(const struct polynomial *p, const struct roots *roots,
                             struct estimate *estimate)
{
    size_t count = (size_t)roots->count + (p->zeros > 0), at = 0;
    bool zero_is_next = p->zeros > 0;
    for (int i = 0; i <= roots->count; i++) {
        bool last = i == roots->count;
        if (zero_is_next && (last || roots->root[i].x.high > 0)) {
            estimate->value[count + at] = approximation_of_double((double)p->zeros);
            estimate->value[at++] = approximation_of_double(0);
            zero_is_next = false;
        }
        if (!last) {
            estimate->value[count + at] = approximation_of_double(roots->multiplicity[i]);
            put_root(&roots->root[i], at++, estimate);
        }
    }
    estimate->length[ROOTS] = count;
    estimate->length[MULTIPLICITIES] = count;
    estimate->value[2 * count] = approximation_of_double(CODE_ROOTS);
}

FILTER_INLINE void put_code(int code, struct estimate *estimate)
{
    estimate->length[ROOTS] = 0;
    estimate->length[MULTIPLICITIES] = 0;
    estimate->value[0] = approximation_of_double(code);
}

FILTER_INLINE bool cubic_roots_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *x = inputs->number;
    bool finite = true, zero = true;
    for (int i = 0; i < COEFFICIENTS; i++) {
        finite = finite && isfinite(x[i]);
        zero = zero && x[i] == 0;
    }
    if (!finite || zero) {
        put_code(!finite ? CODE_NOT_FINITE : CODE_EVERY_NUMBER, estimate);
        return true;
    }
    struct polynomial p;
    struct roots roots;
    polynomial_set(&p, x);
    if (!find_roots(&p, &roots) || !in_order(&roots)) {
        return false;
    }
    put_roots(&p, &roots, estimate);
    return true;
}

FILTER_ESTIMATE(estimate_cubic_roots, cubic_roots_estimation)
