/* truelerp diff: what got worse, better, appeared and vanished between two accuracy reports or two
 * baselines. */
#include "baseline.h"
#include "gate_result.h"
#include "json_tree.h"
#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *paths[2];
    bool markdown;
};

/* A line of either kind of file. */
struct item {
    char set[16]; /* a baseline's, or "" */
    struct figures figures;
};

struct side {
    struct tree tree;
    bool is_baseline;
    struct baseline baseline;
    struct item *items;
    size_t item_count;
    char drawn[80]; /* how its cases were chosen */
    struct bound {
        char function[FIGURES_NAME];
        double K;
    } * bounds;
    size_t bound_count;
};

struct counts {
    size_t worse, better, other, appeared, vanished;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'm':
        request->markdown = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            argp_error(state, "two files at a time: '%s' is too much", argument);
        }
        request->paths[state->arg_num] = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->paths[1]) {
            argp_error(state, "which two files?");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* An accuracy report, as accuracy.schema.json describes it; what a comparison does not need is left
 * alone. */

static const struct node *wanted(struct tree *tree, const struct node *object, const char *key,
                                 enum node_type type)
{
    static const char *const names[] = {
        [NODE_NUMBER] = "a number",  [NODE_STRING] = "a text", [NODE_ARRAY] = "an array",
        [NODE_OBJECT] = "an object", [NODE_NULL] = "null",     [NODE_BOOLEAN] = "true or false"};
    const struct node *node = node_member(object, key);
    if (!node) {
        tree_complain(tree, object, "no \"%s\" here", key);
        return NULL;
    }
    if (node->type != type) {
        tree_complain(tree, node, "\"%s\" should be %s", key, names[type]);
        return NULL;
    }
    return node;
}

static bool read_name(struct tree *tree, const struct node *object, char name[FIGURES_NAME])
{
    const struct node *node = wanted(tree, object, "name", NODE_STRING);
    if (!node) {
        return false;
    }
    if (node->length == 0 || node->length >= FIGURES_NAME ||
        strspn(node->text, "abcdefghijklmnopqrstuvwxyz0123456789_") != node->length) {
        return tree_complain(tree, node, "\"name\" should be a word in small letters");
    }
    memcpy(name, node->text, node->length + 1);
    return true;
}

static bool read_count(struct tree *tree, const struct node *counts, const char *key,
                       uint64_t *count)
{
    const struct node *node = wanted(tree, counts, key, NODE_NUMBER);
    return node &&
           (node_count(node, count)
                ? true
                : tree_complain(tree, node, "\"%s\" should be a whole number up to 2^53", key));
}

/* null is the figure of nothing. */
static bool read_figure(struct tree *tree, const struct node *object, const char *key,
                        double *number)
{
    const struct node *node = node_member(object, key);
    if (!node) {
        return tree_complain(tree, object, "no \"%s\" here", key);
    }
    *number = NAN;
    if (node->type == NODE_NULL) {
        return true;
    }
    if (node_out_of_range(node)) {
        return tree_complain(tree, node, "\"%s\" is beyond the range of a double: %.*s", key,
                             (int)(node->length < 60 ? node->length : 60), node->text);
    }
    return node_number(node, number) && *number >= 0
               ? true
               : tree_complain(tree, node, "\"%s\" should be a number of at least 0, or null", key);
}

static bool read_counts(struct tree *tree, const struct node *domain, struct figures *figures)
{
    static const char *const findings[] = {"violation", "class_mismatch", "environment",
                                           "crash",     "timeout",        "fault"};
    const struct node *counts = wanted(tree, domain, "counts", NODE_OBJECT);
    if (!counts || !read_count(tree, counts, "cases", &figures->cases) ||
        !read_count(tree, counts, "compared", &figures->compared) ||
        !read_count(tree, counts, "measured", &figures->measured) ||
        !read_count(tree, counts, "undecided", &figures->undecided)) {
        return false;
    }
    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++) {
        uint64_t count;
        if (!read_count(tree, counts, findings[i], &count)) {
            return false;
        }
        figures->outside += count;
    }
    return true;
}

static bool read_domain(struct tree *tree, const struct node *domain, struct figures *figures)
{
    double misrounded;
    figures->line = domain->line;
    const struct node *errors;
    if (!read_name(tree, domain, figures->domain) || !read_counts(tree, domain, figures) ||
        !read_figure(tree, domain, "share_of_bound", &figures->share) ||
        !read_figure(tree, domain, "share_misrounded", &misrounded) ||
        !(errors = wanted(tree, domain, "error_scaled", NODE_OBJECT)) ||
        !read_figure(tree, errors, "max", &figures->max) ||
        !read_figure(tree, errors, "p99.9", &figures->high) ||
        !read_figure(tree, errors, "mean", &figures->mean)) {
        return false;
    }
    if (misrounded > 1) {
        return tree_complain(tree, domain, "\"share_misrounded\" cannot be above 1");
    }
    if (isnan(misrounded)) {
        figures->measured = 0;
    } else {
        figures->misrounded = (uint64_t)llround(misrounded * (double)figures->measured);
    }
    return true;
}

static const struct item *find_item(const struct side *side, const struct item *like)
{
    for (size_t i = 0; i < side->item_count; i++) {
        const struct item *item = &side->items[i];
        if (strcmp(item->set, like->set) == 0 &&
            strcmp(item->figures.function, like->figures.function) == 0 &&
            strcmp(item->figures.domain, like->figures.domain) == 0) {
            return item;
        }
    }
    return NULL;
}

enum { ITEMS_MOST = 10000 };

static bool add_item(struct side *side, const struct node *node, const struct item *item)
{
    const struct item *former = find_item(side, item);
    if (former) {
        return tree_complain(&side->tree, node, "%s, %s stands in line %zu already",
                             item->figures.function, item->figures.domain, former->figures.line);
    }
    if (side->item_count == ITEMS_MOST) {
        return tree_complain(&side->tree, node, "more than %d domains", ITEMS_MOST);
    }
    side->items = program_grown(side->items, side->item_count, sizeof *side->items);
    side->items[side->item_count++] = *item;
    return true;
}

static bool read_function(struct side *side, const struct node *function)
{
    struct bound bound;
    struct tree *tree = &side->tree;
    if (!read_name(tree, function, bound.function) || !read_figure(tree, function, "K", &bound.K)) {
        return false;
    }
    side->bounds = program_grown(side->bounds, side->bound_count, sizeof *side->bounds);
    side->bounds[side->bound_count++] = bound;
    const struct node *domains = wanted(tree, function, "domains", NODE_ARRAY);
    for (const struct node *node = domains ? domains->first : NULL; node; node = node->next) {
        struct item item = {.set = ""};
        memcpy(item.figures.function, bound.function, sizeof bound.function);
        if (!read_domain(tree, node, &item.figures) || !add_item(side, node, &item)) {
            return false;
        }
    }
    return domains != NULL;
}

static bool read_report(struct side *side)
{
    struct tree *tree = &side->tree;
    const struct node *seed = wanted(tree, tree->root, "seed", NODE_NUMBER);
    const struct node *samples = seed ? wanted(tree, tree->root, "samples", NODE_NUMBER) : NULL;
    const struct node *functions =
        samples ? wanted(tree, tree->root, "functions", NODE_ARRAY) : NULL;
    if (!functions) {
        return false;
    }
    snprintf(side->drawn, sizeof side->drawn, "%.*s samples, seed %.*s",
             (int)(samples->length < 20 ? samples->length : 20), samples->text,
             (int)(seed->length < 20 ? seed->length : 20), seed->text);
    for (const struct node *node = functions->first; node; node = node->next) {
        if (!read_function(side, node)) {
            return false;
        }
    }
    return true;
}

/* A baseline. */

static bool read_baseline(struct side *side)
{
    if (!baseline_of(&side->baseline, &side->tree)) {
        return false;
    }
    const struct baseline *baseline = &side->baseline;
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        for (size_t i = 0; i < baseline->figure_count[set]; i++) {
            struct item item = {.figures = baseline->figures[set][i]};
            snprintf(item.set, sizeof item.set, "%s", figure_set_name(set));
            side->items = program_grown(side->items, side->item_count, sizeof *side->items);
            side->items[side->item_count++] = item;
        }
    }
    snprintf(side->drawn, sizeof side->drawn, "%" PRIu64 " and %" PRIu64 " samples, seed %" PRIu64,
             baseline->samples[SET_FULL], baseline->samples[SET_QUICK], baseline->seed);
    return true;
}

static bool read_side(struct side *side, const char *path)
{
    if (!tree_read(&side->tree, path)) {
        return false;
    }
    const struct node *schema = node_member(side->tree.root, "schema");
    side->is_baseline = node_is(schema, baseline_schema);
    if (side->is_baseline) {
        return read_baseline(side);
    }
    if (!node_is(schema, "truelerp-accuracy-1")) {
        return tree_complain(&side->tree, schema ? schema : side->tree.root,
                             "neither an accuracy report (\"schema\": \"truelerp-accuracy-1\") nor "
                             "a baseline (\"%s\") that this program knows",
                             baseline_schema);
    }
    return read_report(side);
}

/* Comparing. */

static void count_change(struct counts *counts, enum change change)
{
    counts->worse += change == CHANGE_WORSE;
    counts->better += change == CHANGE_BETTER;
    counts->other += change == CHANGE_OTHER;
}

static void tell_place(const struct request *request, const struct item *item)
{
    printf(request->markdown ? "- **%s, %s**%s%s" : "%s, %s%s%s", item->figures.function,
           item->figures.domain, *item->set ? ", " : "", item->set);
}

/* As `truelerp gate` does: a figure a line for eyes, all in one item of a Markdown list. */
static void tell_differences(const struct request *request, const struct item *item,
                             const struct difference *differences, size_t count)
{
    tell_place(request, item);
    if (!request->markdown) {
        printf(": %s\n", change_name(differences_worst(differences, count)));
    }
    for (size_t i = 0; i < count; i++) {
        if (request->markdown) {
            fputs(i > 0 ? ", " : ": ", stdout);
            gate_write_difference(stdout, &differences[i]);
        } else {
            gate_print_difference(stdout, &differences[i]);
        }
    }
    if (request->markdown) {
        putchar('\n');
    }
}

/* Returns how many stand in both. */
static size_t compare_items(const struct request *request, const struct side *before,
                            const struct side *now, struct counts *counts)
{
    size_t compared = 0;
    for (size_t i = 0; i < now->item_count; i++) {
        const struct item *item = &now->items[i];
        const struct item *former = find_item(before, item);
        struct difference differences[DIFFERENCES_MAX];
        compared += former != NULL;
        if (!former) {
            tell_place(request, item);
            puts(": appeared");
            counts->appeared++;
            continue;
        }
        size_t count = figures_compare(&former->figures, &item->figures, differences);
        if (count > 0) {
            tell_differences(request, item, differences, count);
            count_change(counts, differences_worst(differences, count));
        }
    }
    for (size_t i = 0; i < before->item_count; i++) {
        if (!find_item(now, &before->items[i])) {
            tell_place(request, &before->items[i]);
            puts(": vanished");
            counts->vanished++;
        }
    }
    return compared;
}

/* Where nothing stands beside it, compare_items has said so. */
static void compare_bounds(const struct side *before, const struct side *now, struct counts *counts)
{
    for (size_t i = 0; i < now->bound_count; i++) {
        for (size_t k = 0; k < before->bound_count; k++) {
            const struct bound *bound = &now->bounds[i], *former = &before->bounds[k];
            enum change change = change_of(former->K, bound->K);
            if (strcmp(bound->function, former->function) == 0 && change != CHANGE_NONE) {
                printf("%s: bound %g -> %g (%s)\n", bound->function, former->K, bound->K,
                       change_name(change));
                count_change(counts, change);
            }
        }
    }
}

/* Instructions; another build's counts are neither better nor worse. */
static void compare_costs(const struct side *before, const struct side *now, struct counts *counts)
{
    for (size_t i = 0; i < now->baseline.cost_count; i++) {
        const struct cost *cost = &now->baseline.costs[i];
        const struct cost *former = baseline_cost(&before->baseline, cost->build, cost->function);
        if (!former) {
            printf("%s, instructions of %s: appeared\n", cost->function, cost->build);
            counts->appeared++;
            continue;
        }
        double old = (double)former->instructions / (double)former->cases;
        double new = (double)cost->instructions / (double)cost->cases;
        enum change change = change_of(old, new);
        if (change != CHANGE_NONE) {
            printf("%s, instructions of %s: %.1f -> %.1f a call (%s)\n", cost->function,
                   cost->build, old, new, change_name(change));
            count_change(counts, change);
        }
    }
    for (size_t i = 0; i < before->baseline.cost_count; i++) {
        const struct cost *former = &before->baseline.costs[i];
        if (!baseline_cost(&now->baseline, former->build, former->function)) {
            printf("%s, instructions of %s: vanished\n", former->function, former->build);
            counts->vanished++;
        }
    }
}

static enum exit_code compare(const struct request *request, const struct side sides[2])
{
    struct counts counts = {0};
    const struct side *before = &sides[0], *now = &sides[1];
    if (request->markdown) {
        puts("## What changed in accuracy\n");
    }
    if (strcmp(before->drawn, now->drawn) != 0) {
        printf("Not the same cases: %s before, %s now.\n%s", before->drawn, now->drawn,
               request->markdown ? "\n" : "");
    }
    compare_bounds(before, now, &counts);
    size_t compared = compare_items(request, before, now, &counts);
    compare_costs(before, now, &counts);
    if (request->markdown) {
        putchar('\n');
    }
    printf("%zu worse, %zu better, %zu otherwise changed, %zu appeared, %zu vanished; %zu domains "
           "compared\n",
           counts.worse, counts.better, counts.other, counts.appeared, counts.vanished, compared);
    return counts.worse + counts.vanished > 0 ? EXIT_FINDING : EXIT_WITHIN;
}

static enum exit_code run(const struct request *request, struct side sides[2])
{
    for (int i = 0; i < 2; i++) {
        if (!read_side(&sides[i], request->paths[i])) {
            complain("%s", sides[i].tree.message ? sides[i].tree.message : "not enough memory");
            return EXIT_USAGE;
        }
    }
    if (sides[0].is_baseline != sides[1].is_baseline) {
        complain("%s is a baseline and %s a report: they do not compare",
                 request->paths[sides[1].is_baseline], request->paths[sides[0].is_baseline]);
        return EXIT_USAGE;
    }
    for (int i = 0; i < 2; i++) {
        if (sides[i].item_count == 0) {
            complain("%s: there is nothing in it to compare", request->paths[i]);
            return EXIT_USAGE;
        }
    }
    return compare(request, sides);
}

int verb_diff(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"markdown", 'm', NULL, 0, "As Markdown, for release notes", 0}, {0}};
    static const struct argp argp = {
        options,
        parse,
        "BEFORE.json NOW.json",
        "Compares two accuracy.json of `truelerp report`, or two baselines of `truelerp gate`, "
        "line "
        "by line: what is worse, better, otherwise changed, what appeared and what vanished."
        "\vExit code 0: nothing is worse and nothing vanished; 1: something did; 2: wrong usage or "
        "an unreadable file. Figures of other cases than before, with another seed or number of "
        "samples, differ by chance: compare like with like.",
        NULL,
        NULL,
        NULL};
    struct request request = {0};
    program_parse(&argp, "diff", argc, argv, &request);
    if (program_environment() != EXIT_WITHIN) {
        return EXIT_UNTRUSTED;
    }
    struct side sides[2] = {{.is_baseline = false}};
    enum exit_code exit_code = run(&request, sides);
    for (int i = 0; i < 2; i++) {
        tree_free(&sides[i].tree);
        baseline_free(&sides[i].baseline);
        free(sides[i].items);
        free(sides[i].bounds);
    }
    return exit_code;
}
