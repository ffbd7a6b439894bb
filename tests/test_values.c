/* The container for a case's numbers. */
#include "suite.h"

#include "../oracle/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(double *numbers, size_t count, double first)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = first + (double)i;
    }
}

static bool holds(const struct values *values, size_t field, size_t count, double first)
{
    bool good = values_length(values, field) == count;
    for (size_t i = 0; good && i < count; i++) {
        good = values_field(values, field)[i] == first + (double)i;
    }
    return suite_check(good, "field %zu is not %zu numbers from %g", field, count, first);
}

static void fields_keep_their_numbers_while_others_are_added(void)
{
    static const size_t lengths[FIELDS_MAX] = {1,    0, 3, 1000, 0, 0, 1, 17,
                                               4096, 1, 2, 3,    4, 5, 6, 7};
    struct values values = {0};
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        fill(values_append(&values, lengths[i]), lengths[i], 10000 * (double)i);
    }
    CU_ASSERT_EQUAL(values.count, FIELDS_MAX);
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        holds(&values, i, lengths[i], 10000 * (double)i);
    }
    values_free(&values);
}

static void cleared_values_are_empty_and_start_over(void)
{
    struct values values = {0};
    values_clear(&values);
    CU_ASSERT_EQUAL(values.count, 0);
    fill(values_append(&values, 100), 100, 7);
    fill(values_append(&values, 3), 3, 9);
    size_t capacity = values.capacity;
    values_clear(&values);
    CU_ASSERT_EQUAL(values.count, 0);
    CU_ASSERT_EQUAL(values.capacity, capacity);
    fill(values_append(&values, 2), 2, 5);
    fill(values_append(&values, 1), 1, 6);
    CU_ASSERT_EQUAL(values.count, 2);
    holds(&values, 0, 2, 5);
    holds(&values, 1, 1, 6);
    values_free(&values);
}

static void numbers_are_one_a_field_whatever_was_there(void)
{
    struct values values = {0};
    fill(values_append(&values, 5), 5, 1);
    for (size_t count = FIELDS_MAX; count > 0; count /= 2) {
        fill(values_numbers(&values, count), count, 3);
        CU_ASSERT_EQUAL(values.count, count);
        for (size_t i = 0; i < count; i++) {
            holds(&values, i, 1, 3 + (double)i);
        }
    }
    values_numbers(&values, 0);
    CU_ASSERT_EQUAL(values.count, 0);
    fill(values_append(&values, 2), 2, 8);
    holds(&values, 0, 2, 8);
    values_free(&values);
}

static void numbers_are_added_behind_what_is_there(void)
{
    struct values values = {0};
    fill(values_append_numbers(&values, 2), 2, 1);
    fill(values_append(&values, 3), 3, 5);
    fill(values_append_numbers(&values, 20), 20, 9);
    fill(values_append_numbers(&values, 0), 0, 0);
    fill(values_append(&values, 1), 1, 40);
    CU_ASSERT_EQUAL(values.count, 24);
    holds(&values, 0, 1, 1);
    holds(&values, 1, 1, 2);
    holds(&values, 2, 3, 5);
    for (size_t i = 0; i < 20; i++) {
        holds(&values, 3 + i, 1, 9 + (double)i);
    }
    holds(&values, 23, 1, 40);
    values_free(&values);
}

static void copies_are_independent(void)
{
    struct values from = {0};
    struct values to = {0};
    values_copy(&to, &from);
    CU_ASSERT_EQUAL(to.count, 0);
    fill(values_append(&from, 40), 40, 1);
    values_append(&from, 0);
    fill(values_append(&from, 2), 2, 2);
    fill(values_append(&to, 3), 3, 77);
    values_copy(&to, &from);
    fill(values_numbers(&from, 3), 3, -1);
    CU_ASSERT_EQUAL(to.count, 3);
    holds(&to, 0, 40, 1);
    holds(&to, 1, 0, 0);
    holds(&to, 2, 2, 2);
    values_copy(&to, &to);
    holds(&to, 0, 40, 1);
    CU_ASSERT_EQUAL(to.count, 3);
    values_free(&from);
    holds(&to, 2, 2, 2);
    values_free(&to);
}

static void freed_values_can_be_used_again(void)
{
    struct values values = {0};
    fill(values_append(&values, 9), 9, 1);
    values_free(&values);
    CU_ASSERT_EQUAL(values.count, 0);
    CU_ASSERT_PTR_NULL(values.number);
    fill(values_append(&values, 1), 1, 4);
    holds(&values, 0, 1, 4);
    values_free(&values);
    values_free(&values);
    CU_ASSERT_EQUAL(values.capacity, 0);
}

/* A case too large for the machine or for the type must not become a wrong answer. */
static void overlong_append(void)
{
    struct values values = {0};
    values_append(&values, (size_t)-1 / sizeof(double));
}

static void append_beyond_the_last_field(void)
{
    struct values values = {0};
    for (size_t i = 0; i <= FIELDS_MAX; i++) {
        values_append(&values, 1);
    }
}

static void too_many_numbers(void)
{
    struct values values = {0};
    values_numbers(&values, FIELDS_MAX + 1);
}

static void too_many_numbers_more(void)
{
    struct values values = {0};
    values_append(&values, 3);
    values_append_numbers(&values, FIELDS_MAX);
}

static int exit_code_of(void (*run)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        run();
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static void what_does_not_fit_ends_the_program(void)
{
    CU_ASSERT_EQUAL(exit_code_of(overlong_append), 3);
    CU_ASSERT_EQUAL(exit_code_of(append_beyond_the_last_field), 3);
    CU_ASSERT_EQUAL(exit_code_of(too_many_numbers), 3);
    CU_ASSERT_EQUAL(exit_code_of(too_many_numbers_more), 3);
}

static void numbers_come_and_go_within_a_field(void)
{
    struct values values = {0};
    fill(values_append(&values, 2), 2, 10);
    fill(values_append(&values, 3), 3, 20);
    values_append(&values, 0);
    fill(values_append(&values, 1), 1, 40);
    double *number = values_insert(&values, 1, 3, 40);
    CU_ASSERT_PTR_EQUAL(number, values_field(&values, 1) + 3);
    fill(number, 40, 23);
    holds(&values, 0, 2, 10);
    holds(&values, 1, 43, 20);
    holds(&values, 3, 1, 40);
    fill(values_insert(&values, 2, 0, 2), 2, 30);
    values_remove(&values, 1, 0, 5);
    holds(&values, 0, 2, 10);
    holds(&values, 1, 38, 25);
    holds(&values, 2, 2, 30);
    holds(&values, 3, 1, 40);
    values_remove(&values, 1, 10, 28);
    holds(&values, 1, 10, 25);
    holds(&values, 2, 2, 30);
    values_remove(&values, 1, 0, 10);
    values_insert(&values, 1, 0, 0);
    CU_ASSERT_EQUAL(values_length(&values, 1), 0);
    holds(&values, 0, 2, 10);
    holds(&values, 2, 2, 30);
    holds(&values, 3, 1, 40);
    fill(values_append(&values, 2), 2, 50);
    holds(&values, 4, 2, 50);
    values_free(&values);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"fields keep their numbers while others are added",
         fields_keep_their_numbers_while_others_are_added},
        {"cleared values are empty and start over", cleared_values_are_empty_and_start_over},
        {"numbers are one a field whatever was there", numbers_are_one_a_field_whatever_was_there},
        {"numbers are added behind what is there", numbers_are_added_behind_what_is_there},
        {"numbers come and go within a field", numbers_come_and_go_within_a_field},
        {"copies are independent", copies_are_independent},
        {"freed values can be used again", freed_values_can_be_used_again},
        {"what does not fit ends the program", what_does_not_fit_ends_the_program},
    };
    return suite_run("values", tests, sizeof tests / sizeof *tests);
}
