#include "cubic_roots.h"
#include "filter.h"
#include "interval.h"

#include <assert.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

extern const struct function oracle_cubic_roots;

enum { A, B, C, D, INPUTS };
enum { ROOTS, MULTIPLICITIES, CODE, OUTPUTS };
enum { DEGREE_MAX = 3, COEFFICIENTS = DEGREE_MAX + 1 };

/* Isolating the roots takes no more precision than their discriminant, which is exact, can ask for;
 * what is left to a verdict is how near a root is, by signs of the polynomial at doubles and beside
 * them: multiples of 2^-4296 below 2^4100. */
enum { PRECISION_LIMIT = 16384 };

/* What is returned besides roots. */
enum code { CODE_ROOTS = 0, CODE_EVERY_NUMBER = 1, CODE_NOT_FINITE = 2 };

/* A polynomial without the root 0 and with a leading coefficient other than 0, as doubles from the
 * highest power down. Its coefficients as integers, over one power of two, give the signs that
 * decide how many roots there are. */
struct polynomial {
    size_t degree;
    double coefficient[COEFFICIENTS];
    mpz_t integer[COEFFICIENTS];
    size_t zeros; /* the multiplicity of the root 0 that was taken out */
};

/* The distinct roots other than 0, rising. */
struct roots {
    size_t count;
    mpfi_ptr enclosure[DEGREE_MAX];
    unsigned multiplicity[DEGREE_MAX];
};

static void set_integers(struct polynomial *p)
{
    int least = 0;
    bool any = false;
    for (size_t i = 0; i <= p->degree; i++) {
        int exponent;
        if (frexp(p->coefficient[i], &exponent) != 0 && (!any || exponent < least)) {
            least = exponent;
            any = true;
        }
    }
    for (size_t i = 0; i < COEFFICIENTS; i++) {
        mpz_init(p->integer[i]);
        if (i <= p->degree) {
            int exponent;
            double fraction = frexp(p->coefficient[i], &exponent);
            mpz_set_d(p->integer[i], ldexp(fraction, 53));
            mpz_mul_2exp(p->integer[i], p->integer[i],
                         fraction == 0 ? 0 : (mp_bitcnt_t)(exponent - least));
        }
    }
}

static void polynomial_init(struct polynomial *p, const double *x)
{
    size_t first = 0;
    size_t last = DEGREE_MAX;
    while (first < DEGREE_MAX && x[first] == 0) {
        first++;
    }
    while (last > first && x[last] == 0) {
        last--;
    }
    p->degree = last - first;
    p->zeros = DEGREE_MAX - last;
    memcpy(p->coefficient, x + first, (p->degree + 1) * sizeof *x);
    set_integers(p);
}

static void polynomial_clear(struct polynomial *p)
{
    for (size_t i = 0; i < COEFFICIENTS; i++) {
        mpz_clear(p->integer[i]);
    }
}

/* sum += factor x y z w */
static void add_product(mpz_t sum, long factor, const mpz_t x, const mpz_t y, const mpz_t z,
                        const mpz_t w)
{
    mpz_t product;
    mpz_init(product);
    mpz_mul(product, x, y);
    mpz_mul(product, product, z);
    mpz_mul(product, product, w);
    mpz_mul_si(product, product, factor);
    mpz_add(sum, sum, product);
    mpz_clear(product);
}

/* The sign of the discriminant: of b^2 - 4 a c, or of
 *     b^2 c^2 - 4 a c^3 - 4 b^3 d - 27 a^2 d^2 + 18 a b c d. */
static int discriminant_sign(const struct polynomial *p)
{
    const mpz_t *k = (const mpz_t *)p->integer;
    mpz_t sum, one;
    mpz_init(sum);
    mpz_init_set_ui(one, 1);
    if (p->degree == 2) {
        add_product(sum, 1, k[1], k[1], one, one);
        add_product(sum, -4, k[0], k[2], one, one);
    } else {
        add_product(sum, 1, k[1], k[1], k[2], k[2]);
        add_product(sum, -4, k[0], k[2], k[2], k[2]);
        add_product(sum, -4, k[1], k[1], k[1], k[3]);
        add_product(sum, -27, k[0], k[0], k[3], k[3]);
        add_product(sum, 18, k[0], k[1], k[2], k[3]);
    }
    int sign = mpz_sgn(sum);
    mpz_clear(sum);
    mpz_clear(one);
    return sign;
}

/* numerator / denominator */
static void set_ratio(mpq_t ratio, const mpz_t numerator, const mpz_t denominator)
{
    mpz_set(mpq_numref(ratio), numerator);
    mpz_set(mpq_denref(ratio), denominator);
    mpq_canonicalize(ratio);
}

/* Without three different roots, a cubic whose discriminant is 0 has rational ones: with
 * Q = b^2 - 3 a c,
 *     -b/(3a) threefold if Q = 0, else (9 a d - b c)/(2 Q) twofold and
 *     (4 a b c - 9 a^2 d - b^3)/(a Q) simple. */
static void set_repeated_cubic(const struct polynomial *p, struct roots *roots)
{
    const mpz_t *k = (const mpz_t *)p->integer;
    mpz_t one, quadratic, numerator, denominator;
    mpq_t twofold, simple;
    mpz_init_set_ui(one, 1);
    mpz_inits(quadratic, numerator, denominator, NULL);
    mpq_inits(twofold, simple, NULL);
    add_product(quadratic, 1, k[1], k[1], one, one);
    add_product(quadratic, -3, k[0], k[2], one, one);
    if (mpz_sgn(quadratic) == 0) {
        mpz_neg(numerator, k[1]);
        mpz_mul_ui(denominator, k[0], 3);
        set_ratio(twofold, numerator, denominator);
        mpfi_set_q(roots->enclosure[0], twofold);
        roots->count = 1;
        roots->multiplicity[0] = 3;
    } else {
        add_product(numerator, 9, k[0], k[3], one, one);
        add_product(numerator, -1, k[1], k[2], one, one);
        mpz_mul_ui(denominator, quadratic, 2);
        set_ratio(twofold, numerator, denominator);
        mpz_set_ui(numerator, 0);
        add_product(numerator, 4, k[0], k[1], k[2], one);
        add_product(numerator, -9, k[0], k[0], k[3], one);
        add_product(numerator, -1, k[1], k[1], k[1], one);
        mpz_mul(denominator, k[0], quadratic);
        set_ratio(simple, numerator, denominator);
        bool twofold_first = mpq_cmp(twofold, simple) < 0;
        mpfi_set_q(roots->enclosure[0], twofold_first ? twofold : simple);
        mpfi_set_q(roots->enclosure[1], twofold_first ? simple : twofold);
        roots->count = 2;
        roots->multiplicity[0] = twofold_first ? 2 : 1;
        roots->multiplicity[1] = twofold_first ? 1 : 2;
    }
    mpq_clears(twofold, simple, NULL);
    mpz_clears(one, quadratic, numerator, denominator, NULL);
}

static void set_repeated(const struct polynomial *p, struct roots *roots)
{
    if (p->degree == 3) {
        set_repeated_cubic(p, roots);
        return;
    }
    mpz_t numerator, denominator;
    mpq_t ratio;
    mpz_inits(numerator, denominator, NULL);
    mpq_init(ratio);
    mpz_neg(numerator, p->integer[1]);
    mpz_mul_ui(denominator, p->integer[0], 2);
    set_ratio(ratio, numerator, denominator);
    mpfi_set_q(roots->enclosure[0], ratio);
    roots->count = 1;
    roots->multiplicity[0] = 2;
    mpq_clear(ratio);
    mpz_clears(numerator, denominator, NULL);
}

/* The sign of p at x: -1, 0 or 1 if it is certain, else 2. */
static int sign_at(const struct polynomial *p, mpfr_srcptr x, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr sum = work[0], point = work[1];
    interval_set_precision(point, mpfr_get_prec(x));
    mpfi_set_fr(point, x);
    mpfi_set_d(sum, p->coefficient[0]);
    for (size_t i = 1; i <= p->degree; i++) {
        mpfi_mul(sum, sum, point);
        mpfi_add_d(sum, sum, p->coefficient[i]);
    }
    int sign = 2;
    if (mpfr_sgn(&sum->left) > 0) {
        sign = 1;
    } else if (mpfr_sgn(&sum->right) < 0) {
        sign = -1;
    } else if (mpfr_zero_p(&sum->left) && mpfr_zero_p(&sum->right)) {
        sign = 0;
    }
    interval_return(2);
    return sign;
}

/* A bracket of one simple root: p has the sign `below` left of the root in it and the opposite one
 * right of it. Neither end is a root and 0 is not inside. */
struct bracket {
    mpfr_ptr low, high;
    int below;
};

/* 2^k above every root's size: twice the largest of |k_i / k_0|^(1/i), Fujiwara 1916. With the
 * coefficients in reverse, 2^-k is below every root's size. */
static mpfr_exp_t size_exponent(const struct polynomial *p, bool reverse)
{
    size_t n = p->degree;
    mpfi_t *work = interval_take(1, 64);
    mpfr_ptr ratio = &work[0]->left;
    mpfr_exp_t exponent = mpfr_get_emin_min();
    for (size_t i = 1; i <= n; i++) {
        double k = p->coefficient[reverse ? n - i : i];
        if (k == 0) {
            continue;
        }
        mpfr_set_d(ratio, k, MPFR_RNDA);
        mpfr_div_d(ratio, ratio, p->coefficient[reverse ? n : 0], MPFR_RNDA);
        mpfr_abs(ratio, ratio, MPFR_RNDU);
        mpfr_rootn_ui(ratio, ratio, i, MPFR_RNDU);
        if (mpfr_get_exp(ratio) > exponent) {
            exponent = mpfr_get_exp(ratio);
        }
    }
    interval_return(1);
    return exponent + 1;
}

/* Rounded p(x) and p'(x): for guesses, which prove nothing. */
static void guess_value(const struct polynomial *p, mpfr_srcptr x, mpfr_ptr value, mpfr_ptr slope)
{
    mpfr_set_d(value, p->coefficient[0], MPFR_RNDN);
    mpfr_set_zero(slope, 1);
    for (size_t i = 1; i <= p->degree; i++) {
        mpfr_fma(slope, slope, x, value, MPFR_RNDN);
        mpfr_mul(value, value, x, MPFR_RNDN);
        mpfr_add_d(value, value, p->coefficient[i], MPFR_RNDN);
    }
}

/* The middle of a bracket, by exponents where they differ. */
static void set_middle(mpfr_ptr middle, mpfr_srcptr low, mpfr_srcptr high)
{
    mpfr_exp_t span = mpfr_get_exp(low) - mpfr_get_exp(high);
    if (span < -1 || span > 1) {
        mpfr_mul(middle, low, high, MPFR_RNDN);
        mpfr_sqrt(middle, middle, MPFR_RNDN);
        mpfr_setsign(middle, middle, mpfr_signbit(low), MPFR_RNDN);
    } else {
        mpfr_add(middle, low, high, MPFR_RNDN);
        mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
    }
}

enum { GUESS_STEPS = 200 };

/* Newton's steps, kept inside the bracket by bisection, on numbers of x's precision. A step that
 * changes next to nothing is the last one, also where it leaves the bracket by a rounding: the
 * middle may be far away. */
static void guess_root(const struct polynomial *p, const struct bracket *bracket, mpfr_ptr x)
{
    mpfr_prec_t precision = mpfr_get_prec(x);
    mpfi_t *work = interval_take(3, precision);
    mpfr_ptr low = &work[0]->left, high = &work[0]->right, value = &work[1]->left;
    mpfr_ptr slope = &work[1]->right, next = &work[2]->left;
    mpfr_set(low, bracket->low, MPFR_RNDN);
    mpfr_set(high, bracket->high, MPFR_RNDN);
    set_middle(x, low, high);
    for (int i = 0; i < GUESS_STEPS; i++) {
        guess_value(p, x, value, slope);
        if (mpfr_zero_p(value)) {
            break;
        }
        mpfr_set(mpfr_sgn(value) == bracket->below ? low : high, x, MPFR_RNDN);
        mpfr_div(value, value, slope, MPFR_RNDN);
        mpfr_sub(next, x, value, MPFR_RNDN);
        bool last = mpfr_number_p(value) && mpfr_get_exp(value) < mpfr_get_exp(x) - (precision - 4);
        if (!last && (!mpfr_greater_p(next, low) || !mpfr_less_p(next, high))) {
            set_middle(next, low, high);
        }
        mpfr_set(x, next, MPFR_RNDN);
        if (last) {
            break;
        }
    }
    interval_return(3);
}

/* Makes it the numbers within 2^-bits of x, relatively, and returns whether the root is proved to
 * be one of them by the signs at the ends. */
static bool certify(const struct polynomial *p, const struct bracket *bracket, mpfr_srcptr x,
                    mpfr_prec_t bits, mpfi_ptr root, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(1, precision);
    mpfr_ptr radius = &work[0]->left;
    mpfr_div_2ui(radius, x, (unsigned long)bits, MPFR_RNDA);
    mpfr_abs(radius, radius, MPFR_RNDU);
    mpfr_sub(&root->left, x, radius, MPFR_RNDD);
    mpfr_add(&root->right, x, radius, MPFR_RNDU);
    interval_return(1);
    if (!mpfr_greater_p(&root->left, bracket->low) || !mpfr_less_p(&root->right, bracket->high)) {
        return false;
    }
    int left = sign_at(p, &root->left, precision);
    int right = sign_at(p, &root->right, precision);
    return (left == 0 || left == bracket->below) && (right == 0 || right == -bracket->below);
}

static void bisect(const struct polynomial *p, const struct bracket *bracket, mpfi_ptr root,
                   mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(1, precision);
    mpfr_ptr middle = &work[0]->left;
    mpfr_set(&root->left, bracket->low, MPFR_RNDD);
    mpfr_set(&root->right, bracket->high, MPFR_RNDU);
    for (;;) {
        set_middle(middle, &root->left, &root->right);
        if (!mpfr_greater_p(middle, &root->left) || !mpfr_less_p(middle, &root->right)) {
            break;
        }
        int sign = sign_at(p, middle, precision);
        if (sign == 2) {
            break;
        }
        if (sign == 0 || sign == bracket->below) {
            mpfr_set(&root->left, middle, MPFR_RNDN);
        }
        if (sign == 0 || sign == -bracket->below) {
            mpfr_set(&root->right, middle, MPFR_RNDN);
        }
    }
    interval_return(1);
}

/* Is the root next to x a power of 2, or minus one? That has to be known exactly: the size of an
 * ulp depends on it. Makes it that point if so. */
static bool is_power(const struct polynomial *p, const struct bracket *bracket, mpfr_srcptr x,
                     mpfi_ptr root, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfr_ptr power = &work[0]->left, distance = &work[1]->left;
    mpfr_set_prec(power, 1);
    mpfr_set(power, x, MPFR_RNDN);
    mpfr_sub(distance, x, power, MPFR_RNDN);
    bool is =
        (mpfr_zero_p(distance) || mpfr_get_exp(distance) < mpfr_get_exp(power) - precision / 3) &&
        mpfr_greater_p(power, bracket->low) && mpfr_less_p(power, bracket->high) &&
        sign_at(p, power, precision) == 0;
    if (is) {
        mpfi_set_fr(root, power);
    }
    interval_return(2);
    return is;
}

/* Appends the simple root in (low, high), left of which p has the sign `below`. */
static void add_simple(const struct polynomial *p, mpfr_srcptr low, mpfr_srcptr high, int below,
                       struct roots *roots, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, mpfr_get_prec(low));
    struct bracket bracket = {&work[0]->left, &work[0]->right, below};
    mpfr_set(bracket.low, low, MPFR_RNDN);
    mpfr_set(bracket.high, high, MPFR_RNDN);
    if (mpfr_sgn(low) <= 0 && mpfr_sgn(high) >= 0) {
        /* which side of 0 it is on, and how near at most */
        int at_zero = p->coefficient[p->degree] > 0 ? 1 : -1;
        bool right = at_zero == below;
        mpfr_set_si_2exp(right ? bracket.low : bracket.high, right ? 1 : -1,
                         -size_exponent(p, true), MPFR_RNDN);
    }
    mpfi_t *guess = interval_take(1, precision);
    mpfr_ptr x = &guess[0]->left;
    mpfi_ptr root = roots->enclosure[roots->count];
    guess_root(p, &bracket, x);
    if (!is_power(p, &bracket, x, root, precision) &&
        !certify(p, &bracket, x, precision - 8, root, precision) &&
        !certify(p, &bracket, x, precision - 24, root, precision) &&
        !certify(p, &bracket, x, precision / 2, root, precision) &&
        !certify(p, &bracket, x, precision / 3 - 8, root, precision)) {
        bisect(p, &bracket, root, precision);
    }
    roots->multiplicity[roots->count++] = 1;
    interval_return(1);
    interval_return(2);
}

/* Where p turns, rounded: the zeros of 3 a x^2 + 2 b x + c, rising. */
static void set_turns(const struct polynomial *p, mpfr_ptr first, mpfr_ptr second)
{
    mpfr_prec_t precision = mpfr_get_prec(first);
    mpfi_t *work = interval_take(2, precision);
    mpfr_ptr q = &work[0]->left, three_a = &work[0]->right, b = &work[1]->left;
    mpfr_ptr c = &work[1]->right;
    mpfr_set_d(three_a, p->coefficient[0], MPFR_RNDN);
    mpfr_mul_ui(three_a, three_a, 3, MPFR_RNDN);
    mpfr_set_d(b, p->coefficient[1], MPFR_RNDN);
    mpfr_set_d(c, p->coefficient[2], MPFR_RNDN);
    mpfr_fmms(q, b, b, three_a, c, MPFR_RNDN);
    mpfr_sqrt(q, q, MPFR_RNDN);
    if (mpfr_sgn(b) > 0) {
        mpfr_neg(q, q, MPFR_RNDN);
    }
    mpfr_sub(q, q, b, MPFR_RNDN);
    mpfr_div(first, q, three_a, MPFR_RNDN);
    mpfr_div(second, c, q, MPFR_RNDN);
    if (mpfr_greater_p(first, second)) {
        mpfr_swap(first, second);
    }
    interval_return(2);
}

/* Points that separate the simple roots: count - 1 of them, at which the signs alternate. Since the
 * discriminant is positive, enough precision finds such points at the turns. */
static void set_separators(const struct polynomial *p, mpfr_ptr *point, int left_sign,
                           mpfr_prec_t precision)
{
    for (mpfr_prec_t bits = precision;; bits *= 2) {
        for (size_t i = 0; i + 1 < p->degree; i++) {
            mpfr_set_prec(point[i], bits);
        }
        int sign = left_sign;
        bool certain = true;
        if (p->degree == 2) {
            mpfr_set_d(point[0], p->coefficient[1], MPFR_RNDN);
            mpfr_div_d(point[0], point[0], p->coefficient[0], MPFR_RNDN);
            mpfr_div_si(point[0], point[0], -2, MPFR_RNDN);
        } else {
            set_turns(p, point[0], point[1]);
        }
        for (size_t i = 0; i + 1 < p->degree; i++) {
            sign = -sign;
            certain = certain && sign_at(p, point[i], 2 * bits) == sign;
        }
        if (certain) {
            return;
        }
    }
}

/* All roots are real and different. */
static void set_all_simple(const struct polynomial *p, struct roots *roots, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfr_ptr point[DEGREE_MAX + 1] = {&work[0]->left, &work[0]->right, &work[1]->left,
                                      &work[1]->right};
    assert(p->degree == 2 || p->degree == DEGREE_MAX);
    int lead = p->coefficient[0] > 0 ? 1 : -1;
    int below = p->degree == 3 ? -lead : lead;
    set_separators(p, point + 1, below, precision);
    mpfr_exp_t size = size_exponent(p, false);
    mpfr_set_si_2exp(point[0], -1, size, MPFR_RNDN);
    mpfr_set_prec(point[p->degree], precision);
    mpfr_set_si_2exp(point[p->degree], 1, size, MPFR_RNDN);
    mpfr_prec_t widest = mpfr_get_prec(point[1]);
    mpfr_prec_round(point[0], widest, MPFR_RNDN);
    for (size_t i = 0; i < p->degree; i++) {
        mpfr_prec_round(point[i], widest, MPFR_RNDN);
        add_simple(p, point[i], point[i + 1], below, roots, precision);
        below = -below;
    }
    interval_return(2);
}

static void set_one_simple(const struct polynomial *p, struct roots *roots, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(1, precision);
    mpfr_exp_t size = size_exponent(p, false);
    mpfr_set_si_2exp(&work[0]->left, -1, size, MPFR_RNDN);
    mpfr_set_si_2exp(&work[0]->right, 1, size, MPFR_RNDN);
    add_simple(p, &work[0]->left, &work[0]->right, p->coefficient[0] > 0 ? -1 : 1, roots,
               precision);
    interval_return(1);
}

static void set_roots(const struct polynomial *p, struct roots *roots, mpfr_prec_t precision)
{
    roots->count = 0;
    if (p->degree == 0) {
        return;
    }
    if (p->degree == 1) {
        mpfi_set_d(roots->enclosure[0], -p->coefficient[1]);
        mpfi_div_d(roots->enclosure[0], roots->enclosure[0], p->coefficient[0]);
        roots->multiplicity[roots->count++] = 1;
        return;
    }
    int sign = discriminant_sign(p);
    if (sign == 0) {
        set_repeated(p, roots);
    } else if (sign > 0) {
        set_all_simple(p, roots, precision);
    } else if (p->degree == 3) {
        set_one_simple(p, roots, precision);
    }
}

/* The roots with 0 among them, the code, and nothing else: one number after the other. */
static void set_answer(struct answer *answer, const struct polynomial *p, const struct roots *roots,
                       mpfr_prec_t precision)
{
    size_t negative = 0;
    while (negative < roots->count && mpfr_sgn(&roots->enclosure[negative]->right) < 0) {
        negative++;
    }
    size_t count = roots->count + (p->zeros > 0);
    for (size_t i = 0; i < 2 * count + 1; i++) {
        interval_set_precision(answer->value[i], precision);
    }
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (p->zeros > 0 && i == negative) {
            mpfi_set_ui(answer->value[i], 0);
            mpfi_set_ui(answer->value[count + i], p->zeros);
        } else {
            mpfi_set(answer->value[i], roots->enclosure[next]);
            mpfi_set_ui(answer->value[count + i], roots->multiplicity[next++]);
        }
    }
    answer->length[ROOTS] = count;
    answer->length[MULTIPLICITIES] = count;
    mpfi_set_ui(answer->value[2 * count], CODE_ROOTS);
}

static void give_code(struct answer *answer, enum code code)
{
    answer->length[ROOTS] = 0;
    answer->length[MULTIPLICITIES] = 0;
    interval_set_precision(answer->value[0], 64);
    mpfi_set_ui(answer->value[0], code);
}

static void answer_cubic_roots(const struct values *inputs, mpfr_prec_t precision,
                               struct answer *answer)
{
    const double *x = inputs->number;
    bool zero = true;
    answer->kind = ANSWER_REAL;
    for (size_t i = 0; i < INPUTS; i++) {
        if (!isfinite(x[i])) {
            give_code(answer, CODE_NOT_FINITE);
            return;
        }
        zero = zero && x[i] == 0;
    }
    if (zero) {
        give_code(answer, CODE_EVERY_NUMBER);
        return;
    }
    struct polynomial p;
    struct roots roots;
    mpfi_t *work = interval_take(DEGREE_MAX, precision);
    for (size_t i = 0; i < DEGREE_MAX; i++) {
        roots.enclosure[i] = work[i];
    }
    polynomial_init(&p, x);
    set_roots(&p, &roots, precision);
    set_answer(answer, &p, &roots, precision);
    polynomial_clear(&p);
    interval_return(DEGREE_MAX);
}

/* With m the middle of the interval X, p(X) lies in p(m) + p'(X) (X - m). */
void cubic_residual(const double *x, mpfi_srcptr over, mpfi_ptr value, mpfi_ptr sum,
                    mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(5, precision);
    mpfi_ptr size = work[0], slope = work[1], middle = work[2], point = work[3], term = work[4];
    mpfi_abs(size, over);
    mpfi_mid(&middle->left, over);
    mpfr_set(&middle->right, &middle->left, MPFR_RNDN);
    mpfi_set_ui(value, 0);
    mpfi_set_ui(slope, 0);
    mpfi_set_ui(sum, 0);
    mpfi_set_ui(point, 0);
    for (size_t i = 0; i < COEFFICIENTS; i++) {
        mpfi_mul(slope, slope, over);
        mpfi_add(slope, slope, point);
        mpfi_mul(point, point, over);
        mpfi_add_d(point, point, x[i]);
        mpfi_mul(value, value, middle);
        mpfi_add_d(value, value, x[i]);
        mpfi_mul(sum, sum, size);
        mpfi_add_d(sum, sum, fabs(x[i]));
    }
    mpfi_sub(term, over, middle);
    mpfi_mul(term, term, slope);
    mpfi_add(value, value, term);
    mpfi_abs(value, value);
    interval_return(5);
}

static double bound_of_roots(void)
{
    return oracle_cubic_roots.K;
}

/* Is |p| <= K u (the sum of its terms' sizes) on all of `over`? */
static enum verdict judge_residual(const double *x, mpfi_srcptr over, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    cubic_residual(x, over, work[0], work[1], precision);
    mpfi_mul_d(work[1], work[1], bound_of_roots());
    mpfi_mul_2si(work[1], work[1], U_EXPONENT);
    enum verdict verdict = assessment_compare(work[0], work[1], false);
    interval_return(2);
    return verdict;
}

enum { PIECES_MAX = 2000, DEPTH_MAX = 40 };

/* The same on every piece of `over`, halved where it is not certain as a whole. `sure` is the part
 * of it in which a violation counts, as it surely lies between the two roots. */
static enum verdict judge_pieces(const double *x, mpfi_srcptr over, mpfi_srcptr sure, size_t depth,
                                 size_t *pieces, mpfr_prec_t precision)
{
    if (judge_residual(x, over, precision) == VERDICT_WITHIN) {
        return VERDICT_WITHIN;
    }
    if (depth == DEPTH_MAX || ++*pieces > PIECES_MAX) {
        return VERDICT_UNDECIDED;
    }
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr half = work[0], middle = work[1];
    mpfi_mid(&middle->left, over);
    mpfr_set(&middle->right, &middle->left, MPFR_RNDN);
    enum verdict verdict = VERDICT_WITHIN;
    if (mpfi_is_inside(middle, sure) > 0 &&
        judge_residual(x, middle, precision) == VERDICT_VIOLATION) {
        verdict = VERDICT_VIOLATION;
    }
    for (int side = 0; side < 2 && verdict == VERDICT_WITHIN; side++) {
        mpfi_set(half, over);
        mpfr_set(side == 0 ? &half->right : &half->left, &middle->left, MPFR_RNDN);
        verdict = judge_pieces(x, half, sure, depth + 1, pieces, precision);
    }
    interval_return(2);
    return verdict;
}

/* Between the returned root and the exact one; everywhere in the exact one's enclosure, to be on
 * the safe side. */
static enum verdict judge_between(const double *x, double root, mpfi_srcptr exact,
                                  mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr over = work[0], sure = work[1];
    size_t pieces = 0;
    mpfi_set_d(sure, root);
    mpfi_set(over, exact);
    mpfi_put_d(over, root);
    if (mpfr_cmp_d(&exact->left, root) > 0) {
        mpfr_set(&sure->right, &exact->left, MPFR_RNDD);
    } else if (mpfr_cmp_d(&exact->right, root) < 0) {
        mpfr_set(&sure->left, &exact->right, MPFR_RNDU);
    }
    enum verdict verdict = judge_pieces(x, over, sure, 0, &pieces, precision);
    interval_return(2);
    return verdict;
}

/* An infinity stands for an exact root that rounds to it. */
static enum verdict judge_infinite_root(double root, mpfi_srcptr exact, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr size = work[0], limit = work[1];
    interval_set_overflow(limit);
    if (root > 0) {
        mpfi_set(size, exact);
    } else {
        mpfi_neg(size, exact);
    }
    enum verdict verdict = assessment_compare(limit, size, false);
    interval_return(2);
    return verdict == VERDICT_VIOLATION ? VERDICT_CLASS_MISMATCH : verdict;
}

static struct assessment judge_finite_root(const double *x, double root, mpfi_srcptr exact,
                                           mpfr_prec_t precision)
{
    struct assessment assessment = {.measured = true, .settled = true, .bound = bound_of_roots()};
    mpfi_t *work = interval_take(4, precision);
    mpfi_ptr error = work[0], size = work[1], value = work[2], sum = work[3];
    mpfi_sub_d(error, exact, root);
    mpfi_abs(error, error);
    mpfi_abs(size, exact);
    assessment.error_ulp = assessment_in_ulps(error, size, &assessment);

    mpfr_set_ui_2exp(&size->left, 1, LEAST_EXPONENT, MPFR_RNDN);
    mpfr_set(&size->right, &size->left, MPFR_RNDN);
    enum verdict next_to_it = assessment_compare(error, size, false);
    if (next_to_it == VERDICT_WITHIN) {
        assessment.verdict = VERDICT_WITHIN;
    } else {
        mpfi_set_d(size, root);
        cubic_residual(x, size, value, sum, precision);
        if (mpfr_zero_p(&value->right)) {
            mpfi_set_ui(value, 0);
        } else {
            mpfi_div(value, value, sum);
            mpfi_mul_2si(value, value, -U_EXPONENT);
        }
        assessment.error_scaled = assessment_on_grid(value, &assessment);
        assessment.verdict = judge_residual(x, size, precision);
        if (assessment.verdict == VERDICT_WITHIN) {
            assessment.verdict = judge_between(x, root, exact, precision);
        }
        if (assessment.verdict == VERDICT_VIOLATION && next_to_it == VERDICT_UNDECIDED) {
            assessment.verdict = VERDICT_UNDECIDED;
        }
        assessment_agree(&assessment);
    }
    interval_return(4);
    return assessment;
}

static struct assessment judge_root(const double *x, double root, mpfi_srcptr exact,
                                    mpfr_prec_t precision)
{
    if (isinf(root)) {
        return assessment_of(judge_infinite_root(root, exact, precision));
    }
    bool zero = mpfi_is_zero(exact) > 0;
    if (isnan(root) || (zero && root == 0 && signbit(root))) {
        return assessment_of(VERDICT_CLASS_MISMATCH);
    }
    return judge_finite_root(x, root, exact, precision);
}

/* A comparison with NaN passes as equal in MPFR. */
static bool is(mpfi_srcptr point, double number)
{
    return !isnan(number) && mpfr_cmp_d(&point->left, number) == 0;
}

/* How many, how often, and in which order: exactly as they are. */
static bool same_count(const struct answer *answer, const struct values *results)
{
    size_t count = answer->length[ROOTS];
    const double *root = values_field(results, ROOTS);
    const double *multiplicity = values_field(results, MULTIPLICITIES);
    if (values_length(results, ROOTS) != count || values_length(results, MULTIPLICITIES) != count ||
        values_length(results, CODE) != 1 ||
        !is(answer->value[2 * count], *values_field(results, CODE))) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is(answer->value[count + i], multiplicity[i]) || (i > 0 && root[i - 1] > root[i])) {
            return false;
        }
    }
    return true;
}

static struct assessment judge_cubic_roots(const struct values *inputs, const struct answer *answer,
                                           const struct values *results, mpfr_prec_t precision)
{
    if (!same_count(answer, results)) {
        return assessment_of(VERDICT_VIOLATION);
    }
    struct assessment all = {
        .verdict = VERDICT_WITHIN, .measured = true, .settled = true, .bound = bound_of_roots()};
    for (size_t i = 0; i < answer->length[ROOTS]; i++) {
        struct assessment one = judge_root(inputs->number, values_field(results, ROOTS)[i],
                                           answer->value[i], precision);
        all.settled = all.settled && one.settled;
        if (assessment_worse(&one, &all)) {
            all.verdict = one.verdict;
            all.measured = one.measured;
            all.error_scaled = one.error_scaled;
        }
        all.error_ulp = fmax(all.error_ulp, one.error_ulp);
    }
    return all;
}

static const struct field inputs[INPUTS] = {
    [A] = {"a", FIELD_NUMBER, "1", "the coefficient of x^3"},
    [B] = {"b", FIELD_NUMBER, "1", "the coefficient of x^2"},
    [C] = {"c", FIELD_NUMBER, "1", "the coefficient of x"},
    [D] = {"d", FIELD_NUMBER, "1", "the constant term"},
};

static const struct field outputs[OUTPUTS] = {
    [ROOTS] = {"roots", FIELD_LIST, "1", "the distinct real roots, not falling"},
    [MULTIPLICITIES] = {"multiplicities", FIELD_LIST, "1", "how often each counts"},
    [CODE] = {"code", FIELD_NUMBER, "1",
              "0: the roots are what is listed; 1: every number is one; 2: a coefficient is not "
              "finite"},
};

const struct function oracle_cubic_roots = {
    .name = "cubic_roots",
    .family = "cubic_roots",
    .summary = "the distinct real roots of a cubic polynomial, with multiplicities",
    .formula = "all real x with a x^3 + b x^2 + c x + d = 0; where a = 0, those of the quadratic "
               "polynomial that is left, and so on",
    .scale = "of a root r with p(r) = a r^3 + b r^2 + c r + d as the error: |a r^3| + |b r^2| + "
             "|c r| + |d|, at r and everywhere between r and the exact root; or r is within "
             "2^-1074 of the exact root, or the infinity that this rounds to",
    .domain = "all coefficients 0, or one that is not finite, give a code instead of roots",
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = OUTPUTS,
    .whole = {[MULTIPLICITIES] = true, [CODE] = true},
    .measure = MEASURE_OWN,
    .K = 8,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_cubic_roots,
    .estimate = estimate_cubic_roots,
    .find = judge_cubic_roots,
    .find_by_estimate = find_by_estimate_cubic_roots,
};
