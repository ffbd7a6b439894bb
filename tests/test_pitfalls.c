/* Faults that are known from other tools that measure errors or compare numbers, one test each: in
 * metrics in ulps, in samplers, in conversions of high precision numbers to double. */
#include "sample.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <float.h>
#include <math.h>

/* The exact answer of the made-up functions, to be judged in ulps, in u S, and as rounded. */
static mpfr_t exact;
static struct judge *judge;

static void answer_exact(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    (void)inputs;
    (void)precision;
    answer->kind = ANSWER_REAL;
    mpfi_set_prec(answer->value[0], mpfr_get_prec(exact));
    mpfi_set_prec(answer->scale[0], mpfr_get_prec(exact));
    mpfi_set_fr(answer->value[0], exact);
    mpfi_abs(answer->scale[0], answer->value[0]);
}

enum { LIMIT = 4096, EXACT_BITS = 2400 };

static const struct function in_ulps = {.name = "in_ulps",
                                        .output_count = 1,
                                        .measure = MEASURE_ULPS,
                                        .K = 1,
                                        .precision_limit = LIMIT,
                                        .answer = answer_exact};
static const struct function scaled = {.name = "scaled",
                                       .output_count = 1,
                                       .measure = MEASURE_SCALED,
                                       .K = 2,
                                       .precision_limit = LIMIT,
                                       .answer = answer_exact};
static const struct function rounded = {.name = "rounded",
                                        .output_count = 1,
                                        .measure = MEASURE_ROUNDED,
                                        .K = 0.5,
                                        .precision_limit = LIMIT,
                                        .answer = answer_exact};

static struct judgement judged(const struct function *function, double result)
{
    struct values inputs = {0}, results = {0};
    struct judgement judgement;
    values_clear(&inputs);
    values_numbers(&results, 1)[0] = result;
    judge_case(judge, function, &inputs, &results, &judgement);
    values_free(&results);
    values_free(&inputs);
    return judgement;
}

/* exact = m 2^e + n 2^f */
static void set_exact(double m, long e, double n, long f)
{
    mpfr_t term;
    mpfr_init2(term, 64);
    mpfr_set_d(exact, m, MPFR_RNDN);
    mpfr_mul_2si(exact, exact, e, MPFR_RNDN);
    mpfr_set_d(term, n, MPFR_RNDN);
    mpfr_mul_2si(term, term, f, MPFR_RNDN);
    CU_ASSERT_EQUAL(mpfr_add(exact, exact, term, MPFR_RNDN), 0);
    mpfr_clear(term);
}

static void check(const struct function *function, double result, enum verdict verdict, double ulps)
{
    struct judgement judgement = judged(function, result);
    suite_check(judgement.verdict == verdict, "%s of %a: %s instead of %s", function->name, result,
                verdict_name(judgement.verdict), verdict_name(verdict));
    if (!isnan(ulps)) {
        suite_check(judgement.measured && judgement.error_ulp == ulps,
                    "%s of %a: %.17g ulps instead of %.17g", function->name, result,
                    judgement.error_ulp, ulps);
    }
}

/* Subtracting bit patterns gives -2147483648 between the zeros, and overflows across them. */
static void both_zeros_are_one_number_and_distances_across_them_add_up(void)
{
    set_exact(0, 0, 0, 0);
    check(&in_ulps, 0.0, VERDICT_WITHIN, 0);
    check(&in_ulps, -0.0, VERDICT_WITHIN, 0);
    check(&rounded, -0.0, VERDICT_WITHIN, 0);
    check(&in_ulps, 0x1p-1074, VERDICT_WITHIN, 1);
    check(&in_ulps, -0x1p-1074, VERDICT_WITHIN, 1);
    set_exact(1, -1074, 0, 0);
    check(&in_ulps, -0x1p-1074, VERDICT_VIOLATION, 2);
    set_exact(1, -54, 0, 0); /* 5.55e-17 */
    check(&in_ulps, -0.0, VERDICT_VIOLATION, 0x1p52);
    check(&in_ulps, -0x1p-54, VERDICT_VIOLATION, 0x1p53);
}

/* The spacing above the largest number is that below it, not nextafter's infinity. */
static void the_last_binade_has_its_ulp(void)
{
    set_exact(0x1.fffffffffffffp0, 1023, 0, 0);
    check(&in_ulps, DBL_MAX, VERDICT_WITHIN, 0);
    check(&in_ulps, 0x1.ffffffffffffep1023, VERDICT_WITHIN, 1);
    set_exact(0x1.fffffffffffffp0, 1023, 1, 969); /* rounds to DBL_MAX */
    check(&in_ulps, DBL_MAX, VERDICT_WITHIN, 0.25);
    check(&rounded, DBL_MAX, VERDICT_WITHIN, 0.25);
    check(&rounded, (double)INFINITY, VERDICT_CLASS_MISMATCH, NAN);
    set_exact(0x1.fffffffffffffp0, 1023, 1, 970); /* the tie goes to infinity, which is even */
    check(&rounded, (double)INFINITY, VERDICT_WITHIN, NAN);
    check(&rounded, DBL_MAX, VERDICT_VIOLATION, 0.5);
}

/* As neighbours of one number line, the largest number and infinity would be an ulp apart, and so
 * would infinity and the first NaN. */
static void classes_come_before_any_allowance(void)
{
    set_exact(0x1.fffffffffffffp0, 1023, 0, 0);
    check(&in_ulps, (double)INFINITY, VERDICT_CLASS_MISMATCH, NAN);
    check(&in_ulps, (double)NAN, VERDICT_CLASS_MISMATCH, NAN);
    check(&rounded, (double)NAN, VERDICT_CLASS_MISMATCH, NAN);
    check(&scaled, (double)NAN, VERDICT_CLASS_MISMATCH, NAN);
    check(&scaled, -(double)INFINITY, VERDICT_CLASS_MISMATCH, NAN);
    set_exact(1, 1022, 0, 0);
    check(&scaled, (double)INFINITY, VERDICT_CLASS_MISMATCH, NAN);
}

/* A relative bound alone rejects the best that there is among subnormal numbers. */
static void an_ulp_of_a_subnormal_number_is_the_least_one(void)
{
    set_exact(3, -1074, 1, -1076);
    check(&in_ulps, 0x1.8p-1073, VERDICT_WITHIN, 0.25);
    check(&in_ulps, 0x1p-1072, VERDICT_WITHIN, 0.75);
    check(&scaled, 0x1p-1072, VERDICT_WITHIN, 0.75);
    check(&scaled, 0x1p-1073, VERDICT_VIOLATION, 1.25);
    set_exact(1, -1022, 0, 0);
    check(&in_ulps, 0x0.fffffffffffffp-1022, VERDICT_WITHIN, 1);
    check(&in_ulps, 0x1.0000000000001p-1022, VERDICT_WITHIN, 1);
}

/* Against a reference that was rounded itself, errors are 0 or 1, and never 3/8. */
static void errors_are_fractions_of_an_ulp(void)
{
    set_exact(1, 0, 3, -55);
    check(&in_ulps, 1, VERDICT_WITHIN, 0.375);
    check(&in_ulps, 0x1.0000000000001p0, VERDICT_WITHIN, 0.625);
    check(&rounded, 0x1.0000000000001p0, VERDICT_VIOLATION, 0.625);
}

/* In the order of bit patterns, what is between -0.5 and 1 leaves the interval. */
static void an_interval_across_zero_is_drawn_from_by_value(void)
{
    struct stream stream = {.key = 5};
    int negative = 0, positive = 0;
    for (int i = 0; i < 100000; i++) {
        double x = draw_between(&stream, -0.5, 1), y = draw_uniform(&stream, -0.5, 1);
        if (!(x >= -0.5 && x <= 1 && y >= -0.5 && y <= 1)) {
            suite_check(false, "%a or %a is outside", x, y);
        }
        negative += x < 0 && y < 0;
        positive += x > 0 && y > 0;
    }
    CU_ASSERT(negative > 10000 && positive > 20000);
}

/* Rounded to 53 bits first, and then to what a subnormal number holds, these go up. */
static void subnormal_numbers_are_rounded_once(void)
{
    set_exact(1.5, -1074, -1, -1200);
    check(&rounded, 0x1p-1074, VERDICT_WITHIN, NAN);
    check(&rounded, 0x1p-1073, VERDICT_VIOLATION, NAN);
    set_exact(1.5, -1074, -1, -1127); /* within 2^-53 of an ulp of the tie */
    check(&rounded, 0x1p-1074, VERDICT_WITHIN, NAN);
    check(&rounded, 0x1p-1073, VERDICT_VIOLATION, NAN);
    set_exact(1.5, -1074, 0, 0); /* the tie itself goes to the even one */
    check(&rounded, 0x1p-1073, VERDICT_WITHIN, 0.5);
    check(&rounded, 0x1p-1074, VERDICT_VIOLATION, 0.5);
    set_exact(1, -1075, 1, -1200);
    check(&rounded, 0x1p-1074, VERDICT_WITHIN, NAN);
    check(&rounded, 0.0, VERDICT_VIOLATION, NAN);
    set_exact(1, -1075, 0, 0);
    check(&rounded, 0.0, VERDICT_WITHIN, 0.5);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"both zeros are one number and distances across them add up",
         both_zeros_are_one_number_and_distances_across_them_add_up},
        {"the last binade has its ulp", the_last_binade_has_its_ulp},
        {"classes come before any allowance", classes_come_before_any_allowance},
        {"an ulp of a subnormal number is the least one",
         an_ulp_of_a_subnormal_number_is_the_least_one},
        {"errors are fractions of an ulp", errors_are_fractions_of_an_ulp},
        {"an interval across zero is drawn from by value",
         an_interval_across_zero_is_drawn_from_by_value},
        {"subnormal numbers are rounded once", subnormal_numbers_are_rounded_once},
    };
    mpfr_init2(exact, EXACT_BITS);
    judge = judge_create();
    int code = suite_run("pitfalls", tests, sizeof tests / sizeof *tests);
    judge_destroy(judge);
    mpfr_clear(exact);
    return code;
}
