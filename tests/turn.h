/* Two vectors, the angle between them and the plane that they span, once more: angles from chords,
 * orthogonal directions by Gram's and Schmidt's subtraction, sines from half-angle tangents, and
 * what is decided exactly in rationals. Nothing of it is how the oracle does it. */
#ifndef TRUELERP_TESTS_TURN_H
#define TRUELERP_TESTS_TURN_H

#include <mpfr.h>
#include <stddef.h>

enum {
    TURN_DIMENSIONS_MAX = 4,
    TURN_PRECISION = 9000,
    TURN_BITS = 6000 /* a result's error is below 2^-TURN_BITS of what its function names */
};

enum turn_kind { TURN_SPANNED, TURN_ZERO, TURN_ALIKE, TURN_OPPOSITE };

/* Decided in rationals, of finite vectors. */
enum turn_kind turn_kind_of(const double *a, const double *b, size_t dimensions);

/* The sign of a . b, decided in rationals. */
int turn_sign_of_dot(const double *a, const double *b, size_t dimensions);

/* All numbers below have TURN_PRECISION bits. */

void turn_length(mpfr_t length, const double *numbers, size_t dimensions);

/* The angle between two vectors that are not 0, up to its own error. They are as near to each other
 * or to opposite as doubles can be at most. */
void turn_angle(mpfr_t angle, const double *a, const double *b, size_t dimensions);

/* a turned by phi in the plane of both towards b or, unless that is spanned, towards the axis of
 * a's smallest component; up to the error of |a|. a is not 0. */
void turn_rotate(mpfr_t *result, const double *a, const double *b, double phi, size_t dimensions);

/* The defining formula of slerp, up to the error of the result's length; spanned planes with an
 * angle of at most a little more than pi/2, t in [0, 1]. */
void turn_slerp(mpfr_t *result, const double *a, const double *b, double t, size_t dimensions);

#endif
