/* What the forms of the page share. */
#ifndef TRUELERP_FUZZ_CAMPAIGN_PAGE_H
#define TRUELERP_FUZZ_CAMPAIGN_PAGE_H

#include "campaign.h"

enum { SHORT_SIZE = 32 };

/* "12.3 M" */
const char *short_count(uint64_t count, char text[SHORT_SIZE]);
/* "2 h 05 min" */
const char *duration(double seconds, char text[SHORT_SIZE]);
/* "97 %", rounded down; "-" of nothing */
const char *share_of(uint64_t part, uint64_t whole, char text[SHORT_SIZE]);

/* One sentence: what came of the night. */
void headline(const struct campaign *campaign, char text[2 * TEXT_SIZE]);
/* Another one where it did not end as planned, else empty. */
void how_it_ended(const struct campaign *campaign, char text[2 * TEXT_SIZE]);
/* What else one should know; often empty. */
void notes(const struct campaign *campaign, char text[2 * TEXT_SIZE]);
/* "within", "2 findings", "not reached", "running", ... */
void target_verdict(const struct campaign *campaign, const struct target *target,
                    char text[TEXT_SIZE]);
/* Nothing speaks against it, and something was compared. */
bool target_good(const struct campaign *campaign, const struct target *target);
/* How surely it fails: "fails each time", ... */
const char *failure_steadiness(const struct failure *finding);
/* The findings as they are shown: by kind and target. Returns how many. */
size_t findings_in_order(const struct campaign *campaign, size_t order[FINDINGS_MOST]);
/* Whether it is the one that is shown of those alike, and how many others there are. */
bool failure_shown(const struct campaign *campaign, const struct failure *finding, size_t *more);
/* The command that judges the case of a finding that has one. */
void write_finding_command(FILE *stream, const struct campaign *campaign,
                           const struct failure *finding);
/* The case of a finding that has one, with decimal numbers, as far as it is short: "a = 0, b = 1".
 * Empty if there is none. */
void finding_case(const struct failure *finding, char text[TEXT_SIZE]);
/* The command that runs a target on the failing input. */
void write_input_command(FILE *stream, const struct campaign *campaign,
                         const struct failure *finding);
/* What the oracle compared, what parsers read, and both. */
uint64_t total_compared(const struct campaign *campaign);
uint64_t total_read(const struct campaign *campaign);
uint64_t total_judged(const struct campaign *campaign);
void write_total(FILE *stream, const struct campaign *campaign);
uint64_t total_executions(const struct campaign *campaign);
const char *end_name(enum campaign_end outcome);

struct json_object *page_json(const struct campaign *campaign);
void page_html(FILE *stream, const struct campaign *campaign, struct json_object *json);
void page_markdown(FILE *stream, const struct campaign *campaign);
void page_junit(FILE *stream, const struct campaign *campaign);

#endif
