#define TL_VARIANT baseline
#define TL_PUBLIC 1
#include "dispatch.h"

#include <stddef.h>
#include <string.h>

#define TL_TEXT_(x) #x
#define TL_TEXT(x) TL_TEXT_(x)

const char *tl_version(void)
{
    return TL_TEXT(TL_VERSION_MAJOR) "." TL_TEXT(TL_VERSION_MINOR) "." TL_TEXT(TL_VERSION_PATCH);
}

#if TL_HAS_FMA_VARIANT

_Atomic unsigned tl_variant = TL_VARIANT_BASELINE;

static const char *const names[] = {[TL_VARIANT_BASELINE] = "baseline", [TL_VARIANT_FMA] = "fma"};

/* Whether processor and operating system have what the kernels were compiled for. */
static int supported(unsigned variant)
{
    __builtin_cpu_init();
    return variant == TL_VARIANT_BASELINE ||
           (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
}

/* Constructors that run before this one get the baseline, which answers the same bits. */
__attribute__((constructor)) static void choose(void)
{
    if (supported(TL_VARIANT_FMA)) {
        tl_variant = TL_VARIANT_FMA;
    }
}

#else

static const char *const names[] = {[TL_VARIANT_BASELINE] = "baseline"};

static int supported(unsigned variant)
{
    return variant == TL_VARIANT_BASELINE;
}

#endif

const char *tl_instruction_set(void)
{
    return names[tl_variant];
}

int tl_use_instruction_set(const char *name)
{
    for (unsigned variant = 0; variant < sizeof names / sizeof *names; variant++) {
        if (name != NULL && strcmp(name, names[variant]) == 0 && supported(variant)) {
#if TL_HAS_FMA_VARIANT
            tl_variant = variant;
#endif
            return 0;
        }
    }
    return -1;
}

const char *tl_status_text(tl_status status)
{
    switch (status) {
    case TL_OK:
        return "nothing is wrong";
    case TL_EMPTY:
        return "there is nothing to interpolate";
    case TL_TIME_NOT_FINITE:
        return "a time is not finite";
    case TL_VALUE_NOT_FINITE:
        return "a value is not finite";
    case TL_TIMES_FALL:
        return "a time is before the one that it follows";
    case TL_TIMES_EQUAL:
        return "two times are equal";
    case TL_THREE_AT_ONE_TIME:
        return "three keys are at one time";
    case TL_OUT_OF_RANGE:
        return "a coefficient is outside the range of doubles";
    case TL_NO_SUCH_CHOICE:
        return "there is no such order or wrap";
    }
    return "unknown status";
}
