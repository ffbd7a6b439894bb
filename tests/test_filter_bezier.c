/* The first stage's roots and values of weighted segments against the exact answers.
 * Usage: test_filter_bezier [SAMPLES [SEED]] */
#include "contained.h"
#include "suite.h"

#include "../oracle/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t sample_count = 100000; /* of each function */
static uint64_t seed = 43;

static void check_function(const char *name, double least_share)
{
    const struct function *function = catalog_find(name);
    CU_ASSERT_FATAL(function && function->estimate);
    struct containment found = contained_in_domains(function, seed, sample_count);
    suite_check((double)found.estimates >= least_share * (double)found.samples,
                "%s: %zu of %zu estimated", name, found.estimates, found.samples);
    suite_check(found.value > 0.02, "%s: never near the bound: %g of it", name, found.value);
    if (getenv("FILTER_SHARES")) {
        printf("%s: %zu of %zu, %.3f %.3f %.3f\n", name, found.estimates, found.samples,
               found.value, found.scale, found.magnitude);
    }
}

static void test_bezier(void)
{
    check_function("bezier", 0.4);
}

static void test_bezier_parameter(void)
{
    check_function("bezier_parameter", 0.4);
}

/* So close to the middle that the ladder's figures at its last precision are those of either side.
 */
static void test_next_to_middle(void)
{
    static const double next_to_middle[] = {-0x1p-6,     0, 0, 0x1.ffffffffffe9ap-1,
                                            0x1p-6,      1, 0, 0x1.ffffffffffe9ap-1,
                                            0x1.38cp-922};
    const struct function *function = catalog_find("bezier");
    struct judge *judge = judge_create();
    struct values inputs = {0}, results = {0};
    double *number = values_numbers(&inputs, sizeof next_to_middle / sizeof *next_to_middle);
    for (size_t i = 0; i < sizeof next_to_middle / sizeof *next_to_middle; i++) {
        number[i] = next_to_middle[i];
    }
    *values_numbers(&results, 1) = nextafter(0.5, 1);
    struct judgement with, without;
    judge_case(judge, function, &inputs, &results, &with);
    judge_set_filter(judge, false);
    judge_case(judge, function, &inputs, &results, &without);
    suite_check(with.verdict == without.verdict && with.error_ulp == without.error_ulp &&
                    with.error_scaled == without.error_scaled,
                "%g ulps with the first stage, %g without it", with.error_ulp, without.error_ulp);
    values_free(&inputs);
    values_free(&results);
    judge_destroy(judge);
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"bezier is where the estimate says", test_bezier},
        {"bezier_parameter is where the estimate says", test_bezier_parameter},
        {"next to the middle, judgements are the ladder's", test_next_to_middle},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    return suite_run("filter_bezier", tests, sizeof tests / sizeof *tests);
}
