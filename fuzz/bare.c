/* Searches without an engine, for comparison: `fuzz_bare METHOD FUNCTION SEED` draws cases of the
 * domain of everyday data ("everyday") or of each domain in turn ("domains"), or climbs
 * ("climber"). The environment says for how long and in which implementation, as it does to the
 * targets. */
#include "harness.h"

#include "../corpus/climb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 2, BATCH = 64, PATIENCE = 2000, SAMPLES = 32 };

static struct harness harness;

static bool time_left(void)
{
    return harness_processor_time() < harness.seconds;
}

static void draw(uint64_t seed, bool everyday)
{
    const struct domains *domains = domains_of(harness.function);
    struct values inputs = {0};
    struct trial trial;
    for (uint64_t number = 0; number % BATCH != 0 || time_left(); number++) {
        size_t which = everyday ? domains->typical : number % domains->count;
        draw_case(seed, harness.function, &domains->list[which], number, &inputs);
        harness_try(&harness, &inputs, &trial);
        harness.runs++;
    }
    values_free(&inputs);
}

static double measure(void *context, const struct values *inputs)
{
    (void)context;
    struct trial trial;
    harness.runs++;
    harness_try(&harness, inputs, &trial);
    return trial.badness;
}

/* From samples of some domain, every fourth time from the worst case so far. */
static void climb(uint64_t seed)
{
    const struct domains *domains = domains_of(harness.function);
    struct stream stream = {.key = seed};
    struct values worst = {0};
    struct climb climb;
    climb_create(&climb, harness.function, measure, NULL);
    while (time_left()) {
        uint64_t own = draw_bits(&stream);
        if (draw_below(&stream, 4) == 0 && harness.badness >= 0) {
            values_copy(&worst, &harness.worst);
            climb_start(&climb, own, &worst);
        } else {
            size_t which = (size_t)draw_below(&stream, domains->count);
            climb_start_in(&climb, own, &domains->list[which], draw_bits(&stream) >> 1, SAMPLES);
        }
        for (uint64_t i = 0; climb.idle < PATIENCE && (i % BATCH != 0 || time_left()); i++) {
            climb_step(&climb);
        }
    }
    climb_free(&climb);
    values_free(&worst);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s everyday|domains|climber FUNCTION SEED\n", argv[0]);
        return USAGE;
    }
    uint64_t seed = strtoull(argv[3], NULL, 10);
    harness_create(&harness, argv[2]);
    if (!(harness.seconds > 0)) {
        fputs("TRUELERP_FUZZ_SECONDS is not set\n", stderr);
        return USAGE;
    }
    if (strcmp(argv[1], "climber") == 0) {
        climb(seed);
    } else {
        draw(seed, strcmp(argv[1], "everyday") == 0);
    }
    harness_print(&harness);
    return 0;
}
