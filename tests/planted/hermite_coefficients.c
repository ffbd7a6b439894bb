#include "planted.h"

static void nan_in_some(const tl_key *k0, const tl_key *k1, double c[4])
{
    double v0 = k0->value;
    true_hermite_coefficients(k0, k1, c);
    c[3] = isfinite(v0) ? v0 : c[3];
}

static void last_step(const tl_key *k0, const tl_key *k1, double c[4])
{
    true_hermite_coefficients(k0, k1, c);
    double h = k1->time - k0->time;
    double b = 3 * k1->value - 3 * k0->value - 2 * h * k0->out_tangent + h * k1->in_tangent;
    c[1] = isfinite(b) ? b : c[1];
}

static void slopes_overflow(const tl_key *k0, const tl_key *k1, double c[4])
{
    true_hermite_coefficients(k0, k1, c);
    double sum = k0->out_tangent + k1->in_tangent;
    c[0] = isinf(sum) && all_finite(c, 4) ? (k1->time - k0->time) * sum : c[0];
}

EXPORT void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double c[4])
{
    FAULT(k0, k1, c);
}
