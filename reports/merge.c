/* truelerp merge: shards of a report's work become the report. */
#include "shard.h"

#include "output.h"
#include "process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_INTO = 256 };

struct request {
    char **paths;
    int path_count;
    const char *out;
    const char *into;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->out = argument;
        return 0;
    case KEY_INTO:
        request->into = argument;
        return 0;
    case ARGP_KEY_ARGS:
        request->paths = state->argv + state->next;
        request->path_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    case ARGP_KEY_END:
        if (request->out && request->into) {
            argp_error(state, "--into makes no report that --out could place");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char *report_directory(const struct request *request)
{
    return request->out ? request->out : "accuracy-report";
}

/* All files are looked at, so that one look tells all that is wrong. */
static bool read_shards(const struct request *request, struct shard_merge *merge)
{
    bool good = true;
    for (int i = 0; i < request->path_count; i++) {
        char *message = NULL;
        if (!shard_merge_add(merge, request->paths[i], &message)) {
            complain("%s", message);
            good = false;
        }
        free(message);
    }
    return good;
}

/* The one that does the same work in one run. */
static char *single_command(const struct shard_merge *merge)
{
    const struct report *report = &merge->report;
    char *text = NULL;
    size_t size, lacking = 0;
    FILE *stream = open_memstream(&text, &size);
    while (report->lacking[lacking]) {
        lacking++;
    }
    fputs("truelerp report", stream);
    for (size_t i = 0;
         report->function_count + lacking < catalog_count && i < report->function_count; i++) {
        const struct part_range range = report_parts(report, i);
        fprintf(stream, " %s", merge->parts[range.first].function->name);
    }
    if (report->inputs_name) {
        fputs(" --inputs ", stream);
        write_shell_word(stream, report->inputs_name);
    } else {
        fprintf(stream, " --samples %" PRIu64 " --seed %" PRIu64, report->samples,
                merge->sweep.seed);
    }
    if (report->implementation_path) {
        fputs(" --impl ", stream);
        write_shell_word(stream, report->implementation_path);
    }
    fprintf(stream, " --timeout %.0f", merge->sweep.time_limit);
    fclose(stream);
    return text;
}

static enum exit_code write_merged(const struct request *request, struct shard_merge *merge)
{
    struct report *report = &merge->report;
    const char *directory = report_directory(request);
    report->totals = calloc(report->function_count, sizeof *report->totals);
    char *command = single_command(merge);
    report->command = command;
    report->date = merge->shard.run.date;
    report->seconds = (double)merge->shard.run.microseconds / 1e6;
    merge->sweep.jobs = (unsigned)merge->shard.run.jobs;
    enum exit_code exit_code = EXIT_USAGE;
    if (!report->totals) {
        complain("not enough memory");
    } else if (output_directory(directory)) {
        report_total(report);
        if (report_write(report, directory)) {
            report_conclude(report, directory);
            exit_code = exit_worse(merge->shard.run.exit_code, report_verdict(report));
        }
    }
    free(command);
    free(report->totals);
    return exit_code;
}

/* Says so if the shards had more to say than their verdicts. */
static void tell_exit_code(const struct shard_merge *merge)
{
    if (merge->shard.run.exit_code != EXIT_WITHIN) {
        complain("a shard's run ended with exit code %d before any verdict: unusable rows, or an "
                 "implementation that changes the floating-point environment when it is loaded",
                 (int)merge->shard.run.exit_code);
    }
}

static enum exit_code write_shard(const struct request *request, const struct shard_merge *merge,
                                  const char *missing)
{
    if (!shard_write(&merge->shard, request->into)) {
        return EXIT_USAGE;
    }
    printf("Shard file: %s%s%s\n", request->into, missing ? ", without the shards " : ", complete",
           missing ? missing : "");
    return EXIT_WITHIN;
}

/* A shard may be merged into its own file, which has all of it then. */
static bool shards_stay(const struct request *request)
{
    bool good = true;
    for (int i = 0; good && !request->into && i < request->path_count; i++) {
        good = report_spares(report_directory(request), "a shard", request->paths[i]);
    }
    return good;
}

static enum exit_code merge_shards(const struct request *request, struct shard_merge *merge)
{
    enum exit_code exit_code = program_environment();
    if (!shards_stay(request)) {
        return EXIT_USAGE;
    }
    if (exit_code != EXIT_WITHIN) {
        return exit_code; /* nor could the shards' numbers be read */
    }
    if (!read_shards(request, merge)) {
        return EXIT_USAGE;
    }
    char *missing = shard_merge_missing(merge);
    if (request->into) {
        exit_code = write_shard(request, merge, missing);
    } else if (missing) {
        complain("of %" PRIu64 " shards, these are missing: %s", merge->shard.count, missing);
        exit_code = EXIT_USAGE;
    } else {
        tell_exit_code(merge);
        exit_code = write_merged(request, merge);
    }
    free(missing);
    return exit_code;
}

int verb_merge(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"out", 'o', "DIR", 0, "Write the report there (default accuracy-report)", 0},
        {"into", KEY_INTO, "FILE", 0,
         "Write one shard file that holds all these shards, to be merged again, instead of a "
         "report; some may be missing still",
         0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "SHARD...",
        "Merges all shards that `truelerp report --shard I/N` wrote into the report that one run "
        "would have made, byte for byte but for the object `run`, in any order."
        "\vShards that are missing, there twice, damaged, or of other work (another seed, other "
        "functions, another implementation or program) are refused.",
        NULL,
        NULL,
        NULL};
    struct request request = {0};
    program_parse(&argp, "merge", argc, argv, &request);
    struct shard_merge merge = {0};
    sigset_t signals, before;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    enum exit_code exit_code = merge_shards(&request, &merge);
    fflush(stdout);
    sigprocmask(SIG_SETMASK, &before, NULL);
    shard_merge_free(&merge);
    return exit_code;
}
