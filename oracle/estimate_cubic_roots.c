/* The roots of a cubic in double-double. How many there are is decided by the discriminant's sign,
 * which is found with a bound on its error or, where that does not tell, exactly in integers. A
 * simple root is then searched by any means, and certified: Newton's last step leads into an
 * interval at whose ends the polynomial has opposite signs, and in which it has the slope of that
 * root's place in the order. Repeated roots are rational, and come from their formulas.
 *
 * Coefficients and roots may be of any size, next to each other as well. So everything is computed
 * with numbers near 1 and powers of 2 beside them, for each root with those that suit it. */
#include "filter.h"
#include "filter_stage.h"

#include <gmp.h>
#include <limits.h>
#include <stdlib.h>

enum { ROOTS, MULTIPLICITIES, CODE };
enum { DEGREE_MAX = 3, COEFFICIENTS = DEGREE_MAX + 1 };
enum { CODE_ROOTS = 0, CODE_EVERY_NUMBER = 1, CODE_NOT_FINITE = 2 };

/* What is so many binades smaller than what it is added to counts as 0 and as an error. */
enum { DROPPED = 400 };
static const double DROPPED_ERROR = 0x1p-390;

/* The exponent of 0, below that of every other product of up to four coefficients */
enum { EXPONENT_OF_ZERO = -100000 };

/* A polynomial without the root 0, from x^3 down: coefficient i is mantissa[i] 2^exponent[i],
 * 1/2 <= |mantissa[i]| < 1. Those above the degree are 0. */
struct polynomial {
    int degree;
    size_t zeros; /* the multiplicity of the root 0 that was taken out */
    double mantissa[COEFFICIENTS];
    int exponent[COEFFICIENTS];
};

/* x 2^exponent, where x is at most 2^8 in size. */
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

/* 2^exponent in the normal range */
FILTER_INLINE double two_to(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static void polynomial_set(struct polynomial *p, const double *x)
{
    int first = 0, last = DEGREE_MAX;
    while (first < DEGREE_MAX && x[first] == 0) {
        first++;
    }
    while (last > first && x[last] == 0) {
        last--;
    }
    p->degree = last - first;
    p->zeros = (size_t)(DEGREE_MAX - last);
    for (int i = DEGREE_MAX; i >= 0; i--) {
        int from = i - (int)p->zeros;
        double coefficient = from >= 0 ? x[from] : 0;
        p->mantissa[i] = frexp(coefficient, &p->exponent[i]);
        if (coefficient == 0) {
            p->exponent[i] = EXPONENT_OF_ZERO;
        }
    }
}

FILTER_INLINE int leading(const struct polynomial *p)
{
    return DEGREE_MAX - p->degree;
}

/* Numbers of any size */

FILTER_INLINE struct approximation wide_aligned(struct wide a, int exponent)
{
    int shift = a.exponent - exponent;
    return shift < -DROPPED ? (struct approximation){0, 0, DROPPED_ERROR}
                            : approximation_scaled(a.x, two_to(shift));
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

/* The product of two coefficients, which are large enough for it to be exact */
FILTER_INLINE struct wide product_of(const struct polynomial *p, int i, int j)
{
    struct dd product = dd_of_product(p->mantissa[i], p->mantissa[j]);
    return (struct wide){approximation_of(product, 0), p->exponent[i] + p->exponent[j]};
}

/* -1, 0 or 1; 0 where it is not certain. Since |low| <= u |high|, the sign is that of high if
 * |high| (1 - u) is more than the error. */
FILTER_INLINE int wide_sign(struct wide a)
{
    return fabs(a.x.high) * (1 - 0x1p-50) > a.x.error ? (a.x.high > 0 ? 1 : -1) : 0;
}

/* The discriminant. With
 *     P = b^2 - 3 a c,    Q = b c - 9 a d,    R = c^2 - 3 b d
 * that of a cubic is (4 P R - Q^2) / 3; that of a quadratic b x^2 + c x + d is c^2 - 4 b d. */

/* Its sign; 0 where it is not certain. Every step carries its error. */
FILTER_INLINE int sign_by_doubles(const struct polynomial *p)
{
    if (p->degree == 2) {
        return wide_sign(wide_difference(product_of(p, 2, 2), wide_times(product_of(p, 1, 3), 4)));
    }
    struct wide P = wide_difference(product_of(p, 1, 1), wide_times(product_of(p, 0, 2), 3));
    struct wide Q = wide_difference(product_of(p, 1, 2), wide_times(product_of(p, 0, 3), 9));
    struct wide R = wide_difference(product_of(p, 2, 2), wide_times(product_of(p, 1, 3), 3));
    return wide_sign(wide_difference(wide_times(wide_product(P, R), 4), wide_product(Q, Q)));
}

/* Integers that are the coefficients of p(2^power y) times a power of 2. */
struct integers {
    mpz_t k[COEFFICIENTS];
    int power;
};

/* Larger ones are not worth it. */
enum { SPREAD_MAX = 5000 };

/* Returns false where the integers would be too large. */
static bool integers_set(struct integers *integers, const struct polynomial *p, int power)
{
    int first = leading(p), exponent[COEFFICIENTS], least = 0, most = 0;
    integers->power = power;
    for (int i = first; i < COEFFICIENTS; i++) {
        exponent[i] = p->exponent[i] - power * (i - first);
        if (p->mantissa[i] != 0) {
            least = i == first || exponent[i] < least ? exponent[i] : least;
            most = i == first || exponent[i] > most ? exponent[i] : most;
        }
    }
    if (most - least > SPREAD_MAX) {
        return false;
    }
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpz_init_set_d(integers->k[i], p->mantissa[i] * 0x1p53);
        if (p->mantissa[i] != 0) {
            mpz_mul_2exp(integers->k[i], integers->k[i], (mp_bitcnt_t)(exponent[i] - least));
        }
    }
    return true;
}

static void integers_clear(struct integers *integers)
{
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpz_clear(integers->k[i]);
    }
}

/* a b - factor c d */
static void set_minor(mpz_t minor, const mpz_t a, const mpz_t b, unsigned factor, const mpz_t c,
                      const mpz_t d)
{
    mpz_t product;
    mpz_init(product);
    mpz_mul(minor, a, b);
    mpz_mul(product, c, d);
    mpz_submul_ui(minor, product, factor);
    mpz_clear(product);
}

/* Leaves P and Q of a cubic as well. */
static int sign_by_integers(const struct integers *integers, int degree, mpz_t P, mpz_t Q)
{
    const mpz_t *k = integers->k;
    mpz_t discriminant;
    mpz_init(discriminant);
    if (degree == 2) {
        set_minor(discriminant, k[2], k[2], 4, k[1], k[3]);
    } else {
        set_minor(P, k[1], k[1], 3, k[0], k[2]);
        set_minor(Q, k[1], k[2], 9, k[0], k[3]);
        set_minor(discriminant, k[2], k[2], 3, k[1], k[3]);
        mpz_mul(discriminant, discriminant, P);
        mpz_mul_2exp(discriminant, discriminant, 2);
        mpz_submul(discriminant, Q, Q);
    }
    int sign = mpz_sgn(discriminant);
    mpz_clear(discriminant);
    return sign;
}

/* Repeated roots */

/* Within 2^-103 of itself: both parts are cut off, at 53 bits. The first is at least 1/2, the
 * second one's error less than 2^-52 2^-52 / 2. */
static struct wide wide_of_integer(const mpz_t integer)
{
    long exponent, rest_exponent;
    double high = mpz_get_d_2exp(&exponent, integer);
    mpz_t rest, part;
    mpz_init(rest);
    mpz_init_set_d(part, high * 0x1p53);
    if (exponent >= 53) {
        mpz_mul_2exp(part, part, (mp_bitcnt_t)(exponent - 53));
    } else {
        mpz_fdiv_q_2exp(part, part, (mp_bitcnt_t)(53 - exponent));
    }
    mpz_sub(rest, integer, part);
    double low = mpz_get_d_2exp(&rest_exponent, rest);
    long shift = rest_exponent - exponent;
    low = shift < -1000 ? 0 : ldexp(low, (int)shift);
    mpz_clear(rest);
    mpz_clear(part);
    struct approximation x = approximation_of(dd_of_fast_sum(high, low), fabs(high) * 0x1p-103);
    return (struct wide){x, (int)exponent};
}

static struct wide wide_of_coefficient(const struct polynomial *p, int i)
{
    return (struct wide){approximation_of_double(p->mantissa[i]), p->exponent[i]};
}

/* a / b, brought near 1. */
static struct wide wide_quotient(struct wide a, struct wide b)
{
    return (struct wide){approximation_quotient(a.x, b.x), a.exponent - b.exponent};
}

static void roots_append(struct roots *roots, struct wide root, int multiplicity)
{
    roots->root[roots->count] = root;
    roots->multiplicity[roots->count++] = multiplicity;
}

/* Of a discriminant that is 0: a threefold root -b / (3 a) if P = 0; else the twofold root
 * t = -Q / (2 P) and the simple one s, where a t^2 s = -d. */
static void set_repeated(const struct polynomial *p, const struct integers *integers, const mpz_t P,
                         const mpz_t Q, struct roots *roots)
{
    struct wide a = wide_of_coefficient(p, 0), b = wide_of_coefficient(p, 1);
    struct wide c = wide_of_coefficient(p, 2), d = wide_of_coefficient(p, 3);
    if (p->degree == 2) {
        roots_append(roots, wide_quotient(c, wide_times(b, -2)), 2);
    } else if (mpz_sgn(P) == 0) {
        roots_append(roots, wide_quotient(b, wide_times(a, -3)), 3);
    } else {
        struct wide t = wide_quotient(wide_of_integer(Q), wide_times(wide_of_integer(P), -2));
        t.exponent += integers->power;
        struct wide at = wide_product(a, wide_product(t, t));
        struct wide s = wide_times(wide_quotient(d, at), -1);
        bool twofold_first = wide_sign(wide_difference(s, t)) > 0;
        roots_append(roots, twofold_first ? t : s, twofold_first ? 2 : 1);
        roots_append(roots, twofold_first ? s : t, twofold_first ? 1 : 2);
    }
}

/* The discriminant's sign, exactly; where it is 0, the roots. Returns 2 where it is not known. */
static int exact_sign(const struct polynomial *p, struct roots *roots)
{
    /* makes the first coefficient and the last one alike in size */
    int power = (p->exponent[DEGREE_MAX] - p->exponent[leading(p)]) / p->degree;
    struct integers integers;
    if (!integers_set(&integers, p, power)) {
        return 2;
    }
    mpz_t P, Q;
    mpz_inits(P, Q, NULL);
    int sign = sign_by_integers(&integers, p->degree, P, Q);
    if (sign == 0) {
        set_repeated(p, &integers, P, Q, roots);
    }
    mpz_clears(P, Q, NULL);
    integers_clear(&integers);
    return sign;
}

/* How many bits below p's terms its value may begin, where the ladder still knows of it at the
 * precision up to which figures are sharpened, REPORT_PRECISION. */
enum { VALUE_BITS = 1900 };

/* The sign of p(z 2^power), where z is 1 or -1; 2 where it is not known, or not to the ladder. */
static int sign_at_power(const struct polynomial *p, double z, int power)
{
    struct integers integers;
    if (!integers_set(&integers, p, power)) {
        return 2;
    }
    mpz_t *k = integers.k;
    size_t bits = 0;
    for (int i = 0; i < COEFFICIENTS; i++) {
        size_t own = mpz_sizeinbase(k[i], 2);
        bits = own > bits ? own : bits;
    }
    mpz_add(k[1], k[1], k[3]);
    mpz_add(k[0], k[0], k[2]);
    if (z > 0) {
        mpz_add(k[1], k[1], k[0]);
    } else {
        mpz_sub(k[1], k[1], k[0]);
    }
    int sign = mpz_sgn(k[1]);
    bool known = mpz_sizeinbase(k[1], 2) + VALUE_BITS > bits;
    integers_clear(&integers);
    return known ? sign : 2;
}

/* The polynomial as one sees it from a root */

/* q(z) is p(2^k z) times a power of 2, with coefficients of up to 1 in size, the largest at least
 * 1/2. Those below 2^-DROPPED are 0, which for |z| < 4 changes q, and q', and q''/2, by less than
 * DROPPED_ERROR. */
FILTER_INLINE void set_unit(const struct polynomial *p, int k, double *q)
{
    int most = INT_MIN, exponent[COEFFICIENTS];
    for (int i = 0; i < COEFFICIENTS; i++) {
        exponent[i] = p->exponent[i] + k * (DEGREE_MAX - i);
        most = exponent[i] > most ? exponent[i] : most;
    }
    for (int i = 0; i < COEFFICIENTS; i++) {
        int shift = exponent[i] - most;
        q[i] = shift < -DROPPED ? 0 : p->mantissa[i] * two_to(shift);
    }
}

/* q(z + e) = c0 + c1 e + c2 e^2 + c3 e^3 */
struct shifted {
    struct approximation c0, c1, c2;
    double c3;
};

FILTER_INLINE struct approximation with_error(struct approximation x, double error)
{
    x.error = (x.error + error) * FILTER_SLOP;
    return x;
}

/* For z = 0 or 1/2 <= |z| < 1, and so a multiple of 2^-53. Horner's scheme for q(z) with all its
 * rounding errors, which are exact themselves since the coefficients are multiples of
 * 2^-DROPPED 2^-53 and everything therefore is one of 2^-DROPPED 2^-212: with s_i for the sums of
 * the scheme, and r_i for those of the errors of its products and sums,
 *     q(z) = s_3 + r_1 z^2 + r_2 z + r_3
 * (S. Graillat, P. Langlois, N. Louvet, Algorithms for accurate, validated and fast polynomial
 * evaluation, Japan Journal of Industrial and Applied Mathematics 26, 2009). What is added is about
 * u, and known in double-double, so that c0 is as good as in three doubles: its error is 3 u^2 of
 * itself and some u^3. */
FILTER_INLINE struct shifted shift_to(const double *q, double z)
{
    struct dd error[DEGREE_MAX];
    double s = q[0];
    for (int i = 0; i < DEGREE_MAX; i++) {
        struct dd product = dd_of_product(s, z);
        struct dd sum = dd_of_sum(product.high, q[i + 1]);
        error[i] = dd_of_sum(product.low, sum.low);
        s = sum.high;
    }
    struct approximation rest = approximation_product_double(approximation_of(error[0], 0), z);
    rest = approximation_sum(rest, approximation_of(error[1], 0));
    rest = approximation_product_double(rest, z);
    rest = approximation_sum(rest, approximation_of(error[2], 0));

    struct approximation c2 = approximation_of(dd_of_product(3, q[0]), 0), c1 = c2;
    c1 = approximation_product_double(c1, z);
    c2 = approximation_sum(c1, approximation_of_double(q[1]));
    c1 = approximation_sum(c1, approximation_of_double(2 * q[1]));
    c1 = approximation_product_double(c1, z);
    c1 = approximation_sum(c1, approximation_of_double(q[2]));
    return (struct shifted){
        .c0 = with_error(approximation_sum(approximation_of_double(s), rest), DROPPED_ERROR),
        .c1 = with_error(c1, DROPPED_ERROR),
        .c2 = with_error(c2, DROPPED_ERROR),
        .c3 = q[0]};
}

/* Guesses, which prove nothing */

/* z 2^exponent, 1/2 <= |z| < 1 */
struct guess {
    double z;
    int exponent;
};

struct guesses {
    int count;
    struct guess guess[DEGREE_MAX];
};

/* Keeps them rising. */
static void guesses_add(struct guesses *guesses, double z, int exponent)
{
    int shift = 0;
    struct guess guess = {.z = frexp(z, &shift)};
    guess.exponent = exponent + shift;
    int i = guesses->count++;
    for (; i > 0; i--) {
        const struct guess *other = &guesses->guess[i - 1];
        bool same_sign = (other->z < 0) == (guess.z < 0);
        bool farther = other->exponent == guess.exponent ? fabs(other->z) > fabs(guess.z)
                                                         : other->exponent > guess.exponent;
        if (same_sign ? farther == (guess.z < 0) : other->z < 0) {
            break;
        }
        guesses->guess[i] = *other;
    }
    guesses->guess[i] = guess;
}

/* Those of a x^2 + b x + c, which are real but for rounding, from the center. */
static void guess_quadratic(double a, double b, double c, double center, int exponent,
                            struct guesses *guesses)
{
    struct dd square = dd_of_product(b, b), product = dd_of_product(4 * a, c);
    double discriminant = (square.high - product.high) + (square.low - product.low);
    double sum = -(b + copysign(sqrt(discriminant > 0 ? discriminant : 0), b));
    guesses_add(guesses, center + sum / (2 * a), exponent);
    guesses_add(guesses, center + 2 * c / sum, exponent);
}

/* p(x) and p'(x), and the quotient by x minus the root that x nearly is, a x^2 + b x + c. */
struct horner {
    double value, slope, b, c;
};

static struct horner horner(const double *q, double x)
{
    double b = q[0] * x + q[1];
    double c = b * x + q[2];
    return (struct horner){c * x + q[3], (q[0] * x + b) * x + c, b, c};
}

enum { GUESS_STEPS = 100 };

/* Newton's steps from where they rise or fall steadily to the outermost root, beyond the point of
 * inflection; W. Kahan, To solve a real cubic equation, 1986. The other two are what is left after
 * division by it, from the end that keeps the error small. */
static void guess_cubic(const double *q, double center, int exponent, bool all,
                        struct guesses *guesses)
{
    double x = -q[1] / q[0] / 3;
    struct horner at = horner(q, x);
    double side = at.value / q[0] < 0 ? -1 : 1, reach = cbrt(fabs(at.value / q[0]));
    if (-at.slope / q[0] > 0) {
        reach = 1.324718 * fmax(reach, sqrt(-at.slope / q[0]));
    }
    double next = x - side * reach;
    for (int i = 0; i < GUESS_STEPS; i++) {
        x = next;
        at = horner(q, x);
        next = x - at.value / at.slope;
        if (!(side * next > side * x)) {
            break;
        }
    }
    if (fabs(q[0] * x) * x * x > fabs(q[3])) {
        at.c = -q[3] / x;
        at.b = (at.c - q[2]) / x;
    }
    guesses_add(guesses, center + x, exponent);
    if (all) {
        guess_quadratic(q[0], at.b, at.c, center, exponent, guesses);
    }
}

/* Three roots that are close to each other are looked for from their middle, where their distances
 * are known much better than from 0. */
static void guess_around(const struct polynomial *p, const double *q, int exponent, bool all,
                         struct guesses *guesses)
{
    if (!(fabs(q[1] * q[1] - 3 * q[0] * q[2]) < 0x1p-8 * q[1] * q[1])) {
        guess_cubic(q, 0, exponent, all, guesses);
        return;
    }
    int shift = 0;
    double unit[COEFFICIENTS], middle = frexp(-q[1] / q[0] / 3, &shift);
    set_unit(p, exponent + shift, unit);
    struct shifted at = shift_to(unit, middle);
    const double local[COEFFICIENTS] = {at.c3, at.c2.high, at.c1.high, at.c0.high};
    guess_cubic(local, middle, exponent + shift, all, guesses);
}

/* The exponents of coefficients i and j as those of numbers that grow by a factor from one to the
 * next: what the roots between them are about. */
FILTER_INLINE int slope_between(const struct polynomial *p, int i, int j)
{
    return (p->exponent[j] - p->exponent[i]) / (j - i);
}

/* The largest root's exponent, roughly, of coefficients i to j. */
static int largest_exponent(const struct polynomial *p, int i, int j)
{
    int most = slope_between(p, i, i + 1);
    for (int k = i + 2; k <= j; k++) {
        most = slope_between(p, i, k) > most ? slope_between(p, i, k) : most;
    }
    return most;
}

static int smallest_exponent(const struct polynomial *p, int i, int j)
{
    int least = slope_between(p, j - 1, j);
    for (int k = j - 2; k >= i; k--) {
        least = slope_between(p, k, j) < least ? slope_between(p, k, j) : least;
    }
    return least;
}

/* Of coefficients i to j alone. `all`: two roots more than one or none. */
static void guess_part(const struct polynomial *p, int i, int j, bool all, struct guesses *guesses)
{
    int exponent = largest_exponent(p, i, j);
    double q[COEFFICIENTS] = {0};
    for (int k = i; k <= j; k++) {
        int shift = p->exponent[k] - p->exponent[i] - exponent * (k - i);
        q[k - i] = shift < -1000 ? 0 : p->mantissa[k] * two_to(shift);
    }
    if (j - i == 3) {
        guess_around(p, q, exponent, all, guesses);
    } else if (j - i == 2 && all) {
        guess_quadratic(q[0], q[1], q[2], 0, exponent, guesses);
    } else if (j - i == 1) {
        guesses_add(guesses, -q[1] / q[0], exponent);
    }
}

/* Roots so many binades apart do not matter to each other. */
enum { APART = 300 };

static void guess_roots(const struct polynomial *p, bool all, struct guesses *guesses)
{
    int first = leading(p);
    guesses->count = 0;
    for (int k = first + 1; k < DEGREE_MAX; k++) {
        if (smallest_exponent(p, first, k) - largest_exponent(p, k, DEGREE_MAX) > APART) {
            guess_part(p, first, k, all, guesses);
            first = k;
        }
    }
    guess_part(p, first, DEGREE_MAX, all, guesses);
}

/* Simple roots */

/* A guess at the e next to 0 where q(z + e) = 0 with a slope of the given sign, by the quadratic
 * part; the turn where that has no root. */
FILTER_INLINE double guess_offset(const struct shifted *at, double slope_sign)
{
    double c0 = at->c0.high, c1 = at->c1.high, c2 = at->c2.high;
    double square = fma(c1, c1, -4 * c2 * c0);
    if (!(square > 0)) {
        return -c1 / (2 * c2);
    }
    double slope = copysign(sqrt(square), slope_sign);
    return c1 * slope_sign > 0 ? -2 * c0 / (c1 + slope) : (slope - c1) / (2 * c2);
}

/* The root z + e + step with a proven bound on its error; returns false where there is none, or the
 * slope there is not of the given sign.
 *
 * The value at e is found in double-double, the slope q'(z + e) in double: each of its terms goes
 * through 6 roundings at most, those of the coefficients to double included, so that it is within
 * 8 u of `terms`, the sum of their sizes, but for the errors of c1 and c2: `doubt` together.
 *
 * One step of Newton, step = -value.high / slope, leads to r = e + step. By Taylor's theorem, where
 * `bend` is not less than |q''/2| between e and r,
 *
 *     q(z + r) = value + q'(z + e) step + (bend or less) step^2
 *
 * of which the first two cancel but for
 *     the quotient's rounding and value.low: u |value.high| each
 *     the value's error
 *     the slope's error times |step|
 * Let R be the sum of all these, and I the interval of all points within R / (0.9 |slope|) of r.
 * There q' differs from the slope by at most doubt + 2 bend (|step| + radius). If that is less than
 * 0.09 |slope|, then q' has the slope's sign and more than 0.9 of its size in all of I, so that q
 * has opposite signs at I's ends, or is 0 there: exactly one root is in I. */
FILTER_INLINE bool certify(const struct shifted *at, double z, double e, double slope_sign,
                           struct approximation *root)
{
    struct approximation value =
        approximation_sum(approximation_of(dd_of_product(at->c3, e), FILTER_UNDERFLOW), at->c2);
    value = approximation_sum(approximation_product_double(value, e), at->c1);
    value = approximation_sum(approximation_product_double(value, e), at->c0);

    double c1 = at->c1.high, c2 = at->c2.high, c3 = at->c3;
    double slope = (3 * c3 * e + 2 * c2) * e + c1;
    double terms = (3 * fabs(c3 * e) + 2 * fabs(c2)) * fabs(e) + fabs(c1);
    double doubt = 8 * 0x1p-53 * terms + at->c1.error + 2 * fabs(e) * at->c2.error;
    double step = -value.high / slope;
    double size = fabs(step), steepness = fabs(slope);
    double bend = fabs(c2) + at->c2.error + 0x1p-50 * fabs(c2) + 3 * fabs(c3) * (fabs(e) + size);
    double rest = 2.1 * 0x1p-53 * fabs(value.high) + value.error + doubt * size +
                  bend * size * size + FILTER_UNDERFLOW;
    double radius = rest * FILTER_SLOP / (0.9 * steepness) + FILTER_UNDERFLOW;
    double change = doubt + 2 * (bend + 3 * fabs(c3) * radius) * (size + radius);
    struct dd sum = dd_sum_double(dd_of_sum(e, step), z);
    *root = approximation_of(sum, FILTER_SUM_DOUBLE * fabs(sum.high) + radius * FILTER_SLOP);
    return slope * slope_sign > 0x1p-300 && change <= 0.0899 * steepness;
}

/* More offsets than this do not help. */
enum { OFFSETS_MAX = 8 };

/* A root must be known so well for figures to be settled. */
static const double ENOUGH = 0x1p-80;

FILTER_INLINE bool refine(const struct polynomial *p, struct guess guess, double slope_sign,
                          struct wide *root)
{
    for (int i = 0; i < OFFSETS_MAX; i++) {
        double q[COEFFICIENTS];
        set_unit(p, guess.exponent, q);
        struct shifted at = shift_to(q, guess.z);
        double offset = guess_offset(&at, slope_sign);
        if (fabs(offset) <= 0x1p-40) {
            root->exponent = guess.exponent;
            return certify(&at, guess.z, offset, slope_sign, &root->x) &&
                   root->x.error <= ENOUGH;
        }
        int shift = 0;
        guess.z = frexp(guess.z + offset, &shift);
        guess.exponent += shift;
        if (!(fabs(guess.z) >= 0.5) || shift < -60 || shift > 60) {
            break;
        }
    }
    return false;
}

/* The sign of p's slope at the first one of roots that are all simple; it changes from one to the
 * next. */
static double first_slope(const struct polynomial *p)
{
    return (p->mantissa[leading(p)] > 0) == (p->degree % 2 == 1) ? 1 : -1;
}

/* Roots found one by one lie in that order, and differ, if their enclosures do. */
FILTER_INLINE bool find_simple(const struct polynomial *p, bool all, struct roots *roots)
{
    struct guesses guesses;
    int count = all ? p->degree : p->degree - 2;
    guess_roots(p, all, &guesses);
    if (guesses.count != count) {
        return false;
    }
    double sign = first_slope(p);
    for (int i = 0; i < count; i++, sign = -sign) {
        struct wide root;
        if (!refine(p, guesses.guess[i], sign, &root)) {
            return false;
        }
        roots_append(roots, root, 1);
    }
    return true;
}

/* All roots but 0, if they are certain. */
FILTER_INLINE bool find_roots(const struct polynomial *p, struct roots *roots)
{
    roots->count = 0;
    if (p->degree == 0) {
        return true;
    }
    if (p->degree == 1) {
        struct wide d = wide_of_coefficient(p, 3), c = wide_of_coefficient(p, 2);
        roots_append(roots, wide_times(wide_quotient(d, c), -1), 1);
        return true;
    }
    int sign = sign_by_doubles(p);
    if (sign == 0) {
        sign = exact_sign(p, roots);
    }
    return sign == 0 || (sign != 2 && find_simple(p, sign > 0, roots));
}

/* Are they certain to rise, and to be known well enough? */
FILTER_INLINE bool in_order(const struct roots *roots)
{
    for (int i = 0; i < roots->count; i++) {
        const struct wide *root = &roots->root[i];
        if (!(root->x.error <= ENOUGH * fabs(root->x.high)) ||
            (i > 0 && wide_sign(wide_difference(*root, roots->root[i - 1])) <= 0)) {
            return false;
        }
    }
    return true;
}

/* What a number may be multiplied by: roots are below 2^2100 in size and above 2^-2100. */
enum { SHIFT_MAX = 2000 };

FILTER_INLINE void put_root(const struct wide *root, size_t at, struct estimate *estimate)
{
    int shift = -root->exponent;
    shift = shift > SHIFT_MAX ? SHIFT_MAX : shift < -SHIFT_MAX ? -SHIFT_MAX : shift;
    estimate->shift[at] = shift;
    estimate->value[at] = approximation_scaled(root->x, two_to(root->exponent + shift));
}

/* The roots with 0 among them, and what goes with them. */
FILTER_INLINE void put_roots(const struct polynomial *p, const struct roots *roots,
                             struct estimate *estimate)
{
    size_t count = (size_t)roots->count + (p->zeros > 0), at = 0;
    bool zero_is_next = p->zeros > 0;
    for (int i = 0; i <= roots->count; i++) {
        bool last = i == roots->count;
        if (zero_is_next && (last || roots->root[i].x.high > 0)) {
            estimate->value[count + at] = approximation_of_double((double)p->zeros);
            estimate->value[at++] = approximation_of_double(0);
            zero_is_next = false;
        }
        if (!last) {
            estimate->value[count + at] = approximation_of_double(roots->multiplicity[i]);
            put_root(&roots->root[i], at++, estimate);
        }
    }
    estimate->length[ROOTS] = count;
    estimate->length[MULTIPLICITIES] = count;
    estimate->value[2 * count] = approximation_of_double(CODE_ROOTS);
}

FILTER_INLINE void put_code(int code, struct estimate *estimate)
{
    estimate->length[ROOTS] = 0;
    estimate->length[MULTIPLICITIES] = 0;
    estimate->value[0] = approximation_of_double(code);
}

FILTER_INLINE bool cubic_roots_estimation(const struct values *inputs, struct estimate *estimate)
{
    const double *x = inputs->number;
    bool finite = true, zero = true;
    for (int i = 0; i < COEFFICIENTS; i++) {
        finite = finite && isfinite(x[i]);
        zero = zero && x[i] == 0;
    }
    if (!finite || zero) {
        put_code(!finite ? CODE_NOT_FINITE : CODE_EVERY_NUMBER, estimate);
        return true;
    }
    struct polynomial p;
    struct roots roots;
    polynomial_set(&p, x);
    if (!find_roots(&p, &roots) || !in_order(&roots)) {
        return false;
    }
    put_roots(&p, &roots, estimate);
    return true;
}

FILTER_ESTIMATE(estimate_cubic_roots, cubic_roots_estimation)

/* Judging */

/* As lengths and whole numbers, and in the order of the roots, exactly as they are */
static bool same_count(const struct estimate *estimate, const struct values *results)
{
    size_t count = estimate->length[ROOTS];
    const double *root = values_field(results, ROOTS);
    const double *multiplicity = values_field(results, MULTIPLICITIES);
    if (values_length(results, ROOTS) != count || values_length(results, MULTIPLICITIES) != count ||
        values_length(results, CODE) != 1 ||
        *values_field(results, CODE) != estimate->value[2 * count].high) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (multiplicity[i] != estimate->value[count + i].high || (i > 0 && root[i - 1] > root[i])) {
            return false;
        }
    }
    return true;
}

/* Does the i-th exact root certainly round to the infinity that was returned? */
static bool rounds_to(const struct estimate *estimate, size_t i, double infinity)
{
    int top = 1024 + estimate->shift[i];
    struct approximation size = estimate->value[i];
    size = infinity > 0 ? size : approximation_negative(size);
    if (top < -900 || top > 900) {
        return top < -900 && size.high > 0x1p-800;
    }
    struct approximation limit = {two_to(top), -two_to(top - 54), 0}; /* 2^1024 - 2^970 */
    struct approximation beyond = approximation_difference(size, limit);
    return beyond.high * (1 - 0x1p-50) > beyond.error;
}

/* A returned root r as z 2^exponent, and p there. With S for the sum of the terms' sizes. */
struct place {
    double z;
    int exponent;
    struct shifted at;
    double terms; /* S within 7u of itself: 6 roundings, and the dropped coefficients */
};

FILTER_INLINE struct place place_of(const struct polynomial *p, double root)
{
    struct place place = {.exponent = 0};
    double q[COEFFICIENTS];
    place.z = frexp(root, &place.exponent);
    set_unit(p, place.exponent, q);
    place.at = shift_to(q, place.z);
    double size = fabs(place.z);
    place.terms = ((fabs(q[0]) * size + fabs(q[1])) * size + fabs(q[2])) * size + fabs(q[3]);
    return place;
}

/* Is |p| <= bound u S, certainly, from r to the exact root, which is up to `distance` away? There S
 * is at least (1 - distance / |z|)^3 of what it is at r, for 1/2 <= |z| < 1 more than
 * 1 - 6 distance of it; and p' differs from that at r by at most `change`. So |p| is
 *     at most (|p'(r)| + change) distance, since p is 0 at the exact root;
 *     at most |p(r)| if p' keeps its sign, which it does where |p'(r)| > change.
 * Roundings, some u of each number, are less than the slop. */
FILTER_INLINE bool within_between(const struct place *place, double distance, double bound)
{
    static const double slop = 1 + 0x1p-40;
    const struct shifted *at = &place->at;
    double steepness = fabs(at->c1.high);
    double bend = 2 * (fabs(at->c2.high) + at->c2.error) * slop + 3 * fabs(at->c3) * distance;
    double change = (bend * distance + at->c1.error + 0x1p-52 * steepness) * slop;
    double least = bound * 0x1p-53 * place->terms * (1 - 6 * distance) / slop;
    return (steepness + change) * distance * slop <= least ||
           (steepness > change && (fabs(at->c0.high) + at->c0.error) * slop <= least);
}

/* Whether a result is within 2^-1074 of the exact root. Near enough to that distance for a wide
 * enclosure to be open, this is as well. Farther than 2^-900 from 0, it does not matter: the error
 * of a result that is so near would be 0 as a figure, too. */
enum nearness { NEAR, FAR, OPEN };

static enum nearness nearness_of(const struct estimate *estimate, size_t i, double low, double high)
{
    if (high == 0) {
        return NEAR;
    }
    if (estimate->shift[i] <= 900) {
        return FAR;
    }
    double least = two_to(estimate->shift[i] - 1074);
    return high <= least * (1 - 0x1p-20) ? NEAR : low >= least * (1 + 0x1p-20) ? FAR : OPEN;
}

/* By p at the returned root, which is up to distance 2^exponent from the exact one; returns false where it is not certain. */
FILTER_INLINE bool assess_residual(const struct polynomial *p, int exponent, double root,
                                   double distance, struct assessment *assessment)
{
    struct place place = place_of(p, root);
    int shift = exponent - place.exponent;
    double unit = 0x1p-53 * place.terms;
    double size = fabs(place.at.c0.high), error = fabs(place.at.c0.low) + place.at.c0.error;
    double low = (size - error) / unit * (1 - 0x1p-49), high = (size + error) / unit;
    high *= 1 + 0x1p-49;
    if (shift < -1000 || shift > 1000 ||
        !filter_settle(low > 0 ? low : 0, high, &assessment->error_scaled)) {
        return false;
    }
    assessment->verdict = low > assessment->bound ? VERDICT_VIOLATION : VERDICT_WITHIN;
    assessment_agree(assessment);
    return low > assessment->bound ||
           (high <= assessment->bound &&
            within_between(&place, distance * two_to(shift), assessment->bound));
}

/* Which side of the power of 2 that the estimated root is next to, if it is simple: -1 if it is
 * smaller in size, 1 if not; 0 if that is not known. p's sign there says so, since p has a slope of
 * a known sign at the root, and no other root between the two: the others' enclosures lie beyond
 * this one's. */
static int side_of_power(const struct polynomial *p, const struct estimate *estimate, size_t i)
{
    size_t count = estimate->length[ROOTS], place = i;
    int exponent;
    for (size_t k = 0; k < count; k++) {
        bool zero = estimate->value[k].high == 0;
        place -= zero && k < i;
        if (!zero && estimate->value[count + k].high != 1) {
            return 0;
        }
    }
    if (fabs(frexp(estimate->value[i].high, &exponent)) != 0.5) {
        return 0;
    }
    double z = estimate->value[i].high > 0 ? 1 : -1;
    int sign = sign_at_power(p, z, exponent - 1 - estimate->shift[i]);
    if (sign == 2) {
        return 0;
    }
    double slope = place % 2 == 0 ? first_slope(p) : -first_slope(p);
    return sign * slope * z > 0 ? -1 : 1;
}

/* A distance as a figure in ulps of the root. Both sizes of an ulp count where the root may lie on
 * either side of a power of 2, unless that matters and can be found out. */
static bool settle_ulps(const struct polynomial *p, const struct estimate *estimate, size_t i,
                        double low, double high, double *figure)
{
    int above, below, least = -1022 + estimate->shift[i];
    if (high == 0) {
        *figure = 0;
        return true;
    }
    if (filter_find_exponent(&estimate->value[i], &above)) {
        below = above;
    } else {
        frexp(estimate->value[i].high, &above);
        above--;
        below = above - 1;
    }
    double ulps_above = two_to(52 - (above > least ? above : least));
    double ulps_below = two_to(52 - (below > least ? below : least));
    if (filter_settle(low * ulps_above, high * ulps_below, figure)) {
        return true;
    }
    int side = above == below ? 0 : side_of_power(p, estimate, i);
    double ulps = side < 0 ? ulps_below : ulps_above;
    return side != 0 && filter_settle(low * ulps, high * ulps, figure);
}

/* One root against the i-th exact one. */
FILTER_INLINE bool assess_root(const struct polynomial *p, const struct estimate *estimate,
                               size_t i, double root, struct assessment *assessment)
{
    bool zero = estimate->value[i].high == 0;
    if (isinf(root)) {
        *assessment = assessment_of(VERDICT_WITHIN);
        return rounds_to(estimate, i, root);
    }
    double low, high;
    *assessment = (struct assessment){.verdict = VERDICT_WITHIN,
                                      .measured = true,
                                      .settled = true,
                                      .bound = estimate->factor};
    if ((zero && signbit(root)) || !filter_find_distance(estimate, i, root, &low, &high) ||
        !settle_ulps(p, estimate, i, low, high, &assessment->error_ulp)) {
        return false;
    }
    enum nearness nearness = nearness_of(estimate, i, low, high);
    return nearness == NEAR || (nearness == FAR && root != 0 && !zero &&
                                assess_residual(p, -estimate->shift[i], root, high, assessment));
}

FILTER_INLINE bool cubic_roots_assessment(const struct values *inputs,
                                          const struct estimate *estimate,
                                          const struct values *results, struct assessment *all)
{
    struct polynomial p;
    if (!same_count(estimate, results)) {
        *all = assessment_of(VERDICT_VIOLATION);
        return true;
    }
    *all = (struct assessment){.verdict = VERDICT_WITHIN,
                               .measured = true,
                               .settled = true,
                               .bound = estimate->factor};
    if (estimate->length[ROOTS] > 0) {
        polynomial_set(&p, inputs->number);
    }
    for (size_t i = 0; i < estimate->length[ROOTS]; i++) {
        struct assessment one;
        if (!assess_root(&p, estimate, i, values_field(results, ROOTS)[i], &one)) {
            return false;
        }
        if (assessment_worse(&one, all)) {
            all->verdict = one.verdict;
            all->measured = one.measured;
            all->error_scaled = one.error_scaled;
        }
        all->error_ulp = fmax(all->error_ulp, one.error_ulp);
    }
    return true;
}

/* find_by_estimate, in a variant for the machine */
#if defined __x86_64__ && !defined __FMA__
__attribute__((target("fma"))) static bool find_fma(const struct values *inputs,
                                                    const struct estimate *estimate,
                                                    const struct values *results,
                                                    struct assessment *assessment)
{
    return cubic_roots_assessment(inputs, estimate, results, assessment);
}
#endif

bool find_by_estimate_cubic_roots(const struct values *inputs, const struct estimate *estimate,
                                  const struct values *results, struct assessment *assessment)
{
#if defined __x86_64__ && !defined __FMA__
    if (__builtin_cpu_supports("fma")) {
        return find_fma(inputs, estimate, results, assessment);
    }
#endif
    return cubic_roots_assessment(inputs, estimate, results, assessment);
}
