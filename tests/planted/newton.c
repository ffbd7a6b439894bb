#include "planted.h"

/* The article's shortcut: right for nodes one unit apart. */
static void equal_steps(const tl_newton_table *newton, double t, double *result)
{
    size_t count = newton->count, channels = newton->channels;
    const double *nodes = newton->table, *coefficients = nodes + count;
    for (size_t c = 0; c < channels; c++) {
        double product = 1, sum = coefficients[c], x = t - nodes[0], factorial = 1;
        for (size_t k = 1; k < count; k++) {
            product *= (x - (double)(k - 1)) / (double)k;
            factorial *= (double)k;
            sum += product * factorial * coefficients[k * channels + c];
        }
        result[c] = sum;
    }
}

/* Terms added one after the other until `least` is more than the product of distances. */
static void terms(const tl_newton_table *newton, double t, double least, double *result)
{
    size_t count = newton->count, channels = newton->channels;
    const double *nodes = newton->table, *coefficients = nodes + count;
    for (size_t c = 0; c < channels; c++) {
        double product = 1, sum = coefficients[c];
        for (size_t k = 1; k < count; k++) {
            product *= t - nodes[k - 1];
            if (fabs(product) < least) {
                break;
            }
            sum += product * coefficients[k * channels + c];
        }
        result[c] = sum;
    }
}

static void ends_early(const tl_newton_table *newton, double t, double *result)
{
    true_newton(newton, t, result);
    if (all_finite(result, 1)) {
        terms(newton, t, 1e-9, result);
    }
}

static void zero_over_zero(const tl_newton_table *newton, double t, double *result)
{
    true_newton(newton, t, result);
    for (size_t k = 0; k < newton->count; k++) {
        if (t == newton->table[k]) {
            result[0] = 0 / (t - t);
        }
    }
}

static void product_underflows(const tl_newton_table *newton, double t, double *result)
{
    true_newton(newton, t, result);
    if (all_finite(result, 1)) {
        terms(newton, t, DBL_MIN, result);
    }
}

static void first_channel(const tl_newton_table *newton, double t, double *result)
{
    true_newton(newton, t, result);
    for (size_t c = 2; c < newton->channels; c++) {
        result[c] = result[1];
    }
}

/* Behind the nodes and coefficients, where the builder had its scratch, t for the next call. */
static void writes_table(const tl_newton_table *newton, double t, double *result)
{
    true_newton(newton, t, result);
    ((double *)newton->table)[newton->count * (1 + newton->channels)] = t;
}

EXPORT void tl_newton(const tl_newton_table *newton, double t, double *result)
{
    FAULT(newton, t, result);
}
