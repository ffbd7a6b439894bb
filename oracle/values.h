/* The numbers of one case: its inputs, or the outputs of one call.
 *
 * A case has fields (named by the function that it belongs to) and a field has numbers: an
 * ordinary field one, an absent weight none, a list any count.
 */
#ifndef TRUELERP_ORACLE_VALUES_H
#define TRUELERP_ORACLE_VALUES_H

#include <stddef.h>

enum { FIELDS_MAX = 24 };

struct values {
    size_t count;                 /* fields so far */
    size_t start[FIELDS_MAX + 1]; /* field i is number[start[i]] .. number[start[i + 1] - 1] */
    double *number;
    size_t capacity;
};

/* Zeroed memory is an empty struct values as well. */
void values_free(struct values *values);

/* Forgets all fields, keeps the memory. */
void values_clear(struct values *values);

/* Adds the next field and returns its `count` numbers, to be filled in by the caller. The pointer
 * holds until the next call. Ends the program if memory runs out. */
double *values_append(struct values *values, size_t count);

/* Adds `count` fields of one number each and returns the numbers. */
double *values_append_numbers(struct values *values, size_t count);

/* Makes it exactly `count` fields of one number each and returns the numbers. */
double *values_numbers(struct values *values, size_t count);

/* Makes room for `count` numbers before number `at` of a field and returns them, to be filled in;
 * at most the field's length. Pointers into the values hold no longer. */
double *values_insert(struct values *values, size_t field, size_t at, size_t count);

/* Takes `count` numbers, from number `at` on, out of a field. */
void values_remove(struct values *values, size_t field, size_t at, size_t count);

void values_copy(struct values *to, const struct values *from);

static inline size_t values_length(const struct values *values, size_t field)
{
    return values->start[field + 1] - values->start[field];
}

static inline const double *values_field(const struct values *values, size_t field)
{
    return values->number + values->start[field];
}

#endif
