/* A gate's findings for machines that show test results: JUnit XML, and GitHub's annotations. */
#include "gate_result.h"

#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* XML. */

/* json_text has made it UTF-8; of that, XML 1.0 lacks most control characters, U+FFFE and U+FFFF.
 * Line ends and tabs are written as references: in an attribute, a reader turns them into spaces
 * otherwise. */
static void xml_write_valid(FILE *stream, const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool beyond =
            strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0;
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c == '\n' || c == '\r' ||
            c == '\t') {
            fprintf(stream, "&#%u;", c);
        } else if (c < ' ' || beyond) {
            fputs(replacement, stream);
            text += beyond ? 2 : 0;
        } else {
            fputc(c, stream);
        }
    }
}

void xml_write(FILE *stream, const char *text)
{
    struct json_object *valid = json_text(text);
    xml_write_valid(stream, json_object_get_string(valid));
    json_object_put(valid);
}

static char *finding_text(const struct gate_finding *finding)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    gate_write_finding(stream, finding);
    fclose(stream);
    return text;
}

/* JUnit. */

struct junit_counts {
    size_t tests, failures, errors, skipped;
};

static bool of_stage(const struct gate_check *check, const struct gate_stage *stage)
{
    return !stage || strcmp(check->stage, stage->name) == 0;
}

/* A stage that was left out as a whole is one test that was skipped. */
static struct junit_counts count_junit(const struct gate *gate, const struct gate_stage *stage)
{
    struct junit_counts counts = {0};
    for (size_t i = 0; i < gate->check_count; i++) {
        if (of_stage(&gate->checks[i], stage)) {
            enum exit_code exit_code = gate_check_exit(&gate->checks[i]);
            counts.tests++;
            counts.failures += exit_code == EXIT_FINDING;
            counts.errors += exit_code == EXIT_UNTRUSTED;
            counts.skipped += exit_code == EXIT_WITHIN && gate->checks[i].skipped;
        }
    }
    for (size_t i = 0; i < gate->stage_count; i++) {
        if (gate->stages[i].skipped && (!stage || stage == &gate->stages[i])) {
            counts.tests++;
            counts.skipped++;
        }
    }
    return counts;
}

static void write_counts(FILE *stream, struct junit_counts counts, double seconds)
{
    fprintf(stream,
            " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            counts.tests, counts.failures, counts.errors, counts.skipped, seconds);
}

/* One failure or error for a check: readers count them so. */
static void write_failure(FILE *stream, const struct gate_check *check)
{
    enum exit_code worst = gate_check_exit(check);
    const char *element = worst == EXIT_UNTRUSTED ? "error" : "failure";
    const struct gate_finding *first = NULL;
    for (size_t i = 0; i < check->finding_count && !first; i++) {
        first = check->findings[i].exit_code == worst ? &check->findings[i] : NULL;
    }
    char *text = finding_text(first);
    fprintf(stream, "      <%s type=\"", element);
    xml_write(stream, first->kind);
    fputs("\" message=\"", stream);
    xml_write(stream, text);
    fputs("\">", stream);
    free(text);
    for (size_t i = 0; i < check->finding_count; i++) {
        text = finding_text(&check->findings[i]);
        xml_write(stream, check->findings[i].kind);
        xml_write(stream, ": ");
        xml_write(stream, text);
        xml_write(stream, "\n");
        if (check->findings[i].command) {
            xml_write(stream, check->findings[i].command);
            xml_write(stream, "\n");
        }
        free(text);
    }
    fprintf(stream, "</%s>\n", element);
}

static void write_case(FILE *stream, const struct gate_check *check)
{
    fputs("    <testcase classname=\"", stream);
    xml_write(stream, check->function);
    fputs("\" name=\"", stream);
    xml_write(stream, check->domain);
    fputs("\">\n", stream);
    if (gate_check_exit(check) != EXIT_WITHIN) {
        write_failure(stream, check);
    } else if (check->skipped) {
        fputs("      <skipped message=\"", stream);
        xml_write(stream, check->skipped);
        fputs("\"/>\n", stream);
    }
    fputs("    </testcase>\n", stream);
}

static void write_suite(FILE *stream, const struct gate *gate, const struct gate_stage *stage)
{
    fputs("  <testsuite name=\"", stream);
    xml_write(stream, stage->name);
    fputc('"', stream);
    write_counts(stream, count_junit(gate, stage), stage->seconds);
    if (stage->skipped) {
        fputs("    <testcase classname=\"gate\" name=\"", stream);
        xml_write(stream, stage->name);
        fputs("\">\n      <skipped message=\"", stream);
        xml_write(stream, stage->skipped);
        fputs("\"/>\n    </testcase>\n", stream);
    }
    for (size_t i = 0; i < gate->check_count; i++) {
        if (of_stage(&gate->checks[i], stage)) {
            write_case(stream, &gate->checks[i]);
        }
    }
    fputs("  </testsuite>\n", stream);
}

void gate_write_junit(FILE *stream, const struct gate *gate)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"", stream);
    xml_write(stream, gate->implementation);
    fputc('"', stream);
    write_counts(stream, count_junit(gate, NULL), gate->seconds);
    for (size_t i = 0; i < gate->stage_count; i++) {
        write_suite(stream, gate, &gate->stages[i]);
    }
    fputs("</testsuites>\n", stream);
}

/* GitHub. In a property, ':' and ',' have a meaning as well. */

static void write_command_text(FILE *stream, const char *text, bool property)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ','))) {
            fprintf(stream, "%%%02X", c);
        } else {
            fputc(c < ' ' ? ' ' : c, stream);
        }
    }
}

enum { ANNOTATIONS_MOST = 10 };

static void write_annotation(FILE *stream, const struct gate *gate, const struct gate_check *check,
                             const struct gate_finding *finding, const char *level)
{
    fprintf(stream, "::%s ", level);
    if (finding->line > 0 && !gate->built_in) {
        fputs("file=", stream);
        write_command_text(stream, gate->baseline_name, true);
        fprintf(stream, ",line=%zu,", finding->line);
    }
    fputs("title=", stream);
    write_command_text(stream, check->function, true);
    fputc(' ', stream);
    write_command_text(stream, check->domain, true);
    fprintf(stream, "%%3A %s::", finding->kind);
    char *text = finding_text(finding);
    write_command_text(stream, text, false);
    free(text);
    if (finding->command) {
        fputs("%0A", stream);
        write_command_text(stream, finding->command, false);
    }
    fputc('\n', stream);
}

/* The last one that is shown says how many are not. */
static void write_level(FILE *stream, const struct gate *gate, const char *level, bool failures)
{
    size_t all = failures ? gate_count(gate, EXIT_FINDING) + gate_count(gate, EXIT_UNTRUSTED)
                          : gate_count(gate, EXIT_WITHIN);
    size_t most = all <= ANNOTATIONS_MOST ? all : ANNOTATIONS_MOST - 1;
    size_t shown = 0;
    for (size_t i = 0; i < gate->check_count && shown < most; i++) {
        const struct gate_check *check = &gate->checks[i];
        for (size_t k = 0; k < check->finding_count && shown < most; k++) {
            if ((check->findings[k].exit_code != EXIT_WITHIN) == failures) {
                write_annotation(stream, gate, check, &check->findings[k], level);
                shown++;
            }
        }
    }
    if (all > shown) {
        fprintf(stream, "::%s title=truelerp gate::and %zu more findings\n", level, all - shown);
    }
}

void gate_write_github(FILE *stream, const struct gate *gate)
{
    write_level(stream, gate, "error", true);
    write_level(stream, gate, "warning", false);
}
