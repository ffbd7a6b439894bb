#include "answers.h"
#include "vectors.h"

#include <math.h>

/* t and 1 - t, both exact */
struct shares {
    arb_t t, rest;
};

static void shares_init(struct shares *shares, double t)
{
    arb_init(shares->t);
    arb_init(shares->rest);
    ball_set_d(shares->t, t);
    arb_sub_ui(shares->rest, shares->t, 1, ARF_PREC_EXACT);
    arb_neg(shares->rest, shares->rest);
}

static void shares_clear(struct shares *shares)
{
    arb_clear(shares->t);
    arb_clear(shares->rest);
}

/* a + t (b - a), exact */
static void set_lerp(arb_t *value, const struct pair *pair, const struct shares *shares)
{
    arb_t term;
    arb_init(term);
    for (size_t k = 0; k < pair->dimensions; k++) {
        ball_set_d(value[k], pair->a[k]);
        ball_set_d(term, pair->b[k]);
        arb_mul(value[k], value[k], shares->rest, ARF_PREC_EXACT);
        arb_addmul(value[k], term, shares->t, ARF_PREC_EXACT);
    }
    arb_clear(term);
}

/* value = first a + second v */
static void combine(arb_t *value, const struct pair *pair, const arb_t first, const arb_t second,
                    arb_t *v, slong precision)
{
    arb_t component;
    arb_init(component);
    for (size_t k = 0; k < pair->dimensions; k++) {
        ball_set_d(component, pair->a[k]);
        arb_mul(value[k], second, v[k], precision);
        arb_addmul(value[k], first, component, precision);
    }
    arb_clear(component);
}

/* sin((1-t) theta) / (|a| sin(theta)) a + sin(t theta) / (|b| sin(theta)) b, as it is defined */
static void set_spanned(arb_t *value, const struct pair *pair, const struct shares *shares,
                        const arb_t length_a, const arb_t length_b, slong precision)
{
    arb_t angle, sine, first, second, b[DIMENSIONS_MOST];
    arb_init(angle);
    arb_init(sine);
    arb_init(first);
    arb_init(second);
    vector_init(b);
    vectors_angle(angle, pair, precision);
    arb_sin(sine, angle, precision);
    arb_mul(first, shares->rest, angle, precision);
    arb_sin(first, first, precision);
    arb_div(first, first, sine, precision);
    arb_div(first, first, length_a, precision);
    arb_mul(second, shares->t, angle, precision);
    arb_sin(second, second, precision);
    arb_div(second, second, sine, precision);
    arb_div(second, second, length_b, precision);
    for (size_t k = 0; k < pair->dimensions; k++) {
        ball_set_d(b[k], pair->b[k]);
    }
    combine(value, pair, first, second, b, precision);
    vector_clear(b);
    arb_clear(angle);
    arb_clear(sine);
    arb_clear(first);
    arb_clear(second);
}

/* cos(pi t) a/|a| + sin(pi t) p */
static void set_opposite(arb_t *value, const struct pair *pair, const struct shares *shares,
                         const arb_t length_a, slong precision)
{
    arb_t sine, cosine, across[DIMENSIONS_MOST];
    arb_init(sine);
    arb_init(cosine);
    vector_init(across);
    vectors_across(across, pair, precision);
    arb_sin_cos_pi(sine, cosine, shares->t, precision);
    arb_div(cosine, cosine, length_a, precision);
    combine(value, pair, cosine, sine, across, precision);
    vector_clear(across);
    arb_clear(sine);
    arb_clear(cosine);
}

/* What is computed at one precision. */
struct turned {
    arb_t value[DIMENSIONS_MOST], scale, magnitude;
};

/* L = (1 - t)|a| + t|b|; outside of [0, 1], S = (|1 - t||a| + |t||b|)(1 + pi |t|) */
static void set_turned(struct turned *turned, const struct pair *pair, const struct shares *shares,
                       slong precision)
{
    arb_t length, length_a, length_b;
    arb_init(length);
    arb_init(length_a);
    arb_init(length_b);
    arb_sqrt(length_a, pair->aa, precision);
    arb_sqrt(length_b, pair->bb, precision);
    arb_mul(length, shares->rest, length_a, precision);
    arb_abs(turned->scale, length);
    arb_addmul(length, shares->t, length_b, precision);
    arb_abs(turned->magnitude, length);
    if (pair->relation == RELATION_ZERO || pair->relation == RELATION_ALIKE) {
        set_lerp(turned->value, pair, shares);
    } else {
        if (pair->relation == RELATION_SPANNED) {
            set_spanned(turned->value, pair, shares, length_a, length_b, precision);
        } else {
            set_opposite(turned->value, pair, shares, length_a, precision);
        }
        for (size_t k = 0; k < pair->dimensions; k++) {
            arb_mul(turned->value[k], turned->value[k], length, precision);
        }
    }
    if (arb_is_negative(shares->t) || arb_is_negative(shares->rest)) {
        arb_mul(length_b, length_b, shares->t, precision);
        arb_abs(length_b, length_b);
        arb_add(turned->scale, turned->scale, length_b, precision);
        arb_const_pi(length, precision);
        arb_mul(length, length, shares->t, precision);
        arb_abs(length, length);
        arb_add_ui(length, length, 1, precision);
        arb_mul(turned->scale, turned->scale, length, precision);
    } else {
        arb_set(turned->scale, turned->magnitude);
    }
    arb_clear(length);
    arb_clear(length_a);
    arb_clear(length_b);
}

static bool narrow(const struct turned *turned, const struct pair *pair)
{
    bool all = ball_is_narrow(turned->scale, turned->scale) &&
               ball_is_narrow(turned->magnitude, turned->scale);
    for (size_t k = 0; k < pair->dimensions; k++) {
        all = all && ball_is_narrow(turned->value[k], turned->scale);
    }
    return all;
}

static void answer_between(const double *a, const double *b, size_t dimensions, double t,
                           struct second *second)
{
    struct pair pair;
    struct shares shares;
    struct turned turned;
    vectors_open(&pair, a, b, dimensions);
    shares_init(&shares, t);
    vector_init(turned.value);
    arb_init(turned.scale);
    arb_init(turned.magnitude);
    for (slong precision = BALL_FIRST; precision <= BALL_LAST; precision *= 2) {
        set_turned(&turned, &pair, &shares, precision);
        if (narrow(&turned, &pair)) {
            break;
        }
    }
    for (size_t k = 0; k < dimensions; k++) {
        span_set_arb(&second->value[k], turned.value[k]);
    }
    span_set_arb(&second->scale[0], turned.scale);
    span_set_arb(&second->magnitude, turned.magnitude);
    vector_clear(turned.value);
    arb_clear(turned.scale);
    arb_clear(turned.magnitude);
    shares_clear(&shares);
    vectors_close(&pair);
}

void second_slerp3(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    double t = x[6];
    if (isnan(t) || (t > 0 && t < 1 && !finite_numbers(x, 6))) {
        give_nan(second, 3);
    } else if (t <= 0 || t >= 1) {
        give_numbers(second, t <= 0 ? x : x + 3, 3);
    } else {
        answer_between(x, x + 3, 3, t, second);
    }
}

void second_slerp3_unclamped(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    double t = x[6];
    if (t == 0 || t == 1) {
        give_numbers(second, t == 0 ? x : x + 3, 3);
    } else if (!finite_numbers(x, 7)) {
        give_nan(second, 3);
    } else {
        answer_between(x, x + 3, 3, t, second);
    }
}

/* -q where the exact p . q < 0 */
static void set_nearer(double *nearer, const double *p, const double *q)
{
    struct pair pair;
    bool negative = false;
    if (finite_numbers(p, 4) && finite_numbers(q, 4)) {
        vectors_open(&pair, p, q, 4);
        negative = arb_is_negative(pair.ab);
        vectors_close(&pair);
    }
    for (size_t k = 0; k < 4; k++) {
        nearer[k] = negative ? -q[k] : q[k];
    }
}

void second_slerp4(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    double t = x[8], nearer[4];
    set_nearer(nearer, x, x + 4);
    if (isnan(t) || (t > 0 && t < 1 && !finite_numbers(x, 8))) {
        give_nan(second, 4);
    } else if (t <= 0 || t >= 1) {
        give_numbers(second, t <= 0 ? x : nearer, 4);
    } else {
        answer_between(x, nearer, 4, t, second);
    }
}
