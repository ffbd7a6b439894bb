/* The gate's parts: how two lines of a baseline compare, figure by figure; the baseline's file, and
 * files that pretend to be one; checksums; profiles; what is written for other machines. */
#include "sample.h"
#include "suite.h"

#include "../corpus/checksum.h"
#include "../reports/baseline.h"
#include "../reports/cost.h"
#include "../reports/figures.h"
#include "../reports/gate_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct figures plain = {.function = "lerp",
                                     .domain = "typical",
                                     .cases = 100,
                                     .compared = 99,
                                     .measured = 98,
                                     .misrounded = 7,
                                     .share = 0.5,
                                     .max = 1,
                                     .high = 0.75,
                                     .mean = 0.25,
                                     .has_checksums = true,
                                     .inputs = 1,
                                     .results = 2};

/* The change of one figure between the two, CHANGE_NONE if it is not among the differences. */
static enum change changed(const struct figures *before, const struct figures *now,
                           const char *figure)
{
    struct difference differences[DIFFERENCES_MAX];
    size_t count = figures_compare(before, now, differences);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(differences[i].figure, figure) == 0) {
            return differences[i].change;
        }
    }
    return CHANGE_NONE;
}

static size_t difference_count(const struct figures *before, const struct figures *now)
{
    struct difference differences[DIFFERENCES_MAX];
    return figures_compare(before, now, differences);
}

static void check_change(const struct figures *before, const struct figures *now,
                         const char *figure, enum change wanted, const char *what)
{
    enum change got = changed(before, now, figure);
    suite_check(got == wanted, "%s, %s: %s, not %s", figure, what, change_name(got),
                change_name(wanted));
}

static void equal_lines_have_no_difference(void)
{
    suite_check(difference_count(&plain, &plain) == 0, "a line differs from itself");
    struct figures nothing = plain;
    nothing.measured = nothing.misrounded = 0;
    nothing.share = nothing.max = nothing.high = nothing.mean = NAN;
    suite_check(difference_count(&nothing, &nothing) == 0, "a line without figures does");
}

static void each_error_is_compared(void)
{
    static const struct {
        const char *name;
        size_t offset;
    } errors[] = {{"share of bound", offsetof(struct figures, share)},
                  {"max error", offsetof(struct figures, max)},
                  {"p99.9 error", offsetof(struct figures, high)},
                  {"mean error", offsetof(struct figures, mean)}};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct figures now = plain;
        double *error = (double *)((char *)&now + errors[i].offset);
        double before = *error;
        *error = nextafter(before, INFINITY);
        check_change(&plain, &now, errors[i].name, CHANGE_WORSE, "larger by one bit");
        suite_check(difference_count(&plain, &now) == 1, "one figure, several differences");
        *error = INFINITY;
        check_change(&plain, &now, errors[i].name, CHANGE_WORSE, "infinite");
        *error = NAN;
        check_change(&plain, &now, errors[i].name, CHANGE_WORSE, "NaN");
        check_change(&now, &plain, errors[i].name, CHANGE_OTHER, "a figure where there was none");
        *error = nextafter(before, 0);
        check_change(&plain, &now, errors[i].name, CHANGE_BETTER, "smaller by one bit");
    }
}

static void each_count_is_compared(void)
{
    struct figures now = plain;
    now.compared--;
    check_change(&plain, &now, "compared", CHANGE_WORSE, "one fewer");
    check_change(&now, &plain, "compared", CHANGE_OTHER, "one more");
    now = plain;
    now.measured--;
    check_change(&plain, &now, "measured", CHANGE_WORSE, "one fewer");
    now = plain;
    now.undecided++;
    check_change(&plain, &now, "undecided", CHANGE_WORSE, "one more");
    check_change(&now, &plain, "undecided", CHANGE_BETTER, "one fewer");
    now = plain;
    now.outside++;
    check_change(&plain, &now, "outside", CHANGE_WORSE, "one more");
    now = plain;
    now.misrounded++;
    check_change(&plain, &now, "misrounded", CHANGE_WORSE, "one more");
    check_change(&now, &plain, "misrounded", CHANGE_BETTER, "one fewer");
    now = plain;
    now.measured = now.misrounded = 0;
    check_change(&plain, &now, "misrounded", CHANGE_WORSE, "of nothing");
}

/* 2^52 - 1 of 2^52 and 2^53 - 1 of 2^53 are one double off 1, or 1. */
static void misrounded_shares_are_compared_exactly(void)
{
    struct figures before = plain, now = plain;
    before.misrounded = (UINT64_C(1) << 53) - 2;
    before.measured = (UINT64_C(1) << 53) - 1;
    now.misrounded = (UINT64_C(1) << 53) - 1;
    now.measured = UINT64_C(1) << 53;
    check_change(&before, &now, "misrounded", CHANGE_WORSE, "by a 2^-106th");
    check_change(&now, &before, "misrounded", CHANGE_BETTER, "by a 2^-106th");
}

static void bits_and_cases_are_compared(void)
{
    struct figures now = plain;
    now.results++;
    check_change(&plain, &now, "result bits", CHANGE_OTHER, "other bits");
    suite_check(difference_count(&plain, &now) == 1, "other bits alone are one difference");
    now.inputs++;
    now.max = 0;
    check_change(&plain, &now, "inputs", CHANGE_WORSE, "other cases");
    check_change(&plain, &now, "max error", CHANGE_NONE, "of other cases");
    now.compared--;
    check_change(&plain, &now, "compared", CHANGE_WORSE, "fewer, and other cases");
    now.has_checksums = false;
    check_change(&plain, &now, "inputs", CHANGE_NONE, "unknown");
    check_change(&plain, &now, "result bits", CHANGE_NONE, "unknown");
    check_change(&plain, &now, "max error", CHANGE_BETTER, "without checksums");
}

static void climbs_are_compared_by_their_worst_case(void)
{
    struct figures before = plain, now = plain;
    strcpy(before.domain, "climb");
    strcpy(now.domain, "climb");
    now.max = 10;
    now.compared--;
    now.measured--;
    suite_check(difference_count(&before, &now) == 0, "a climb's way was compared");
    now.share = nextafter(now.share, 1);
    check_change(&before, &now, "share of bound", CHANGE_WORSE, "of a climb");
    now.share = NAN;
    check_change(&before, &now, "share of bound", CHANGE_WORSE, "of a climb, NaN");
    now.results++;
    check_change(&before, &now, "result bits", CHANGE_OTHER, "of a climb");
    now.cases--;
    check_change(&before, &now, "cases", CHANGE_WORSE, "fewer, of a climb");
    now.inputs++;
    check_change(&before, &now, "inputs", CHANGE_WORSE, "another climber");
    check_change(&before, &now, "share of bound", CHANGE_NONE, "of another climber");
}

/* All at once fits: no figure may be left out for want of room. */
static void all_differences_fit(void)
{
    struct figures now = {.function = "lerp",
                          .domain = "typical",
                          .undecided = 1,
                          .outside = 1,
                          .share = NAN,
                          .max = NAN,
                          .high = NAN,
                          .mean = NAN,
                          .has_checksums = true,
                          .inputs = plain.inputs};
    struct difference differences[DIFFERENCES_MAX];
    size_t count = figures_compare(&plain, &now, differences);
    suite_check(count == 10, "%zu differences and not 10", count);
    for (size_t i = 0; i < count; i++) {
        suite_check(strcmp(differences[i].before, differences[i].now) != 0, "%s reads the same: %s",
                    differences[i].figure, differences[i].now);
    }
    suite_check(differences_worst(differences, count) == CHANGE_WORSE, "the worst is worse");
    suite_check(differences_worst(differences, 0) == CHANGE_NONE, "the worst of nothing");
}

static void tallies_become_figures(void)
{
    struct tally *tally = calloc(1, sizeof *tally);
    struct judgement judgement = {.verdict = VERDICT_WITHIN,
                                  .measured = true,
                                  .error_ulp = 0.75,
                                  .error_scaled = 0.5,
                                  .bound = 2,
                                  .figure = NAN};
    struct tally_case place = {.axis_bin = -1};
    struct figures empty = figures_of(tally, "lerp", "typical");
    suite_check(isnan(empty.max) && isnan(empty.mean) && isnan(empty.high) && isnan(empty.share) &&
                    empty.compared == 0,
                "an empty tally has figures");
    tally_judgement(tally, &place, NULL, &judgement);
    judgement = (struct judgement){.verdict = VERDICT_CLASS_MISMATCH, .figure = NAN};
    tally_judgement(tally, &place, NULL, &judgement);
    judgement.verdict = VERDICT_UNDECIDED;
    tally_judgement(tally, &place, NULL, &judgement);
    tally_finding(tally, &place, FINDING_CRASH, NULL, "");
    struct figures figures = figures_of(tally, "lerp", "typical");
    suite_check(figures.cases == 4 && figures.compared == 2 && figures.undecided == 1 &&
                    figures.outside == 2 && figures.measured == 1 && figures.misrounded == 1,
                "counts: %d cases, %d compared, %d undecided, %d outside", (int)figures.cases,
                (int)figures.compared, (int)figures.undecided, (int)figures.outside);
    suite_check(figures.max == 0.5 && figures.mean == 0.5 && figures.high == 0.5 &&
                    figures.share == 0.25,
                "errors: %g %g %g %g", figures.max, figures.mean, figures.high, figures.share);
    free(tally);
}

static void checksums_see_bits_places_and_lengths(void)
{
    struct values a = {0}, b = {0};
    double *numbers = values_numbers(&a, 2);
    numbers[0] = 1;
    numbers[1] = 2;
    values_copy(&b, &a);
    suite_check(checksum_of(5, &a) == checksum_of(5, &b), "equal values, other checksums");
    suite_check(checksum_of(5, &a) != checksum_of(6, &a), "the case's number plays no part");
    b.number[1] = nextafter(2, 3);
    suite_check(checksum_of(5, &a) != checksum_of(5, &b), "the last bit plays no part");
    b.number[1] = 1;
    b.number[0] = 2;
    suite_check(checksum_of(5, &a) != checksum_of(5, &b), "the order plays no part");
    a.number[0] = 0.0;
    values_copy(&b, &a);
    b.number[0] = -0.0;
    suite_check(checksum_of(5, &a) != checksum_of(5, &b), "a zero's sign plays no part");
    a.number[0] = (double)NAN;
    b.number[0] = -(double)NAN;
    suite_check(checksum_of(5, &a) == checksum_of(5, &b), "two NaN have two checksums");
    values_clear(&a);
    *values_append(&a, 1) = 1;
    values_append(&a, 0);
    values_clear(&b);
    values_append(&b, 0);
    *values_append(&b, 1) = 1;
    suite_check(checksum_of(5, &a) != checksum_of(5, &b), "the fields' lengths play no part");
    values_free(&a);
    values_free(&b);
}

/* The file. */

static char *written(struct baseline *baseline)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    baseline_write(stream, baseline);
    fclose(stream);
    return text;
}

static void fill(struct baseline *baseline)
{
    *baseline = (struct baseline){.implementation = "truelerp 0.1.0",
                                  .seed = 1,
                                  .samples = {[SET_FULL] = 100, [SET_QUICK] = 10}};
    struct figures figures = plain;
    figures.max = 0x1.123456789p+0;
    baseline_add_figures(baseline, SET_FULL, &figures);
    strcpy(figures.function, "zzz_unknown");
    baseline_add_figures(baseline, SET_FULL, &figures);
    strcpy(figures.function, "hermite");
    baseline_add_figures(baseline, SET_FULL, &figures);
    strcpy(figures.domain, "stored");
    figures.measured = figures.misrounded = 0;
    figures.share = figures.max = figures.high = figures.mean = NAN;
    baseline_add_figures(baseline, SET_STORED, &figures);
    strcpy(figures.domain, "climb");
    baseline_add_figures(baseline, SET_CLIMB, &figures);
    static const struct cost cost = {"gcc 12 Release fma", "lerp", 500, 7000, 0};
    baseline_add_cost(baseline, &cost);
}

static void a_written_baseline_reads_back(void)
{
    struct baseline baseline, again;
    fill(&baseline);
    char *text = written(&baseline);
    char *message = baseline_parse(&again, "text", text, strlen(text));
    suite_check(!message, "%s", message ? message : "");
    char *second = written(&again);
    suite_check(strcmp(text, second) == 0, "read and written again: %s", second);
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        suite_check(again.figure_count[set] == baseline.figure_count[set], "set %d lost lines",
                    set);
        for (size_t i = 0; i < again.figure_count[set]; i++) {
            const struct figures *figures = &again.figures[set][i];
            const struct figures *before =
                baseline_figures(&baseline, set, figures->function, figures->domain);
            suite_check(before && difference_count(before, figures) == 0, "%s, %s came back other",
                        figures->function, figures->domain);
        }
    }
    suite_check(strcmp(again.figures[SET_FULL][0].function, "lerp") == 0 &&
                    strcmp(again.figures[SET_FULL][2].function, "zzz_unknown") == 0,
                "not in the catalogue's order");
    suite_check(baseline_cost(&again, "gcc 12 Release fma", "lerp")->instructions == 7000,
                "the cost is lost");
    free(message);
    free(text);
    free(second);
    baseline_free(&baseline);
    baseline_free(&again);
}

static void lines_can_be_replaced(void)
{
    struct baseline baseline;
    fill(&baseline);
    baseline_forget_figures(&baseline, "hermite");
    suite_check(baseline.figure_count[SET_FULL] == 2 && baseline.figure_count[SET_STORED] == 0 &&
                    !baseline_figures(&baseline, SET_FULL, "hermite", "typical"),
                "hermite is still there");
    baseline_forget_cost(&baseline, "clang 14", "lerp");
    suite_check(baseline.cost_count == 1, "another build's cost was forgotten");
    baseline_forget_cost(&baseline, "gcc 12 Release fma", "lerp");
    suite_check(baseline.cost_count == 0, "the cost is still there");
    baseline_free(&baseline);
}

/* The text with one place replaced; both to be freed by nobody but the caller. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    char *result = malloc(strlen(text) + strlen(new) + 1);
    if (!suite_check(at != NULL, "no '%s' in the baseline", old) || !result) {
        abort();
    }
    sprintf(result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return result;
}

static void check_refused(const char *text, size_t size, const char *what, const char *wanted)
{
    struct baseline baseline;
    char *message = baseline_parse(&baseline, "b.json", text, size);
    suite_check(message != NULL, "%s was read", what);
    if (message) {
        suite_check(strncmp(message, "b.json:", 7) == 0 && message[7] >= '1' && message[7] <= '9',
                    "%s: no line in '%s'", what, message);
        suite_check(strstr(message, wanted) != NULL, "%s: '%s' does not say '%s'", what, message,
                    wanted);
        suite_check(strpbrk(message, "\n\r\033") == NULL, "%s: control bytes in '%s'", what,
                    message);
    }
    free(message);
    baseline_free(&baseline);
}

static void what_is_no_baseline_is_refused(void)
{
    static const struct {
        const char *old, *new, *message;
    } changes[] = {
        {"truelerp-baseline-1", "truelerp-baseline-2", "another version"},
        {"truelerp-baseline-1", "truelerp-accuracy-1", "no baseline"},
        {"\"schema\"", "\"scheme\"", "no baseline"},
        {"\"seed\": 1", "\"seed\": 1, \"seed\": 1", "stands twice"},
        {"\"seed\": 1", "\"seed\": 1, \"more\": 1", "belongs here"},
        {"\"seed\": 1", "\"seed\": 1.5", "whole number"},
        {"\"seed\": 1", "\"seed\": -1", "whole number"},
        {"\"seed\": 1", "\"seed\": 1e400", "whole number"},
        {"\"seed\": 1", "\"seed\": 99999999999999999999999", "whole number"},
        {"\"seed\": 1", "\"seed\": NaN", "a value should stand here"},
        {"\"seed\": 1", "\"seed\": Infinity", "a value should stand here"},
        {"\"seed\": 1", "\"seed\": 01", "no number"},
        {"\"seed\": 1", "\"seed\": +1", "a value should stand here"},
        {"\"seed\": 1", "\"seed\": 1 /* */", "'}' should stand here"},
        {"\"quick\": 10}", "\"quick\": 0}", "1 <= quick"},
        {"\"quick\": 10}", "\"quick\": 101}", "1 <= quick"},
        {"\"quick\": 10}", "\"quick\": [10]}", "whole number"},
        {"{\"full\": 100", "[{\"full\": 100", "',' or ']'"},
        {"\"compared\": 99", "\"compared\": 101", "contradict"},
        {"\"undecided\": 0", "\"undecided\": 2", "contradict"},
        {"\"measured\": 98", "\"measured\": 100", "contradict"},
        {"\"misrounded\": 7", "\"misrounded\": 99", "contradict"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": 1.5", "hexadecimal"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": \"nan\"", "hexadecimal"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": \"0xnan\"", "hexadecimal"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": \"-0x1p+0\"", "hexadecimal"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": \"0x1p+99999\"", "range of a double"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": \"0x1p-2000\"", "range of a double"},
        {"\"mean\": \"0x1p-2\"", "\"mean\": \"0x1p-1075\"", "range of a double"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": null", "hexadecimal"},
        {"\"max\": \"0x1.123456789p+0\"", "\"max\": {}", "hexadecimal"},
        {"\"mean\": \"0x1p-2\"", "\"mean\": \"0x1p+2\"", "cannot be"},
        {"\"share\": \"0x1p-1\"", "\"share\": \"0x1.0000000000001p+0\"", "cannot be"},
        {"\"max\": null", "\"max\": \"0x1p+0\"", "null where nothing"},
        {"\"inputs\": \"0000000000000001\"", "\"inputs\": \"1\"", "16 hexadecimal digits"},
        {"\"results\": \"0000000000000002\"", "\"results\": \"000000000000000G\"", "16 hex"},
        {"\"results\": \"0000000000000002\"", "\"results\": 2", "16 hex"},
        {"{\"function\": \"lerp\"", "{\"function\": \"le\\u001brp\"", "word in small letters"},
        {"{\"function\": \"lerp\"", "{\"function\": \"\"", "word in small letters"},
        {"{\"function\": \"lerp\"", "{\"function\": \"hermite\"", "stands in line"},
        {"{\"function\": \"lerp\"", "{\"functions\": \"lerp\"", "belongs here"},
        {"\"full\": [", "\"full\": {", "in quotes"},
        {"\"stored\": [", "\"stored\": [7, ", "an object should stand here"},
        {"\"costs\": [", "\"costs\": [[], ", "an object should stand here"},
        {"\"instructions\": 7000", "\"instructions\": 0", "counts of nothing"},
        {"\"cases\": 500", "\"cases\": 0", "counts of nothing"},
        {"truelerp 0.1.0", "true\\\"lerp", "plain text"},
        {"truelerp 0.1.0", "true\\ud800", "surrogate"},
        {"truelerp 0.1.0", "true\\u0000", "NUL"},
        {"truelerp 0.1.0", "true\\x", "no such escape"},
        {"truelerp 0.1.0", "true\nlerp", "byte 0x0a"},
    };
    struct baseline baseline;
    fill(&baseline);
    char *text = written(&baseline);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *broken = replaced(text, changes[i].old, changes[i].new);
        check_refused(broken, strlen(broken), changes[i].new, changes[i].message);
        free(broken);
    }
    free(text);
    baseline_free(&baseline);
}

static void the_least_figure_is_read(void)
{
    struct baseline baseline, again;
    fill(&baseline);
    char *text = written(&baseline);
    char *tiny = replaced(text, "\"mean\": \"0x1p-2\"", "\"mean\": \"0x1p-1074\"");
    char *message = baseline_parse(&again, "b.json", tiny, strlen(tiny));
    suite_check(!message && again.figures[SET_FULL][0].mean == 0x1p-1074, "2^-1074: %s",
                message ? message : "another figure");
    free(message);
    free(tiny);
    free(text);
    baseline_free(&baseline);
    baseline_free(&again);
}

static void every_truncation_is_refused(void)
{
    struct baseline baseline;
    fill(&baseline);
    char *text = written(&baseline);
    size_t size = strlen(text);
    for (size_t length = 0; length + 1 < size; length++) { /* the last byte is a line end */
        check_refused(text, length, "a truncated file", "b.json:");
    }
    check_refused("\0\0\0\0", 4, "zeros", "byte 0x00");
    char *more = replaced(text, "]\n}\n", "]\n}\n{}");
    check_refused(more, strlen(more), "two values", "should end here");
    free(more);
    static const char *const texts[] = {"[\"\x80\"]", "[\"\xC1\xBF\"]", "[\"\xE2\x82\"]",
                                        "[\"\xED\xA0\x80\"]", "[\"\xF4\x90\x80\x80\"]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_refused(texts[i], strlen(texts[i]), texts[i], "makes no UTF-8 character");
    }
    more = replaced(text, "\"seed\"", "\"\\u001b\\u007f\\n\"");
    check_refused(more, strlen(more), "control characters in a name", "\"???\"");
    free(more);
    free(text);
    baseline_free(&baseline);
}

/* Flips of single bytes are read as they stand or refused, and nothing else. */
static void broken_bytes_do_no_harm(void)
{
    struct baseline baseline, other;
    struct sample sample = {17};
    fill(&baseline);
    char *text = written(&baseline);
    size_t size = strlen(text), refused = 0;
    for (int i = 0; i < 20000; i++) {
        char *copy = malloc(size); /* exactly as large: overreading shows under sanitizers */
        memcpy(copy, text, size);
        copy[sample_below(&sample, (unsigned)size)] = (char)sample_below(&sample, 256);
        char *message = baseline_parse(&other, "b.json", copy, size);
        refused += message != NULL;
        free(message);
        free(copy);
        baseline_free(&other);
    }
    suite_check(refused > 10000, "only %zu of 20000 were refused", refused);
    free(text);
    baseline_free(&baseline);
}

static void deep_and_wide_files_are_refused(void)
{
    enum { DEEP = 100000 };
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    check_refused(text, DEEP, "deep nesting", "deep");
    memset(text, '{', DEEP);
    check_refused(text, DEEP, "objects without names", "a name in quotes");
    free(text);
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputc('{', stream);
    for (int i = 0; i < 1000; i++) {
        fprintf(stream, "%s\"%d\": 0", i > 0 ? ", " : "", i);
    }
    fputc('}', stream);
    fclose(stream);
    check_refused(text, size, "a thousand names", "more than");
    free(text);
}

static void json_values_have_their_places(void)
{
    static const char text[] =
        "{\n  \"a\": [1, -2.5e-1,\n    true, null],\n \"b\": \"x\\u00e9\\n\\ud83d\\ude00\"\n}\n";
    struct tree tree;
    bool read = tree_parse(&tree, "t", text, sizeof text - 1);
    suite_check(read, "%s", tree.message ? tree.message : "");
    const struct node *a = node_member(tree.root, "a"), *b = node_member(tree.root, "b");
    double number = 0;
    uint64_t count = 0;
    suite_check(a && a->line == 2 && a->column == 8, "a is in the wrong place");
    suite_check(node_count(a->first, &count) && count == 1, "1 is no count");
    suite_check(node_number(a->first->next, &number) && number == -0.25, "-2.5e-1 is %g", number);
    suite_check(!node_count(a->first->next, &count), "-2.5e-1 is a count");
    suite_check(a->first->next->next->boolean && a->first->next->next->line == 3, "true is not");
    suite_check(a->first->next->next->next->type == NODE_NULL && !a->first->next->next->next->next,
                "null is not the last");
    suite_check(node_is(b, "x\xC3\xA9\n\xF0\x9F\x98\x80"), "b is '%s'", b->text);
    suite_check(!node_member(tree.root, "c") && !node_member(b, "c"), "c is there");
    tree_free(&tree);
}

/* Profiles. */

static uint64_t cost_of_text(const char *text)
{
    FILE *stream = fmemopen((void *)text, strlen(text), "r");
    uint64_t cost = cost_of_profile(stream);
    fclose(stream);
    return cost;
}

static void profiles_are_added_up(void)
{
    /* main calls implementation_call and tl_version; that calls an adapter, which calls tl_a and by
     * a helper tl_b; tl_a calls tl_b by a function of its own. */
    static const char text[] = "fn=(1) main\n0 5\ncfn=(2) implementation_call\ncalls=2 0\n0 900\n"
                               "cfn=(3) tl_version\ncalls=1 0\n0 77\n\n"
                               "fn=(2)\n0 7\ncfn=(4) call_a\ncalls=2 0\n0 800\n\n"
                               "fn=(4)\n0 9\ncfn=(5) tl_a\ncalls=2 0\n0 500\ncfn=(6) helper\n"
                               "calls=1 0\n0 100\n\n"
                               "fn=(6)\n+3 8\ncfn=(7) tl_b\ncalls=1 0\n* 40\n\n"
                               "fn=(5)\n0 1\ncfn=(8) solve\ncalls=2 0\n0 300\n\n"
                               "fn=(8)\n0 1\ncfn=(7)\ncalls=2 0\n0 200\n";
    suite_check(cost_of_text(text) == 540, "%d instructions and not 540", (int)cost_of_text(text));
    suite_check(cost_of_text("fn=(1) main\n0 5\ncfn=(2) tl_a\ncalls=1 0\n0 40\n") == 0,
                "counted without a call of implementation_call");
    suite_check(cost_of_text("") == 0, "counted nothing");
    suite_check(cost_of_text("fn=(99999999) x\ncfn=(1)\ncalls=1\n\n") == 0, "numbers beyond all");
}

static void build_names_fit_a_baseline(void)
{
    char name[BUILD_NAME];
    cost_build_name(name);
    suite_check(strncmp(name, "gcc ", 4) == 0 || strncmp(name, "clang ", 6) == 0, "%s", name);
    suite_check(strstr(name, "unknown") == NULL, "no build type: %s", name);
}

/* What other machines read. */

static char *as_xml(const char *text)
{
    char *xml = NULL;
    size_t size;
    FILE *stream = open_memstream(&xml, &size);
    xml_write(stream, text);
    fclose(stream);
    return xml;
}

static void check_xml(const char *text, const char *wanted)
{
    char *got = as_xml(text);
    suite_check(strcmp(got, wanted) == 0, "'%s' is written as '%s', not '%s'", text, got, wanted);
    free(got);
}

static void xml_has_no_byte_that_it_must_not(void)
{
    check_xml("plain", "plain");
    check_xml("a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;");
    check_xml("]]>", "]]&#62;");
    check_xml("\t\n\r", "&#9;&#10;&#13;");
    check_xml("\x1b[0m\x01", "\xEF\xBF\xBD[0m\xEF\xBF\xBD");
    check_xml("\xff\xc3", "\xEF\xBF\xBD\xEF\xBF\xBD");
    check_xml("\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80");
    check_xml("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    check_xml("\xEF\xBF\xBE\xEF\xBF\xBF.", "\xEF\xBF\xBD\xEF\xBF\xBD.");
}

static struct gate sample_gate(void)
{
    struct gate gate = {.implementation = "x", .baseline_name = "a,b:c%.json"};
    gate.stages[gate.stage_count++] = (struct gate_stage){.name = "samples"};
    struct gate_check *check = gate_add_check(&gate, "samples", "lerp", "typical");
    gate_add_finding(check, "violation", EXIT_FINDING, "100 % wrong\n::error::x", strdup("cmd"));
    gate_add_finding(check, "regression", EXIT_FINDING, "more", NULL)->line = 12;
    gate_add_check(&gate, "samples", "lerp", "huge");
    check = gate_add_check(&gate, "samples", "lerp", "tiny");
    gate_add_finding(check, "improvement", EXIT_WITHIN, "better", NULL);
    check = gate_add_check(&gate, "samples", "lerp", "open");
    gate_add_finding(check, "undecided", EXIT_UNTRUSTED, "open", NULL);
    gate_add_finding(check, "violation", EXIT_FINDING, "worse", NULL);
    return gate;
}

typedef void gate_writer(FILE *stream, const struct gate *gate);

static char *told(gate_writer *writer, const struct gate *gate)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    writer(stream, gate);
    fclose(stream);
    return text;
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}

static void junit_counts_what_it_holds(void)
{
    struct gate gate = sample_gate();
    char *text = told(gate_write_junit, &gate);
    suite_check(times(text, "<testcase ") == 4, "%zu test cases", times(text, "<testcase "));
    suite_check(times(text, " tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"0\"") == 2,
                "wrong counts: %s", text);
    suite_check(times(text, "<failure ") == 1 && times(text, "<error ") == 1, "%s", text);
    suite_check(times(text, "\n::error") == 0 && times(text, "&#10;::error") == 2,
                "a line end in an attribute: %s", text);
    free(text);
    gate_free(&gate);
}

static void annotations_cannot_be_forged(void)
{
    struct gate gate = sample_gate();
    char *text = told(gate_write_github, &gate);
    suite_check(times(text, "::error ") == 4 && times(text, "::warning ") == 1, "%s", text);
    suite_check(times(text, "\n::error::x") == 0, "a message made a command: %s", text);
    suite_check(times(text, "100 %25 wrong%0A") == 1, "not escaped: %s", text);
    suite_check(times(text, "file=a%2Cb%3Ac%25.json,line=12,title=lerp typical%3A regression::") ==
                    1,
                "no place: %s", text);
    free(text);
    gate_free(&gate);
}

static void many_annotations_are_counted(void)
{
    struct gate gate = {.implementation = "x"};
    for (int i = 0; i < 25; i++) {
        struct gate_check *check = gate_add_check(&gate, "samples", "lerp", "typical");
        gate_add_finding(check, "violation", EXIT_FINDING, "x", NULL);
    }
    char *text = told(gate_write_github, &gate);
    suite_check(times(text, "::error ") == 10, "%zu errors", times(text, "::error "));
    suite_check(times(text, "and 16 more findings") == 1, "%s", text);
    free(text);
    gate_free(&gate);
}

static void the_gravest_finding_decides(void)
{
    struct gate gate = sample_gate();
    suite_check(gate_check_exit(&gate.checks[0]) == EXIT_FINDING, "a violation");
    suite_check(gate_check_exit(&gate.checks[1]) == EXIT_WITHIN, "nothing");
    suite_check(gate_check_exit(&gate.checks[2]) == EXIT_WITHIN, "allowed");
    suite_check(gate_check_exit(&gate.checks[3]) == EXIT_UNTRUSTED, "an open verdict");
    suite_check(gate_count(&gate, EXIT_FINDING) == 3 && gate_count(&gate, EXIT_UNTRUSTED) == 1 &&
                    gate_count(&gate, EXIT_WITHIN) == 1,
                "counts");
    gate_free(&gate);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"equal lines have no difference", equal_lines_have_no_difference},
        {"each error is compared, NaN never passes", each_error_is_compared},
        {"each count is compared", each_count_is_compared},
        {"misrounded shares are compared exactly", misrounded_shares_are_compared_exactly},
        {"bits and cases are compared", bits_and_cases_are_compared},
        {"climbs are compared by their worst case", climbs_are_compared_by_their_worst_case},
        {"all differences fit", all_differences_fit},
        {"tallies become figures", tallies_become_figures},
        {"checksums see bits, places and lengths", checksums_see_bits_places_and_lengths},
        {"a written baseline reads back", a_written_baseline_reads_back},
        {"lines can be replaced", lines_can_be_replaced},
        {"what is no baseline is refused", what_is_no_baseline_is_refused},
        {"the least figure is read", the_least_figure_is_read},
        {"every truncation is refused", every_truncation_is_refused},
        {"broken bytes do no harm", broken_bytes_do_no_harm},
        {"deep and wide files are refused", deep_and_wide_files_are_refused},
        {"JSON values have their places", json_values_have_their_places},
        {"profiles are added up", profiles_are_added_up},
        {"build names fit a baseline", build_names_fit_a_baseline},
        {"XML has no byte that it must not", xml_has_no_byte_that_it_must_not},
        {"JUnit counts what it holds", junit_counts_what_it_holds},
        {"annotations cannot be forged", annotations_cannot_be_forged},
        {"many annotations are counted", many_annotations_are_counted},
        {"the gravest finding decides", the_gravest_finding_decides},
    };
    return suite_run("gate", tests, sizeof tests / sizeof tests[0]);
}
