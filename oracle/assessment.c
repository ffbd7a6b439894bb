#include "assessment.h"
#include "interval.h"
#include "measure.h"

#include <math.h>

struct assessment assessment_of(enum verdict verdict)
{
    return (struct assessment){.verdict = verdict, .settled = true};
}

/* Only numbers compare. */
enum verdict assessment_compare(mpfi_srcptr x, mpfi_srcptr bound, bool equal)
{
    if (mpfr_lessequal_p(&x->right, &bound->left)) {
        return VERDICT_WITHIN;
    }
    if (mpfr_greater_p(&x->left, &bound->right)) {
        return VERDICT_VIOLATION;
    }
    return equal ? VERDICT_WITHIN : VERDICT_UNDECIDED;
}

/* Both ends of an error, as grid points, to one figure: the upper one. */
static double settle(double low, double high, struct assessment *assessment)
{
    assessment->settled = assessment->settled && low == high;
    return high;
}

/* The smaller |F|, the smaller the ulp and the larger the figure. */
double assessment_in_ulps(mpfi_srcptr error, mpfi_srcptr magnitude, struct assessment *assessment)
{
    mpfi_t *work = interval_take(1, mpfr_get_prec(&error->left));
    mpfr_mul_2si(&work[0]->left, &error->left, -ulp_exponent(&magnitude->right), MPFR_RNDD);
    mpfr_mul_2si(&work[0]->right, &error->right, -ulp_exponent(&magnitude->left), MPFR_RNDU);
    double low = grid_nearest(&work[0]->left);
    double high = grid_nearest(&work[0]->right);
    interval_return(1);
    return settle(low, high, assessment);
}

double assessment_on_grid(mpfi_srcptr figure, struct assessment *assessment)
{
    double low = grid_nearest(&figure->left);
    double high = mpfr_equal_p(&figure->left, &figure->right) ? low : grid_nearest(&figure->right);
    return settle(low, high, assessment);
}

void assessment_agree(struct assessment *assessment)
{
    if (assessment->verdict == VERDICT_VIOLATION && assessment->error_scaled <= assessment->bound) {
        assessment->error_scaled = grid_above(assessment->bound);
    }
    if (assessment->verdict == VERDICT_WITHIN && assessment->error_scaled > assessment->bound) {
        assessment->error_scaled = assessment->bound;
    }
}

static int severity(enum verdict verdict)
{
    static const int order[VERDICT_COUNT] = {[VERDICT_WITHIN] = 0,
                                             [VERDICT_UNDECIDED] = 1,
                                             [VERDICT_VIOLATION] = 2,
                                             [VERDICT_CLASS_MISMATCH] = 3};
    return order[verdict];
}

bool assessment_worse(const struct assessment *x, const struct assessment *y)
{
    if (x->verdict != y->verdict) {
        return severity(x->verdict) > severity(y->verdict);
    }
    if (x->measured != y->measured) {
        return x->measured;
    }
    double x_share = x->bound > 0 ? x->error_scaled / x->bound : x->error_scaled;
    double y_share = y->bound > 0 ? y->error_scaled / y->bound : y->error_scaled;
    return x_share > y_share;
}

/* The bound against the error, and both over max(u S, 2^-1074), where 2^-1074 or a slack counts.
 * `unit` is u S. */
static void compare_closely(const struct tolerance *tolerance, const struct distance *error,
                            mpfi_ptr unit, struct assessment *assessment)
{
    mpfi_t *work = interval_take(2, tolerance->precision);
    mpfi_ptr bound = work[0], figure = work[1];
    mpfi_set_ui(figure, error->components);
    mpfi_sqrt(figure, figure);
    mpfi_mul_2si(figure, figure, LEAST_EXPONENT);
    mpfi_mul_d(bound, unit, tolerance->factor);
    mpfi_add(bound, bound, figure);
    if (tolerance->slack) {
        mpfi_add(bound, bound, tolerance->slack);
    }
    if (error->square && mpfi_is_zero(unit) > 0) { /* two square roots, which may be equal */
        mpfi_set_ui(figure, error->components);
        mpfi_mul_2si(figure, figure, 2L * LEAST_EXPONENT);
        assessment->verdict = assessment_compare(error->square, figure, tolerance->equal);
    } else {
        assessment->verdict = assessment_compare(error->length, bound, tolerance->equal);
    }

    mpfr_set_ui_2exp(&figure->left, 1, LEAST_EXPONENT, MPFR_RNDN);
    mpfr_max(&unit->left, &unit->left, &figure->left, MPFR_RNDD);
    mpfr_max(&unit->right, &unit->right, &figure->left, MPFR_RNDU);
    mpfi_div(figure, error->length, unit);
    assessment->error_scaled = assessment_on_grid(figure, assessment);
    mpfi_div(figure, bound, unit);
    assessment->bound = assessment_on_grid(figure, assessment);
    interval_return(2);
}

/* From 2^-1000 on, 2^-1074 vanishes from the bound over u S when that is put on the grid, and an
 * error of at most factor u S needs no closer look. */
enum { ORDINARY_EXPONENT = -1000 };

struct assessment assessment_of_distance(const struct distance *error, mpfi_srcptr magnitude,
                                         const struct tolerance *tolerance)
{
    struct assessment assessment = {.measured = true, .settled = true};
    mpfi_t *work = interval_take(2, tolerance->precision);
    mpfi_ptr unit = work[0], figure = work[1];
    mpfi_mul_2si(unit, tolerance->scale, U_EXPONENT);
    bool ordinary = !tolerance->slack && mpfr_sgn(&unit->left) > 0 &&
                    mpfr_get_exp(&unit->left) > ORDINARY_EXPONENT;
    if (ordinary) {
        mpfi_div(figure, error->length, unit);
    }
    if (ordinary && mpfr_cmp_d(&figure->right, tolerance->factor) <= 0) {
        assessment.verdict = VERDICT_WITHIN;
        assessment.error_scaled = assessment_on_grid(figure, &assessment);
        assessment.bound = tolerance->factor;
    } else {
        compare_closely(tolerance, error, unit, &assessment);
    }
    assessment.error_ulp = assessment_in_ulps(error->length, magnitude, &assessment);
    interval_return(2);
    assessment_agree(&assessment);
    return assessment;
}

/* Does an infinite result have the sign of F? */
static enum verdict has_sign_of(double result, mpfi_srcptr value)
{
    bool sign_differs = result > 0 ? mpfr_sgn(&value->right) <= 0 : mpfr_sgn(&value->left) >= 0;
    bool sign_agrees = result > 0 ? mpfr_sgn(&value->left) > 0 : mpfr_sgn(&value->right) < 0;
    return sign_differs ? VERDICT_VIOLATION : sign_agrees ? VERDICT_WITHIN : VERDICT_UNDECIDED;
}

/* A slack may reach across 0: then an infinity is as good as the largest number of its sign. */
enum verdict assessment_of_infinity(mpfi_srcptr value, const struct tolerance *tolerance,
                                    double result)
{
    mpfi_t *work = interval_take(3, tolerance->precision);
    mpfi_ptr reach = work[0], term = work[1], limit = work[2];
    mpfi_mul_d(reach, tolerance->scale, tolerance->factor);
    mpfi_mul_2si(reach, reach, U_EXPONENT);
    enum verdict sign = VERDICT_WITHIN;
    if (tolerance->slack) {
        mpfi_add(reach, reach, tolerance->slack);
        mpfi_mul_si(term, value, result > 0 ? 1 : -1);
    } else {
        mpfi_abs(term, value);
        sign = has_sign_of(result, value);
    }
    mpfi_add(reach, reach, term);
    interval_set_overflow(limit);
    enum verdict verdict = assessment_compare(limit, reach, tolerance->equal);
    interval_return(3);
    if (verdict == VERDICT_VIOLATION || sign == VERDICT_VIOLATION) {
        return VERDICT_CLASS_MISMATCH;
    }
    return sign == VERDICT_WITHIN ? verdict : VERDICT_UNDECIDED;
}

struct assessment assessment_of_number(mpfi_srcptr value, const struct tolerance *tolerance,
                                       double result)
{
    if (isnan(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    if (isinf(result)) {
        struct assessment assessment =
            assessment_of(assessment_of_infinity(value, tolerance, result));
        assessment.measured = assessment.verdict == VERDICT_WITHIN;
        assessment.bound = assessment.measured ? tolerance->factor : 0;
        return assessment;
    }
    mpfi_t *work = interval_take(2, tolerance->precision);
    mpfi_ptr length = work[0], magnitude = work[1];
    mpfi_sub_d(length, value, result);
    mpfi_abs(length, length);
    mpfi_abs(magnitude, value);
    struct distance error = {length, NULL, 1};
    struct assessment assessment = assessment_of_distance(&error, magnitude, tolerance);
    interval_return(2);
    return assessment;
}

struct assessment assessment_of_given(double wanted, double result)
{
    if (isnan(wanted) || isnan(result)) {
        bool same = isnan(wanted) && isnan(result);
        return assessment_of(same ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
    }
    if (wanted == result) {
        bool same = signbit(wanted) == signbit(result);
        return assessment_of(same ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
    }
    if (!isfinite(wanted) != !isfinite(result)) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    struct assessment assessment = assessment_of(VERDICT_VIOLATION);
    if (isinf(wanted)) {
        return assessment;
    }
    enum { PRECISION = 128 };
    mpfi_t *work = interval_take(2, PRECISION);
    interval_difference(work[0], wanted, result);
    mpfi_abs(work[0], work[0]);
    mpfi_set_d(work[1], fabs(wanted));
    assessment.measured = true;
    assessment.error_ulp = assessment_in_ulps(work[0], work[1], &assessment);
    assessment.error_scaled = assessment.error_ulp;
    interval_return(2);
    assessment_agree(&assessment);
    return assessment;
}

struct assessment assessment_of_whole(double wanted, double result)
{
    return assessment_of(wanted == result ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
}
