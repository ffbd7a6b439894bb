/* truelerp gate: is this build as good as the one that the baseline was made of? */
#include "ascent.h"
#include "cost.h"
#include "gate_result.h"
#include "output.h"
#include "page.h"
#include "process.h"
#include "render.h"
#include "rows.h"
#include "threads.h"

#include "../corpus/case.h"
#include "../impl/truelerp.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { FULL_SAMPLES = 1000000, QUICK_SHARE = 10, ALONE = 5, SEED = 1 };
enum { COST_TOLERANCE = 2 };   /* percent: what a compiler's next minor version may make of it */
enum { COST_TIME_LIMITS = 6 }; /* for COST_CASES calls under valgrind, of that for one without */
static const char two_threads[] = "two threads at once";
static const char hangs_note[] = "calls of it do not return, so it is called no more";
static const char default_baseline[] = "reports/baseline.json";

enum {
    KEY_TIMEOUT = 256,
    KEY_CONTRACT,
    KEY_UPDATE,
    KEY_IMPROVEMENT,
    KEY_MARKDOWN,
    KEY_JSON,
    KEY_JUNIT,
    KEY_ANNOTATE,
    KEY_COUNT,
    KEY_TOLERANCE,
    KEY_NO_COUNT
};

enum output_kind { OUTPUT_MARKDOWN, OUTPUT_JSON, OUTPUT_JUNIT, OUTPUT_COUNT };

struct request {
    struct selection selection;
    uint64_t samples; /* 0: as the baseline has it */
    bool quick, update, contract_only, allow_improvement, annotate, no_count;
    uint64_t tolerance;  /* percent */
    const char *counted; /* this is what runs under valgrind: the function */
    unsigned jobs;
    uint64_t time_limit;
    const char *baseline;
    const char *implementation;
    const char *outputs[OUTPUT_COUNT];
    const char *command;
};

struct work {
    const struct request *request;
    struct subject subject;
    const struct function **functions;
    size_t function_count;
    const struct rows **rows; /* one a function */
    uint64_t *hangs;          /* likewise: calls that did not return */
    struct baseline before, now;
    const char *baseline_path; /* NULL: built in, or none */
    bool has_before;
    char *update_command;
    const char **lacking; /* names of functions */
    struct gate gate;
    enum exit_code exit_code;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'n':
        request->samples = option_number(state, "--samples", argument, 1, 1000000000000000);
        return 0;
    case 'q':
        request->quick = true;
        return 0;
    case 'j':
        request->jobs = (unsigned)option_number(state, "--jobs", argument, 1, JOBS_MAX);
        return 0;
    case 'b':
        request->baseline = argument;
        return 0;
    case 'i':
        request->implementation = argument;
        return 0;
    case KEY_TIMEOUT:
        request->time_limit = option_number(state, "--timeout", argument, 1, TIME_LIMIT_MAX);
        return 0;
    case KEY_CONTRACT:
        request->contract_only = true;
        return 0;
    case KEY_UPDATE:
        request->update = true;
        return 0;
    case KEY_IMPROVEMENT:
        request->allow_improvement = true;
        return 0;
    case KEY_COUNT:
        request->counted = argument;
        return 0;
    case KEY_TOLERANCE:
        request->tolerance = option_number(state, "--cost-tolerance", argument, 0, 1000);
        return 0;
    case KEY_NO_COUNT:
        request->no_count = true;
        return 0;
    case KEY_MARKDOWN:
    case KEY_JSON:
    case KEY_JUNIT:
        request->outputs[key - KEY_MARKDOWN] = argument;
        return 0;
    case KEY_ANNOTATE:
        if (strcmp(argument, "github") != 0) {
            argp_error(state, "--annotate knows 'github', not '%s'", argument);
        }
        request->annotate = true;
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    case ARGP_KEY_END:
        if (request->quick && request->samples) {
            argp_error(state, "--quick and --samples are two ways to say how many");
        }
        if (request->update && (request->contract_only || request->quick)) {
            argp_error(state, "--update makes the whole of a baseline; --%s does not go with it",
                       request->quick ? "quick" : "contract-only");
        }
        if (request->contract_only && request->baseline) {
            argp_error(state, "--contract-only asks for no baseline; --baseline names one");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Which functions. */

static bool choose_functions(struct work *work)
{
    work->functions = calloc(catalog_count, sizeof(const struct function *));
    work->rows = calloc(catalog_count, sizeof(const struct rows *));
    work->hangs = calloc(catalog_count, sizeof *work->hangs);
    work->lacking = calloc(catalog_count, sizeof(const char *));
    if (!work->functions || !work->rows || !work->hangs || !work->lacking) {
        complain("not enough memory");
        return false;
    }
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(&work->request->selection, catalog[i]->name) &&
            implementation_has(work->subject.implementation, catalog[i])) {
            work->functions[work->function_count++] = catalog[i];
        }
    }
    if (work->function_count == 0) {
        complain("%s has no function to judge", work->subject.path);
    }
    return work->function_count > 0;
}

/* The baseline. */

static const struct page_file *built_in_baseline(void)
{
    size_t i = 0;
    while (strcmp(page_files[i].name, "baseline.json") != 0) {
        i++;
    }
    return &page_files[i];
}

static bool find_baseline(struct work *work)
{
    const struct request *request = work->request;
    work->baseline_path = request->baseline;
    if (request->contract_only || request->baseline) {
        return true;
    }
    if (request->implementation) {
        complain("%s wants a baseline of its own: --baseline FILE, which --update makes; or "
                 "--contract-only, to judge it by the bounds alone",
                 request->implementation);
        return false;
    }
    if (access(default_baseline, F_OK) == 0) {
        work->baseline_path = default_baseline;
    } else if (request->update) {
        complain("there is no %s here: --baseline FILE says where to write it", default_baseline);
        return false;
    }
    return true;
}

static bool read_baseline(struct work *work)
{
    const struct request *request = work->request;
    if (!find_baseline(work)) {
        return false;
    }
    bool absent = work->baseline_path && access(work->baseline_path, F_OK) != 0 && errno == ENOENT;
    if (request->contract_only || (request->update && absent)) {
        return true;
    }
    char *message;
    if (work->baseline_path) {
        message = baseline_read(&work->before, work->baseline_path);
    } else {
        const struct page_file *file = built_in_baseline();
        message = baseline_parse(&work->before, "built-in baseline.json", file->text, file->size);
    }
    if (message) {
        complain("%s", message);
        free(message);
        return false;
    }
    work->has_before = true;
    return true;
}

/* How many samples. */

static bool samples_fit(const struct work *work)
{
    const struct request *request = work->request;
    const uint64_t *samples = work->before.samples;
    if (!work->has_before || request->samples == 0 || request->samples >= samples[SET_FULL] ||
        request->samples == samples[SET_QUICK]) {
        return true;
    }
    if (!request->update) {
        complain("--samples %" PRIu64 " compares less than the baseline has, which is %" PRIu64
                 " or, with --quick, %" PRIu64 "; --contract-only needs none",
                 request->samples, samples[SET_FULL], samples[SET_QUICK]);
    }
    return request->update;
}

/* What was asked of a function's domains when the file's other lines were made. */
static bool update_fits(const struct work *work)
{
    const struct request *request = work->request;
    uint64_t full = work->before.samples[SET_FULL];
    if (request->update && work->has_before && request->selection.count > 0 && request->samples &&
        request->samples != full) {
        complain("%s has %" PRIu64 " samples of each function; another number is for all of them "
                 "at once",
                 work->baseline_path, full);
        return false;
    }
    return true;
}

static void choose_samples(struct work *work)
{
    const struct request *request = work->request;
    uint64_t *samples = work->now.samples;
    if (work->has_before && !(request->update && request->samples)) {
        samples[SET_FULL] = work->before.samples[SET_FULL];
        samples[SET_QUICK] = work->before.samples[SET_QUICK];
    } else {
        samples[SET_FULL] = request->samples ? request->samples : FULL_SAMPLES;
        uint64_t tenth = samples[SET_FULL] / QUICK_SHARE;
        samples[SET_QUICK] = tenth > 0 ? tenth : 1;
    }
    work->now.seed = work->has_before ? work->before.seed : SEED;
    bool quick = request->quick || (request->samples == samples[SET_QUICK] && !request->update);
    work->gate.set = quick && request->samples < samples[SET_FULL] ? SET_QUICK : SET_FULL;
}

/* What a build is called in the baseline: no path and no instruction set, which machines do not
 * share. */
static void name_implementation(struct work *work)
{
    char *name = work->now.implementation;
    if (!work->subject.path) {
        snprintf(name, BUILD_NAME, "truelerp %s", tl_version());
        return;
    }
    const char *slash = strrchr(work->subject.path, '/');
    snprintf(name, BUILD_NAME, "%s", slash ? slash + 1 : work->subject.path);
    for (char *c = name; *c; c++) {
        *c = *c < ' ' || *c > '~' || *c == '"' || *c == '\\' ? '?' : *c;
    }
}

/* Findings. */

/* A source's tally, and how its cases are shown. */
struct evidence {
    const struct tally *tally;
    const struct function *function;
    const struct report *report; /* NULL: they are a climb's */
    const struct ascent *ascent;
    const char *implementation_path;
};

static char *show_command(const struct evidence *evidence, const struct kept *kept)
{
    char *command = NULL;
    size_t size;
    FILE *stream = open_memstream(&command, &size);
    if (evidence->report) {
        write_eval_command(stream, evidence->report, kept);
    } else {
        struct values inputs = {0};
        record_get(ascent_record(evidence->ascent, kept), &inputs);
        write_case_command(stream, evidence->function, &inputs, evidence->implementation_path);
        values_free(&inputs);
    }
    fclose(stream);
    return command;
}

static char *describe_outside(const struct evidence *evidence, enum finding finding)
{
    const struct tally *tally = evidence->tally;
    const struct kept *kept = &tally->first[finding];
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "in %" PRIu64 " of %" PRIu64 " cases, first in case %" PRIu64,
            tally->findings[finding], tally_cases(tally), kept->index);
    if (kept->measured) {
        struct apart apart = figures_apart(kept->error_scaled, kept->bound);
        fprintf(stream, ", error %s %s where %s is allowed", apart.one,
                error_unit(evidence->function), apart.other);
    }
    if (*kept->note) {
        fprintf(stream, ": %s", kept->note);
    }
    fclose(stream);
    return text;
}

static void find_outside(struct gate_check *check, const struct evidence *evidence)
{
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        const struct kept *kept = &evidence->tally->first[finding];
        if (!kept->present) {
            continue;
        }
        bool open = finding == FINDING_UNDECIDED || finding == FINDING_FAULT;
        char *text = describe_outside(evidence, finding);
        gate_add_finding(check, finding_name(finding), open ? EXIT_UNTRUSTED : EXIT_FINDING, text,
                         show_command(evidence, kept));
        free(text);
    }
    uint64_t skipped = evidence->tally->skipped;
    if (skipped > 0) {
        char text[200];
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " cases, %s", skipped,
                 tally_cases(evidence->tally), skipped_note);
        gate_add_finding(check, "not judged", EXIT_FINDING, text, NULL);
    } else if (tally_compared(evidence->tally) == 0) {
        gate_add_finding(check, "nothing compared", EXIT_FINDING,
                         "no result was compared with the exact answer", NULL);
    }
}

/* The case to look at first. */
static char *worst_command(const struct evidence *evidence, const struct difference *differences,
                           size_t count)
{
    bool largest = false;
    for (size_t i = 0; i < count; i++) {
        largest |= differences[i].change == CHANGE_WORSE &&
                   strcmp(differences[i].figure, "max error") == 0;
    }
    const struct kept *kept = &evidence->tally->worst[largest ? WORST_SCALED : WORST_SHARE];
    return kept->present ? show_command(evidence, kept) : NULL;
}

/* Counts of what is outside are told by find_outside. */
static size_t leave_out_outside(struct difference *differences, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(differences[i].figure, "outside") != 0 &&
            strcmp(differences[i].figure, "undecided") != 0) {
            differences[kept++] = differences[i];
        }
    }
    return kept;
}

static const char *kind_of(const struct difference *differences, size_t count)
{
    bool better = false;
    for (size_t i = 0; i < count; i++) {
        if (differences[i].change == CHANGE_WORSE) {
            return "regression";
        }
        better |= differences[i].change == CHANGE_BETTER;
    }
    return better ? "improvement" : "change";
}

/* What a difference from the baseline ends the program with. */
static enum exit_code exit_of(const struct request *request, bool worse)
{
    bool allowed = request->update || (request->allow_improvement && !worse);
    return allowed ? EXIT_WITHIN : EXIT_FINDING;
}

static void compare_figures(const struct work *work, struct gate_check *check, enum figure_set set,
                            const struct figures *now, const struct evidence *evidence)
{
    const struct figures *before = baseline_figures(&work->before, set, now->function, now->domain);
    if (!before) {
        gate_add_finding(check, "new", exit_of(work->request, false), "not in the baseline", NULL);
        return;
    }
    struct difference differences[DIFFERENCES_MAX];
    size_t count = figures_compare(before, now, differences);
    count = leave_out_outside(differences, count);
    if (count == 0) {
        return;
    }
    bool worse = differences_worst(differences, count) == CHANGE_WORSE;
    struct gate_finding *finding =
        gate_add_finding(check, kind_of(differences, count), exit_of(work->request, worse), NULL,
                         worst_command(evidence, differences, count));
    finding->line = before->line;
    gate_set_differences(finding, differences, count);
}

/* Nothing of a source was called, for other calls of the function had not returned, and that is a
 * finding already. */
static bool left_out(const struct tally *tally)
{
    return tally->skipped > 0 && tally->skipped == tally_cases(tally);
}

/* Books one source: its findings, and its line of the baseline, if it belongs to a set. What was
 * called in part only is not compared. */
static void judge_source(struct work *work, struct gate_stage *stage, enum figure_set set,
                         const char *domain, const struct evidence *evidence)
{
    struct figures figures = figures_of(evidence->tally, evidence->function->name, domain);
    struct gate_check *check =
        gate_add_check(&work->gate, stage->name, figures.function, figures.domain);
    if (left_out(evidence->tally)) {
        check->skipped = strdup(hangs_note);
    } else {
        find_outside(check, evidence);
    }
    if (set != SET_COUNT) {
        baseline_add_figures(&work->now, set, &figures);
    }
    if (set != SET_COUNT && work->has_before && evidence->tally->skipped == 0) {
        compare_figures(work, check, set, &figures, evidence);
    }
    stage->sources++;
    stage->cases += figures.cases;
    stage->compared += figures.compared;
}

/* Stages. */

static struct gate_stage *begin_stage(struct work *work, const char *name)
{
    struct gate_stage *stage = &work->gate.stages[work->gate.stage_count++];
    *stage = (struct gate_stage){.name = name};
    return stage;
}

/* One sweep: its parts, and the set of the baseline that they belong to, SET_COUNT for none. */
struct trial {
    const char *name;
    enum figure_set set;
    struct sweep_part *parts;
    size_t part_count;
};

static void judge_parts(struct work *work, const struct trial *trial, const struct sweep *sweep,
                        const struct tally *tallies, struct gate_stage *stage)
{
    const struct report report = {.sweep = sweep, .implementation_path = work->subject.path};
    for (size_t i = 0; i < trial->part_count; i++) {
        const struct evidence evidence = {.tally = &tallies[i],
                                          .function = trial->parts[i].function,
                                          .report = &report};
        judge_source(work, stage, trial->set, part_name(&trial->parts[i]), &evidence);
    }
}

static bool hangs(const struct work *work, const char *function)
{
    size_t i = 0;
    while (i < work->function_count && strcmp(work->functions[i]->name, function) != 0) {
        i++;
    }
    return i < work->function_count && work->hangs[i] >= SWEEP_HANGS;
}

/* Lines of the baseline that nothing stands beside any more. */
static void find_missing(struct work *work, enum figure_set set, const char *stage)
{
    if (set == SET_COUNT) {
        return;
    }
    for (size_t i = 0; i < work->before.figure_count[set]; i++) {
        const struct figures *before = &work->before.figures[set][i];
        if (!selection_holds(&work->request->selection, before->function) ||
            hangs(work, before->function) ||
            baseline_figures(&work->now, set, before->function, before->domain)) {
            continue;
        }
        char text[100];
        snprintf(text, sizeof text, "%" PRIu64 " cases of the baseline were not tried any more",
                 before->cases);
        struct gate_check *check =
            gate_add_check(&work->gate, stage, before->function, before->domain);
        gate_add_finding(check, "missing", exit_of(work->request, true), text, NULL)->line =
            before->line;
    }
}

static enum exit_code run_trial(struct work *work, const struct trial *trial)
{
    struct gate_stage *stage = begin_stage(work, trial->name);
    double start = process_time();
    struct sweep sweep = {.implementation = work->subject.implementation,
                          .seed = work->now.seed,
                          .parts = trial->parts,
                          .part_count = trial->part_count,
                          .jobs = work->request->jobs,
                          .time_limit = (double)work->request->time_limit,
                          .show_progress = isatty(STDERR_FILENO),
                          .hangs = work->hangs};
    struct tally *tallies = calloc(trial->part_count + 1, sizeof *tallies);
    if (!tallies) {
        complain("not enough memory");
        return EXIT_UNTRUSTED;
    }
    enum sweep_status status = sweep_run(&sweep, tallies);
    if (status == SWEEP_DONE) {
        judge_parts(work, trial, &sweep, tallies, stage);
        find_missing(work, trial->set, trial->name);
    }
    free(tallies);
    stage->seconds = process_time() - start;
    return status == SWEEP_FAILED ? EXIT_UNTRUSTED : EXIT_WITHIN;
}

/* Opening the implementation changed the environment, which was said and put back. */
static void find_load_fault(struct work *work)
{
    if (work->exit_code == EXIT_FINDING) {
        struct gate_check *check =
            gate_add_check(&work->gate, "stored cases", "implementation", "loading");
        gate_add_finding(check, "environment", EXIT_FINDING,
                         "loading it changed the floating-point environment", NULL);
    }
}

static enum exit_code run_stored(struct work *work)
{
    struct trial trial = {.name = "stored cases", .set = SET_STORED};
    trial.parts = calloc(work->function_count, sizeof *trial.parts);
    for (size_t i = 0; trial.parts && i < work->function_count; i++) {
        trial.parts[trial.part_count++] = (struct sweep_part){.function = work->functions[i],
                                                              .function_number = i,
                                                              .rows = work->rows[i]->list,
                                                              .stored = true,
                                                              .cases = work->rows[i]->count};
    }
    enum exit_code exit_code = run_trial(work, &trial);
    free(trial.parts);
    return exit_code;
}

static enum exit_code run_samples(struct work *work, const char *name, uint64_t samples,
                                  enum figure_set set)
{
    struct trial trial = {.name = name, .set = set};
    for (size_t i = 0; i < work->function_count; i++) {
        const struct domains *domains = domains_of(work->functions[i]);
        for (size_t k = 0; k < domains->count; k++) {
            trial.parts = program_grown(trial.parts, trial.part_count, sizeof *trial.parts);
            trial.parts[trial.part_count++] =
                (struct sweep_part){.function = work->functions[i],
                                    .function_number = i,
                                    .domain = &domains->list[k],
                                    .cases =
                                        samples / domains->count + (k < samples % domains->count)};
        }
    }
    enum exit_code exit_code = run_trial(work, &trial);
    free(trial.parts);
    return exit_code;
}

/* What is left to be called. */
struct remainder {
    const struct function **functions;
    size_t *numbers; /* among all of them */
    size_t count;
};

/* The functions whose calls return; the others get a check that says so. */
static bool find_remainder(struct work *work, struct gate_stage *stage, const char *domain,
                           struct remainder *remainder)
{
    *remainder =
        (struct remainder){.functions =
                               calloc(work->function_count, sizeof(const struct function *)),
                           .numbers = calloc(work->function_count, sizeof *remainder->numbers)};
    if (!remainder->functions || !remainder->numbers) {
        complain("not enough memory");
        return false;
    }
    for (size_t i = 0; i < work->function_count; i++) {
        if (work->hangs[i] >= SWEEP_HANGS) {
            gate_add_check(&work->gate, stage->name, work->functions[i]->name, domain)->skipped =
                strdup(hangs_note);
            stage->sources++;
        } else {
            remainder->numbers[remainder->count] = i;
            remainder->functions[remainder->count++] = work->functions[i];
        }
    }
    return true;
}

static void free_remainder(struct remainder *remainder)
{
    free(remainder->functions);
    free(remainder->numbers);
}

/* The climb. */

static void judge_ascents(struct work *work, const struct remainder *remainder,
                          const struct ascents *ascents, struct gate_stage *stage)
{
    enum figure_set set = work->request->contract_only ? SET_COUNT : SET_CLIMB;
    for (size_t i = 0; i < ascents->count; i++) {
        const struct evidence evidence = {.tally = &ascents->list[i].tally,
                                          .function = remainder->functions[i],
                                          .ascent = &ascents->list[i],
                                          .implementation_path = work->subject.path};
        judge_source(work, stage, set, "climb", &evidence);
    }
    find_missing(work, SET_CLIMB, stage->name);
}

/* As thorough as the full gate's samples are many; the quick one climbs the same way. */
static uint64_t climb_steps(const struct work *work)
{
    uint64_t steps = work->now.samples[SET_FULL] / 50;
    return steps < 100 ? 100 : steps > 6000 ? 6000 : steps;
}

static enum exit_code run_climb(struct work *work)
{
    struct gate_stage *stage = begin_stage(work, "climb");
    double start = process_time();
    const struct values **rows = calloc(work->function_count, sizeof(const struct values *));
    size_t *row_counts = calloc(work->function_count, sizeof *row_counts);
    struct ascents ascents = {0};
    struct remainder remainder = {0};
    bool good = rows && row_counts && find_remainder(work, stage, "climb", &remainder);
    for (size_t i = 0; good && i < remainder.count; i++) {
        rows[i] = work->rows[remainder.numbers[i]]->list;
        row_counts[i] = work->rows[remainder.numbers[i]]->count;
    }
    const struct ascent_plan plan = {.implementation = work->subject.implementation,
                                     .functions = remainder.functions,
                                     .function_count = remainder.count,
                                     .rows = rows,
                                     .row_counts = row_counts,
                                     .steps = climb_steps(work),
                                     .jobs = work->request->jobs,
                                     .time_limit = (double)work->request->time_limit};
    good = good && (remainder.count == 0 || ascents_run(&plan, &ascents));
    if (good && !process_interrupted()) {
        judge_ascents(work, &remainder, &ascents, stage);
    }
    ascents_free(&ascents);
    free_remainder(&remainder);
    free(rows);
    free(row_counts);
    stage->seconds = process_time() - start;
    return good ? EXIT_WITHIN : EXIT_UNTRUSTED;
}

/* Two threads at once. */

/* Where a finding of this stage was seen; the command shows the case, if not the finding. */
static void tell_threads(const struct work *work, struct gate_check *check,
                         const struct function *function, const struct threads_result *result)
{
    const struct domains *domains = domains_of(function);
    char text[KEPT_NOTE + 100];
    char *command = NULL;
    if (result->finding == FINDING_ENVIRONMENT && result->number < THREADS_CASES) {
        size_t size;
        struct values inputs = {0};
        FILE *stream = open_memstream(&command, &size);
        threads_case(work->now.seed, function, result->number, &inputs);
        write_case_command(stream, function, &inputs, work->subject.path);
        fclose(stream);
        values_free(&inputs);
        snprintf(text, sizeof text, "in case %zu of %s: %s", result->number / domains->count,
                 domains->list[result->number % domains->count].name, result->note);
    } else {
        snprintf(text, sizeof text, "%s", result->note);
    }
    gate_add_finding(check, finding_name(result->finding),
                     result->finding == FINDING_FAULT ? EXIT_UNTRUSTED : EXIT_FINDING, text,
                     command);
}

static void judge_threads(struct work *work, const struct remainder *remainder,
                          const struct threads_result *results, struct gate_stage *stage)
{
    for (size_t i = 0; i < remainder->count; i++) {
        const struct function *function = remainder->functions[i];
        struct gate_check *check =
            gate_add_check(&work->gate, stage->name, function->name, two_threads);
        stage->sources++;
        stage->cases += THREADS_CASES;
        stage->compared += results[i].finding == FINDING_COUNT ? THREADS_CASES : 0;
        if (results[i].finding != FINDING_COUNT) {
            tell_threads(work, check, function, &results[i]);
        }
    }
}

static enum exit_code run_threads(struct work *work)
{
    struct gate_stage *stage = begin_stage(work, "threads");
    double start = process_time();
    struct remainder remainder = {0};
    struct threads_result *results = calloc(work->function_count, sizeof *results);
    bool good = results && find_remainder(work, stage, two_threads, &remainder);
    const struct threads_plan plan = {.implementation = work->subject.implementation,
                                      .functions = remainder.functions,
                                      .function_count = remainder.count,
                                      .seed = work->now.seed,
                                      .jobs = work->request->jobs,
                                      .time_limit = (double)work->request->time_limit};
    good = good && threads_run(&plan, results);
    if (good && !process_interrupted()) {
        judge_threads(work, &remainder, results, stage);
    }
    free_remainder(&remainder);
    free(results);
    stage->seconds = process_time() - start;
    return good ? EXIT_WITHIN : EXIT_UNTRUSTED;
}

/* Instructions. */

static const char everyday[] = "everyday data";

static void compare_cost(const struct work *work, struct gate_check *check, const struct cost *now)
{
    const struct cost *before = baseline_cost(&work->before, now->build, now->function);
    if (!before) {
        gate_add_finding(check, "new", exit_of(work->request, false),
                         "the baseline has no count of it", NULL);
        return;
    }
    double former = (double)before->instructions / (double)before->cases;
    double latter = (double)now->instructions / (double)now->cases;
    double tolerance = (double)work->request->tolerance / 100;
    bool worse = !(latter <= former * (1 + tolerance));
    if (!worse && latter >= former * (1 - tolerance)) {
        return;
    }
    struct difference difference = {.change = worse ? CHANGE_WORSE : CHANGE_BETTER,
                                    .figure = "instructions"};
    snprintf(difference.before, DIFFERENCE_TEXT, "%.1f", former);
    snprintf(difference.now, DIFFERENCE_TEXT, "%.1f a call", latter);
    struct gate_finding *finding = gate_add_finding(check, worse ? "regression" : "improvement",
                                                    exit_of(work->request, worse), NULL, NULL);
    gate_set_differences(finding, &difference, 1);
    finding->line = before->line;
}

/* A function that fails under valgrind though the baseline has its count is a finding; that a
 * program has no symbols is not its fault. */
static void miss_cost(const struct work *work, struct gate_check *check,
                      const struct cost_result *result, const char *build)
{
    const struct cost *before = baseline_cost(&work->before, build, check->function);
    if (result->blind || !before) {
        check->skipped = strdup(result->message);
        return;
    }
    gate_add_finding(check, "missing", exit_of(work->request, true), result->message, NULL)->line =
        before->line;
}

static void judge_costs(struct work *work, const struct remainder *remainder,
                        const struct cost_result *results, const char *build,
                        struct gate_stage *stage)
{
    for (size_t i = 0; i < remainder->count; i++) {
        struct gate_check *check =
            gate_add_check(&work->gate, "instructions", remainder->functions[i]->name, everyday);
        stage->sources++;
        stage->cases += COST_CASES;
        if (!results[i].counted) {
            miss_cost(work, check, &results[i], build);
            continue;
        }
        stage->compared += COST_CASES;
        baseline_add_cost(&work->now, &results[i].cost);
        if (work->has_before) {
            compare_cost(work, check, &results[i].cost);
        }
    }
}

/* Why the stage is left out, or NULL. */
static char *count_obstacle(const struct work *work, const char *build)
{
    char *text = NULL;
    bool known = false;
    for (size_t i = 0; i < work->before.cost_count; i++) {
        known |= strcmp(work->before.costs[i].build, build) == 0;
    }
    if (work->request->no_count) {
        return strdup("left out, as --no-instructions asks for");
    }
    if (cost_obstacle()) {
        return strdup(cost_obstacle());
    }
    if (work->request->contract_only) {
        return strdup("not counted, for --contract-only has nothing to compare counts with");
    }
    if (!known && !work->request->update &&
        asprintf(&text, "the baseline has no counts of %s", build) >= 0) {
        return text;
    }
    return NULL;
}

static enum exit_code run_count(struct work *work)
{
    struct gate_stage *stage = begin_stage(work, "instructions");
    double start = process_time();
    char build[BUILD_NAME];
    if (work->subject.path) {
        snprintf(build, sizeof build, "%s", work->now.implementation);
    } else {
        cost_build_name(build);
    }
    stage->skipped = count_obstacle(work, build);
    struct cost_result *results = calloc(work->function_count, sizeof *results);
    struct remainder remainder = {0};
    bool ready = results && (stage->skipped || find_remainder(work, stage, everyday, &remainder));
    if (stage->skipped || !ready) {
        free_remainder(&remainder);
        free(results);
        return ready ? EXIT_WITHIN : EXIT_UNTRUSTED;
    }
    const struct cost_plan plan = {.implementation_path = work->subject.path,
                                   .build = build,
                                   .functions = remainder.functions,
                                   .function_count = remainder.count,
                                   .jobs = work->request->jobs,
                                   .time_limit =
                                       COST_TIME_LIMITS * (double)work->request->time_limit};
    bool good = cost_count(&plan, results);
    if (good) {
        judge_costs(work, &remainder, results, build, stage);
    }
    free_remainder(&remainder);
    free(results);
    stage->seconds = process_time() - start;
    return good ? EXIT_WITHIN : EXIT_USAGE;
}

/* The stages, in order, until the machine refuses or somebody interrupts. */

static bool stop_here(const struct work *work)
{
    return work->exit_code == EXIT_UNTRUSTED || process_interrupted();
}

/* How many samples of a function in all: of one that is gated alone, ALONE times the usual. */
static uint64_t all_samples(const struct work *work)
{
    const struct request *request = work->request;
    enum figure_set set = work->gate.set;
    uint64_t usual = work->now.samples[set];
    bool alone = request->selection.count == 1 && set == SET_FULL && !request->update;
    return request->samples ? request->samples : alone ? ALONE * usual : usual;
}

static void run_sample_stages(struct work *work)
{
    const struct request *request = work->request;
    const uint64_t *samples = work->now.samples;
    enum figure_set set = work->gate.set;
    uint64_t count = all_samples(work);
    if (request->contract_only) {
        work->exit_code =
            exit_worse(work->exit_code, run_samples(work, "samples", count, SET_COUNT));
        return;
    }
    work->exit_code = exit_worse(work->exit_code, run_samples(work, "samples", samples[set], set));
    if (!stop_here(work) && request->update) {
        enum exit_code quick = run_samples(work, "quick samples", samples[SET_QUICK], SET_QUICK);
        work->exit_code = exit_worse(work->exit_code, quick);
    } else if (!stop_here(work) && count > samples[SET_FULL]) {
        enum exit_code more = run_samples(work, "more samples", count, SET_COUNT);
        work->exit_code = exit_worse(work->exit_code, more);
    }
}

static void run_stages(struct work *work)
{
    work->exit_code = exit_worse(work->exit_code, run_stored(work));
    if (!stop_here(work)) {
        run_sample_stages(work);
    }
    if (!stop_here(work)) {
        work->exit_code = exit_worse(work->exit_code, run_climb(work));
    }
    if (!stop_here(work)) {
        work->exit_code = exit_worse(work->exit_code, run_threads(work));
    }
    if (!stop_here(work)) {
        work->exit_code = exit_worse(work->exit_code, run_count(work));
    }
}

/* Writing the baseline. Two gates at once must not lose each other's lines: whoever has the lock of
 * the directory reads the file again and changes only what it measured. */

static int lock_directory(const char *path)
{
    char *target = output_target(path);
    int directory = target ? open(dirname(target), O_RDONLY | O_DIRECTORY) : -1;
    free(target);
    if (directory >= 0) {
        flock(directory, LOCK_EX);
    }
    return directory;
}

/* What the file has of other functions, and other builds' costs, stays. */
static void forget_measured(const struct work *work, struct baseline *merged)
{
    for (enum figure_set set = 0; set < SET_COUNT && work->request->selection.count == 0; set++) {
        merged->figure_count[set] = 0;
    }
    for (size_t i = 0; i < work->function_count; i++) {
        baseline_forget_figures(merged, work->functions[i]->name);
    }
    for (size_t i = 0; i < work->now.cost_count; i++) {
        baseline_forget_cost(merged, work->now.costs[i].build, work->now.costs[i].function);
    }
}

/* Those of the file, but for what was measured now. */
static bool merge_into(const struct work *work, struct baseline *merged)
{
    *merged = (struct baseline){0};
    if (access(work->baseline_path, F_OK) == 0) {
        char *message = baseline_read(merged, work->baseline_path);
        if (message) {
            complain("%s", message);
            free(message);
            return false;
        }
    }
    memcpy(merged->implementation, work->now.implementation, sizeof merged->implementation);
    memcpy(merged->samples, work->now.samples, sizeof merged->samples);
    merged->seed = work->now.seed;
    forget_measured(work, merged);
    for (enum figure_set set = 0; set < SET_COUNT; set++) {
        for (size_t i = 0; i < work->now.figure_count[set]; i++) {
            baseline_add_figures(merged, set, &work->now.figures[set][i]);
        }
    }
    for (size_t i = 0; i < work->now.cost_count; i++) {
        baseline_add_cost(merged, &work->now.costs[i]);
    }
    return true;
}

static bool write_merged(struct work *work)
{
    struct baseline merged;
    struct output output;
    bool good = merge_into(work, &merged);
    if (good && (good = output_open(&output, work->baseline_path))) {
        baseline_write(output.stream, &merged);
        good = output_finish(&output) && output_publish(&output);
        output_discard(&output);
    }
    baseline_free(&merged);
    return good;
}

static enum exit_code update_baseline(struct work *work)
{
    if (work->gate.exit_code != EXIT_WITHIN) {
        complain("%s: not written: there are results outside their bounds, and nothing that is "
                 "outside is ever recorded",
                 work->baseline_path);
        return EXIT_WITHIN; /* the findings say how to end */
    }
    int directory = lock_directory(work->baseline_path);
    work->gate.written = write_merged(work);
    if (directory >= 0) {
        close(directory);
    }
    return work->gate.written ? EXIT_WITHIN : EXIT_USAGE;
}

/* Telling. */

static void write_output(FILE *stream, enum output_kind kind, const struct gate *gate)
{
    switch (kind) {
    case OUTPUT_MARKDOWN:
        gate_write_markdown(stream, gate);
        return;
    case OUTPUT_JSON:
        gate_write_json(stream, gate);
        return;
    case OUTPUT_JUNIT:
        gate_write_junit(stream, gate);
        return;
    case OUTPUT_COUNT:
        return;
    }
}

/* Each that can be written is: what CI shows must not hang on another file. */
static enum exit_code write_outputs(const struct work *work)
{
    enum exit_code exit_code = EXIT_WITHIN;
    for (enum output_kind kind = 0; kind < OUTPUT_COUNT; kind++) {
        struct output output;
        const char *path = work->request->outputs[kind];
        if (!path) {
            continue;
        }
        bool good = output_open(&output, path);
        if (good) {
            write_output(output.stream, kind, &work->gate);
            good = output_finish(&output) && output_publish(&output);
            output_discard(&output);
        }
        exit_code = good ? exit_code : EXIT_USAGE;
    }
    return exit_code;
}

static bool files_apart(const struct work *work)
{
    const struct request *request = work->request;
    const struct program_file files[] = {{"--impl", request->implementation, false},
                                         {request->baseline ? "--baseline" : "the baseline",
                                          work->baseline_path, request->update},
                                         {"--markdown", request->outputs[OUTPUT_MARKDOWN], true},
                                         {"--json", request->outputs[OUTPUT_JSON], true},
                                         {"--junit", request->outputs[OUTPUT_JUNIT], true}};
    return program_files_apart(files, sizeof files / sizeof files[0]);
}

/* What cannot be written is told before a minute's work. */
static bool outputs_writable(const struct work *work)
{
    bool good = files_apart(work);
    good = (!work->request->update || output_possible(work->baseline_path)) && good;
    for (enum output_kind kind = 0; kind < OUTPUT_COUNT; kind++) {
        const char *path = work->request->outputs[kind];
        good = (!path || output_possible(path)) && good;
    }
    return good;
}

static enum exit_code gate_verdict(const struct work *work)
{
    enum exit_code exit_code = work->exit_code;
    for (size_t i = 0; i < work->gate.check_count; i++) {
        exit_code = exit_worse(exit_code, gate_check_exit(&work->gate.checks[i]));
    }
    return exit_code;
}

static enum exit_code judge_and_tell(struct work *work)
{
    struct gate *gate = &work->gate;
    double start = process_time();
    find_load_fault(work);
    run_stages(work);
    if (process_interrupted()) {
        complain("interrupted; nothing was written");
        return EXIT_FINDING;
    }
    gate->exit_code = gate_verdict(work);
    if (work->request->update && work->exit_code != EXIT_UNTRUSTED) {
        gate->exit_code = exit_worse(gate->exit_code, update_baseline(work));
    }
    gate->seconds = process_time() - start;
    enum exit_code written = write_outputs(work);
    gate->exit_code = exit_worse(gate->exit_code, written);
    gate_write_terminal(stdout, gate);
    if (work->request->annotate) {
        gate_write_github(stdout, gate);
    }
    return gate->exit_code;
}

/* With the names that this gate was called with, or, of a built-in baseline, for the place where
 * its file is. */
static char *update_command(const struct request *request)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("truelerp gate --update", stream);
    if (request->baseline) {
        fputs(" --baseline ", stream);
        write_shell_word(stream, request->baseline);
    }
    if (request->implementation) {
        fputs(" --impl ", stream);
        write_shell_word(stream, request->implementation);
    }
    for (int i = 0; i < request->selection.count; i++) {
        fprintf(stream, " %s", request->selection.names[i]);
    }
    fclose(stream);
    return text;
}

static void describe(struct work *work)
{
    struct gate *gate = &work->gate;
    name_implementation(work);
    gate->implementation = implementation_name(work->subject.implementation);
    if (!work->request->contract_only) {
        gate->baseline_name = work->baseline_path ? work->baseline_path : "built-in baseline.json";
    }
    gate->built_in = !work->baseline_path;
    gate->baseline_implementation = work->has_before ? work->before.implementation : NULL;
    gate->update = work->request->update;
    gate->now = &work->now;
    gate->before = work->has_before ? &work->before : NULL;
    gate->command = work->request->command;
    work->update_command = update_command(work->request);
    gate->update_command = work->update_command;
    gate->lacking_count = subject_lacking(&work->subject, &work->request->selection, work->lacking);
    gate->lacking = work->lacking;
}

static enum exit_code run(struct work *work)
{
    const struct request *request = work->request;
    work->exit_code = program_environment();
    work->exit_code =
        exit_worse(work->exit_code,
                   subject_open(&work->subject, request->implementation, request->time_limit));
    if (work->exit_code == EXIT_USAGE ||
        !subject_has_selection(&work->subject, &work->request->selection) ||
        !choose_functions(work) || !read_baseline(work) || !samples_fit(work) ||
        !update_fits(work) || !outputs_writable(work)) {
        return EXIT_USAGE;
    }
    if (work->exit_code == EXIT_UNTRUSTED) {
        return EXIT_UNTRUSTED;
    }
    for (size_t i = 0; i < work->function_count; i++) {
        work->rows[i] = rows_stored(work->functions[i]);
        if (!work->rows[i]) {
            return EXIT_UNTRUSTED;
        }
    }
    choose_samples(work);
    describe(work);
    sigset_t signals, before;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    enum exit_code exit_code = judge_and_tell(work);
    fflush(stdout);
    sigprocmask(SIG_SETMASK, &before, NULL); /* an interrupt ends the program here */
    return exit_code;
}

static void release(struct work *work)
{
    free(work->rows);
    free(work->hangs);
    free(work->functions);
    free(work->lacking);
    free(work->update_command);
    gate_free(&work->gate);
    baseline_free(&work->before);
    baseline_free(&work->now);
    subject_close(&work->subject);
}

int verb_gate(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"quick", 'q', NULL, 0, "A tenth of the samples", 0},
        {"baseline", 'b', "FILE", 0,
         "Compare with this baseline (default reports/baseline.json, or else the built-in one)", 0},
        {"update", KEY_UPDATE, NULL, 0,
         "Write the baseline, if all is within its bounds, and show how it differs", 0},
        {"allow-improvement", KEY_IMPROVEMENT, NULL, 0,
         "What is better, or other but not worse, is no finding", 0},
        {"contract-only", KEY_CONTRACT, NULL, 0, "Judge by the bounds alone, without a baseline",
         0},
        {"impl", 'i', "FILE.so", 0, "Judge this shared object instead of the built-in library", 0},
        {"samples", 'n', "N", 0,
         "Draw N cases for each function (default: the baseline's number, or a million; five times "
         "that for a function gated alone); what exceeds the baseline's is judged by the bounds",
         0},
        {"no-instructions", KEY_NO_COUNT, NULL, 0, "Count no instructions", 0},
        {"cost-tolerance", KEY_TOLERANCE, "PERCENT", 0,
         "What instruction counts may differ by (default 2)", 0},
        {"count-instructions", KEY_COUNT, "FUNCTION", OPTION_HIDDEN, NULL, 0},
        {"markdown", KEY_MARKDOWN, "FILE", 0, "Write a summary as Markdown", 1},
        {"json", KEY_JSON, "FILE", 0, "Write all of it as JSON", 1},
        {"junit", KEY_JUNIT, "FILE", 0, "Write JUnit XML: a test case for each check", 1},
        {"annotate", KEY_ANNOTATE, "github", 0, "Print findings as workflow commands as well", 1},
        {"jobs", 'j', "N", 0, "Work with N processes (default: one for each processor)", 2},
        {"timeout", KEY_TIMEOUT, "SECONDS", 0,
         "Give up on a call that lasts longer; a finding (default 10)", 2},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Says whether this build's accuracy, results and cost are what the baseline says, for all "
        "functions or the named ones: the stored cases, samples of every domain and a climb from "
        "the worst stored cases are judged by their bounds and compared with the baseline, figure "
        "by figure and bit by bit; two threads call each function at once, and get what one gets; "
        "no memory is lost; "
        "instructions are counted where valgrind is."
        "\vWhat is worse is a regression and fails. What is better, or merely other, fails too, "
        "until --update writes a new baseline or --allow-improvement lets it pass. Exit code 0: as "
        "the baseline has it; 1: something is not; 2: wrong usage, an unreadable baseline or an "
        "unwritable output; 3: no trustworthy answer. The same cases are tried with any number of "
        "jobs, on every machine.",
        NULL,
        NULL,
        NULL};
    char *command = command_text(argc, argv);
    struct request request = {.jobs = process_processors(),
                              .tolerance = COST_TOLERANCE,
                              .time_limit = DEFAULT_TIME_LIMIT,
                              .command = command};
    program_parse(&argp, "gate", argc, argv, &request);
    if (request.counted) {
        free(command);
        return cost_calls(request.counted, request.implementation);
    }
    static struct work work;
    work = (struct work){.request = &request};
    enum exit_code exit_code = run(&work);
    release(&work);
    free(command);
    return exit_code;
}
