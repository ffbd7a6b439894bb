#include "pair.h"

#include <float.h>
#include <math.h>

static const double min_subnormal = 0x1p-1074;

struct vector vector_scaled(struct vector v, double factor)
{
    for (int i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        v.c[i] = draw_most(draw_least(v.c[i] * factor, DBL_MAX), -DBL_MAX);
    }
    return v;
}

struct vector vector_sum(struct vector v, struct vector w)
{
    for (int i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        v.c[i] += w.c[i];
    }
    return v;
}

struct vector vector_at(const double *number, size_t dimensions)
{
    struct vector v = {{0}};
    for (size_t i = 0; i < dimensions; i++) {
        v.c[i] = number[i];
    }
    return v;
}

/* a b - c d within two last bits. Kahan; see Jeannerod, Louvet, Muller, Further Analysis of Kahan's
 * Algorithm (2013). */
static double difference_of_products(double a, double b, double c, double d)
{
    double product = c * d;
    return fma(a, b, -product) - fma(c, d, -product);
}

enum { MINORS = 6 };

/* v_i w_j - v_j w_i; the first three are the cross product in three dimensions. */
static void set_minors(double minor[MINORS], struct vector v, struct vector w)
{
    static const int index[MINORS][2] = {{1, 2}, {2, 0}, {0, 1}, {0, 3}, {1, 3}, {2, 3}};
    for (int k = 0; k < MINORS; k++) {
        int i = index[k][0], j = index[k][1];
        minor[k] = difference_of_products(v.c[i], w.c[j], v.c[j], w.c[i]);
    }
}

static double largest(struct vector v)
{
    return draw_most(draw_most(fabs(v.c[0]), fabs(v.c[1])), draw_most(fabs(v.c[2]), fabs(v.c[3])));
}

/* Of finite numbers; squares neither overflow nor vanish. */
static double norm(const double *number, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = draw_most(most, fabs(number[i]));
    }
    int exponent;
    frexp(most, &exponent);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = ldexp(number[i], -exponent);
        sum += x * x;
    }
    return ldexp(sqrt(sum), exponent);
}

static double length(struct vector v)
{
    return norm(v.c, PAIR_DIMENSIONS_MAX);
}

static double dot(struct vector v, struct vector w)
{
    double sum = 0;
    for (int i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        sum += v.c[i] * w.c[i];
    }
    return sum;
}

/* The same for both vectors: which axis is which, and the axes' directions. */
struct turn {
    size_t axis[PAIR_DIMENSIONS_MAX];
    double sign[PAIR_DIMENSIONS_MAX];
};

/* The order is drawn by its number in their lexicographic list. */
static struct turn draw_turn(struct stream *stream, size_t dimensions)
{
    struct turn turn = {{0, 1, 2, 3}, {1, 1, 1, 1}};
    size_t orders = 1;
    for (size_t i = 2; i <= dimensions; i++) {
        orders *= i;
    }
    size_t order = draw_below(stream, orders);
    for (size_t i = 0; i < dimensions; i++) {
        orders /= dimensions - i;
        size_t from = i + order / orders;
        order %= orders;
        size_t axis = turn.axis[from];
        for (size_t j = from; j > i; j--) {
            turn.axis[j] = turn.axis[j - 1];
        }
        turn.axis[i] = axis;
        turn.sign[i] = draw_sign(stream, 1);
    }
    return turn;
}

static struct vector turned(const struct turn *turn, struct vector v)
{
    struct vector result = {{0}};
    for (size_t i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        result.c[turn->axis[i]] = turn->sign[i] * v.c[i];
    }
    return result;
}

struct vector vector_normalised(struct vector v)
{
    double size = length(v);
    for (int i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        v.c[i] /= size;
    }
    return v;
}

struct vector vector_unit(struct stream *stream, size_t dimensions)
{
    struct vector v = {{0}};
    double size;
    do {
        for (size_t i = 0; i < dimensions; i++) {
            v.c[i] = draw_uniform(stream, -1, 1);
        }
        size = length(v);
    } while (!(size > 0.01 && size <= 1));
    return vector_normalised(v);
}

/* In three dimensions, the cross product with any other unit vector. */
struct vector vector_across(struct stream *stream, struct vector v, size_t dimensions)
{
    struct vector w = vector_unit(stream, dimensions);
    if (dimensions != 3) {
        return vector_sum(w, vector_scaled(v, -dot(v, w)));
    }
    double minor[MINORS];
    set_minors(minor, v, w);
    return vector_at(minor, 3);
}

struct vector vector_any_finite(struct stream *stream, size_t dimensions)
{
    struct vector v = {{0}};
    for (size_t i = 0; i < dimensions; i++) {
        v.c[i] = draw_finite(stream);
    }
    return v;
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

struct pair pair_typical(struct stream *stream, size_t dimensions)
{
    struct pair p;
    p.a = vector_unit(stream, dimensions);
    p.b = vector_unit(stream, dimensions);
    if (draw_below(stream, 2)) {
        p.a = vector_scaled(p.a, draw_uniform(stream, 0.1, 10));
        p.b = vector_scaled(p.b, draw_uniform(stream, 0.1, 10));
    }
    return p;
}

struct pair pair_any_finite(struct stream *stream, size_t dimensions)
{
    struct pair p;
    p.a = vector_any_finite(stream, dimensions);
    p.b = vector_any_finite(stream, dimensions);
    return p;
}

/* Near an axis, on both sides of it. */
static struct pair beside_axis(struct stream *stream, size_t dimensions)
{
    struct pair p = {{{0}}, {{0}}};
    double small = ldexp(draw_log(stream, 0, 1), -depth(stream, 1073));
    p.a.c[0] = draw_log(stream, 0, 1);
    p.b.c[0] = draw_log(stream, 0, 1);
    p.a.c[1] = draw_sign(stream, small * draw_log(stream, -1, 1));
    p.b.c[1] = draw_sign(stream, small);
    for (size_t i = 2; i < dimensions; i++) {
        p.a.c[i] = draw_below(stream, 2) ? draw_sign(stream, small) : 0;
        p.b.c[i] = draw_below(stream, 2) ? p.a.c[i] : draw_sign(stream, small);
    }
    return p;
}

/* One vector on an axis, the other off it. */
static struct pair off_axis(struct stream *stream, size_t dimensions)
{
    struct pair p = {{{0}}, {{0}}};
    double angle = ldexp(draw_log(stream, 0, 1), -depth(stream, 1073));
    double ratio = draw_uniform(stream, -1, 1);
    p.a.c[0] = draw_log(stream, 0, 1);
    p.b.c[0] = p.a.c[0];
    p.b.c[1] = p.a.c[0] * angle;
    for (size_t i = 2; i < dimensions; i++) {
        p.b.c[i] = p.a.c[0] * angle * ratio;
        p.b.c[i] = draw_below(stream, 2) ? p.b.c[i] : 0;
    }
    return p;
}

/* Small angles are only there where one component is large and the others differ by little: in
 * other directions two doubles cannot be that near. Then lengths vary. */
struct pair pair_parallel(struct stream *stream, size_t dimensions)
{
    struct pair p;
    struct turn turn = draw_turn(stream, dimensions);
    switch (is_deep(stream) ? 1 + draw_below(stream, 3) : draw_below(stream, 4)) {
    case 0: { /* any direction, down to where rounding hides the angle */
        p.a = vector_unit(stream, dimensions);
        struct vector aside = vector_across(stream, p.a, dimensions);
        double angle = draw_log(stream, -54, 1);
        p.b = vector_sum(p.a, vector_scaled(aside, angle));
        break;
    }
    case 1:
        p = beside_axis(stream, dimensions);
        break;
    default:
        p = off_axis(stream, dimensions);
    }
    p.a = turned(&turn, p.a);
    p.b = turned(&turn, p.b);
    if (draw_below(stream, 2)) {
        p.a = vector_scaled(p.a, shift(stream, 10));
        p.b =
            vector_scaled(p.b, draw_below(stream, 2) ? shift(stream, 10) : draw_log(stream, -4, 4));
    } else if (draw_below(stream, 4) == 0) {
        p.a = vector_scaled(p.a, 0x1p1000 * draw_log(stream, 0, 20));
        p.b = vector_scaled(p.b, 0x1p1000 * draw_log(stream, 0, 20));
    }
    if (draw_below(stream, 2)) {
        p = (struct pair){p.b, p.a};
    }
    return p;
}

/* A whole number that is 0 or has any count of bits up to 20. */
static double whole(struct stream *stream)
{
    return (double)draw_below(stream, UINT64_C(1) << (1 + draw_below(stream, 20)));
}

struct pair pair_same_direction(struct stream *stream, size_t dimensions)
{
    bool wide = draw_below(stream, 2);
    struct vector v = {{0}};
    do {
        for (size_t i = 0; i < dimensions; i++) {
            double component = whole(stream);
            v.c[i] = draw_sign(stream, wide ? ldexp(component, (int)draw_below(stream, 900) - 450)
                                            : component);
        }
        if (draw_below(stream, 4) == 0) {
            v.c[draw_below(stream, dimensions - 1)] = v.c[dimensions - 1];
        }
    } while (largest(v) == 0);
    double p = (double)(1 + draw_below(stream, UINT64_C(1) << 32));
    double q = draw_below(stream, 2) ? (double)(1 + draw_below(stream, UINT64_C(1) << 32)) : p;
    int most = draw_below(stream, 2) ? 4 : 480;
    p *= shift(stream, most);
    return (struct pair){vector_scaled(v, p), vector_scaled(v, q * shift(stream, most))};
}

/* Another double beside x. */
static double beside(struct stream *stream, double x)
{
    double other;
    do {
        other = draw_step(stream, x, 1);
    } while (other == x);
    return other;
}

struct pair pair_neighbours(struct stream *stream, size_t dimensions)
{
    struct pair p;
    switch (draw_below(stream, 3)) {
    case 0:
        p = pair_same_direction(stream, dimensions);
        break;
    case 1:
        p.a = vector_any_finite(stream, dimensions);
        p.b = p.a;
        break;
    default:
        p.a = vector_unit(stream, dimensions);
        p.b = vector_scaled(p.a, shift(stream, 10));
    }
    size_t certain = draw_below(stream, dimensions);
    for (size_t i = 0; i < dimensions; i++) {
        p.b.c[i] = i == certain ? beside(stream, p.b.c[i]) : draw_step(stream, p.b.c[i], 1);
    }
    return p;
}

struct pair pair_normalised(struct stream *stream, size_t dimensions)
{
    struct pair p;
    p.a = vector_unit(stream, dimensions);
    struct vector aside = vector_unit(stream, dimensions);
    aside = vector_scaled(aside, ldexp(1, -(int)draw_below(stream, 60)));
    p.b = draw_below(stream, 3) ? vector_sum(p.a, aside)
                                : vector_scaled(p.a, draw_uniform(stream, 0.5, 2));
    p.b = vector_normalised(p.b);
    return p;
}

/* b = K a with an antisymmetric K, all of whole numbers so short that a . b = 0 exactly; then both
 * sides of each product are scaled against each other, and both vectors as a whole. */
static struct pair exact_right_angle(struct stream *stream, size_t dimensions)
{
    struct pair p;
    do {
        p = (struct pair){{{0}}, {{0}}};
        for (size_t i = 0; i < dimensions; i++) {
            p.a.c[i] = draw_sign(stream, whole(stream));
        }
        for (size_t i = 0; i < dimensions; i++) {
            for (size_t j = i + 1; j < dimensions; j++) {
                double k = draw_sign(stream, whole(stream));
                p.b.c[i] += k * p.a.c[j];
                p.b.c[j] -= k * p.a.c[i];
            }
        }
    } while (largest(p.a) == 0 || largest(p.b) == 0);
    bool wide = draw_below(stream, 2);
    for (size_t i = 0; i < dimensions && wide; i++) {
        double factor = shift(stream, 400);
        p.a.c[i] *= factor;
        p.b.c[i] /= factor;
    }
    p.a = vector_scaled(p.a, shift(stream, 500));
    p.b = vector_scaled(p.b, shift(stream, 500));
    return p;
}

struct pair pair_right_angle(struct stream *stream, size_t dimensions)
{
    struct pair p;
    uint64_t way = draw_below(stream, 4);
    if (way == 0) {
        p.a = vector_unit(stream, dimensions);
        p.b = vector_normalised(vector_across(stream, p.a, dimensions));
        return p;
    }
    p = exact_right_angle(stream, dimensions);
    if (way == 1) {
        size_t which = draw_below(stream, dimensions);
        while (p.a.c[which] == 0) {
            which = (which + 1) % dimensions;
        }
        p.b.c[which] = beside(stream, p.b.c[which]);
    }
    return p;
}

struct pair pair_lengths(struct stream *stream, size_t dimensions)
{
    struct pair p;
    p.a = vector_unit(stream, dimensions);
    p.b = vector_unit(stream, dimensions);
    p.a = vector_scaled(p.a, draw_log(stream, -1022, 1023));
    p.b = vector_scaled(p.b, draw_log(stream, -1022, 1023));
    return p;
}

static struct vector sized(struct stream *stream, int low, int high, size_t dimensions)
{
    struct vector v = {{0}};
    for (size_t i = 0; i < dimensions; i++) {
        v.c[i] = draw_sign(stream, draw_log(stream, low, high));
    }
    return v;
}

/* Every fourth time, b nearly along a. */
static struct pair draw_along(struct stream *stream, struct pair p)
{
    if (draw_below(stream, 4) == 0) {
        p.b = vector_sum(vector_scaled(p.a, 0.5), vector_scaled(p.b, 0x1p-30));
    }
    return p;
}

struct pair pair_huge(struct stream *stream, size_t dimensions)
{
    struct pair p;
    int low = draw_below(stream, 2) ? 1020 : 500;
    p.a = sized(stream, low, 1024, dimensions);
    p.b = sized(stream, low, 1024, dimensions);
    return draw_along(stream, p);
}

struct pair pair_tiny(struct stream *stream, size_t dimensions)
{
    struct pair p = {{{0}}, {{0}}};
    switch (draw_below(stream, 4)) {
    case 0: /* small multiples of the least double */
        for (size_t i = 0; i < dimensions; i++) {
            p.a.c[i] = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
            p.b.c[i] = draw_sign(stream, (double)draw_below(stream, 16) * min_subnormal);
        }
        return p;
    case 1:
        for (size_t i = 0; i < dimensions; i++) {
            p.a.c[i] = draw_between(stream, -DBL_MIN, DBL_MIN);
            p.b.c[i] = draw_between(stream, -DBL_MIN, DBL_MIN);
        }
        return p;
    default:
        p.a = sized(stream, -1022, -980, dimensions);
        p.b = sized(stream, -1022, -980, dimensions);
        return draw_along(stream, p);
    }
}

struct pair pair_mixed_exponents(struct stream *stream, size_t dimensions)
{
    struct pair p;
    p.a = sized(stream, -1074, 1023, dimensions);
    p.b = draw_below(stream, 2) ? sized(stream, -1074, 1023, dimensions)
                                : vector_scaled(p.a, draw_log(stream, -8, 8));
    for (size_t i = 0; i < dimensions; i++) {
        p.b.c[i] =
            draw_below(stream, 4) ? p.b.c[i] : draw_sign(stream, draw_log(stream, -1074, 1023));
    }
    return p;
}

struct pair pair_opposite(struct pair p)
{
    p.b = vector_scaled(p.b, -1);
    return p;
}

struct pair pair_either_way(struct stream *stream, struct pair p)
{
    return draw_below(stream, 2) ? p : pair_opposite(p);
}

/* The angle in [0, pi] of the given sine and cosine, times any common factor. */
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

double pair_angle(struct vector a, struct vector b)
{
    int exponent_of_a, exponent_of_b;
    if (largest(a) == 0 || largest(b) == 0 || isinf(largest(a)) || isinf(largest(b))) {
        return NAN;
    }
    frexp(largest(a), &exponent_of_a);
    frexp(largest(b), &exponent_of_b);
    for (int i = 0; i < PAIR_DIMENSIONS_MAX; i++) {
        a.c[i] = ldexp(a.c[i], -exponent_of_a);
        b.c[i] = ldexp(b.c[i], -exponent_of_b);
    }
    double minor[MINORS];
    set_minors(minor, a, b);
    return angle_of(norm(minor, MINORS), dot(a, b));
}

double pair_openness(struct vector a, struct vector b)
{
    double from_zero = pair_angle(a, b);
    double from_pi = pair_angle(vector_scaled(a, -1), b);
    return log2(from_zero) - log2(from_pi);
}
