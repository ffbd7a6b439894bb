/* What loads an implementation under test runs in a child: a constructor, a destructor or what the
 * object leaves to be done at exit could otherwise end this program with any exit code, 0 too. */
#ifndef TRUELERP_REPORTS_SHELTER_H
#define TRUELERP_REPORTS_SHELTER_H

#include "program.h"

/* From here on it is the child that goes on; the parent waits, passes signals on and ends with what
 * the child says in shelter_leave. A child that ends without a word is a finding, and so is one
 * that is watched for longer than the limit, in seconds. */
void shelter_take(const char *path, uint64_t time_limit);

/* To be watched while the object is loaded or unloaded: whether its constructors and destructors
 * return is up to it. */
void shelter_watch(bool watched);

/* Ends a child that shelter_take made, with this exit code and nothing of the implementation's
 * leftovers. Returns otherwise. */
void shelter_leave(int code);

#endif
