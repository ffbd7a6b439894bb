/* Sines, cosines and angles in double-double, with proven bounds.
 *
 * What is proved rests on the arithmetic of filter.h, on the table below (every entry of which the
 * tests compare with MPFR) and on Taylor's theorem. The library's atan2 only makes a guess, whose
 * distance from the truth is then measured. u = 2^-53. */
#ifndef TRUELERP_ORACLE_FILTER_TRIG_H
#define TRUELERP_ORACLE_FILTER_TRIG_H

#include "filter.h"

#include <stdint.h>
#include <string.h>

enum { FILTER_QUARTER = 128 }; /* steps of pi/256 in a right angle */

/* sin(k pi/256), each part rounded to nearest: within u^2 of itself; 0 and 1 are exact. */
static const struct dd filter_sines[FILTER_QUARTER + 1] = {
    {0x0p+0, 0x0p+0},
    {0x1.921d1fcdec784p-7, 0x1.9878ebe836d9dp-61},
    {0x1.92155f7a3667ep-6, -0x1.b1d63091a013p-64},
    {0x1.2d865759455cdp-5, 0x1.686f65ba93acp-61},
    {0x1.91f65f10dd814p-5, -0x1.912bd0d569a9p-61},
    {0x1.f656e79f820ep-5, -0x1.2e1ebe392bffep-61},
    {0x1.2d52092ce19f6p-4, -0x1.9a088a8bf6b2cp-59},
    {0x1.5f6d00a9aa419p-4, -0x1.f4022d03f6c9ap-59},
    {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60},
    {0x1.c3785c79ec2d5p-4, -0x1.4f39df133fb21p-61},
    {0x1.f564e56a9730ep-4, 0x1.a2704729ae56dp-59},
    {0x1.139f0cedaf577p-3, -0x1.523434d1b3cfap-57},
    {0x1.2c8106e8e613ap-3, 0x1.13000a89a11ep-58},
    {0x1.45576b1293e5ap-3, -0x1.285a24119f7b1p-58},
    {0x1.5e214448b3fc6p-3, 0x1.531ff779ddac6p-57},
    {0x1.76dd9de50bf31p-3, 0x1.1d5eeec501b2fp-57},
    {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57},
    {0x1.a82a025b00451p-3, -0x1.87905ffd084adp-57},
    {0x1.c0b826a7e4f63p-3, -0x1.af1439e521935p-62},
    {0x1.d934fe5454311p-3, 0x1.75b92277107adp-57},
    {0x1.f19f97b215f1bp-3, -0x1.42deef11da2c4p-57},
    {0x1.04fb80e37fdaep-2, -0x1.412cdb72583ccp-63},
    {0x1.111d262b1f677p-2, 0x1.824c20ab7aa9ap-56},
    {0x1.1d3443f4cdb3ep-2, -0x1.720d41c13519ep-57},
    {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56},
    {0x1.35410c2e18152p-2, -0x1.3cb002f96e062p-56},
    {0x1.4135c94176601p-2, 0x1.0c97c4afa2518p-56},
    {0x1.4d1e24278e76ap-2, 0x1.2417218792858p-57},
    {0x1.58f9a75ab1fddp-2, -0x1.efdc0d58cf62p-62},
    {0x1.64c7ddd3f27c6p-2, 0x1.10d2b4a664121p-58},
    {0x1.7088530fa459fp-2, -0x1.44b19e0864c5dp-56},
    {0x1.7c3a9311dcce7p-2, 0x1.9a3f21ef3e8d9p-62},
    {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a61p-57},
    {0x1.9372a63bc93d7p-2, 0x1.684319e5ad5b1p-57},
    {0x1.9ef7943a8ed8ap-2, 0x1.6da81290bdbabp-57},
    {0x1.aa6c82b6d3fcap-2, -0x1.d5f106ee5ccf7p-56},
    {0x1.b5d1009e15ccp-2, 0x1.5b362cb974183p-57},
    {0x1.c1249d8011ee7p-2, -0x1.813aabb515206p-56},
    {0x1.cc66e9931c45ep-2, 0x1.6850e59c37f8fp-58},
    {0x1.d79775b86e389p-2, 0x1.550ec87bc0575p-56},
    {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58},
    {0x1.edc1952ef78d6p-2, -0x1.dd0f7c33edee6p-56},
    {0x1.f8ba4dbf89abap-2, -0x1.2ec1fc1b776b8p-60},
    {0x1.01cfc874c3eb7p-1, -0x1.34a35e7c2368cp-56},
    {0x1.073879922ffeep-1, -0x1.a5a014347406cp-55},
    {0x1.0c9704d5d898fp-1, -0x1.8d3d7de6ee9b2p-55},
    {0x1.11eb3541b4b23p-1, -0x1.ef23b69abe4f1p-55},
    {0x1.1734d63dedb49p-1, -0x1.7eef2ccc50575p-55},
    {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f66p-55},
    {0x1.21a799933eb59p-1, -0x1.3a7b177c68fb2p-55},
    {0x1.26d054cdd12dfp-1, -0x1.5da743ef3770cp-55},
    {0x1.2bedb25faf3eap-1, -0x1.14981c796ee46p-58},
    {0x1.30ff7fce17035p-1, -0x1.efcc626f74a6fp-57},
    {0x1.36058b10659f3p-1, -0x1.1fcb3a35857e7p-55},
    {0x1.3affa292050b9p-1, 0x1.e3e25e3954964p-56},
    {0x1.3fed9534556d4p-1, 0x1.36916608c5061p-55},
    {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57},
    {0x1.49a449b9b0939p-1, -0x1.27ee16d719b94p-55},
    {0x1.4e6cabbe3e5e9p-1, 0x1.3c293edceb327p-57},
    {0x1.5328292a35596p-1, -0x1.a12eb89da0257p-56},
    {0x1.57d69348cecap-1, -0x1.75720992bfbb2p-55},
    {0x1.5c77bbe65018cp-1, 0x1.069ea9c0bc32ap-55},
    {0x1.610b7551d2cdfp-1, -0x1.251b352ff2a37p-56},
    {0x1.6591925f0783dp-1, 0x1.c3d64fbf5de23p-55},
    {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
    {0x1.6e74454eaa8afp-1, -0x1.dbc03c84e226ep-55},
    {0x1.72d0837efff96p-1, 0x1.0d4ef0f1d915cp-55},
    {0x1.771e75f037261p-1, 0x1.5cfce8d84068fp-56},
    {0x1.7b5df226aafafp-1, -0x1.0f537acdf0ad7p-56},
    {0x1.7f8ece3571771p-1, -0x1.9c8d8ce93c917p-55},
    {0x1.83b0e0bff976ep-1, -0x1.6f420f8ea3475p-56},
    {0x1.87c400fba2ebfp-1, -0x1.2dabc0c3f64cdp-55},
    {0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55},
    {0x1.8fbcca3ef940dp-1, -0x1.6dfa99c86f2f1p-57},
    {0x1.93a22499263fbp-1, 0x1.3d419a920df0bp-55},
    {0x1.9777ef4c7d742p-1, -0x1.15479a240665ep-55},
    {0x1.9b3e047f38741p-1, -0x1.30ee286712474p-55},
    {0x1.9ef43ef29af94p-1, 0x1.b1dfcb60445c2p-56},
    {0x1.a29a7a0462782p-1, -0x1.128bb015df175p-56},
    {0x1.a63091b02fae2p-1, -0x1.e911152248d1p-56},
    {0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60},
    {0x1.ad2bc9e21d511p-1, -0x1.47fbe07bea548p-55},
    {0x1.b090a581502p-1, -0x1.926da300ffccep-55},
    {0x1.b3e4d3ef55712p-1, -0x1.eb6b8bf11a493p-55},
    {0x1.b728345196e3ep-1, -0x1.bc69f324e6d61p-55},
    {0x1.ba5aa673590d2p-1, 0x1.7ea4e370753b6p-55},
    {0x1.bd7c0ac6f952ap-1, -0x1.825a732ac700ap-55},
    {0x1.c08c426725549p-1, 0x1.b157fd80e2946p-58},
    {0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56},
    {0x1.c678b3488739bp-1, 0x1.d86cac7c5ff5bp-57},
    {0x1.c954b213411f5p-1, -0x1.2fb761e946603p-58},
    {0x1.cc1f0f3fcfc5cp-1, 0x1.e57613b68f6abp-56},
    {0x1.ced7af43cc773p-1, -0x1.e7b6bb5ab58aep-58},
    {0x1.d17e7743e35dcp-1, -0x1.101da3540130ap-58},
    {0x1.d4134d14dc93ap-1, -0x1.4ef5295d25af2p-55},
    {0x1.d696173c9e68bp-1, -0x1.e8c61c6393d55p-56},
    {0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56},
    {0x1.db6526238a09bp-1, -0x1.adee7eae6946p-56},
    {0x1.ddb13b6ccc23cp-1, 0x1.83c37c6107db3p-55},
    {0x1.dfeae622dbe2bp-1, -0x1.514ea88425567p-55},
    {0x1.e212104f686e5p-1, -0x1.014c76c126527p-55},
    {0x1.e426a4b2bc17ep-1, 0x1.a873889744882p-55},
    {0x1.e6288ec48e112p-1, -0x1.16b56f2847754p-57},
    {0x1.e817bab4cd10dp-1, -0x1.d0afe686b5e0ap-56},
    {0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55},
    {0x1.ebbd8c8df0b74p-1, 0x1.c6c8c615e7277p-56},
    {0x1.ed740e7684963p-1, 0x1.e82c791f59cc2p-56},
    {0x1.ef178a3e473c2p-1, 0x1.6310a67fe774fp-55},
    {0x1.f0a7efb9230d7p-1, 0x1.52c7adc6b4989p-56},
    {0x1.f2252f7763adap-1, -0x1.20cb81c8d94abp-55},
    {0x1.f38f3ac64e589p-1, -0x1.d7bafb51f72e6p-56},
    {0x1.f4e603b0b2f2dp-1, -0x1.8ee01e695ac05p-56},
    {0x1.f6297cff75cbp-1, 0x1.562172a361fd3p-56},
    {0x1.f7599a3a12077p-1, 0x1.84f31d743195cp-55},
    {0x1.f8764fa714ba9p-1, 0x1.ab256778ffcb6p-56},
    {0x1.f97f924c9099bp-1, -0x1.e2ae0eea5963bp-55},
    {0x1.fa7557f08a517p-1, -0x1.7a0a8ca13571fp-55},
    {0x1.fb5797195d741p-1, 0x1.1bfac7397cc08p-56},
    {0x1.fc26470e19fd3p-1, 0x1.1ec8668ecaceep-55},
    {0x1.fce15fd6da67bp-1, -0x1.5dd6f830d4c09p-56},
    {0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55},
    {0x1.fe1cafcbd5b09p-1, 0x1.a23e3202a884ep-57},
    {0x1.fe9cdad01883ap-1, 0x1.521ecd0c67e35p-57},
    {0x1.ff095658e71adp-1, 0x1.01a8ce18a4b9ep-55},
    {0x1.ff621e3796d7ep-1, -0x1.c57bc2e24aa15p-57},
    {0x1.ffa72effef75dp-1, -0x1.8b4cdcdb25956p-55},
    {0x1.ffd886084cd0dp-1, -0x1.1354d4556e4cbp-55},
    {0x1.fff62169b92dbp-1, 0x1.5dda3c81fbd0dp-55},
    {0x1p+0, 0x0p+0},
};

/* pi/256 = high + middle + low, of which the first two have 32 significant bits, and low is within
 * 2^-181 of the rest, which is less than 2^-75. */
static const double FILTER_STEP_HIGH = 0x1.921fb544p-7;
static const double FILTER_STEP_MIDDLE = 0x1.0b4611a6p-41;
static const struct dd FILTER_STEP_LOW = {0x1.3198a2e037073p-76, 0x1.129024e088a68p-130};
static const double FILTER_STEPS_PER_RADIAN = 0x1.45f306dc9c883p+6;

/* pi and 1/n! within u^2 of themselves */
static const struct dd FILTER_PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const struct dd FILTER_1_3 = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
static const struct dd FILTER_1_4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
static const struct dd FILTER_1_5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};

FILTER_INLINE struct approximation filter_pi(void)
{
    return approximation_of(FILTER_PI, 0x1p-104);
}

/* The largest angle that is reduced with its error, and what is left of any at most, pi/512 rounded
 * upwards */
#define FILTER_ANGLE_MAX 0x1p12
#define FILTER_REST_MAX 0.00614

/* x + y for |x.high| >= |y.high| or x = 0, within 3 u^2 (1 + 4u) (|x| + |y|): dd_sum_loose, of
 * which the first sum is exact in this order too. The last one, of a sum and a correction of it by
 * less than 4u, is so as well. */
FILTER_INLINE struct dd filter_ordered_sum(struct dd x, struct dd y)
{
    struct dd s = dd_of_fast_sum(x.high, y.high);
    return dd_of_fast_sum(s.high, s.low + (x.low + y.low));
}

/* For |r| <= 0.00614, where z = r^2 <= 0.0000377; `square` is z within 6.5 u^2 of itself. */

/* sin r = r + r z (-1/3! + z (1/5! + z (-1/7! + z/9! - z^2/11! + ...))). In units of u^2, relative
 * to r:
 *     left out, z^6/13! and less                                          0.00004
 *     from -z^3/7! on in double: the coefficient, z.high, the last addition and the product with z
 *         are within u each, and all smaller terms below u/100 of it: 4.1 u of 0.0956 u
 *                                                                         0.392
 *     1/5! + that: 1 + 3.0001 of z^2/5!                                   below 10^-9
 *     the product with z, and -1/3! + that: (1 + 3.0001 + z) z/6          0.00003
 *     r z, its product with that, z's own error: 6.5 + 6.5 + 6.5 of z/6   0.00013
 *     the last addition: 3.0001 of 1 + z/6                                3.0002
 * together less than 3.4. */
#define FILTER_SINE_ERROR (3.4 * 0x1p-106)
FILTER_INLINE struct dd filter_sine_of_rest(struct dd r, struct dd square)
{
    double z = square.high;
    double tail = -0x1.a01a01a01a01ap-13 + z * (0x1.71de3a556c734p-19 + z * -0x1.ae64567f544e4p-26);
    struct dd sum = filter_ordered_sum(FILTER_1_5, (struct dd){z * tail, 0});
    sum = filter_ordered_sum(dd_negative(FILTER_1_3), dd_product(square, sum));
    return filter_ordered_sum(r, dd_product(dd_product(r, square), sum));
}

/* cos r = 1 + z (-1/2 + z (1/4! + z (-1/6! + z/8! - z^2/10! + ...))). In units of u^2:
 *     left out, z^6/12! and less                                          0.0005
 *     from -z^3/6! on in double: as above, 4.1 u of 0.669 u               2.743
 *     sums and products up to -1/2: 10.5 z^2/4! and less                  below 10^-8
 *     -1/2 + that: 3.0001 z/2                                             0.00006
 *     the product with z, and z's own error: 13 z/2                       0.00025
 *     1 + that: the low parts add up to u (1 + z) at most, rounded once   1.0001
 * together less than 3.75. */
#define FILTER_COSINE_ERROR (3.75 * 0x1p-106)
FILTER_INLINE struct dd filter_cosine_of_rest(struct dd square)
{
    double z = square.high;
    double tail = -0x1.6c16c16c16c17p-10 + z * (0x1.a01a01a01a01ap-16 + z * -0x1.27e4fb7789f5cp-22);
    struct dd half = {-0.5, 0}, one = {1, 0};
    struct dd sum = filter_ordered_sum(FILTER_1_4, (struct dd){z * tail, 0});
    sum = dd_product(square, filter_ordered_sum(half, dd_product(square, sum)));
    return filter_ordered_sum(one, sum);
}

/* x less the nearest multiple of pi/256, k pi/256, |k| < 2^19. k (in double) times the step's high
 * and middle parts is exact, of 51 bits. In units of u^2:
 *     the two differences: 2.0001 of each, which are at most 0.00614 + 2^-22    0.025
 *     low times k, below 2^-56, and low's own error: below 10^-15
 *     the last difference: 3.0001 of 0.00614 + 2^-56                            0.019
 * together less than 0.05; and none where k = 0. With k, the product in double is within
 * 2^19 * 2^-52 of the true quotient, so that |x - k pi/256| <= pi/512 + 2^-39 < 0.00614. */
#define FILTER_REST_ERROR (0.05 * 0x1p-106)
FILTER_INLINE struct dd filter_rest(struct dd x, double k)
{
    struct dd rest = dd_sum_double(x, -k * FILTER_STEP_HIGH);
    rest = dd_sum_double(rest, -k * FILTER_STEP_MIDDLE);
    return dd_sum_loose(rest, dd_product_double(FILTER_STEP_LOW, -k));
}

/* sin(k pi/256) */
FILTER_INLINE struct dd filter_table_sine(unsigned k)
{
    unsigned within = k % (2 * FILTER_QUARTER);
    unsigned folded = within <= FILTER_QUARTER ? within : 2 * FILTER_QUARTER - within;
    struct dd sine = filter_sines[folded];
    return k / (2 * FILTER_QUARTER) % 2 ? dd_negative(sine) : sine;
}

/* The sine and the cosine of k pi/256 + r, r being off by up to `reduction` and the angle itself by
 * `doubt` more. With S and C from the table, and s and c of r,
 *     sin x = S c + C s,    cos x = C c - S s.
 * In units of u^2:
 *     S c: the product 6.5, S 1.0001, c 3.75, as it is at least 0.9999:        11.3 |S|
 *     C s: the product 6.5, C 1.0001, s 3.4 of |r|, which |s| does not exceed: 11.0 |C r|
 *     their sum: 3.0001 of both, which may cancel
 * and the same for cos x. Neither function changes by more than its argument. Underflow in 40
 * products at most is below 40 * 2^-1072. */
FILTER_INLINE void filter_sine_cosine_of(unsigned k, struct dd r, double reduction, double doubt,
                                         struct approximation *sine, struct approximation *cosine)
{
    struct dd square = dd_product(r, r);
    struct dd s = filter_sine_of_rest(r, square);
    struct dd c = filter_cosine_of_rest(square);
    struct dd table_sine = filter_table_sine(k);
    struct dd table_cosine = filter_table_sine(k + FILTER_QUARTER);
    struct dd x_sine = dd_sum_loose(dd_product(table_sine, c), dd_product(table_cosine, s));
    struct dd x_cosine =
        dd_sum_loose(dd_product(table_cosine, c), dd_negative(dd_product(table_sine, s)));
    double sine_size = fabs(table_sine.high), cosine_size = fabs(table_cosine.high);
    double size = fabs(r.high), given = reduction + doubt;
    double sine_error = 0x1p-106 * (14.4 * sine_size + 14.1 * cosine_size * size) + given;
    double cosine_error = 0x1p-106 * (14.4 * cosine_size + 14.1 * sine_size * size) + given;
    *sine = approximation_of(x_sine, sine_error * FILTER_SLOP + FILTER_UNDERFLOW);
    *cosine = approximation_of(x_cosine, cosine_error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* The sine and the cosine of x, |x| <= 2^12; returns false beyond. */
FILTER_INLINE bool filter_sine_cosine(struct approximation x, struct approximation *sine,
                                      struct approximation *cosine)
{
    if (!(fabs(x.high) <= FILTER_ANGLE_MAX)) {
        return false;
    }
    double k = x.high * FILTER_STEPS_PER_RADIAN + 0x1.8p52 - 0x1.8p52;
    struct dd rest = filter_rest(approximation_center(x), k);
    filter_sine_cosine_of((unsigned)(int32_t)k, rest, k == 0 ? 0 : FILTER_REST_ERROR, x.error, sine,
                          cosine);
    return true;
}

/* 64 bits before the point and 256 behind it of 1 / 2 pi, rounded down */
enum { FILTER_TURN_WORDS = 5 };
static const uint64_t filter_turn[FILTER_TURN_WORDS] = {0, UINT64_C(0x28be60db9391054a),
                                                        UINT64_C(0x7f09d5f47d4d3770),
                                                        UINT64_C(0x36d8a5664f10e410),
                                                        UINT64_C(0x7f9458eaf7aef158)};

/* 64 of these bits, from the given one on */
FILTER_INLINE uint64_t filter_turn_bits(unsigned first)
{
    unsigned word = first / 64, within = first % 64;
    return within == 0 ? filter_turn[word]
                       : filter_turn[word] << within | filter_turn[word + 1] >> (64 - within);
}

__extension__ typedef unsigned __int128 filter_wide;
__extension__ typedef __int128 filter_signed_wide;

/* The same for a double x from 1 to 2^62, however many turns that is (M. Payne, R. Hanek: Radian
 * reduction for trigonometric functions. SIGNUM Newsletter 18(1), 1983).
 *
 * With x = m 2^e, bits of 1 / 2 pi that 2^e makes whole numbers make whole turns; of the others,
 * 192 are multiplied by m. What is left out is below m 2^-192 < 2^-139, and of the product's
 * fraction, the bits below 2^-128. k is the nearest multiple of 1/512; the difference, of at most
 * 2^-10 turns, becomes a double-double within u^2 of itself, and its product with 2 pi is
 * within 6.5 + 1 more: in all 8.6 u^2 of pi/512 and 2^-127 turns, less than 0.06 u^2. */
#define FILTER_TURN_ERROR (0.06 * 0x1p-106)
#define FILTER_TURNS_MAX 0x1p62
FILTER_INLINE void filter_sine_cosine_of_turns(double x, struct approximation *sine,
                                               struct approximation *cosine)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned first = (unsigned)(bits >> 52) - 1023 - 52 + 64;
    filter_wide m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    filter_wide low = m * filter_turn_bits(first + 128);
    filter_wide middle = m * filter_turn_bits(first + 64) + (low >> 64);
    filter_wide high = m * filter_turn_bits(first) + (middle >> 64);
    filter_wide fraction = high << 64 | (uint64_t)middle;
    unsigned k = (unsigned)((fraction + ((filter_wide)1 << 118)) >> 119);
    filter_signed_wide rest = (filter_signed_wide)(fraction - ((filter_wide)k << 119));
    double leading = (double)rest;
    double trailing = (double)(rest - (filter_signed_wide)leading);
    struct dd turns = dd_scaled(dd_of_fast_sum(leading, trailing), 0x1p-127);
    filter_sine_cosine_of(k, dd_product(turns, FILTER_PI), FILTER_TURN_ERROR, 0, sine, cosine);
}

/* Those of a double; returns false beyond 2^62. */
FILTER_INLINE bool filter_sine_cosine_of_double(double x, struct approximation *sine,
                                                struct approximation *cosine)
{
    if (!(fabs(x) <= FILTER_TURNS_MAX)) {
        return false;
    }
    if (fabs(x) <= FILTER_ANGLE_MAX) {
        return filter_sine_cosine(approximation_of_double(x), sine, cosine);
    }
    filter_sine_cosine_of_turns(fabs(x), sine, cosine);
    *sine = x < 0 ? approximation_negative(*sine) : *sine;
    return true;
}

/* The angle A of the point (x, y), where y > 0; returns false where it is not known well.
 *
 * With any guess G in [0, 3.2], and R the point's distance from 0,
 *     across = y cos G - x sin G = R sin(A - G)
 *     along  = x cos G + y sin G = R cos(A - G)
 * so that A = G + e, tan e = across / along. As A is in [0, pi] and cos e > 0, e is the arctangent
 * itself and no multiple of pi off. With w = across / along in double, |w| <= 2^-40:
 *     across.high for across: u |w|; `across` is off by its error: that over along
 *     along: each of the two products of high parts is within 3.1 u of itself, their sum is
 * rounded, and the errors of x, y, sine and cosine, 2^-60 of the parts of `size`, are less than
 *         another u: 5.1 u of `size`, which is at most 2 along: 10.3 u |w|
 *     the division: u |w|
 *     |e - tan e| <= |w|^3 / 3 <= 2^-81 |w|
 * together less than 13 u |w| and the error over along. G + w is exact as a double-double. */
FILTER_INLINE bool filter_angle(struct approximation y, struct approximation x,
                                struct approximation *angle)
{
    double guess = atan2(y.high, x.high);
    struct approximation sine, cosine;
    if (!(guess >= 0 && guess <= 3.2) ||
        !filter_sine_cosine(approximation_of_double(guess), &sine, &cosine)) {
        return false;
    }
    struct approximation across =
        approximation_difference(approximation_product(y, cosine), approximation_product(x, sine));
    double size = fabs(x.high * cosine.high) + fabs(y.high * sine.high);
    double along = x.high * cosine.high + y.high * sine.high;
    double doubt = x.error + y.error + (sine.error + cosine.error) * (fabs(x.high) + y.high);
    double tangent = across.high / along;
    if (!(y.error <= 0x1p-60 * y.high && along >= 0.5 * size && doubt <= 0x1p-60 * size &&
          fabs(tangent) <= 0x1p-40)) {
        return false;
    }
    double error = 13 * 0x1p-53 * fabs(tangent) + across.error / along * (1 + 0x1p-45);
    *angle = approximation_of(dd_of_sum(guess, tangent), error * FILTER_SLOP + FILTER_UNDERFLOW);
    return true;
}

#endif
