#include "filter_turns.h"

#include "interval.h"
#include "plane.h"

#include <math.h>

/* Bits that are wanted behind the point, what the operations below lose included.
 *
 * An operation on intervals of P bits moves either end by at most 2^(1-P) of its size, and so adds
 * 2^(2-P) to the relative width, which is the unit here. In set_angle, y is the root of a sum of up
 * to 6 squares of minors, 5 wide, x is 1, sine and cosine at most 2: the products are 8 and 4, and
 * as both are about R sin(angle) |cos(angle)|, their difference over R is 12 of the angle. All else
 * is relative to the tangent, which is small, but for the last sum: the angle is within 14 of
 * itself, and times t 15. What precision_for has for `turns` says that this is below 2^(turns + 1);
 * the turns taken off, which are as large, add 2. So the result is within 17 2^(2-P) 2^(turns + 1)
 * < 2^-120, where P >= 128 + turns. To that, a double-double of at most pi or so adds 2^-106. */
enum { BITS_WANTED = 128, WORD_BITS = 64 };

/* How near the guess has to be. */
static const double GUESS_ERROR = 0x1p-60;

/* The angle is in [0, pi]; less a guess from here to there it is in (-3/2 pi, 3/2 pi), where only
 * what is near 0 has a positive cosine and a small tangent. */
static const double GUESS_LEAST = -1, GUESS_MOST = 4;

static mpfr_prec_t precision_for(double t, double angle)
{
    int turns = ilogb(t) + ilogb(angle) + 1;
    int bits = BITS_WANTED + (turns > 0 ? turns : 0);
    return (bits + WORD_BITS - 1) / WORD_BITS * WORD_BITS;
}

/* arctan w for |w| < 1/2, of which less than 2^-precision is left out: with z = w^2
 *     arctan w = w (1 - z (1/3 - z (1/5 - ...)))
 * where what follows the k-th subtraction is an alternating series of falling terms, and so from 0
 * to its first one, 1 / (2k + 1). As z < 2^-smallness, k = precision / smallness + 1 subtractions
 * leave z^k / (2k + 1), less than 2^-precision; `last` is 2k + 1. */
static void set_arctangent(mpfi_ptr result, mpfi_srcptr w, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr square = work[0], term = work[1];
    mpfi_sqr(square, w);
    long smallness = -(long)mpfr_get_exp(&square->right);
    unsigned long last = 2 * ((unsigned long)(precision / smallness) + 1) + 1;
    mpfr_set_zero(&result->left, 1);
    mpfr_set_ui(&result->right, 1, MPFR_RNDN);
    mpfr_div_ui(&result->right, &result->right, last, MPFR_RNDU);
    for (unsigned long odd = last - 2; odd >= 1 && odd < last; odd -= 2) {
        mpfi_mul(result, result, square);
        mpfi_set_ui(term, 1);
        mpfi_div_ui(term, term, odd);
        mpfi_sub(result, term, result);
    }
    mpfi_mul(result, result, w);
    interval_return(2);
}

/* The angle of the point (x, y), y > 0, which lies at the distance R from 0: with any G near it,
 *     y cos G - x sin G = R sin(angle - G),    x cos G + y sin G = R cos(angle - G),
 * as in filter_angle, so that one sine and cosine take the place of an arctangent. Nothing is lost
 * where the angle is small: the first line's two products then are as well. G is a point, and so
 * need not be the guess exactly. */
static bool set_angle(mpfi_ptr angle, mpfi_srcptr y, mpfi_srcptr x, struct approximation guess,
                      mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(6, precision);
    mpfi_ptr point = work[0], sine = work[1], cosine = work[2], across = work[3], along = work[4];
    mpfi_ptr part = work[5];
    mpfi_set_d(point, guess.high);
    mpfr_add_d(&point->left, &point->left, guess.low, MPFR_RNDN);
    mpfr_set(&point->right, &point->left, MPFR_RNDN);
    interval_sin_cos(sine, cosine, point);
    mpfi_mul(across, y, cosine);
    mpfi_mul(part, x, sine);
    mpfi_sub(across, across, part);
    mpfi_mul(along, x, cosine);
    mpfi_mul(part, y, sine);
    mpfi_add(along, along, part);
    bool near = mpfr_sgn(&along->left) > 0;
    if (near) {
        mpfi_div(part, across, along);
        mpfi_abs(across, part);
        near = mpfr_cmp_d(&across->right, GUESS_ERROR) < 0 && mpfr_sgn(&across->right) > 0;
    }
    if (near) {
        set_arctangent(angle, part, precision);
        mpfi_add(angle, angle, point);
    }
    interval_return(6);
    return near;
}

/* Takes whole turns off: any whole number of them would do, and this one leaves about half a turn
 * at most. */
static void reduce(mpfi_ptr angle, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfi_ptr turn = work[0];
    mpfr_ptr count = &work[1]->left;
    mpfi_const_pi(turn);
    mpfi_mul_2ui(turn, turn, 1);
    mpfr_div(count, &angle->left, &turn->left, MPFR_RNDN);
    mpfr_rint(count, count, MPFR_RNDN);
    mpfi_mul_fr(turn, turn, count);
    mpfi_sub(angle, angle, turn);
    interval_return(2);
}

/* Its lower end in double-double, and how far the rest may be away. */
static struct approximation approximation_of_interval(mpfi_ptr x)
{
    struct approximation result;
    result.high = mpfr_get_d(&x->left, MPFR_RNDN);
    mpfi_sub_d(x, x, result.high);
    result.low = mpfr_get_d(&x->left, MPFR_RNDN);
    mpfi_sub_d(x, x, result.low);
    mpfi_abs(x, x);
    result.error = mpfr_get_d(&x->right, MPFR_RNDU);
    return result;
}

bool filter_turned_angle(const double *a, const double *b, size_t dimensions, double t,
                         struct approximation guess, struct approximation *angle)
{
    bool near_any = guess.high >= GUESS_LEAST && guess.high <= GUESS_MOST;
    if (t == 0 || !isfinite(t) || guess.high == 0 || !near_any) { /* 0 and NaN have no exponent */
        return false;
    }
    mpfr_prec_t precision = precision_for(t, guess.high);
    mpfi_t *work = interval_take(1, precision);
    struct plane plane;
    plane_open(&plane, a, b, dimensions, precision);
    bool known = set_angle(work[0], plane.across, plane.dot, guess, precision);
    plane_close(&plane);
    if (known) {
        mpfi_mul_d(work[0], work[0], t);
        reduce(work[0], precision);
        *angle = approximation_of_interval(work[0]);
    }
    interval_return(1);
    return known;
}
