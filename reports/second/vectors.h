/* Two vectors of three or four components, and the angle between them. */
#ifndef TRUELERP_REPORTS_SECOND_VECTORS_H
#define TRUELERP_REPORTS_SECOND_VECTORS_H

#include "ball.h"

#include <stddef.h>

enum { DIMENSIONS_MOST = 4 };

enum relation { RELATION_SPANNED, RELATION_ZERO, RELATION_ALIKE, RELATION_OPPOSITE };

/* Sums of products of doubles, all of them exact. */
struct pair {
    size_t dimensions;
    const double *a, *b;
    enum relation relation;
    arb_t aa, bb, ab; /* a . a, b . b, a . b */
    arb_t gram;       /* |a|^2 |b|^2 - (a . b)^2 = (|a| |b| sin(theta))^2 */
};

void vectors_open(struct pair *pair, const double *a, const double *b, size_t dimensions);
void vectors_close(struct pair *pair);

/* theta = atan2(|a x b|, a . b); spanned only */
void vectors_angle(arb_t angle, const struct pair *pair, slong precision);

/* The unit vector across a on b's side or, unless spanned, the axis of a's smallest component made
 * orthogonal to a; a is not 0. */
void vectors_across(arb_t *across, const struct pair *pair, slong precision);

void vector_init(arb_t *vector);
void vector_clear(arb_t *vector);

#endif
