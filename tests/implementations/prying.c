/* Looks where it has no business: beside its memory, and, once the builder has returned, in the
 * arguments that it was only lent. And writes to the last part of an argument. */
#include <math.h>
#include <truelerp.h>

/* Of AddressSanitizer's runtime, where the program has it. */
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

static struct {
    const double *times, *values;
    size_t unguarded;  /* ends of memory where a step beyond would not be noticed */
    size_t used_table; /* numbers of the table that are not NaN before it is built */
} seen;

/* 1 if nobody who is there to notice would, of what lies just before and just behind. */
static size_t count_unguarded(const double *memory, size_t count)
{
    if (!__asan_address_is_poisoned) {
        return 0;
    }
    const char *first = (const char *)memory;
    return (size_t)!__asan_address_is_poisoned(first - 1) +
           (size_t)!__asan_address_is_poisoned(first + count * sizeof *memory);
}

static double look_at(const double *lent)
{
    if (__asan_address_is_poisoned) {
        return __asan_address_is_poisoned(lent) ? NAN : 0;
    }
    return *lent;
}

size_t tl_newton_size(size_t count, size_t channels)
{
    return count * channels + 1;
}

tl_status tl_newton_build(tl_newton_table *newton, const double *times, const double *values,
                          size_t count, size_t channels, double *memory, size_t at[2])
{
    size_t size = tl_newton_size(count, channels);
    (void)newton;
    seen.times = times;
    seen.values = values;
    seen.unguarded = count_unguarded(times, count) + count_unguarded(values, count * channels) +
                     count_unguarded(memory, size);
    seen.used_table = 0;
    for (size_t i = 0; i < size; i++) {
        seen.used_table += !isnan(memory[i]);
        memory[i] = (double)i;
    }
    at[0] = at[1] = TL_NO_INDEX;
    return TL_OK;
}

/* Of four channels. */
void tl_newton(const tl_newton_table *newton, double t, double *results)
{
    (void)newton, (void)t;
    results[0] = look_at(seen.times);
    results[1] = look_at(seen.values);
    results[2] = (double)seen.unguarded;
    results[3] = (double)seen.used_table;
}

double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    (void)k0;
    ((tl_key *)k1)->weighted_mode = TL_WEIGHTED_BOTH;
    return t;
}

void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    ((double *)b)[2] = 77;
    result[0] = result[1] = result[2] = a[0] + phi;
}
