#include "implementation.h"
#include "environment.h"

#include "../impl/truelerp.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
#define FUNCTION(name) FUNCTION_##name,
#include "catalog.def"
#undef FUNCTION
    FUNCTION_COUNT
};

typedef void any_function(void);

/* What a function needs besides tl_NAME to be called: what builds its tables. */
enum { SYMBOLS_MAX = 3 };

struct implementation {
    void *handle; /* NULL: built in */
    char *path;   /* without links, for dlopen */
    char *given;  /* as it was named: what a report says, which others may read */
    any_function *symbol[FUNCTION_COUNT][SYMBOLS_MAX]; /* NULL where it has none */
    any_function *many[FUNCTION_COUNT];                /* likewise */
    bool once;                 /* a case is one call, whatever else there is to see */
    char load_finding[80];     /* what loading it did to the environment */
    atomic_flag load_reported; /* or there is nothing to report */
};

/* The adapters: each calls one function of the header's type on copies of the inputs, so that an
 * implementation that writes to its arguments harms itself only, and with every argument that the
 * function must not read set to NaN. `outputs` comes as one NaN for each of the function's fields:
 * what is not written shows. Returns what the function did besides, or NULL. */
typedef const char *adapter(any_function *const *symbol, const struct values *inputs,
                            struct values *outputs);

enum { DIMENSIONS_MAX = 4 };

static const char wrote_arguments[] = "wrote to its arguments";
static const char wrote_beside[] = "wrote beside what it was given to write to";
static const char differs_in_place[] = "gives another result where that replaces an argument";
static const char differs_again[] = "gives another result for the same arguments";
static const char differs_many[] = "gives another result in its form for many times";

typedef double scalar_lerp(double, double, double);
typedef double key_value(const tl_key *, const tl_key *, double);
typedef void key_coefficients(const tl_key *, const tl_key *, double *);
typedef int polynomial_roots(double, double, double, double, double *, int *);
typedef void vector_slerp(const double *, const double *, double, double *);
typedef double vector_angle(const double *, const double *);
typedef size_t newton_size(size_t, size_t);
typedef tl_status newton_build(tl_newton_table *, const double *, const double *, size_t, size_t,
                               double *, size_t *);
typedef void newton_value(const tl_newton_table *, double, double *);
typedef void newton_crossfade(const tl_newton_table *, const tl_newton_table *, double, double,
                              double *);
typedef size_t track_size(size_t, size_t, size_t);
typedef tl_status track_build(tl_track_table *, size_t, const double *, const double *, size_t,
                              size_t, double *, size_t *);
typedef void track_value(const tl_track_table *, double, double *);
typedef size_t curve_size(size_t);
typedef tl_status curve_build(tl_curve_table *, const tl_key *, size_t, tl_wrap, tl_wrap, double *,
                              size_t *);
typedef double curve_value(const tl_curve_table *, double);
typedef double curve_crossfade(const tl_curve_table *, const tl_curve_table *, double, double);
typedef void curve_many(const tl_curve_table *, const double *, size_t, double *);
typedef void crossfade_many(const tl_curve_table *, const tl_curve_table *, const double *,
                            const double *, size_t, double *);

/* Around every single call of the implementation: what one leaves behind is put back before the
 * next one, which would else be judged by it, or hide it. */
static _Thread_local struct environment_lent lent;

/* The first finding of that kind since forget_disturbances. */
static _Thread_local char disturbance[ENVIRONMENT_TEXT];

static void lend(void)
{
    environment_lend(&lent);
}

static void take_back(void)
{
    const char *finding = environment_take_back(&lent);
    if (finding && !*disturbance) {
        snprintf(disturbance, sizeof disturbance, "%s", finding);
    }
}

static void forget_disturbances(void)
{
    *disturbance = '\0';
}

static const char *first_disturbance(void)
{
    return *disturbance ? disturbance : NULL;
}

static const char *call_lerp(any_function *const *symbol, const struct values *inputs,
                             struct values *outputs)
{
    const double *x = inputs->number;
    lend();
    outputs->number[0] = ((scalar_lerp *)symbol[0])(x[0], x[1], x[2]);
    take_back();
    return NULL;
}

static const char *call_lerp_cr(any_function *const *symbol, const struct values *inputs,
                                struct values *outputs)
{
    return call_lerp(symbol, inputs, outputs);
}

/* What stands where nobody may write. */
static const double guard = -0x1.5bd1e995p+300;

static const char *written_behind(const double *results, size_t count)
{
    return results[count] == guard ? NULL : wrote_beside;
}

/* The first finding of two. */
static const char *either(const char *first, const char *second)
{
    return first ? first : second;
}

/* Two keys and how they were before the call, byte by byte. */
struct two_keys {
    tl_key key[2];
    tl_key before[2];
};

/* Byte for byte, of objects whose sizes are multiples of a double's. Most are some doubles, for
 * which memcmp, where AddressSanitizer looks on, takes longer than what is under test. */
static bool same_bytes(const void *a, const void *b, size_t size)
{
    uint64_t differences = 0;
    for (size_t at = 0; at < size; at += sizeof differences) {
        uint64_t x, y;
        memcpy(&x, (const unsigned char *)a + at, sizeof x);
        memcpy(&y, (const unsigned char *)b + at, sizeof y);
        differences |= x ^ y;
    }
    return differences == 0;
}

static const char *written_keys(const struct two_keys *keys)
{
    static_assert(sizeof keys->key % sizeof(double) == 0, "keys are as same_bytes wants them");
    return same_bytes(keys->key, keys->before, sizeof keys->key) ? NULL : wrote_arguments;
}

static void keep_keys(struct two_keys *keys)
{
    memcpy(keys->before, keys->key, sizeof keys->before);
}

static void set_keys(tl_key keys[2], const double *x)
{
    keys[0] = (tl_key){.time = x[0],
                       .value = x[1],
                       .in_tangent = NAN,
                       .out_tangent = x[2],
                       .in_weight = NAN,
                       .out_weight = NAN,
                       .weighted_mode = TL_WEIGHTED_NONE};
    keys[1] = (tl_key){.time = x[3],
                       .value = x[4],
                       .in_tangent = x[5],
                       .out_tangent = NAN,
                       .in_weight = NAN,
                       .out_weight = NAN,
                       .weighted_mode = TL_WEIGHTED_NONE};
}

static const char *call_hermite(any_function *const *symbol, const struct values *inputs,
                                struct values *outputs)
{
    struct two_keys keys;
    set_keys(keys.key, inputs->number);
    keep_keys(&keys);
    lend();
    outputs->number[0] = ((key_value *)symbol[0])(&keys.key[0], &keys.key[1], inputs->number[6]);
    take_back();
    return written_keys(&keys);
}

static const char *call_hermite_coefficients(any_function *const *symbol,
                                             const struct values *inputs, struct values *outputs)
{
    enum { COEFFICIENTS = 4 };
    struct two_keys keys;
    set_keys(keys.key, inputs->number);
    keep_keys(&keys);
    double coefficients[COEFFICIENTS + 1];
    memcpy(coefficients, outputs->number, COEFFICIENTS * sizeof *coefficients);
    coefficients[COEFFICIENTS] = guard;
    lend();
    ((key_coefficients *)symbol[0])(&keys.key[0], &keys.key[1], coefficients);
    take_back();
    memcpy(outputs->number, coefficients, COEFFICIENTS * sizeof *coefficients);
    return either(written_keys(&keys), written_behind(coefficients, COEFFICIENTS));
}

/* A weight that is not given is one that the function must not read; the key's other side is said
 * to be weighted, with NaN. */
static void set_weights(tl_key keys[2], const struct values *inputs, size_t w0, size_t w1)
{
    bool out = values_length(inputs, w0) == 1, in = values_length(inputs, w1) == 1;
    keys[0].weighted_mode = out ? TL_WEIGHTED_BOTH : TL_WEIGHTED_IN;
    keys[1].weighted_mode = in ? TL_WEIGHTED_BOTH : TL_WEIGHTED_OUT;
    if (out) {
        keys[0].out_weight = *values_field(inputs, w0);
    }
    if (in) {
        keys[1].in_weight = *values_field(inputs, w1);
    }
}

static const char *call_bezier(any_function *const *symbol, const struct values *inputs,
                               struct values *outputs)
{
    enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
    static const size_t of_keys[6] = {T0, V0, M0, T1, V1, M1};
    double x[6];
    for (size_t i = 0; i < 6; i++) {
        x[i] = *values_field(inputs, of_keys[i]);
    }
    struct two_keys keys;
    set_keys(keys.key, x);
    set_weights(keys.key, inputs, W0, W1);
    keep_keys(&keys);
    lend();
    outputs->number[0] =
        ((key_value *)symbol[0])(&keys.key[0], &keys.key[1], *values_field(inputs, T));
    take_back();
    return written_keys(&keys);
}

static const char *call_bezier_parameter(any_function *const *symbol, const struct values *inputs,
                                         struct values *outputs)
{
    enum { T0, W0, T1, W1, T };
    double t0 = *values_field(inputs, T0), t1 = *values_field(inputs, T1);
    struct two_keys keys;
    set_keys(keys.key, (double[6]){t0, NAN, NAN, t1, NAN, NAN});
    set_weights(keys.key, inputs, W0, W1);
    keep_keys(&keys);
    lend();
    outputs->number[0] =
        ((key_value *)symbol[0])(&keys.key[0], &keys.key[1], *values_field(inputs, T));
    take_back();
    return written_keys(&keys);
}

static double code_of(int result)
{
    static const double codes[] = {[-TL_EVERY_NUMBER] = 1, [-TL_NOT_FINITE] = 2};
    return result == TL_EVERY_NUMBER || result == TL_NOT_FINITE ? codes[-result] : NAN;
}

/* What is neither a count nor a code gives no roots and the code NaN. */
static const char *call_cubic_roots(any_function *const *symbol, const struct values *inputs,
                                    struct values *outputs)
{
    enum { MOST = 3 };
    const double *x = inputs->number;
    double roots[MOST + 1] = {NAN, NAN, NAN, NAN}; /* the last one is nobody's */
    int multiplicities[MOST + 1] = {0};
    lend();
    int result = ((polynomial_roots *)symbol[0])(x[0], x[1], x[2], x[3], roots, multiplicities);
    take_back();
    bool counted = result >= 0 && result <= MOST;
    size_t count = counted ? (size_t)result : 0;
    values_clear(outputs);
    double *root = values_append(outputs, count);
    for (size_t i = 0; i < count; i++) {
        root[i] = roots[i];
    }
    double *multiplicity = values_append(outputs, count);
    for (size_t i = 0; i < count; i++) {
        multiplicity[i] = multiplicities[i];
    }
    *values_append(outputs, 1) = counted ? 0 : code_of(result);
    bool left_alone = true;
    for (size_t i = count; i <= MOST; i++) {
        left_alone = left_alone && isnan(roots[i]) && multiplicities[i] == 0;
    }
    return left_alone ? NULL : wrote_beside;
}

/* Equal bit for bit, but that one NaN is as good as another. */
static bool are_same(const double *a, const double *b, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        same &= memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i]));
    }
    return same;
}

/* Two vectors and a number to a vector. */
static const char *call_vectors(any_function *function, size_t dimensions,
                                const struct values *inputs, struct values *outputs)
{
    const size_t size = dimensions * sizeof(double);
    const double *x = inputs->number, *y = x + dimensions;
    double a[DIMENSIONS_MAX], b[DIMENSIONS_MAX], result[DIMENSIONS_MAX + 1];
    memcpy(a, x, size);
    memcpy(b, y, size);
    memcpy(result, outputs->number, size);
    result[dimensions] = guard;
    lend();
    ((vector_slerp *)function)(a, b, x[2 * dimensions], result);
    take_back();
    memcpy(outputs->number, result, size);
    bool kept = same_bytes(a, x, size) && same_bytes(b, y, size);
    return kept ? written_behind(result, dimensions) : wrote_arguments;
}

/* The same call, twice more: the result may take the place of either argument. */
static const char *call_in_place(any_function *function, size_t dimensions,
                                 const struct values *inputs, const struct values *outputs)
{
    const size_t size = dimensions * sizeof(double);
    const double *x = inputs->number, *y = x + dimensions, t = x[2 * dimensions];
    double a[DIMENSIONS_MAX + 1], b[DIMENSIONS_MAX + 1];
    memcpy(a, x, size);
    memcpy(b, y, size);
    lend();
    ((vector_slerp *)function)(a, b, t, a);
    take_back();
    bool same = are_same(a, outputs->number, dimensions);
    memcpy(a, x, size);
    lend();
    ((vector_slerp *)function)(a, b, t, b);
    take_back();
    return same && are_same(b, outputs->number, dimensions) ? NULL : differs_in_place;
}

static const char *call_slerp3(any_function *const *symbol, const struct values *inputs,
                               struct values *outputs)
{
    return call_vectors(symbol[0], 3, inputs, outputs);
}

static const char *call_slerp3_unclamped(any_function *const *symbol, const struct values *inputs,
                                         struct values *outputs)
{
    return call_vectors(symbol[0], 3, inputs, outputs);
}

static const char *call_slerp4(any_function *const *symbol, const struct values *inputs,
                               struct values *outputs)
{
    return call_vectors(symbol[0], 4, inputs, outputs);
}

static const char *call_angle3(any_function *const *symbol, const struct values *inputs,
                               struct values *outputs)
{
    const double *x = inputs->number;
    double vectors[6];
    memcpy(vectors, x, sizeof vectors);
    lend();
    outputs->number[0] = ((vector_angle *)symbol[0])(vectors, vectors + 3);
    take_back();
    return same_bytes(vectors, x, sizeof vectors) ? NULL : wrote_arguments;
}

static const char *call_rotate_toward3(any_function *const *symbol, const struct values *inputs,
                                       struct values *outputs)
{
    return call_vectors(symbol[0], 3, inputs, outputs);
}

/* Builders. Their arguments and tables are each in memory of its own and of just its size, so that
 * AddressSanitizer sees what is read or written beside it; tables hold NaN before. `scratch` is
 * given back after the call. A builder that asks for more memory than there is has no status.
 *
 * What is not instrumented is seen by guards: numbers before and behind that nobody may change.
 *
 * To allocate takes several times as long as to build a small table, above all with
 * AddressSanitizer. So small memory is kept from case to case, by its size. Whoever goes on to read
 * what was given back finds NaN there, and is found out by AddressSanitizer as after free. */

enum { SCRATCH_MOST = 4, KEPT_DOUBLES = 256, GUARDS = 2 };

struct scratch {
    struct {
        double *memory;
        size_t doubles;
    } block[SCRATCH_MOST];
    size_t count;
};

/* A thread's memory that is not in use, of each size as much as one call can need. */
struct kept {
    double *memory[KEPT_DOUBLES + 1][SCRATCH_MOST];
    unsigned char count[KEPT_DOUBLES + 1];
    bool freed_at_exit; /* of the thread */
};

static _Thread_local struct kept spare;

/* Of AddressSanitizer's runtime, where the program has it. */
void __asan_poison_memory_region(const volatile void *memory, size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *memory, size_t size) __attribute__((weak));

static void forbid(const double *memory, size_t doubles)
{
    if (__asan_poison_memory_region) {
        __asan_poison_memory_region(memory, doubles * sizeof *memory);
    }
}

static void permit(const double *memory, size_t doubles)
{
    if (__asan_unpoison_memory_region) {
        __asan_unpoison_memory_region(memory, doubles * sizeof *memory);
    }
}

static pthread_key_t kept_key;
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;

static void free_kept(void *of_thread)
{
    struct kept *all = of_thread;
    for (size_t doubles = 0; doubles <= KEPT_DOUBLES; doubles++) {
        while (all->count[doubles] > 0) {
            free(all->memory[doubles][--all->count[doubles]] - GUARDS);
        }
    }
}

static void create_kept_key(void)
{
    pthread_key_create(&kept_key, free_kept);
}

/* None of them is to be read or written any more, by what AddressSanitizer sees. */
static void set_guards(double *memory, size_t doubles)
{
    for (size_t i = 0; i < GUARDS; i++) {
        memory[doubles + i] = guard;
        (memory - GUARDS)[i] = guard;
    }
    forbid(memory - GUARDS, GUARDS);
    forbid(memory + doubles, GUARDS);
}

/* For a moment they may be read. */
static bool guards_kept(const double *memory, size_t doubles)
{
    bool kept = true;
    permit(memory - GUARDS, GUARDS);
    permit(memory + doubles, GUARDS);
    for (size_t i = 0; i < GUARDS; i++) {
        kept = kept && memory[doubles + i] == guard && (memory - GUARDS)[i] == guard;
    }
    forbid(memory - GUARDS, GUARDS);
    forbid(memory + doubles, GUARDS);
    return kept;
}

/* Memory between guards; NULL if there is none. */
static double *allocate(size_t doubles)
{
    double *memory = doubles <= PTRDIFF_MAX / sizeof *memory - 2 * GUARDS
                         ? malloc((doubles + 2 * GUARDS) * sizeof *memory)
                         : NULL;
    if (!memory) {
        return NULL;
    }
    set_guards(memory + GUARDS, doubles);
    return memory + GUARDS;
}

static void fill_with_nan(double *memory, size_t doubles)
{
    for (size_t i = 0; i < doubles; i++) {
        memory[i] = NAN;
    }
}

static double *scratch_take(struct scratch *scratch, size_t doubles)
{
    double *memory;
    if (doubles <= KEPT_DOUBLES && spare.count[doubles] > 0) {
        memory = spare.memory[doubles][--spare.count[doubles]];
        permit(memory, doubles);
    } else {
        memory = allocate(doubles);
    }
    assert(scratch->count < SCRATCH_MOST);
    scratch->block[scratch->count].memory = memory;
    scratch->block[scratch->count++].doubles = doubles;
    return memory;
}

/* Memory beside which something was written is not used again. */
static void give_back(double *memory, size_t doubles, bool intact)
{
    if (!intact || doubles > KEPT_DOUBLES || spare.count[doubles] == SCRATCH_MOST) {
        free(memory - GUARDS);
        return;
    }
    if (!spare.freed_at_exit) {
        pthread_once(&kept_once, create_kept_key);
        spare.freed_at_exit = pthread_setspecific(kept_key, &spare) == 0;
    }
    fill_with_nan(memory, doubles);
    forbid(memory, doubles);
    spare.memory[doubles][spare.count[doubles]++] = memory;
}

/* Returns NULL, or a finding: something was written beside it. */
static const char *scratch_return(struct scratch *scratch)
{
    const char *finding = NULL;
    for (size_t i = 0; i < scratch->count; i++) {
        double *memory = scratch->block[i].memory;
        size_t doubles = scratch->block[i].doubles;
        if (memory) {
            bool intact = guards_kept(memory, doubles);
            finding = intact ? finding : wrote_beside;
            give_back(memory, doubles, intact);
        }
    }
    return finding;
}

static double *take_table(struct scratch *scratch, size_t doubles)
{
    double *table = scratch_take(scratch, doubles);
    if (table) {
        fill_with_nan(table, doubles);
    }
    return table;
}

static double *take_copy(struct scratch *scratch, const struct values *inputs, size_t field)
{
    size_t count = values_length(inputs, field);
    double *copy = scratch_take(scratch, count);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = values_field(inputs, field)[i];
    }
    return copy;
}

/* What came of a builder. */
struct built {
    double status; /* NaN: none */
    size_t at[3];  /* two, and one that is nobody's */
    const char *finding;
};

static const struct built nothing_built = {NAN, {TL_NO_INDEX, TL_NO_INDEX, TL_NO_INDEX}, NULL};

/* Whether a copy of a field's items is one still. */
static const char *written_copy(const double *copy, const struct values *inputs, size_t field)
{
    size_t count = values_length(inputs, field);
    return same_bytes(copy, values_field(inputs, field), count * sizeof *copy) ? NULL
                                                                               : wrote_arguments;
}

static const char *written_beside(const struct built *built)
{
    return built->at[2] == TL_NO_INDEX ? NULL : wrote_beside;
}

static void append_built(struct values *outputs, const struct built *built)
{
    *values_append(outputs, 1) = built->status;
    size_t count = 0;
    while (count < 2 && built->at[count] != TL_NO_INDEX) {
        count++;
    }
    double *at = values_append(outputs, count);
    for (size_t i = 0; i < count; i++) {
        at[i] = (double)built->at[i];
    }
}

/* `count` results, as NaN. */
static double *append_results(struct values *outputs, size_t count)
{
    double *result = values_append(outputs, count);
    for (size_t i = 0; i < count; i++) {
        result[i] = NAN;
    }
    return result;
}

/* The same as the first field, with a guard behind them until trim_results. */
static double *append_guarded(struct values *outputs, size_t count)
{
    double *result = append_results(outputs, count + 1);
    result[count] = guard;
    return result;
}

static const char *trim_results(struct values *outputs)
{
    size_t count = values_length(outputs, 0) - 1;
    const char *finding = written_behind(values_field(outputs, 0), count);
    values_remove(outputs, 0, count, 1);
    return finding;
}

static size_t channels_of(const struct values *inputs, size_t times, size_t values)
{
    size_t count = values_length(inputs, times);
    return count > 0 ? values_length(inputs, values) / count : 0;
}

/* symbol[1] and symbol[2] are tl_newton_size and tl_newton_build. */
static struct built build_newton(any_function *const *symbol, const struct values *inputs,
                                 size_t times, size_t values, struct scratch *scratch,
                                 tl_newton_table *newton)
{
    size_t count = values_length(inputs, times);
    size_t channels = channels_of(inputs, times, values);
    struct scratch copies = {.count = 0};
    double *time = take_copy(&copies, inputs, times);
    double *value = take_copy(&copies, inputs, values);
    lend();
    size_t doubles = ((newton_size *)symbol[1])(count, channels);
    take_back();
    double *table = take_table(scratch, doubles);
    struct built built = nothing_built;
    if (time && value && table) {
        lend();
        built.status =
            ((newton_build *)symbol[2])(newton, time, value, count, channels, table, built.at);
        take_back();
        built.finding =
            either(written_copy(time, inputs, times), written_copy(value, inputs, values));
    }
    built.finding = either(built.finding, written_beside(&built));
    built.finding = either(built.finding, scratch_return(&copies)); /* no table needs them */
    return built;
}

static const char *call_newton(any_function *const *symbol, const struct values *inputs,
                               struct values *outputs)
{
    enum { TIMES, VALUES, T };
    tl_newton_table newton = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built built = build_newton(symbol, inputs, TIMES, VALUES, &scratch, &newton);
    bool usable = built.status == TL_OK;
    values_clear(outputs);
    double *result = append_guarded(outputs, usable ? channels_of(inputs, TIMES, VALUES) : 0);
    if (usable) {
        lend();
        ((newton_value *)symbol[0])(&newton, *values_field(inputs, T), result);
        take_back();
    }
    built.finding = either(built.finding, trim_results(outputs));
    append_built(outputs, &built);
    return either(built.finding, scratch_return(&scratch));
}

static const char *call_crossfade_newton(any_function *const *symbol, const struct values *inputs,
                                         struct values *outputs)
{
    enum { A_TIMES, A_VALUES, B_TIMES, B_VALUES, T, W };
    tl_newton_table a = {.channels = 0}, b = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built of_a = build_newton(symbol, inputs, A_TIMES, A_VALUES, &scratch, &a);
    struct built of_b = build_newton(symbol, inputs, B_TIMES, B_VALUES, &scratch, &b);
    bool usable = of_a.status == TL_OK && of_b.status == TL_OK;
    values_clear(outputs);
    double *result = append_guarded(outputs, usable ? channels_of(inputs, A_TIMES, A_VALUES) : 0);
    if (usable) {
        lend();
        ((newton_crossfade *)symbol[0])(&a, &b, *values_field(inputs, T), *values_field(inputs, W),
                                        result);
        take_back();
    }
    of_a.finding = either(of_a.finding, trim_results(outputs));
    *values_append(outputs, 1) = of_a.status;
    *values_append(outputs, 1) = of_b.status;
    return either(either(of_a.finding, of_b.finding), scratch_return(&scratch));
}

/* An order is a small whole number; anything else is one that does not exist. */
static size_t order_of(double number)
{
    enum { NO_ORDER = 99 };
    return number >= 0 && number < NO_ORDER && number == floor(number) ? (size_t)number : NO_ORDER;
}

enum { TRACK_ORDER, TRACK_TIMES, TRACK_VALUES, TRACK_T };

/* The same for a track; all of the scratch is its table. */
static struct built build_track(any_function *const *symbol, const struct values *inputs,
                                struct scratch *scratch, tl_track_table *track)
{
    size_t count = values_length(inputs, TRACK_TIMES);
    size_t channels = channels_of(inputs, TRACK_TIMES, TRACK_VALUES);
    size_t order = order_of(*values_field(inputs, TRACK_ORDER));
    struct scratch copies = {.count = 0};
    double *time = take_copy(&copies, inputs, TRACK_TIMES);
    double *value = take_copy(&copies, inputs, TRACK_VALUES);
    lend();
    size_t doubles = ((track_size *)symbol[1])(order, count, channels);
    take_back();
    double *table = take_table(scratch, doubles);
    struct built built = nothing_built;
    if (time && value && table) {
        lend();
        built.status =
            ((track_build *)symbol[2])(track, order, time, value, count, channels, table, built.at);
        take_back();
        built.finding = either(written_copy(time, inputs, TRACK_TIMES),
                               written_copy(value, inputs, TRACK_VALUES));
    }
    built.finding = either(built.finding, written_beside(&built));
    built.finding = either(built.finding, scratch_return(&copies));
    return built;
}

static const char *call_track(any_function *const *symbol, const struct values *inputs,
                              struct values *outputs)
{
    tl_track_table track = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built built = build_track(symbol, inputs, &scratch, &track);
    bool usable = built.status == TL_OK;
    values_clear(outputs);
    double *result =
        append_guarded(outputs, usable ? channels_of(inputs, TRACK_TIMES, TRACK_VALUES) : 0);
    if (usable) {
        lend();
        ((track_value *)symbol[0])(&track, *values_field(inputs, TRACK_T), result);
        take_back();
    }
    built.finding = either(built.finding, trim_results(outputs));
    append_built(outputs, &built);
    return either(built.finding, scratch_return(&scratch));
}

/* A curve's fields, from the given one on. */
enum {
    CURVE_TIMES,
    CURVE_VALUES,
    CURVE_IN_TANGENTS,
    CURVE_OUT_TANGENTS,
    CURVE_MODES,
    CURVE_IN_WEIGHTS,
    CURVE_OUT_WEIGHTS,
    CURVE_BEFORE,
    CURVE_AFTER,
    CURVE_FIELDS
};

/* Item i of an input that may have no items, or what stands for it. */
static double item(const struct values *inputs, size_t field, size_t i, double otherwise)
{
    return i < values_length(inputs, field) ? values_field(inputs, field)[i] : otherwise;
}

static tl_key key_of(const struct values *inputs, size_t first, size_t i, size_t count)
{
    tl_weighted_mode mode = (tl_weighted_mode)item(inputs, first + CURVE_MODES, i, 0);
    bool in = mode == TL_WEIGHTED_IN || mode == TL_WEIGHTED_BOTH;
    bool out = mode == TL_WEIGHTED_OUT || mode == TL_WEIGHTED_BOTH;
    double in_tangent = item(inputs, first + CURVE_IN_TANGENTS, i, NAN);
    double out_tangent = item(inputs, first + CURVE_OUT_TANGENTS, i, NAN);
    return (tl_key){.time = item(inputs, first + CURVE_TIMES, i, NAN),
                    .value = item(inputs, first + CURVE_VALUES, i, NAN),
                    .in_tangent = i > 0 ? in_tangent : NAN,
                    .out_tangent = i + 1 < count ? out_tangent : NAN,
                    .in_weight = in ? item(inputs, first + CURVE_IN_WEIGHTS, i, NAN) : NAN,
                    .out_weight = out ? item(inputs, first + CURVE_OUT_WEIGHTS, i, NAN) : NAN,
                    .weighted_mode = mode};
}

/* symbol[1] and symbol[2] are tl_curve_size and tl_curve_build. */
static struct built build_curve(any_function *const *symbol, const struct values *inputs,
                                size_t first, struct scratch *scratch, tl_curve_table *curve)
{
    size_t count = values_length(inputs, first + CURVE_TIMES);
    static_assert(sizeof(tl_key) % sizeof(double) == 0, "keys take whole doubles");
    tl_key *keys = (tl_key *)scratch_take(scratch, count * (sizeof *keys / sizeof(double)));
    lend();
    size_t doubles = ((curve_size *)symbol[1])(count);
    take_back();
    double *table = take_table(scratch, doubles);
    struct built built = nothing_built;
    if (keys && table) {
        for (size_t i = 0; i < count; i++) {
            keys[i] = key_of(inputs, first, i, count);
        }
        tl_wrap before = (tl_wrap)*values_field(inputs, first + CURVE_BEFORE);
        tl_wrap after = (tl_wrap)*values_field(inputs, first + CURVE_AFTER);
        lend();
        built.status =
            ((curve_build *)symbol[2])(curve, keys, count, before, after, table, built.at);
        take_back();
    }
    built.finding = written_beside(&built);
    return built;
}

static const char *call_curve(any_function *const *symbol, const struct values *inputs,
                              struct values *outputs)
{
    tl_curve_table curve = {.count = 0};
    struct scratch scratch = {.count = 0};
    struct built built = build_curve(symbol, inputs, 0, &scratch, &curve);
    bool usable = built.status == TL_OK;
    values_clear(outputs);
    double *result = append_results(outputs, usable);
    if (usable) {
        lend();
        *result = ((curve_value *)symbol[0])(&curve, *values_field(inputs, CURVE_FIELDS));
        take_back();
    }
    append_built(outputs, &built);
    return either(built.finding, scratch_return(&scratch));
}

static const char *call_crossfade(any_function *const *symbol, const struct values *inputs,
                                  struct values *outputs)
{
    tl_curve_table a = {.count = 0}, b = {.count = 0};
    struct scratch scratch = {.count = 0};
    struct built of_a = build_curve(symbol, inputs, 0, &scratch, &a);
    struct built of_b = build_curve(symbol, inputs, CURVE_FIELDS, &scratch, &b);
    bool usable = of_a.status == TL_OK && of_b.status == TL_OK;
    values_clear(outputs);
    double *result = append_results(outputs, usable);
    if (usable) {
        lend();
        *result = ((curve_crossfade *)symbol[0])(&a, &b, *values_field(inputs, 2 * CURVE_FIELDS),
                                                 *values_field(inputs, 2 * CURVE_FIELDS + 1));
        take_back();
    }
    *values_append(outputs, 1) = of_a.status;
    *values_append(outputs, 1) = of_b.status;
    return either(either(of_a.finding, of_b.finding), scratch_return(&scratch));
}

/* What a plain call does not show. An examiner calls again what an adapter called, where outputs
 * are what came of that, and returns a finding or NULL: tables and keys stay as they are in an
 * evaluation, and the form for many times gives what single calls do. */
typedef const char *examiner(any_function *const *symbol, any_function *many,
                             const struct values *inputs, const struct values *outputs);

/* Memory that must not change, and what it was. Memory that there is none for is not watched. */
enum { SEALS_MAX = 4 };

struct seals {
    const void *memory[SEALS_MAX];
    void *copy[SEALS_MAX];
    size_t size[SEALS_MAX];
    size_t count;
};

static void seal(struct seals *seals, const void *memory, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    if (copy && memory) {
        memcpy(copy, memory, size);
        seals->memory[seals->count] = memory;
        seals->copy[seals->count] = copy;
        seals->size[seals->count++] = size;
    } else {
        free(copy);
    }
}

/* A finding if one of them is broken. They are gone then. */
static const char *broken_seals(struct seals *seals)
{
    bool kept = true;
    for (size_t i = 0; i < seals->count; i++) {
        kept = kept && memcmp(seals->memory[i], seals->copy[i], seals->size[i]) == 0;
        free(seals->copy[i]);
    }
    seals->count = 0;
    return kept ? NULL : wrote_arguments;
}

/* The numbers of a field, as they came out before and come out now. */
static const char *differing(const struct values *outputs, size_t field, const double *again,
                             size_t count)
{
    bool same = values_length(outputs, field) == count &&
                are_same(values_field(outputs, field), again, count);
    return same ? NULL : differs_again;
}

/* The scratch's memory of that number. */
static void seal_block(struct seals *seals, const struct scratch *scratch, size_t place)
{
    seal(seals, scratch->block[place].memory, scratch->block[place].doubles * sizeof(double));
}

static const char *examine_newton(any_function *const *symbol, any_function *many,
                                  const struct values *inputs, const struct values *outputs)
{
    enum { TIMES, VALUES, T };
    (void)many;
    tl_newton_table newton = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built built = build_newton(symbol, inputs, TIMES, VALUES, &scratch, &newton);
    size_t channels = channels_of(inputs, TIMES, VALUES);
    struct values again = {0};
    const char *finding = NULL;
    if (built.status == TL_OK) {
        struct seals seals = {.count = 0};
        seal(&seals, &newton, sizeof newton);
        seal_block(&seals, &scratch, 0);
        double *result = append_guarded(&again, channels);
        lend();
        ((newton_value *)symbol[0])(&newton, *values_field(inputs, T), result);
        take_back();
        finding = either(broken_seals(&seals), differing(outputs, 0, result, channels));
    }
    values_free(&again);
    return either(finding, scratch_return(&scratch));
}

static const char *examine_track(any_function *const *symbol, any_function *many,
                                 const struct values *inputs, const struct values *outputs)
{
    (void)many;
    tl_track_table track = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built built = build_track(symbol, inputs, &scratch, &track);
    size_t channels = channels_of(inputs, TRACK_TIMES, TRACK_VALUES);
    struct values again = {0};
    const char *finding = NULL;
    if (built.status == TL_OK) {
        struct seals seals = {.count = 0};
        seal(&seals, &track, sizeof track);
        seal_block(&seals, &scratch, 0);
        double *result = append_guarded(&again, channels);
        lend();
        ((track_value *)symbol[0])(&track, *values_field(inputs, TRACK_T), result);
        take_back();
        finding = either(broken_seals(&seals), differing(outputs, 0, result, channels));
    }
    values_free(&again);
    return either(finding, scratch_return(&scratch));
}

static const char *examine_crossfade_newton(any_function *const *symbol, any_function *many,
                                            const struct values *inputs,
                                            const struct values *outputs)
{
    enum { A_TIMES, A_VALUES, B_TIMES, B_VALUES, T, W };
    (void)many;
    tl_newton_table a = {.channels = 0}, b = {.channels = 0};
    struct scratch scratch = {.count = 0};
    struct built of_a = build_newton(symbol, inputs, A_TIMES, A_VALUES, &scratch, &a);
    struct built of_b = build_newton(symbol, inputs, B_TIMES, B_VALUES, &scratch, &b);
    size_t channels = channels_of(inputs, A_TIMES, A_VALUES);
    struct values again = {0};
    const char *finding = NULL;
    if (of_a.status == TL_OK && of_b.status == TL_OK) {
        struct seals seals = {.count = 0};
        seal(&seals, &a, sizeof a);
        seal(&seals, &b, sizeof b);
        seal_block(&seals, &scratch, 0);
        seal_block(&seals, &scratch, 1);
        double *result = append_guarded(&again, channels);
        lend();
        ((newton_crossfade *)symbol[0])(&a, &b, *values_field(inputs, T), *values_field(inputs, W),
                                        result);
        take_back();
        finding = either(broken_seals(&seals), differing(outputs, 0, result, channels));
    }
    values_free(&again);
    return either(finding, scratch_return(&scratch));
}

/* A curve with its own memory, as build_curve leaves it in its scratch. */
struct examined_curve {
    tl_curve_table curve;
    tl_key *keys;
    double *table;
    size_t count, table_size;
};

static struct built build_examined(any_function *const *symbol, const struct values *inputs,
                                   size_t first, struct scratch *scratch,
                                   struct examined_curve *examined)
{
    size_t place = scratch->count;
    *examined = (struct examined_curve){.count = values_length(inputs, first + CURVE_TIMES)};
    struct built built = build_curve(symbol, inputs, first, scratch, &examined->curve);
    examined->keys = (tl_key *)scratch->block[place].memory;
    examined->table = scratch->block[place + 1].memory;
    examined->table_size = scratch->block[place + 1].doubles;
    return built;
}

static void seal_curve(struct seals *seals, const struct examined_curve *examined)
{
    seal(seals, &examined->curve, sizeof examined->curve);
    seal(seals, examined->table, examined->table_size * sizeof *examined->table);
}

static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether the keys are those of the inputs; there is no telling what lies between their members. */
static bool keys_kept(const struct examined_curve *examined, const struct values *inputs,
                      size_t first)
{
    bool kept = true;
    for (size_t i = 0; i < examined->count; i++) {
        const tl_key *key = &examined->keys[i], was = key_of(inputs, first, i, examined->count);
        kept = kept && same_number(key->time, was.time) && same_number(key->value, was.value) &&
               same_number(key->in_tangent, was.in_tangent) &&
               same_number(key->out_tangent, was.out_tangent) &&
               same_number(key->in_weight, was.in_weight) &&
               same_number(key->out_weight, was.out_weight) &&
               key->weighted_mode == was.weighted_mode;
    }
    return kept;
}

/* Both forms of a function of curves. */
struct forms {
    any_function *single, *many;
    const tl_curve_table *a, *b; /* b is NULL where one curve is all it takes */
};

static double call_single(const struct forms *forms, double t, double w)
{
    lend();
    double result = forms->b ? ((curve_crossfade *)forms->single)(forms->a, forms->b, t, w)
                             : ((curve_value *)forms->single)(forms->a, t);
    take_back();
    return result;
}

static void call_many(const struct forms *forms, const double *times, const double *weights,
                      size_t count, double *results)
{
    lend();
    if (forms->b) {
        ((crossfade_many *)forms->many)(forms->a, forms->b, times, weights, count, results);
    } else {
        ((curve_many *)forms->many)(forms->a, times, count, results);
    }
    take_back();
}

/* Builds the curve again in its own memory, with the values of the inputs or, if they are to be
 * other ones, with 1 less those. */
static void rebuild(any_function *const *symbol, const struct values *inputs, size_t first,
                    struct examined_curve *examined, bool other)
{
    size_t at[3];
    for (size_t i = 0; i < examined->count; i++) {
        examined->keys[i] = key_of(inputs, first, i, examined->count);
        if (other) {
            examined->keys[i].value = 1 - examined->keys[i].value;
        }
    }
    lend();
    ((curve_build *)symbol[2])(&examined->curve, examined->keys, examined->count,
                               (tl_wrap)*values_field(inputs, first + CURVE_BEFORE),
                               (tl_wrap)*values_field(inputs, first + CURVE_AFTER), examined->table,
                               at);
    take_back();
}

/* Calls at other times and then at t, with other values in the same place: whoever remembers a
 * result by less than all that it depends on gives this one again. */
static void leave_traces(const struct forms *forms, const struct examined_curve *examined, double t,
                         double w)
{
    call_single(forms, NAN, w);
    if (examined->count > 0) {
        call_single(forms, examined->keys[examined->count - 1].time, w);
    }
    call_single(forms, t, w);
}

/* Not a multiple of what vectors hold. */
enum { MANY = 19 };

/* The same times, the same results, and one place behind them that is nobody's. */
static const char *compare_many(const struct forms *forms, const double *times,
                                const double *weights, size_t count)
{
    double expected[MANY + 1], results[MANY + 1], kept_times[MANY], kept_weights[MANY];
    const size_t size = count * sizeof *times;
    for (size_t i = 0; i <= count; i++) {
        expected[i] = i < count ? call_single(forms, times[i], weights[i]) : guard;
        results[i] = guard;
    }
    memcpy(kept_times, times, size);
    memcpy(kept_weights, weights, size);
    call_many(forms, kept_times, kept_weights, count, results);
    if (memcmp(kept_times, times, size) != 0 || memcmp(kept_weights, weights, size) != 0) {
        return wrote_arguments;
    }
    if (!are_same(results, expected, count + 1)) {
        return differs_many;
    }
    call_many(forms, kept_times, kept_weights, count, kept_times);
    bool same = are_same(kept_times, expected, count);
    if (forms->b) {
        memcpy(kept_times, times, size);
        call_many(forms, kept_times, kept_weights, count, kept_weights);
        same = same && are_same(kept_weights, expected, count);
    }
    return same ? NULL : differs_in_place;
}

/* By time, NaN last. */
static int by_time(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    if (isnan(one) || isnan(other)) {
        return isnan(one) - isnan(other);
    }
    return (one > other) - (one < other);
}

/* The case's time, keys' times, those between keys and those beyond, in no order, and NaN. */
static void choose_times(const struct examined_curve *examined, double t, double times[MANY])
{
    const tl_key *keys = examined->keys;
    size_t last = examined->count - 1;
    for (size_t i = 0; i < MANY; i++) {
        size_t k = 7 * i % examined->count;
        double next = keys[k < last ? k + 1 : k].time;
        double choices[] = {keys[k].time, 0.5 * keys[k].time + 0.5 * next, t,
                            keys[last].time + (next - t)};
        times[i] = choices[i % 4];
    }
    times[MANY / 2] = NAN;
}

static const char *examine_many(const struct forms *forms, const struct examined_curve *examined,
                                double t, double w)
{
    double times[MANY], weights[MANY];
    const double choices[] = {w, 0.5, 0, 1, 0.25, -1, 2, NAN};
    for (size_t i = 0; i < MANY; i++) {
        weights[i] = choices[i % (sizeof choices / sizeof *choices)];
    }
    const char *finding = compare_many(forms, &t, &w, 0);
    finding = either(finding, compare_many(forms, &t, &w, 1));
    choose_times(examined, t, times);
    finding = either(finding, compare_many(forms, times, weights, MANY));
    qsort(times, MANY, sizeof *times, by_time);
    return either(finding, compare_many(forms, times, weights, MANY));
}

static const char *examine_curve(any_function *const *symbol, any_function *many,
                                 const struct values *inputs, const struct values *outputs)
{
    struct examined_curve examined;
    struct scratch scratch = {.count = 0};
    struct built built = build_examined(symbol, inputs, 0, &scratch, &examined);
    const char *finding = NULL;
    if (built.status == TL_OK) {
        const struct forms forms = {symbol[0], many, &examined.curve, NULL};
        double t = *values_field(inputs, CURVE_FIELDS);
        rebuild(symbol, inputs, 0, &examined, true);
        leave_traces(&forms, &examined, t, 0);
        rebuild(symbol, inputs, 0, &examined, false);
        struct seals seals = {.count = 0};
        seal_curve(&seals, &examined);
        double again = call_single(&forms, t, 0);
        finding = differing(outputs, 0, &again, 1);
        if (many && examined.count > 0) {
            finding = either(finding, examine_many(&forms, &examined, t, 0));
        }
        finding = either(broken_seals(&seals), finding);
        finding = keys_kept(&examined, inputs, 0) ? finding : wrote_arguments;
    }
    return either(finding, scratch_return(&scratch));
}

static const char *examine_crossfade(any_function *const *symbol, any_function *many,
                                     const struct values *inputs, const struct values *outputs)
{
    struct examined_curve a, b;
    struct scratch scratch = {.count = 0};
    struct built of_a = build_examined(symbol, inputs, 0, &scratch, &a);
    struct built of_b = build_examined(symbol, inputs, CURVE_FIELDS, &scratch, &b);
    const char *finding = NULL;
    if (of_a.status == TL_OK && of_b.status == TL_OK) {
        const struct forms forms = {symbol[0], many, &a.curve, &b.curve};
        double t = *values_field(inputs, 2 * CURVE_FIELDS);
        double w = *values_field(inputs, 2 * CURVE_FIELDS + 1);
        rebuild(symbol, inputs, 0, &a, true);
        rebuild(symbol, inputs, CURVE_FIELDS, &b, true);
        leave_traces(&forms, &a, t, w);
        rebuild(symbol, inputs, 0, &a, false);
        rebuild(symbol, inputs, CURVE_FIELDS, &b, false);
        struct seals seals = {.count = 0};
        seal_curve(&seals, &a);
        seal_curve(&seals, &b);
        double again = call_single(&forms, t, w);
        finding = differing(outputs, 0, &again, 1);
        if (many && a.count > 0) {
            finding = either(finding, examine_many(&forms, &a, t, w));
        }
        finding = either(broken_seals(&seals), finding);
        bool kept = keys_kept(&a, inputs, 0) && keys_kept(&b, inputs, CURVE_FIELDS);
        finding = kept ? finding : wrote_arguments;
    }
    return either(finding, scratch_return(&scratch));
}

/* A function's symbols, its own first. */
struct symbol {
    const char *name;
    any_function *builtin;
};

struct entry {
    adapter *call;
    struct symbol symbol[SYMBOLS_MAX]; /* the rest: NULL */
    size_t in_place;                   /* dimensions, where call_in_place applies; else 0 */
    examiner *examine;                 /* or NULL */
    struct symbol many;                /* the form for many times, if there is one */
};

#define SYMBOL(name)                                                                               \
    {                                                                                              \
        "tl_" #name, (any_function *)tl_##name                                                     \
    }
#define NEWTON_BUILDER SYMBOL(newton_size), SYMBOL(newton_build)
#define CURVE_BUILDER SYMBOL(curve_size), SYMBOL(curve_build)

static const struct entry entry_lerp = {call_lerp, {SYMBOL(lerp)}};
static const struct entry entry_lerp_cr = {call_lerp_cr, {SYMBOL(lerp_cr)}};
static const struct entry entry_hermite = {call_hermite, {SYMBOL(hermite)}};
static const struct entry entry_hermite_coefficients = {call_hermite_coefficients,
                                                        {SYMBOL(hermite_coefficients)}};
static const struct entry entry_bezier = {call_bezier, {SYMBOL(bezier)}};
static const struct entry entry_bezier_parameter = {call_bezier_parameter,
                                                    {SYMBOL(bezier_parameter)}};
static const struct entry entry_cubic_roots = {call_cubic_roots, {SYMBOL(cubic_roots)}};
static const struct entry entry_newton = {call_newton,
                                          {SYMBOL(newton), NEWTON_BUILDER},
                                          .examine = examine_newton};
static const struct entry entry_crossfade_newton = {call_crossfade_newton,
                                                    {SYMBOL(crossfade_newton), NEWTON_BUILDER},
                                                    .examine = examine_crossfade_newton};
static const struct entry entry_track = {call_track,
                                         {SYMBOL(track), SYMBOL(track_size), SYMBOL(track_build)},
                                         .examine = examine_track};
static const struct entry entry_slerp3 = {call_slerp3, {SYMBOL(slerp3)}, 3};
static const struct entry entry_slerp3_unclamped = {call_slerp3_unclamped,
                                                    {SYMBOL(slerp3_unclamped)},
                                                    3};
static const struct entry entry_slerp4 = {call_slerp4, {SYMBOL(slerp4)}, 4};
static const struct entry entry_angle3 = {call_angle3, {SYMBOL(angle3)}};
static const struct entry entry_rotate_toward3 = {call_rotate_toward3, {SYMBOL(rotate_toward3)}, 3};
static const struct entry entry_curve = {call_curve,
                                         {SYMBOL(curve), CURVE_BUILDER},
                                         .examine = examine_curve,
                                         .many = SYMBOL(curve_many)};
static const struct entry entry_crossfade = {call_crossfade,
                                             {SYMBOL(crossfade), CURVE_BUILDER},
                                             .examine = examine_crossfade,
                                             .many = SYMBOL(crossfade_many)};

static const struct entry *const entries[FUNCTION_COUNT] = {
#define FUNCTION(name) [FUNCTION_##name] = &entry_##name,
#include "catalog.def"
#undef FUNCTION
};

static const struct implementation builtin;

const struct implementation *implementation_builtin(void)
{
    return &builtin;
}

/* Of function i, for the call of its adapter; false where the implementation lacks one. */
static bool symbols_of(const struct implementation *implementation, size_t i,
                       any_function *symbol[SYMBOLS_MAX])
{
    for (size_t k = 0; k < SYMBOLS_MAX && entries[i]->symbol[k].name; k++) {
        symbol[k] = implementation == &builtin ? entries[i]->symbol[k].builtin
                                               : implementation->symbol[i][k];
        if (!symbol[k]) {
            return false;
        }
    }
    return true;
}

static char *format_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *format_message(const char *format, ...)
{
    char text[PATH_MAX + 512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return strdup(text);
}

/* POSIX lets an object pointer of dlsym stand for a function; ISO C has no cast for it. */
static any_function *find_symbol(void *handle, const char *name)
{
    void *object = dlsym(handle, name);
    any_function *function;
    static_assert(sizeof function == sizeof object, "dlsym returns functions");
    memcpy(&function, &object, sizeof function);
    return function;
}

/* Returns how many of the catalogue's functions it has. */
static size_t find_symbols(struct implementation *implementation)
{
    size_t found = 0;
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        for (size_t k = 0; k < SYMBOLS_MAX && entries[i]->symbol[k].name; k++) {
            implementation->symbol[i][k] =
                find_symbol(implementation->handle, entries[i]->symbol[k].name);
        }
        if (entries[i]->many.name) {
            implementation->many[i] = find_symbol(implementation->handle, entries[i]->many.name);
        }
        found += implementation->symbol[i][0] != NULL;
    }
    return found;
}

/* A constructor of the object may change the environment: it is put back here, and the first call
 * reports it. */
static void *load(struct implementation *implementation)
{
    void *handle = dlopen(implementation->path, RTLD_NOW | RTLD_LOCAL);
    const char *finding = environment_restore();
    if (finding) {
        snprintf(implementation->load_finding, sizeof implementation->load_finding, "loading it %s",
                 finding);
        atomic_flag_clear(&implementation->load_reported);
    } else {
        atomic_flag_test_and_set(&implementation->load_reported);
    }
    return handle;
}

/* What an ELF file begins with, as far as it tells the machine: the class is in byte 4, the order
 * of bytes in 5, the machine in 18 and 19. */
enum { ELF_BEGINNING = 20 };

static bool read_beginning(const char *path, unsigned char beginning[ELF_BEGINNING])
{
    FILE *file = fopen(path, "rb");
    bool good = file && fread(beginning, 1, ELF_BEGINNING, file) == ELF_BEGINNING &&
                memcmp(beginning, "\177ELF", 4) == 0;
    if (file) {
        fclose(file);
    }
    return good;
}

/* dlopen says of such a file that it does not exist. */
static bool of_another_machine(const char *path)
{
    unsigned char theirs[ELF_BEGINNING], ours[ELF_BEGINNING];
    return read_beginning(path, theirs) && read_beginning("/proc/self/exe", ours) &&
           (memcmp(&theirs[4], &ours[4], 2) != 0 || memcmp(&theirs[18], &ours[18], 2) != 0);
}

struct implementation *implementation_open(const char *path, char **message)
{
    struct implementation *implementation = calloc(1, sizeof *implementation);
    /* Without a slash, dlopen would look in the system's directories. */
    char *resolved = realpath(path, NULL);
    if (!implementation || !resolved) {
        *message = format_message("%s: cannot open: %s", path, strerror(errno));
        free(resolved);
        free(implementation);
        return NULL;
    }
    implementation->path = resolved;
    implementation->given = format_message("%s", path);
    implementation->handle = load(implementation);
    if (!implementation->handle) {
        const char *why = dlerror();
        *message = format_message("%s: not a shared object that can be loaded: %s", path,
                                  of_another_machine(resolved) ? "it is for another machine" : why);
    } else if (find_symbols(implementation) == 0) {
        *message = format_message("%s: exports none of the functions under test (%s, ...)", path,
                                  entries[0]->symbol[0].name);
    } else {
        return implementation;
    }
    implementation_close(implementation);
    return NULL;
}

const char *implementation_load_finding(struct implementation *implementation)
{
    return atomic_flag_test_and_set(&implementation->load_reported) ? NULL
                                                                    : implementation->load_finding;
}

void implementation_close(struct implementation *implementation)
{
    if (!implementation) {
        return;
    }
    if (implementation->handle) {
        dlclose(implementation->handle);
        environment_restore();
    }
    free(implementation->path);
    free(implementation->given);
    free(implementation);
}

const char *implementation_name(const struct implementation *implementation)
{
    static _Thread_local char name[64]; /* the instruction set may have been changed since */
    if (implementation->handle) {
        return implementation->given;
    }
    snprintf(name, sizeof name, "truelerp %s (%s)", tl_version(), tl_instruction_set());
    return name;
}

/* The catalogue's position of a function, or FUNCTION_COUNT if it is not in the catalogue. */
static size_t index_of(const struct function *function)
{
    size_t i = 0;
    while (i < FUNCTION_COUNT && catalog[i] != function) {
        i++;
    }
    return i;
}

bool implementation_has(const struct implementation *implementation,
                        const struct function *function)
{
    size_t i = index_of(function);
    any_function *symbol[SYMBOLS_MAX];
    return i < FUNCTION_COUNT && symbols_of(implementation, i, symbol);
}

void implementation_call_once(struct implementation *implementation)
{
    implementation->once = true;
}

static const char *examine(const struct implementation *implementation, size_t i,
                           any_function *const *symbol, const struct values *inputs,
                           const struct values *outputs)
{
    const struct entry *entry = entries[i];
    any_function *many = implementation == &builtin ? entry->many.builtin : implementation->many[i];
    const char *finding = NULL;
    if (entry->in_place > 0) {
        finding = call_in_place(symbol[0], entry->in_place, inputs, outputs);
    }
    return finding || !entry->examine ? finding : entry->examine(symbol, many, inputs, outputs);
}

const char *implementation_examine(const struct implementation *implementation,
                                   const struct function *function, const struct values *inputs,
                                   const struct values *outputs)
{
    size_t i = index_of(function);
    any_function *symbol[SYMBOLS_MAX];
    size_t field;
    if (i == FUNCTION_COUNT || !symbols_of(implementation, i, symbol) ||
        function_fault(function, inputs, &field)) {
        return NULL;
    }
    forget_disturbances();
    const char *besides = examine(implementation, i, symbol, inputs, outputs);
    return either(first_disturbance(), besides);
}

const char *implementation_call(const struct implementation *implementation,
                                const struct function *function, const struct values *inputs,
                                struct values *outputs)
{
    double *results = values_numbers(outputs, function->output_count);
    for (size_t k = 0; k < function->output_count; k++) {
        results[k] = NAN;
    }
    size_t i = index_of(function);
    any_function *symbol[SYMBOLS_MAX];
    size_t field;
    if (i == FUNCTION_COUNT || !symbols_of(implementation, i, symbol)) {
        return "has no such function";
    }
    if (function_fault(function, inputs, &field)) {
        return NULL; /* it cannot be called like this */
    }
    forget_disturbances();
    const char *besides = entries[i]->call(symbol, inputs, outputs);
    if (!besides && implementation->handle && !implementation->once) {
        besides = examine(implementation, i, symbol, inputs, outputs);
    }
    const char *finding = either(first_disturbance(), besides);
    if (finding || !implementation->handle) {
        return finding;
    }
    /* every implementation with a handle was allocated by implementation_open */
    return implementation_load_finding((struct implementation *)implementation);
}
