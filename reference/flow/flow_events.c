/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_record.h"

#include "reference/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ic_status ic_flow_undecided(ic_flow *f, const char *format, ...)
{
    char at[64];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    const int length = vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    char *digits = arb_get_str(f->set.centre + f->n, 12, ARB_STR_NO_RADIUS);
    snprintf(at, sizeof at, ", after t = %s", digits);
    flint_free(digits);
    if (length > 0 && (size_t)length < sizeof f->message)
        snprintf(f->message + length, sizeof f->message - (size_t)length, "%s", at);
    return IC_UNDECIDED;
}

bool ic_flow_number(arb_t value, ic_flow *f, const char *text, const long *n)
{
    const ic_ball_names names = {.system = f->problem->system, .par = f->par, .n = n};
    return ic_ball_number(value, text, &names, f->prec, f->message, sizeof f->message);
}

double ic_flow_middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* ---- time events */

/* Earliest time event: its index and time; -1: none; -2: undecided or malformed (see message). */
static int next_time_event(ic_flow *f, arb_t t)
{
    const ic_variant *variant = f->problem->variant;
    IC_BALLS(at);
    int first = -1;
    for (size_t i = 0; i < variant->n_time_events && first != -2; i++) {
        const ic_time_event *event = &variant->time_events[i];
        if (event->linear == NULL) {
            snprintf(f->message, sizeof f->message, "time event '%.80s' is not known as a formula",
                     event->name);
            first = -2;
        } else if (event->occurrences == 0 || f->next_occurrence[i] < event->occurrences) {
            if (!ic_flow_number(at, f, event->linear, &f->next_occurrence[i])) {
                first = -2;
            } else if (first < 0 || arb_lt(at, t)) {
                arb_set(t, at);
                first = (int)i;
            } else if (!arb_gt(at, t) && !arb_equal(at, t)) {
                snprintf(f->message, sizeof f->message, "the order of time events is not decided");
                first = -2;
            }
        }
    }
    return first;
}

/* Skips occurrences before the start. */
static ic_status skip_past_time_events(ic_flow *f)
{
    const ic_variant *variant = f->problem->variant;
    IC_BALLS(at);
    ic_status status = IC_OK;
    for (size_t i = 0; i < variant->n_time_events && status == IC_OK; i++) {
        const ic_time_event *event = &variant->time_events[i];
        while (event->linear != NULL &&
               (event->occurrences == 0 || f->next_occurrence[i] < event->occurrences)) {
            if (!ic_flow_number(at, f, event->linear, &f->next_occurrence[i])) status = IC_INVALID;
            if (status != IC_OK || !arb_lt(at, f->set.centre + f->n)) break;
            f->next_occurrence[i]++;
        }
    }
    return status;
}

static ic_status fire_time_event(ic_flow *f, int which, bool same_instant)
{
    const ic_time_event *event = &f->problem->variant->time_events[which];
    const ic_status status = ic_flow_begin_event(f, IC_EVENT_TIME, event->name, same_instant);
    f->next_occurrence[which]++;
    f->fired_number = ic_flow_mode(f)->n_guards + (size_t)which;
    for (size_t i = 0; i < f->values[f->mode].n; i++) f->guards[i].zero = f->guards[i].zero && same_instant;
    return status != IC_OK ? status : ic_flow_jump(f, &event->jump, NULL, true);
}

/* ---- the flow */

ic_status ic_flow_next(ic_flow *f, const arb_t t_end, bool *happened)
{
    IC_BALLS(t_event);
    bool stopped = false;
    *happened = false;
    if (ic_flow_mode(f)->terminal) {
        ic_flow_record_end(f);
        return IC_OK;
    }
    const int which = next_time_event(f, t_event);
    const bool event_first = which >= 0 && arb_lt(t_event, t_end);
    ic_status status = which == -2 ? IC_UNSUPPORTED : IC_OK;
    arb_set(f->t_stop, event_first ? t_event : t_end);
    const bool same_instant = f->kind == IC_EVENT_TIME && f->stands && arb_equal(f->place, f->t_stop);
    f->stop_event = event_first ? &f->problem->variant->time_events[which] : NULL;
    if (status == IC_OK) {
        if (f->has_phase) ic_flow_phase_stop_at(f);
        status = ic_flow_advance(f, happened, &stopped);
    }
    if (status == IC_OK && !*happened && event_first) {
        *happened = true;
        status = fire_time_event(f, which, same_instant);
    }
    if (status == IC_OK && !*happened) ic_flow_record_end(f);
    return status;
}

const char *ic_flow_time_scale(const ic_problem *problem)
{
    const char *own = problem->variant->time_scale;
    return own != NULL ? own : problem->system->time_scale;
}

static bool find_sizes(ic_flow *f)
{
    const ic_case *system = f->problem->system;
    IC_BALLS(value);
    f->sizes = calloc((size_t)f->n + 1, sizeof *f->sizes);
    f->rests = calloc((size_t)f->n + 1, sizeof *f->rests);
    if (f->rests == NULL) return false;
    for (slong v = 0; v <= f->n && f->sizes != NULL; v++) {
        const char *text = v == f->n ? ic_flow_time_scale(f->problem) : system->states[v].scale;
        f->sizes[v] = 1;
        if (text == NULL || !ic_flow_number(value, f, text, NULL)) continue;
        const double stated = arf_get_d(arb_midref(value), ARF_RND_NEAR);
        if (stated > 0 && isfinite(stated)) f->sizes[v] = stated;
    }
    f->message[0] = '\0';
    return f->sizes != NULL;
}

/* Places the flow at a time and watches what is due there. */
static ic_status stand(ic_flow *f)
{
    f->name = "start";
    f->chain = -1; /* The first event at the start is number 0 of its instant. */
    f->stands = true;
    arb_set(f->place, f->set.centre + f->n);
    ic_flow_set_box(f->now, &f->set);
    return skip_past_time_events(f);
}

static ic_status start(ic_flow *f)
{
    const ic_problem *problem = f->problem;
    IC_BALL_VECTOR(y, f->n + 1);
    arb_set_d(y + f->n, problem->t_start);
    for (slong v = 0; v < f->n && problem->x_start != NULL; v++) arb_set_d(y + v, problem->x_start[v]);
    ic_flow_set_place(&f->set, y);
    ic_status status = stand(f);
    if (status == IC_OK) status = ic_flow_record_problem(f);
    if (status != IC_OK) return status;
    if (problem->x_start == NULL) return ic_flow_jump(f, &problem->variant->start, NULL, false);
    f->mode = problem->mode_start;
    return ic_flow_phase_begin(f, NULL);
}

/* Adds an operation to the values of a mode, unless it is a number or among them. */
static void add_value(ic_mode_values *values, const ic_equations *e, int operation)
{
    if (e->terms[operation].operation == IC_OP_NUMBER || e->terms[operation].operation == IC_OP_PARAMETER)
        return;
    for (size_t i = 0; i < values->n; i++) {
        if (values->operations[i] == operation) return;
    }
    values->operations[values->n++] = operation;
}

static void find_arguments(ic_mode_values *values, const ic_equations *e)
{
    for (size_t i = 0; i < e->n_terms; i++) {
        const ic_equation_term *term = &e->terms[i];
        switch (term->operation) {
        case IC_OP_MIN:
        case IC_OP_MAX: add_value(values, e, term->b); /* fall through */
        case IC_OP_ABS:
        case IC_OP_SQRT:
        case IC_OP_CBRT:
        case IC_OP_POWER: add_value(values, e, term->a); break;
        default: break;
        }
    }
}

/* Whether a condition is u <= 0, read as where(u > 0, -1, 1). */
static bool is_closed(const ic_equations *q, int operation)
{
    const ic_equation_term *t = &q->terms[operation];
    if (t->operation != IC_OP_CHOOSE || q->terms[t->b].operation != IC_OP_NEGATE) return false;
    const ic_equation_term *low = &q->terms[q->terms[t->b].a], *high = &q->terms[t->c];
    return low->operation == IC_OP_NUMBER && low->number == 1 && high->operation == IC_OP_NUMBER &&
           high->number == 1;
}

/* Counts the parts of a condition from number `first` on, and adds them unless `values` is NULL. */
static size_t add_parts(ic_mode_values *values, size_t first, const ic_equations *q, int operation, bool plain)
{
    const ic_equation_term *term = &q->terms[operation];
    if (ic_flow_is_joined(q, operation)) {
        const size_t left = add_parts(values, first, q, term->a, plain);
        return left + add_parts(values, first + left, q, term->b, plain);
    }
    if (values == NULL) return 1;
    values->closed[first] = !plain && is_closed(q, operation);
    values->operations[first] = values->closed[first] ? term->a : operation;
    return 1;
}

/* `plain`: a proof states each part of a condition as it is. */
static bool find_values(ic_mode_values *values, const ic_mode *mode, bool plain)
{
    size_t parts = 0;
    const ic_equations *e = mode->equations, *q = mode->quantities;
    *values = (ic_mode_values){0};
    if (e == NULL) return true;
    for (size_t i = 0; i < mode->n_guards && q != NULL; i++)
        parts += q->results[i] < 0 ? 0 : add_parts(NULL, 0, q, q->results[i], plain);
    const size_t most = mode->n_guards + 2 * e->n_terms + parts + 1;
    values->operations = calloc(most, sizeof *values->operations);
    values->closed = calloc(most, sizeof *values->closed);
    values->conditions = calloc(mode->n_guards + 1, sizeof *values->conditions);
    values->first_parts = calloc(mode->n_guards + 1, sizeof *values->first_parts);
    if (values->operations == NULL || values->closed == NULL || values->conditions == NULL ||
        values->first_parts == NULL)
        return false;
    for (size_t i = 0; i < mode->n_guards; i++)
        values->operations[values->n++] = e->results[e->n_results - mode->n_guards + i];
    find_arguments(values, e);
    values->first_condition = values->n;
    for (size_t i = 0; i < mode->n_guards && q != NULL; i++) {
        if (q->results[i] < 0) continue;
        values->conditions[i] = values->first_parts[i] = values->n;
        values->n += add_parts(values, values->n, q, q->results[i], plain);
    }
    return true;
}

ic_status ic_flow_prepare(ic_flow *f, const ic_problem *problem, slong prec, const ic_flow_options *options)
{
    size_t most = 1;
    *f = (ic_flow){.problem = problem,
                   .n = (slong)problem->system->n_states,
                   .prec = prec,
                   .name = "start",
                   .likely = INFINITY,
                   .extremes = options->extremes,
                   .n_extremes = options->n_extremes,
                   .witness = options->witness,
                   .proof = options->proof,
                   .digits = options->digits};
    f->clock.guard = -1;
    IC_EACH(arb_init, f->clock.u, f->t_stop, f->place, f->last_event);
    arb_set_d(f->last_event, problem->t_start);
    f->par = _arb_vec_init((slong)problem->system->n_parameters);
    f->before = _arb_vec_init(f->n + 1);
    f->now = _arb_vec_init(f->n + 1);
    f->tie = _arb_vec_init(f->n + 1);
    ic_flow_set_init(&f->set, f->n + 1);
    f->values = calloc(problem->variant->n_modes, sizeof *f->values);
    if (f->values == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < problem->variant->n_modes; i++) {
        if (!find_values(&f->values[i], &problem->variant->modes[i], f->proof != NULL)) return IC_NO_MEMORY;
        if (f->values[i].n > most) most = f->values[i].n;
    }
    f->guards = calloc(most, sizeof *f->guards);
    f->root_tried = calloc(most, sizeof *f->root_tried);
    f->next_occurrence = calloc(problem->variant->n_time_events + 1, sizeof *f->next_occurrence);
    if (f->guards == NULL || f->root_tried == NULL || f->next_occurrence == NULL) return IC_NO_MEMORY;
    if (!ic_ball_parameters(f->par, problem, prec, f->message, sizeof f->message)) return IC_INVALID;
    if (!find_sizes(f)) return IC_NO_MEMORY;
    return IC_OK;
}

ic_status ic_flow_open(ic_flow *f, const ic_problem *problem, slong prec, const ic_flow_options *options)
{
    const ic_status status = ic_flow_prepare(f, problem, prec, options);
    if (status != IC_OK) return status;
    if (problem->variant->start.equations == NULL && problem->x_start == NULL) {
        snprintf(f->message, sizeof f->message, "variant '%.80s' is not known as formulas",
                 problem->variant->name);
        return IC_UNSUPPORTED;
    }
    return start(f);
}

ic_status ic_flow_open_at(ic_flow *f, const ic_problem *problem, const ic_flow_start *at, slong prec)
{
    ic_status status = ic_flow_prepare(f, problem, prec, &(ic_flow_options){0});
    if (status != IC_OK) return status;
    ic_flow_set_copy(&f->set, at->set);
    f->mode = at->mode;
    status = at->derivative ? ic_flow_follow_derivative(f) : IC_OK;
    if (status == IC_OK) status = stand(f);
    if (status != IC_OK) return status;
    if (ic_flow_mode(f)->equations == NULL) {
        snprintf(f->message, sizeof f->message, "mode '%.80s' is not known as formulas", ic_flow_mode(f)->name);
        return IC_UNSUPPORTED;
    }
    if (at->after == NULL) return ic_flow_phase_begin(f, NULL);
    for (size_t i = 0; i < f->values[f->mode].n; i++) f->guards[i].zero = at->after->guards[i].zero;
    memcpy(f->fired, at->after->fired, sizeof f->fired);
    f->n_fired = at->after->n_fired;
    return ic_flow_phase_begin(f, at->after->branch);
}

void ic_flow_close(ic_flow *f)
{
    ic_flow_phase_clear(f);
    ic_flow_set_clear(&f->set);
    ic_flow_derivative_clear(f);
    _arb_vec_clear(f->par, (slong)f->problem->system->n_parameters);
    _arb_vec_clear(f->before, f->n + 1);
    _arb_vec_clear(f->now, f->n + 1);
    _arb_vec_clear(f->tie, f->n + 1);
    ic_table_numbers_clear(&f->tables);
    IC_EACH(arb_clear, f->clock.u, f->t_stop, f->place, f->last_event);
    for (size_t i = 0; f->values != NULL && i < f->problem->variant->n_modes; i++) {
        free(f->values[i].operations);
        free(f->values[i].conditions);
        free(f->values[i].first_parts);
        free(f->values[i].closed);
    }
    free(f->values);
    free(f->sizes);
    free(f->rests);
    free(f->guards);
    free(f->root_tried);
    free(f->next_occurrence);
}
