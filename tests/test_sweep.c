/* The library against the oracle: samples of every domain of every function, once for each
 * instruction set. The reports sweep wider; this is what must hold before any of them is worth
 * reading. */
#include "suite.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"
#include "../impl/truelerp.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <stdlib.h>
#include <string.h>

static const char *const instruction_sets[] = {"baseline", "fma"};
enum { SETS = sizeof instruction_sets / sizeof *instruction_sets, PER_DOMAIN = 250 };

static size_t verdicts[VERDICT_COUNT];
static size_t measured;

/* "ax,ay,az,...: x,y,z", to be freed. */
static char *describe(const struct function *function, const struct values *inputs,
                      const struct values *results)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    case_write(stream, function, inputs, true);
    fputs(" -> ", stream);
    for (size_t i = 0; i < function->output_count; i++) {
        fputs(i ? "," : "", stream);
        case_write_output(stream, function, results, i, true);
    }
    fclose(stream);
    return text;
}

static void check_case(struct judge *judge, const struct function *function,
                       const struct domain *domain, const struct values *inputs)
{
    static struct values results;
    struct judgement judgement;
    const char *finding = implementation_call(implementation_builtin(), function, inputs, &results);
    judge_case(judge, function, inputs, &results, &judgement);
    verdicts[judgement.verdict]++;
    measured += judgement.measured;
    bool fits = judgement.verdict == VERDICT_WITHIN || judgement.verdict == VERDICT_UNDEFINED;
    if (finding || !fits) {
        char *text = describe(function, inputs, &results);
        suite_check(false, "%s, %s, %s: %s is %s: %g of %g u S %s", function->name, domain->name,
                    tl_instruction_set(), text, verdict_name(judgement.verdict),
                    judgement.error_scaled, judgement.bound, finding ? finding : "");
        free(text);
    }
}

static void sweep(const struct function *function, uint64_t seed)
{
    const struct domains *domains = domains_of(function);
    struct judge *judge = judge_create();
    struct values inputs = {0};
    memset(verdicts, 0, sizeof verdicts);
    measured = 0;
    for (size_t d = 0; d < domains->count; d++) {
        for (uint64_t i = 0; i < PER_DOMAIN; i++) {
            draw_case(seed, function, &domains->list[d], i, &inputs);
            check_case(judge, function, &domains->list[d], &inputs);
        }
    }
    size_t cases = domains->count * PER_DOMAIN;
    CU_ASSERT_EQUAL(verdicts[VERDICT_WITHIN] + verdicts[VERDICT_UNDEFINED], cases);
    suite_check(verdicts[VERDICT_UNDEFINED] <= cases / 50, "%s: %zu of %zu cases are undefined",
                function->name, verdicts[VERDICT_UNDEFINED], cases);
    CU_ASSERT_EQUAL(verdicts[VERDICT_UNDECIDED], 0);
    suite_check(domains->count >= 5 && measured > domains->count * PER_DOMAIN / 2,
                "%s: %zu domains, %zu cases measured", function->name, domains->count, measured);
    values_free(&inputs);
    judge_destroy(judge);
}

static void every_domain_of_every_function_is_within(void)
{
    const char *chosen = tl_instruction_set();
    size_t functions = 0, sets = 0;
    for (size_t set = 0; set < SETS; set++) {
        if (tl_use_instruction_set(instruction_sets[set]) == 0) {
            sets++;
            for (size_t i = 0; i < catalog_count; i++, functions++) {
                sweep(catalog[i], set + 1);
            }
        }
    }
    CU_ASSERT(sets >= 1);
    CU_ASSERT(catalog_count >= 6);
    CU_ASSERT_EQUAL(functions, sets * catalog_count);
    CU_ASSERT_EQUAL(tl_use_instruction_set(chosen), 0);
}

/* A sample is a function of its number alone, and seeds, domains and numbers all matter. */
static void samples_can_be_drawn_in_any_order(void)
{
    struct values forwards = {0}, again = {0};
    size_t compared = 0, differing = 0;
    for (size_t i = 0; i < catalog_count; i++) {
        const struct domain *domain = &domains_of(catalog[i])->list[0];
        for (uint64_t number = 0; number < 50; number++, compared++) {
            draw_case(7, catalog[i], domain, number, &forwards);
            draw_case(7, catalog[i], domain, number + 1, &again);
            differing += memcmp(forwards.number, again.number,
                                forwards.start[forwards.count] * sizeof(double)) != 0;
            draw_case(7, catalog[i], domain, number, &again);
            CU_ASSERT(memcmp(forwards.number, again.number,
                             forwards.start[forwards.count] * sizeof(double)) == 0);
        }
    }
    CU_ASSERT_EQUAL(compared, 50 * catalog_count);
    CU_ASSERT(differing > compared * 9 / 10);
    values_free(&again);
    values_free(&forwards);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"every domain of every function is within", every_domain_of_every_function_is_within},
        {"samples can be drawn in any order", samples_can_be_drawn_in_any_order},
    };
    return suite_run("sweep", tests, sizeof tests / sizeof *tests);
}
