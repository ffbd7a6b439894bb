/* Keyframe interpolation in the expanded basis, the form that game engines publish for their
 * animation curves (here in double, theirs is mostly float): normalise the time, evaluate the four
 * basis polynomials in powers of it, scale the tangents by the duration. A segment of no duration
 * gives its first value, and so does one with an infinite tangent, which stands for a step there;
 * there is no other guard. The formula is the textbooks' cubic Hermite curve
 * (J. F. Hughes et al., Computer Graphics: Principles and Practice, on spline curves). */
#include "peers.h"

#include <math.h>

__attribute__((noinline)) double peer_expanded_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    const double duration = k1->time - k0->time;
    if (duration == 0) {
        return k0->value;
    }
    if (isinf(k0->out_tangent) || isinf(k1->in_tangent)) {
        return k0->value;
    }
    const double x = (t - k0->time) / duration;
    const double x2 = x * x;
    const double x3 = x2 * x;
    return k0->value * (2 * x3 - 3 * x2 + 1) + k0->out_tangent * duration * (x3 - 2 * x2 + x) +
           k1->value * (-2 * x3 + 3 * x2) + k1->in_tangent * duration * (x3 - x2);
}
