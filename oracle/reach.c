#include "reach.h"
#include "interval.h"

#include <math.h>

enum { COEFFICIENTS = 4 };
static const size_t pieces_max = 12;

/* w m h, or its like with the real 1/3 for w */
static void set_rise(mpfi_ptr rise, const struct segment_data *data, bool second, bool weighted)
{
    double w = second ? data->w1 : data->w0;
    interval_difference(rise, data->t1, data->t0);
    mpfi_mul_d(rise, rise, second ? data->m1 : data->m0);
    if (!weighted || isnan(w)) {
        mpfi_div_ui(rise, rise, 3);
    } else {
        mpfi_mul_d(rise, rise, w <= 0 ? 0.0 : (w >= 1 ? 1.0 : w));
    }
}

/* Those of the whole segment: v0, v0 + w0 m0 h, v1 - w1 m1 h, v1, and the sums of absolute values.
 */
static void set_whole(mpfi_t value[4], mpfi_t scale[4], const struct segment_data *data,
                      bool weighted)
{
    for (int side = 0; side < 2; side++) {
        int end = side == 0 ? 0 : 3, handle = side == 0 ? 1 : 2;
        double v = side == 0 ? data->v0 : data->v1;
        mpfi_ptr rise = value[handle];
        set_rise(rise, data, side == 1, weighted);
        mpfi_abs(scale[handle], rise);
        mpfi_add_d(scale[handle], scale[handle], fabs(v));
        mpfi_set_d(scale[end], fabs(v));
        mpfi_set_d(value[end], v);
        if (side == 0) {
            mpfi_add_d(rise, rise, v);
        } else {
            mpfi_d_sub(rise, v, rise);
        }
    }
}

static void set_parameter(mpfi_ptr s, const struct segment_data *data, bool weighted, mpfr_srcptr t)
{
    if (mpfr_cmp_d(t, data->t0) <= 0) {
        mpfi_set_ui(s, 0);
    } else if (mpfr_cmp_d(t, data->t1) >= 0) {
        mpfi_set_ui(s, 1);
    } else if (weighted) {
        bezier_parameter_at(data, t, s);
    } else {
        mpfi_t *work = interval_take(1, mpfr_get_prec(&s->left));
        interval_difference(work[0], data->t1, data->t0);
        interval_above(s, t, data->t0);
        mpfi_div(s, s, work[0]);
        interval_return(1);
    }
}

/* The polar form at three parameters, by de Casteljau's construction with another one in each
 * step. */
static void set_polar(mpfi_ptr result, mpfi_t coefficient[4], mpfi_srcptr const parameter[3])
{
    mpfi_t *work = interval_take(COEFFICIENTS + 1, mpfr_get_prec(&result->left));
    mpfi_ptr step = work[COEFFICIENTS];
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_set(work[i], coefficient[i]);
    }
    for (int last = COEFFICIENTS - 1; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            mpfi_sub(step, work[i + 1], work[i]);
            mpfi_mul(step, step, parameter[last - 1]);
            mpfi_add(work[i], work[i], step);
        }
    }
    mpfi_set(result, work[0]);
    interval_return(COEFFICIENTS + 1);
}

static void restrict_to(mpfi_t coefficient[4], mpfi_srcptr from, mpfi_srcptr to)
{
    mpfi_t *work = interval_take(COEFFICIENTS, mpfr_get_prec(&from->left));
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_srcptr const parameter[3] = {i > 0 ? to : from, i > 1 ? to : from, i > 2 ? to : from};
        set_polar(work[i], coefficient, parameter);
    }
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_set(coefficient[i], work[i]);
    }
    interval_return(COEFFICIENTS);
}

void reach_part(mpfi_t part[4], mpfi_t coefficient[4], double from, double to)
{
    mpfi_t *work = interval_take(2, mpfr_get_prec(&part[0]->left));
    mpfi_set_d(work[0], from);
    mpfi_set_d(work[1], to);
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_set(part[i], coefficient[i]);
    }
    restrict_to(part, work[0], work[1]);
    interval_return(2);
}

void reach_coefficients(mpfi_t value[4], mpfi_t scale[4], const struct segment_data *data,
                        bool weighted, mpfr_srcptr from, mpfr_srcptr to)
{
    mpfi_t *work = interval_take(2, mpfr_get_prec(&value[0]->left));
    set_parameter(work[0], data, weighted, from);
    set_parameter(work[1], data, weighted, to);
    set_whole(value, scale, data, weighted);
    restrict_to(value, work[0], work[1]);
    restrict_to(scale, work[0], work[1]);
    interval_return(2);
}

/* Both halves: `left` becomes the first, and is the whole before. */
static void halve(mpfi_t left[4], mpfi_t right[4])
{
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_set(right[i], left[i]);
    }
    for (int last = COEFFICIENTS - 1; last > 0; last--) {
        for (int i = COEFFICIENTS - 1; i >= COEFFICIENTS - last; i--) {
            mpfi_add(left[i], left[i], left[i - 1]);
            mpfi_div_2ui(left[i], left[i], 1);
        }
        for (int i = 0; i < last; i++) {
            mpfi_add(right[i], right[i], right[i + 1]);
            mpfi_div_2ui(right[i], right[i], 1);
        }
    }
}

static void raise_to(mpfr_ptr x, mpfr_srcptr y)
{
    if (mpfr_greater_p(y, x)) {
        mpfr_set(x, y, MPFR_RNDN);
    }
}

/* An upper bound of the piece, whose values at both ends raise `attained`. */
static void bound_piece(mpfi_t piece[4], mpfr_ptr bound, mpfr_ptr attained)
{
    raise_to(attained, &piece[0]->left);
    raise_to(attained, &piece[3]->left);
    mpfr_set(bound, &piece[0]->right, MPFR_RNDN);
    for (int i = 1; i < COEFFICIENTS; i++) {
        raise_to(bound, &piece[i]->right);
    }
}

/* Drops the pieces that lie below what is attained elsewhere. Returns how many are left. */
static size_t keep_high(mpfi_t *piece, size_t count, mpfi_ptr maximum)
{
    mpfi_t *work = interval_take(1, mpfr_get_prec(&maximum->left));
    mpfr_ptr bound = &work[0]->left;
    for (size_t p = 0; p < count; p++) {
        bound_piece(&piece[p * COEFFICIENTS], bound, &maximum->left);
    }
    mpfr_set(&maximum->right, &maximum->left, MPFR_RNDN);
    size_t kept = 0;
    for (size_t p = 0; p < count; p++) {
        bound_piece(&piece[p * COEFFICIENTS], bound, &maximum->left);
        if (mpfr_greater_p(bound, &maximum->left)) {
            raise_to(&maximum->right, bound);
            for (size_t i = 0; i < COEFFICIENTS; i++) {
                mpfi_swap(piece[kept * COEFFICIENTS + i], piece[p * COEFFICIENTS + i]);
            }
            kept++;
        }
    }
    interval_return(1);
    return kept;
}

/* A cubic has one maximum at most between the ends, so that few pieces are left each time unless
 * the coefficients' own width hides it: then there is no more to be known at this precision. */
void reach_maximum(mpfi_ptr maximum, mpfi_t coefficient[4], int depth)
{
    mpfi_t *piece = interval_take(2 * pieces_max * COEFFICIENTS, mpfr_get_prec(&maximum->left));
    for (int i = 0; i < COEFFICIENTS; i++) {
        mpfi_set(piece[i], coefficient[i]);
    }
    mpfr_set(&maximum->left, &coefficient[0]->left, MPFR_RNDD);
    size_t count = keep_high(piece, 1, maximum);
    for (int level = 0; level < depth && count > 0 && count <= pieces_max; level++) {
        for (size_t p = 0; p < count; p++) {
            halve(&piece[p * COEFFICIENTS], &piece[(count + p) * COEFFICIENTS]);
        }
        count = keep_high(piece, 2 * count, maximum);
    }
    interval_return(2 * pieces_max * COEFFICIENTS);
}
