/* SPDX-License-Identifier: MIT */
/* impactcheck report: a folder of results as web pages. */
#include "casefile/casefile.h"
#include "cli/call.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/instance.h"
#include "cli/terminal.h"
#include "registry/registry.h"
#include "reports/html.h"
#include "reports/web.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OUT, RESULTS, COMMANDS, QUICK, QUIET };

static const cli_option options[] = {
    [OUT] =
        {"--out", "DIR",
         "folder of the pages, which is made if it does not exist and must not hold another report; default "
         "build/report, with FILE.yaml or CASE its name and -report",
         false},
    [RESULTS] = {"--results", "DIR",
                 "folder of the results; default build/results, with FILE.yaml or CASE DIR/results", false},
    [COMMANDS] = {"--commands", NULL,
                  "do not write pages; list the possible result files: FILE, a tab, the command that makes it",
                  false},
    [QUICK] = {"--quick", NULL, "with --commands: only commands that take less than a second", false},
    [QUIET] = {"--quiet", NULL, "do not print the path of the pages", false},
};

enum { PATH_SIZE = 4096 };

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
    char path[2 * PATH_SIZE];
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

/* ---- a report about one case: its results are made first */

/* The files that a report about a case has: with NAME of the case, and arguments of its command. */
typedef struct result_file {
    const char *file, *command, *arguments[4];

    /* takes the file's name as the last argument; otherwise it writes to standard output */
    bool names_file;
} result_file;

enum { RUN = 3, MOST_PRESETS = 6 /* whose states are drawn */ };

static const result_file result_files[] = {
    {"list.json", "list", {"--json"}, false},
    {"verify.json", "verify", {"--quiet", "--json"}, true},
    {"bench.json", "bench", {"--quiet", "--out"}, true},
    [RUN] = {"runs/states-%s.csv", "run", {"--quiet", "--trajectory"}, true},
    {"certified/%s.json", "certify", {"--digits", "20", "--json"}, false},
};

/*
 * Its output is a file. A file that cannot be made, such as a certificate of a case that is not affine, is missing, and
 * its page states this.
 */
static bool make_result(const result_file *result, const char *operand, char *path)
{
    const char *words[3 + IC_COUNT(result->arguments)] = {result->command, operand};
    size_t n = 2;
    for (size_t i = 0; i < IC_COUNT(result->arguments) && result->arguments[i] != NULL; i++)
        words[n++] = result->arguments[i];
    if (result->names_file) words[n++] = path;
    const cli_call call = {.words = words, .n = n, .output = result->names_file ? NULL : path};
    const bool made = cli_call_run(&call) <= CLI_CHECK_FAILED;
    if (!made) remove(path);
    return made;
}

static bool is_file(const char *operand)
{
    return ic_casefile_path(operand) == strlen(operand);
}

/* The case of the operand. NULL: the reason has been printed. */
static const ic_case *find_case(const cli_arguments *arguments, const char *operand)
{
    ic_error error;
    const char *name = operand;
    if (is_file(operand)) return cli_use_case_file(arguments->command, &name) ? ic_cases[0] : NULL;
    const ic_request request = {.path = operand};
    const bool preset = ic_casefile_path(operand) > 0 || strchr(operand, '/') != NULL;
    const ic_case *system = preset ? NULL : ic_setup_case(&request, &error);
    if (preset)
        cli_bad_input(arguments->command,
                      "'%s' is a preset: expected CASE or FILE.yaml, whose report has its presets", operand);
    else if (system == NULL) cli_bad_input(arguments->command, "%s", error.text);
    return system;
}

/* false: the reason has been printed. */
static bool make_results(const cli_arguments *arguments, const ic_case *system, const char *folder)
{
    static const char *const folders[] = {"", "/runs", "/certified", "/studies"};
    static const result_file figure_file = {.command = "study", .arguments = {"--json"}};
    const char *operand = arguments->operands[0];
    const result_file only_case = {"list.json", "list", {operand, "--json"}, false};
    char path[PATH_SIZE + 256], file[256];
    for (size_t i = 0; i < IC_COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s%s", folder, folders[i]);
        if (!make_folder(arguments, path)) return false;
    }
    for (size_t i = 0; i < IC_COUNT(result_files); i++) {
        const bool listed = i == 0 && !is_file(operand);
        snprintf(file, sizeof file, result_files[i].file, system->name);
        snprintf(path, sizeof path, "%.4000s/%s", folder, file);
        if (!make_result(listed ? &only_case : &result_files[i], listed ? "cases" : operand, path) && i == 0)
            return cli_refuse(arguments->command, "'%s' could not be written", path);
    }
    for (size_t i = 1; i < system->n_presets && i < MOST_PRESETS; i++) {
        char preset[PATH_SIZE];
        snprintf(preset, sizeof preset, "%.3000s/%.1000s", operand, system->presets[i].name);
        snprintf(path, sizeof path, "%.3800s/runs/states-%.128s-%zu.csv", folder, system->name, i + 1);
        make_result(&result_files[RUN], preset, path);
    }
    for (size_t i = 0; i < system->n_figures; i++) {
        char figure[PATH_SIZE];
        snprintf(figure, sizeof figure, "%.3000s/%.1000s", operand, system->figures[i].name);
        snprintf(path, sizeof path, "%.3800s/%s", folder,
                 ic_web_figure_file(system->name, system->figures[i].name).text);
        make_result(&figure_file, figure, path);
    }
    return true;
}

/* A report about a case has a folder of its own. */
static void choose_folder(char *folder, const cli_arguments *arguments)
{
    const char *slash = arguments->n_operands > 0 ? strrchr(arguments->operands[0], '/') : NULL;
    const char *file = slash != NULL ? slash + 1 : arguments->n_operands > 0 ? arguments->operands[0] : NULL;
    if (cli_has(arguments, OUT)) snprintf(folder, PATH_SIZE, "%s", cli_value(arguments, OUT));
    else if (file == NULL) snprintf(folder, PATH_SIZE, "build/report");
    else {
        const size_t whole = strcspn(file, "."), length = whole < NAME_MAX ? whole : NAME_MAX;
        memcpy(folder, file, length);
        memcpy(folder + length, "-report", sizeof "-report");
    }
}

/* Whether two operands name one file. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat there, here;
    return stat(a, &there) == 0 && stat(b, &here) == 0 && there.st_dev == here.st_dev &&
           there.st_ino == here.st_ino;
}

/* Reads from the first page of a folder which case its pages are about. false: the folder has no pages. */
static bool read_subject(char subject[PATH_SIZE], const char *folder)
{
    static const char begin[] = "<meta name=\"impactcheck-report\" content=\"";
    char path[PATH_SIZE + 16], line[PATH_SIZE];
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *stream = fopen(path, "r");
    subject[0] = '\0';
    if (stream == NULL) return false;
    while (fgets(line, sizeof line, stream) != NULL) {
        if (strncmp(line, begin, strlen(begin)) != 0) continue;
        const char *name = line + strlen(begin);
        snprintf(subject, PATH_SIZE, "%.*s", (int)strcspn(name, "\""), name);
        break;
    }
    fclose(stream);
    return true;
}

/*
 * Neither pages nor results are written over those of another report. `subject`: "" of all cases. false: the
 * reason has been printed.
 */
static bool check_folder(const cli_arguments *arguments, const char *subject, const char *out,
                         const char *results)
{
    char there[PATH_SIZE], escaped[PATH_SIZE] = "";
    ic_web_error error;
    FILE *memory = fmemopen(escaped, sizeof escaped, "w");
    if (memory != NULL) ic_html_text(memory, subject);
    if (memory != NULL) fclose(memory);
    if (read_subject(there, out) && strcmp(there, escaped) != 0 && !is_same_file(there, subject))
        return cli_refuse(
            arguments->command,
            "option --out: the folder '%s' holds a report about %s; name another folder, or remove it", out,
            there[0] != '\0' ? there : "all cases");
    ic_web *web = subject[0] != '\0' ? ic_web_open(results, &error) : NULL;
    snprintf(there, sizeof there, "%s", web != NULL ? ic_web_subject(web) : subject);
    ic_web_close(web);
    if (strcmp(there, subject) == 0 || is_same_file(there, subject)) return true;
    return cli_refuse(
        arguments->command,
        "option --results: the folder '%s' holds results of %s; name another folder, or remove it", results,
        there[0] != '\0' ? there : "all cases");
}

static int write_pages(const cli_arguments *arguments, ic_web *web, const char *folder)
{
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
    char results[PATH_SIZE + 16], out[PATH_SIZE];
    choose_folder(out, arguments);
    const char *given = cli_value(arguments, RESULTS);
    snprintf(results, sizeof results, "%s", given != NULL ? given : "build/results");
    if (arguments->n_operands > 0) {
        if (cli_has(arguments, COMMANDS))
            return cli_bad_input(arguments->command, "option --commands cannot be used with a case");
        const ic_case *system = find_case(arguments, arguments->operands[0]);
        if (system == NULL) return CLI_BAD_INPUT;
        if (given == NULL) snprintf(results, sizeof results, "%s/results", out);
        if (!check_folder(arguments, arguments->operands[0], out, results) || !make_folder(arguments, out) ||
            !make_results(arguments, system, results))
            return CLI_BAD_INPUT;
    }
    ic_web *web = ic_web_open(results, &error);
    if (web == NULL) return cli_bad_input(arguments->command, "option --results: %s", error.text);
    int status = CLI_GOOD;
    if (cli_has(arguments, COMMANDS)) ic_web_recipes(web, cli_has(arguments, QUICK), stdout);
    else if (!check_folder(arguments, ic_web_subject(web), out, results)) status = CLI_BAD_INPUT;
    else status = write_pages(arguments, web, out);
    ic_web_close(web);
    return status;
}

const cli_command cli_report = {
    .name = "report",
    .operands = "[FILE.yaml|CASE]",
    .least = 0,
    .most = 1,
    .title = "Results as web pages: verdicts, cases, solvers, audits, costs.",
    .details =
        "With a case file or the name of a case, pages about it alone: whether all is well, what to do next, equations, "
        "modes, figures, certified digits, checks, costs; and audits, of the files audits/NAME.json in its folder of "
        "results. The other results are made first, by list, verify, bench, run and certify.\n"
        "The pages are made from a folder of result files only: "
        "list.json (required), verify.json, bench.json, and the other files that --commands lists. "
        "For a missing file they give the command that makes it; "
        "./run report makes all files, ./run verify the quick ones. "
        "They need no network, and the same results give the same bytes.",
    CLI_OPTIONS(options),
    .run = run_report,
};
