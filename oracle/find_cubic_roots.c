/* Roots judged by their estimates: `find` of cubic_roots in doubles, where all of it is certain. */
#include "filter_cubic.h"
#include "filter_stage.h"

enum { ROOTS, MULTIPLICITIES, CODE };

/* How many, how often, and in which order: exactly as they are. */
static bool same_count(const struct estimate *estimate, const struct values *results)
{
    size_t count = estimate->length[ROOTS];
    const double *root = values_field(results, ROOTS);
    const double *multiplicity = values_field(results, MULTIPLICITIES);
    if (values_length(results, ROOTS) != count || values_length(results, MULTIPLICITIES) != count ||
        values_length(results, CODE) != 1 ||
        *values_field(results, CODE) != estimate->value[2 * count].high) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (multiplicity[i] != estimate->value[count + i].high ||
            (i > 0 && root[i - 1] > root[i])) {
            return false;
        }
    }
    return true;
}

/* Does the i-th exact root certainly round to the infinity that was returned? */
static bool rounds_to(const struct estimate *estimate, size_t i, double infinity)
{
    int top = 1024 + estimate->shift[i];
    struct approximation size = estimate->value[i];
    size = infinity > 0 ? size : approximation_negative(size);
    if (top < -900 || top > 900) {
        return top < -900 && size.high > 0x1p-800;
    }
    /* where numbers begin to round to infinity: 2^1024 - 2^970 */
    struct approximation limit = {power_of_two(top), -power_of_two(top - 54), 0};
    struct approximation beyond = approximation_difference(size, limit);
    return beyond.high * (1 - 0x1p-50) > beyond.error;
}

/* p at a returned root r = z 2^exponent, in units that suit it */
struct place {
    int exponent;
    struct shifted at;
    double terms; /* S, the sum of the terms' sizes, within 7u of itself: 6 roundings, and the
                     dropped coefficients */
};

FILTER_INLINE struct place place_of(const struct polynomial *p, double root)
{
    struct place place = {.exponent = 0};
    double q[COEFFICIENTS];
    double z = frexp(root, &place.exponent), size = fabs(z);
    set_unit(p, place.exponent, q);
    place.at = shift_to(q, z);
    place.terms = ((fabs(q[0]) * size + fabs(q[1])) * size + fabs(q[2])) * size + fabs(q[3]);
    return place;
}

/* Is |p| <= bound u S, certainly, from r to the exact root, which is up to `distance` away? There S
 * is at least (1 - distance / |z|)^3 of what it is at r, for 1/2 <= |z| < 1 not less than
 * 1 - 6 distance of it; and p' differs from that at r by at most `change`. So |p| is
 *     at most (|p'(r)| + change) distance, since p is 0 at the exact root;
 *     at most |p(r)| if p' keeps its sign, which it does where |p'(r)| > change.
 * Roundings, some u of each number, are less than the slop.
 *
 * The first is never nearly reached where it matters, which is where p' = 0 somewhere between, at
 * the largest |p|; else |p| is largest at r. From the exact root to there |p'| is what it differs
 * by from that 0, and its integral, |p|, at most (|c2| + |c3| distance) distance^2: less than half
 * of change distance. So a bound twice as large would still let nothing pass that is not within. */
FILTER_INLINE bool within_between(const struct place *place, double distance, double bound)
{
    static const double slop = 1 + 0x1p-40;
    const struct shifted *at = &place->at;
    double steepness = fabs(at->c1.high);
    double bend = 2 * (fabs(at->c2.high) + at->c2.error) * slop + 3 * fabs(at->c3) * distance;
    double change = (bend * distance + at->c1.error + 0x1p-52 * steepness) * slop;
    double least = bound * 0x1p-53 * place->terms * (1 - 6 * distance) / slop;
    return (steepness + change) * distance * slop <= least ||
           (steepness > change && (fabs(at->c0.high) + at->c0.error) * slop <= least);
}

/* Whether a result is within 2^-1074 of the exact root. Where that is a close call, an enclosure of
 * the ladder's may leave it open, and so does this. Farther than 2^-900 from 0, it does not matter:
 * the error of a result that is so near comes to 0 as a figure, either way. */
enum nearness { NEAR, FAR, OPEN };

static enum nearness nearness_of(const struct estimate *estimate, size_t i, double low, double high)
{
    if (high == 0) {
        return NEAR;
    }
    if (estimate->shift[i] <= 900) {
        return FAR;
    }
    double least = power_of_two(estimate->shift[i] - 1074);
    return high <= least * (1 - 0x1p-20) ? NEAR : low >= least * (1 + 0x1p-20) ? FAR : OPEN;
}

/* By p at the returned root, which is up to distance 2^exponent from the exact one. Returns false
 * where it is not certain. */
FILTER_INLINE bool assess_residual(const struct polynomial *p, int exponent, double root,
                                   double distance, struct assessment *assessment)
{
    struct place place = place_of(p, root);
    int shift = exponent - place.exponent;
    double unit = 0x1p-53 * place.terms;
    double size = fabs(place.at.c0.high);
    double error = (fabs(place.at.c0.low) + place.at.c0.error) * (1 + 0x1p-49);
    double low = (size - error) / unit * (1 - 0x1p-49);
    double high = (size + error) / unit * (1 + 0x1p-49);
    if (shift < -1000 || shift > 1000 ||
        !filter_settle(low > 0 ? low : 0, high, &assessment->error_scaled)) {
        return false;
    }
    assessment->verdict = low > assessment->bound ? VERDICT_VIOLATION : VERDICT_WITHIN;
    assessment_agree(assessment);
    return low > assessment->bound ||
           (high <= assessment->bound &&
            within_between(&place, distance * power_of_two(shift), assessment->bound));
}

/* Which side of the power of 2 that the estimated root is next to, if it is simple: -1 if it is
 * smaller in size, 1 if not; 0 if that is not known. p's sign there says so, since p has a slope of
 * a known sign at the root, and no other root between the two: the others' enclosures lie beyond
 * this one's. */
static int side_of_power(const struct polynomial *p, const struct estimate *estimate, size_t i)
{
    size_t count = estimate->length[ROOTS], place = i;
    int exponent;
    for (size_t k = 0; k < count; k++) {
        bool zero = estimate->value[k].high == 0;
        place -= zero && k < i;
        if (!zero && estimate->value[count + k].high != 1) {
            return 0;
        }
    }
    if (fabs(frexp(estimate->value[i].high, &exponent)) != 0.5) {
        return 0;
    }
    double z = estimate->value[i].high > 0 ? 1 : -1;
    int sign = filter_cubic_sign_at_power(p, z, exponent - 1 - estimate->shift[i]);
    if (sign == 2) {
        return 0;
    }
    double slope = place % 2 == 0 ? polynomial_first_slope(p) : -polynomial_first_slope(p);
    return sign * slope * z > 0 ? -1 : 1;
}

/* A distance as a figure in ulps of the root. Both sizes of an ulp count where the root may lie on
 * either side of a power of 2, unless that matters and can be found out. */
static bool settle_ulps(const struct polynomial *p, const struct estimate *estimate, size_t i,
                        double low, double high, double *figure)
{
    int above, below, least = -1022 + estimate->shift[i];
    if (high == 0) {
        *figure = 0;
        return true;
    }
    if (filter_find_exponent(&estimate->value[i], &above)) {
        below = above;
    } else {
        frexp(estimate->value[i].high, &above);
        above--;
        below = above - 1;
    }
    double ulps_above = power_of_two(52 - (above > least ? above : least));
    double ulps_below = power_of_two(52 - (below > least ? below : least));
    if (filter_settle(low * ulps_above, high * ulps_below, figure)) {
        return true;
    }
    int side = above == below ? 0 : side_of_power(p, estimate, i);
    double ulps = side < 0 ? ulps_below : ulps_above;
    return side != 0 && filter_settle(low * ulps, high * ulps, figure);
}

/* One root against the i-th exact one. */
FILTER_INLINE bool assess_root(const struct polynomial *p, const struct estimate *estimate,
                               size_t i, double root, struct assessment *assessment)
{
    bool zero = estimate->value[i].high == 0;
    if (isinf(root)) {
        *assessment = assessment_of(VERDICT_WITHIN);
        return rounds_to(estimate, i, root);
    }
    double low, high;
    *assessment = (struct assessment){
        .verdict = VERDICT_WITHIN, .measured = true, .settled = true, .bound = estimate->factor};
    if ((zero && signbit(root)) || !filter_find_distance(estimate, i, root, &low, &high) ||
        !settle_ulps(p, estimate, i, low, high, &assessment->error_ulp)) {
        return false;
    }
    enum nearness nearness = nearness_of(estimate, i, low, high);
    return nearness == NEAR || (nearness == FAR && root != 0 && !zero &&
                                assess_residual(p, -estimate->shift[i], root, high, assessment));
}

FILTER_INLINE bool cubic_roots_assessment(const struct values *inputs,
                                          const struct estimate *estimate,
                                          const struct values *results, struct assessment *all)
{
    struct polynomial p;
    if (!same_count(estimate, results)) {
        *all = assessment_of(VERDICT_VIOLATION);
        return true;
    }
    *all = (struct assessment){
        .verdict = VERDICT_WITHIN, .measured = true, .settled = true, .bound = estimate->factor};
    if (estimate->length[ROOTS] > 0) {
        polynomial_set(&p, inputs->number);
    }
    for (size_t i = 0; i < estimate->length[ROOTS]; i++) {
        struct assessment one;
        if (!assess_root(&p, estimate, i, values_field(results, ROOTS)[i], &one)) {
            return false;
        }
        if (assessment_worse(&one, all)) {
            all->verdict = one.verdict;
            all->measured = one.measured;
            all->error_scaled = one.error_scaled;
        }
        all->error_ulp = fmax(all->error_ulp, one.error_ulp);
    }
    return true;
}

/* find_by_estimate, in a variant for the machine */
#if defined __x86_64__ && !defined __FMA__
__attribute__((target("fma"))) static bool find_fma(const struct values *inputs,
                                                    const struct estimate *estimate,
                                                    const struct values *results,
                                                    struct assessment *assessment)
{
    return cubic_roots_assessment(inputs, estimate, results, assessment);
}
#endif

bool find_by_estimate_cubic_roots(const struct values *inputs, const struct estimate *estimate,
                                  const struct values *results, struct assessment *assessment)
{
#if defined __x86_64__ && !defined __FMA__
    if (__builtin_cpu_supports("fma")) {
        return find_fma(inputs, estimate, results, assessment);
    }
#endif
    return cubic_roots_assessment(inputs, estimate, results, assessment);
}
