#include "joint.h"

#include "interval.h"
#include "reach.h"

#include <stdbool.h>

enum { COEFFICIENTS = 4, BOXES_MAX = 512 };

/* Part of the stretches, which are from 0 to 1. */
struct box {
    double from[2], to[2];
    int depth;
};

/* sign F and sign F + kappa S on a part of one side's stretch, each weighted: coefficients that are
 * the values at the ends, and of which none between them exceeds the largest, since |F| is at most
 * the same sum of its coefficients' sizes. */
static void set_side(mpfi_t *first, mpfi_t *second, const struct joint *joint, size_t side,
                     const struct box *box)
{
    mpfi_t *work = interval_take(2 * COEFFICIENTS + 1, joint->precision);
    mpfi_t *value = work, *scale = work + COEFFICIENTS;
    mpfi_ptr size = work[2 * COEFFICIENTS];
    reach_part(value, joint->value[side], box->from[side], box->to[side]);
    reach_part(scale, joint->scale[side], box->from[side], box->to[side]);
    for (int k = 0; k < COEFFICIENTS; k++) {
        if (joint->count == 2) {
            mpfi_abs(size, value[k]);
            mpfi_add(scale[k], scale[k], size);
        }
        mpfi_mul_si(first[k], value[k], joint->sign);
        mpfi_mul_d(second[k], scale[k], joint->kappa);
        mpfi_add(second[k], second[k], first[k]);
        mpfi_mul(first[k], first[k], joint->weight[side]);
        mpfi_mul(second[k], second[k], joint->weight[side]);
    }
    interval_return(2 * COEFFICIENTS + 1);
}

static void raise_to(mpfr_ptr x, mpfr_srcptr y)
{
    if (mpfr_greater_p(y, x)) {
        mpfr_set(x, y, MPFR_RNDU);
    }
}

/* The sum over the sides of each one's largest coefficient, from above: no value exceeds it. */
static void set_most(mpfr_ptr most, mpfi_t *coefficient, size_t count)
{
    mpfi_t *work = interval_take(1, mpfr_get_prec(most));
    mpfr_ptr largest = &work[0]->left;
    mpfr_set_zero(most, 1);
    for (size_t side = 0; side < count; side++) {
        mpfr_set_inf(largest, -1);
        for (int k = 0; k < COEFFICIENTS; k++) {
            raise_to(largest, &coefficient[side * COEFFICIENTS + (size_t)k]->right);
        }
        mpfr_add(most, most, largest, MPFR_RNDU);
    }
    interval_return(1);
}

/* The value at one corner of the box, from below; bit i of `corner` says at which end of side i. */
static void set_corner(mpfr_ptr least, mpfi_t *coefficient, size_t count, unsigned corner)
{
    mpfr_set_zero(least, 1);
    for (size_t side = 0; side < count; side++) {
        size_t end = corner >> side & 1 ? COEFFICIENTS - 1 : 0;
        mpfr_add(least, least, &coefficient[side * COEFFICIENTS + end]->left, MPFR_RNDD);
    }
}

/* Within: at a corner. Violation: nowhere in the box. */
static enum verdict look_at(const struct joint *joint, const struct box *box)
{
    mpfi_t *work = interval_take(4 * COEFFICIENTS + 1, joint->precision);
    mpfi_t *first = work, *second = work + 2 * COEFFICIENTS;
    mpfr_ptr x = &work[4 * COEFFICIENTS]->left, y = &work[4 * COEFFICIENTS]->right;
    for (size_t side = 0; side < joint->count; side++) {
        set_side(first + side * COEFFICIENTS, second + side * COEFFICIENTS, joint, side, box);
    }
    set_most(x, first, joint->count);
    set_most(y, second, joint->count);
    bool nowhere = mpfr_sgn(x) <= 0 || mpfr_less_p(y, &joint->limit->left);
    bool somewhere = false;
    for (unsigned corner = 0; corner < 1u << joint->count && !nowhere; corner++) {
        set_corner(x, first, joint->count, corner);
        set_corner(y, second, joint->count, corner);
        somewhere = somewhere || (mpfr_sgn(x) > 0 && mpfr_greaterequal_p(y, &joint->limit->right));
    }
    interval_return(4 * COEFFICIENTS + 1);
    return somewhere ? VERDICT_WITHIN : nowhere ? VERDICT_VIOLATION : VERDICT_UNDECIDED;
}

/* Both halves of a box, along the side whose turn it is. */
static void halve(const struct box *whole, size_t side, struct box halves[2])
{
    double middle = whole->from[side] + (whole->to[side] - whole->from[side]) / 2;
    halves[0] = halves[1] = *whole;
    halves[0].to[side] = halves[1].from[side] = middle;
    halves[0].depth = halves[1].depth = whole->depth + 1;
}

/* Level by level: a box is dropped where nothing holds, and halved where something may. */
enum verdict joint_holds(const struct joint *joint, int depth)
{
    struct box boxes[BOXES_MAX] = {{{0, 0}, {1, 1}, 0}};
    size_t count = 1;
    int deepest = depth < 50 ? depth : 50; /* the middles of 25 halvings each are exact */
    bool open = false;
    for (size_t i = 0; i < count; i++) {
        struct box box = boxes[i];
        enum verdict verdict = look_at(joint, &box);
        if (verdict == VERDICT_WITHIN) {
            return verdict;
        }
        if (verdict == VERDICT_UNDECIDED) {
            bool more = box.depth < deepest && count + 2 <= BOXES_MAX;
            open = open || !more;
            if (more) {
                halve(&box, (size_t)box.depth % joint->count, &boxes[count]);
                count += 2;
            }
        }
    }
    return open ? VERDICT_UNDECIDED : VERDICT_VIOLATION;
}
