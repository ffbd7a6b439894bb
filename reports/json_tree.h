/* Reads JSON that others wrote: strictly as RFC 8259 has it, with the place of every value.
 *
 * Files come from anywhere, so what most readers let pass is an error here: a name that stands
 * twice in an object, NaN and infinities, comments, text behind the end, nesting without end. */
#ifndef TRUELERP_REPORTS_JSON_TREE_H
#define TRUELERP_REPORTS_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_type { NODE_NULL, NODE_BOOLEAN, NODE_NUMBER, NODE_STRING, NODE_ARRAY, NODE_OBJECT };

struct node {
    enum node_type type;
    size_t line, column; /* from 1 */
    const char *key;     /* of an object's member, else NULL */
    const char *text;    /* a string's, without NUL bytes in it; a number's as it stands */
    size_t length;       /* of the text */
    bool boolean;
    const struct node *first; /* of an array's or object's, in order */
    const struct node *next;  /* behind this one */
};

struct tree {
    char *name;  /* what messages call the file */
    char *bytes; /* the nodes' texts lie here */
    struct node_block *blocks;
    size_t node_count;
    const struct node *root;
    char *message; /* "FILE:LINE:COLUMN: what is wrong" after a failure */
};

/* Both return whether it could be read; if not, `message` tells why. tree_free may follow anyway.
 */
bool tree_read(struct tree *tree, const char *path);
bool tree_parse(struct tree *tree, const char *name, const void *bytes, size_t size);
void tree_free(struct tree *tree);

/* Sets the message, placed at a node, and returns false. */
bool tree_complain(struct tree *tree, const struct node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An object's member of that name, or NULL. */
const struct node *node_member(const struct node *object, const char *key);

/* Whether the node is a string of exactly this text. */
bool node_is(const struct node *node, const char *text);

/* Whether the node is a whole number from 0 to 2^53, written with digits alone; sets *number. */
bool node_count(const struct node *node, uint64_t *number);

/* Whether the node is a number, or a text that is one, too large or too small for a double. */
bool node_out_of_range(const struct node *node);

/* Whether the node is a number that a finite double can stand for; sets *number. */
bool node_number(const struct node *node, double *number);

#endif
