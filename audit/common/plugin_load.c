/* SPDX-License-Identifier: MIT */
#include "audit/common/plugin_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000, MOST_PATH = 4096 };

typedef const ic_plugin *entry_function(void);

/* Check the version and size that begin a struct of the header; `older`: a size without its last member. */
static bool struct_fits(unsigned abi, size_t size, size_t right, size_t older, const char *what,
                        ic_error *error)
{
    if (abi != IC_ABI_VERSION) {
        ic_error_set(error,
                     "%s has abi_version %u; this command has %u: compile the plugin with its impactcheck.h",
                     what, abi, IC_ABI_VERSION);
        return false;
    }
    if (size == right || size == older) return true;
    ic_error_set(error, "%s has struct_size %zu; with ABI version %u it is %zu: set it by IC_ABI(...)", what,
                 size, IC_ABI_VERSION, right);
    return false;
}

static bool table_is_there(const void *table, size_t n, const char *what, ic_error *error)
{
    if (n <= MOST && (n == 0 || table != NULL)) return true;
    ic_error_set(error, "ic_plugin has %zu %s%s; expected a table of up to %d", n, what,
                 table == NULL ? " in a table that is NULL" : "", MOST);
    return false;
}

/* Check an exported struct by its first fields, its name and its required function. */
static bool part_is_whole(const char *kind, size_t i, unsigned abi, size_t size, size_t right, size_t older,
                          const char *name, bool has_function, const char *function, ic_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "%s %zu", kind, i);
    if (!struct_fits(abi, size, right, older, what, error)) return false;
    if (name == NULL || name[0] == '\0') ic_error_set(error, "%s has no name", what);
    else if (!has_function) ic_error_set(error, "%s '%s' has no function `%s`", kind, name, function);
    else return true;
    return false;
}

/* One part of a plugin: its pointer, its size before the last member came, and its required function. */
#define PART_IS_WHOLE(kind_, i_, part_, older_, function_, error_)                                             \
    ((part_) == NULL ? (ic_error_set(error_, kind_ " 'NULL' has no function `" #function_ "`"), false)         \
                     : part_is_whole(kind_, i_, (part_)->abi_version, (part_)->struct_size, sizeof *(part_),   \
                                     (older_), (part_)->name, (part_)->function_ != NULL, #function_, error_))

/* Whether a range has the form [A, B], with ( or ) for an open end. */
static bool is_range(const char *range)
{
    const size_t n = strlen(range);
    return n > 2 && strchr("[(", range[0]) != NULL && strchr("])", range[n - 1]) != NULL &&
           strchr(range, ',') != NULL;
}

static bool parameter_is_whole(const ic_law *law, size_t i, ic_error *error)
{
    const ic_parameter *p = &law->parameters[i];
    const char *missing = p->name == NULL    ? "name"
                          : p->unit == NULL  ? "unit: \"1\" if it is a number"
                          : p->value == NULL ? "value"
                          : p->range == NULL ? "range: (0, inf) if it is positive"
                                             : NULL;
    if (missing != NULL) {
        ic_error_set(error, "law '%s': parameter %zu%s%.40s%s has no %s", law->name, i,
                     p->name != NULL ? ", '" : "", p->name != NULL ? p->name : "", p->name != NULL ? "'," : "",
                     missing);
        return false;
    }
    if (is_range(p->range)) return true;
    ic_error_set(error,
                 "law '%s': the range '%.40s' of parameter '%.40s' is not of the form (0, inf) or [0, 1]",
                 law->name, p->range, p->name);
    return false;
}

bool ic_law_is_whole(const ic_law *law, size_t i, ic_error *error)
{
    bool good = PART_IS_WHOLE("law", i, law, offsetof(ic_law, implements), force, error) &&
                table_is_there(law->parameters, law->n_parameters, "parameters of a law", error);
    for (size_t k = 0; good && k < law->n_parameters; k++) good = parameter_is_whole(law, k, error);
    return good;
}

static bool is_whole(const ic_plugin *plugin, ic_error *error)
{
    if (plugin == NULL) {
        ic_error_set(error, "impactcheck_plugin() returned NULL; it must return the address of an ic_plugin");
        return false;
    }
    if (!struct_fits(plugin->abi_version, plugin->struct_size, sizeof *plugin, sizeof *plugin, "ic_plugin",
                     error))
        return false;
    if (!table_is_there(plugin->laws, plugin->n_laws, "laws", error) ||
        !table_is_there(plugin->impact_maps, plugin->n_impact_maps, "impact maps", error) ||
        !table_is_there(plugin->solvers, plugin->n_solvers, "solvers", error) ||
        !table_is_there(plugin->engines, plugin->n_engines, "engines", error))
        return false;
    bool good = plugin->n_laws + plugin->n_impact_maps + plugin->n_solvers + plugin->n_engines > 0;
    if (!good)
        ic_error_set(error,
                     "the plugin exports no law, no impact map, no solver and no engine: nothing to audit");
    for (size_t i = 0; good && i < plugin->n_laws; i++) good = ic_law_is_whole(plugin->laws[i], i, error);
    for (size_t i = 0; good && i < plugin->n_impact_maps; i++)
        good = PART_IS_WHOLE("impact map", i, plugin->impact_maps[i], offsetof(ic_impact_map, implements), map,
                             error);
    for (size_t i = 0; good && i < plugin->n_solvers; i++)
        good = PART_IS_WHOLE("solver", i, plugin->solvers[i], sizeof *plugin->solvers[i], solve, error);
    for (size_t i = 0; good && i < plugin->n_engines; i++)
        good = PART_IS_WHOLE("engine", i, plugin->engines[i], sizeof *plugin->engines[i], run, error);
    return good;
}

const ic_plugin *ic_plugin_load(const char *path, ic_error *error)
{
    char here[MOST_PATH + 3];
    entry_function *entry = NULL;
    /* Without a slash dlopen would search the system folders. */
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    errno = 0;
    void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const bool no_memory = errno == ENOMEM;
        const char *why = dlerror();
        if (no_memory) {
            ic_error_no_memory(error);
            return NULL;
        }
        ic_error_set(error,
                     "the file is not a shared library that can be loaded: %.300s (cc -shared -fPIC makes one)",
                     why != NULL ? why : "reason unknown");
        return NULL;
    }
    void *symbol = dlsym(library, "impactcheck_plugin");
    if (symbol == NULL) {
        ic_error_set(error, "a shared library without the symbol impactcheck_plugin: "
                            "export `const ic_plugin *impactcheck_plugin(void)`");
        return NULL;
    }
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no conversion from void * to a function */
    const ic_plugin *plugin = entry();
    return is_whole(plugin, error) ? plugin : NULL;
}
