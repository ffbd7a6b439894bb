/* The campaign's options, and the targets that they choose. */
#include "campaign.h"

#include "../../reports/render.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MOST = 1024 };

static const struct argp_option option_list[] = {
    {"hours", 'H', "N", 0, "Fuzz for so many hours (8)", 0},
    {"minutes", 'm', "N", 0, "Fuzz for so many minutes", 0},
    {"jobs", 'j', "N", 0, "Processes at a time (one for each processor)", 0},
    {"impl", 'i', "FILE.so", 0, "Fuzz this implementation (or: TRUELERP_FUZZ_IMPL)", 0},
    {"functions", 'f', "NAME,...", 0, "The same as the names", 0},
    {"out", 'o', "DIR", 0, "Where corpora, findings and the page go (fuzz/out)", 0},
    {"fresh", 'F', NULL, 0, "Begin with empty corpora and counters; findings are kept", 0},
    {"timeout", 't', "SECONDS", 0, "A single input that takes longer is a finding (25)", 0},
    {"memory", 'M', "MB", 0, "A process that takes more is a finding (by the machine)", 0},
    {"disk", 'd', "MB", 0, "End when the output folder has become so large (4096)", 0},
    {"no-coverage", 'C', NULL, 0, "Do not measure what the corpora reach", 0},
    {"binaries", 'b', "DIR", 0, "Where the targets lie (build/fuzz)", 0},
    {0}};

static double option_duration(struct argp_state *state, const char *text, double unit)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number * unit >= 1 && number * unit <= 1e8)) {
        argp_error(state, "'%s' is no time that one could fuzz for", text);
    }
    return number * unit;
}

static void add_name(struct options *options, const char *name)
{
    options->names = realloc(options->names, (options->name_count + 1) * sizeof *options->names);
    options->names[options->name_count++] = strdup(strncmp(name, "fuzz_", 5) ? name : name + 5);
}

static void add_names(struct options *options, char *list)
{
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        add_name(options, name);
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'H':
        options->seconds = option_duration(state, text, 3600);
        return 0;
    case 'm':
        options->seconds = option_duration(state, text, 60);
        return 0;
    case 'j':
        options->jobs = (unsigned)option_number(state, "--jobs", text, 1, JOBS_MOST);
        return 0;
    case 'i':
        options->implementation = text;
        return 0;
    case 'f':
        add_names(options, text);
        return 0;
    case 'o':
        options->out = text;
        return 0;
    case 'F':
        options->fresh = true;
        return 0;
    case 't':
        options->timeout = (unsigned)option_number(state, "--timeout", text, 1, 3600);
        return 0;
    case 'M':
        options->memory = (unsigned)option_number(state, "--memory", text, 64, 1 << 20);
        return 0;
    case 'd':
        options->disk = option_number(state, "--disk", text, 1, 1 << 30);
        return 0;
    case 'C':
        options->coverage = false;
        return 0;
    case 'b':
        options->binaries = text;
        return 0;
    case ARGP_KEY_ARG:
        add_name(options, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    option_list,
    parse_option,
    "[NAME...]",
    "Fuzz all functions, or those named, and write DIR/overnight.html, .md, .json and .xml.\v"
    "A campaign that was not finished is gone on with. Exit code 1: there are findings; 2: wrong "
    "usage; 3: this machine cannot give a trustworthy answer, or had no room left.",
    NULL,
    NULL,
    NULL};

/* What the user typed: fuzz/run puts "--binaries DIR --out DIR" in front. */
static char *command_line(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    int first = argc > 4 && strcmp(argv[1], "--binaries") == 0 && strcmp(argv[3], "--out") == 0;
    fputs("bash fuzz/run", stream);
    for (int i = first ? 5 : 1; i < argc; i++) {
        fputc(' ', stream);
        write_shell_word(stream, argv[i]);
    }
    fclose(stream);
    return text;
}

void options_parse(struct campaign *campaign, int argc, char **argv)
{
    const char *implementation = getenv("TRUELERP_FUZZ_IMPL");
    campaign->command = command_line(argc, argv);
    campaign->options =
        (struct options){.out = "fuzz/out",
                         .binaries = "build/fuzz",
                         .implementation =
                             implementation && *implementation ? implementation : NULL,
                         .seconds = 8 * 3600,
                         .timeout = 25,
                         .disk = 4096,
                         .coverage = true};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &campaign->options);
}

/* Targets. */

/* Of what the build has made, not what only replays, measures or makes seeds. */
static int is_target(const struct dirent *entry)
{
    static const char *const others[] = {"fuzz_bare", "fuzz_empty", "fuzz_seeds"};
    const char *name = entry->d_name;
    bool target = strncmp(name, "fuzz_", 5) == 0 && name[5] && !strchr(name, '.') &&
                  !strstr(name, "_replay") && !strstr(name, "_coverage");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        target = target && strcmp(name, others[i]) != 0;
    }
    return target;
}

static bool is_wanted(const struct options *options, const char *name)
{
    /* another implementation does not change what reads text */
    bool wanted = options->name_count == 0 && (!options->implementation || catalog_find(name));
    for (size_t i = 0; i < options->name_count; i++) {
        wanted |= strcmp(options->names[i], name) == 0;
    }
    return wanted;
}

static void add_target(struct campaign *campaign, const char *file)
{
    struct target *target = &campaign->targets[campaign->target_count];
    *target = (struct target){.weight = 1, .function = catalog_find(file + 5)};
    snprintf(target->name, sizeof target->name, "%s", file + 5);
    int length =
        snprintf(target->binary, sizeof target->binary, "%s/%s", campaign->options.binaries, file);
    if (length < (int)sizeof target->binary - 16 && access(target->binary, X_OK) == 0) {
        campaign->target_count++;
    }
}

enum exit_code options_find_targets(struct campaign *campaign)
{
    const struct options *options = &campaign->options;
    struct dirent **entries;
    int count = scandir(options->binaries, &entries, is_target, alphasort);
    if (count < 0) {
        campaign_say(campaign, "%s: %s", options->binaries, strerror(errno));
        return EXIT_USAGE;
    }
    campaign->targets = calloc((size_t)count + 1, sizeof *campaign->targets);
    for (int i = 0; i < count; i++) {
        if (is_wanted(options, entries[i]->d_name + 5)) {
            add_target(campaign, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    for (size_t i = 0; i < options->name_count; i++) {
        bool found = false;
        for (size_t k = 0; k < campaign->target_count; k++) {
            found |= strcmp(campaign->targets[k].name, options->names[i]) == 0;
        }
        if (!found) {
            campaign_say(campaign, "there is no target fuzz_%s in %s", options->names[i],
                         options->binaries);
            return EXIT_USAGE;
        }
    }
    if (campaign->target_count == 0) {
        campaign_say(campaign, "there is no target in %s", options->binaries);
        return EXIT_USAGE;
    }
    return EXIT_WITHIN;
}
