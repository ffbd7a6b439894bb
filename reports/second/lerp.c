#include "answers.h"

#include <math.h>

enum { A, B, T, INPUTS };

/* F = a + t (b - a), S = |(1 - t) a| + |t b| */
void second_lerp(const struct values *inputs, struct second *second)
{
    const double *x = inputs->number;
    if (x[T] == 0 || x[T] == 1 || x[A] == x[B]) {
        give_numbers(second, &x[x[T] == 1 ? B : A], 1);
        if (x[T] != 0 && x[T] != 1) {
            second->given[0] = x[A];
        }
        return;
    }
    if (!finite_numbers(x, INPUTS)) {
        give_nan(second, 1);
        return;
    }
    mpq_t a, b, t, term;
    mpq_inits(a, b, t, term, NULL);
    mpq_set_d(a, x[A]);
    mpq_set_d(b, x[B]);
    mpq_set_d(t, x[T]);
    mpq_sub(term, b, a);
    mpq_mul(term, term, t);
    mpq_add(term, term, a);
    span_set_q(&second->value[0], term);

    mpq_set_si(term, 1, 1);
    mpq_sub(term, term, t);
    mpq_mul(a, a, term);
    mpq_mul(b, b, t);
    mpq_abs(a, a);
    mpq_abs(b, b);
    mpq_add(a, a, b);
    span_set_q(&second->scale[0], a);
    mpq_clears(a, b, t, term, NULL);
}
