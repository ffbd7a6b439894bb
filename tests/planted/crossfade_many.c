#include "planted.h"

__typeof__(tl_crossfade_many) true_crossfade_many;

static void clamps_weights(const tl_curve_table *a, const tl_curve_table *b, const double *times,
                           const double *weights, size_t count, double *results)
{
    for (size_t i = 0; i < count; i++) {
        ((double *)weights)[i] = weights[i] > 1 ? 1 : weights[i];
    }
    true_crossfade_many(a, b, times, weights, count, results);
}

static void first_weight(const tl_curve_table *a, const tl_curve_table *b, const double *times,
                         const double *weights, size_t count, double *results)
{
    for (size_t i = 0; i < count; i++) {
        results[i] = true_crossfade(a, b, times[i], weights[0]);
    }
}

EXPORT void tl_crossfade_many(const tl_curve_table *a, const tl_curve_table *b, const double *times,
                              const double *weights, size_t count, double *results)
{
    FAULT(a, b, times, weights, count, results);
}
