#include "json_tree.h"
#include "program.h"

#include "../corpus/number.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above what this program writes. */
enum { SIZE_MOST = 1 << 28, NODES_MOST = 1 << 22, DEPTH_MOST = 32, MEMBERS_MOST = 256 };

enum { BLOCK_NODES = 1024 };

struct node_block {
    struct node_block *next;
    struct node nodes[BLOCK_NODES];
};

struct parser {
    struct tree *tree;
    char *at;
    const char *end;
    const char *line_start;
    size_t line;
    int depth;
};

/* Messages stay one line and say nothing to a terminal, whatever texts of the file they quote. */
static void hide_controls(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7F) {
            *text = '?';
        }
    }
}

static void set_message(struct tree *tree, size_t line, size_t column, const char *format,
                        va_list arguments)
{
    char *what = NULL;
    if (vasprintf(&what, format, arguments) < 0) {
        what = NULL;
    }
    if (what) {
        hide_controls(what);
    }
    free(tree->message);
    if (asprintf(&tree->message, "%s:%zu:%zu: %s", tree->name, line, column,
                 what ? what : "cannot be read") < 0) {
        tree->message = NULL;
    }
    free(what);
}

__attribute__((format(printf, 2, 3))) static bool fail(struct parser *parser, const char *format,
                                                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(parser->tree, parser->line, (size_t)(parser->at - parser->line_start) + 1, format,
                arguments);
    va_end(arguments);
    return false;
}

bool tree_complain(struct tree *tree, const struct node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(tree, node->line, node->column, format, arguments);
    va_end(arguments);
    return false;
}

static struct node *new_node(struct parser *parser)
{
    struct tree *tree = parser->tree;
    if (tree->node_count == NODES_MOST) {
        fail(parser, "too many values");
        return NULL;
    }
    if (tree->node_count % BLOCK_NODES == 0) {
        struct node_block *block = malloc(sizeof *block);
        if (!block) {
            fail(parser, "not enough memory");
            return NULL;
        }
        block->next = tree->blocks;
        tree->blocks = block;
    }
    struct node *node = &tree->blocks->nodes[tree->node_count++ % BLOCK_NODES];
    *node = (struct node){.line = parser->line,
                          .column = (size_t)(parser->at - parser->line_start) + 1};
    return node;
}

static void skip_space(struct parser *parser)
{
    for (; parser->at < parser->end && strchr(" \t\r\n", *parser->at) && *parser->at;
         parser->at++) {
        if (*parser->at == '\n') {
            parser->line++;
            parser->line_start = parser->at + 1;
        }
    }
}

/* "'x'", "byte 0x1b" or "the end of the file" */
static const char *here(const struct parser *parser, char text[32])
{
    if (parser->at >= parser->end) {
        return "the end of the file";
    }
    unsigned char byte = (unsigned char)*parser->at;
    snprintf(text, 32, byte > 32 && byte < 127 ? "'%c'" : "byte 0x%02x", byte);
    return text;
}

static bool expect(struct parser *parser, char wanted)
{
    char text[32];
    skip_space(parser);
    if (parser->at == parser->end || *parser->at != wanted) {
        return fail(parser, "'%c' should stand here, not %s", wanted, here(parser, text));
    }
    parser->at++;
    return true;
}

/* Strings, turned into what they mean where they stand: that is never longer. */

static bool read_hex(struct parser *parser, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, parser->at++) {
        char c = parser->at < parser->end ? *parser->at : '\0';
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit) {
            return fail(parser, "\\u wants four hexadecimal digits");
        }
        *code = *code * 16 + (unsigned)(digit - digits) % 16;
    }
    return true;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

static bool read_unicode(struct parser *parser, char **to)
{
    unsigned code, low;
    if (!read_hex(parser, &code)) {
        return false;
    }
    if (code >= 0xD800 && code < 0xDC00) {
        if (parser->end - parser->at < 6 || parser->at[0] != '\\' || parser->at[1] != 'u') {
            return fail(parser, "half of a surrogate pair");
        }
        parser->at += 2;
        if (!read_hex(parser, &low)) {
            return false;
        }
        if (low < 0xDC00 || low > 0xDFFF) {
            return fail(parser, "half of a surrogate pair");
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code == 0 || (code >= 0xDC00 && code < 0xE000)) {
        return fail(parser, code == 0 ? "a NUL in a text" : "half of a surrogate pair");
    }
    *to = put_utf8(*to, code);
    return true;
}

static bool read_escape(struct parser *parser, char **to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char name = parser->at < parser->end ? *parser->at : '\0';
    const char *found = name ? strchr(names, name) : NULL;
    if (found) {
        *(*to)++ = meanings[found - names];
        parser->at++;
        return true;
    }
    if (name != 'u') {
        return fail(parser, "no such escape in a text");
    }
    parser->at++;
    return read_unicode(parser, to);
}

/* How many bytes the UTF-8 character at `at` has; 0 if there is none. */
static size_t character_length(const char *at, const char *end)
{
    const unsigned char *byte = (const unsigned char *)at;
    size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xE0 ? 2 : byte[0] < 0xF0 ? 3 : 4;
    /* no character of fewer bytes in more, no surrogate, none beyond the last */
    unsigned low = byte[0] == 0xE0 ? 0xA0 : byte[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = byte[0] == 0xED ? 0x9F : byte[0] == 0xF4 ? 0x8F : 0xBF;
    if ((byte[0] >= 0x80 && byte[0] < 0xC2) || byte[0] > 0xF4 || (size_t)(end - at) < length) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if (byte[i] < (i == 1 ? low : 0x80) || byte[i] > (i == 1 ? high : 0xBF)) {
            return 0;
        }
    }
    return length;
}

/* At the opening quote. */
static bool read_text(struct parser *parser, const char **text, size_t *length)
{
    char *to = ++parser->at;
    *text = to;
    while (true) {
        if (parser->at == parser->end) {
            return fail(parser, "the file ends within a text");
        }
        unsigned char c = (unsigned char)*parser->at;
        if (c < 0x20) {
            return fail(parser, "byte 0x%02x in a text", c);
        }
        size_t character = character_length(parser->at, parser->end);
        if (character == 0) {
            return fail(parser, "byte 0x%02x makes no UTF-8 character here", c);
        }
        if (c != '\\' && c != '"') {
            memmove(to, parser->at, character);
            to += character;
        }
        parser->at += character;
        if (c == '"') {
            break;
        }
        if (c == '\\' && !read_escape(parser, &to)) {
            return false;
        }
    }
    *length = (size_t)(to - *text);
    *to = '\0';
    return true;
}

/* Numbers: -? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][+-]?[0-9]+)? */

static size_t skip_digits(struct parser *parser)
{
    size_t count = 0;
    for (; parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9'; parser->at++) {
        count++;
    }
    return count;
}

static bool at_one_of(const struct parser *parser, const char *characters)
{
    return parser->at < parser->end && *parser->at && strchr(characters, *parser->at);
}

static bool read_number(struct parser *parser, struct node *node)
{
    char text[32];
    node->type = NODE_NUMBER;
    node->text = parser->at;
    parser->at += *parser->at == '-';
    bool zero = at_one_of(parser, "0");
    size_t digits = skip_digits(parser);
    bool good = zero ? digits == 1 : digits > 0;
    if (good && at_one_of(parser, ".")) {
        parser->at++;
        good = skip_digits(parser) > 0;
    }
    if (good && at_one_of(parser, "eE")) {
        parser->at++;
        parser->at += at_one_of(parser, "+-");
        good = skip_digits(parser) > 0;
    }
    node->length = (size_t)(parser->at - node->text);
    return good ? true : fail(parser, "no number that JSON knows, at %s", here(parser, text));
}

static bool read_word(struct parser *parser, struct node *node)
{
    static const struct {
        const char *word;
        enum node_type type;
        bool boolean;
    } words[] = {{"null", NODE_NULL, false},
                 {"true", NODE_BOOLEAN, true},
                 {"false", NODE_BOOLEAN, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(parser->end - parser->at) >= length &&
            memcmp(parser->at, words[i].word, length) == 0) {
            node->type = words[i].type;
            node->boolean = words[i].boolean;
            parser->at += length;
            return true;
        }
    }
    char text[32];
    return fail(parser, "a value should stand here, not %s", here(parser, text));
}

/* Arrays and objects. */

static bool read_value(struct parser *parser, const struct node **result, const char *key);

static bool read_member(struct parser *parser, struct node *object, const struct node **result)
{
    char text[32];
    skip_space(parser);
    if (!at_one_of(parser, "\"")) {
        return fail(parser, "a name in quotes should stand here, not %s", here(parser, text));
    }
    const char *start = parser->at, *key;
    size_t length;
    if (!read_text(parser, &key, &length)) {
        return false;
    }
    const struct node *former = node_member(object, key);
    if (former) {
        parser->at = (char *)start;
        return fail(parser, "\"%.60s\" stands twice; first in line %zu", key, former->line);
    }
    return expect(parser, ':') && read_value(parser, result, key);
}

static bool read_members(struct parser *parser, struct node *node, char close)
{
    const struct node *last = NULL;
    char text[32];
    size_t count = 0;
    parser->at++;
    skip_space(parser);
    while (!(count == 0 && parser->at < parser->end && *parser->at == close)) {
        const struct node *item = NULL;
        if (node->type == NODE_OBJECT && count == MEMBERS_MOST) {
            return fail(parser, "more than %d names in an object", MEMBERS_MOST);
        }
        if (!(node->type == NODE_OBJECT ? read_member(parser, node, &item)
                                        : read_value(parser, &item, NULL))) {
            return false;
        }
        if (last) {
            ((struct node *)last)->next = item;
        } else {
            node->first = item;
        }
        last = item;
        count++;
        skip_space(parser);
        if (!at_one_of(parser, ",")) {
            break;
        }
        parser->at++;
    }
    if (parser->at == parser->end || *parser->at != close) {
        return fail(parser, "',' or '%c' should stand here, not %s", close, here(parser, text));
    }
    parser->at++;
    return true;
}

static bool read_value(struct parser *parser, const struct node **result, const char *key)
{
    skip_space(parser);
    struct node *node = new_node(parser);
    if (!node) {
        return false;
    }
    *result = node;
    node->key = key;
    char first = parser->at < parser->end ? *parser->at : '\0';
    if (first == '"') {
        node->type = NODE_STRING;
        return read_text(parser, &node->text, &node->length);
    }
    if (first == '-' || (first >= '0' && first <= '9')) {
        return read_number(parser, node);
    }
    if (first != '[' && first != '{') {
        return read_word(parser, node);
    }
    if (parser->depth == DEPTH_MOST) {
        return fail(parser, "nested more than %d deep", DEPTH_MOST);
    }
    parser->depth++;
    node->type = first == '[' ? NODE_ARRAY : NODE_OBJECT;
    bool good = read_members(parser, node, first == '[' ? ']' : '}');
    parser->depth--;
    return good;
}

static bool parse(struct tree *tree, size_t size)
{
    char text[32];
    /* editors of some systems begin a file with it; RFC 8259 lets a reader ignore it */
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    bool marked = strncmp(tree->bytes, byte_order_mark, strlen(byte_order_mark)) == 0;
    char *start = tree->bytes + (marked ? strlen(byte_order_mark) : 0);
    struct parser parser = {
        .tree = tree, .at = start, .end = tree->bytes + size, .line_start = start, .line = 1};
    if (!read_value(&parser, &tree->root, NULL)) {
        return false;
    }
    skip_space(&parser);
    if (parser.at < parser.end) {
        return fail(&parser, "the file should end here, not go on with %s", here(&parser, text));
    }
    return true;
}

bool tree_parse(struct tree *tree, const char *name, const void *bytes, size_t size)
{
    *tree = (struct tree){.name = strdup(name), .bytes = malloc(size + 1)};
    if (!tree->name || !tree->bytes) {
        return false;
    }
    memcpy(tree->bytes, bytes, size);
    tree->bytes[size] = '\0';
    return parse(tree, size);
}

static bool refuse_file(struct tree *tree, const char *what)
{
    if (asprintf(&tree->message, "%s: %s", tree->name, what) < 0) {
        tree->message = NULL;
    }
    return false;
}

/* The whole file, however it comes: a pipe has no size. */
static bool slurp(struct tree *tree, FILE *stream, size_t *size)
{
    size_t capacity = 0;
    *size = 0;
    while (true) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *bytes = capacity <= SIZE_MOST ? realloc(tree->bytes, capacity + 1) : NULL;
            if (!bytes) {
                return refuse_file(tree, "too large to be what it should be");
            }
            tree->bytes = bytes;
        }
        size_t got = fread(tree->bytes + *size, 1, capacity - *size, stream);
        *size += got;
        if (got == 0) {
            break;
        }
    }
    tree->bytes[*size] = '\0';
    return ferror(stream) ? refuse_file(tree, strerror(errno)) : true;
}

bool tree_read(struct tree *tree, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    *tree = (struct tree){.name = strdup(standard ? "standard input" : path_shown(path))};
    if (!tree->name) {
        return false;
    }
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) {
        char text[200];
        snprintf(text, sizeof text, "cannot be read: %s", strerror(errno));
        return refuse_file(tree, text);
    }
    size_t size;
    bool good = slurp(tree, stream, &size);
    if (!standard) {
        fclose(stream);
    }
    return good && parse(tree, size);
}

void tree_free(struct tree *tree)
{
    while (tree->blocks) {
        struct node_block *next = tree->blocks->next;
        free(tree->blocks);
        tree->blocks = next;
    }
    free(tree->bytes);
    free(tree->name);
    free(tree->message);
    *tree = (struct tree){0};
}

const struct node *node_member(const struct node *object, const char *key)
{
    if (object->type != NODE_OBJECT) {
        return NULL;
    }
    const struct node *member = object->first;
    while (member && strcmp(member->key, key) != 0) {
        member = member->next;
    }
    return member;
}

bool node_is(const struct node *node, const char *text)
{
    return node && node->type == NODE_STRING && strcmp(node->text, text) == 0;
}

bool node_count(const struct node *node, uint64_t *number)
{
    if (!node || node->type != NODE_NUMBER || node->length > 16) {
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < node->length; i++) {
        if (node->text[i] < '0' || node->text[i] > '9') {
            return false;
        }
        *number = 10 * *number + (uint64_t)(node->text[i] - '0');
    }
    return *number <= UINT64_C(1) << 53;
}

bool node_out_of_range(const struct node *node)
{
    double number;
    if (!node || (node->type != NODE_NUMBER && node->type != NODE_STRING)) {
        return false;
    }
    enum number_status status = number_parse(node->text, node->length, &number);
    return status == NUMBER_TOO_LARGE || status == NUMBER_TOO_SMALL;
}

bool node_number(const struct node *node, double *number)
{
    return node && node->type == NODE_NUMBER && number_read(node->text, node->length, number) &&
           isfinite(*number);
}
