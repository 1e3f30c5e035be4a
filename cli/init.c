/* SPDX-License-Identifier: MIT */
/* impactcheck init: one of the examples as a file of the user's own, and the commands that try it. */
#include "cli/command.h"
#include "cli/embedded.h"
#include "cli/file.h"
#include "cli/terminal.h"
#include "core/system.h"
#include "reports/lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT };

static const cli_option options[] = {
    [OUT] = {"--out", "FILE",
             "name of the file, which must not exist; default: KIND with the ending of its language", false},
};

#define BUILD "cc -shared -fPIC{include} {file} -o {plugin} -lm"
#define AUDIT "impactcheck audit --plugin {plugin}"

/* One line for each kind: its file, the examples whose texts it has, and two commands that try it. */
static const struct {
    const char *name, *file, *what, *examples[2], *commands[2];
} templates[] = {
    {"machine",
     "machine.yaml",
     "a machine as a case file",
     {"machines/stops.yaml"},
     {"impactcheck check {file}", "impactcheck run {file}"}},
    {"law", "law.c", "a contact-force law as a plugin", {"plugin/walton_braun.c"}, {BUILD, AUDIT}},
    {"map", "map.c", "an impact map as a plugin", {"plugin/poisson_by_cases.c"}, {BUILD, AUDIT}},
    {"engine",
     "engine.py",
     "a physics engine as a program",
     {"engine/engine.py"},
     {"chmod +x {file}", "impactcheck audit --engine {path} --scenes ball-on-ground"}},
    {"ci",
     "impactcheck.yaml",
     "a gate for a repository",
     {"ci/first.yaml"},
     {"impactcheck ci --keys", "impactcheck ci {file}"}},
    {"solver", "solver.c", "a solver as a plugin", {"outside/midpoint.c", "plugin/solver.c"}, {BUILD, AUDIT}},
};

/* ---- commands that try it */

/* " -I..." where the compiler does not find the header by itself. */
static void write_include(FILE *stream)
{
    static const char header[] = "/impactcheck/impactcheck.h";
    char own[PATH_MAX], path[PATH_MAX + sizeof header];
    char *folder = NULL;
    if (ic_own_folder(own, sizeof own)) {
        char include[PATH_MAX + sizeof "/../include"];
        snprintf(include, sizeof include, "%s/../include", own);
        folder = realpath(include, NULL);
        if (folder != NULL) snprintf(path, sizeof path, "%s%s", folder, header);
    }
    if (folder == NULL || access(path, R_OK) != 0) fprintf(stream, " $(pkg-config --cflags impactcheck)");
    else if (strcmp(folder, "/usr/include") != 0 && strcmp(folder, "/usr/local/include") != 0)
        fprintf(stream, " -I\"%s\"", folder);
    free(folder);
}

/* A command of a template, with its places filled. */
static void write_command(FILE *stream, const char *command, const char *file)
{
    const char *here = strchr(file, '/') == NULL ? "./" : "";
    const size_t stem =
        strrchr(file, '.') > strrchr(file, '/') ? (size_t)(strrchr(file, '.') - file) : strlen(file);
    for (const char *place = strchr(command, '{'); place != NULL; place = strchr(command, '{')) {
        fprintf(stream, "%.*s", (int)(place - command), command);
        char path[PATH_MAX + 8], word[2 * PATH_MAX];
        const bool plugin = strncmp(place, "{plugin}", 8) == 0,
                   found = plugin || strncmp(place, "{path}", 6) == 0;
        snprintf(path, sizeof path, "%s%.*s%s", found ? here : "", (int)(plugin ? stem : strlen(file)), file,
                 plugin ? ".so" : "");
        ic_shell_word(word, sizeof word, path);
        if (strncmp(place, "{include}", 9) == 0) write_include(stream);
        else fputs(word, stream);
        command = strchr(place, '}') + 1;
    }
    fprintf(stream, "%s\n", command);
}

/* ---- the file */

static const ic_report_text_file *find_example(const char *name)
{
    size_t i = 0;
    while (strcmp(cli_examples[i].path + strlen("../examples/"), name) != 0) i++;
    return &cli_examples[i];
}

/* The text of an example; the commands in its comment become those for this file. */
static void write_example(FILE *stream, const char *text, const char *const commands[2], const char *file)
{
    static const char *const starts[] = {" *     cc ", " *     build/impactcheck "};
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n") + 1;
        const bool command = strncmp(text, starts[0], strlen(starts[0])) == 0,
                   trial = strncmp(text, starts[1], strlen(starts[1])) == 0;
        if (command || trial) {
            fprintf(stream, " *     ");
            write_command(stream, commands[trial], file);
        } else fwrite(text, 1, length, stream);
        text += length;
    }
}

static int run_init(const cli_arguments *arguments)
{
    ic_nearest nearest = {.wrong = arguments->operands[0]};
    const char *path = cli_value(arguments, OUT);
    cli_file file = {0};
    ic_error error;
    size_t kind = 0;
    while (kind < IC_COUNT(templates) && strcmp(templates[kind].name, nearest.wrong) != 0)
        ic_nearest_offer(&nearest, templates[kind++].name);
    if (kind == IC_COUNT(templates))
        return cli_nearest_unknown(&nearest, arguments->command, "template", "init --help");
    if (path == NULL) path = templates[kind].file;
    if (access(path, F_OK) == 0)
        return cli_bad_input(arguments->command,
                             "%s exists and is left as it is: give another name, --out FILE", path);
    if (!cli_file_open(&file, path, &error)) return cli_bad_input(arguments->command, "%s", error.text);
    for (size_t i = 0; i < IC_COUNT(templates[kind].examples) && templates[kind].examples[i] != NULL; i++) {
        const ic_report_text_file *example = find_example(templates[kind].examples[i]);
        if (i > 0) fputc('\n', file.stream);
        write_example(file.stream, example->text, templates[kind].commands, path);
    }
    if (!cli_file_finish(&file, arguments, NULL)) return CLI_FAILURE;
    printf("%s: %s, to be changed. Next:\n\n", path, templates[kind].what);
    for (size_t i = 0; i < 2; i++) {
        printf("    ");
        write_command(stdout, templates[kind].commands[i], path);
    }
    return CLI_GOOD;
}

const cli_command cli_init = {
    .name = "init",
    .operands = "machine|law|map|engine|solver|ci",
    .least = 1,
    .most = 1,
    .title = "A commented file to begin with: a machine, a law, an impact map, an engine, a solver, a gate.",
    .details = "Writes a file that works, and prints the commands that try it. No file is overwritten.",
    CLI_OPTIONS(options),
    .run = run_init,
};
