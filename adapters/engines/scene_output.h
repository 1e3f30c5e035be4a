/* SPDX-License-Identifier: MIT */
/* The standard output of an engine's program. */
#ifndef IC_ADAPTERS_ENGINES_SCENE_OUTPUT_H
#define IC_ADAPTERS_ENGINES_SCENE_OUTPUT_H

/**
 * The first call keeps the original standard output for motions, and redirects what others print to
 * standard error.
 */
void scene_take_output(void);

#endif
