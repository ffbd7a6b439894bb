/* Prints a checksum of the bits of every function's results on fixed inputs. Any two builds of the
 * library must print the same.
 *
 *     checksum COUNT [INSTRUCTION_SET]
 *
 * COUNT calls of each function, from ordinary, hard, extreme and special inputs in turn; NaNs
 * count as one. Exits with 77 if the machine lacks the instruction set. The functions come from
 * the catalogue and the inputs from a function's signature, so that only a new signature needs
 * work here. */
#include "truelerp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Inputs are a pure function of (index, counter). */
struct source {
    uint64_t index;
    uint64_t counter;
};

static uint64_t draw_bits(struct source *source)
{
    return mix(mix(source->index * 0x9e3779b97f4a7c15 + 1) + ++source->counter);
}

static uint64_t draw_below(struct source *source, uint64_t limit)
{
    return (draw_bits(source) >> 32) * limit >> 32;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Of any sign, its exponent uniform in [low, high); half of the fractions are short or all but a
 * power of two. */
static double draw_log(struct source *source, int low, int high)
{
    uint64_t bits = draw_bits(source);
    uint64_t sign = bits & UINT64_C(1) << 63;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    switch (draw_below(source, 4)) {
    case 0:
        fraction &= ~UINT64_C(0) << 44;
        break;
    case 1:
        fraction = bits & 1 ? bits >> 60 : (UINT64_C(1) << 52) - 1 - (bits >> 60);
        break;
    }
    int exponent = low + (int)draw_below(source, (uint64_t)(high - low));
    return from_bits(sign | (uint64_t)(exponent + 1023) << 52 | fraction);
}

static double draw_unit(struct source *source)
{
    return (double)(draw_bits(source) >> 11) * 0x1p-53;
}

static double draw_special(struct source *source)
{
    static const uint64_t special[] = {
        0,                            /* 0 */
        UINT64_C(0x8000000000000000), /* -0 */
        1,                            /* 2^-1074 */
        UINT64_C(0x8000000000000001),
        UINT64_C(0x000fffffffffffff), /* the largest subnormal number */
        UINT64_C(0x0010000000000000), /* 2^-1022 */
        UINT64_C(0x3fe0000000000000), /* 1/2 */
        UINT64_C(0x3fefffffffffffff), /* 1 and its neighbours */
        UINT64_C(0x3ff0000000000000),
        UINT64_C(0x3ff0000000000001),
        UINT64_C(0xbff0000000000000), /* -1 */
        UINT64_C(0x4000000000000000), /* 2 */
        UINT64_C(0x7fefffffffffffff), /* the largest number */
        UINT64_C(0xffefffffffffffff),
        UINT64_C(0x7ff0000000000000), /* infinities */
        UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000), /* NaN */
    };
    return from_bits(special[draw_below(source, sizeof special / sizeof *special)]);
}

/* One number of the sample's own kind. */
static double draw(struct source *source)
{
    switch (source->index % 4) {
    case 0:
        return 20 * draw_unit(source) - 10;
    case 1:
        return draw_log(source, -8, 8);
    case 2:
        return draw_below(source, 2) ? draw_log(source, -1022, 1024) : from_bits(draw_bits(source));
    default:
        return draw_below(source, 2) ? draw_special(source) : draw_log(source, -2, 2);
    }
}

/* A few units in the last place away, on the line of all doubles. */
static double draw_near(struct source *source, double x)
{
    uint64_t steps = draw_below(source, 7);
    return from_bits(to_bits(x) + steps - 3);
}

/* A place in the stretch from one number to another, often next to one of its ends. */
static double draw_between(struct source *source, double from, double to)
{
    double x = draw_unit(source);
    switch (draw_below(source, 8)) {
    case 0:
        return draw_near(source, from);
    case 1:
        return draw_near(source, to);
    case 2:
        return draw(source);
    case 3:
        x *= 0x1p-40;
        break;
    }
    return (1 - x) * from + x * to;
}

static uint64_t add(uint64_t sum, const double *results, int count)
{
    for (int i = 0; i < count; i++) {
        double x = results[i];
        sum = mix(sum ^ (x == x ? to_bits(x) : UINT64_C(0x7ff8000000000000))) + 1;
    }
    return sum;
}

static void draw_segment(struct source *source, tl_key keys[2], double *t)
{
    for (int i = 0; i < 2; i++) {
        tl_key *key = &keys[i];
        key->time = draw(source);
        key->value = draw(source);
        key->in_tangent = draw(source);
        key->out_tangent = draw(source);
        key->in_weight = draw_below(source, 2) ? draw_unit(source) : draw(source);
        key->out_weight = draw_below(source, 2) ? draw_unit(source) : draw(source);
        key->weighted_mode = (tl_weighted_mode)draw_below(source, 4);
    }
    if (source->index / 4 % 4 == 0) {
        keys[0].time *= 0x1p30;
        keys[1].time = keys[0].time + (double)(1 + draw_below(source, 64)) * 0x1p-18;
    }
    if (keys[1].time < keys[0].time && draw_below(source, 16) != 0) {
        double time = keys[0].time;
        keys[0].time = keys[1].time;
        keys[1].time = time;
    }
    *t = draw_between(source, keys[0].time, keys[1].time);
}

typedef double of_numbers(double, double, double);
static uint64_t run_of_numbers(of_numbers *function, struct source source, uint64_t sum)
{
    double a = draw(&source);
    double b = draw_below(&source, 4) ? draw(&source) : draw_near(&source, a);
    double t = draw_below(&source, 2) ? draw_between(&source, 0, 1) : draw(&source);
    double result = function(a, b, t);
    return add(sum, &result, 1);
}

typedef double of_segment(const tl_key *, const tl_key *, double);
static uint64_t run_of_segment(of_segment *function, struct source source, uint64_t sum)
{
    tl_key keys[2];
    double t;
    draw_segment(&source, keys, &t);
    double result = function(&keys[0], &keys[1], t);
    return add(sum, &result, 1);
}

typedef void coefficients_of_segment(const tl_key *, const tl_key *, double *);
static uint64_t run_coefficients_of_segment(coefficients_of_segment *function, struct source source,
                                            uint64_t sum)
{
    tl_key keys[2];
    double t, results[4];
    draw_segment(&source, keys, &t);
    function(&keys[0], &keys[1], results);
    return add(sum, results, 4);
}

/* Coefficients of the sample's kind, as they come or such that two or three roots are one or nearly
 * so. */
typedef int roots_of_polynomial(double, double, double, double, double *, int *);
static uint64_t run_roots_of_polynomial(roots_of_polynomial *function, struct source source,
                                        uint64_t sum)
{
    double x[4], roots[3] = {0, 0, 0};
    int multiplicities[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        x[i] = draw(&source);
    }
    uint64_t relation = draw_below(&source, 4);
    if (relation > 0) {
        double y = relation == 1 ? draw_near(&source, x[1]) : x[1];
        double z = relation == 3 ? x[1] : x[2];
        x[3] = -x[0] * x[1] * y * z;
        x[2] = x[0] * (x[1] * y + (x[1] + y) * z);
        x[1] = -x[0] * (x[1] + y + z);
    }
    int count = function(x[0], x[1], x[2], x[3], roots, multiplicities);
    double results[7] = {count};
    for (int i = 0; i < 3; i++) {
        results[1 + i] = i < count ? roots[i] : 0;
        results[4 + i] = i < count ? multiplicities[i] : 0;
    }
    return add(sum, results, 7);
}

/* Of three components, or four where they are quaternions. */
typedef void of_vectors(const double *, const double *, double, double *);
static uint64_t run_of_vectors(of_vectors *function, struct source source, uint64_t sum)
{
    double a[4], b[4], results[4];
    int dimensions = function == tl_slerp4 ? 4 : 3;
    double scale = draw_log(&source, -4, 4);
    uint64_t relation = draw_below(&source, 4);
    for (int i = 0; i < dimensions; i++) {
        a[i] = draw(&source);
        b[i] = relation < 2 ? draw(&source) : scale * a[i]; /* else parallel, or nearly so */
        b[i] = relation == 3 ? draw_near(&source, b[i]) : b[i];
    }
    double t = draw_below(&source, 2) ? draw_between(&source, 0, 1) : draw(&source);
    function(a, b, t, results);
    return add(sum, results, dimensions);
}

typedef double angle_of_vectors(const double *, const double *);
static uint64_t run_angle_of_vectors(angle_of_vectors *function, struct source source, uint64_t sum)
{
    double a[3], b[3];
    double scale = draw_log(&source, -4, 4);
    uint64_t relation = draw_below(&source, 4);
    for (int i = 0; i < 3; i++) {
        a[i] = draw(&source);
        b[i] = relation < 2 ? draw(&source) : scale * a[i];
        b[i] = relation == 3 ? draw_near(&source, b[i]) : b[i];
    }
    double result = function(a, b);
    return add(sum, &result, 1);
}

/* Builders: what they return counts, and so does what is made of what they built. */

enum { NODES = 12, CHANNELS = 3, MEMORY = 4096 };

struct nodes {
    double times[NODES];
    double values[NODES * CHANNELS];
    size_t count, channels;
};

/* Rising or in any order. */
static struct nodes draw_nodes(struct source *source, int rising)
{
    struct nodes nodes = {.count = 1 + draw_below(source, NODES),
                          .channels = 1 + draw_below(source, CHANNELS)};
    double time = draw(source);
    for (size_t i = 0; i < nodes.count; i++) {
        double next = draw(source);
        nodes.times[i] = rising ? time : next;
        double step = next < 0 ? -next : next;
        time = draw_below(source, 8) ? time + step : draw_near(source, time);
    }
    for (size_t i = 0; i < nodes.count * nodes.channels; i++) {
        nodes.values[i] = draw(source);
    }
    return nodes;
}

static uint64_t add_status(uint64_t sum, tl_status status, const size_t at[2])
{
    double results[3] = {status, (double)at[0], (double)at[1]};
    return add(sum, results, 3);
}

static double draw_time(struct source *source, const struct nodes *nodes)
{
    double from = nodes->times[draw_below(source, nodes->count)];
    return draw_between(source, from, nodes->times[draw_below(source, nodes->count)]);
}

typedef void of_newton(const tl_newton_table *, double, double *);
static uint64_t run_of_newton(of_newton *function, struct source source, uint64_t sum)
{
    struct nodes nodes = draw_nodes(&source, 0);
    double memory[MEMORY], results[CHANNELS];
    size_t at[2];
    tl_newton_table table;
    if (tl_newton_size(nodes.count, nodes.channels) > MEMORY) {
        abort();
    }
    tl_status status =
        tl_newton_build(&table, nodes.times, nodes.values, nodes.count, nodes.channels, memory, at);
    sum = add_status(sum, status, at);
    if (status == TL_OK) {
        function(&table, draw_time(&source, &nodes), results);
        sum = add(sum, results, (int)nodes.channels);
    }
    return sum;
}

typedef void crossfade_of_newton(const tl_newton_table *, const tl_newton_table *, double, double,
                                 double *);
static uint64_t run_crossfade_of_newton(crossfade_of_newton *function, struct source source,
                                        uint64_t sum)
{
    struct nodes nodes[2] = {draw_nodes(&source, 0), draw_nodes(&source, 0)};
    double memory[2][MEMORY], results[CHANNELS];
    tl_newton_table table[2];
    int built = 0;
    for (int i = 0; i < 2; i++) {
        size_t at[2];
        nodes[i].channels = 1;
        tl_status status = tl_newton_build(&table[i], nodes[i].times, nodes[i].values,
                                           nodes[i].count, 1, memory[i], at);
        sum = add_status(sum, status, at);
        built += status == TL_OK;
    }
    if (built == 2) {
        double t = draw_time(&source, &nodes[0]);
        function(&table[0], &table[1], t, draw_between(&source, 0, 1), results);
        sum = add(sum, results, 1);
    }
    return sum;
}

typedef void of_track(const tl_track_table *, double, double *);
static uint64_t run_of_track(of_track *function, struct source source, uint64_t sum)
{
    struct nodes nodes = draw_nodes(&source, 1);
    double memory[MEMORY], results[CHANNELS];
    size_t at[2], order = 1 + draw_below(&source, 3);
    tl_track_table table;
    if (tl_track_size(order, nodes.count, nodes.channels) > MEMORY) {
        abort();
    }
    tl_status status = tl_track_build(&table, order, nodes.times, nodes.values, nodes.count,
                                      nodes.channels, memory, at);
    sum = add_status(sum, status, at);
    if (status == TL_OK) {
        function(&table, draw_time(&source, &nodes), results);
        sum = add(sum, results, (int)nodes.channels);
    }
    return sum;
}

/* Returns whether it was built. */
static int build_curve(struct source *source, tl_curve_table *curve, tl_key keys[NODES],
                       double memory[MEMORY], uint64_t *sum)
{
    struct nodes nodes = draw_nodes(source, 1);
    size_t at[2];
    for (size_t i = 0; i < nodes.count; i++) {
        tl_key pair[2];
        double t;
        draw_segment(source, pair, &t);
        keys[i] = pair[0];
        keys[i].time = nodes.times[i];
    }
    if (tl_curve_size(nodes.count) > MEMORY) {
        abort();
    }
    tl_wrap before = (tl_wrap)draw_below(source, 3), after = (tl_wrap)draw_below(source, 3);
    tl_status status = tl_curve_build(curve, keys, nodes.count, before, after, memory, at);
    *sum = add_status(*sum, status, at);
    return status == TL_OK;
}

static double draw_curve_time(struct source *source, const tl_curve_table *curve)
{
    double first = curve->keys[0].time, last = curve->keys[curve->count - 1].time;
    double t = draw_between(source, first, last);
    return draw_below(source, 2) ? t : t + (last - first) * draw(source);
}

typedef double of_curve(const tl_curve_table *, double);
static uint64_t run_of_curve(of_curve *function, struct source source, uint64_t sum)
{
    tl_key keys[NODES];
    double memory[MEMORY];
    tl_curve_table curve;
    if (build_curve(&source, &curve, keys, memory, &sum)) {
        double result = function(&curve, draw_curve_time(&source, &curve));
        sum = add(sum, &result, 1);
    }
    return sum;
}

typedef double crossfade_of_curves(const tl_curve_table *, const tl_curve_table *, double, double);
static uint64_t run_crossfade_of_curves(crossfade_of_curves *function, struct source source,
                                        uint64_t sum)
{
    tl_key keys[2][NODES];
    double memory[2][MEMORY];
    tl_curve_table curve[2];
    int a = build_curve(&source, &curve[0], keys[0], memory[0], &sum);
    int b = build_curve(&source, &curve[1], keys[1], memory[1], &sum);
    if (a && b) {
        double t = draw_curve_time(&source, &curve[0]);
        double result = function(&curve[0], &curve[1], t, draw_between(&source, 0, 1));
        sum = add(sum, &result, 1);
    }
    return sum;
}

/* A new signature needs a line here and the function that it names. */
/* clang-format off */
#define RUN(function, source, sum)                                                                 \
    _Generic((function),                                                                           \
        of_numbers *: run_of_numbers,                                                              \
        of_segment *: run_of_segment,                                                              \
        coefficients_of_segment *: run_coefficients_of_segment,                                    \
        roots_of_polynomial *: run_roots_of_polynomial,                                            \
        angle_of_vectors *: run_angle_of_vectors,                                                  \
        of_newton *: run_of_newton,                                                                \
        crossfade_of_newton *: run_crossfade_of_newton,                                            \
        of_track *: run_of_track,                                                                  \
        of_curve *: run_of_curve,                                                                  \
        crossfade_of_curves *: run_crossfade_of_curves,                                            \
        of_vectors *: run_of_vectors)(function, source, sum)
/* clang-format on */

int main(int argc, char **argv)
{
    char *end = "";
    uint64_t count = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
    if (argc > 3 || count == 0 || *end != '\0') {
        fprintf(stderr, "usage: checksum COUNT [INSTRUCTION_SET]\n");
        return 2;
    }
    if (argc > 2 && tl_use_instruction_set(argv[2]) != 0) {
        fprintf(stderr, "checksum: no instruction set %s here\n", argv[2]);
        return 77;
    }
    printf("%s\n", tl_instruction_set());
    uint64_t total = 0;
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        uint64_t sum = 0;                                                                          \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            sum = RUN(tl_##name, ((struct source){i, 0}), sum);                                    \
        }                                                                                          \
        printf("%016" PRIx64 " %s\n", sum, #name);                                                 \
        total = mix(total ^ sum) + 1;                                                              \
    }
#ifdef FUNCTIONS
    FUNCTIONS
#else
#include "../../oracle/catalog.def"
#endif
    printf("%016" PRIx64 " all\n", total);
    return 0;
}
