/* Every function, each with a wrong answer that tells which one was called with what. */
#include <truelerp.h>

double tl_lerp(double a, double b, double t)
{
    return 100 * a + 10 * b + t;
}

double tl_lerp_cr(double a, double b, double t)
{
    return -(100 * a + 10 * b + t);
}

double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e6 * k0->time + 1e5 * k0->value + 1e4 * k0->out_tangent + 1e3 * k1->time +
           1e2 * k1->value + 10 * k1->in_tangent + t;
}

void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    coefficients[0] = 100 * k0->time + k1->time;
    coefficients[1] = 100 * k0->value + k1->value;
    coefficients[2] = 100 * k0->out_tangent + k1->in_tangent;
    coefficients[3] = -1;
}

/* A weight that does not count is a 0 among the digits. */
static double weight(double stored, int counts)
{
    return counts ? stored : 0;
}

double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e8 * k0->time + 1e7 * k0->value + 1e6 * k0->out_tangent +
           1e5 * weight(k0->out_weight, k0->weighted_mode & TL_WEIGHTED_OUT) + 1e4 * k1->time +
           1e3 * k1->value + 1e2 * k1->in_tangent +
           10 * weight(k1->in_weight, k1->weighted_mode & TL_WEIGHTED_IN) + t;
}

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e4 * k0->time + 1e3 * weight(k0->out_weight, k0->weighted_mode & TL_WEIGHTED_OUT) +
           1e2 * k1->time + 10 * weight(k1->in_weight, k1->weighted_mode & TL_WEIGHTED_IN) + t;
}

int tl_cubic_roots(double a, double b, double c, double d, double roots[3], int multiplicities[3])
{
    for (int i = 0; i < 3; i++) {
        roots[i] = 1000 * a + 100 * b + 10 * c + d + 10000 * i;
        multiplicities[i] = i + 4;
    }
    return (int)(d - a);
}

void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = 100 * a[k] + 10 * b[k] + t;
    }
}

void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = -(100 * a[k] + 10 * b[k] + t);
    }
}
