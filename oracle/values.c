#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit code 3: without memory there is no answer to trust. */
static _Noreturn void give_up(const char *message)
{
    fprintf(stderr, "truelerp: %s\n", message);
    exit(3);
}

void values_free(struct values *values)
{
    free(values->number);
    *values = (struct values){0};
}

void values_clear(struct values *values)
{
    values->count = 0;
    values->start[0] = 0;
}

static void reserve(struct values *values, size_t capacity)
{
    if (capacity <= values->capacity) {
        return;
    }
    size_t grown = values->capacity < 16 ? 16 : values->capacity;
    while (grown < capacity) {
        grown *= 2;
    }
    double *number = realloc(values->number, grown * sizeof *number);
    if (!number) {
        give_up("out of memory");
    }
    values->number = number;
    values->capacity = grown;
}

double *values_append(struct values *values, size_t count)
{
    if (values->count == FIELDS_MAX) {
        give_up("a case has more fields than FIELDS_MAX");
    }
    size_t start = values->count == 0 ? 0 : values->start[values->count];
    if (count > (size_t)-1 / (4 * sizeof(double)) - start) {
        give_up("out of memory");
    }
    reserve(values, start + (count > 0 ? count : 1)); /* never NULL, even if all are empty */
    values->start[values->count] = start;
    values->start[++values->count] = start + count;
    return values->number + start;
}

double *values_append_numbers(struct values *values, size_t count)
{
    size_t first = values->count;
    size_t start = first == 0 ? 0 : values->start[first];
    if (count > FIELDS_MAX - first) {
        give_up("a case has more fields than FIELDS_MAX");
    }
    reserve(values, start + count);
    values->count = first + count;
    for (size_t i = 0; i <= count; i++) {
        values->start[first + i] = start + i;
    }
    return values->number + start;
}

double *values_numbers(struct values *values, size_t count)
{
    values_clear(values);
    return values_append_numbers(values, count);
}

/* The numbers from flat position `from` on, moved to `to`. */
static void move_rest(struct values *values, size_t field, size_t from, size_t to)
{
    size_t total = values->start[values->count];
    if (total > from) {
        memmove(values->number + to, values->number + from,
                (total - from) * sizeof *values->number);
    }
    for (size_t i = field + 1; i <= values->count; i++) {
        values->start[i] = values->start[i] + to - from;
    }
}

double *values_insert(struct values *values, size_t field, size_t at, size_t count)
{
    size_t place = values->start[field] + at;
    reserve(values, values->start[values->count] + count);
    move_rest(values, field, place, place + count);
    return values->number + place;
}

void values_remove(struct values *values, size_t field, size_t at, size_t count)
{
    size_t place = values->start[field] + at;
    move_rest(values, field, place + count, place);
}

void values_copy(struct values *to, const struct values *from)
{
    if (to == from) {
        return;
    }
    size_t total = from->count == 0 ? 0 : from->start[from->count];
    reserve(to, total);
    to->count = from->count;
    memcpy(to->start, from->start, (from->count + 1) * sizeof *to->start);
    to->start[0] = 0;
    if (total > 0) {
        memcpy(to->number, from->number, total * sizeof *to->number);
    }
}
