/* truelerp list: what the catalogue knows. */
#include "json.h"
#include "program.h"

#include "../corpus/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    bool json;
    struct selection selection;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    (void)argument;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Text wrapped at 80 columns, behind what already stands in the first `column` of its line. */
static void print_wrapped(const char *text, int column, int indent)
{
    const int width = 79;
    bool first = true;
    while (*text) {
        int word = (int)strcspn(text, " \n");
        if (!first && column + 1 + word > width) {
            column = printf("\n%*s", indent, "") - 1;
        } else if (!first) {
            column += printf(" ");
        }
        column += printf("%.*s", word, text);
        text += word;
        text += strspn(text, " \n");
        first = false;
    }
    putchar('\n');
}

static void print_text(const char *label, const char *text)
{
    enum { INDENT = 10 };
    print_wrapped(text, printf("  %-*s", INDENT - 2, label), INDENT);
}

/* What may stand in a field: "a list, as long as times, of none, in, out or both". */
static void describe_field(const struct field *fields, size_t i, char *text, size_t size)
{
    static const char *const kinds[] = {
        [FIELD_NUMBER] = "", [FIELD_OPTIONAL] = ", may be empty", [FIELD_LIST] = ", a list"};
    static const char *const lengths[] = {[LENGTH_ANY] = "",
                                          [LENGTH_EQUAL] = ", as long as ",
                                          [LENGTH_EQUAL_OR_EMPTY] = ", empty or as long as ",
                                          [LENGTH_MULTIPLE] =
                                              ", the channels of each one together, for each of "};
    const struct field *field = &fields[i];
    size_t used =
        (size_t)snprintf(text, size, "%s%s%s [%s%s%s%s]", field->name, *field->name ? ": " : "",
                         field->meaning, field->unit, kinds[field->kind], lengths[field->length],
                         field->length == LENGTH_ANY ? "" : fields[field->like].name);
    for (size_t k = 0; field->choices && field->choices[k] && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "; ",
                                 field->choices[k]);
    }
}

static void print_fields(const char *label, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[512];
        describe_field(fields, i, text, sizeof text);
        print_text(i == 0 ? label : "", text);
    }
}

/* How lists are written, where there are any. */
static void print_grammar(const struct function *function)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (function->inputs[i].kind == FIELD_LIST) {
            print_text("in CSV", "a list is one field with ';' between its items: 0;0.5;1");
            return;
        }
    }
}

static void print_domains(const struct domains *domains)
{
    for (size_t i = 0; i < domains->count; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s: %s%s%s", domains->list[i].name, domains->list[i].summary,
                 i == domains->typical ? " (typical)" : "",
                 i == domains->hardest ? " (hardest)" : "");
        print_text(i == 0 ? "domains" : "", text);
    }
}

static void print_function(const struct function *function)
{
    char bound[256];
    print_wrapped(function->summary, printf("%s: ", function->name), 4);
    print_text("formula", function->formula);
    function_bound(function, bound, sizeof bound);
    print_text("bound", bound);
    if (*function->scale) {
        print_text("S", function->scale);
    }
    print_text("defined", function->domain);
    print_fields("inputs", function->inputs, function->input_count);
    print_fields("outputs", function->outputs, function->output_count);
    print_grammar(function);
    print_domains(domains_of(function));
}

static void print_json(const struct request *request)
{
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(&request->selection, catalog[i]->name)) {
            struct json_object *object = json_object_new_object();
            json_add_function(object, catalog[i]);
            json_add(object, "domains", json_domains(domains_of(catalog[i])));
            json_object_array_add(array, object);
        }
    }
    json_write(stdout, array, true);
    json_object_put(array);
}

int verb_list(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Write an array of objects instead of text", 0}, {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Shows the functions, or only the named ones: formula, bound, inputs, outputs and the "
        "domains that `truelerp report` draws cases from.",
        NULL,
        NULL,
        NULL};
    struct request request = {0};
    program_parse(&argp, "list", argc, argv, &request);
    if (!selection_is_known(&request.selection)) {
        return EXIT_USAGE;
    }
    if (request.json) {
        print_json(&request);
        return EXIT_WITHIN;
    }
    for (size_t i = 0, shown = 0; i < catalog_count; i++) {
        if (selection_holds(&request.selection, catalog[i]->name)) {
            fputs(shown++ > 0 ? "\n" : "", stdout);
            print_function(catalog[i]);
        }
    }
    return EXIT_WITHIN;
}
