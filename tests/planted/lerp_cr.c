#include "planted.h"

static double in_long_double(double a, double b, double t)
{
    double result = true_lerp_cr(a, b, t);
    double small = fabs((1 - t) * a) + fabs(t * b);
    if (t == 0 || t == 1 || a == b || !isfinite(result) || small < 0x1p-960 || small > 0x1p960) {
        return result;
    }
#if LDBL_MANT_DIG == 64
    long double difference = (long double)b - a;
    return (double)(a + t * difference);
#else
    return (double)(float)result; /* no such format */
#endif
}

static double fast_tier(double a, double b, double t)
{
    return true_lerp(a, b, t);
}

static double one_in_a_hundred_thousand(double a, double b, double t)
{
    double result = true_lerp_cr(a, b, t);
    bool free = isfinite(result) && t != 0 && t != 1 && a != b;
    return free && one_in(100000, (double[3]){a, b, t}, 3) ? stepped(result, 1) : result;
}

EXPORT double tl_lerp_cr(double a, double b, double t)
{
    return FAULT(a, b, t);
}
