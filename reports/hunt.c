/* truelerp hunt: looks for worse cases than are known and keeps them, a CSV file a function. */
#include "output.h"
#include "process.h"
#include "program.h"
#include "render.h"
#include "search.h"

#include "../corpus/case.h"
#include "../corpus/stored.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MINUTES = 5 };
enum { KEY_TIMEOUT = 256 };

struct request {
    struct selection selection;
    double minutes; /* both 0: the default */
    uint64_t seconds;
    uint64_t seed;
    unsigned jobs;
    uint64_t time_limit;
    const char *out;
    const char *corpus;
    const char *implementation;
};

/* One function's part of the hunt. */
struct quarry {
    const struct function *function;
    size_t first, count; /* its origins: the domains, and last the stored cases */
};

struct hunt {
    const struct request *request;
    struct subject subject;
    struct origin *origins;
    size_t origin_count;
    struct quarry *quarries;
    size_t quarry_count;
    struct search *search;
    struct judge *judge;
    struct record *scratch;
    enum exit_code exit_code;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'm':
        request->minutes = option_decimal(state, "--minutes", argument, 0.01, 525600);
        return 0;
    case 's':
        request->seconds = option_number(state, "--seconds", argument, 1, 31536000);
        return 0;
    case 'r':
        request->seed = option_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case 'j':
        request->jobs = (unsigned)option_number(state, "--jobs", argument, 1, JOBS_MAX);
        return 0;
    case 'o':
        request->out = argument;
        return 0;
    case 'c':
        request->corpus = argument;
        return 0;
    case 'i':
        request->implementation = argument;
        return 0;
    case KEY_TIMEOUT:
        request->time_limit = option_number(state, "--timeout", argument, 1, TIME_LIMIT_MAX);
        return 0;
    case ARGP_KEY_ARGS:
        request->selection = selection_rest(state);
        return 0;
    case ARGP_KEY_END:
        if (request->minutes == 0 && request->seconds == 0) {
            request->minutes = DEFAULT_MINUTES;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Which functions. */

static void *enlarged(void *memory, size_t size)
{
    void *larger = realloc(memory, size);
    if (!larger) {
        complain("not enough memory");
        exit(EXIT_UNTRUSTED);
    }
    return larger;
}

static void add_quarry(struct hunt *hunt, const struct function *function)
{
    const struct domains *domains = domains_of(function);
    size_t count = domains->count + 1;
    hunt->quarries = enlarged(hunt->quarries, (hunt->quarry_count + 1) * sizeof *hunt->quarries);
    hunt->origins = enlarged(hunt->origins, (hunt->origin_count + count) * sizeof *hunt->origins);
    hunt->quarries[hunt->quarry_count++] = (struct quarry){function, hunt->origin_count, count};
    for (size_t i = 0; i < count; i++) {
        const struct domain *domain = i < domains->count ? &domains->list[i] : NULL;
        hunt->origins[hunt->origin_count++] =
            (struct origin){.function = function, .domain = domain};
    }
}

static bool choose_functions(struct hunt *hunt)
{
    for (size_t i = 0; i < catalog_count; i++) {
        if (selection_holds(&hunt->request->selection, catalog[i]->name) &&
            implementation_has(hunt->subject.implementation, catalog[i])) {
            add_quarry(hunt, catalog[i]);
        }
    }
    if (hunt->quarry_count == 0) {
        complain("%s has no function to judge", hunt->subject.path);
    }
    return hunt->quarry_count > 0;
}

/* What is known: the stored cases, and what an earlier hunt left. */

static const char *origin_name(const struct origin *origin)
{
    return origin->domain ? origin->domain->name : "stored";
}

/* The origin that a row names, or that of the stored cases. */
static struct origin *origin_of(const struct hunt *hunt, const struct quarry *quarry,
                                const char *name)
{
    size_t last = quarry->first + quarry->count - 1;
    for (size_t i = quarry->first; name && i < last; i++) {
        if (strcmp(hunt->origins[i].domain->name, name) == 0) {
            return &hunt->origins[i];
        }
    }
    return &hunt->origins[last];
}

static size_t find_column(const struct row *header, const char *name)
{
    size_t i = 0;
    while (i < header->count && strcmp(header->text[i], name) != 0) {
        i++;
    }
    return i;
}

static char *text_of(const struct row *row, size_t column)
{
    char *text = strdup(column < row->count ? row->text[column] : "");
    if (!text) {
        complain("not enough memory");
        exit(EXIT_UNTRUSTED);
    }
    return text;
}

/* A file of cases, and its columns that are no inputs; what it lacks is a column beyond all. */
struct case_file {
    struct csv *csv;
    struct columns columns;
    size_t share, domain, seed, source;
    bool earlier; /* of an earlier hunt, and so to be replaced */
};

static void add_known(struct hunt *hunt, const struct quarry *quarry, const struct case_file *file,
                      const struct row *row, const struct values *inputs)
{
    const char *name = file->earlier ? row->text[file->domain] : NULL;
    struct origin *origin = origin_of(hunt, quarry, name);
    origin->known = enlarged(origin->known, (origin->known_count + 1) * sizeof *origin->known);
    struct known *known = &origin->known[origin->known_count++];
    *known = (struct known){.seed = text_of(row, file->earlier ? file->seed : row->count),
                            .source = text_of(row, file->source)};
    values_copy(&known->inputs, inputs);
}

static const char *read_case_header(struct case_file *file, const struct function *function,
                                    const struct row *header)
{
    const char *message = columns_read(&file->columns, function, file->csv, header);
    file->share = find_column(header, "share");
    file->domain = find_column(header, "domain");
    file->seed = find_column(header, "seed");
    file->source = find_column(header, "source");
    if (!message && file->earlier &&
        (file->share == header->count || file->domain == header->count)) {
        message = csv_complain(file->csv, header, 0,
                               "no columns \"share\" and \"domain\": this is no file of truelerp "
                               "hunt and is left as it is; choose another directory with --out");
    }
    return message;
}

/* Adds a file's cases, or says what is wrong with the first row that cannot be read. */
static bool read_cases(struct hunt *hunt, const struct quarry *quarry, FILE *stream,
                       const char *name, bool earlier)
{
    struct case_file file = {.csv = csv_open(stream, name), .earlier = earlier};
    struct row row;
    struct values inputs = {0};
    enum csv_status status = csv_next(file.csv, &row);
    const char *message =
        status == CSV_ROW ? read_case_header(&file, quarry->function, &row) : csv_message(file.csv);
    while (!message && (status = csv_next(file.csv, &row)) != CSV_END) {
        message = status == CSV_ROW ? case_read(&file.columns, file.csv, &row, &inputs)
                                    : csv_message(file.csv);
        if (!message && inputs.start[inputs.count] > RECORD_NUMBERS) {
            message =
                csv_complain(file.csv, &row, 0, "a case of more than %d numbers", RECORD_NUMBERS);
        }
        if (!message) {
            add_known(hunt, quarry, &file, &row, &inputs);
        }
    }
    if (message) {
        complain("%s", message);
    }
    values_free(&inputs);
    csv_close(file.csv);
    return !message;
}

static char *join(const char *directory, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s.csv", directory, name) < 0) {
        abort();
    }
    return path;
}

/* A file that is not there has no cases. */
static bool read_file(struct hunt *hunt, const struct quarry *quarry, const char *directory,
                      bool earlier)
{
    char *path = join(directory, quarry->function->name);
    FILE *stream = fopen(path, "r");
    bool good = stream || errno == ENOENT;
    if (!good) {
        complain("%s: cannot be read: %s", path, strerror(errno));
    }
    if (stream) {
        good = read_cases(hunt, quarry, stream, path, earlier);
        fclose(stream);
    }
    free(path);
    return good;
}

static bool read_built_in(struct hunt *hunt, const struct quarry *quarry)
{
    const struct stored_file *file = stored_cases(quarry->function);
    if (!file) {
        return true;
    }
    FILE *stream = fmemopen((void *)file->bytes, file->size, "r");
    if (!stream) {
        complain("the stored cases of %s: %s", file->name, strerror(errno));
        return false;
    }
    char name[100];
    snprintf(name, sizeof name, "built-in corpus/%s.csv", file->name);
    bool good = read_cases(hunt, quarry, stream, name, false);
    fclose(stream);
    return good;
}

static bool read_known_of(struct hunt *hunt, const struct quarry *quarry)
{
    const char *corpus = hunt->request->corpus;
    return (corpus ? read_file(hunt, quarry, corpus, false) : read_built_in(hunt, quarry)) &&
           read_file(hunt, quarry, hunt->request->out, true);
}

static bool read_known(struct hunt *hunt)
{
    const char *corpus = hunt->request->corpus;
    if (corpus && access(corpus, R_OK | X_OK) != 0) {
        complain("%s: cannot be read: %s", path_shown(corpus), strerror(errno));
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < hunt->quarry_count; i++) {
        const struct quarry quarry = hunt->quarries[i];
        good = read_known_of(hunt, &quarry);
    }
    return good;
}

/* The files. */

static void write_header(FILE *stream, const struct function *function)
{
    case_write_header(stream, function);
    for (size_t i = 0; i < function->output_count; i++) {
        const char *name = function->outputs[i].name;
        fprintf(stream, ",exact%s%s", *name ? "_" : "", name);
    }
    fputs(",error_ulp,error_scaled,bound,share,verdict,domain,seed,source\n", stream);
}

static double share_of(const struct judgement *judgement)
{
    return share_of_bound(judgement->error_scaled, judgement->bound);
}

/* The verdict's name, or the finding's if that is none. */
static const char *verdict_of(const struct record *record, enum finding finding)
{
    return finding == FINDING_COUNT ? verdict_name(record->judgement.verdict)
                                    : finding_name(finding);
}

static void write_figures(FILE *stream, const struct judgement *judgement, bool measured)
{
    const double figures[] = {judgement->error_ulp, judgement->error_scaled, judgement->bound,
                              share_of(judgement)};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        fputc(',', stream);
        case_write_numbers(stream, &figures[i], measured, false);
    }
}

/* The seed and where the case comes from: what a known one came with, else this hunt. */
static void write_source(const struct hunt *hunt, FILE *stream, const struct origin *origin)
{
    const struct record *record = hunt->scratch;
    if (record->known < origin->known_count) {
        csv_write_field(stream, origin->known[record->known].seed);
        fputc(',', stream);
        csv_write_field(stream, origin->known[record->known].source);
        return;
    }
    char source[KEPT_NOTE + 200];
    snprintf(source, sizeof source, "truelerp hunt of %s%s%s",
             implementation_name(hunt->subject.implementation), *record->note ? ": " : "",
             record->note);
    fprintf(stream, "%" PRIu64 ",", hunt->request->seed);
    csv_write_field(stream, source);
}

/* finding: FINDING_COUNT for a measured case. */
static void write_row(const struct hunt *hunt, FILE *stream, const struct origin *origin,
                      enum finding finding)
{
    const struct function *function = origin->function;
    const struct record *record = hunt->scratch;
    struct values inputs = {0};
    record_get(record, &inputs);
    case_write(stream, function, &inputs, true);
    for (size_t i = 0; i < function->output_count; i++) {
        fputc(',', stream);
        judge_write_exact(hunt->judge, function, &inputs, i, stream);
    }
    write_figures(stream, &record->judgement, finding == FINDING_COUNT);
    fprintf(stream, ",%s,%s,", verdict_of(record, finding), origin_name(origin));
    write_source(hunt, stream, origin);
    fputc('\n', stream);
    values_free(&inputs);
}

static void write_rows(const struct hunt *hunt, FILE *stream, const struct quarry *quarry)
{
    write_header(stream, quarry->function);
    for (size_t i = quarry->first; i < quarry->first + quarry->count; i++) {
        if (search_worst(hunt->search, i, hunt->scratch)) {
            write_row(hunt, stream, &hunt->origins[i], FINDING_COUNT);
        }
        for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
            if (search_finding(hunt->search, i, finding, hunt->scratch)) {
                write_row(hunt, stream, &hunt->origins[i], finding);
            }
        }
    }
}

/* Whether all that the earlier file had was tried: before that, a new one might lack some. */
static bool may_replace(const struct hunt *hunt, const struct quarry *quarry)
{
    bool tried = true;
    for (size_t i = quarry->first; i < quarry->first + quarry->count; i++) {
        tried = tried && search_known_tried(hunt->search, i);
    }
    return tried;
}

/* Returns whether all could be written; counts the files. */
static bool write_files(const struct hunt *hunt, size_t *written)
{
    bool good = true;
    *written = 0;
    for (size_t i = 0; i < hunt->quarry_count; i++) {
        const struct quarry *quarry = &hunt->quarries[i];
        if (!may_replace(hunt, quarry)) {
            continue;
        }
        char *path = join(hunt->request->out, quarry->function->name);
        struct output output;
        bool open = output_open(&output, path);
        if (open) {
            write_rows(hunt, output.stream, quarry);
        }
        bool whole = open && output_finish(&output) && output_publish(&output);
        *written += whole;
        good = good && whole;
        free(path);
    }
    return good;
}

static void save(void *context)
{
    size_t written;
    write_files(context, &written);
}

/* The end. */

/* The worst of a function over its origins. Returns which, or SIZE_MAX if nothing was measured; the
 * record is in scratch then. */
static size_t find_worst(const struct hunt *hunt, const struct quarry *quarry)
{
    size_t worst = SIZE_MAX;
    double badness = -1;
    for (size_t i = quarry->first; i < quarry->first + quarry->count; i++) {
        if (search_worst(hunt->search, i, hunt->scratch) && hunt->scratch->badness > badness) {
            badness = hunt->scratch->badness;
            worst = i;
        }
    }
    if (worst != SIZE_MAX) {
        search_worst(hunt->search, worst, hunt->scratch);
    }
    return worst;
}

static uint64_t cases_of(const struct hunt *hunt, const struct quarry *quarry)
{
    uint64_t cases = 0;
    for (size_t i = quarry->first; i < quarry->first + quarry->count; i++) {
        cases += search_cases(hunt->search, i);
    }
    return cases;
}

static void print_table(const struct hunt *hunt)
{
    char error[FIGURE_TEXT], bound[FIGURE_TEXT], share[FIGURE_TEXT];
    printf("%-20s %10s %14s %9s %7s %s\n", "function", "cases", "worst error", "bound", "share",
           "climbed from");
    for (size_t i = 0; i < hunt->quarry_count; i++) {
        const struct quarry *quarry = &hunt->quarries[i];
        size_t worst = find_worst(hunt, quarry);
        printf("%-20s %10" PRIu64, quarry->function->name, cases_of(hunt, quarry));
        if (worst == SIZE_MAX) {
            printf(" %14s %9s %7s nothing measured\n", "-", "-", "-");
            continue;
        }
        const struct judgement *judgement = &hunt->scratch->judgement;
        printf(" %10s %s %9s %7s %s\n", figure(judgement->error_scaled, error),
               error_unit(quarry->function), figure(judgement->bound, bound),
               percentage(share_of(judgement), share), origin_name(&hunt->origins[worst]));
    }
}

static void print_finding(const struct hunt *hunt, const struct quarry *quarry,
                          enum finding finding)
{
    struct values inputs = {0};
    record_get(hunt->scratch, &inputs);
    printf("\n%s: %s", quarry->function->name, verdict_of(hunt->scratch, finding));
    if (finding == FINDING_COUNT) {
        char text[FIGURE_TEXT];
        printf(", %s of its bound", percentage(share_of(&hunt->scratch->judgement), text));
    } else if (*hunt->scratch->note) {
        printf(": %s", hunt->scratch->note);
    }
    fputs("\n  ", stdout);
    write_case_command(stdout, quarry->function, &inputs, hunt->subject.path);
    putchar('\n');
    values_free(&inputs);
}

/* The first of a kind that any of a function's origins has; it is in scratch then. */
static bool any_finding(const struct hunt *hunt, const struct quarry *quarry, enum finding finding)
{
    for (size_t i = quarry->first; i < quarry->first + quarry->count; i++) {
        if (search_finding(hunt->search, i, finding, hunt->scratch)) {
            return true;
        }
    }
    return false;
}

/* Names what was found, one of each kind for each function. */
static enum exit_code print_findings(const struct hunt *hunt)
{
    enum exit_code exit_code = EXIT_WITHIN;
    for (size_t i = 0; i < hunt->quarry_count; i++) {
        const struct quarry *quarry = &hunt->quarries[i];
        size_t worst = find_worst(hunt, quarry);
        if (worst == SIZE_MAX) {
            complain("%s: nothing was compared", quarry->function->name);
            exit_code = exit_worse(exit_code, EXIT_FINDING);
        } else if (hunt->scratch->judgement.verdict != VERDICT_WITHIN) {
            print_finding(hunt, quarry, FINDING_COUNT);
            exit_code = exit_worse(exit_code, EXIT_FINDING);
        }
        for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
            if (any_finding(hunt, quarry, finding)) {
                bool open = finding == FINDING_UNDECIDED || finding == FINDING_FAULT;
                print_finding(hunt, quarry, finding);
                exit_code = exit_worse(exit_code, open ? EXIT_UNTRUSTED : EXIT_FINDING);
            }
        }
    }
    return exit_code;
}

/* However the search ended, what it found is told and written. */
static enum exit_code conclude(struct hunt *hunt, enum search_status status)
{
    size_t written;
    bool good = write_files(hunt, &written);
    print_table(hunt);
    enum exit_code exit_code = print_findings(hunt);
    printf("\nWorst cases: %s/FUNCTION.csv (%zu file%s)\n", hunt->request->out, written,
           written == 1 ? "" : "s");
    if (status == SEARCH_INTERRUPTED) {
        complain("interrupted; %zu of %zu files were written with what was found until then",
                 written, hunt->quarry_count);
    }
    if (status == SEARCH_FAILED) {
        exit_code = exit_worse(exit_code, EXIT_UNTRUSTED);
    }
    return good ? exit_code : EXIT_USAGE;
}

static enum exit_code search_and_tell(struct hunt *hunt)
{
    const struct request *request = hunt->request;
    const struct search_plan plan = {
        .implementation = hunt->subject.implementation,
        .seed = request->seed,
        .origins = hunt->origins,
        .origin_count = hunt->origin_count,
        .jobs = request->jobs,
        .seconds = 60 * request->minutes + (double)request->seconds,
        .time_limit = (double)request->time_limit,
        .show_progress = isatty(STDERR_FILENO),
        .save = save,
        .context = hunt,
    };
    hunt->judge = judge_create();
    hunt->scratch = malloc(sizeof *hunt->scratch);
    hunt->search = search_create(&plan);
    if (!hunt->search || !hunt->scratch) {
        return EXIT_UNTRUSTED;
    }
    sigset_t signals, before;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    enum search_status status = search_run(hunt->search);
    enum exit_code exit_code = conclude(hunt, status);
    fflush(stdout);
    sigprocmask(SIG_SETMASK, &before, NULL); /* an interrupt ends the program here */
    return exit_code;
}

static enum exit_code run(struct hunt *hunt)
{
    const struct request *request = hunt->request;
    hunt->exit_code = program_environment();
    if (hunt->exit_code == EXIT_UNTRUSTED) {
        return EXIT_UNTRUSTED; /* nor could the stored cases be read */
    }
    hunt->exit_code = subject_open(&hunt->subject, request->implementation, request->time_limit);
    if (hunt->exit_code == EXIT_USAGE ||
        !subject_has_selection(&hunt->subject, &hunt->request->selection) ||
        !choose_functions(hunt) || !read_known(hunt) || !output_directory(request->out)) {
        return EXIT_USAGE;
    }
    return exit_worse(hunt->exit_code, search_and_tell(hunt));
}

static void release(struct hunt *hunt)
{
    for (size_t i = 0; i < hunt->origin_count; i++) {
        for (size_t k = 0; k < hunt->origins[i].known_count; k++) {
            values_free(&hunt->origins[i].known[k].inputs);
            free(hunt->origins[i].known[k].seed);
            free(hunt->origins[i].known[k].source);
        }
        free(hunt->origins[i].known);
    }
    search_free(hunt->search);
    judge_destroy(hunt->judge);
    free(hunt->scratch);
    free(hunt->origins);
    free(hunt->quarries);
    subject_close(&hunt->subject);
}

int verb_hunt(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"minutes", 'm', "M", 0, "Look for so long in all, 0.5 being half a minute (default 5)", 0},
        {"seconds", 's', "S", 0, "Look for so many seconds, besides the minutes if both are given",
         0},
        {"seed", 'r', "N", 0, "Seed of samples and climbs (default 1); another one looks elsewhere",
         0},
        {"jobs", 'j', "N", 0, "Work with N processes (default: one for each processor)", 0},
        {"out", 'o', "DIR", 0,
         "Keep the worst cases there, FUNCTION.csv each (default worst-cases)", 0},
        {"corpus", 'c', "DIR", 0,
         "Start from the cases in DIR/FUNCTION.csv instead of the built-in ones", 0},
        {"impl", 'i', "FILE.so", 0, "Judge this shared object instead of the built-in library", 0},
        {"timeout", KEY_TIMEOUT, "SECONDS", 0,
         "Give up on a call that lasts longer; a finding (default 10)", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[FUNCTION...]",
        "Looks for inputs on which the functions, or only the named ones, come nearest to their "
        "bound or break it, by climbing: a change to a case is kept if it makes the error no "
        "smaller."
        "\vClimbs start from samples of every domain, from the stored cases and from the files of "
        "an earlier hunt in the same directory, which is thereby continued: files are replaced "
        "only by ones that are no less bad. A file has a row for each domain, the worst case that "
        "climbs from there have reached, with its exact value, error, bound and share of the "
        "bound. An interrupt ends the hunt early and loses nothing.",
        NULL,
        NULL,
        NULL};
    struct request request = {.seed = 1,
                              .jobs = process_processors(),
                              .time_limit = DEFAULT_TIME_LIMIT,
                              .out = "worst-cases"};
    program_parse(&argp, "hunt", argc, argv, &request);
    struct hunt hunt = {.request = &request};
    enum exit_code exit_code = run(&hunt);
    release(&hunt);
    return exit_code;
}
