/* SPDX-License-Identifier: MIT */
#include "core/input_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The reason why a path must not be opened, or NULL. lstat: /dev/fd/63, the pipe of a shell's
 * <(COMMAND), is a link and is accepted.
 */
static const char *refusal_of_path(const char *path)
{
    struct stat own, target;
    if (stat(path, &target) == 0 && S_ISDIR(target.st_mode)) return "it is a folder; a file is needed";
    if (lstat(path, &own) == 0 && S_ISFIFO(own.st_mode))
        return "it is a named pipe; a file is needed, or a shell's <(COMMAND)";
    return NULL;
}

FILE *ic_input_file_open(const char *path, ic_error *error)
{
    const char *refusal = refusal_of_path(path);
    FILE *stream = refusal == NULL ? fopen(path, "r") : NULL;
    if (stream == NULL)
        ic_error_set(error, "'%s' cannot be read: %s", path, refusal != NULL ? refusal : strerror(errno));
    return stream;
}
