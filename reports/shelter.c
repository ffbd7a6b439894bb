#include "shelter.h"

#include "process.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_SAID = -1 };

/* What the child lets its parent know. */
struct word {
    _Atomic int said; /* its exit code */
    _Atomic bool watched;
    _Atomic uint64_t watches; /* that are over */
};

static struct word *word; /* shared; NULL outside of a shelter */
static volatile pid_t child;

/* The terminal sends its signals to the child as well; others reach this process only. */
static void pass_on(int number, siginfo_t *information, void *context)
{
    (void)context;
    if (information->si_code == SI_USER) {
        kill(child, number);
    }
}

static void pass_signals_on(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction former;
        sigaction(numbers[i], NULL, &former);
        if (former.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static _Noreturn void end_as(const char *path, int status)
{
    if (word->said != NOT_SAID) {
        _exit(word->said);
    }
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ||
            number == SIGPIPE) {
            signal(number, SIG_DFL);
            raise(number);
        }
        complain("%s: ended the program: %s", path, strsignal(number));
    } else {
        complain("%s: ended the program with exit code %d", path, WEXITSTATUS(status));
    }
    _exit(EXIT_FINDING);
}

/* The caller has blocked SIGCHLD. */
static int wait_for_child(const char *path, uint64_t time_limit)
{
    int status = 0;
    bool timed_out;
    if (!process_wait(child, &word->watched, &word->watches, (double)time_limit, &status,
                      &timed_out)) {
        complain("the process that loads %s cannot be waited for: %s", path, strerror(errno));
        _exit(EXIT_UNTRUSTED);
    }
    if (timed_out) {
        complain("%s: %sloading it did not end within %" PRIu64 " s", path,
                 word->watches > 0 ? "un" : "", time_limit);
        _exit(EXIT_FINDING);
    }
    return status;
}

/* A child that outlived this process would go on, and write its outputs, with nobody to see it. */
void shelter_take(const char *path, uint64_t time_limit)
{
    word = process_shared_memory(sizeof *word);
    if (!word) {
        complain("no memory to load %s: %s", path, strerror(errno));
        exit(EXIT_UNTRUSTED);
    }
    word->said = NOT_SAID;
    fflush(NULL);
    sigset_t of_child, before;
    sigemptyset(&of_child);
    sigaddset(&of_child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &of_child, &before);
    child = process_fork();
    if (child < 0) {
        exit(EXIT_UNTRUSTED);
    }
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    pass_signals_on();
    end_as(path, wait_for_child(path, time_limit));
}

void shelter_watch(bool watched)
{
    if (word) {
        word->watches += !watched;
        word->watched = watched;
    }
}

void shelter_leave(int code)
{
    if (!word) {
        return;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output cannot be written: %s", strerror(errno));
        code = EXIT_USAGE;
    }
    word->said = code;
    _exit(code);
}
