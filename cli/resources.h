/* SPDX-License-Identifier: MIT */
/**
 * The command ends when the system runs out of memory, processes, pipes, open files, or room for
 * temporary files.
 *
 * The command is linked with --wrap: its calls of malloc, fopen, fork and similar functions go
 * through resources.c. If a request fails because a resource has run out, the command ends with one
 * line and exit status 3, and removes its temporary files, so that no caller mistakes the output
 * for a result. FLINT, GMP and Jansson use the same functions. A forked child ends the command in
 * the same way if memory runs out, but not at its own limit, which its audit reports.
 */
#pragma once

/**
 * Begin to handle failing requests in this process. `command` is the name in the message, or "".
 * The function may be called again with another name.
 */
void cli_resources_begin(const char *command);
