/* SPDX-License-Identifier: MIT */
/* The standard output of an engine's program. */
#pragma once

/**
 * The first call keeps the original standard output for motions, and redirects what others print to
 * standard error.
 */
void scene_take_output(void);
