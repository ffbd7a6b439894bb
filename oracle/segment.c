#include "segment.h"

#include <math.h>

static bool give(double value, struct answer *answer)
{
    answer->kind = ANSWER_GIVEN;
    answer->given[0] = value;
    return true;
}

bool segment_inside_is_given(const struct segment_data *data, struct answer *answer)
{
    if (isinf(data->m0) || isinf(data->m1)) {
        return give(data->v0, answer);
    }
    bool finite = isfinite(data->t0) && isfinite(data->v0) && isfinite(data->m0) &&
                  isfinite(data->t1) && isfinite(data->v1) && isfinite(data->m1) &&
                  data->finite_weights;
    return finite ? false : give(NAN, answer);
}

bool segment_is_given(const struct segment_data *data, struct answer *answer)
{
    if (isnan(data->t) || isnan(data->t0) || isnan(data->t1) || data->t0 > data->t1) {
        return give(NAN, answer);
    }
    if (data->t >= data->t1) {
        return give(data->v1, answer);
    }
    if (data->t <= data->t0) {
        return give(data->v0, answer);
    }
    return segment_inside_is_given(data, answer);
}
