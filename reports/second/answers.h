/* The functions' answers, and what several of them need. */
#ifndef TRUELERP_REPORTS_SECOND_ANSWERS_H
#define TRUELERP_REPORTS_SECOND_ANSWERS_H

#include "second.h"

/* All outputs but the lists come with length 1, factor 0 and kind SECOND_REAL. */
typedef void answer_function(const struct values *inputs, struct second *second);

answer_function second_lerp;
answer_function second_hermite;
answer_function second_hermite_coefficients;
answer_function second_newton;
answer_function second_track;
answer_function second_crossfade_newton;
answer_function second_curve;
answer_function second_crossfade;
answer_function second_bezier;
answer_function second_bezier_parameter;
answer_function second_cubic_roots;
answer_function second_slerp3;
answer_function second_slerp3_unclamped;
answer_function second_slerp4;
answer_function second_angle3;
answer_function second_rotate_toward3;

/* `count` NaNs, or doubles as they are. */
void give_nan(struct second *second, size_t count);
void give_numbers(struct second *second, const double *numbers, size_t count);

bool finite_numbers(const double *numbers, size_t count);

/* A segment between two keys. */
struct segment {
    double t0, v0, m0, w0; /* weights: NaN for the real 1/3 */
    double t1, v1, m1, w1;
};

/* What the rules give before the formula: inside of the segment, and at any time. `weights_finite`
 * says so of the weights that are read. */
bool segment_inside(const struct segment *segment, bool weights_finite, double *given);
bool segment_rules(const struct segment *segment, double t, bool weights_finite, double *given);

/* F and S at a time inside of the segment. */
void segment_hermite(struct span *value, struct span *scale, const struct segment *segment,
                     const mpq_t t);
void segment_bezier(struct span *value, struct span *scale, const struct segment *segment,
                    const mpq_t t);

#endif
