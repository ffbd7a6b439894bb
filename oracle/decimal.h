/* Exact values as decimals. */
#ifndef TRUELERP_ORACLE_DECIMAL_H
#define TRUELERP_ORACLE_DECIMAL_H

#include <stdbool.h>
#include <stdio.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* Do all numbers in the interval have the same 40 digits? */
bool decimal_settled(mpfi_srcptr interval);

/* Writes 40 correctly rounded significant digits of the number in `interval`, without trailing
 * zeros but with one digit behind the point at least; in the scientific form below 1e-12 and from
 * 1e40 on. Returns false, and writes nothing, if the interval's ends differ in them. */
bool decimal_write(mpfi_srcptr interval, FILE *stream);

/* The same of one number; the sign of a zero is written. */
void decimal_write_number(mpfr_srcptr number, FILE *stream);

/* All digits of a whole number, without a point. */
void decimal_write_whole(mpfr_srcptr number, FILE *stream);

#endif
