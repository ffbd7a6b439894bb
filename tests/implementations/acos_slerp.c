/* Even angle and linear length between two vectors by the arccosine of the normalised dot product,
 * as engines ship it, with the rules for special cases put before. The arccosine cannot tell angles
 * below 2^-26 from 0 and loses half the digits near it; that is the price of this formula. */
#include "../../impl/truelerp.h"

#include <math.h>

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The result may take the place of a or b. */
static int given(const double a[3], const double b[3], double t, double result[3])
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        finite &= isfinite(a[k]) && isfinite(b[k]);
    }
    if (finite && t > 0 && t < 1) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        result[k] = t <= 0 ? a[k] : t >= 1 ? b[k] : NAN;
    }
    return 1;
}

void tl_slerp3(const double from[3], const double to[3], double t, double result[3])
{
    /* the result may take an argument's place */
    const double a[3] = {from[0], from[1], from[2]}, b[3] = {to[0], to[1], to[2]};
    if (given(a, b, t, result)) {
        return;
    }
    const double length_a = length3(a), length_b = length3(b);
    const double cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (length_a * length_b);
    const double angle = acos(fmin(fmax(cosine, -1), 1));
    double weight_a = 1 - t, weight_b = t;
    if (sin(angle) > 0) {
        const double length = (1 - t) * length_a + t * length_b;
        weight_a = length * sin((1 - t) * angle) / (sin(angle) * length_a);
        weight_b = length * sin(t * angle) / (sin(angle) * length_b);
    }
    for (int k = 0; k < 3; k++) {
        result[k] = weight_a * a[k] + weight_b * b[k];
    }
}
