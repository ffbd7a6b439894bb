#include "bisection.h"

#include "rational.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

/* Bits that a few hundred roundings, each of half a last place, may cost. */
enum { ROUNDING_SLACK = 64 };

void vector_init(vector v, mpfr_prec_t precision)
{
    for (int i = 0; i < 3; i++) {
        mpfr_init2(v[i], precision);
    }
}

void vector_clear(vector v)
{
    for (int i = 0; i < 3; i++) {
        mpfr_clear(v[i]);
    }
}

void vector_set_d(vector v, const double numbers[3])
{
    for (int i = 0; i < 3; i++) {
        mpfr_set_d(v[i], numbers[i], MPFR_RNDN);
    }
}

static void vector_set(vector v, vector from)
{
    for (int i = 0; i < 3; i++) {
        mpfr_set(v[i], from[i], MPFR_RNDN);
    }
}

static void vector_round(vector v, mpfr_prec_t precision)
{
    for (int i = 0; i < 3; i++) {
        mpfr_prec_round(v[i], precision, MPFR_RNDN);
    }
}

static void vector_scale(vector v, const mpfr_t factor)
{
    for (int i = 0; i < 3; i++) {
        mpfr_mul(v[i], v[i], factor, MPFR_RNDN);
    }
}

/* One rounding in each component if the products are exact. */
void vector_cross(vector cross, vector a, vector b)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpfr_fmms(cross[i], a[j], b[k], a[k], b[j], MPFR_RNDN);
    }
}

/* Correctly rounded if the products are exact. */
void vector_dot(mpfr_t dot, vector a, vector b)
{
    mpfr_t product[3];
    mpfr_ptr term[3];
    for (int i = 0; i < 3; i++) {
        mpfr_init2(product[i], mpfr_get_prec(dot));
        mpfr_mul(product[i], a[i], b[i], MPFR_RNDN);
        term[i] = product[i];
    }
    mpfr_sum(dot, term, 3, MPFR_RNDN);
    vector_clear(product);
}

void vector_length(mpfr_t length, vector v)
{
    vector_dot(length, v, v);
    mpfr_sqrt(length, length, MPFR_RNDN);
}

/* Returns how many bits |v| lies below 1 (0 if it does not). */
static long normalise(vector v)
{
    mpfr_t length;
    mpfr_init2(length, mpfr_get_prec(v[0]));
    vector_length(length, v);
    for (int i = 0; i < 3; i++) {
        mpfr_div(v[i], v[i], length, MPFR_RNDN);
    }
    long below = -(long)mpfr_get_exp(length) + 1;
    mpfr_clear(length);
    return below > 0 ? below : 0;
}

void linear_length(mpfr_t length, const double a[3], const double b[3], double t, bool absolute)
{
    mpfr_prec_t precision = mpfr_get_prec(length);
    vector v;
    mpfr_t part;
    vector_init(v, precision);
    mpfr_init2(part, precision);
    vector_set_d(v, a);
    vector_length(length, v);
    mpfr_set_d(part, t, MPFR_RNDN);
    mpfr_ui_sub(part, 1, part, MPFR_RNDN);
    mpfr_mul(length, length, part, MPFR_RNDN);
    vector_set_d(v, b);
    vector_length(part, v);
    mpfr_mul_d(part, part, t, MPFR_RNDN);
    if (absolute) {
        mpfr_abs(length, length, MPFR_RNDN);
        mpfr_abs(part, part, MPFR_RNDN);
    }
    mpfr_add(length, length, part, MPFR_RNDN);
    mpfr_clear(part);
    vector_clear(v);
}

bool is_collinear(const double a[3], const double b[3])
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    bool collinear = true;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        rational_product(left, a[i], b[j]);
        rational_product(right, a[j], b[i]);
        collinear = collinear && mpq_equal(left, right);
    }
    mpq_clears(left, right, NULL);
    return collinear;
}

int sign_of_dot(const double a[3], const double b[3])
{
    mpq_t sum, product;
    mpq_inits(sum, product, NULL);
    for (int i = 0; i < 3; i++) {
        rational_product(product, a[i], b[i]);
        mpq_add(sum, sum, product);
    }
    int sign = mpq_sgn(sum);
    mpq_clears(sum, product, NULL);
    return sign;
}

/* e_k less its part along the unit vector `direction`, k the index of the smallest |component| of
 * the vector given (the lowest one of equals), then normalised. */
static void set_perpendicular(vector perpendicular, vector direction, const double given[3])
{
    int k = 0;
    for (int i = 1; i < 3; i++) {
        if (fabs(given[i]) < fabs(given[k])) {
            k = i;
        }
    }
    for (int i = 0; i < 3; i++) {
        mpfr_mul(perpendicular[i], direction[k], direction[i], MPFR_RNDN);
        mpfr_ui_sub(perpendicular[i], i == k, perpendicular[i], MPFR_RNDN);
    }
    normalise(perpendicular);
}

/* low and high are the directions at 0 and 1; makes them those at k and k + 1 by
 * d(k + 1) = 2 cos(theta) d(k) - d(k - 1). */
static void turn_whole(vector low, vector high, long k)
{
    mpfr_prec_t precision = mpfr_get_prec(low[0]);
    mpfr_t twice_cosine, next;
    mpfr_inits2(precision, twice_cosine, next, (mpfr_ptr)0);
    vector_dot(twice_cosine, low, high);
    mpfr_mul_2ui(twice_cosine, twice_cosine, 1, MPFR_RNDN);
    for (long step = 0; step < labs(k); step++) {
        mpfr_t *from = k > 0 ? low : high, *to = k > 0 ? high : low;
        for (int i = 0; i < 3; i++) {
            mpfr_fms(next, twice_cosine, to[i], from[i], MPFR_RNDN);
            mpfr_set(from[i], to[i], MPFR_RNDN);
            mpfr_set(to[i], next, MPFR_RNDN);
        }
    }
    mpfr_clears(twice_cosine, next, (mpfr_ptr)0);
}

/* Makes low the direction at `fraction` of the way to high; `middle` is the one at 1/2. Returns how
 * many bits the worst bisection lost. */
static long turn_fraction(vector low, vector high, vector middle, mpfr_t fraction)
{
    long lost = 0;
    for (bool first = true; !mpfr_zero_p(fraction); first = false) {
        for (int i = 0; i < 3 && !first; i++) {
            mpfr_add(middle[i], low[i], high[i], MPFR_RNDN);
        }
        long below = normalise(middle);
        lost = below > lost ? below : lost;
        mpfr_mul_2ui(fraction, fraction, 1, MPFR_RNDN);
        if (mpfr_cmp_ui(fraction, 1) >= 0) {
            mpfr_sub_ui(fraction, fraction, 1, MPFR_RNDN);
            vector_set(low, middle);
        } else {
            vector_set(high, middle);
        }
    }
    return lost;
}

/* How many bits the sum of two unit vectors lies below 1. */
static long bits_lost_between(vector p, vector q)
{
    vector sum;
    vector_init(sum, mpfr_get_prec(p[0]));
    for (int i = 0; i < 3; i++) {
        mpfr_add(sum[i], p[i], q[i], MPFR_RNDN);
    }
    long lost = normalise(sum);
    vector_clear(sum);
    return lost;
}

/* Makes low, high and middle the directions at whole, whole + 1 and half way between. */
static void turn_to_segment(vector low, vector high, vector middle, double whole, bool opposite)
{
    turn_whole(low, high, (long)whole);
    for (int i = 0; i < 3; i++) {
        if (!opposite) {
            mpfr_add(middle[i], low[i], high[i], MPFR_RNDN);
        } else if (fmod(whole, 2) != 0) { /* from -a through -p back to a */
            mpfr_neg(middle[i], middle[i], MPFR_RNDN);
        }
    }
}

long bisection_slerp3(vector result, const double a[3], const double b[3], double t)
{
    vector low, high, middle;
    mpfr_t fraction;
    vector_init(low, BISECTION_PRECISION);
    vector_init(high, BISECTION_PRECISION);
    vector_init(middle, BISECTION_PRECISION);
    mpfr_init2(fraction, BISECTION_PRECISION);
    vector_set_d(low, a);
    vector_set_d(high, b);
    normalise(low);
    normalise(high);

    bool opposite = is_collinear(a, b) && sign_of_dot(a, b) < 0;
    long lost = opposite ? 0 : bits_lost_between(low, high);
    long precision = mpfr_get_prec(result[0]) + lost + 2L * ROUNDING_SLACK;
    if (precision < BISECTION_PRECISION) { /* fewer bits do */
        vector_round(low, precision);
        vector_round(high, precision);
        vector_round(middle, precision);
    } else {
        precision = BISECTION_PRECISION;
    }
    if (opposite) {
        set_perpendicular(middle, low, a);
    }
    turn_to_segment(low, high, middle, floor(t), opposite);
    mpfr_set_d(fraction, t, MPFR_RNDN);
    mpfr_sub_d(fraction, fraction, floor(t), MPFR_RNDN);
    long lost_on_the_way = turn_fraction(low, high, middle, fraction);
    lost = lost_on_the_way > lost ? lost_on_the_way : lost;
    vector_set(result, low);
    linear_length(fraction, a, b, t, false);
    vector_scale(result, fraction);
    mpfr_clear(fraction);
    vector_clear(middle);
    vector_clear(high);
    vector_clear(low);
    long kept = mpfr_get_prec(result[0]);
    return (kept < precision - lost ? kept : precision - lost) - ROUNDING_SLACK;
}

/* factor = sin(share theta)/(sin(theta) |v|) */
static void set_weight(mpfr_t factor, const mpfr_t share, const mpfr_t theta, vector v)
{
    mpfr_t divisor, sine;
    mpfr_inits2(LITERAL_PRECISION, divisor, sine, (mpfr_ptr)0);
    mpfr_mul(factor, share, theta, MPFR_RNDN);
    mpfr_sin(factor, factor, MPFR_RNDN);
    vector_length(divisor, v);
    mpfr_sin(sine, theta, MPFR_RNDN);
    mpfr_mul(divisor, divisor, sine, MPFR_RNDN);
    mpfr_div(factor, factor, divisor, MPFR_RNDN);
    mpfr_clears(divisor, sine, (mpfr_ptr)0);
}

/* The angle's absolute error is at most 2^-precision times it. Near pi, where the vectors' weights
 * have sin(theta) below them, that costs the exponent of sin(theta); far outside [0, 1] the sine's
 * argument costs that of t. */
long literal_slerp3(vector result, const double a[3], const double b[3], double t)
{
    vector first, second, cross;
    mpfr_t theta, share, weight, sine;
    vector_init(first, LITERAL_PRECISION);
    vector_init(second, LITERAL_PRECISION);
    vector_init(cross, LITERAL_PRECISION);
    mpfr_inits2(LITERAL_PRECISION, theta, share, weight, sine, (mpfr_ptr)0);
    vector_set_d(first, a);
    vector_set_d(second, b);
    vector_cross(cross, first, second);
    vector_length(sine, cross);
    vector_dot(theta, first, second);
    mpfr_atan2(theta, sine, theta, MPFR_RNDN);
    mpfr_sin(sine, theta, MPFR_RNDN);
    long lost = mpfr_get_d(theta, MPFR_RNDN) > 1 ? -(long)mpfr_get_exp(sine) : 0;
    lost += fabs(t) < 1 ? 0 : ilogb(t) + 2;

    mpfr_set_d(share, t, MPFR_RNDN);
    set_weight(weight, share, theta, second);
    vector_scale(second, weight);
    mpfr_ui_sub(share, 1, share, MPFR_RNDN);
    set_weight(weight, share, theta, first);
    vector_scale(first, weight);
    linear_length(weight, a, b, t, false);
    for (int i = 0; i < 3; i++) {
        mpfr_add(first[i], first[i], second[i], MPFR_RNDN);
        mpfr_mul(result[i], first[i], weight, MPFR_RNDN);
    }
    mpfr_clears(theta, share, weight, sine, (mpfr_ptr)0);
    vector_clear(cross);
    vector_clear(second);
    vector_clear(first);
    long kept = mpfr_get_prec(result[0]);
    return (kept < LITERAL_PRECISION ? kept : LITERAL_PRECISION) - lost - ROUNDING_SLACK;
}
