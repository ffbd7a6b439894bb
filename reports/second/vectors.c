#include "vectors.h"

#include <math.h>

static void set_dot(arb_t dot, const double *a, const double *b, size_t dimensions)
{
    arf_t x, y;
    arf_init(x);
    arf_init(y);
    arb_zero(dot);
    for (size_t k = 0; k < dimensions; k++) {
        arf_set_d(x, a[k]);
        arf_set_d(y, b[k]);
        arf_mul(x, x, y, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_add(arb_midref(dot), arb_midref(dot), x, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arf_clear(x);
    arf_clear(y);
}

void vectors_open(struct pair *pair, const double *a, const double *b, size_t dimensions)
{
    *pair = (struct pair){.dimensions = dimensions, .a = a, .b = b};
    arf_t square;
    arf_init(square);
    arb_init(pair->aa);
    arb_init(pair->bb);
    arb_init(pair->ab);
    arb_init(pair->gram);
    set_dot(pair->aa, a, a, dimensions);
    set_dot(pair->bb, b, b, dimensions);
    set_dot(pair->ab, a, b, dimensions);
    arf_mul(square, arb_midref(pair->ab), arb_midref(pair->ab), ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul(arb_midref(pair->gram), arb_midref(pair->aa), arb_midref(pair->bb), ARF_PREC_EXACT,
            ARF_RND_DOWN);
    arf_sub(arb_midref(pair->gram), arb_midref(pair->gram), square, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_clear(square);
    if (!arb_is_zero(pair->gram)) {
        pair->relation = RELATION_SPANNED;
    } else if (arb_is_zero(pair->ab)) {
        pair->relation = RELATION_ZERO;
    } else {
        pair->relation = arb_is_positive(pair->ab) ? RELATION_ALIKE : RELATION_OPPOSITE;
    }
}

void vectors_close(struct pair *pair)
{
    arb_clear(pair->aa);
    arb_clear(pair->bb);
    arb_clear(pair->ab);
    arb_clear(pair->gram);
}

void vectors_angle(arb_t angle, const struct pair *pair, slong precision)
{
    arb_t across;
    arb_init(across);
    arb_sqrt(across, pair->gram, precision);
    arb_atan2(angle, across, pair->ab, precision);
    arb_clear(across);
}

static size_t smallest_component(const struct pair *pair)
{
    size_t smallest = 0;
    for (size_t k = 1; k < pair->dimensions; k++) {
        smallest = fabs(pair->a[k]) < fabs(pair->a[smallest]) ? k : smallest;
    }
    return smallest;
}

/* Gram's and Schmidt's |a|^2 v - (a . v) a, exact, over its length; v is b or the axis. */
void vectors_across(arb_t *across, const struct pair *pair, slong precision)
{
    double axis[DIMENSIONS_MOST] = {0};
    const double *towards = pair->b;
    arb_t projection, length, square;
    arb_init(projection);
    arb_init(length);
    arb_init(square);
    if (pair->relation != RELATION_SPANNED) {
        axis[smallest_component(pair)] = 1;
        towards = axis;
    }
    set_dot(projection, pair->a, towards, pair->dimensions);
    for (size_t k = 0; k < pair->dimensions; k++) {
        ball_set_d(across[k], towards[k]);
        ball_set_d(square, pair->a[k]);
        arb_mul(across[k], across[k], pair->aa, ARF_PREC_EXACT);
        arb_mul(square, square, projection, ARF_PREC_EXACT);
        arb_sub(across[k], across[k], square, ARF_PREC_EXACT);
        arb_addmul(length, across[k], across[k], ARF_PREC_EXACT);
    }
    arb_sqrt(length, length, precision);
    for (size_t k = 0; k < pair->dimensions; k++) {
        arb_div(across[k], across[k], length, precision);
    }
    arb_clear(projection);
    arb_clear(length);
    arb_clear(square);
}

void vector_init(arb_t *vector)
{
    for (size_t k = 0; k < DIMENSIONS_MOST; k++) {
        arb_init(vector[k]);
    }
}

void vector_clear(arb_t *vector)
{
    for (size_t k = 0; k < DIMENSIONS_MOST; k++) {
        arb_clear(vector[k]);
    }
}
