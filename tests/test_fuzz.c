/* What the fuzz targets are made of: the code of cases as bytes, mutation, simplification, and what
 * is kept of findings and records. */
#include "sample.h"
#include "suite.h"

#include "../corpus/case.h"
#include "../corpus/draw.h"
#include "../corpus/stored.h"
#include "../fuzz/encode.h"
#include "../fuzz/finding.h"
#include "../fuzz/guide.h"
#include "../fuzz/record.h"
#include "../fuzz/simplify.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1 << 20 };

static uint8_t bytes[BYTES];

static bool same_values(const struct values *a, const struct values *b)
{
    size_t total = a->start[a->count];
    return a->count == b->count &&
           memcmp(a->start, b->start, (a->count + 1) * sizeof a->start[0]) == 0 &&
           (total == 0 || memcmp(a->number, b->number, total * sizeof a->number[0]) == 0);
}

static size_t check_code(const struct function *function, const struct values *inputs,
                         const char *where)
{
    struct values decoded = {0};
    size_t size = encode_case(function, inputs, bytes, sizeof bytes);
    suite_check(size > 0, "%s, %s: cannot be encoded", function->name, where);
    decode_case(function, bytes, size, &decoded);
    suite_check(same_values(inputs, &decoded), "%s, %s: decodes to another case", function->name,
                where);
    values_free(&decoded);
    return size;
}

static size_t check_stored(const struct function *function)
{
    const struct stored_file *stored = stored_cases(function);
    FILE *stream = fmemopen((void *)stored->bytes, stored->size, "r");
    struct csv *csv = csv_open(stream, function->name);
    struct columns columns;
    struct values inputs = {0};
    struct row row;
    size_t rows = 0;
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_PTR_NULL(columns_read(&columns, function, csv, &row));
    while (csv_next(csv, &row) == CSV_ROW && !case_read(&columns, csv, &row, &inputs)) {
        check_code(function, &inputs, "stored");
        rows++;
    }
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_END);
    values_free(&inputs);
    csv_close(csv);
    fclose(stream);
    return rows;
}

static void cases_decode_to_themselves(void)
{
    struct values inputs = {0};
    for (size_t i = 0; i < catalog_count; i++) {
        const struct domains *domains = domains_of(catalog[i]);
        suite_check(check_stored(catalog[i]) >= 20, "%s: too few stored cases", catalog[i]->name);
        for (size_t d = 0; d < domains->count; d++) {
            for (uint64_t number = 0; number < 200; number++) {
                draw_case(3, catalog[i], &domains->list[d], number, &inputs);
                check_code(catalog[i], &inputs, domains->list[d].name);
            }
        }
    }
    values_free(&inputs);
}

/* What any bytes say is a case that may be asked about, and says so again in the encoder's words.
 */
static void any_bytes_are_a_case(void)
{
    struct sample sample = {5};
    struct values inputs = {0};
    static uint8_t any[3000];
    for (size_t i = 0; i < catalog_count; i++) {
        size_t longest = 0;
        for (int k = 0; k < 3000; k++) {
            size_t size = sample_below(&sample, k % 2 ? 40 : sizeof any), field;
            for (size_t b = 0; b < size; b++) {
                any[b] = (uint8_t)(sample_bits(&sample) >> 56);
            }
            any[0] = k % 7 == 0 ? 255 : any[0];
            decode_case(catalog[i], any, size, &inputs);
            const char *fault = function_fault(catalog[i], &inputs, &field);
            suite_check(inputs.count == catalog[i]->input_count && !fault, "%s: %s",
                        catalog[i]->name, fault ? fault : "another count of fields");
            check_code(catalog[i], &inputs, "any bytes");
            size_t total = inputs.start[inputs.count];
            longest = total > longest ? total : longest;
        }
        suite_check(longest <= (size_t)16 * sizeof any, "%s: %zu numbers", catalog[i]->name,
                    longest);
    }
    values_free(&inputs);
}

static void what_does_not_fit_is_refused_whole(void)
{
    struct values inputs = {0};
    for (size_t i = 0; i < catalog_count; i++) {
        const struct domains *domains = domains_of(catalog[i]);
        draw_case(1, catalog[i], &domains->list[domains->typical], 0, &inputs);
        size_t size = check_code(catalog[i], &inputs, "typical");
        for (size_t most = 0; most < size; most++) {
            memset(bytes, 0xa5, size + 1);
            CU_ASSERT_EQUAL(encode_case(catalog[i], &inputs, bytes, most), 0);
            suite_check(bytes[most] == 0xa5, "%s: wrote beyond %zu bytes", catalog[i]->name, most);
        }
        CU_ASSERT_EQUAL(encode_case(catalog[i], &inputs, bytes, size), size);
    }
    const struct function *newton = catalog_find("newton");
    for (size_t nodes = LIST_MOST; nodes <= LIST_MOST + 1; nodes++) {
        values_clear(&inputs);
        for (int field = 0; field < 3; field++) {
            size_t length = field == 2 ? 1 : nodes;
            memset(values_append(&inputs, length), 0, length * sizeof(double));
        }
        CU_ASSERT_EQUAL(encode_case(newton, &inputs, bytes, sizeof bytes) > 0, nodes == LIST_MOST);
    }
    values_free(&inputs);
}

/* Simplification. */

struct wish {
    const struct function *function;
    bool (*holds)(const struct values *inputs);
    uint64_t asked;
};

static bool keeps(void *context, const struct values *inputs)
{
    struct wish *wish = context;
    wish->asked++;
    return wish->holds(inputs);
}

static bool third_above_pi(const struct values *inputs)
{
    return inputs->number[2] > 3.141592653589793;
}

static bool first_two_differ_slightly(const struct values *inputs)
{
    double a = inputs->number[0], b = inputs->number[1];
    return a != b && fabs(a - b) < 1e-9 * fabs(a);
}

/* Of a curve: some weighted key, and a tangent of its own above 10. */
static bool has_steep_key(const struct values *inputs)
{
    enum { IN_TANGENTS = 2, MODES = 4 };
    for (size_t i = 0; i < values_length(inputs, IN_TANGENTS); i++) {
        if (values_length(inputs, MODES) > 0 && values_field(inputs, MODES)[i] != 0 &&
            values_field(inputs, IN_TANGENTS)[i] > 10) {
            return true;
        }
    }
    return false;
}

static void simple(const char *function, bool (*holds)(const struct values *),
                   const struct values *start, struct values *simplest)
{
    struct wish wish = {catalog_find(function), holds, 0};
    values_copy(simplest, start);
    uint64_t asked = simplify(wish.function, simplest, keeps, &wish, 100000);
    CU_ASSERT_EQUAL(asked, wish.asked);
    CU_ASSERT(asked > 0 && holds(simplest));
    CU_ASSERT(simplify_cost(wish.function, simplest) < simplify_cost(wish.function, start));
}

static void numbers_become_simple(void)
{
    struct values start = {0}, simplest = {0};
    double *number = values_numbers(&start, 3);
    number[0] = 0x1.23456789abcdep+77;
    number[1] = -0x1.fffffffffffffp-900;
    number[2] = 0x1.3456789abcdefp+12;
    simple("lerp", third_above_pi, &start, &simplest);
    CU_ASSERT_EQUAL(simplest.number[0], 0);
    CU_ASSERT_EQUAL(simplest.number[1], 0);
    CU_ASSERT(simplest.number[2] == 4);

    number = values_numbers(&start, 3);
    number[0] = 0x1.23456789abcdep+300;
    number[1] = 0x1.23456789abcdfp+300;
    number[2] = 0.7;
    simple("lerp", first_two_differ_slightly, &start, &simplest);
    suite_check(fabs(simplest.number[0]) == 1 || fabs(simplest.number[1]) == 1,
                "%a and %a are not around 1", simplest.number[0], simplest.number[1]);
    CU_ASSERT_EQUAL(simplest.number[2], 0);
    values_free(&start);
    values_free(&simplest);
}

static void lists_become_short(void)
{
    const struct function *curve = catalog_find("curve");
    const struct domains *domains = domains_of(curve);
    struct values start = {0}, simplest = {0};
    size_t tried = 0;
    for (size_t d = 0; d < domains->count; d++) {
        for (uint64_t number = 0; number < 40; number++) {
            draw_case(1, curve, &domains->list[d], number, &start);
            if (values_length(&start, 0) < 3 || !has_steep_key(&start)) {
                continue;
            }
            simple("curve", has_steep_key, &start, &simplest);
            suite_check(values_length(&simplest, 0) == 1, "%s %d: %zu keys are left",
                        domains->list[d].name, (int)number, values_length(&simplest, 0));
            tried++;
        }
    }
    CU_ASSERT(tried >= 10);
    values_free(&start);
    values_free(&simplest);
}

/* Harness, findings and records, with an ordinary implementation that violates. */

static char folder[] = "/tmp/truelerp_fuzz_XXXXXX";

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    char path[512];
    while (directory && (entry = readdir(directory))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(directory);
    rmdir(folder);
}

static struct harness harness;

/* The first case of a domain that is found fault with. */
static bool find_fault(struct values *inputs, struct trial *trial)
{
    const struct domains *domains = domains_of(harness.function);
    for (uint64_t number = 0; number < 200000; number++) {
        draw_case(1, harness.function, &domains->list[number % domains->count], number, inputs);
        harness_try(&harness, inputs, trial);
        if (trial->found == FOUND_VIOLATION) {
            return true;
        }
    }
    return false;
}

static size_t count_lines(const char *path, char *last, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t lines = 0;
    while (file && fgets(last, (int)size, file)) {
        lines++;
    }
    if (file) {
        fclose(file);
    }
    return lines;
}

/* Both rows, as corpus/NAME.csv has them, read back and violate. */
static void check_rows(const char *path, const struct values *inputs)
{
    FILE *file = fopen(path, "r");
    struct csv *csv = csv_open(file, path);
    struct columns columns;
    struct row row;
    struct trial trial;
    struct values again = {0};
    static const char *const marks[] = {"as found", "simplified"};
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
    CU_ASSERT_PTR_NULL(columns_read(&columns, harness.function, csv, &row));
    CU_ASSERT_EQUAL(row.count, harness.function->input_count + 2);
    CU_ASSERT_STRING_EQUAL(row.text[row.count - 2], "exact");
    CU_ASSERT_STRING_EQUAL(row.text[row.count - 1], "source");
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_ROW);
        CU_ASSERT_PTR_NULL(case_read(&columns, csv, &row, &again));
        CU_ASSERT(i == 1 || same_values(inputs, &again));
        CU_ASSERT_PTR_NOT_NULL(strstr(row.text[row.count - 1], marks[i]));
        CU_ASSERT(strlen(row.text[row.count - 2]) > 2);
        harness_try(&harness, &again, &trial);
        CU_ASSERT_EQUAL(trial.found, FOUND_VIOLATION);
    }
    CU_ASSERT(simplify_cost(harness.function, &again) < simplify_cost(harness.function, inputs));
    CU_ASSERT_EQUAL(csv_next(csv, &row), CSV_END);
    values_free(&again);
    csv_close(csv);
    fclose(file);
}

static void create_harness(void)
{
    if (!harness.function) {
        CU_ASSERT_PTR_NOT_NULL(mkdtemp(folder));
        atexit(remove_folder);
        setenv("TRUELERP_FUZZ_IMPL", "./expanded_hermite.so", 1);
        setenv("TRUELERP_FUZZ_FINDINGS", folder, 1);
        setenv("TRUELERP_FUZZ_RECORDS", folder, 1);
        setenv("TRUELERP_FUZZ_GO_ON", "1", 1);
        harness_create(&harness, "hermite");
    }
}

static void findings_become_rows_of_the_corpus(void)
{
    struct values inputs = {0};
    struct trial trial;
    char path[512], last[4096];
    create_harness();
    snprintf(path, sizeof path, "%s/hermite.csv", folder);
    CU_ASSERT_FATAL(find_fault(&inputs, &trial));
    finding_tell(&harness, &inputs, &trial);
    CU_ASSERT_EQUAL(count_lines(path, last, sizeof last), 3);
    check_rows(path, &inputs);
    harness_try(&harness, &inputs, &trial);
    finding_tell(&harness, &inputs, &trial); /* known by now */
    CU_ASSERT_EQUAL(count_lines(path, last, sizeof last), 3);

    FILE *file = fopen(path, "a"); /* as a full disk may leave it */
    fputs("0x1p+0,0x1p", file);
    fclose(file);
    inputs.number[0] = nextafter(inputs.number[0], -INFINITY);
    harness_try(&harness, &inputs, &trial);
    finding_tell(&harness, &inputs, &trial);
    CU_ASSERT(count_lines(path, last, sizeof last) >= 5);
    CU_ASSERT_EQUAL(last[strlen(last) - 1], '\n');
    values_free(&inputs);
}

static void records_are_the_worst_of_their_step(void)
{
    struct values worse = {0}, better = {0}, kept = {0};
    struct trial trial;
    char path[512];
    create_harness();
    CU_ASSERT_FATAL(find_fault(&worse, &trial));
    double badness = harness.badness;
    values_copy(&worse, &harness.worst);
    snprintf(path, sizeof path, "%s/hermite-%03u", folder, record_step(badness));
    for (int round = 0; round < 2; round++) {
        FILE *file = fopen(path, "rb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        decode_case(harness.function, bytes, size, &kept);
        suite_check(same_values(&kept, &worse), "round %d: another case is kept", round);
        draw_case(1, harness.function, &domains_of(harness.function)->list[0], 7, &better);
        record_keep(&harness, &better, badness * (1 - 0x1p-40)); /* by its word, less bad */
    }
    unsigned step = 0;
    for (double share = 0x1p-1000; share < 0x1p1000; share *= 1.1) {
        CU_ASSERT(record_step(share) >= step && record_step(share) < RECORD_FILES);
        step = record_step(share);
    }
    CU_ASSERT_EQUAL(step, RECORD_FILES - 1);
    CU_ASSERT(record_step(0.99) < record_step(1));
    values_free(&worse);
    values_free(&better);
    values_free(&kept);
}

/* Mutation: always a case of its own, and, climbing, soon a bad one. */
static void mutation_gives_cases_and_climbs(void)
{
    static uint8_t data[512], other[512], crossed[512];
    struct values inputs = {0};
    struct sample sample = {9};
    size_t size = 0, changed = 0, field;
    create_harness();
    harness.mode = MODE_CLIMB;
    for (unsigned i = 0; i < 3000; i++) {
        uint8_t before[sizeof data];
        size_t former = size;
        memcpy(before, data, sizeof data);
        size = guide_mutate(&harness, data, size, sizeof data, i);
        CU_ASSERT_FATAL(size <= sizeof data);
        changed += size != former || memcmp(before, data, size) != 0;
        decode_case(harness.function, data, size, &inputs);
        CU_ASSERT_PTR_NULL(function_fault(harness.function, &inputs, &field));
        if (sample_below(&sample, 4) == 0) {
            memcpy(other, data, sizeof other);
        }
        size_t both = guide_cross(&harness, data, size, other, size, crossed, sizeof crossed, i);
        CU_ASSERT(both > 0 && both <= sizeof crossed);
    }
    CU_ASSERT(changed > 1500);
    suite_check(harness.badness > 1e6, "only %g times the bound", harness.badness);
    CU_ASSERT(harness.judged > 20000);
    values_free(&inputs);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"cases decode to themselves", cases_decode_to_themselves},
        {"any bytes are a case", any_bytes_are_a_case},
        {"what does not fit is refused whole", what_does_not_fit_is_refused_whole},
        {"numbers become simple", numbers_become_simple},
        {"lists become short", lists_become_short},
        {"findings become rows of the corpus", findings_become_rows_of_the_corpus},
        {"records are the worst of their step", records_are_the_worst_of_their_step},
        {"mutation gives cases and climbs", mutation_gives_cases_and_climbs},
    };
    return suite_run("fuzz", tests, sizeof tests / sizeof tests[0]);
}
