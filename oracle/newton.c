#include "filter.h"
#include "interval.h"
#include "newton.h"

#include "../impl/truelerp.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Newton's form is never computed from differences of differences here: with the nodes s_0, s_1,
 * ... in their order and D_ik the product of s_i - s_j over all j <= k but i,
 *
 *     c_k = sum over i <= k of v_i / D_ik,    T_k = sum over i <= k of |v_i| / |D_ik|.
 *
 * Each term consists of products and quotients of differences that are rounded once, so that all
 * its bits but the last few are known, whatever the data; c_k's enclosure is as wide as some
 * 2^-precision of T_k, and F's as that of T. The bound has a part 64 n u^2 T: from 128 bits on, F
 * is known far better than that. So a verdict is open at P bits only where the error and the bound
 * agree but for about 2^(120 - P) of the bound.
 *
 * Can they agree that closely and yet be different? Of n nodes, m = n (n - 1) / 2 pairs differ by
 * multiples of g = 2^-1074 below 2^1025; D, the product of all these differences, is below
 * 2^(1025 m), and F D, S D and T D are multiples of g^(m + 1). So the error and the bound are equal
 * or at least 2^-106 g^(m + 1) / D >= 2^(-1180 - 2099 m) apart, while T is below
 * n^2 2^(1024 + 2099 (n - 1)). A precision of 2300 + 2099 (m + n - 1) bits tells: 21200 for the up
 * to four keys of a track's window. For longer lists this is a matter of how many bits the times
 * span: where a span of B bits holds them, in place of 2099, (m + n - 1) B + 2300 will do, such as
 * 30000 for 30 times within 60 bits. What agrees to 32000 bits beyond that is taken for equal; no
 * result of a computation in doubles comes near it. */
enum { TRACK_PRECISION_LIMIT = 21248, PRECISION_LIMIT = 32768 };

/* From here on an F that may be 0 is not left to more precision. */
enum { PRECISION_OF_ZERO = 1024 };

enum { ORDER_MAX = 3, LEAST_NORMAL_EXPONENT = -1022 };

/* One polynomial, whose nodes are the keys order[0], order[1], ... */
struct polynomial {
    const double *times;
    const double *values; /* key by key, channels together */
    size_t count;
    size_t channels;
    size_t *order;
};

static double time_of(const struct polynomial *p, size_t k)
{
    return p->times[p->order[k]];
}

static double value_of(const struct polynomial *p, size_t k, size_t channel)
{
    return p->values[p->order[k] * p->channels + channel];
}

static void *memory(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block) {
        fputs("truelerp: out of memory\n", stderr);
        exit(3); /* without memory there is no answer to trust */
    }
    return block;
}

/* Intervals in a row; few of them cost no allocation. */
enum { FEW_INTERVALS = 48 };

static mpfi_t *intervals_take(size_t count, mpfr_prec_t precision)
{
    if (count <= FEW_INTERVALS) {
        return interval_take(count, precision);
    }
    mpfi_t *interval = memory(count, sizeof *interval);
    for (size_t i = 0; i < count; i++) {
        mpfi_init2(interval[i], precision);
    }
    return interval;
}

static void intervals_return(mpfi_t *interval, size_t count)
{
    if (count <= FEW_INTERVALS) {
        interval_return(count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        mpfi_clear(interval[i]);
    }
    free(interval);
}

/* The nodes' order */

/* A product of distances, nearly: mantissa 2^exponent. */
struct size {
    double mantissa; /* in [1/2, 1), or 0 */
    long exponent;
};

/* The difference is off by u at most: halves are exact where they are needed, but for what is
 * below 2^-1074 of the other. So is the product; after k steps the whole is off by less than
 * 2.1 k u. */
static void size_multiply(struct size *size, double a, double b)
{
    int exponent;
    long halved = 0;
    double difference = a - b;
    if (isinf(difference)) {
        difference = a / 2 - b / 2;
        halved = 1;
    }
    difference = frexp(difference, &exponent);
    size->exponent += exponent + halved;
    size->mantissa = frexp(size->mantissa * fabs(difference), &exponent);
    size->exponent += exponent;
}

/* Is x surely larger than y, each of them off by `error` at most? */
static bool size_exceeds(const struct size *x, const struct size *y, double error)
{
    if (y->mantissa == 0) {
        return x->mantissa != 0;
    }
    long shift = x->exponent - y->exponent;
    shift = shift > 4 ? 4 : shift < -4 ? -4 : shift;
    return ldexp(x->mantissa, (int)shift) > y->mantissa * (1 + 4 * error);
}

/* |time i - s_j| over all j < count, multiplied. */
static void set_distances(mpfi_ptr product, const struct polynomial *p, size_t i, size_t count,
                          mpfi_ptr work)
{
    mpfi_set_ui(product, 1);
    for (size_t j = 0; j < count; j++) {
        interval_difference(work, p->times[i], time_of(p, j));
        mpfi_mul(product, product, work);
    }
    mpfi_abs(product, product);
}

/* Is the product of key a's distances to the first `count` nodes larger than b's? The precision
 * rises until the two are apart or exact; the latter is so at 2099 bits a distance. */
static bool is_farther(const struct polynomial *p, size_t a, size_t b, size_t count)
{
    for (mpfr_prec_t precision = 128;; precision *= 2) {
        mpfi_t *work = interval_take(3, precision);
        set_distances(work[0], p, a, count, work[2]);
        set_distances(work[1], p, b, count, work[2]);
        bool larger = mpfr_cmp(&work[0]->left, &work[1]->right) > 0;
        bool not_larger = mpfr_cmp(&work[0]->right, &work[1]->left) <= 0;
        interval_return(3);
        if (larger || not_larger) {
            return larger;
        }
    }
}

/* The key for the next place: of those that are not chosen yet (size.mantissa != 0) the one with
 * the greatest product, the first of equals. Only those which may be the greatest are looked at
 * exactly. */
static size_t next_node(const struct polynomial *p, const struct size *sizes, size_t chosen)
{
    double error = (double)chosen * 0x1p-51;
    size_t best = 0;
    for (size_t i = 1; i < p->count; i++) {
        best = size_exceeds(&sizes[i], &sizes[best], 0) ? i : best;
    }
    size_t farthest = SIZE_MAX;
    for (size_t i = 0; i < p->count; i++) {
        if (sizes[i].mantissa == 0 || size_exceeds(&sizes[best], &sizes[i], error)) {
            continue;
        }
        if (farthest == SIZE_MAX || is_farther(p, i, farthest, chosen)) {
            farthest = i;
        }
    }
    return farthest;
}

/* First the largest time, then always the greatest product of distances to those before. The times
 * are distinct. */
static void set_order(struct polynomial *p)
{
    struct size *sizes = memory(p->count, sizeof *sizes);
    size_t next = 0;
    for (size_t i = 0; i < p->count; i++) {
        sizes[i] = (struct size){0.5, 1};
        next = p->times[i] > p->times[next] ? i : next;
    }
    for (size_t k = 0; k < p->count; k++) {
        next = k == 0 ? next : next_node(p, sizes, k);
        p->order[k] = next;
        sizes[next].mantissa = 0;
        for (size_t i = 0; i < p->count; i++) {
            if (sizes[i].mantissa != 0) {
                size_multiply(&sizes[i], p->times[i], p->times[next]);
            }
        }
    }
    free(sizes);
}

/* The same in rationals, for what an enclosure does not decide: whether a coefficient is 0, or
 * beyond the range. Coefficients are computed when first needed and depend on those before them;
 * where these are mostly 0, as for data on a line, that is quick. */
struct exact {
    const struct polynomial *p;
    mpq_t *coefficient; /* channel by channel, p->count each; NULL: none yet */
    size_t *known;      /* how many of each channel's are */
    mpq_t work[4];
};

static void exact_free(struct exact *exact)
{
    if (!exact->coefficient) {
        return;
    }
    for (size_t channel = 0; channel < exact->p->channels; channel++) {
        for (size_t k = 0; k < exact->known[channel]; k++) {
            mpq_clear(exact->coefficient[channel * exact->p->count + k]);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        mpq_clear(exact->work[i]);
    }
    free(exact->coefficient);
    free(exact->known);
}

static void exact_start(struct exact *exact)
{
    if (exact->coefficient) {
        return;
    }
    exact->coefficient = memory(exact->p->count * exact->p->channels, sizeof *exact->coefficient);
    exact->known = memory(exact->p->channels, sizeof *exact->known);
    for (size_t i = 0; i < 4; i++) {
        mpq_init(exact->work[i]);
    }
}

/* time - s_k; leaves the latter in `node`. */
static void exact_difference(mpq_t difference, const struct polynomial *p, const mpq_t time,
                             size_t k, mpq_t node)
{
    mpq_set_d(node, time_of(p, k));
    mpq_sub(difference, time, node);
}

/* The value at `time` of the polynomial through the first `count` nodes, whose coefficients are
 * known. */
static void exact_value(mpq_t value, struct exact *exact, size_t channel, const mpq_t time,
                        size_t count)
{
    const mpq_t *coefficient = (const mpq_t *)exact->coefficient + channel * exact->p->count;
    mpq_set_ui(value, 0, 1);
    for (size_t k = count; k-- > 0;) {
        if (mpq_sgn(value) != 0) {
            exact_difference(exact->work[2], exact->p, time, k, exact->work[3]);
            mpq_mul(value, value, exact->work[2]);
        }
        mpq_add(value, value, coefficient[k]);
    }
}

/* c_k = (v_k - p(s_k)) / product of s_k - s_j, where p is the polynomial through those before. */
static void exact_extend(struct exact *exact, size_t channel)
{
    const struct polynomial *p = exact->p;
    size_t k = exact->known[channel];
    mpq_ptr c = exact->coefficient[channel * p->count + k];
    mpq_ptr time = exact->work[0], value = exact->work[1];
    mpq_init(c);
    mpq_set_d(time, time_of(p, k));
    exact_value(value, exact, channel, time, k);
    mpq_set_d(c, value_of(p, k, channel));
    mpq_sub(c, c, value);
    for (size_t j = 0; j < k && mpq_sgn(c) != 0; j++) {
        exact_difference(exact->work[2], p, time, j, exact->work[3]);
        mpq_div(c, c, exact->work[2]);
    }
    exact->known[channel] = k + 1;
}

static const mpq_t *exact_coefficient(struct exact *exact, size_t channel, size_t k)
{
    exact_start(exact);
    while (exact->known[channel] <= k) {
        exact_extend(exact, channel);
    }
    return (const mpq_t *)&exact->coefficient[channel * exact->p->count + k];
}

/* F at t */
static void exact_at(mpq_t value, struct exact *exact, size_t channel, double t)
{
    mpq_t time;
    mpq_init(time);
    exact_coefficient(exact, channel, exact->p->count - 1);
    mpq_set_d(time, t);
    exact_value(value, exact, channel, time, exact->p->count);
    mpq_clear(time);
}

/* T_k */
static void exact_part(mpq_t part, struct exact *exact, size_t channel, size_t k)
{
    const struct polynomial *p = exact->p;
    mpq_ptr time = exact->work[0], term = exact->work[1];
    mpq_set_ui(part, 0, 1);
    for (size_t i = 0; i <= k; i++) {
        mpq_set_d(time, time_of(p, i));
        mpq_set_d(term, value_of(p, i, channel));
        for (size_t j = 0; j <= k; j++) {
            if (j != i) {
                exact_difference(exact->work[2], p, time, j, exact->work[3]);
                mpq_div(term, term, exact->work[2]);
            }
        }
        mpq_abs(term, term);
        mpq_add(part, part, term);
    }
}

/* The coefficients' range */

enum range {
    RANGE_WITHIN, /* 0, or from 2^-1022 to below 2^1024 - 2^970 in size */
    RANGE_EITHER, /* less than 64 n u^2 T_k from what is within */
    RANGE_OUT,
    RANGE_OPEN /* cannot be told at this precision */
};

/* By how much |c| must be off the range to be surely out. */
static void set_band(mpfi_ptr band, mpfi_srcptr part, size_t count)
{
    mpfi_mul_ui(band, part, FACTOR_SLACK * count);
    mpfi_mul_2si(band, band, 2L * U_EXPONENT);
}

/* How far |c| is from one side of what is within, against the band. */
static enum range range_beyond(mpfi_srcptr excess, mpfi_srcptr band)
{
    if (mpfr_cmp(&excess->right, &band->left) < 0) {
        return RANGE_EITHER;
    }
    return mpfr_cmp(&excess->left, &band->right) >= 0 ? RANGE_OUT : RANGE_OPEN;
}

/* The same between 0 and 2^-1022. */
static enum range range_between(mpfi_srcptr from_zero, mpfi_srcptr from_least, mpfi_srcptr band)
{
    enum range zero = range_beyond(from_zero, band);
    enum range least = range_beyond(from_least, band);
    if (zero == RANGE_EITHER || least == RANGE_EITHER) {
        return RANGE_EITHER;
    }
    return zero == RANGE_OUT && least == RANGE_OUT ? RANGE_OUT : RANGE_OPEN;
}

/* 2^-1022 and 2^1024 - 2^970 */
static void set_limits(mpfr_ptr least, mpfr_ptr most)
{
    mpfr_set_ui_2exp(least, 1, LEAST_NORMAL_EXPONENT, MPFR_RNDN);
    mpfr_set_si_2exp(most, OVERFLOW_MANTISSA, OVERFLOW_EXPONENT, MPFR_RNDN);
}

static enum range range_enclosed(mpfi_srcptr c, mpfi_srcptr part, size_t count)
{
    mpfr_prec_t precision = mpfr_get_prec(&c->left);
    mpfi_t *work = interval_take(4, precision);
    mpfi_ptr size = work[0], excess = work[1], band = work[2];
    mpfr_ptr least = &work[3]->left, most = &work[3]->right;
    set_limits(least, most);
    mpfi_abs(size, c);
    enum range range = RANGE_OPEN;
    if (mpfr_zero_p(&size->right) ||
        (mpfr_cmp(&size->left, least) >= 0 && mpfr_cmp(&size->right, most) < 0)) {
        range = RANGE_WITHIN;
    } else if (mpfr_sgn(&size->left) > 0 && mpfr_cmp(&size->right, least) < 0) {
        set_band(band, part, count);
        mpfi_fr_sub(excess, least, size);
        range = range_between(size, excess, band);
    } else if (mpfr_cmp(&size->left, most) >= 0) {
        set_band(band, part, count);
        mpfi_sub_fr(excess, size, most);
        range = range_beyond(excess, band);
    }
    interval_return(4);
    return range;
}

static void set_power(mpq_t power, long mantissa, long exponent)
{
    mpq_set_si(power, mantissa, 1);
    if (exponent < 0) {
        mpq_div_2exp(power, power, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(power, power, (mp_bitcnt_t)exponent);
    }
}

static enum range range_exact(const mpq_t c, struct exact *exact, size_t channel, size_t k)
{
    mpq_t size, least, most, band;
    mpq_inits(size, least, most, band, NULL);
    mpq_abs(size, c);
    set_power(least, 1, LEAST_NORMAL_EXPONENT);
    set_power(most, OVERFLOW_MANTISSA, OVERFLOW_EXPONENT);
    bool below = mpq_sgn(c) != 0 && mpq_cmp(size, least) < 0;
    bool above = mpq_cmp(size, most) >= 0;
    enum range range = RANGE_WITHIN;
    if (below || above) {
        exact_part(band, exact, channel, k);
        set_power(most, (long)(FACTOR_SLACK * exact->p->count), 2L * U_EXPONENT);
        mpq_mul(band, band, most);
        set_power(most, OVERFLOW_MANTISSA, OVERFLOW_EXPONENT);
        mpq_sub(most, below ? least : size, below ? size : most);
        mpq_set(size, above || mpq_cmp(most, size) < 0 ? most : size);
        range = mpq_cmp(size, band) < 0 ? RANGE_EITHER : RANGE_OUT;
    }
    mpq_clears(size, least, most, band, NULL);
    return range;
}

/* What is summed up of a polynomial at t, each by channel. */
struct sums {
    mpfi_t *value;   /* F */
    mpfi_t *scale;   /* S */
    mpfi_t *slack;   /* T, then 64 n u^2 T */
    mpfi_ptr figure; /* the largest S / sum |v_i l_i(t)|; NULL: not asked for */
};

/* One polynomial at work. Whatever is a product is kept as its size, an interval of positive
 * numbers, for which one operation a side will do, and its sign, which is known. */
struct form {
    const struct polynomial *p;
    mpfr_prec_t precision;
    double t;
    mpfi_t *key;     /* in ->left: the nodes' times, then their values' sizes, both exact */
    mpfi_t *divisor; /* |D_ik| of step k */
    bool *negative;  /* and whether D_ik is */
    mpfi_ptr node;   /* |N_k|, N_k = product of t - s_j over j < k */
    bool node_negative;
    mpfi_ptr c, part, term, product;
    mpfr_ptr point; /* t */
    struct exact exact;
};

enum { FORM_INTERVALS = 6 };

static mpfr_ptr datum_of(const struct form *form, size_t i, size_t channel)
{
    return &form->key[form->p->count + i * form->p->channels + channel]->left;
}

static void form_open(struct form *form, const struct polynomial *p, double t,
                      mpfr_prec_t precision)
{
    *form = (struct form){.p = p, .precision = precision, .t = t, .exact = {.p = p}};
    form->negative = memory(p->count, sizeof *form->negative);
    form->divisor = intervals_take(p->count, precision);
    form->key = intervals_take(p->count * (1 + p->channels), precision);
    for (size_t i = 0; i < p->count; i++) {
        mpfr_set_d(&form->key[i]->left, time_of(p, i), MPFR_RNDN);
        for (size_t channel = 0; channel < p->channels; channel++) {
            mpfr_set_d(datum_of(form, i, channel), fabs(value_of(p, i, channel)), MPFR_RNDN);
        }
    }
    mpfi_t *work = interval_take(FORM_INTERVALS, precision);
    form->node = work[0];
    form->c = work[1];
    form->part = work[2];
    form->term = work[3];
    form->product = work[4];
    form->point = &work[5]->left;
    mpfr_set_d(form->point, t, MPFR_RNDN);
    mpfi_set_ui(form->node, 1);
}

static void form_close(struct form *form)
{
    exact_free(&form->exact);
    interval_return(FORM_INTERVALS);
    intervals_return(form->key, form->p->count * (1 + form->p->channels));
    intervals_return(form->divisor, form->p->count);
    free(form->negative);
}

/* Of sizes */
static void multiply(mpfi_ptr product, mpfi_srcptr factor)
{
    mpfr_mul(&product->left, &product->left, &factor->left, MPFR_RNDD);
    mpfr_mul(&product->right, &product->right, &factor->right, MPFR_RNDU);
}

/* form->term = |v_i| / divisor, both of them sizes */
static void set_quotient(struct form *form, size_t i, size_t channel, mpfi_srcptr divisor)
{
    mpfr_srcptr datum = datum_of(form, i, channel);
    mpfr_div(&form->term->left, datum, &divisor->right, MPFR_RNDD);
    mpfr_div(&form->term->right, datum, &divisor->left, MPFR_RNDU);
}

/* form->term = |x - s_i|. Returns whether the difference is negative. */
static bool set_distance(struct form *form, mpfr_srcptr x, size_t i)
{
    mpfr_srcptr node = &form->key[i]->left;
    mpfr_ptr left = &form->term->left;
    bool negative = mpfr_less_p(x, node);
    mpfr_srcptr larger = negative ? node : x;
    mpfr_srcptr smaller = negative ? x : node;
    if (mpfr_sub(left, larger, smaller, MPFR_RNDD) == 0) {
        mpfr_set(&form->term->right, left, MPFR_RNDU);
    } else {
        mpfr_sub(&form->term->right, larger, smaller, MPFR_RNDU);
    }
    return negative;
}

/* From step k - 1 to step k. */
static void add_node(struct form *form, size_t k)
{
    mpfi_set_ui(form->divisor[k], 1);
    for (size_t i = 0; i < k; i++) {
        size_t below = set_distance(form, &form->key[k]->left, i) ? k : i;
        form->negative[below] = !form->negative[below];
        multiply(form->divisor[k], form->term);
        multiply(form->divisor[i], form->term);
    }
}

static void add_signed(mpfi_ptr sum, mpfi_srcptr size, bool negative)
{
    if (negative) {
        mpfi_sub(sum, sum, size);
    } else {
        mpfi_add(sum, sum, size);
    }
}

/* c_k and T_k */
static void set_coefficient(struct form *form, size_t channel, size_t k)
{
    mpfi_set_ui(form->c, 0);
    mpfi_set_ui(form->part, 0);
    for (size_t i = 0; i <= k; i++) {
        double value = value_of(form->p, i, channel);
        if (value != 0) {
            set_quotient(form, i, channel, form->divisor[i]);
            add_signed(form->c, form->term, form->negative[i] != (value < 0));
            mpfi_add(form->part, form->part, form->term);
        }
    }
}

/* The range of the coefficient that was set, which is made as narrow as may be if that took
 * rationals. */
static enum range find_range(struct form *form, size_t channel, size_t k)
{
    enum range range = range_enclosed(form->c, form->part, form->p->count);
    if (range == RANGE_OPEN) {
        const mpq_t *c = exact_coefficient(&form->exact, channel, k);
        range = range_exact(*c, &form->exact, channel, k);
        mpfi_set_q(form->c, *c);
    }
    return range;
}

/* Adds c_k N_k to the sums. */
static void add_term(struct form *form, const struct sums *sums, size_t channel)
{
    mpfi_mul(form->term, form->c, form->node);
    add_signed(sums->value[channel], form->term, form->node_negative);
    mpfi_abs(form->term, form->term);
    mpfi_add(sums->scale[channel], sums->scale[channel], form->term);
    mpfi_set(form->term, form->node);
    multiply(form->term, form->part);
    mpfi_add(sums->slack[channel], sums->slack[channel], form->term);
}

/* All channels' coefficients of degree k, and their terms if there are sums. */
static enum range add_degree(struct form *form, size_t k, const struct sums *sums)
{
    enum range range = RANGE_WITHIN;
    for (size_t channel = 0; channel < form->p->channels; channel++) {
        set_coefficient(form, channel, k);
        enum range found = find_range(form, channel, k);
        range = found > range ? found : range;
        if (sums) {
            add_term(form, sums, channel);
        }
    }
    return range;
}

/* The Lagrange form, F = N_n sum v_i / (D_i (t - s_i)), is the narrower one where the coefficients
 * cancel. t is no node. */
static void narrow_value(struct form *form, size_t channel, const struct sums *sums)
{
    const struct polynomial *p = form->p;
    mpfi_ptr value = form->c, size = form->part;
    mpfi_set_ui(value, 0);
    mpfi_set_ui(size, 0);
    for (size_t i = 0; i < p->count; i++) {
        double datum = value_of(p, i, channel);
        if (datum != 0) {
            bool negative = set_distance(form, form->point, i) != form->negative[i];
            mpfi_set(form->product, form->divisor[i]);
            multiply(form->product, form->term);
            set_quotient(form, i, channel, form->product);
            add_signed(value, form->term, negative != (datum < 0));
            mpfi_add(size, size, form->term);
        }
    }
    multiply(size, form->node);
    mpfi_mul(value, value, form->node);
    if (form->node_negative) {
        mpfi_neg(value, value);
    }
    mpfi_intersect(sums->value[channel], sums->value[channel], value);
}

/* Is it time to see in rationals whether that is 0? */
static bool may_be_zero(mpfi_srcptr value, mpfr_prec_t precision)
{
    return precision >= PRECISION_OF_ZERO && mpfi_has_zero(value) > 0 && mpfi_is_zero(value) <= 0;
}

/* Leaves the sum of |v_i l_i(t)| in form->part. */
static void finish_value(struct form *form, size_t channel, const struct sums *sums)
{
    const struct polynomial *p = form->p;
    for (size_t i = 0; i < p->count; i++) {
        if (form->t == time_of(p, i)) {
            mpfi_set_d(sums->value[channel], value_of(p, i, channel));
            mpfi_abs(form->part, sums->value[channel]);
            return;
        }
    }
    narrow_value(form, channel, sums);
    if (may_be_zero(sums->value[channel], form->precision)) {
        mpq_t value;
        mpq_init(value);
        exact_at(value, &form->exact, channel, form->t);
        mpfi_set_q(sums->value[channel], value);
        mpq_clear(value);
    }
}

/* Raises the figure to this channel's. Nothing is to be seen where the sum of |v_i l_i(t)| is 0. */
static void add_figure(struct form *form, mpfi_ptr figure, mpfi_srcptr scale)
{
    if (mpfr_sgn(&form->part->left) > 0) {
        mpfi_div(form->term, scale, form->part);
        mpfr_max(&figure->left, &figure->left, &form->term->left, MPFR_RNDD);
        mpfr_max(&figure->right, &figure->right, &form->term->right, MPFR_RNDU);
    }
}

static void finish(struct form *form, const struct sums *sums)
{
    for (size_t channel = 0; channel < form->p->channels; channel++) {
        finish_value(form, channel, sums);
        if (sums->figure) {
            add_figure(form, sums->figure, sums->scale[channel]);
        }
        set_band(sums->slack[channel], sums->slack[channel], form->p->count);
    }
}

static void clear(const struct sums *sums, size_t channels, mpfr_prec_t precision)
{
    for (size_t channel = 0; channel < channels; channel++) {
        mpfi_t *all[] = {sums->value, sums->scale, sums->slack};
        for (size_t i = 0; i < 3; i++) {
            interval_set_precision(all[i][channel], precision);
            mpfi_set_ui(all[i][channel], 0);
        }
    }
    if (sums->figure) {
        interval_set_precision(sums->figure, precision);
        mpfi_set_ui(sums->figure, 0);
    }
}

/* Looks at the coefficients' range and, if there are sums, sums up at t. Leaves the degree of the
 * first coefficient that is not surely within the range. */
static enum range sum_up(const struct polynomial *p, double t, mpfr_prec_t precision,
                         const struct sums *sums, size_t *degree)
{
    struct form form;
    form_open(&form, p, t, precision);
    if (sums) {
        clear(sums, p->channels, precision);
    }
    enum range range = RANGE_WITHIN;
    for (size_t k = 0; k < p->count && range == RANGE_WITHIN; k++) {
        *degree = k;
        add_node(&form, k);
        range = add_degree(&form, k, sums);
        if (sums) {
            form.node_negative = set_distance(&form, form.point, k) != form.node_negative;
            multiply(form.node, form.term);
        }
    }
    if (sums && range == RANGE_WITHIN) {
        finish(&form, sums);
    }
    form_close(&form);
    return range;
}

/* What a builder returns. */
struct build {
    bool open; /* the contract leaves it open */
    unsigned status;
    size_t at[2];
    size_t at_count;
};

static struct build built(unsigned status, size_t at_count, size_t first, size_t second)
{
    return (struct build){.status = status, .at = {first, second}, .at_count = at_count};
}

static struct build built_of_range(enum range range, size_t at_count, size_t degree, size_t window)
{
    struct build build = built(range == RANGE_WITHIN ? TL_OK : TL_OUT_OF_RANGE,
                               range == RANGE_WITHIN ? 0 : at_count, degree, window);
    build.open = range == RANGE_EITHER;
    return build;
}

static bool values_are_finite(const struct polynomial *p, size_t key)
{
    for (size_t channel = 0; channel < p->channels; channel++) {
        if (!isfinite(p->values[key * p->channels + channel])) {
            return false;
        }
    }
    return true;
}

/* Everything but the coefficients' range. */
static struct build check_keys(const struct polynomial *p)
{
    if (p->count == 0 || p->channels == 0) {
        return built(TL_EMPTY, 0, 0, 0);
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!isfinite(p->times[i])) {
            return built(TL_TIME_NOT_FINITE, 1, i, 0);
        }
        if (!values_are_finite(p, i)) {
            return built(TL_VALUE_NOT_FINITE, 1, i, 0);
        }
    }
    for (size_t i = 1; i < p->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (p->times[j] == p->times[i]) {
                return built(TL_TIMES_EQUAL, 2, j, i);
            }
        }
    }
    return built(TL_OK, 0, 0, 0);
}

/* The same of a track. */
static struct build check_track_keys(const struct polynomial *p, double order)
{
    if (!(order == 1 || order == 2 || order == 3)) {
        return built(TL_NO_SUCH_CHOICE, 0, 0, 0);
    }
    if (p->count == 0 || p->channels == 0) {
        return built(TL_EMPTY, 0, 0, 0);
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!isfinite(p->times[i])) {
            return built(TL_TIME_NOT_FINITE, 1, i, 0);
        }
        if (i > 0 && p->times[i - 1] >= p->times[i]) {
            bool equal = p->times[i - 1] == p->times[i];
            return built(equal ? TL_TIMES_EQUAL : TL_TIMES_FALL, 2, i - 1, i);
        }
        if (!values_are_finite(p, i)) {
            return built(TL_VALUE_NOT_FINITE, 1, i, 0);
        }
    }
    return built(TL_OK, 0, 0, 0);
}

/* Builds a polynomial through distinct nodes; sums up at t if there are sums. */
static struct build build_polynomial(struct polynomial *p, double t, mpfr_prec_t precision,
                                     const struct sums *sums)
{
    struct build build = check_keys(p);
    if (build.status != TL_OK) {
        return build;
    }
    size_t degree = 0;
    p->order = memory(p->count, sizeof *p->order);
    set_order(p);
    enum range range = sum_up(p, t, precision, isfinite(t) ? sums : NULL, &degree);
    free(p->order);
    return built_of_range(range, 1, degree, 0);
}

static struct polynomial polynomial_of(const struct values *inputs, size_t times, size_t values)
{
    struct polynomial p = {.times = values_field(inputs, times),
                           .values = values_field(inputs, values),
                           .count = values_length(inputs, times)};
    p.channels = p.count == 0 ? 0 : values_length(inputs, values) / p.count;
    return p;
}

/* Answers */

static void give_failure(struct answer *answer, const struct build *build)
{
    answer->kind = ANSWER_GIVEN;
    answer->length[0] = 0;
    answer->length[2] = build->at_count;
    answer->given[0] = build->status;
    for (size_t i = 0; i < build->at_count; i++) {
        answer->given[1 + i] = (double)build->at[i];
    }
}

/* NaN in all channels, though the build went well. */
static void give_nan(struct answer *answer, size_t channels)
{
    answer->kind = ANSWER_GIVEN;
    answer->length[0] = channels;
    answer->length[2] = 0;
    for (size_t channel = 0; channel < channels; channel++) {
        answer->given[channel] = NAN;
    }
    answer->given[channels] = TL_OK;
}

/* One node's values as they are. */
static void give_values(struct answer *answer, const struct polynomial *p)
{
    give_nan(answer, p->channels);
    memcpy(answer->given, p->values, p->channels * sizeof *p->values);
}

static void set_whole(mpfi_ptr value, unsigned number)
{
    interval_set_precision(value, 64);
    mpfi_set_ui(value, number);
}

/* Answers a build, and the values if it went well. */
static void answer_build(struct answer *answer, const struct build *build, double t,
                         const struct polynomial *p)
{
    if (build->open) {
        answer->kind = ANSWER_UNDEFINED;
    } else if (build->status != TL_OK) {
        give_failure(answer, build);
    } else if (!isfinite(t)) {
        give_nan(answer, p->channels);
    } else if (p->count == 1) {
        give_values(answer, p);
    } else {
        answer->kind = ANSWER_REAL;
        answer->factor = FACTOR * (double)p->count;
        answer->length[0] = p->channels;
        answer->length[2] = 0;
        set_whole(answer->value[p->channels], TL_OK);
    }
}

static struct sums sums_of(struct answer *answer)
{
    return (struct sums){answer->value, answer->scale, answer->slack, answer->figure};
}

enum { TIMES, VALUES, T, INPUTS };

static void answer_newton(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    double t = values_field(inputs, T)[0];
    struct polynomial p = polynomial_of(inputs, TIMES, VALUES);
    struct sums sums = sums_of(answer);
    struct build build = build_polynomial(&p, t, precision, &sums);
    answer_build(answer, &build, t, &p);
}

enum { TRACK_ORDER, TRACK_TIMES, TRACK_VALUES, TRACK_T, TRACK_INPUTS };

/* The first key of the window for t: that of the last key with a time <= t, one earlier for two
 * segments or more, and all within the track. */
static size_t window_at(const struct polynomial *track, double t, size_t size)
{
    size_t segment = 0;
    while (segment + 1 < track->count && track->times[segment + 1] <= t) {
        segment++;
    }
    size_t first = segment > 0 && size > 2 ? segment - 1 : segment;
    return first + size > track->count ? track->count - size : first;
}

/* The polynomial through `size` keys from the given one on. */
static struct polynomial window_of(const struct polynomial *track, size_t first, size_t size,
                                   size_t *order)
{
    struct polynomial window = {.times = track->times + first,
                                .values = track->values + first * track->channels,
                                .count = size,
                                .channels = track->channels,
                                .order = order};
    set_order(&window);
    return window;
}

static void answer_track(const struct values *inputs, mpfr_prec_t precision, struct answer *answer)
{
    double order = values_field(inputs, TRACK_ORDER)[0];
    double t = values_field(inputs, TRACK_T)[0];
    struct polynomial track = polynomial_of(inputs, TRACK_TIMES, TRACK_VALUES);
    struct build build = check_track_keys(&track, order);
    struct polynomial window = track;
    if (build.status == TL_OK) {
        size_t nodes[ORDER_MAX + 1];
        size_t size = track.count <= (size_t)order ? track.count : (size_t)order + 1;
        size_t asked = window_at(&track, t, size);
        struct sums sums = sums_of(answer);
        for (size_t i = 0; i + size <= track.count && build.status == TL_OK; i++) {
            size_t degree = 0;
            window = window_of(&track, i, size, nodes);
            enum range range =
                sum_up(&window, t, precision, i == asked && isfinite(t) ? &sums : NULL, &degree);
            build = built_of_range(range, 2, degree, i);
        }
    }
    answer_build(answer, &build, t, &window);
}

enum { A_TIMES, A_VALUES, B_TIMES, B_VALUES, CROSSFADE_T, CROSSFADE_W, CROSSFADE_INPUTS };

/* A + w (B - A), in a's place, and |1 - w| (S_A + |A|) + |w| (S_B + |B|); the slack likewise. */
static void crossfade(const struct sums *a, const struct sums *b, size_t channels, double w,
                      mpfr_prec_t precision)
{
    mpfi_t *work = interval_take(3, precision);
    mpfi_ptr rest = work[0], size_a = work[1], size_b = work[2];
    interval_difference(rest, 1, w);
    for (size_t i = 0; i < channels; i++) {
        mpfi_abs(size_a, a->value[i]);
        mpfi_abs(size_b, b->value[i]);
        mpfi_add(size_a, size_a, a->scale[i]);
        mpfi_add(size_b, size_b, b->scale[i]);
        mpfi_mul(size_a, size_a, rest);
        mpfi_mul_d(size_b, size_b, w);
        mpfi_add(a->scale[i], size_a, size_b);
        mpfi_mul(size_a, a->slack[i], rest);
        mpfi_mul_d(size_b, b->slack[i], w);
        mpfi_add(a->slack[i], size_a, size_b);
        mpfi_set(size_a, a->value[i]);
        interval_lerp(a->value[i], size_a, b->value[i], w);
    }
    interval_return(3);
}

/* The polynomial's value once more, in rationals. */
static void set_rational(mpq_t value, struct polynomial *p, size_t channel, double t)
{
    struct exact exact = {.p = p};
    p->order = memory(p->count, sizeof *p->order);
    set_order(p);
    exact_at(value, &exact, channel, t);
    exact_free(&exact);
    free(p->order);
}

/* The same of two that may cancel. */
static void set_rational_crossfade(mpfi_ptr value, struct polynomial *a, struct polynomial *b,
                                   size_t channel, double t, double w)
{
    mpq_t from, to, weight;
    mpq_inits(from, to, weight, NULL);
    set_rational(from, a, channel, t);
    set_rational(to, b, channel, t);
    mpq_set_d(weight, w);
    mpq_sub(to, to, from);
    mpq_mul(to, to, weight);
    mpq_add(to, to, from);
    mpfi_set_q(value, to);
    mpq_clears(from, to, weight, NULL);
}

static void give_crossfade(struct answer *answer, size_t channels, const struct build *a,
                           const struct build *b)
{
    answer->kind = ANSWER_GIVEN;
    answer->length[0] = channels;
    for (size_t i = 0; i < channels; i++) {
        answer->given[i] = NAN;
    }
    answer->given[channels] = a->status;
    answer->given[channels + 1] = b->status;
}

enum { SUMS_INTERVALS = 3 * CHANNELS_MAX };

static void answer_crossfade_newton(const struct values *inputs, mpfr_prec_t precision,
                                    struct answer *answer)
{
    double t = values_field(inputs, CROSSFADE_T)[0];
    double w = values_field(inputs, CROSSFADE_W)[0];
    struct polynomial a = polynomial_of(inputs, A_TIMES, A_VALUES);
    struct polynomial b = polynomial_of(inputs, B_TIMES, B_VALUES);
    mpfi_t *work = interval_take(SUMS_INTERVALS, precision);
    struct sums sums_a = sums_of(answer);
    struct sums sums_b = {work, work + CHANNELS_MAX, work + 2 * (size_t)CHANNELS_MAX, NULL};
    sums_a.figure = NULL;
    struct build build_a = build_polynomial(&a, t, precision, &sums_a);
    struct build build_b = build_polynomial(&b, t, precision, w >= 1 ? &sums_a : &sums_b);
    if (build_a.open || build_b.open) {
        answer->kind = ANSWER_UNDEFINED;
    } else if (build_a.status != TL_OK || build_b.status != TL_OK) {
        give_crossfade(answer, 0, &build_a, &build_b);
    } else if (a.channels != b.channels || !isfinite(t) || isnan(w)) {
        give_crossfade(answer, a.channels, &build_a, &build_b);
    } else if ((w <= 0 && a.count == 1) || (w >= 1 && b.count == 1)) {
        give_crossfade(answer, a.channels, &build_a, &build_b);
        memcpy(answer->given, w <= 0 ? a.values : b.values, a.channels * sizeof *a.values);
    } else {
        size_t larger = a.count > b.count ? a.count : b.count;
        answer->kind = ANSWER_REAL;
        answer->length[0] = a.channels;
        answer->factor = FACTOR * (double)(w <= 0 ? a.count : w >= 1 ? b.count : larger);
        if (w > 0 && w < 1) {
            answer->factor += FACTOR_CROSSFADE;
            crossfade(&sums_a, &sums_b, a.channels, w, precision);
            for (size_t i = 0; i < a.channels; i++) {
                if (may_be_zero(answer->value[i], precision)) {
                    set_rational_crossfade(answer->value[i], &a, &b, i, t, w);
                }
            }
        }
        set_whole(answer->value[a.channels], TL_OK);
        set_whole(answer->value[a.channels + 1], TL_OK);
    }
    interval_return(SUMS_INTERVALS);
}

static const struct field inputs[INPUTS] = {
    [TIMES] = {"times", FIELD_LIST, "time", "the nodes, all different, in any order"},
    [VALUES] = {"values", FIELD_LIST, "value",
                "the values at the nodes, node by node, each with all channels",
                .length = LENGTH_MULTIPLE, .like = TIMES},
    [T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
};

static const struct field track_inputs[TRACK_INPUTS] = {
    [TRACK_ORDER] = {"order", FIELD_NUMBER, "1", "the polynomials' degree: 1, 2 or 3"},
    [TRACK_TIMES] = {"times", FIELD_LIST, "time", "the keys' times, which increase"},
    [TRACK_VALUES] = {"values", FIELD_LIST, "value",
                      "the keys' values, key by key, each with all channels",
                      .length = LENGTH_MULTIPLE, .like = TRACK_TIMES},
    [TRACK_T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
};

static const struct field crossfade_inputs[CROSSFADE_INPUTS] = {
    [A_TIMES] = {"a_times", FIELD_LIST, "time", "the first polynomial's nodes"},
    [A_VALUES] = {"a_values", FIELD_LIST, "value", "the values there, with all channels",
                  .length = LENGTH_MULTIPLE, .like = A_TIMES},
    [B_TIMES] = {"b_times", FIELD_LIST, "time", "the second polynomial's nodes"},
    [B_VALUES] = {"b_values", FIELD_LIST, "value", "the values there, with as many channels",
                  .length = LENGTH_MULTIPLE, .like = B_TIMES},
    [CROSSFADE_T] = {"t", FIELD_NUMBER, "time", "the time asked for"},
    [CROSSFADE_W] = {"w", FIELD_NUMBER, "1", "the second one's weight, limited to [0, 1]"},
};

static const struct field outputs[] = {
    {"", FIELD_LIST, "value", "the value at t in each channel; none if there is no polynomial"},
    {"status", FIELD_NUMBER, "1", "what the builder returned", .choices = status_choices},
    {"at", FIELD_LIST, "1", "the indices that the status names"},
};

static const struct field crossfade_outputs[] = {
    {"", FIELD_LIST, "value", "the value in each channel; none if a polynomial is missing"},
    {"a_status", FIELD_NUMBER, "1", "what the builder returned for the first",
     .choices = status_choices},
    {"b_status", FIELD_NUMBER, "1", "what the builder returned for the second",
     .choices = status_choices},
};

static const char scale[] = "the sum of |c_k| |t - s_0| ... |t - s_(k-1)|";
static const char bound[] =
    "4 n u S + 64 n u^2 T + 2^-1074, T as S but with the sum of |v_i| / product over j <= k, "
    "j != i, of |s_i - s_j| in place of |c_k|";
static const char figure[] = "S / sum of |v_i l_i(t)|, l_i being Lagrange's basis";

const struct function oracle_newton = {
    .name = "newton",
    .family = "newton",
    .summary = "the polynomial through any number of nodes, by divided differences",
    .formula = "the sum of c_k (t - s_0) ... (t - s_(k-1)), k < n, with c_k the divided "
               "difference of s_0 to s_k; the nodes in Leja's order: first the largest time, then "
               "always the greatest product of distances to those before, the first of equals",
    .scale = scale,
    .domain = "no nodes, what is not finite among them, equal times, and a c_k that is neither 0 "
              "nor from 2^-1022 to below 2^1024 - 2^970 in size: no value, but a status; t not "
              "finite gives NaN",
    .inputs = inputs,
    .input_count = INPUTS,
    .outputs = outputs,
    .output_count = 3,
    .whole = {false, true, true},
    .measure = MEASURE_SCALED,
    .K = FACTOR,
    .bound = bound,
    .slack = true,
    .figure = figure,
    .precision_limit = PRECISION_LIMIT,
    .equal_at_limit = true,
    .answer = answer_newton,
    .estimate = estimate_newton,
};

const struct function oracle_track = {
    .name = "track",
    .family = "newton",
    .summary = "polynomials of degree 1, 2 or 3 through neighbouring keys",
    .formula = "newton's, through the keys i and i + 1 (order 1), or i - 1 to i - 1 + order, where "
               "key i is the last one with a time <= t; shifted inwards at the ends; through all "
               "keys if they are too few",
    .scale = scale,
    .domain = "another order, no keys, what is not finite among them, times that do not increase, "
              "and a window with a coefficient out of range as in newton: no value, but a status; "
              "t not finite gives NaN",
    .inputs = track_inputs,
    .input_count = TRACK_INPUTS,
    .outputs = outputs,
    .output_count = 3,
    .whole = {false, true, true},
    .measure = MEASURE_SCALED,
    .K = FACTOR,
    .bound = bound,
    .slack = true,
    .figure = figure,
    .precision_limit = TRACK_PRECISION_LIMIT,
    .equal_at_limit = true,
    .answer = answer_track,
    .estimate = estimate_track,
};

const struct function oracle_crossfade_newton = {
    .name = "crossfade_newton",
    .family = "newton",
    .summary = "from one polynomial to another",
    .formula = "A + w (B - A), A and B being newton's at t",
    .scale = "|1 - w| (S_A + |A|) + |w| (S_B + |B|); where w <= 0 or w >= 1, that of newton",
    .domain = "a polynomial that cannot be built: no value, but its status; another number of "
              "channels, t not finite or w NaN gives NaN; w <= 0 is newton of a, w >= 1 of b",
    .inputs = crossfade_inputs,
    .input_count = CROSSFADE_INPUTS,
    .outputs = crossfade_outputs,
    .output_count = 3,
    .whole = {false, true, true},
    .measure = MEASURE_SCALED,
    .K = FACTOR,
    .bound = "(4 n + 2) u S + 64 u^2 (|1 - w| n_A T_A + |w| n_B T_B) + 2^-1074, n the larger "
             "number of nodes; where w <= 0 or w >= 1, that of newton",
    .slack = true,
    .precision_limit = PRECISION_LIMIT,
    .equal_at_limit = true,
    .answer = answer_crossfade_newton,
    .estimate = estimate_crossfade_newton,
};
