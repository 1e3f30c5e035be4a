/* SPDX-License-Identifier: MIT */
/* The files of the results folder, and the commands that make them. */
#include "reports/lines.h"
#include "reports/reports.h"
#include "reports/web.h"
#include "reports/web_parts.h"

#include <string.h>

FILE *ic_web_result(const ic_web *web, const char *file)
{
    char path[IC_WEB_PATH];
    snprintf(path, sizeof path, "%s/%s", web->folder, file);
    return fopen(path, "r");
}

bool ic_web_has(const ic_web *web, const char *file)
{
    FILE *stream = ic_web_result(web, file);
    if (stream != NULL) fclose(stream);
    return stream != NULL;
}

const json_t *ic_web_json(ic_web *web, const char *file)
{
    const json_t *known = json_object_get(web->files, file);
    if (known == NULL) {
        FILE *stream = ic_web_result(web, file);
        json_t *read = stream != NULL ? json_loadf(stream, 0, NULL) : NULL;
        if (stream != NULL) fclose(stream);
        json_object_set_new(web->files, file, read != NULL ? read : json_null());
        known = json_object_get(web->files, file);
    }
    return json_is_null(known) ? NULL : known;
}

const json_t *ic_web_cases(ic_web *web)
{
    return json_object_get(ic_web_json(web, "list.json"), "cases");
}

const json_t *ic_web_solvers(ic_web *web)
{
    return json_object_get(ic_web_json(web, "list.json"), "solvers");
}

const json_t *ic_web_rows(ic_web *web)
{
    return json_object_get(ic_web_json(web, "verify.json"), "rows");
}

const json_t *ic_web_findings(ic_web *web, const char *solver, char file[IC_WEB_AUDIT])
{
    snprintf(file, IC_WEB_AUDIT, "audits/%.128s.json", solver);
    return json_object_get(ic_web_json(web, file), "findings");
}

/* ---- commands that make the files */

static const struct {
    const char *file, *command;
    bool quick;
} first_recipes[] = {
    {"list.json", "list --json > list.json", true},
    {"verify.json", "verify --quiet --json verify.json", false},
    {"bench.json", "bench --quiet --out bench.json", false},
    {"engines.json", "audit --engine all --json > engines.json", false},
};
enum { FIRST = sizeof first_recipes / sizeof *first_recipes };

/* Result files that every solver or every case has: beginning and ending of the file's name, and
   the command, whose two `%` are the name and the file. */
typedef struct folder_recipe {
    const char *before, *ending, *command;
} folder_recipe;
static const folder_recipe audit_of_solver = {"audits/", ".json", "audit --solver % --json > %"},
                           run_of_case = {"runs/states-", ".csv", "run % --trajectory % --quiet"},
                           certificate_of_case = {"certified/", ".json", "certify % --digits 20 --json > %"};

/* Whether such a recipe makes a file; its command. */
static bool is_made_by(const folder_recipe *recipe, const char *file, ic_recipe *command)
{
    const size_t before = strlen(recipe->before), behind = strlen(recipe->ending), length = strlen(file);
    char name[64];
    if (strncmp(file, recipe->before, before) != 0 || length <= before + behind) return false;
    if (strcmp(file + length - behind, recipe->ending) != 0) return false;
    snprintf(name, sizeof name, "%.*s", (int)(length - before - behind), file + before);
    if (strchr(name, '/') != NULL) return false;
    const char *first = strchr(recipe->command, '%'), *second = strchr(first + 1, '%');
    snprintf(command->text, sizeof command->text, "%.*s%s%.*s%s%s", (int)(first - recipe->command),
             recipe->command, name, (int)(second - first - 1), first + 1, file, second + 1);
    return true;
}

ic_recipe ic_web_operand(const ic_web *web)
{
    ic_recipe word = {""};
    if (web->subject[0] != '\0') ic_shell_word(word.text, sizeof word.text, web->subject);
    return word;
}

/* A subject or path NAME[/PRESET] of a row, with the file in place of the name. */
static void name_operand(const ic_web *web, json_t *row, const char *subject, size_t name)
{
    char path[IC_WEB_PATH], quoted[2 * IC_WEB_PATH];
    if (subject[0] == '\0') name = 0;
    snprintf(path, sizeof path, "%.250s%.200s", web->subject, subject + name);
    size_t n = 0;
    for (const char *c = path; *c != '\0' && n + 8 < sizeof quoted; c++) {
        if (*c == '\'') n += (size_t)snprintf(quoted + n, sizeof quoted - n, "'\\''");
        else quoted[n++] = *c;
    }
    quoted[n] = '\0';
    json_object_set_new(row, "operand", json_string(quoted));
}

void ic_web_name_operands(ic_web *web)
{
    json_t *about = json_array_get(ic_web_cases(web), 0);
    const json_t *const rows[] = {ic_web_rows(web), json_object_get(ic_web_json(web, "bench.json"), "rows"),
                                  json_object_get(about, "presets")};
    const size_t name = strlen(ic_report_text(about, "name"));
    if (web->subject[0] == '\0') return;
    name_operand(web, about, "", 0);
    for (size_t i = 0; i < 3; i++) {
        size_t k;
        json_t *row;
        json_array_foreach(rows[i], k, row)
            name_operand(web, row, ic_report_text(row, i < 2 ? "subject" : "path"), name);
    }
}

const char *ic_row_operand(const json_t *row)
{
    const char *operand = ic_report_text(row, "operand"), *subject = ic_report_text(row, "subject");
    return operand[0] != '\0' ? operand : subject[0] != '\0' ? subject : "*";
}

/* The command of a study that is a figure of a case, if the file is one. */
static ic_recipe recipe_of_figure(const ic_web *web, const char *file)
{
    ic_recipe recipe = {""};
    const json_t *cases = json_object_get(json_object_get(web->files, "list.json"), "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *about = json_array_get(cases, i);
        json_t *figure;
        const char *name;
        json_object_foreach((json_t *)ic_figures_of(about), name, figure)
        {
            char path[IC_WEB_PATH / 2], quoted[IC_WEB_PATH / 2];
            if (strcmp(ic_web_figure_file(ic_report_text(about, "name"), name).text, file) != 0) continue;
            snprintf(path, sizeof path, "%.150s/%.60s",
                     web->subject[0] != '\0' ? web->subject : ic_report_text(about, "name"), name);
            ic_shell_word(quoted, sizeof quoted, path);
            snprintf(recipe.text, sizeof recipe.text, "study %.250s --json > %.120s", quoted, file);
        }
    }
    return recipe;
}

/* The same for a report about one case file. */
static ic_recipe recipe_of_file(const ic_web *web, const char *file)
{
    ic_recipe recipe = {""};
    char quoted[IC_WEB_PATH / 2];
    char path[IC_WEB_PATH / 2];
    const json_t *about = json_array_get(json_object_get(json_object_get(web->files, "list.json"), "cases"), 0);
    const size_t before = strlen(run_of_case.before) + strlen(ic_report_text(about, "name"));
    size_t preset = 0;
    snprintf(path, sizeof path, "%s", web->subject);
    /* runs/states-NAME-2.csv: the second preset */
    if (strlen(file) > before && sscanf(file + before, "-%zu.csv", &preset) == 1 && preset > 1)
        snprintf(path, sizeof path, "%.150s/%.80s", web->subject,
                 ic_report_text(json_array_get(json_object_get(about, "presets"), preset - 1), "preset"));
    ic_shell_word(quoted, sizeof quoted, path);
    const bool certificate = strncmp(file, certificate_of_case.before, strlen(certificate_of_case.before)) == 0,
               run = strncmp(file, run_of_case.before, strlen(run_of_case.before)) == 0;
    if (strcmp(file, "list.json") == 0)
        snprintf(recipe.text, sizeof recipe.text, "list %s%.250s --json > list.json",
                 json_object_get(about, "file") == NULL ? "cases " : "", quoted);
    else if (strcmp(file, "verify.json") == 0)
        snprintf(recipe.text, sizeof recipe.text, "verify %.250s --quiet --json verify.json", quoted);
    else if (strcmp(file, "bench.json") == 0)
        snprintf(recipe.text, sizeof recipe.text, "bench %.250s --quiet --out bench.json", quoted);
    else if (run)
        snprintf(recipe.text, sizeof recipe.text, "run %.250s --trajectory '%.120s' --quiet", quoted, file);
    else if (certificate)
        snprintf(recipe.text, sizeof recipe.text, "certify %.250s --digits 20 --json > '%.120s'", quoted, file);
    else recipe = recipe_of_figure(web, file);
    return recipe;
}

ic_recipe ic_web_recipe(const ic_web *web, const char *file)
{
    ic_recipe recipe = {""};
    if (web->subject[0] != '\0') return recipe_of_file(web, file);
    char line[IC_LINE_SIZE];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("results.txt");
    for (size_t i = 0; i < FIRST; i++) {
        if (strcmp(first_recipes[i].file, file) == 0)
            snprintf(recipe.text, sizeof recipe.text, "%s", first_recipes[i].command);
    }
    while (recipe.text[0] == '\0' && at != NULL && ic_next_line(&at, line)) {
        ic_line_fields(line, fields);
        if (strcmp(fields[0], file) == 0) snprintf(recipe.text, sizeof recipe.text, "%s", fields[2]);
    }
    if (recipe.text[0] == '\0') recipe = recipe_of_figure(web, file);
    if (recipe.text[0] == '\0' && !is_made_by(&audit_of_solver, file, &recipe) &&
        !is_made_by(&run_of_case, file, &recipe))
        is_made_by(&certificate_of_case, file, &recipe);
    return recipe;
}

bool ic_web_is_listed(const char *file)
{
    char line[IC_LINE_SIZE];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("results.txt");
    while (at != NULL && ic_next_line(&at, line)) {
        ic_line_fields(line, fields);
        if (strcmp(fields[0], file) == 0) return true;
    }
    return false;
}

/* The recipe of a file for which results.txt has no line. */
static void write_folder_recipe(const ic_web *web, const folder_recipe *recipe, const json_t *about,
                                FILE *stream)
{
    char file[IC_WEB_PATH];
    snprintf(file, sizeof file, "%s%s%s", recipe->before, ic_report_text(about, "name"), recipe->ending);
    if (!ic_web_is_listed(file)) fprintf(stream, "%s\t%s\n", file, ic_web_recipe(web, file).text);
}

static void write_case_recipes(const ic_web *web, const json_t *cases, FILE *stream)
{
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *about = json_array_get(cases, i);
        if (web->subject[0] != '\0' || !ic_page_has_figures(ic_report_text(about, "name")))
            write_folder_recipe(web, &run_of_case, about, stream);
        if (ic_case_is_linear(about)) write_folder_recipe(web, &certificate_of_case, about, stream);
        const char *name;
        json_t *figure;
        json_object_foreach((json_t *)ic_figures_of(about), name, figure)
        {
            const ic_web_name file = ic_web_figure_file(ic_report_text(about, "name"), name);
            fprintf(stream, "%s\t%s\n", file.text, ic_web_recipe(web, file.text).text);
        }
    }
}

void ic_web_recipes(const ic_web *web, bool quick, FILE *stream)
{
    char line[IC_LINE_SIZE];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("results.txt");
    for (size_t i = 0; i < FIRST; i++) {
        if (quick && !first_recipes[i].quick) continue;
        const char *file = first_recipes[i].file;
        const ic_recipe recipe = ic_web_recipe(web, file);
        if (recipe.text[0] != '\0') fprintf(stream, "%s\t%s\n", file, recipe.text);
    }
    if (web->subject[0] != '\0') at = NULL;
    while (at != NULL && ic_next_line(&at, line)) {
        ic_line_fields(line, fields);
        if (!quick || strcmp(fields[1], "quick") == 0) fprintf(stream, "%s\t%s\n", fields[0], fields[2]);
    }
    write_case_recipes(web, json_object_get(json_object_get(web->files, "list.json"), "cases"), stream);
    if (web->subject[0] != '\0') return; /* traps are no case of one's own */
    const json_t *solvers = json_object_get(json_object_get(web->files, "list.json"), "solvers");
    for (size_t i = 0; i < json_array_size(solvers); i++) {
        const json_t *solver = json_array_get(solvers, i);
        char file[IC_WEB_PATH];
        /* A solver for one variant cannot run traps. */
        if (!json_is_null(json_object_get(solver, "variant"))) continue;
        if (quick && ic_text_is(solver, "control", "step")) continue; /* small steps take seconds */
        snprintf(file, sizeof file, "%s%s%s", audit_of_solver.before, ic_report_text(solver, "name"),
                 audit_of_solver.ending);
        fprintf(stream, "%s\t%s\n", file, ic_web_recipe(web, file).text);
    }
}
