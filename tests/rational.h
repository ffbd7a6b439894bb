/* The polynomial functions once more, in exact rationals by GMP.
 *
 * It shares nothing with the oracle but the public header's promise: other formulas (divided
 * differences instead of basis polynomials), other arithmetic, another way to measure an error.
 * Where the library, the oracle and this disagree, two of the three show who is wrong. */
#ifndef TRUELERP_TESTS_RATIONAL_H
#define TRUELERP_TESTS_RATIONAL_H

#include <gmp.h>
#include <stdbool.h>

/* A cubic segment's data: what hermite reads of its two keys. */
struct segment {
    double t0, v0, m0;
    double t1, v1, m1;
};

/* What sums of them begin with: a - b, a b, and x - period floor(x / period). */
void rational_difference(mpq_t difference, double a, double b);
void rational_product(mpq_t product, double a, double b);
void rational_modulo(mpq_t value, const mpq_t x, const mpq_t period);

/* F and S of a + t (b - a). */
void rational_lerp(mpq_t value, mpq_t scale, double a, double b, double t);

/* F and S of the four coefficients of x^3, x^2, x, 1 in the normalised variable x. */
void rational_coefficients(mpq_t value[4], mpq_t scale[4], const struct segment *segment);

/* F of the segment at t, from confluent divided differences; t1 != t0. */
void rational_hermite(mpq_t value, const struct segment *segment, double t);

/* S of the segment at t. */
void rational_hermite_scale(mpq_t scale, const struct segment *segment, double t);

/* The article's system, solved by elimination: the coefficients of t^3, t^2, t, 1 of the cubic
 * whose values at t0 and t1 are v0 and v1 and whose derivatives there are m0 and m1; t1 != t0. */
void rational_solve_system(mpq_t coefficient[4], const struct segment *segment);

/* The same cubic's coefficients in x = (t - t0)/(t1 - t0). */
void rational_normalise(mpq_t normalised[4], const mpq_t coefficient[4],
                        const struct segment *segment);

/* Is |result - value| <= K u scale + 2^-1074, or `result` an infinity that is allowed there? */
bool rational_within(double result, const mpq_t value, const mpq_t scale, double K);

/* The double nearest to it, ties to even; an infinity from 2^1024 - 2^970 on. */
double rational_round(const mpq_t value);

#endif
