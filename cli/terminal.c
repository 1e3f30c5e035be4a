/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- colours and signs */

/* Whether standard output had colours, and its columns, when cli_terminal_keep was called. */
static bool is_kept, kept_colours;
static int kept_width;

void cli_terminal_keep(void)
{
    kept_colours = cli_paint_off(stdout)[0] != '\0';
    kept_width = cli_width(stdout);
    is_kept = true;
}

static bool has_colours(FILE *stream)
{
    if (is_kept && stream == stdout) return kept_colours;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color != NULL && no_color[0] != '\0') return false;
    if (term == NULL || strcmp(term, "dumb") == 0) return false;
    return isatty(fileno(stream)) != 0;
}

const char *cli_paint_on(FILE *stream, cli_colour colour)
{
    static const char *const codes[] = {[CLI_BOLD] = "\033[1m",
                                        [CLI_DIM] = "\033[2m",
                                        [CLI_RED] = "\033[31m",
                                        [CLI_GREEN] = "\033[32m",
                                        [CLI_YELLOW] = "\033[33m"};
    return has_colours(stream) ? codes[colour] : "";
}

const char *cli_paint_off(FILE *stream)
{
    return has_colours(stream) ? "\033[0m" : "";
}

cli_painted cli_paint(FILE *stream, cli_colour colour, const char *text)
{
    cli_painted painted;
    snprintf(painted.text, sizeof painted.text, "%s%.128s%s", cli_paint_on(stream, colour), text,
             cli_paint_off(stream));
    return painted;
}

/* ---- bytes from outside */

static bool continues_character(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the character at `text` if it may be shown unchanged; otherwise 0. */
static size_t printable_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return c[0] >= ' ' && c[0] != 0x7f;
    if (c[0] < 0xc2 || c[0] > 0xf4 || !continues_character(c[1])) return 0;
    if (c[0] < 0xe0) return c[0] == 0xc2 && c[1] < 0xa0 ? 0 : 2; /* U+0080 to U+009F are controls */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || !continues_character(c[2])) return 0;
    if (c[0] < 0xf0) return 3;
    return (c[0] == 0xf0 && c[1] < 0x90) || !continues_character(c[3]) ? 0 : 4;
}

static void escape_text(char *to, size_t size, const char *text, bool keeps_lines)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    while (*text != '\0') {
        const unsigned char byte = (unsigned char)*text;
        const size_t n = keeps_lines && byte == '\n' ? 1 : printable_bytes(text);
        const char code[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        const size_t shown = n > 0 ? n : sizeof code;
        if (at + shown >= size) break;
        memcpy(to + at, n > 0 ? text : code, shown);
        at += shown;
        text += n > 0 ? n : 1;
    }
    to[at] = '\0';
}

void cli_escape(char *to, size_t size, const char *text)
{
    escape_text(to, size, text, false);
}

/* Longest text printed at once, in bytes before it is escaped: a path and a sentence. */
enum { LONGEST_PRINT = 8192 };

void cli_print(const char *format, ...)
{
    char text[LONGEST_PRINT], shown[CLI_SHOWN_GROWTH * LONGEST_PRINT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    escape_text(shown, sizeof shown, text, true);
    fputs(shown, stdout);
}

bool cli_has_utf8(void)
{
    static int known = -1;
    if (known < 0) {
        setlocale(LC_CTYPE, ""); /* of characters only: numbers keep their point */
        known = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    }
    return known != 0;
}

const char *cli_plus_minus(void)
{
    return cli_has_utf8() ? "\xc2\xb1" : "+/-";
}

const char *cli_arrow(void)
{
    return cli_has_utf8() ? "\xe2\x86\x92" : "->";
}

int cli_text_width(const char *text)
{
    int width = 0;
    while (*text != '\0') {
        if (*text == '\033') { /* a change of colour, up to its m */
            text += strcspn(text, "m");
            if (*text != '\0') text++;
            continue;
        }
        width += ((unsigned char)*text & 0xc0) != 0x80; /* not a continuation of a character */
        text++;
    }
    return width;
}

/* ---- lines */

enum { REPORT_WIDTH = 120, LEAST_WIDTH = 40, LONGEST_WORD = 256 };

int cli_width(FILE *stream)
{
    struct winsize size = {0};
    if (is_kept && stream == stdout) return kept_width;
    if (isatty(fileno(stream)) == 0 || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return REPORT_WIDTH;
    return size.ws_col > LEAST_WIDTH ? size.ws_col : LEAST_WIDTH;
}

void cli_print_broken(FILE *stream, const char *text, int column, int indent, int width)
{
    bool begins = true; /* a line, of which the first may go on after what stands there already */
    while (*text != '\0') {
        const size_t length = strcspn(text, " \n");
        char word[LONGEST_WORD];
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int columns = cli_text_width(word);
        if (!begins && column + 1 + columns > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (!begins) {
            fputc(' ', stream);
            column++;
        }
        fwrite(text, 1, length, stream);
        column += columns;
        text += length;
        begins = *text == '\n';
        if (begins) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        if (*text != '\0') text++;
    }
    fputc('\n', stream);
}

/*
 * ---- progress: a timer's signal writes one line over and over. Only write() is used in it, and it
 * reads the one of two texts that is not being written.
 */

/*
 * Greatest width of the line: a longer one would be wrapped and could not be erased. SECONDS_WIDTH:
 * width of the part before the text.
 */
enum { LONGEST_WHAT = 120, SECONDS_WIDTH = 10 };

static char progress_texts[2][LONGEST_WHAT];
static volatile sig_atomic_t progress_text, progress_seconds;
static bool progress_runs;

static void put_bytes(const char *text, size_t length)
{
    const ssize_t written = write(STDERR_FILENO, text, length);
    (void)written; /* A failure cannot be handled here. */
}

static void handle_tick(int signal_number)
{
    (void)signal_number;
    char digits[12];
    size_t at = sizeof digits;
    const char *what = progress_texts[progress_text];
    progress_seconds = progress_seconds + 1;
    for (unsigned rest = (unsigned)progress_seconds; at > 0; rest /= 10) {
        digits[--at] = (char)('0' + rest % 10);
        if (rest < 10) break;
    }
    put_bytes("\r\033[K", 4);
    put_bytes(digits + at, sizeof digits - at);
    put_bytes(" s  ", 4);
    put_bytes(what, strlen(what));
}

static void set_timer(long seconds)
{
    const struct itimerval every = {.it_interval = {.tv_sec = seconds}, .it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_REAL, &every, NULL);
}

void cli_progress_say(const char *what)
{
    const int other = 1 - progress_text;
    char escaped[LONGEST_WHAT];
    cli_escape(escaped, sizeof escaped, what);
    snprintf(progress_texts[other], LONGEST_WHAT, "%.*s", cli_width(stderr) - SECONDS_WIDTH, escaped);
    progress_text = other;
}

/* Share of the work below which the remaining time is not shown, because it would be a guess. */
#define LEAST_SHARE 0.03

void cli_progress_part(size_t done, size_t total, double share, const char *what)
{
    char text[LONGEST_WHAT], left[32] = "";
    if (share > LEAST_SHARE && share < 1)
        snprintf(left, sizeof left, ", about %.0f s left", (double)progress_seconds * (1 - share) / share);
    snprintf(text, sizeof text, "%zu of %zu parts%s: %s", done, total, left, what);
    cli_progress_say(text);
}

void cli_progress_begin(const char *what, bool quiet)
{
    progress_runs = false;
    if (quiet || !isatty(STDERR_FILENO)) return;
    struct sigaction action = {.sa_handler = handle_tick, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0) return;
    cli_progress_say(what);
    progress_seconds = 0;
    progress_runs = true;
    set_timer(1);
}

void cli_progress_clear(void)
{
    if (progress_runs && progress_seconds > 0) put_bytes("\r\033[K", 4);
}

void cli_progress_end(void)
{
    if (!progress_runs) return;
    set_timer(0);
    cli_progress_clear();
    progress_runs = false;
}
