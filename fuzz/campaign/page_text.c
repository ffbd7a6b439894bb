/* The page as Markdown, as JUnit's XML, and in short on the terminal. */
#include "page.h"

#include "../../reports/render.h"

#include <inttypes.h>
#include <string.h>

/* A table cell, or a line: nothing that would be taken for markup. */
static void write_plain(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text)) {
            fputc('\\', stream);
        }
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
}

static void write_largest(FILE *stream, const struct target *target)
{
    char error[FIGURE_TEXT], share[FIGURE_TEXT];
    if (target->error.told) {
        fprintf(stream, " %s %s | %s |", figure(target->error.error, error), target->error.unit,
                percentage(target->error.share, share));
    } else {
        fputs(" - | - |", stream);
    }
}

static void write_targets(FILE *stream, const struct campaign *campaign)
{
    char a[SHORT_SIZE], b[SHORT_SIZE], c[SHORT_SIZE], d[SHORT_SIZE], verdict[TEXT_SIZE];
    fputs("| target | | time | executions | judged | features | corpus | largest error "
          "| of bound | lines reached |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          stream);
    for (size_t i = 0; i < campaign->target_count; i++) {
        const struct target *target = &campaign->targets[i];
        target_verdict(campaign, target, verdict);
        fprintf(stream, "| `%s` | ", target->name);
        write_plain(stream, verdict);
        fprintf(stream, " | %s | %s | %s | %s | %" PRIu64 " |", duration(target->seconds, a),
                short_count(target->executions, b), short_count(target->judged, c),
                short_count(target->features, d), target->corpus_files);
        write_largest(stream, target);
        fprintf(stream, " %s |\n",
                share_of(target->coverage.lines_reached, target->coverage.lines, a));
    }
}

static void write_finding(FILE *stream, const struct campaign *campaign,
                          const struct failure *finding, size_t more)
{
    char text[TEXT_SIZE];
    fprintf(stream, "\n**%s: %s**: ", campaign->targets[finding->target].name,
            kind_name(finding->kind));
    write_plain(stream, failure_words(finding));
    fprintf(stream, " (%s)\n", failure_steadiness(finding));
    finding_case(finding, text);
    if (*text) {
        fputc('\n', stream);
        write_plain(stream, text);
        fputc('\n', stream);
    }
    if (finding->command || *finding->path) {
        fputs("\n```sh\n", stream);
        if (finding->command) {
            write_finding_command(stream, campaign, finding);
            fputc('\n', stream);
        }
        if (*finding->path) {
            write_input_command(stream, campaign, finding);
            fputc('\n', stream);
        }
        fputs("```\n", stream);
    }
    if (more > 0) {
        fprintf(stream, "\nAnd %zu more inputs that fail so, in `findings/%s`.\n", more,
                campaign->targets[finding->target].name);
    }
}

static void write_findings(FILE *stream, const struct campaign *campaign, bool counting)
{
    size_t more;
    bool first = true;
    size_t order[FINDINGS_MOST], count = findings_in_order(campaign, order);
    for (size_t i = 0; i < count; i++) {
        const struct failure *finding = &campaign->findings[order[i]];
        if (failure_counts(finding) == counting && failure_shown(campaign, finding, &more)) {
            fputs(!first ? "" : counting ? "\n## Findings\n" : "\n## Gone\n", stream);
            write_finding(stream, campaign, finding, more);
            first = false;
        }
    }
}

static void write_files(FILE *stream, const struct campaign *campaign)
{
    char a[SHORT_SIZE], b[SHORT_SIZE];
    fputs("\n## What the corpora reach\n\n", stream);
    if (*campaign->coverage_note) {
        fprintf(stream, "Not measured: %s.\n", campaign->coverage_note);
    } else if (campaign->file_count == 0) {
        fputs("Measured at the end.\n", stream);
    } else {
        fputs("| file | lines | branches |\n|---|--:|--:|\n", stream);
    }
    for (size_t i = 0; i < campaign->file_count; i++) {
        const struct coverage *file = &campaign->files[i];
        fprintf(stream, "| `impl/%s` | %s | %s |\n", file->file,
                share_of(file->lines_reached, file->lines, a),
                share_of(file->branches_reached, file->branches, b));
    }
}

void page_markdown(FILE *stream, const struct campaign *campaign)
{
    char text[2 * TEXT_SIZE], time[SHORT_SIZE];
    headline(campaign, text);
    fprintf(stream, "# Fuzzing overnight\n\n%s\n\n", text);
    how_it_ended(campaign, text);
    if (*text) {
        fprintf(stream, "**%s**\n\n", text);
    }
    notes(campaign, text);
    if (*text) {
        fprintf(stream, "%s\n\n", text);
    }
    write_targets(stream, campaign);
    write_findings(stream, campaign, true);
    write_findings(stream, campaign, false);
    write_files(stream, campaign);
    fprintf(stream, "\n---\nBegun %s, %s of fuzzing with %u job%s: `%s`\n", campaign->date,
            duration(campaign_seconds(campaign), time), campaign->options.jobs,
            campaign->options.jobs == 1 ? "" : "s", campaign->command);
}

/* overnight.xml */

static void write_xml(FILE *stream, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *entity = c == '<'   ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '&' ? "&amp;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (entity) {
            fputs(entity, stream);
        } else {
            /* neither what XML 1.0 forbids nor what may not be UTF-8 */
            fputc((c < 32 && c != '\n' && c != '\t') || c > 126 ? '?' : c, stream);
        }
    }
}

static void write_commands_xml(FILE *stream, const struct campaign *campaign,
                               const struct failure *finding)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (finding->command) {
        write_finding_command(memory, campaign, finding);
        fputc('\n', memory);
    }
    if (*finding->path) {
        write_input_command(memory, campaign, finding);
        fputc('\n', memory);
    }
    fclose(memory);
    write_xml(stream, text);
    free(text);
}

static void write_failures(FILE *stream, const struct campaign *campaign,
                           const struct target *target)
{
    size_t more;
    size_t order[FINDINGS_MOST], count = findings_in_order(campaign, order);
    for (size_t i = 0; i < count; i++) {
        const struct failure *finding = &campaign->findings[order[i]];
        if (&campaign->targets[finding->target] == target && failure_counts(finding) &&
            failure_shown(campaign, finding, &more)) {
            fprintf(stream, "    <failure type=\"%s\" message=\"", kind_name(finding->kind));
            write_xml(stream, failure_words(finding));
            fputs("\">", stream);
            write_commands_xml(stream, campaign, finding);
            fputs("</failure>\n", stream);
        }
    }
}

void page_junit(FILE *stream, const struct campaign *campaign)
{
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < campaign->target_count; i++) {
        bool found = failure_total(campaign, &campaign->targets[i]) > 0;
        failures += found;
        skipped += !found && !target_good(campaign, &campaign->targets[i]);
    }
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"fuzz\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" "
            "time=\"%.0f\">\n",
            campaign->target_count, failures, campaign->end == END_ENDED, skipped,
            campaign_seconds(campaign));
    for (size_t i = 0; i < campaign->target_count; i++) {
        const struct target *target = &campaign->targets[i];
        char verdict[TEXT_SIZE];
        target_verdict(campaign, target, verdict);
        fprintf(stream, "  <testcase classname=\"fuzz\" name=\"%s\" time=\"%.0f\">\n", target->name,
                target->seconds);
        write_failures(stream, campaign, target);
        if (!target_good(campaign, target) && failure_total(campaign, target) == 0) {
            fputs("    <skipped message=\"", stream);
            write_xml(stream, verdict);
            fputs("\"/>\n", stream);
        }
        fputs("  </testcase>\n", stream);
    }
    if (campaign->end == END_ENDED) {
        fputs("  <testcase classname=\"fuzz\" name=\"campaign\"><error message=\"", stream);
        write_xml(stream, campaign->reason);
        fputs("\"/></testcase>\n", stream);
    }
    fputs("</testsuite>\n", stream);
}

/* The terminal. */

void page_print(FILE *stream, const struct campaign *campaign)
{
    char text[2 * TEXT_SIZE];
    size_t order[FINDINGS_MOST], count = findings_in_order(campaign, order);
    for (size_t i = 0; i < count; i++) {
        const struct failure *finding = &campaign->findings[order[i]];
        size_t more;
        if (failure_counts(finding) && failure_shown(campaign, finding, &more)) {
            fprintf(stream, "%s: %s: %s\n", campaign->targets[finding->target].name,
                    kind_name(finding->kind), failure_words(finding));
            fputs("  ", stream);
            if (finding->command) {
                write_finding_command(stream, campaign, finding);
            } else if (*finding->path) {
                write_input_command(stream, campaign, finding);
            } else {
                fputs(failure_steadiness(finding), stream);
            }
            fputc('\n', stream);
        }
    }
    headline(campaign, text);
    fprintf(stream, "%s\n", text);
    how_it_ended(campaign, text);
    if (*text) {
        fprintf(stream, "%s\n", text);
    }
    notes(campaign, text);
    if (*text) {
        fprintf(stream, "%s\n", text);
    }
    fprintf(stream, "%s/overnight.html\n", campaign->options.out);
}
