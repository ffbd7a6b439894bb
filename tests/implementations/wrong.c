/* Every function, each with a wrong answer that tells which one was called with what. */
#include <truelerp.h>

#include <stdbool.h>

double tl_lerp(double a, double b, double t)
{
    return 100 * a + 10 * b + t;
}

double tl_lerp_cr(double a, double b, double t)
{
    return -(100 * a + 10 * b + t);
}

double tl_hermite(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e6 * k0->time + 1e5 * k0->value + 1e4 * k0->out_tangent + 1e3 * k1->time +
           1e2 * k1->value + 10 * k1->in_tangent + t;
}

void tl_hermite_coefficients(const tl_key *k0, const tl_key *k1, double coefficients[4])
{
    coefficients[0] = 100 * k0->time + k1->time;
    coefficients[1] = 100 * k0->value + k1->value;
    coefficients[2] = 100 * k0->out_tangent + k1->in_tangent;
    coefficients[3] = -1;
}

/* A weight that does not count is a 0 among the digits. */
static double weight(double stored, int counts)
{
    return counts ? stored : 0;
}

double tl_bezier(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e8 * k0->time + 1e7 * k0->value + 1e6 * k0->out_tangent +
           1e5 * weight(k0->out_weight, k0->weighted_mode & TL_WEIGHTED_OUT) + 1e4 * k1->time +
           1e3 * k1->value + 1e2 * k1->in_tangent +
           10 * weight(k1->in_weight, k1->weighted_mode & TL_WEIGHTED_IN) + t;
}

double tl_bezier_parameter(const tl_key *k0, const tl_key *k1, double t)
{
    return 1e4 * k0->time + 1e3 * weight(k0->out_weight, k0->weighted_mode & TL_WEIGHTED_OUT) +
           1e2 * k1->time + 10 * weight(k1->in_weight, k1->weighted_mode & TL_WEIGHTED_IN) + t;
}

int tl_cubic_roots(double a, double b, double c, double d, double roots[3], int multiplicities[3])
{
    for (int i = 0; i < 3; i++) {
        roots[i] = 1000 * a + 100 * b + 10 * c + d + 10000 * i;
        multiplicities[i] = i + 4;
    }
    return (int)(d - a);
}

void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = 100 * a[k] + 10 * b[k] + t;
    }
}

void tl_slerp3_unclamped(const double a[3], const double b[3], double t, double result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = -(100 * a[k] + 10 * b[k] + t);
    }
}

void tl_slerp4(const double p[4], const double q[4], double t, double result[4])
{
    for (int k = 0; k < 4; k++) {
        result[k] = 100 * p[k] + 10 * q[k] + t;
    }
}

double tl_angle3(const double a[3], const double b[3])
{
    return 1e5 * a[0] + 1e4 * a[1] + 1e3 * a[2] + 1e2 * b[0] + 10 * b[1] + b[2];
}

void tl_rotate_toward3(const double a[3], const double b[3], double phi, double result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = 1000 * a[k] + 10 * b[k] + phi;
    }
}

/* Tables hold what the builders were given. A first time of 0 is refused, with the given counts for
 * indices. */

static void put(double *memory, const double *times, const double *values, size_t count,
                size_t channels)
{
    for (size_t i = 0; i < count; i++) {
        memory[i] = times[i];
    }
    for (size_t i = 0; i < count * channels; i++) {
        memory[count + i] = values[i];
    }
}

static tl_status refuse(const double *times, size_t first, size_t second, size_t at[2])
{
    bool refused = times[0] == 0;
    at[0] = refused ? first : TL_NO_INDEX;
    at[1] = refused ? second : TL_NO_INDEX;
    return refused ? TL_TIMES_EQUAL : TL_OK;
}

/* The first two times and a channel's last value. */
static double told(const double *table, size_t count, size_t channels, size_t channel)
{
    return 100 * table[0] + 10 * table[1] + table[count + (count - 1) * channels + channel];
}

size_t tl_newton_size(size_t count, size_t channels)
{
    return count * (1 + channels);
}

tl_status tl_newton_build(tl_newton_table *newton, const double *times, const double *values,
                          size_t count, size_t channels, double *memory, size_t at[2])
{
    *newton = (tl_newton_table){memory, count, channels};
    put(memory, times, values, count, channels);
    return refuse(times, count, channels, at);
}

void tl_newton(const tl_newton_table *newton, double t, double *result)
{
    for (size_t c = 0; c < newton->channels; c++) {
        result[c] = 10 * told(newton->table, newton->count, newton->channels, c) + t;
    }
}

void tl_crossfade_newton(const tl_newton_table *a, const tl_newton_table *b, double t, double w,
                         double *result)
{
    for (size_t c = 0; c < a->channels; c++) {
        result[c] = 1e5 * told(a->table, a->count, a->channels, c) +
                    1e2 * told(b->table, b->count, b->channels, c) + 10 * t + w;
    }
}

size_t tl_track_size(size_t order, size_t count, size_t channels)
{
    return order * 1000 + count * (1 + channels);
}

tl_status tl_track_build(tl_track_table *track, size_t order, const double *times,
                         const double *values, size_t count, size_t channels, double *memory,
                         size_t at[2])
{
    *track = (tl_track_table){memory, count, order, channels};
    put(memory, times, values, count, channels);
    return refuse(times, order, TL_NO_INDEX, at);
}

void tl_track(const tl_track_table *track, double t, double *result)
{
    for (size_t c = 0; c < track->channels; c++) {
        result[c] = 1e4 * (double)track->order +
                    10 * told(track->table, track->count, track->channels, c) + t;
    }
}

size_t tl_curve_size(size_t count)
{
    return count;
}

tl_status tl_curve_build(tl_curve_table *curve, const tl_key *keys, size_t count, tl_wrap before,
                         tl_wrap after, double *memory, size_t at[2])
{
    *curve = (tl_curve_table){keys, memory, count, before, after};
    memory[count - 1] = keys[0].time;
    return refuse(&keys[0].time, count, TL_NO_INDEX, at);
}

/* The first segment, and the wraps. */
double tl_curve(const tl_curve_table *curve, double t)
{
    return 1e10 * curve->before + 1e9 * curve->after +
           tl_bezier(&curve->keys[0], &curve->keys[1], t);
}

double tl_crossfade(const tl_curve_table *a, const tl_curve_table *b, double t, double w)
{
    return tl_curve(a, t) - tl_curve(b, w);
}
