#include "function.h"
#include "interval.h"

#include <math.h>
#include <string.h>

enum { AX, AY, AZ, BX, BY, BZ, T, INPUTS };
enum { DIMENSIONS = 3 };

/* An enclosure of P bits is off by some 2^-P of F's length, so that one of 128 bits settles a
 * verdict within 8 u. More is needed
 *  - unclamped, to know t theta to an absolute error though t may be 2^1024: 1024 bits more; the
 *    bound has a factor of t itself, so that this concerns the reported figures only;
 *  - for a component far smaller than the length: two vectors that are not parallel are at least
 *    2^-2210 from it (a minor's two products either are equal or differ by 2^-107 of the larger
 *    one, and the larger is at least 2^-2098 of |a| |b|), and that is how small a component can be
 *    without the coincidence of unrelated numbers.
 * Both together leave 700 bits for figures and digits. */
enum { PRECISION_LIMIT = 4096 };

static void give(struct answer *answer, const double *vector)
{
    answer->kind = ANSWER_GIVEN;
    for (size_t k = 0; k < DIMENSIONS; k++) {
        answer->given[k] = vector ? vector[k] : NAN;
    }
}

static bool all_finite(const double *x)
{
    for (size_t i = 0; i < 2 * (size_t)DIMENSIONS; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

/* In the plane of a and b, a/|a| and w/|w| with w = (a x b) x a are orthonormal and
 *     b/|b| = cos(theta) a/|a| + sin(theta) w/|w|,
 * as b's part across a is w/|a|^2, which points along w. Put into the defining formula,
 *     (sin((1-t) theta) + sin(t theta) cos(theta)) / sin(theta) = cos(t theta)
 * is left before a/|a| by the addition theorem, and sin(t theta) before w/|w|. So
 *     F = L (cos(t theta) a/|a| + sin(t theta) w/|w|),    |w| = |a x b| |a|,
 * without the division by sin(theta) that makes the defining form useless near 0 and pi. */
static void set_turned(struct answer *answer, const double *x, mpfi_srcptr length,
                       mpfi_srcptr length_a, mpfi_t *normal, mpfr_prec_t precision)
{
    const double *a = x + AX;
    mpfi_t *work = interval_take(6, precision);
    mpfi_ptr across = work[0], angle = work[1], sine = work[2], cosine = work[3];
    mpfi_ptr term = work[4], dot = work[5];

    mpfi_sqr(across, normal[0]);
    for (size_t k = 1; k < DIMENSIONS; k++) {
        mpfi_sqr(term, normal[k]);
        mpfi_add(across, across, term);
    }
    mpfi_sqrt(across, across);
    interval_dot(dot, a, x + BX, DIMENSIONS);
    interval_angle(angle, across, dot);
    mpfi_mul_d(angle, angle, x[T]);
    interval_sin_cos(sine, cosine, angle);

    /* what stands before a and w */
    mpfi_mul(cosine, cosine, length);
    mpfi_div(cosine, cosine, length_a);
    mpfi_mul(sine, sine, length);
    mpfi_mul(across, across, length_a);
    mpfi_div(sine, sine, across);
    for (size_t k = 0; k < DIMENSIONS; k++) {
        size_t next = (k + 1) % DIMENSIONS;
        size_t last = (k + 2) % DIMENSIONS;
        mpfi_ptr value = answer->value[k];
        mpfi_mul_d(value, normal[next], a[last]);
        mpfi_mul_d(term, normal[last], a[next]);
        mpfi_sub(value, value, term);
        mpfi_mul(value, value, sine);
        mpfi_mul_d(term, cosine, a[k]);
        mpfi_add(value, value, term);
    }
    interval_return(6);
}

/* L (cos(pi t) a/|a| + sin(pi t) p). With k the first index of a's smallest component and R^2 the
 * sum of the squares of the other two, p is e_k - (a_k/|a|^2) a over its length R/|a|, so
 *     p_k = R/|a|,    p_j = -a_k a_j / (|a| R). */
static void set_opposite(struct answer *answer, const double *x, mpfi_srcptr length,
                         mpfi_srcptr length_a, mpfr_prec_t precision)
{
    const double *a = x + AX;
    size_t smallest = 0;
    for (size_t k = 1; k < DIMENSIONS; k++) {
        if (fabs(a[k]) < fabs(a[smallest])) {
            smallest = k;
        }
    }
    double others[2] = {a[(smallest + 1) % DIMENSIONS], a[(smallest + 2) % DIMENSIONS]};
    mpfi_t *work = interval_take(4, precision);
    mpfi_ptr rest = work[0], sine = work[1], cosine = work[2], term = work[3];
    interval_dot(rest, others, others, 2);
    mpfi_sqrt(rest, rest);

    interval_sin_cos_pi(sine, cosine, x[T]);
    mpfi_div(term, length, length_a);
    mpfi_mul(sine, sine, term);
    mpfi_mul(cosine, cosine, term);
    for (size_t k = 0; k < DIMENSIONS; k++) {
        mpfi_ptr value = answer->value[k];
        if (k == smallest) {
            mpfi_mul(value, sine, rest);
        } else {
            mpfi_mul_d(value, sine, -a[smallest]);
            mpfi_mul_d(value, value, a[k]);
            mpfi_div(value, value, rest);
        }
        mpfi_mul_d(term, cosine, a[k]);
        mpfi_add(value, value, term);
    }
    interval_return(4);
}

static void set_lerp(struct answer *answer, const double *x)
{
    double t = x[T];
    for (size_t k = 0; k < DIMENSIONS; k++) {
        double a = x[AX + k];
        interval_dot(answer->value[k], (double[]){1, -t, t}, (double[]){a, a, x[BX + k]}, 3);
    }
}

static bool is_zero(const double *vector)
{
    return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

/* Which of the four formulas it is, is decided without rounding: a minor of doubles rounds to 0
 * only if it is 0, and a dot product's enclosure keeps its sign. */
static void set_vector(struct answer *answer, const double *x, mpfi_srcptr length,
                       mpfi_srcptr length_a, mpfr_prec_t precision)
{
    const double *a = x + AX;
    const double *b = x + BX;
    mpfi_t *work = interval_take(DIMENSIONS + 1, precision);
    mpfi_t *normal = work;
    bool parallel = true;
    for (size_t k = 0; k < DIMENSIONS; k++) {
        size_t next = (k + 1) % DIMENSIONS;
        size_t last = (k + 2) % DIMENSIONS;
        interval_minor(normal[k], a[next], b[last], a[last], b[next]);
        parallel = parallel && mpfi_is_zero(normal[k]) > 0;
    }
    if (!parallel) {
        set_turned(answer, x, length, length_a, normal, precision);
    } else {
        mpfi_ptr dot = work[DIMENSIONS];
        interval_dot(dot, a, b, DIMENSIONS);
        if (!is_zero(a) && !is_zero(b) && mpfr_sgn(&dot->left) < 0) {
            set_opposite(answer, x, length, length_a, precision);
        } else {
            set_lerp(answer, x);
        }
    }
    interval_return(DIMENSIONS + 1);
}

/* (|1-t| |a| + |t| |b|) (1 + pi |t|) */
static void set_scale_outside(mpfi_ptr scale, double t, mpfi_srcptr length_a, mpfi_srcptr length_b,
                              mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    interval_difference(scale, 1, t);
    mpfi_abs(scale, scale);
    mpfi_mul(scale, scale, length_a);
    mpfi_mul_d(work[0], length_b, fabs(t));
    mpfi_add(scale, scale, work[0]);
    mpfi_const_pi(work[1]);
    mpfi_mul_d(work[1], work[1], fabs(t));
    mpfi_add_ui(work[1], work[1], 1);
    mpfi_mul(scale, scale, work[1]);
    interval_return(2);
}

/* t is finite, and so are the components. |a| and |b| are exact where they are rational and fit
 * the precision; then so is L, which therefore is known to be 0 or a power of two if it is. */
static void answer_vector(const double *x, mpfr_prec_t precision, struct answer *answer)
{
    answer->kind = ANSWER_REAL;
    for (size_t k = 0; k < DIMENSIONS; k++) {
        interval_set_precision(answer->value[k], precision);
    }
    interval_set_precision(answer->magnitude, precision);
    interval_set_precision(answer->scale[0], precision);

    mpfi_t *work = interval_take(3, precision);
    mpfi_ptr length_a = work[0], length_b = work[1], length = work[2];
    interval_dot(length_a, x + AX, x + AX, DIMENSIONS);
    mpfi_sqrt(length_a, length_a);
    interval_dot(length_b, x + BX, x + BX, DIMENSIONS);
    mpfi_sqrt(length_b, length_b);
    interval_lerp(length, length_a, length_b, x[T]);
    set_vector(answer, x, length, length_a, precision);

    mpfi_abs(answer->magnitude, length);
    if (x[T] >= 0 && x[T] <= 1) {
        mpfi_set(answer->scale[0], answer->magnitude);
    } else {
        set_scale_outside(answer->scale[0], x[T], length_a, length_b, precision);
    }
    interval_return(3);
}

static void answer_slerp3(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    const double *x = inputs->number;
    if (x[T] <= 0 || x[T] >= 1) {
        give(answer, x[T] <= 0 ? x + AX : x + BX);
    } else if (isnan(x[T]) || !all_finite(x)) {
        give(answer, NULL);
    } else {
        answer_vector(x, precision, answer);
    }
}

static void answer_slerp3_unclamped(const struct values *inputs, mpfr_prec_t precision,
                                    struct answer *answer)
{
    const double *x = inputs->number;
    if (x[T] == 0 || x[T] == 1) {
        give(answer, x[T] == 0 ? x + AX : x + BX);
    } else if (!isfinite(x[T]) || !all_finite(x)) {
        give(answer, NULL);
    } else {
        answer_vector(x, precision, answer);
    }
}

static const struct field inputs[INPUTS] = {
    [AX] = {"ax", FIELD_NUMBER, "length", "the first vector's x component"},
    [AY] = {"ay", FIELD_NUMBER, "length", "the first vector's y component"},
    [AZ] = {"az", FIELD_NUMBER, "length", "the first vector's z component"},
    [BX] = {"bx", FIELD_NUMBER, "length", "the second vector's x component"},
    [BY] = {"by", FIELD_NUMBER, "length", "the second vector's y component"},
    [BZ] = {"bz", FIELD_NUMBER, "length", "the second vector's z component"},
    [T] = {"t", FIELD_NUMBER, "1", "the parameter: 0 at the first vector, 1 at the second"},
};

static const struct field outputs[DIMENSIONS] = {
    {"x", FIELD_NUMBER, "length", "the result's x component"},
    {"y", FIELD_NUMBER, "length", "the result's y component"},
    {"z", FIELD_NUMBER, "length", "the result's z component"},
};

static const char formula[] =
    "L (sin((1-t) theta) a/|a| + sin(t theta) b/|b|) / sin(theta) with L = (1-t)|a| + t|b| and "
    "theta = atan2(|a x b|, a.b); a + t (b - a) where a vector is 0 or both have one direction; "
    "L (cos(pi t) a/|a| + sin(pi t) p) where they are exactly opposite, p being the unit vector "
    "of the axis on which a's component is smallest in size (the first such), made orthogonal to "
    "a";

const struct function oracle_slerp3 = {
    .name = "slerp3",
    .family = "slerp",
    .summary = "interpolation of directions at even angular speed, of lengths linearly",
    .formula = formula,
    .scale = "|F|",
    .domain = "t NaN gives NaN; t <= 0 gives a and t >= 1 gives b, bit for bit; else a component "
              "that is not finite gives NaN in all",
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = DIMENSIONS,
    .measure = MEASURE_VECTOR,
    .K = 8,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_slerp3,
};

const struct function oracle_slerp3_unclamped = {
    .name = "slerp3_unclamped",
    .family = "slerp",
    .summary = "interpolation of directions, carried on beyond the two vectors",
    .formula = formula,
    .scale = "|F| in [0, 1]; (|1-t| |a| + |t| |b|) (1 + pi |t|) outside",
    .domain = "t NaN or infinite gives NaN; t = 0 gives a and t = 1 gives b, bit for bit; else a "
              "component that is not finite gives NaN in all",
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = DIMENSIONS,
    .measure = MEASURE_VECTOR,
    .K = 8,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_slerp3_unclamped,
};
