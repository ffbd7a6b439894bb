#include "bench_plain.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <mpfr.h>

enum { PRECISION = 256, DOUBLE_BITS = 53, VARIABLES = 48, NODES_MAX = 32, DIMENSIONS_MAX = 4 };

static mpfr_t variable[VARIABLES];
static mpfr_t node[NODES_MAX], difference[NODES_MAX], divisor[NODES_MAX];

void plain_open(void)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        mpfr_init2(variable[i], PRECISION);
    }
    for (size_t i = 0; i < NODES_MAX; i++) {
        mpfr_inits2(PRECISION, node[i], difference[i], divisor[i], (mpfr_ptr)NULL);
    }
}

void plain_close(void)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        mpfr_clear(variable[i]);
    }
    for (size_t i = 0; i < NODES_MAX; i++) {
        mpfr_clears(node[i], difference[i], divisor[i], (mpfr_ptr)NULL);
    }
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static void set(mpfr_ptr x, double value)
{
    mpfr_set_d(x, value, MPFR_RNDN);
}

/* Takes F and S, in whose place it works: |r - F| in ulps of F, and over K u S. */
static double compare(mpfr_ptr value, mpfr_ptr scale, double result, double K, double *share)
{
    long ulp = mpfr_zero_p(value) ? 0 : mpfr_get_exp(value) - DOUBLE_BITS;
    mpfr_sub_d(value, value, result, MPFR_RNDN);
    mpfr_div(scale, value, scale, MPFR_RNDN);
    *share = fabs(ldexp(mpfr_get_d(scale, MPFR_RNDN), DOUBLE_BITS)) / K;
    mpfr_mul_2si(value, value, -ulp, MPFR_RNDN);
    return fabs(mpfr_get_d(value, MPFR_RNDN));
}

/* (1 - t) a + t b and |(1 - t) a| + |t b| */
static double lerp_check(const struct values *inputs, const struct values *results, double *share)
{
    mpfr_ptr a = variable[0], b = variable[1], t = variable[2], rest = variable[3];
    set(a, inputs->number[0]);
    set(b, inputs->number[1]);
    set(t, inputs->number[2]);
    mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    mpfr_mul(a, a, rest, MPFR_RNDN);
    mpfr_mul(b, b, t, MPFR_RNDN);
    mpfr_add(t, a, b, MPFR_RNDN);
    mpfr_abs(a, a, MPFR_RNDN);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    return compare(t, a, results->number[0], 2, share);
}

/* Adds a term to F and S. */
static void add_term(mpfr_ptr value, mpfr_ptr scale, mpfr_ptr term)
{
    mpfr_add(value, value, term, MPFR_RNDN);
    mpfr_abs(term, term, MPFR_RNDN);
    mpfr_add(scale, scale, term, MPFR_RNDN);
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
    add_term(value, scale, v);
    mpfr_mul(slope, slope, far, MPFR_RNDN);
    mpfr_mul(slope, slope, square, MPFR_RNDN);
    add_term(value, scale, slope);
}

static double hermite_check(const struct values *inputs, const struct values *results,
                            double *share)
{
    const double *in = inputs->number;
    mpfr_ptr t0 = variable[0], v0 = variable[1], m0 = variable[2], h = variable[3];
    mpfr_ptr v1 = variable[4], m1 = variable[5], x = variable[6], y = variable[7];
    mpfr_ptr value = variable[8], scale = variable[9];
    set(t0, in[0]);
    set(v0, in[1]);
    set(m0, in[2]);
    set(h, in[3]);
    set(v1, in[4]);
    set(m1, -in[5]);
    set(x, in[6]);
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
    return compare(value, scale, results->number[0], 12, share);
}

/* Newton's form of one channel, in the order of order[]: leaves F, S and T, with
 * |c_k| <= T_k = sum of |v_i| / product of |s_i - s_j|, whose divisors are in divisor[]. */
static void sum_up(const size_t *order, const double *values, size_t count, size_t channels,
                   mpfr_ptr *sums)
{
    mpfr_ptr work = variable[0], t = variable[1], product = variable[2], part = variable[3];
    mpfr_ptr value = sums[0], scale = sums[1], total = sums[2];
    for (size_t i = 0; i < count; i++) {
        set(difference[i], values[order[i] * channels]);
        mpfr_set_ui(divisor[i], 1, MPFR_RNDN);
    }
    for (size_t k = 1; k < count; k++) {
        for (size_t i = count - 1; i >= k; i--) {
            mpfr_sub(difference[i], difference[i], difference[i - 1], MPFR_RNDN);
            mpfr_sub(work, node[i], node[i - k], MPFR_RNDN);
            mpfr_div(difference[i], difference[i], work, MPFR_RNDN);
        }
    }
    mpfr_set_zero(value, 1);
    mpfr_set_zero(scale, 1);
    mpfr_set_zero(total, 1);
    mpfr_set_ui(product, 1, MPFR_RNDN);
    for (size_t k = 0; k < count; k++) {
        mpfr_set_zero(part, 1);
        for (size_t i = 0; i <= k; i++) {
            if (i < k) {
                mpfr_sub(work, node[i], node[k], MPFR_RNDN);
                mpfr_mul(divisor[i], divisor[i], work, MPFR_RNDN);
                mpfr_mul(divisor[k], divisor[k], work, MPFR_RNDN);
            }
            mpfr_d_div(work, values[order[i] * channels], divisor[i], MPFR_RNDN);
            mpfr_abs(work, work, MPFR_RNDN);
            mpfr_add(part, part, work, MPFR_RNDN);
        }
        mpfr_mul(work, difference[k], product, MPFR_RNDN);
        add_term(value, scale, work);
        mpfr_mul(part, part, product, MPFR_RNDN);
        mpfr_abs(part, part, MPFR_RNDN);
        mpfr_add(total, total, part, MPFR_RNDN);
        mpfr_sub(work, t, node[k], MPFR_RNDN);
        mpfr_mul(product, product, work, MPFR_RNDN);
    }
}

/* The largest time, then always the greatest product of distances, which doubles tell well enough
 * but for ties. */
static void set_order(const double *times, size_t count, size_t *order)
{
    double size[NODES_MAX];
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        size[i] = 1;
        next = times[i] > times[next] ? i : next;
    }
    for (size_t k = 0; k < count; k++) {
        order[k] = next;
        size[next] = -1;
        size_t best = next;
        for (size_t i = 0; i < count; i++) {
            size[i] *= fabs(times[i] - times[next]);
            best = size[i] > size[best] || size[best] < 0 ? i : best;
        }
        next = best;
    }
}

/* Divided differences in Leja's order, and the sum; the bound is 4 n u S + 64 n u^2 T. */
static double newton_check(const struct values *inputs, const struct values *results, double *share)
{
    size_t order[NODES_MAX];
    size_t count = values_length(inputs, 0);
    double error = 0;
    if (count > NODES_MAX) {
        return NAN;
    }
    const double *times = values_field(inputs, 0);
    size_t channels = values_length(inputs, 1) / count;
    set_order(times, count, order);
    for (size_t i = 0; i < count; i++) {
        set(node[i], times[order[i]]);
    }
    set(variable[1], values_field(inputs, 2)[0]);
    mpfr_ptr sums[] = {variable[4], variable[5], variable[6]};
    for (size_t channel = channels; channel-- > 0;) {
        sum_up(order, values_field(inputs, 1) + channel, count, channels, sums);
        mpfr_mul_2si(sums[2], sums[2], 4 - DOUBLE_BITS, MPFR_RNDN);
        mpfr_add(sums[1], sums[1], sums[2], MPFR_RNDN);
        error = compare(sums[0], sums[1], results->number[channel], 4 * (double)count, share);
    }
    return error;
}

static void dot(mpfr_ptr result, mpfr_t *a, mpfr_t *b, size_t dimension)
{
    mpfr_mul(result, a[0], b[0], MPFR_RNDN);
    for (size_t k = 1; k < dimension; k++) {
        mpfr_fma(result, a[k], b[k], result, MPFR_RNDN);
    }
}

/* |a x b|, or its like in four dimensions, by Lagrange's identity: in 256 bits, its cancellation
 * does not matter to everyday vectors. */
static void set_area(mpfr_ptr area, mpfr_srcptr aa, mpfr_srcptr bb, mpfr_srcptr ab)
{
    mpfr_fmms(area, aa, bb, ab, ab, MPFR_RNDN);
    mpfr_sqrt(area, area, MPFR_RNDN);
}

enum { VECTOR_A = 0, VECTOR_B = DIMENSIONS_MAX, SCALARS = 2 * DIMENSIONS_MAX };

/* ((1 - t)|a| + t|b|) (sin((1 - t) theta) a / |a| + sin(t theta) b / |b|) / sin theta, with
 * sin theta = |a x b| / (|a| |b|). `flip`: towards -b where that is nearer. */
static double slerp_check(const struct values *inputs, const struct values *results,
                          size_t dimension, bool flip, double *share)
{
    mpfr_t *a = variable + VECTOR_A, *b = variable + VECTOR_B, *scalar = variable + SCALARS;
    mpfr_ptr aa = scalar[0], bb = scalar[1], ab = scalar[2], area = scalar[3], theta = scalar[4];
    mpfr_ptr t = scalar[5], rest = scalar[6], length = scalar[7];
    for (size_t k = 0; k < dimension; k++) {
        set(a[k], inputs->number[k]);
        set(b[k], inputs->number[dimension + k]);
    }
    set(t, inputs->number[2 * dimension]);
    mpfr_ui_sub(rest, 1, t, MPFR_RNDN);
    dot(aa, a, a, dimension);
    dot(bb, b, b, dimension);
    dot(ab, a, b, dimension);
    if (flip && mpfr_sgn(ab) < 0) {
        mpfr_neg(ab, ab, MPFR_RNDN);
        for (size_t k = 0; k < dimension; k++) {
            mpfr_neg(b[k], b[k], MPFR_RNDN);
        }
    }
    set_area(area, aa, bb, ab);
    mpfr_atan2(theta, area, ab, MPFR_RNDN);
    mpfr_sqrt(aa, aa, MPFR_RNDN);
    mpfr_sqrt(bb, bb, MPFR_RNDN);
    mpfr_fmma(length, rest, aa, t, bb, MPFR_RNDN);
    mpfr_div(length, length, area, MPFR_RNDN);
    mpfr_mul(rest, rest, theta, MPFR_RNDN);
    mpfr_sin(rest, rest, MPFR_RNDN);
    mpfr_mul(rest, rest, bb, MPFR_RNDN);
    mpfr_mul(rest, rest, length, MPFR_RNDN);
    mpfr_mul(t, t, theta, MPFR_RNDN);
    mpfr_sin(t, t, MPFR_RNDN);
    mpfr_mul(t, t, aa, MPFR_RNDN);
    mpfr_mul(t, t, length, MPFR_RNDN);
    for (size_t k = 0; k < dimension; k++) {
        mpfr_fmma(a[k], a[k], rest, b[k], t, MPFR_RNDN);
    }
    /* F is in a; S = |F| and the error's length follow */
    dot(aa, a, a, dimension);
    mpfr_sqrt(aa, aa, MPFR_RNDN);
    for (size_t k = 0; k < dimension; k++) {
        mpfr_sub_d(a[k], a[k], results->number[k], MPFR_RNDN);
    }
    dot(bb, a, a, dimension);
    mpfr_sqrt(bb, bb, MPFR_RNDN);
    mpfr_div(ab, bb, aa, MPFR_RNDN);
    *share = ldexp(mpfr_get_d(ab, MPFR_RNDN), DOUBLE_BITS) / 8;
    return ldexp(mpfr_get_d(bb, MPFR_RNDN), (int)(DOUBLE_BITS - mpfr_get_exp(aa)));
}

static double slerp3_check(const struct values *inputs, const struct values *results, double *share)
{
    return slerp_check(inputs, results, 3, false, share);
}

static double slerp4_check(const struct values *inputs, const struct values *results, double *share)
{
    return slerp_check(inputs, results, 4, true, share);
}

/* atan2(|a x b|, a.b) */
static double angle3_check(const struct values *inputs, const struct values *results, double *share)
{
    mpfr_t *a = variable + VECTOR_A, *b = variable + VECTOR_B, *scalar = variable + SCALARS;
    for (size_t k = 0; k < 3; k++) {
        set(a[k], inputs->number[k]);
        set(b[k], inputs->number[3 + k]);
    }
    dot(scalar[0], a, a, 3);
    dot(scalar[1], b, b, 3);
    dot(scalar[2], a, b, 3);
    set_area(scalar[3], scalar[0], scalar[1], scalar[2]);
    mpfr_atan2(scalar[4], scalar[3], scalar[2], MPFR_RNDN);
    /* two ulps, as if they were 2 u of it */
    mpfr_set(scalar[5], scalar[4], MPFR_RNDN);
    return compare(scalar[4], scalar[5], results->number[0], 2, share);
}

/* The times as a cubic c1 s + c2 s^2 + c3 s^3 */
struct cubic {
    mpfr_ptr c1, c2, c3;
};

/* Clamped, and 1/3 where there is none. */
static void set_weight(mpfr_ptr weight, const struct values *inputs, size_t field)
{
    if (values_length(inputs, field) == 0) {
        mpfr_set_ui(weight, 1, MPFR_RNDN);
        mpfr_div_ui(weight, weight, 3, MPFR_RNDN);
    } else {
        double given = *values_field(inputs, field);
        set(weight, given > 1 ? 1 : given > 0 ? given : 0);
    }
}

/* Those of B1 and B2 at the inner control points p1 and p2 above 0, where the curve goes from 0 to
 * `end`: 3 p1, 3 (p2 - 2 p1), end - 3 (p2 - p1). */
static void set_cubic(const struct cubic *cubic, mpfr_ptr p1, mpfr_ptr p2, mpfr_srcptr end)
{
    mpfr_mul_ui(cubic->c1, p1, 3, MPFR_RNDN);
    mpfr_sub(p2, p2, p1, MPFR_RNDN);
    mpfr_mul_ui(cubic->c3, p2, 3, MPFR_RNDN);
    mpfr_sub(cubic->c2, cubic->c3, cubic->c1, MPFR_RNDN);
    mpfr_sub(cubic->c3, end, cubic->c3, MPFR_RNDN);
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
static void solve(mpfr_ptr s, const struct cubic *cubic, mpfr_srcptr x, mpfr_ptr *work)
{
    mpfr_ptr value = work[0], slope = work[1], slope2 = work[2], slope3 = work[3];
    mpfr_ptr minus_x = work[4];
    mpfr_neg(minus_x, x, MPFR_RNDN);
    mpfr_mul_ui(slope3, cubic->c3, 3, MPFR_RNDN);
    mpfr_mul_2ui(slope2, cubic->c2, 1, MPFR_RNDN);
    set(s, start(cubic, x));
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

/* v0 (B0 + B1) + p1 B1 + p2 B2 + v1 (B2 + B3), where p1 and p2 are what the inner control points
 * are above v0 and v1, and S with absolute values. */
static double bernstein_check(mpfr_ptr s, mpfr_ptr *term, double result, double *share)
{
    mpfr_ptr rest = variable[22], ss = variable[23], rr = variable[24], b = variable[25];
    mpfr_ptr value = variable[26], scale = variable[27];
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
        add_term(value, scale, term[i]);
    }
    return compare(value, scale, result, 64, share);
}

enum { T0, V0, M0, W0, T1, V1, M1, W1, T };

static double bezier_check(const struct values *inputs, const struct values *results, double *share)
{
    mpfr_ptr x = variable[0], h = variable[1], t0 = variable[2], w0 = variable[3];
    mpfr_ptr w1 = variable[4], v0 = variable[5], v1 = variable[6], p1 = variable[7];
    mpfr_ptr p2 = variable[8], s = variable[9], one = variable[10];
    struct cubic time = {variable[11], variable[12], variable[13]};
    mpfr_ptr work[] = {variable[17], variable[18], variable[19], variable[20], variable[21]};
    set(t0, *values_field(inputs, T0));
    set(h, *values_field(inputs, T1));
    set(x, *values_field(inputs, T));
    set(v0, *values_field(inputs, V0));
    set(v1, *values_field(inputs, V1));
    set(p1, *values_field(inputs, M0));
    set(p2, *values_field(inputs, M1));
    mpfr_sub(h, h, t0, MPFR_RNDN);
    mpfr_sub(x, x, t0, MPFR_RNDN);
    mpfr_div(x, x, h, MPFR_RNDN);
    set_weight(w0, inputs, W0);
    set_weight(w1, inputs, W1);
    mpfr_mul(p1, p1, w0, MPFR_RNDN);
    mpfr_mul(p1, p1, h, MPFR_RNDN);
    mpfr_mul(p2, p2, w1, MPFR_RNDN);
    mpfr_mul(p2, p2, h, MPFR_RNDN);
    mpfr_neg(p2, p2, MPFR_RNDN);
    /* the times: w0 and 1 - w1, in parts of h above t0 */
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_sub(w1, one, w1, MPFR_RNDN);
    set_cubic(&time, w0, w1, one);
    solve(s, &time, x, work);
    return bernstein_check(s, (mpfr_ptr[]){v0, p1, p2, v1}, results->number[0], share);
}

const struct plain *plain_find(const char *function)
{
    static const struct plain all[] = {
        {"lerp", lerp_check},     {"lerp_cr", lerp_check},  {"hermite", hermite_check},
        {"bezier", bezier_check}, {"newton", newton_check}, {"slerp3", slerp3_check},
        {"slerp4", slerp4_check}, {"angle3", angle3_check},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].function, function) == 0) {
            return &all[i];
        }
    }
    return NULL;
}
