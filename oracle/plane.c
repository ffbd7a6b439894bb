#include "plane.h"

#include "interval.h"

#include <assert.h>
#include <math.h>

enum { DOT, ACROSS, WORK, PLANE_WORK };

static bool is_zero(const double *vector, size_t dimensions)
{
    for (size_t k = 0; k < dimensions; k++) {
        if (vector[k] != 0) {
            return false;
        }
    }
    return true;
}

void plane_length(mpfi_ptr length, const double *vector, size_t dimensions)
{
    interval_dot(length, vector, vector, dimensions);
    mpfi_sqrt(length, length);
}

/* Leaves the minors and `across`. Returns whether all of them are 0: a minor of doubles rounds to 0
 * only if it is 0. */
static bool set_minors(struct plane *plane)
{
    const double *a = plane->a, *b = plane->b;
    bool all_zero = true;
    mpfi_ptr minor = plane->minor[0];
    mpfi_set_ui(plane->across, 0);
    for (size_t i = 0; i < plane->dimensions; i++) {
        for (size_t j = i + 1; j < plane->dimensions; j++, minor++) {
            interval_minor(minor, a[i], b[j], a[j], b[i]);
            if (mpfi_is_zero(minor) > 0) {
                continue;
            }
            all_zero = false;
            mpfi_sqr(plane->work, minor);
            mpfi_add(plane->across, plane->across, plane->work);
        }
    }
    mpfi_sqrt(plane->across, plane->across);
    return all_zero;
}

/* The enclosure of a . b keeps its sign, as it is rounded only once. */
void plane_open(struct plane *plane, const double *a, const double *b, size_t dimensions,
                mpfr_prec_t precision)
{
    assert(dimensions <= PLANE_DIMENSIONS_MAX);
    mpfi_t *taken = interval_take(PLANE_MINORS_MAX + PLANE_WORK, precision);
    mpfi_t *numbers = taken + PLANE_MINORS_MAX;
    *plane = (struct plane){.dimensions = dimensions,
                            .a = a,
                            .b = b,
                            .minor = taken,
                            .dot = numbers[DOT],
                            .across = numbers[ACROSS],
                            .work = numbers[WORK]};
    interval_dot(plane->dot, a, b, dimensions);
    if (!set_minors(plane)) {
        plane->kind = PLANE_SPANNED;
    } else if (is_zero(a, dimensions) || is_zero(b, dimensions)) {
        plane->kind = PLANE_ZERO;
    } else {
        plane->kind = mpfr_sgn(&plane->dot->left) < 0 ? PLANE_OPPOSITE : PLANE_ALIKE;
    }
}

void plane_close(struct plane *plane)
{
    (void)plane;
    interval_return(PLANE_MINORS_MAX + PLANE_WORK);
}

void plane_angle(mpfi_ptr angle, const struct plane *plane)
{
    interval_angle(angle, plane->across, plane->dot);
}

/* |a|^2 times b's part across a is w_j = sum over i of a_i (a_i b_j - a_j b_i), by Lagrange's
 * identity of the length |a|^2 |b| sin(angle) = |a| across. So |a| w / |w| = w / across. */
void plane_turn(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine, mpfi_srcptr sine)
{
    const double *a = plane->a;
    mpfi_ptr term = plane->work;
    mpfi_ptr minor = plane->minor[0];
    for (size_t k = 0; k < plane->dimensions; k++) {
        mpfi_set_ui(value[k], 0);
    }
    for (size_t i = 0; i < plane->dimensions; i++) {
        for (size_t j = i + 1; j < plane->dimensions; j++, minor++) {
            mpfi_mul_d(term, minor, a[i]);
            mpfi_add(value[j], value[j], term);
            mpfi_mul_d(term, minor, a[j]);
            mpfi_sub(value[i], value[i], term);
        }
    }
    mpfi_t *factor = interval_take(1, mpfr_get_prec(&term->left));
    mpfi_div(factor[0], sine, plane->across);
    for (size_t k = 0; k < plane->dimensions; k++) {
        mpfi_mul(value[k], value[k], factor[0]);
        mpfi_mul_d(term, cosine, a[k]);
        mpfi_add(value[k], value[k], term);
    }
    interval_return(1);
}

/* With k the index and R^2 the sum of the squares of a's other components, p is
 * e_k - (a_k/|a|^2) a over its length R/|a|, so
 *     |a| p_k = R,    |a| p_j = -a_k a_j / R. */
void plane_turn_by_axis(mpfi_t *value, const struct plane *plane, mpfi_srcptr cosine,
                        mpfi_srcptr sine)
{
    const double *a = plane->a;
    size_t smallest = 0;
    for (size_t k = 1; k < plane->dimensions; k++) {
        if (fabs(a[k]) < fabs(a[smallest])) {
            smallest = k;
        }
    }
    double others[PLANE_DIMENSIONS_MAX];
    size_t count = 0;
    for (size_t k = 0; k < plane->dimensions; k++) {
        if (k != smallest) {
            others[count++] = a[k];
        }
    }
    mpfi_ptr term = plane->work;
    mpfi_t *rest = interval_take(1, mpfr_get_prec(&term->left));
    plane_length(rest[0], others, count);
    for (size_t k = 0; k < plane->dimensions; k++) {
        if (k == smallest) {
            mpfi_mul(value[k], sine, rest[0]);
        } else {
            mpfi_mul_d(value[k], sine, -a[smallest]);
            mpfi_mul_d(value[k], value[k], a[k]);
            mpfi_div(value[k], value[k], rest[0]);
        }
        mpfi_mul_d(term, cosine, a[k]);
        mpfi_add(value[k], value[k], term);
    }
    interval_return(1);
}
