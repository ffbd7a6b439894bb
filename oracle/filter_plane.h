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
    uint64_t bits =
        exponent < -1022 ? 0 : (uint64_t)(exponent > 1023 ? 2047 : exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* A vector of length 2^exponent |c|. */
struct filter_vector {
    double c[FILTER_DIMENSIONS_MAX];
    int exponent;
    double least;                /* the size of the smallest component but 0 */
    struct approximation length; /* |c|, at least 1 */
};

/* The square root of a sum of `count` products of a number with itself, each within `product` u^2
 * of itself. Nothing being negative, the sum is within product + 3.0001 (count - 1) u^2 of itself,
 * and the root within half of that and 6 u^2. */
FILTER_INLINE struct approximation filter_root_of_sum(const struct dd *square, size_t count,
                                                      double product)
{
    struct dd sum = square[0];
    for (size_t k = 1; k < count; k++) {
        sum = dd_sum(sum, square[k]);
    }
    double error = (product + 3.0001 * (double)(count - 1)) * 0x1p-106 * sum.high;
    return approximation_root(approximation_of(sum, error * FILTER_SLOP + FILTER_UNDERFLOW));
}

/* Returns false where it is 0 or not finite, or components are so far apart that scaling would not
 * be exact. */
FILTER_INLINE bool filter_vector_set(struct filter_vector *vector, const double *components,
                                     size_t dimensions)
{
    double most = 0, least = INFINITY;
    for (size_t k = 0; k < dimensions; k++) {
        double size = fabs(components[k]);
        most = size > most || isnan(size) ? size : most;
        least = size < least && size > 0 ? size : least;
    }
    if (!(most >= 0x1p-1022 && most <= 0x1p1023)) {
        return false;
    }
    uint64_t bits;
    memcpy(&bits, &most, sizeof bits);
    vector->exponent = (int)(bits >> 52) - 1023;
    double power = filter_power_of_two(-vector->exponent);
    vector->least = least * power;
    if (!(vector->least >= 0x1p-1000)) {
        return false;
    }
    struct dd square[FILTER_DIMENSIONS_MAX];
    for (size_t k = 0; k < dimensions; k++) {
        vector->c[k] = components[k] * power;
        square[k] = dd_of_product(vector->c[k], vector->c[k]);
    }
    vector->length = filter_root_of_sum(square, dimensions, 0);
    return true;
}

/* Of the vectors' c */
struct filter_plane {
    size_t dimensions;
    const double *a, *b;
    struct dd minor[FILTER_MINORS_MAX]; /* a_i b_j - a_j b_i times 2^-exponent, i < j, i slowest */
    int exponent;
    struct approximation across; /* the root of the sum of these minors' squares; at least 1 */
};

/* a . b: the products are exact, or off by 2^-1075 where one is below 2^-968. */
FILTER_INLINE struct approximation filter_dot(const double *a, const double *b, size_t dimensions)
{
    struct approximation dot = approximation_of(dd_of_product(a[0], b[0]), 0);
    for (size_t k = 1; k < dimensions; k++) {
        dot = approximation_sum(dot, approximation_of(dd_of_product(a[k], b[k]), 0));
    }
    return dot;
}

/* Returns false where there is no plane, or so thin a one that products would not be exact.
 *
 * As products are 0 or at least 2^-968, they are exact, and each minor, a difference of two exact
 * double-doubles, is within 3.0001 u^2 of itself, however much cancels. So is 0 only what is 0. The
 * squares are within 2 * 3.0001 + 6.5 and higher orders: 12.501 u^2. */
FILTER_INLINE bool filter_plane_set(struct filter_plane *plane, const struct filter_vector *a,
                                    const struct filter_vector *b, size_t dimensions)
{
    *plane = (struct filter_plane){.dimensions = dimensions, .a = a->c, .b = b->c};
    if (!(a->least * b->least >= 0x1p-968)) {
        return false;
    }
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < dimensions; i++) {
        for (size_t j = i + 1; j < dimensions; j++, count++) {
            struct dd minor = dd_sum(dd_of_product(a->c[i], b->c[j]),
                                     dd_negative(dd_of_product(a->c[j], b->c[i])));
            plane->minor[count] = minor;
            most = fmax(most, fabs(minor.high));
        }
    }
    if (!(most >= 0x1p-1000)) {
        return false;
    }
    uint64_t bits;
    memcpy(&bits, &most, sizeof bits);
    plane->exponent = (int)(bits >> 52) - 1023;
    double power = filter_power_of_two(-plane->exponent);
    struct dd square[FILTER_MINORS_MAX];
    for (size_t k = 0; k < count; k++) {
        plane->minor[k] = dd_scaled(plane->minor[k], power);
        square[k] = dd_product(plane->minor[k], plane->minor[k]);
    }
    plane->across = filter_root_of_sum(square, count, 12.501);
    return true;
}

/* The angle between the two; false where it is not known well. */
FILTER_INLINE bool filter_plane_angle(const struct filter_plane *plane, struct approximation dot,
                                      struct approximation *angle)
{
    double power = filter_power_of_two(plane->exponent);
    return filter_angle(approximation_scaled(plane->across, power), dot, angle);
}

/* cosine a + sine |a| w in each component, w being the unit vector across a on b's side.
 *
 * |a| w_j is W_j / across with W_j = sum over i of a_i M_ij, as plane_turn says. Every product is
 * within 3.0001 + 2.5 u^2 of itself, and every addition within 3.0001 u^2 (1 + 5u) of the absolute
 * terms so far, of which there are dimensions - 1. The terms' sizes together are at most
 * |a| across, by the Cauchy-Schwarz inequality. */
FILTER_INLINE void filter_plane_turn(struct approximation *value, const struct filter_plane *plane,
                                     struct approximation length_a, struct approximation cosine,
                                     struct approximation sine)
{
    const double *a = plane->a;
    struct dd turned[FILTER_DIMENSIONS_MAX] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    const struct dd *minor = plane->minor;
    for (size_t i = 0; i < plane->dimensions; i++) {
        for (size_t j = i + 1; j < plane->dimensions; j++, minor++) {
            turned[j] = dd_sum_loose(turned[j], dd_product_double(*minor, a[i]));
            turned[i] = dd_sum_loose(turned[i], dd_product_double(*minor, -a[j]));
        }
    }
    double terms = 5.501 + 3.001 * (double)(plane->dimensions - 2);
    double size = (length_a.high + length_a.error) * (plane->across.high + plane->across.error);
    double error = terms * 0x1p-106 * size * FILTER_SLOP + FILTER_UNDERFLOW;
    struct approximation factor = approximation_quotient(sine, plane->across);
    for (size_t k = 0; k < plane->dimensions; k++) {
        value[k] =
            approximation_sum(approximation_product_double(cosine, a[k]),
                              approximation_product(factor, approximation_of(turned[k], error)));
    }
}

#endif
