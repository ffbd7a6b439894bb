/* Balls of Arb: how they become spans, and when they are narrow enough. */
#ifndef TRUELERP_REPORTS_SECOND_BALL_H
#define TRUELERP_REPORTS_SECOND_BALL_H

#include "span.h"

#include <arb.h>
#include <flint/fmpq.h>

/* The precision is doubled from the first on until an answer is known to BALL_ACCURACY bits of
 * what its error is measured by. Nothing that doubles can ask for takes the last. */
enum { BALL_FIRST = 256, BALL_LAST = 32768, BALL_ACCURACY = 150 };

void span_set_arb(struct span *span, const arb_t ball);

/* Is the radius at most 2^-BALL_ACCURACY of some number in `scale`, or nothing? */
bool ball_is_narrow(const arb_t ball, const arb_t scale);

/* Exactly, whatever the precision would be. */
void ball_set_d(arb_t ball, double number);
void ball_set_q(arb_t ball, const mpq_t number, slong precision);

#endif
