/* What the verdict on roots rests on. */
#ifndef TRUELERP_ORACLE_CUBIC_ROOTS_H
#define TRUELERP_ORACLE_CUBIC_ROOTS_H

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* Encloses |p| and the sum of its terms' sizes over an interval, or at a point, of the polynomial
 * with these coefficients from x^3 down. */
void cubic_residual(const double *coefficients, mpfi_srcptr over, mpfi_ptr value, mpfi_ptr sum,
                    mpfr_prec_t precision);

#endif
