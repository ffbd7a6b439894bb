#include "answers.h"

#include <math.h>

enum { T0, V0, M0, T1, V1, M1, T, INPUTS };
enum { TERMS = 4, COEFFICIENTS = 4 };

bool segment_inside(const struct segment *segment, bool weights_finite, double *given)
{
    if (isinf(segment->m0) || isinf(segment->m1)) {
        *given = segment->v0;
        return true;
    }
    const double data[] = {segment->t0, segment->v0, segment->m0,
                           segment->t1, segment->v1, segment->m1};
    *given = NAN;
    return !weights_finite || !finite_numbers(data, sizeof data / sizeof data[0]);
}

bool segment_rules(const struct segment *segment, double t, bool weights_finite, double *given)
{
    if (isnan(t) || isnan(segment->t0) || isnan(segment->t1) || segment->t0 > segment->t1) {
        *given = NAN;
        return true;
    }
    if (t >= segment->t1 || t <= segment->t0) {
        *given = t >= segment->t1 ? segment->v1 : segment->v0;
        return true;
    }
    return segment_inside(segment, weights_finite, given);
}

/* What stands before v0, h m0, v1 and h m1, at x: c[0] + c[1] x + c[2] x^2 + c[3] x^3. */
static const int basis[TERMS][4] = {{1, 0, -3, 2}, {0, 1, -2, 1}, {0, 0, 3, -2}, {0, 0, -1, 1}};

static void set_polynomial(mpq_t value, const int coefficients[4], const mpq_t x)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_si(value, coefficients[3], 1);
    for (int i = 2; i >= 0; i--) {
        mpq_mul(value, value, x);
        mpq_set_si(term, coefficients[i], 1);
        mpq_add(value, value, term);
    }
    mpq_clear(term);
}

/* v0, h m0, v1, h m1 */
static void set_data(mpq_t data[TERMS], const struct segment *segment)
{
    mpq_t h, time;
    mpq_inits(h, time, NULL);
    mpq_set_d(h, segment->t1);
    mpq_set_d(time, segment->t0);
    mpq_sub(h, h, time);
    mpq_set_d(data[0], segment->v0);
    mpq_set_d(data[1], segment->m0);
    mpq_mul(data[1], data[1], h);
    mpq_set_d(data[2], segment->v1);
    mpq_set_d(data[3], segment->m1);
    mpq_mul(data[3], data[3], h);
    mpq_clears(h, time, NULL);
}

static void init_all(mpq_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpq_init(numbers[i]);
    }
}

static void clear_all(mpq_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpq_clear(numbers[i]);
    }
}

static void set_sums(struct span *value, struct span *scale, mpq_t *terms, size_t count)
{
    mpq_t sum, sizes;
    mpq_inits(sum, sizes, NULL);
    for (size_t i = 0; i < count; i++) {
        mpq_add(sum, sum, terms[i]);
        mpq_abs(terms[i], terms[i]);
        mpq_add(sizes, sizes, terms[i]);
    }
    span_set_q(value, sum);
    span_set_q(scale, sizes);
    mpq_clears(sum, sizes, NULL);
}

void segment_hermite(struct span *value, struct span *scale, const struct segment *segment,
                     const mpq_t t)
{
    mpq_t x, h, weight, data[TERMS];
    mpq_inits(x, h, weight, NULL);
    init_all(data, TERMS);
    mpq_set_d(weight, segment->t0);
    mpq_sub(x, t, weight);
    mpq_set_d(h, segment->t1);
    mpq_sub(h, h, weight);
    mpq_div(x, x, h);
    set_data(data, segment);
    for (size_t i = 0; i < TERMS; i++) {
        set_polynomial(weight, basis[i], x);
        mpq_mul(data[i], data[i], weight);
    }
    set_sums(value, scale, data, TERMS);
    clear_all(data, TERMS);
    mpq_clears(x, h, weight, NULL);
}

void second_hermite(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    struct segment segment = {
        .t0 = x[T0], .v0 = x[V0], .m0 = x[M0], .t1 = x[T1], .v1 = x[V1], .m1 = x[M1]};
    double given;
    if (segment_rules(&segment, x[T], true, &given)) {
        give_numbers(second, &given, 1);
        return;
    }
    mpq_t t;
    mpq_init(t);
    mpq_set_d(t, x[T]);
    segment_hermite(&second->value[0], &second->scale[0], &segment, t);
    mpq_clear(t);
}

/* a, b, c, d, read off the basis' columns, of which d's and c's have one term each. */
void second_hermite_coefficients(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    if (!finite_numbers(x, T)) {
        give_nan(second, COEFFICIENTS);
        return;
    }
    struct segment segment = {
        .t0 = x[T0], .v0 = x[V0], .m0 = x[M0], .t1 = x[T1], .v1 = x[V1], .m1 = x[M1]};
    mpq_t data[TERMS], term[TERMS], factor;
    init_all(data, TERMS);
    init_all(term, TERMS);
    mpq_init(factor);
    set_data(data, &segment);
    for (size_t k = 0; k < COEFFICIENTS; k++) {
        for (size_t i = 0; i < TERMS; i++) {
            mpq_set_si(factor, basis[i][3 - k], 1);
            mpq_mul(term[i], data[i], factor);
        }
        set_sums(&second->value[k], &second->scale[k], term, TERMS);
    }
    mpq_clear(factor);
    clear_all(term, TERMS);
    clear_all(data, TERMS);
}
