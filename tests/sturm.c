#include "sturm.h"

static void init(struct polynomial *p)
{
    p->degree = -1;
    for (int i = 0; i < 4; i++) {
        mpq_init(p->c[i]);
    }
}

static void clear(struct polynomial *p)
{
    for (int i = 0; i < 4; i++) {
        mpq_clear(p->c[i]);
    }
}

static void trim(struct polynomial *p)
{
    while (p->degree >= 0 && mpq_sgn(p->c[p->degree]) == 0) {
        p->degree--;
    }
}

static void copy(struct polynomial *to, const struct polynomial *from)
{
    to->degree = from->degree;
    for (int i = 0; i < 4; i++) {
        mpq_set(to->c[i], from->c[i]);
    }
}

/* One with leading coefficient 1 or -1 has the same signs everywhere. */
static void normalise(struct polynomial *p)
{
    if (p->degree < 0) {
        return;
    }
    mpq_t factor;
    mpq_init(factor);
    mpq_abs(factor, p->c[p->degree]);
    for (int i = 0; i <= p->degree; i++) {
        mpq_div(p->c[i], p->c[i], factor);
    }
    mpq_clear(factor);
}

static void differentiate(struct polynomial *derivative, const struct polynomial *p)
{
    mpq_t factor;
    mpq_init(factor);
    derivative->degree = p->degree > 0 ? p->degree - 1 : -1;
    for (int i = 0; i <= derivative->degree; i++) {
        mpq_set_si(factor, i + 1, 1);
        mpq_mul(derivative->c[i], p->c[i + 1], factor);
    }
    mpq_clear(factor);
}

/* p = quotient divisor + rest; the divisor is not 0. */
static void divide(struct polynomial *quotient, struct polynomial *rest, const struct polynomial *p,
                   const struct polynomial *divisor)
{
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    copy(rest, p);
    quotient->degree = p->degree - divisor->degree;
    for (int shift = quotient->degree; shift >= 0; shift--) {
        mpq_div(factor, rest->c[shift + divisor->degree], divisor->c[divisor->degree]);
        mpq_set(quotient->c[shift], factor);
        for (int i = 0; i <= divisor->degree; i++) {
            mpq_mul(term, factor, divisor->c[i]);
            mpq_sub(rest->c[shift + i], rest->c[shift + i], term);
        }
    }
    rest->degree = p->degree < divisor->degree ? p->degree : divisor->degree - 1;
    trim(rest);
    mpq_clears(factor, term, NULL);
}

static void set_common_divisor(struct polynomial *common, const struct polynomial *x,
                               const struct polynomial *y)
{
    struct polynomial next, rest, quotient;
    init(&next);
    init(&rest);
    init(&quotient);
    copy(common, x);
    copy(&next, y);
    while (next.degree >= 0) {
        divide(&quotient, &rest, common, &next);
        copy(common, &next);
        copy(&next, &rest);
        normalise(&next);
    }
    clear(&next);
    clear(&rest);
    clear(&quotient);
}

/* Sturm's chain of a polynomial without repeated factors. */
static void set_chain(struct sturm *sturm, const struct polynomial *simple)
{
    struct polynomial quotient;
    init(&quotient);
    copy(&sturm->chain[0], simple);
    normalise(&sturm->chain[0]);
    differentiate(&sturm->chain[1], &sturm->chain[0]);
    sturm->length = sturm->chain[1].degree >= 0 ? 2 : 1;
    while (sturm->length > 1 && sturm->chain[sturm->length - 1].degree > 0) {
        struct polynomial *next = &sturm->chain[sturm->length];
        divide(&quotient, next, next - 2, next - 1);
        for (int i = 0; i <= next->degree; i++) {
            mpq_neg(next->c[i], next->c[i]);
        }
        normalise(next);
        sturm->length++;
    }
    clear(&quotient);
}

static void evaluate(mpq_t value, const struct polynomial *p, const mpq_t x)
{
    mpq_set_ui(value, 0, 1);
    for (int i = p->degree; i >= 0; i--) {
        mpq_mul(value, value, x);
        mpq_add(value, value, p->c[i]);
    }
}

/* Of the signs of the chain at x; beyond all roots for side = -1 or 1. */
static int sign_changes(const struct sturm *sturm, const mpq_t x, int side)
{
    mpq_t value;
    mpq_init(value);
    int changes = 0, last = 0;
    for (int i = 0; i < sturm->length; i++) {
        const struct polynomial *p = &sturm->chain[i];
        int sign;
        if (side != 0) {
            sign = mpq_sgn(p->c[p->degree]) * (side < 0 && p->degree % 2 == 1 ? -1 : 1);
        } else {
            evaluate(value, p, x);
            sign = mpq_sgn(value);
        }
        changes += sign != 0 && last != 0 && sign != last;
        last = sign != 0 ? sign : last;
    }
    mpq_clear(value);
    return changes;
}

int sturm_count_below(const struct sturm *sturm, const mpq_t x, bool equal)
{
    mpq_t value;
    mpq_init(value);
    evaluate(value, &sturm->chain[0], x);
    bool root = mpq_sgn(value) == 0;
    mpq_clear(value);
    return sign_changes(sturm, x, -1) - sign_changes(sturm, x, 0) - (root && !equal);
}

/* Of the only root that p shares with its derivative. */
static void set_multiplicities(struct sturm *sturm, const struct polynomial *common)
{
    for (int i = 0; i < 3; i++) {
        sturm->multiplicity[i] = 1;
    }
    if (common->degree > 0) {
        mpq_t root, factor;
        mpq_inits(root, factor, NULL);
        mpq_div(root, common->c[common->degree - 1], common->c[common->degree]);
        mpq_set_si(factor, -common->degree, 1);
        mpq_div(root, root, factor);
        sturm->multiplicity[sturm_count_below(sturm, root, false)] = 1 + common->degree;
        mpq_clears(root, factor, NULL);
    }
}

void sturm_open(struct sturm *sturm, const double coefficients[4])
{
    struct polynomial common, derivative, simple, rest;
    init(&common);
    init(&derivative);
    init(&simple);
    init(&rest);
    init(&sturm->p);
    for (int i = 0; i < 5; i++) {
        init(&sturm->chain[i]);
    }
    for (int i = 0; i < 4; i++) {
        mpq_set_d(sturm->p.c[i], coefficients[3 - i]);
    }
    sturm->p.degree = 3;
    trim(&sturm->p);
    differentiate(&derivative, &sturm->p);
    set_common_divisor(&common, &sturm->p, &derivative);
    divide(&simple, &rest, &sturm->p, &common);
    set_chain(sturm, &simple);
    sturm->count = sign_changes(sturm, NULL, -1) - sign_changes(sturm, NULL, 1);
    set_multiplicities(sturm, &common);
    clear(&common);
    clear(&derivative);
    clear(&simple);
    clear(&rest);
}

void sturm_close(struct sturm *sturm)
{
    clear(&sturm->p);
    for (int i = 0; i < 5; i++) {
        clear(&sturm->chain[i]);
    }
}

static void set_power(mpq_t power, int sign, long exponent)
{
    mpq_set_si(power, sign, 1);
    if (exponent >= 0) {
        mpq_mul_2exp(power, power, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(power, power, (mp_bitcnt_t)-exponent);
    }
}

/* Is root i at or below x? */
static bool is_at_most(const struct sturm *sturm, int i, const mpq_t x)
{
    return sturm_count_below(sturm, x, true) > i;
}

/* Puts it between two powers of 2, which all doubles' polynomials allow between 2^-4300 and 2^4300.
 */
static void locate_exponent(const struct sturm *sturm, int i, int sign, mpq_t low, mpq_t high)
{
    long least = -4300, most = 4300;
    while (most - least > 1) {
        long middle = least + (most - least) / 2;
        set_power(low, sign, middle);
        bool below = is_at_most(sturm, i, low);
        *(below == (sign > 0) ? &most : &least) = middle;
    }
    set_power(low, sign, sign > 0 ? least : most);
    set_power(high, sign, sign > 0 ? most : least);
}

void sturm_locate(const struct sturm *sturm, int i, long bits, mpq_t low, mpq_t high)
{
    mpq_t middle;
    mpq_init(middle);
    if (sturm_count_below(sturm, middle, false) <= i && is_at_most(sturm, i, middle)) {
        mpq_set(low, middle);
        mpq_set(high, middle);
    } else {
        locate_exponent(sturm, i, is_at_most(sturm, i, middle) ? -1 : 1, low, high);
        for (long step = 0; step <= bits; step++) {
            mpq_add(middle, low, high);
            mpq_div_2exp(middle, middle, 1);
            mpq_set(is_at_most(sturm, i, middle) ? high : low, middle);
        }
        if (sturm_count_below(sturm, high, false) <= i) {
            mpq_set(low, high);
        }
    }
    mpq_clear(middle);
}

void sturm_evaluate(const struct sturm *sturm, const mpq_t x, mpq_t value, mpq_t size)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(value, 0, 1);
    mpq_set_ui(size, 0, 1);
    for (int i = sturm->p.degree; i >= 0; i--) {
        mpq_mul(value, value, x);
        mpq_add(value, value, sturm->p.c[i]);
        mpq_abs(term, x);
        mpq_mul(size, size, term);
        mpq_abs(term, sturm->p.c[i]);
        mpq_add(size, size, term);
    }
    mpq_clear(term);
}

bool sturm_is_small(const struct sturm *sturm, const mpq_t x, double K)
{
    mpq_t value, size, factor;
    mpq_inits(value, size, factor, NULL);
    sturm_evaluate(sturm, x, value, size);
    mpq_set_d(factor, K * 0x1p-53);
    mpq_mul(size, size, factor);
    mpq_abs(value, value);
    bool small = mpq_cmp(value, size) <= 0;
    mpq_clears(value, size, factor, NULL);
    return small;
}
