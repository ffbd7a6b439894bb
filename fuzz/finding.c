#include "finding.h"
#include "apart.h"
#include "simplify.h"

#include "../corpus/case.h"
#include "../corpus/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Simplifying ends after so many cases, or after so many seconds: engines take a long one for a
 * hang. */
enum { ASKED_MOST = 20000 };
static const double SECONDS_MOST = 5;

static const struct apart_limits exact_limits = {.seconds = 10};

/* Where each case is tried in a process, no engine waits. A case is done in milliseconds: one that
 * takes these limits most likely takes any, which is looked at in the end. */
static const double SECONDS_APART = 20, SECONDS_OF_HANG = 1, SECONDS_OF_OTHERS = 5;
enum { MEGABYTES_APART = 256 };

void finding_print_case(FILE *stream, const struct function *function, const struct values *inputs)
{
    case_write_header(stream, function);
    fputc('\n', stream);
    case_write(stream, function, inputs, true);
    fputc('\n', stream);
}

/* For a shell: names and numbers need no more than quotes around them, a path may. */
static void print_word(FILE *stream, const char *word)
{
    fputc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'') {
            fputs("'\\''", stream);
        } else {
            fputc(*word, stream);
        }
    }
    fputc('\'', stream);
}

static void print_command(FILE *stream, const struct harness *harness, const struct values *inputs)
{
    fputs("printf '%s\\n' '", stream);
    case_write_header(stream, harness->function);
    fputs("' '", stream);
    case_write(stream, harness->function, inputs, true);
    fprintf(stream, "' | truelerp eval %s", harness->function->name);
    if (harness->implementation_path) {
        fputs(" --impl ", stream);
        print_word(stream, harness->implementation_path);
    }
    fputs(" -\n", stream);
}

/* "violation: 13.25 u S, 12 allowed; result 0x1.8p+0" */
static void describe(FILE *stream, const struct harness *harness, const struct trial *trial)
{
    const struct function *function = harness->function;
    const struct judgement *judgement = &trial->judgement;
    fputs(found_name(trial->found), stream);
    if (trial->note) {
        fprintf(stream, ": %s", trial->note);
    } else if (judgement->measured) {
        int digits = number_digits_apart(judgement->error_scaled, judgement->bound, 6);
        fprintf(stream, ": error %.*g %s, allowed %.*g", digits, judgement->error_scaled,
                function_in_ulps(function) ? "ulp" : "u S", digits, judgement->bound);
    }
    fputs("; result", stream);
    for (size_t k = 0; k < function->output_count && k < harness->results.count; k++) {
        fputc(' ', stream);
        case_write_output(stream, function, &harness->results, k, true);
    }
}

/* What the column `source` begins with. */
static void write_origin(FILE *stream, const struct harness *harness, const char *how)
{
    char date[16] = "";
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    fprintf(stream, "fuzz_%s %s of %s, %s; ", harness->function->name, date,
            implementation_name(harness->implementation), how);
}

static void write_exact(FILE *stream, struct harness *harness, const struct values *inputs)
{
    for (size_t k = 0; k < harness->function->output_count; k++) {
        fputc(',', stream);
        judge_write_exact(harness->judge, harness->function, inputs, k, stream);
    }
}

/* The row as corpus/NAME.csv has it, and `*inputs_length`, how much of it is the inputs. */
static char *write_row(const struct harness *harness, const struct values *inputs,
                       const char *exact, const char *source, size_t *inputs_length)
{
    char *row = NULL;
    size_t size;
    FILE *stream = open_memstream(&row, &size);
    case_write(stream, harness->function, inputs, true);
    fflush(stream);
    *inputs_length = size;
    fprintf(stream, "%s,", exact);
    csv_write_field(stream, source);
    fputc('\n', stream);
    fclose(stream);
    return row;
}

static void write_header(FILE *stream, const struct function *function)
{
    case_write_header(stream, function);
    for (size_t k = 0; k < function->output_count; k++) {
        const char *name = function->outputs[k].name;
        fprintf(stream, ",exact%s%s", *name ? "_" : "", name);
    }
    fputs(",source\n", stream);
}

/* Whether some row of the file begins with these inputs. */
static bool has_inputs(const char *content, const char *row, size_t length)
{
    for (const char *line = content; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, row, length) == 0 && line[length] == ',') {
            return true;
        }
        if (*line == '\0') {
            break;
        }
    }
    return false;
}

static char *read_all(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return NULL;
    }
    size_t size = (size_t)status.st_size, done = 0;
    char *content = malloc(size + 1);
    while (content && done < size) {
        ssize_t count = pread(file, content + done, size - done, (off_t)done);
        if (count <= 0) {
            break;
        }
        done += (size_t)count;
    }
    if (content) {
        content[done] = '\0';
    }
    return content;
}

/* What is to be appended: the row, behind a header where there is none yet. */
static char *text_to_append(const struct function *function, const char *content, const char *row,
                            size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    size_t length = strlen(content);
    if (length == 0) {
        write_header(stream, function);
    } else if (content[length - 1] != '\n') { /* a row that some full disk cut off */
        fputc('\n', stream);
    }
    fputs(row, stream);
    fclose(stream);
    return text;
}

static bool append(const struct function *function, int file, const char *row, size_t inputs_length)
{
    char *content = read_all(file);
    bool right = content != NULL;
    if (right && !has_inputs(content, row, inputs_length)) {
        size_t size;
        char *text = text_to_append(function, content, row, &size);
        right = write(file, text, size) == (ssize_t)size;
        free(text);
    }
    free(content);
    return right;
}

static bool keep_row(const struct harness *harness, const struct values *inputs, const char *exact,
                     const char *source)
{
    char *path = NULL;
    size_t size, inputs_length;
    char *row = write_row(harness, inputs, exact, source, &inputs_length);
    FILE *stream = open_memstream(&path, &size);
    fprintf(stream, "%s/%s.csv", harness->findings, harness->function->name);
    fclose(stream);
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool right = file >= 0 && flock(file, LOCK_EX) == 0 &&
                 append(harness->function, file, row, inputs_length);
    if (!right) {
        fprintf(stderr, "TRUELERP_FUZZ_FINDINGS: %s: %s\n", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    free(path);
    free(row);
    return right;
}

static void tell(struct harness *harness, const struct values *inputs, const struct trial *trial,
                 const char *how)
{
    fprintf(stderr, "%s, %s: ", harness->function->name, how);
    describe(stderr, harness, trial);
    fputc('\n', stderr);
    finding_print_case(stderr, harness->function, inputs);
    print_command(stderr, harness, inputs);
    if (harness->findings) {
        char *source = NULL, *exact = NULL;
        size_t size;
        FILE *stream = open_memstream(&source, &size);
        write_origin(stream, harness, how);
        describe(stream, harness, trial);
        fclose(stream);
        stream = open_memstream(&exact, &size);
        write_exact(stream, harness, inputs);
        fclose(stream);
        keep_row(harness, inputs, exact, source);
        free(exact);
        free(source);
    }
}

struct case_of {
    struct harness *harness;
    const struct values *inputs;
};

static void write_exact_apart(void *context, FILE *output)
{
    const struct case_of *of = context;
    write_exact(output, of->harness, of->inputs);
}

/* The exact answer by a process of its own: what made the target stop, hang or swell may be the
 * oracle. Empty fields where it fails, as a stored case may have. To be freed. */
static char *exact_apart(struct harness *harness, const struct values *inputs)
{
    struct apart apart;
    apart_run(write_exact_apart, &(struct case_of){harness, inputs}, &exact_limits, &apart);
    if (apart.end != APART_RETURNED) {
        free(apart.said);
        apart.said = calloc(OUTPUTS_MAX + 1, 1);
        memset(apart.said, ',', harness->function->output_count);
    }
    return apart.said;
}

static bool keep_failed(struct harness *harness, const struct values *inputs, const char *words,
                        const char *how)
{
    bool kept = true;
    fprintf(stderr, "%s, %s: %s\n", harness->function->name, how, words);
    finding_print_case(stderr, harness->function, inputs);
    print_command(stderr, harness, inputs);
    if (harness->findings) {
        char *source = NULL, *exact = exact_apart(harness, inputs);
        size_t size;
        FILE *stream = open_memstream(&source, &size);
        write_origin(stream, harness, how);
        fputs(words, stream);
        fclose(stream);
        kept = keep_row(harness, inputs, exact, source);
        free(source);
        free(exact);
    }
    return kept;
}

static void try_apart(void *context, FILE *output)
{
    const struct case_of *of = context;
    struct trial trial;
    (void)output;
    harness_try(of->harness, of->inputs, &trial);
}

struct failing_search {
    struct harness *harness;
    struct apart as_found;
    struct apart_limits limits;
    double end;
};

static bool fails_alike(struct failing_search *search, const struct values *inputs,
                        const struct apart_limits *limits)
{
    struct apart apart;
    apart_run(try_apart, &(struct case_of){search->harness, inputs}, limits, &apart);
    bool alike = apart_alike(&apart, &search->as_found);
    free(apart.said);
    return alike;
}

static bool same_failure(void *context, const struct values *inputs)
{
    struct failing_search *search = context;
    return apart_time() < search->end && !apart_interrupted() &&
           fails_alike(search, inputs, &search->limits);
}

/* Whether it is as bad as what the target was stopped for. */
static bool fails_in_the_end(struct failing_search *search, const struct values *inputs,
                             const struct failed *failed)
{
    bool whole = search->as_found.end == APART_ENDED || !apart_interrupted();
    struct apart_limits limits = {.seconds = failed->seconds, .megabytes = failed->megabytes};
    return whole && fails_alike(search, inputs, &limits);
}

/* How it fails, so that simpler cases can be compared; false if it does not. */
static bool begin_search(struct failing_search *search, const struct values *inputs,
                         const struct failed *failed)
{
    search->limits = (struct apart_limits){
        .seconds = failed->seconds < SECONDS_OF_OTHERS ? failed->seconds : SECONDS_OF_OTHERS,
        .megabytes = failed->megabytes < MEGABYTES_APART ? failed->megabytes : MEGABYTES_APART};
    apart_run(try_apart, &(struct case_of){search->harness, inputs}, &search->limits,
              &search->as_found);
    enum apart_end end = search->as_found.end;
    if (end == APART_LATE) {
        search->limits.seconds = SECONDS_OF_HANG;
    }
    search->end = apart_time() + SECONDS_APART;
    return end == APART_ENDED || end == APART_LATE || end == APART_SWOLLEN;
}

bool finding_keep(struct harness *harness, const struct values *inputs, const struct failed *failed)
{
    struct failing_search search = {.harness = harness};
    struct values simple = {0};
    bool kept = keep_failed(harness, inputs, failed->words, "as found");
    apart_catch_signals();
    if (begin_search(&search, inputs, failed)) {
        values_copy(&simple, inputs);
        simplify(harness->function, &simple, same_failure, &search, ASKED_MOST);
        if (fails_in_the_end(&search, &simple, failed)) {
            kept = keep_failed(harness, &simple, failed->words, "simplified") && kept;
        }
    }
    values_free(&simple);
    free(search.as_found.said);
    return kept;
}

struct search {
    struct harness *harness;
    enum found found;
    double end;
};

static bool same_fault(void *context, const struct values *inputs)
{
    struct search *search = context;
    struct trial trial;
    if (harness_processor_time() >= search->end) {
        return false;
    }
    harness_try(search->harness, inputs, &trial);
    return trial.found == search->found;
}

void finding_tell(struct harness *harness, const struct values *inputs, const struct trial *trial)
{
    struct values simple = {0};
    struct search search = {harness, trial->found, harness_processor_time() + SECONDS_MOST};
    tell(harness, inputs, trial, "as found");
    values_copy(&simple, inputs);
    simplify(harness->function, &simple, same_fault, &search, ASKED_MOST);
    struct trial again;
    harness_try(harness, &simple, &again);
    if (again.found == trial->found) {
        tell(harness, &simple, &again, "simplified");
    }
    values_free(&simple);
}
