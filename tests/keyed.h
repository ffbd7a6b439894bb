/* Curves once more, in GMP's rationals: what building one comes to, where a time is once it is
 * wrapped, and what the segment there is worth at it or beside it.
 *
 * It shares nothing with the oracle but the public header's promise: the wrap is a division by the
 * floor of a rational, the key is found from the last one backwards, the value comes from
 * de Casteljau's construction at a parameter that is met by bisection. */
#ifndef TRUELERP_TESTS_KEYED_H
#define TRUELERP_TESTS_KEYED_H

#include "weighted.h"

#include "../oracle/values.h"

#include <stddef.h>

struct keyed {
    size_t count;
    const double *time, *value, *in_tangent, *out_tangent;
    const double *mode, *in_weight, *out_weight; /* NULL: the list is empty */
    int before, after;                           /* 0, 1, 2: clamp, loop, ping pong */
};

/* The curve whose nine fields start at `first`. */
struct keyed keyed_of(const struct values *inputs, size_t first);

/* The status' number, and the indices that it is about: returns it, sets their count. */
int keyed_build(const struct keyed *curve, size_t at[2], size_t *count);

enum keyed_place {
    KEYED_GIVEN, /* by rule, whatever t'' may be */
    KEYED_INSIDE /* of the segment that starts with key `segment` */
};

struct keyed_spot {
    enum keyed_place place;
    double value;   /* if given */
    size_t segment; /* if inside */
    bool wrapped;
};

/* Where t is. The curve can be built. `time` gets t' if that is inside. */
struct keyed_spot keyed_locate(const struct keyed *curve, double t, mpq_t time);

/* The data of a segment, at that time. */
struct weighted keyed_segment(const struct keyed *curve, size_t segment, const mpq_t time);

/* Is one of its sides weighted? */
bool keyed_is_weighted(const struct keyed *curve, size_t segment);

/* Rules 3 and 4 inside of a segment: returns whether one holds, and what is given then. */
bool keyed_inside_rule(const struct keyed *curve, size_t segment, double *value);

/* The closed segment as far as it is within u max(|first|, |last|) of t'. */
void keyed_window(mpq_t from, mpq_t to, const struct keyed *curve, size_t segment,
                  const mpq_t time);

/* F and S at a time of the closed segment, inside of which no rule holds: exactly if neither side
 * is weighted, else but for a relative 2^-200 of S. */
void keyed_value(mpq_t value, mpq_t scale, const struct keyed *curve, size_t segment,
                 const mpq_t time);

#endif
