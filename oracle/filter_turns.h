/* Angles of very many turns: what a double-double times t does not tell. */
#ifndef TRUELERP_ORACLE_FILTER_TURNS_H
#define TRUELERP_ORACLE_FILTER_TURNS_H

#include "function.h"

/* t theta less a whole number of turns, where theta is the angle between two vectors that span a
 * plane, and `guess` is near it: known to 2^-98 or so. Returns false where the guess is not near
 * enough. */
bool filter_turned_angle(const double *a, const double *b, size_t dimensions, double t,
                         struct approximation guess, struct approximation *angle);

#endif
