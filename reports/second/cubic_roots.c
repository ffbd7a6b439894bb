#include "answers.h"
#include "roots.h"

#include <math.h>

enum { INPUTS = 4, CODE_ROOTS = 0, CODE_EVERY_NUMBER = 1, CODE_NOT_FINITE = 2 };

/* The coefficients as integers: their common power of two matters to no root. */
static void set_polynomial(fmpz_poly_t polynomial, const double *coefficients)
{
    mpq_t sum[INPUTS];
    mpz_t denominator;
    fmpz_t integer;
    fmpz_init(integer);
    mpz_init_set_ui(denominator, 1);
    for (int i = 0; i < INPUTS; i++) {
        mpq_init(sum[i]);
        mpq_set_d(sum[i], coefficients[i]);
        mpz_lcm(denominator, denominator, mpq_denref(sum[i]));
    }
    for (int i = 0; i < INPUTS; i++) {
        mpz_divexact(mpq_denref(sum[i]), denominator, mpq_denref(sum[i]));
        mpz_mul(mpq_numref(sum[i]), mpq_numref(sum[i]), mpq_denref(sum[i]));
        fmpz_set_mpz(integer, mpq_numref(sum[i]));
        fmpz_poly_set_coeff_fmpz(polynomial, INPUTS - 1 - i, integer);
        mpz_set_ui(mpq_denref(sum[i]), 1);
        mpq_clear(sum[i]);
    }
    mpz_clear(denominator);
    fmpz_clear(integer);
}

static void give_code(struct second *second, int code)
{
    second->length[0] = 0;
    second->length[1] = 0;
    second->given[0] = code;
}

static void tell(struct second *second, const struct roots *roots)
{
    second->length[0] = roots->count;
    second->length[1] = roots->count;
    for (size_t i = 0; i < roots->count; i++) {
        span_set_arb(&second->value[i], roots->root[i]);
        second->given[roots->count + i] = roots->multiplicity[i];
    }
    second->given[2 * roots->count] = CODE_ROOTS;
}

void second_cubic_roots(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    if (!finite_numbers(x, INPUTS)) {
        give_code(second, CODE_NOT_FINITE);
        return;
    }
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0) {
        give_code(second, CODE_EVERY_NUMBER);
        return;
    }
    fmpz_poly_t polynomial;
    struct roots roots;
    fmpz_poly_init(polynomial);
    roots_init(&roots);
    set_polynomial(polynomial, x);
    roots_find(&roots, polynomial, BALL_FIRST);
    tell(second, &roots);
    roots_clear(&roots);
    fmpz_poly_clear(polynomial);
}
