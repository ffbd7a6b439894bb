/* Who gets the next slice of time, and how long it is. */
#include "campaign.h"

#include <math.h>
#include <unistd.h>

enum { FIRST_SLICE = 10, LONGEST_SLICE = 300, ROUNDS = 4, FAILURES_TRIED = 5 };

static double slice_length(const struct campaign *campaign, const struct target *target)
{
    const struct options *options = &campaign->options;
    double fair = options->seconds * options->jobs / (double)campaign->target_count / ROUNDS;
    double grown = ldexp(FIRST_SLICE, target->started < 5 ? (int)target->started : 5);
    double left = options->seconds - campaign_seconds(campaign);
    double slice = fmin(fmin(grown, LONGEST_SLICE), fmax(fair, 1));
    return floor(fmin(slice, left));
}

static bool may_run(const struct target *target)
{
    return target->status == TARGET_READY && !target->merging;
}

static struct target *next_target(const struct campaign *campaign)
{
    struct target *next = NULL;
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        if (may_run(target) && (!next || target->running < next->running ||
                                (target->running == next->running && target->pass < next->pass))) {
            next = target;
        }
    }
    return next;
}

/* A corpus that has become several times as large as it need be makes each start slower. */
static struct target *next_merge(const struct campaign *campaign, bool last)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        bool large = target->corpus_files > 500 + 3 * target->merged_files ||
                     (last && target->corpus_files > target->merged_files);
        if (target->running == 0 && !target->merging &&
            (target->status == TARGET_UNCLEAN || (large && target->status == TARGET_READY))) {
            return target;
        }
    }
    return NULL;
}

/* Of each thing that is wrong, one case. Those of earlier sessions are run again first. */
static bool wants_telling(const struct campaign *campaign, const struct failure *finding)
{
    const struct target *target = &campaign->targets[finding->target];
    char replay[PATH_MAX + 16];
    snprintf(replay, sizeof replay, "%s_replay", target->binary);
    if (!target->function || !*finding->path || finding->table || finding->command ||
        finding->running || finding->told || finding->state == FAILURE_GONE ||
        (finding->earlier && finding->state == FAILURE_NEW) || access(replay, X_OK) != 0) {
        return false;
    }
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *other = &campaign->findings[i];
        if (failure_alike(finding, other) && (other->command || other->told)) {
            return false;
        }
    }
    return true;
}

static bool pick_tell(struct campaign *campaign, struct job *job)
{
    for (size_t i = 0; i < campaign->finding_count; i++) {
        if (wants_telling(campaign, &campaign->findings[i])) {
            return work_tell(campaign, job, &campaign->findings[i]);
        }
    }
    return false;
}

bool pick_fuzz(struct campaign *campaign, struct job *job)
{
    if (campaign->end != END_RUNNING) {
        return false;
    }
    if (pick_tell(campaign, job)) {
        return true;
    }
    struct target *unmerged = next_merge(campaign, false);
    if (unmerged) {
        return work_merge(campaign, job, unmerged);
    }
    struct target *target = next_target(campaign);
    double slice = target ? slice_length(campaign, target) : 0;
    return slice >= 1 && work_fuzz(campaign, job, target, slice);
}

/* Enough of the same thing fail again: what more there are will do so as well. Of an input that a
 * merge came upon, it is not known yet what it does. */
static bool known_to_fail(const struct campaign *campaign, const struct failure *finding)
{
    unsigned fail = 0;
    for (size_t i = 0; i < campaign->finding_count; i++) {
        const struct failure *other = &campaign->findings[i];
        fail += failure_alike(other, finding) && other->state == FAILURE_FAILS;
    }
    return *finding->what && fail >= FAILURES_TRIED;
}

bool pick_again(struct campaign *campaign, struct job *job)
{
    for (size_t i = 0; i < campaign->finding_count; i++) {
        struct failure *finding = &campaign->findings[i];
        if (finding->state == FAILURE_NEW && *finding->path && !finding->running &&
            !known_to_fail(campaign, finding)) {
            return work_again(campaign, job, finding);
        }
    }
    return pick_tell(campaign, job);
}

bool pick_merge(struct campaign *campaign, struct job *job)
{
    struct target *target = next_merge(campaign, true);
    return target && work_merge(campaign, job, target);
}

bool pick_coverage(struct campaign *campaign, struct job *job)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct target *target = &campaign->targets[i];
        if (!target->coverage_tried && coverage_wanted(campaign, target)) {
            target->coverage_tried = true;
            return work_coverage(campaign, job, target);
        }
    }
    return false;
}
