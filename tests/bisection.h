/* The even turn from one direction to another once more, by bisection.
 *
 * The direction half way between two unit vectors p and q is (p + q)/|p + q|; repeating that for
 * every binary digit of t gives the direction at any double t, from square roots alone: no sine, no
 * arc tangent, nothing in common with the formula that the oracle evaluates. */
#ifndef TRUELERP_TESTS_BISECTION_H
#define TRUELERP_TESTS_BISECTION_H

#include <mpfr.h>
#include <stdbool.h>

enum { BISECTION_PRECISION = 3000, LITERAL_PRECISION = 6000, BISECTION_T_LIMIT = 1000 };

typedef mpfr_t vector[3];

void vector_init(vector v, mpfr_prec_t precision);
void vector_clear(vector v);
void vector_set_d(vector v, const double numbers[3]);
void vector_cross(vector cross, vector a, vector b);
void vector_dot(mpfr_t dot, vector a, vector b);
void vector_length(mpfr_t length, vector v);

/* What slerp3_unclamped(a, b, t) is by definition, for finite arguments, a and b not 0 and |t| at
 * most BISECTION_T_LIMIT. Returns n: each component is off by at most 2^-n times
 * |1 - t||a| + |t||b|. That is a little less than `result` has bits, but no more than some 700
 * where the directions are as close to opposite as doubles can be. */
long bisection_slerp3(vector result, const double a[3], const double b[3], double t);

/* The same by the formula with sines, for any finite t and vectors that are not collinear. */
long literal_slerp3(vector result, const double a[3], const double b[3], double t);

/* (1 - t)|a| + t|b|; with `absolute`, the sum of the terms' absolute values. */
void linear_length(mpfr_t length, const double a[3], const double b[3], double t, bool absolute);

/* a x b = 0, decided exactly. */
bool is_collinear(const double a[3], const double b[3]);

/* Sign of a.b, decided exactly. */
int sign_of_dot(const double a[3], const double b[3]);

#endif
