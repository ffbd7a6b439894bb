#include "figures.h"

#include "../corpus/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t findings_of(const struct tally *tally)
{
    uint64_t count = 0;
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        count += finding == FINDING_UNDECIDED ? 0 : tally->findings[finding];
    }
    return count;
}

struct figures figures_of(const struct tally *tally, const char *function, const char *domain)
{
    bool any = tally->scaled.count > 0;
    struct figures figures = {.cases = tally_cases(tally),
                              .compared = tally_compared(tally),
                              .undecided = tally->verdicts[VERDICT_UNDECIDED],
                              .outside = findings_of(tally),
                              .measured = tally->scaled.count,
                              .misrounded = tally->misrounded,
                              .share = any ? tally->share : NAN,
                              .max = any ? tally->scaled.max : NAN,
                              .high = errors_quantile(&tally->scaled, 999),
                              .mean = errors_mean(&tally->scaled),
                              .has_checksums = true,
                              .inputs = tally->inputs,
                              .results = tally->results};
    snprintf(figures.function, sizeof figures.function, "%s", function);
    snprintf(figures.domain, sizeof figures.domain, "%s", domain);
    return figures;
}

enum change change_of(double before, double now)
{
    if (isnan(before)) {
        return isnan(now) ? CHANGE_NONE : CHANGE_OTHER;
    }
    if (!(now <= before)) {
        return CHANGE_WORSE;
    }
    return now == before ? CHANGE_NONE : CHANGE_BETTER;
}

const char *change_name(enum change change)
{
    static const char *const names[] = {[CHANGE_NONE] = "same",
                                        [CHANGE_BETTER] = "better",
                                        [CHANGE_OTHER] = "changed",
                                        [CHANGE_WORSE] = "worse"};
    return names[change];
}

/* The differences so far. */
struct list {
    struct difference *differences;
    size_t count;
};

static struct difference *add(struct list *list, enum change change, const char *figure)
{
    struct difference *difference = &list->differences[list->count++];
    *difference = (struct difference){.change = change, .figure = figure};
    return difference;
}

/* Six digits, or all of them where six do not tell the two apart. */
static void write_numbers(double before, double now, const char *unit,
                          struct difference *difference)
{
    char texts[2][NUMBER_TEXT];
    snprintf(texts[0], NUMBER_TEXT, "%.6g", before);
    snprintf(texts[1], NUMBER_TEXT, "%.6g", now);
    if (strcmp(texts[0], texts[1]) == 0) {
        number_write(before, texts[0]);
        number_write(now, texts[1]);
    }
    const double numbers[2] = {before, now};
    char *const fields[2] = {difference->before, difference->now};
    for (int i = 0; i < 2; i++) {
        if (isnan(numbers[i])) {
            snprintf(fields[i], DIFFERENCE_TEXT, "none");
        } else if (isinf(numbers[i])) { /* the share of a bound of 0 */
            snprintf(fields[i], DIFFERENCE_TEXT, "must be exact here");
        } else {
            snprintf(fields[i], DIFFERENCE_TEXT, "%.*s%s", NUMBER_TEXT - 1, texts[i], unit);
        }
    }
}

static void compare_number(struct list *list, const char *figure, const char *unit, double before,
                           double now)
{
    enum change change = change_of(before, now);
    if (change != CHANGE_NONE) {
        write_numbers(before, now, unit, add(list, change, figure));
    }
}

static void compare_count(struct list *list, const char *figure, uint64_t before, uint64_t now,
                          enum change if_more)
{
    if (before == now) {
        return;
    }
    enum change if_fewer = if_more == CHANGE_WORSE ? CHANGE_BETTER : CHANGE_WORSE;
    struct difference *difference = add(list, now > before ? if_more : if_fewer, figure);
    snprintf(difference->before, DIFFERENCE_TEXT, "%" PRIu64, before);
    snprintf(difference->now, DIFFERENCE_TEXT, "%" PRIu64, now);
}

static void compare_checksum(struct list *list, const char *figure, uint64_t before, uint64_t now,
                             enum change change)
{
    if (before != now) {
        struct difference *difference = add(list, change, figure);
        snprintf(difference->before, DIFFERENCE_TEXT, "%016" PRIx64, before);
        snprintf(difference->now, DIFFERENCE_TEXT, "%016" PRIx64, now);
    }
}

static double percent_misrounded(const struct figures *figures)
{
    return figures->measured > 0 ? 100 * (double)figures->misrounded / (double)figures->measured
                                 : NAN;
}

/* Exactly, as fractions: their quotients may round to one double. */
static void compare_misrounded(struct list *list, const struct figures *before,
                               const struct figures *now)
{
    __extension__ typedef unsigned __int128 wide;
    enum change change = change_of(percent_misrounded(before), percent_misrounded(now));
    if (before->measured > 0 && now->measured > 0) {
        wide former = (wide)before->misrounded * now->measured;
        wide latter = (wide)now->misrounded * before->measured;
        change = latter > former ? CHANGE_WORSE : latter < former ? CHANGE_BETTER : CHANGE_NONE;
    }
    if (change != CHANGE_NONE) {
        write_numbers(percent_misrounded(before), percent_misrounded(now), " %",
                      add(list, change, "misrounded"));
    }
}

static void compare_trouble(struct list *list, const struct figures *before,
                            const struct figures *now)
{
    compare_count(list, "outside", before->outside, now->outside, CHANGE_WORSE);
    compare_count(list, "undecided", before->undecided, now->undecided, CHANGE_WORSE);
}

static void compare_errors(struct list *list, const struct figures *before,
                           const struct figures *now)
{
    compare_count(list, "measured", before->measured, now->measured, CHANGE_OTHER);
    compare_number(list, "max error", "", before->max, now->max);
    compare_number(list, "p99.9 error", "", before->high, now->high);
    compare_number(list, "mean error", "", before->mean, now->mean);
    compare_misrounded(list, before, now);
}

size_t figures_compare(const struct figures *before, const struct figures *now,
                       struct difference differences[DIFFERENCES_MAX])
{
    struct list list = {.differences = differences};
    bool checksums = before->has_checksums && now->has_checksums;
    bool climb = strcmp(now->domain, "climb") == 0;
    compare_trouble(&list, before, now);
    if (climb) {
        compare_count(&list, "cases", before->cases, now->cases, CHANGE_OTHER);
    } else {
        compare_count(&list, "compared", before->compared, now->compared, CHANGE_OTHER);
    }
    if (checksums && before->inputs != now->inputs) {
        compare_checksum(&list, "inputs", before->inputs, now->inputs, CHANGE_WORSE);
        return list.count;
    }
    compare_number(&list, "share of bound", " %", 100 * before->share, 100 * now->share);
    if (!climb) {
        compare_errors(&list, before, now);
    }
    if (checksums) {
        compare_checksum(&list, "result bits", before->results, now->results, CHANGE_OTHER);
    }
    return list.count;
}

enum change differences_worst(const struct difference *differences, size_t count)
{
    enum change worst = CHANGE_NONE;
    for (size_t i = 0; i < count; i++) {
        worst = differences[i].change > worst ? differences[i].change : worst;
    }
    return worst;
}
