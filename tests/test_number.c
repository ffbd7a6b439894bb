/* Numbers as text: reading rounds correctly and takes nothing else, writing is shortest and reads
 * back. */
#include "sample.h"
#include "suite.h"

#include "../corpus/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 100000, TEXT = 4096 };

static struct sample sample;

static bool read_text(const char *text, double *number)
{
    return number_read(text, strlen(text), number);
}

/* Patterns of all kinds: any bits, few bits, powers of two and neighbours, subnormal, decimal. */
static double draw_number(unsigned i)
{
    switch (i % 8) {
    case 0:
        return sample_wide(&sample, -1074, -1022);
    case 1: {
        double power = ldexp(1, (int)sample_below(&sample, 2098) - 1074);
        double step = sample_below(&sample, 2) ? INFINITY : 0;
        return sample_below(&sample, 2) ? power : nextafter(power, step);
    }
    case 2:
        return ldexp(sample_below(&sample, 1000), (int)sample_below(&sample, 2000) - 1040);
    case 3: {
        char text[TEXT];
        snprintf(text, sizeof text, "%ue%d", sample_below(&sample, 1000000),
                 (int)sample_below(&sample, 620) - 310);
        return strtod(text, NULL);
    }
    default:
        return sample_finite(&sample);
    }
}

static void what_is_written_reads_back(void)
{
    for (unsigned i = 0; i < SAMPLES; i++) {
        double number = draw_number(i);
        double back = NAN, back_hex = NAN;
        char text[NUMBER_TEXT], hex[NUMBER_TEXT];
        number_write(number, text);
        number_write_hex(number, hex);
        bool both = read_text(text, &back) && read_text(hex, &back_hex);
        suite_check(both && same_double(back, number) && same_double(back_hex, number),
                    "%a is written as %s and %s", number, text, hex);
        suite_check(same_double(strtod(text, NULL), number) &&
                        same_double(strtod(hex, NULL), number),
                    "strtod reads %s and %s otherwise", text, hex);
        suite_check(strpbrk(text, ".en") != NULL, "%s looks like an integer", text);
    }
}

/* The decimal of `count` digits next to x > 0, above or below, as text for strtod. */
static void decimal_beside(double x, size_t count, mpfr_rnd_t side, char text[TEXT])
{
    mpfr_t exact;
    mpfr_exp_t exponent;
    mpfr_init2(exact, DBL_MANT_DIG);
    mpfr_set_d(exact, x, MPFR_RNDN);
    char *digits = mpfr_get_str(NULL, &exponent, 10, count, exact, side);
    snprintf(text, TEXT, "0.%se%ld", digits, (long)exponent);
    mpfr_free_str(digits);
    mpfr_clear(exact);
}

static size_t significant_digits(const char *text)
{
    char digits[NUMBER_TEXT];
    size_t count = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
    }
    return count;
}

/* All decimals that read back as x lie in one interval that holds x, so if there is one of n
 * digits, one of the two next to x is. mpfr_get_str needs at least two digits to give. */
static bool has_decimal(double x, size_t count)
{
    char above[TEXT], below[TEXT];
    if (count >= 2) {
        decimal_beside(x, count, MPFR_RNDU, above);
        decimal_beside(x, count, MPFR_RNDD, below);
        return strtod(above, NULL) == x || strtod(below, NULL) == x;
    }
    for (int digit = 1; digit <= 9; digit++) {
        for (int exponent = -325; exponent <= 308; exponent++) {
            snprintf(above, sizeof above, "%de%d", digit, exponent);
            if (strtod(above, NULL) == x) {
                return true;
            }
        }
    }
    return false;
}

static void check_shortest(double number)
{
    char text[NUMBER_TEXT];
    number_write(number, text);
    double x = fabs(number);
    size_t count = significant_digits(text);
    if (x == 0 || isinf(x)) {
        return;
    }
    suite_check(count >= 1 && count <= DBL_DECIMAL_DIG, "%a is written as %s", number, text);
    if (count <= 1) {
        return;
    }
    suite_check(!has_decimal(x, count - 1), "%s has more digits than needed", text);

    /* and of those with as many digits, it is the nearest that reads back */
    char nearest[TEXT];
    decimal_beside(x, count, MPFR_RNDN, nearest);
    if (strtod(nearest, NULL) != x) {
        decimal_beside(x, count, MPFR_RNDU, nearest);
    }
    mpfr_t written, wanted;
    mpfr_inits2(200, written, wanted, (mpfr_ptr)0);
    mpfr_set_str(written, text, 10, MPFR_RNDN);
    mpfr_abs(written, written, MPFR_RNDN);
    mpfr_set_str(wanted, nearest, 10, MPFR_RNDN);
    suite_check(mpfr_equal_p(written, wanted) != 0, "%s is written where %s is nearest", text,
                nearest);
    mpfr_clears(written, wanted, (mpfr_ptr)0);
}

static void nothing_shorter_reads_back(void)
{
    for (unsigned i = 0; i < SAMPLES / 4; i++) {
        check_shortest(draw_number(i));
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_shortest(power);
        check_shortest(nextafter(power, 0));
        check_shortest(nextafter(power, INFINITY));
    }
    for (int units = 1; units < 2000; units++) {
        check_shortest(units * 0x1p-1074);
    }
}

static void numbers_are_written_in_this_form(void)
{
    static const struct {
        double number;
        const char *text, *hex;
    } cases[] = {
        {0.0, "0.0", "0x0p+0"},
        {-0.0, "-0.0", "-0x0p+0"},
        {1, "1.0", "0x1p+0"},
        {-1, "-1.0", "-0x1p+0"},
        {0.1, "0.1", "0x1.999999999999ap-4"},
        {100, "100.0", "0x1.9p+6"},
        {0.0001, "0.0001", "0x1.a36e2eb1c432dp-14"},
        {0.00012, "0.00012", "0x1.f75104d551d69p-14"},
        {0.00001, "1e-05", "0x1.4f8b588e368f1p-17"},
        {1e-7, "1e-07", "0x1.ad7f29abcaf48p-24"},
        {1.25e-7, "1.25e-07", "0x1.0c6f7a0b5ed8dp-23"},
        {123456.789, "123456.789", "0x1.e240c9fbe76c9p+16"},
        {1e15, "1000000000000000.0", "0x1.c6bf52634p+49"},
        {1e16, "1e+16", "0x1.1c37937e08p+53"},
        {9007199254740993.0, "9007199254740992.0", "0x1p+53"},
        {12345678901234567890.0, "1.2345678901234567e+19", "0x1.56a95319d63e1p+63"},
        {1e100, "1e+100", "0x1.249ad2594c37dp+332"},
        {0x1p-44, "5.684341886080802e-14", "0x1p-44"}, /* the nearest of 16 digits ends in 1 */
        {9.5367431640625e-07, "9.5367431640625e-07", "0x1p-20"},
        {5e-324, "5e-324", "0x1p-1074"},
        {-1.5e-323, "-1.5e-323", "-0x1.8p-1073"},
        {2.225073858507201e-308, "2.225073858507201e-308", "0x1.ffffffffffffep-1023"},
        {DBL_MIN, "2.2250738585072014e-308", "0x1p-1022"},
        {-DBL_MAX, "-1.7976931348623157e+308", "-0x1.fffffffffffffp+1023"},
        {INFINITY, "inf", "inf"},
        {-INFINITY, "-inf", "-inf"},
        {NAN, "nan", "nan"},
        {-NAN, "nan", "nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[NUMBER_TEXT], hex[NUMBER_TEXT];
        number_write(cases[i].number, text);
        number_write_hex(cases[i].number, hex);
        suite_check(strcmp(text, cases[i].text) == 0, "%s is written as %s", cases[i].text, text);
        suite_check(strcmp(hex, cases[i].hex) == 0, "%s is written as %s", cases[i].hex, hex);
    }
}

static void these_are_numbers(void)
{
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"+0.", 0.0},
        {".0", 0.0},
        {"1", 1},
        {"+1", 1},
        {"-1.5", -1.5},
        {".5", 0.5},
        {"5.", 5},
        {"007", 7},
        {"1e5", 1e5},
        {"1E+5", 1e5},
        {"1.25e-05", 1.25e-5},
        {" 3", 3},
        {"3 ", 3},
        {" \t-3\t ", -3},
        {"0x1", 1},
        {"0X1P+0", 1},
        {"0x.8", 0.5},
        {"0x1.8p1", 3},
        {"-0xAbCdEf", -11259375},
        {"+0x0.0p5", 0.0},
        {"0x1.fffffffffffff8p-1", 1.0}, /* a tie, to even */
        {"0x1.fffffffffffff7ffffffffffffffffffffffffp-1", 0x1.fffffffffffffp-1},
        {"inf", INFINITY},
        {"+INF", INFINITY},
        {"-Infinity", -INFINITY},
        {"iNfInItY", INFINITY},
        {"nan", NAN},
        {"NaN", NAN},
        {"-nan", NAN},
        {"0e999999999999999999999999999999", 0.0},
        {"-0e-999999999999999999999999999999", -0.0},
        {"0x0.00p-99999999999999999999999999999", 0.0},
        {"1.7976931348623158e308", DBL_MAX},
        {"1.797693134862315807e308", DBL_MAX},
        {"0x1.fffffffffffff7ffffffp1023", DBL_MAX},
        {"2.4703282292062328e-324", 5e-324},
        {"0x1.0000000000000000000000000000000000000001p-1075", 5e-324},
        {"0x3p-1075", 1e-323},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number = 42;
        bool good = read_text(cases[i].text, &number);
        suite_check(good && same_double(number, cases[i].number), "\"%s\" is read as %a",
                    cases[i].text, number);
    }
}

/* They are set to what the standard says, and refused. */
static void these_are_out_of_range(void)
{
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"1e400", INFINITY},
        {"-1e400", -INFINITY},
        {" 1e999 ", INFINITY},
        {"1e-400", 0.0},
        {"-1e-400", -0.0},
        {"1e999999999999999999999999999999", INFINITY},
        {"1e-999999999999999999999999999999", 0.0},
        {"1e4294967297", INFINITY}, /* 2^32 + 1 */
        {"1e-4294967297", 0.0},
        {"1e18446744073709551617", INFINITY}, /* 2^64 + 1 */
        {"1e-18446744073709551617", 0.0},
        {"0x1p18446744073709551617", INFINITY},
        {"0x1p99999999999999999999999999999", INFINITY},
        {"-0x1p-99999999999999999999999999999", -0.0},
        {"1.797693134862315808e308", INFINITY},
        {"0x1.fffffffffffff8p1023", INFINITY}, /* a tie, to even */
        {"2.4703282292062327e-324", 0.0},
        {"0x1p-1075", 0.0}, /* a tie, to even */
        {"-0x.0000001p-2000", -0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number = 42, read = 42;
        enum number_status status = number_parse(cases[i].text, strlen(cases[i].text), &number);
        enum number_status wanted = isinf(cases[i].number) ? NUMBER_TOO_LARGE : NUMBER_TOO_SMALL;
        suite_check(status == wanted && same_double(number, cases[i].number),
                    "\"%s\" has status %d and is %a", cases[i].text, (int)status, number);
        suite_check(!read_text(cases[i].text, &read), "\"%s\" is read", cases[i].text);
    }
}

static void these_are_not(void)
{
    static const char *const cases[] = {
        "",        " ",       "+",       "-",      ".",      "+.",    "e5",       "1e",
        "1e+",     "1e1.5",   "1.2.3",   "--1",    "+-1",    "- 1",   "1 2",      "1,5",
        "1_000",   "1x",      "x1",      "0x",     "0x.",    "0xg",   "0x1p",     "0x1p+",
        "0x1pa",   "0x1 p1",  "0b1",     "1f",     "1.0f",   "1d0",   "1e5x",     "in",
        "infx",    "infinit", "nanx",    "nan()",  "nan(1)", "nan 1", "NULL",     "true",
        "\"1\"",   "1;2",     "\n1",     "1\n",    "1\r",    "\v1",   "1\f",      "0x1e+",
        "\u00a01", "\u0661",  "1\u2008", "\uff11", "1e5e5",  "1p5",   "0x1e5p5p", "inf inf",
        "-+inf",   "0x-1",    "1-",      "1+1",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number = 42;
        suite_check(!read_text(cases[i], &number), "\"%s\" is read as %a", cases[i], number);
    }
    double number = 42;
    CU_ASSERT_FALSE(number_read("1\0", 2, &number));
    CU_ASSERT_FALSE(number_read("1\0"
                                "2",
                                3, &number));
    CU_ASSERT_FALSE(number_read("\0"
                                "1",
                                2, &number));
    CU_ASSERT_FALSE(number_read("", 0, &number));
}

/* What lies beyond the given length is not looked at: the text needs no terminator. */
static void the_length_counts(void)
{
    double number = 0;
    CU_ASSERT_TRUE(number_read("12345", 2, &number));
    CU_ASSERT_EQUAL(number, 12);
    CU_ASSERT_TRUE(number_read("1.5e7", 3, &number));
    CU_ASSERT_EQUAL(number, 1.5);
    CU_ASSERT_TRUE(number_read("0x1p5", 3, &number));
    CU_ASSERT_EQUAL(number, 1);
    CU_ASSERT_TRUE(number_read("infinity", 3, &number));
    CU_ASSERT_EQUAL(number, INFINITY);
    CU_ASSERT_FALSE(number_read("1e5", 2, &number));
    char *exact = malloc(3); /* without a terminator, for the address sanitizer to see */
    exact[0] = '2';
    exact[1] = '.';
    exact[2] = '5';
    CU_ASSERT_TRUE(number_read(exact, 3, &number));
    CU_ASSERT_EQUAL(number, 2.5);
    free(exact);
}

/* The point halfway between x >= 0 and the next double, in all its digits, an integer times a power
 * of ten; and the integer below. */
static void halfway(double x, char digits[TEXT], char below[TEXT], long *exponent)
{
    int power = x < DBL_MIN ? -1074 : ilogb(x) - (DBL_MANT_DIG - 1);
    mpz_t integer, factor;
    mpz_inits(integer, factor, (mpz_ptr)0);
    mpz_set_d(integer, ldexp(x, -power));
    mpz_mul_2exp(integer, integer, 1); /* (2 n + 1) 2^(power - 1) */
    mpz_add_ui(integer, integer, 1);
    power--;
    if (power < 0) {
        mpz_ui_pow_ui(factor, 5, (unsigned long)-power); /* 2^-k = 5^k 10^-k */
    } else {
        mpz_ui_pow_ui(factor, 2, (unsigned long)power);
    }
    mpz_mul(integer, integer, factor);
    *exponent = power < 0 ? power : 0;
    gmp_snprintf(digits, TEXT, "%Zd", integer);
    mpz_sub_ui(integer, integer, 1);
    gmp_snprintf(below, TEXT, "%Zd", integer);
    mpz_clears(integer, factor, (mpz_ptr)0);
}

static void check_reads(const char *text, double wanted)
{
    double number = 42;
    enum number_status status = number_parse(text, strlen(text), &number);
    suite_check(status == (wanted == 0 ? NUMBER_TOO_SMALL : NUMBER_READ) &&
                    same_double(number, wanted),
                "%s is read as %a, not %a", text, number, wanted);
}

/* Up to 767 digits decide a tie, then zeros may follow, then something that tips it. */
static void halfway_points_go_to_even(void)
{
    static char digits[TEXT], below[TEXT], text[3 * TEXT];
    for (unsigned i = 0; i < 4000; i++) {
        double x = fabs(draw_number(i));
        double next = nextafter(x, INFINITY);
        if (isinf(next)) {
            continue;
        }
        long exponent;
        halfway(x, digits, below, &exponent);
        bool x_is_even = fmod(ldexp(x, x < DBL_MIN ? 1074 : DBL_MANT_DIG - 1 - ilogb(x)), 2) == 0;
        double even = x_is_even ? x : next;
        snprintf(text, sizeof text, "%se%ld", digits, exponent);
        check_reads(text, even);

        size_t length = strlen(digits); /* the point anywhere */
        size_t before = sample_below(&sample, (unsigned)length + 1);
        snprintf(text, sizeof text, "%.*s.%sE%+ld", (int)before, digits, digits + before,
                 exponent + (long)(length - before));
        check_reads(text, even);

        static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000";
        snprintf(text, sizeof text, "%s.%s%s%s%se%ld", digits, zeros, zeros, zeros, zeros,
                 exponent);
        check_reads(text, even);
        snprintf(text, sizeof text, "0.%s%se%ld", zeros, digits,
                 exponent + (long)(length + sizeof zeros - 1));
        check_reads(text, even);
        snprintf(text, sizeof text, "%s.%s%s%s%s%s%s%s%s%s%s%s%s%s%s1e%ld", digits, zeros, zeros,
                 zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros,
                 exponent);
        check_reads(text, next);
        snprintf(text, sizeof text, "%s.999e%ld", below, exponent);
        check_reads(text, x);
    }
}

/* What the comma of other countries must not change. */
static void check_in_this_locale(const char *name)
{
    double number = 0;
    char text[NUMBER_TEXT];
    suite_check(read_text("1234.5e-1", &number) && number == 123.45, "%s: read as %a", name,
                number);
    suite_check(read_text("0x1.8p+0", &number) && number == 1.5, "%s: read as %a", name, number);
    suite_check(!read_text("1,5", &number), "%s: a comma is read", name);
    number_write(123.45, text);
    suite_check(strcmp(text, "123.45") == 0, "%s: written as %s", name, text);
    number_write(1.25e-10, text);
    suite_check(strcmp(text, "1.25e-10") == 0, "%s: written as %s", name, text);
    number_write_hex(1.5, text);
    suite_check(strcmp(text, "0x1.8p+0") == 0, "%s: written as %s", name, text);
}

/* Makes a locale with a decimal comma current: one that is installed, or one compiled on the spot.
 * Returns its name, or NULL. */
static const char *set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "fr_FR.utf8",
                                        "de_DE",       "it_IT.UTF-8", "ru_RU.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0) {
            return names[i];
        }
    }
    char directory[] = "/tmp/locale.XXXXXX";
    char command[200];
    if (!mkdtemp(directory)) {
        return NULL;
    }
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             directory);
    bool compiled = system(command) == 0 && setenv("LOCPATH", directory, 1) == 0 &&
                    setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    bool removed = system(command) == 0;
    return compiled && removed ? "de_DE.UTF-8, compiled" : NULL;
}

static void the_locale_changes_nothing(void)
{
    check_in_this_locale("C");
    const char *name = set_comma_locale();
    if (name) {
        CU_ASSERT_STRING_EQUAL(localeconv()->decimal_point, ",");
        check_in_this_locale(name);
    } else {
        printf("(no locale with a decimal comma here) ");
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"what is written reads back", what_is_written_reads_back},
        {"nothing shorter reads back", nothing_shorter_reads_back},
        {"numbers are written in this form", numbers_are_written_in_this_form},
        {"these are numbers", these_are_numbers},
        {"these are out of range", these_are_out_of_range},
        {"these are not", these_are_not},
        {"the length counts", the_length_counts},
        {"halfway points go to even", halfway_points_go_to_even},
        {"the locale changes nothing", the_locale_changes_nothing},
    };
    return suite_run("number", tests, sizeof tests / sizeof *tests);
}
