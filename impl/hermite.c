#include "hermite.h"

TL_VARIANTS(hermite, double, (const tl_key *, const tl_key *, double));
TL_VARIANTS(hermite_coefficients, void, (const tl_key *, const tl_key *, double[4]));

/* The kernel's formula, operation by operation, in a range without ends. */
static tl_scaled formula_scaled(const tl_key *k0, const tl_key *k1, double t)
{
    tl_scaled t0 = tl_scale(k0->time, 0), v0 = tl_scale(k0->value, 0);
    tl_scaled t1 = tl_scale(k1->time, 0), v1 = tl_scale(k1->value, 0);
    tl_scaled m0 = tl_scale(k0->out_tangent, 0), m1 = tl_scale(-k1->in_tangent, 0);
    tl_scaled minus_2 = tl_scale(-2, 0), three = tl_scale(3, 0);

    tl_scaled from = tl_scaled_subtract(tl_scale(t, 0), t0);
    tl_scaled to = tl_scaled_subtract(t1, tl_scale(t, 0));
    tl_scaled h = tl_scaled_subtract(t1, t0);
    tl_scaled x = tl_scaled_divide(from, h), y = tl_scaled_divide(to, h);
    tl_scaled p = tl_scaled_multiply(v0, tl_scaled_fma(minus_2, y, three));
    tl_scaled q = tl_scaled_multiply(v1, tl_scaled_fma(minus_2, x, three));
    p = tl_scaled_multiply(y, tl_scaled_fma(m0, from, p));
    q = tl_scaled_multiply(x, tl_scaled_fma(m1, to, q));
    return tl_scaled_fma(y, p, tl_scaled_multiply(x, q));
}

/* v (x^2 (3 - 2x)) and -m to x^2: an end's two terms. */
static void end_terms(double value, double slope, tl_wide to, tl_wide x, tl_wide terms[2])
{
    tl_wide square = tl_wide_multiply(x, x);
    tl_wide twice = {x.high, x.low, x.exponent + 1};
    tl_wide bend = tl_wide_subtract(tl_widen((tl_dd){3, 0}, 0), twice);
    terms[0] = tl_wide_multiply(tl_widen((tl_dd){value, 0}, 0), tl_wide_multiply(square, bend));
    terms[1] = tl_wide_multiply(tl_widen((tl_dd){slope, 0}, 0), tl_wide_multiply(to, square));
}

/* The four terms in double-double, each within 60 u^2 of itself, and their sum within 80 u^2 S. The
 * radius is 2^-90 S or up to half of that, which leaves room for a blend's roundings as well. */
tl_ball __attribute__((noinline))
TL_KERNEL(hermite_ball)(const tl_key *k0, const tl_key *k1, double t)
{
    bool exact;
    tl_wide from = tl_wide_difference(t, k0->time), to = tl_wide_difference(k1->time, t);
    tl_wide h = tl_wide_difference(k1->time, k0->time);
    tl_wide terms[4];
    end_terms(k0->value, k0->out_tangent, from, tl_wide_divide(to, h, &exact), terms);
    end_terms(k1->value, -k1->in_tangent, to, tl_wide_divide(from, h, &exact), terms + 2);
    tl_wide sum = terms[0], size = tl_wide_magnitude(terms[0]);
    for (int i = 1; i < 4; i++) {
        sum = tl_wide_add(sum, terms[i]);
        size = tl_wide_add(size, tl_wide_magnitude(terms[i]));
    }
    tl_scaled radius = {size.high != 0, (int)size.exponent - 90};
    return (tl_ball){sum, radius};
}

tl_scaled TL_KERNEL(hermite_scaled)(const tl_key *k0, const tl_key *k1, double t)
{
    tl_scaled result = formula_scaled(k0, k1, t);
    return result.exponent < 1000 ? result : tl_ball_number(TL_KERNEL(hermite_ball)(k0, k1, t));
}

/* Everything that the fast path leaves. */
static double __attribute__((noinline)) hermite_rest(const tl_key *k0, const tl_key *k1, double t)
{
    double t0 = k0->time, v0 = k0->value, m0 = k0->out_tangent;
    double t1 = k1->time, v1 = k1->value, m1 = k1->in_tangent;
    if (isnan(t) || !(t0 <= t1)) {
        return NAN;
    }
    if (t >= t1) {
        return v1;
    }
    if (t <= t0 || isinf(m0) || isinf(m1)) {
        return v0;
    }
    if (!tl_is_finite(t0) || !tl_is_finite(t1) || !tl_is_finite(v0) || !tl_is_finite(v1) ||
        isnan(m0) || isnan(m1)) {
        return NAN;
    }
    if (v0 == 0 && v1 == 0 && m0 == 0 && m1 == 0) {
        return 0;
    }
    return tl_unscale(TL_KERNEL(hermite_scaled)(k0, k1, t));
}

/* With x = (t - t0) / h and y = (t1 - t) / h, which is 1 - x, the four terms are
 *     v0 y^2 (3 - 2y),   m0 (t - t0) y^2,   v1 x^2 (3 - 2x),   -m1 (t1 - t) x^2,
 * none of which cancels within itself. x and y are off by 3 u each: two differences, one quotient.
 * A relative error e of x changes x^2 (3 - 2x) by 6y / (3 - 2x) e, at most 2 e; and 3 - 2x rounds
 * by 2 u in absolute terms; both together come to (18 y + 2) / (3 - 2x) u <= 6.67 u. Count, in
 * units of u and of the term itself:
 *     v0   6.67 + product 1 + fma 1 + y p 1 + last fma 1                      = 10.67
 *     m0   t - t0 1 + y^2 6 + fma 1 + y p 1 + last fma 1                      = 10
 *     v1   6.67 + product 1 + fma 1 + x q 1 + x (x q) 1 + last fma 1          = 11.67
 *     m1   t1 - t 1 + x^2 6 + fma 1 + x q 1 + x (x q) 1 + last fma 1          = 11
 * (and terms in u^2, a hundred at most), so K = 12 holds.
 *
 * Underflow: every product that may underflow is multiplied by at most 3 afterwards (x and y are
 * at most 1; an x below 2^-1022 meets x q < 4), so that all of it stays below 2^-1060, a trifle
 * where |result| >= 2^-900 (tl_hermite_least). Overflow, and data that are not finite, leave an
 * infinity or a NaN; h alone overflowing makes x = y = 0 and the result 0 or NaN. */
double TL_KERNEL(hermite)(const tl_key *k0, const tl_key *k1, double t)
{
    if (__builtin_expect(!(k0->time < t && t < k1->time), 0)) {
        return hermite_rest(k0, k1, t);
    }
    double result = tl_hermite_plain(k0, k1, t);
    if (__builtin_expect(tl_is_finite_from(result, tl_hermite_least), 1)) {
        return result;
    }
    return hermite_rest(k0, k1, t);
}

/* Adds count h m to the sum. */
static void accumulate_tangent(tl_accumulator *sum, const tl_key *k0, const tl_key *k1, double m,
                               int count)
{
    for (int i = 0; i < count; i++) {
        tl_accumulate(sum, k1->time, m);
        tl_accumulate(sum, -k0->time, m);
    }
}

/* Where the plain arithmetic left its range: correctly rounded, of finite data. */
static void __attribute__((noinline))
coefficients_exact(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    double m0 = k0->out_tangent, m1 = k1->in_tangent, v0 = k0->value;
    tl_accumulator a = tl_accumulator_zero(), b = a, c = a;
    tl_accumulate(&a, 2, v0);
    tl_accumulate(&a, -2, k1->value);
    accumulate_tangent(&a, k0, k1, m0, 1);
    accumulate_tangent(&a, k0, k1, m1, 1);
    tl_accumulate(&b, -3, v0);
    tl_accumulate(&b, 3, k1->value);
    accumulate_tangent(&b, k0, k1, -m0, 2);
    accumulate_tangent(&b, k0, k1, -m1, 1);
    accumulate_tangent(&c, k0, k1, m0, 1);
    coefficients[0] = tl_accumulator_round(&a);
    coefficients[1] = tl_accumulator_round(&b);
    coefficients[2] = tl_accumulator_round(&c);
    coefficients[3] = v0;
}

/* Roundings that a term meets: of a, v0 and v1 2 (drop, fma), m0 and m1 3 (h, slope, fma); of b,
 * v0 and v1 3 (drop, product, fma), m0 and m1 3 (h, fma, fma); of c 2. Sums are exact where they
 * underflow, and each coefficient's last operation is its only product or fma that might.
 * What overflows leaves an infinity or a NaN in a coefficient; so do data that are not finite. */
void TL_KERNEL(hermite_coefficients)(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    double v0 = k0->value, m0 = k0->out_tangent, m1 = k1->in_tangent;
    double h = k1->time - k0->time;
    double drop = v0 - k1->value;
    double a = fma(h, m0 + m1, 2 * drop);
    double b = fma(-h, fma(2, m0, m1), -3 * drop);
    double c = h * m0;
    if (tl_is_finite(a) && tl_is_finite(b) && tl_is_finite(c) && tl_is_finite(v0)) {
        coefficients[0] = a;
        coefficients[1] = b;
        coefficients[2] = c;
        coefficients[3] = v0;
    } else if (tl_is_finite(k0->time) && tl_is_finite(k1->time) && tl_is_finite(v0) &&
               tl_is_finite(k1->value) && tl_is_finite(m0) && tl_is_finite(m1)) {
        coefficients_exact(k0, k1, coefficients);
    } else {
        for (int i = 0; i < 4; i++) {
            coefficients[i] = NAN;
        }
    }
}

#if TL_PUBLIC
double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    return TL_CALL(hermite, k0, k1, t);
}

void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    TL_CALL(hermite_coefficients, k0, k1, coefficients);
}
#endif
