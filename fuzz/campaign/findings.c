/* What was found, and what it is called. */
#include "campaign.h"

#include <stdlib.h>
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

bool failure_known(const struct campaign *campaign, const struct failure *failure)
{
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *finding = &campaign->findings[i];
        if (finding->target == failure->target && strcmp(finding->path, failure->path) == 0 &&
            (*failure->path || finding->kind == failure->kind)) {
            return true;
        }
    }
    return false;
}

/* NULL: it is known already, or there are too many. */
struct failure *failure_add(struct campaign *campaign, const struct target *target,
                            enum failure_kind kind, const char *path, const char *what)
{
    struct failure failure = {.target = (size_t)(target - campaign->targets), .kind = kind};
    snprintf(failure.path, sizeof failure.path, "%s", path);
    snprintf(failure.what, sizeof failure.what, "%s", what);
    if (failure_known(campaign, &failure)) {
        return NULL;
    }
    if (campaign->finding_count == FINDINGS_MOST) {
        campaign->findings_left_out++;
        return NULL;
    }
    struct failure *finding = &campaign->findings[campaign->finding_count++];
    *finding = failure;
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

size_t failure_alike_count(const struct campaign *campaign, const struct failure *finding)
{
    size_t alike = 0;
    for (size_t i = 0; i < campaign->finding_count; i++) {
        alike += failure_alike(&campaign->findings[i], finding);
    }
    return alike;
}

char *failure_known_kinds(const struct campaign *campaign, size_t target)
{
    char *kinds = NULL;
    size_t size;
    FILE *stream = open_memstream(&kinds, &size);
    const char *comma = "";
    for (enum failure_kind kind = KIND_VIOLATION; kind <= KIND_ENVIRONMENT; kind++) {
        struct failure known = {.target = target, .kind = kind};
        if (failure_alike_count(campaign, &known) >= ALIKE_ENOUGH) {
            fprintf(stream, "%s%s", comma, kind_name(kind));
            comma = ",";
        }
    }
    fclose(stream);
    return kinds;
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
