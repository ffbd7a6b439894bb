#include "filter.h"

enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
enum { PARAMETER_T0, PARAMETER_W0, PARAMETER_T1, PARAMETER_W1, PARAMETER_T };

/* Where the root is looked for: near a key, as its distance r in the parameter from there, or in
 * the middle, as p = s - 1/2, so that it is known to a part of itself even where the curve's time
 * stands still at 1/2. */
enum chart { CHART_FIRST, CHART_MIDDLE, CHART_LAST };

/* Times and weights. With W = 3 w; an absent weight has W = 1 exactly. */
struct timing {
    struct dd before, after, duration; /* t - t0, t1 - t, t1 - t0; exact */
    struct dd first_weight, last_weight;
};

/* c1 z + c2 z^2 + c3 z^3 = y, the time's equation in one of the charts, in [0, 1] or, in the
 * middle, in [-1/2, 1/2]. The left side rises there. */
struct cubic {
    struct approximation c1, c2, c3, y;
    double least, most;
};

/* 3 w, w clamped to [0, 1]: exact; NaN where it would not be, or w is not finite. */
FILTER_INLINE struct dd weight_of(const struct values *inputs, size_t field)
{
    if (values_length(inputs, field) == 0) {
        return (struct dd){1, 0};
    }
    double w = *values_field(inputs, field);
    if (!isfinite(w)) {
        return (struct dd){NAN, NAN};
    }
    if (w <= 0 || w >= 1) {
        return (struct dd){w <= 0 ? 0 : 3, 0};
    }
    return w >= 0x1p-900 ? dd_of_product(3, w) : (struct dd){NAN, NAN};
}

/* Returns false unless t is between the keys and everything is ordinary. */
FILTER_INLINE bool timing_set(struct timing *timing, double t0, double t1, double t,
                              struct dd first_weight, struct dd last_weight)
{
    timing->before = dd_of_difference(t, t0);
    timing->after = dd_of_difference(t1, t);
    timing->duration = dd_of_difference(t1, t0);
    timing->first_weight = first_weight;
    timing->last_weight = last_weight;
    return timing->before.high >= 0x1p-900 && timing->after.high >= 0x1p-900 &&
           timing->duration.high <= 0x1p900 && first_weight.high >= 0 && last_weight.high >= 0;
}

/* From the end with the weight W, the other being W', and d the distance in time:
 *     c1 = W,    c2 = 3 - W' - 2 W,    c3 = W + W' - 2,    y = d / h. */
FILTER_INLINE struct cubic cubic_at_end(const struct timing *timing, bool last)
{
    struct approximation weight =
        approximation_of(last ? timing->last_weight : timing->first_weight, 0);
    struct approximation other =
        approximation_of(last ? timing->first_weight : timing->last_weight, 0);
    struct approximation distance = approximation_of(last ? timing->after : timing->before, 0);
    struct approximation reach = approximation_difference(approximation_of_double(3), other);
    return (struct cubic){
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
FILTER_INLINE struct cubic cubic_in_middle(const struct timing *timing)
{
    struct approximation first = approximation_of(timing->first_weight, 0);
    struct approximation last = approximation_of(timing->last_weight, 0);
    struct approximation three = approximation_of_double(3);
    struct approximation lean = approximation_difference(last, first);
    struct approximation offset = approximation_difference(approximation_of(timing->before, 0),
                                                           approximation_of(timing->after, 0));
    struct approximation share =
        approximation_quotient(offset, approximation_of(timing->duration, 0));
    return (struct cubic){
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
FILTER_INLINE enum chart choose_chart(const struct timing *timing)
{
    double x = timing->before.high / timing->duration.high;
    double first = timing->first_weight.high, reach = 3 - timing->last_weight.high;
    double at_quarter = first * 0.140625 + reach * 0.046875 + 0.015625;
    double at_three_quarters = first * 0.046875 + reach * 0.140625 + 0.421875;
    return x < at_quarter ? CHART_FIRST : x > at_three_quarters ? CHART_LAST : CHART_MIDDLE;
}

/* Where Newton's steps may begin: the root without the cubic term, or with it alone. */
FILTER_INLINE double first_guess(double c1, double c2, double c3, double y, double limit)
{
    double inner = c1 * c1 + 4 * c2 * y;
    double guess = inner >= 0 ? 2 * y / (c1 + sqrt(inner)) : y / c1;
    if (!(fabs(c3) * guess * guess <= c1 + fabs(c2 * guess))) {
        guess = cbrt(y / c3);
    }
    return fabs(guess) <= limit ? guess : copysign(limit, y);
}

enum { GUESS_STEPS = 40 };

/* A guess at the root, which proves nothing. */
FILTER_INLINE double guess_root(const struct cubic *cubic)
{
    double c1 = cubic->c1.high, c2 = cubic->c2.high, c3 = cubic->c3.high, y = cubic->y.high;
    double low = cubic->least, high = cubic->most;
    double z = first_guess(c1, c2, c3, y, 0.3);
    for (int i = 0; i < GUESS_STEPS; i++) {
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
FILTER_INLINE bool find_root(const struct cubic *cubic, struct approximation *root)
{
    double z = guess_root(cubic);
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
FILTER_INLINE struct approximation beside(double a, struct approximation x)
{
    struct dd sum = dd_of_sum(a, x.high);
    double rest = x.low + sum.low;
    double error = 0x1p-53 * fabs(rest) + x.error;
    return approximation_of(dd_of_fast_sum(sum.high, rest), error * FILTER_SLOP);
}

/* The root's distances from the ends: from the nearer one, or the first, and from the other. */
struct place {
    enum chart chart;
    struct approximation root; /* as the chart has it */
    struct approximation near, far;
};

/* Equal weights make a symmetric curve, whose middle is where both distances are equal; they are
 * exact. */
FILTER_INLINE bool in_middle_exactly(const struct timing *timing)
{
    return timing->before.high == timing->after.high && timing->before.low == timing->after.low &&
           timing->first_weight.high == timing->last_weight.high &&
           timing->first_weight.low == timing->last_weight.low;
}

/* Where the root is threefold, or nearly, the ladder knows it to a third of its bits. What is
 * closer to 1/2 than this may be all the same to it at the precision up to which figures are
 * sharpened. */
static const double LEAST_OFFSET = 0x1p-500;

FILTER_INLINE bool find_place(const struct timing *timing, struct place *place)
{
    if (in_middle_exactly(timing)) {
        struct approximation half = approximation_of_double(0.5);
        *place = (struct place){CHART_MIDDLE, approximation_of_double(0), half, half};
        return true;
    }
    place->chart = choose_chart(timing);
    struct cubic cubic = place->chart == CHART_MIDDLE
                             ? cubic_in_middle(timing)
                             : cubic_at_end(timing, place->chart == CHART_LAST);
    if (!find_root(&cubic, &place->root)) {
        return false;
    }
    struct approximation back = approximation_negative(place->root);
    if (place->chart == CHART_MIDDLE) {
        if (!(fabs(place->root.high) >= LEAST_OFFSET)) {
            return false;
        }
        place->near = beside(0.5, place->root);
        place->far = beside(0.5, back);
    } else {
        place->near = place->root;
        place->far = beside(1, back);
    }
    return place->near.high >= 0x1p-300 && place->near.error <= 0x1p-53 * place->near.high;
}

/* One end's value, times a power of 2, and W m h of the handle there; `flat` if that is 0. */
struct end {
    double value;
    struct approximation handle;
    bool flat;
};

FILTER_INLINE struct end end_of(double v, double m, struct dd weight, struct dd duration)
{
    if (m == 0 || weight.high == 0) {
        return (struct end){v, approximation_of_double(0), true};
    }
    struct approximation rise = approximation_product_double(approximation_of(duration, 0), m);
    return (struct end){v, approximation_product(rise, approximation_of(weight, 0)), false};
}

/* From the near end, with q = 1 - r:
 *     F = v + (v' - v) r^2 (1 + 2q) + r q (W m h q + W' m' h r) */
FILTER_INLINE struct approximation value_at_end(const struct place *place, const struct end *near,
                                                const struct end *far)
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
    return beside(near->value, approximation_sum(approximation_product(apart, blend), handles));
}

/* The same about s = 1/2 + p, with H for the handles' W m h:
 *     F = (v + v')/2 + (v' - v) p (3/2 - 2 p^2) + (1/4 - p^2) ((H + H')/2 + (H' - H) p)
 * so that it is sharp where there is nothing but the first term. */
FILTER_INLINE struct approximation value_in_middle(const struct place *place,
                                                   const struct end *first, const struct end *last)
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
    return beside(mean.high, approximation_sum(rest, approximation_of_double(mean.low)));
}

/* S is the sum of |v| q^2 (1 + 2r), |v'| r^2 (1 + 2q) and the sizes of both handles' terms. Each of
 * these has three factors that depend on r, known to u and to r's error over r or q, the same of
 * the handle, and up to eight roundings: 3 (u + error (1/r + 1/q)) + 9 u, and 2 for more. */
FILTER_INLINE struct approximation scale_of(const struct place *place, const struct end *near,
                                            const struct end *far)
{
    double r = place->near.high, q = place->far.high;
    double scale = fabs(near->value) * (q * q * (1 + 2 * r)) +
                   fabs(far->value) * (r * r * (1 + 2 * q)) +
                   r * q * (fabs(near->handle.high) * q + fabs(far->handle.high) * r);
    double doubt = 3 * place->near.error / r + 3 * place->far.error / q + 14 * 0x1p-53;
    return approximation_of((struct dd){scale, 0}, doubt * scale * FILTER_SLOP + FILTER_UNDERFLOW);
}

FILTER_INLINE bool bezier_estimation(const struct values *inputs, struct estimate *estimate)
{
    double v0 = *values_field(inputs, V0), m0 = *values_field(inputs, M0);
    double v1 = *values_field(inputs, V1), m1 = *values_field(inputs, M1);
    struct timing timing;
    struct place place;
    if (!isfinite(v0) || !isfinite(m0) || !isfinite(v1) || !isfinite(m1) ||
        !timing_set(&timing, *values_field(inputs, T0), *values_field(inputs, T1),
                    *values_field(inputs, T), weight_of(inputs, W0), weight_of(inputs, W1)) ||
        !find_place(&timing, &place)) {
        return false;
    }
    double h = timing.duration.high;
    double largest = fmax(fmax(fabs(v0), fabs(v1)), fmax(fabs(m0 * h), fabs(m1 * h)));
    double power = filter_power(largest);
    struct end first = end_of(filter_scaled(v0, power), filter_scaled(m0, power),
                              timing.first_weight, timing.duration);
    struct end last = end_of(filter_scaled(v1, power), -filter_scaled(m1, power),
                             timing.last_weight, timing.duration);
    estimate->exponent = filter_exponent(power);
    bool from_last = place.chart == CHART_LAST;
    const struct end *near = from_last ? &last : &first, *far = from_last ? &first : &last;
    estimate->scale[0] = scale_of(&place, near, far);
    estimate->value[0] = place.chart == CHART_MIDDLE ? value_in_middle(&place, near, far)
                                                     : value_at_end(&place, near, far);
    return isfinite(estimate->value[0].error) && isfinite(estimate->scale[0].error);
}

FILTER_INLINE bool bezier_parameter_estimation(const struct values *inputs,
                                               struct estimate *estimate)
{
    struct timing timing;
    struct place place;
    if (!timing_set(&timing, *values_field(inputs, PARAMETER_T0),
                    *values_field(inputs, PARAMETER_T1), *values_field(inputs, PARAMETER_T),
                    weight_of(inputs, PARAMETER_W0), weight_of(inputs, PARAMETER_W1)) ||
        !find_place(&timing, &place)) {
        return false;
    }
    estimate->value[0] = place.chart == CHART_LAST ? place.far : place.near;
    estimate->scale[0] = estimate->value[0];
    return true;
}

FILTER_ESTIMATE(estimate_bezier, bezier_estimation)
FILTER_ESTIMATE(estimate_bezier_parameter, bezier_parameter_estimation)
