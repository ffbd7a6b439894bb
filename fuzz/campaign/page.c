/* overnight.html, .md, .json and .xml, and the words that they share. */
#include "page.h"

#include "../../reports/output.h"
#include "../../reports/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *short_count(uint64_t count, char text[SHORT_SIZE])
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    double number = (double)count;
    size_t unit = 0;
    while (number >= 999.5 && unit < 4) {
        number /= 1000;
        unit++;
    }
    snprintf(text, SHORT_SIZE, unit && number < 9.95 ? "%.1f%s" : "%.0f%s", number, units[unit]);
    return text;
}

const char *duration(double seconds, char text[SHORT_SIZE])
{
    int whole = (int)(seconds + 0.5);
    if (whole < 120) {
        snprintf(text, SHORT_SIZE, "%d s", whole);
    } else if (whole < 3600) {
        snprintf(text, SHORT_SIZE, whole % 60 ? "%d min %02d s" : "%d min", whole / 60, whole % 60);
    } else {
        snprintf(text, SHORT_SIZE, whole / 60 % 60 ? "%d h %02d min" : "%d h", whole / 3600,
                 whole / 60 % 60);
    }
    return text;
}

const char *share_of(uint64_t part, uint64_t whole, char text[SHORT_SIZE])
{
    if (whole == 0) {
        return "-";
    }
    snprintf(text, SHORT_SIZE, "%.0f %%", floor(100 * (double)part / (double)whole));
    return text;
}

static uint64_t judged_of(const struct campaign *campaign, bool functions)
{
    uint64_t total = 0;
    for (size_t i = 0; i < campaign->target_count; i++) {
        const struct target *target = &campaign->targets[i];
        total += (target->function != NULL) == functions ? target->judged : 0;
    }
    return total;
}

uint64_t total_compared(const struct campaign *campaign)
{
    return judged_of(campaign, true);
}

uint64_t total_read(const struct campaign *campaign)
{
    return judged_of(campaign, false);
}

uint64_t total_judged(const struct campaign *campaign)
{
    return total_compared(campaign) + total_read(campaign);
}

uint64_t total_executions(const struct campaign *campaign)
{
    uint64_t total = 0;
    for (size_t i = 0; i < campaign->target_count; i++) {
        total += campaign->targets[i].executions;
    }
    return total;
}

const char *end_name(enum campaign_end outcome)
{
    static const char *const names[] = {[END_RUNNING] = "running",
                                        [END_FINISHED] = "finished",
                                        [END_INTERRUPTED] = "interrupted",
                                        [END_ENDED] = "ended early"};
    return names[outcome];
}

/* "52 M cases compared with the exact answer and 3.6 M texts read" */
void write_total(FILE *stream, const struct campaign *campaign)
{
    char number[SHORT_SIZE];
    uint64_t compared = total_compared(campaign), read = total_read(campaign);
    if (compared > 0 || read == 0) {
        fprintf(stream, "%s cases compared with the exact answer", short_count(compared, number));
    }
    if (read > 0) {
        fprintf(stream, "%s%s texts read", compared > 0 ? " and " : "", short_count(read, number));
    }
}

void headline(const struct campaign *campaign, char text[2 * TEXT_SIZE])
{
    char time[SHORT_SIZE];
    size_t findings = failure_distinct(campaign, NULL), inputs = failure_total(campaign, NULL);
    size_t good = 0, refused = 0;
    FILE *stream = fmemopen(text, 2 * TEXT_SIZE, "w");
    for (size_t i = 0; i < campaign->target_count; i++) {
        good += target_good(campaign, &campaign->targets[i]);
        refused += campaign->targets[i].refused;
    }
    duration(campaign_seconds(campaign), time);
    if (findings > 0) {
        fprintf(stream, "%zu finding%s", findings, findings == 1 ? "" : "s");
        if (inputs > findings) {
            fprintf(stream, " (%zu failing inputs)", inputs);
        }
        fprintf(stream, " in %s, after ", time);
        write_total(stream, campaign);
        fputs("; ", stream);
    } else if (total_judged(campaign) == 0) {
        fputs("Nothing was compared.", stream);
    } else {
        fputs("No findings: ", stream);
        write_total(stream, campaign);
        fprintf(stream, " in %s, all as they should be; ", time);
    }
    if (findings > 0 || total_judged(campaign) > 0) {
        fprintf(stream, "%zu of %zu targets passed", good, campaign->target_count - refused);
        if (refused > 0) {
            fprintf(stream, ", %zu cannot be fuzzed", refused);
        }
        fputc('.', stream);
    }
    fclose(stream);
}

void notes(const struct campaign *campaign, char text[2 * TEXT_SIZE])
{
    size_t unmerged = 0;
    FILE *stream = fmemopen(text, 2 * TEXT_SIZE, "w");
    for (size_t i = 0; i < campaign->target_count; i++) {
        unmerged += campaign->targets[i].unmerged;
    }
    if (unmerged > 0) {
        fprintf(stream,
                "The corpora of %zu targets could not be reduced and stay as they are; "
                "merged/NAME.log says why.",
                unmerged);
    }
    if (campaign->findings_left_out > 0) {
        fprintf(stream, "%s%" PRIu64 " more failing inputs than are told of here lie in findings/.",
                unmerged > 0 ? " " : "", campaign->findings_left_out);
    }
    fputc('\0', stream);
    fclose(stream);
}

void how_it_ended(const struct campaign *campaign, char text[2 * TEXT_SIZE])
{
    char budget[SHORT_SIZE];
    duration(campaign->options.seconds, budget);
    switch (campaign->end) {
    case END_FINISHED:
        *text = '\0';
        break;
    case END_RUNNING:
        snprintf(text, 2 * TEXT_SIZE,
                 "The campaign of %s was going on when this was written. If it is not any more, it "
                 "was killed: the same command goes on with it.",
                 budget);
        break;
    case END_INTERRUPTED:
        snprintf(text, 2 * TEXT_SIZE,
                 "Interrupted before its %s were over; the same command goes on from here. Cases "
                 "judged in slices that were cut short are counted.",
                 budget);
        break;
    case END_ENDED:
        snprintf(text, 2 * TEXT_SIZE, "Ended early, before its %s were over: %s.", budget,
                 campaign->reason);
        break;
    }
}

bool target_good(const struct campaign *campaign, const struct target *target)
{
    return target->status == TARGET_READY && target->slices > 0 && target->judged > 0 &&
           failure_total(campaign, target) == 0;
}

void target_verdict(const struct campaign *campaign, const struct target *target,
                    char text[TEXT_SIZE])
{
    size_t findings = failure_distinct(campaign, target), inputs = failure_total(campaign, target);
    if (findings > 0) {
        char alike[SHORT_SIZE];
        FILE *stream = fmemopen(text, TEXT_SIZE, "w");
        fprintf(stream, "%zu finding%s", findings, findings == 1 ? "" : "s");
        if (inputs > findings) {
            fprintf(stream, ", %zu inputs", inputs);
        }
        if (target->alike > 0) {
            fprintf(stream, ", %s more that fail alike", short_count(target->alike, alike));
        }
        if (*target->note) {
            fprintf(stream, "; %s", target->note);
        }
        fclose(stream);
    } else if (*target->note) {
        snprintf(text, TEXT_SIZE, "%s", target->note);
    } else if (target->started == 0) {
        snprintf(text, TEXT_SIZE, "not reached");
    } else if (target->slices == 0) {
        snprintf(text, TEXT_SIZE, target->running > 0 ? "running" : "cut short");
    } else {
        snprintf(text, TEXT_SIZE, target->function ? "within" : "good");
    }
}

const char *failure_steadiness(const struct failure *finding)
{
    switch (finding->state) {
    case FAILURE_FAILS:
        return finding->earlier ? "of an earlier session, and still fails"
                                : "fails again by itself";
    case FAILURE_UNSTEADY:
        return "did not fail again by itself: it may depend on what ran before it, or on time";
    case FAILURE_GONE:
        return "of an earlier session; does not fail any more";
    case FAILURE_NEW:
        break;
    }
    return *finding->path ? "not run again yet" : "left no input behind";
}

/* One that fails again by itself says most, and one whose case is known. */
static int failure_worth(const struct failure *finding)
{
    return (finding->state == FAILURE_FAILS ? 2 : 0) + (finding->command ? 1 : 0);
}

bool failure_shown(const struct campaign *campaign, const struct failure *finding, size_t *more)
{
    size_t alike = 0;
    bool best = true;
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *other = &campaign->findings[i];
        if (failure_alike(other, finding)) {
            alike++;
            int worth = failure_worth(other) - failure_worth(finding);
            best = best && (worth < 0 || (worth == 0 && other >= finding));
        }
    }
    *more = alike - 1;
    return best;
}

size_t findings_in_order(const struct campaign *campaign, size_t order[FINDINGS_MOST])
{
    size_t count = 0;
    for (enum failure_kind kind = 0; kind < KIND_COUNT; kind++) {
        for (size_t target = 0; target < campaign->target_count; target++) {
            for (size_t i = 0; i < campaign->finding_count; i++) {
                const struct failure *finding = &campaign->findings[i];
                if (finding->kind == kind && finding->target == target) {
                    order[count++] = i;
                }
            }
        }
    }
    return count;
}

static void write_program(FILE *stream, const struct campaign *campaign)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/truelerp", campaign->options.binaries);
    write_shell_word(stream, path);
}

/* The shortest decimal number that is read as this one; what is no number stays as it is. */
static void write_decimal(FILE *stream, const char *item, size_t length)
{
    char text[64], decimal[64];
    char *end;
    snprintf(text, sizeof text, "%.*s", (int)length, item);
    double number = strtod(text, &end);
    if (length == 0 || length >= sizeof text || *end != '\0') {
        fprintf(stream, "%.*s", (int)length, item);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(decimal, sizeof decimal, "%.*g", digits, number);
        if (strtod(decimal, NULL) == number) {
            break;
        }
    }
    fputs(decimal, stream);
}

/* One field, items with semicolons between them. */
static void write_field(FILE *stream, const char *name, size_t name_length, const char *field,
                        size_t length)
{
    fprintf(stream, "%.*s =", (int)name_length, name);
    for (size_t used = 0; used <= length;) {
        size_t item = strcspn(field + used, ";,'");
        fputc(' ', stream);
        write_decimal(stream, field + used, item);
        used += item + 1;
    }
}

/* From the command "printf '%s\n' 'a,b' '0x1p+0,0x1p+1' | ...": names and numbers have no quotes.
 */
void finding_case(const struct failure *finding, char text[TEXT_SIZE])
{
    char *whole = NULL;
    size_t size;
    const char *names = finding->command ? strstr(finding->command, "\\n' '") : NULL;
    const char *fields = names ? strstr(names + 5, "' '") : NULL;
    *text = '\0';
    if (!fields) {
        return;
    }
    names += 5;
    fields += 3;
    FILE *stream = open_memstream(&whole, &size);
    while (true) {
        size_t name = strcspn(names, ",'"), field = strcspn(fields, ",'");
        write_field(stream, names, name, fields, field);
        names += name;
        fields += field;
        if (*names != ',' || *fields != ',') {
            break;
        }
        names++;
        fields++;
        fputs(", ", stream);
    }
    fclose(stream);
    if (size < TEXT_SIZE) {
        snprintf(text, TEXT_SIZE, "%s", whole);
    }
    free(whole);
}

/* Where the command is a pipe into the program, its path. */
void write_finding_command(FILE *stream, const struct campaign *campaign,
                           const struct failure *finding)
{
    static const char program[] = " | truelerp ";
    const char *pipe = strstr(finding->command, program);
    if (!pipe) {
        fputs(finding->command, stream);
        return;
    }
    fwrite(finding->command, 1, (size_t)(pipe - finding->command), stream);
    fputs(" | ", stream);
    write_program(stream, campaign);
    fprintf(stream, " %s", pipe + strlen(program));
}

void write_input_command(FILE *stream, const struct campaign *campaign,
                         const struct failure *finding)
{
    const struct target *target = &campaign->targets[finding->target];
    if (finding->table) {
        write_program(stream, campaign);
        fprintf(stream, " eval %s ", target->name);
        write_shell_word(stream, finding->path);
        if (campaign->options.implementation) {
            fputs(" --impl ", stream);
            write_shell_word(stream, campaign->options.implementation);
        }
        return;
    }
    if (campaign->options.implementation) {
        fputs("TRUELERP_FUZZ_IMPL=", stream);
        write_shell_word(stream, campaign->options.implementation);
        fputc(' ', stream);
    }
    fputs(job_has_names(campaign, target) ? "" : "ASAN_OPTIONS=symbolize=0 ", stream);
    write_shell_word(stream, target->binary);
    fprintf(stream, " -timeout=%u -rss_limit_mb=%u -malloc_limit_mb=%u ", campaign->options.timeout,
            campaign->limit_mb, campaign->limit_mb);
    write_shell_word(stream, finding->path);
}

/* overnight.json */

static struct json_object *coverage_json(const struct coverage *coverage)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "file", json_text(coverage->file));
    json_add(object, "lines", json_count(coverage->lines));
    json_add(object, "lines_reached", json_count(coverage->lines_reached));
    json_add(object, "branches", json_count(coverage->branches));
    json_add(object, "branches_reached", json_count(coverage->branches_reached));
    return object;
}

static struct json_object *target_json(const struct campaign *campaign, const struct target *target)
{
    struct json_object *object = json_object_new_object();
    char verdict[TEXT_SIZE];
    target_verdict(campaign, target, verdict);
    json_add(object, "name", json_text(target->name));
    json_add(object, "good", json_object_new_boolean(target_good(campaign, target)));
    json_add(object, "verdict", json_text(verdict));
    json_add(object, "findings", json_count(failure_distinct(campaign, target)));
    json_add(object, "failing_inputs", json_count(failure_total(campaign, target)));
    json_add(object, "failing_alike", json_count(target->alike));
    json_add(object, "note", *target->note ? json_text(target->note) : NULL);
    json_add(object, "seconds", json_number(target->seconds));
    json_add(object, "executions", json_count(target->executions));
    json_add(object, "judged", json_count(target->judged));
    json_add(object, "slices", json_count(target->slices));
    json_add(object, "features", json_count(target->features));
    json_add(object, "edges", json_count(target->edges));
    json_add(object, "corpus_files", json_count(target->corpus_files));
    if (target->error.told) {
        json_add(object, "largest_error", json_number(target->error.error));
        json_add(object, "unit", json_text(target->error.unit));
        json_add(object, "share_of_bound", json_number(target->error.share));
    }
    if (target->coverage.measured) {
        json_add(object, "coverage", coverage_json(&target->coverage));
    }
    return object;
}

typedef void writer(FILE *stream, const struct campaign *campaign, const struct failure *finding);

static struct json_object *written(const struct campaign *campaign, const struct failure *finding,
                                   writer *write)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    write(stream, campaign, finding);
    fclose(stream);
    struct json_object *object = json_text(text);
    free(text);
    return object;
}

static struct json_object *finding_json(const struct campaign *campaign,
                                        const struct failure *finding)
{
    static const char *const states[] = {[FAILURE_NEW] = "new",
                                         [FAILURE_FAILS] = "fails",
                                         [FAILURE_UNSTEADY] = "unsteady",
                                         [FAILURE_GONE] = "gone"};
    struct json_object *object = json_object_new_object();
    json_add(object, "target", json_text(campaign->targets[finding->target].name));
    json_add(object, "kind", json_text(kind_name(finding->kind)));
    json_add(object, "what", json_text(finding->what));
    json_add(object, "state", json_text(states[finding->state]));
    json_add(object, "earlier", json_object_new_boolean(finding->earlier));
    json_add(object, "where", *finding->where ? json_text(finding->where) : NULL);
    size_t more;
    json_add(object, "shown", json_object_new_boolean(failure_shown(campaign, finding, &more)));
    json_add(object, "input", *finding->path ? json_text(finding->path) : NULL);
    json_add(object, "eval",
             finding->command ? written(campaign, finding, write_finding_command) : NULL);
    json_add(object, "run",
             *finding->path ? written(campaign, finding, write_input_command) : NULL);
    return object;
}

struct json_object *page_json(const struct campaign *campaign)
{
    struct json_object *object = json_object_new_object();
    struct json_object *targets = json_object_new_array();
    struct json_object *findings = json_object_new_array();
    struct json_object *files = json_object_new_array();
    for (size_t i = 0; i < campaign->target_count; i++) {
        json_object_array_add(targets, target_json(campaign, &campaign->targets[i]));
    }
    for (size_t i = 0; i < campaign->finding_count; i++) {
        json_object_array_add(findings, finding_json(campaign, &campaign->findings[i]));
    }
    for (size_t i = 0; i < campaign->file_count; i++) {
        json_object_array_add(files, coverage_json(&campaign->files[i]));
    }
    json_add(object, "outcome", json_text(end_name(campaign->end)));
    json_add(object, "reason", *campaign->reason ? json_text(campaign->reason) : NULL);
    json_add(object, "exit_code", json_count(campaign->code));
    json_add(object, "date", json_text(campaign->date));
    json_add(object, "command", json_text(campaign->command));
    json_add(object, "implementation",
             campaign->options.implementation ? json_text(campaign->options.implementation) : NULL);
    json_add(object, "seconds", json_number(campaign_seconds(campaign)));
    json_add(object, "seconds_planned", json_number(campaign->options.seconds));
    json_add(object, "sessions", json_count(campaign->sessions));
    json_add(object, "jobs", json_count(campaign->options.jobs));
    json_add(object, "executions", json_count(total_executions(campaign)));
    json_add(object, "judged", json_count(total_judged(campaign)));
    json_add(object, "compared", json_count(total_compared(campaign)));
    json_add(object, "read", json_count(total_read(campaign)));
    json_add(object, "findings_that_count", json_count(failure_distinct(campaign, NULL)));
    json_add(object, "failing_inputs", json_count(failure_total(campaign, NULL)));
    json_add(object, "findings_left_out", json_count(campaign->findings_left_out));
    json_add(object, "output_bytes", json_count(campaign->out_bytes));
    json_add(object, "output_bytes_most", json_count(campaign->out_most));
    json_add(object, "memory_kilobytes_most", json_count(campaign->memory_most));
    json_add(object, "targets", targets);
    json_add(object, "findings", findings);
    json_add(object, "coverage_note",
             *campaign->coverage_note ? json_text(campaign->coverage_note) : NULL);
    json_add(object, "coverage", files);
    return object;
}

/* All four. */

static bool write_form(const struct campaign *campaign, struct json_object *json, size_t form)
{
    static const char *const suffixes[] = {"json", "md", "xml", "html"};
    char *path = store_path(campaign, "overnight.%s", suffixes[form]);
    struct output output;
    bool good = output_open(&output, path);
    free(path);
    if (!good) {
        return false;
    }
    switch (form) {
    case 0:
        json_write(output.stream, json, true);
        break;
    case 1:
        page_markdown(output.stream, campaign);
        break;
    case 2:
        page_junit(output.stream, campaign);
        break;
    default:
        page_html(output.stream, campaign, json);
    }
    return output_finish(&output) && output_publish(&output);
}

bool page_write(struct campaign *campaign)
{
    struct json_object *json = page_json(campaign);
    bool good = true;
    for (size_t form = 0; form < 4; form++) {
        good &= write_form(campaign, json, form);
    }
    json_object_put(json);
    return good;
}
