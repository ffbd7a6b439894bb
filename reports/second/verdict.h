/* The verdict on results, once more: what impl/truelerp.h promises, in rationals, against the
 * second oracle's answer. */
#ifndef TRUELERP_REPORTS_SECOND_VERDICT_H
#define TRUELERP_REPORTS_SECOND_VERDICT_H

#include "second.h"

enum second_verdict {
    SECOND_WITHIN,
    SECOND_VIOLATION,
    SECOND_MISMATCH, /* of classes: NaN, infinities and numbers, a zero's sign, counts */
    SECOND_OPEN      /* the enclosures do not tell, or the rule is beyond this one */
};

enum second_measure {
    SECOND_SCALED, /* |r - F| <= K u S + slack + 2^-1074 */
    SECOND_VECTOR, /* the same of lengths, with sqrt(n) 2^-1074 */
    SECOND_ULPS,   /* |r - F| <= K ulp(F) */
    SECOND_ROUNDED /* the nearest double, ties to even */
};

/* What the verdict needs to know of a function. */
struct second_bound {
    enum second_measure measure;
    double K, length_K;
    bool slack;
    size_t outputs;
    bool whole[SECOND_OUTPUTS];
};

/* On one number, or on the vector. The figures are those of a finite result. */
struct second_finding {
    enum second_verdict verdict;
    bool measured;
    struct span ulp, scaled; /* |r - F| / ulp(F), and / max(u S, 2^-1074) */
};

struct second_judgement {
    enum second_verdict verdict; /* the worst */
    size_t count;
    struct second_finding finding[SECOND_NUMBERS];
};

void second_judgement_open(struct second_judgement *judgement);
void second_judgement_close(struct second_judgement *judgement);

void second_judge(const struct second *second, const struct second_bound *bound,
                  const struct values *results, struct second_judgement *judgement);

/* The same of a cubic polynomial's roots, with the coefficients from x^3 down: in rationals, how
 * large the polynomial is at each and, by Sturm's theorem, on the way to the exact one. */
void second_judge_roots(const double *coefficients, double K, const struct second *second,
                        const struct values *results, struct second_judgement *judgement);

#endif
