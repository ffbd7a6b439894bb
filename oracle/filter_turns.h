/* Angles of very many turns: what a double-double times t does not tell. */
#ifndef TRUELERP_ORACLE_FILTER_TURNS_H
#define TRUELERP_ORACLE_FILTER_TURNS_H

#include "function.h"

/* t theta less a whole number of turns, where theta is the angle between two vectors that span a
 * plane, and `guess` is near it: known to 2^-105 where the guess is a double-double's, within
 * 2^-96 of itself. Returns false where the guess is 2^-60 off or more. */
bool filter_turned_angle(const double *a, const double *b, size_t dimensions, double t,
                         struct approximation guess, struct approximation *angle);

#endif
