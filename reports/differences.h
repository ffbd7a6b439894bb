/* Divided differences as exact rational numbers. */
#ifndef TRUELERP_REPORTS_DIFFERENCES_H
#define TRUELERP_REPORTS_DIFFERENCES_H

#include <stddef.h>

#include <gmp.h>

/* Of the nodes in the order given, which stay the caller's. */
struct differences {
    size_t count;
    const double *times;
    const double *values;
    mpq_t *entries; /* order by order: `count` of order 0, count - 1 of order 1, ... */
};

/* The times are distinct and all numbers finite; count > 0. */
void differences_create(struct differences *differences, const double *times, const double *values,
                        size_t count);
void differences_free(struct differences *differences);

/* f[t_first .. t_{first + order}], first + order < count */
mpq_srcptr differences_entry(const struct differences *differences, size_t order, size_t first);

enum { DIGITS_MAX = 40, DECIMAL_TEXT = DIGITS_MAX + 32 };

/* The number rounded to so many significant digits (1 to DIGITS_MAX), half to even, without
 * trailing zeros; in the scientific form below 1e-4 and from 10^digits on. As "%.*g" writes a
 * double. */
void decimal_text(mpq_srcptr number, int digits, char text[DECIMAL_TEXT]);

#endif
