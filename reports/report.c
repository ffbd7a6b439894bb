/* truelerp report: many drawn cases, or the user's own, judged and told as JSON, Markdown, HTML. */
#include "output.h"
#include "process.h"
#include "program.h"
#include "report.h"
#include "rows.h"
#include "shard.h"

#include "../corpus/case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_SAMPLES = 1200000 };
enum { KEY_TIMEOUT = 256, KEY_SHARD };

struct request {
    struct selection selection;
    uint64_t samples;
    uint64_t seed;
    const char *inputs;
    unsigned jobs;
    uint64_t time_limit;
    const char *out;
    const char *implementation;
    const char *command;
    struct sweep_share share; /* {0, 0}: the whole, and a report */
};

/* The user's own cases. */
struct work {
    const struct request *request;
    struct subject subject;
    struct rows rows;
    struct sweep_part *parts;
    struct sweep sweep;
    struct report report;
    struct tally *tallies;
    char date[DATE_TEXT];
    enum exit_code exit_code;
};

/* "3/7" */
static struct sweep_share read_share(struct argp_state *state, const char *text)
{
    char number[24];
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : 0;
    if (length == 0 || length >= sizeof number) {
        argp_error(state, "--shard wants a number of how many, such as 3/7, not '%s'", text);
    }
    memcpy(number, text, length);
    number[length] = '\0';
    struct sweep_share share = {
        .count = option_number(state, "--shard I/N: N", slash + 1, 1, SHARDS_MAX)};
    share.number = option_number(state, "--shard I/N: I", number, 1, share.count);
    return share;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'n':
        request->samples = option_number(state, "--samples", argument, 1, REPORT_SAMPLES_MAX);
        return 0;
    case 's':
        request->seed = option_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case 'f':
        request->inputs = argument;
        return 0;
    case 'j':
        request->jobs = (unsigned)option_number(state, "--jobs", argument, 1, JOBS_MAX);
        return 0;
    case 'o':
        request->out = argument;
        return 0;
    case 'i':
        request->implementation = argument;
        return 0;
    case KEY_SHARD:
        request->share = read_share(state, argument);
        return 0;
    case KEY_TIMEOUT:
        request->time_limit = option_number(state, "--timeout", argument, 1, TIME_LIMIT_MAX);
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    case ARGP_KEY_END:
        if (request->inputs && request->selection.count != 1) {
            argp_error(state, "--inputs wants exactly one function, the one to judge them by");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Which functions. */

size_t report_parts_most(void)
{
    size_t most = 1;
    for (size_t i = 0; i < catalog_count; i++) {
        most += domains_of(catalog[i])->count + 1;
    }
    return most;
}

size_t report_drawn_parts(struct sweep_part *parts, const struct function *function, size_t number,
                          uint64_t samples)
{
    const struct domains *domains = domains_of(function);
    for (size_t i = 0; i < domains->count; i++) {
        parts[i] = (struct sweep_part){
            .function = function,
            .function_number = number,
            .domain = &domains->list[i],
            .cases = samples / domains->count + (i < samples % domains->count),
        };
    }
    const struct rows *rows = rows_stored(function);
    if (!rows) {
        exit(EXIT_UNTRUSTED);
    }
    parts[domains->count] = (struct sweep_part){.function = function,
                                                .function_number = number,
                                                .rows = rows->list,
                                                .stored = true,
                                                .cases = rows->count};
    return domains->count + 1;
}

static void add_parts(struct work *work, const struct function *function)
{
    struct sweep_part part = {.function = function,
                              .function_number = work->report.function_count++};
    struct sweep_part *list = work->parts;
    if (work->request->inputs) {
        part.rows = work->rows.list;
        part.cases = work->rows.count;
        list[work->sweep.part_count++] = part;
        return;
    }
    work->sweep.part_count += report_drawn_parts(&list[work->sweep.part_count], part.function,
                                                 part.function_number, work->request->samples);
}

static void print_lacking(const struct work *work)
{
    const char **names = calloc(catalog_count, sizeof(const char *));
    if (names) {
        size_t count = subject_lacking(&work->subject, &work->request->selection, names);
        write_lacking(stdout, work->subject.path, names, count);
    }
    free(names);
}

static bool choose_parts(struct work *work)
{
    work->parts = calloc(report_parts_most(), sizeof *work->parts);
    for (size_t i = 0; i < catalog_count; i++) {
        if (!selection_holds(&work->request->selection, catalog[i]->name)) {
            continue;
        }
        if (implementation_has(work->subject.implementation, catalog[i])) {
            add_parts(work, catalog[i]);
        }
    }
    print_lacking(work);
    if (work->report.function_count == 0) {
        complain("%s has no function to judge", work->subject.path);
    }
    return work->report.function_count > 0;
}

/* The user's own cases. */

static void refuse(struct work *work, const char *message)
{
    complain("%s", message);
    work->exit_code = EXIT_USAGE;
}

static void read_rows(struct work *work, struct csv *csv, const struct function *function)
{
    struct columns columns;
    struct row row;
    struct values inputs = {0};
    enum csv_status status = CSV_ROW;
    const char *message = columns_read_header(&columns, function, csv);
    if (message) {
        refuse(work, message);
        return;
    }
    while (status != CSV_FAILED && (status = csv_next(csv, &row)) != CSV_END) {
        message = status == CSV_ROW ? case_read(&columns, csv, &row, &inputs) : csv_message(csv);
        if (message) {
            refuse(work, message);
        } else {
            rows_append(&work->rows, &inputs);
        }
    }
    values_free(&inputs);
}

/* Malformed rows are told and left out. */
static bool read_inputs(struct work *work)
{
    const char *path = work->request->inputs;
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "r");
    if (!stream) {
        complain("%s: cannot be read: %s", path_shown(path), strerror(errno));
        return false;
    }
    const char *name = standard ? "standard input" : path;
    struct csv *csv = csv_open(stream, name);
    read_rows(work, csv, catalog_find(work->request->selection.names[0]));
    csv_close(csv);
    if (!standard) {
        fclose(stream);
    }
    if (work->rows.count == 0) {
        complain("%s: no case to judge", name);
    }
    return work->rows.count > 0;
}

/* The files. */

static void render(FILE *stream, size_t kind, const struct report *report, struct json_object *json)
{
    switch (kind) {
    case 0:
        json_write(stream, json, true);
        return;
    case 1:
        render_markdown(stream, report);
        return;
    default:
        render_html(stream, report, json);
    }
}

static const char *const names[] = {"accuracy.json", "accuracy.md", "accuracy.html"};
enum { FILES = sizeof names / sizeof names[0] };

bool report_spares(const char *directory, const char *called, const char *path)
{
    bool good = true;
    for (size_t i = 0; good && i < FILES; i++) {
        char *out = NULL;
        good = asprintf(&out, "%s/%s", directory, names[i]) >= 0;
        const struct program_file files[] = {{called, path, false}, {"the report", out, true}};
        good = good && program_files_apart(files, sizeof files / sizeof files[0]);
        free(out);
    }
    return good;
}

bool report_write(const struct report *report, const char *directory)
{
    struct output outputs[FILES] = {{0}};
    struct json_object *json = render_json(report);
    bool good = true;
    for (size_t i = 0; good && i < FILES; i++) {
        char *path = NULL;
        good = asprintf(&path, "%s/%s", directory, names[i]) >= 0 && output_open(&outputs[i], path);
        free(path);
        if (good) {
            render(outputs[i].stream, i, report, json);
            good = output_finish(&outputs[i]);
        }
    }
    good = good && !process_interrupted();
    for (size_t i = 0; i < FILES; i++) {
        good = good && output_publish(&outputs[i]);
        output_discard(&outputs[i]);
    }
    json_object_put(json);
    return good;
}

/* The whole. */

static enum exit_code found(const struct report *report)
{
    enum exit_code exit_code = EXIT_WITHIN;
    for (size_t i = 0; i < report->function_count; i++) {
        for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
            bool open = finding == FINDING_UNDECIDED || finding == FINDING_FAULT;
            if (report->totals[i].findings[finding] > 0) {
                exit_code = exit_worse(exit_code, open ? EXIT_UNTRUSTED : EXIT_FINDING);
            }
        }
    }
    return exit_code;
}

enum exit_code report_verdict(const struct report *report)
{
    enum exit_code exit_code = found(report);
    for (size_t i = 0; i < report->function_count; i++) {
        if (tally_compared(&report->totals[i]) == 0) {
            exit_code = exit_worse(exit_code, EXIT_FINDING);
        }
    }
    return exit_code;
}

void report_conclude(const struct report *report, const char *directory)
{
    render_terminal(stdout, report);
    uint64_t compared = report_compared(report);
    printf("\n%" PRIu64 " result%s of %zu function%s compared in %.1f s: %s\n", compared,
           compared == 1 ? "" : "s", report->function_count, report->function_count == 1 ? "" : "s",
           report->seconds,
           report_verdict(report) == EXIT_WITHIN ? "all within their bounds" : "see above");
    printf("Report: %s/accuracy.html (also .md and .json)\n", directory);
}

/* A shard of it. */

static bool write_shard(const struct work *work)
{
    const struct request *request = work->request;
    char *message = NULL;
    bool *holds = calloc(request->share.count, sizeof *holds);
    struct shard shard = {
        .work = holds ? shard_work(&work->report, &message) : NULL,
        .count = request->share.count,
        .holds = holds,
        .parts = work->parts,
        .part_count = work->sweep.part_count,
        .tallies = work->tallies,
        .run = {.microseconds = (uint64_t)(work->report.seconds * 1e6) + 1,
                .jobs = request->jobs,
                .exit_code = work->exit_code},
    };
    memcpy(shard.run.date, work->date, sizeof shard.run.date);
    bool good = shard.work != NULL;
    if (good) {
        holds[request->share.number - 1] = true;
        good = !process_interrupted() && shard_write(&shard, request->out);
    } else {
        complain("%s", message ? message : "not enough memory");
    }
    json_object_put(shard.work);
    free(message);
    free(holds);
    return good;
}

/* A function of which it has nothing is the merged report's concern. */
static enum exit_code conclude_shard(const struct work *work)
{
    const struct report *report = &work->report;
    enum exit_code exit_code = found(report);
    if (exit_code != EXIT_WITHIN) {
        render_terminal(stdout, report);
        putchar('\n');
    }
    printf("Shard %" PRIu64 " of %" PRIu64 ": %" PRIu64 " results compared in %.1f s: %s\n"
           "Shard file: %s (truelerp merge makes the report of all %" PRIu64 ")\n",
           work->request->share.number, work->request->share.count, report_compared(report),
           report->seconds, exit_code == EXIT_WITHIN ? "all within their bounds" : "see above",
           work->request->out, work->request->share.count);
    return exit_code;
}

static bool write_and_conclude(struct work *work)
{
    const struct request *request = work->request;
    bool shard = request->share.count > 0;
    report_total(&work->report);
    if (!(shard ? write_shard(work) : report_write(&work->report, request->out))) {
        return false;
    }
    if (shard) {
        work->exit_code = exit_worse(work->exit_code, conclude_shard(work));
    } else {
        report_conclude(&work->report, request->out);
        work->exit_code = exit_worse(work->exit_code, report_verdict(&work->report));
    }
    return true;
}

static enum exit_code sweep_and_write(struct work *work)
{
    double start = process_time();
    enum sweep_status status = sweep_run(&work->sweep, work->tallies);
    if (status == SWEEP_FAILED) {
        return EXIT_UNTRUSTED;
    }
    work->report.seconds = process_time() - start;
    if (status == SWEEP_DONE && write_and_conclude(work)) {
        return work->exit_code;
    }
    if (process_interrupted()) {
        complain("interrupted; nothing was written");
        return EXIT_FINDING;
    }
    return EXIT_USAGE;
}

static enum exit_code judge_and_tell(struct work *work)
{
    const struct request *request = work->request;
    work->tallies = calloc(work->sweep.part_count, sizeof *work->tallies);
    work->report.totals = calloc(work->report.function_count, sizeof *work->report.totals);
    if (!work->tallies || !work->report.totals) {
        complain("not enough memory");
        return EXIT_UNTRUSTED;
    }
    work->sweep.implementation = work->subject.implementation;
    work->sweep.seed = request->seed;
    work->sweep.parts = work->parts;
    work->sweep.share = request->share;
    work->sweep.jobs = request->jobs;
    work->sweep.time_limit = (double)request->time_limit;
    work->sweep.show_progress = isatty(STDERR_FILENO);
    time_t now = time(NULL);
    strftime(work->date, sizeof work->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    work->report.sweep = &work->sweep;
    work->report.implementation_path = work->subject.path;
    work->report.inputs_name = request->inputs;
    work->report.samples = request->inputs ? work->rows.count : request->samples;
    work->report.tallies = work->tallies;
    work->report.date = work->date;
    work->report.command = request->command;

    sigset_t signals, before;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    enum exit_code exit_code = sweep_and_write(work);
    fflush(stdout);
    sigprocmask(SIG_SETMASK, &before, NULL); /* an interrupt ends the program here */
    return exit_code;
}

/* Better found out before the work is done; or, where none is to be done, whether it could be. */
static bool place_is_there(const struct request *request, bool make)
{
    bool (*check)(const char *) = make ? output_directory : output_directory_possible;
    if (request->share.count == 0) {
        return check(request->out);
    }
    struct stat status;
    if (stat(request->out, &status) == 0 && S_ISDIR(status.st_mode)) {
        complain("%s: is a directory, where a shard's file should be", request->out);
        return false;
    }
    char *path = strdup(request->out);
    char *slash = strrchr(path, '/');
    if (slash) {
        slash[slash == path] = '\0';
    }
    bool there = check(slash ? path : ".");
    free(path);
    return there;
}

static bool files_apart(const struct request *request)
{
    if (request->share.count == 0) {
        return report_spares(request->out, "--inputs", request->inputs) &&
               report_spares(request->out, "--impl", request->implementation);
    }
    const struct program_file files[] = {{"--inputs", request->inputs, false},
                                         {"--impl", request->implementation, false},
                                         {"the shard", request->out, true}};
    return program_files_apart(files, sizeof files / sizeof files[0]);
}

static enum exit_code run(struct work *work)
{
    const struct request *request = work->request;
    if (!files_apart(request)) {
        return EXIT_USAGE;
    }
    work->exit_code = program_environment();
    work->exit_code =
        exit_worse(work->exit_code,
                   subject_open(&work->subject, request->implementation, request->time_limit));
    if (work->exit_code == EXIT_USAGE ||
        !subject_has_selection(&work->subject, &work->request->selection) ||
        (request->inputs && !read_inputs(work))) {
        return EXIT_USAGE;
    }
    bool trusted = work->exit_code != EXIT_UNTRUSTED; /* else stored cases may be read as others */
    if ((trusted && !choose_parts(work)) || !place_is_there(request, trusted)) {
        return EXIT_USAGE;
    }
    return trusted ? judge_and_tell(work) : EXIT_UNTRUSTED;
}

static void release(struct work *work)
{
    rows_free(&work->rows);
    free(work->parts);
    free(work->tallies);
    free(work->report.totals);
    subject_close(&work->subject);
}

int verb_report(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"samples", 'n', "N", 0,
         "Draw N cases for each function (default 1200000); 1e6 is a million", 0},
        {"seed", 's', "S", 0, "Seed of the drawn cases (default 1)", 0},
        {"inputs", 'f', "FILE.csv", 0,
         "Judge the cases of this file, as `truelerp eval` reads them, instead of drawn ones", 0},
        {"jobs", 'j', "N", 0, "Work with N processes (default: one for each processor)", 0},
        {"out", 'o', "DIR", 0, "Write the report there (default accuracy-report)", 0},
        {"shard", KEY_SHARD, "I/N", 0,
         "Do only part I of N of the work and write a shard file, for `truelerp merge`, to FILE of "
         "--out FILE (default shard-I-of-N.jsonl)",
         0},
        {"impl", 'i', "FILE.so", 0, "Judge this shared object instead of the built-in library", 0},
        {"timeout", KEY_TIMEOUT, "SECONDS", 0,
         "Give up on a call that lasts longer; a finding (default 10)", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Judges the functions, or only the named ones, on many cases from each of their domains, "
        "and writes accuracy.html, accuracy.md and accuracy.json."
        "\vThe same seed gives the same report with any number of jobs, but for the object `run` "
        "of accuracy.json, and so do shards, merged. An implementation under test that crashes or "
        "hangs is a finding; the rest of the report goes on, but for a function of which three "
        "calls did not return, which is called no more (and how far it came may differ then).",
        NULL,
        NULL,
        NULL};
    char *command = command_text(argc, argv);
    struct request request = {.samples = DEFAULT_SAMPLES,
                              .seed = 1,
                              .jobs = process_processors(),
                              .time_limit = DEFAULT_TIME_LIMIT,
                              .command = command};
    program_parse(&argp, "report", argc, argv, &request);
    char name[64];
    snprintf(name, sizeof name, "shard-%" PRIu64 "-of-%" PRIu64 ".jsonl", request.share.number,
             request.share.count);
    if (!request.out) {
        request.out = request.share.count > 0 ? name : "accuracy-report";
    }
    struct work work = {.request = &request};
    enum exit_code exit_code = run(&work);
    release(&work);
    free(command);
    return exit_code;
}
