/* The GNU Scientific Library's natural cubic spline, looking for the segment by halving, or from
 * the one before on (its accelerator). The library's own object code, as it is installed. */
#include <gsl/gsl_spline.h>

#include "peers.h"

#include <stdlib.h>

struct peer_spline {
    gsl_spline *spline;
    gsl_interp_accel *place;
};

struct peer_spline *peer_gsl_spline_build(const double *times, const double *values, size_t count,
                                          double *slopes)
{
    struct peer_spline *built = malloc(sizeof *built);
    built->spline = gsl_spline_alloc(gsl_interp_cspline, count);
    built->place = gsl_interp_accel_alloc();
    gsl_spline_init(built->spline, times, values, count);
    for (size_t i = 0; i < count; i++) {
        slopes[i] = gsl_spline_eval_deriv(built->spline, times[i], NULL);
    }
    return built;
}

void peer_gsl_spline_free(struct peer_spline *spline)
{
    gsl_spline_free(spline->spline);
    gsl_interp_accel_free(spline->place);
    free(spline);
}

__attribute__((noinline)) double peer_gsl_spline(const struct peer_spline *spline, double t)
{
    return gsl_spline_eval(spline->spline, t, NULL);
}

__attribute__((noinline)) void peer_gsl_spline_many(const struct peer_spline *spline,
                                                    const double *times, size_t count,
                                                    double *results)
{
    for (size_t i = 0; i < count; i++) {
        results[i] = gsl_spline_eval(spline->spline, times[i], spline->place);
    }
}
