/* Two things at one place: may an infinity stand for a blend at some time in its window? */
#ifndef TRUELERP_ORACLE_JOINT_H
#define TRUELERP_ORACLE_JOINT_H

#include "assessment.h"

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* A sum over one or two sides of weight[i] times F, and times S, of which `value` and `scale` are
 * the four Bernstein coefficients each on its stretch. In a blend S is S + |F|. */
struct joint {
    size_t count;
    mpfi_t *value[2], *scale[2];
    mpfi_srcptr weight[2]; /* not negative */
    int sign;              /* of the infinity */
    double kappa;
    mpfi_srcptr limit;
    mpfr_prec_t precision;
};

/* Is there a place, one on each side's stretch, at which sign F > 0 and sign F + kappa S >= limit?
 * Either may hold elsewhere than the other. Sides are halved up to `depth` times. */
enum verdict joint_holds(const struct joint *joint, int depth);

#endif
