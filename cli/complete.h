/* SPDX-License-Identifier: MIT */
/** Completion for shells; cli/completion/ has the scripts that call it. */
#pragma once

/**
 * Prints the possible completions of a command line. `words` are the words after the program's name
 * up to the cursor; the last may be empty. Each completion is a line, followed by a tab and a
 * description if there is one. The line @files requests names of files. This command is not listed.
 * Two forms are for tests of pages: `--commands` and `--options COMMAND` print the tables, with
 * tabs between fields. Returns the exit status.
 */
int cli_complete(int n, char **words);
