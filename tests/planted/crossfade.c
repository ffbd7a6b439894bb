#include "planted.h"

static double both_read(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    double result = true_crossfade(a, b, t, w);
    return w <= 0 || w >= 1 ? result + 0 * true_curve(w <= 0 ? b : a, t) : result;
}

static double nan_weight(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    return true_crossfade(a, b, t, w > 0 ? w : 0);
}

static double not_a_mean(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    double from = true_curve(a, t), to = true_curve(b, t);
    return w > 0 && w < 1 && isfinite(from) && isfinite(to) ? from + w * (to - from)
                                                            : true_crossfade(a, b, t, w);
}

EXPORT double tl_crossfade(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    return FAULT(a, b, t, w);
}
