#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double min_subnormal = 0x1p-1074;

struct vector {
    double c[3];
};

static void put(struct values *inputs, struct vector a, struct vector b, double t)
{
    double *number = values_numbers(inputs, 7);
    for (int i = 0; i < 3; i++) {
        number[i] = a.c[i];
        number[3 + i] = b.c[i];
    }
    number[6] = t;
}

/* Stays within the range. */
static struct vector scaled(struct vector v, double factor)
{
    for (int i = 0; i < 3; i++) {
        v.c[i] = fmax(fmin(v.c[i] * factor, DBL_MAX), -DBL_MAX);
    }
    return v;
}

static struct vector sum(struct vector v, struct vector w)
{
    return (struct vector){{v.c[0] + w.c[0], v.c[1] + w.c[1], v.c[2] + w.c[2]}};
}

/* a b - c d within two last bits. Kahan; see Jeannerod, Louvet, Muller, Further Analysis of Kahan's
 * Algorithm (2013). */
static double difference_of_products(double a, double b, double c, double d)
{
    double product = c * d;
    return fma(a, b, -product) - fma(c, d, -product);
}

static struct vector cross(struct vector v, struct vector w)
{
    return (struct vector){{difference_of_products(v.c[1], w.c[2], v.c[2], w.c[1]),
                            difference_of_products(v.c[2], w.c[0], v.c[0], w.c[2]),
                            difference_of_products(v.c[0], w.c[1], v.c[1], w.c[0])}};
}

static double largest(struct vector v)
{
    return fmax(fmax(fabs(v.c[0]), fabs(v.c[1])), fabs(v.c[2]));
}

/* Of finite components; squares neither overflow nor vanish. */
static double length(struct vector v)
{
    int exponent;
    frexp(largest(v), &exponent);
    double x = ldexp(v.c[0], -exponent);
    double y = ldexp(v.c[1], -exponent);
    double z = ldexp(v.c[2], -exponent);
    return ldexp(sqrt(x * x + y * y + z * z), exponent);
}

/* The same for both vectors: which axis is which, and the axes' directions. */
struct turn {
    size_t axis[3];
    double sign[3];
};

static struct turn draw_turn(struct stream *stream)
{
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct turn turn;
    size_t order = draw_below(stream, 6);
    for (size_t i = 0; i < 3; i++) {
        turn.axis[i] = orders[order][i];
        turn.sign[i] = draw_sign(stream, 1);
    }
    return turn;
}

static struct vector turned(const struct turn *turn, struct vector v)
{
    struct vector result;
    for (size_t i = 0; i < 3; i++) {
        result.c[turn->axis[i]] = turn->sign[i] * v.c[i];
    }
    return result;
}

/* Of length one but for rounding, evenly over the sphere. */
static struct vector unit(struct stream *stream)
{
    struct vector v;
    double size;
    do {
        for (int i = 0; i < 3; i++) {
            v.c[i] = draw_uniform(stream, -1, 1);
        }
        size = length(v);
    } while (!(size > 0.01 && size <= 1));
    return (struct vector){{v.c[0] / size, v.c[1] / size, v.c[2] / size}};
}

/* Every other sample is drawn where angles may be as small as they please. */
static bool is_deep(const struct stream *stream)
{
    return stream->index % 2 != 0;
}

/* An exponent: that of the k-th deep sample runs through 2 to `deepest` and that of the k-th other
 * one through 2 to 63, so that each comes up as often as any other. */
static int depth(const struct stream *stream, int deepest)
{
    struct stream half = {.index = stream->index / 2};
    return 2 + (int)draw_combination(&half, is_deep(stream) ? (uint64_t)deepest - 1 : 62);
}

static double shift(struct stream *stream, int most)
{
    return ldexp(1, (int)draw_below(stream, 2 * (uint64_t)most + 1) - most);
}

struct pair {
    struct vector a, b;
};

/* Directions and everyday lengths; half are unit vectors. */
static struct pair typical_pair(struct stream *stream)
{
    struct pair p;
    p.a = unit(stream);
    p.b = unit(stream);
    if (draw_below(stream, 2)) {
        p.a = scaled(p.a, draw_uniform(stream, 0.1, 10));
        p.b = scaled(p.b, draw_uniform(stream, 0.1, 10));
    }
    return p;
}

static struct vector any_finite_vector(struct stream *stream)
{
    struct vector v;
    for (int i = 0; i < 3; i++) {
        v.c[i] = draw_finite(stream);
    }
    return v;
}

/* The angle is about 2^-k and k covers 2 to 1073, then lengths vary. Small angles are only there
 * where one component is large and the others differ by little: in other directions two doubles
 * cannot be that near. */
static struct pair parallel_pair(struct stream *stream)
{
    struct pair p;
    struct turn turn = draw_turn(stream);
    switch (is_deep(stream) ? 1 + draw_below(stream, 3) : draw_below(stream, 4)) {
    case 0: { /* any direction, down to where rounding hides the angle */
        p.a = unit(stream);
        struct vector aside = cross(p.a, unit(stream));
        double angle = draw_log(stream, -54, 1);
        p.b = sum(p.a, scaled(aside, angle));
        break;
    }
    case 1: { /* near an axis, on both sides of it */
        double small = ldexp(draw_log(stream, 0, 1), -depth(stream, 1073));
        p.a.c[0] = draw_log(stream, 0, 1);
        p.b.c[0] = draw_log(stream, 0, 1);
        p.a.c[1] = draw_sign(stream, small * draw_log(stream, -1, 1));
        p.b.c[1] = draw_sign(stream, small);
        p.a.c[2] = draw_below(stream, 2) ? draw_sign(stream, small) : 0;
        p.b.c[2] = draw_below(stream, 2) ? p.a.c[2] : draw_sign(stream, small);
        break;
    }
    default: { /* off an axis */
        double angle = ldexp(draw_log(stream, 0, 1), -depth(stream, 1073));
        double ratio = draw_uniform(stream, -1, 1);
        p.a = (struct vector){{draw_log(stream, 0, 1), 0, 0}};
        p.b = (struct vector){{p.a.c[0], p.a.c[0] * angle, p.a.c[0] * angle * ratio}};
        p.b.c[2] = draw_below(stream, 2) ? p.b.c[2] : 0;
    }
    }
    p.a = turned(&turn, p.a);
    p.b = turned(&turn, p.b);
    if (draw_below(stream, 2)) {
        p.a = scaled(p.a, shift(stream, 10));
        p.b = scaled(p.b, draw_below(stream, 2) ? shift(stream, 10) : draw_log(stream, -4, 4));
    } else if (draw_below(stream, 4) == 0) {
        p.a = scaled(p.a, 0x1p1000 * draw_log(stream, 0, 20));
        p.b = scaled(p.b, 0x1p1000 * draw_log(stream, 0, 20));
    }
    if (draw_below(stream, 2)) {
        p = (struct pair){p.b, p.a};
    }
    return p;
}

/* In exactly the same direction: multiples of one vector of short components, which may be of
 * different size, have equal components or none. */
static struct pair same_direction_pair(struct stream *stream)
{
    bool wide = draw_below(stream, 2);
    struct vector v;
    do {
        for (int i = 0; i < 3; i++) {
            double component =
                (double)draw_below(stream, UINT64_C(1) << (1 + draw_below(stream, 20)));
            v.c[i] = draw_sign(stream, wide ? ldexp(component, (int)draw_below(stream, 900) - 450)
                                            : component);
        }
        if (draw_below(stream, 4) == 0) {
            v.c[draw_below(stream, 2)] = v.c[2];
        }
    } while (v.c[0] == 0 && v.c[1] == 0 && v.c[2] == 0);
    double p = (double)(1 + draw_below(stream, UINT64_C(1) << 32));
    double q = draw_below(stream, 2) ? (double)(1 + draw_below(stream, UINT64_C(1) << 32)) : p;
    int most = draw_below(stream, 2) ? 4 : 480;
    p *= shift(stream, most);
    return (struct pair){scaled(v, p), scaled(v, q * shift(stream, most))};
}

/* The same direction but for a last bit in some components. */
static struct pair neighbour_pair(struct stream *stream)
{
    struct pair p;
    switch (draw_below(stream, 3)) {
    case 0:
        p = same_direction_pair(stream);
        break;
    case 1:
        p.a = any_finite_vector(stream);
        p.b = p.a;
        break;
    default:
        p.a = unit(stream);
        p.b = scaled(p.a, shift(stream, 10));
    }
    size_t certain = draw_below(stream, 3);
    for (size_t i = 0; i < 3; i++) {
        double component = p.b.c[i];
        do {
            p.b.c[i] = draw_step(stream, component, 1);
        } while (i == certain && p.b.c[i] == component);
    }
    return p;
}

/* Both vectors divided by their rounded length: the dot product of two equal ones may exceed 1. */
static struct pair normalised_pair(struct stream *stream)
{
    struct pair p;
    p.a = unit(stream);
    struct vector aside = unit(stream);
    aside = scaled(aside, ldexp(1, -(int)draw_below(stream, 60)));
    p.b = draw_below(stream, 3) ? sum(p.a, aside) : scaled(p.a, draw_uniform(stream, 0.5, 2));
    double size = length(p.b);
    for (int i = 0; i < 3; i++) {
        p.b.c[i] /= size;
    }
    return p;
}

static struct pair lengths_pair(struct stream *stream)
{
    struct pair p;
    p.a = unit(stream);
    p.b = unit(stream);
    p.a = scaled(p.a, draw_log(stream, -1022, 1023));
    p.b = scaled(p.b, draw_log(stream, -1022, 1023));
    return p;
}

static struct vector sized(struct stream *stream, int low, int high)
{
    struct vector v;
    for (int i = 0; i < 3; i++) {
        v.c[i] = draw_sign(stream, draw_log(stream, low, high));
    }
    return v;
}

static struct pair huge_pair(struct stream *stream)
{
    struct pair p;
    int low = draw_below(stream, 2) ? 1020 : 500;
    p.a = sized(stream, low, 1024);
    p.b = sized(stream, low, 1024);
    if (draw_below(stream, 4) == 0) {
        p.b = sum(scaled(p.a, 0.5), scaled(p.b, 0x1p-30));
    }
    return p;
}

static struct pair tiny_pair(struct stream *stream)
{
    struct pair p;
    switch (draw_below(stream, 4)) {
    case 0: /* small multiples of the least double */
        for (int i = 0; i < 3; i++) {
            p.a.c[i] = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
            p.b.c[i] = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        }
        break;
    case 1:
        for (int i = 0; i < 3; i++) {
            p.a.c[i] = draw_between(stream, -DBL_MIN, DBL_MIN);
            p.b.c[i] = draw_between(stream, -DBL_MIN, DBL_MIN);
        }
        break;
    default:
        p.a = sized(stream, -1022, -980);
        p.b = sized(stream, -1022, -980);
        if (draw_below(stream, 4) == 0) {
            p.b = sum(scaled(p.a, 0.5), scaled(p.b, 0x1p-30));
        }
    }
    return p;
}

static struct pair mixed_exponents_pair(struct stream *stream)
{
    struct pair p;
    p.a = sized(stream, -1074, 1023);
    p.b = draw_below(stream, 2) ? sized(stream, -1074, 1023) : scaled(p.a, draw_log(stream, -8, 8));
    for (int i = 0; i < 3; i++) {
        p.b.c[i] =
            draw_below(stream, 4) ? p.b.c[i] : draw_sign(stream, draw_log(stream, -1074, 1023));
    }
    return p;
}

static struct pair opposite(struct pair p)
{
    p.b = scaled(p.b, -1);
    return p;
}

static void typical(struct stream *stream, struct values *inputs)
{
    struct pair p = typical_pair(stream);
    double t = draw_uniform(stream, 0, 1);
    if (draw_below(stream, 2)) {
        uint64_t frames = 2 + draw_below(stream, 119);
        t = (double)(1 + draw_below(stream, frames - 1)) / (double)frames;
    }
    put(inputs, p.a, p.b, t);
}

static void any_finite(struct stream *stream, struct values *inputs)
{
    struct vector a = any_finite_vector(stream);
    struct vector b = any_finite_vector(stream);
    double t = draw_below(stream, 8) ? draw_inside(stream, 0, 1) : draw_finite(stream);
    put(inputs, a, b, t);
}

/* Half of the cases spoil ordinary vectors by one number or two, the others draw all. */
static void any(struct stream *stream, struct values *inputs)
{
    double *number = values_numbers(inputs, 7);
    for (int i = 0; i < 7; i++) {
        number[i] = draw_any(stream);
    }
    if (draw_below(stream, 2)) {
        struct pair p = typical_pair(stream);
        put(inputs, p.a, p.b, draw_uniform(stream, 0, 1));
        for (int i = 0; i < 2; i++) {
            size_t which = draw_below(stream, 7);
            number[which] = draw_any(stream);
        }
    }
}

static void put_inside(struct stream *stream, struct values *inputs, struct pair p)
{
    put(inputs, p.a, p.b, draw_inside(stream, 0, 1));
}

static void near_parallel(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, parallel_pair(stream));
}

static void near_opposite(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, opposite(parallel_pair(stream)));
}

static void same_direction(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, same_direction_pair(stream));
}

static void exactly_opposite(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, opposite(same_direction_pair(stream)));
}

static void neighbours(struct stream *stream, struct values *inputs)
{
    struct pair p = neighbour_pair(stream);
    put_inside(stream, inputs, draw_below(stream, 2) ? p : opposite(p));
}

static void normalised(struct stream *stream, struct values *inputs)
{
    struct pair p = normalised_pair(stream);
    put_inside(stream, inputs, draw_below(stream, 2) ? p : opposite(p));
}

static void lengths(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, lengths_pair(stream));
}

static void huge(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, huge_pair(stream));
}

static void tiny(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, tiny_pair(stream));
}

static void mixed_exponents(struct stream *stream, struct values *inputs)
{
    put_inside(stream, inputs, mixed_exponents_pair(stream));
}

/* Every combination of zero, special, infinite and NaN vectors with every special t. */
static void boundary(struct stream *stream, struct values *inputs)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    struct vector x = typical_pair(stream).a;
    const struct vector vectors[] = {
        x,
        {{0, 0, 0}},
        {{1, 0, 0}},
        {{-0.0, 0, -0.0}},
        {{-1, 0, 0}},
        {{0, 2, 0}},
        {{1, 1, 1}},
        {{-2, -2, -2}},
        {{0, 0, -3}},
        {{least, 0, 0}},
        {{0, -least, least}},
        {{most, most, -most}},
        {{1, 0x1p-1000, 0}},
        {{x.c[0], inf, x.c[2]}},
        {{-inf, inf, 0}},
        {{x.c[0], x.c[1], nan}},
    };
    const double times[] = {
        0.5, 0.0,  1.0,   -0.0, nextafter(1, 0), nextafter(1, 2), least, -least, nan, inf, -inf, -1,
        2,   most, -most, 0.25};
    enum { VECTORS = sizeof vectors / sizeof *vectors, TIMES = sizeof times / sizeof *times };
    uint64_t combination = draw_combination(stream, (uint64_t)VECTORS * VECTORS * TIMES);
    struct vector a = vectors[draw_digit(&combination, VECTORS)];
    struct vector b = vectors[draw_digit(&combination, VECTORS)];
    put(inputs, a, b, times[draw_digit(&combination, TIMES)]);
}

/* A pair of one of the kinds above, for what is about t. */
static struct pair any_pair(struct stream *stream)
{
    struct pair p;
    switch (draw_below(stream, 8)) {
    case 0:
        p = parallel_pair(stream);
        break;
    case 1:
        p = same_direction_pair(stream);
        break;
    case 2:
        p = neighbour_pair(stream);
        break;
    case 3:
        p = normalised_pair(stream);
        break;
    default:
        return typical_pair(stream);
    }
    return draw_below(stream, 2) ? p : opposite(p);
}

/* t few doubles or 2^-k off 0 or 1. */
static void near_ends(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream);
    double t;
    switch (draw_below(stream, 4)) {
    case 0:
        t = draw_step(stream, 1, 8);
        break;
    case 1:
        t = draw_log(stream, draw_below(stream, 2) ? -54 : -1074, -4);
        break;
    default:
        t = 1 - draw_log(stream, -53, -4);
    }
    put(inputs, p.a, p.b, t);
}

/* A few turns, many, or as many as the range holds. */
static void extrapolation(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream);
    double t;
    switch (draw_below(stream, 4)) {
    case 0:
        t = draw_sign(stream, draw_log(stream, 0, 60));
        break;
    case 1:
        t = draw_sign(stream, draw_log(stream, 0, 1020));
        break;
    default:
        t = draw_uniform(stream, -16, 17);
    }
    put(inputs, p.a, p.b, t);
}

/* The angle in [0, pi] of the given sine and cosine, times any common factor. By nothing but
 * correctly rounded operations, so that every machine draws the same cases. */
static double angle_of(double sine, double cosine)
{
    const double pi = 0x1.921fb54442d18p+1;
    if (cosine < 0) {
        return pi - angle_of(sine, -cosine);
    }
    for (int halving = 0; halving < 3; halving++) {
        cosine += sqrt(sine * sine + cosine * cosine);
    }
    double tangent = sine / cosine;
    double square = tangent * tangent;
    double series = 0;
    for (int power = 25; power > 0; power -= 2) {
        series = 1.0 / power - square * series;
    }
    return 8 * tangent * series;
}

/* The angle between two finite vectors of whatever lengths; NaN if one is zero. */
static double angle_between(struct vector a, struct vector b)
{
    int exponent_of_a, exponent_of_b;
    if (largest(a) == 0 || largest(b) == 0 || isinf(largest(a)) || isinf(largest(b))) {
        return NAN;
    }
    frexp(largest(a), &exponent_of_a);
    frexp(largest(b), &exponent_of_b);
    for (int i = 0; i < 3; i++) {
        a.c[i] = ldexp(a.c[i], -exponent_of_a);
        b.c[i] = ldexp(b.c[i], -exponent_of_b);
    }
    double dot = a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
    return angle_of(length(cross(a, b)), dot);
}

/* t theta close to a multiple of pi / 2, where a sine or a cosine vanishes. */
static void quarter_turns(struct stream *stream, struct values *inputs)
{
    const double half_pi = 0x1.921fb54442d18p+0;
    struct pair p = any_pair(stream);
    double quarters = (double)(1 + draw_below(stream, draw_below(stream, 2) ? 64 : 1u << 30));
    double theta = angle_between(p.a, p.b);
    double t = fmin(quarters * half_pi / fmax(theta, DBL_MIN), 0x1p1000);
    if (draw_below(stream, 2)) {
        t = draw_below(stream, 2) ? -t : 1 + t;
    }
    put(inputs, p.a, p.b, draw_step(stream, t, 2));
}

static const struct domain list[] = {
    {"typical", "directions all around, half of them unit vectors, t in [0, 1]", typical},
    {"any_finite", "any finite bit patterns, t mostly in [0, 1]", any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any},
    {"near_parallel", "angles from 1 down to 1e-300 and less", near_parallel},
    {"near_opposite", "angles from pi by 1 down to 1e-300 and less", near_opposite},
    {"same_direction", "exact multiples of one vector", same_direction},
    {"exactly_opposite", "exact negative multiples of one vector", exactly_opposite},
    {"neighbours", "the same or the opposite direction but for last bits", neighbours},
    {"normalised", "rounded unit vectors, equal, nearly so, or opposite", normalised},
    {"lengths", "lengths over the whole range", lengths},
    {"huge", "components from 2^500 to the end of the range", huge},
    {"tiny", "components from 2^-980 down to subnormal ones", tiny},
    {"mixed_exponents", "every component of a size of its own", mixed_exponents},
    {"near_ends", "t few doubles or 2^-k off 0 or 1", near_ends},
    {"boundary", "every combination of special vectors and times, infinities and NaN", boundary},
    {"extrapolation", "t outside [0, 1], up to the end of the range", extrapolation},
    {"quarter_turns", "t times the angle next to multiples of pi / 2", quarter_turns},
};

/* log2 of theta / (pi - theta): the angle from 0 to the left, the one from pi to the right. */
static double openness(const struct values *inputs)
{
    const double *number = inputs->number;
    struct vector a = {{number[0], number[1], number[2]}};
    struct vector b = {{number[3], number[4], number[5]}};
    double from_zero = angle_between(a, b);
    double from_pi = angle_between(scaled(a, -1), b);
    return log2(from_zero) - log2(from_pi);
}

/* Even steps where t is small, even steps of its logarithm where it is large. */
static double signed_log(const struct values *inputs)
{
    double t = inputs->number[6];
    return copysign(log2(1 + fabs(t)), t);
}

enum { COUNT = sizeof list / sizeof *list, LENGTHS = 9, EXTRAPOLATION = 15 };

/* A clamped t needs no domain about t outside [0, 1] but the boundary. */
const struct domains domains_slerp3 = {
    list, COUNT - 2, 0, LENGTHS, {"log2 of theta / (pi - theta)", -64, 64, openness}};

const struct domains domains_slerp3_unclamped = {
    list, COUNT, 0, EXTRAPOLATION, {"log2 (1 + |t|) with t's sign", -64, 64, signed_log}};
