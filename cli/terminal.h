/* SPDX-License-Identifier: MIT */
/** Abilities of the terminal, and the progress line of a long computation. */
#ifndef IC_CLI_TERMINAL_H
#define IC_CLI_TERMINAL_H

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

/** Start and end of a stretch in a colour, each "" where there is none. */
const char *cli_paint_on(FILE *stream, cli_colour colour);
const char *cli_paint_off(FILE *stream);

/**
 * Text as it may be shown on a terminal: control characters, and bytes that are no UTF-8, as \\x1b.
 * Whatever comes from outside (names of files and columns, output of programs) goes through one of
 * these; messages and tables do it themselves. `to` has room for `size` bytes; what does not fit is
 * left out.
 */
enum { CLI_SHOWN_GROWTH = 4 }; /* bytes that one may become */
void cli_escape(char *to, size_t size, const char *text);

/**
 * printf to standard output, shown so; the line ends of `format` stay, and so do those of its
 * arguments.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void cli_print(const char *format, ...);

/** Signs beyond ASCII where the locale has them: "±" or "+/-", "→" or "->". */
const char *cli_plus_minus(void);
const char *cli_arrow(void);

/** Number of columns that a UTF-8 text takes; colours take none. */
int cli_text_width(const char *text);

/** Columns of a terminal; of anything else as many as a report has. */
int cli_width(FILE *stream);

/**
 * Print a text, broken into lines: the first goes on at column `column`, the others start at
 * `indent`. A \n in it breaks as well.
 */
void cli_print_broken(FILE *stream, const char *text, int column, int indent, int width);

/**
 * While something is computed, show on standard error, if that is a terminal, what it is and for
 * how long it has been going on, after the first second.
 */
void cli_progress_begin(const char *what, bool quiet);
void cli_progress_say(const char *what);

/**
 * Show the current part, `done` of `total`, and the time that is left after a share (0 to 1) of the
 * work.
 */
void cli_progress_part(size_t done, size_t total, double share, const char *what);
void cli_progress_end(void);

/** Clear the line that shows it; for the handler of a signal that ends the program. */
void cli_progress_clear(void);

#endif
