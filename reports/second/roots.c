#include "roots.h"

#include <arb_fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

void roots_init(struct roots *roots)
{
    roots->count = 0;
    for (size_t i = 0; i < ROOTS_MOST; i++) {
        arb_init(roots->root[i]);
    }
}

void roots_clear(struct roots *roots)
{
    for (size_t i = 0; i < ROOTS_MOST; i++) {
        arb_clear(roots->root[i]);
    }
}

static void add(struct roots *roots, const arb_t root, unsigned multiplicity)
{
    size_t i = roots->count++;
    for (; i > 0 && arf_cmp(arb_midref(root), arb_midref(roots->root[i - 1])) < 0; i--) {
        arb_set(roots->root[i], roots->root[i - 1]);
        roots->multiplicity[i] = roots->multiplicity[i - 1];
    }
    arb_set(roots->root[i], root);
    roots->multiplicity[i] = multiplicity;
}

/* The real ones of a polynomial without repeated roots; Arb tells exactly which are real. */
static void add_simple(struct roots *roots, const fmpz_poly_t factor, unsigned multiplicity,
                       slong precision)
{
    slong degree = fmpz_poly_degree(factor);
    if (degree < 1) {
        return;
    }
    acb_ptr all = _acb_vec_init(degree);
    arb_fmpz_poly_complex_roots(all, factor, 0, precision);
    for (slong i = 0; i < degree; i++) {
        if (acb_is_real(all + i)) {
            add(roots, acb_realref(all + i), multiplicity);
        }
    }
    _acb_vec_clear(all, degree);
}

static bool apart(const struct roots *roots)
{
    for (size_t i = 1; i < roots->count; i++) {
        if (arb_overlaps(roots->root[i - 1], roots->root[i])) {
            return false;
        }
    }
    return true;
}

void roots_find(struct roots *roots, const fmpz_poly_t polynomial, slong precision)
{
    fmpz_poly_factor_t factors;
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor_squarefree(factors, polynomial);
    do {
        roots->count = 0;
        for (slong i = 0; i < factors->num; i++) {
            add_simple(roots, factors->p + i, (unsigned)factors->exp[i], precision);
        }
        precision *= 2;
    } while (!apart(roots));
    fmpz_poly_factor_clear(factors);
}
