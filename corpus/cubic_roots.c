#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double min_subnormal = 0x1p-1074;

/* Coefficients from x^3 down. */
struct polynomial {
    double c[4];
};

static double saturate(double x)
{
    return draw_most(draw_least(x, DBL_MAX), -DBL_MAX);
}

static void put(struct values *inputs, struct polynomial p)
{
    double *number = values_numbers(inputs, 4);
    for (size_t i = 0; i < 4; i++) {
        number[i] = p.c[i];
    }
}

static double about(struct stream *stream, int low, int high)
{
    double magnitude = draw_log(stream, low, high);
    return draw_sign(stream, magnitude);
}

/* 1 and a relative 2^-k, of either sign. */
static double beside_one(struct stream *stream, int low, int high)
{
    return 1 + about(stream, low, high);
}

static struct polynomial from_roots(double lead, double x, double y, double z)
{
    return (struct polynomial){
        {lead, -lead * (x + y + z), lead * (x * y + y * z + z * x), -lead * x * y * z}};
}

/* One real root and the pair re +- i im. */
static struct polynomial from_pair(double lead, double x, double re, double im)
{
    double square = re * re + im * im;
    return (struct polynomial){
        {lead, -lead * (x + 2 * re), lead * (square + 2 * re * x), -lead * x * square}};
}

static struct polynomial reversed(struct polynomial p)
{
    return (struct polynomial){{p.c[3], p.c[2], p.c[1], p.c[0]}};
}

/* The same with roots 2^root times as large and coefficients 2^all times. */
static struct polynomial scaled(struct polynomial p, int root, int all)
{
    for (int i = 0; i < 4; i++) {
        p.c[i] = saturate(ldexp(p.c[i], root * i + all));
    }
    return p;
}

/* In half of the cases, both at random. */
static struct polynomial scaled_sometimes(struct stream *stream, struct polynomial p)
{
    if (draw_below(stream, 2)) {
        return p;
    }
    int root = (int)draw_below(stream, 401) - 200;
    int all = (int)draw_below(stream, 201) - 100;
    return scaled(p, root, all);
}

/* A coefficient a few doubles off. */
static struct polynomial disturbed(struct stream *stream, struct polynomial p, int most)
{
    size_t which = draw_below(stream, 4);
    p.c[which] = draw_step(stream, p.c[which], most);
    return p;
}

static double small_integer(struct stream *stream, uint64_t most)
{
    double magnitude = (double)draw_below(stream, most + 1);
    return draw_sign(stream, magnitude);
}

/* Roots and coefficients of a user's size, and the times of weighted animation curves. */
static void typical(struct stream *stream, struct values *inputs)
{
    double x[4];
    for (size_t i = 0; i < 4; i++) {
        x[i] = draw_uniform(stream, -1, 1);
    }
    switch (draw_below(stream, 4)) {
    case 0:
        put(inputs, (struct polynomial){{x[0], x[1], x[2], x[3]}});
        break;
    case 1:
        put(inputs, from_roots(x[0], 10 * x[1], 10 * x[2], 10 * x[3]));
        break;
    case 2:
        put(inputs, from_pair(x[0], 10 * x[1], 10 * x[2], 10 * x[3]));
        break;
    default: {
        double w0 = fabs(x[0]);
        double w1 = fabs(x[1]);
        put(inputs,
            (struct polynomial){{3 * w0 + 3 * w1 - 2, 3 - 6 * w0 - 3 * w1, 3 * w0, -fabs(x[2])}});
    }
    }
}

static void three_real(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -20, 20);
    double y = about(stream, -20, 20);
    double z = about(stream, -20, 20);
    put(inputs, scaled_sometimes(stream, from_roots(lead, x, y, z)));
}

static void one_real(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -20, 20);
    double re = about(stream, -20, 20);
    double im = about(stream, -20, 20);
    put(inputs, scaled_sometimes(stream, from_pair(lead, x, re, im)));
}

/* The discriminant's sign is often that of a rounding. */
static void near_double(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -8, 8);
    double other = about(stream, -12, 12);
    double distance = draw_log(stream, -60, -3);
    struct polynomial p = draw_below(stream, 2) ? from_roots(lead, x, x * (1 + distance), other)
                                                : from_pair(lead, other, x, x * distance);
    put(inputs, scaled_sometimes(stream, p));
}

static void near_triple(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -8, 8);
    int distance = -(int)draw_below(stream, 40);
    double y = x * beside_one(stream, distance - 6, distance - 3);
    double z = x * beside_one(stream, distance - 6, distance - 3);
    struct polynomial p =
        draw_below(stream, 2) ? from_roots(lead, x, y, z) : from_pair(lead, x, y, z - x);
    if (draw_below(stream, 2)) {
        p = disturbed(stream, p, 2);
    }
    put(inputs, scaled_sometimes(stream, p));
}

/* Roots q / p, twice or three times, and t / s, from coefficients that are exact. */
static struct polynomial multiple(struct stream *stream, bool triple)
{
    double lead = (double)(1 + draw_below(stream, 100));
    double p = draw_below(stream, 2) ? 1 : (double)(1 + draw_below(stream, 9));
    double s = draw_below(stream, 2) ? 1 : (double)(1 + draw_below(stream, 9));
    double q = small_integer(stream, 3000);
    double t = small_integer(stream, 3000);
    lead = draw_sign(stream, lead);
    if (draw_below(stream, 4) == 0) { /* close to each other */
        lead = p = s = 1;
        q = small_integer(stream, 150000);
        double distance = (double)(1 + draw_below(stream, 5));
        t = q + draw_sign(stream, distance);
    }
    s = triple ? p : s;
    t = triple ? q : t;
    return (struct polynomial){{lead * (p * p * s), -lead * (2 * p * q * s + p * p * t),
                                lead * (q * q * s + 2 * p * q * t), -lead * (q * q * t)}};
}

static void exact_double(struct stream *stream, struct values *inputs)
{
    put(inputs, scaled_sometimes(stream, multiple(stream, false)));
}

static void exact_triple(struct stream *stream, struct values *inputs)
{
    put(inputs, scaled_sometimes(stream, multiple(stream, true)));
}

static void beside_multiple(struct stream *stream, struct values *inputs)
{
    struct polynomial p = multiple(stream, draw_below(stream, 2));
    size_t which = draw_below(stream, 4);
    if (draw_below(stream, 2)) {
        p = disturbed(stream, p, 3);
    } else {
        p.c[which] *= beside_one(stream, -52, -10);
    }
    put(inputs, scaled_sometimes(stream, p));
}

/* The coefficient of x^3, or the constant, next to nothing. */
static void noise_lead(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    p.c[0] = about(stream, -80, -20);
    for (size_t i = 1; i < 4; i++) {
        p.c[i] = about(stream, -6, 6);
    }
    put(inputs, draw_below(stream, 4) ? p : reversed(p));
}

static void spread(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    for (size_t i = 0; i < 4; i++) {
        p.c[i] = about(stream, -1000, 1000);
    }
    put(inputs, p);
}

static void spread_roots(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -80, 80);
    double y = about(stream, -80, 80);
    double z = draw_below(stream, 2) ? about(stream, -80, 80) : y * beside_one(stream, -50, 0);
    put(inputs, draw_below(stream, 4) ? from_roots(lead, x, y, z) : from_pair(lead, x, y, z));
}

/* A pair of roots, mostly nearly double, and one so far away that it hardly matters. */
static void far_from_pair(struct stream *stream, struct values *inputs)
{
    double lead = about(stream, -4, 4);
    double x = about(stream, -4, 4);
    double middle = -2 * lead * x * (draw_below(stream, 2) ? 1 : beside_one(stream, -54, 0));
    double far = about(stream, draw_below(stream, 2) ? -130 : -600, -8);
    struct polynomial p = {{lead * far, lead, middle, lead * x * x}};
    p = draw_below(stream, 4) ? disturbed(stream, p, 2) : p;
    put(inputs, draw_below(stream, 2) ? p : reversed(p));
}

/* One or two roots from 2^970 to 2^1056. Coefficients cannot hold three. */
static struct polynomial huge(struct stream *stream)
{
    struct polynomial p;
    if (draw_below(stream, 2)) {
        p.c[0] = about(stream, -1074, -900);
        p.c[1] = about(stream, -20, 120);
        p.c[2] = about(stream, -20, 120);
        p.c[3] = about(stream, -20, 120);
        return p;
    }
    double x = about(stream, -20, 20);
    double y = about(stream, -20, 20);
    int root = 990 + (int)draw_below(stream, 46);
    int all = -44 + (int)draw_below(stream, 24);
    p = draw_below(stream, 2) ? from_roots(1, x, y, 0) : from_pair(1, 0, x, y);
    p = scaled(p, root, all - root);
    p.c[3] = about(stream, -1000, 1000);
    return p;
}

static void huge_roots(struct stream *stream, struct values *inputs)
{
    put(inputs, huge(stream));
}

static void tiny_roots(struct stream *stream, struct values *inputs)
{
    put(inputs, reversed(huge(stream)));
}

/* A root within a few doubles of 2^1024, alone or with one or two of an ordinary size. */
static struct polynomial at_the_top(struct stream *stream)
{
    double k = about(stream, -1000, -100);
    double l = ldexp(draw_sign(stream, k), 1024);
    double x = l * about(stream, -10, 10);
    double y = l * about(stream, -10, 10);
    struct polynomial p = {{k, draw_step(stream, l, 6), x, y}};
    for (uint64_t shift = draw_below(stream, 3); shift > 0; shift--) {
        p = (struct polynomial){{0, p.c[0], p.c[1], p.c[2]}};
    }
    return p;
}

/* Within a few doubles of a multiple of 2^-1075, likewise. */
static struct polynomial at_the_bottom(struct stream *stream)
{
    double k = about(stream, 110, 900);
    double l = ldexp(k, -1075) * (double)(1 + draw_below(stream, 16));
    double x = k * about(stream, -10, 10);
    double y = k * about(stream, -10, 10);
    uint64_t degree = 1 + draw_below(stream, 3);
    l = draw_step(stream, draw_sign(stream, l), 6);
    return (struct polynomial){{degree == 3 ? x : 0, degree >= 2 ? y : 0, k, l}};
}

static void range_edge(struct stream *stream, struct values *inputs)
{
    put(inputs, draw_below(stream, 2) ? at_the_top(stream) : at_the_bottom(stream));
}

static void quadratic(struct stream *stream, struct values *inputs)
{
    struct polynomial p = {{0}};
    if (draw_below(stream, 2)) {
        int size = draw_below(stream, 2) ? 8 : 1000;
        for (size_t i = 1; i < 4; i++) {
            p.c[i] = about(stream, -size, size);
        }
    } else { /* nearly double, or exactly */
        bool exact = draw_below(stream, 2);
        double lead = exact ? (double)(1 + draw_below(stream, 100)) : about(stream, -4, 4);
        double x = exact ? small_integer(stream, 100000) : about(stream, -400, 400);
        double y = exact ? x : x * beside_one(stream, -60, -3);
        p = disturbed(stream, (struct polynomial){{0, lead, -lead * (x + y), lead * x * y}}, 1);
        p.c[0] = 0;
    }
    if (draw_below(stream, 4) == 0) {
        p = (struct polynomial){{p.c[1], p.c[2], p.c[3], 0}};
    }
    put(inputs, p);
}

static void linear(struct stream *stream, struct values *inputs)
{
    struct polynomial p = {{0}};
    int size = draw_below(stream, 2) ? 8 : 1022;
    p.c[2] = about(stream, -size, size);
    p.c[3] = about(stream, -size, size);
    for (uint64_t shift = draw_below(stream, 3); shift > 0; shift--) {
        p = (struct polynomial){{p.c[1], p.c[2], p.c[3], 0}};
    }
    put(inputs, p);
}

static void zeros(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    int size = draw_below(stream, 2) ? 6 : 1000;
    uint64_t pattern = draw_below(stream, 16);
    for (size_t i = 0; i < 4; i++) {
        double number = about(stream, -size, size);
        p.c[i] = pattern >> i & 1 ? number : draw_sign(stream, 0);
    }
    put(inputs, p);
}

/* Coincidences of all kinds. */
static void integers(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    uint64_t most = draw_below(stream, 2) ? 3 : 20;
    for (size_t i = 0; i < 4; i++) {
        p.c[i] = small_integer(stream, most);
    }
    put(inputs, scaled_sometimes(stream, p));
}

static void any_finite(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    for (size_t i = 0; i < 4; i++) {
        p.c[i] = draw_finite(stream);
    }
    put(inputs, p);
}

static void any(struct stream *stream, struct values *inputs)
{
    struct polynomial p;
    for (size_t i = 0; i < 4; i++) {
        p.c[i] = draw_any(stream);
    }
    put(inputs, p);
}

/* Every combination of ordinary, zero, least, largest and non-finite coefficients. */
static void boundary(struct stream *stream, struct values *inputs)
{
    enum { KINDS = 7 };
    struct polynomial p;
    uint64_t combination = draw_combination(stream, (uint64_t)KINDS * KINDS * KINDS * KINDS);
    for (size_t i = 0; i < 4; i++) {
        double ordinary = about(stream, -4, 4);
        double sign = draw_sign(stream, 1);
        const double kinds[KINDS] = {ordinary,       sign, 0,       sign * min_subnormal,
                                     sign * DBL_MAX, NAN,  INFINITY};
        p.c[i] = kinds[draw_digit(&combination, KINDS)];
        p.c[i] = isinf(p.c[i]) || p.c[i] == 0 ? copysign(p.c[i], sign) : p.c[i];
    }
    put(inputs, p);
}

/* How much of the discriminant's five terms is left, as a power of 2; for a polynomial of degree 3
 * with roots other than 0 only, whose coefficients are brought near 1 first. */
static double discriminant(const struct values *inputs)
{
    double c[4];
    int exponent[4];
    for (size_t i = 0; i < 4; i++) {
        c[i] = frexp(inputs->number[i], &exponent[i]);
    }
    if (!(c[0] != 0 && c[3] != 0)) {
        return NAN;
    }
    int root = (exponent[3] - exponent[0]) / 3;
    for (int i = 0; i < 4; i++) {
        int shift = exponent[i] - exponent[0] - root * i;
        c[i] = ldexp(c[i], shift < -250 ? -250 : shift > 250 ? 250 : shift);
    }
    double term[5] = {c[1] * c[1] * c[2] * c[2], -4 * c[0] * c[2] * c[2] * c[2],
                      -4 * c[1] * c[1] * c[1] * c[3], -27 * c[0] * c[0] * c[3] * c[3],
                      18 * c[0] * c[1] * c[2] * c[3]};
    double sum = 0;
    double size = 0;
    for (size_t i = 0; i < 5; i++) {
        sum += term[i];
        size += fabs(term[i]);
    }
    return log2(fabs(sum) / size);
}

static const struct domain list[] = {
    {"typical", "coefficients up to 1, roots up to 10, times of weighted curves", typical},
    {"any_finite", "any finite bit patterns", any_finite},
    {"any", "any bit patterns", any},
    {"three_real", "three real roots from 2^-20 to 2^20, the cosine's case", three_real},
    {"one_real", "one real root and a complex pair, the cube root's case", one_real},
    {"near_double", "two roots, real or not, 2^-60 to 2^-3 apart", near_double},
    {"near_triple", "three roots, or one and a pair, 2^-46 to 2^-3 apart", near_triple},
    {"exact_double", "a double root, exactly", exact_double},
    {"exact_triple", "a triple root, exactly", exact_triple},
    {"beside_multiple", "a multiple root but for one coefficient", beside_multiple},
    {"noise_lead", "the first or last coefficient 2^-80 to 2^-20 of the others", noise_lead},
    {"spread", "coefficients from 1e-300 to 1e300", spread},
    {"spread_roots", "roots from 2^-80 to 2^80", spread_roots},
    {"far_from_pair", "a close pair of roots and one 2^8 to 2^600 times as far away or near",
     far_from_pair},
    {"huge_roots", "roots at the end of the range and beyond", huge_roots},
    {"tiny_roots", "roots below 2^-1022", tiny_roots},
    {"range_edge", "a root within a few doubles of infinity, or at multiples of 2^-1075",
     range_edge},
    {"quadratic", "no x^3 or no constant; also nearly double", quadratic},
    {"linear", "two coefficients", linear},
    {"zeros", "zeros among the coefficients in every pattern", zeros},
    {"integers", "small integers, also times powers of 2", integers},
    {"boundary", "every combination of zero, least, largest and non-finite coefficients", boundary},
};

enum { COUNT = sizeof list / sizeof *list, TYPICAL = 0, HUGE_ROOTS = 14 };

const struct domains domains_cubic_roots = {list,
                                            COUNT,
                                            TYPICAL,
                                            HUGE_ROOTS,
                                            {"log2 of the discriminant by the sum of its terms",
                                             -56, 0, discriminant}};
