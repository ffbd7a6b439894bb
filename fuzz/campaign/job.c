/* One child process: started with its output on a pipe, its words taken in as they come. What it
 * prints is never stored whole, so that a target that prints without end fills no disk. */
#include "campaign.h"

#include "../../reports/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool job_has_names(const struct campaign *campaign, const struct target *target)
{
    const char *implementation = campaign->options.implementation;
    return !strchr(target->binary, '"') && !(implementation && strchr(implementation, '"'));
}

/* What to set for every target. The quarantine of AddressSanitizer would take half a gigabyte of
 * each process; leaks are looked for by ptrace, which many containers forbid. Whoever tells of a
 * finding sees hundreds of crashes, whose places it compares and does not name. */
static void set_sanitizers(const struct campaign *campaign, const struct job *job)
{
    bool telling = job->kind == JOB_TELL;
    int names = !telling && job_has_names(campaign, &campaign->targets[job->target]);
    char options[TEXT_SIZE];
    snprintf(options, sizeof options,
             "quarantine_size_mb=8:detect_leaks=0:symbolize=%d:handle_abort=%d", names, telling);
    setenv("ASAN_OPTIONS", options, 1);
    snprintf(options, sizeof options, "print_stacktrace=1:symbolize=%d", names);
    setenv("UBSAN_OPTIONS", options, 1);
}

static void set_or_unset(const char *name, const char *value)
{
    if (value) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}

static void set_environment(const struct campaign *campaign, const struct job *job)
{
    const struct target *target = &campaign->targets[job->target];
    char *records = store_path(campaign, "records/%s", target->name);
    char *findings = store_path(campaign, "findings");
    char *progress = progress_path(campaign, job);
    char *known = failure_known_kinds(campaign, job->target);
    bool searches = job->kind != JOB_AGAIN && job->kind != JOB_TELL;
    set_sanitizers(campaign, job);
    set_or_unset("TRUELERP_FUZZ_RECORDS", job->kind == JOB_FUZZ ? records : NULL);
    set_or_unset("TRUELERP_FUZZ_PROGRESS", job->kind == JOB_FUZZ ? progress : NULL);
    set_or_unset("TRUELERP_FUZZ_FINDINGS",
                 job->kind == JOB_FUZZ || job->kind == JOB_TELL ? findings : NULL);
    set_or_unset("TRUELERP_FUZZ_GO_ON", searches && *known ? known : NULL);
    set_or_unset("TRUELERP_FUZZ_IMPL", campaign->options.implementation);
    free(records);
    free(findings);
    free(progress);
    free(known);
}

/* In a process group of its own, so that Ctrl-C reaches the campaign alone, and killed with it. */
static void become(const struct campaign *campaign, const struct job *job, int output, pid_t parent,
                   char *const arguments[])
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_USAGE);
    }
    int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    set_environment(campaign, job);
    if (!job->inside || chdir(campaign->options.out) == 0) {
        execv(arguments[0], arguments);
    }
    fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
    _exit(EXIT_USAGE);
}

bool job_start(struct campaign *campaign, struct job *job, char *const arguments[])
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0) {
        campaign_say(campaign, "a target cannot be started: %s", strerror(errno));
        return false;
    }
    job->pid = fork();
    if (job->pid == 0) {
        become(campaign, job, ends[1], parent, arguments);
    }
    close(ends[1]);
    if (job->pid < 0) {
        close(ends[0]);
        campaign_say(campaign, "a target cannot be started: %s", strerror(errno));
        return false;
    }
    setpgid(job->pid, job->pid);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    job->output = ends[0];
    job->start = process_time();
    return true;
}

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%.*s", (int)size - 1, from);
}

static void replace(char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
}

/* "#1024	NEW    cov: 85 ft: 120 corp: 10/90b ..." */
static void take_progress(struct job *job, const char *line)
{
    const char *edges = strstr(line, " cov: ");
    const char *features = strstr(line, " ft: ");
    job->executions = strtoull(line + 1, NULL, 10);
    job->searching |= strstr(line, "\tINITED") != NULL;
    if (edges && features) {
        job->edges = strtoull(edges + 6, NULL, 10);
        job->features = strtoull(features + 5, NULL, 10);
    }
}

/* What a target says of itself: "NAME: ..." */
static void take_word(struct job *job, const char *word)
{
    uint64_t runs, judged, passed;
    double error, share;
    char unit[sizeof job->error.unit];
    if (sscanf(word, "%" SCNu64 " runs, %" SCNu64 " cases judged", &runs, &judged) == 2) {
        job->runs = runs;
        job->judged = judged;
        job->counted = true;
    } else if (sscanf(word, "%" SCNu64 " cases with findings", &passed) == 1) {
        job->passed = passed;
    } else if (sscanf(word, "largest error %lf %15[^,], %lf of its bound", &error, unit, &share) ==
               3) {
        job->error = (struct largest){.told = true, .error = error, .share = share};
        copy(job->error.unit, sizeof job->error.unit, unit);
    } else if (*job->what == '\0') {
        copy(job->what, sizeof job->what, word);
    }
}

/* "NAME, as found: violation: error ...", and the same of the simplified case. */
static void take_finding(struct job *job, const char *words)
{
    const char *colon = strstr(words, ": ");
    if (colon) {
        copy(job->what, sizeof job->what, colon + 2);
    }
}

/* Of the runtime, the C library or the engine, which stand on every stack above what failed. */
static bool is_runtime(const char *function, const char *place)
{
    static const char *const names[] = {"__",      "fuzzer::", "abort",        "raise",
                                        "gsignal", "killpg",   "pthread_kill", "malloc",
                                        "calloc",  "realloc",  "free",         "mem",
                                        "str",     "sleep",    "nanosleep",    "clock_nanosleep"};
    static const char *const places[] = {"/libc.so", "/libc-", "/libm.so", "/ld-linux", "[vdso]"};
    bool runtime = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        runtime |= strncmp(function, names[i], strlen(names[i])) == 0;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        runtime |= strstr(place, places[i]) != NULL;
    }
    return runtime;
}

/* "    #1 0x55d0 in tl_lerp /source/lerp.c:12:3", or without symbols "    #1 0x7f10
 * (/folder/libmine.so+0x1139)". The first that says something is where it failed. */
static void take_frame(struct job *job, const char *line)
{
    char function[NAME_SIZE] = "", place[TEXT_SIZE] = "";
    if (*job->where) {
        return;
    }
    if (sscanf(line, " #%*u %*s in %63s %255[^\n]", function, place) >= 1) {
        if (!is_runtime(function, place)) {
            copy(job->where, sizeof job->where, function);
        }
    } else if (sscanf(line, " #%*u %*s (%255[^)]", place) == 1 && !is_runtime("", place)) {
        const char *slash = strrchr(place, '/');
        copy(job->where, sizeof job->where, slash ? slash + 1 : place);
    }
}

static bool is_frame(const char *line)
{
    const char *number = line + strspn(line, " ");
    return number > line && number[0] == '#' && number[1] >= '0' && number[1] <= '9';
}

/* Of the variables that a target may complain of, those that say where it writes. */
static bool names_output(const char *rest)
{
    return strncmp(rest, "RECORDS:", 8) == 0 || strncmp(rest, "FINDINGS:", 9) == 0 ||
           strncmp(rest, "PROGRESS:", 9) == 0;
}

static void take_line(struct campaign *campaign, struct job *job, const char *line)
{
    const char *name = campaign->targets[job->target].name;
    size_t length = strlen(name);
    bool named = strncmp(line, name, length) == 0;
    const char *written = strstr(line, "Test unit written to ");
    if (line[0] == '#' && line[1] >= '0' && line[1] <= '9') {
        take_progress(job, line);
    } else if (is_frame(line)) {
        take_frame(job, line);
    } else if (strncmp(line, "stat::number_of_executed_units: ", 32) == 0) {
        job->executions = strtoull(line + 32, NULL, 10);
    } else if (named && strncmp(line + length, ": ", 2) == 0) {
        take_word(job, line + length + 2);
    } else if (named && strncmp(line + length, ", ", 2) == 0) {
        take_finding(job, line + length + 2);
    } else if (strncmp(line, "TRUELERP_FUZZ_", 14) == 0) {
        job->unusable = names_output(line + 14);
        copy(job->what, sizeof job->what, line);
    } else if (strncmp(line, "SUMMARY: ", 9) == 0 && *job->summary == '\0') {
        copy(job->summary, sizeof job->summary, line + 9);
    } else if (strstr(line, "runtime error: ") && *job->summary == '\0') {
        copy(job->summary, sizeof job->summary, line);
    } else if (written) {
        copy(job->artifact, sizeof job->artifact, written + 21);
    } else if (strstr(line, " | truelerp eval ")) {
        replace(&job->command, line);
    }
    if (*line) {
        copy(job->last, sizeof job->last, line);
    }
}

static void take(struct campaign *campaign, struct job *job, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        job->tail[job->written++ % TAIL_SIZE] = text[i];
        if (text[i] == '\n') {
            job->line[job->used] = '\0';
            job->used = 0;
            take_line(campaign, job, job->line);
        } else if (job->used < LINE_SIZE - 1 && text[i] != '\0') {
            job->line[job->used++] = text[i];
        }
    }
}

void job_read(struct job *job, struct campaign *campaign)
{
    char text[1 << 14];
    /* a bounded amount at a time: others wait for their turn */
    for (int i = 0; i < 64; i++) {
        ssize_t size = read(job->output, text, sizeof text);
        if (size <= 0) {
            return;
        }
        take(campaign, job, text, (size_t)size);
    }
}

char *job_tail(const struct job *job)
{
    size_t size = job->written < TAIL_SIZE ? (size_t)job->written : TAIL_SIZE;
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = job->tail[(job->written - size + i) % TAIL_SIZE];
    }
    text[size] = '\0';
    return text;
}

void job_stop(struct job *job, int signal)
{
    job->stopped = true;
    kill(-job->pid, signal);
}

void job_clear(struct job *job)
{
    close(job->output);
    free(job->command);
    memset(job, 0, sizeof *job);
}
