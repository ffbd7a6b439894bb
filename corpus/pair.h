/* Pairs of vectors of three or four components, from everyday directions to the ends of the range:
 * what the domains of slerp and direction are made of. */
#ifndef TRUELERP_CORPUS_PAIR_H
#define TRUELERP_CORPUS_PAIR_H

#include "draw.h"

#include <stdbool.h>
#include <stddef.h>

enum { PAIR_DIMENSIONS_MAX = 4 };

/* The components beyond its dimensions are 0. */
struct vector {
    double c[PAIR_DIMENSIONS_MAX];
};

struct pair {
    struct vector a, b;
};

/* Stays within the range. */
struct vector vector_scaled(struct vector v, double factor);
struct vector vector_sum(struct vector v, struct vector w);

/* Of length one but for rounding, evenly over the sphere. */
struct vector vector_unit(struct stream *stream, size_t dimensions);

/* Of about unit length, and about orthogonal to v, which has unit length. */
struct vector vector_across(struct stream *stream, struct vector v, size_t dimensions);

/* The same divided by its rounded length. */
struct vector vector_normalised(struct vector v);

struct vector vector_any_finite(struct stream *stream, size_t dimensions);

/* Directions and everyday lengths; half are unit vectors. */
struct pair pair_typical(struct stream *stream, size_t dimensions);

struct pair pair_any_finite(struct stream *stream, size_t dimensions);

/* The angle is about 2^-k and k covers 2 to 1073. */
struct pair pair_parallel(struct stream *stream, size_t dimensions);

/* In exactly the same direction: multiples of one vector of short components, which may be of
 * different size, have equal components or none. */
struct pair pair_same_direction(struct stream *stream, size_t dimensions);

/* The same direction but for a last bit in some components. */
struct pair pair_neighbours(struct stream *stream, size_t dimensions);

/* Both divided by their rounded length, and nearly or quite of one direction: the dot product of
 * two equal ones may exceed 1. */
struct pair pair_normalised(struct stream *stream, size_t dimensions);

/* Orthogonal: half of them exactly, the others but for one last bit or for rounding. */
struct pair pair_right_angle(struct stream *stream, size_t dimensions);

struct pair pair_lengths(struct stream *stream, size_t dimensions);
struct pair pair_huge(struct stream *stream, size_t dimensions);
struct pair pair_tiny(struct stream *stream, size_t dimensions);
struct pair pair_mixed_exponents(struct stream *stream, size_t dimensions);

/* The second vector turned round. */
struct pair pair_opposite(struct pair p);

/* That, every other time. */
struct pair pair_either_way(struct stream *stream, struct pair p);

/* The angle between two finite vectors of whatever lengths; NaN if one is zero or not finite. By
 * nothing but correctly rounded operations, so that every machine draws the same cases. */
double pair_angle(struct vector a, struct vector b);

/* log2 of theta / (pi - theta): the angle from 0 to the left, the one from pi to the right. */
double pair_openness(struct vector a, struct vector b);

/* For axes: the vector whose components start at `number`. */
struct vector vector_at(const double *number, size_t dimensions);

#endif
