/* The first stage's roots of cubics against the exact answers, and its verdicts on results against
 * the ladder's.
 * Usage: test_filter_cubic_roots [SAMPLES [SEED]] */
#include "contained.h"
#include "enclosure.h"
#include "sample.h"
#include "suite.h"

#include "../corpus/draw.h"
#include "../oracle/filter_cubic.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <float.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS, MULTIPLICITIES, CODE };
enum { CODE_OF_ROOTS = 0 };

static size_t sample_count = 100000;
static uint64_t seed = 47;

static const struct function *function;
static struct answer answer;

/* Estimates */

struct count {
    size_t samples, estimates;
    double part; /* the largest part of a stated error that was used up */
};

enum { BITS = 320 };

/* The roots' largest part of their stated errors; NaN where the enclosures are too wide to tell. */
static double largest_part(const struct estimate *estimate)
{
    double most = 0;
    for (size_t i = 0; i < answer.length[ROOTS]; i++) {
        double part = contained_part(answer.value[i], estimate->exponent + estimate->shift[i],
                                     &estimate->value[i]);
        most = part <= most ? most : part;
    }
    return most;
}

/* Lengths and whole numbers */
static bool same_shape(const struct estimate *estimate)
{
    size_t count = answer.length[ROOTS];
    bool same = estimate->length[ROOTS] == count && estimate->length[MULTIPLICITIES] == count &&
                estimate->length[CODE] == 1;
    for (size_t i = count; i < 2 * count + 1 && same; i++) {
        const struct approximation *whole = &estimate->value[i];
        same = whole->low == 0 && whole->error == 0 && estimate->shift[i] == 0 &&
               mpfr_cmp_d(&answer.value[i]->left, whole->high) == 0;
    }
    return same;
}

static void check_estimate(const struct values *inputs, struct count *count)
{
    struct estimate estimate = {.length = {1, 1, 1}, .factor = function->K};
    count->samples++;
    if (!function->estimate(inputs, &estimate)) {
        return;
    }
    count->estimates++;
    double part = NAN;
    for (mpfr_prec_t bits = BITS; isnan(part) && bits <= function->precision_limit; bits *= 4) {
        answer_values(function, inputs, bits, &answer);
        if (!same_shape(&estimate)) {
            suite_check(false, "%s: other roots, multiplicities or code",
                        describe_case(function, inputs));
            return;
        }
        part = largest_part(&estimate);
    }
    if (!(part <= 1)) {
        suite_check(false, "%s: %.3g of the stated error", describe_case(function, inputs), part);
        return;
    }
    CU_PASS("contained");
    count->part = fmax(count->part, part);
}

static void test_estimates(void)
{
    const struct domains *domains = domains_of(function);
    struct values inputs = {0};
    struct count all = {0};
    size_t per_domain = sample_count / domains->count + 1;
    for (size_t d = 0; d < domains->count; d++) {
        struct count count = {0};
        for (size_t i = 0; i < per_domain; i++) {
            draw_case(seed, function, &domains->list[d], i, &inputs);
            check_estimate(&inputs, &count);
        }
        suite_check((double)count.estimates >= 0.98 * (double)count.samples,
                    "%s: %zu of %zu estimated", domains->list[d].name, count.estimates,
                    count.samples);
        all.part = fmax(all.part, count.part);
        if (getenv("FILTER_SHARES")) {
            printf("%s: %zu of %zu, %.3f\n", domains->list[d].name, count.estimates, count.samples,
                   count.part);
        }
    }
    suite_check(all.part > 0.2, "never near the bound: %g of it", all.part);
    values_free(&inputs);
}

/* Polynomials that the domains do not draw so often */

static double any_sign(struct sample *sample, double x)
{
    return sample_below(sample, 2) ? x : -x;
}

/* A power of 2 as a root, next to which another coefficient may put it: (x - 2^k)(b x^2 + c x + d)
 * and something in one place. */
static void draw_power(struct sample *sample, double *c)
{
    double root = any_sign(sample, ldexp(1, (int)sample_below(sample, 21) - 10));
    double q[3];
    for (int i = 0; i < 3; i++) {
        q[i] = any_sign(sample, sample_below(sample, 50));
    }
    const double product[4] = {q[0], q[1] - root * q[0], q[2] - root * q[1], -root * q[2]};
    for (int i = 0; i < 4; i++) {
        c[i] = product[i];
    }
    int place = (int)sample_below(sample, 4);
    if (c[place] == 0 && sample_below(sample, 2)) {
        c[place] = any_sign(sample, ldexp(1, -(int)sample_below(sample, 1000)));
    } else if (sample_below(sample, 2)) {
        c[place] = nextafter(c[place], any_sign(sample, 1000));
    }
}

/* A pair of roots that a small coefficient parts, often by less than the spacing of doubles: two
 * equal ones of lead (x - m)^2, and 2^-10 to 2^-240 at x^3 or, the other way round, at 1. */
static void draw_pair(struct sample *sample, double *c)
{
    double lead = any_sign(sample, 1 + sample_below(sample, 9));
    double m = any_sign(sample, 1 + sample_below(sample, 100000));
    double small = any_sign(sample, ldexp(1 + sample_below(sample, 9), -10));
    small = ldexp(small, -(int)sample_below(sample, 230));
    const double pair[4] = {small, lead, -2 * lead * m, lead * m * m};
    bool reversed = sample_below(sample, 2);
    for (int i = 0; i < 4; i++) {
        c[i] = pair[reversed ? 3 - i : i];
    }
}

/* Three roots around one, each 2^-17 to 2^-40 of it away; rounded, or a double one. */
static void draw_three(struct sample *sample, double *c)
{
    double m = 1 + sample_below(sample, 100000), x[3];
    for (int i = 0; i < 3; i++) {
        x[i] =
            m * (1 + sample_uniform(sample, -1, 1) * ldexp(1, -17 - (int)sample_below(sample, 24)));
    }
    if (sample_below(sample, 3) == 0) {
        x[0] = x[1] = m;
        x[2] = m + any_sign(sample, 1 + sample_below(sample, 3));
    }
    c[0] = 1;
    c[1] = -(x[0] + x[1] + x[2]);
    c[2] = x[0] * x[1] + x[1] * x[2] + x[2] * x[0];
    c[3] = -x[0] * x[1] * x[2];
}

/* q / p twice and t / s, exactly, of up to 50 bits: too many for the discriminant's terms to be
 * exact in double-double. */
static void draw_repeated(struct sample *sample, double *c)
{
    double lead = any_sign(sample, 1 + sample_below(sample, 500));
    double p = 1 + sample_below(sample, 3), s = 1 + sample_below(sample, 3);
    double q = any_sign(sample, 1 + sample_below(sample, 10000));
    double t = any_sign(sample, 1 + sample_below(sample, 10000));
    c[0] = lead * (p * p * s);
    c[1] = -lead * (2 * p * q * s + p * p * t);
    c[2] = lead * (q * q * s + 2 * p * q * t);
    c[3] = -lead * (q * q * t);
}

typedef void draw_polynomial(struct sample *sample, double *c);
static draw_polynomial *const draws[] = {draw_power, draw_pair, draw_three, draw_repeated};
enum { DRAWS = sizeof draws / sizeof *draws };

static void draw_crafted(struct sample *sample, uint64_t i, struct values *inputs)
{
    double *c = values_numbers(inputs, 4);
    draws[i % DRAWS](sample, c);
    int unit = sample_below(sample, 2) ? 0 : (int)sample_below(sample, 200) - 100;
    for (int k = 0; k < 4; k++) {
        c[k] = ldexp(c[k], unit * k);
    }
}

static void test_crafted_estimates(void)
{
    struct sample sample = {seed};
    struct values inputs = {0};
    struct count count = {0};
    for (size_t i = 0; i < sample_count / 10; i++) {
        draw_crafted(&sample, i, &inputs);
        check_estimate(&inputs, &count);
    }
    suite_check((double)count.estimates >= 0.75 * (double)count.samples, "%zu of %zu estimated",
                count.estimates, count.samples);
    values_free(&inputs);
}

/* Verdicts */

enum { SPOILINGS = 12 };

static double odd_number(struct sample *sample)
{
    static const double numbers[] = {0, -0.0, DBL_TRUE_MIN, DBL_MAX, INFINITY, NAN, 1};
    return any_sign(sample, numbers[sample_below(sample, sizeof numbers / sizeof *numbers)]);
}

/* Other numbers in place of the i-th root or what is with it, or one root less. */
static void spoil_root(struct sample *sample, struct values *results, size_t count, size_t i)
{
    double *root = results->number + results->start[ROOTS];
    double *multiplicity = results->number + results->start[MULTIPLICITIES];
    size_t other = sample_below(sample, (unsigned)count);
    double step = ldexp(1, (int)sample_below(sample, 10) - 2);
    switch (sample_below(sample, SPOILINGS)) {
    case 0:
        root[i] = nextafter(root[i], any_sign(sample, INFINITY));
        break;
    case 1: /* around the bound, which is 8 u S */
    case 2:
    case 3:
        root[i] *= 1 + any_sign(sample, 0x1p-52 * step * sample_uniform(sample, 1, 2));
        break;
    case 4: /* a wide way from the exact root to the returned one */
        root[i < other ? i : other] = root[i < other ? other : i];
        break;
    case 5:
        root[i] = odd_number(sample);
        break;
    case 6:
        root[i] += any_sign(sample, DBL_TRUE_MIN * sample_below(sample, 3));
        break;
    case 7:
        multiplicity[i] = 1 + sample_below(sample, 3);
        break;
    case 8:
        values_remove(results, ROOTS, i, 1);
        values_remove(results, MULTIPLICITIES, other, 1);
        break;
    case 9: /* the power of 2 next to it */
        if (isfinite(root[i]) && root[i] != 0) {
            int exponent = ilogb(root[i]) + (int)sample_below(sample, 2);
            root[i] = copysign(ldexp(1, exponent), root[i]);
        }
        break;
    default: /* as it is */
        break;
    }
}

static void spoil(struct sample *sample, struct values *results)
{
    size_t count = values_length(results, ROOTS);
    if (sample_below(sample, 50) == 0) {
        results->number[results->start[CODE]] = sample_below(sample, 3);
    }
    if (count > 0) {
        spoil_root(sample, results, count, sample_below(sample, (unsigned)count));
    }
}

struct stages {
    size_t samples, settled;
    size_t verdicts[VERDICT_COUNT]; /* of the first stage */
};

static void judge_twice(struct judge *judge, const struct values *inputs,
                        const struct values *results, struct stages *stages)
{
    struct judgement with, without;
    judge_set_filter(judge, true);
    judge_case(judge, function, inputs, results, &with);
    stages->samples++;
    if (with.stage != STAGE_FILTER) {
        return;
    }
    stages->settled++;
    stages->verdicts[with.verdict]++;
    judge_set_filter(judge, false);
    judge_case(judge, function, inputs, results, &without);
    bool same = with.verdict == without.verdict && with.measured == without.measured &&
                with.output == without.output;
    if (with.measured) {
        same = same && same_double(with.error_ulp, without.error_ulp) &&
               same_double(with.error_scaled, without.error_scaled) &&
               same_double(with.bound, without.bound);
    }
    if (same) {
        CU_PASS("the same");
        return;
    }
    suite_check(false, "%s, %zu roots, %a: %s %.17g %.17g, not %s %.17g %.17g",
                describe_case(function, inputs), values_length(results, ROOTS), results->number[0],
                verdict_name(with.verdict), with.error_ulp, with.error_scaled,
                verdict_name(without.verdict), without.error_ulp, without.error_scaled);
}

static void test_judgements(void)
{
    const struct domains *domains = domains_of(function);
    struct judge *judge = judge_create();
    struct sample sample = {seed + 1};
    struct values inputs = {0}, results = {0};
    struct stages stages = {0};
    for (size_t i = 0; i < sample_count / 3; i++) {
        if (i % 4 == 0) {
            draw_crafted(&sample, i / 4, &inputs);
        } else {
            size_t d = sample_below(&sample, (unsigned)domains->count);
            draw_case(seed + 1, function, &domains->list[d], i, &inputs);
        }
        implementation_call(implementation_builtin(), function, &inputs, &results);
        spoil(&sample, &results);
        judge_twice(judge, &inputs, &results, &stages);
    }
    suite_check(stages.settled > stages.samples / 4 * 3, "%zu of %zu settled", stages.settled,
                stages.samples);
    CU_ASSERT(stages.verdicts[VERDICT_WITHIN] > stages.samples / 4);
    CU_ASSERT(stages.verdicts[VERDICT_VIOLATION] > stages.samples / 10);
    CU_ASSERT_EQUAL(stages.verdicts[VERDICT_UNDECIDED] + stages.verdicts[VERDICT_UNDEFINED], 0);
    if (getenv("FILTER_SHARES")) {
        printf("%zu of %zu settled, %zu violations\n", stages.settled, stages.samples,
               stages.verdicts[VERDICT_VIOLATION]);
    }
    values_free(&inputs);
    values_free(&results);
    judge_destroy(judge);
}

/* The arithmetic */

enum { PRECISION = 4000 };

static mpfr_t exact, term;

/* |exact - x| over the stated error */
static double part_of(const struct approximation *x)
{
    mpfr_sub_d(term, exact, x->high, MPFR_RNDN);
    mpfr_sub_d(term, term, x->low, MPFR_RNDN);
    mpfr_div_d(term, term, x->error, MPFR_RNDA);
    return fabs(mpfr_get_d(term, MPFR_RNDA));
}

/* weight[0] q0 z^(terms - 1) + ... + weight[terms - 1] q(terms - 1), exactly */
static void set_exact(const double *q, const double *weight, size_t terms, double z)
{
    mpfr_set_zero(exact, 1);
    for (size_t i = 0; i < terms; i++) {
        mpfr_mul_d(exact, exact, z, MPFR_RNDN);
        mpfr_set_d(term, q[i], MPFR_RNDN);
        mpfr_mul_d(term, term, weight[i], MPFR_RNDN);
        mpfr_add(exact, exact, term, MPFR_RNDN);
    }
}

/* Coefficients in any proportion; z is often nearly a root, simple or double. */
static void draw_unit(struct sample *sample, double *q, double *z)
{
    *z = any_sign(sample, sample_uniform(sample, 0.5, 1));
    for (int i = 0; i < 4; i++) {
        int drop = sample_below(sample, 3) ? (int)sample_below(sample, 30)
                                           : (int)sample_below(sample, DROPPED);
        q[i] = any_sign(sample, ldexp(sample_uniform(sample, 0.5, 1), -drop));
    }
    if (sample_below(sample, 3)) {
        bool twice = sample_below(sample, 2);
        if (twice) {
            q[2] = -(3 * q[0] * *z + 2 * q[1]) * *z;
        }
        q[3] = -((q[0] * *z + q[1]) * *z + q[2]) * *z;
    }
}

static void test_shifts(void)
{
    static const double once[] = {1, 1, 1, 1}, slopes[] = {3, 2, 1}, bends[] = {3, 1};
    struct sample sample = {seed + 2};
    double most[3] = {0}, least_error = 1;
    mpfr_inits2(PRECISION, exact, term, (mpfr_ptr)NULL);
    for (size_t i = 0; i < sample_count; i++) {
        double q[4], z;
        draw_unit(&sample, q, &z);
        struct shifted at = shift_to(q, z);
        set_exact(q, once, 4, z);
        most[0] = fmax(most[0], part_of(&at.c0));
        set_exact(q, slopes, 3, z);
        most[1] = fmax(most[1], part_of(&at.c1));
        set_exact(q, bends, 2, z);
        most[2] = fmax(most[2], part_of(&at.c2));
        least_error = fmin(least_error, at.c0.error);
        if (!(most[0] <= 1 && most[1] <= 1 && most[2] <= 1)) {
            suite_check(false, "%a,%a,%a,%a at %a: %g, %g, %g of the stated errors", q[0], q[1],
                        q[2], q[3], z, most[0], most[1], most[2]);
        }
    }
    suite_check(most[0] > 0.2 && most[1] > 0.2 && most[2] > 0.2,
                "never near the bounds: %g, %g, %g of them", most[0], most[1], most[2]);
    CU_ASSERT(least_error < 0x1p-150);
    mpfr_clears(exact, term, (mpfr_ptr)NULL);
}

/* Between the exact root and the result */

/* lead x^2 - b x + c with two roots, and a result for the first one that lies behind the place
 * where p turns. */
struct humped {
    double lead, b, c;
    double result, second; /* for the second root, the double nearest to it */
    bool within;           /* |p| <= K u S from the first root to the result */
};

/* With k = K u and x > 0, -p <= k S where (1 + k) lead x^2 - (1 - k) b x + (1 + k) c >= 0: nowhere
 * less than 0 where (1 - k)^2 b^2 <= 4 (1 + k)^2 lead c. Else that is less than 0 where p turns or
 * just before. In rationals, less == 0: the difference's sign; less > 0: c is made such that the
 * difference is about 0 at k / less. */
static int sign_of_hump(struct humped *humped, unsigned less)
{
    mpq_t k, above, below, difference;
    mpq_inits(k, above, below, difference, NULL);
    mpq_set_d(k, function->K * 0x1p-53 / (less > 0 ? less : 1));
    mpq_set_si(above, 1, 1);
    mpq_sub(below, above, k);
    mpq_add(above, above, k);
    mpq_mul(above, above, above);
    mpq_mul(below, below, below);
    mpq_set_d(k, humped->b);
    mpq_mul(below, below, k);
    mpq_mul(below, below, k);
    mpq_set_d(k, 4 * humped->lead);
    mpq_mul(above, above, k);
    if (less > 0) {
        mpq_div(difference, below, above);
        humped->c = mpq_get_d(difference);
    }
    mpq_set_d(k, humped->c);
    mpq_mul(above, above, k);
    mpq_sub(difference, above, below);
    int sign = mpq_sgn(difference);
    mpq_clears(k, above, below, difference, NULL);
    return sign;
}

/* The result is `share` of the way from the turn to the second root; returns false where there are
 * no two roots. */
static bool set_result(struct humped *humped, double share)
{
    mpfr_t half, root;
    mpfr_inits2(BITS, half, root, (mpfr_ptr)NULL);
    mpfr_set_d(half, humped->b / 2, MPFR_RNDN);
    mpfr_sqr(root, half, MPFR_RNDN);
    mpfr_set_d(exact, humped->lead, MPFR_RNDN);
    mpfr_mul_d(exact, exact, humped->c, MPFR_RNDN);
    mpfr_sub(root, root, exact, MPFR_RNDN);
    bool two = mpfr_sgn(root) > 0;
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_add(exact, half, root, MPFR_RNDN);
    mpfr_div_d(exact, exact, humped->lead, MPFR_RNDN);
    humped->second = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_mul_d(root, root, share, MPFR_RNDN);
    mpfr_add(exact, half, root, MPFR_RNDN);
    mpfr_div_d(exact, exact, humped->lead, MPFR_RNDN);
    humped->result = mpfr_get_d(exact, MPFR_RNDU);
    mpfr_clears(half, root, (mpfr_ptr)NULL);
    return two && humped->result <= humped->second;
}

/* p's depth at the turn is nearly K u S, or a part of that. */
static bool draw_humped(struct sample *sample, struct humped *humped)
{
    humped->lead = sample_uniform(sample, 1, 2);
    humped->b = sample_uniform(sample, 1, 4);
    sign_of_hump(humped, 1 + sample_below(sample, 4));
    humped->within = sign_of_hump(humped, 0) >= 0;
    double most = sample_below(sample, 2) ? 0.25 : 1;
    return set_result(humped, sample_uniform(sample, 0, most));
}

/* As a quadratic or with the root 0, and of any size */
static void set_humped(struct sample *sample, const struct humped *humped, struct values *inputs,
                       struct values *results)
{
    int unit = (int)sample_below(sample, 200) - 100;
    bool zero = sample_below(sample, 2);
    const double c[3] = {humped->lead, -humped->b, humped->c};
    const double roots[3] = {0, ldexp(humped->result, unit), ldexp(humped->second, unit)};
    double *coefficient = values_numbers(inputs, 4);
    coefficient[0] = coefficient[3] = 0;
    for (int i = 0; i < 3; i++) {
        coefficient[zero ? i : i + 1] = ldexp(c[i], unit * i);
    }
    static const double once[3] = {1, 1, 1};
    size_t count = zero ? 3 : 2;
    values_clear(results);
    memcpy(values_append(results, count), zero ? roots : roots + 1, count * sizeof *roots);
    memcpy(values_append(results, count), once, count * sizeof *once);
    *values_append(results, 1) = CODE_OF_ROOTS;
}

/* p may be small at the result and yet too large on the way there. */
static void test_between(void)
{
    struct judge *judge = judge_create();
    struct sample sample = {seed + 4};
    struct values inputs = {0}, results = {0};
    size_t verdicts[2][2] = {{0}}; /* of the ladder and the first stage: not within, within */
    mpfr_inits2(PRECISION, exact, term, (mpfr_ptr)NULL);
    for (size_t i = 0; i < sample_count / 5; i++) {
        struct humped humped;
        if (!draw_humped(&sample, &humped)) {
            continue;
        }
        set_humped(&sample, &humped, &inputs, &results);
        struct judgement judgement;
        judge_case(judge, function, &inputs, &results, &judgement);
        bool within = judgement.verdict == VERDICT_WITHIN;
        verdicts[judgement.stage == STAGE_FILTER][within]++;
        if (within != humped.within || (!within && judgement.verdict != VERDICT_VIOLATION)) {
            suite_check(false, "%s at %a: %s by the %s", describe_case(function, &inputs),
                        humped.result, verdict_name(judgement.verdict),
                        judgement.stage == STAGE_FILTER ? "first stage" : "ladder");
        }
    }
    if (getenv("FILTER_SHARES")) {
        printf("ladder %zu and %zu, first stage %zu and %zu\n", verdicts[0][0], verdicts[0][1],
               verdicts[1][0], verdicts[1][1]);
    }
    suite_check(verdicts[0][0] > sample_count / 200 && verdicts[0][1] > sample_count / 200 &&
                    verdicts[1][1] > sample_count / 200,
                "too few: ladder %zu and %zu, first stage %zu and %zu", verdicts[0][0],
                verdicts[0][1], verdicts[1][0], verdicts[1][1]);
    mpfr_clears(exact, term, (mpfr_ptr)NULL);
    values_free(&inputs);
    values_free(&results);
    judge_destroy(judge);
}

/* The formula with five terms, of integers below 2^10 */
static int sign_of_discriminant(const long long *k)
{
    long long a = k[0], b = k[1], c = k[2], d = k[3];
    long long sum = a != 0 ? b * b * c * c - 4 * a * c * c * c - 4 * b * b * b * d -
                                 27 * a * a * d * d + 18 * a * b * c * d
                           : c * c - 4 * b * d;
    return (sum > 0) - (sum < 0);
}

/* The sign at an integer below 2^11 */
static int sign_of_value(const long long *k, long long x)
{
    long long sum = ((k[0] * x + k[1]) * x + k[2]) * x + k[3];
    return (sum > 0) - (sum < 0);
}

static void test_signs(void)
{
    struct sample sample = {seed + 3};
    size_t zeros[2] = {0};
    for (size_t i = 0; i < sample_count; i++) {
        unsigned most = sample_below(&sample, 2) ? 6 : 600;
        long long k[4];
        double c[4];
        int unit = (int)sample_below(&sample, 400) - 200;
        for (int j = 0; j < 4; j++) {
            k[j] = (long long)sample_below(&sample, 2 * most + 1) - most;
            c[j] = ldexp((double)k[j], unit * j);
        }
        if ((k[0] == 0 && k[1] == 0) || k[3] == 0) {
            continue;
        }
        struct polynomial p;
        struct roots roots = {0};
        polynomial_set(&p, c);
        int sign = sign_of_discriminant(k);
        suite_check(filter_cubic_exact_sign(&p, &roots) == sign, "%a,%a,%a,%a", c[0], c[1], c[2],
                    c[3]);
        CU_ASSERT((sign == 0) == (roots.count > 0));
        int z = sample_below(&sample, 2) ? 1 : -1, power = (int)sample_below(&sample, 11);
        int value = sign_of_value(k, z * (1LL << power));
        /* the coefficients are those of p(x / 2^unit) */
        suite_check(filter_cubic_sign_at_power(&p, z, power + unit) == value,
                    "%a,%a,%a,%a at %d 2^%d", c[0], c[1], c[2], c[3], z, power + unit);
        zeros[0] += sign == 0;
        zeros[1] += value == 0;
    }
    CU_ASSERT(zeros[0] > sample_count / 2000 && zeros[1] > sample_count / 2000);
}

/* Coefficients whose root is beyond what a shift reaches, and what are no coefficients. */
static void test_ends(void)
{
    static const double cases[][4] = {{0, 0, DBL_MAX, DBL_TRUE_MIN},
                                      {0, 0, DBL_TRUE_MIN, DBL_MAX},
                                      {DBL_TRUE_MIN, DBL_MAX, -DBL_TRUE_MIN, 0},
                                      {DBL_TRUE_MIN, -DBL_MAX, DBL_MAX, -DBL_TRUE_MIN},
                                      {DBL_TRUE_MIN, 0, 0, DBL_MAX},
                                      {DBL_MAX, 0, 0, -DBL_TRUE_MIN},
                                      {0, 0, 0, -1},
                                      {0, 0, 3, 0},
                                      {0, 0, 0, 0},
                                      {1, INFINITY, 0, 0},
                                      {0, 0, 0, NAN}};
    struct values inputs = {0};
    struct count count = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double *c = values_numbers(&inputs, 4);
        for (int k = 0; k < 4; k++) {
            c[k] = cases[i][k];
        }
        check_estimate(&inputs, &count);
        suite_check(count.estimates == i + 1, "%s: not estimated",
                    describe_case(function, &inputs));
    }
    values_free(&inputs);
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"a polynomial near a root is what it is said to be", test_shifts},
        {"signs in integers are right", test_signs},
        {"roots are where the estimate says", test_estimates},
        {"the same of close roots and of powers of 2", test_crafted_estimates},
        {"the same at the ends of the range", test_ends},
        {"judgements are those of the ladder alone", test_judgements},
        {"from the exact root to the result, verdicts are those of rationals", test_between},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    function = catalog_find("cubic_roots");
    if (!function || !function->estimate) {
        return 1;
    }
    answer_open(&answer);
    int code = suite_run("filter_cubic_roots", tests, sizeof tests / sizeof *tests);
    answer_close(&answer);
    return code;
}
