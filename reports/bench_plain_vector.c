/* The plain checks of slerp and of directions: see bench_plain.h. */
#include "bench_plain_formulas.h"

#include <math.h>
#include <stdbool.h>

enum { DIMENSIONS_MAX = 4 };
enum { VECTOR_A = 0, VECTOR_B = DIMENSIONS_MAX, SCALARS = 2 * DIMENSIONS_MAX };

/* Two vectors with their products */
struct pair {
    mpfr_t *a, *b;
    mpfr_ptr aa, bb, ab;
    mpfr_ptr area; /* |a x b|, or its like in four dimensions */
    size_t dimension;
};

static struct pair pair_of(const double *a, const double *b, size_t dimension)
{
    mpfr_t *scalar = plain_variable + SCALARS;
    struct pair pair = {plain_variable + VECTOR_A,
                        plain_variable + VECTOR_B,
                        scalar[0],
                        scalar[1],
                        scalar[2],
                        scalar[3],
                        dimension};
    for (size_t k = 0; k < dimension; k++) {
        plain_set(pair.a[k], a[k]);
        plain_set(pair.b[k], b[k]);
    }
    plain_dot(pair.aa, pair.a, pair.a, dimension);
    plain_dot(pair.bb, pair.b, pair.b, dimension);
    plain_dot(pair.ab, pair.a, pair.b, dimension);
    return pair;
}

/* By Lagrange's identity: in 256 bits, its cancellation does not matter to everyday vectors. */
static void set_area(const struct pair *pair)
{
    mpfr_fmms(pair->area, pair->aa, pair->bb, pair->ab, pair->ab, MPFR_RNDN);
    if (mpfr_sgn(pair->area) < 0) {
        mpfr_set_zero(pair->area, 1);
    }
    mpfr_sqrt(pair->area, pair->area, MPFR_RNDN);
}

/* In b's place what is to be turned to where b gives no plane: |a|^2 e_k - a_k a for a's smallest
 * component k. */
static void set_axis(const struct pair *pair)
{
    size_t least = 0;
    for (size_t k = 1; k < pair->dimension; k++) {
        least = mpfr_cmpabs(pair->a[k], pair->a[least]) < 0 ? k : least;
    }
    for (size_t k = 0; k < pair->dimension; k++) {
        mpfr_mul(pair->b[k], pair->a[k], pair->a[least], MPFR_RNDN);
        mpfr_neg(pair->b[k], pair->b[k], MPFR_RNDN);
    }
    mpfr_add(pair->b[least], pair->b[least], pair->aa, MPFR_RNDN);
    plain_dot(pair->bb, pair->b, pair->b, pair->dimension);
    mpfr_set_zero(pair->ab, 1);
    set_area(pair);
}

/* (1 - t) a + t b, in a's place */
static void set_line(const struct pair *pair, mpfr_srcptr t, mpfr_srcptr rest)
{
    for (size_t k = 0; k < pair->dimension; k++) {
        mpfr_fmma(pair->a[k], pair->a[k], rest, pair->b[k], t, MPFR_RNDN);
    }
}

/* ((1 - t) |a| + t |b|) (sin((1 - t) theta) a / |a| + sin(t theta) b / |b|) / sin theta, with
 * sin theta = |a x b| / (|a| |b|), in a's place. Opposite ones turn to an axis, by a right angle in
 * half of the time. */
static void set_slerp(const struct pair *pair, mpfr_srcptr given_t)
{
    mpfr_t *scalar = plain_variable + SCALARS + 4;
    mpfr_ptr t = scalar[0], rest = scalar[1], theta = scalar[2], length = scalar[3];
    mpfr_ptr length_a = scalar[4], length_b = scalar[5];
    mpfr_set(t, given_t, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    set_area(pair);
    bool flat = mpfr_zero_p(pair->area) != 0;
    if (flat && mpfr_sgn(pair->ab) >= 0) {
        set_line(pair, t, rest);
        return;
    }
    mpfr_sqrt(length_a, pair->aa, MPFR_RNDN);
    mpfr_sqrt(length_b, pair->bb, MPFR_RNDN);
    mpfr_fmma(length, rest, length_a, t, length_b, MPFR_RNDN);
    if (flat) {
        set_axis(pair);
        mpfr_sqrt(length_b, pair->bb, MPFR_RNDN);
        mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
        mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    }
    mpfr_atan2(theta, pair->area, pair->ab, MPFR_RNDN);
    mpfr_div(length, length, pair->area, MPFR_RNDN);
    mpfr_mul(rest, rest, theta, MPFR_RNDN);
    mpfr_sin(rest, rest, MPFR_RNDN);
    mpfr_mul(rest, rest, length_b, MPFR_RNDN);
    mpfr_mul(rest, rest, length, MPFR_RNDN);
    mpfr_mul(t, t, theta, MPFR_RNDN);
    mpfr_sin(t, t, MPFR_RNDN);
    mpfr_mul(t, t, length_a, MPFR_RNDN);
    mpfr_mul(t, t, length, MPFR_RNDN);
    set_line(pair, t, rest);
}

/* (|1 - t| |a| + |t| |b|) (1 + pi |t|) */
static void set_scale_outside(mpfr_ptr scale, const struct pair *pair, mpfr_srcptr t)
{
    mpfr_t *work = plain_variable + SCALARS + 12;
    mpfr_ptr size = work[0], rest = work[1], length_a = work[2], length_b = work[3];
    mpfr_sqrt(length_a, pair->aa, MPFR_RNDN);
    mpfr_sqrt(length_b, pair->bb, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    mpfr_abs(rest, rest, MPFR_RNDN);
    mpfr_abs(size, t, MPFR_RNDN);
    mpfr_fmma(scale, rest, length_a, size, length_b, MPFR_RNDN);
    mpfr_const_pi(rest, MPFR_RNDN);
    mpfr_mul(rest, rest, size, MPFR_RNDN);
    mpfr_add_ui(rest, rest, 1, MPFR_RNDN);
    mpfr_mul(scale, scale, rest, MPFR_RNDN);
}

/* `flip`: towards -b where that is nearer. */
static struct plain_error slerp(const struct values *inputs, const struct values *results,
                                size_t dimension, bool flip)
{
    mpfr_t *scalar = plain_variable + SCALARS + 18;
    mpfr_ptr t = scalar[0], scale = scalar[1], size = scalar[2];
    const double *x = inputs->number;
    double time = x[2 * dimension];
    bool outside = time < 0 || time > 1;
    struct pair pair = pair_of(x, x + dimension, dimension);
    plain_set(t, time);
    if (flip && mpfr_sgn(pair.ab) < 0) {
        mpfr_neg(pair.ab, pair.ab, MPFR_RNDN);
        for (size_t k = 0; k < dimension; k++) {
            mpfr_neg(pair.b[k], pair.b[k], MPFR_RNDN);
        }
    }
    if (outside) {
        set_scale_outside(scale, &pair, t);
    }
    set_slerp(&pair, t);
    plain_dot(size, pair.a, pair.a, dimension);
    return plain_compare_vector(pair.a, results->number, dimension, outside ? scale : NULL, size, 8,
                                t);
}

struct plain_error plain_slerp3(const struct values *inputs, const struct values *results)
{
    return slerp(inputs, results, 3, false);
}

struct plain_error plain_slerp3_unclamped(const struct values *inputs, const struct values *results)
{
    return slerp(inputs, results, 3, false);
}

struct plain_error plain_slerp4(const struct values *inputs, const struct values *results)
{
    return slerp(inputs, results, 4, true);
}

/* atan2(|a x b|, a . b) within two ulps */
struct plain_error plain_angle3(const struct values *inputs, const struct values *results)
{
    struct pair pair = pair_of(inputs->number, inputs->number + 3, 3);
    mpfr_ptr theta = plain_variable[SCALARS + 4];
    set_area(&pair);
    mpfr_atan2(theta, pair.area, pair.ab, MPFR_RNDN);
    mpfr_set(pair.aa, theta, MPFR_RNDN);
    struct plain_error error = plain_compare(theta, pair.aa, results->number[0], 2);
    error.share = error.ulps / 2;
    return error;
}

/* ||r| - |a|| against 4 u |a| + sqrt(3) 2^-1074, as | |r|^2 - |a|^2 | over 2 |a| */
static struct plain_error compare_length(const double *results, mpfr_srcptr aa)
{
    mpfr_t *work = plain_variable + SCALARS + 18;
    mpfr_ptr square = work[0], length = work[1];
    mpfr_t *r = plain_variable + SCALARS + 22;
    for (size_t k = 0; k < 3; k++) {
        plain_set(r[k], results[k]);
    }
    plain_dot(square, r, r, 3);
    mpfr_sub(square, square, aa, MPFR_RNDN);
    mpfr_sqrt(length, aa, MPFR_RNDN);
    long ulp = plain_ulp(mpfr_get_exp(length)), error_exponent, exponent, unit;
    double size = mpfr_get_d_2exp(&exponent, length, MPFR_RNDN);
    double error = fabs(mpfr_get_d_2exp(&error_exponent, square, MPFR_RNDN)) / (2 * size);
    double bound = plain_bound(size, exponent, 4, sqrt(3), &unit);
    error_exponent -= exponent;
    return (struct plain_error){ldexp(error, (int)(error_exponent - ulp)),
                                ldexp(error / bound, (int)(error_exponent - unit))};
}

/* cos(phi) a + sin(phi) |a| w, where |a| w = (|a|^2 b - (a . b) a) / |a x b| */
struct plain_error plain_rotate_toward3(const struct values *inputs, const struct values *results)
{
    mpfr_t *scalar = plain_variable + SCALARS + 4;
    mpfr_ptr sine = scalar[0], cosine = scalar[1], scale = scalar[2], work = scalar[3];
    const double *x = inputs->number;
    struct pair pair = pair_of(x, x + 3, 3);
    set_area(&pair);
    if (mpfr_zero_p(pair.area)) {
        set_axis(&pair);
    }
    plain_set(scale, x[6]);
    mpfr_sin_cos(sine, cosine, scale, MPFR_RNDN);
    mpfr_div(sine, sine, pair.area, MPFR_RNDN);
    mpfr_mul(pair.ab, pair.ab, sine, MPFR_RNDN);
    mpfr_sub(cosine, cosine, pair.ab, MPFR_RNDN);
    mpfr_mul(sine, sine, pair.aa, MPFR_RNDN);
    set_line(&pair, sine, cosine);
    mpfr_abs(scale, scale, MPFR_RNDN);
    mpfr_add_ui(scale, scale, 1, MPFR_RNDN);
    mpfr_sqrt(work, pair.aa, MPFR_RNDN);
    mpfr_mul(scale, scale, work, MPFR_RNDN);
    struct plain_error error =
        plain_compare_vector(pair.a, results->number, 3, scale, pair.aa, 8, work);
    return plain_worse(error, compare_length(results->number, pair.aa));
}
