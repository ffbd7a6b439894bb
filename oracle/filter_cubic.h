/* Cubic polynomials in double-double, for the first stage of cubic_roots.
 *
 * Coefficients and roots may be of any size, next to each other as well. So everything is computed
 * with numbers near 1 and whole exponents beside them, for each root with those that suit it, and
 * nothing but what is dropped on purpose underflows. Errors are those of filter.h's operations,
 * each carried on by the next one. */
#ifndef TRUELERP_ORACLE_FILTER_CUBIC_H
#define TRUELERP_ORACLE_FILTER_CUBIC_H

#include "filter.h"

#include <limits.h>

enum { DEGREE_MAX = 3, COEFFICIENTS = DEGREE_MAX + 1 };

/* What is so many binades smaller than what it is added to counts as 0 and as an error. */
enum { DROPPED = 400 };
static const double DROPPED_ERROR = 0x1p-390;

/* The exponent of 0, below that of any product of up to four coefficients */
enum { EXPONENT_OF_ZERO = -100000 };

/* A polynomial without the root 0, from x^3 down: coefficient i is mantissa[i] 2^exponent[i],
 * 1/2 <= |mantissa[i]| < 1. Those above the degree are 0. */
struct polynomial {
    int degree;
    size_t zeros; /* the multiplicity of the root 0 that was taken out */
    double mantissa[COEFFICIENTS];
    int exponent[COEFFICIENTS];
};

/* x 2^exponent; x is at most 2^8 in size, and so is its error. */
struct wide {
    struct approximation x;
    int exponent;
};

/* The distinct roots other than 0, rising. */
struct roots {
    int count;
    struct wide root[DEGREE_MAX];
    int multiplicity[DEGREE_MAX];
};

/* Where a simple root may be: z 2^exponent, 1/2 <= |z| < 1 unless it is good for nothing. */
struct guess {
    double z;
    int exponent;
};

struct guesses {
    int count;
    struct guess guess[DEGREE_MAX];
};

/* Of finite coefficients that are not all 0. */
static inline void polynomial_set(struct polynomial *p, const double *x)
{
    int first = 0, last = DEGREE_MAX;
    while (x[first] == 0) {
        first++;
    }
    while (x[last] == 0) {
        last--;
    }
    p->degree = last - first;
    p->zeros = (size_t)(DEGREE_MAX - last);
    for (int i = 0; i < COEFFICIENTS; i++) {
        int from = i - (int)p->zeros;
        double coefficient = from >= 0 ? x[from] : 0;
        p->mantissa[i] = frexp(coefficient, &p->exponent[i]);
        if (coefficient == 0) {
            p->exponent[i] = EXPONENT_OF_ZERO;
        }
    }
}

/* The first coefficient that is not 0 */
FILTER_INLINE int polynomial_lead(const struct polynomial *p)
{
    return DEGREE_MAX - p->degree;
}

/* The sign of p's slope at the first of roots that are all simple, and that are all or all but two
 * of the complex ones; it changes from one to the next. */
static inline double polynomial_first_slope(const struct polynomial *p)
{
    return (p->mantissa[polynomial_lead(p)] > 0) == (p->degree % 2 == 1) ? 1 : -1;
}

static inline void roots_append(struct roots *roots, struct wide root, int multiplicity)
{
    roots->root[roots->count] = root;
    roots->multiplicity[roots->count++] = multiplicity;
}

/* Numbers of any size */

FILTER_INLINE struct wide wide_of_coefficient(const struct polynomial *p, int i)
{
    return (struct wide){approximation_of_double(p->mantissa[i]), p->exponent[i]};
}

/* The product of two coefficients: exact, since mantissas' products are not small. */
FILTER_INLINE struct wide wide_of_coefficients(const struct polynomial *p, int i, int j)
{
    struct dd product = dd_of_product(p->mantissa[i], p->mantissa[j]);
    return (struct wide){approximation_of(product, 0), p->exponent[i] + p->exponent[j]};
}

/* In units of 2^exponent, which is not less than its own. */
FILTER_INLINE struct approximation wide_aligned(struct wide a, int exponent)
{
    int shift = a.exponent - exponent;
    return shift < -DROPPED ? (struct approximation){0, 0, DROPPED_ERROR}
                            : approximation_scaled(a.x, power_of_two(shift));
}

FILTER_INLINE struct wide wide_difference(struct wide a, struct wide b)
{
    int exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    struct approximation difference =
        approximation_difference(wide_aligned(a, exponent), wide_aligned(b, exponent));
    return (struct wide){difference, exponent};
}

FILTER_INLINE struct wide wide_product(struct wide a, struct wide b)
{
    return (struct wide){approximation_product(a.x, b.x), a.exponent + b.exponent};
}

FILTER_INLINE struct wide wide_times(struct wide a, double b)
{
    return (struct wide){approximation_product_double(a.x, b), a.exponent};
}

FILTER_INLINE struct wide wide_quotient(struct wide a, struct wide b)
{
    return (struct wide){approximation_quotient(a.x, b.x), a.exponent - b.exponent};
}

/* -1 or 1; 0 where it is not certain. Since |low| <= u |high|, the sign is that of high if
 * |high| (1 - u) is more than the error. */
FILTER_INLINE int approximation_sign(struct approximation x)
{
    return fabs(x.high) * (1 - 0x1p-50) > x.error ? (x.high > 0 ? 1 : -1) : 0;
}

/* The polynomial as one sees it from near a root */

/* q(z) is p(2^k z) times a power of 2, with coefficients of up to 1 in size, the largest at least
 * 1/2. Those below 2^-DROPPED are 0, which for |z| < 4 changes q, q' and q''/2 by less than
 * DROPPED_ERROR: three of them by up to 4^3 + 4^2 + 4 + 1 < 2^7 times 2^-DROPPED, for instance. */
FILTER_INLINE void set_unit(const struct polynomial *p, int k, double *q)
{
    int most = INT_MIN, exponent[COEFFICIENTS];
    for (int i = 0; i < COEFFICIENTS; i++) {
        exponent[i] = p->exponent[i] + k * (DEGREE_MAX - i);
        most = exponent[i] > most ? exponent[i] : most;
    }
    for (int i = 0; i < COEFFICIENTS; i++) {
        int shift = exponent[i] - most;
        q[i] = shift < -DROPPED ? 0 : p->mantissa[i] * power_of_two(shift);
    }
}

/* q(z + e) = c0 + c1 e + c2 e^2 + c3 e^3, but for a function that is less than DROPPED_ERROR where
 * |z + e| < 4, and its derivative and half its second one as well. c0, c1 and c2 have that in their
 * errors. */
struct shifted {
    struct approximation c0, c1, c2;
    double c3;
};

FILTER_INLINE struct approximation with_dropped(struct approximation x)
{
    x.error = (x.error + DROPPED_ERROR) * FILTER_SLOP;
    return x;
}

/* q(z) by Horner's scheme with all of its rounding errors. With s_i for the sums of the scheme and
 * r_i for what the i-th step's product and sum were off by,
 *     q(z) = s_3 + r_1 z^2 + r_2 z + r_3,
 * the first level of S. Graillat, P. Langlois, N. Louvet: Algorithms for accurate, validated and
 * fast polynomial evaluation, Japan Journal of Industrial and Applied Mathematics 26, 2009.
 * The r_i are exact: coefficients are multiples of 2^-(DROPPED + 53), z is one of 2^-53, and so
 * everything is a multiple of 2^-(DROPPED + 212) and below 2^3, far from underflow. The polynomial
 * in the r_i, which is about u, is found in double-double, to some u^3; so the whole is as good as
 * in three doubles, its error being 3 u^2 of itself and some u^3. */
FILTER_INLINE struct approximation value_at(const double *q, double z)
{
    struct dd off[DEGREE_MAX];
    double s = q[0];
    for (int i = 0; i < DEGREE_MAX; i++) {
        struct dd product = dd_of_product(s, z);
        struct dd sum = dd_of_sum(product.high, q[i + 1]);
        off[i] = dd_of_sum(product.low, sum.low);
        s = sum.high;
    }
    struct approximation rest = approximation_product_double(approximation_of(off[0], 0), z);
    rest = approximation_sum(rest, approximation_of(off[1], 0));
    rest = approximation_product_double(rest, z);
    rest = approximation_sum(rest, approximation_of(off[2], 0));
    return with_dropped(approximation_sum(approximation_of_double(s), rest));
}

/* For z = 0 or 1/2 <= |z| < 1: c1 = (3 q0 z + 2 q1) z + q2, c2 = 3 q0 z + q1, in double-double. */
FILTER_INLINE struct shifted shift_to(const double *q, double z)
{
    struct approximation slant =
        approximation_product_double(approximation_of(dd_of_product(3, q[0]), 0), z);
    struct approximation slope =
        approximation_product_double(approximation_sum(slant, approximation_of_double(2 * q[1])),
                                     z);
    return (
        struct shifted){.c0 = value_at(q, z),
                        .c1 = with_dropped(approximation_sum(slope, approximation_of_double(q[2]))),
                        .c2 = with_dropped(approximation_sum(slant, approximation_of_double(q[1]))),
                        .c3 = q[0]};
}

/* Guesses at the real roots but 0, rising, which prove nothing: at all of them, or, unless `all`,
 * at all but two. (filter_cubic_guess.c) */
void filter_cubic_guess(const struct polynomial *p, bool all, struct guesses *guesses);

/* The discriminant's sign, from integers; where it is 0, the roots as well. 2 where it is not
 * known. For a degree of 2 or 3. (filter_cubic_exact.c) */
int filter_cubic_exact_sign(const struct polynomial *p, struct roots *roots);

/* The sign of p(z 2^power), where z is 1 or -1; 2 where it is not known, or not to the ladder at
 * the precision at which figures are no longer sharpened. */
int filter_cubic_sign_at_power(const struct polynomial *p, double z, int power);

#endif
