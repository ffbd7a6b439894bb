#include "cost.h"

#include "process.h"
#include "program.h"

#include "../corpus/draw.h"
#include "../impl/truelerp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef BUILD_TYPE
#define BUILD_TYPE "unknown"
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static bool on_path(const char *program)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *candidate = NULL;
        if (asprintf(&candidate, "%.*s/%s", (int)length, length ? path : ".", program) >= 0) {
            found = access(candidate, X_OK) == 0;
            free(candidate);
        }
        path += length + (path[length] == ':');
    }
    return found;
}

const char *cost_obstacle(void)
{
    if (SANITIZED) {
        return "a build with sanitizers does not run under valgrind";
    }
    return on_path("valgrind") ? NULL : "valgrind is not installed";
}

void cost_build_name(char name[BUILD_NAME])
{
#ifdef __clang__
    const char *compiler = "clang";
    int version = __clang_major__;
#else
    const char *compiler = "gcc";
    int version = __GNUC__;
#endif
    snprintf(name, BUILD_NAME, "%s %d %s %s", compiler, version, BUILD_TYPE, tl_instruction_set());
}

int cost_calls(const char *name, const char *implementation_path)
{
    const struct function *function = catalog_find(name);
    const struct implementation *implementation = implementation_builtin();
    struct implementation *opened = NULL;
    char *message = NULL;
    if (implementation_path) {
        implementation = opened = implementation_open(implementation_path, &message);
    }
    if (!function || !implementation) {
        complain("%s", message ? message : "no such function");
        free(message);
        return EXIT_USAGE;
    }
    if (opened) {
        implementation_call_once(opened);
    }
    const struct domains *domains = domains_of(function);
    struct values inputs = {0}, results = {0};
    for (uint64_t i = 0; i < COST_CASES; i++) {
        draw_case(1, function, &domains->list[domains->typical], i, &inputs);
        implementation_call(implementation, function, &inputs, &results);
    }
    values_free(&inputs);
    values_free(&results);
    implementation_close(opened);
    return EXIT_WITHIN;
}

/* A profile. Functions have numbers, "(12) name" where one comes up first and "(12)" later; a line
 * "cfn=" says who is called, "calls=" how often, and the line after that what it cost with all that
 * it called. */

enum { PROFILE_FUNCTIONS = 1 << 16, PROFILE_CALLS = 1 << 18 };

struct profile_call {
    unsigned caller, callee;
    uint64_t cost;
};

struct profile {
    bool library[PROFILE_FUNCTIONS]; /* a tl_ function */
    bool reached[PROFILE_FUNCTIONS]; /* from implementation_call, and not through the library */
    struct profile_call calls[PROFILE_CALLS];
    size_t call_count;
};

static unsigned read_name(struct profile *profile, const char *text)
{
    unsigned number;
    int length = 0;
    if (sscanf(text, "(%u)%n", &number, &length) != 1 || number >= PROFILE_FUNCTIONS) {
        return 0;
    }
    const char *name = text + length + (text[length] == ' ');
    if (strncmp(name, "tl_", 3) == 0) {
        profile->library[number] = true;
    }
    size_t end = strcspn(name, "'\n");
    if (strncmp(name, "implementation_call", end) == 0 && name[end] != '\0' && end == 19) {
        profile->reached[number] = true;
    }
    return number;
}

static void read_profile(struct profile *profile, FILE *stream)
{
    char *line = NULL;
    size_t capacity = 0;
    unsigned caller = 0, callee = 0;
    bool cost_follows = false;
    while (getline(&line, &capacity, stream) >= 0) {
        if (strncmp(line, "fn=", 3) == 0) {
            caller = read_name(profile, line + 3);
        } else if (strncmp(line, "cfn=", 4) == 0) {
            callee = read_name(profile, line + 4);
        } else if (strncmp(line, "calls=", 6) == 0) {
            cost_follows = true;
            continue;
        } else if (cost_follows && profile->call_count < PROFILE_CALLS) {
            const char *cost = strchr(line, ' ');
            profile->calls[profile->call_count++] =
                (struct profile_call){caller, callee, cost ? strtoull(cost, NULL, 10) : 0};
        }
        cost_follows = false;
    }
    free(line);
}

static uint64_t library_cost(struct profile *profile)
{
    bool grows = true;
    while (grows) {
        grows = false;
        for (size_t i = 0; i < profile->call_count; i++) {
            const struct profile_call *call = &profile->calls[i];
            if (profile->reached[call->caller] && !profile->library[call->callee] &&
                !profile->reached[call->callee]) {
                profile->reached[call->callee] = true;
                grows = true;
            }
        }
    }
    uint64_t cost = 0;
    for (size_t i = 0; i < profile->call_count; i++) {
        const struct profile_call *call = &profile->calls[i];
        if (profile->reached[call->caller] && profile->library[call->callee]) {
            cost += call->cost;
        }
    }
    return cost;
}

uint64_t cost_of_profile(FILE *stream)
{
    struct profile *profile = calloc(1, sizeof *profile);
    if (!profile) {
        return 0;
    }
    read_profile(profile, stream);
    uint64_t cost = library_cost(profile);
    free(profile);
    return cost;
}

/* Running. */

struct runner {
    const struct cost_plan *plan;
    struct cost_result *results;
    char self[PATH_MAX];
    char directory[PATH_MAX];
};

static char *profile_path(const struct runner *runner, size_t function)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", runner->directory, runner->plan->functions[function]->name) < 0) {
        abort();
    }
    return path;
}

/* A task: its process becomes valgrind. */
static void count(void *context, size_t function)
{
    const struct runner *runner = context;
    const struct cost_plan *plan = runner->plan;
    char *path = profile_path(runner, function), *out = NULL;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setenv("LD_BIND_NOW", "1", 1); /* the first call of a function costs no more than the others */
    int nothing = open("/dev/null", O_RDWR);
    if (asprintf(&out, "--callgrind-out-file=%s", path) < 0 || nothing < 0) {
        _exit(EXIT_UNTRUSTED);
    }
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    const char *arguments[] = {"valgrind",
                               "--tool=callgrind",
                               "--quiet",
                               out,
                               runner->self,
                               "gate",
                               "--count-instructions",
                               plan->functions[function]->name,
                               plan->implementation_path ? "--impl" : NULL,
                               plan->implementation_path,
                               NULL};
    execvp("valgrind", (char **)arguments);
    _exit(EXIT_UNTRUSTED);
}

static void book(void *context, size_t function, int status, bool timed_out)
{
    const struct runner *runner = context;
    struct cost_result *result = &runner->results[function];
    char *path = profile_path(runner, function);
    FILE *stream = fopen(path, "r");
    if (timed_out || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char note[KEPT_NOTE];
        process_describe_end(status, true, timed_out ? runner->plan->time_limit : 0, note);
        snprintf(result->message, sizeof result->message, "under valgrind it %s", note);
    } else if (!stream || (result->cost.instructions = cost_of_profile(stream)) == 0) {
        result->blind = stream != NULL;
        snprintf(result->message, sizeof result->message,
                 "callgrind saw no call of it: this program has no symbols");
    } else {
        result->counted = true;
        result->cost.cases = COST_CASES;
        snprintf(result->cost.build, BUILD_NAME, "%s", runner->plan->build);
        snprintf(result->cost.function, FIGURES_NAME, "%s",
                 runner->plan->functions[function]->name);
    }
    if (stream) {
        fclose(stream);
    }
    unlink(path);
    free(path);
}

/* All of it is one call: there is no looking into valgrind. */
static bool calling(void *context, size_t function, uint64_t *calls)
{
    (void)context, (void)function;
    *calls = 0;
    return true;
}

/* Those of processes that did not end by themselves. */
static void remove_profiles(const struct runner *runner)
{
    for (size_t i = 0; i < runner->plan->function_count; i++) {
        char *path = profile_path(runner, i);
        unlink(path);
        free(path);
    }
}

bool cost_count(const struct cost_plan *plan, struct cost_result *results)
{
    struct runner runner = {.plan = plan, .results = results};
    const char *place = getenv("TMPDIR");
    ssize_t length = readlink("/proc/self/exe", runner.self, sizeof runner.self - 1);
    snprintf(runner.directory, sizeof runner.directory, "%s/truelerp.XXXXXX",
             place && *place ? place : "/tmp");
    if (length < 0 || !mkdtemp(runner.directory)) {
        complain("%s: no directory for callgrind's files: %s", runner.directory, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < plan->function_count; i++) {
        results[i] = (struct cost_result){.message = "interrupted"};
    }
    const struct process_tasks tasks = {.count = plan->function_count,
                                        .jobs = plan->jobs,
                                        .time_limit = plan->time_limit,
                                        .work = count,
                                        .calling = calling,
                                        .ended = book,
                                        .context = &runner};
    bool good = process_run_tasks(&tasks);
    remove_profiles(&runner);
    rmdir(runner.directory);
    return good;
}
