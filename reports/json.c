#include "json.h"

#include "../corpus/number.h"

#include <math.h>
#include <string.h>

struct json_object *json_number(double number)
{
    if (!isfinite(number)) {
        return NULL;
    }
    char text[NUMBER_TEXT];
    number_write(number, text);
    return json_object_new_double_s(number, text);
}

struct json_object *json_count(uint64_t count)
{
    return json_object_new_uint64(count);
}

/* The length of the UTF-8 character at `text`, 0 if there is none: RFC 3629, section 4. */
static size_t character_length(const unsigned char *text)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } forms[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    if (text[0] < 0x80) {
        return 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] >= forms[i].first_low && text[0] <= forms[i].first_high &&
            text[1] >= forms[i].second_low && text[1] <= forms[i].second_high) {
            size_t length = 2;
            while (length < forms[i].length && text[length] >> 6 == 2) {
                length++;
            }
            return length == forms[i].length ? length : 0;
        }
    }
    return 0;
}

struct json_object *json_text(const char *text)
{
    char *valid = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&valid, &size);
    while (*text) {
        size_t length = character_length((const unsigned char *)text);
        if (length > 0) {
            fwrite(text, 1, length, stream);
        } else {
            fputs("\xEF\xBF\xBD", stream);
        }
        text += length > 0 ? length : 1;
    }
    fclose(stream);
    struct json_object *object = json_object_new_string_len(valid, (int)size);
    free(valid);
    return object;
}

static int write_on_a_line(struct json_object *array, struct printbuf *buffer, int level, int flags)
{
    (void)level;
    (void)flags;
    printbuf_strappend(buffer, "[");
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        struct json_object *element = json_object_array_get_idx(array, i);
        const char *text =
            element ? json_object_to_json_string_ext(element, JSON_C_TO_STRING_PLAIN) : "null";
        if (i > 0) {
            printbuf_strappend(buffer, ",");
        }
        printbuf_memappend(buffer, text, (int)strlen(text));
    }
    return printbuf_strappend(buffer, "]");
}

struct json_object *json_line_array(void)
{
    struct json_object *array = json_object_new_array();
    json_object_set_serializer(array, write_on_a_line, NULL, NULL);
    return array;
}

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
    json_object_object_add(object, key, value);
}

void json_write(FILE *stream, struct json_object *value, bool spread)
{
    int flags = JSON_C_TO_STRING_NOSLASHESCAPE;
    flags |= spread ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : JSON_C_TO_STRING_PLAIN;
    fputs(json_object_to_json_string_ext(value, flags), stream);
    if (spread) {
        fputc('\n', stream);
    }
}

/* The catalogue. */

void function_bound(const struct function *function, char *text, size_t size)
{
    if (function->bound) {
        snprintf(text, size, "%s", function->bound);
        return;
    }
    switch (function->measure) {
    case MEASURE_SCALED:
        snprintf(text, size, "|result - F| <= %g u S + 2^-1074", function->K);
        return;
    case MEASURE_VECTOR:
        snprintf(text, size, "|result - F| <= %g u S + sqrt(%zu) 2^-1074", function->K,
                 function->output_count);
        if (function->length_K != 0) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "; ||result| - |F|| <= %g u |F| + sqrt(%zu) 2^-1074",
                     function->length_K, function->output_count);
        }
        return;
    case MEASURE_ULPS:
        snprintf(text, size, "|result - F| <= %g ulp(F)", function->K);
        return;
    case MEASURE_ROUNDED:
        snprintf(text, size, "result = F rounded to nearest, ties to even");
        return;
    case MEASURE_OWN:
        snprintf(text, size, "error <= %g u S", function->K);
    }
}

static struct json_object *json_choices(const char *const *choices)
{
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; choices[i]; i++) {
        json_object_array_add(array, json_text(choices[i]));
    }
    return array;
}

static struct json_object *json_fields(const struct field *fields, size_t count)
{
    static const char *const lengths[] = {[LENGTH_EQUAL] = "equal",
                                          [LENGTH_EQUAL_OR_EMPTY] = "equal or empty",
                                          [LENGTH_MULTIPLE] = "multiple"};
    static const char *const kinds[] = {
        [FIELD_NUMBER] = "number", [FIELD_OPTIONAL] = "optional", [FIELD_LIST] = "list"};
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        struct json_object *object = json_object_new_object();
        json_add(object, "name", json_text(fields[i].name));
        json_add(object, "kind", json_text(kinds[fields[i].kind]));
        if (fields[i].choices) {
            json_add(object, "choices", json_choices(fields[i].choices));
        }
        if (fields[i].length != LENGTH_ANY) {
            json_add(object, "length", json_text(lengths[fields[i].length]));
            json_add(object, "like", json_text(fields[fields[i].like].name));
        }
        json_add(object, "unit", json_text(fields[i].unit));
        json_add(object, "meaning", json_text(fields[i].meaning));
        json_object_array_add(array, object);
    }
    return array;
}

void json_add_function(struct json_object *object, const struct function *function)
{
    static const char *const measures[] = {[MEASURE_SCALED] = "scaled",
                                           [MEASURE_VECTOR] = "vector",
                                           [MEASURE_ULPS] = "ulps",
                                           [MEASURE_ROUNDED] = "rounded",
                                           [MEASURE_OWN] = "own"};
    char bound[256];
    function_bound(function, bound, sizeof bound);
    json_add(object, "name", json_text(function->name));
    json_add(object, "family", json_text(function->family));
    json_add(object, "summary", json_text(function->summary));
    json_add(object, "formula", json_text(function->formula));
    json_add(object, "scale", json_text(function->scale));
    json_add(object, "domain", json_text(function->domain));
    json_add(object, "measure", json_text(measures[function->measure]));
    json_add(object, "K", json_number(function->K));
    json_add(object, "bound", json_text(bound));
    json_add(object, "bound_varies", json_object_new_boolean(function->bound != NULL));
    if (function->figure) {
        json_add(object, "figure", json_text(function->figure));
    }
    json_add(object, "inputs", json_fields(function->inputs, function->input_count));
    json_add(object, "outputs", json_fields(function->outputs, function->output_count));
}

struct json_object *json_domains(const struct domains *domains)
{
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < domains->count; i++) {
        struct json_object *object = json_object_new_object();
        json_add(object, "name", json_text(domains->list[i].name));
        json_add(object, "summary", json_text(domains->list[i].summary));
        json_add(object, "typical", json_object_new_boolean(i == domains->typical));
        json_add(object, "hardest", json_object_new_boolean(i == domains->hardest));
        json_object_array_add(array, object);
    }
    return array;
}
