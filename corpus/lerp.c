#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double min_subnormal = 0x1p-1074;

static void put(struct values *inputs, double a, double b, double t)
{
    double *number = values_numbers(inputs, 3);
    number[0] = a;
    number[1] = b;
    number[2] = t;
}

/* Half of the times are those of whole frames. */
static void typical(struct stream *stream, struct values *inputs)
{
    double a = draw_uniform(stream, -100, 100);
    double b = draw_uniform(stream, -100, 100);
    double t = draw_uniform(stream, 0, 1);
    if (draw_below(stream, 2)) {
        uint64_t frames = 2 + draw_below(stream, 119);
        t = (double)(1 + draw_below(stream, frames - 1)) / (double)frames;
    }
    put(inputs, a, b, t);
}

static void any_finite(struct stream *stream, struct values *inputs)
{
    double a = draw_finite(stream);
    double b = draw_finite(stream);
    double t = draw_below(stream, 4) ? draw_inside(stream, 0, 1) : draw_finite(stream);
    put(inputs, a, b, t);
}

static void any(struct stream *stream, struct values *inputs)
{
    double a = draw_any(stream);
    double b = draw_any(stream);
    put(inputs, a, b, draw_any(stream));
}

/* Where a + t (b - a) misses b: |a| far above |b|. */
static void near_ends(struct stream *stream, struct values *inputs)
{
    double a = draw_sign(stream, draw_log(stream, -60, 60));
    double b = draw_sign(stream, draw_log(stream, -60, 60));
    double t;
    switch (draw_below(stream, 4)) {
    case 0:
        t = draw_step(stream, 1, 8);
        break;
    case 1:
        t = draw_sign(stream, draw_log(stream, draw_below(stream, 2) ? -54 : -1074, -4));
        break;
    default:
        t = 1 - draw_log(stream, -53, -4);
    }
    put(inputs, a, b, t);
}

/* The terms (1-t) a and t b are about as large, whatever a, b and t are. */
static void balanced(struct stream *stream, struct values *inputs)
{
    double a = draw_sign(stream, draw_log(stream, -1000, 1000));
    double t = draw_below(stream, 2) ? draw_inside(stream, 0x1p-1074, 1)
                                     : draw_sign(stream, draw_log(stream, -1000, 60));
    double size = fabs((1 - t) * a) / fabs(t) * draw_log(stream, -8, 8);
    double b = draw_sign(stream, draw_least(size, DBL_MAX));
    put(inputs, a, b, t);
}

/* b = -a (1-t) / t but for a few bits, or for a relative 2^-k. */
static void cancelling(struct stream *stream, struct values *inputs)
{
    bool wide = draw_below(stream, 4) == 0;
    double a = draw_sign(stream, wide ? draw_log(stream, -1000, 950) : draw_log(stream, -8, 8));
    double t = draw_below(stream, 4) ? draw_uniform(stream, 0, 1) : draw_inside(stream, 0, 1);
    if (draw_below(stream, 4) == 0) {
        t = draw_sign(stream, draw_log(stream, -4, 40));
    }
    t = fabs(t) < 0x1p-50 ? 0x1p-50 : t;
    double b = -a * (1 - t) / t;
    if (draw_below(stream, 2)) {
        b = draw_step(stream, b, 3);
    } else {
        b += b * draw_sign(stream, draw_log(stream, -52, 0));
    }
    put(inputs, a, b, t);
}

/* The same double at both ends, or nearly: the result may neither leave the two nor fall. */
static void neighbours(struct stream *stream, struct values *inputs)
{
    double a = draw_below(stream, 2) ? draw_uniform(stream, -100, 100) : draw_finite(stream);
    double b = draw_step(stream, a, draw_below(stream, 2) ? 2 : 64);
    double t = draw_inside(stream, 0, 1);
    put(inputs, a, b, t);
}

/* Differences, or results, beyond the range of a double. */
static void huge(struct stream *stream, struct values *inputs)
{
    double a = draw_log(stream, 1000, 1024);
    double b = draw_log(stream, 1000, 1024);
    if (draw_below(stream, 4) == 0) {
        a = draw_step(stream, DBL_MAX, 8);
    }
    a = draw_sign(stream, a);
    b = draw_below(stream, 4) ? -copysign(b, a) : copysign(b, a);
    double t = draw_below(stream, 2) ? draw_inside(stream, 0, 1) : draw_uniform(stream, -2, 3);
    put(inputs, a, b, t);
}

/* Values, products or results below 2^-1022. */
static void subnormal(struct stream *stream, struct values *inputs)
{
    double a = draw_between(stream, -DBL_MIN, DBL_MIN);
    double b = draw_sign(stream, draw_log(stream, -1074, -1015));
    double t = draw_inside(stream, 0, 1);
    switch (draw_below(stream, 4)) {
    case 0:
        a = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        b = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        break;
    case 1: /* tiny as t b */
        b = draw_sign(stream, draw_log(stream, -8, 8));
        t = draw_sign(stream, draw_log(stream, -1074, -1010));
        break;
    case 2: /* tiny as (1-t) a + t b */
        b = draw_step(stream, -a, 4);
        break;
    default:
        break;
    }
    put(inputs, a, b, t);
}

/* a, b and t such that the result is within the range for most. */
static void extrapolation(struct stream *stream, struct values *inputs)
{
    bool far = draw_below(stream, 4) == 0;
    double a = draw_sign(stream, draw_log(stream, far ? -1000 : -8, far ? 0 : 8));
    double b = draw_sign(stream, draw_log(stream, far ? -1000 : -8, far ? 0 : 8));
    double t = draw_sign(stream, draw_log(stream, 0, far ? 1024 : 64));
    if (draw_below(stream, 4) == 0) {
        t = draw_uniform(stream, -8, 9);
    }
    put(inputs, a, b, t);
}

/* Every combination of special values and of their neighbours. */
static void boundary(struct stream *stream, struct values *inputs)
{
    double x = draw_sign(stream, draw_log(stream, -8, 8));
    const double values[] = {
        x,   0.0,     1.0,      -0.0, INFINITY, min_subnormal,  -INFINITY,
        NAN, DBL_MAX, -DBL_MAX, -1.0, DBL_MIN,  -min_subnormal, DBL_MIN - min_subnormal};
    const double times[] = {0.0,           1.0,
                            -0.0,          nextafter(1, 0),
                            0.5,           nextafter(1, 2),
                            min_subnormal, -min_subnormal,
                            NAN,           INFINITY,
                            -INFINITY,     -1.0,
                            2.0,           DBL_MAX,
                            -DBL_MAX,      DBL_MIN};
    enum { VALUES = sizeof values / sizeof *values, TIMES = sizeof times / sizeof *times };
    uint64_t combination = draw_combination(stream, (uint64_t)VALUES * (VALUES + 3) * TIMES);
    double a = values[draw_digit(&combination, VALUES)];
    double t = times[draw_digit(&combination, TIMES)];
    size_t choice = draw_digit(&combination, VALUES + 3);
    const double related[] = {a, nextafter(a, 0), -a};
    put(inputs, a, choice < 3 ? related[choice] : values[choice - 3], t);
}

/* Ends and place of a tie in integers, at most 53 bits long: F = A + t (B - A) = M + 1/2. Times a
 * power of two that gives M's last bit the weight of a double's, F is halfway between doubles. */
struct tie {
    int64_t A;
    int64_t B;
    double t;
};

/* With t = n / 2^j, n and o odd, and B = A + o 2^(j-1): F = A + n o / 2. `most` is a power of two
 * that no integer reaches. */
static struct tie draw_tie(struct stream *stream, int64_t M, int64_t most)
{
    int bits = 63 - __builtin_clzll((uint64_t)most);
    for (;;) {
        int j = 1 + (int)draw_below(stream, (uint64_t)bits - 1);
        int64_t n = (int64_t)(draw_bits(stream) >> (64 - j) | 1);
        if (draw_below(stream, 4) == 0) { /* beyond the ends */
            n += (INT64_C(1) << j) * (draw_below(stream, 2) ? 1 : -1);
        }
        int64_t o = (int64_t)(draw_below(stream, (uint64_t)most >> j) | 1);
        o = draw_below(stream, 2) ? o : -o;
        int64_t A = M - (n * o - 1) / 2;
        int64_t B = A + o * (INT64_C(1) << (j - 1));
        if (llabs(A) < most && llabs(B) < most) {
            return (struct tie){A, B, ldexp((double)n, -j)};
        }
    }
}

static void put_tie(struct stream *stream, struct values *inputs, struct tie tie, int exponent)
{
    double unit = draw_sign(stream, ldexp(1, exponent));
    put(inputs, (double)tie.A * unit, (double)tie.B * unit, tie.t);
}

static const int64_t mantissa_end = INT64_C(1) << 53;

static void ties(struct stream *stream, struct values *inputs)
{
    int64_t M = mantissa_end / 2 + (int64_t)draw_below(stream, (uint64_t)mantissa_end / 2);
    int exponent = draw_below(stream, 2) ? -52 : -1074 + (int)draw_below(stream, 2046);
    put_tie(stream, inputs, draw_tie(stream, M, mantissa_end), exponent);
}

/* n's inverse modulo 2^64 by Newton's iteration; n itself is one modulo 8. */
static uint64_t inverse(uint64_t n)
{
    uint64_t x = n;
    for (int i = 0; i < 5; i++) {
        x *= 2 - n * x;
    }
    return x;
}

/* Off a tie by 2^-j of the last bit: t = n / 2^j and B - A = D with n D = 2^(j-1) +- 1 modulo
 * 2^j. F keeps A's binade if A lies in [3/4, 1) `most`. */
static struct tie draw_near_tie(struct stream *stream, int64_t most)
{
    int bits = 63 - __builtin_clzll((uint64_t)most);
    int j = 3 + (int)draw_below(stream, (uint64_t)bits - 4);
    uint64_t n = draw_bits(stream) >> (64 - j) | 1;
    uint64_t off = (UINT64_C(1) << (j - 1)) + (draw_below(stream, 2) ? 1 : UINT64_MAX);
    int64_t D = (int64_t)(off * inverse(n) & ((UINT64_C(1) << j) - 1));
    int64_t A = most / 4 * 3 + (int64_t)draw_below(stream, (uint64_t)most / 4);
    if (A + D >= most) {
        D -= INT64_C(1) << j;
    }
    return (struct tie){A, A + D, ldexp((double)n, -j)};
}

static void near_ties(struct stream *stream, struct values *inputs)
{
    int exponent = draw_below(stream, 2) ? -52 : -1074 + (int)draw_below(stream, 2046);
    put_tie(stream, inputs, draw_near_tie(stream, mantissa_end), exponent);
}

/* Ties of subnormal numbers, where doubles have fewer bits, and 2^-j of the last bit beside. */
static void subnormal_ties(struct stream *stream, struct values *inputs)
{
    int64_t most = INT64_C(1) << (draw_below(stream, 2) ? 52 : 5 + draw_below(stream, 48));
    struct tie tie = draw_below(stream, 2)
                         ? draw_tie(stream, (int64_t)draw_below(stream, (uint64_t)most), most)
                         : draw_near_tie(stream, most);
    put_tie(stream, inputs, tie, -1074);
}

/* One end e and a place t = k / 2^j from the other end make a tie, t e = (2 M + 1) 2^-j; the other
 * end moves F off it by as little as one part in 2^2000. */
static void put_beside(struct stream *stream, struct values *inputs, double end, int64_t k, int j,
                       double other)
{
    if (draw_below(stream, 2)) {
        put(inputs, other, end, ldexp((double)k, -j));
    } else {
        put(inputs, end, other, ldexp((double)((INT64_C(1) << j) - k), -j));
    }
}

static void beside_ties(struct stream *stream, struct values *inputs)
{
    int bits = 2 + (int)draw_below(stream, 48);
    int64_t k = (int64_t)(UINT64_C(1) << (bits - 1) | draw_bits(stream) >> (65 - bits) | 1);
    int64_t low = mantissa_end / k + 1; /* k E lies in [2^53, 2^54) */
    int64_t E = (low + (int64_t)draw_below(stream, (uint64_t)(mantissa_end / k - 1))) | 1;
    int j = bits + (int)draw_below(stream, 3) - 1;
    bool farthest = draw_below(stream, 4) == 0;
    int exponent = farthest ? 899 : (int)draw_below(stream, 1800) - 900;
    double end = draw_sign(stream, ldexp((double)E, exponent));
    int top = farthest ? -200 : exponent + 53 - j - 60; /* 2^-60 F */
    double other = draw_log(stream, draw_below(stream, 2) ? -1074 : top - 8, top);
    put_beside(stream, inputs, end, k, j, draw_sign(stream, other));
}

/* The least F that rounds to an infinity, 2^1024 - 2^970, and F beside it. */
static void overflow_threshold(struct stream *stream, struct values *inputs)
{
    static const int64_t factors[] = {3, 7, 9, 19, 21, 27, 57, 63, 73, 87211, 262657};
    double sign = draw_sign(stream, 1);
    switch (draw_below(stream, 3)) {
    case 0:
        put_tie(stream, inputs, draw_tie(stream, mantissa_end - 1, mantissa_end), 971);
        break;
    case 1: {
        double below = (double)draw_below(stream, 64);
        double apart = (double)(1 + draw_below(stream, 64));
        double a = DBL_MAX - below * 0x1p971;
        double t = draw_step(stream, -(below + 0.5) / apart, 2);
        put(inputs, sign * a, sign * (a - apart * 0x1p971), t);
        break;
    }
    default: { /* with (2^54 - 1) / k as the end */
        int64_t k = factors[draw_below(stream, sizeof factors / sizeof *factors)];
        int j = (int)draw_below(stream, 64 - (uint64_t)__builtin_clzll((uint64_t)k));
        int64_t E = (2 * mantissa_end - 1) / k;
        double end = ldexp((double)E, 970 + j);
        double other = draw_sign(stream, draw_log(stream, -1074, 960));
        put_beside(stream, inputs, sign * end, k, j, draw_below(stream, 8) ? other : 0);
    }
    }
}

static const struct domain list[] = {
    {"typical", "values to 100, times in [0, 1], half of them whole frames", typical},
    {"any_finite", "any finite bit patterns, t mostly in [0, 1]", any_finite},
    {"any", "any bit patterns, one in eight NaN or infinite", any},
    {"near_ends", "t few doubles or 2^-k off 0 or 1, values 2^-60 to 2^60", near_ends},
    {"balanced", "(1-t) a and t b alike in size, a, b and t over all exponents", balanced},
    {"cancelling", "(1-t) a + t b far below its terms", cancelling},
    {"neighbours", "a and b the same, or few doubles apart", neighbours},
    {"huge", "values from 2^1000, differences or results beyond the range", huge},
    {"subnormal", "values, products or results below 2^-1022", subnormal},
    {"extrapolation", "t outside [0, 1], up to the end of the range", extrapolation},
    {"boundary", "every combination of special values, infinities and NaN", boundary},
    {"ties", "F exactly halfway between two doubles", ties},
    {"near_ties", "F 2^-j of the last bit beside a halfway point", near_ties},
    {"subnormal_ties", "F at or beside a halfway point of subnormals", subnormal_ties},
    {"beside_ties", "F up to one part in 2^2000 beside a halfway point", beside_ties},
    {"overflow_threshold", "F at or beside the least number that rounds to infinity",
     overflow_threshold},
};

static double place(const struct values *inputs)
{
    return inputs->number[2];
}

enum { COUNT = sizeof list / sizeof *list, SUBNORMAL_TIES = 13, BESIDE_TIES = 14 };

const struct domains domains_lerp = {list, COUNT, 0, SUBNORMAL_TIES, {"t", -0.5, 1.5, place}};
const struct domains domains_lerp_cr = {list, COUNT, 0, BESIDE_TIES, {"t", -0.5, 1.5, place}};
