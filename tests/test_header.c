/* What the public header says of each function is what the catalogue judges by. */
#include "suite.h"

#include "../impl/truelerp.h"
#include "../oracle/function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char header[1 << 20];

static void read_header(void)
{
    FILE *stream = fopen(SOURCE_DIRECTORY "/impl/truelerp.h", "rb");
    size_t length = stream ? fread(header, 1, sizeof header - 1, stream) : 0;
    header[length] = '\0';
    CU_ASSERT(length > 1000 && length < sizeof header - 1);
    if (stream) {
        fclose(stream);
    }
}

/* The declaration of tl_NAME, or NULL. */
static const char *find_declaration(const char *name)
{
    char call[100];
    snprintf(call, sizeof call, " tl_%s(", name);
    for (const char *at = strstr(header, call); at; at = strstr(at + 1, call)) {
        const char *line = at;
        while (line > header && line[-1] != '\n') {
            line--;
        }
        if (strncmp(line, "TL_API ", 7) == 0) {
            return line;
        }
    }
    return NULL;
}

/* The comment that belongs to `declaration`, to be freed: the last one before it, with no other
 * declaration in between. */
static char *comment_before(const char *declaration)
{
    const char *start = header, *end = header;
    for (const char *at = strstr(header, "/*"); at && at < declaration; at = strstr(end, "/*")) {
        start = at;
        end = strstr(at, "*/");
        if (!end) {
            break;
        }
    }
    const char *next = end ? strstr(end, "TL_API ") : NULL;
    return next == declaration ? strndup(start, (size_t)(end - start)) : NULL;
}

/* Every "K = number" in the comment states the catalogue's K. Returns how many there are. */
static size_t count_bounds(const struct function *function, const char *comment)
{
    size_t count = 0;
    for (const char *at = strstr(comment, "K = "); at; at = strstr(at + 1, "K = ")) {
        double stated = strtod(at + 4, NULL);
        suite_check(stated == function->K, "%s: the header says K = %g, the catalogue %g",
                    function->name, stated, function->K);
        count++;
    }
    return count;
}

static void every_function_is_declared(void)
{
    read_header();
    for (size_t i = 0; i < catalog_count; i++) {
        suite_check(find_declaration(catalog[i]->name) != NULL, "tl_%s", catalog[i]->name);
    }
    CU_ASSERT(catalog_count >= 6);
}

static void check_comment(const struct function *function, const char *comment)
{
    size_t stated = count_bounds(function, comment);
    if (function->measure == MEASURE_ROUNDED) {
        suite_check(strstr(comment, "rounded") != NULL && function->K == 0.5,
                    "%s is not called rounded", function->name);
    } else {
        suite_check(stated > 0, "the header states no K for %s", function->name);
    }
}

static void the_stated_bound_is_the_judged_one(void)
{
    read_header();
    for (size_t i = 0; i < catalog_count; i++) {
        const char *declaration = find_declaration(catalog[i]->name);
        char *comment = declaration ? comment_before(declaration) : NULL;
        suite_check(comment != NULL, "tl_%s has no comment", catalog[i]->name);
        if (comment) {
            check_comment(catalog[i], comment);
            free(comment);
        }
    }
}

static void the_version_is_the_one_stated(void)
{
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", TL_VERSION_MAJOR, TL_VERSION_MINOR, TL_VERSION_PATCH);
    CU_ASSERT_STRING_EQUAL(tl_version(), text);
}

/* Only names that exist are taken, and one that is not changes nothing. */
static void instruction_sets_are_chosen_by_name(void)
{
    const char *chosen = tl_instruction_set();
    static const char *const wrong[] = {"", "avx", "Baseline", "fma ", "neon"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_EQUAL(tl_use_instruction_set(wrong[i]), -1);
        CU_ASSERT_STRING_EQUAL(tl_instruction_set(), chosen);
    }
    CU_ASSERT_EQUAL(tl_use_instruction_set("baseline"), 0);
    CU_ASSERT_STRING_EQUAL(tl_instruction_set(), "baseline");
    CU_ASSERT_EQUAL(tl_use_instruction_set(chosen), 0);
    CU_ASSERT_STRING_EQUAL(tl_instruction_set(), chosen);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"every function is declared", every_function_is_declared},
        {"the stated bound is the judged one", the_stated_bound_is_the_judged_one},
        {"the version is the one stated", the_version_is_the_one_stated},
        {"instruction sets are chosen by name", instruction_sets_are_chosen_by_name},
    };
    return suite_run("header", tests, sizeof tests / sizeof *tests);
}
