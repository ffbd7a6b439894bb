/* What others compute, to be timed against the library: `truelerp bench`.
 *
 * Each peer stands in a file of its own, so that it is called and never inlined, and is compiled as
 * the library's fastest kernels are: -O2, for the same instruction set, contraction off (it would
 * give a formula other bits on other machines).
 *
 * Peers that need a library which may be missing are weak: their address is then null.
 */
#ifndef TRUELERP_PEERS_H
#define TRUELERP_PEERS_H

#include "../../impl/truelerp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns t: what the call itself costs. */
double peer_empty(double a, double b, double t);

double peer_naive_lerp(double a, double b, double t);
double peer_expanded_hermite(const tl_key *k0, const tl_key *k1, double t);
void peer_expanded_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4]);
double peer_closed_form_bezier(const tl_key *k0, const tl_key *k1, double t);
double peer_closed_form_parameter(const tl_key *k0, const tl_key *k1, double t);

int peer_closed_form_cubic(double a, double b, double c, double d, double roots[3],
                           int multiplicities[3]);

__attribute__((weak)) void peer_glm_slerp3(const double a[3], const double b[3], double t,
                                           double result[3]);

double peer_acos_angle3(const double a[3], const double b[3]);

__attribute__((weak)) void peer_eigen_slerp4(const double p[4], const double q[4], double t,
                                             double result[4]);

/* Returns 0 if all is well. */
__attribute__((weak)) int peer_gsl_newton_build(const double *times, const double *values,
                                                size_t count, double *differences);
__attribute__((weak)) double peer_gsl_newton(const double *times, const double *differences,
                                             size_t count, double t);

/* Through values[i] at times[i]; tells the slopes there. It is never freed. */
struct peer_spline;
__attribute__((weak)) struct peer_spline *
peer_gsl_spline_build(const double *times, const double *values, size_t count, double *slopes);
__attribute__((weak)) void peer_gsl_spline_free(struct peer_spline *spline);
__attribute__((weak)) double peer_gsl_spline(const struct peer_spline *spline, double t);
__attribute__((weak)) void peer_gsl_spline_many(const struct peer_spline *spline,
                                                const double *times, size_t count, double *results);

#ifdef __cplusplus
}
#endif

#endif
