#include "decimal.h"

#include <string.h>

enum { DIGITS = 40, LEAST_FIXED_EXPONENT = -12, BUFFER = DIGITS + 8 };

/* sign d.ddd 10^exponent, without trailing zeros */
struct decimal {
    bool negative;
    char digits[BUFFER];
    int count;
    long exponent;
};

static struct decimal convert(mpfr_srcptr number)
{
    struct decimal decimal = {.negative = mpfr_signbit(number) != 0, .digits = "0", .count = 1};
    if (mpfr_zero_p(number)) {
        return decimal;
    }
    char text[BUFFER];
    mpfr_exp_t exponent;
    mpfr_get_str(text, &exponent, 10, DIGITS, number, MPFR_RNDN);
    memcpy(decimal.digits, text + decimal.negative, DIGITS + 1);
    decimal.exponent = exponent - 1; /* MPFR puts the point before the first digit */
    decimal.count = DIGITS;
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0') {
        decimal.digits[--decimal.count] = '\0';
    }
    return decimal;
}

static bool same(const struct decimal *x, const struct decimal *y)
{
    return x->negative == y->negative && x->exponent == y->exponent &&
           strcmp(x->digits, y->digits) == 0;
}

static void write_zeros(long count, FILE *stream)
{
    while (count-- > 0) {
        fputc('0', stream);
    }
}

static void write_fixed(const struct decimal *decimal, FILE *stream)
{
    int before = decimal->exponent < 0 ? 0 : (int)decimal->exponent + 1;
    int from_digits = before < decimal->count ? before : decimal->count;
    if (before == 0) {
        fputs("0.", stream);
        write_zeros(-decimal->exponent - 1, stream);
    } else {
        fprintf(stream, "%.*s", from_digits, decimal->digits);
        write_zeros(before - from_digits, stream);
        fputc('.', stream);
    }
    fputs(from_digits < decimal->count ? decimal->digits + from_digits : "0", stream);
}

static void write(const struct decimal *decimal, FILE *stream)
{
    if (decimal->negative) {
        fputc('-', stream);
    }
    if (LEAST_FIXED_EXPONENT <= decimal->exponent && decimal->exponent < DIGITS) {
        write_fixed(decimal, stream);
    } else {
        fprintf(stream, "%c.%se%+ld", decimal->digits[0],
                decimal->count > 1 ? decimal->digits + 1 : "0", decimal->exponent);
    }
}

bool decimal_settled(mpfi_srcptr interval)
{
    if (mpfi_is_zero(interval) > 0 || mpfi_nan_p(interval)) {
        return true;
    }
    if (mpfi_inf_p(interval)) {
        return mpfr_equal_p(&interval->left, &interval->right) != 0;
    }
    if (mpfi_has_zero(interval)) {
        return false;
    }
    struct decimal low = convert(&interval->left);
    struct decimal high = convert(&interval->right);
    return same(&low, &high);
}

bool decimal_write(mpfi_srcptr interval, FILE *stream)
{
    if (!decimal_settled(interval)) {
        return false;
    }
    if (mpfi_is_zero(interval) > 0) {
        fputs("0.0", stream);
    } else {
        decimal_write_number(&interval->left, stream);
    }
    return true;
}

void decimal_write_number(mpfr_srcptr number, FILE *stream)
{
    if (mpfr_nan_p(number)) {
        fputs("nan", stream);
    } else if (mpfr_inf_p(number)) {
        fputs(mpfr_sgn(number) > 0 ? "inf" : "-inf", stream);
    } else {
        struct decimal decimal = convert(number);
        write(&decimal, stream);
    }
}

void decimal_write_whole(mpfr_srcptr number, FILE *stream)
{
    mpfr_fprintf(stream, "%.0Rf", number);
}
