#include "output.h"

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What makes another name of a file's, as mkstemp takes it. */
static const char unique[] = ".XXXXXX";

static bool fail(struct output *output, const char *what)
{
    complain("%s: cannot %s: %s", path_shown(output->path), what, strerror(errno));
    output_discard(output);
    return false;
}

static mode_t file_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Files that a signal must not leave behind. A name stands here before there is a file of it, and
 * as long as there is one. */

enum { PENDING_MOST = 8 };

static char *volatile pending[PENDING_MOST];
static volatile pid_t pending_process; /* a child of it leaves the files alone */

static void remove_and_end(int number)
{
    for (size_t i = 0; i < PENDING_MOST && pending_process == getpid(); i++) {
        if (pending[i]) {
            unlink(pending[i]);
        }
    }
    raise(number); /* the handler is gone, and the signal ends the program once this one returns */
}

/* Signals that somebody handles or ignores are theirs. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction former;
        if (sigaction(numbers[i], NULL, &former) == 0 && former.sa_handler == SIG_DFL) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static void keep_pending(char *name)
{
    if (pending_process != getpid()) {
        for (size_t i = 0; i < PENDING_MOST; i++) {
            pending[i] = NULL;
        }
        pending_process = getpid();
        catch_signals();
    }
    size_t i = 0;
    while (i < PENDING_MOST && pending[i]) {
        i++;
    }
    if (i < PENDING_MOST) {
        pending[i] = name;
    }
}

/* It is to be freed after this. */
static void forget_pending(const char *name)
{
    for (size_t i = 0; i < PENDING_MOST; i++) {
        if (pending[i] == name) {
            pending[i] = NULL;
        }
    }
}

static void free_temporary(struct output *output)
{
    forget_pending(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
}

/* A signal between mkstemp, which finds the name, and keep_pending would find a file without a
 * name. */
static int make_temporary(char *name)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int file = mkstemp(name);
    int error = errno;
    if (file >= 0) {
        keep_pending(name);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return file;
}

/* Makes one of a name that starts with so many bytes of the target. */
static int open_beside(struct output *output, size_t kept)
{
    if (asprintf(&output->temporary, "%.*s%s", (int)kept, output->target, unique) < 0) {
        output->temporary = NULL;
        return -1;
    }
    int file = make_temporary(output->temporary);
    if (file < 0) {
        free_temporary(output);
    }
    return file;
}

/* What a name of the target's length may keep of it; whole characters, which some file systems
 * insist on. */
static size_t shorter(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t start = slash ? (size_t)(slash + 1 - target) : 0;
    size_t length = strlen(target);
    size_t kept = length - start < strlen(unique) ? start : length - strlen(unique);
    while (kept > start && ((unsigned char)target[kept] & 0xC0) == 0x80) {
        kept--;
    }
    return kept;
}

static int open_temporary(struct output *output, mode_t mode)
{
    int file = open_beside(output, strlen(output->target));
    if (file < 0 && errno == ENAMETOOLONG) {
        file = open_beside(output, shorter(output->target));
    }
    if (file >= 0) {
        fchmod(file, mode);
    }
    return file;
}

/* What a symbolic link says, relative to where it stands; to be freed. NULL: it is none. */
static char *link_text(const char *path)
{
    char text[PATH_MAX], *copy, *joined = NULL;
    ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0) {
        return NULL;
    }
    text[length] = '\0';
    copy = text[0] == '/' ? NULL : strdup(path);
    if (asprintf(&joined, "%s%s%s", copy ? dirname(copy) : "", copy ? "/" : "", text) < 0) {
        joined = NULL;
    }
    free(copy);
    return joined;
}

char *output_target(const char *path)
{
    enum { LINKS_MOST = 40 };
    size_t length = strlen(path);
    if (length == 0 || path[length - 1] == '/') {
        errno = length == 0 ? ENOENT : EISDIR;
        return NULL;
    }
    char *target = strdup(path);
    for (int links = 0; target && links < LINKS_MOST; links++) {
        char *next = link_text(target);
        if (!next) {
            return target;
        }
        free(target);
        target = next;
    }
    free(target);
    errno = ELOOP;
    return NULL;
}

/* No file can have that name, though a temporary one's may be short enough. */
static bool too_long(const char *target)
{
    struct stat status;
    return lstat(target, &status) != 0 && errno == ENAMETOOLONG;
}

/* Such as /dev/stdout: a file that whoever started the program has open for it already, at its own
 * place, and will not see if another one takes its name. */
static int duplicate_open(const struct stat *wanted)
{
    enum { DESCRIPTORS = 10 };
    for (int i = 1; i < DESCRIPTORS; i++) {
        struct stat status;
        int flags = fcntl(i, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(i, &status) == 0 &&
            status.st_dev == wanted->st_dev && status.st_ino == wanted->st_ino) {
            fflush(i == STDOUT_FILENO ? stdout : NULL);
            return dup(i);
        }
    }
    return -1;
}

bool output_open(struct output *output, const char *path)
{
    *output = (struct output){.path = strdup(path), .target = output_target(path)};
    if (!output->target || too_long(output->target)) {
        return fail(output, "be written");
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    mode_t mode = exists ? status.st_mode & 0777 : file_mode();
    int file = exists ? duplicate_open(&status) : -1;
    if (file < 0) {
        file = exists && !S_ISREG(status.st_mode) ? open(path, O_WRONLY)
                                                  : open_temporary(output, mode);
    }
    output->stream = file < 0 ? NULL : fdopen(file, "w");
    return output->stream ? true : fail(output, "be written");
}

bool output_possible(const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    char *target = output_target(path);
    bool good = target && !too_long(target) &&
                (exists && !S_ISREG(status.st_mode) ? access(path, W_OK) == 0
                                                    : access(dirname(target), W_OK | X_OK) == 0);
    if (good && exists && (S_ISDIR(status.st_mode) || S_ISSOCK(status.st_mode))) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : ENXIO;
        good = false;
    }
    if (!good) {
        complain("%s: cannot be written: %s", path_shown(path), strerror(errno));
    }
    free(target);
    return good;
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
    if (output->temporary && rename(output->temporary, output->target) != 0) {
        return fail(output, "be put in place");
    }
    free_temporary(output);
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
    free_temporary(output);
    free(output->target);
    free(output->path);
    *output = (struct output){0};
}

bool output_directory_possible(const char *path)
{
    char *above = NULL;
    struct stat status;
    if (asprintf(&above, "./%s", path) < 0) {
        return false;
    }
    char *start = path[0] == '/' ? above + 2 : above;
    while (stat(start, &status) != 0 && errno == ENOENT) {
        char *slash = strrchr(start, '/');
        slash[slash == start] = '\0';
    }
    bool good = stat(start, &status) == 0;
    if (good && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        good = false;
    }
    good = good && access(start, W_OK | X_OK) == 0;
    if (!good) {
        complain("%s: cannot write there: %s", path_shown(path), strerror(errno));
    }
    free(above);
    return good;
}

bool output_directory(const char *path)
{
    char *prefix = strdup(path);
    bool made = true;
    for (char *slash = prefix; made && slash && *path;) { // no name, no directory: access() says so
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
        complain("%s: cannot write there: %s", path_shown(path), strerror(errno));
        return false;
    }
    return true;
}
