/* Divided differences as text: exact, and rounded only once. */
#include "suite.h"

#include "../reports/differences.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void check_text(const char *number, int digits, const char *wanted)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_str(q, number, 10);
    mpq_canonicalize(q);
    char text[DECIMAL_TEXT];
    decimal_text(q, digits, text);
    suite_check(strcmp(text, wanted) == 0, "%s to %d digits: '%s' instead of '%s'", number, digits,
                text, wanted);
    mpq_clear(q);
}

static void decimals_are_rounded_half_to_even(void)
{
    check_text("0", 6, "0");
    check_text("1/8", 2, "0.12");
    check_text("3/8", 2, "0.38");
    check_text("-5/2", 1, "-2");
    check_text("7/2", 1, "4");
    /* just above and below a tie, by less than any double shows */
    check_text(
        "125000000000000000000000000000000000000001/1000000000000000000000000000000000000000000", 2,
        "0.13");
    check_text(
        "374999999999999999999999999999999999999999/1000000000000000000000000000000000000000000", 2,
        "0.37");
    check_text("2/3", 40, "0.6666666666666666666666666666666666666667");
    check_text("-1/3", 1, "-0.3");
}

static void decimals_have_the_shorter_form(void)
{
    check_text("99996/10000", 4, "10");
    check_text("99996/100", 4, "1000");
    check_text("99996/10", 4, "1e+04");
    check_text("123456", 6, "123456");
    check_text("1234567", 6, "1.23457e+06");
    check_text("1/10000", 3, "0.0001");
    check_text("-12345/100000000", 3, "-0.000123");
    check_text("99999/1000000000", 3, "0.0001");
    check_text("12/10", 6, "1.2");
    check_text("100", 6, "100");
    check_text("10", 1, "1e+01");
}

/* glibc prints doubles correctly rounded. */
static void decimals_agree_with_printf(void)
{
    uint64_t state = 1;
    mpq_t q;
    mpq_init(q);
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        uint64_t bits = state ^ state >> 29;
        double number;
        memcpy(&number, &bits, sizeof number);
        if (i % 2 == 0) { /* the other form */
            number = (double)(int64_t)bits * ldexp(1, -60 - (int)(state >> 60));
        }
        int digits = 1 + i % DIGITS_MAX;
        if (!isfinite(number)) {
            continue;
        }
        char text[DECIMAL_TEXT], wanted[64];
        mpq_set_d(q, number);
        decimal_text(q, digits, text);
        snprintf(wanted, sizeof wanted, "%.*g", digits, number);
        suite_check(strcmp(text, wanted) == 0, "%a to %d digits: '%s' instead of '%s'", number,
                    digits, text, wanted);
    }
    mpq_clear(q);
}

/* Through nodes of a polynomial with whole coefficients, at any distances: the differences of its
 * degree are its leading coefficient and those of higher orders 0, to the last bit. */
static void differences_of_a_polynomial_end(void)
{
    static const double times[] = {3, -1, 0x1p-20, 7, 1024, -0x1p10 - 1};
    enum { COUNT = sizeof times / sizeof times[0] };
    double values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = (5 * times[i] - 2) * times[i] + 11; /* exact here */
    }
    struct differences differences;
    differences_create(&differences, times, values, COUNT);
    for (size_t order = 0; order < COUNT; order++) {
        for (size_t i = 0; i + order < COUNT; i++) {
            mpq_srcptr entry = differences_entry(&differences, order, i);
            bool good = order == 0   ? mpq_get_d(entry) == values[i]
                        : order == 1 ? mpq_get_d(entry) == 5 * (times[i] + times[i + 1]) - 2
                        : order == 2 ? mpq_cmp_ui(entry, 5, 1) == 0
                                     : mpq_sgn(entry) == 0;
            suite_check(good, "order %zu, entry %zu: %g", order, i, mpq_get_d(entry));
        }
    }
    differences_free(&differences);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"decimals are rounded half to even", decimals_are_rounded_half_to_even},
        {"decimals have the shorter form", decimals_have_the_shorter_form},
        {"decimals agree with printf", decimals_agree_with_printf},
        {"differences of a polynomial end", differences_of_a_polynomial_end},
    };
    return suite_run("differences", tests, sizeof tests / sizeof tests[0]);
}
