/* New cases, drawn from named domains. Sample i is a pure function of (seed, function, domain, i):
 * no state passes from one sample to the next, so any split of the work draws the same cases. */
#ifndef TRUELERP_CORPUS_DRAW_H
#define TRUELERP_CORPUS_DRAW_H

#include "../oracle/function.h"

#include <math.h>
#include <stdint.h>

/* The random bits of one sample. */
struct stream {
    uint64_t key;
    uint64_t counter;
    uint64_t index; /* the sample's, for domains that enumerate their boundaries in order */
};

/* A part of a function's inputs that is worth looking at by itself. */
struct domain {
    const char *name;    /* "near_opposite" */
    const char *summary; /* one line */
    void (*draw)(struct stream *stream, struct values *inputs);
};

/* The abscissa of a function's plot of error over a parameter. */
struct axis {
    const char *label; /* "log2 of the angle from 0 or pi" */
    double low, high;  /* the plotted range; what lies outside counts at its edge */
    double (*parameter)(const struct values *inputs); /* NaN: not plotted */
};

struct domains {
    const struct domain *list;
    size_t count;
    size_t typical; /* index of the domain of everyday data */
    /* Index of the domain that is hard for the exact formula: on which the enclosures alone, at
     * rising precisions and without the first stage, cost most, or within a tenth of that. The
     * first stage settles most of these all the same, so that what costs the oracle as a whole most
     * is other domains, as a rule those of any exponents or of complete cancellation, which it
     * leaves to the enclosures; `truelerp bench oracle` finds them. */
    size_t hardest;
    struct axis axis;
};

const struct domains *domains_of(const struct function *function);

/* The function's domain of that name; NULL if it has none. */
const struct domain *domain_find(const struct function *function, const char *name);

/* Draws sample `index`. */
void draw_case(uint64_t seed, const struct function *function, const struct domain *domain,
               uint64_t index, struct values *inputs);

/* The lesser and the greater of two numbers, or the one that is no NaN; of two that are equal, the
 * second. fmin and fmax leave it to compiler and processor which of +0 and -0 they return, and then
 * not every machine draws the same cases. */
static inline double draw_least(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double draw_most(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

/* Primitives for the domains. */
uint64_t draw_bits(struct stream *stream);
uint64_t draw_below(struct stream *stream, uint64_t limit);          /* 0 .. limit - 1 */
double draw_uniform(struct stream *stream, double low, double high); /* dense near 0 too */
double draw_log(struct stream *stream, int low, int high); /* +2^e, e uniform in [low, high) */
double draw_sign(struct stream *stream, double magnitude); /* that or its negative */
double draw_finite(struct stream *stream);                 /* any finite double, by bit pattern */
double draw_any(struct stream *stream);                    /* any double, NaN and infinities too */
double draw_step(struct stream *stream, double x, int most); /* up to `most` doubles off x */

/* A double from low to high, ends included, each as likely as any other (+0 and -0 are one). */
double draw_between(struct stream *stream, double low, double high);

/* A place in a segment, ends included, in one of the ways that matter: evenly, by bit pattern, a
 * few doubles or a power of two of the whole off either end, a simple fraction. */
double draw_inside(struct stream *stream, double low, double high);

/* For enumerating domains: a number below `total` that depends on the sample's index only. Any
 * `total` successive samples get them all, in an order that spreads any shorter run. `total` is no
 * multiple of 2654435761. */
uint64_t draw_combination(const struct stream *stream, uint64_t total);

/* Takes the next digit, of the given radix, off a combination. */
size_t draw_digit(uint64_t *combination, size_t radix);

#endif
