/* accuracy.json, as accuracy.schema.json describes it. */
#include "render.h"

#include "../corpus/case.h"
#include "../corpus/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The written histograms have quarter octaves, from 2^-14 on. */
enum { MERGED = HISTOGRAM_STEPS / 4, WRITTEN_BINS = HISTOGRAM_BINS / MERGED };
enum { WRITTEN_FIRST = (-14 - HISTOGRAM_LOW) * 4 };

static const char schema_name[] = "truelerp-accuracy-1";

static struct json_object *text_of_field(const struct field *field, const struct values *values,
                                         size_t i, bool whole)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    case_write_field(stream, field, values, i, whole, true);
    fclose(stream);
    struct json_object *object = json_text(text);
    free(text);
    return object;
}

static struct json_object *json_inputs(const struct report *report, const struct kept *kept)
{
    const struct function *function = report->sweep->parts[kept->part].function;
    struct values inputs = {0};
    sweep_case(report->sweep, kept->part, kept->index, &inputs);
    if (report->sweep->parts[kept->part].domain && case_numbers(&inputs) > SHOWN_NUMBERS) {
        values_free(&inputs);
        return NULL;
    }
    struct json_object *object = json_object_new_object();
    for (size_t i = 0; i < function->input_count; i++) {
        json_add(object, function->inputs[i].name,
                 text_of_field(&function->inputs[i], &inputs, i, false));
    }
    values_free(&inputs);
    return object;
}

static struct json_object *json_result(const struct report *report, const struct kept *kept)
{
    const struct function *function = report->sweep->parts[kept->part].function;
    struct values results = {.count = kept->result_count, .number = (double *)kept->result};
    memcpy(results.start, kept->result_start, sizeof results.start);
    struct json_object *array = json_line_array();
    for (size_t i = 0; i < kept->result_count; i++) {
        json_object_array_add(array, text_of_field(&function->outputs[i], &results, i,
                                                   function->whole[i]));
    }
    return array;
}

static struct json_object *json_exact(const struct report *report, const struct kept *kept,
                                      struct judge *judge)
{
    const struct function *function = report->sweep->parts[kept->part].function;
    struct values inputs = {0};
    sweep_case(report->sweep, kept->part, kept->index, &inputs);
    struct json_object *array = json_line_array();
    for (size_t i = 0; i < function->output_count; i++) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);
        judge_write_exact(judge, function, &inputs, i, stream);
        fclose(stream);
        json_object_array_add(array, json_text(text));
        free(text);
    }
    values_free(&inputs);
    return array;
}

static struct json_object *json_command(const struct report *report, const struct kept *kept)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    write_eval_command(stream, report, kept);
    fclose(stream);
    struct json_object *object = json_text(text);
    free(text);
    return object;
}

/* The judge is not asked again about a case on which this program failed. */
static struct json_object *json_kept(const struct report *report, const struct kept *kept,
                                     struct judge *judge)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "domain", json_text(part_name(&report->sweep->parts[kept->part])));
    json_add(object, "case", json_count(kept->index));
    json_add(object, "inputs", json_inputs(report, kept));
    json_add(object, "result", kept->has_result ? json_result(report, kept) : NULL);
    json_add(object, "exact", judge ? json_exact(report, kept, judge) : NULL);
    double share = share_of_bound(kept->error_scaled, kept->bound);
    json_add(object, "error_ulp", kept->measured ? json_number(kept->error_ulp) : NULL);
    json_add(object, "error_scaled", kept->measured ? json_number(kept->error_scaled) : NULL);
    json_add(object, "bound", kept->measured ? json_number(kept->bound) : NULL);
    json_add(object, "share_of_bound", kept->measured ? json_number(share) : NULL);
    if (*kept->note) {
        json_add(object, "note", json_text(kept->note));
    }
    json_add(object, "eval", json_command(report, kept));
    return object;
}

static struct json_object *json_worst(const struct report *report, const struct tally *tally,
                                      struct judge *judge)
{
    static const char *const names[WORST_COUNT] = {[WORST_SHARE] = "share_of_bound",
                                                   [WORST_SCALED] = "error_scaled",
                                                   [WORST_ULP] = "error_ulp"};
    struct json_object *object = json_object_new_object();
    for (int i = 0; i < WORST_COUNT; i++) {
        const struct kept *kept = &tally->worst[i];
        json_add(object, names[i], kept->present ? json_kept(report, kept, judge) : NULL);
    }
    return object;
}

static struct json_object *json_findings(const struct report *report, const struct tally *tally,
                                         struct judge *judge)
{
    struct json_object *array = json_object_new_array();
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        const struct kept *kept = &tally->first[finding];
        if (!kept->present) {
            continue;
        }
        struct json_object *object = json_object_new_object();
        json_add(object, "kind", json_text(finding_name(finding)));
        json_add(object, "count", json_count(tally->findings[finding]));
        bool failed = finding == FINDING_FAULT;
        json_add(object, "first", json_kept(report, kept, failed ? NULL : judge));
        json_object_array_add(array, object);
    }
    return array;
}

static void merge_bins(const struct histogram *histogram, uint64_t bins[WRITTEN_BINS])
{
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        bins[i / MERGED] += histogram->bin[i];
    }
}

/* `edges` is one longer than `counts`, and both end behind the last bin that is not empty. */
static struct json_object *json_histogram(const struct histogram *histogram)
{
    uint64_t bins[WRITTEN_BINS] = {0};
    merge_bins(histogram, bins);
    size_t begin = WRITTEN_FIRST, end = WRITTEN_BINS;
    uint64_t below = 0;
    for (size_t i = 0; i < begin; i++) {
        below += bins[i];
    }
    while (end > begin && bins[end - 1] == 0) {
        end--;
    }
    while (begin < end && bins[begin] == 0) {
        begin++;
    }
    struct json_object *edges = json_line_array();
    struct json_object *counts = json_line_array();
    for (size_t i = begin; i < end; i++) {
        json_object_array_add(edges, json_number(histogram_edge(i * MERGED)));
        json_object_array_add(counts, json_count(bins[i]));
    }
    json_object_array_add(edges, json_number(histogram_edge(end * MERGED)));
    struct json_object *object = json_object_new_object();
    json_add(object, "zero", json_count(histogram->zero));
    json_add(object, "below", json_count(below));
    json_add(object, "edges", edges);
    json_add(object, "counts", counts);
    json_add(object, "beyond", json_count(histogram->beyond));
    return object;
}

static struct json_object *json_errors(const struct errors *errors)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "max", json_number(errors_max(errors)));
    json_add(object, "mean", json_number(errors_mean(errors)));
    json_add(object, "p50", json_number(errors_quantile(errors, 500)));
    json_add(object, "p99", json_number(errors_quantile(errors, 990)));
    json_add(object, "p99.9", json_number(errors_quantile(errors, 999)));
    json_add(object, "histogram", json_histogram(&errors->histogram));
    return object;
}

static struct json_object *json_counts(const struct tally *tally)
{
    struct json_object *object = json_object_new_object();
    json_add(object, "cases", json_count(tally_cases(tally)));
    json_add(object, "compared", json_count(tally_compared(tally)));
    json_add(object, "measured", json_count(tally->scaled.count));
    json_add(object, "within", json_count(tally->verdicts[VERDICT_WITHIN]));
    json_add(object, "violation", json_count(tally->verdicts[VERDICT_VIOLATION]));
    json_add(object, "class_mismatch", json_count(tally->verdicts[VERDICT_CLASS_MISMATCH]));
    json_add(object, "undecided", json_count(tally->verdicts[VERDICT_UNDECIDED]));
    json_add(object, "undefined", json_count(tally->verdicts[VERDICT_UNDEFINED]));
    json_add(object, "environment", json_count(tally->findings[FINDING_ENVIRONMENT]));
    json_add(object, "crash", json_count(tally->findings[FINDING_CRASH]));
    json_add(object, "timeout", json_count(tally->findings[FINDING_TIMEOUT]));
    json_add(object, "fault", json_count(tally->findings[FINDING_FAULT]));
    json_add(object, "skipped", json_count(tally->skipped));
    return object;
}

/* The largest error in each bin of the axis, null where no case fell. */
static struct json_object *json_axis_errors(const struct tally *tally)
{
    struct json_object *array = json_line_array();
    for (size_t i = 0; i < AXIS_BINS; i++) {
        const struct axis_bin *bin = &tally->axis[i];
        json_object_array_add(array, json_number(bin->count > 0 ? bin->max : NAN));
    }
    return array;
}

static struct json_object *json_axis_counts(const struct tally *tally)
{
    struct json_object *array = json_line_array();
    for (size_t i = 0; i < AXIS_BINS; i++) {
        json_object_array_add(array, json_count(tally->axis[i].count));
    }
    return array;
}

static void add_tally(struct json_object *object, const struct report *report,
                      const struct tally *tally, struct judge *judge)
{
    json_add(object, "verdict", json_text(tally_verdict(tally)));
    json_add(object, "counts", json_counts(tally));
    json_add(object, "share_of_bound", json_number(tally_share(tally)));
    json_add(object, "share_misrounded", json_number(tally_misrounded(tally)));
    json_add(object, "error_scaled", json_errors(&tally->scaled));
    json_add(object, "error_ulp", json_errors(&tally->ulp));
    if (tally->figure.count > 0) {
        json_add(object, "figure", json_errors(&tally->figure));
    }
    json_add(object, "worst", json_worst(report, tally, judge));
    json_add(object, "findings", json_findings(report, tally, judge));
    struct json_object *axis = json_object_new_object();
    json_add(axis, "max_error_scaled", json_axis_errors(tally));
    json_add(axis, "counts", json_axis_counts(tally));
    json_add(object, "over_axis", axis);
}

static struct json_object *json_part(const struct report *report, size_t part, struct judge *judge)
{
    const struct sweep_part *source = &report->sweep->parts[part];
    const struct domains *domains = domains_of(source->function);
    struct json_object *object = json_object_new_object();
    json_add(object, "name", json_text(part_name(source)));
    json_add(object, "summary",
             json_text(source->domain ? source->domain->summary : report->inputs_name));
    bool typical = source->domain == &domains->list[domains->typical];
    bool hardest = source->domain == &domains->list[domains->hardest];
    json_add(object, "typical", json_object_new_boolean(typical));
    json_add(object, "hardest", json_object_new_boolean(hardest));
    add_tally(object, report, &report->tallies[part], judge);
    return object;
}

static struct json_object *json_function(const struct report *report, size_t number,
                                         struct judge *judge)
{
    struct part_range range = report_samples(report, number);
    const struct function *function = report->sweep->parts[range.first].function;
    const struct axis *axis = &domains_of(function)->axis;
    struct json_object *object = json_object_new_object();
    json_add_function(object, function);
    struct json_object *abscissa = json_object_new_object();
    json_add(abscissa, "label", json_text(axis->label));
    json_add(abscissa, "low", json_number(axis->low));
    json_add(abscissa, "high", json_number(axis->high));
    json_add(object, "axis", abscissa);
    struct json_object *total = json_object_new_object();
    add_tally(total, report, &report->totals[number], judge);
    json_add(object, "total", total);
    struct json_object *parts = json_object_new_array();
    for (size_t i = range.first; i < range.end; i++) {
        json_object_array_add(parts, json_part(report, i, judge));
    }
    const struct kept *known = report_largest_known(report, number);
    json_add(object, "largest_known",
             known->present && !report->inputs_name ? json_kept(report, known, judge) : NULL);
    json_add(object, "domains", parts);
    return object;
}

static struct json_object *json_run(const struct report *report)
{
    double rate = (double)report_compared(report) / report->seconds;
    struct json_object *object = json_object_new_object();
    json_add(object, "date", json_text(report->date));
    json_add(object, "seconds", json_number(report->seconds));
    json_add(object, "compared_per_second", json_number(rate));
    json_add(object, "jobs", json_count(report->sweep->jobs));
    json_add(object, "command", json_text(report->command));
    return object;
}

/* A function of which nothing was compared must not hide behind the others. */
static const char *report_verdict(const struct report *report, const struct tally *all)
{
    static const struct tally nothing;
    const char *verdict = tally_verdict(all);
    for (size_t i = 0; i < report->function_count; i++) {
        bool compared = tally_compared(&report->totals[i]) > 0;
        if (!compared && strcmp(verdict, "within") == 0) {
            return tally_verdict(&nothing);
        }
    }
    return verdict;
}

static struct json_object *json_total(const struct report *report)
{
    static struct tally all; /* too large for a stack */
    memset(&all, 0, sizeof all);
    for (size_t i = 0; i < report->function_count; i++) {
        tally_merge(&all, &report->totals[i]);
    }
    struct json_object *object = json_object_new_object();
    json_add(object, "functions", json_count(report->function_count));
    json_add(object, "verdict", json_text(report_verdict(report, &all)));
    json_add(object, "share_of_bound", json_number(tally_share(&all)));
    json_add(object, "counts", json_counts(&all));
    return object;
}

struct json_object *render_json(const struct report *report)
{
    struct judge *judge = judge_create();
    struct json_object *json = json_object_new_object();
    json_add(json, "schema", json_text(schema_name));
    json_add(json, "run", json_run(report));
    json_add(json, "implementation", json_text(report_implementation(report)));
    json_add(json, "seed", json_count(report->sweep->seed));
    json_add(json, "samples", json_count(report->samples));
    json_add(json, "inputs", report->inputs_name ? json_text(report->inputs_name) : NULL);
    json_add(json, "total", json_total(report));
    struct json_object *functions = json_object_new_array();
    for (size_t i = 0; i < report->function_count; i++) {
        json_object_array_add(functions, json_function(report, i, judge));
    }
    json_add(json, "functions", functions);
    judge_destroy(judge);
    return json;
}
