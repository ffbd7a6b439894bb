#include "parser.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *target;
static uint64_t runs, judged;

/* As in target.c. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8";
}

static void print_counts(void)
{
    fprintf(stderr, "%s: %" PRIu64 " runs, %" PRIu64 " cases judged\n", target, runs, judged);
}

void parser_create(const char *name)
{
    target = name;
    progress_open();
    atexit(print_counts);
}

void parser_run(void)
{
    runs++;
    progress_count(runs, judged);
}

void parser_judged(void)
{
    judged++;
}

/* C's notation for what is no plain text. */
static void print_text(const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] >= ' ' && text[i] < 0x7f && text[i] != '\\') {
            fputc(text[i], stderr);
        } else {
            fprintf(stderr, "\\x%02x", text[i]);
        }
    }
    fputc('\n', stderr);
}

void parser_check(bool holds, const char *property, const void *text, size_t size,
                  void (*stop)(void))
{
    if (holds) {
        return;
    }
    fprintf(stderr, "%s: not so: %s\n", target, property);
    print_text(text, size);
    print_counts();
    stop();
    abort();
}

char *parser_copy(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        fprintf(stderr, "%s: out of memory\n", target);
        exit(3);
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

static bool takes_count(const char **next)
{
    size_t digits = strspn(*next, "0123456789");
    bool right = digits > 0 && **next != '0' && (*next)[digits] == ':';
    *next += digits + (right ? 1 : 0);
    return right;
}

bool parser_is_message(const char *message, const char *name)
{
    size_t length = strlen(name);
    const char *next = message + length + 1;
    if (strncmp(message, name, length) != 0 || message[length] != ':' || !takes_count(&next) ||
        !takes_count(&next) || *next != ' ' || next[1] == '\0') {
        return false;
    }
    for (; *next; next++) {
        if ((unsigned char)*next < ' ' || *next == 0x7f) {
            return false;
        }
    }
    return true;
}
