/* SPDX-License-Identifier: MIT */
#include "reference/orbit/tangent.h"
#include "reference/orbit/derivation.h"

#include <stdio.h>

typedef struct tangent {
    ic_tangent_problem *t;
    const ic_problem *problem;
    int n;
    const char *unknown;
} tangent;

/* Operations of a flow or a jump, and of which states and tangents they are. */
typedef struct formulas {
    ic_derivation d;

    /* by state: the components of the tangent; zero where it is not a state that moves */
    int *along;
} formulas;

static bool begin(formulas *f, tangent *w)
{
    *f = (formulas){.d = {.storage = &w->t->storage}};
    f->along = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *f->along);
    for (int i = 0; i < w->n && f->along != NULL; i++)
        f->along[i] = ic_derivation_leaf(&f->d, IC_OP_STATE, w->n + i, 0);
    return f->along != NULL;
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
    const size_t n = (size_t)w->n;
    const int *numbers = ic_derivation_import(&f.d, e, NULL);
    int *results = ic_storage_new(&w->t->storage, e->n_results + n, sizeof *results);
    if (numbers == NULL || results == NULL) return NULL;
    ic_direction along = ic_direction_of(&f.d, f.along, IC_ZERO);
    for (size_t i = 0; i < n; i++) results[i] = numbers[e->results[i]];
    for (size_t i = 0; i < n; i++) results[n + i] = as_term(&f, ic_derive(&f.d, results[i], &along));
    for (size_t i = n; i < e->n_results; i++) results[n + i] = numbers[e->results[i]];
    return end(w, &f, results, e->n_results + n);
}

/* The event of a jump: the flow before it and its guard; or none, at a given time. */
typedef struct event {
    const ic_equations *flow;
    size_t guard, n_guards;
} event;

/* The operations of the flow in a mode that the jump has led to; NULL: nothing moves there. */
static int *flow_after(tangent *w, formulas *f, const ic_branch *branch, const event *event, const int *states)
{
    const ic_variant *variant = w->problem->variant;
    const ic_equations *e = branch->mode == IC_SAME_MODE ? event->flow : variant->modes[branch->mode].equations;
    if (e == NULL) return NULL;
    const int *numbers = ic_derivation_import(&f->d, e, states);
    int *rates = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *rates);
    for (int i = 0; i < w->n && numbers != NULL && rates != NULL; i++) rates[i] = numbers[e->results[i]];
    return numbers == NULL ? NULL : rates;
}

/* A jump while it is linearised. */
typedef struct jump_tangent {
    formulas f;
    const event *event;

    /* the flow before it, with the time: 1 */
    const int *before;

    /* (g_x v)/(g_x f + g_t), or zero at a given time */
    int delay;
} jump_tangent;

/* Finds the flow before the jump, and by how much the event comes earlier along the tangent. */
static bool find_delay(tangent *w, jump_tangent *j)
{
    const ic_equations *e = j->event->flow;
    j->delay = IC_ZERO;
    if (e == NULL) return true;
    const int *numbers = ic_derivation_import(&j->f.d, e, NULL);
    int *rates = ic_storage_new(&w->t->storage, (size_t)w->n, sizeof *rates);
    if (numbers == NULL || rates == NULL) return false;
    for (int i = 0; i < w->n; i++) rates[i] = numbers[e->results[i]];
    j->before = rates;
    const int guard = numbers[e->results[e->n_results - j->event->n_guards + j->event->guard]];
    const int one = ic_derivation_leaf(&j->f.d, IC_OP_NUMBER, -1, 1);
    ic_direction along = ic_direction_of(&j->f.d, j->f.along, IC_ZERO),
                 flow = ic_direction_of(&j->f.d, rates, one);
    const int change = ic_derive(&j->f.d, guard, &along), rate = ic_derive(&j->f.d, guard, &flow);
    if (rate == IC_ZERO) w->unknown = "a guard has no rate";
    else j->delay = ic_derivation_divide(&j->f.d, change, rate);
    return true;
}

/* The tangent after one branch: results[n + i] for the states results[i]. */
static void linearise_branch(tangent *w, jump_tangent *j, const ic_branch *branch, int *results)
{
    ic_derivation *d = &j->f.d;
    int *after = j->delay == IC_ZERO ? NULL : flow_after(w, &j->f, branch, j->event, results);
    const int one = ic_derivation_leaf(d, IC_OP_NUMBER, -1, 1);
    ic_direction along = ic_direction_of(d, j->f.along, IC_ZERO), flow = ic_direction_of(d, j->before, one);
    for (int i = 0; i < w->n; i++) {
        const int tangent_of_map = ic_derive(d, results[i], &along);
        int excess = IC_ZERO;
        if (j->delay != IC_ZERO) {
            excess = ic_derive(d, results[i], &flow);
            if (after != NULL) excess = ic_derivation_subtract(d, excess, after[i]);
        }
        const int shifted = ic_derivation_multiply(d, j->delay, excess);
        results[w->n + i] = as_term(&j->f, ic_derivation_subtract(d, tangent_of_map, shifted));
    }
}

static const ic_equations *linearise_jump(tangent *w, const ic_jump *jump, const event *event)
{
    jump_tangent j = {.event = event};
    const ic_equations *e = jump->equations;
    if (e == NULL || !begin(&j.f, w)) return NULL;
    const size_t n = (size_t)w->n, length = 1 + 2 * n;
    const int *numbers = ic_derivation_import(&j.f.d, e, NULL);
    int *results = ic_storage_new(&w->t->storage, jump->n_branches * length, sizeof *results);
    if (numbers == NULL || results == NULL || !find_delay(w, &j)) return NULL;
    for (size_t b = 0; b < jump->n_branches && !w->t->storage.failed; b++) {
        const int *old = e->results + b * (1 + n);
        int *made = results + b * length;
        made[0] = old[0] < 0 ? -1 : numbers[old[0]];
        for (size_t i = 0; i < n; i++) made[1 + i] = numbers[old[1 + i]];
        linearise_branch(w, &j, &jump->branches[b], made + 1);
    }
    return end(w, &j.f, results, jump->n_branches * length);
}

/* ---- the problem */

static void linearise_mode(tangent *w, ic_mode *mode)
{
    ic_guard *guards = ic_storage_copy(&w->t->storage, mode->guards, mode->n_guards, 0, sizeof *guards);
    for (size_t i = 0; i < mode->n_guards && guards != NULL; i++) {
        const event event = {mode->equations, i, mode->n_guards};
        guards[i].jump.equations = linearise_jump(w, &mode->guards[i].jump, &event);
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
    if (w->t->storage.failed) return;
    const event none = {0};
    for (size_t i = 0; i < v->n_modes; i++) linearise_mode(w, &modes[i]);
    for (size_t i = 0; i < v->n_time_events; i++)
        times[i].jump.equations = linearise_jump(w, &times[i].jump, &none);
    v->modes = modes;
    v->time_events = times;
    v->start = (ic_jump){0};
}

bool ic_tangent_open(ic_tangent_problem *t, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    const size_t n = system->n_states;
    tangent w = {.t = t, .problem = problem, .n = (int)n};
    *t = (ic_tangent_problem){.problem = *problem, .system = *system};
    if (2 * n > IC_MAX_STATES) {
        snprintf(t->message, sizeof t->message, "too many states");
        return false;
    }
    ic_state *states = ic_storage_copy(&t->storage, system->states, n, n, sizeof *states);
    for (size_t i = 0; i < n && states != NULL; i++) states[n + i] = states[i];
    linearise_variant(&w);
    if (t->storage.failed || w.unknown != NULL) {
        snprintf(t->message, sizeof t->message, "%s", w.unknown != NULL ? w.unknown : "memory ran out");
        return false;
    }
    t->system.states = states;
    t->system.n_states = 2 * n;
    t->problem.system = &t->system;
    t->problem.variant = &t->variant;
    return true;
}

void ic_tangent_close(ic_tangent_problem *t)
{
    ic_storage_clear(&t->storage);
}
