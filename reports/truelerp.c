#include "program.h"
#include "shelter.h"

#include "../impl/truelerp.h"

#include <json-c/json.h>
#include <errno.h>
#include <limits.h>
#include <mpfi.h>
#include <mpfr.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct verb {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

static const struct verb verbs[] = {
    {"list", "show the functions: inputs, formulas, bounds, domains", verb_list},
    {"eval", "judge the cases of a CSV file, row by row", verb_eval},
    {"report", "judge many drawn cases and write an accuracy report", verb_report},
    {"merge", "make one report of the shards of several runs", verb_merge},
    {"gate", "compare accuracy, results and cost with a baseline, for CI", verb_gate},
    {"diff", "compare two accuracy reports, or two baselines", verb_diff},
    {"draw", "write cases of a domain as CSV", verb_draw},
    {"hunt", "look for cases that are worse than those known", verb_hunt},
    {"selftest", "compare the oracle with a second one", verb_selftest},
    {"table", "show the divided differences of nodes, and draw their polynomial", verb_table},
    {"bench", "measure the time of the functions", verb_bench},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

struct choice {
    const struct verb *verb;
    int argc;
    char **argv; /* argv[0] is the verb's name */
};

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
#ifdef __clang__
    const char *compiler = "clang " __clang_version__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
    fprintf(stream,
            "truelerp %s\n"
            "instruction set  %s\n"
            "compiler         %s\n"
            "MPFR             %s\n"
            "MPFI             %s\n"
            "json-c           %s\n",
            tl_version(), tl_instruction_set(), compiler, mpfr_get_version(), mpfi_get_version(),
            json_c_version());
}

static void choose(struct argp_state *state, char *name)
{
    struct choice *choice = state->input;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            choice->verb = &verbs[i];
            choice->argc = state->argc - state->next + 1;
            choice->argv = state->argv + state->next - 1;
            state->next = state->argc;
            return;
        }
    }
    argp_error(state, "there is no command '%s'", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        choose(state, argument);
        return 0;
    case ARGP_KEY_END:
        if (!choice->verb) {
            argp_usage(state);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    char *filled = NULL;
    size_t size;
    FILE *stream = open_memstream(&filled, &size);
    fputs("Commands (truelerp COMMAND --help tells more):\n", stream);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        fprintf(stream, "  %-9s %s\n", verbs[i].name, verbs[i].summary);
    }
    fputs("\nExit codes:\n"
          "  0  everything is within its bound\n"
          "  1  a violation, a crash or another finding\n"
          "  2  wrong usage, unreadable input or unwritable output\n"
          "  3  this machine cannot give a trustworthy answer, or a verdict stayed open\n"
          "If several apply, 2 goes before 3, and 3 before 1.",
          stream);
    fclose(stream);
    return filled;
}

/* A full disk or a closed pipe must not look like success. */
static void close_standard_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output cannot be written: %s", strerror(errno));
        _exit(EXIT_USAGE);
    }
}

/* The benchmarks of the functions are a program of their own, since they need a C++ compiler. */
int verb_bench(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "oracle") == 0) {
        return verb_bench_oracle(argc - 1, argv + 1);
    }
    char path[PATH_MAX + 16];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length < 0) {
        complain("cannot tell where this program lies: %s", strerror(errno));
        return EXIT_USAGE;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(slash + 1, 16, "truelerp-bench");
    argv[0] = path;
    fflush(NULL);
    execv(path, argv);
    if (errno == ENOENT) {
        complain("%s is not there: the benchmarks are built if a C++ compiler and the library "
                 "google-benchmark are found (Debian: g++ and libbenchmark-dev)",
                 path);
    } else {
        complain("%s: %s", path, strerror(errno));
    }
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = "Interpolation between keyframes, checked against the exact answer."
               "\v(commands)",
        .help_filter = help_filter,
    };
    atexit(close_standard_output);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version_hook = print_version;
    struct choice choice = {0};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
    int code = choice.verb->run(choice.argc, choice.argv);
    shelter_leave(code);
    return code;
}
