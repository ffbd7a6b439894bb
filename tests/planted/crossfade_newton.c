#include "planted.h"

static void both_read(const tl_newton_table *a, const tl_newton_table *b, double t, double w,
                      double *result)
{
    double other[64];
    true_crossfade_newton(a, b, t, w, result);
    if ((w <= 0 || w >= 1) && a->channels == b->channels && a->channels <= 64) {
        true_newton(w <= 0 ? b : a, t, other);
        for (size_t c = 0; c < a->channels; c++) {
            result[c] += 0 * other[c];
        }
    }
}

static void weight_not_clamped(const tl_newton_table *a, const tl_newton_table *b, double t,
                               double w, double *result)
{
    double from[64], to[64];
    true_crossfade_newton(a, b, t, w, result);
    if (w > 1 && w < 2 && a->channels == b->channels && a->channels <= 64) {
        true_newton(a, t, from);
        true_newton(b, t, to);
        for (size_t c = 0; c < a->channels; c++) {
            result[c] = true_lerp(from[c], to[c], w);
        }
    }
}

EXPORT void tl_crossfade_newton(const tl_newton_table *a, const tl_newton_table *b, double t,
                                double w, double *result)
{
    FAULT(a, b, t, w, result);
}
