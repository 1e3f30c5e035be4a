/* SPDX-License-Identifier: MIT */
/**
 * Memory that nobody has set, filled with bytes that are chosen: what a run reads of it shows in
 * its answer.
 */
#ifndef IC_AUDIT_UNSET_MEMORY_H
#define IC_AUDIT_UNSET_MEMORY_H

/**
 * Fill what malloc will hand out, small blocks that wait to be used again included, from now on.
 * glibc alone; elsewhere nothing happens.
 */
void ic_fill_heap(unsigned char byte);

/** Fill the stack below the caller's frame, as far as a solver's frames reach. */
void ic_fill_stack(unsigned char byte);

#endif
