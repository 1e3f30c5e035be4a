/* SPDX-License-Identifier: MIT */
#include "cli/temporary.h"

#include <signal.h>
#include <stdbool.h>
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

static void remove_and_end(int signal_number)
{
    cli_file_remove_temporaries();
    raise(signal_number); /* its default action, once this handler returns */
}

static void watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const bool ignored = sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored) sigaction(signals[i], &action, NULL);
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
        watch_signals();
        return i + 1;
    }
    return 0;
}

void cli_temporary_forget(int number)
{
    if (number > 0) used[number - 1] = 0;
}
