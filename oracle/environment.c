#include "environment.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <mpfr.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <fenv.h>
#endif

static_assert(FLT_EVAL_METHOD == 0, "intermediate results must have double precision");
static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "double must be binary64");

#if defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__
#error "comparisons must see NaN and infinities: no -ffinite-math-only, no -ffast-math"
#endif

static double opaque(double x)
{
    volatile double hidden = x;
    return hidden;
}

static double from_bits(uint64_t bits)
{
    volatile uint64_t hidden = bits;
    uint64_t visible = hidden;
    double x;
    memcpy(&x, &visible, sizeof x);
    return x;
}

/* A comparison as numbers would take a subnormal for 0 in the very environments looked for. */
static uint64_t to_bits(double x)
{
    volatile double hidden = x;
    double visible = hidden;
    uint64_t bits;
    memcpy(&bits, &visible, sizeof bits);
    return bits;
}

static int same(double x, double y)
{
    return to_bits(x) == to_bits(y);
}

/* Each direction but to nearest even fails one: up the first, down the second, towards zero the
 * third, away from zero the first; ties away the first. */
static int rounds_to_nearest_even(void)
{
    double one = opaque(1);
    double half_ulp = opaque(0x1p-53);
    return same(one + half_ulp, 1) && same(-one - half_ulp, -1) &&
           same(one + 3 * half_ulp, 1 + 0x1p-51) && same(-one - 3 * half_ulp, -1 - 0x1p-51) &&
           same(one / opaque(3), 0x1.5555555555555p-2) &&
           same(opaque(2) / opaque(3), 0x1.5555555555555p-1);
}

static int subnormal_results_are_kept(void)
{
    return to_bits(opaque(0x1p-1022) / opaque(2)) == UINT64_C(1) << 51 &&
           to_bits(opaque(0x1p-537) * opaque(-0x1p-537)) == (UINT64_C(1) << 63 | 1) &&
           to_bits(opaque(0x1.8p-1022) - opaque(0x1p-1022)) == UINT64_C(1) << 51;
}

static int subnormal_operands_are_read(void)
{
    double least = from_bits(1);
    return to_bits(least * opaque(0x1p1022)) == to_bits(0x1p-52) &&
           to_bits(opaque(0x1p-1022) + least) == to_bits(0x1.0000000000001p-1022);
}

/* (1 + 2^-27) (1 - 2^-27) rounds to 1; a fused operation sees 1 - 2^-54. */
static int products_are_rounded_before_sums(void)
{
    double a = opaque(1 + 0x1p-27);
    double b = opaque(1 - 0x1p-27);
    double c = opaque(-1);
    double one_expression = a * b + c;
    double product = a * b;
    double two_statements = product + c;
    double difference = c + a * b;
    return same(one_expression, 0) && same(two_statements, 0) && same(difference, 0);
}

/* With more than 53 bits the sum would not have lost 2^-60. */
static int intermediate_results_are_doubles(void)
{
    double x = opaque(1);
    double y = opaque(0x1p-60);
    double huge = opaque(0x1p1023);
    return same(x + y - x, 0) && same(huge * opaque(4) / opaque(4), from_bits(0x7ffULL << 52));
}

/* The other side of the comparison, which was compiled elsewhere. */
static int mpfr_exchanges_doubles_faithfully(void)
{
    mpfr_t number;
    mpfr_init2(number, 64);
    mpfr_set_d(number, from_bits(1), MPFR_RNDN);
    int good = mpfr_cmp_ui_2exp(number, 1, -1074) == 0;
    mpfr_set_ui_2exp(number, 1, -1074, MPFR_RNDN);
    good = good && to_bits(mpfr_get_d(number, MPFR_RNDN)) == 1;
    mpfr_set_ui_2exp(number, 3, -1075, MPFR_RNDN); /* a tie */
    good = good && to_bits(mpfr_get_d(number, MPFR_RNDN)) == 2;
    mpfr_nextbelow(number);
    good = good && to_bits(mpfr_get_d(number, MPFR_RNDN)) == 1;
    mpfr_clear(number);
    return good;
}

#if defined(__x86_64__)
/* What arithmetic would not show, or only by a signal. */
static const char *control_fault(void)
{
    enum { MXCSR_MASKS = 0x1f80, X87_MASKS_AND_PRECISION = 0x033f };
    unsigned short x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    if ((_mm_getcsr() & MXCSR_MASKS) != MXCSR_MASKS) {
        return "a floating-point exception is unmasked";
    }
    return (x87 & X87_MASKS_AND_PRECISION) == X87_MASKS_AND_PRECISION
               ? NULL
               : "the x87 unit is not in its default mode";
}
#else
static const char *control_fault(void)
{
    return NULL;
}
#endif

const char *environment_fault(void)
{
    const char *control = control_fault();
    if (control) {
        return control;
    }
    if (!rounds_to_nearest_even()) {
        return "arithmetic does not round to nearest even";
    }
    if (!subnormal_results_are_kept()) {
        return "subnormal results are flushed to zero (FTZ)";
    }
    if (!subnormal_operands_are_read()) {
        return "subnormal operands are read as zero (DAZ)";
    }
    if (!products_are_rounded_before_sums()) {
        return "a*b+c is contracted to one operation";
    }
    if (!intermediate_results_are_doubles()) {
        return "intermediate results have more than double precision";
    }
    if (!mpfr_buildopt_tls_p()) {
        return "MPFR was built without thread-local storage";
    }
    if (!mpfr_exchanges_doubles_faithfully()) {
        return "MPFR does not read or write subnormal doubles faithfully";
    }
    return NULL;
}

#if defined(__x86_64__) || defined(__i386__)

enum {
    MXCSR_FLAGS = 0x3f, /* sticky; not a part of the environment that results depend on */
    MXCSR_TOLD = 0x3d,  /* those that C knows: all but the one of subnormal operands */
    MXCSR_DAZ = 0x40,
    MXCSR_FTZ = 0x8000,
    MXCSR_ROUNDING = 0x6000,
    MXCSR_DEFAULT = 0x1f80,
    X87_RESERVED = 0xf0c0, /* bits that mean nothing, or nothing any more */
    X87_MASKS = 0x3f,
    X87_ROUNDING = 0xc00,
    X87_DEFAULT = 0x37f
};

const char *environment_restore(void)
{
    unsigned mxcsr = _mm_getcsr();
    unsigned short x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    unsigned changed = (mxcsr ^ MXCSR_DEFAULT) & ~(unsigned)MXCSR_FLAGS;
    unsigned x87_changed = (x87 ^ X87_DEFAULT) & ~(unsigned)X87_RESERVED;
    if (changed == 0 && x87_changed == 0) {
        return NULL;
    }
    const unsigned short x87_default = X87_DEFAULT;
    _mm_setcsr((mxcsr & MXCSR_FLAGS) | MXCSR_DEFAULT);
    if (x87_changed & X87_MASKS) { /* what is pending would be delivered by the next instruction */
        __asm__ volatile("fnclex");
    }
    __asm__ volatile("fldcw %0" : : "m"(x87_default));
    if (changed & MXCSR_ROUNDING) {
        return "changed the rounding mode";
    }
    if (changed & MXCSR_FTZ) {
        return "set flush-to-zero (FTZ)";
    }
    if (changed & MXCSR_DAZ) {
        return "set denormals-are-zero (DAZ)";
    }
    if (changed) {
        return "unmasked a floating-point exception";
    }
    return x87_changed & X87_ROUNDING ? "changed the x87 unit's rounding mode"
                                      : "changed the x87 unit's precision or exceptions";
}

/* Arithmetic on doubles raises no flag of the x87 unit. */
static int flags_are_raised(void)
{
    return (_mm_getcsr() & MXCSR_TOLD) == MXCSR_TOLD;
}

static void raise_flags(void)
{
    _mm_setcsr(_mm_getcsr() | MXCSR_TOLD);
}

#elif defined(__aarch64__)

static const uint64_t FPCR_ROUNDING = UINT64_C(3) << 22;
static const uint64_t FPCR_FLUSH = UINT64_C(1) << 24;
/* AHP, DN, FZ, RMode, FZ16, the exceptions' enables, EBF, NEP, AH and FIZ */
static const uint64_t FPCR_CONTROL = UINT64_C(0x7c8bf07);

const char *environment_restore(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    if ((control & FPCR_CONTROL) == 0) {
        return NULL;
    }
    __asm__ volatile("msr fpcr, %0" : : "r"(control & ~FPCR_CONTROL));
    if (control & FPCR_ROUNDING) {
        return "changed the rounding mode";
    }
    return control & FPCR_FLUSH ? "set flush-to-zero (FZ)"
                                : "changed the floating-point control register";
}

/* IOC, DZC, OFC, UFC and IXC */
static const uint64_t FPSR_TOLD = 0x1f;

static uint64_t read_status(void)
{
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return status;
}

static int flags_are_raised(void)
{
    return (read_status() & FPSR_TOLD) == FPSR_TOLD;
}

static void raise_flags(void)
{
    __asm__ volatile("msr fpsr, %0" : : "r"(read_status() | FPSR_TOLD));
}

#else

const char *environment_restore(void)
{
    if (fegetround() == FE_TONEAREST) {
        return NULL;
    }
    fesetround(FE_TONEAREST);
    return "changed the rounding mode";
}

static int flags_are_raised(void)
{
    return fetestexcept(FE_ALL_EXCEPT) == FE_ALL_EXCEPT;
}

static void raise_flags(void)
{
    feraiseexcept(FE_ALL_EXCEPT);
}

#endif

enum { NO_ERROR_NUMBER = 0x7e11 };

void environment_lend(struct environment_lent *lent)
{
    lent->error = errno;
    errno = NO_ERROR_NUMBER;
    if (!flags_are_raised()) {
        raise_flags();
    }
}

const char *environment_take_back(struct environment_lent *lent)
{
    int error = errno;
    errno = lent->error;
    int flags_kept = flags_are_raised();
    const char *changed = environment_restore();
    if (changed || (flags_kept && error == NO_ERROR_NUMBER)) {
        return changed;
    }
    if (!flags_kept) {
        return "cleared floating-point exception flags";
    }
    snprintf(lent->text, sizeof lent->text, "set errno to %d (%s)", error, strerror(error));
    return lent->text;
}
