/* What was found, and what it is called. */
#include "campaign.h"

#include <string.h>

const char *kind_name(enum failure_kind kind)
{
    static const char *const names[KIND_COUNT] = {
        [KIND_VIOLATION] = "violation",  [KIND_CLASS] = "class mismatch",
        [KIND_UNDECIDED] = "undecided",  [KIND_ENVIRONMENT] = "environment",
        [KIND_CRASH] = "crash",          [KIND_HANG] = "hang",
        [KIND_MEMORY] = "out of memory", [KIND_SILENT] = "nothing compared"};
    return names[kind];
}

/* By the name that libFuzzer gives the input, and the target's own words. */
enum failure_kind failure_kind_of(const char *path, const char *what)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strncmp(name, "timeout-", 8) == 0) {
        return KIND_HANG;
    }
    if (strncmp(name, "oom-", 4) == 0) {
        return KIND_MEMORY;
    }
    for (enum failure_kind kind = KIND_VIOLATION; kind <= KIND_ENVIRONMENT; kind++) {
        if (strncmp(what, kind_name(kind), strlen(kind_name(kind))) == 0) {
            return kind;
        }
    }
    return KIND_CRASH;
}

static bool known(const struct campaign *campaign, const struct target *target,
                  enum failure_kind kind, const char *path)
{
    size_t number = (size_t)(target - campaign->targets);
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *finding = &campaign->findings[i];
        if (finding->target == number && strcmp(finding->path, path) == 0 &&
            (*path || finding->kind == kind)) {
            return true;
        }
    }
    return false;
}

/* NULL: it is known already, or there are too many. */
struct failure *failure_add(struct campaign *campaign, const struct target *target,
                            enum failure_kind kind, const char *path, const char *what)
{
    if (known(campaign, target, kind, path)) {
        return NULL;
    }
    if (campaign->finding_count == FINDINGS_MOST) {
        campaign->findings_left_out++;
        return NULL;
    }
    struct failure *finding = &campaign->findings[campaign->finding_count++];
    *finding = (struct failure){.target = (size_t)(target - campaign->targets), .kind = kind};
    snprintf(finding->path, sizeof finding->path, "%s", path);
    snprintf(finding->what, sizeof finding->what, "%s", what);
    return finding;
}

bool failure_counts(const struct failure *finding)
{
    return finding->state != FAILURE_GONE;
}

bool failure_alike(const struct failure *one, const struct failure *other)
{
    return one->target == other->target && one->kind == other->kind && one->table == other->table &&
           strcmp(one->where, other->where) == 0 && failure_counts(one) == failure_counts(other);
}

size_t failure_distinct(const struct campaign *campaign, const struct target *target)
{
    size_t distinct = 0;
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *finding = &campaign->findings[i];
        bool first =
            failure_counts(finding) && (!target || &campaign->targets[finding->target] == target);
        for (size_t k = 0; first && k < i; k++) {
            first = !failure_alike(&campaign->findings[k], finding);
        }
        distinct += first;
    }
    return distinct;
}

size_t failure_total(const struct campaign *campaign, const struct target *target)
{
    size_t total = 0;
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *finding = &campaign->findings[i];
        if (failure_counts(finding) && (!target || &campaign->targets[finding->target] == target)) {
            total++;
        }
    }
    return total;
}

const char *failure_words(const struct failure *finding)
{
    const char *kind = kind_name(finding->kind);
    size_t length = strlen(kind);
    bool doubled = strncmp(finding->what, kind, length) == 0 &&
                   (strncmp(finding->what + length, ": ", 2) == 0 ||
                    strncmp(finding->what + length, "; ", 2) == 0);
    return finding->what + (doubled ? length + 2 : 0);
}
