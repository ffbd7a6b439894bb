/* What implementations do that are wrong on purpose, so that it can be seen to be noticed. */
#ifndef TRUELERP_TESTS_MISDEEDS_H
#define TRUELERP_TESTS_MISDEEDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((noinline)) static void read_nowhere(void)
{
    volatile int *volatile nowhere = (volatile int *)(uintptr_t)8;
    *nowhere = 1;
}

static void hang(void)
{
    static volatile unsigned turns;
    while (turns < UINT32_MAX) {
        turns = turns % 2;
    }
}

/* Takes 800 MB, and uses them. */
static void swell(void)
{
    enum { BLOCK = 1 << 22 };
    for (int i = 0; i < 200; i++) {
        volatile char *block = malloc(BLOCK);
        for (size_t k = 0; block && k < BLOCK; k += 1024) {
            block[k] = 1;
        }
    }
}

#endif
