/* SPDX-License-Identifier: MIT */
/** Completion for shells; cli/completion/ has the scripts that call it. */
#ifndef IC_CLI_COMPLETE_H
#define IC_CLI_COMPLETE_H

/**
 * The words of a command line behind the program's name, as far as the cursor; the last may be
 * empty. Prints what it may become, one line each, with a tab and a description where there is one;
 * a line @files asks for names of files. It is not among the commands that are listed. Two forms
 * are for tests of pages: `--commands` and `--options COMMAND` print the tables, with tabs between.
 * Returns the exit status.
 */
int cli_complete(int n, char **words);

#endif
