/* SPDX-License-Identifier: MIT */
/**
 * The command ends when the system runs out of memory, processes, pipes, open files, or room for
 * temporary files.
 *
 * The command is linked with --wrap: what its code asks of malloc, fopen, fork and the like goes
 * through resources.c. A request that fails because something has run out ends the command with one
 * line and exit status 3, and removes its temporary files; no caller can take it for a result.
 * FLINT, GMP and Jansson are given the same functions. A child that is forked ends the command in
 * the same way where memory runs out, but not at its own limit: that is for its audit.
 */
#ifndef IC_CLI_RESOURCES_H
#define IC_CLI_RESOURCES_H

/**
 * From here on, in this process. `command`: the name in the line, or "". It may be called again
 * with another name.
 */
void cli_resources_begin(const char *command);

#endif
