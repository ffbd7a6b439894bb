#include "ascent.h"

#include "checksum.h"
#include "process.h"
#include "program.h"

#include "../corpus/climb.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static _Noreturn void ascend(const struct ascent_plan *plan, struct ascent *ascent, size_t number)
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
    _exit(0);
}

/* The parent. */

struct worker {
    pid_t process; /* 0: none */
    size_t number; /* of its function */
    struct process_watch watch;
    bool timed_out;
};

struct climbers {
    const struct ascent_plan *plan;
    struct ascents *ascents;
    struct worker *workers;
};

static bool start_worker(struct climbers *climbers, struct worker *worker, size_t number)
{
    pid_t process = process_fork();
    if (process < 0) {
        return false;
    }
    if (process == 0) {
        ascend(climbers->plan, &climbers->ascents->list[number], number);
    }
    *worker = (struct worker){.process = process, .number = number};
    return true;
}

static void bury(const struct climbers *climbers, const struct worker *worker, int status)
{
    struct ascent *ascent = &climbers->ascents->list[worker->number];
    enum finding finding = FINDING_FAULT;
    if (ascent->calling) {
        finding = worker->timed_out ? FINDING_TIMEOUT : FINDING_CRASH;
    }
    char note[KEPT_NOTE];
    process_describe_end(status, worker->timed_out ? climbers->plan->time_limit : 0, note);
    const struct tally_case place = {.index = ascent->done, .axis_bin = -1};
    tally_finding(&ascent->tally, &place, finding, NULL, note);
    keep_records(ascent, place.index);
}

static void watch_call(const struct climbers *climbers, struct worker *worker)
{
    const struct ascent *ascent = &climbers->ascents->list[worker->number];
    if (process_call_hangs(&worker->watch, ascent->calling, ascent->done,
                           climbers->plan->time_limit)) {
        worker->timed_out = true;
        kill(worker->process, SIGKILL);
    }
}

/* Collects those that ended. Returns how many are left. */
static size_t tend(struct climbers *climbers)
{
    size_t left = 0;
    for (unsigned job = 0; job < climbers->plan->jobs; job++) {
        struct worker *worker = &climbers->workers[job];
        int status;
        if (worker->process == 0) {
            continue;
        }
        if (waitpid(worker->process, &status, WNOHANG) != worker->process) {
            watch_call(climbers, worker);
            left++;
            continue;
        }
        worker->process = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
            climbers->ascents->list[worker->number].calling) {
            bury(climbers, worker, status);
        }
    }
    return left;
}

static struct worker *idle(const struct climbers *climbers)
{
    for (unsigned job = 0; job < climbers->plan->jobs; job++) {
        if (climbers->workers[job].process == 0) {
            return &climbers->workers[job];
        }
    }
    return NULL;
}

static bool run_all(struct climbers *climbers)
{
    sigset_t signals;
    process_signals(&signals);
    const struct timespec tick = {.tv_nsec = 100000000};
    size_t next = 0, left = 0;
    do {
        struct worker *worker;
        while (next < climbers->plan->function_count && (worker = idle(climbers))) {
            if (!start_worker(climbers, worker, next++)) {
                return false;
            }
        }
        int signal = sigtimedwait(&signals, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            raise(signal);
            return true;
        }
        left = tend(climbers);
    } while (left > 0 || next < climbers->plan->function_count);
    return true;
}

bool ascents_run(const struct ascent_plan *plan, struct ascents *ascents)
{
    struct climbers climbers = {plan, ascents, calloc(plan->jobs, sizeof(struct worker))};
    ascents->count = plan->function_count;
    ascents->list = process_shared_memory(plan->function_count * sizeof *ascents->list);
    if (!climbers.workers || !ascents->list) {
        complain("not enough memory");
        free(climbers.workers);
        return false;
    }
    fflush(NULL);
    bool good = run_all(&climbers);
    for (unsigned job = 0; job < plan->jobs; job++) {
        if (climbers.workers[job].process > 0) {
            kill(climbers.workers[job].process, SIGKILL);
            waitpid(climbers.workers[job].process, NULL, 0);
        }
    }
    free(climbers.workers);
    return good;
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
