#include "draw.h"

#include <float.h>
#include <math.h>

enum { NODES_MAX = 32 };

static const double min_subnormal = 0x1p-1074;

struct nodes {
    size_t count, channels;
    double time[NODES_MAX];
    double value[NODES_MAX * CHANNELS_MAX]; /* node by node */
};

/* Appends the two lists. */
static void put_nodes(struct values *inputs, const struct nodes *nodes)
{
    double *times = values_append(inputs, nodes->count);
    for (size_t i = 0; i < nodes->count; i++) {
        times[i] = nodes->time[i];
    }
    size_t count = nodes->count * nodes->channels;
    double *values = values_append(inputs, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = nodes->value[i];
    }
}

static void put_number(struct values *inputs, double number)
{
    *values_append(inputs, 1) = number;
}

static void put(struct values *inputs, const struct nodes *nodes, double t)
{
    values_clear(inputs);
    put_nodes(inputs, nodes);
    put_number(inputs, t);
}

static void put_track(struct values *inputs, double order, const struct nodes *nodes, double t)
{
    values_clear(inputs);
    put_number(inputs, order);
    put_nodes(inputs, nodes);
    put_number(inputs, t);
}

static size_t between(struct stream *stream, size_t least, size_t most)
{
    return least + (size_t)draw_below(stream, most - least + 1);
}

/* Times */

/* Puts times in order and makes them all different. */
static void separate(struct nodes *nodes)
{
    double *time = nodes->time;
    for (size_t i = 1; i < nodes->count; i++) {
        for (size_t j = i; j > 0 && time[j - 1] > time[j]; j--) {
            double swapped = time[j];
            time[j] = time[j - 1];
            time[j - 1] = swapped;
        }
    }
    for (size_t i = 1; i < nodes->count; i++) {
        if (time[i] <= time[i - 1]) {
            time[i] = nextafter(time[i - 1], INFINITY);
        }
    }
}

/* Any order: the values go with their times. */
static void shuffle(struct stream *stream, struct nodes *nodes)
{
    for (size_t i = nodes->count; i > 1; i--) {
        size_t j = (size_t)draw_below(stream, i);
        double time = nodes->time[j];
        nodes->time[j] = nodes->time[i - 1];
        nodes->time[i - 1] = time;
        for (size_t channel = 0; channel < nodes->channels; channel++) {
            double *x = &nodes->value[j * nodes->channels + channel];
            double *y = &nodes->value[(i - 1) * nodes->channels + channel];
            double value = *x;
            *x = *y;
            *y = value;
        }
    }
}

static double first_time(const struct nodes *nodes)
{
    double first = INFINITY;
    for (size_t i = 0; i < nodes->count; i++) {
        first = draw_least(first, nodes->time[i]);
    }
    return first;
}

static double last_time(const struct nodes *nodes)
{
    double last = -INFINITY;
    for (size_t i = 0; i < nodes->count; i++) {
        last = draw_most(last, nodes->time[i]);
    }
    return last;
}

static double span_of(const struct nodes *nodes)
{
    return draw_least(last_time(nodes) - first_time(nodes), DBL_MAX);
}

/* Keys of animation: every so often, but never exactly; on frames or not. */
static void set_jittered(struct stream *stream, struct nodes *nodes, size_t count)
{
    static const double rates[] = {0, 24, 30, 60};
    double step = draw_uniform(stream, 0.1, 2);
    double start = draw_below(stream, 2) ? draw_uniform(stream, 0, 60) : 0;
    double rate = rates[draw_below(stream, 4)];
    nodes->count = count;
    for (size_t i = 0; i < count; i++) {
        double jitter = draw_uniform(stream, -0.4, 0.4);
        double time = start + step * ((double)i + jitter);
        nodes->time[i] = rate > 0 ? floor(time * rate + 0.5) / rate : time;
    }
    separate(nodes);
}

/* One or more distances are far below the others: by a factor 2^-k, or few doubles. */
static void set_close(struct stream *stream, struct nodes *nodes, size_t count)
{
    set_jittered(stream, nodes, count);
    size_t pairs = between(stream, 1, 2);
    for (size_t i = 0; i < pairs; i++) {
        size_t j = between(stream, 0, count - 2);
        if (draw_below(stream, 2)) {
            nodes->time[j + 1] = draw_step(stream, nodes->time[j], 3);
        } else {
            nodes->time[j + 1] = nodes->time[j] + draw_log(stream, -53, -6);
        }
    }
    separate(nodes);
}

/* Few places with several nodes at each, apart by one size within a cluster. */
static void set_clusters(struct stream *stream, struct nodes *nodes, size_t count)
{
    size_t places = between(stream, 1, 3);
    double start = draw_below(stream, 2) ? draw_uniform(stream, 0, 10) : 1;
    double size = draw_below(stream, 2) ? draw_log(stream, -52, -2) : 0;
    nodes->count = count;
    for (size_t i = 0; i < count; i++) {
        double place = start + (double)(i % places);
        if (size > 0) {
            nodes->time[i] = place + size * draw_uniform(stream, -1, 1);
        } else {
            nodes->time[i] = draw_step(stream, place, (int)count);
        }
    }
    separate(nodes);
}

/* Distances from one node, perhaps on both sides, fall like 2^-k, 4^-k, ... */
static void set_geometric(struct stream *stream, struct nodes *nodes, size_t count)
{
    size_t ratio = between(stream, 1, 6);
    size_t both = draw_below(stream, 3) == 0;
    double centre = draw_below(stream, 2) ? 0 : draw_uniform(stream, -1, 1);
    nodes->count = count;
    nodes->time[0] = centre;
    for (size_t i = 1; i < count; i++) {
        double distance =
            ldexp(draw_below(stream, 2) ? 1 : draw_log(stream, 0, 1), -(int)(ratio * (i - 1)));
        nodes->time[i] = both && i % 2 ? centre - distance : centre + distance;
    }
    separate(nodes);
}

/* Whole multiples of a step, one after the other or with some left out: many products of distances
 * are equal. */
static void set_even(struct stream *stream, struct nodes *nodes, size_t count)
{
    bool gaps = draw_below(stream, 3) == 0;
    double step = draw_below(stream, 4) ? ldexp(1, (int)draw_below(stream, 12) - 6)
                                        : (double)between(stream, 1, 99) / 100;
    double place = -(double)between(stream, 0, count);
    nodes->count = count;
    for (size_t i = 0; i < count; i++) {
        nodes->time[i] = step * place;
        place += gaps ? (double)between(stream, 1, 3) : 1;
    }
}

/* A clock that counts from long ago: few bits are left for what lies between keys. */
static void set_offset(struct stream *stream, struct nodes *nodes, size_t count)
{
    set_jittered(stream, nodes, count);
    double offset = draw_below(stream, 2) ? 1e9 : draw_log(stream, 20, 54);
    offset = draw_sign(stream, offset);
    for (size_t i = 0; i < count; i++) {
        nodes->time[i] += offset;
    }
    separate(nodes);
}

/* One of the kinds above. */
static void set_times(struct stream *stream, struct nodes *nodes, size_t count)
{
    switch (draw_below(stream, 8)) {
    case 0:
        set_close(stream, nodes, count);
        break;
    case 1:
        set_clusters(stream, nodes, count);
        break;
    case 2:
        set_geometric(stream, nodes, count);
        break;
    case 3:
        set_even(stream, nodes, count);
        break;
    default:
        set_jittered(stream, nodes, count);
    }
}

/* Values */

/* Positions, colours or angles; now and then one is held. */
static void add_values(struct stream *stream, struct nodes *nodes, size_t channels)
{
    static const double sizes[] = {1, 10, 360};
    double most = sizes[draw_below(stream, 3)];
    nodes->channels = channels;
    for (size_t i = 0; i < nodes->count * channels; i++) {
        bool held = i >= channels && draw_below(stream, 8) == 0;
        nodes->value[i] = held ? nodes->value[i - channels] : draw_uniform(stream, -most, most);
    }
}

/* A polynomial of low degree, in the time's distance from the first node, rounded; with a step now
 * and then. */
static void add_smooth_values(struct stream *stream, struct nodes *nodes)
{
    double coefficient[4] = {0};
    size_t degree = between(stream, 0, 3);
    for (size_t k = 0; k <= degree; k++) {
        coefficient[k] = draw_uniform(stream, -1, 1);
    }
    double origin = draw_below(stream, 2) ? nodes->time[0] : 0;
    nodes->channels = 1;
    for (size_t i = 0; i < nodes->count; i++) {
        double x = nodes->time[i] - origin;
        double value = ((coefficient[3] * x + coefficient[2]) * x + coefficient[1]) * x;
        nodes->value[i] = draw_below(stream, 16) ? value + coefficient[0]
                                                 : draw_step(stream, value + coefficient[0], 1);
    }
}

/* Multiplies by 2^exponent, but stays in the range. */
static void scale(double *numbers, size_t count, int exponent)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = draw_most(draw_least(ldexp(numbers[i], exponent), DBL_MAX), -DBL_MAX);
    }
}

static double inside(struct stream *stream, const struct nodes *nodes)
{
    return draw_inside(stream, first_time(nodes), last_time(nodes));
}

/* Nodes and a time for a kind of distances, one channel. */
static void put_kind(struct stream *stream, struct values *inputs, size_t least, size_t most,
                     void (*set)(struct stream *, struct nodes *, size_t))
{
    struct nodes nodes;
    set(stream, &nodes, between(stream, least, most));
    add_values(stream, &nodes, 1);
    double t = inside(stream, &nodes);
    if (draw_below(stream, 2)) {
        shuffle(stream, &nodes);
    }
    put(inputs, &nodes, t);
}

static void put_shuffled(struct stream *stream, struct values *inputs, struct nodes *nodes,
                         double t)
{
    shuffle(stream, nodes);
    put(inputs, nodes, t);
}

/* Domains of newton */

static struct nodes typical_nodes(struct stream *stream, size_t least, size_t most)
{
    struct nodes nodes;
    set_jittered(stream, &nodes, between(stream, least, most));
    add_values(stream, &nodes, draw_below(stream, 4) ? 1 : 3);
    return nodes;
}

static void typical(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = typical_nodes(stream, 2, 8);
    put(inputs, &nodes, draw_uniform(stream, nodes.time[0], nodes.time[nodes.count - 1]));
}

static void article(struct stream *stream, struct values *inputs)
{
    static const double times[] = {0, 0.3, 0.5, 1.2}, values[] = {0, 0.2, 1, 0};
    struct nodes nodes = {.count = 4, .channels = 1};
    bool drawn = draw_below(stream, 4) != 0;
    for (size_t i = 0; i < 4; i++) {
        nodes.time[i] = times[i];
        nodes.value[i] = drawn ? draw_uniform(stream, -1, 1) : values[i];
    }
    double t = draw_below(stream, 8) ? inside(stream, &nodes) : draw_uniform(stream, -2, 3);
    if (draw_below(stream, 2)) {
        shuffle(stream, &nodes);
    }
    put(inputs, &nodes, t);
}

static void many(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 9, 30, set_jittered);
}

static void close_nodes(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 3, 8, set_close);
}

static void clusters(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 3, 12, set_clusters);
}

static void geometric(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 3, 20, set_geometric);
}

static void even(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 2, 24, set_even);
}

static void large_offset(struct stream *stream, struct values *inputs)
{
    put_kind(stream, inputs, 2, 8, set_offset);
}

/* The differences of higher order are made of nothing but the values' rounding. */
static void vanishing(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    size_t count = between(stream, 3, draw_below(stream, 4) ? 10 : 30);
    if (draw_below(stream, 4)) {
        set_clusters(stream, &nodes, count);
    } else {
        set_times(stream, &nodes, count);
    }
    add_smooth_values(stream, &nodes);
    double t = inside(stream, &nodes);
    put(inputs, &nodes, t);
}

static long whole_value(const long coefficient[4], long x)
{
    return ((coefficient[3] * x + coefficient[2]) * x + coefficient[1]) * x + coefficient[0];
}

/* The values of a polynomial with whole coefficients at whole multiples of a power of 2. Returns a
 * time, which may be a root. */
static double set_polynomial(struct stream *stream, struct nodes *nodes, size_t count,
                             size_t degree)
{
    long coefficient[4] = {0};
    double step = ldexp(1, (int)draw_below(stream, 40) - 20);
    long place = (long)draw_below(stream, 100) - 30;
    for (size_t k = 0; k <= degree; k++) {
        coefficient[k] = (long)draw_below(stream, 200) - 100;
    }
    if (draw_below(stream, 4) == 0) {
        coefficient[0] -= whole_value(coefficient, place);
    }
    nodes->count = count;
    nodes->channels = 1;
    for (size_t i = 0; i < count; i++) {
        long x = 3 * (long)i - (long)draw_below(stream, 3);
        nodes->time[i] = step * (double)x;
        nodes->value[i] = (double)whole_value(coefficient, x);
    }
    return step * (double)place;
}

/* The differences of higher order are exactly 0. */
static void polynomial(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    size_t count = between(stream, 1, 16);
    double t = set_polynomial(stream, &nodes, count, between(stream, 0, 3));
    t = draw_below(stream, 2) ? inside(stream, &nodes) : t;
    if (draw_below(stream, 2)) {
        shuffle(stream, &nodes);
    }
    put(inputs, &nodes, t);
}

/* Changes one value such that the polynomial, computed in doubles, is 0 at t or nearly so. */
static void cancel_at(struct stream *stream, struct nodes *nodes, double t)
{
    size_t changed = (size_t)draw_below(stream, nodes->count);
    double sum = 0, own = 1;
    for (size_t i = 0; i < nodes->count; i++) {
        double basis = 1;
        for (size_t j = 0; j < nodes->count; j++) {
            basis *= j == i ? 1 : (t - nodes->time[j]) / (nodes->time[i] - nodes->time[j]);
        }
        sum += i == changed ? 0 : basis * nodes->value[i];
        own = i == changed ? basis : own;
    }
    double root = -sum / own;
    if (isfinite(root)) {
        nodes->value[changed] = root;
    }
}

static void cancelling(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 10));
    add_values(stream, &nodes, 1);
    double t = inside(stream, &nodes);
    cancel_at(stream, &nodes, t);
    t = draw_step(stream, t, 1);
    put(inputs, &nodes, t);
}

/* Beyond the ends by up to some spans, or as far as the range goes. */
static double outside(struct stream *stream, const struct nodes *nodes)
{
    double distance;
    switch (draw_below(stream, 4)) {
    case 0:
        distance = draw_log(stream, 0, 1000 / (1 + (int)nodes->count));
        break;
    case 1:
        distance = draw_log(stream, -53, 60);
        break;
    case 2:
        return draw_sign(stream, draw_log(stream, -1074, 1023));
    default:
        distance = draw_uniform(stream, 0, 4);
    }
    distance *= draw_most(span_of(nodes), min_subnormal);
    double t = draw_below(stream, 2) ? last_time(nodes) + distance : first_time(nodes) - distance;
    return draw_most(draw_least(t, DBL_MAX), -DBL_MAX);
}

static void extrapolation(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 10));
    add_values(stream, &nodes, 1);
    put(inputs, &nodes, outside(stream, &nodes));
}

static double at_node(struct stream *stream, const struct nodes *nodes)
{
    double time = nodes->time[draw_below(stream, nodes->count)];
    switch (draw_below(stream, 4)) {
    case 0:
        return draw_step(stream, time, 1);
    case 1:
        return time + draw_sign(stream, span_of(nodes) * draw_log(stream, -60, -4));
    default:
        return time;
    }
}

static void at_nodes(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 1 + (draw_below(stream, 8) != 0), 12));
    add_values(stream, &nodes, 1);
    double t = at_node(stream, &nodes);
    if (draw_below(stream, 2)) {
        shuffle(stream, &nodes);
    }
    put(inputs, &nodes, t);
}

static void several_channels(struct stream *stream, struct values *inputs)
{
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 8));
    add_values(stream, &nodes, between(stream, 2, CHANNELS_MAX));
    for (size_t channel = 0; channel < nodes.channels; channel++) {
        if (draw_below(stream, 4) == 0) {
            for (size_t i = 1; i < nodes.count; i++) {
                nodes.value[i * nodes.channels + channel] = nodes.value[channel];
            }
        }
    }
    put(inputs, &nodes, inside(stream, &nodes));
}

/* Times and values of any size, each for itself or all alike. */
static struct nodes wide_nodes(struct stream *stream, size_t most)
{
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, most));
    add_values(stream, &nodes, 1);
    bool alike = draw_below(stream, 2);
    int shift = (int)draw_below(stream, 2000) - 1000;
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = alike ? ldexp(nodes.time[i], shift / (int)nodes.count)
                              : draw_sign(stream, draw_log(stream, -1074, 1023));
        int exponent = (int)draw_below(stream, 40) + shift - 20;
        nodes.value[i] = alike ? ldexp(nodes.value[i], exponent / 2)
                               : draw_sign(stream, draw_log(stream, -1074, 1023));
    }
    separate(&nodes);
    return nodes;
}

static void magnitudes(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = wide_nodes(stream, 6);
    put_shuffled(stream, inputs, &nodes, inside(stream, &nodes));
}

/* The last coefficient is next to 2^1024 or 2^-1022. */
static struct nodes edge_nodes(struct stream *stream, size_t most)
{
    struct nodes nodes;
    set_jittered(stream, &nodes, between(stream, 2, most));
    add_values(stream, &nodes, 1);
    int degree = (int)nodes.count - 1;
    int shift = 1 + (int)draw_below(stream, 900 / (uint64_t)degree);
    int beside = (int)draw_below(stream, 9) - 4;
    bool large = draw_below(stream, 2);
    shift = large ? -shift : shift;
    scale(nodes.time, nodes.count, shift);
    scale(nodes.value, nodes.count, (large ? 1024 : -1022) + degree * shift + beside);
    return nodes;
}

/* Whole numbers on a line, the one at its root replaced by almost nothing: the coefficients from
 * c_2 on are tiny beside what they are made of. */
static struct nodes tiny_nodes(struct stream *stream)
{
    struct nodes nodes = {.count = between(stream, 3, 6), .channels = 1};
    size_t root = (size_t)draw_below(stream, nodes.count);
    double slope = draw_sign(stream, (double)between(stream, 1, 9));
    double tiny = draw_log(stream, -1074, -1010);
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = (double)i;
        nodes.value[i] = i == root ? tiny : slope * ((double)i - (double)root);
    }
    return nodes;
}

static void range_edges(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = draw_below(stream, 4) ? edge_nodes(stream, 6) : tiny_nodes(stream);
    put(inputs, &nodes, inside(stream, &nodes));
}

/* A time of one of three sizes, far below each other; whole powers of two, and 1, come up often. */
static double far_time(struct stream *stream, const int *exponent)
{
    size_t level = (size_t)draw_below(stream, 4);
    if (level == 3) {
        return (double)between(stream, 0, 2) - 1;
    }
    double size = draw_log(stream, exponent[level], exponent[level] + 1);
    return draw_sign(stream, draw_below(stream, 2) ? ldexp(1, exponent[level]) : size);
}

/* One number with either sign, 0, or what is far below that number. */
static double far_value(struct stream *stream, double value, int exponent)
{
    switch (draw_below(stream, 8)) {
    case 0:
        return 0;
    case 1:
    case 2:
        return draw_sign(stream, draw_log(stream, draw_below(stream, 2) ? -1074 : 0, exponent));
    default:
        return draw_sign(stream, value);
    }
}

/* Times, and values, of any such sizes: differences of equal ones leave nothing, or trifles. */
static struct nodes far_nodes_at_random(struct stream *stream, size_t most)
{
    struct nodes nodes = {.count = between(stream, 3, most), .channels = 1};
    int low = -(int)between(stream, 60, 1074), high = (int)between(stream, 400, 1020);
    const int exponent[3] = {low, high, draw_below(stream, 2) ? (low + high) / 2 : 0};
    int size = (int)between(stream, 300, 1000);
    double value = draw_below(stream, 2) ? ldexp(1, size) : draw_log(stream, size, size + 1);
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = far_time(stream, exponent);
        nodes.value[i] = far_value(stream, value, size - 200);
    }
    separate(&nodes);
    return nodes;
}

/* Nodes at -1, 0 and 1 and one at B: of the values -V, s, V the second difference is s, far below
 * V. c_3 is about s / B, in the range; but V / B^2, which is left if s is lost, is below it. */
static struct nodes far_values(struct stream *stream)
{
    struct nodes nodes = {.count = 4, .channels = 1};
    int far = (int)between(stream, 800, 1000);
    int most = 2 * far - 1024 < 1000 ? 2 * far - 1024 : 1000;
    int size = (int)between(stream, (size_t)(most - 100), (size_t)most);
    double value = draw_sign(stream, draw_log(stream, size, size + 1));
    double small = draw_sign(stream, draw_log(stream, far - 1021, size - 210));
    const double times[4] = {-1, 0, 1, draw_sign(stream, draw_log(stream, far, far + 1))};
    const double values[4] = {-value, small, value, far_value(stream, value, size - 200)};
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = times[i];
        nodes.value[i] = values[i];
    }
    return nodes;
}

/* Nodes at 0, e, M and B, each far below the next, and values of 0 but V at M: the distance of M to
 * e, and with it a slope, is nearly that to 0. c_3 is about V / (M^2 B), in the range; but
 * V / (M B^2), which is left if e is lost beside M, is below it. */
static struct nodes far_times(struct stream *stream)
{
    struct nodes nodes = {.count = 4, .channels = 1};
    int middle = (int)between(stream, 100, 480), far = (int)between(stream, 980, 1020);
    int least = 2 * middle + far - 1021, most = middle + 2 * far - 1025;
    most = most < 1020 ? most : 1020;
    double value = draw_log(stream, least, most);
    double near = draw_log(stream, -1074, middle - 1090);
    const double times[4] = {0, draw_sign(stream, near),
                             draw_below(stream, 2) ? ldexp(1, middle)
                                                   : draw_log(stream, middle, middle + 1),
                             draw_log(stream, far, far + 1)};
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = times[i];
        nodes.value[i] = i == 2 ? draw_sign(stream, value) : 0;
    }
    return nodes;
}

/* Of one channel: values go with their times. */
static void sort(struct nodes *nodes)
{
    for (size_t i = 1; i < nodes->count; i++) {
        double time = nodes->time[i], value = nodes->value[i];
        size_t j = i;
        for (; j > 0 && nodes->time[j - 1] > time; j--) {
            nodes->time[j] = nodes->time[j - 1];
            nodes->value[j] = nodes->value[j - 1];
        }
        nodes->time[j] = time;
        nodes->value[j] = value;
    }
}

/* Times, and values, so far apart that double-doubles lose the small ones beside the large. */
static struct nodes far_nodes(struct stream *stream, size_t most)
{
    struct nodes nodes;
    switch (draw_below(stream, 3)) {
    case 0:
        nodes = far_values(stream);
        break;
    case 1:
        nodes = far_times(stream);
        break;
    default:
        return far_nodes_at_random(stream, most);
    }
    bool mirrored = draw_below(stream, 2);
    for (size_t i = 0; i < nodes.count && mirrored; i++) {
        nodes.time[i] = -nodes.time[i];
    }
    sort(&nodes);
    return nodes;
}

static void far_apart(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = far_nodes(stream, 6);
    put_shuffled(stream, inputs, &nodes, inside(stream, &nodes));
}

/* Times, values or both below 2^-1022. */
static struct nodes subnormal_nodes(struct stream *stream, size_t most)
{
    struct nodes nodes;
    size_t count = between(stream, 2, most);
    set_jittered(stream, &nodes, count);
    add_values(stream, &nodes, 1);
    size_t which = draw_below(stream, 3);
    if (which != 0) {
        for (size_t i = 0; i < count; i++) {
            uint64_t least = UINT64_C(1) << between(stream, 4, 52);
            nodes.time[i] = draw_sign(stream, (double)draw_below(stream, least) * min_subnormal);
        }
        separate(&nodes);
    }
    /* values of 2^-1000 over distances below 2^-1022 leave c_1 within the range */
    scale(nodes.value, count, which == 1 ? -1000 : -1072 + (int)draw_below(stream, 45));
    return nodes;
}

static void subnormal(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = subnormal_nodes(stream, 5);
    put(inputs, &nodes, inside(stream, &nodes));
}

static void any_finite(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = {.count = between(stream, 1, 5), .channels = 1};
    for (size_t i = 0; i < nodes.count; i++) {
        nodes.time[i] = draw_finite(stream);
        nodes.value[i] = draw_finite(stream);
    }
    double t = draw_below(stream, 2) ? inside(stream, &nodes) : draw_finite(stream);
    put(inputs, &nodes, t);
}

/* Half of the cases spoil ordinary nodes by one number or two, the others draw all. */
static struct nodes any_nodes(struct stream *stream)
{
    struct nodes nodes = {.count = between(stream, 0, 5), .channels = between(stream, 0, 2)};
    if (draw_below(stream, 2) || nodes.count * nodes.channels == 0) {
        for (size_t i = 0; i < nodes.count; i++) {
            nodes.time[i] = draw_any(stream);
        }
        for (size_t i = 0; i < nodes.count * nodes.channels; i++) {
            nodes.value[i] = draw_any(stream);
        }
        return nodes;
    }
    nodes = typical_nodes(stream, 2, 6);
    for (int i = 0; i < 2; i++) {
        size_t key = (size_t)draw_below(stream, nodes.count);
        if (draw_below(stream, 2)) {
            nodes.time[key] = draw_any(stream);
        } else {
            nodes.value[key] = draw_any(stream);
        }
    }
    return nodes;
}

static void any(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = any_nodes(stream);
    put(inputs, &nodes, draw_any(stream));
}

/* What no builder takes: one thing wrong, or two. */
static struct nodes wrong_nodes(struct stream *stream)
{
    static const double zeros[] = {0.0, -0.0};
    struct nodes nodes = typical_nodes(stream, 2, 8);
    size_t wrongs = between(stream, 1, 2);
    for (size_t i = 0; i < wrongs; i++) {
        size_t key = between(stream, 1, nodes.count - 1);
        size_t other = (size_t)draw_below(stream, key);
        size_t place = (size_t)draw_below(stream, nodes.count * nodes.channels);
        switch (draw_below(stream, 8)) {
        case 0:
            nodes.value[place] = draw_sign(stream, INFINITY);
            break;
        case 1:
            nodes.value[place] = NAN;
            break;
        case 2:
            nodes.time[key] = draw_below(stream, 2) ? (double)NAN : draw_sign(stream, INFINITY);
            break;
        case 3:
            nodes.time[other] = zeros[draw_below(stream, 2)];
            nodes.time[key] = zeros[draw_below(stream, 2)];
            break;
        case 4:
            nodes.time[key] = nodes.time[key - 1];
            break;
        case 5:
            nodes.time[key] = draw_step(stream, nodes.time[other], 1);
            break;
        default:
            nodes.time[key] = nodes.time[other];
        }
    }
    return nodes;
}

static void unusable(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = wrong_nodes(stream);
    if (draw_below(stream, 2)) {
        shuffle(stream, &nodes);
    }
    put(inputs, &nodes, draw_uniform(stream, 0, 20));
}

/* Special lists and times */

enum { SPECIAL_TIMES = 16, SPECIAL_VALUES = 13, SPECIAL_TIME_COUNT = 4 };

static void set_special_times(struct nodes *nodes, size_t which)
{
    const double inf = INFINITY, nan = NAN, least = min_subnormal, most = DBL_MAX;
    static const size_t counts[SPECIAL_TIMES] = {0, 1, 2, 2, 3, 3, 3, 2, 2, 1, 2, 2, 3, 2, 4, 4};
    const double times[SPECIAL_TIMES][SPECIAL_TIME_COUNT] = {
        {0},
        {0},
        {-0.0, 1},
        {0, -0.0},
        {1, 2, 3},
        {1, 1, 2},
        {1, 2, 1},
        {0, nan},
        {inf, 1},
        {-inf},
        {-most, most},
        {0, least},
        {-1, 0, 1},
        {1, 1 + DBL_EPSILON},
        {0, 0.3, 0.5, 1.2},
        {3, 2, 1, 0},
    };
    nodes->count = counts[which];
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->time[i] = times[which][i];
    }
}

static double special_value(struct stream *stream, size_t which, size_t i, size_t count)
{
    bool last = i + 1 == count;
    switch (which) {
    case 0:
        return 0;
    case 1:
        return -0.0;
    case 2:
        return 1;
    case 3:
        return last ? (double)NAN : 1;
    case 4:
        return i == 0 ? (double)INFINITY : 1;
    case 5:
        return i % 2 ? -DBL_MAX : DBL_MAX;
    case 6:
        return min_subnormal;
    case 7:
        return (double)i;
    case 8:
        return i % 2 ? -1 : 1;
    case 9:
        return (double)(i * i);
    case 10:
        return last ? 1 : 0;
    default:
        return draw_uniform(stream, -1, 1);
    }
}

/* The last two kinds are no channel and two. */
static void set_special_values(struct stream *stream, struct nodes *nodes, size_t which)
{
    nodes->channels = which == SPECIAL_VALUES - 2 ? 0 : which == SPECIAL_VALUES - 1 ? 2 : 1;
    for (size_t i = 0; i < nodes->count * nodes->channels; i++) {
        nodes->value[i] = special_value(stream, which, i, nodes->count);
    }
}

enum { SPECIAL_T = 14 };

static double special_t(struct stream *stream, size_t which)
{
    const double times[SPECIAL_T] = {draw_uniform(stream, 0, 1),
                                     0,
                                     -0.0,
                                     0.3,
                                     1,
                                     1 + DBL_EPSILON,
                                     2,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     0x1p-1074,
                                     -1.5};
    return times[which];
}

static void boundary(struct stream *stream, struct values *inputs)
{
    uint64_t combination =
        draw_combination(stream, (uint64_t)SPECIAL_TIMES * SPECIAL_VALUES * SPECIAL_T);
    struct nodes nodes;
    set_special_times(&nodes, draw_digit(&combination, SPECIAL_TIMES));
    set_special_values(stream, &nodes, draw_digit(&combination, SPECIAL_VALUES));
    put(inputs, &nodes, special_t(stream, draw_digit(&combination, SPECIAL_T)));
}

/* Domains of track */

static double any_order(struct stream *stream)
{
    return (double)between(stream, 1, 3);
}

static void track_typical(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes = typical_nodes(stream, 2, 12);
    double t = draw_uniform(stream, nodes.time[0], nodes.time[nodes.count - 1]);
    put_track(inputs, order, &nodes, t);
}

static void put_track_kind(struct stream *stream, struct values *inputs, size_t least,
                           void (*set)(struct stream *, struct nodes *, size_t))
{
    double order = any_order(stream);
    struct nodes nodes;
    set(stream, &nodes, between(stream, least, 10));
    add_values(stream, &nodes, 1);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_close(struct stream *stream, struct values *inputs)
{
    put_track_kind(stream, inputs, 3, set_close);
}

static void track_clusters(struct stream *stream, struct values *inputs)
{
    put_track_kind(stream, inputs, 2, set_clusters);
}

static void track_uneven(struct stream *stream, struct values *inputs)
{
    put_track_kind(stream, inputs, 2, set_geometric);
}

static void track_even(struct stream *stream, struct values *inputs)
{
    put_track_kind(stream, inputs, 2, set_even);
}

static void track_offset(struct stream *stream, struct values *inputs)
{
    put_track_kind(stream, inputs, 2, set_offset);
}

/* As many keys as the order takes, or fewer. */
static void track_few(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_jittered(stream, &nodes, between(stream, 1, (size_t)order + 1));
    add_values(stream, &nodes, 1);
    double t = draw_below(stream, 2) ? inside(stream, &nodes) : outside(stream, &nodes);
    put_track(inputs, order, &nodes, t);
}

static void track_outside(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 8));
    add_values(stream, &nodes, 1);
    put_track(inputs, order, &nodes, outside(stream, &nodes));
}

static void track_at_keys(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 10));
    add_values(stream, &nodes, 1);
    put_track(inputs, order, &nodes, at_node(stream, &nodes));
}

static void track_smooth(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_times(stream, &nodes, between(stream, 2, 10));
    add_smooth_values(stream, &nodes);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_polynomial(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    size_t count = between(stream, 2, 10);
    double t = set_polynomial(stream, &nodes, count, between(stream, 0, (size_t)order));
    t = draw_below(stream, 2) ? inside(stream, &nodes) : t;
    put_track(inputs, order, &nodes, t);
}

/* The window's polynomial, if t is in the middle of few keys. */
static void track_cancelling(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_times(stream, &nodes, (size_t)order + 1);
    add_values(stream, &nodes, 1);
    double t = inside(stream, &nodes);
    cancel_at(stream, &nodes, t);
    put_track(inputs, order, &nodes, t);
}

static void track_channels(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes;
    set_jittered(stream, &nodes, between(stream, 2, 8));
    add_values(stream, &nodes, between(stream, 2, CHANNELS_MAX));
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_magnitudes(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes = wide_nodes(stream, 8);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_range_edges(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = draw_below(stream, 4) ? edge_nodes(stream, 4) : tiny_nodes(stream);
    double order = draw_least((double)nodes.count - 1, 3);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_far_apart(struct stream *stream, struct values *inputs)
{
    struct nodes nodes = far_nodes(stream, 6);
    double order = draw_below(stream, 4) ? 3 : any_order(stream);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_subnormal(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes = subnormal_nodes(stream, 6);
    put_track(inputs, order, &nodes, inside(stream, &nodes));
}

static void track_any(struct stream *stream, struct values *inputs)
{
    static const double orders[] = {1, 2, 3, 0, 4, -1, 1.5, NAN, INFINITY, 0x1p-1074, 1e300};
    double order = orders[draw_below(stream, draw_below(stream, 2) ? 3 : 11)];
    struct nodes nodes = any_nodes(stream);
    put_track(inputs, order, &nodes, draw_any(stream));
}

static void track_unusable(struct stream *stream, struct values *inputs)
{
    double order = any_order(stream);
    struct nodes nodes = wrong_nodes(stream);
    put_track(inputs, order, &nodes, draw_uniform(stream, 0, 20));
}

static void track_boundary(struct stream *stream, struct values *inputs)
{
    static const double orders[] = {1, 2, 3, 0, 4, NAN};
    enum { ORDERS = sizeof orders / sizeof *orders };
    uint64_t combination =
        draw_combination(stream, (uint64_t)ORDERS * SPECIAL_TIMES * SPECIAL_VALUES * SPECIAL_T);
    struct nodes nodes;
    double order = orders[draw_digit(&combination, ORDERS)];
    set_special_times(&nodes, draw_digit(&combination, SPECIAL_TIMES));
    set_special_values(stream, &nodes, draw_digit(&combination, SPECIAL_VALUES));
    put_track(inputs, order, &nodes, special_t(stream, draw_digit(&combination, SPECIAL_T)));
}

/* Domains of crossfade_newton */

static void put_crossfade(struct values *inputs, const struct nodes *a, const struct nodes *b,
                          double t, double w)
{
    values_clear(inputs);
    put_nodes(inputs, a);
    put_nodes(inputs, b);
    put_number(inputs, t);
    put_number(inputs, w);
}

/* Moves b to where a starts. */
static void align(const struct nodes *a, struct nodes *b)
{
    double distance = first_time(a) - first_time(b);
    for (size_t i = 0; i < b->count; i++) {
        b->time[i] += distance;
    }
    separate(b);
}

static struct nodes partner_of(struct stream *stream, const struct nodes *a, size_t most)
{
    struct nodes b;
    set_jittered(stream, &b, between(stream, 1, most));
    add_values(stream, &b, a->channels);
    align(a, &b);
    return b;
}

static void crossfade_typical(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 2, 8);
    struct nodes b = partner_of(stream, &a, 8);
    double t = draw_uniform(stream, a.time[0], a.time[a.count - 1]);
    put_crossfade(inputs, &a, &b, t, draw_uniform(stream, 0, 1));
}

static void crossfade_any_distances(struct stream *stream, struct values *inputs)
{
    struct nodes a, b;
    set_times(stream, &a, between(stream, 2, 10));
    add_values(stream, &a, 1);
    set_times(stream, &b, between(stream, 2, 10));
    add_values(stream, &b, 1);
    align(&a, &b);
    double t = inside(stream, draw_below(stream, 2) ? &a : &b);
    shuffle(stream, &a);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

/* w at 0 or 1, few doubles or 2^-k off, and beyond. */
static void weights(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 1, 5);
    struct nodes b = partner_of(stream, &a, 5);
    double t = inside(stream, &a);
    double w;
    switch (draw_below(stream, 6)) {
    case 0:
        w = (double)draw_below(stream, 2);
        break;
    case 1:
        w = draw_step(stream, (double)draw_below(stream, 2), 3);
        break;
    case 2:
        w = 1 - draw_sign(stream, draw_log(stream, -53, -4));
        break;
    case 3:
        w = draw_sign(stream, draw_log(stream, -1074, 1023));
        break;
    case 4:
        w = draw_uniform(stream, -2, 3);
        break;
    default:
        w = draw_log(stream, -1074, 0);
    }
    put_crossfade(inputs, &a, &b, t, w);
}

/* B is A with the sign turned, and as much smaller as w is larger than 1 - w. */
static void crossfade_cancelling(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 1, 6);
    struct nodes b = a;
    double t = inside(stream, &a);
    double w = draw_below(stream, 2) ? draw_uniform(stream, 0.01, 0.99) : 0.5;
    for (size_t i = 0; i < b.count * b.channels; i++) {
        b.value[i] = -(1 - w) / w * a.value[i];
    }
    if (draw_below(stream, 2)) {
        b.value[0] = draw_step(stream, b.value[0], 2);
    }
    put_crossfade(inputs, &a, &b, t, w);
}

static void crossfade_vanishing(struct stream *stream, struct values *inputs)
{
    struct nodes a, b;
    set_clusters(stream, &a, between(stream, 3, 10));
    add_smooth_values(stream, &a);
    set_times(stream, &b, between(stream, 2, 6));
    add_smooth_values(stream, &b);
    align(&a, &b);
    double t = inside(stream, &a);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

static void crossfade_extrapolation(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 2, 8);
    struct nodes b = partner_of(stream, &a, 8);
    double t = outside(stream, &a);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

static void crossfade_at_nodes(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 1, 8);
    struct nodes b = partner_of(stream, &a, 8);
    double t = at_node(stream, draw_below(stream, 2) ? &a : &b);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

static void crossfade_magnitudes(struct stream *stream, struct values *inputs)
{
    struct nodes a = draw_below(stream, 2) ? wide_nodes(stream, 4) : edge_nodes(stream, 4);
    struct nodes b = draw_below(stream, 2) ? wide_nodes(stream, 4) : edge_nodes(stream, 4);
    double t = inside(stream, draw_below(stream, 2) ? &a : &b);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

/* Many of them, or not as many in one as in the other. */
static void crossfade_channels(struct stream *stream, struct values *inputs)
{
    struct nodes a, b;
    set_jittered(stream, &a, between(stream, 1, 6));
    add_values(stream, &a, between(stream, 1, CHANNELS_MAX));
    b = partner_of(stream, &a, 6);
    if (draw_below(stream, 3) == 0) {
        add_values(stream, &b, between(stream, 1, CHANNELS_MAX));
    }
    double t = inside(stream, &a);
    put_crossfade(inputs, &a, &b, t, draw_uniform(stream, -0.25, 1.25));
}

static void crossfade_far_apart(struct stream *stream, struct values *inputs)
{
    struct nodes a = far_nodes(stream, 5), b = far_nodes(stream, 5);
    double t = inside(stream, draw_below(stream, 2) ? &a : &b);
    put_crossfade(inputs, &a, &b, t, draw_inside(stream, 0, 1));
}

static void crossfade_unusable(struct stream *stream, struct values *inputs)
{
    struct nodes a = typical_nodes(stream, 2, 6);
    struct nodes b = partner_of(stream, &a, 6);
    size_t which = (size_t)draw_below(stream, 3);
    if (which != 0) {
        a = wrong_nodes(stream);
    }
    if (which != 1) {
        b = wrong_nodes(stream);
    }
    double t = draw_uniform(stream, 0, 20);
    put_crossfade(inputs, &a, &b, t, draw_uniform(stream, -0.25, 1.25));
}

static void crossfade_any(struct stream *stream, struct values *inputs)
{
    bool spoilt = draw_below(stream, 2);
    struct nodes a = typical_nodes(stream, 1, 5);
    struct nodes b = spoilt ? any_nodes(stream) : partner_of(stream, &a, 5);
    if (draw_below(stream, 3) == 0) {
        a = any_nodes(stream);
    }
    double t = draw_any(stream);
    put_crossfade(inputs, &a, &b, t, draw_any(stream));
}

static void crossfade_boundary(struct stream *stream, struct values *inputs)
{
    static const double some_t[] = {0.3, 1, NAN};
    static const double some_w[] = {
        0.5, 0, -0.0, 1, -0x1p-1074, 0x1p-1074, 1 + DBL_EPSILON, NAN, INFINITY, -INFINITY, 0.25};
    enum { TS = sizeof some_t / sizeof *some_t, WS = sizeof some_w / sizeof *some_w, PARTNERS = 4 };
    uint64_t combination =
        draw_combination(stream, (uint64_t)PARTNERS * WS * TS * SPECIAL_TIMES * SPECIAL_VALUES);
    static const size_t partner_times[PARTNERS] = {14, 2, 6, 0};
    static const size_t partner_values[PARTNERS] = {7, 12, 2, 2};
    size_t partner = draw_digit(&combination, PARTNERS);
    double w = some_w[draw_digit(&combination, WS)];
    double t = some_t[draw_digit(&combination, TS)];
    struct nodes a, b;
    set_special_times(&a, draw_digit(&combination, SPECIAL_TIMES));
    set_special_values(stream, &a, draw_digit(&combination, SPECIAL_VALUES));
    set_special_times(&b, partner_times[partner]);
    set_special_values(stream, &b, partner_values[partner]);
    put_crossfade(inputs, &a, &b, t, w);
}

static const struct domain newton_list[] = {
    {"typical", "2 to 8 jittered keys of animation, t among them", typical},
    {"article", "nodes at 0, 0.3, 0.5 and 1.2", article},
    {"any_finite", "any finite bit patterns", any_finite},
    {"any", "any bit patterns, or typical ones with one or two spoilt", any},
    {"many", "9 to 30 jittered nodes", many},
    {"close_nodes", "one or two distances down to one bit", close_nodes},
    {"clusters", "nodes in one to three places, apart by 2^-k or few doubles there", clusters},
    {"geometric", "distances that fall by powers of 2, up to 20 nodes", geometric},
    {"even", "equal or whole distances, where products of distances are equal", even},
    {"vanishing", "smooth values: higher differences are made of roundings", vanishing},
    {"polynomial", "whole values of a low degree: higher differences are exactly 0", polynomial},
    {"cancelling", "t next to a root", cancelling},
    {"extrapolation", "t beyond the nodes, up to the end of the range", extrapolation},
    {"at_nodes", "t at or next to a node", at_nodes},
    {"large_offset", "nodes that are close together and far from 0, such as 1e9", large_offset},
    {"several_channels", "2 to 16 channels, some of them constant", several_channels},
    {"magnitudes", "times and values over the whole range", magnitudes},
    {"range_edges", "a coefficient next to 2^1024 or 2^-1022", range_edges},
    {"subnormal", "times, values or both below 2^-1022", subnormal},
    {"far_apart", "times, and values, so far apart that differences lose some", far_apart},
    {"unusable", "one or two things that no builder takes", unusable},
    {"boundary", "every combination of special times, values and t", boundary},
};

static const struct domain track_list[] = {
    {"typical", "2 to 12 jittered keys of animation, t among them", track_typical},
    {"any", "any bit patterns and orders, or typical ones with one or two spoilt", track_any},
    {"few_keys", "as many keys as the order takes, or fewer", track_few},
    {"close_keys", "one or two distances down to one bit", track_close},
    {"clusters", "keys in one to three places, apart by 2^-k or few doubles there", track_clusters},
    {"uneven", "distances that fall by powers of 2", track_uneven},
    {"even", "equal or whole distances", track_even},
    {"smooth", "smooth values: higher differences are made of roundings", track_smooth},
    {"polynomial", "whole values of a degree within the order: all windows agree",
     track_polynomial},
    {"cancelling", "t next to a root", track_cancelling},
    {"outside", "t beyond the keys, up to the end of the range", track_outside},
    {"at_keys", "t at or next to a key", track_at_keys},
    {"large_offset", "keys that are close together and far from 0, such as 1e9", track_offset},
    {"several_channels", "2 to 16 channels", track_channels},
    {"magnitudes", "times and values over the whole range", track_magnitudes},
    {"range_edges", "a coefficient next to 2^1024 or 2^-1022", track_range_edges},
    {"subnormal", "times, values or both below 2^-1022", track_subnormal},
    {"far_apart", "times, and values, so far apart that differences lose some", track_far_apart},
    {"unusable", "one or two things that no builder takes", track_unusable},
    {"boundary", "every combination of special orders, times, values and t", track_boundary},
};

static const struct domain crossfade_list[] = {
    {"typical", "two of up to 8 jittered keys, t among them, w in [0, 1]", crossfade_typical},
    {"any", "typical ones, or spoilt ones, with any t and w", crossfade_any},
    {"any_distances", "clusters, close nodes, geometric and even distances",
     crossfade_any_distances},
    {"weights", "w at, next to and beyond 0 and 1", weights},
    {"cancelling", "two that cancel at w but for roundings", crossfade_cancelling},
    {"vanishing", "smooth values in clusters", crossfade_vanishing},
    {"extrapolation", "t beyond the nodes, up to the end of the range", crossfade_extrapolation},
    {"at_nodes", "t at or next to a node of either", crossfade_at_nodes},
    {"magnitudes", "times and values over the whole range, coefficients at its ends",
     crossfade_magnitudes},
    {"several_channels", "up to 16 channels, or different numbers of them", crossfade_channels},
    {"far_apart", "times, and values, so far apart that differences lose some",
     crossfade_far_apart},
    {"unusable", "one or two things wrong in either or both", crossfade_unusable},
    {"boundary", "special nodes, w and t", crossfade_boundary},
};

/* log2 of the least distance over the span: what there is least of in the nodes. */
static double least_gap(const double *time, size_t count)
{
    double gap = INFINITY, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = draw_least(low, time[i]);
        high = draw_most(high, time[i]);
        for (size_t j = 0; j < i; j++) {
            gap = draw_least(gap, fabs(time[i] / 2 - time[j] / 2));
        }
    }
    return count < 2 || !isfinite(gap) ? (double)NAN : log2(gap) - log2(high / 2 - low / 2);
}

static double newton_gap(const struct values *inputs)
{
    return least_gap(values_field(inputs, 0), values_length(inputs, 0));
}

static double track_gap(const struct values *inputs)
{
    return least_gap(values_field(inputs, 1), values_length(inputs, 1));
}

static double crossfade_weight(const struct values *inputs)
{
    return values_field(inputs, 5)[0];
}

enum { MANY = 4, TRACK_CHANNELS = 13, CROSSFADE_CHANNELS = 9 };

const struct domains domains_newton = {newton_list,
                                       sizeof newton_list / sizeof *newton_list,
                                       0,
                                       MANY,
                                       {"log2 of the least distance over the span", -60, 0,
                                        newton_gap}};

const struct domains domains_track = {track_list,
                                      sizeof track_list / sizeof *track_list,
                                      0,
                                      TRACK_CHANNELS,
                                      {"log2 of the least distance over the span", -60, 0,
                                       track_gap}};

const struct domains domains_crossfade_newton = {crossfade_list,
                                                 sizeof crossfade_list / sizeof *crossfade_list,
                                                 0,
                                                 CROSSFADE_CHANNELS,
                                                 {"w", -0.25, 1.25, crossfade_weight}};
