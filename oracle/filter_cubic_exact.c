/* What double-double leaves open about cubics: signs of whole polynomials in their coefficients, in
 * integers. */
#include "filter_cubic.h"
#include "judge.h"

#include <gmp.h>

/* Integers that are the coefficients of p(2^power y) times a power of 2, from y^3 down. */
struct integers {
    mpz_t k[COEFFICIENTS];
    int power;
};

/* Larger ones are not worth it. */
enum { SPREAD_MAX = 5000 };

/* Returns false where the integers would be too large. */
static bool integers_set(struct integers *integers, const struct polynomial *p, int power)
{
    int first = polynomial_lead(p), exponent[COEFFICIENTS] = {0}, least = 0, most = 0;
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

/* The discriminant's sign, by the same formula as in estimate_cubic_roots.c; leaves P and Q of a
 * cubic as well. */
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

/* Within 2^-103 of itself: both parts are cut off at 53 bits, and so within 2^-52 of themselves;
 * the second is what the first leaves. */
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
        bool twofold_first = approximation_sign(wide_difference(s, t).x) > 0;
        roots_append(roots, twofold_first ? t : s, twofold_first ? 2 : 1);
        roots_append(roots, twofold_first ? s : t, twofold_first ? 1 : 2);
    }
}

int filter_cubic_exact_sign(const struct polynomial *p, struct roots *roots)
{
    /* makes the first coefficient and the last one alike in size */
    int power = (p->exponent[DEGREE_MAX] - p->exponent[polynomial_lead(p)]) / p->degree;
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

/* How many bits below p's terms its value may begin for the ladder to know of it by then, too. */
enum { VALUE_BITS = REPORT_PRECISION - 148 };

int filter_cubic_sign_at_power(const struct polynomial *p, double z, int power)
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
