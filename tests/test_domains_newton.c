/* What the domains of newton, track and crossfade_newton draw is what their names say: measured in
 * exact rationals. */
#include "divided.h"
#include "rational.h"
#include "suite.h"

#include "../corpus/draw.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1500 };

/* One case of any of the three: of crossfade_newton, `nodes` are the first polynomial's. */
struct sample {
    struct nodes nodes, other;
    double order, t, w;
};

typedef bool property(const struct sample *);

static mpq_t x, y, z;

static struct sample sample_of(const struct function *function, const struct values *inputs)
{
    struct sample s = {.order = NAN, .w = NAN};
    if (function->input_count == 3) {
        s.nodes = nodes_of(inputs, 0);
        s.t = values_field(inputs, 2)[0];
    } else if (function->input_count == 4) {
        s.order = values_field(inputs, 0)[0];
        s.nodes = nodes_of(inputs, 1);
        s.t = values_field(inputs, 3)[0];
    } else {
        s.nodes = nodes_of(inputs, 0);
        s.other = nodes_of(inputs, 2);
        s.t = values_field(inputs, 4)[0];
        s.w = values_field(inputs, 5)[0];
    }
    return s;
}

static const char *function_name; /* whose domains are looked at */

/* At least this share of the samples has the property, and not all have if `most` says so. */
static void check_between(const char *name, const char *what, property *holds, double least,
                          double most)
{
    const struct function *function = catalog_find(function_name);
    const struct domains *domains = domains_of(function);
    struct values inputs = {0};
    size_t found = 0, count = 0;
    for (size_t d = 0; d < domains->count; d++) {
        if (strcmp(domains->list[d].name, name) != 0) {
            continue;
        }
        found++;
        for (uint64_t i = 0; i < COUNT; i++) {
            draw_case(11, function, &domains->list[d], i, &inputs);
            struct sample sample = sample_of(function, &inputs);
            count += holds(&sample);
        }
    }
    suite_check(found == 1, "%s has no domain %s", function_name, name);
    suite_check((double)count >= least * COUNT && (double)count <= most * COUNT,
                "%s, %s: %s in %zu of %d", function_name, name, what, count, COUNT);
    values_free(&inputs);
}

static void check_share(const char *name, const char *what, property *holds, double least)
{
    check_between(name, what, holds, least, 1);
}

static void check_all(const char *name, const char *what, property *holds)
{
    check_between(name, what, holds, 1, 1);
}

/* |p| < 2^exponent |q| */
static bool is_below(const mpq_t p, int exponent, const mpq_t q)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    mpq_abs(left, p);
    mpq_abs(right, q);
    if (exponent < 0) {
        mpq_mul_2exp(left, left, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(right, right, (mp_bitcnt_t)exponent);
    }
    bool below = mpq_cmp(left, right) < 0;
    mpq_clears(left, right, NULL);
    return below;
}

/* The nodes by themselves */

/* Is a time, or a value, 2^900 times another one that is not 0? */
static bool is_far_apart(const double *numbers, size_t count)
{
    int least = INT_MAX, most = INT_MIN;
    for (size_t i = 0; i < count; i++) {
        int exponent = numbers[i] != 0 ? ilogb(numbers[i]) : INT_MIN;
        least = numbers[i] != 0 && exponent < least ? exponent : least;
        most = exponent > most ? exponent : most;
    }
    return least < most && most - least >= 900;
}

static bool far_apart(const struct sample *s)
{
    return is_far_apart(s->nodes.times, s->nodes.count) ||
           is_far_apart(s->nodes.values, s->nodes.count);
}

static bool times_are_finite(const struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (!isfinite(nodes->times[i])) {
            return false;
        }
    }
    return true;
}

static bool values_are_finite(const struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count * nodes->channels; i++) {
        if (!isfinite(nodes->values[i])) {
            return false;
        }
    }
    return true;
}

static bool are_distinct(const struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (nodes->times[i] == nodes->times[j]) {
                return false;
            }
        }
    }
    return true;
}

static bool are_usable(const struct nodes *nodes)
{
    return nodes->count * nodes->channels > 0 && times_are_finite(nodes) &&
           values_are_finite(nodes) && are_distinct(nodes);
}

static bool usable(const struct sample *s)
{
    return are_usable(&s->nodes);
}

static bool both_usable(const struct sample *s)
{
    return usable(s) && are_usable(&s->other);
}

static bool first_usable_only(const struct sample *s)
{
    return usable(s) && !are_usable(&s->other);
}

static bool second_usable_only(const struct sample *s)
{
    return !usable(s) && are_usable(&s->other);
}

static bool neither_usable(const struct sample *s)
{
    return !usable(s) && !are_usable(&s->other);
}

static bool time_not_finite(const struct sample *s)
{
    return !times_are_finite(&s->nodes);
}

static bool value_not_finite(const struct sample *s)
{
    return !values_are_finite(&s->nodes);
}

static bool times_equal(const struct sample *s)
{
    return !are_distinct(&s->nodes);
}

static bool empty(const struct sample *s)
{
    return s->nodes.count * s->nodes.channels == 0;
}

static bool rises(const struct sample *s)
{
    for (size_t i = 1; i < s->nodes.count; i++) {
        if (!(s->nodes.times[i - 1] < s->nodes.times[i])) {
            return false;
        }
    }
    return true;
}

static bool falls(const struct sample *s)
{
    for (size_t i = 1; i < s->nodes.count; i++) {
        if (s->nodes.times[i - 1] > s->nodes.times[i]) {
            return true;
        }
    }
    return false;
}

static double first_of(const struct nodes *nodes)
{
    double first = INFINITY;
    for (size_t i = 0; i < nodes->count; i++) {
        first = fmin(first, nodes->times[i]);
    }
    return first;
}

static double last_of(const struct nodes *nodes)
{
    double last = -INFINITY;
    for (size_t i = 0; i < nodes->count; i++) {
        last = fmax(last, nodes->times[i]);
    }
    return last;
}

static bool inside(const struct sample *s)
{
    return first_of(&s->nodes) <= s->t && s->t <= last_of(&s->nodes);
}

static bool t_outside(const struct sample *s)
{
    return isfinite(s->t) && !inside(s);
}

static bool far_outside(const struct sample *s)
{
    return t_outside(s) && fabs(s->t) > 0x1p60;
}

static bool everyday(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count * s->nodes.channels; i++) {
        if (fabs(s->nodes.values[i]) > 360) {
            return false;
        }
    }
    return usable(s) && rises(s) && inside(s) && first_of(&s->nodes) > -1 &&
           last_of(&s->nodes) < 100 && s->nodes.count >= 2;
}

static bool at_most_8(const struct sample *s)
{
    return s->nodes.count <= 8;
}

static bool at_most_12(const struct sample *s)
{
    return s->nodes.count <= 12;
}

static bool nine_to_30(const struct sample *s)
{
    return s->nodes.count >= 9 && s->nodes.count <= 30;
}

static bool thirty(const struct sample *s)
{
    return s->nodes.count == 30;
}

static bool two_to_16_channels(const struct sample *s)
{
    return s->nodes.channels >= 2 && s->nodes.channels <= 16;
}

static bool sixteen_channels(const struct sample *s)
{
    return s->nodes.channels == 16;
}

static bool other_channels(const struct sample *s)
{
    return s->nodes.channels != s->other.channels;
}

static bool the_articles(const struct sample *s)
{
    static const double times[] = {0, 0.3, 0.5, 1.2};
    size_t found = 0;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->nodes.count; j++) {
            found += s->nodes.times[j] == times[i];
        }
    }
    return found == 4 && s->nodes.count == 4;
}

/* Distances */

/* x = the least distance, y = the span, z = the greatest distance of neighbours; `times` are put in
 * order. */
static int compare(const void *p, const void *q)
{
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static void set_distances(const struct sample *s)
{
    size_t count = s->nodes.count;
    double *times = calloc(count, sizeof *times);
    memcpy(times, s->nodes.times, count * sizeof *times);
    qsort(times, count, sizeof *times, compare);
    rational_difference(y, times[count - 1], times[0]);
    mpq_set(x, y);
    mpq_set_ui(z, 0, 1);
    mpq_t distance;
    mpq_init(distance);
    for (size_t i = 1; i < count; i++) {
        rational_difference(distance, times[i], times[i - 1]);
        mpq_set(x, mpq_cmp(distance, x) < 0 ? distance : x);
        mpq_set(z, mpq_cmp(distance, z) > 0 ? distance : z);
    }
    mpq_clear(distance);
    free(times);
}

static bool small_distance(const struct sample *s)
{
    set_distances(s);
    return is_below(x, -4, y);
}

static bool tiny_distance(const struct sample *s)
{
    set_distances(s);
    return is_below(x, -30, y);
}

static bool neighbours(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        double next = nextafter(s->nodes.times[i], INFINITY);
        for (size_t j = 0; j < s->nodes.count; j++) {
            if (s->nodes.times[j] == next) {
                return true;
            }
        }
    }
    return false;
}

/* The greatest distance is 2^(n - 2) of the least, or more. */
static bool falling_distances(const struct sample *s)
{
    set_distances(s);
    return !is_below(z, (int)s->nodes.count - 3, x);
}

static bool equal_products(const struct sample *s)
{
    struct nodes nodes = s->nodes;
    size_t ties = nodes_set_order(&nodes);
    free(nodes.order);
    return ties > 0;
}

static bool three_equal_products(const struct sample *s)
{
    struct nodes nodes = s->nodes;
    size_t ties = nodes_set_order(&nodes);
    free(nodes.order);
    return ties >= 3;
}

static bool far_from_zero(const struct sample *s)
{
    set_distances(s);
    mpq_set_d(x, s->nodes.times[0]);
    return fabs(s->nodes.times[0]) >= 0x1p19 && is_below(y, 5 - 19, x);
}

static bool at_a_node(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        if (s->nodes.times[i] == s->t) {
            return true;
        }
    }
    return false;
}

static bool next_to_a_node(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        if (nextafter(s->nodes.times[i], s->t) == s->t && s->t != s->nodes.times[i]) {
            return true;
        }
    }
    return false;
}

static bool near_a_node_of_either(const struct sample *s)
{
    struct sample other = {.nodes = s->other, .t = s->t};
    return at_a_node(s) || next_to_a_node(s) || at_a_node(&other) || next_to_a_node(&other);
}

static bool all_sizes(const struct sample *s)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < s->nodes.count; i++) {
        least = fmin(least, fabs(s->nodes.times[i]));
        most = fmax(most, fabs(s->nodes.times[i]));
    }
    return most > 0x1p150 || least < 0x1p-150;
}

static bool subnormal_time(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        if (s->nodes.times[i] != 0 && fabs(s->nodes.times[i]) < DBL_MIN) {
            return true;
        }
    }
    return false;
}

static bool subnormal_value(const struct sample *s)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        if (s->nodes.values[i] != 0 && fabs(s->nodes.values[i]) < DBL_MIN) {
            return true;
        }
    }
    return false;
}

static bool subnormal(const struct sample *s)
{
    return subnormal_time(s) || subnormal_value(s);
}

/* Coefficients, of the first channel of all nodes */

/* x = the last coefficient, y = what it is made of */
static void set_last(const struct sample *s)
{
    struct nodes nodes = s->nodes;
    mpq_t *c = calloc(nodes.count, sizeof *c);
    nodes_set_order(&nodes);
    for (size_t k = 0; k < nodes.count; k++) {
        mpq_init(c[k]);
    }
    divided_differences(c, &nodes, 0);
    divided_part(y, &nodes, 0, nodes.count - 1);
    mpq_set(x, c[nodes.count - 1]);
    for (size_t k = 0; k < nodes.count; k++) {
        mpq_clear(c[k]);
    }
    free(c);
    free(nodes.order);
}

static bool vanishes(const struct sample *s)
{
    set_last(s);
    return is_below(x, -30, y);
}

static bool vanishes_but_not_quite(const struct sample *s)
{
    set_last(s);
    return is_below(x, -30, y) && mpq_sgn(x) != 0;
}

static bool low_degree(const struct sample *s)
{
    set_last(s);
    return s->nodes.count < 5 || mpq_sgn(x) == 0;
}

static bool five_or_more(const struct sample *s)
{
    return s->nodes.count >= 5;
}

static bool is_of_reach(const struct sample *s, enum reach wanted)
{
    if (!usable(s)) {
        return false;
    }
    set_last(s);
    return divided_reach(x, y, s->nodes.count) == wanted;
}

static bool within_reach(const struct sample *s)
{
    return is_of_reach(s, REACH_WITHIN);
}

static bool out_of_reach(const struct sample *s)
{
    return is_of_reach(s, REACH_OUT);
}

static bool either(const struct sample *s)
{
    return is_of_reach(s, REACH_EITHER);
}

/* The last coefficient is within 2^16 of an end of the range. */
static bool at_an_end(const struct sample *s)
{
    set_last(s);
    mpq_set_d(y, 0x1p-1022);
    bool low = is_below(x, 16, y) && is_below(y, 16, x);
    mpq_set_d(y, 0x1p1023);
    return low || (is_below(x, 16, y) && is_below(y, 16, x));
}

static bool cancels(const struct sample *s)
{
    struct nodes nodes = s->nodes;
    nodes_set_order(&nodes);
    divided_value(x, &nodes, 0, s->t);
    divided_sums(y, z, &nodes, 0, s->t);
    free(nodes.order);
    return is_below(x, -30, y);
}

/* Orders and windows */

static bool order_1(const struct sample *s)
{
    return s->order == 1;
}

static bool order_2(const struct sample *s)
{
    return s->order == 2;
}

static bool order_3(const struct sample *s)
{
    return s->order == 3;
}

static bool no_order(const struct sample *s)
{
    return !order_1(s) && !order_2(s) && !order_3(s);
}

static bool few_keys(const struct sample *s)
{
    return (double)s->nodes.count <= s->order + 1;
}

static bool too_few_keys(const struct sample *s)
{
    return (double)s->nodes.count <= s->order;
}

static bool in_first_segment(const struct sample *s)
{
    return s->nodes.count > 4 && s->t < s->nodes.times[1];
}

static bool in_last_segment(const struct sample *s)
{
    return s->nodes.count > 4 && s->t > s->nodes.times[s->nodes.count - 2];
}

static bool in_the_middle(const struct sample *s)
{
    return s->nodes.count > 4 && !in_first_segment(s) && !in_last_segment(s);
}

/* Weights */

static bool weight_inside(const struct sample *s)
{
    return s->w > 0 && s->w < 1;
}

static bool weight_in_unit(const struct sample *s)
{
    return s->w >= 0 && s->w <= 1;
}

static bool weight_at_end(const struct sample *s)
{
    return s->w == 0 || s->w == 1;
}

static bool weight_near_end(const struct sample *s)
{
    return weight_inside(s) && (s->w < 0x1p-40 || 1 - s->w < 0x1p-20);
}

static bool weight_outside(const struct sample *s)
{
    return s->w < 0 || s->w > 1;
}

static bool is_root(const struct sample *s)
{
    struct nodes nodes = s->nodes;
    nodes_set_order(&nodes);
    divided_value(x, &nodes, 0, s->t);
    free(nodes.order);
    return mpq_sgn(x) == 0;
}

static bool cancels_at_w(const struct sample *s)
{
    struct nodes a = s->nodes, b = s->other;
    nodes_set_order(&a);
    nodes_set_order(&b);
    divided_value(x, &a, 0, s->t);
    divided_value(y, &b, 0, s->t);
    free(a.order);
    free(b.order);
    mpq_sub(y, y, x);
    mpq_set_d(z, s->w);
    mpq_mul(y, y, z);
    mpq_add(y, y, x);
    return is_below(y, -30, x) || mpq_sgn(x) == 0;
}

static void open_all(const char *name)
{
    function_name = name;
    mpq_inits(x, y, z, NULL);
}

static void close_all(void)
{
    mpq_clears(x, y, z, NULL);
}

static void newton_draws_nodes_of_each_kind(void)
{
    open_all("newton");
    check_all("typical", "everyday keys", everyday);
    check_all("typical", "at most 8", at_most_8);
    check_all("article", "the article's times", the_articles);
    check_between("article", "in order", rises, 0.4, 0.7);
    check_all("many", "9 to 30", nine_to_30);
    check_share("many", "30", thirty, 0.02);
    check_share("close_nodes", "distances below 1/16", small_distance, 0.99);
    check_share("close_nodes", "distances below 2^-30", tiny_distance, 0.6);
    check_share("close_nodes", "neighbours", neighbours, 0.25);
    check_share("clusters", "neighbours", neighbours, 0.25);
    check_share("clusters", "distances below 2^-30", tiny_distance, 0.3);
    check_share("geometric", "falling distances", falling_distances, 0.6);
    check_share("even", "equal products", equal_products, 0.5);
    check_share("even", "several", three_equal_products, 0.05);
    check_share("large_offset", "far from 0", far_from_zero, 0.95);
    check_share("large_offset", "neighbours", neighbours, 0.02);
    check_all("several_channels", "2 to 16", two_to_16_channels);
    check_share("several_channels", "16", sixteen_channels, 0.03);
    check_share("magnitudes", "of all sizes", all_sizes, 0.6);
    check_share("subnormal", "subnormal", subnormal, 0.95);
    check_share("subnormal", "times", subnormal_time, 0.5);
    check_share("subnormal", "values", subnormal_value, 0.4);
    static const char *const usables[] = {
        "typical",    "article",       "any_finite", "many",         "close_nodes",
        "clusters",   "geometric",     "even",       "vanishing",    "polynomial",
        "cancelling", "extrapolation", "at_nodes",   "large_offset", "several_channels",
        "magnitudes", "range_edges",   "subnormal",  "far_apart"};
    for (size_t i = 0; i < sizeof usables / sizeof *usables; i++) {
        check_all(usables[i], "usable", usable);
    }
    close_all();
}

static void newton_draws_values_and_times_of_each_kind(void)
{
    open_all("newton");
    check_share("vanishing", "vanishing differences", vanishes, 0.5);
    check_share("vanishing", "that are not 0", vanishes_but_not_quite, 0.4);
    check_all("polynomial", "a low degree", low_degree);
    check_share("polynomial", "5 nodes or more", five_or_more, 0.6);
    check_share("polynomial", "F = 0", is_root, 0.08);
    check_share("cancelling", "F < 2^-30 S", cancels, 0.4);
    check_share("extrapolation", "outside", t_outside, 0.85);
    check_share("extrapolation", "far outside", far_outside, 0.2);
    check_share("at_nodes", "at a node", at_a_node, 0.5);
    check_share("at_nodes", "next to one", next_to_a_node, 0.1);
    check_share("range_edges", "at an end of the range", at_an_end, 0.55);
    check_between("range_edges", "beyond", out_of_reach, 0.2, 0.8);
    check_between("range_edges", "within", within_reach, 0.2, 0.8);
    check_share("range_edges", "open", either, 0.05);
    check_share("far_apart", "2^900 apart", far_apart, 0.65);
    check_share("far_apart", "within", within_reach, 0.5);
    check_share("magnitudes", "beyond", out_of_reach, 0.05);
    check_share("magnitudes", "within", within_reach, 0.5);
    close_all();
}

static void newton_draws_what_no_builder_takes(void)
{
    open_all("newton");
    check_between("unusable", "usable", usable, 0, 0.2);
    check_share("unusable", "times not finite", time_not_finite, 0.1);
    check_share("unusable", "values not finite", value_not_finite, 0.25);
    check_share("unusable", "times equal", times_equal, 0.5);
    check_between("any", "usable", usable, 0.2, 0.8);
    check_share("any", "empty", empty, 0.1);
    check_share("boundary", "times equal", times_equal, 0.15);
    check_share("boundary", "empty", empty, 0.1);
    check_share("boundary", "times not finite", time_not_finite, 0.15);
    check_share("boundary", "values not finite", value_not_finite, 0.08);
    check_share("boundary", "usable", usable, 0.3);
    close_all();
}

static void track_draws_keys_of_each_kind(void)
{
    open_all("track");
    check_all("typical", "everyday keys", everyday);
    check_all("typical", "at most 12", at_most_12);
    check_share("typical", "order 1", order_1, 0.28);
    check_share("typical", "order 2", order_2, 0.28);
    check_share("typical", "order 3", order_3, 0.28);
    check_share("typical", "in the first segment", in_first_segment, 0.05);
    check_share("typical", "in the middle", in_the_middle, 0.4);
    check_share("typical", "in the last segment", in_last_segment, 0.05);
    check_all("few_keys", "few", few_keys);
    check_share("few_keys", "too few", too_few_keys, 0.5);
    check_share("close_keys", "distances below 1/16", small_distance, 0.99);
    check_share("close_keys", "neighbours", neighbours, 0.25);
    check_share("clusters", "neighbours", neighbours, 0.25);
    check_share("uneven", "falling distances", falling_distances, 0.6);
    check_share("even", "equal products", equal_products, 0.4);
    check_share("smooth", "vanishing differences", vanishes, 0.2);
    check_all("polynomial", "a low degree", low_degree);
    check_share("polynomial", "F = 0", is_root, 0.08);
    check_share("cancelling", "F < 2^-30 S", cancels, 0.4);
    check_share("outside", "outside", t_outside, 0.85);
    check_share("at_keys", "at a key", at_a_node, 0.5);
    check_share("at_keys", "next to one", next_to_a_node, 0.1);
    check_share("large_offset", "far from 0", far_from_zero, 0.95);
    check_all("several_channels", "2 to 16", two_to_16_channels);
    check_share("magnitudes", "of all sizes", all_sizes, 0.6);
    check_share("range_edges", "at an end of the range", at_an_end, 0.55);
    check_share("subnormal", "subnormal", subnormal, 0.95);
    check_share("far_apart", "2^900 apart", far_apart, 0.65);
    static const char *const rising[] = {
        "typical",          "few_keys",   "close_keys",  "clusters",  "uneven",   "even",
        "smooth",           "polynomial", "cancelling",  "outside",   "at_keys",  "large_offset",
        "several_channels", "magnitudes", "range_edges", "subnormal", "far_apart"};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
        check_all(rising[i], "usable", usable);
        check_all(rising[i], "rising", rises);
    }
    close_all();
}

static void track_draws_what_no_builder_takes(void)
{
    open_all("track");
    check_share("any", "no order", no_order, 0.3);
    check_share("boundary", "no order", no_order, 0.45);
    check_share("unusable", "falling times", falls, 0.15);
    check_share("unusable", "equal times", times_equal, 0.4);
    check_share("unusable", "values not finite", value_not_finite, 0.25);
    check_share("unusable", "times not finite", time_not_finite, 0.1);
    close_all();
}

static void crossfade_newton_draws_pairs_of_each_kind(void)
{
    open_all("crossfade_newton");
    check_all("typical", "everyday keys", everyday);
    check_share("typical", "w inside", weight_inside, 0.99);
    check_share("weights", "at an end", weight_at_end, 0.15);
    check_share("weights", "near an end", weight_near_end, 0.25);
    check_share("weights", "outside", weight_outside, 0.25);
    check_all("cancelling", "F < 2^-30 A", cancels_at_w);
    check_share("any_distances", "small distances", small_distance, 0.3);
    check_share("vanishing", "vanishing differences", vanishes, 0.5);
    check_share("extrapolation", "outside", t_outside, 0.85);
    check_share("at_nodes", "at or next to a node", near_a_node_of_either, 0.7);
    check_share("magnitudes", "of all sizes", all_sizes, 0.3);
    check_share("far_apart", "2^900 apart", far_apart, 0.65);
    check_between("several_channels", "different numbers", other_channels, 0.2, 0.5);
    check_share("unusable", "first usable", first_usable_only, 0.2);
    check_share("unusable", "second usable", second_usable_only, 0.2);
    check_share("unusable", "neither usable", neither_usable, 0.2);
    static const char *const usables[] = {"typical",    "any_distances", "weights",
                                          "cancelling", "vanishing",     "extrapolation",
                                          "at_nodes",   "magnitudes",    "several_channels"};
    for (size_t i = 0; i < sizeof usables / sizeof *usables; i++) {
        check_all(usables[i], "usable", both_usable);
    }
    check_all("any_distances", "w in [0, 1]", weight_in_unit);
    close_all();
}

/* The same but for what is drawn: some values, and a t in [0, 1]. */
static bool is_alike(const struct sample *one, const struct sample *two)
{
    size_t count = one->nodes.count;
    if (count != two->nodes.count || one->nodes.channels != two->nodes.channels) {
        return false;
    }
    bool orders = one->order == two->order || (isnan(one->order) && isnan(two->order));
    bool times = one->t == two->t || (isnan(one->t) && isnan(two->t)) ||
                 (one->t > 0 && one->t < 1 && two->t > 0 && two->t < 1);
    return orders && times &&
           memcmp(one->nodes.times, two->nodes.times, count * sizeof *one->nodes.times) == 0;
}

/* Does any round of the enumerated combinations hold each of them once? */
static void boundaries_are_complete(void)
{
    static const struct {
        const char *name;
        size_t total;
    } all[] = {{"newton", (size_t)16 * 13 * 14}, {"track", (size_t)6 * 16 * 13 * 14}};
    for (size_t f = 0; f < 2; f++) {
        const struct function *function = catalog_find(all[f].name);
        const struct domains *domains = domains_of(function);
        const struct domain *boundary = &domains->list[domains->count - 1];
        CU_ASSERT_STRING_EQUAL(boundary->name, "boundary");
        struct values inputs = {0}, again = {0};
        size_t repeated = 0, at_0 = 0;
        for (uint64_t i = 0; i < all[f].total; i++) {
            draw_case(11, function, boundary, i, &inputs);
            draw_case(12, function, boundary, i + all[f].total, &again);
            struct sample sample = sample_of(function, &inputs);
            struct sample other = sample_of(function, &again);
            repeated += is_alike(&sample, &other);
            at_0 += sample.t == 0 && !signbit(sample.t);
        }
        CU_ASSERT_EQUAL(repeated, all[f].total);
        CU_ASSERT_EQUAL(at_0, all[f].total / 14);
        values_free(&inputs);
        values_free(&again);
    }
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"newton draws nodes of each kind", newton_draws_nodes_of_each_kind},
        {"newton draws values and times of each kind", newton_draws_values_and_times_of_each_kind},
        {"newton draws what no builder takes", newton_draws_what_no_builder_takes},
        {"track draws keys of each kind", track_draws_keys_of_each_kind},
        {"track draws what no builder takes", track_draws_what_no_builder_takes},
        {"crossfade_newton draws pairs of each kind", crossfade_newton_draws_pairs_of_each_kind},
        {"boundaries are complete", boundaries_are_complete},
    };
    return suite_run("domains_newton", tests, sizeof tests / sizeof *tests);
}
