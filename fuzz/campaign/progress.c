/* What targets leave behind of a slice that was cut short: how much they had judged, and the case
 * that they were trying. Whether the target died, hung, was interrupted, or the campaign was killed
 * with it, their file tells (../progress.h). */
#include "campaign.h"

#include "../encode.h"

#include "../../corpus/checksum.h"
#include "../../reports/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *progress_path(const struct campaign *campaign, const struct job *job)
{
    return store_path(campaign, "progress/%s.%u", campaign->targets[job->target].name,
                      (unsigned)(job - campaign->jobs));
}

void progress_forget(const struct campaign *campaign, const struct job *job)
{
    char *path = progress_path(campaign, job);
    unlink(path);
    free(path);
}

static bool read_progress(const char *path, struct progress *progress, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool whole = file >= 0 && read(file, progress, size) == (ssize_t)size &&
                 progress->magic == PROGRESS_MAGIC;
    if (file >= 0) {
        close(file);
    }
    return whole;
}

static struct largest largest_of(const struct target *target, const struct progress *progress)
{
    struct largest largest = {.told = target->function && progress->share > 0,
                              .error = progress->error,
                              .share = progress->share};
    if (largest.told) {
        snprintf(largest.unit, sizeof largest.unit, "%s",
                 function_in_ulps(target->function) ? "ulp" : "u S");
    }
    return largest;
}

void progress_take(const struct campaign *campaign, struct job *job)
{
    const struct target *target = &campaign->targets[job->target];
    struct progress progress;
    char *path = progress_path(campaign, job);
    if (read_progress(path, &progress, sizeof progress)) {
        struct largest largest = largest_of(target, &progress);
        job->runs = progress.runs > job->runs ? progress.runs : job->runs;
        job->judged = progress.judged > job->judged ? progress.judged : job->judged;
        job->executions = job->runs > job->executions ? job->runs : job->executions;
        job->error = largest.told && !job->error.told ? largest : job->error;
    }
    free(path);
}

/* What the engine would call the input. */
static const char *kind_prefix(const struct job *job)
{
    const char *slash = strrchr(job->artifact, '/');
    const char *name = slash ? slash + 1 : job->artifact;
    bool killed = WIFSIGNALED(job->status) && WTERMSIG(job->status) == SIGKILL;
    if (job->overdue || strncmp(name, "timeout-", 8) == 0) {
        return "timeout";
    }
    return strncmp(name, "oom-", 4) == 0 || (killed && !*name) ? "oom" : "crash";
}

static bool write_input(const char *path, const uint8_t *data, size_t size)
{
    FILE *stream = fopen(path, "w");
    bool written = stream && fwrite(data, 1, size, stream) == size;
    return stream && fclose(stream) == 0 && written;
}

void progress_rescue(const struct campaign *campaign, struct job *job)
{
    static uint8_t data[sizeof(struct progress)];
    const struct target *target = &campaign->targets[job->target];
    struct progress progress;
    struct stat status;
    bool known = *job->artifact && stat(job->artifact, &status) == 0 && status.st_size > 0;
    char *path = progress_path(campaign, job);
    size_t size = 0;
    if (!known && target->function && read_progress(path, &progress, sizeof progress)) {
        size = progress_input(&progress, target->function, data, sizeof data);
    }
    free(path);
    if (size > 0) {
        /* the same input has the same name */
        path = store_path(campaign, "findings/%s/%s-%016" PRIx64, target->name, kind_prefix(job),
                          checksum_of_bytes(CHECKSUM_START, data, size));
        if (write_input(path, data, size)) {
            unlink(job->artifact); /* empty: within a mutator, the engine knows of no input */
            snprintf(job->artifact, sizeof job->artifact, "%s", path);
        }
        free(path);
    }
}

/* An engine sees a hang of its own runs within one and a half of its limit, but none within a
 * mutator. */
bool progress_stalled(const struct campaign *campaign, struct job *job)
{
    struct progress progress;
    char *path = progress_path(campaign, job);
    double now = process_time();
    if (read_progress(path, &progress, offsetof(struct progress, fields))) {
        uint64_t beat = progress.runs + progress.judged;
        job->beat_seen = beat != job->beat || job->beat_seen == 0 ? now : job->beat_seen;
        job->beat = beat;
    }
    free(path);
    return job->beat_seen > 0 && now - job->beat_seen > 2.0 * campaign->options.timeout + 10;
}

static void add_progress(struct target *target, const struct progress *progress)
{
    struct largest largest = largest_of(target, progress);
    target->runs += progress->runs;
    target->executions += progress->runs;
    target->judged += progress->judged;
    if (largest.told && (!target->error.told || largest.share > target->error.share)) {
        target->error = largest;
    }
}

void progress_add_running(struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        const struct job *job = &campaign->jobs[i];
        char *path = progress_path(campaign, job);
        struct progress progress;
        if (job->kind == JOB_FUZZ && read_progress(path, &progress, sizeof progress)) {
            add_progress(&campaign->targets[job->target], &progress);
            campaign->targets[job->target].seconds += process_time() - job->start;
        }
        free(path);
    }
}

void progress_recover(struct campaign *campaign, bool count)
{
    struct dirent **entries;
    char *folder = store_path(campaign, "progress");
    int files = scandir(folder, &entries, NULL, NULL);
    for (int i = 0; i < files; i++) {
        const char *dot = strchr(entries[i]->d_name, '.');
        char *path = store_path(campaign, "progress/%s", entries[i]->d_name);
        struct progress progress;
        for (size_t k = 0; count && dot > entries[i]->d_name && k < campaign->target_count; k++) {
            const char *name = campaign->targets[k].name;
            size_t length = (size_t)(dot - entries[i]->d_name);
            if (strncmp(entries[i]->d_name, name, length) == 0 && name[length] == '\0' &&
                read_progress(path, &progress, sizeof progress)) {
                add_progress(&campaign->targets[k], &progress);
            }
        }
        /* counted once at most: better too few than some twice */
        unlink(path);
        free(path);
        free(entries[i]);
    }
    if (files >= 0) {
        free(entries);
    }
    free(folder);
}
