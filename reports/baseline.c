#include "baseline.h"

#include "program.h"

#include "../corpus/draw.h"
#include "../corpus/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char baseline_schema[] = "truelerp-baseline-1";
static const char schema_family[] = "truelerp-baseline-";

static const char *const set_names[SET_COUNT] = {
    [SET_STORED] = "stored", [SET_FULL] = "full", [SET_QUICK] = "quick", [SET_CLIMB] = "climb"};

const char *figure_set_name(enum figure_set set)
{
    return set_names[set];
}

/* Lists. */

void baseline_add_figures(struct baseline *baseline, enum figure_set set,
                          const struct figures *figures)
{
    size_t count = baseline->figure_count[set]++;
    baseline->figures[set] = program_grown(baseline->figures[set], count, sizeof *figures);
    baseline->figures[set][count] = *figures;
}

void baseline_add_cost(struct baseline *baseline, const struct cost *cost)
{
    baseline->costs = program_grown(baseline->costs, baseline->cost_count, sizeof *cost);
    baseline->costs[baseline->cost_count++] = *cost;
}

void baseline_forget_figures(struct baseline *baseline, const char *function)
{
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        struct baseline kept = {0};
        for (size_t i = 0; i < baseline->figure_count[set]; i++) {
            if (strcmp(baseline->figures[set][i].function, function) != 0) {
                baseline_add_figures(&kept, set, &baseline->figures[set][i]);
            }
        }
        free(baseline->figures[set]);
        baseline->figures[set] = kept.figures[set];
        baseline->figure_count[set] = kept.figure_count[set];
    }
}

void baseline_forget_cost(struct baseline *baseline, const char *build, const char *function)
{
    struct baseline kept = {0};
    for (size_t i = 0; i < baseline->cost_count; i++) {
        const struct cost *cost = &baseline->costs[i];
        if (strcmp(cost->build, build) != 0 || strcmp(cost->function, function) != 0) {
            baseline_add_cost(&kept, cost);
        }
    }
    free(baseline->costs);
    baseline->costs = kept.costs;
    baseline->cost_count = kept.cost_count;
}

void baseline_free(struct baseline *baseline)
{
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        free(baseline->figures[set]);
    }
    free(baseline->costs);
    *baseline = (struct baseline){0};
}

const struct figures *baseline_figures(const struct baseline *baseline, enum figure_set set,
                                       const char *function, const char *domain)
{
    for (size_t i = 0; i < baseline->figure_count[set]; i++) {
        const struct figures *figures = &baseline->figures[set][i];
        if (strcmp(figures->function, function) == 0 && strcmp(figures->domain, domain) == 0) {
            return figures;
        }
    }
    return NULL;
}

const struct cost *baseline_cost(const struct baseline *baseline, const char *build,
                                 const char *function)
{
    for (size_t i = 0; i < baseline->cost_count; i++) {
        const struct cost *cost = &baseline->costs[i];
        if (strcmp(cost->build, build) == 0 && strcmp(cost->function, function) == 0) {
            return cost;
        }
    }
    return NULL;
}

/* Writing. */

/* A name's place in the catalogue; behind it, what is unknown. */
static size_t function_place(const char *name)
{
    size_t i = 0;
    while (i < catalog_count && strcmp(catalog[i]->name, name) != 0) {
        i++;
    }
    return i;
}

static size_t domain_place(const char *function, const char *name)
{
    size_t place = function_place(function);
    if (place == catalog_count) {
        return SIZE_MAX;
    }
    const struct domains *domains = domains_of(catalog[place]);
    size_t i = 0;
    while (i < domains->count && strcmp(domains->list[i].name, name) != 0) {
        i++;
    }
    return i;
}

static int order(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_functions(const char *a, const char *b)
{
    int by_place = order(function_place(a), function_place(b));
    return by_place ? by_place : strcmp(a, b);
}

static int compare_figures(const void *left, const void *right)
{
    const struct figures *a = left, *b = right;
    int result = compare_functions(a->function, b->function);
    if (result == 0) {
        result = order(domain_place(a->function, a->domain), domain_place(b->function, b->domain));
    }
    return result ? result : strcmp(a->domain, b->domain);
}

static int compare_costs(const void *left, const void *right)
{
    const struct cost *a = left, *b = right;
    int result = strcmp(a->build, b->build);
    return result ? result : compare_functions(a->function, b->function);
}

static void write_figure(FILE *stream, const char *name, double number)
{
    char text[NUMBER_TEXT];
    if (isnan(number)) {
        fprintf(stream, ", \"%s\": null", name);
        return;
    }
    number_write_hex(number, text);
    fprintf(stream, ", \"%s\": \"%s\"", name, text);
}

static void write_figures(FILE *stream, const struct figures *figures)
{
    fprintf(stream,
            "    {\"function\": \"%s\", \"domain\": \"%s\", \"cases\": %" PRIu64
            ", \"compared\": %" PRIu64 ", \"undecided\": %" PRIu64,
            figures->function, figures->domain, figures->cases, figures->compared,
            figures->undecided);
    write_figure(stream, "max", figures->max);
    write_figure(stream, "p99.9", figures->high);
    write_figure(stream, "mean", figures->mean);
    write_figure(stream, "share", figures->share);
    fprintf(stream,
            ", \"measured\": %" PRIu64 ", \"misrounded\": %" PRIu64 ", \"inputs\": \"%016" PRIx64
            "\", \"results\": \"%016" PRIx64 "\"}",
            figures->measured, figures->misrounded, figures->inputs, figures->results);
}

static void write_set(FILE *stream, const struct baseline *baseline, enum figure_set set)
{
    fprintf(stream, "  \"%s\": [", set_names[set]);
    for (size_t i = 0; i < baseline->figure_count[set]; i++) {
        fputs(i > 0 ? ",\n" : "\n", stream);
        write_figures(stream, &baseline->figures[set][i]);
    }
    fputs(baseline->figure_count[set] > 0 ? "\n  ],\n" : "],\n", stream);
}

static void write_costs(FILE *stream, const struct baseline *baseline)
{
    fputs("  \"costs\": [", stream);
    for (size_t i = 0; i < baseline->cost_count; i++) {
        const struct cost *cost = &baseline->costs[i];
        fprintf(stream,
                "%s    {\"build\": \"%s\", \"function\": \"%s\", \"cases\": %" PRIu64
                ", \"instructions\": %" PRIu64 "}",
                i > 0 ? ",\n" : "\n", cost->build, cost->function, cost->cases, cost->instructions);
    }
    fputs(baseline->cost_count > 0 ? "\n  ]\n" : "]\n", stream);
}

void baseline_write(FILE *stream, struct baseline *baseline)
{
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        if (baseline->figure_count[set] > 0) {
            qsort(baseline->figures[set], baseline->figure_count[set],
                  sizeof *baseline->figures[set], compare_figures);
        }
    }
    if (baseline->cost_count > 0) {
        qsort(baseline->costs, baseline->cost_count, sizeof *baseline->costs, compare_costs);
    }
    fprintf(stream,
            "{\n  \"schema\": \"%s\",\n  \"implementation\": \"%s\",\n  \"seed\": %" PRIu64
            ",\n  \"samples\": {\"full\": %" PRIu64 ", \"quick\": %" PRIu64 "},\n",
            baseline_schema, baseline->implementation, baseline->seed, baseline->samples[SET_FULL],
            baseline->samples[SET_QUICK]);
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        write_set(stream, baseline, set);
    }
    write_costs(stream, baseline);
    fputs("}\n", stream);
}

/* Reading. Everything is checked: a baseline that cannot be right would let anything pass. */

struct reading {
    struct tree *tree;
    struct baseline *baseline;
};

static const struct node *wanted(struct reading *reading, const struct node *object,
                                 const char *key)
{
    const struct node *node = node_member(object, key);
    if (!node) {
        tree_complain(reading->tree, object, "no \"%s\" here", key);
    }
    return node;
}

static bool only_known(struct reading *reading, const struct node *object, const char *const *keys)
{
    for (const struct node *node = object->first; node; node = node->next) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], node->key) != 0) {
            i++;
        }
        if (!keys[i]) {
            return tree_complain(reading->tree, node, "nothing called \"%.60s\" belongs here",
                                 node->key);
        }
    }
    return true;
}

static bool read_count(struct reading *reading, const struct node *object, const char *key,
                       uint64_t *count)
{
    const struct node *node = wanted(reading, object, key);
    if (!node) {
        return false;
    }
    return node_count(node, count)
               ? true
               : tree_complain(reading->tree, node,
                               "\"%s\" should be a whole number from 0 to 2^53", key);
}

/* Letters, digits and _; of a build or an implementation, other printable characters too. */
static bool read_name(struct reading *reading, const struct node *object, const char *key,
                      char *name, size_t size, bool plain)
{
    const struct node *node = wanted(reading, object, key);
    if (!node) {
        return false;
    }
    bool good = node->type == NODE_STRING && node->length > 0 && node->length < size;
    for (size_t i = 0; good && i < node->length; i++) {
        char c = node->text[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        good = plain ? word : c >= ' ' && c <= '~' && c != '"' && c != '\\';
    }
    if (!good) {
        return tree_complain(reading->tree, node, "\"%s\" should be a %s of 1 to %zu characters",
                             key, plain ? "word in small letters" : "plain text", size - 1);
    }
    memcpy(name, node->text, node->length + 1);
    return true;
}

/* In hexadecimal, as this program writes it, so that nothing is lost; null if there is none. */
static bool read_figure(struct reading *reading, const struct node *object, const char *key,
                        bool any, double most, double *number)
{
    const struct node *node = wanted(reading, object, key);
    if (!node) {
        return false;
    }
    if (!any) {
        *number = NAN;
        return node->type == NODE_NULL
                   ? true
                   : tree_complain(reading->tree, node,
                                   "\"%s\" should be null where nothing was measured", key);
    }
    bool hex = node->type == NODE_STRING && strncmp(node->text, "0x", 2) == 0;
    if (hex && node_out_of_range(node)) {
        return tree_complain(reading->tree, node, "\"%s\" is beyond the range of a double: %.60s",
                             key, node->text);
    }
    if (!hex || !number_read(node->text, node->length, number)) {
        return tree_complain(reading->tree, node,
                             "\"%s\" should be a hexadecimal figure such as \"0x1.8p+0\"", key);
    }
    if (!(*number >= 0 && *number <= most)) {
        return tree_complain(reading->tree, node, "\"%s\" cannot be %s: 0 to %.17g is possible",
                             key, node->text, most);
    }
    return true;
}

static bool read_checksum(struct reading *reading, const struct node *object, const char *key,
                          uint64_t *checksum)
{
    const struct node *node = wanted(reading, object, key);
    if (!node) {
        return false;
    }
    bool good = node->type == NODE_STRING && node->length == 16 &&
                strspn(node->text, "0123456789abcdef") == 16;
    if (!good) {
        return tree_complain(reading->tree, node, "\"%s\" should be 16 hexadecimal digits", key);
    }
    *checksum = strtoull(node->text, NULL, 16);
    return true;
}

static bool counts_fit(struct reading *reading, const struct node *node,
                       const struct figures *figures)
{
    bool good = figures->compared <= figures->cases &&
                figures->undecided <= figures->cases - figures->compared &&
                figures->measured <= figures->compared && figures->misrounded <= figures->measured;
    return good ? true
                : tree_complain(reading->tree, node,
                                "the counts contradict each other: compared and undecided are of "
                                "the cases, measured of the compared, misrounded of the measured");
}

static bool read_errors(struct reading *reading, const struct node *node, struct figures *figures)
{
    bool any = figures->measured > 0;
    return read_figure(reading, node, "max", any, 0x1p1023, &figures->max) &&
           read_figure(reading, node, "p99.9", any, figures->max, &figures->high) &&
           read_figure(reading, node, "mean", any, figures->max, &figures->mean) &&
           read_figure(reading, node, "share", any, 1, &figures->share);
}

static bool read_figures(struct reading *reading, enum figure_set set, const struct node *node)
{
    static const char *const keys[] = {"function",   "domain", "cases",   "compared", "undecided",
                                       "max",        "p99.9",  "mean",    "share",    "measured",
                                       "misrounded", "inputs", "results", NULL};
    struct figures figures = {.has_checksums = true, .line = node->line};
    if (node->type != NODE_OBJECT) {
        return tree_complain(reading->tree, node, "an object should stand here");
    }
    if (!(only_known(reading, node, keys) &&
          read_name(reading, node, "function", figures.function, FIGURES_NAME, true) &&
          read_name(reading, node, "domain", figures.domain, FIGURES_NAME, true) &&
          read_count(reading, node, "cases", &figures.cases) &&
          read_count(reading, node, "compared", &figures.compared) &&
          read_count(reading, node, "undecided", &figures.undecided) &&
          read_count(reading, node, "measured", &figures.measured) &&
          read_count(reading, node, "misrounded", &figures.misrounded) &&
          counts_fit(reading, node, &figures) && read_errors(reading, node, &figures) &&
          read_checksum(reading, node, "inputs", &figures.inputs) &&
          read_checksum(reading, node, "results", &figures.results))) {
        return false;
    }
    const struct figures *former =
        baseline_figures(reading->baseline, set, figures.function, figures.domain);
    if (former) {
        return tree_complain(reading->tree, node, "%s, %s stands in line %zu already",
                             figures.function, figures.domain, former->line);
    }
    baseline_add_figures(reading->baseline, set, &figures);
    return true;
}

static bool read_cost(struct reading *reading, const struct node *node)
{
    static const char *const keys[] = {"build", "function", "cases", "instructions", NULL};
    struct cost cost = {.line = node->line};
    if (node->type != NODE_OBJECT) {
        return tree_complain(reading->tree, node, "an object should stand here");
    }
    if (!(only_known(reading, node, keys) &&
          read_name(reading, node, "build", cost.build, BUILD_NAME, false) &&
          read_name(reading, node, "function", cost.function, FIGURES_NAME, true) &&
          read_count(reading, node, "cases", &cost.cases) &&
          read_count(reading, node, "instructions", &cost.instructions))) {
        return false;
    }
    if (cost.cases == 0 || cost.instructions == 0) {
        return tree_complain(reading->tree, node, "counts of nothing");
    }
    const struct cost *former = baseline_cost(reading->baseline, cost.build, cost.function);
    if (former) {
        return tree_complain(reading->tree, node, "%s of %s stands in line %zu already",
                             cost.function, cost.build, former->line);
    }
    baseline_add_cost(reading->baseline, &cost);
    return true;
}

/* Lines; more than this program has ever had are none of its own. */
enum { LINES_MOST = 10000 };

static const struct node *wanted_array(struct reading *reading, const char *key)
{
    const struct node *node = wanted(reading, reading->tree->root, key);
    if (!node) {
        return NULL;
    }
    if (node->type != NODE_ARRAY) {
        tree_complain(reading->tree, node, "\"%s\" should be an array", key);
        return NULL;
    }
    size_t count = 0;
    for (const struct node *item = node->first; item; item = item->next) {
        if (++count > LINES_MOST) {
            tree_complain(reading->tree, item, "\"%s\" has more than %d lines", key, LINES_MOST);
            return NULL;
        }
    }
    return node;
}

static bool read_lists(struct reading *reading)
{
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        const struct node *list = wanted_array(reading, set_names[set]);
        if (!list) {
            return false;
        }
        for (const struct node *item = list->first; item; item = item->next) {
            if (!read_figures(reading, set, item)) {
                return false;
            }
        }
    }
    const struct node *costs = wanted_array(reading, "costs");
    if (!costs) {
        return false;
    }
    for (const struct node *item = costs->first; item; item = item->next) {
        if (!read_cost(reading, item)) {
            return false;
        }
    }
    return true;
}

static bool read_samples(struct reading *reading)
{
    static const char *const keys[] = {"full", "quick", NULL};
    const struct node *node = wanted(reading, reading->tree->root, "samples");
    if (!node) {
        return false;
    }
    if (node->type != NODE_OBJECT) {
        return tree_complain(reading->tree, node, "\"samples\" should be an object");
    }
    uint64_t *samples = reading->baseline->samples;
    if (!(only_known(reading, node, keys) &&
          read_count(reading, node, "full", &samples[SET_FULL]) &&
          read_count(reading, node, "quick", &samples[SET_QUICK]))) {
        return false;
    }
    return samples[SET_QUICK] > 0 && samples[SET_QUICK] <= samples[SET_FULL]
               ? true
               : tree_complain(reading->tree, node, "1 <= quick <= full should hold");
}

static bool read_schema(struct reading *reading)
{
    const struct node *root = reading->tree->root;
    if (root->type != NODE_OBJECT) {
        return tree_complain(reading->tree, root, "this is no baseline: an object should be here");
    }
    const struct node *schema = node_member(root, "schema");
    if (!schema || schema->type != NODE_STRING ||
        strncmp(schema->text, schema_family, strlen(schema_family)) != 0) {
        return tree_complain(reading->tree, schema ? schema : root,
                             "this is no baseline: \"schema\" should be \"%s\"", baseline_schema);
    }
    if (!node_is(schema, baseline_schema)) {
        return tree_complain(reading->tree, schema,
                             "written by another version of truelerp (%.40s); this one reads %s",
                             schema->text, baseline_schema);
    }
    return true;
}

static bool read_all(struct reading *reading)
{
    static const char *const keys[] = {"schema", "implementation", "seed",  "samples", "stored",
                                       "full",   "quick",          "climb", "costs",   NULL};
    const struct node *root = reading->tree->root;
    return read_schema(reading) && only_known(reading, root, keys) &&
           read_name(reading, root, "implementation", reading->baseline->implementation, BUILD_NAME,
                     false) &&
           read_count(reading, root, "seed", &reading->baseline->seed) && read_samples(reading) &&
           read_lists(reading);
}

bool baseline_of(struct baseline *baseline, struct tree *tree)
{
    struct reading reading = {tree, baseline};
    *baseline = (struct baseline){0};
    return read_all(&reading);
}

static char *conclude(struct tree *tree, bool parsed, struct baseline *baseline)
{
    char *message = NULL;
    if (!parsed || !baseline_of(baseline, tree)) {
        message = strdup(tree->message ? tree->message : "not enough memory to read the baseline");
    }
    tree_free(tree);
    return message;
}

char *baseline_read(struct baseline *baseline, const char *path)
{
    struct tree tree;
    *baseline = (struct baseline){0};
    bool parsed = tree_read(&tree, path);
    return conclude(&tree, parsed, baseline);
}

char *baseline_parse(struct baseline *baseline, const char *name, const void *bytes, size_t size)
{
    struct tree tree;
    *baseline = (struct baseline){0};
    bool parsed = tree_parse(&tree, name, bytes, size);
    return conclude(&tree, parsed, baseline);
}
