#include "implementation.h"
#include "environment.h"

#include "../impl/truelerp.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
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

struct implementation {
    void *handle; /* NULL: built in */
    char *path;   /* without links, for dlopen */
    char *given;  /* as it was named: what a report says, which others may read */
    any_function *symbol[FUNCTION_COUNT]; /* NULL where it has none */
    char load_finding[80];                /* what loading it did to the environment */
    atomic_flag load_reported;            /* or there is nothing to report */
};

/* The adapters: each calls one function of the header's type on copies of the inputs, so that an
 * implementation that writes to its arguments harms itself only, and with every argument that the
 * function must not read set to NaN. `outputs` comes as one NaN for each of the function's fields:
 * what is not written shows. */
typedef void adapter(any_function *symbol, const struct values *inputs, struct values *outputs);

typedef double scalar_lerp(double, double, double);
typedef double key_value(const tl_key *, const tl_key *, double);
typedef void key_coefficients(const tl_key *, const tl_key *, double *);
typedef int polynomial_roots(double, double, double, double, double *, int *);
typedef void vector_slerp(const double *, const double *, double, double *);

static void call_lerp(any_function *symbol, const struct values *inputs, struct values *outputs)
{
    const double *x = inputs->number;
    outputs->number[0] = ((scalar_lerp *)symbol)(x[0], x[1], x[2]);
}

static void call_lerp_cr(any_function *symbol, const struct values *inputs, struct values *outputs)
{
    call_lerp(symbol, inputs, outputs);
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

static void call_hermite(any_function *symbol, const struct values *inputs, struct values *outputs)
{
    tl_key keys[2];
    set_keys(keys, inputs->number);
    outputs->number[0] = ((key_value *)symbol)(&keys[0], &keys[1], inputs->number[6]);
}

static void call_hermite_coefficients(any_function *symbol, const struct values *inputs,
                                      struct values *outputs)
{
    tl_key keys[2];
    set_keys(keys, inputs->number);
    ((key_coefficients *)symbol)(&keys[0], &keys[1], outputs->number);
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

static void call_bezier(any_function *symbol, const struct values *inputs, struct values *outputs)
{
    enum { T0, V0, M0, W0, T1, V1, M1, W1, T };
    static const size_t of_keys[6] = {T0, V0, M0, T1, V1, M1};
    double x[6];
    for (size_t i = 0; i < 6; i++) {
        x[i] = *values_field(inputs, of_keys[i]);
    }
    tl_key keys[2];
    set_keys(keys, x);
    set_weights(keys, inputs, W0, W1);
    outputs->number[0] = ((key_value *)symbol)(&keys[0], &keys[1], *values_field(inputs, T));
}

static void call_bezier_parameter(any_function *symbol, const struct values *inputs,
                                  struct values *outputs)
{
    enum { T0, W0, T1, W1, T };
    double t0 = *values_field(inputs, T0), t1 = *values_field(inputs, T1);
    tl_key keys[2];
    set_keys(keys, (double[6]){t0, NAN, NAN, t1, NAN, NAN});
    set_weights(keys, inputs, W0, W1);
    outputs->number[0] = ((key_value *)symbol)(&keys[0], &keys[1], *values_field(inputs, T));
}

static double code_of(int result)
{
    static const double codes[] = {[-TL_EVERY_NUMBER] = 1, [-TL_NOT_FINITE] = 2};
    return result == TL_EVERY_NUMBER || result == TL_NOT_FINITE ? codes[-result] : NAN;
}

/* What is neither a count nor a code gives no roots and the code NaN. */
static void call_cubic_roots(any_function *symbol, const struct values *inputs,
                             struct values *outputs)
{
    enum { MOST = 3 };
    const double *x = inputs->number;
    double roots[MOST] = {NAN, NAN, NAN};
    int multiplicities[MOST] = {0};
    int result = ((polynomial_roots *)symbol)(x[0], x[1], x[2], x[3], roots, multiplicities);
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
}

static void call_slerp3(any_function *symbol, const struct values *inputs, struct values *outputs)
{
    const double *x = inputs->number;
    double a[3] = {x[0], x[1], x[2]};
    double b[3] = {x[3], x[4], x[5]};
    ((vector_slerp *)symbol)(a, b, x[6], outputs->number);
}

static void call_slerp3_unclamped(any_function *symbol, const struct values *inputs,
                                  struct values *outputs)
{
    call_slerp3(symbol, inputs, outputs);
}

struct entry {
    const char *symbol;
    adapter *call;
};

static const struct entry entries[FUNCTION_COUNT] = {
#define FUNCTION(name) [FUNCTION_##name] = {"tl_" #name, call_##name},
#include "catalog.def"
#undef FUNCTION
};

static const struct implementation builtin = {
    .symbol =
        {
#define FUNCTION(name) [FUNCTION_##name] = (any_function *)tl_##name,
#include "catalog.def"
#undef FUNCTION
        },
};

const struct implementation *implementation_builtin(void)
{
    return &builtin;
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
        implementation->symbol[i] = find_symbol(implementation->handle, entries[i].symbol);
        found += implementation->symbol[i] != NULL;
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
        *message =
            format_message("%s: not a shared object that can be loaded: %s", path, dlerror());
    } else if (find_symbols(implementation) == 0) {
        *message = format_message("%s: exports none of the functions under test (%s, ...)", path,
                                  entries[0].symbol);
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
    return i < FUNCTION_COUNT && implementation->symbol[i];
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
    if (i == FUNCTION_COUNT || !implementation->symbol[i]) {
        return "has no such function";
    }
    entries[i].call(implementation->symbol[i], inputs, outputs);
    const char *finding = environment_restore();
    if (finding || !implementation->handle) {
        return finding;
    }
    /* every implementation with a handle was allocated by implementation_open */
    return implementation_load_finding((struct implementation *)implementation);
}
