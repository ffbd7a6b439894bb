/* The output folder: its lock, its state, its findings, and how large it may become. */
#include "campaign.h"

#include "../../reports/output.h"
#include "../../reports/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { RESERVE_BYTES = 1 << 20, LEAST_FREE_BYTES = 1 << 26 };

char *store_path(const struct campaign *campaign, const char *format, ...)
{
    char *below = NULL, *path = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&below, format, arguments) < 0 ||
        asprintf(&path, "%s/%s", campaign->options.out, below) < 0) {
        abort();
    }
    va_end(arguments);
    free(below);
    return path;
}

/* Removing and counting. */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

void store_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static uint64_t counted_files, counted_bytes;

static int count_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)path;
    (void)at;
    if (kind == FTW_F) {
        counted_files++;
        counted_bytes += (uint64_t)status->st_blocks * 512;
    }
    return 0;
}

uint64_t store_count(const char *folder, uint64_t *bytes)
{
    counted_files = counted_bytes = 0;
    nftw(folder, count_entry, 16, FTW_PHYS);
    if (bytes) {
        *bytes = counted_bytes;
    }
    return counted_files;
}

static void end_early(struct campaign *campaign, const char *format, unsigned long long megabytes)
{
    if (campaign->end == END_RUNNING) {
        campaign->end = END_ENDED;
        snprintf(campaign->reason, sizeof campaign->reason, format, megabytes);
        campaign->code = exit_worse(campaign->code, EXIT_UNTRUSTED);
        campaign_say(campaign, "%s", campaign->reason);
    }
}

void store_measure(struct campaign *campaign)
{
    store_count(campaign->options.out, &campaign->out_bytes);
    if (campaign->out_bytes > campaign->out_most) {
        campaign->out_most = campaign->out_bytes;
    }
}

/* A target writes its inputs without looking whether that worked, so fuzzing ends before the disk
 * is full; what then still goes wrong finds the reserve. */
void store_check_disk(struct campaign *campaign)
{
    struct statvfs disk;
    store_measure(campaign);
    if (campaign->out_bytes >> 20 >= campaign->options.disk) {
        end_early(campaign, "the output folder has reached %llu MB (--disk)",
                  (unsigned long long)campaign->options.disk);
    }
    if (statvfs(campaign->options.out, &disk) == 0) {
        uint64_t least = (uint64_t)disk.f_blocks * disk.f_frsize / 8;
        least = least < LEAST_FREE_BYTES ? least : LEAST_FREE_BYTES;
        if ((uint64_t)disk.f_bavail * disk.f_frsize < least) {
            end_early(campaign, "the disk is full: less than %llu MB are free",
                      (unsigned long long)(least >> 20) + 1);
        }
    }
}

/* The corpus is replaced by the merged one. Whenever this ends in the middle, store_open finds
 * which of the two is whole. */
bool store_swap_merged(const struct campaign *campaign, const struct target *target)
{
    char *now = store_path(campaign, "corpus/%s", target->name);
    char *before = store_path(campaign, "before/%s", target->name);
    char *merged = store_path(campaign, "merged/%s", target->name);
    bool done = rename(now, before) == 0 && rename(merged, now) == 0;
    if (done) {
        store_remove(before);
    } else {
        rename(before, now);
    }
    free(now);
    free(before);
    free(merged);
    return done;
}

/* State. */

/* With the slices that are going on, as far as they are: should this be the last that is stored, so
 * much of them was done. Their cases are in their own files. */
static void add_running_time(const struct campaign *campaign, const struct target *target,
                             double *seconds, double *pass)
{
    *seconds = target->seconds;
    *pass = target->pass;
    for (unsigned i = 0; i < campaign->options.jobs; i++) {
        const struct job *job = &campaign->jobs[i];
        if (job->kind == JOB_FUZZ && &campaign->targets[job->target] == target) {
            double elapsed = process_time() - job->start;
            *seconds += elapsed;
            *pass += (elapsed - job->slice) / job->weight;
        }
    }
}

static struct json_object *target_state(const struct campaign *campaign,
                                        const struct target *target)
{
    double seconds, pass;
    struct json_object *state = json_object_new_object();
    add_running_time(campaign, target, &seconds, &pass);
    json_add(state, "name", json_text(target->name));
    json_add(state, "executions", json_count(target->executions));
    json_add(state, "runs", json_count(target->runs));
    json_add(state, "judged", json_count(target->judged));
    json_add(state, "seconds", json_number(seconds));
    json_add(state, "slices", json_count(target->slices));
    json_add(state, "started", json_count(target->started));
    json_add(state, "features", json_count(target->features));
    json_add(state, "edges", json_count(target->edges));
    if (target->error.told) {
        json_add(state, "error", json_number(target->error.error));
        json_add(state, "share", json_number(target->error.share));
        json_add(state, "unit", json_text(target->error.unit));
    }
    json_add(state, "pass", json_number(pass));
    json_add(state, "weight", json_number(target->weight));
    json_add(state, "merged_files", json_count(target->merged_files));
    json_add(state, "repeats", json_count(target->repeats));
    json_add(state, "repeat_seconds", json_number(target->repeat_seconds));
    json_add(state, "alike", json_count(target->alike));
    return state;
}

void store_save(struct campaign *campaign)
{
    struct json_object *state = json_object_new_object();
    struct json_object *targets = json_object_new_array();
    char *path = store_path(campaign, "state.json");
    struct output output;
    for (size_t i = 0; i < campaign->target_count; i++) {
        json_object_array_add(targets, target_state(campaign, &campaign->targets[i]));
    }
    json_add(state, "date", json_text(campaign->date));
    json_add(state, "sessions", json_count(campaign->sessions));
    json_add(state, "elapsed", json_number(campaign_seconds(campaign)));
    json_add(state, "output_bytes_most", json_count(campaign->out_most));
    json_add(state, "memory_kilobytes_most", json_count(campaign->memory_most));
    json_add(state, "finished", json_object_new_boolean(campaign->end == END_FINISHED));
    json_add(state, "implementation",
             json_text(campaign->options.implementation ? campaign->options.implementation : ""));
    json_add(state, "targets", targets);
    if (output_open(&output, path)) {
        json_write(output.stream, state, true);
        if (output_finish(&output)) {
            output_publish(&output);
        }
    }
    free(path);
    json_object_put(state);
}

static struct json_object *member(struct json_object *state, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(state, key, &value);
    return value;
}

static uint64_t count_of(struct json_object *state, const char *key)
{
    return json_object_get_uint64(member(state, key));
}

static double number_of(struct json_object *state, const char *key)
{
    return json_object_get_double(member(state, key));
}

static const char *text_of(struct json_object *state, const char *key)
{
    const char *text = json_object_get_string(member(state, key));
    return text ? text : "";
}

static void load_target(struct target *target, struct json_object *state)
{
    target->executions = count_of(state, "executions");
    target->runs = count_of(state, "runs");
    target->judged = count_of(state, "judged");
    target->seconds = number_of(state, "seconds");
    target->slices = (unsigned)count_of(state, "slices");
    target->started = (unsigned)count_of(state, "started");
    target->features = count_of(state, "features");
    target->edges = count_of(state, "edges");
    target->error.told = member(state, "error") != NULL;
    target->error.error = number_of(state, "error");
    target->error.share = number_of(state, "share");
    snprintf(target->error.unit, sizeof target->error.unit, "%s", text_of(state, "unit"));
    target->pass = number_of(state, "pass");
    target->weight = number_of(state, "weight") > 0 ? number_of(state, "weight") : 1;
    target->merged_files = count_of(state, "merged_files");
    target->repeats = (unsigned)count_of(state, "repeats");
    target->repeat_seconds = number_of(state, "repeat_seconds");
    target->alike = count_of(state, "alike");
}

static bool same_targets(const struct campaign *campaign, struct json_object *targets)
{
    if (!targets || json_object_array_length(targets) != campaign->target_count) {
        return false;
    }
    for (size_t i = 0; i < campaign->target_count; i++) {
        struct json_object *state = json_object_array_get_idx(targets, i);
        if (strcmp(text_of(state, "name"), campaign->targets[i].name) != 0) {
            return false;
        }
    }
    return true;
}

/* Goes on with the campaign that the folder holds if it was not finished and is the same. */
static void load_state(struct campaign *campaign)
{
    char *path = store_path(campaign, "state.json");
    struct json_object *state = access(path, F_OK) == 0 ? json_object_from_file(path) : NULL;
    const char *implementation = campaign->options.implementation;
    struct json_object *targets = member(state, "targets");
    bool going_on = false;
    campaign->other_implementation = state && strcmp(text_of(state, "implementation"),
                                                     implementation ? implementation : "") != 0;
    if (state && !json_object_get_boolean(member(state, "finished")) &&
        !campaign->other_implementation && same_targets(campaign, targets) &&
        number_of(state, "elapsed") < campaign->options.seconds) {
        going_on = true;
        for (size_t i = 0; i < campaign->target_count; i++) {
            load_target(&campaign->targets[i], json_object_array_get_idx(targets, i));
        }
        campaign->elapsed = number_of(state, "elapsed");
        campaign->sessions = (unsigned)count_of(state, "sessions");
        campaign->out_most = count_of(state, "output_bytes_most");
        campaign->memory_most = count_of(state, "memory_kilobytes_most");
        snprintf(campaign->date, sizeof campaign->date, "%s", text_of(state, "date"));
        campaign_say(campaign, "going on with the campaign of %s, %.0f of %.0f seconds done",
                     campaign->date, campaign->elapsed, campaign->options.seconds);
    }
    progress_recover(campaign, going_on);
    json_object_put(state);
    free(path);
}

/* Findings of earlier sessions. */

static char *read_text(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, LINE_SIZE);
    if (stream) {
        text[fread(text, 1, LINE_SIZE - 1, stream)] = '\0';
        fclose(stream);
    }
    return text;
}

/* A target writes a failing case into its table first. Was it killed before it could leave the
 * input behind, the table is all that tells of it. */
static void load_table(struct campaign *campaign, const struct target *target)
{
    char *path = store_path(campaign, "findings/%s.csv", target->name);
    struct stat status;
    if (target->function && failure_total(campaign, target) == 0 && stat(path, &status) == 0 &&
        status.st_size > 0) {
        struct failure *finding = failure_add(campaign, target, KIND_VIOLATION, path,
                                              "cases in the table of an earlier session");
        if (finding) {
            finding->earlier = finding->table = true;
        }
    }
    free(path);
}

/* FILE.what: what failed, and where. */
static void load_words(struct failure *finding, char *words)
{
    char *where = words + strcspn(words, "\n");
    if (*where) {
        *where++ = '\0';
        where[strcspn(where, "\n")] = '\0';
    }
    snprintf(finding->what, sizeof finding->what, "%s", words);
    snprintf(finding->where, sizeof finding->where, "%s", where);
}

static void load_findings(struct campaign *campaign, const struct target *target, bool earlier)
{
    char *folder = store_path(campaign, "findings/%s", target->name);
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const char *dot = strrchr(name, '.');
        if (name[0] != '.' && !dot && strncmp(name, "slow-unit-", 10) != 0) {
            char *path = NULL, *what_path = NULL;
            if (asprintf(&path, "%s/%s", folder, name) < 0 ||
                asprintf(&what_path, "%s.what", path) < 0) {
                abort();
            }
            char *what = read_text(what_path);
            struct failure *finding =
                failure_add(campaign, target, failure_kind_of(path, what), path, what);
            if (finding) {
                finding->earlier = earlier;
                load_words(finding, what);
            }
            free(what);
            free(what_path);
            free(path);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    free(folder);
}

void store_findings(struct campaign *campaign, bool earlier)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        load_findings(campaign, &campaign->targets[i], earlier);
        if (earlier) {
            load_table(campaign, &campaign->targets[i]);
        }
    }
}

/* Out of the way of later campaigns, and into the corpus, where it is tried with every change. */
void store_move_gone(const struct campaign *campaign, struct failure *finding)
{
    const struct target *target = &campaign->targets[finding->target];
    const char *name = strrchr(finding->path, '/') + 1;
    char *folder = store_path(campaign, "gone/%s", target->name);
    char *seed = store_path(campaign, "corpus/%s/%s", target->name, name);
    char *gone = store_path(campaign, "gone/%s/%s", target->name, name);
    if (!finding->table && link(finding->path, seed) != 0 && errno != EEXIST) {
        complain("%s: %s", seed, strerror(errno));
    }
    if (output_directory(folder) && rename(finding->path, gone) == 0) {
        snprintf(finding->path, sizeof finding->path, "%s", gone);
    }
    free(folder);
    free(seed);
    free(gone);
}

/* Opening. */

static bool make_folder(const struct campaign *campaign, const char *kind, const char *name)
{
    char *path = store_path(campaign, "%s/%s", kind, name);
    bool made = output_directory(path);
    free(path);
    return made;
}

static bool prepare_target(const struct campaign *campaign, const struct target *target)
{
    char *now = store_path(campaign, "corpus/%s", target->name);
    char *before = store_path(campaign, "before/%s", target->name);
    char *merged = store_path(campaign, "merged/%s", target->name);
    if (access(now, F_OK) != 0) {
        rename(before, now);
    }
    store_remove(before);
    store_remove(merged);
    free(now);
    free(before);
    free(merged);
    return make_folder(campaign, "corpus", target->name) &&
           make_folder(campaign, "records", target->name) &&
           make_folder(campaign, "findings", target->name);
}

/* A name for the targets' folder that no shell takes for more than that. A night without it is one
 * without merges, and no worse. */
static void link_binaries(const struct campaign *campaign)
{
    char *path = store_path(campaign, "binaries");
    unlink(path);
    if (symlink(campaign->options.binaries, path) != 0) {
        complain("%s: %s", path, strerror(errno));
    }
    free(path);
}

static enum exit_code take_lock(struct campaign *campaign)
{
    char *path = store_path(campaign, "lock");
    char holder[32] = "";
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        campaign_say(campaign, "%s: %s", path, strerror(errno));
        free(path);
        return EXIT_USAGE;
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        ssize_t size = read(file, holder, sizeof holder - 1);
        holder[size > 0 ? size : 0] = '\0';
        campaign_say(campaign,
                     "%s: another campaign (process %s) works in this folder; wait for it, or "
                     "choose another folder with --out",
                     campaign->options.out, holder);
        free(path);
        return EXIT_USAGE;
    }
    /* never closed: it is held as long as this process lives, and no longer */
    int length = snprintf(holder, sizeof holder, "%d", (int)getpid());
    if (ftruncate(file, 0) != 0 || write(file, holder, (size_t)length) != length) {
        campaign_say(campaign, "%s: %s", path, strerror(errno));
    }
    free(path);
    return EXIT_WITHIN;
}

static void discard(const struct campaign *campaign)
{
    static const char *const kinds[] = {"corpus",   "records",  "merged",    "before",
                                        "coverage", "progress", "state.json"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char *path = store_path(campaign, "%s", kinds[i]);
        store_remove(path);
        free(path);
    }
}

static void make_reserve(struct campaign *campaign)
{
    char *path = store_path(campaign, "reserve");
    campaign->reserve = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (campaign->reserve >= 0) {
        posix_fallocate(campaign->reserve, 0, RESERVE_BYTES);
    }
    unlink(path);
    free(path);
}

enum exit_code store_open(struct campaign *campaign)
{
    if (!output_directory(campaign->options.out)) {
        return EXIT_USAGE;
    }
    /* what the page tells one to run must not depend on where one stands */
    char *whole = realpath(campaign->options.out, NULL);
    campaign->options.out = whole ? whole : campaign->options.out;
    enum exit_code code = take_lock(campaign);
    if (code != EXIT_WITHIN) {
        return code;
    }
    if (campaign->options.fresh) {
        discard(campaign);
    }
    for (size_t i = 0; i < campaign->target_count; i++) {
        if (!prepare_target(campaign, &campaign->targets[i])) {
            return EXIT_USAGE;
        }
    }
    if (!make_folder(campaign, "merged", "") || !make_folder(campaign, "before", "") ||
        !make_folder(campaign, "coverage", "") || !make_folder(campaign, "progress", "")) {
        return EXIT_USAGE;
    }
    link_binaries(campaign);
    make_reserve(campaign);
    load_state(campaign);
    store_findings(campaign, true);
    return EXIT_WITHIN;
}
