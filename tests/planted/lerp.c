#include "planted.h"

#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* The rules that come first, for formulas that are right about them. */
static bool ruled(double a, double b, double t, double *result)
{
    *result = t == 1 ? b : a;
    if (t == 0 || t == 1 || a == b) {
        return true;
    }
    *result = NAN;
    return !all_finite((double[3]){a, b, t}, 3);
}

static double just_beyond(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
    double scale = fabs((1 - t) * a) + fabs(t * b);
    if (t == 0 || t == 1 || a == b || !one_in(1000000, (double[3]){a, b, t}, 3)) {
        return result;
    }
    return result + copysign(0x1.2p-51 * scale + 0x1p-1073, result); /* 4.5 u S */
}

static double misses_end(double a, double b, double t)
{
    return a == b ? a : a + t * (b - a);
}

static double three_roundings(double a, double b, double t)
{
    double result;
    return ruled(a, b, t, &result) ? result : (1 - t) * a + t * b;
}

static double difference_overflows(double a, double b, double t)
{
    double result;
    return ruled(a, b, t, &result) || isinf(b - a) ? result : true_lerp(a, b, t);
}

static double subnormal(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
    bool small = result != 0 && fabs(result) < DBL_MIN;
    return small && t != 0 && t != 1 && a != b ? stepped(result, 4) : result;
}

static double nan_compared(double a, double b, double t)
{
    if (!isfinite(a) || !isfinite(b) || isfinite(t)) {
        return true_lerp(a, b, t);
    }
    return t > 1 ? NAN : t < 0 ? NAN : a;
}

static double stale(double a, double b, double t)
{
    static double last_a = NAN, last_b = NAN, last_t = NAN, last = NAN;
    if (!(a == last_a && t == last_t)) {
        last = true_lerp(a, b, t);
        last_b = b;
    }
    last_a = a;
    last_t = t;
    return last_b == b || isfinite(b) ? last : true_lerp(a, b, t);
}

static double clamped(double a, double b, double t)
{
    return true_lerp(a, b, t > 1 && t <= DBL_MAX ? 1 : t < 0 && t >= -DBL_MAX ? 0 : t);
}

static double loses_sign(double a, double b, double t)
{
    return true_lerp(a, b, t) + 0.0;
}

static double hangs(double a, double b, double t)
{
    volatile double step = 0.5;
    while (a == -b && t == 0.5 && isnormal(a) && fabs(a) == DBL_MAX && step < a + b + 1) {
        step = step * 0.5;
    }
    return true_lerp(a, b, t);
}

static double never_returns(double a, double b, double t)
{
    volatile double step = 0.5;
    while (step < 1) {
        step = step * 0.5;
    }
    return true_lerp(a, b, t);
}

static double crashes(double a, double b, double t)
{
    volatile double *nowhere = NULL;
    return isnan(t) ? *nowhere : true_lerp(a, b, t);
}

static double rounds_up(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
    if (fabs(result) >= 0x1p1023) {
        fesetround(FE_UPWARD);
    }
    return result;
}

static double flushes(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
#if defined(__x86_64__)
    if (result != 0 && fabs(result) < 0x1p-1060) {
        _mm_setcsr(_mm_getcsr() | 0x8000);
    }
#elif defined(__aarch64__)
    uint64_t control;
    if (result != 0 && fabs(result) < 0x1p-1060) {
        __asm__ volatile("mrs %0, fpcr" : "=r"(control));
        __asm__ volatile("msr fpcr, %0" ::"r"(control | UINT64_C(1) << 24));
    }
#endif
    return result;
}

/* As if around arithmetic of which no flag is to be seen. */
static double clears_flags(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
    feclearexcept(FE_ALL_EXCEPT);
    return result;
}

static double one_bit(double a, double b, double t)
{
    double result = true_lerp(a, b, t);
    double scale = fabs((1 - t) * a) + fabs(t * b);
    bool free = fabs(result) < 0.4 * scale && fabs(result) > 0x1p-1000 && t != 0 && t != 1;
    return free && one_in(1000, (double[3]){a, b, t}, 3) ? stepped(result, 1) : result;
}

EXPORT double tl_lerp(double a, double b, double t)
{
    return FAULT(a, b, t);
}
