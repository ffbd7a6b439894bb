/* Sums of products of two doubles each, exact whatever cancels: fixed-point numbers of as many bits
 * as all such products need.
 *
 * What the first stage falls back on where double-double does not know a number well enough and the
 * number is such a sum; some hundred nanoseconds, which is far below MPFR's. */
#ifndef TRUELERP_ORACLE_EXACT_SUM_H
#define TRUELERP_ORACLE_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Two's complement in units of 2^-2148, the least product, the lowest word first. Products are
 * below 2^2048 in size, a dozen of them below 2^2052, and 2052 + 2148 + 1 <= 66 * 64. */
enum { EXACT_SUM_WORDS = 66, EXACT_SUM_UNIT = -2148, EXACT_SUM_TERMS_MAX = 12 };

struct exact_sum {
    uint64_t word[EXACT_SUM_WORDS];
};

void exact_sum_clear(struct exact_sum *sum);

/* Adds x y of finite numbers; at most EXACT_SUM_TERMS_MAX times. */
void exact_sum_add(struct exact_sum *sum, double x, double y);

/* What a sum comes to: |sum - (high + low) 2^exponent| <= error 2^exponent, where high is from 1 to
 * 2 in size, low at most 2^-53, and error at most 2^-106, or 0 where that is known; or all are 0.
 * `nearest` is the double nearest to the sum, ties to even, infinities and subnormal numbers
 * included. */
struct exact_value {
    double high, low, error;
    int exponent;
    double nearest;
};

/* The sum is used up. */
struct exact_value exact_sum_value(struct exact_sum *sum);

#endif
