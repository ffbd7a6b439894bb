#include "filter.h"
#include "interval.h"
#include "segment.h"

#include <math.h>

enum { T0, V0, M0, W0, T1, V1, M1, W1, T, INPUTS };
enum { PARAMETER_T0, PARAMETER_W0, PARAMETER_T1, PARAMETER_W1, PARAMETER_T, PARAMETER_INPUTS };

/* The root is algebraic, so no precision makes every answer a point. What a verdict needs is known
 * long before: with P bits the root's distance from the nearer end is known to some 2^-P of itself,
 * or where the curve's time stands still (a root that is threefold, or nearly) to 2^(-P/3). Where
 * the root is 1/2 exactly, the midpoint's test sees it as soon as the times' differences are exact,
 * which takes 2100 bits. */
enum { PRECISION_LIMIT = 4224 };

enum { GUESS_BITS = 64, GUESS_STEPS = 100, DOUBLE_BITS = 53 };

/* A segment as seen from the end that is nearer in the parameter: r is the parameter's distance
 * from that end, 1 - r from the other. Weights are times 3, so that an absent weight, the real 1/3,
 * is exactly 1. */
struct segment {
    double near_value, near_slope; /* the near control point is at value + w slope h */
    double far_value, far_slope;
    mpfi_ptr near_weight, far_weight; /* 3 w, in [0, 3] */
    mpfi_ptr far_reach;               /* 3 (1 - w) of the far end */
    mpfi_ptr distance;                /* of t from the near end; positive */
    mpfi_ptr duration;                /* t1 - t0 */
    bool mirrored;                    /* the near end is the second key */
};
enum { SEGMENT_WORK = 5 };

/* A weight that is absent is not there to be read. */
static bool finite_weight(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) == 0 || isfinite(*values_field(inputs, field));
}

static double weight_or_nan(const struct values *inputs, size_t field)
{
    return values_length(inputs, field) == 0 ? NAN : *values_field(inputs, field);
}

/* 3 w exactly, w clamped to [0, 1] */
static void set_weight(mpfi_ptr weight, double w)
{
    if (isnan(w)) {
        mpfi_set_ui(weight, 1);
        return;
    }
    mpfi_set_d(weight, w <= 0 ? 0.0 : (w >= 1 ? 1.0 : w));
    mpfi_mul_ui(weight, weight, 3);
}

/* X(1/2) - t has the sign of h (4 + 3 w0 - 3 w1) - 8 (t - t0). Negative: the parameter is beyond
 * the middle. Where the sign is not certain, either end will do. Returns whether it is exactly 0.
 */
static bool choose_end(struct segment *segment, const struct segment_data *data, mpfr_srcptr t,
                       mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    interval_difference(segment->duration, data->t1, data->t0);
    interval_above(segment->distance, t, data->t0);
    mpfi_add_ui(work[0], segment->near_weight, 4);
    mpfi_sub(work[0], work[0], segment->far_weight);
    mpfi_mul(work[0], work[0], segment->duration);
    mpfi_mul_2ui(work[1], segment->distance, 3);
    mpfi_sub(work[0], work[0], work[1]);
    bool middle = mpfi_is_zero(work[0]) > 0;
    segment->mirrored = mpfr_sgn(&work[0]->right) < 0;
    if (segment->mirrored) {
        mpfi_ptr near = segment->far_weight;
        segment->far_weight = segment->near_weight;
        segment->near_weight = near;
        interval_below(segment->distance, t, data->t1);
    }
    mpfi_ui_sub(segment->far_reach, 3, segment->far_weight);
    interval_return(2);
    return middle;
}

enum sign { NEGATIVE, ZERO, POSITIVE, UNCERTAIN };

static enum sign sign_of(mpfi_srcptr x)
{
    if (mpfr_sgn(&x->left) > 0) {
        return POSITIVE;
    }
    if (mpfr_sgn(&x->right) < 0) {
        return NEGATIVE;
    }
    return mpfr_zero_p(&x->left) && mpfr_zero_p(&x->right) ? ZERO : UNCERTAIN;
}

/* The time of r, from the near end, is h G(r) with
 *     G(r) = 3 w r (1-r)^2 + 3 (1 - w') r^2 (1-r) + r^3,
 * w of the near end and w' of the far one. No term is negative, and G rises. Returns the sign of
 * h G(r) - distance. */
static enum sign time_sign(const struct segment *segment, mpfr_srcptr r, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(4, precision);
    mpfi_ptr rest = work[0], sum = work[1], term = work[2], point = work[3];
    mpfi_set_fr(point, r);
    mpfi_ui_sub(rest, 1, point);

    mpfi_mul(sum, segment->near_weight, rest);
    mpfi_mul(term, segment->far_reach, point);
    mpfi_add(sum, sum, term);
    mpfi_mul(sum, sum, rest);
    mpfi_sqr(term, point);
    mpfi_add(sum, sum, term);
    mpfi_mul(sum, sum, point);
    mpfi_mul(sum, sum, segment->duration);
    mpfi_sub(sum, sum, segment->distance);
    enum sign sign = sign_of(sum);
    interval_return(4);
    return sign;
}

/* Rounded values of G(r) - x and G'(r): for guesses, which prove nothing. */
static void guess_time(const struct segment *segment, mpfr_srcptr x, mpfr_srcptr r,
                       mpfr_ptr residual, mpfr_ptr slope)
{
    mpfi_t *work = interval_take(2, mpfr_get_prec(r));
    mpfr_ptr rest = &work[0]->left, term = &work[0]->right, other = &work[1]->left;
    mpfr_srcptr near_weight = &segment->near_weight->left;
    mpfr_srcptr far_reach = &segment->far_reach->left;
    mpfr_ui_sub(rest, 1, r, MPFR_RNDN);
    mpfr_fmma(residual, near_weight, rest, far_reach, r, MPFR_RNDN);
    mpfr_fmma(residual, residual, rest, r, r, MPFR_RNDN);
    mpfr_fms(residual, residual, r, x, MPFR_RNDN);

    /* G' = 3w (1-r)(1-3r) + 3(1-w') r (2-3r) + 3 r^2 */
    mpfr_mul_ui(term, r, 3, MPFR_RNDN);
    mpfr_ui_sub(other, 1, term, MPFR_RNDN);
    mpfr_mul(other, other, rest, MPFR_RNDN);
    mpfr_mul(other, other, near_weight, MPFR_RNDN);
    mpfr_mul(slope, r, term, MPFR_RNDN);
    mpfr_add(slope, slope, other, MPFR_RNDN);
    mpfr_ui_sub(term, 2, term, MPFR_RNDN);
    mpfr_mul(term, term, r, MPFR_RNDN);
    mpfr_fma(slope, term, far_reach, slope, MPFR_RNDN);
    interval_return(2);
}

/* r to about GUESS_BITS. Since r^3 <= G(r) <= 3 r, the root lies between x/3 and x^(1/3): bisection
 * of the exponent until Newton's step stays inside. */
static void guess_root(const struct segment *segment, mpfr_srcptr x, mpfr_ptr r)
{
    mpfi_t *work = interval_take(3, GUESS_BITS);
    mpfr_ptr low = &work[0]->left, high = &work[0]->right, residual = &work[1]->left;
    mpfr_ptr slope = &work[1]->right, next = &work[2]->left;
    mpfr_div_ui(low, x, 3, MPFR_RNDD);
    mpfr_cbrt(high, x, MPFR_RNDU);
    mpfr_set(r, high, MPFR_RNDN);
    for (int i = 0; i < GUESS_STEPS; i++) {
        guess_time(segment, x, r, residual, slope);
        if (mpfr_zero_p(residual)) {
            break;
        }
        mpfr_set(mpfr_sgn(residual) > 0 ? high : low, r, MPFR_RNDN);
        mpfr_div(next, residual, slope, MPFR_RNDN);
        mpfr_sub(next, r, next, MPFR_RNDN);
        if (!mpfr_greater_p(next, low) || !mpfr_less_p(next, high)) {
            mpfr_mul(next, low, high, MPFR_RNDN);
            mpfr_sqrt(next, next, MPFR_RNDN);
        }
        mpfr_sub(residual, next, r, MPFR_RNDN);
        mpfr_set(r, next, MPFR_RNDN);
        if (mpfr_zero_p(residual) || mpfr_get_exp(residual) < mpfr_get_exp(r) - (GUESS_BITS - 8)) {
            break;
        }
    }
    interval_return(3);
}

/* Newton's steps at the full precision; how many is no matter of truth. */
static void polish_root(const struct segment *segment, mpfr_srcptr x, mpfr_ptr r)
{
    mpfi_t *work = interval_take(1, mpfr_get_prec(r));
    mpfr_ptr residual = &work[0]->left, slope = &work[0]->right;
    for (mpfr_prec_t bits = GUESS_BITS / 2; bits < 2 * mpfr_get_prec(r); bits *= 2) {
        guess_time(segment, x, r, residual, slope);
        mpfr_div(residual, residual, slope, MPFR_RNDN);
        if (!mpfr_number_p(residual)) {
            break;
        }
        mpfr_sub(r, r, residual, MPFR_RNDN);
    }
    interval_return(1);
}

/* Makes it [r (1 - 2^-bits), r (1 + 2^-bits)], and returns whether the root is proved to lie in it
 * by the signs at its ends. */
static bool certify(const struct segment *segment, mpfr_srcptr r, mpfr_prec_t bits, mpfi_ptr root,
                    mpfr_prec_t precision)
{
    if (!mpfr_number_p(r) || mpfr_sgn(r) <= 0) {
        return false;
    }
    mpfi_t *work = interval_take(1, precision);
    mpfr_ptr radius = &work[0]->left;
    mpfr_div_2ui(radius, r, (unsigned long)bits, MPFR_RNDU);
    mpfr_sub(&root->left, r, radius, MPFR_RNDD);
    mpfr_add(&root->right, r, radius, MPFR_RNDU);
    interval_return(1);
    enum sign low = time_sign(segment, &root->left, precision);
    enum sign high = time_sign(segment, &root->right, precision);
    return (low == NEGATIVE || low == ZERO) && (high == POSITIVE || high == ZERO) &&
           mpfr_cmp_ui(&root->right, 1) < 0;
}

/* Between `certain`, whose sign is known, and `uncertain` lies the end of what can be known: moves
 * `certain` there, but for a sixteenth of its distance from `middle`, which is uncertain as well.
 */
static void approach(const struct segment *segment, mpfr_ptr certain, mpfr_srcptr middle,
                     enum sign wanted, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfr_ptr uncertain = &work[0]->left, next = &work[0]->right;
    mpfr_ptr gap = &work[1]->left, rest = &work[1]->right;
    mpfr_set(uncertain, middle, MPFR_RNDN);
    for (;;) {
        mpfr_sub(gap, certain, uncertain, MPFR_RNDN);
        mpfr_sub(rest, uncertain, middle, MPFR_RNDN);
        mpfr_mul_2ui(gap, gap, 4, MPFR_RNDN);
        mpfr_add(next, certain, uncertain, MPFR_RNDN);
        mpfr_div_2ui(next, next, 1, MPFR_RNDN);
        if (mpfr_cmpabs(gap, rest) <= 0 || mpfr_equal_p(next, certain) ||
            mpfr_equal_p(next, uncertain)) {
            break;
        }
        mpfr_set(time_sign(segment, next, precision) == wanted ? certain : uncertain, next,
                 MPFR_RNDN);
    }
    interval_return(2);
}

/* Bisection by certain signs, from what is always true: the root is in (0, 1). Where a middle's
 * sign is uncertain, as that of 1/2 is for long if the root is next to it, the ends go on alone. */
static void bisect(const struct segment *segment, mpfi_ptr root, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(1, precision);
    mpfr_ptr middle = &work[0]->left;
    mpfi_interv_si(root, 0, 1);
    for (;;) {
        if (mpfr_zero_p(&root->left)) {
            mpfr_div_2ui(middle, &root->right, GUESS_BITS, MPFR_RNDN);
        } else {
            mpfr_add(middle, &root->left, &root->right, MPFR_RNDN);
            mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
        }
        if (!mpfr_greater_p(middle, &root->left) || !mpfr_less_p(middle, &root->right)) {
            break;
        }
        enum sign sign = time_sign(segment, middle, precision);
        if (sign == UNCERTAIN) {
            approach(segment, &root->left, middle, NEGATIVE, precision);
            approach(segment, &root->right, middle, POSITIVE, precision);
            break;
        }
        if (sign != POSITIVE) {
            mpfr_set(&root->left, middle, MPFR_RNDN);
        }
        if (sign != NEGATIVE) {
            mpfr_set(&root->right, middle, MPFR_RNDN);
        }
    }
    interval_return(1);
}

/* Encloses r. Every way to it ends in signs of the exact polynomial at both ends of the enclosure;
 * an iteration that merely seems to stand still proves nothing. Where the curve's time nearly
 * stands still, the residual's last bits are worth more of r. */
static void enclose_root(const struct segment *segment, mpfi_ptr root, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(2, precision);
    mpfr_ptr x = &work[0]->left;
    mpfr_ptr r = &work[0]->right;
    mpfr_ptr guess = &work[1]->left;
    mpfr_set_prec(guess, GUESS_BITS);
    mpfr_div(x, &segment->distance->left, &segment->duration->left, MPFR_RNDN);
    guess_root(segment, x, guess);
    mpfr_set(r, guess, MPFR_RNDN);
    polish_root(segment, x, r);
    if (!certify(segment, r, precision - 8, root, precision) &&
        !certify(segment, r, precision - 24, root, precision) &&
        !certify(segment, r, precision / 2, root, precision) &&
        !certify(segment, r, precision / 3 - 8, root, precision)) {
        bisect(segment, root, precision);
    }
    interval_return(2);
}

static struct segment segment_of(const struct segment_data *data, mpfi_t *work)
{
    set_weight(work[0], data->w0);
    set_weight(work[1], data->w1);
    return (struct segment){.near_weight = work[0],
                            .far_weight = work[1],
                            .far_reach = work[2],
                            .distance = work[3],
                            .duration = work[4]};
}

static void find_root(struct segment *segment, mpfi_ptr root, const struct segment_data *data,
                      mpfr_srcptr t, mpfr_prec_t precision)
{
    if (choose_end(segment, data, t, precision)) {
        mpfi_set_d(root, 0.5);
    } else {
        enclose_root(segment, root, precision);
    }
}

/* With r the root, q = 1 - r and the weights times 3,
 *     F = v + (v' - v) r^2 (3 - 2 r) + 3w m h q^2 r + 3w' m' h q r^2
 * from the near end, which is exact where nothing but v remains; S has |v| q^2 (1 + 2 r) and
 * |v'| r^2 (3 - 2 r) and the two last terms' sizes. */
static void set_value(mpfi_ptr value, mpfi_ptr scale, const struct segment *segment,
                      mpfi_srcptr root, mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(5, precision);
    mpfi_ptr rest = work[0], share = work[1], term = work[2], product = work[3], slope = work[4];
    mpfi_ui_sub(rest, 1, root);

    mpfi_mul_2ui(share, root, 1);
    mpfi_ui_sub(share, 3, share);
    mpfi_sqr(term, root);
    mpfi_mul(share, share, term);
    interval_difference(value, segment->far_value, segment->near_value);
    mpfi_mul(value, value, share);
    mpfi_add_d(value, value, segment->near_value);
    mpfi_mul_d(scale, share, fabs(segment->far_value));

    mpfi_mul_2ui(share, root, 1);
    mpfi_add_ui(share, share, 1);
    mpfi_sqr(term, rest);
    mpfi_mul(share, share, term);
    mpfi_mul_d(share, share, fabs(segment->near_value));
    mpfi_add(scale, scale, share);

    mpfi_mul(product, root, rest);
    mpfi_mul(product, product, segment->duration);
    for (int side = 0; side < 2; side++) {
        mpfi_mul(term, product, side == 0 ? rest : root);
        mpfi_mul(term, term, side == 0 ? segment->near_weight : segment->far_weight);
        mpfi_set_d(slope, side == 0 ? segment->near_slope : segment->far_slope);
        mpfi_mul(term, term, slope);
        mpfi_add(value, value, term);
        mpfi_abs(term, term);
        mpfi_add(scale, scale, term);
    }
    interval_return(5);
}

void bezier_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr value, mpfi_ptr scale)
{
    mpfr_prec_t precision = mpfr_get_prec(&value->left);
    mpfi_t *work = interval_take(SEGMENT_WORK + 1, precision);
    mpfi_ptr root = work[SEGMENT_WORK];
    struct segment segment = segment_of(data, work);
    find_root(&segment, root, data, t, precision);
    segment.near_value = segment.mirrored ? data->v1 : data->v0;
    segment.near_slope = segment.mirrored ? -data->m1 : data->m0;
    segment.far_value = segment.mirrored ? data->v0 : data->v1;
    segment.far_slope = segment.mirrored ? data->m0 : -data->m1;
    set_value(value, scale, &segment, root, precision);
    interval_return(SEGMENT_WORK + 1);
}

void bezier_parameter_at(const struct segment_data *data, mpfr_srcptr t, mpfi_ptr parameter)
{
    mpfr_prec_t precision = mpfr_get_prec(&parameter->left);
    mpfi_t *work = interval_take(SEGMENT_WORK, precision);
    struct segment segment = segment_of(data, work);
    find_root(&segment, parameter, data, t, precision);
    if (segment.mirrored) {
        mpfi_ui_sub(parameter, 1, parameter);
    }
    interval_return(SEGMENT_WORK);
}

static void answer_bezier(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    struct segment_data data = {
        .t0 = *values_field(inputs, T0),
        .v0 = *values_field(inputs, V0),
        .m0 = *values_field(inputs, M0),
        .t1 = *values_field(inputs, T1),
        .v1 = *values_field(inputs, V1),
        .m1 = *values_field(inputs, M1),
        .t = *values_field(inputs, T),
        .finite_weights = finite_weight(inputs, W0) && finite_weight(inputs, W1),
        .w0 = weight_or_nan(inputs, W0),
        .w1 = weight_or_nan(inputs, W1),
    };
    if (segment_is_given(&data, answer)) {
        return;
    }
    answer->kind = ANSWER_REAL;
    interval_set_precision(answer->value[0], precision);
    interval_set_precision(answer->scale[0], precision);
    mpfi_t *work = interval_take(1, DOUBLE_BITS);
    mpfr_set_d(&work[0]->left, data.t, MPFR_RNDN);
    bezier_at(&data, &work[0]->left, answer->value[0], answer->scale[0]);
    interval_return(1);
}

/* The rules are those of a segment from 0 to 1. */
static void answer_parameter(const struct values *inputs, mpfr_prec_t precision,
                             struct answer *answer)
{
    struct segment_data data = {
        .t0 = *values_field(inputs, PARAMETER_T0),
        .t1 = *values_field(inputs, PARAMETER_T1),
        .v1 = 1,
        .t = *values_field(inputs, PARAMETER_T),
        .finite_weights =
            finite_weight(inputs, PARAMETER_W0) && finite_weight(inputs, PARAMETER_W1),
        .w0 = weight_or_nan(inputs, PARAMETER_W0),
        .w1 = weight_or_nan(inputs, PARAMETER_W1),
    };
    if (segment_is_given(&data, answer)) {
        return;
    }
    answer->kind = ANSWER_REAL;
    interval_set_precision(answer->value[0], precision);
    interval_set_precision(answer->scale[0], precision);
    mpfi_t *work = interval_take(1, DOUBLE_BITS);
    mpfr_set_d(&work[0]->left, data.t, MPFR_RNDN);
    bezier_parameter_at(&data, &work[0]->left, answer->value[0]);
    mpfi_set(answer->scale[0], answer->value[0]);
    interval_return(1);
}

static const struct field bezier_inputs[INPUTS] = {
    [T0] = {"t0", FIELD_NUMBER, "time", "the first key's time"},
    [V0] = {"v0", FIELD_NUMBER, "value", "the first key's value"},
    [M0] = {"m0", FIELD_NUMBER, "value/time", "the first key's out tangent, a slope"},
    [W0] = {"w0", FIELD_OPTIONAL, "1", "the first key's out weight; empty: exactly 1/3"},
    [T1] = {"t1", FIELD_NUMBER, "time", "the second key's time"},
    [V1] = {"v1", FIELD_NUMBER, "value", "the second key's value"},
    [M1] = {"m1", FIELD_NUMBER, "value/time", "the second key's in tangent, a slope"},
    [W1] = {"w1", FIELD_OPTIONAL, "1", "the second key's in weight; empty: exactly 1/3"},
    [T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
};

static const struct field parameter_inputs[PARAMETER_INPUTS] = {
    [PARAMETER_T0] = {"t0", FIELD_NUMBER, "time", "the first key's time"},
    [PARAMETER_W0] = {"w0", FIELD_OPTIONAL, "1", "the first key's out weight; empty: exactly 1/3"},
    [PARAMETER_T1] = {"t1", FIELD_NUMBER, "time", "the second key's time"},
    [PARAMETER_W1] = {"w1", FIELD_OPTIONAL, "1", "the second key's in weight; empty: exactly 1/3"},
    [PARAMETER_T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
};

static const struct field value_output[] = {{"", FIELD_NUMBER, "value", "the value at t"}};
static const struct field parameter_output[] = {{"", FIELD_NUMBER, "1", "the parameter s at t"}};

const struct function oracle_bezier = {
    .name = "bezier",
    .family = "bezier",
    .summary = "the cubic Bezier segment between two keys of which a side is weighted",
    .formula = "Y(s), where s in [0, 1] is the root of X(s) = t; the control points (X, Y) are "
               "(t0, v0), (t0 + w0 h, v0 + w0 m0 h), (t1 - w1 h, v1 - w1 m1 h), (t1, v1) with "
               "h = t1 - t0 and weights clamped to [0, 1]",
    .scale = "|v0| (B0 + B1) + |w0 m0 h| B1 + |v1| (B2 + B3) + |w1 m1 h| B2, with the Bernstein "
             "polynomials at s",
    .domain = "a time that is NaN or t0 > t1 gives NaN; else t >= t1 gives v1 and t <= t0 gives "
              "v0, bit for bit; else an infinite tangent gives v0; else any other argument that "
              "is not finite gives NaN; an empty weight is the real 1/3",
    .inputs = bezier_inputs,
    .input_count = INPUTS,
    .outputs = value_output,
    .output_count = 1,
    .measure = MEASURE_SCALED,
    .K = BEZIER_K,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_bezier,
    .estimate = estimate_bezier,
};

const struct function oracle_bezier_parameter = {
    .name = "bezier_parameter",
    .family = "bezier",
    .summary = "the parameter of a weighted segment at a time",
    .formula = "s in [0, 1] with 3 w0 s (1-s)^2 + 3 (1 - w1) s^2 (1-s) + s^3 = (t - t0)/(t1 - t0), "
               "weights clamped to [0, 1]",
    .scale = "s",
    .domain = "a time that is NaN or t0 > t1 gives NaN; else t >= t1 gives 1 and t <= t0 gives 0; "
              "else any other argument that is not finite gives NaN; an empty weight is the real "
              "1/3",
    .inputs = parameter_inputs,
    .input_count = PARAMETER_INPUTS,
    .outputs = parameter_output,
    .output_count = 1,
    .measure = MEASURE_SCALED,
    .K = 64,
    .precision_limit = PRECISION_LIMIT,
    .answer = answer_parameter,
    .estimate = estimate_bezier_parameter,
};
