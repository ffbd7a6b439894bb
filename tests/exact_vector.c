#include "exact_vector.h"

#include <float.h>
#include <math.h>

/* A product of two doubles fits. */
enum { PRODUCT_PRECISION = 2 * DBL_MANT_DIG };

void exact_vector_init(exact_vector v)
{
    for (int i = 0; i < EXACT_VECTOR_MOST; i++) {
        mpfr_init2(v[i], EXACT_VECTOR_PRECISION);
    }
}

void exact_vector_clear(exact_vector v)
{
    for (int i = 0; i < EXACT_VECTOR_MOST; i++) {
        mpfr_clear(v[i]);
    }
}

void exact_dot(mpfr_t dot, const double *a, const double *b, int count)
{
    mpfr_t product[EXACT_VECTOR_MOST];
    mpfr_ptr term[EXACT_VECTOR_MOST] = {NULL};
    for (int i = 0; i < count; i++) {
        mpfr_init2(product[i], PRODUCT_PRECISION);
        mpfr_set_d(product[i], a[i], MPFR_RNDN);
        mpfr_mul_d(product[i], product[i], b[i], MPFR_RNDN);
        term[i] = product[i];
    }
    mpfr_sum(dot, term, (unsigned long)count, MPFR_RNDN);
    for (int i = 0; i < count; i++) {
        mpfr_clear(product[i]);
    }
}

void exact_length(mpfr_t length, const double *a, int count)
{
    exact_dot(length, a, a, count);
    mpfr_sqrt(length, length, MPFR_RNDN);
}

void exact_vector_length(mpfr_t length, exact_vector v, int count)
{
    mpfr_t square;
    mpfr_init2(square, mpfr_get_prec(length));
    mpfr_set_zero(length, 1);
    for (int i = 0; i < count; i++) {
        mpfr_sqr(square, v[i], MPFR_RNDN);
        mpfr_add(length, length, square, MPFR_RNDN);
    }
    mpfr_sqrt(length, length, MPFR_RNDN);
    mpfr_clear(square);
}

void exact_bivector_square(mpfr_t square, const double *a, const double *b, int count)
{
    exact_vector x;
    exact_vector_init(x);
    mpfr_set_zero(square, 1);
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            mpfr_set_d(x[0], a[i], MPFR_RNDN);
            mpfr_set_d(x[1], b[j], MPFR_RNDN);
            mpfr_set_d(x[2], a[j], MPFR_RNDN);
            mpfr_set_d(x[3], b[i], MPFR_RNDN);
            mpfr_fmms(x[4], x[0], x[1], x[2], x[3], MPFR_RNDN);
            mpfr_sqr(x[4], x[4], MPFR_RNDN);
            mpfr_add(square, square, x[4], MPFR_RNDN);
        }
    }
    exact_vector_clear(x);
}

void exact_angle(mpfr_t angle, const double *a, const double *b, int count)
{
    mpfr_t sine;
    mpfr_init2(sine, mpfr_get_prec(angle));
    exact_bivector_square(sine, a, b, count);
    mpfr_sqrt(sine, sine, MPFR_RNDN);
    exact_dot(angle, a, b, count);
    mpfr_atan2(angle, sine, angle, MPFR_RNDN);
    mpfr_clear(sine);
}

/* |value| + tolerance >= 2^1024 - 2^970, and `got` has its sign. */
static bool may_be_infinite(double got, const mpfr_t value, const mpfr_t tolerance)
{
    mpfr_t most;
    mpfr_init2(most, EXACT_VECTOR_PRECISION);
    mpfr_abs(most, value, MPFR_RNDN);
    mpfr_add(most, most, tolerance, MPFR_RNDN);
    mpfr_add_d(most, most, ldexp(1, 970), MPFR_RNDN);
    bool may = mpfr_cmp_ui_2exp(most, 1, 1024) >= 0 && (got > 0) == (mpfr_sgn(value) > 0);
    mpfr_clear(most);
    return may;
}

bool exact_vector_is_within(const double *got, exact_vector value, int count, double factor,
                            const mpfr_t scale)
{
    exact_vector error;
    mpfr_t tolerance, limit;
    exact_vector_init(error);
    mpfr_inits2(EXACT_VECTOR_PRECISION, tolerance, limit, (mpfr_ptr)0);
    mpfr_mul_d(tolerance, scale, factor, MPFR_RNDN);
    mpfr_div_2ui(tolerance, tolerance, 53, MPFR_RNDN);
    bool within = true;
    for (int i = 0; i < count; i++) {
        if (isinf(got[i])) {
            within = within && may_be_infinite(got[i], value[i], tolerance);
            mpfr_set_zero(error[i], 1);
        } else {
            mpfr_sub_d(error[i], value[i], got[i], MPFR_RNDN);
        }
    }
    mpfr_sqrt_ui(limit, (unsigned long)count, MPFR_RNDN);
    mpfr_div_2ui(limit, limit, 1074, MPFR_RNDN);
    mpfr_add(tolerance, tolerance, limit, MPFR_RNDN);
    exact_vector_length(limit, error, count); /* NaN if a component was; then lessequal is false */
    within = within && mpfr_lessequal_p(limit, tolerance);
    mpfr_clears(tolerance, limit, (mpfr_ptr)0);
    exact_vector_clear(error);
    return within;
}
