/* A real number between two rationals, which are the same where it is known exactly. */
#ifndef TRUELERP_REPORTS_SECOND_SPAN_H
#define TRUELERP_REPORTS_SECOND_SPAN_H

#include <stdbool.h>

#include <gmp.h>

struct span {
    mpq_t low, high;
};

void span_init(struct span *span);
void span_clear(struct span *span);

void span_set_si(struct span *span, long number);
void span_copy(struct span *to, const struct span *from);

/* Exactly as long as that takes no more than some thousand bits; else rounded outwards to several
 * hundred, so that what follows is quick. */
void span_set_q(struct span *span, const mpq_t number);
void span_set_ratio(struct span *span, const mpz_t numerator, const mpz_t denominator);

bool span_is_exact(const struct span *span);

/* number 2^exponent */
void rational_scale(mpq_ptr number, long exponent);

#endif
