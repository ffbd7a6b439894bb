#include "rational.h"

#include <math.h>

void rational_difference(mpq_t difference, double a, double b)
{
    mpq_t subtrahend;
    mpq_init(subtrahend);
    mpq_set_d(subtrahend, b);
    mpq_set_d(difference, a);
    mpq_sub(difference, difference, subtrahend);
    mpq_clear(subtrahend);
}

void rational_product(mpq_t product, double a, double b)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set_d(product, a);
    mpq_set_d(factor, b);
    mpq_mul(product, product, factor);
    mpq_clear(factor);
}

void rational_modulo(mpq_t value, const mpq_t x, const mpq_t period)
{
    mpq_t quotient;
    mpq_init(quotient);
    mpq_div(quotient, x, period);
    mpz_fdiv_q(mpq_numref(quotient), mpq_numref(quotient), mpq_denref(quotient));
    mpz_set_ui(mpq_denref(quotient), 1);
    mpq_mul(quotient, quotient, period);
    mpq_sub(value, x, quotient);
    mpq_clear(quotient);
}

/* sum += |factor x|, with x rational. */
static void add_absolute(mpq_t sum, long factor, const mpq_t x)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_si(term, factor, 1);
    mpq_mul(term, term, x);
    mpq_abs(term, term);
    mpq_add(sum, sum, term);
    mpq_clear(term);
}

/* sum += factor x */
static void add_multiple(mpq_t sum, long factor, const mpq_t x)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_si(term, factor, 1);
    mpq_mul(term, term, x);
    mpq_add(sum, sum, term);
    mpq_clear(term);
}

void rational_lerp(mpq_t value, mpq_t scale, double a, double b, double t)
{
    mpq_t part, exact_t;
    mpq_inits(part, exact_t, NULL);
    mpq_set_d(exact_t, t);
    rational_difference(part, 1, t);
    mpq_set_d(value, a);
    mpq_mul(value, value, part); /* (1 - t) a */
    mpq_abs(scale, value);
    mpq_set_d(part, b);
    mpq_mul(part, part, exact_t); /* t b */
    mpq_add(value, value, part);
    mpq_abs(part, part);
    mpq_add(scale, scale, part);
    mpq_clears(part, exact_t, NULL);
}

void rational_coefficients(mpq_t value[4], mpq_t scale[4], const struct segment *segment)
{
    static const long factor[4][4] = {{2, 1, -2, 1}, {-3, -2, 3, -1}, {0, 1, 0, 0}, {1, 0, 0, 0}};
    mpq_t datum[4], h;
    mpq_init(h);
    for (int j = 0; j < 4; j++) {
        mpq_init(datum[j]);
    }
    rational_difference(h, segment->t1, segment->t0);
    mpq_set_d(datum[0], segment->v0);
    mpq_set_d(datum[1], segment->m0);
    mpq_mul(datum[1], datum[1], h);
    mpq_set_d(datum[2], segment->v1);
    mpq_set_d(datum[3], segment->m1);
    mpq_mul(datum[3], datum[3], h);
    for (int i = 0; i < 4; i++) {
        mpq_set_ui(value[i], 0, 1);
        mpq_set_ui(scale[i], 0, 1);
        for (int j = 0; j < 4; j++) {
            add_multiple(value[i], factor[i][j], datum[j]);
            add_absolute(scale[i], factor[i][j], datum[j]);
        }
    }
    for (int j = 0; j < 4; j++) {
        mpq_clear(datum[j]);
    }
    mpq_clear(h);
}

/* With the nodes t0, t0, t1, t1:
 * p(t) = v0 + (t - t0) (m0 + (t - t0) (f001 + (t - t1) f0011)),
 * f001 = (slope - m0) / h, f011 = (m1 - slope) / h, f0011 = (f011 - f001) / h. */
void rational_hermite(mpq_t value, const struct segment *segment, double t)
{
    mpq_t h, slope, m0, m1, f001, from0, from1;
    mpq_inits(h, slope, m0, m1, f001, from0, from1, NULL);
    rational_difference(h, segment->t1, segment->t0);
    rational_difference(slope, segment->v1, segment->v0);
    mpq_div(slope, slope, h);
    mpq_set_d(m0, segment->m0);
    mpq_set_d(m1, segment->m1);
    mpq_sub(f001, slope, m0);
    mpq_div(f001, f001, h);
    mpq_sub(value, m1, slope);
    mpq_div(value, value, h);
    mpq_sub(value, value, f001);
    mpq_div(value, value, h);
    rational_difference(from0, t, segment->t0);
    rational_difference(from1, t, segment->t1);
    mpq_mul(value, value, from1);
    mpq_add(value, value, f001);
    mpq_mul(value, value, from0);
    mpq_add(value, value, m0);
    mpq_mul(value, value, from0);
    mpq_set_d(slope, segment->v0);
    mpq_add(value, value, slope);
    mpq_clears(h, slope, m0, m1, f001, from0, from1, NULL);
}

/* On [0, 1], with y = 1 - x, the basis polynomials are y^2 (1 + 2x), x y^2, x^2 (1 + 2y) and
 * -x^2 y: only the last is negative. */
void rational_hermite_scale(mpq_t scale, const struct segment *segment, double t)
{
    mpq_t h, x, y, xx, yy, weight;
    mpq_inits(h, x, y, xx, yy, weight, NULL);
    rational_difference(h, segment->t1, segment->t0);
    rational_difference(x, t, segment->t0);
    mpq_div(x, x, h);
    rational_difference(y, segment->t1, t);
    mpq_div(y, y, h);
    mpq_mul(xx, x, x);
    mpq_mul(yy, y, y);
    mpq_set_ui(scale, 0, 1);

    const double datum[4] = {segment->v0, segment->m0, segment->v1, segment->m1};
    for (int i = 0; i < 4; i++) {
        mpq_set_ui(weight, i % 2 == 0, 1);
        add_multiple(weight, i % 2 == 0 ? 2 : 1, i < 2 ? x : y);
        mpq_mul(weight, weight, i < 2 ? yy : xx);
        if (i % 2 == 1) {
            mpq_mul(weight, weight, h);
        }
        mpq_t exact;
        mpq_init(exact);
        mpq_set_d(exact, datum[i]);
        mpq_mul(weight, weight, exact);
        add_absolute(scale, 1, weight);
        mpq_clear(exact);
    }
    mpq_clears(h, x, y, xx, yy, weight, NULL);
}

/* One row of the system: t^3, t^2, t, 1 or their derivatives, and the right side. */
static void set_row(mpq_t row[5], double t, bool derivative, double right)
{
    mpq_t exact_t, factor;
    mpq_inits(exact_t, factor, NULL);
    mpq_set_d(exact_t, t);
    int constant = derivative ? 2 : 3; /* the column of t^0 */
    mpq_set_ui(row[3], 0, 1);
    mpq_set_ui(row[constant], 1, 1);
    for (int i = constant - 1; i >= 0; i--) {
        mpq_mul(row[i], row[i + 1], exact_t);
    }
    for (int i = 0; derivative && i < 2; i++) {
        mpq_set_ui(factor, (unsigned long)(3 - i), 1);
        mpq_mul(row[i], row[i], factor);
    }
    mpq_set_d(row[4], right);
    mpq_clears(exact_t, factor, NULL);
}

static void subtract_multiple(mpq_t row[5], const mpq_t factor, mpq_t other[5])
{
    mpq_t product;
    mpq_init(product);
    for (int j = 0; j < 5; j++) {
        mpq_mul(product, factor, other[j]);
        mpq_sub(row[j], row[j], product);
    }
    mpq_clear(product);
}

static void eliminate(mpq_t row[4][5])
{
    mpq_t factor;
    mpq_init(factor);
    for (int column = 0; column < 4; column++) {
        int pivot = column;
        while (mpq_sgn(row[pivot][column]) == 0) {
            pivot++; /* the system is regular, so there is one */
        }
        for (int j = 0; j < 5 && pivot != column; j++) {
            mpq_swap(row[pivot][j], row[column][j]);
        }
        for (int i = 0; i < 4; i++) {
            if (i != column) {
                mpq_div(factor, row[i][column], row[column][column]);
                subtract_multiple(row[i], factor, row[column]);
            }
        }
    }
    mpq_clear(factor);
}

void rational_solve_system(mpq_t coefficient[4], const struct segment *segment)
{
    mpq_t row[4][5];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
            mpq_init(row[i][j]);
        }
    }
    set_row(row[0], segment->t0, false, segment->v0);
    set_row(row[1], segment->t1, false, segment->v1);
    set_row(row[2], segment->t0, true, segment->m0);
    set_row(row[3], segment->t1, true, segment->m1);
    eliminate(row);
    for (int i = 0; i < 4; i++) {
        mpq_div(coefficient[i], row[i][4], row[i][i]);
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
            mpq_clear(row[i][j]);
        }
    }
}

/* Shifts by t0 with Horner's scheme (synthetic division), then scales by h. */
void rational_normalise(mpq_t normalised[4], const mpq_t coefficient[4],
                        const struct segment *segment)
{
    mpq_t part, h;
    mpq_inits(part, h, NULL);
    for (int i = 0; i < 4; i++) {
        mpq_set(normalised[i], coefficient[i]);
    }
    for (int last = 3; last > 0; last--) {
        for (int i = 1; i <= last; i++) {
            mpq_set_d(part, segment->t0);
            mpq_mul(part, part, normalised[i - 1]);
            mpq_add(normalised[i], normalised[i], part);
        }
    }
    rational_difference(h, segment->t1, segment->t0);
    mpq_set(part, h);
    for (int i = 2; i >= 0; i--) {
        mpq_mul(normalised[i], normalised[i], part);
        mpq_mul(part, part, h);
    }
    mpq_clears(part, h, NULL);
}

/* 2^exponent */
static void set_power(mpq_t power, long exponent)
{
    mpq_set_ui(power, 1, 1);
    if (exponent >= 0) {
        mpq_mul_2exp(power, power, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(power, power, (mp_bitcnt_t)-exponent);
    }
}

bool rational_within(double result, const mpq_t value, const mpq_t scale, double K)
{
    if (isnan(result)) {
        return false;
    }
    mpq_t tolerance, error, limit;
    mpq_inits(tolerance, error, limit, NULL);
    mpq_set_d(tolerance, K);
    mpq_mul(tolerance, tolerance, scale);
    mpq_div_2exp(tolerance, tolerance, 53);
    bool within;
    if (isinf(result)) {
        mpq_abs(error, value);
        mpq_add(error, error, tolerance);
        set_power(limit, 1024);
        set_power(tolerance, 970);
        mpq_sub(limit, limit, tolerance);
        within = mpq_cmp(error, limit) >= 0 && (result > 0) == (mpq_sgn(value) > 0);
    } else {
        set_power(limit, -1074);
        mpq_add(tolerance, tolerance, limit);
        mpq_set_d(error, result);
        mpq_sub(error, error, value);
        mpq_abs(error, error);
        within = mpq_cmp(error, tolerance) <= 0;
    }
    mpq_clears(tolerance, error, limit, NULL);
    return within;
}

/* The integer nearest to value, ties to even. */
static void round_to_integer(mpz_t integer, const mpq_t value)
{
    mpz_t remainder;
    mpz_init(remainder);
    mpz_fdiv_qr(integer, remainder, mpq_numref(value), mpq_denref(value));
    mpz_mul_2exp(remainder, remainder, 1);
    int half = mpz_cmp(remainder, mpq_denref(value));
    if (half > 0 || (half == 0 && mpz_odd_p(integer))) {
        mpz_add_ui(integer, integer, 1);
    }
    mpz_clear(remainder);
}

double rational_round(const mpq_t value)
{
    if (mpq_sgn(value) == 0) {
        return 0;
    }
    /* |value| is in [2^(e - 1), 2^(e + 1)); its double's last place is one of two */
    long e =
        (long)mpz_sizeinbase(mpq_numref(value), 2) - (long)mpz_sizeinbase(mpq_denref(value), 2);
    mpq_t scaled, bound;
    mpz_t integer;
    mpq_inits(scaled, bound, NULL);
    mpz_init(integer);
    mpq_abs(scaled, value);
    set_power(bound, e);
    long exponent = mpq_cmp(scaled, bound) >= 0 ? e : e - 1;
    long place = (exponent < -1022 ? -1022 : exponent) - 52;
    set_power(bound, -place);
    mpq_mul(scaled, scaled, bound);
    round_to_integer(integer, scaled);
    /* at most 2^53, so both steps are exact (or give an infinity, as they should) */
    double rounded = place > 971 ? HUGE_VAL : ldexp(mpz_get_d(integer), (int)place);
    mpz_clear(integer);
    mpq_clears(scaled, bound, NULL);
    return mpq_sgn(value) < 0 ? -rounded : rounded;
}
