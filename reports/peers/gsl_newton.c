/* The GNU Scientific Library's evaluation of divided differences, in its inline form: compiled here
 * and as the library's kernels are. */
#define HAVE_INLINE
#include <gsl/gsl_poly.h>

#include "peers.h"

int peer_gsl_newton_build(const double *times, const double *values, size_t count,
                          double *differences)
{
    return gsl_poly_dd_init(differences, times, values, count);
}

__attribute__((noinline)) double peer_gsl_newton(const double *times, const double *differences,
                                                 size_t count, double t)
{
    return gsl_poly_dd_eval(differences, times, count, t);
}
