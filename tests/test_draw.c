/* The random bits behind all domains, and that a sample depends on nothing but its seed, function,
 * domain and index. What single domains draw is checked in test_domains.c. */
#include "sample.h"
#include "suite.h"

#include "../corpus/checksum.h"
#include "../corpus/draw.h"
#include "../oracle/bits.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MANY = 200000 };

static struct stream stream_of(uint64_t key)
{
    return (struct stream){.key = key * 0x123456789abcdef1};
}

/* Of `count` tries with the given chance, so many hit: is that within six standard deviations? */
static void check_share(const char *what, size_t hits, size_t count, double chance)
{
    double expected = (double)count * chance;
    double deviation = sqrt(expected * (1 - chance));
    suite_check(fabs((double)hits - expected) <= 6 * deviation + 1e-9,
                "%s: %zu of %zu, not about %g", what, hits, count, expected);
}

static void bits_are_fair(void)
{
    size_t ones[64] = {0};
    size_t pairs[64] = {0}; /* equal to the next bit of the sample before */
    struct stream stream = stream_of(1);
    uint64_t before = 0;
    for (size_t i = 0; i < MANY; i++) {
        uint64_t bits = draw_bits(&stream);
        for (int k = 0; k < 64; k++) {
            ones[k] += bits >> k & 1;
            pairs[k] += (bits ^ (before << 1 | before >> 63)) >> k & 1;
        }
        before = bits;
    }
    for (int k = 0; k < 64; k++) {
        check_share("bit set", ones[k], MANY, 0.5);
        check_share("bit changed", pairs[k], MANY, 0.5);
    }
}

/* Streams whose keys or indices follow on each other have nothing in common. */
static void streams_are_unrelated(void)
{
    size_t changed = 0, count = 0;
    for (uint64_t key = 0; key < 2000; key++) {
        struct stream x = {.key = key}, y = {.key = key + 1};
        for (int i = 0; i < 4; i++) {
            changed += (size_t)__builtin_popcountll(draw_bits(&x) ^ draw_bits(&y));
            count += 64;
        }
    }
    check_share("bits that differ between neighbours", changed, count, 0.5);
}

/* A remainder of 64 bits favours small numbers; with three quarters of 2^64 it draws those below
 * 2^62 twice as often as the others. */
static void below_is_unbiased(void)
{
    struct stream stream = stream_of(2);
    static const uint64_t limits[] = {2, 3, 5, 7, 64, 65, 1000};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        size_t hits[1000] = {0};
        for (size_t i = 0; i < MANY; i++) {
            uint64_t drawn = draw_below(&stream, limits[k]);
            if (!suite_check(drawn < limits[k], "%llu is not below %llu", (unsigned long long)drawn,
                             (unsigned long long)limits[k])) {
                return;
            }
            hits[drawn]++;
        }
        for (size_t i = 0; i < limits[k]; i++) {
            check_share("a number below a limit", hits[i], MANY, 1.0 / (double)limits[k]);
        }
    }
    size_t thirds[3] = {0};
    for (size_t i = 0; i < MANY; i++) {
        thirds[draw_below(&stream, UINT64_C(3) << 62) >> 62]++;
    }
    for (int i = 0; i < 3; i++) {
        check_share("a third of three quarters of 2^64", thirds[i], MANY, 1.0 / 3);
    }
    uint64_t all = 0;
    for (size_t i = 0; i < 1000; i++) {
        all |= draw_below(&stream, UINT64_MAX);
    }
    CU_ASSERT_EQUAL(all, UINT64_MAX);
    CU_ASSERT_EQUAL(draw_below(&stream, 1), 0);
}

static void check_uniform(double low, double high)
{
    struct stream stream = stream_of(3);
    size_t below_middle = 0, below_quarter = 0;
    double middle = low / 2 + high / 2, quarter = low / 4 * 3 + high / 4;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_uniform(&stream, low, high);
        if (!suite_check(low <= x && x <= high, "%a is not in [%a, %a]", x, low, high)) {
            return;
        }
        below_middle += x < middle;
        below_quarter += x < quarter;
    }
    check_share("lower half", below_middle, MANY, 0.5);
    check_share("lower quarter", below_quarter, MANY, 0.25);
}

static void uniform_is_even(void)
{
    check_uniform(0, 1);
    check_uniform(-1, 0);
    check_uniform(-1, 1);
    check_uniform(-100, 300);
    check_uniform(5, 7);
    check_uniform(-7, -5);
    check_uniform(-DBL_MAX, DBL_MAX);
    check_uniform(-DBL_MAX, 1);
    check_uniform(0x1p-1060, 0x1p-1050);
    check_uniform(-0x1p-1050, 0x1p-1050);
    check_uniform(1e9, 1e9 + 1);
    struct stream stream = stream_of(4);
    CU_ASSERT_EQUAL(draw_uniform(&stream, 3, 3), 3);
    CU_ASSERT_EQUAL(draw_uniform(&stream, 0, 0), 0);
}

/* Near 0 there are more doubles than multiples of 2^-53: about half of them have an odd last bit,
 * as anywhere else. (Fewer where rounding to even has a say.) */
static void uniform_is_dense_at_zero(void)
{
    static const double ranges[][2] = {{0, 1}, {-1, 0}, {-1, 1}, {-3, 0.5}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        struct stream stream = stream_of(5);
        size_t small = 0, odd = 0;
        for (size_t i = 0; i < MANY; i++) {
            double x = draw_uniform(&stream, ranges[k][0], ranges[k][1]);
            if (fabs(x) < 0x1p-6) {
                small++;
                odd += bits_of(x) & 1;
            }
        }
        CU_ASSERT(small > 1000);
        suite_check(odd > small / 3 && odd < small / 3 * 2, "%zu of %zu odd last bits", odd, small);
    }
}

/* In a range of few doubles both ends come up. */
static void uniform_reaches_its_ends(void)
{
    struct stream stream = stream_of(6);
    size_t low = 0, high = 0;
    for (size_t i = 0; i < 10000; i++) {
        double x = draw_uniform(&stream, 1, 1 + 8 * DBL_EPSILON);
        low += x == 1;
        high += x == 1 + 8 * DBL_EPSILON;
    }
    check_share("the lower end", low, 10000, 1.0 / 16);
    check_share("the upper end", high, 10000, 1.0 / 16);
}

static void logarithms_are_even(void)
{
    struct stream stream = stream_of(7);
    size_t hits[2098] = {0};
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_log(&stream, -1074, 1024);
        int exponent = ilogb(x);
        if (!suite_check(x > 0 && isfinite(x), "%a", x)) {
            return;
        }
        hits[exponent + 1074]++;
    }
    for (int i = 0; i < 2098; i++) {
        check_share("an exponent", hits[i], MANY, 1.0 / 2098);
    }
    size_t upper = 0, odd = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_log(&stream, 5, 6);
        suite_check(32 <= x && x < 64, "%a is not in [32, 64)", x);
        upper += x >= 48;
        odd += bits_of(x) & 1;
    }
    check_share("upper half of a binade", upper, MANY, 0.5);
    check_share("odd last bits", odd, MANY, 0.5);
}

static void signs_are_fair(void)
{
    struct stream stream = stream_of(8);
    size_t negative = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_sign(&stream, 3);
        suite_check(fabs(x) == 3, "%a", x);
        negative += x < 0;
    }
    check_share("negative", negative, MANY, 0.5);
    CU_ASSERT_EQUAL(fabs(draw_sign(&stream, 0)), 0);
}

static void patterns_are_even(void)
{
    struct stream stream = stream_of(9);
    size_t exponents[2047] = {0};
    for (size_t i = 0; i < MANY; i++) {
        exponents[bits_of(draw_finite(&stream)) >> 52 & 0x7ff]++; /* out of bounds if not finite */
    }
    for (int i = 0; i < 2047; i++) {
        check_share("an exponent field", exponents[i], MANY, 1.0 / 2047);
    }
    size_t nan = 0, positive = 0, negative = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_any(&stream);
        nan += isnan(x);
        positive += x == INFINITY;
        negative += x == -INFINITY;
    }
    check_share("NaN", nan, MANY, 1.0 / 16);
    check_share("infinity", positive, MANY, 1.0 / 32);
    check_share("minus infinity", negative, MANY, 1.0 / 32);
}

/* How often each of the doubles k steps from x comes up, for k from -most to most. */
static void check_step(double x, int most)
{
    struct stream stream = stream_of(10);
    size_t hits[64] = {0};
    enum { COUNT = 20000 };
    for (size_t i = 0; i < COUNT; i++) {
        double stepped = draw_step(&stream, x, most);
        double y = x;
        int k = 0;
        for (; k < most && y < stepped; k++) {
            y = nextafter(y, INFINITY);
        }
        for (; k > -most && y > stepped; k--) {
            y = nextafter(y, -INFINITY);
        }
        if (!suite_check(y == stepped, "%a is more than %d steps from %a", stepped, most, x)) {
            return;
        }
        hits[k + most]++;
    }
    for (int k = 0; k <= 2 * most; k++) {
        check_share("a step", hits[k], COUNT, 1.0 / (2 * most + 1));
    }
}

static void steps_are_doubles(void)
{
    check_step(1, 1);
    check_step(1, 8);
    check_step(-1, 8);
    check_step(DBL_MIN, 3);
    check_step(0, 4);
    check_step(-0.0, 4);
    check_step(-0x1p-1073, 5);
    struct stream stream = stream_of(11);
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT_TRUE(isfinite(draw_step(&stream, DBL_MAX, 8)));
        CU_ASSERT_TRUE(isfinite(draw_step(&stream, -DBL_MAX, 8)));
        CU_ASSERT_EQUAL(draw_step(&stream, INFINITY, 8), INFINITY);
        CU_ASSERT_TRUE(isnan(draw_step(&stream, NAN, 8)));
        CU_ASSERT_TRUE(signbit(draw_step(&stream, -0.0, 0)));
    }
}

static void between_is_even_by_pattern(void)
{
    struct stream stream = stream_of(12);
    size_t hits[9] = {0};
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_between(&stream, -4 * 0x1p-1074, 4 * 0x1p-1074);
        hits[(int)(x / 0x1p-1074) + 4]++;
    }
    for (int i = 0; i < 9; i++) {
        check_share("a double around 0", hits[i], MANY, 1.0 / 9);
    }
    size_t below_one = 0, negative = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_between(&stream, 0x1p-10, 0x1p10);
        suite_check(0x1p-10 <= x && x <= 0x1p10, "%a is not between", x);
        below_one += x < 1;
        double y = draw_between(&stream, -DBL_MAX, DBL_MAX);
        suite_check(isfinite(y), "%a is not between", y);
        negative += y < 0;
    }
    check_share("below one", below_one, MANY, 0.5);
    check_share("negative", negative, MANY, 0.5);
    CU_ASSERT_EQUAL(draw_between(&stream, 7, 7), 7);
}

static void places_are_inside(void)
{
    static const double segments[][2] = {{0, 1},
                                         {-1, 2},
                                         {1e9, 1e9 + 1},
                                         {1, 1 + DBL_EPSILON},
                                         {-DBL_MAX, DBL_MAX},
                                         {-0x1p-1074, 0x1p-1074},
                                         {0, DBL_MAX},
                                         {-5, -5}};
    struct stream stream = stream_of(13);
    for (size_t k = 0; k < sizeof segments / sizeof *segments; k++) {
        double low = segments[k][0], high = segments[k][1];
        for (size_t i = 0; i < 20000; i++) {
            double x = draw_inside(&stream, low, high);
            suite_check(low <= x && x <= high, "%a is not in [%a, %a]", x, low, high);
        }
    }
    size_t inner = 0, near_low = 0, near_high = 0, tiny = 0, ends = 0, halves = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = draw_inside(&stream, 0, 1);
        inner += 0.1 < x && x < 0.9;
        near_low += 0 < x && x < 0x1p-30;
        near_high += 1 - 0x1p-30 < x && x < 1;
        tiny += 0 < x && x < 0x1p-500;
        ends += x == 0 || x == 1;
        halves += x == 0.5;
    }
    suite_check(inner > MANY / 3 && near_low > MANY / 20 && near_high > MANY / 50 &&
                    tiny > MANY / 50 && ends > MANY / 500 && ends < MANY / 5 &&
                    halves > MANY / 1000,
                "%zu %zu %zu %zu %zu %zu", inner, near_low, near_high, tiny, ends, halves);
}

static void combinations_come_in_turn(void)
{
    static const uint64_t totals[] = {1, 2, 12, 625, 3808, 4096, 1074};
    for (size_t k = 0; k < sizeof totals / sizeof *totals; k++) {
        static unsigned char seen[5000];
        for (uint64_t start = 0; start < 3 * totals[k]; start += totals[k] / 2 + 1) {
            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < totals[k]; i++) {
                struct stream stream = {.key = i * i, .index = start + i};
                uint64_t combination = draw_combination(&stream, totals[k]);
                suite_check(combination < totals[k] && seen[combination]++ == 0,
                            "%llu of %llu comes up again", (unsigned long long)combination,
                            (unsigned long long)totals[k]);
            }
        }
    }
    uint64_t combination = 2 + 3 * (1 + 5 * 4);
    CU_ASSERT_EQUAL(draw_digit(&combination, 3), 2);
    CU_ASSERT_EQUAL(draw_digit(&combination, 5), 1);
    CU_ASSERT_EQUAL(draw_digit(&combination, 7), 4);
    CU_ASSERT_EQUAL(combination, 0);
}

/* Of the bits of all numbers, any NaN as one. */
static uint64_t add_to_checksum(uint64_t sum, const struct values *inputs)
{
    for (size_t i = 0; i < inputs->start[inputs->count]; i++) {
        double x = inputs->number[i];
        uint64_t bits = isnan(x) ? UINT64_C(0x7ff8) << 48 : bits_of(x);
        sum = checksum_of_bytes(sum, &bits, sizeof bits);
    }
    return sum;
}

static uint64_t checksum(uint64_t seed, const struct function *function,
                         const struct domain *domain, uint64_t first, uint64_t count)
{
    uint64_t sum = CHECKSUM_START;
    struct values inputs = {0};
    for (uint64_t i = first; i < first + count; i++) {
        draw_case(seed, function, domain, i, &inputs);
        sum = add_to_checksum(sum, &inputs);
    }
    values_free(&inputs);
    return sum;
}

/* The same index gives the same case in any order, whatever was drawn before. */
static void a_sample_is_a_function_of_its_index(void)
{
    enum { COUNT = 300 };
    struct values forwards[COUNT] = {{0}};
    struct values backwards = {0};
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        for (size_t d = 0; d < domains->count; d++) {
            const struct domain *domain = &domains->list[d];
            for (uint64_t i = 0; i < COUNT; i++) {
                draw_case(9, catalog[f], domain, i, &forwards[i]);
            }
            for (uint64_t i = COUNT; i-- > 0;) {
                draw_case(8, catalog[f], domain, i + 5, &backwards);
                draw_case(9, catalog[f], domain, i, &backwards);
                suite_check(add_to_checksum(1, &backwards) == add_to_checksum(1, &forwards[i]),
                            "%s, %s: sample %d is another one", catalog[f]->name, domain->name,
                            (int)i);
            }
        }
    }
    values_free(&backwards);
    for (size_t i = 0; i < COUNT; i++) {
        values_free(&forwards[i]);
    }
}

/* Seed, function, domain and index all matter: no two of the checksums are equal. */
static void nothing_is_drawn_twice(void)
{
    enum { SUMS = 8192, COUNT = 40 };
    static uint64_t sums[SUMS];
    static const uint64_t seeds[] = {0, 1, 2, UINT64_C(1) << 32, UINT64_MAX};
    static const uint64_t firsts[] = {0, 100, UINT64_C(1) << 40};
    size_t count = 0;
    for (size_t f = 0; f < catalog_count; f++) {
        const struct domains *domains = domains_of(catalog[f]);
        for (size_t d = 0; d < domains->count; d++) {
            for (size_t s = 0; s < 15; s++) {
                uint64_t sum =
                    checksum(seeds[s % 5], catalog[f], &domains->list[d], firsts[s / 5], COUNT);
                CU_ASSERT_FATAL(count < SUMS);
                for (size_t i = 0; i < count; i++) {
                    suite_check(sums[i] != sum, "%s, %s draws what others draw", catalog[f]->name,
                                domains->list[d].name);
                }
                sums[count++] = sum;
            }
        }
    }
    CU_ASSERT(count > 100);
}

/* On every machine and by every compiler: figures in reports and baselines refer to these cases.
 * Whoever changes a domain on purpose changes the sum. */
static void samples_are_the_same_everywhere(void)
{
    static const struct {
        const char *name;
        uint64_t sum;
    } known[] = {
        {"lerp", 0x215c9de3a887ce91},        {"lerp_cr", 0x9cc3fcd94a52041b},
        {"hermite", 0x55ba816a17f48c5a},     {"hermite_coefficients", 0xdb1d3d6f23366eab},
        {"bezier", 0xfd1491c10dbbf458},      {"bezier_parameter", 0x690709b63a86d3e3},
        {"slerp3", 0x0f7c108ccfe1c7fc},      {"slerp3_unclamped", 0x84fd796f13bea475},
        {"slerp4", 0x537102f27af7ea0b},      {"rotate_toward3", 0x8b41384421753ff7},
        {"cubic_roots", 0x19dd5b440a35cfe5}, {"angle3", 0xa92074777bee0162},
        {"curve", 0xba029a165e43fade},       {"crossfade", 0xa845a86cacd0551a},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct function *function = catalog_find(known[k].name);
        const struct domains *domains = domains_of(function);
        uint64_t sum = 0;
        for (size_t d = 0; d < domains->count; d++) {
            sum = sum * 31 + checksum(1, function, &domains->list[d], 0, 2000);
        }
        suite_check(sum == known[k].sum, "%s: the sum is 0x%016llx", known[k].name,
                    (unsigned long long)sum);
    }
}

static void an_unknown_function_has_no_domains(void)
{
    struct function unknown = *catalog[0];
    unknown.name = "unknown";
    CU_ASSERT_PTR_NULL(domains_of(&unknown));
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"bits are fair", bits_are_fair},
        {"streams are unrelated", streams_are_unrelated},
        {"below is unbiased", below_is_unbiased},
        {"uniform is even", uniform_is_even},
        {"uniform is dense at zero", uniform_is_dense_at_zero},
        {"uniform reaches its ends", uniform_reaches_its_ends},
        {"logarithms are even", logarithms_are_even},
        {"signs are fair", signs_are_fair},
        {"patterns are even", patterns_are_even},
        {"steps are doubles", steps_are_doubles},
        {"between is even by pattern", between_is_even_by_pattern},
        {"places are inside", places_are_inside},
        {"combinations come in turn", combinations_come_in_turn},
        {"a sample is a function of its index", a_sample_is_a_function_of_its_index},
        {"nothing is drawn twice", nothing_is_drawn_twice},
        {"samples are the same everywhere", samples_are_the_same_everywhere},
        {"an unknown function has no domains", an_unknown_function_has_no_domains},
    };
    return suite_run("draw", tests, sizeof tests / sizeof *tests);
}
