/* What the campaign's jobs do, and what follows from how they end. */
#include "page.h"

#include "../../reports/process.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ARGUMENTS_MOST = 48,
    EXIT_SIGNALLED = 72, /* libFuzzer's code after SIGINT or SIGTERM */
    MERGE_SECONDS = 600,
    REPEATS_LEAST = 20,
    START_SECONDS = 60, /* for reading a corpus, and for ending */
    TELL_SECONDS = 60 /* with the time for simpler cases, of which the last gets that of an input */
};

struct arguments {
    char *list[ARGUMENTS_MOST];
    size_t count;
};

static void add(struct arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct arguments *arguments, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (arguments->count == ARGUMENTS_MOST - 1 ||
        vasprintf(&arguments->list[arguments->count++], format, values) < 0) {
        abort();
    }
    va_end(values);
}

static void free_arguments(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        free(arguments->list[i]);
    }
}

/* TARGET.options, as ClusterFuzz reads it: lines "max_len = 256" below "[libfuzzer]". A dictionary
 * lies beside it. */
static void add_target_options(struct arguments *arguments, const struct target *target,
                               const char *binaries)
{
    char path[PATH_MAX + 16], line[TEXT_SIZE], key[NAME_SIZE], value[TEXT_SIZE];
    snprintf(path, sizeof path, "%s.options", target->binary);
    FILE *stream = fopen(path, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        if (sscanf(line, " %63[a-z_] = %255s", key, value) != 2 || strcmp(key, "timeout") == 0 ||
            strstr(key, "limit_mb") || arguments->count > ARGUMENTS_MOST - 16) {
            continue; /* the campaign sets its own limits */
        }
        if (strcmp(key, "dict") == 0 && value[0] != '/') {
            add(arguments, "-dict=%s/%s", binaries, value);
        } else {
            add(arguments, "-%s=%s", key, value);
        }
    }
    if (stream) {
        fclose(stream);
    }
}

/* `binaries`: the folder of the targets, by some name. */
static void begin_arguments(struct arguments *arguments, const struct campaign *campaign,
                            const struct target *target, const char *binaries)
{
    add(arguments, "%s/fuzz_%s", binaries, target->name);
    add_target_options(arguments, target, binaries);
    add(arguments, "-timeout=%u", campaign->options.timeout);
    add(arguments, "-rss_limit_mb=%u", campaign->limit_mb);
    add(arguments, "-malloc_limit_mb=%u", campaign->limit_mb);
}

/* The stored cases that came with the target, if there are any. */
static void add_seeds(struct arguments *arguments, const struct campaign *campaign,
                      const struct target *target, const char *binaries)
{
    char *path;
    if (asprintf(&path, "%s/seeds/%s", campaign->options.binaries, target->name) < 0) {
        abort();
    }
    if (access(path, R_OK) == 0) {
        add(arguments, "%s/seeds/%s", binaries, target->name);
    }
    free(path);
}

static bool start(struct campaign *campaign, struct job *job, const struct target *target,
                  enum job_kind kind, struct arguments *arguments, double seconds)
{
    job->kind = kind;
    job->target = (size_t)(target - campaign->targets);
    bool started = job_start(campaign, job, arguments->list);
    job->deadline = process_time() + seconds;
    if (!started) {
        job->kind = JOB_NONE;
    }
    free_arguments(arguments);
    return started;
}

bool work_fuzz(struct campaign *campaign, struct job *job, struct target *target, double slice)
{
    struct arguments arguments = {0};
    const char *binaries = campaign->options.binaries;
    begin_arguments(&arguments, campaign, target, binaries);
    add(&arguments, "-artifact_prefix=%s/findings/%s/", campaign->options.out, target->name);
    add(&arguments, "-max_total_time=%.0f", slice < 1 ? 1 : slice);
    add(&arguments, "-print_final_stats=1");
    add(&arguments, "%s/corpus/%s", campaign->options.out, target->name);
    if (!target->clean) {
        add(&arguments, "%s/records/%s", campaign->options.out, target->name);
        add_seeds(&arguments, campaign, target, binaries);
    }
    job->slice = slice;
    job->target = (size_t)(target - campaign->targets);
    progress_forget(campaign, job);
    if (!start(campaign, job, target, JOB_FUZZ, &arguments,
               slice + campaign->options.timeout + START_SECONDS)) {
        return false;
    }
    target->running++;
    target->started++;
    target->pass += slice / target->weight;
    job->weight = target->weight;
    return true;
}

/* Keeps the fewest inputs that together reach all that the corpus reaches. Crash-resistant: inputs
 * that fail are left out. The records stay as they are.
 *
 * For that the engine starts itself by way of a shell, with its arguments as they are: so all names
 * are relative to the output folder, where `binaries` leads to the targets, and hold nothing that a
 * shell would take for more than a name, whatever the folders above are called. */
bool work_merge(struct campaign *campaign, struct job *job, struct target *target)
{
    struct arguments arguments = {0};
    char *merged = store_path(campaign, "merged/%s", target->name);
    char *control = store_path(campaign, "merged/%s.control", target->name);
    store_remove(merged);
    unlink(control);
    mkdir(merged, 0777);
    begin_arguments(&arguments, campaign, target, "binaries");
    add(&arguments, "-artifact_prefix=findings/%s/", target->name);
    add(&arguments, "-set_cover_merge=1");
    add(&arguments, "-merge_control_file=merged/%s.control", target->name);
    add(&arguments, "merged/%s", target->name);
    add(&arguments, "corpus/%s", target->name);
    add(&arguments, "records/%s", target->name);
    add_seeds(&arguments, campaign, target, "binaries");
    free(merged);
    free(control);
    job->inside = true;
    target->merging = start(campaign, job, target, JOB_MERGE, &arguments, MERGE_SECONDS);
    return target->merging;
}

/* The program judges a table of cases; one input is the target's own matter. */
static void again_arguments(struct arguments *arguments, const struct campaign *campaign,
                            const struct failure *finding)
{
    const struct target *target = &campaign->targets[finding->target];
    if (!finding->table) {
        begin_arguments(arguments, campaign, target, campaign->options.binaries);
        add(arguments, "-exact_artifact_path=/dev/null");
        add(arguments, "%s", finding->path);
        return;
    }
    add(arguments, "%s/truelerp", campaign->options.binaries);
    add(arguments, "eval");
    add(arguments, "%s", target->name);
    add(arguments, "%s", finding->path);
    if (campaign->options.implementation) {
        add(arguments, "--impl");
        add(arguments, "%s", campaign->options.implementation);
    }
}

bool work_again(struct campaign *campaign, struct job *job, struct failure *finding)
{
    struct arguments arguments = {0};
    const struct target *target = &campaign->targets[finding->target];
    again_arguments(&arguments, campaign, finding);
    job->finding = (size_t)(finding - campaign->findings);
    finding->running =
        start(campaign, job, target, JOB_AGAIN, &arguments, campaign->options.timeout + 30.0);
    return finding->running;
}

/* A target that crashed or hung could not tell of its case: its replay driver does, and of a
 * simpler one, and adds the rows to the table. */
bool work_tell(struct campaign *campaign, struct job *job, struct failure *finding)
{
    struct arguments arguments = {0};
    const struct target *target = &campaign->targets[finding->target];
    add(&arguments, "%s_replay", target->binary);
    add(&arguments, "--finding");
    add(&arguments, "%s: %s", kind_name(finding->kind), failure_words(finding));
    add(&arguments, "--timeout");
    add(&arguments, "%u", campaign->options.timeout);
    add(&arguments, "--memory");
    add(&arguments, "%u", campaign->limit_mb);
    add(&arguments, "%s", finding->path);
    job->finding = (size_t)(finding - campaign->findings);
    finding->told = true;
    finding->running = start(campaign, job, target, JOB_TELL, &arguments,
                             TELL_SECONDS + (double)campaign->options.timeout);
    return finding->running;
}

/* The names are arguments of the script, so that none is ever read as a part of it, and what is
 * written lies in the folder where it runs: a percent sign in the path to a profile means more. */
static const char coverage_script[] =
    "set -e\n"
    "rm -f \"$3.profraw\"\n"
    "LLVM_PROFILE_FILE=$3.profraw \"$1_coverage\" \"$2\" >\"$3.log\" 2>&1\n"
    "\"$4\" merge -sparse -o \"$3.profdata\" \"$3.profraw\"\n"
    "rm -f \"$3.profraw\"\n"
    "\"$5\" export -summary-only -instr-profile \"$3.profdata\" \"$1_coverage\" >\"$3.json\"\n";

bool work_coverage(struct campaign *campaign, struct job *job, struct target *target)
{
    struct arguments arguments = {0};
    add(&arguments, "/bin/sh");
    add(&arguments, "-c");
    add(&arguments, "%s", coverage_script);
    add(&arguments, "coverage");
    add(&arguments, "%s", target->binary);
    add(&arguments, "corpus/%s", target->name);
    add(&arguments, "coverage/%s", target->name);
    add(&arguments, "%s", LLVM_PROFDATA);
    add(&arguments, "%s", LLVM_COV);
    job->inside = true;
    return start(campaign, job, target, JOB_COVERAGE, &arguments, 120);
}

/* How jobs end. */

static void write_beside(const char *path, const char *suffix, const char *text)
{
    char beside[PATH_MAX + 8];
    snprintf(beside, sizeof beside, "%s%s", path, suffix);
    FILE *stream = fopen(beside, "w");
    if (stream) {
        fputs(text, stream);
        fclose(stream);
    }
}

/* The target's own words go before those of the sanitizer. */
static void describe(const struct job *job, char text[TEXT_SIZE])
{
    if (*job->what) {
        snprintf(text, TEXT_SIZE, "%s", job->what);
    } else if (*job->summary) {
        bool placed = !*job->where || strstr(job->summary, job->where);
        snprintf(text, TEXT_SIZE, "%.*s%s%s", TEXT_SIZE - NAME_SIZE - 8, job->summary,
                 placed ? "" : " in ", placed ? "" : job->where);
    } else if (job->stalled) {
        snprintf(text, TEXT_SIZE, "got no farther, and was killed");
    } else if (job->overdue) {
        snprintf(text, TEXT_SIZE, "did not end, and was killed");
    } else if (WIFSIGNALED(job->status)) {
        snprintf(text, TEXT_SIZE, "ended by signal %d (%s)%s", WTERMSIG(job->status),
                 strsignal(WTERMSIG(job->status)),
                 WTERMSIG(job->status) == SIGKILL ? ", as the system does for want of memory" : "");
    } else {
        snprintf(text, TEXT_SIZE, "ended with exit code %d", WEXITSTATUS(job->status));
    }
}

static void take_case(struct failure *finding, struct job *job)
{
    if (job->command) {
        free(finding->command);
        finding->command = job->command;
        job->command = NULL;
    }
}

static enum failure_kind kind_without_input(const struct job *job)
{
    if (job->overdue) {
        return KIND_HANG;
    }
    return WIFSIGNALED(job->status) && WTERMSIG(job->status) == SIGKILL ? KIND_MEMORY : KIND_CRASH;
}

static void park(struct campaign *campaign, struct target *target, const char *why)
{
    target->status = TARGET_PARKED;
    snprintf(target->note, sizeof target->note, "%s", why);
    campaign_say(campaign, "%s: %s", target->name, target->note);
}

/* Where a target stops at what is known, it may still come upon something else. It has the quarter
 * of its share of the time for that. */
static void stopped_again(struct campaign *campaign, const struct job *job, struct target *target)
{
    const struct options *options = &campaign->options;
    double share = options->seconds * options->jobs / (double)campaign->target_count;
    target->repeats++;
    target->repeat_seconds += process_time() - job->start;
    if (target->status == TARGET_READY && target->repeats >= REPEATS_LEAST &&
        target->repeat_seconds >= share / 4) {
        char why[TEXT_SIZE], time[SHORT_SIZE];
        snprintf(why, sizeof why, "left alone: in another %s it only failed as is known",
                 duration(target->repeat_seconds, time));
        park(campaign, target, why);
    }
}

/* Where it has not begun to search, the input is of the corpus or the seeds, and would stop every
 * slice at once. */
static void known_again(struct campaign *campaign, const struct job *job, struct target *target)
{
    stopped_again(campaign, job, target);
    if (target->status == TARGET_READY && !job->searching && !target->clean) {
        target->status = TARGET_UNCLEAN;
    } else if (target->status == TARGET_READY && !job->searching) {
        park(campaign, target, "left alone: it fails each time it starts");
    }
}

/* Beside the input: for people, and for the next session. */
static void write_words(const struct failure *finding, const struct job *job)
{
    char *tail = job_tail(job), *words = NULL;
    if (asprintf(&words, "%s\n%s\n", finding->what, finding->where) < 0) {
        abort();
    }
    write_beside(finding->path, ".what", words);
    write_beside(finding->path, ".log", tail);
    free(words);
    free(tail);
}

static void describe_finding(struct failure *finding, const struct job *job)
{
    describe(job, finding->what);
    snprintf(finding->where, sizeof finding->where, "%s",
             finding->kind == KIND_CRASH ? job->where : "");
}

static void add_finding(struct campaign *campaign, struct job *job, struct target *target,
                        const struct failure *found)
{
    struct failure *finding = failure_add(campaign, target, found->kind, found->path, found->what);
    if (!finding) {
        known_again(campaign, job, target);
        return;
    }
    *finding = *found;
    if (failure_alike_count(campaign, finding) == 1) {
        target->repeats = 0;
        target->repeat_seconds = 0;
    }
    if (*finding->path) {
        write_words(finding, job);
    }
    take_case(finding, job);
    campaign_say(campaign, "%s: %s: %s", target->name, kind_name(finding->kind),
                 failure_words(finding));
    if (failure_distinct(campaign, target) >= FINDINGS_ENOUGH && target->status == TARGET_READY) {
        char why[TEXT_SIZE];
        snprintf(why, sizeof why, "left alone after %d findings", FINDINGS_ENOUGH);
        park(campaign, target, why);
    }
}

static void record_finding(struct campaign *campaign, struct job *job, struct target *target)
{
    struct failure found = {.target = job->target};
    progress_rescue(campaign, job);
    bool has_input = *job->artifact && access(job->artifact, R_OK) == 0;
    const char *path = has_input ? job->artifact : "";
    describe(job, found.what);
    found.kind = has_input ? failure_kind_of(path, found.what) : kind_without_input(job);
    describe_finding(&found, job);
    snprintf(found.path, sizeof found.path, "%s", path);
    if (has_input && !failure_known(campaign, &found) &&
        failure_alike_count(campaign, &found) >= ALIKE_ENOUGH) {
        unlink(path);
        target->alike++;
        known_again(campaign, job, target);
    } else {
        add_finding(campaign, job, target, &found);
    }
}

/* Twice and four times the time for a target where something was found lately, half as much after
 * each slice without. */
static void weigh(struct target *target, const struct job *job)
{
    bool worse =
        job->error.told && (!target->error.told || job->error.share > 1.01 * target->error.share);
    if (worse || job->features > target->features + target->features / 100) {
        target->weight = 4;
    } else if (job->features > target->features) {
        target->weight = target->weight > 2 ? target->weight : 2;
    } else {
        target->weight = target->weight > 2 ? target->weight / 2 : 1;
    }
}

static void take_figures(struct target *target, const struct job *job)
{
    double elapsed = process_time() - job->start;
    weigh(target, job);
    target->seconds += elapsed;
    target->pass += (elapsed - job->slice) / job->weight;
    target->executions += job->executions;
    target->features = job->features > target->features ? job->features : target->features;
    target->edges = job->edges > target->edges ? job->edges : target->edges;
    if (job->error.told && (!target->error.told || job->error.share > target->error.share)) {
        target->error = job->error;
    }
    target->runs += job->runs;
    target->judged += job->judged;
    target->alike += job->passed;
}

static void end_early(struct campaign *campaign, const struct job *job, const char *why)
{
    char what[TEXT_SIZE / 2];
    snprintf(what, sizeof what, "%.*s", (int)sizeof what - 1, job->what);
    if (campaign->end == END_RUNNING) {
        campaign->end = END_ENDED;
        campaign->code = exit_worse(campaign->code, EXIT_UNTRUSTED);
        snprintf(campaign->reason, sizeof campaign->reason, "%s: %s", why, what);
        campaign_say(campaign, "%s", campaign->reason);
    }
}

static void slice_ended(struct campaign *campaign, struct job *job, struct target *target,
                        uint64_t features)
{
    double seconds = process_time() - job->start;
    target->slices++;
    if (!job->counted) {
        failure_add(campaign, target, KIND_SILENT, "", "said nothing of what it compared");
    }
    if (campaign->status_line) {
        return;
    }
    campaign_say(campaign,
                 "%s: %.0f s, %llu executions (%.0f/s), %llu features (%+lld), %llu judged",
                 target->name, seconds, (unsigned long long)job->executions,
                 (double)job->executions / (seconds + 1e-9), (unsigned long long)target->features,
                 (long long)(target->features - features), (unsigned long long)job->judged);
}

/* The target was told to do what it cannot. An implementation need not have every function, unless
 * they were named. */
static void refused(struct campaign *campaign, struct job *job, struct target *target)
{
    bool lacks = strstr(job->last, " has no function ") != NULL;
    target->status = TARGET_PARKED;
    target->refused = true;
    if (lacks) {
        snprintf(target->note, sizeof target->note,
                 "not fuzzed: the implementation has no function tl_%s", target->name);
    } else {
        snprintf(target->note, sizeof target->note, "not fuzzed: %.*s",
                 (int)sizeof target->note - 20, job->last);
    }
    if (!lacks || campaign->options.name_count > 0) {
        campaign->code = exit_worse(campaign->code, EXIT_USAGE);
    }
    campaign_say(campaign, "%s: %s", target->name, target->note);
}

static void fuzz_ended(struct campaign *campaign, struct job *job, struct target *target)
{
    int code = WIFEXITED(job->status) ? WEXITSTATUS(job->status) : -1;
    uint64_t features = target->features;
    target->running--;
    progress_take(campaign, job);
    take_figures(target, job);
    if (failure_total(campaign, target) > 0) {
        target->weight = 1; /* an error beyond its bound may grow for ever */
    }
    if (code == 0 && !job->stopped) {
        slice_ended(campaign, job, target, features);
    } else if (code == EXIT_UNTRUSTED && !*job->artifact) {
        end_early(campaign, job, "no answer given here could be trusted");
    } else if (job->unusable) {
        unlink(job->artifact);
        end_early(campaign, job, "a target could not write");
    } else if (code == EXIT_USAGE && !*job->artifact) {
        refused(campaign, job, target);
    } else if (!job->stopped || *job->artifact || job->overdue) {
        record_finding(campaign, job, target);
    }
    /* before the counts are stored: what is counted twice would be a claim, what is not, a loss */
    progress_forget(campaign, job);
}

static void merge_ended(struct campaign *campaign, struct job *job, struct target *target)
{
    bool whole = WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0;
    char *merged = store_path(campaign, "merged/%s", target->name);
    uint64_t files = store_count(merged, NULL);
    bool done = whole && files > 0 && store_swap_merged(campaign, target);
    char *control = store_path(campaign, "merged/%s.control", target->name);
    unlink(control);
    free(control);
    target->merging = false;
    target->unmerged = !done;
    if (done) {
        target->merged_files = target->corpus_files = files;
    } else {
        char *tail = job_tail(job);
        write_beside(merged, ".log", tail);
        free(tail);
        target->merged_files = target->corpus_files;
        campaign_say(campaign, "%s: the corpus could not be merged; it stays as it is",
                     target->name);
    }
    if (target->status == TARGET_UNCLEAN) {
        target->clean = true;
        target->status = done || files == 0 ? TARGET_READY : TARGET_PARKED;
        if (target->status == TARGET_PARKED) {
            snprintf(target->note, sizeof target->note,
                     "stopped: an input of its corpus fails, and could not be left out");
        }
    }
    free(merged);
}

/* An old finding is gone only if the program is another one: what failed once and does not fail
 * again in the same program is a finding of another kind. */
static bool other_program(const struct campaign *campaign, const struct failure *finding)
{
    struct stat input, program, implementation;
    const char *library = campaign->options.implementation;
    if (campaign->other_implementation) {
        return true;
    }
    if (stat(finding->path, &input) != 0 ||
        stat(campaign->targets[finding->target].binary, &program) != 0) {
        return false;
    }
    return program.st_mtime > input.st_mtime || (library && stat(library, &implementation) == 0 &&
                                                 implementation.st_mtime > input.st_mtime);
}

static void again_ended(struct campaign *campaign, struct job *job)
{
    struct failure *finding = &campaign->findings[job->finding];
    bool passed = WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0;
    finding->running = false;
    if (job->stopped && !job->overdue) {
        return;
    }
    if (passed && finding->earlier && other_program(campaign, finding)) {
        finding->state = FAILURE_GONE;
        store_move_gone(campaign, finding);
    } else if (passed) {
        finding->state = FAILURE_UNSTEADY;
    } else {
        finding->state = FAILURE_FAILS;
    }
    if (finding->state == FAILURE_FAILS && !finding->table) {
        bool wordless = !*finding->what;
        describe(job, finding->what);
        finding->kind = failure_kind_of(finding->path, finding->what);
        describe_finding(finding, job);
        take_case(finding, job);
        if (wordless) {
            write_words(finding, job);
        }
    }
}

static void tell_ended(struct campaign *campaign, struct job *job)
{
    struct failure *finding = &campaign->findings[job->finding];
    finding->running = false;
    if (job->unusable || !job->command) {
        campaign_say(campaign, "%s: the case of %s could not be told: %s",
                     campaign->targets[finding->target].name, finding->path, job->last);
    }
    take_case(finding, job);
}

void work_ended(struct campaign *campaign, struct job *job)
{
    struct target *target = &campaign->targets[job->target];
    switch (job->kind) {
    case JOB_FUZZ:
        fuzz_ended(campaign, job, target);
        break;
    case JOB_MERGE:
        merge_ended(campaign, job, target);
        break;
    case JOB_AGAIN:
        again_ended(campaign, job);
        break;
    case JOB_TELL:
        tell_ended(campaign, job);
        break;
    case JOB_COVERAGE:
        coverage_take(campaign, target, WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0);
        break;
    case JOB_NONE:
        break;
    }
    job_clear(job);
}
