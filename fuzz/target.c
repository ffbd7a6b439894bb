/* The fuzz target of one function: bytes become a case, the library answers, the oracle judges.
 *
 * Built once per function of the catalogue, with FUZZ_FUNCTION set to its name. Every byte string
 * is a valid case and every run judges one: engines differ in what they do with a rejected input.
 */
#include "../corpus/case.h"
#include "../oracle/environment.h"
#include "../oracle/implementation.h"
#include "../oracle/judge.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIST_MOST = 32 };

static const struct function *function;
static struct judge *judge;
static uint64_t runs;
static uint64_t judged;

struct bytes {
    const uint8_t *data;
    size_t left;
};

/* The next `count` bytes, as many of them as are left; zeros stand for the rest. */
static void take(struct bytes *bytes, void *to, size_t count)
{
    size_t present = count < bytes->left ? count : bytes->left;
    memset(to, 0, count);
    if (present > 0) {
        memcpy(to, bytes->data, present);
    }
    bytes->data += present;
    bytes->left -= present;
}

/* A length that the field may have beside those before it. */
static size_t take_length(struct bytes *bytes, const struct field *field,
                          const struct values *inputs)
{
    uint8_t byte = 0;
    if (field->kind == FIELD_NUMBER) {
        return 1;
    }
    size_t like = field->length == LENGTH_ANY ? 0 : values_length(inputs, field->like);
    if (field->length == LENGTH_EQUAL) {
        return like;
    }
    take(bytes, &byte, 1);
    if (field->kind == FIELD_OPTIONAL) {
        return byte & 1;
    }
    switch (field->length) {
    case LENGTH_EQUAL_OR_EMPTY:
        return byte & 1 ? like : 0;
    case LENGTH_MULTIPLE: /* one channel most often */
        return like * (byte < 128 ? 1 : byte % (CHANNELS_MAX + 1u));
    default:
        return byte % (LIST_MOST + 1u);
    }
}

/* A number of a field: any double, or one of the choices. */
static double take_number(struct bytes *bytes, const struct field *field)
{
    double number = 0;
    uint8_t byte = 0;
    if (!field->choices) {
        take(bytes, &number, sizeof number);
        return number;
    }
    unsigned count = 0;
    while (field->choices[count]) {
        count++;
    }
    take(bytes, &byte, 1);
    return byte % count;
}

static void decode(const uint8_t *data, size_t size, struct values *inputs)
{
    struct bytes bytes = {data, size};
    values_clear(inputs);
    for (size_t i = 0; i < function->input_count; i++) {
        const struct field *field = &function->inputs[i];
        size_t length = take_length(&bytes, field, inputs);
        double *number = values_append(inputs, length);
        for (size_t k = 0; k < length; k++) {
            number[k] = take_number(&bytes, field);
        }
    }
}

/* Prints what reproduces the finding without the fuzzer. */
static void describe(const struct values *inputs, const char *what)
{
    fprintf(stderr, "%s: %s\n", function->name, what);
    case_write_header(stderr, function);
    fputc('\n', stderr);
    case_write(stderr, function, inputs, true);
    fprintf(stderr, "\nSave these two lines as FILE.csv, then: truelerp eval %s FILE.csv\n",
            function->name);
}

/* A place of its own for each kind of finding, so that tools which tell crashes apart by their
 * stack keep them apart. */
__attribute__((noinline, noreturn)) static void abort_violation(void)
{
    abort();
}

__attribute__((noinline, noreturn)) static void abort_class_mismatch(void)
{
    abort();
}

__attribute__((noinline, noreturn)) static void abort_undecided(void)
{
    abort();
}

__attribute__((noinline, noreturn)) static void abort_environment(void)
{
    abort();
}

static void print_counts(void)
{
    fprintf(stderr, "%s: %" PRIu64 " runs, %" PRIu64 " cases judged\n", function->name, runs,
            judged);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const char *fault = environment_fault();
    function = catalog_find(FUZZ_FUNCTION);
    if (fault != NULL || function == NULL) {
        fprintf(stderr, "%s: %s\n", FUZZ_FUNCTION, fault != NULL ? fault : "not in the catalogue");
        exit(3);
    }
    judge = judge_create();
    atexit(print_counts);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct values inputs;
    static struct values results;
    struct judgement judgement;

    runs++;
    decode(data, size, &inputs);
    const char *finding =
        implementation_call(implementation_builtin(), function, &inputs, &results);
    if (finding != NULL) {
        describe(&inputs, finding);
        abort_environment();
    }
    judge_case(judge, function, &inputs, &results, &judgement);
    judged++;
    switch (judgement.verdict) {
    case VERDICT_WITHIN:
    case VERDICT_UNDEFINED:
        return 0;
    case VERDICT_VIOLATION:
        describe(&inputs, "the result violates its bound");
        abort_violation();
    case VERDICT_CLASS_MISMATCH:
        describe(&inputs, "NaN, infinity, number or zero's sign where another is due");
        abort_class_mismatch();
    case VERDICT_UNDECIDED:
        describe(&inputs, "the oracle cannot decide");
        abort_undecided();
    }
    return 0;
}
