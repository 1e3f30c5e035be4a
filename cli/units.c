/* SPDX-License-Identifier: MIT */
#include "cli/units.h"

#include "casefile/casefile.h"
#include "casefile/dimension.h"
#include "registry/registry.h"

#include <string.h>

static ic_arena texts; /* kept for the life of the process, like the arguments */

/* The case of a path CASE/PRESET or FILE.yaml/PRESET; NULL if it does not exist. */
static const ic_case *case_of_path(const char *path)
{
    const size_t file = ic_casefile_path(path), length = strcspn(path, "/");
    if (file > 0) {
        const char *name = ic_arena_copy(&texts, path, file);
        return name == NULL ? NULL : ic_casefile_find(name, NULL);
    }
    for (size_t i = 0; i < ic_case_count; i++) {
        if (strlen(ic_cases[i]->name) == length && strncmp(ic_cases[i]->name, path, length) == 0)
            return ic_cases[i];
    }
    return NULL;
}

static const char *unit_of(const char *path, const char *name, size_t length)
{
    const ic_case *system = case_of_path(path);
    for (size_t i = 0; system != NULL && i < system->n_parameters; i++) {
        const ic_parameter *p = &system->parameters[i];
        if (strlen(p->name) == length && strncmp(p->name, name, length) == 0) return p->unit;
    }
    return NULL;
}

const char *cli_setting_in_si(const cli_command *command, const char *path, const char *text)
{
    const size_t name = strcspn(text, "=");
    const char *unit = NULL, *result = ic_arena_copy(&texts, text, name + (text[name] == '=')), *separator = "";
    if (text[name] == '\0' || strchr(text + name, ' ') == NULL) return text;
    if ((unit = unit_of(path, text, name)) == NULL) return text;
    for (const char *at = text + name + 1; result != NULL; separator = ":") {
        const size_t length = strcspn(at, ":");
        const char *given = ic_arena_copy(&texts, at, length);
        ic_error error;
        const char *value = given == NULL ? NULL : ic_unit_value(&texts, given, unit, &error);
        if (given != NULL && value == NULL) {
            cli_refuse(command, "'%s': %s", text, error.text);
            return NULL;
        }
        result = value == NULL ? NULL : ic_arena_print(&texts, "%s%s%s", result, separator, value);
        if (at[length] == '\0') break;
        at += length + 1;
    }
    if (result == NULL) cli_no_memory(command);
    return result;
}

bool cli_time_in_si(const cli_command *command, const char **text)
{
    ic_error error;
    if (*text == NULL) return true;
    const char *value = ic_unit_value(&texts, *text, "s", &error);
    if (value == NULL) return cli_refuse(command, "option --until: %s", error.text);
    *text = value;
    return true;
}
