/* What the contract says before it comes to formulas, for implementations that are right about it.
 */
#ifndef TRUELERP_TESTS_PLANTED_RIGHT_RULES_H
#define TRUELERP_TESTS_PLANTED_RIGHT_RULES_H

#include "../planted.h"

static inline bool lerp_ruled(double a, double b, double t, double *result)
{
    *result = t == 1 && t != 0 ? b : a;
    if (t == 0 || t == 1 || a == b) {
        return true;
    }
    *result = NAN;
    return !all_finite((double[3]){a, b, t}, 3);
}

static inline bool hermite_ruled(const tl_key *k0, const tl_key *k1, double t, double *result)
{
    *result = NAN;
    if (isnan(t) || !(k0->time <= k1->time)) {
        return true;
    }
    bool inside = k0->time < t && t < k1->time;
    if (!inside || isinf(k0->out_tangent) || isinf(k1->in_tangent)) {
        *result = t >= k1->time ? k1->value : k0->value;
        return true;
    }
    return !all_finite(
        (double[6]){k0->time, k0->value, k0->out_tangent, k1->time, k1->value, k1->in_tangent}, 6);
}

static inline bool coefficients_ruled(const tl_key *k0, const tl_key *k1, double c[4])
{
    c[0] = c[1] = c[2] = c[3] = NAN;
    return !all_finite(
        (double[6]){k0->time, k0->value, k0->out_tangent, k1->time, k1->value, k1->in_tangent}, 6);
}

static inline bool is_zero(const double *v, int count)
{
    for (int k = 0; k < count; k++) {
        if (v[k] != 0) {
            return false;
        }
    }
    return true;
}

/* Of the turns from a to b. */
static inline bool turn_ruled(const double *a, const double *b, double t, int count, bool clamped,
                              double *result)
{
    if (isnan(t) || (!clamped && isinf(t))) {
        for (int k = 0; k < count; k++) {
            result[k] = NAN;
        }
        return true;
    }
    if (clamped ? t <= 0 || t >= 1 : t == 0 || t == 1) {
        memmove(result, t <= 0 ? a : b, (size_t)count * sizeof *a);
        return true;
    }
    if (all_finite(a, count) && all_finite(b, count)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        result[k] = NAN;
    }
    return true;
}

static inline int smallest_of(const double *a)
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = fabs(a[k]) < fabs(a[least]) ? k : least;
    }
    return least;
}

#endif
