/* The coefficients of the normalised cubic, highest power first, by collecting the powers of the
 * expanded Hermite basis: a = 2 v0 + h m0 - 2 v1 + h m1, b = -3 v0 - 2 h m0 + 3 v1 - h m1,
 * c = h m0, d = v0. */
#include "peers.h"

__attribute__((noinline)) void peer_expanded_coefficients(const tl_key *k0, const tl_key *k1,
                                                          double coefficients[4])
{
    const double duration = k1->time - k0->time;
    const double m0 = duration * k0->out_tangent;
    const double m1 = duration * k1->in_tangent;
    coefficients[0] = 2 * k0->value + m0 - 2 * k1->value + m1;
    coefficients[1] = -3 * k0->value - 2 * m0 + 3 * k1->value - m1;
    coefficients[2] = m0;
    coefficients[3] = k0->value;
}
