/* Where a polynomial turns separates its real roots: between two neighbouring turns, and beyond the
 * outer ones, there is a root exactly where the signs at both sides differ, and it is the only one.
 * Factors that are repeated are taken out first, so that no root is a turn and every sign shows at
 * some precision. */
#include "roots.h"

#include <flint/fmpz_poly_factor.h>

void roots_init(struct roots *roots)
{
    roots->count = 0;
    for (size_t i = 0; i < ROOTS_MOST; i++) {
        arb_init(roots->root[i]);
    }
}

void roots_clear(struct roots *roots)
{
    for (size_t i = 0; i < ROOTS_MOST; i++) {
        arb_clear(roots->root[i]);
    }
}

static void add(struct roots *roots, const arb_t root, unsigned multiplicity)
{
    size_t i = roots->count++;
    for (; i > 0 && arf_cmp(arb_midref(root), arb_midref(roots->root[i - 1])) < 0; i--) {
        arb_set(roots->root[i], roots->root[i - 1]);
        roots->multiplicity[i] = roots->multiplicity[i - 1];
    }
    arb_set(roots->root[i], root);
    roots->multiplicity[i] = multiplicity;
}

/* Horner's rule */
static void evaluate(arb_t value, const fmpz_poly_t polynomial, const arb_t x, slong precision)
{
    arb_t sum;
    arb_init(sum);
    for (slong i = fmpz_poly_degree(polynomial); i >= 0; i--) {
        arb_mul(sum, sum, x, precision);
        arb_add_fmpz(sum, sum, fmpz_poly_get_coeff_ptr(polynomial, i), precision);
    }
    arb_swap(value, sum);
    arb_clear(sum);
}

/* The exact sign at a number with a finite expansion. */
static int sign_at(const fmpz_poly_t polynomial, const arf_t x)
{
    arb_t ball;
    arb_init(ball);
    arb_set_arf(ball, x);
    evaluate(ball, polynomial, ball, ARF_PREC_EXACT);
    int sign = arf_sgn(arb_midref(ball));
    arb_clear(ball);
    return sign;
}

/* An interval with one simple root in it; the polynomial has the sign `above` behind the root. */
struct bracket {
    arf_t low, high;
    int above;
};

static void bracket_init(struct bracket *bracket)
{
    arf_init(bracket->low);
    arf_init(bracket->high);
}

static void bracket_clear(struct bracket *bracket)
{
    arf_clear(bracket->low);
    arf_clear(bracket->high);
}

static slong exponent_of(const arf_t x)
{
    fmpz_t exponent;
    fmpz_init(exponent);
    arf_abs_bound_lt_2exp_fmpz(exponent, x);
    slong result = fmpz_get_si(exponent);
    fmpz_clear(exponent);
    return result;
}

/* Halves the interval, by exponents where those differ. */
static void halve(struct bracket *bracket, const fmpz_poly_t polynomial)
{
    arf_t middle;
    arf_init(middle);
    slong low = exponent_of(bracket->low), high = exponent_of(bracket->high);
    slong least = low < high ? low : high, span = low < high ? high - low : low - high;
    if (span > 2) { /* the ends are in [2^(e-1), 2^e) each */
        arf_set_si_2exp_si(middle, arf_sgn(bracket->low), least + (span - 1) / 2);
    } else {
        arf_add(middle, bracket->low, bracket->high, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(middle, middle, -1);
    }
    int sign = sign_at(polynomial, middle);
    if (sign != -bracket->above) {
        arf_set(bracket->high, middle);
    }
    if (sign != bracket->above) {
        arf_set(bracket->low, middle);
    }
    arf_clear(middle);
}

/* Newton's step for intervals: with m in I, the root is in m - f(m)/f'(I). Returns whether that
 * leaves less than a quarter. */
static bool step(struct bracket *bracket, const fmpz_poly_t polynomial,
                 const fmpz_poly_t derivative, slong precision)
{
    arb_t all, middle, slope;
    arf_t before, after, low, high;
    arb_init(all);
    arb_init(middle);
    arb_init(slope);
    arf_init(before);
    arf_init(after);
    arf_init(low);
    arf_init(high);
    arb_set_interval_arf(all, bracket->low, bracket->high, precision);
    evaluate(slope, derivative, all, precision);
    arb_get_mid_arb(middle, all);
    evaluate(all, polynomial, middle, precision);
    arb_div(all, all, slope, precision);
    arb_sub(all, middle, all, precision);
    bool better = arb_is_finite(all);
    if (better) {
        arb_get_interval_arf(low, high, all, precision);
        arf_max(low, low, bracket->low);
        arf_min(high, high, bracket->high);
        arf_sub(before, bracket->high, bracket->low, 64, ARF_RND_DOWN);
        arf_sub(after, high, low, 64, ARF_RND_UP);
        arf_mul_2exp_si(after, after, 2);
        better = arf_cmp(after, before) < 0;
    }
    if (better) {
        arf_set(bracket->low, low);
        arf_set(bracket->high, high);
    }
    arb_clear(all);
    arb_clear(middle);
    arb_clear(slope);
    arf_clear(before);
    arf_clear(after);
    arf_clear(low);
    arf_clear(high);
    return better;
}

/* Is the width at most 2^-bits of the nearer end? */
static bool is_narrow(const struct bracket *bracket, slong bits)
{
    arf_t width, allowed;
    arf_init(width);
    arf_init(allowed);
    arf_sub(width, bracket->high, bracket->low, 64, ARF_RND_UP);
    const arf_struct *nearer =
        arf_cmpabs(bracket->low, bracket->high) < 0 ? bracket->low : bracket->high;
    arf_mul_2exp_si(allowed, nearer, -bits);
    bool narrow = arf_cmpabs(width, allowed) <= 0;
    arf_clear(width);
    arf_clear(allowed);
    return narrow;
}

/* All roots but 0 are above 2^low and below 2^high in size: Cauchy's bound, both ways. */
static void set_exponents(slong *low, slong *high, const fmpz_poly_t polynomial)
{
    slong degree = fmpz_poly_degree(polynomial), most = 0;
    for (slong i = 0; i <= degree; i++) {
        slong bits = (slong)fmpz_bits(fmpz_poly_get_coeff_ptr(polynomial, i));
        most = bits > most ? bits : most;
    }
    *low = (slong)fmpz_bits(fmpz_poly_get_coeff_ptr(polynomial, 0)) - most - 3;
    *high = most - (slong)fmpz_bits(fmpz_poly_get_coeff_ptr(polynomial, degree)) + 3;
}

static void add_bracketed(struct roots *roots, struct bracket *bracket,
                          const fmpz_poly_t polynomial, unsigned multiplicity, slong precision)
{
    fmpz_poly_t derivative;
    arb_t root;
    slong low, high;
    arb_init(root);
    fmpz_poly_init(derivative);
    fmpz_poly_derivative(derivative, polynomial);
    set_exponents(&low, &high, polynomial);
    if (arf_sgn(bracket->low) < 0 && arf_sgn(bracket->high) > 0) {
        bool right = fmpz_sgn(fmpz_poly_get_coeff_ptr(polynomial, 0)) == -bracket->above;
        arf_set_si_2exp_si(right ? bracket->low : bracket->high, right ? 1 : -1, low);
    } else if (arf_is_zero(bracket->low)) {
        arf_set_si_2exp_si(bracket->low, 1, low);
    } else if (arf_is_zero(bracket->high)) {
        arf_set_si_2exp_si(bracket->high, -1, low);
    }
    while (!is_narrow(bracket, precision)) {
        if (!is_narrow(bracket, 4) || !step(bracket, polynomial, derivative, 2 * precision + 64)) {
            halve(bracket, polynomial);
        }
    }
    arb_set_interval_arf(root, bracket->low, bracket->high, precision + 32);
    add(roots, root, multiplicity);
    fmpz_poly_clear(derivative);
    arb_clear(root);
}

/* Of a x^2 + b x + c, in balls. Returns how many are real. */
static int solve_quadratic(arb_t first, arb_t second, const fmpz_poly_t polynomial, slong precision)
{
    fmpz_t discriminant, term;
    fmpz_init(discriminant);
    fmpz_init(term);
    const fmpz *a = fmpz_poly_get_coeff_ptr(polynomial, 2);
    const fmpz *b = fmpz_poly_get_coeff_ptr(polynomial, 1);
    const fmpz *c = fmpz_poly_get_coeff_ptr(polynomial, 0);
    fmpz_mul(discriminant, b, b);
    fmpz_mul(term, a, c);
    fmpz_submul_ui(discriminant, term, 4);
    int count = fmpz_sgn(discriminant) > 0 ? 2 : 0;
    if (count > 0) {
        arb_sqrt_fmpz(first, discriminant, precision);
        if (fmpz_sgn(b) > 0) {
            arb_neg(first, first);
        }
        arb_sub_fmpz(first, first, b, precision); /* twice a r, without cancellation */
        arb_set_fmpz(second, c);
        arb_mul_2exp_si(second, second, 1);
        arb_div(second, second, first, precision);
        arb_div_fmpz(first, first, a, precision);
        arb_mul_2exp_si(first, first, -1);
        if (arf_cmp(arb_midref(first), arb_midref(second)) > 0) {
            arb_swap(first, second);
        }
    }
    fmpz_clear(discriminant);
    fmpz_clear(term);
    return count;
}

/* Points, in their order, at which the cubic has the signs that it has at its turns. */
static int set_turns(arf_t turn[2], int sign[2], const fmpz_poly_t cubic)
{
    fmpz_poly_t derivative;
    arb_t ball[2], value;
    fmpz_poly_init(derivative);
    arb_init(ball[0]);
    arb_init(ball[1]);
    arb_init(value);
    fmpz_poly_derivative(derivative, cubic);
    int count = 0;
    bool certain = false;
    for (slong precision = BALL_FIRST; !certain; precision *= 2) {
        count = solve_quadratic(ball[0], ball[1], derivative, precision);
        certain = true;
        for (int i = 0; i < count; i++) {
            evaluate(value, cubic, ball[i], precision);
            certain = certain && !arb_contains_zero(value);
            sign[i] = arb_is_positive(value) ? 1 : -1;
            arf_set(turn[i], arb_midref(ball[i]));
        }
    }
    fmpz_poly_clear(derivative);
    arb_clear(ball[0]);
    arb_clear(ball[1]);
    arb_clear(value);
    return count;
}

static void add_of_cubic(struct roots *roots, const fmpz_poly_t cubic, unsigned multiplicity,
                         slong precision)
{
    arf_t turn[2];
    int sign[2];
    slong low, high;
    arf_init(turn[0]);
    arf_init(turn[1]);
    int turns = set_turns(turn, sign, cubic);
    int lead = fmpz_sgn(fmpz_poly_get_coeff_ptr(cubic, 3));
    set_exponents(&low, &high, cubic);
    for (int i = 0; i <= turns; i++) {
        int before = i == 0 ? -lead : sign[i - 1];
        int behind = i == turns ? lead : sign[i];
        if (before != behind) {
            struct bracket bracket = {.above = behind};
            bracket_init(&bracket);
            arf_set_si_2exp_si(bracket.low, -1, high);
            arf_set_si_2exp_si(bracket.high, 1, high);
            if (i > 0) {
                arf_set(bracket.low, turn[i - 1]);
            }
            if (i < turns) {
                arf_set(bracket.high, turn[i]);
            }
            add_bracketed(roots, &bracket, cubic, multiplicity, precision);
            bracket_clear(&bracket);
        }
    }
    arf_clear(turn[0]);
    arf_clear(turn[1]);
}

/* The real roots other than 0 of a polynomial without repeated factors. */
static void add_simple(struct roots *roots, const fmpz_poly_t factor, unsigned multiplicity,
                       slong precision)
{
    arb_t first, second;
    arb_init(first);
    arb_init(second);
    switch (fmpz_poly_degree(factor)) {
    case 1:
        arb_fmpz_div_fmpz(first, fmpz_poly_get_coeff_ptr(factor, 0),
                          fmpz_poly_get_coeff_ptr(factor, 1), precision + 32);
        arb_neg(first, first);
        add(roots, first, multiplicity);
        break;
    case 2:
        if (solve_quadratic(first, second, factor, precision + 32) == 2) {
            add(roots, first, multiplicity);
            add(roots, second, multiplicity);
        }
        break;
    case 3:
        add_of_cubic(roots, factor, multiplicity, precision);
        break;
    default:
        break;
    }
    arb_clear(first);
    arb_clear(second);
}

static void add_factor(struct roots *roots, const fmpz_poly_t factor, unsigned multiplicity,
                       slong precision)
{
    fmpz_poly_t rest;
    arb_t zero;
    fmpz_poly_init(rest);
    arb_init(zero);
    fmpz_poly_set(rest, factor);
    if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(factor, 0))) {
        fmpz_poly_shift_right(rest, factor, 1);
        add(roots, zero, multiplicity);
    }
    add_simple(roots, rest, multiplicity, precision);
    fmpz_poly_clear(rest);
    arb_clear(zero);
}

static bool apart(const struct roots *roots)
{
    for (size_t i = 1; i < roots->count; i++) {
        if (arb_overlaps(roots->root[i - 1], roots->root[i])) {
            return false;
        }
    }
    return true;
}

void roots_find(struct roots *roots, const fmpz_poly_t polynomial, slong precision)
{
    fmpz_poly_factor_t factors;
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor_squarefree(factors, polynomial);
    do {
        roots->count = 0;
        for (slong i = 0; i < factors->num; i++) {
            add_factor(roots, factors->p + i, (unsigned)factors->exp[i], precision);
        }
        precision *= 2;
    } while (!apart(roots));
    fmpz_poly_factor_clear(factors);
}
