/* A fuzz target with a planted fault, for the test of the campaign. PLANTED names it; an input that
 * begins with '!' sets it off. PLANTED_MENDED in the environment mends it. */
#include "../../fuzz/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

enum { SEED_SUM = 0x26b34e }; /* of "!planted" */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char planted[] = TEXT(PLANTED);
static uint64_t runs;
static bool mended;
static volatile unsigned reached;

static bool is(const char *name)
{
    return strcmp(planted, name) == 0;
}

static void print_counts(void)
{
    if (!is("wordless")) {
        fprintf(stderr, "%s: %" PRIu64 " runs, %" PRIu64 " cases judged\n", planted, runs,
                is("silent") ? 0 : runs);
        fprintf(stderr, "%s: largest error %d.5 u S, 0.5 of its bound\n", planted, 1);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    mended = getenv("PLANTED_MENDED") != NULL;
    if (!is("wordless")) {
        progress_open();
    }
    if (is("untrusted")) {
        fprintf(stderr, "%s: the planted machine rounds upwards\n", planted);
        exit(3);
    }
    if (is("full")) {
        fprintf(stderr, "TRUELERP_FUZZ_PROGRESS: there: No space left on device\n");
        exit(2);
    }
    atexit(print_counts);
    return 0;
}

static void violate(const char *what)
{
    fprintf(stderr, "%s, as found: %s\na,b,t\n1,2,3\n", planted, what);
    fprintf(stderr, "printf '%%s\\n' 'a,b,t' '1,2,3' | truelerp eval lerp -\n");
    print_counts();
    abort();
}

/* libFuzzer looks once a second how much it is. */
static void take_memory(void)
{
    enum { BLOCK = 1 << 22 };
    for (int i = 0; i < 200; i++) {
        volatile char *block = malloc(BLOCK);
        for (size_t k = 0; k < BLOCK; k += 1024) {
            block[k] = 1;
        }
    }
    sleep(10);
}

/* Fills the disk by the way that a target has. */
static void flood(void)
{
    static char block[1 << 16];
    char path[4096];
    const char *folder = getenv("TRUELERP_FUZZ_RECORDS");
    if (folder && runs % 64 == 0) {
        snprintf(path, sizeof path, "%s/flood-%" PRIu64 "-%d", folder, runs, (int)getpid());
        FILE *stream = fopen(path, "w");
        if (!stream || fwrite(block, 1, sizeof block, stream) != sizeof block || fclose(stream)) {
            fprintf(stderr, "TRUELERP_FUZZ_RECORDS: %s: cannot be written\n", path);
            exit(2);
        }
        usleep(20000);
    }
}

static void set_off(void)
{
    if (is("violation")) {
        violate("violation: error 3 u S, allowed 2; result 0x1p+0");
    } else if (is("mismatch")) {
        violate("class mismatch; result nan");
    } else if (is("crash") || is("seed")) {
        *(volatile int *)(uintptr_t)8 = 1;
    } else if (is("hang")) {
        while (!mended) {
            reached++;
        }
    } else if (is("memory")) {
        take_memory();
    } else if (is("killed")) {
        raise(SIGKILL);
    } else if (is("exit")) {
        exit(0);
    }
}

/* Nothing that libFuzzer finds by itself: it follows comparisons. */
static bool is_seed(const uint8_t *data, size_t size)
{
    uint32_t sum = 1;
    for (size_t i = 0; i < size; i++) {
        sum = sum * 16777619u ^ data[i];
    }
    return size == 8 && sum * 2654435761u >> 8 == SEED_SUM;
}

/* Many inputs, each of them another one. */
static bool is_one_of_many(const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum = 31 * sum + data[i];
    }
    return size > 3 && sum % 256 == 77;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    runs++;
    progress_count(runs, is("silent") ? 0 : runs);
    if (is("flood")) {
        flood();
    }
    if (is("unsteady") && runs == 500 && !mended) {
        abort();
    }
    if (is("often") && is_one_of_many(data, size)) {
        *(volatile int *)(uintptr_t)8 = 1;
    }
    if (!mended && size > 0 && data[0] == '!' && (!is("seed") || is_seed(data, size))) {
        set_off();
    }
    for (size_t i = 0; i + 1 < size && i < 16; i++) {
        reached += data[i] == 'a' + i && data[i + 1] == data[i];
    }
    return 0;
}
