/* SPDX-License-Identifier: MIT */
#include "cli/figure.h"
#include "cli/terminal.h"
#include "reports/html.h"
#include "reports/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes a figure to its stream. false: `error` gives the reason. */
typedef bool figure_writer(FILE *stream, const ic_plot *plot, ic_error *error);

typedef struct cli_figure_format {
    /* NULL: the terminal */
    const char *ending;

    figure_writer *write;
} cli_figure_format;

extern char **environ;

/* ---- what is shown */

bool cli_shown_names(const char *list, size_t most, const char *of, cli_take_name *take, void *self,
                     ic_error *error)
{
    for (size_t i = 0; i < most; i++) {
        char name[80];
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        if (!take(self, name, error)) return false;
        list += length;
        if (*list++ == '\0') return true;
    }
    ic_error_set(error, "option --show: a %s shows at most %zu", of, most);
    return false;
}

/* ---- SVG and HTML */

static bool write_svg(FILE *stream, const ic_plot *plot, ic_error *error)
{
    (void)error;
    ic_plot alone = *plot;
    alone.alone = true;
    ic_plot_write(&alone, stream);
    return true;
}

static bool write_html(FILE *stream, const ic_plot *plot, ic_error *error)
{
    (void)error;
    const char *style = ic_report_embedded("report.css");
    IC_HTML(
        stream,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%</title>\n<link rel=\"icon\" href=\"data:,\">\n",
        plot->title);
    fprintf(stream, "<style>\n%s\nfigure svg.plot { max-width: none; }\n</style>\n</head>\n",
            style != NULL ? style : "");
    IC_HTML(stream, "<body>\n<main>\n<h1>%</h1>\n<figure>\n", plot->title);
    ic_plot_write(plot, stream);
    fputs("</figure>\n</main>\n</body>\n</html>\n", stream);
    return true;
}

/* ---- PNG, by a program that turns SVG into it */

static char converter[] = "rsvg-convert";

/* Four times the size on a page: 300 dots per inch in print. */
static char width[] = "1760";

/* Runs the converter. Returns its exit status; -1: it is not there, or does not run. */
static int convert(int from, int to, char *const arguments[])
{
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&files) != 0) return -1;
    const bool started = posix_spawn_file_actions_adddup2(&files, from, STDIN_FILENO) == 0 &&
                         posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO) == 0 &&
                         posix_spawnp(&child, converter, &files, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    if (!started) return -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool has_converter(void)
{
    char *const ask[] = {converter, (char[]){"--version"}, NULL};
    const int nowhere = open("/dev/null", O_RDWR);
    const bool there = nowhere >= 0 && convert(nowhere, nowhere, ask) == 0;
    if (nowhere >= 0) close(nowhere);
    return there;
}

static bool write_png(FILE *stream, const ic_plot *plot, ic_error *error)
{
    char *const make[] = {converter, (char[]){"--width"}, width, NULL};
    FILE *svg = tmpfile();
    const bool good = svg != NULL && write_svg(svg, plot, error) && fflush(svg) == 0 && !ferror(svg) &&
                      lseek(fileno(svg), 0, SEEK_SET) == 0 && convert(fileno(svg), fileno(stream), make) == 0;
    if (svg != NULL) fclose(svg);
    if (!good) ic_error_set(error, "%s failed to make a PNG; FILE.svg needs no other program", converter);
    return good;
}

/* ---- the terminal */

/* Titles and names are of files: they are escaped. */
static bool print_figure(FILE *stream, const ic_plot *plot, ic_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    (void)stream;
    bool good = lines != NULL && ic_plot_write_text(plot, lines, cli_width(stdout), cli_has_utf8());
    good = lines != NULL && fclose(lines) == 0 && good;
    for (char *at = text, *end; good && at != NULL && (end = strchr(at, '\n')) != NULL; at = end + 1)
        cli_print("%.*s\n", (int)(end - at), at);
    free(text);
    if (!good) ic_error_no_memory(error);
    return good;
}

/* ---- the place */

static const cli_figure_format formats[] = {
    {".svg", write_svg}, {".html", write_html}, {".png", write_png}, {NULL, print_figure}};

static const cli_figure_format *format_of(const char *path)
{
    const cli_figure_format *format = formats;
    if (strcmp(path, "-") == 0) return &formats[IC_COUNT(formats) - 1];
    while (format->ending != NULL && !cli_ends_with(path, format->ending)) format++;
    return format->ending != NULL ? format : NULL;
}

bool cli_figure_open(cli_figure *figure, const cli_arguments *arguments, size_t option, size_t json)
{
    const cli_command *command = arguments->command;
    const char *path = cli_value(arguments, option);
    if (path == NULL) return true;
    const cli_figure_format *format = format_of(path);
    if (format == NULL)
        return cli_refuse(command, "option --plot: '%s' ends neither in .svg, .html nor .png, and is not -",
                          path);
    if (format->write == write_png && !has_converter())
        return cli_refuse(
            command,
            "option --plot: a PNG is made by %s, which is not found (Debian: librsvg2-bin); FILE.svg "
            "and FILE.html need no other program",
            converter);
    if (format->ending == NULL && cli_has(arguments, json))
        return cli_refuse(command, "option --plot: - and --json would both write to standard output");
    figure->format = format;
    return format->ending == NULL || cli_file_open_option(&figure->file, arguments, option);
}

bool cli_figure_finish(cli_figure *figure, const cli_arguments *arguments, const ic_plot *plot)
{
    ic_error error;
    bool good = !plot->out_of_memory && ic_plot_has_data(plot);
    if (plot->out_of_memory) ic_error_no_memory(&error);
    else if (!good) ic_error_set(&error, "no value is finite: there is nothing to draw");
    good = good && figure->format->write(figure->file.stream, plot, &error) &&
           (figure->file.stream == NULL || cli_file_commit(&figure->file, &error));
    if (!good) cli_failure(arguments->command, "option --plot: %s", error.text);
    return good;
}

void cli_figure_discard(cli_figure *figure)
{
    cli_file_discard(&figure->file);
    figure->format = NULL;
}
