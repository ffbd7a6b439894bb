/* In binary128, whose range has no ends for this: what needs no transcendental function. */
#include "rules.h"

#if LDBL_MANT_DIG == 113
typedef long double wide;
#else
typedef __float128 wide;
#endif

/* Products of two doubles and their differences are exact to 2^-113 of themselves. */
EXPORT double tl_lerp(double a, double b, double t)
{
    double result;
    return lerp_ruled(a, b, t, &result) ? result : (double)(((wide)1 - t) * a + (wide)t * b);
}

EXPORT double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (hermite_ruled(k0, k1, t, &result)) {
        return result;
    }
    wide h = (wide)k1->time - k0->time, from = (wide)t - k0->time, to = (wide)k1->time - t;
    wide x = from / h, y = to / h;
    wide first = k0->value * (1 + 2 * x) + k0->out_tangent * from;
    wide second = k1->value * (1 + 2 * y) - k1->in_tangent * to;
    return (double)(first * y * y + second * x * x);
}

EXPORT void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double c[4])
{
    if (coefficients_ruled(k0, k1, c)) {
        return;
    }
    wide h = (wide)k1->time - k0->time, drop = (wide)k0->value - k1->value;
    wide from = h * k0->out_tangent, to = h * k1->in_tangent;
    c[0] = (double)(2 * drop + (from + to));
    c[1] = (double)(-3 * drop - (2 * from + to));
    c[2] = (double)from;
    c[3] = k0->value;
}
