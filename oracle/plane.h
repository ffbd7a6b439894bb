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

/* Encloses cosine a + sine |a| w in each component, with w the unit vector across a on b's side.
 * Spanned planes only. */
void plane_turn(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine, mpfi_srcptr sine);

/* The same with p in place of w: the unit vector of e_k made orthogonal to a, k being the index of
 * a's smallest component in size, the lowest one of equals. a is not zero. */
void plane_turn_by_axis(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine,
                        mpfi_srcptr sine);

#endif
