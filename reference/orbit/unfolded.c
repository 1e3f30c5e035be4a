/* SPDX-License-Identifier: MIT */
#include "reference/orbit/unfolded.h"
#include "reference/ball.h"
#include "reference/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 128 };

/* ---- numbers that follow from the parameter */

/* Encloses all parameters and, as the last number, the period, where the parameter has another text. */
static bool numbers_with(arb_ptr numbers, const ic_problem *problem, size_t parameter, const char *text,
                         char *message, size_t size)
{
    ic_problem other = *problem;
    const ic_case *system = problem->system;
    const char **texts = calloc(system->n_parameters + 1, sizeof *texts);
    if (texts == NULL) return false;
    for (size_t i = 0; i < system->n_parameters && problem->par_text != NULL; i++)
        texts[i] = problem->par_text[i];
    texts[parameter] = text;
    other.par_text = texts;
    bool good = ic_ball_parameters(numbers, &other, BITS, message, size);
    if (good && system->period != NULL) {
        const ic_ball_names names = {.system = system, .par = numbers};
        good = ic_ball_number(numbers + system->n_parameters, system->period, &names, BITS, message, size);
    }
    free(texts);
    return good;
}

static bool is_the_parameter(const ic_problem *problem, size_t i, size_t parameter)
{
    const ic_parameter *parameters = problem->system->parameters;
    return strcmp(parameters[i].name, parameters[parameter].name) == 0;
}

/* Whether the first times of time events are the same with two sets of parameters. */
static bool same_times(const ic_problem *problem, arb_srcptr a, arb_srcptr b, char *message, size_t size)
{
    const ic_variant *variant = problem->variant;
    bool same = true;
    IC_BALLS(x, y);
    for (size_t i = 0; i < variant->n_time_events && same; i++) {
        const char *text = variant->time_events[i].linear;
        for (long n = 0; n < 3 && same && text != NULL; n++) {
            const ic_ball_names first = {.system = problem->system, .par = a, .n = &n},
                                second = {.system = problem->system, .par = b, .n = &n};
            same = ic_ball_number(x, text, &first, BITS, message, size) &&
                   ic_ball_number(y, text, &second, BITS, message, size) && arb_equal(x, y);
        }
    }
    if (!same) snprintf(message, size, "the times of events follow from the parameter");
    return same;
}

bool ic_times_stay(const ic_problem *problem, size_t parameter, char *message, size_t size)
{
    const slong n = (slong)problem->system->n_parameters + 1;
    IC_BALL_VECTOR(a, n);
    IC_BALL_VECTOR(b, n);
    return numbers_with(a, problem, parameter, "0.7183", message, size) &&
           numbers_with(b, problem, parameter, "0.3141", message, size) &&
           same_times(problem, a, b, message, size);
}

/* Whether no other parameter, nor the period or the time of an event, follows from the parameter. */
static bool stands_alone(ic_unfolded *u, const ic_problem *problem, size_t parameter)
{
    const size_t n = problem->system->n_parameters;
    IC_BALL_VECTOR(a, (slong)n + 1);
    IC_BALL_VECTOR(b, (slong)n + 1);
    bool alone = numbers_with(a, problem, parameter, "0.7183", u->message, sizeof u->message) &&
                 numbers_with(b, problem, parameter, "0.3141", u->message, sizeof u->message);
    for (size_t i = 0; i <= n && alone; i++) {
        if (i < n && is_the_parameter(problem, i, parameter)) continue;
        if (arb_equal(a + i, b + i)) continue;
        snprintf(u->message, sizeof u->message, "%s%.60s%s follows from '%.60s'; state it as a number",
                 i < n ? "parameter '" : "", i < n ? problem->system->parameters[i].name : "the period",
                 i < n ? "'" : "", problem->system->parameters[parameter].name);
        alone = false;
    }
    alone = alone && same_times(problem, a, b, u->message, sizeof u->message);
    return alone;
}

/* ---- equations */

typedef struct unfolding {
    ic_unfolded *u;
    const ic_problem *problem;
    size_t parameter;
    bool failed;
} unfolding;

/* Operations of which the parameter is a state, and one operation more. */
static ic_equation_term *unfold_terms(unfolding *w, const ic_equations *e, ic_equation_term last)
{
    ic_equation_term *terms = ic_storage_copy(&w->u->storage, e->terms, e->n_terms, 1, sizeof *terms);
    if (terms == NULL) return NULL;
    for (size_t i = 0; i < e->n_terms; i++) {
        if (terms[i].operation != IC_OP_PARAMETER ||
            !is_the_parameter(w->problem, (size_t)terms[i].a, w->parameter))
            continue;
        terms[i].operation = IC_OP_STATE;
        terms[i].a = (int)w->problem->system->n_states;
    }
    terms[e->n_terms] = last;
    return terms;
}

/* The same equations with the last operation as a result more after each `group` results from the first one on. */
static const ic_equations *unfold_equations(unfolding *w, const ic_equations *e, ic_equation_term last,
                                            size_t after, size_t groups)
{
    if (e == NULL) return NULL;
    ic_equations *made = ic_storage_new(&w->u->storage, 1, sizeof *made);
    ic_equation_term *terms = unfold_terms(w, e, last);
    int *results = ic_storage_new(&w->u->storage, e->n_results + groups, sizeof *results);
    const char **texts = ic_storage_new(&w->u->storage, e->n_terms + 1, sizeof *texts);
    w->failed = w->failed || made == NULL || terms == NULL || results == NULL || texts == NULL;
    if (w->failed) return NULL;
    const size_t length = groups == 0 ? e->n_results : e->n_results / groups;
    size_t n = 0;
    for (size_t i = 0; i < e->n_results; i++) {
        results[n++] = e->results[i];
        if (groups > 0 && i % length == after - 1) results[n++] = (int)e->n_terms;
    }
    for (size_t i = 0; i < e->n_terms && e->texts != NULL; i++) texts[i] = e->texts[i];
    *made = (ic_equations){terms, e->n_terms + 1, results, n, texts};
    return made;
}

static void unfold_jump(unfolding *w, ic_jump *jump)
{
    const int n = (int)w->problem->system->n_states;
    const ic_equation_term state = {.operation = IC_OP_STATE, .a = n, .b = -1, .c = -1};
    /* a condition and the n states, of each branch */
    if (jump->equations != NULL)
        jump->equations = unfold_equations(w, jump->equations, state, (size_t)n + 1, jump->n_branches);
}

static void unfold_mode(unfolding *w, ic_mode *mode)
{
    const ic_equation_term zero = {.operation = IC_OP_NUMBER, .a = -1, .b = -1, .c = -1};
    ic_guard *guards = ic_storage_copy(&w->u->storage, mode->guards, mode->n_guards, 0, sizeof *guards);
    w->failed = w->failed || guards == NULL;
    if (w->failed) return;
    for (size_t i = 0; i < mode->n_guards; i++) unfold_jump(w, &guards[i].jump);
    mode->guards = guards;
    mode->equations = unfold_equations(w, mode->equations, zero, w->problem->system->n_states, 1);
    mode->quantities = unfold_equations(w, mode->quantities, zero, 0, 0);
}

static void unfold_variant(unfolding *w)
{
    ic_variant *v = &w->u->variant;
    *v = *w->problem->variant;
    ic_mode *modes = ic_storage_copy(&w->u->storage, v->modes, v->n_modes, 0, sizeof *modes);
    ic_time_event *times = ic_storage_copy(&w->u->storage, v->time_events, v->n_time_events, 0, sizeof *times);
    w->failed = w->failed || modes == NULL || times == NULL;
    if (w->failed) return;
    for (size_t i = 0; i < v->n_modes; i++) unfold_mode(w, &modes[i]);
    for (size_t i = 0; i < v->n_time_events; i++) unfold_jump(w, &times[i].jump);
    v->modes = modes;
    v->time_events = times;
    v->start = (ic_jump){0};
}

bool ic_unfold(ic_unfolded *u, const ic_problem *problem, size_t parameter)
{
    const ic_case *system = problem->system;
    unfolding w = {.u = u, .problem = problem, .parameter = parameter};
    *u = (ic_unfolded){.problem = *problem, .system = *system};
    if (!stands_alone(u, problem, parameter)) return false;
    ic_state *states = ic_storage_copy(&u->storage, system->states, system->n_states, 1, sizeof *states);
    w.failed = states == NULL || system->n_states == IC_MAX_STATES;
    if (!w.failed) unfold_variant(&w);
    if (w.failed) {
        snprintf(u->message, sizeof u->message, "memory ran out");
        return false;
    }
    const ic_parameter *p = &system->parameters[parameter];
    states[system->n_states] = (ic_state){p->name, p->unit, p->meaning, NULL};
    u->system.states = states;
    u->system.n_states++;
    u->problem.system = &u->system;
    u->problem.variant = &u->variant;
    return true;
}

void ic_unfolded_close(ic_unfolded *u)
{
    ic_storage_clear(&u->storage);
}
