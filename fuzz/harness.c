#include "harness.h"
#include "progress.h"
#include "record.h"

#include "../corpus/climb.h"
#include "../oracle/environment.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USAGE = 2, UNTRUSTED = 3 };

static _Noreturn void give_up(int code, const char *who, const char *message)
{
    fprintf(stderr, "%s: %s\n", who, message);
    exit(code);
}

static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

static enum mode chosen_mode(void)
{
    static const char *const names[] = {[MODE_EVERYDAY] = "everyday",
                                        [MODE_PLAIN] = "plain",
                                        [MODE_COUNTERS] = "counters",
                                        [MODE_MUTATOR] = "mutator",
                                        [MODE_CLIMB] = "climb"};
    const char *text = variable("TRUELERP_FUZZ_MODE");
    if (!text) {
        return MODE_CLIMB;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            return (enum mode)i;
        }
    }
    give_up(USAGE, "TRUELERP_FUZZ_MODE", "wants plain, counters, mutator, climb or everyday");
}

/* All kinds, or those that are named: "violation,class mismatch". */
static unsigned kinds_to_pass(void)
{
    const char *text = variable("TRUELERP_FUZZ_GO_ON");
    unsigned passed = 0;
    if (!text || strcmp(text, "1") == 0) {
        return text ? ~0u : 0;
    }
    while (*text) {
        size_t length = strcspn(text, ",");
        enum found found = FOUND_VIOLATION;
        while (found <= FOUND_ENVIRONMENT && (strlen(found_name(found)) != length ||
                                              memcmp(found_name(found), text, length) != 0)) {
            found++;
        }
        if (found > FOUND_ENVIRONMENT) {
            give_up(USAGE, "TRUELERP_FUZZ_GO_ON",
                    "wants 1, or kinds of findings with commas between them");
        }
        passed |= 1u << found;
        text += length + (text[length] == ',');
    }
    return passed;
}

/* 0 if it is not set. */
static double chosen_number(const char *name)
{
    const char *text = variable(name);
    if (!text) {
        return 0;
    }
    char *end;
    double number = strtod(text, &end);
    if (*end != '\0' || !(number > 0 && number < 1e9)) {
        give_up(USAGE, name, "wants a positive number");
    }
    return number;
}

static void open_implementation(struct harness *harness)
{
    harness->implementation_path = variable("TRUELERP_FUZZ_IMPL");
    harness->implementation = implementation_builtin();
    if (harness->implementation_path) {
        char *message = NULL;
        harness->implementation = implementation_open(harness->implementation_path, &message);
        if (!harness->implementation) {
            give_up(USAGE, "TRUELERP_FUZZ_IMPL", message);
        }
    }
    if (!implementation_has(harness->implementation, harness->function)) {
        fprintf(stderr, "%s has no function tl_%s\n", harness->implementation_path,
                harness->function->name);
        exit(USAGE);
    }
}

void harness_create(struct harness *harness, const char *function)
{
    *harness = (struct harness){.function = catalog_find(function), .badness = -1};
    const char *fault = environment_fault();
    if (fault || !harness->function) {
        give_up(UNTRUSTED, function, fault ? fault : "not in the catalogue");
    }
    harness->mode = chosen_mode();
    harness->passed = kinds_to_pass();
    harness->findings = variable("TRUELERP_FUZZ_FINDINGS");
    harness->records = variable("TRUELERP_FUZZ_RECORDS");
    harness->seconds = chosen_number("TRUELERP_FUZZ_SECONDS");
    harness->range = (int)chosen_number("TRUELERP_FUZZ_RANGE");
    open_implementation(harness);
    harness->judge = judge_create();
    progress_open();
}

static enum found found_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_WITHIN:
    case VERDICT_UNDEFINED:
        return FOUND_NOTHING;
    case VERDICT_VIOLATION:
        return FOUND_VIOLATION;
    case VERDICT_CLASS_MISMATCH:
        return FOUND_CLASS_MISMATCH;
    case VERDICT_UNDECIDED:
        return FOUND_UNDECIDED;
    }
    return FOUND_UNDECIDED;
}

static bool in_range(const struct harness *harness, const struct values *inputs)
{
    size_t total = inputs->start[inputs->count];
    for (size_t i = 0; i < total && harness->range > 0; i++) {
        double x = inputs->number[i];
        if (x != 0 && !(isfinite(x) && abs(ilogb(x)) <= harness->range)) {
            return false;
        }
    }
    return true;
}

static void note_improvement(struct harness *harness)
{
    size_t count = harness->improvement_count;
    if (count == 0 || (harness->badness >= 2 * harness->improvements[count - 1].badness &&
                       count < IMPROVEMENTS_MAX)) {
        harness->improvements[count] =
            (struct improvement){harness->badness, harness_processor_time()};
        harness->improvement_count++;
    }
}

/* When the search had come within an octave of the largest error. */
static double time_to_worst(const struct harness *harness)
{
    size_t i = 0;
    while (i + 1 < harness->improvement_count &&
           2 * harness->improvements[i].badness < harness->badness) {
        i++;
    }
    return harness->improvements[i].seconds;
}

void harness_try(struct harness *harness, const struct values *inputs, struct trial *trial)
{
    trial->found = FOUND_NOTHING;
    trial->note = NULL;
    trial->badness = -1;
    if (!in_range(harness, inputs)) {
        trial->judgement = (struct judgement){0};
        return;
    }
    progress_count(harness->runs, harness->judged);
    progress_try(inputs);
    trial->note =
        implementation_call(harness->implementation, harness->function, inputs, &harness->results);
    judge_case(harness->judge, harness->function, inputs, &harness->results, &trial->judgement);
    harness->judged++;
    trial->found = trial->note ? FOUND_ENVIRONMENT : found_of(trial->judgement.verdict);
    harness->found += trial->found != FOUND_NOTHING;
    if (trial->judgement.verdict == VERDICT_UNDECIDED) {
        return;
    }
    trial->badness = climb_badness(harness->function, &harness->results, &trial->judgement);
    if (trial->badness > harness->badness) {
        harness->badness = trial->badness;
        harness->worst_judgement = trial->judgement;
        values_copy(&harness->worst, inputs);
        progress_worst(trial->judgement.error_scaled, trial->badness);
        note_improvement(harness);
        if (harness->records) {
            record_keep(harness, inputs, trial->badness);
        }
    }
}

void harness_print(const struct harness *harness)
{
    fprintf(stderr, "%s: %" PRIu64 " runs, %" PRIu64 " cases judged\n", harness->function->name,
            harness->runs, harness->judged);
    if (harness->badness >= 0) {
        fprintf(stderr, "%s: largest error %.6g %s, %.6g of its bound\n", harness->function->name,
                harness->worst_judgement.error_scaled,
                function_in_ulps(harness->function) ? "ulp" : "u S", harness->badness);
        fprintf(stderr, "%s: within a factor of two of it after %.2f s\n", harness->function->name,
                time_to_worst(harness));
    }
    if (harness->passed) {
        fprintf(stderr, "%s: %" PRIu64 " cases with findings\n", harness->function->name,
                harness->found);
    }
}

const char *found_name(enum found found)
{
    static const char *const names[] = {[FOUND_NOTHING] = "nothing",
                                        [FOUND_VIOLATION] = "violation",
                                        [FOUND_CLASS_MISMATCH] = "class mismatch",
                                        [FOUND_UNDECIDED] = "undecided",
                                        [FOUND_ENVIRONMENT] = "environment"};
    return names[found];
}

double harness_processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
