/* SPDX-License-Identifier: MIT */
#include "cli/call.h"
#include "cli/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool redirect_descriptor(int descriptor, const char *path)
{
    const int opened = open(path != NULL ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return opened >= 0 && dup2(opened, descriptor) >= 0;
}

/* In the child: the command as it would be called from a shell. */
static int call_command(const cli_call *call)
{
    cli_arguments arguments;
    char **argv = calloc(call->n, sizeof *argv);
    if (argv == NULL) return CLI_FAILURE;
    for (size_t i = 1; i < call->n; i++) {
        argv[i - 1] = strdup(call->words[i]);
        if (argv[i - 1] == NULL) return CLI_FAILURE;
    }
    for (size_t i = 0; i < cli_command_count; i++) {
        if (strcmp(cli_commands[i]->name, call->words[0]) != 0) continue;
        if (cli_parse(&arguments, cli_commands[i], (int)call->n - 1, argv) != CLI_PARSED) return CLI_BAD_INPUT;
        const int status = cli_commands[i]->run(&arguments);
        return fflush(stdout) == 0 ? status : CLI_FAILURE;
    }
    return CLI_BAD_INPUT;
}

int cli_call_run(const cli_call *call)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const bool good = redirect_descriptor(STDERR_FILENO, call->messages) &&
                          redirect_descriptor(STDOUT_FILENO, call->output) &&
                          (call->folder == NULL || chdir(call->folder) == 0);
        _exit(good ? call_command(call) : CLI_FAILURE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return CLI_FAILURE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILURE;
}
