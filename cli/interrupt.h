/* SPDX-License-Identifier: MIT */
/**
 * Signals that end the program: it first ends the processes that it has started, removes its
 * temporary files, and then ends by the signal.
 */
#pragma once

/** Handle SIGINT, SIGTERM, SIGHUP and SIGQUIT, except those that the caller ignores. */
void cli_interrupt_listen(void);
