/* SPDX-License-Identifier: MIT */
/** Uninitialised memory filled with given bytes: reads of it change the result of a run. */
#ifndef IC_AUDIT_UNSET_MEMORY_H
#define IC_AUDIT_UNSET_MEMORY_H

/**
 * Fills all memory that malloc returns from now on, including small freed blocks. Only with glibc;
 * otherwise nothing happens.
 */
void ic_fill_heap(unsigned char byte);

/** Fills the stack below the caller's frame, as far as a solver's frames reach. */
void ic_fill_stack(unsigned char byte);

#endif
