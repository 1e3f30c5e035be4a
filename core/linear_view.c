/* SPDX-License-Identifier: MIT */
#include "core/linear_view.h"

#include <stdlib.h>
#include <string.h>

static bool guard_is_linear(const ic_guard *guard)
{
    return guard->linear != NULL && (guard->enabled == NULL || guard->linear_enabled != NULL);
}

static bool mode_is_linear(const ic_mode *mode, bool with_jumps)
{
    bool linear = mode->linear != NULL;
    for (size_t i = 0; i < mode->n_guards && linear; i++)
        linear = guard_is_linear(&mode->guards[i]) && (mode->guards[i].jump.linear || !with_jumps);
    return linear;
}

bool ic_is_linear(const ic_variant *variant)
{
    bool linear = variant->start.linear;
    for (size_t i = 0; i < variant->n_modes && linear; i++) linear = mode_is_linear(&variant->modes[i], true);
    return linear;
}

bool ic_has_equations(const ic_variant *variant)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (variant->modes[i].equations == NULL && !mode_is_linear(&variant->modes[i], false)) return false;
    }
    return true;
}

static bool check_frequency(ic_linear_view *view, const ic_form *form, const char *where, ic_error *error)
{
    if (form->cosine == 0 && form->sine == 0) return true;
    if (view->frequency == 0) view->frequency = form->frequency;
    if (view->frequency == form->frequency) return true;
    ic_error_set(error, "'%s' is forced at a second frequency; a linear view has one", where);
    return false;
}

static bool set_flow(ic_linear_view *view, const ic_mode *mode, const ic_names *names, ic_error *error)
{
    ic_form form;
    for (size_t i = 0; i < view->n; i++) {
        if (!ic_expression(&form, mode->linear[i], names, error)) return false;
        if (!check_frequency(view, &form, mode->linear[i], error)) return false;
        memcpy(view->a + i * view->n, form.state, view->n * sizeof *view->a);
        view->b[i] = form.constant;
        view->cosine[i] = form.cosine;
        view->sine[i] = form.sine;
    }
    return true;
}

static bool set_guards(ic_linear_view *view, const ic_mode *mode, const ic_names *names, ic_error *error)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (!guard_is_linear(guard)) {
            ic_error_set(error, "guard '%s' has no linear view", guard->name);
            return false;
        }
        const char *enabled = guard->linear_enabled != NULL ? guard->linear_enabled : "1";
        if (!ic_expression(&view->guards[i], guard->linear, names, error)) return false;
        if (!ic_expression(&view->enabled[i], enabled, names, error)) return false;
        if (!check_frequency(view, &view->guards[i], guard->linear, error)) return false;
    }
    return true;
}

bool ic_linear_view_open(ic_linear_view *view, const ic_problem *problem, const ic_mode *mode, ic_error *error)
{
    const ic_names names = {
        .system = problem->system, .par = problem->par, .states = true, .time = true, .given = problem->given};
    const size_t n = problem->system->n_states;
    *view = (ic_linear_view){.n = n};
    if (mode->linear == NULL) {
        ic_error_set(error, "mode '%s' has no linear view", mode->name);
        return false;
    }
    view->a = calloc(n * n, sizeof(double));
    view->b = calloc(3 * n, sizeof(double));
    view->guards = malloc((mode->n_guards + 1) * sizeof(ic_form));
    view->enabled = malloc((mode->n_guards + 1) * sizeof(ic_form));
    if (view->a == NULL || view->b == NULL || view->guards == NULL || view->enabled == NULL) {
        ic_error_no_memory(error);
        ic_linear_view_close(view);
        return false;
    }
    view->cosine = view->b + n;
    view->sine = view->b + 2 * n;
    if (set_flow(view, mode, &names, error) && set_guards(view, mode, &names, error)) return true;
    ic_linear_view_close(view);
    return false;
}

void ic_linear_view_close(ic_linear_view *view)
{
    free(view->a);
    free(view->b);
    free(view->guards);
    free(view->enabled);
    *view = (ic_linear_view){0};
}
