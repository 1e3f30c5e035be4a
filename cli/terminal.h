/* SPDX-License-Identifier: MIT */
/** Abilities of the terminal, and the progress line of a long computation. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cli_colour { CLI_BOLD = 1, CLI_DIM = 2, CLI_RED = 31, CLI_GREEN = 32, CLI_YELLOW = 33 } cli_colour;

/**
 * A short text, coloured if the stream is a terminal that shows colours and NO_COLOR is not set.
 */
typedef struct cli_painted {
    char text[160];
} cli_painted;

cli_painted cli_paint(FILE *stream, cli_colour colour, const char *text);

/** Start and end of a coloured text; each is "" without colours. */
const char *cli_paint_on(FILE *stream, cli_colour colour);
const char *cli_paint_off(FILE *stream);

/**
 * Text that is safe on a terminal: control characters, and bytes that are not UTF-8, become \\x1b.
 * All text from outside (names of files and columns, output of programs) passes through one of
 * these functions; messages and tables call them. `to` has room for `size` bytes; text that does
 * not fit is cut.
 */
enum { CLI_SHOWN_GROWTH = 4 }; /* bytes that one may become */
void cli_escape(char *to, size_t size, const char *text);

/** printf to standard output in this form. Line ends in `format` and in its arguments remain. */
__attribute__((format(printf, 1, 2))) void cli_print(const char *format, ...);

/** Whether the locale has characters beyond ASCII. */
bool cli_has_utf8(void);

/** Characters beyond ASCII, if the locale has them: "±" or "+/-", "→" or "->". */
const char *cli_plus_minus(void);
const char *cli_arrow(void);

/** Number of columns that a UTF-8 text takes; colours take none. */
int cli_text_width(const char *text);

/** Keeps the colours and columns of standard output, which may be diverted to a file afterwards. */
void cli_terminal_keep(void);

/** Columns of the terminal; if the output is not a terminal, the columns of a report. */
int cli_width(FILE *stream);

/**
 * Print a text, wrapped into lines. The first line continues at `column`, the others start at
 * `indent`. A
 * in the text also ends a line.
 */
void cli_print_broken(FILE *stream, const char *text, int column, int indent, int width);

/**
 * During a computation, show its name and its duration on standard error, if that is a terminal,
 * after the first second.
 */
void cli_progress_begin(const char *what, bool quiet);
void cli_progress_say(const char *what);

/**
 * Show the current part, `done` of `total`, and the remaining time, which follows from the share (0
 * to 1) of the work that is done.
 */
void cli_progress_part(size_t done, size_t total, double share, const char *what);
void cli_progress_end(void);

/** Clear the line that shows it; for the handler of a signal that ends the program. */
void cli_progress_clear(void);
