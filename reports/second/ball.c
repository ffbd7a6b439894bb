#include "ball.h"

void span_set_arb(struct span *span, const arb_t ball)
{
    fmpz_t low, high, exponent;
    fmpz_init(low);
    fmpz_init(high);
    fmpz_init(exponent);
    arb_get_interval_fmpz_2exp(low, high, exponent, ball);
    fmpz_get_mpz(mpq_numref(span->low), low);
    fmpz_get_mpz(mpq_numref(span->high), high);
    mpz_set_ui(mpq_denref(span->low), 1);
    mpz_set_ui(mpq_denref(span->high), 1);
    rational_scale(span->low, fmpz_get_si(exponent));
    rational_scale(span->high, fmpz_get_si(exponent));
    fmpz_clear(low);
    fmpz_clear(high);
    fmpz_clear(exponent);
}

bool ball_is_narrow(const arb_t ball, const arb_t scale)
{
    if (!arb_is_finite(ball)) {
        return false;
    }
    mag_t least;
    mag_init(least);
    arb_get_mag_lower(least, scale);
    mag_mul_2exp_si(least, least, -BALL_ACCURACY);
    bool narrow = mag_cmp(arb_radref(ball), least) <= 0;
    mag_clear(least);
    return narrow;
}

void ball_set_d(arb_t ball, double number)
{
    arf_set_d(arb_midref(ball), number);
    mag_zero(arb_radref(ball));
}

void ball_set_q(arb_t ball, const mpq_t number, slong precision)
{
    fmpq_t fraction;
    fmpq_init(fraction);
    fmpq_set_mpq(fraction, number);
    arb_set_fmpq(ball, fraction, precision);
    fmpq_clear(fraction);
}
