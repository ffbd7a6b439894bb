/* JSON values as this program writes them. */
#ifndef TRUELERP_REPORTS_JSON_H
#define TRUELERP_REPORTS_JSON_H

#include "../corpus/draw.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The shortest decimal that reads back; null if it is NaN or infinite, which JSON cannot say. */
struct json_object *json_number(double number);
struct json_object *json_count(uint64_t count);

/* Bytes that are no UTF-8 become U+FFFD. */
struct json_object *json_text(const char *text);

/* An array that stays on one line when all around it is spread over lines. */
struct json_object *json_line_array(void);

void json_add(struct json_object *object, const char *key, struct json_object *value);

/* Spread over lines with a newline at the end, or without any white space. */
void json_write(FILE *stream, struct json_object *value, bool spread);

/* How a function's bound is stated: "|result - F| <= 12 u S + 2^-1074". */
void function_bound(const struct function *function, char *text, size_t size);

/* Adds what the catalogue says of a function: name, family, summary, formula, ... */
void json_add_function(struct json_object *object, const struct function *function);

/* An array: name, summary, typical, hardest. */
struct json_object *json_domains(const struct domains *domains);

#endif
