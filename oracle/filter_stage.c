#include "filter_stage.h"
#include "bits.h"
#include "filter.h"

/* A number that is only known to lie from low to high; neither is negative. */
struct span {
    double low, high;
};

/* What makes up for a few operations on numbers that are not negative, each rounded to nearest. */
static const double NARROW = 1 - 0x1p-49, WIDEN = 1 + 0x1p-49;

/* What is in an estimate may be of such sizes; see struct estimate's exponent. */
enum { EXPONENT_MAX = 900, EXPONENT_BIAS = 1023, FRACTION_BITS = 52, GRID_BITS = 32 };

/* That of the least normal double */
enum { EXPONENT_LEAST = -1022 };

/* The grid point nearest to x, from 0 to 2^1000, ties to even: 33 significant bits from 1 on,
 * multiples of 2^-32 below, the spacing of doubles from 2^20 on. */
static inline double grid_point(double x)
{
    if (x < 1) {
        return (x + 0x1p20) - 0x1p20;
    }
    enum { DROPPED = FRACTION_BITS - GRID_BITS };
    uint64_t bits = bits_of(x);
    uint64_t odd = bits >> DROPPED & 1;
    bits += (UINT64_C(1) << (DROPPED - 1)) - 1 + odd;
    return double_of(bits >> DROPPED << DROPPED);
}

/* Leaves the grid point in *figure; returns whether it is certain. A NaN never is. */
static inline bool settle(struct span x, double *figure)
{
    if (!(x.low >= 0 && x.high <= 0x1p1000)) {
        return false;
    }
    *figure = grid_point(x.high);
    return *figure == grid_point(x.low);
}

/* That of |x|, in units of 1/unit */
static inline struct span span_of(const struct approximation *x, double unit)
{
    double size = fabs(x->high) * unit;
    double rest = (fabs(x->low) + x->error) * unit * WIDEN;
    double low = (size - rest) * NARROW;
    return (struct span){low > 0 ? low : 0, (size + rest) * WIDEN};
}

/* The same, sharper: x.low counts with its sign. */
static inline struct span sharp_span_of(const struct approximation *x, double unit)
{
    double size = fabs(x->high + x->low) * unit;
    double rest = (x->error * unit + size * 0x1p-53) * WIDEN;
    double low = (size - rest) * NARROW;
    return (struct span){low > 0 ? low : 0, (size + rest) * WIDEN};
}

static int exponent_of(double x)
{
    return (int)(bits_of(x) >> FRACTION_BITS & 0x7ff) - EXPONENT_BIAS;
}

static bool is_moderate(int exponent)
{
    return exponent >= -EXPONENT_MAX && exponent <= EXPONENT_MAX;
}

/* The exponent e of |x|, 2^e <= |x| < 2^(e + 1), if it is certain and moderate.
 *
 * Where high + low is known within an eighth of the spacing of doubles and low is at most half of
 * it, x lies in high's binade unless high is a power of 2; then the sign of x - high decides. */
bool filter_find_exponent(const struct approximation *x, int *exponent)
{
    int found = exponent_of(x->high);
    *exponent = found;
    if (!is_moderate(found)) {
        return false;
    }
    if (!(x->error <= power_of_two(found - FRACTION_BITS - 3))) {
        struct span size = sharp_span_of(x, 1);
        *exponent = exponent_of(size.low);
        return is_moderate(*exponent) && exponent_of(size.high) == *exponent;
    }
    if (bits_of(x->high) << 12 != 0) { /* no power of 2 */
        return true;
    }
    double beyond = x->high > 0 ? x->low : -x->low;
    *exponent = beyond + x->error < 0 ? found - 1 : found;
    return beyond >= x->error || beyond + x->error < 0;
}

/* The exponent of ulp(F), where F is known as x: 2^(exponent of the estimate) F. */
static bool find_ulp(const struct estimate *estimate, const struct approximation *x, int *ulp)
{
    int exponent;
    if (!filter_find_exponent(x, &exponent)) {
        return false;
    }
    int least = EXPONENT_LEAST + estimate->exponent;
    *ulp = (exponent > least ? exponent : least) - FRACTION_BITS;
    return true;
}

/* The result times 2^exponent, if that is exact and finite. */
static inline bool scale_result(double result, int exponent, double *scaled)
{
    if (exponent == 0) {
        *scaled = result;
        return isfinite(result);
    }
    double half = power_of_two(exponent / 2);
    double rest = power_of_two(exponent - exponent / 2);
    *scaled = result * half * rest;
    return isfinite(*scaled) && *scaled / half / rest == result;
}

/* |r - x| in units of 1/unit. With s + e = r - high exactly, it is s + (e - low), where the two
 * roundings are within u of e - low and of the whole. */
static inline struct span find_distance(const struct approximation *x, double result, double unit)
{
    struct dd apart = dd_of_difference(result, x->high);
    double rest = apart.low - x->low;
    double distance = fabs(apart.high + rest);
    double error = (x->error + 0x1p-53 * (fabs(rest) + distance)) * WIDEN;
    double low = (distance - error) * unit * NARROW;
    return (struct span){low > 0 ? low : 0, (distance + error) * unit * WIDEN};
}

/* What a bound is made of: factor u S + slack + components^(1/2) 2^-1074. */
struct yardstick {
    const struct approximation *scale;
    const struct approximation *slack; /* NULL: none */
    double factor;
    size_t components;
};

/* 2^-1074 in ulps; below 2^-1000 it does not matter. */
static double least_in_ulps(const struct estimate *estimate, int ulp)
{
    int exponent = EXPONENT_LEAST - FRACTION_BITS + estimate->exponent - ulp;
    return exponent < -1000 ? 0x1p-1000 : power_of_two(exponent);
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* What adds to factor u S in the bound, in ulps. */
static struct span find_rest(const struct yardstick *yardstick, double least, double ulps)
{
    double floor = sqrt((double)yardstick->components) * least;
    struct span rest = {0, 0};
    if (yardstick->slack) {
        rest = span_of(yardstick->slack, ulps);
    }
    return (struct span){rest.low + floor, rest.high + floor};
}

/* The bound over max(u S, 2^-1074); s is u S, and `least` 2^-1074, in ulps. The factor, unless
 * something that can be seen adds to it. */
static inline struct span find_bound(const struct yardstick *yardstick, struct span s, double least,
                                     double ulps)
{
    double factor = yardstick->factor;
    if (!yardstick->slack && s.low >= 0x1p70 * least) {
        return (struct span){factor, factor};
    }
    struct span rest = find_rest(yardstick, least, ulps);
    if (s.low >= least) {
        return (struct span){(factor + rest.low / s.high) * NARROW,
                             (factor + rest.high / s.low) * WIDEN};
    }
    double most = larger(s.high, least);
    return (struct span){(factor * s.low + rest.low) / most * NARROW,
                         (factor * s.high + rest.high) / least * WIDEN};
}

/* u S, in ulps. One that leaves the range may be anything from 2^940 on: no error shows beside it.
 */
static inline struct span find_unit(const struct yardstick *yardstick, int ulp)
{
    const struct approximation *scale = yardstick->scale;
    bool certain = scale->error <= 0x1p-10 * scale->high && isfinite(scale->high);
    if (certain && !yardstick->slack && exponent_of(scale->high) - 53 - ulp > 950) {
        return (struct span){0x1p940, INFINITY};
    }
    return sharp_span_of(scale, 0x1p-53 * power_of_two(-ulp));
}

/* Judges an error in ulps of F, where ulp(F) = 2^ulp in the estimate. */
static bool assess_distance(const struct estimate *estimate, struct span error, int ulp,
                            const struct yardstick *yardstick, struct assessment *assessment)
{
    double ulps = power_of_two(-ulp);
    double least = least_in_ulps(estimate, ulp);
    struct span s = find_unit(yardstick, ulp);
    struct span unit = {larger(s.low, least), larger(s.high, least)}; /* but if s.high is NaN */
    if (!(s.high >= 0 && unit.low >= 0x1p-64)) {
        return false;
    }
    struct span scaled = {error.low / unit.high * NARROW, error.high / unit.low * WIDEN};
    struct span bound = find_bound(yardstick, s, least, ulps);
    bool within = scaled.high <= bound.low;
    if (!within && !(scaled.low > bound.high * WIDEN)) {
        return false;
    }
    assessment->verdict = within ? VERDICT_WITHIN : VERDICT_VIOLATION;
    assessment->measured = true;
    assessment->settled = true;
    if (!settle(error, &assessment->error_ulp) || !settle(scaled, &assessment->error_scaled)) {
        return false;
    }
    if (bound.low == bound.high) { /* the factor, which lies on the grid */
        assessment->bound = bound.low;
    } else if (!settle(bound, &assessment->bound)) {
        return false;
    }
    if (within != (assessment->error_scaled <= assessment->bound)) {
        assessment_agree(assessment);
    }
    return true;
}

static bool is_zero(const struct approximation *x)
{
    return x->high == 0 && x->low == 0 && x->error == 0;
}

/* A result of 0 where F is exactly 0: no error in any unit, so that S's will do. Where S is 0 as
 * well, 2^-1074 is both the unit and the bound. */
static bool assess_zero(const struct estimate *estimate, const struct yardstick *yardstick,
                        struct assessment *assessment)
{
    int exponent;
    if (is_zero(yardstick->scale) && !yardstick->slack) {
        *assessment = (struct assessment){
            .verdict = VERDICT_WITHIN, .measured = true, .settled = true, .bound = 1};
        return true;
    }
    if (!filter_find_exponent(yardstick->scale, &exponent)) {
        return false;
    }
    return assess_distance(estimate, (struct span){0, 0}, exponent - FRACTION_BITS, yardstick,
                           assessment);
}

/* An infinity of F's sign, where F is certain to be at least 2^1024. (Where it is beside that by
 * less than the bound, or close to 0 beside S, so that at few bits its sign is open, another one
 * tells.)
 */
static bool assess_infinity(const struct estimate *estimate, const struct approximation *value,
                            const struct yardstick *yardstick, double result,
                            struct assessment *assessment)
{
    if (estimate->exponent >= 0 || yardstick->slack) {
        return false;
    }
    struct span size = sharp_span_of(value, 1);
    *assessment = assessment_of(VERDICT_WITHIN);
    assessment->measured = true;
    assessment->bound = yardstick->factor;
    return size.low >= power_of_two(EXPONENT_BIAS + estimate->exponent) * 2 &&
           size.low >= 0x1p-40 * yardstick->scale->high && (value->high > 0) == (result > 0);
}

static inline bool assess_scaled(const struct estimate *estimate, size_t number, bool slack,
                                 double result, struct assessment *assessment)
{
    const struct approximation *value = &estimate->value[number];
    struct yardstick yardstick = {&estimate->scale[number], slack ? &estimate->slack[number] : NULL,
                                  estimate->factor, 1};
    int ulp;
    double scaled;
    if (result == 0 && is_zero(value)) {
        return assess_zero(estimate, &yardstick, assessment);
    }
    if (!find_ulp(estimate, value, &ulp) || !scale_result(result, estimate->exponent, &scaled)) {
        return isinf(result) && assess_infinity(estimate, value, &yardstick, result, assessment);
    }
    return assess_distance(estimate, find_distance(value, scaled, power_of_two(-ulp)), ulp,
                           &yardstick, assessment);
}

bool filter_assess_number(const struct estimate *estimate, size_t number, double result,
                          struct assessment *assessment)
{
    return assess_scaled(estimate, number, false, result, assessment);
}

/* The error in ulps of F; leaves it as a figure too. */
static bool find_ulps(const struct function *function, const struct estimate *estimate,
                      size_t number, double result, struct span *ulps,
                      struct assessment *assessment)
{
    const struct approximation *value = &estimate->value[number];
    int ulp;
    double scaled;
    if (!find_ulp(estimate, value, &ulp) || !scale_result(result, estimate->exponent, &scaled)) {
        return false;
    }
    *ulps = find_distance(value, scaled, power_of_two(-ulp));
    *assessment = (struct assessment){.measured = true, .settled = true, .bound = function->K};
    if (!settle(*ulps, &assessment->error_ulp)) {
        return false;
    }
    assessment->error_scaled = assessment->error_ulp;
    return true;
}

/* MEASURE_ULPS, and MEASURE_ROUNDED, where K = 1/2: a double less than half an ulp of F away is the
 * nearest one, and one that is farther away is not. */
static bool assess_ulps(const struct function *function, const struct estimate *estimate,
                        size_t number, double result, struct assessment *assessment)
{
    struct span ulps;
    if (!find_ulps(function, estimate, number, result, &ulps, assessment)) {
        return false;
    }
    if (ulps.high < function->K) {
        assessment->verdict = VERDICT_WITHIN;
    } else if (ulps.low > function->K) {
        assessment->verdict = VERDICT_VIOLATION;
    } else {
        return false;
    }
    assessment_agree(assessment);
    return true;
}

/* MEASURE_ROUNDED, where the estimate may know the nearest double. */
static bool assess_rounded(const struct function *function, const struct estimate *estimate,
                           size_t number, double result, struct assessment *assessment)
{
    struct span ulps;
    if (!estimate->rounded) {
        return assess_ulps(function, estimate, number, result, assessment);
    }
    if (!isfinite(result)) {
        bool within = result == estimate->nearest;
        *assessment = assessment_of(within ? VERDICT_WITHIN : VERDICT_CLASS_MISMATCH);
        assessment->measured = within;
        assessment->bound = function->K;
        return true;
    }
    if (!find_ulps(function, estimate, number, result, &ulps, assessment)) {
        return false;
    }
    assessment->verdict = result == estimate->nearest ? VERDICT_WITHIN : VERDICT_VIOLATION;
    assessment_agree(assessment);
    return true;
}

/* A number's exponent in an estimate of MEASURE_OWN */
static int own_exponent(const struct estimate *estimate, size_t number)
{
    return estimate->exponent + estimate->shift[number];
}

bool filter_find_distance(const struct estimate *estimate, size_t number, double result,
                          double *low, double *high)
{
    double scaled;
    if (!scale_result(result, own_exponent(estimate, number), &scaled)) {
        return false;
    }
    struct span distance = find_distance(&estimate->value[number], scaled, 1);
    *low = distance.low;
    *high = distance.high;
    return *low <= *high && *high <= 0x1p1000;
}

bool filter_settle(double low, double high, double *figure)
{
    return settle((struct span){low, high}, figure);
}

/* The length of the error vector, in ulps. Squares and their sum are within (n + 1) u, which the
 * root halves, and the root is rounded; squares that underflow are made up for. */
static bool find_vector_distance(const struct function *function, const struct estimate *estimate,
                                 const double *results, int ulp, struct span *error)
{
    struct span square = {0, 0x1p-1000};
    for (size_t k = 0; k < function->output_count; k++) {
        double scaled;
        if (!scale_result(results[k], estimate->exponent, &scaled)) {
            return false;
        }
        struct span part = find_distance(&estimate->value[k], scaled, power_of_two(-ulp));
        square.low += part.low * part.low;
        square.high += part.high * part.high;
    }
    *error = (struct span){sqrt(square.low) * NARROW, sqrt(square.high) * WIDEN};
    return true;
}

/* ||r| - |F|| in ulps. With lengths in units of 2^52 ulps, and double-doubles' relative errors: the
 * squares are exact, or off by less than 2^-1074; their sum is within 3 (n - 1) u^2 (1 + 5u) of
 * itself, its root within half of that and 6 u^2. */
static bool find_length_distance(const struct function *function, const struct estimate *estimate,
                                 const double *results, int ulp, struct span *error)
{
    double unit = power_of_two(-ulp - FRACTION_BITS);
    struct dd square = {0, 0};
    for (size_t k = 0; k < function->output_count; k++) {
        double scaled;
        if (!scale_result(results[k], estimate->exponent, &scaled)) {
            return false;
        }
        square = dd_sum(square, dd_of_product(scaled * unit, scaled * unit));
    }
    if (!(square.high >= 0x1p-100 && square.high <= 0x1p100)) {
        return false;
    }
    struct dd root = dd_root(square);
    double root_error = (3 * (double)function->output_count + 6) * 0x1p-106 * root.high;
    struct approximation magnitude = approximation_scaled(estimate->magnitude, unit);
    struct approximation difference =
        approximation_difference(approximation_of(root, root_error), magnitude);
    *error = sharp_span_of(&difference, 0x1p52);
    return true;
}

static bool assess_vector(const struct function *function, const struct estimate *estimate,
                          const double *results, struct assessment *assessment)
{
    int ulp;
    struct span error;
    struct yardstick yardstick = {estimate->scale, NULL, estimate->factor, function->output_count};
    if (!find_ulp(estimate, &estimate->magnitude, &ulp) ||
        !find_vector_distance(function, estimate, results, ulp, &error) ||
        !assess_distance(estimate, error, ulp, &yardstick, assessment)) {
        return false;
    }
    if (function->length_K == 0) {
        return true;
    }
    struct assessment length;
    yardstick.scale = &estimate->magnitude;
    yardstick.factor = function->length_K;
    if (!find_length_distance(function, estimate, results, ulp, &error) ||
        !assess_distance(estimate, error, ulp, &yardstick, &length)) {
        return false;
    }
    if (assessment_worse(&length, assessment)) {
        *assessment = length;
    }
    return true;
}

static bool assess_number(const struct function *function, const struct estimate *estimate,
                          size_t output, size_t number, double result,
                          struct assessment *assessment)
{
    if (function->whole[output]) {
        *assessment = assessment_of_whole(estimate->value[number].high, result);
        return true;
    }
    switch (function->measure) {
    case MEASURE_SCALED:
        return assess_scaled(estimate, number, function->slack, result, assessment);
    case MEASURE_ULPS:
        return assess_ulps(function, estimate, number, result, assessment);
    case MEASURE_ROUNDED:
        return assess_rounded(function, estimate, number, result, assessment);
    case MEASURE_VECTOR:
    case MEASURE_OWN:
        break;
    }
    return false;
}

static bool lengths_agree(const struct function *function, const struct estimate *estimate,
                          const struct values *results)
{
    for (size_t k = 0; k < function->output_count; k++) {
        if (values_length(results, k) != estimate->length[k]) {
            return false;
        }
    }
    return true;
}

size_t filter_assess(const struct function *function, const struct estimate *estimate,
                     const struct values *results, struct assessment *assessments, double *figure)
{
    if (!lengths_agree(function, estimate, results)) {
        return 0;
    }
    if (function->figure && !settle(sharp_span_of(&estimate->figure, 1), figure)) {
        return 0;
    }
    if (function->measure == MEASURE_VECTOR) {
        return assess_vector(function, estimate, results->number, assessments) ? 1 : 0;
    }
    size_t number = 0;
    for (size_t k = 0; k < function->output_count; k++) {
        for (size_t i = 0; i < estimate->length[k]; i++, number++) {
            if (!assess_number(function, estimate, k, number, results->number[number],
                               &assessments[number])) {
                return 0;
            }
        }
    }
    return number;
}
