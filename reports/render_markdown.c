/* accuracy.md: GitHub's Markdown, to be pasted into an issue or a pull request. */
#include "render.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A table cell: no line ends, no bars, nothing that would be taken for markup. */
static void write_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text)) {
            fputc('\\', stream);
        }
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
}

static void write_bound(FILE *stream, const struct function *function)
{
    char bound[128];
    function_bound(function, bound, sizeof bound);
    fprintf(stream, "`%s`", bound);
}

static void write_verdict(FILE *stream, const struct tally *tally)
{
    const char *verdict = tally_verdict(tally);
    fprintf(stream, strcmp(verdict, "within") == 0 ? "%s" : "**%s**", verdict);
}

static void write_summary(FILE *stream, const struct report *report)
{
    fputs("| function | compared | largest error | p99.9 | bound | share of bound | misrounded | "
          "undecided | verdict |\n"
          "|:---|---:|---:|---:|---:|---:|---:|---:|:---|\n",
          stream);
    for (size_t i = 0; i < report->function_count; i++) {
        const struct tally *total = &report->totals[i];
        const struct function *function =
            report->sweep->parts[report_parts(report, i).first].function;
        char max[FIGURE_TEXT], high[FIGURE_TEXT], share[FIGURE_TEXT], wrong[FIGURE_TEXT];
        char bound[FIGURE_TEXT];
        fprintf(stream, "| `%s` | %" PRIu64 " | %s %s | %s | %s | %s | %s | %" PRIu64 " | ",
                function->name, tally_compared(total), figure(errors_max(&total->scaled), max),
                error_unit(function), high_figure(&total->scaled, high),
                bound_text(function, bound), share_text(&total->worst[WORST_SHARE], share),
                frequency(tally_misrounded(total), wrong), total->verdicts[VERDICT_UNDECIDED]);
        write_verdict(stream, total);
        fputs(" |\n", stream);
    }
}

static void write_tally_row(FILE *stream, const struct function *function, const char *name,
                            const struct tally *tally)
{
    char text[7][FIGURE_TEXT];
    fprintf(stream, "| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %s | %s | %s | %s | ", name,
            tally_compared(tally), tally->verdicts[VERDICT_UNDEFINED],
            tally->verdicts[VERDICT_UNDECIDED], figure(errors_mean(&tally->scaled), text[0]),
            figure(errors_quantile(&tally->scaled, 500), text[1]),
            high_figure(&tally->scaled, text[2]), figure(errors_max(&tally->scaled), text[3]));
    if (!function_in_ulps(function)) {
        fprintf(stream, "%s | ", figure(errors_max(&tally->ulp), text[4]));
    }
    fprintf(stream, "%s | %s | ", frequency(tally_misrounded(tally), text[5]),
            share_text(&tally->worst[WORST_SHARE], text[6]));
    write_verdict(stream, tally);
    fputs(" |\n", stream);
}

/* Where errors are counted in ulps anyway, there is no second column of them. */
static void write_domains(FILE *stream, const struct report *report, size_t number)
{
    struct part_range range = report_samples(report, number);
    const struct function *function = report->sweep->parts[range.first].function;
    const char *in = error_unit(function);
    bool ulps = !function_in_ulps(function);
    fprintf(stream,
            "| domain | compared | undefined | undecided | mean, %s | p50, %s | p99.9, %s | "
            "max, %s |%s misrounded | share of bound | verdict |\n"
            "|:---|---:|---:|---:|---:|---:|---:|---:|%s---:|---:|:---|\n",
            in, in, in, in, ulps ? " max, ulp |" : "", ulps ? "---:|" : "");
    for (size_t i = range.first; i < range.end; i++) {
        char name[128];
        snprintf(name, sizeof name, "`%s`", part_name(&report->sweep->parts[i]));
        write_tally_row(stream, function, name, &report->tallies[i]);
    }
    write_tally_row(stream, function, "**all**", &report->totals[number]);
}

/* What a function shows beside its error: a condition number. */
static void write_figures(FILE *stream, const struct report *report, size_t number)
{
    struct part_range range = report_samples(report, number);
    const struct function *function = report->sweep->parts[range.first].function;
    if (!function->figure) {
        return;
    }
    fprintf(stream, "\n| domain | %s: p50 | p99.9 | max |\n|:---|---:|---:|---:|\n",
            function->figure);
    for (size_t i = range.first; i < range.end; i++) {
        char text[3][FIGURE_TEXT];
        const struct errors *figures = &report->tallies[i].figure;
        fprintf(stream, "| `%s` | %s | %s | %s |\n", part_name(&report->sweep->parts[i]),
                figure(errors_quantile(figures, 500), text[0]), high_figure(figures, text[1]),
                figure(errors_max(figures), text[2]));
    }
}

static void write_kept(FILE *stream, const struct report *report, const struct kept *kept)
{
    char scaled[FIGURE_TEXT], ulp[FIGURE_TEXT], share[FIGURE_TEXT];
    const struct sweep_part *part = &report->sweep->parts[kept->part];
    fprintf(stream, "# %s, case %" PRIu64, part_name(part), kept->index);
    if (kept->measured) {
        fprintf(stream, ": %s %s, %s%s, %s ulp", figure(kept->error_scaled, scaled),
                error_unit(part->function), share_text(kept, share),
                kept->bound > 0 ? " of the bound" : "", figure(kept->error_ulp, ulp));
    }
    if (*kept->note) {
        fprintf(stream, ": %s", kept->note);
    }
    fputc('\n', stream);
    write_eval_command(stream, report, kept);
    fputc('\n', stream);
}

/* The same of this run's drawn cases alone: an error, or a share where bounds are the cases' own.
 */
static const char *drawn_text(const struct function *function, const struct tally *total,
                              char text[FIGURE_TEXT])
{
    return function->bound ? percentage(tally_share(total), text)
                           : figure(errors_max(&total->scaled), text);
}

/* A table's cell would have to escape the command's bar, and it could not be pasted. */
static void write_known_inputs(FILE *stream, const struct report *report)
{
    fputs("\n<details><summary>Their inputs</summary>\n\n```sh\n", stream);
    for (size_t i = 0; i < report->function_count; i++) {
        const struct kept *kept = report_largest_known(report, i);
        if (kept->present) {
            write_kept(stream, report, kept);
        }
    }
    fputs("```\n</details>\n", stream);
}

/* Of the drawn cases and the stored ones, all judged in this run. The user's own cases come without
 * stored ones; there it would repeat the summary. */
static void write_known(FILE *stream, const struct report *report)
{
    if (report->inputs_name) {
        return;
    }
    fputs(
        "\n## Largest known errors\n\nThe larger of the drawn cases' and of the stored cases', "
        "among which are the worst that long hunts found; all judged in this run. Where each case "
        "has a bound of its own, it is the largest share of it that counts.\n\n"
        "| function | largest known error | share of bound | domain | largest drawn in this run |\n"
        "|:---|---:|---:|:---|---:|\n",
        stream);
    for (size_t i = 0; i < report->function_count; i++) {
        const struct kept *kept = report_largest_known(report, i);
        if (!kept->present) {
            continue;
        }
        const struct sweep_part *part = &report->sweep->parts[kept->part];
        char error[FIGURE_TEXT], share[FIGURE_TEXT], drawn[FIGURE_TEXT];
        fprintf(stream, "| `%s` | %s %s | %s | `%s` | %s |\n", part->function->name,
                figure(kept->error_scaled, error), error_unit(part->function),
                share_text(kept, share), part_name(part),
                drawn_text(part->function, &report->totals[i], drawn));
    }
    write_known_inputs(stream, report);
}

static void write_worst(FILE *stream, const struct report *report, size_t number)
{
    const struct kept *kept = &report->totals[number].worst[WORST_SHARE];
    if (kept->present) {
        fputs("\n<details><summary>The worst case</summary>\n\n```sh\n", stream);
        write_kept(stream, report, kept);
        fputs("```\n</details>\n", stream);
    }
}

static void write_findings(FILE *stream, const struct report *report, size_t number)
{
    struct part_range range = report_parts(report, number);
    for (size_t i = range.first; i < range.end; i++) {
        const struct tally *tally = &report->tallies[i];
        for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
            if (tally->findings[finding] > 0) {
                fprintf(stream, "\n**%s** in `%s`: %" PRIu64 " cases, the first is\n\n```sh\n",
                        finding_name(finding), part_name(&report->sweep->parts[i]),
                        tally->findings[finding]);
                write_kept(stream, report, &tally->first[finding]);
                fputs("```\n", stream);
            }
        }
    }
    uint64_t skipped = report->totals[number].skipped;
    if (skipped > 0) {
        fprintf(stream, "\nNot judged: %" PRIu64 " cases, %s.\n", skipped, skipped_note);
    }
}

static void write_function(FILE *stream, const struct report *report, size_t number)
{
    const struct function *function =
        report->sweep->parts[report_parts(report, number).first].function;
    fprintf(stream, "\n## %s\n\n", function->name);
    write_text(stream, function->summary);
    fputs("\n\nPromise: ", stream);
    write_bound(stream, function);
    fprintf(stream, ", where\n\n```\nF = %s\n", function->formula);
    if (*function->scale) {
        fprintf(stream, "S = %s\n", function->scale);
    }
    fputs("```\n\n", stream);
    write_domains(stream, report, number);
    write_figures(stream, report, number);
    write_findings(stream, report, number);
    write_worst(stream, report, number);
}

/* What the implementation lacks must not pass for judged. */
static void write_missing(FILE *stream, const struct report *report)
{
    bool any = false;
    for (size_t i = 0; i < catalog_count; i++) {
        if (report_lacks(report, catalog[i])) {
            fputs(any ? "" : "\n", stream);
            write_lacking_name(stream, catalog[i]->name, !any);
            any = true;
        }
    }
    fputs(any ? ".\n" : "", stream);
}

static void write_notes(FILE *stream)
{
    fputs("\nShare of bound: each case against its own tolerance, K u S + 2^-1074 (for vectors of "
          "n numbers sqrt(n) 2^-1074); where results are subnormal, the second term is most of it. "
          "Where a value must be returned bit for bit, the tolerance is 0 and there is no share: "
          "\"must be exact here\".\n\n"
          "<details><summary>What the words mean</summary>\n\n"
          "- **violation**: an error above the bound.\n"
          "- **class mismatch**: NaN, infinity and number confused, or the other zero where a "
          "value must be returned bit for bit.\n"
          "- **undefined**: inputs for which the function promises nothing; not compared.\n"
          "- **undecided**: the exact answer could not be enclosed narrowly enough to tell; not "
          "compared, and never taken for within.\n"
          "- **misrounded**: another double is nearer to the exact answer; no fault, unless "
          "correct rounding is promised.\n"
          "- **p50, p99.9**: half of the cases, or 99.9 % of them, have no larger error; \"-\" "
          "where there are fewer than 1000 cases.\n"
          "\n</details>\n",
          stream);
}

void render_markdown(FILE *stream, const struct report *report)
{
    fputs("# Accuracy of ", stream);
    write_text(stream, report_implementation(report));
    fprintf(stream,
            "\n\n%" PRIu64 " results were compared with the exact answer. Errors are counted in "
            "u S: u = 2^-53 is the share by which one rounding may change a number, S the size of "
            "what the formula adds up; so 1 u S is the harm of one rounding at that size. "
            "Misrounded are results with another double nearer to the exact answer.\n\n",
            report_compared(report));
    write_summary(stream, report);
    write_missing(stream, report);
    write_known(stream, report);
    write_notes(stream);
    for (size_t i = 0; i < report->function_count; i++) {
        write_function(stream, report, i);
    }
    fprintf(stream, "\n---\nSeed %" PRIu64 ", %s, %.1f s with %u job%s: `%s`\n",
            report->sweep->seed, report->date, report->seconds, report->sweep->jobs,
            report->sweep->jobs == 1 ? "" : "s", report->command);
}
