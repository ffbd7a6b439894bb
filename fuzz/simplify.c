#include "simplify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct function *function;
    struct values *best;
    unsigned cost; /* of it */
    struct values trial;
    simplify_keeps *keeps;
    void *context;
    uint64_t asked, most;
};

/* Costs are counted in eighths of a bit. */
enum { BIT = 8, ITEM = 32 * BIT, SHARED = 3 * BIT };

/* Bits of the fraction and of the exponent: what a hexadecimal number shows. */
static unsigned bits_cost(double x)
{
    if (!isfinite(x)) {
        return 4 * BIT;
    }
    int exponent;
    double fraction = fabs(frexp(x, &exponent));
    unsigned bits = 0;
    for (; fraction > 0; bits++) {
        fraction = 2 * fraction - floor(2 * fraction);
    }
    double magnitude = log2(1 + fabs(exponent - 1.0));
    return (4 + bits + (signbit(x) ? 1 : 0)) * BIT + (unsigned)(BIT * magnitude);
}

/* A number by itself: 0, 1, -1, and what else there is. */
static unsigned number_cost(double x)
{
    if (x == 0) {
        return signbit(x) ? 2 * BIT : 0;
    }
    return x == 1 ? BIT : x == -1 ? 2 * BIT : bits_cost(x);
}

static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* A number that stands in the case before costs little. */
static unsigned spot_cost(const struct values *inputs, size_t position)
{
    unsigned cost = number_cost(inputs->number[position]);
    for (size_t i = 0; i < position && cost > SHARED; i++) {
        if (same_bits(inputs->number[i], inputs->number[position])) {
            cost = SHARED;
        }
    }
    return cost;
}

unsigned simplify_cost(const struct function *function, const struct values *inputs)
{
    unsigned cost = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        for (size_t k = inputs->start[i]; k < inputs->start[i + 1]; k++) {
            bool choice = function->inputs[i].choices != NULL;
            cost += ITEM + (choice ? BIT * (unsigned)inputs->number[k] : spot_cost(inputs, k));
        }
    }
    return cost;
}

/* Takes the trial if it is simpler and kept. */
static bool attempt(struct work *work)
{
    size_t field;
    unsigned cost = simplify_cost(work->function, &work->trial);
    if (cost >= work->cost || work->asked >= work->most ||
        function_fault(work->function, &work->trial, &field)) {
        return false;
    }
    work->asked++;
    if (!work->keeps(work->context, &work->trial)) {
        return false;
    }
    values_copy(work->best, &work->trial);
    work->cost = cost;
    return true;
}

/* Lists: fewer items, with all that is theirs. */

static bool follows(const struct work *work, size_t i, size_t leader)
{
    const struct field *field = &work->function->inputs[i];
    return field->kind == FIELD_LIST &&
           (i == leader || (field->length != LENGTH_ANY && field->like == leader));
}

static bool without_items(struct work *work, size_t leader, size_t item, size_t count)
{
    size_t items = values_length(work->best, leader);
    values_copy(&work->trial, work->best);
    for (size_t i = 0; i < work->best->count; i++) {
        if (follows(work, i, leader)) {
            size_t each = items > 0 ? values_length(&work->trial, i) / items : 0;
            values_remove(&work->trial, i, item * each, count * each);
        }
    }
    return attempt(work);
}

static bool shorten_lists(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->function->input_count; i++) {
        const struct field *field = &work->function->inputs[i];
        if (field->kind != FIELD_LIST || field->length != LENGTH_ANY) {
            continue;
        }
        for (size_t count = values_length(work->best, i); count > 0; count /= 2) {
            for (size_t item = 0; item + count <= values_length(work->best, i);) {
                bool shorter = without_items(work, i, item, count);
                any = any || shorter;
                item += shorter ? 0 : count;
            }
        }
    }
    return any;
}

/* Channels: one by itself. */
static bool single_channels(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->function->input_count; i++) {
        const struct field *field = &work->function->inputs[i];
        size_t items = field->kind == FIELD_LIST && field->length == LENGTH_MULTIPLE
                           ? values_length(work->best, field->like)
                           : 0;
        size_t channels = items > 0 ? values_length(work->best, i) / items : 0;
        for (size_t left = channels; left > 1; left--) {
            size_t now = values_length(work->best, i) / items;
            values_copy(&work->trial, work->best);
            for (size_t item = items; item-- > 0;) {
                values_remove(&work->trial, i, item * now + (left - 1) % now, 1);
            }
            any = attempt(work) || any;
        }
    }
    return any;
}

/* What may be empty, and choices: the first. */
static bool drop_fields(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->function->input_count; i++) {
        const struct field *field = &work->function->inputs[i];
        if (field->kind == FIELD_OPTIONAL || field->length == LENGTH_EQUAL_OR_EMPTY) {
            values_copy(&work->trial, work->best);
            values_remove(&work->trial, i, 0, values_length(&work->trial, i));
            any = attempt(work) || any;
        }
        for (size_t k = 0; field->choices && k < values_length(work->best, i); k++) {
            values_copy(&work->trial, work->best);
            work->trial.number[work->trial.start[i] + k] = 0;
            any = attempt(work) || any;
        }
    }
    return any;
}

/* Numbers. */

static bool number_to(struct work *work, size_t position, double x)
{
    values_copy(&work->trial, work->best);
    work->trial.number[position] = x;
    return attempt(work);
}

/* Every place where the number stands, at once: what is shared stays shared. */
static bool all_to(struct work *work, size_t position, double x)
{
    double from = work->best->number[position];
    values_copy(&work->trial, work->best);
    for (size_t i = 0; i < work->best->count; i++) {
        size_t end = work->function->inputs[i].choices ? 0 : work->best->start[i + 1];
        for (size_t k = work->best->start[i]; k < end; k++) {
            if (same_bits(work->best->number[k], from)) {
                work->trial.number[k] = x;
            }
        }
    }
    return attempt(work);
}

static bool either_to(struct work *work, size_t position, double x)
{
    return all_to(work, position, x) || number_to(work, position, x);
}

static double of_few_bits(double x, int bits)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
}

static bool to_another(struct work *work, size_t position)
{
    for (size_t k = 0; k < work->best->start[work->best->count]; k++) {
        double x = work->best->number[k];
        if (either_to(work, position, x) || either_to(work, position, -x)) {
            return true;
        }
    }
    return false;
}

/* The same with an exponent nearer to 0. */
static bool to_nearer_exponent(struct work *work, size_t position, double x)
{
    int exponent = x != 0 && isfinite(x) ? ilogb(x) : 0;
    return exponent != 0 && (either_to(work, position, ldexp(x, -exponent)) ||
                             either_to(work, position, ldexp(x, exponent / 2 - exponent)) ||
                             either_to(work, position, ldexp(x, -(exponent / 4))) ||
                             either_to(work, position, ldexp(x, exponent > 0 ? -1 : 1)));
}

static bool to_fewer_bits(struct work *work, size_t position, double x)
{
    for (int bits = 1; bits <= 52 && isfinite(x); bits++) {
        if (either_to(work, position, of_few_bits(x, bits))) {
            return true;
        }
    }
    return false;
}

static bool simplify_number(struct work *work, size_t position)
{
    static const double simple[] = {0, 1, -1, 0.5, 2, 3};
    double x = work->best->number[position];
    if (number_cost(x) <= BIT) {
        return false;
    }
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) {
        if (either_to(work, position, simple[i])) {
            return true;
        }
    }
    return to_another(work, position) || either_to(work, position, fabs(x)) ||
           to_fewer_bits(work, position, x) || to_nearer_exponent(work, position, x);
}

static bool simplify_numbers(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->best->count; i++) {
        size_t end = work->function->inputs[i].choices ? 0 : work->best->start[i + 1];
        for (size_t k = work->best->start[i]; k < end; k++) {
            any = simplify_number(work, k) || any;
        }
    }
    return any;
}

/* The power of `unit` in another one, which is a name or a quotient of two. */
static int power_in(const char *unit, const char *other)
{
    const char *slash = strchr(other, '/');
    size_t first = slash ? (size_t)(slash - other) : strlen(other);
    int power = strlen(unit) == first && memcmp(unit, other, first) == 0;
    return power - (slash && strcmp(slash + 1, unit) == 0);
}

/* Another unit of measurement, in which the field's largest number lies in [1, 2). */
static bool change_unit(struct work *work, const char *unit, size_t leader)
{
    double largest = 0;
    for (size_t k = 0; k < values_length(work->best, leader); k++) {
        largest = fmax(largest, fabs(values_field(work->best, leader)[k]));
    }
    if (!(largest > 0) || isinf(largest)) {
        return false;
    }
    values_copy(&work->trial, work->best);
    for (size_t i = 0; i < work->best->count; i++) {
        int power = power_in(unit, work->function->inputs[i].unit);
        for (size_t k = work->best->start[i]; power != 0 && k < work->best->start[i + 1]; k++) {
            work->trial.number[k] = ldexp(work->trial.number[k], -power * ilogb(largest));
        }
    }
    return attempt(work);
}

static bool change_units(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->function->input_count; i++) {
        const struct field *field = &work->function->inputs[i];
        if (!field->choices && strcmp(field->unit, "1") != 0 && !strchr(field->unit, '/')) {
            any = change_unit(work, field->unit, i) || any;
        }
    }
    return any;
}

/* All numbers of one unit, moved or stretched so that one of them becomes 0 or 1: where it is their
 * differences or their ratios that matter, they stay what they are. */
static bool move_unit(struct work *work, size_t field, double add, double factor)
{
    const char *unit = work->function->inputs[field].unit;
    values_copy(&work->trial, work->best);
    for (size_t i = 0; i < work->best->count; i++) {
        bool moves = strcmp(work->function->inputs[i].unit, unit) == 0;
        for (size_t k = work->best->start[i]; moves && k < work->best->start[i + 1]; k++) {
            work->trial.number[k] = (work->trial.number[k] + add) * factor;
        }
    }
    return attempt(work);
}

static bool move_units(struct work *work)
{
    bool any = false;
    for (size_t i = 0; i < work->function->input_count; i++) {
        if (work->function->inputs[i].choices || values_length(work->best, i) == 0) {
            continue;
        }
        double x = values_field(work->best, i)[0];
        any = move_unit(work, i, -x, 1) || move_unit(work, i, 1 - x, 1) ||
              move_unit(work, i, 0, 1 / x) || any;
    }
    return any;
}

uint64_t simplify(const struct function *function, struct values *inputs, simplify_keeps *keeps,
                  void *context, uint64_t most)
{
    struct work work = {.function = function,
                        .best = inputs,
                        .cost = simplify_cost(function, inputs),
                        .keeps = keeps,
                        .context = context,
                        .most = most};
    bool any;
    do {
        any = shorten_lists(&work);
        any = single_channels(&work) || any;
        any = drop_fields(&work) || any;
        any = change_units(&work) || any;
        any = move_units(&work) || any;
        any = simplify_numbers(&work) || any;
    } while (any && work.asked < most);
    values_free(&work.trial);
    return work.asked;
}
