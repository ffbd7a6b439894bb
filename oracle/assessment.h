/* A verdict at one precision, and the figures that go with it. */
#ifndef TRUELERP_ORACLE_ASSESSMENT_H
#define TRUELERP_ORACLE_ASSESSMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

enum verdict {
    VERDICT_WITHIN,
    VERDICT_VIOLATION,      /* the error's lower end exceeds the bound, or a given number differs */
    VERDICT_CLASS_MISMATCH, /* NaN, infinity and number confused, or a given zero's sign */
    VERDICT_UNDECIDED,      /* not even at the function's precision limit */
    VERDICT_UNDEFINED       /* the contract says nothing on these inputs */
};
enum { VERDICT_COUNT = VERDICT_UNDEFINED + 1 };

/* u = 2^-53 and the least positive double, as powers of 2 */
enum { U_EXPONENT = -53, LEAST_EXPONENT = -1074 };

/* One output's share of a judgement, a vector's, or that of results as a whole. */
struct assessment {
    enum verdict verdict; /* within, violation, class mismatch, undecided */
    bool measured;        /* the three figures exist; see judge.h */
    bool settled;         /* they will not change with more precision */
    double error_ulp;
    double error_scaled;
    double bound;
};

/* Without figures. */
struct assessment assessment_of(enum verdict verdict);

/* Is x <= bound? Passes only on a certain comparison. `equal`: what cannot be told apart is equal,
 * hence within; else it is undecided. */
enum verdict assessment_compare(mpfi_srcptr x, mpfi_srcptr bound, bool equal);

/* What a bound is made of: factor u S + slack + 2^-1074. */
struct tolerance {
    mpfi_srcptr scale; /* S */
    double factor;
    mpfi_srcptr slack; /* NULL: none */
    bool equal;        /* an error and a bound that cannot be told apart are equal */
    mpfr_prec_t precision;
};

/* How far a result is off. */
struct distance {
    mpfi_srcptr length;
    mpfi_srcptr square; /* of a vector's; else NULL */
    size_t components;  /* the bound has 2^-1074 times this one's square root */
};

/* Judges a distance from F, of which `magnitude` is the size. */
struct assessment assessment_of_distance(const struct distance *error, mpfi_srcptr magnitude,
                                         const struct tolerance *tolerance);

/* Is an infinite result one that |F| + factor u S and the sign of F allow, or, where there is a
 * slack, one beside which the bound still reaches? */
enum verdict assessment_of_infinity(mpfi_srcptr value, const struct tolerance *tolerance,
                                    double result);

/* Judges one number against the real that `value` encloses, infinities and NaN included. */
struct assessment assessment_of_number(mpfi_srcptr value, const struct tolerance *tolerance,
                                       double result);

/* One number against a double that is to be returned bit for bit. Without a scale, the error is
 * given in ulps twice. */
struct assessment assessment_of_given(double wanted, double result);

/* One number that is to be exactly another: a count, a status, an index. */
struct assessment assessment_of_whole(double wanted, double result);

/* The error as a figure on the grid, in ulps of a number of the given size; unsettles the
 * assessment if the enclosures leave a choice. */
double assessment_in_ulps(mpfi_srcptr error, mpfi_srcptr magnitude, struct assessment *assessment);

/* The same of a figure in any unit. */
double assessment_on_grid(mpfi_srcptr figure, struct assessment *assessment);

/* Makes error_scaled <= bound say what the verdict says: rounding to the grid must not turn the
 * comparison round. */
void assessment_agree(struct assessment *assessment);

/* Is x to be shown rather than y? The worse verdict is; then what is nearer to, or farther beyond,
 * its bound. A bound of 0 is that of a given number. */
bool assessment_worse(const struct assessment *x, const struct assessment *y);

#endif
