#include "function.h"

#include <stdio.h>
#include <string.h>

#define FUNCTION(name) extern const struct function oracle_##name;
#include "catalog.def"
#undef FUNCTION

const struct function *const catalog[] = {
#define FUNCTION(name) &oracle_##name,
#include "catalog.def"
#undef FUNCTION
};

enum {
#define FUNCTION(name) POSITION_##name,
#include "catalog.def"
#undef FUNCTION
    FUNCTION_COUNT
};

const size_t catalog_count = FUNCTION_COUNT;

const struct function *catalog_find(const char *name)
{
    for (size_t i = 0; i < catalog_count; i++) {
        if (strcmp(catalog[i]->name, name) == 0) {
            return catalog[i];
        }
    }
    return NULL;
}

const char *const status_choices[] = {"ok",
                                      "empty",
                                      "time_not_finite",
                                      "value_not_finite",
                                      "times_fall",
                                      "times_equal",
                                      "three_at_one_time",
                                      "out_of_range",
                                      "no_such_choice",
                                      NULL};

size_t field_choice_count(const struct field *field)
{
    size_t count = 0;
    while (field->choices[count]) {
        count++;
    }
    return count;
}

const char *field_choice_name(const struct field *field, double number)
{
    size_t count = field_choice_count(field);
    bool exists = number >= 0 && number < (double)count && number == (double)(size_t)number;
    return exists ? field->choices[(size_t)number] : NULL;
}

double field_choice(const struct field *field, const char *name, size_t length)
{
    for (size_t i = 0; field->choices[i]; i++) {
        if (strlen(field->choices[i]) == length && memcmp(field->choices[i], name, length) == 0) {
            return (double)i;
        }
    }
    return -1;
}

/* Does every number of the field stand for one of its choices? */
static bool chosen(const struct field *field, const struct values *inputs, size_t i)
{
    for (size_t k = 0; k < values_length(inputs, i); k++) {
        if (!field_choice_name(field, values_field(inputs, i)[k])) {
            return false;
        }
    }
    return true;
}

static bool length_fits(enum field_length rule, size_t length, size_t like)
{
    switch (rule) {
    case LENGTH_ANY:
        return true;
    case LENGTH_EQUAL:
        return length == like;
    case LENGTH_EQUAL_OR_EMPTY:
        return length == like || length == 0;
    case LENGTH_MULTIPLE:
        return like == 0 ? length == 0 : length % like == 0 && length / like <= CHANNELS_MAX;
    }
    return false;
}

const char *function_fault(const struct function *function, const struct values *inputs,
                           size_t *field)
{
    static _Thread_local char message[200];
    static const char *const rules[] = {[LENGTH_EQUAL] = "as many as the",
                                        [LENGTH_EQUAL_OR_EMPTY] = "none or as many as the",
                                        [LENGTH_MULTIPLE] = "a whole multiple, of at most"};
    for (size_t i = 0; i < function->input_count; i++) {
        const struct field *f = &function->inputs[i];
        if (f->length == LENGTH_ANY && !f->choices) {
            continue;
        }
        size_t length = values_length(inputs, i);
        size_t like = values_length(inputs, f->like);
        *field = i;
        if (!length_fits(f->length, length, like)) {
            char channels[40] = "";
            if (f->length == LENGTH_MULTIPLE) {
                snprintf(channels, sizeof channels, " %d channels, of the", CHANNELS_MAX);
            }
            snprintf(message, sizeof message, "%zu number%s, which must be %s%s %zu of %s", length,
                     length == 1 ? "" : "s", rules[f->length], channels, like,
                     function->inputs[f->like].name);
            return message;
        }
        if (f->choices && !chosen(f, inputs, i)) {
            return "a number that stands for no choice";
        }
    }
    return NULL;
}
