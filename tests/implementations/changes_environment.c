/* Does something to the caller's floating-point environment, or to errno. */
#include <truelerp.h>

#include <errno.h>
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

/* How, as the first value of what is to be built says; anything else is not at all. */
static void disturb(double how)
{
    if (how == 10) {
        fesetround(FE_UPWARD);
    } else if (how == 20) {
        feclearexcept(FE_INEXACT);
    } else if (how == 30) {
        errno = ERANGE;
    }
}

/* The same where the library is asked for nothing but numbers. */
double tl_angle3(const double a[3], const double b[3])
{
    (void)b;
    disturb(a[0]);
    return 0;
}

/* A result that each rounding mode has another one of. A negative time stands for an evaluation
 * that takes back what its builder did. */
static double evaluate(double t)
{
    if (t < 0) {
        fesetround(FE_TONEAREST);
    }
    return t / 3;
}

size_t tl_newton_size(size_t count, size_t channels)
{
    return count * channels;
}

tl_status tl_newton_build(tl_newton_table *newton, const double *times, const double *values,
                          size_t count, size_t channels, double *memory, size_t at[2])
{
    (void)newton, (void)times, (void)count, (void)channels, (void)memory;
    at[0] = at[1] = TL_NO_INDEX;
    disturb(values[0]);
    return TL_OK;
}

void tl_newton(const tl_newton_table *newton, double t, double *result)
{
    (void)newton;
    result[0] = evaluate(t);
}

void tl_crossfade_newton(const tl_newton_table *a, const tl_newton_table *b, double t, double w,
                         double *result)
{
    (void)a, (void)b, (void)w;
    result[0] = evaluate(t);
}

size_t tl_track_size(size_t order, size_t count, size_t channels)
{
    return order * count * channels;
}

tl_status tl_track_build(tl_track_table *track, size_t order, const double *times,
                         const double *values, size_t count, size_t channels, double *memory,
                         size_t at[2])
{
    (void)track, (void)order, (void)times, (void)count, (void)channels, (void)memory;
    at[0] = at[1] = TL_NO_INDEX;
    disturb(values[0]);
    return TL_OK;
}

void tl_track(const tl_track_table *track, double t, double *result)
{
    (void)track;
    result[0] = evaluate(t);
}

size_t tl_curve_size(size_t count)
{
    return count;
}

tl_status tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count, tl_wrap before,
                         tl_wrap after, double *memory, size_t at[2])
{
    (void)curve, (void)count, (void)before, (void)after, (void)memory;
    at[0] = at[1] = TL_NO_INDEX;
    disturb(keys[0].value);
    return TL_OK;
}

double tl_curve(const tl_curve_table *curve, double t)
{
    (void)curve;
    return evaluate(t);
}

double tl_crossfade(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    (void)a, (void)b, (void)w;
    return evaluate(t);
}
