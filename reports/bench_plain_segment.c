/* The plain checks of lerp, of segments and of curves: see bench_plain.h. */
#include "bench_plain_formulas.h"

#include "../oracle/curve.h"

#include <math.h>
#include <stdbool.h>

/* 0 to 29 are the segments', from 40 on those of who asks for one. */
static mpfr_t *const variable = plain_variable;

static const struct plain_error no_number = {(double)NAN, (double)NAN};

/* (1 - t) a + t b and |(1 - t) a| + |t b| */
struct plain_error plain_lerp(const struct values *inputs, const struct values *results)
{
    mpfr_ptr a = variable[0], b = variable[1], t = variable[2], rest = variable[3];
    plain_set(a, inputs->number[0]);
    plain_set(b, inputs->number[1]);
    plain_set(t, inputs->number[2]);
    mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    mpfr_mul(a, a, rest, MPFR_RNDN);
    mpfr_mul(b, b, t, MPFR_RNDN);
    mpfr_add(t, a, b, MPFR_RNDN);
    mpfr_abs(a, a, MPFR_RNDN);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    return plain_compare(t, a, results->number[0], 2);
}

/* The side of one key: v near^2 (1 + 2 far) + m h near^2 far, where near + far = 1 and near is
 * large at that key. */
static void add_side(mpfr_ptr value, mpfr_ptr scale, mpfr_ptr v, mpfr_ptr slope, mpfr_srcptr near,
                     mpfr_srcptr far)
{
    mpfr_ptr square = variable[10], factor = variable[11];
    mpfr_sqr(square, near, MPFR_RNDN);
    mpfr_mul_2ui(factor, far, 1, MPFR_RNDN);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
    mpfr_mul(v, v, factor, MPFR_RNDN);
    mpfr_mul(v, v, square, MPFR_RNDN);
    plain_add_term(value, scale, v);
    mpfr_mul(slope, slope, far, MPFR_RNDN);
    mpfr_mul(slope, slope, square, MPFR_RNDN);
    plain_add_term(value, scale, slope);
}

static void set_hermite(mpfr_ptr value, mpfr_ptr scale, const struct segment_data *data)
{
    mpfr_ptr t0 = variable[0], v0 = variable[1], m0 = variable[2], h = variable[3];
    mpfr_ptr v1 = variable[4], m1 = variable[5], x = variable[6], y = variable[7];
    plain_set(t0, data->t0);
    plain_set(v0, data->v0);
    plain_set(m0, data->m0);
    plain_set(h, data->t1);
    plain_set(v1, data->v1);
    plain_set(m1, -data->m1);
    plain_set(x, data->t);
    mpfr_sub(h, h, t0, MPFR_RNDN);
    mpfr_sub(x, x, t0, MPFR_RNDN);
    mpfr_div(x, x, h, MPFR_RNDN);
    mpfr_ui_sub(y, 1, x, MPFR_RNDN);
    mpfr_mul(m0, m0, h, MPFR_RNDN);
    mpfr_mul(m1, m1, h, MPFR_RNDN);
    mpfr_set_zero(value, 1);
    mpfr_set_zero(scale, 1);
    add_side(value, scale, v0, m0, y, x);
    add_side(value, scale, v1, m1, x, y);
}

struct plain_error plain_hermite(const struct values *inputs, const struct values *results)
{
    const double *in = inputs->number;
    struct segment_data data = {
        .t0 = in[0], .v0 = in[1], .m0 = in[2], .t1 = in[3], .v1 = in[4], .m1 = in[5], .t = in[6]};
    mpfr_ptr value = variable[40], scale = variable[41];
    set_hermite(value, scale, &data);
    return plain_compare(value, scale, results->number[0], HERMITE_K);
}

/* With h = t1 - t0 and d = v0 - v1: a = 2 d + h m0 + h m1, b = -3 d - 2 h m0 - h m1, c = h m0 and
 * d = v0; S has the sizes of the values and of the slopes. */
struct plain_error plain_hermite_coefficients(const struct values *inputs,
                                              const struct values *results)
{
    const double *in = inputs->number;
    mpfr_ptr h = variable[0], v0 = variable[1], v1 = variable[2], m0 = variable[3];
    mpfr_ptr m1 = variable[4], drop = variable[5], values = variable[6];
    mpfr_ptr slopes = variable[7], value = variable[8], scale = variable[9];
    plain_set(h, in[3]);
    mpfr_sub_d(h, h, in[0], MPFR_RNDN);
    plain_set(v0, in[1]);
    plain_set(v1, in[4]);
    mpfr_mul_d(m0, h, in[2], MPFR_RNDN);
    mpfr_mul_d(m1, h, in[5], MPFR_RNDN);
    mpfr_sub(drop, v0, v1, MPFR_RNDN);
    mpfr_set(values, v0, MPFR_RNDN);
    mpfr_abs(values, values, MPFR_RNDN);
    mpfr_abs(v1, v1, MPFR_RNDN);
    mpfr_add(values, values, v1, MPFR_RNDN);

    /* m0 + m1 is in both a and -b */
    mpfr_add(h, m0, m1, MPFR_RNDN);
    mpfr_mul_2ui(value, drop, 1, MPFR_RNDN);
    mpfr_add(value, value, h, MPFR_RNDN);
    mpfr_abs(slopes, m0, MPFR_RNDN);
    mpfr_abs(m1, m1, MPFR_RNDN);
    mpfr_add(m1, m1, slopes, MPFR_RNDN);
    mpfr_mul_2ui(scale, values, 1, MPFR_RNDN);
    mpfr_add(scale, scale, m1, MPFR_RNDN);
    mpfr_add(drop, drop, value, MPFR_RNDN);
    mpfr_add(drop, drop, m0, MPFR_RNDN);
    mpfr_neg(drop, drop, MPFR_RNDN);
    struct plain_error worst = plain_compare(value, scale, results->number[0], 4);
    mpfr_add(scale, scale, values, MPFR_RNDN);
    mpfr_add(scale, scale, slopes, MPFR_RNDN);
    worst = plain_worse(worst, plain_compare(drop, scale, results->number[1], 4));
    worst = plain_worse(worst, plain_compare(m0, slopes, results->number[2], 4));
    mpfr_abs(scale, v0, MPFR_RNDN);
    return plain_worse(worst, plain_compare(v0, scale, results->number[3], 4));
}

/* The times as a cubic c1 s + c2 s^2 + c3 s^3 */
struct cubic {
    mpfr_ptr c1, c2, c3;
};

/* Clamped, and 1/3 where there is none. */
static void set_weight(mpfr_ptr weight, double given)
{
    if (isnan(given)) {
        mpfr_set_ui(weight, 1, MPFR_RNDN);
        mpfr_div_ui(weight, weight, 3, MPFR_RNDN);
    } else {
        plain_set(weight, given > 1 ? 1 : given > 0 ? given : 0);
    }
}

/* Those of B1 and B2 at the inner control points p1 and p2 above 0, where the curve goes from 0 to
 * 1: 3 p1, 3 (p2 - 2 p1), 1 - 3 (p2 - p1). */
static void set_cubic(const struct cubic *cubic, mpfr_srcptr p1, mpfr_ptr p2)
{
    mpfr_mul_ui(cubic->c1, p1, 3, MPFR_RNDN);
    mpfr_sub(p2, p2, p1, MPFR_RNDN);
    mpfr_mul_ui(cubic->c3, p2, 3, MPFR_RNDN);
    mpfr_sub(cubic->c2, cubic->c3, cubic->c1, MPFR_RNDN);
    mpfr_ui_sub(cubic->c3, 1, cubic->c3, MPFR_RNDN);
}

/* A root of ((c3 s + c2) s + c1) s = x in [0, 1], in doubles */
static double start(const struct cubic *cubic, mpfr_srcptr share)
{
    double c1 = mpfr_get_d(cubic->c1, MPFR_RNDN);
    double c2 = mpfr_get_d(cubic->c2, MPFR_RNDN);
    double c3 = mpfr_get_d(cubic->c3, MPFR_RNDN);
    double x = mpfr_get_d(share, MPFR_RNDN);
    double low = 0, high = 1, s = x;
    for (int step = 0; step < 60; step++) {
        double beyond = ((c3 * s + c2) * s + c1) * s - x;
        double next = s - beyond / ((3 * c3 * s + 2 * c2) * s + c1);
        *(beyond > 0 ? &high : &low) = s;
        if (fabs(next - s) <= 0x1p-52 * s) {
            return next;
        }
        s = next > low && next < high ? next : (low + high) / 2;
    }
    return s;
}

/* ((c3 x + c2) x + c1) x + c0, in c3's place */
static void horner(mpfr_ptr c3, mpfr_srcptr c2, mpfr_srcptr c1, mpfr_srcptr c0, mpfr_srcptr x)
{
    mpfr_mul(c3, c3, x, MPFR_RNDN);
    mpfr_add(c3, c3, c2, MPFR_RNDN);
    mpfr_mul(c3, c3, x, MPFR_RNDN);
    mpfr_add(c3, c3, c1, MPFR_RNDN);
    mpfr_mul(c3, c3, x, MPFR_RNDN);
    mpfr_add(c3, c3, c0, MPFR_RNDN);
}

/* Newton's method at 256 bits doubles 50 good bits three times. */
static void solve(mpfr_ptr s, const struct cubic *cubic, mpfr_srcptr x)
{
    mpfr_ptr value = variable[17], slope = variable[18], slope2 = variable[19];
    mpfr_ptr slope3 = variable[20], minus_x = variable[21];
    mpfr_neg(minus_x, x, MPFR_RNDN);
    mpfr_mul_ui(slope3, cubic->c3, 3, MPFR_RNDN);
    mpfr_mul_2ui(slope2, cubic->c2, 1, MPFR_RNDN);
    plain_set(s, start(cubic, x));
    for (int step = 0; step < 3; step++) {
        mpfr_set(value, cubic->c3, MPFR_RNDN);
        horner(value, cubic->c2, cubic->c1, minus_x, s);
        mpfr_mul(slope, slope3, s, MPFR_RNDN);
        mpfr_add(slope, slope, slope2, MPFR_RNDN);
        mpfr_mul(slope, slope, s, MPFR_RNDN);
        mpfr_add(slope, slope, cubic->c1, MPFR_RNDN);
        mpfr_div(value, value, slope, MPFR_RNDN);
        mpfr_sub(s, s, value, MPFR_RNDN);
    }
}

/* s, which is where the time is x = (t - t0) / h; leaves the weights and h. */
struct parameter {
    mpfr_ptr s, h, w0, w1;
};

static struct parameter set_parameter(const struct segment_data *data)
{
    struct parameter p = {variable[9], variable[1], variable[3], variable[4]};
    mpfr_ptr x = variable[0], far = variable[2];
    struct cubic time = {variable[11], variable[12], variable[13]};
    plain_set(p.h, data->t1);
    mpfr_sub_d(p.h, p.h, data->t0, MPFR_RNDN);
    plain_set(x, data->t);
    mpfr_sub_d(x, x, data->t0, MPFR_RNDN);
    mpfr_div(x, x, p.h, MPFR_RNDN);
    set_weight(p.w0, data->w0);
    set_weight(p.w1, data->w1);
    /* the times' control points: w0 and 1 - w1, in parts of h above t0 */
    mpfr_ui_sub(far, 1, p.w1, MPFR_RNDN);
    set_cubic(&time, p.w0, far);
    solve(p.s, &time, x);
    return p;
}

/* v0 (B0 + B1) + p1 B1 + p2 B2 + v1 (B2 + B3), where p1 and p2 are what the inner control points
 * are above v0 and v1, and S with absolute values. */
static void set_bernstein(mpfr_ptr value, mpfr_ptr scale, mpfr_srcptr s, mpfr_ptr *term)
{
    mpfr_ptr rest = variable[22], ss = variable[23], rr = variable[24], b = variable[25];
    mpfr_ui_sub(rest, 1, s, MPFR_RNDN);
    mpfr_sqr(ss, s, MPFR_RNDN);
    mpfr_sqr(rr, rest, MPFR_RNDN);
    mpfr_mul(b, rr, s, MPFR_RNDN);
    mpfr_mul_ui(b, b, 3, MPFR_RNDN); /* B1 */
    mpfr_mul(term[1], term[1], b, MPFR_RNDN);
    mpfr_mul(rr, rr, rest, MPFR_RNDN);
    mpfr_add(rr, rr, b, MPFR_RNDN);
    mpfr_mul(term[0], term[0], rr, MPFR_RNDN);
    mpfr_mul(b, ss, rest, MPFR_RNDN);
    mpfr_mul_ui(b, b, 3, MPFR_RNDN); /* B2 */
    mpfr_mul(term[2], term[2], b, MPFR_RNDN);
    mpfr_mul(ss, ss, s, MPFR_RNDN);
    mpfr_add(ss, ss, b, MPFR_RNDN);
    mpfr_mul(term[3], term[3], ss, MPFR_RNDN);
    mpfr_set_zero(value, 1);
    mpfr_set_zero(scale, 1);
    for (size_t i = 0; i < 4; i++) {
        plain_add_term(value, scale, term[i]);
    }
}

static void set_bezier(mpfr_ptr value, mpfr_ptr scale, const struct segment_data *data)
{
    mpfr_ptr v0 = variable[5], v1 = variable[6], p1 = variable[7], p2 = variable[8];
    struct parameter p = set_parameter(data);
    plain_set(v0, data->v0);
    plain_set(v1, data->v1);
    plain_set(p1, data->m0);
    plain_set(p2, -data->m1);
    mpfr_mul(p1, p1, p.w0, MPFR_RNDN);
    mpfr_mul(p1, p1, p.h, MPFR_RNDN);
    mpfr_mul(p2, p2, p.w1, MPFR_RNDN);
    mpfr_mul(p2, p2, p.h, MPFR_RNDN);
    set_bernstein(value, scale, p.s, (mpfr_ptr[]){v0, p1, p2, v1});
}

static double weight_of(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) > 0 ? *values_field(inputs, field) : NAN;
}

struct plain_error plain_bezier(const struct values *inputs, const struct values *results)
{
    enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
    struct segment_data data = {.t0 = *values_field(inputs, T0),
                                .v0 = *values_field(inputs, V0),
                                .m0 = *values_field(inputs, M0),
                                .t1 = *values_field(inputs, T1),
                                .v1 = *values_field(inputs, V1),
                                .m1 = *values_field(inputs, M1),
                                .t = *values_field(inputs, T),
                                .w0 = weight_of(inputs, W0),
                                .w1 = weight_of(inputs, W1)};
    mpfr_ptr value = variable[40], scale = variable[41];
    set_bezier(value, scale, &data);
    return plain_compare(value, scale, results->number[0], BEZIER_K);
}

struct plain_error plain_bezier_parameter(const struct values *inputs, const struct values *results)
{
    enum { T0, W0, T1, W1, T };
    struct segment_data data = {.t0 = *values_field(inputs, T0),
                                .t1 = *values_field(inputs, T1),
                                .t = *values_field(inputs, T),
                                .w0 = weight_of(inputs, W0),
                                .w1 = weight_of(inputs, W1)};
    struct parameter p = set_parameter(&data);
    mpfr_set(variable[41], p.s, MPFR_RNDN);
    return plain_compare(p.s, variable[41], results->number[0], BEZIER_K);
}

/* Curves */

/* t' as the nearest double, which is one of the places at which a result may be right */
static double wrapped_time(const struct curve *curve, double t, bool back_and_forth)
{
    mpfr_ptr duration = variable[0], period = variable[1], time = variable[2];
    double first = curve->times[0];
    plain_set(duration, curve->times[curve->count - 1]);
    mpfr_sub_d(duration, duration, first, MPFR_RNDN);
    mpfr_mul_2ui(period, duration, back_and_forth, MPFR_RNDN);
    plain_set(time, t);
    mpfr_sub_d(time, time, first, MPFR_RNDN);
    mpfr_fmod(time, time, period, MPFR_RNDN);
    if (mpfr_sgn(time) < 0) {
        mpfr_add(time, time, period, MPFR_RNDN);
    }
    if (mpfr_greater_p(time, duration)) {
        mpfr_sub(time, period, time, MPFR_RNDN);
    }
    mpfr_add_d(time, time, first, MPFR_RNDN);
    return mpfr_get_d(time, MPFR_RNDN);
}

/* The last key whose time is not after t, which is not before the first. */
static size_t find_key(const struct curve *curve, double t)
{
    size_t low = 0, high = curve->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(curve->times[middle] <= t ? &low : &high) = middle;
    }
    return low;
}

static double set_given(mpfr_ptr value, mpfr_ptr scale, double given)
{
    plain_set(value, given);
    mpfr_abs(scale, value, MPFR_RNDN);
    return HERMITE_K;
}

/* A curve's value at t and its S, and returns the factor that goes with them. */
static double set_curve(mpfr_ptr value, mpfr_ptr scale, const struct curve *curve, double t)
{
    struct curve_place place = curve_place(curve, t);
    struct segment_data data;
    if (place.given) {
        return set_given(value, scale, place.value);
    }
    double time = place.beyond ? wrapped_time(curve, t, place.ping_pong) : t;
    size_t key = find_key(curve, time);
    if (time == curve->times[key]) {
        return set_given(value, scale, curve->values[key]);
    }
    bool weighted = curve_segment(curve, key, &data);
    data.t = time;
    if (isinf(data.m0) || isinf(data.m1)) {
        return set_given(value, scale, data.v0);
    }
    (weighted ? set_bezier : set_hermite)(value, scale, &data);
    return weighted ? BEZIER_K : HERMITE_K;
}

struct plain_error plain_curve(const struct values *inputs, const struct values *results)
{
    struct curve curve = curve_of(inputs, 0);
    mpfr_ptr value = variable[40], scale = variable[41];
    if (values_length(results, 0) == 0) {
        return no_number;
    }
    double K = set_curve(value, scale, &curve, *values_field(inputs, CURVE_FIELDS));
    return plain_compare(value, scale, results->number[0], K);
}

/* A + w (B - A) and |1 - w| (S_A + |A|) + |w| (S_B + |B|) */
struct plain_error plain_crossfade(const struct values *inputs, const struct values *results)
{
    struct curve curve[2] = {curve_of(inputs, 0), curve_of(inputs, CURVE_FIELDS)};
    mpfr_ptr a = variable[40], scale_a = variable[41], b = variable[42], scale_b = variable[43];
    mpfr_ptr w = variable[0], rest = variable[1];
    double t = *values_field(inputs, (size_t)2 * CURVE_FIELDS);
    double weight = *values_field(inputs, 2 * CURVE_FIELDS + 1);
    if (values_length(results, 0) == 0) {
        return no_number;
    }
    if (weight <= 0 || weight >= 1) {
        double K = set_curve(a, scale_a, &curve[weight >= 1], t);
        return plain_compare(a, scale_a, results->number[0], K);
    }
    double K = fmax(set_curve(a, scale_a, &curve[0], t), set_curve(b, scale_b, &curve[1], t));
    plain_set(w, weight);
    mpfr_ui_sub(rest, 1, w, MPFR_RNDN);
    mpfr_mul(a, a, rest, MPFR_RNDN);
    mpfr_mul(b, b, w, MPFR_RNDN);
    mpfr_fmma(scale_a, scale_a, rest, scale_b, w, MPFR_RNDN);
    mpfr_add(w, a, b, MPFR_RNDN);
    mpfr_abs(a, a, MPFR_RNDN);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_add(scale_a, scale_a, a, MPFR_RNDN);
    mpfr_add(scale_a, scale_a, b, MPFR_RNDN);
    return plain_compare(w, scale_a, results->number[0], K + 2);
}
