#include "span.h"

/* Of numerator and denominator together, up to which a number stays as it is; and what is left of
 * longer ones. Sums of products of two doubles have up to 4250 bits and a power of two of up to
 * 2149 below them. */
enum { EXACT_BITS = 7000, ROUNDED_BITS = 800 };

void span_init(struct span *span)
{
    mpq_inits(span->low, span->high, NULL);
}

void span_clear(struct span *span)
{
    mpq_clears(span->low, span->high, NULL);
}

void span_set_si(struct span *span, long number)
{
    mpq_set_si(span->low, number, 1);
    mpq_set(span->high, span->low);
}

void span_copy(struct span *to, const struct span *from)
{
    mpq_set(to->low, from->low);
    mpq_set(to->high, from->high);
}

void rational_scale(mpq_ptr number, long exponent)
{
    if (exponent < 0) {
        mpq_div_2exp(number, number, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(number, number, (mp_bitcnt_t)exponent);
    }
}

void span_set_ratio(struct span *span, const mpz_t numerator, const mpz_t denominator)
{
    mpz_t dividend, divisor, rest;
    mpz_inits(dividend, divisor, rest, NULL);
    long shift =
        ROUNDED_BITS + (long)mpz_sizeinbase(denominator, 2) - (long)mpz_sizeinbase(numerator, 2);
    mpz_mul_2exp(dividend, numerator, shift > 0 ? (mp_bitcnt_t)shift : 0);
    mpz_mul_2exp(divisor, denominator, shift < 0 ? (mp_bitcnt_t)-shift : 0);
    mpz_fdiv_qr(dividend, rest, dividend, divisor);
    mpq_set_z(span->low, dividend);
    mpz_add_ui(dividend, dividend, mpz_sgn(rest) != 0);
    mpq_set_z(span->high, dividend);
    rational_scale(span->low, -shift);
    rational_scale(span->high, -shift);
    mpz_clears(dividend, divisor, rest, NULL);
}

void span_set_q(struct span *span, const mpq_t number)
{
    size_t bits = mpz_sizeinbase(mpq_numref(number), 2) + mpz_sizeinbase(mpq_denref(number), 2);
    if (bits <= EXACT_BITS) {
        mpq_set(span->low, number);
        mpq_set(span->high, number);
    } else {
        span_set_ratio(span, mpq_numref(number), mpq_denref(number));
    }
}

bool span_is_exact(const struct span *span)
{
    return mpq_equal(span->low, span->high) != 0;
}
