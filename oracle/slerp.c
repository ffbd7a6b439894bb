#include "filter.h"
#include "interval.h"
#include "plane.h"

#include <math.h>

#include <gmp.h>

enum { AX, AY, AZ, BX, BY, BZ, T, INPUTS };
enum { PX, PY, PZ, PW, QX, QY, QZ, QW, QUATERNION_T, QUATERNION_INPUTS };
enum { DIMENSIONS = 3, QUATERNION_DIMENSIONS = 4 };

/* An enclosure of P bits is off by some 2^-P of F's length, so that one of 128 bits settles a
 * verdict within 8 u. More is needed
 *  - unclamped, to know t theta to an absolute error though t may be 2^1024: 1024 bits more; the
 *    bound has a factor of t itself, so that this concerns the reported figures only;
 *  - for a component far smaller than the length: two vectors that are not parallel are at least
 *    2^-2210 from it (a minor's two products either are equal or differ by 2^-107 of the larger
 *    one, and the larger is at least 2^-2098 of |a| |b|), and that is how small a component can be
 *    without the coincidence of unrelated numbers.
 * Both together leave 700 bits for figures and digits. */
enum { PRECISION_LIMIT = 4096, SIGN_PRECISION = 64 };

/* From a to b, of as many components as there are dimensions. */
struct way {
    size_t dimensions;
    const double *a, *b;
    double t;
};

static void give(struct answer *answer, const double *vector, size_t dimensions)
{
    answer->kind = ANSWER_GIVEN;
    for (size_t k = 0; k < dimensions; k++) {
        answer->given[k] = vector ? vector[k] : NAN;
    }
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

/* t n modulo 24 where it is a whole number, which a rounded product shows; else -1. */
static int twelfths_of(double t, unsigned n)
{
    double rest = fmod(t, 24);
    double product = rest * n;
    bool whole = product == rint(product) && fma(rest, n, -product) == 0;
    return whole ? ((int)product % 24 + 24) % 24 : -1;
}

/* A component that is exactly 0 has no sign, which its enclosure may not show. It matters where an
 * infinity is as near as any number, K u S being as large, and that is from |t| = 2^23 on. There no
 * component is 0 but those that are found here: F_k = 0 says what exp(2 i t theta) is, a number of
 * a quadratic field whose logarithmic height is below 10^4, as it is made of products of six
 * components; but it is |t| times that of exp(2 i theta), which is at least log(2) / 2 unless theta
 * is one of plane_twelfths. */
static void set_zeros(struct answer *answer, const struct plane *plane, int twelfths)
{
    for (size_t k = 0; k < plane->dimensions && twelfths >= 0; k++) {
        mpfi_ptr value = answer->value[k];
        if (mpfi_has_zero(value) && plane_turned_is_zero(plane, k, (unsigned)twelfths)) {
            mpfi_set_ui(value, 0);
        }
    }
}

/* In the plane of a and b, with w the unit vector across a on b's side,
 *     b/|b| = cos(theta) a/|a| + sin(theta) w.
 * Put into the defining formula,
 *     (sin((1-t) theta) + sin(t theta) cos(theta)) / sin(theta) = cos(t theta)
 * is left before a/|a| by the addition theorem, and sin(t theta) before w. So
 *     F = L/|a| (cos(t theta) a + sin(t theta) |a| w),
 * without the division by sin(theta) that makes the defining form useless near 0 and pi. Between
 * opposite vectors that is the contract's formula, with theta = pi and the axis's p in place of
 * w. */
static void set_turned(struct answer *answer, const struct plane *plane, double t,
                       mpfi_srcptr length, mpfi_srcptr length_a, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(3, precision);
    mpfi_ptr sine = work[0], cosine = work[1], stretch = work[2];
    bool opposite = plane->kind == PLANE_OPPOSITE;
    unsigned twelfths = opposite ? 0 : plane_twelfths(plane);
    if (opposite) {
        interval_sin_cos_pi(sine, cosine, t);
    } else if (twelfths > 0) {
        interval_sin_cos_twelfths(sine, cosine, t, twelfths);
    } else {
        plane_angle(stretch, plane);
        mpfi_mul_d(stretch, stretch, t);
        interval_sin_cos(sine, cosine, stretch);
    }
    mpfi_div(stretch, length, length_a);
    mpfi_mul(cosine, cosine, stretch);
    mpfi_mul(sine, sine, stretch);
    if (opposite) {
        plane_turn_by_axis(answer->value, plane, cosine, sine);
    } else {
        plane_turn(answer->value, plane, cosine, sine);
        set_zeros(answer, plane, twelfths > 0 ? twelfths_of(t, twelfths) : -1);
    }
    interval_return(3);
}

static void set_lerp(struct answer *answer, const struct way *way)
{
    double t = way->t;
    for (size_t k = 0; k < way->dimensions; k++) {
        double a = way->a[k];
        interval_dot(answer->value[k], (double[]){1, -t, t}, (double[]){a, a, way->b[k]}, 3);
    }
}

static void set_vector(struct answer *answer, const struct way *way, mpfi_srcptr length,
                       mpfi_srcptr length_a, mpfr_prec_t precision)
{
    struct plane plane;
    plane_open(&plane, way->a, way->b, way->dimensions, precision);
    if (plane.kind == PLANE_ZERO || plane.kind == PLANE_ALIKE) {
        set_lerp(answer, way);
    } else {
        set_turned(answer, &plane, way->t, length, length_a, precision);
    }
    plane_close(&plane);
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

/* |x|^2 factor^2, exactly */
static void set_square(mpq_ptr square, const double *x, size_t dimensions, mpq_srcptr factor)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(square, 0, 1);
    for (size_t k = 0; k < dimensions; k++) {
        mpq_set_d(product, x[k]);
        mpq_mul(product, product, factor);
        mpq_mul(product, product, product);
        mpq_add(square, square, product);
    }
    mpq_clear(product);
}

/* Is L exactly 0, though it is a sum of square roots? (1-t) |a| and t |b| are of one size then, and
 * of different signs where t is not in [0, 1]. */
static bool is_length_zero(const struct way *way)
{
    if (way->t >= 0 && way->t <= 1) {
        return false;
    }
    mpq_t near, far, square_a, square_b;
    mpq_inits(near, far, square_a, square_b, NULL);
    mpq_set_d(far, way->t);
    mpq_set_ui(near, 1, 1);
    mpq_sub(near, near, far);
    set_square(square_a, way->a, way->dimensions, near);
    set_square(square_b, way->b, way->dimensions, far);
    bool zero = mpq_equal(square_a, square_b);
    mpq_clears(near, far, square_a, square_b, NULL);
    return zero;
}

/* t is finite, and so are the components. |a| and |b| are exact where they are rational and fit
 * the precision; then so is L, which therefore is known to be 0 or a power of two if it is. */
static void answer_vector(const struct way *way, mpfr_prec_t precision, struct answer *answer)
{
    answer->kind = ANSWER_REAL;
    for (size_t k = 0; k < way->dimensions; k++) {
        interval_set_precision(answer->value[k], precision);
    }
    interval_set_precision(answer->magnitude, precision);
    interval_set_precision(answer->scale[0], precision);

    mpfi_t *work = interval_take(3, precision);
    mpfi_ptr length_a = work[0], length_b = work[1], length = work[2];
    plane_length(length_a, way->a, way->dimensions);
    plane_length(length_b, way->b, way->dimensions);
    interval_lerp(length, length_a, length_b, way->t);
    if (mpfi_has_zero(length) && is_length_zero(way)) {
        mpfi_set_ui(length, 0);
    }
    set_vector(answer, way, length, length_a, precision);

    mpfi_abs(answer->magnitude, length);
    if (way->t >= 0 && way->t <= 1) {
        mpfi_set(answer->scale[0], answer->magnitude);
    } else {
        set_scale_outside(answer->scale[0], way->t, length_a, length_b, precision);
    }
    interval_return(3);
}

static void answer_slerp3(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    const double *x = inputs->number;
    struct way way = {DIMENSIONS, x + AX, x + BX, x[T]};
    if (way.t <= 0 || way.t >= 1) {
        give(answer, way.t <= 0 ? way.a : way.b, DIMENSIONS);
    } else if (isnan(way.t) || !all_finite(x, T)) {
        give(answer, NULL, DIMENSIONS);
    } else {
        answer_vector(&way, precision, answer);
    }
}

static void answer_slerp3_unclamped(const struct values *inputs, mpfr_prec_t precision,
                                    struct answer *answer)
{
    const double *x = inputs->number;
    struct way way = {DIMENSIONS, x + AX, x + BX, x[T]};
    if (way.t == 0 || way.t == 1) {
        give(answer, way.t == 0 ? way.a : way.b, DIMENSIONS);
    } else if (!isfinite(way.t) || !all_finite(x, T)) {
        give(answer, NULL, DIMENSIONS);
    } else {
        answer_vector(&way, precision, answer);
    }
}

/* q or, where the exact p . q < 0, -q. The sum of exact products is rounded only once, so that it
 * keeps its sign. */
static const double *of_nearer_sign(const double *p, const double *q,
                                    double negative[QUATERNION_DIMENSIONS])
{
    mpfi_t *dot = interval_take(1, SIGN_PRECISION);
    interval_dot(dot[0], p, q, QUATERNION_DIMENSIONS);
    bool is_negative = mpfr_sgn(&dot[0]->left) < 0;
    interval_return(1);
    for (size_t k = 0; k < QUATERNION_DIMENSIONS; k++) {
        negative[k] = -q[k];
    }
    return is_negative ? negative : q;
}

static void answer_slerp4(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    const double *x = inputs->number;
    double negative[QUATERNION_DIMENSIONS];
    struct way way = {QUATERNION_DIMENSIONS, x + PX, x + QX, x[QUATERNION_T]};
    bool finite = all_finite(x, QUATERNION_T);
    if (finite) {
        way.b = of_nearer_sign(way.a, way.b, negative);
    }
    if (way.t <= 0 || way.t >= 1) {
        give(answer, way.t <= 0 ? way.a : way.b, QUATERNION_DIMENSIONS);
    } else if (isnan(way.t) || !finite) {
        give(answer, NULL, QUATERNION_DIMENSIONS);
    } else {
        answer_vector(&way, precision, answer);
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

static const struct field quaternion_inputs[QUATERNION_INPUTS] = {
    [PX] = {"px", FIELD_NUMBER, "length", "the first quaternion's x component"},
    [PY] = {"py", FIELD_NUMBER, "length", "the first quaternion's y component"},
    [PZ] = {"pz", FIELD_NUMBER, "length", "the first quaternion's z component"},
    [PW] = {"pw", FIELD_NUMBER, "length", "the first quaternion's w component"},
    [QX] = {"qx", FIELD_NUMBER, "length", "the second quaternion's x component"},
    [QY] = {"qy", FIELD_NUMBER, "length", "the second quaternion's y component"},
    [QZ] = {"qz", FIELD_NUMBER, "length", "the second quaternion's z component"},
    [QW] = {"qw", FIELD_NUMBER, "length", "the second quaternion's w component"},
    [QUATERNION_T] = {"t", FIELD_NUMBER, "1",
                      "the parameter: 0 at the first quaternion, 1 at the second"},
};

static const struct field quaternion_outputs[QUATERNION_DIMENSIONS] = {
    {"x", FIELD_NUMBER, "length", "the result's x component"},
    {"y", FIELD_NUMBER, "length", "the result's y component"},
    {"z", FIELD_NUMBER, "length", "the result's z component"},
    {"w", FIELD_NUMBER, "length", "the result's w component"},
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
    .estimate = estimate_slerp3,
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
    .estimate = estimate_slerp3_unclamped,
};

const struct function oracle_slerp4 = {
    .name = "slerp4",
    .family = "slerp",
    .summary = "interpolation of quaternions at even angular speed, the short way",
    .formula = "L (sin((1-t) theta) p/|p| + sin(t theta) q/|q|) / sin(theta) with -q in place of q "
               "where p.q < 0, theta the angle between the two and L = (1-t)|p| + t|q|; "
               "p + t (q - p) where one is 0 or both have one direction",
    .scale = "|F|",
    .domain = "t NaN gives NaN; t <= 0 gives p and t >= 1 gives q, or -q where p.q < 0 (q itself "
              "if a component is not finite), bit for bit; else a component that is not finite "
              "gives NaN in all",
    .inputs = quaternion_inputs,
    .input_count = QUATERNION_INPUTS,
    .outputs = quaternion_outputs,
    .output_count = QUATERNION_DIMENSIONS,
    .measure = MEASURE_VECTOR,
    .K = 8,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_slerp4,
    .estimate = estimate_slerp4,
};
