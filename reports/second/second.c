#include "answers.h"

#include <math.h>
#include <string.h>

#ifdef TRUELERP_FLINT
#include <flint/flint.h>
#endif

enum arithmetic { RATIONALS, BALLS, BOTH };

static const struct {
    const char *name;
    enum arithmetic arithmetic;
    answer_function *answer;
} functions[] = {
    {"lerp", RATIONALS, second_lerp},
    {"lerp_cr", RATIONALS, second_lerp},
    {"hermite", RATIONALS, second_hermite},
    {"hermite_coefficients", RATIONALS, second_hermite_coefficients},
    {"newton", RATIONALS, second_newton},
    {"track", RATIONALS, second_track},
    {"crossfade_newton", RATIONALS, second_crossfade_newton},
    {"curve", BOTH, second_curve},
    {"crossfade", BOTH, second_crossfade},
#ifdef TRUELERP_FLINT
    {"bezier", BALLS, second_bezier},
    {"bezier_parameter", BALLS, second_bezier_parameter},
    {"cubic_roots", BALLS, second_cubic_roots},
    {"slerp3", BALLS, second_slerp3},
    {"slerp3_unclamped", BALLS, second_slerp3_unclamped},
    {"slerp4", BALLS, second_slerp4},
    {"angle3", BALLS, second_angle3},
    {"rotate_toward3", BALLS, second_rotate_toward3},
#endif
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static size_t find(const char *name)
{
    size_t i = 0;
    while (i < FUNCTIONS && strcmp(functions[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool second_has_balls(void)
{
#ifdef TRUELERP_FLINT
    return true;
#else
    return false;
#endif
}

const char *second_arithmetic(const char *function)
{
    static const char *const names[] = {[RATIONALS] = "r", [BALLS] = "b", [BOTH] = "rb"};
    size_t i = find(function);
    return i < FUNCTIONS ? names[functions[i].arithmetic] : "-";
}

bool second_answer(const char *function, const struct values *inputs, struct second *second)
{
    second->kind = SECOND_REAL;
    second->factor = 0;
    second->wrapped = false;
    second->one_of_several = false;
    second->unknown = false;
    for (size_t i = 0; i < SECOND_OUTPUTS; i++) {
        second->length[i] = 1;
    }
    size_t position = find(function);
    if (position == FUNCTIONS) {
        return false;
    }
    functions[position].answer(inputs, second);
    return !second->unknown;
}

static void each_span(struct second *second, void (*act)(struct span *))
{
    for (size_t i = 0; i < SECOND_NUMBERS; i++) {
        act(&second->value[i]);
        act(&second->scale[i]);
        act(&second->slack[i]);
    }
    act(&second->magnitude);
    act(&second->figure);
}

void second_open(struct second *second)
{
    each_span(second, span_init);
}

void second_close(struct second *second)
{
    each_span(second, span_clear);
#ifdef TRUELERP_FLINT
    flint_cleanup();
#endif
}

void give_nan(struct second *second, size_t count)
{
    second->kind = SECOND_GIVEN;
    for (size_t i = 0; i < count; i++) {
        second->given[i] = NAN;
    }
}

void give_numbers(struct second *second, const double *numbers, size_t count)
{
    second->kind = SECOND_GIVEN;
    memcpy(second->given, numbers, count * sizeof *numbers);
}

bool finite_numbers(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}
