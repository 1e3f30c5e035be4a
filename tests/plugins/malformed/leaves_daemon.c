/* SPDX-License-Identifier: MIT */
/* When it is loaded, it starts a daemon in a session of its own, prints its process id, and ends
   the process. */
#include "impactcheck/impactcheck.h"

#include <stdio.h>
#include <unistd.h>

enum { FOR_LONG = 1000 /* s */ };

__attribute__((constructor)) static void start_daemon(void)
{
    if (fork() == 0) {
        setsid();
        const pid_t daemon = fork();
        if (daemon != 0) {
            fprintf(stderr, "daemon %ld\n", (long)daemon);
            _exit(0);
        }
        for (int fd = 0; fd < 64; fd++) close(fd);
        sleep(FOR_LONG);
        _exit(0);
    }
    sleep(1); /* until the id is printed */
    _exit(3);
}

const ic_plugin *impactcheck_plugin(void)
{
    return NULL;
}
