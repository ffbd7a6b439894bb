/* The weighted segment as the benchmark's peer computes it, with the rules for special cases put
 * before: what remains is how good the closed form is. */
#include "../../reports/peers/closed_form.h"

/* Rules 1 and 2, and 3 and 4 for what is not finite: returns whether one holds. */
static int ruled(const tl_key *k0, const tl_key *k1, double t, double before, double after,
                 double *result)
{
    *result = NAN;
    if (isnan(t) || !(k0->time <= k1->time)) {
        return 1;
    }
    if (t >= k1->time || t <= k0->time) {
        *result = t >= k1->time ? after : before;
        return 1;
    }
    return !isfinite(k0->time) || !isfinite(k1->time) || !isfinite(closed_form_out_weight(k0)) ||
           !isfinite(closed_form_in_weight(k1));
}

static double root(const tl_key *k0, const tl_key *k1, double t)
{
    return closed_form_root(fmin(fmax(closed_form_out_weight(k0), 0), 1),
                            fmin(fmax(closed_form_in_weight(k1), 0), 1),
                            (t - k0->time) / (k1->time - k0->time));
}

double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    int found = ruled(k0, k1, t, k0->value, k1->value, &result);
    int inside = k0->time < t && t < k1->time;
    if (inside && (isinf(k0->out_tangent) || isinf(k1->in_tangent))) {
        return k0->value;
    }
    if (found) {
        return result;
    }
    if (!isfinite(k0->value) || isnan(k0->out_tangent) || !isfinite(k1->value) ||
        isnan(k1->in_tangent)) {
        return NAN;
    }
    return closed_form_value(k0, k1, fmin(fmax(closed_form_out_weight(k0), 0), 1),
                             fmin(fmax(closed_form_in_weight(k1), 0), 1), root(k0, k1, t));
}

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    return ruled(k0, k1, t, 0, 1, &result) ? result : root(k0, k1, t);
}
