#include "retrial.h"

#include <math.h>
#include <string.h>

enum { GRID_BITS = 32 };

static double stepped(double x, int steps)
{
    for (int i = 0; i < steps; i++) {
        x = nextafter(x, INFINITY);
    }
    return x;
}

static void spoil_number(double *x, uint64_t way)
{
    switch (way) {
    case 0:
        *x = stepped(*x, 1);
        break;
    case 1:
        *x = nextafter(*x, -INFINITY);
        break;
    case 2:
        *x = stepped(*x, 9);
        break;
    case 3:
        *x *= 1 + 0x1p-44;
        break;
    case 4:
        *x = NAN;
        break;
    case 5:
        *x = copysign(INFINITY, *x);
        break;
    case 6:
        *x = -*x;
        break;
    default:
        *x += 0x1p-1074;
    }
}

/* Half of all results stay as they are. */
void retrial_spoil(struct values *results, uint64_t number)
{
    enum { WAYS = 10 };
    uint64_t bits = number * UINT64_C(0x9e3779b97f4a7c15);
    bits ^= bits >> 29;
    size_t numbers = results->start[results->count];
    if (bits % 2 == 0 || numbers == 0) {
        return;
    }
    uint64_t way = bits / 2 % WAYS;
    size_t which = (size_t)(bits / 32 % numbers);
    if (way < WAYS - 2) {
        spoil_number(&results->number[which], way);
        return;
    }
    if (way == WAYS - 2) { /* one root for another */
        results->number[which] = results->number[(which + 1) % numbers];
        return;
    }
    size_t field = (size_t)(bits / 32 % results->count);
    size_t length = values_length(results, field);
    if (length > 0 && bits / 1024 % 2 == 0) {
        values_remove(results, field, 0, 1);
    } else {
        *values_insert(results, field, length, 1) = 0;
    }
}

static struct second_bound bound_of(const struct function *function)
{
    static const enum second_measure measures[] = {[MEASURE_SCALED] = SECOND_SCALED,
                                                   [MEASURE_VECTOR] = SECOND_VECTOR,
                                                   [MEASURE_ULPS] = SECOND_ULPS,
                                                   [MEASURE_ROUNDED] = SECOND_ROUNDED,
                                                   [MEASURE_OWN] = SECOND_SCALED};
    struct second_bound bound = {.measure = measures[function->measure],
                                 .K = function->K,
                                 .length_K = function->length_K,
                                 .slack = function->slack,
                                 .outputs = function->output_count};
    memcpy(bound.whole, function->whole, sizeof bound.whole);
    return bound;
}

static bool is_roots(const struct function *function)
{
    return strcmp(function->name, "cubic_roots") == 0;
}

static enum verdict verdict_of(enum second_verdict verdict)
{
    static const enum verdict verdicts[] = {[SECOND_WITHIN] = VERDICT_WITHIN,
                                            [SECOND_VIOLATION] = VERDICT_VIOLATION,
                                            [SECOND_MISMATCH] = VERDICT_CLASS_MISMATCH,
                                            [SECOND_OPEN] = VERDICT_UNDECIDED};
    return verdicts[verdict];
}

const char *retrial_name(enum second_verdict verdict)
{
    return verdict == SECOND_OPEN ? "open" : verdict_name(verdict_of(verdict));
}

/* May the grid point stand for the real number? It is the nearest one; figures of an enclosure that
 * is not narrow are anything in it. */
static bool is_figure(double figure, const struct span *real)
{
    double step = ldexp(1, (figure < 1 ? 0 : ilogb(figure)) - GRID_BITS);
    mpq_t low, high, half;
    mpq_inits(low, high, half, NULL);
    mpq_set_d(half, step);
    mpq_div_2exp(half, half, 1);
    mpq_set_d(low, figure);
    mpq_add(high, low, half);
    mpq_sub(low, low, half);
    bool near = mpq_cmp(real->high, low) >= 0 && mpq_cmp(real->low, high) <= 0;
    mpq_clears(low, high, half, NULL);
    return near;
}

/* Figures are put right where the grid would turn the verdict round, and saturate. */
static bool is_scaled_figure(const struct judgement *judgement, const struct span *real)
{
    double above = judgement->bound +
                   ldexp(1, (judgement->bound < 1 ? 0 : ilogb(judgement->bound)) - GRID_BITS);
    return judgement->error_scaled == judgement->bound || judgement->error_scaled == above ||
           judgement->error_scaled >= 0x1p1000 || is_figure(judgement->error_scaled, real);
}

/* The largest ulps of all roots, and what is judged of one of them. */
static bool same_root_figures(const struct judgement *judgement,
                              const struct second_judgement *again)
{
    struct span ulp;
    span_init(&ulp);
    bool scaled = again->count == 0;
    for (size_t i = 0; i < again->count; i++) {
        const struct second_finding *finding = &again->finding[i];
        if (!finding->measured) { /* an infinity */
            scaled = scaled || judgement->error_scaled == 0;
        } else {
            scaled = scaled || is_scaled_figure(judgement, &finding->scaled);
            mpq_set(ulp.low, mpq_cmp(finding->ulp.low, ulp.low) > 0 ? finding->ulp.low : ulp.low);
            mpq_set(ulp.high,
                    mpq_cmp(finding->ulp.high, ulp.high) > 0 ? finding->ulp.high : ulp.high);
        }
    }
    bool same =
        scaled && (judgement->error_ulp >= 0x1p1000 || is_figure(judgement->error_ulp, &ulp));
    span_clear(&ulp);
    return same;
}

/* Some number of the output that decided has the figures. */
static bool same_figures(const struct judgement *judgement, const struct second *second,
                         const struct second_judgement *again)
{
    size_t first = 0, measured = 0;
    for (size_t k = 0; k < judgement->output; k++) {
        first += second->length[k];
    }
    for (size_t i = first; i < first + second->length[judgement->output] && i < again->count; i++) {
        const struct second_finding *finding = &again->finding[i];
        measured += finding->measured;
        if (finding->measured && is_scaled_figure(judgement, &finding->scaled) &&
            (judgement->error_ulp >= 0x1p1000 || is_figure(judgement->error_ulp, &finding->ulp))) {
            return true;
        }
    }
    return measured == 0;
}

static struct retrial told(bool same, const char *what)
{
    return (struct retrial){true, same ? NULL : what};
}

/* A wrapped time leaves a window in which the contract lets a result be right elsewhere: only one
 * that is right at the time itself is judged again. */
struct retrial retrial_compare(const struct function *function, const struct values *inputs,
                               const struct values *results, const struct judgement *judgement,
                               const struct second *second, struct second_judgement *again)
{
    static const char verdict[] = "the verdict", figures[] = "the figures";
    again->verdict = SECOND_OPEN;
    again->count = 0;
    if (second->kind == SECOND_UNDEFINED) {
        return told(judgement->verdict == VERDICT_UNDEFINED, verdict);
    }
    if (is_roots(function)) {
        second_judge_roots(inputs->number, function->K, second, results, again);
    } else if (!second->one_of_several) {
        struct second_bound bound = bound_of(function);
        second_judge(second, &bound, results, again);
    }
    if (again->verdict == SECOND_OPEN || (second->wrapped && again->verdict != SECOND_WITHIN)) {
        return (struct retrial){false, NULL};
    }
    if (verdict_of(again->verdict) != judgement->verdict) {
        return told(false, verdict);
    }
    bool exact = judgement->measured && !second->wrapped && second->kind == SECOND_REAL &&
                 judgement->precision < REPORT_PRECISION;
    bool same = !exact || (is_roots(function) ? same_root_figures(judgement, again)
                                              : same_figures(judgement, second, again));
    return told(same, figures);
}
