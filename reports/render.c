/* What all renderers share, and the summary on the terminal. */
#include "render.h"

#include "../corpus/case.h"
#include "../corpus/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void report_total(const struct report *report)
{
    for (size_t i = 0; i < report->sweep->part_count; i++) {
        size_t number = report->sweep->parts[i].function_number;
        if (report->sweep->parts[i].stored) {
            tally_merge_findings(&report->totals[number], &report->tallies[i]);
        } else {
            tally_merge(&report->totals[number], &report->tallies[i]);
        }
    }
}

const char *report_implementation(const struct report *report)
{
    return report->implementation_name ? report->implementation_name
                                       : implementation_name(report->sweep->implementation);
}

bool report_lacks(const struct report *report, const struct function *function)
{
    if (!report->lacking) {
        return !implementation_has(report->sweep->implementation, function);
    }
    for (size_t i = 0; report->lacking[i]; i++) {
        if (strcmp(report->lacking[i], function->name) == 0) {
            return true;
        }
    }
    return false;
}

struct part_range report_parts(const struct report *report, size_t number)
{
    const struct sweep *sweep = report->sweep;
    struct part_range range = {0, sweep->part_count};
    while (sweep->parts[range.first].function_number < number) {
        range.first++;
    }
    while (sweep->parts[range.end - 1].function_number > number) {
        range.end--;
    }
    return range;
}

struct part_range report_samples(const struct report *report, size_t number)
{
    struct part_range range = report_parts(report, number);
    range.end -= report->sweep->parts[range.end - 1].stored;
    return range;
}

const char *part_name(const struct sweep_part *part)
{
    return part->domain ? part->domain->name : part->stored ? "stored" : "inputs";
}

const struct kept *report_largest_known(const struct report *report, size_t number)
{
    struct part_range range = report_parts(report, number);
    bool own = report->sweep->parts[range.first].function->bound != NULL;
    enum worst by = own ? WORST_SHARE : WORST_SCALED;
    const struct kept *largest = &report->tallies[range.first].worst[by];
    for (size_t i = range.first + 1; i < range.end; i++) {
        const struct kept *kept = &report->tallies[i].worst[by];
        if (kept->present && (!largest->present || kept->key > largest->key)) {
            largest = kept;
        }
    }
    return largest;
}

uint64_t report_compared(const struct report *report)
{
    uint64_t compared = 0;
    for (size_t i = 0; i < report->function_count; i++) {
        compared += tally_compared(&report->totals[i]);
    }
    return compared;
}

const char *figure(double number, char text[FIGURE_TEXT])
{
    if (isnan(number)) {
        return "-";
    }
    if (number >= 1e307) {
        return "beyond 1e307";
    }
    const char *format = "%.1e";
    if (number == 0 || (number >= 9.995 && number < 9999.5)) {
        format = number < 99.95 && number > 0 ? "%.1f" : "%.0f";
    } else if (number >= 0.0995 && number < 9.995) {
        format = "%.2f";
    } else if (number >= 0.001 && number < 0.0995) {
        format = "%.4f";
    }
    snprintf(text, FIGURE_TEXT, format, number);
    return text;
}

struct apart figures_apart(double one, double other)
{
    enum { DIGITS_LEAST = 4 };
    char text[FIGURE_TEXT];
    struct apart apart;
    snprintf(apart.one, APART_TEXT, "%s", figure(one, text));
    snprintf(apart.other, APART_TEXT, "%s", figure(other, text));
    if (strcmp(apart.one, apart.other) == 0 && (one < other || one > other)) {
        int digits = number_digits_apart(one, other, DIGITS_LEAST);
        snprintf(apart.one, APART_TEXT, "%.*g", digits, one);
        snprintf(apart.other, APART_TEXT, "%.*g", digits, other);
    }
    return apart;
}

const char *percentage(double share, char text[FIGURE_TEXT])
{
    if (isnan(share)) {
        return "-";
    }
    /* never "100 %" for what is not quite there, or over it */
    double percent = 100 * share;
    double shown = percent < 100 ? floor(percent) : ceil(percent);
    snprintf(text, FIGURE_TEXT, shown <= 9999 ? "%.0f %%" : "> 9999 %%", fmin(shown, 9999));
    return text;
}

/* No share can be told of a bound of 0. */
static bool must_be_exact(const struct kept *kept)
{
    return kept->measured && kept->bound == 0 && kept->error_scaled > 0;
}

const char *share_text(const struct kept *kept, char text[FIGURE_TEXT])
{
    if (!kept->present || !kept->measured) {
        return "-";
    }
    if (must_be_exact(kept)) {
        return "must be exact here";
    }
    return percentage(share_of_bound(kept->error_scaled, kept->bound), text);
}

const char *high_figure(const struct errors *errors, char text[FIGURE_TEXT])
{
    return figure(errors->count < 1000 ? NAN : errors_quantile(errors, 999), text);
}

bool own_bound(const struct function *function, const struct kept *kept)
{
    /* a bound a little off K is K, put on the grid */
    return !function->bound && kept->measured && kept->bound > 0 &&
           fabs(kept->bound - function->K) > 0.01 * function->K;
}

const char *frequency(double share, char text[FIGURE_TEXT])
{
    if (isnan(share)) {
        return "-";
    }
    snprintf(text, FIGURE_TEXT, 100 * share < 10 ? "%.2g %%" : "%.0f %%",
             100 * share < 10 ? 100 * share : floor(100 * share));
    return text;
}

const char *error_unit(const struct function *function)
{
    return function_in_ulps(function) ? "ulp" : "u S";
}

double tally_misrounded(const struct tally *tally)
{
    return tally->ulp.count > 0 ? (double)tally->misrounded / (double)tally->ulp.count : NAN;
}

double errors_max(const struct errors *errors)
{
    return errors->count > 0 ? errors->max : NAN;
}

double tally_share(const struct tally *tally)
{
    return tally->scaled.count > 0 ? tally->share : NAN;
}

void write_shell_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=:,./@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
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

char *command_text(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("truelerp", stream);
    for (int i = 0; i < argc; i++) {
        fputc(' ', stream);
        write_shell_word(stream, argv[i]);
    }
    fclose(stream);
    return text;
}

void write_case_command(FILE *stream, const struct function *function, const struct values *inputs,
                        const char *implementation_path)
{
    fputs("printf '", stream);
    case_write_header(stream, function);
    fputs("\\n", stream);
    case_write(stream, function, inputs, true);
    fprintf(stream, "\\n' | truelerp eval %s -", function->name);
    if (implementation_path) {
        fputs(" --impl ", stream);
        write_shell_word(stream, implementation_path);
    }
}

size_t case_numbers(const struct values *inputs)
{
    return inputs->start[inputs->count];
}

/* How the case was drawn, which is shorter by far where it has many numbers. */
static void write_draw_command(FILE *stream, const struct report *report, const struct kept *kept)
{
    const struct sweep_part *part = &report->sweep->parts[kept->part];
    fprintf(stream, "truelerp draw %s %s --case %" PRIu64, part->function->name, part->domain->name,
            kept->index);
    if (report->sweep->seed != 1) {
        fprintf(stream, " --seed %" PRIu64, report->sweep->seed);
    }
    fprintf(stream, " | truelerp eval %s -", part->function->name);
    if (report->implementation_path) {
        fputs(" --impl ", stream);
        write_shell_word(stream, report->implementation_path);
    }
}

void write_eval_command(FILE *stream, const struct report *report, const struct kept *kept)
{
    const struct sweep_part *part = &report->sweep->parts[kept->part];
    struct values inputs = {0};
    sweep_case(report->sweep, kept->part, kept->index, &inputs);
    if (part->domain && case_numbers(&inputs) > SHOWN_NUMBERS) {
        write_draw_command(stream, report, kept);
    } else {
        write_case_command(stream, part->function, &inputs, report->implementation_path);
    }
    values_free(&inputs);
}

/* The terminal. */

const char skipped_note[] =
    "not called any more after too many crashes close together or calls that did not return";
static const char share_note[] =
    "* of the case's own bound: with subnormal results, 2^-1074 is most of it\n";
static const char varies_note[] =
    "own: each case has a bound of its own; `truelerp list` tells how it comes about\n";
static const char exact_note[] = "** the result must be exact there: given bit for bit\n";

static int name_width(const struct report *report)
{
    int width = (int)strlen("function");
    for (size_t i = 0; i < report->sweep->part_count; i++) {
        int length = (int)strlen(report->sweep->parts[i].function->name);
        width = length > width ? length : width;
    }
    return width;
}

/* The columns whose width depends on what is found. */
enum { COLUMN_MAX, COLUMN_SHARE, COLUMN_HIGH, COLUMNS };

static void row_texts(const struct function *function, const struct tally *tally,
                      char cells[COLUMNS][2 * FIGURE_TEXT])
{
    char text[FIGURE_TEXT];
    const struct kept *worst = &tally->worst[WORST_SHARE];
    snprintf(cells[COLUMN_MAX], sizeof cells[0], "%s %s", figure(errors_max(&tally->scaled), text),
             error_unit(function));
    snprintf(cells[COLUMN_SHARE], sizeof cells[0], "%s%s",
             must_be_exact(worst) ? "**" : share_text(worst, text),
             own_bound(function, worst) ? "*" : "");
    snprintf(cells[COLUMN_HIGH], sizeof cells[0], "%s", high_figure(&tally->scaled, text));
}

const char *bound_text(const struct function *function, char text[FIGURE_TEXT])
{
    if (function->bound) {
        return "own";
    }
    snprintf(text, FIGURE_TEXT, "%g", function->K);
    return text;
}

static const struct function *function_of(const struct report *report, size_t number)
{
    return report->sweep->parts[report_parts(report, number).first].function;
}

static void print_table(FILE *stream, const struct report *report)
{
    int width[COLUMNS] = {9, 5, 5}, names = name_width(report);
    char cells[COLUMNS][2 * FIGURE_TEXT];
    for (size_t i = 0; i < report->function_count; i++) {
        row_texts(function_of(report, i), &report->totals[i], cells);
        for (int j = 0; j < COLUMNS; j++) {
            int length = (int)strlen(cells[j]);
            width[j] = length > width[j] ? length : width[j];
        }
    }
    fprintf(stream, "%-*s %9s %*s %5s %*s %*s %9s %s\n", names, "function", "compared",
            width[COLUMN_MAX], "max error", "bound", width[COLUMN_SHARE], "share",
            width[COLUMN_HIGH], "p99.9", "undecided", "verdict");
    for (size_t i = 0; i < report->function_count; i++) {
        const struct function *function = function_of(report, i);
        const struct tally *tally = &report->totals[i];
        char bound[FIGURE_TEXT];
        row_texts(function, tally, cells);
        fprintf(stream, "%-*s %9" PRIu64 " %*s %5s %*s %*s %9" PRIu64 " %s\n", names,
                function->name, tally_compared(tally), width[COLUMN_MAX], cells[COLUMN_MAX],
                bound_text(function, bound), width[COLUMN_SHARE], cells[COLUMN_SHARE],
                width[COLUMN_HIGH], cells[COLUMN_HIGH], tally->verdicts[VERDICT_UNDECIDED],
                tally_verdict(tally));
    }
}

static void print_notes(FILE *stream, const struct report *report)
{
    bool exact = false, own = false, varies = false;
    for (size_t i = 0; i < report->function_count; i++) {
        const struct kept *worst = &report->totals[i].worst[WORST_SHARE];
        exact |= must_be_exact(worst);
        own |= own_bound(function_of(report, i), worst);
        varies |= function_of(report, i)->bound != NULL;
    }
    if (varies) {
        fputs(varies_note, stream);
    }
    if (own) {
        fputs(share_note, stream);
    }
    if (exact) {
        fputs(exact_note, stream);
    }
}

static void print_findings(FILE *stream, const struct report *report, size_t number)
{
    const struct tally *total = &report->totals[number];
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        const struct kept *kept = &total->first[finding];
        if (!kept->present) {
            continue;
        }
        const struct sweep_part *part = &report->sweep->parts[kept->part];
        fprintf(stream, "\n%s: %s in %" PRIu64 " case%s, first in domain %s, case %" PRIu64,
                part->function->name, finding_name(finding), total->findings[finding],
                total->findings[finding] == 1 ? "" : "s", part_name(part), kept->index);
        if (*kept->note) {
            fprintf(stream, ": %s", kept->note);
        }
        fputs("\n  ", stream);
        write_eval_command(stream, report, kept);
        fputc('\n', stream);
    }
    if (total->skipped > 0) {
        fprintf(stream, "\n%s: not judged: %" PRIu64 " cases, %s\n",
                function_of(report, number)->name, total->skipped, skipped_note);
    }
}

void write_lacking(FILE *stream, const char *implementation, const char *const *names, size_t count)
{
    enum { WIDTH = 80 };
    size_t used = WIDTH;
    if (count > 0) {
        fprintf(stream, "not judged, for %s lacks them:", implementation);
    }
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(" tl_") + strlen(names[i]);
        if (used + length > WIDTH) {
            fputs("\n ", stream);
            used = 1;
        }
        fprintf(stream, " tl_%s", names[i]);
        used += length;
    }
    fputs(count > 0 ? "\n\n" : "", stream);
}

void write_lacking_name(FILE *stream, const char *name, bool first)
{
    fprintf(stream, "%s`%s`", first ? "Not judged, for the implementation lacks them: " : ", ",
            name);
}

void render_terminal(FILE *stream, const struct report *report)
{
    print_table(stream, report);
    print_notes(stream, report);
    for (size_t i = 0; i < report->function_count; i++) {
        print_findings(stream, report, i);
    }
}
