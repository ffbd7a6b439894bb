/* An implementation of lerp that fails in several ways, each in a region of its own whose simplest
 * case is known, and at two places next to each other. */
#include "misdeeds.h"

#include "../../impl/truelerp.h"

#include <stdint.h>
#include <stdlib.h>

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
