#include "planted.h"

static void clamped(const double *a, const double *b, double t, double *result)
{
    true_slerp3_unclamped(a, b, isfinite(t) ? fmin(fmax(t, -8), 8) : t, result);
}

static void length_not_signed(const double *a, const double *b, double t, double *result)
{
    true_slerp3_unclamped(a, b, t, result);
    if ((1 - t) * sqrt(dot3(a, a)) + t * sqrt(dot3(b, b)) < 0) {
        for (int k = 0; k < 3; k++) {
            result[k] = -result[k];
        }
    }
}

EXPORT void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    double own[3]; /* the result may take an argument's place */
    FAULT(a, b, t, own);
    memcpy(result, own, sizeof own);
}
