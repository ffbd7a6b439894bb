#include "filter.h"
#include "interval.h"
#include "segment.h"

#include <math.h>

enum { T0, V0, M0, T1, V1, M1, T, INPUTS };
enum { COEFFICIENT_INPUTS = T, COEFFICIENTS = 4 };

/* With all inputs multiples of g = 2^-1074 below 2^1024, and h = t1 - t0 < 2^1025:
 *
 * The numerators of F and S over h^3 are multiples of g^5 = 2^-5370 and below 2^5126, hence exact
 * in 10496 bits; h^3 in fewer. F = 0 then is recognised, and F and S have one rounding each.
 *
 * Where the quotients are not exact, an error that equals the bound still is told from one that
 * does not: (|r - F| - (12 u S + g)) h^3 is a multiple of 2^-51 g^5, so that the two are equal or
 * at least 2^-5421 / 2^3075 = 2^-8496 apart. Both are below 2^2052 and enclosed to a width of less
 * than 2^(2056 - precision), which is smaller than that from 10553 bits on. */
enum { PRECISION_LIMIT = 10624 };

/* The coefficients are multiples of 2^-2148 below 2^2052; their bounds, with the factor 4 u, are
 * multiples of 2^-2199. Both are exact in 4251 bits. */
enum { COEFFICIENTS_PRECISION_LIMIT = 4288 };

static void point(mpfr_ptr result, double x)
{
    mpfr_set_prec(result, 53);
    mpfr_set_d(result, x, MPFR_RNDN);
}

/* With d = t - t0, e = t1 - t and h = d + e, so that x = d/h and 1 - x = e/h, the four terms of F
 * over h^3 are
 *     v0 (h + 2d) e^2,    m0 h d e^2,    v1 (h + 2e) d^2,    -m1 h e d^2.
 * All factors but the data are positive: each term is known to a few units of its last bit. */
static void set_terms(mpfi_t term[4], mpfi_srcptr d, mpfi_srcptr e, mpfi_srcptr h,
                      const struct segment_data *data, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    for (size_t side = 0; side < 2; side++) {
        mpfi_srcptr near = side == 0 ? d : e;
        mpfi_srcptr far = side == 0 ? e : d;
        mpfi_ptr value_term = term[2 * side];
        mpfi_ptr slope_term = term[2 * side + 1];
        mpfi_sqr(work[0], far);
        mpfi_mul_2ui(work[1], near, 1);
        mpfi_add(work[1], work[1], h);
        mpfi_mul(value_term, work[1], work[0]);
        mpfi_mul(work[1], near, h);
        mpfi_mul(slope_term, work[1], work[0]);
    }
    mpfr_ptr datum = &work[0]->left;
    point(datum, data->v0);
    mpfi_mul_fr(term[0], term[0], datum);
    point(datum, data->m0);
    mpfi_mul_fr(term[1], term[1], datum);
    point(datum, data->v1);
    mpfi_mul_fr(term[2], term[2], datum);
    point(datum, -data->m1);
    mpfi_mul_fr(term[3], term[3], datum);
    interval_return(2);
}

void hermite_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr value, mpfi_ptr scale)
{
    mpfr_prec_t precision = mpfr_get_prec(&value->left);
    mpfi_t *term = interval_take(4, precision);
    mpfi_t *work = interval_take(4, precision);
    mpfi_ptr d = work[0], e = work[1], h = work[2], cube = work[3];
    interval_above(d, t, data->t0);
    interval_below(e, t, data->t1);
    interval_difference(h, data->t1, data->t0);
    set_terms(term, d, e, h, data, precision);

    mpfi_set(value, term[0]);
    mpfi_abs(scale, term[0]);
    for (int i = 1; i < 4; i++) {
        mpfi_add(value, value, term[i]);
        mpfi_abs(term[i], term[i]);
        mpfi_add(scale, scale, term[i]);
    }
    mpfi_sqr(cube, h);
    mpfi_mul(cube, cube, h);
    mpfi_div(value, value, cube);
    mpfi_div(scale, scale, cube);
    interval_return(4);
    interval_return(4);
}

static void answer_hermite(const struct values *inputs, mpfr_prec_t precision,
                           struct answer *answer)
{
    const double *x = inputs->number;
    struct segment_data data = {.t0 = x[T0],
                                .v0 = x[V0],
                                .m0 = x[M0],
                                .t1 = x[T1],
                                .v1 = x[V1],
                                .m1 = x[M1],
                                .t = x[T],
                                .finite_weights = true};
    if (segment_is_given(&data, answer)) {
        return;
    }
    answer->kind = ANSWER_REAL;
    interval_set_precision(answer->value[0], precision);
    interval_set_precision(answer->scale[0], precision);
    mpfi_t *work = interval_take(1, precision);
    mpfr_ptr t = &work[0]->left;
    point(t, data.t);
    hermite_at(&data, t, answer->value[0], answer->scale[0]);
    interval_return(1);
}

/* With h = t1 - t0, of either sign or 0:
 *     a = 2 v0 - 2 v1 + h m0 + h m1
 *     b = -3 v0 + 3 v1 - 2 h m0 - h m1
 *     c = h m0
 *     d = v0 */
static const signed char factor[COEFFICIENTS][4] = {
    {2, -2, 1, 1}, {-3, 3, -2, -1}, {0, 0, 1, 0}, {1, 0, 0, 0}};

/* One coefficient and the sum of its absolute terms. */
static void set_coefficient(mpfi_ptr value, mpfi_ptr scale, mpfi_t datum[4],
                            const signed char factors[4], mpfi_ptr term)
{
    mpfi_set_ui(value, 0);
    mpfi_set_ui(scale, 0);
    for (int i = 0; i < 4; i++) {
        if (factors[i] != 0) {
            mpfi_mul_si(term, datum[i], factors[i]);
            mpfi_add(value, value, term);
            mpfi_abs(term, term);
            mpfi_add(scale, scale, term);
        }
    }
}

static void answer_coefficients(const struct values *inputs, mpfr_prec_t precision,
                                struct answer *answer)
{
    const double *x = inputs->number;
    for (size_t i = 0; i < COEFFICIENT_INPUTS; i++) {
        if (!isfinite(x[i])) {
            answer->kind = ANSWER_GIVEN;
            for (size_t k = 0; k < COEFFICIENTS; k++) {
                answer->given[k] = NAN;
            }
            return;
        }
    }
    answer->kind = ANSWER_REAL;
    mpfi_t *datum = interval_take(4, precision);
    mpfi_t *work = interval_take(2, precision);
    interval_difference(work[0], x[T1], x[T0]);
    mpfi_set_d(datum[0], x[V0]);
    mpfi_set_d(datum[1], x[V1]);
    mpfi_set_d(datum[2], x[M0]);
    mpfi_mul(datum[2], datum[2], work[0]);
    mpfi_set_d(datum[3], x[M1]);
    mpfi_mul(datum[3], datum[3], work[0]);
    for (size_t k = 0; k < COEFFICIENTS; k++) {
        interval_set_precision(answer->value[k], precision);
        interval_set_precision(answer->scale[k], precision);
        set_coefficient(answer->value[k], answer->scale[k], datum, factor[k], work[1]);
    }
    interval_return(2);
    interval_return(4);
}

static const struct field inputs[INPUTS] = {
    [T0] = {"t0", FIELD_NUMBER, "time", "the first key's time"},
    [V0] = {"v0", FIELD_NUMBER, "value", "the first key's value"},
    [M0] = {"m0", FIELD_NUMBER, "value/time", "the first key's out tangent, a slope"},
    [T1] = {"t1", FIELD_NUMBER, "time", "the second key's time"},
    [V1] = {"v1", FIELD_NUMBER, "value", "the second key's value"},
    [M1] = {"m1", FIELD_NUMBER, "value/time", "the second key's in tangent, a slope"},
    [T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
};

static const struct field value_output[] = {{"", FIELD_NUMBER, "value", "the value at t"}};

static const struct field coefficient_outputs[COEFFICIENTS] = {
    {"a", FIELD_NUMBER, "value", "the coefficient of x^3"},
    {"b", FIELD_NUMBER, "value", "the coefficient of x^2"},
    {"c", FIELD_NUMBER, "value", "the coefficient of x"},
    {"d", FIELD_NUMBER, "value", "the constant term"},
};

const struct function oracle_hermite = {
    .name = "hermite",
    .family = "hermite",
    .summary = "the cubic segment between two keys without weights",
    .formula = "v0 (2 x^3 - 3 x^2 + 1) + h m0 (x^3 - 2 x^2 + x) + v1 (-2 x^3 + 3 x^2) + "
               "h m1 (x^3 - x^2) with h = t1 - t0 and x = (t - t0)/h",
    .scale = "the sum of the absolute values of the formula's four terms",
    .domain = "a time that is NaN or t0 > t1 gives NaN; else t >= t1 gives v1 and t <= t0 gives "
              "v0, bit for bit; else an infinite tangent gives v0; else any other argument that "
              "is not finite gives NaN",
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = value_output,
    .output_count = 1,
    .measure = MEASURE_SCALED,
    .K = HERMITE_K,
    .precision_limit = PRECISION_LIMIT,
    .equal_at_limit = true,
    .answer = answer_hermite,
    .estimate = estimate_hermite,
};

const struct function oracle_hermite_coefficients = {
    .name = "hermite_coefficients",
    .family = "hermite",
    .summary = "the coefficients of a cubic segment in x = (t - t0)/(t1 - t0)",
    .formula = "a = 2 v0 - 2 v1 + h m0 + h m1, b = -3 v0 + 3 v1 - 2 h m0 - h m1, c = h m0, d = v0 "
               "with h = t1 - t0: the value at x is a x^3 + b x^2 + c x + d",
    .scale = "of each coefficient, the sum of the absolute values of its terms",
    .domain = "any argument that is not finite gives NaN in all",
    .inputs = inputs,
    .input_count = COEFFICIENT_INPUTS,
    .outputs = coefficient_outputs,
    .output_count = COEFFICIENTS,
    .measure = MEASURE_SCALED,
    .K = 4,
    .precision_limit = COEFFICIENTS_PRECISION_LIMIT,
    .answer = answer_coefficients,
    .estimate = estimate_hermite_coefficients,
};
