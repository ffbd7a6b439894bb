/* The overnight campaign: shares the time and the processors among the fuzz targets, and ends with
 * one page.
 *
 * Time goes out in slices. Each target has had its first before any gets its second, and slices
 * grow, so that a night cut short has covered everything; where features or errors still grow, a
 * target gets up to four times the time. Whoever comes back after SIGKILL, a power cut or Ctrl-C
 * goes on where this stopped.
 */
#include "campaign/campaign.h"

#include "../oracle/environment.h"
#include "../reports/process.h"
#include "../reports/render.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SLICE = 30, LONGEST_SLICE = 300, ROUNDS = 4, JOBS_MOST = 1024 };

static volatile sig_atomic_t signals;
static bool on_terminal;

double campaign_seconds(const struct campaign *campaign)
{
    double end = campaign->ended > 0 ? campaign->ended : process_time();
    return campaign->elapsed + (campaign->begun > 0 ? end - campaign->begun : 0);
}

void campaign_say(struct campaign *campaign, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(on_terminal ? "\r\033[K" : "", stderr);
    fputs("overnight: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    (void)campaign;
}

/* Options. */

static const struct argp_option option_list[] = {
    {"hours", 'H', "N", 0, "Fuzz for so many hours (8)", 0},
    {"minutes", 'm', "N", 0, "Fuzz for so many minutes", 0},
    {"jobs", 'j', "N", 0, "Processes at a time (one for each processor)", 0},
    {"impl", 'i', "FILE.so", 0, "Fuzz this implementation (or: TRUELERP_FUZZ_IMPL)", 0},
    {"functions", 'f', "NAME,...", 0, "The same as the names", 0},
    {"out", 'o', "DIR", 0, "Where corpora, findings and the page go (fuzz/out)", 0},
    {"fresh", 'F', NULL, 0, "Begin with empty corpora and counters; findings are kept", 0},
    {"timeout", 't', "SECONDS", 0, "A single input that takes longer is a finding (25)", 0},
    {"memory", 'M', "MB", 0, "A process that takes more is a finding (by the machine)", 0},
    {"disk", 'd', "MB", 0, "End when the output folder has become so large (4096)", 0},
    {"no-coverage", 'C', NULL, 0, "Do not measure what the corpora reach", 0},
    {"binaries", 'b', "DIR", 0, "Where the targets lie (build/fuzz)", 0},
    {0}};

static double option_duration(struct argp_state *state, const char *text, double unit)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number * unit >= 1 && number * unit <= 1e8)) {
        argp_error(state, "'%s' is no time that one could fuzz for", text);
    }
    return number * unit;
}

static void add_name(struct options *options, const char *name)
{
    options->names = realloc(options->names, (options->name_count + 1) * sizeof *options->names);
    options->names[options->name_count++] = strdup(strncmp(name, "fuzz_", 5) ? name : name + 5);
}

static void add_names(struct options *options, char *list)
{
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        add_name(options, name);
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'H':
        options->seconds = option_duration(state, text, 3600);
        return 0;
    case 'm':
        options->seconds = option_duration(state, text, 60);
        return 0;
    case 'j':
        options->jobs = (unsigned)option_number(state, "--jobs", text, 1, JOBS_MOST);
        return 0;
    case 'i':
        options->implementation = text;
        return 0;
    case 'f':
        add_names(options, text);
        return 0;
    case 'o':
        options->out = text;
        return 0;
    case 'F':
        options->fresh = true;
        return 0;
    case 't':
        options->timeout = (unsigned)option_number(state, "--timeout", text, 1, 3600);
        return 0;
    case 'M':
        options->memory = (unsigned)option_number(state, "--memory", text, 64, 1 << 20);
        return 0;
    case 'd':
        options->disk = option_number(state, "--disk", text, 1, 1 << 30);
        return 0;
    case 'C':
        options->coverage = false;
        return 0;
    case 'b':
        options->binaries = text;
        return 0;
    case ARGP_KEY_ARG:
        add_name(options, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    option_list, parse_option, "[NAME...]",
    "Fuzz all functions, or those named, and write DIR/overnight.html, .md, .json and .xml.\v"
    "A campaign that was not finished is gone on with. Exit code 1: there are findings; 2: wrong "
    "usage; 3: this machine cannot give a trustworthy answer, or had no room left.",
    NULL, NULL, NULL};

/* Targets. */

/* Of what the build has made, not what only replays, measures or makes seeds. */
static int is_target(const struct dirent *entry)
{
    static const char *const others[] = {"fuzz_bare", "fuzz_empty", "fuzz_seeds"};
    const char *name = entry->d_name;
    bool target = strncmp(name, "fuzz_", 5) == 0 && name[5] && !strchr(name, '.') &&
                  !strstr(name, "_replay") && !strstr(name, "_coverage");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        target = target && strcmp(name, others[i]) != 0;
    }
    return target;
}

static bool is_wanted(const struct options *options, const char *name)
{
    /* another implementation does not change what reads text */
    bool wanted = options->name_count == 0 && (!options->implementation || catalog_find(name));
    for (size_t i = 0; i < options->name_count; i++) {
        wanted |= strcmp(options->names[i], name) == 0;
    }
    return wanted;
}

static void add_target(struct campaign *campaign, const char *file)
{
    struct target *target = &campaign->targets[campaign->target_count];
    *target = (struct target){.weight = 1, .function = catalog_find(file + 5)};
    snprintf(target->name, sizeof target->name, "%s", file + 5);
    int length = snprintf(target->binary, sizeof target->binary, "%s/%s",
                          campaign->options.binaries, file);
    if (length < (int)sizeof target->binary - 16 && access(target->binary, X_OK) == 0) {
        campaign->target_count++;
    }
}

static enum exit_code find_targets(struct campaign *campaign)
{
    const struct options *options = &campaign->options;
    struct dirent **entries;
    int count = scandir(options->binaries, &entries, is_target, alphasort);
    if (count < 0) {
        campaign_say(campaign, "%s: %s", options->binaries, strerror(errno));
        return EXIT_USAGE;
    }
    campaign->targets = calloc((size_t)count + 1, sizeof *campaign->targets);
    for (int i = 0; i < count; i++) {
        if (is_wanted(options, entries[i]->d_name + 5)) {
            add_target(campaign, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    for (size_t i = 0; i < options->name_count; i++) {
        bool found = false;
        for (size_t k = 0; k < campaign->target_count; k++) {
            found |= strcmp(campaign->targets[k].name, options->names[i]) == 0;
        }
        if (!found) {
            campaign_say(campaign, "there is no target fuzz_%s in %s", options->names[i],
                         options->binaries);
            return EXIT_USAGE;
        }
    }
    if (campaign->target_count == 0) {
        campaign_say(campaign, "there is no target in %s", options->binaries);
        return EXIT_USAGE;
    }
    return EXIT_WITHIN;
}

/* The schedule. */

static double slice_length(const struct campaign *campaign, const struct target *target)
{
    const struct options *options = &campaign->options;
    double fair = options->seconds * options->jobs / (double)campaign->target_count / ROUNDS;
    double grown = ldexp(FIRST_SLICE, target->started < 4 ? (int)target->started : 4);
    double left = options->seconds - campaign_seconds(campaign);
    double slice = fmin(fmin(grown, LONGEST_SLICE), fmax(fair, 1));
    return floor(fmin(slice, left));
}

static bool may_run(const struct target *target)
{
    return target->status == TARGET_READY && !target->merging;
}

static struct target *next_target(const struct campaign *campaign)
{
    struct target *next = NULL;
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        if (may_run(target) &&
            (!next || target->running < next->running ||
             (target->running == next->running && target->pass < next->pass))) {
            next = target;
        }
    }
    return next;
}

/* A corpus that has become several times as large as it need be makes each start slower. */
static struct target *next_merge(const struct campaign *campaign, bool last)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        bool large = target->corpus_files > 500 + 3 * target->merged_files ||
                     (last && target->corpus_files > target->merged_files);
        if (target->running == 0 && !target->merging &&
            (target->status == TARGET_UNCLEAN || (large && target->status == TARGET_READY))) {
            return target;
        }
    }
    return NULL;
}

typedef bool pick(struct campaign *campaign, struct job *job);

static bool pick_fuzz(struct campaign *campaign, struct job *job)
{
    if (campaign->end != END_RUNNING) {
        return false;
    }
    struct target *unmerged = next_merge(campaign, false);
    if (unmerged) {
        return work_merge(campaign, job, unmerged);
    }
    struct target *target = next_target(campaign);
    double slice = target ? slice_length(campaign, target) : 0;
    return slice >= 1 && work_fuzz(campaign, job, target, slice);
}

static bool pick_again(struct campaign *campaign, struct job *job)
{
    for (size_t i = 0; i < campaign->finding_count; i++) {
        struct failure *finding = &campaign->findings[i];
        if (finding->state == FAILURE_NEW && *finding->path && !finding->running) {
            return work_again(campaign, job, finding);
        }
    }
    return false;
}

static bool pick_merge(struct campaign *campaign, struct job *job)
{
    struct target *target = next_merge(campaign, true);
    return target && work_merge(campaign, job, target);
}

static bool pick_coverage(struct campaign *campaign, struct job *job)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        if (!target->coverage_tried && coverage_wanted(campaign, target)) {
            target->coverage_tried = true;
            return work_coverage(campaign, job, target);
        }
    }
    return false;
}

/* The loop that all phases share. */

static void take_signal(int signal)
{
    (void)signal;
    signals++;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = take_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void show_status(struct campaign *campaign)
{
    double rate = 0, worst = 0, now = process_time();
    const char *worst_name = "";
    char names[64] = "";
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        const struct job *job = &campaign->jobs[i];
        if (job->kind == JOB_FUZZ) {
            size_t used = strlen(names);
            rate += (double)job->executions / (now - job->start + 0.1);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     campaign->targets[job->target].name);
        }
    }
    for (size_t i = 0; i < campaign->target_count; i++) {
        const struct target *target = &campaign->targets[i];
        if (target->error.told && target->error.share > worst) {
            worst = target->error.share;
            worst_name = target->name;
        }
    }
    int left = (int)fmax(0, campaign->options.seconds - campaign_seconds(campaign));
    fprintf(stderr, "\r\033[K%d:%02d:%02d left | %s | %.0f/s | ", left / 3600, left / 60 % 60,
            left % 60, names, rate);
    if (worst > 0) {
        fprintf(stderr, "largest error %.0f %% of its bound (%s) | ", 100 * worst, worst_name);
    }
    fprintf(stderr, "%zu findings", failure_total(campaign, NULL));
    fflush(stderr);
}

/* What is done now and then. The page stands there from the first minute on: whatever ends the
 * night, there is one in the morning. */
static void look_after(struct campaign *campaign)
{
    static double next_status, next_disk, next_page;
    double now = process_time();
    if (on_terminal && now >= next_status) {
        next_status = now + 0.5;
        show_status(campaign);
    }
    if (now >= next_disk) {
        next_disk = now + 2;
        store_check_disk(campaign);
    }
    if (now >= next_page && campaign->end == END_RUNNING) {
        next_page = now + 60;
        page_write(campaign);
    }
}

static void count_corpus(struct campaign *campaign, const struct job *job)
{
    struct target *target = &campaign->targets[job->target];
    char *folder = store_path(campaign, "corpus/%s", target->name);
    target->corpus_files = store_count(folder, NULL);
    free(folder);
}

static void wait_for_jobs(struct campaign *campaign)
{
    static struct pollfd polled[JOBS_MOST];
    unsigned jobs = campaign->options.jobs;
    for (unsigned i = 0; i < jobs; i++) {
        polled[i] = (struct pollfd){
            .fd = campaign->jobs[i].kind ? campaign->jobs[i].output : -1, .events = POLLIN};
    }
    poll(polled, jobs, 100);
    for (unsigned i = 0; i < jobs; i++) {
        struct job *job = &campaign->jobs[i];
        if (!job->kind) {
            continue;
        }
        job_read(job, campaign);
        if (waitpid(job->pid, &job->status, WNOHANG) == job->pid) {
            kill(-job->pid, SIGKILL); /* what it may have left behind */
            job_read(job, campaign);
            count_corpus(campaign, job);
            work_ended(campaign, job);
            store_save(campaign);
        } else if (process_time() > job->deadline) {
            job->overdue = true;
            kill(-job->pid, SIGKILL);
        }
    }
}

static unsigned running_jobs(const struct campaign *campaign)
{
    unsigned running = 0;
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        running += campaign->jobs[i].kind != JOB_NONE;
    }
    return running;
}

static void stop_jobs(struct campaign *campaign, int signal)
{
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        if (campaign->jobs[i].kind != JOB_NONE) {
            job_stop(&campaign->jobs[i], signal);
            campaign->jobs[i].deadline = fmin(campaign->jobs[i].deadline, process_time() + 10);
        }
    }
}

static void fill_slots(struct campaign *campaign, pick *pick)
{
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        struct job *job = &campaign->jobs[i];
        if (job->kind == JOB_NONE && !pick(campaign, job)) {
            return;
        }
    }
}

/* Goes on until nothing is left to do. A signal ends the phase, and in the phase of fuzzing the
 * campaign; a second one kills what still runs. */
static void run_phase(struct campaign *campaign, pick *pick)
{
    sig_atomic_t seen = signals;
    bool fuzzing = pick == pick_fuzz, stopping = false;
    while (true) {
        if (!stopping) {
            fill_slots(campaign, pick);
        }
        if (running_jobs(campaign) == 0) {
            return;
        }
        wait_for_jobs(campaign);
        look_after(campaign);
        if (signals != seen && fuzzing && campaign->end == END_RUNNING) {
            campaign->end = END_INTERRUPTED;
        }
        if (signals != seen || (fuzzing && campaign->end != END_RUNNING && !stopping)) {
            stop_jobs(campaign, stopping ? SIGKILL : SIGINT);
            seen = signals;
            stopping = true;
        }
    }
}

/* The whole. */

/* Megabytes for each process: three quarters of what is free now, at most 2 GB. */
static unsigned memory_limit(const struct options *options)
{
    unsigned long long kilobytes = 0;
    char line[TEXT_SIZE];
    FILE *stream = fopen("/proc/meminfo", "r");
    while (stream && fgets(line, sizeof line, stream)) {
        sscanf(line, "MemAvailable: %llu kB", &kilobytes);
    }
    if (stream) {
        fclose(stream);
    }
    unsigned long long share = kilobytes / 1024 * 3 / 4 / options->jobs;
    return kilobytes == 0 || share > 2048 ? 2048 : share < 256 ? 256 : (unsigned)share;
}

/* What was never compared cannot have passed. */
static void judge_targets(struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        if (target->slices > 0 && target->judged == 0) {
            failure_add(campaign, target, KIND_SILENT, "", "ran, and compared nothing");
        } else if (target->slices == 0 && campaign->end == END_FINISHED &&
                   target->status == TARGET_READY && failure_total(campaign, target) == 0) {
            failure_add(campaign, target, KIND_SILENT, "", "was never run to the end of a slice");
        }
    }
    if (failure_total(campaign, NULL) > 0) {
        campaign->code = exit_worse(campaign->code, EXIT_FINDING);
    }
}

static void count_all(struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        count_corpus(campaign, &(struct job){.target = i});
    }
}

static void run_campaign(struct campaign *campaign)
{
    count_all(campaign);
    run_phase(campaign, pick_again);
    campaign->begun = process_time();
    campaign->sessions++;
    run_phase(campaign, pick_fuzz);
    campaign->ended = process_time();
    if (campaign->end == END_RUNNING) {
        campaign->end = END_FINISHED;
    }
    if (ftruncate(campaign->reserve, 0) != 0) {
        campaign_say(campaign, "the reserve cannot be freed: %s", strerror(errno));
    }
    store_save(campaign);
    run_phase(campaign, pick_again);
    if (campaign->end == END_FINISHED) {
        run_phase(campaign, pick_merge);
    }
    if (campaign->end != END_ENDED) {
        run_phase(campaign, pick_coverage);
        coverage_total(campaign);
    }
    store_count(campaign->options.out, &campaign->out_bytes);
    judge_targets(campaign);
    store_save(campaign);
}

/* What the user typed: fuzz/run puts "--binaries DIR --out DIR" in front. */
static char *command_line(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    int first = argc > 4 && strcmp(argv[1], "--binaries") == 0 && strcmp(argv[3], "--out") == 0;
    fputs("bash fuzz/run", stream);
    for (int i = first ? 5 : 1; i < argc; i++) {
        fputc(' ', stream);
        write_shell_word(stream, argv[i]);
    }
    fclose(stream);
    return text;
}

static const char *whole_path(const char *path)
{
    char *whole = realpath(path, NULL);
    return whole ? whole : path;
}

static enum exit_code prepare(struct campaign *campaign)
{
    struct options *options = &campaign->options;
    time_t now = time(NULL);
    const char *fault = environment_fault();
    if (fault) {
        campaign_say(campaign, "no answer given here could be trusted: %s", fault);
        return EXIT_UNTRUSTED;
    }
    if (options->implementation && access(options->implementation, R_OK) != 0) {
        campaign_say(campaign, "%s: %s", options->implementation, strerror(errno));
        return EXIT_USAGE;
    }
    options->implementation = options->implementation ? whole_path(options->implementation) : NULL;
    options->binaries = whole_path(options->binaries);
    options->jobs = options->jobs ? options->jobs : process_processors();
    campaign->limit_mb = options->memory ? options->memory : memory_limit(options);
    campaign->jobs = calloc(options->jobs, sizeof *campaign->jobs);
    strftime(campaign->date, sizeof campaign->date, "%Y-%m-%d %H:%M", localtime(&now));
    on_terminal = isatty(STDERR_FILENO);
    enum exit_code code = find_targets(campaign);
    code = code == EXIT_WITHIN ? store_open(campaign) : code;
    options->out = whole_path(options->out);
    coverage_prepare(campaign);
    return code;
}

int main(int argc, char **argv)
{
    static struct campaign campaign;
    const char *implementation = getenv("TRUELERP_FUZZ_IMPL");
    campaign.command = command_line(argc, argv);
    campaign.options = (struct options){.out = "fuzz/out",
                                        .binaries = "build/fuzz",
                                        .implementation =
                                            implementation && *implementation ? implementation : NULL,
                                        .seconds = 8 * 3600,
                                        .timeout = 25,
                                        .disk = 4096,
                                        .coverage = true};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &campaign.options);
    catch_signals();
    enum exit_code code = prepare(&campaign);
    if (code != EXIT_WITHIN) {
        return code;
    }
    run_campaign(&campaign);
    if (!page_write(&campaign)) {
        campaign.code = exit_worse(campaign.code, EXIT_USAGE);
    }
    page_print(stdout, &campaign);
    return campaign.code;
}
