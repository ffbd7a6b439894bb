/* What the first stage does with any segment. */
#ifndef TRUELERP_ORACLE_FILTER_SEGMENT_H
#define TRUELERP_ORACLE_FILTER_SEGMENT_H

#include "filter.h"
#include "segment.h"

/* Half of the duration, which does not overflow. */
FILTER_INLINE double segment_half(const struct segment_data *data)
{
    return 0.5 * data->t1 - 0.5 * data->t0;
}

FILTER_INLINE double segment_larger(double x, double y)
{
    return x > y ? x : y;
}

/* The size of the largest value, tangents being values over h; roughly. */
FILTER_INLINE double segment_largest(const struct segment_data *data)
{
    double h = data->t1 - data->t0;
    h = h <= 0x1p1000 ? h : 2 * segment_half(data);
    return segment_larger(segment_larger(fabs(data->v0), fabs(data->v1)),
                          segment_larger(fabs(data->m0 * h), fabs(data->m1 * h)));
}

/* A slope, which is a value over a time, both in units of their own; NaN where that is not exact.
 */
FILTER_INLINE double segment_slope(double m, double value_power, double inverse_time_power)
{
    if (value_power == 1 || inverse_time_power == 1) {
        return filter_scaled(m, value_power * inverse_time_power);
    }
    return value_power == inverse_time_power
               ? filter_scaled(filter_scaled(m, value_power), value_power)
               : m;
}

FILTER_INLINE bool segment_is_lasting(double h)
{
    return h >= 0x1p-499 && h <= 0x1p501;
}

/* Would neither its duration nor its values take another unit? As segment_largest and filter_power
 * have it, but at once. */
FILTER_INLINE bool segment_is_ordinary(const struct segment_data *data)
{
    double h = data->t1 - data->t0;
    double largest = segment_larger(segment_larger(fabs(data->v0), fabs(data->v1)),
                                    segment_larger(fabs(data->m0 * h), fabs(data->m1 * h)));
    return segment_is_lasting(h) && largest >= 0x1p-500 && largest <= 0x1p800;
}

/* Values times `power`, one of filter_power's, and times as well where the duration is far from
 * ordinary: F and S are multiplied by `power`, weights and parameters stay as they are. What that
 * is not exact for becomes NaN. Tiny times stay in range since |t| <= 2^53 h: else t and its
 * neighbours were farther apart than h. */
FILTER_INLINE void segment_rescale(struct segment_data *data, double power)
{
    if (power == 1 && segment_is_lasting(data->t1 - data->t0)) {
        return;
    }
    double half = segment_half(data);
    double inverse = half < 0x1p-500 ? 0x1p-600 : half > 0x1p500 ? 0x1p600 : 1;
    if (inverse != 1) {
        double time_power = inverse < 1 ? 0x1p600 : 0x1p-600;
        data->t0 = filter_scaled(data->t0, time_power);
        data->t1 = filter_scaled(data->t1, time_power);
        data->t = filter_scaled(data->t, time_power);
    }
    data->v0 = filter_scaled(data->v0, power);
    data->v1 = filter_scaled(data->v1, power);
    data->m0 = segment_slope(data->m0, power, inverse);
    data->m1 = segment_slope(data->m1, power, inverse);
}

#endif
