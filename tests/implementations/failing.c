/* An implementation of lerp that fails in several ways, each in a region of its own whose simplest
 * case is known, and at two places next to each other. */
#include "../../impl/truelerp.h"

#include <stdint.h>
#include <stdlib.h>

__attribute__((noinline)) static void read_nowhere(void)
{
    volatile int *volatile nowhere = (volatile int *)(uintptr_t)8;
    *nowhere = 1;
}

__attribute__((noinline)) static void write_nowhere(void)
{
    volatile int *volatile nowhere = (volatile int *)(uintptr_t)16;
    *nowhere += 1;
}

__attribute__((noinline)) static void give_up(volatile int *places)
{
    *places += 1;
    abort();
}

__attribute__((noinline)) static void give_up_too(volatile int *places)
{
    *places += 2;
    abort();
}

static void hang(void)
{
    static volatile unsigned turns;
    while (turns < UINT32_MAX) {
        turns = turns % 2;
    }
}

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

double tl_lerp(double a, double b, double t)
{
    volatile int places = 0;
    if (t >= 2 && t < 1000) {
        if (a < 0) {
            read_nowhere();
        } else {
            write_nowhere();
        }
    } else if (t >= 1000 && t < 2000) {
        if (a < 0) {
            give_up(&places);
        } else {
            give_up_too(&places);
        }
    } else if (t >= 2000 && a > 100) {
        swell();
    } else if (t <= -2000 && a > 1) {
        hang();
    } else if (t <= -1000) {
        exit(0);
    }
    return t == 0 || a == b ? a : t == 1 ? b : (1 - t) * a + t * b;
}
