/* truelerp bench oracle: what judging a result costs, against the ladder of precisions alone and
 * against the formula written in MPFR.
 *
 * All are measured in one run. A round times every one once, next to its rivals, and every other
 * round runs in reverse order, so that a drift of the clock hits both sides of a ratio alike. A
 * ratio is formed within each round; the median of the rounds is reported with the median of the
 * distances from it. Speed is told and never judged: it changes no exit code. */
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

/* The ways of judging */
enum way { WAY_FILTER, WAY_LADDER, WAY_PLAIN, WAYS };

/* What is aimed at on everyday inputs: how many times faster than the plain formula. */
struct target {
    const char *function;
    size_t nodes; /* 0: any number of them, or the function has none */
    double goal;
};

static const struct target targets[] = {{"lerp", 0, 10},   {"hermite", 0, 20}, {"bezier", 0, 12},
                                        {"newton", 4, 17}, {"newton", 16, 25}, {"slerp3", 0, 40}};
enum { TARGETS = sizeof targets / sizeof *targets };

/* And on the hardest domain: how many times faster than the ladder. */
static const double hardest_goal = 3;

/* One line: a function on one domain. */
struct row {
    const struct function *function;
    const struct domain *domain;
    bool hardest;
    size_t nodes;
    const struct plain *plain; /* NULL: there is none */
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

/* Draws samples with a real answer, since those by rule need no arithmetic, and calls the library
 * on them. */
static void draw_row(struct row *row, struct judge *judge)
{
    size_t settled = 0;
    for (uint64_t i = 0; i < TRIALS && row->count < CASES; i++) {
        struct values *inputs = &row->inputs[row->count];
        struct values *results = &row->results[row->count];
        struct judgement judgement;
        draw_case(1, row->function, row->domain, i, inputs);
        if (row->nodes != 0 && values_length(inputs, 0) != row->nodes) {
            continue;
        }
        implementation_call(implementation_builtin(), row->function, inputs, results);
        judge_set_filter(judge, true);
        judge_case(judge, row->function, inputs, results, &judgement);
        if (judgement.stage != STAGE_RULE) {
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
            double share;
            sum += row->plain->check(&row->inputs[i], &row->results[i], &share);
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

/* Is the plain check the function's? Then its error is the judgement's, but for the grid that this
 * lies on, and so is the share of the bound. Inputs for which 256 bits do not do may differ, and a
 * list's judgement may be of another channel. */
static bool plain_agrees(const struct row *row, struct judge *judge)
{
    size_t agreeing = 0, comparable = 0;
    for (size_t i = 0; i < row->count; i++) {
        struct judgement judgement;
        double share;
        double error = row->plain->check(&row->inputs[i], &row->results[i], &share);
        judge_case(judge, row->function, &row->inputs[i], &row->results[i], &judgement);
        if (row->function->outputs[0].kind == FIELD_LIST &&
            values_length(&row->results[i], 0) > 1) {
            continue;
        }
        bool in_ulps = function_in_ulps(row->function);
        double wanted_share = judgement.error_scaled / judgement.bound;
        comparable++;
        agreeing += fabs(error - judgement.error_ulp) <= 1e-6 * (1 + judgement.error_ulp) &&
                    (in_ulps || fabs(share - wanted_share) <= 1e-6);
    }
    return comparable > 0 && 10 * agreeing >= 9 * comparable;
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

static void add_row(struct request *request, const struct function *function, bool hardest,
                    size_t nodes)
{
    const struct domains *domains = domains_of(function);
    struct row *row = memory(1, sizeof *row);
    /* everyday nodes are few; many of them are the hardest domain of newton */
    bool many = nodes > 8;
    row->function = function;
    row->domain = &domains->list[hardest || many ? domains->hardest : domains->typical];
    row->hardest = hardest;
    row->nodes = nodes;
    row->plain = hardest ? NULL : plain_find(function->name);
    row->goal = !hardest ? goal_of(function, nodes) : function->estimate ? hardest_goal : 0;
    request->rows[request->row_count++] = row;
}

static void add_rows(struct request *request, const struct function *function)
{
    add_row(request, function, false, 0);
    for (size_t i = 0; i < TARGETS; i++) {
        if (strcmp(targets[i].function, function->name) == 0 && targets[i].nodes != 0) {
            add_row(request, function, false, targets[i].nodes);
        }
    }
    add_row(request, function, true, 0);
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
    return row->hardest ? WAY_LADDER : WAY_PLAIN;
}

static bool goal_met(const struct row *row, size_t rounds)
{
    return ratio(row, rival(row), rounds).median >= row->goal;
}

/* The printed forms */

static void print_row(const struct request *request, const struct row *row)
{
    char name[40];
    snprintf(name, sizeof name, row->nodes ? "%s n=%zu" : "%s", row->function->name, row->nodes);
    printf("%-20s %-7s", name, row->hardest ? "hardest" : "typical");
    if (row->count == 0) {
        printf("  no sample has a real answer\n");
        return;
    }
    printf("%8.0f", summary(row->nanoseconds[WAY_FILTER], request->rounds).median);
    for (enum way way = WAY_LADDER; way < WAYS; way++) {
        if (has_way(row, way)) {
            printf("%8.0f%6.1f", summary(row->nanoseconds[way], request->rounds).median,
                   ratio(row, way, request->rounds).median);
        } else {
            printf("%8s%6s", "", "");
        }
    }
    printf("%6.1f", 100 * row->settled);
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
           "plain   F, S and the comparison in MPFR at 256 bits, without a certificate\n"
           "goal    for plain's x on typical inputs, for the ladder's x on the hardest\n\n",
           tl_version(), request->pinned ? "" : ", not pinned",
           (unsigned long long)request->rounds);
    printf("%-20s %-7s%8s%8s%6s%8s%6s%6s goal\n", "function", "domain", "filter", "ladder", "x",
           "plain", "x", "%");
    for (size_t i = 0; i < request->row_count; i++) {
        print_row(request, request->rows[i]);
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
    json_add(object, "inputs", json_text(row->hardest ? "hardest" : "typical"));
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
        struct row *row = request->rows[i];
        for (size_t k = 0; k < CASES; k++) {
            values_free(&row->inputs[k]);
            values_free(&row->results[k]);
        }
        for (enum way way = WAY_FILTER; way < WAYS; way++) {
            free(row->nanoseconds[way]);
        }
        free(row);
    }
    free(request->rows);
}

/* Returns whether every plain formula agrees with the function. */
static bool measure(struct request *request)
{
    bool agrees = true;
    request->rows = memory(catalog_count * (2 + TARGETS), sizeof(struct row *));
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(&request->selection, catalog[i]->name)) {
            add_rows(request, catalog[i]);
        }
    }
    struct judge *judge = judge_create();
    plain_open();
    for (size_t i = 0; i < request->row_count; i++) {
        struct row *row = request->rows[i];
        draw_row(row, judge);
        if (row->plain && !plain_agrees(row, judge)) {
            complain("bench oracle: the plain check of %s is not the function's",
                     row->function->name);
            agrees = false;
        }
    }
    request->pinned = pin();
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
        "held at 256 bits in MPFR.",
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
