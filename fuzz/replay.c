/* Runs a fuzz target on stored inputs, without libFuzzer: `fuzz_NAME_replay FILE|FOLDER...`. With
 * --csv before them it prints each input as the case that it stands for instead, and with --finding
 * WORDS it tells of each and keeps it as a target does of its findings: for inputs at which a
 * target crashed or hung, and could not. The implementation is not called but in processes of their
 * own, to find simpler cases that fail alike; what a target was allowed is --timeout SECONDS (25)
 * and --memory MB (2048).
 *
 * Builds with any compiler. Each input lies in a block of its exact size, so that a sanitizer or
 * valgrind sees a read beyond it. No input at all is an error: nothing was tested.
 */
#include "finding.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of targets whose inputs are cases. */
int fuzz_print_input(const uint8_t *data, size_t size) __attribute__((weak));
int fuzz_keep_input(const uint8_t *data, size_t size, const struct failed *failed)
    __attribute__((weak));

enum { UNREADABLE = 2 };

static size_t replayed;
static int (*run)(const uint8_t *data, size_t size) = LLVMFuzzerTestOneInput;
static struct failed failed = {.seconds = 25, .megabytes = 2048};

static int keep(const uint8_t *data, size_t size)
{
    if (fuzz_keep_input(data, size, &failed) != 0) {
        exit(UNREADABLE);
    }
    return 0;
}

static void fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(UNREADABLE);
}

static void replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
        fail(path);
    }
    fclose(file);
    run(data, size);
    free(data);
    replayed++;
}

static void replay(const char *path);

static void replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        fail(path);
    }
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            size_t length = strlen(path) + strlen(entries[i]->d_name) + 2;
            char *child = malloc(length);
            if (child == NULL) {
                fail(path);
            }
            snprintf(child, length, "%s/%s", path, entries[i]->d_name);
            replay(child);
            free(child);
        }
        free(entries[i]);
    }
    free(entries);
}

static void replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        fail(path);
    }
    if (S_ISDIR(status.st_mode)) {
        replay_folder(path);
    } else {
        replay_file(path, (size_t)status.st_size);
    }
}

/* How many of the arguments are options. */
static int take_options(int argc, char **argv)
{
    int next = 1;
    if (argc > 1 && strcmp(argv[1], "--csv") == 0 && fuzz_print_input) {
        run = fuzz_print_input;
        return 2;
    }
    if (argc > 2 && strcmp(argv[1], "--finding") == 0 && fuzz_keep_input) {
        run = keep;
        failed.words = argv[2];
        next = 3;
    }
    for (; next > 1 && next + 1 < argc; next += 2) {
        unsigned *limit = strcmp(argv[next], "--timeout") == 0  ? &failed.seconds
                          : strcmp(argv[next], "--memory") == 0 ? &failed.megabytes
                                                                : NULL;
        if (!limit) {
            break;
        }
        *limit = (unsigned)strtoul(argv[next + 1], NULL, 10);
    }
    return next;
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    int first = take_options(argc, argv);
    for (int i = first; i < argc; i++) {
        replay(argv[i]);
    }
    if (replayed == 0) {
        fprintf(stderr,
                "usage: %s [--csv|--finding WORDS [--timeout SECONDS] [--memory MB]] "
                "FILE|FOLDER...\nNo input was found, so nothing was tested.\n",
                argv[0]);
        return UNREADABLE;
    }
    if (first == 1) {
        printf("%zu inputs replayed\n", replayed);
    }
    return 0;
}
