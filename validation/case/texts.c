/* SPDX-License-Identifier: MIT */
/**
 * Texts of modes, guards, invariants, outputs and time events: each can be read, names nothing that
 * does not exist, and equals its C function at random states. All texts are read before any is
 * compared, so that a wrong name is reported as such.
 */
#include "core/linear_view.h"
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>

/* Comparisons of a time event that recurs without end. */
enum { OCCURRENCES = 5 };

/* Action on a text: read it, or compare it with its function. */
typedef struct text_subject {
    const ic_place *place;
    const char *text;

    /* or an output, or a rate of the flow */
    ic_state_function *function;

    const ic_output *output;

    /* state: of the flow, where there is neither function nor output */
    int mode, state;
} text_subject;

typedef bool visit_text(ic_judge *judge, const text_subject *s);

/* ---- the two visits */

static ic_names names_of(const ic_judge *judge)
{
    return (ic_names){
        .system = judge->problem->system, .par = judge->problem->par, .states = true, .time = true};
}

static bool read_text(ic_judge *judge, const text_subject *s)
{
    const ic_names names = names_of(judge);
    ic_error error = {""};
    ic_form form;
    if (ic_expression(&form, s->text, &names, &error)) return true;
    return ic_contradicts(judge, s->place, NULL, "its text can be read", "%.200s", error.text);
}

static double function_value(const ic_judge *judge, const text_subject *s, const ic_point *at)
{
    const double *par = judge->problem->par;
    double f[IC_MAX_STATES] = {0};
    if (s->function != NULL) return s->function(at->t, at->x, par);
    if (s->output != NULL) return s->output->value(at->t, at->x, s->mode, par);
    s->place->mode->flow(f, at->t, at->x, par);
    return f[s->state];
}

/* Sum of the magnitudes of a form's terms, to which rounding is relative. */
static double magnitude(const ic_form *form, size_t n, const double *x)
{
    double sum = fabs(form->constant) + fabs(form->cosine) + fabs(form->sine);
    for (size_t i = 0; i < n; i++) sum += fabs(form->state[i] * x[i]);
    return sum;
}

static bool compare_text(ic_judge *judge, const text_subject *s)
{
    const size_t n = judge->problem->system->n_states;
    const ic_names names = names_of(judge);
    ic_names magnitudes = names;
    magnitudes.magnitudes = true;
    ic_form form, sizes;
    if (!ic_expression(&form, s->text, &names, NULL) || !ic_expression(&sizes, s->text, &magnitudes, NULL))
        return false;
    for (int k = 0; k < IC_JUDGE_POINTS; k++) {
        const ic_point *at = &judge->anywhere[k];
        const double tolerance = IC_SUMMATION * magnitude(&sizes, n, at->x) + DBL_MIN;
        if (!ic_judge_equal(judge, s->place, at, "its text equals its function", "text",
                            ic_form_value(&form, n, at->t, at->x), "function", function_value(judge, s, at),
                            tolerance))
            return false;
    }
    return true;
}

/* ---- places of texts */

static bool visit_flow(ic_judge *judge, visit_text *visit, const ic_mode *mode)
{
    const ic_case *system = judge->problem->system;
    char of[96];
    for (size_t i = 0; mode->linear != NULL && i < system->n_states; i++) {
        snprintf(of, sizeof of, "rate of '%s'", system->states[i].name);
        const ic_place place = {.mode = mode, .of = of};
        if (mode->linear[i] == NULL) return ic_contradicts(judge, &place, NULL, "it has a text", "it has none");
        if (!visit(judge, &(const text_subject){&place, mode->linear[i], .state = (int)i})) return false;
    }
    return true;
}

static bool visit_guards(ic_judge *judge, visit_text *visit, const ic_mode *mode)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        const ic_place value = {mode, guard, "its value"}, enabled = {mode, guard, "`enabled`"};
        if (guard->linear != NULL &&
            !visit(judge, &(const text_subject){&value, guard->linear, .function = guard->value}))
            return false;
        if (guard->enabled == NULL || guard->linear_enabled == NULL) continue;
        if (!visit(judge, &(const text_subject){&enabled, guard->linear_enabled, .function = guard->enabled}))
            return false;
    }
    return true;
}

static bool visit_invariants(ic_judge *judge, visit_text *visit, const ic_mode *mode)
{
    char of[96];
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        snprintf(of, sizeof of, "invariant '%s'", invariant->name);
        const ic_place place = {.mode = mode, .of = of};
        if (invariant->linear == NULL) continue;
        if (!visit(judge, &(const text_subject){&place, invariant->linear, .function = invariant->value}))
            return false;
    }
    return true;
}

static bool visit_outputs(ic_judge *judge, visit_text *visit)
{
    const ic_case *system = judge->problem->system;
    const ic_variant *variant = judge->problem->variant;
    char of[96];
    for (size_t o = 0; o < system->n_outputs; o++) {
        const ic_output *output = &system->outputs[o];
        snprintf(of, sizeof of, "output '%s'", output->name);
        for (size_t m = 0; output->linear != NULL && m < variant->n_modes; m++) {
            const ic_place place = {.mode = &variant->modes[m], .of = of};
            if (output->linear[m] == NULL) continue;
            if (!visit(judge,
                       &(const text_subject){&place, output->linear[m], .output = output, .mode = (int)m}))
                return false;
        }
    }
    return true;
}

static bool visit_texts(ic_judge *judge, visit_text *visit)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        if (!visit_flow(judge, visit, mode) || !visit_guards(judge, visit, mode) ||
            !visit_invariants(judge, visit, mode))
            return false;
    }
    return visit_outputs(judge, visit);
}

/* ---- time events, in n */

static bool judge_time_event(ic_judge *judge, const ic_time_event *event)
{
    char of[96];
    const ic_place place = {.of = of};
    const int last = event->occurrences > 0 ? event->occurrences : OCCURRENCES;
    snprintf(of, sizeof of, "time event '%s'", event->name);
    for (int k = 0; k < last && k < OCCURRENCES; k++) {
        const double n = k, due = event->when(k, judge->problem->par);
        const ic_names names = {.system = judge->problem->system, .par = judge->problem->par, .n = &n};
        ic_error error = {""};
        double value = NAN;
        if (!ic_expression_number(&value, event->linear, &names, &error))
            return ic_contradicts(judge, &place, NULL, "its text can be read", "%.200s", error.text);
        if (!ic_judge_equal(judge, &place, NULL, "its text equals its function", "text", value, "function", due,
                            IC_SUMMATION * (fabs(value) + fabs(due))))
            return false;
    }
    return true;
}

/* Only the view as a whole shows forcing at a second frequency. */
static bool judge_view(ic_judge *judge, const ic_mode *mode)
{
    ic_linear_view view;
    ic_error error = {""};
    if (!ic_is_linear(judge->problem->variant)) return true;
    const bool good = ic_linear_view_open(&view, judge->problem, mode, &error);
    if (good) ic_linear_view_close(&view);
    judge->no_memory = !good && ic_memory_ran_out(&error);
    return good || ic_contradicts(judge, &(const ic_place){.mode = mode}, NULL, "its texts are a linear view",
                                  "%.200s", error.text);
}

bool ic_judge_names(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    if (!visit_texts(judge, read_text)) return false;
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (!judge_view(judge, &variant->modes[m])) return false;
    }
    for (size_t k = 0; k < variant->n_time_events; k++) {
        if (variant->time_events[k].linear != NULL && !judge_time_event(judge, &variant->time_events[k]))
            return false;
    }
    return true;
}

bool ic_judge_texts(ic_judge *judge)
{
    return visit_texts(judge, compare_text);
}
