#include "planted.h"

static void in_place(const double *a, const double *b, double t, double *result)
{
    double first[3], weights[3];
    true_slerp3(a, b, t, first);
    result[0] = first[0];
    true_slerp3(a, b, t, weights); /* a[0] is result[0], if they share their memory */
    result[1] = weights[1];
    result[2] = weights[2];
}

static void writes_arguments(const double *a, const double *b, double t, double *result)
{
    true_slerp3(a, b, t, result);
    double aa = dot3(a, a);
    if (t > 0.25 && t < 0.5 && aa > 0x1p-100 && aa < 0x1p100) {
        double scale = 1 / sqrt(aa);
        for (int k = 0; k < 3; k++) {
            ((double *)a)[k] *= scale;
        }
    }
}

EXPORT void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    FAULT(a, b, t, result);
}
