#include "output.h"

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(struct output *output, const char *what)
{
    complain("%s: cannot %s: %s", output->path, what, strerror(errno));
    output_discard(output);
    return false;
}

static mode_t file_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_temporary(struct output *output)
{
    if (asprintf(&output->temporary, "%s.XXXXXX", output->path) < 0) {
        output->temporary = NULL;
        return -1;
    }
    int file = mkstemp(output->temporary);
    if (file < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return -1;
    }
    fchmod(file, file_mode());
    return file;
}

bool output_open(struct output *output, const char *path)
{
    *output = (struct output){.path = strdup(path)};
    struct stat status;
    bool exists = stat(path, &status) == 0;
    int file = exists && !S_ISREG(status.st_mode) ? open(path, O_WRONLY) : open_temporary(output);
    output->stream = file < 0 ? NULL : fdopen(file, "w");
    return output->stream ? true : fail(output, "be written");
}

bool output_finish(struct output *output)
{
    errno = 0;
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    good = good && (!output->temporary || fsync(fileno(output->stream)) == 0);
    if (!good) {
        errno = errno ? errno : EIO;
        return fail(output, "be written");
    }
    int closed = fclose(output->stream);
    output->stream = NULL;
    return closed == 0 ? true : fail(output, "be written");
}

bool output_publish(struct output *output)
{
    if (output->temporary && rename(output->temporary, output->path) != 0) {
        return fail(output, "be put in place");
    }
    free(output->temporary);
    output->temporary = NULL;
    output_discard(output);
    return true;
}

void output_discard(struct output *output)
{
    if (output->stream) {
        fclose(output->stream);
    }
    if (output->temporary) {
        unlink(output->temporary);
    }
    free(output->temporary);
    free(output->path);
    *output = (struct output){0};
}

bool output_directory(const char *path)
{
    char *prefix = strdup(path);
    bool made = true;
    for (char *slash = prefix; made && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) {
            *slash = '\0';
        }
        made = mkdir(prefix, 0777) == 0 || errno == EEXIST;
        if (slash) {
            *slash = '/';
        }
    }
    free(prefix);
    struct stat status;
    if (made && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        made = false;
    }
    if (!made || access(path, W_OK | X_OK) != 0) {
        complain("%s: cannot write there: %s", path, strerror(errno));
        return false;
    }
    return true;
}
