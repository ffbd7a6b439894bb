/* Shards: that they are a partition of the work, that their files lose nothing, and that no file,
 * however it was changed, gets past the reader as something else. */
#include "suite.h"

#include "../reports/process.h"
#include "../reports/shard.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A few domains of two functions, each with so many cases. */
enum { PARTS = 6 };

struct setting {
    struct sweep_part parts[PARTS];
    struct sweep sweep;
    struct tally *tallies;
};

static void set(struct setting *setting, const uint64_t *cases, size_t count)
{
    static const char *const names[] = {"lerp", "cubic_roots"};
    *setting = (struct setting){.tallies = calloc(PARTS, sizeof(struct tally))};
    for (size_t i = 0; i < count; i++) {
        const struct function *function = catalog_find(names[i >= count / 2]);
        setting->parts[i] = (struct sweep_part){
            .function = function,
            .function_number = i >= count / 2,
            .domain = &domains_of(function)->list[i % (count / 2 + 1)],
            .cases = cases[i],
        };
    }
    setting->sweep = (struct sweep){.implementation = implementation_builtin(),
                                    .seed = 3,
                                    .parts = setting->parts,
                                    .part_count = count,
                                    .jobs = 2,
                                    .time_limit = 60};
}

static void block_signals(void)
{
    sigset_t signals;
    process_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

/* Everything that a tally holds. To be freed. */
static char *text_of(const struct tally *tally, const struct sweep_part *part)
{
    struct json_object *object = json_object_new_object();
    shard_add_tally(object, tally, part);
    char *text = strdup(json_object_to_json_string(object));
    json_object_put(object);
    return text;
}

static bool same_tally(const struct tally *a, const struct tally *b, const struct sweep_part *part)
{
    char *left = text_of(a, part), *right = text_of(b, part);
    bool same = strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static void check_split(uint64_t count, const uint64_t cases[PARTS])
{
    static struct tally whole[PARTS], sum[PARTS];
    struct setting setting;
    set(&setting, cases, PARTS);
    memset(whole, 0, sizeof whole);
    memset(sum, 0, sizeof sum);
    CU_ASSERT_EQUAL(sweep_run(&setting.sweep, whole), SWEEP_DONE);
    for (uint64_t number = 1; number <= count; number++) {
        uint64_t expected[PARTS] = {0};
        setting.sweep.share = (struct sweep_share){number, count};
        memset(setting.tallies, 0, PARTS * sizeof(struct tally));
        CU_ASSERT_EQUAL(sweep_run(&setting.sweep, setting.tallies), SWEEP_DONE);
        sweep_share_cases(&setting.sweep, count, number, number, expected);
        for (size_t i = 0; i < PARTS; i++) {
            suite_check(tally_cases(&setting.tallies[i]) == expected[i],
                        "shard %" PRIu64 " of %" PRIu64 ", part %zu: %" PRIu64
                        " cases, foreseen were %" PRIu64,
                        number, count, i, tally_cases(&setting.tallies[i]), expected[i]);
            tally_merge(&sum[i], &setting.tallies[i]);
        }
    }
    for (size_t i = 0; i < PARTS; i++) {
        suite_check(tally_cases(&whole[i]) == cases[i] &&
                        same_tally(&whole[i], &sum[i], &setting.parts[i]),
                    "%" PRIu64 " shards make another tally of part %zu", count, i);
    }
    free(setting.tallies);
}

static void shards_are_a_partition(void)
{
    static const uint64_t cases[PARTS] = {700, 0, 256, 1, 2049, 511};
    static const uint64_t counts[] = {1, 2, 3, 7, 8, 21, 40};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_split(counts[i], cases);
    }
}

/* Counted without visiting chunk by chunk: there would be 10^13. */
static void the_largest_work_is_cut_evenly(void)
{
    static const uint64_t cases[PARTS] = {400000000000000, 1000000000000000,
                                          999999999999999, 1,
                                          300000000000001, 256};
    static const uint64_t counts[] = {1, 2, 233, 1597, 99991, SHARDS_MAX};
    struct setting setting;
    set(&setting, cases, PARTS);
    size_t checked = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint64_t count = counts[i], all[PARTS] = {0};
        for (uint64_t first = 1, last; first <= count; first = last + 1) {
            last = count < 2000 ? first : first + count / 100;
            last = last < count ? last : count;
            uint64_t some[PARTS] = {0};
            sweep_share_cases(&setting.sweep, count, first, last, some);
            for (size_t j = 0; j < PARTS; j++) {
                /* the discrepancy of such a sequence grows as the logarithm of its length */
                double room = 256 * (4 + 2 * log2((double)cases[j] + 1));
                double even = (double)cases[j] / (double)count * (double)(last - first + 1);
                suite_check(fabs((double)some[j] - even) <= room,
                            "shards %" PRIu64 "-%" PRIu64 " of %" PRIu64 ", part %zu: %" PRIu64
                            " cases and not about %.0f",
                            first, last, count, j, some[j], even);
                all[j] += some[j];
                checked++;
            }
        }
        for (size_t j = 0; j < PARTS; j++) {
            CU_ASSERT_EQUAL(all[j], cases[j]);
        }
    }
    CU_ASSERT(checked > 10000);
    free(setting.tallies);
}

/* Tallies as text. */

static void judge(struct tally *tally, uint64_t index, double ulp, double scaled, double bound,
                  enum verdict verdict, double result)
{
    struct judgement judgement = {.verdict = verdict,
                                  .measured = !isnan(ulp),
                                  .error_ulp = ulp,
                                  .error_scaled = scaled,
                                  .bound = bound,
                                  .figure = isnan(ulp) ? NAN : ulp / 2};
    struct tally_case place = {.part = 4, .index = index, .axis_bin = (int)(index % AXIS_BINS)};
    struct values results = {.count = 1, .start = {0, 1}, .number = &result, .capacity = 1};
    tally_judgement(tally, &place, &results, &judgement);
}

static void fill(struct tally *tally)
{
    judge(tally, 0, 0, 0, 2, VERDICT_WITHIN, -0.0);
    judge(tally, 1, 0x1p-31, 0x1p-32, 2, VERDICT_WITHIN, 0x1p-1074);
    judge(tally, 2, 0x1p+1023, 0x1p+1022, 0, VERDICT_VIOLATION, 0x1.fffffffffffffp+1023);
    judge(tally, 300, 0x1.fffffffep+64, 0x1p+64, 2, VERDICT_VIOLATION, 1 / 3.0);
    judge(tally, 301, 0x1.00000002p+64, 0x1p+60, 2, VERDICT_CLASS_MISMATCH, INFINITY);
    judge(tally, 302, NAN, NAN, NAN, VERDICT_CLASS_MISMATCH, NAN);
    judge(tally, 303, NAN, NAN, NAN, VERDICT_UNDECIDED, -INFINITY);
    judge(tally, 304, NAN, NAN, NAN, VERDICT_UNDEFINED, 1);
    for (enum finding i = 0; i < FINDING_COUNT; i++) {
        struct tally_case place = {.part = 4, .index = 400 + i, .axis_bin = -1};
        if (i == FINDING_CRASH || i == FINDING_TIMEOUT || i == FINDING_FAULT ||
            i == FINDING_ENVIRONMENT) {
            tally_finding(tally, &place, i, NULL, "a \"note\" with \\ and \xC3\xA4 in it");
        }
    }
    tally->skipped = 12345678901;
}

/* Through JSON text; the message or NULL, to be freed. */
static char *pass(const struct tally *tally, const struct sweep_part *part, uint64_t cases,
                  struct tally *back)
{
    char *text = text_of(tally, part);
    struct json_object *object = json_tokener_parse(text);
    struct shard_place place = {.path = "file", .line = 7};
    struct shard_rows rows = {0};
    bool good = shard_read_tally(&place, object, part, 4, cases, &rows, back);
    CU_ASSERT_EQUAL(good, place.message == NULL);
    json_object_put(object);
    free(text);
    return place.message;
}

static void tallies_lose_nothing_as_text(void)
{
    struct tally *tally = calloc(1, sizeof *tally), *back = calloc(1, sizeof *back);
    const struct function *function = catalog_find("lerp");
    struct sweep_part part = {.function = function,
                              .domain = domains_of(function)->list,
                              .cases = 100000000000};
    for (int filled = 0; filled < 2; filled++) {
        if (filled) {
            fill(tally);
        }
        char *message = pass(tally, &part, tally_cases(tally), back);
        suite_check(!message, "refused: %s", message);
        CU_ASSERT(same_tally(tally, back, &part));
        CU_ASSERT(tally_cases(back) == tally_cases(tally) && back->share == tally->share);
        CU_ASSERT(memcmp(&tally->ulp, &back->ulp, sizeof tally->ulp) == 0);
        CU_ASSERT(memcmp(&tally->scaled, &back->scaled, sizeof tally->scaled) == 0);
        CU_ASSERT(memcmp(&tally->figure, &back->figure, sizeof tally->figure) == 0);
        CU_ASSERT(memcmp(tally->axis, back->axis, sizeof tally->axis) == 0);
        CU_ASSERT(memcmp(tally->findings, back->findings, sizeof tally->findings) == 0);
        free(message);
    }
    for (int i = 0; i < WORST_COUNT; i++) {
        const struct kept *kept = &back->worst[i];
        CU_ASSERT(kept->part == 4 && kept->index == 2 && kept->key == tally->worst[i].key);
    }
    CU_ASSERT_EQUAL(back->first[FINDING_MISMATCH].result[0], INFINITY);
    CU_ASSERT_EQUAL(back->first[FINDING_CRASH].part, 4);
    CU_ASSERT_STRING_EQUAL(back->first[FINDING_CRASH].note, tally->first[FINDING_CRASH].note);
    CU_ASSERT(!back->first[FINDING_CRASH].has_result);
    char *message = pass(tally, &part, tally_cases(tally) + 1, back);
    CU_ASSERT(message && strstr(message, "file:7: tells of 12345678912 cases"));
    free(message);
    free(tally);
    free(back);
}

/* Files. */

static char path[] = "shard_XXXXXX";

static char *read_file(size_t *size)
{
    FILE *stream = fopen(path, "rb");
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *text = calloc(*size + 1, 1);
    CU_ASSERT_EQUAL(fread(text, 1, *size, stream), *size);
    fclose(stream);
    return text;
}

static void write_file(const char *text, size_t size)
{
    FILE *stream = fopen(path, "wb");
    fwrite(text, 1, size, stream);
    fclose(stream);
}

/* A shard of a real run as it was written; to be freed. */
static char *good_file(uint64_t number, uint64_t count, size_t *size)
{
    enum { SAMPLES = 900, MOST = 40 };
    struct sweep_part parts[MOST];
    struct tally *tallies = calloc(MOST, sizeof *tallies);
    struct sweep sweep = {.implementation = implementation_builtin(),
                          .seed = 9,
                          .parts = parts,
                          .share = {number, count},
                          .jobs = 2,
                          .time_limit = 60};
    static const char *const names[] = {"lerp", "cubic_roots"};
    for (size_t i = 0; i < 2; i++) {
        sweep.part_count +=
            report_drawn_parts(&parts[sweep.part_count], catalog_find(names[i]), i, SAMPLES);
    }
    CU_ASSERT_EQUAL_FATAL(sweep_run(&sweep, tallies), SWEEP_DONE);
    struct report report = {
        .sweep = &sweep, .samples = SAMPLES, .tallies = tallies, .function_count = 2};
    uint64_t turned = number * 2 % 5; /* no order in the dates, for the merge to depend on */
    char *message = NULL;
    bool *holds = calloc(count, sizeof *holds);
    holds[number - 1] = true;
    struct shard shard = {.work = shard_work(&report, &message),
                          .count = count,
                          .holds = holds,
                          .parts = parts,
                          .part_count = sweep.part_count,
                          .tallies = tallies,
                          .run = {.microseconds = number, .jobs = turned}};
    snprintf(shard.run.date, sizeof shard.run.date, "200%" PRIu64 "-01-01T00:00:00Z", turned - 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(shard.work);
    CU_ASSERT_FATAL(shard_write(&shard, path));
    json_object_put(shard.work);
    free(holds);
    free(tallies);
    return read_file(size);
}

/* The message with which a file is refused, to be freed; NULL if it is taken. */
static char *refusal(void)
{
    struct shard_merge merge = {0};
    char *message = NULL;
    bool taken = shard_merge_add(&merge, path, &message);
    suite_check(taken == (message == NULL), "taken and refused: %s", message);
    shard_merge_free(&merge);
    return message;
}

/* Writes the text with the checksum that it should have. */
static void write_checked(const char *text, size_t size)
{
    const char *end = text + size - 1;
    while (end > text && end[-1] != '\n') {
        end--;
    }
    uint64_t state = 0xCBF29CE484222325;
    for (const char *byte = text; byte < end; byte++) {
        state = (state ^ (unsigned char)*byte) * 0x100000001B3;
    }
    FILE *stream = fopen(path, "wb");
    fwrite(text, 1, (size_t)(end - text), stream);
    fprintf(stream, "{\"end\":\"%016" PRIx64 "\"}\n", state);
    fclose(stream);
}

static void files_cut_short_are_refused_at_the_line(void)
{
    size_t size, line = 1;
    char *text = good_file(1, 2, &size);
    char *message = refusal();
    suite_check(!message, "the file by itself: %s", message);
    free(message);
    for (size_t length = 0; length < size - 1; length++) {
        bool at_line_end = length > 0 && text[length - 1] == '\n';
        line += at_line_end;
        if (length % 97 != 0 && !at_line_end) {
            continue;
        }
        write_file(text, length);
        message = refusal();
        char expected[64];
        snprintf(expected, sizeof expected, "%s:%zu: ", path, line);
        suite_check(message && strncmp(message, expected, strlen(expected)) == 0,
                    "cut after %zu bytes, in line %zu: %s", length, line, message);
        free(message);
    }
    CU_ASSERT(line > 10);
    free(text);
}

static void changed_bytes_are_noticed(void)
{
    size_t size;
    char *text = good_file(1, 2, &size);
    size_t tried = 0;
    for (size_t at = 0; at < size; at += 97, tried++) {
        char before = text[at];
        text[at] = before == '7' ? '8' : '7';
        write_file(text, size);
        char *message = refusal();
        suite_check(message != NULL, "byte %zu changed, and taken", at);
        free(message);
        text[at] = before;
    }
    CU_ASSERT(tried > 200);
    free(text);
}

/* Replaces the first `old`; to be freed. */
static char *replaced(const char *text, size_t *size, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    if (!at) {
        return NULL;
    }
    size_t before = (size_t)(at - text);
    *size = strlen(text) - strlen(old) + strlen(new);
    char *result = malloc(*size + 1);
    memcpy(result, text, before);
    strcpy(result + before, new);
    strcat(result + before, at + strlen(old));
    return result;
}

/* All with a checksum that is right. */
static void what_does_not_agree_is_refused(void)
{
    static const struct {
        const char *old, *new, *message;
    } changes[] = {
        {"\"format\":\"truelerp-shard-2\"", "\"format\":1", "\"format\" is not a text"},
        {"truelerp-shard-2", "truelerp-shard-9", "truelerp-shard-9"},
        {"\"source\":\"", "\"source\":\"x", "was made by"},
        {"\"samples\":900", "\"samples\":9000", "cases where the shard has"},
        {"\"samples\":900", "\"samples\":0", "is 0"},
        {"\"samples\":900", "\"samples\":-900", "\"samples\" is -900"},
        {"\"samples\":900", "\"samples\":1000000000000001", "cannot be"},
        {"\"samples\":900", "\"samples\":99999999999999999999999", "above 2^64"},
        {"\"samples\":900", "\"samples\":900.5", "not a whole number"},
        {"\"samples\":900", "\"samples\":null", "not a whole number"},
        {"\"seed\":9,", "", "members"},
        {"\"seed\":9,", "\"seed\":18446744073709551616,", "a number above 2^64"},
        {"\"max\":\"0x1.", "\"max\":\"0x1p-2000\",\"x\":\"", "no figure: '0x1p-2000'"},
        {"\"seed\":9,", "\"see\":9,", "\"seed\" is missing"},
        {"\"timeout\":60", "\"timeout\":86401", "\"timeout\" is 86401"},
        {"\"implementation\":\"", "\"implementation\":\"\\u001b[31m", "control characters"},
        {"\"file\":null", "\"file\":\"x\"", "do not agree"},
        {"\"inputs\":null,\"inputs_digest\":null", "\"inputs\":\"x\",\"inputs_digest\":\"y\"",
         "right length"},
        {"\"functions\":[\"lerp\",", "\"functions\":[\"leap\",", "no function"},
        {"\"functions\":[\"lerp\",", "\"functions\":[[],", "no function"},
        {"\"functions\":[\"lerp\",", "\"functions\":[\"cubic_roots\",", "catalogue's order"},
        {"\"functions\":[\"lerp\",\"cubic_roots\"]", "\"functions\":[\"cubic_roots\",\"lerp\"]",
         "catalogue's order"},
        {"\"functions\":[\"lerp\",\"cubic_roots\"]", "\"functions\":[]", "right length"},
        {"\"functions\":[\"lerp\",", "\"functions\":[", "is lerp"},
        {"\"lacking\":[]", "\"lacking\":[null]", "no function"},
        {"\"shards\":2", "\"shards\":0", "is 0"},
        {"\"shards\":2", "\"shards\":1000001", "cannot be"},
        {"\"shards\":2", "\"shards\":1", "cases where the shard has"},
        {"\"holds\":[[1,1]]", "\"holds\":[]", "empty"},
        {"\"holds\":[[1,1]]", "\"holds\":[[0,1]]", "position 1"},
        {"\"holds\":[[1,1]]", "\"holds\":[[-1,1]]", "position 1"},
        {"\"holds\":[[1,1]]", "\"holds\":[[1,3]]", "position 1"},
        {"\"holds\":[[1,1]]", "\"holds\":[[1,1],[1,1]]", "position 2"},
        {"\"holds\":[[1,1]]", "\"holds\":[[2,1]]", "position 1"},
        {"\"holds\":[[1,1]]", "\"holds\":[[1]]", "position 1"},
        {"\"holds\":[[1,1]]", "\"holds\":[[1,1],[2,2]]", "cases where the shard has"},
        {"\"date\":\"2001-01-01T", "\"date\":\"2001-01-01 ", "no date"},
        {"\"microseconds\":1", "\"microseconds\":0", "is 0"},
        {"\"jobs\":2", "\"jobs\":1025", "cannot be"},
        {"\"exit_code\":0", "\"exit_code\":4", "cannot be"},
        {"{\"function\":\"lerp\"", "{\"function\":\"slerp3\"", "should be"},
        {"\"within\":", "\"within\":-", "cannot be"},
        {"\"within\":", "\"within\":1", ""},
        {"\"violation\":0", "\"violation\":9223372036854775807", "cannot be"},
        {"\"environment\":0", "\"environment\":1", "does not agree"},
        {"\"findings\":{\"crash\":0,\"time-out\":0,\"violation\":0",
         "\"findings\":{\"crash\":0,\"time-out\":0,\"violation\":1", "do not agree"},
        {"\"error_ulp\":{\"count\":", "\"error_ulp\":{\"count\":1", ""},
        {"\"error_ulp\":{", "\"error_ulp\":7,\"x\":{", "not an object"},
        {"\"max\":\"0x", "\"max\":\"-0x", "no figure"},
        {"\"max\":\"0x1.", "\"max\":\"0x1.0", "highest bin"},
        {"\"max\":\"0x1.", "\"max\":\"nan", "no figure"},
        {"\"max\":\"0x1.", "\"max\":\"inf\",\"x\":\"", "no figure"},
        {"\"sum\":\"", "\"sum\":\"f", "cannot be that of"},
        {"\"sum\":\"", "\"sum\":\"-", "no sum"},
        {"\"sum\":\"", "\"sum\":\"0\",\"x\":\"", "cannot be that of"},
        {"\"beyond\":0", "\"beyond\":1", "do not add up"},
        {"\"bins\":[[", "\"bins\":[[4000,1],[", "\"bins\" has no possible bin at position 1"},
        {"\"bins\":[[", "\"bins\":[[3071,1],[", "\"bins\" has no possible bin at position 2"},
        {"\"bins\":[[", "\"bins\":[[0,0],[", "\"bins\" has no possible bin at position 1"},
        {"\"bins\":[[", "\"bins\":[[0,1],[", "do not add up"},
        {"\"bins\":[[", "\"bins\":[7,[", "\"bins\" has no possible bin at position 1"},
        {"\"worst\":{\"share_of_bound\":{", "\"worst\":{\"share_of_bound\":null,\"x\":{",
         "does not agree"},
        {"\"case\":", "\"case\":9", "\"case\" is 9"},
        {"\"verdict\":\"within\"", "\"verdict\":\"good\"", "no verdict"},
        {"\"bound\":\"0x1p+1\"", "\"bound\":\"0x0p+0\"", "error and bound do not agree"},
        {"\"error_scaled\":\"0x", "\"error_scaled\":\"0x1p+9\",\"x\":\"", "do not agree"},
        {"\"error_ulp\":\"0x", "\"error_ulp\":\"0x1p+99\",\"x\":\"", "does not agree"},
        {"\"result\":[[", "\"result\":[[],[", "no result of lerp"},
        {"\"result\":[[\"", "\"result\":[[\"0x1p+0\",\"", "no result of lerp"},
        {"\"result\":[[\"", "\"result\":[[\"x", "no result of lerp"},
        {"\"note\":\"\"", "\"note\":\"\\n\"", "control characters"},
        {"\"note\":\"\"", "\"note\":\"\\u0000\"", "control characters"},
        {"\"note\":\"\"",
         "\"note\":\"0123456789012345678901234567890123456789012345678901234567890123456789"
         "01234567890123456789012345678901234567890123456789\"",
         "too long"},
        {"\"axis\":[[", "\"axis\":[[128,1,\"0x0p+0\"],[", "\"axis\" has no possible bin"},
        {"\"axis\":[[", "\"axis\":[[0,1,\"0x1p+90\"],[", "\"axis\" has no possible bin"},
        {"\"axis\":[[", "\"axis\":[[0,1],[", "\"axis\" has no possible bin"},
        {"\"axis\":[[", "\"axis\":[[0,999,\"0x0p+0\"],[", "\"axis\" has"},
        {"\"verdicts\":", "verdicts:", "column"},
        {"\"verdicts\":", "\"verdicts\":/* */", "column"},
        {"\"verdicts\":", "\"\xFF\":0,\"verdicts\":", "column"},
        {"\"verdicts\":", "\"x\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],\"verdicts\":", "column"},
    };
    size_t size;
    char *text = good_file(1, 2, &size);
    write_checked(text, size);
    char *message = refusal();
    suite_check(!message, "unchanged: %s", message);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *changed = replaced(text, &size, changes[i].old, changes[i].new);
        if (!suite_check(changed != NULL, "nothing to change: %s", changes[i].old)) {
            continue;
        }
        write_checked(changed, size);
        message = refusal();
        suite_check(message && strncmp(message, path, strlen(path)) == 0 &&
                        strstr(message, changes[i].message),
                    "%s instead of %s: %s", changes[i].new, changes[i].old, message);
        free(message);
        free(changed);
    }
    free(text);
}

/* Also in two steps. What they make does not differ in anything that a shard file tells. */
static void no_order_makes_a_difference(void)
{
    enum { COUNT = 4 };
    static const int orders[][COUNT] = {{1, 2, 3, 4}, {4, 3, 2, 1}, {3, 1, 4, 2}, {2, 4, 1, 3}};
    char names[COUNT][sizeof path + 2];
    char *first = NULL;
    for (uint64_t number = 1; number <= COUNT; number++) {
        size_t size;
        free(good_file(number, COUNT, &size));
        snprintf(names[number - 1], sizeof names[0], "%s.%" PRIu64, path, number);
        CU_ASSERT_EQUAL_FATAL(rename(path, names[number - 1]), 0);
    }
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct shard_merge some = {0}, all = {0};
        char *message = NULL;
        size_t size;
        for (int j = 0; j < 2; j++) {
            CU_ASSERT(shard_merge_add(&some, names[orders[i][j] - 1], &message));
        }
        CU_ASSERT(shard_write(&some.shard, path));
        char *missing = shard_merge_missing(&some);
        CU_ASSERT_PTR_NOT_NULL(missing);
        CU_ASSERT(shard_merge_add(&all, names[orders[i][2] - 1], &message));
        CU_ASSERT(shard_merge_add(&all, path, &message));
        CU_ASSERT(shard_merge_add(&all, names[orders[i][3] - 1], &message));
        CU_ASSERT_PTR_NULL(shard_merge_missing(&all));
        CU_ASSERT(shard_write(&all.shard, path));
        char *text = read_file(&size);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(text, "\"holds\":[[1,4]],\"run\":{\"date\":\"2000-01-01T00:00:00Z\","
                         "\"microseconds\":10,\"jobs\":4,\"exit_code\":0}"));
        suite_check(!first || strcmp(first, text) == 0, "order %zu makes another file", i);
        first = first ? first : strdup(text);
        free(text);
        free(missing);
        shard_merge_free(&some);
        shard_merge_free(&all);
    }
    free(first);
    for (size_t i = 0; i < COUNT; i++) {
        unlink(names[i]);
    }
}

/* Whatever gets past all checks can be made a report of. */
static void what_is_taken_can_be_reported(void)
{
    size_t size, taken = 0, refused = 0;
    char *text = good_file(1, 1, &size);
    uint64_t state = 1;
    for (int i = 0; i < 1000; i++) {
        char *changed = strdup(text);
        for (int j = 0; j < 1 + i % 3; j++) {
            state = state * 6364136223846793005 + 1442695040888963407;
            size_t at = (state >> 20) % (size - 40);
            changed[at] = "0123456789abcdef-.,:[]{}\"xp"[(state >> 8) % 27];
        }
        write_checked(changed, size);
        free(changed);
        struct shard_merge merge = {0};
        char *message = NULL;
        if (shard_merge_add(&merge, path, &message)) {
            taken++;
            struct report *report = &merge.report;
            report->totals = calloc(report->function_count, sizeof *report->totals);
            merge.sweep.jobs = 1;
            report->date = merge.shard.run.date;
            report->command = "";
            report->seconds = 1;
            report_total(report);
            if (taken <= 40) {
                json_object_put(render_json(report));
            }
            FILE *stream = fopen("/dev/null", "w");
            render_terminal(stream, report);
            render_markdown(stream, report);
            fclose(stream);
            free(report->totals);
        } else {
            refused++;
        }
        free(message);
        shard_merge_free(&merge);
    }
    suite_check(taken > 5 && refused > 500, "%zu taken, %zu refused", taken, refused);
    free(text);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"shards are a partition of the work", shards_are_a_partition},
        {"the largest work is cut evenly", the_largest_work_is_cut_evenly},
        {"tallies lose nothing as text", tallies_lose_nothing_as_text},
        {"files cut short are refused at the line", files_cut_short_are_refused_at_the_line},
        {"changed bytes are noticed", changed_bytes_are_noticed},
        {"what does not agree is refused", what_does_not_agree_is_refused},
        {"no order makes a difference", no_order_makes_a_difference},
        {"what is taken can be reported", what_is_taken_can_be_reported},
    };
    block_signals();
    int file = mkstemp(path);
    if (file < 0) {
        perror(path);
        return 1;
    }
    close(file);
    int result = suite_run("shard", tests, sizeof tests / sizeof tests[0]);
    unlink(path);
    return result;
}
