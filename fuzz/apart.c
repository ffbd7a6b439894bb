#include "apart.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the process ends with when its work is done: what it does may end with any other. */
enum { DONE = 113, TICK_MILLISECONDS = 10, SAID_MOST = 1 << 20, FRAMES = 2 };

static volatile sig_atomic_t interrupted;

static void take_signal(int signal)
{
    (void)signal;
    interrupted = 1;
}

void apart_catch_signals(void)
{
    struct sigaction action = {.sa_handler = take_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool apart_interrupted(void)
{
    return interrupted;
}

double apart_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static _Noreturn void be_apart(void (*work)(void *context, FILE *output), void *context, int output,
                               pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    FILE *stream = fdopen(output, "w");
    if (getppid() != parent || !stream) {
        _exit(1);
    }
    work(context, stream);
    _exit(fclose(stream) == 0 ? DONE : 1);
}

/* Of memory that is there, not only promised. */
static size_t resident_megabytes(pid_t process)
{
    char path[64];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *stream = fopen(path, "r");
    if (stream) {
        if (fscanf(stream, "%*u %llu", &pages) != 1) {
            pages = 0;
        }
        fclose(stream);
    }
    return (size_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) >> 20);
}

/* What there is to read, or nothing for a moment. False at the end of it all. */
static bool listen(int input, FILE *said)
{
    char block[4096];
    struct pollfd polled = {.fd = input, .events = POLLIN};
    if (poll(&polled, 1, TICK_MILLISECONDS) <= 0) {
        return true;
    }
    ssize_t size = read(input, block, sizeof block);
    if (size > 0 && ftell(said) < SAID_MOST) {
        fwrite(block, 1, (size_t)size, said);
    }
    return size > 0;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Until it ends, or is killed. */
static void watch(pid_t child, int input, FILE *said, const struct apart_limits *limits,
                  struct apart *apart)
{
    double end = apart_time() + limits->seconds;
    size_t most = limits->megabytes + resident_megabytes(getpid());
    bool listening = true;
    while (waitpid(child, &apart->status, WNOHANG) == 0) {
        if (interrupted) {
            apart->end = APART_STOPPED;
        } else if (apart_time() >= end) {
            apart->end = APART_LATE;
        } else if (limits->megabytes > 0 && resident_megabytes(child) > most) {
            apart->end = APART_SWOLLEN;
        } else {
            listening = listening && listen(input, said);
            if (!listening) {
                nap();
            }
            continue;
        }
        kill(child, SIGKILL);
        waitpid(child, &apart->status, 0);
        return;
    }
    /* a process that it left behind may hold the pipe open, and say nothing for ever */
    while (listening && poll(&(struct pollfd){.fd = input, .events = POLLIN}, 1, 0) > 0) {
        listening = listen(input, said);
    }
    bool done = WIFEXITED(apart->status) && WEXITSTATUS(apart->status) == DONE;
    apart->end = done ? APART_RETURNED : APART_ENDED;
}

void apart_run(void (*work)(void *context, FILE *output), void *context,
               const struct apart_limits *limits, struct apart *apart)
{
    size_t size;
    int ends[2];
    pid_t parent = getpid();
    *apart = (struct apart){.end = APART_FAILED};
    FILE *said = open_memstream(&apart->said, &size);
    /* whoever started this may have ignored it, and none could be waited for */
    signal(SIGCHLD, SIG_DFL);
    fflush(NULL);
    if (pipe(ends) == 0) {
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            be_apart(work, context, ends[1], parent);
        }
        close(ends[1]);
        if (child > 0) {
            watch(child, ends[0], said, limits, apart);
        }
        close(ends[0]);
    }
    fclose(said);
}

/* What was said, as far as it tells one fault from another. */
struct report {
    char kind[128];
    unsigned long long frame[FRAMES];
    size_t frames;
};

/* The words up to `most` of them, without those that have a digit: addresses, and the numbers of
 * this case. */
static void take_words(char kind[128], const char *text, size_t most)
{
    size_t used = 0;
    for (size_t word = 0; *text && *text != '\n' && word < most; word++) {
        size_t length = strcspn(text, " \n");
        size_t plain = strcspn(text, "0123456789 \n");
        for (size_t i = 0; plain == length && i < length && used < 126; i++) {
            kind[used++] = text[i];
        }
        kind[used++] = ' ';
        text += length;
        text += strspn(text, " ");
        if (used >= 126) {
            break;
        }
    }
    kind[used] = '\0';
}

static bool is_of_the_system(const char *line, size_t length)
{
    static const char *const places[] = {"/libc.so", "/libc-", "/libm.so", "/ld-linux", "[vdso]"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *found = strstr(line, places[i]);
        if (found && found < line + length) {
            return true;
        }
    }
    return false;
}

static void take_line(struct report *report, const char *line, size_t length)
{
    static const char summary[] = "SUMMARY: ", error[] = "runtime error: ";
    unsigned long long address;
    const char *found = strstr(line, error);
    if (found && found < line + length) {
        take_words(report->kind, found + sizeof error - 1, 16);
    } else if (strncmp(line, summary, sizeof summary - 1) == 0 && !*report->kind) {
        take_words(report->kind, line + sizeof summary - 1, 2);
    } else if (report->frames < FRAMES && sscanf(line, " #%*u 0x%llx", &address) == 1 &&
               !is_of_the_system(line, length) &&
               /* of what is inlined there, one line each */
               (report->frames == 0 || address != report->frame[report->frames - 1])) {
        report->frame[report->frames++] = address;
    }
}

static struct report read_report(const char *said)
{
    struct report report = {0};
    while (*said) {
        size_t length = strcspn(said, "\n");
        take_line(&report, said, length);
        said += length + (said[length] == '\n');
    }
    return report;
}

bool apart_alike(const struct apart *one, const struct apart *other)
{
    if (one->end != other->end || (one->end == APART_ENDED && one->status != other->status)) {
        return false;
    }
    struct report a = read_report(one->said), b = read_report(other->said);
    return one->end != APART_ENDED || (strcmp(a.kind, b.kind) == 0 && a.frames == b.frames &&
                                       memcmp(a.frame, b.frame, a.frames * sizeof a.frame[0]) == 0);
}
