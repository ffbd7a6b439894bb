#include "draw.h"
#include "pair.h"

#include <float.h>
#include <math.h>

static const double min_subnormal = 0x1p-1074, pi = 0x1.921fb54442d18p+1;

enum { DIMENSIONS = 3, PAIR = 2 * DIMENSIONS };

/* Makes it `count` inputs, the first six of which are the pair's. */
static double *put(struct values *inputs, struct pair p, size_t count)
{
    double *number = values_numbers(inputs, count);
    for (size_t i = 0; i < DIMENSIONS; i++) {
        number[i] = p.a.c[i];
        number[DIMENSIONS + i] = p.b.c[i];
    }
    return number;
}

/* The pairs of either function, by what their domain's name says. */

static struct pair near_zero_pair(struct stream *stream)
{
    return pair_parallel(stream, DIMENSIONS);
}

static struct pair near_pi_pair(struct stream *stream)
{
    return pair_opposite(pair_parallel(stream, DIMENSIONS));
}

static struct pair exactly_opposite_pair(struct stream *stream)
{
    return pair_opposite(pair_same_direction(stream, DIMENSIONS));
}

static struct pair right_angle_pair(struct stream *stream)
{
    struct pair p = pair_right_angle(stream, DIMENSIONS);
    return pair_either_way(stream, p);
}

static struct pair neighbours_pair(struct stream *stream)
{
    struct pair p = pair_neighbours(stream, DIMENSIONS);
    return pair_either_way(stream, p);
}

static struct pair normalised_pair(struct stream *stream)
{
    struct pair p = pair_normalised(stream, DIMENSIONS);
    return pair_either_way(stream, p);
}

/* The tangent is 2^-k exactly, so that the angle is next to a power of two, where ulps change. */
static struct pair power_of_two_pair(struct stream *stream)
{
    struct pair p = {{{0}}, {{0}}};
    size_t axis = draw_below(stream, DIMENSIONS);
    size_t other = (axis + 1 + draw_below(stream, DIMENSIONS - 1)) % DIMENSIONS;
    int exponent = (int)draw_below(stream, 1025);
    double size = draw_log(stream, exponent - 1022, 1000);
    p.a.c[axis] = draw_sign(stream, size);
    p.b.c[axis] = p.a.c[axis];
    p.b.c[other] = draw_sign(stream, ldexp(size, -exponent));
    return draw_below(stream, 2) ? p : (struct pair){p.b, p.a};
}

/* Zeros of either sign: mostly the second vector, the first one or both. */
static struct pair zero_pair(struct stream *stream)
{
    struct pair p = pair_typical(stream, DIMENSIONS);
    uint64_t way = draw_below(stream, 8);
    for (size_t i = 0; i < DIMENSIONS; i++) {
        p.a.c[i] = way < 3 ? draw_sign(stream, 0) : p.a.c[i];
        p.b.c[i] = way == 1 || way == 2 ? p.b.c[i] : draw_sign(stream, 0);
    }
    return p;
}

enum { VECTORS = 18 };

/* Zero, special, infinite and NaN vectors, and an ordinary one with its neighbour and multiples. */
static struct pair boundary_pair(struct stream *stream, uint64_t *combination)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    struct vector x = pair_typical(stream, DIMENSIONS).a;
    const struct vector vectors[VECTORS] = {
        x,
        vector_scaled(x, 0.5),
        vector_scaled(x, -4),
        {{x.c[0], x.c[1], nextafter(x.c[2], 2)}},
        {{0, 0, 0}},
        {{-0.0, 0, -0.0}},
        {{1, 0, 0}},
        {{-1, 0, 0}},
        {{0, 2, 0}},
        {{1, 1, 1}},
        {{-2, -2, -2}},
        {{least, 0, 0}},
        {{0, -least, least}},
        {{most, most, -most}},
        {{1, 0x1p-1000, 0}},
        {{x.c[0], inf, x.c[2]}},
        {{-inf, inf, 0}},
        {{x.c[0], x.c[1], nan}},
    };
    struct pair p;
    p.a = vectors[draw_digit(combination, VECTORS)];
    p.b = vectors[draw_digit(combination, VECTORS)];
    return p;
}

/* The angle between two vectors */

static void typical_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_typical(stream, DIMENSIONS), PAIR);
}

static void any_finite_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_any_finite(stream, DIMENSIONS), PAIR);
}

/* Half of the cases spoil ordinary inputs by one number or two, the others draw all. */
static void put_any(struct stream *stream, double *number, size_t count)
{
    if (draw_below(stream, 2)) {
        for (size_t i = 0; i < count; i++) {
            number[i] = draw_any(stream);
        }
    } else {
        for (int i = 0; i < 2; i++) {
            size_t which = draw_below(stream, count);
            number[which] = draw_any(stream);
        }
    }
}

static void any_angle(struct stream *stream, struct values *inputs)
{
    double *number = put(inputs, pair_typical(stream, DIMENSIONS), PAIR);
    put_any(stream, number, PAIR);
}

static void near_zero_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, near_zero_pair(stream), PAIR);
}

static void near_pi_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, near_pi_pair(stream), PAIR);
}

static void right_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, right_angle_pair(stream), PAIR);
}

static void power_of_two(struct stream *stream, struct values *inputs)
{
    put(inputs, power_of_two_pair(stream), PAIR);
}

static void same_direction_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_same_direction(stream, DIMENSIONS), PAIR);
}

static void exactly_opposite_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, exactly_opposite_pair(stream), PAIR);
}

static void zero_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, zero_pair(stream), PAIR);
}

static void neighbours_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, neighbours_pair(stream), PAIR);
}

static void normalised_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, normalised_pair(stream), PAIR);
}

static void lengths_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_lengths(stream, DIMENSIONS), PAIR);
}

static void huge_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_huge(stream, DIMENSIONS), PAIR);
}

static void tiny_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_tiny(stream, DIMENSIONS), PAIR);
}

static void mixed_exponents_angle(struct stream *stream, struct values *inputs)
{
    put(inputs, pair_mixed_exponents(stream, DIMENSIONS), PAIR);
}

static void boundary_angle(struct stream *stream, struct values *inputs)
{
    uint64_t combination = draw_combination(stream, (uint64_t)VECTORS * VECTORS);
    put(inputs, boundary_pair(stream, &combination), PAIR);
}

static const struct domain angle_list[] = {
    {"typical", "directions all around, half of them unit vectors", typical_angle},
    {"any_finite", "any finite bit patterns", any_finite_angle},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any_angle},
    {"near_zero", "angles from 1 down to 1e-300 and less", near_zero_angle},
    {"near_pi", "angles from pi by 1 down to 1e-300 and less", near_pi_angle},
    {"right_angle", "a dot product of 0, or next to it", right_angle},
    {"power_of_two", "a tangent of 2^-k, where the size of an ulp changes", power_of_two},
    {"same_direction", "exact multiples of one vector", same_direction_angle},
    {"exactly_opposite", "exact negative multiples of one vector", exactly_opposite_angle},
    {"zero", "the second vector is zero, or the first, or both", zero_angle},
    {"neighbours", "the same or the opposite direction but for last bits", neighbours_angle},
    {"normalised", "rounded unit vectors, equal, nearly so, or opposite", normalised_angle},
    {"lengths", "lengths over the whole range", lengths_angle},
    {"huge", "components from 2^500 to the end of the range", huge_angle},
    {"tiny", "components from 2^-980 down to subnormal ones", tiny_angle},
    {"mixed_exponents", "every component of a size of its own", mixed_exponents_angle},
    {"boundary", "every combination of special vectors, infinities and NaN", boundary_angle},
};

static double openness(const struct values *inputs)
{
    const double *number = inputs->number;
    return pair_openness(vector_at(number, DIMENSIONS), vector_at(number + DIMENSIONS, DIMENSIONS));
}

enum { ANGLE_COUNT = sizeof angle_list / sizeof *angle_list, ANGLE_LENGTHS = 12 };

const struct domains domains_angle3 = {
    angle_list, ANGLE_COUNT, 0, ANGLE_LENGTHS, {"log2 of theta / (pi - theta)", -64, 64, openness}};

/* A vector turned by an angle */

enum { TURN = PAIR + 1 };

static void put_turn(struct values *inputs, struct pair p, double phi)
{
    put(inputs, p, TURN)[PAIR] = phi;
}

/* Up to half a turn either way, evenly or by a fraction of the circle; or any size. */
static double ordinary_angle(struct stream *stream)
{
    switch (draw_below(stream, 4)) {
    case 0: {
        uint64_t parts = 2 + draw_below(stream, 359);
        return draw_sign(stream, pi * (double)(1 + draw_below(stream, parts)) / (double)parts);
    }
    case 1:
        return draw_sign(stream, draw_log(stream, -20, 2));
    default:
        return draw_uniform(stream, -pi, pi);
    }
}

static void put_ordinary(struct stream *stream, struct values *inputs, struct pair p)
{
    put_turn(inputs, p, ordinary_angle(stream));
}

static void typical_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_typical(stream, DIMENSIONS));
}

static void any_finite_turn(struct stream *stream, struct values *inputs)
{
    struct pair p = pair_any_finite(stream, DIMENSIONS);
    double phi = draw_below(stream, 4) ? ordinary_angle(stream) : draw_finite(stream);
    put_turn(inputs, p, phi);
}

static void any_turn(struct stream *stream, struct values *inputs)
{
    typical_turn(stream, inputs);
    put_any(stream, inputs->number, TURN);
}

static void near_parallel_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, near_zero_pair(stream));
}

static void near_opposite_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, near_pi_pair(stream));
}

static void right_angle_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, right_angle_pair(stream));
}

static void same_direction_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_same_direction(stream, DIMENSIONS));
}

static void exactly_opposite_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, exactly_opposite_pair(stream));
}

static void zero_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, zero_pair(stream));
}

static void neighbours_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, neighbours_pair(stream));
}

static void normalised_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, normalised_pair(stream));
}

static void lengths_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_lengths(stream, DIMENSIONS));
}

static void huge_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_huge(stream, DIMENSIONS));
}

static void tiny_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_tiny(stream, DIMENSIONS));
}

static void mixed_exponents_turn(struct stream *stream, struct values *inputs)
{
    put_ordinary(stream, inputs, pair_mixed_exponents(stream, DIMENSIONS));
}

/* A pair of one of the kinds above, for what is about phi. */
static struct pair any_pair(struct stream *stream)
{
    switch (draw_below(stream, 8)) {
    case 0:
        return near_zero_pair(stream);
    case 1:
        return near_pi_pair(stream);
    case 2: {
        struct pair p = pair_same_direction(stream, DIMENSIONS);
        return pair_either_way(stream, p);
    }
    case 3:
        return right_angle_pair(stream);
    default:
        return pair_typical(stream, DIMENSIONS);
    }
}

static void small_phi(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream);
    double phi = draw_log(stream, draw_below(stream, 2) ? -60 : -1074, -1);
    put_turn(inputs, p, draw_sign(stream, phi));
}

/* Many turns, or as many as the range holds. */
static void large_phi(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream);
    double phi = draw_log(stream, 1, draw_below(stream, 2) ? 60 : 1024);
    put_turn(inputs, p, draw_sign(stream, phi));
}

/* Next to multiples of pi / 2, where a sine or a cosine vanishes: few of them, many, or doubles
 * that are nearest by chance, found by continued fractions (the first one is the nearest of all).
 */
static void quarter_turns(struct stream *stream, struct values *inputs)
{
    static const double nearest[] = {0x1.6ac5b262ca1ffp+849, 0x1.6c6cbc45dc8dep+5,
                                     0x1.b951f1572eba5p+23, 0x1.504cac51f1eafp+131,
                                     0x1.e009c53148be1p+991};
    struct pair p = any_pair(stream);
    double phi;
    switch (draw_below(stream, 4)) {
    case 0:
        phi = nearest[draw_below(stream, sizeof nearest / sizeof *nearest)];
        break;
    case 1:
        phi = pi / 2 * (double)(1 + draw_below(stream, 1u << 30));
        break;
    default:
        phi = draw_step(stream, pi / 2 * (double)(1 + draw_below(stream, 64)), 2);
    }
    put_turn(inputs, p, draw_sign(stream, phi));
}

/* By the angle between the two, which brings a on to b: short of it, beyond or away from it. */
static void onto(struct stream *stream, struct values *inputs)
{
    struct pair p = any_pair(stream);
    double phi = pair_angle(p.a, p.b);
    switch (draw_below(stream, 4)) {
    case 0:
        phi *= draw_uniform(stream, 0, 4);
        break;
    case 1:
        phi *= -1;
        break;
    default:
        phi = draw_step(stream, phi, 4);
    }
    put_turn(inputs, p, phi);
}

static void boundary_turn(struct stream *stream, struct values *inputs)
{
    const double phi[] = {0.0,  -0.0, min_subnormal, -min_subnormal, DBL_MIN, 1,       -1,
                          pi,   -pi,  pi / 2,        2 * pi,         4,       DBL_MAX, -DBL_MAX,
                          0.25, NAN,  INFINITY,      -INFINITY};
    enum { ANGLES = sizeof phi / sizeof *phi };
    uint64_t combination = draw_combination(stream, (uint64_t)VECTORS * VECTORS * ANGLES);
    struct pair p = boundary_pair(stream, &combination);
    put_turn(inputs, p, phi[draw_digit(&combination, ANGLES)]);
}

static const struct domain turn_list[] = {
    {"typical", "directions all around, up to half a turn either way", typical_turn},
    {"any_finite", "any finite bit patterns, phi mostly ordinary", any_finite_turn},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any_turn},
    {"near_parallel", "angles from 1 down to 1e-300 and less between the vectors",
     near_parallel_turn},
    {"near_opposite", "angles from pi by 1 down to 1e-300 and less", near_opposite_turn},
    {"right_angle", "a dot product of 0, or next to it", right_angle_turn},
    {"same_direction", "exact multiples of one vector", same_direction_turn},
    {"exactly_opposite", "exact negative multiples of one vector", exactly_opposite_turn},
    {"zero", "the second vector is zero, or the first, or both", zero_turn},
    {"neighbours", "the same or the opposite direction but for last bits", neighbours_turn},
    {"normalised", "rounded unit vectors, equal, nearly so, or opposite", normalised_turn},
    {"lengths", "lengths over the whole range", lengths_turn},
    {"huge", "components from 2^500 to the end of the range", huge_turn},
    {"tiny", "components from 2^-980 down to subnormal ones", tiny_turn},
    {"mixed_exponents", "every component of a size of its own", mixed_exponents_turn},
    {"small_phi", "phi from 1 down to the least double", small_phi},
    {"large_phi", "many turns, up to the end of the range", large_phi},
    {"quarter_turns", "phi next to multiples of pi / 2", quarter_turns},
    {"onto", "phi next to the angle between the vectors, or some times that", onto},
    {"boundary", "every combination of special vectors and angles, infinities and NaN",
     boundary_turn},
};

static double log_phi(const struct values *inputs)
{
    return log2(fabs(inputs->number[PAIR]));
}

enum { TURN_COUNT = sizeof turn_list / sizeof *turn_list, QUARTER_TURNS = 17 };

const struct domains domains_rotate_toward3 = {
    turn_list, TURN_COUNT, 0, QUARTER_TURNS, {"log2 |phi|", -64, 64, log_phi}};
