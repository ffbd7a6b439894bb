#include "search.h"

#include "process.h"

#include "../corpus/climb.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A round of climbing ends after so many steps in vain, or after its time. */
enum { SAMPLES = 32, PATIENCE = 2000, STEPS_UNTIMED = 16 };
static const double ROUND_SECONDS = 1;

/* The first round of every origin is a short one, so that soon all have had their turn. */
enum { FIRST_PATIENCE = 100 };
static const double FIRST_SECONDS = 0.05;

/* After so many deaths of workers an origin is left alone: an implementation that always crashes
 * must not take a process for every case. */
enum { DEATHS_MOST = 8 };

/* How long workers have to come to an end that is asked for, unless they are in a call. */
static const double PATIENCE_AT_END = 2;
static const double SAVE_EVERY = 60;

enum { NO_OWNER = 0 };

/* What is known of an origin, shared between parent and workers. Only its owner writes. */
struct cell {
    _Atomic unsigned owner;   /* 1 + job */
    _Atomic uint64_t version; /* worst[version % 2] is the worst case; 0: none yet */
    struct record worst[2];
    _Atomic bool found[FINDING_COUNT];
    struct record finding[FINDING_COUNT];
    _Atomic uint64_t cases;
    _Atomic uint64_t busy;   /* microseconds of work */
    _Atomic uint64_t rounds; /* begun */
    _Atomic uint64_t fresh;  /* of them, from new samples */
    _Atomic uint64_t tried;  /* known cases */
    _Atomic unsigned deaths;
};

/* What a worker is at, readable by the parent at any time. */
struct slot {
    _Atomic bool working; /* on `cell`; else between two rounds */
    _Atomic bool calling; /* inside the implementation */
    _Atomic size_t cell;
    _Atomic uint64_t done; /* cases */
    struct record trial;   /* the case at hand */
};

/* The parent's view of a worker. */
struct worker {
    pid_t process; /* 0: none */
    struct process_watch watch;
    bool timed_out;
};

struct board {
    _Atomic bool stop;
};

struct search {
    struct search_plan plan;
    struct board *board;
    struct cell *cells;
    struct slot *slots;
    struct worker *workers;
    double started, saved;
};

bool record_put(struct record *record, const struct values *inputs)
{
    size_t numbers = inputs->start[inputs->count];
    if (numbers > RECORD_NUMBERS) {
        return false;
    }
    record->count = inputs->count;
    memcpy(record->start, inputs->start, (inputs->count + 1) * sizeof record->start[0]);
    if (numbers > 0) {
        memcpy(record->number, inputs->number, numbers * sizeof record->number[0]);
    }
    return true;
}

void record_get(const struct record *record, struct values *inputs)
{
    values_clear(inputs);
    for (size_t i = 0; i < record->count; i++) {
        size_t length = record->start[i + 1] - record->start[i];
        double *number = values_append(inputs, length);
        if (length > 0) {
            memcpy(number, record->number + record->start[i], length * sizeof *number);
        }
    }
}

/* The part that is in use. */
static void copy_record(struct record *to, const struct record *from)
{
    size_t numbers = from->start[from->count];
    memcpy(to, from, offsetof(struct record, number) + numbers * sizeof from->number[0]);
}

/* Asking. */

/* The owner writes into the record that does not count and then makes it count, so a copy is whole
 * if the version is still the same after it. */
bool search_worst(const struct search *search, size_t origin, struct record *record)
{
    const struct cell *cell = &search->cells[origin];
    for (;;) {
        uint64_t version = cell->version;
        if (version == 0) {
            return false;
        }
        const struct record *worst = &cell->worst[version % 2];
        if (worst->count <= FIELDS_MAX && worst->start[worst->count] <= RECORD_NUMBERS) {
            copy_record(record, worst);
        }
        if (cell->version == version) {
            return true;
        }
    }
}

bool search_finding(const struct search *search, size_t origin, enum finding finding,
                    struct record *record)
{
    const struct cell *cell = &search->cells[origin];
    if (!cell->found[finding]) {
        return false;
    }
    copy_record(record, &cell->finding[finding]);
    return true;
}

uint64_t search_cases(const struct search *search, size_t origin)
{
    return search->cells[origin].cases;
}

bool search_known_tried(const struct search *search, size_t origin)
{
    return search->cells[origin].tried >= search->plan.origins[origin].known_count;
}

/* The worker process. */

struct hands {
    struct search *search;
    struct slot *slot;
    struct cell *cell;
    const struct function *function;
    struct judge *judge;
    struct values results;
    struct record *scratch;
    size_t known; /* which one is being tried; SIZE_MAX: none */
};

static void keep_finding(struct cell *cell, enum finding finding, const struct record *record,
                         const char *note)
{
    if (cell->found[finding]) {
        return;
    }
    struct record *kept = &cell->finding[finding];
    copy_record(kept, record);
    kept->badness = -1;
    snprintf(kept->note, sizeof kept->note, "%s", note);
    cell->found[finding] = true;
}

static void keep_worst(struct cell *cell, const struct record *record)
{
    uint64_t version = cell->version;
    if (version > 0 && !(record->badness > cell->worst[version % 2].badness)) {
        return;
    }
    copy_record(&cell->worst[(version + 1) % 2], record);
    cell->version = version + 1;
}

/* A verdict without figures that is none to be glad of. */
static void keep_verdict(struct cell *cell, const struct record *trial)
{
    switch (trial->judgement.verdict) {
    case VERDICT_VIOLATION: /* where the result must be exact */
        keep_finding(cell, FINDING_VIOLATION, trial, "");
        return;
    case VERDICT_CLASS_MISMATCH:
        keep_finding(cell, FINDING_MISMATCH, trial, "");
        return;
    case VERDICT_UNDECIDED:
        keep_finding(cell, FINDING_UNDECIDED, trial, "");
        return;
    default:
        return;
    }
}

/* A climb_measure: calls, judges, and keeps what is worth it. */
static double try_case(void *context, const struct values *inputs)
{
    struct hands *hands = context;
    struct slot *slot = hands->slot;
    struct record *trial = &slot->trial;
    if (!record_put(trial, inputs)) {
        return -1;
    }
    trial->known = hands->known;
    process_release_timers();
    slot->calling = true;
    const char *change = implementation_call(hands->search->plan.implementation, hands->function,
                                             inputs, &hands->results);
    slot->calling = false;
    judge_case(hands->judge, hands->function, inputs, &hands->results, &trial->judgement);
    trial->badness = climb_badness(hands->function, &hands->results, &trial->judgement);
    if (change) {
        keep_finding(hands->cell, FINDING_ENVIRONMENT, trial, change);
    }
    if (trial->badness >= 0 && trial->judgement.verdict != VERDICT_UNDECIDED) {
        keep_worst(hands->cell, trial);
    } else {
        keep_verdict(hands->cell, trial);
    }
    hands->cell->cases++;
    slot->done++;
    return trial->badness;
}

/* Is there anything left to be done, now or once its owner leaves it? */
static bool worth_work(const struct search *search, size_t i)
{
    bool anything = search->plan.origins[i].domain || search->plan.origins[i].known_count > 0;
    return anything && search->cells[i].deaths < DEATHS_MOST;
}

static bool open_to_work(const struct search *search, size_t i)
{
    return worth_work(search, i) && search->cells[i].owner == NO_OWNER;
}

static bool anything_left(const struct search *search)
{
    size_t i = 0;
    while (i < search->plan.origin_count && !worth_work(search, i)) {
        i++;
    }
    return i < search->plan.origin_count;
}

/* The function with the least work done so far, of those with an origin to work on: the first of
 * its origins, and how many there are. */
static size_t next_function(const struct search *search, size_t *first)
{
    const struct origin *origins = search->plan.origins;
    size_t count = 0;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0, end; i < search->plan.origin_count; i = end) {
        uint64_t busy = 0;
        bool open = false;
        for (end = i;
             end < search->plan.origin_count && origins[end].function == origins[i].function;
             end++) {
            busy += search->cells[end].busy;
            open = open || open_to_work(search, end);
        }
        if (open && busy < least) {
            least = busy;
            *first = i;
            count = end - i;
        }
    }
    return count;
}

/* The first origin whose known cases have not all been tried; else, every third time and until all
 * have had their turn, the one that was sampled least; else one of the worst: the k-th with a
 * chance of 2^-k. Returns the origin's index, or SIZE_MAX if none is free. */
static size_t next_origin(const struct search *search, struct stream *stream, bool *fresh)
{
    size_t first = 0, count = next_function(search, &first);
    size_t sampled_least = SIZE_MAX;
    bool any_new = false;
    for (size_t i = first; i < first + count; i++) {
        const struct cell *cell = &search->cells[i];
        if (!open_to_work(search, i)) {
            continue;
        }
        if (!search_known_tried(search, i)) {
            return i;
        }
        if (search->plan.origins[i].domain &&
            (sampled_least == SIZE_MAX || cell->fresh < search->cells[sampled_least].fresh)) {
            sampled_least = i;
            any_new = cell->fresh == 0;
        }
    }
    *fresh = sampled_least != SIZE_MAX && (any_new || draw_below(stream, 3) == 0);
    if (*fresh) {
        return sampled_least;
    }
    double below = INFINITY;
    size_t chosen = sampled_least;
    for (;;) {
        double worst = -1;
        for (size_t i = first; i < first + count; i++) {
            const struct cell *cell = &search->cells[i];
            uint64_t version = cell->version;
            double badness = version > 0 ? cell->worst[version % 2].badness : -1;
            if (open_to_work(search, i) && badness > worst && badness < below) {
                worst = badness;
                chosen = i;
            }
        }
        if (worst < 0 || draw_below(stream, 2)) {
            return chosen;
        }
        below = worst;
    }
}

/* Of this process: what a round costs does not depend on what else the machine does. */
static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Takes an origin for this worker. */
static bool take_origin(struct hands *hands, struct stream *stream, unsigned owner, size_t *origin,
                        bool *fresh)
{
    *origin = next_origin(hands->search, stream, fresh);
    unsigned nobody = NO_OWNER;
    if (*origin == SIZE_MAX ||
        !atomic_compare_exchange_strong(&hands->search->cells[*origin].owner, &nobody, owner)) {
        return false;
    }
    hands->cell = &hands->search->cells[*origin];
    hands->function = hands->search->plan.origins[*origin].function;
    hands->slot->cell = *origin;
    hands->slot->working = true;
    return true;
}

/* The known cases that were not tried yet. A case counts as tried before it is, so that none is
 * fatal twice. */
static void try_known(struct hands *hands, const struct origin *origin)
{
    while (hands->cell->tried < origin->known_count && !hands->search->board->stop) {
        hands->known = hands->cell->tried++;
        try_case(hands, &origin->known[hands->known].inputs);
    }
    hands->known = SIZE_MAX;
}

/* Starts from new samples, or from the worst case; from the latter where there is nothing else. */
static void work_round(struct hands *hands, const struct origin *origin, bool fresh, uint64_t round)
{
    struct search *search = hands->search;
    size_t number = (size_t)(hands->cell - search->cells);
    struct stream seeds = {.key = search->plan.seed, .counter = (uint64_t)number << 32 | round};
    uint64_t seed = draw_bits(&seeds);
    bool first = hands->cell->version == 0;
    uint64_t patience = first ? FIRST_PATIENCE : PATIENCE;
    double end = processor_time() + (first ? FIRST_SECONDS : ROUND_SECONDS);
    struct climb climb;
    climb_create(&climb, origin->function, try_case, hands);
    if (origin->domain && (fresh || !search_worst(search, number, hands->scratch))) {
        hands->cell->fresh++;
        climb_start_in(&climb, seed, origin->domain, 0, SAMPLES);
    } else if (search_worst(search, number, hands->scratch)) {
        struct values start = {0};
        record_get(hands->scratch, &start);
        climb_start(&climb, seed, &start);
        values_free(&start);
    }
    while (climb.best.count > 0 && climb.idle < patience && !search->board->stop &&
           (climb.steps % STEPS_UNTIMED != 0 || processor_time() < end)) {
        climb_step(&climb);
    }
    climb_free(&climb);
}

/* From an origin's last case to the next one's first, timers wait: what was taken or left by halves
 * would stay so, and the case at hand be another function's. */
static _Noreturn void work(struct search *search, size_t job)
{
    struct hands hands = {.search = search,
                          .slot = &search->slots[job],
                          .judge = judge_create(),
                          .scratch = malloc(sizeof *hands.scratch),
                          .known = SIZE_MAX};
    struct stream stream = {.key = search->plan.seed ^ (uint64_t)job << 56,
                            .counter = hands.slot->done};
    while (hands.scratch && !search->board->stop && anything_left(search)) {
        size_t origin;
        bool fresh = false;
        if (!take_origin(&hands, &stream, (unsigned)job + 1, &origin, &fresh)) {
            usleep(2000); /* all are taken */
            continue;
        }
        double start = processor_time();
        if (!search_known_tried(search, origin)) {
            try_known(&hands, &search->plan.origins[origin]);
        } else {
            uint64_t round = hands.cell->rounds++;
            work_round(&hands, &search->plan.origins[origin], fresh, round);
        }
        hands.cell->busy += 1 + (uint64_t)(1e6 * (processor_time() - start));
        process_hold_timers();
        hands.slot->working = false;
        hands.cell->owner = NO_OWNER;
    }
    _exit(hands.scratch ? 0 : 1);
}

/* The parent. */

static bool start_worker(struct search *search, size_t job)
{
    pid_t process = process_fork();
    if (process < 0) {
        return false;
    }
    if (process == 0) {
        process_divert_output();
        work(search, job);
    }
    search->workers[job] = (struct worker){.process = process};
    return true;
}

/* Books the case at which a worker died and frees its origin for others. */
static void bury(struct search *search, size_t job, int status)
{
    struct slot *slot = &search->slots[job];
    struct cell *cell = &search->cells[slot->cell];
    const struct worker *worker = &search->workers[job];
    char note[KEPT_NOTE];
    enum finding finding =
        process_finding(status, slot->calling, worker->timed_out, search->plan.time_limit, note);
    keep_finding(cell, finding, &slot->trial, note);
    cell->cases++;
    cell->deaths++;
    if (cell->deaths >= DEATHS_MOST) {
        cell->tried = search->plan.origins[slot->cell].known_count;
    }
    slot->done++;
    slot->calling = false;
    slot->working = false;
    cell->owner = NO_OWNER;
}

static size_t find_worker(const struct search *search, pid_t process)
{
    size_t job = 0;
    while (job < search->plan.jobs && search->workers[job].process != process) {
        job++;
    }
    return job;
}

/* Collects workers that ended and, unless the end has come, replaces those that died. */
static bool tend_workers(struct search *search, size_t *left)
{
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        size_t job = find_worker(search, process);
        if (job == search->plan.jobs) {
            continue; /* a child of somebody else's, perhaps of the implementation */
        }
        search->workers[job].process = 0;
        bool died = search->slots[job].working;
        if (died) {
            bury(search, job, status);
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "truelerp: a worker process died between two cases\n");
            return false;
        }
        if (!died || search->board->stop) {
            --*left;
        } else if (!start_worker(search, job)) {
            return false;
        }
    }
    return true;
}

static void stop_hung_calls(struct search *search)
{
    for (size_t job = 0; job < search->plan.jobs; job++) {
        struct worker *worker = &search->workers[job];
        const struct slot *slot = &search->slots[job];
        if (worker->process > 0 && process_call_hangs(&worker->watch, slot->calling, slot->done,
                                                      search->plan.time_limit)) {
            worker->timed_out = true;
            kill(worker->process, SIGKILL);
        }
    }
}

static void stop_workers(struct search *search)
{
    for (size_t job = 0; job < search->plan.jobs; job++) {
        if (search->workers[job].process > 0) {
            kill(search->workers[job].process, SIGKILL);
            waitpid(search->workers[job].process, NULL, 0);
        }
    }
}

static bool any_call(const struct search *search)
{
    for (size_t job = 0; job < search->plan.jobs; job++) {
        if (search->workers[job].process > 0 && search->slots[job].calling) {
            return true;
        }
    }
    return false;
}

static void show_progress(const struct search *search)
{
    uint64_t cases = 0;
    double worst = -1;
    const char *where = "";
    for (size_t i = 0; i < search->plan.origin_count; i++) {
        const struct cell *cell = &search->cells[i];
        uint64_t version = cell->version;
        double badness = version > 0 ? cell->worst[version % 2].badness : -1;
        cases += cell->cases;
        if (badness > worst) {
            worst = badness;
            where = search->plan.origins[i].function->name;
        }
    }
    double passed = process_time() - search->started;
    double left = fmax(search->plan.seconds - passed, 0);
    fprintf(stderr, "\r%2.0f:%02.0f left  %" PRIu64 " cases, %.0f/s", floor(left / 60),
            floor(fmod(left, 60)), cases, (double)cases / fmax(passed, 0.1));
    if (worst >= 0) {
        fprintf(stderr, ", worst: %s, %.3g %% of its bound", where, 100 * worst);
    }
    fputs("\033[K", stderr);
}

/* What is to be done between two looks at the workers. */
static void attend(struct search *search)
{
    double time = process_time();
    stop_hung_calls(search);
    if (search->plan.show_progress) {
        show_progress(search);
    }
    if (search->plan.save && time - search->saved > SAVE_EVERY) {
        search->plan.save(search->plan.context);
        search->saved = time;
    }
}

static enum search_status watch(struct search *search)
{
    sigset_t signals;
    process_signals(&signals);
    const struct timespec tick = {.tv_nsec = 100000000};
    double end = search->started + search->plan.seconds;
    size_t left = search->plan.jobs;
    enum search_status status = SEARCH_DONE;
    for (;;) {
        if (!tend_workers(search, &left)) {
            return SEARCH_FAILED;
        }
        bool late = process_time() > end + PATIENCE_AT_END;
        if (left == 0 || (late && (status == SEARCH_INTERRUPTED || !any_call(search)))) {
            return status;
        }
        int signal = sigtimedwait(&signals, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            raise(signal);
            sigdelset(&signals, signal); /* pending for the caller */
            status = SEARCH_INTERRUPTED;
            end = fmin(end, process_time());
        }
        search->board->stop = search->board->stop || process_time() >= end;
        if (signal != SIGCHLD) {
            attend(search);
        }
    }
}

enum search_status search_run(struct search *search)
{
    fflush(NULL);
    search->started = search->saved = process_time();
    enum search_status status = SEARCH_DONE;
    for (size_t job = 0; job < search->plan.jobs && status == SEARCH_DONE; job++) {
        status = start_worker(search, job) ? SEARCH_DONE : SEARCH_FAILED;
    }
    if (status == SEARCH_DONE) {
        status = watch(search);
    }
    stop_workers(search);
    if (search->plan.show_progress) {
        fprintf(stderr, "\r\033[K");
    }
    return status;
}

struct search *search_create(const struct search_plan *plan)
{
    struct search *search = calloc(1, sizeof *search);
    if (search) {
        search->plan = *plan;
        search->board = process_shared_memory(sizeof *search->board);
        search->cells = process_shared_memory(plan->origin_count * sizeof *search->cells);
        search->slots = process_shared_memory(plan->jobs * sizeof *search->slots);
        search->workers = calloc(plan->jobs, sizeof *search->workers);
    }
    if (!search || !search->board || !search->cells || !search->slots || !search->workers) {
        fprintf(stderr, "truelerp: not enough memory for %u jobs\n", plan->jobs);
        search_free(search);
        return NULL;
    }
    return search;
}

void search_free(struct search *search)
{
    if (!search) {
        return;
    }
    if (search->board) {
        munmap(search->board, sizeof *search->board);
    }
    if (search->cells) {
        munmap(search->cells, search->plan.origin_count * sizeof *search->cells);
    }
    if (search->slots) {
        munmap(search->slots, search->plan.jobs * sizeof *search->slots);
    }
    free(search->workers);
    free(search);
}
