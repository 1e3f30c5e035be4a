/* SPDX-License-Identifier: MIT */
/* Jumps, handlers and chains. */
#include "core/loop.h"
#include "core/model.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Whether an event leads to an existing mode and to a finite state. */
static ic_status check_landing(const ic_loop *l, const char *name, int mode)
{
    const ic_phase *phase = &l->phase;
    const size_t n_modes = phase->problem->variant->n_modes;
    const ic_law *law = phase->problem->variant->law;
    if (mode < 0 || (size_t)mode >= n_modes) {
        ic_log_message(phase->log, "the jump of '%s' leads to mode %d, but there are %zu modes", name, mode,
                       n_modes);
        return IC_INVALID;
    }
    if (ic_all_finite(l->x_post, phase->n)) return IC_OK;
    static const char side_of[] = "sign of "; /* begins the meaning of the side of a kink */
    const bool limited = law != NULL && law->n_requirements > 0;
    const ic_state *state = phase->problem->system->states;
    for (size_t i = 0; isfinite(l->x_post[i]); i++) state++;
    const bool is_explained = state->meaning != NULL && state->meaning[0] != '\0';
    if (is_explained && strncmp(state->meaning, side_of, strlen(side_of)) == 0) {
        ic_log_message(
            phase->log,
            "after '%s' at t = %.17g the motion is not determined: where %s is 0, the flows of its sides "
            "allow several or none; one that leads to 0, on one side or on both, determines it",
            name, phase->t, state->meaning + strlen(side_of));
        return IC_NOT_FINITE;
    }
    ic_log_message(phase->log, "the jump of '%s' at t = %.17g gives '%s'%s%s a value that is not finite%s%s",
                   name, phase->t, state->name, is_explained ? ", " : "", is_explained ? state->meaning : "",
                   limited ? "; " : "", limited ? law->requirements[0].meaning : "");
    return IC_NOT_FINITE;
}

ic_status ic_loop_jump(ic_loop *l, const ic_jump *jump, const char *name, int *mode_to)
{
    ic_phase *phase = &l->phase;
    const ic_variant *variant = phase->problem->variant;
    const int branch = jump->apply(l->x_post, phase->t, phase->x, phase->problem->par);
    if (jump == &variant->start && branch == IC_NO_START) {
        ic_log_message(phase->log, "these parameters do not permit a start: %s", variant->meaning);
        return IC_INVALID;
    }
    if (branch < 0 || (size_t)branch >= jump->n_branches) {
        ic_log_message(phase->log, "the jump of '%s' returned branch %d, but has %zu branches", name, branch,
                       jump->n_branches);
        return IC_INVALID;
    }
    l->branch = &jump->branches[branch];
    *mode_to = l->branch->mode == IC_SAME_MODE ? phase->mode_index : l->branch->mode;
    return check_landing(l, name, *mode_to);
}

/* Call the handler of the event set that takes the place of a jump. */
static ic_status call_handler(ic_loop *l, const ic_action *a, int *mode_to)
{
    ic_phase *phase = &l->phase;
    ic_firing firing = {.events = l->set,
                        .id = a->id,
                        .problem = phase->problem,
                        .t = phase->t,
                        .mode = phase->mode_index,
                        .x = phase->x,
                        .mode_post = phase->mode_index,
                        .x_post = l->x_post};
    memcpy(l->x_post, phase->x, phase->n * sizeof *l->x_post);
    *mode_to = phase->mode_index;
    if (a->handler == NULL) return IC_OK;
    l->set->closed = false;
    const ic_status answer = a->handler(&firing, a->context);
    l->set->closed = true;
    if (answer != IC_OK) {
        ic_log_message(phase->log, "the handler of '%s' stopped the run at t = %.17g: %s", a->name, phase->t,
                       ic_status_text(answer));
        return answer;
    }
    l->stopped = firing.stop;
    *mode_to = firing.mode_post;
    return check_landing(l, a->name, *mode_to);
}

void ic_loop_enter(ic_loop *l, int mode)
{
    l->phase.mode_index = mode;
    l->phase.mode = &l->phase.problem->variant->modes[mode];
    memcpy(l->phase.x, l->x_post, l->phase.n * sizeof *l->x_post);
}

static ic_status record_event(ic_loop *l, const ic_action *a, int mode_to)
{
    ic_phase *phase = &l->phase;
    const bool same_instant = fabs(phase->t - l->last_t) <= IC_INSTANT_ULPS * DBL_EPSILON * fabs(phase->t);
    l->sequence = same_instant ? l->sequence + 1 : 0;
    if (phase->t != l->last_t) l->chain = 0;
    else if (!a->at_once) l->chain++;
    if (same_instant) phase->t = l->last_t;
    l->last_name = a->name;
    l->last_t = l->set->now = phase->t;
    const ic_event event = {a->kind,           a->name, phase->t, l->sequence,
                            phase->mode_index, mode_to, phase->x, l->x_post};
    if (phase->options->extremes) {
        ic_log_extremes(phase->log, phase->t, phase->mode_index, phase->x);
        ic_log_extremes(phase->log, phase->t, mode_to, l->x_post);
    }
    if (ic_has_to_end(phase->options, ++l->events)) return IC_TOO_MUCH_WORK;
    return ic_log_event(phase->log, &event);
}

/*
 * Advances to the limit of the geometric series with the flow of the next mode. The state before
 * the jump tends to the same limit.
 */
static void extrapolate_to_limit(ic_loop *l, int mode_to, double rest)
{
    ic_phase *phase = &l->phase;
    double flow[IC_MAX_STATES];
    phase->work->flow_calls++;
    phase->problem->variant->modes[mode_to].flow(flow, phase->t, l->x_post, phase->problem->par);
    for (size_t i = 0; i < phase->n; i++) l->x_post[i] += rest * flow[i];
    memcpy(phase->x, l->x_post, phase->n * sizeof *l->x_post);
    phase->t += rest;
}

/* Whether an action has changed more than the log and the set. */
static bool has_changed(const ic_loop *l, const ic_action *a, int mode_to)
{
    const bool declares = a->jump != NULL && l->branch->n_departures > 0;
    return declares || mode_to != l->phase.mode_index ||
           memcmp(l->x_post, l->phase.x, l->phase.n * sizeof *l->x_post) != 0;
}

/*
 * Performs the action of an event. Guards are armed later, when everything that is due at this
 * instant has fired. *changed: see has_changed.
 */
ic_status ic_loop_perform(ic_loop *l, const ic_action *a, bool *changed)
{
    int mode_to = 0;
    ic_status status =
        a->jump != NULL ? ic_loop_jump(l, a->jump, a->name, &mode_to) : call_handler(l, a, &mode_to);
    if (status == IC_OK) *changed = has_changed(l, a, mode_to);
    if (status == IC_OK && a->rest > 0) extrapolate_to_limit(l, mode_to, a->rest);
    if (status == IC_OK) status = record_event(l, a, mode_to);
    if (status != IC_OK) return status;
    if (l->chain > IC_CHAIN_MAX) {
        ic_log_message(l->phase.log, "more than %d jumps at t = %.17g, the last by '%s'", IC_CHAIN_MAX,
                       l->phase.t, a->name);
        return IC_CHAIN;
    }
    if (!*changed) return IC_OK;
    l->changed = true;
    ic_loop_enter(l, mode_to);
    ic_loop_forget_off_zero(l);
    ic_loop_note_turned(l);
    return IC_OK;
}
