#include "filter.h"
#include "interval.h"
#include "plane.h"

#include <math.h>

enum { AX, AY, AZ, BX, BY, BZ, PAIR_INPUTS, PHI = PAIR_INPUTS, TURN_INPUTS };
enum { DIMENSIONS = 3 };

/* Verdicts need few bits: an enclosure of P bits knows an angle to 2^-P or so of itself, and a
 * turned vector to that part of its length (MPFR reduces an angle of 2^1024 by as much of pi as it
 * takes). Figures in ulps need to know on which side of a power of two the angle lies. It may be
 * close to one, as that of (2^k, 0, 0) and (2^k, 1, 0), which is 2^-k - 2^-3k/3 + ...: some 2^-2044
 * of itself at k = 1021, below which ulps no longer shrink. A component may be 2^-2210 of the
 * length, as between two vectors (see slerp.c). */
enum { PRECISION_LIMIT = 4096 };

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool is_zero(const double *vector)
{
    return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

static void give(struct answer *answer, double number, size_t count)
{
    answer->kind = ANSWER_GIVEN;
    for (size_t k = 0; k < count; k++) {
        answer->given[k] = number;
    }
}

static void answer_angle3(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    const double *x = inputs->number;
    if (!all_finite(x, PAIR_INPUTS)) {
        give(answer, NAN, 1);
        return;
    }
    answer->kind = ANSWER_REAL;
    mpfi_ptr angle = answer->value[0];
    interval_set_precision(angle, precision);
    struct plane plane;
    plane_open(&plane, x + AX, x + BX, DIMENSIONS, precision);
    switch (plane.kind) {
    case PLANE_SPANNED:
        plane_angle(angle, &plane);
        break;
    case PLANE_OPPOSITE:
        mpfi_const_pi(angle);
        break;
    case PLANE_ALIKE:
    case PLANE_ZERO:
        give(answer, 0, 1);
        break;
    }
    plane_close(&plane);
}

/* cos(phi) a + sin(phi) |a| w, which is a itself where phi = 0. */
static void set_turned(struct answer *answer, const double *x, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr sine = work[0], cosine = work[1];
    mpfi_set_d(answer->value[0], x[PHI]);
    interval_sin_cos(sine, cosine, answer->value[0]);
    struct plane plane;
    plane_open(&plane, x + AX, x + BX, DIMENSIONS, precision);
    if (plane.kind == PLANE_SPANNED) {
        plane_turn(answer->value, &plane, cosine, sine);
    } else {
        plane_turn_by_axis(answer->value, &plane, cosine, sine);
    }
    plane_close(&plane);
    interval_return(2);
}

static void answer_rotate_toward3(const struct values *inputs, mpfr_prec_t precision,
                                  struct answer *answer)
{
    const double *x = inputs->number;
    if (!all_finite(x, TURN_INPUTS)) {
        give(answer, NAN, DIMENSIONS);
        return;
    }
    if (is_zero(x + AX)) {
        give(answer, 0, DIMENSIONS);
        return;
    }
    answer->kind = ANSWER_REAL;
    for (size_t k = 0; k < DIMENSIONS; k++) {
        interval_set_precision(answer->value[k], precision);
    }
    interval_set_precision(answer->magnitude, precision);
    interval_set_precision(answer->scale[0], precision);
    plane_length(answer->magnitude, x + AX, DIMENSIONS);
    mpfi_set_d(answer->scale[0], fabs(x[PHI]));
    mpfi_add_ui(answer->scale[0], answer->scale[0], 1);
    mpfi_mul(answer->scale[0], answer->scale[0], answer->magnitude);
    set_turned(answer, x, precision);
}

static const struct field inputs[TURN_INPUTS] = {
    [AX] = {"ax", FIELD_NUMBER, "length", "the first vector's x component"},
    [AY] = {"ay", FIELD_NUMBER, "length", "the first vector's y component"},
    [AZ] = {"az", FIELD_NUMBER, "length", "the first vector's z component"},
    [BX] = {"bx", FIELD_NUMBER, "length", "the second vector's x component"},
    [BY] = {"by", FIELD_NUMBER, "length", "the second vector's y component"},
    [BZ] = {"bz", FIELD_NUMBER, "length", "the second vector's z component"},
    [PHI] = {"phi", FIELD_NUMBER, "rad", "the angle by which the first vector is turned"},
};

static const struct field angle_outputs[1] = {
    {"", FIELD_NUMBER, "rad", "the angle between the vectors"},
};

static const struct field vector_outputs[DIMENSIONS] = {
    {"x", FIELD_NUMBER, "length", "the result's x component"},
    {"y", FIELD_NUMBER, "length", "the result's y component"},
    {"z", FIELD_NUMBER, "length", "the result's z component"},
};

const struct function oracle_angle3 = {
    .name = "angle3",
    .family = "direction",
    .summary = "the angle between two vectors",
    .formula = "atan2(|a x b|, a.b), 0 to pi; +0 where both have one direction, or one is 0",
    .scale = "",
    .domain = "any component not finite gives NaN",
    .inputs = inputs,
    .input_count = PAIR_INPUTS,
    .outputs = angle_outputs,
    .output_count = 1,
    .measure = MEASURE_ULPS,
    .K = 2,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_angle3,
    .estimate = estimate_angle3,
};

const struct function oracle_rotate_toward3 = {
    .name = "rotate_toward3",
    .family = "direction",
    .summary = "a vector turned by an angle towards another one, its length kept",
    .formula = "cos(phi) a + sin(phi) |a| w, w being the unit vector across a in the plane of a "
               "and b, on b's side; where b is 0 or both have the same or exactly opposite "
               "directions, the unit vector of the axis on which a's component is smallest in "
               "size (the first such), made orthogonal to a; +0 where a is 0",
    .scale = "|a| (1 + |phi|)",
    .domain = "any argument not finite gives NaN in all components",
    .inputs = inputs,
    .input_count = TURN_INPUTS,
    .outputs = vector_outputs,
    .output_count = DIMENSIONS,
    .measure = MEASURE_VECTOR,
    .K = 8,
    .length_K = 4,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_rotate_toward3,
    .estimate = estimate_rotate_toward3,
};
