#include "bench_plain.h"

#include <math.h>
#include <string.h>

mpfr_t plain_variable[PLAIN_VARIABLES];

void plain_open(void)
{
    for (size_t i = 0; i < PLAIN_VARIABLES; i++) {
        mpfr_init2(plain_variable[i], PLAIN_PRECISION);
    }
    plain_open_polynomials();
}

void plain_close(void)
{
    for (size_t i = 0; i < PLAIN_VARIABLES; i++) {
        mpfr_clear(plain_variable[i]);
    }
    plain_close_polynomials();
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

double plain_bound(double scale, long exponent, double K, double least, long *unit)
{
    *unit = plain_ulp(exponent);
    return K * ldexp(scale, (int)(exponent - 53 - *unit)) + least * ldexp(1, (int)(-1074 - *unit));
}

static long exponent_of(mpfr_srcptr x)
{
    return mpfr_zero_p(x) ? -1074 : mpfr_get_exp(x);
}

struct plain_error plain_compare(mpfr_ptr value, mpfr_srcptr scale, double result, double K)
{
    if (isinf(result)) {
        double error = mpfr_get_d(value, MPFR_RNDN) == result ? 0 : HUGE_VAL;
        return (struct plain_error){error, error};
    }
    long ulp = plain_ulp(exponent_of(value)), error_exponent, scale_exponent, unit;
    mpfr_sub_d(value, value, result, MPFR_RNDN);
    double error = fabs(mpfr_get_d_2exp(&error_exponent, value, MPFR_RNDN));
    double size = mpfr_get_d_2exp(&scale_exponent, scale, MPFR_RNDN);
    double bound = plain_bound(size, scale_exponent, K, 1, &unit);
    return (struct plain_error){ldexp(error, (int)(error_exponent - ulp)),
                                ldexp(error / bound, (int)(error_exponent - unit))};
}

void plain_dot(mpfr_ptr result, mpfr_t *a, mpfr_t *b, size_t dimension)
{
    mpfr_mul(result, a[0], b[0], MPFR_RNDN);
    for (size_t k = 1; k < dimension; k++) {
        mpfr_fma(result, a[k], b[k], result, MPFR_RNDN);
    }
}

/* The square root as a double and a power of 2 */
static double root_of(mpfr_srcptr square, long *exponent)
{
    double size = mpfr_get_d_2exp(exponent, square, MPFR_RNDN);
    if (*exponent % 2 != 0) {
        size *= 2;
        --*exponent;
    }
    *exponent /= 2;
    return sqrt(size);
}

struct plain_error plain_compare_vector(mpfr_t *value, const double *results, size_t dimension,
                                        mpfr_srcptr scale, mpfr_srcptr size, double K,
                                        mpfr_ptr work)
{
    long error_exponent, scale_exponent, unit;
    /* |F| < 2^e where |F|^2 < 2^2e, and not below 2^(e - 1) */
    long size_exponent = exponent_of(size);
    long ulp = plain_ulp((size_exponent + (size_exponent % 2 != 0)) / 2);
    double reference =
        scale ? mpfr_get_d_2exp(&scale_exponent, scale, MPFR_RNDN) : root_of(size, &scale_exponent);
    for (size_t k = 0; k < dimension; k++) {
        mpfr_sub_d(value[k], value[k], results[k], MPFR_RNDN);
    }
    plain_dot(work, value, value, dimension);
    double error = root_of(work, &error_exponent);
    double bound = plain_bound(reference, scale_exponent, K, sqrt((double)dimension), &unit);
    return (struct plain_error){ldexp(error, (int)(error_exponent - ulp)),
                                ldexp(error / bound, (int)(error_exponent - unit))};
}

const struct plain *plain_find(const char *function)
{
    static const struct plain all[] = {
        {"lerp", plain_lerp},
        {"lerp_cr", plain_lerp},
        {"hermite", plain_hermite},
        {"hermite_coefficients", plain_hermite_coefficients},
        {"bezier", plain_bezier},
        {"bezier_parameter", plain_bezier_parameter},
        {"cubic_roots", plain_cubic_roots},
        {"newton", plain_newton},
        {"track", plain_track},
        {"crossfade_newton", plain_crossfade_newton},
        {"slerp3", plain_slerp3},
        {"slerp3_unclamped", plain_slerp3_unclamped},
        {"slerp4", plain_slerp4},
        {"angle3", plain_angle3},
        {"rotate_toward3", plain_rotate_toward3},
        {"curve", plain_curve},
        {"crossfade", plain_crossfade},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].function, function) == 0) {
            return &all[i];
        }
    }
    return NULL;
}
