/* The judge by itself: the metric, the grid and the verdicts on answers that the test makes up, so
 * that every wanted value comes from exact rationals and none from a formula of the oracle. */
#include "rational.h"
#include "sample.h"
#include "suite.h"

#include "../oracle/judge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The answer that the made-up functions give, whatever their inputs are. */
static struct {
    enum answer_kind kind;
    double given[OUTPUTS_MAX];
    mpq_t value[OUTPUTS_MAX];
    mpq_t scale[OUTPUTS_MAX];
    bool blurred;            /* enclosures of half the precision asked for, never points */
    bool nan;                /* enclosures with ends that are NaN */
    mpfr_prec_t narrow_from; /* below this precision the enclosures tell nothing */
    mpfr_prec_t asked;       /* the last precision asked for */
} target;

static struct judge *judge;

static void enclose(mpfi_ptr interval, const mpq_t number, mpfr_prec_t precision)
{
    mpfi_set_prec(interval, precision);
    mpfi_set_q(interval, number);
    if (target.blurred) {
        mpfr_prec_t half = precision / 2;
        mpfr_prec_round(&interval->left, half, MPFR_RNDD);
        mpfr_prec_round(&interval->right, half, MPFR_RNDU);
        mpfr_nextbelow(&interval->left);
        mpfr_nextabove(&interval->right);
        mpfr_prec_round(&interval->left, precision, MPFR_RNDD);
        mpfr_prec_round(&interval->right, precision, MPFR_RNDU);
    }
    if (precision < target.narrow_from) {
        mpfr_set_inf(&interval->left, -1);
        mpfr_set_inf(&interval->right, 1);
    }
    if (target.nan) {
        mpfr_set_nan(&interval->left);
        mpfr_set_nan(&interval->right);
    }
}

static void answer_target(mpfr_prec_t precision, struct answer *answer, size_t count)
{
    target.asked = precision;
    answer->kind = target.kind;
    for (size_t k = 0; k < count; k++) {
        answer->given[k] = target.given[k];
        enclose(answer->value[k], target.value[k], precision);
        enclose(answer->scale[k], target.scale[k], precision);
    }
    mpfi_set_prec(answer->magnitude, precision);
    mpfi_set_ui(answer->magnitude, 0);
    for (size_t k = 0; k < count; k++) {
        mpfi_t square;
        mpfi_init2(square, precision);
        mpfi_sqr(square, answer->value[k]);
        mpfi_add(answer->magnitude, answer->magnitude, square);
        mpfi_clear(square);
    }
    mpfi_sqrt(answer->magnitude, answer->magnitude);
}

static void answer_one(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    (void)inputs;
    answer_target(precision, answer, 1);
}

static void answer_three(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    (void)inputs;
    answer_target(precision, answer, 3);
}

enum { LIMIT = 8192 };

static const struct function scaled = {.name = "scaled",
                                       .output_count = 1,
                                       .measure = MEASURE_SCALED,
                                       .K = 3,
                                       .precision_limit = LIMIT,
                                       .answer = answer_one};
static const struct function rounded = {.name = "rounded",
                                        .output_count = 1,
                                        .measure = MEASURE_ROUNDED,
                                        .K = 0.5,
                                        .precision_limit = LIMIT,
                                        .answer = answer_one};
static const struct function several = {.name = "several",
                                        .output_count = 3,
                                        .measure = MEASURE_SCALED,
                                        .K = 3,
                                        .precision_limit = LIMIT,
                                        .answer = answer_three};
static const struct function vector = {.name = "vector",
                                       .output_count = 3,
                                       .measure = MEASURE_VECTOR,
                                       .K = 3,
                                       .precision_limit = LIMIT,
                                       .answer = answer_three};

static void begin(void)
{
    judge = judge_create();
    for (int k = 0; k < OUTPUTS_MAX; k++) {
        mpq_inits(target.value[k], target.scale[k], NULL);
    }
    target.kind = ANSWER_REAL;
    target.blurred = false;
    target.nan = false;
    target.narrow_from = 0;
}

static void end(void)
{
    for (int k = 0; k < OUTPUTS_MAX; k++) {
        mpq_clears(target.value[k], target.scale[k], NULL);
    }
    judge_destroy(judge);
}

static struct judgement judge_results(const struct function *function, const double *results)
{
    struct values inputs = {0};
    struct values outputs = {0};
    memcpy(values_numbers(&outputs, function->output_count), results,
           function->output_count * sizeof *results);
    struct judgement judgement;
    judge_case(judge, function, &inputs, &outputs, &judgement);
    values_free(&outputs);
    return judgement;
}

static struct judgement judge_one(const struct function *function, double result)
{
    return judge_results(function, &result);
}

/* number * 2^exponent, exactly */
static void set_scaled(mpq_t rational, double number, long exponent)
{
    mpq_set_d(rational, number);
    if (exponent >= 0) {
        mpq_mul_2exp(rational, rational, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(rational, rational, (mp_bitcnt_t)-exponent);
    }
}

static void add_scaled(mpq_t rational, double number, long exponent)
{
    mpq_t term;
    mpq_init(term);
    set_scaled(term, number, exponent);
    mpq_add(rational, rational, term);
    mpq_clear(term);
}

/* floor(log2(x)) of x > 0 */
static long floor_log2(const mpq_t x)
{
    long exponent = (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2);
    mpq_t power;
    mpq_init(power);
    set_scaled(power, 1, exponent);
    bool above = mpq_cmp(power, x) > 0;
    mpq_clear(power);
    return above ? exponent - 1 : exponent;
}

/* The multiple of 2^exponent nearest to x >= 0, ties to even. */
static double nearest_multiple(const mpq_t x, long exponent)
{
    mpq_t ratio, half;
    mpz_t count;
    mpq_inits(ratio, half, NULL);
    mpz_init(count);
    set_scaled(half, 1, exponent);
    mpq_div(ratio, x, half);
    mpq_set_ui(half, 1, 2);
    mpq_add(ratio, ratio, half);
    mpz_fdiv_q(count, mpq_numref(ratio), mpq_denref(ratio));
    bool tie = mpz_divisible_p(mpq_numref(ratio), mpq_denref(ratio)) != 0;
    if (tie && mpz_odd_p(count)) {
        mpz_sub_ui(count, count, 1);
    }
    double multiple = ldexp(mpz_get_d(count), (int)exponent);
    mpz_clear(count);
    mpq_clears(ratio, half, NULL);
    return multiple;
}

static double grid(const mpq_t x)
{
    if (mpq_sgn(x) == 0) {
        return 0;
    }
    long exponent = floor_log2(x);
    if (exponent >= 1023) {
        return 0x1p1023;
    }
    return nearest_multiple(x, exponent < 0 ? -32 : exponent - 32);
}

/* |result - value| / ulp(value) on the grid */
static double wanted_ulps(double result, const mpq_t value)
{
    mpq_t error, magnitude, ulp;
    mpq_inits(error, magnitude, ulp, NULL);
    mpq_set_d(error, result);
    mpq_sub(error, error, value);
    mpq_abs(error, error);
    mpq_abs(magnitude, value);
    long exponent = mpq_sgn(value) == 0 ? -2000 : floor_log2(magnitude);
    set_scaled(ulp, 1, (exponent < -1022 ? -1022 : exponent) - 52);
    mpq_div(error, error, ulp);
    double figure = grid(error);
    mpq_clears(error, magnitude, ulp, NULL);
    return figure;
}

/* |result - value| <= K u scale + 2^-1074, and both sides over max(u scale, 2^-1074). */
static bool wanted_within(double result, double K, double *error_scaled, double *bound)
{
    mpq_t error, unit, tolerance, least;
    mpq_inits(error, unit, tolerance, least, NULL);
    mpq_set_d(error, result);
    mpq_sub(error, error, target.value[0]);
    mpq_abs(error, error);
    mpq_div_2exp(unit, target.scale[0], 53);
    mpq_set_d(tolerance, K);
    mpq_mul(tolerance, tolerance, unit);
    set_scaled(least, 1, -1074);
    mpq_add(tolerance, tolerance, least);
    bool within = mpq_cmp(error, tolerance) <= 0;
    if (mpq_cmp(unit, least) < 0) {
        mpq_set(unit, least);
    }
    mpq_div(error, error, unit);
    mpq_div(tolerance, tolerance, unit);
    *error_scaled = grid(error);
    *bound = grid(tolerance);
    mpq_clears(error, unit, tolerance, least, NULL);
    return within;
}

/* Every figure of a judgement on one finite result of `scaled` against exact rationals. */
static bool check_scaled(double result)
{
    double error_scaled;
    double bound;
    bool within = wanted_within(result, scaled.K, &error_scaled, &bound);
    double ulps = wanted_ulps(result, target.value[0]);
    struct judgement got = judge_one(&scaled, result);
    bool verdict_holds = got.verdict == (within ? VERDICT_WITHIN : VERDICT_VIOLATION);
    /* a violation that the grid does not show is moved up by one point */
    bool hidden = !within && error_scaled <= bound;
    bool figures_hold = got.measured && got.error_ulp == ulps && got.bound == bound &&
                        (hidden ? got.error_scaled > bound && got.error_scaled < bound * (1 + 1e-9)
                                : got.error_scaled == error_scaled);
    bool consistent = (got.error_scaled <= got.bound) == within;
    return suite_check(
        verdict_holds && figures_hold && consistent && got.output == 0,
        "result %a, F %.17g, S %.17g: got %s, %.17g ulp, %.17g of %.17g; wanted %s, %.17g ulp, "
        "%.17g of %.17g",
        result, mpq_get_d(target.value[0]), mpq_get_d(target.scale[0]), verdict_name(got.verdict),
        got.error_ulp, got.error_scaled, got.bound, within ? "within" : "violation", ulps,
        error_scaled, bound);
}

static const double landmarks[] = {0,
                                   DBL_TRUE_MIN,
                                   2 * DBL_TRUE_MIN,
                                   3 * DBL_TRUE_MIN,
                                   DBL_MIN - DBL_TRUE_MIN,
                                   DBL_MIN,
                                   DBL_MIN + DBL_TRUE_MIN,
                                   2 * DBL_MIN,
                                   0x1p-537,
                                   0.5,
                                   1 - 0x1p-53,
                                   1,
                                   1 + 0x1p-52,
                                   2 - 0x1p-52,
                                   2,
                                   3,
                                   0x1p53 + 2,
                                   0x1p1000,
                                   0x1p1023,
                                   DBL_MAX};
enum { LANDMARKS = sizeof landmarks / sizeof *landmarks };

/* At and beside each landmark, F exact, just below and just above, with results up to 3 doubles
 * off: so on both sides of every power of two, of 2^-1022 and of 0. */
static void ulps_are_right_at_every_boundary(void)
{
    begin();
    size_t compared = 0;
    for (int i = 0; i < LANDMARKS; i++) {
        for (int offset = -1; offset <= 1; offset++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double near = sign * landmarks[i];
                mpq_set_d(target.value[0], near);
                add_scaled(target.value[0], offset,
                           landmarks[i] < 1e-300 ? -1200 : ilogb(near) - 90);
                mpq_abs(target.scale[0], target.value[0]);
                double result = near;
                for (int step = 0; step < 3; step++) {
                    result = nextafter(result, -DBL_MAX);
                }
                for (int step = -3; step <= 3; step++, compared++) {
                    check_scaled(result);
                    result = nextafter(result, DBL_MAX);
                }
            }
        }
    }
    CU_ASSERT_EQUAL(compared, (size_t)LANDMARKS * 3 * 2 * 7);
    end();
}

/* Known by heart rather than computed. */
static void ulps_of_well_known_errors(void)
{
    static const struct {
        double value, result, ulps;
    } rows[] = {{1, 1 + 0x1p-52, 1},
                {1, 1 - 0x1p-53, 0.5},
                {2 - 0x1p-52, 2, 1},
                {1.5, 1.5 + 100 * 0x1p-52, 100},
                {0, DBL_TRUE_MIN, 1},
                {0, -DBL_TRUE_MIN, 1},
                {DBL_TRUE_MIN, 0, 1},
                {DBL_MIN, DBL_MIN - DBL_TRUE_MIN, 1},
                {-1, 1, 0x1p53},
                {DBL_MAX, 0x1.ffffffffffffep1023, 1},
                {0, 1, 0x1p1023},
                {0, 0x1p-74, 0x1p1000},
                {1, 1, 0},
                {0, -0.0, 0}};
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mpq_set_d(target.value[0], rows[i].value);
        mpq_set_ui(target.scale[0], 1, 1);
        struct judgement got = judge_one(&scaled, rows[i].result);
        suite_check(got.measured && got.error_ulp == rows[i].ulps,
                    "%a for %a: got %.17g ulp, wanted %.17g", rows[i].result, rows[i].value,
                    got.error_ulp, rows[i].ulps);
    }
    /* between two doubles: the reference is not rounded first */
    mpq_set_si(target.value[0], 1, 1);
    add_scaled(target.value[0], 0.375, -52);
    CU_ASSERT_EQUAL(judge_one(&scaled, 1).error_ulp, 0.375);
    CU_ASSERT_EQUAL(judge_one(&scaled, 1 + 0x1p-52).error_ulp, 0.625);
    /* beyond the largest double, with the exponent unbounded */
    set_scaled(target.value[0], 1.5, 1024);
    CU_ASSERT_EQUAL(judge_one(&scaled, DBL_MAX).error_ulp, 0x1p51);
    end();
}

static void draw_target(struct sample *sample, unsigned class, double *result)
{
    double number[3];
    sample_numbers(sample, class, number, 3);
    *result = number[0];
    mpq_set_d(target.value[0], number[0]);
    int exponent = number[0] == 0 ? -1074 : ilogb(number[0]);
    /* off by about 2^-20 to 2^10 ulp, by more bits than a double has */
    double off = sample_uniform(sample, -1, 1);
    add_scaled(target.value[0], off, exponent - 72 + (int)sample_below(sample, 30));
    add_scaled(target.value[0], off, exponent - 130);
    if (sample_below(sample, 4) == 0) {
        mpq_t third;
        mpq_init(third);
        mpq_set_ui(third, 4, 3);
        mpq_mul(target.value[0], target.value[0], third);
        *result = number[0] * 4 / 3;
        mpq_clear(third);
    }
    set_scaled(target.scale[0], sample_uniform(sample, 1, 2),
               exponent + (int)sample_below(sample, 6));
    if (!isfinite(*result)) {
        *result = DBL_MAX;
    }
}

enum { DRAWN = 3000 };

static void drawn_judgements_agree_with_rationals(void)
{
    struct sample sample = {11};
    size_t within = 0;
    begin();
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN; i++) {
            double result;
            draw_target(&sample, class, &result);
            check_scaled(result);
            within += judge_one(&scaled, result).verdict == VERDICT_WITHIN;
        }
    }
    const size_t drawn = (size_t)SAMPLE_CLASSES * DRAWN;
    suite_check(within > drawn / 8 && within < drawn * 7 / 8,
                "%zu of %zu within: the draw does not test both verdicts", within, drawn);
    end();
}

/* F = result +- (K u S + 2^-1074) and as little as 2^-4000 to either side. */
static void check_edge(double result, int side, double scale)
{
    for (int excess = -1; excess <= 1; excess++) {
        mpq_set_d(target.scale[0], scale);
        mpq_set_d(target.value[0], result);
        add_scaled(target.value[0], side * scaled.K * scale, -53);
        add_scaled(target.value[0], side, -1074);
        add_scaled(target.value[0], side * excess, -4000);
        check_scaled(result);
        enum verdict wanted = excess <= 0 ? VERDICT_WITHIN : VERDICT_VIOLATION;
        struct judgement got = judge_one(&scaled, result);
        suite_check(got.verdict == wanted, "edge at %a, side %d, excess %d: got %s", result, side,
                    excess, verdict_name(got.verdict));
    }
}

static void the_bound_itself_is_within_and_the_least_excess_is_not(void)
{
    static const double scales[] = {0, 1, 0x1p-1030, 0x1.8p-1021, 0x1p-1000, 1e300, 0x1.fp-500};
    begin();
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        for (int side = -1; side <= 1; side += 2) {
            check_edge(1, side, scales[i]);
            check_edge(-0x1.921fb54442d18p1, side, scales[i]);
            check_edge(0, side, scales[i]);
            check_edge(5 * DBL_TRUE_MIN, side, scales[i]);
        }
    }
    end();
}

/* Ties between grid points, just off them, and where the grid's step changes. */
static void figures_lie_on_the_grid(void)
{
    static const double figures[] = {0x1p-33, 0x1.8p-32, 0x1.4p-31, 0.5, 1,      1 + 0x1p-33,
                                     2,       3,         0x1p31,    7,   0x1p32, 0x1.00000001p40};
    begin();
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        for (int offset = -1; offset <= 1; offset++) {
            set_scaled(target.scale[0], 1, 3);
            mpq_set_ui(target.value[0], 1, 1);
            add_scaled(target.value[0], figures[i], -52);
            add_scaled(target.value[0], offset, -500);
            check_scaled(1);
            double got = judge_one(&scaled, 1).error_ulp;
            double unit = got < 1 ? 0x1p-32 : ldexp(1, ilogb(got) - 32);
            suite_check(fmod(got, unit) == 0, "%.17g is not on the grid", got);
        }
    }
    end();
}

static void nan_never_passes(void)
{
    static const struct function *const all[] = {&scaled, &rounded, &several, &vector};
    begin();
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            double results[3] = {0, 0, 0};
            results[i < 2 ? 0 : k] = k == 1 ? -NAN : NAN;
            struct judgement got = judge_results(all[i], results);
            suite_check(got.verdict == VERDICT_CLASS_MISMATCH && !got.measured, "%s, NaN at %d: %s",
                        all[i]->name, k, verdict_name(got.verdict));
            suite_check(all[i] != &several || got.output == (size_t)k, "NaN at %d shown at %zu", k,
                        got.output);
        }
    }
    /* nor does an enclosure that says nothing, however far it is asked */
    for (int i = 0; i < 8; i++) {
        target.nan = i >= 4;
        target.narrow_from = target.nan ? 0 : 2 * LIMIT;
        struct judgement got = judge_results(all[i % 4], (double[]){1, 1, 1});
        suite_check(got.verdict == VERDICT_UNDECIDED && got.outcome == OUTCOME_UNDECIDED,
                    "%s: %s without any knowledge", all[i % 4]->name, verdict_name(got.verdict));
        CU_ASSERT_EQUAL(target.asked, LIMIT);
    }
    end();
}

/* A finite F: the infinity is wrong whatever its sign. */
static void infinity_for_a_number_is_a_class_mismatch(void)
{
    begin();
    for (int sign = -1; sign <= 1; sign += 2) {
        mpq_set_d(target.value[0], sign * DBL_MAX / 2);
        mpq_set_d(target.scale[0], DBL_MAX / 2);
        CU_ASSERT_EQUAL(judge_one(&scaled, HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
        CU_ASSERT_EQUAL(judge_one(&scaled, -HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
        CU_ASSERT_EQUAL(judge_one(&rounded, HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
        CU_ASSERT_EQUAL(judge_one(&rounded, -HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
    }
    /* F = 0 has no sign that an infinity could have */
    mpq_set_ui(target.value[0], 0, 1);
    set_scaled(target.scale[0], 1, 1200);
    CU_ASSERT_EQUAL(judge_one(&scaled, HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
    CU_ASSERT_EQUAL(judge_one(&scaled, -HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
    end();
}

/* F = 2^1024 - 2^970 - K u S + excess */
static void set_at_overflow(double scale, int scale_exponent, int excess)
{
    mpq_t reach;
    mpq_init(reach);
    set_scaled(target.scale[0], scale, scale_exponent);
    set_scaled(target.value[0], 1, 1024);
    add_scaled(target.value[0], -1, 970);
    mpq_set_d(reach, scaled.K);
    mpq_mul(reach, reach, target.scale[0]);
    mpq_div_2exp(reach, reach, 53);
    mpq_sub(target.value[0], target.value[0], reach);
    add_scaled(target.value[0], excess, -3000);
    mpq_clear(reach);
}

static void infinity_is_allowed_exactly_from_where_the_bound_reaches_it(void)
{
    begin();
    for (int excess = -1; excess <= 1; excess++) {
        enum verdict wanted = excess < 0 ? VERDICT_CLASS_MISMATCH : VERDICT_WITHIN;
        for (int sign = -1; sign <= 1; sign += 2) {
            set_at_overflow(0x1.234567p0, 1023, excess);
            if (sign < 0) {
                mpq_neg(target.value[0], target.value[0]);
            }
            struct judgement got = judge_one(&scaled, sign * HUGE_VAL);
            CU_ASSERT_EQUAL(got.verdict, wanted);
            CU_ASSERT_EQUAL(got.measured, wanted == VERDICT_WITHIN);
            CU_ASSERT_EQUAL(got.error_ulp, 0);
            CU_ASSERT_EQUAL(got.error_scaled, 0);
            got = judge_one(&scaled, -sign * HUGE_VAL);
            CU_ASSERT_EQUAL(got.verdict, VERDICT_CLASS_MISMATCH);
        }
    }
    /* far beyond the range: the infinity is right, and so is no number */
    set_scaled(target.value[0], -1, 1100);
    set_scaled(target.scale[0], 1, 1100);
    CU_ASSERT_EQUAL(judge_one(&scaled, -HUGE_VAL).verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(judge_one(&scaled, HUGE_VAL).verdict, VERDICT_CLASS_MISMATCH);
    CU_ASSERT_EQUAL(judge_one(&scaled, -DBL_MAX).verdict, VERDICT_VIOLATION);
    end();
}

/* F is `units` halves of the last place above `base`, and `excess` times 2^-2500 more. */
static bool check_rounded(double base, double units, int excess)
{
    mpq_set_d(target.value[0], base);
    int exponent = base == 0 || ilogb(base) < -1022 ? -1022 : ilogb(base);
    add_scaled(target.value[0], copysign(units, base), exponent - 53);
    add_scaled(target.value[0], copysign(excess, base), -2500);
    double nearest = rational_round(target.value[0]);
    bool good = true;
    double result = base;
    for (int step = -2; step <= 3; step++) {
        result = base;
        for (int i = 0; i < abs(step); i++) {
            result = nextafter(result, (step > 0) == !signbit(base) ? HUGE_VAL : -HUGE_VAL);
        }
        struct judgement got = judge_one(&rounded, result);
        enum verdict wrong = isinf(result) ? VERDICT_CLASS_MISMATCH : VERDICT_VIOLATION;
        enum verdict wanted = result == nearest ? VERDICT_WITHIN : wrong;
        bool figures = isinf(result) || got.error_ulp == wanted_ulps(result, target.value[0]);
        bool consistent =
            !got.measured || (got.error_scaled <= got.bound) == (got.verdict == VERDICT_WITHIN);
        good = suite_check(got.verdict == wanted && figures && consistent && got.bound <= 0.5,
                           "F = %a + %g/2 ulp (%d): %a judged %s, wanted %s; %.17g ulp", base,
                           units, excess, result, verdict_name(got.verdict), verdict_name(wanted),
                           got.error_ulp) &&
               good;
    }
    return good;
}

/* Odd `units` are ties, decided by evenness; with an excess they are none. */
static void rounding_is_to_nearest_even_everywhere(void)
{
    begin();
    for (int i = 0; i < LANDMARKS; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int units = 0; units <= 3; units++) {
                for (int excess = -1; excess <= 1; excess++) {
                    check_rounded(sign * landmarks[i], units, excess);
                }
            }
        }
    }
    end();
}

static void drawn_roundings_agree_with_rationals(void)
{
    struct sample sample = {12};
    begin();
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN / 5; i++) {
            double number[1];
            sample_numbers(&sample, class, number, 1);
            check_rounded(number[0], (int)sample_below(&sample, 4),
                          (int)sample_below(&sample, 3) - 1);
            check_rounded(number[0], sample_uniform(&sample, 0, 2), 0);
        }
    }
    end();
}

static void a_rounded_zero_has_either_sign(void)
{
    begin();
    set_scaled(target.value[0], -1, -1080);
    CU_ASSERT_EQUAL(judge_one(&rounded, 0.0).verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(judge_one(&rounded, -0.0).verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(judge_one(&rounded, -DBL_TRUE_MIN).verdict, VERDICT_VIOLATION);
    mpq_set_ui(target.value[0], 0, 1);
    CU_ASSERT_EQUAL(judge_one(&rounded, -0.0).verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(judge_one(&scaled, -0.0).verdict, VERDICT_WITHIN);
    end();
}

enum class { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_OTHER };

static enum class class_of(double x) {
    switch (fpclassify(x)){
        case FP_NAN : return CLASS_NAN; case FP_INFINITE : return CLASS_INFINITE;
        case FP_ZERO : return CLASS_ZERO;
        default : return CLASS_OTHER;
    }
}

static enum verdict wanted_given(double given, double result)
{
    if (same_double(result, given)) {
        return VERDICT_WITHIN;
    }
    enum class got = class_of(result);
    enum class wanted = class_of(given);
    bool numbers = got >= CLASS_ZERO && wanted >= CLASS_ZERO;
    if (got == wanted) {
        return got == CLASS_ZERO ? VERDICT_CLASS_MISMATCH : VERDICT_VIOLATION;
    }
    return numbers ? VERDICT_VIOLATION : VERDICT_CLASS_MISMATCH;
}

/* Every pair of special values, on each kind of function: a given answer knows no tolerance. */
static void given_answers_are_compared_bit_for_bit(void)
{
    static const double specials[] = {NAN,     -NAN,     HUGE_VAL, -HUGE_VAL,    0.0,
                                      -0.0,    1.0,      -1.0,     1 + 0x1p-52,  DBL_TRUE_MIN,
                                      DBL_MAX, -DBL_MAX, DBL_MIN,  -DBL_TRUE_MIN};
    static const struct function *const all[] = {&scaled, &rounded};
    enum { COUNT = sizeof specials / sizeof *specials };
    begin();
    target.kind = ANSWER_GIVEN;
    for (int f = 0; f < 2; f++) {
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                target.given[0] = specials[i];
                struct judgement got = judge_one(all[f], specials[j]);
                enum verdict wanted = wanted_given(specials[i], specials[j]);
                suite_check(got.verdict == wanted && got.outcome == OUTCOME_EXACT &&
                                got.precision == 0,
                            "given %a, result %a: got %s, wanted %s", specials[i], specials[j],
                            verdict_name(got.verdict), verdict_name(wanted));
                bool finite = isfinite(specials[i]) && isfinite(specials[j]);
                if (finite && wanted == VERDICT_VIOLATION) {
                    mpq_set_d(target.value[0], specials[i]);
                    double ulps = wanted_ulps(specials[j], target.value[0]);
                    suite_check(got.measured && got.error_ulp == ulps && got.error_scaled == ulps &&
                                    got.bound == 0,
                                "given %a, result %a: %.17g ulp, wanted %.17g", specials[i],
                                specials[j], got.error_ulp, ulps);
                } else {
                    CU_ASSERT_FALSE(got.measured);
                }
            }
        }
    }
    end();
}

static void one_wrong_component_of_a_given_vector_is_seen(void)
{
    begin();
    target.kind = ANSWER_GIVEN;
    const double given[3] = {1, -0.0, 3};
    memcpy(target.given, given, sizeof given);
    CU_ASSERT_EQUAL(judge_results(&vector, given).verdict, VERDICT_WITHIN);
    for (size_t k = 0; k < 3; k++) {
        double results[3];
        memcpy(results, given, sizeof given);
        results[k] = nextafter(given[k], 10);
        struct judgement got = judge_results(&vector, results);
        CU_ASSERT_EQUAL(got.verdict, VERDICT_VIOLATION);
        CU_ASSERT_EQUAL(got.output, k);
        results[k] = NAN;
        got = judge_results(&vector, results);
        CU_ASSERT_EQUAL(got.verdict, VERDICT_CLASS_MISMATCH);
        CU_ASSERT_EQUAL(got.output, k);
    }
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){1, 0.0, 3}).verdict, VERDICT_CLASS_MISMATCH);
    end();
}

static void set_vector(double x, double y, double z, double scale)
{
    mpq_set_d(target.value[0], x);
    mpq_set_d(target.value[1], y);
    mpq_set_d(target.value[2], z);
    mpq_set_d(target.scale[0], scale);
}

/* 3-4-12 errors have a rational length of 13. */
static void a_vector_is_judged_by_the_length_of_its_error(void)
{
    begin();
    set_vector(0.3125, 0.375, 0.75, 1);
    const double unit = 0x1p-53;
    for (int scale = 1; scale <= 3; scale++) {
        double results[3] = {0.3125 + 3 * scale * unit, 0.375 - 4 * scale * unit,
                             0.75 + 12 * scale * unit};
        struct judgement got = judge_results(&vector, results);
        CU_ASSERT_EQUAL(got.verdict, VERDICT_VIOLATION);
        CU_ASSERT_EQUAL(got.error_scaled, 13 * scale);
        CU_ASSERT_EQUAL(got.error_ulp, 13 * scale); /* |F| = 0.895...: its ulp is 2^-53 */
        CU_ASSERT_EQUAL(got.bound, 3);
        mpq_set_ui(target.scale[0], 13 * (unsigned long)scale, 3); /* error = K u S */
        CU_ASSERT_EQUAL(judge_results(&vector, results).verdict, VERDICT_WITHIN);
        mpq_set_ui(target.scale[0], 1, 1);
    }
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){0.3125, 0.375, 0.75}).error_ulp, 0);
    end();
}

/* With F = 0 and S = 0, sqrt(3) 2^-1074 is allowed. */
static void a_vector_has_an_absolute_allowance_per_component(void)
{
    const double least = DBL_TRUE_MIN;
    begin();
    set_vector(0, 0, 0, 0);
    struct judgement got = judge_results(&vector, (double[]){least, -least, least});
    CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(got.error_ulp, nearbyint(sqrt(3) * 0x1p32) / 0x1p32);
    CU_ASSERT_EQUAL(got.bound, got.error_scaled);
    got = judge_results(&vector, (double[]){0, 2 * least, 0});
    CU_ASSERT_EQUAL(got.verdict, VERDICT_VIOLATION);
    CU_ASSERT_EQUAL(got.error_scaled, 2);
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){least, least, 0}).verdict, VERDICT_WITHIN);
    end();
}

static void an_infinite_component_is_judged_by_itself(void)
{
    begin();
    set_vector(1, 1, 1, 0);
    set_scaled(target.value[0], -1, 1024);
    set_scaled(target.scale[0], 1, 1024);
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){-HUGE_VAL, 1, 1}).verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){HUGE_VAL, 1, 1}).verdict,
                    VERDICT_CLASS_MISMATCH);
    CU_ASSERT_EQUAL(judge_results(&vector, (double[]){-HUGE_VAL, HUGE_VAL, 1}).verdict,
                    VERDICT_CLASS_MISMATCH);
    struct judgement got = judge_results(&vector, (double[]){-HUGE_VAL, 1, 0x1p990});
    CU_ASSERT_EQUAL(got.verdict, VERDICT_VIOLATION);
    CU_ASSERT_TRUE(got.measured && got.error_scaled > got.bound);
    end();
}

/* The one nearest to its bound, or farthest beyond it, is shown: not the one with the largest
 * error. */
static void of_several_outputs_the_worst_is_shown(void)
{
    begin();
    for (size_t worst = 0; worst < 3; worst++) {
        double results[3];
        for (size_t k = 0; k < 3; k++) {
            mpq_set_ui(target.value[k], 1, 1);
            mpq_set_ui(target.scale[k], k == worst ? 1 : 64, 1);
            results[k] = k == worst ? 1 + 0x1p-52 : 1 + 4 * 0x1p-52;
        }
        struct judgement got = judge_results(&several, results);
        CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
        CU_ASSERT_EQUAL(got.output, worst);
        CU_ASSERT_EQUAL(got.error_scaled, 2);
        CU_ASSERT_EQUAL(got.error_ulp, 1);
        results[worst] = 1 + 2 * 0x1p-52;
        got = judge_results(&several, results);
        CU_ASSERT_EQUAL(got.verdict, VERDICT_VIOLATION);
        CU_ASSERT_EQUAL(got.output, worst);
    }
    /* 0.9 of an allowance of 1 is nearer than 2 of 3 */
    set_scaled(target.value[0], 0.9, -1074);
    mpq_set_ui(target.scale[0], 0, 1);
    mpq_set_ui(target.value[1], 1, 1);
    mpq_set_ui(target.scale[1], 1, 1);
    mpq_set(target.value[2], target.value[1]);
    mpq_set(target.scale[2], target.scale[1]);
    struct judgement got = judge_results(&several, (double[]){0, 1, 1 + 0x1p-52});
    CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(got.output, 0);
    CU_ASSERT_EQUAL(got.bound, 1);
    end();
}

/* Whatever the enclosures' widths, the same verdict and the same figures. */
static void figures_do_not_depend_on_the_enclosures_widths(void)
{
    struct sample sample = {13};
    size_t harder = 0;
    begin();
    for (unsigned class = 0; class < SAMPLE_CLASSES; class ++) {
        for (int i = 0; i < DRAWN / 10; i++) {
            double result;
            draw_target(&sample, class, &result);
            target.blurred = false;
            struct judgement sharp = judge_one(&scaled, result);
            target.blurred = true;
            struct judgement blurred = judge_one(&scaled, result);
            harder += blurred.precision > sharp.precision;
            suite_check(sharp.verdict == blurred.verdict && sharp.error_ulp == blurred.error_ulp &&
                            sharp.error_scaled == blurred.error_scaled &&
                            sharp.bound == blurred.bound,
                        "result %a: %s, %.17g ulp, %.17g; blurred %s, %.17g ulp, %.17g", result,
                        verdict_name(sharp.verdict), sharp.error_ulp, sharp.error_scaled,
                        verdict_name(blurred.verdict), blurred.error_ulp, blurred.error_scaled);
        }
    }
    suite_check(harder > 100, "only %zu cases needed more precision", harder);
    end();
}

static void precision_climbs_as_far_as_needed_and_no_farther(void)
{
    begin();
    mpq_set_ui(target.value[0], 1, 3);
    mpq_set_ui(target.scale[0], 1, 3);
    struct judgement got = judge_one(&scaled, 1.0 / 3);
    CU_ASSERT_EQUAL(got.precision, PRECISION_FIRST);
    CU_ASSERT_EQUAL(got.outcome, OUTCOME_ENCLOSED);
    target.narrow_from = 700;
    got = judge_one(&scaled, 1.0 / 3);
    CU_ASSERT_EQUAL(got.precision, 1024);
    CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
    /* the verdict is certain at once, the binade of F never: figures give up at 2048 */
    target.narrow_from = 0;
    target.blurred = true;
    mpq_set_ui(target.value[0], 1, 1);
    mpq_set_ui(target.scale[0], 1, 1);
    got = judge_one(&scaled, 1 + 0x1p-52);
    CU_ASSERT_EQUAL(got.precision, REPORT_PRECISION);
    CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(got.error_ulp, 2); /* by the ulp below 1: the upper end */
    target.blurred = false;
    got = judge_one(&scaled, 1 + 0x1p-52);
    CU_ASSERT_EQUAL(got.outcome, OUTCOME_EXACT);
    CU_ASSERT_EQUAL(got.error_ulp, 1);
    end();
}

/* Equality that no enclosure shows is undecided, unless the formula has proved it at the limit. */
static void an_undecidable_equality_is_not_a_pass(void)
{
    begin();
    mpq_set_ui(target.scale[0], 1, 3);
    mpq_set_ui(target.value[0], 1, 1);
    add_scaled(target.value[0], 1, -53); /* 1 + K u S with K = 3 */
    add_scaled(target.value[0], 1, -1074);
    target.blurred = true;
    struct judgement got = judge_one(&scaled, 1);
    CU_ASSERT_EQUAL(got.verdict, VERDICT_UNDECIDED);
    CU_ASSERT_EQUAL(got.outcome, OUTCOME_UNDECIDED);
    CU_ASSERT_EQUAL(got.precision, LIMIT);
    struct function proved = scaled;
    proved.equal_at_limit = true;
    got = judge_one(&proved, 1);
    CU_ASSERT_EQUAL(got.verdict, VERDICT_WITHIN);
    CU_ASSERT_EQUAL(got.precision, LIMIT);
    add_scaled(target.value[0], 1, -3000); /* no equality: seen as such before the limit */
    CU_ASSERT_EQUAL(judge_one(&proved, 1).verdict, VERDICT_VIOLATION);
    /* nor is an infinity where the bound may or may not reach it */
    set_at_overflow(1, 1020, 0);
    double results[3] = {HUGE_VAL, 0, 0};
    CU_ASSERT_EQUAL(judge_one(&scaled, HUGE_VAL).verdict, VERDICT_UNDECIDED);
    CU_ASSERT_EQUAL(judge_results(&vector, results).verdict, VERDICT_UNDECIDED);
    results[2] = NAN; /* which is certain, whatever comes before */
    CU_ASSERT_EQUAL(judge_results(&vector, results).verdict, VERDICT_CLASS_MISMATCH);
    end();
}

/* A segment over [0, 3] at 1, with values found by congruences so that the error of 61 2^-1074 is
 * the bound itself though F is a ninth of a double: only the argument about the limit decides. */
static void hermite_on_its_bound_in_ninths_is_within(void)
{
    static const double segment[7] = {0, 0x1p-1024 + 39 * 0x1p-1074,    0,
                                      3, -3216856876693100 * 0x1p-1074, 0,
                                      1};
    const struct function *hermite = catalog_find("hermite");
    struct values inputs = {0};
    struct values outputs = {0};
    memcpy(values_numbers(&inputs, 7), segment, sizeof segment);
    begin();
    for (int step = -1; step <= 1; step++) {
        struct judgement got;
        *values_numbers(&outputs, 1) = (61 + step) * DBL_TRUE_MIN;
        judge_case(judge, hermite, &inputs, &outputs, &got);
        suite_check(got.verdict == (step > 0 ? VERDICT_VIOLATION : VERDICT_WITHIN), "%d: %s", step,
                    verdict_name(got.verdict));
        suite_check((got.precision == hermite->precision_limit) == (step == 0), "%d: %ld bits",
                    step, (long)got.precision);
        suite_check(step != 0 || got.error_scaled == got.bound, "%.17g of %.17g", got.error_scaled,
                    got.bound);
    }
    end();
    values_free(&inputs);
    values_free(&outputs);
}

static void undefined_inputs_give_no_verdict(void)
{
    begin();
    target.kind = ANSWER_UNDEFINED;
    struct judgement got = judge_one(&scaled, NAN);
    CU_ASSERT_EQUAL(got.verdict, VERDICT_UNDEFINED);
    CU_ASSERT_EQUAL(got.outcome, OUTCOME_UNDEFINED);
    CU_ASSERT_FALSE(got.measured);
    end();
}

/* The widest exponent range, also inside another one that is narrow, and it is put back. */
static void the_exponent_range_is_the_judges_own(void)
{
    mpfr_exp_t least = mpfr_get_emin();
    mpfr_exp_t largest = mpfr_get_emax();
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
    begin();
    CU_ASSERT_EQUAL(mpfr_get_emin(), mpfr_get_emin_min());
    CU_ASSERT_EQUAL(mpfr_get_emax(), mpfr_get_emax_max());
    struct judge *second = judge_create();
    judge_destroy(second);
    set_scaled(target.value[0], 1, 5000);
    set_scaled(target.scale[0], 1, -5000);
    CU_ASSERT_EQUAL(judge_one(&scaled, 0).verdict, VERDICT_VIOLATION);
    end();
    CU_ASSERT_EQUAL(mpfr_get_emin(), -1073);
    CU_ASSERT_EQUAL(mpfr_get_emax(), 1024);
    mpfr_set_emin(least);
    mpfr_set_emax(largest);
}

static bool check_written(const char *wanted)
{
    struct values inputs = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    judge_write_exact(judge, &scaled, &inputs, 0, stream);
    fclose(stream);
    bool good = suite_check(strcmp(text, wanted) == 0, "wrote \"%s\", wanted \"%s\"", text, wanted);
    free(text);
    return good;
}

static void exact_values_are_written_with_40_digits(void)
{
    static const struct {
        const char *rational, *text;
    } rows[] = {
        {"1", "1.0"},
        {"-5/32", "-0.15625"},
        {"1/3", "0.3333333333333333333333333333333333333333"},
        {"-2/3", "-0.6666666666666666666666666666666666666667"},
        {"1/1000000000000", "0.000000000001"},
        {"1/10000000000000", "1.0e-13"},
        {"1/100000000000000000000", "1.0e-20"},
        {"123/10000000000000000", "1.23e-14"},
        {"9999999999999999999999999999999999999999", "9999999999999999999999999999999999999999.0"},
        {"10000000000000000000000000000000000000000", "1.0e+40"},
        {"-99999999999999999999999999999999999999995", "-1.0e+41"},
        {"99999999999999999999999999999999999999994",
         "9.999999999999999999999999999999999999999e+40"},
        {"99999999999999999999999999999999999999999/100000000000000000000000000000000000000000",
         "1.0"},
        {"1000000", "1000000.0"},
        {"100000000000000000000000000000000000001/10", "10000000000000000000000000000000000000.1"},
        {"0", "0.0"},
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mpq_set_str(target.value[0], rows[i].rational, 10);
        mpq_canonicalize(target.value[0]);
        check_written(rows[i].text);
    }
    set_scaled(target.value[0], 1, -2150);
    check_written("6.102521560013201465323266428990952356728e-648");
    set_scaled(target.value[0], -1, 2100);
    check_written("-1.455428565004863093618902384493306497288e+632");
    /* a tie of decimals that the first enclosure holds is told from its neighbourhood */
    mpq_set_str(target.value[0], "2000000000000000000000000000000000000001/2", 10);
    add_scaled(target.value[0], 1, -600);
    check_written("1000000000000000000000000000000000000001.0");
    end();
}

static void given_values_and_what_has_none_are_written_too(void)
{
    begin();
    target.kind = ANSWER_GIVEN;
    static const struct {
        double given;
        const char *text;
    } rows[] = {{NAN, "nan"},
                {HUGE_VAL, "inf"},
                {-HUGE_VAL, "-inf"},
                {0.0, "0.0"},
                {-0.0, "-0.0"},
                {0.1, "0.1000000000000000055511151231257827021182"},
                {DBL_TRUE_MIN, "4.940656458412465441765687928682213723651e-324"},
                {-DBL_MAX, "-1.797693134862315708145274237317043567981e+308"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        target.given[0] = rows[i].given;
        check_written(rows[i].text);
    }
    target.kind = ANSWER_UNDEFINED;
    check_written("");
    target.kind = ANSWER_REAL; /* 0 that is never known to be 0 */
    target.blurred = true;
    mpq_set_ui(target.value[0], 0, 1);
    check_written("0.0");
    CU_ASSERT_EQUAL(target.asked, LIMIT);
    end();
}

static void names_are_the_documented_ones(void)
{
    CU_ASSERT_STRING_EQUAL(verdict_name(VERDICT_WITHIN), "within");
    CU_ASSERT_STRING_EQUAL(verdict_name(VERDICT_VIOLATION), "violation");
    CU_ASSERT_STRING_EQUAL(verdict_name(VERDICT_CLASS_MISMATCH), "class mismatch");
    CU_ASSERT_STRING_EQUAL(verdict_name(VERDICT_UNDECIDED), "undecided");
    CU_ASSERT_STRING_EQUAL(verdict_name(VERDICT_UNDEFINED), "undefined");
    CU_ASSERT_STRING_EQUAL(outcome_name(OUTCOME_EXACT), "exact");
    CU_ASSERT_STRING_EQUAL(outcome_name(OUTCOME_ENCLOSED), "enclosed");
    CU_ASSERT_STRING_EQUAL(outcome_name(OUTCOME_UNDEFINED), "undefined");
    CU_ASSERT_STRING_EQUAL(outcome_name(OUTCOME_UNDECIDED), "undecided");
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"ulps are right at every boundary", ulps_are_right_at_every_boundary},
        {"ulps of well-known errors", ulps_of_well_known_errors},
        {"drawn judgements agree with rationals", drawn_judgements_agree_with_rationals},
        {"the bound itself is within, the least excess is not",
         the_bound_itself_is_within_and_the_least_excess_is_not},
        {"figures lie on the grid", figures_lie_on_the_grid},
        {"NaN never passes", nan_never_passes},
        {"infinity for a number is a class mismatch", infinity_for_a_number_is_a_class_mismatch},
        {"infinity is allowed exactly from where the bound reaches it",
         infinity_is_allowed_exactly_from_where_the_bound_reaches_it},
        {"rounding is to nearest even everywhere", rounding_is_to_nearest_even_everywhere},
        {"drawn roundings agree with rationals", drawn_roundings_agree_with_rationals},
        {"a rounded zero has either sign", a_rounded_zero_has_either_sign},
        {"given answers are compared bit for bit", given_answers_are_compared_bit_for_bit},
        {"one wrong component of a given vector is seen",
         one_wrong_component_of_a_given_vector_is_seen},
        {"a vector is judged by the length of its error",
         a_vector_is_judged_by_the_length_of_its_error},
        {"a vector has an absolute allowance per component",
         a_vector_has_an_absolute_allowance_per_component},
        {"an infinite component is judged by itself", an_infinite_component_is_judged_by_itself},
        {"of several outputs the worst is shown", of_several_outputs_the_worst_is_shown},
        {"figures do not depend on the enclosures' widths",
         figures_do_not_depend_on_the_enclosures_widths},
        {"precision climbs as far as needed and no farther",
         precision_climbs_as_far_as_needed_and_no_farther},
        {"an undecidable equality is not a pass", an_undecidable_equality_is_not_a_pass},
        {"hermite on its bound, in ninths, is within", hermite_on_its_bound_in_ninths_is_within},
        {"undefined inputs give no verdict", undefined_inputs_give_no_verdict},
        {"the exponent range is the judge's own", the_exponent_range_is_the_judges_own},
        {"exact values are written with 40 digits", exact_values_are_written_with_40_digits},
        {"given values, and what has none, are written too",
         given_values_and_what_has_none_are_written_too},
        {"names are the documented ones", names_are_the_documented_ones},
    };
    return suite_run("judge", tests, sizeof tests / sizeof *tests);
}
