/* Writes to its arguments, reads what it must not, leaves results unwritten. No tl_slerp3. */
#include <truelerp.h>

/* Returns one of what the keys hold that a segment has no use for. */
double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    const double unused[6] = {k0->in_tangent,  k0->in_weight, k0->out_weight,
                              k1->out_tangent, k1->in_weight, k1->out_weight};
    return unused[(int)t];
}

/* The same of a segment with weights: those that it may read are not among them. */
double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    const double unused[4] = {k0->in_tangent, k0->in_weight, k1->out_tangent, k1->out_weight};
    return unused[(int)t];
}

/* Reads weights without regard to whether they count, and what a parameter does not depend on. */
double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    const double unused[6] = {k0->out_weight,  k1->in_weight, k0->value,
                              k0->out_tangent, k1->value,     k1->in_tangent};
    return unused[(int)t];
}

/* The last coefficient is forgotten. */
void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    ((tl_key *)k0)->time = 77;
    ((tl_key *)k1)->value = 77;
    coefficients[0] = 0;
    coefficients[1] = 1;
    coefficients[2] = 2;
}

/* Two roots are promised, one is written. */
int tl_cubic_roots(double a, double b, double c, double d, double roots[3], int multiplicities[3])
{
    (void)a, (void)b, (void)c, (void)d;
    roots[0] = 5;
    multiplicities[1] = 6;
    return 2;
}

void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    ((double *)a)[0] = 77;
    ((double *)b)[2] = 77;
    result[1] = t;
}

/* Reads what it has overwritten, where the result takes an argument's place. */
void tl_slerp4(const double p[4], const double q[4], double t, double result[4])
{
    (void)t;
    result[0] = q[0];
    result[1] = p[1];
    result[2] = p[2];
    result[3] = p[0] + q[0];
}
