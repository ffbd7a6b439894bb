/* truelerp selftest: the oracle against a second one that shares no code with it. */
#include "agreement.h"
#include "process.h"
#include "program.h"
#include "render.h"
#include "retrial.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"
#include "../oracle/judge.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEFAULT_SAMPLES = 10000 };

struct request {
    struct selection selection;
    uint64_t samples;
    uint64_t seed;
    unsigned jobs;
};

enum { STAGES = STAGE_LADDER + 1 };

/* A sample of a function. */
struct place {
    uint64_t number;
    bool present;
};

/* Answers are compared at precisions from the least to the most. */
enum { PRECISION_LEAST = 64, PRECISION_MOST = 2048, PRECISION_WORDS = PRECISION_MOST / 64 + 1 };

/* What one job found of one function. */
struct score {
    uint64_t samples;                     /* looked at */
    uint64_t compared;                    /* both oracles answered */
    uint64_t domains;                     /* a bit for each with a sample that was compared */
    uint64_t unknown;                     /* the second one cannot, in this build */
    uint64_t verdicts[VERDICT_COUNT];     /* the first one's */
    uint64_t stages[STAGES];              /* how they came about */
    uint64_t answers;                     /* that were compared */
    uint64_t offered;                     /* estimates that the first stage made */
    uint64_t estimates;                   /* of these, that were compared */
    uint64_t retried;                     /* verdicts that the second oracle found again */
    uint64_t precisions[PRECISION_WORDS]; /* a bit for each at which an answer was compared */
    uint64_t disagreements;
    struct place first; /* the disagreement of the lowest number */
};

/* Shared memory of one job. */
struct lane {
    _Atomic uint64_t done;
    _Atomic size_t function; /* at which it is: its position in the catalogue */
    _Atomic uint64_t number;
    _Atomic bool finished;
    struct score scores[];
};

struct selftest {
    const struct request *request;
    bool *chosen; /* of the catalogue */
    uint64_t total;
    unsigned char *lanes;
    size_t lane_size;
    pid_t *processes;
};

/* One case, and what is needed to compare it. */
struct bench {
    struct values inputs, results;
    struct answer first;
    struct second second;
    struct second_judgement again;
    struct judgement judgement;
    struct judge *judge;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'n':
        request->samples = option_number(state, "--samples", argument, 1, UINT64_C(1) << 40);
        return 0;
    case 'r':
        request->seed = option_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case 'j':
        request->jobs = (unsigned)option_number(state, "--jobs", argument, 1, JOBS_MAX);
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static struct lane *lane_of(const struct selftest *test, unsigned job)
{
    return (struct lane *)(void *)(test->lanes + job * test->lane_size);
}

/* Cases */

static void bench_open(struct bench *bench)
{
    *bench = (struct bench){.judge = judge_create()};
    first_open(&bench->first);
    second_open(&bench->second);
    second_judgement_open(&bench->again);
}

static void bench_close(struct bench *bench)
{
    second_judgement_close(&bench->again);
    second_close(&bench->second);
    first_close(&bench->first);
    judge_destroy(bench->judge);
    values_free(&bench->inputs);
    values_free(&bench->results);
}

/* The domains take turns. */
static size_t domain_of(const struct function *function, uint64_t number)
{
    const struct domains *domains = domains_of(function);
    return number % domains->count;
}

static void draw_sample(const struct selftest *test, const struct function *function,
                        uint64_t number, struct values *inputs)
{
    const struct domains *domains = domains_of(function);
    draw_case(test->request->seed, function, &domains->list[domain_of(function, number)],
              number / domains->count, inputs);
}

/* Every other sample at the precision at which nearly all verdicts fall, the others at one that the
 * number of the sample scatters over all that the formulas may meet. */
static mpfr_prec_t precision_of(const struct function *function, uint64_t number)
{
    enum { COUNT = PRECISION_MOST - PRECISION_LEAST + 1 };
    uint64_t scattered = (number * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    mpfr_prec_t precision = number / domains_of(function)->count % 2 == 0
                                ? PRECISION_FIRST
                                : PRECISION_LEAST + (mpfr_prec_t)(scattered % COUNT);
    return precision < function->precision_limit ? precision : function->precision_limit;
}

/* The way that a report's case goes, with the built-in library's result or a spoilt one, is gone
 * once more by the second oracle. */
static struct retrial retry(struct bench *bench, const struct function *function, uint64_t number)
{
    implementation_call(implementation_builtin(), function, &bench->inputs, &bench->results);
    retrial_spoil(&bench->results, number / domains_of(function)->count);
    judge_case(bench->judge, function, &bench->inputs, &bench->results, &bench->judgement);
    return retrial_compare(function, &bench->inputs, &bench->results, &bench->judgement,
                           &bench->second, &bench->again);
}

/* What is found at a sample. */
struct finding_of_sample {
    struct disagreement answers, estimates;
    struct retrial retrial;
    mpfr_prec_t precision; /* of the answer that was compared */
    bool compared, estimated;
};

static struct finding_of_sample compare(struct bench *bench, const struct function *function,
                                        uint64_t number)
{
    struct finding_of_sample found = {
        .compared = second_answer(function->name, &bench->inputs, &bench->second)};
    if (!found.compared) {
        return found;
    }
    found.precision = precision_of(function, number);
    first_answer(function, &bench->inputs, found.precision, &bench->first);
    found.answers = agreement_of(function, &bench->first, &bench->second);
    found.retrial = retry(bench, function, number);
    found.estimated = first_estimate(function, &bench->inputs, &bench->first);
    if (found.estimated) {
        found.estimates = agreement_of(function, &bench->first, &bench->second);
    }
    return found;
}

static void try_sample(const struct selftest *test, struct bench *bench,
                       const struct function *function, uint64_t number, struct score *score)
{
    draw_sample(test, function, number, &bench->inputs);
    struct finding_of_sample found = compare(bench, function, number);
    score->samples++;
    if (!found.compared) {
        score->unknown++;
        return;
    }
    score->compared++;
    score->domains |= UINT64_C(1) << domain_of(function, number);
    score->answers += found.answers.compared;
    score->precisions[found.precision / 64] |= UINT64_C(1) << found.precision % 64;
    score->offered += found.estimated;
    score->estimates += found.estimates.compared;
    score->retried += found.retrial.told;
    score->stages[bench->judgement.stage]++;
    score->verdicts[bench->judgement.verdict]++;
    if ((found.answers.what || found.estimates.what || found.retrial.what) &&
        score->disagreements++ == 0) {
        score->first = (struct place){number, true};
    }
}

/* Jobs */

static _Noreturn void work(const struct selftest *test, unsigned job)
{
    struct bench bench;
    struct lane *lane = lane_of(test, job);
    bench_open(&bench);
    for (size_t f = 0; f < catalog_count; f++) {
        for (uint64_t i = job; test->chosen[f] && i < test->request->samples;
             i += test->request->jobs) {
            lane->function = f;
            lane->number = i;
            try_sample(test, &bench, catalog[f], i, &lane->scores[f]);
            lane->done++;
        }
    }
    bench_close(&bench);
    lane->finished = true;
    _exit(0);
}

static bool start(struct selftest *test)
{
    fflush(NULL);
    for (unsigned job = 0; job < test->request->jobs; job++) {
        test->processes[job] = process_fork();
        if (test->processes[job] < 0) {
            return false;
        }
        if (test->processes[job] == 0) {
            work(test, job);
        }
    }
    return true;
}

static void stop(struct selftest *test)
{
    for (unsigned job = 0; job < test->request->jobs; job++) {
        if (test->processes[job] > 0) {
            kill(test->processes[job], SIGKILL);
            waitpid(test->processes[job], NULL, 0);
            test->processes[job] = 0;
        }
    }
}

static void show_progress(const struct selftest *test, double started)
{
    uint64_t done = 0;
    for (unsigned job = 0; job < test->request->jobs; job++) {
        done += lane_of(test, job)->done;
    }
    double seconds = process_time() - started;
    fprintf(stderr, "\r%3.0f %%  %" PRIu64 " of %" PRIu64 " samples, %.0f/s\033[K",
            100 * (double)done / (double)test->total, done, test->total, (double)done / seconds);
}

/* Returns how many jobs are at work; collects those that are not. */
static unsigned collect(struct selftest *test)
{
    unsigned left = 0;
    for (unsigned job = 0; job < test->request->jobs; job++) {
        pid_t process = test->processes[job];
        if (process > 0 && waitpid(process, NULL, WNOHANG) == process) {
            test->processes[job] = 0;
        }
        left += test->processes[job] > 0;
    }
    return left;
}

/* Returns whether it went on to the end; else a signal is pending. */
static bool watch(struct selftest *test)
{
    sigset_t signals;
    process_signals(&signals);
    const struct timespec tick = {.tv_nsec = 200000000};
    double started = process_time();
    bool terminal = isatty(STDERR_FILENO), whole = true;
    while (whole && collect(test) > 0) {
        int signal = sigtimedwait(&signals, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            raise(signal);
            whole = false;
        } else if (terminal && signal != SIGCHLD) {
            show_progress(test, started);
        }
    }
    if (terminal) {
        fputs("\r\033[K", stderr);
    }
    return whole;
}

/* Telling */

static struct score total_of(const struct selftest *test, size_t function)
{
    struct score total = {0};
    for (unsigned job = 0; job < test->request->jobs; job++) {
        const struct score *part = &lane_of(test, job)->scores[function];
        total.samples += part->samples;
        total.compared += part->compared;
        total.unknown += part->unknown;
        total.answers += part->answers;
        total.offered += part->offered;
        total.estimates += part->estimates;
        total.domains |= part->domains;
        total.retried += part->retried;
        total.disagreements += part->disagreements;
        for (int i = 0; i < STAGES; i++) {
            total.stages[i] += part->stages[i];
        }
        for (int i = 0; i < VERDICT_COUNT; i++) {
            total.verdicts[i] += part->verdicts[i];
        }
        for (int i = 0; i < PRECISION_WORDS; i++) {
            total.precisions[i] |= part->precisions[i];
        }
        if (part->first.present &&
            (!total.first.present || part->first.number < total.first.number)) {
            total.first = part->first;
        }
    }
    return total;
}

/* What no verdict was told of: so a verdict that is not counted is missed. */
static uint64_t open_of(const struct score *score)
{
    return score->compared - score->verdicts[VERDICT_WITHIN] - score->verdicts[VERDICT_VIOLATION] -
           score->verdicts[VERDICT_CLASS_MISMATCH] - score->verdicts[VERDICT_UNDEFINED];
}

static unsigned precisions_of(const struct score *score)
{
    unsigned count = 0;
    for (int i = 0; i <= PRECISION_MOST; i++) {
        count += score->precisions[i / 64] >> i % 64 & 1;
    }
    return count;
}

static void print_case(const struct function *function, const struct values *inputs)
{
    fputs("  ", stdout);
    write_case_command(stdout, function, inputs, NULL);
    putchar('\n');
}

static void print_difference(const char *who, const struct disagreement *disagreement,
                             const struct bench *bench)
{
    printf("  %s: they do not agree on %s, number %zu\n", who, disagreement->what,
           disagreement->number);
    agreement_write(stdout, disagreement, &bench->first, &bench->second);
}

static void print_retrial(const char *what, const struct function *function,
                          const struct bench *bench)
{
    printf("  They do not agree on %s of the result (", what);
    for (size_t k = 0; k < function->output_count; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        case_write_output(stdout, function, &bench->results, k, true);
    }
    printf(")\n  first:  %s, %.17g u S or ulp, %.17g ulp, bound %.17g\n  second: %s\n",
           verdict_name(bench->judgement.verdict), bench->judgement.error_scaled,
           bench->judgement.error_ulp, bench->judgement.bound, retrial_name(bench->again.verdict));
    for (size_t i = 0; i < bench->again.count; i++) {
        if (bench->again.finding[i].measured) {
            printf("          number %zu: %.17g u S or ulp, %.17g ulp\n", i,
                   mpq_get_d(bench->again.finding[i].scaled.low),
                   mpq_get_d(bench->again.finding[i].ulp.low));
        }
    }
}

/* Does it once more, to show it. */
static void print_disagreement(const struct selftest *test, const struct function *function,
                               uint64_t number)
{
    struct bench bench;
    bench_open(&bench);
    draw_sample(test, function, number, &bench.inputs);
    struct finding_of_sample found = compare(&bench, function, number);
    const struct domains *domains = domains_of(function);
    printf("\n%s: the oracles do not agree (domain %s, at %ld bits)\n", function->name,
           domains->list[domain_of(function, number)].name, (long)precision_of(function, number));
    print_case(function, &bench.inputs);
    if (found.estimates.what) {
        print_difference("The first stage", &found.estimates, &bench);
    }
    if (found.answers.what) {
        first_answer(function, &bench.inputs, precision_of(function, number), &bench.first);
        print_difference("The answers", &found.answers, &bench);
    }
    if (found.retrial.what) {
        print_retrial(found.retrial.what, function, &bench);
    }
    bench_close(&bench);
}

static void print_row(const struct function *function, const struct score *score)
{
    printf("%-20s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64
           " %6" PRIu64 " %6" PRIu64 " %s\n",
           function->name, score->compared, score->disagreements, score->stages[STAGE_RULE],
           score->stages[STAGE_FILTER], score->stages[STAGE_LADDER], score->estimates,
           score->retried, open_of(score), second_arithmetic(function->name));
}

static void print_counts(const struct function *function, const struct score *score)
{
    printf("%-20s %7" PRIu64 " %6u %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %6" PRIu64 " %6" PRIu64
           "\n",
           function->name, score->answers, precisions_of(score), score->offered,
           score->verdicts[VERDICT_WITHIN], score->verdicts[VERDICT_VIOLATION],
           score->verdicts[VERDICT_CLASS_MISMATCH], score->verdicts[VERDICT_UNDEFINED]);
}

typedef void print_line(const struct function *function, const struct score *score);

static void print_lines(const struct selftest *test, print_line *print)
{
    for (size_t f = 0; f < catalog_count; f++) {
        if (test->chosen[f]) {
            struct score score = total_of(test, f);
            print(catalog[f], &score);
        }
    }
}

static void print_table(const struct selftest *test)
{
    printf("%-20s %6s %6s %6s %6s %6s %6s %6s %6s by\n", "function", "cases", "differ", "rule",
           "filter", "ladder", "estim.", "judged", "open");
    print_lines(test, print_row);
    puts("\nrule, filter, ladder: what settled a case; estim.: estimates compared; judged:\n"
         "verdicts compared (all but where a wrapped time lets a result be right\n"
         "elsewhere, or enclosures leave it open); open: undecided; by: rationals (r) or\n"
         "balls (b)\n");
    printf("%-20s %7s %6s %7s %7s %7s %6s %6s\n", "function", "answers", "bits", "offered",
           "within", "violat.", "class", "undef.");
    print_lines(test, print_counts);
    puts("\nanswers: compared, at so many precisions (bits); offered: estimates made, all to\n"
         "be compared; within ...: verdicts, half of them on results spoilt on purpose");
}

/* Names what was left out: all answers are to be compared, and all estimates. */
static enum exit_code print_left_out(const struct function *function, const struct score *score)
{
    if (score->answers == score->compared && score->estimates == score->offered) {
        return EXIT_WITHIN;
    }
    complain("%s: %" PRIu64 " of %" PRIu64 " answers and %" PRIu64 " of %" PRIu64
             " estimates were compared",
             function->name, score->answers, score->compared, score->estimates, score->offered);
    return EXIT_FINDING;
}

/* Names the domains of which no sample was compared, unless there are fewer samples than domains.
 */
static enum exit_code print_gaps(const struct selftest *test, const struct function *function,
                                 const struct score *score)
{
    const struct domains *domains = domains_of(function);
    enum exit_code exit_code = EXIT_WITHIN;
    for (size_t d = 0; d < domains->count && test->request->samples >= domains->count; d++) {
        if (!(score->domains >> d & 1)) {
            complain("%s: nothing was compared in the domain %s", function->name,
                     domains->list[d].name);
            exit_code = EXIT_FINDING;
        }
    }
    return exit_code;
}

static enum exit_code print_findings(const struct selftest *test, bool whole)
{
    enum exit_code exit_code = EXIT_WITHIN;
    for (size_t f = 0; f < catalog_count; f++) {
        struct score score = total_of(test, f);
        if (score.disagreements > 0) {
            print_disagreement(test, catalog[f], score.first.number);
            exit_code = exit_worse(exit_code, EXIT_FINDING);
        }
        if (score.unknown > 0) {
            complain("%s: %" PRIu64 " samples were not compared: %s", catalog[f]->name,
                     score.unknown,
                     second_has_balls() ? "the second oracle does not know the function"
                                        : "this program was built without FLINT and Arb");
            exit_code = exit_worse(exit_code, EXIT_UNTRUSTED);
        }
        if (test->chosen[f] && whole && score.unknown == 0) {
            exit_code = exit_worse(exit_code, print_gaps(test, catalog[f], &score));
        }
        exit_code = exit_worse(exit_code, print_left_out(catalog[f], &score));
        if (open_of(&score) > 0) {
            complain("%s: %" PRIu64 " verdicts stayed open", catalog[f]->name, open_of(&score));
            exit_code = exit_worse(exit_code, EXIT_UNTRUSTED);
        }
    }
    return exit_code;
}

/* A job that did not reach its end died at a case. */
static enum exit_code print_deaths(const struct selftest *test)
{
    enum exit_code exit_code = EXIT_WITHIN;
    struct values inputs = {0};
    for (unsigned job = 0; job < test->request->jobs; job++) {
        const struct lane *lane = lane_of(test, job);
        if (!lane->finished) {
            const struct function *function = catalog[lane->function];
            complain("%s: an oracle did not survive a case", function->name);
            draw_sample(test, function, lane->number, &inputs);
            print_case(function, &inputs);
            exit_code = EXIT_FINDING;
        }
    }
    values_free(&inputs);
    return exit_code;
}

static enum exit_code compare_all(struct selftest *test)
{
    sigset_t signals, before;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    bool started = start(test);
    bool whole = started && watch(test);
    stop(test);
    enum exit_code exit_code = started ? EXIT_WITHIN : EXIT_UNTRUSTED;
    if (started) {
        print_table(test);
        exit_code = print_findings(test, whole);
    }
    if (whole) {
        exit_code = exit_worse(exit_code, print_deaths(test));
    } else if (started) {
        complain("interrupted; the rest of %" PRIu64 " samples was not looked at", test->total);
    }
    fflush(stdout);
    sigprocmask(SIG_SETMASK, &before, NULL); /* an interrupt ends the program here */
    return exit_code;
}

static bool choose(struct selftest *test)
{
    const struct request *request = test->request;
    if (!selection_is_known(&request->selection)) {
        return false;
    }
    for (size_t f = 0; f < catalog_count; f++) {
        test->chosen[f] = selection_holds(&request->selection, catalog[f]->name);
        test->total += test->chosen[f] ? request->samples : 0;
    }
    return true;
}

static enum exit_code run(struct selftest *test)
{
    enum exit_code exit_code = program_environment();
    if (!choose(test)) {
        return EXIT_USAGE;
    }
    return exit_code == EXIT_WITHIN ? compare_all(test) : exit_code;
}

int verb_selftest(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"samples", 'n', "N", 0, "Of each function, over all its domains (default 10000)", 0},
        {"seed", 'r', "N", 0, "Seed of the samples (default 1)", 0},
        {"jobs", 'j', "N", 0, "Work with N processes (default: one for each processor)", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Compares the oracle, on samples of all functions or of the named ones, with a second one "
        "that was written from the library's header alone and shares no code with it."
        "\vEnclosures of an exact answer must have a number in common, at every precision; what is "
        "given bit for bit, the numbers of roots, statuses and indices must be the same, and so "
        "must be what the bound is made of; so must the first stage's estimates. The verdict on "
        "the built-in library's result, or on one that was spoilt on purpose, and its figures are "
        "found again in rationals. A disagreement is shown with the command that judges its case: "
        "one of the two oracles is wrong then. The table also says how the verdicts came about: "
        "by a rule, by the first stage (filter), or by the ladder of precisions.",
        NULL,
        NULL,
        NULL};
    struct request request = {.seed = 1, .samples = DEFAULT_SAMPLES, .jobs = process_processors()};
    program_parse(&argp, "selftest", argc, argv, &request);
    struct selftest test = {.request = &request};
    test.lane_size = sizeof(struct lane) + catalog_count * sizeof(struct score);
    test.lanes = process_shared_memory(request.jobs * test.lane_size);
    test.chosen = calloc(catalog_count, sizeof *test.chosen);
    test.processes = calloc(request.jobs, sizeof *test.processes);
    if (!test.lanes || !test.chosen || !test.processes) {
        complain("not enough memory");
        return EXIT_UNTRUSTED;
    }
    enum exit_code exit_code = run(&test);
    free(test.chosen);
    free(test.processes);
    return exit_code;
}
