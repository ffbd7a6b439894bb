/* The oracle's angle3 and rotate_toward3: their enclosures hold what chords, Gram and Schmidt's
 * subtraction and half-angle tangents say at 9000 bits; degenerate cases are as rationals decide.
 */
#include "enclosure.h"
#include "suite.h"
#include "turn.h"

#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <math.h>
#include <string.h>

static const mpfr_prec_t precisions[] = {64, 128, 256, 1024, 4096};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

/* The inputs' order: a b phi. */
enum { A = 0, B = 3, PHI = 6, DIMENSIONS = 3 };

static struct answer answer, finer;
static size_t reals, rules, zeros, kinds[4];

static const struct function *angle3(void)
{
    return catalog_find("angle3");
}

static const struct function *rotate_toward3(void)
{
    return catalog_find("rotate_toward3");
}

static bool all_finite(const struct function *function, const double *inputs)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (!isfinite(inputs[i])) {
            return false;
        }
    }
    return true;
}

static enum turn_kind kind_of(const double *inputs)
{
    return turn_kind_of(inputs + A, inputs + B, DIMENSIONS);
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static size_t run(const struct function *function, size_t per_domain,
                  void (*check)(const struct function *, const double *))
{
    answer_open(&answer);
    answer_open(&finer);
    reals = rules = zeros = 0;
    for (int i = 0; i < 4; i++) {
        kinds[i] = 0;
    }
    size_t calls = for_each_sample(function, per_domain, check);
    CU_ASSERT_EQUAL(calls, per_domain * domains_of(function)->count);
    answer_close(&finer);
    answer_close(&answer);
    return calls;
}

/* All kinds of pairs have had their share. */
static void check_kinds(size_t least)
{
    CU_ASSERT(kinds[TURN_SPANNED] >= least);
    CU_ASSERT(kinds[TURN_ZERO] >= least);
    CU_ASSERT(kinds[TURN_ALIKE] >= least);
    CU_ASSERT(kinds[TURN_OPPOSITE] >= least);
}

/* Is +0 given, bit for bit? */
static bool gives_zero(const struct function *function, const double *inputs)
{
    enum turn_kind kind = kind_of(inputs);
    return function == angle3() ? kind == TURN_ZERO || kind == TURN_ALIKE : is_zero(inputs + A);
}

static void check_rule(const struct function *function, const double *inputs)
{
    static const double nan3[DIMENSIONS] = {NAN, NAN, NAN}, zero[DIMENSIONS] = {0, 0, 0};
    bool finite = all_finite(function, inputs);
    const double *given = !finite ? nan3 : gives_zero(function, inputs) ? zero : NULL;
    answer_at(function, inputs, 128, &answer);
    suite_check(answer_is_given(function, &answer, given), "%s", describe_inputs(function, inputs));
    *(!given ? &reals : &rules) += 1;
    zeros += given == zero;
}

static void what_is_not_finite_gives_nan_and_zeros_are_given(void)
{
    const struct function *const functions[] = {angle3(), rotate_toward3()};
    for (int i = 0; i < 2; i++) {
        size_t calls = run(functions[i], 2000, check_rule);
        CU_ASSERT_EQUAL(reals + rules, calls);
        CU_ASSERT(reals > calls / 2);
        CU_ASSERT(rules - zeros > calls / 30);
        CU_ASSERT(zeros > calls / 100);
    }
}

/* angle3 */

/* An angle that is not 0 is known to all of the precision's digits of its own. */
static void check_angle(const struct function *function, const double *inputs)
{
    if (!all_finite(function, inputs)) {
        return;
    }
    enum turn_kind kind = kind_of(inputs);
    kinds[kind]++;
    if (gives_zero(function, inputs)) {
        return;
    }
    mpfr_t angle;
    mpfr_init2(angle, TURN_PRECISION);
    if (kind == TURN_OPPOSITE) {
        mpfr_const_pi(angle, MPFR_RNDN);
    } else {
        turn_angle(angle, inputs + A, inputs + B, DIMENSIONS);
    }
    for (int i = 0; i < PRECISIONS; i++) {
        answer_at(function, inputs, precisions[i], &answer);
        suite_check(interval_is_near(answer.value[0], angle, angle, TURN_BITS) &&
                        interval_is_narrow(answer.value[0], answer.value[0], precisions[i] - 8),
                    "at %ld bits: %s", (long)precisions[i], describe_inputs(function, inputs));
    }
    mpfr_clear(angle);
    reals++;
}

static void angles_are_those_of_chords(void)
{
    size_t calls = run(angle3(), 40, check_angle);
    CU_ASSERT(reals > calls * 4 / 5);
    check_kinds(calls / 40);
}

/* The angles of a with b and with -b make pi; order and exact factors change nothing. */
static void check_symmetry(const struct function *function, const double *inputs)
{
    if (!all_finite(function, inputs) || gives_zero(function, inputs)) {
        return;
    }
    double turned[6], swapped[6];
    for (int k = 0; k < DIMENSIONS; k++) {
        turned[A + k] = inputs[A + k];
        turned[B + k] = -inputs[B + k];
        swapped[A + k] = inputs[B + k];
        swapped[B + k] = inputs[A + k];
    }
    mpfi_t sum, pi;
    mpfi_init2(sum, 300);
    mpfi_init2(pi, 2000);
    answer_at(function, inputs, 256, &answer);
    answer_at(function, turned, 256, &finer);
    if (kind_of(inputs) == TURN_OPPOSITE) { /* then a and -b have the angle 0, which is given */
        mpfi_set(sum, answer.value[0]);
        CU_ASSERT(finer.kind == ANSWER_GIVEN);
    } else {
        mpfi_add(sum, answer.value[0], finer.value[0]);
    }
    mpfi_const_pi(pi);
    suite_check(mpfi_is_inside(pi, sum) > 0 && interval_is_narrow(sum, sum, 240), "b and -b: %s",
                describe_inputs(function, inputs));
    answer_at(function, swapped, 256, &finer);
    mpfi_intersect(sum, answer.value[0], finer.value[0]);
    suite_check(!mpfi_is_empty(sum), "swapped: %s", describe_inputs(function, inputs));
    mpfi_clear(pi);
    mpfi_clear(sum);
    reals++;
}

static void an_angle_and_its_supplement_make_pi(void)
{
    size_t calls = run(angle3(), 150, check_symmetry);
    CU_ASSERT(reals > calls * 3 / 4);
}

/* Angles that are known: with tangents 0, 1 and infinity, and on all sides of them. */
static void known_angles(void)
{
    static const struct {
        double inputs[6];
        unsigned long eighths; /* of 2 pi */
    } known[] = {
        {{1, 0, 0, 0, 5, 0}, 2},
        {{0x1p-1074, 0, 0, 0, 0x1p1023, 0}, 2},
        {{3, 4, 0, -4, 3, 0}, 2},
        {{1, 1, 1, 1, -1, 0}, 2},
        {{1, 0, 0, 1, 1, 0}, 1},
        {{0, 0, -7, 0, 0x1p-3, -0x1p-3}, 1},
        {{0x1p-1074, 0, 0, -0x1p1000, 0x1p1000, 0}, 3},
        {{1, 2, 2, -1, 5, 0}, 0}, /* cosine 9 / (3 sqrt 26): none of the above */
        {{5, 0, 0, -0x1p-1074, 0, 0}, 4},
        {{1, 2, 3, -3, -6, -9}, 4},
    };
    answer_open(&answer);
    mpfi_t wanted;
    mpfi_init2(wanted, 2000);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        answer_at(angle3(), known[i].inputs, 128, &answer);
        for (unsigned long eighths = 1; eighths <= 4; eighths++, compared++) {
            mpfi_const_pi(wanted);
            mpfi_mul_ui(wanted, wanted, eighths);
            mpfi_div_ui(wanted, wanted, 4);
            bool inside = mpfi_is_inside(wanted, answer.value[0]) > 0;
            suite_check(inside == (eighths == known[i].eighths), "%lu pi/4: %s", eighths,
                        describe_inputs(angle3(), known[i].inputs));
        }
    }
    CU_ASSERT_EQUAL(compared, 40);
    mpfi_clear(wanted);
    answer_close(&answer);
}

/* rotate_toward3 */

/* Makes scale |a| (1 + |phi|). */
static void set_scale(mpfr_t scale, mpfr_t length, const double *inputs)
{
    turn_length(length, inputs + A, DIMENSIONS);
    mpfr_set_d(scale, fabs(inputs[PHI]), MPFR_RNDN);
    mpfr_add_ui(scale, scale, 1, MPFR_RNDN);
    mpfr_mul(scale, scale, length, MPFR_RNDN);
}

static void check_turn(const struct function *function, const double *inputs)
{
    if (!all_finite(function, inputs)) {
        return;
    }
    kinds[kind_of(inputs)]++;
    if (is_zero(inputs + A)) {
        return;
    }
    mpfr_t value[DIMENSIONS], length, scale;
    mpfr_inits2(TURN_PRECISION, length, scale, (mpfr_ptr)0);
    for (int k = 0; k < DIMENSIONS; k++) {
        mpfr_init2(value[k], TURN_PRECISION);
    }
    turn_rotate(value, inputs + A, inputs + B, inputs[PHI], DIMENSIONS);
    set_scale(scale, length, inputs);
    for (int i = 0; i < PRECISIONS; i++) {
        const char *text = describe_inputs(function, inputs);
        long bits = (long)precisions[i];
        answer_at(function, inputs, bits, &answer);
        for (int k = 0; k < DIMENSIONS; k++) {
            suite_check(interval_is_near(answer.value[k], value[k], length, TURN_BITS) &&
                            interval_is_narrow(answer.value[k], answer.magnitude, bits - 10),
                        "component %d at %ld bits: %s", k, bits, text);
        }
        suite_check(interval_is_near(answer.magnitude, length, length, TURN_BITS) &&
                        interval_is_narrow(answer.magnitude, answer.magnitude, bits - 4),
                    "|F| at %ld bits: %s", bits, text);
        suite_check(interval_is_near(answer.scale[0], scale, scale, TURN_BITS) &&
                        interval_is_narrow(answer.scale[0], answer.scale[0], bits - 8),
                    "S at %ld bits: %s", bits, text);
    }
    for (int k = 0; k < DIMENSIONS; k++) {
        mpfr_clear(value[k]);
    }
    mpfr_clears(length, scale, (mpfr_ptr)0);
    reals++;
}

static void turned_vectors_are_those_of_gram_and_schmidt(void)
{
    size_t calls = run(rotate_toward3(), 40, check_turn);
    CU_ASSERT(reals > calls * 4 / 5);
    check_kinds(calls / 40);
}

/* No turn at all leaves a: points. */
static void check_no_turn(const struct function *function, const double *inputs)
{
    if (!all_finite(function, inputs) || is_zero(inputs + A)) {
        return;
    }
    double still[7];
    for (int i = 0; i < PHI; i++) {
        still[i] = inputs[i];
    }
    still[PHI] = signbit(inputs[PHI]) ? -0.0 : 0.0;
    answer_at(function, still, 128, &answer);
    for (int k = 0; k < DIMENSIONS; k++) {
        suite_check(interval_is_point(answer.value[k]) &&
                        mpfr_cmp_d(&answer.value[k]->left, inputs[A + k]) == 0,
                    "component %d: %s", k, describe_inputs(function, still));
    }
    reals++;
}

static void no_turn_leaves_the_vector(void)
{
    size_t calls = run(rotate_toward3(), 200, check_no_turn);
    CU_ASSERT(reals > calls * 4 / 5);
}

/* Turned by phi one way and a by phi the other way, the mean is cos(phi) a; by the sign of phi
 * towards b: (F(phi) - F(-phi)) . b > 0 for phi in (0, pi). */
static void check_towards(const struct function *function, const double *inputs)
{
    if (!all_finite(function, inputs) || kind_of(inputs) != TURN_SPANNED ||
        !(fabs(inputs[PHI]) > 0 && fabs(inputs[PHI]) < 3.14)) {
        return;
    }
    double forth[7], back[7];
    for (int i = 0; i < PHI; i++) {
        forth[i] = back[i] = inputs[i];
    }
    forth[PHI] = fabs(inputs[PHI]);
    back[PHI] = -forth[PHI];
    mpfi_t sum, part, cosine;
    mpfi_init2(sum, 4096);
    mpfi_init2(part, 4096);
    mpfi_init2(cosine, 4096);
    answer_at(function, forth, 4096, &answer);
    answer_at(function, back, 4096, &finer);
    mpfi_set_d(cosine, inputs[PHI]);
    mpfi_cos(cosine, cosine);
    mpfi_set_ui(sum, 0);
    for (int k = 0; k < DIMENSIONS; k++) {
        mpfi_sub(part, answer.value[k], finer.value[k]);
        mpfi_mul_d(part, part, inputs[B + k]);
        mpfi_add(sum, sum, part);
        mpfi_add(part, answer.value[k], finer.value[k]);
        mpfi_div_2ui(part, part, 1);
        mpfi_mul_d(finer.value[k], cosine, inputs[A + k]);
        mpfi_intersect(part, part, finer.value[k]);
        suite_check(!mpfi_is_empty(part), "mean, component %d: %s", k,
                    describe_inputs(function, inputs));
    }
    suite_check(mpfi_is_strictly_pos(sum) > 0, "%s", describe_inputs(function, inputs));
    mpfi_clear(cosine);
    mpfi_clear(part);
    mpfi_clear(sum);
    reals++;
}

static void a_positive_angle_turns_towards_the_second(void)
{
    size_t calls = run(rotate_toward3(), 60, check_towards);
    CU_ASSERT(reals > calls / 4);
}

/* With z = p + i q of integer length r and b along z^n, a turned by the angle between a and b lies
 * on b, and by half of it on z^(n/2): the two functions meet. In a plane askew in space. */
static void turning_by_the_angle_gets_there(void)
{
    static const struct {
        double a[3], middle[3], b[3];
    } turn[] = {
        {{1, 0, 0}, {4, 3, 0}, {7, 24, 0}},
        {{1, 0, 0}, {3, 4, 0}, {-7, 24, 0}},
        {{1, 4, -8}, {4 - 24, 16 + 12, -32 + 3}, {7 - 8 * 24, 28 + 4 * 24, -56 + 24}},
        {{0x1p-900, 0, 0}, {0, 0, 0x1p500}, {-0x1p1000, 0, 0x1p-1074}},
    };
    answer_open(&answer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        for (int half = 0; half < 2; half++, compared++) {
            const double *a = turn[i].a, *b = turn[i].b;
            const double *end = half ? turn[i].middle : b;
            double inputs[7] = {a[0], a[1], a[2], b[0], b[1], b[2], 0};
            answer_at(angle3(), inputs, 128, &answer);
            inputs[PHI] = mpfr_get_d(&answer.value[0]->left, MPFR_RNDN) / (half ? 2 : 1);
            answer_at(rotate_toward3(), inputs, 256, &answer);
            double result[DIMENSIONS], angle[6];
            for (int k = 0; k < DIMENSIONS; k++) {
                result[k] = mpfr_get_d(&answer.value[k]->left, MPFR_RNDN);
                angle[A + k] = result[k];
                angle[B + k] = end[k];
            }
            answer_at(angle3(), angle, 128, &answer);
            suite_check(answer.kind == ANSWER_GIVEN ||
                            mpfr_cmp_d(&answer.value[0]->right, 0x1p-50) < 0,
                        "%s", describe_inputs(rotate_toward3(), inputs));
        }
    }
    CU_ASSERT_EQUAL(compared, 8);
    answer_close(&answer);
}

/* By the axis rule, a turned by nearly a quarter is on p but for what the angle is off. */
static void the_axis_rule_names_the_plane(void)
{
    static const struct {
        double inputs[6];
        double across[3];
    } turn[] = {
        {{-1, 0, 0, 1, 0, 0}, {0, 1, 0}},
        {{1, 0, 0, 3, 0, 0}, {0, 1, 0}},
        {{1, 0, 0, 0, -0.0, 0}, {0, 1, 0}},
        {{0, -1, 0, 0, 0, 0}, {1, 0, 0}},
        {{0, 0, 7, 0, 0, -0x1p-3}, {7, 0, 0}},
        {{3, 4, 0, -3, -4, 0}, {0, 0, 5}},
        {{3, 0, -4, 6, 0, -8}, {0, 5, 0}},
        {{-0.0, 3, 4, 0, 0, 0}, {5, 0, 0}},
        {{2, 1, 2, -2, -1, -2},
         {-0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp+1,
          -0x1.6a09e667f3bcdp-1}}, /* |a| p = R (e_1 - ...) */
        {{1, -1, 1, 0, 0, 0},
         {0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp-1,
          -0x1.6a09e667f3bcdp-1}}, /* all alike: the first */
    };
    answer_open(&answer);
    size_t compared = 0;
    for (size_t i = 0; i < sizeof turn / sizeof *turn; i++) {
        double inputs[7];
        for (int k = 0; k < PHI; k++) {
            inputs[k] = turn[i].inputs[k];
        }
        for (int sign = -1; sign <= 1; sign += 2) {
            inputs[PHI] = sign * 0x1.921fb54442d18p+0;
            answer_at(rotate_toward3(), inputs, 128, &answer);
            for (int k = 0; k < DIMENSIONS; k++, compared++) {
                double got = mpfr_get_d(&answer.value[k]->left, MPFR_RNDN);
                suite_check(fabs(got - sign * turn[i].across[k]) < 1e-14, "component %d: %s", k,
                            describe_inputs(rotate_toward3(), inputs));
            }
        }
    }
    CU_ASSERT_EQUAL(compared, 60);
    answer_close(&answer);
}

/* The verdict on results that are just within their bounds and just beyond: no enclosure is too
 * wide to tell. */
struct result_case {
    double inputs[7];
    double result[DIMENSIONS];
    enum verdict verdict;
};

static void check_verdicts(const struct function *function, const struct result_case *cases,
                           size_t count)
{
    struct judge *judge = judge_create();
    struct values inputs = {0}, results = {0};
    for (size_t i = 0; i < count; i++) {
        const double *result = cases[i].result;
        struct judgement judgement;
        memcpy(values_numbers(&inputs, function->input_count), cases[i].inputs,
               function->input_count * sizeof(double));
        memcpy(values_numbers(&results, function->output_count), result,
               function->output_count * sizeof(double));
        judge_case(judge, function, &inputs, &results, &judgement);
        suite_check(judgement.verdict == cases[i].verdict, "%a %a %a is %s, not %s: %s", result[0],
                    result[1], result[2], verdict_name(judgement.verdict),
                    verdict_name(cases[i].verdict), describe_inputs(function, cases[i].inputs));
    }
    values_free(&results);
    values_free(&inputs);
    judge_destroy(judge);
}

/* Two ulps, but none where the angle is 0: pi is 0.28 of them above its double; 2^-500 and 2^-1021
 * are tangents here, whose angles lie below by a third of the cube, so that ulps are those of the
 * binade below. */
static void an_angle_may_be_two_ulps_off(void)
{
    const double ulp = 0x1p-51, least = 0x1p-1074, pi = 0x1.921fb54442d18p+1;
    const struct result_case cases[] = {
        {{1, 0, 0, -1, 0, 0}, {pi + 2 * ulp}, VERDICT_WITHIN},
        {{1, 0, 0, -1, 0, 0}, {pi + 3 * ulp}, VERDICT_VIOLATION},
        {{1, 0, 0, -1, 0, 0}, {pi - ulp}, VERDICT_WITHIN},
        {{1, 0, 0, -1, 0, 0}, {pi - 2 * ulp}, VERDICT_VIOLATION},
        {{0, 0, 0, 1, 0, 0}, {0}, VERDICT_WITHIN},
        {{0, 0, 0, 1, 0, 0}, {-0.0}, VERDICT_CLASS_MISMATCH},
        {{0, 0, 0, 1, 0, 0}, {least}, VERDICT_VIOLATION},
        {{1, 0, 0, -0.0, 0, 0}, {-least}, VERDICT_VIOLATION},
        {{0, 0, 0, 0, 0, 0}, {NAN}, VERDICT_CLASS_MISMATCH},
        {{1, 0, 0, 2, 0, 0}, {0}, VERDICT_WITHIN},
        {{1, 0, 0, 2, 0, 0}, {-0.0}, VERDICT_CLASS_MISMATCH},
        {{3, -6, 9, 1, -2, 3}, {least}, VERDICT_VIOLATION},
        {{3, -6, 9, 1, -2, 3}, {0}, VERDICT_WITHIN},
        {{1, 0, 0, 1, 0, 0}, {NAN}, VERDICT_CLASS_MISMATCH},
        {{1, 0, 0, 1, 0x1p-500, 0}, {0x1p-500}, VERDICT_WITHIN},
        {{1, 0, 0, 1, 0x1p-500, 0}, {0x1p-500 - 0x1p-552}, VERDICT_WITHIN},
        {{1, 0, 0, 1, 0x1p-500, 0}, {0x1p-500 + 0x1p-552}, VERDICT_VIOLATION},
        {{0x1p1020, 0, 0, 0x1p1020, 0.5, 0}, {0x1p-1021 - 2 * least}, VERDICT_WITHIN},
        {{0x1p1020, 0, 0, 0x1p1020, 0.5, 0}, {0x1p-1021 + 2 * least}, VERDICT_VIOLATION},
    };
    check_verdicts(angle3(), cases, sizeof cases / sizeof *cases);
}

/* 8 u S for the vector and 4 u for its length, and the least double in each component; but where
 * |a| is 0, nothing. At 2^1023 rad, S lets any direction pass. */
static void a_turn_may_be_8_u_off_and_its_length_4_u(void)
{
    const double u = 0x1p-53, least = 0x1p-1074;
    const struct result_case cases[] = {
        {{0, 0, 0, 1, 2, 3, 0.5}, {0, 0, 0}, VERDICT_WITHIN},
        {{-0.0, 0, 0, 1, 2, 3, 0.5}, {-0.0, 0, 0}, VERDICT_CLASS_MISMATCH},
        {{0, 0, 0, 1, 2, 3, 0.5}, {0, 0, least}, VERDICT_VIOLATION},
        {{0, -0.0, 0, 0, 0, 0, 0}, {0, 0, 0}, VERDICT_WITHIN},
        {{least, 0, 0, 0, least, 0, 0.5}, {least, least, least}, VERDICT_WITHIN},
        {{1, 0, 0, 0, 1, 0, 0}, {1 + 4 * u, 0, 0}, VERDICT_WITHIN},
        {{1, 0, 0, 0, 1, 0, 0}, {1 + 6 * u, 0, 0}, VERDICT_VIOLATION},
        {{1, 0, 0, 0, 1, 0, 0}, {1, 7.9 * u, 0}, VERDICT_WITHIN},
        {{1, 0, 0, 0, 1, 0, 0}, {1, -8.1 * u, 0}, VERDICT_VIOLATION},
        {{1, 0, 0, 0, 1, 0, 0x1p1023}, {0, 0, -1}, VERDICT_WITHIN},
        {{1, 0, 0, 0, 1, 0, 0x1p1023}, {0, 0, -1 - 6 * u}, VERDICT_VIOLATION},
        {{1, 0, 0, 0, 1, 0, 0x1p1023}, {0, NAN, -1}, VERDICT_CLASS_MISMATCH},
        {{1, 0, 0, 0, 1, 0, 0.5}, {1, INFINITY, 0}, VERDICT_CLASS_MISMATCH},
    };
    check_verdicts(rotate_toward3(), cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"what is not finite gives NaN, and zeros are given",
         what_is_not_finite_gives_nan_and_zeros_are_given},
        {"angles are those of chords", angles_are_those_of_chords},
        {"an angle and its supplement make pi", an_angle_and_its_supplement_make_pi},
        {"known angles", known_angles},
        {"turned vectors are those of Gram and Schmidt",
         turned_vectors_are_those_of_gram_and_schmidt},
        {"no turn leaves the vector", no_turn_leaves_the_vector},
        {"a positive angle turns towards the second", a_positive_angle_turns_towards_the_second},
        {"turning by the angle gets there", turning_by_the_angle_gets_there},
        {"the axis rule names the plane", the_axis_rule_names_the_plane},
        {"an angle may be two ulps off", an_angle_may_be_two_ulps_off},
        {"a turn may be 8 u off and its length 4 u", a_turn_may_be_8_u_off_and_its_length_4_u},
    };
    return suite_run("oracle_direction", tests, sizeof tests / sizeof *tests);
}
