#include "assessment.h"
#include "interval.h"
#include "measure.h"

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
