/* The fuzz target of what the program reads as JSON: any text (reports/json_tree.h) and a baseline
 * (reports/baseline.h). What is read another reader must read as well, and a baseline must read
 * back as it is written; what is refused must be refused in one line that says where. */
#include "guide.h"
#include "parser.h"

#include "../reports/baseline.h"
#include "../reports/json_tree.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char name[] = "fuzz.json";

__attribute__((noinline)) static void json_bad_message(void)
{
    abort();
}

__attribute__((noinline)) static void json_others_refuse(void)
{
    abort();
}

__attribute__((noinline)) static void json_misplaced(void)
{
    abort();
}

__attribute__((noinline)) static void json_does_not_read_back(void)
{
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    parser_create("json");
    return 0;
}

/* json-c does not know the mark of UTF-8, which may come first, and goes on behind the first value,
 * which may be followed by white space alone. */
static bool others_read(const uint8_t *data, size_t size)
{
    size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    data += mark;
    size -= mark;
    struct json_tokener *tokener = json_tokener_new_ex(4096);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS |
                                        JSON_TOKENER_VALIDATE_UTF8);
    char *text = parser_copy(data, size); /* a number alone ends at a NUL only */
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)size + 1);
    bool read = json_tokener_get_error(tokener) == json_tokener_success;
    size_t end = json_tokener_get_parse_end(tokener);
    while (end < size && strchr(" \t\r\n", text[end])) {
        end++;
    }
    json_object_put(value);
    json_tokener_free(tokener);
    free(text);
    return read && end >= size;
}

/* Values lie behind one another, each in its object or array. */
static bool in_order(const struct node *node, size_t *count)
{
    size_t line = node->line, column = node->column;
    ++*count;
    for (const struct node *child = node->first; child; child = child->next) {
        if (child->line < line || (child->line == line && child->column <= column) ||
            !in_order(child, count)) {
            return false;
        }
        line = child->line;
        column = child->column;
    }
    return node->line > 0 && node->column > 0;
}

static char *written(struct baseline *baseline, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    baseline_write(stream, baseline);
    fclose(stream);
    return text;
}

static bool reads_back(struct baseline *baseline)
{
    struct baseline again;
    size_t size, size_again;
    char *text = written(baseline, &size);
    char *message = baseline_parse(&again, name, text, size);
    char *text_again = message ? NULL : written(&again, &size_again);
    bool same = text_again && size == size_again && memcmp(text, text_again, size) == 0;
    baseline_free(&again);
    free(text_again);
    free(message);
    free(text);
    return same;
}

static bool read_baseline(const uint8_t *data, size_t size)
{
    struct baseline baseline;
    char *message = baseline_parse(&baseline, name, data, size);
    if (message) {
        parser_check(parser_is_message(message, name), message, data, size, json_bad_message);
    } else {
        parser_check(reads_back(&baseline), "a baseline reads back as it is written", data, size,
                     json_does_not_read_back);
    }
    bool read = !message;
    free(message);
    baseline_free(&baseline);
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tree tree;
    size_t nodes = 0;
    parser_run();
    bool read = tree_parse(&tree, name, data, size);
    if (read) {
        parser_check(in_order(tree.root, &nodes) && nodes == tree.node_count,
                     "values lie behind one another", data, size, json_misplaced);
        parser_check(others_read(data, size), "what is read another reader reads", data, size,
                     json_others_refuse);
    } else {
        parser_check(parser_is_message(tree.message, name), tree.message, data, size,
                     json_bad_message);
    }
    tree_free(&tree);
    guide_show_kind((read ? 2 : 0) + (read_baseline(data, size) ? 1 : 0));
    parser_judged();
    return 0;
}
