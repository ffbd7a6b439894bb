#include "interval.h"

#include <assert.h>
#include <stdbool.h>

enum { WORK_SPACE = 256, DOUBLE_BITS = 53, PRODUCT_BITS = 106 };

static _Thread_local struct {
    mpfi_t interval[WORK_SPACE];
    size_t ready; /* initialised */
    size_t taken;
} work;

mpfi_t *interval_take(size_t count, mpfr_prec_t precision)
{
    assert(count <= WORK_SPACE - work.taken);
    while (work.ready < work.taken + count) {
        mpfi_init2(work.interval[work.ready++], precision);
    }
    mpfi_t *first = &work.interval[work.taken];
    for (size_t i = 0; i < count; i++) {
        interval_set_precision(first[i], precision);
    }
    work.taken += count;
    return first;
}

void interval_return(size_t count)
{
    assert(count <= work.taken);
    work.taken -= count;
}

void interval_free(void)
{
    assert(work.taken == 0);
    while (work.ready > 0) {
        mpfi_clear(work.interval[--work.ready]);
    }
}

void interval_set_precision(mpfi_ptr interval, mpfr_prec_t precision)
{
    if (mpfr_get_prec(&interval->left) != precision) {
        mpfr_set_prec(&interval->left, precision);
    }
    if (mpfr_get_prec(&interval->right) != precision) {
        mpfr_set_prec(&interval->right, precision);
    }
}

void interval_set_overflow(mpfi_ptr result)
{
    mpfi_set_si(result, OVERFLOW_MANTISSA);
    mpfi_mul_2ui(result, result, OVERFLOW_EXPONENT);
}

void interval_difference(mpfi_ptr result, double x, double y)
{
    mpfi_t *point = interval_take(1, DOUBLE_BITS);
    mpfr_set_d(&point[0]->left, x, MPFR_RNDN);
    mpfr_set_d(&point[0]->right, y, MPFR_RNDN);
    mpfr_sub(&result->left, &point[0]->left, &point[0]->right, MPFR_RNDD);
    mpfr_sub(&result->right, &point[0]->left, &point[0]->right, MPFR_RNDU);
    interval_return(1);
}

void interval_above(mpfi_ptr result, mpfr_srcptr x, double y)
{
    mpfr_sub_d(&result->left, x, y, MPFR_RNDD);
    mpfr_sub_d(&result->right, x, y, MPFR_RNDU);
}

void interval_below(mpfi_ptr result, mpfr_srcptr x, double y)
{
    mpfr_d_sub(&result->left, y, x, MPFR_RNDD);
    mpfr_d_sub(&result->right, y, x, MPFR_RNDU);
}

/* mpfr_sum rounds correctly, whatever cancels. */
void interval_dot(mpfi_ptr result, const double *x, const double *y, size_t count)
{
    assert(count <= INTERVAL_TERMS_MAX);
    mpfi_t *point = interval_take(1, DOUBLE_BITS);
    mpfi_t *product = interval_take(INTERVAL_TERMS_MAX, PRODUCT_BITS);
    mpfr_ptr term[INTERVAL_TERMS_MAX];
    for (size_t i = 0; i < count; i++) {
        term[i] = &product[i]->left;
        mpfr_set_d(&point[0]->left, x[i], MPFR_RNDN);
        mpfr_set_d(&point[0]->right, y[i], MPFR_RNDN);
        mpfr_mul(term[i], &point[0]->left, &point[0]->right, MPFR_RNDN);
    }
    mpfr_sum(&result->left, term, count, MPFR_RNDD);
    mpfr_sum(&result->right, term, count, MPFR_RNDU);
    interval_return(INTERVAL_TERMS_MAX);
    interval_return(1);
}

/* mpfr_fmms rounds correctly, whatever cancels. */
void interval_minor(mpfi_ptr result, double a, double b, double c, double d)
{
    mpfi_t *point = interval_take(2, DOUBLE_BITS);
    mpfr_ptr p = &point[0]->left;
    mpfr_ptr q = &point[0]->right;
    mpfr_ptr r = &point[1]->left;
    mpfr_ptr s = &point[1]->right;
    mpfr_set_d(p, a, MPFR_RNDN);
    mpfr_set_d(q, b, MPFR_RNDN);
    mpfr_set_d(r, c, MPFR_RNDN);
    mpfr_set_d(s, d, MPFR_RNDN);
    mpfr_fmms(&result->left, p, q, r, s, MPFR_RNDD);
    mpfr_fmms(&result->right, p, q, r, s, MPFR_RNDU);
    interval_return(2);
}

/* The sum a - t a + t b of exact terms, rounded once. */
static void lerp_end(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, double t, mpfr_rnd_t rounding)
{
    mpfr_prec_t widest = mpfr_get_prec(a) > mpfr_get_prec(b) ? mpfr_get_prec(a) : mpfr_get_prec(b);
    mpfi_t *product = interval_take(2, widest + DOUBLE_BITS);
    mpfr_set_d(&product[1]->left, t, MPFR_RNDN);
    mpfr_mul(&product[0]->left, a, &product[1]->left, MPFR_RNDN);
    mpfr_neg(&product[0]->left, &product[0]->left, MPFR_RNDN);
    mpfr_mul(&product[0]->right, b, &product[1]->left, MPFR_RNDN);
    mpfr_set(&product[1]->right, a, MPFR_RNDN);
    mpfr_ptr term[3] = {&product[1]->right, &product[0]->left, &product[0]->right};
    mpfr_sum(result, term, 3, rounding);
    interval_return(2);
}

/* (1 - t) a + t b rises with a where t < 1 and with b where t > 0, so each bound is taken at one
 * end of a and one of b; the formula itself is exact there. */
void interval_lerp(mpfi_ptr result, mpfi_srcptr a, mpfi_srcptr b, double t)
{
    bool rises_with_a = t <= 1;
    bool rises_with_b = t >= 0;
    lerp_end(&result->left, rises_with_a ? &a->left : &a->right,
             rises_with_b ? &b->left : &b->right, t, MPFR_RNDD);
    lerp_end(&result->right, rises_with_a ? &a->right : &a->left,
             rises_with_b ? &b->right : &b->left, t, MPFR_RNDU);
}

/* Raises `bound` by an upper bound of (right - left) / min(|left|, |right|): 0 for a point, 2 or
 * more for an interval that holds 0 and is none. */
static void add_relative_width(mpfr_ptr bound, mpfi_srcptr x)
{
    if (mpfr_equal_p(&x->left, &x->right)) {
        return;
    }
    mpfi_t *scratch = interval_take(1, 64);
    mpfr_ptr width = &scratch[0]->left;
    mpfr_srcptr nearer = mpfr_cmpabs(&x->left, &x->right) < 0 ? &x->left : &x->right;
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_div(width, width, nearer, MPFR_RNDA);
    mpfr_abs(width, width, MPFR_RNDU);
    mpfr_add(bound, bound, width, MPFR_RNDU);
    interval_return(1);
}

/* One arctangent in place of MPFI's two.
 *
 * With y = e^p and |x| = e^q, the angle A changes with p - q at a rate of sin A cos A, which is no
 * larger than A in size (nor is it in the second quadrant, where it is that of pi - A <= A). So
 * log A changes by no more than p - q does: over the box by at most w, the sum of the relative
 * widths. The angle of one corner, rounded to nearest, is off by a factor within
 * e^w / (1 - 2^-P) <= (1 + w + w^2) (1 + 2^(1-P)) <= 1 + 2 w + 2^(2-P)     for w <= 1/4. */
void interval_angle(mpfi_ptr result, mpfi_srcptr y, mpfi_srcptr x)
{
    mpfr_prec_t precision = mpfr_get_prec(&result->left);
    mpfi_t *scratch = interval_take(2, 64);
    mpfr_ptr radius = &scratch[0]->left;
    mpfr_ptr angle = &scratch[1]->left;
    mpfr_set_zero(radius, 1);
    add_relative_width(radius, y);
    add_relative_width(radius, x);
    if (mpfr_cmp_d(radius, 0.25) > 0) {
        mpfi_atan2(result, y, x);
        if (mpfr_sgn(&result->left) < 0) { /* MPFI sees y = 0 from both sides */
            mpfr_set_zero(&result->left, 1);
        }
    } else {
        mpfr_set_prec(angle, precision);
        mpfr_atan2(angle, &y->left, &x->left, MPFR_RNDN);
        mpfr_mul_2ui(radius, radius, 1, MPFR_RNDU);
        mpfr_set_ui_2exp(&scratch[0]->right, 1, 2 - precision, MPFR_RNDU);
        mpfr_add(radius, radius, &scratch[0]->right, MPFR_RNDU);
        mpfr_mul(radius, radius, angle, MPFR_RNDU);
        mpfr_sub(&result->left, angle, radius, MPFR_RNDD);
        mpfr_add(&result->right, angle, radius, MPFR_RNDU);
    }
    interval_return(2);
}

/* The numbers at most `radius` off one that was rounded to nearest, as far as they are in
 * [-1, 1]. */
static void enclose_in_unit(mpfi_ptr result, mpfr_srcptr rounded, mpfr_srcptr radius)
{
    mpfr_set(&result->left, rounded, MPFR_RNDD);
    mpfr_nextbelow(&result->left);
    mpfr_sub(&result->left, &result->left, radius, MPFR_RNDD);
    mpfr_set(&result->right, rounded, MPFR_RNDU);
    mpfr_nextabove(&result->right);
    mpfr_add(&result->right, &result->right, radius, MPFR_RNDU);
    if (mpfr_cmp_si(&result->left, -1) < 0) {
        mpfr_set_si(&result->left, -1, MPFR_RNDD);
    }
    if (mpfr_cmp_si(&result->right, 1) > 0) {
        mpfr_set_si(&result->right, 1, MPFR_RNDU);
    }
}

/* One evaluation in place of MPFI's four: neither function changes by more than its argument. */
void interval_sin_cos(mpfi_ptr sine, mpfi_ptr cosine, mpfi_srcptr x)
{
    mpfi_t *scratch = interval_take(2, mpfr_get_prec(&sine->left));
    mpfr_ptr radius = &scratch[1]->left;
    mpfr_sub(radius, &x->right, &x->left, MPFR_RNDU);
    if (mpfr_cmp_ui(radius, 2) >= 0) {
        mpfi_interv_si(sine, -1, 1);
        mpfi_interv_si(cosine, -1, 1);
    } else if (mpfr_zero_p(&x->left) && mpfr_zero_p(radius)) {
        mpfi_set_ui(sine, 0);
        mpfi_set_ui(cosine, 1);
    } else {
        mpfr_sin_cos(&scratch[0]->left, &scratch[0]->right, &x->left, MPFR_RNDN);
        enclose_in_unit(sine, &scratch[0]->left, radius);
        enclose_in_unit(cosine, &scratch[0]->right, radius);
    }
    interval_return(2);
}

void interval_sin_cos_pi(mpfi_ptr sine, mpfi_ptr cosine, double t)
{
    mpfi_t *scratch = interval_take(1, DOUBLE_BITS);
    mpfr_ptr point = &scratch[0]->left;
    mpfr_set_d(point, t, MPFR_RNDN);
    mpfr_sinpi(&sine->left, point, MPFR_RNDD);
    mpfr_sinpi(&sine->right, point, MPFR_RNDU);
    mpfr_cospi(&cosine->left, point, MPFR_RNDD);
    mpfr_cospi(&cosine->right, point, MPFR_RNDU);
    interval_return(1);
}

/* 24 is a whole turn. */
void interval_sin_cos_twelfths(mpfi_ptr sine, mpfi_ptr cosine, double t, unsigned n)
{
    mpfi_t *scratch = interval_take(1, DOUBLE_BITS + 4);
    mpfr_ptr point = &scratch[0]->left;
    mpfr_set_d(point, t, MPFR_RNDN);
    mpfr_mul_ui(point, point, n, MPFR_RNDN);
    mpfr_sinu(&sine->left, point, 24, MPFR_RNDD);
    mpfr_sinu(&sine->right, point, 24, MPFR_RNDU);
    mpfr_cosu(&cosine->left, point, 24, MPFR_RNDD);
    mpfr_cosu(&cosine->right, point, 24, MPFR_RNDU);
    interval_return(1);
}
