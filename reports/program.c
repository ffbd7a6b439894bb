#include "program.h"
#include "output.h"
#include "process.h"
#include "shelter.h"

#include "../oracle/environment.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum exit_code exit_worse(enum exit_code a, enum exit_code b)
{
    static const int rank[] = {
        [EXIT_WITHIN] = 0, [EXIT_FINDING] = 1, [EXIT_UNTRUSTED] = 2, [EXIT_USAGE] = 3};
    return rank[a] > rank[b] ? a : b;
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("truelerp: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void program_parse(const struct argp *argp, const char *verb, int argc, char **argv, void *input)
{
    char name[32];
    snprintf(name, sizeof name, "truelerp %s", verb);
    argv[0] = name;
    argp_parse(argp, argc, argv, 0, NULL, input);
}

/* "1e6": multiplies by the power of ten whose exponent stands in `text`. Returns where it ends. */
static char *scale_decimal(char *text, uint64_t *number)
{
    char *end = text;
    unsigned long power = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    for (; power > 0 && *number > 0; power--) {
        if (__builtin_mul_overflow(*number, 10, number)) {
            errno = ERANGE;
            return end;
        }
    }
    return end == text ? text - 1 : end; /* an "e" without digits is no end */
}

uint64_t option_number(struct argp_state *state, const char *option, const char *text,
                       uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
    if (end > text && (*end | 32) == 'e') {
        end = scale_decimal(end + 1, &number);
    }
    bool digits = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!digits || number < least || number > most) {
        argp_error(state, "%s wants a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                   option, least, most, text);
    }
    return number;
}

double option_decimal(struct argp_state *state, const char *option, const char *text, double least,
                      double most)
{
    char *end;
    double number = strtod(text, &end);
    bool decimal = *text && text[strspn(text, "0123456789.")] == '\0' && *end == '\0';
    if (!decimal || !(number >= least && number <= most)) {
        argp_error(state, "%s wants a number from %g to %.0f, not '%s'", option, least, most, text);
    }
    return number;
}

const char *path_shown(const char *path)
{
    return *path ? path : "'' (the name is empty)";
}

void *program_grown(void *list, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0) {
        return list;
    }
    void *larger = reallocarray(list, count ? 2 * count : 1, size);
    if (!larger) {
        complain("not enough memory");
        exit(EXIT_UNTRUSTED);
    }
    return larger;
}

/* Insertions, deletions and replacements that turn `a` into `b`. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    size_t length = strnlen(b, LONGEST);
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            size_t shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            diagonal = row[j + 1];
            row[j + 1] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[length];
}

static const char *nearest_name(const char *name)
{
    const char *nearest = NULL;
    size_t least = strlen(name) / 3 + 2;
    for (size_t i = 0; i < catalog_count; i++) {
        size_t distance = edit_distance(name, catalog[i]->name);
        if (distance < least) {
            least = distance;
            nearest = catalog[i]->name;
        }
    }
    return nearest;
}

const struct function *program_function(const char *name)
{
    const struct function *function = catalog_find(name);
    if (function) {
        return function;
    }
    const char *plain = strncmp(name, "tl_", 3) == 0 ? name + 3 : name;
    const char *nearest = nearest_name(plain);
    if (nearest) {
        complain("there is no function '%s'; did you mean '%s'?", name, nearest);
    } else {
        complain("there is no function '%s'", name);
    }
    fputs("Functions:", stderr);
    for (size_t i = 0; i < catalog_count; i++) {
        fprintf(stderr, " %s", catalog[i]->name);
    }
    fputc('\n', stderr);
    return NULL;
}

struct selection selection_rest(const struct argp_state *state)
{
    return (struct selection){state->argv + state->next, state->argc - state->next};
}

bool selection_holds(const struct selection *selection, const char *name)
{
    for (int i = 0; i < selection->count; i++) {
        if (strcmp(selection->names[i], name) == 0) {
            return true;
        }
    }
    return selection->count == 0;
}

bool selection_is_known(const struct selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        if (!program_function(selection->names[i])) {
            return false;
        }
    }
    return true;
}

enum exit_code program_environment(void)
{
    const char *fault = environment_fault();
    if (fault) {
        complain("no answer given here could be trusted: %s", fault);
        return EXIT_UNTRUSTED;
    }
    return EXIT_WITHIN;
}

/* A constructor of the object may ignore or block signals that the program waits for. */
static struct implementation *load(const char *path, char **message)
{
    sigset_t before;
    sigprocmask(SIG_SETMASK, NULL, &before);
    int output = process_divert_output();
    shelter_watch(true);
    struct implementation *implementation = implementation_open(path, message);
    shelter_watch(false);
    process_restore_output(output);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGCHLD, SIG_DFL);
    return implementation;
}

enum exit_code subject_open(struct subject *subject, const char *path, uint64_t time_limit)
{
    *subject = (struct subject){.implementation = implementation_builtin(), .path = path};
    if (!path) {
        return EXIT_WITHIN;
    }
    shelter_take(path, time_limit);
    char *message = NULL;
    subject->opened = load(path, &message);
    subject->implementation = subject->opened;
    if (!subject->opened) {
        complain("%s", message);
        free(message);
        return EXIT_USAGE;
    }
    const char *change = implementation_load_finding(subject->opened);
    if (change) {
        complain("%s: floating-point environment: %s", path, change);
        return EXIT_FINDING;
    }
    return EXIT_WITHIN;
}

void subject_close(struct subject *subject)
{
    if (subject->opened) {
        int output = process_divert_output();
        shelter_watch(true);
        implementation_close(subject->opened);
        shelter_watch(false);
        process_restore_output(output);
    }
    subject->opened = NULL;
}

size_t subject_lacking(const struct subject *subject, const struct selection *selection,
                       const char *names[])
{
    size_t count = 0;
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(selection, catalog[i]->name) &&
            !implementation_has(subject->implementation, catalog[i])) {
            names[count++] = catalog[i]->name;
        }
    }
    return count;
}

bool subject_has_selection(const struct subject *subject, const struct selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        const struct function *function = program_function(selection->names[i]);
        if (!function) {
            return false;
        }
        if (!implementation_has(subject->implementation, function)) {
            complain("%s has no function tl_%s", subject->path, function->name);
            return false;
        }
    }
    return true;
}

/* Of two paths that lead nowhere yet: whether they would to one name in one directory. Each may be
 * changed. */
static bool same_name(char *one, char *other)
{
    struct stat first, second;
    char *slash = strrchr(one, '/'), *other_slash = strrchr(other, '/');
    const char *name = slash ? slash + 1 : one;
    const char *other_name = other_slash ? other_slash + 1 : other;
    if (strcmp(name, other_name) != 0) {
        return false;
    }
    return stat(dirname(one), &first) == 0 && stat(dirname(other), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool program_same_file(const char *one, const char *other)
{
    struct stat first, second;
    bool there = stat(one, &first) == 0, other_there = stat(other, &second) == 0;
    if (there || other_there) {
        return there && other_there && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
               first.st_ino == second.st_ino;
    }
    char *target = output_target(one), *other_target = output_target(other);
    bool same = target && other_target && same_name(target, other_target);
    free(target);
    free(other_target);
    return same;
}

static const char *read_path(const struct program_file *file)
{
    return strcmp(file->path, "-") == 0 && !file->written ? "/dev/stdin" : file->path;
}

bool program_files_apart(const struct program_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct program_file *one = &files[i], *other = &files[k];
            if (!one->path || !other->path || !(one->written || other->written) ||
                !program_same_file(read_path(one), read_path(other))) {
                continue;
            }
            if (one->written && other->written) {
                complain("%s and %s lead to one file, %s: one would replace the other",
                         other->called, one->called, one->path);
            } else {
                const struct program_file *lost = one->written ? other : one;
                complain("%s would replace %s, %s", (one->written ? one : other)->called,
                         lost->called, lost->path);
            }
            return false;
        }
    }
    return true;
}
