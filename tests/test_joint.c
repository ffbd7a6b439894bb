/* Whether the sign and the bound hold at one place: against a grid of places, and infinities that
 * curves with a wide window may return. */
#include "sample.h"
#include "suite.h"

#include "../oracle/interval.h"
#include "../oracle/joint.h"
#include "../oracle/judge.h"

#include <math.h>

enum { COEFFICIENTS = 4, STEPS = 128, DEPTH = 24, PRECISION = 128 };

/* Cubics in doubles; side 1 counts if `count` is 2. */
struct drawn {
    size_t count;
    double value[2][COEFFICIENTS], scale[2][COEFFICIENTS];
    double weight[2], kappa, limit;
    int sign;
};

static double cubic(const double c[COEFFICIENTS], double s)
{
    double r = 1 - s;
    return r * r * r * c[0] + 3 * r * s * (r * c[1] + s * c[2]) + s * s * s * c[3];
}

static void draw(struct sample *sample, struct drawn *drawn)
{
    drawn->count = 1 + sample_below(sample, 2);
    drawn->sign = sample_below(sample, 2) ? 1 : -1;
    drawn->kappa = sample_uniform(sample, 0, 2);
    drawn->weight[1] = drawn->count == 2 ? sample_uniform(sample, 0, 1) : 0;
    drawn->weight[0] = 1 - drawn->weight[1];
    drawn->limit = sample_uniform(sample, 0, 3);
    for (size_t side = 0; side < 2; side++) {
        double middle = sample_uniform(sample, -1, 0.5);
        for (int k = 0; k < COEFFICIENTS; k++) {
            drawn->value[side][k] = middle + sample_uniform(sample, -1, 1);
            drawn->scale[side][k] = fabs(drawn->value[side][k]) + sample_uniform(sample, 0, 1);
        }
    }
}

/* The lesser of sign F and what is beyond the limit. */
static double margin_at(const struct drawn *drawn, const double place[2])
{
    double first = 0, second = -drawn->limit;
    for (size_t side = 0; side < drawn->count; side++) {
        double value = drawn->sign * cubic(drawn->value[side], place[side]);
        double scale = cubic(drawn->scale[side], place[side]);
        scale += drawn->count == 2 ? fabs(value) : 0;
        first += drawn->weight[side] * value;
        second += drawn->weight[side] * (value + drawn->kappa * scale);
    }
    return fmin(first, second);
}

static double largest_margin(const struct drawn *drawn)
{
    double largest = -INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        for (int j = 0; j <= (drawn->count == 2 ? STEPS : 0); j++) {
            const double place[2] = {(double)i / STEPS, (double)j / STEPS};
            largest = fmax(largest, margin_at(drawn, place));
        }
    }
    return largest;
}

static enum verdict verdict_on(const struct drawn *drawn, int depth)
{
    mpfi_t *work = interval_take(4 * COEFFICIENTS + 3, PRECISION);
    struct joint joint = {.count = drawn->count,
                          .weight = {work[4 * COEFFICIENTS], work[4 * COEFFICIENTS + 1]},
                          .sign = drawn->sign,
                          .kappa = drawn->kappa,
                          .limit = work[4 * COEFFICIENTS + 2],
                          .precision = PRECISION};
    for (size_t side = 0; side < 2; side++) {
        joint.value[side] = work + 2 * side * COEFFICIENTS;
        joint.scale[side] = joint.value[side] + COEFFICIENTS;
        for (int k = 0; k < COEFFICIENTS; k++) {
            mpfi_set_d(joint.value[side][k], drawn->value[side][k]);
            mpfi_set_d(joint.scale[side][k], drawn->scale[side][k]);
        }
        mpfi_set_d(work[4 * COEFFICIENTS + side], drawn->weight[side]);
    }
    mpfi_set_d(work[4 * COEFFICIENTS + 2], drawn->limit);
    enum verdict verdict = joint_holds(&joint, depth);
    interval_return(4 * COEFFICIENTS + 3);
    return verdict;
}

/* Between points of the grid no margin is larger by more than what half a step each way is worth:
 * derivatives are below 3 times the largest difference of two coefficients, 2 for values and 3 for
 * scales, with |F| in a blend 5, and kappa up to 2. */
static void verdicts_agree_with_a_grid(void)
{
    const double between = 2 * (3 * 2 + 2 * 3 * 5) * 0.5 / STEPS, rounding = 1e-12;
    struct sample sample = {11};
    size_t within = 0, violations = 0, separate = 0;
    for (int i = 0; i < 1500; i++) {
        struct drawn drawn;
        draw(&sample, &drawn);
        double margin = largest_margin(&drawn);
        enum verdict verdict = verdict_on(&drawn, DEPTH);
        within += verdict == VERDICT_WITHIN;
        violations += verdict == VERDICT_VIOLATION;
        separate += verdict == VERDICT_VIOLATION && verdict_on(&drawn, 0) == VERDICT_UNDECIDED;
        bool agrees = verdict == VERDICT_WITHIN      ? margin > -between
                      : verdict == VERDICT_VIOLATION ? margin < rounding
                                                     : fabs(margin) < between;
        suite_check(agrees, "%d: %s, where the grid's largest margin is %g", i,
                    verdict_name(verdict), margin);
    }
    suite_check(within > 300 && violations > 300 && separate > 50, "%zu, %zu and %zu", within,
                violations, separate);
}

/* What holds at one corner only is seen without any halving. */
static void every_corner_is_looked_at(void)
{
    for (unsigned corner = 0; corner < 4; corner++) {
        struct drawn drawn = {
            .count = 2, .weight = {0.5, 0.5}, .kappa = 0, .limit = 0.75, .sign = 1};
        for (size_t side = 0; side < 2; side++) {
            for (int k = 0; k < COEFFICIENTS; k++) {
                int from_corner = corner >> side & 1 ? COEFFICIENTS - 1 - k : k;
                drawn.value[side][k] = 1 - (double)from_corner;
            }
        }
        CU_ASSERT_EQUAL(verdict_on(&drawn, 0), VERDICT_WITHIN);
        drawn.limit = 1.25;
        CU_ASSERT_EQUAL(verdict_on(&drawn, 0), VERDICT_VIOLATION);
    }
}

static void append(struct values *values, size_t count, const double *numbers)
{
    double *field = values_append(values, count);
    for (size_t i = 0; i < count; i++) {
        field[i] = numbers[i];
    }
}

enum { CLAMP = 0, PING_PONG = 2 };

/* Of three keys at 0, 2^70 and 2^130, so that a wrapped time's window, 2^77 each way, holds all of
 * the first segment. With tangents of 2^1010 it rises to 2^1077, then falls as low. */
static void append_wide(struct values *values)
{
    const double times[] = {0, 0x1p70, 0x1p130}, levels[] = {1, 1, 0};
    const double tangents[] = {0x1p1010, 0x1p1010, 0x1p1010}, wrap = PING_PONG;
    append(values, 3, times);
    append(values, 3, levels);
    append(values, 3, tangents);
    append(values, 3, tangents);
    append(values, 0, NULL);
    append(values, 0, NULL);
    append(values, 0, NULL);
    append(values, 1, &wrap);
    append(values, 1, &wrap);
}

static void append_flat(struct values *values)
{
    const double times[] = {0, 1}, levels[] = {3, 3}, tangents[] = {0, 0}, wrap = CLAMP;
    append(values, 2, times);
    append(values, 2, levels);
    append(values, 2, tangents);
    append(values, 2, tangents);
    append(values, 0, NULL);
    append(values, 0, NULL);
    append(values, 0, NULL);
    append(values, 1, &wrap);
    append(values, 1, &wrap);
}

static void check_infinities(struct judge *judge, const char *name, const struct values *inputs)
{
    static struct values results;
    const double ok = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        const struct function *function = catalog_find(name);
        const double infinity = sign * (double)INFINITY;
        struct judgement judgement;
        values_clear(&results);
        append(&results, 1, &infinity);
        append(&results, 1, &ok);
        append(&results, function->outputs[2].kind == FIELD_LIST ? 0 : 1, &ok);
        judge_case(judge, function, inputs, &results, &judgement);
        suite_check(judgement.verdict == VERDICT_WITHIN, "%s, %g: %s", name, infinity,
                    verdict_name(judgement.verdict));
    }
}

/* F has both signs in the window, and is beyond the range at places of either. */
static void windows_with_both_signs_are_decided(void)
{
    struct judge *judge = judge_create();
    struct values inputs = {0};
    const double t = -0x1p69, w = 0.5;
    append_wide(&inputs);
    append(&inputs, 1, &t);
    check_infinities(judge, "curve", &inputs);
    values_clear(&inputs);
    append_wide(&inputs);
    append_flat(&inputs);
    append(&inputs, 1, &t);
    append(&inputs, 1, &w);
    check_infinities(judge, "crossfade", &inputs);
    values_clear(&inputs);
    append_flat(&inputs);
    append_wide(&inputs);
    append(&inputs, 1, &t);
    append(&inputs, 1, &w);
    check_infinities(judge, "crossfade", &inputs);
    values_free(&inputs);
    judge_destroy(judge);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"verdicts agree with a grid", verdicts_agree_with_a_grid},
        {"every corner is looked at", every_corner_is_looked_at},
        {"windows with both signs are decided", windows_with_both_signs_are_decided},
    };
    return suite_run("joint", tests, sizeof tests / sizeof *tests);
}
