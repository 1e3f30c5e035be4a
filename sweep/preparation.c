/* SPDX-License-Identifier: MIT */
#include "sweep/preparation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- once for a sweep */

/* A range of the form "(low, high]"; a list "{0, 1}" is kept as text. */
static bool read_range(ic_varying *v, const char *range)
{
    char *end = NULL;
    if (range[0] == '{') {
        v->listed = range;
        return true;
    }
    v->with_low = range[0] == '[';
    v->low = strtod(range + 1, &end);
    if (*end != ',') return false;
    v->high = strtod(end + 1, &end);
    v->with_high = *end == ']';
    return *end == ']' || *end == ')';
}

static bool is_in_range(const ic_varying *v, double value)
{
    if (v->listed != NULL) return ic_in_range(v->listed, value);
    return (v->with_low ? value >= v->low : value > v->low) &&
           (v->with_high ? value <= v->high : value < v->high);
}

static bool find_varied(size_t *varied, const ic_case *system, const ic_grid *grid)
{
    for (size_t k = 0; k < grid->n_axes; k++) {
        varied[k] = system->n_parameters;
        for (size_t i = 0; i < system->n_parameters; i++) {
            if (strcmp(system->parameters[i].name, grid->axes[k].name) == 0) varied[k] = i;
        }
        if (varied[k] == system->n_parameters) return false;
    }
    return true;
}

static bool take_varying(ic_preparation *p, const ic_case *system)
{
    const ic_compiled_case *c = &p->compiled;
    for (size_t i = 0; i < c->n_parameters; i++) {
        if (c->code.terms[c->parameters[i]].slot < 0) continue;
        p->varying[p->n_varying] = (ic_varying){.parameter = i};
        if (!read_range(&p->varying[p->n_varying++], system->parameters[i].range)) return false;
    }
    return true;
}

static bool take_requirements(ic_preparation *p, const ic_case *system)
{
    for (size_t i = 0; i < system->n_requirements; i++) {
        const int *terms = ic_compiled_case_find(&p->compiled, system->requirements[i].positive);
        if (terms == NULL) return false;
        if (p->compiled.code.terms[terms[0]].slot >= 0) p->requirements[p->n_requirements++] = terms[0];
    }
    return true;
}

bool ic_preparation_open(ic_preparation *p, const ic_setup *first, const ic_grid *grid)
{
    const ic_case *system = first->problem.system;
    size_t varied[IC_MOST_AXES];
    *p = (ic_preparation){.problem = &first->problem};
    if (first->composed != NULL || first->problem.t_end_text == NULL || !find_varied(varied, system, grid))
        return false;
    if (!ic_compiled_case_open(&p->compiled, &first->problem, varied, grid->n_axes)) return false;
    p->varying = calloc(system->n_parameters + 1, sizeof *p->varying);
    p->requirements = calloc(system->n_requirements + 1, sizeof *p->requirements);
    if (p->varying == NULL || p->requirements == NULL) return false;
    const int *until = ic_compiled_case_find(&p->compiled, first->problem.t_end_text);
    if (until == NULL || !take_varying(p, system) || !take_requirements(p, system)) return false;
    p->until = until[0];
    return true;
}

void ic_preparation_close(ic_preparation *p)
{
    ic_compiled_case_close(&p->compiled);
    free(p->varying);
    free(p->requirements);
    *p = (ic_preparation){0};
}

/* ---- parameter sets */

bool ic_prepared_sets_open(ic_prepared_sets *sets, const ic_preparation *p)
{
    const size_t n = p->compiled.n_parameters;
    *sets = (ic_prepared_sets){.values = calloc(p->compiled.code.n_slots * IC_CODE_LANES + 1, sizeof(double)),
                               .par = calloc(n * IC_CODE_LANES + 1, sizeof(double))};
    if (sets->values == NULL || sets->par == NULL) return false;
    for (size_t l = 0; l < IC_CODE_LANES; l++) {
        double *par = sets->par + l * n;
        memcpy(par, p->problem->par, n * sizeof *par);
        sets->given[l] = (struct ic_given){.compiled = &p->compiled, .values = sets->values + l};
        sets->problems[l] = *p->problem;
        sets->problems[l].par = par;
        sets->problems[l].par_text = NULL; /* the numbers are exact */
        sets->problems[l].t_end_text = NULL;
        sets->problems[l].given = &sets->given[l];
    }
    return true;
}

void ic_prepared_sets_close(ic_prepared_sets *sets)
{
    free(sets->values);
    free(sets->par);
    *sets = (ic_prepared_sets){0};
}

/* Takes the numbers of a lane; false: the set is invalid. */
static bool take_lane(ic_prepared_sets *sets, const ic_preparation *p, size_t l)
{
    const ic_compiled_case *c = &p->compiled;
    double *par = sets->par + l * c->n_parameters;
    for (size_t i = 0; i < p->n_varying; i++) {
        const ic_varying *v = &p->varying[i];
        const double value = ic_code_value(&c->code, sets->values + l, c->parameters[v->parameter]);
        if (!isfinite(value) || !is_in_range(v, value)) return false;
        par[v->parameter] = value;
    }
    for (size_t i = 0; i < p->n_requirements; i++) {
        const double value = ic_code_value(&c->code, sets->values + l, p->requirements[i]);
        if (!(isfinite(value) && value > 0)) return false;
    }
    sets->problems[l].t_end = ic_code_value(&c->code, sets->values + l, p->until);
    return isfinite(sets->problems[l].t_end) && sets->problems[l].t_end > sets->problems[l].t_start;
}

void ic_prepared_sets_fill(ic_prepared_sets *sets, const ic_preparation *p, const double *axes, size_t n_axes,
                           size_t n)
{
    double inputs[IC_MOST_AXES * IC_CODE_LANES];
    for (size_t k = 0; k < n_axes; k++) {
        for (size_t l = 0; l < IC_CODE_LANES; l++)
            inputs[k * IC_CODE_LANES + l] = axes[(l < n ? l : 0) * n_axes + k];
    }
    ic_code_evaluate(&p->compiled.code, inputs, sets->values, sets->good);
    for (size_t l = 0; l < n; l++) sets->good[l] = sets->good[l] && take_lane(sets, p, l);
}
