#include "threads.h"

#include "process.h"
#include "program.h"

#include "../corpus/checksum.h"
#include "../corpus/draw.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Threads go over the cases until the process has taken so much processor time, but so many rounds
 * in any case. */
enum { THREADS = 2, ROUNDS_LEAST = 4 };
static const double SECONDS = 0.15;

/* So often one of them is interrupted, anywhere, and gives way to the other: on one processor they
 * would hardly ever meet inside a call, and on two only where it stays there for long. It sleeps
 * for a moment: sched_yield would let every other program of the machine go first, a thousand
 * times. And not before it has worked for so long: where it has to wait for a processor, the next
 * signal is there whenever it gets one, and it would never come to do anything. */
enum { INTERRUPT_EVERY = 25 }; /* microseconds */
static const struct timespec moment = {.tv_nsec = 1000};
static const double WORKED_LEAST = 10e-6; /* seconds of its own */

/* What came of a call by one thread alone. */
struct alone {
    uint64_t results; /* checksum_of */
    bool finding;     /* it is told elsewhere */
};

/* Shared with the parent. */
struct board {
    struct threads_result result;
    _Atomic bool calling;
    struct {
        alignas(64) _Atomic uint64_t calls; /* no thread waits for the other's count */
    } of_thread[THREADS];
};

struct scene {
    const struct threads_plan *plan;
    const struct function *function;
    struct board *board;
    struct values cases[THREADS_CASES];
    struct alone alone[THREADS_CASES];
    pthread_barrier_t start;
    _Atomic bool stop;
    _Atomic size_t differing; /* the first case seen; THREADS_CASES: none */
};

struct actor {
    struct scene *scene;
    size_t number;
};

void threads_case(uint64_t seed, const struct function *function, size_t number,
                  struct values *inputs)
{
    const struct domains *domains = domains_of(function);
    draw_case(seed, function, &domains->list[number % domains->count], number / domains->count,
              inputs);
}

static double processor_time(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Our own library is not looked at closely anywhere else. */
static void call_alone(struct scene *scene)
{
    const struct implementation *implementation = scene->plan->implementation;
    struct threads_result *result = &scene->board->result;
    struct values results = {0};
    for (size_t i = 0; i < THREADS_CASES; i++) {
        threads_case(scene->plan->seed, scene->function, i, &scene->cases[i]);
        const char *finding =
            implementation_call(implementation, scene->function, &scene->cases[i], &results);
        scene->alone[i] = (struct alone){checksum_of(i, &results), finding != NULL};
        if (!finding && implementation == implementation_builtin()) {
            finding =
                implementation_examine(implementation, scene->function, &scene->cases[i], &results);
            if (finding && result->finding == FINDING_COUNT) {
                result->finding = FINDING_ENVIRONMENT;
                result->number = i;
                snprintf(result->note, sizeof result->note, "%s", finding);
            }
        }
        scene->board->of_thread[0].calls++;
    }
    values_free(&results);
}

/* Of AddressSanitizer's runtime, where the program has it. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

/* Of each small size the C library keeps some freed pieces for a thread, which it counts as in use:
 * none to 7, as it happens. From here on they are 7. */
static void fill_freed_pieces(void)
{
    enum { SIZES = 64, LEAST = 24, APART = 16, PIECES = 7 * SIZES };
    void *volatile piece[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        piece[i] = malloc(LEAST + APART * (i % SIZES));
    }
    for (size_t i = 0; i < PIECES; i++) {
        free(piece[i]);
    }
}

/* What this process has of the C library's memory, in bytes; 0 where nobody can tell. */
static size_t memory_in_use(void)
{
    if (__sanitizer_get_current_allocated_bytes) {
        return __sanitizer_get_current_allocated_bytes();
    }
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    fill_freed_pieces();
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
#endif
    return 0;
}

/* Some of the cases, so often. */
struct calls {
    size_t first, count;
    size_t passes;
};

static void call_all(struct scene *scene, const struct calls *calls)
{
    const struct implementation *implementation = scene->plan->implementation;
    struct values results = {0};
    for (size_t k = 0; k < calls->passes * calls->count; k++) {
        size_t i = calls->first + k % calls->count;
        implementation_call(implementation, scene->function, &scene->cases[i], &results);
        if (implementation == implementation_builtin()) {
            implementation_examine(implementation, scene->function, &scene->cases[i], &results);
        }
        scene->board->of_thread[0].calls++;
    }
    values_free(&results);
}

/* By how many bytes a pass the memory in use grows, if it does in each of some runs, by `least`.
 * What a first call keeps for later ones, as arithmetic of any precision does its constants, it
 * does not keep again: there are calls before. */
static double growth(struct scene *scene, struct calls calls, size_t least)
{
    enum { BEFORE = 2, RUNS = 3 };
    for (size_t run = 0; run < BEFORE; run++) {
        call_all(scene, &calls);
    }
    size_t start = memory_in_use(), before = start;
    for (size_t run = 0; run < RUNS; run++) {
        call_all(scene, &calls);
        size_t now = memory_in_use();
        if (now < before + least) {
            return 0;
        }
        before = now;
    }
    return (double)(before - start) / (double)(RUNS * calls.passes);
}

/* The case at which the memory in use grows most, by halving. */
static size_t find_growing(struct scene *scene)
{
    struct calls calls = {0, THREADS_CASES, 1};
    while (calls.count > 1) {
        struct calls low = {calls.first, calls.count / 2, 1};
        struct calls high = {low.first + low.count, calls.count - low.count, 1};
        calls = growth(scene, low, 0) >= growth(scene, high, 0) ? low : high;
    }
    return calls.first;
}

/* Memory that calls do not give back. A few hundred bytes more or less are there after any calls
 * that allocate: between their pieces, some too small for any use are left. So what grows by at
 * least one smallest piece at each of many calls of one case leaks, and what grows by more than
 * that over all cases. */
static void watch_memory(struct scene *scene)
{
    enum { PIECE = 16, ONE_PASSES = 64, ALL_PASSES = 4, ALL_LEAST = 4096 };
    const struct calls all = {0, THREADS_CASES, 1};
    if (growth(scene, all, 1) == 0) {
        return;
    }
    size_t number = find_growing(scene);
    double bytes = growth(scene, (struct calls){number, 1, ONE_PASSES}, (size_t)PIECE * ONE_PASSES);
    if (bytes == 0) {
        number = THREADS_CASES;
        bytes =
            growth(scene, (struct calls){0, THREADS_CASES, ALL_PASSES}, ALL_LEAST) / THREADS_CASES;
    }
    struct threads_result *result = &scene->board->result;
    if (bytes > 0 && result->finding == FINDING_COUNT) {
        *result = (struct threads_result){FINDING_ENVIRONMENT, number, ""};
        snprintf(result->note, sizeof result->note, "leaks memory, about %.3g bytes each time",
                 bytes);
    }
}

static void compare(struct scene *scene, size_t i, struct values *results)
{
    const char *finding = implementation_call(scene->plan->implementation, scene->function,
                                              &scene->cases[i], results);
    const struct alone *alone = &scene->alone[i];
    if (alone->results != checksum_of(i, results) || (finding && !alone->finding)) {
        size_t none = THREADS_CASES;
        atomic_compare_exchange_strong(&scene->differing, &none, i);
        scene->stop = true;
    }
}

static void block_clock(int how)
{
    sigset_t clock;
    sigemptyset(&clock);
    sigaddset(&clock, SIGALRM);
    pthread_sigmask(how, &clock, NULL);
}

/* In every other round one thread goes forwards and the other backwards, so that they are mostly at
 * different cases; else both are at about the same one. */
static void *act(void *context)
{
    const struct actor *actor = context;
    struct scene *scene = actor->scene;
    struct values results = {0};
    pthread_barrier_wait(&scene->start);
    block_clock(SIG_UNBLOCK);
    prctl(PR_SET_TIMERSLACK, 1); /* else a moment lasts as long as the time between two */
    double end = processor_time(CLOCK_PROCESS_CPUTIME_ID) + SECONDS;
    for (size_t round = 0;
         !scene->stop && (round < ROUNDS_LEAST || processor_time(CLOCK_PROCESS_CPUTIME_ID) < end);
         round++) {
        for (size_t k = 0; k < THREADS_CASES && !scene->stop; k++) {
            bool backwards = actor->number > 0 && round % 2 == 0;
            size_t at = backwards ? THREADS_CASES - 1 - k : k;
            compare(scene, (at + round) % THREADS_CASES, &results);
            scene->board->of_thread[actor->number].calls++;
        }
    }
    block_clock(SIG_BLOCK);
    values_free(&results);
    return NULL;
}

static void give_way(int number)
{
    static _Thread_local double back; /* on its own clock */
    (void)number;
    int error = errno;
    if (processor_time(CLOCK_THREAD_CPUTIME_ID) - back >= WORKED_LEAST) {
        nanosleep(&moment, NULL);
        back = processor_time(CLOCK_THREAD_CPUTIME_ID);
    }
    errno = error;
}

/* Signals of the clock, to threads that do not block them. */
static void interrupt_every(suseconds_t microseconds)
{
    const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
    struct sigaction action = {.sa_handler = give_way, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &interval, NULL);
}

/* Returns 0, or why the system refuses a thread. */
static int call_together(struct scene *scene)
{
    block_clock(SIG_BLOCK);
    interrupt_every(INTERRUPT_EVERY);
    pthread_t threads[THREADS];
    struct actor actors[THREADS];
    size_t started = 0;
    pthread_barrier_init(&scene->start, NULL, THREADS);
    for (; started < THREADS; started++) {
        actors[started] = (struct actor){scene, started};
        int error = pthread_create(&threads[started], NULL, act, &actors[started]);
        if (error != 0) {
            return error; /* the process ends, and with it those that wait */
        }
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    interrupt_every(0);
    return 0;
}

struct company {
    const struct threads_plan *plan;
    struct board *boards; /* one a function */
};

/* Nothing can be said of the function here. */
static _Noreturn void refuse(struct board *board, const char *why)
{
    board->result = (struct threads_result){.finding = FINDING_FAULT};
    snprintf(board->result.note, sizeof board->result.note,
             "this machine has not the threads to judge it: %s", why);
    _exit(EXIT_WITHIN);
}

/* The worker process of one function. */
static void work(void *context, size_t task)
{
    const struct company *company = context;
    struct board *board = &company->boards[task];
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        refuse(board, "not enough memory");
    }
    *scene = (struct scene){.plan = company->plan,
                            .function = company->plan->functions[task],
                            .board = board,
                            .differing = THREADS_CASES};
    board->calling = true;
    call_alone(scene);
    watch_memory(scene);
    int error = call_together(scene);
    board->calling = false;
    if (error != 0) {
        refuse(board, strerror(error));
    }
    if (scene->differing < THREADS_CASES) {
        board->result = (struct threads_result){FINDING_ENVIRONMENT, scene->differing, ""};
        snprintf(board->result.note, sizeof board->result.note,
                 "gives another result while another thread calls it");
    }
}

static bool calling(void *context, size_t task, uint64_t *calls)
{
    const struct board *board = &((const struct company *)context)->boards[task];
    *calls = 0;
    for (size_t i = 0; i < THREADS; i++) {
        *calls += board->of_thread[i].calls;
    }
    return board->calling;
}

static void ended(void *context, size_t task, int status, bool timed_out)
{
    const struct company *company = context;
    struct board *board = &company->boards[task];
    struct threads_result *result = &board->result;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !board->calling) {
        return;
    }
    *result = (struct threads_result){0};
    result->finding =
        process_finding(status, board->calling, timed_out, company->plan->time_limit, result->note);
}

bool threads_run(const struct threads_plan *plan, struct threads_result *results)
{
    size_t size = plan->function_count * sizeof(struct board);
    struct company company = {plan, size > 0 ? process_shared_memory(size) : NULL};
    if (!company.boards) {
        if (size > 0) {
            complain("not enough memory");
        }
        return size == 0;
    }
    for (size_t i = 0; i < plan->function_count; i++) {
        company.boards[i].result.finding = FINDING_COUNT;
    }
    const struct process_tasks tasks = {.count = plan->function_count,
                                        .jobs = (plan->jobs + THREADS - 1) / THREADS,
                                        .time_limit = plan->time_limit,
                                        .work = work,
                                        .calling = calling,
                                        .ended = ended,
                                        .context = &company};
    bool good = process_run_tasks(&tasks);
    for (size_t i = 0; i < plan->function_count; i++) {
        results[i] = company.boards[i].result;
    }
    munmap(company.boards, size);
    return good;
}
