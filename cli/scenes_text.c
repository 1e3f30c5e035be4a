/* SPDX-License-Identifier: MIT */
/* Results of scenes, for people. */
#include "cli/audit_scenes.h"
#include "cli/table.h"

#include <stdio.h>
#include <string.h>

/* rows of the table of scenes; if there were more, a row is an engine */
enum { MOST_ROWS = 80 };

void cli_scene_point_text(char *text, size_t size, const ic_scene_figure *figure, const ic_scene_point *point)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "", [IC_BOUND_BELOW] = "<= ", [IC_BOUND_ABOVE] = ">= "};
    const bool unit = strcmp(figure->unit, "1") != 0;
    char measured[32];
    ic_scene_number_text(measured, sizeof measured, point->measured, 4);
    snprintf(text, size, "%s; %s%.4g +- %.2g%s%s", measured, bounds[figure->bound], point->exact,
             point->tolerance, unit ? " " : "", unit ? figure->unit : "");
}

/* The mistakes of a scene by name, each once; a figure without one by its own name. */
static void found_cell(char *text, size_t size, const ic_scene_result *r)
{
    text[0] = '\0';
    for (size_t k = 0; k < r->file->n_figures; k++) {
        const ic_figure_result *f = &r->figures[k];
        if (f->failed + f->unpromised == 0) continue;
        const char *name = f->cause != IC_NO_MISTAKE ? ic_mistake_name(f->cause) : r->file->figures[k].name;
        const size_t used = strlen(text);
        if (strstr(text, name) == NULL) snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

static void scene_row(cli_table *table, const cli_scenes_audit *a, size_t i, const ic_scene_result *r)
{
    char value[160] = "-", found[200];
    const bool whole = r->broken < r->n_settings;
    const size_t worst = whole ? ic_scene_worst_figure(r) : 0;
    const ic_scene_figure *figure = &r->file->figures[worst];
    found_cell(found, sizeof found, r);
    if (whole)
        cli_scene_point_text(value, sizeof value, figure, ic_scene_point_of(r, r->figures[worst].worst, worst));
    else snprintf(found, sizeof found, "%.100s", r->detail);
    CLI_ROW(table, a->parts[i].name, r->config, r->file->name, ic_scene_verdict_text(r->verdict),
            whole ? figure->name : "-", value, found[0] != '\0' ? found : "-");
}

static bool print_scenes(const cli_scenes_audit *a)
{
    cli_table *table = cli_table_of("engine|set|scene|verdict|worst figure|measured; exact|found");
    for (size_t i = 0; i < a->n_parts; i++) {
        for (size_t k = 0; k < a->scenes.n; k++) scene_row(table, a, i, &a->results[i * a->scenes.n + k]);
    }
    return cli_table_finish(table, 0, true);
}

/* Many engines: a row for each. */
static bool print_engines(const cli_scenes_audit *a)
{
    cli_table *table = cli_table_of("engine|set|version|pass>|fail>|not promised>|not offered>|s>");
    for (size_t i = 0; i < a->n_parts; i++) {
        size_t counts[IC_SCENE_UNDECIDED + 1] = {0};
        char cells[5][32];
        const char *version = "-", *name = a->parts[i].name;
        double seconds = 0;
        for (size_t k = 0; k < a->scenes.n; k++) {
            const ic_scene_result *r = &a->results[i * a->scenes.n + k];
            counts[r->verdict]++;
            seconds += r->seconds;
            if (r->engine[0] != '\0') version = r->engine;
        }
        for (int c = 0; c < 4; c++) snprintf(cells[c], sizeof cells[c], "%zu", counts[c]);
        snprintf(cells[4], sizeof cells[4], "%.1f", seconds);
        CLI_ROW(table, name, a->parts[i].config, version, cells[0], cells[1], cells[2], cells[3], cells[4]);
    }
    return cli_table_finish(table, 0, true);
}

/* The law of each engine's impacts, or why none is told. */
static void print_laws(const cli_scenes_audit *a)
{
    for (size_t i = 0; i < a->n_parts * a->scenes.n; i++) {
        const ic_scene_result *r = &a->results[i];
        if (r->law.found.count == 0) continue;
        printf("\n%s, %s: impact law %s%s: %s\n", a->parts[i / a->scenes.n].name, r->config,
               r->law.found.decided ? "" : "unknown; nearest ", r->law.found.candidates[0].name,
               r->law.found.detail);
    }
}

bool cli_scenes_print(const cli_scenes_audit *a, const cli_audit_result *audit)
{
    cli_audit_print_headline(audit);
    const bool many = a->n_parts * a->scenes.n > MOST_ROWS;
    if (!(many ? print_engines(a) : print_scenes(a))) return false;
    print_laws(a);
    if (!many) cli_audit_print_failures(audit);
    else printf("\nDetails of one: impactcheck audit --engine NAME --scenes %s\n", a->asked);
    if (audit->drawn) printf("\n--seed %zu repeats what was drawn\n", audit->seed);
    cli_engine_list_missing(&a->engines);
    return true;
}
