/* How far a segment's values reach over a stretch of its time.
 *
 * Value and scale are cubics of the parameter, and so is what a tolerance makes of both. A cubic by
 * its Bernstein coefficients lies between the least and the largest of them, which are its values
 * at the ends or above them by a share of the stretch's length squared: halving soon tells where
 * its maximum is. */
#ifndef TRUELERP_ORACLE_REACH_H
#define TRUELERP_ORACLE_REACH_H

#include "segment.h"

#include <stdbool.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* The Bernstein coefficients of F and S on the stretch from `from` to `to` of a segment inside of
 * which no rule holds, t0 <= from <= to <= t1. Both ends may be those of the segment. */
void reach_coefficients(mpfi_t value[4], mpfi_t scale[4], const struct segment_data *data,
                        bool weighted, mpfr_srcptr from, mpfr_srcptr to);

/* The coefficients on the part of a stretch from `from` to `to`, 0 and 1 being the stretch's ends.
 */
void reach_part(mpfi_t part[4], mpfi_t coefficient[4], double from, double to);

/* Encloses the maximum on the stretch of the cubic with these coefficients, after at most `depth`
 * halvings. With depth and precision, the enclosure narrows to the maximum. */
void reach_maximum(mpfi_ptr maximum, mpfi_t coefficient[4], int depth);

#endif
