/* Right, but for what it does to the caller's floating-point environment. */
#include <truelerp.h>

#include <fenv.h>
#include <math.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

double tl_lerp(double a, double b, double t)
{
    fesetround(FE_UPWARD);
    return t == 0 ? a : b;
}

double tl_lerp_cr(double a, double b, double t)
{
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ and DAZ */
#else
    fesetround(FE_DOWNWARD);
#endif
    return t == 0 ? a : b;
}

/* The sticky flags are a result, not a change. */
double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    feraiseexcept(FE_OVERFLOW | FE_INEXACT | FE_INVALID);
    return t <= k0->time ? k0->value : k1->value;
}
