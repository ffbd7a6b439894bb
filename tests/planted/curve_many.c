#include "planted.h"

__typeof__(tl_curve_many) true_curve_many;

/* A cursor that never goes back. */
static void only_forwards(const tl_curve_table *curve, const double *times, size_t count,
                          double *results)
{
    double latest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double t = times[i];
        latest = t > latest ? t : latest;
        results[i] = true_curve(curve, isnan(t) ? t : latest);
    }
}

/* Looks at the time before after its result took that one's place. */
static void reads_back(const tl_curve_table *curve, const double *times, size_t count,
                       double *results)
{
    for (size_t i = 0; i < count; i++) {
        double t = times[i];
        results[i] = true_curve(curve, t);
        if (i > 0 && times[i - 1] > t) {
            results[i - 1] = true_curve(curve, times[i - 1]);
        }
    }
}

/* Whole vectors of four. */
static void whole_vectors(const tl_curve_table *curve, const double *times, size_t count,
                          double *results)
{
    true_curve_many(curve, times, count, results);
    if (count % 4 != 0) {
        results[count] = 0;
    }
}

static void never_none(const tl_curve_table *curve, const double *times, size_t count,
                       double *results)
{
    true_curve_many(curve, times, count, results);
    results[0] = count > 0 ? results[0] : curve->keys[0].value;
}

/* Within the bound, as is the plain form; but they are not the same. */
static void last_bit(const tl_curve_table *curve, const double *times, size_t count,
                     double *results)
{
    true_curve_many(curve, times, count, results);
    for (size_t i = 7; i < count; i += 8) {
        bool free = isnormal(results[i]) && one_in(4, &results[i], 1);
        results[i] = free ? stepped(results[i], 1) : results[i];
    }
}

EXPORT void tl_curve_many(const tl_curve_table *curve, const double *times, size_t count,
                          double *results)
{
    FAULT(curve, times, count, results);
}
