/* Tallies as JSON: whole numbers, hexfloats and exact sums, so that reading back loses nothing.
 *
 * Empty bins are left out, and what can be told from the rest, such as the keys by which the worst
 * cases are ordered, is not stored: what is not there cannot be wrong. */
#include "shard_json.h"

#include "../corpus/case.h"
#include "../corpus/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The members of JSON objects. */

bool shard_fault(struct shard_place *place, const char *format, ...)
{
    if (place->message) {
        return false;
    }
    char *what = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&what, format, arguments);
    va_end(arguments);
    if (length < 0 || asprintf(&place->message, "%s:%zu: %s", place->path, place->line, what) < 0) {
        abort();
    }
    free(what);
    return false;
}

static const char *type_name(json_type type)
{
    switch (type) {
    case json_type_array:
        return "an array";
    case json_type_object:
        return "an object";
    case json_type_string:
        return "a text";
    case json_type_int:
        return "a whole number";
    default:
        return json_type_to_name(type);
    }
}

bool shard_member_or_null(struct shard_place *place, struct json_object *object, const char *key,
                          json_type type, struct json_object **member)
{
    if (!json_object_object_get_ex(object, key, member)) {
        return shard_fault(place, "\"%s\" is missing", key);
    }
    if (*member && !json_object_is_type(*member, type)) {
        return shard_fault(place, "\"%s\" is not %s", key, type_name(type));
    }
    return true;
}

struct json_object *shard_member(struct shard_place *place, struct json_object *object,
                                 const char *key, json_type type)
{
    struct json_object *member = NULL;
    if (shard_member_or_null(place, object, key, type, &member) && !member) {
        shard_fault(place, "\"%s\" is not %s", key, type_name(type));
    }
    return place->message ? NULL : member;
}

/* json-c takes what is too large for the largest number that it has. */
static bool whole_number(struct json_object *value, uint64_t most, uint64_t *count)
{
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0) {
        return false;
    }
    *count = json_object_get_uint64(value);
    return *count <= most;
}

bool shard_count(struct shard_place *place, struct json_object *object, const char *key,
                 uint64_t most, uint64_t *count)
{
    struct json_object *member = shard_member(place, object, key, json_type_int);
    if (member && !whole_number(member, most, count)) {
        shard_fault(place, "\"%s\" is %s, which cannot be: at most %" PRIu64, key,
                    json_object_to_json_string(member), most);
    }
    return !place->message;
}

static bool plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 0x20 || byte == 0x7F) {
            return false;
        }
    }
    return true;
}

bool shard_text_fits(const char *text)
{
    struct json_object *valid = json_text(text);
    bool fits = strcmp(json_object_get_string(valid), text) == 0 && plain(text, strlen(text));
    json_object_put(valid);
    return fits;
}

const char *shard_text(struct shard_place *place, struct json_object *object, const char *key)
{
    struct json_object *member = shard_member(place, object, key, json_type_string);
    if (!member) {
        return NULL;
    }
    const char *text = json_object_get_string(member);
    if (!plain(text, (size_t)json_object_get_string_len(member))) {
        shard_fault(place, "\"%s\" has control characters", key);
        return NULL;
    }
    return text;
}

struct json_object *shard_hex(double number)
{
    char text[NUMBER_TEXT];
    number_write_hex(number, text);
    return json_object_new_string(text);
}

static bool hex_number(struct json_object *value, double *number)
{
    return json_object_is_type(value, json_type_string) &&
           number_read(json_object_get_string(value), (size_t)json_object_get_string_len(value),
                       number);
}

/* Errors and bounds: finite and not negative. */
static bool read_figure(struct shard_place *place, struct json_object *object, const char *key,
                        double *number)
{
    struct json_object *member = shard_member(place, object, key, json_type_string);
    if (member && !(hex_number(member, number) && *number >= 0 && isfinite(*number))) {
        shard_fault(place, "\"%s\" is no figure: '%.40s'", key, json_object_get_string(member));
    }
    return !place->message;
}

/* Sums. */

static void sum_export(const struct exact_sum *sum, mpz_t number)
{
    mpz_import(number, SUM_LIMBS, -1, sizeof(mp_limb_t), 0, 0, sum->limb);
}

static struct json_object *json_sum(const struct exact_sum *sum)
{
    mpz_t number;
    mpz_init(number);
    sum_export(sum, number);
    char *text = mpz_get_str(NULL, 16, number);
    struct json_object *object = json_object_new_string(text);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(text, strlen(text) + 1);
    mpz_clear(number);
    return object;
}

static bool read_sum(struct shard_place *place, struct json_object *object, struct exact_sum *sum)
{
    const char *text = shard_text(place, object, "sum");
    if (!text) {
        return false;
    }
    mpz_t number;
    mpz_init(number);
    size_t count = 0;
    bool good = strspn(text, "0123456789abcdef") == strlen(text) &&
                strlen(text) <= SUM_LIMBS * GMP_NUMB_BITS / 4 && mpz_set_str(number, text, 16) == 0;
    if (good) {
        mpz_export(sum->limb, &count, -1, sizeof(mp_limb_t), 0, 0, number);
    }
    mpz_clear(number);
    return good || shard_fault(place, "\"sum\" is no sum: '%.40s'", text);
}

/* largest <= sum <= count largest, all in units of 2^-32. */
static bool sum_possible(const struct errors *errors)
{
    mpz_t sum, most;
    mpq_t largest;
    mpz_inits(sum, most, NULL);
    mpq_init(largest);
    sum_export(&errors->sum, sum);
    mpq_set_d(largest, errors->max);
    mpq_mul_2exp(largest, largest, 32);
    bool possible =
        mpz_cmp_ui(mpq_denref(largest), 1) == 0 && mpz_cmp(mpq_numref(largest), sum) <= 0;
    mpz_mul_ui(most, mpq_numref(largest), errors->count);
    possible = possible && mpz_cmp(sum, most) <= 0;
    mpq_clear(largest);
    mpz_clears(sum, most, NULL);
    return possible;
}

/* Errors. */

static struct json_object *json_bins(const struct histogram *histogram)
{
    struct json_object *array = json_object_new_array();
    for (uint64_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (histogram->bin[i] > 0) {
            struct json_object *pair = json_object_new_array();
            json_object_array_add(pair, json_count(i));
            json_object_array_add(pair, json_count(histogram->bin[i]));
            json_object_array_add(array, pair);
        }
    }
    return array;
}

static struct json_object *json_errors(const struct errors *errors)
{
    if (errors->count == 0) {
        return NULL;
    }
    struct json_object *object = json_object_new_object();
    json_add(object, "count", json_count(errors->count));
    json_add(object, "max", shard_hex(errors->max));
    json_add(object, "sum", json_sum(&errors->sum));
    json_add(object, "zero", json_count(errors->histogram.zero));
    json_add(object, "bins", json_bins(&errors->histogram));
    json_add(object, "beyond", json_count(errors->histogram.beyond));
    return object;
}

/* The next [number, count ...] of `array`, numbers increasing. */
static bool read_bin(struct json_object *array, size_t i, size_t length, uint64_t bins,
                     uint64_t *number, uint64_t *count)
{
    uint64_t before = *number;
    struct json_object *entry = json_object_array_get_idx(array, i);
    return json_object_is_type(entry, json_type_array) &&
           json_object_array_length(entry) == length &&
           whole_number(json_object_array_get_idx(entry, 0), bins - 1, number) &&
           (i == 0 || *number > before) &&
           whole_number(json_object_array_get_idx(entry, 1), INT64_MAX / HISTOGRAM_BINS, count) &&
           *count > 0;
}

/* Returns their sum and sets *last to the highest bin. */
static uint64_t read_bins(struct shard_place *place, struct json_object *object,
                          struct histogram *histogram, uint64_t *last)
{
    struct json_object *bins = shard_member(place, object, "bins", json_type_array);
    uint64_t sum = 0, count = 0;
    *last = 0;
    for (size_t i = 0; bins && i < json_object_array_length(bins); i++) {
        if (!read_bin(bins, i, 2, HISTOGRAM_BINS, last, &count)) {
            shard_fault(place, "\"bins\" has no possible bin at position %zu", i + 1);
            return 0;
        }
        histogram->bin[*last] = count;
        sum += count;
    }
    return sum;
}

/* Whether the largest error lies in the highest bin that is not empty. */
static bool max_possible(const struct errors *errors, uint64_t sum, uint64_t last)
{
    double high = histogram_edge(HISTOGRAM_BINS);
    if (errors->histogram.beyond > 0) {
        return errors->max > high;
    }
    if (sum == 0) {
        return errors->max == 0;
    }
    return errors->max <= histogram_edge(last + 1) && errors->max > 0 &&
           (last == 0 || errors->max > histogram_edge(last));
}

static bool read_errors(struct shard_place *place, struct json_object *tally, const char *key,
                        uint64_t most, struct errors *errors)
{
    struct json_object *object;
    if (!shard_member_or_null(place, tally, key, json_type_object, &object) || !object) {
        return !place->message;
    }
    uint64_t last;
    struct histogram *histogram = &errors->histogram;
    if (!shard_count(place, object, "count", most, &errors->count) ||
        !read_figure(place, object, "max", &errors->max) ||
        !read_sum(place, object, &errors->sum) ||
        !shard_count(place, object, "zero", errors->count, &histogram->zero) ||
        !shard_count(place, object, "beyond", errors->count, &histogram->beyond)) {
        return false;
    }
    uint64_t sum = read_bins(place, object, histogram, &last);
    if (place->message) {
        return false;
    }
    if (errors->count == 0 || histogram->zero + sum + histogram->beyond != errors->count) {
        return shard_fault(place, "\"%s\": the bins do not add up to \"count\"", key);
    }
    if (!max_possible(errors, sum, last)) {
        return shard_fault(place, "\"%s\": \"max\" does not lie in the highest bin", key);
    }
    return sum_possible(errors) ||
           shard_fault(place, "\"%s\": \"sum\" cannot be that of these errors", key);
}

/* Cases. */

static struct json_object *json_result(const struct kept *kept)
{
    if (!kept->has_result) {
        return NULL;
    }
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < kept->result_count; i++) {
        struct json_object *field = json_object_new_array();
        for (size_t j = kept->result_start[i]; j < kept->result_start[i + 1]; j++) {
            json_object_array_add(field, shard_hex(kept->result[j]));
        }
        json_object_array_add(array, field);
    }
    return array;
}

static struct json_object *json_row(const struct sweep_part *part, uint64_t index)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    case_write(stream, part->function, &part->rows[index], true);
    fclose(stream);
    struct json_object *object = json_text(text);
    free(text);
    return object;
}

static struct json_object *json_kept(const struct kept *kept, const struct sweep_part *part)
{
    if (!kept->present) {
        return NULL;
    }
    struct json_object *object = json_object_new_object();
    json_add(object, "case", json_count(kept->index));
    json_add(object, "verdict", json_text(verdict_name(kept->verdict)));
    json_add(object, "error_ulp", kept->measured ? shard_hex(kept->error_ulp) : NULL);
    json_add(object, "error_scaled", kept->measured ? shard_hex(kept->error_scaled) : NULL);
    json_add(object, "bound", kept->measured ? shard_hex(kept->bound) : NULL);
    json_add(object, "result", json_result(kept));
    json_add(object, "note", json_text(kept->note));
    if (!part->domain && !part->stored) {
        json_add(object, "inputs", json_row(part, kept->index));
    }
    return object;
}

/* As many numbers as the function's output has, unless it is a list. */
static bool length_possible(const struct field *field, size_t length)
{
    return field->kind == FIELD_LIST || length == 1 ||
           (field->kind == FIELD_OPTIONAL && length == 0);
}

static bool read_output(struct json_object *field, struct kept *kept)
{
    size_t at = kept->result_start[kept->result_count];
    if (!json_object_is_type(field, json_type_array) ||
        json_object_array_length(field) > KEPT_NUMBERS - at) {
        return false;
    }
    for (size_t i = 0; i < json_object_array_length(field); i++) {
        if (!hex_number(json_object_array_get_idx(field, i), &kept->result[at++])) {
            return false;
        }
    }
    kept->result_start[++kept->result_count] = at;
    return true;
}

static bool read_result(struct shard_place *place, struct json_object *object,
                        const struct function *function, struct kept *kept)
{
    struct json_object *array;
    if (!shard_member_or_null(place, object, "result", json_type_array, &array) || !array) {
        return !place->message;
    }
    kept->has_result = true;
    bool good = json_object_array_length(array) == function->output_count;
    for (size_t i = 0; good && i < function->output_count; i++) {
        struct json_object *field = json_object_array_get_idx(array, i);
        good = read_output(field, kept) &&
               length_possible(&function->outputs[i], json_object_array_length(field));
    }
    return good || shard_fault(place, "\"result\" is no result of %s", function->name);
}

static bool read_verdict(struct shard_place *place, struct json_object *object, struct kept *kept)
{
    const char *name = shard_text(place, object, "verdict");
    for (int i = 0; name && i < VERDICT_COUNT; i++) {
        if (strcmp(name, verdict_name((enum verdict)i)) == 0) {
            kept->verdict = (enum verdict)i;
            return true;
        }
    }
    return shard_fault(place, "\"verdict\" is no verdict");
}

/* As the judge promises it: within exactly if the error is not above the bound. */
static bool verdict_possible(const struct kept *kept)
{
    return (kept->verdict != VERDICT_WITHIN || kept->error_scaled <= kept->bound) &&
           (kept->verdict != VERDICT_VIOLATION || kept->error_scaled > kept->bound);
}

static bool read_measured(struct shard_place *place, struct json_object *object, struct kept *kept)
{
    struct json_object *member;
    if (!shard_member_or_null(place, object, "error_ulp", json_type_string, &member)) {
        return false;
    }
    kept->measured = member != NULL;
    return !member || (read_figure(place, object, "error_ulp", &kept->error_ulp) &&
                       read_figure(place, object, "error_scaled", &kept->error_scaled) &&
                       read_figure(place, object, "bound", &kept->bound) &&
                       (verdict_possible(kept) ||
                        shard_fault(place, "verdict, error and bound do not agree")));
}

/* Through the reader of the users' files: what it refuses there, the formulas never see here. */
static const char *parse_row(const struct function *function, struct csv *csv,
                             struct values *inputs)
{
    struct columns columns;
    struct row row;
    const char *message = columns_read_header(&columns, function, csv);
    if (message) {
        return message;
    }
    enum csv_status status = csv_next(csv, &row);
    if (status == CSV_END) {
        return "it is empty";
    }
    return status == CSV_ROW ? case_read(&columns, csv, &row, inputs) : csv_message(csv);
}

static bool read_row(struct shard_place *place, struct json_object *object,
                     const struct function *function, struct values *inputs)
{
    const char *text = shard_text(place, object, "inputs");
    if (!text) {
        return false;
    }
    char *file = NULL;
    size_t size;
    FILE *stream = open_memstream(&file, &size);
    case_write_header(stream, function);
    fprintf(stream, "\n%s\n", text);
    fclose(stream);
    stream = fmemopen(file, size, "r");
    struct csv *csv = csv_open(stream, "\"inputs\"");
    const char *message = parse_row(function, csv, inputs);
    bool good = !message || shard_fault(place, "\"inputs\" is no case: %s", message);
    csv_close(csv);
    fclose(stream);
    free(file);
    return good;
}

static bool read_note(struct shard_place *place, struct json_object *object, struct kept *kept)
{
    const char *note = shard_text(place, object, "note");
    if (note && strlen(note) >= KEPT_NOTE) {
        shard_fault(place, "\"note\" is too long");
    }
    if (!place->message) {
        strcpy(kept->note, note);
    }
    return !place->message;
}

static bool read_kept(struct shard_place *place, struct json_object *object,
                      const struct sweep_part *part, struct shard_rows *rows, struct kept *kept)
{
    kept->present = true;
    return shard_count(place, object, "case", part->cases - 1, &kept->index) &&
           read_verdict(place, object, kept) && read_measured(place, object, kept) &&
           read_result(place, object, part->function, kept) && read_note(place, object, kept) &&
           (part->domain || part->stored ||
            read_row(place, object, part->function, &rows->list[kept->index]));
}

/* The tally. */

static const char *const worst_names[WORST_COUNT] = {
    [WORST_SHARE] = "share_of_bound", [WORST_SCALED] = "error_scaled", [WORST_ULP] = "error_ulp"};

static struct json_object *json_axis(const struct tally *tally)
{
    struct json_object *array = json_object_new_array();
    for (uint64_t i = 0; i < AXIS_BINS; i++) {
        if (tally->axis[i].count > 0) {
            struct json_object *entry = json_object_new_array();
            json_object_array_add(entry, json_count(i));
            json_object_array_add(entry, json_count(tally->axis[i].count));
            json_object_array_add(entry, shard_hex(tally->axis[i].max));
            json_object_array_add(array, entry);
        }
    }
    return array;
}

void shard_add_tally(struct json_object *object, const struct tally *tally,
                     const struct sweep_part *part)
{
    struct json_object *verdicts = json_object_new_object();
    for (int i = 0; i < VERDICT_COUNT; i++) {
        json_add(verdicts, verdict_name((enum verdict)i), json_count(tally->verdicts[i]));
    }
    json_add(object, "verdicts", verdicts);
    struct json_object *findings = json_object_new_object();
    struct json_object *first = json_object_new_object();
    for (enum finding i = 0; i < FINDING_COUNT; i++) {
        json_add(findings, finding_name(i), json_count(tally->findings[i]));
        json_add(first, finding_name(i), json_kept(&tally->first[i], part));
    }
    json_add(object, "findings", findings);
    json_add(object, "skipped", json_count(tally->skipped));
    json_add(object, "misrounded", json_count(tally->misrounded));
    json_add(object, "error_ulp", json_errors(&tally->ulp));
    json_add(object, "error_scaled", json_errors(&tally->scaled));
    json_add(object, "figure", json_errors(&tally->figure));
    struct json_object *worst = json_object_new_object();
    for (int i = 0; i < WORST_COUNT; i++) {
        json_add(worst, worst_names[i], json_kept(&tally->worst[i], part));
    }
    json_add(object, "worst", worst);
    json_add(object, "first", first);
    json_add(object, "axis", json_axis(tally));
}

static bool read_counts(struct shard_place *place, struct json_object *object, uint64_t cases,
                        struct tally *tally)
{
    struct json_object *verdicts = shard_member(place, object, "verdicts", json_type_object);
    struct json_object *findings = shard_member(place, object, "findings", json_type_object);
    for (int i = 0; i < VERDICT_COUNT && !place->message; i++) {
        shard_count(place, verdicts, verdict_name((enum verdict)i), cases, &tally->verdicts[i]);
    }
    for (enum finding i = 0; i < FINDING_COUNT && !place->message; i++) {
        shard_count(place, findings, finding_name(i), cases, &tally->findings[i]);
    }
    if (place->message || !shard_count(place, object, "skipped", cases, &tally->skipped)) {
        return false;
    }
    if (tally_cases(tally) != cases) {
        return shard_fault(place, "tells of %" PRIu64 " cases where the shard has %" PRIu64,
                           tally_cases(tally), cases);
    }
    return (tally->findings[FINDING_VIOLATION] == tally->verdicts[VERDICT_VIOLATION] &&
            tally->findings[FINDING_MISMATCH] == tally->verdicts[VERDICT_CLASS_MISMATCH] &&
            tally->findings[FINDING_UNDECIDED] == tally->verdicts[VERDICT_UNDECIDED]) ||
           shard_fault(place, "\"findings\" and \"verdicts\" do not agree");
}

static bool read_axis(struct shard_place *place, struct json_object *object, struct tally *tally)
{
    struct json_object *axis = shard_member(place, object, "axis", json_type_array);
    uint64_t number = 0, count = 0, sum = 0;
    for (size_t i = 0; axis && i < json_object_array_length(axis); i++) {
        double max;
        if (!read_bin(axis, i, 3, AXIS_BINS, &number, &count) ||
            !hex_number(json_object_array_get_idx(json_object_array_get_idx(axis, i), 2), &max) ||
            !(max >= 0 && max <= tally->scaled.max)) {
            return shard_fault(place, "\"axis\" has no possible bin at position %zu", i + 1);
        }
        tally->axis[number] = (struct axis_bin){count, max};
        sum += count;
    }
    if (!place->message && sum > tally->scaled.count) {
        shard_fault(place, "\"axis\" has more cases than were measured");
    }
    return !place->message;
}

/* The case that has the largest of a figure, there if and only if anything was measured. */
static bool read_worst(struct shard_place *place, struct json_object *object,
                       const struct sweep_part *part, struct shard_rows *rows, struct tally *tally,
                       enum worst which)
{
    struct json_object *entry;
    struct kept *kept = &tally->worst[which];
    if (!shard_member_or_null(place, object, worst_names[which], json_type_object, &entry) ||
        (entry && !read_kept(place, entry, part, rows, kept))) {
        return false;
    }
    double keys[WORST_COUNT] = {[WORST_SHARE] = share_of_bound(kept->error_scaled, kept->bound),
                                [WORST_SCALED] = kept->error_scaled,
                                [WORST_ULP] = kept->error_ulp};
    double largest[WORST_COUNT] = {[WORST_SHARE] = keys[WORST_SHARE],
                                   [WORST_SCALED] = tally->scaled.max,
                                   [WORST_ULP] = tally->ulp.max};
    kept->key = keys[which];
    bool agrees = kept->present == (tally->scaled.count > 0) && kept->measured == kept->present &&
                  kept->key == largest[which] && kept->error_ulp <= tally->ulp.max &&
                  kept->error_scaled <= tally->scaled.max &&
                  keys[WORST_SHARE] <= tally->worst[WORST_SHARE].key;
    return agrees || shard_fault(place, "the worst \"%s\" does not agree with the figures",
                                 worst_names[which]);
}

static bool read_cases(struct shard_place *place, struct json_object *object,
                       const struct sweep_part *part, struct shard_rows *rows, struct tally *tally)
{
    struct json_object *worst = shard_member(place, object, "worst", json_type_object);
    struct json_object *first = shard_member(place, object, "first", json_type_object);
    for (int i = 0; i < WORST_COUNT && !place->message; i++) {
        read_worst(place, worst, part, rows, tally, (enum worst)i);
    }
    for (enum finding i = 0; i < FINDING_COUNT && !place->message; i++) {
        struct json_object *entry;
        if (shard_member_or_null(place, first, finding_name(i), json_type_object, &entry) &&
            (entry != NULL) != (tally->findings[i] > 0)) {
            shard_fault(place, "the first %s does not agree with \"findings\"", finding_name(i));
        }
        if (!place->message && entry) {
            read_kept(place, entry, part, rows, &tally->first[i]);
        }
    }
    tally->share = tally->worst[WORST_SHARE].key;
    return !place->message;
}

bool shard_read_tally(struct shard_place *place, struct json_object *object,
                      const struct sweep_part *part, uint32_t number, uint64_t cases,
                      struct shard_rows *rows, struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    if (!read_counts(place, object, cases, tally)) {
        return false;
    }
    if (!read_errors(place, object, "error_ulp", cases, &tally->ulp) ||
        !read_errors(place, object, "error_scaled", cases, &tally->scaled) ||
        !read_errors(place, object, "figure", cases, &tally->figure) ||
        !shard_count(place, object, "misrounded", tally->ulp.count, &tally->misrounded)) {
        return false;
    }
    if (tally->ulp.count != tally->scaled.count) {
        return shard_fault(place, "\"error_ulp\" and \"error_scaled\" have not the same count");
    }
    for (int i = 0; i < WORST_COUNT; i++) {
        tally->worst[i].part = number;
    }
    for (int i = 0; i < FINDING_COUNT; i++) {
        tally->first[i].part = number;
    }
    return read_cases(place, object, part, rows, tally) && read_axis(place, object, tally);
}
