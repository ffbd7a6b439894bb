/* Two vectors of three or four components and the plane that they span: how they lie to each other,
 * and the first one turned in it. */
#ifndef TRUELERP_ORACLE_PLANE_H
#define TRUELERP_ORACLE_PLANE_H

#include <stdbool.h>
#include <stddef.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

enum { PLANE_DIMENSIONS_MAX = 4, PLANE_MINORS_MAX = 6 };

/* Decided exactly, not by any threshold. */
enum plane_kind {
    PLANE_SPANNED,
    PLANE_ZERO,     /* a vector is zero */
    PLANE_ALIKE,    /* both have one direction */
    PLANE_OPPOSITE, /* they have exactly opposite ones */
};

/* Made by plane_open. Its intervals are taken from the thread's work space; whatever is taken after
 * them must be returned before plane_close. */
struct plane {
    enum plane_kind kind;
    size_t dimensions;
    const double *a, *b;
    mpfi_t *minor;   /* a_i b_j - a_j b_i for i < j, i rising slowest */
    mpfi_ptr dot;    /* a . b */
    mpfi_ptr across; /* the root of the sum of the minors' squares: |a| |b| sin(angle) */
    mpfi_ptr work;
};

/* The length of a finite vector, exact where it is rational and fits the precision. */
void plane_length(mpfi_ptr length, const double *vector, size_t dimensions);

/* Of finite vectors. */
void plane_open(struct plane *plane, const double *a, const double *b, size_t dimensions,
                mpfr_prec_t precision);
void plane_close(struct plane *plane);

/* Encloses the angle between the two, in [0, pi]; spanned planes only. */
void plane_angle(mpfi_ptr angle, const struct plane *plane);

/* The angle in twelfths of pi where it is pi/6, pi/4, pi/3, pi/2 or pi less one of these, decided
 * exactly; else 0. They are the only ones between 0 and pi with a rational part of pi: the square
 * of an angle's cosine, (a . b)^2 / |a|^2 |b|^2, is rational, and so is the cosine of its double,
 * which then must be 0, 1/2 or 1 in size (I. Niven: Irrational Numbers, 1956, theorem 3.9). Spanned
 * planes only. */
unsigned plane_twelfths(const struct plane *plane);

/* Encloses cosine a + sine |a| w in each component, with w the unit vector across a on b's side.
 * Spanned planes only. */
void plane_turn(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine, mpfi_srcptr sine);

/* Is component k of cosine a + sine |a| w exactly 0, for the angle n pi/12? Spanned planes only. */
bool plane_turned_is_zero(const struct plane *plane, size_t k, unsigned n);

/* The same as plane_turn with p in place of w: the unit vector of e_k made orthogonal to a, k being
 * the index of a's smallest component in size, the lowest one of equals. a is not zero. */
void plane_turn_by_axis(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine,
                        mpfi_srcptr sine);

#endif
