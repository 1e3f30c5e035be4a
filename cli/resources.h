/* SPDX-License-Identifier: MIT */
/**
 * What the system does not give ends the command: memory, processes, pipes, open files, room for temporary files.
 *
 * The command is linked with --wrap: what its code asks of malloc, fopen, fork and the like goes through resources.c. A request that fails
 * because something has run out ends the command with one line and exit status 3, and removes its temporary files; no caller can
 * take it for a result. FLINT, GMP and Jansson are given the same functions. A forked child gets the failure as it is, since it
 * runs within limits of its own.
 */
#ifndef IC_CLI_RESOURCES_H
#define IC_CLI_RESOURCES_H

/** From here on, in this process. `command`: the name in the line, or "". It may be called again with another name. */
void cli_resources_begin(const char *command);

#endif
