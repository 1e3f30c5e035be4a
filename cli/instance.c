/* SPDX-License-Identifier: MIT */
#include "cli/instance.h"
#include "casefile/casefile.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "core/composition.h"
#include "core/names.h"
#include "registry/registry.h"
#include "reports/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A parameter that is set twice is a contradiction or a mistake. */
static bool all_different(const cli_command *command, const char *const *settings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t length = strcspn(settings[i], "=");
        for (size_t j = i + 1; j < n; j++) {
            if (strcspn(settings[j], "=") != length || strncmp(settings[i], settings[j], length) != 0) continue;
            return cli_refuse(command,
                              "option --set: parameter '%.*s' is set twice, by %s and by %s: give it once",
                              (int)length, settings[i], settings[i], settings[j]);
        }
    }
    return true;
}

static bool open_setups(cli_instance *instance, const cli_arguments *arguments, const ic_request *wanted)
{
    const ic_request preset = {.path = wanted->path, .variant = wanted->variant};
    ic_error error;
    if (ic_setup_open(&instance->preset, &preset, &error) && ic_setup_open(&instance->setup, wanted, &error))
        return true;
    return cli_refuse(arguments->command, "%s", error.text);
}

const char **cli_settings(const cli_arguments *arguments, size_t set, size_t *n)
{
    const char **settings = calloc(arguments->n_given + 1, sizeof *settings);
    if (settings == NULL) {
        cli_no_memory(arguments->command);
        return NULL;
    }
    *n = cli_values(arguments, set, settings);
    bool good = all_different(arguments->command, settings, *n);
    for (size_t i = 0; i < *n && good && arguments->n_operands > 0; i++) {
        settings[i] = cli_setting_in_si(arguments->command, arguments->operands[0], settings[i]);
        good = settings[i] != NULL;
    }
    if (good) return settings;
    free(settings);
    return NULL;
}

bool cli_instance_derive(cli_instance *instance, const cli_arguments *arguments, const char *const *names,
                         size_t n)
{
    ic_setup derived;
    ic_error error;
    instance->plain = instance->setup;
    if (!ic_setup_derived(&derived, &instance->derived, &instance->plain.problem, names, n, &error))
        return cli_refuse(arguments->command, "%s", error.text);
    ic_casefile_compile(instance->derived, NULL); /* else its functions are interpreted */
    derived.preset = instance->plain.preset;
    instance->setup = derived;
    return true;
}

bool cli_instance_open_path(cli_instance *instance, const cli_arguments *arguments, const char *path,
                            size_t variant, size_t set, size_t until)
{
    ic_request wanted = {
        .path = path, .variant = cli_value(arguments, variant), .until = cli_value(arguments, until)};
    if (!cli_time_in_si(arguments->command, &wanted.until)) return false;
    const char **settings = cli_settings(arguments, set, &wanted.n_settings);
    if (settings == NULL) return false;
    wanted.settings = settings;
    const bool good = open_setups(instance, arguments, &wanted);
    free(settings);
    return good;
}

bool cli_instance_open(cli_instance *instance, const cli_arguments *arguments, size_t variant, size_t set,
                       size_t until)
{
    return cli_instance_open_path(instance, arguments, arguments->operands[0], variant, set, until);
}

bool cli_use_case_file(const cli_command *command, const char **operand)
{
    ic_error error;
    if (*operand == NULL || ic_registry_use_file(operand, &error)) return true;
    return cli_refuse(command, "%s", error.text);
}

void cli_instance_close(cli_instance *instance)
{
    if (instance->setup.par != NULL) ic_setup_close(&instance->setup);
    if (instance->preset.par != NULL) ic_setup_close(&instance->preset);
    if (instance->derived != NULL) ic_setup_close(&instance->plain);
    ic_casefile_free(instance->derived);
}

/* ---- for people */

enum { TIME_DIGITS = 10, INDENT = 2 };

/*
 * A parameter with the value of the preset; NULL: it belongs to a family that is smaller in this
 * problem.
 */
static const char *text_before(const ic_problem *before, const char *name)
{
    const size_t i = ic_parameter_find(before->system, name);
    return i < before->system->n_parameters ? before->par_text[i] : NULL;
}

static void add_settings(cli_table *table, const cli_instance *instance)
{
    const ic_problem *now = &instance->setup.problem, *before = &instance->preset.problem;
    const char *name = "set";
    char text[512];
    for (size_t i = 0; i < now->system->n_parameters; i++) {
        const ic_parameter *p = &now->system->parameters[i];
        const char *preset = text_before(before, p->name);
        if (ic_parameter_repeats(now->system->parameters, i) || preset == NULL) continue;
        if (strcmp(now->par_text[i], preset) == 0) continue;
        const bool has_unit = strcmp(p->unit, "1") != 0;
        const bool has_meaning = p->meaning[0] != '\0';
        snprintf(text, sizeof text, "%s = %s%s%s%s%s%s; the preset has %s", p->name, now->par_text[i],
                 has_unit ? " " : "", has_unit ? p->unit : "", has_meaning ? " (" : "", p->meaning,
                 has_meaning ? ")" : "", preset);
        CLI_ROW(table, name, text);
        name = "";
    }
}

static void add_end(cli_table *table, const ic_problem *problem)
{
    char text[256];
    const char *exact = problem->t_end_text;
    const bool plain = exact == NULL || strspn(exact, "0123456789.eE+-") == strlen(exact);
    snprintf(text, sizeof text, "t = %s s%s%s", ic_number_short(problem->t_end, TIME_DIGITS).text,
             plain ? "" : " = ", plain ? "" : exact);
    CLI_ROW(table, "until", text);
}

/* The variant, if there is a choice; a solver may require its own. */
static void add_model(cli_table *table, const cli_instance *instance)
{
    const ic_problem *problem = &instance->setup.problem;
    const ic_variant *variant = problem->variant;
    /* the variant of the preset, or that of --variant */
    const bool own = strcmp(variant->name, instance->preset.problem.variant->name) != 0;
    char text[512];
    if (problem->system->n_variants < 2) return;
    snprintf(text, sizeof text, "%s: %s%s", variant->name,
             variant->law != NULL ? variant->law->title : variant->meaning,
             own ? " (the solver's own, in place of the preset's)" : "");
    CLI_ROW(table, "model", text);
}

static bool print_request(const cli_instance *instance, const char *fact, const char *text, bool until)
{
    const ic_case *system = instance->setup.problem.system;
    const ic_preset *preset = instance->setup.preset;
    char path[128];
    cli_table *table = cli_table_of("|");
    snprintf(path, sizeof path, "%s/%s", system->name, preset->name);
    printf("%s  %s\n", cli_paint(stdout, CLI_BOLD, path).text, system->title);
    CLI_ROW(table, "preset", preset->meaning);
    if (preset->settings[0] != '\0') CLI_ROW(table, "with", preset->settings);
    add_settings(table, instance);
    add_model(table, instance);
    CLI_ROW(table, fact, text);
    if (until) add_end(table, &instance->setup.problem);
    return cli_table_finish(table, INDENT, false);
}

bool cli_instance_print(const cli_instance *instance, const char *fact, const char *text)
{
    return print_request(instance, fact, text, true);
}

bool cli_instance_print_model(const cli_instance *instance, const char *fact, const char *text)
{
    return print_request(instance, fact, text, false);
}
