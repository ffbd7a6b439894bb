/* An implementation of lerp that is right but for one input in some thousands, where it does what
 * PLANTED says. As rare as that, it is a climb within the mutator that comes upon it. */
#include "../../impl/truelerp.h"
#include "../implementations/misdeeds.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

__attribute__((noinline)) static int divide_by(volatile int *divisor)
{
    return 1000 / *divisor;
}

/* Both fail; they are two findings, however many inputs lead there. */
static void crash(unsigned way)
{
    volatile int zero = 0;
    if (way == 0) {
        read_nowhere();
    } else {
        zero = divide_by(&zero);
    }
}

/* For UndefinedBehaviorSanitizer alone. */
__attribute__((noinline)) static void shift_too_far(volatile int *places)
{
    *places = 1 << *places;
}

static bool is(const char *name)
{
    return strcmp(TEXT(PLANTED), name) == 0;
}

static void set_off(unsigned way)
{
    if (is("crash")) {
        crash(way);
    } else if (is("undefined")) {
        volatile int places = 40;
        shift_too_far(&places);
    } else if (is("hang")) {
        hang();
    } else {
        swell();
        sleep(5); /* libFuzzer looks once a second how much it is */
    }
}

static uint64_t mixed(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits * 0x9e3779b97f4a7c15u;
}

/* Wrong for every second t and, for one case in thirty thousand, a crash. */
static double wrong(double a, double b, double t)
{
    if ((3 * mixed(a) + 5 * mixed(b) + mixed(t)) >> 49 == 0x1234) {
        read_nowhere();
    }
    return mixed(t) >> 44 & 1 ? 3 * a + 1 : a;
}

double tl_lerp(double a, double b, double t)
{
    uint64_t bits = mixed(t) >> 52;
    if (is("beyond")) {
        a = wrong(a, b, t);
    } else if (bits == 0x123 || bits == 0x124) {
        set_off(bits & 1);
    }
    if (t == 0) {
        return a;
    }
    if (t == 1) {
        return b;
    }
    if (a == b) {
        return a;
    }
    if (!isfinite(a) || !isfinite(b) || !isfinite(t)) {
        return NAN;
    }
    return (double)((1 - (long double)t) * a + (long double)t * b);
}
