/* How much of the library the corpora reach, as llvm-cov counts it. */
#include "campaign.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct json_object *member(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    return value;
}

static uint64_t count_of(struct json_object *summary, const char *what, const char *key)
{
    return json_object_get_uint64(member(member(summary, what), key));
}

static struct coverage file_coverage(struct json_object *file)
{
    const char *path = json_object_get_string(member(file, "filename"));
    const char *slash = path ? strrchr(path, '/') : NULL;
    struct json_object *summary = member(file, "summary");
    struct coverage coverage = {.measured = true,
                                .lines = count_of(summary, "lines", "count"),
                                .lines_reached = count_of(summary, "lines", "covered"),
                                .branches = count_of(summary, "branches", "count"),
                                .branches_reached = count_of(summary, "branches", "covered")};
    snprintf(coverage.file, sizeof coverage.file, "%s", slash ? slash + 1 : "");
    return coverage;
}

/* The files that an export tells of; NULL if it cannot be read. */
static struct json_object *exported_files(struct json_object *export)
{
    struct json_object *data = member(export, "data");
    if (!data || json_object_array_length(data) == 0) {
        return NULL;
    }
    return member(json_object_array_get_idx(data, 0), "files");
}

/* What the target reaches of its family's file. */
void coverage_take(struct campaign *campaign, struct target *target, bool good)
{
    char *path = store_path(campaign, "coverage/%s.json", target->name);
    char name[NAME_SIZE + 2];
    struct json_object *export = good ? json_object_from_file(path) : NULL;
    struct json_object *files = export ? exported_files(export) : NULL;
    snprintf(name, sizeof name, "%s.c", target->function ? target->function->family : "");
    for (size_t i = 0; files && i < json_object_array_length(files); i++) {
        struct coverage coverage = file_coverage(json_object_array_get_idx(files, i));
        if (strcmp(coverage.file, name) == 0) {
            target->coverage = coverage;
        }
    }
    json_object_put(export);
    free(path);
}

bool coverage_wanted(const struct campaign *campaign, const struct target *target)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s_coverage", target->binary);
    return target->function && access(path, X_OK) == 0 && !*campaign->coverage_note;
}

/* Why it cannot be measured, if so. */
void coverage_prepare(struct campaign *campaign)
{
    const char *why = NULL;
    if (!campaign->options.coverage) {
        why = "not asked for";
    } else if (campaign->options.implementation) {
        why = "the implementation under test is not built here";
    } else if (access(LLVM_COV, X_OK) != 0 || access(LLVM_PROFDATA, X_OK) != 0) {
        why = "llvm-cov and llvm-profdata are missing (Debian: apt-get install llvm)";
    }
    if (why) {
        snprintf(campaign->coverage_note, sizeof campaign->coverage_note, "%s", why);
    }
}

static const char total_script[] =
    "set -e\n"
    "cd \"$1\"\n"
    "\"$2\" merge -sparse -o total *.profdata\n"
    "rm -f ./*.profdata\n"
    "\"$3\" export -summary-only -instr-profile total \"$4_coverage\" >total.json\n"
    "\"$3\" show -format=html -output-dir=html -instr-profile total \"$4_coverage\"\n";

static const struct target *first_measured(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->target_count; i++) {
        if (campaign->targets[i].coverage.measured) {
            return &campaign->targets[i];
        }
    }
    return NULL;
}

static int run_total(const struct campaign *campaign, const struct target *target)
{
    char *folder = store_path(campaign, "coverage");
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", total_script, "coverage", folder, LLVM_PROFDATA, LLVM_COV,
              target->binary, (char *)NULL);
        _exit(EXIT_USAGE);
    }
    if (child > 0) {
        waitpid(child, &status, 0);
    }
    free(folder);
    return status;
}

void coverage_total(struct campaign *campaign)
{
    const struct target *target = first_measured(campaign);
    if (!target) {
        if (!*campaign->coverage_note) {
            snprintf(campaign->coverage_note, sizeof campaign->coverage_note,
                     "no corpus could be replayed in the build with counters");
        }
        return;
    }
    char *path = store_path(campaign, "coverage/total.json");
    struct json_object *export =
        run_total(campaign, target) == 0 ? json_object_from_file(path) : NULL;
    struct json_object *files = export ? exported_files(export) : NULL;
    if (files) {
        campaign->files = calloc(json_object_array_length(files) + 1, sizeof *campaign->files);
        for (size_t i = 0; i < json_object_array_length(files); i++) {
            campaign->files[campaign->file_count++] =
                file_coverage(json_object_array_get_idx(files, i));
        }
    } else {
        snprintf(campaign->coverage_note, sizeof campaign->coverage_note,
                 "llvm-cov could not put the targets together");
    }
    json_object_put(export);
    free(path);
}
