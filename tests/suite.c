#include "suite.h"

#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdio.h>

enum { FAILURES_SHOWN = 20 };

static unsigned assertions_before;
static unsigned failures_before;
static unsigned completed;
static unsigned vacuous;

static void test_begins(const CU_pTest test, const CU_pSuite suite)
{
    (void)suite;
    assertions_before = CU_get_number_of_asserts();
    failures_before = CU_get_number_of_failures();
    printf("  %s ... ", test->pName);
    fflush(stdout);
}

static void test_ends(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
    (void)test;
    (void)suite;
    unsigned assertions = CU_get_number_of_asserts() - assertions_before;
    completed++;
    if (assertions == 0) {
        vacuous++;
        printf("FAILED: no assertion was made\n");
        return;
    }
    printf("%s (%u assertions)\n", failure ? "FAILED" : "ok", assertions);
    for (CU_pFailureRecord record = failure; record; record = record->pNext) {
        printf("    %s:%u: %s\n", record->strFileName, record->uiLineNumber, record->strCondition);
    }
}

static bool register_tests(const char *name, const struct suite_test *tests, size_t count)
{
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; suite && i < count; i++) {
        if (!CU_add_test(suite, tests[i].name, tests[i].run)) {
            return false;
        }
    }
    return suite != NULL;
}

static bool all_held(size_t count)
{
    return count > 0 && completed == count && CU_get_number_of_tests_run() == count &&
           vacuous == 0 && CU_get_number_of_failures() == 0 &&
           CU_get_number_of_tests_failed() == 0 && CU_get_number_of_suites_run() == 1 &&
           CU_get_number_of_suites_failed() == 0;
}

int suite_run(const char *suite, const struct suite_test *tests, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS || !register_tests(suite, tests, count)) {
        fprintf(stderr, "%s: cannot register the tests: %s\n", suite, CU_get_error_msg());
        return 1;
    }
    CU_set_test_start_handler(test_begins);
    CU_set_test_complete_handler(test_ends);
    printf("%s\n", suite);
    CU_ErrorCode code = CU_run_all_tests();
    bool good = code == CUE_SUCCESS && all_held(count);
    printf("%s: %u of %zu tests run, %u assertions, %u failed, %s\n", suite,
           CU_get_number_of_tests_run(), count, CU_get_number_of_asserts(),
           CU_get_number_of_failures(), good ? "all held" : "NOT GOOD");
    CU_cleanup_registry();
    return good ? 0 : 1;
}

bool suite_check(bool holds, const char *format, ...)
{
    char message[1024] = "";
    if (!holds) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
    }
    bool enough = !holds && CU_get_number_of_failures() - failures_before >= FAILURES_SHOWN;
    CU_assertImplementation(holds ? CU_TRUE : CU_FALSE, 0, message, "suite_check", "", enough);
    return holds;
}
