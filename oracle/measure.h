/* The unit in the last place, and the grid that reported errors lie on (see judge.h). */
#ifndef TRUELERP_ORACLE_MEASURE_H
#define TRUELERP_ORACLE_MEASURE_H

#include <mpfr.h>

/* e, where ulp(x) = 2^e = 2^(max(exponent of x, -1022) - 52), as if doubles had no largest
 * exponent; -1074 for 0 and for what is no number. */
mpfr_exp_t ulp_exponent(mpfr_srcptr x);

/* The grid point nearest to x >= 0, ties to even; the last one for what is no number. */
double grid_nearest(mpfr_srcptr x);

/* The least grid point above one below 2^1023. */
double grid_above(double point);

#endif
