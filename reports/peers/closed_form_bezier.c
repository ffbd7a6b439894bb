/* The guards are those of engines: no duration, or an infinite slope, gives the first value. */
#include "closed_form.h"
#include "peers.h"

__attribute__((noinline)) double peer_closed_form_bezier(const tl_key *k0, const tl_key *k1,
                                                         double t)
{
    const double duration = k1->time - k0->time;
    if (duration == 0 || isinf(k0->out_tangent) || isinf(k1->in_tangent)) {
        return k0->value;
    }
    const double w0 = closed_form_out_weight(k0), w1 = closed_form_in_weight(k1);
    const double s = closed_form_root(w0, w1, (t - k0->time) / duration);
    return closed_form_value(k0, k1, w0, w1, s);
}

__attribute__((noinline)) double peer_closed_form_parameter(const tl_key *k0, const tl_key *k1,
                                                            double t)
{
    const double duration = k1->time - k0->time;
    if (duration == 0) {
        return 0;
    }
    return closed_form_root(closed_form_out_weight(k0), closed_form_in_weight(k1),
                            (t - k0->time) / duration);
}
