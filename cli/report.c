/* SPDX-License-Identifier: MIT */
/* impactcheck report: a folder of results as web pages. */
#include "cli/command.h"
#include "cli/file.h"
#include "cli/terminal.h"
#include "reports/web.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { OUT, RESULTS, COMMANDS, QUICK, QUIET };

static const cli_option options[] = {
    [OUT] = {"--out", "DIR", "folder of the pages, made if it is not there; default build/report", false},
    [RESULTS] = {"--results", "DIR", "folder of the results; default build/results", false},
    [COMMANDS] = {"--commands", NULL,
                  "write no pages; list the possible result files: FILE, a tab, the command that makes it",
                  false},
    [QUICK] = {"--quick", NULL, "with --commands: only those that take less than a second", false},
    [QUIET] = {"--quiet", NULL, "do not print where the pages are", false},
};

enum { PATH_SIZE = 4096 };

static const char *value_or(const cli_arguments *arguments, size_t option, const char *otherwise)
{
    const char *value = cli_value(arguments, option);
    return value != NULL ? value : otherwise;
}

static bool make_folder(const cli_arguments *arguments, const char *folder)
{
    struct stat there;
    if (mkdir(folder, 0777) == 0) return true;
    if (errno == EEXIST && stat(folder, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    return cli_refuse(arguments->command, "option --out: cannot make the folder '%s': %s", folder,
                      strerror(errno));
}

/* false: the reason has been printed. */
static bool write_page(const cli_arguments *arguments, ic_web *web, size_t i, const char *folder)
{
    char path[PATH_SIZE];
    cli_file file = {0};
    ic_error error;
    snprintf(path, sizeof path, "%s/%s", folder, ic_web_file_name(web, i));
    bool good = cli_file_open(&file, path, &error);
    if (good && !ic_web_write(web, i, file.stream)) {
        ic_error_set(&error, "'%s' could not be written: memory or the disk ran out", path);
        good = false;
    }
    good = good && cli_file_commit(&file, &error);
    cli_file_discard(&file);
    if (!good) cli_failure(arguments->command, "%s", error.text);
    return good;
}

static int write_pages(const cli_arguments *arguments, ic_web *web)
{
    const char *folder = value_or(arguments, OUT, "build/report");
    if (!make_folder(arguments, folder)) return CLI_BAD_INPUT;
    for (size_t i = 0; i < ic_web_files(web); i++) {
        if (!write_page(arguments, web, i, folder)) return CLI_FAILURE;
    }
    if (!cli_has(arguments, QUIET)) cli_print("Report: %s/index.html\n", folder);
    return CLI_GOOD;
}

static int run_report(const cli_arguments *arguments)
{
    ic_web_error error;
    if (cli_has(arguments, QUICK) && !cli_has(arguments, COMMANDS)) {
        return cli_bad_input(arguments->command, "option --quick needs --commands");
    }
    if (!cli_compatible(arguments, COMMANDS, OUT, "no pages are written")) return CLI_BAD_INPUT;
    ic_web *web = ic_web_open(value_or(arguments, RESULTS, "build/results"), &error);
    if (web == NULL) return cli_bad_input(arguments->command, "option --results: %s", error.text);
    int status = CLI_GOOD;
    if (cli_has(arguments, COMMANDS)) ic_web_recipes(web, cli_has(arguments, QUICK), stdout);
    else status = write_pages(arguments, web);
    ic_web_close(web);
    return status;
}

const cli_command cli_report = {
    .name = "report",
    .operands = "",
    .least = 0,
    .most = 0,
    .title = "Results as web pages: verdicts, cases, solvers, audits, costs.",
    .details = "The pages are made of a folder of result files and of nothing else: "
               "list.json (needed), verify.json, bench.json, and what --commands names. "
               "For a missing file they give the command that makes it; "
               "./run report makes all files, ./run verify the quick ones. "
               "They need no network, and the same results give the same bytes.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run_report,
};
