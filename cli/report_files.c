/* SPDX-License-Identifier: MIT */
#include "cli/report_files.h"
#include "reports/json.h"

#include <string.h>

static const char *name_of(const cli_report_files *reports, const cli_arguments *arguments, size_t i)
{
    return arguments->command->options[reports->kinds[i].option].name;
}

/* Two reports in one file would not be readable. */
static bool is_free(const cli_report_files *reports, const cli_arguments *arguments, size_t i, const char *path)
{
    for (size_t j = 0; j < i; j++) {
        const char *other = cli_value(arguments, reports->kinds[j].option);
        if (other == NULL || strcmp(other, path) != 0) continue;
        return cli_refuse(arguments->command, "options %s and %s name the same file '%s'",
                          name_of(reports, arguments, j), name_of(reports, arguments, i), path);
    }
    return true;
}

bool cli_report_files_open(cli_report_files *reports, const cli_arguments *arguments,
                           const cli_report_kind *kinds, size_t n)
{
    reports->kinds = kinds;
    reports->n = n;
    for (size_t i = 0; i < n; i++) {
        const char *path = cli_value(arguments, kinds[i].option);
        if (path == NULL) continue;
        if (!is_free(reports, arguments, i, path)) return false;
        if (!cli_file_open_option(&reports->files[i], arguments, kinds[i].option)) return false;
    }
    return true;
}

bool cli_report_files_write(cli_report_files *reports, const cli_arguments *arguments, const json_t *results)
{
    ic_error error;
    bool good = true;
    for (size_t i = 0; i < reports->n; i++) {
        if (reports->files[i].stream == NULL) continue;
        ic_error_set(&error, "one of the reports could not be written");
        /* The function that closes the file reports the failure. */
        const bool whole = reports->kinds[i].write(results, reports->files[i].stream);
        if ((whole || ferror(reports->files[i].stream)) && cli_file_commit(&reports->files[i], &error))
            continue;
        cli_failure(arguments->command, "%s", error.text);
        good = false;
    }
    return good;
}

void cli_report_files_close(cli_report_files *reports)
{
    for (size_t i = 0; i < reports->n; i++) cli_file_discard(&reports->files[i]);
}

bool cli_report_json(const json_t *results, FILE *stream)
{
    ic_json json = ic_json_to(stream);
    ic_json_value(&json, NULL, results);
    return ferror(stream) == 0;
}
