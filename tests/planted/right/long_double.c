/* Turns with the C library's functions for long double, where that has 64 bits or more, after exact
 * products: by the axis and the right angle, not by the sines of the parts. (No unclamped turn: of
 * very many turns, 64 bits of the angle leave nothing.) */
#include "rules.h"

#if LDBL_MANT_DIG == 113
typedef long double wide;
#else
typedef __float128 wide;
#endif

/* Within 2^-113 of itself, and 0 only if it is. */
static wide minor_of(double a, double b, double c, double d)
{
    return (wide)a * b - (wide)c * d;
}

/* n = a x b in units of its own; 0 if it is. */
static bool axis_of(const double *a, const double *b, long double n[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (long double)minor_of(a[i], b[j], a[j], b[i]);
    }
    return n[0] != 0 || n[1] != 0 || n[2] != 0;
}

static long double length_of(const long double *v)
{
    return sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static long double size_of(const double *a)
{
    return length_of((long double[3]){a[0], a[1], a[2]});
}

static long double cosine_part(const double *a, const double *b)
{
    return (long double)((wide)a[0] * b[0] + (wide)a[1] * b[1] + (wide)a[2] * b[2]);
}

/* The axis about which a turns to its opposite: a x e_k, for p = e_k made orthogonal. */
static void axis_of_opposite(const double *a, long double n[3])
{
    double unit[3] = {0, 0, 0};
    unit[smallest_of(a)] = 1;
    axis_of(a, unit, n);
}

/* gain (cos(phi) a + sin(phi) (n x a) / |n|) */
static void turn(const double *a, const long double *n, long double phi, long double gain,
                 double *result)
{
    long double length = length_of(n), c = gain * cosl(phi), s = gain * sinl(phi) / length;
    double r[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        r[k] = (double)(c * a[k] + s * (n[i] * a[j] - n[j] * a[i]));
    }
    memcpy(result, r, sizeof r);
}

EXPORT void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    long double n[3], theta = acosl(-1);
    if (turn_ruled(a, b, t, 3, true, result)) {
        return;
    }
    bool across = axis_of(a, b, n);
    if (is_zero(a, 3) || is_zero(b, 3) || (!across && cosine_part(a, b) > 0)) {
        for (int k = 0; k < 3; k++) {
            double from = a[k], to = b[k];
            result[k] = from == to ? from : (double)(((wide)1 - t) * from + (wide)t * to);
        }
        return;
    }
    if (across) {
        theta = atan2l(length_of(n), cosine_part(a, b));
    } else {
        axis_of_opposite(a, n);
    }
    long double gain = (1 - (long double)t) + t * (size_of(b) / size_of(a));
    turn(a, n, t * theta, gain, result);
}

EXPORT double tl_angle3(const double a[3], const double b[3])
{
    long double n[3];
    if (!all_finite(a, 3) || !all_finite(b, 3)) {
        return NAN;
    }
    if (is_zero(a, 3) || is_zero(b, 3)) {
        return 0;
    }
    axis_of(a, b, n);
    return (double)atan2l(length_of(n), cosine_part(a, b));
}

EXPORT void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    long double n[3];
    if (!all_finite(a, 3) || !all_finite(b, 3) || !isfinite(phi)) {
        result[0] = result[1] = result[2] = NAN;
        return;
    }
    if (is_zero(a, 3)) {
        result[0] = result[1] = result[2] = 0;
        return;
    }
    if (!axis_of(a, b, n)) {
        axis_of_opposite(a, n);
    }
    turn(a, n, phi, 1, result);
}
