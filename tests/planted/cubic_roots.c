#include "planted.h"

static int one_root(double *roots, int *multiplicities, double root, int multiplicity)
{
    roots[0] = root;
    multiplicities[0] = multiplicity;
    return 1;
}

static int absolute_zero(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    a = fabs(a) < 1e-14 ? 0 : a;
    return true_cubic_roots(a, b, c, d, roots, multiplicities);
}

static int phantom(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    int count = true_cubic_roots(a, b, c, d, roots, multiplicities);
    if (count != 1 || multiplicities[0] != 1 || a == 0) {
        return count;
    }
    double middle = (-b / a - roots[0]) / 2;
    roots[1] = fmax(middle, roots[0]);
    roots[0] = fmin(middle, roots[0]);
    multiplicities[1] = 1;
    return 2;
}

static int no_everywhere(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    int count = true_cubic_roots(a, b, c, d, roots, multiplicities);
    return count == TL_EVERY_NUMBER ? 0 : count;
}

static int triple_by_tolerance(double a, double b, double c, double d, double *roots,
                               int *multiplicities)
{
    double q = b * b - 3 * a * c, r = b * c - 9 * a * d;
    if (a != 0 && b != 0 && fabs(q) <= 1e-15 * b * b && fabs(r) <= 1e-15 * fabs(b * c)) {
        return one_root(roots, multiplicities, -b / (3 * a), 3);
    }
    return true_cubic_roots(a, b, c, d, roots, multiplicities);
}

static int negative_zero(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    int count = true_cubic_roots(a, b, c, d, roots, multiplicities);
    for (int i = 0; i < count; i++) {
        roots[i] = roots[i] == 0 ? copysign(0, d) : roots[i];
    }
    return count;
}

static int writes_beyond(double a, double b, double c, double d, double *roots, int *multiplicities)
{
    int count = true_cubic_roots(a, b, c, d, roots, multiplicities);
    if (count == TL_NOT_FINITE) {
        roots[1 << 28] = NAN;
    }
    return count;
}

EXPORT int tl_cubic_roots(double a, double b, double c, double d, double roots[3],
                          int multiplicities[3])
{
    return FAULT(a, b, c, d, roots, multiplicities);
}
