#include "sample.h"

#include <math.h>
#include <string.h>

/* splitmix64, by Steele, Lea and Flood, OOPSLA 2014 */
uint64_t sample_bits(struct sample *sample)
{
    uint64_t z = sample->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

unsigned sample_below(struct sample *sample, unsigned limit)
{
    return (unsigned)((sample_bits(sample) >> 32) * limit >> 32);
}

double sample_uniform(struct sample *sample, double low, double high)
{
    double unit = ldexp((double)(sample_bits(sample) >> 11), -53);
    return low + unit * (high - low);
}

double sample_wide(struct sample *sample, int low, int high)
{
    double mantissa = sample_uniform(sample, 1, 2);
    int exponent = low + (int)sample_below(sample, (unsigned)(high - low));
    double number = ldexp(mantissa, exponent);
    return sample_bits(sample) >> 63 ? -number : number;
}

double sample_finite(struct sample *sample)
{
    double number;
    do {
        uint64_t bits = sample_bits(sample);
        memcpy(&number, &bits, sizeof number);
    } while (!isfinite(number));
    return number;
}

static double sample_of_class(struct sample *sample, unsigned class)
{
    switch (class) {
    case 0:
        return sample_uniform(sample, -1, 1);
    case 1:
        return sample_wide(sample, -40, 40);
    case 2:
        return sample_finite(sample);
    case 3:
        return ldexp((double)(int)(sample_below(sample, 2001) - 1000), -1074);
    case 4:
        return sample_wide(sample, 1018, 1024);
    default:
        return (double)(int)(sample_below(sample, 17) - 8);
    }
}

void sample_numbers(struct sample *sample, unsigned class, double *numbers, unsigned count)
{
    double anchor = sample_wide(sample, -60, 60);
    for (unsigned i = 0; i < count; i++) {
        if (class + 1 < SAMPLE_CLASSES) {
            numbers[i] = sample_of_class(sample, class);
            continue;
        }
        numbers[i] = anchor;
        for (unsigned steps = sample_below(sample, 4); steps > 0; steps--) {
            numbers[i] = nextafter(numbers[i], HUGE_VAL);
        }
        if (sample_below(sample, 3) == 0) {
            numbers[i] = -numbers[i];
        }
    }
}

bool same_double(double got, double wanted)
{
    if (isnan(wanted)) {
        return isnan(got);
    }
    uint64_t got_bits, wanted_bits;
    memcpy(&got_bits, &got, sizeof got_bits);
    memcpy(&wanted_bits, &wanted, sizeof wanted_bits);
    return got_bits == wanted_bits;
}
