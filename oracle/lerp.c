#include "filter.h"
#include "interval.h"

#include <math.h>

enum { A, B, T, INPUTS };

/* Every term of F = a - t a + t b and of S is a multiple of 2^-2148 and below 2^2050; the bound
 * 2 u S + 2^-1074 is a multiple of 2^-2200. So 4250 bits hold all of them exactly, and nothing is
 * undecided there. */
enum { PRECISION_LIMIT = 4288 };

/* The rules, in this order. Returns whether one of them holds. */
static bool given(double a, double b, double t, struct answer *answer)
{
    answer->kind = ANSWER_GIVEN;
    if (t == 0 || t == 1) {
        answer->given[0] = t == 0 ? a : b;
        return true;
    }
    if (a == b) {
        answer->given[0] = a;
        return true;
    }
    answer->given[0] = NAN;
    return !isfinite(a) || !isfinite(b) || !isfinite(t);
}

/* The sums have exact terms and are rounded once each way: no precision is lost to cancellation. */
static void answer_lerp(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    double a = inputs->number[A];
    double b = inputs->number[B];
    double t = inputs->number[T];
    if (given(a, b, t, answer)) {
        return;
    }
    answer->kind = ANSWER_REAL;
    interval_set_precision(answer->value[0], precision);
    interval_set_precision(answer->scale[0], precision);
    interval_dot(answer->value[0], (double[]){1, -t, t}, (double[]){a, a, b}, 3);
    double away = copysign(1, a) * (t <= 1 ? 1 : -1); /* away (1 - t) a = |(1 - t) a| */
    interval_dot(answer->scale[0], (double[]){away, -away * t, fabs(t)}, (double[]){a, a, fabs(b)},
                 3);
}

static const struct field inputs[INPUTS] = {
    [A] = {"a", FIELD_NUMBER, "value", "the value at t = 0"},
    [B] = {"b", FIELD_NUMBER, "value", "the value at t = 1"},
    [T] = {"t", FIELD_NUMBER, "1", "the parameter, not limited to [0, 1]"},
};

static const struct field outputs[] = {{"", FIELD_NUMBER, "value", "the value at t"}};

static const char formula[] = "a + t (b - a)";
static const char domain[] = "t = 0 gives a, t = 1 gives b, a = b gives a, bit for bit; else any "
                             "argument that is not finite gives NaN";

const struct function oracle_lerp = {
    .name = "lerp",
    .family = "lerp",
    .summary = "linear interpolation",
    .formula = formula,
    .scale = "|(1 - t) a| + |t b|",
    .domain = domain,
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = 1,
    .measure = MEASURE_SCALED,
    .K = 2,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_lerp,
    .estimate = estimate_lerp,
};

const struct function oracle_lerp_cr = {
    .name = "lerp_cr",
    .family = "lerp",
    .summary = "linear interpolation, correctly rounded",
    .formula = formula,
    .scale = "",
    .domain = domain,
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = 1,
    .measure = MEASURE_ROUNDED,
    .K = 0.5,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_lerp,
    .estimate = estimate_lerp_cr,
};
