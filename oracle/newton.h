/* What newton's family has in common with its first stage. */
#ifndef TRUELERP_ORACLE_NEWTON_H
#define TRUELERP_ORACLE_NEWTON_H

/* The bound's factors: 4 n u S + 64 n u^2 T, and 2 u S for a crossfade's own steps. */
enum { FACTOR = 4, FACTOR_CROSSFADE = 2, FACTOR_SLACK = 64 };

#endif
