#include "measure.h"
#include "interval.h"

#include <math.h>

enum { LEAST_EXPONENT = -1022, FRACTION_BITS = 52, GRID_BITS = 32, GRID_LAST_EXPONENT = 1023 };

mpfr_exp_t ulp_exponent(mpfr_srcptr x)
{
    if (!mpfr_regular_p(x)) {
        return LEAST_EXPONENT - FRACTION_BITS;
    }
    mpfr_exp_t exponent = mpfr_get_exp(x) - 1; /* MPFR's mantissas lie in [1/2, 1) */
    return (exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT) - FRACTION_BITS;
}

double grid_nearest(mpfr_srcptr x)
{
    if (mpfr_zero_p(x)) {
        return 0;
    }
    if (!mpfr_number_p(x) || mpfr_get_exp(x) > GRID_LAST_EXPONENT) {
        return ldexp(1, GRID_LAST_EXPONENT);
    }
    mpfr_exp_t exponent = mpfr_get_exp(x) - 1;
    mpfr_exp_t bits = exponent < 0 ? exponent + 1 + GRID_BITS : 1 + GRID_BITS;
    if (bits <= 0) { /* below 2^-32: half of that is a tie, and 0 is even */
        return mpfr_cmp_ui_2exp(x, 1, -GRID_BITS - 1) > 0 ? ldexp(1, -GRID_BITS) : 0;
    }
    mpfi_t *scratch = interval_take(1, 64);
    mpfr_ptr rounded = &scratch[0]->left;
    mpfr_set_prec(rounded, bits);
    mpfr_set(rounded, x, MPFR_RNDN);
    double point = mpfr_get_d(rounded, MPFR_RNDN); /* at most 33 bits: exact */
    interval_return(1);
    return point;
}

double grid_above(double point)
{
    int exponent = point < 1 ? 0 : ilogb(point);
    return point + ldexp(1, exponent - GRID_BITS);
}
