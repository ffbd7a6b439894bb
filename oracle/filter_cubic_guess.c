/* Where to look for the roots of a cubic: in plain double, by any means. What comes of it is
 * certified elsewhere, or left to the ladder. */
#include "filter_cubic.h"

/* Keeps them rising. */
static void guesses_add(struct guesses *guesses, double z, int exponent)
{
    int shift = 0;
    struct guess guess = {.z = frexp(z, &shift)};
    guess.exponent = exponent + shift;
    int i = guesses->count++;
    for (; i > 0; i--) {
        const struct guess *other = &guesses->guess[i - 1];
        bool same_sign = (other->z < 0) == (guess.z < 0);
        bool farther = other->exponent == guess.exponent ? fabs(other->z) > fabs(guess.z)
                                                         : other->exponent > guess.exponent;
        if (same_sign ? farther == (guess.z < 0) : other->z < 0) {
            break;
        }
        guesses->guess[i] = *other;
    }
    guesses->guess[i] = guess;
}

/* Those of a x^2 + b x + c, which are real but for rounding, from the center. */
static void guess_quadratic(double a, double b, double c, double center, int exponent,
                            struct guesses *guesses)
{
    struct dd square = dd_of_product(b, b), product = dd_of_product(4 * a, c);
    double discriminant = (square.high - product.high) + (square.low - product.low);
    double sum = -(b + copysign(sqrt(discriminant > 0 ? discriminant : 0), b));
    guesses_add(guesses, center + sum / (2 * a), exponent);
    guesses_add(guesses, center + 2 * c / sum, exponent);
}

/* p(x) and p'(x), and the quotient by x minus the root that x nearly is, a x^2 + b x + c. */
struct horner {
    double value, slope, b, c;
};

static struct horner horner(const double *q, double x)
{
    double b = q[0] * x + q[1];
    double c = b * x + q[2];
    return (struct horner){c * x + q[3], (q[0] * x + b) * x + c, b, c};
}

enum { GUESS_STEPS = 100 };

/* Newton's steps from where they rise or fall steadily to the outermost root, beyond the point of
 * inflection; W. Kahan, To solve a real cubic equation, 1986. The other two are what is left after
 * division by it, from the end that keeps the error small. */
static void guess_cubic(const double *q, double center, int exponent, bool all,
                        struct guesses *guesses)
{
    double x = -q[1] / q[0] / 3;
    struct horner at = horner(q, x);
    double side = at.value / q[0] < 0 ? -1 : 1, reach = cbrt(fabs(at.value / q[0]));
    if (-at.slope / q[0] > 0) {
        reach = 1.324718 * fmax(reach, sqrt(-at.slope / q[0]));
    }
    double next = x - side * reach;
    for (int i = 0; i < GUESS_STEPS; i++) {
        x = next;
        at = horner(q, x);
        next = x - at.value / at.slope;
        if (!(side * next > side * x)) {
            break;
        }
    }
    if (fabs(q[0] * x) * x * x > fabs(q[3])) {
        at.c = -q[3] / x;
        at.b = (at.c - q[2]) / x;
    }
    guesses_add(guesses, center + x, exponent);
    if (all) {
        guess_quadratic(q[0], at.b, at.c, center, exponent, guesses);
    }
}

/* Three roots that are close to each other are looked for from their middle, where their distances
 * are known much better than from 0. */
static void guess_around(const struct polynomial *p, const double *q, int exponent, bool all,
                         struct guesses *guesses)
{
    if (!(fabs(q[1] * q[1] - 3 * q[0] * q[2]) < 0x1p-8 * q[1] * q[1])) {
        guess_cubic(q, 0, exponent, all, guesses);
        return;
    }
    int shift = 0;
    double unit[COEFFICIENTS], middle = frexp(-q[1] / q[0] / 3, &shift);
    set_unit(p, exponent + shift, unit);
    struct shifted at = shift_to(unit, middle);
    const double local[COEFFICIENTS] = {at.c3, at.c2.high, at.c1.high, at.c0.high};
    guess_cubic(local, middle, exponent + shift, all, guesses);
}

/* The exponents of coefficients i and j as those of numbers that grow by a factor from one to the
 * next: what the roots between them are about. */
static int slope_between(const struct polynomial *p, int i, int j)
{
    return (p->exponent[j] - p->exponent[i]) / (j - i);
}

/* The largest root's exponent, roughly, of coefficients i to j. */
static int largest_exponent(const struct polynomial *p, int i, int j)
{
    int most = slope_between(p, i, i + 1);
    for (int k = i + 2; k <= j; k++) {
        most = slope_between(p, i, k) > most ? slope_between(p, i, k) : most;
    }
    return most;
}

static int smallest_exponent(const struct polynomial *p, int i, int j)
{
    int least = slope_between(p, j - 1, j);
    for (int k = j - 2; k >= i; k--) {
        least = slope_between(p, k, j) < least ? slope_between(p, k, j) : least;
    }
    return least;
}

/* Of coefficients i to j alone. `all`: two roots more than one or none. */
static void guess_part(const struct polynomial *p, int i, int j, bool all, struct guesses *guesses)
{
    int exponent = largest_exponent(p, i, j);
    double q[COEFFICIENTS] = {0};
    for (int k = i; k <= j; k++) {
        int shift = p->exponent[k] - p->exponent[i] - exponent * (k - i);
        q[k - i] = shift < -1000 ? 0 : p->mantissa[k] * power_of_two(shift);
    }
    if (j - i == 3) {
        guess_around(p, q, exponent, all, guesses);
    } else if (j - i == 2 && all) {
        guess_quadratic(q[0], q[1], q[2], 0, exponent, guesses);
    } else if (j - i == 1) {
        guesses_add(guesses, -q[1] / q[0], exponent);
    }
}

/* Roots so many binades apart do not matter to each other. */
enum { APART = 300 };

void filter_cubic_guess(const struct polynomial *p, bool all, struct guesses *guesses)
{
    int first = polynomial_lead(p);
    guesses->count = 0;
    for (int k = first + 1; k < DEGREE_MAX; k++) {
        if (smallest_exponent(p, first, k) - largest_exponent(p, k, DEGREE_MAX) > APART) {
            guess_part(p, first, k, all, guesses);
            first = k;
        }
    }
    guess_part(p, first, DEGREE_MAX, all, guesses);
}
