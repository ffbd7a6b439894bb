#include "filter_bezier.h"

enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
enum { PARAMETER_T0, PARAMETER_W0, PARAMETER_T1, PARAMETER_W1, PARAMETER_T };

/* An absent weight is NaN to the segment, one that is there is false if it is not finite. */
FILTER_INLINE bool read_weight(const struct values *inputs, size_t field, double *weight)
{
    bool absent = values_length(inputs, field) == 0;
    *weight = absent ? (double)NAN : *values_field(inputs, field);
    return absent || isfinite(*weight);
}

FILTER_INLINE bool bezier_estimation(const struct values *inputs, struct estimate *estimate)
{
    struct segment_data data = {.t0 = *values_field(inputs, T0),
                                .v0 = *values_field(inputs, V0),
                                .m0 = *values_field(inputs, M0),
                                .t1 = *values_field(inputs, T1),
                                .v1 = *values_field(inputs, V1),
                                .m1 = *values_field(inputs, M1),
                                .t = *values_field(inputs, T)};
    struct bezier_timing timing;
    struct bezier_place place;
    if (!read_weight(inputs, W0, &data.w0) || !read_weight(inputs, W1, &data.w1)) {
        return false;
    }
    double power = filter_power(segment_largest(&data));
    bool finite = isfinite(data.v0) && isfinite(data.m0) && isfinite(data.v1) && isfinite(data.m1);
    segment_rescale(&data, power);
    estimate->exponent = filter_exponent(power);
    return finite && bezier_set_timing(&timing, &data) && bezier_find_place(&timing, &place) &&
           bezier_approximate_at(&place, &timing, &data, &estimate->value[0], &estimate->scale[0]);
}

FILTER_INLINE bool bezier_parameter_estimation(const struct values *inputs,
                                               struct estimate *estimate)
{
    struct segment_data data = {.t0 = *values_field(inputs, PARAMETER_T0),
                                .t1 = *values_field(inputs, PARAMETER_T1),
                                .t = *values_field(inputs, PARAMETER_T)};
    struct bezier_timing timing;
    struct bezier_place place;
    segment_rescale(&data, 1);
    if (!read_weight(inputs, PARAMETER_W0, &data.w0) ||
        !read_weight(inputs, PARAMETER_W1, &data.w1) || !bezier_set_timing(&timing, &data) ||
        !bezier_find_place(&timing, &place)) {
        return false;
    }
    estimate->value[0] = place.chart == BEZIER_LAST ? place.far : place.near;
    estimate->scale[0] = estimate->value[0];
    return true;
}

FILTER_ESTIMATE(estimate_bezier, bezier_estimation)
FILTER_ESTIMATE(estimate_bezier_parameter, bezier_parameter_estimation)
