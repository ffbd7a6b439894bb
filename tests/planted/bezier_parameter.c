#include "planted.h"

static double start_first(const tl_key *k0, const tl_key *k1, double t)
{
    return t <= k0->time && k0->time <= k1->time ? 0 : true_bezier_parameter(k0, k1, t);
}

static double from_far_end(const tl_key *k0, const tl_key *k1, double t)
{
    return 1 - (1 - true_bezier_parameter(k0, k1, t));
}

static double values_read(const tl_key *k0, const tl_key *k1, double t)
{
    return isnan(k0->value + k1->value) ? NAN : true_bezier_parameter(k0, k1, t);
}

EXPORT double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    return FAULT(k0, k1, t);
}
