#include "turn.h"

#include "rational.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

typedef mpfr_t vector[TURN_DIMENSIONS_MAX];

static void vector_init(vector v)
{
    for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
        mpfr_init2(v[i], TURN_PRECISION);
        mpfr_set_zero(v[i], 1);
    }
}

static void vector_clear(vector v)
{
    for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
        mpfr_clear(v[i]);
    }
}

static void vector_set(vector v, const double *numbers, size_t dimensions)
{
    for (size_t i = 0; i < dimensions; i++) {
        mpfr_set_d(v[i], numbers[i], MPFR_RNDN);
    }
}

static void set_dot(mpfr_t dot, vector v, vector w)
{
    mpfr_set_zero(dot, 1);
    for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
        mpfr_fma(dot, v[i], w[i], dot, MPFR_RNDN);
    }
}

static void set_norm(mpfr_t norm, vector v)
{
    set_dot(norm, v, v);
    mpfr_sqrt(norm, norm, MPFR_RNDN);
}

static void normalise(vector v)
{
    mpfr_t norm;
    mpfr_init2(norm, TURN_PRECISION);
    set_norm(norm, v);
    for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
        mpfr_div(v[i], v[i], norm, MPFR_RNDN);
    }
    mpfr_clear(norm);
}

int turn_sign_of_dot(const double *a, const double *b, size_t dimensions)
{
    mpq_t sum, product;
    mpq_inits(sum, product, NULL);
    for (size_t i = 0; i < dimensions; i++) {
        rational_product(product, a[i], b[i]);
        mpq_add(sum, sum, product);
    }
    int sign = mpq_sgn(sum);
    mpq_clears(sum, product, NULL);
    return sign;
}

/* a_i b_j = a_j b_i for all i and j */
static bool is_collinear(const double *a, const double *b, size_t dimensions)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    bool collinear = true;
    for (size_t i = 0; i < dimensions; i++) {
        for (size_t j = 0; j < i; j++) {
            rational_product(left, a[i], b[j]);
            rational_product(right, a[j], b[i]);
            collinear = collinear && mpq_equal(left, right);
        }
    }
    mpq_clears(left, right, NULL);
    return collinear;
}

static bool is_zero(const double *numbers, size_t dimensions)
{
    bool zero = true;
    for (size_t i = 0; i < dimensions; i++) {
        zero = zero && numbers[i] == 0;
    }
    return zero;
}

enum turn_kind turn_kind_of(const double *a, const double *b, size_t dimensions)
{
    if (is_zero(a, dimensions) || is_zero(b, dimensions)) {
        return TURN_ZERO;
    }
    if (!is_collinear(a, b, dimensions)) {
        return TURN_SPANNED;
    }
    return turn_sign_of_dot(a, b, dimensions) < 0 ? TURN_OPPOSITE : TURN_ALIKE;
}

void turn_length(mpfr_t length, const double *numbers, size_t dimensions)
{
    vector v;
    vector_init(v);
    vector_set(v, numbers, dimensions);
    set_norm(length, v);
    vector_clear(v);
}

/* Twice the angle whose tangent is |p - q| / |p + q|, p and q of unit length. W. Kahan, How Futile
 * are Mindless Assessments of Roundoff in Floating-Point Computation? (2006), section 12. Either
 * chord may be 2^-2211, known to 2^-8990. */
void turn_angle(mpfr_t angle, const double *a, const double *b, size_t dimensions)
{
    vector p, q;
    mpfr_t other;
    vector_init(p);
    vector_init(q);
    mpfr_init2(other, TURN_PRECISION);
    vector_set(p, a, dimensions);
    vector_set(q, b, dimensions);
    normalise(p);
    normalise(q);
    for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
        mpfr_sub(other, p[i], q[i], MPFR_RNDN);
        mpfr_add(q[i], p[i], q[i], MPFR_RNDN);
        mpfr_set(p[i], other, MPFR_RNDN);
    }
    set_norm(angle, p);
    set_norm(other, q);
    mpfr_atan2(angle, angle, other, MPFR_RNDN);
    mpfr_mul_2ui(angle, angle, 1, MPFR_RNDN);
    mpfr_clear(other);
    vector_clear(q);
    vector_clear(p);
}

/* Less the part along `direction`, of unit length; then of unit length itself. Twice, so that what
 * the first subtraction leaves of that part is gone. */
static void make_across(vector v, vector direction)
{
    mpfr_t share;
    mpfr_init2(share, TURN_PRECISION);
    for (int pass = 0; pass < 2; pass++) {
        set_dot(share, v, direction);
        for (int i = 0; i < TURN_DIMENSIONS_MAX; i++) {
            mpfr_fms(v[i], share, direction[i], v[i], MPFR_RNDN);
            mpfr_neg(v[i], v[i], MPFR_RNDN);
        }
        normalise(v);
    }
    mpfr_clear(share);
}

static void set_axis(vector v, const double *a, size_t dimensions)
{
    size_t smallest = 0;
    for (size_t i = 1; i < dimensions; i++) {
        smallest = fabs(a[i]) < fabs(a[smallest]) ? i : smallest;
    }
    for (size_t i = 0; i < dimensions; i++) {
        mpfr_set_ui(v[i], i == smallest, MPFR_RNDN);
    }
}

/* With h the tangent of half the angle after whole turns are taken off, (1 - h^2)/(1 + h^2) and
 * 2h/(1 + h^2). Up to 1024 bits of phi are in front of the point. */
static void set_sine_and_cosine(mpfr_t sine, mpfr_t cosine, double phi)
{
    mpfr_t turns, square;
    mpfr_inits2(TURN_PRECISION, turns, square, (mpfr_ptr)0);
    mpfr_const_pi(turns, MPFR_RNDN);
    mpfr_mul_2ui(turns, turns, 1, MPFR_RNDN);
    mpfr_set_d(sine, phi, MPFR_RNDN);
    mpfr_div(square, sine, turns, MPFR_RNDN);
    mpfr_round(square, square);
    mpfr_fms(sine, square, turns, sine, MPFR_RNDN);
    mpfr_neg(sine, sine, MPFR_RNDN);
    mpfr_div_2ui(sine, sine, 1, MPFR_RNDN);
    mpfr_tan(sine, sine, MPFR_RNDN);
    mpfr_sqr(square, sine, MPFR_RNDN);
    mpfr_add_ui(turns, square, 1, MPFR_RNDN);
    mpfr_ui_sub(cosine, 1, square, MPFR_RNDN);
    mpfr_div(cosine, cosine, turns, MPFR_RNDN);
    mpfr_mul_2ui(sine, sine, 1, MPFR_RNDN);
    mpfr_div(sine, sine, turns, MPFR_RNDN);
    mpfr_clears(turns, square, (mpfr_ptr)0);
}

void turn_rotate(mpfr_t *result, const double *a, const double *b, double phi, size_t dimensions)
{
    vector along, across;
    mpfr_t sine, cosine, length;
    vector_init(along);
    vector_init(across);
    mpfr_inits2(TURN_PRECISION, sine, cosine, length, (mpfr_ptr)0);
    vector_set(along, a, dimensions);
    set_norm(length, along);
    normalise(along);
    if (turn_kind_of(a, b, dimensions) == TURN_SPANNED) {
        vector_set(across, b, dimensions);
        normalise(across);
    } else {
        set_axis(across, a, dimensions);
    }
    make_across(across, along);
    set_sine_and_cosine(sine, cosine, phi);
    for (size_t i = 0; i < dimensions; i++) {
        mpfr_fmma(result[i], along[i], cosine, across[i], sine, MPFR_RNDN);
        mpfr_mul(result[i], result[i], length, MPFR_RNDN);
    }
    mpfr_clears(sine, cosine, length, (mpfr_ptr)0);
    vector_clear(across);
    vector_clear(along);
}

/* sin(share theta) / sin(theta) */
static void set_weight(mpfr_t weight, const mpfr_t share, const mpfr_t theta)
{
    mpfr_t sine;
    mpfr_init2(sine, TURN_PRECISION);
    mpfr_sin(sine, theta, MPFR_RNDN);
    mpfr_mul(weight, share, theta, MPFR_RNDN);
    mpfr_sin(weight, weight, MPFR_RNDN);
    mpfr_div(weight, weight, sine, MPFR_RNDN);
    mpfr_clear(sine);
}

void turn_slerp(mpfr_t *result, const double *a, const double *b, double t, size_t dimensions)
{
    vector p, q;
    mpfr_t theta, share, weight, length, other;
    vector_init(p);
    vector_init(q);
    mpfr_inits2(TURN_PRECISION, theta, share, weight, length, other, (mpfr_ptr)0);
    turn_angle(theta, a, b, dimensions);
    vector_set(p, a, dimensions);
    vector_set(q, b, dimensions);
    mpfr_set_d(share, t, MPFR_RNDN);
    set_norm(other, q);
    mpfr_mul(other, other, share, MPFR_RNDN);
    normalise(q);
    set_weight(weight, share, theta);
    for (size_t i = 0; i < dimensions; i++) {
        mpfr_mul(result[i], q[i], weight, MPFR_RNDN);
    }
    mpfr_ui_sub(share, 1, share, MPFR_RNDN);
    set_norm(length, p);
    mpfr_fma(length, length, share, other, MPFR_RNDN);
    normalise(p);
    set_weight(weight, share, theta);
    for (size_t i = 0; i < dimensions; i++) {
        mpfr_fma(result[i], p[i], weight, result[i], MPFR_RNDN);
        mpfr_mul(result[i], result[i], length, MPFR_RNDN);
    }
    mpfr_clears(theta, share, weight, length, other, (mpfr_ptr)0);
    vector_clear(q);
    vector_clear(p);
}
