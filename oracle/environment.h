/* The floating-point environment that every answer relies on: round to nearest even, subnormals
 * kept, no contraction of a*b+c, no excess precision. */
#ifndef TRUELERP_ORACLE_ENVIRONMENT_H
#define TRUELERP_ORACLE_ENVIRONMENT_H

/* Probes it by arithmetic on operands that the compiler cannot see (return codes of fegetround and
 * the like are not trusted). Returns NULL if all is well, else what is wrong, in one line. */
const char *environment_fault(void);

/* A cheap look at the control bits only. Returns NULL if they are the default ones, else what was
 * changed; in that case the default is put back. */
const char *environment_restore(void);

/* What a call into foreign code is lent. */
enum { ENVIRONMENT_TEXT = 80 };

struct environment_lent {
    int error;                   /* the caller's errno */
    char text[ENVIRONMENT_TEXT]; /* what was found, where it has a number in it */
};

/* Before every such call. errno becomes a number that no system uses, and those exception flags
 * that fetestexcept knows are raised, which they mostly are since the last time: whoever sets the
 * one or clears one of the others is seen. A flag that a call raises is a result of arithmetic. */
void environment_lend(struct environment_lent *lent);

/* After it. Returns NULL, or what it changed: the control bits, a flag, errno, in this order. The
 * control bits are the default again then, and errno the caller's; the flags stay as they are. */
const char *environment_take_back(struct environment_lent *lent);

#endif
