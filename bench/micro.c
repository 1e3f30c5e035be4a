/* SPDX-License-Identifier: MIT */
#include "bench/micro.h"
#include "core/array.h"
#include "core/bracket.h"
#include "core/free_impact.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory of an item starts with the function that releases it. */
typedef struct held {
    void (*release)(struct held *self);
} held;

static void release_plain(held *self)
{
    free(self);
}

/* Adds an item whose `self` has `size` zeroed bytes; NULL: memory ran out. */
static ic_micro *add_item(ic_micro_list *list, size_t size, double (*run)(void *self))
{
    ic_micro *items = ic_array_reserve(list->items, &list->capacity, list->count, sizeof *items);
    if (items == NULL) return NULL;
    list->items = items;
    held *self = calloc(1, size);
    if (self == NULL) return NULL;
    self->release = release_plain;
    ic_micro *item = &list->items[list->count++];
    *item = (ic_micro){.run = run, .self = self, .iterations = NAN};
    return item;
}

void ic_micro_close(ic_micro_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        held *self = list->items[i].self;
        self->release(self);
    }
    free(list->items);
    *list = (ic_micro_list){0};
}

/* ---- laws, on the ball's preset of the law */

typedef struct law_item {
    held held;
    ic_setup setup;
    const ic_law *law;
    const double *par;
    double m, v0, d, v, memory;
} law_item;

static void release_law(held *self)
{
    ic_setup_close(&((law_item *)self)->setup);
    free(self);
}

static double run_force(void *self)
{
    law_item *item = self;
    return item->law->force(item->d, item->v, item->memory, item->par);
}

/* Computes the results of an impact: restitution, peaks and so on. */
static double run_outcome(void *self)
{
    law_item *item = self;
    ic_impact_outcome outcome;
    return ic_law_impact(&outcome, item->law, item->par, item->m, item->v0, NULL) ? outcome.restitution : NAN;
}

/* The composed case has the law's parameters after its own. */
static void open_law(law_item *item, const ic_law *law)
{
    const ic_problem *problem = &item->setup.problem;
    const ic_free_impact *impact = problem->variant->free_impact;
    item->law = law;
    item->par = problem->par + problem->system->n_parameters - law->n_parameters;
    item->m = ic_parameter_value(problem, impact->mass);
    item->v0 = ic_parameter_value(problem, impact->speed);
    item->d = 1e-6; /* inside the contact */
    item->v = 0.5 * item->v0;
    item->memory = law->remember == NULL ? 0 : law->remember(item->v0, item->par);
}

static bool add_law(ic_micro_list *list, const char *kind, const ic_law *law, double (*run)(void *),
                    ic_error *error)
{
    ic_micro *item = add_item(list, sizeof(law_item), run);
    if (item == NULL) return false;
    law_item *self = item->self;
    snprintf(item->name, sizeof item->name, "law/%s/%s", kind, law->name);
    if (!ic_setup_open(&self->setup, &(ic_request){.path = "ball/hertz", .variant = law->name}, error))
        return false;
    self->held.release = release_law;
    open_law(self, law);
    return true;
}

static bool add_laws(ic_micro_list *list, ic_error *error)
{
    for (size_t i = 0; i < ic_law_count; i++) {
        if (!add_law(list, "force", ic_laws[i], run_force, error)) return false;
        if (ic_law_is_solved(ic_laws[i]) && !add_law(list, "e_out", ic_laws[i], run_outcome, error))
            return false;
    }
    return true;
}

/* ---- rigid impact maps, on the planar bar */

typedef struct map_item {
    held held;
    const ic_impact_map *map;
    ic_impact impact;
} map_item;

static double run_map(void *self)
{
    const map_item *item = self;
    ic_impact_result result;
    return item->map->map(&result, &item->impact) == IC_OK ? result.v[0] : NAN;
}

static bool add_maps(ic_micro_list *list, ic_error *error)
{
    ic_setup setup;
    if (!ic_setup_open(&setup, &(ic_request){.path = "planar-bar/stronge"}, error)) return false;
    bool good = true;
    for (size_t i = 0; i < ic_impact_map_count && good; i++) {
        ic_micro *item = add_item(list, sizeof(map_item), run_map);
        good = item != NULL;
        if (!good) break;
        map_item *self = item->self;
        self->map = ic_impact_maps[i];
        setup.problem.system->impact(&self->impact, setup.problem.par);
        snprintf(item->name, sizeof item->name, "impact-map/%s", self->map->name);
    }
    ic_setup_close(&setup);
    return good;
}

/* ---- roots of a smooth function, and of one that is flat at its root */

typedef struct root_item {
    held held;
    ic_narrow *narrow;
    ic_bracketed *f;
    double iterations;
} root_item;

static double evaluate_smooth(void *self, double t)
{
    (void)self;
    return cos(t) - t;
}

static double evaluate_flat(void *self, double t)
{
    (void)self;
    return (t - 0.7) * (t - 0.7) * (t - 0.7);
}

static double run_root(void *self)
{
    root_item *item = self;
    const bool rises = item->f == evaluate_flat;
    return item->narrow(item->f, NULL, 0, 1, rises ? +1 : -1, 4 * DBL_EPSILON, &item->iterations);
}

static bool add_roots(ic_micro_list *list)
{
    static const struct {
        const char *name;
        ic_narrow *narrow;
        ic_bracketed *f;
    } roots[] = {{"root/bisection/simple", ic_narrow_by_bisection, evaluate_smooth},
                 {"root/itp/simple", ic_narrow_by_itp, evaluate_smooth},
                 {"root/bisection/triple", ic_narrow_by_bisection, evaluate_flat},
                 {"root/itp/triple", ic_narrow_by_itp, evaluate_flat}};
    for (size_t i = 0; i < IC_COUNT(roots); i++) {
        ic_micro *item = add_item(list, sizeof(root_item), run_root);
        if (item == NULL) return false;
        root_item *self = item->self;
        self->narrow = roots[i].narrow;
        self->f = roots[i].f;
        snprintf(item->name, sizeof item->name, "%s", roots[i].name);
        run_root(self);
        item->iterations = self->iterations;
    }
    return true;
}

bool ic_micro_open(ic_micro_list *list, ic_error *error)
{
    *list = (ic_micro_list){0};
    ic_error_set(error, "memory ran out");
    return add_laws(list, error) && add_maps(list, error) && add_roots(list);
}
