/* What a function is: its named inputs and outputs, how its error is measured and bounded, and its
 * exact formula.
 *
 * This room and impl/ share no code but the public header, on purpose: a helper that both used
 * would make both wrong together, and the comparison would not see it.
 */
#ifndef TRUELERP_ORACLE_FUNCTION_H
#define TRUELERP_ORACLE_FUNCTION_H

#include "assessment.h"
#include "values.h"

#include <stdbool.h>

#include <mpfr.h>
/* mpfi.h after mpfr.h */
#include <mpfi.h>

/* An answer has at most so many outputs, and numbers in all of them; a list of values that holds
 * several channels has at most so many of these. */
enum { OUTPUTS_MAX = 8, NUMBERS_MAX = 24, CHANNELS_MAX = 16 };

enum field_kind {
    FIELD_NUMBER,   /* exactly one number */
    FIELD_OPTIONAL, /* one number, or none: an empty field in CSV */
    FIELD_LIST      /* any count of numbers, ';' between them in CSV */
};

/* How long an input list is. */
enum field_length {
    LENGTH_ANY,
    LENGTH_EQUAL,          /* as long as the list `like` */
    LENGTH_EQUAL_OR_EMPTY, /* the same, or no number at all */
    LENGTH_MULTIPLE        /* a whole multiple of it, one for each channel: 0 to CHANNELS_MAX */
};

struct field {
    const char *name; /* as a column; the main output has the name "" */
    enum field_kind kind;
    const char *unit;           /* "time", "value", "value/time", "length", "rad", "1" */
    const char *meaning;        /* one line */
    const char *const *choices; /* NULL, or the names, up to a NULL, of the numbers 0, 1, ...: what
                                   the field's numbers are in CSV */
    enum field_length length;
    size_t like; /* the index of an earlier field */
};

/* How many choices the field has, which has some. */
size_t field_choice_count(const struct field *field);

/* The name of the choice that a number stands for; NULL if it stands for none. */
const char *field_choice_name(const struct field *field, double number);

/* The number of the choice of that name, which is `length` bytes long; -1 if there is none. */
double field_choice(const struct field *field, const char *name, size_t length);

/* The names of tl_status's numbers, for fields that hold one. */
extern const char *const status_choices[];

/* How the distance of a result from the exact answer is measured and judged. */
enum measure {
    MEASURE_SCALED,  /* each output by itself: |r - F| <= K u S + 2^-1074 */
    MEASURE_VECTOR,  /* the outputs are one vector: |r - F| <= K u S + sqrt(n) 2^-1074 */
    MEASURE_ULPS,    /* each output by itself: |r - F| <= K ulp(F) */
    MEASURE_ROUNDED, /* the double nearest to F, ties to even */
    MEASURE_OWN      /* as the function's `find` does it */
};

/* What the contract asks for on given inputs. */
enum answer_kind {
    ANSWER_REAL,     /* the reals in `value`; enclosures, or points where exact */
    ANSWER_GIVEN,    /* the doubles in `given`, bit for bit; NaN stands for any NaN */
    ANSWER_UNDEFINED /* the contract says nothing */
};

/* Filled in by a function's `answer`. All intervals enclose a real number and were never rounded
 * to double. Set the precision of a variable with mpfi_set_prec before use: they come as left by
 * the call before. Numbers are counted over all outputs, a list's one after the other. Whole
 * outputs' numbers are points in `value` and need nothing else. */
struct answer {
    enum answer_kind kind;
    double given[NUMBERS_MAX];
    size_t length[OUTPUTS_MAX]; /* numbers of each output: 1, unless a list's are set otherwise */
    mpfi_t value[NUMBERS_MAX];  /* F */
    mpfi_t scale[NUMBERS_MAX];  /* S; of a vector scale[0] only */
    double factor;             /* before u S in the bound: the function's K, unless set otherwise */
    mpfi_t slack[NUMBERS_MAX]; /* what the bound adds to that, if the function says so */
    mpfi_t magnitude;          /* |F| of a vector, from its own formula: ulp(|F|) needs it sharp */
    mpfi_t figure;             /* see struct function */
};

/* A real number x known in double-double: |x - (high + low)| <= error. */
struct approximation {
    double high, low;
    double error;
};

/* What an answer of ANSWER_REAL is made of, from the first stage. All but the figure is multiplied
 * by 2^exponent, so that very small and very large numbers can be had without underflow and
 * overflow.
 */
struct estimate {
    int exponent;   /* preset to 0; from -1300 to 1300 */
    bool rounded;   /* preset to false; MEASURE_ROUNDED: */
    double nearest; /* is the double nearest to F */
    struct approximation value[NUMBERS_MAX];
    struct approximation scale[NUMBERS_MAX];
    struct approximation slack[NUMBERS_MAX];
    struct approximation magnitude;
    struct approximation figure;
    size_t length[OUTPUTS_MAX]; /* preset to 1 */
    int shift[NUMBERS_MAX];     /* preset to 0; of MEASURE_OWN only: value i is multiplied by
                                   2^shift[i] besides, from -2000 to 2000 */
    double factor;              /* preset to the function's K */
    bool elsewhere; /* preset to false; value and scale are those at another place at which the
                       function lets a result be right, and which its `find` tries first */
};

struct function {
    const char *name;    /* the library's function is "tl_" name */
    const char *family;  /* "hermite": its files' name in every room */
    const char *summary; /* one line */
    const char *formula; /* plain text */
    const char *scale;   /* S as plain text; "" for MEASURE_ROUNDED */
    const char *domain;  /* which inputs are numbers to it and what the others give; plain text */
    const struct field *inputs;
    size_t input_count;
    const struct field *outputs;
    size_t output_count;
    bool whole[OUTPUTS_MAX]; /* outputs that are whole numbers and written without a point */
    enum measure measure;
    double K;           /* the bound's factor; 0.5 for MEASURE_ROUNDED */
    const char *bound;  /* the bound as plain text, where K and the measure do not say it */
    bool slack;         /* MEASURE_SCALED: the answer's slack counts */
    double length_K;    /* MEASURE_VECTOR: if not 0, also
                           ||r| - |F|| <= length_K u |F| + sqrt(n) 2^-1074 */
    const char *figure; /* what the answer's figure is, such as a condition number, which
                           reports show beside the error; NULL: there is none */
    mpfr_prec_t precision_limit; /* at which every double input gets a certain verdict */
    bool equal_at_limit; /* an error and a bound that cannot be told apart at precision_limit are
                            equal; needed, and proved at the formula, where a quotient keeps a
                            rational formula from being exact */

    /* Encloses the exact answer by arithmetic of `precision` bits. A higher precision gives a
     * narrower enclosure; at precision_limit, rational formulas are exact wherever a verdict
     * could depend on it. */
    void (*answer)(const struct values *inputs, mpfr_prec_t precision, struct answer *answer);

    /* The first stage: the same in double-double with a proven bound on every error, in well under
     * a microsecond for all but the oddest inputs. Returns false where the inputs are outside of
     * what the proof covers, or not ordinary in any way; then `answer` decides, as it does wherever
     * the estimate leaves a verdict or a figure open. NULL: there is none. */
    bool (*estimate)(const struct values *inputs, struct estimate *estimate);

    /* MEASURE_OWN: judges results, which may have any lengths, against the answer at `precision`,
     * whole outputs included. */
    struct assessment (*find)(const struct values *inputs, const struct answer *answer,
                              const struct values *results, mpfr_prec_t precision);

    /* MEASURE_OWN: the same by an estimate. Returns false, and leaves the results to `find`, where
     * the verdict or a figure is not certain to be what that comes to at any precision. Not NULL
     * where there is an estimate. */
    bool (*find_by_estimate)(const struct values *inputs, const struct estimate *estimate,
                             const struct values *results, struct assessment *assessment);
};

/* Is its error counted in ulps of F, and not in u S? */
static inline bool function_in_ulps(const struct function *function)
{
    return function->measure == MEASURE_ULPS || function->measure == MEASURE_ROUNDED;
}

/* What is wrong with the lengths of the lists, or with a number that stands for a choice; NULL if
 * nothing is. The message holds until the thread's next call; *field is the offending one. */
const char *function_fault(const struct function *function, const struct values *inputs,
                           size_t *field);

/* All functions, in the catalogue's order. */
extern const struct function *const catalog[];
extern const size_t catalog_count;

/* NULL if there is none of that name. */
const struct function *catalog_find(const char *name);

#endif
