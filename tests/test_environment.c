/* The checks of the floating-point environment, each in a child process in which that environment
 * is really spoilt. Changes are made by control registers where the machine has them, since some
 * cannot be made in any other way. */
#include "suite.h"

#include "../oracle/environment.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static void round_up(void)
{
    fesetround(FE_UPWARD);
}

static void round_down(void)
{
    fesetround(FE_DOWNWARD);
}

static void round_to_zero(void)
{
    fesetround(FE_TOWARDZERO);
}

#if defined(__x86_64__)

static void flush_results(void)
{
    _mm_setcsr(_mm_getcsr() | 0x8000);
}

static void flush_operands(void)
{
    _mm_setcsr(_mm_getcsr() | 0x40);
}

static void unmask_division_by_zero(void)
{
    _mm_setcsr(_mm_getcsr() & ~0x200u);
}

static void set_x87(unsigned short control)
{
    __asm__ volatile("fldcw %0" : : "m"(control));
}

static void x87_to_double(void)
{
    set_x87(0x27f);
}

static void x87_round_up(void)
{
    set_x87(0xb7f);
}

#elif defined(__aarch64__)

static void flush_results(void)
{
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control |= 1ul << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

#endif

/* A way to spoil the environment, and a word of what must be said about it. */
struct spoiling {
    const char *name;
    void (*spoil)(void);
    const char *fault; /* NULL: arithmetic in double precision does not suffer */
    const char *restored;
};

static const struct spoiling spoilings[] = {
    {"rounding up", round_up, "nearest", "rounding"},
    {"rounding down", round_down, "nearest", "rounding"},
    {"rounding to zero", round_to_zero, "nearest", "rounding"},
#if defined(__x86_64__)
    {"FTZ", flush_results, "FTZ", "FTZ"},
    {"DAZ", flush_operands, "DAZ", "DAZ"},
    {"an unmasked exception", unmask_division_by_zero, "exception", "exception"},
    {"x87 precision", x87_to_double, "x87", "x87"},
    {"x87 rounding", x87_round_up, NULL, "x87"},
#elif defined(__aarch64__)
    {"FZ", flush_results, "FTZ", "FZ"},
#endif
};
enum { SPOILINGS = sizeof spoilings / sizeof *spoilings };

static bool says(const char *message, const char *word)
{
    return word ? message && strstr(message, word) : !message;
}

/* In a child process: its exit code, or -1. */
static int in_child(int (*run)(const struct spoiling *), const struct spoiling *spoiling)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        _exit(run(spoiling));
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static int fault_is_seen(const struct spoiling *spoiling)
{
    spoiling->spoil();
    return says(environment_fault(), spoiling->fault) ? 7 : 1;
}

static int default_is_put_back(const struct spoiling *spoiling)
{
    spoiling->spoil();
    if (!says(environment_restore(), spoiling->restored)) {
        return 1;
    }
    return environment_fault() || environment_restore() || fegetround() != FE_TONEAREST ? 2 : 7;
}

static void the_default_environment_has_no_fault(void)
{
    const char *fault = environment_fault();
    suite_check(!fault, "%s", fault ? fault : "");
    CU_ASSERT_PTR_NULL(environment_restore());
}

static void every_spoilt_environment_is_seen(void)
{
    for (int i = 0; i < SPOILINGS; i++) {
        suite_check(in_child(fault_is_seen, &spoilings[i]) == 7, "%s is not seen for what it is",
                    spoilings[i].name);
    }
}

static void every_spoilt_environment_is_put_back(void)
{
    for (int i = 0; i < SPOILINGS; i++) {
        int code = in_child(default_is_put_back, &spoilings[i]);
        suite_check(code == 7, "%s is %s", spoilings[i].name,
                    code == 1 ? "not named" : "not undone");
    }
}

/* Two at once: one is named, both are undone. */
static int both_are_put_back(const struct spoiling *spoiling)
{
    round_up();
    spoiling->spoil();
    return environment_restore() && !environment_restore() && !environment_fault() ? 7 : 1;
}

static void several_changes_are_all_put_back(void)
{
    for (int i = 0; i < SPOILINGS; i++) {
        suite_check(in_child(both_are_put_back, &spoilings[i]) == 7, "rounding up and %s",
                    spoilings[i].name);
    }
}

/* Sticky flags are results of arithmetic and no part of what it depends on. */
static void flags_are_neither_reported_nor_cleared(void)
{
    static const int all = FE_OVERFLOW | FE_DIVBYZERO | FE_INVALID | FE_UNDERFLOW | FE_INEXACT;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(all);
    CU_ASSERT_PTR_NULL(environment_restore());
    CU_ASSERT_EQUAL(fetestexcept(all), all);
    fesetround(FE_UPWARD);
    CU_ASSERT_PTR_NOT_NULL(environment_restore());
    CU_ASSERT_EQUAL(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO), FE_OVERFLOW | FE_DIVBYZERO);
    feclearexcept(FE_ALL_EXCEPT);
}

/* A call that spoils the environment in this way, and errno. */
static int lent_is_taken_back(const struct spoiling *spoiling)
{
    struct environment_lent lent;
    errno = ENOENT;
    environment_lend(&lent);
    if (errno == ENOENT || errno == EDOM) {
        return 1;
    }
    spoiling->spoil();
    errno = EDOM;
    if (!says(environment_take_back(&lent), spoiling->restored) || errno != ENOENT) {
        return 2;
    }
    return environment_fault() || environment_restore() ? 3 : 7;
}

static void what_was_lent_is_taken_back(void)
{
    for (int i = 0; i < SPOILINGS; i++) {
        int code = in_child(lent_is_taken_back, &spoilings[i]);
        suite_check(code == 7, "%s in a call: %d", spoilings[i].name, code);
    }
}

static const char *found_after(int raised, int cleared, int error)
{
    static struct environment_lent lent;
    environment_lend(&lent);
    feraiseexcept(raised);
    feclearexcept(cleared);
    errno = error ? error : errno;
    return environment_take_back(&lent);
}

/* Each flag, whether it was raised before or not; raising one is nobody's fault. */
static void cleared_flags_and_errno_are_found(void)
{
    static const int flags[] = {FE_OVERFLOW, FE_DIVBYZERO, FE_INVALID, FE_UNDERFLOW, FE_INEXACT};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        for (int before = 0; before < 2; before++) {
            feclearexcept(FE_ALL_EXCEPT);
            feraiseexcept(before ? flags[i] : 0);
            CU_ASSERT_PTR_NULL(found_after(flags[i], 0, 0));
            CU_ASSERT_TRUE(says(found_after(0, flags[i], 0), "cleared"));
            CU_ASSERT_PTR_NULL(found_after(0, 0, 0));
        }
    }
    errno = ENOENT;
    CU_ASSERT_TRUE(says(found_after(0, 0, EDOM), "set errno to 33 ("));
    CU_ASSERT_TRUE(says(found_after(0, 0, ENOENT), "set errno to 2 ("));
    CU_ASSERT_EQUAL(errno, ENOENT);
    feclearexcept(FE_ALL_EXCEPT);
}

/* A child that leaves by itself must not look like one that found what it should. */
static int nothing(const struct spoiling *spoiling)
{
    (void)spoiling;
    return 0;
}

static int crash(const struct spoiling *spoiling)
{
    (void)spoiling;
    abort();
}

static void a_childs_failure_is_none_of_these_successes(void)
{
    CU_ASSERT_EQUAL(in_child(nothing, NULL), 0);
    CU_ASSERT_EQUAL(in_child(crash, NULL), -1);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the default environment has no fault", the_default_environment_has_no_fault},
        {"every spoilt environment is seen", every_spoilt_environment_is_seen},
        {"every spoilt environment is put back", every_spoilt_environment_is_put_back},
        {"several changes are all put back", several_changes_are_all_put_back},
        {"flags are neither reported nor cleared", flags_are_neither_reported_nor_cleared},
        {"what was lent is taken back", what_was_lent_is_taken_back},
        {"cleared flags and errno are found", cleared_flags_and_errno_are_found},
        {"a child's failure is none of these successes",
         a_childs_failure_is_none_of_these_successes},
    };
    return suite_run("environment", tests, sizeof tests / sizeof *tests);
}
