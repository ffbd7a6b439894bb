#include "process.h"

#include "program.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
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
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
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

bool process_call_hangs(struct process_watch *watch, bool calling, uint64_t calls,
                        double time_limit)
{
    double time = process_time();
    if (!calling || !watch->in_call || watch->call != calls) {
        *watch = (struct process_watch){calling, calls, time};
    }
    return calling && time - watch->since > time_limit;
}

void process_describe_end(int status, double time_limit, char note[KEPT_NOTE])
{
    if (time_limit > 0) {
        snprintf(note, KEPT_NOTE, "did not return within %g s", time_limit);
    } else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(note, KEPT_NOTE, "killed by SIG%s", name ? name : "?");
    } else {
        snprintf(note, KEPT_NOTE, "ended the process with exit code %d", WEXITSTATUS(status));
    }
}
