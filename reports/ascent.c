#include "ascent.h"

#include "process.h"
#include "program.h"

#include "../corpus/checksum.h"
#include "../corpus/climb.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* The worker process, of one function. */

struct hands {
    const struct ascent_plan *plan;
    const struct function *function;
    struct ascent *ascent;
    struct judge *judge;
    struct values results;
};

/* Copies the case at hand to wherever the tally has just taken it. */
static void keep_records(struct ascent *ascent, uint64_t index)
{
    for (int i = 0; i < WORST_COUNT; i++) {
        const struct kept *kept = &ascent->tally.worst[i];
        if (kept->present && kept->index == index) {
            ascent->worst[i] = ascent->trial;
        }
    }
    for (int i = 0; i < FINDING_COUNT; i++) {
        const struct kept *kept = &ascent->tally.first[i];
        if (kept->present && kept->index == index) {
            ascent->first[i] = ascent->trial;
        }
    }
}

/* A climb_measure. */
static double try_case(void *context, const struct values *inputs)
{
    struct hands *hands = context;
    struct ascent *ascent = hands->ascent;
    struct tally_case place = {.index = ascent->done, .axis_bin = -1};
    if (!record_put(&ascent->trial, inputs)) {
        return -1;
    }
    ascent->calling = true;
    const char *finding =
        implementation_call(hands->plan->implementation, hands->function, inputs, &hands->results);
    ascent->calling = false;
    if (finding) {
        tally_finding(&ascent->tally, &place, FINDING_ENVIRONMENT, &hands->results, finding);
    }
    ascent->tally.results += checksum_of(place.index, &hands->results);
    struct judgement judgement;
    judge_case(hands->judge, hands->function, inputs, &hands->results, &judgement);
    tally_judgement(&ascent->tally, &place, &hands->results, &judgement);
    keep_records(ascent, place.index);
    ascent->done++;
    return climb_badness(hands->function, &hands->results, &judgement);
}

/* The rows that are nearest to their bound, the worst first. */
static size_t choose_starts(struct hands *hands, const struct values *rows, size_t count,
                            size_t starts[ASCENT_STARTS])
{
    double badness[ASCENT_STARTS];
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        double bad = try_case(hands, &rows[i]);
        size_t place = chosen;
        while (place > 0 && bad > badness[place - 1]) {
            place--;
        }
        if (!(bad >= 0) || place == ASCENT_STARTS) {
            continue;
        }
        chosen += chosen < ASCENT_STARTS;
        for (size_t k = chosen - 1; k > place; k--) {
            badness[k] = badness[k - 1];
            starts[k] = starts[k - 1];
        }
        badness[place] = bad;
        starts[place] = i;
    }
    return chosen;
}

/* A climb_measure that asks nobody. */
static double pretend(void *context, const struct values *inputs)
{
    struct ascent *ascent = context;
    uint64_t sum = checksum_of(0, inputs);
    ascent->tally.inputs += sum;
    return (double)(sum >> 11) * 0x1p-53;
}

/* The cases that are climbed through follow from the results. So that another corpus or another
 * climber does not pass for other results, the checksum of the inputs is that of the starts and of
 * a climb by a measure without meaning. */
static void identify(struct ascent *ascent, const struct function *function,
                     const struct values *rows, size_t count)
{
    enum { STEPS = 400 };
    struct climb climb;
    for (size_t i = 0; i < count; i++) {
        ascent->tally.inputs += checksum_of(i, &rows[i]);
    }
    climb_create(&climb, function, pretend, ascent);
    if (count > 0) {
        climb_start(&climb, 1, &rows[0]);
        while (climb.steps < STEPS) {
            climb_step(&climb);
        }
    }
    climb_free(&climb);
}

static void ascend(const struct ascent_plan *plan, struct ascent *ascent, size_t number)
{
    struct hands hands = {.plan = plan,
                          .function = plan->functions[number],
                          .ascent = ascent,
                          .judge = judge_create()};
    struct climb climb;
    size_t starts[ASCENT_STARTS];
    const struct values *rows = plan->rows[number];
    identify(ascent, hands.function, rows, plan->row_counts[number]);
    size_t count = choose_starts(&hands, rows, plan->row_counts[number], starts);
    climb_create(&climb, hands.function, try_case, &hands);
    for (size_t i = 0; i < count; i++) {
        climb_start(&climb, i + 1, &rows[starts[i]]);
        while (climb.steps < plan->steps) {
            climb_step(&climb);
        }
    }
}

/* The parent. */

struct climbers {
    const struct ascent_plan *plan;
    struct ascents *ascents;
};

static void work(void *context, size_t task)
{
    const struct climbers *climbers = context;
    ascend(climbers->plan, &climbers->ascents->list[task], task);
}

static bool calling(void *context, size_t task, uint64_t *calls)
{
    const struct ascent *ascent = &((const struct climbers *)context)->ascents->list[task];
    *calls = ascent->done;
    return ascent->calling;
}

static void ended(void *context, size_t task, int status, bool timed_out)
{
    const struct climbers *climbers = context;
    struct ascent *ascent = &climbers->ascents->list[task];
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !ascent->calling) {
        return;
    }
    char note[KEPT_NOTE];
    enum finding finding =
        process_finding(status, ascent->calling, timed_out, climbers->plan->time_limit, note);
    const struct tally_case place = {.index = ascent->done, .axis_bin = -1};
    tally_finding(&ascent->tally, &place, finding, NULL, note);
    keep_records(ascent, place.index);
}

bool ascents_run(const struct ascent_plan *plan, struct ascents *ascents)
{
    struct climbers climbers = {plan, ascents};
    ascents->count = plan->function_count;
    ascents->list = process_shared_memory(plan->function_count * sizeof *ascents->list);
    if (!ascents->list) {
        complain("not enough memory");
        return false;
    }
    const struct process_tasks tasks = {.count = plan->function_count,
                                        .jobs = plan->jobs,
                                        .time_limit = plan->time_limit,
                                        .work = work,
                                        .calling = calling,
                                        .ended = ended,
                                        .context = &climbers};
    return process_run_tasks(&tasks);
}

void ascents_free(struct ascents *ascents)
{
    if (ascents->list) {
        munmap(ascents->list, ascents->count * sizeof *ascents->list);
    }
    ascents->list = NULL;
}

const struct record *ascent_record(const struct ascent *ascent, const struct kept *kept)
{
    for (int i = 0; i < WORST_COUNT; i++) {
        if (kept == &ascent->tally.worst[i]) {
            return &ascent->worst[i];
        }
    }
    for (int i = 0; i < FINDING_COUNT; i++) {
        if (kept == &ascent->tally.first[i]) {
            return &ascent->first[i];
        }
    }
    return NULL;
}
