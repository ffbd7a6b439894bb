#include "draw.h"

#include "checksum.h"

#include "../oracle/bits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Doubles in their order on the line, numbered: 0 for both zeros, k for the k-th double above. */
static int64_t ordinal(double x)
{
    int64_t magnitude = (int64_t)(bits_of(x) & INT64_MAX);
    return signbit(x) ? -magnitude : magnitude;
}

static double from_ordinal(int64_t n)
{
    return n < 0 ? -double_of((uint64_t)-n) : double_of((uint64_t)n);
}

/* With the name's terminator, so that ("ab", "c") and ("a", "bc") differ. */
static uint64_t hash_name(uint64_t hash, const char *name)
{
    return checksum_of_bytes(hash, name, strlen(name) + 1);
}

void draw_case(uint64_t seed, const struct function *function, const struct domain *domain,
               uint64_t index, struct values *inputs)
{
    uint64_t names = hash_name(hash_name(CHECKSUM_START, function->name), domain->name);
    uint64_t key = mix_bits(mix_bits(mix_bits(seed) ^ names) + index);
    struct stream stream = {.key = key, .counter = 0, .index = index};
    domain->draw(&stream, inputs);
}

uint64_t draw_bits(struct stream *stream)
{
    stream->counter++;
    return mix_bits(stream->key + MIX_STEP * stream->counter);
}

/* Numbers of just enough bits, and those that are too large again: every value below the limit is
 * exactly as likely. A try succeeds with a chance of more than one half. */
uint64_t draw_below(struct stream *stream, uint64_t limit)
{
    if (limit <= 1) {
        return 0;
    }
    int unused = __builtin_clzll(limit - 1);
    uint64_t drawn;
    do {
        drawn = draw_bits(stream) >> unused;
    } while (drawn >= limit);
    return drawn;
}

/* A real number that is uniform in [0, 1], rounded to nearest: unlike a multiple of 2^-53, it has
 * all its bits near 0 as well. */
static double draw_unit(struct stream *stream)
{
    int exponent = -1;
    uint64_t coins;
    while ((coins = draw_bits(stream)) == 0) {
        exponent -= 64;
    }
    exponent -= __builtin_clzll(coins);
    uint64_t mantissa = UINT64_C(1) << 63 | draw_bits(stream) >> 1;
    return ldexp((double)mantissa, exponent - 63);
}

double draw_uniform(struct stream *stream, double low, double high)
{
    if (low < 0 && high > 0) {
        double share_of_low = 1 / (1 + high / -low);
        double end = draw_unit(stream) < share_of_low ? low : high;
        return end * draw_unit(stream);
    }
    /* From the end that is nearer to 0, where doubles are densest. */
    double span = high - low;
    double x =
        fabs(low) <= fabs(high) ? low + span * draw_unit(stream) : high - span * draw_unit(stream);
    return draw_least(draw_most(x, low), high);
}

double draw_log(struct stream *stream, int low, int high)
{
    int exponent = low + (int)draw_below(stream, (uint64_t)(high - low));
    uint64_t mantissa = draw_bits(stream) >> 12;
    if (exponent >= DBL_MIN_EXP - 1) {
        return double_of((uint64_t)(exponent + DBL_MAX_EXP - 1) << 52 | mantissa);
    }
    return double_of((UINT64_C(1) << 52 | mantissa) >> (DBL_MIN_EXP - 1 - exponent));
}

double draw_sign(struct stream *stream, double magnitude)
{
    return draw_bits(stream) >> 63 ? -magnitude : magnitude;
}

double draw_finite(struct stream *stream)
{
    double x;
    do {
        x = double_of(draw_bits(stream));
    } while (!isfinite(x));
    return x;
}

/* One in eight is NaN or infinite: by bit pattern alone, one in 2048 would be, and hardly any of
 * these an infinity. */
double draw_any(struct stream *stream)
{
    if (draw_below(stream, 8) != 0) {
        return draw_finite(stream);
    }
    return draw_sign(stream, draw_below(stream, 2) ? (double)INFINITY : (double)NAN);
}

static double clamp_finite(int64_t n)
{
    int64_t most = ordinal(DBL_MAX);
    return from_ordinal(n > most ? most : n < -most ? -most : n);
}

/* Finite numbers stay finite, others stay as they are. */
double draw_step(struct stream *stream, double x, int most)
{
    int64_t step = (int64_t)draw_below(stream, 2 * (uint64_t)most + 1) - most;
    return step == 0 || !isfinite(x) ? x : clamp_finite(ordinal(x) + step);
}

double draw_between(struct stream *stream, double low, double high)
{
    uint64_t count = (uint64_t)ordinal(high) - (uint64_t)ordinal(low) + 1;
    return from_ordinal((int64_t)((uint64_t)ordinal(low) + draw_below(stream, count)));
}

/* Off either end by the span times a power of two, of any of the given exponents. */
static double draw_off_end(struct stream *stream, double low, double high, int exponent)
{
    double span = draw_least(high - low, DBL_MAX);
    double distance = span * draw_log(stream, exponent, 0);
    return draw_below(stream, 2) ? low + distance : high - distance;
}

double draw_inside(struct stream *stream, double low, double high)
{
    double x;
    switch (draw_below(stream, 8)) {
    case 0:
        x = draw_between(stream, low, high);
        break;
    case 1:
        x = draw_step(stream, draw_below(stream, 2) ? low : high, 8);
        break;
    case 2:
        x = draw_off_end(stream, low, high, -1074);
        break;
    case 3:
        x = draw_off_end(stream, low, high, -60);
        break;
    case 4: {
        double share = (double)draw_below(stream, 65) / 64;
        x = low * (1 - share) + high * share;
        break;
    }
    default:
        x = draw_uniform(stream, low, high);
    }
    return draw_least(draw_most(x, low), high);
}

uint64_t draw_combination(const struct stream *stream, uint64_t total)
{
    /* A prime, so that the products run through all remainders. */
    return stream->index % total * 2654435761 % total;
}

size_t draw_digit(uint64_t *combination, size_t radix)
{
    size_t digit = (size_t)(*combination % radix);
    *combination /= radix;
    return digit;
}

#define FUNCTION(name) extern const struct domains domains_##name;
#include "../oracle/catalog.def"
#undef FUNCTION

const struct domains *domains_of(const struct function *function)
{
    static const struct {
        const char *name;
        const struct domains *domains;
    } all[] = {
#define FUNCTION(name) {#name, &domains_##name},
#include "../oracle/catalog.def"
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, function->name) == 0) {
            return all[i].domains;
        }
    }
    return NULL;
}

const struct domain *domain_find(const struct function *function, const char *name)
{
    const struct domains *domains = domains_of(function);
    for (size_t i = 0; i < domains->count; i++) {
        if (strcmp(domains->list[i].name, name) == 0) {
            return &domains->list[i];
        }
    }
    return NULL;
}
