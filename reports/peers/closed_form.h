/* A weighted segment by the closed form of a cubic's roots, in plain double, as animation systems
 * ship it: Cardano's formula for one real root, the cosine for three, coefficients below a
 * threshold dropped, the first root in [0, 1] taken. The formulas are the textbooks' (W. H. Press
 * et al., Numerical Recipes, on quadratic and cubic equations); cube roots come from the logarithm,
 * which is faster than cbrt.
 *
 * In a header, so that the benchmark times what the tests judge. */
#ifndef TRUELERP_CLOSED_FORM_H
#define TRUELERP_CLOSED_FORM_H

#include "../../impl/truelerp.h"

#include <math.h>

static const double closed_form_threshold = 1e-3;
static const double closed_form_third_turn = 0x1.0c152382d7366p+1; /* 2 pi / 3 */

static inline double closed_form_cube_root(double x)
{
    if (x == 0) {
        return 0;
    }
    const double root = exp(log(fabs(x)) / 3);
    return x < 0 ? -root : root;
}

static inline int closed_form_holds(double s)
{
    return s >= 0 && s <= 1;
}

/* s of a s^3 + b s^2 + c s = x; where no root is in [0, 1], the nearer end. */
static inline double closed_form_cubic(double a, double b, double c, double x)
{
    const double shift = -b / (3 * a);
    const double p = c / (3 * a) - shift * shift;
    const double q = shift * shift * shift + (b * c + 3 * a * x) / (6 * a * a);
    const double discriminant = q * q + p * p * p;
    if (discriminant < 0) {
        const double radius = 2 * closed_form_cube_root(sqrt(q * q - discriminant));
        const double angle = atan2(sqrt(-discriminant), q) / 3;
        const double first = radius * cos(angle) + shift;
        if (closed_form_holds(first)) {
            return first;
        }
        const double second = radius * cos(angle + closed_form_third_turn) + shift;
        if (closed_form_holds(second)) {
            return second;
        }
        const double third = radius * cos(angle - closed_form_third_turn) + shift;
        if (closed_form_holds(third)) {
            return third;
        }
    } else {
        const double root = sqrt(discriminant);
        const double only =
            closed_form_cube_root(q + root) + closed_form_cube_root(q - root) + shift;
        if (closed_form_holds(only)) {
            return only;
        }
    }
    return x < 0.5 ? 0 : 1;
}

static inline double closed_form_quadratic(double b, double c, double x)
{
    const double root = sqrt(c * c + 4 * b * x);
    const double first = (-c - root) / (2 * b);
    if (closed_form_holds(first)) {
        return first;
    }
    const double second = (-c + root) / (2 * b);
    if (closed_form_holds(second)) {
        return second;
    }
    return x < 0.5 ? 0 : 1;
}

/* The parameter at the share x of the duration, for the weights w0 and w1. */
static inline double closed_form_root(double w0, double w1, double x)
{
    const double a = 3 * w0 + 3 * w1 - 2;
    const double b = 3 - 6 * w0 - 3 * w1;
    const double c = 3 * w0;
    if (fabs(a) > closed_form_threshold) {
        return closed_form_cubic(a, b, c, x);
    }
    if (fabs(b) > closed_form_threshold) {
        return closed_form_quadratic(b, c, x);
    }
    return c > closed_form_threshold ? x / c : 0;
}

/* The value at the parameter s, in powers of s. */
static inline double closed_form_value(const tl_key *k0, const tl_key *k1, double w0, double w1,
                                       double s)
{
    const double duration = k1->time - k0->time;
    const double rise0 = 3 * w0 * k0->out_tangent * duration;
    const double rise1 = 3 * w1 * k1->in_tangent * duration;
    const double change = k1->value - k0->value;
    const double a = rise0 + rise1 - 2 * change;
    const double b = 3 * change - 2 * rise0 - rise1;
    return ((a * s + b) * s + rise0) * s + k0->value;
}

static inline double closed_form_out_weight(const tl_key *key)
{
    return key->weighted_mode & TL_WEIGHTED_OUT ? key->out_weight : 1.0 / 3;
}

static inline double closed_form_in_weight(const tl_key *key)
{
    return key->weighted_mode & TL_WEIGHTED_IN ? key->in_weight : 1.0 / 3;
}

#endif
