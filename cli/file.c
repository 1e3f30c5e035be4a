/* SPDX-License-Identifier: MIT */
#include "cli/file.h"
#include "cli/temporary.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- opening */

bool cli_cannot_write(ic_error *error, const char *path, const char *why)
{
    ic_error_set(error, "cannot write '%s': %s", path, why);
    return false;
}

const char *cli_file_why(int why)
{
    return why == EFBIG ? "the limit on file size was reached" : strerror(why);
}

/* Greatest number of consecutive links that the system follows. */
enum { MOST_LINKS = 40 };

/* The first n bytes of a, then b. */
static char *join_texts(const char *a, size_t n, const char *b)
{
    const size_t m = strlen(b);
    char *text = malloc(n + m + 1);
    if (text == NULL) return NULL;
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

/* The target of a link, relative to its folder; NULL: not a link, or memory ran out (*why). */
static char *next_target(const char *path, int *why)
{
    char said[PATH_MAX + 1];
    const ssize_t n = readlink(path, said, sizeof said - 1);
    if (n < 0) return NULL;
    said[n] = '\0';
    const char *slash = strrchr(path, '/');
    char *target = join_texts(path, said[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1, said);
    if (target == NULL) *why = ENOMEM;
    return target;
}

char *cli_file_target(const char *path)
{
    int why = 0;
    char *target = join_texts(path, strlen(path), "");
    for (int links = 0; target != NULL; links++) {
        char *next = next_target(target, &why);
        if (next == NULL && why == 0) return target;
        free(target);
        target = next;
        if (links < MOST_LINKS) continue;
        free(target);
        target = NULL;
        why = ELOOP;
    }
    errno = why != 0 ? why : ENOMEM;
    return NULL;
}

static mode_t default_mode(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool open_directly(cli_file *file, ic_error *error)
{
    const char *path = file->path;
    file->stream = fopen(path, "w");
    return file->stream != NULL || cli_cannot_write(error, path, strerror(errno));
}

/* The file is made and listed for removal before a signal can leave it behind. */
static int make_part(cli_file *file)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const int descriptor = mkstemp(file->part), why = errno;
    if (descriptor >= 0) file->slot = cli_temporary_add(file->part);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return descriptor;
}

static bool open_part(cli_file *file, mode_t mode, ic_error *error)
{
    file->part = join_texts(file->path, strlen(file->path), ".XXXXXX");
    if (file->part == NULL) return cli_cannot_write(error, file->path, "memory ran out");
    const int descriptor = make_part(file);
    if (descriptor < 0) {
        const int why = errno;
        free(file->part);
        file->part = NULL;
        return cli_cannot_write(error, file->path, strerror(why));
    }
    file->stream = fdopen(descriptor, "w");
    if (file->stream == NULL) close(descriptor);
    if (file->stream == NULL || fchmod(descriptor, mode) != 0) {
        return cli_cannot_write(error, file->path, strerror(errno));
    }
    return true;
}

static bool open_path(cli_file *file, const char *path, ic_error *error)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    const bool regular = exists && S_ISREG(status.st_mode);
    if (exists && S_ISDIR(status.st_mode)) return cli_cannot_write(error, path, "it is a folder");
    if (exists && access(path, W_OK) != 0) return cli_cannot_write(error, path, strerror(errno));
    /* A link stays and its target is replaced or made. The links of devices and pipes (/dev/stdout)
       are not followed. */
    file->path = exists && !regular ? join_texts(path, strlen(path), "") : cli_file_target(path);
    if (file->path == NULL) return cli_cannot_write(error, path, strerror(errno));
    if (exists && !regular) return open_directly(file, error);
    return open_part(file, regular ? status.st_mode & 0777 : default_mode(), error);
}

bool cli_ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

bool cli_file_open(cli_file *file, const char *path, ic_error *error)
{
    *file = (cli_file){0};
    if (open_path(file, path, error)) return true;
    cli_file_discard(file);
    return false;
}

bool cli_file_open_option(cli_file *file, const cli_arguments *arguments, size_t option)
{
    const char *path = cli_value(arguments, option), *name = arguments->command->options[option].name;
    ic_error error;
    return path == NULL || cli_file_open(file, path, &error) ||
           cli_refuse(arguments->command, "option %s: %s", name, error.text);
}

/* ---- closing */

static void forget_file(cli_file *file)
{
    cli_temporary_forget(file->slot);
    free(file->path);
    free(file->part);
    *file = (cli_file){0};
}

void cli_file_discard(cli_file *file)
{
    if (file->stream != NULL) fclose(file->stream);
    if (file->part != NULL) unlink(file->part);
    forget_file(file);
}

bool cli_file_commit(cli_file *file, ic_error *error)
{
    int why = 0;
    if (fflush(file->stream) != 0) why = errno;
    /* an earlier write failed: the file has been removed, so that a further byte, which tells why, does no harm */
    else if (ferror(file->stream)) why = write(fileno(file->stream), "", 1) < 0 ? errno : EIO;
    if (why == 0 && file->part != NULL && fsync(fileno(file->stream)) != 0) why = errno;
    if (fclose(file->stream) != 0 && why == 0) why = errno;
    file->stream = NULL;
    if (why == 0 && file->part != NULL && rename(file->part, file->path) != 0) why = errno;
    if (why != 0) {
        cli_cannot_write(error, file->path, cli_file_why(why));
        cli_file_discard(file);
        return false;
    }
    forget_file(file);
    return true;
}

bool cli_file_finish(cli_file *file, const cli_arguments *arguments, const char *place)
{
    ic_error error;
    if (file->stream == NULL || cli_file_commit(file, &error)) return true;
    cli_failure(arguments->command, "%s%s", place != NULL ? place : "", error.text);
    return false;
}
