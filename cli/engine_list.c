/* SPDX-License-Identifier: MIT */
#include "cli/engine_list.h"
#include "core/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef IC_ENGINE_FOLDER /* of installed programs of engines, relative to that of the command */
#define IC_ENGINE_FOLDER "../libexec/impactcheck"
#endif
#define PROGRAM_PREFIX "impactcheck-engine-"

const cli_known_engine cli_known_engines[] = {
#define IC_ENGINE(name_, language_, debian_, where_) {#name_, "Debian package " debian_},
#define IC_NODE_ENGINE(name_, package_) {#name_, "npm package " package_},
#define IC_SCRIPT_ENGINE(name_, debian_, command_, start_) {#name_, "Debian package " debian_},
#include "adapters/engines/engines.def"
#undef IC_ENGINE
#undef IC_SCRIPT_ENGINE
#undef IC_NODE_ENGINE
};
const size_t cli_known_engine_count = IC_COUNT(cli_known_engines);

/* Looks for the program in the folder of the command, then in the folder of installed engines. */
static bool find_program(cli_engine *engine)
{
    static const char *const folders[] = {".", IC_ENGINE_FOLDER};
    char own[PATH_MAX], path[2 * PATH_MAX];
    if (!ic_own_folder(own, sizeof own)) return false;
    for (size_t i = 0; i < IC_COUNT(folders); i++) {
        const int length =
            snprintf(path, sizeof path, "%s/%s/" PROGRAM_PREFIX "%s", own, folders[i], engine->name);
        if (length >= PATH_MAX || access(path, X_OK) != 0) continue;
        memcpy(engine->program, path, (size_t)length + 1);
        return true;
    }
    return false;
}

bool cli_engine_is_built(const char *name)
{
    cli_engine engine = {.known = NULL};
    snprintf(engine.name, sizeof engine.name, "%s", name);
    return find_program(&engine);
}

static const cli_known_engine *find_known(const char *name)
{
    for (size_t i = 0; i < cli_known_engine_count; i++) {
        if (strcmp(cli_known_engines[i].name, name) == 0) return &cli_known_engines[i];
    }
    return NULL;
}

static int unknown_engine(const cli_arguments *arguments, const char *name)
{
    ic_nearest nearest = {.wrong = name};
    char names[512] = "";
    for (size_t i = 0; i < cli_known_engine_count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, ", %s", cli_known_engines[i].name);
        ic_nearest_offer(&nearest, cli_known_engines[i].name);
    }
    return cli_bad_input(
        arguments->command,
        "option --engine: engine '%s' does not exist%s; use all%s, or the path of a program, ./%s", name,
        ic_nearest_hint(&nearest).text, names, name);
}

/* false: a message has been printed. */
static bool take_variant(cli_engine *engine, const cli_arguments *arguments, const char *variant)
{
    const bool good = variant[0] != '\0' && strlen(variant) < sizeof engine->variant &&
                      variant[strcspn(variant, " \t\r\n")] == '\0';
    if (!good)
        return cli_refuse(arguments->command,
                          "option --engine: '%s': the variant after ':' is a word of 1 to %zu bytes",
                          engine->given, sizeof engine->variant - 1);
    snprintf(engine->variant, sizeof engine->variant, "%s", variant);
    return true;
}

/* "./my-engine" or "./my-engine:VARIANT": a program of the user's. */
static int add_program(cli_engine *engine, const cli_arguments *arguments, char *path)
{
    struct stat status;
    char *colon = strrchr(path, ':');
    if (colon != NULL && strchr(colon, '/') == NULL && access(path, F_OK) != 0) {
        if (!take_variant(engine, arguments, colon + 1)) return CLI_BAD_INPUT;
        *colon = '\0';
    }
    if (realpath(path, engine->program) == NULL || access(engine->program, X_OK) != 0)
        return cli_bad_input(arguments->command, "option --engine: '%s' is not a program that can be run: %s",
                             path, strerror(errno));
    if (stat(engine->program, &status) != 0 || !S_ISREG(status.st_mode))
        return cli_bad_input(arguments->command,
                             "option --engine: '%s' is not a program, but a folder or a device", path);
    const bool fits = strlen(path) < sizeof engine->name;
    snprintf(engine->name, sizeof engine->name, "%.*s", CLI_ENGINE_NAME - 1,
             fits ? path : strrchr(engine->program, '/') + 1);
    return CLI_GOOD;
}

/* "NAME" or "NAME:VARIANT" */
static int add_known(cli_engine *engine, const cli_arguments *arguments, const char *text, bool all)
{
    const char *colon = strchr(text, ':');
    const int length = colon != NULL ? (int)(colon - text) : (int)strlen(text);
    snprintf(engine->name, sizeof engine->name, "%.*s", length, text);
    engine->known = find_known(engine->name);
    if (engine->known == NULL) return unknown_engine(arguments, engine->name);
    if (colon != NULL && !take_variant(engine, arguments, colon + 1)) return CLI_BAD_INPUT;
    if (find_program(engine) || all) return CLI_GOOD;
    return cli_bad_input(arguments->command,
                         "option --engine: %s is not built: install the %s and build with "
                         "-D IC_ENGINES=AUTO, or ./run engines does both",
                         engine->name, engine->known->from);
}

static int add_engine(cli_engine_list *list, const cli_arguments *arguments, const char *text, size_t length)
{
    char name[PATH_MAX];
    if (list->n == CLI_MOST_ENGINES)
        return cli_bad_input(arguments->command, "option --engine: more than %d engines", CLI_MOST_ENGINES);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    cli_engine *engine = &list->engines[list->n];
    snprintf(engine->given, sizeof engine->given, "%s", name);
    const int status = strchr(name, '/') != NULL ? add_program(engine, arguments, name)
                                                 : add_known(engine, arguments, name, list->all);
    for (size_t i = 0; i < list->n && status == CLI_GOOD; i++) {
        const cli_engine *other = &list->engines[i];
        const bool same = engine->program[0] != '\0' && strcmp(other->program, engine->program) == 0;
        if (same && strcmp(other->variant, engine->variant) == 0)
            return cli_bad_input(arguments->command, "option --engine: '%s' and '%s' are the same",
                                 other->given, engine->given);
    }
    list->n++;
    return status;
}

/* Number of engines that can be run. */
static size_t count_engines(const cli_engine_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->n; i++) count += list->engines[i].program[0] != '\0';
    return count;
}

int cli_engine_list_read(cli_engine_list *list, const cli_arguments *arguments, size_t option)
{
    const char *text = cli_value(arguments, option);
    int status = CLI_GOOD;
    list->all = strcmp(text, "all") == 0;
    for (size_t i = 0; list->all && i < cli_known_engine_count; i++)
        add_engine(list, arguments, cli_known_engines[i].name, strlen(cli_known_engines[i].name));
    while (!list->all && status == CLI_GOOD) {
        const size_t length = strcspn(text, ",");
        status = add_engine(list, arguments, text, length);
        if (text[length] == '\0') break;
        text += length + 1;
    }
    if (status != CLI_GOOD || count_engines(list) > 0) return status;
    return cli_bad_input(arguments->command,
                         "option --engine: no engine is built; ./run engines installs and builds them all, "
                         "-D IC_ENGINES=AUTO builds those that are installed");
}

void cli_engine_list_missing(const cli_engine_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        if (list->engines[i].program[0] == '\0')
            printf("%s: not built (%s; ./run engines)\n", list->engines[i].name, list->engines[i].known->from);
    }
}
