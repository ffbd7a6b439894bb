#include "encode.h"

#include <string.h>

/* Lists: bytes below LONG_FROM stand for a length below SHORT_LENGTHS, so that random bytes make
 * short ones; one of the eight from there on stands before a length of two bytes. */
enum { SHORT_LENGTHS = 31, LONG_FROM = 248 };

struct reader {
    const uint8_t *data;
    size_t left;
};

/* One copy for as many numbers as there are: each costs as much as arithmetic with all of them,
 * since AddressSanitizer looks at both sides. */
static void take(struct reader *reader, void *to, size_t count)
{
    size_t present = count < reader->left ? count : reader->left;
    if (present > 0) {
        memcpy(to, reader->data, present);
        reader->data += present;
        reader->left -= present;
    }
    if (present < count) {
        memset((uint8_t *)to + present, 0, count - present);
    }
}

static uint8_t take_byte(struct reader *reader)
{
    if (reader->left == 0) {
        return 0;
    }
    reader->left--;
    return *reader->data++;
}

/* A long list is no longer than the bytes behind it can fill: what costs time is to be paid for in
 * bytes, which engines keep few. */
static size_t take_list_length(struct reader *reader)
{
    uint8_t byte = take_byte(reader);
    if (byte < LONG_FROM) {
        return byte % SHORT_LENGTHS;
    }
    size_t length = (size_t)take_byte(reader) << 8;
    length |= take_byte(reader);
    size_t most = (reader->left + sizeof(double) - 1) / sizeof(double);
    return length < most ? length : most;
}

static size_t like_length(const struct field *field, const struct values *inputs)
{
    return field->length == LENGTH_ANY ? 0 : values_length(inputs, field->like);
}

/* A length that the field may have beside those before it. */
static size_t take_length(struct reader *reader, const struct field *field,
                          const struct values *inputs)
{
    if (field->kind == FIELD_NUMBER) {
        return 1;
    }
    size_t like = like_length(field, inputs);
    if (field->kind == FIELD_OPTIONAL) {
        return take_byte(reader) & 1;
    }
    switch (field->length) {
    case LENGTH_ANY:
        return take_list_length(reader);
    case LENGTH_EQUAL:
        return like;
    case LENGTH_EQUAL_OR_EMPTY:
        return take_byte(reader) & 1 ? like : 0;
    case LENGTH_MULTIPLE: { /* one channel most often */
        uint8_t byte = take_byte(reader);
        return like * (byte < 128 ? 1 : byte % (CHANNELS_MAX + 1u));
    }
    }
    return 0;
}

static void take_numbers(struct reader *reader, const struct field *field, double *number,
                         size_t count)
{
    if (!field->choices) {
        take(reader, number, count * sizeof *number);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        number[k] = (double)(take_byte(reader) % field_choice_count(field));
    }
}

/* How many fields from `first` on are one number each that is no choice. */
static size_t count_plain(const struct function *function, size_t first)
{
    size_t end = first;
    while (end < function->input_count && function->inputs[end].kind == FIELD_NUMBER &&
           !function->inputs[end].choices) {
        end++;
    }
    return end - first;
}

void decode_case(const struct function *function, const uint8_t *data, size_t size,
                 struct values *inputs)
{
    struct reader reader = {data, size};
    values_clear(inputs);
    for (size_t i = 0; i < function->input_count;) {
        size_t plain = count_plain(function, i);
        if (plain > 0) {
            take(&reader, values_append_numbers(inputs, plain), plain * sizeof(double));
            i += plain;
            continue;
        }
        const struct field *field = &function->inputs[i++];
        size_t length = take_length(&reader, field, inputs);
        take_numbers(&reader, field, values_append(inputs, length), length);
    }
}

struct writer {
    uint8_t *data;
    size_t used, most;
    bool fits;
};

static void put(struct writer *writer, const void *from, size_t count)
{
    writer->fits = writer->fits && count <= writer->most - writer->used;
    if (writer->fits && count > 0) {
        memcpy(writer->data + writer->used, from, count);
        writer->used += count;
    }
}

static void put_byte(struct writer *writer, size_t byte)
{
    uint8_t narrow = (uint8_t)byte;
    put(writer, &narrow, 1);
}

static void put_list_length(struct writer *writer, size_t length)
{
    writer->fits = writer->fits && length <= LIST_MOST;
    if (length < SHORT_LENGTHS) {
        put_byte(writer, length);
    } else {
        put_byte(writer, LONG_FROM);
        put_byte(writer, length >> 8 & 255);
        put_byte(writer, length & 255);
    }
}

/* The least byte that take_length reads as so many channels. */
static size_t channels_byte(size_t channels)
{
    size_t radix = CHANNELS_MAX + 1;
    return channels == 1 ? 0 : 128 + (channels + radix - 128 % radix) % radix;
}

static void put_length(struct writer *writer, const struct field *field,
                       const struct values *inputs, size_t i)
{
    size_t length = values_length(inputs, i), like = like_length(field, inputs);
    if (field->kind == FIELD_OPTIONAL) {
        put_byte(writer, length);
    } else if (field->kind == FIELD_LIST) {
        switch (field->length) {
        case LENGTH_ANY:
            put_list_length(writer, length);
            return;
        case LENGTH_EQUAL:
            return;
        case LENGTH_EQUAL_OR_EMPTY:
            put_byte(writer, length > 0);
            return;
        case LENGTH_MULTIPLE:
            put_byte(writer, channels_byte(like > 0 ? length / like : 1));
        }
    }
}

size_t encode_case(const struct function *function, const struct values *inputs, uint8_t *data,
                   size_t most)
{
    struct writer writer = {.data = data, .most = most, .fits = true};
    for (size_t i = 0; i < function->input_count; i++) {
        const struct field *field = &function->inputs[i];
        put_length(&writer, field, inputs, i);
        for (size_t k = 0; k < values_length(inputs, i); k++) {
            if (field->choices) {
                put_byte(&writer, (size_t)values_field(inputs, i)[k]);
            } else {
                put(&writer, &values_field(inputs, i)[k], sizeof(double));
            }
        }
    }
    return writer.fits ? writer.used : 0;
}
