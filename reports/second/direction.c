#include "answers.h"
#include "vectors.h"

enum { DIMENSIONS = 3, PHI = 6 };

void second_angle3(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    if (!finite_numbers(x, PHI)) {
        give_nan(second, 1);
        return;
    }
    static const double zero = 0;
    struct pair pair;
    arb_t angle;
    arb_init(angle);
    vectors_open(&pair, x, x + DIMENSIONS, DIMENSIONS);
    if (pair.relation == RELATION_OPPOSITE) {
        arb_const_pi(angle, BALL_FIRST);
    } else if (pair.relation == RELATION_SPANNED) {
        vectors_angle(angle, &pair, BALL_FIRST);
    } else {
        give_numbers(second, &zero, 1);
    }
    span_set_arb(&second->value[0], angle);
    vectors_close(&pair);
    arb_clear(angle);
}

/* cos(phi) a + sin(phi) |a| w */
static void set_turned(arb_t *value, const struct pair *pair, double phi, slong precision)
{
    arb_t sine, cosine, length, across[DIMENSIONS_MOST];
    arb_init(sine);
    arb_init(cosine);
    arb_init(length);
    vector_init(across);
    vectors_across(across, pair, precision);
    ball_set_d(sine, phi);
    arb_sin_cos(sine, cosine, sine, precision);
    arb_sqrt(length, pair->aa, precision);
    arb_mul(sine, sine, length, precision);
    for (size_t k = 0; k < DIMENSIONS; k++) {
        ball_set_d(length, pair->a[k]);
        arb_mul(value[k], length, cosine, precision);
        arb_addmul(value[k], sine, across[k], precision);
    }
    vector_clear(across);
    arb_clear(sine);
    arb_clear(cosine);
    arb_clear(length);
}

static bool narrow(arb_t *value, const arb_t scale)
{
    bool all = true;
    for (size_t k = 0; k < DIMENSIONS; k++) {
        all = all && ball_is_narrow(value[k], scale);
    }
    return all;
}

void second_rotate_toward3(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    if (!finite_numbers(x, PHI + 1)) {
        give_nan(second, DIMENSIONS);
        return;
    }
    static const double zero[DIMENSIONS] = {0, 0, 0};
    if (x[0] == 0 && x[1] == 0 && x[2] == 0) {
        give_numbers(second, zero, DIMENSIONS);
        return;
    }
    struct pair pair;
    arb_t value[DIMENSIONS_MOST], length, scale;
    vector_init(value);
    arb_init(length);
    arb_init(scale);
    vectors_open(&pair, x, x + DIMENSIONS, DIMENSIONS);
    arb_sqrt(length, pair.aa, BALL_FIRST);
    ball_set_d(scale, x[PHI]);
    arb_abs(scale, scale);
    arb_add_ui(scale, scale, 1, ARF_PREC_EXACT);
    arb_mul(scale, scale, length, BALL_FIRST);
    for (slong precision = BALL_FIRST; precision <= BALL_LAST; precision *= 2) {
        set_turned(value, &pair, x[PHI], precision);
        if (narrow(value, length)) {
            break;
        }
    }
    for (size_t k = 0; k < DIMENSIONS; k++) {
        span_set_arb(&second->value[k], value[k]);
    }
    span_set_arb(&second->magnitude, length);
    span_set_arb(&second->scale[0], scale);
    vector_clear(value);
    arb_clear(length);
    arb_clear(scale);
    vectors_close(&pair);
}
