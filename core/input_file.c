/* SPDX-License-Identifier: MIT */
#include "core/input_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* What a path names by itself, or NULL where it may be opened. lstat: /dev/fd/63, a shell's pipe, is a link. */
static const char *what_it_is(const char *path)
{
    struct stat own, target;
    if (stat(path, &target) == 0 && S_ISDIR(target.st_mode)) return "it is a folder; a file is needed";
    if (lstat(path, &own) == 0 && S_ISFIFO(own.st_mode))
        return "it is a named pipe; a file is needed, or a shell's <(COMMAND)";
    return NULL;
}

FILE *ic_input_file_open(const char *path, ic_error *error)
{
    const char *other = what_it_is(path);
    FILE *stream = other == NULL ? fopen(path, "r") : NULL;
    if (stream == NULL)
        ic_error_set(error, "'%s' cannot be read: %s", path, other != NULL ? other : strerror(errno));
    return stream;
}
