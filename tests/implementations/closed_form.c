/* The weighted segment as the benchmark's peer computes it, with the rules for special cases put
 * before: what remains is how good the closed form is. */
#include "../../reports/peers/closed_form.h"
#include "rules.h"

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (rules_give_parameter(k0, k1, t, &result)) {
        return result;
    }
    return closed_form_root(rules_clamp(rules_out_weight(k0)), rules_clamp(rules_in_weight(k1)),
                            (t - k0->time) / (k1->time - k0->time));
}

double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (rules_give_value(k0, k1, t, &result)) {
        return result;
    }
    return closed_form_value(k0, k1, rules_clamp(rules_out_weight(k0)),
                             rules_clamp(rules_in_weight(k1)), tl_bezier_parameter(k0, k1, t));
}
