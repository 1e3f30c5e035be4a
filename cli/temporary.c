/* SPDX-License-Identifier: MIT */
#include "cli/temporary.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 16, LONGEST_PATH = 4096 };

/* `used` is set after the path is written: a handler never reads half a path. */
static char paths[MOST_FILES][LONGEST_PATH];
static volatile sig_atomic_t used[MOST_FILES];
static pid_t owner;

void cli_file_remove_temporaries(void)
{
    if (getpid() != owner) return;
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) unlink(paths[i]);
    }
}

int cli_temporary_add(const char *path)
{
    const size_t size = strlen(path) + 1;
    if (size > LONGEST_PATH) return 0;
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) continue;
        memcpy(paths[i], path, size);
        owner = getpid();
        used[i] = 1;
        return i + 1;
    }
    return 0;
}

void cli_temporary_forget(int number)
{
    if (number > 0) used[number - 1] = 0;
}
