#include "guide.h"
#include "deck.h"
#include "encode.h"

#include "../corpus/climb.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of libFuzzer; other engines and the replay driver have none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

/* Two steps to an octave of the share of the bound, from 2^-32 to 2^32; one to an octave of the
 * condition; the largest errors by condition, coarsely; the oracle's effort by octaves. */
enum { ERRORS = 128, CONDITIONS = 128, GROUPS = 32, TOPS = 8, EFFORTS = 16 };
enum { FIRST_CONDITION = ERRORS, FIRST_PAIR = FIRST_CONDITION + CONDITIONS };
enum { FIRST_EFFORT = FIRST_PAIR + GROUPS * TOPS, COUNTERS = FIRST_EFFORT + EFFORTS };

/* The engine looks at every byte after every run, and tells eight ranges of a byte's value apart.
 * So eight counters share a byte, of which a run sets one at most: each has the first value of a
 * range of its own. */
enum { SHARING = 8 };
static const uint8_t range_starts[SHARING] = {1, 2, 3, 4, 8, 16, 32, 128};
static_assert(FIRST_CONDITION % SHARING == 0 && FIRST_PAIR % SHARING == 0 &&
                  FIRST_EFFORT % SHARING == 0 && COUNTERS % SHARING == 0,
              "counters of which a run sets several share no byte");

/* Volatile and used: nothing in the program reads them, and compilers drop such arrays. */
__attribute__((
    used,
    section("__libfuzzer_extra_counters"))) static volatile uint8_t counters[COUNTERS / SHARING];

static void count(unsigned which)
{
    counters[which / SHARING] = range_starts[which % SHARING];
}

static unsigned clamped(double x, unsigned most)
{
    return (unsigned)fmin(fmax(floor(x), 0), most - 1);
}

/* How much larger the error is in ulps of the answer than in the unit of its bound: what the data
 * cost. The answer's own figure where it has one. */
static double condition_of(const struct judgement *judgement)
{
    if (judgement->figure > 0) {
        return judgement->figure;
    }
    return judgement->error_scaled > 0 ? judgement->error_ulp / judgement->error_scaled : 1;
}

void guide_show(const struct trial *trial)
{
    const struct judgement *judgement = &trial->judgement;
    double effort = judgement->precision > 0 ? log2(1.0 + (double)judgement->precision) : 0;
    count(FIRST_EFFORT + clamped(effort, EFFORTS));
    if (!(trial->badness > 0)) {
        return;
    }
    double octave = log2(trial->badness);
    double condition = log2(condition_of(judgement));
    count(clamped(2 * (octave + 32), ERRORS));
    count(FIRST_CONDITION + clamped(condition + 16, CONDITIONS));
    unsigned group = clamped((condition + 16) / 4, GROUPS);
    unsigned top = clamped(octave + TOPS, TOPS);
    count(FIRST_PAIR + group * TOPS + top);
}

void guide_show_kind(unsigned kind)
{
    count(kind % GUIDE_KINDS);
}

/* The climb goes on from one call to the next, so that what one finds is not lost where the engine
 * does not take it up. */
struct guide {
    struct harness *harness;
    struct stream stream;
    struct mutator mutator;
    struct climb climb;
    bool climbing;
    struct values given, found; /* what the engine gave; a case with a finding, if is_found */
    bool is_found;
    unsigned calls;
};

enum { STEPS = 64, PATIENCE = 2000, SAMPLES = 32 };

static double measure(void *context, const struct values *inputs)
{
    struct guide *guide = context;
    struct trial trial;
    harness_try(guide->harness, inputs, &trial);
    if (harness_stops_at(guide->harness, trial.found) && !guide->is_found) {
        values_copy(&guide->found, inputs);
        guide->is_found = true;
    }
    return trial.badness;
}

/* One to a process, as the harness is. */
static struct guide *guide_of(struct harness *harness, unsigned seed)
{
    static struct guide guide;
    if (!guide.harness) {
        guide.harness = harness;
        mutator_create(&guide.mutator, harness->function);
        climb_create(&guide.climb, harness->function, measure, &guide);
    }
    guide.stream = (struct stream){.key = seed};
    guide.stream.key = draw_bits(&guide.stream);
    return &guide;
}

static const struct domain *some_domain(struct guide *guide)
{
    const struct domains *domains = guide->mutator.domains;
    return &domains->list[draw_below(&guide->stream, domains->count)];
}

/* From the engine's input, from the worst case so far, or from the worst of some samples. */
static void set_out(struct guide *guide)
{
    uint64_t seed = draw_bits(&guide->stream);
    switch (draw_below(&guide->stream, 4)) {
    case 0:
        climb_start(&guide->climb, seed, &guide->given);
        break;
    case 1:
        if (guide->harness->badness >= 0) {
            values_copy(&guide->given, &guide->harness->worst);
        }
        climb_start(&guide->climb, seed, &guide->given);
        break;
    default:
        climb_start_in(&guide->climb, seed, some_domain(guide), draw_bits(&guide->stream) >> 1,
                       SAMPLES);
    }
    guide->climbing = true;
}

static const struct values *climb_on(struct guide *guide)
{
    if (!guide->climbing || guide->climb.idle >= PATIENCE) {
        set_out(guide);
    }
    bool better = false;
    for (int i = 0; i < STEPS && !guide->is_found; i++) {
        better = climb_step(&guide->climb) || better;
    }
    if (guide->is_found) {
        guide->is_found = false;
        guide->climbing = false;
        return &guide->found;
    }
    return better ? &guide->climb.best : &guide->climb.place;
}

static void end_in_time(const struct harness *harness, unsigned calls)
{
    if (harness->seconds > 0 && calls % 32 == 0 && harness_processor_time() > harness->seconds) {
        exit(0);
    }
}

static size_t mutate_bytes(uint8_t *data, size_t size, size_t most)
{
    return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, most) : size;
}

/* Every input of the engine has its turn in each of three ways: climbing takes most of the time,
 * single changes keep the engine's own evolution going, and bytes are changed now and then, for
 * what no mutation of numbers does. */
size_t guide_mutate(struct harness *harness, uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (harness->mode == MODE_EVERYDAY) {
        return deck_deal(harness->function, data, most);
    }
    struct guide *guide = guide_of(harness, seed);
    end_in_time(harness, guide->calls++);
    uint64_t way = draw_below(&guide->stream, 16);
    if (harness->mode < MODE_MUTATOR || way == 0) {
        return mutate_bytes(data, size, most);
    }
    const struct values *changed = &guide->given;
    decode_case(harness->function, data, size, &guide->given);
    if (harness->mode == MODE_CLIMB && way >= 8) {
        changed = climb_on(guide);
    } else if (size <= 1 || way == 1) {
        draw_case(seed, harness->function, some_domain(guide), draw_bits(&guide->stream) >> 1,
                  &guide->given);
    } else {
        climb_mutate(&guide->mutator, &guide->stream, &guide->given);
    }
    size_t encoded = encode_case(harness->function, changed, data, most);
    return encoded > 0 ? encoded : mutate_bytes(data, size, most);
}

/* Whose length the field's depends on; itself if it is free. */
static size_t leader_of(const struct function *function, size_t i)
{
    const struct field *field = &function->inputs[i];
    return field->kind == FIELD_LIST && field->length != LENGTH_ANY ? field->like : i;
}

size_t guide_cross(struct harness *harness, const uint8_t *first, size_t first_size,
                   const uint8_t *second, size_t second_size, uint8_t *data, size_t most,
                   unsigned seed)
{
    static struct values from[2], crossed;
    const struct function *function = harness->function;
    if (harness->mode < MODE_MUTATOR) {
        return 0;
    }
    struct guide *guide = guide_of(harness, seed);
    uint64_t coins = draw_bits(&guide->stream);
    decode_case(function, first, first_size, &from[0]);
    decode_case(function, second, second_size, &from[1]);
    values_clear(&crossed);
    for (size_t i = 0; i < function->input_count; i++) {
        const struct values *parent = &from[coins >> leader_of(function, i) & 1];
        size_t length = values_length(parent, i);
        double *number = values_append(&crossed, length);
        if (length > 0) {
            memcpy(number, values_field(parent, i), length * sizeof *number);
        }
    }
    return encode_case(function, &crossed, data, most);
}
