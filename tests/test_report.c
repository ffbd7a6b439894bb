/* accuracy.json against its schema, and the sweep behind it. */
#include "suite.h"

#include "../reports/process.h"
#include "../reports/program.h"
#include "../reports/render.h"

#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A validator for the part of JSON Schema that the schema uses; any other keyword fails. */

struct validation {
    struct json_object *schema;
    char message[512]; /* of the first fault */
};

static bool valid(struct validation *validation, struct json_object *schema,
                  struct json_object *value, const char *path);

static bool fault(struct validation *validation, const char *path, const char *what)
{
    if (!*validation->message) {
        snprintf(validation->message, sizeof validation->message, "%.200s: %.200s", path, what);
    }
    return false;
}

static struct json_object *get(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    return value;
}

static bool is_type(struct json_object *value, const char *type)
{
    static const struct {
        const char *name;
        json_type type, other;
    } types[] = {
        {"object", json_type_object, json_type_object},
        {"array", json_type_array, json_type_array},
        {"string", json_type_string, json_type_string},
        {"number", json_type_double, json_type_int},
        {"integer", json_type_int, json_type_int},
        {"null", json_type_null, json_type_null},
        {"boolean", json_type_boolean, json_type_boolean},
    };
    json_type is = json_object_get_type(value);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return is == types[i].type || is == types[i].other;
        }
    }
    return false;
}

static bool check_type(struct json_object *types, struct json_object *value)
{
    if (json_object_is_type(types, json_type_string)) {
        return is_type(value, json_object_get_string(types));
    }
    for (size_t i = 0; i < json_object_array_length(types); i++) {
        if (is_type(value, json_object_get_string(json_object_array_get_idx(types, i)))) {
            return true;
        }
    }
    return false;
}

static bool check_range(const char *keyword, double limit, struct json_object *value)
{
    if (!is_type(value, "number")) {
        return true;
    }
    double number = json_object_get_double(value);
    if (strcmp(keyword, "minimum") == 0) {
        return number >= limit;
    }
    return strcmp(keyword, "maximum") == 0 ? number <= limit : number > limit;
}

static bool check_size(const char *keyword, size_t limit, struct json_object *value)
{
    bool array = json_object_is_type(value, json_type_array);
    if (!array) {
        return strcmp(keyword, "minProperties") != 0 ||
               !json_object_is_type(value, json_type_object) ||
               (size_t)json_object_object_length(value) >= limit;
    }
    size_t length = json_object_array_length(value);
    return strcmp(keyword, "maxItems") == 0 ? length <= limit : length >= limit;
}

/* Compiled once: the schema has few, the file thousands of values. NULL if it does not compile. */
static const regex_t *compiled(const char *pattern)
{
    enum { MOST = 8 };
    static struct {
        char *pattern;
        regex_t expression;
    } known[MOST];
    for (size_t i = 0; i < MOST; i++) {
        if (!known[i].pattern) {
            if (regcomp(&known[i].expression, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
                return NULL;
            }
            known[i].pattern = strdup(pattern);
        }
        if (strcmp(known[i].pattern, pattern) == 0) {
            return &known[i].expression;
        }
    }
    return NULL;
}

static bool check_pattern(const char *pattern, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string)) {
        return true;
    }
    const regex_t *expression = compiled(pattern);
    return expression && regexec(expression, json_object_get_string(value), 0, NULL, 0) == 0;
}

static bool check_enum(struct json_object *allowed, struct json_object *value)
{
    for (size_t i = 0; i < json_object_array_length(allowed); i++) {
        if (json_object_equal(json_object_array_get_idx(allowed, i), value)) {
            return true;
        }
    }
    return false;
}

static bool check_required(struct validation *validation, struct json_object *keys,
                           struct json_object *value, const char *path)
{
    for (size_t i = 0; i < json_object_array_length(keys); i++) {
        const char *key = json_object_get_string(json_object_array_get_idx(keys, i));
        if (json_object_is_type(value, json_type_object) &&
            !json_object_object_get_ex(value, key, NULL)) {
            char text[128];
            snprintf(text, sizeof text, "no \"%s\"", key);
            return fault(validation, path, text);
        }
    }
    return true;
}

static bool check_properties(struct validation *validation, struct json_object *schema,
                             struct json_object *value, const char *path)
{
    struct json_object *properties = get(schema, "properties");
    struct json_object *additional = get(schema, "additionalProperties");
    if (!json_object_is_type(value, json_type_object)) {
        return true;
    }
    json_object_object_foreach(value, key, member)
    {
        char below[256];
        snprintf(below, sizeof below, "%s.%s", path, key);
        struct json_object *own = properties ? get(properties, key) : NULL;
        if (own || json_object_is_type(additional, json_type_object)) {
            if (!valid(validation, own ? own : additional, member, below)) {
                return false;
            }
        } else if (additional) {
            return fault(validation, below, "not foreseen");
        }
    }
    return true;
}

static bool check_items(struct validation *validation, struct json_object *schema,
                        struct json_object *value, const char *path)
{
    if (!json_object_is_type(value, json_type_array)) {
        return true;
    }
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        char below[256];
        snprintf(below, sizeof below, "%s[%zu]", path, i);
        if (!valid(validation, schema, json_object_array_get_idx(value, i), below)) {
            return false;
        }
    }
    return true;
}

static bool check_any(struct validation *validation, struct json_object *choices,
                      struct json_object *value, const char *path)
{
    for (size_t i = 0; i < json_object_array_length(choices); i++) {
        struct validation trial = {.schema = validation->schema};
        if (valid(&trial, json_object_array_get_idx(choices, i), value, path)) {
            return true;
        }
        if (json_object_is_type(value, json_type_object) && *trial.message) {
            return fault(validation, "", trial.message);
        }
    }
    return fault(validation, path, "none of the choices");
}

static bool check_reference(struct validation *validation, const char *reference,
                            struct json_object *value, const char *path)
{
    static const char prefix[] = "#/$defs/";
    struct json_object *definition =
        strncmp(reference, prefix, strlen(prefix)) == 0
            ? get(get(validation->schema, "$defs"), reference + strlen(prefix))
            : NULL;
    return definition ? valid(validation, definition, value, path)
                      : fault(validation, path, reference);
}

/* One keyword of a schema that concerns a single value. */
static bool check_simple(const char *keyword, struct json_object *argument,
                         struct json_object *value, bool *known)
{
    *known = true;
    if (strcmp(keyword, "type") == 0) {
        return check_type(argument, value);
    }
    if (strcmp(keyword, "const") == 0) {
        return json_object_equal(argument, value);
    }
    if (strcmp(keyword, "enum") == 0) {
        return check_enum(argument, value);
    }
    if (strcmp(keyword, "pattern") == 0) {
        return check_pattern(json_object_get_string(argument), value);
    }
    if (strstr("minimum maximum exclusiveMinimum", keyword)) {
        return check_range(keyword, json_object_get_double(argument), value);
    }
    if (strstr("minItems maxItems minProperties", keyword)) {
        return check_size(keyword, (size_t)json_object_get_int64(argument), value);
    }
    *known = strstr("$schema $defs title description", keyword) != NULL;
    return true;
}

static bool valid(struct validation *validation, struct json_object *schema,
                  struct json_object *value, const char *path)
{
    bool good = true;
    json_object_object_foreach(schema, keyword, argument)
    {
        bool known = true;
        if (strcmp(keyword, "$ref") == 0) {
            good = check_reference(validation, json_object_get_string(argument), value, path);
        } else if (strcmp(keyword, "required") == 0) {
            good = check_required(validation, argument, value, path);
        } else if (strstr("properties additionalProperties", keyword)) {
            good = check_properties(validation, schema, value, path);
        } else if (strcmp(keyword, "items") == 0) {
            good = check_items(validation, argument, value, path);
        } else if (strcmp(keyword, "anyOf") == 0) {
            good = check_any(validation, argument, value, path);
        } else if (!check_simple(keyword, argument, value, &known) || !known) {
            good = fault(validation, path, keyword);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

/* A small report over the whole catalogue. */

enum { SAMPLES = 60 };

struct setting {
    struct sweep_part *parts;
    struct tally *tallies;
    struct sweep sweep;
    struct report report;
    struct json_object *json;
};

static void choose_parts(struct setting *setting)
{
    size_t count = 1;
    for (size_t i = 0; i < catalog_count; i++) {
        count += domains_of(catalog[i])->count;
    }
    setting->parts = calloc(count, sizeof *setting->parts);
    for (size_t i = 0; i < catalog_count; i++) {
        const struct domains *domains = domains_of(catalog[i]);
        for (size_t j = 0; j < domains->count; j++) {
            setting->parts[setting->sweep.part_count++] =
                (struct sweep_part){.function = catalog[i],
                                    .function_number = i,
                                    .domain = &domains->list[j],
                                    .cases = SAMPLES};
        }
    }
}

static void setting_create(struct setting *setting)
{
    *setting = (struct setting){0};
    choose_parts(setting);
    setting->tallies = calloc(setting->sweep.part_count + 1, sizeof *setting->tallies);
    setting->sweep.implementation = implementation_builtin();
    setting->sweep.seed = 5;
    setting->sweep.parts = setting->parts;
    setting->sweep.jobs = 2;
    setting->sweep.time_limit = 60;
    setting->report = (struct report){.sweep = &setting->sweep,
                                      .samples = SAMPLES,
                                      .tallies = setting->tallies,
                                      .totals = calloc(catalog_count, sizeof(struct tally)),
                                      .function_count = catalog_count,
                                      .date = "2000-01-01T00:00:00Z",
                                      .command = "truelerp report",
                                      .seconds = 1};
    sigset_t signals;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    CU_ASSERT_EQUAL(sweep_run(&setting->sweep, setting->tallies), SWEEP_DONE);
    report_total(&setting->report);
    setting->json = render_json(&setting->report);
}

static void setting_free(struct setting *setting)
{
    json_object_put(setting->json);
    free(setting->report.totals);
    free(setting->tallies);
    free(setting->parts);
}

static struct json_object *read_schema(void)
{
    return json_object_from_file(SOURCE_DIRECTORY "/reports/accuracy.schema.json");
}

static bool follows_schema(struct json_object *schema, struct json_object *json, char message[512])
{
    struct validation validation = {.schema = schema};
    bool good = valid(&validation, schema, json, "");
    memcpy(message, validation.message, sizeof validation.message);
    return good;
}

static void test_schema_is_followed(void)
{
    struct setting setting;
    char message[512];
    setting_create(&setting);
    struct json_object *schema = read_schema();
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    suite_check(follows_schema(schema, setting.json, message), "%s", message);
    /* and what is written is what was meant */
    struct json_object *again = json_tokener_parse(json_object_to_json_string(setting.json));
    suite_check(follows_schema(schema, again, message), "read again: %s", message);
    json_object_put(again);
    json_object_put(schema);
    setting_free(&setting);
}

/* A case that was kept, with nothing measured, and every finding. */
static void test_schema_covers_findings(void)
{
    struct setting setting;
    char message[512];
    setting_create(&setting);
    struct json_object *schema = read_schema();
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        struct tally_case place = {.part = 1, .index = 3, .axis_bin = -1};
        memset(&setting.tallies[1], 0, sizeof setting.tallies[1]);
        tally_finding(&setting.tallies[1], &place, finding, NULL,
                      "a note, \"quoted\" \xff </script>");
        struct json_object *json = render_json(&setting.report);
        suite_check(follows_schema(schema, json, message), "%s: %s", finding_name(finding),
                    message);
        json_object_put(json);
    }
    json_object_put(schema);
    setting_free(&setting);
}

static struct json_object *first(struct json_object *array)
{
    return json_object_array_get_idx(array, 0);
}

static void spoil(struct json_object *json, int how)
{
    struct json_object *function = first(get(json, "functions"));
    struct json_object *total = get(function, "total");
    struct json_object *counts = get(total, "counts");
    struct json_object *kept = get(get(total, "worst"), "error_ulp");
    switch (how) {
    case 0:
        json_object_object_del(counts, "undecided");
        return;
    case 1:
        json_add(counts, "unforeseen", json_count(1));
        return;
    case 2:
        json_add(counts, "compared", json_object_new_int64(-1));
        return;
    case 3:
        json_add(total, "verdict", json_text("fine"));
        return;
    case 4:
        json_add(total, "share_misrounded", json_number(1.5));
        return;
    case 5:
        json_add(json, "schema", json_text("truelerp-accuracy-0"));
        return;
    case 6:
        json_add(json, "functions", json_object_new_array());
        return;
    case 7:
        json_add(get(kept, "inputs"), "a", json_text("0.5"));
        return;
    case 8:
        json_add(kept, "eval", NULL);
        return;
    case 9:
        json_object_array_add(get(get(total, "over_axis"), "counts"), json_count(0));
        return;
    case 10:
        json_add(get(json, "run"), "date", json_text("yesterday"));
        return;
    case 11:
        json_add(get(total, "error_ulp"), "p50", json_text("0.5"));
        return;
    default:
        json_add(function, "K", json_count(0));
    }
}

/* A validator that lets everything pass would let this pass, too. */
static void test_schema_refuses(void)
{
    struct setting setting;
    char message[512];
    setting_create(&setting);
    struct json_object *schema = read_schema();
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    for (int how = 0; how <= 12; how++) {
        struct json_object *json = json_tokener_parse(json_object_to_json_string(setting.json));
        spoil(json, how);
        suite_check(!follows_schema(schema, json, message), "fault %d was accepted", how);
        json_object_put(json);
    }
    json_object_put(schema);
    setting_free(&setting);
}

static void test_every_case_is_judged(void)
{
    struct setting setting;
    setting_create(&setting);
    for (size_t i = 0; i < setting.sweep.part_count; i++) {
        suite_check(tally_cases(&setting.tallies[i]) == SAMPLES, "part %zu: %lu of %d cases", i,
                    (unsigned long)tally_cases(&setting.tallies[i]), SAMPLES);
    }
    setting_free(&setting);
}

/* Parts of all lengths around those of the chunks, in all orders, for several numbers of jobs. */
static void test_every_length_of_part(void)
{
    static const uint64_t lengths[] = {0, 1, 255, 256, 257, 511, 512, 1025, 0, 3};
    enum { PARTS = sizeof lengths / sizeof lengths[0] };
    const struct function *function = catalog_find("lerp");
    struct tally *tallies = calloc(PARTS, sizeof *tallies);
    for (size_t first = 0; first < PARTS; first++) {
        struct sweep_part parts[PARTS];
        for (size_t i = 0; i < PARTS; i++) {
            parts[i] = (struct sweep_part){.function = function,
                                           .domain = domains_of(function)->list,
                                           .cases = lengths[(first + i) % PARTS]};
        }
        struct sweep sweep = {.implementation = implementation_builtin(),
                              .parts = parts,
                              .part_count = first + 1,
                              .jobs = 1 + (unsigned)first % 4,
                              .time_limit = 60};
        memset(tallies, 0, PARTS * sizeof *tallies);
        CU_ASSERT_EQUAL(sweep_run(&sweep, tallies), SWEEP_DONE);
        for (size_t i = 0; i <= first; i++) {
            suite_check(tally_compared(&tallies[i]) == parts[i].cases,
                        "part %zu of %zu: %lu of %lu cases", i, first + 1,
                        (unsigned long)tally_compared(&tallies[i]), (unsigned long)parts[i].cases);
        }
    }
    free(tallies);
}

static void check_worst(struct json_object *tally, const char *name)
{
    struct json_object *worst = get(tally, "worst");
    struct json_object *scaled = get(get(worst, "error_scaled"), "error_scaled");
    struct json_object *ulp = get(get(worst, "error_ulp"), "error_ulp");
    struct json_object *share = get(get(worst, "share_of_bound"), "share_of_bound");
    suite_check(json_object_equal(scaled, get(get(tally, "error_scaled"), "max")) == 1 &&
                    json_object_equal(ulp, get(get(tally, "error_ulp"), "max")) == 1 &&
                    json_object_equal(share, get(tally, "share_of_bound")) == 1,
                "%s: the worst cases have not the largest figures", name);
}

static void test_worst_cases_are_the_worst(void)
{
    struct setting setting;
    setting_create(&setting);
    struct json_object *functions = get(setting.json, "functions");
    for (size_t i = 0; i < json_object_array_length(functions); i++) {
        struct json_object *function = json_object_array_get_idx(functions, i);
        const char *name = json_object_get_string(get(function, "name"));
        check_worst(get(function, "total"), name);
        struct json_object *domains = get(function, "domains");
        for (size_t j = 0; j < json_object_array_length(domains); j++) {
            check_worst(json_object_array_get_idx(domains, j), name);
        }
    }
    setting_free(&setting);
}

static void test_exit_codes(void)
{
    static const enum exit_code rising[] = {EXIT_WITHIN, EXIT_FINDING, EXIT_UNTRUSTED, EXIT_USAGE};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            CU_ASSERT_EQUAL(exit_worse(rising[i], rising[j]), rising[i > j ? i : j]);
        }
    }
}

static void test_figures_for_people(void)
{
    static const struct {
        double number;
        const char *figure;
    } figures[] = {
        {0, "0"},
        {1, "1.00"},
        {9.994, "9.99"},
        {9.996, "10.0"},
        {99.96, "100"},
        {9999.4, "9999"},
        {9999.6, "1.0e+04"},
        {3.2e12, "3.2e+12"},
        {0.1, "0.10"},
        {0.0994, "0.0994"},
        {0.00099, "9.9e-04"},
        {0x1p1023, "beyond 1e307"},
        {9.9e306, "9.9e+306"},
    };
    char text[FIGURE_TEXT];
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        suite_check(strcmp(figure(figures[i].number, text), figures[i].figure) == 0,
                    "%g is written %s, not %s", figures[i].number, text, figures[i].figure);
    }
    CU_ASSERT_STRING_EQUAL(figure(NAN, text), "-");
    CU_ASSERT_STRING_EQUAL(percentage(0.9999, text), "99 %");
    CU_ASSERT_STRING_EQUAL(percentage(1, text), "100 %");
    CU_ASSERT_STRING_EQUAL(percentage(1.0001, text), "101 %");
    CU_ASSERT_STRING_EQUAL(percentage(0x1p1023, text), "> 9999 %");
    CU_ASSERT_STRING_EQUAL(percentage(NAN, text), "-");
    struct kept kept = {.present = true, .measured = true, .error_scaled = 3, .bound = 6};
    CU_ASSERT_STRING_EQUAL(share_text(&kept, text), "50 %");
    kept.bound = 0;
    CU_ASSERT_STRING_EQUAL(share_text(&kept, text), "must be exact here");
    kept.error_scaled = 0;
    CU_ASSERT_STRING_EQUAL(share_text(&kept, text), "0 %");
    kept.measured = false;
    CU_ASSERT_STRING_EQUAL(share_text(&kept, text), "-");
    CU_ASSERT_STRING_EQUAL(frequency(0.000012, text), "0.0012 %");
    CU_ASSERT_STRING_EQUAL(frequency(0.99999, text), "99 %");
    CU_ASSERT_STRING_EQUAL(frequency(0, text), "0 %");
}

/* Of fewer cases, the 99.9th percentile would be the largest. */
static void test_high_figure(void)
{
    static struct errors errors = {.count = 999, .max = 3, .histogram = {.zero = 998, .beyond = 1}};
    char text[FIGURE_TEXT];
    CU_ASSERT_STRING_EQUAL(high_figure(&errors, text), "-");
    errors.count++;
    errors.histogram.zero++;
    CU_ASSERT_STRING_EQUAL(high_figure(&errors, text), "0");
    errors.histogram.zero--;
    errors.histogram.beyond++;
    CU_ASSERT_STRING_EQUAL(high_figure(&errors, text), "3.00");
}

static void test_own_bounds(void)
{
    const struct function *function = catalog_find("lerp");
    struct kept kept = {.present = true, .measured = true, .bound = function->K};
    CU_ASSERT(!own_bound(function, &kept));
    kept.bound += 0x1p-32;
    CU_ASSERT(!own_bound(function, &kept));
    kept.bound = 1;
    CU_ASSERT(own_bound(function, &kept));
    kept.bound = 0;
    CU_ASSERT(!own_bound(function, &kept));
    kept.bound = 1;
    kept.measured = false;
    CU_ASSERT(!own_bound(function, &kept));
}

static void check_word(const char *word, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    write_shell_word(stream, word);
    fclose(stream);
    suite_check(strcmp(text, expected) == 0, "%s is written %s, not %s", word, text, expected);
    free(text);
}

static void test_shell_words(void)
{
    check_word("./libmine-1.so", "./libmine-1.so");
    check_word("", "''");
    check_word("my library.so", "'my library.so'");
    check_word("it's", "'it'\\''s'");
    check_word("$(rm -r x)", "'$(rm -r x)'");
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"accuracy.json follows its schema", test_schema_is_followed},
        {"the schema covers every finding", test_schema_covers_findings},
        {"the schema refuses what is spoilt", test_schema_refuses},
        {"every case is judged", test_every_case_is_judged},
        {"parts of every length are judged to their ends", test_every_length_of_part},
        {"the worst cases are the worst", test_worst_cases_are_the_worst},
        {"usage goes before untrusted before findings", test_exit_codes},
        {"figures for people", test_figures_for_people},
        {"a high percentile of enough cases", test_high_figure},
        {"bounds other than K", test_own_bounds},
        {"words for a shell", test_shell_words},
    };
    return suite_run("report", tests, sizeof tests / sizeof tests[0]);
}
