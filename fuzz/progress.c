#include "progress.h"
#include "encode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct progress *progress;

static _Noreturn void fail(const char *path, int fault)
{
    fprintf(stderr, "TRUELERP_FUZZ_PROGRESS: %s: %s\n", path, strerror(fault));
    exit(2);
}

/* The room is taken at once: a full disk would otherwise show as SIGBUS in the middle. */
void progress_open(void)
{
    const char *path = getenv("TRUELERP_FUZZ_PROGRESS");
    if (!path || !*path) {
        return;
    }
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        fail(path, errno);
    }
    int fault = posix_fallocate(file, 0, sizeof *progress);
    if (fault) {
        fail(path, fault);
    }
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (progress == MAP_FAILED) {
        fail(path, errno);
    }
    close(file);
    progress->magic = PROGRESS_MAGIC;
}

void progress_count(uint64_t runs, uint64_t judged)
{
    if (progress) {
        progress->runs = runs;
        progress->judged = judged;
    }
}

void progress_worst(double error, double share)
{
    if (progress) {
        progress->error = error;
        progress->share = share;
    }
}

/* The numbers as they are: this is done millions of times, and its worth is seen once a night. The
 * count last: whoever looks in between finds no case rather than half of one. */
void progress_try(const struct values *inputs)
{
    if (!progress) {
        return;
    }
    volatile uint64_t *fields = &progress->fields;
    size_t total = inputs->start[inputs->count];
    *fields = 0;
    if (total <= PROGRESS_NUMBERS) {
        for (size_t i = 0; i <= inputs->count; i++) {
            progress->start[i] = inputs->start[i];
        }
        for (size_t i = 0; i < total; i++) {
            progress->number[i] = inputs->number[i];
        }
        *fields = inputs->count;
    }
}

size_t progress_input(const struct progress *from, const struct function *function, uint8_t *data,
                      size_t most)
{
    struct values inputs = {0};
    size_t field, size = 0;
    if (from->magic != PROGRESS_MAGIC || from->fields != function->input_count ||
        from->start[0] != 0) {
        return 0;
    }
    for (size_t i = 0; i < function->input_count; i++) {
        if (from->start[i + 1] < from->start[i] || from->start[i + 1] > PROGRESS_NUMBERS) {
            values_free(&inputs);
            return 0;
        }
        size_t length = (size_t)(from->start[i + 1] - from->start[i]);
        double *number = values_append(&inputs, length);
        for (size_t k = 0; k < length; k++) {
            number[k] = from->number[from->start[i] + k];
        }
    }
    if (!function_fault(function, &inputs, &field)) {
        size = encode_case(function, &inputs, data, most);
    }
    values_free(&inputs);
    return size;
}
