/* The plain checks of polynomials, through nodes and of their roots: see bench_plain.h. */
#include "bench_plain_formulas.h"

#include <math.h>
#include <stdbool.h>

enum { NODES_MAX = 32 };

/* Newton's form at one t. With P_k the product of the t - s_j, j < k, its k-th term c_k P_k is the
 * sum over i <= k of v_i part[k][i], where
 *     part[k][i] = P_k / the product of the s_i - s_j, j <= k, j != i.
 * None of that depends on the values, and neither does what multiplies |v_i| in T. */
struct form {
    size_t count;
    size_t order[NODES_MAX];
    mpfr_t part[NODES_MAX][NODES_MAX];
    mpfr_t size[NODES_MAX];
};

static struct form form[2];
static mpfr_t node[NODES_MAX], weight[NODES_MAX];

typedef void each_variable(mpfr_ptr x);

static void each(each_variable *change)
{
    for (size_t k = 0; k < NODES_MAX; k++) {
        change(node[k]);
        change(weight[k]);
        for (size_t f = 0; f < 2; f++) {
            change(form[f].size[k]);
            for (size_t i = 0; i <= k; i++) {
                change(form[f].part[k][i]);
            }
        }
    }
}

static void open_variable(mpfr_ptr x)
{
    mpfr_init2(x, PLAIN_PRECISION);
}

void plain_open_polynomials(void)
{
    each(open_variable);
}

void plain_close_polynomials(void)
{
    each(mpfr_clear);
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

/* weight[i] = 1 / the product of the s_i - s_j, j <= k, j != i, from those for k - 1 */
static void add_node(size_t k)
{
    mpfr_ptr inverse = plain_variable[0];
    mpfr_set_ui(weight[k], 1, MPFR_RNDN);
    for (size_t i = 0; i < k; i++) {
        mpfr_sub(inverse, node[i], node[k], MPFR_RNDN);
        mpfr_ui_div(inverse, 1, inverse, MPFR_RNDN);
        mpfr_mul(weight[i], weight[i], inverse, MPFR_RNDN);
        mpfr_neg(inverse, inverse, MPFR_RNDN);
        mpfr_mul(weight[k], weight[k], inverse, MPFR_RNDN);
    }
}

static void set_form(struct form *f, const double *times, size_t count, double t)
{
    mpfr_ptr product = plain_variable[1], distance = plain_variable[2], size = plain_variable[3];
    f->count = count;
    set_order(times, count, f->order);
    mpfr_set_ui(product, 1, MPFR_RNDN);
    for (size_t k = 0; k < count; k++) {
        plain_set(node[k], times[f->order[k]]);
        mpfr_set_zero(f->size[k], 1);
        add_node(k);
        for (size_t i = 0; i <= k; i++) {
            mpfr_mul(f->part[k][i], weight[i], product, MPFR_RNDN);
            mpfr_abs(size, f->part[k][i], MPFR_RNDN);
            mpfr_add(f->size[i], f->size[i], size, MPFR_RNDN);
        }
        plain_set(distance, t);
        mpfr_sub(distance, distance, node[k], MPFR_RNDN);
        mpfr_mul(product, product, distance, MPFR_RNDN);
    }
}

/* F, S and T of one channel, whose first value is the first of `values`. */
struct sums {
    mpfr_ptr value, scale, total;
};

static void sum_up(const struct form *f, const double *values, size_t channels,
                   const struct sums *sums)
{
    mpfr_ptr term = plain_variable[0], part = plain_variable[1];
    mpfr_set_zero(sums->value, 1);
    mpfr_set_zero(sums->scale, 1);
    mpfr_set_zero(sums->total, 1);
    for (size_t k = 0; k < f->count; k++) {
        mpfr_set_zero(term, 1);
        for (size_t i = 0; i <= k; i++) {
            mpfr_mul_d(part, f->part[k][i], values[f->order[i] * channels], MPFR_RNDN);
            mpfr_add(term, term, part, MPFR_RNDN);
        }
        plain_add_term(sums->value, sums->scale, term);
        mpfr_mul_d(part, f->size[k], fabs(values[f->order[k] * channels]), MPFR_RNDN);
        mpfr_add(sums->total, sums->total, part, MPFR_RNDN);
    }
}

static struct sums sums_at(size_t first)
{
    return (struct sums){plain_variable[first], plain_variable[first + 1],
                         plain_variable[first + 2]};
}

static const struct plain_error no_number = {(double)NAN, (double)NAN};

/* 4 n u S + 64 n u^2 T: all channels of the first form, whose values begin there */
static struct plain_error compare_channels(const double *values, size_t channels,
                                           const struct values *results)
{
    struct sums sums = sums_at(4);
    struct plain_error worst = {0, -1};
    for (size_t channel = 0; channel < channels; channel++) {
        sum_up(&form[0], values + channel, channels, &sums);
        mpfr_mul_2si(sums.total, sums.total, 4 - 53, MPFR_RNDN);
        mpfr_add(sums.scale, sums.scale, sums.total, MPFR_RNDN);
        struct plain_error error = plain_compare(sums.value, sums.scale, results->number[channel],
                                                 4 * (double)form[0].count);
        worst = plain_worse(worst, error);
    }
    return worst;
}

static struct plain_error compare_newton(const struct values *inputs, size_t times, double t,
                                         const struct values *results)
{
    size_t count = values_length(inputs, times);
    if (count > NODES_MAX || values_length(results, 0) == 0) {
        return no_number;
    }
    set_form(&form[0], values_field(inputs, times), count, t);
    return compare_channels(values_field(inputs, times + 1), values_length(results, 0), results);
}

struct plain_error plain_newton(const struct values *inputs, const struct values *results)
{
    return compare_newton(inputs, 0, *values_field(inputs, 2), results);
}

struct plain_error plain_track(const struct values *inputs, const struct values *results)
{
    enum { ORDER, TIMES, VALUES, T };
    const double *times = values_field(inputs, TIMES);
    double t = *values_field(inputs, T);
    size_t count = values_length(inputs, TIMES), channels = values_length(results, 0);
    size_t window = (size_t)*values_field(inputs, ORDER) + 1, low = 0, high = count;
    if (channels == 0) {
        return no_number;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(times[middle] <= t ? &low : &high) = middle;
    }
    window = window < count ? window : count;
    low -= low > 0 && window > 2;
    low = low + window > count ? count - window : low;
    set_form(&form[0], times + low, window, t);
    return compare_channels(values_field(inputs, VALUES) + low * channels, channels, results);
}

/* (1 - w) x + w y, in x's place */
static void blend(mpfr_ptr x, mpfr_srcptr y, mpfr_srcptr rest, mpfr_srcptr w)
{
    mpfr_fmma(x, x, rest, y, w, MPFR_RNDN);
}

/* A + w (B - A); S = |1 - w| (S_A + |A|) + |w| (S_B + |B|); n T likewise */
struct plain_error plain_crossfade_newton(const struct values *inputs, const struct values *results)
{
    enum { A_TIMES, A_VALUES, B_TIMES, B_VALUES, T, W };
    size_t count[2] = {values_length(inputs, A_TIMES), values_length(inputs, B_TIMES)};
    size_t channels = values_length(results, 0);
    double t = *values_field(inputs, T), given = *values_field(inputs, W);
    struct sums a = sums_at(4), b = sums_at(7);
    mpfr_ptr w = plain_variable[10], rest = plain_variable[11], work = plain_variable[12];
    if (given <= 0 || given >= 1) {
        return compare_newton(inputs, given >= 1 ? B_TIMES : A_TIMES, t, results);
    }
    if (count[0] > NODES_MAX || count[1] > NODES_MAX || channels == 0) {
        return no_number;
    }
    double K = 4 * fmax((double)count[0], (double)count[1]) + 2;
    set_form(&form[0], values_field(inputs, A_TIMES), count[0], t);
    set_form(&form[1], values_field(inputs, B_TIMES), count[1], t);
    plain_set(w, given);
    mpfr_ui_sub(rest, 1, w, MPFR_RNDN);
    struct plain_error worst = {0, -1};
    for (size_t channel = 0; channel < channels; channel++) {
        sum_up(&form[0], values_field(inputs, A_VALUES) + channel, channels, &a);
        sum_up(&form[1], values_field(inputs, B_VALUES) + channel, channels, &b);
        mpfr_abs(work, a.value, MPFR_RNDN);
        mpfr_add(a.scale, a.scale, work, MPFR_RNDN);
        mpfr_abs(work, b.value, MPFR_RNDN);
        mpfr_add(b.scale, b.scale, work, MPFR_RNDN);
        mpfr_mul_ui(a.total, a.total, count[0], MPFR_RNDN);
        mpfr_mul_ui(b.total, b.total, count[1], MPFR_RNDN);
        blend(a.value, b.value, rest, w);
        blend(a.scale, b.scale, rest, w);
        blend(a.total, b.total, rest, w);
        /* 64 u^2 T as a part of u S */
        mpfr_div_d(a.total, a.total, K, MPFR_RNDN);
        mpfr_mul_2si(a.total, a.total, 6 - 53, MPFR_RNDN);
        mpfr_add(a.scale, a.scale, a.total, MPFR_RNDN);
        worst = plain_worse(worst, plain_compare(a.value, a.scale, results->number[channel], K));
    }
    return worst;
}

/* Roots */

enum { DEGREE = 3 };

/* The coefficients, the roots in rising order, and what is used on the way to them */
struct roots {
    mpfr_ptr a, b, c, d;
    mpfr_ptr root[DEGREE];
    size_t count;
    mpfr_ptr work[4];
};

/* -(b + x) / (3 a), in x's place */
static void undo_shift(const struct roots *r, mpfr_ptr x)
{
    mpfr_add(x, x, r->b, MPFR_RNDN);
    mpfr_div(x, x, r->a, MPFR_RNDN);
    mpfr_div_si(x, x, -3, MPFR_RNDN);
}

/* a = 0 */
static void set_few_roots(struct roots *r)
{
    mpfr_ptr discriminant = r->work[0], sum = r->work[1];
    if (mpfr_zero_p(r->b)) {
        r->count = !mpfr_zero_p(r->c);
        mpfr_div(r->root[0], r->d, r->c, MPFR_RNDN);
        mpfr_neg(r->root[0], r->root[0], MPFR_RNDN);
        return;
    }
    mpfr_mul_2ui(discriminant, r->d, 2, MPFR_RNDN);
    mpfr_fmms(discriminant, r->c, r->c, r->b, discriminant, MPFR_RNDN);
    r->count = mpfr_sgn(discriminant) < 0 ? 0 : mpfr_sgn(discriminant) > 0 ? 2 : 1;
    if (r->count == 1) {
        mpfr_div(r->root[0], r->c, r->b, MPFR_RNDN);
        mpfr_div_si(r->root[0], r->root[0], -2, MPFR_RNDN);
        return;
    }
    /* the one in which nothing cancels, and the other by their product d / b */
    mpfr_sqrt(sum, discriminant, MPFR_RNDN);
    mpfr_setsign(sum, sum, mpfr_sgn(r->c) < 0, MPFR_RNDN);
    mpfr_add(sum, sum, r->c, MPFR_RNDN);
    mpfr_div_si(sum, sum, -2, MPFR_RNDN);
    mpfr_div(r->root[0], sum, r->b, MPFR_RNDN);
    mpfr_div(r->root[1], r->d, sum, MPFR_RNDN);
    if (mpfr_greater_p(r->root[0], r->root[1])) {
        mpfr_swap(r->root[0], r->root[1]);
    }
}

/* A cube root of (q + i sine) / 2, whose size is sqrt(p): a third of the angle in doubles, and
 * Newton's method z = (2 z + (q + i sine) / (2 z^2)) / 3 doubles 50 good bits three times. That
 * takes a quarter of the time of mpfr_atan2 and mpfr_sin_cos. */
static void set_complex_root(mpfr_ptr x, mpfr_ptr y, mpfr_srcptr p, mpfr_srcptr q, mpfr_srcptr sine)
{
    mpfr_ptr size = plain_variable[11], real = plain_variable[12], imaginary = plain_variable[13];
    mpfr_ptr work = plain_variable[14];
    long exponent, sine_exponent;
    double cosine = mpfr_get_d_2exp(&exponent, q, MPFR_RNDN);
    double height = mpfr_get_d_2exp(&sine_exponent, sine, MPFR_RNDN);
    double angle = atan2(ldexp(height, (int)(sine_exponent - exponent)), cosine) / 3;
    mpfr_sqrt(size, p, MPFR_RNDN);
    mpfr_mul_d(x, size, cos(angle), MPFR_RNDN);
    mpfr_mul_d(y, size, sin(angle), MPFR_RNDN);
    for (int step = 0; step < 3; step++) {
        /* 1 / z^2 = (x - i y)^2 / (x^2 + y^2)^2 */
        mpfr_fmma(size, x, x, y, y, MPFR_RNDN);
        mpfr_sqr(size, size, MPFR_RNDN);
        mpfr_mul_2ui(size, size, 1, MPFR_RNDN);
        mpfr_ui_div(size, 1, size, MPFR_RNDN);
        mpfr_fmms(real, x, x, y, y, MPFR_RNDN);
        mpfr_mul(imaginary, x, y, MPFR_RNDN);
        mpfr_mul_2ui(imaginary, imaginary, 1, MPFR_RNDN);
        mpfr_fmma(work, q, real, sine, imaginary, MPFR_RNDN);
        mpfr_fmms(imaginary, sine, real, q, imaginary, MPFR_RNDN);
        mpfr_mul(work, work, size, MPFR_RNDN);
        mpfr_mul(imaginary, imaginary, size, MPFR_RNDN);
        mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
        mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
        mpfr_add(x, x, work, MPFR_RNDN);
        mpfr_add(y, y, imaginary, MPFR_RNDN);
        mpfr_div_ui(x, x, 3, MPFR_RNDN);
        mpfr_div_ui(y, y, 3, MPFR_RNDN);
    }
}

/* With z as there: 2 Re z is the largest x, and the others are -Re z -+ sqrt(3) Im z. */
static void set_three_roots(struct roots *r, mpfr_srcptr p, mpfr_srcptr q, mpfr_srcptr sine)
{
    mpfr_ptr work = r->work[3], s = r->root[1], c = r->root[2];
    bool falling = mpfr_sgn(r->a) > 0; /* the largest becomes the least */
    set_complex_root(c, s, p, q, sine);
    mpfr_sqrt_ui(work, 3, MPFR_RNDN);
    mpfr_mul(s, s, work, MPFR_RNDN);
    mpfr_add(r->root[0], s, c, MPFR_RNDN);
    mpfr_neg(r->root[0], r->root[0], MPFR_RNDN);
    mpfr_sub(s, s, c, MPFR_RNDN);
    mpfr_mul_2ui(c, c, 1, MPFR_RNDN);
    r->count = 3;
    for (size_t i = 0; i < DEGREE; i++) {
        undo_shift(r, r->root[i]);
    }
    if (falling) {
        mpfr_swap(r->root[0], r->root[2]);
    }
}

/* x + p / x, where x^3 = (q +- sqrt(q^2 - 4 p^3)) / 2 without cancellation */
static void set_one_root(struct roots *r, mpfr_srcptr p, mpfr_srcptr q, mpfr_ptr root)
{
    mpfr_ptr x = r->root[0];
    mpfr_setsign(root, root, mpfr_sgn(q) < 0, MPFR_RNDN);
    mpfr_add(x, q, root, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_cbrt(x, x, MPFR_RNDN);
    mpfr_div(root, p, x, MPFR_RNDN);
    mpfr_add(x, x, root, MPFR_RNDN);
    undo_shift(r, x);
    r->count = 1;
}

/* x = 0 three times, or q / p once and -q / (2 p) twice */
static void set_multiple_roots(struct roots *r, mpfr_srcptr p, mpfr_srcptr q)
{
    mpfr_ptr simple = r->root[0], twice = r->root[1];
    r->count = mpfr_zero_p(p) ? 1 : 2;
    if (r->count == 1) {
        mpfr_set_zero(simple, 1);
        undo_shift(r, simple);
        return;
    }
    mpfr_div(simple, q, p, MPFR_RNDN);
    mpfr_div_si(twice, simple, -2, MPFR_RNDN);
    undo_shift(r, simple);
    undo_shift(r, twice);
    if (mpfr_greater_p(simple, twice)) {
        mpfr_swap(simple, twice);
    }
}

/* The closed form: -(b + x) / (3 a), where x^3 - 3 p x - q = 0 with p = b^2 - 3 a c and
 * q = 2 b^3 - 9 a b c + 27 a^2 d = 2 b p + 3 a (9 a d - b c); three different ones where
 * q^2 < 4 p^3. */
static void set_roots(struct roots *r)
{
    mpfr_ptr p = r->work[0], q = r->work[1], root = r->work[2], work = r->work[3];
    if (mpfr_zero_p(r->a)) {
        set_few_roots(r);
        return;
    }
    mpfr_mul_ui(work, r->c, 3, MPFR_RNDN);
    mpfr_fmms(p, r->b, r->b, r->a, work, MPFR_RNDN);
    mpfr_mul_ui(root, r->a, 9, MPFR_RNDN);
    mpfr_mul(root, root, r->d, MPFR_RNDN);
    mpfr_mul(work, r->b, r->c, MPFR_RNDN);
    mpfr_sub(root, root, work, MPFR_RNDN);
    mpfr_mul(root, root, r->a, MPFR_RNDN);
    mpfr_mul_ui(root, root, 3, MPFR_RNDN);
    mpfr_mul_2ui(work, p, 1, MPFR_RNDN);
    mpfr_fma(q, work, r->b, root, MPFR_RNDN);
    mpfr_sqr(root, p, MPFR_RNDN);
    mpfr_mul_2ui(root, root, 2, MPFR_RNDN);
    mpfr_fmms(root, q, q, root, p, MPFR_RNDN);
    int sign = mpfr_sgn(root);
    mpfr_abs(root, root, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    if (sign < 0) {
        set_three_roots(r, p, q, root);
    } else if (sign > 0) {
        set_one_root(r, p, q, root);
    } else {
        set_multiple_roots(r, p, q);
    }
}

/* How far a result is from the exact root, in whose place it works, and |p(r)| against 8 u S, which
 * counts unless the two are within 2^-1074 of each other. What is between them is not looked at. */
static struct plain_error compare_root(const struct roots *r, mpfr_ptr root, double result)
{
    mpfr_ptr power = r->work[0], term = r->work[1], value = r->work[2], scale = r->work[3];
    struct plain_error error = plain_compare(root, root, result, 1);
    if (isinf(result)) {
        return error;
    }
    error.share = 0;
    if (mpfr_zero_p(root) || mpfr_get_exp(root) <= -1074) {
        return error;
    }
    mpfr_set(value, r->d, MPFR_RNDN);
    mpfr_abs(scale, value, MPFR_RNDN);
    mpfr_mul_d(term, r->c, result, MPFR_RNDN);
    plain_add_term(value, scale, term);
    plain_set(power, result);
    mpfr_mul_d(power, power, result, MPFR_RNDN);
    mpfr_mul(term, r->b, power, MPFR_RNDN);
    plain_add_term(value, scale, term);
    mpfr_mul_d(power, power, result, MPFR_RNDN);
    mpfr_mul(term, r->a, power, MPFR_RNDN);
    plain_add_term(value, scale, term);
    long value_exponent, exponent;
    double residual = fabs(mpfr_get_d_2exp(&value_exponent, value, MPFR_RNDN));
    double size = mpfr_get_d_2exp(&exponent, scale, MPFR_RNDN);
    error.share = ldexp(residual / (8 * size), (int)(value_exponent - exponent + 53));
    return error;
}

struct plain_error plain_cubic_roots(const struct values *inputs, const struct values *results)
{
    mpfr_t *variable = plain_variable;
    struct roots r = {variable[0],
                      variable[1],
                      variable[2],
                      variable[3],
                      {variable[4], variable[5], variable[6]},
                      0,
                      {variable[7], variable[8], variable[9], variable[10]}};
    for (size_t i = 0; i <= DEGREE; i++) {
        plain_set(variable[i], inputs->number[i]);
    }
    set_roots(&r);
    struct plain_error worst = {0, 0};
    if (r.count != values_length(results, 0)) {
        return no_number;
    }
    for (size_t i = 0; i < r.count; i++) {
        struct plain_error error = compare_root(&r, r.root[i], results->number[i]);
        worst.ulps = error.ulps <= worst.ulps ? worst.ulps : error.ulps;
        worst.share = error.share <= worst.share ? worst.share : error.share;
    }
    return worst;
}
