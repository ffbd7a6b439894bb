/* What every CUnit suite's main function is made of.
 *
 * CUnit by itself reports success for a suite that ran nothing, for one whose registration failed
 * and for a test without a single assertion. Here all of these fail. */
#ifndef TRUELERP_TESTS_SUITE_H
#define TRUELERP_TESTS_SUITE_H

#include <CUnit/CUnit.h>

#include <stdbool.h>
#include <stddef.h>

struct suite_test {
    const char *name; /* the rule that the test checks */
    void (*run)(void);
};

/* Runs them all and returns the program's exit code: 0 only if all `count` (at least one) ran to
 * their end, each made at least one assertion, and none failed. */
int suite_run(const char *suite, const struct suite_test *tests, size_t count);

/* One assertion of the running test. If it does not hold, the message (which should name the
 * input) is the failure's text, and after twenty failures the test ends. Returns `holds`. */
bool suite_check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
