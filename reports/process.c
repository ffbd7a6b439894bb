#include "process.h"

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double process_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

unsigned process_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

void process_signals(sigset_t *signals)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(signals);
    sigaddset(signals, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction action;
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(signals, ending[i]);
        }
    }
}

bool process_interrupted(void)
{
    sigset_t ending, pending;
    process_signals(&ending);
    sigdelset(&ending, SIGCHLD);
    sigpending(&pending);
    sigandset(&pending, &pending, &ending);
    return !sigisemptyset(&pending);
}

void *process_shared_memory(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The parent may have ended before the child asked to end with it. */
pid_t process_fork(void)
{
    pid_t parent = getpid();
    pid_t process = fork();
    if (process < 0) {
        complain("cannot start a process: %s", strerror(errno));
    } else if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(EXIT_UNTRUSTED);
        }
    }
    return process;
}

/* What is printed within a call waits in the C library's buffer, which is shared, so both empty
 * it. */
int process_divert_output(void)
{
    fflush(stdout);
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (output >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(STDOUT_FILENO);
    }
    return output;
}

void process_restore_output(int output)
{
    fflush(stdout);
    if (output >= 0) {
        clearerr(stdout);
        dup2(output, STDOUT_FILENO);
        close(output);
    }
}

bool process_call_hangs(struct process_watch *watch, bool calling, uint64_t calls,
                        double time_limit)
{
    double time = process_time();
    if (!calling || !watch->in_call || watch->call != calls) {
        *watch = (struct process_watch){calling, calls, time};
    }
    return calling && time - watch->since > time_limit;
}

bool process_wait(pid_t process, const _Atomic bool *calling, const _Atomic uint64_t *calls,
                  double time_limit, int *status, bool *timed_out)
{
    const struct timespec tick = {.tv_nsec = 100000000};
    struct process_watch watch = {.in_call = false};
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pid_t waited;
    *timed_out = false;
    while ((waited = waitpid(process, status, WNOHANG)) <= 0) {
        if (waited < 0 && errno != EINTR) {
            return false;
        }
        if (!*timed_out && process_call_hangs(&watch, *calling, *calls, time_limit)) {
            *timed_out = true;
            kill(process, SIGKILL);
        }
        sigtimedwait(&child, NULL, &tick);
    }
    return true;
}

struct task_worker {
    pid_t process; /* 0: none */
    size_t task;
    struct process_watch watch;
    bool timed_out;
};

static bool start_task(const struct process_tasks *tasks, struct task_worker *worker, size_t task)
{
    pid_t process = process_fork();
    if (process == 0) {
        process_divert_output();
        tasks->work(tasks->context, task);
        _exit(0);
    }
    *worker = (struct task_worker){.process = process > 0 ? process : 0, .task = task};
    return process > 0;
}

/* Collects those that ended, ends those that hang. Returns how many are left. */
static size_t tend_tasks(const struct process_tasks *tasks, struct task_worker *workers)
{
    size_t left = 0;
    for (unsigned job = 0; job < tasks->jobs; job++) {
        struct task_worker *worker = &workers[job];
        int status;
        if (worker->process == 0) {
            continue;
        }
        if (waitpid(worker->process, &status, WNOHANG) == worker->process) {
            worker->process = 0;
            tasks->ended(tasks->context, worker->task, status, worker->timed_out);
            continue;
        }
        left++;
        uint64_t calls = 0;
        bool calling = tasks->calling(tasks->context, worker->task, &calls);
        if (process_call_hangs(&worker->watch, calling, calls, tasks->time_limit)) {
            worker->timed_out = true;
            kill(worker->process, SIGKILL);
        }
    }
    return left;
}

static struct task_worker *idle_worker(const struct process_tasks *tasks,
                                       struct task_worker *workers)
{
    for (unsigned job = 0; job < tasks->jobs; job++) {
        if (workers[job].process == 0) {
            return &workers[job];
        }
    }
    return NULL;
}

static bool attend_tasks(const struct process_tasks *tasks, struct task_worker *workers)
{
    sigset_t signals;
    process_signals(&signals);
    const struct timespec tick = {.tv_nsec = 100000000};
    size_t next = 0, left = 0;
    do {
        struct task_worker *worker;
        while (next < tasks->count && (worker = idle_worker(tasks, workers))) {
            if (!start_task(tasks, worker, next++)) {
                return false;
            }
        }
        int signal = sigtimedwait(&signals, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            raise(signal);
            return true;
        }
        left = tend_tasks(tasks, workers);
    } while (left > 0 || next < tasks->count);
    return true;
}

bool process_run_tasks(const struct process_tasks *tasks)
{
    struct task_worker *workers = calloc(tasks->jobs, sizeof *workers);
    if (!workers) {
        complain("not enough memory");
        return false;
    }
    fflush(NULL);
    bool good = attend_tasks(tasks, workers);
    for (unsigned job = 0; job < tasks->jobs; job++) {
        if (workers[job].process > 0) {
            kill(workers[job].process, SIGKILL);
            waitpid(workers[job].process, NULL, 0);
        }
    }
    free(workers);
    return good;
}

static void timer_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGALRM);
    sigaddset(signals, SIGVTALRM);
    sigaddset(signals, SIGPROF);
}

static struct {
    bool held;
    sigset_t before; /* the implementation may block some of them itself */
} timers;

void process_hold_timers(void)
{
    sigset_t signals;
    timer_signals(&signals);
    if (!timers.held) {
        sigprocmask(SIG_BLOCK, &signals, &timers.before);
    }
    timers.held = true;
}

void process_release_timers(void)
{
    if (timers.held) {
        timers.held = false;
        sigprocmask(SIG_SETMASK, &timers.before, NULL);
    }
}

bool process_ended_by_call(int status, bool calling)
{
    sigset_t signals;
    timer_signals(&signals);
    return calling || (WIFSIGNALED(status) && sigismember(&signals, WTERMSIG(status)) == 1);
}

void process_describe_end(int status, bool by_call, double time_limit, char note[KEPT_NOTE])
{
    if (time_limit > 0) {
        snprintf(note, KEPT_NOTE, "did not return within %g s", time_limit);
    } else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(note, KEPT_NOTE, "killed by SIG%s", name ? name : "?");
    } else if (!by_call && WEXITSTATUS(status) == EXIT_UNTRUSTED) {
        snprintf(note, KEPT_NOTE, "this machine has not the memory to judge it");
    } else {
        snprintf(note, KEPT_NOTE, "ended the process with exit code %d", WEXITSTATUS(status));
    }
}

enum finding process_finding(int status, bool calling, bool timed_out, double time_limit,
                             char note[KEPT_NOTE])
{
    bool by_call = process_ended_by_call(status, calling);
    process_describe_end(status, by_call, timed_out ? time_limit : 0, note);
    if (!by_call) {
        return FINDING_FAULT;
    }
    return timed_out ? FINDING_TIMEOUT : FINDING_CRASH;
}
