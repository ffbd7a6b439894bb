/* The unweighted segment in the expanded basis, as engines publish it, with the rules for special
 * cases put before: what remains is how good the arithmetic is. Ends with no rule broken, keeps the
 * bound on everyday data, and loses it where numbers leave the range or cancel. */
#include "rules.h"

double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    tl_key from = *k0, to = *k1;
    from.weighted_mode = TL_WEIGHTED_NONE;
    to.weighted_mode = TL_WEIGHTED_NONE;
    double result;
    if (rules_give_value(&from, &to, t, &result)) {
        return result;
    }
    const double duration = to.time - from.time;
    const double x = (t - from.time) / duration;
    const double x2 = x * x;
    const double x3 = x2 * x;
    return from.value * (2 * x3 - 3 * x2 + 1) + from.out_tangent * duration * (x3 - 2 * x2 + x) +
           to.value * (-2 * x3 + 3 * x2) + to.in_tangent * duration * (x3 - x2);
}
