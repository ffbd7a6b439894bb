#include "verdict.h"

#include "cubic.h"

#include <math.h>
#include <string.h>

enum { LEAST_EXPONENT = -1074, LEAST_NORMAL = -1022, FRACTION_BITS = 52, U_EXPONENT = -53 };
enum { ROOT_BITS = 300 };

void second_judgement_open(struct second_judgement *judgement)
{
    for (size_t i = 0; i < SECOND_NUMBERS; i++) {
        span_init(&judgement->finding[i].ulp);
        span_init(&judgement->finding[i].scaled);
    }
}

void second_judgement_close(struct second_judgement *judgement)
{
    for (size_t i = 0; i < SECOND_NUMBERS; i++) {
        span_clear(&judgement->finding[i].ulp);
        span_clear(&judgement->finding[i].scaled);
    }
}

/* Arithmetic of spans */

static void add(struct span *sum, const struct span *x)
{
    mpq_add(sum->low, sum->low, x->low);
    mpq_add(sum->high, sum->high, x->high);
}

/* Of a factor that is not negative */
static void scale(struct span *x, double factor, long exponent)
{
    mpq_t number;
    mpq_init(number);
    mpq_set_d(number, factor);
    rational_scale(number, exponent);
    mpq_mul(x->low, x->low, number);
    mpq_mul(x->high, x->high, number);
    mpq_clear(number);
}

static void negate(struct span *x)
{
    mpq_swap(x->low, x->high);
    mpq_neg(x->low, x->low);
    mpq_neg(x->high, x->high);
}

static void absolute(struct span *x)
{
    if (mpq_sgn(x->high) <= 0) {
        negate(x);
    } else if (mpq_sgn(x->low) < 0) {
        mpq_neg(x->low, x->low);
        mpq_set(x->high, mpq_cmp(x->low, x->high) > 0 ? x->low : x->high);
        mpq_set_ui(x->low, 0, 1);
    }
}

/* x -= number */
static void subtract(struct span *x, double number)
{
    mpq_t rational;
    mpq_init(rational);
    mpq_set_d(rational, number);
    mpq_sub(x->low, x->low, rational);
    mpq_sub(x->high, x->high, rational);
    mpq_clear(rational);
}

/* A bound of the root of a number that is not negative, from below or above. */
static void root(mpq_t x, bool above)
{
    mpz_t whole, rest;
    mpz_inits(whole, rest, NULL);
    long size = (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2);
    long half = ROOT_BITS - size / 2;
    rational_scale(x, 2 * half);
    mpz_fdiv_qr(whole, rest, mpq_numref(x), mpq_denref(x));
    bool exact = mpz_sgn(rest) == 0;
    mpz_sqrtrem(whole, rest, whole);
    exact = exact && mpz_sgn(rest) == 0;
    mpz_add_ui(whole, whole, above && !exact);
    mpq_set_z(x, whole);
    rational_scale(x, -half);
    mpz_clears(whole, rest, NULL);
}

static void span_root(struct span *x)
{
    root(x->low, false);
    root(x->high, true);
}

/* x <= bound? */
static enum second_verdict compare(const struct span *x, const struct span *bound)
{
    if (mpq_cmp(x->high, bound->low) <= 0) {
        return SECOND_WITHIN;
    }
    return mpq_cmp(x->low, bound->high) > 0 ? SECOND_VIOLATION : SECOND_OPEN;
}

/* log2 of ulp(y), of y >= 0: 2^e <= y < 2^(e+1) */
static long ulp_exponent(const mpq_t y)
{
    if (mpq_sgn(y) == 0) {
        return LEAST_EXPONENT;
    }
    long e = (long)mpz_sizeinbase(mpq_numref(y), 2) - (long)mpz_sizeinbase(mpq_denref(y), 2);
    mpq_t power;
    mpq_init(power);
    mpq_set_ui(power, 1, 1);
    rational_scale(power, e);
    e -= mpq_cmp(y, power) < 0;
    mpq_clear(power);
    return (e < LEAST_NORMAL ? LEAST_NORMAL : e) - FRACTION_BITS;
}

/* Numbers that are given */

static enum second_verdict judge_given(double wanted, double result)
{
    if (isnan(wanted) || isnan(result)) {
        return isnan(wanted) && isnan(result) ? SECOND_WITHIN : SECOND_MISMATCH;
    }
    if (wanted == result) {
        return !signbit(wanted) == !signbit(result) ? SECOND_WITHIN : SECOND_MISMATCH;
    }
    return !isfinite(wanted) == !isfinite(result) ? SECOND_VIOLATION : SECOND_MISMATCH;
}

/* Real numbers */

/* K u S, and the slack */
static void set_tolerance(struct span *tolerance, const struct second *second,
                          const struct second_bound *bound, size_t number)
{
    span_copy(tolerance, &second->scale[number]);
    scale(tolerance, second->factor != 0 ? second->factor : bound->K, U_EXPONENT);
    if (bound->slack) {
        add(tolerance, &second->slack[number]);
    }
}

/* Does a number within the tolerance, and of the infinity's sign, round to it? */
static enum second_verdict judge_infinity(const struct second *second,
                                          const struct second_bound *bound, size_t number,
                                          size_t scale_number, double result)
{
    struct span reach, limit;
    span_init(&reach);
    span_init(&limit);
    set_tolerance(&reach, second, bound, scale_number);
    struct span value;
    span_init(&value);
    span_copy(&value, &second->value[number]);
    if (result < 0) {
        negate(&value);
    }
    bool of_sign = mpq_sgn(value.low) > 0, not_of_sign = mpq_sgn(value.high) <= 0;
    add(&reach, &value);
    mpq_set_ui(limit.low, (1UL << 54) - 1, 1);
    rational_scale(limit.low, 970);
    mpq_set(limit.high, limit.low);
    enum second_verdict verdict = compare(&limit, &reach);
    if (verdict != SECOND_WITHIN) {
        verdict = verdict == SECOND_OPEN ? SECOND_OPEN : SECOND_MISMATCH;
    } else if (!bound->slack && !of_sign) {
        verdict = not_of_sign ? SECOND_MISMATCH : SECOND_OPEN;
    }
    span_clear(&value);
    span_clear(&reach);
    span_clear(&limit);
    return verdict;
}

/* |r - F| over ulp(F) and over max(u S, 2^-1074) */
static void set_figures(struct second_finding *finding, const struct span *error,
                        const struct span *magnitude, const struct span *sizes)
{
    mpq_t least;
    mpq_init(least);
    mpq_set_ui(least, 1, 1);
    rational_scale(least, LEAST_EXPONENT);
    finding->measured = true;
    span_copy(&finding->ulp, error);
    rational_scale(finding->ulp.low, -ulp_exponent(magnitude->high));
    rational_scale(finding->ulp.high, -ulp_exponent(magnitude->low));
    if (!sizes) {
        span_copy(&finding->scaled, &finding->ulp);
    } else {
        struct span unit;
        span_init(&unit);
        span_copy(&unit, sizes);
        scale(&unit, 1, U_EXPONENT);
        mpq_set(unit.low, mpq_cmp(unit.low, least) > 0 ? unit.low : least);
        mpq_set(unit.high, mpq_cmp(unit.high, least) > 0 ? unit.high : least);
        mpq_div(finding->scaled.low, error->low, unit.high);
        mpq_div(finding->scaled.high, error->high, unit.low);
        span_clear(&unit);
    }
    mpq_clear(least);
}

/* x += sqrt(n) 2^-1074 */
static void add_least(struct span *x, size_t n)
{
    struct span least;
    span_init(&least);
    span_set_si(&least, (long)n);
    span_root(&least);
    scale(&least, 1, LEAST_EXPONENT);
    add(x, &least);
    span_clear(&least);
}

/* Half way from a double to the next one in some direction, as which a largest number's next counts
 * 2^1024. */
static void set_middle(mpq_t middle, double x, double towards)
{
    mpq_t next;
    mpq_init(next);
    mpq_set_d(middle, x);
    double neighbour = nextafter(x, towards);
    if (isinf(neighbour)) {
        mpq_set_si(next, neighbour > 0 ? 1 : -1, 1);
        rational_scale(next, 1024);
    } else {
        mpq_set_d(next, neighbour);
    }
    mpq_add(middle, middle, next);
    rational_scale(middle, -1);
    mpq_clear(next);
}

static enum second_verdict judge_rounded(const struct span *value, double result)
{
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    if (isinf(result)) {
        set_middle(low, result > 0 ? 0x1.fffffffffffffp1023 : -0x1.fffffffffffffp1023, result);
        bool reaches = result > 0 ? mpq_cmp(value->low, low) >= 0 : mpq_cmp(value->high, low) <= 0;
        bool beyond = result > 0 ? mpq_cmp(value->high, low) >= 0 : mpq_cmp(value->low, low) <= 0;
        mpq_clears(low, high, NULL);
        return reaches ? SECOND_WITHIN : beyond ? SECOND_OPEN : SECOND_MISMATCH;
    }
    set_middle(low, result, -INFINITY);
    set_middle(high, result, INFINITY);
    int exponent;
    bool even = fmod(ldexp(fabs(frexp(result, &exponent)), 53), 2) == 0;
    if (fabs(result) < 0x1p-1022) {
        even = fmod(fabs(result) * 0x1p1022 * 0x1p52, 2) == 0;
    }
    int least = mpq_cmp(value->low, low), most = mpq_cmp(value->high, high);
    bool inside = even ? least >= 0 && most <= 0 : least > 0 && most < 0;
    bool outside = mpq_cmp(value->high, low) < 0 || mpq_cmp(value->low, high) > 0 ||
                   (span_is_exact(value) && !inside);
    mpq_clears(low, high, NULL);
    return inside ? SECOND_WITHIN : outside ? SECOND_VIOLATION : SECOND_OPEN;
}

static void judge_number(const struct second *second, const struct second_bound *bound,
                         size_t number, double result, struct second_finding *finding)
{
    const struct span *value = &second->value[number];
    if (isnan(result) || (isinf(result) && bound->measure == SECOND_ULPS)) {
        finding->verdict = SECOND_MISMATCH;
        return;
    }
    if (isinf(result) && bound->measure == SECOND_SCALED) {
        finding->verdict = judge_infinity(second, bound, number, number, result);
        return;
    }
    if (isinf(result)) {
        finding->verdict = judge_rounded(value, result);
        return;
    }
    struct span error, magnitude, tolerance;
    span_init(&error);
    span_init(&magnitude);
    span_init(&tolerance);
    span_copy(&error, value);
    subtract(&error, result);
    absolute(&error);
    span_copy(&magnitude, value);
    absolute(&magnitude);
    if (bound->measure == SECOND_SCALED) {
        set_tolerance(&tolerance, second, bound, number);
        add_least(&tolerance, 1);
        finding->verdict = compare(&error, &tolerance);
        set_figures(finding, &error, &magnitude, &second->scale[number]);
    } else {
        set_figures(finding, &error, &magnitude, NULL);
        mpq_set_d(tolerance.low, bound->K);
        mpq_set(tolerance.high, tolerance.low);
        rational_scale(tolerance.low, ulp_exponent(magnitude.low));
        rational_scale(tolerance.high, ulp_exponent(magnitude.high));
        finding->verdict = bound->measure == SECOND_ULPS ? compare(&error, &tolerance)
                                                         : judge_rounded(value, result);
    }
    span_clear(&error);
    span_clear(&magnitude);
    span_clear(&tolerance);
}

/* Vectors */

static void add_square(struct span *sum, const struct span *x)
{
    struct span square;
    span_init(&square);
    span_copy(&square, x);
    absolute(&square);
    mpq_mul(square.low, square.low, square.low);
    mpq_mul(square.high, square.high, square.high);
    add(sum, &square);
    span_clear(&square);
}

static enum second_verdict judge_components(const struct second *second,
                                            const struct second_bound *bound, const double *result)
{
    enum second_verdict worst = SECOND_WITHIN;
    for (size_t k = 0; k < bound->outputs; k++) {
        enum second_verdict one = SECOND_WITHIN;
        if (isnan(result[k])) {
            one = SECOND_MISMATCH;
        } else if (isinf(result[k])) {
            one = judge_infinity(second, bound, k, 0, result[k]);
        }
        if (one == SECOND_MISMATCH) {
            return one;
        }
        worst = one == SECOND_OPEN ? one : worst;
    }
    return worst;
}

/* ||r| - |F|| <= length_K u |F| + sqrt(n) 2^-1074 */
static enum second_verdict judge_length(const struct second *second,
                                        const struct second_bound *bound, const double *result)
{
    struct span length, number, tolerance;
    span_init(&length);
    span_init(&number);
    span_init(&tolerance);
    for (size_t k = 0; k < bound->outputs; k++) {
        span_set_si(&number, 0);
        subtract(&number, result[k]);
        add_square(&length, &number);
    }
    span_root(&length);
    span_copy(&number, &second->magnitude);
    absolute(&number);
    span_copy(&tolerance, &number);
    scale(&tolerance, bound->length_K, U_EXPONENT);
    add_least(&tolerance, bound->outputs);
    negate(&number);
    add(&length, &number);
    absolute(&length);
    enum second_verdict verdict = compare(&length, &tolerance);
    span_clear(&length);
    span_clear(&number);
    span_clear(&tolerance);
    return verdict;
}

static enum second_verdict worse(enum second_verdict a, enum second_verdict b)
{
    static const int rank[] = {
        [SECOND_WITHIN] = 0, [SECOND_OPEN] = 1, [SECOND_VIOLATION] = 2, [SECOND_MISMATCH] = 3};
    return rank[a] > rank[b] ? a : b;
}

static void judge_vector(const struct second *second, const struct second_bound *bound,
                         const double *result, struct second_finding *finding)
{
    finding->verdict = judge_components(second, bound, result);
    if (finding->verdict != SECOND_WITHIN) {
        return;
    }
    struct span error, part, tolerance;
    bool finite = true;
    span_init(&error);
    span_init(&part);
    span_init(&tolerance);
    for (size_t k = 0; k < bound->outputs; k++) {
        if (isfinite(result[k])) {
            span_copy(&part, &second->value[k]);
            subtract(&part, result[k]);
            add_square(&error, &part);
        } else {
            finite = false;
        }
    }
    span_root(&error);
    set_tolerance(&tolerance, second, bound, 0);
    add_least(&tolerance, bound->outputs);
    finding->verdict = compare(&error, &tolerance);
    if (finite && bound->length_K != 0) {
        finding->verdict = worse(finding->verdict, judge_length(second, bound, result));
    } else {
        span_copy(&part, &second->magnitude);
        absolute(&part); /* a ball around 0 reaches below it */
        set_figures(finding, &error, &part, &second->scale[0]);
    }
    span_clear(&error);
    span_clear(&part);
    span_clear(&tolerance);
}

/* All outputs */

static bool same_lengths(const struct second *second, const struct second_bound *bound,
                         const struct values *results)
{
    for (size_t k = 0; k < bound->outputs; k++) {
        if (values_length(results, k) != second->length[k]) {
            return false;
        }
    }
    return true;
}

void second_judge(const struct second *second, const struct second_bound *bound,
                  const struct values *results, struct second_judgement *judgement)
{
    judgement->verdict = SECOND_WITHIN;
    judgement->count = 0;
    if (!same_lengths(second, bound, results)) {
        judgement->verdict = SECOND_MISMATCH;
        return;
    }
    bool vector = bound->measure == SECOND_VECTOR && second->kind == SECOND_REAL;
    for (size_t k = 0; k < bound->outputs; k++) {
        for (size_t i = 0; i < second->length[k] && !(vector && k > 0); i++) {
            size_t number = judgement->count++;
            double result = results->number[number];
            struct second_finding *finding = &judgement->finding[number];
            finding->measured = false;
            if (bound->whole[k]) {
                finding->verdict =
                    result == second->given[number] ? SECOND_WITHIN : SECOND_MISMATCH;
            } else if (second->kind == SECOND_GIVEN) {
                finding->verdict = judge_given(second->given[number], result);
            } else if (vector) {
                judge_vector(second, bound, results->number, finding);
            } else {
                judge_number(second, bound, number, result, finding);
            }
            judgement->verdict = worse(judgement->verdict, finding->verdict);
        }
    }
}

/* Roots */

/* K u S + sign p for numbers of one sign, as a polynomial in their size: S is the sum of the terms'
 * sizes. */
static void set_margin(struct cubic *margin, const double *coefficients, double K, int sign,
                       bool negative)
{
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        double c = coefficients[CUBIC_COEFFICIENTS - 1 - i];
        mpq_set_d(margin->c[i], K * 0x1p-53);
        mpq_set_d(term, fabs(c));
        mpq_mul(margin->c[i], margin->c[i], term);
        mpq_set_d(term, (negative && i % 2 == 1 ? -c : c) * sign);
        mpq_add(margin->c[i], margin->c[i], term);
    }
    mpq_clear(term);
}

/* Is |p| <= K u S on all of [low, high], in which no two numbers are of different signs? */
static enum second_verdict judge_side(const double *coefficients, double K, const mpq_t low,
                                      const mpq_t high)
{
    struct cubic margin;
    mpq_t least, most;
    cubic_init(&margin);
    mpq_inits(least, most, NULL);
    bool negative = mpq_sgn(low) < 0;
    mpq_abs(least, negative ? high : low);
    mpq_abs(most, negative ? low : high);
    enum second_verdict verdict = SECOND_WITHIN;
    for (int sign = -1; sign <= 1; sign += 2) {
        set_margin(&margin, coefficients, K, sign, negative);
        int found = cubic_least_sign(&margin, least, most);
        verdict = worse(verdict, found > 0    ? SECOND_WITHIN
                                 : found == 0 ? SECOND_OPEN
                                              : SECOND_VIOLATION);
    }
    mpq_clears(least, most, NULL);
    cubic_clear(&margin);
    return verdict;
}

/* The same of any two numbers, in either order */
static enum second_verdict judge_way(const double *coefficients, double K, const mpq_t from,
                                     const mpq_t to)
{
    bool rising = mpq_cmp(from, to) <= 0;
    const mpq_t *low = rising ? (const mpq_t *)from : (const mpq_t *)to;
    const mpq_t *high = rising ? (const mpq_t *)to : (const mpq_t *)from;
    if (mpq_sgn(*low) * mpq_sgn(*high) >= 0) {
        return judge_side(coefficients, K, *low, *high);
    }
    mpq_t zero;
    mpq_init(zero);
    enum second_verdict verdict =
        worse(judge_side(coefficients, K, *low, zero), judge_side(coefficients, K, zero, *high));
    mpq_clear(zero);
    return verdict;
}

/* From the root that was returned to the exact one, wherever that is in its span: a violation
 * counts on the way to the nearer end, and there is none if there is none on the way to both. */
static enum second_verdict judge_between(const double *coefficients, double K, double root,
                                         const struct span *exact)
{
    mpq_t from;
    mpq_init(from);
    mpq_set_d(from, root);
    enum second_verdict low = judge_way(coefficients, K, from, exact->low);
    enum second_verdict high = judge_way(coefficients, K, from, exact->high);
    bool before = mpq_cmp(from, exact->low) <= 0, behind = mpq_cmp(from, exact->high) >= 0;
    mpq_clear(from);
    if ((before && low == SECOND_VIOLATION) || (behind && high == SECOND_VIOLATION)) {
        return SECOND_VIOLATION;
    }
    return low == SECOND_WITHIN && high == SECOND_WITHIN ? SECOND_WITHIN : SECOND_OPEN;
}

/* |p(root)| / u S, as a number that is known */
static void set_residual(struct span *figure, const double *coefficients, double root)
{
    mpq_t x, sum, part, size;
    mpq_inits(x, sum, part, size, NULL);
    mpq_set_d(x, root);
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_set_d(part, coefficients[i]);
        mpq_mul(sum, sum, x);
        mpq_add(sum, sum, part);
    }
    mpq_abs(x, x);
    for (int i = 0; i < CUBIC_COEFFICIENTS; i++) {
        mpq_set_d(part, fabs(coefficients[i]));
        mpq_mul(size, size, x);
        mpq_add(size, size, part);
    }
    mpq_abs(sum, sum);
    if (mpq_sgn(sum) != 0) {
        mpq_div(sum, sum, size);
    }
    rational_scale(sum, -U_EXPONENT);
    mpq_set(figure->low, sum);
    mpq_set(figure->high, sum);
    mpq_clears(x, sum, part, size, NULL);
}

static void judge_finite_root(const double *coefficients, double K, double root,
                              const struct span *exact, struct second_finding *finding)
{
    struct span error, magnitude, least;
    span_init(&error);
    span_init(&magnitude);
    span_init(&least);
    span_copy(&error, exact);
    subtract(&error, root);
    absolute(&error);
    span_copy(&magnitude, exact);
    absolute(&magnitude);
    set_figures(finding, &error, &magnitude, NULL);
    add_least(&least, 1);
    finding->verdict = compare(&error, &least);
    if (finding->verdict == SECOND_WITHIN) {
        span_set_si(&finding->scaled, 0);
    } else {
        set_residual(&finding->scaled, coefficients, root);
        mpq_set_d(least.low, K);
        mpq_set(least.high, least.low);
        enum second_verdict verdict = compare(&finding->scaled, &least);
        if (verdict == SECOND_WITHIN) {
            verdict = judge_between(coefficients, K, root, exact);
        }
        bool far = finding->verdict == SECOND_VIOLATION;
        finding->verdict = far || verdict == SECOND_WITHIN ? verdict : SECOND_OPEN;
    }
    span_clear(&error);
    span_clear(&magnitude);
    span_clear(&least);
}

/* How many, how often, in which order, with which code: exactly as they are. */
static bool same_roots(const struct second *second, const struct values *results)
{
    size_t count = second->length[0];
    for (size_t k = 0; k < 3; k++) {
        if (values_length(results, k) != second->length[k]) {
            return false;
        }
    }
    for (size_t i = count; i < 2 * count + 1; i++) {
        if (!(results->number[i] == second->given[i])) {
            return false;
        }
    }
    for (size_t i = 1; i < count; i++) {
        if (results->number[i - 1] > results->number[i]) {
            return false;
        }
    }
    return true;
}

void second_judge_roots(const double *coefficients, double K, const struct second *second,
                        const struct values *results, struct second_judgement *judgement)
{
    judgement->verdict = same_roots(second, results) ? SECOND_WITHIN : SECOND_VIOLATION;
    judgement->count = judgement->verdict == SECOND_WITHIN ? second->length[0] : 0;
    for (size_t i = 0; i < judgement->count; i++) {
        struct second_finding *finding = &judgement->finding[i];
        const struct span *exact = &second->value[i];
        double root = results->number[i];
        bool zero = mpq_sgn(exact->low) == 0 && mpq_sgn(exact->high) == 0;
        finding->measured = false;
        if (isnan(root) || (zero && root == 0 && signbit(root))) {
            finding->verdict = SECOND_MISMATCH;
        } else if (isinf(root)) {
            finding->verdict = judge_rounded(exact, root);
        } else {
            judge_finite_root(coefficients, K, root, exact, finding);
        }
        judgement->verdict = worse(judgement->verdict, finding->verdict);
    }
}
