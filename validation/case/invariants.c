/* SPDX-License-Identifier: MIT */
/**
 * Invariants: the run keeps them, the flow preserves equalities where they hold, and each jump into
 * a mode establishes them.
 *
 * Inequalities are judged along the run only: at a state that cannot be reached, and where the
 * value is zero, a flow does not have to preserve them.
 */
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 8 };

static ic_place place_of(const ic_mode *mode, const ic_invariant *invariant, char *of, size_t size)
{
    snprintf(of, size, "invariant '%s'", invariant->name);
    return (ic_place){.mode = mode, .of = of};
}

/* The amount by which the invariant is violated. */
static double violation(const ic_invariant *invariant, double value)
{
    if (isnan(value)) return INFINITY;
    return invariant->side == 0 ? fabs(value) : fmax(0, -invariant->side * value);
}

static const char *claim_text(const ic_invariant *invariant)
{
    return invariant->side == 0 ? "stays 0" : invariant->side > 0 ? "is never negative" : "is never positive";
}

/* `before`: the violation that a jump into this mode found there already; 0: none. */
static bool invariant_holds(ic_judge *judge, const ic_place *place, const ic_mode *mode,
                            const ic_invariant *invariant, const ic_point *at, double tolerance, double before,
                            const char *what)
{
    const double value = invariant->value(at->t, at->x, judge->problem->par);
    const double off = violation(invariant, value);
    judge->comparisons++;
    if (off == 0) return true;
    const double scales = ic_reach_of(judge, mode, invariant->value, at).of_scales;
    const double allowed = tolerance * scales + fmin(before, ic_tolerance_case_kept.value * scales);
    if (off <= allowed) return true;
    judge->row->error = off;
    judge->row->tolerance = allowed;
    snprintf(judge->row->unit, sizeof judge->row->unit, "%s", invariant->unit);
    return ic_contradicts(judge, place, at, what, "it is %.9g %s", value, invariant->unit);
}

static bool judge_run(ic_judge *judge, const ic_mode *mode, int number, const ic_invariant *invariant)
{
    char of[96];
    const ic_place place = place_of(mode, invariant, of, sizeof of);
    ic_point at;
    char what[64];
    snprintf(what, sizeof what, "it %s on a run", claim_text(invariant));
    for (size_t k = 0; ic_point_seen(judge, number, k, &at); k++) {
        if (!invariant_holds(judge, &place, mode, invariant, &at, ic_tolerance_case_kept.value, 0, what))
            return false;
    }
    return true;
}

static bool judge_flow(ic_judge *judge, const ic_mode *mode, int number, const ic_invariant *invariant)
{
    char of[96];
    const ic_place place = place_of(mode, invariant, of, sizeof of);
    ic_point at;
    for (int k = 0; k < POINTS && ic_point_of_mode(judge, number, NULL, NULL, &at); k++) {
        const ic_slope slope = ic_slope_along(judge, mode, invariant->value, &at);
        const ic_reach reach = ic_reach_of(judge, mode, invariant->value, &at);
        const double rounding = slope.error + slope.rounding * reach.of_scales;
        /* a kink, or an invariant that does not change */
        if (!(rounding <= reach.of_flow)) continue;
        if (!ic_judge_equal(judge, &place, &at, "the flow preserves it", "its rate where it holds", slope.value,
                            "required", 0, ic_tolerance_case_rate.value * reach.of_flow + 4 * rounding))
            return false;
    }
    return true;
}

bool ic_judge_arrival(ic_judge *judge, const ic_place *from, const ic_branch *branch, int mode_before,
                      const ic_point *before, const ic_point *after)
{
    const int number = branch->mode == IC_SAME_MODE ? mode_before : branch->mode;
    const ic_mode *mode = &judge->problem->variant->modes[number];
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        char what[192];
        snprintf(what, sizeof what, "afterwards invariant '%.48s' of mode %.48s %s", invariant->name,
                 mode->name, claim_text(invariant));
        /* Invariants hold along the run to its accuracy. */
        const double tolerance =
            invariant->side == 0 ? ic_tolerance_case_zero.value : ic_tolerance_case_kept.value;
        /* A jump within the mode keeps what the run has left of an equality. */
        double left = 0;
        if (before != NULL && number == mode_before)
            left = violation(invariant, invariant->value(before->t, before->x, judge->problem->par));
        if (!invariant_holds(judge, from, mode, invariant, after, tolerance, left, what)) return false;
    }
    return true;
}

bool ic_judge_invariants(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        for (size_t i = 0; i < mode->n_invariants; i++) {
            const ic_invariant *invariant = &mode->invariants[i];
            /* a terminal mode's flow is never followed */
            if (invariant->side == 0 && !mode->terminal && !judge_flow(judge, mode, (int)m, invariant))
                return false;
            if (!judge_run(judge, mode, (int)m, invariant)) return false;
        }
    }
    return true;
}
