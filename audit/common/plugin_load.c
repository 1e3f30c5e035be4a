/* SPDX-License-Identifier: MIT */
#include "audit/common/plugin_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000, PATH_MOST = 4096 };

typedef const ic_plugin *entry_function(void);

/* The first two fields of a struct of the header, and its name. */
static bool fits(unsigned abi, size_t size, size_t right, const char *what, ic_error *error)
{
    if (abi != IC_ABI_VERSION) {
        ic_error_set(error,
                     "%s has abi_version %u; this command has %u: compile the plugin with its impactcheck.h",
                     what, abi, IC_ABI_VERSION);
        return false;
    }
    if (size == right) return true;
    ic_error_set(error, "%s has struct_size %zu; with ABI version %u it is %zu: set it by IC_ABI(...)", what,
                 size, IC_ABI_VERSION, right);
    return false;
}

static bool table_is_there(const void *table, size_t n, const char *what, ic_error *error)
{
    if (n <= MOST && (n == 0 || table != NULL)) return true;
    ic_error_set(error, "ic_plugin has %zu %s%s; a table of up to %d would be right", n, what,
                 table == NULL ? " in a table that is NULL" : "", MOST);
    return false;
}

static bool named(const char *name, const char *what, size_t i, ic_error *error)
{
    if (name != NULL && name[0] != '\0') return true;
    ic_error_set(error, "%s %zu has no name", what, i);
    return false;
}

static bool has(bool there, const char *what, const char *name, const char *function, ic_error *error)
{
    if (there) return true;
    ic_error_set(error, "%s '%s' has no function `%s`", what, name, function);
    return false;
}

static bool law_is_whole(const ic_law *law, size_t i, ic_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "law %zu", i);
    if (law == NULL) return has(false, "law", "NULL", "force", error);
    if (!fits(law->abi_version, law->struct_size, sizeof *law, what, error)) return false;
    if (!named(law->name, "law", i, error)) return false;
    if (!table_is_there(law->parameters, law->n_parameters, "parameters of a law", error)) return false;
    return has(law->force != NULL, "law", law->name, "force", error) &&
           has(law->force_rate != NULL, "law", law->name, "force_rate", error);
}

static bool map_is_whole(const ic_impact_map *map, size_t i, ic_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "impact map %zu", i);
    if (map == NULL) return has(false, "impact map", "NULL", "map", error);
    return fits(map->abi_version, map->struct_size, sizeof *map, what, error) &&
           named(map->name, "impact map", i, error) &&
           has(map->map != NULL, "impact map", map->name, "map", error);
}

static bool solver_is_whole(const ic_solver *solver, size_t i, ic_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "solver %zu", i);
    if (solver == NULL) return has(false, "solver", "NULL", "solve", error);
    return fits(solver->abi_version, solver->struct_size, sizeof *solver, what, error) &&
           named(solver->name, "solver", i, error) &&
           has(solver->solve != NULL, "solver", solver->name, "solve", error);
}

static bool engine_is_whole(const ic_rigid_engine *engine, size_t i, ic_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "engine %zu", i);
    if (engine == NULL) return has(false, "engine", "NULL", "run", error);
    return fits(engine->abi_version, engine->struct_size, sizeof *engine, what, error) &&
           named(engine->name, "engine", i, error) &&
           has(engine->run != NULL, "engine", engine->name, "run", error);
}

static bool is_whole(const ic_plugin *plugin, ic_error *error)
{
    if (plugin == NULL) {
        ic_error_set(error, "impactcheck_plugin() returned NULL; the address of an ic_plugin would be right");
        return false;
    }
    if (!fits(plugin->abi_version, plugin->struct_size, sizeof *plugin, "ic_plugin", error)) return false;
    if (!table_is_there(plugin->laws, plugin->n_laws, "laws", error) ||
        !table_is_there(plugin->impact_maps, plugin->n_impact_maps, "impact maps", error) ||
        !table_is_there(plugin->solvers, plugin->n_solvers, "solvers", error) ||
        !table_is_there(plugin->engines, plugin->n_engines, "engines", error))
        return false;
    bool good = plugin->n_laws + plugin->n_impact_maps + plugin->n_solvers + plugin->n_engines > 0;
    if (!good)
        ic_error_set(error,
                     "the plugin exports no law, no impact map, no solver and no engine: nothing to audit");
    for (size_t i = 0; good && i < plugin->n_laws; i++) good = law_is_whole(plugin->laws[i], i, error);
    for (size_t i = 0; good && i < plugin->n_impact_maps; i++)
        good = map_is_whole(plugin->impact_maps[i], i, error);
    for (size_t i = 0; good && i < plugin->n_solvers; i++) good = solver_is_whole(plugin->solvers[i], i, error);
    for (size_t i = 0; good && i < plugin->n_engines; i++) good = engine_is_whole(plugin->engines[i], i, error);
    return good;
}

const ic_plugin *ic_plugin_load(const char *path, ic_error *error)
{
    char here[PATH_MOST + 3];
    entry_function *entry = NULL;
    /* without a slash dlopen would search the system's folders */
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        ic_error_set(error, "no shared library that can be loaded: %.300s (cc -shared -fPIC makes one)",
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
