/* A target that does nothing, built as the others are: how fast the engine itself is. It gets the
 * inputs that the target of the function TRUELERP_FUZZ_FUNCTION would get while it is measured. */
#include "deck.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *data, size_t most, unsigned seed);
const char *__asan_default_options(void);

static const struct function *function;

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8"; /* as in target.c */
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("TRUELERP_FUZZ_FUNCTION");
    (void)argc;
    (void)argv;
    function = catalog_find(name ? name : "lerp");
    if (!function) {
        fprintf(stderr, "TRUELERP_FUZZ_FUNCTION: there is no function %s\n", name);
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    (void)size;
    (void)seed;
    return deck_deal(function, data, most);
}

/* As the others answer while they are measured; the engine then asks for a mutation again. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *data, size_t most, unsigned seed)
{
    (void)first;
    (void)first_size;
    (void)second;
    (void)second_size;
    (void)data;
    (void)most;
    (void)seed;
    return 0;
}
