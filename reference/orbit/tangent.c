/* SPDX-License-Identifier: MIT */
#include "reference/orbit/tangent.h"
#include "reference/expression.h"
#include "reference/orbit/derivation.h"

#include <math.h>
#include <stdio.h>

typedef struct tangent {
    ic_tangent_problem *t;
    const ic_problem *problem;

    /* NULL: one tangent along any direction in the space of states */
    const ic_tangent_direction *directions;

    /* states, and tangents */
    int n, tangents;

    const char *unknown;
} tangent;

/* Operations of a flow or a jump. */
typedef struct formulas {
    ic_derivation d;

    /* by tangent: its components, by state */
    int **along;

    /* by tangent: the components of the parameters; NULL: these are constant */
    int **parameters;
} formulas;

/* By parameter: its derivative by another one, as the texts of parameters state it. */
static int *vary_parameters(tangent *w, ic_derivation *d, int by)
{
    const ic_case *system = w->problem->system;
    int *slopes = ic_storage_new(&w->t->storage, system->n_parameters, sizeof *slopes);
    for (size_t i = 0; i < system->n_parameters && slopes != NULL; i++) {
        slopes[i] = IC_ZERO;
        if ((int)i == by) slopes[i] = ic_derivation_leaf(d, IC_OP_NUMBER, -1, 1);
        const char *text = w->problem->par_text == NULL ? NULL : w->problem->par_text[i];
        if (by < 0 || (int)i <= by || text == NULL) continue;
        const ic_equations *e = ic_linear_formulas_read(&w->t->formulas, text);
        const int *numbers = e == NULL ? NULL : ic_derivation_import(d, e, NULL);
        if (numbers == NULL) return NULL;
        ic_direction along = ic_direction_of(d, NULL, IC_ZERO);
        along.parameters = slopes;
        slopes[i] = ic_derive(d, numbers[e->results[0]], &along);
    }
    return slopes;
}

static bool begin(formulas *f, tangent *w)
{
    ic_storage *storage = &w->t->storage;
    *f = (formulas){.d = {.storage = storage}};
    f->along = ic_storage_new(storage, (size_t)w->tangents, sizeof *f->along);
    f->parameters = ic_storage_new(storage, (size_t)w->tangents, sizeof *f->parameters);
    for (int k = 0; k < w->tangents && !storage->failed; k++) {
        f->along[k] = ic_storage_new(storage, (size_t)w->n, sizeof **f->along);
        for (int i = 0; i < w->n && f->along[k] != NULL; i++)
            f->along[k][i] = ic_derivation_leaf(&f->d, IC_OP_STATE, (k + 1) * w->n + i, 0);
        if (w->directions == NULL) continue;
        f->parameters[k] = vary_parameters(w, &f->d, w->directions[k].parameter);
        if (f->parameters[k] == NULL) return false;
    }
    return !storage->failed;
}

/* The directions of a tangent, and of the flow with given rates, in which all operations so far may be derived. */
static ic_direction direction_of(formulas *f, int k)
{
    ic_direction direction = ic_direction_of(&f->d, f->along[k], IC_ZERO);
    direction.parameters = f->parameters[k];
    return direction;
}

static ic_direction flow_of(formulas *f, const int *rates)
{
    const int one = ic_derivation_leaf(&f->d, IC_OP_NUMBER, -1, 1);
    return ic_direction_of(&f->d, rates, one);
}

/* A term for a result; zero is a number. */
static int as_term(formulas *f, int operation)
{
    return operation == IC_ZERO ? ic_derivation_leaf(&f->d, IC_OP_NUMBER, -1, 0) : operation;
}

/* Equations with the operations and some results. NULL: memory ran out, or a formula has no derivative. */
static const ic_equations *end(tangent *w, formulas *f, const int *results, size_t n_results)
{
    ic_equations *made = ic_storage_new(&w->t->storage, 1, sizeof *made);
    if (f->d.unknown != NULL) w->unknown = f->d.unknown;
    if (w->t->storage.failed) return NULL;
    *made = (ic_equations){f->d.terms, f->d.n, results, n_results, f->d.texts};
    return made;
}

/* The flow, its linearisation and the guards. */
static const ic_equations *linearise_flow(tangent *w, const ic_equations *e)
{
    formulas f;
    if (e == NULL || !begin(&f, w)) return NULL;
    const size_t n = (size_t)w->n, more = n * (size_t)w->tangents;
    const int *numbers = ic_derivation_import(&f.d, e, NULL);
    int *results = ic_storage_new(&w->t->storage, e->n_results + more, sizeof *results);
    if (numbers == NULL || results == NULL) return NULL;
    for (size_t i = 0; i < e->n_results; i++) results[i < n ? i : i + more] = numbers[e->results[i]];
    for (int k = 0; k < w->tangents; k++) {
        ic_direction along = direction_of(&f, k);
        for (int i = 0; i < w->n; i++)
            results[(k + 1) * w->n + i] = as_term(&f, ic_derive(&f.d, results[i], &along));
    }
    return end(w, &f, results, e->n_results + more);
}

/* The event of a jump: the flow before it and its guard; or none, at a given time. */
typedef struct event {
    const ic_equations *flow;
    size_t guard, n_guards;
} event;

/* The operations of the flow in a mode that the jump has led to; NULL: nothing moves there, or the run ends. */
static int *flow_after(tangent *w, formulas *f, const ic_branch *branch, const event *event, const int *states)
{
    const ic_variant *variant = w->problem->variant;
    const ic_equations *e = branch->mode == IC_SAME_MODE ? event->flow : variant->modes[branch->mode].equations;
    if (e == NULL || (branch->mode != IC_SAME_MODE && variant->modes[branch->mode].terminal)) return NULL;
    const int *numbers = ic_derivation_import(&f->d, e, states);
    int *rates = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *rates);
    for (int i = 0; i < w->n && numbers != NULL && rates != NULL; i++) rates[i] = numbers[e->results[i]];
    return numbers == NULL ? NULL : rates;
}

/* A jump while it is linearised. */
typedef struct jump_tangent {
    formulas f;
    const event *event;

    /* the flow before it */
    const int *before;

    /* by tangent: (g_x v + g_p)/(g_x f + g_t), or zero at a given time */
    int *delays;
} jump_tangent;

static int *take_rates(tangent *w, formulas *f, const ic_equations *e, const int **numbers)
{
    int *rates = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *rates);
    *numbers = ic_derivation_import(&f->d, e, NULL);
    for (int i = 0; i < w->n && *numbers != NULL && rates != NULL; i++) rates[i] = (*numbers)[e->results[i]];
    return *numbers == NULL ? NULL : rates;
}

static int guard_of(const ic_equations *e, const int *numbers, size_t guard, size_t n_guards)
{
    return numbers[e->results[e->n_results - n_guards + guard]];
}

/* Finds the flow before the jump, and by how much the event comes earlier along the tangents. */
static bool prepare_event(tangent *w, jump_tangent *j)
{
    const ic_equations *e = j->event->flow;
    const int *numbers = NULL;
    j->delays = ic_storage_new(&w->t->storage, (size_t)w->tangents, sizeof *j->delays);
    for (int k = 0; k < w->tangents && j->delays != NULL; k++) j->delays[k] = IC_ZERO;
    if (e == NULL || j->delays == NULL) return j->delays != NULL;
    j->before = take_rates(w, &j->f, e, &numbers);
    if (j->before == NULL) return false;
    const int guard = guard_of(e, numbers, j->event->guard, j->event->n_guards);
    ic_direction flow = flow_of(&j->f, j->before);
    /* without a rate, it has no delay: a division by zero */
    const int rate = as_term(&j->f, ic_derive(&j->f.d, guard, &flow));
    for (int k = 0; k < w->tangents; k++) {
        ic_direction along = direction_of(&j->f, k);
        j->delays[k] = ic_derivation_divide(&j->f.d, ic_derive(&j->f.d, guard, &along), rate);
    }
    return true;
}

/* The tangents after one branch: results[n (1 + k) + i] for the states results[i]. */
static void linearise_branch(tangent *w, jump_tangent *j, const ic_branch *branch, int *results)
{
    ic_derivation *d = &j->f.d;
    const int *after = j->event->flow == NULL ? NULL : flow_after(w, &j->f, branch, j->event, results);
    ic_direction flow = flow_of(&j->f, j->before);
    for (int k = 0; k < w->tangents; k++) {
        ic_direction along = direction_of(&j->f, k);
        for (int i = 0; i < w->n; i++) {
            const int tangent_of_map = ic_derive(d, results[i], &along);
            int excess = IC_ZERO;
            if (j->delays[k] != IC_ZERO) {
                excess = ic_derive(d, results[i], &flow);
                if (after != NULL) excess = ic_derivation_subtract(d, excess, after[i]);
            }
            const int shifted = ic_derivation_multiply(d, j->delays[k], excess);
            results[(k + 1) * w->n + i] = as_term(&j->f, ic_derivation_subtract(d, tangent_of_map, shifted));
        }
    }
}

/*
 * The condition of a branch, in which no comparison may hold with equality in this run alone: neighbouring ones would take
 * either branch. They are at v + f tau, at the time t + tau.
 */
static int decide_branch(tangent *w, jump_tangent *j, int condition)
{
    ic_derivation *d = &j->f.d;
    const bool moves = j->event != NULL && j->event->flow != NULL;
    for (int k = 0; k < w->tangents && w->directions != NULL; k++) {
        int *states = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *states);
        for (int i = 0; i < w->n && states != NULL; i++)
            states[i] = moves ? ic_derivation_subtract(d, j->f.along[k][i],
                                                       ic_derivation_multiply(d, j->delays[k], j->before[i]))
                              : j->f.along[k][i];
        ic_direction total =
            ic_direction_of(d, j->event == NULL ? NULL : states,
                            moves ? ic_derivation_subtract(d, IC_ZERO, j->delays[k]) : IC_ZERO);
        total.parameters = j->f.parameters[k];
        condition = ic_derivation_decided(d, condition, &total);
    }
    return condition;
}

/* The tangents of the start: along a state there, 1 for that state alone. */
static void linearise_start(tangent *w, jump_tangent *j, int *results)
{
    for (int k = 0; k < w->tangents; k++) {
        ic_direction along = direction_of(&j->f, k);
        along.states = NULL;
        for (int i = 0; i < w->n; i++) {
            const bool moved = w->directions[k].state == i;
            results[(k + 1) * w->n + i] = moved ? ic_derivation_leaf(&j->f.d, IC_OP_NUMBER, -1, 1)
                                                : as_term(&j->f, ic_derive(&j->f.d, results[i], &along));
        }
    }
}

/* `event` NULL: the start. */
static const ic_equations *linearise_jump(tangent *w, const ic_jump *jump, const event *event)
{
    jump_tangent j = {.event = event};
    const ic_equations *e = jump->equations;
    if (e == NULL || !begin(&j.f, w)) return NULL;
    const size_t n = (size_t)w->n, length = 1 + n * (size_t)(1 + w->tangents);
    const int *numbers = ic_derivation_import(&j.f.d, e, NULL);
    int *results = ic_storage_new(&w->t->storage, jump->n_branches * length, sizeof *results);
    if (numbers == NULL || results == NULL || (event != NULL && !prepare_event(w, &j))) return NULL;
    for (size_t b = 0; b < jump->n_branches && !w->t->storage.failed; b++) {
        const int *old = e->results + b * (1 + n);
        int *made = results + b * length;
        made[0] = old[0] < 0 ? -1 : decide_branch(w, &j, numbers[old[0]]);
        for (size_t i = 0; i < n; i++) made[1 + i] = numbers[old[1 + i]];
        if (event == NULL) linearise_start(w, &j, made + 1);
        else linearise_branch(w, &j, &jump->branches[b], made + 1);
    }
    return end(w, &j.f, results, jump->n_branches * length);
}

/* ---- what is read off at a place */

/* Derivatives of the outputs of a mode, and their rates: by output, each direction, then the rate. */
static void derive_outputs(tangent *w, formulas *f, const ic_mode *mode, const int *rates, int *results)
{
    const ic_equations *q = mode->quantities;
    const size_t n_outputs = w->problem->system->n_outputs, width = (size_t)w->tangents + 1;
    const int *numbers = q == NULL ? NULL : ic_derivation_import(&f->d, q, NULL);
    ic_direction flow = flow_of(f, rates);
    for (size_t i = 0; i < n_outputs * width; i++) results[i] = -1;
    for (size_t i = 0; i < n_outputs && numbers != NULL; i++) {
        const int output = q->results[q->n_results - n_outputs + i];
        for (int k = 0; k <= w->tangents && output >= 0; k++) {
            ic_direction along = k < w->tangents ? direction_of(f, k) : flow;
            results[i * width + (size_t)k] = as_term(f, ic_derive(&f->d, numbers[output], &along));
        }
    }
}

/* Conditions of guards, decided along all tangents. */
static void decide_conditions(tangent *w, formulas *f, const ic_mode *mode, int *results)
{
    const ic_equations *q = mode->quantities;
    const int *numbers = q == NULL ? NULL : ic_derivation_import(&f->d, q, NULL);
    for (size_t g = 0; g < mode->n_guards; g++) {
        results[g] = numbers == NULL || q->results[g] < 0 ? -1 : numbers[q->results[g]];
        for (int k = 0; k < w->tangents && results[g] >= 0; k++) {
            ic_direction along = direction_of(f, k);
            results[g] = ic_derivation_decided(&f->d, results[g], &along);
        }
    }
}

static const ic_equations *derive_slopes(tangent *w, const ic_mode *mode)
{
    formulas f;
    const ic_equations *e = mode->equations;
    const int *numbers = NULL;
    if (e == NULL || !begin(&f, w)) return NULL;
    const size_t m = (size_t)w->tangents, n = (size_t)w->n, outputs = w->problem->system->n_outputs * (m + 1),
                 count = mode->n_guards * (3 + m) + n + outputs;
    int *guards = ic_storage_new(&w->t->storage, count, sizeof *guards);
    const int *rates = take_rates(w, &f, e, &numbers);
    if (guards == NULL || rates == NULL) return NULL;
    int *changes = guards + mode->n_guards, *guard_rates = changes + mode->n_guards * m,
        *conditions = guard_rates + mode->n_guards, *flow = conditions + mode->n_guards;
    ic_direction along_flow = flow_of(&f, rates);
    for (size_t g = 0; g < mode->n_guards; g++) {
        guards[g] = guard_of(e, numbers, g, mode->n_guards);
        guard_rates[g] = as_term(&f, ic_derive(&f.d, guards[g], &along_flow));
    }
    for (size_t i = 0; i < mode->n_guards * m; i++) {
        ic_direction along = direction_of(&f, (int)(i % m));
        changes[i] = as_term(&f, ic_derive(&f.d, guards[i / m], &along));
    }
    decide_conditions(w, &f, mode, conditions);
    for (size_t i = 0; i < n; i++) flow[i] = rates[i];
    derive_outputs(w, &f, mode, rates, flow + n);
    return end(w, &f, guards, count);
}

/* ---- the problem */

static void linearise_mode(tangent *w, ic_mode *mode)
{
    ic_guard *guards = ic_storage_copy(&w->t->storage, mode->guards, mode->n_guards, 0, sizeof *guards);
    for (size_t i = 0; i < mode->n_guards && guards != NULL; i++) {
        const event event = {mode->equations, i, mode->n_guards};
        guards[i].jump.equations = linearise_jump(w, &mode->guards[i].jump, &event);
        guards[i].accumulation = (ic_jump){0};
    }
    mode->guards = guards;
    mode->equations = linearise_flow(w, mode->equations);
}

static void linearise_variant(tangent *w)
{
    ic_variant *v = &w->t->variant;
    *v = *w->problem->variant;
    ic_mode *modes = ic_storage_copy(&w->t->storage, v->modes, v->n_modes, 0, sizeof *modes);
    ic_time_event *times = ic_storage_copy(&w->t->storage, v->time_events, v->n_time_events, 0, sizeof *times);
    w->t->slopes = ic_storage_new(&w->t->storage, v->n_modes, sizeof(void *));
    if (w->t->storage.failed) return;
    const event none = {0};
    for (size_t i = 0; i < v->n_modes; i++) {
        if (w->directions != NULL) w->t->slopes[i] = derive_slopes(w, &modes[i]);
        linearise_mode(w, &modes[i]);
    }
    for (size_t i = 0; i < v->n_time_events; i++)
        times[i].jump.equations = linearise_jump(w, &times[i].jump, &none);
    v->modes = modes;
    v->time_events = times;
    if (w->directions == NULL) v->start = (ic_jump){0};
    else v->start.equations = linearise_jump(w, &v->start, NULL);
}

enum { TEXT = 600 };

/* Names a tangent, and scales it: by its state's scale, for a change of the parameter by its size. */
static void name_tangent(tangent *w, ic_state *to, const ic_state *states, int k)
{
    const ic_case *system = w->problem->system;
    const ic_state own = *to;
    char *name = ic_storage_new(&w->t->storage, TEXT, 1), *scale = ic_storage_new(&w->t->storage, TEXT, 1);
    const int p = w->directions[k].parameter, start = w->directions[k].state;
    const char *above = own.scale == NULL ? "1" : own.scale, *below = "1";
    if (p < 0 && states[start].scale != NULL) below = states[start].scale;
    if (name == NULL || scale == NULL) return;
    snprintf(name, TEXT, "%.99s by %.99s", own.name, p < 0 ? states[start].name : system->parameters[p].name);
    if (p < 0 || w->problem->par[p] == 0) snprintf(scale, TEXT, "(%.256s)/(%.256s)", above, below);
    else snprintf(scale, TEXT, "(%.256s)/(%.17g)", above, fabs(w->problem->par[p]));
    to->name = name;
    to->scale = scale;
}

static bool open_tangents(tangent *w)
{
    ic_tangent_problem *t = w->t;
    const ic_case *system = w->problem->system;
    const size_t n = system->n_states, more = n * (size_t)w->tangents;
    if (n + more > IC_MAX_STATES) {
        snprintf(t->message, sizeof t->message, "too many states");
        return false;
    }
    ic_state *states = ic_storage_copy(&t->storage, system->states, n, more, sizeof *states);
    for (size_t i = 0; i < more && states != NULL; i++) {
        states[n + i] = states[i % n];
        if (w->directions != NULL) name_tangent(w, &states[n + i], states, (int)(i / n));
    }
    linearise_variant(w);
    if (t->storage.failed || w->unknown != NULL) {
        snprintf(t->message, sizeof t->message, "%s", w->unknown != NULL ? w->unknown : "memory ran out");
        return false;
    }
    t->system.states = states;
    t->system.n_states = n + more;
    t->problem.system = &t->system;
    t->problem.variant = &t->variant;
    return true;
}

bool ic_tangent_open(ic_tangent_problem *t, const ic_problem *problem)
{
    *t = (ic_tangent_problem){.problem = *problem, .system = *problem->system};
    return open_tangents(
        &(tangent){.t = t, .problem = problem, .n = (int)problem->system->n_states, .tangents = 1});
}

bool ic_tangent_open_along(ic_tangent_problem *t, const ic_problem *problem,
                           const ic_tangent_direction *directions, size_t n)
{
    *t = (ic_tangent_problem){.problem = *problem, .system = *problem->system};
    if (!ic_linear_formulas_open(&t->formulas, problem)) {
        snprintf(t->message, sizeof t->message, "%.199s", t->formulas.message);
        return false;
    }
    return open_tangents(&(tangent){.t = t,
                                    .problem = &t->formulas.problem,
                                    .directions = directions,
                                    .n = (int)problem->system->n_states,
                                    .tangents = (int)n});
}

void ic_tangent_close(ic_tangent_problem *t)
{
    ic_storage_clear(&t->storage);
    if (t->formulas.modes != NULL) ic_linear_formulas_close(&t->formulas);
}
