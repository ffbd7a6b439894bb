/* The overnight campaign: shares the time and the processors among the fuzz targets, and ends with
 * one page.
 *
 * Time goes out in slices. Each target has had its first before any gets its second, and slices
 * grow, so that a night cut short has covered everything; where features or errors still grow, a
 * target gets up to four times the time. Whoever comes back after SIGKILL, a power cut or Ctrl-C
 * goes on where this stopped.
 */
#include "campaign/page.h"

#include "../oracle/environment.h"
#include "../reports/process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* The loop that all phases share. */

static void take_signal(int signal)
{
    (void)signal;
    signals++;
}

static void catch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction action;
        sigaction(ending[i], NULL, &action);
        if (action.sa_handler != SIG_IGN) { /* as under nohup */
            action = (struct sigaction){.sa_handler = take_signal};
            sigaction(ending[i], &action, NULL);
        }
    }
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
            size_t room = sizeof names - used;
            snprintf(names + used, room, "%s%.*s", used ? ", " : "", (int)(room > 3 ? room - 3 : 0),
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
    char line[TEXT_SIZE], largest[TEXT_SIZE / 2] = "";
    if (worst > 0) {
        snprintf(largest, sizeof largest, " | largest error %.0f %% of its bound (%s)", 100 * worst,
                 worst_name);
    }
    if (*names) {
        snprintf(line, sizeof line, "%d:%02d:%02d left | %s | %.0f/s%s | %zu findings", left / 3600,
                 left / 60 % 60, left % 60, names, rate, largest, failure_distinct(campaign, NULL));
    } else {
        snprintf(line, sizeof line, "trying findings again, merging, measuring");
    }
    /* what does not fit would stay there when the line is written anew */
    struct winsize size = {.ws_col = 80};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    fprintf(stderr, "\r\033[K%.*s", size.ws_col > 1 ? size.ws_col - 1 : 79, line);
    fflush(stderr);
}

/* Where the engine sees no hang; what happens then is up to wait_for_jobs. */
static void stop_stalled(struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        struct job *job = &campaign->jobs[i];
        if (job->kind == JOB_FUZZ && progress_stalled(campaign, job)) {
            job->stalled = true;
            job->deadline = 0;
        }
    }
}

/* With the slices that are going on, as far as they are. */
static void write_page_between(struct campaign *campaign)
{
    struct target *targets = campaign->targets;
    size_t size = campaign->target_count * sizeof *targets;
    campaign->targets = memcpy(malloc(size), targets, size);
    progress_add_running(campaign);
    page_write(campaign);
    free(campaign->targets);
    campaign->targets = targets;
}

/* What is done now and then. The page stands there from the first minute on: whatever ends the
 * night, there is one in the morning. */
static void look_after(struct campaign *campaign)
{
    static double next_status, next_disk, next_save, next_page;
    double now = process_time();
    if (on_terminal && now >= next_status) {
        next_status = now + 0.5;
        show_status(campaign);
    }
    if (now >= next_disk) {
        next_disk = now + 2;
        store_check_disk(campaign);
        stop_stalled(campaign);
    }
    if (now >= next_save && campaign->begun > 0) {
        next_save = now + 5;
        store_save(campaign); /* above all the time that has passed */
    }
    if (now >= next_page && campaign->end == END_RUNNING) {
        next_page = now + 60;
        write_page_between(campaign);
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
    unsigned jobs = campaign->options.jobs;
    struct pollfd polled[jobs];
    for (unsigned i = 0; i < jobs; i++) {
        polled[i] = (struct pollfd){.fd = campaign->jobs[i].kind ? campaign->jobs[i].output : -1,
                                    .events = POLLIN};
    }
    poll(polled, jobs, 100);
    for (unsigned i = 0; i < jobs; i++) {
        struct job *job = &campaign->jobs[i];
        if (!job->kind) {
            continue;
        }
        struct rusage usage;
        job_read(job, campaign);
        if (wait4(job->pid, &job->status, WNOHANG, &usage) == job->pid) {
            uint64_t memory = (uint64_t)usage.ru_maxrss;
            campaign->memory_most = memory > campaign->memory_most ? memory : campaign->memory_most;
            kill(-job->pid, SIGKILL); /* what it may have left behind */
            job_read(job, campaign);
            count_corpus(campaign, job);
            work_ended(campaign, job);
            store_save(campaign);
        } else if (process_time() > job->deadline) {
            job->overdue = !job->stopped;
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

typedef bool picker(struct campaign *campaign, struct job *job);

static void fill_slots(struct campaign *campaign, picker *pick)
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
static void run_phase(struct campaign *campaign, picker *pick)
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
    if (failure_total(campaign, NULL) > 0 || total_judged(campaign) == 0) {
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
        store_findings(campaign, false); /* inputs at which a merge came upon something new */
        run_phase(campaign, pick_again);
    }
    if (campaign->end != END_ENDED) {
        run_phase(campaign, pick_coverage);
        coverage_total(campaign);
    }
    store_measure(campaign);
    judge_targets(campaign);
    store_save(campaign);
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
    on_terminal = campaign->status_line = isatty(STDERR_FILENO);
    enum exit_code code = options_find_targets(campaign);
    code = code == EXIT_WITHIN ? store_open(campaign) : code;
    coverage_prepare(campaign);
    return code;
}

int main(int argc, char **argv)
{
    static struct campaign campaign;
    options_parse(&campaign, argc, argv);
    catch_signals();
    enum exit_code code = prepare(&campaign);
    if (code != EXIT_WITHIN) {
        return code;
    }
    run_campaign(&campaign);
    if (!page_write(&campaign)) {
        campaign.code = exit_worse(campaign.code, EXIT_USAGE);
    }
    fputs(on_terminal ? "\r\033[K" : "", stderr);
    page_print(stdout, &campaign);
    return campaign.code;
}
