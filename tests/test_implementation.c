/* The door to the implementation under test: what goes in and comes out is what the function got
 * and gave, and nothing that a foreign shared object does to its surroundings goes unseen. */
#include "sample.h"
#include "suite.h"

#include "../impl/truelerp.h"
#include "../oracle/environment.h"
#include "../oracle/implementation.h"

#include <errno.h>
#include <fenv.h>
#include <libgen.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct values inputs;
static struct values outputs;

static void set_inputs(const struct function *function, const double *numbers)
{
    memcpy(values_numbers(&inputs, function->input_count), numbers,
           function->input_count * sizeof *numbers);
}

static const char *call(const struct implementation *implementation, const char *name,
                        const double *numbers)
{
    const struct function *function = catalog_find(name);
    set_inputs(function, numbers);
    values_append(&outputs, 3); /* what the call before left */
    const char *finding = implementation_call(implementation, function, &inputs, &outputs);
    CU_ASSERT_EQUAL(outputs.count, function->output_count);
    suite_check(memcmp(inputs.number, numbers, function->input_count * sizeof *numbers) == 0,
                "%s changed its inputs", name);
    suite_check(!environment_restore() && !environment_fault(), "%s left its environment", name);
    return finding;
}

static bool gave(const char *name, const double wanted[4])
{
    size_t count = catalog_find(name)->output_count;
    bool good = outputs.count == count;
    for (size_t k = 0; good && k < count; k++) {
        good =
            values_length(&outputs, k) == 1 && same_double(*values_field(&outputs, k), wanted[k]);
    }
    return suite_check(good, "%s gave %.17g, wanted %.17g", name, outputs.number[0], wanted[0]);
}

/* The same of a function that gives lists: count roots, as many multiplicities, and a code. */
static void gave_roots(size_t count, const double *roots, const double *multiplicities, double code)
{
    bool good = outputs.count == 3 && values_length(&outputs, 0) == count &&
                values_length(&outputs, 1) == count && values_length(&outputs, 2) == 1 &&
                same_double(*values_field(&outputs, 2), code);
    for (size_t i = 0; good && i < count; i++) {
        good = same_double(values_field(&outputs, 0)[i], roots[i]) &&
               same_double(values_field(&outputs, 1)[i], multiplicities[i]);
    }
    suite_check(good, "%zu roots, code %g, not %zu, code %g", values_length(&outputs, 0),
                *values_field(&outputs, 2), count, code);
}

/* Opens a test library beside this program, or ends the test. */
static struct implementation *open_library(const char *name)
{
    char *message = NULL;
    struct implementation *implementation = implementation_open(name, &message);
    suite_check(implementation && !message, "%s: %s", name, message ? message : "no message");
    if (!implementation) {
        CU_FAIL_FATAL("cannot go on without it");
    }
    return implementation;
}

static const double numbers[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

/* As `call`, but the fields of `absent` have no number. */
static const char *call_without(const struct implementation *implementation, const char *name,
                                const double *x, const size_t *absent, size_t count)
{
    const struct function *function = catalog_find(name);
    values_clear(&inputs);
    for (size_t i = 0; i < function->input_count; i++) {
        bool has = true;
        for (size_t k = 0; k < count; k++) {
            has = has && absent[k] != i;
        }
        double *number = values_append(&inputs, has);
        if (has) {
            *number = x[i];
        }
    }
    return implementation_call(implementation, function, &inputs, &outputs);
}

/* A case of lists: `count` fields, each with its length and its numbers. */
struct list {
    size_t length;
    double number[4];
};

static const char *lists_finding(const struct implementation *implementation, const char *name,
                                 const struct list *fields, size_t count)
{
    const struct function *function = catalog_find(name);
    values_clear(&inputs);
    for (size_t i = 0; i < count; i++) {
        memcpy(values_append(&inputs, fields[i].length), fields[i].number,
               fields[i].length * sizeof(double));
    }
    CU_ASSERT_EQUAL(count, function->input_count);
    return implementation_call(implementation, function, &inputs, &outputs);
}

static void call_lists(const struct implementation *implementation, const char *name,
                       const struct list *fields, size_t count)
{
    CU_ASSERT_PTR_NULL(lists_finding(implementation, name, fields, count));
}

/* The outputs as one line: numbers with blanks between, fields with bars. */
static void gave_lists(const char *name, const char *wanted)
{
    char text[200] = "";
    size_t used = 0;
    for (size_t k = 0; k < outputs.count; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", k > 0 ? "|" : "");
        for (size_t i = 0; i < values_length(&outputs, k) && used < sizeof text; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.17g", i > 0 ? " " : "",
                                     values_field(&outputs, k)[i]);
        }
    }
    suite_check(strcmp(text, wanted) == 0, "%s gave %s, wanted %s", name, text, wanted);
}

/* Two times, two channels; the builder refuses a first time 0 with the counts for indices. */
static void adapters_build_tables(void)
{
    struct implementation *wrong = open_library("wrong.so");
    struct list newton[3] = {{2, {1, 2}}, {4, {3, 4, 5, 6}}, {1, {7}}};
    call_lists(wrong, "newton", newton, 3);
    gave_lists("newton", "1257 1267|0|");
    newton[0].number[0] = 0;
    call_lists(wrong, "newton", newton, 3);
    gave_lists("newton", "|5|2 2");

    struct list fade[6] = {{2, {1, 2}}, {2, {3, 4}}, {2, {5, 6}}, {2, {7, 8}}, {1, {9}}, {1, {3}}};
    call_lists(wrong, "crossfade_newton", fade, 6);
    gave_lists("crossfade_newton", "12456893|0|0");
    fade[2].number[0] = 0;
    call_lists(wrong, "crossfade_newton", fade, 6);
    gave_lists("crossfade_newton", "|0|5");

    struct list track[4] = {{1, {3}}, {2, {1, 2}}, {4, {3, 4, 5, 6}}, {1, {7}}};
    call_lists(wrong, "track", track, 4);
    gave_lists("track", "31257 31267|0|");
    track[1].number[0] = 0;
    call_lists(wrong, "track", track, 4);
    gave_lists("track", "|5|3");
    static const double orders[] = {-1, 1.5, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        track[0].number[0] = orders[i];
        call_lists(wrong, "track", track, 4);
        gave_lists("track", "|5|99"); /* an order that does not exist */
    }
    implementation_close(wrong);
}

/* Weights are read where the modes say so; the outer sides of the end keys are NaN. */
static void adapters_build_curves(void)
{
    enum { MODES = 4, FIELDS = 9 };
    struct implementation *wrong = open_library("wrong.so");
    struct list fields[20] = {{2, {1, 5}}, {2, {2, 6}}, {2, {9, 7}}, {2, {3, 9}}, {2, {2, 1}},
                              {2, {9, 8}}, {2, {4, 9}}, {1, {1}},    {1, {2}},    {1, {9}}};
    call_lists(wrong, "curve", fields, FIELDS + 1);
    gave_lists("curve", "12123456789|0|");
    fields[MODES] = (struct list){2, {0, 2}};
    call_lists(wrong, "curve", fields, FIELDS + 1);
    gave_lists("curve", "12123056709|0|");
    fields[MODES] = fields[MODES + 1] = fields[MODES + 2] = (struct list){.length = 0};
    call_lists(wrong, "curve", fields, FIELDS + 1);
    gave_lists("curve", "12123056709|0|");
    fields[0].number[0] = 0;
    call_lists(wrong, "curve", fields, FIELDS + 1);
    gave_lists("curve", "|5|2");

    fields[0].number[0] = 1;
    memcpy(fields + FIELDS, fields, FIELDS * sizeof *fields);
    fields[2 * FIELDS] = (struct list){1, {9}};
    fields[2 * FIELDS + 1] = (struct list){1, {4}};
    call_lists(wrong, "crossfade", fields, 2 * FIELDS + 2);
    gave_lists("crossfade", "5|0|0");
    fields[FIELDS].number[0] = 0;
    call_lists(wrong, "crossfade", fields, 2 * FIELDS + 2);
    gave_lists("crossfade", "|0|5");
    implementation_close(wrong);
}

/* Lists that do not fit each other reach no function. */
static void unfit_inputs_are_not_passed_on(void)
{
    struct implementation *wrong = open_library("wrong.so");
    struct list newton[3] = {{2, {1, 2}}, {3, {3, 4, 5}}, {1, {7}}};
    call_lists(wrong, "newton", newton, 3);
    gave_lists("newton", "nan|nan|nan");
    implementation_close(wrong);
}

static void adapters_pass_every_input_to_its_place(void)
{
    struct implementation *wrong = open_library("wrong.so");
    for (size_t i = 0; i < catalog_count; i++) {
        CU_ASSERT_TRUE(implementation_has(wrong, catalog[i]));
    }
    CU_ASSERT_PTR_NULL(call(wrong, "lerp", numbers));
    gave("lerp", (double[4]){123});
    CU_ASSERT_PTR_NULL(call(wrong, "lerp_cr", numbers));
    gave("lerp_cr", (double[4]){-123});
    CU_ASSERT_PTR_NULL(call(wrong, "hermite", numbers));
    gave("hermite", (double[4]){1234567});
    CU_ASSERT_PTR_NULL(call(wrong, "hermite_coefficients", numbers));
    gave("hermite_coefficients", (double[4]){104, 205, 306, -1});
    CU_ASSERT_PTR_NULL(call(wrong, "bezier", numbers));
    gave("bezier", (double[4]){123456789});
    CU_ASSERT_PTR_NULL(call(wrong, "bezier_parameter", numbers));
    gave("bezier_parameter", (double[4]){12345});
    CU_ASSERT_PTR_NULL(call(wrong, "cubic_roots", numbers)); /* returns d - a = 3 */
    gave_roots(3, (double[]){1234, 11234, 21234}, (double[]){4, 5, 6}, 0);
    CU_ASSERT_PTR_NULL(call(wrong, "slerp3", numbers));
    gave("slerp3", (double[4]){147, 257, 367});
    CU_ASSERT_PTR_NULL(call(wrong, "slerp3_unclamped", numbers));
    gave("slerp3_unclamped", (double[4]){-147, -257, -367});
    CU_ASSERT_PTR_NULL(call(wrong, "slerp4", numbers));
    gave("slerp4", (double[4]){159, 269, 379, 489});
    CU_ASSERT_PTR_NULL(call(wrong, "angle3", numbers));
    gave("angle3", (double[4]){123456});
    CU_ASSERT_PTR_NULL(call(wrong, "rotate_toward3", numbers));
    gave("rotate_toward3", (double[4]){1047, 2057, 3067});
    implementation_close(wrong);
}

/* An absent weight is one that does not count; the stored one is NaN. */
static void adapters_say_which_weights_there_are(void)
{
    struct implementation *wrong = open_library("wrong.so");
    struct implementation *careless = open_library("careless.so");
    CU_ASSERT_PTR_NULL(call_without(wrong, "bezier", numbers, (size_t[]){3}, 1));
    gave("bezier", (double[4]){123056789});
    CU_ASSERT_PTR_NULL(call_without(wrong, "bezier", numbers, (size_t[]){7}, 1));
    gave("bezier", (double[4]){123456709});
    CU_ASSERT_PTR_NULL(call_without(wrong, "bezier", numbers, (size_t[]){3, 7}, 2));
    gave("bezier", (double[4]){123056709});
    CU_ASSERT_PTR_NULL(call_without(wrong, "bezier_parameter", numbers, (size_t[]){1}, 1));
    gave("bezier_parameter", (double[4]){10345});
    CU_ASSERT_PTR_NULL(call_without(wrong, "bezier_parameter", numbers, (size_t[]){3}, 1));
    gave("bezier_parameter", (double[4]){12305});
    for (size_t weight = 0; weight < 2; weight++) {
        const double x[5] = {1, 2, 3, 4, (double)weight};
        CU_ASSERT_PTR_NULL(call(careless, "bezier_parameter", x));
        gave("bezier_parameter", (double[4]){weight ? 4 : 2});
        size_t field = weight ? 3 : 1;
        CU_ASSERT_PTR_NULL(call_without(careless, "bezier_parameter", x, &field, 1));
        gave("bezier_parameter", (double[4]){NAN});
    }
    implementation_close(careless);
    implementation_close(wrong);
}

/* What the library returns is a count from 0 to 3, a code, or wrong. */
static void a_count_or_a_code_is_understood(void)
{
    static const double roots[3] = {1010, 11010, 21010}, multiplicities[3] = {4, 5, 6};
    struct implementation *wrong = open_library("wrong.so");
    for (int result = -4; result <= 5; result++) {
        double code = result >= 0 && result <= 3 ? 0 : result == -1 ? 1 : result == -2 ? 2 : NAN;
        size_t count = result >= 0 && result <= 3 ? (size_t)result : 0;
        double shifted[3];
        for (int i = 0; i < 3; i++) {
            shifted[i] = roots[i] + result;
        }
        /* all three places are written to, whatever the count */
        const char *finding = call(wrong, "cubic_roots", (double[]){1, 0, 0.9, 1 + result});
        CU_ASSERT_EQUAL(finding != NULL, count < 3);
        gave_roots(count, shifted, multiplicities, code);
    }
    implementation_close(wrong);
}

/* NaN, infinities and signed zeros arrive and come back as they are. */
static void builtin_functions_answer_as_when_called(void)
{
    static const double specials[] = {NAN, HUGE_VAL, -HUGE_VAL, 0.0, -0.0, 1e-310, 0.75, -3e300};
    struct sample sample = {31};
    const struct implementation *builtin = implementation_builtin();
    for (int i = 0; i < 500; i++) {
        double x[9];
        for (int k = 0; k < 9; k++) {
            x[k] = i % 2 ? sample_uniform(&sample, -2, 2) : specials[sample_below(&sample, 8)];
        }
        tl_key keys[2] = {{.time = x[0], .value = x[1], .out_tangent = x[2]},
                          {.time = x[3], .value = x[4], .in_tangent = x[5]}};
        double wanted[4] = {0};
        CU_ASSERT_PTR_NULL(call(builtin, "lerp", x));
        gave("lerp", (double[4]){tl_lerp(x[0], x[1], x[2])});
        CU_ASSERT_PTR_NULL(call(builtin, "lerp_cr", x));
        gave("lerp_cr", (double[4]){tl_lerp_cr(x[0], x[1], x[2])});
        CU_ASSERT_PTR_NULL(call(builtin, "hermite", x));
        gave("hermite", (double[4]){tl_hermite(&keys[0], &keys[1], x[6])});
        CU_ASSERT_PTR_NULL(call(builtin, "hermite_coefficients", x));
        tl_hermite_coefficients(&keys[0], &keys[1], wanted);
        gave("hermite_coefficients", wanted);
        const tl_key first = {x[0], x[1], 0, x[2], 0, x[3], TL_WEIGHTED_OUT};
        const tl_key second = {x[4], x[5], x[6], 0, x[7], 0, TL_WEIGHTED_IN};
        CU_ASSERT_PTR_NULL(call(builtin, "bezier", x));
        gave("bezier", (double[4]){tl_bezier(&first, &second, x[8])});
        const tl_key start = {.time = x[0], .out_weight = x[1], .weighted_mode = TL_WEIGHTED_OUT};
        const tl_key end = {.time = x[2], .in_weight = x[3], .weighted_mode = TL_WEIGHTED_IN};
        CU_ASSERT_PTR_NULL(call(builtin, "bezier_parameter", x));
        gave("bezier_parameter", (double[4]){tl_bezier_parameter(&start, &end, x[4])});
        int multiplicities[3] = {0};
        int count = tl_cubic_roots(x[0], x[1], x[2], x[3], wanted, multiplicities);
        CU_ASSERT_PTR_NULL(call(builtin, "cubic_roots", x));
        gave_roots(count > 0 ? (size_t)count : 0, wanted,
                   (double[]){multiplicities[0], multiplicities[1], multiplicities[2]},
                   count < 0 ? -count : 0);
        CU_ASSERT_PTR_NULL(call(builtin, "slerp3", x));
        tl_slerp3(x, x + 3, x[6], wanted);
        gave("slerp3", wanted);
        CU_ASSERT_PTR_NULL(call(builtin, "slerp3_unclamped", x));
        tl_slerp3_unclamped(x, x + 3, x[6], wanted);
        gave("slerp3_unclamped", wanted);
    }
}

static void builtin_has_all_and_says_what_it_is(void)
{
    const struct implementation *builtin = implementation_builtin();
    CU_ASSERT_TRUE(catalog_count > 0);
    for (size_t i = 0; i < catalog_count; i++) {
        CU_ASSERT_TRUE(implementation_has(builtin, catalog[i]));
    }
    const char *former = tl_instruction_set();
    char wanted[64];
    static const char *const sets[] = {"baseline", "fma"};
    for (int i = 0; i < 2; i++) {
        if (tl_use_instruction_set(sets[i]) == 0) {
            snprintf(wanted, sizeof wanted, "truelerp %s (%s)", tl_version(), sets[i]);
            CU_ASSERT_STRING_EQUAL(implementation_name(builtin), wanted);
        }
    }
    CU_ASSERT_EQUAL(tl_use_instruction_set(former), 0);
}

static void found(const char *finding, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    CU_ASSERT_PTR_NOT_NULL(strstr(finding, part));
}

/* What is not written, and what is made from things that must not be read, is NaN. */
static void carelessness_shows_as_nan(void)
{
    struct implementation *careless = open_library("careless.so");
    for (int unused = 0; unused < 6; unused++) {
        CU_ASSERT_PTR_NULL(call(careless, "hermite", (double[]){1, 2, 3, 4, 5, 6, unused}));
        gave("hermite", (double[4]){NAN});
    }
    for (int unused = 0; unused < 4; unused++) {
        CU_ASSERT_PTR_NULL(call(careless, "bezier", (double[]){1, 2, 3, 4, 5, 6, 7, 8, unused}));
        gave("bezier", (double[4]){NAN});
        CU_ASSERT_PTR_NULL(call(careless, "bezier_parameter", (double[]){1, 2, 3, 4, 2 + unused}));
        gave("bezier_parameter", (double[4]){NAN});
    }
    found(call(careless, "hermite_coefficients", numbers), "wrote to its arguments");
    gave("hermite_coefficients", (double[4]){0, 1, 2, NAN});
    CU_ASSERT_PTR_NULL(call(careless, "cubic_roots", numbers));
    gave_roots(2, (double[]){5, NAN}, (double[]){0, 6}, 0);
    found(call(careless, "slerp3_unclamped", numbers), "wrote to its arguments");
    gave("slerp3_unclamped", (double[4]){NAN, 7, NAN});
    found(call(careless, "slerp4", numbers), "replaces an argument");
    gave("slerp4", (double[4]){5, 2, 3, 6});
    implementation_close(careless);
}

/* Every case twice, so that memory is used again. */
static void *build_repeatedly(void *context)
{
    enum { CHANNELS = 4, MOST = 64 };
    const struct function *newton = catalog_find("newton");
    struct values given = {0}, got = {0};
    for (size_t i = 2; i <= 2 * MOST; i++) {
        size_t count = i / 2;
        values_clear(&given);
        for (size_t field = 0; field < 3; field++) {
            size_t length = field == 0 ? count : field == 1 ? CHANNELS * count : 1;
            double *number = values_append(&given, length);
            for (size_t k = 0; k < length; k++) {
                number[k] = (double)k;
            }
        }
        CU_ASSERT_PTR_NULL(implementation_call(context, newton, &given, &got));
        const double *result = values_field(&got, 0);
        suite_check(values_length(&got, 0) == CHANNELS && isnan(result[0]) && isnan(result[1]) &&
                        result[2] == 0 && result[3] == 0,
                    "%zu nodes: read %g and %g, %g unguarded, %g used", count, result[0], result[1],
                    result[2], result[3]);
    }
    values_free(&given);
    values_free(&got);
    return NULL;
}

/* Memory that is lent to a builder holds NaN afterwards; a table does so before it is built. With
 * AddressSanitizer, neither may be read beyond, nor what was lent be read later. What a thread
 * keeps ends with it. And of an argument, the last part counts as the first. */
static void memory_is_lent_for_a_call_and_guarded(void)
{
    struct implementation *prying = open_library("prying.so");
    pthread_t thread;
    found(call(prying, "hermite", numbers), "wrote to its arguments");
    found(call(prying, "rotate_toward3", numbers), "wrote to its arguments");
    build_repeatedly(prying);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, build_repeatedly, prying), 0);
    CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
    implementation_close(prying);
}

static void what_an_implementation_lacks_is_known(void)
{
    struct implementation *careless = open_library("careless.so");
    CU_ASSERT_FALSE(implementation_has(careless, catalog_find("lerp")));
    CU_ASSERT_FALSE(implementation_has(careless, catalog_find("slerp3")));
    CU_ASSERT_TRUE(implementation_has(careless, catalog_find("hermite")));
    CU_ASSERT_TRUE(implementation_has(careless, catalog_find("slerp3_unclamped")));
    struct function stranger = *catalog_find("hermite");
    CU_ASSERT_FALSE(implementation_has(careless, &stranger));
    /* calling it all the same is a finding with an answer that fails */
    CU_ASSERT_PTR_NOT_NULL(call(careless, "slerp3", numbers));
    gave("slerp3", (double[4]){NAN, NAN, NAN});
    implementation_close(careless);
}

static void a_call_that_changes_the_environment_is_found_each_time(void)
{
    struct implementation *changing = open_library("changes_environment.so");
    for (int i = 0; i < 3; i++) {
        const char *finding = call(changing, "lerp", numbers);
        CU_ASSERT_TRUE(finding && strstr(finding, "rounding"));
        gave("lerp", (double[4]){2}); /* the answer counts nevertheless */
        CU_ASSERT_PTR_NOT_NULL(call(changing, "lerp_cr", numbers));
        CU_ASSERT_PTR_NULL(call(changing, "hermite", numbers));
    }
    feclearexcept(FE_ALL_EXCEPT);
    implementation_close(changing);
}

/* What builders are given, and where their time is and the values of each, of which the first says
 * how they disturb. */
struct disturbed {
    const char *name;
    size_t count;
    struct list fields[20];
    size_t values[2], time;
};

static const struct disturbed disturbed_builders[] = {
    {"newton", 3, {{2, {1, 2}}, {2, {0, 0}}, {1, {0}}}, {1, 1}, 2},
    {"track", 4, {{1, {1}}, {2, {1, 2}}, {2, {0, 0}}, {1, {0}}}, {2, 2}, 3},
    {"crossfade_newton",
     6,
     {{2, {1, 2}}, {2, {0, 0}}, {2, {1, 2}}, {2, {0, 0}}, {1, {0}}, {1, {0.5}}},
     {1, 3},
     4},
    {"curve",
     10,
     {{1, {1}}, {1, {0}}, {1, {0}}, {1, {0}}, {0}, {0}, {0}, {1, {0}}, {1, {0}}, {1, {0}}},
     {1, 1},
     9},
    {"crossfade",
     20,
     {{1, {1}}, {1, {0}},  {1, {0}}, {1, {0}}, {0}, {0}, {0}, {1, {0}}, {1, {0}}, //
      {1, {1}}, {1, {0}},  {1, {0}}, {1, {0}}, {0}, {0}, {0}, {1, {0}}, {1, {0}}, //
      {1, {0}}, {1, {0.5}}},
     {1, 10},
     18},
};

static void check_disturbed(const struct implementation *changing, struct disturbed disturbed,
                            size_t how, double t)
{
    static const char *const words[] = {NULL, "rounding mode", "cleared", "set errno to 34 ("};
    disturbed.fields[disturbed.time].number[0] = t;
    const char *finding =
        lists_finding(changing, disturbed.name, disturbed.fields, disturbed.count);
    suite_check(words[how] ? finding && strstr(finding, words[how]) : !finding,
                "%s, disturbed in way %zu at %g: %s", disturbed.name, how, t,
                finding ? finding : "no finding");
    suite_check(values_length(&outputs, 0) == 1 && *values_field(&outputs, 0) == t / 3,
                "%s, disturbed in way %zu: the result suffers", disturbed.name, how);
    finding = implementation_examine(changing, catalog_find(disturbed.name), &inputs, &outputs);
    suite_check(words[how] ? finding && strstr(finding, words[how]) : !finding,
                "%s, disturbed in way %zu and examined: %s", disturbed.name, how,
                finding ? finding : "no finding");
}

/* Before the next call, whatever that does. A negative time is for evaluations that take back what
 * their builder did. */
static void what_a_builder_leaves_behind_is_found_and_undone(void)
{
    enum { WAYS = 4 };
    struct implementation *changing = open_library("changes_environment.so");
    for (size_t i = 0; i < sizeof disturbed_builders / sizeof *disturbed_builders; i++) {
        for (size_t how = 0; how < WAYS; how++) {
            for (size_t of = 0; of < 2; of++) {
                struct disturbed disturbed = disturbed_builders[i];
                disturbed.fields[disturbed.values[of]].number[0] = 10 * (double)how;
                check_disturbed(changing, disturbed, how, 1);
                check_disturbed(changing, disturbed, how, -1);
            }
        }
    }
    implementation_close(changing);
}

static void errno_and_flags_are_the_callers(void)
{
    struct implementation *changing = open_library("changes_environment.so");
    errno = ENOENT;
    CU_ASSERT_PTR_NULL(call(changing, "angle3", (double[6]){0}));
    CU_ASSERT_EQUAL(errno, ENOENT);
    found(call(changing, "angle3", (double[6]){20}), "cleared floating-point exception flags");
    found(call(changing, "angle3", (double[6]){30}), "set errno to 34 (");
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_PTR_NULL(call(changing, "angle3", (double[6]){0}));
    feclearexcept(FE_ALL_EXCEPT); /* by ourselves, between two calls */
    CU_ASSERT_PTR_NULL(call(changing, "angle3", (double[6]){0}));
    CU_ASSERT_PTR_NULL(call(changing, "hermite", numbers)); /* raises some */
    implementation_close(changing);
}

/* Undone before anything is computed, reported once. */
static void a_constructor_that_changes_the_environment_is_found(void)
{
    struct implementation *spoiling = open_library("spoils_at_load.so");
    CU_ASSERT_PTR_NULL(environment_fault());
    CU_ASSERT_PTR_NULL(environment_restore());
    const char *finding = call(spoiling, "lerp", numbers);
    CU_ASSERT_TRUE(finding && strstr(finding, "load"));
    gave("lerp", (double[4]){2});
    CU_ASSERT_PTR_NULL(call(spoiling, "lerp", numbers));
    CU_ASSERT_PTR_NULL(implementation_load_finding(spoiling));
    implementation_close(spoiling);
    /* or to whoever asks for it, and then not by a call */
    spoiling = open_library("spoils_at_load.so");
    finding = implementation_load_finding(spoiling);
    CU_ASSERT_TRUE(finding && strstr(finding, "load"));
    CU_ASSERT_PTR_NULL(implementation_load_finding(spoiling));
    CU_ASSERT_PTR_NULL(call(spoiling, "lerp", numbers));
    implementation_close(spoiling);
    struct implementation *wrong = open_library("wrong.so");
    CU_ASSERT_PTR_NULL(implementation_load_finding(wrong));
    implementation_close(wrong);
}

static void check_refused(const char *path, const char *word)
{
    char *message = NULL;
    struct implementation *implementation = implementation_open(path, &message);
    suite_check(!implementation && message && strstr(message, path) && strstr(message, word),
                "%s: %s, wanted something about \"%s\"", path, message ? message : "no message",
                word);
    free(message);
    implementation_close(implementation);
}

static void what_cannot_be_used_is_refused_with_its_name(void)
{
    FILE *text = fopen("not_a_library.so", "w");
    fputs("this is no shared object\n", text);
    fclose(text);
    check_refused("not_a_library.so", "not a shared object");
    remove("not_a_library.so");
    check_refused("not_a_library.so", "cannot open");
    check_refused("/nowhere/at/all.so", "cannot open");
    check_refused(".", "not a shared object");
    check_refused("", "cannot open");
    check_refused("unrelated.so", "exports none");
    /* a name alone means the file here, never one of the system's libraries */
    check_refused("libm.so.6", "cannot open");
}

static void the_name_of_a_foreign_one_is_its_path_as_given(void)
{
    struct implementation *one = open_library("wrong.so");
    struct implementation *other = open_library("./careless.so");
    CU_ASSERT_STRING_EQUAL(implementation_name(one), "wrong.so");
    CU_ASSERT_STRING_EQUAL(implementation_name(other), "./careless.so");
    /* both at once, and the library linked in: none calls another one's functions */
    CU_ASSERT_PTR_NULL(call(one, "hermite", numbers));
    gave("hermite", (double[4]){1234567});
    found(call(other, "slerp3_unclamped", numbers), "wrote to its arguments");
    gave("slerp3_unclamped", (double[4]){NAN, 7, NAN});
    CU_ASSERT_PTR_NULL(call(implementation_builtin(), "lerp", (double[]){1, 3, 0.5}));
    gave("lerp", (double[4]){2});
    implementation_close(one);
    implementation_close(other);
}

int main(int count, char **arguments)
{
    static const struct suite_test tests[] = {
        {"adapters pass every input to its place", adapters_pass_every_input_to_its_place},
        {"adapters build tables", adapters_build_tables},
        {"adapters build curves", adapters_build_curves},
        {"unfit inputs are not passed on", unfit_inputs_are_not_passed_on},
        {"adapters say which weights there are", adapters_say_which_weights_there_are},
        {"a count or a code is understood", a_count_or_a_code_is_understood},
        {"built-in functions answer as when called", builtin_functions_answer_as_when_called},
        {"built in has all and says what it is", builtin_has_all_and_says_what_it_is},
        {"carelessness shows as NaN", carelessness_shows_as_nan},
        {"memory is lent for a call and guarded", memory_is_lent_for_a_call_and_guarded},
        {"what an implementation lacks is known", what_an_implementation_lacks_is_known},
        {"a call that changes the environment is found each time",
         a_call_that_changes_the_environment_is_found_each_time},
        {"what a builder leaves behind is found and undone",
         what_a_builder_leaves_behind_is_found_and_undone},
        {"errno and flags are the caller's", errno_and_flags_are_the_callers},
        {"a constructor that changes the environment is found",
         a_constructor_that_changes_the_environment_is_found},
        {"what cannot be used is refused with its name",
         what_cannot_be_used_is_refused_with_its_name},
        {"the name of a foreign one is its path", the_name_of_a_foreign_one_is_its_path_as_given},
    };
    /* the libraries lie beside the program */
    char *program = strdup(count > 0 ? arguments[0] : ".");
    if (chdir(dirname(program)) != 0) {
        free(program);
        fprintf(stderr, "cannot go to where the test libraries are\n");
        return 1;
    }
    free(program);
    int code = suite_run("implementation", tests, sizeof tests / sizeof *tests);
    values_free(&inputs);
    values_free(&outputs);
    return code;
}
