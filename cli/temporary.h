/* SPDX-License-Identifier: MIT */
/** Temporary files, listed so that every way in which the command ends can remove them. */
#pragma once

/**
 * Put a file on the list; the path is copied. Returns its number, for cli_temporary_forget, or 0:
 * the list is full.
 */
int cli_temporary_add(const char *path);

/** The file is no longer temporary, or has been removed. Does nothing for number 0. */
void cli_temporary_forget(int number);

/**
 * Remove all files on the list. It may be called in a signal handler. In a forked child it does
 * nothing: the files are the parent's.
 */
void cli_file_remove_temporaries(void);
