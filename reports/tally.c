#include "tally.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The judge promises it; sums that round would depend on the split of the work. */
static void off_the_grid(double error)
{
    fprintf(stderr, "truelerp: internal error: the figure %a is no multiple of 2^-32\n", error);
    abort();
}

static void sum_add(struct exact_sum *sum, double error)
{
    if (error == 0) {
        return;
    }
    int exponent;
    double fraction = frexp(error, &exponent);
    if (!(error > 0 && isfinite(error))) {
        off_the_grid(error);
    }
    /* error = mantissa 2^(exponent - 53) = mantissa 2^(shift - 32) */
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int shift = exponent - 53 + 32;
    while (mantissa % 2 == 0) {
        mantissa /= 2;
        shift++;
    }
    if (shift < 0) {
        off_the_grid(error);
    }
    mp_limb_t part[2] = {0, 0};
    part[0] = mantissa << (shift % GMP_NUMB_BITS);
    if (shift % GMP_NUMB_BITS > 0) {
        part[1] = mantissa >> (GMP_NUMB_BITS - shift % GMP_NUMB_BITS);
    }
    int at = shift / GMP_NUMB_BITS;
    mpn_add(sum->limb + at, sum->limb + at, SUM_LIMBS - at, part, 2);
}

static void sum_merge(struct exact_sum *into, const struct exact_sum *from)
{
    mpn_add_n(into->limb, into->limb, from->limb, SUM_LIMBS);
}

double errors_mean(const struct errors *errors)
{
    if (errors->count == 0) {
        return NAN;
    }
    mpz_t sum;
    mpq_t mean;
    mpfr_t rounded;
    mpz_init(sum);
    mpq_init(mean);
    mpfr_init2(rounded, 53);
    mpz_import(sum, SUM_LIMBS, -1, sizeof(mp_limb_t), 0, 0, errors->sum.limb);
    mpq_set_z(mean, sum);
    mpz_import(mpq_denref(mean), 1, -1, sizeof errors->count, 0, 0, &errors->count);
    mpz_mul_2exp(mpq_denref(mean), mpq_denref(mean), 32);
    mpq_canonicalize(mean);
    mpfr_set_q(rounded, mean, MPFR_RNDN);
    double result = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    mpq_clear(mean);
    mpz_clear(sum);
    return result;
}

double histogram_edge(size_t i)
{
    int octave = (int)(i / HISTOGRAM_STEPS);
    double step = (double)(i % HISTOGRAM_STEPS) / HISTOGRAM_STEPS;
    return ldexp(1 + step, HISTOGRAM_LOW + octave);
}

/* The bin of an error up to 2^HIGH. No logarithm: the result must not depend on a libm. */
static size_t histogram_bin(double error)
{
    int exponent;
    double fraction = frexp(error, &exponent);
    int octave = exponent - 1 - HISTOGRAM_LOW;
    int step = (int)ceil((2 * fraction - 1) * HISTOGRAM_STEPS);
    int bin = octave * HISTOGRAM_STEPS + step - 1;
    return bin > 0 ? (size_t)bin : 0;
}

static void errors_add(struct errors *errors, double error)
{
    errors->count++;
    errors->max = fmax(errors->max, error);
    sum_add(&errors->sum, error);
    if (error == 0) {
        errors->histogram.zero++;
    } else if (error <= ldexp(1, HISTOGRAM_HIGH)) {
        errors->histogram.bin[histogram_bin(error)]++;
    } else {
        errors->histogram.beyond++;
    }
}

static void errors_merge(struct errors *into, const struct errors *from)
{
    into->count += from->count;
    into->max = fmax(into->max, from->max);
    sum_merge(&into->sum, &from->sum);
    into->histogram.zero += from->histogram.zero;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        into->histogram.bin[i] += from->histogram.bin[i];
    }
    into->histogram.beyond += from->histogram.beyond;
}

double errors_quantile(const struct errors *errors, unsigned permille)
{
    if (errors->count == 0) {
        return NAN;
    }
    /* the least rank r with r / count >= permille / 1000, without overflow */
    uint64_t rank =
        errors->count / 1000 * permille + (errors->count % 1000 * permille + 999) / 1000;
    uint64_t below = errors->histogram.zero;
    if (rank <= below) {
        return 0;
    }
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        below += errors->histogram.bin[i];
        if (rank <= below) {
            return fmin(histogram_edge(i + 1), errors->max);
        }
    }
    return errors->max;
}

int tally_axis_bin(double parameter, double low, double high)
{
    if (isnan(parameter)) {
        return -1;
    }
    double bin = floor((parameter - low) / (high - low) * AXIS_BINS);
    return (int)fmin(fmax(bin, 0), AXIS_BINS - 1);
}

static void keep_result(struct kept *kept, const struct values *results)
{
    kept->has_result = false;
    if (!results || results->start[results->count] > KEPT_NUMBERS) {
        return;
    }
    kept->has_result = true;
    kept->result_count = results->count;
    memcpy(kept->result_start, results->start, (results->count + 1) * sizeof results->start[0]);
    memcpy(kept->result, results->number, results->start[results->count] * sizeof(double));
}

/* Whether a case with this key, at this place, goes before the one that is kept. */
static bool goes_first(const struct kept *kept, double key, uint32_t part, uint64_t index)
{
    if (!kept->present || key != kept->key) {
        return !kept->present || key > kept->key;
    }
    return part != kept->part ? part < kept->part : index < kept->index;
}

static void keep(struct kept *kept, double key, const struct tally_case *place,
                 const struct values *results, const struct judgement *judgement, const char *note)
{
    if (!goes_first(kept, key, place->part, place->index)) {
        return;
    }
    *kept = (struct kept){.present = true, .part = place->part, .index = place->index, .key = key};
    if (judgement) {
        kept->verdict = judgement->verdict;
        kept->measured = judgement->measured;
    }
    if (judgement && judgement->measured) {
        kept->error_ulp = judgement->error_ulp;
        kept->error_scaled = judgement->error_scaled;
        kept->bound = judgement->bound;
    }
    keep_result(kept, results);
    snprintf(kept->note, sizeof kept->note, "%s", note);
}

static void kept_merge(struct kept *into, const struct kept *from)
{
    if (from->present && goes_first(into, from->key, from->part, from->index)) {
        *into = *from;
    }
}

/* Where the answer is given bit for bit, the bound is 0 and any error an endless share of it. */
double share_of_bound(double error_scaled, double bound)
{
    if (bound > 0) {
        return fmin(error_scaled / bound, DBL_MAX);
    }
    return error_scaled > 0 ? DBL_MAX : 0;
}

static void tally_figures(struct tally *tally, const struct tally_case *place,
                          const struct values *results, const struct judgement *judgement)
{
    double share = share_of_bound(judgement->error_scaled, judgement->bound);
    tally->share = fmax(tally->share, share);
    tally->misrounded += judgement->error_ulp > 0.5;
    errors_add(&tally->ulp, judgement->error_ulp);
    errors_add(&tally->scaled, judgement->error_scaled);
    keep(&tally->worst[WORST_SHARE], share, place, results, judgement, "");
    keep(&tally->worst[WORST_SCALED], judgement->error_scaled, place, results, judgement, "");
    keep(&tally->worst[WORST_ULP], judgement->error_ulp, place, results, judgement, "");
    if (place->axis_bin >= 0) {
        struct axis_bin *bin = &tally->axis[place->axis_bin];
        bin->count++;
        bin->max = fmax(bin->max, judgement->error_scaled);
    }
}

void tally_judgement(struct tally *tally, const struct tally_case *place,
                     const struct values *results, const struct judgement *judgement)
{
    static const enum finding findings[VERDICT_COUNT] = {
        [VERDICT_WITHIN] = FINDING_COUNT,
        [VERDICT_VIOLATION] = FINDING_VIOLATION,
        [VERDICT_CLASS_MISMATCH] = FINDING_MISMATCH,
        [VERDICT_UNDECIDED] = FINDING_UNDECIDED,
        [VERDICT_UNDEFINED] = FINDING_COUNT,
    };
    tally->verdicts[judgement->verdict]++;
    if (judgement->measured) {
        tally_figures(tally, place, results, judgement);
    }
    if (!isnan(judgement->figure)) {
        errors_add(&tally->figure, judgement->figure);
    }
    enum finding finding = findings[judgement->verdict];
    if (finding != FINDING_COUNT) {
        tally->findings[finding]++;
        keep(&tally->first[finding], 0, place, results, judgement, "");
    }
}

void tally_finding(struct tally *tally, const struct tally_case *place, enum finding finding,
                   const struct values *results, const char *note)
{
    tally->findings[finding]++;
    keep(&tally->first[finding], 0, place, results, NULL, note);
}

void tally_merge_findings(struct tally *into, const struct tally *from)
{
    for (int i = 0; i < FINDING_COUNT; i++) {
        into->findings[i] += from->findings[i];
        kept_merge(&into->first[i], &from->first[i]);
    }
}

void tally_merge(struct tally *into, const struct tally *from)
{
    for (int i = 0; i < VERDICT_COUNT; i++) {
        into->verdicts[i] += from->verdicts[i];
    }
    tally_merge_findings(into, from);
    into->skipped += from->skipped;
    for (int i = 0; i < WORST_COUNT; i++) {
        kept_merge(&into->worst[i], &from->worst[i]);
    }
    for (int i = 0; i < AXIS_BINS; i++) {
        into->axis[i].count += from->axis[i].count;
        into->axis[i].max = fmax(into->axis[i].max, from->axis[i].max);
    }
    into->misrounded += from->misrounded;
    into->share = fmax(into->share, from->share);
    into->inputs += from->inputs;
    into->results += from->results;
    errors_merge(&into->ulp, &from->ulp);
    errors_merge(&into->scaled, &from->scaled);
    errors_merge(&into->figure, &from->figure);
}

uint64_t tally_compared(const struct tally *tally)
{
    return tally->verdicts[VERDICT_WITHIN] + tally->verdicts[VERDICT_VIOLATION] +
           tally->verdicts[VERDICT_CLASS_MISMATCH];
}

uint64_t tally_cases(const struct tally *tally)
{
    return tally_compared(tally) + tally->verdicts[VERDICT_UNDECIDED] +
           tally->verdicts[VERDICT_UNDEFINED] + tally->findings[FINDING_CRASH] +
           tally->findings[FINDING_TIMEOUT] + tally->findings[FINDING_FAULT] + tally->skipped;
}

const char *finding_name(enum finding finding)
{
    static const char *const names[FINDING_COUNT] = {
        [FINDING_CRASH] = "crash",
        [FINDING_TIMEOUT] = "time-out",
        [FINDING_VIOLATION] = "violation",
        [FINDING_MISMATCH] = "class mismatch",
        [FINDING_ENVIRONMENT] = "environment",
        [FINDING_FAULT] = "fault",
        [FINDING_UNDECIDED] = "undecided",
    };
    return names[finding];
}

const char *tally_verdict(const struct tally *tally)
{
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        if (tally->findings[finding] > 0) {
            return finding_name(finding);
        }
    }
    if (tally->skipped > 0) {
        return "not judged";
    }
    return tally_compared(tally) > 0 ? "within" : "nothing compared";
}
