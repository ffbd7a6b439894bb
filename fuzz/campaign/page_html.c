/* overnight.html: one page that needs nothing else, and no script. It looks like the accuracy
 * report, whose style sheet it has. */
#include "page.h"

#include "../../reports/page.h"
#include "../../reports/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the accuracy report does not need. */
static const char own_style[] =
    ".targets td, .targets th { white-space: nowrap }\n"
    ".targets td.left { white-space: normal; min-width: 7rem }\n"
    "@media screen and (max-width: 760px) { .targets td.left { min-width: 6.6rem } }\n"
    ".case pre { margin: 0.5rem 0; padding: 0.5rem 0.7rem; background: var(--paper);\n"
    "    border: 1px solid var(--line); border-radius: 6px; overflow-wrap: anywhere }\n"
    ".targets td.left { overflow-wrap: anywhere }\n"
    ".case .label { margin: 0.5rem 0 -0.3rem }\n"
    ".cases { grid-template-columns: minmax(0, 1fr) }\n"
    "ol { max-width: 50rem; padding-left: 1.3rem }\n"
    "li { margin: 0.5rem 0 }\n"
    ".warning { color: var(--bound) }\n";

static void write_escaped(FILE *stream, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
        }
    }
}

/* A text inside an element: open("p class=note"), text, close. */
static void write_element(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    write_escaped(stream, text);
    fprintf(stream, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void write_style(FILE *stream)
{
    for (size_t i = 0; i < page_file_count; i++) {
        if (strcmp(page_files[i].name, "page.css") == 0) {
            fwrite(page_files[i].text, 1, page_files[i].size, stream);
        }
    }
    fputs(own_style, stream);
}

static void write_fact(FILE *stream, const char *name, const char *value)
{
    write_element(stream, "dt", name);
    write_element(stream, "dd", value);
    fputc('\n', stream);
}

static void write_facts(FILE *stream, const struct campaign *campaign)
{
    char text[TEXT_SIZE], a[SHORT_SIZE], b[SHORT_SIZE];
    double seconds = campaign_seconds(campaign);
    fputs("<dl>\n", stream);
    write_fact(stream, "Implementation",
               campaign->options.implementation ? campaign->options.implementation
                                                : "the library of this tree");
    snprintf(text, sizeof text, "%s of %s, with %u process%s at a time, begun %s%s",
             duration(seconds, a), duration(campaign->options.seconds, b), campaign->options.jobs,
             campaign->options.jobs == 1 ? "" : "es", campaign->date,
             campaign->sessions > 1 ? ", in several sessions" : "");
    write_fact(stream, "Time", text);
    FILE *memory = fmemopen(text, sizeof text, "w");
    write_total(memory, campaign);
    fprintf(memory, ", in %s executions", short_count(total_executions(campaign), b));
    fclose(memory);
    write_fact(stream, "Cases", text);
    snprintf(text, sizeof text, "a process took at most %.0f MB of %u allowed",
             (double)campaign->memory_most / 1024, campaign->limit_mb);
    write_fact(stream, "Memory", campaign->memory_most ? text : "not measured yet");
    snprintf(text, sizeof text, "%.1f MB, at most %.1f of %llu allowed",
             (double)campaign->out_bytes / 1048576, (double)campaign->out_most / 1048576,
             (unsigned long long)campaign->options.disk);
    write_fact(stream, "Output folder", text);
    write_fact(stream, "Command", campaign->command);
    fputs("</dl>\n", stream);
}

typedef void writer(FILE *stream, const struct campaign *campaign, const struct failure *finding);

static void write_command(FILE *stream, const struct campaign *campaign,
                          const struct failure *finding, writer *write)
{
    char *command = NULL;
    size_t size;
    FILE *memory = open_memstream(&command, &size);
    write(memory, campaign, finding);
    fclose(memory);
    write_element(stream, "pre", command);
    free(command);
}

/* What it said, and the table that has its case. */
static void write_sources(FILE *stream, const struct campaign *campaign,
                          const struct failure *finding)
{
    const char *name = campaign->targets[finding->target].name;
    const char *file = strrchr(finding->path, '/');
    if (file && !finding->table) {
        const char *folder = failure_counts(finding) ? "findings" : "gone";
        fputs("<p class=\"note\">", stream);
        if (failure_counts(finding)) {
            fprintf(stream, "<a href=\"findings/%s/%s.log\">What it said</a>", name, file + 1);
        }
        fprintf(stream, "%s<a href=\"%s/%s/%s\">the input</a>", failure_counts(finding) ? ", " : "",
                folder, name, file + 1);
        if (finding->command) {
            fprintf(stream, ", <a href=\"findings/%s.csv\">the row for the corpus</a>", name);
        }
        fputs("</p>", stream);
    }
}

static void write_finding(FILE *stream, const struct campaign *campaign,
                          const struct failure *finding, size_t more)
{
    char heading[TEXT_SIZE], text[TEXT_SIZE], label[TEXT_SIZE + 32];
    snprintf(heading, sizeof heading, "%s: %s", campaign->targets[finding->target].name,
             kind_name(finding->kind));
    fprintf(stream, "<div class=\"case%s\">", failure_counts(finding) ? " finding" : "");
    write_element(stream, "h3", heading);
    write_element(stream, "p", failure_words(finding));
    write_element(stream, "p class=\"note\"", failure_steadiness(finding));
    if (finding->command) {
        finding_case(finding, text);
        snprintf(label, sizeof label, "Judges the case%s%s:", *text ? " " : "", text);
        write_element(stream, "p class=\"note label\"", label);
        write_command(stream, campaign, finding, write_finding_command);
    }
    if (*finding->path) {
        write_element(stream, "p class=\"note label\"",
                      finding->table ? "Judges all cases of the table:"
                                     : "Runs the target on the input as found:");
        write_command(stream, campaign, finding, write_input_command);
    }
    write_sources(stream, campaign, finding);
    if (more > 0) {
        snprintf(text, sizeof text, "and %zu more inputs that fail so, in findings/%s", more,
                 campaign->targets[finding->target].name);
        write_element(stream, "p class=\"note\"", text);
    }
    fputs("</div>\n", stream);
}

static void write_findings(FILE *stream, const struct campaign *campaign, bool counting)
{
    bool any = false;
    size_t more;
    size_t order[FINDINGS_MOST], count = findings_in_order(campaign, order);
    for (size_t i = 0; i < count; i++) {
        const struct failure *finding = &campaign->findings[order[i]];
        if (failure_counts(finding) != counting || !failure_shown(campaign, finding, &more)) {
            continue;
        }
        if (!any) {
            fprintf(stream, "<section><h2>%s</h2><div class=\"cases\">\n",
                    counting ? "Findings" : "Findings that are gone");
        }
        any = true;
        write_finding(stream, campaign, finding, more);
    }
    fputs(any ? "</div></section>\n" : "", stream);
}

static void write_advice(FILE *stream)
{
    fputs("<section><h2>What to do with a finding</h2><ol>\n"
          "<li>Where a case can be judged, the first command shows the result, the exact answer to "
          "40 digits and the error: of the simplest case that fails in the same way, if one was "
          "found. The last one runs the target on the input as found. What it said in the night "
          "has the stack.</li>\n"
          "<li>Append the row to <code>corpus/NAME.csv</code>, so that it is judged for ever; "
          "<code>findings/NAME.csv</code> has it in that form, as found and simplified.</li>\n"
          "<li>Mend it, then start the campaign again: it tries earlier findings first, and says "
          "which are gone.</li>\n</ol></section>\n",
          stream);
}

static void write_meter(FILE *stream, const struct target *target)
{
    char share[FIGURE_TEXT];
    if (!target->error.told) {
        fputs("<td>-</td>", stream);
        return;
    }
    fprintf(stream,
            "<td><span class=\"meter\"><span class=\"track\"><span class=\"%s\" "
            "style=\"width:%.1f%%\"></span></span><span class=\"number\">%s</span></span></td>",
            target->error.share <= 1 ? "fill" : "fill over", fmin(100, 100 * target->error.share),
            percentage(target->error.share, share));
}

static void write_target(FILE *stream, const struct campaign *campaign, const struct target *target)
{
    char verdict[TEXT_SIZE], text[2 * FIGURE_TEXT + 16], error[FIGURE_TEXT], a[SHORT_SIZE];
    bool good = target_good(campaign, target), found = failure_total(campaign, target) > 0;
    target_verdict(campaign, target, verdict);
    fprintf(stream, "<tr%s>", found ? " class=\"finding\"" : "");
    write_element(stream, "th class=\"left\"", target->name);
    fprintf(stream, "<td class=\"left\"><span class=\"%s\">%s",
            found  ? "bad"
            : good ? "good"
                   : "warning",
            found  ? "\xE2\x9C\x95 "
            : good ? "\xE2\x9C\x93 "
                   : "");
    write_escaped(stream, verdict);
    fputs("</span></td>", stream);
    write_element(stream, "td class=\"wide\"", duration(target->seconds, a));
    write_element(stream, "td class=\"wide\"", short_count(target->executions, a));
    write_element(stream, "td", short_count(target->judged, a));
    write_element(stream, "td class=\"wide\"", short_count(target->features, a));
    write_element(stream, "td class=\"wide\"", short_count(target->corpus_files, a));
    snprintf(text, sizeof text, "%s %s", figure(target->error.error, error), target->error.unit);
    write_element(stream, "td class=\"wide\"", target->error.told ? text : "-");
    write_meter(stream, target);
    write_element(stream, "td class=\"wide\"",
                  share_of(target->coverage.lines_reached, target->coverage.lines, a));
    fputs("</tr>\n", stream);
}

static void write_targets(FILE *stream, const struct campaign *campaign)
{
    fputs("<section><h2>Targets</h2><div class=\"scroll\"><table class=\"targets\"><thead><tr>"
          "<th class=\"left\">Target</th><th class=\"left\">Verdict</th>"
          "<th class=\"wide\">Time</th><th class=\"wide\">Executions</th><th>Judged</th>"
          "<th class=\"wide\">Features</th><th class=\"wide\">Corpus</th>"
          "<th class=\"wide\">Largest error</th><th>Of its bound</th><th class=\"wide\">Lines</th>"
          "</tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < campaign->target_count; i++) {
        write_target(stream, campaign, &campaign->targets[i]);
    }
    fputs("</tbody></table></div>"
          "<p class=\"note notes\">Judged: cases that the oracle compared with the exact answer; a "
          "target that judged none has failed. Parsers have no answer to compare: there, inputs "
          "that were read without a fault are counted. Features: what libFuzzer tells apart, "
          "branches and steps of the error. Corpus: inputs kept. Of its bound: the case nearest to "
          "its own bound. Lines: of the function's own file in impl/, reached by its "
          "corpus.</p></section>\n",
          stream);
}

static void write_coverage(FILE *stream, const struct campaign *campaign)
{
    char a[SHORT_SIZE];
    fputs("<section><h2>What the corpora reach</h2>\n", stream);
    if (*campaign->coverage_note || campaign->file_count == 0) {
        fputs("<p>Not measured: ", stream);
        write_escaped(stream,
                      *campaign->coverage_note ? campaign->coverage_note : "not at the end");
        fputs(".</p></section>\n", stream);
        return;
    }
    fputs("<p class=\"note\">All targets together; <a href=\"coverage/html/index.html\">line by "
          "line</a>. What is not reached was not tested.</p><div class=\"scroll\"><table><thead>"
          "<tr><th class=\"left\">File</th><th>Lines</th><th>reached</th><th>Branches</th>"
          "<th>reached</th></tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < campaign->file_count; i++) {
        const struct coverage *file = &campaign->files[i];
        if (file->lines == 0) {
            continue;
        }
        fputs("<tr>", stream);
        write_element(stream, "th class=\"left\"", file->file);
        write_element(stream, "td", short_count(file->lines, a));
        write_element(stream, "td", share_of(file->lines_reached, file->lines, a));
        write_element(stream, "td", short_count(file->branches, a));
        write_element(stream, "td", share_of(file->branches_reached, file->branches, a));
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div></section>\n", stream);
}

void page_html(FILE *stream, const struct campaign *campaign, struct json_object *json)
{
    char text[2 * TEXT_SIZE];
    bool bad = failure_total(campaign, NULL) > 0 || total_judged(campaign) == 0;
    (void)json;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<title>Fuzzing overnight</title>\n<style>\n",
          stream);
    write_style(stream);
    fputs("</style></head><body><main>\n<h1>Fuzzing overnight</h1>\n", stream);
    headline(campaign, text);
    fprintf(stream, "<p class=\"lead %s\">%s ", bad ? "bad" : "good",
            bad ? "\xE2\x9C\x95" : "\xE2\x9C\x93");
    write_escaped(stream, text);
    fputs("</p>\n", stream);
    how_it_ended(campaign, text);
    if (*text) {
        write_element(stream, "p class=\"warning\"", text);
    }
    notes(campaign, text);
    if (*text) {
        write_element(stream, "p class=\"warning\"", text);
    }
    write_facts(stream, campaign);
    write_findings(stream, campaign, true);
    if (failure_total(campaign, NULL) > 0) {
        write_advice(stream);
    }
    write_targets(stream, campaign);
    write_findings(stream, campaign, false);
    write_coverage(stream, campaign);
    fputs("</main></body></html>\n", stream);
}
