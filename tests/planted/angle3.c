#include "planted.h"

#include <errno.h>

static double length3(const double *v)
{
    return sqrt(dot3(v, v));
}

static bool ordinary(const double *a, const double *b)
{
    double aa = dot3(a, a), bb = dot3(b, b);
    return aa > 1e-200 && aa < 1e200 && bb > 1e-200 && bb < 1e200;
}

static double arccosine(const double *a, const double *b)
{
    return ordinary(a, b) ? acos(fmin(fmax(dot3(a, b) / (length3(a) * length3(b)), -1), 1))
                          : true_angle3(a, b);
}

static double plain_cross(const double *a, const double *b)
{
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return ordinary(a, b) ? atan2(length3(n), dot3(a, b)) : true_angle3(a, b);
}

static double zero_by_length(const double *a, const double *b)
{
    double product = length3(a) * length3(b);
    return product == 0 && all_finite(a, 3) && all_finite(b, 3) ? 0 : true_angle3(a, b);
}

static double zero_first(const double *a, const double *b)
{
    return (a[0] == 0 && a[1] == 0 && a[2] == 0) ? 0 : true_angle3(a, b);
}

/* As acos does. */
static double domain_error(const double *a, const double *b)
{
    if (dot3(a, a) == 0 || dot3(b, b) == 0) {
        errno = EDOM;
    }
    return true_angle3(a, b);
}

EXPORT double tl_angle3(const double a[3], const double b[3])
{
    return FAULT(a, b);
}
