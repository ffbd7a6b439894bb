/* What `truelerp report` and `truelerp merge` share. */
#ifndef TRUELERP_REPORTS_REPORT_H
#define TRUELERP_REPORTS_REPORT_H

#include "program.h"
#include "render.h"

/* The largest number that --samples takes. */
static const uint64_t REPORT_SAMPLES_MAX = 1000000000000000;

/* How many parts the sweep of a report may have. */
size_t report_parts_most(void);

/* Sets parts[0 ..] to the domains of function `number` of a sweep, with their shares of the
 * samples, and its stored cases behind them, and returns how many they are. */
size_t report_drawn_parts(struct sweep_part *parts, const struct function *function, size_t number,
                          uint64_t samples);

/* "2026-01-31T12:00:00Z" */
enum { DATE_TEXT = 32 };

/* Writes accuracy.json, .md and .html into a directory, all three or none; says what is wrong. */
bool report_write(const struct report *report, const char *directory);

/* Whether none of these would take the place of a file that is read, which messages call so; says
 * so if one would. The path may be NULL. */
bool report_spares(const char *directory, const char *called, const char *path);

/* What the program ends with. */
enum exit_code report_verdict(const struct report *report);

/* The summary on standard output. */
void report_conclude(const struct report *report, const char *directory);

#endif
