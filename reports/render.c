/* What all renderers share, and the summary on the terminal. */
#include "render.h"

#include "../corpus/case.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void report_total(const struct report *report)
{
    for (size_t i = 0; i < report->sweep->part_count; i++) {
        size_t number = report->sweep->parts[i].function_number;
        tally_merge(&report->totals[number], &report->tallies[i]);
    }
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

const char *part_name(const struct sweep_part *part)
{
    return part->domain ? part->domain->name : "inputs";
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

const char *frequency(double share, char text[FIGURE_TEXT])
{
    if (isnan(share)) {
        return "-";
    }
    snprintf(text, FIGURE_TEXT, 100 * share < 10 ? "%.2g %%" : "%.0f %%",
             100 * share < 10 ? 100 * share : floor(100 * share));
    return text;
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

void write_eval_command(FILE *stream, const struct report *report, const struct kept *kept)
{
    const struct function *function = report->sweep->parts[kept->part].function;
    struct values inputs = {0};
    sweep_case(report->sweep, kept->part, kept->index, &inputs);
    fputs("printf '", stream);
    case_write_header(stream, function);
    fputs("\\n", stream);
    case_write(stream, function, &inputs, true);
    fprintf(stream, "\\n' | truelerp eval %s -", function->name);
    if (report->implementation_path) {
        fputs(" --impl ", stream);
        write_shell_word(stream, report->implementation_path);
    }
    values_free(&inputs);
}

/* The terminal. */

static void print_row(FILE *stream, int width, const struct function *function,
                      const struct tally *tally)
{
    char max[FIGURE_TEXT], share[FIGURE_TEXT], high[FIGURE_TEXT];
    fprintf(stream, "%-*s %9" PRIu64 " %8s %5g %6s %7s %9" PRIu64 " %s\n", width, function->name,
            tally_compared(tally), figure(errors_max(&tally->scaled), max), function->K,
            percentage(tally_share(tally), share),
            figure(errors_quantile(&tally->scaled, 999), high), tally->verdicts[VERDICT_UNDECIDED],
            tally_verdict(tally));
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
}

static int name_width(const struct report *report)
{
    int width = (int)strlen("function");
    for (size_t i = 0; i < report->sweep->part_count; i++) {
        int length = (int)strlen(report->sweep->parts[i].function->name);
        width = length > width ? length : width;
    }
    return width;
}

void render_terminal(FILE *stream, const struct report *report)
{
    int width = name_width(report);
    fprintf(stream, "%-*s %9s %8s %5s %6s %7s %9s %s\n", width, "function", "compared", "max, uS",
            "bound", "share", "p99.9", "undecided", "verdict");
    for (size_t i = 0; i < report->function_count; i++) {
        size_t part = report_parts(report, i).first;
        print_row(stream, width, report->sweep->parts[part].function, &report->totals[i]);
    }
    for (size_t i = 0; i < report->function_count; i++) {
        print_findings(stream, report, i);
    }
}
