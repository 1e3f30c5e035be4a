/* SPDX-License-Identifier: MIT */
/* The files of the folder of results, and what makes them. */
#include "reports/lines.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <string.h>

static void path_of(char *path, const ic_web *web, const char *file)
{
    snprintf(path, IC_WEB_PATH, "%s/%s", web->folder, file);
}

FILE *ic_web_result(const ic_web *web, const char *file)
{
    char path[IC_WEB_PATH];
    path_of(path, web, file);
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

/* ---- what makes them */

static const struct {
    const char *file, *command;
    bool quick;
} first_recipes[] = {
    {"list.json", "list --json > list.json", true},
    {"verify.json", "verify --quiet --json verify.json", false},
    {"bench.json", "bench --quiet --out bench.json", false},
    {"audits/engines.json", "audit --engine all --json > audits/engines.json", false},
};
enum { FIRST = sizeof first_recipes / sizeof *first_recipes };

static const char audit_folder[] = "audits/";

/* audits/NAME.json */
static bool audited_solver(const char *file, char *name, size_t size)
{
    const size_t before = strlen(audit_folder), length = strlen(file);
    if (strncmp(file, audit_folder, before) != 0 || length < before + sizeof ".json") return false;
    snprintf(name, size, "%.*s", (int)(length - before - strlen(".json")), file + before);
    return strchr(name, '/') == NULL;
}

ic_recipe ic_web_recipe(const char *file)
{
    ic_recipe recipe = {""};
    char line[IC_LINE_SIZE], name[64];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("results.txt");
    for (size_t i = 0; i < FIRST; i++) {
        if (strcmp(first_recipes[i].file, file) == 0)
            snprintf(recipe.text, sizeof recipe.text, "%s", first_recipes[i].command);
    }
    while (recipe.text[0] == '\0' && at != NULL && ic_next_line(&at, line)) {
        ic_line_fields(line, fields);
        if (strcmp(fields[0], file) == 0) snprintf(recipe.text, sizeof recipe.text, "%s", fields[2]);
    }
    if (recipe.text[0] == '\0' && audited_solver(file, name, sizeof name)) {
        snprintf(recipe.text, sizeof recipe.text, "audit --solver %s --json > %s", name, file);
    }
    return recipe;
}

void ic_web_recipes(const ic_web *web, bool quick, FILE *stream)
{
    char line[IC_LINE_SIZE];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("results.txt");
    size_t i;
    json_t *solver;
    for (i = 0; i < FIRST; i++) {
        if (quick && !first_recipes[i].quick) continue;
        fprintf(stream, "%s\t%s\n", first_recipes[i].file, first_recipes[i].command);
    }
    while (at != NULL && ic_next_line(&at, line)) {
        ic_line_fields(line, fields);
        if (!quick || strcmp(fields[1], "quick") == 0) fprintf(stream, "%s\t%s\n", fields[0], fields[2]);
    }
    json_array_foreach(json_object_get(json_object_get(web->files, "list.json"), "solvers"), i, solver)
    {
        char file[IC_WEB_PATH];
        if (!json_is_null(json_object_get(solver, "variant")))
            continue;                                                 /* made for one variant: not for traps */
        if (quick && ic_text_is(solver, "control", "step")) continue; /* small steps take seconds */
        snprintf(file, sizeof file, "%s%s.json", audit_folder, ic_report_text(solver, "name"));
        fprintf(stream, "%s\t%s\n", file, ic_web_recipe(file).text);
    }
}
