/* The weighted segment by the closed form, the way it is usually explained: the handles' times make
 * a cubic in powers of s, tl_cubic_roots solves it, and the root in [0, 1] goes into the cubic of
 * the values. The rules for special cases are put before.
 *
 * tl_cubic_roots is within its bound, so what is lost is lost in plain double arithmetic before and
 * after it: a root is as good as its coefficients allow, and these are rounded. */
#include "rules.h"

/* a s^3 + b s^2 + c s + d through the control points p0 .. p3. */
struct powers {
    double a, b, c, d;
};

static struct powers powers_of(double p0, double p1, double p2, double p3)
{
    return (struct powers){p3 - 3 * p2 + 3 * p1 - p0, 3 * p2 - 6 * p1 + 3 * p0, 3 * p1 - 3 * p0,
                           p0};
}

/* How far s is outside of [0, 1]. */
static double distance(double s)
{
    return fmax(-s, s - 1);
}

/* The root in [0, 1], or the end that is nearest to a root where rounding let none be inside. */
static double chosen(const double *roots, int count)
{
    double best = count > 0 ? roots[0] : NAN;
    for (int i = 1; i < count; i++) {
        if (distance(roots[i]) < distance(best)) {
            best = roots[i];
        }
    }
    return isnan(best) ? NAN : fmin(fmax(best, 0), 1);
}

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (rules_give_parameter(k0, k1, t, &result)) {
        return result;
    }
    const double duration = k1->time - k0->time;
    const double handle0 = k0->time + rules_clamp(rules_out_weight(k0)) * duration;
    const double handle1 = k1->time - rules_clamp(rules_in_weight(k1)) * duration;
    const struct powers times = powers_of(k0->time, handle0, handle1, k1->time);
    double roots[3];
    int multiplicities[3];
    int count = tl_cubic_roots(times.a, times.b, times.c, times.d - t, roots, multiplicities);
    return chosen(roots, count);
}

double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (rules_give_value(k0, k1, t, &result)) {
        return result;
    }
    const double duration = k1->time - k0->time;
    const double rise0 = rules_clamp(rules_out_weight(k0)) * k0->out_tangent * duration;
    const double rise1 = rules_clamp(rules_in_weight(k1)) * k1->in_tangent * duration;
    const struct powers values =
        powers_of(k0->value, k0->value + rise0, k1->value - rise1, k1->value);
    const double s = tl_bezier_parameter(k0, k1, t);
    return ((values.a * s + values.b) * s + values.c) * s + values.d;
}
