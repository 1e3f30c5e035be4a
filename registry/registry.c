/* SPDX-License-Identifier: MIT */
#include "registry/registry.h"

#include "core/linear_view.h"
#include "core/tunings.h"

#include <stdlib.h>
#include <string.h>

/* IC_SOLVER(name) for each solver of another package that the build has found. */
#ifndef IC_PEERS
#define IC_PEERS
#endif

#define IC_CASE(name) extern const ic_case ic_case_##name;
#include "cases/cases.def"
#undef IC_CASE
#define IC_SOLVER(name) extern const ic_solver ic_solver_##name;
#include "solvers/solvers.def"
IC_PEERS
#undef IC_SOLVER
#define IC_SOLVER(name) extern const ic_tuning ic_tunings_##name[];
IC_PEERS
#undef IC_SOLVER
#define IC_IMPACT_MAP(name) extern const ic_impact_map ic_impact_map_##name;
#include "solvers/impact_maps.def"
#define IC_MULTI_IMPACT_MAP(name) extern const ic_multi_impact_map ic_multi_impact_map_##name;
#include "solvers/multi_impact_maps.def"
#define IC_LAW(symbol, name, condition) extern const ic_law ic_law_##symbol;
#include "cases/laws/laws.def"

static const ic_case *const built_in[] = {
#define IC_CASE(name) &ic_case_##name,
#include "cases/cases.def"
#undef IC_CASE
};
const ic_case *const *ic_cases = built_in;
size_t ic_case_count = IC_COUNT(built_in);

static const ic_case *with_replacement[IC_COUNT(built_in)];

bool ic_registry_is_built_in(void)
{
    return ic_cases == built_in || ic_cases == with_replacement;
}

bool ic_registry_replace(const ic_case *system)
{
    bool found = false;
    for (size_t i = 0; i < IC_COUNT(built_in); i++) {
        const bool same = strcmp(built_in[i]->name, system->name) == 0;
        with_replacement[i] = same ? system : built_in[i];
        found = found || same;
    }
    if (!found) return false;
    ic_cases = with_replacement;
    ic_case_count = IC_COUNT(built_in);
    return true;
}

void ic_registry_use(const ic_case *system)
{
    static const ic_case *own;
    own = system;
    ic_cases = system == NULL ? built_in : &own;
    ic_case_count = system == NULL ? IC_COUNT(built_in) : 1;
}

const ic_solver *const ic_solvers[] = {
#define IC_SOLVER(name) &ic_solver_##name,
#include "solvers/solvers.def"
    IC_PEERS
#undef IC_SOLVER
};
const size_t ic_solver_count = IC_COUNT(ic_solvers);

const ic_impact_map *const ic_impact_maps[] = {
#define IC_IMPACT_MAP(name) &ic_impact_map_##name,
#include "solvers/impact_maps.def"
};
const size_t ic_impact_map_count = IC_COUNT(ic_impact_maps);

const ic_multi_impact_map *const ic_multi_impact_maps[] = {
#define IC_MULTI_IMPACT_MAP(name) &ic_multi_impact_map_##name,
#include "solvers/multi_impact_maps.def"
};
const size_t ic_multi_impact_map_count = IC_COUNT(ic_multi_impact_maps);

const ic_law *const ic_laws[] = {
#define IC_LAW(symbol, name, condition) &ic_law_##symbol,
#include "cases/laws/laws.def"
};
const size_t ic_law_count = IC_COUNT(ic_laws);

/* ic_KIND_find and ic_KIND_at of the list ic_KINDs. */
#define IC_LOOKUP(kind_)                                                                                       \
    const ic_##kind_ *ic_##kind_##_find(const char *name)                                                      \
    {                                                                                                          \
        for (size_t i = 0; i < ic_##kind_##_count; i++) {                                                      \
            if (strcmp(ic_##kind_##s[i]->name, name) == 0) return ic_##kind_##s[i];                            \
        }                                                                                                      \
        return NULL;                                                                                           \
    }                                                                                                          \
    const ic_##kind_ *ic_##kind_##_at(size_t i)                                                                \
    {                                                                                                          \
        return i < ic_##kind_##_count ? ic_##kind_##s[i] : NULL;                                               \
    }
IC_LOOKUP(case)
IC_LOOKUP(solver)
IC_LOOKUP(impact_map)
IC_LOOKUP(multi_impact_map)
IC_LOOKUP(law)

const ic_solver *ic_accurate_solver(const ic_variant *variant)
{
    const ic_solver *solver = ic_solver_find(ic_is_linear(variant) ? "piecewise_linear" : "rk45_bisection");
    return solver != NULL ? solver : ic_solvers[0]; /* a build with other solvers */
}

/* The solvers of other packages, whether or not this build has them. */
static const char *const peers[] = {
#define IC_PEER(name, package) #name,
#include "adapters/adapters.def"
#undef IC_PEER
};

bool ic_is_peer(const char *solver)
{
    for (size_t i = 0; i < IC_COUNT(peers); i++) {
        if (strcmp(peers[i], solver) == 0) return true;
    }
    return false;
}

/* Those of this build, and the end of the table. */
static const struct {
    const char *solver;
    const ic_tuning *tunings;
} tuned[] = {
#define IC_SOLVER(name) {#name, ic_tunings_##name},
    IC_PEERS
#undef IC_SOLVER
    {NULL, NULL},
};

const ic_tuning *ic_solver_tunings(const char *solver)
{
    for (size_t i = 0; tuned[i].solver != NULL; i++) {
        if (strcmp(tuned[i].solver, solver) == 0) return tuned[i].tunings;
    }
    static const ic_tuning none = {NULL, NULL};
    return &none;
}
