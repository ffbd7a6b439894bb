/* truelerp eval: every row of a CSV file with its result, the exact answer and the verdict. */
#include "json.h"
#include "keys.h"
#include "output.h"
#include "process.h"
#include "program.h"

#include "../corpus/case.h"
#include "../oracle/judge.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/linkhash.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct request {
    const char *function;
    const char *file;
    const char *implementation;
    const char *out;
    const char *keys;   /* NULL: every row has them */
    const char *before; /* the wraps, with `keys` */
    const char *after;
    uint64_t time_limit; /* seconds for one call of a foreign implementation */
    bool json;
    bool hex;
};

/* What is known outside of the process that judges. A foreign implementation may end it. */
struct journal {
    _Atomic size_t line;
    _Atomic uint64_t calls; /* that are over */
    _Atomic bool calling;
    _Atomic bool complete; /* the output is */
    _Atomic int lost;      /* errno, if the output could not be written */
    _Atomic bool finished;
    _Atomic int exit_code;
};

/* Columns of the output, and the fields of one row in a single buffer, each ended by a NUL. */
struct table {
    size_t count;
    char **names;
    size_t given;   /* columns that come from the input file */
    size_t figures; /* the first of three columns of numbers */
    FILE *stream;   /* of the fields */
    char *fields;
    size_t size;
};

struct evaluation {
    const struct request *request;
    const struct function *function;
    struct subject subject;
    struct judge *judge;
    struct csv *csv;
    const char *source; /* what messages call the file */
    size_t outputs;     /* so many of the function's are shown */
    struct columns columns;
    struct table table;
    struct values inputs, results;
    struct values keys, time;   /* the inputs that all rows share, and the one that they have */
    struct field time_field;    /* if there are keys: what a row of the file has */
    struct function time_alone; /* as the reader of cases wants to know it */
    FILE *out;
    struct journal *journal;
    enum exit_code exit_code;
    size_t judged, compared;
    bool complete;
};

enum { BEFORE = 256, AFTER, TIMEOUT }; /* options without a letter */

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case 'x':
        request->hex = true;
        return 0;
    case 'i':
        request->implementation = argument;
        return 0;
    case 'o':
        request->out = argument;
        return 0;
    case 'k':
        request->keys = argument;
        return 0;
    case BEFORE:
        request->before = argument;
        return 0;
    case AFTER:
        request->after = argument;
        return 0;
    case TIMEOUT:
        request->time_limit = option_number(state, "--timeout", argument, 1, TIME_LIMIT_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            argp_error(state, "one file at a time: '%s' is too much", argument);
        }
        *(state->arg_num == 0 ? &request->function : &request->file) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->function) {
            argp_error(state, "which function? (truelerp list shows them)");
        }
        if (!request->keys && (request->before || request->after)) {
            argp_error(state, "--before and --after go with --keys");
        }
        request->before = request->before ? request->before : "clamp";
        request->after = request->after ? request->after : "clamp";
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Columns. */

static bool named_before(const struct row *header, size_t column, const char *name)
{
    for (size_t i = 0; i < column; i++) {
        if (strcmp(header->text[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A name of a column, in a table of all of them: a header may hold a million. */
struct name {
    bool used;    /* by a column that is written */
    bool header;  /* kept for the first given column that has it */
    size_t given; /* so many others were made of it */
};

static void free_name(struct lh_entry *entry)
{
    free(lh_entry_k(entry));
    free(lh_entry_v(entry));
}

/* Put there if it is new. */
static struct name *name_of(struct lh_table *names, const char *text)
{
    void *name;
    if (lh_table_lookup_ex(names, text, &name)) {
        return name;
    }
    char *key = strdup(text);
    name = calloc(1, sizeof(struct name));
    if (!key || !name || lh_table_insert(names, key, name) != 0) {
        abort();
    }
    return name;
}

/* A given column whose name this program writes itself, or that stands twice, is given_NAME,
 * given_2_NAME and so on. */
static char *given_name(struct lh_table *names, const char *text)
{
    struct name *name = name_of(names, text);
    char *unique = strdup(text);
    for (struct name *next = name; next->used || (next != name && next->header);) {
        free(unique);
        size_t number = ++name->given;
        if ((number == 1 ? asprintf(&unique, "given_%s", text)
                         : asprintf(&unique, "given_%zu_%s", number, text)) < 0) {
            abort();
        }
        next = name_of(names, unique);
    }
    name_of(names, unique)->used = true;
    return unique;
}

static void name_outputs(struct table *table, const struct function *function, size_t outputs,
                         const char *what)
{
    for (size_t i = 0; i < outputs; i++) {
        const char *name = function->outputs[i].name;
        if (asprintf(&table->names[table->count++], "%s%s%s", what, *name ? "_" : "", name) < 0) {
            abort();
        }
    }
}

static void table_create(struct table *table, const struct function *function, size_t outputs,
                         const struct row *header)
{
    static const char *const figures[] = {"error_ulp", "error_scaled", "bound", "verdict"};
    *table = (struct table){.given = header->count};
    table->names = calloc(header->count + 2 * outputs + 4, sizeof(char *));
    table->count = table->given;
    name_outputs(table, function, outputs, "result");
    name_outputs(table, function, outputs, "exact");
    table->figures = table->count;
    for (size_t i = 0; i < 4; i++) {
        table->names[table->count++] = strdup(figures[i]);
    }
    struct lh_table *names = lh_kchar_table_new(64, free_name);
    if (!names) {
        abort();
    }
    for (size_t i = table->given; i < table->count; i++) {
        name_of(names, table->names[i])->used = true;
    }
    for (size_t i = 0; i < header->count; i++) {
        name_of(names, header->text[i])->header = true;
    }
    for (size_t i = 0; i < header->count; i++) {
        table->names[i] = given_name(names, header->text[i]);
    }
    lh_table_free(names);
    table->stream = open_memstream(&table->fields, &table->size);
}

static void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->names[i]);
    }
    free(table->names);
    if (table->stream) {
        fclose(table->stream);
    }
    free(table->fields);
}

static void end_field(struct table *table)
{
    fputc('\0', table->stream);
}

/* Rows. */

static void fill_row(struct evaluation *evaluation, const struct row *row,
                     const struct judgement *judgement)
{
    struct table *table = &evaluation->table;
    const struct function *function = evaluation->function;
    rewind(table->stream);
    for (size_t i = 0; i < row->count; i++) {
        fputs(row->text[i], table->stream);
        end_field(table);
    }
    for (size_t i = 0; i < evaluation->outputs; i++) {
        case_write_output(table->stream, function, &evaluation->results, i,
                          evaluation->request->hex);
        end_field(table);
    }
    for (size_t i = 0; i < evaluation->outputs; i++) {
        judge_write_exact(evaluation->judge, function, &evaluation->inputs, i, table->stream);
        end_field(table);
    }
    const double figures[] = {judgement->error_ulp, judgement->error_scaled, judgement->bound};
    for (size_t i = 0; i < 3; i++) {
        case_write_numbers(table->stream, &figures[i], judgement->measured, false);
        end_field(table);
    }
    fputs(verdict_name(judgement->verdict), table->stream);
    end_field(table);
    fflush(table->stream);
}

static void write_csv_row(const struct evaluation *evaluation)
{
    const char *field = evaluation->table.fields;
    for (size_t i = 0; i < evaluation->table.count; i++) {
        if (i > 0) {
            fputc(',', evaluation->out);
        }
        csv_write_field(evaluation->out, field);
        field += strlen(field) + 1;
    }
    fputc('\n', evaluation->out);
}

static void write_csv_header(const struct evaluation *evaluation)
{
    for (size_t i = 0; i < evaluation->table.count; i++) {
        if (i > 0) {
            fputc(',', evaluation->out);
        }
        csv_write_field(evaluation->out, evaluation->table.names[i]);
    }
    fputc('\n', evaluation->out);
}

static void write_json_row(const struct evaluation *evaluation, const struct judgement *judgement)
{
    const struct table *table = &evaluation->table;
    const double figures[] = {judgement->error_ulp, judgement->error_scaled, judgement->bound};
    struct json_object *object = json_object_new_object();
    const char *field = table->fields;
    for (size_t i = 0; i < table->count; i++) {
        bool figure = i >= table->figures && i < table->figures + 3;
        if (!figure) {
            json_add(object, table->names[i], json_text(field));
        } else if (judgement->measured) {
            json_add(object, table->names[i], json_number(figures[i - table->figures]));
        } else {
            json_add(object, table->names[i], NULL);
        }
        field += strlen(field) + 1;
    }
    fputs(evaluation->judged > 0 ? ",\n  " : "[\n  ", evaluation->out);
    fputs(json_object_to_json_string_ext(object,
                                         JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE),
          evaluation->out);
    json_object_put(object);
}

static enum exit_code verdict_exit_code(enum verdict verdict)
{
    static const enum exit_code codes[VERDICT_COUNT] = {
        [VERDICT_WITHIN] = EXIT_WITHIN,          [VERDICT_VIOLATION] = EXIT_FINDING,
        [VERDICT_CLASS_MISMATCH] = EXIT_FINDING, [VERDICT_UNDECIDED] = EXIT_UNTRUSTED,
        [VERDICT_UNDEFINED] = EXIT_WITHIN,
    };
    return codes[verdict];
}

/* Time grows with the square of a table's nodes. Who waits before a terminal is told what for. */
static void tell_large(const struct evaluation *evaluation, const struct row *row)
{
    enum { LARGE = 2000 };
    const struct values *inputs = &evaluation->inputs;
    size_t numbers = inputs->start[inputs->count];
    if (numbers >= LARGE && isatty(STDERR_FILENO)) {
        complain("%s:%zu: judging a case of %zu numbers; time grows with the square of them",
                 evaluation->source, row->line[0], numbers);
    }
}

static void judge_row(struct evaluation *evaluation, const struct row *row)
{
    struct journal *journal = evaluation->journal;
    tell_large(evaluation, row);
    journal->line = row->line[0];
    if (evaluation->subject.opened) {
        fflush(evaluation->out);
    }
    journal->calling = true;
    const char *finding =
        implementation_call(evaluation->subject.implementation, evaluation->function,
                            &evaluation->inputs, &evaluation->results);
    journal->calling = false;
    journal->calls++;
    if (finding) {
        complain("%s:%zu: %s", evaluation->source, row->line[0], finding);
        evaluation->exit_code = exit_worse(evaluation->exit_code, EXIT_FINDING);
    }
    struct judgement judgement;
    judge_case(evaluation->judge, evaluation->function, &evaluation->inputs, &evaluation->results,
               &judgement);
    fill_row(evaluation, row, &judgement);
    if (evaluation->request->json) {
        write_json_row(evaluation, &judgement);
    } else {
        write_csv_row(evaluation);
    }
    evaluation->judged++;
    evaluation->compared += judgement.verdict != VERDICT_UNDEFINED;
    evaluation->exit_code = exit_worse(evaluation->exit_code, verdict_exit_code(judgement.verdict));
}

static void refuse(struct evaluation *evaluation, const char *message)
{
    complain("%s", message);
    evaluation->exit_code = EXIT_USAGE;
}

/* The keys are known, and a row has a time. */
static const struct function *describe_time(struct evaluation *evaluation, const struct row *header)
{
    bool short_name = named_before(header, header->count, "t");
    const char *name = !short_name && named_before(header, header->count, "time") ? "time" : "t";
    evaluation->time_field = (struct field){.name = name, .kind = FIELD_NUMBER};
    evaluation->time_alone =
        (struct function){.name = "times", .inputs = &evaluation->time_field, .input_count = 1};
    return &evaluation->time_alone;
}

static bool read_header(struct evaluation *evaluation)
{
    struct row header;
    enum csv_status status = csv_next(evaluation->csv, &header);
    const char *message = NULL;
    if (status == CSV_ROW) {
        const struct function *columns =
            evaluation->request->keys ? describe_time(evaluation, &header) : evaluation->function;
        message = columns_read(&evaluation->columns, columns, evaluation->csv, &header);
    } else {
        message = csv_message(evaluation->csv);
    }
    if (message) {
        refuse(evaluation, message);
        return false;
    }
    table_create(&evaluation->table, evaluation->function, evaluation->outputs, &header);
    return true;
}

/* Returns NULL, or what is wrong with the row. */
static const char *read_inputs(struct evaluation *evaluation, const struct row *row)
{
    if (!evaluation->request->keys) {
        return case_read(&evaluation->columns, evaluation->csv, row, &evaluation->inputs);
    }
    const char *message = case_read(&evaluation->columns, evaluation->csv, row, &evaluation->time);
    if (!message) {
        values_copy(&evaluation->inputs, &evaluation->keys);
        *values_append(&evaluation->inputs, 1) = *values_field(&evaluation->time, 0);
    }
    return message;
}

static void judge_rows(struct evaluation *evaluation)
{
    struct row row;
    enum csv_status status;
    size_t rows = 0;
    while ((status = csv_next(evaluation->csv, &row)) != CSV_END) {
        rows++;
        const char *message =
            status == CSV_ROW ? read_inputs(evaluation, &row) : csv_message(evaluation->csv);
        if (message) {
            refuse(evaluation, message);
        } else {
            judge_row(evaluation, &row);
        }
        if (status == CSV_FAILED) {
            return;
        }
    }
    if (rows == 0) {
        complain("%s: no case to judge: there is no row below the header", evaluation->source);
        evaluation->exit_code = EXIT_USAGE;
    } else if (evaluation->judged > 0 && evaluation->compared == 0 &&
               evaluation->exit_code == EXIT_WITHIN) {
        complain("%s: nothing was compared: the inputs of every row are undefined",
                 evaluation->source);
        evaluation->exit_code = EXIT_FINDING;
    }
}

static void evaluate(struct evaluation *evaluation)
{
    if (!read_header(evaluation)) {
        return;
    }
    evaluation->judge = judge_create();
    if (!evaluation->request->json) {
        write_csv_header(evaluation);
    }
    judge_rows(evaluation);
    if (evaluation->request->json) {
        fputs(evaluation->judged > 0 ? "\n]\n" : "[]\n", evaluation->out);
    }
    judge_destroy(evaluation->judge);
    values_free(&evaluation->inputs);
    values_free(&evaluation->results);
    values_free(&evaluation->time);
    evaluation->journal->complete = true;
    table_free(&evaluation->table);
}

/* The process that judges. */

static enum exit_code describe_end(const struct evaluation *evaluation, int status, bool timed_out)
{
    const struct journal *journal = evaluation->journal;
    bool by_call = process_ended_by_call(status, journal->calling);
    const char *who = by_call ? "the implementation" : "judging";
    if (timed_out) {
        complain("%s:%zu: the implementation did not return within %" PRIu64
                 " s; this row and all below it are not judged",
                 evaluation->source, journal->line, evaluation->request->time_limit);
    } else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        complain("%s:%zu: %s crashed (SIG%s); this row and all below it are not judged",
                 evaluation->source, journal->line, who, name ? name : "?");
    } else {
        complain("%s:%zu: %s ended the process (exit code %d); this row and all below it are not "
                 "judged",
                 evaluation->source, journal->line, who, WEXITSTATUS(status));
    }
    return by_call ? EXIT_FINDING : EXIT_UNTRUSTED;
}

/* Ends it where a call lasts too long. The caller has blocked SIGCHLD. */
static enum exit_code wait_for_end(const struct evaluation *evaluation, pid_t process)
{
    const struct journal *journal = evaluation->journal;
    int status = 0;
    bool timed_out;
    process_wait(process, &journal->calling, &journal->calls,
                 (double)evaluation->request->time_limit, &status, &timed_out);
    if (journal->lost) { /* told here: standard error may be closed where the implementation is */
        complain("the output cannot be written: %s", strerror(journal->lost));
    }
    if (evaluation->journal->finished) {
        return (enum exit_code)evaluation->journal->exit_code;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE && !evaluation->journal->calling) {
        raise(SIGPIPE);
    }
    return exit_worse(evaluation->exit_code, describe_end(evaluation, status, timed_out));
}

static void divert_output(struct evaluation *evaluation)
{
    int output = process_divert_output();
    if (evaluation->out == stdout && output >= 0) {
        evaluation->out = fdopen(output, "w");
    }
    if (!evaluation->out) {
        complain("not enough memory");
        _exit(EXIT_UNTRUSTED);
    }
}

/* A foreign implementation may crash, or end the process and with it the evidence. */
static enum exit_code evaluate_apart(struct evaluation *evaluation)
{
    fflush(NULL);
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    pid_t process = process_fork();
    if (process != 0) {
        enum exit_code exit_code = process > 0 ? wait_for_end(evaluation, process) : EXIT_USAGE;
        sigprocmask(SIG_SETMASK, &before, NULL);
        return exit_code;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    divert_output(evaluation);
    evaluate(evaluation);
    fflush(stdout); /* the implementation's */
    errno = 0;
    if (fflush(evaluation->out) != 0 || ferror(evaluation->out)) {
        evaluation->journal->lost = errno ? errno : EIO;
        evaluation->journal->complete = false;
        evaluation->exit_code = EXIT_USAGE;
    }
    evaluation->journal->exit_code = (int)evaluation->exit_code;
    evaluation->journal->finished = true;
    _exit(EXIT_WITHIN);
}

static enum exit_code evaluate_stream(struct evaluation *evaluation, FILE *stream)
{
    evaluation->journal = mmap(NULL, sizeof *evaluation->journal, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (evaluation->journal == MAP_FAILED) {
        complain("not enough memory");
        return EXIT_USAGE;
    }
    evaluation->csv = csv_open(stream, evaluation->source);
    if (evaluation->subject.opened) {
        evaluation->exit_code = evaluate_apart(evaluation);
    } else {
        evaluate(evaluation);
    }
    csv_close(evaluation->csv);
    evaluation->complete = evaluation->journal->complete;
    munmap(evaluation->journal, sizeof *evaluation->journal);
    return evaluation->exit_code;
}

static bool in_place(const struct request *request)
{
    bool standard = strcmp(request->file, "-") == 0;
    return program_same_file(standard ? "/dev/stdin" : request->file, request->out);
}

static enum exit_code evaluate_to_output(struct evaluation *evaluation, FILE *stream)
{
    struct output output = {0};
    const char *path = evaluation->request->out;
    if (path && !output_open(&output, path)) {
        return EXIT_USAGE;
    }
    evaluation->out = path ? output.stream : stdout;
    enum exit_code exit_code = evaluation->exit_code;
    if (exit_code != EXIT_UNTRUSTED) {
        exit_code = evaluate_stream(evaluation, stream);
    }
    if (path && evaluation->complete && exit_code == EXIT_USAGE && in_place(evaluation->request)) {
        complain("%s: not replaced, for the rows that cannot be read would be lost", path);
        evaluation->complete = false;
    }
    if (path && !evaluation->complete) {
        output_discard(&output);
    } else if (path && !(output_finish(&output) && output_publish(&output))) {
        return EXIT_USAGE;
    }
    return exit_code;
}

static enum exit_code open_subject(struct evaluation *evaluation)
{
    const struct request *request = evaluation->request;
    evaluation->exit_code = exit_worse(evaluation->exit_code,
                                       subject_open(&evaluation->subject, request->implementation,
                                                    request->time_limit));
    if (evaluation->exit_code == EXIT_USAGE ||
        implementation_has(evaluation->subject.implementation, evaluation->function)) {
        return evaluation->exit_code;
    }
    complain("%s has no function tl_%s", request->implementation, request->function);
    subject_close(&evaluation->subject);
    return EXIT_USAGE;
}

/* The wrap of that name, or a message and -1. */
static double wrap_named(const struct function *curve, const char *option, const char *name)
{
    for (size_t i = 0; i < curve->input_count; i++) {
        if (strcmp(curve->inputs[i].name, option) == 0) {
            double choice = field_choice(&curve->inputs[i], name, strlen(name));
            if (choice >= 0) {
                return choice;
            }
        }
    }
    complain("--%s wants clamp, loop or ping_pong, not '%s'", option, name);
    return -1;
}

/* Whether all is well with them; says so if not. */
static bool read_keys(struct evaluation *evaluation)
{
    const struct request *request = evaluation->request;
    const struct function *function = evaluation->function;
    evaluation->outputs = function->output_count;
    if (!request->keys) {
        return true;
    }
    if (strcmp(function->name, "curve") != 0) {
        complain("--keys is for the function curve, not for %s", function->name);
        return false;
    }
    if (strcmp(request->keys, "-") == 0 && strcmp(request->file, "-") == 0) {
        complain("keys and times cannot both come from standard input");
        return false;
    }
    evaluation->outputs = 1; /* with keys that a curve can be built of, no status is of interest */
    double before = wrap_named(function, "before", request->before);
    double after = before < 0 ? -1 : wrap_named(function, "after", request->after);
    return after >= 0 && keys_read(&evaluation->keys, function, request->keys, before, after);
}

/* Results may stand beside the cases in the cases' own file: as CSV, it has all its columns
 * still. */
static bool files_apart(const struct request *request)
{
    const struct program_file files[] = {{"the cases", request->json ? request->file : NULL, false},
                                         {"the keys", request->keys, false},
                                         {"--impl", request->implementation, false},
                                         {"--out", request->out, true}};
    return program_files_apart(files, sizeof files / sizeof files[0]);
}

static int run(const struct request *request)
{
    struct evaluation evaluation = {.request = request,
                                    .source = request->file,
                                    .exit_code = program_environment()};
    evaluation.function = program_function(request->function);
    if (!evaluation.function || !files_apart(request) || !read_keys(&evaluation) ||
        open_subject(&evaluation) == EXIT_USAGE) {
        values_free(&evaluation.keys);
        return EXIT_USAGE;
    }
    bool standard = strcmp(request->file, "-") == 0;
    if (standard) {
        evaluation.source = "standard input";
    }
    FILE *stream = standard ? stdin : fopen(request->file, "r");
    enum exit_code exit_code = EXIT_USAGE;
    if (stream) {
        exit_code = evaluate_to_output(&evaluation, stream);
    } else {
        complain("%s: cannot be read: %s", path_shown(request->file), strerror(errno));
    }
    if (stream && !standard) {
        fclose(stream);
    }
    subject_close(&evaluation.subject);
    values_free(&evaluation.keys);
    return exit_code;
}

int verb_eval(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Write a JSON array with an object for each row", 0},
        {"hex", 'x', NULL, 0, "Write results as hexadecimal floating-point numbers", 0},
        {"impl", 'i', "FILE.so", 0, "Judge this shared object instead of the built-in library", 0},
        {"out", 'o', "FILE", 0, "Write there instead of to standard output", 0},
        {"keys", 'k', "KEYS.csv", 0,
         "The curve's keys, one a row: FILE then has the times to evaluate it at", 0},
        {"before", BEFORE, "WRAP", 0,
         "With --keys, what comes before them: clamp (if not given), loop or ping_pong", 0},
        {"after", AFTER, "WRAP", 0, "With --keys, what comes behind them", 0},
        {"timeout", TIMEOUT, "SECONDS", 0,
         "With --impl, give up on a call that lasts longer; a finding (default 10)", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "FUNCTION [FILE|-]\ncurve --keys KEYS.csv [FILE|-]",
        "Judges every row of a CSV file against the exact answer."
        "\vThe file's first row names its columns; the function's inputs may stand in any order, "
        "as decimal or hexadecimal floating-point numbers. Written are all its columns, unchanged, "
        "and behind them `result`, `exact` (40 digits), `error_ulp`, `error_scaled`, `bound` and "
        "`verdict`; a function with several outputs has `result_x`, `exact_x` and so on. A given "
        "column of one of these names is passed on as `given_NAME`. The three figures are empty "
        "where there is none. In JSON they are numbers or null and all else is text.\n\n"
        "error_ulp is the distance to the exact answer in units of its last place; error_scaled "
        "counts it in u S, or in 2^-1074 where that is more, and so does bound, the whole "
        "tolerance. A row that cannot be read is named on standard error, the others are judged, "
        "and the exit code is 2.\n\n"
        "A whole animation curve: with --keys, every row of FILE is a time, in the column `t` or "
        "`time`. KEYS.csv has the columns `time` and `value` and, as far as wanted, `in_tangent`, "
        "`out_tangent` (0 where missing), `weighted_mode` (none, in, out or both), `in_weight` and "
        "`out_weight`.",
        NULL,
        NULL,
        NULL};
    struct request request = {.file = "-", .time_limit = DEFAULT_TIME_LIMIT};
    program_parse(&argp, "eval", argc, argv, &request);
    return run(&request);
}
