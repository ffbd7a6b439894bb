/* A gate's findings on the terminal, as Markdown and as JSON. */
#include "gate_result.h"
#include "render.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one stage: all findings, and those that do not pass. */
static void count_findings(const struct gate *gate, const char *stage, size_t *all, size_t *grave)
{
    *all = *grave = 0;
    for (size_t i = 0; i < gate->check_count; i++) {
        const struct gate_check *check = &gate->checks[i];
        for (size_t k = 0; k < check->finding_count && strcmp(check->stage, stage) == 0; k++) {
            ++*all;
            *grave += check->findings[k].exit_code != EXIT_WITHIN;
        }
    }
}

/* "as before", "within", "3 findings", "2 differences" that are allowed, or "skipped":
 * that nothing was compared is a finding where it should have been */
static const char *stage_text(const struct gate *gate, const struct gate_stage *stage,
                              char text[40])
{
    size_t all, grave;
    count_findings(gate, stage->name, &all, &grave);
    size_t shown = grave > 0 ? grave : all;
    if (all > 0) {
        snprintf(text, 40, "%zu %s%s", shown, grave > 0 ? "finding" : "difference",
                 shown == 1 ? "" : "s");
        return text;
    }
    if (stage->skipped || stage->compared == 0) {
        return "skipped";
    }
    bool compared = gate->before && strcmp(stage->name, "more samples") != 0 &&
                    strcmp(stage->name, "threads") != 0;
    return compared ? "as before" : "within";
}

/* "2 regressions, 1 violation": the findings of one kind of consequence. */
static void write_kinds(FILE *stream, const struct gate *gate, bool grave)
{
    static const char *const kinds[] = {
        "crash",      "time-out",    "violation", "class mismatch",
        "fault",      "environment", "undecided", "nothing compared",
        "not judged", "regression",  "missing",   "improvement",
        "change",     "new"};
    const char *separator = "";
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        size_t count = 0;
        for (size_t i = 0; i < gate->check_count; i++) {
            for (size_t k = 0; k < gate->checks[i].finding_count; k++) {
                const struct gate_finding *finding = &gate->checks[i].findings[k];
                count += strcmp(finding->kind, kinds[n]) == 0 &&
                         (finding->exit_code != EXIT_WITHIN) == grave;
            }
        }
        if (count > 0) {
            fprintf(stream, "%s%zu %s", separator, count, kinds[n]);
            separator = ", ";
        }
    }
}

/* "failed: 2 regression, 1 violation" */
static void write_verdict(FILE *stream, const struct gate *gate)
{
    size_t grave = gate_count(gate, EXIT_FINDING) + gate_count(gate, EXIT_UNTRUSTED);
    static const char *const words[] = {[EXIT_WITHIN] = "passed",
                                        [EXIT_FINDING] = "failed",
                                        [EXIT_USAGE] = "not all could be written",
                                        [EXIT_UNTRUSTED] = "no trustworthy answer"};
    bool recorded = gate->update && gate->exit_code == EXIT_WITHIN;
    fputs(recorded ? "all within their bounds" : words[gate->exit_code], stream);
    if (grave > 0) {
        fputs(": ", stream);
        write_kinds(stream, gate, true);
    }
    if (gate_count(gate, EXIT_WITHIN) > 0) {
        fputs(gate->update ? "; against the former baseline: " : "; allowed: ", stream);
        write_kinds(stream, gate, false);
    }
}

static char *verdict_text(const struct gate *gate)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    write_verdict(stream, gate);
    fclose(stream);
    return text;
}

static void write_title(FILE *stream, const struct gate *gate)
{
    fprintf(stream, "%s against ", gate->implementation);
    if (!gate->baseline_name) {
        fputs("its bounds alone", stream);
    } else if (!gate->baseline_implementation) {
        fprintf(stream, "nothing: %s is new", gate->baseline_name);
    } else {
        fprintf(stream, "%s (%s)", gate->baseline_name, gate->baseline_implementation);
    }
}

/* "regression, reports/baseline.json:12" */
static void write_kind(FILE *stream, const struct gate *gate, const struct gate_finding *finding)
{
    fputs(finding->kind, stream);
    if (finding->exit_code == EXIT_WITHIN && !gate->update) {
        fputs(" (allowed)", stream);
    }
    if (finding->line > 0) {
        fprintf(stream, ", %s:%zu", gate->baseline_name, finding->line);
    }
}

/* What could not be said, and why: each reason once a stage. */
static void write_skipped(FILE *stream, const struct gate *gate, const char *before)
{
    for (size_t i = 0; i < gate->stage_count; i++) {
        if (gate->stages[i].skipped) {
            fprintf(stream, "%s%s: %s\n", before, gate->stages[i].name, gate->stages[i].skipped);
        }
    }
    const char *last = "";
    for (size_t i = 0; i < gate->check_count; i++) {
        const struct gate_check *check = &gate->checks[i];
        if (check->skipped && strcmp(check->skipped, last) != 0) {
            last = check->skipped;
            fprintf(stream, "%s%s of %s: %s\n", before, check->stage, check->function, last);
        }
    }
}

/* The terminal. */

static void print_finding(FILE *stream, const struct gate *gate, const struct gate_check *check,
                          const struct gate_finding *finding)
{
    fprintf(stream, "\n%s, %s: ", check->function, check->domain);
    write_kind(stream, gate, finding);
    if (finding->text) {
        fprintf(stream, ":\n  %s", finding->text);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < finding->difference_count; i++) {
        gate_print_difference(stream, &finding->differences[i]);
    }
    if (finding->command) {
        fprintf(stream, "  %s\n", finding->command);
    }
}

/* The rest is in the files. */
enum { SHOWN_FINDINGS = 20 };

/* The gravest first. What is merely new and allowed is counted in the last line. */
static void print_findings(FILE *stream, const struct gate *gate)
{
    static const enum exit_code order[] = {EXIT_UNTRUSTED, EXIT_FINDING, EXIT_WITHIN};
    size_t shown = 0, all = 0;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (size_t i = 0; i < gate->check_count; i++) {
            const struct gate_check *check = &gate->checks[i];
            for (size_t j = 0; j < check->finding_count; j++) {
                if (check->findings[j].exit_code != order[k]) {
                    continue;
                }
                bool told = check->findings[j].command || order[k] != EXIT_WITHIN;
                if (told && all++ < SHOWN_FINDINGS) {
                    print_finding(stream, gate, check, &check->findings[j]);
                    shown++;
                }
            }
        }
    }
    if (all > shown) {
        fprintf(stream, "\nand %zu more; --markdown and --json have them all\n", all - shown);
    }
}

/* Whether a new baseline would take all that is found. */
static bool only_differences(const struct gate *gate)
{
    for (size_t i = 0; i < gate->check_count; i++) {
        for (size_t k = 0; k < gate->checks[i].finding_count; k++) {
            const struct gate_finding *finding = &gate->checks[i].findings[k];
            bool difference = finding->line > 0 || strcmp(finding->kind, "new") == 0;
            if (finding->exit_code != EXIT_WITHIN && !difference) {
                return false;
            }
        }
    }
    return true;
}

void gate_write_terminal(FILE *stream, const struct gate *gate)
{
    write_title(stream, gate);
    fputs("\n\n", stream);
    write_lacking(stream, gate->implementation, gate->lacking, gate->lacking_count);
    fprintf(stream, "%-14s %8s %10s %10s %8s  %s\n", "stage", "sources", "cases", "compared",
            "seconds", "result");
    for (size_t i = 0; i < gate->stage_count; i++) {
        const struct gate_stage *stage = &gate->stages[i];
        char text[40];
        fprintf(stream, "%-14s %8zu %10" PRIu64 " %10" PRIu64 " %8.1f  %s\n", stage->name,
                stage->sources, stage->cases, stage->compared, stage->seconds,
                stage_text(gate, stage, text));
    }
    write_skipped(stream, gate, "");
    print_findings(stream, gate);
    char *verdict = verdict_text(gate);
    fprintf(stream, "\n%s, in %.1f s\n", verdict, gate->seconds);
    free(verdict);
    if (gate->written) {
        fprintf(stream, "Baseline: %s\n", gate->baseline_name);
    } else if (gate->exit_code == EXIT_FINDING && only_differences(gate)) {
        fprintf(stream, "If this is meant to be: %s, and review %s\n", gate->update_command,
                gate->built_in ? "reports/baseline.json" : gate->baseline_name);
    }
}

/* Markdown. */

/* Text that Markdown must not take for markup, on one line. */
static void write_plain(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>|#&", *text)) {
            fputc('\\', stream);
        }
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
}

static void write_stages_markdown(FILE *stream, const struct gate *gate)
{
    fputs("| stage | sources | cases | compared | seconds | result |\n"
          "|---|--:|--:|--:|--:|---|\n",
          stream);
    for (size_t i = 0; i < gate->stage_count; i++) {
        const struct gate_stage *stage = &gate->stages[i];
        char text[40];
        fprintf(stream, "| %s | %zu | %" PRIu64 " | %" PRIu64 " | %.1f | %s |\n", stage->name,
                stage->sources, stage->cases, stage->compared, stage->seconds,
                stage_text(gate, stage, text));
    }
    write_skipped(stream, gate, "\n");
}

static void write_findings_markdown(FILE *stream, const struct gate *gate)
{
    for (size_t i = 0; i < gate->check_count; i++) {
        const struct gate_check *check = &gate->checks[i];
        for (size_t k = 0; k < check->finding_count; k++) {
            const struct gate_finding *finding = &check->findings[k];
            char *text = NULL, *kind = NULL;
            size_t size;
            FILE *memory = open_memstream(&text, &size);
            gate_write_finding(memory, finding);
            fclose(memory);
            fprintf(stream, "- **%s, %s**: ", check->function, check->domain);
            memory = open_memstream(&kind, &size);
            write_kind(memory, gate, finding);
            fclose(memory);
            write_plain(stream, kind);
            fputs(": ", stream);
            write_plain(stream, text);
            free(kind);
            fputc('\n', stream);
            free(text);
            if (finding->command) {
                fprintf(stream, "\n      %s\n\n", finding->command);
            }
        }
    }
}

/* One function's figures over all sources of a set. */
struct summary {
    uint64_t compared, measured, misrounded;
    double share, max;
};

static struct summary summarize(const struct baseline *baseline, enum figure_set set,
                                const char *function)
{
    struct summary summary = {.share = NAN, .max = NAN};
    for (size_t i = 0; i < baseline->figure_count[set]; i++) {
        const struct figures *figures = &baseline->figures[set][i];
        if (strcmp(figures->function, function) == 0) {
            summary.compared += figures->compared;
            summary.measured += figures->measured;
            summary.misrounded += figures->misrounded;
            summary.share = fmax(summary.share, figures->share);
            summary.max = fmax(summary.max, figures->max);
        }
    }
    return summary;
}

static double typical_mean(const struct baseline *baseline, enum figure_set set,
                           const struct function *function)
{
    const struct domains *domains = domains_of(function);
    const char *typical = domains->list[domains->typical].name;
    const struct figures *figures = baseline_figures(baseline, set, function->name, typical);
    return figures ? figures->mean : NAN;
}

static double misrounded_share(const struct summary *summary)
{
    return summary->measured > 0 ? (double)summary->misrounded / (double)summary->measured : NAN;
}

static const struct cost *cost_now(const struct gate *gate, const char *function)
{
    for (size_t i = 0; i < gate->now->cost_count; i++) {
        if (strcmp(gate->now->costs[i].function, function) == 0) {
            return &gate->now->costs[i];
        }
    }
    return NULL;
}

static void write_function_markdown(FILE *stream, const struct gate *gate,
                                    const struct function *function)
{
    struct summary now = summarize(gate->now, gate->set, function->name);
    const struct cost *cost = cost_now(gate, function->name);
    char max[FIGURE_TEXT], share[FIGURE_TEXT], mean[FIGURE_TEXT], misrounded[FIGURE_TEXT];
    if (now.compared == 0) {
        return;
    }
    fprintf(stream, "| `%s` | %" PRIu64 " | %s %s | %s | %s %s | %s | ", function->name,
            now.compared, figure(now.max, max), error_unit(function), percentage(now.share, share),
            figure(typical_mean(gate->now, gate->set, function), mean), error_unit(function),
            frequency(misrounded_share(&now), misrounded));
    if (cost) {
        fprintf(stream, "%.1f |\n", (double)cost->instructions / (double)cost->cases);
    } else {
        fputs("- |\n", stream);
    }
}

/* What release notes paste. */
static void write_functions_markdown(FILE *stream, const struct gate *gate)
{
    fputs("\n| function | compared | max error | of the bound | mean, everyday data | misrounded | "
          "instructions, everyday data |\n|---|--:|--:|--:|--:|--:|--:|\n",
          stream);
    for (size_t i = 0; i < catalog_count; i++) {
        write_function_markdown(stream, gate, catalog[i]);
    }
}

void gate_write_markdown(FILE *stream, const struct gate *gate)
{
    fputs("## truelerp gate: ", stream);
    write_verdict(stream, gate);
    fputs("\n\n", stream);
    char *title = NULL;
    size_t size;
    FILE *memory = open_memstream(&title, &size);
    write_title(memory, gate);
    fclose(memory);
    write_plain(stream, title);
    free(title);
    fputs("\n\n", stream);
    for (size_t i = 0; i < gate->lacking_count; i++) {
        write_lacking_name(stream, gate->lacking[i], i == 0);
    }
    fputs(gate->lacking_count > 0 ? "\n\n" : "", stream);
    write_stages_markdown(stream, gate);
    fputc('\n', stream);
    write_findings_markdown(stream, gate);
    write_functions_markdown(stream, gate);
}

/* JSON. */

static struct json_object *json_optional(const char *text)
{
    return text ? json_text(text) : NULL;
}

static struct json_object *json_difference(const struct difference *difference)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "figure", json_text(difference->figure));
    json_add(object, "before", json_text(difference->before));
    json_add(object, "now", json_text(difference->now));
    json_add(object, "change", json_text(change_name(difference->change)));
    return object;
}

static struct json_object *json_gate_finding(const struct gate_finding *finding)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "kind", json_text(finding->kind));
    json_add(object, "exit_code", json_count((uint64_t)finding->exit_code));
    json_add(object, "text", json_optional(finding->text));
    struct json_object *differences = json_object_new_array();
    for (size_t i = 0; i < finding->difference_count; i++) {
        json_object_array_add(differences, json_difference(&finding->differences[i]));
    }
    json_add(object, "differences", differences);
    json_add(object, "baseline_line", finding->line > 0 ? json_count(finding->line) : NULL);
    json_add(object, "command", json_optional(finding->command));
    return object;
}

static struct json_object *json_check(const struct gate_check *check)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "stage", json_text(check->stage));
    json_add(object, "function", json_text(check->function));
    json_add(object, "domain", json_text(check->domain));
    json_add(object, "skipped", json_optional(check->skipped));
    struct json_object *findings = json_object_new_array();
    for (size_t i = 0; i < check->finding_count; i++) {
        json_object_array_add(findings, json_gate_finding(&check->findings[i]));
    }
    json_add(object, "findings", findings);
    return object;
}

static struct json_object *json_stage(const struct gate_stage *stage)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "name", json_text(stage->name));
    json_add(object, "sources", json_count(stage->sources));
    json_add(object, "cases", json_count(stage->cases));
    json_add(object, "compared", json_count(stage->compared));
    json_add(object, "seconds", json_number(stage->seconds));
    json_add(object, "skipped", json_optional(stage->skipped));
    return object;
}

void gate_write_json(FILE *stream, const struct gate *gate)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "schema", json_text("truelerp-gate-1"));
    json_add(object, "exit_code", json_count((uint64_t)gate->exit_code));
    char *verdict = verdict_text(gate);
    json_add(object, "verdict", json_text(verdict));
    free(verdict);
    json_add(object, "command", json_text(gate->command));
    json_add(object, "implementation", json_text(gate->implementation));
    json_add(object, "baseline", json_optional(gate->baseline_name));
    json_add(object, "baseline_implementation", json_optional(gate->baseline_implementation));
    struct json_object *lacking = json_object_new_array();
    for (size_t i = 0; i < gate->lacking_count; i++) {
        json_object_array_add(lacking, json_text(gate->lacking[i]));
    }
    json_add(object, "lacking", lacking);
    json_add(object, "seconds", json_number(gate->seconds));
    struct json_object *stages = json_object_new_array();
    for (size_t i = 0; i < gate->stage_count; i++) {
        json_object_array_add(stages, json_stage(&gate->stages[i]));
    }
    json_add(object, "stages", stages);
    struct json_object *checks = json_object_new_array();
    for (size_t i = 0; i < gate->check_count; i++) {
        json_object_array_add(checks, json_check(&gate->checks[i]));
    }
    json_add(object, "checks", checks);
    json_write(stream, object, true);
    json_object_put(object);
}
