/* SPDX-License-Identifier: MIT */
#include "cli/complete.h"
#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "audit/solver/traps.h"
#include "cli/codes.h"
#include "cli/command.h"
#include "cli/engine_list.h"
#include "cli/list_topics.h"
#include "cli/tolerances.h"
#include "registry/registry.h"
#include "sweep/parameter_sets.h"
#include "validation/studies/study.h"

#include <stdio.h>
#include <string.h>

/* The command line being typed. */
typedef struct typed_line {
    const cli_command *command;

    /* Words after the command's name. */
    char **words;

    int n;

    /* the beginning that candidates must have */
    const char *typed;
} typed_line;

static void offer_value(const typed_line *l, const char *value, const char *description)
{
    if (strncmp(value, l->typed, strlen(l->typed)) != 0) return;
    printf("%s%s%s\n", value, description != NULL ? "\t" : "", description != NULL ? description : "");
}

/* ---- sources of values */

static void files(const typed_line *l)
{
    (void)l;
    printf("@files\n");
}

static void cases(const typed_line *l)
{
    for (size_t i = 0; i < ic_case_count; i++) offer_value(l, ic_cases[i]->name, ic_cases[i]->title);
    files(l);
}

static void presets(const typed_line *l)
{
    char path[256];
    for (size_t i = 0; i < ic_case_count; i++) {
        offer_value(l, ic_cases[i]->name, ic_cases[i]->title);
        for (size_t k = 0; k < ic_cases[i]->n_presets; k++) {
            snprintf(path, sizeof path, "%s/%s", ic_cases[i]->name, ic_cases[i]->presets[k].name);
            offer_value(l, path, ic_cases[i]->presets[k].meaning);
        }
    }
}

static void solvers(const typed_line *l)
{
    for (size_t i = 0; i < ic_solver_count; i++) offer_value(l, ic_solvers[i]->name, ic_solvers[i]->title);
}

static void laws(const typed_line *l)
{
    for (size_t i = 0; i < ic_law_count; i++) offer_value(l, ic_laws[i]->name, ic_laws[i]->title);
}

static void traps(const typed_line *l)
{
    for (size_t i = 0; i < ic_trap_count; i++) offer_value(l, ic_traps[i]->system->name, NULL);
}

static void studies(const typed_line *l)
{
    for (size_t i = 0; i < ic_study_count; i++) offer_value(l, ic_studies[i]->name, ic_studies[i]->title);
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t i = 0; i < ic_cases[c]->n_figures; i++) {
            char name[128];
            snprintf(name, sizeof name, "%.60s/%.60s", ic_cases[c]->name, ic_cases[c]->figures[i].name);
            offer_value(l, name, ic_cases[c]->figures[i].title);
        }
    }
}

static void topics(const typed_line *l)
{
    for (size_t i = 0; i < cli_topic_count; i++) offer_value(l, cli_topics[i]->name, NULL);
}

static void codes(const typed_line *l)
{
    const cli_code *c = NULL;
    for (size_t i = 0; (c = cli_code_at(i)) != NULL; i++) offer_value(l, c->code, c->name);
}

static void engines(const typed_line *l)
{
    offer_value(l, "all", "all engines that are built");
    for (size_t i = 0; i < cli_known_engine_count; i++) offer_value(l, cli_known_engines[i].name, NULL);
}

static void scenes(const typed_line *l)
{
    ic_scenes known;
    ic_error error;
    offer_value(l, "all", "all scenes");
    if (ic_scenes_read(&known, "all", NULL, &error)) {
        for (size_t i = 0; i < known.n; i++) offer_value(l, known.files[i]->name, known.files[i]->title);
    }
    ic_scenes_free(&known);
}

static void configs(const typed_line *l)
{
    offer_value(l, "default", "settings of the engine's own first example");
    offer_value(l, "best", "the best that its user can choose");
}

static void threads(const typed_line *l)
{
    ic_scene_threads known;
    ic_error error;
    offer_value(l, "all", "all reports, on the engines that they are about");
    if (ic_scene_threads_read(&known, &error)) {
        for (size_t i = 0; i < known.n; i++) offer_value(l, known.threads[i].id, known.threads[i].title);
    }
    ic_scene_threads_free(&known);
}

static void sweep_methods(const typed_line *l)
{
    for (size_t i = 0; i < ic_sweep_method_count; i++) offer_value(l, ic_sweep_methods[i]->name, NULL);
}

/* The case that a word on the line names, or NULL. */
static const ic_case *case_of(const typed_line *l)
{
    char name[64];
    for (int i = 0; i + 1 < l->n; i++) {
        const size_t length = strcspn(l->words[i], "/");
        if (length >= sizeof name) continue;
        memcpy(name, l->words[i], length);
        name[length] = '\0';
        if (ic_case_find(name) != NULL) return ic_case_find(name);
    }
    return NULL;
}

static void variants(const typed_line *l)
{
    const ic_case *system = case_of(l);
    for (size_t i = 0; system != NULL && i < system->n_variants; i++)
        offer_value(l, system->variants[i].name, system->variants[i].meaning);
}

static void offer_parameters(const typed_line *l, const ic_parameter *table, size_t n)
{
    char text[64];
    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%s=", table[i].name);
        offer_value(l, text, table[i].meaning);
    }
}

/* Parameters of the case, and of a law on the line. */
static void parameters(const typed_line *l)
{
    const ic_case *system = case_of(l);
    if (system != NULL) offer_parameters(l, system->parameters, system->n_parameters);
    for (int i = 0; i + 1 < l->n; i++) {
        const ic_law *law = ic_law_find(l->words[i]);
        if (law != NULL) offer_parameters(l, law->parameters, law->n_parameters);
    }
}

static void outputs(const typed_line *l)
{
    const ic_case *system = case_of(l);
    for (size_t i = 0; system != NULL && i < system->n_outputs; i++)
        offer_value(l, system->outputs[i].name, system->outputs[i].meaning);
}

static void records(const typed_line *l)
{
    offer_value(l, "strobe", "all states at the end of each period");
    offer_value(l, "peak", "the greatest value of each output");
    outputs(l);
}

static void quantities(const typed_line *l)
{
    const ic_case *system = case_of(l);
    for (size_t i = 0; system != NULL && i < system->n_states; i++)
        offer_value(l, system->states[i].name, system->states[i].meaning);
    outputs(l);
}

typedef void source(const typed_line *l);

/*
 * Values of options by name; those of one command come before those of any command. The value of an
 * option that is not listed here and does not take FILE is a number or free text.
 */
static const struct {
    /* NULL: any */
    const char *command;

    const char *option;
    source *values;
} of_options[] = {
    {"sweep", "--method", sweep_methods},
    {NULL, "--engine", engines},
    {NULL, "--solver", solvers},
    {NULL, "--variant", variants},
    {NULL, "--set", parameters},
    {NULL, "--vary", parameters},
    {NULL, "--case", presets},
    {NULL, "--scenes", scenes},
    {NULL, "--config", configs},
    {NULL, "--thread", threads},
    {NULL, "--trap", traps},
    {NULL, "--record", records},
    {NULL, "--show", quantities},
    {NULL, "--over", parameters},
    {"certify", "--doubling", parameters},
    {NULL, "--derivative", parameters},
    {NULL, "--minimise", outputs},
    {NULL, "--subject-to", outputs},
};

static const struct {
    const char *command;
    source *values;
} of_operands[] = {{"list", topics},   {"run", presets},   {"verify", presets},   {"certify", presets},
                   {"check", files},   {"study", studies}, {"law", laws},         {"bench", presets},
                   {"compare", files}, {"sweep", presets}, {"optimise", presets}, {"report", cases},
                   {"ci", files},      {"explain", codes}};

/* ---- candidates at a place of the line */

/* "json|options" */
static void choices(const typed_line *l, const char *argument)
{
    char text[32];
    while (*argument != '\0') {
        const size_t length = strcspn(argument, "|");
        snprintf(text, sizeof text, "%.*s", (int)length, argument);
        offer_value(l, text, NULL);
        argument += length + (argument[length] == '|');
    }
}

static void values_of(const typed_line *l, const cli_option *option)
{
    for (size_t i = 0; i < IC_COUNT(of_options); i++) {
        if (of_options[i].command != NULL && strcmp(of_options[i].command, l->command->name) != 0) continue;
        if (strcmp(of_options[i].option, option->name) != 0) continue;
        of_options[i].values(l);
        return;
    }
    if (strcmp(option->argument, "FILE") == 0) files(l);
    else if (strchr(option->argument, '|') != NULL) choices(l, option->argument);
}

/* The option whose value is typed, or NULL. */
static const cli_option *waiting_option(const typed_line *l)
{
    if (l->n < 2) return NULL;
    for (size_t i = 0; i < l->command->n_options; i++) {
        const cli_option *option = &l->command->options[i];
        if (option->argument != NULL && strcmp(l->words[l->n - 2], option->name) == 0) return option;
    }
    return NULL;
}

static bool is_given(const typed_line *l, const char *option)
{
    for (int i = 0; i + 1 < l->n; i++) {
        if (strcmp(l->words[i], option) == 0) return true;
    }
    return false;
}

static void options(const typed_line *l)
{
    for (size_t i = 0; i < l->command->n_options; i++) {
        const cli_option *option = &l->command->options[i];
        if (option->repeats || !is_given(l, option->name))
            offer_value(l, option->name, cli_with_tolerances(option->meaning).text);
    }
    offer_value(l, "--help", "show this command's help");
}

static void operands(const typed_line *l)
{
    for (size_t i = 0; i < IC_COUNT(of_operands); i++) {
        if (strcmp(of_operands[i].command, l->command->name) != 0) continue;
        of_operands[i].values(l);
        return;
    }
    choices(l, l->command->operands);
}

static void commands(const typed_line *l)
{
    for (size_t i = 0; i < cli_command_count; i++)
        offer_value(l, cli_commands[i]->name, cli_commands[i]->title);
}

static const cli_command *command_named(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
    }
    return NULL;
}

/* For --name=value, candidates are values alone, because shells begin a word after '='. */
static bool option_with_value(const typed_line *l)
{
    const size_t length = strcspn(l->typed, "=");
    if (l->typed[0] != '-' || l->typed[length] == '\0') return false;
    const typed_line inner = {l->command, l->words, l->n, l->typed + length + 1};
    for (size_t i = 0; i < l->command->n_options; i++) {
        const cli_option *option = &l->command->options[i];
        if (option->argument == NULL || strlen(option->name) != length ||
            strncmp(option->name, l->typed, length) != 0)
            continue;
        values_of(&inner, option);
        return true;
    }
    return true;
}

static int print_options(const char *name)
{
    const cli_command *command = command_named(name);
    if (command == NULL) return cli_bad_input(NULL, "unknown command '%s'", name);
    for (size_t i = 0; i < command->n_options; i++) {
        const cli_option *option = &command->options[i];
        printf("%s\t%s\t%s\n", option->name, option->argument != NULL ? option->argument : "",
               cli_with_tolerances(option->meaning).text);
    }
    return CLI_GOOD;
}

int cli_complete(int n, char **words)
{
    static char empty[] = "";
    static char *nothing[] = {empty};
    if (n == 0) {
        n = 1;
        words = nothing;
    }
    if (n == 2 && strcmp(words[0], "--options") == 0) return print_options(words[1]);
    typed_line l = {NULL, words, n, words[n - 1]};
    if (n == 1 && strcmp(words[0], "--commands") == 0) {
        l.typed = "";
        commands(&l);
        return CLI_GOOD;
    }
    if (n == 1 || (n == 2 && strcmp(words[0], "help") == 0)) commands(&l);
    if (n == 1) {
        offer_value(&l, "help", "explain a command");
        offer_value(&l, "--help", "all commands");
        offer_value(&l, "--version", "name the version");
        return CLI_GOOD;
    }
    l = (typed_line){command_named(words[0]), words + 1, n - 1, words[n - 1]};
    if (l.command == NULL) return CLI_GOOD;
    const cli_option *option = waiting_option(&l);
    if (option != NULL) values_of(&l, option);
    else if (option_with_value(&l)) return CLI_GOOD;
    else if (l.typed[0] == '-') options(&l);
    else operands(&l);
    return CLI_GOOD;
}
