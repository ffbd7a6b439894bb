/* A segment with weights in double-double, with proven bounds: the first stage's side of bezier_at
 * (segment.h). */
#ifndef TRUELERP_ORACLE_FILTER_BEZIER_H
#define TRUELERP_ORACLE_FILTER_BEZIER_H

#include "filter_segment.h"

/* Where the root is looked for: near a key, as its distance r in the parameter from there, or in
 * the middle, as p = s - 1/2, so that it is known to a part of itself even where the curve's time
 * stands still at 1/2. */
enum bezier_chart { BEZIER_FIRST, BEZIER_MIDDLE, BEZIER_LAST };

/* Times and weights. With W = 3 w; an absent weight has W = 1 exactly. */
struct bezier_timing {
    struct dd before, after, duration; /* t - t0, t1 - t, t1 - t0; exact */
    struct dd first_weight, last_weight;
};

/* c1 z + c2 z^2 + c3 z^3 = y, the time's equation in one of the charts, in [0, 1] or, in the
 * middle, in [-1/2, 1/2]. The left side rises there. */
struct bezier_cubic {
    struct approximation c1, c2, c3, y;
    double least, most;
};

/* 3 w, w clamped to [0, 1]; of NaN, which stands for no weight, 3/3. Exact; NaN where it would not
 * be. */
FILTER_INLINE struct dd bezier_weight(double w)
{
    if (isnan(w)) {
        return (struct dd){1, 0};
    }
    if (w <= 0 || w >= 1) {
        return (struct dd){w <= 0 ? 0 : 3, 0};
    }
    return w >= 0x1p-900 ? dd_of_product(3, w) : (struct dd){NAN, NAN};
}

/* Returns false unless t is between the keys and everything is ordinary. */
FILTER_INLINE bool bezier_set_timing(struct bezier_timing *timing, const struct segment_data *data)
{
    timing->before = dd_of_difference(data->t, data->t0);
    timing->after = dd_of_difference(data->t1, data->t);
    timing->duration = dd_of_difference(data->t1, data->t0);
    timing->first_weight = bezier_weight(data->w0);
    timing->last_weight = bezier_weight(data->w1);
    return timing->before.high >= 0x1p-900 && timing->after.high >= 0x1p-900 &&
           timing->duration.high <= 0x1p900 && timing->first_weight.high >= 0 &&
           timing->last_weight.high >= 0;
}

/* From the end with the weight W, the other being W', and d the distance in time:
 *     c1 = W,    c2 = 3 - W' - 2 W,    c3 = W + W' - 2,    y = d / h. */
FILTER_INLINE struct bezier_cubic bezier_cubic_at_end(const struct bezier_timing *timing, bool last)
{
    struct approximation weight =
        approximation_of(last ? timing->last_weight : timing->first_weight, 0);
    struct approximation other =
        approximation_of(last ? timing->first_weight : timing->last_weight, 0);
    struct approximation distance = approximation_of(last ? timing->after : timing->before, 0);
    struct approximation reach = approximation_difference(approximation_of_double(3), other);
    return (struct bezier_cubic){
        .c1 = weight,
        .c2 = approximation_difference(reach, approximation_scaled(weight, 2)),
        .c3 = approximation_sum(approximation_sum(weight, other), approximation_of_double(-2)),
        .y = approximation_quotient(distance, approximation_of(timing->duration, 0)),
        .least = 0,
        .most = 1};
}

/* The same about s = 1/2 + p, W being of the first key:
 *     c1 = (3 - W + 3 - W') / 4,    c2 = (W' - W) / 2,    c3 = W + W' - 2,
 *     y = ((t - t0) - (t1 - t)) / 2h - (W - W') / 8. */
FILTER_INLINE struct bezier_cubic bezier_cubic_in_middle(const struct bezier_timing *timing)
{
    struct approximation first = approximation_of(timing->first_weight, 0);
    struct approximation last = approximation_of(timing->last_weight, 0);
    struct approximation three = approximation_of_double(3);
    struct approximation lean = approximation_difference(last, first);
    struct approximation offset = approximation_difference(approximation_of(timing->before, 0),
                                                           approximation_of(timing->after, 0));
    struct approximation share =
        approximation_quotient(offset, approximation_of(timing->duration, 0));
    return (struct bezier_cubic){
        .c1 = approximation_scaled(approximation_sum(approximation_difference(three, first),
                                                     approximation_difference(three, last)),
                                   0.25),
        .c2 = approximation_scaled(lean, 0.5),
        .c3 = approximation_sum(approximation_sum(first, last), approximation_of_double(-2)),
        .y = approximation_sum(approximation_scaled(share, 0.5), approximation_scaled(lean, 0.125)),
        .least = -0.5,
        .most = 0.5};
}

/* Which chart has the root in its middle, roughly: s below 1/4, above 3/4, or between. */
FILTER_INLINE enum bezier_chart bezier_choose_chart(const struct bezier_timing *timing)
{
    double x = timing->before.high / timing->duration.high;
    double first = timing->first_weight.high, reach = 3 - timing->last_weight.high;
    double at_quarter = first * 0.140625 + reach * 0.046875 + 0.015625;
    double at_three_quarters = first * 0.046875 + reach * 0.140625 + 0.421875;
    return x < at_quarter ? BEZIER_FIRST : x > at_three_quarters ? BEZIER_LAST : BEZIER_MIDDLE;
}

/* Where Newton's steps may begin: the root without the cubic term, or with it alone. */
FILTER_INLINE double bezier_first_guess(double c1, double c2, double c3, double y, double limit)
{
    double inner = c1 * c1 + 4 * c2 * y;
    double guess = inner >= 0 ? 2 * y / (c1 + sqrt(inner)) : y / c1;
    if (!(fabs(c3) * guess * guess <= c1 + fabs(c2 * guess))) {
        guess = cbrt(y / c3);
    }
    return fabs(guess) <= limit ? guess : copysign(limit, y);
}

enum { BEZIER_GUESS_STEPS = 40 };

/* A guess at the root, which proves nothing. */
FILTER_INLINE double bezier_guess_root(const struct bezier_cubic *cubic)
{
    double c1 = cubic->c1.high, c2 = cubic->c2.high, c3 = cubic->c3.high, y = cubic->y.high;
    double low = cubic->least, high = cubic->most;
    double z = bezier_first_guess(c1, c2, c3, y, 0.3);
    for (int i = 0; i < BEZIER_GUESS_STEPS; i++) {
        double value = ((c3 * z + c2) * z + c1) * z - y;
        double slope = (3 * c3 * z + 2 * c2) * z + c1;
        if (value > 0) {
            high = z;
        } else {
            low = z;
        }
        double next = z - value / slope;
        if (!(next >= low && next <= high)) {
            next = 0.5 * (low + high);
        }
        bool close = fabs(next - z) <= 0x1p-27 * fabs(next);
        z = next;
        if (close) {
            break;
        }
    }
    return z;
}

/* The root with a proven bound on its error; returns false where there is none.
 *
 * Let P be the left side and z any double; the residual P(z) - y is found in double-double, the
 * slope P'(z) in double. Each of the slope's terms goes through 6 roundings at most, those of the
 * coefficients to double included, so that it is within 8 u of `terms`, the sum of their sizes.
 *
 * One step of Newton, e = -residual.high / slope, leads to r = z + e, exact as a double-double. By
 * Taylor's theorem, where `bend` is not less than |P''/2| between z and r,
 *
 *     P(r) - y = (P(z) - y) + P'(z) e + (bend or less) e^2
 *
 * of which the first two cancel but for
 *     the quotient's rounding and residual.low: u |residual.high| each
 *     the residual's error
 *     the slope's error times |e|: 8 u terms |e|
 * Let R be the sum of all these, and I the interval of all points within R / (0.9 slope) of r.
 * There P' differs from the slope by at most 8 u terms + 2 bend (|e| + radius). If that is less
 * than 0.09 slope, then P' > 0.9 slope in all of I, so that P - y is not positive at I's lower end
 * and not negative at the upper one: a root is in I. If I is in the segment, where P rises, there
 * is no other. */
FILTER_INLINE bool bezier_find_root(const struct bezier_cubic *cubic, struct approximation *root)
{
    double z = bezier_guess_root(cubic);
    struct approximation residual =
        approximation_sum(approximation_product_double(cubic->c3, z), cubic->c2);
    residual = approximation_sum(approximation_product_double(residual, z), cubic->c1);
    residual = approximation_difference(approximation_product_double(residual, z), cubic->y);

    double c1 = cubic->c1.high, c2 = cubic->c2.high, c3 = cubic->c3.high;
    double slope = (3 * c3 * z + 2 * c2) * z + c1;
    double terms = (3 * fabs(c3 * z) + 2 * fabs(c2)) * fabs(z) + c1;
    double step = -residual.high / slope;
    double size = fabs(step);
    double bend = fabs(c2) + 3 * fabs(c3) * (fabs(z) + size);
    double rest = 2.1 * 0x1p-53 * fabs(residual.high) + residual.error +
                  8 * 0x1p-53 * terms * size + bend * size * size + FILTER_UNDERFLOW;
    double radius = rest * FILTER_SLOP / (0.9 * slope) + FILTER_UNDERFLOW;
    double reach = size + radius;
    double change = 8 * 0x1p-53 * terms + 2 * (bend + 3 * fabs(c3) * radius) * reach;
    *root = approximation_of(dd_of_sum(z, step), radius * FILTER_SLOP);
    return slope > 0x1p-900 && change <= 0.0899 * slope && z - 2 * reach >= 0.875 * cubic->least &&
           z + 2 * reach <= 0.875 * cubic->most;
}

/* a + x, sharp where a prevails: only the last addition below is rounded, so that it is within u of
 * what is added to the leading part. */
FILTER_INLINE struct approximation bezier_beside(double a, struct approximation x)
{
    struct dd sum = dd_of_sum(a, x.high);
    double rest = x.low + sum.low;
    double error = 0x1p-53 * fabs(rest) + x.error;
    return approximation_of(dd_of_fast_sum(sum.high, rest), error * FILTER_SLOP);
}

/* The root's distances from the ends: from the nearer one, or the first, and from the other. */
struct bezier_place {
    enum bezier_chart chart;
    struct approximation root; /* as the chart has it */
    struct approximation near, far;
};

/* Equal weights make a symmetric curve, whose middle is where both distances are equal; they are
 * exact. */
FILTER_INLINE bool bezier_in_middle_exactly(const struct bezier_timing *timing)
{
    return timing->before.high == timing->after.high && timing->before.low == timing->after.low &&
           timing->first_weight.high == timing->last_weight.high &&
           timing->first_weight.low == timing->last_weight.low;
}

/* Where the root is threefold, or nearly, the ladder knows it to a third of its bits. What is
 * closer to 1/2 than this may be all the same to it at the precision up to which figures are
 * sharpened. */
static const double BEZIER_LEAST_OFFSET = 0x1p-500;

FILTER_INLINE bool bezier_find_place(const struct bezier_timing *timing, struct bezier_place *place)
{
    if (bezier_in_middle_exactly(timing)) {
        struct approximation half = approximation_of_double(0.5);
        *place = (struct bezier_place){BEZIER_MIDDLE, approximation_of_double(0), half, half};
        return true;
    }
    place->chart = bezier_choose_chart(timing);
    struct bezier_cubic cubic = place->chart == BEZIER_MIDDLE
                                    ? bezier_cubic_in_middle(timing)
                                    : bezier_cubic_at_end(timing, place->chart == BEZIER_LAST);
    if (!bezier_find_root(&cubic, &place->root)) {
        return false;
    }
    struct approximation back = approximation_negative(place->root);
    if (place->chart == BEZIER_MIDDLE) {
        if (!(fabs(place->root.high) >= BEZIER_LEAST_OFFSET)) {
            return false;
        }
        place->near = bezier_beside(0.5, place->root);
        place->far = bezier_beside(0.5, back);
    } else {
        place->near = place->root;
        place->far = bezier_beside(1, back);
    }
    return place->near.high >= 0x1p-300 && place->near.error <= 0x1p-53 * place->near.high;
}

/* One end's value, times a power of 2, and W m h of the handle there; `flat` if that is 0. */
struct bezier_end {
    double value;
    struct approximation handle;
    bool flat;
};

FILTER_INLINE struct bezier_end bezier_end_of(double v, double m, struct dd weight,
                                              struct dd duration)
{
    if (m == 0 || weight.high == 0) {
        return (struct bezier_end){v, approximation_of_double(0), true};
    }
    struct approximation rise = approximation_product_double(approximation_of(duration, 0), m);
    return (struct bezier_end){v, approximation_product(rise, approximation_of(weight, 0)), false};
}

/* From the near end, with q = 1 - r:
 *     F = v + (v' - v) r^2 (1 + 2q) + r q (W m h q + W' m' h r) */
FILTER_INLINE struct approximation bezier_value_at_end(const struct bezier_place *place,
                                                       const struct bezier_end *near,
                                                       const struct bezier_end *far)
{
    struct approximation r = place->near, q = place->far;
    struct approximation blend = approximation_product(
        approximation_product(r, r),
        approximation_sum(approximation_scaled(q, 2), approximation_of_double(1)));
    struct approximation apart = approximation_of(dd_of_difference(far->value, near->value), 0);
    struct approximation handles =
        approximation_product(approximation_product(r, q),
                              approximation_sum(approximation_product(near->handle, q),
                                                approximation_product(far->handle, r)));
    return bezier_beside(near->value,
                         approximation_sum(approximation_product(apart, blend), handles));
}

/* The same about s = 1/2 + p, with H for the handles' W m h:
 *     F = (v + v')/2 + (v' - v) p (3/2 - 2 p^2) + (1/4 - p^2) ((H + H')/2 + (H' - H) p)
 * so that it is sharp where there is nothing but the first term. */
FILTER_INLINE struct approximation bezier_value_in_middle(const struct bezier_place *place,
                                                          const struct bezier_end *first,
                                                          const struct bezier_end *last)
{
    struct dd sum = dd_of_sum(first->value, last->value);
    struct dd mean = dd_scaled(sum, 0.5);
    bool flat = first->flat && last->flat;
    if (place->root.high == 0 && place->root.error == 0 && flat) {
        bool exact = 2 * mean.high == sum.high && 2 * mean.low == sum.low;
        return approximation_of(mean, exact ? 0 : FILTER_UNDERFLOW);
    }
    struct approximation p = place->root, pp = approximation_product(p, p);
    struct approximation apart = approximation_of(dd_of_difference(last->value, first->value), 0);
    struct approximation climb = approximation_product(
        p, approximation_difference(approximation_of_double(1.5), approximation_scaled(pp, 2)));
    struct approximation rest = approximation_product(apart, climb);
    if (!flat) {
        struct approximation half =
            approximation_scaled(approximation_sum(first->handle, last->handle), 0.5);
        struct approximation lean = approximation_difference(last->handle, first->handle);
        struct approximation handles =
            approximation_product(approximation_difference(approximation_of_double(0.25), pp),
                                  approximation_sum(half, approximation_product(lean, p)));
        rest = approximation_sum(rest, handles);
    }
    return bezier_beside(mean.high, approximation_sum(rest, approximation_of_double(mean.low)));
}

/* S is the sum of |v| q^2 (1 + 2r), |v'| r^2 (1 + 2q) and the sizes of both handles' terms. Each of
 * these has three factors that depend on r, known to u and to r's error over r or q, the same of
 * the handle, and up to eight roundings: 3 (u + error (1/r + 1/q)) + 9 u, and 2 for more. */
FILTER_INLINE struct approximation bezier_scale_of(const struct bezier_place *place,
                                                   const struct bezier_end *near,
                                                   const struct bezier_end *far)
{
    double r = place->near.high, q = place->far.high;
    double scale = fabs(near->value) * (q * q * (1 + 2 * r)) +
                   fabs(far->value) * (r * r * (1 + 2 * q)) +
                   r * q * (fabs(near->handle.high) * q + fabs(far->handle.high) * r);
    double doubt = 3 * place->near.error / r + 3 * place->far.error / q + 14 * 0x1p-53;
    return approximation_of((struct dd){scale, 0}, doubt * scale * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* F and S at `place` of a segment as segment_rescale leaves it, its data finite. Returns false
 * where they are not known. */
FILTER_INLINE bool bezier_approximate_at(const struct bezier_place *place,
                                         const struct bezier_timing *timing,
                                         const struct segment_data *data,
                                         struct approximation *value, struct approximation *scale)
{
    struct bezier_end first =
        bezier_end_of(data->v0, data->m0, timing->first_weight, timing->duration);
    struct bezier_end last =
        bezier_end_of(data->v1, -data->m1, timing->last_weight, timing->duration);
    bool from_last = place->chart == BEZIER_LAST;
    const struct bezier_end *near = from_last ? &last : &first, *far = from_last ? &first : &last;
    *scale = bezier_scale_of(place, near, far);
    *value = place->chart == BEZIER_MIDDLE ? bezier_value_in_middle(place, near, far)
                                           : bezier_value_at_end(place, near, far);
    return isfinite(value->error) && isfinite(scale->error);
}

#endif
