/* The implementation under test, behind one door: this file's twin is the only one that calls the
 * library, ours or another one. */
#ifndef TRUELERP_ORACLE_IMPLEMENTATION_H
#define TRUELERP_ORACLE_IMPLEMENTATION_H

#include "function.h"

#include <stdbool.h>

struct implementation;

/* The library of this tree, linked in. Never fails, is never closed. */
const struct implementation *implementation_builtin(void);

/* A shared object that exports some or all of truelerp.h's functions. Returns NULL on failure and
 * sets *message (to be freed) to what is wrong: not loadable, or no known function in it. */
struct implementation *implementation_open(const char *path, char **message);

/* What loading it did to the floating-point environment (which was put back), or NULL. Unless asked
 * for here, it is the first call's finding; it is told once. */
const char *implementation_load_finding(struct implementation *implementation);

/* From now on, a case is a single call: for whoever counts what a call costs. */
void implementation_call_once(struct implementation *implementation);

void implementation_close(struct implementation *implementation);

/* What a reader should see: "truelerp 0.1.0 (fma)" or the path as given. */
const char *implementation_name(const struct implementation *implementation);

bool implementation_has(const struct implementation *implementation,
                        const struct function *function);

/* Calls it. Returns NULL, or a finding in one line, good until the thread's next call: a call, of a
 * builder as well, changed the floating-point environment, cleared flags or set errno (all of which
 * is put back before the next one), wrote to its arguments or, of a foreign implementation, did
 * what implementation_examine looks for. `outputs` has the function's fields in any case; without a
 * call (see function_fault) they are NaN. */
const char *implementation_call(const struct implementation *implementation,
                                const struct function *function, const struct values *inputs,
                                struct values *outputs);

/* After a call that gave these outputs: calls it again in every other way that the header allows.
 * Returns NULL, or a finding: it gave another result where that took an argument's place, or for
 * the same arguments, or in its form for many times, or wrote to a table, a curve or its keys. */
const char *implementation_examine(const struct implementation *implementation,
                                   const struct function *function, const struct values *inputs,
                                   const struct values *outputs);

#endif
