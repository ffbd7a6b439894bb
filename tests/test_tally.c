/* The figures of the reports: sums, quantiles, worst cases, and that any split of the work gives
 * the same ones. */
#include "suite.h"

#include "../reports/tally.h"

#include <math.h>
#include <mpfr.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The judge's grid: multiples of 2^-32 below 1, 33 significant bits above. */
static double on_grid(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    return exponent <= 1 ? rint(x * 0x1p32) * 0x1p-32
                         : ldexp(rint(fraction * 0x1p33), exponent - 33);
}

static uint64_t random_state;

static uint64_t random_bits(void)
{
    uint64_t x = random_state += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

static double random_error(int lowest, int highest)
{
    int exponent = lowest + (int)(random_bits() % (uint64_t)(highest - lowest));
    double error = on_grid(ldexp(1 + (double)(random_bits() >> 11) * 0x1p-53, exponent));
    return random_bits() % 8 ? error : 0;
}

/* 53 KB each: not on the stack. */
static struct tally *new_tally(void)
{
    return calloc(1, sizeof(struct tally));
}

static void add(struct tally *tally, uint32_t part, uint64_t index, double ulp, double scaled,
                double bound)
{
    struct judgement judgement = {.verdict = scaled <= bound ? VERDICT_WITHIN : VERDICT_VIOLATION,
                                  .outcome = OUTCOME_ENCLOSED,
                                  .measured = true,
                                  .error_ulp = ulp,
                                  .error_scaled = scaled,
                                  .bound = bound};
    struct tally_case place = {.part = part, .index = index, .axis_bin = (int)(index % AXIS_BINS)};
    double number = (double)index;
    struct values results = {.count = 1, .start = {0, 1}, .number = &number, .capacity = 1};
    tally_judgement(tally, &place, &results, &judgement);
}

/* Case i of a fixed mix: some equal, so that there are ties. */
static void add_mixed(struct tally *tally, uint64_t i)
{
    random_state = i;
    double scaled = random_bits() % 4 ? random_error(-33, 5) : 3;
    double ulp = random_bits() % 4 ? random_error(-33, 1023) : 0x1p1000;
    add(tally, (uint32_t)(i % 3), i, ulp, scaled, 12);
    struct tally_case place = {.part = (uint32_t)(i % 3), .index = i, .axis_bin = -1};
    if (i % 97 == 5) {
        tally_finding(tally, &place, (enum finding)(i % FINDING_COUNT), NULL, "note");
    }
}

static void test_mean_is_exact(void)
{
    static const struct {
        int lowest, highest;
    } ranges[] = {{-33, 0}, {-33, 10}, {-33, 64}, {1000, 1023}, {-33, 1023}};
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        struct tally *tally = new_tally();
        mpfr_t sum;
        mpfr_init2(sum, 2200); /* holds every sum exactly */
        mpfr_set_zero(sum, 1);
        random_state = r;
        for (uint64_t i = 1; i <= 2000; i++) {
            double error = random_error(ranges[r].lowest, ranges[r].highest);
            add(tally, 0, i, error, 1, 1);
            CU_ASSERT_EQUAL(mpfr_add_d(sum, sum, error, MPFR_RNDN), 0);
            if (i % 77 == 0 || i == 2000) {
                mpfr_t mean;
                mpfr_init2(mean, 53);
                mpfr_div_ui(mean, sum, i, MPFR_RNDN);
                double expected = mpfr_get_d(mean, MPFR_RNDN);
                double got = errors_mean(&tally->ulp);
                suite_check(got == expected, "range %zu, %lu errors: mean %a, not %a", r,
                            (unsigned long)i, got, expected);
                mpfr_clear(mean);
            }
        }
        mpfr_clear(sum);
        free(tally);
    }
}

/* 2^64 - 1 of the largest errors fit. */
static void test_sum_does_not_overflow(void)
{
    struct tally *tally = new_tally();
    struct tally *other = new_tally();
    add(tally, 0, 0, 0x1.ffffffffp1023, 0, 1);
    for (int i = 0; i < 63; i++) {
        memcpy(other, tally, sizeof *tally);
        tally_merge(tally, other);
    }
    CU_ASSERT_EQUAL(tally->ulp.count, (uint64_t)1 << 63);
    CU_ASSERT_EQUAL(errors_mean(&tally->ulp), 0x1.ffffffffp1023);
    free(other);
    free(tally);
}

static bool same_kept(const struct kept *a, const struct kept *b)
{
    return a->present == b->present && a->part == b->part && a->index == b->index &&
           a->key == b->key && a->verdict == b->verdict && a->measured == b->measured &&
           a->error_ulp == b->error_ulp && a->error_scaled == b->error_scaled &&
           a->bound == b->bound && a->has_result == b->has_result &&
           a->result_count == b->result_count && a->result[0] == b->result[0] &&
           strcmp(a->note, b->note) == 0;
}

static bool same_errors(const struct errors *a, const struct errors *b)
{
    return a->count == b->count && a->max == b->max &&
           memcmp(&a->sum, &b->sum, sizeof a->sum) == 0 &&
           memcmp(&a->histogram, &b->histogram, sizeof a->histogram) == 0;
}

static bool same_tally(const struct tally *a, const struct tally *b)
{
    bool same = memcmp(a->verdicts, b->verdicts, sizeof a->verdicts) == 0 &&
                memcmp(a->findings, b->findings, sizeof a->findings) == 0 &&
                a->skipped == b->skipped && a->misrounded == b->misrounded &&
                a->share == b->share && same_errors(&a->ulp, &b->ulp) &&
                same_errors(&a->scaled, &b->scaled);
    for (int i = 0; i < WORST_COUNT; i++) {
        same = same && same_kept(&a->worst[i], &b->worst[i]);
    }
    for (int i = 0; i < FINDING_COUNT; i++) {
        same = same && same_kept(&a->first[i], &b->first[i]);
    }
    for (int i = 0; i < AXIS_BINS; i++) {
        same = same && a->axis[i].count == b->axis[i].count && a->axis[i].max == b->axis[i].max;
    }
    return same;
}

static void test_any_split_is_the_same(void)
{
    enum { CASES = 3000 };
    struct tally *whole = new_tally();
    for (uint64_t i = 0; i < CASES; i++) {
        add_mixed(whole, i);
    }
    CU_ASSERT_EQUAL(whole->ulp.count, CASES);
    for (unsigned jobs = 2; jobs <= 7; jobs++) {
        struct tally *shares[7];
        for (unsigned j = 0; j < jobs; j++) {
            shares[j] = new_tally();
        }
        for (uint64_t i = CASES; i-- > 0;) { /* backwards, for the ties */
            random_state = i * jobs;
            unsigned job = (unsigned)(random_bits() % jobs);
            add_mixed(shares[job], i);
        }
        struct tally *merged = new_tally();
        for (unsigned j = jobs; j-- > 0;) {
            tally_merge(merged, shares[j]);
            free(shares[j]);
        }
        suite_check(same_tally(merged, whole), "%u jobs: not the same", jobs);
        free(merged);
    }
    free(whole);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_quantile(const struct errors *errors, const double *sorted, uint64_t count,
                           unsigned permille)
{
    uint64_t rank = (count * permille + 999) / 1000;
    double exact = sorted[rank - 1];
    double got = errors_quantile(errors, permille);
    suite_check(got >= exact && got <= exact * (1 + 1.0 / HISTOGRAM_STEPS) &&
                    got <= sorted[count - 1],
                "%u permille of %lu: %a, exactly %a", permille, (unsigned long)count, got, exact);
}

static void test_quantiles(void)
{
    static const unsigned permilles[] = {1, 500, 990, 999, 1000};
    static double sorted[5000];
    for (uint64_t count = 1; count <= 5000; count += count < 40 ? 1 : 499) {
        struct tally *tally = new_tally();
        random_state = count;
        for (uint64_t i = 0; i < count; i++) {
            sorted[i] = random_error(-33, 64);
            add(tally, 0, i, 0, sorted[i], 0x1p70);
        }
        qsort(sorted, count, sizeof sorted[0], by_size);
        for (size_t p = 0; p < sizeof permilles / sizeof permilles[0]; p++) {
            check_quantile(&tally->scaled, sorted, count, permilles[p]);
        }
        CU_ASSERT_EQUAL(errors_quantile(&tally->scaled, 1000), sorted[count - 1]);
        free(tally);
    }
}

/* Beyond the bins, the largest error stands for all. */
static void test_quantile_beyond_the_bins(void)
{
    struct tally *tally = new_tally();
    add(tally, 0, 0, 0x1p64, 0, 1);
    CU_ASSERT_EQUAL(tally->ulp.histogram.beyond, 0);
    add(tally, 0, 1, 0x1p1000, 0, 1);
    add(tally, 0, 2, 0x1p900, 0, 1);
    CU_ASSERT_EQUAL(tally->ulp.histogram.beyond, 2);
    CU_ASSERT_EQUAL(errors_quantile(&tally->ulp, 300), 0x1p64);
    CU_ASSERT_EQUAL(errors_quantile(&tally->ulp, 600), 0x1p1000);
    free(tally);
}

/* An error equal to a bound must not be shown above it. */
static void test_upper_edge_belongs_to_the_bin(void)
{
    struct tally *tally = new_tally();
    uint64_t seen = 0;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        double edge = histogram_edge(i + 1);
        CU_ASSERT(histogram_edge(i) < edge);
        if (on_grid(edge) == edge) { /* all but the finest bins */
            add(tally, 0, i, edge, 0, 1);
            suite_check(tally->ulp.histogram.bin[i] == 1, "edge %a is not in bin %zu", edge, i);
            seen++;
        }
    }
    CU_ASSERT(seen > HISTOGRAM_BINS - 32 * 6);
    CU_ASSERT_EQUAL(histogram_edge(0), 0x1p-32);
    CU_ASSERT_EQUAL(histogram_edge(HISTOGRAM_BINS), 0x1p64);
    add(tally, 0, 0, 0x1p-32, 0, 1);
    CU_ASSERT_EQUAL(tally->ulp.histogram.bin[0], 1);
    add(tally, 0, 0, 0.5 + 0x1p-32, 0, 1);
    size_t half = (size_t)31 * HISTOGRAM_STEPS;
    CU_ASSERT_EQUAL(histogram_edge(half), 0.5);
    CU_ASSERT_EQUAL(tally->ulp.histogram.bin[half], 2); /* that and its upper edge */
    free(tally);
}

static void test_worst_and_ties(void)
{
    struct tally *tally = new_tally();
    add(tally, 1, 7, 4, 6, 12);
    add(tally, 1, 3, 4, 6, 12);
    add(tally, 0, 9, 4, 6, 12);
    add(tally, 2, 0, 4, 6, 12);
    for (int i = 0; i < WORST_COUNT; i++) {
        CU_ASSERT_EQUAL(tally->worst[i].part, 0);
        CU_ASSERT_EQUAL(tally->worst[i].index, 9);
        CU_ASSERT_EQUAL(tally->worst[i].result[0], 9.0);
    }
    add(tally, 2, 1, 1, 1, 1);      /* reaches its bound */
    add(tally, 2, 2, 9, 2, 12);     /* most ulps */
    add(tally, 2, 3, 1, 11, 0x1p9); /* most u S, under a wide bound */
    CU_ASSERT_EQUAL(tally->worst[WORST_SHARE].index, 1);
    CU_ASSERT_EQUAL(tally->worst[WORST_ULP].index, 2);
    CU_ASSERT_EQUAL(tally->worst[WORST_SCALED].index, 3);
    CU_ASSERT_EQUAL(tally->share, 1.0);
    CU_ASSERT_EQUAL(tally->ulp.max, 9.0);
    CU_ASSERT_EQUAL(tally->scaled.max, 11.0);
    CU_ASSERT_STRING_EQUAL(tally_verdict(tally), "within");
    add(tally, 2, 4, 1, 1, 0); /* an answer that is given bit for bit */
    CU_ASSERT(isfinite(tally->share) && tally->share > 0x1p1000);
    CU_ASSERT_STRING_EQUAL(tally_verdict(tally), "violation");
    CU_ASSERT_EQUAL(tally->first[FINDING_VIOLATION].index, 4);
    free(tally);
}

static void test_misrounded_is_above_half(void)
{
    struct tally *tally = new_tally();
    add(tally, 0, 0, 0.5, 1, 2);
    CU_ASSERT_EQUAL(tally->misrounded, 0);
    add(tally, 0, 1, 0.5 + 0x1p-32, 1, 2);
    CU_ASSERT_EQUAL(tally->misrounded, 1);
    free(tally);
}

static void test_verdicts(void)
{
    static const enum verdict all[] = {VERDICT_WITHIN, VERDICT_VIOLATION, VERDICT_CLASS_MISMATCH,
                                       VERDICT_UNDECIDED, VERDICT_UNDEFINED};
    static const char *const names[] = {"within", "violation", "class mismatch", "undecided",
                                        "nothing compared"};
    struct tally *empty = new_tally();
    CU_ASSERT_STRING_EQUAL(tally_verdict(empty), "nothing compared");
    CU_ASSERT(isnan(errors_mean(&empty->ulp)));
    CU_ASSERT(isnan(errors_quantile(&empty->ulp, 500)));
    for (size_t i = 0; i < VERDICT_COUNT; i++) {
        struct tally *tally = new_tally();
        struct tally_case place = {.part = 2, .index = 5, .axis_bin = 3};
        struct judgement judgement = {.verdict = all[i]}; /* not measured */
        tally_judgement(tally, &place, NULL, &judgement);
        CU_ASSERT_STRING_EQUAL(tally_verdict(tally), names[i]);
        CU_ASSERT_EQUAL(tally_compared(tally), i < 3);
        CU_ASSERT_EQUAL(tally_cases(tally), 1);
        CU_ASSERT_EQUAL(tally->scaled.count, 0);
        CU_ASSERT_EQUAL(tally->axis[3].count, 0);
        free(tally);
    }
    free(empty);
}

/* One finding among many good cases decides. */
static void test_findings_are_not_outvoted(void)
{
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        struct tally *tally = new_tally();
        struct tally *good = new_tally();
        for (uint64_t i = 0; i < 100; i++) {
            add(good, 0, i, 0, 0, 1);
        }
        struct tally_case place = {.part = 1, .index = 77, .axis_bin = -1};
        tally_finding(tally, &place, finding, NULL, "killed by SIGSEGV");
        tally_merge(good, tally);
        CU_ASSERT_STRING_EQUAL(tally_verdict(good), finding_name(finding));
        CU_ASSERT_EQUAL(good->first[finding].index, 77);
        CU_ASSERT_STRING_EQUAL(good->first[finding].note, "killed by SIGSEGV");
        CU_ASSERT_FALSE(good->first[finding].has_result);
        bool verdict = finding == FINDING_VIOLATION || finding == FINDING_MISMATCH ||
                       finding == FINDING_UNDECIDED;
        bool judged = verdict || finding == FINDING_ENVIRONMENT;
        CU_ASSERT_EQUAL(tally_cases(good), judged ? 100 : 101);
        free(tally);
        free(good);
    }
}

static void test_axis_bins(void)
{
    CU_ASSERT_EQUAL(tally_axis_bin(0, 0, 1), 0);
    CU_ASSERT_EQUAL(tally_axis_bin(1, 0, 1), AXIS_BINS - 1);
    CU_ASSERT_EQUAL(tally_axis_bin(0.5, 0, 1), AXIS_BINS / 2);
    CU_ASSERT_EQUAL(tally_axis_bin(-INFINITY, 0, 1), 0);
    CU_ASSERT_EQUAL(tally_axis_bin(INFINITY, 0, 1), AXIS_BINS - 1);
    CU_ASSERT_EQUAL(tally_axis_bin(1e308, -0.5, 1.5), AXIS_BINS - 1);
    CU_ASSERT_EQUAL(tally_axis_bin(NAN, 0, 1), -1);
    struct tally *tally = new_tally();
    add(tally, 0, 5, 1, 3, 12);
    add(tally, 0, 5 + AXIS_BINS, 1, 2, 12);
    CU_ASSERT_EQUAL(tally->axis[5].count, 2);
    CU_ASSERT_EQUAL(tally->axis[5].max, 3.0);
    free(tally);
}

/* What cannot be kept is left out, never cut short. */
static void test_results_that_do_not_fit(void)
{
    double numbers[KEPT_NUMBERS + 1] = {0};
    struct judgement judgement = {.verdict = VERDICT_CLASS_MISMATCH};
    for (size_t count = KEPT_NUMBERS - 1; count <= KEPT_NUMBERS + 1; count++) {
        struct tally *tally = new_tally();
        struct values results = {.count = 1, .start = {0, count}, .number = numbers};
        struct tally_case place = {.axis_bin = -1};
        tally_judgement(tally, &place, &results, &judgement);
        CU_ASSERT_EQUAL(tally->first[FINDING_MISMATCH].has_result, count <= KEPT_NUMBERS);
        free(tally);
    }
}

/* Sums that round would depend on the split of the work: such a figure ends the program. */
static void test_off_the_grid(void)
{
    const double figures[] = {0x1p-33, 1.5 * 0x1p-32, NAN, INFINITY, -1};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        fflush(NULL);
        pid_t process = fork();
        if (process == 0) {
            struct rlimit none = {0, 0};
            setrlimit(RLIMIT_CORE, &none);
            fclose(stderr);
            struct tally *tally = new_tally();
            add(tally, 0, 0, figures[i], 1, 2);
            _exit(0);
        }
        int status = 0;
        waitpid(process, &status, 0);
        suite_check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%a was accepted",
                    figures[i]);
    }
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"the mean is the exact one, rounded once", test_mean_is_exact},
        {"the sum does not overflow", test_sum_does_not_overflow},
        {"any split of the work gives the same tally", test_any_split_is_the_same},
        {"quantiles lie at most one bin above the true ones", test_quantiles},
        {"beyond the bins the largest error counts", test_quantile_beyond_the_bins},
        {"the upper edge belongs to the bin", test_upper_edge_belongs_to_the_bin},
        {"the worst cases by each figure, ties to the first", test_worst_and_ties},
        {"misrounded is above half an ulp", test_misrounded_is_above_half},
        {"every verdict counts as what it is", test_verdicts},
        {"one finding decides", test_findings_are_not_outvoted},
        {"parameters fall into their bins", test_axis_bins},
        {"results that do not fit are left out", test_results_that_do_not_fit},
        {"figures off the grid are refused", test_off_the_grid},
    };
    return suite_run("tally", tests, sizeof tests / sizeof tests[0]);
}
