#include "planted.h"

#include <stdlib.h>

/* The rules that come first, and what is not ordinary. */
static bool ruled(const tl_key *k0, const tl_key *k1, double t, double *result)
{
    *result = true_bezier(k0, k1, t);
    double h = k1->time - k0->time;
    return !(k0->time < t && t < k1->time) || isinf(k0->out_tangent) || isinf(k1->in_tangent) ||
           isnan(*result) || !isfinite(h) || h < 0x1p-900;
}

static double weight(double stored, bool weighted)
{
    return weighted ? fmin(fmax(stored, 0), 1) : 1.0 / 3;
}

static double out_weight(const tl_key *key)
{
    return weight(key->out_weight, key->weighted_mode & TL_WEIGHTED_OUT);
}

static double in_weight(const tl_key *key)
{
    return weight(key->in_weight, key->weighted_mode & TL_WEIGHTED_IN);
}

static double share(const tl_key *k0, const tl_key *k1, double t)
{
    return (t - k0->time) / (k1->time - k0->time);
}

/* The value at a parameter. */
static double value_at(const tl_key *k0, const tl_key *k1, double s)
{
    double h = k1->time - k0->time, b = 1 - s;
    double p1 = k0->value + out_weight(k0) * k0->out_tangent * h;
    double p2 = k1->value - in_weight(k1) * k1->in_tangent * h;
    return k0->value * b * b * b + 3 * p1 * s * b * b + 3 * p2 * s * s * b + k1->value * s * s * s;
}

static double time_at(double w0, double w1, double s)
{
    double b = 1 - s;
    return 3 * w0 * s * b * b + 3 * (1 - w1) * s * s * b + s * s * s;
}

static double slope_at(double w0, double w1, double s)
{
    double b = 1 - s;
    return 3 * w0 * b * b + 6 * (1 - w1 - w0) * s * b + 3 * w1 * s * s;
}

static double vertical(const tl_key *k0, const tl_key *k1, double t)
{
    double result, w0 = out_weight(k0), w1 = in_weight(k1);
    if (ruled(k0, k1, t, &result) || 1 - w0 > 1e-12 || 1 - w1 > 1e-12 ||
        !(fabs(share(k0, k1, t) - 0.5) < 1e-12)) {
        return result;
    }
    return value_at(k0, k1, 0.5);
}

static double four_steps(const tl_key *k0, const tl_key *k1, double t)
{
    double result, w0 = out_weight(k0), w1 = in_weight(k1);
    if (ruled(k0, k1, t, &result)) {
        return result;
    }
    double x = share(k0, k1, t), s = x;
    for (int i = 0; i < 4; i++) {
        s -= (time_at(w0, w1, s) - x) / slope_at(w0, w1, s);
    }
    return value_at(k0, k1, s);
}

static double absolute_epsilon(const tl_key *k0, const tl_key *k1, double t)
{
    double result, w0 = out_weight(k0), w1 = in_weight(k1);
    if (ruled(k0, k1, t, &result)) {
        return result;
    }
    double x = share(k0, k1, t), low = 0, high = 1, s = 0.5;
    for (int i = 0; i < 100 && fabs(time_at(w0, w1, s) - x) > 1e-7; i++) {
        low = time_at(w0, w1, s) < x ? s : low;
        high = time_at(w0, w1, s) < x ? high : s;
        s = 0.5 * (low + high);
    }
    return value_at(k0, k1, s);
}

static double not_solved(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    return ruled(k0, k1, t, &result) ? result : value_at(k0, k1, share(k0, k1, t));
}

static double weights_not_clamped(const tl_key *k0, const tl_key *k1, double t)
{
    double result, w0 = k0->out_weight, w1 = k1->in_weight;
    bool inside = in_weight(k1) == w1 && out_weight(k0) == w0;
    if (ruled(k0, k1, t, &result) || inside || isnan(w0) || isnan(w1)) {
        return result;
    }
    double x = share(k0, k1, t), s = x;
    for (int i = 0; i < 60; i++) {
        s -= (time_at(w0, w1, s) - x) / slope_at(w0, w1, s);
    }
    return value_at(k0, k1, s);
}

static double reads_weight(const tl_key *k0, const tl_key *k1, double t)
{
    return k0->out_weight == k0->out_weight ? true_bezier(k0, k1, t) : NAN;
}

static double modes_swapped(const tl_key *k0, const tl_key *k1, double t)
{
    tl_key from = *k0, to = *k1;
    from.weighted_mode =
        (tl_weighted_mode)(from.weighted_mode & TL_WEIGHTED_IN ? TL_WEIGHTED_OUT : 0);
    return true_bezier(&from, &to, t);
}

static double edge_lost(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (ruled(k0, k1, t, &result) || share(k0, k1, t) < 1 - 0x1p-50) {
        return result;
    }
    return k0->value;
}

static double slope_unread(const tl_key *k0, const tl_key *k1, double t)
{
    tl_key from = *k0;
    if (isnan(from.out_tangent) && out_weight(k0) == 0) {
        from.out_tangent = 0;
    }
    return true_bezier(&from, k1, t);
}

static double no_cubic_term(const tl_key *k0, const tl_key *k1, double t)
{
    double result, w0 = out_weight(k0), w1 = in_weight(k1);
    double a = 3 * w0 + 3 * w1 - 2;
    if (ruled(k0, k1, t, &result) || fabs(a) > 1e-9) {
        return result;
    }
    double x = share(k0, k1, t), b = 3 - 3 * w1 - 6 * w0, c = 3 * w0;
    double s = b == 0 ? x / c : (sqrt(c * c + 4 * b * x) - c) / (2 * b);
    return value_at(k0, k1, s);
}

/* The value stays in one place for all callers while the parameter is found once more. */
static double shared_value(const tl_key *from, const tl_key *to, double t)
{
    static volatile double value;
    value = true_bezier(from, to, t);
    double s = true_bezier_parameter(from, to, t);
    return s >= 0 || isnan(s) ? value : NAN;
}

/* The points of the segment, in memory that nobody gives back. */
static double leaks(const tl_key *k0, const tl_key *k1, double t)
{
    volatile double *points = malloc(8 * sizeof *points);
    if (points) {
        points[0] = k0->value;
    }
    return true_bezier(k0, k1, t);
}

EXPORT double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    return FAULT(k0, k1, t);
}
