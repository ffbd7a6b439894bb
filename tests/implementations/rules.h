/* The rules for special cases of a weighted segment, which tl_bezier's contract states, for
 * implementations that are judged by what is left: how good their arithmetic is. */
#ifndef TRUELERP_TESTS_RULES_H
#define TRUELERP_TESTS_RULES_H

#include "../../impl/truelerp.h"

#include <math.h>
#include <stdbool.h>

/* The weights that count: 1/3, as a double, where a side is not weighted. */
static inline double rules_weight(double weight, bool weighted)
{
    return weighted ? weight : 1.0 / 3;
}

static inline double rules_out_weight(const tl_key *key)
{
    return rules_weight(key->out_weight, key->weighted_mode & TL_WEIGHTED_OUT);
}

static inline double rules_in_weight(const tl_key *key)
{
    return rules_weight(key->in_weight, key->weighted_mode & TL_WEIGHTED_IN);
}

static inline double rules_clamp(double weight)
{
    return fmin(fmax(weight, 0), 1);
}

/* Is the parameter at t given by a rule? Then it is in *result. */
static inline bool rules_give_parameter(const tl_key *k0, const tl_key *k1, double t,
                                        double *result)
{
    *result = NAN;
    if (isnan(t) || !(k0->time <= k1->time)) {
        return true;
    }
    if (t >= k1->time || t <= k0->time) {
        *result = t >= k1->time;
        return true;
    }
    return !isfinite(k0->time) || !isfinite(k1->time) || !isfinite(rules_out_weight(k0)) ||
           !isfinite(rules_in_weight(k1));
}

/* The same of the value. */
static inline bool rules_give_value(const tl_key *k0, const tl_key *k1, double t, double *result)
{
    bool inside = k0->time < t && t < k1->time;
    if (inside && (isinf(k0->out_tangent) || isinf(k1->in_tangent))) {
        *result = k0->value;
        return true;
    }
    if (rules_give_parameter(k0, k1, t, result)) {
        *result = *result == 0 ? k0->value : *result == 1 ? k1->value : NAN;
        return true;
    }
    *result = NAN;
    return !isfinite(k0->value) || isnan(k0->out_tangent) || !isfinite(k1->value) ||
           isnan(k1->in_tangent);
}

#endif
