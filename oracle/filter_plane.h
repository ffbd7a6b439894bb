/* Two vectors and the plane that they span, as plane.h has it, in double-double with proven bounds.
 *
 * Each vector is first divided by a power of two, so that its largest component is in [1, 2): then
 * no length is below 1, and what underflows is below all errors that matter. So are all bounds here
 * that are stated without it; the absolute parts, some 2^-1070, are in FILTER_UNDERFLOW.
 * u = 2^-53. */
#ifndef TRUELERP_ORACLE_FILTER_PLANE_H
#define TRUELERP_ORACLE_FILTER_PLANE_H

#include "filter_trig.h"

enum { FILTER_DIMENSIONS_MAX = 4, FILTER_MINORS_MAX = 6 };

/* 2^exponent in the normal range; 0 below and infinite above. */
FILTER_INLINE double filter_power_of_two(int exponent)
{
    return double_of(exponent < -1022 ? 0
                                      : (uint64_t)(exponent > 1023 ? 2047 : exponent + 1023) << 52);
}

/* A vector of length 2^exponent |c|. */
struct filter_vector {
    double c[FILTER_DIMENSIONS_MAX];
    int exponent;
    double least;                /* the size of the smallest component but 0 */
    struct approximation length; /* |c|, at least 1 */
    double inverse;              /* 1 / |c|, within 2.6 u of itself */
};

/* The sum of 3, 4 or 6 numbers, the high parts' without error and the low ones apart, which spares
 * all steps but the last one.
 *
 * Let T be the sum of their sizes, and each low part at most m u of its number. In units of u^2 T,
 * the additions of low parts are rounded within, (1 + 8u) included:
 *     3: numbers' m + m, sums' 2, both m + 2                        3 m + 4
 *     4: numbers' m + m, sums' 1 + 2, both m + 2                    3 m + 5
 *     6: numbers' m + m + m, sums' 1 + 1 + 2 + 3, both m + 3        4 m + 10
 * The last addition is exact. */
FILTER_INLINE struct dd filter_sum_of(const struct dd *x, size_t count)
{
    struct dd sum = dd_of_sum(x[0].high, x[1].high);
    double low = x[0].low + x[1].low;
    if (count == 3) {
        struct dd all = dd_of_sum(sum.high, x[2].high);
        return dd_of_sum(all.high, (low + x[2].low) + (sum.low + all.low));
    }
    struct dd next = dd_of_sum(x[2].high, x[3].high);
    struct dd four = dd_of_sum(sum.high, next.high);
    low += x[2].low + x[3].low;
    double sums = sum.low + next.low;
    if (count == 4) {
        return dd_of_sum(four.high, low + (sums + four.low));
    }
    struct dd last = dd_of_sum(x[4].high, x[5].high);
    struct dd all = dd_of_sum(four.high, last.high);
    low += x[4].low + x[5].low;
    return dd_of_sum(all.high, low + ((sums + last.low) + (four.low + all.low)));
}

/* What that is off by: 7 or 8 where low parts are at most u of their numbers, and 13 or 22 where
 * they are at most 3u. */
FILTER_INLINE double filter_sum_error(size_t count, size_t low)
{
    size_t units = count == 6 ? 4 * low + 10 : 3 * low + (count == 4 ? 5 : 4);
    return ((double)units + 0.001) * 0x1p-106;
}

/* The square root of a sum of 3, 4 or 6 products of a number with itself, the largest at least 1,
 * each within `product` u^2 of itself and with a low part of at most `low` u; and its inverse, in
 * double. One division makes both: it is 1 / 2s, by which the rest is multiplied, where dd_root
 * divides by 2s.
 *
 * With s = sqrt(x.high) rounded, sqrt(x) = s (1 + at most 3/2 u (1 + u)), in units of u^2 x:
 *     x.high - p.high: exact (Sterbenz); that - p.low, at most 2u: rounded within          2
 *     x.low + that, at most 3u: rounded within                                             3
 * which are half of that in units of u^2 sqrt(x)                                           2.5
 *     1 / 2s in place of 1 / (s + sqrt(x)), within 3/4 u of it, times 3/2 u                1.125
 *     its rounding, u, times 3/2 u                                                         1.5
 *     the product's rounding                                                               1.5
 * together less than 6.7. And the roots of two numbers x and X differ by |x - X| / (sqrt(x) +
 * sqrt(X)): half of what x is off by in units of itself. s is within 3/2 u of the root, and 1 / 2s
 * rounded within u: together 2.6 u of the root's inverse. */
FILTER_INLINE struct approximation filter_root_of_sum(const struct dd *square, size_t count,
                                                      double product, size_t low, double *inverse)
{
    struct dd sum = filter_sum_of(square, count);
    double s = sqrt(sum.high);
    double half = 0.5 / s;
    struct dd p = dd_of_product(s, s);
    double rest = ((sum.high - p.high) - p.low) + sum.low;
    struct dd root = dd_of_fast_sum(s, rest * half);
    double given = product * 0x1p-106 + filter_sum_error(count, low);
    double error = (6.7 * 0x1p-106 + 0.5 * given) * root.high;
    *inverse = 2 * half;
    return approximation_of(root, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* Returns false where it is 0 or not finite, or components are so far apart that scaling would not
 * be exact. Sizes are compared by their bits, among which NaN's are the largest. */
FILTER_INLINE bool filter_vector_set(struct filter_vector *vector, const double *components,
                                     size_t dimensions)
{
    uint64_t most = 0, least = UINT64_MAX;
    for (size_t k = 0; k < dimensions; k++) {
        uint64_t size = bits_of(components[k]) & UINT64_MAX >> 1;
        most = size > most ? size : most;
        least = size - 1 < least ? size - 1 : least; /* 0 is the largest there */
    }
    if (most < bits_of(0x1p-1022) || most > bits_of(0x1p1023)) {
        return false;
    }
    vector->exponent = (int)(most >> 52) - 1023;
    double power = filter_power_of_two(-vector->exponent);
    vector->least = double_of(least + 1) * power;
    if (!(vector->least >= 0x1p-1000)) {
        return false;
    }
    struct dd square[FILTER_DIMENSIONS_MAX];
    for (size_t k = 0; k < dimensions; k++) {
        vector->c[k] = components[k] * power;
        square[k] = dd_of_product(vector->c[k], vector->c[k]);
    }
    vector->length = filter_root_of_sum(square, dimensions, 0, 1, &vector->inverse);
    return true;
}

/* Which minor is where: the first three are those of three dimensions. */
static const struct {
    size_t i, j;
} filter_minors[FILTER_MINORS_MAX] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};

/* Of the vectors' c */
struct filter_plane {
    size_t dimensions;
    const double *a;
    struct dd minor[FILTER_MINORS_MAX]; /* a_i b_j - a_j b_i times 2^-exponent */
    int exponent;
    struct approximation across; /* the root of the sum of these minors' squares; at least 1 */
    double inverse;              /* 1 / across, within 2.6 u of itself */
    double about;                /* across, roughly, but at once */
    bool parallel;               /* all minors are 0, exactly: there is no such exponent */
};

/* a . b: the products are exact, or off by 2^-1075 where one is below 2^-968. */
FILTER_INLINE struct approximation filter_dot(const double *a, const double *b, size_t dimensions)
{
    struct dd product[FILTER_DIMENSIONS_MAX];
    double size = 0;
    for (size_t k = 0; k < dimensions; k++) {
        product[k] = dd_of_product(a[k], b[k]);
        size += fabs(product[k].high);
    }
    double error = filter_sum_error(dimensions, 1) * size;
    return approximation_of(filter_sum_of(product, dimensions),
                            error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* Returns false where the plane is so thin that products would not be exact.
 *
 * As products are 0 or at least 2^-968, they are exact, and each minor, a difference of two exact
 * double-doubles, is within 3.0001 u^2 of itself, however much cancels. So is 0 only what is 0. The
 * squares are within 2 * 3.0001 and, as filter_square has it, 4: 10.001 u^2. */
FILTER_INLINE bool filter_plane_set(struct filter_plane *plane, const struct filter_vector *a,
                                    const struct filter_vector *b, size_t dimensions)
{
    plane->dimensions = dimensions;
    plane->a = a->c;
    if (!(a->least * b->least >= 0x1p-968)) {
        return false;
    }
    double most = 0;
    size_t count = dimensions * (dimensions - 1) / 2;
    for (size_t k = 0; k < count; k++) {
        size_t i = filter_minors[k].i, j = filter_minors[k].j;
        plane->minor[k] =
            dd_sum(dd_of_product(a->c[i], b->c[j]), dd_negative(dd_of_product(a->c[j], b->c[i])));
        double size = fabs(plane->minor[k].high);
        most = size > most ? size : most; /* none is NaN */
    }
    plane->parallel = most == 0;
    if (!(most >= 0x1p-1000)) {
        return plane->parallel;
    }
    plane->exponent = (int)(bits_of(most) >> 52) - 1023;
    double power = filter_power_of_two(-plane->exponent);
    struct dd square[FILTER_MINORS_MAX];
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        plane->minor[k] = dd_scaled(plane->minor[k], power);
        square[k] = filter_square(plane->minor[k]);
        sum += square[k].high;
    }
    plane->about = sqrt(sum);
    plane->across = filter_root_of_sum(square, count, 10.001, 3, &plane->inverse);
    return true;
}

/* The angle between the two; false where it is not known well. */
FILTER_INLINE bool filter_plane_angle(const struct filter_plane *plane, struct approximation dot,
                                      struct approximation *angle)
{
    double power = filter_power_of_two(plane->exponent);
    struct filter_direction near;
    return filter_find_direction(dot.high, plane->about * power, &near) &&
           filter_angle(approximation_scaled(plane->across, power), dot, &near, angle);
}

/* The sum of minors times components: highs and lows are added apart.
 *
 * Let T be the sum of the `count` terms' sizes. In units of u^2 T: a minor is within 3.0001 of
 * itself; a product's low part, at most 2u of it, is rounded within 2; the roundings of the highs'
 * sum are kept, each at most u T (1 + u), so that all low parts together are at most (count + 1) u
 * T and each of 2 (count - 1) additions of them is rounded within (count + 1), (1 + 4u) included:
 * for 2 terms 11.1 u^2 T, for 3 terms 21.1. */
FILTER_INLINE double filter_turned_error(size_t count)
{
    return count == 2 ? 11.2 * 0x1p-106 : 21.2 * 0x1p-106;
}

struct filter_sum {
    double high, low;
};

FILTER_INLINE void filter_add_product(struct filter_sum *sum, struct dd minor, double component)
{
    struct dd product = dd_of_product(minor.high, component);
    struct dd high = dd_of_sum(sum->high, product.high);
    sum->high = high.high;
    sum->low += high.low + fma(minor.low, component, product.low);
}

/* cosine a + factor across |a| w in each component, where the factor is a sine / across, w being
 * the unit vector across a on b's side.
 *
 * |a| w_j is W_j / across with W_j = sum over i of a_i M_ij, as plane_turn says. Terms' sizes in
 * W_j are together at most |a| across, by the Cauchy-Schwarz inequality, and so is W_j. With c and
 * f for cosine and factor, c a_k + f W_k is off, in units of u^2, by
 *     c a_k: its own 2.5, and in the sum 3.0001 more       5.501 |c| |a|
 *     f W_k: its own 6.5, and in the sum 3.0001 more       9.501 |f| |a| across
 * and by the errors of c, f and W_k. */
FILTER_INLINE void filter_plane_turn(struct approximation *value, const struct filter_plane *plane,
                                     struct approximation length_a, struct approximation cosine,
                                     struct approximation factor)
{
    const double *a = plane->a;
    size_t dimensions = plane->dimensions, count = dimensions * (dimensions - 1) / 2;
    struct filter_sum turned[FILTER_DIMENSIONS_MAX] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    for (size_t k = 0; k < count; k++) {
        size_t i = filter_minors[k].i, j = filter_minors[k].j;
        filter_add_product(&turned[j], plane->minor[k], a[i]);
        filter_add_product(&turned[i], plane->minor[k], -a[j]);
    }
    struct dd c = approximation_center(cosine), f = approximation_center(factor);
    double length = length_a.high + length_a.error;
    double size = length * (plane->across.high + plane->across.error);
    double turned_error = filter_turned_error(dimensions - 1) * size + FILTER_UNDERFLOW;
    double error = (5.501 * 0x1p-106 * fabs(c.high) + cosine.error) * length +
                   (9.501 * 0x1p-106 * fabs(f.high) + factor.error) * size +
                   (fabs(f.high) + factor.error) * turned_error;
    for (size_t k = 0; k < dimensions; k++) {
        struct dd w = dd_of_sum(turned[k].high, turned[k].low);
        struct dd sum = dd_sum_loose(dd_product_double(c, a[k]), dd_product(f, w));
        value[k] = approximation_of(sum, error * FILTER_SLOP + FILTER_UNDERFLOW);
    }
}

/* The same in three dimensions with the axis's unit vector p in place of w: see plane_turn_by_axis.
 * With R^2 the sum of the two larger components' squares, which are exact,
 *     |a| p_k = R,    |a| p_j = -a_k a_j / R. */
FILTER_INLINE void filter_turn_by_axis(struct approximation *value, const double *a,
                                       struct approximation cosine, struct approximation sine)
{
    size_t smallest = fabs(a[1]) < fabs(a[0]) ? 1 : 0;
    smallest = fabs(a[2]) < fabs(a[smallest]) ? 2 : smallest;
    double first = a[smallest == 0 ? 1 : 0], second = a[smallest == 2 ? 1 : 2];
    struct approximation rest =
        approximation_root(approximation_sum(approximation_of(dd_of_product(first, first), 0),
                                             approximation_of(dd_of_product(second, second), 0)));
    struct approximation factor = approximation_quotient(sine, rest);
    for (size_t k = 0; k < 3; k++) {
        struct approximation across =
            k == smallest
                ? approximation_product(sine, rest)
                : approximation_product(factor,
                                        approximation_of(dd_of_product(-a[smallest], a[k]), 0));
        value[k] = approximation_sum(approximation_product_double(cosine, a[k]), across);
    }
}

#endif
