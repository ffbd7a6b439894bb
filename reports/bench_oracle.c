/* truelerp bench oracle: what judging a result costs, against the ladder of precisions alone and
 * against the formula written in MPFR: of each function on everyday inputs, on hard ones, and on
 * those of its domains that costs most, which is found in the run itself.
 *
 * All ways of judging get the same samples: those with a real answer, since a rule needs no
 * arithmetic, and with a number for it, since a refusal leaves nothing to compare. All are measured
 * in one run. A round times every one once, next to its rivals, and every other round runs in
 * reverse order, so that a drift of the clock hits both sides of a ratio alike. A ratio is formed
 * within each round; the median of the rounds is reported with the median of the distances from it.
 * Speed is told and never judged: it changes no exit code. */
#include "bench_plain.h"
#include "json.h"
#include "program.h"

#include "../corpus/draw.h"
#include "../corpus/number.h"
#include "../impl/truelerp.h"
#include "../oracle/judge.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CASES = 256, ROUNDS_MAX = 1000, TRIALS = 100000 };

/* Looking for the costliest domain: how many samples of one, out of how many draws, are timed how
 * often; and below how many it is passed over. */
enum { SEARCH_CASES = 64, SEARCH_TRIALS = 512, SEARCH_PASSES = 3, SEARCH_LEAST = 16 };

/* The ways of judging */
enum way { WAY_FILTER, WAY_LADDER, WAY_PLAIN, WAYS };

/* Which inputs a row is about. */
enum inputs { INPUTS_TYPICAL, INPUTS_HARDEST, INPUTS_COSTLIEST };

static const char *const inputs_names[] = {"typical", "hardest", "costliest"};

/* What is aimed at on everyday inputs: how many times faster than the plain formula. Newton's
 * everyday nodes are 2 to 8: more of them, by themselves no less everyday, are drawn from its
 * domain `many`, 9 to 30 jittered nodes, which its hardest row has all of. */
struct target {
    const char *function;
    size_t nodes; /* with one channel; 0: any number of both, or the function has none */
    double goal;
};

static const struct target targets[] = {{"lerp", 0, 10},   {"hermite", 0, 20}, {"bezier", 0, 12},
                                        {"newton", 4, 17}, {"newton", 16, 25}, {"slerp3", 0, 40},
                                        {"slerp4", 0, 40}};
enum { TARGETS = sizeof targets / sizeof *targets };

/* And on the hardest domain: how many times faster than the ladder. */
static const double hardest_goal = 3;

/* The share of cases of which a plain check tells what the oracle does, if it is the function's. */
static const double least_agreement = 0.9;

/* One line: a function on one domain. */
struct row {
    const struct function *function;
    const struct domain *domain;
    enum inputs kind;
    size_t nodes;
    const struct plain *plain; /* NULL: there is none */
    double agreement;          /* the share of cases of which it tells what the oracle does */
    double goal;               /* 0: none */
    struct values inputs[CASES], results[CASES];
    size_t count;
    double settled; /* the filter's share */
    uint64_t passes[WAYS];
    double *nanoseconds[WAYS]; /* one a round */
};

struct request {
    bool json;
    uint64_t rounds;
    double minimum_time; /* seconds */
    struct selection selection;
    struct row **rows;
    size_t row_count;
    bool pinned;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *memory(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block) {
        fputs("truelerp bench oracle: out of memory\n", stderr);
        exit(EXIT_UNTRUSTED);
    }
    return block;
}

static void free_row(struct row *row)
{
    for (size_t k = 0; k < CASES; k++) {
        values_free(&row->inputs[k]);
        values_free(&row->results[k]);
    }
    for (enum way way = WAY_FILTER; way < WAYS; way++) {
        free(row->nanoseconds[way]);
    }
    free(row);
}

/* So many nodes, and one channel */
static bool has_nodes(const struct values *inputs, size_t nodes)
{
    return values_length(inputs, 0) == nodes && values_length(inputs, 1) == nodes;
}

/* Draws samples that have a real answer, and a number for it, and calls the library on them. */
static void draw_row(struct row *row, size_t cases, uint64_t trials, struct judge *judge)
{
    size_t settled = 0;
    row->count = 0;
    for (uint64_t i = 0; i < trials && row->count < cases; i++) {
        struct values *inputs = &row->inputs[row->count];
        struct values *results = &row->results[row->count];
        struct judgement judgement;
        draw_case(1, row->function, row->domain, i, inputs);
        if (row->nodes != 0 && !has_nodes(inputs, row->nodes)) {
            continue;
        }
        implementation_call(implementation_builtin(), row->function, inputs, results);
        judge_set_filter(judge, true);
        judge_case(judge, row->function, inputs, results, &judgement);
        if (judgement.stage != STAGE_RULE && values_length(results, 0) > 0) {
            settled += judgement.stage == STAGE_FILTER;
            row->count++;
        }
    }
    row->settled = row->count > 0 ? (double)settled / (double)row->count : 0;
}

/* What a way of judging comes to, so that no compiler leaves anything out. */
static volatile double sink;

static double pass(const struct row *row, enum way way, struct judge *judge)
{
    struct judgement judgement;
    double sum = 0;
    judge_set_filter(judge, way == WAY_FILTER);
    for (size_t i = 0; i < row->count; i++) {
        if (way == WAY_PLAIN) {
            sum += row->plain->check(&row->inputs[i], &row->results[i]).ulps;
        } else {
            judge_case(judge, row->function, &row->inputs[i], &row->results[i], &judgement);
            sum += judgement.error_ulp;
        }
    }
    return sum;
}

static double time_passes(const struct row *row, enum way way, struct judge *judge, uint64_t passes)
{
    double start = now();
    for (uint64_t i = 0; i < passes; i++) {
        sink = pass(row, way, judge);
    }
    return now() - start;
}

static bool has_way(const struct row *row, enum way way)
{
    return row->count > 0 && (way != WAY_PLAIN || row->plain);
}

/* Warms up, and finds out how many passes fill the time. */
static void calibrate(struct row *row, enum way way, struct judge *judge, double minimum_time)
{
    row->passes[way] = 1;
    while (time_passes(row, way, judge, row->passes[way]) < minimum_time) {
        row->passes[way] *= 2;
    }
}

static void run(const struct request *request, struct judge *judge)
{
    size_t steps = request->row_count * WAYS;
    for (size_t step = 0; step < steps; step++) {
        struct row *row = request->rows[step / WAYS];
        enum way way = (enum way)(step % WAYS);
        row->nanoseconds[way] = memory(request->rounds, sizeof *row->nanoseconds[way]);
        if (has_way(row, way)) {
            calibrate(row, way, judge, request->minimum_time);
        }
    }
    for (uint64_t round = 0; round < request->rounds; round++) {
        for (size_t i = 0; i < steps; i++) {
            size_t step = round % 2 == 0 ? i : steps - 1 - i;
            struct row *row = request->rows[step / WAYS];
            enum way way = (enum way)(step % WAYS);
            if (has_way(row, way)) {
                double calls = (double)row->passes[way] * (double)row->count;
                row->nanoseconds[way][round] =
                    1e9 * time_passes(row, way, judge, row->passes[way]) / calls;
            }
        }
    }
}

/* The domain that costs the oracle most, a result; the typical one if none has enough samples. */
static const struct domain *costliest(const struct function *function, struct judge *judge)
{
    const struct domains *domains = domains_of(function);
    struct row *row = memory(1, sizeof *row);
    size_t found = domains->typical;
    double most = 0;
    row->function = function;
    for (size_t d = 0; d < domains->count; d++) {
        double least = HUGE_VAL; /* of some passes, that which was disturbed least */
        row->domain = &domains->list[d];
        draw_row(row, SEARCH_CASES, SEARCH_TRIALS, judge);
        for (int i = 0; i < SEARCH_PASSES && row->count >= SEARCH_LEAST; i++) {
            least = fmin(least, time_passes(row, WAY_FILTER, judge, 1) / (double)row->count);
        }
        if (row->count >= SEARCH_LEAST && least > most) {
            most = least;
            found = d;
        }
    }
    free_row(row);
    return &domains->list[found];
}

/* Of how many cases the plain check tells the error and the share of the bound that the judgement
 * has, but for the grid that this lies on. Inputs for which 256 bits do not do differ. */
static double plain_agreement(const struct row *row, struct judge *judge)
{
    size_t agreeing = 0;
    bool in_ulps = function_in_ulps(row->function);
    judge_set_filter(judge, true);
    for (size_t i = 0; i < row->count; i++) {
        struct judgement judgement;
        struct plain_error plain = row->plain->check(&row->inputs[i], &row->results[i]);
        judge_case(judge, row->function, &row->inputs[i], &row->results[i], &judgement);
        double share = judgement.error_scaled / judgement.bound;
        agreeing += fabs(plain.ulps - judgement.error_ulp) <= 1e-6 * (1 + judgement.error_ulp) &&
                    (in_ulps || fabs(plain.share - share) <= 1e-6);
    }
    return row->count > 0 ? (double)agreeing / (double)row->count : 0;
}

/* Rows */

static double goal_of(const struct function *function, size_t nodes)
{
    for (size_t i = 0; i < TARGETS; i++) {
        if (strcmp(targets[i].function, function->name) == 0 && targets[i].nodes == nodes) {
            return targets[i].goal;
        }
    }
    return 0;
}

static void add_row(struct request *request, const struct function *function, enum inputs kind,
                    const struct domain *domain, size_t nodes)
{
    struct row *row = memory(1, sizeof *row);
    row->function = function;
    row->domain = domain;
    row->kind = kind;
    row->nodes = nodes;
    row->plain = plain_find(function->name);
    if (kind == INPUTS_TYPICAL) {
        row->goal = goal_of(function, nodes);
    } else if (kind == INPUTS_HARDEST && function->estimate) {
        row->goal = hardest_goal;
    }
    request->rows[request->row_count++] = row;
}

static void add_rows(struct request *request, const struct function *function, struct judge *judge)
{
    const struct domains *domains = domains_of(function);
    const struct domain *typical = &domains->list[domains->typical];
    const struct domain *hardest = &domains->list[domains->hardest];
    add_row(request, function, INPUTS_TYPICAL, typical, 0);
    for (size_t i = 0; i < TARGETS; i++) {
        if (strcmp(targets[i].function, function->name) == 0 && targets[i].nodes != 0) {
            /* everyday nodes are few */
            bool many = targets[i].nodes > 8;
            add_row(request, function, INPUTS_TYPICAL,
                    many ? domain_find(function, "many") : typical, targets[i].nodes);
        }
    }
    add_row(request, function, INPUTS_HARDEST, hardest, 0);
    add_row(request, function, INPUTS_COSTLIEST, costliest(function, judge), 0);
}

/* Figures */

struct figure {
    double median;
    double spread; /* median distance from the median */
};

static int compare_numbers(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return count % 2 == 1 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

static struct figure summary(const double *numbers, size_t count)
{
    double copy[ROUNDS_MAX];
    memcpy(copy, numbers, count * sizeof *copy);
    struct figure figure = {.median = median(copy, count)};
    for (size_t i = 0; i < count; i++) {
        copy[i] = fabs(numbers[i] - figure.median);
    }
    figure.spread = median(copy, count);
    return figure;
}

/* How many times longer `way` takes than the filter, round by round. */
static struct figure ratio(const struct row *row, enum way way, size_t rounds)
{
    double ratios[ROUNDS_MAX];
    for (size_t i = 0; i < rounds; i++) {
        ratios[i] = row->nanoseconds[way][i] / row->nanoseconds[WAY_FILTER][i];
    }
    return summary(ratios, rounds);
}

/* That which the goal is about */
static enum way rival(const struct row *row)
{
    return row->kind == INPUTS_TYPICAL ? WAY_PLAIN : WAY_LADDER;
}

static bool goal_met(const struct row *row, size_t rounds)
{
    return ratio(row, rival(row), rounds).median >= row->goal;
}

/* The printed forms */

static void print_row(const struct request *request, const struct row *row)
{
    char domain[40];
    snprintf(domain, sizeof domain, row->nodes ? "%s, n=%zu" : "%s", row->domain->name, row->nodes);
    printf("  %-9s %-18s", inputs_names[row->kind],
           row->kind == INPUTS_TYPICAL && row->nodes == 0 ? "" : domain);
    if (row->count == 0) {
        printf("  no sample has a real answer\n");
        return;
    }
    printf("%7.0f", summary(row->nanoseconds[WAY_FILTER], request->rounds).median);
    for (enum way way = WAY_LADDER; way < WAYS; way++) {
        if (has_way(row, way)) {
            bool doubtful = way == WAY_PLAIN && row->agreement < least_agreement;
            printf("%7.0f%s%6.1f", summary(row->nanoseconds[way], request->rounds).median,
                   way != WAY_PLAIN ? ""
                   : doubtful       ? "*"
                                    : " ",
                   ratio(row, way, request->rounds).median);
        } else {
            printf("%8s%6s", "", "");
        }
    }
    printf("%4.0f", floor(100 * row->settled));
    if (row->goal > 0) {
        printf(" %g%s", row->goal, goal_met(row, request->rounds) ? "" : " missed");
    }
    putchar('\n');
}

static void print_table(const struct request *request)
{
    printf("truelerp %s, one thread%s\n"
           "Nanoseconds to judge a result, medians of %llu interleaved rounds.\n"
           "filter  as every report judges       %%  what the first stage settles\n"
           "ladder  without the first stage      x  times the filter's\n"
           "plain   F, S and the comparison in MPFR at 256 bits, without a certificate;\n"
           "        *: which is not enough for more than a tenth of these inputs\n"
           "goal    for plain's x on typical inputs, for the ladder's x on the hardest\n"
           "costliest: the domain for which the filter took longest in this run\n\n",
           tl_version(), request->pinned ? "" : ", not pinned",
           (unsigned long long)request->rounds);
    printf("  %-9s %-18s%7s%7s%6s%7s %6s%4s goal\n", "inputs", "domain", "filter", "ladder", "x",
           "plain", "x", "%");
    for (size_t i = 0; i < request->row_count; i++) {
        const struct row *row = request->rows[i];
        if (i == 0 || row->function != request->rows[i - 1]->function) {
            printf("%s\n", row->function->name);
        }
        print_row(request, row);
    }
}

static struct json_object *json_figure(struct figure figure)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "median", json_number(figure.median));
    json_add(object, "spread", json_number(figure.spread));
    return object;
}

static struct json_object *json_row(const struct request *request, const struct row *row)
{
    static const char *const names[WAYS] = {"filter", "ladder", "plain"};
    static const char *const ratios[WAYS] = {NULL, "ladder_over_filter", "plain_over_filter"};
    struct json_object *object = json_object_new_object();
    json_add(object, "function", json_text(row->function->name));
    json_add(object, "inputs", json_text(inputs_names[row->kind]));
    json_add(object, "domain", json_text(row->domain->name));
    json_add(object, "nodes", row->nodes ? json_count(row->nodes) : NULL);
    json_add(object, "cases", json_count(row->count));
    json_add(object, "settled", json_number(row->settled));
    for (enum way way = WAY_FILTER; way < WAYS; way++) {
        bool has = has_way(row, way);
        json_add(object, names[way],
                 has ? json_figure(summary(row->nanoseconds[way], request->rounds)) : NULL);
        if (ratios[way]) {
            json_add(object, ratios[way],
                     has ? json_figure(ratio(row, way, request->rounds)) : NULL);
        }
    }
    json_add(object, "plain_agreement",
             has_way(row, WAY_PLAIN) ? json_number(row->agreement) : NULL);
    json_add(object, "goal", row->goal > 0 ? json_number(row->goal) : NULL);
    json_add(object, "met",
             row->goal > 0 && row->count > 0
                 ? json_object_new_boolean(goal_met(row, request->rounds))
                 : NULL);
    return object;
}

static void print_json(const struct request *request)
{
    struct json_object *context = json_object_new_object();
    json_add(context, "version", json_text(tl_version()));
    json_add(context, "pinned", json_object_new_boolean(request->pinned));
    json_add(context, "rounds", json_count(request->rounds));
    json_add(context, "minimum_time", json_number(request->minimum_time));
    struct json_object *rows = json_object_new_array();
    for (size_t i = 0; i < request->row_count; i++) {
        json_object_array_add(rows, json_row(request, request->rows[i]));
    }
    struct json_object *document = json_object_new_object();
    json_add(document, "context", context);
    json_add(document, "rows", rows);
    json_write(stdout, document, true);
    json_object_put(document);
}

/* The verb */

static double read_seconds(struct argp_state *state, const char *text)
{
    double seconds;
    if (!number_read(text, strlen(text), &seconds) || !(seconds >= 1e-6 && seconds <= 60)) {
        argp_error(state, "--min-time: '%s' is no number from 1e-6 to 60", text);
    }
    return seconds;
}

enum { REPETITIONS = 1, MINIMUM_TIME };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case REPETITIONS:
        request->rounds = option_number(state, "--repetitions", argument, 1, ROUNDS_MAX);
        return 0;
    case MINIMUM_TIME:
        request->minimum_time = read_seconds(state, argument);
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* On one processor, so that no round pays for a move. */
static bool pin(void)
{
    int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE) {
        return false;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

static void free_rows(struct request *request)
{
    for (size_t i = 0; i < request->row_count; i++) {
        free_row(request->rows[i]);
    }
    free(request->rows);
}

/* Draws a row's cases. Returns whether the plain check is the function's: everyday inputs need no
 * more than 256 bits. */
static bool prepare(struct row *row, struct judge *judge)
{
    draw_row(row, CASES, TRIALS, judge);
    if (!row->plain) {
        complain("bench oracle: there is no plain check of %s", row->function->name);
        return false;
    }
    row->agreement = plain_agreement(row, judge);
    if (row->kind == INPUTS_TYPICAL && row->agreement < least_agreement) {
        complain("bench oracle: the plain check of %s is not the function's", row->function->name);
        return false;
    }
    return true;
}

/* Returns whether every function has a plain check that agrees with it. */
static bool measure(struct request *request)
{
    bool agrees = true;
    struct judge *judge = judge_create();
    plain_open();
    request->rows = memory(catalog_count * (3 + TARGETS), sizeof(struct row *));
    request->pinned = pin();
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(&request->selection, catalog[i]->name)) {
            add_rows(request, catalog[i], judge);
        }
    }
    for (size_t i = 0; i < request->row_count; i++) {
        agrees = prepare(request->rows[i], judge) && agrees;
    }
    run(request, judge);
    plain_close();
    judge_destroy(judge);
    return agrees;
}

int verb_bench_oracle(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Write the same facts as JSON, see oracle_speed.schema.json", 0},
        {"repetitions", REPETITIONS, "N", 0, "Interleaved rounds, 1 to 1000 (9)", 0},
        {"min-time", MINIMUM_TIME, "S", 0, "Seconds that a loop runs in a round (0.02)", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Measures what judging a result costs, for all functions or only the named ones: with the "
        "oracle's first stage, with the ladder of precisions alone, and as a plain check "
        "held at 256 bits in MPFR; on everyday inputs, on hard ones, and on those of the domain "
        "that turns out to cost most.",
        NULL,
        NULL,
        NULL};
    struct request request = {.rounds = 9, .minimum_time = 0.02};
    program_parse(&argp, "bench oracle", argc, argv, &request);
    if (!selection_is_known(&request.selection)) {
        return EXIT_USAGE;
    }
    if (program_environment() != EXIT_WITHIN) {
        return EXIT_UNTRUSTED;
    }
    bool agrees = measure(&request);
    (request.json ? print_json : print_table)(&request);
    free_rows(&request);
    return agrees ? EXIT_WITHIN : EXIT_FINDING;
}
