#include "plane.h"

#include "interval.h"

#include <assert.h>
#include <math.h>

#include <gmp.h>

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

/* What is rational of a plane, exactly: numbers of some thousand digits, for the few cases that no
 * enclosure decides. */
struct exact_plane {
    mpq_t a[PLANE_DIMENSIONS_MAX], b[PLANE_DIMENSIONS_MAX];
    mpq_t square_a, square_b, dot; /* |a|^2, |b|^2, a . b */
    mpq_t across;                  /* square_a square_b - dot^2, the square of plane's */
    mpq_t work[2];
};

static void add_products(mpq_ptr sum, mpq_t *x, mpq_t *y, size_t count, mpq_ptr product)
{
    for (size_t i = 0; i < count; i++) {
        mpq_mul(product, x[i], y[i]);
        mpq_add(sum, sum, product);
    }
}

static void exact_plane_open(struct exact_plane *exact, const struct plane *plane)
{
    size_t count = plane->dimensions;
    for (size_t i = 0; i < count; i++) {
        mpq_inits(exact->a[i], exact->b[i], NULL);
        mpq_set_d(exact->a[i], plane->a[i]);
        mpq_set_d(exact->b[i], plane->b[i]);
    }
    mpq_inits(exact->square_a, exact->square_b, exact->dot, exact->across, exact->work[0],
              exact->work[1], NULL);
    add_products(exact->square_a, exact->a, exact->a, count, exact->work[0]);
    add_products(exact->square_b, exact->b, exact->b, count, exact->work[0]);
    add_products(exact->dot, exact->a, exact->b, count, exact->work[0]);
    mpq_mul(exact->across, exact->square_a, exact->square_b);
    mpq_mul(exact->work[0], exact->dot, exact->dot);
    mpq_sub(exact->across, exact->across, exact->work[0]);
}

static void exact_plane_close(struct exact_plane *exact, const struct plane *plane)
{
    for (size_t i = 0; i < plane->dimensions; i++) {
        mpq_clears(exact->a[i], exact->b[i], NULL);
    }
    mpq_clears(exact->square_a, exact->square_b, exact->dot, exact->across, exact->work[0],
               exact->work[1], NULL);
}

/* Is 3 tan^2 of the angle exactly that? */
static bool has_tangent(const struct plane *plane, unsigned long square)
{
    struct exact_plane exact;
    exact_plane_open(&exact, plane);
    mpq_mul(exact.work[0], exact.dot, exact.dot);
    mpq_set_ui(exact.work[1], square, 3);
    mpq_canonicalize(exact.work[1]);
    mpq_mul(exact.work[0], exact.work[0], exact.work[1]);
    bool equal = mpq_equal(exact.work[0], exact.across);
    exact_plane_close(&exact, plane);
    return equal;
}

/* a . b is exactly 0 where its enclosure is. */
unsigned plane_twelfths(const struct plane *plane)
{
    static const struct {
        unsigned long square; /* 3 tan^2 */
        unsigned twelfths;
    } angles[] = {{1, 2}, {3, 3}, {9, 4}};
    if (mpfi_is_zero(plane->dot) > 0) {
        return 6;
    }
    mpfi_ptr square = plane->work;
    mpfi_div(square, plane->across, plane->dot);
    mpfi_sqr(square, square);
    mpfi_mul_ui(square, square, 3);
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        bool may_be = mpfr_cmp_ui(&square->left, angles[i].square) <= 0 &&
                      mpfr_cmp_ui(&square->right, angles[i].square) >= 0;
        if (may_be && has_tangent(plane, angles[i].square)) {
            bool obtuse = mpfr_sgn(&plane->dot->left) < 0;
            return obtuse ? 12 - angles[i].twelfths : angles[i].twelfths;
        }
    }
    return 0;
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

/* With W = |a|^2 b - (a . b) a, the same as w above, it is cosine a_k + sine W_k / across: 0 if
 * both terms are, or if they have different signs and (cosine a_k across)^2 = (sine W_k)^2. Of
 * that, all but the sine and the cosine is rational. So are their squares, of multiples of pi/6 and
 * pi/4; of other n, the square of the tangent is not, so that no a_k across but 0 is W_k times it.
 */
bool plane_turned_is_zero(const struct plane *plane, size_t k, unsigned n)
{
    static const int squares[12] = {4, -1, 3, 2, 1, -1, 0, -1, 1, 2, 3, -1}; /* 4 cos^2; -1: none */
    struct exact_plane exact;
    exact_plane_open(&exact, plane);
    mpq_ptr first = exact.work[0], second = exact.work[1];
    mpq_mul(first, exact.square_a, exact.b[k]);
    mpq_mul(second, exact.dot, exact.a[k]);
    mpq_sub(second, first, second);
    mpq_set(first, exact.a[k]);
    int square = squares[n % 12];
    n %= 24;
    int sign_first = mpq_sgn(first) * (n == 6 || n == 18 ? 0 : n < 6 || n > 18 ? 1 : -1);
    int sign_second = mpq_sgn(second) * (n % 12 == 0 ? 0 : n < 12 ? 1 : -1);
    bool zero = sign_first == 0 && sign_second == 0;
    if (sign_first * sign_second < 0 && square >= 0) {
        mpq_mul(first, first, first);
        mpq_mul(first, first, exact.across);
        mpq_mul(second, second, second);
        mpq_set_ui(exact.dot, (unsigned long)square, 1);
        mpq_mul(first, first, exact.dot);
        mpq_set_ui(exact.dot, (unsigned long)(4 - square), 1);
        mpq_mul(second, second, exact.dot);
        zero = mpq_equal(first, second);
    }
    exact_plane_close(&exact, plane);
    return zero;
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
