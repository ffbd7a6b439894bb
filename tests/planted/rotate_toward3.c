#include "planted.h"

static void away(const double *a, const double *b, double phi, double *result)
{
    true_rotate_toward3(a, b, -phi, result);
}

static void stops_at(const double *a, const double *b, double phi, double *result)
{
    double theta = true_angle3(a, b);
    true_rotate_toward3(a, b, phi > theta && theta > 0 && isfinite(phi) ? theta : phi, result);
}

static void rounded_turns(const double *a, const double *b, double phi, double *result)
{
    true_rotate_toward3(a, b, fabs(phi) < 1e15 ? fmod(phi, 6.28318530717958647693) : phi, result);
}

static void float_turns(const double *a, const double *b, double phi, double *result)
{
    true_rotate_toward3(a, b, fabs(phi) < 1e15 ? fmod(phi, 6.28318548f) : phi, result);
}

static void length_drifts(const double *a, const double *b, double phi, double *result)
{
    true_rotate_toward3(a, b, phi, result);
    for (int k = 0; k < 3 && fabs(phi) > 1 && fabs(phi) < 0x1p52; k++) {
        result[k] *= 1 + 0x1.cp-51; /* 7 u */
    }
}

EXPORT void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    double own[3]; /* the result may take an argument's place */
    FAULT(a, b, phi, own);
    memcpy(result, own, sizeof own);
}
