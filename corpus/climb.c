#include "climb.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Lists are not made longer than this: a long one costs more and seldom shows more. */
enum { ITEMS_MOST = 24 };

/* How far a climb may stray at a step, how seldom it does, and for how many steps in vain. */
enum { STRAY_SELDOM = 8, STRAY_STEPS = 256 };
static const double STRAY_SHARE = 0.05;

void mutator_create(struct mutator *mutator, const struct function *function)
{
    *mutator = (struct mutator){.function = function, .domains = domains_of(function)};
}

void mutator_free(struct mutator *mutator)
{
    values_free(&mutator->sample);
}

/* What a change works on. */
struct change {
    struct mutator *mutator;
    struct stream *stream;
    struct values *inputs;
};

static const struct field *field_of(const struct change *change, size_t i)
{
    return &change->mutator->function->inputs[i];
}

static size_t pick_below(const struct change *change, size_t count)
{
    return (size_t)draw_below(change->stream, count);
}

/* One number of a case. */
struct spot {
    size_t field, item;
};

static double number_at(const struct change *change, struct spot spot)
{
    return values_field(change->inputs, spot.field)[spot.item];
}

static bool numeric(const struct change *change, size_t i)
{
    return !field_of(change, i)->choices && values_length(change->inputs, i) > 0;
}

/* Some number: each field is as likely as any other, however long. Returns whether there is one;
 * `unit` restricts it to fields of that unit. */
static bool pick_spot(const struct change *change, const char *unit, struct spot *spot)
{
    size_t fields[FIELDS_MAX], count = 0;
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (numeric(change, i) && (!unit || strcmp(unit, field_of(change, i)->unit) == 0)) {
            fields[count++] = i;
        }
    }
    if (count == 0) {
        return false;
    }
    spot->field = fields[pick_below(change, count)];
    spot->item = pick_below(change, values_length(change->inputs, spot->field));
    return true;
}

/* Keys stand in order, mostly: a number of a list that lies between its neighbours stays there,
 * but for one time in eight. */
static double kept_in_order(const struct change *change, struct spot spot, double x)
{
    const double *list = values_field(change->inputs, spot.field);
    size_t count = values_length(change->inputs, spot.field);
    double low = spot.item > 0 ? list[spot.item - 1] : -DBL_MAX;
    double high = spot.item + 1 < count ? list[spot.item + 1] : DBL_MAX;
    bool ordered = low <= list[spot.item] && list[spot.item] <= high;
    if (field_of(change, spot.field)->kind != FIELD_LIST ||
        field_of(change, spot.field)->length != LENGTH_ANY || !ordered ||
        draw_below(change->stream, 8) == 0) {
        return x;
    }
    return draw_least(draw_most(x, low), high);
}

/* Overflows and NaN lead back to rules for special values, which samplers cover. */
static void set_number(const struct change *change, struct spot spot, double x)
{
    if (isfinite(x) || draw_below(change->stream, 16) == 0) {
        change->inputs->number[change->inputs->start[spot.field] + spot.item] =
            kept_in_order(change, spot, x);
    }
}

/* 1 + the number of heads before the first tails, at most `most`. */
static int pick_few(const struct change *change, int most)
{
    int count = 1;
    while (count < most && draw_bits(change->stream) >> 63) {
        count++;
    }
    return count;
}

/* x, or a number that is not far from it: by a few doubles, or by a relative 2^-k. */
static double nudged(const struct change *change, double x)
{
    switch (draw_below(change->stream, 4)) {
    case 0:
        return draw_step(change->stream, x, 2);
    case 1: {
        double share = draw_log(change->stream, -53, 0);
        return x + draw_sign(change->stream, x * share);
    }
    default:
        return x;
    }
}

/* Changes of one number. */

static void change_ulps(const struct change *change, struct spot spot)
{
    int most = 1 << (pick_few(change, 12) - 1);
    set_number(change, spot, draw_step(change->stream, number_at(change, spot), most));
}

static void change_relative(const struct change *change, struct spot spot)
{
    double x = number_at(change, spot);
    double share = draw_log(change->stream, -53, 1);
    set_number(change, spot, x + draw_sign(change->stream, x * share));
}

static void change_exponent(const struct change *change, struct spot spot)
{
    int by = 1 << (pick_few(change, 10) - 1);
    by -= (int)pick_below(change, 2);
    int exponent = draw_bits(change->stream) >> 63 ? by : -by;
    set_number(change, spot, ldexp(number_at(change, spot), exponent));
}

static void change_sign(const struct change *change, struct spot spot)
{
    set_number(change, spot, -number_at(change, spot));
}

/* To a number of few bits, which products and sums leave exact. */
static void change_to_short(const struct change *change, struct spot spot)
{
    int exponent;
    double fraction = frexp(number_at(change, spot), &exponent);
    int bits = 1 + (int)pick_below(change, 40);
    set_number(change, spot, ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits));
}

static void change_to_constant(const struct change *change, struct spot spot)
{
    static const double constants[] = {0,       -0.0,      1,       -1,
                                       0.5,     2,         1.0 / 3, 2.0 / 3,
                                       0.25,    3,         4,       0x1.921fb54442d18p+1,
                                       DBL_MIN, 0x1p-1074, DBL_MAX, DBL_EPSILON,
                                       1e308,   1e-308};
    enum { COUNT = sizeof constants / sizeof constants[0] };
    size_t which = pick_below(change, COUNT + 3);
    double x = which < COUNT ? constants[which] : draw_log(change->stream, -1074, 1024);
    if (which == COUNT + 1) {
        x = 1 - draw_log(change->stream, -54, 0);
    } else if (which == COUNT + 2) {
        x = draw_any(change->stream);
    }
    set_number(change, spot, nudged(change, x));
}

/* To another number of the case or its negative, or near it. */
static void change_to_other(const struct change *change, struct spot spot)
{
    struct spot other = spot;
    const char *unit = draw_below(change->stream, 4) ? field_of(change, spot.field)->unit : NULL;
    pick_spot(change, unit, &other);
    double x = number_at(change, other);
    set_number(change, spot, nudged(change, draw_below(change->stream, 4) ? x : -x));
}

static double related(const struct change *change, double x, double y)
{
    switch (draw_below(change->stream, 12)) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return x * y;
    case 3:
        return x / y;
    case 4:
        return x / 2 + y / 2;
    case 5:
        return 2 * x - y;
    case 6:
        return 1 - x;
    case 7:
        return 1 / x;
    case 8:
        return x / 3;
    case 9:
        return x * (double)(2 + pick_below(change, 5));
    default:
        return draw_inside(change->stream, draw_least(x, y), draw_most(x, y));
    }
}

/* To what two others make: where a difference, a product or a place between two others matters, the
 * new number makes it vanish, or almost. */
static void change_to_relation(const struct change *change, struct spot spot)
{
    struct spot first = spot, second = spot;
    const char *unit = draw_below(change->stream, 3) ? field_of(change, spot.field)->unit : NULL;
    pick_spot(change, unit, &first);
    pick_spot(change, unit, &second);
    double x = number_at(change, first);
    x = related(change, x, number_at(change, second));
    set_number(change, spot, nudged(change, draw_below(change->stream, 4) ? x : -x));
}

static void change_number(const struct change *change)
{
    static void (*const ways[])(const struct change *, struct spot) = {
        change_ulps,     change_ulps,     change_ulps,        change_relative,
        change_relative, change_relative, change_relative,    change_relative,
        change_exponent, change_sign,     change_to_short,    change_to_constant,
        change_to_other, change_to_other, change_to_relation, change_to_relation};
    struct spot spot;
    if (pick_spot(change, NULL, &spot)) {
        ways[pick_below(change, sizeof ways / sizeof ways[0])](change, spot);
    }
}

/* Changes of numbers that belong together. */

/* The power of `unit` in another one, which is a name or a quotient of two. */
static int power_in(const char *unit, const char *other)
{
    size_t length = strlen(unit);
    const char *slash = strchr(other, '/');
    size_t first = slash ? (size_t)(slash - other) : strlen(other);
    int power = first == length && memcmp(unit, other, length) == 0;
    return power - (slash && strcmp(slash + 1, unit) == 0);
}

static void scale_field(const struct change *change, size_t i, double factor)
{
    double *number = change->inputs->number + change->inputs->start[i];
    size_t count = values_length(change->inputs, i);
    for (size_t k = 0; k < count; k++) {
        double scaled = number[k] * factor;
        number[k] = isfinite(scaled) || !isfinite(number[k]) ? scaled : number[k];
    }
}

/* Another unit of measurement, as it were: changes an answer only where numbers leave the range. */
static void change_unit(const struct change *change)
{
    struct spot spot;
    if (!pick_spot(change, NULL, &spot)) {
        return;
    }
    const char *unit = field_of(change, spot.field)->unit;
    int exponent = draw_below(change->stream, 2) ? 1 + (int)pick_below(change, 4)
                                                 : 1 + (int)pick_below(change, 1000);
    exponent = draw_bits(change->stream) >> 63 ? exponent : -exponent;
    for (size_t i = 0; i < change->inputs->count; i++) {
        int power = power_in(unit, field_of(change, i)->unit);
        if (power != 0 && numeric(change, i)) {
            scale_field(change, i, ldexp(1, exponent * power));
        }
    }
}

/* A run of neighbouring fields of one unit, such as a vector's components, or one field. */
static void pick_run(const struct change *change, size_t *first, size_t *last)
{
    struct spot spot;
    *first = *last = 0;
    if (!pick_spot(change, NULL, &spot)) {
        return;
    }
    const char *unit = field_of(change, spot.field)->unit;
    *first = *last = spot.field;
    while (*first > 0 && strcmp(field_of(change, *first - 1)->unit, unit) == 0 &&
           draw_below(change->stream, 4)) {
        --*first;
    }
    while (*last + 1 < change->inputs->count &&
           strcmp(field_of(change, *last + 1)->unit, unit) == 0 && draw_below(change->stream, 4)) {
        ++*last;
    }
}

static void change_run(const struct change *change)
{
    size_t first, last;
    pick_run(change, &first, &last);
    double factor = draw_below(change->stream, 2)
                        ? ldexp(1, (int)pick_below(change, 9) - 4)
                        : 1 + draw_sign(change->stream, draw_log(change->stream, -53, 0));
    factor = draw_below(change->stream, 4) ? factor : -factor;
    for (size_t i = first; i <= last && i < change->inputs->count; i++) {
        if (numeric(change, i)) {
            scale_field(change, i, factor);
        }
    }
}

/* All numbers of a unit, moved by one amount: a clock that started earlier. */
static void change_origin(const struct change *change)
{
    struct spot spot;
    if (!pick_spot(change, NULL, &spot)) {
        return;
    }
    const char *unit = field_of(change, spot.field)->unit;
    double by = draw_below(change->stream, 2) ? -number_at(change, spot) : number_at(change, spot);
    if (draw_below(change->stream, 2)) {
        by *= draw_log(change->stream, -12, 12);
    }
    for (size_t i = 0; i < change->inputs->count; i++) {
        double *number = change->inputs->number + change->inputs->start[i];
        size_t count = values_length(change->inputs, i);
        bool moves = numeric(change, i) && strcmp(field_of(change, i)->unit, unit) == 0;
        for (size_t k = 0; moves && k < count; k++) {
            number[k] = isfinite(number[k] + by) ? number[k] + by : number[k];
        }
    }
}

/* Two numbers of one unit change places. */
static void change_places(const struct change *change)
{
    struct spot first, second;
    if (!pick_spot(change, NULL, &first) ||
        !pick_spot(change, field_of(change, first.field)->unit, &second)) {
        return;
    }
    double x = number_at(change, first);
    double y = number_at(change, second);
    change->inputs->number[change->inputs->start[first.field] + first.item] = y;
    change->inputs->number[change->inputs->start[second.field] + second.item] = x;
}

/* Lists. */

/* The list whose length a field's follows, or the field itself. */
static size_t leader_of(const struct change *change, size_t i)
{
    return field_of(change, i)->length == LENGTH_ANY ? i : field_of(change, i)->like;
}

static bool pick_leader(const struct change *change, size_t *leader)
{
    size_t lists[FIELDS_MAX], count = 0;
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (field_of(change, i)->kind == FIELD_LIST && leader_of(change, i) == i) {
            lists[count++] = i;
        }
    }
    *leader = count > 0 ? lists[pick_below(change, count)] : 0;
    return count > 0;
}

/* Numbers that a field has for each item of its leader: 0 if it is left empty. */
static size_t numbers_each(const struct change *change, size_t i, size_t items)
{
    return items > 0 ? values_length(change->inputs, i) / items : 0;
}

static void insert_item(const struct change *change, size_t leader, size_t items, size_t item)
{
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (field_of(change, i)->kind == FIELD_LIST && leader_of(change, i) == leader) {
            size_t each = numbers_each(change, i, items);
            double *copy = values_insert(change->inputs, i, item * each, each);
            memcpy(copy, copy + each, each * sizeof *copy);
        }
    }
}

static void remove_item(const struct change *change, size_t leader, size_t items, size_t item)
{
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (field_of(change, i)->kind == FIELD_LIST && leader_of(change, i) == leader) {
            size_t each = numbers_each(change, i, items);
            values_remove(change->inputs, i, item * each, each);
        }
    }
}

/* Items change places with all that is theirs. */
static void exchange_items(const struct change *change, size_t leader, size_t items, size_t first,
                           size_t second)
{
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (field_of(change, i)->kind == FIELD_LIST && leader_of(change, i) == leader) {
            size_t each = numbers_each(change, i, items);
            double *number = change->inputs->number + change->inputs->start[i];
            for (size_t k = 0; k < each; k++) {
                double x = number[first * each + k];
                number[first * each + k] = number[second * each + k];
                number[second * each + k] = x;
            }
        }
    }
}

/* A copy of an item, moved to somewhere between that and its neighbour. */
static void add_item(const struct change *change, size_t leader, size_t items)
{
    size_t item = pick_below(change, items);
    insert_item(change, leader, items, item);
    double *list = change->inputs->number + change->inputs->start[leader];
    size_t neighbour = item + 2 <= items ? item + 2 : item;
    double low = draw_least(list[item], list[neighbour]),
           high = draw_most(list[item], list[neighbour]);
    if (low < high && isfinite(low) && isfinite(high)) {
        list[item + 1] = draw_inside(change->stream, low, high);
    } else {
        list[item + 1] = nudged(change, list[item + 1]);
    }
}

static void change_items(const struct change *change)
{
    size_t leader;
    if (!pick_leader(change, &leader)) {
        return;
    }
    size_t items = values_length(change->inputs, leader);
    size_t way = pick_below(change, 4);
    if (way == 0 && items > 0 && items < ITEMS_MOST) {
        add_item(change, leader, items);
    } else if (way <= 2 && items > 1) {
        remove_item(change, leader, items, pick_below(change, items));
    } else if (items > 1) {
        size_t first = pick_below(change, items);
        exchange_items(change, leader, items, first, pick_below(change, items));
    }
}

/* One channel more, like another; or one less; or one left. */
static void change_channels(const struct change *change, size_t i)
{
    size_t items = values_length(change->inputs, field_of(change, i)->like);
    size_t channels = numbers_each(change, i, items);
    if (channels == 0) {
        return;
    }
    bool more = channels < CHANNELS_MAX && draw_below(change->stream, 4) == 0;
    bool one = draw_below(change->stream, 2);
    size_t channel = pick_below(change, channels);
    for (size_t item = items; item-- > 0;) {
        size_t place = item * channels + channel;
        if (more) {
            double *copy = values_insert(change->inputs, i, place, 1);
            copy[0] = copy[1];
        } else if (one) {
            values_remove(change->inputs, i, place + 1, channels - channel - 1);
            values_remove(change->inputs, i, item * channels, channel);
        } else if (channels > 1) {
            values_remove(change->inputs, i, place, 1);
        }
    }
}

/* Makes a field that may be empty so, or fills it: with zeros, or ones where it has choices. */
static void change_presence(const struct change *change, size_t i)
{
    size_t length = values_length(change->inputs, i);
    size_t wanted = field_of(change, i)->kind == FIELD_OPTIONAL
                        ? 1
                        : values_length(change->inputs, field_of(change, i)->like);
    if (length > 0) {
        values_remove(change->inputs, i, 0, length);
        return;
    }
    double *number = values_insert(change->inputs, i, 0, wanted);
    for (size_t k = 0; k < wanted; k++) {
        number[k] = field_of(change, i)->choices ? 0 : draw_uniform(change->stream, 0, 1);
    }
}

static void change_choice(const struct change *change, size_t i)
{
    size_t length = values_length(change->inputs, i);
    size_t choices = field_choice_count(field_of(change, i));
    if (length > 0) {
        size_t item = pick_below(change, length);
        change->inputs->number[change->inputs->start[i] + item] =
            (double)pick_below(change, choices);
    }
}

/* What a function's lists, choices and optional numbers are, as opposed to their values. */
static void change_shape(const struct change *change)
{
    size_t i = pick_below(change, change->inputs->count);
    const struct field *field = field_of(change, i);
    bool may_be_empty = field->kind == FIELD_OPTIONAL || field->length == LENGTH_EQUAL_OR_EMPTY;
    if (may_be_empty && (!field->choices || draw_below(change->stream, 4) == 0)) {
        change_presence(change, i);
    } else if (field->choices) {
        change_choice(change, i);
    } else if (field->length == LENGTH_MULTIPLE) {
        change_channels(change, i);
    } else {
        change_items(change);
    }
}

/* Crossover with a case that one of the function's domains draws: what belongs together there, such
 * as lists of one length or a vector's components, comes over together, or one number does. */

static void take_field(const struct change *change, size_t i)
{
    const struct values *sample = &change->mutator->sample;
    size_t length = values_length(sample, i);
    values_remove(change->inputs, i, 0, values_length(change->inputs, i));
    double *number = values_insert(change->inputs, i, 0, length);
    if (length > 0) {
        memcpy(number, values_field(sample, i), length * sizeof *number);
    }
}

static void take_lists(const struct change *change, size_t leader)
{
    for (size_t i = 0; i < change->inputs->count; i++) {
        if (field_of(change, i)->kind == FIELD_LIST && leader_of(change, i) == leader) {
            take_field(change, i);
        }
    }
}

static void change_by_sample(const struct change *change)
{
    const struct domains *domains = change->mutator->domains;
    struct stream *stream = change->stream;
    stream->index = draw_bits(stream);
    domains->list[pick_below(change, domains->count)].draw(stream, &change->mutator->sample);
    size_t i = pick_below(change, change->inputs->count);
    if (field_of(change, i)->kind == FIELD_LIST) {
        take_lists(change, leader_of(change, i));
        return;
    }
    size_t last = i;
    bool several = draw_below(stream, 2);
    while (several && last + 1 < change->inputs->count &&
           field_of(change, last + 1)->kind != FIELD_LIST && draw_below(stream, 4)) {
        last++;
    }
    for (; i <= last; i++) {
        take_field(change, i);
    }
}

void climb_mutate(struct mutator *mutator, struct stream *stream, struct values *inputs)
{
    const struct change change = {mutator, stream, inputs};
    if (inputs->count == 0) {
        return;
    }
    for (int left = pick_few(&change, 6); left > 0; left--) {
        switch (draw_below(stream, 32)) {
        case 0:
            change_unit(&change);
            break;
        case 1:
            change_run(&change);
            break;
        case 2:
            change_origin(&change);
            break;
        case 3:
            change_places(&change);
            break;
        case 4:
            change_by_sample(&change);
            break;
        case 5:
        case 6:
            change_shape(&change);
            break;
        default:
            change_number(&change);
        }
    }
}

/* The climb. */

/* The least of the results that are not 0 has an ulp above 2^-1074 from here on. */
static bool any_tiny(const struct function *function, const struct values *results)
{
    for (size_t i = 0; i < function->output_count; i++) {
        for (size_t k = 0; k < values_length(results, i) && !function->whole[i]; k++) {
            if (fabs(values_field(results, i)[k]) < 2 * DBL_MIN) {
                return true;
            }
        }
    }
    return false;
}

double climb_badness(const struct function *function, const struct values *results,
                     const struct judgement *judgement)
{
    if (!judgement->measured || !(judgement->bound > 0)) {
        return -1;
    }
    double share = draw_least(judgement->error_scaled / judgement->bound, DBL_MAX);
    if (share > 1 || !any_tiny(function, results)) {
        return share;
    }
    double components = function->measure == MEASURE_VECTOR ? (double)function->output_count : 1;
    double rounding = sqrt(components) / 2;
    return judgement->error_ulp > rounding ? share * (1 - rounding / judgement->error_ulp) : 0;
}

void climb_create(struct climb *climb, const struct function *function, climb_measure *measure,
                  void *context)
{
    *climb = (struct climb){.measure = measure, .context = context, .badness = -1};
    mutator_create(&climb->mutator, function);
}

void climb_free(struct climb *climb)
{
    values_free(&climb->best);
    values_free(&climb->place);
    values_free(&climb->trial);
    mutator_free(&climb->mutator);
}

/* NaN counts as not measured. */
static double badness_of(const struct climb *climb, const struct values *inputs)
{
    double badness = climb->measure(climb->context, inputs);
    return badness >= 0 ? badness : -1;
}

static void begin(struct climb *climb, uint64_t seed)
{
    climb->stream = (struct stream){.key = seed};
    climb->stream.key = draw_bits(&climb->stream);
    climb->steps = 0;
    climb->idle = 0;
}

void climb_start(struct climb *climb, uint64_t seed, const struct values *start)
{
    begin(climb, seed);
    values_copy(&climb->best, start);
    climb->badness = badness_of(climb, start);
    values_copy(&climb->place, start);
    climb->place_badness = climb->badness;
}

void climb_start_in(struct climb *climb, uint64_t seed, const struct domain *domain, uint64_t first,
                    uint64_t samples)
{
    begin(climb, seed);
    for (uint64_t i = 0; i < samples; i++) {
        draw_case(seed, climb->mutator.function, domain, first + i, &climb->trial);
        double badness = badness_of(climb, &climb->trial);
        if (i == 0 || badness > climb->badness) {
            values_copy(&climb->best, &climb->trial);
            climb->badness = badness;
        }
    }
    values_copy(&climb->place, &climb->best);
    climb->place_badness = climb->badness;
}

/* Every other climb strays: it also goes to cases that are a little less bad, and back to the worst
 * now and then. Neither way is better everywhere; a ridge is easier left by straying, a peak easier
 * reached without. */
static bool goes_there(struct climb *climb, double badness)
{
    bool strays = climb->stream.key & 1;
    return badness >= climb->place_badness ||
           (strays && badness >= (1 - STRAY_SHARE) * climb->place_badness &&
            draw_below(&climb->stream, STRAY_SELDOM) == 0);
}

bool climb_step(struct climb *climb)
{
    if (climb->idle % STRAY_STEPS == 0 && climb->place_badness < climb->badness) {
        values_copy(&climb->place, &climb->best);
        climb->place_badness = climb->badness;
    }
    values_copy(&climb->trial, &climb->place);
    climb_mutate(&climb->mutator, &climb->stream, &climb->trial);
    double badness = badness_of(climb, &climb->trial);
    climb->steps++;
    climb->idle++;
    if (goes_there(climb, badness)) {
        values_copy(&climb->place, &climb->trial);
        climb->place_badness = badness;
    }
    if (!(badness > climb->badness)) {
        return false;
    }
    values_copy(&climb->best, &climb->trial);
    climb->badness = badness;
    climb->idle = 0;
    return true;
}

void climb_run(struct climb *climb, uint64_t patience)
{
    do {
        climb_step(climb);
    } while (climb->idle < patience);
}
