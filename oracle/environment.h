/* The floating-point environment that every answer relies on: round to nearest even, subnormals
 * kept, no contraction of a*b+c, no excess precision. */
#ifndef TRUELERP_ORACLE_ENVIRONMENT_H
#define TRUELERP_ORACLE_ENVIRONMENT_H

/* Probes it by arithmetic on operands that the compiler cannot see (return codes of fegetround and
 * the like are not trusted). Returns NULL if all is well, else what is wrong, in one line. */
const char *environment_fault(void);

/* A cheap look at the control bits only, for use after every call into foreign code. Returns NULL
 * if they are the default ones, else what was changed; in that case the default is put back. */
const char *environment_restore(void);

#endif
