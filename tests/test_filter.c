/* The oracle's first stage: its arithmetic's bounds against MPFR, its estimates against the
 * ladder's answers, and its judgements against the ladder's judgements. */
#include "suite.h"
#include "enclosure.h"
#include "sample.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"
#include "../oracle/filter.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 20261130;

/* How many samples in all a function's domains share. */
static size_t sample_count = 20000;

/* Judgements */

enum { SPOILINGS = 8 };

/* Makes one of the results wrong, in one of several ways, or none of them. */
static void spoil(struct values *results, uint64_t index)
{
    size_t count = results->start[results->count];
    if (count == 0) {
        return;
    }
    double *number = &results->number[index / SPOILINGS % count];
    double step = ldexp(fabs(*number), -53);
    switch (index % SPOILINGS) {
    case 1:
        *number = nextafter(*number, INFINITY);
        break;
    case 2:
        *number += 3 * step;
        break;
    case 3:
        *number -= 25 * step;
        break;
    case 4: /* across any bound that there is */
        *number += step * ldexp(1 + (double)(index / 64 % 7) / 8, (int)(index / 512 % 9));
        break;
    case 5:
        *number *= 1 + 0x1p-20;
        break;
    case 6:
        *number = index / 64 % 3 == 0 ? NAN : index / 64 % 3 == 1 ? INFINITY : -*number;
        break;
    default: /* as it is */
        break;
    }
}

static bool same_judgement(const struct judgement *x, const struct judgement *y)
{
    return x->verdict == y->verdict && x->measured == y->measured && x->output == y->output &&
           (!x->measured ||
            (same_double(x->error_ulp, y->error_ulp) &&
             same_double(x->error_scaled, y->error_scaled) && same_double(x->bound, y->bound))) &&
           same_double(x->figure, y->figure);
}

static void check_judgements(const struct function *function, const struct domain *domain,
                             const struct judgement *with, const struct judgement *without,
                             const struct values *inputs)
{
    bool outcome = with->stage == STAGE_FILTER ? with->outcome == OUTCOME_ENCLOSED
                                               : with->outcome == without->outcome;
    if (same_judgement(with, without) && outcome && without->stage != STAGE_FILTER) {
        return;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    case_write(stream, function, inputs, true);
    fclose(stream);
    suite_check(false,
                "%s, %s, %s: %s %.17g %.17g of %.17g (%.17g), not %s %.17g %.17g of %.17g (%.17g)",
                function->name, domain->name, text, verdict_name(with->verdict), with->error_ulp,
                with->error_scaled, with->bound, with->figure, verdict_name(without->verdict),
                without->error_ulp, without->error_scaled, without->bound, without->figure);
    free(text);
}

/* All samples of one domain, judged twice. Returns how many the first stage settled. */
static size_t judge_twice(struct judge *judge, const struct function *function,
                          const struct domain *domain, size_t count)
{
    static struct values inputs, results;
    size_t settled = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct judgement with, without;
        draw_case(seed, function, domain, i, &inputs);
        implementation_call(implementation_builtin(), function, &inputs, &results);
        spoil(&results, i);
        judge_set_filter(judge, true);
        judge_case(judge, function, &inputs, &results, &with);
        settled += with.stage == STAGE_FILTER;
        if (with.stage == STAGE_FILTER) {
            judge_set_filter(judge, false);
            judge_case(judge, function, &inputs, &results, &without);
            check_judgements(function, domain, &with, &without, &inputs);
        }
    }
    return settled;
}

static void test_same_judgements(void)
{
    struct judge *judge = judge_create();
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        if (!catalog[f]->estimate) {
            continue;
        }
        size_t count = sample_count / domains->count + 1;
        size_t all = 0, typical = 0;
        for (size_t d = 0; d < domains->count; d++) {
            size_t settled = judge_twice(judge, catalog[f], &domains->list[d], count);
            if (getenv("FILTER_SHARES"))
                printf("%s %s %g\n", catalog[f]->name, domains->list[d].name,
                       (double)settled / (double)count);
            all += settled;
            typical += d == domains->typical ? settled : 0;
        }
        suite_check(2 * typical > count, "%s: only %zu of %zu typical cases are settled",
                    catalog[f]->name, typical, count);
        suite_check(all < count * domains->count, "%s: nothing is left open", catalog[f]->name);
    }
    judge_destroy(judge);
}

int main(int argc, char **argv)
{
    static const struct suite_test tests[] = {
        {"judgements are those of the ladder alone", test_same_judgements},
    };
    if (argc > 1) {
        sample_count = strtoull(argv[1], NULL, 10);
    }
    return suite_run("filter", tests, sizeof tests / sizeof *tests);
}
