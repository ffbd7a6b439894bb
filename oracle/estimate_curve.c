#include "curve.h"
#include "blend.h"
#include "filter_bezier.h"
#include "filter_hermite.h"
#include "filter_wrap.h"

#include "../impl/truelerp.h"

/* A curve at a time, and two of them blended: blend.h and curve.c in double-double. What is found
 * of a time is exact, a wrapped one included (filter_wrap.h); then a segment is one of hermite or
 * bezier at a double.
 *
 * That is so because the contract lets a result be right at any time t'' near a wrapped t', and the
 * ladder tries the double nearest to t' first: it tells of that time's F and S where the result
 * passes there, at whichever precision that shows. So does this; what does not pass is left to the
 * ladder. */

/* What one curve is at a time: struct side of blend.h. */
struct spot {
    bool given; /* by a rule: `value`, the one at t' */
    double value;
    struct segment_data data; /* with the time t'' */
    bool weighted;
    bool inside;    /* there is a segment, if only for the bound */
    bool elsewhere; /* t'' is not t' */
};

FILTER_INLINE void give(struct spot *spot, double value)
{
    spot->given = true;
    spot->value = value;
}

/* The last key whose time is not after t'. */
FILTER_INLINE size_t find_key(const struct curve *curve, const struct wrap_time *time)
{
    const double *times = curve->times;
    size_t low = 0, high = curve->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        bool before =
            times[middle] < time->nearest || (times[middle] == time->nearest && time->rest >= 0);
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

/* Rules 3 and 4 of a segment come before its formula, and at its ends t'' is a key's time. */
FILTER_INLINE void locate_inside(struct spot *spot, const struct curve *curve,
                                 const struct wrap_time *time)
{
    size_t key = find_key(curve, time);
    if (curve->times[key] == time->nearest && time->rest == 0) {
        give(spot, curve->values[key]);
        return;
    }
    spot->inside = true;
    spot->weighted = curve_segment(curve, key, &spot->data);
    spot->data.t = time->nearest;
    struct answer answer;
    if (segment_inside_is_given(&spot->data, &answer)) {
        give(spot, answer.given[0]);
    } else {
        spot->elsewhere = time->rest != 0;
    }
}

/* locate of curve.c. Returns false where a wrapped time is not known exactly. */
FILTER_INLINE bool locate(struct spot *spot, const struct curve *curve, double t)
{
    struct curve_place place = curve_place(curve, t);
    struct wrap_time time = {t, 0};
    *spot = (struct spot){.given = place.given, .value = place.value};
    if (place.given) {
        return true;
    }
    if (place.beyond &&
        !wrap_exactly(t, curve->times[0], curve->times[curve->count - 1], place.ping_pong, &time)) {
        return false;
    }
    locate_inside(spot, curve, &time);
    return true;
}

/* Values */

FILTER_INLINE double largest_of(const struct spot *spot)
{
    return spot->given ? fabs(spot->value) : segment_largest(&spot->data);
}

/* F and S of a spot. */
struct part {
    struct approximation value, scale;
};

FILTER_INLINE bool set_number(struct part *part, double value, double power)
{
    double scaled = filter_scaled(value, power);
    part->value = approximation_of_double(scaled);
    part->scale = approximation_of_double(fabs(scaled));
    return isfinite(scaled);
}

FILTER_INLINE bool set_weighted(struct part *part, const struct segment_data *data)
{
    struct bezier_timing timing;
    struct bezier_place place;
    return bezier_set_timing(&timing, data) && bezier_find_place(&timing, &place) &&
           bezier_approximate_at(&place, &timing, data, &part->value, &part->scale);
}

FILTER_INLINE bool set_part(struct part *part, const struct spot *spot, double power)
{
    struct segment_data data = spot->data;
    if (spot->given || data.t <= data.t0 || data.t >= data.t1) {
        double value = spot->given ? spot->value : data.t <= data.t0 ? data.v0 : data.v1;
        return set_number(part, value, power);
    }
    segment_rescale(&data, power);
    return spot->weighted ? set_weighted(part, &data)
                          : hermite_approximate(&data, &part->value, &part->scale);
}

/* HERMITE_K, or BEZIER_K where the segment has weights. */
FILTER_INLINE double factor_of(const struct spot *spot)
{
    return spot->inside && spot->weighted ? BEZIER_K : HERMITE_K;
}

/* One curve's; returns false where a rule gives a double. */
FILTER_INLINE bool set_single(const struct spot *spot, struct estimate *estimate)
{
    struct part part;
    double power = filter_power(largest_of(spot));
    if (spot->given || !set_part(&part, spot, power)) {
        return false;
    }
    estimate->exponent = filter_exponent(power);
    estimate->factor = factor_of(spot);
    estimate->elsewhere = spot->elsewhere;
    estimate->value[0] = part.value;
    estimate->scale[0] = part.scale;
    return true;
}

/* F = (1 - w) A + w B and S = (1 - w) (S_A + |A|) + w (S_B + |B|); returns false where A or B is
 * not finite, and a rule blends them. */
FILTER_INLINE bool set_blend(const struct spot spot[2], double w, struct estimate *estimate)
{
    struct part part[2];
    double power = filter_power(fmax(largest_of(&spot[0]), largest_of(&spot[1])));
    for (size_t i = 0; i < 2; i++) {
        if (!set_part(&part[i], &spot[i], power)) {
            return false;
        }
    }
    estimate->exponent = filter_exponent(power);
    estimate->factor = fmax(factor_of(&spot[0]), factor_of(&spot[1])) + BLEND_K;
    estimate->elsewhere = spot[0].elsewhere || spot[1].elsewhere;
    estimate->value[0] = approximation_blend(part[0].value, part[1].value, w);
    estimate->scale[0] =
        approximation_blend(approximation_with_size(part[0].scale, part[0].value),
                            approximation_with_size(part[1].scale, part[1].value), w);
    return isfinite(estimate->value[0].error) && isfinite(estimate->scale[0].error);
}

/* The functions. Of curves that cannot be built there is a status and no value. */

enum { VALUE, STATUS, AT };

FILTER_INLINE bool curve_estimation(const struct values *inputs, struct estimate *estimate)
{
    struct curve curve = curve_of(inputs, 0);
    struct curve_build build = curve_build(&curve);
    struct spot spot;
    size_t count = build.status == TL_OK;
    estimate->length[VALUE] = count;
    estimate->length[AT] = build.count;
    estimate->value[count] = approximation_of_double(build.status);
    for (size_t i = 0; i < build.count; i++) {
        estimate->value[count + 1 + i] = approximation_of_double((double)build.at[i]);
    }
    return count == 0 || (locate(&spot, &curve, *values_field(inputs, CURVE_FIELDS)) &&
                          set_single(&spot, estimate));
}

FILTER_ESTIMATE(estimate_curve, curve_estimation)

enum { A = 0, B = CURVE_FIELDS, T = 2 * CURVE_FIELDS, W };

/* Both curves must be such as can be built, even where only one of them counts. */
FILTER_INLINE bool crossfade_estimation(const struct values *inputs, struct estimate *estimate)
{
    struct curve curve[2] = {curve_of(inputs, A), curve_of(inputs, B)};
    double t = *values_field(inputs, T), w = *values_field(inputs, W);
    struct spot spot[2];
    size_t count = 1;
    int status[2];
    for (size_t i = 0; i < 2; i++) {
        status[i] = curve_build(&curve[i]).status;
        count = status[i] == TL_OK ? count : 0;
    }
    estimate->length[VALUE] = count;
    estimate->value[count] = approximation_of_double(status[0]);
    estimate->value[count + 1] = approximation_of_double(status[1]);
    if (count == 0 || isnan(w)) {
        return count == 0;
    }
    for (size_t i = 0; i < 2; i++) {
        bool counts = i == 0 ? w < 1 : w > 0;
        if (counts && !locate(&spot[i], &curve[i], t)) {
            return false;
        }
    }
    return w > 0 && w < 1 ? set_blend(spot, w, estimate) : set_single(&spot[w >= 1], estimate);
}

FILTER_ESTIMATE(estimate_crossfade, crossfade_estimation)
