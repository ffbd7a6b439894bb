/* Random inputs of the tests' own, so that a fault in corpus/draw.c cannot hide one elsewhere.
 * Seeds are fixed: every run sees the same numbers. */
#ifndef TRUELERP_TESTS_SAMPLE_H
#define TRUELERP_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct sample {
    uint64_t state;
};

uint64_t sample_bits(struct sample *sample);
unsigned sample_below(struct sample *sample, unsigned limit);
double sample_uniform(struct sample *sample, double low, double high);

/* Either sign, exponent uniform in [low, high), mantissa uniform; subnormal below -1022. */
double sample_wide(struct sample *sample, int low, int high);

/* Any finite bit pattern. */
double sample_finite(struct sample *sample);

/* `count` numbers that belong together, of one of SAMPLE_CLASSES kinds: everyday, spread over 80
 * binades, over all binades, subnormal, at the top of the range, small integers, and neighbours of
 * one another (which cancel). */
enum { SAMPLE_CLASSES = 7 };
void sample_numbers(struct sample *sample, unsigned class, double *numbers, unsigned count);

/* Are they the same double bit for bit? NaN stands for any NaN. */
bool same_double(double got, double wanted);

#endif
