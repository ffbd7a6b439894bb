/* Segments between two keys, from everyday animation to the ends of the range: what the domains of
 * all functions of a segment are made of. */
#ifndef TRUELERP_CORPUS_SEGMENT_H
#define TRUELERP_CORPUS_SEGMENT_H

#include "draw.h"

/* From (t0, v0) with slope m0 to (t1, v1) with slope m1. */
struct segment {
    double t0, v0, m0;
    double t1, v1, m1;
};

/* Keys on frames of one minute of animation; values are positions, angles or colours. */
struct segment segment_typical(struct stream *stream);

/* By bit pattern; any_finite has its times in order. */
struct segment segment_any_finite(struct stream *stream);
struct segment segment_any(struct stream *stream);

/* Durations, values and slopes over all exponents, yet four terms of about one size. */
struct segment segment_mixed_exponents(struct stream *stream);

/* A clock that counts seconds since long ago: few bits are left for what lies between two keys. */
struct segment segment_large_offset(struct stream *stream);

/* From 1e-12 down to two neighbouring doubles, also at time 0. */
struct segment segment_tiny(struct stream *stream);

/* t1 - t0, values or tangent terms at the end of the range or beyond. */
struct segment segment_huge(struct stream *stream);

/* Values and slopes at the end of the range, durations from 1/2 to beyond it: terms to 2^2048. */
struct segment segment_beyond(struct stream *stream);

/* Values, slopes, durations or terms below 2^-1022. */
struct segment segment_subnormal(struct stream *stream);

/* Tangent terms 2^0 to 2^60 times the values, or the other way round. */
struct segment segment_steep(struct stream *stream);

/* A constant, or a straight line with slopes to match: nothing of the cubic may show. */
struct segment segment_straight(struct stream *stream);

/* Values to `most`, and slopes up to a few times the mean one; one in four is flat. */
void segment_add_data(struct stream *stream, struct segment *segment, double most);

/* (t - t0) / (t1 - t0) without overflow, and t of that. */
double segment_position(double t0, double t1, double t);
double segment_time(double t0, double t1, double x);

/* Three times the weight of a side, or 1 where it has none. */
double segment_width(bool weighted, double weight);

/* X(s) of a weighted segment from 0 to 1 to working precision; widths are three times weights. */
double segment_share(double s, double width0, double width1);

/* Changes one of the four data such that the terms at the parameter s, the slopes' multiplied by
 * the widths, cancel but for a few bits or for a relative 2^-k. */
void segment_cancel(struct stream *stream, struct segment *segment, double s, double width0,
                    double width1);

/* The same where terms are beyond the range: changes the slope whose term is the greater there. */
void segment_cancel_beyond(struct stream *stream, struct segment *segment, double s, double width0,
                           double width1);

/* Every order of t, t0 and t1, with neighbours, infinities and NaN: returns t. `mid` is a time
 * inside. */
enum { SEGMENT_PLACES = 51 };
double segment_place(struct segment *segment, double mid, size_t place);

/* Leaves the data as they are or makes zeros, NaN or infinities of some. */
enum { SEGMENT_SPOILS = 6 };
void segment_spoil(struct stream *stream, struct segment *segment, size_t way);

/* Weights: 0, 1, their neighbours and powers of two off both; those that are clamped, to 0 or 1;
 * the double that is nearest to 1/3 and its neighbours, none of which is the real 1/3. */
double segment_edge_weight(struct stream *stream);
double segment_outside_weight(struct stream *stream);
double segment_third_weight(struct stream *stream);

/* x, or the largest number of its sign */
double segment_saturate(double x);

/* x but for a few bits, or for a relative 2^-k. */
double segment_nearly(struct stream *stream, double x);

/* Of either sign, 2^exponent but for `most` binades, and finite. */
double segment_about(struct stream *stream, int exponent, int most);

#endif
