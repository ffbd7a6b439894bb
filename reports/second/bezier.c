#include "answers.h"
#include "roots.h"

#include <math.h>

#include <flint/fmpq_poly.h>

/* 3 w, of a weight clamped to [0, 1] or of the real 1/3 */
static void set_triple(mpq_t triple, double weight)
{
    mpq_t three;
    mpq_init(three);
    mpq_set_ui(three, 3, 1);
    if (isnan(weight)) {
        mpq_set_ui(triple, 1, 1);
    } else {
        mpq_set_d(triple, weight < 0 ? 0 : (weight > 1 ? 1 : weight));
        mpq_mul(triple, triple, three);
    }
    mpq_clear(three);
}

static void set_coefficient(fmpq_poly_t polynomial, slong i, const mpq_t coefficient)
{
    fmpq_t fraction;
    fmpq_init(fraction);
    fmpq_set_mpq(fraction, coefficient);
    fmpq_poly_set_coeff_fmpq(polynomial, i, fraction);
    fmpq_clear(fraction);
}

/* The share of time at the parameter s, less that at t, times an integer:
 *     3 w0 s (1 - s)^2 + 3 (1 - w1) s^2 (1 - s) + s^3 - x
 *   = (3 w0 + 3 w1 - 2) s^3 + (3 - 6 w0 - 3 w1) s^2 + 3 w0 s - x,    x = (t - t0)/(t1 - t0). */
static void set_polynomial(fmpz_poly_t integers, const struct segment *segment, const mpq_t t)
{
    mpq_t out, in, sum, term;
    fmpq_poly_t polynomial;
    mpq_inits(out, in, sum, term, NULL);
    fmpq_poly_init(polynomial);
    set_triple(out, segment->w0);
    set_triple(in, segment->w1);
    set_coefficient(polynomial, 1, out);
    mpq_add(sum, out, in);
    mpq_set_ui(term, 2, 1);
    mpq_sub(term, sum, term);
    set_coefficient(polynomial, 3, term);
    mpq_add(sum, sum, out);
    mpq_set_ui(term, 3, 1);
    mpq_sub(term, term, sum);
    set_coefficient(polynomial, 2, term);
    mpq_set_d(term, segment->t0);
    mpq_sub(sum, term, t);
    mpq_set_d(out, segment->t1);
    mpq_sub(out, out, term);
    mpq_div(sum, sum, out);
    set_coefficient(polynomial, 0, sum);
    fmpq_poly_get_numerator(integers, polynomial);
    fmpq_poly_clear(polynomial);
    mpq_clears(out, in, sum, term, NULL);
}

/* The root between 0 and 1: there is one. */
static void set_parameter(arb_t s, const fmpz_poly_t polynomial, slong precision)
{
    struct roots roots;
    arb_t unit;
    roots_init(&roots);
    arb_init(unit);
    roots_find(&roots, polynomial, precision);
    arb_indeterminate(s);
    for (size_t i = 0; i < roots.count; i++) {
        arb_sub_ui(unit, roots.root[i], 1, precision);
        if (arb_is_positive(roots.root[i]) && arb_is_negative(unit)) {
            arb_set(s, roots.root[i]);
        }
    }
    arb_clear(unit);
    roots_clear(&roots);
}

struct terms {
    arb_t v0, m0, v1, m1; /* before the Bernstein polynomials, all but the slopes' signs */
};

static void terms_init(struct terms *terms)
{
    arb_init(terms->v0);
    arb_init(terms->m0);
    arb_init(terms->v1);
    arb_init(terms->m1);
}

static void terms_clear(struct terms *terms)
{
    arb_clear(terms->v0);
    arb_clear(terms->m0);
    arb_clear(terms->v1);
    arb_clear(terms->m1);
}

/* w m h */
static void set_handle(arb_t handle, double weight, double slope, const struct segment *segment,
                       slong precision)
{
    mpq_t product, factor;
    mpq_inits(product, factor, NULL);
    mpq_set_d(product, segment->t1);
    mpq_set_d(factor, segment->t0);
    mpq_sub(product, product, factor);
    mpq_set_d(factor, slope);
    mpq_mul(product, product, factor);
    set_triple(factor, weight);
    mpq_mul(product, product, factor);
    mpq_set_ui(factor, 3, 1);
    mpq_div(product, product, factor);
    ball_set_q(handle, product, precision);
    mpq_clears(product, factor, NULL);
}

/* v0 (B0 + B1) + w0 m0 h B1 + v1 (B2 + B3) - w1 m1 h B2 and the sum of the sizes. */
static void set_sums(arb_t value, arb_t scale, const struct segment *segment, const arb_t s,
                     slong precision)
{
    arb_t rest, b[4];
    struct terms terms;
    arb_init(rest);
    terms_init(&terms);
    arb_sub_ui(rest, s, 1, precision);
    arb_neg(rest, rest);
    for (int i = 0; i < 4; i++) {
        arb_init(b[i]);
        arb_set_ui(b[i], i == 0 || i == 3 ? 1 : 3);
        for (int k = 0; k < 3; k++) {
            arb_mul(b[i], b[i], k < i ? s : rest, precision);
        }
    }
    set_handle(terms.m0, segment->w0, segment->m0, segment, precision);
    set_handle(terms.m1, segment->w1, -segment->m1, segment, precision);
    arb_mul(terms.m0, terms.m0, b[1], precision);
    arb_mul(terms.m1, terms.m1, b[2], precision);
    arb_add(b[0], b[0], b[1], precision);
    arb_add(b[3], b[3], b[2], precision);
    ball_set_d(terms.v0, segment->v0);
    ball_set_d(terms.v1, segment->v1);
    arb_mul(terms.v0, terms.v0, b[0], precision);
    arb_mul(terms.v1, terms.v1, b[3], precision);
    arb_zero(value);
    arb_zero(scale);
    arb_ptr all[] = {terms.v0, terms.m0, terms.v1, terms.m1};
    for (int i = 0; i < 4; i++) {
        arb_add(value, value, all[i], precision);
        arb_abs(all[i], all[i]);
        arb_add(scale, scale, all[i], precision);
        arb_clear(b[i]);
    }
    terms_clear(&terms);
    arb_clear(rest);
}

void segment_bezier(struct span *value, struct span *scale, const struct segment *segment,
                    const mpq_t t)
{
    fmpz_poly_t polynomial;
    arb_t s, f, size;
    arb_init(s);
    arb_init(f);
    arb_init(size);
    fmpz_poly_init(polynomial);
    set_polynomial(polynomial, segment, t);
    for (slong precision = BALL_FIRST; precision <= BALL_LAST; precision *= 2) {
        set_parameter(s, polynomial, precision);
        set_sums(f, size, segment, s, precision);
        if (ball_is_narrow(f, size) && ball_is_narrow(size, size)) {
            break;
        }
    }
    span_set_arb(value, f);
    span_set_arb(scale, size);
    fmpz_poly_clear(polynomial);
    arb_clear(s);
    arb_clear(f);
    arb_clear(size);
}

static void set_parameter_span(struct span *span, const struct segment *segment, const mpq_t t)
{
    fmpz_poly_t polynomial;
    arb_t s;
    arb_init(s);
    fmpz_poly_init(polynomial);
    set_polynomial(polynomial, segment, t);
    for (slong precision = BALL_FIRST; precision <= BALL_LAST; precision *= 2) {
        set_parameter(s, polynomial, precision);
        if (ball_is_narrow(s, s)) {
            break;
        }
    }
    span_set_arb(span, s);
    fmpz_poly_clear(polynomial);
    arb_clear(s);
}

static double weight(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) > 0 ? *values_field(inputs, field) : (double)NAN;
}

static bool weight_finite(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) == 0 || isfinite(*values_field(inputs, field));
}

void second_bezier(const struct values *inputs, struct second *second)
{
    enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
    struct segment segment = {.t0 = *values_field(inputs, T0),
                              .v0 = *values_field(inputs, V0),
                              .m0 = *values_field(inputs, M0),
                              .w0 = weight(inputs, W0),
                              .t1 = *values_field(inputs, T1),
                              .v1 = *values_field(inputs, V1),
                              .m1 = *values_field(inputs, M1),
                              .w1 = weight(inputs, W1)};
    double t = *values_field(inputs, T), given;
    bool finite = weight_finite(inputs, W0) && weight_finite(inputs, W1);
    if (segment_rules(&segment, t, finite, &given)) {
        give_numbers(second, &given, 1);
        return;
    }
    mpq_t time;
    mpq_init(time);
    mpq_set_d(time, t);
    segment_bezier(&second->value[0], &second->scale[0], &segment, time);
    mpq_clear(time);
}

void second_bezier_parameter(const struct values *inputs, struct second *second)
{
    enum { T0, W0, T1, W1, T };
    struct segment segment = {.t0 = *values_field(inputs, T0),
                              .w0 = weight(inputs, W0),
                              .t1 = *values_field(inputs, T1),
                              .v1 = 1,
                              .w1 = weight(inputs, W1)};
    double t = *values_field(inputs, T), given;
    bool finite = weight_finite(inputs, W0) && weight_finite(inputs, W1);
    if (segment_rules(&segment, t, finite, &given)) {
        give_numbers(second, &given, 1);
        return;
    }
    mpq_t time;
    mpq_init(time);
    mpq_set_d(time, t);
    set_parameter_span(&second->value[0], &segment, time);
    span_copy(&second->scale[0], &second->value[0]);
    mpq_clear(time);
}
