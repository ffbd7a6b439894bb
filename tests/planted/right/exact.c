/* The contract's formulas as they stand, in MPFR: sums and products of doubles exactly, all else
 * to 2^-300 of itself, and one rounding at the end. Slow, and right. */
#include "rules.h"

#include <mpfr.h>

enum {
    WIDE = 4400,  /* holds any sum of products of two doubles */
    ENOUGH = 320, /* for factors */
    ANGLE = 1500, /* for angles of very many turns */
};

static mpfr_prec_t angle_bits(double t)
{
    return fabs(t) < 0x1p100 ? ENOUGH : ANGLE;
}

static const mpfr_rnd_t nearest = MPFR_RNDN;

/* count numbers of so many bits, as an array. */
#define NUMBERS(name, count, precision)                                                            \
    mpfr_t name[count];                                                                            \
    start(name, count, precision)

static void start(mpfr_t *x, int count, mpfr_prec_t precision)
{
    for (int i = 0; i < count; i++) {
        mpfr_init2(x[i], precision);
        mpfr_set_zero(x[i], 1);
    }
}

static void end(mpfr_t *x, int count)
{
    for (int i = 0; i < count; i++) {
        mpfr_clear(x[i]);
    }
}

/* sum += a b */
static void add_product(mpfr_t sum, double a, double b)
{
    NUMBERS(x, 1, 106);
    mpfr_set_d(x[0], a, nearest);
    mpfr_mul_d(x[0], x[0], b, nearest);
    mpfr_add(sum, sum, x[0], nearest);
    end(x, 1);
}

static double lerp_of(double a, double b, double t)
{
    NUMBERS(sum, 1, WIDE);
    add_product(sum[0], a, 1);
    add_product(sum[0], t, b);
    add_product(sum[0], -t, a);
    double result = mpfr_get_d(sum[0], nearest);
    end(sum, 1);
    return result;
}

EXPORT double tl_lerp(double a, double b, double t)
{
    double result;
    return lerp_ruled(a, b, t, &result) ? result : lerp_of(a, b, t);
}

EXPORT double tl_lerp_cr(double a, double b, double t)
{
    return tl_lerp(a, b, t);
}

EXPORT double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    double result;
    if (hermite_ruled(k0, k1, t, &result)) {
        return result;
    }
    enum { H, X, Y, SUM, TERM, COUNT };
    NUMBERS(n, COUNT, WIDE);
    add_product(n[H], k1->time, 1);
    add_product(n[H], -k0->time, 1);
    add_product(n[X], t, 1);
    add_product(n[X], -k0->time, 1);
    add_product(n[Y], k1->time, 1);
    add_product(n[Y], -t, 1);
    /* h^3 F = v0 y^2 (3h - 2y) + m0 h x y^2 + v1 x^2 (3h - 2x) - m1 h y x^2, x and y times h */
    for (int side = 0; side < 2; side++) {
        const mpfr_t *near = &n[side ? X : Y], *far = &n[side ? Y : X];
        mpfr_mul_ui(n[TERM], n[H], 3, nearest);
        mpfr_sub(n[TERM], n[TERM], *near, nearest);
        mpfr_sub(n[TERM], n[TERM], *near, nearest);
        mpfr_mul_d(n[TERM], n[TERM], side ? k1->value : k0->value, nearest);
        NUMBERS(slope, 1, WIDE);
        mpfr_mul(slope[0], n[H], *far, nearest);
        mpfr_mul_d(slope[0], slope[0], side ? -k1->in_tangent : k0->out_tangent, nearest);
        mpfr_add(n[TERM], n[TERM], slope[0], nearest);
        end(slope, 1);
        mpfr_mul(n[TERM], n[TERM], *near, nearest);
        mpfr_mul(n[TERM], n[TERM], *near, nearest);
        mpfr_add(n[SUM], n[SUM], n[TERM], nearest);
    }
    for (int i = 0; i < 3; i++) {
        mpfr_div(n[SUM], n[SUM], n[H], nearest);
    }
    result = mpfr_get_d(n[SUM], nearest);
    end(n, COUNT);
    return result;
}

/* c = v v0 - v v1 + h (m m0 + n m1) */
static double coefficient(const tl_key *k0, const tl_key *k1, int v, int m, int n)
{
    NUMBERS(sum, 1, WIDE);
    add_product(sum[0], v, k0->value);
    add_product(sum[0], -v, k1->value);
    for (int i = 0; i < 2; i++) {
        const double time = i ? -k0->time : k1->time;
        for (int j = 0; j < (m < 0 ? -m : m); j++) {
            add_product(sum[0], m < 0 ? -time : time, k0->out_tangent);
        }
        for (int j = 0; j < (n < 0 ? -n : n); j++) {
            add_product(sum[0], n < 0 ? -time : time, k1->in_tangent);
        }
    }
    double result = mpfr_get_d(sum[0], nearest);
    end(sum, 1);
    return result;
}

EXPORT void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double c[4])
{
    if (coefficients_ruled(k0, k1, c)) {
        return;
    }
    c[0] = coefficient(k0, k1, 2, 1, 1);
    c[1] = coefficient(k0, k1, -3, -2, -1);
    c[2] = coefficient(k0, k1, 0, 1, 0);
    c[3] = k0->value;
}

/* The exact dot product of vectors. */
static void dot_of(mpfr_t sum, const double *a, const double *b, int count)
{
    mpfr_set_zero(sum, 1);
    for (int k = 0; k < count; k++) {
        add_product(sum, a[k], b[k]);
    }
}

static void root_of_dot(mpfr_t length, const double *a, int count)
{
    NUMBERS(sum, 1, WIDE);
    dot_of(sum[0], a, a, count);
    mpfr_sqrt(length, sum[0], nearest);
    end(sum, 1);
}

/* All minors p_i q_j - p_j q_i, i < j, exactly; whether any is not 0. `length` is theirs. */
static bool minors_of(const double *p, const double *q, int count, mpfr_t *minor, mpfr_t length)
{
    NUMBERS(square, 2, mpfr_get_prec(length));
    bool across = false;
    int m = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++, m++) {
            mpfr_set_zero(minor[m], 1);
            add_product(minor[m], p[i], q[j]);
            add_product(minor[m], -p[j], q[i]);
            across = across || !mpfr_zero_p(minor[m]);
            mpfr_sqr(square[1], minor[m], nearest);
            mpfr_add(square[0], square[0], square[1], nearest);
        }
    }
    mpfr_sqrt(length, square[0], nearest);
    end(square, 2);
    return across;
}

/* gain (cos(phi) p + sin(phi) m / |n|), m_i = sum over j of p_j (p_j q_i - p_i q_j), |m| = |p| |n|:
 * q counts through the minors only. */
static void turned(const double *p, const mpfr_t *minor, int count, const mpfr_t phi,
                   const mpfr_t gain, const mpfr_t length, double *result)
{
    enum { SUM, TERM, COUNT };
    enum { COSINE, SINE };
    NUMBERS(n, COUNT, WIDE);
    NUMBERS(part, 2, ENOUGH);
    double r[4];
    mpfr_sin_cos(part[SINE], part[COSINE], phi, nearest);
    mpfr_mul(part[COSINE], part[COSINE], gain, nearest);
    mpfr_mul(part[SINE], part[SINE], gain, nearest);
    mpfr_div(part[SINE], part[SINE], length, nearest);
    for (int i = 0; i < count; i++) {
        mpfr_set_zero(n[SUM], 1);
        for (int j = 0, m = 0; j < count; j++) {
            for (int k = j + 1; k < count; k++, m++) {
                if (i == j || i == k) { /* n_jk = p_j q_k - p_k q_j */
                    mpfr_mul_d(n[TERM], minor[m], i == k ? p[j] : -p[k], nearest);
                    mpfr_add(n[SUM], n[SUM], n[TERM], nearest);
                }
            }
        }
        mpfr_mul(n[SUM], n[SUM], part[SINE], nearest);
        mpfr_mul_d(n[TERM], part[COSINE], p[i], nearest);
        mpfr_add(n[SUM], n[SUM], n[TERM], nearest);
        r[i] = mpfr_get_d(n[SUM], nearest);
    }
    memcpy(result, r, (size_t)count * sizeof *r);
    end(n, COUNT);
    end(part, 2);
}

/* theta; of opposite vectors pi, and then the minors become those of p and e_k. */
static void angle_of(mpfr_t theta, const double *a, const double *b, int count, mpfr_t *minor,
                     mpfr_t length, bool across)
{
    NUMBERS(dot, 1, WIDE);
    dot_of(dot[0], a, b, count);
    if (across) {
        mpfr_atan2(theta, length, dot[0], nearest);
    } else {
        double unit[4] = {0, 0, 0, 0};
        unit[smallest_of(a)] = 1;
        minors_of(a, unit, count, minor, length);
        mpfr_const_pi(theta, nearest);
    }
    end(dot, 1);
}

static void lerp_all(const double *a, const double *b, double t, int count, double *result)
{
    for (int k = 0; k < count; k++) {
        result[k] = a[k] == b[k] ? a[k] : lerp_of(a[k], b[k], t);
    }
}

/* Of finite vectors, for t that no rule decides. */
static void slerp(const double *a, const double *b, double t, int count, double *result)
{
    enum { THETA, GAIN, SHARE, SIZE, DOT, COUNT };
    NUMBERS(minor, 6, 2200);
    NUMBERS(length, 1, angle_bits(t));
    NUMBERS(n, COUNT, angle_bits(t));
    mpfr_set_prec(n[DOT], WIDE);
    dot_of(n[DOT], a, b, count);
    bool across = minors_of(a, b, count, minor, length[0]);
    if (is_zero(a, count) || is_zero(b, count) || (!across && mpfr_sgn(n[DOT]) > 0)) {
        lerp_all(a, b, t, count, result);
    } else {
        angle_of(n[THETA], a, b, count, minor, length[0], across);
        mpfr_mul_d(n[THETA], n[THETA], t, nearest);
        root_of_dot(n[SHARE], b, count);
        root_of_dot(n[SIZE], a, count);
        mpfr_div(n[SHARE], n[SHARE], n[SIZE], nearest);
        mpfr_mul_d(n[SHARE], n[SHARE], t, nearest);
        mpfr_set_d(n[GAIN], t, nearest);
        mpfr_ui_sub(n[GAIN], 1, n[GAIN], nearest);
        mpfr_add(n[GAIN], n[GAIN], n[SHARE], nearest);
        turned(a, minor, count, n[THETA], n[GAIN], length[0], result);
    }
    end(minor, 6);
    end(length, 1);
    end(n, COUNT);
}

EXPORT void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    if (!turn_ruled(a, b, t, 3, true, result)) {
        slerp(a, b, t, 3, result);
    }
}

EXPORT void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    if (!turn_ruled(a, b, t, 3, false, result)) {
        slerp(a, b, t, 3, result);
    }
}

EXPORT void tl_slerp4(const double p[4], const double q[4], double t, double result[4])
{
    double nearer[4];
    memcpy(nearer, q, sizeof nearer);
    if (all_finite(p, 4) && all_finite(q, 4)) {
        NUMBERS(dot, 1, WIDE);
        dot_of(dot[0], p, q, 4);
        for (int k = 0; k < 4 && mpfr_sgn(dot[0]) < 0; k++) {
            nearer[k] = -q[k];
        }
        end(dot, 1);
    }
    if (!turn_ruled(p, nearer, t, 4, true, result)) {
        slerp(p, nearer, t, 4, result);
    }
}

EXPORT double tl_angle3(const double a[3], const double b[3])
{
    if (!all_finite(a, 3) || !all_finite(b, 3)) {
        return NAN;
    }
    if (is_zero(a, 3) || is_zero(b, 3)) {
        return 0;
    }
    NUMBERS(minor, 3, 2200);
    NUMBERS(n, 3, ENOUGH);
    mpfr_set_prec(n[1], WIDE);
    minors_of(a, b, 3, minor, n[0]);
    dot_of(n[1], a, b, 3);
    mpfr_atan2(n[2], n[0], n[1], nearest);
    double result = mpfr_get_d(n[2], nearest);
    end(minor, 3);
    end(n, 3);
    return result;
}

EXPORT void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    if (!all_finite(a, 3) || !all_finite(b, 3) || !isfinite(phi)) {
        result[0] = result[1] = result[2] = NAN;
        return;
    }
    if (is_zero(a, 3)) {
        result[0] = result[1] = result[2] = 0;
        return;
    }
    enum { THETA, PHI, GAIN, LENGTH, COUNT };
    NUMBERS(minor, 3, 2200);
    NUMBERS(n, COUNT, angle_bits(phi));
    if (!minors_of(a, b, 3, minor, n[LENGTH])) {
        angle_of(n[THETA], a, b, 3, minor, n[LENGTH], false);
    }
    mpfr_set_d(n[PHI], phi, nearest);
    mpfr_set_ui(n[GAIN], 1, nearest);
    turned(a, minor, 3, n[PHI], n[GAIN], n[LENGTH], result);
    end(minor, 3);
    end(n, COUNT);
}
