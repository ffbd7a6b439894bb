/* Work in a process of its own, how its ends are told apart, and what is kept of cases that fail.
 */
#include "suite.h"

#include "../fuzz/apart.h"
#include "../fuzz/finding.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Generous: machines are busy. */
static const struct apart_limits wide = {.seconds = 30, .megabytes = 1000};

static void say(void *context, FILE *output)
{
    fprintf(output, "%s", (const char *)context);
}

static void say_aloud(void *context, FILE *output)
{
    (void)context;
    fputs("one\n", output);
    fflush(output);
    (void)!write(STDOUT_FILENO, "two\n", 4);
    (void)!write(STDERR_FILENO, "three\n", 6);
}

static void say_much(void *context, FILE *output)
{
    (void)context;
    for (int i = 0; i < 300000; i++) {
        fputs("0123456789", output);
    }
}

/* At once as much as a pipe holds. */
static void say_and_leave(void *context, FILE *output)
{
    static char text[60000];
    (void)context;
    memset(text, '.', sizeof text);
    _exit(write(fileno(output), text, sizeof text) == sizeof text ? 3 : 4);
}

static void leave(void *context, FILE *output)
{
    fflush(output);
    _exit(*(int *)context);
}

static void be_killed(void *context, FILE *output)
{
    (void)output;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    signal(*(int *)context, SIG_DFL);
    raise(*(int *)context);
}

static void wait_for_ever(void *context, FILE *output)
{
    fputs(context, output);
    fflush(output);
    while (true) {
        pause();
    }
}

static void swell(void *context, FILE *output)
{
    enum { BLOCK = 1 << 20 };
    (void)context;
    (void)output;
    for (int i = 0; i < 400; i++) {
        volatile char *block = malloc(BLOCK);
        for (size_t k = 0; block && k < BLOCK; k += 512) {
            block[k] = 1;
        }
    }
    while (true) {
        pause();
    }
}

static enum apart_end end_of(void (*work)(void *context, FILE *output), void *context,
                             const struct apart_limits *limits, int *status)
{
    struct apart apart;
    apart_run(work, context, limits, &apart);
    *status = apart.status;
    free(apart.said);
    return apart.end;
}

static void work_that_returns_says_its_say(void)
{
    struct apart apart;
    apart_run(say, "0.5,", &wide, &apart);
    CU_ASSERT_EQUAL(apart.end, APART_RETURNED);
    CU_ASSERT_STRING_EQUAL(apart.said, "0.5,");
    free(apart.said);
    apart_run(say_aloud, NULL, &wide, &apart);
    CU_ASSERT_EQUAL(apart.end, APART_RETURNED);
    CU_ASSERT_STRING_EQUAL(apart.said, "one\ntwo\nthree\n");
    free(apart.said);
    /* more than a pipe holds, and not all that somebody says */
    apart_run(say_much, NULL, &wide, &apart);
    CU_ASSERT_EQUAL(apart.end, APART_RETURNED);
    CU_ASSERT(strlen(apart.said) > 1000000 && strlen(apart.said) < 2000000);
    free(apart.said);
}

static void what_was_said_last_is_heard(void)
{
    for (int i = 0; i < 20; i++) {
        struct apart apart;
        apart_run(say_and_leave, NULL, &wide, &apart);
        CU_ASSERT(WIFEXITED(apart.status) && WEXITSTATUS(apart.status) == 3);
        CU_ASSERT_EQUAL(strlen(apart.said), 60000);
        free(apart.said);
    }
}

static void ends_are_told_apart(void)
{
    int status, code;
    struct apart_limits short_limits = {.seconds = 0.3}, narrow = {.seconds = 30, .megabytes = 100};
    for (code = 0; code < 3; code++) {
        CU_ASSERT_EQUAL(end_of(leave, &code, &wide, &status), APART_ENDED);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == code);
    }
    static const int signals[] = {SIGSEGV, SIGABRT, SIGKILL, SIGINT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        code = signals[i];
        CU_ASSERT_EQUAL(end_of(be_killed, &code, &wide, &status), APART_ENDED);
        suite_check(WIFSIGNALED(status) && WTERMSIG(status) == code, "signal %d: status %x", code,
                    (unsigned)status);
    }
    CU_ASSERT_EQUAL(end_of(wait_for_ever, "", &short_limits, &status), APART_LATE);
    CU_ASSERT_EQUAL(end_of(swell, NULL, &narrow, &status), APART_SWOLLEN);
}

#define REPORT                                                                                     \
    "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008\n"                       \
    "    #0 0x7f0000001000  (/lib/x86_64-linux-gnu/libc.so.6+0x1000)\n"                            \
    "    #1 0x55500000%s  (/folder/libmine.so+0x1139)\n"                                           \
    "    #2 0x55500000%s  (/folder/libmine.so+0x1239)\n"                                           \
    "    #3 0x55500000%s  (/folder/fuzz_lerp_replay+0x9339)\n"                                     \
    "SUMMARY: AddressSanitizer: %s (/folder/libmine.so+0x1139)\n"

static bool alike(enum apart_end end, int status, const char *first, const char *second,
                  const char *third, const char *kind)
{
    char a[1000], b[1000];
    snprintf(a, sizeof a, REPORT, "2000", "3000", "4000", "SEGV");
    snprintf(b, sizeof b, REPORT, first, second, third, kind);
    struct apart one = {.end = APART_ENDED, .status = 256, .said = a};
    struct apart other = {.end = end, .status = status, .said = b};
    return apart_alike(&one, &other) && apart_alike(&other, &one);
}

static bool alike_words(const char *a, const char *b)
{
    struct apart one = {.end = APART_ENDED, .said = (char *)a};
    struct apart other = {.end = APART_ENDED, .said = (char *)b};
    return apart_alike(&one, &other);
}

static void failures_are_alike_by_end_report_and_place(void)
{
    CU_ASSERT(alike(APART_ENDED, 256, "2000", "3000", "4000", "SEGV"));
    CU_ASSERT(alike(APART_ENDED, 256, "2000", "3000", "4444", "SEGV"));
    CU_ASSERT(!alike(APART_ENDED, 11, "2000", "3000", "4000", "SEGV"));
    CU_ASSERT(!alike(APART_ENDED, 256, "2222", "3000", "4000", "SEGV"));
    CU_ASSERT(!alike(APART_ENDED, 256, "2000", "3333", "4000", "SEGV"));
    CU_ASSERT(!alike(APART_ENDED, 256, "2000", "3000", "4000", "FPE"));
    CU_ASSERT(!alike(APART_RETURNED, 256, "2000", "3000", "4000", "SEGV"));
    CU_ASSERT(!alike(APART_LATE, 256, "2000", "3000", "4000", "SEGV"));
    CU_ASSERT(alike_words("a.c:1:2: runtime error: shift exponent 40 is too large\n",
                          "a.c:1:2: runtime error: shift exponent 41 is too large\n"));
    CU_ASSERT(!alike_words("a.c:1:2: runtime error: shift exponent 40 is too large\n",
                           "a.c:1:2: runtime error: shift exponent -1 is negative\n"));
    CU_ASSERT(alike_words("", "the target's own words\n"));
    /* what hangs is somewhere else each time it is looked at */
    struct apart one = {.end = APART_LATE, .status = 9, .said = "x"};
    struct apart other = {.end = APART_LATE, .status = 9, .said = "y"};
    CU_ASSERT(apart_alike(&one, &other));
    other.end = APART_SWOLLEN;
    CU_ASSERT(!apart_alike(&one, &other));
}

static char folder[] = "/tmp/truelerp-apart-XXXXXX";

static pid_t owner;

/* Not where a planted exit ends a process that has work of this one. */
static void remove_folder(void)
{
    char path[64];
    if (getpid() != owner) {
        return;
    }
    snprintf(path, sizeof path, "%s/lerp.csv", folder);
    unlink(path);
    rmdir(folder);
}

static void create_harness(struct harness *harness)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    owner = getpid();
    atexit(remove_folder);
    setenv("TRUELERP_FUZZ_IMPL", "./failing.so", 1);
    setenv("TRUELERP_FUZZ_FINDINGS", folder, 1);
    unsetenv("TRUELERP_FUZZ_RECORDS");
    harness_create(harness, "lerp");
}

/* The rows of the table of such a case, behind its header; to be freed. */
static char *rows_of(struct harness *harness, double a, double b, double t)
{
    struct failed failed = {.words = "crash: planted", .seconds = 60, .megabytes = 1000};
    struct values inputs = {0};
    char path[64], *text = calloc(1, 4096);
    *values_append(&inputs, 1) = a;
    *values_append(&inputs, 1) = b;
    *values_append(&inputs, 1) = t;
    snprintf(path, sizeof path, "%s/lerp.csv", folder);
    unlink(path);
    CU_ASSERT(finding_keep(harness, &inputs, &failed));
    FILE *stream = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT(fread(text, 1, 4095, stream) > 0);
    fclose(stream);
    values_free(&inputs);
    return text;
}

/* Whether the row after the one as found begins so. */
static void check_simplified(struct harness *harness, double a, double b, double t,
                             const char *inputs)
{
    char *rows = rows_of(harness, a, b, t);
    char *found = strstr(rows, "as found; crash: planted\"\n");
    char *next = found ? strchr(found, '\n') + 1 : NULL;
    suite_check(next && strncmp(next, inputs, strlen(inputs)) == 0 &&
                    strstr(next, "simplified; crash: planted\"\n"),
                "%g, %g, %g: %s", a, b, t, rows);
    free(rows);
}

static void failing_cases_become_simpler(void)
{
    static struct harness harness;
    create_harness(&harness);
    check_simplified(&harness, 5.3, 7.7, 123.4, "0x0p+0,0x1p+0,0x1p+1,");
    check_simplified(&harness, 5.3, 7.7, 1234.5, "0x0p+0,0x1p+0,0x1p+10,");
    check_simplified(&harness, 0.3, 7.7, -1234.5, "0x0p+0,0x0p+0,-0x1p+10,");
    /* one that does not fail by itself is kept as found, and that is all */
    char *rows = rows_of(&harness, 5.3, 7.7, 0.25);
    CU_ASSERT_PTR_NOT_NULL(strstr(rows, "as found; crash: planted\"\n"));
    CU_ASSERT_PTR_NULL(strstr(rows, "simplified"));
    free(rows);
}

/* The last, since it lasts. */
static void a_signal_ends_it_early(void)
{
    int status;
    apart_catch_signals();
    CU_ASSERT_FALSE(apart_interrupted());
    raise(SIGTERM);
    CU_ASSERT(apart_interrupted());
    CU_ASSERT_EQUAL(end_of(wait_for_ever, "", &wide, &status), APART_STOPPED);
    CU_ASSERT(WIFSIGNALED(status));
    struct sigaction action;
    sigaction(SIGTERM, NULL, &action);
    CU_ASSERT(action.sa_handler == SIG_DFL); /* the second one ends this process */
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"work that returns says its say", work_that_returns_says_its_say},
        {"what was said last is heard", what_was_said_last_is_heard},
        {"ends are told apart", ends_are_told_apart},
        {"failures are alike by end, report and place", failures_are_alike_by_end_report_and_place},
        {"failing cases become simpler", failing_cases_become_simpler},
        {"a signal ends it early", a_signal_ends_it_early}};
    return suite_run("apart", tests, sizeof tests / sizeof tests[0]);
}
