#include "shelter.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_SAID = -1 };

static volatile int *said; /* the child's exit code, shared; NULL outside of a shelter */
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
    if (*said != NOT_SAID) {
        _exit(*said);
    }
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGPIPE) {
            signal(number, SIG_DFL);
            raise(number);
        }
        complain("%s: ended the program: %s", path, strsignal(number));
    } else {
        complain("%s: ended the program with exit code %d", path, WEXITSTATUS(status));
    }
    _exit(EXIT_FINDING);
}

void shelter_take(const char *path)
{
    said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(NULL);
    if (said != MAP_FAILED) {
        *said = NOT_SAID;
        child = fork();
    }
    if (said == MAP_FAILED || child < 0) {
        complain("no process to load %s in: %s", path, strerror(errno));
        exit(EXIT_UNTRUSTED);
    }
    if (child == 0) {
        return;
    }
    pass_signals_on();
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            complain("the process that loads %s cannot be waited for: %s", path, strerror(errno));
            _exit(EXIT_UNTRUSTED);
        }
    }
    end_as(path, status);
}

void shelter_leave(int code)
{
    if (!said) {
        return;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output cannot be written: %s", strerror(errno));
        code = EXIT_USAGE;
    }
    *said = code;
    _exit(code);
}
