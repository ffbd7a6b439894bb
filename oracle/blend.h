/* One curve's value at a time, or two blended: the exact answer, and the verdict on a result.
 *
 * The contract leaves a wrapped time a little window: a result may be right at any time t'' in it.
 * The verdict looks at a few of these times first, which nearly always settles it, and then at all
 * of them, by the maxima of cubics (reach.h). */
#ifndef TRUELERP_ORACLE_BLEND_H
#define TRUELERP_ORACLE_BLEND_H

#include "segment.h"

#include <stdbool.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* What a blend adds to the larger factor of its two curves: lerp's. */
enum { BLEND_K = 2 };

/* What a curve is at a time. */
struct side {
    size_t alternatives; /* by rule: how many doubles it may be, the one at t' first; else 0 */
    double value[3];
    struct segment_data data; /* the segment inside of which t' is */
    bool weighted;
    bool inside;       /* there is one */
    bool wrapped;      /* t' is not t */
    mpfr_ptr time;     /* t', exactly */
    mpfr_ptr from, to; /* where t'' may be: at t' alone, if that is t */
};

struct blend {
    const struct side *side[2];
    size_t count; /* 1: no blending */
    double w;     /* 0 < w < 1 */
};

/* The value at t', its scale and factor, as the answer's first. Where a rule gives other doubles at
 * other t'', the answer is a real, if only in name: then the verdict knows. */
void blend_answer(const struct blend *blend, mpfr_prec_t precision, struct answer *answer);

/* What a result is judged with. */
struct blend_question {
    const struct blend *blend;
    const struct answer *answer;
    double result;
    mpfr_prec_t precision;
    bool last;  /* there is no higher one */
    bool equal; /* without a wrap, an error and a bound that cannot be told apart are equal */
};

/* The figures are those of the first t'' that passes of all that are tried, else of the one that is
 * nearest to passing; none is off if the result is between two values that F takes. A t'' that may
 * pass leaves the verdict open unless the precision is the last: else it would be another one's
 * that are told, and which, a matter of precision. */
struct assessment blend_assess(const struct blend_question *question);

#endif
