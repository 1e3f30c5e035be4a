/* SPDX-License-Identifier: MIT */
/* The reason for which a run stopped. */
#include "core/loop.h"

#include <math.h>

/* The state whose rate is not finite at the last state of the run; n: all rates are finite. */
static size_t rate_not_finite(const ic_loop *l)
{
    const ic_phase *phase = &l->phase;
    size_t i = 0;
    if (phase->mode->flow == NULL) return phase->n; /* the mode has a linear view alone */
    phase->mode->flow(l->x_post, phase->t, phase->x, phase->problem->par);
    while (i < phase->n && isfinite(l->x_post[i])) i++;
    return i;
}

/* The guard that has no value there, or, if `rate`, no rate; n_watched: there is none. */
static size_t guard_not_finite(const ic_loop *l, bool rate)
{
    const ic_phase *phase = &l->phase;
    size_t i = 0;
    for (; i < phase->n_watched; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        if (rate && isnan(ic_watch_rate(phase, watch, phase->t, phase->x))) break;
        if (!rate && !isfinite(ic_watch_value(phase, watch, phase->t, phase->x))) break;
    }
    return i;
}

/*
 * Names the function that is not finite. A flow or guard without a value at the last state of the run
 * comes first; if all have values there, the function has none a step later.
 */
void ic_loop_explain(const ic_loop *l)
{
    static const char advice[] = "a quotient may divide by 0 there, or a root have no value or slope; begin "
                                 "elsewhere, or end the mode before it";
    const ic_phase *phase = &l->phase;
    const char *mode = phase->mode->name;
    const size_t state = rate_not_finite(l), guard = guard_not_finite(l, false);
    const size_t sloping = guard_not_finite(l, true);
    if (state < phase->n) {
        ic_log_message(phase->log, "the flow of '%s' in mode '%s' at t = %.17g; %s",
                       phase->problem->system->states[state].name, mode, phase->t, advice);
    } else if (guard < phase->n_watched) {
        ic_log_message(phase->log, "guard '%s' in mode '%s' at t = %.17g; %s",
                       ic_phase_guard_name(phase, guard), mode, phase->t, advice);
    } else if (sloping < phase->n_watched) {
        ic_log_message(phase->log, "the rate of guard '%s' in mode '%s' at t = %.17g; %s",
                       ic_phase_guard_name(phase, sloping), mode, phase->t, advice);
    } else {
        ic_log_message(
            phase->log,
            "all functions are finite at t = %.17g in mode '%s', but not within the next step; it may "
            "be too long, or a function has no value there",
            phase->t, mode);
    }
}

/*
 * Finds a guard of a stop or a kink that has passed zero unseen: a body beyond its stop, a side that is not that of its
 * quantity, a force beyond what holds; at the beginning of a phase, a stop behind which a jump has put a body. How far
 * rests and coarse methods may be beyond it is no fault (IC_LOOP_DRIFT), nor is a guard that was there when its phase
 * began (clause 2): a contact that ends below the surface, where only a rise through it begins another one.
 */
ic_status ic_loop_find_passed(const ic_loop *l, bool begins)
{
    const ic_phase *phase = &l->phase;
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_watch watch = ic_phase_watch(phase, i);
        if (watch.guard == NULL) continue; /* an observer of the run */
        /* one with a condition may have passed zero before it held */
        const bool lets_go = ic_loop_onset(watch) == IC_ONSET_LEVEL && watch.guard->enabled == NULL;
        if (begins ? !ic_loop_has_limit(watch) : ic_loop_onset(watch) != IC_ONSET_NEAR && !lets_go) continue;
        if (begins && ic_loop_last_fired(l, watch) != NULL) continue; /* late, as coarse methods are */
        const double g = ic_phase_guard(phase, i, phase->t, phase->x);
        /* the method may mark only the first of those that are due */
        if ((int)i == phase->fired || !ic_loop_is_clearly_beyond(l, watch, g)) continue;
        if (phase->fired >= 0 && phase->due[i]) continue;
        if (!begins && ic_loop_is_clearly_beyond(l, watch, l->began[i] * ic_watch_direction(watch))) continue;
        if (begins) {
            ic_log_message(phase->log,
                           "the jump of '%s' at t = %.17g puts a body behind the stop '%s' by %g %s",
                           l->last_name, phase->t, watch.guard->name, fabs(g), watch.guard->unit);
            return IC_INVALID;
        }
        ic_log_message(phase->log,
                       "guard '%s' has passed zero unseen after t = %.17g, and is %g at t = %.17g: a smaller "
                       "step or another solver may see it",
                       ic_phase_guard_name(phase, i), l->armed, g, phase->t);
        return IC_ROOT_LOST;
    }
    return IC_OK;
}
