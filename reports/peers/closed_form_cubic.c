/* A cubic's real roots by the closed form, in plain double and with the fewest calls of libm: the
 * cosine for three, one cube root and a quotient for one. No guard, no correction, no order. (W. H.
 * Press et al., Numerical Recipes, on quadratic and cubic equations.) */
#include "peers.h"

#include <math.h>

__attribute__((noinline)) int peer_closed_form_cubic(double a, double b, double c, double d,
                                                     double roots[3], int multiplicities[3])
{
    const double third_turn = 0x1.0c152382d7366p+1; /* 2 pi / 3 */
    const double scale = 1 / (3 * a);
    const double shift = -b * scale;
    const double p = shift * shift - c * scale;
    const double q = shift * (shift * shift - 1.5 * c * scale) - 1.5 * d * scale;
    const double discriminant = p * p * p - q * q;
    multiplicities[0] = 1;
    if (discriminant < 0) {
        const double root = copysign(cbrt(fabs(q) + sqrt(-discriminant)), q);
        roots[0] = shift + (root + p / root);
        return 1;
    }
    const double radius = sqrt(p);
    const double angle = acos(q / (p * radius)) / 3;
    roots[0] = shift + 2 * radius * cos(angle + third_turn);
    roots[1] = shift + 2 * radius * cos(angle - third_turn);
    roots[2] = shift + 2 * radius * cos(angle);
    multiplicities[1] = 1;
    multiplicities[2] = 1;
    return 3;
}
