#include "shard.h"

#include "output.h"

#include "../corpus/checksum.h"
#include "../impl/truelerp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "truelerp-shard-2";

/* Lines are far shorter; a file without line ends must not exhaust the machine. */
enum { LINE_LIMIT = 1 << 26, NESTING = 16 };

static struct json_object *json_digest(uint64_t state)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, state);
    return json_object_new_string(text);
}

/* The work. */

static void *refuse(char **message, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void *refuse(char **message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(message, format, arguments) < 0) {
        abort();
    }
    va_end(arguments);
    return NULL;
}

static bool digest_file(const char *path, uint64_t *state)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return false;
    }
    char block[16384];
    size_t size;
    *state = CHECKSUM_START;
    while ((size = fread(block, 1, sizeof block, stream)) > 0) {
        *state = checksum_of_bytes(*state, block, size);
    }
    bool good = !ferror(stream);
    fclose(stream);
    return good;
}

static uint64_t digest_rows(const struct sweep_part *part)
{
    uint64_t state = CHECKSUM_START;
    for (uint64_t i = 0; i < part->cases; i++) {
        const struct values *row = &part->rows[i];
        for (size_t j = 0; j < row->count; j++) {
            uint64_t length = values_length(row, j);
            state = checksum_of_bytes(state, &length, sizeof length);
            state = checksum_of_bytes(state, values_field(row, j), length * sizeof(double));
        }
    }
    return state;
}

static void add_implementation(struct json_object *work, const struct report *report,
                               uint64_t file_digest)
{
    const char *path = report->implementation_path;
    json_add(work, "implementation", json_text(report_implementation(report)));
    json_add(work, "file", path ? json_text(path) : NULL);
    json_add(work, "file_digest", path ? json_digest(file_digest) : NULL);
    struct json_object *lacking = json_object_new_array();
    for (size_t i = 0; i < catalog_count; i++) {
        if (report_lacks(report, catalog[i])) {
            json_object_array_add(lacking, json_text(catalog[i]->name));
        }
    }
    json_add(work, "lacking", lacking);
}

struct json_object *shard_work(const struct report *report, char **message)
{
    const struct sweep *sweep = report->sweep;
    const char *path = report->implementation_path, *inputs = report->inputs_name;
    if ((path && !shard_text_fits(path)) || (inputs && !shard_text_fits(inputs))) {
        return refuse(message, "%s: a shard cannot tell of a file whose name is no plain UTF-8",
                      path && !shard_text_fits(path) ? path : inputs);
    }
    uint64_t file_digest = 0;
    if (path && !digest_file(path, &file_digest)) {
        return refuse(message, "%s: cannot be read: %s", path_shown(path), strerror(errno));
    }
    struct json_object *work = json_object_new_object();
    json_add(work, "seed", json_count(sweep->seed));
    json_add(work, "samples", json_count(report->samples));
    json_add(work, "timeout", json_count((uint64_t)sweep->time_limit));
    add_implementation(work, report, file_digest);
    json_add(work, "inputs", inputs ? json_text(inputs) : NULL);
    json_add(work, "inputs_digest", inputs ? json_digest(digest_rows(sweep->parts)) : NULL);
    struct json_object *functions = json_object_new_array();
    for (size_t i = 0; i < report->function_count; i++) {
        const struct part_range range = report_parts(report, i);
        json_object_array_add(functions, json_text(sweep->parts[range.first].function->name));
    }
    json_add(work, "functions", functions);
    json_add(work, "shards", json_count(sweep->share.count));
    return work;
}

/* Runs of shards. */

struct run {
    uint64_t first, last;
};

/* The next run of shards from run->last + 1 on that are held, or that are not. */
static bool next_run(const struct shard *shard, bool held, struct run *run)
{
    uint64_t number = run->last + 1;
    while (number <= shard->count && shard->holds[number - 1] != held) {
        number++;
    }
    *run = (struct run){number, number};
    while (run->last < shard->count && shard->holds[run->last] == held) {
        run->last++;
    }
    return number <= shard->count;
}

/* Writing. */

struct writer {
    struct output output;
    uint64_t digest;
};

/* Takes the object. */
static void put_line(struct writer *writer, struct json_object *object)
{
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    json_write(stream, object, false);
    putc('\n', stream);
    fclose(stream);
    writer->digest = checksum_of_bytes(writer->digest, line, size);
    fwrite(line, 1, size, writer->output.stream);
    free(line);
    json_object_put(object);
}

static struct json_object *json_head(const struct shard *shard)
{
    struct json_object *head = json_object_new_object();
    json_add(head, "format", json_text(format_name));
    json_add(head, "version", json_text(tl_version()));
    json_add(head, "source", json_text(shard_source));
    json_add(head, "work", json_object_get(shard->work));
    struct json_object *holds = json_object_new_array();
    for (struct run run = {0}; next_run(shard, true, &run);) {
        struct json_object *pair = json_object_new_array();
        json_object_array_add(pair, json_count(run.first));
        json_object_array_add(pair, json_count(run.last));
        json_object_array_add(holds, pair);
    }
    json_add(head, "holds", holds);
    struct json_object *run = json_object_new_object();
    json_add(run, "date", json_text(shard->run.date));
    json_add(run, "microseconds", json_count(shard->run.microseconds));
    json_add(run, "jobs", json_count(shard->run.jobs));
    json_add(run, "exit_code", json_count(shard->run.exit_code));
    json_add(head, "run", run);
    return head;
}

static struct json_object *json_part(const struct shard *shard, size_t i)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "function", json_text(shard->parts[i].function->name));
    json_add(object, "domain", json_text(part_name(&shard->parts[i])));
    json_add(object, "cases", json_count(tally_cases(&shard->tallies[i])));
    shard_add_tally(object, &shard->tallies[i], &shard->parts[i]);
    return object;
}

bool shard_write(const struct shard *shard, const char *path)
{
    struct writer writer = {.digest = CHECKSUM_START};
    if (!output_open(&writer.output, path)) {
        return false;
    }
    put_line(&writer, json_head(shard));
    for (size_t i = 0; i < shard->part_count; i++) {
        put_line(&writer, json_part(shard, i));
    }
    struct json_object *end = json_object_new_object();
    json_add(end, "end", json_digest(writer.digest));
    put_line(&writer, end);
    return output_finish(&writer.output) && output_publish(&writer.output);
}

/* Reading lines. */

struct reader {
    FILE *stream;
    struct shard_place place;
    struct json_tokener *tokener;
    char *line;
    size_t length, capacity;
    uint64_t before, digest; /* of all lines but the last read, and with it */
};

/* Without the line end. False at the end of the file or after a fault. */
static bool get_line(struct reader *reader)
{
    reader->place.line++;
    reader->length = 0;
    int byte;
    while ((byte = getc_unlocked(reader->stream)) != EOF && byte != '\n') {
        if (reader->length == reader->capacity) {
            reader->capacity = reader->capacity ? 2 * reader->capacity : 4096;
            reader->line = realloc(reader->line, reader->capacity);
        }
        if (!reader->line || reader->length == LINE_LIMIT) {
            return shard_fault(&reader->place, "the line is too long");
        }
        reader->line[reader->length++] = (char)byte;
    }
    if (ferror(reader->stream)) {
        return shard_fault(&reader->place, "cannot be read: %s", strerror(errno));
    }
    reader->before = reader->digest;
    reader->digest = checksum_of_bytes(reader->digest, reader->line, reader->length);
    reader->digest = checksum_of_bytes(reader->digest, "\n", 1);
    return byte == '\n' || reader->length > 0;
}

/* json-c takes a whole number that is too large for the largest one that it has. Returns the place
 * of the first one in the line, or its length. */
static size_t beyond_range(const char *line, size_t length)
{
    static const char most[] = "18446744073709551615";
    bool in_text = false;
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        bool escape = in_text && line[i] == '\\';
        in_text ^= line[i] == '"';
        i += escape;
        digits = !in_text && line[i] >= '0' && line[i] <= '9' ? digits + 1 : 0;
        if (digits == strlen(most) &&
            (memcmp(line + i + 1 - digits, most, digits) > 0 ||
             (i + 1 < length && line[i + 1] >= '0' && line[i + 1] <= '9'))) {
            return i + 1 - digits;
        }
    }
    return length;
}

static struct json_object *parse_line(struct reader *reader)
{
    json_tokener_reset(reader->tokener);
    struct json_object *object =
        json_tokener_parse_ex(reader->tokener, reader->line, (int)reader->length);
    enum json_tokener_error error = json_tokener_get_error(reader->tokener);
    size_t end = json_tokener_get_parse_end(reader->tokener);
    bool complete = error == json_tokener_success && end == reader->length;
    size_t beyond = complete ? beyond_range(reader->line, reader->length) : reader->length;
    if (complete && beyond == reader->length && json_object_is_type(object, json_type_object)) {
        return object;
    }
    json_object_put(object);
    if (complete && beyond < reader->length) {
        shard_fault(&reader->place, "column %zu: a number above 2^64 - 1", beyond + 1);
        return NULL;
    }
    const char *what = "what follows is not expected";
    if (error == json_tokener_continue) {
        what = "the line ends too early";
    } else if (error != json_tokener_success) {
        what = json_tokener_error_desc(error);
    } else if (end == reader->length) {
        what = "no object";
    }
    shard_fault(&reader->place, "column %zu: %s%s", end + 1, what,
                reader->place.line == 1 ? "; this is no shard file" : "");
    return NULL;
}

/* The next line's object, or NULL after a fault. */
static struct json_object *next_object(struct reader *reader)
{
    if (get_line(reader)) {
        return parse_line(reader);
    }
    shard_fault(&reader->place, "the file is not whole: it ends before its last line");
    return NULL;
}

/* Understanding the work. */

static bool read_name(struct shard_place *place, struct json_object *array, size_t i,
                      const struct function **function)
{
    struct json_object *name = json_object_array_get_idx(array, i);
    const struct function *before = *function;
    *function = json_object_is_type(name, json_type_string)
                    ? catalog_find(json_object_get_string(name))
                    : NULL;
    if (!*function) {
        return shard_fault(place, "there is no function %.80s", json_object_to_json_string(name));
    }
    for (size_t j = 0; before && catalog[j] != *function; j++) {
        before = catalog[j] == before ? NULL : before;
    }
    return !before || shard_fault(place, "the functions are not in the catalogue's order");
}

static bool read_lacking(struct shard_merge *merge, struct shard_place *place,
                         struct json_object *work)
{
    struct json_object *array = shard_member(place, work, "lacking", json_type_array);
    if (!array) {
        return false;
    }
    const struct function *function = NULL;
    merge->lacking = calloc(json_object_array_length(array) + 1, sizeof *merge->lacking);
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        if (!read_name(place, array, i, &function)) {
            return false;
        }
        merge->lacking[i] = function->name;
    }
    merge->report.lacking = merge->lacking;
    return true;
}

static bool add_row_part(struct shard_merge *merge, struct shard_place *place,
                         const struct function *function)
{
    merge->rows = (struct shard_rows){
        .count = merge->report.samples,
        .list = calloc(merge->report.samples, sizeof *merge->rows.list),
    };
    if (!merge->rows.list) {
        return shard_fault(place, "there is not enough memory for %" PRIu64 " cases",
                           merge->report.samples);
    }
    merge->parts[merge->sweep.part_count++] = (struct sweep_part){.function = function,
                                                                  .rows = merge->rows.list,
                                                                  .cases = merge->rows.count};
    return true;
}

static bool read_functions(struct shard_merge *merge, struct shard_place *place,
                           struct json_object *work)
{
    struct json_object *array = shard_member(place, work, "functions", json_type_array);
    const struct function *function = NULL;
    size_t count = array ? json_object_array_length(array) : 0;
    merge->parts = calloc(report_parts_most(), sizeof *merge->parts);
    bool rows = merge->report.inputs_name != NULL;
    if (count == 0 || (rows && count != 1)) {
        return shard_fault(place, "\"functions\" has not the right length");
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_name(place, array, i, &function)) {
            return false;
        }
        if (rows) {
            return add_row_part(merge, place, function);
        }
        merge->sweep.part_count += report_drawn_parts(&merge->parts[merge->sweep.part_count],
                                                      function, i, merge->report.samples);
    }
    return true;
}

/* "file" and "file_digest": both or neither. */
static bool read_file(struct shard_place *place, struct json_object *work, const char *key,
                      const char *digest_key, const char **name)
{
    struct json_object *file, *digested;
    if (!shard_member_or_null(place, work, key, json_type_string, &file) ||
        !shard_member_or_null(place, work, digest_key, json_type_string, &digested)) {
        return false;
    }
    if (!file != !digested) {
        return shard_fault(place, "\"%s\" and \"%s\" do not agree", key, digest_key);
    }
    *name = file ? shard_text(place, work, key) : NULL;
    return !place->message;
}

static bool read_numbers(struct shard_merge *merge, struct shard_place *place,
                         struct json_object *work)
{
    uint64_t seconds = 0;
    struct shard *shard = &merge->shard;
    if (!shard_count(place, work, "seed", UINT64_MAX, &merge->sweep.seed) ||
        !shard_count(place, work, "samples", REPORT_SAMPLES_MAX, &merge->report.samples) ||
        !shard_count(place, work, "timeout", TIME_LIMIT_MAX, &seconds) ||
        !shard_count(place, work, "shards", SHARDS_MAX, &shard->count)) {
        return false;
    }
    if (merge->report.samples == 0 || seconds == 0 || shard->count == 0) {
        return shard_fault(place, "\"samples\", \"timeout\" or \"shards\" is 0");
    }
    merge->sweep.time_limit = (double)seconds;
    merge->sweep.share = (struct sweep_share){0, 0};
    return true;
}

static bool allocate(struct shard_merge *merge, struct shard_place *place)
{
    merge->shard.holds = calloc(merge->shard.count, sizeof *merge->shard.holds);
    merge->origin = calloc(merge->shard.count, sizeof *merge->origin);
    merge->tallies = calloc(merge->sweep.part_count, sizeof *merge->tallies);
    merge->read = calloc(1, sizeof *merge->read);
    return (merge->shard.holds && merge->origin && merge->tallies && merge->read) ||
           shard_fault(place, "there is not enough memory");
}

static bool understand(struct shard_merge *merge, struct shard_place *place,
                       struct json_object *work)
{
    struct report *report = &merge->report;
    enum { KEYS = 11 };
    if (json_object_object_length(work) != KEYS) {
        return shard_fault(place, "\"work\" has not the members that it should have");
    }
    if (!read_numbers(merge, place, work) ||
        !(report->implementation_name = shard_text(place, work, "implementation")) ||
        !read_file(place, work, "file", "file_digest", &report->implementation_path) ||
        !read_file(place, work, "inputs", "inputs_digest", &report->inputs_name) ||
        !read_lacking(merge, place, work) || !read_functions(merge, place, work) ||
        !allocate(merge, place)) {
        return false;
    }
    merge->sweep.parts = merge->parts;
    report->function_count = merge->parts[merge->sweep.part_count - 1].function_number + 1;
    report->sweep = &merge->sweep;
    report->tallies = merge->tallies;
    merge->shard.work = json_object_get(work);
    merge->shard.parts = merge->parts;
    merge->shard.part_count = merge->sweep.part_count;
    merge->shard.tallies = merge->tallies;
    return true;
}

/* "seed is 2, not 1; samples is 400, not 300" */
static void write_differences(FILE *stream, struct json_object *work, struct json_object *before)
{
    const char *separator = "";
    struct json_object_iterator at = json_object_iter_begin(before);
    struct json_object_iterator end = json_object_iter_end(before);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        struct json_object *old = json_object_iter_peek_value(&at), *new = NULL;
        bool there = json_object_object_get_ex(work, key, &new);
        if (!there || !json_object_equal(old, new)) {
            const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
            fprintf(stream, "%s%s is %s, ", separator, key,
                    there ? json_object_to_json_string_ext(new, flags) : "missing");
            fprintf(stream, "not %s", json_object_to_json_string_ext(old, flags));
            separator = "; ";
        }
    }
}

static bool compare(const struct shard_merge *merge, struct shard_place *place,
                    struct json_object *work)
{
    if (json_object_equal(work, merge->shard.work)) {
        return true;
    }
    char *differences = NULL;
    size_t size;
    FILE *stream = open_memstream(&differences, &size);
    write_differences(stream, work, merge->shard.work);
    fclose(stream);
    shard_fault(place, "not of the same work as %s: %s", merge->first,
                size > 0 ? differences : "it tells more");
    free(differences);
    return false;
}

/* The first line. */

static bool check_program(struct shard_place *place, struct json_object *head)
{
    const char *format = shard_text(place, head, "format");
    if (!format || strcmp(format, format_name) != 0) {
        return shard_fault(place, "is in the format %s, this program reads %s", format,
                           format_name);
    }
    const char *version = shard_text(place, head, "version");
    const char *source = version ? shard_text(place, head, "source") : NULL;
    if (!source) {
        return false;
    }
    return (strcmp(version, tl_version()) == 0 && strcmp(source, shard_source) == 0) ||
           shard_fault(place,
                       "was made by truelerp %s of the sources %s, this is truelerp %s of %s; "
                       "only the program that made it can merge it",
                       version, source, tl_version(), shard_source);
}

/* "2026-01-31T12:00:00Z", so that texts compare like dates */
static bool is_date(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    for (size_t i = 0; i < sizeof form; i++) {
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) {
            return false;
        }
    }
    return true;
}

static bool read_run(struct shard_place *place, struct json_object *head, struct shard_run *run)
{
    struct json_object *object = shard_member(place, head, "run", json_type_object);
    const char *date = object ? shard_text(place, object, "date") : NULL;
    if (!date || !is_date(date)) {
        return shard_fault(place, "\"date\" is no date");
    }
    snprintf(run->date, sizeof run->date, "%s", date);
    uint64_t exit_code = 0;
    if (!shard_count(place, object, "microseconds", INT64_MAX, &run->microseconds) ||
        !shard_count(place, object, "jobs", JOBS_MAX, &run->jobs) ||
        !shard_count(place, object, "exit_code", EXIT_UNTRUSTED, &exit_code)) {
        return false;
    }
    run->exit_code = (enum exit_code)exit_code;
    return (run->microseconds > 0 && run->jobs > 0) ||
           shard_fault(place, "\"microseconds\" or \"jobs\" is 0");
}

/* Does not depend on the order. */
static void add_run(struct shard_run *into, const struct shard_run *run)
{
    if (!*into->date || strcmp(run->date, into->date) < 0) {
        memcpy(into->date, run->date, sizeof into->date);
    }
    uint64_t room = INT64_MAX - into->microseconds;
    into->microseconds += run->microseconds < room ? run->microseconds : room;
    into->jobs = run->jobs > into->jobs ? run->jobs : into->jobs;
    into->exit_code = exit_worse(into->exit_code, run->exit_code);
}

/* Pair i of "holds"; after the pair before. */
static bool read_pair(const struct shard_merge *merge, struct json_object *holds, size_t i,
                      struct run *run)
{
    uint64_t before = run->last;
    struct json_object *pair = json_object_array_get_idx(holds, i);
    if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2) {
        return false;
    }
    struct json_object *first = json_object_array_get_idx(pair, 0);
    struct json_object *last = json_object_array_get_idx(pair, 1);
    run->first = json_object_is_type(first, json_type_int) ? json_object_get_uint64(first) : 0;
    run->last = json_object_is_type(last, json_type_int) ? json_object_get_uint64(last) : 0;
    return before < run->first && run->first <= run->last && run->last <= merge->shard.count;
}

static bool add_pair(const struct shard_merge *merge, struct shard_place *place, struct run run,
                     uint64_t *cases)
{
    for (uint64_t number = run.first; number <= run.last; number++) {
        if (merge->shard.holds[number - 1] && strcmp(merge->origin[number - 1], place->path) == 0) {
            return shard_fault(place, "this file is given twice");
        }
        if (merge->shard.holds[number - 1]) {
            return shard_fault(place, "shard %" PRIu64 " is there twice, the other one is in %s",
                               number, merge->origin[number - 1]);
        }
    }
    sweep_share_cases(&merge->sweep, merge->shard.count, run.first, run.last, cases);
    return true;
}

/* Adds up the cases of the shards that the file holds. */
static bool read_holds(const struct shard_merge *merge, struct shard_place *place,
                       struct json_object *head, uint64_t *cases)
{
    struct json_object *holds = shard_member(place, head, "holds", json_type_array);
    struct run run = {0};
    for (size_t i = 0; holds && i < json_object_array_length(holds); i++) {
        if (!read_pair(merge, holds, i, &run)) {
            return shard_fault(place, "\"holds\" has no possible shards at position %zu", i + 1);
        }
        if (!add_pair(merge, place, run, cases)) {
            return false;
        }
    }
    if (holds && json_object_array_length(holds) == 0) {
        shard_fault(place, "\"holds\" is empty");
    }
    return !place->message;
}

static void take_over(struct shard_merge *merge, struct json_object *head, const char *path)
{
    struct json_object *holds = json_object_object_get(head, "holds");
    struct run run = {0};
    for (size_t i = 0; i < json_object_array_length(holds); i++) {
        read_pair(merge, holds, i, &run);
        for (uint64_t number = run.first; number <= run.last; number++) {
            merge->shard.holds[number - 1] = true;
            merge->origin[number - 1] = path;
        }
    }
}

/* The other lines. */

static bool is_part(struct shard_place *place, struct json_object *object,
                    const struct sweep_part *part)
{
    const char *function = shard_text(place, object, "function");
    const char *domain = function ? shard_text(place, object, "domain") : NULL;
    return domain &&
           ((strcmp(function, part->function->name) == 0 && strcmp(domain, part_name(part)) == 0) ||
            shard_fault(place, "is %s, %s where %s, %s should be", function, domain,
                        part->function->name, part_name(part)));
}

static bool add_part(struct shard_merge *merge, struct reader *reader, size_t i, uint64_t cases)
{
    struct json_object *object = next_object(reader);
    bool good = object && is_part(&reader->place, object, &merge->parts[i]) &&
                shard_read_tally(&reader->place, object, &merge->parts[i], (uint32_t)i, cases,
                                 &merge->rows, merge->read);
    if (good) {
        tally_merge(&merge->tallies[i], merge->read);
    }
    json_object_put(object);
    return good;
}

static bool read_end(struct reader *reader)
{
    struct json_object *object = next_object(reader);
    const char *end = object ? shard_text(&reader->place, object, "end") : NULL;
    if (end) {
        char sum[17];
        snprintf(sum, sizeof sum, "%016" PRIx64, reader->before);
        if (strcmp(end, sum) != 0) {
            shard_fault(&reader->place,
                        "the file is damaged: its checksum is %s, where it says %.16s", sum, end);
        }
    }
    json_object_put(object);
    if (!reader->place.message && get_line(reader)) {
        shard_fault(&reader->place, "there should be nothing behind the last line");
    }
    return !reader->place.message;
}

static bool add_lines(struct shard_merge *merge, struct reader *reader, struct json_object *head,
                      uint64_t *cases)
{
    struct shard_run run = {0};
    if (!read_run(&reader->place, head, &run) || !read_holds(merge, &reader->place, head, cases)) {
        return false;
    }
    for (size_t i = 0; i < merge->shard.part_count; i++) {
        if (!add_part(merge, reader, i, cases[i])) {
            return false;
        }
    }
    if (!read_end(reader)) {
        return false;
    }
    add_run(&merge->shard.run, &run);
    take_over(merge, head, reader->place.path);
    return true;
}

static bool add_file(struct shard_merge *merge, struct reader *reader)
{
    struct shard_place *place = &reader->place;
    struct json_object *head = next_object(reader);
    struct json_object *work = NULL;
    bool good = head && check_program(place, head) &&
                (work = shard_member(place, head, "work", json_type_object));
    if (good && !merge->shard.work) {
        good = understand(merge, place, work);
        merge->first = place->path;
        if (!good) {
            shard_merge_free(merge);
        }
    } else if (good) {
        good = compare(merge, place, work);
    }
    if (good) {
        uint64_t *cases = calloc(merge->shard.part_count, sizeof *cases);
        good = cases && add_lines(merge, reader, head, cases);
        free(cases);
    }
    json_object_put(head);
    return good;
}

bool shard_merge_add(struct shard_merge *merge, const char *path, char **message)
{
    struct reader reader = {.place = {.path = path}, .digest = CHECKSUM_START};
    reader.stream = fopen(path, "rb");
    if (!reader.stream) {
        refuse(message, "%s: cannot be read: %s", path_shown(path), strerror(errno));
        return false;
    }
    reader.tokener = json_tokener_new_ex(NESTING);
    json_tokener_set_flags(reader.tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    bool good = add_file(merge, &reader);
    *message = reader.place.message;
    json_tokener_free(reader.tokener);
    free(reader.line);
    fclose(reader.stream);
    return good;
}

/* The whole. */

char *shard_merge_missing(const struct shard_merge *merge)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    enum { SHOWN = 20 };
    int shown = 0;
    for (struct run run = {0}; next_run(&merge->shard, false, &run); shown++) {
        if (shown == SHOWN) {
            fputs(", ...", stream);
            break;
        }
        fprintf(stream, "%s%" PRIu64, shown > 0 ? ", " : "", run.first);
        if (run.last > run.first) {
            fprintf(stream, "-%" PRIu64, run.last);
        }
    }
    fclose(stream);
    if (shown == 0) {
        free(text);
        return NULL;
    }
    return text;
}

void shard_merge_free(struct shard_merge *merge)
{
    for (uint64_t i = 0; i < merge->rows.count && merge->rows.list; i++) {
        values_free(&merge->rows.list[i]);
    }
    free(merge->rows.list);
    free(merge->lacking);
    free(merge->origin);
    free(merge->parts);
    free(merge->tallies);
    free(merge->read);
    free(merge->shard.holds);
    json_object_put(merge->shard.work);
    *merge = (struct shard_merge){0};
}
