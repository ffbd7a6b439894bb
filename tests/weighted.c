#include "weighted.h"

#include "rational.h"

#include <math.h>

static double number_or(const struct values *inputs, size_t field, double otherwise)
{
    return values_length(inputs, field) == 1 ? *values_field(inputs, field) : otherwise;
}

struct weighted weighted_of(const struct values *inputs)
{
    enum { BEZIER_INPUTS = 9, NONE = BEZIER_INPUTS };
    static const size_t of_bezier[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const size_t of_parameter[] = {0, NONE, NONE, 1, 2, NONE, NONE, 3, 4};
    const size_t *of = inputs->count == BEZIER_INPUTS ? of_bezier : of_parameter;
    double data[4] = {0};
    static const size_t data_fields[4] = {1, 2, 5, 6};
    for (int i = 0; i < 4; i++) {
        size_t field = of[data_fields[i]];
        data[i] = field == NONE ? 0 : *values_field(inputs, field);
    }
    return (struct weighted){
        .keys = {*values_field(inputs, of[0]), data[0], data[1], *values_field(inputs, of[4]),
                 data[2], data[3]},
        .has_w0 = values_length(inputs, of[3]) == 1,
        .has_w1 = values_length(inputs, of[7]) == 1,
        .w0 = number_or(inputs, of[3], NAN), /* for nobody may look at it */
        .w1 = number_or(inputs, of[7], NAN),
        .t = *values_field(inputs, of[8]),
    };
}

bool weighted_rule(const struct weighted *curve, double *result)
{
    const struct segment *keys = &curve->keys;
    *result = NAN;
    if (isnan(curve->t) || isnan(keys->t0) || isnan(keys->t1) || keys->t0 > keys->t1) {
        return true;
    }
    if (curve->t >= keys->t1) {
        *result = keys->v1;
        return true;
    }
    if (curve->t <= keys->t0 || isinf(keys->m0) || isinf(keys->m1)) {
        *result = keys->v0;
        return true;
    }
    const double read[] = {keys->t0, keys->v0, keys->m0, curve->has_w0 ? curve->w0 : 0,
                           keys->t1, keys->v1, keys->m1, curve->has_w1 ? curve->w1 : 0};
    for (int i = 0; i < 8; i++) {
        if (!isfinite(read[i])) {
            return true;
        }
    }
    return false;
}

bool weighted_parameter_rule(const struct weighted *curve, double *result)
{
    const struct segment *keys = &curve->keys;
    *result = NAN;
    if (isnan(curve->t) || isnan(keys->t0) || isnan(keys->t1) || keys->t0 > keys->t1) {
        return true;
    }
    if (curve->t >= keys->t1 || curve->t <= keys->t0) {
        *result = curve->t >= keys->t1;
        return true;
    }
    return !isfinite(keys->t0) || !isfinite(keys->t1) || (curve->has_w0 && !isfinite(curve->w0)) ||
           (curve->has_w1 && !isfinite(curve->w1));
}

/* 3 w of a clamped weight, or 1 */
static void set_width(mpq_t width, bool has, double weight)
{
    mpq_set_ui(width, 1, 1);
    if (has) {
        mpq_t three;
        mpq_init(three);
        mpq_set_ui(three, 3, 1);
        mpq_set_d(width, weight <= 0 ? 0 : weight >= 1 ? 1 : weight);
        mpq_mul(width, width, three);
        mpq_clear(three);
    }
}

/* a and b as integers with one power of 2 below both; returns that power's exponent. Their
 * denominators are powers of 2. */
static mp_bitcnt_t set_integers(mpz_t a, mpz_t b, const mpq_t x, const mpq_t y)
{
    mp_bitcnt_t of_x = mpz_sizeinbase(mpq_denref(x), 2) - 1;
    mp_bitcnt_t of_y = mpz_sizeinbase(mpq_denref(y), 2) - 1;
    mp_bitcnt_t both = of_x > of_y ? of_x : of_y;
    mpz_mul_2exp(a, mpq_numref(x), both - of_x);
    mpz_mul_2exp(b, mpq_numref(y), both - of_y);
    return both;
}

/* X(n / 2^k) - t as a sign: with the complement c = 2^k - n,
 *     (t1 - t0) n (3 w0 c^2 + (3 - 3 w1) c n + n^2) - (t - t0) 2^(3 k) */
struct times {
    mpz_t duration, elapsed; /* over one denominator */
    mpz_t out, in;           /* 3 w0 and 3 - 3 w1, times 2^shift */
    mp_bitcnt_t shift;
    mpz_t complement, sum, term;
};

static void times_open(struct times *times, const struct weighted *curve)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpz_inits(times->duration, times->elapsed, times->out, times->in, times->complement, times->sum,
              times->term, NULL);
    rational_difference(x, curve->keys.t1, curve->keys.t0);
    mpq_set_d(y, curve->keys.t0);
    if (curve->time) {
        mpq_sub(y, curve->time, y);
    } else {
        rational_difference(y, curve->t, curve->keys.t0);
    }
    set_integers(times->duration, times->elapsed, x, y);
    set_width(x, curve->has_w1, curve->w1);
    mpq_set_ui(y, 3, 1);
    mpq_sub(y, y, x);
    set_width(x, curve->has_w0, curve->w0);
    times->shift = set_integers(times->out, times->in, x, y);
    mpq_clears(x, y, NULL);
}

static void times_close(struct times *times)
{
    mpz_clears(times->duration, times->elapsed, times->out, times->in, times->complement,
               times->sum, times->term, NULL);
}

static int times_side(struct times *times, const mpz_t n, mp_bitcnt_t k)
{
    mpz_set_ui(times->complement, 1);
    mpz_mul_2exp(times->complement, times->complement, k);
    mpz_sub(times->complement, times->complement, n);
    mpz_mul(times->sum, times->out, times->complement);
    mpz_mul(times->term, times->in, n);
    mpz_add(times->sum, times->sum, times->term);
    mpz_mul(times->sum, times->sum, times->complement);
    mpz_mul(times->term, n, n);
    mpz_mul_2exp(times->term, times->term, times->shift);
    mpz_add(times->sum, times->sum, times->term);
    mpz_mul(times->sum, times->sum, n);
    mpz_mul(times->sum, times->sum, times->duration);
    mpz_mul_2exp(times->term, times->elapsed, 3 * k + times->shift);
    return mpz_cmp(times->sum, times->term);
}

int weighted_side(const struct weighted *curve, const mpq_t s)
{
    struct times times;
    times_open(&times, curve);
    int side = times_side(&times, mpq_numref(s), mpz_sizeinbase(mpq_denref(s), 2) - 1);
    times_close(&times);
    return side;
}

/* The root's distance from the end that `late` tells is from 2^-n to 2^(1 - n): returns n. */
static mp_bitcnt_t find_binade(struct times *times, bool *is_late)
{
    enum { DEEPEST = 4096 };
    mpz_t n;
    mpz_init_set_ui(n, 1);
    bool late = times_side(times, n, 1) < 0;
    mp_bitcnt_t near = 1, far = DEEPEST; /* 2^-far is at most the distance, 2^-near at least */
    while (far - near > 1) {
        mp_bitcnt_t middle = (near + far) / 2;
        mpz_set_ui(n, 1);
        if (late) {
            mpz_mul_2exp(n, n, middle);
            mpz_sub_ui(n, n, 1);
        }
        int side = times_side(times, n, middle);
        bool beyond = late ? side >= 0 : side <= 0; /* the root is farther from the end */
        *(beyond ? &far : &near) = middle;
    }
    mpz_clear(n);
    *is_late = late;
    return far;
}

void weighted_parameter(mpq_t low, mpq_t high, const struct weighted *curve, unsigned bits)
{
    struct times times;
    times_open(&times, curve);
    bool late;
    mp_bitcnt_t k = find_binade(&times, &late) + bits;
    mpz_t first, last, middle;
    mpz_inits(first, last, middle, NULL);
    mpz_ui_pow_ui(last, 2, late ? k : bits + 1);
    if (late) {
        mpz_ui_pow_ui(middle, 2, bits + 1);
        mpz_sub(first, last, middle);
    }
    for (;;) {
        mpz_add(middle, first, last);
        mpz_fdiv_q_2exp(middle, middle, 1);
        if (mpz_cmp(middle, first) == 0) {
            break;
        }
        int side = times_side(&times, middle, k);
        if (side <= 0) {
            mpz_set(first, middle);
        }
        if (side >= 0) {
            mpz_set(last, middle);
        }
    }
    mpq_set_z(low, first);
    mpq_div_2exp(low, low, k);
    mpq_set_z(high, last);
    mpq_div_2exp(high, high, k);
    mpz_clears(first, last, middle, NULL);
    times_close(&times);
}

/* The heights of the four points: v0, v0 + w0 m0 h, v1 - w1 m1 h, v1. rise[i] is what is added. */
static void set_points(mpq_t point[4], mpq_t rise[2], const struct weighted *curve)
{
    const struct segment *keys = &curve->keys;
    mpq_t factor;
    mpq_init(factor);
    for (int side = 0; side < 2; side++) {
        set_width(rise[side], side ? curve->has_w1 : curve->has_w0, side ? curve->w1 : curve->w0);
        rational_difference(factor, keys->t1, keys->t0);
        mpq_mul(rise[side], rise[side], factor);
        mpq_set_d(factor, side ? -keys->m1 : keys->m0);
        mpq_mul(rise[side], rise[side], factor);
        mpq_set_ui(factor, 3, 1);
        mpq_div(rise[side], rise[side], factor);
    }
    mpq_set_d(point[0], keys->v0);
    mpq_add(point[1], point[0], rise[0]);
    mpq_set_d(point[3], keys->v1);
    mpq_add(point[2], point[3], rise[1]);
    mpq_clear(factor);
}

/* sum += |factor x| s^i (1 - s)^(3 - i) */
static void add_term(mpq_t sum, unsigned long factor, const mpq_t x, const mpq_t s, int i)
{
    mpq_t term, rest;
    mpq_inits(term, rest, NULL);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, s);
    mpq_set_ui(term, factor, 1);
    mpq_mul(term, term, x);
    for (int j = 0; j < 3; j++) {
        mpq_mul(term, term, j < i ? s : rest);
    }
    mpq_abs(term, term);
    mpq_add(sum, sum, term);
    mpq_clears(term, rest, NULL);
}

void weighted_value(mpq_t value, mpq_t scale, const struct weighted *curve, const mpq_t s)
{
    mpq_t point[4], rise[2], step;
    for (int i = 0; i < 4; i++) {
        mpq_init(point[i]);
    }
    mpq_inits(rise[0], rise[1], step, NULL);
    set_points(point, rise, curve);
    mpq_set_ui(scale, 0, 1);
    add_term(scale, 1, point[0], s, 0);
    add_term(scale, 3, point[0], s, 1);
    add_term(scale, 3, rise[0], s, 1);
    add_term(scale, 3, rise[1], s, 2);
    add_term(scale, 3, point[3], s, 2);
    add_term(scale, 1, point[3], s, 3);
    for (int left = 3; left > 0; left--) {
        for (int i = 0; i < left; i++) {
            mpq_sub(step, point[i + 1], point[i]);
            mpq_mul(step, step, s);
            mpq_add(point[i], point[i], step);
        }
    }
    mpq_set(value, point[0]);
    mpq_clears(rise[0], rise[1], step, NULL);
    for (int i = 0; i < 4; i++) {
        mpq_clear(point[i]);
    }
}
