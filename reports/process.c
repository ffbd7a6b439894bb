#include "process.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

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
