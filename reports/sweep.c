#include "sweep.h"

#include "process.h"
#include "program.h"

#include "../corpus/checksum.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* After so many crashes the rest of a chunk is skipped: an implementation that always crashes must
 * not take a process for every case. By chunk, so that the split over the jobs plays no part. */
enum { CHUNK_CASES = 256, CHUNK_CRASHES = 4 };

static const uint64_t NO_CHUNK = UINT64_MAX;

/* What a worker is at, readable by the parent at any time and inherited by its successor. */
struct slot {
    _Atomic uint64_t chunk; /* NO_CHUNK between two */
    _Atomic uint64_t index; /* of the case, in its part */
    _Atomic uint64_t done;  /* cases, over all chunks */
    _Atomic bool calling;   /* inside the implementation */
    unsigned crashes;       /* in this chunk */
};

/* Shared between parent and workers. */
struct board {
    _Atomic uint64_t next; /* chunk to hand out, in order of visit */
    struct slot slots[];
};

/* A case whose call did not return. */
struct hang {
    size_t part;
    uint64_t index;
};

/* The parent's view of a worker. */
struct worker {
    pid_t process; /* 0: none */
    struct process_watch watch;
    bool timed_out;
};

/* The chunks and the order in which they are visited. */
struct plan {
    uint64_t *chunk_start; /* number of each part's first chunk, and of all at the end */
    uint64_t chunk_count;
    uint64_t stride;
};

/* Visits begin .. end - 1. */
struct visits {
    uint64_t begin, end;
};

struct run {
    const struct sweep *sweep;
    struct plan plan;
    struct visits visits; /* the share's */
    uint64_t case_count;  /* the share's */
    struct board *board;
    struct tally *tallies;   /* part_count of each job */
    _Atomic uint64_t *hangs; /* of each function, shared; only the parent writes */
    size_t function_count;
    size_t board_size, tallies_size, hangs_size;
    struct worker *workers;
    struct hang *hung; /* the cases */
    size_t hung_count;
    double started;
};

struct chunk {
    size_t part;
    uint64_t begin, end; /* cases */
};

void sweep_case(const struct sweep *sweep, size_t part, uint64_t index, struct values *inputs)
{
    const struct sweep_part *source = &sweep->parts[part];
    if (source->domain) {
        draw_case(sweep->seed, source->function, source->domain, index, inputs);
    } else {
        values_copy(inputs, &source->rows[index]);
    }
}

__extension__ typedef unsigned __int128 wide;

/* Chunks. Visited in steps of about 0.618 of their number, all functions are in progress at any
 * time, so that the time left can be told from the rate so far. */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool plan_chunks(const struct sweep *sweep, struct plan *plan)
{
    *plan = (struct plan){.chunk_start = calloc(sweep->part_count + 1, sizeof *plan->chunk_start)};
    if (!plan->chunk_start) {
        return false;
    }
    for (size_t i = 0; i < sweep->part_count; i++) {
        plan->chunk_start[i] = plan->chunk_count;
        plan->chunk_count += (sweep->parts[i].cases + CHUNK_CASES - 1) / CHUNK_CASES;
    }
    plan->chunk_start[sweep->part_count] = plan->chunk_count;
    plan->stride = (uint64_t)(0.6180339887498949 * (double)plan->chunk_count) | 1;
    while (greatest_common_divisor(plan->stride, plan->chunk_count) > 1) {
        plan->stride++;
    }
    return true;
}

static uint64_t visited_chunk(const struct plan *plan, uint64_t visit)
{
    return (uint64_t)((wide)visit * plan->stride % plan->chunk_count);
}

/* Shares. One is a run of visits: any run of them is spread evenly over all functions, so that all
 * shares take about the same time. (Every count-th visit would not do: for some counts, such as
 * Fibonacci's numbers, successive ones are neighbours.) */

/* The share's first visit; that of number + 1 is its end. */
static uint64_t share_begin(const struct plan *plan, struct sweep_share share)
{
    if (share.count == 0) {
        return share.number == 0 ? 0 : plan->chunk_count;
    }
    return (uint64_t)((wide)plan->chunk_count * (share.number - 1) / share.count);
}

/* The sum of floor((a i + b) / m) over i = 0 .. n - 1 modulo 2^128, in as many steps as Euclid's
 * algorithm takes: the lattice points under a line, counted by its slope's continued fraction. */
static wide sum_of_floors(wide n, wide m, wide a, wide b)
{
    wide sum = 0;
    while (n > 0) {
        sum += n * (n - 1) / 2 * (a / m) + n * (b / m);
        wide top = a % m * n + b % m;
        n = top / m;
        a %= m;
        b = top % m;
        wide swapped = m;
        m = a;
        a = swapped;
    }
    return sum;
}

/* How many of the first `visits` go to a chunk below `limit`, which is at most chunk_count: there,
 * and only there, the two quotients differ. */
static uint64_t visits_below(const struct plan *plan, uint64_t visits, uint64_t limit)
{
    wide m = plan->chunk_count;
    return (uint64_t)(sum_of_floors(visits, m, plan->stride, m) -
                      sum_of_floors(visits, m, plan->stride, m - limit));
}

static struct visits visits_of(const struct plan *plan, struct sweep_share share)
{
    return (struct visits){
        share_begin(plan, share),
        share_begin(plan, (struct sweep_share){share.number + 1, share.count}),
    };
}

static uint64_t visits_to_chunks(const struct plan *plan, struct visits visits, uint64_t first,
                                 uint64_t end)
{
    return visits_below(plan, visits.end, end) - visits_below(plan, visits.end, first) -
           visits_below(plan, visits.begin, end) + visits_below(plan, visits.begin, first);
}

static uint64_t cases_in_visits(const struct sweep *sweep, const struct plan *plan,
                                struct visits visits, size_t part)
{
    uint64_t first = plan->chunk_start[part], end = plan->chunk_start[part + 1];
    if (first == end) {
        return 0;
    }
    uint64_t lacking = (end - first) * CHUNK_CASES - sweep->parts[part].cases; /* in the last */
    return CHUNK_CASES * visits_to_chunks(plan, visits, first, end) -
           lacking * visits_to_chunks(plan, visits, end - 1, end);
}

void sweep_share_cases(const struct sweep *sweep, uint64_t count, uint64_t first, uint64_t last,
                       uint64_t *cases)
{
    struct plan plan;
    if (!plan_chunks(sweep, &plan)) {
        fputs("truelerp: not enough memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    struct visits visits = {share_begin(&plan, (struct sweep_share){first, count}),
                            share_begin(&plan, (struct sweep_share){last + 1, count})};
    for (size_t i = 0; i < sweep->part_count; i++) {
        cases[i] += cases_in_visits(sweep, &plan, visits, i);
    }
    free(plan.chunk_start);
}

static struct chunk find_chunk(const struct run *run, uint64_t number)
{
    size_t part = 0;
    while (run->plan.chunk_start[part + 1] <= number) {
        part++;
    }
    uint64_t begin = (number - run->plan.chunk_start[part]) * CHUNK_CASES;
    uint64_t end = begin + CHUNK_CASES;
    uint64_t cases = run->sweep->parts[part].cases;
    return (struct chunk){part, begin, end < cases ? end : cases};
}

/* The worker process. */

struct hands {
    struct judge *judge;
    struct values inputs, results;
};

static int axis_bin(const struct function *function, const struct values *inputs)
{
    const struct axis *axis = &domains_of(function)->axis;
    return axis->parameter ? tally_axis_bin(axis->parameter(inputs), axis->low, axis->high) : -1;
}

static void work_case(const struct run *run, struct slot *slot, size_t part, struct tally *tally,
                      struct hands *hands)
{
    const struct sweep *sweep = run->sweep;
    const struct function *function = sweep->parts[part].function;
    struct tally_case place = {.part = (uint32_t)part, .index = slot->index};
    sweep_case(sweep, part, place.index, &hands->inputs);
    place.axis_bin = axis_bin(function, &hands->inputs);
    tally->inputs += checksum_of(place.index, &hands->inputs);
    slot->calling = true;
    const char *finding =
        implementation_call(sweep->implementation, function, &hands->inputs, &hands->results);
    slot->calling = false;
    if (finding) {
        tally_finding(tally, &place, FINDING_ENVIRONMENT, &hands->results, finding);
    }
    tally->results += checksum_of(place.index, &hands->results);
    struct judgement judgement;
    judge_case(hands->judge, function, &hands->inputs, &hands->results, &judgement);
    tally_judgement(tally, &place, &hands->results, &judgement);
}

static bool hangs_too_often(const struct run *run, size_t part)
{
    return run->hangs[run->sweep->parts[part].function_number] >= SWEEP_HANGS;
}

/* The rest of a chunk, uncalled. */
static void skip_chunk(struct slot *slot, const struct chunk *chunk, struct tally *tally)
{
    tally->skipped += chunk->end - slot->index;
    slot->done += chunk->end - slot->index;
    slot->index = chunk->end;
}

static bool next_chunk(const struct run *run, struct slot *slot)
{
    uint64_t visit = atomic_fetch_add(&run->board->next, 1);
    if (visit >= run->visits.end) {
        return false;
    }
    uint64_t number = visited_chunk(&run->plan, visit);
    slot->index = find_chunk(run, number).begin;
    slot->crashes = 0;
    slot->chunk = number;
    process_release_timers();
    return true;
}

/* From a chunk's last case to the next one's first, timers wait: nobody could tell at which case
 * they ended the worker, and a chunk just handed out would be lost with it. */
static _Noreturn void work(const struct run *run, size_t job)
{
    struct slot *slot = &run->board->slots[job];
    struct tally *tallies = run->tallies + job * run->sweep->part_count;
    struct hands hands = {.judge = judge_create()};
    while (slot->chunk != NO_CHUNK || next_chunk(run, slot)) {
        struct chunk chunk = find_chunk(run, slot->chunk);
        while (slot->index < chunk.end && !hangs_too_often(run, chunk.part)) {
            work_case(run, slot, chunk.part, &tallies[chunk.part], &hands);
            if (slot->index + 1 == chunk.end) {
                process_hold_timers();
            }
            slot->index++;
            slot->done++;
        }
        process_hold_timers();
        skip_chunk(slot, &chunk, &tallies[chunk.part]);
        slot->chunk = NO_CHUNK;
    }
    _exit(0);
}

/* The worker keeps the signals of process_signals blocked: an interrupt from the terminal goes to
 * all processes, and it is the parent that ends the others. */
static bool start_worker(const struct run *run, size_t job)
{
    pid_t process = process_fork();
    if (process < 0) {
        return false;
    }
    if (process == 0) {
        process_divert_output();
        work(run, job);
    }
    run->workers[job] = (struct worker){.process = process};
    return true;
}

/* The parent. */

static void book_hang(struct run *run, size_t part, uint64_t index)
{
    run->hangs[run->sweep->parts[part].function_number]++;
    run->hung = program_grown(run->hung, run->hung_count, sizeof *run->hung);
    run->hung[run->hung_count++] = (struct hang){part, index};
}

/* Books the case at which a worker died, and moves its slot on behind it. */
static void bury(struct run *run, size_t job, int status)
{
    struct slot *slot = &run->board->slots[job];
    struct chunk chunk = find_chunk(run, slot->chunk);
    struct tally *tally = &run->tallies[job * run->sweep->part_count + chunk.part];
    struct worker *worker = &run->workers[job];
    char note[KEPT_NOTE];
    enum finding finding =
        process_finding(status, slot->calling, worker->timed_out, run->sweep->time_limit, note);
    struct tally_case place = {.part = (uint32_t)chunk.part, .index = slot->index};
    tally_finding(tally, &place, finding, NULL, note);
    if (finding == FINDING_TIMEOUT) {
        book_hang(run, chunk.part, slot->index);
    }
    slot->calling = false;
    slot->index++;
    slot->done++;
    if (++slot->crashes >= CHUNK_CRASHES) {
        skip_chunk(slot, &chunk, tally);
        slot->chunk = NO_CHUNK;
    }
}

static size_t find_worker(const struct run *run, pid_t process)
{
    size_t job = 0;
    while (job < run->sweep->jobs && run->workers[job].process != process) {
        job++;
    }
    return job;
}

/* Collects workers that ended, replaces those that died. Sets *left to how many are at work. */
static bool tend_workers(struct run *run, size_t *left)
{
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        size_t job = find_worker(run, process);
        if (job == run->sweep->jobs) {
            continue; /* a child of somebody else's, perhaps of the implementation */
        }
        run->workers[job].process = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
            run->board->slots[job].chunk == NO_CHUNK) {
            --*left;
            continue;
        }
        if (run->board->slots[job].chunk == NO_CHUNK) {
            fprintf(stderr, "truelerp: a worker process died between two cases\n");
            return false;
        }
        bury(run, job, status);
        if (!start_worker(run, job)) {
            return false;
        }
    }
    return true;
}

static void stop_hung_calls(const struct run *run)
{
    for (size_t job = 0; job < run->sweep->jobs; job++) {
        struct worker *worker = &run->workers[job];
        const struct slot *slot = &run->board->slots[job];
        if (worker->process > 0 &&
            process_call_hangs(&worker->watch, slot->calling, slot->done, run->sweep->time_limit)) {
            worker->timed_out = true;
            kill(worker->process, SIGKILL);
        }
    }
}

static void stop_workers(const struct run *run)
{
    for (size_t job = 0; job < run->sweep->jobs; job++) {
        if (run->workers[job].process > 0) {
            kill(run->workers[job].process, SIGKILL);
            waitpid(run->workers[job].process, NULL, 0);
        }
    }
}

static void show_progress(const struct run *run)
{
    uint64_t done = 0;
    for (size_t job = 0; job < run->sweep->jobs; job++) {
        done += run->board->slots[job].done;
    }
    double rate = (double)done / (process_time() - run->started);
    double left = (double)(run->case_count - done) / rate;
    fprintf(stderr, "\r%3.0f %%  %" PRIu64 " of %" PRIu64 " cases, %.0f/s, ",
            100 * (double)done / (double)run->case_count, done, run->case_count, rate);
    if (left < 120) {
        fprintf(stderr, "%.0f s left\033[K", left);
    } else {
        fprintf(stderr, "%.0f min left\033[K", left / 60);
    }
}

static enum sweep_status watch(struct run *run)
{
    sigset_t signals;
    process_signals(&signals);
    const struct timespec tick = {.tv_nsec = 200000000};
    size_t left = run->sweep->jobs;
    while (true) {
        if (!tend_workers(run, &left)) {
            return SWEEP_FAILED;
        }
        if (left == 0) {
            return SWEEP_DONE;
        }
        int signal = sigtimedwait(&signals, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            raise(signal);
            return SWEEP_INTERRUPTED;
        }
        stop_hung_calls(run);
        if (run->sweep->show_progress && signal != SIGCHLD) {
            show_progress(run);
        }
    }
}

static enum sweep_status start_and_watch(struct run *run)
{
    run->board->next = run->visits.begin;
    for (size_t job = 0; job < run->sweep->jobs; job++) {
        run->board->slots[job].chunk = NO_CHUNK;
    }
    run->started = process_time();
    enum sweep_status status = SWEEP_DONE;
    for (size_t job = 0; job < run->sweep->jobs && status == SWEEP_DONE; job++) {
        status = start_worker(run, job) ? SWEEP_DONE : SWEEP_FAILED;
    }
    if (status == SWEEP_DONE) {
        status = watch(run);
    }
    stop_workers(run);
    if (run->sweep->show_progress) {
        fprintf(stderr, "\r\033[K");
    }
    return status;
}

static bool allocate(struct run *run)
{
    const struct sweep *sweep = run->sweep;
    run->board_size = sizeof(struct board) + sweep->jobs * sizeof(struct slot);
    run->tallies_size = sweep->jobs * sweep->part_count * sizeof(struct tally);
    for (size_t i = 0; i < sweep->part_count; i++) {
        size_t number = sweep->parts[i].function_number;
        run->function_count = number < run->function_count ? run->function_count : number + 1;
    }
    run->hangs_size = (run->function_count + 1) * sizeof *run->hangs;
    run->workers = calloc(sweep->jobs, sizeof *run->workers);
    run->board = process_shared_memory(run->board_size);
    run->tallies = process_shared_memory(run->tallies_size);
    run->hangs = process_shared_memory(run->hangs_size);
    if (!plan_chunks(sweep, &run->plan) || !run->workers || !run->board || !run->tallies ||
        !run->hangs) {
        fprintf(stderr, "truelerp: not enough memory for %u jobs\n", sweep->jobs);
        return false;
    }
    for (size_t i = 0; sweep->hangs && i < run->function_count; i++) {
        run->hangs[i] = sweep->hangs[i];
    }
    return true;
}

static void choose_visits(struct run *run)
{
    const struct sweep *sweep = run->sweep;
    run->visits = visits_of(&run->plan, sweep->share);
    for (size_t i = 0; i < sweep->part_count; i++) {
        run->case_count += cases_in_visits(sweep, &run->plan, run->visits, i);
    }
}

static void release(struct run *run)
{
    free(run->plan.chunk_start);
    free(run->workers);
    free(run->hung);
    if (run->hangs) {
        munmap(run->hangs, run->hangs_size);
    }
    if (run->board) {
        munmap(run->board, run->board_size);
    }
    if (run->tallies) {
        munmap(run->tallies, run->tallies_size);
    }
}

static int by_index(const void *a, const void *b)
{
    const struct hang *one = a, *other = b;
    return (one->index > other->index) - (one->index < other->index);
}

/* Names all cases of a part that hung, as far as there is room, in the note of the first. */
static void name_hung(const struct run *run, size_t part, struct tally *tally)
{
    struct kept *first = &tally->first[FINDING_TIMEOUT];
    size_t used = strlen(first->note);
    const char *before = "; nor did ";
    for (size_t i = 0; i < run->hung_count; i++) {
        const struct hang *hang = &run->hung[i];
        char number[48];
        if (hang->part != part || hang->index == first->index) {
            continue;
        }
        int length = snprintf(number, sizeof number, "%s%" PRIu64, before, hang->index);
        if (used + (size_t)length + sizeof ", ..." <= sizeof first->note) {
            memcpy(first->note + used, number, (size_t)length + 1);
            used += (size_t)length;
        } else {
            memcpy(first->note + used, ", ...", sizeof ", ...");
            return;
        }
        before = ", ";
    }
}

static void tell_hangs(struct run *run, struct tally *tallies)
{
    if (run->hung_count > 0) {
        qsort(run->hung, run->hung_count, sizeof *run->hung, by_index);
    }
    for (size_t i = 0; i < run->sweep->part_count; i++) {
        if (tallies[i].first[FINDING_TIMEOUT].present) {
            name_hung(run, i, &tallies[i]);
        }
    }
    for (size_t i = 0; run->sweep->hangs && i < run->function_count; i++) {
        run->sweep->hangs[i] = run->hangs[i];
    }
}

enum sweep_status sweep_run(const struct sweep *sweep, struct tally *tallies)
{
    struct run run = {.sweep = sweep};
    enum sweep_status status = SWEEP_FAILED;
    if (allocate(&run)) {
        choose_visits(&run);
        fflush(NULL);
        status = run.case_count > 0 ? start_and_watch(&run) : SWEEP_DONE;
    }
    for (size_t i = 0; status == SWEEP_DONE && i < sweep->jobs * sweep->part_count; i++) {
        tally_merge(&tallies[i % sweep->part_count], &run.tallies[i]);
    }
    if (status == SWEEP_DONE) {
        tell_hangs(&run, tallies);
    }
    release(&run);
    return status;
}
