#include "record.h"
#include "encode.h"

#include "../corpus/climb.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Longer inputs are not kept. */
enum { RECORD_BYTES = 1 << 16 };

unsigned record_step(double badness)
{
    double step = floor(RECORD_STEPS * (log2(badness) - RECORD_LOW));
    return (unsigned)fmin(fmax(step, 0), RECORD_FILES - 1);
}

static _Noreturn void fail(const struct harness *harness, const char *what)
{
    fprintf(stderr, "TRUELERP_FUZZ_RECORDS: %s: %s: %s\n", harness->records, what, strerror(errno));
    exit(2);
}

/* How bad the stored case is, with the implementation at hand; -1 if there is none. */
static double stored_badness(struct harness *harness, int directory, const char *name)
{
    static uint8_t data[RECORD_BYTES];
    static struct values inputs, results;
    struct judgement judgement;
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    ssize_t size = read(file, data, sizeof data);
    close(file);
    if (size < 0) {
        return -1;
    }
    decode_case(harness->function, data, (size_t)size, &inputs);
    implementation_call(harness->implementation, harness->function, &inputs, &results);
    judge_case(harness->judge, harness->function, &inputs, &results, &judgement);
    return climb_badness(harness->function, &results, &judgement);
}

/* Under another name first: a file appears whole or not at all. The caller holds the lock. */
static bool write_whole(int directory, const char *name, const uint8_t *data, size_t size)
{
    char temporary[128];
    snprintf(temporary, sizeof temporary, ".%s.new", name);
    int file = openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return false;
    }
    bool written = write(file, data, size) == (ssize_t)size;
    written = close(file) == 0 && written;
    if (written && renameat(directory, temporary, directory, name) == 0) {
        return true;
    }
    unlinkat(directory, temporary, 0);
    return false;
}

void record_keep(struct harness *harness, const struct values *inputs, double badness)
{
    static uint8_t data[RECORD_BYTES];
    size_t size = encode_case(harness->function, inputs, data, sizeof data);
    if (!(badness > 0) || size == 0) {
        return;
    }
    int directory = open(harness->records, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        fail(harness, "cannot be opened");
    }
    char name[96];
    snprintf(name, sizeof name, "%s-%03u", harness->function->name, record_step(badness));
    flock(directory, LOCK_EX);
    if (badness > stored_badness(harness, directory, name) &&
        !write_whole(directory, name, data, size)) {
        fail(harness, name);
    }
    close(directory);
}
