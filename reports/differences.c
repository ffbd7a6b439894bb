#include "differences.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the entries of an order begin. */
static size_t start(const struct differences *differences, size_t order)
{
    return order * differences->count - order * (order - 1) / 2;
}

mpq_srcptr differences_entry(const struct differences *differences, size_t order, size_t first)
{
    return differences->entries[start(differences, order) + first];
}

void differences_create(struct differences *differences, const double *times, const double *values,
                        size_t count)
{
    *differences = (struct differences){.count = count, .times = times, .values = values};
    size_t entries = start(differences, count);
    differences->entries = calloc(entries, sizeof *differences->entries);
    if (!differences->entries) {
        abort();
    }
    for (size_t i = 0; i < entries; i++) {
        mpq_init(differences->entries[i]);
    }
    for (size_t i = 0; i < count; i++) {
        mpq_set_d(differences->entries[i], values[i]);
    }
    mpq_t from, to;
    mpq_inits(from, to, NULL);
    for (size_t order = 1; order < count; order++) {
        for (size_t i = 0; i + order < count; i++) {
            mpq_ptr entry = differences->entries[start(differences, order) + i];
            mpq_set_d(from, times[i]);
            mpq_set_d(to, times[i + order]);
            mpq_sub(to, to, from);
            mpq_sub(entry, differences_entry(differences, order - 1, i + 1),
                    differences_entry(differences, order - 1, i));
            mpq_div(entry, entry, to);
        }
    }
    mpq_clears(from, to, NULL);
}

void differences_free(struct differences *differences)
{
    for (size_t i = 0; i < start(differences, differences->count); i++) {
        mpq_clear(differences->entries[i]);
    }
    free(differences->entries);
    *differences = (struct differences){0};
}

/* Of n / d, both positive, the nearest whole number; of two, the even one. */
static void divide_nearest(mpz_ptr quotient, mpz_srcptr n, mpz_srcptr d)
{
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_qr(quotient, rest, n, d);
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, d);
    if (half > 0 || (half == 0 && mpz_odd_p(quotient))) {
        mpz_add_ui(quotient, quotient, 1);
    }
    mpz_clear(rest);
}

/* |number| rounded is d.ddd 10^exponent, with `digits` digits written to `text`. */
static long significant_digits(mpq_srcptr number, int digits, char text[DIGITS_MAX + 2])
{
    mpz_t n, d, power, quotient;
    mpz_inits(n, d, power, quotient, NULL);
    /* A power of ten has a size that mpz_sizeinbase may tell one too large: the exponent is found
     * from below. */
    long exponent = (long)mpz_sizeinbase(mpq_numref(number), 10) -
                    (long)mpz_sizeinbase(mpq_denref(number), 10) - 2;
    for (;; exponent++) {
        long shift = digits - 1 - exponent;
        mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
        mpz_abs(n, mpq_numref(number));
        mpz_set(d, mpq_denref(number));
        mpz_mul(shift > 0 ? n : d, shift > 0 ? n : d, power);
        divide_nearest(quotient, n, d);
        mpz_ui_pow_ui(power, 10, (unsigned long)digits);
        if (mpz_cmp(quotient, power) < 0) {
            break;
        }
    }
    mpz_get_str(text, 10, quotient);
    mpz_clears(n, d, power, quotient, NULL);
    return exponent;
}

void decimal_text(mpq_srcptr number, int digits, char text[DECIMAL_TEXT])
{
    if (mpq_sgn(number) == 0) {
        snprintf(text, DECIMAL_TEXT, "0");
        return;
    }
    char all[DIGITS_MAX + 2];
    long exponent = significant_digits(number, digits, all);
    int used = digits;
    while (used > 1 && all[used - 1] == '0') {
        used--;
    }
    text += sprintf(text, "%s", mpq_sgn(number) < 0 ? "-" : "");
    if (exponent < -4 || exponent >= digits) {
        sprintf(text, "%c%s%.*se%+03ld", all[0], used > 1 ? "." : "", used - 1, all + 1, exponent);
    } else if (exponent < 0) {
        sprintf(text, "0.%.*s%.*s", (int)(-exponent - 1), "000", used, all);
    } else if (used <= exponent + 1) {
        sprintf(text, "%.*s", (int)exponent + 1, all);
    } else {
        sprintf(text, "%.*s.%.*s", (int)exponent + 1, all, used - (int)exponent - 1,
                all + exponent + 1);
    }
}
