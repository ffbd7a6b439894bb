/* The real roots of a polynomial once more, in exact rationals by GMP: how many and where by
 * Sturm's theorem, how often by greatest common divisors. No discriminant and no closed form, in
 * common with the oracle nothing but the polynomial itself. */
#ifndef TRUELERP_TESTS_STURM_H
#define TRUELERP_TESTS_STURM_H

#include <gmp.h>
#include <stdbool.h>

/* c[i] x^i up to `degree`; -1 for the polynomial 0 */
struct polynomial {
    int degree;
    mpq_t c[4];
};

struct sturm {
    struct polynomial p;        /* as given */
    struct polynomial chain[5]; /* of p without its repeated factors */
    int length;
    int multiplicity[3]; /* of the distinct real roots, which rise */
    int count;
};

/* From the coefficients of x^3 down to 1, finite and not all 0. */
void sturm_open(struct sturm *sturm, const double coefficients[4]);
void sturm_close(struct sturm *sturm);

/* How many distinct roots are below x; with `equal`, at or below it. */
int sturm_count_below(const struct sturm *sturm, const mpq_t x, bool equal);

/* An interval (low, high] with root i in it, low and high of one sign unless the root is 0, and no
 * wider than 2^-bits times the root. An exact root gives low = high. */
void sturm_locate(const struct sturm *sturm, int i, long bits, mpq_t low, mpq_t high);

/* p(x), and the sum of its terms' absolute values. */
void sturm_evaluate(const struct sturm *sturm, const mpq_t x, mpq_t value, mpq_t size);

/* Is |p(x)| <= K u (the sum of its terms' absolute values)? */
bool sturm_is_small(const struct sturm *sturm, const mpq_t x, double K);

#endif
