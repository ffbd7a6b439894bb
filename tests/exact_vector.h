/* Vectors of doubles, of any length up to 8, measured exactly: sums of products are rounded once,
 * so that no precision is lost where they cancel. */
#ifndef TRUELERP_TESTS_EXACT_VECTOR_H
#define TRUELERP_TESTS_EXACT_VECTOR_H

#include <mpfr.h>
#include <stdbool.h>

enum { EXACT_VECTOR_MOST = 8, EXACT_VECTOR_PRECISION = 400 };

/* Numbers of EXACT_VECTOR_PRECISION bits. */
typedef mpfr_t exact_vector[EXACT_VECTOR_MOST];

void exact_vector_init(exact_vector v);
void exact_vector_clear(exact_vector v);

/* a . b rounded once, to the precision of `dot`; its sign is exact. */
void exact_dot(mpfr_t dot, const double *a, const double *b, int count);
void exact_length(mpfr_t length, const double *a, int count);

/* |v|, rounded twice */
void exact_vector_length(mpfr_t length, exact_vector v, int count);

/* |a|^2 |b|^2 - (a . b)^2 as the sum over i < j of (a_i b_j - a_j b_i)^2; 0 only if it is 0. */
void exact_bivector_square(mpfr_t square, const double *a, const double *b, int count);

/* atan2(sqrt(exact_bivector_square), a . b) */
void exact_angle(mpfr_t angle, const double *a, const double *b, int count);

/* |got - value| <= factor 2^-53 scale + sqrt(count) 2^-1074 over the finite components; each
 * infinite one must be allowed there and of the value's sign. */
bool exact_vector_is_within(const double *got, exact_vector value, int count, double factor,
                            const mpfr_t scale);

#endif
