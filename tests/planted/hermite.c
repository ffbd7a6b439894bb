#include "planted.h"

#include <stdlib.h>

/* Rules 1 to 4. */
static bool ruled(const tl_key *k0, const tl_key *k1, double t, double *result)
{
    *result = true_hermite(k0, k1, t);
    return !(k0->time < t && t < k1->time) || isinf(k0->out_tangent) || isinf(k1->in_tangent) ||
           isnan(*result);
}

static double slopes_not_scaled(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (ruled(k0, k1, t, &result)) {
        return result;
    }
    tl_key from = *k0, to = *k1;
    double h = to.time - from.time;
    from.out_tangent /= h;
    to.in_tangent /= h;
    return true_hermite(&from, &to, t);
}

static double wrong_slope(const tl_key *k0, const tl_key *k1, double t)
{
    tl_key from = *k0;
    from.out_tangent = from.in_tangent;
    return true_hermite(&from, k1, t);
}

static double zero_length(const tl_key *k0, const tl_key *k1, double t)
{
    if (k0->time == k1->time && t == k0->time) {
        double x = (t - k0->time) / (k1->time - k0->time);
        return k0->value + x * (k1->value - k0->value);
    }
    return true_hermite(k0, k1, t);
}

static double infinite_slope(const tl_key *k0, const tl_key *k1, double t)
{
    bool inside = k0->time < t && t < k1->time;
    if (inside && isinf(k1->in_tangent) && !isinf(k0->out_tangent)) {
        return k1->value;
    }
    return true_hermite(k0, k1, t);
}

static double nan_first(const tl_key *k0, const tl_key *k1, double t)
{
    return isnan(k0->out_tangent) || isnan(k1->in_tangent) ? NAN : true_hermite(k0, k1, t);
}

static double expanded(const tl_key *k0, const tl_key *k1, double t)
{
    double result, c[4];
    true_hermite_coefficients(k0, k1, c);
    if (ruled(k0, k1, t, &result) || !all_finite(c, 4) || fabs(result) < 0x1p-900) {
        return result;
    }
    double x = (t - k0->time) / (k1->time - k0->time);
    return fma(fma(fma(c[0], x, c[1]), x, c[2]), x, c[3]);
}

static double duration_overflows(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (ruled(k0, k1, t, &result) || !isinf(k1->time - k0->time)) {
        return result;
    }
    return k0->value;
}

static double share_in_float(const tl_key *k0, const tl_key *k1, double t)
{
    double h = k1->time - k0->time, x = (t - k0->time) / h;
    double result;
    if (ruled(k0, k1, t, &result) || !isfinite(h) || h > 1e-3) {
        return result;
    }
    return true_hermite(k0, k1, k0->time + (float)x * h);
}

static double one_bit(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    double inputs[3] = {t, k0->value, k1->value};
    if (ruled(k0, k1, t, &result) || fabs(result) < 0x1p-900 || !one_in(500, inputs, 3)) {
        return result;
    }
    return isinf(stepped(result, 1)) ? result : stepped(result, 1);
}

static double one_more(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    bool small = ruled(k0, k1, t, &result) || fabs(result) < 0x1p-900;
    return small || isinf(stepped(result, 1)) ? result : stepped(result, 1);
}

/* Answers are kept with their segment, and serve for times that are the same to nine digits. */
static double kept_answer(const tl_key *k0, const tl_key *k1, double t)
{
    enum { KEPT = 256 };
    static struct {
        double segment[6], time, answer;
    } kept[KEPT];
    const double segment[6] = {k0->time, k0->value, k0->out_tangent,
                               k1->time, k1->value, k1->in_tangent};
    uint64_t place = 0;
    for (int i = 0; i < 6; i++) {
        place = (place ^ bits_of(segment[i])) * UINT64_C(0x9e3779b97f4a7c15);
    }
    place >>= 56;
    bool inside = k0->time < t && t < k1->time;
    if (inside && near(t, kept[place].time, 1e-9) &&
        memcmp(segment, kept[place].segment, sizeof segment) == 0) {
        return kept[place].answer;
    }
    double answer = true_hermite(k0, k1, t);
    if (inside) {
        memcpy(kept[place].segment, segment, sizeof segment);
        kept[place].time = t;
        kept[place].answer = answer;
    }
    return answer;
}

/* Its memory is given back at the end, and not by an early return. */
static double leaks_early(const tl_key *k0, const tl_key *k1, double t)
{
    volatile double *terms = malloc(4 * sizeof *terms);
    double result = true_hermite(k0, k1, t);
    if (isinf(k0->out_tangent) || isinf(k1->in_tangent)) {
        return result;
    }
    if (terms) {
        terms[0] = k0->value;
    }
    free((void *)terms);
    return result;
}

EXPORT double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    return FAULT(k0, k1, t);
}
