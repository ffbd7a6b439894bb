/* What linking with -ffast-math does to a shared object: a constructor changes the environment. */
#include <truelerp.h>

#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

__attribute__((constructor)) static void spoil(void)
{
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8000); /* FTZ */
#else
    fesetround(FE_DOWNWARD);
#endif
}

double tl_lerp(double a, double b, double t)
{
    return t == 0 ? a : b;
}
