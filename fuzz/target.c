/* The fuzz target of one function: bytes become a case, the library answers, the oracle judges.
 *
 * Built once per function of the catalogue, with FUZZ_FUNCTION set to its name. Every byte string
 * is a valid case and every run judges one: engines differ in what they do with a rejected input.
 */
#include "encode.h"
#include "finding.h"
#include "guide.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *data, size_t most, unsigned seed);
const char *__asan_default_options(void);
int fuzz_print_input(const uint8_t *data, size_t size);
int fuzz_keep_input(const uint8_t *data, size_t size, const struct failed *failed);

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define JOINED_OF(a, b) a##_##b
#define JOINED(a, b) JOINED_OF(a, b)

/* A function of its own for each function and kind of finding, since tools tell crashes apart by
 * the names on their stack. What it prints keeps compilers from making several into one. */
#define STOP(kind)                                                                                 \
    __attribute__((noinline, noreturn)) static void JOINED(FUZZ_FUNCTION, kind)(void)              \
    {                                                                                              \
        fputs("stopped at " TEXT(FUZZ_FUNCTION) "_" #kind "\n", stderr);                           \
        abort();                                                                                   \
    }
STOP(violation)
STOP(class_mismatch)
STOP(undecided)
STOP(environment)

static struct harness harness;

/* What was freed is kept from reuse for a while, to find late reads; 256 megabytes of it, as it
 * comes, are a waste with inputs of some hundred bytes. */
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8";
}

static void print_counts(void)
{
    harness_print(&harness);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness_create(&harness, TEXT(FUZZ_FUNCTION));
    atexit(print_counts);
    return 0;
}

static void stop(enum found found)
{
    print_counts();
    switch (found) {
    case FOUND_NOTHING:
        return;
    case FOUND_VIOLATION:
        JOINED(FUZZ_FUNCTION, violation)();
    case FOUND_CLASS_MISMATCH:
        JOINED(FUZZ_FUNCTION, class_mismatch)();
    case FOUND_UNDECIDED:
        JOINED(FUZZ_FUNCTION, undecided)();
    case FOUND_ENVIRONMENT:
        JOINED(FUZZ_FUNCTION, environment)();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct values inputs;
    static struct trial trial; /* on the stack, it would be poisoned around in every run */
    harness.runs++;
    decode_case(harness.function, data, size, &inputs);
    harness_try(&harness, &inputs, &trial);
    if (harness.mode > MODE_PLAIN) {
        guide_show(&trial);
    }
    if (harness_stops_at(&harness, trial.found)) {
        finding_tell(&harness, &inputs, &trial);
        stop(trial.found);
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return guide_mutate(&harness, data, size, most, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *data, size_t most, unsigned seed)
{
    return guide_cross(&harness, first, first_size, second, second_size, data, most, seed);
}

/* For the replay driver: what an input says, without asking anybody about it. */
int fuzz_print_input(const uint8_t *data, size_t size)
{
    static struct values inputs;
    decode_case(harness.function, data, size, &inputs);
    finding_print_case(stdout, harness.function, &inputs);
    return 0;
}

/* The same for an input that failed: told and kept as findings are. */
int fuzz_keep_input(const uint8_t *data, size_t size, const struct failed *failed)
{
    static struct values inputs;
    decode_case(harness.function, data, size, &inputs);
    return finding_keep(&harness, &inputs, failed) ? 0 : 1;
}
