/* The climber: what it makes of a case is fit to be asked, the same every time, never less bad, and
 * far worse than what sampling finds in as many tries. */
#include "sample.h"
#include "suite.h"

#include "../corpus/climb.h"
#include "../oracle/implementation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool same_values(const struct values *a, const struct values *b)
{
    return a->count == b->count &&
           memcmp(a->start, b->start, (a->count + 1) * sizeof a->start[0]) == 0 &&
           memcmp(a->number, b->number, a->start[a->count] * sizeof a->number[0]) == 0;
}

/* What mutation must be able to do to a case, and how often it did. */
struct kinds {
    size_t kept, lengthened, shortened, emptied, filled, chosen, number;
};

static void count_kinds(const struct function *function, const struct values *before,
                        const struct values *after, struct kinds *kinds)
{
    kinds->kept += same_values(before, after);
    for (size_t i = 0; i < function->input_count; i++) {
        size_t had = values_length(before, i), has = values_length(after, i);
        kinds->lengthened += has > had && had > 0;
        kinds->shortened += has < had && has > 0;
        kinds->emptied += has == 0 && had > 0;
        kinds->filled += has > 0 && had == 0;
        if (has == had && has > 0 &&
            memcmp(values_field(before, i), values_field(after, i), has * sizeof(double)) != 0) {
            *(function->inputs[i].choices ? &kinds->chosen : &kinds->number) += 1;
        }
    }
}

static bool has_kind(const struct function *function, bool lists, bool choices, bool optional)
{
    bool found = false;
    for (size_t i = 0; i < function->input_count; i++) {
        const struct field *field = &function->inputs[i];
        found |= lists && field->kind == FIELD_LIST;
        found |= choices && field->choices;
        found |=
            optional && (field->kind == FIELD_OPTIONAL || field->length == LENGTH_EQUAL_OR_EMPTY);
    }
    return found;
}

static void mutate_from(struct mutator *mutator, const struct domain *domain, uint64_t number,
                        struct kinds *kinds)
{
    enum { CHAIN = 40 };
    const struct function *function = mutator->function;
    struct values inputs = {0}, before = {0};
    struct stream stream = {.key = number};
    draw_case(1, function, domain, number, &inputs);
    for (int i = 0; i < CHAIN; i++) {
        size_t field = 0;
        values_copy(&before, &inputs);
        climb_mutate(mutator, &stream, &inputs);
        CU_ASSERT_EQUAL(inputs.count, function->input_count);
        const char *fault = function_fault(function, &inputs, &field);
        suite_check(fault == NULL, "%s, %s %d: field %zu: %s", function->name, domain->name, i,
                    field, fault ? fault : "");
        for (size_t k = 0; k < function->input_count; k++) {
            size_t length = values_length(&inputs, k);
            bool right = function->inputs[k].kind == FIELD_LIST || length == 1 ||
                         (function->inputs[k].kind == FIELD_OPTIONAL && length == 0);
            suite_check(right, "%s: %s has %zu numbers", function->name, function->inputs[k].name,
                        length);
        }
        count_kinds(function, &before, &inputs, kinds);
    }
    values_free(&before);
    values_free(&inputs);
}

static void changed_cases_are_fit_to_be_asked(void)
{
    for (size_t i = 0; i < catalog_count; i++) {
        const struct function *function = catalog[i];
        const struct domains *domains = domains_of(function);
        struct mutator mutator;
        struct kinds kinds = {0};
        size_t mutations = 0;
        mutator_create(&mutator, function);
        for (size_t d = 0; d < domains->count; d++) {
            for (uint64_t number = 0; number < 10; number++, mutations += 40) {
                mutate_from(&mutator, &domains->list[d], number, &kinds);
            }
        }
        mutator_free(&mutator);
        bool lists = has_kind(function, true, false, false);
        bool choices = has_kind(function, false, true, false);
        bool optional = has_kind(function, false, false, true);
        suite_check(kinds.kept < mutations / 2, "%s: %zu of %zu were left as they are",
                    function->name, kinds.kept, mutations);
        suite_check(kinds.number > mutations / 4, "%s: %zu numbers changed", function->name,
                    kinds.number);
        suite_check((kinds.lengthened > 0) == lists && (kinds.shortened > 0) == lists,
                    "%s: lists %zu times longer, %zu times shorter", function->name,
                    kinds.lengthened, kinds.shortened);
        suite_check((kinds.chosen > 0) == choices, "%s: %zu choices", function->name, kinds.chosen);
        suite_check(!optional || (kinds.emptied > 0 && kinds.filled > 0),
                    "%s: emptied %zu times, filled %zu times", function->name, kinds.emptied,
                    kinds.filled);
    }
    CU_ASSERT(catalog_count >= 17);
}

/* Keys whose values tell their times, but for the numbers that were themselves changed. */
static void items_stay_with_what_is_theirs(void)
{
    const struct function *function = catalog_find("track");
    struct mutator mutator;
    struct values inputs = {0};
    size_t pairs = 0, apart = 0, fallen = 0;
    mutator_create(&mutator, function);
    for (uint64_t key = 0; key < 3000; key++) {
        struct stream stream = {.key = key};
        values_clear(&inputs);
        *values_append(&inputs, 1) = 2;
        double *times = values_append(&inputs, 6);
        for (int i = 0; i < 6; i++) {
            times[i] = i + 1;
        }
        double *values = values_append(&inputs, 6);
        for (int i = 0; i < 6; i++) {
            values[i] = i + 101;
        }
        *values_append(&inputs, 1) = 2.5;
        climb_mutate(&mutator, &stream, &inputs);
        size_t count = values_length(&inputs, 1);
        if (count == 6 || values_length(&inputs, 2) != count) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            double time = values_field(&inputs, 1)[i], value = values_field(&inputs, 2)[i];
            bool ours =
                time == floor(time) && time >= 1 && time <= 6 && value >= 101 && value <= 106;
            pairs += ours;
            apart += ours && value != time + 100;
            fallen += ours && i > 0 && values_field(&inputs, 1)[i - 1] > time;
        }
    }
    suite_check(pairs > 300 && apart < pairs / 8, "%zu of %zu pairs parted", apart, pairs);
    suite_check(fallen < pairs / 8, "%zu of %zu out of order", fallen, pairs);
    values_free(&inputs);
    mutator_free(&mutator);
}

/* Sixteen channels are as many as there may be. */
static void there_are_never_too_many_channels(void)
{
    const struct function *newton = catalog_find("newton");
    struct mutator mutator;
    struct values inputs = {0};
    size_t fewer = 0;
    mutator_create(&mutator, newton);
    for (uint64_t key = 0; key < 4000; key++) {
        struct stream stream = {.key = key};
        size_t field;
        values_clear(&inputs);
        double *times = values_append(&inputs, 2);
        times[0] = 0;
        times[1] = 1;
        memset(values_append(&inputs, 2 * (size_t)CHANNELS_MAX), 0,
               2 * CHANNELS_MAX * sizeof(double));
        *values_append(&inputs, 1) = 0.5;
        climb_mutate(&mutator, &stream, &inputs);
        const char *fault = function_fault(newton, &inputs, &field);
        suite_check(fault == NULL, "seed %d: %s", (int)key, fault ? fault : "");
        fewer += values_length(&inputs, 0) == 2 && values_length(&inputs, 1) < 2 * CHANNELS_MAX;
    }
    suite_check(fewer > 20, "%zu times fewer channels", fewer);
    values_free(&inputs);
    mutator_free(&mutator);
}

/* Bits to which the second input is pi times the first: 0 to 60. */
static double bits_of_pi(void *context, const struct values *inputs)
{
    ++*(size_t *)context;
    double ratio = inputs->number[1] / inputs->number[0];
    double error = fabs(ratio / 0x1.921fb54442d18p+1 - 1);
    return !isfinite(error) || error > 1 ? NAN : fmin(-log2(error), 60);
}

static void a_needle_in_a_haystack_is_found(void)
{
    enum { TRIES = 20000 };
    const struct function *lerp = catalog_find("lerp");
    const struct domain *typical = &domains_of(lerp)->list[domains_of(lerp)->typical];
    struct values inputs = {0};
    size_t measured = 0;
    double by_sampling = 0;
    for (uint64_t i = 0; i < TRIES; i++) {
        draw_case(1, lerp, typical, i, &inputs);
        by_sampling = fmax(by_sampling, bits_of_pi(&measured, &inputs));
    }
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct climb climb;
        climb_create(&climb, lerp, bits_of_pi, &measured);
        measured = 0;
        climb_start_in(&climb, seed, typical, 0, 32);
        CU_ASSERT_EQUAL(measured, 32);
        while (measured < TRIES) {
            climb_step(&climb);
        }
        CU_ASSERT_EQUAL(climb.steps, TRIES - 32);
        suite_check(climb.badness >= 50, "seed %d: %g bits", (int)seed, climb.badness);
        climb_free(&climb);
    }
    suite_check(by_sampling < 25, "sampling finds %g bits", by_sampling);
    values_free(&inputs);
}

/* The library's own error. */
struct question {
    const struct function *function;
    struct judge *judge;
    struct values results;
    size_t measured;
};

static double badness(void *context, const struct values *inputs)
{
    struct question *question = context;
    struct judgement judgement;
    question->measured++;
    implementation_call(implementation_builtin(), question->function, inputs, &question->results);
    judge_case(question->judge, question->function, inputs, &question->results, &judgement);
    return climb_badness(question->function, &question->results, &judgement);
}

static double sampled(struct question *question, size_t tries)
{
    const struct domains *domains = domains_of(question->function);
    struct values inputs = {0};
    double worst = -1;
    for (size_t i = 0; i < tries; i++) {
        draw_case(1, question->function, &domains->list[i % domains->count], i / domains->count,
                  &inputs);
        worst = fmax(worst, badness(question, &inputs));
    }
    values_free(&inputs);
    return worst;
}

static void errors_are_found_that_sampling_does_not_find(void)
{
    enum { TRIES = 40000 };
    static const char *const names[] = {"hermite", "slerp3", "track"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct question question = {.function = catalog_find(names[i]), .judge = judge_create()};
        const struct domains *domains = domains_of(question.function);
        double by_sampling = sampled(&question, TRIES);
        struct climb climb;
        double worst = -1;
        climb_create(&climb, question.function, badness, &question);
        question.measured = 0;
        for (size_t round = 0; question.measured < TRIES; round++) {
            climb_start_in(&climb, round, &domains->list[round % domains->count], 0, 32);
            while (climb.idle < 1000 && question.measured < TRIES) {
                climb_step(&climb);
            }
            worst = fmax(worst, climb.badness);
        }
        climb_free(&climb);
        suite_check(worst > 1.1 * by_sampling && worst <= 1, "%s: %g, and %g by sampling", names[i],
                    worst, by_sampling);
        values_free(&question.results);
        judge_destroy(question.judge);
    }
}

static void the_same_seed_and_start_climb_the_same_way(void)
{
    struct question question = {.function = catalog_find("curve"), .judge = judge_create()};
    const struct domains *domains = domains_of(question.function);
    struct values start = {0};
    struct climb climbs[3];
    draw_case(3, question.function, &domains->list[domains->typical], 5, &start);
    for (size_t i = 0; i < 3; i++) {
        climb_create(&climbs[i], question.function, badness, &question);
        if (i == 1) { /* what it did before plays no part */
            climb_start_in(&climbs[i], 8, &domains->list[0], 3, 4);
            climb_run(&climbs[i], 100);
        }
        climb_start(&climbs[i], i < 2 ? 7 : 8, &start);
        climb_run(&climbs[i], 300);
        CU_ASSERT(climbs[i].idle == 300 && climbs[i].steps > 300);
    }
    CU_ASSERT(same_values(&climbs[0].best, &climbs[1].best));
    CU_ASSERT_EQUAL(climbs[0].badness, climbs[1].badness);
    CU_ASSERT_EQUAL(climbs[0].steps, climbs[1].steps);
    CU_ASSERT(!same_values(&climbs[0].best, &climbs[2].best));
    for (size_t i = 0; i < 3; i++) {
        climb_free(&climbs[i]);
    }
    values_free(&start);
    values_free(&question.results);
    judge_destroy(question.judge);
}

/* Nor are the cases moved to other memory, where they have a fixed number of numbers. */
static void the_worst_case_never_becomes_less_bad(void)
{
    struct question question = {.function = catalog_find("hermite"), .judge = judge_create()};
    const struct domains *domains = domains_of(question.function);
    struct climb climb;
    struct values before = {0};
    size_t gains = 0;
    climb_create(&climb, question.function, badness, &question);
    climb_start_in(&climb, 1, &domains->list[domains->typical], 0, 4);
    climb_step(&climb);
    const double *best = climb.best.number, *trial = climb.trial.number;
    for (int i = 0; i < 4000; i++) {
        double former = climb.badness;
        values_copy(&before, &climb.best);
        bool gained = climb_step(&climb);
        gains += gained;
        CU_ASSERT(gained ? climb.badness > former : climb.badness == former);
        CU_ASSERT(gained || same_values(&before, &climb.best));
    }
    suite_check(gains > 8, "%zu gains", gains);
    CU_ASSERT_EQUAL(badness(&question, &climb.best), climb.badness);
    CU_ASSERT_PTR_EQUAL(climb.best.number, best);
    CU_ASSERT_PTR_EQUAL(climb.trial.number, trial);
    climb_free(&climb);
    values_free(&before);
    values_free(&question.results);
    judge_destroy(question.judge);
}

static double nothing(void *context, const struct values *inputs)
{
    (void)context;
    return inputs->number[0] < 0 ? -5 : (double)NAN;
}

static void what_is_not_measured_is_no_gain(void)
{
    const struct function *lerp = catalog_find("lerp");
    struct climb climb;
    climb_create(&climb, lerp, nothing, NULL);
    climb_start_in(&climb, 1, &domains_of(lerp)->list[0], 0, 10);
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT(!climb_step(&climb));
    }
    CU_ASSERT(climb.badness < 0);
    climb_free(&climb);
}

static void badness_is_the_share_of_the_bound_without_unavoidable_rounding(void)
{
    static const struct {
        double result, error_ulp, error_scaled, bound;
        bool measured;
        double wanted;
    } rows[] = {
        {1, 1.5, 3, 12, true, 0.25},
        {1, 0.25, 0.5, 12, true, 0.5 / 12},
        {1, 9, 24, 12, true, 2},
        {1, 0, 0, 12, false, -1},
        {1, 1, 1, 0, true, -1},
        {0x1p-1074, 0.5, 0.5, 1, true, 0},
        {0x1p-1074, 0.25, 0.25, 1, true, 0},
        {0x1p-1074, 1, 1, 1.25, true, 0.4},
        {0x1p-1074, 2, 2, 1, true, 2},
        {2 * DBL_MIN, 0.5, 0.5, 1, true, 0.5},
    };
    const struct function *lerp = catalog_find("lerp");
    struct values results = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *values_numbers(&results, 1) = rows[i].result;
        struct judgement judgement = {.measured = rows[i].measured,
                                      .error_ulp = rows[i].error_ulp,
                                      .error_scaled = rows[i].error_scaled,
                                      .bound = rows[i].bound};
        double got = climb_badness(lerp, &results, &judgement);
        suite_check(got == rows[i].wanted, "row %zu: %g", i, got);
    }
    values_free(&results);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"changed cases are fit to be asked", changed_cases_are_fit_to_be_asked},
        {"items stay with what is theirs", items_stay_with_what_is_theirs},
        {"there are never too many channels", there_are_never_too_many_channels},
        {"a needle in a haystack is found", a_needle_in_a_haystack_is_found},
        {"errors are found that sampling does not find",
         errors_are_found_that_sampling_does_not_find},
        {"the same seed and start climb the same way", the_same_seed_and_start_climb_the_same_way},
        {"the worst case never becomes less bad", the_worst_case_never_becomes_less_bad},
        {"what is not measured is no gain", what_is_not_measured_is_no_gain},
        {"badness is the share of the bound without unavoidable rounding",
         badness_is_the_share_of_the_bound_without_unavoidable_rounding},
    };
    return suite_run("climb", tests, sizeof tests / sizeof *tests);
}
