#include "planted.h"

__typeof__(tl_curve_build) true_curve_build;

static tl_status clamps_weights(tl_curve_table *curve, const tl_key *keys, size_t count,
                                tl_wrap before, tl_wrap after, double *memory, size_t at[2])
{
    for (size_t i = 0; i < count; i++) {
        tl_key *key = (tl_key *)&keys[i];
        key->in_weight = key->in_weight > 1 ? 1 : key->in_weight;
    }
    return true_curve_build(curve, keys, count, before, after, memory, at);
}

EXPORT tl_status tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count,
                                tl_wrap before, tl_wrap after, double *memory, size_t at[2])
{
    return FAULT(curve, keys, count, before, after, memory, at);
}
